//! Judges a whole log: takes entries in log order and gives one judgement.
//!
//! The fold runs in parallel by table. An entry is decoded right before it is judged, while its events are in
//! the cache; if there are fewer tables than threads, entries are decoded in parallel ahead of the fold. The
//! result depends neither on the number of threads nor on how the log was cut into windows.

use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::sync::Arc;

use baccarat::Rulebook;
use events::{EncodeError, Event, RulebooksRead, encode_payload};
use rayon::prelude::*;
use sealed_log::entry::EntryView;
use serde::{Deserialize, Serialize};

use crate::clock::Received;
use crate::identity::{Opening, TextsOfLog};
use crate::kept::Kept;
use crate::ledger::Ledger;
use crate::names;
use crate::question::Question;
use crate::stages::Judged;
use crate::summary::{Summary, with_coups};
use crate::tally::Tally;
use crate::{
    Code, CommissionView, CoupPlace, CoupView, Finding, FindingChange, Footprint, Found, Reason, Severity,
    TableState, Verdict, Wanted,
};

/// Most entries that could not be judged that are listed.
const MAX_UNREADABLE: usize = 1_000;

/// An entry as the reader of the log hands it over.
#[derive(Debug, Clone, Copy, Default)]
pub struct Entry<'a> {
    /// Log index.
    pub index: u64,
    /// The table.
    pub table: &'a str,
    /// Sequence of its first event.
    pub first: u64,
    /// The number of events that the entry states.
    pub count: u32,
    /// The events in canonical bytes; none where they are withheld.
    pub payload: &'a [u8],
    /// Whether its events are withheld or erased, so that only their sequences are known.
    pub withheld: bool,
    /// Whether this copy of the log leaves out entries of the table right before it: a jump in the
    /// numbering is then no gap of the record.
    pub after_left_out: bool,
    /// When the log received it, and how.
    pub received: Received,
    /// Who recorded it; empty if that is not known.
    pub producer: &'a str,
}

impl<'a> Entry<'a> {
    /// A whole entry at this log index.
    #[must_use]
    pub fn of(index: u64, view: &EntryView<'a>) -> Self {
        let EntryView { producer, chain, first, count, payload, .. } = *view;
        let received = Received::of(producer, view.received_at);
        Self { index, table: chain, first, count, payload, received, producer, ..Self::default() }
    }
}

/// An entry that could not be judged.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Unreadable {
    /// Log index.
    pub entry: u64,
    /// The table.
    pub table: String,
    /// Why.
    pub message: String,
}

/// The judge of one log.
#[derive(Debug, Clone)]
pub struct Judge {
    pub(crate) question: Arc<Question>,
    pub(crate) tables: BTreeMap<String, Box<Judged>>,
    /// Tables that had events since all came to rest.
    pub(crate) awake: BTreeSet<String>,
    pub(crate) kept: Kept,
    /// Of tables as far as it is final.
    pub(crate) ledger: Ledger,
    /// The rulebooks that tables were opened under.
    pub(crate) texts: TextsOfLog,
    pub(crate) entries: u64,
    pub(crate) unreadable: Vec<Unreadable>,
    pub(crate) unreadable_count: u64,
    /// Coups that are over, where they are listed.
    pub(crate) listed: Vec<CoupPlace>,
    /// What the tables of earlier passes over the log came to.
    pub(crate) finished: Finished,
    /// About how many bytes the tables hold.
    pub(crate) held: u64,
}

/// What tables came to at the end of the log.
#[derive(Debug, Clone, Default)]
pub(crate) struct Finished {
    tally: Tally,
    tables: u64,
    missing_events: u64,
    ids: Vec<Box<str>>,
    /// The findings that only the end of the log makes final.
    found: Vec<Finding>,
    openings: Vec<(u64, Opening)>,
    /// What each table comes to, by name, where that is asked for; of many tables the first.
    states: Option<BTreeMap<String, TableState>>,
    /// Events that corrections name which the judge is not given, by table.
    corrected_later: BTreeMap<String, Vec<u64>>,
    /// About how many bytes these tables still take.
    held: u64,
}

impl Finished {
    /// These tables have no more events. Some are finished at a time: what each comes to is not held for all of them at once.
    fn add(&mut self, mut tables: impl Iterator<Item = Box<Judged>>) {
        loop {
            let mut some: Vec<Box<Judged>> = tables.by_ref().take(FINISHED_AT_ONCE).collect();
            if some.is_empty() {
                break;
            }
            let later =
                |record: &Judged| self.corrected_later.get(record.id()).map_or(&[][..], Vec::as_slice);
            let tallies: Vec<Tally> =
                some.par_iter_mut().map(|record| record.finish(later(record))).collect();
            for (record, of_table) in some.iter_mut().zip(tallies) {
                if let Some(states) = self.states.as_mut().filter(|states| states.len() < MOST_STATES) {
                    let state = record.state_by(&of_table);
                    states.insert(state.table.clone(), state);
                    self.held += OF_A_STATE;
                }
                self.tally.merge(of_table);
                self.openings.extend(record.take_openings().map(|opening| (u64::MAX, opening)));
                self.found.extend(record.take_settled());
                self.missing_events = self.missing_events.saturating_add(record.missing());
                self.held += OF_A_FINISHED_TABLE + OF_A_BYTE_OF_ITS_NAME * record.id().len() as u64;
                self.ids.push(record.id().into());
                self.tables += 1;
            }
        }
    }
}

/// Entries decoded ahead of the fold of their table, where threads are left for it.
const DECODED_AHEAD: usize = 256;

/// Most tables that keep spare memory for their next events after a window is judged.
const MAX_AWAKE: usize = 1_024;

/// Most tables of which it is kept what they come to: those that come first by name. All are counted.
const MOST_STATES: usize = Footprint::AT_ONCE.tables;

/// What is kept of a table that was judged: its name, what compares that with other names, and what the reader of the log keeps
/// of it. And what it comes to, where that is asked for.
const OF_A_FINISHED_TABLE: u64 = 384;
const OF_A_BYTE_OF_ITS_NAME: u64 = 5;
const OF_A_STATE: u64 = 2 << 10;

/// Tables finished at once.
const FINISHED_AT_ONCE: usize = 1_024;

/// An entry's bytes and events, or why there are none.
type Decoded = Result<(Arc<[u8]>, Vec<Event>), NotDecoded>;

/// Why an entry has no events.
enum NotDecoded {
    Withheld,
    Unreadable(String),
}

/// The result of a table's entries in one window.
#[derive(Default)]
struct Folded {
    /// What was found, where that is asked for.
    reported: Vec<Found>,
    /// The openings of the table, each with the entry that shows it.
    openings: Vec<(u64, Opening)>,
    /// Entries that could not be judged.
    unreadable: Vec<Unreadable>,
}

/// The result of judging a log, before [`crate::Report`] joins it with what the seal shows.
#[derive(Debug)]
pub struct Judgement {
    /// Entries judged.
    pub entries: u64,
    /// Events judged.
    pub events: u64,
    /// Tables seen.
    pub tables: u64,
    /// Groups of tables whose ids look alike ([`crate::names::look_alike_tables`]).
    pub look_alike_tables: Vec<Vec<String>>,
    /// Identical events recorded again: they change nothing.
    pub repeated_events: u64,
    /// Events missing from the tables' numbering.
    pub missing_events: u64,
    /// Corrections of shoes that were over, which are not judged again.
    pub out_of_reach: u64,
    /// The counts.
    pub summary: Summary,
    /// Findings in log order: the first [`crate::MAX_FINDINGS`], and of each code the first
    /// [`crate::FIRST_OF_EACH_CODE`] and the [`crate::LARGEST_OF_EACH_CODE`] that moved the most money.
    pub findings: Vec<Finding>,
    /// Entries that could not be judged, at most 1,000.
    pub unreadable: Vec<Unreadable>,
    /// How many there are.
    pub unreadable_count: u64,
    /// The views of the coups asked for.
    pub coup_views: Vec<CoupView>,
    /// The coups that [`Judge::take_coups`] has not given, of a judge that lists coups.
    pub coups: Vec<CoupPlace>,
    /// The commission boxes of the shoes asked for.
    pub commission: Vec<CommissionView>,
    /// What it comes to shoe by shoe, seat by seat and bet by bet, where that was asked for.
    pub ledger: Ledger,
}

impl Default for Judge {
    fn default() -> Self {
        Self::new(None, None)
    }
}

impl Judge {
    /// A judge that accepts only rulebooks with these digests (`None`: any) and makes views of the wanted
    /// coups (`None`: none).
    #[must_use]
    pub fn new(approved: Option<BTreeSet<String>>, wanted: Option<Wanted>) -> Self {
        Self {
            question: Arc::new(Question::new(approved, wanted)),
            tables: BTreeMap::new(),
            awake: BTreeSet::new(),
            kept: Kept::default(),
            ledger: Ledger::default(),
            texts: TextsOfLog::default(),
            entries: 0,
            unreadable: Vec::new(),
            unreadable_count: 0,
            listed: Vec::new(),
            finished: Finished::default(),
            held: 0,
        }
    }

    /// A judge that lists the place of every coup, whatever it comes to: take them with [`Judge::take_coups`] after
    /// each window, and the last from [`Judgement::coups`].
    #[must_use]
    pub fn listing(approved: Option<BTreeSet<String>>) -> Self {
        Self { question: Arc::new(Question::listing(approved)), ..Self::default() }
    }

    /// A judge that makes views of these coups.
    #[must_use]
    pub fn viewing<'a>(
        approved: Option<BTreeSet<String>>,
        coups: impl IntoIterator<Item = &'a CoupPlace>,
    ) -> Self {
        Self { question: Arc::new(Question::viewing(approved, coups)), ..Self::default() }
    }

    /// The coups of shoes that are over, of a judge that lists coups: those that this has not given yet.
    #[must_use]
    pub fn take_coups(&mut self) -> Vec<CoupPlace> {
        std::mem::take(&mut self.listed)
    }

    /// A judge that keeps a ledger besides: what the log comes to shoe by shoe, seat by seat and bet by bet.
    #[must_use]
    pub fn with_ledger(approved: Option<BTreeSet<String>>) -> Self {
        Self { question: Arc::new(Question::with_ledger(approved)), ..Self::default() }
    }

    /// A judge that asks what the record would come to under another rulebook than those the tables
    /// were opened under.
    #[must_use]
    pub fn under(book: Rulebook) -> Self {
        Self { question: Arc::new(Question::under(book)), ..Self::default() }
    }

    /// What it holds in memory of the tables seen so far: of those that are judged, and of those of earlier passes.
    #[must_use]
    pub fn footprint(&self) -> Footprint {
        Footprint { tables: self.tables.len(), bytes: self.held.saturating_add(self.finished.held) }
    }

    /// Forgets what was judged. The log will be judged in passes, each of some of its tables, the tables in the order of their
    /// names: [`Judge::judge`] takes the entries of those, from the beginning of the log, then [`Judge::end_pass`] ends the pass.
    pub fn begin_passes(&mut self) {
        *self = Self { question: Arc::clone(&self.question), ..Self::default() };
    }

    /// The tables that were judged have no more events: what they come to is kept, and nothing else of them.
    pub fn end_pass(&mut self) {
        if self.question.ledger {
            self.finished.states.get_or_insert_default();
        }
        self.finished.add(std::mem::take(&mut self.tables).into_values());
        self.awake.clear();
        self.held = 0;
    }

    /// Corrections that the judge is not given name these events of a table: their coups are certified no longer, nor the shoe.
    pub fn corrected_later(&mut self, table: &str, sequences: Vec<u64>) {
        self.finished.corrected_later.insert(table.to_owned(), sequences);
    }

    /// Judges the next entries of the log, in log order.
    pub fn judge(&mut self, entries: &[Entry<'_>]) {
        self.fold(entries, Reporting::Nothing);
    }

    /// Judges events that no log holds: each with its table and sequence, as an entry of its own after those before.
    ///
    /// # Errors
    /// [`EncodeError`] at an event that has no canonical bytes; those before it are judged.
    pub fn judge_events(
        &mut self,
        events: impl IntoIterator<Item = (impl AsRef<str>, u64, impl Borrow<Event>)>,
    ) -> Result<(), EncodeError> {
        for (table, first, event) in events {
            let payload = encode_payload(std::slice::from_ref(event.borrow()))?;
            let (index, table, payload) = (self.entries, table.as_ref(), &payload);
            self.judge(&[Entry { index, table, first, count: 1, payload, ..Entry::default() }]);
        }
        Ok(())
    }

    /// Judges the next entries of the log and returns what was found, entry by entry: the same findings
    /// in the same order however the log is cut into windows.
    #[must_use]
    pub fn judge_reporting(&mut self, entries: &[Entry<'_>]) -> Vec<Found> {
        self.fold(entries, Reporting::Live)
    }

    /// Judges the next entries of the log and returns every finding once it is final, when its shoe is over.
    /// [`Judge::finish_reporting`] returns the rest.
    #[must_use]
    pub fn judge_settling(&mut self, entries: &[Entry<'_>]) -> Vec<Finding> {
        let reported = self.fold(entries, Reporting::Settled);
        let found = reported.into_iter().map(|found| match found.change {
            FindingChange::Found(finding) => Some(finding),
            FindingChange::TakenBack(_) => None,
        });
        found.flatten().collect()
    }

    fn fold(&mut self, entries: &[Entry<'_>], reporting: Reporting) -> Vec<Found> {
        self.entries += entries.len() as u64;
        let mut by_table: BTreeMap<&str, Vec<&Entry<'_>>> = BTreeMap::new();
        for entry in entries {
            by_table.entry(entry.table).or_default().push(entry);
        }
        let mut work: Vec<_> =
            by_table.into_iter().map(|(name, entries)| (self.take_table(name), entries)).collect();
        let threads_left = work.len() < rayon::current_num_threads();
        let question = &self.question;
        let folded = work.par_iter_mut().map(|((_, record), entries)| {
            let ahead = if threads_left { DECODED_AHEAD } else { 1 };
            fold_table(record, entries, reporting, ahead, &question.documents)
        });
        let folded: Vec<Folded> = folded.collect();
        for ((name, mut record), _) in work {
            self.held = self.held.saturating_add(record.held());
            self.kept.absorb(record.settled_findings());
            self.listed.append(&mut record.take_listed());
            if let Some(ledger) = record.settled_ledger() {
                self.ledger.merge(ledger);
            }
            self.tables.insert(name, record);
        }
        let (mut reported, mut openings, mut unreadable) = (Vec::new(), Vec::new(), Vec::new());
        for of_table in folded {
            reported.extend(of_table.reported);
            openings.extend(of_table.openings);
            unreadable.extend(of_table.unreadable);
        }
        self.cannot_judge(unreadable);
        for (shown_by, finding) in self.compare_texts(openings) {
            self.kept.keep(finding.clone());
            if let Some(record) = self.tables.get_mut(&finding.table) {
                record.count(&finding);
            }
            let said = reporting != Reporting::Nothing;
            reported.extend(said.then_some(Found { shown_by, change: FindingChange::Found(finding) }));
        }
        self.rest();
        reported.sort_by_key(|found| found.shown_by);
        reported
    }

    /// Takes the record of a table, made where there is none, to be put back.
    fn take_table(&mut self, name: &str) -> (String, Box<Judged>) {
        if !self.awake.contains(name) {
            self.awake.insert(name.to_owned());
        }
        if let Some(taken) = self.tables.remove_entry(name) {
            self.held = self.held.saturating_sub(taken.1.held());
            return taken;
        }
        (name.to_owned(), Box::new(Judged::new(name.to_owned(), Arc::clone(&self.question))))
    }

    /// Frees spare memory of the tables that had events, once they are many: most have no more events soon.
    fn rest(&mut self) {
        if self.awake.len() > MAX_AWAKE {
            for name in std::mem::take(&mut self.awake) {
                self.tables.get_mut(&name).into_iter().for_each(|record| record.rest());
            }
        }
    }

    /// Finds two rulebook texts of one id, in the order in which their openings showed; each with the entry that shows it.
    fn compare_texts(&mut self, mut openings: Vec<(u64, Opening)>) -> Vec<(u64, Finding)> {
        openings.sort();
        let another = |(shown_by, opening): (u64, Opening)| {
            let first = self.texts.add(&opening)?;
            // Another text under the id of a built-in one has a code of its own.
            let is_own = baccarat::builtin(&opening.id).is_err();
            is_own.then(|| (shown_by, opening.another_text(&first)))
        };
        openings.into_iter().filter_map(another).collect()
    }

    /// Notes entries that could not be judged; the first are listed, in log order.
    fn cannot_judge(&mut self, mut unreadable: Vec<Unreadable>) {
        if unreadable.is_empty() {
            return;
        }
        self.unreadable_count += unreadable.len() as u64;
        self.unreadable.append(&mut unreadable);
        self.unreadable.sort_unstable();
        self.unreadable.truncate(MAX_UNREADABLE);
    }

    /// The log ends: returns the judgement.
    #[must_use]
    pub fn finish(self) -> Judgement {
        self.finish_reporting().0
    }

    /// The log ends: returns the judgement, and the findings that only the end of the log makes final, in log order.
    #[must_use]
    pub fn finish_reporting(mut self) -> (Judgement, Vec<Finding>) {
        let tables = std::mem::take(&mut self.tables).into_values();
        let (judgement, found, _) = self.finish_tables(tables);
        (judgement, found)
    }

    /// The same, with what each table comes to at the end, by name: of the first 250,000 tables.
    #[must_use]
    pub fn finish_by_table(mut self) -> (Judgement, Vec<Finding>, BTreeMap<String, TableState>) {
        let tables = std::mem::take(&mut self.tables).into_values();
        self.finished.states.get_or_insert_default();
        let (judgement, found, states) = self.finish_tables(tables);
        (judgement, found, states.unwrap_or_default())
    }

    /// The judgement of the log as far as it was read. Tables are copied a few at a time.
    #[must_use]
    pub fn as_it_stands(&self) -> Judgement {
        let beside = Self {
            question: Arc::clone(&self.question),
            tables: BTreeMap::new(),
            awake: BTreeSet::new(),
            kept: self.kept.clone(),
            ledger: self.ledger.clone(),
            texts: self.texts.clone(),
            entries: self.entries,
            unreadable: self.unreadable.clone(),
            unreadable_count: self.unreadable_count,
            listed: self.listed.clone(),
            finished: Finished::default(),
            held: 0,
        };
        beside.finish_tables(self.tables.values().cloned()).0
    }

    /// The judgement of what was judged so far and of these tables.
    fn finish_tables(
        mut self,
        tables: impl Iterator<Item = Box<Judged>>,
    ) -> (Judgement, Vec<Finding>, Option<BTreeMap<String, TableState>>) {
        let mut finished = std::mem::take(&mut self.finished);
        finished.add(tables);
        let Finished {
            mut tally,
            tables: count,
            missing_events,
            ids,
            mut found,
            openings: last,
            mut states,
            ..
        } = finished;
        let mut kept = std::mem::take(&mut self.kept);
        self.listed.append(&mut tally.listed);
        tally.listed = std::mem::take(&mut self.listed);
        kept.absorb(std::mem::take(&mut tally.kept));
        let mut ledger = std::mem::take(&mut self.ledger);
        ledger.merge(tally.ledger.take().map(|ledger| *ledger).unwrap_or_default());
        for (_, finding) in self.compare_texts(last) {
            tally.summary.count_finding(&finding);
            if let Some(state) = states.as_mut().and_then(|states| states.get_mut(&finding.table)) {
                *state.findings_by_code.entry(finding.code).or_default() += 1;
            }
            kept.keep(finding.clone());
            found.push(finding);
        }
        found.sort_unstable();
        let findings = kept.into_sorted();
        tally.summary.list(findings.len());
        let question = Arc::clone(&self.question);
        let judgement = Judgement {
            entries: self.entries,
            events: tally.events,
            tables: count,
            look_alike_tables: names::look_alike_tables(&ids),
            repeated_events: tally.repeated,
            missing_events,
            out_of_reach: tally.out_of_reach,
            summary: tally.summary.with_rulebooks(|used| question.standing(with_coups(used))),
            findings,
            unreadable: self.unreadable,
            unreadable_count: self.unreadable_count,
            coup_views: tally.coup_views,
            coups: tally.listed,
            commission: tally.commission,
            ledger,
        };
        (judgement, found, states)
    }
}

/// What is reported while the log is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reporting {
    Nothing,
    /// Findings as they show, and those that are taken back.
    Live,
    /// Findings once they are final.
    Settled,
}

/// One table judges its entries of a window, so many of them decoded at once.
fn fold_table(
    record: &mut Judged,
    entries: &[&Entry<'_>],
    reporting: Reporting,
    ahead: usize,
    rulebooks: &RulebooksRead,
) -> Folded {
    let mut folded = Folded::default();
    match reporting {
        Reporting::Nothing => {}
        Reporting::Live => record.report_live(),
        Reporting::Settled => record.hand_on(),
    }
    for entries in entries.chunks(ahead) {
        if let [entry] = entries {
            folded.add(record, entry, decode(entry, rulebooks));
        } else {
            let decoded: Vec<Decoded> = entries.par_iter().map(|entry| decode(entry, rulebooks)).collect();
            entries.iter().zip(decoded).for_each(|(entry, events)| folded.add(record, entry, events));
        }
    }
    folded
}

impl Folded {
    /// The table judges its next entry.
    fn add(&mut self, record: &mut Judged, entry: &Entry<'_>, events: Decoded) {
        if entry.after_left_out {
            record.left_out_to(entry.first);
        }
        let content = events.map_err(|why| match why {
            NotDecoded::Withheld => (entry.count, Reason::PayloadWithheld),
            NotDecoded::Unreadable(message) => {
                let table = entry.table.to_owned();
                self.unreadable.push(Unreadable { entry: entry.index, table, message });
                (entry.count, Reason::EntryUnreadable)
            }
        });
        record.recorded_by(entry.index, entry.producer);
        record.entry(entry.index, entry.first, content, entry.received);
        self.openings.extend(record.take_openings().map(|opening| (entry.index, opening)));
        self.reported.extend(found_by(entry.index, record));
    }
}

/// What an entry showed of its table.
fn found_by(entry: u64, record: &mut Judged) -> impl Iterator<Item = Found> + use<> {
    let (mut found, taken_back) = record.take_reported();
    found.extend(record.take_settled());
    let found = found.into_iter().map(FindingChange::Found);
    let taken_back = taken_back.into_iter().map(FindingChange::TakenBack);
    taken_back.chain(found).map(move |change| Found { shown_by: entry, change })
}

fn decode(entry: &Entry<'_>, rulebooks: &RulebooksRead) -> Decoded {
    if entry.withheld {
        return Err(NotDecoded::Withheld);
    }
    let events = events::decode_payload_knowing(entry.payload, rulebooks)
        .map_err(|error| NotDecoded::Unreadable(error.to_string()))?;
    if events.len() as u64 == u64::from(entry.count) {
        Ok((Arc::from(entry.payload), events))
    } else {
        let (says, holds) = (entry.count, events.len());
        Err(NotDecoded::Unreadable(format!("the entry says it holds {says} events and holds {holds}")))
    }
}

impl Judgement {
    /// Violations found.
    #[must_use]
    pub fn violations(&self) -> u64 {
        let weighs = |code: &&Code| code.severity() == Severity::Violation;
        self.summary
            .findings_by_code
            .keys()
            .filter(weighs)
            .map(|code| self.summary.findings_by_code[code])
            .sum()
    }

    /// Whether no table's numbering has a gap.
    #[must_use]
    pub fn complete(&self) -> Verdict {
        let found = |code| {
            self.summary.findings_by_code.contains_key(&code)
                || self.summary.consequences_by_code.contains_key(&code)
        };
        if found(Code::SequenceGap) || found(Code::CoupsNotRecorded) {
            Verdict::No
        } else if found(Code::SequenceLate) || self.unreadable_count > 0 || self.entries == 0 {
            Verdict::Unknown
        } else {
            Verdict::Yes
        }
    }

    /// Whether every coup and shoe was derived and agrees with the record. A shoe still in play at the record's end
    /// is neither right nor wrong, so the answer then is [`Verdict::Unknown`].
    #[must_use]
    pub fn certified(&self) -> Verdict {
        let found = |code| self.summary.findings_by_code.get(code).copied().unwrap_or_default();
        let late = found(&Code::SequenceLate) + found(&Code::MoreThanKept);
        let open = self.summary.coups.undecided
            + self.summary.shoes.undecided
            + self.unreadable_count
            + self.out_of_reach
            + late;
        if self.violations() > 0 || self.summary.coups.violated > 0 {
            Verdict::No
        } else if open > 0 || self.summary.coups.total() == 0 {
            Verdict::Unknown
        } else {
            Verdict::Yes
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A log of millions of tables is judged in passes, and what each comes to is not held for all of them.
    #[test]
    fn what_tables_come_to_is_kept_of_so_many_and_all_are_counted() {
        let tables = MOST_STATES + 3;
        let mut judge = Judge::with_ledger(None);
        judge.begin_passes();
        let names: Vec<String> = (0..tables).map(|number| format!("T-{number:06}")).collect();
        for pass in names.chunks(MOST_STATES / 2) {
            let entry = |name| Entry { table: name, first: 1, count: 1, withheld: true, ..Entry::default() };
            judge.judge(&pass.iter().map(|name| entry(name)).collect::<Vec<_>>());
            judge.end_pass();
        }
        let (judgement, _, states) = judge.finish_by_table();
        assert_eq!((judgement.tables, states.len()), (tables as u64, MOST_STATES));
        let last = states.last_key_value().map(|(name, _)| name.as_str());
        assert_eq!(last, Some(names[MOST_STATES - 1].as_str()));
    }
}
