//! Late checks: what was played against the rules, from the records of a reading (`docs/decisions/0020-read-first-judge-second.md`).
//!
//! Each check is a pure function of a record, the rules and what came before it. It returns what it found, and knows
//! nothing of other checks. The judge in use does not ask them yet.

mod cards;

pub use cards::cards;

use crate::{Code, Reason};

/// Something that is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Found {
    /// Sequence of the event at which it shows, or of its correction.
    pub sequence: u64,
    /// What it is called.
    pub code: Code,
}

/// What a check finds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Checked {
    /// What is wrong for certain.
    pub found: Vec<Found>,
    /// Why it is not known whether all is right.
    pub open: Option<Reason>,
}

impl Checked {
    /// Nothing is found, and nothing is known to be right.
    const fn open(reason: Reason) -> Self {
        Self { found: Vec::new(), open: Some(reason) }
    }

    fn find(&mut self, code: Code, sequence: u64) {
        self.found.push(Found { sequence, code });
    }
}
