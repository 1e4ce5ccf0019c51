//! A finding: one irregularity with the event that shows it first, what was expected, what was recorded, the
//! rule it breaks and the money it moved.

use std::borrow::Cow;

use baccarat::{Clause, Rulebook};
use events::TableOpened;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Code, Severity, Statement};

/// Money that went the wrong way at one seat, in minor units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SeatMoney {
    /// The seat.
    pub seat: u8,
    /// What the seat got beyond what was due; negative where it got less.
    pub minor_units: i64,
    /// Whether that much is certain and it may be more: what was due may be one of several sums. Left out where it is exact.
    #[serde(default, skip_serializing_if = "is_exact")]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub at_least: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it so")]
pub(crate) const fn is_exact(at_least: &bool) -> bool {
    !*at_least
}

impl SeatMoney {
    /// So much, and no more.
    #[must_use]
    pub const fn exactly(seat: u8, minor_units: i64) -> Self {
        Self { seat, minor_units, at_least: false }
    }

    /// So much, or more.
    #[must_use]
    pub const fn at_least(seat: u8, minor_units: i64) -> Self {
        Self { seat, minor_units, at_least: true }
    }
}

/// The clause a finding breaks.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RuleReference {
    /// Rulebook in force, empty where the table had none.
    pub rulebook: String,
    /// The clause, as the rulebook file names it.
    pub clause: String,
    /// The texts the clause follows: source and passage.
    pub citations: Vec<String>,
}

impl RuleReference {
    /// A clause of the rulebook in force, if one is; no clause: the record contradicts itself.
    pub(crate) fn of(clause: Option<&Clause>, rules: Option<&Rulebook>) -> Self {
        let path = clause.map_or_else(|| "record".to_owned(), Clause::path);
        let Some((clause, rules)) = clause.zip(rules) else {
            return Self { rulebook: String::new(), clause: path, citations: Vec::new() };
        };
        let mut citations: Vec<String> = Vec::new();
        for (_, citation) in rules.citations_of(clause) {
            if !citations.contains(&citation.source) {
                citations.push(citation.source.clone());
            }
        }
        Self { rulebook: rules.id.clone(), clause: path, citations }
    }
}

/// A table's currency.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Currency {
    /// ISO 4217 code.
    pub code: String,
    /// Decimal digits of the minor unit: 2 where a unit is a hundredth.
    pub minor_digits: u8,
}

impl Currency {
    /// That of a table that was opened so.
    #[must_use]
    pub(crate) fn of(opened: &TableOpened) -> Self {
        Self { code: opened.currency.to_string(), minor_digits: opened.minor_digits }
    }
}

/// The finding another one follows from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Cause {
    /// Log index of the entry that shows it first.
    pub entry: u64,
    /// Sequence of the event that shows it first.
    pub sequence: u64,
    /// Its code.
    pub code: Code,
}

/// One irregularity.
///
/// In JSON `expected` and `recorded` are English texts with sums in minor units, as they always were; `expected_value`
/// and `recorded_value` are the same as objects (`docs/statements.md`).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
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
    pub expected: Statement,
    /// What the record says.
    pub recorded: Statement,
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
    pub cause: Option<Cause>,
}

impl Finding {
    /// What it moved in all, in minor units, whichever way.
    #[must_use]
    pub fn moved(&self) -> u128 {
        self.money.iter().map(|moved| u128::from(moved.minor_units.unsigned_abs())).sum()
    }

    /// Its table, and itself as the cause that others there may follow from; none where it follows from another
    /// itself.
    #[must_use]
    pub fn as_cause(&self) -> Option<(&str, Cause)> {
        let Self { entry, sequence, code, .. } = *self;
        self.cause.is_none().then_some((self.table.as_str(), Cause { entry, sequence, code }))
    }

    /// Whether that one is what it follows from.
    #[must_use]
    pub fn follows_from(&self, root: &Self) -> bool {
        let Self { entry, sequence, code, .. } = *root;
        self.table == root.table && self.cause == Some(Cause { entry, sequence, code })
    }
}

/// One irregularity.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = Finding))]
pub(crate) struct Written<'a> {
    /// Log index of the entry that shows it first.
    entry: u64,
    /// The table.
    table: &'a str,
    /// Sequence of the event that shows it first, in the table's numbering.
    sequence: u64,
    /// Stable code.
    code: Code,
    /// Weight.
    severity: Severity,
    /// The shoe, once one was loaded.
    shoe: Option<&'a str>,
    /// The coup within the shoe, where it belongs to one.
    coup: Option<u32>,
    /// What the rule asks for, in English, with sums in minor units.
    expected: String,
    /// What the record says, in English, with sums in minor units.
    recorded: String,
    /// `expected` as an object on which a program can compute (docs/statements.md).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::schema::StatementObject>, nullable = false))]
    expected_value: Option<&'a Statement>,
    /// `recorded` as such an object.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::schema::StatementObject>, nullable = false))]
    recorded_value: Option<&'a Statement>,
    /// The clause it breaks.
    rule: &'a RuleReference,
    /// Money per seat, in seat order; empty where no money moved.
    money: Cow<'a, [SeatMoney]>,
    /// The table's currency, once it was opened.
    currency: Option<&'a Currency>,
    /// What happened, in English.
    sentence: &'a str,
    /// What happened, in Spanish.
    frase: &'a str,
    /// The finding it follows from: it is printed below that one and counted separately.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    cause: Option<Cause>,
}

impl Finding {
    fn written(&self, with_values: bool) -> Written<'_> {
        let value = |statement| Some(statement).filter(|_| with_values);
        Written {
            entry: self.entry,
            table: &self.table,
            sequence: self.sequence,
            code: self.code,
            severity: self.severity,
            shoe: self.shoe.as_deref(),
            coup: self.coup,
            expected: self.expected.to_string(),
            recorded: self.recorded.to_string(),
            expected_value: value(&self.expected),
            recorded_value: value(&self.recorded),
            rule: &self.rule,
            money: Cow::Borrowed(&self.money),
            currency: self.currency.as_ref(),
            sentence: self.sentence,
            frase: self.frase,
            cause: self.cause,
        }
    }
}

impl Serialize for Finding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.written(true).serialize(serializer)
    }
}

/// A finding as certificates digest it: its texts without the values behind them. Its form never changes.
pub(crate) struct Digested<'a>(pub(crate) &'a Finding);

impl Serialize for Digested<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let exactly = |of: &SeatMoney| SeatMoney::exactly(of.seat, of.minor_units);
        let money = self.0.money.iter().map(exactly).collect();
        Written { money, ..self.0.written(false) }.serialize(serializer)
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
    #[serde(default)]
    expected_value: Option<Value>,
    #[serde(default)]
    recorded_value: Option<Value>,
    rule: RuleReference,
    money: Vec<SeatMoney>,
    currency: Option<Currency>,
    #[serde(default)]
    cause: Option<Cause>,
}

/// A statement, or one of a kind that this version does not know.
#[derive(Deserialize)]
#[serde(untagged)]
enum Value {
    Known(Statement),
    #[allow(dead_code, reason = "only its text can be shown")]
    Unknown(IgnoredAny),
}

/// The text is what was found; the value is taken where it says the same.
fn statement(text: String, value: Option<Value>) -> Statement {
    match value {
        Some(Value::Known(statement)) if statement.to_string() == text => statement,
        Some(Value::Known(_) | Value::Unknown(_)) | None => Statement::of_text(text),
    }
}

impl<'de> Deserialize<'de> for Finding {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = Read::deserialize(deserializer)?;
        let code = read.code;
        Ok(Self {
            entry: read.entry,
            table: read.table,
            sequence: read.sequence,
            code,
            severity: code.severity(),
            shoe: read.shoe,
            coup: read.coup,
            expected: statement(read.expected, read.expected_value),
            recorded: statement(read.recorded, read.recorded_value),
            rule: read.rule,
            money: read.money,
            currency: read.currency,
            sentence: code.english(),
            frase: code.spanish(),
            cause: read.cause,
        })
    }
}
