//! The store on sled: a tail of single entries, blocks behind it, leaf hashes beside both.
//!
//! Everything an append changes goes into sled so that no part of it is there without its entries; then sled is
//! flushed and its file put on the disk.

use std::path::Path;
use std::sync::Arc;

use sealed_log::entry::ChainName;
use sealed_log::store::{ChainTip, StoreError, StoreWriter, WriteBatch};
use sled::Transactional;
use sled::transaction::{ConflictableTransactionError, TransactionError};

use crate::closing::Closing;
use crate::copying::bytes_of_holes;
use crate::flush::{StoreSync, sync};
use crate::guard::{from_sled, guarded};
use crate::open::Open;
use crate::reader::SledReader;
use crate::running::Running;
use crate::sealing::{Changes, Step};
use crate::state::State;
use crate::upper::Upper;

/// Version of the layout that `keys`, `pieces`, `block` and `chains` describe.
/// History: 1 (first, never released), 2 (long values in pieces), 3 (tiles above the leaf hashes), 4 (the newest
/// signed checkpoint), 5 (runs of positions, none longer than `LONGEST_RUN`).
pub(crate) const FORMAT: u8 = 5;
/// The oldest layout that is read: without tiles above the leaf hashes, which are then computed, without a
/// signed checkpoint, which is only kept beside the store, and with runs as long as a block's positions reach, which
/// are then made anew.
pub(crate) const OLDEST_FORMAT: u8 = 2;
/// Leaf hashes in one tile.
pub(crate) const TILE: u64 = 256;

/// A store in a folder, as its one writer has it.
#[derive(Debug)]
pub struct SledStore {
    /// Blocks, tiles, chains and runs of positions: written when a block or a tile is full.
    pub(crate) sealed: sled::Db,
    /// Newest entries by index: all that most appends write, in a tree of its own so that its
    /// busy pages hold nothing else.
    pub(crate) newest: sled::Tree,
    /// The store as the last append left it.
    pub(crate) reader: SledReader,
    store_sync: StoreSync,
    durable: bool,
    stopped: bool,
    /// The last field, so that it goes last.
    closing: Closing,
}

impl Drop for SledStore {
    fn drop(&mut self) {
        self.reader.open.close();
    }
}

impl SledStore {
    /// Opens the folder, making it if absent. Opening *writes* to the folder, even if nothing is
    /// appended; to look at evidence use [`crate::LogFolder::private_copy`].
    ///
    /// # Errors
    /// [`StoreError::Disk`] where it cannot be opened (another program has it open, for
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
        check_kinds(folder)?;
        remove_half_snapshots(folder)?;
        let store = guarded(0, load).map_err(|error| match error {
            // Not the first entry: the store as a whole.
            StoreError::Damaged { index: 0, why } => StoreError::Unopened(why),
            other @ (StoreError::Damaged { .. }
            | StoreError::Unopened(_)
            | StoreError::WrongIndex { .. }
            | StoreError::Stopped
            | StoreError::Closed
            | StoreError::Disk(_)
            | StoreError::Machine(_)) => other,
        })?;
        if fresh {
            let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty());
            sync(parent.unwrap_or(Path::new(".")))?;
            sync(folder)?;
        }
        Ok(store)
    }

    pub(crate) fn assemble(
        sealed: sled::Db,
        newest: sled::Tree,
        store_sync: StoreSync,
        closing: Closing,
    ) -> Self {
        let open = Arc::new(Open::new(sealed.clone()));
        let reader = SledReader { open, state: Arc::default() };
        Self { sealed, newest, reader, store_sync, durable: true, stopped: false, closing }
    }

    /// Bulk measuring only: appends return before they are known to be on the disk.
    #[doc(hidden)]
    #[must_use]
    pub fn without_durability(mut self) -> Self {
        self.durable = false;
        self
    }

    pub(crate) fn get(&self, key: &[u8], index: u64) -> Result<Option<sled::IVec>, StoreError> {
        self.sealed.get(key).map_err(from_sled(index))
    }

    pub(crate) fn state(&self) -> &State {
        &self.reader.state
    }

    /// Clones of the reader keep the state that they have.
    pub(crate) fn state_mut(&mut self) -> &mut State {
        Arc::make_mut(&mut self.reader.state)
    }

    fn append_unguarded(&mut self, batch: &WriteBatch) -> Result<(), StoreError> {
        let Step { changes, leaving, growth } = self.prepare(batch)?;
        self.commit(changes)?;
        let state = self.state_mut();
        let known = state.tail.len();
        state.tail.drain(..leaving.min(known));
        let staying = batch.entries.iter().skip(leaving.saturating_sub(known));
        state.tail.extend(staying.cloned().map(Arc::new));
        state.tail_first += leaving as u64;
        state.size = growth.frontier.size();
        state.frontier = growth.frontier;
        state.leaves = growth.leaves;
        if let Some(upper) = growth.upper {
            state.upper = Arc::new(Ok(upper));
        }
        if let Some(signed) = &batch.signed {
            state.signed = Some(Arc::clone(signed));
        }
        Ok(())
    }

    /// Writes what an append changes and puts it on the disk.
    fn commit(&mut self, changes: Changes) -> Result<(), StoreError> {
        let failed = from_sled(self.state().size);
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
        if self.durable { self.store_sync.sync() } else { Ok(()) }
    }

    /// The partial tiles above the leaf hashes.
    pub(crate) fn upper(&self, index: u64) -> Result<&Upper, StoreError> {
        (*self.state().upper).as_ref().map_err(|why| StoreError::Damaged { index, why: why.clone() })
    }
}

impl StoreWriter for SledStore {
    type Reader = SledReader;

    fn append(&mut self, batch: &WriteBatch) -> Result<(), StoreError> {
        if self.stopped {
            return Err(StoreError::Stopped);
        }
        let size = self.state().size;
        if batch.first_index != size {
            return Err(StoreError::WrongIndex { given: batch.first_index, size });
        }
        let outcome = guarded(size, || self.append_unguarded(batch));
        self.stopped = outcome.is_err();
        self.closing.sound &= outcome.is_ok();
        outcome
    }

    fn chain(&self, name: &ChainName) -> Result<Option<ChainTip>, StoreError> {
        guarded(self.state().size, || Ok(self.chain_state(name)?.map(|state| state.tip)))
    }

    fn reader(&self) -> &SledReader {
        &self.reader
    }
}

/// Sled opens its files without asking what they are: it would wait for ever for a pipe, and read a device.
fn check_kinds(folder: &Path) -> Result<(), StoreError> {
    let disk = |path: &Path, error: std::io::Error| StoreError::Disk(format!("{}: {error}", path.display()));
    let names = match std::fs::read_dir(folder) {
        Ok(names) => names,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(disk(folder, error)),
    };
    for name in names {
        let path = name.map_err(|error| disk(folder, error))?.path();
        let kind = match std::fs::symlink_metadata(&path) {
            Ok(meta) => meta.file_type(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            Err(error) => return Err(disk(&path, error)),
        };
        if kind.is_dir() {
            check_kinds(&path)?;
        } else if !kind.is_file() {
            let why = format!("{} is no file; a store holds files and folders only", path.display());
            return Err(StoreError::Unopened(why));
        } else if is_of_sled(&path) {
            let holes = bytes_of_holes(&path).map_err(|error| disk(&path, error))?;
            if holes > MOST_HOLES {
                let why = format!("{} claims {holes} bytes that it does not hold", path.display());
                return Err(StoreError::Unopened(why));
            }
        }
    }
    Ok(())
}

/// Most bytes of a file that need not be on the disk: sled fills its file from front to back, but not in order. It reads
/// all of it, and keeps a note of each part.
const MOST_HOLES: u64 = 1 << 30;

/// Whether sled opens a file of this name.
fn is_of_sled(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let in_blobs = path.parent().is_some_and(|folder| folder.ends_with("blobs"));
    in_blobs || name == "db" || name == "conf" || name.starts_with("snap.")
}

/// Sled writes a snapshot of its page table under another name and renames it once it is whole. What
/// it left under that name when it was stopped it would take for a damaged snapshot, and open no more.
fn remove_half_snapshots(folder: &Path) -> Result<(), StoreError> {
    let disk = |error: std::io::Error| StoreError::Disk(format!("{}: {error}", folder.display()));
    let Ok(names) = std::fs::read_dir(folder) else { return Ok(()) };
    for name in names {
        let path = name.map_err(disk)?.path();
        let half = path.file_name().is_some_and(|name| {
            let name = name.to_string_lossy();
            name.starts_with("snap.") && name.ends_with(".generating")
        });
        if half {
            std::fs::remove_file(path).map_err(disk)?;
        }
    }
    Ok(())
}
