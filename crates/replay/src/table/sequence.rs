//! The table's own numbering: gaps that wait to be filled, repeats, what comes too late.

use events::Event;

use super::taken::{Before, Print};
use super::{MAX_WAITING, Table};
use crate::sink::{Accusation, Place};
use crate::{Code, Reason, Received};

/// An event as an entry tells it.
#[derive(Debug, Clone)]
pub(crate) struct Told {
    pub(crate) event: Event,
    /// How the log received it.
    pub(crate) received: Received,
    /// By which it is compared with another of its number.
    print: Print,
}

impl Told {
    /// An event and its canonical bytes.
    pub(crate) fn new(event: Event, bytes: &[u8], received: Received) -> Self {
        Self { event, received, print: Print::of(bytes) }
    }
}

/// What an entry holds: its events, or how many there are of which nothing is known, and why.
pub(crate) type Content = Result<Vec<Told>, (u32, Reason)>;

pub(super) fn events_of(content: &Content) -> usize {
    match content {
        Ok(events) => events.len(),
        Err((count, _)) => *count as usize,
    }
}

impl Table {
    /// Takes what an entry holds; `first` is the sequence of the first of its events.
    pub(crate) fn entry(&mut self, entry: u64, first: u64, content: Content) {
        if first > self.next {
            self.waiting.entry(first).or_insert((entry, content));
            let held: usize = self.waiting.values().map(|(_, content)| events_of(content)).sum();
            if held > MAX_WAITING {
                self.skip_gap();
            }
        } else {
            self.take(entry, first, content);
        }
        self.judge_waiting();
    }

    fn take(&mut self, entry: u64, first: u64, content: Content) {
        match content {
            Ok(events) => self.judge_entry(entry, first, events),
            Err((count, reason)) => {
                let end = first.saturating_add(u64::from(count));
                if end > self.next {
                    self.doubt(reason);
                    self.next = end;
                }
            }
        }
    }

    /// This copy of the log leaves out entries before the one that begins at `first`: whatever is
    /// missing up to there is no gap of the record.
    pub(crate) fn left_out_to(&mut self, first: u64) {
        while let Some((&waiting, _)) = self.waiting.first_key_value().filter(|(at, _)| **at < first) {
            self.leave_out(waiting);
            self.judge_waiting();
        }
        if first > self.next {
            self.leave_out(first);
        }
    }

    fn leave_out(&mut self, first: u64) {
        self.left_out.push((self.next, first));
        self.doubt(Reason::LeftOut);
        self.next = first;
    }

    pub(super) fn judge_waiting(&mut self) {
        while let Some(entry) = self.waiting.first_entry() {
            if *entry.key() > self.next {
                return;
            }
            let (first, (index, content)) = entry.remove_entry();
            self.take(index, first, content);
        }
    }

    /// Gives up waiting for what lies before the first waiting entry.
    pub(super) fn skip_gap(&mut self) {
        let Some((&first, &(entry, _))) = self.waiting.first_key_value() else { return };
        self.stand_at(Place { entry, sequence: first });
        let recorded = format!("sequence {first}");
        self.sink.accuse(Accusation::new(Code::SequenceGap, format!("sequence {}", self.next), recorded));
        self.write_findings();
        self.gaps.push((self.next, first));
        self.missing += first - self.next;
        self.doubt(Reason::EventsMissing);
        self.next = first;
    }

    fn stand_at(&mut self, place: Place) {
        self.place = place;
        self.sink.stand_at(place);
    }

    fn judge_entry(&mut self, entry: u64, first: u64, events: Vec<Told>) {
        let mut told: Vec<Code> = Vec::new();
        for (sequence, Told { event, received, print }) in (first..).zip(events) {
            self.stand_at(Place { entry, sequence });
            if sequence == self.next {
                self.next += 1;
                self.taken.add(entry, sequence, print);
                self.around.received = received;
                self.event(event);
            } else if let Some(accusation) = self.repeat(sequence, print)
                && !told.contains(&accusation.code)
            {
                // The first of an entry stands for all of them.
                told.push(accusation.code);
                self.sink.accuse(accusation);
            }
            self.write_findings();
        }
    }

    /// An event under a number that play has passed.
    fn repeat(&mut self, sequence: u64, print: Print) -> Option<Accusation> {
        let within = |ranges: &[(u64, u64)]| ranges.iter().any(|&(from, to)| (from..to).contains(&sequence));
        if within(&self.left_out) {
            // It came out of turn among entries that are not here: nothing can be said of it.
            return None;
        }
        let expected = format!("sequence {}", self.next);
        if within(&self.gaps) {
            return Some(Accusation::new(Code::SequenceLate, expected, format!("sequence {sequence}")));
        }
        match self.taken.compare(sequence, print) {
            Before::Same => {
                self.tally.repeated += 1;
                None
            }
            Before::Another { entry } => {
                let expected = format!("the event of sequence {sequence} as entry {entry} has it");
                let recorded = format!("another under that number in entry {}", self.place.entry);
                Some(Accusation::new(Code::SequenceConflict, expected, recorded))
            }
            Before::NotAtHand => {
                let recorded =
                    format!("sequence {sequence} again; the event judged under it is not at hand to compare");
                Some(Accusation::new(Code::SequenceLate, expected, recorded))
            }
        }
    }
}
