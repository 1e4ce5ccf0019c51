//! Statements about what the bank of chemin de fer holds: accounts, garaje, stakes against it, abonos, leave.

use super::rows::statements;
use super::{Abonos, Party, Sum};

statements! {
    /// About what the bank holds.
    OfBank
    InPlayAtMost "bank-in-play-at-most" { amount: Sum }
        "at most {amount} in play"
        "como mucho {amount} en juego"
    InPlay "bank-in-play" { amount: Sum }
        "{amount} in play"
        "{amount} en juego"
    OneAccount "one-account"
        "one account of the coup"
        "una sola cuenta de la jugada"
    AnotherAccount "another-account"
        "another"
        "otra"
    AccountDue "account-due" { won: Sum, lost: Sum, commission: Sum }
        "won {won}, lost {lost}, commission {commission}"
        "ganados {won}, perdidos {lost}, comisión {commission}"
    SomeAccount "some-account"
        "what the coup comes to for the bank"
        "lo que la jugada supone para la banca"
    Account "account" { won: Sum, lost: Sum, bank: Sum, garaje: Sum }
        "won {won}, lost {lost}, bank {bank}, garaje {garaje}"
        "ganados {won}, perdidos {lost}, banca {bank}, garaje {garaje}"
    NotRecorded "account-not-recorded"
        "none recorded"
        "nada"
    Held "bank-held" { amount: Sum, bank: Sum, garaje: Sum }
        "{amount}: bank {bank}, garaje {garaje}"
        "{amount}: banca {bank}, garaje {garaje}"
    GivenBack "bank-given-back" { amount: Sum, who: Party }
        "{amount} given back to {who}"
        "devolución de {amount}, para {who}"
    GivenBackWhole "bank-given-back-whole" { who: Party }
        "what it holds given back to {who}"
        "devolución de lo que contiene, para {who}"

    UncoveredSetAside "uncovered-set-aside" { amount: Sum }
        "{amount} set aside, what the stakes do not cover"
        "{amount} fuera del juego, lo que las apuestas no cubren"
    Uncovered "uncovered" { amount: Sum }
        "{amount}, what the stakes do not cover"
        "{amount}, lo que las apuestas no cubren"
    NotCovered "coup-not-covered"
        "a coup whose stakes do not cover the bank"
        "una jugada cuyas apuestas no cubran la banca"
    NoCoupInPlay "garaje-without-coup" { amount: Sum }
        "{amount} and no coup in play"
        "{amount} sin jugada en curso"
    GarajeOfNobody "garaje-of-nobody"
        "a garaje of nobody's"
        "un garaje de nadie"
    WinningsAbove "winnings-above" { amount: Sum }
        "winnings above {amount}"
        "ganancias por encima de {amount}"
    Winnings "winnings" { amount: Sum }
        "winnings of {amount}"
        "ganancias de {amount}"
    AboveMaximum "above-bank-maximum" { amount: Sum }
        "{amount}, what lies above the bank's maximum"
        "{amount}, lo que pasa del máximo de la banca"
    AllSetAside "all-set-aside" { amount: Sum }
        "{amount}, all that was set aside"
        "{amount}, todo el garaje"
    SetBeforeCoup "garaje-before-coup"
        "the garaje set before the coup begins"
        "el garaje, formado antes de empezar la jugada"
    SetInCoup "garaje-in-coup" { amount: Sum }
        "{amount} in a coup"
        "{amount} durante una jugada"
    TodoVaWithMaximum "todo-va-with-maximum"
        "todo va at a bank with a maximum"
        "«todo va» en una banca con máximo"
    LeaveForUnlimited "leave-for-unlimited-bank"
        "leave for a bank without a maximum"
        "autorización para una banca sin máximo"
    WithMaximum "bank-with-maximum"
        "a bank with a maximum"
        "una banca con máximo"
    LeaveWithout "leave-without-maximum"
        "leave for one without"
        "autorización para una sin máximo"
    LeaveBy "leave-by" { office: Box<str> }
        "leave by {office}"
        "autorización de {office}"
    LeaveBeforePlay "leave-before-play"
        "leave before play begins"
        "autorización antes de empezar a jugar"
    LeaveAfterFirst "leave-after-first-coup"
        "leave after the first coup"
        "autorización después de la primera jugada"

    StakesAtMost "stakes-at-most-bank" { bank: Sum }
        "at most the bank, {bank}"
        "como mucho la banca, {bank}"
    StakesAtMostWithAbonos "stakes-at-most-bank-and-abonos" { bank: Sum, abonos: Sum }
        "at most the bank, {bank}, and abonos of {abonos}"
        "como mucho la banca, {bank}, y abonos de {abonos}"
    Staked "staked-against-bank" { amount: Sum }
        "{amount} staked"
        "{amount} apostados"
    WholeBank "staked-whole-bank" { amount: Sum, who: Party }
        "{amount} staked by {who}, the bank"
        "{amount} apostados por {who}, toda la banca"
    HalfBank "staked-half-bank" { amount: Sum, who: Party }
        "{amount} staked by {who}, half the bank"
        "{amount} apostados por {who}, la mitad de la banca"
    NoAbonos "no-abonos"
        "no abonos"
        "ningún abono"
    Abono "abono" { amount: Sum }
        "an abono of {amount}"
        "un abono de {amount}"
    AbonosAtMost "abonos-at-most" { abonos: Abonos }
        "at most {abonos}"
        "como mucho {abonos}"
    AbonoNumber "abono-number" { number: u32 }
        "abono number {number}"
        "abono número {number}"
    AbonosDue "abonos-due" { amount: Sum }
        "abonos of {amount}, the amount by which the stakes exceed the bank"
        "abonos de {amount}, lo que las apuestas exceden de la banca"
    AbonosOf "abonos" { amount: Sum }
        "abonos of {amount}"
        "abonos de {amount}"
}
