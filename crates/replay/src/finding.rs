//! A finding: one irregularity with the event that shows it first, what was expected, what was recorded, the
//! rule it breaks and the money it moved.

use serde::{Deserialize, Deserializer, Serialize};

use crate::{Code, Severity};

/// Money that went the wrong way at one seat, in minor units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SeatMoney {
    /// The seat.
    pub seat: u8,
    /// What the seat got beyond what was due; negative where it got less.
    pub minor_units: i64,
}

/// The clause a finding breaks.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RuleReference {
    /// Rulebook in force, empty where the table had none.
    pub rulebook: String,
    /// The clause, as the rulebook file names it.
    pub clause: String,
    /// The texts the clause follows: source and passage.
    pub citations: Vec<String>,
}

/// A table's currency.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Currency {
    /// ISO 4217 code.
    pub code: String,
    /// Decimal digits of the minor unit: 2 where a unit is a hundredth.
    pub minor_digits: u8,
}

/// The finding another one follows from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Cause {
    /// Log index of the entry that shows it first.
    pub entry: u64,
    /// Sequence of the event that shows it first.
    pub sequence: u64,
    /// Its code.
    pub code: Code,
}

/// One irregularity.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Finding {
    /// Log index of the entry that shows it first.
    pub entry: u64,
    /// The table.
    pub table: String,
    /// Sequence of the event that shows it first, in the table's numbering.
    pub sequence: u64,
    /// Stable code.
    pub code: Code,
    /// Weight.
    pub severity: Severity,
    /// The shoe, once one was loaded.
    pub shoe: Option<String>,
    /// The coup within the shoe, where it belongs to one.
    pub coup: Option<u32>,
    /// What the rule asks for.
    pub expected: String,
    /// What the record says.
    pub recorded: String,
    /// The clause it breaks.
    pub rule: RuleReference,
    /// Money per seat, in seat order; empty where no money moved.
    pub money: Vec<SeatMoney>,
    /// The table's currency, once it was opened.
    pub currency: Option<Currency>,
    /// What happened, in English.
    pub sentence: &'static str,
    /// What happened, in Spanish.
    pub frase: &'static str,
    /// The finding it follows from: it is printed below that one and counted separately.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
}

impl Finding {
    /// What it moved in all, in minor units, whichever way.
    #[must_use]
    pub fn moved(&self) -> u128 {
        self.money.iter().map(|moved| u128::from(moved.minor_units.unsigned_abs())).sum()
    }

    /// Whether that one is what it follows from.
    #[must_use]
    pub fn follows_from(&self, root: &Self) -> bool {
        let Self { entry, sequence, code, .. } = *root;
        self.table == root.table && self.cause == Some(Cause { entry, sequence, code })
    }
}

/// A finding as it is read from JSON: its sentences and its severity come from its code.
#[derive(Deserialize)]
struct Read {
    entry: u64,
    table: String,
    sequence: u64,
    code: Code,
    shoe: Option<String>,
    coup: Option<u32>,
    expected: String,
    recorded: String,
    rule: RuleReference,
    money: Vec<SeatMoney>,
    currency: Option<Currency>,
    #[serde(default)]
    cause: Option<Cause>,
}

impl<'de> Deserialize<'de> for Finding {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Read {
            entry,
            table,
            sequence,
            code,
            shoe,
            coup,
            expected,
            recorded,
            rule,
            money,
            currency,
            cause,
        } = Read::deserialize(deserializer)?;
        let (severity, sentence, frase) = (code.severity(), code.english(), code.spanish());
        Ok(Self {
            entry,
            table,
            sequence,
            code,
            severity,
            shoe,
            coup,
            expected,
            recorded,
            rule,
            money,
            currency,
            sentence,
            frase,
            cause,
        })
    }
}
