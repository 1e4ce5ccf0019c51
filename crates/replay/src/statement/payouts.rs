//! Statements about settlements: what bets return, commission and its boxes, what comes back for a void coup.

use super::rows::statements;
use super::{All, Boxed, Stakes, Sum, WithCommission};

/// No commission behind what was returned.
pub const NO_COMMISSION: WithCommission = WithCommission(Sum(0));

statements! {
    /// About settlements and commission.
    OfPayouts
    Returned "returned" { amount: Sum, commission: WithCommission }
        "{amount} returned{commission}"
        "devolución de {amount}{commission}"
    BetReturns "bet-returns" { bet: u64, amount: Sum, commission: WithCommission }
        "bet {bet}: {amount} returned{commission}"
        "apuesta {bet}: devolución de {amount}{commission}"
    BetReturnsAtMost "bet-returns-at-most" { bet: u64, amount: Sum }
        "bet {bet}: at most {amount} returned"
        "apuesta {bet}: devolución de {amount} como mucho"
    BetReturnsAtLeast "bet-returns-at-least" { bet: u64, amount: Sum }
        "bet {bet}: at least {amount} returned"
        "apuesta {bet}: devolución de {amount} como mínimo"
    ForBetAt "returned-for-bet-at" { amount: Sum, commission: WithCommission, bet: u64, seat: u8 }
        "{amount} returned{commission} for bet {bet} at seat {seat}"
        "devolución de {amount}{commission} por la apuesta {bet} en el departamento {seat}"
    BetSettled "bet-settled" { bet: u64 }
        "bet {bet} settled"
        "apuesta {bet} liquidada"
    BetSettledWith "bet-settled-with" { bet: u64, amount: Sum, commission: WithCommission }
        "bet {bet} settled with {amount} returned{commission}"
        "apuesta {bet} liquidada con una devolución de {amount}{commission}"
    UnknownSettled "unknown-bet-settled" { bet: u64, amount: Sum }
        "bet {bet} settled, {amount} returned"
        "apuesta {bet} liquidada, devolución de {amount}"
    BetLeftOut "bet-left-out"
        "bet left out"
        "apuesta omitida"
    SettledOnce "bet-settled-once" { bet: u64 }
        "bet {bet} settled once"
        "apuesta {bet} liquidada una vez"
    ReturnedAgain "returned-again" { amount: Sum }
        "another {amount} returned"
        "otra devolución de {amount}"
    OneSettlement "one-settlement"
        "one settlement"
        "una sola liquidación"
    AnotherSettlement "another-settlement"
        "another"
        "otra"

    Commission "commission" { commission: Sum }
        "commission {commission}"
        "comisión {commission}"
    BetCommission "bet-commission" { bet: u64, commission: Sum }
        "bet {bet}: commission {commission}"
        "apuesta {bet}: comisión {commission}"
    BankCommission "bank-commission" { commission: Sum, won: Sum }
        "commission {commission} on {won} won by the bank"
        "comisión {commission} por una ganancia de la banca de {won}"
    Outstanding "outstanding" { amount: Sum }
        "{amount} outstanding"
        "pendiente: {amount}"
    OutstandingAt "outstanding-at" { amount: Sum, seat: u8 }
        "{amount} outstanding at seat {seat}"
        "pendiente en el departamento {seat}: {amount}"
    OutstandingInBoxes "outstanding-in-boxes" { boxes: All<Boxed> }
        "outstanding: {boxes}"
        "pendiente: {boxes}"

    StakesReturned "stakes-returned" { stakes: Stakes }
        "{stakes} returned"
        "devolución de {stakes}"
    StakesNotReturned "stakes-not-returned"
        "none recorded"
        "nada"
    VoidLeftOut "void-bet-left-out"
        "left out"
        "omitida"
    VoidReturned "void-bet-returned" { amount: Sum, commission: Sum }
        "{amount} returned, commission {commission}"
        "devolución de {amount}, comisión {commission}"
    NothingBeside "nothing-beside-stakes"
        "nothing beside the stakes of the void coup"
        "nada más que las apuestas de la jugada anulada"
    ReturnedFor "returned-for-bet" { amount: Sum, bet: u64 }
        "{amount} returned for bet {bet}"
        "devolución de {amount} por la apuesta {bet}"
}
