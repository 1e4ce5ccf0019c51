//! The state of each table while the log is still being written, for the follower.

use std::collections::BTreeMap;
use std::ops::Bound;

use serde::Serialize;

use crate::judge::Judge;
use crate::{Code, Counts, Finding, Reason, ShoeLocation, TakenBack};

/// A finding or its withdrawal, with the entry that shows it. That may be a later entry than the one the finding
/// names: a late event may decide about earlier ones.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Found {
    /// Log index of the entry that shows it.
    pub shown_by: u64,
    /// What changed.
    pub change: FindingChange,
}

/// A change of the findings while the log is still being written.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[allow(clippy::large_enum_variant, reason = "few are kept at once")]
pub enum FindingChange {
    /// A new finding.
    Found(Finding),
    /// An earlier finding that a late event or a correction explains.
    TakenBack(TakenBack),
}

/// The state of one table so far.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct TableState {
    /// The table.
    pub table: String,
    /// Events judged.
    pub events: u64,
    /// The sequence that its next event must have.
    pub next: u64,
    /// Number of events that wait because earlier ones are missing.
    pub waiting: u64,
    /// Number of events missing from its numbering that are no longer waited for.
    pub missing: u64,
    /// Time of its newest judged event, by the table's clock.
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
    /// The states of the tables whose names come after `table`, ordered by name; pass the empty name to begin.
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

    /// The state of one table; `None` if the log has no such table.
    #[must_use]
    pub fn table_state(&self, table: &str) -> Option<TableState> {
        self.tables.get(table).map(|table| table.state())
    }

    /// The sequences of a table's newest shoes, at most [`crate::MAX_SHOE_LOCATIONS`], oldest first.
    #[must_use]
    pub fn shoes(&self, table: &str) -> Vec<ShoeLocation> {
        self.tables
            .get(table)
            .map(|table| table.shoe_locations.shoes().cloned().collect())
            .unwrap_or_default()
    }

    /// Sequences of a shoe's events that corrections in later shoes name: give them to a judge that has this shoe alone
    /// ([`Judge::corrected_later`]).
    #[must_use]
    pub fn corrected_after(&self, table: &str, shoe: &ShoeLocation) -> Vec<u64> {
        let record = self.tables.get(table).filter(|_| shoe.last.is_some());
        record
            .map(|table| table.corrected_later(shoe.first..=shoe.last.unwrap_or(shoe.first)))
            .unwrap_or_default()
    }
}
