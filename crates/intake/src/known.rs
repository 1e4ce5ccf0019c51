//! Compares new events with what the log already holds of their table: the base of recording each event
//! exactly once.
//!
//! Every look-up is bounded, whatever positions and versions a table has. An event that could not be compared
//! is recorded again and reported.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, RangeInclusive};

use events::{Event, Line, decode_payload};
use sealed_log::entry::{ChainName, EntryView};
use sealed_log::redaction::parse_kept;
use sealed_log::store::StoreReader;

use crate::IntakeError;

/// Most recorded versions with which an event is compared.
pub(crate) const MOST_VERSIONS: usize = 16;
/// Most positions that are read at once for events in order.
const WIDEST: u64 = 512;
/// Most entries read for these positions; beyond that they are looked up one by one.
const MOST_ENTRIES: usize = 4_096;
const MOST_BYTES: usize = 4 << 20;
/// The fixed cost of a look-up, in bytes that could be read in that time.
const LOOK_UP: usize = 2 << 10;
const ENTRY: usize = 1 << 10;

/// The result of comparing a line with what the log holds under its table and sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recorded {
    /// The log holds this event, perhaps written in another way (`docs/events.md`, "The same event").
    Same {
        /// Index of the entry that holds it.
        entry: u64,
        /// Whether the log also holds another event under the same number.
        disputed: bool,
    },
    /// The log holds another event, and not this one.
    Other,
    /// The log holds nothing there.
    Missing,
    /// The log holds other events, and not all were compared: it may hold this one.
    NotCompared,
}

/// How many more bytes may be read.
#[derive(Debug, Clone, Copy)]
pub struct Allowance(usize);

impl Allowance {
    /// A limit of so many bytes.
    #[must_use]
    pub const fn bytes(bytes: usize) -> Self {
        Self(bytes)
    }

    /// No limit.
    #[must_use]
    pub const fn all() -> Self {
        Self(usize::MAX)
    }

    const fn take(&mut self, bytes: usize) {
        if self.0 < usize::MAX {
            self.0 = self.0.saturating_sub(bytes);
        }
    }

    const fn is_used_up(&self) -> bool {
        self.0 == 0
    }
}

/// How far a table's numbering goes in the log.
#[derive(Debug, Clone, Copy)]
enum Reach {
    /// Nothing is recorded above this sequence.
    Exactly(u64),
    /// Something is recorded at this sequence or above.
    AtLeast(u64),
}

/// What is known about one table of the log.
#[derive(Debug, Default)]
pub struct Known {
    reach: Option<Reach>,
    window: Window,
}

/// The recorded events of a range of sequences.
#[derive(Debug, Default)]
struct Window {
    first: u64,
    width: u64,
    stored: BTreeMap<u64, Stored>,
    /// Not everything in the range was read.
    is_cut: bool,
}

/// A recorded entry: its first sequence, its events, and the number of events if they are erased.
#[derive(Debug)]
struct Stored {
    first: u64,
    events: Vec<Event>,
    erased: u32,
}

impl Known {
    /// Whether the log may already hold the table's sequence.
    ///
    /// # Errors
    /// [`IntakeError`] if the log cannot be read.
    pub fn may_be_there<S: StoreReader>(
        &mut self,
        store: &S,
        table: &str,
        sequence: u64,
    ) -> Result<bool, IntakeError> {
        match self.reach {
            Some(Reach::Exactly(last)) => return Ok(sequence <= last),
            Some(Reach::AtLeast(some)) if sequence <= some => return Ok(true),
            Some(Reach::AtLeast(_)) | None => {}
        }
        let (chain, mut there) = (ChainName::new(table)?, None);
        store.visit(&chain, sequence..=u64::MAX, &mut |_, bytes| {
            there = Some(parse_kept(bytes).map_or(sequence, |kept| kept.view.last()));
            ControlFlow::Break(())
        })?;
        self.reach = Some(there.map_or(Reach::Exactly(sequence.saturating_sub(1)), Reach::AtLeast));
        Ok(there.is_some())
    }

    /// Whether the log certainly holds nothing of the table at or after this sequence, so that no look-up is
    /// needed.
    #[must_use]
    pub const fn is_beyond(&self, sequence: u64) -> bool {
        matches!(self.reach, Some(Reach::Exactly(last)) if sequence > last)
    }

    /// Notes that a new event was accepted.
    pub fn note(&mut self, sequence: u64) {
        self.reach = Some(match self.reach {
            Some(Reach::Exactly(last)) => Reach::Exactly(last.max(sequence)),
            Some(Reach::AtLeast(some)) => Reach::AtLeast(some.max(sequence)),
            None => Reach::AtLeast(sequence),
        });
        self.forget_entries();
    }

    /// Drops the entries and keeps only the highest sequence.
    pub fn forget_entries(&mut self) {
        self.window = Window::default();
    }

    /// Compares a line with what the log holds under its sequence. Lines in order of their numbers share one
    /// read.
    ///
    /// # Errors
    /// [`IntakeError`] if the log cannot be read.
    pub fn compare<S: StoreReader>(
        &mut self,
        store: &S,
        line: &Line,
        allowance: &mut Allowance,
    ) -> Result<Recorded, IntakeError> {
        if !self.window.holds(line.sequence) {
            let chain = ChainName::new(line.table.as_str())?;
            self.window = self.window.next(store, &chain, line.sequence, allowance)?;
        }
        Ok(self.window.compare(line))
    }
}

impl Window {
    fn holds(&self, sequence: u64) -> bool {
        sequence.checked_sub(self.first).is_some_and(|offset| offset < self.width)
    }

    /// The window that begins at a sequence; it is wider if it continues this one.
    fn next<S: StoreReader>(
        &self,
        store: &S,
        chain: &ChainName,
        first: u64,
        allowance: &mut Allowance,
    ) -> Result<Self, IntakeError> {
        let goes_on = self.width > 0 && first == self.first.saturating_add(self.width);
        let width = if goes_on { (4 * self.width).min(WIDEST) } else { 1 };
        let wide = Self::of(store, chain, first, width, allowance)?;
        if wide.is_cut && width > 1 {
            return Self::of(store, chain, first, 1, allowance);
        }
        Ok(wide)
    }

    fn of<S: StoreReader>(
        store: &S,
        chain: &ChainName,
        first: u64,
        width: u64,
        allowance: &mut Allowance,
    ) -> Result<Self, IntakeError> {
        let sequences = first..=first.saturating_add(width - 1);
        let mut loading = Loading::new(sequences.clone(), allowance);
        if !loading.is_over() {
            store.visit(chain, sequences, &mut |index, bytes| loading.add_entry(index, bytes))?;
        }
        let Loading { stored, is_cut, .. } = loading;
        Ok(Self { first, width, stored, is_cut })
    }

    fn compare(&self, line: &Line) -> Recorded {
        let same = |stored: &Stored| {
            // Erased events cannot be compared, and recording them again would undo the erasure.
            let erased = stored.erased > 0 && stored.covers(line.sequence);
            erased || stored.at(line.sequence).is_some_and(|event| line.records(event))
        };
        if let Some((entry, _)) = self.stored.iter().find(|(_, stored)| same(stored)) {
            let disputed = self.stored.values().any(|other| other.covers(line.sequence) && !same(other));
            return Recorded::Same { entry: *entry, disputed };
        }
        if self.is_cut {
            return Recorded::NotCompared;
        }
        let covered = self.stored.values().any(|stored| stored.covers(line.sequence));
        if covered { Recorded::Other } else { Recorded::Missing }
    }
}

/// A window while it is filled.
struct Loading<'a> {
    sequences: RangeInclusive<u64>,
    stored: BTreeMap<u64, Stored>,
    /// Number of versions per sequence.
    versions: Vec<usize>,
    looked_at: usize,
    bytes: usize,
    is_cut: bool,
    allowance: &'a mut Allowance,
}

impl<'a> Loading<'a> {
    fn new(sequences: RangeInclusive<u64>, allowance: &'a mut Allowance) -> Self {
        allowance.take(LOOK_UP);
        let width = usize::try_from(sequences.end() - sequences.start()).unwrap_or(0) + 1;
        let is_cut = allowance.is_used_up();
        Self {
            sequences,
            stored: BTreeMap::new(),
            versions: vec![0; width],
            looked_at: 0,
            bytes: 0,
            is_cut,
            allowance,
        }
    }

    const fn is_over(&self) -> bool {
        self.is_cut
    }

    /// Adds an entry, unless enough versions of everything it covers are loaded. An entry that cannot be
    /// decoded has nothing to compare, so a new event is recorded beside it.
    fn add_entry(&mut self, index: u64, bytes: &[u8]) -> ControlFlow<()> {
        self.looked_at += 1;
        self.bytes += bytes.len();
        self.allowance.take(ENTRY + bytes.len());
        let many = self.looked_at > MOST_ENTRIES || self.bytes > MOST_BYTES || self.allowance.is_used_up();
        let versions = parse_kept(bytes).ok().map(|kept| self.count(&kept.view));
        let enough = versions.is_some_and(|fewest| fewest > MOST_VERSIONS);
        if many || enough {
            self.is_cut = true;
            return ControlFlow::Break(());
        }
        self.stored.extend(stored(bytes).map(|stored| (index, stored)));
        ControlFlow::Continue(())
    }

    /// Counts an entry for each sequence it covers, and returns the smallest count.
    fn count(&mut self, view: &EntryView<'_>) -> usize {
        let (first, last) = (view.first.max(*self.sequences.start()), view.last().min(*self.sequences.end()));
        let offset = |sequence: u64| usize::try_from(sequence - self.sequences.start()).unwrap_or(0);
        let counts = self.versions.get_mut(offset(first)..=offset(last)).unwrap_or_default();
        counts.iter_mut().for_each(|count| *count += 1);
        counts.iter().copied().min().unwrap_or(0)
    }
}

impl Stored {
    fn at(&self, sequence: u64) -> Option<&Event> {
        self.events.get(usize::try_from(sequence.checked_sub(self.first)?).ok()?)
    }

    fn covers(&self, sequence: u64) -> bool {
        let count = u64::from(self.erased).max(self.events.len() as u64);
        sequence.checked_sub(self.first).is_some_and(|offset| offset < count)
    }
}

fn stored(bytes: &[u8]) -> Option<Stored> {
    let kept = parse_kept(bytes).ok()?;
    let (first, count) = (kept.view.first, kept.view.count);
    if kept.withheld.is_some() {
        return Some(Stored { first, erased: count, events: Vec::new() });
    }
    let events = decode_payload(kept.view.payload).ok()?;
    Some(Stored { first, events, erased: 0 })
}
