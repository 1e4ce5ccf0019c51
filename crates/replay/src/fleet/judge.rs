//! One judge over a chain of logs: the entries of each up to where it was handed over, one log behind the other.

use std::collections::BTreeSet;

use super::chains::{Chain, Part};
use super::sealed_twice::SealedTwice;
use crate::continuing::Begun;
use crate::{Entry, Footprint, Judge, Judgement};

/// Judges a chain, log by log.
#[derive(Debug)]
pub struct FleetJudge {
    judge: Judge,
    twice: SealedTwice,
    places: Places,
    /// Which part of the chain is read, once one is.
    part: Option<usize>,
    /// Tables that were seen, where the chain has no beginning: what comes first of each is not its first event.
    begun: Option<Begun>,
}

/// Where the entries of a chain stand in its logs. The judge numbers them one behind the other.
#[derive(Debug, Clone)]
pub(super) struct Places {
    parts: Vec<Part>,
}

impl Places {
    /// The part, and the log index there, of an entry of the chain.
    pub(super) fn of(&self, entry: u64) -> (usize, u64) {
        let (mut number, mut rest) = (0, entry);
        while let Some(part) = self.parts.get(number)
            && rest >= part.until
            && number + 1 < self.parts.len()
        {
            rest -= part.until;
            number += 1;
        }
        (number, rest)
    }

    /// Entries of the chain before a part.
    fn before(&self, part: usize) -> u64 {
        self.parts.iter().take(part).map(|part| part.until).fold(0, u64::saturating_add)
    }
}

/// What a chain came to.
#[derive(Debug)]
pub(super) struct Judged {
    pub(super) judgement: Judgement,
    pub(super) twice: SealedTwice,
    pub(super) places: Places,
}

impl FleetJudge {
    /// A judge of this chain that accepts only rulebooks with these digests (`None`: any).
    #[must_use]
    pub fn new(approved: Option<BTreeSet<String>>, chain: &Chain) -> Self {
        Self {
            judge: Judge::new(approved, None),
            twice: SealedTwice::default(),
            places: Places { parts: chain.parts.clone() },
            part: None,
            begun: (!chain.has_beginning).then(Begun::default),
        }
    }

    /// The next log of the chain is read from here on.
    pub fn next_log(&mut self) {
        self.part = Some(self.part.map_or(0, |part| part + 1));
    }

    /// Judges the next entries of the log that is read, in log order.
    pub fn judge(&mut self, entries: &[Entry<'_>]) {
        let part = self.part.unwrap_or(0);
        let until = self.places.parts.get(part).map_or(0, |part| part.until);
        let before = self.places.before(part);
        let mut history = Vec::with_capacity(entries.len());
        for entry in entries {
            if entry.index >= until {
                self.twice.behind(part, entry);
                continue;
            }
            self.twice.history(part, entry);
            let entry = Entry { index: before.saturating_add(entry.index), ..*entry };
            history.push(match &mut self.begun {
                Some(begun) => begun.next(entry),
                None => entry,
            });
        }
        self.judge.judge(&history);
    }

    /// What it holds in memory.
    #[must_use]
    pub fn footprint(&self) -> Footprint {
        self.judge.footprint()
    }

    pub(super) fn finish(self) -> Judged {
        Judged { judgement: self.judge.finish(), twice: self.twice, places: self.places }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_of_a_chain_stand_in_its_logs() {
        let part = |log, until| Part { log, until };
        let places = Places { parts: vec![part(4, 10), part(2, 0), part(3, 5)] };
        let of = [0, 9, 10, 14, 15].map(|entry| places.of(entry));
        assert_eq!(of, [(0, 0), (0, 9), (2, 0), (2, 4), (2, 5)]);
        assert_eq!([0, 1, 2].map(|part| places.before(part)), [0, 10, 10]);
    }
}
