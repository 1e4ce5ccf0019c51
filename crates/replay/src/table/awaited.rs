//! Coups that were declared void after they were over, whose stakes have to be returned. A log may hold many of
//! them, so they are found by their numbers.

use std::collections::{BTreeMap, BTreeSet};

use events::CoupSettled;
use serde::{Deserialize, Serialize};

use crate::coup::CoupInPlay;
use crate::sink::Location;

/// A coup that was declared void after it was over.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Awaited {
    pub(super) play: Box<CoupInPlay>,
    /// What its settlement returned; `None` where it was given up behind a gap that may have held one, and counted.
    pub(super) settled: Option<CoupSettled>,
    /// Where it was declared void.
    pub(super) void: Location,
    /// Whether all that came back is known, and the game.
    pub(super) judged: bool,
}

/// All of them, in the order in which they were declared void or given up.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(from = "Vec<Awaited>", into = "Vec<Awaited>")]
pub(crate) struct AllAwaited {
    all: BTreeMap<u64, Awaited>,
    /// Their coup numbers, each with its key in `all`.
    by_number: BTreeSet<(u32, u64)>,
    next: u64,
}

impl From<Vec<Awaited>> for AllAwaited {
    fn from(list: Vec<Awaited>) -> Self {
        let mut all = Self::default();
        list.into_iter().for_each(|awaited| all.push(awaited));
        all
    }
}

impl From<AllAwaited> for Vec<Awaited> {
    fn from(all: AllAwaited) -> Self {
        all.all.into_values().collect()
    }
}

impl AllAwaited {
    pub(super) fn push(&mut self, awaited: Awaited) {
        self.by_number.insert((awaited.play.number, self.next));
        self.all.insert(self.next, awaited);
        self.next += 1;
    }

    /// The first of a number of which this holds.
    pub(super) fn find(&self, coup: u32, holds: impl Fn(&Awaited) -> bool) -> Option<&Awaited> {
        self.all.get(&self.find_index(coup, holds)?)
    }

    /// A coup that is awaited is violated.
    pub(super) fn violate(&mut self, coup: u32) {
        let first = self.find_index(coup, |_| true).and_then(|at| self.all.get_mut(&at));
        first.into_iter().for_each(|awaited| awaited.play.violated = true);
    }

    /// Takes the first of a number of which this holds.
    pub(super) fn take(&mut self, coup: u32, holds: impl Fn(&Awaited) -> bool) -> Option<Awaited> {
        self.remove(self.find_index(coup, holds)?)
    }

    /// Takes the first that was declared void before this sequence.
    pub(super) fn take_before(&mut self, sequence: u64) -> Option<Awaited> {
        let at = *self.all.iter().find(|(_, awaited)| awaited.void.sequence < sequence)?.0;
        self.remove(at)
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Awaited> {
        self.all.values_mut()
    }

    pub(super) fn take_all(&mut self) -> impl Iterator<Item = Awaited> + use<> {
        std::mem::take(self).all.into_values()
    }

    fn find_index(&self, coup: u32, holds: impl Fn(&Awaited) -> bool) -> Option<u64> {
        let mut of = self.by_number.range((coup, 0)..=(coup, u64::MAX)).map(|(_, at)| *at);
        of.find(|at| self.all.get(at).is_some_and(&holds))
    }

    fn remove(&mut self, at: u64) -> Option<Awaited> {
        let awaited = self.all.remove(&at)?;
        self.by_number.remove(&(awaited.play.number, at));
        Some(awaited)
    }
}
