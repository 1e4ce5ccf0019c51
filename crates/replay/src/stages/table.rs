//! One table while its events come: what is settled, and what is still open.
//!
//! ```text
//!       before the shoe        after its last coup that is behind          now
//!             │   coups that are behind   │   the coup in play               │
//! ────────────┴───────────────────────────┴──────────────────────────────────┘
//! ```
//!
//! Coups are read and checked once they are settled: some at once, or each if somebody asks what is found so far. If each of their
//! events fits, and nothing is ruled or corrected, these coups are behind, and the next is read from there. An event that does not fit,
//! a ruling or a correction may concern what came before, and later events may explain it. Then the whole shoe is read again, until a
//! coup follows that has none of these. What is said of a record never depends on when somebody asked.
//!
//! A card that was not read may be known by those that are read later, or by the order that the end of its shoe reveals. So a shoe
//! with such a card is read as a whole whenever somebody asks.
//!
//! Events of these coups are not kept here. If a shoe is read again, the caller supplies them (`Judging::recorded`).
//!
//! Reading again has a budget, counted in events and in the work of explaining them: a table that records corrections or faults all
//! night does not slow down others. Once the budget is spent, the shoe is read again at its end.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use events::{Body, Event};
use serde::{Deserialize, Serialize};

use crate::Received;
use crate::caps::Cap;
use crate::checks::{self, Books, Facts};
use crate::producers::Producers;
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
    /// Who recorded which entries.
    pub producers: &'j Producers,
    /// Log index of the entry that holds the event of a sequence.
    pub entry: &'j dyn Fn(u64) -> u64,
    /// When the log received the event of a sequence, and how.
    pub received: &'j dyn Fn(u64) -> Received,
    /// What was recorded from one sequence up to another, the latter not included.
    pub recorded: &'j dyn Fn(u64, u64) -> Vec<Recorded>,
}

/// What is known at a point of a record at which no coup is in play.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Known {
    facts: Facts,
    shoe: Option<ShoeFacts>,
}

/// What has to be kept of a table: what was known before the events that are not over, and how far these were read.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct SavedTable {
    /// `None`: nothing.
    before: Option<Box<Known>>,
    /// What was forgotten before the first of them.
    forgotten: Option<Hole>,
    so_far: SoFar,
    /// The sequence after the last that is behind.
    behind: Option<u64>,
    held: bool,
    unread: bool,
    budget: Budget,
}

impl SavedTable {
    /// Keeps each text of a rulebook once, also with those of other tables.
    pub(super) fn share(&mut self, texts: &mut BTreeSet<Arc<str>>) {
        self.before.iter_mut().for_each(|before| before.facts.share(texts));
    }
}

/// What was recorded.
#[derive(Debug, Clone)]
pub enum Recorded {
    /// An event, with its sequence.
    Event(u64, Event),
    /// Events of which nothing is known.
    Hole(Hole),
}

impl Recorded {
    const fn first(&self) -> u64 {
        match self {
            Self::Event(sequence, _) => *sequence,
            Self::Hole(hole) => hole.first,
        }
    }

    /// The sequence after it, if a coup is settled here.
    const fn settled(&self) -> Option<u64> {
        match self {
            Self::Event(sequence, Event { body: Body::CoupSettled(_), .. }) => {
                Some(sequence.saturating_add(1))
            }
            Self::Event(..) | Self::Hole(_) => None,
        }
    }

    /// An event, or a hole if its kind is not known.
    #[inline]
    fn known(sequence: u64, event: Event, extensions: &mut Extensions) -> Self {
        match extensions.knows(&event.body) {
            true => Self::Event(sequence, event),
            false => Self::Hole(Hole { first: sequence, events: 1, why: Absent::NewerKind }),
        }
    }
}

/// One table.
#[derive(Debug, Clone)]
pub struct Table<R> {
    /// Before the shoe; `None`: nothing is known.
    before: Option<Box<Known>>,
    /// What was forgotten before the first event.
    forgotten: Option<Hole>,
    /// What the shoe comes to before its first event.
    nothing: R,
    /// What is behind; `None`: nothing.
    behind: Option<Box<Behind<R>>>,
    /// What is not behind. Nothing while a shoe waits to be read as a whole.
    recorded: Vec<Recorded>,
    /// The whole shoe has to be read again.
    held: bool,
    /// A card was not read: what follows may say which it is.
    unread: bool,
    so_far: SoFar,
    unlooked: Unlooked,
    budget: Budget,
    extensions: Extensions,
}

/// What was recorded since coups were read last.
#[derive(Debug, Clone, Copy, Default)]
struct Unlooked {
    events: usize,
    /// The sequence after the last settlement, if a coup was settled.
    settled: Option<u64>,
}

/// The coups of a shoe that are behind.
#[derive(Debug, Clone)]
struct Behind<R> {
    /// What is known after them.
    now: Known,
    /// What they come to.
    results: R,
    /// The sequence after the last of them.
    end: u64,
}

/// How much of a shoe is recorded.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
struct SoFar {
    events: usize,
    /// Events in it of which nothing is known.
    missing: u64,
    /// Sequence of the first, and the one after the last.
    range: Option<(u64, u64)>,
    /// Whether a shoe was loaded, before it or in it.
    has_a_shoe: bool,
}

impl SoFar {
    fn take(&mut self, recorded: &Recorded) {
        let (first, events) = match recorded {
            Recorded::Event(sequence, event) => {
                self.event(event);
                (*sequence, 1)
            }
            Recorded::Hole(hole) => {
                self.missing += hole.events;
                (hole.first, hole.events)
            }
        };
        self.range = Some((self.range.map_or(first, |(first, _)| first), first.saturating_add(events)));
    }

    /// The sequence after the last.
    fn end(&self) -> u64 {
        self.range.map_or(0, |(_, end)| end)
    }

    fn event(&mut self, event: &Event) {
        self.events += 1;
        self.has_a_shoe |= matches!(event.body, Body::ShoeLoaded(_));
    }
}

/// How many events may be read again.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
struct Budget {
    taken: u64,
    read_again: u64,
}

/// Most events that are read again for each new one.
const MOST_READ_AGAIN: u64 = 16;

/// Events of a shoe that are read again at any time.
const FEW: usize = 64;

/// Events of a shoe that are read at once if nobody asks before.
const AT_ONCE: usize = 256;

/// Events that may be read again in any case.
const READ_AGAIN_FREELY: u64 = 100_000;

impl Budget {
    /// Whether so many events may be read again now. If so, they are counted, unless they are few.
    const fn spend(&mut self, events: usize) -> bool {
        let counted = if events <= FEW { 0 } else { events as u64 };
        let read_again = self.read_again.saturating_add(counted);
        let may = read_again <= READ_AGAIN_FREELY.saturating_add(MOST_READ_AGAIN.saturating_mul(self.taken));
        if may {
            self.read_again = read_again;
        }
        may
    }

    /// Explaining what was read again took this much work.
    const fn explained(&mut self, work: u64) {
        self.read_again = self.read_again.saturating_add(work);
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
    /// How much work its explanations were.
    work: u64,
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
        Self::after(None, Budget::default(), results)
    }

    /// A table whose events are all over.
    fn after(before: Option<Box<Known>>, budget: Budget, nothing: R) -> Self {
        let has_a_shoe = before.as_ref().is_some_and(|before| before.shoe.is_some());
        Self {
            before,
            forgotten: None,
            nothing,
            behind: None,
            recorded: Vec::new(),
            held: false,
            unread: false,
            so_far: SoFar { has_a_shoe, ..SoFar::default() },
            unlooked: Unlooked::default(),
            budget,
            extensions: Extensions::default(),
        }
    }

    /// A table as it was when it was saved. `results` has what [`Table::nothing`] had.
    #[must_use]
    pub fn restored(saved: SavedTable, results: R, judging: Judging<'_>) -> Self {
        let SavedTable { before, forgotten, so_far, behind, held, unread, budget } = saved;
        let mut table =
            Self { forgotten, held: true, unread, so_far, ..Self::after(before, budget, results) };
        let mut all = table.whole(judging).into_owned();
        for recorded in &all {
            if let Recorded::Event(_, event) = recorded {
                table.extensions.knows(&event.body);
            }
        }
        if let Some(end) = behind {
            let open = all.split_off(all.partition_point(|recorded| recorded.first() < end));
            let mut after = table.nothing_behind();
            after.go_on(&all, end, judging, false, |_| true);
            (table.behind, all) = (Some(Box::new(after)), open);
        }
        table.unlooked.settled = all.iter().filter_map(Recorded::settled).next_back().filter(|_| !held);
        (table.recorded, table.held) = (if held { Vec::new() } else { all }, held);
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
        SavedTable {
            before: self.before.clone(),
            forgotten: self.forgotten,
            so_far: self.so_far,
            behind: self.behind.as_ref().map(|behind| behind.end),
            held: self.held,
            unread: self.unread,
            budget: self.budget,
        }
    }

    /// The next event of a table. If it begins another shoe, what was before it is over, and this is what that came to.
    pub fn take(&mut self, sequence: u64, event: Event, judging: Judging<'_>) -> Option<R> {
        // What comes before the first shoe is read with it.
        let closes = matches!(event.body, Body::ShoeLoaded(_)) && self.so_far.has_a_shoe;
        let closed = if closes { self.close(judging) } else { None };
        let event = Recorded::known(sequence, event, &mut self.extensions);
        let settled = event.settled();
        self.push(event);
        self.budget.taken += 1;
        self.unlooked.events += 1;
        self.unlooked.settled = settled.or(self.unlooked.settled);
        // However often a shoe is read again, that is no more than a few times as many events as it has.
        let many = if self.held { self.so_far.events / 2 } else { 0 };
        if settled.is_some() && self.unlooked.events >= AT_ONCE.max(many) {
            self.advance(judging);
        }
        closed
    }

    fn push(&mut self, recorded: Recorded) {
        self.so_far.take(&recorded);
        if !self.held {
            self.recorded.push(recorded);
        }
    }

    /// Events of which nothing is known.
    pub fn miss(&mut self, hole: Hole) {
        self.push(Recorded::Hole(hole));
    }

    /// Events that were missing came after all.
    pub(super) fn fill(&mut self, first: u64, events: Vec<Event>) {
        for (sequence, event) in (first..).zip(events) {
            if let Recorded::Event(_, event) = Recorded::known(sequence, event, &mut self.extensions) {
                self.so_far.event(&event);
                self.so_far.missing = self.so_far.missing.saturating_sub(1);
            }
        }
        self.hold();
    }

    /// The whole shoe has to be read again: something may concern what is behind.
    fn hold(&mut self) {
        (self.behind, self.recorded, self.held) = (None, Vec::new(), true);
    }

    /// All that is recorded of the shoe.
    fn whole(&self, judging: Judging<'_>) -> Cow<'_, [Recorded]> {
        if !self.held && self.behind.is_none() {
            return Cow::Borrowed(&self.recorded);
        }
        let (first, end) = self.so_far.range.unwrap_or_default();
        let (forgotten, mut extensions) = (self.forgotten, Extensions::default());
        let first = forgotten.map_or(first, |hole| hole.first.saturating_add(hole.events));
        let again = (judging.recorded)(first, end).into_iter().map(|recorded| match recorded {
            Recorded::Event(sequence, event) => Recorded::known(sequence, event, &mut extensions),
            Recorded::Hole(_) => recorded,
        });
        forgotten.map(Recorded::Hole).into_iter().chain(again).collect()
    }

    /// What the record since the last shoe that is over comes to, if it ends here.
    #[must_use]
    pub fn as_it_stands(&self, judging: Judging<'_>) -> R {
        self.open(judging, true).0.results
    }

    /// What the record since the last shoe that is over comes to so far.
    pub(super) fn as_it_is(&self, judging: Judging<'_>) -> R {
        self.open(judging, false).0.results
    }

    /// The same; `None` if that is too much to be read again now.
    pub(super) fn so_far(&mut self, judging: Judging<'_>) -> Option<R> {
        self.advance(judging);
        if !self.unread && !self.held {
            if self.recorded.is_empty() {
                return Some(self.behind.as_ref().map_or(&self.nothing, |behind| &behind.results).clone());
            }
            if !self.budget.spend(self.recorded.len()) {
                return None;
            }
            if let Some((after, part)) = self.not_behind(judging, false) {
                self.budget.explained(part.work);
                return Some(after.results);
            }
        }
        self.budget.spend(self.so_far.events).then(|| {
            let (after, part) = self.all(judging, false);
            self.budget.explained(part.work);
            after.results
        })
    }

    /// More is recorded than is kept: what there is is over. Gives what it comes to.
    pub(super) fn forget(&mut self, judging: Judging<'_>) -> R {
        let (after, part) = self.open(judging, false);
        let all = self.so_far.range.filter(|_| !part.is_closed);
        let forgotten = all.map(|(first, end)| Hole { first, events: end - first, why: Absent::Forgotten });
        let results = self.go_on(after);
        self.before.iter_mut().for_each(|before| before.facts.note_forgotten(Cap::BytesOfShoe));
        self.forgotten = forgotten;
        forgotten.into_iter().for_each(|hole| self.miss(hole));
        results
    }

    /// What is recorded is over. Gives what it came to.
    fn go_on(&mut self, after: Behind<R>) -> R {
        let Behind { now, results, .. } = after;
        *self = Self::after(Some(Box::new(now)), self.budget, results.anew());
        results
    }

    /// No event is expected soon: frees memory. Of a shoe that has only begun nothing is kept that can be read again.
    pub(super) fn rest(&mut self, judging: Judging<'_>) {
        self.advance(judging);
        if self.so_far.events <= FEW {
            self.hold();
        }
        self.recorded.shrink_to_fit();
    }

    /// What is not behind, with what is; or the whole shoe, if what is not behind may concern what is.
    fn open(&self, judging: Judging<'_>, ends: bool) -> (Behind<R>, Part) {
        self.not_behind(judging, ends).unwrap_or_else(|| self.all(judging, ends))
    }

    /// What is not behind, with what is; `None` if it may concern what is, or say which a card was that was not read.
    fn not_behind(&self, judging: Judging<'_>, ends: bool) -> Option<(Behind<R>, Part)> {
        if self.unread || self.held {
            return None;
        }
        let mut after = self.behind.as_deref().cloned().unwrap_or_else(|| self.nothing_behind());
        let is_apart = |part: &Part| part.reaches_back.is_none() || self.behind.is_none();
        let part = after.go_on(&self.recorded, self.so_far.end(), judging, ends, is_apart);
        is_apart(&part).then_some((after, part))
    }

    /// The whole shoe.
    fn all(&self, judging: Judging<'_>, ends: bool) -> (Behind<R>, Part) {
        let mut after = self.nothing_behind();
        let part = after.go_on(&self.whole(judging), self.so_far.end(), judging, ends, |_| true);
        (after, part)
    }

    fn nothing_behind(&self) -> Behind<R> {
        Behind {
            now: self.before.as_deref().cloned().unwrap_or_default(),
            results: self.nothing.clone(),
            end: 0,
        }
    }

    /// Reads the coups that were settled since this was called last. They are behind if nothing in them may concern others.
    fn advance(&mut self, judging: Judging<'_>) {
        let Some(end) = std::mem::take(&mut self.unlooked).settled else { return };
        let from = |all: &[Recorded]| all.partition_point(|recorded| recorded.first() < end);
        if !self.held {
            let open = self.recorded.split_off(from(&self.recorded));
            let mut after = self.behind.take().unwrap_or_else(|| Box::new(self.nothing_behind()));
            let is_apart = |part: &Part| part.is_closed && part.reaches_back.is_none();
            let part = after.go_on(&self.recorded, end, judging, false, is_apart);
            if is_apart(&part) {
                return self.is_behind(after, &part, open);
            }
            self.hold();
        }
        if self.budget.spend(self.so_far.events) {
            let mut after = Box::new(self.nothing_behind());
            let mut all = self.whole(judging).into_owned();
            let open = all.split_off(from(&all));
            let part = after.go_on(&all, end, judging, false, Part::is_behind);
            self.budget.explained(part.work);
            if part.is_behind() {
                self.is_behind(after, &part, open);
            }
        }
    }

    /// All is behind that was recorded before `open`.
    fn is_behind(&mut self, after: Box<Behind<R>>, part: &Part, open: Vec<Recorded>) {
        self.unread |= part.unread;
        self.recorded.clear();
        self.recorded.extend(open);
        (self.behind, self.held) = (Some(after), false);
    }

    /// A shoe is loaded: gives what the one before it came to, if nothing of it depends on what follows.
    fn close(&mut self, judging: Judging<'_>) -> Option<R> {
        if self.so_far.events == 0 || self.so_far.missing > 0 {
            return None;
        }
        let (after, part) = self.open(judging, false);
        part.is_closed.then(|| self.go_on(after))
    }
}

impl<R: Results> Behind<R> {
    /// Reads and checks what follows, up to `end`. What it comes to counts if `counts` says so.
    fn go_on(
        &mut self,
        recorded: &[Recorded],
        end: u64,
        judging: Judging<'_>,
        ends: bool,
        counts: impl FnOnce(&Part) -> bool,
    ) -> Part {
        let Self { now, results, end: is_behind } = self;
        *is_behind = end;
        read(recorded, now, judging, ends, |part, evidence| {
            if counts(part) {
                results.take(evidence);
            }
        })
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
        work: reading.as_corrected.as_ref().map_or(reading.work, |late| reading.work + late.work),
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
        producers: judging.producers,
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
