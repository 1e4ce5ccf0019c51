//! How the tables stand while their log is still written: for who follows it.

use std::collections::BTreeMap;
use std::ops::Bound;

use serde::Serialize;

use crate::judge::Judge;
use crate::{Code, Counts, Finding, Reason, ShoeLocation, TakenBack};

/// A finding, or one that is taken back, and the entry with which that showed: an event that was waited for may show what earlier
/// entries hold.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Found {
    /// Log index of the entry that had to be there for it.
    pub shown_by: u64,
    /// What is told.
    pub change: FindingChange,
}

/// Something that showed while the log was still written.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[allow(clippy::large_enum_variant, reason = "few are kept at once")]
pub enum FindingChange {
    /// This was found.
    Found(Finding),
    /// This was found before, and is not any longer: an event that came late, or a correction, explains it.
    TakenBack(TakenBack),
}

/// What one table came to so far.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TableState {
    /// The table.
    pub table: String,
    /// Events judged.
    pub events: u64,
    /// The sequence its next event has to have.
    pub next: u64,
    /// Events that wait because some before them are missing.
    pub waiting: u64,
    /// Events missing from its numbering, as far as they were given up.
    pub missing: u64,
    /// Its clock, as its newest judged event tells it.
    pub clock: Option<String>,
    /// Name of the rulebook in force.
    pub rulebook: Option<String>,
    /// The shoe in play.
    pub shoe: Option<String>,
    /// The coup in play.
    pub coup: Option<u32>,
    /// Coups over, by result.
    pub coups: Counts,
    /// Shoes over, by result.
    pub shoes: Counts,
    /// Undecided coups by reason.
    pub undecided: BTreeMap<Reason, u64>,
    /// How often each code was found.
    pub findings_by_code: BTreeMap<Code, u64>,
}

impl Judge {
    /// How the tables stand whose names come behind `table`, by name; no name comes before the empty one.
    pub fn table_states_after(&self, table: &str) -> impl Iterator<Item = TableState> {
        let behind = (Bound::Excluded(table), Bound::Unbounded);
        self.tables.range::<str, _>(behind).map(|(_, table)| table.state())
    }

    /// How often each code was found, at all tables.
    #[must_use]
    pub fn findings_by_code(&self) -> BTreeMap<Code, u64> {
        let mut by_code = BTreeMap::new();
        for (code, count) in self.tables.values().flat_map(|table| table.findings_by_code()) {
            *by_code.entry(code).or_default() += count;
        }
        by_code
    }

    /// How one table stands.
    #[must_use]
    pub fn table_state(&self, table: &str) -> Option<TableState> {
        self.tables.get(table).map(|table| table.state())
    }

    /// Where a table's newest shoes are, at most [`crate::MAX_SHOE_LOCATIONS`], oldest first.
    #[must_use]
    pub fn shoes(&self, table: &str) -> Vec<ShoeLocation> {
        self.tables
            .get(table)
            .map(|table| table.shoe_locations.shoes().cloned().collect())
            .unwrap_or_default()
    }
}
