//! Statements about bets: placing them, taking them back, their kinds, their limits.

use baccarat::BetKind;
use events::Name;

use super::rows::statements;
use super::{All, AnyOf, Decisions, InBets, Sum};

statements! {
    /// About bets before the result.
    OfBets
    Bet "bet" { bet: u64 }
        "bet {bet}"
        "apuesta {bet}"
    IdUnused "id-unused"
        "an id not used before"
        "un identificador sin usar"
    StandsInCoup "bet-stands-in-coup"
        "a bet standing in this coup"
        "una apuesta en pie en esta jugada"
    StandsInSomeCoup "bet-stands-in-some-coup"
        "a bet standing in a coup"
        "una apuesta en pie en alguna jugada"
    TakenBack "bet-taken-back" { bet: u64 }
        "bet {bet} taken back"
        "apuesta {bet} retirada"
    BeforeClose "bet-before-close"
        "a bet before the bets were closed and the first card was drawn"
        "una apuesta antes del «no va más» y de la primera carta"
    Afterwards "bet-afterwards" { bet: u64 }
        "bet {bet} afterwards"
        "apuesta {bet}, después"
    NoWithdrawal "no-withdrawal"
        "no withdrawal once the bets are closed"
        "ninguna retirada después del «no va más»"
    AsItStood "bet-as-it-stood" { bet: u64, stake: Sum, decided: Decisions }
        "bet {bet} of {stake} as it stood when the cards came{decided}"
        "apuesta {bet} de {stake}, como estaba al salir las cartas{decided}"
    CorrectedTo "bet-corrected-to" { stake: Sum, corrected: Decisions }
        "corrected to {stake} afterwards{corrected}"
        "corregida después a {stake}{corrected}"
    KindsOffered "bet-kinds-offered" { kinds: All<BetKind> }
        "one of {kinds}"
        "una de {kinds}"
    Kind "bet-kind" { bet_kind: BetKind }
        "{bet_kind}"
        "{bet_kind}"
    OwnPlace "bet-in-own-place"
        "a bet in the player's own place"
        "una apuesta en el departamento propio"
    InAnothersPlace "bet-in-anothers-place" { bet: u64, player: Name, seat: u8 }
        "bet {bet} of {player} at seat {seat}, another's"
        "apuesta {bet} de {player} en el departamento {seat}, que es de otro"

    AtLeast "at-least" { amount: Sum }
        "at least {amount}"
        "al menos {amount}"
    AtMost "at-most" { amount: Sum }
        "at most {amount}"
        "como mucho {amount}"
    Amount "amount" { amount: Sum }
        "{amount}"
        "{amount}"
    MultipleOf "multiple-of" { unit: Sum }
        "a multiple of {unit}"
        "un múltiplo de {unit}"
    Staked "staked" { amount: Sum, on: BetKind, bets: InBets }
        "{amount} on {on}{bets}"
        "{amount} a {on}{bets}"
    BesideIt "bet-beside-it" { kinds: AnyOf<BetKind> }
        "a bet on {kinds} beside it"
        "junto a ella, una apuesta a {kinds}"
    AtMostBesideMain "at-most-beside-main" { amount: Sum, main: Sum }
        "at most {amount} beside main bets of {main}"
        "como mucho {amount} junto a apuestas principales de {main}"
    BetAt "bet-at" { bet: u64, amount: Sum, seat: u8 }
        "bet {bet} of {amount} at seat {seat}"
        "apuesta {bet} de {amount} en el departamento {seat}"
    BetsWith "bets-with" { amount: Sum, bets: u32, bet: u64, seat: u8 }
        "{amount} in {bets} bets, with bet {bet} at seat {seat}"
        "{amount} en {bets} apuestas, con la apuesta {bet} en el departamento {seat}"
    BetAlone "bet-alone" { bet: u64, amount: Sum, seat: u8 }
        "bet {bet} of {amount} at seat {seat} alone"
        "solo la apuesta {bet} de {amount} en el departamento {seat}"
    BetsAlone "bets-alone" { amount: Sum, bets: u32, bet: u64, seat: u8 }
        "{amount} in {bets} bets, with bet {bet} at seat {seat} alone"
        "solo {amount} en {bets} apuestas, con la apuesta {bet} en el departamento {seat}"
    NotBoth "not-both" { others: AnyOf<BetKind>, on: BetKind }
        "{others} or {on}, not both"
        "{others} o {on}, no ambas"
    AsWell "bet-as-well" { bet: u64, on: BetKind, seat: u8 }
        "bet {bet} on {on} as well at seat {seat}"
        "también la apuesta {bet} a {on} en el departamento {seat}"
}
