//! One table while its events come: what is settled, and what is still open.
//!
//! ```text
//!       before the shoe        after its last coup that is behind          now
//!             │   coups that are behind   │   the coup in play               │
//! ────────────┴───────────────────────────┴──────────────────────────────────┘
//! ```
//!
//! A coup is read and checked once it is settled. Then it is behind, and the next is read from there, if each of its events fits
//! and nothing is ruled or corrected. What does not fit, a ruling or a correction may concern what came before, and what follows
//! may explain it. So the whole shoe is read again then, until a coup has followed of which that is not so. What is said of a
//! record never depends on when somebody asked.
//!
//! A card that was not read may be known by those that are read later, or by the order that the end of its shoe reveals. So a shoe
//! with such a card is read as a whole whenever somebody asks.
//!
//! Reading again has a budget, counted in events: whoever records corrections all night makes this no slower for others. Beyond
//! it, the shoe is read again at its end.

use events::{Body, Event};
use serde::{Deserialize, Serialize};

use crate::Received;
use crate::checks::{self, Books, Facts};
use crate::reading::{
    self, Absent, Extensions, Grammars, Hole, Item, OpenRange, Reading, ShoeFacts, TableFacts,
};
use crate::results::{Evidence, Results, as_first_recorded};

/// By what a table is judged.
#[derive(Clone, Copy)]
pub struct Judging<'j> {
    /// The table's id.
    pub table: &'j str,
    /// What the rulebooks say of how play goes on.
    pub grammars: &'j dyn Grammars,
    /// The rulebooks.
    pub books: &'j dyn Books,
    /// Log index of the entry that holds the event of a sequence.
    pub entry: &'j dyn Fn(u64) -> u64,
    /// When the log received the event of a sequence, and how.
    pub received: &'j dyn Fn(u64) -> Received,
}

/// What is known at a point of a record at which no coup is in play.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Known {
    facts: Facts,
    shoe: Option<ShoeFacts>,
}

/// What has to be kept of a table: what was known before the events that are not over, and how far these were read.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SavedTable {
    before: Known,
    budget: Budget,
    /// What has a lower sequence is behind.
    behind: u64,
    held: bool,
    unread: bool,
    /// First sequence and number of the events before, if they are forgotten.
    forgotten: Option<(u64, u64)>,
}

/// What was recorded.
#[derive(Debug, Clone)]
enum Recorded {
    Event(u64, Event),
    Hole(Hole),
}

fn recorded(sequence: u64, event: Event, extensions: &mut Extensions) -> Recorded {
    if extensions.knows(&event.body) {
        Recorded::Event(sequence, event)
    } else {
        Recorded::Hole(Hole { first: sequence, events: 1, why: Absent::NewerKind })
    }
}

impl Recorded {
    const fn first(&self) -> u64 {
        match self {
            Self::Event(sequence, _) => *sequence,
            Self::Hole(hole) => hole.first,
        }
    }
}

/// One table.
#[derive(Debug, Clone)]
pub struct Table<R> {
    /// Before the shoe.
    before: Known,
    /// What the shoe comes to before its first event.
    nothing: R,
    /// The events of the shoe.
    recorded: Vec<Recorded>,
    /// After its last coup that is behind.
    now: Known,
    /// How much of what is recorded is behind.
    behind: usize,
    /// What the coups that are behind come to.
    results: R,
    /// The last coup that was settled is not behind.
    held: bool,
    /// A card was not read: what follows may say which it is.
    unread: bool,
    budget: Budget,
    extensions: Extensions,
}

/// What was missing and came after all.
pub(super) enum Filled {
    /// Events.
    Events(Vec<Event>),
    /// It came, and nothing is known of it.
    Hole(Hole),
}

/// How many events may be read again.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
struct Budget {
    taken: u64,
    read_again: u64,
}

/// Most events that are read again for each new one.
const MOST_READ_AGAIN: u64 = 16;

/// Events that may be read again in any case.
const READ_AGAIN_FREELY: u64 = 100_000;

impl Budget {
    /// Whether so many events may be read again now. If so, they are counted.
    const fn spend(&mut self, events: usize) -> bool {
        let read_again = self.read_again.saturating_add(events as u64);
        let may = read_again <= READ_AGAIN_FREELY.saturating_add(MOST_READ_AGAIN.saturating_mul(self.taken));
        if may {
            self.read_again = read_again;
        }
        may
    }
}

/// A part of a record that was read and checked.
struct Part {
    /// Whether nothing of it depends on what follows.
    is_closed: bool,
    /// Sequence of the last event that may concern what came before it.
    reaches_back: Option<u64>,
    /// Sequence of the first event of the last coup.
    last_coup: u64,
    /// Whether a card of it was not read.
    unread: bool,
}

impl Part {
    /// Whether the next coup can be read from its end on.
    fn is_behind(&self) -> bool {
        self.is_closed && self.reaches_back.is_none_or(|last| last < self.last_coup)
    }
}

impl<R: Results> Table<R> {
    /// A table of which nothing is recorded; `results` has nothing.
    #[must_use]
    pub fn new(results: R) -> Self {
        Self::after(Known::default(), Budget::default(), results)
    }

    /// A table whose events are all over.
    fn after(before: Known, budget: Budget, results: R) -> Self {
        let (now, nothing) = (before.clone(), results.clone());
        let (recorded, extensions) = (Vec::new(), Extensions::default());
        let (behind, held, unread) = (0, false, false);
        Self { before, nothing, recorded, now, behind, results, held, unread, budget, extensions }
    }

    /// A table as it was when it was saved, with the events that it had since then. `results` has what [`Table::nothing`] had.
    #[must_use]
    pub fn restored(
        saved: SavedTable,
        results: R,
        events: impl IntoIterator<Item = Result<(u64, Event), Hole>>,
        judging: Judging<'_>,
    ) -> Self {
        let SavedTable { before, budget, behind, held, unread, forgotten } = saved;
        let mut table = Self { held, unread, ..Self::after(before, budget, results) };
        let forgotten = forgotten.map(|(first, events)| Hole { first, events, why: Absent::Forgotten });
        for event in forgotten.map(Err).into_iter().chain(events) {
            match event {
                Ok((sequence, event)) => table.push(sequence, event),
                Err(hole) => table.miss(hole),
            }
        }
        table.behind = table.recorded.partition_point(|recorded| recorded.first() < behind);
        if table.behind > 0 {
            let Self { recorded, now, results, behind, .. } = &mut table;
            read(&recorded[..*behind], now, judging, false, |_, evidence| results.take(evidence));
        }
        table
    }

    /// What the events that are not over come to before the first of them: it is saved with what was true.
    #[must_use]
    pub const fn nothing(&self) -> &R {
        &self.nothing
    }

    /// What has to be kept of it, with the events that are not over.
    #[must_use]
    pub fn saved(&self) -> SavedTable {
        let forgotten = self.recorded.first().and_then(|recorded| match recorded {
            Recorded::Hole(Hole { first, events, why: Absent::Forgotten }) => Some((*first, *events)),
            Recorded::Hole(_) | Recorded::Event(..) => None,
        });
        SavedTable {
            before: self.before.clone(),
            budget: self.budget,
            behind: self.recorded.get(self.behind).map_or(u64::MAX, Recorded::first),
            held: self.held,
            unread: self.unread,
            forgotten,
        }
    }

    /// How many events are not over.
    #[must_use]
    pub fn open_events(&self) -> usize {
        self.recorded.iter().filter(|recorded| matches!(recorded, Recorded::Event(..))).count()
    }

    /// The next event of a table. If it begins another shoe, what was before it is over, and this is what that came to.
    pub fn take(&mut self, sequence: u64, event: Event, judging: Judging<'_>) -> Option<R> {
        // What comes before the first shoe is read with it.
        let closes = matches!(event.body, Body::ShoeLoaded(_)) && self.has_a_shoe();
        let closed = if closes { self.close(judging) } else { None };
        let settled = matches!(event.body, Body::CoupSettled(_));
        self.push(sequence, event);
        self.budget.taken += 1;
        if settled {
            self.advance(judging);
        }
        closed
    }

    fn push(&mut self, sequence: u64, event: Event) {
        self.recorded.push(recorded(sequence, event, &mut self.extensions));
    }

    /// Whether a shoe was loaded.
    fn has_a_shoe(&self) -> bool {
        let loads = |recorded: &Recorded| matches!(recorded, Recorded::Event(_, event) if matches!(event.body, Body::ShoeLoaded(_)));
        self.before.shoe.is_some() || self.recorded.iter().any(loads)
    }

    /// What was missing from one sequence up to another came after all.
    pub(super) fn fill(&mut self, (first, end): (u64, u64), filled: Filled) {
        let at = self.recorded.partition_point(|recorded| recorded.first() <= first).saturating_sub(1);
        let Some(Recorded::Hole(hole)) = self.recorded.get(at).cloned() else { return };
        let part = |from: u64, to: u64| {
            let part = Hole { first: from, events: to.saturating_sub(from), ..hole };
            (from < to).then_some(Recorded::Hole(part))
        };
        let filled: Vec<Recorded> = match filled {
            Filled::Events(events) => {
                (first..).zip(events).map(|(at, event)| recorded(at, event, &mut self.extensions)).collect()
            }
            Filled::Hole(hole) => vec![Recorded::Hole(hole)],
        };
        let after = part(end, hole.first.saturating_add(hole.events));
        let now: Vec<Recorded> = part(hole.first, first).into_iter().chain(filled).chain(after).collect();
        self.recorded.splice(at..=at, now);
        self.hold();
    }

    /// Forgets what the shoe came to so far: all of it has to be read again.
    fn hold(&mut self) {
        (self.now, self.behind, self.held) = (self.before.clone(), 0, true);
        self.results = self.nothing.clone();
    }

    /// Events of which nothing is known.
    pub fn miss(&mut self, hole: Hole) {
        self.recorded.push(Recorded::Hole(hole));
    }

    /// What the record since the last shoe that is over comes to, if it ends here.
    #[must_use]
    pub fn as_it_stands(&self, judging: Judging<'_>) -> R {
        self.open(judging, true).0
    }

    /// What the record since the last shoe that is over comes to so far.
    pub(super) fn as_it_is(&self, judging: Judging<'_>) -> R {
        self.open(judging, false).0
    }

    /// The same; `None` if that is too much to be read again now.
    pub(super) fn so_far(&mut self, judging: Judging<'_>) -> Option<R> {
        let all = self.recorded.len();
        if self.unread {
            return self.budget.spend(all).then(|| self.all(judging, false).0);
        }
        if self.behind == all {
            return Some(self.results.clone());
        }
        if !self.budget.spend(all - self.behind) {
            return None;
        }
        match self.not_behind(judging, false) {
            Some((results, ..)) => Some(results),
            None => self.budget.spend(all).then(|| self.all(judging, false).0),
        }
    }

    /// More is recorded than is kept: what there is is over. Gives what it comes to.
    pub(super) fn forget(&mut self, judging: Judging<'_>) -> R {
        let (results, part, after) = self.open(judging, false);
        let forgotten = (!part.is_closed).then(|| {
            let end = |last: &Recorded| match last {
                Recorded::Event(sequence, _) => sequence.saturating_add(1),
                Recorded::Hole(hole) => hole.first.saturating_add(hole.events),
            };
            let (first, end) =
                (self.recorded.first().map_or(0, Recorded::first), self.recorded.last().map_or(0, end));
            Recorded::Hole(Hole { first, events: end - first, why: Absent::Forgotten })
        });
        *self = Self::after(after, self.budget, results.anew());
        self.recorded.extend(forgotten);
        results
    }

    /// No event is expected soon: frees spare memory.
    pub(super) fn rest(&mut self) {
        self.recorded.shrink_to_fit();
    }

    /// What is not behind, with what is; or the whole shoe, if what is not behind may concern what is.
    fn open(&self, judging: Judging<'_>, ends: bool) -> (R, Part, Known) {
        self.not_behind(judging, ends).unwrap_or_else(|| self.all(judging, ends))
    }

    /// What is not behind, with what is; `None` if it may concern what is, or say which a card was that was not read.
    fn not_behind(&self, judging: Judging<'_>, ends: bool) -> Option<(R, Part, Known)> {
        if self.unread {
            return None;
        }
        let (recorded, mut known, mut results) =
            (&self.recorded[self.behind..], self.now.clone(), self.results.clone());
        let is_apart = |part: &Part| part.reaches_back.is_none() || self.behind == 0;
        let part = read(recorded, &mut known, judging, ends, |part, evidence| {
            if is_apart(part) {
                results.take(evidence);
            }
        });
        is_apart(&part).then_some((results, part, known))
    }

    /// The whole shoe.
    fn all(&self, judging: Judging<'_>, ends: bool) -> (R, Part, Known) {
        let (mut known, mut results) = (self.before.clone(), self.nothing.clone());
        let part = read(&self.recorded, &mut known, judging, ends, |_, evidence| results.take(evidence));
        (results, part, known)
    }

    /// A coup is settled: is it behind?
    fn advance(&mut self, judging: Judging<'_>) {
        if !self.held {
            let part =
                read(&self.recorded[self.behind..], &mut self.now, judging, false, |part, evidence| {
                    if part.is_closed && part.reaches_back.is_none() {
                        self.results.take(evidence);
                    }
                });
            if part.is_closed && part.reaches_back.is_none() {
                return self.is_behind(&part);
            }
            self.hold();
        }
        if self.budget.spend(self.recorded.len()) {
            let mut known = self.before.clone();
            let part = read(&self.recorded, &mut known, judging, false, |part, evidence| {
                if part.is_behind() {
                    self.results.take(evidence);
                }
            });
            if part.is_behind() {
                self.now = known;
                self.is_behind(&part);
            }
        }
    }

    /// All that is recorded is behind.
    const fn is_behind(&mut self, part: &Part) {
        self.unread |= part.unread;
        (self.behind, self.held) = (self.recorded.len(), false);
    }

    /// A shoe is loaded: gives what the one before it came to, if nothing of it depends on what follows.
    fn close(&mut self, judging: Judging<'_>) -> Option<R> {
        let is_whole = self.recorded.iter().all(|recorded| matches!(recorded, Recorded::Event(..)));
        if self.recorded.is_empty() || !is_whole {
            return None;
        }
        let (results, part, after) = self.open(judging, false);
        if !part.is_closed {
            return None;
        }
        *self = Self::after(after, self.budget, results.anew());
        Some(results)
    }
}

/// Reads and checks a part of a record; `ends`: the record ends with it. `known` is what is known before it, and then what is
/// known after it.
fn read(
    recorded: &[Recorded],
    known: &mut Known,
    judging: Judging<'_>,
    ends: bool,
    then: impl FnOnce(&Part, &Evidence<'_, '_>),
) -> Part {
    let items = recorded.iter().map(|recorded| match recorded {
        Recorded::Event(sequence, event) => Item::Event(*sequence, event),
        Recorded::Hole(hole) => Item::Hole(*hole),
    });
    let (range, before) = (OpenRange::of_items(items.collect()), known.facts.in_force());
    let facts = TableFacts { opened: before.last_opened.as_deref(), shoe: known.shoe.take() };
    let reading = reading::read(&facts, &range, judging.grammars);
    let began = (!reading.corrections.is_empty()).then(|| known.facts.clone());
    let check = |facts: &mut Facts, reading, range| {
        let mut checked = checks::range_of_table(facts, (reading, range), judging.books, judging.received);
        if ends {
            checks::end_of_table(&mut checked, (reading, facts), judging.books);
        }
        checked
    };
    let checked = check(&mut known.facts, &reading, &range);
    let part = Part {
        is_closed: reading.after.is_some(),
        reaches_back: reaches_back(&reading),
        unread: has_unread_cards(&reading),
        last_coup: reading.shoes.last().and_then(|shoe| shoe.coups.last()).map_or(0, |coup| coup.began),
    };
    let evidence = Evidence {
        table: judging.table,
        before: &before,
        range: &range,
        ends,
        reading: &reading,
        checked: &checked,
        books: judging.books,
        entry: judging.entry,
        received: judging.received,
        first: None,
    };
    match began.and_then(|began| Some((began, as_first_recorded(&evidence)?))) {
        Some((mut began, range)) => {
            let reading = reading::read(&facts, &range, judging.grammars);
            let checked = check(&mut began, &reading, &range);
            let first = Evidence { range: &range, reading: &reading, checked: &checked, ..evidence };
            then(&part, &Evidence { first: Some(&first), ..evidence });
        }
        None => then(&part, &evidence),
    }
    known.shoe = reading.after.and_then(|after| after.shoe);
    part
}

/// Sequence of the last event that may concern what came before it.
fn reaches_back(reading: &Reading<'_>) -> Option<u64> {
    let corrections = reading.corrections.iter().map(|one| one.sequence);
    let of_coups = reading.shoes.iter().flat_map(|shoe| &shoe.coups).flat_map(|coup| &coup.rulings);
    let rulings =
        reading.shoes.iter().flat_map(|shoe| &shoe.rulings).chain(of_coups).map(|told| told.sequence);
    corrections.chain(rulings).chain(reading.misfit).max()
}

/// Whether a card was not read, or only in part.
fn has_unread_cards(reading: &Reading<'_>) -> bool {
    let shoes = || reading.shoes.iter();
    let of_coups = shoes().flat_map(|shoe| &shoe.coups).flat_map(|coup| &coup.cards).map(|card| card.face);
    let burned = shoes().flat_map(|shoe| &shoe.burns).map(|burn| burn.value.indicator);
    of_coups.chain(burned).any(|face| face.card().is_none_or(|card| card.suit.is_none()))
}
