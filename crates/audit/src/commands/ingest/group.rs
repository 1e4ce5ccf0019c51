//! Consecutive events of one table, gathered into entries.

use std::collections::BTreeMap;

use events::{Body, Event, Line, encode_payload};
use sealed_log::{ChainName, MAX_ENTRY_COUNT, ProducerId, Submission};

use crate::Failure;
use crate::clock::now;
use crate::exit::Exit;

/// An entry is closed at this many bytes of JSON, which its canonical bytes never exceed.
const CLOSE_AT_BYTES: usize = 48 * 1024;
/// All entries are closed once this many events wait in them.
const MOST_WAITING: usize = 16_384;

struct Group {
    first: u64,
    events: Vec<Event>,
    bytes: usize,
}

/// The entries being gathered, one a table, and those ready to be handed in.
pub(super) struct Groups {
    producer: ProducerId,
    live: bool,
    open: BTreeMap<String, Group>,
    waiting: usize,
    ready: Vec<Submission>,
    ready_events: usize,
}

impl Groups {
    pub(super) const fn new(producer: ProducerId, live: bool) -> Self {
        Self { producer, live, open: BTreeMap::new(), waiting: 0, ready: Vec::new(), ready_events: 0 }
    }

    pub(super) const fn is_live(&self) -> bool {
        self.live
    }

    /// Whether events of the table wait here.
    pub(super) fn holds(&self, table: &str) -> bool {
        self.open.contains_key(table) || !self.ready.is_empty()
    }

    pub(super) const fn ready_events(&self) -> usize {
        self.ready_events
    }

    pub(super) fn take_ready(&mut self) -> Vec<Submission> {
        self.ready_events = 0;
        std::mem::take(&mut self.ready)
    }

    /// Adds an event; closes the entry before or after it where that is due.
    pub(super) fn add(&mut self, line: Line, bytes: usize) -> Result<(), Failure> {
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

    pub(super) fn close_all(&mut self) -> Result<(), Failure> {
        while let Some(table) = self.open.keys().next().cloned() {
            self.close(&table)?;
        }
        Ok(())
    }

    fn close(&mut self, table: &str) -> Result<(), Failure> {
        let Some(group) = self.open.remove(table) else { return Ok(()) };
        let own_fault = |message: String| Failure { exit: Exit::OwnFault, message };
        let count = u32::try_from(group.events.len()).map_err(|error| own_fault(error.to_string()))?;
        let payload = encode_payload(&group.events).map_err(|error| own_fault(error.to_string()))?;
        let chain = ChainName::new(table).map_err(|error| own_fault(error.to_string()))?;
        let (producer, received_at) = (self.producer.clone(), now());
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
