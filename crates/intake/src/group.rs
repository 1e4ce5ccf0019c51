//! Groups consecutive events of one table into entries.

use std::collections::BTreeMap;

use events::{Body, Event, Line, encode_payload};
use sealed_log::entry::{ChainName, MAX_ENTRY_COUNT, ProducerId};
use sealed_log::writer::Submission;

use crate::IntakeError;

/// An entry is closed at this many bytes of JSON, which its canonical bytes never exceed.
const CLOSE_AT_BYTES: usize = 48 * 1024;
/// At this amount all entries are closed, and the complete ones are submitted.
const ENOUGH: Amount = Amount { events: 16_384, bytes: 8 << 20 };
const NOTHING: Amount = Amount { events: 0, bytes: 0 };

/// Number of events and bytes of their JSON.
#[derive(Debug, Clone, Copy)]
struct Amount {
    events: usize,
    bytes: usize,
}

impl Amount {
    const fn is_enough(self) -> bool {
        self.events >= ENOUGH.events || self.bytes >= ENOUGH.bytes
    }

    const fn add(&mut self, events: usize, bytes: usize) {
        self.events += events;
        self.bytes += bytes;
    }
}

#[derive(Debug)]
struct Group {
    first: u64,
    events: Vec<Event>,
    bytes: usize,
}

/// Entries that are being filled, one per table, and entries that are ready.
#[derive(Debug)]
pub struct Groups {
    producer: ProducerId,
    clock: fn() -> i64,
    live: bool,
    open: BTreeMap<String, Group>,
    /// Events in entries that are being filled.
    waiting: Amount,
    ready: Vec<Submission>,
    /// Events in entries that are ready.
    is_ready: Amount,
}

impl Groups {
    /// An empty group. `clock` returns microseconds since 1970 UTC; with `live` every event is an entry of
    /// its own.
    #[must_use]
    pub const fn new(producer: ProducerId, live: bool, clock: fn() -> i64) -> Self {
        let (waiting, is_ready) = (NOTHING, NOTHING);
        Self { producer, clock, live, open: BTreeMap::new(), waiting, ready: Vec::new(), is_ready }
    }

    /// Whether every event is an entry of its own.
    #[must_use]
    pub const fn is_live(&self) -> bool {
        self.live
    }

    /// Whether an entry of the table is being filled.
    #[must_use]
    pub fn holds(&self, table: &str) -> bool {
        self.open.contains_key(table) || !self.ready.is_empty()
    }

    /// Whether enough entries are ready to be submitted.
    #[must_use]
    pub const fn is_enough_ready(&self) -> bool {
        self.is_ready.is_enough()
    }

    /// Takes the entries that are ready.
    #[must_use]
    pub fn take_ready(&mut self) -> Vec<Submission> {
        self.is_ready = NOTHING;
        std::mem::take(&mut self.ready)
    }

    /// Adds an event, and closes the entry before or after it if necessary.
    ///
    /// # Errors
    /// [`IntakeError`].
    pub fn add(&mut self, line: Line, bytes: usize) -> Result<(), IntakeError> {
        let table = line.table.to_string();
        let sequence = line.sequence;
        let ends = self.live || ends_entry(&line.event);
        let fits = |group: &Group| {
            group.first + group.events.len() as u64 == sequence
                && group.bytes + bytes <= CLOSE_AT_BYTES
                && group.events.len() < MAX_ENTRY_COUNT as usize
        };
        if self.open.get(&table).is_some_and(|group| !fits(group)) {
            self.close(&table)?;
        }
        let group = self.open.entry(table.clone()).or_insert_with(|| Group {
            first: sequence,
            events: Vec::new(),
            bytes: 0,
        });
        group.bytes += bytes;
        group.events.push(line.into_event());
        self.waiting.add(1, bytes);
        if ends {
            self.close(&table)
        } else if self.waiting.is_enough() {
            self.close_all()
        } else {
            Ok(())
        }
    }

    /// Closes every entry.
    ///
    /// # Errors
    /// [`IntakeError`].
    pub fn close_all(&mut self) -> Result<(), IntakeError> {
        while let Some(table) = self.open.keys().next().cloned() {
            self.close(&table)?;
        }
        Ok(())
    }

    fn close(&mut self, table: &str) -> Result<(), IntakeError> {
        let Some(group) = self.open.remove(table) else { return Ok(()) };
        let own_fault = IntakeError::OwnFault;
        let count = u32::try_from(group.events.len()).map_err(|error| own_fault(error.to_string()))?;
        let payload = encode_payload(&group.events).map_err(|error| own_fault(error.to_string()))?;
        let chain = ChainName::new(table).map_err(|error| own_fault(error.to_string()))?;
        let (producer, received_at) = (self.producer.clone(), (self.clock)());
        self.waiting.events -= group.events.len();
        self.waiting.bytes -= group.bytes;
        self.is_ready.add(group.events.len(), group.bytes);
        self.ready.push(Submission { producer, chain, first: group.first, count, received_at, payload });
        Ok(())
    }
}

/// Whether an entry is complete with this event: a coup, a shoe or a session ends.
const fn ends_entry(body: &Body) -> bool {
    matches!(
        body,
        Body::CoupSettled(_)
            | Body::CoupVoided(_)
            | Body::ShoeEnded(_)
            | Body::TableOpened(_)
            | Body::TableClosed(_)
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn line(table: &str, sequence: u64) -> Line {
        let event = r#""occurred_at":"2026-03-01T20:00:00Z","event":{"BetsClosed":{"coup":1}}"#;
        Line::from_json(&format!(r#"{{"table":"{table}","sequence":{sequence},{event}}}"#)).unwrap()
    }

    /// Thousands of openings, each with a rulebook, would be hundreds of megabytes.
    #[test]
    fn a_few_large_events_are_enough_to_close_entries_and_to_hand_them_in() {
        let groups = || Groups::new(ProducerId::new("pit").unwrap(), false, || 0);
        let mut of_one_table = groups();
        for sequence in 1..=9 {
            assert!(!of_one_table.is_enough_ready());
            of_one_table.add(line("T", sequence), 1 << 20).unwrap();
        }
        assert!(of_one_table.is_enough_ready());
        assert_eq!(of_one_table.take_ready().len(), 8);
        assert!(!of_one_table.is_enough_ready());
        let mut of_many = groups();
        for table in 1..=8 {
            assert!(of_many.take_ready().is_empty());
            of_many.add(line(&format!("T{table}"), 1), 1 << 20).unwrap();
        }
        assert_eq!(of_many.take_ready().len(), 8, "they are closed though each is open to more");
    }
}
