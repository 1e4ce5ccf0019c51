//! The numbering of a table: gaps that may still be filled, events recorded twice, and events that arrive
//! late.

use super::{Content, Held, MAX_WAITING, Record, Run};
use crate::caps::Cap;
use crate::sink::{Accusation, Location};
use crate::statement::OfRecord;
use crate::table::more_than_kept;
use crate::{Code, Received};

/// What is known about a sequence before `next`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stands {
    /// Its event is recorded already.
    Recorded,
    /// Its event was missing and can still be judged.
    Missing,
    /// Its event was missing, and comes too late to be judged.
    TooLate,
    /// This copy of the log leaves out the entries around it, so nothing is known about it.
    LeftOut,
}

impl Record {
    /// The next entry is this producer's.
    pub(crate) fn recorded_by(&mut self, entry: u64, producer: &str) {
        self.table.producers.note(entry, producer);
    }

    /// Takes what an entry holds; `first` is the sequence of the first of its events.
    pub(crate) fn entry(&mut self, entry: u64, first: u64, content: Content, received: Received) {
        self.wake();
        let (count, held, events) = match content {
            Ok((bytes, events)) => (events.len() as u64, Held::Events(bytes), events),
            Err((count, reason)) => (u64::from(count), Held::Unknown(reason), Vec::new()),
        };
        let run = Run { first, count, entry, received, skip: 0, held };
        if let Some(again) = run.part(0, self.next) {
            self.compare_run(&again);
        }
        let Some(new) = run.part(self.next, u64::MAX) else { return };
        if new.first > self.next {
            self.waiting.insert((new.first, entry), new);
            let held: u64 = self.waiting.values().map(|run| run.count).sum();
            if held > MAX_WAITING as u64 {
                self.skip_gap();
            }
        } else {
            let skip = usize::try_from(new.skip).unwrap_or(usize::MAX).min(events.len());
            self.play(new, &events[skip..]);
        }
        self.judge_waiting();
    }

    /// This copy of the log leaves out entries before the one that begins at `first`: whatever is
    /// missing up to there is no gap of the record.
    pub(crate) fn left_out_to(&mut self, first: u64) {
        self.wake();
        while let Some(waiting) = self.waiting.keys().map(|key| key.0).next().filter(|at| *at < first) {
            self.leave_out(waiting);
            self.judge_waiting();
        }
        if first > self.next {
            self.leave_out(first);
        }
    }

    /// The table learns with its next event what is left out.
    fn leave_out(&mut self, first: u64) {
        self.faults.left_out.push((self.next, first));
        self.table.leave_out(first - self.next, &self.known);
        self.next = first;
    }

    pub(super) fn judge_waiting(&mut self) {
        while let Some(entry) = self.waiting.first_entry() {
            if entry.key().0 > self.next {
                return;
            }
            let run = entry.remove();
            if let Some(again) = run.part(0, self.next) {
                self.compare_run(&again);
            }
            if let Some(new) = run.part(self.next, u64::MAX) {
                let events = new.events().unwrap_or_default();
                self.play(new, &events);
            }
        }
    }

    /// Gives up waiting for what lies before the first waiting entry.
    pub(super) fn skip_gap(&mut self) {
        let Some(run) = self.waiting.values().next() else { return };
        let (from, run) = (self.next, run.clone());
        self.table.missing(from, &run, &self.known);
        self.faults.holes.push((from, run.first));
        self.next = run.first;
    }

    /// Judges events before `next`: each is a repeat, a contradiction, or one that was missing.
    fn compare_run(&mut self, run: &Run) {
        let mut from = run.first;
        while from < run.end() {
            let (stands, to) = self.stands(from);
            if let Some(part) = run.part(from, to) {
                match stands {
                    Stands::Recorded => self.compare(&part),
                    Stands::Missing => self.fill(part),
                    Stands::TooLate => self.too_late(&part),
                    Stands::LeftOut => {}
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
        for (ranges, stands) in
            [(&self.faults.holes, Stands::Missing), (&self.faults.left_out, Stands::LeftOut)]
        {
            for &(from, to) in ranges {
                if (from..to).contains(&sequence) {
                    return (stands, to.min(end));
                } else if from > sequence {
                    end = end.min(from);
                }
            }
        }
        (Stands::TooLate, end)
    }

    /// Compares repeated events with the run that is kept, which covers all of them.
    fn compare(&mut self, run: &Run) {
        let Some((entry, same)) = self.runs.compare(run) else { return self.too_late(run) };
        for (same, sequence) in same.into_iter().zip(run.first..) {
            if same {
                self.tally.repeated += 1;
            } else {
                self.contradict(Location { entry: run.entry, sequence }, entry, run);
            }
        }
    }

    /// Reports two events under one sequence. A third one, and those of the sequences right beside it, have the same cause.
    fn contradict(&mut self, location: Location, entry: u64, run: &Run) {
        let goes_on = self.faults.conflict.is_some_and(|last| {
            last.entry == location.entry || last.sequence.abs_diff(location.sequence) <= 1
        });
        self.faults.conflict = Some(location);
        if goes_on {
            self.contradict_shoe(location.sequence);
            return;
        }
        let expected = OfRecord::EventOfEntry { sequence: location.sequence, entry };
        let differs = self.runs.differences(run, location.sequence);
        let recorded = OfRecord::AnotherInEntry { entry: location.entry, differs };
        self.accuse(location, Accusation::new(Code::SequenceConflict, expected, recorded));
    }

    /// Reports events that come too late, once for all events of an entry and those right after it.
    fn too_late(&mut self, run: &Run) {
        if self.faults.late.replace(run.end()) == Some(run.first) {
            return;
        }
        let location = Location { entry: run.entry, sequence: run.first };
        let recorded = if self.faults.old_holes.iter().any(|&(from, to)| (from..to).contains(&run.first)) {
            OfRecord::Sequence { sequence: run.first }
        } else {
            OfRecord::SequenceAgain { sequence: run.first }
        };
        let expected = OfRecord::Sequence { sequence: self.next };
        self.accuse(location, Accusation::new(Code::SequenceLate, expected, recorded));
    }

    /// Reports that a correction names an event of a coup whose result is forgotten.
    pub(super) fn report_forgotten_past(&mut self, correction: Location) {
        self.accuse(correction, more_than_kept(Cap::PastCoups));
    }

    /// Reports something about the numbering, which stays however often the shoe is played again.
    fn accuse(&mut self, location: Location, accusation: Accusation) {
        // A sequence of an earlier shoe, or of none, says nothing about the shoe in play.
        let shoe = match accusation.code.severity() {
            crate::Severity::Violation => self.contradict_shoe(location.sequence),
            crate::Severity::Incomplete => self.shoe_at(location.sequence),
        };
        let name = shoe.and_then(|loaded| self.shoe_locations.loaded_at(loaded)).map(str::to_owned);
        let finding = crate::Finding { shoe: name, ..self.table.finding(accusation.at(location)) };
        if self.table.keeps_ledger() {
            self.tally.ledger.get_or_insert_default().found(&finding, shoe);
        }
        self.tally.summary.count_finding(&finding);
        self.tally.kept.keep(finding.clone());
        if let Some(handed_on) = &mut self.handed_on {
            handed_on.settled.push(finding.clone());
        }
        if let Some(reported) = &mut self.reported {
            reported.report_final(finding);
        }
    }

    /// Where the shoe was loaded that was in play under this number, as far as that is remembered.
    fn shoe_at(&self, sequence: u64) -> Option<u64> {
        let in_play = self.table.shoe_in_play_at(sequence);
        in_play.or_else(|| self.table.tally.past_shoe(sequence)).or_else(|| self.tally.past_shoe(sequence))
    }

    /// Two events have the same sequence: the shoe that was in play there is violated, though it may be over.
    /// Returns the sequence at which it was loaded.
    fn contradict_shoe(&mut self, sequence: u64) -> Option<u64> {
        let loaded = self.shoe_at(sequence)?;
        let known = self.faults.contradicted.range(loaded..=sequence).next().is_some();
        // One for each shoe since `first`, so there are fewer than events that are kept.
        if !known {
            self.faults.contradicted.insert(sequence);
        }
        if self.table.shoe_in_play_at(sequence).is_some() {
            self.table.violate_shoe();
        } else {
            let ledger_of = self.table.keeps_ledger().then_some(self.table.id.as_str());
            self.table.tally.violate_shoe(loaded, ledger_of);
            self.tally.violate_shoe(loaded, ledger_of);
        }
        Some(loaded)
    }

    /// Judges events that were missing where they belong.
    fn fill(&mut self, run: Run) {
        let mut left = Vec::with_capacity(self.faults.holes.len() + 1);
        for (from, to) in self.faults.holes.drain(..) {
            let parts = [(from, to.min(run.first)), (from.max(run.end()), to)];
            left.extend(parts.into_iter().filter(|(from, to)| from < to));
        }
        left.sort_unstable();
        left.dedup();
        self.faults.holes = left;
        self.runs.insert(run);
        self.known.forget_hidden();
        self.learned();
    }
}
