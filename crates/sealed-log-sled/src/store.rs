//! The store on sled: a tail of single entries, bundles behind it, leaf hashes beside both.
//!
//! Everything an append changes goes into sled so that no part of it is there without its entries; then sled is
//! flushed and its file put on the medium.

use std::path::Path;
use std::sync::Arc;

use sealed_log::{
    Batch, ChainHead, ChainName, Frontier, SignedCheckpoint, Store, StoreError, StoredEntry, TreeHash,
};
use sled::Transactional;
use sled::transaction::{ConflictableTransactionError, TransactionError};

use crate::bundle::unpack;
use crate::closing::Closing;
use crate::guard::{from_sled, guarded};
use crate::keys;
use crate::medium::{Medium, sync};
use crate::pieces;
use crate::running::Running;
use crate::sealing::{Changes, Step};
use crate::upper::Upper;

/// Version of the layout that `keys`, `pieces`, `bundle` and `chains` describe.
/// History: 1 (first, never released), 2 (long values in pieces), 3 (tiles above the leaf hashes), 4 (the newest
/// signed head).
pub(crate) const FORMAT: u8 = 4;
/// The oldest layout that is read: without tiles above the leaf hashes, which are then computed, and without a
/// signed head, which is only kept beside the store.
pub(crate) const OLDEST_FORMAT: u8 = 2;
/// Leaf hashes in one tile.
pub(crate) const TILE: u64 = 256;

/// A bundle as it is read: the index of its first entry, and its entries.
type Placed = (u64, Vec<Vec<u8>>);

/// A [`Store`] in a folder.
#[derive(Debug)]
pub struct SledStore {
    /// Bundles, tiles, chains and places: written when a bundle or a tile is full.
    pub(crate) sealed: sled::Db,
    /// Newest entries by index: all that most appends write, in a tree of its own so that its
    /// busy pages hold nothing else.
    pub(crate) newest: sled::Tree,
    pub(crate) size: u64,
    pub(crate) frontier: Frontier,
    /// Index of the first entry that is not in a bundle yet.
    pub(crate) tail_first: u64,
    /// The entries that are not in a bundle yet.
    pub(crate) tail: Vec<StoredEntry>,
    /// Leaf hashes of the newest, partial tile.
    pub(crate) leaves: Vec<TreeHash>,
    /// The newest signed head that an append brought.
    pub(crate) head: Option<Arc<SignedCheckpoint>>,
    /// The partial tiles above the leaf hashes, or why they are not to be had.
    pub(crate) upper: Result<Upper, String>,
    medium: Medium,
    durable: bool,
    stopped: bool,
    /// The last field, so that it goes last.
    closing: Closing,
}

impl SledStore {
    /// Opens the folder, making it if absent. Opening *writes* to the folder, even if nothing is
    /// appended; to look at evidence use [`crate::LogFolder::private_copy`].
    ///
    /// # Errors
    /// [`StoreError::Medium`] where it cannot be opened (another program has it open, for
    /// example), [`StoreError::Unopened`] or [`StoreError::Damaged`] where it contradicts itself.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        Self::open_running(folder, None)
    }

    /// Opens the folder; `running` ends when the store has been closed.
    pub(crate) fn open_running(folder: &Path, running: Option<Running>) -> Result<Self, StoreError> {
        Self::open_by(folder, || {
            let mut store = Self::connect(folder, running)?;
            store.load()?;
            Ok(store)
        })
    }

    /// Opens a copy whose end need not join up: what is there can be read, as far as it is found. Only
    /// a reader that checks every entry may be given it.
    pub(crate) fn open_as_found(folder: &Path) -> Result<Self, StoreError> {
        Self::open_by(folder, || {
            let mut store = Self::connect(folder, None)?;
            store.load_what_is_found()?;
            Ok(store)
        })
    }

    fn open_by(folder: &Path, load: impl FnOnce() -> Result<Self, StoreError>) -> Result<Self, StoreError> {
        let fresh = !folder.exists();
        remove_half_snapshots(folder)?;
        let store = guarded(0, load).map_err(|error| match error {
            // Not the first entry: the store as a whole.
            StoreError::Damaged { index: 0, why } => StoreError::Unopened(why),
            other @ (StoreError::Damaged { .. }
            | StoreError::Unopened(_)
            | StoreError::WrongIndex { .. }
            | StoreError::Stopped
            | StoreError::Medium(_)) => other,
        })?;
        if fresh {
            let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty());
            sync(parent.unwrap_or(Path::new(".")))?;
            sync(folder)?;
        }
        Ok(store)
    }

    pub(crate) fn assemble(sealed: sled::Db, newest: sled::Tree, medium: Medium, closing: Closing) -> Self {
        Self {
            sealed,
            newest,
            size: 0,
            frontier: Frontier::default(),
            tail_first: 0,
            tail: Vec::new(),
            leaves: Vec::new(),
            head: None,
            upper: Ok(Upper::default()),
            medium,
            durable: true,
            stopped: false,
            closing,
        }
    }

    /// Bulk measuring only: appends return before they are known to be on the medium.
    #[doc(hidden)]
    #[must_use]
    pub fn without_durability(mut self) -> Self {
        self.durable = false;
        self
    }

    pub(crate) fn get(&self, key: &[u8], index: u64) -> Result<Option<sled::IVec>, StoreError> {
        self.sealed.get(key).map_err(from_sled(index))
    }

    /// The bundle that holds an entry.
    pub(crate) fn bundle_of(&self, index: u64) -> Result<Placed, StoreError> {
        let bundle = self.newest_bundle(&keys::bundle(index.saturating_add(1)), index)?;
        bundle.ok_or_else(|| StoreError::Damaged { index, why: "its bundle is not there".to_owned() })
    }

    /// The newest bundle before a key; `index` is the entry concerned if it cannot be read.
    pub(crate) fn newest_bundle(&self, before: &[u8], index: u64) -> Result<Option<Placed>, StoreError> {
        let from = keys::bundle(0);
        let Some(last) = self.sealed.range::<&[u8], _>(from.as_slice()..before).next_back() else {
            return Ok(None);
        };
        let (piece, _) = last.map_err(from_sled(index))?;
        let key = pieces::whole_key(&piece);
        let damaged = |why: String| StoreError::Damaged { index, why };
        let first = keys::number_of(key).ok_or_else(|| damaged("an illegible bundle key".to_owned()))?;
        let value = pieces::get(&self.sealed, key, index)?.unwrap_or_default();
        Ok(Some((first, unpack(&value).map_err(damaged)?)))
    }

    fn append_unguarded(&mut self, batch: &Batch) -> Result<(), StoreError> {
        let Step { changes, leaving, growth } = self.prepare(batch)?;
        self.commit(changes)?;
        let known = self.tail.len();
        self.tail.drain(..leaving.min(known));
        self.tail.extend(batch.entries.iter().skip(leaving.saturating_sub(known)).cloned());
        self.tail_first += leaving as u64;
        self.size = growth.frontier.size();
        self.frontier = growth.frontier;
        self.leaves = growth.leaves;
        if let Some(upper) = growth.upper {
            self.upper = Ok(upper);
        }
        if let Some(head) = &batch.head {
            self.head = Some(Arc::clone(head));
        }
        Ok(())
    }

    /// Writes what an append changes and puts it on the medium.
    fn commit(&mut self, changes: Changes) -> Result<(), StoreError> {
        let failed = from_sled(self.size);
        match changes {
            Changes::One(values) => {
                for (key, value) in values {
                    self.newest.insert(key, value).map_err(&failed)?;
                }
            }
            Changes::Newest(changes) => self.newest.apply_batch(changes).map_err(&failed)?,
            Changes::Sealed { newest: changes, sealed: sealed_changes } => {
                let written = (&*self.sealed, &self.newest).transaction(|(sealed, newest)| {
                    sealed.apply_batch(&sealed_changes)?;
                    newest.apply_batch(&changes)?;
                    Ok::<(), ConflictableTransactionError<()>>(())
                });
                written.map_err(|error| match error {
                    TransactionError::Storage(error) => failed(error),
                    TransactionError::Abort(()) => StoreError::Stopped,
                })?;
            }
        }
        self.sealed.flush().map_err(failed)?;
        if self.durable { self.medium.sync() } else { Ok(()) }
    }

    /// The partial tiles above the leaf hashes.
    pub(crate) fn upper(&self, index: u64) -> Result<&Upper, StoreError> {
        self.upper.as_ref().map_err(|why| StoreError::Damaged { index, why: why.clone() })
    }

    fn upper_tile_of(&self, level: u8, place: u64) -> Result<Vec<TreeHash>, StoreError> {
        let (number, index) = (place / TILE, place << (8 * u32::from(level)));
        let upper = self.upper(index)?;
        if number == upper.places(level) / TILE {
            return Ok(upper.row(level).to_vec());
        }
        self.full_tile(&keys::upper_tile(level, number), index)
    }

    pub(crate) fn full_tile(&self, key: &[u8], index: u64) -> Result<Vec<TreeHash>, StoreError> {
        let value = pieces::get(&self.sealed, key, index)?;
        match value.as_ref().map(|value| value.as_chunks::<32>()) {
            Some((hashes, [])) if hashes.len() as u64 == TILE => Ok(hashes.to_vec()),
            Some(_) | None => {
                Err(StoreError::Damaged { index, why: "the tile of its hash is not there".to_owned() })
            }
        }
    }

    fn tile_of(&self, index: u64) -> Result<Vec<TreeHash>, StoreError> {
        let number = index / TILE;
        if number == self.size / TILE {
            return Ok(self.leaves.clone());
        }
        self.full_tile(&keys::tile(number), index)
    }
}

impl Store for SledStore {
    fn size(&self) -> u64 {
        self.size
    }

    fn frontier(&self) -> Frontier {
        self.frontier.clone()
    }

    fn head(&self) -> Option<Arc<SignedCheckpoint>> {
        self.head.clone()
    }

    fn append(&mut self, batch: &Batch) -> Result<(), StoreError> {
        if self.stopped {
            return Err(StoreError::Stopped);
        }
        if batch.first_index != self.size {
            return Err(StoreError::WrongIndex { given: batch.first_index, size: self.size });
        }
        let outcome = guarded(self.size, || self.append_unguarded(batch));
        self.stopped = outcome.is_err();
        self.closing.sound &= outcome.is_ok();
        outcome
    }

    fn read(&self, first: u64, most: usize) -> Result<Vec<Vec<u8>>, StoreError> {
        if first >= self.size || most == 0 {
            return Ok(Vec::new());
        }
        if let Some(from) = first.checked_sub(self.tail_first) {
            let newest = self.tail.iter().skip(from as usize).take(most);
            return Ok(newest.map(|entry| entry.bytes.clone()).collect());
        }
        let (start, entries) = guarded(first, || self.bundle_of(first))?;
        let rest: Vec<Vec<u8>> = entries.into_iter().skip((first - start) as usize).take(most).collect();
        if rest.is_empty() {
            let why = "its bundle does not hold it".to_owned();
            return Err(StoreError::Damaged { index: first, why });
        }
        Ok(rest)
    }

    fn leaf_hashes(&self, first: u64, count: usize) -> Result<Vec<TreeHash>, StoreError> {
        let end = first.saturating_add(count as u64);
        if end > self.size {
            let why = format!("{count} leaf hashes from {first} were asked for, {} are kept", self.size);
            return Err(StoreError::Damaged { index: self.size, why });
        }
        let mut hashes = Vec::with_capacity(count);
        let mut index = first;
        while index < end {
            let tile = guarded(index, || self.tile_of(index))?;
            let wanted = tile.into_iter().skip((index % TILE) as usize).take((end - index) as usize);
            hashes.extend(wanted);
            index = first + hashes.len() as u64;
        }
        Ok(hashes)
    }

    fn tile_hashes(&self, level: u8, first: u64, count: usize) -> Result<Vec<TreeHash>, StoreError> {
        if level == 0 {
            return self.leaf_hashes(first, count);
        }
        let end = first.checked_add(count as u64);
        let kept = self.size.checked_shr(8 * u32::from(level)).unwrap_or(0);
        let Some(end) = end.filter(|end| *end <= kept) else {
            let why = format!("{count} hashes of level {level} from {first} were asked for, {kept} are kept");
            return Err(StoreError::Damaged { index: self.size, why });
        };
        let mut hashes = Vec::with_capacity(count);
        let mut place = first;
        while place < end {
            let tile = guarded(self.size, || self.upper_tile_of(level, place))?;
            let wanted = tile.into_iter().skip((place % TILE) as usize).take((end - place) as usize);
            hashes.extend(wanted);
            place = first + hashes.len() as u64;
        }
        Ok(hashes)
    }

    fn chain(&self, name: &ChainName) -> Result<Option<ChainHead>, StoreError> {
        guarded(self.size, || Ok(self.head_of(name)?.map(|head| head.head)))
    }

    fn locate(&self, name: &ChainName, position: u64) -> Result<Vec<u64>, StoreError> {
        guarded(self.size, || self.located(name, position))
    }
}

/// Sled writes a snapshot of its page table under another name and renames it once it is whole. What
/// it left under that name when it was stopped it would take for a damaged snapshot, and open no more.
fn remove_half_snapshots(folder: &Path) -> Result<(), StoreError> {
    let medium = |error: std::io::Error| StoreError::Medium(format!("{}: {error}", folder.display()));
    let Ok(names) = std::fs::read_dir(folder) else { return Ok(()) };
    for name in names {
        let path = name.map_err(medium)?.path();
        let half = path.file_name().is_some_and(|name| {
            let name = name.to_string_lossy();
            name.starts_with("snap.") && name.ends_with(".generating")
        });
        if half {
            std::fs::remove_file(path).map_err(medium)?;
        }
    }
    Ok(())
}
