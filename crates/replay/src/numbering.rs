//! The first stage: the numbering of a table. It puts the events of a table into the order of their sequences, and
//! says what is missing, what comes again, and what contradicts something before it. It knows no rules.
//!
//! Events that come before their turn wait: a gap may still be filled. Once more than [`MAX_WAITING`] events wait, or the
//! record ends, what is missing is given up. If it comes after all, it is put where it belongs, as long as the events around it
//! are kept.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::reading::{Absent, Hole};
use crate::record::{Held, Run, Runs};
use crate::sink::{Accusation, Location};
use crate::statement::OfRecord;
use crate::{Code, Reason};

/// Most events that wait for a gap to be filled before it is declared; an event that fills it later is judged then.
pub(crate) const MAX_WAITING: usize = 512;

/// What an entry changes in what is known of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Change {
    /// The next events.
    Next(Run),
    /// Of the next events nothing is known.
    Hole(Hole),
    /// Events that were given up came after all.
    Filled(Run),
    /// So many events were recorded again, the same.
    Repeated(u64),
    /// Two events have this sequence.
    Contradicted(u64),
    /// Something is wrong with the numbering. Nothing that comes later makes it right.
    Wrong(Location, Box<Accusation>),
}

/// Events of a table in the order of their numbering.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stretch {
    /// Events.
    Run(Run),
    /// Events of which nothing is known.
    Hole(Hole),
}

/// What is known about a sequence before the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stands {
    /// Its event is recorded.
    Recorded,
    /// Nothing is known of its event; it can still be put where it belongs.
    Passed(Absent),
    /// Its event is not kept, or came too late.
    Past,
}

/// The numbering of one table.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Numbering {
    /// The sequence that the next event must have.
    next: u64,
    /// Runs that wait for what is missing before them, by their first sequence and entry.
    #[serde(with = "crate::saved::pairs")]
    waiting: BTreeMap<(u64, u64), Run>,
    /// What is kept, to be read again and to be compared with what comes again.
    runs: Runs,
    /// Sequences that were passed over and can still be put where they belong, by the first: the one after the last, and why.
    #[serde(with = "crate::saved::pairs")]
    passed: BTreeMap<u64, (u64, Absent)>,
    /// Sequences that were missing before the events that can be read again: the first of each, and the one after the last.
    given_up: Vec<(u64, u64)>,
    /// The last event that contradicted one before it.
    conflict: Option<Location>,
    /// The sequence after the last event that came too late.
    late: Option<u64>,
}

impl Default for Numbering {
    fn default() -> Self {
        Self {
            next: 1,
            waiting: BTreeMap::new(),
            runs: Runs::default(),
            passed: BTreeMap::new(),
            given_up: Vec::new(),
            conflict: None,
            late: None,
        }
    }
}

impl Numbering {
    /// Takes the events of an entry.
    pub(crate) fn take(&mut self, run: Run) -> Vec<Change> {
        let (entry, mut changes) = (run.entry, Vec::new());
        if let Some(again) = run.part(0, self.next) {
            self.compare_run(&again, &mut changes);
        }
        let Some(new) = run.part(self.next, u64::MAX) else { return changes };
        if new.first > self.next {
            self.waiting.insert((new.first, entry), new);
            if self.waiting_events() > MAX_WAITING as u64 {
                self.skip_gap(&mut changes);
            }
        } else {
            self.pass(new, &mut changes);
        }
        self.go_on(&mut changes);
        changes
    }

    /// This copy of the log leaves out entries before the one that begins at `first`: what is missing up to there is no gap of
    /// the record.
    pub(crate) fn left_out_to(&mut self, first: u64) -> Vec<Change> {
        let mut changes = Vec::new();
        while let Some(waiting) = self.waiting.keys().map(|key| key.0).next().filter(|at| *at < first) {
            self.miss(waiting, Absent::LeftOut, &mut changes);
            self.go_on(&mut changes);
        }
        self.miss(first, Absent::LeftOut, &mut changes);
        changes
    }

    /// The record ends: what is missing is not waited for any longer.
    pub(crate) fn end(&mut self) -> Vec<Change> {
        let mut changes = Vec::new();
        while !self.waiting.is_empty() {
            self.skip_gap(&mut changes);
            self.go_on(&mut changes);
        }
        changes
    }

    /// The sequence that the next event must have.
    pub(crate) const fn next(&self) -> u64 {
        self.next
    }

    /// The events that hold a sequence, as they were recorded.
    pub(crate) fn run_at(&self, sequence: u64) -> Option<&Run> {
        self.runs.at(sequence)
    }

    /// The same. `near` is where it was found last.
    pub(crate) fn run_near(&self, near: &Cell<usize>, sequence: u64) -> Option<&Run> {
        self.runs.near(near, sequence)
    }

    /// After loading: shares the texts of rulebooks with the tables loaded before.
    pub(crate) fn share_again(&mut self, texts: &mut BTreeSet<Arc<str>>) {
        self.runs.share_again(texts);
    }

    /// No event is expected soon: frees spare capacity.
    pub(crate) fn rest(&mut self) {
        self.runs.rest();
    }

    /// How many events wait for what is missing before them.
    pub(crate) fn waiting_events(&self) -> u64 {
        self.waiting.values().map(|run| run.count).sum()
    }

    /// How many events are missing that are not waited for.
    pub(crate) fn missing(&self) -> u64 {
        let passed = self.passed.iter().filter(|(_, (_, why))| *why == Absent::Missing);
        let passed = passed.map(|(first, (to, _))| to - first);
        passed.chain(self.given_up.iter().map(|(first, to)| to - first)).sum()
    }

    /// What is recorded from a sequence on, in its order.
    pub(crate) fn since(&self, first: u64) -> Vec<Stretch> {
        let (mut all, mut at) = (Vec::new(), first);
        for run in self.runs.from(first).filter_map(|run| run.part(first, u64::MAX)) {
            self.holes(at, run.first, &mut all);
            at = run.end();
            all.push(match &run.held {
                Held::Unknown(reason) => Stretch::Hole(unknown(&run, *reason)),
                Held::Events(_) | Held::Opening(_) => Stretch::Run(run),
            });
        }
        self.holes(at, self.next, &mut all);
        all
    }

    /// What comes before a sequence is over: nothing is put there any more.
    pub(crate) fn settle_before(&mut self, sequence: u64) {
        let after = self.passed.split_off(&sequence);
        let before = std::mem::replace(&mut self.passed, after).into_iter();
        let missing = before.filter(|(_, (_, why))| *why == Absent::Missing);
        self.given_up.extend(missing.map(|(first, (to, _))| (first, to)));
        self.runs.forget_before(sequence);
    }

    fn holes(&self, from: u64, to: u64, all: &mut Vec<Stretch>) {
        for (first, (end, why)) in self.passed.range(..to).filter(|(_, (end, _))| *end > from) {
            let (first, end) = ((*first).max(from), (*end).min(to));
            all.push(Stretch::Hole(Hole { first, events: end - first, why: *why }));
        }
    }

    /// Takes the next events.
    fn pass(&mut self, run: Run, changes: &mut Vec<Change>) {
        self.next = run.end();
        self.runs.insert(run.clone());
        changes.push(match &run.held {
            Held::Unknown(reason) => Change::Hole(unknown(&run, *reason)),
            Held::Events(_) | Held::Opening(_) => Change::Next(run),
        });
    }

    /// Passes over what is missing up to a sequence.
    fn miss(&mut self, to: u64, why: Absent, changes: &mut Vec<Change>) {
        if to > self.next {
            self.passed.insert(self.next, (to, why));
            changes.push(Change::Hole(Hole { first: self.next, events: to - self.next, why }));
            self.next = to;
        }
    }

    /// Takes what waited and is next.
    fn go_on(&mut self, changes: &mut Vec<Change>) {
        while let Some(entry) = self.waiting.first_entry().filter(|entry| entry.key().0 <= self.next) {
            let run = entry.remove();
            if let Some(again) = run.part(0, self.next) {
                self.compare_run(&again, changes);
            }
            if let Some(new) = run.part(self.next, u64::MAX) {
                self.pass(new, changes);
            }
        }
    }

    /// Gives up waiting for what lies before the first run that waits.
    fn skip_gap(&mut self, changes: &mut Vec<Change>) {
        let first = self.waiting.keys().next().map_or(self.next, |(first, _)| *first);
        self.miss(first, Absent::Missing, changes);
    }

    /// Events before the next: each comes again, contradicts one before it, or was missing.
    fn compare_run(&mut self, run: &Run, changes: &mut Vec<Change>) {
        let mut from = run.first;
        while from < run.end() {
            let (stands, to) = self.stands(from);
            if let Some(part) = run.part(from, to) {
                match stands {
                    Stands::Recorded => self.compare(&part, changes),
                    Stands::Passed(Absent::Missing) => self.fill(part, changes),
                    // Nothing is known of what stands around it.
                    Stands::Passed(_) => {}
                    Stands::Past => self.too_late(&part, changes),
                }
            }
            from = to;
        }
    }

    /// What is known about a sequence, and up to which sequence the same is known: an entry may claim billions of events.
    fn stands(&self, sequence: u64) -> (Stands, u64) {
        let mut end = u64::MAX;
        if let Some(kept) = self.runs.from(sequence).next() {
            if kept.first <= sequence {
                return (Stands::Recorded, kept.end());
            }
            end = kept.first;
        }
        if let Some((_, (to, why))) =
            self.passed.range(..=sequence).next_back().filter(|(_, (to, _))| sequence < *to)
        {
            return (Stands::Passed(*why), end.min(*to));
        }
        let passed = self.passed.range(sequence..).next().map_or(u64::MAX, |(first, _)| *first);
        (Stands::Past, end.min(passed))
    }

    /// Compares events with the run that is kept, which covers all of them.
    fn compare(&mut self, run: &Run, changes: &mut Vec<Change>) {
        let Some((entry, same)) = self.runs.compare(run) else { return self.too_late(run, changes) };
        let repeated = same.iter().filter(|same| **same).count() as u64;
        if repeated > 0 {
            changes.push(Change::Repeated(repeated));
        }
        for (_, sequence) in same.into_iter().zip(run.first..).filter(|(same, _)| !same) {
            self.contradict(Location { entry: run.entry, sequence }, entry, run, changes);
        }
    }

    /// Two events have one sequence. A third one, and those of the sequences right beside it, have the same cause.
    fn contradict(&mut self, location: Location, entry: u64, run: &Run, changes: &mut Vec<Change>) {
        let goes_on = self.conflict.is_some_and(|last| {
            last.entry == location.entry || last.sequence.abs_diff(location.sequence) <= 1
        });
        self.conflict = Some(location);
        changes.push(Change::Contradicted(location.sequence));
        if !goes_on {
            let expected = OfRecord::EventOfEntry { sequence: location.sequence, entry };
            let differs = self.runs.differences(run, location.sequence);
            let recorded = OfRecord::AnotherInEntry { entry: location.entry, differs };
            let accusation = Accusation::new(Code::SequenceConflict, expected, recorded);
            changes.push(Change::Wrong(location, Box::new(accusation)));
        }
    }

    /// Events come too late: said once for all events of an entry and those right after it.
    fn too_late(&mut self, run: &Run, changes: &mut Vec<Change>) {
        if self.late.replace(run.end()) == Some(run.first) {
            return;
        }
        let sequence = run.first;
        let was_missing = self.given_up.iter().any(|(first, to)| (*first..*to).contains(&sequence));
        let recorded =
            if was_missing { OfRecord::Sequence { sequence } } else { OfRecord::SequenceAgain { sequence } };
        let expected = OfRecord::Sequence { sequence: self.next };
        let location = Location { entry: run.entry, sequence };
        let accusation = Accusation::new(Code::SequenceLate, expected, recorded);
        changes.push(Change::Wrong(location, Box::new(accusation)));
    }

    /// Events that were missing are put where they belong.
    fn fill(&mut self, run: Run, changes: &mut Vec<Change>) {
        let over = self.passed.range(..run.end()).next_back().map(|(first, _)| *first);
        if let Some((first, (to, why))) = over.and_then(|first| self.passed.remove_entry(&first)) {
            let parts = [(first, to.min(run.first)), (first.max(run.end()), to)];
            let left = parts.into_iter().filter(|(first, to)| first < to);
            self.passed.extend(left.map(|(first, to)| (first, (to, why))));
        }
        changes.push(Change::Filled(run.clone()));
        self.runs.insert(run);
    }
}

/// The hole left by events whose content is not known.
pub(crate) fn unknown(run: &Run, reason: Reason) -> Hole {
    let withheld = reason == Reason::PayloadWithheld;
    let why = if withheld { Absent::Withheld } else { Absent::Unreadable };
    Hole { first: run.first, events: run.count, why }
}

#[cfg(test)]
mod tests;
