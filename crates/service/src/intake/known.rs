//! What the log holds of a table already: exactly-once, event by event.
//!
//! Whatever positions a table's entries have, and however many stand under one number, looking is bounded:
//! what is not compared is recorded once more, and said.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, RangeInclusive};

use events::{Event, Line, decode_payload};
use sealed_log::{ChainName, EntryView, StoreReader, parse_kept};

use super::IntakeError;

/// Versions of one event that a line is compared with.
pub const MOST_VERSIONS: usize = 16;
/// Positions looked up at once where lines come in order.
const WIDEST: u64 = 512;
/// Entries and bytes looked at for these, before they are looked up one by one.
const MOST_ENTRIES: usize = 4_096;
const MOST_BYTES: usize = 4 << 20;
/// What a look-up costs beside the bytes it gives, in bytes that could be read meanwhile.
const LOOK_UP: usize = 2 << 10;
const ENTRY: usize = 1 << 10;

/// How a line stands to what the log holds under its table and sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recorded {
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
    /// The log holds others, of which not all were compared: it may hold this one.
    NotCompared,
}

/// How much may be looked at, bytes.
#[derive(Debug, Clone, Copy)]
pub struct Allowance(usize);

impl Allowance {
    /// So many bytes.
    #[must_use]
    pub const fn bytes(bytes: usize) -> Self {
        Self(bytes)
    }

    /// As much as there is.
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
    /// There is nothing above this sequence.
    Exactly(u64),
    /// Something lies at this sequence or above.
    AtLeast(u64),
}

/// What is known of one table of the log.
#[derive(Debug, Default)]
pub struct Known {
    reach: Option<Reach>,
    window: Window,
}

/// What the log holds under some sequences that follow one another.
#[derive(Debug, Default)]
struct Window {
    first: u64,
    width: u64,
    stored: BTreeMap<u64, Stored>,
    /// There is more than was looked at.
    is_cut: bool,
}

/// An entry as it was stored: its first sequence, its events, and how many it had where they are
/// erased.
#[derive(Debug)]
struct Stored {
    first: u64,
    events: Vec<Event>,
    erased: u32,
}

impl Known {
    /// Whether the log may hold the table's sequence already.
    ///
    /// # Errors
    /// [`IntakeError`] when the log cannot be asked.
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

    /// Whether the log is known to hold nothing of the table at this sequence or after it, so that it need
    /// not be asked.
    #[must_use]
    pub const fn is_beyond(&self, sequence: u64) -> bool {
        matches!(self.reach, Some(Reach::Exactly(last)) if sequence > last)
    }

    /// A new event was taken.
    pub fn note(&mut self, sequence: u64) {
        self.reach = Some(match self.reach {
            Some(Reach::Exactly(last)) => Reach::Exactly(last.max(sequence)),
            Some(Reach::AtLeast(some)) => Reach::AtLeast(some.max(sequence)),
            None => Reach::AtLeast(sequence),
        });
        self.forget_entries();
    }

    /// Keeps how far the table goes, and no entries.
    pub fn forget_entries(&mut self) {
        self.window = Window::default();
    }

    /// Compares a line with what the log holds in its place. Lines in order of their numbers are looked up
    /// together.
    ///
    /// # Errors
    /// [`IntakeError`] when the log cannot be asked.
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

    /// A window that begins at a sequence: a wider one where it goes on from this one.
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
            // What was erased cannot be compared; recording it anew would undo the erasure.
            let erased = stored.erased > 0 && stored.covers(line.sequence);
            let is_same = |event: &Event| event.occurred_at == line.occurred_at && event.body == line.event;
            erased || stored.at(line.sequence).is_some_and(is_same)
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

/// A window being filled.
struct Loading<'a> {
    sequences: RangeInclusive<u64>,
    stored: BTreeMap<u64, Stored>,
    /// Versions of each sequence.
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

    /// Takes an entry up, unless enough versions of all that it covers are there. One that cannot be decoded
    /// holds nothing that could be compared: what comes in its place is recorded beside it.
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

    /// Counts an entry for each sequence it covers; gives how many the least of them has by now.
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
