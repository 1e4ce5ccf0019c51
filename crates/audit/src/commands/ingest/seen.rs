//! What the log holds already: exactly-once, event by event.

use std::collections::BTreeMap;

use events::{Event, Line, decode_payload};
use sealed_log::{ChainName, SequencerHandle, Store, StoreError, parse_kept};
use sealed_log_sled::SledStore;

use crate::Failure;

/// How a line stands to what the log holds under its table and sequence.
pub(super) enum Standing {
    /// The log holds this very event.
    Same,
    /// The log holds another event, and not this one.
    Other,
    /// The log holds nothing there.
    Missing,
}

/// An entry as it was stored: its first sequence, its events, and how many it had where they are
/// erased.
#[derive(Default)]
struct Stored {
    first: u64,
    events: Vec<Event>,
    erased: u32,
}

/// Highest sequence of each table, and each table's entries looked at last.
#[derive(Default)]
pub(super) struct Seen {
    last: BTreeMap<String, u64>,
    looked_at: BTreeMap<String, Vec<Stored>>,
}

impl Seen {
    /// Whether the log may hold the table's sequence already.
    pub(super) fn may_be_there(
        &mut self,
        log: &SequencerHandle<SledStore>,
        table: &str,
        sequence: u64,
    ) -> Result<bool, Failure> {
        if let Some(last) = self.last.get(table) {
            return Ok(sequence <= *last);
        }
        let chain = chain(table)?;
        let head = log.view(move |store| store.chain(&chain)).map_err(Failure::unreadable)?;
        let last = head.map_err(Failure::unreadable)?.map_or(0, |head| head.last);
        self.last.insert(table.to_owned(), last);
        Ok(sequence <= last)
    }

    /// A new event was taken.
    pub(super) fn note(&mut self, table: &str, sequence: u64) {
        if let Some(last) = self.last.get_mut(table) {
            *last = sequence.max(*last);
        }
        self.looked_at.remove(table);
    }

    /// Compares a line with what the log holds in its place.
    pub(super) fn standing(
        &mut self,
        log: &SequencerHandle<SledStore>,
        line: &Line,
    ) -> Result<Standing, Failure> {
        let table = line.table.as_str();
        let known = self
            .looked_at
            .get(table)
            .is_some_and(|stored| stored.iter().any(|stored| covers(stored, line.sequence)));
        if !known {
            let stored = fetch(log, table, line.sequence)?;
            self.looked_at.insert(table.to_owned(), stored);
        }
        let stored = self.looked_at.get(table).map(Vec::as_slice).unwrap_or_default();
        if stored.iter().any(|stored| stored.erased > 0 && covers(stored, line.sequence)) {
            // What was erased cannot be compared; recording it anew would undo the erasure.
            return Ok(Standing::Same);
        }
        let stored = stored.iter();
        let mut there = stored.filter_map(|stored| at(stored, line.sequence)).peekable();
        if there.peek().is_none() {
            return Ok(Standing::Missing);
        }
        let same = |event: &Event| event.occurred_at == line.occurred_at && event.body == line.event;
        Ok(if there.any(same) { Standing::Same } else { Standing::Other })
    }
}

fn at(stored: &Stored, sequence: u64) -> Option<&Event> {
    stored.events.get(usize::try_from(sequence.checked_sub(stored.first)?).ok()?)
}

fn covers(stored: &Stored, sequence: u64) -> bool {
    let count = u64::from(stored.erased).max(stored.events.len() as u64);
    sequence.checked_sub(stored.first).is_some_and(|place| place < count)
}

fn chain(table: &str) -> Result<ChainName, Failure> {
    ChainName::new(table).map_err(Failure::unreadable)
}

/// All entries that cover a table's sequence.
fn fetch(log: &SequencerHandle<SledStore>, table: &str, sequence: u64) -> Result<Vec<Stored>, Failure> {
    let chain = chain(table)?;
    let found = log.view(move |store| -> Result<Vec<Vec<u8>>, StoreError> {
        let indexes = store.locate(&chain, sequence)?;
        indexes.into_iter().map(|index| store.read(index, 1).map(Vec::into_iter)).try_fold(
            Vec::new(),
            |mut all, read| {
                all.extend(read?);
                Ok(all)
            },
        )
    });
    let entries = found.map_err(Failure::unreadable)?.map_err(Failure::unreadable)?;
    entries
        .iter()
        .map(|bytes| {
            let kept = parse_kept(bytes).map_err(Failure::unreadable)?;
            let (first, count) = (kept.view.first, kept.view.count);
            if kept.withheld.is_some() {
                return Ok(Stored { first, erased: count, events: Vec::new() });
            }
            let events = decode_payload(kept.view.payload).map_err(Failure::unreadable)?;
            Ok(Stored { first, events, erased: 0 })
        })
        .collect()
}
