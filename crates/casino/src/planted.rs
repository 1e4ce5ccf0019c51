//! The location of a planted fault, and the findings that the judge must make of it.

use events::{Name, TableId};

use crate::Fault;

/// The location of a planted fault, and the findings that the judge must make of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planted {
    /// The fault.
    pub fault: Fault,
    /// The table.
    pub table: TableId,
    /// The shoe, where it belongs to one.
    pub shoe: Option<Name>,
    /// The coup, where it belongs to one.
    pub coup: Option<u32>,
    /// Sequence of the event that shows it first.
    pub sequence: u64,
    /// Code of the finding it must lead to.
    pub finding: &'static str,
    /// How many findings of that code it must lead to: more than one where it is many at once.
    pub findings: u64,
    /// Codes of further findings that necessarily appear with it.
    pub also: &'static [&'static str],
    /// What each seat got beyond its due, in minor units, over all findings of that code. Seat 0 is the
    /// house.
    pub money: Vec<(u8, i64)>,
    /// The part of that money that missing events may explain: the judge is certain of the rest.
    pub explained: u64,
    /// Coups it makes violated.
    pub violated_coups: u64,
    /// Shoes it makes violated.
    pub violated_shoes: u64,
}

impl Planted {
    /// A fault that moves no money and violates nothing yet.
    pub(crate) fn new(
        fault: Fault,
        table: TableId,
        shoe: Option<Name>,
        coup: Option<u32>,
        sequence: u64,
    ) -> Self {
        Self {
            fault,
            table,
            shoe,
            coup,
            sequence,
            finding: fault.finding(),
            findings: 1,
            also: fault.also(),
            money: Vec::new(),
            explained: 0,
            violated_coups: 0,
            violated_shoes: 0,
        }
    }
}
