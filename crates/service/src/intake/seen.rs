//! What the log holds already: exactly-once, event by event.

use std::collections::BTreeMap;

use events::{Event, Line, decode_payload};
use sealed_log::{ChainName, SequencerHandle, Store, StoreError, parse_kept};

use super::IntakeError;

/// How a line stands to what the log holds under its table and sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// The log holds this very event,
    Same {
        /// in the entry at this log index,
        entry: u64,
        /// and another one beside it, under the same number.
        disputed: bool,
    },
    /// The log holds another event, and not this one.
    Other,
    /// The log holds nothing there.
    Missing,
}

/// An entry as it was stored: its first sequence, its events, and how many it had where they are
/// erased.
#[derive(Debug)]
struct Stored {
    index: u64,
    first: u64,
    events: Vec<Event>,
    erased: u32,
}

/// Highest sequence of each table, and each table's entries looked at last.
#[derive(Debug, Default)]
pub struct Seen {
    last: BTreeMap<String, u64>,
    looked_at: BTreeMap<String, Vec<Stored>>,
}

impl Seen {
    /// Whether the log may hold the table's sequence already.
    ///
    /// # Errors
    /// [`IntakeError`] when the log cannot be asked.
    pub fn may_be_there<S: Store + 'static>(
        &mut self,
        log: &SequencerHandle<S>,
        table: &str,
        sequence: u64,
    ) -> Result<bool, IntakeError> {
        if let Some(last) = self.last.get(table) {
            return Ok(sequence <= *last);
        }
        let chain = chain(table)?;
        let head = log.view(move |store| store.chain(&chain))?;
        let last = head?.map_or(0, |head| head.last);
        self.last.insert(table.to_owned(), last);
        Ok(sequence <= last)
    }

    /// Whether the log is known to hold nothing of the table at this sequence or after it, so that it need
    /// not be asked.
    #[must_use]
    pub fn is_beyond(&self, table: &str, sequence: u64) -> bool {
        self.last.get(table).is_some_and(|last| sequence > *last)
    }

    /// A new event was taken.
    pub fn note(&mut self, table: &str, sequence: u64) {
        if let Some(last) = self.last.get_mut(table) {
            *last = sequence.max(*last);
        }
        self.looked_at.remove(table);
    }

    /// Compares a line with what the log holds in its place.
    ///
    /// # Errors
    /// [`IntakeError`] when the log cannot be asked.
    pub fn standing<S: Store + 'static>(
        &mut self,
        log: &SequencerHandle<S>,
        line: &Line,
    ) -> Result<Standing, IntakeError> {
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
        let same = |stored: &&Stored| {
            // What was erased cannot be compared; recording it anew would undo the erasure.
            let erased = stored.erased > 0 && covers(stored, line.sequence);
            let is_same = |event: &Event| event.occurred_at == line.occurred_at && event.body == line.event;
            erased || at(stored, line.sequence).is_some_and(is_same)
        };
        if let Some(entry) = stored.iter().find(same).map(|same| same.index) {
            let disputed = stored.iter().any(|other| covers(other, line.sequence) && !same(&other));
            return Ok(Standing::Same { entry, disputed });
        }
        let covered = stored.iter().any(|stored| covers(stored, line.sequence));
        Ok(if covered { Standing::Other } else { Standing::Missing })
    }
}

fn at(stored: &Stored, sequence: u64) -> Option<&Event> {
    stored.events.get(usize::try_from(sequence.checked_sub(stored.first)?).ok()?)
}

fn covers(stored: &Stored, sequence: u64) -> bool {
    let count = u64::from(stored.erased).max(stored.events.len() as u64);
    sequence.checked_sub(stored.first).is_some_and(|place| place < count)
}

fn chain(table: &str) -> Result<ChainName, IntakeError> {
    ChainName::new(table).map_err(IntakeError::from)
}

/// All entries that cover a table's sequence. One that cannot be decoded holds nothing that could be
/// compared: what comes in its place is recorded beside it.
fn fetch<S: Store + 'static>(
    log: &SequencerHandle<S>,
    table: &str,
    sequence: u64,
) -> Result<Vec<Stored>, IntakeError> {
    let chain = chain(table)?;
    let found = log.view(move |store| -> Result<Vec<(u64, Vec<u8>)>, StoreError> {
        let mut entries = Vec::new();
        for index in store.locate(&chain, sequence)? {
            entries.extend(store.read(index, 1)?.into_iter().map(|bytes| (index, bytes)));
        }
        Ok(entries)
    });
    Ok(found??.iter().filter_map(|(index, bytes)| stored(*index, bytes)).collect())
}

fn stored(index: u64, bytes: &[u8]) -> Option<Stored> {
    let kept = parse_kept(bytes).ok()?;
    let (first, count) = (kept.view.first, kept.view.count);
    if kept.withheld.is_some() {
        return Some(Stored { index, first, erased: count, events: Vec::new() });
    }
    let events = decode_payload(kept.view.payload).ok()?;
    Some(Stored { index, first, events, erased: 0 })
}
