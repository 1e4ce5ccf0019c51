//! The table's own numbering: gaps that wait to be filled, repeats, what comes too late.

use events::Event;

use super::{MAX_WAITING, Place, Table};
use crate::issue::Issue;
use crate::{Code, Reason};

impl Table {
    /// Takes an entry's events; `first` is the sequence of the first of them.
    pub(crate) fn entry(&mut self, entry: u64, first: u64, events: Vec<Event>) {
        if first > self.next {
            self.waiting.entry(first).or_insert((entry, events));
            let held: usize = self.waiting.values().map(|(_, events)| events.len()).sum();
            if held > MAX_WAITING {
                self.skip_gap();
            }
        } else {
            self.judge_entry(entry, first, events);
        }
        self.judge_waiting();
    }

    /// Entries that cannot be read covered these sequences.
    pub(crate) fn unreadable(&mut self, first: u64, count: u32) {
        let end = first.saturating_add(u64::from(count));
        if first <= self.next && self.next < end {
            self.doubt(Reason::EntryUnreadable);
            self.next = end;
        }
        self.judge_waiting();
    }

    pub(super) fn judge_waiting(&mut self) {
        while let Some(entry) = self.waiting.first_entry() {
            if *entry.key() > self.next {
                return;
            }
            let (first, (index, events)) = entry.remove_entry();
            self.judge_entry(index, first, events);
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
        let late = self.gaps.iter().any(|&(from, to)| (from..to).contains(&sequence));
        let code = if late { Code::SequenceLate } else { Code::SequenceConflict };
        let expected = format!("sequence {}", self.next);
        let recorded =
            if late { format!("sequence {sequence}") } else { format!("sequence {sequence} again") };
        self.issues.push(Issue::new(code, expected, recorded));
    }
}
