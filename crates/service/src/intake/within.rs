//! Events of one post that stand under the same number: the same one twice, or two different ones.

use std::collections::BTreeSet;

use events::Line;

/// What the events of a post before this one say of its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Before {
    /// This very event came before it.
    Same,
    /// Another one came before it, and not this one.
    Other,
    /// None of them has its number.
    Nothing,
}

/// The events of one post under numbers that several of them have.
#[derive(Debug)]
pub(crate) struct Within {
    repeated: BTreeSet<u64>,
    seen: Vec<Line>,
}

impl Within {
    /// Looks which numbers several events have; in a post in order none has.
    pub(crate) fn of<'a>(lines: impl Iterator<Item = &'a Line>) -> Self {
        let (mut last, mut sequences, mut in_order) = (None, Vec::new(), true);
        for line in lines {
            in_order &= last.is_none_or(|last| last < line.sequence);
            last = Some(line.sequence);
            sequences.push(line.sequence);
        }
        if in_order {
            return Self { repeated: BTreeSet::new(), seen: Vec::new() };
        }
        sequences.sort_unstable();
        let repeated = sequences.windows(2).filter(|two| two[0] == two[1]).map(|two| two[0]).collect();
        Self { repeated, seen: Vec::new() }
    }

    /// How the next event stands to those before it.
    pub(crate) fn standing(&mut self, line: &Line) -> Before {
        if !self.repeated.contains(&line.sequence) {
            return Before::Nothing;
        }
        let mut standing = Before::Nothing;
        for seen in self.seen.iter().filter(|seen| seen.sequence == line.sequence) {
            standing = if seen == line { Before::Same } else { Before::Other };
            if standing == Before::Same {
                break;
            }
        }
        if standing != Before::Same {
            self.seen.push(line.clone());
        }
        standing
    }
}
