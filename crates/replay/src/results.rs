//! The last stage: what a judgement shows of one table, made from what was read and what the checks found.
//!
//! Every result is a pure function of [`Evidence`]. A record that is read part by part has evidence of each part, and
//! [`Results`] are what its parts come to together.

mod account;
mod attested;
mod begun;
mod commission;
mod corrected;
mod coups;
mod course;
mod findings;
mod ledger;
mod numbering;
mod out_of_reach;
mod part;
mod places;
mod ruled;
mod rulings;
mod shoes;
mod since;
mod summary;
mod together;
mod views;

pub(crate) use begun::Begun;
pub use corrected::as_first_recorded;
pub(crate) use places::Standing;
pub use places::{shoe_locations, state};
pub use together::Together;

use crate::Received;
use crate::checks::{Books, InForce, TableChecked};
use crate::producers::Producers;
use crate::reading::{OpenRange, Reading};

/// What the parts of a record come to together.
pub trait Results: Clone {
    /// What no part after those that were taken comes to: nothing is counted yet. The settings are the same.
    #[must_use]
    fn anew(&self) -> Self;
    /// Takes what was read and checked of the next part.
    fn take(&mut self, part: &Evidence<'_, '_>);
}

/// What results are made from: a part of a table's record, or all of it.
#[derive(Clone, Copy)]
pub struct Evidence<'r, 'a> {
    /// The table's id.
    pub table: &'r str,
    /// What is in force before the part.
    pub before: &'r InForce,
    /// Its events.
    pub range: &'r OpenRange<'a>,
    /// Whether the record ends with it.
    pub ends: bool,
    /// What was played.
    pub reading: &'r Reading<'a>,
    /// What is wrong.
    pub checked: &'r TableChecked,
    /// The rulebooks of its openings.
    pub books: &'r dyn Books,
    /// Who recorded which entries.
    pub producers: &'r Producers,
    /// Log index of the entry that holds the event of a sequence.
    pub entry: &'r dyn Fn(u64) -> u64,
    /// When the log received the event of a sequence, and how.
    pub received: &'r dyn Fn(u64) -> Received,
    /// The same as it was first recorded ([`as_first_recorded`]), if observations were corrected.
    pub first: Option<&'r Evidence<'r, 'a>>,
}
