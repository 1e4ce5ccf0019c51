//! The coups of the shoe that are over. A log may hold many of them, so they are found by their numbers.

use serde::{Deserialize, Serialize};

use crate::caps::Cap;
use crate::lookup::Lookup;
use crate::tally::Outcome;

/// A coup that is over: by its number another settlement, a void or a ruling may still name it.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Over {
    pub(super) number: u32,
    /// Sequence of its settlement; 0 where it was left without.
    pub(super) settled: u64,
    pub(super) voided: bool,
    /// Whether the next settlement of it gives its stakes back for a void that may be missing.
    #[serde(default)]
    pub(super) awaits_stakes: bool,
    pub(super) result: Option<Outcome>,
    /// Left unsettled behind a gap that may have held its settlement: the sequence behind it.
    pub(super) left_behind: Option<u64>,
    /// Left behind such a gap for another of its number, which may be of another shoe: the same.
    #[serde(default)]
    pub(super) left_for_another: Option<u64>,
    /// Left unsettled at the end of the shoe: its sequence, where no other shoe can have been played since.
    #[serde(default)]
    pub(super) left_at_end: Option<u64>,
    /// Events of another coup waited for it before that gap.
    #[serde(default)]
    pub(super) waited_for: bool,
    /// No card of it was recorded.
    #[serde(default)]
    pub(super) without_cards: bool,
    /// Sequences of its first card and of its last; 0 where it has none.
    #[serde(default)]
    pub(super) cards: (u64, u64),
}

impl Over {
    pub(super) const fn new(number: u32) -> Self {
        Self {
            number,
            settled: 0,
            voided: false,
            awaits_stakes: false,
            result: None,
            left_behind: None,
            left_for_another: None,
            left_at_end: None,
            waited_for: false,
            without_cards: false,
            cards: (0, 0),
        }
    }
}

/// Those of one shoe, in the order in which they were over.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(from = "Vec<Over>", into = "Vec<Over>")]
pub(crate) struct Overs {
    all: Vec<Over>,
    /// By their numbers.
    index: Lookup,
    /// Those that were left at the end of the shoe.
    left_at_end: Vec<usize>,
    /// Sequence of the last settlement.
    settled: u64,
}

impl From<Vec<Over>> for Overs {
    fn from(all: Vec<Over>) -> Self {
        let mut overs = Self::default();
        all.into_iter().for_each(|over| overs.push(over));
        overs
    }
}

impl From<Overs> for Vec<Over> {
    fn from(overs: Overs) -> Self {
        overs.all
    }
}

impl Overs {
    /// Frees spare capacity.
    pub(super) fn rest(&mut self) {
        self.all.shrink_to_fit();
    }

    fn push(&mut self, over: Over) {
        self.left_at_end.extend(over.left_at_end.map(|_| self.all.len()));
        self.settled = self.settled.max(over.settled);
        self.all.push(over);
        self.index.see(&self.all, |over| u64::from(over.number));
    }

    /// One more is over. False if there were as many as are kept: those before it are forgotten.
    pub(super) fn add(&mut self, over: Over) -> bool {
        let kept = self.all.len() < Cap::CoupsOfShoe.most();
        if !kept {
            *self = Self { settled: self.settled, ..Self::default() };
        }
        self.push(over);
        kept
    }

    /// Forgets those that were settled.
    pub(super) fn forget_settled(&mut self) {
        self.all.retain(|over| over.settled == 0);
        *self = std::mem::take(&mut self.all).into();
    }

    /// The one that was over last.
    pub(super) fn last(&self) -> Option<&Over> {
        self.all.last()
    }

    /// Those of a number.
    pub(super) fn of(&self, number: u32) -> impl DoubleEndedIterator<Item = &Over> {
        self.index.of(u64::from(number)).map(|at| &self.all[at])
    }

    /// The last of a number.
    pub(super) fn last_of(&self, number: u32) -> Option<&Over> {
        self.of(number).next_back()
    }

    pub(super) fn last_of_mut(&mut self, number: u32) -> Option<&mut Over> {
        let at = self.index.of(u64::from(number)).next_back()?;
        Some(&mut self.all[at])
    }

    /// The one with this settlement is declared void.
    pub(super) fn void(&mut self, number: u32, settled: u64) {
        for at in self.index.of(u64::from(number)) {
            self.all[at].voided |= self.all[at].settled == settled;
        }
    }

    /// The number of the last that was left unsettled at the end of the shoe.
    pub(super) fn left_at_end(&self) -> Option<u32> {
        self.left_at_end.last().map(|at| self.all[*at].number)
    }

    /// It is not said any more that this was left there.
    pub(super) fn take_left_at_end(&mut self) {
        self.left_at_end.pop().into_iter().for_each(|at| self.all[at].left_at_end = None);
    }

    /// A coup is left unsettled at the end of the shoe.
    pub(super) fn leave_at_end(&mut self, number: u32, end: u64) {
        let last = self.index.of(u64::from(number)).next_back();
        match last.filter(|at| self.all[*at].settled == 0) {
            Some(at) => {
                self.all[at].left_at_end = Some(end);
                self.left_at_end.push(at);
            }
            // Another of its number was settled before.
            None => self.push(Over { left_at_end: Some(end), ..Over::new(number) }),
        }
    }

    /// The first that was dealt after this sequence; coups are over in the order in which they were dealt.
    pub(super) fn dealt_after(&self, sequence: u64) -> Option<u32> {
        let at = self.all.partition_point(|over| over.cards.0.max(over.settled) <= sequence);
        self.all.get(at).map(|over| over.number)
    }

    /// Whether one was settled behind this sequence.
    pub(super) const fn any_settled_behind(&self, sequence: u64) -> bool {
        self.settled > sequence
    }
}
