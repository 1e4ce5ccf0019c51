//! What is true of a table before a moment of its record.

use std::collections::VecDeque;
use std::sync::Arc;

use events::{Body, Event, Limits, OccurredAt, TableOpened};
use serde::{Deserialize, Serialize};

use super::gaps::Gaps;
use super::index::Index;
use super::moments::{Moment, What};
use super::paytables::Paytables;
use crate::RulebookUsed;
use crate::reading::{CoupRecord, Item, OpenRange, Reading};

/// The rulebook of an opening.
#[derive(Debug, Clone, Copy)]
pub enum Book<'r> {
    /// It is approved and can be read.
    Known(&'r Paytables),
    /// Whoever asks has not approved it.
    NotApproved,
    /// It cannot be read.
    NotReadable,
}

impl<'r> Book<'r> {
    /// The rulebook, if it is approved and can be read.
    pub(super) const fn known(self) -> Option<&'r Paytables> {
        match self {
            Self::Known(tables) => Some(tables),
            Self::NotApproved | Self::NotReadable => None,
        }
    }
}

/// By which rulebooks a record is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JudgedBy {
    /// By those of its openings.
    ItsOwn,
    /// By those of its openings that the reader has approved.
    Approved,
    /// By another one that the reader asked for.
    Another,
}

/// The rulebook of each opening, or another one that the reader asked for.
pub trait Books {
    /// The rulebook under which this opening plays.
    fn of(&self, opened: &TableOpened) -> Book<'_>;
    /// By which rulebooks the reader asks.
    fn judged_by(&self) -> JudgedBy;
    /// The digest of the built-in rulebook of this id.
    fn built_in(&self, id: &str) -> Option<String>;
    /// How a summary names the rulebook of an opening, if that is worked out already.
    fn used(&self, _opened: &TableOpened) -> Option<Arc<RulebookUsed>> {
        None
    }
}

/// Which opening and limits are in force.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Standing {
    /// The last opening, in force or not.
    pub(super) last_opened: Option<Arc<TableOpened>>,
    /// Whether it is in force: until the table closes.
    is_open: bool,
    /// The limits in force.
    limits: Option<Arc<Limits>>,
    /// Whether events are missing among which the table may have been opened or closed since that was recorded.
    is_missed: bool,
}

impl Standing {
    /// The opening in force, until the table closes.
    pub(super) fn opened(&self) -> Option<&Arc<TableOpened>> {
        self.last_opened.as_ref().filter(|_| self.is_open)
    }
}

/// The same as is kept, if it is that; otherwise a copy of it.
pub(super) fn keep<T: Clone>(kept: &[&Option<Arc<T>>], now: Option<&T>) -> Option<Arc<T>> {
    let now = now?;
    let same = kept.iter().filter_map(|kept| kept.as_ref()).find(|kept| std::ptr::eq(Arc::as_ptr(kept), now));
    Some(same.map_or_else(|| Arc::new(now.clone()), Arc::clone))
}

/// What is true before a moment.
#[derive(Clone)]
pub(super) struct Before<'r> {
    pub(super) books: &'r dyn Books,
    range: &'r OpenRange<'r>,
    /// Where things lie in its shoes.
    shoes: &'r [Index<'r>],
    /// Sequence of its first event.
    first: u64,
    /// What is missing from the range, also after this moment.
    pub(super) gaps: Gaps,
    /// The opening in force, until the table closes.
    pub(super) opened: Option<&'r TableOpened>,
    /// The last opening, in force or not.
    pub(super) last_opened: Option<&'r TableOpened>,
    /// Its rulebook.
    pub(super) book: Option<Book<'r>>,
    /// The limits in force.
    pub(super) limits: Option<&'r Limits>,
    /// Whether events are missing among which the table may have been opened or closed since that was recorded.
    pub(super) is_missed: bool,
    /// Coups that began and are not settled, by the place of the shoe and of the coup, in that order; the first is in play.
    begun: VecDeque<(usize, usize)>,
    /// The coup of the last event that was of one.
    last: Option<(usize, usize)>,
}

impl<'r> Before<'r> {
    /// Before a range.
    pub(super) fn of(
        standing: &'r Standing,
        books: &'r dyn Books,
        (reading, range): (&Reading<'_>, &'r OpenRange<'r>),
        shoes: &'r [Index<'r>],
    ) -> Self {
        let opened = standing.opened().map(Arc::as_ref);
        Self {
            books,
            range,
            shoes,
            first: range.items().first().map_or(0, Item::first),
            gaps: Gaps::of(reading),
            opened,
            last_opened: standing.last_opened.as_deref(),
            book: opened.map(|opened| books.of(opened)),
            limits: standing.limits.as_deref(),
            is_missed: standing.is_missed,
            begun: VecDeque::new(),
            last: None,
        }
    }

    /// What is true after the range that began so.
    pub(super) fn standing(&self, began: &Standing) -> Standing {
        Standing {
            last_opened: keep(&[&began.last_opened], self.last_opened),
            is_open: self.opened.is_some(),
            limits: keep(&[&began.limits], self.limits),
            is_missed: self.is_missed,
        }
    }

    /// The rulebook in force, if it is known.
    pub(super) const fn rules(&self) -> Option<&'r Paytables> {
        match self.book {
            Some(book) => book.known(),
            None => None,
        }
    }

    /// Where things lie in a shoe, by its place in the reading.
    pub(super) fn index(&self, shoe: usize) -> Option<&'r Index<'r>> {
        self.shoes.get(shoe)
    }

    /// Whether the settlement of a coup was lost for certain.
    pub(super) fn is_settlement_lost(&self, (shoe, at): (usize, usize)) -> bool {
        let index = self.index(shoe);
        let coup = index.and_then(|index| index.shoe.coups.get(at));
        index.zip(coup).is_some_and(|(index, coup)| index.is_settlement_lost(coup.number))
    }

    /// The event of a sequence, as it was first recorded.
    pub(super) fn event(&self, sequence: u64) -> Option<&'r Event> {
        let items = self.range.items();
        // If nothing is missing before it, its sequence says its place.
        let direct = usize::try_from(sequence.checked_sub(self.first)?).ok()?;
        match items.get(direct) {
            Some(Item::Event(at, event)) if *at == sequence => Some(event),
            _ => match items.get(items.binary_search_by_key(&sequence, Item::first).ok()?)? {
                Item::Event(_, event) => Some(event),
                Item::Hole(_) => None,
            },
        }
    }

    /// What an event says, as a correction has it if one counts.
    #[allow(clippy::wildcard_enum_match_arm, reason = "every other event says what it says")]
    pub(super) fn said(&self, sequence: u64, corrected_by: Option<u64>) -> Option<&'r Body> {
        match &self.event(corrected_by.unwrap_or(sequence))?.body {
            Body::CorrectionRecorded(correction) if corrected_by.is_some() => Some(&correction.corrected),
            body => Some(body),
        }
    }

    /// When it happened by its own time.
    pub(super) fn time(&self, sequence: u64) -> Option<OccurredAt> {
        self.event(sequence).map(|event| event.occurred_at)
    }

    /// The coup in play, or the one that the last event was of, if the coup in play is not settled yet.
    pub(super) fn in_play<'a>(&self, reading: &'r Reading<'a>) -> Option<&'r CoupRecord<'a>> {
        let (shoe, at) = self.place_in_play()?;
        reading.shoes.get(shoe)?.coups.get(at)
    }

    /// The first of the coups that began and are not settled.
    pub(super) fn first_in_play<'a>(&self, reading: &'r Reading<'a>) -> Option<&'r CoupRecord<'a>> {
        let (shoe, at) = *self.begun.front()?;
        reading.shoes.get(shoe)?.coups.get(at)
    }

    /// The place of its shoe in the reading, and its own in the shoe.
    pub(super) fn place_in_play(&self) -> Option<(usize, usize)> {
        let last = self.last.filter(|last| self.begun.binary_search(last).is_ok());
        last.or(self.begun.front().copied())
    }

    /// What is true after this.
    pub(super) fn take<'a: 'r>(&mut self, moment: &Moment<'r, 'a>) {
        let coup = moment.shoe.zip(moment.coup);
        if !matches!(moment.what, What::Ruled(_)) {
            self.last = coup.or(self.last);
        }
        match (moment.what, coup) {
            (What::Around(told), _) => self.take_around(told.value),
            (What::Missing(hole), _) => self.is_missed |= !self.gaps.beside_play(&hole).1,
            (What::Loaded(_) | What::LoadingLost, _) => self.begun.clear(),
            (What::Began(_), Some(coup)) => {
                let place = self.begun.partition_point(|begun| *begun < coup);
                self.begun.insert(place, coup);
            }
            (What::Over, Some(coup)) if self.is_settlement_lost(coup) => {
                let place = self.begun.binary_search(&coup);
                let _over = place.ok().and_then(|place| self.begun.remove(place));
            }
            (What::Settled(_), Some(coup)) => {
                let over = self.begun.binary_search(&coup);
                drop(self.begun.drain(..over.map_or(0, |over| over + 1)));
            }
            _ => {}
        }
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "nothing else changes it")]
    fn take_around(&mut self, body: &'r Body) {
        match body {
            Body::TableOpened(opened) => {
                let opened = &**opened;
                (self.opened, self.last_opened) = (Some(opened), Some(opened));
                (self.book, self.limits) = (Some(self.books.of(opened)), Some(&opened.limits));
                self.is_missed = false;
                self.begun.clear();
            }
            Body::TableClosed(_) => {
                (self.opened, self.book, self.limits) = (None, None, None);
                self.is_missed = false;
                self.begun.clear();
            }
            Body::LimitsChanged(limits) => self.limits = Some(limits),
            _ => {}
        }
    }
}
