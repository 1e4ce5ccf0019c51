//! Who recorded which entries of a table: a record that holds more than is kept was somebody's.

use serde::{Deserialize, Serialize};

use crate::statement::OfRecord;
use crate::{Code, Statement};

/// Times that another producer goes on with a record, as far as they are remembered: the newest.
const MOST_PRODUCERS: usize = 64;

/// The producers of a table's entries; as long as none is known they need no memory of their own.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Producers(Option<Box<Changes>>);

/// From which entry on which producer goes on.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Changes {
    list: Vec<(u64, Box<str>)>,
}

impl Producers {
    /// This entry comes next, and is this producer's; of none if its name is empty.
    pub(crate) fn note(&mut self, entry: u64, producer: &str) {
        let last = self.list().last().map_or("", |(_, last)| last);
        if *last == *producer {
            return;
        }
        let Changes { list } = &mut **self.0.get_or_insert_default();
        if list.len() >= MOST_PRODUCERS {
            list.remove(0);
        }
        list.reserve_exact(1);
        list.push((entry, producer.into()));
    }

    /// Whose an entry is, if that is known.
    pub(crate) fn of(&self, entry: u64) -> Option<&str> {
        let known = self.list().iter().rev().find(|(from, _)| *from <= entry);
        known.map(|(_, producer)| &**producer).filter(|producer| !producer.is_empty())
    }

    /// What a finding of this code in this entry says is recorded, if it is about who recorded it: more than is kept.
    pub(crate) fn said(&self, code: Code, entry: u64) -> Option<Statement> {
        let producer = self.of(entry).filter(|_| code == Code::MoreThanKept)?;
        Some(OfRecord::MoreThanKeptBy { producer: producer.into() }.into())
    }

    /// How many it remembers.
    pub(crate) fn len(&self) -> usize {
        self.list().len()
    }

    fn list(&self) -> &[(u64, Box<str>)] {
        self.0.as_deref().map_or(&[], |changes| &changes.list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_the_producers_that_went_on_last() {
        let mut producers = Producers::default();
        assert_eq!(producers.of(3), None);
        [(3, "pit-1"), (4, "pit-1"), (7, "pit-2"), (9, ""), (12, "pit-1")]
            .iter()
            .for_each(|(entry, producer)| producers.note(*entry, producer));
        let of = |entry| producers.of(entry);
        assert_eq!(
            [2, 3, 6, 7, 9, 11, 12].map(of),
            [None, Some("pit-1"), Some("pit-1"), Some("pit-2"), None, None, Some("pit-1")]
        );
    }

    /// Nobody is named for the entry of another.
    #[test]
    fn of_ever_more_changes_the_newest_are_remembered() {
        let mut producers = Producers::default();
        for entry in 0..1_000 {
            producers.note(entry, if entry % 2 == 0 { "pit-1" } else { "pit-2" });
        }
        assert_eq!(producers.len(), MOST_PRODUCERS);
        assert_eq!((producers.of(999), producers.of(998)), (Some("pit-2"), Some("pit-1")));
        assert_eq!(producers.of(999 - MOST_PRODUCERS as u64), None);
    }
}
