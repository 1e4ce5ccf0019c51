//! The record of one table: puts its events into the order of their sequences and plays them to the table.
//!
//! Some facts about the shoe in play are learned later: an event that arrives late, a correction, the void of
//! a settled coup, how many cards a gap hides. The result is not patched then. The events of the shoe are
//! played again from its beginning with the new facts, and their result replaces the old one.
//!
//! Playing again begins where the shoe in play was loaded or, if earlier events are missing, at the shoe with the
//! first missing event; at most [`MAX_RECORD`] bytes of events are kept for it. An event that belongs before
//! this range is reported as too late, and then the log gets no certificate.

mod amendments;
mod differences;
mod entries;
mod observed;
mod reported;
mod runs;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::sync::Arc;

use events::{Body, Event};
use serde::{Deserialize, Serialize};

use self::amendments::Playing;
pub(crate) use self::amendments::{Amendments, Reseated, Revision};
pub(crate) use self::observed::is_of_an_observation;
pub(crate) use self::reported::Reported;
pub use self::reported::TakenBack;
pub use self::runs::MAX_COMPARED;
pub(crate) use self::runs::{Held, Run, Runs};
use crate::caps::Cap;
use crate::decided_late::Weighed;
use crate::identity::Opening;
use crate::kept::Kept;
use crate::ledger::Ledger;
use crate::question::Question;
use crate::seldom::Seldom;
use crate::shoe_locations::ShoeLocations;
use crate::sink::Location;
use crate::table::{Seen, Table, more_than_kept};
use crate::tally::{Counted, Tally};
use crate::{Code, CoupPlace, Finding, Reason, RulebookUsed, TableState};

/// Most events that wait for a gap to be filled before it is declared; an event that fills it later is judged then.
pub(crate) const MAX_WAITING: usize = 512;

/// Most bytes of a table's events that are kept to be played again.
pub(crate) const MAX_RECORD: usize = Cap::BytesOfShoe.most();

/// Most events played again for each new one. Beyond this playing again waits for the end of the shoe, because
/// many corrections could keep a judge at work for hours.
const MOST_PLAYED_BACK: u64 = 16;

/// Events that may be played again in any case.
const PLAYED_BACK_FREELY: u64 = 100_000;

/// The content of an entry: its bytes and its events, or the number of events and why they are not known.
pub(crate) type Content = Result<(Arc<[u8]>, Vec<Event>), (u32, Reason)>;

/// One table's record.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Record {
    /// The sequence that the next event must have.
    next: u64,
    /// Runs that wait for what is missing before them, by their first sequence and entry.
    #[serde(with = "crate::saved::pairs")]
    waiting: BTreeMap<(u64, u64), Run>,
    runs: Runs,
    faults: Seldom<Faults>,
    /// The sequence from which events are played again.
    first: u64,
    /// Bytes of the events since `first`.
    bytes: usize,
    /// The table before `first`.
    before: Before,
    /// The table now.
    table: Table,
    known: Seldom<Amendments>,
    /// A fact was learned and the events were not played again yet.
    stale: bool,
    /// Each time that the events were played again a fact was learned, and they were not played again for the last one.
    unsettled: bool,
    played: u64,
    played_back: u64,
    /// Whether it is reported that a correction names an event of a coup whose result is forgotten.
    #[serde(default)]
    past_forgotten: bool,
    /// The results of all events before `first`.
    tally: Counted,
    pub(crate) shoe_locations: ShoeLocations,
    /// The findings reported so far, if they are reported as they show.
    reported: Option<Box<Reported>>,
    /// The findings that are not final yet and those that are, if findings are reported once they are final.
    #[serde(skip)]
    handed_on: Option<Box<HandedOn>>,
}

/// Most events of earlier shoes that are listed because a correction names them: the shoes that have locations, with many each.
const MAX_CORRECTED_LATER: usize = 4_096;

/// What is wrong with a table's numbering, and what few tables have.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Faults {
    /// Ranges of sequences declared missing since `first`: events that arrive for them are judged.
    holes: Vec<(u64, u64)>,
    /// The same before `first`.
    old_holes: Vec<(u64, u64)>,
    /// Ranges of sequences that this copy leaves out.
    left_out: Vec<(u64, u64)>,
    /// The last event that contradicted one before it.
    conflict: Option<Location>,
    /// The sequence after the last event that came too late to be judged.
    late: Option<u64>,
    /// Events of shoes that are over which corrections in later shoes name, the newest [`MAX_CORRECTED_LATER`].
    corrected_later: BTreeSet<u64>,
    /// Sequences since `first` under which two events were recorded, about one for each shoe: the shoe is violated.
    contradicted: BTreeSet<u64>,
}

impl Faults {
    /// Playing again will begin at a new shoe.
    fn settle(&mut self) {
        self.old_holes.append(&mut self.holes);
        self.contradicted.clear();
    }
}

/// The table before the events that are played again.
#[derive(Debug, Clone, Serialize, Deserialize)]
enum Before {
    /// It follows from the table's first events: they are few, they are kept, and nothing was learned about them.
    FirstEvents,
    Kept(Box<Table>),
}

/// Most first events from which a table's state is made again on demand: the opening, and players who sit
/// down. Most tables never see their second shoe.
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
            unsettled: false,
            played: 0,
            played_back: 0,
            past_forgotten: false,
            tally: Counted::default(),
            shoe_locations: ShoeLocations::default(),
            reported: None,
            handed_on: None,
        }
    }

    /// A table that was saved: takes these settings, and shares the texts of rulebooks with the tables loaded before.
    pub(crate) fn loaded(
        text: &str,
        question: &Arc<Question>,
        texts: &mut BTreeSet<Arc<str>>,
    ) -> Result<Self, serde_json::Error> {
        let mut record: Self = serde_json::from_str(text)?;
        record.ask(question, texts);
        record.rest();
        Ok(record)
    }

    fn ask(&mut self, question: &Arc<Question>, texts: &mut BTreeSet<Arc<str>>) {
        if let Before::Kept(before) = &mut self.before {
            before.ask(question);
        }
        self.table.ask(question);
        self.runs.share_again(texts);
    }

    /// The rulebooks that its coups were judged by; one may come twice.
    pub(crate) fn rulebooks(&self) -> impl Iterator<Item = &RulebookUsed> {
        let both = [&self.tally, &self.table.tally].into_iter();
        both.flat_map(|tally| tally.summary.rulebooks.iter().map(|(used, _)| &*used.0))
    }

    /// No event is expected soon: frees all memory that is not needed.
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

    /// About how many bytes it holds: its own, those of the events that it may play again or that wait, with what follows from
    /// them, and those of the bets of its shoe.
    pub(crate) fn held(&self) -> u64 {
        const OF_ITSELF: u64 = 8 << 10;
        const OF_A_BYTE: u64 = 4;
        const OF_A_BET: u64 = 256;
        const OF_A_PRODUCER: u64 = 96;
        let waiting: usize = self.waiting.values().map(Run::bytes).sum();
        let events = self.bytes.saturating_add(waiting) as u64;
        let named = self.table.producers.len() as u64 * OF_A_PRODUCER;
        OF_ITSELF + events.saturating_mul(OF_A_BYTE) + self.table.bets() * OF_A_BET + named
    }

    /// A finding that no event of this table shows alone.
    pub(crate) fn count(&mut self, finding: &Finding) {
        self.tally.summary.count_finding(finding);
    }

    /// Openings played since this was asked last; some of them again, where they were played back.
    pub(crate) fn take_openings(&mut self) -> impl Iterator<Item = Opening> + use<> {
        self.table.take_openings().into_iter()
    }

    /// From here on findings are reported as they show.
    pub(crate) fn report_live(&mut self) {
        self.reported.get_or_insert_default();
    }

    /// From here on every finding is reported once it is final.
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

    /// Passes the next events to the table.
    fn play(&mut self, run: Run, events: &[Event]) {
        let Run { first, entry, received, .. } = run;
        self.next = run.end();
        self.bytes += run.bytes();
        self.keep(run.clone(), events);
        if let Held::Unknown(reason) = run.held {
            self.table.not_known(&run, reason, &self.known);
        }
        // The positions second: they are not asked for one past the last event, which may have the largest there is.
        for (event, sequence) in events.iter().zip(first..) {
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
            // Behind a gap it is reported already that what comes later than this comes too late.
            if self.faults.holes.is_empty() {
                self.table.forget(Cap::BytesOfShoe);
            }
            self.settle_before(self.next);
        }
    }

    /// Keeps the bytes of events, to play them again and to compare repeats with them.
    fn keep(&mut self, mut run: Run, events: &[Event]) {
        run.share(events);
        self.runs.insert(run);
    }

    fn note_location(&mut self, sequence: u64, body: &Body) {
        if let Body::ShoeLoaded(loaded) = body {
            self.learn_mended();
            self.play_back_if_stale(sequence);
            // What was recorded before the first shoe is played again with it.
            if self.faults.holes.is_empty() && self.table.had_a_shoe() {
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
        self.compare_corrected(sequence, false);
        self.collect();
        self.tally.merge(std::mem::take(&mut self.table.tally));
        self.table.settle_corrections();
        self.table.forget_no_more(Cap::Rejudgings);
        self.unsettled = false;
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

    /// Whether the state of the table before an event follows from its first events alone.
    fn follows_from_first_events(&self, sequence: u64) -> bool {
        let nothing_learned = *self.known == Amendments::default() && !self.stale;
        let all_known = || self.runs.from(1).all(|run| !matches!(run.held, Held::Unknown(_)));
        let first = matches!(self.before, Before::FirstEvents) && self.first == 1;
        first && sequence <= FIRST_EVENTS && nothing_learned && self.faults.is_as_it_began() && all_known()
    }

    /// The table before the events that are played again.
    fn before(&self) -> Table {
        if let Before::Kept(before) = &self.before {
            return Table::clone(before);
        }
        let mut table = Table::new(self.table.id.clone(), self.table.question());
        let (runs, known) = (&self.runs, &Amendments::default());
        for run in self.runs.from(1).map_while(|run| run.part(1, self.first)) {
            for (event, sequence) in run.events().unwrap_or_default().into_iter().zip(run.first..) {
                let location = Location { entry: run.entry, sequence };
                let seen = Seen { location, received: run.received, amended: None, runs, first: 1, known };
                table.event(&event, &seen);
            }
        }
        table.forget_found();
        table
    }

    /// Takes the table's new findings.
    fn collect(&mut self) {
        let fresh = self.table.take_fresh();
        if let Some(handed_on) = &mut self.handed_on {
            handed_on.pending.extend(fresh.iter().cloned());
        }
        if let Some(reported) = &mut self.reported {
            reported.report(fresh);
        }
    }

    /// Applies a fact about events that were judged before.
    fn revise(&mut self, location: Location, revision: Revision) {
        if self.learn(location, revision) {
            self.learned();
        }
    }

    /// Notes the fact; returns whether playing again may change the result.
    fn learn(&mut self, location: Location, revision: Revision) -> bool {
        let out_of_reach = match &revision {
            Revision::OutOfReach { sequence, seat } => Some((*sequence, seat.is_some())),
            Revision::Reseated(_)
            | Revision::Corrected { .. }
            | Revision::CorrectedLate { .. }
            | Revision::Concluded { .. }
            | Revision::Ruled { .. }
            | Revision::Voided { .. }
            | Revision::SettledAgain { .. }
            | Revision::Hidden { .. }
            | Revision::Order { .. }
            | Revision::Compared { .. }
            | Revision::Pool { .. }
            | Revision::Behind { .. }
            | Revision::GoesOn { .. }
            | Revision::WaitedFor { .. }
            | Revision::Labelled { .. }
            | Revision::Mended { .. }
            | Revision::Early { .. } => None,
        };
        let news = self.known.add(location, revision);
        let Some((sequence, reseated)) = out_of_reach.filter(|_| news) else { return news };
        // The shoe that was in play before what can be played again is over only once that is played.
        let shoe = self.before().shoe_in_play_at(sequence);
        if shoe.is_some() {
            self.known.open_shoe_before();
        }
        self.faults.corrected_later.insert(sequence);
        if self.faults.corrected_later.len() > MAX_CORRECTED_LATER {
            self.faults.corrected_later.pop_first();
        }
        let ledger_of = self.table.keeps_ledger().then_some(self.table.id.as_str());
        self.tally.reopen(sequence, ledger_of, shoe);
        if self.tally.has_forgotten(sequence) && !std::mem::replace(&mut self.past_forgotten, true) {
            self.report_forgotten_past(location);
        }
        reseated || shoe.is_some()
    }

    /// A shoe is over, or the record: the last gap in it may explain what was wrong before.
    fn learn_mended(&mut self) {
        let location = self.table.now();
        if let Some(revision) = self.table.mended() {
            self.stale |= self.learn(location, revision);
        }
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

    /// Plays the shoe in play again up to this sequence, with all facts that are known. Each time may show one more fact,
    /// such as how many cards a gap hides, or another of the at most six cards of a coup that was recorded too early.
    fn play_back(&mut self, to: u64) {
        self.play_back_at_most(to, Cap::Rejudgings.most());
    }

    fn play_back_at_most(&mut self, to: u64, rounds: usize) {
        self.collect();
        let mut rounds = 0..rounds;
        self.unsettled = true;
        while self.unsettled && rounds.next().is_some() {
            self.unsettled = false;
            self.unsettled = self.play_once(to);
        }
        if self.unsettled {
            // What was learned last is not applied: nothing in the shoe is known to be right.
            self.play_through(to, Playing::AsDecided, None, false);
        }
        if self.known.any_late() {
            self.weigh_late_corrections(to);
        }
        self.stale = false;
        let found = self.table.take_fresh();
        if let Some(handed_on) = &mut self.handed_on {
            handed_on.pending.clone_from(&found);
        }
        if let Some(reported) = &mut self.reported {
            reported.report_again(&found);
        }
    }

    /// Finds what corrections of decisions that came too late would have moved, and plays with that.
    fn weigh_late_corrections(&mut self, to: u64) {
        let (late, decided) = (self.table.late_corrections(), self.table.world());
        self.play_through(to, Playing::AsCorrected, None, false);
        let weighed = Weighed::compare(&late, &decided, &self.table.world());
        let learned = self.play_through(to, Playing::AsDecided, Some(Arc::new(weighed)), false);
        for (location, revision) in learned {
            self.learn(location, revision);
        }
    }

    /// Plays it once; returns whether a new fact was learned.
    fn play_once(&mut self, to: u64) -> bool {
        let learned = self.play_through(to, Playing::AsDecided, None, false);
        // What the gaps of a shoe explain is asked after each of them: only what the last one answers holds.
        let mended = |revision: &Revision| {
            if let Revision::Mended { loaded, .. } = revision { Some(*loaded) } else { None }
        };
        let (mut news, mut after) = (false, BTreeSet::new());
        let holds: Vec<bool> = learned
            .iter()
            .rev()
            .map(|(_, revision)| mended(revision).is_none_or(|of| after.insert(of)))
            .collect();
        for ((location, revision), holds) in learned.into_iter().zip(holds.into_iter().rev()) {
            news |= holds && self.learn(location, revision);
        }
        news
    }

    /// Plays it once; returns the facts that the events show. `accounts`: the table keeps the accounts of its coups.
    fn play_through(
        &mut self,
        to: u64,
        world: Playing,
        weighed: Option<Arc<Weighed>>,
        accounts: bool,
    ) -> Vec<(Location, Revision)> {
        let mut before = self.before();
        std::mem::swap(&mut before.producers, &mut self.table.producers);
        self.table = before;
        if self.unsettled {
            self.table.leave_all_open(Cap::Rejudgings);
        }
        if !self.known.is_as_it_began() {
            self.known.reseated().for_each(|seat| self.table.reseat(seat));
            self.known.mended_in(0).into_iter().for_each(|explained| self.table.explain(explained));
            if self.known.is_shoe_before_open() {
                self.table.leave_shoe_uncertified();
            }
        }
        if self.known.any_late() || !self.known.ruled().is_empty() {
            let compared = weighed.is_none() && self.known.any_late();
            self.table.play_again(weighed.unwrap_or_default(), self.known.ruled(), compared);
        }
        if accounts {
            self.table.keep_accounts();
        }
        let amended = self.known.bodies(&self.runs, world);
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
            for (event, sequence) in run.events().unwrap_or_default().into_iter().zip(run.first..) {
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
        if self.unsettled {
            self.table.accuse(more_than_kept(Cap::Rejudgings));
        }
        learned
    }

    /// Takes the new findings, and those that are taken back.
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

    /// The coups whose place is final, where coups are listed.
    pub(crate) fn take_listed(&mut self) -> Vec<CoupPlace> {
        if self.tally.listed.is_empty() {
            return Vec::new();
        }
        std::mem::take(&mut self.tally.listed)
    }

    /// The part of the ledger that is final.
    pub(crate) fn settled_ledger(&mut self) -> Option<Ledger> {
        let kept = if self.table.keeps_ledger() { self.tally.ledger.take() } else { None };
        kept.map(|ledger| *ledger)
    }

    /// The table's record ends: judges what still waits and reports what is unfinished.
    ///
    /// Corrections that it was not given name the events of `corrected_later`.
    pub(crate) fn finish(&mut self, corrected_later: &[u64]) -> Tally {
        self.wake();
        while !self.waiting.is_empty() {
            self.skip_gap();
            self.judge_waiting();
        }
        self.learn_mended();
        self.play_back_if_stale(self.next);
        self.table.finish();
        self.compare_corrected(self.next, true);
        self.collect();
        if let Some(handed_on) = &mut self.handed_on {
            handed_on.settle();
        }
        self.tally.merge(std::mem::take(&mut self.table.tally));
        let mut tally = std::mem::take(&mut self.tally).into_tally();
        let ledger_of = self.table.keeps_ledger().then_some(self.table.id.as_str());
        corrected_later.iter().for_each(|sequence| tally.reopen(*sequence, ledger_of, None));
        tally
    }

    /// The events in this range that corrections in later shoes name.
    pub(crate) fn corrected_later(&self, events: RangeInclusive<u64>) -> Vec<u64> {
        self.faults.corrected_later.range(events).copied().collect()
    }

    /// Events missing from the numbering, as far as they were given up.
    pub(crate) fn missing(&self) -> u64 {
        self.faults.holes.iter().chain(&self.faults.old_holes).map(|(from, to)| to - from).sum()
    }

    pub(crate) fn state(&self) -> TableState {
        self.state_by(&self.tally.counts_with(&self.table.tally))
    }

    /// Where its newest shoes are.
    #[cfg(not(feature = "stages"))]
    pub(crate) const fn shoe_locations(&self) -> &ShoeLocations {
        &self.shoe_locations
    }

    /// The id of the table.
    pub(crate) fn id(&self) -> &str {
        &self.table.id
    }

    /// The same by these counts.
    pub(crate) fn state_by(&self, counts: &Tally) -> TableState {
        let waiting = self.waiting.values().map(|run| run.count).sum();
        self.table.state(self.next, waiting, self.missing(), counts)
    }

    /// How often each code was found.
    pub(crate) fn findings_by_code(&self) -> impl Iterator<Item = (Code, u64)> {
        let tallies = [&self.tally, &self.table.tally].into_iter();
        tallies.flat_map(|tally| &tally.summary.findings_by_code).map(|(code, count)| (*code, *count))
    }
}

#[cfg(test)]
mod tests;
