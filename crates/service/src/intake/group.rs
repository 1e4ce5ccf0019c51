//! Consecutive events of one table, gathered into entries.

use std::collections::BTreeMap;

use events::{Body, Event, Line, encode_payload};
use sealed_log::{ChainName, MAX_ENTRY_COUNT, ProducerId, Submission};

use super::IntakeError;

/// An entry is closed at this many bytes of JSON, which its canonical bytes never exceed.
const CLOSE_AT_BYTES: usize = 48 * 1024;
/// All entries are closed once this many events wait in them.
const MOST_WAITING: usize = 16_384;

#[derive(Debug)]
struct Group {
    first: u64,
    events: Vec<Event>,
    bytes: usize,
}

/// The entries being gathered, one a table, and those ready to be handed in.
#[derive(Debug)]
pub struct Groups {
    producer: ProducerId,
    clock: fn() -> i64,
    live: bool,
    open: BTreeMap<String, Group>,
    waiting: usize,
    ready: Vec<Submission>,
    ready_events: usize,
}

impl Groups {
    /// None yet. `clock` gives microseconds since 1970 UTC; `live` makes every event an entry of its own.
    #[must_use]
    pub const fn new(producer: ProducerId, live: bool, clock: fn() -> i64) -> Self {
        Self { producer, clock, live, open: BTreeMap::new(), waiting: 0, ready: Vec::new(), ready_events: 0 }
    }

    /// Whether every event is an entry of its own.
    #[must_use]
    pub const fn is_live(&self) -> bool {
        self.live
    }

    /// Whether events of the table wait here.
    #[must_use]
    pub fn holds(&self, table: &str) -> bool {
        self.open.contains_key(table) || !self.ready.is_empty()
    }

    /// Events in entries that are ready to be handed in.
    #[must_use]
    pub const fn ready_events(&self) -> usize {
        self.ready_events
    }

    /// Takes the entries that are ready.
    #[must_use]
    pub fn take_ready(&mut self) -> Vec<Submission> {
        self.ready_events = 0;
        std::mem::take(&mut self.ready)
    }

    /// Adds an event; closes the entry before or after it where that is due.
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
        self.waiting += 1;
        if ends {
            self.close(&table)
        } else if self.waiting >= MOST_WAITING {
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
        self.waiting -= group.events.len();
        self.ready_events += group.events.len();
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
