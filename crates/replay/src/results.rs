//! What a judgement shows of one table, made from what was read and what the checks found
//! (`docs/decisions/0020-read-first-judge-second.md`).
//!
//! Every result is a pure function of [`Evidence`], and has the form in which the judge in use gives it. The judge in use
//! does not ask for them yet.

mod attested;
mod commission;
mod coups;
mod course;
mod findings;
mod numbering;
mod ruled;
mod shoes;
mod summary;

pub use commission::commission;
pub use findings::findings;
pub use summary::summary;

use crate::Received;
use crate::checks::{Books, TableChecked};
use crate::reading::{OpenRange, Reading};

/// What results are made from.
#[derive(Clone, Copy)]
pub struct Evidence<'r, 'a> {
    /// The table's id.
    pub table: &'r str,
    /// Its events.
    pub range: &'r OpenRange<'a>,
    /// What was played.
    pub reading: &'r Reading<'a>,
    /// What is wrong.
    pub checked: &'r TableChecked,
    /// The rulebooks of its openings.
    pub books: &'r dyn Books,
    /// Log index of the entry that holds the event of a sequence.
    pub entry: &'r dyn Fn(u64) -> u64,
    /// When the log received the event of a sequence, and how.
    pub received: &'r dyn Fn(u64) -> Received,
}

impl Evidence<'_, '_> {
    /// The id of a shoe, by its place in the reading.
    fn shoe_id(&self, shoe: usize) -> Option<String> {
        Some(self.reading.shoes.get(shoe)?.loading?.value.shoe.to_string())
    }
}
