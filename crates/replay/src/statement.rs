//! What a finding expected and what it found recorded, as values with a type.
//!
//! A [`Statement`] is made once, where the judge finds something wrong. It is written as a sentence in either language,
//! with sums in the table's currency, and it is an object in JSON, on which a program can compute. Every kind of
//! statement is one row of a table: its name in JSON, its fields, its English and its Spanish. A kind without one of the
//! texts does not compile.
//!
//! The tables are by what they speak of: cards, bets, the bank. This module knows no rule: it does not know why
//! something is wrong.

mod amounts;
mod bank;
mod bets;
mod cards;
mod counted;
mod decisions;
mod differs;
mod event_name;
mod lists;
mod payouts;
mod people;
mod record;
mod rows;
mod rulings;
mod said;
mod seats;
mod shoe;
mod table;
mod turn;

use std::cmp::Ordering;
use std::fmt;

use serde::de::Error as _;
use serde::ser::{Error as _, SerializeMap};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use crate::{Currency, Language};
use rows::{Fields, take};

pub use amounts::{Boxed, InBets, Span, Sum, WithCommission};
pub use bank::OfBank;
pub use bets::OfBets;
pub use cards::{Advised, ByChart, OfCards, Third};
pub use counted::{Abonos, Burned, Cards, Decks, Digits, Faces, Players, Refusals, Stakes};
pub use decisions::{Decision, Decisions};
pub use differs::Differs;
pub use event_name::EventName;
pub use lists::{All, AnyOf, AnySeat, Both};
pub use payouts::{NO_COMMISSION, OfPayouts};
pub use people::OfPeople;
pub use record::OfRecord;
pub use rows::{Field, Kind};
pub use rulings::OfRulings;
pub use said::Party;
pub use seats::OfSeats;
pub use shoe::OfShoe;
pub use table::{OfTable, Until};
pub use turn::OfTurn;

/// How a statement is written for a reader.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Style<'a> {
    /// The language.
    pub language: Language,
    /// The currency in which sums are written, `123.45 EUR`, or `123,45 EUR` in Spanish; without one they are minor
    /// units, `12345`.
    pub currency: Option<&'a Currency>,
    /// How suits are written.
    pub suits: Suits,
    /// Whether it is said in what two events differ. The texts in JSON do not say it: digests of findings are over them.
    pub differences: bool,
}

/// How the suit of a card is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Suits {
    /// As in JSON: `7H`.
    #[default]
    Letters,
    /// `7♥`.
    Symbols,
}

/// Declares the statements from the tables.
macro_rules! tables {
    ($($variant:ident $table:ident)+) => {
        /// What was expected, or what was recorded.
        ///
        /// Two statements with the same English are equal and have one position in an order, so that a finding that was
        /// stored as a text is the one that is judged anew.
        #[derive(Debug, Clone)]
        #[allow(missing_docs, reason = "each names the table that says it")]
        pub enum Statement {
            $($variant($table),)+
            /// A statement of another version of this program: its English, as that version wrote it. The judge makes
            /// none.
            Text(Box<str>),
        }

        impl Statement {
            /// Every kind that the judge makes, in the order of `docs/statements.md`.
            pub fn kinds() -> impl Iterator<Item = &'static Kind> {
                [$($table::KINDS),+].into_iter().flatten()
            }

            /// Its name in JSON.
            #[must_use]
            pub const fn kind(&self) -> &'static str {
                match self {
                    $(Self::$variant(said) => said.kind(),)+
                    Self::Text(_) => TEXT,
                }
            }

            fn fields(&self) -> Fields {
                match self {
                    $(Self::$variant(said) => said.fields(),)+
                    Self::Text(text) => vec![(TEXT, serde_json::to_value(text))],
                }
            }

            /// `None` where this version knows no such kind.
            fn read(kind: &str, mut fields: Map<String, Value>) -> serde_json::Result<Option<Self>> {
                $(
                    if let Some(said) = $table::read(kind, &mut fields)? {
                        return Ok(Some(Self::$variant(said)));
                    }
                )+
                let text = (kind == TEXT).then(|| take(&mut fields, TEXT)).transpose()?;
                Ok(text.map(Self::Text))
            }

            fn write(&self, style: &Style<'_>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Self::$variant(said) => said.write(style, f),)+
                    Self::Text(text) => f.write_str(text),
                }
            }
        }

        $(impl From<$table> for Statement {
            fn from(said: $table) -> Self {
                Self::$variant(said)
            }
        })+
    };
}

tables! {
    Shoe OfShoe
    Cards OfCards
    Bets OfBets
    Payouts OfPayouts
    Seats OfSeats
    Turn OfTurn
    Bank OfBank
    Rulings OfRulings
    Table OfTable
    Record OfRecord
    People OfPeople
}

/// The kind of [`Statement::Text`], and its field.
const TEXT: &str = "text";

impl Statement {
    /// A statement of which only the English is known.
    #[must_use]
    pub fn of_text(text: impl Into<Box<str>>) -> Self {
        Self::Text(text.into())
    }

    /// The log index of the entry that it names, where it names one.
    pub(crate) const fn entry_mut(&mut self) -> Option<&mut u64> {
        if let Self::Record(OfRecord::EventOfEntry { entry, .. } | OfRecord::AnotherInEntry { entry, .. }) =
            self
        {
            Some(entry)
        } else {
            None
        }
    }

    /// The statement in words.
    #[must_use]
    pub fn text(&self, style: Style<'_>) -> String {
        Styled { statement: self, style }.to_string()
    }
}

/// An object with the field `kind` first.
impl Serialize for Statement {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = self.fields();
        let mut object = serializer.serialize_map(Some(fields.len() + 1))?;
        object.serialize_entry("kind", self.kind())?;
        for (name, value) in fields {
            object.serialize_entry(name, &value.map_err(S::Error::custom)?)?;
        }
        object.end()
    }
}

impl<'de> Deserialize<'de> for Statement {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut fields = Map::deserialize(deserializer)?;
        let kind: String = take(&mut fields, "kind").map_err(D::Error::custom)?;
        let statement = Self::read(&kind, fields).map_err(D::Error::custom)?;
        statement.ok_or_else(|| D::Error::custom(format_args!("`{kind}` is no kind of statement")))
    }
}

/// In English, sums in minor units: the text in JSON.
impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(&Style::default(), f)
    }
}

struct Styled<'a> {
    statement: &'a Statement,
    style: Style<'a>,
}

impl fmt::Display for Styled<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.statement.write(&self.style, f)
    }
}

impl PartialEq for Statement {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Statement {}

impl PartialOrd for Statement {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Statement {
    fn cmp(&self, other: &Self) -> Ordering {
        self.to_string().cmp(&other.to_string())
    }
}
