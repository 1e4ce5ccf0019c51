//! The table's own numbering: gaps that wait to be filled, events told again, what comes late.

use super::{Content, Held, MAX_WAITING, Record, Run};
use crate::sink::{Accusation, Location};
use crate::{Code, Received};

/// Contradicted numbers that are kept at most: what stands under more is told, and forgotten when its shoe is
/// played back.
const MOST_CONTRADICTED: usize = 1_024;

/// How a sequence stands to what was judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stands {
    /// It is told already,
    Recorded,
    /// it was missing and can be judged in its place,
    Missing,
    /// it was missing, and its place is out of reach,
    TooLate,
    /// or this copy leaves out what stands around it: nothing can be said of it.
    LeftOut,
}

impl Record {
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

    /// What is left out is told to the table with the next event it has.
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

    /// Events under numbers that were passed: each is the same again, another, or one that was missing.
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

    /// How a sequence stands, and up to where those behind it stand alike: an entry may claim to hold billions.
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

    /// Events told again, all of them where one run is kept.
    fn compare(&mut self, run: &Run) {
        let Some((entry, same)) = self.runs.compare(run) else { return self.too_late(run) };
        for (sequence, same) in (run.first..).zip(same) {
            if same {
                self.tally.repeated += 1;
            } else {
                self.contradict(Location { entry: run.entry, sequence }, entry);
            }
        }
    }

    /// Two events under one number; a third under it, and those of the numbers right beside it, are the same cause.
    fn contradict(&mut self, location: Location, entry: u64) {
        let goes_on = self.faults.conflict.is_some_and(|last| {
            last.entry == location.entry || last.sequence.abs_diff(location.sequence) <= 1
        });
        self.faults.conflict = Some(location);
        if goes_on {
            self.contradict_shoe(location.sequence);
            return;
        }
        let expected = format!("the event of sequence {} as entry {entry} has it", location.sequence);
        let recorded = format!("another under that number in entry {}", location.entry);
        self.accuse(location, Accusation::new(Code::SequenceConflict, expected, recorded));
    }

    /// The first of an entry stands for all of them, and for those right behind.
    fn too_late(&mut self, run: &Run) {
        if self.faults.late.replace(run.end()) == Some(run.first) {
            return;
        }
        let location = Location { entry: run.entry, sequence: run.first };
        let recorded = if self.faults.old_holes.iter().any(|&(from, to)| (from..to).contains(&run.first)) {
            format!("sequence {}", run.first)
        } else {
            format!("sequence {} again; the event judged under it is not at hand to compare", run.first)
        };
        let expected = format!("sequence {}", self.next);
        self.accuse(location, Accusation::new(Code::SequenceLate, expected, recorded));
    }

    /// What is said of the numbering stands, however often the shoe is played back.
    fn accuse(&mut self, location: Location, accusation: Accusation) {
        // A number of an earlier shoe, or of none, says nothing of the shoe in play.
        let shoe = match accusation.code.severity() {
            crate::Severity::Violation => self.contradict_shoe(location.sequence),
            crate::Severity::Incomplete => self.shoe_at(location.sequence),
        };
        let shoe = shoe.and_then(|loaded| self.shoe_locations.loaded_at(loaded)).map(str::to_owned);
        let finding = crate::Finding { shoe, ..self.table.finding(accusation.at(location)) };
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

    /// Two events stand under one number: the shoe that was in play there is violated, though it may be over; gives
    /// where it was loaded.
    fn contradict_shoe(&mut self, sequence: u64) -> Option<u64> {
        let loaded = self.shoe_at(sequence)?;
        let known = self.faults.contradicted.range(loaded..=sequence).next().is_some();
        if !known && self.faults.contradicted.len() < MOST_CONTRADICTED {
            self.faults.contradicted.insert(sequence);
        }
        if self.table.shoe_in_play_at(sequence).is_some() {
            self.table.violate_shoe();
        } else {
            self.table.tally.violate_shoe(loaded);
            self.tally.violate_shoe(loaded);
        }
        Some(loaded)
    }

    /// Events that were missing are judged in their place.
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
