//! How each type of field is written in a sentence: cards, hands, players.

use std::fmt::{self, Formatter};

use baccarat::{BetKind, Card, Consequence, Face, Side, Suit, Winner};
use events::{Holder, Name, OccurredAt};
use serde::{Deserialize, Serialize};

use super::{Style, Suits};

/// A value that stands in a sentence.
pub trait Say {
    /// What it is in JSON: a word that `docs/statements.md` explains.
    const HOLDS: &'static str;
    /// Whether it is a list.
    const LIST: bool = false;

    /// Writes it.
    ///
    /// # Errors
    /// Those of the formatter.
    fn say(&self, style: &Style<'_>, f: &mut Formatter<'_>) -> fmt::Result;
}

/// A value in a sentence of a style.
pub(super) struct Said<'a, T> {
    pub(super) value: &'a T,
    pub(super) style: &'a Style<'a>,
}

impl<T: Say> fmt::Display for Said<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.value.say(self.style, f)
    }
}

macro_rules! plain {
    ($holds:literal $($type:ty)+) => {
        $(impl Say for $type {
            const HOLDS: &'static str = $holds;

            fn say(&self, _: &Style<'_>, f: &mut Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        })+
    };
}
plain!("integer" u8 u16 u32 u64);
plain!("text" Box<str> Name);

impl Say for OccurredAt {
    const HOLDS: &'static str = "time";

    fn say(&self, style: &Style<'_>, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&style.language.time(&self.to_string()))
    }
}

/// `7H` or `7♥`. A card whose suit was not read is called by its rank alone, and one that was not read is called so.
impl Say for Face {
    const HOLDS: &'static str = "card";

    fn say(&self, style: &Style<'_>, f: &mut Formatter<'_>) -> fmt::Result {
        match (self, style.suits) {
            (Self::Unseen, _) => f.write_str(style.language.of("a card not read", "una carta no leída")),
            (Self::Seen(Card { rank, suit: None }), _) => write!(f, "{rank}"),
            (Self::Seen(card @ Card { suit: Some(_), .. }), Suits::Letters) => write!(f, "{card}"),
            (Self::Seen(Card { rank, suit: Some(suit) }), Suits::Symbols) => {
                write!(f, "{rank}{}", symbol(*suit))
            }
        }
    }
}

const fn symbol(suit: Suit) -> char {
    match suit {
        Suit::Clubs => '♣',
        Suit::Diamonds => '♦',
        Suit::Hearts => '♥',
        Suit::Spades => '♠',
    }
}

impl Say for Side {
    const HOLDS: &'static str = "hand";

    fn say(&self, style: &Style<'_>, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Punto => style.language.of("punto", "el punto"),
            Self::Banca => style.language.of("banca", "la banca"),
        })
    }
}

impl Say for Winner {
    const HOLDS: &'static str = "winner";

    fn say(&self, style: &Style<'_>, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Punto => "punto",
            Self::Banca => "banca",
            Self::Tie => style.language.of("tie", "empate"),
        })
    }
}

/// By the rulebook's name; a bet on a tie is one on *empate* in Spanish.
impl Say for BetKind {
    const HOLDS: &'static str = "text";

    fn say(&self, style: &Style<'_>, f: &mut Formatter<'_>) -> fmt::Result {
        match self.as_str() {
            "tie" => f.write_str(style.language.of("tie", "empate")),
            other => f.write_str(other),
        }
    }
}

impl Say for Holder {
    const HOLDS: &'static str = "holder";

    fn say(&self, style: &Style<'_>, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Croupier => f.write_str(style.language.of("the croupier", "el crupier")),
            Self::Seat(seat) => write!(f, "{} {seat}", style.language.of("seat", "el departamento")),
        }
    }
}

impl Say for Consequence {
    const HOLDS: &'static str = "consequence";

    fn say(&self, style: &Style<'_>, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(style.language.of(&self.to_string(), spanish(*self)))
    }
}

const fn spanish(consequence: Consequence) -> &'static str {
    match consequence {
        Consequence::CardRemoved => "retirar la carta",
        Consequence::CardStays => "mantener la carta en su lugar",
        Consequence::NextCoup => "jugar la carta como primera de la jugada siguiente",
        Consequence::CoupVoid => "anular la jugada",
        Consequence::Ruling => "lo que se resuelva",
        Consequence::BancaTakesCard => "dar la carta a la banca como tercera si el punto no pide",
        Consequence::BancaCountsZero => "contar como 0 las dos cartas de la banca y retirar la sobrante",
        Consequence::HigherCard => "dejar al punto, de las dos cartas, la que más le da",
        Consequence::LowerCard => "dejar a la banca, de las dos cartas, la que menos le da",
        Consequence::PuntoCountsNine => "contar 9 al punto",
        Consequence::BancaLoses => "dar la jugada por perdida para la banca",
        Consequence::PuntoLoses => "dar la jugada por perdida para el punto",
        Consequence::ChartBinds => "que la banca juegue según el cuadro",
        Consequence::ChartDraws => "que la banca juegue según el cuadro y pida donde pueda elegir",
    }
}

/// A player by the seat they sit at, or stand behind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Party {
    /// The seat.
    pub seat: u8,
    /// The name of a player who stands behind it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standing: Option<Name>,
}

/// In English.
impl fmt::Display for Party {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.say(&Style::default(), f)
    }
}

impl Say for Party {
    const HOLDS: &'static str = "party";

    fn say(&self, style: &Style<'_>, f: &mut Formatter<'_>) -> fmt::Result {
        let seat = self.seat;
        match &self.standing {
            Some(name) => {
                write!(f, "{name} {} {seat}", style.language.of("behind seat", "tras el departamento"))
            }
            None => write!(f, "{} {seat}", style.language.of("seat", "el departamento")),
        }
    }
}
