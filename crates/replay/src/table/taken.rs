//! What the newest events of a table were: tells an event that was recorded again from two that
//! contradict each other.
//!
//! Of each event 16 bytes are kept, the first half of the BLAKE3 of its canonical bytes: as hard to make
//! two events share as 2^64 attempts, and a repeat is never judged, only compared. Beyond
//! [`MAX_COMPARED`] events, some hours of a table, the oldest are forgotten.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

/// Newest events of a table that a repeat is compared with, at most.
pub const MAX_COMPARED: usize = 4_096;

/// What is kept of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Print(u128);

impl Print {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let mut half = [0; 16];
        half.copy_from_slice(&blake3::hash(bytes).as_bytes()[..16]);
        Self(u128::from_be_bytes(half))
    }
}

/// Consecutive events of one entry.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Run {
    first: u64,
    entry: u64,
    prints: Vec<Print>,
}

/// How an event stands to the one recorded before under its number, and in which entry that is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    /// It is the same,
    Same,
    /// another,
    Another { entry: u64 },
    /// or too far back, or withheld: nothing can be compared.
    NotAtHand,
}

/// The newest events judged of a table, in the order of its numbering.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Taken {
    runs: VecDeque<Run>,
    events: usize,
}

impl Taken {
    /// The next event judged, whose number is above all before it.
    pub(super) fn add(&mut self, entry: u64, sequence: u64, print: Print) {
        match self.runs.back_mut() {
            Some(run) if run.entry == entry && run.first + run.prints.len() as u64 == sequence => {
                run.prints.push(print);
            }
            Some(_) | None => self.runs.push_back(Run { first: sequence, entry, prints: vec![print] }),
        }
        self.events += 1;
        while self.events > MAX_COMPARED {
            self.forget_oldest();
        }
    }

    /// An entry holds at most as many events as are compared, so the newest one is never forgotten.
    fn forget_oldest(&mut self) {
        self.events -= self.runs.pop_front().map_or(self.events, |run| run.prints.len());
    }

    /// Compares an event with the one judged under its number.
    pub(super) fn compare(&self, sequence: u64, print: Print) -> Before {
        let after = self.runs.partition_point(|run| run.first <= sequence);
        let Some(run) = after.checked_sub(1).and_then(|at| self.runs.get(at)) else {
            return Before::NotAtHand;
        };
        let at = usize::try_from(sequence - run.first).unwrap_or(usize::MAX);
        match run.prints.get(at) {
            Some(before) if *before == print => Before::Same,
            Some(_) => Before::Another { entry: run.entry },
            None => Before::NotAtHand,
        }
    }
}
