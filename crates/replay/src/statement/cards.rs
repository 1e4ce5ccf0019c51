//! Statements about the cards of a coup: to which hand they go, third cards, totals, the winner.

use std::fmt::{self, Formatter};

use baccarat::{Draw, Face, Side, Winner};
use serde::{Deserialize, Serialize};

use super::rows::statements;
use super::said::Say;
use super::{AnyOf, Cards, Style};

statements! {
    /// About the cards of a coup.
    OfCards
    BetsClosedFirst "bets-closed-first"
        "the bets closed before the first card"
        "el «no va más» antes de la primera carta"
    CardBeforeClose "card-before-close"
        "a card while bets were open"
        "una carta con las apuestas abiertas"
    CardTo "card-to" { card: Face, hand: Side }
        "{card} to {hand}"
        "{card} para {hand}"
    CardNumberTo "card-number-to" { number: u32, hand: Side }
        "card {number} to {hand}"
        "carta {number} para {hand}"
    TwoCardsEach "two-cards-each"
        "two cards to each hand"
        "dos cartas para cada mano"
    Dealt "cards-dealt" { cards: Cards }
        "{cards}"
        "{cards}"
    NoCardAfterNatural "no-card-after-natural"
        "no card: a natural ends the coup"
        "ninguna carta: un natural termina la jugada"
    NoFourthCard "no-fourth-card"
        "no card: the hand has three"
        "ninguna carta: la mano tiene tres"
    PuntoDue "punto-due" { draw: Third, totals: AnyOf<u8>, advised: Advised }
        "punto {draw} on {totals}{advised}"
        "el punto {draw} con {totals}{advised}"
    BancaDue "banca-due" { draw: Third, totals: AnyOf<u8>, by_chart: ByChart }
        "banca {draw} on {totals} when punto stands{by_chart}"
        "la banca {draw} con {totals} si el punto se planta{by_chart}"
    BancaDueAgainstCard "banca-due-against-card" { draw: Third, totals: AnyOf<u8>, third: Face }
        "banca {draw} on {totals} against punto's third card {third}"
        "la banca {draw} con {totals} frente a la tercera carta del punto, {third}"
    BancaDueAgainstPoints "banca-due-against-points" {
        draw: Third, totals: AnyOf<u8>, points: AnyOf<u8>, by_chart: ByChart
    }
        "banca {draw} on {totals} against a third card worth {points}{by_chart}"
        "la banca {draw} con {totals} frente a una tercera carta que vale {points}{by_chart}"
    Stood "stood" { hand: Side }
        "{hand} stood"
        "{hand} se plantó"
    ThirdFaceUp "third-face-up"
        "a third card, which is dealt face up"
        "una tercera carta, que se da descubierta"
    SaidNo "said-no" { hand: Side }
        "no card: {hand} said no"
        "ninguna carta: {hand} dijo «no»"
    SaidCarta "said-carta" { hand: Side }
        "a card: {hand} said carta"
        "una carta: {hand} dijo «carta»"
    TotalsDue "totals-due" { punto: AnyOf<u8>, banca: AnyOf<u8> }
        "punto {punto}, banca {banca}"
        "punto {punto}, banca {banca}"
    TotalsAnnounced "totals-announced" { punto: u8, banca: u8 }
        "punto {punto}, banca {banca}"
        "punto {punto}, banca {banca}"
    WinnerDue "winner-due" { winners: AnyOf<Winner> }
        "{winners}"
        "{winners}"
    WinnerAnnounced "winner-announced" { winner: Winner }
        "{winner}"
        "{winner}"
}

/// What a hand has to do about a third card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "the names are those of `baccarat::Draw`")]
pub enum Third {
    Draws,
    Stands,
    Optional,
    Unstated,
}

impl From<Draw> for Third {
    fn from(draw: Draw) -> Self {
        match draw {
            Draw::Draws => Self::Draws,
            Draw::Stands => Self::Stands,
            Draw::Optional => Self::Optional,
            Draw::Unstated => Self::Unstated,
        }
    }
}

impl Say for Third {
    const HOLDS: &'static str = "draw";

    fn say(&self, style: &Style<'_>, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Draws => style.language.of("draws", "pide carta"),
            Self::Stands => style.language.of("stands", "se planta"),
            Self::Optional => style.language.of("may draw or stand", "puede pedir o plantarse"),
            Self::Unstated => style.language.of("is not told what to do", "no tiene regla"),
        })
    }
}

macro_rules! said_where_so {
    ($($(#[$doc:meta])* $name:ident $english:literal $spanish:literal)+) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
            #[serde(transparent)]
            pub struct $name(pub bool);

            impl Say for $name {
                const HOLDS: &'static str = "boolean";

                fn say(&self, style: &Style<'_>, f: &mut Formatter<'_>) -> fmt::Result {
                    if self.0 { f.write_str(style.language.of($english, $spanish)) } else { Ok(()) }
                }
            }
        )+
    };
}
said_where_so! {
    /// Whether punto asked the croupier.
    Advised ", having asked the croupier" ", tras preguntar al crupier"
    /// Whether the chart binds banca.
    ByChart " by the chart" " según el cuadro"
}
