//! What is wrong with the recording, and what follows from it.

use std::collections::BTreeSet;

use super::explanation::Explanation;

/// Something is wrong with the recording, or it is not known whether with the recording or with the play.
///
/// All cheapest explanations of a stretch of the record were compared. What they share is one remark
/// for each event that was recorded wrongly.
/// Where they differ, one remark lists the alternatives, and nobody is accused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// Sequence of the event at which it shows.
    pub at: u64,
    /// The coups that it concerns.
    pub coups: Vec<u32>,
    /// What may have happened: one list if that is certain. In each list all of it happened.
    pub alternatives: Vec<Vec<Explanation>>,
    /// Only the reading makes remarks.
    _made: Made,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Made;

impl Remark {
    pub(super) fn new(alternatives: Vec<Vec<Explanation>>) -> Option<Self> {
        let all = || alternatives.iter().flatten();
        let at = all().map(Explanation::at).min()?;
        let coups: BTreeSet<u32> = all().map(Explanation::coup).filter(|coup| *coup > 0).collect();
        Some(Self { at, coups: coups.into_iter().collect(), alternatives, _made: Made })
    }

    /// Whether it is certain what was recorded wrongly.
    #[must_use]
    pub fn is_certain(&self) -> bool {
        self.alternatives.len() == 1
    }

    /// The sequences of all events that may have been recorded wrongly.
    pub fn events(&self) -> impl Iterator<Item = u64> {
        self.alternatives.iter().flatten().map(Explanation::at)
    }
}

/// What follows from a remark: it is no fault of its own. There is no other way to make one than from a remark, so nothing
/// can be excused without one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Consequence {
    /// Sequence of the event of the remark that it follows from.
    at: u64,
}

impl Consequence {
    /// It follows from this remark.
    #[must_use]
    pub const fn of(remark: &Remark) -> Self {
        Self { at: remark.at }
    }

    /// Sequence of the event of the remark.
    #[must_use]
    pub const fn at(self) -> u64 {
        self.at
    }
}
