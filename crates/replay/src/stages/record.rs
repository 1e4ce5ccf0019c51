//! One table while its entries come.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::Arc;

use events::{Body, Event, Name, TableOpened};
use serde::{Deserialize, Serialize};

use super::table::{Judging, Recorded, SavedTable, Table};
use crate::caps::Cap;
use crate::checks::Books;
use crate::numbering::{Change, Numbering, Stretch};
use crate::producers::Producers;
use crate::reading::{Grammars, Hole};
use crate::record::{Held, Run};
use crate::results::Results;
use crate::sink::{Accusation, Location};
use crate::{Code, Reason, Received};

/// By what a record is judged, and who recorded it.
#[derive(Clone, Copy)]
pub struct Rulebooks<'j> {
    /// What they say of how play goes on.
    pub grammars: &'j dyn Grammars,
    /// The rulebooks themselves.
    pub books: &'j dyn Books,
    /// Who recorded which entries.
    pub producers: &'j Producers,
}

/// One table's record.
#[derive(Debug, Clone)]
pub struct Record<R> {
    /// The table's id.
    id: Box<str>,
    numbering: Numbering,
    /// Sequence of the first event that is not over.
    first: u64,
    table: Table<R>,
    /// What the shoes that are over come to, since this was asked for last.
    over: Vec<R>,
    /// Events that were recorded again, the same.
    repeated: u64,
    /// What is wrong with the numbering, since this was asked for last.
    wrong: Vec<(Location, Box<Accusation>)>,
    /// Sequences under which two events are recorded, since this was asked for last.
    contradicted: Vec<u64>,
    /// What says under which rules and where shoes are played, since this was asked for last.
    noted: Vec<(Location, Noted)>,
    /// Bytes of the events that are not over.
    bytes: u64,
}

/// What says under which rules and where shoes are played.
#[derive(Debug, Clone)]
pub(super) enum Noted {
    Opened(Arc<TableOpened>),
    Limits,
    Loaded(Name),
    /// More is recorded than is kept.
    Forgotten,
}

/// What has to be kept of a record.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Saved {
    numbering: Numbering,
    first: u64,
    table: SavedTable,
    repeated: u64,
    bytes: u64,
}

impl Saved {
    /// Shares the texts of rulebooks with the tables loaded before.
    #[must_use]
    pub(super) fn sharing(mut self, texts: &mut BTreeSet<Arc<str>>) -> Self {
        self.numbering.share_again(texts);
        self.table.share(texts);
        self
    }
}

impl<R: Results> Record<R> {
    /// A table of which nothing is recorded; `results` has nothing.
    #[must_use]
    pub fn new(id: &str, results: R) -> Self {
        Self {
            id: id.into(),
            numbering: Numbering::default(),
            first: 1,
            table: Table::new(results),
            over: Vec::new(),
            repeated: 0,
            wrong: Vec::new(),
            contradicted: Vec::new(),
            noted: Vec::new(),
            bytes: 0,
        }
    }

    /// Takes the events of an entry, in canonical bytes and decoded; `first` is the sequence of the first of them.
    pub fn entry(
        &mut self,
        (entry, first): (u64, u64),
        (bytes, events): (Arc<[u8]>, Vec<Event>),
        received: Received,
        by: Rulebooks<'_>,
    ) {
        let count = events.len() as u64;
        let mut run = Run { first, count, entry, received, skip: 0, held: Held::Events(bytes) };
        run.share(&events);
        let changes = self.numbering.take(run);
        self.follow(changes, Some((entry, events)), by);
    }

    /// Takes an entry of so many events of which nothing is known.
    pub fn unknown(
        &mut self,
        (entry, first): (u64, u64),
        (count, why): (u32, Reason),
        received: Received,
        by: Rulebooks<'_>,
    ) {
        let held = Held::Unknown(why);
        let run = Run { first, count: count.into(), entry, received, skip: 0, held };
        let changes = self.numbering.take(run);
        self.follow(changes, None, by);
    }

    /// This copy of the log leaves out entries before the one that begins at `first`.
    pub fn left_out_to(&mut self, first: u64, by: Rulebooks<'_>) {
        let changes = self.numbering.left_out_to(first);
        self.follow(changes, None, by);
    }

    /// The record ends: what waits is not waited for any longer.
    pub fn end(&mut self, by: Rulebooks<'_>) {
        let changes = self.numbering.end();
        self.follow(changes, None, by);
    }

    /// What the shoes that are over come to, since this was asked last.
    pub fn take_over(&mut self) -> Vec<R> {
        std::mem::take(&mut self.over)
    }

    /// What is not over comes to, if the record ends here.
    #[must_use]
    pub fn as_it_stands(&self, by: Rulebooks<'_>) -> R {
        judging(&self.id, &self.numbering, by, |judging| self.table.as_it_stands(judging))
    }

    /// What is wrong with the numbering: code, entry and sequence, since this was asked last.
    pub fn take_wrong(&mut self) -> Vec<(Code, u64, u64)> {
        let wrong = std::mem::take(&mut self.wrong).into_iter();
        wrong.map(|(at, wrong)| (wrong.code, at.entry, at.sequence)).collect()
    }

    /// The same with all that is said of it.
    pub(super) fn take_accused(&mut self) -> Vec<(Location, Box<Accusation>)> {
        std::mem::take(&mut self.wrong)
    }

    /// Sequences under which two events are recorded, since this was asked last.
    pub(super) fn take_contradicted(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.contradicted)
    }

    /// What says under which rules and where shoes are played, since this was asked last.
    pub(super) fn take_noted(&mut self) -> Vec<(Location, Noted)> {
        std::mem::take(&mut self.noted)
    }

    /// How many events wait for what is missing before them.
    pub(super) fn waiting(&self) -> u64 {
        self.numbering.waiting_events()
    }

    /// About how many bytes the events have that are not over.
    pub(super) const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// No event is expected soon: frees spare memory.
    pub(super) fn rest(&mut self, by: Rulebooks<'_>) {
        let Self { id, numbering, table, .. } = self;
        judging(id, numbering, by, |judging| table.rest(judging));
        self.numbering.rest();
    }

    /// What is not over comes to so far.
    pub(super) fn as_it_is(&self, by: Rulebooks<'_>) -> R {
        judging(&self.id, &self.numbering, by, |judging| self.table.as_it_is(judging))
    }

    /// The same; `None` if that is too much to be read again now.
    pub(super) fn so_far(&mut self, by: Rulebooks<'_>) -> Option<R> {
        let Self { id, numbering, table, .. } = self;
        judging(id, numbering, by, |judging| table.so_far(judging))
    }

    /// Events that were recorded again, the same.
    #[must_use]
    pub const fn repeated(&self) -> u64 {
        self.repeated
    }

    /// The sequence that the next event must have.
    #[must_use]
    pub const fn next(&self) -> u64 {
        self.numbering.next()
    }

    /// Events that are missing from the numbering and not waited for.
    #[must_use]
    pub fn missing(&self) -> u64 {
        self.numbering.missing()
    }

    /// What has to be kept of it. What was found is for the caller to keep.
    #[must_use]
    pub fn saved(&self) -> Saved {
        Saved {
            numbering: self.numbering.clone(),
            first: self.first,
            table: self.table.saved(),
            repeated: self.repeated,
            bytes: self.bytes,
        }
    }

    /// What the events that are not over come to before the first of them: it is kept with what is saved.
    #[must_use]
    pub const fn nothing(&self) -> &R {
        self.table.nothing()
    }

    /// The record as it was when it was saved. `results` has what [`Record::nothing`] had.
    #[must_use]
    pub fn restored(id: &str, saved: Saved, results: R, by: Rulebooks<'_>) -> Self {
        let Saved { numbering, first, table, repeated, bytes } = saved;
        let table = judging(id, &numbering, by, |judging| Table::restored(table, results.clone(), judging));
        Self { numbering, first, table, repeated, bytes, ..Self::new(id, results) }
    }

    /// `decoded`: the events of an entry that was decoded already.
    fn follow(&mut self, changes: Vec<Change>, mut decoded: Option<(u64, Vec<Event>)>, by: Rulebooks<'_>) {
        for change in changes {
            match change {
                Change::Next(run) => {
                    let events = events_of(&run, &mut decoded);
                    self.note(&run, &events);
                    self.bytes = self.bytes.saturating_add(run.bytes() as u64);
                    self.take(run.first, events, by);
                    if self.bytes > Cap::BytesOfShoe.most() as u64 {
                        self.forget(by);
                    }
                }
                Change::Hole(hole) => self.table.miss(hole),
                Change::Filled(run) => {
                    let events = events_of(&run, &mut decoded);
                    self.note(&run, &events);
                    // If nothing is known of it, it is still missing, for another reason.
                    self.table.fill(run.first, events);
                }
                Change::Repeated(events) => self.repeated += events,
                Change::Contradicted(sequence) => self.contradicted.push(sequence),
                Change::Wrong(location, accusation) => self.wrong.push((location, accusation)),
            }
        }
    }

    /// Notes what says under which rules and where shoes are played.
    #[allow(clippy::wildcard_enum_match_arm, reason = "nothing else says it")]
    fn note(&mut self, run: &Run, events: &[Event]) {
        for (event, sequence) in events.iter().zip(run.first..) {
            let noted = match &event.body {
                Body::TableOpened(opened) => Noted::Opened(Arc::new((**opened).clone())),
                Body::ShoeLoaded(loaded) => Noted::Loaded(loaded.shoe.clone()),
                Body::LimitsChanged(_) => Noted::Limits,
                _ => continue,
            };
            self.noted.push((Location { entry: run.entry, sequence }, noted));
        }
    }

    fn take(&mut self, first: u64, events: Vec<Event>, by: Rulebooks<'_>) {
        for (event, sequence) in events.into_iter().zip(first..) {
            let (table, numbering) = (&mut self.table, &self.numbering);
            let over = judging(&self.id, numbering, by, |judging| table.take(sequence, event, judging));
            if let Some(over) = over {
                self.over.push(over);
                self.settle_before(sequence, self.bytes_since(sequence));
            }
        }
    }

    fn bytes_since(&self, sequence: u64) -> u64 {
        let runs = self.numbering.since(sequence).into_iter();
        runs.map(|stretch| if let Stretch::Run(run) = stretch { run.bytes() as u64 } else { 0 }).sum()
    }

    fn settle_before(&mut self, sequence: u64, bytes: u64) {
        (self.first, self.bytes) = (sequence, bytes);
        self.numbering.settle_before(sequence);
    }

    /// More is recorded than is kept: what there is comes to what it comes to now.
    fn forget(&mut self, by: Rulebooks<'_>) {
        let Self { id, numbering, table, .. } = self;
        self.over.push(judging(id, numbering, by, |judging| table.forget(judging)));
        let next = self.numbering.next();
        let last = next.saturating_sub(1);
        let entry = self.numbering.run_at(last).map_or(0, |run| run.entry);
        self.noted.push((Location { entry, sequence: last }, Noted::Forgotten));
        self.settle_before(next, 0);
    }
}

/// The events of a run, which may be decoded already.
fn events_of(run: &Run, decoded: &mut Option<(u64, Vec<Event>)>) -> Vec<Event> {
    let of_entry = decoded.take_if(|(entry, _)| *entry == run.entry);
    of_entry.map(|(_, events)| run.of(events)).or_else(|| run.events()).unwrap_or_default()
}

/// Calls `with` with all by which a table is judged.
fn judging<T>(
    table: &str,
    numbering: &Numbering,
    by: Rulebooks<'_>,
    with: impl FnOnce(Judging<'_>) -> T,
) -> T {
    let near = Cell::default();
    let run = |sequence| numbering.run_near(&near, sequence);
    let entry = |sequence| run(sequence).map_or(0, |run| run.entry);
    let received = |sequence| run(sequence).map_or(Received::Unknown, |run| run.received);
    let recorded =
        |first, end| numbering.since(first).into_iter().flat_map(|stretch| recorded(stretch, end)).collect();
    let Rulebooks { grammars, books, producers } = by;
    with(Judging {
        table,
        grammars,
        books,
        producers,
        entry: &entry,
        received: &received,
        recorded: &recorded,
    })
}

/// What a stretch of the numbering holds up to a sequence.
fn recorded(stretch: Stretch, end: u64) -> Vec<Recorded> {
    match stretch {
        Stretch::Run(run) => {
            let events = run.part(0, end).and_then(|run| Some((run.first, run.events()?)));
            let of_run = |(first, events): (u64, Vec<Event>)| (first..).zip(events);
            events.into_iter().flat_map(of_run).map(|(at, event)| Recorded::Event(at, event)).collect()
        }
        Stretch::Hole(hole) => {
            let events = hole.events.min(end.saturating_sub(hole.first));
            (events > 0).then_some(Recorded::Hole(Hole { events, ..hole })).into_iter().collect()
        }
    }
}
