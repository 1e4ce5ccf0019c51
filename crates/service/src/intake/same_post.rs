//! Events of one post that stand under the same number: the same one twice, or two different ones.

use std::collections::{BTreeMap, BTreeSet};

use events::Line;

use super::MOST_VERSIONS;

/// What the events of a post before this one say of its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Before {
    /// This very event came before it.
    Same,
    /// Another one came before it, and not this one.
    Other,
    /// So many came before it that not all were compared.
    NotCompared,
    /// None of them has its number.
    Nothing,
}

/// The events of one post under numbers that several of them have.
#[derive(Debug)]
pub(crate) struct SamePost {
    repeated: BTreeSet<u64>,
    seen: BTreeMap<u64, Vec<Line>>,
}

impl SamePost {
    /// Looks which numbers several events have; in a post in order none has.
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

    /// How the next event stands to those before it.
    pub(crate) fn compare(&mut self, line: &Line) -> Before {
        if !self.repeated.contains(&line.sequence) {
            return Before::Nothing;
        }
        let seen = self.seen.entry(line.sequence).or_default();
        if seen.contains(line) {
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
