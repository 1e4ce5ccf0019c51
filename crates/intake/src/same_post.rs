//! Compares the events of one post with each other: the same event twice, or two different events under one
//! number.

use std::collections::{BTreeMap, BTreeSet};

use events::Line;

use crate::known::MOST_VERSIONS;

/// How an event compares with the earlier events of its post.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Before {
    /// The same event came earlier in the post.
    Same,
    /// Another event with this number came earlier, and not this one.
    Other,
    /// Too many events with this number came earlier; not all were compared.
    NotCompared,
    /// No earlier event has this number.
    Nothing,
}

/// The events of one post whose numbers occur more than once.
#[derive(Debug)]
pub(crate) struct SamePost {
    repeated: BTreeSet<u64>,
    seen: BTreeMap<u64, Vec<Line>>,
}

impl SamePost {
    /// Finds the numbers that occur more than once; a post in order has none.
    pub(crate) fn of<'a>(lines: impl Iterator<Item = &'a Line>) -> Self {
        let (mut last, mut sequences, mut in_order) = (None, Vec::new(), true);
        for line in lines {
            in_order &= last.is_none_or(|last| last < line.sequence);
            last = Some(line.sequence);
            sequences.push(line.sequence);
        }
        let (mut repeated, seen) = (BTreeSet::new(), BTreeMap::new());
        if !in_order {
            sequences.sort_unstable();
            repeated.extend(sequences.windows(2).filter(|two| two[0] == two[1]).map(|two| two[0]));
        }
        Self { repeated, seen }
    }

    /// Compares the next event with the earlier ones.
    pub(crate) fn compare(&mut self, line: &Line) -> Before {
        if !self.repeated.contains(&line.sequence) {
            return Before::Nothing;
        }
        let seen = self.seen.entry(line.sequence).or_default();
        if seen.iter().any(|earlier| earlier.same_as(line)) {
            return Before::Same;
        }
        let before = match seen.len() {
            0 => Before::Nothing,
            MOST_VERSIONS.. => return Before::NotCompared,
            _ => Before::Other,
        };
        seen.push(line.clone());
        before
    }
}
