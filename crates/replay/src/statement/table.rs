//! Statements about the table: its opening, its rulebook, its limits, its currency, its game.

use std::fmt::{self, Formatter};

use baccarat::BetKind;
use serde::{Deserialize, Serialize};

use super::rows::statements;
use super::said::Say;
use super::{AnyOf, Digits, EventName, Style, Sum};

statements! {
    /// About the table.
    OfTable
    OpenedFirst "table-opened-first"
        "a table opened under a rulebook"
        "una mesa abierta con un reglamento"
    Play "play"
        "play"
        "juego"
    ClosedFirst "table-closed-first"
        "the table closed before it is opened again"
        "la mesa cerrada antes de abrirla de nuevo"
    OpenedWhileOpen "opened-while-open"
        "opened while open"
        "abierta estando abierta"
    ApprovedRulebook "approved-rulebook"
        "an approved rulebook"
        "un reglamento aprobado"
    Digest "rulebook-digest" { digest: Box<str> }
        "digest {digest}"
        "huella {digest}"
    Rulebook "rulebook" { rulebook: Box<str>, digest: Box<str> }
        "{rulebook}, digest {digest}"
        "{rulebook}, huella {digest}"
    DayFrom "day-in-force" { from: Box<str>, until: Until }
        "a day from {from}{until}"
        "un día desde {from}{until}"
    Day "day" { day: Box<str> }
        "{day}"
        "{day}"
    PuntoYBanca "events-of-punto-y-banca"
        "events of punto y banca"
        "sucesos de punto y banca"
    CheminDeFer "events-of-chemin-de-fer"
        "events of chemin de fer"
        "sucesos de chemin de fer"

    BetweenCoups "limits-between-coups"
        "limits changed between two coups"
        "límites cambiados entre dos jugadas"
    ChangedInCoup "limits-changed-in-coup" { coup: u32 }
        "changed in coup {coup}"
        "cambiados durante la jugada {coup}"
    CorrectedBefore "limits-corrected-before"
        "limits corrected before a coup is played under them"
        "límites corregidos antes de jugar con ellos"
    CorrectedAfterwards "limits-corrected-afterwards"
        "corrected afterwards"
        "corregidos después"
    MinimumWithin "minimum-within-maximum"
        "a minimum not above the maximum"
        "un mínimo que no supere el máximo"
    Limits "limits" { minimum: Sum, maximum: Sum }
        "{minimum} to {maximum}"
        "de {minimum} a {maximum}"
    MultiplesOfASum "multiples-of-a-sum"
        "multiples of a sum"
        "múltiplos de una cantidad"
    NoMultiples "no-multiples"
        "no multiples"
        "sin múltiplos"
    MultiplesOfMinimum "multiples-of-minimum" { minimum: Sum }
        "multiples of the minimum, {minimum}"
        "múltiplos del mínimo, {minimum}"
    MultiplesOf "multiples" { unit: Sum }
        "multiples of {unit}"
        "múltiplos de {unit}"
    MaximumTimes "maximum-times-minimum" { factors: AnyOf<u32>, minimum: Sum }
        "a maximum of {factors} times {minimum}"
        "un máximo de {factors} veces {minimum}"
    Maximum "maximum" { maximum: Sum }
        "{maximum}"
        "{maximum}"
    LimitsOfKind "limits-of-kind" { minimum: Sum, maximum: Sum, bet_kind: BetKind }
        "{minimum} to {maximum} on {bet_kind}"
        "de {minimum} a {maximum} a {bet_kind}"
    MultiplesOnKind "multiples-on-kind" { unit: Sum, bet_kind: BetKind }
        "multiples of {unit} on {bet_kind}"
        "múltiplos de {unit} a {bet_kind}"
    MaximumOnKind "maximum-on-kind" { maximum: Sum, bet_kind: BetKind }
        "{maximum} on {bet_kind}"
        "{maximum} a {bet_kind}"
    KindListedOnce "kind-listed-once"
        "limits of each kind of bet listed once"
        "los límites de cada clase de apuesta, una sola vez"
    KindListedAgain "kind-listed-again" { bet_kind: BetKind }
        "{bet_kind} listed again"
        "{bet_kind}, otra vez"

    OfIso4217 "currency-of-iso-4217"
        "a currency of ISO 4217"
        "una moneda de ISO 4217"
    CurrencyDigits "currency-digits" { currency: Box<str>, digits: Digits }
        "{currency} with {digits}"
        "{currency} con {digits}"
    Currency "currency" { currency: Box<str> }
        "{currency}"
        "{currency}"
    NoMoneyAndBet "no-money-and-bet" { currency: Box<str> }
        "{currency}, and a bet"
        "{currency}, y una apuesta"

    Event "event-of-game" { event: EventName }
        "{event}"
        "{event}"
}

/// ` to 2025-12-31` behind a first day, where there is a last one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Until(pub Option<Box<str>>);

impl Say for Until {
    const HOLDS: &'static str = "day";

    fn say(&self, style: &Style<'_>, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(day) => write!(f, " {} {day}", style.language.of("to", "hasta")),
            None => Ok(()),
        }
    }
}
