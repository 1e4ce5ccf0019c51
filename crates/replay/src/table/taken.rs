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
    events: u64,
    /// How many events of the table were judged before it.
    before: u64,
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
    /// Of all runs, one after the other.
    prints: VecDeque<Print>,
}

impl Taken {
    /// The next event judged, whose number is above all before it.
    pub(super) fn add(&mut self, entry: u64, sequence: u64, print: Print) {
        match self.runs.back_mut() {
            Some(run) if run.entry == entry && run.first + run.events == sequence => run.events += 1,
            newest => {
                let before = newest.map_or(0, |run| run.before + run.events);
                self.runs.push_back(Run { first: sequence, entry, events: 1, before });
            }
        }
        self.prints.push_back(print);
        self.forget_oldest();
    }

    /// An entry holds at most as many events as are compared, so the newest one is never forgotten.
    fn forget_oldest(&mut self) {
        while self.prints.len() > MAX_COMPARED {
            let oldest = self.runs.pop_front().map_or(self.prints.len(), |run| run.events as usize);
            self.prints.drain(..oldest.min(self.prints.len()));
        }
    }

    /// Compares an event with the one judged under its number.
    pub(super) fn compare(&self, sequence: u64, print: Print) -> Before {
        let after = self.runs.partition_point(|run| run.first <= sequence);
        let run = after.checked_sub(1).and_then(|at| self.runs.get(at));
        let (Some(oldest), Some(run)) =
            (self.runs.front(), run.filter(|run| sequence - run.first < run.events))
        else {
            return Before::NotAtHand;
        };
        match self.prints.get((run.before - oldest.before + sequence - run.first) as usize) {
            Some(before) if *before == print => Before::Same,
            Some(_) => Before::Another { entry: run.entry },
            None => Before::NotAtHand,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn print(event: u64) -> Print {
        Print::of(&event.to_be_bytes())
    }

    /// Entries of three events and of one in turn; a gap of ten numbers after every hundredth.
    fn taken(events: u64) -> (Taken, Vec<(u64, u64)>) {
        let (mut taken, mut added) = (Taken::default(), Vec::new());
        let mut sequence = 0;
        for event in 0..events {
            sequence += if event % 100 == 99 { 11 } else { 1 };
            let entry = event / 4 * 2 + u64::from(event % 4 == 3);
            taken.add(entry, sequence, print(sequence));
            added.push((sequence, entry));
        }
        (taken, added)
    }

    fn at_hand(taken: &Taken, added: &[(u64, u64)]) -> usize {
        let known = added.iter().filter(|(sequence, entry)| {
            let same = taken.compare(*sequence, print(*sequence));
            let other = taken.compare(*sequence, print(0));
            assert_eq!(same == Before::Same, other == Before::Another { entry: *entry }, "event {sequence}");
            same == Before::Same
        });
        let known: Vec<_> = known.collect();
        assert_eq!(known.last(), added.last().as_ref(), "the newest is always at hand");
        assert!(known.is_sorted() && known.len() <= added.len());
        known.len()
    }

    #[test]
    fn the_newest_events_are_at_hand() {
        for events in [1, 7, 4_096, 4_097, 20_000] {
            let (taken, added) = taken(events);
            let known = at_hand(&taken, &added);
            assert!(known <= MAX_COMPARED && known + 3 > MAX_COMPARED.min(events as usize), "{known}");
        }
    }

    #[test]
    fn what_stands_in_a_gap_or_beyond_the_ends_is_not_at_hand() {
        let (taken, added) = taken(300);
        let ends = added[0].0 - 1..=added.last().map_or(0, |last| last.0) + 5;
        for sequence in ends.filter(|sequence| added.iter().all(|(known, _)| known != sequence)) {
            assert_eq!(taken.compare(sequence, print(sequence)), Before::NotAtHand, "{sequence}");
        }
    }
}
