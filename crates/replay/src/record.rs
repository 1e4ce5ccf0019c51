//! One table's record: puts its events into the order of their numbering and plays them to the table.
//!
//! Whatever is learned later of the shoe in play (an event that comes late, a correction, a void of a coup
//! that was settled, how many cards a gap hides) is not patched into the result: the shoe is played back from
//! its own events with the new knowledge, and replaces what was found.
//!
//! What is played back begins where the shoe in play was loaded, or, where events before it are missing, at
//! the shoe in which the first is; at most [`MAX_RECORD`] bytes of events. What comes still later for a place
//! before that is told, and leaves the log without a certificate.

mod amendments;
mod entries;
mod reported;
mod runs;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use events::{Body, Event};
use serde::{Deserialize, Serialize};

pub(crate) use self::amendments::{Amendments, Revision};
use self::reported::Reported;
pub use self::reported::TakenBack;
pub use self::runs::MAX_COMPARED;
pub(crate) use self::runs::{Held, Run, Runs};
use crate::identity::Opening;
use crate::kept::Kept;
use crate::question::Question;
use crate::seldom::Seldom;
use crate::shoe_locations::ShoeLocations;
use crate::sink::Location;
use crate::table::{Seen, Table};
use crate::tally::{Counted, Tally};
use crate::{Code, Finding, Reason, TableState};

/// Events that wait for a gap to be filled before it is declared; one that is filled later is judged then.
pub const MAX_WAITING: usize = 512;

/// Bytes of a table's events that are kept to be played back.
pub const MAX_RECORD: usize = 8 << 20;

/// Events played back for each one that is new, at most, before playing back waits for the end of the shoe:
/// else a flood of corrections could keep a judge at work for hours.
const MOST_PLAYED_BACK: u64 = 16;

/// Events that may be played back whatever is new.
const PLAYED_BACK_FREELY: u64 = 100_000;

/// Rounds of playing back: each may show one thing more, such as how many cards a gap hides, or another card of a
/// coup (six at most) that was recorded before the one it lies behind.
const ROUNDS: usize = 6;

/// What an entry holds: its bytes and its events, or how many there are of which nothing is known, and why.
pub(crate) type Content = Result<(Arc<[u8]>, Vec<Event>), (u32, Reason)>;

/// One table's record.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Record {
    /// The sequence the next event has to have.
    next: u64,
    /// Runs that wait for what is missing before them, by their first sequence and entry.
    #[serde(with = "crate::saved::pairs")]
    waiting: BTreeMap<(u64, u64), Run>,
    runs: Runs,
    faults: Seldom<Faults>,
    /// Where what is played back begins.
    first: u64,
    /// Bytes of it.
    bytes: usize,
    /// The table before that.
    before: Before,
    /// The table now.
    table: Table,
    known: Seldom<Amendments>,
    /// Something was learned that was not played back yet.
    stale: bool,
    played: u64,
    played_back: u64,
    /// What came of all before `first`.
    tally: Counted,
    pub(crate) shoe_locations: ShoeLocations,
    /// Where everything found is told as it shows.
    reported: Option<Box<Reported>>,
    /// Where every finding is handed on once it is final: those that are not yet, and those that are.
    #[serde(skip)]
    handed_on: Option<Box<HandedOn>>,
}

/// What is wrong with a table's numbering.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Faults {
    /// Ranges of sequences declared missing since `first`: whatever comes for them is judged.
    holes: Vec<(u64, u64)>,
    /// The same before `first`.
    old_holes: Vec<(u64, u64)>,
    /// Ranges of sequences that this copy leaves out.
    left_out: Vec<(u64, u64)>,
    /// The last event that contradicted one before it.
    conflict: Option<Location>,
    /// The sequence behind the last that could not be judged any more.
    late: Option<u64>,
    /// Numbers since `first` under which two events were told, about one for each shoe: it is violated.
    contradicted: BTreeSet<u64>,
}

impl Faults {
    /// What is played back begins anew.
    fn settle(&mut self) {
        self.old_holes.append(&mut self.holes);
        self.contradicted.clear();
    }
}

/// The table as it stood before what is played back.
#[derive(Debug, Clone, Serialize, Deserialize)]
enum Before {
    /// It follows from the table's first events, which are few and at hand, and of which nothing was learned.
    FirstEvents,
    Kept(Box<Table>),
}

/// First events from which a table's state is made again when it is asked for: the opening, and whoever sits
/// down. Most tables that are opened never see their second shoe.
const FIRST_EVENTS: u64 = 64;

/// Findings that may still be taken back, and those that are final.
#[derive(Debug, Clone, Default)]
struct HandedOn {
    pending: Vec<Finding>,
    settled: Vec<Finding>,
}

impl HandedOn {
    fn settle(&mut self) {
        self.settled.append(&mut self.pending);
    }
}

impl Record {
    pub(crate) fn new(id: String, question: Arc<Question>) -> Self {
        let table = Table::new(id, question);
        Self {
            next: 1,
            waiting: BTreeMap::new(),
            runs: Runs::default(),
            faults: Seldom::default(),
            first: 1,
            bytes: 0,
            before: Before::FirstEvents,
            table,
            known: Seldom::default(),
            stale: false,
            played: 0,
            played_back: 0,
            tally: Counted::default(),
            shoe_locations: ShoeLocations::default(),
            reported: None,
            handed_on: None,
        }
    }

    /// Taken up again, it is asked this, and shares the texts of rulebooks with those taken up before.
    pub(crate) fn ask(&mut self, question: &Arc<Question>, texts: &mut BTreeSet<Arc<str>>) {
        if let Before::Kept(before) = &mut self.before {
            before.ask(question);
        }
        self.table.ask(question);
        self.runs.share_again(texts);
    }

    /// No event is expected soon: only what has to be kept takes room.
    pub(crate) fn rest(&mut self) {
        self.runs.rest();
        self.tally.rest();
        let Self { runs, table, before, .. } = self;
        table.rest(|text| runs.text(text));
        if let Before::Kept(before) = before {
            before.rest(|text| runs.text(text));
        }
    }

    /// An event comes, or the end.
    pub(super) fn wake(&mut self) {
        self.table.wake();
        if let Before::Kept(before) = &mut self.before {
            before.wake();
        }
    }

    /// A finding that no event of this table shows alone.
    pub(crate) fn count(&mut self, finding: &Finding) {
        self.tally.summary.count_finding(finding);
    }

    /// Openings played since this was asked last; some of them again, where they were played back.
    pub(crate) fn take_openings(&mut self) -> impl Iterator<Item = Opening> + use<> {
        self.table.take_openings().into_iter()
    }

    /// From here on everything found is told as it shows.
    pub(crate) fn report_live(&mut self) {
        self.reported.get_or_insert_default();
    }

    /// From here on every finding is handed on once it is final.
    pub(crate) fn hand_on(&mut self) {
        self.handed_on.get_or_insert_default();
    }

    /// Findings that became final since this was asked last, in log order.
    pub(crate) fn take_settled(&mut self) -> Vec<Finding> {
        let Some(handed_on) = &mut self.handed_on else { return Vec::new() };
        let mut settled = std::mem::take(&mut handed_on.settled);
        settled.sort_unstable();
        settled
    }

    /// Plays the next events of the numbering to the table.
    fn play(&mut self, run: Run, events: &[Event]) {
        let Run { first, entry, received, .. } = run;
        self.next = run.end();
        self.bytes += run.bytes();
        self.keep(run.clone(), events);
        if let Held::Unknown(reason) = run.held {
            self.table.not_known(&run, reason, &self.known);
        }
        for (sequence, event) in (first..).zip(events) {
            self.played += 1;
            self.note_location(sequence, &event.body);
            let location = Location { entry, sequence };
            let (runs, known) = (&self.runs, &self.known);
            let seen = Seen { location, received, amended: None, runs, first: self.first, known };
            if let Some(revision) = self.table.event(event, &seen) {
                self.revise(location, revision);
            }
        }
        self.collect();
        if self.bytes > MAX_RECORD {
            self.play_back_if_stale(self.next);
            self.settle_before(self.next);
        }
    }

    /// Keeps the bytes of events, to be played back and compared with.
    fn keep(&mut self, mut run: Run, events: &[Event]) {
        for event in events {
            if let Body::TableOpened(opened) = &event.body {
                run.share(opened.rulebook.shared());
            }
        }
        self.runs.insert(run);
    }

    fn note_location(&mut self, sequence: u64, body: &Body) {
        if let Body::ShoeLoaded(loaded) = body {
            self.play_back_if_stale(sequence);
            if self.faults.holes.is_empty() {
                self.settle_before(sequence);
            }
            self.shoe_locations.load(&loaded.shoe, sequence);
        } else if let Body::TableOpened(_) = body {
            self.shoe_locations.open(sequence);
        } else if let Body::LimitsChanged(_) = body {
            self.shoe_locations.limit(sequence);
        }
    }

    /// What was found before this sequence is final.
    fn settle_before(&mut self, sequence: u64) {
        self.collect();
        self.tally.merge(std::mem::take(&mut self.table.tally));
        if !self.follows_from_first_events(sequence) {
            self.before = Before::Kept(Box::new(self.table.clone()));
        }
        (self.first, self.bytes) = (sequence, 0);
        if !self.faults.is_as_it_began() {
            self.faults.settle();
        }
        self.known.begin_anew();
        if let Some(reported) = &mut self.reported {
            reported.settle();
        }
        if let Some(handed_on) = &mut self.handed_on {
            handed_on.settle();
        }
        self.runs.forget_before(sequence);
    }

    /// Whether the table as it stands before an event follows from its first events alone.
    fn follows_from_first_events(&self, sequence: u64) -> bool {
        let nothing_learned = *self.known == Amendments::default() && !self.stale;
        let all_known = || self.runs.from(1).all(|run| !matches!(run.held, Held::Unknown(_)));
        let first = matches!(self.before, Before::FirstEvents) && self.first == 1;
        first && sequence <= FIRST_EVENTS && nothing_learned && self.faults.is_as_it_began() && all_known()
    }

    /// The table as it stood before what is played back.
    fn before(&self) -> Table {
        if let Before::Kept(before) = &self.before {
            return Table::clone(before);
        }
        let mut table = Table::new(self.table.id.clone(), self.table.question());
        let (runs, known) = (&self.runs, &Amendments::default());
        for run in self.runs.from(1).map_while(|run| run.part(1, self.first)) {
            for (sequence, event) in (run.first..).zip(run.events().unwrap_or_default()) {
                let location = Location { entry: run.entry, sequence };
                let seen = Seen { location, received: run.received, amended: None, runs, first: 1, known };
                table.event(&event, &seen);
            }
        }
        table.forget_found();
        table
    }

    /// Takes over what the table found since.
    fn collect(&mut self) {
        let fresh = self.table.take_fresh();
        if let Some(handed_on) = &mut self.handed_on {
            handed_on.pending.extend(fresh.iter().cloned());
        }
        if let Some(reported) = &mut self.reported {
            reported.report(fresh);
        }
    }

    /// Something was learned of events that were judged before.
    fn revise(&mut self, location: Location, revision: Revision) {
        if self.learn(location, revision) {
            self.learned();
        }
    }

    /// Gives whether playing back may show something else now.
    fn learn(&mut self, location: Location, revision: Revision) -> bool {
        let out_of_reach = match revision {
            Revision::OutOfReach { sequence } => Some(sequence),
            Revision::Corrected { .. }
            | Revision::Voided { .. }
            | Revision::Hidden { .. }
            | Revision::Order { .. }
            | Revision::Pool { .. }
            | Revision::Behind { .. }
            | Revision::GoesOn { .. }
            | Revision::WaitedFor { .. }
            | Revision::Labelled { .. }
            | Revision::Early { .. } => None,
        };
        let news = self.known.add(location, revision);
        if let Some(sequence) = out_of_reach.filter(|_| news) {
            self.tally.reopen(sequence);
        }
        news && out_of_reach.is_none()
    }

    fn learned(&mut self) {
        self.stale = true;
        let cost = self.next.saturating_sub(self.first);
        if self.played_back + cost <= PLAYED_BACK_FREELY + MOST_PLAYED_BACK * self.played {
            self.play_back(self.table.now().sequence.saturating_add(1));
        }
    }

    fn play_back_if_stale(&mut self, to: u64) {
        if self.stale {
            self.play_back(to);
        }
    }

    /// Plays the shoe in play from its beginning up to this sequence, with all that is known of it.
    fn play_back(&mut self, to: u64) {
        self.collect();
        let mut rounds = 0..ROUNDS;
        while rounds.next().is_some() && self.play_once(to) {}
        self.stale = false;
        let found = self.table.take_fresh();
        if let Some(handed_on) = &mut self.handed_on {
            handed_on.pending.clone_from(&found);
        }
        if let Some(reported) = &mut self.reported {
            reported.report_again(found);
        }
    }

    /// Gives whether something was learned on the way.
    fn play_once(&mut self, to: u64) -> bool {
        self.table = self.before();
        let amended = self.known.bodies(&self.runs);
        let (mut next, mut learned) = (self.first, Vec::new());
        for run in self.runs.from(self.first) {
            if run.first >= to {
                // What is missing right before the event that is judged next was passed.
                if run.first == to && next < to {
                    self.table.passed_over(next, run, &self.faults.left_out, &self.known);
                }
                break;
            }
            let Some(run) = run.part(self.first, to) else { break };
            if run.first > next {
                self.table.passed_over(next, &run, &self.faults.left_out, &self.known);
            }
            next = run.end();
            if let Held::Unknown(reason) = run.held {
                self.table.not_known(&run, reason, &self.known);
            }
            for (sequence, event) in (run.first..).zip(run.events().unwrap_or_default()) {
                self.played_back += 1;
                let location = Location { entry: run.entry, sequence };
                let amended = amended.get(&sequence).map(|(by, body)| (*by, body));
                let (runs, known) = (&self.runs, &self.known);
                let seen = Seen { location, received: run.received, amended, runs, first: self.first, known };
                learned.extend(self.table.event(&event, &seen).map(|revision| (location, revision)));
                if self.faults.contradicted.contains(&sequence) {
                    self.table.violate_shoe();
                }
            }
        }
        let mut news = false;
        for (location, revision) in learned {
            news |= self.learn(location, revision);
        }
        news
    }

    /// What was found since this was asked last, and what is taken back.
    pub(crate) fn take_reported(&mut self) -> (Vec<Finding>, Vec<TakenBack>) {
        self.collect();
        self.reported.as_mut().map(|reported| reported.take()).unwrap_or_default()
    }

    /// Findings that are final, to be handed on.
    pub(crate) fn settled_findings(&mut self) -> Kept {
        if self.tally.kept.is_empty() {
            return Kept::default();
        }
        std::mem::take(&mut self.tally.kept)
    }

    /// The table's record is at its end: what still waits is judged, what is unfinished is told.
    pub(crate) fn finish(&mut self) -> Tally {
        self.wake();
        while !self.waiting.is_empty() {
            self.skip_gap();
            self.judge_waiting();
        }
        self.play_back_if_stale(self.next);
        self.table.finish();
        self.collect();
        if let Some(handed_on) = &mut self.handed_on {
            handed_on.settle();
        }
        self.tally.merge(std::mem::take(&mut self.table.tally));
        std::mem::take(&mut self.tally).into_tally()
    }

    /// Events missing from the numbering, as far as they were given up.
    pub(crate) fn missing(&self) -> u64 {
        self.faults.holes.iter().chain(&self.faults.old_holes).map(|(from, to)| to - from).sum()
    }

    pub(crate) fn state(&self) -> TableState {
        let waiting = self.waiting.values().map(|run| run.count).sum();
        let counts = self.tally.counts_with(&self.table.tally);
        self.table.state(self.next, waiting, self.missing(), &counts)
    }

    /// How often each code was found.
    pub(crate) fn findings_by_code(&self) -> impl Iterator<Item = (Code, u64)> {
        let tallies = [&self.tally, &self.table.tally].into_iter();
        tallies.flat_map(|tally| &tally.summary.findings_by_code).map(|(code, count)| (*code, *count))
    }
}
