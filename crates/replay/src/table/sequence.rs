//! The table's own numbering: gaps that wait to be filled, repeats, what comes too late.

use events::Event;

use super::{MAX_WAITING, Place, Table};
use crate::issue::Issue;
use crate::{Code, Reason};

/// What an entry holds: its events, or how many there are of which nothing is known, and why.
pub(crate) type Content = Result<Vec<Event>, (u32, Reason)>;

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
        self.place = Place { entry, sequence: first };
        let recorded = format!("sequence {first}");
        self.issues.push(Issue::new(Code::SequenceGap, format!("sequence {}", self.next), recorded));
        self.write_findings();
        self.gaps.push((self.next, first));
        self.missing += first - self.next;
        self.doubt(Reason::EventsMissing);
        self.next = first;
    }

    pub(super) fn judge_entry(&mut self, entry: u64, first: u64, events: Vec<Event>) {
        let mut late_told = false;
        for (sequence, event) in (first..).zip(events) {
            self.place = Place { entry, sequence };
            if sequence == self.next {
                self.next += 1;
                self.event(event);
            } else if !late_told {
                late_told = true;
                self.tell_repeat(sequence);
            }
            self.write_findings();
        }
    }

    pub(super) fn tell_repeat(&mut self, sequence: u64) {
        if self.left_out.iter().any(|&(from, to)| (from..to).contains(&sequence)) {
            // It came out of turn among entries that are not here: nothing can be said of it.
            return;
        }
        let late = self.gaps.iter().any(|&(from, to)| (from..to).contains(&sequence));
        let code = if late { Code::SequenceLate } else { Code::SequenceConflict };
        let expected = format!("sequence {}", self.next);
        let recorded =
            if late { format!("sequence {sequence}") } else { format!("sequence {sequence} again") };
        self.issues.push(Issue::new(code, expected, recorded));
    }
}
