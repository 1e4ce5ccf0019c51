//! The events of a file by table and sequence, each as the digest of its identity, in bounded memory.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use events::Event;
use sealed_log::entry::Digest;

/// Most events that are compared: some 200 MB.
pub(super) const MOST: usize = 1 << 21;
/// Most versions of one event that are compared, as in the service.
const MOST_VERSIONS: u16 = 16;
/// Bytes of a digest that are kept: enough that nobody finds two events with the same.
const KEPT: usize = 16;

type Short = [u8; KEPT];

/// What recording an event of the file would do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// It would be recorded.
    New,
    /// The log holds it.
    AlreadyThere,
    /// The log holds another event under its number.
    Conflict,
    /// The log's event under its number is erased or withheld.
    NotCompared,
}

/// One version of an event.
#[derive(Debug)]
pub(super) struct Seen {
    /// The line it stands in.
    pub(super) line: u64,
    digest: Short,
    pub(super) state: State,
}

/// Table, sequence, version.
type Place = (u32, u64, u16);

/// The events of a file.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    tables: BTreeMap<String, u32>,
    seen: BTreeMap<Place, Seen>,
    /// Events of the file.
    pub(super) events: u64,
    /// Events that stand in the file before.
    pub(super) repeated: u64,
    /// Events beyond what is compared.
    pub(super) beyond: u64,
}

impl Numbers {
    pub(super) fn add(&mut self, line: u64, table: &str, sequence: u64, digest: Short) {
        self.events += 1;
        let next = u32::try_from(self.tables.len()).unwrap_or(u32::MAX);
        let table = match self.tables.get(table) {
            Some(table) => *table,
            None => *self.tables.entry(table.to_owned()).or_insert(next),
        };
        let mut versions = 0;
        for (_, seen) in self.seen.range(versions_of(table, sequence..=sequence)) {
            if seen.digest == digest {
                self.repeated += 1;
                return;
            }
            versions += 1;
        }
        if versions == MOST_VERSIONS || self.seen.len() == MOST {
            self.beyond += 1;
            return;
        }
        self.seen.insert((table, sequence, versions), Seen { line, digest, state: State::New });
    }

    /// Whether the file has one of these sequences of the table.
    pub(super) fn meets(&self, table: &str, first: u64, count: u32) -> bool {
        let Some(table) = self.tables.get(table) else { return false };
        let sequences = first..=first.saturating_add(u64::from(count).saturating_sub(1));
        self.seen.range(versions_of(*table, sequences)).next().is_some()
    }

    /// Compares what the file has under a sequence with an event of the log.
    pub(super) fn compare(&mut self, table: &str, sequence: u64, digest: impl FnOnce() -> Short) {
        let Some(table) = self.tables.get(table) else { return };
        let mut versions = self.seen.range_mut(versions_of(*table, sequence..=sequence)).peekable();
        // An event is hashed only where there is one to compare with.
        if versions.peek().is_none() {
            return;
        }
        let digest = digest();
        for (_, seen) in versions {
            seen.state = match (digest == seen.digest, seen.state) {
                (true, _) | (false, State::AlreadyThere) => State::AlreadyThere,
                (false, State::New | State::Conflict | State::NotCompared) => State::Conflict,
            };
        }
    }

    /// The log's events under these sequences are erased or withheld.
    pub(super) fn not_comparable(&mut self, table: &str, first: u64, count: u32) {
        let Some(table) = self.tables.get(table) else { return };
        let sequences = first..=first.saturating_add(u64::from(count).saturating_sub(1));
        for (_, seen) in self.seen.range_mut(versions_of(*table, sequences)) {
            if seen.state == State::New {
                seen.state = State::NotCompared;
            }
        }
    }

    pub(super) fn tables(&self) -> u64 {
        self.tables.len() as u64
    }

    /// Every version of every event: its table, its sequence, and the line of the first version where this is
    /// another one.
    pub(super) fn each(&self) -> impl Iterator<Item = (&str, u64, Option<u64>, &Seen)> {
        let names: BTreeMap<u32, &str> =
            self.tables.iter().map(|(name, table)| (*table, name.as_str())).collect();
        self.seen.iter().map(move |((table, sequence, version), seen)| {
            let first = self.seen.get(&(*table, *sequence, 0)).map(|seen| seen.line).filter(|_| *version > 0);
            (names.get(table).copied().unwrap_or_default(), *sequence, first, seen)
        })
    }
}

/// Every version of these sequences of a table.
fn versions_of(table: u32, sequences: RangeInclusive<u64>) -> RangeInclusive<Place> {
    (table, *sequences.start(), 0)..=(table, *sequences.end(), u16::MAX)
}

/// The digest of an event's identity: the same for each way in which the event can be written.
pub(super) fn digest_of(event: &Event) -> Short {
    let digest = Digest::of(&event.identity());
    std::array::from_fn(|at| digest.as_bytes()[at])
}
