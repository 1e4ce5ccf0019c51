//! What a store must do for the log, and nothing more.
//!
//! A store keeps entries by index and knows which entries cover a position of a chain. It does not
//! decode a payload, does not judge, never deletes and never overwrites. It has one writer and any number of
//! readers, neither of which waits for the other. Any store must pass the contract suite in
//! [`crate::store::contract`].

pub mod contract;
mod memory;
mod tiles;

pub use memory::{MemoryReader, MemoryStore};
pub use tiles::{ResourceError, StoreNodes, check_tiles, resource_bytes, tile_bytes};

use std::ops::{ControlFlow, RangeInclusive};
use std::sync::Arc;

use crate::entry::{ChainName, Digest};
use crate::store::tiles::hashed_from_leaves;
use tlog::checkpoint::SignedCheckpoint;
use tlog::tree::{Frontier, TreeHash};

/// One entry as it is handed to a store: its bytes, and the little of its header a store indexes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredEntry {
    /// The entry's canonical bytes, at most [`crate::entry::MAX_ENTRY_BYTES`].
    pub bytes: Vec<u8>,
    /// BLAKE3 of `bytes`.
    pub digest: Digest,
    /// The chain (the caller's table) the entry belongs to.
    pub chain: ChainName,
    /// Chain position of the first event, from 1.
    pub first: u64,
    /// How many consecutive positions the entry covers, 1 to 4,096.
    pub count: u32,
}

impl StoredEntry {
    /// Highest chain position the entry covers.
    #[must_use]
    pub const fn last(&self) -> u64 {
        self.first.saturating_add((self.count as u64).saturating_sub(1))
    }

    /// Whether the entry covers one of these positions.
    #[must_use]
    pub const fn covers(&self, positions: &RangeInclusive<u64>) -> bool {
        self.first <= *positions.end() && self.last() >= *positions.start()
    }
}

/// The newest state of one chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainTip {
    /// Digest of the chain's newest entry in log order: what the next entry names as `previous`.
    pub digest: Digest,
    /// Log index of that entry.
    pub index: u64,
    /// Highest position any entry of the chain covers.
    pub last: u64,
}

/// What is appended in one atomic, durable step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriteBatch {
    /// Index of the first entry: must equal [`StoreReader::size`], else [`StoreError::WrongIndex`].
    pub first_index: u64,
    /// The entries, in log order; may hold several of one chain.
    pub entries: Vec<StoredEntry>,
    /// The tree's right edge after the batch, kept so that start-up need not read the whole log.
    pub frontier: Frontier,
    /// The signed checkpoint that covers the batch, kept with it; `None` where entries are copied that were
    /// sealed before.
    pub signed: Option<Arc<SignedCheckpoint>>,
}

/// What a store held at one moment: a clone of [`StoreWriter::reader`] shows the same size, entries and hashes for as
/// long as it lives, whatever is appended meanwhile, and no append waits for it.
pub trait StoreReader {
    /// How many entries there are.
    fn size(&self) -> u64;

    /// The tree's right edge over them (empty for an empty store).
    fn frontier(&self) -> Frontier;

    /// The signed checkpoint of the newest batch that had one.
    fn signed_checkpoint(&self) -> Option<Arc<SignedCheckpoint>>;

    /// Entries `first..`, in order, at least one and at most `most` (fewer where a block ends);
    /// empty when `first >= size`.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] names the first index that cannot be read.
    fn read(&self, first: u64, most: usize) -> Result<Vec<Vec<u8>>, StoreError>;

    /// RFC 6962 leaf hashes as they were when sealed, `first..first + count` within `size`:
    /// kept apart from the entries so that a damaged entry can be named.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] when they cannot be read.
    fn leaf_hashes(&self, first: u64, count: usize) -> Result<Vec<TreeHash>, StoreError>;

    /// The hashes `first..first + count` of one level of the hash tiles (C2SP tlog-tiles): at level
    /// 0 leaf hashes, at level L (up to 7) the roots of full subtrees of 256^L entries, of which
    /// there are `size / 256^L`.
    ///
    /// A store that keeps no tiles above the leaf hashes computes them from these, which takes
    /// time in proportion to the entries below; one for large logs keeps them.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] when they cannot be read or are not all there.
    fn tile_hashes(&self, level: u8, first: u64, count: usize) -> Result<Vec<TreeHash>, StoreError> {
        hashed_from_leaves(self, level, first, count)
    }

    /// Shows `visit` the index and the bytes of every entry of a chain that covers one of these positions,
    /// each once, in no order that could be relied on; it may break off. What is done for each entry shown
    /// is bounded, whatever positions the chain's other entries have.
    ///
    /// # Errors
    /// [`StoreError`] when the store cannot be read.
    fn visit(
        &self,
        name: &ChainName,
        positions: RangeInclusive<u64>,
        visit: &mut dyn FnMut(u64, &[u8]) -> ControlFlow<()>,
    ) -> Result<(), StoreError>;

    /// Indexes of all entries of a chain that cover `position`, in log order: none when it is in a
    /// gap or beyond the end, several when conflicting versions were recorded.
    ///
    /// # Errors
    /// [`StoreError`] when the store cannot be read.
    fn locate(&self, name: &ChainName, position: u64) -> Result<Vec<u64>, StoreError> {
        let mut indexes = Vec::new();
        self.visit(name, position..=position, &mut |index, _| {
            indexes.push(index);
            ControlFlow::Continue(())
        })?;
        indexes.sort_unstable();
        Ok(indexes)
    }
}

/// Durable, append-only storage of entries, as its one writer has it. It is read through its reader alone.
pub trait StoreWriter: Send {
    /// The one type that reads the store, for the writer and for others.
    type Reader: StoreReader + Clone + Send + Sync + 'static;

    /// Appends a batch: after `Ok` every entry and the checkpoint are on disk and survive a power cut; after `Err`
    /// none or all of it may be there, or all but the checkpoint, and the store must be reopened.
    ///
    /// # Errors
    /// [`StoreError`]; the store refuses every later append until it is reopened.
    fn append(&mut self, batch: &WriteBatch) -> Result<(), StoreError>;

    /// The newest state of a chain, `None` for a chain never seen: what the next entry is linked to.
    ///
    /// # Errors
    /// [`StoreError`] when the store cannot be read.
    fn chain(&self, name: &ChainName) -> Result<Option<ChainTip>, StoreError>;

    /// The store as the last append left it; clone it to keep that. A clone does not keep the store open: once this is
    /// closed, it gets [`StoreError::Closed`].
    fn reader(&self) -> &Self::Reader;
}

/// Why a store could not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The batch does not start where the store ends.
    #[error("the batch starts at entry {given} but the store holds {size} entries")]
    WrongIndex {
        /// The batch's first index.
        given: u64,
        /// What the store holds.
        size: u64,
    },
    /// Something kept cannot be read back.
    #[error("entry {index} cannot be read: {why}")]
    Damaged {
        /// First entry affected.
        index: u64,
        /// What was found.
        why: String,
    },
    /// The store cannot be opened: nothing of it can be read back.
    #[error("the store is damaged: {0}")]
    Unopened(String),
    /// An earlier error closed the store for writing.
    #[error("the store stopped after an earlier error; reopen it")]
    Stopped,
    /// The store was closed behind this reader, to be opened anew: ask for another reader.
    #[error("the store was closed meanwhile; ask again")]
    Closed,
    /// The disk failed (disk full, I/O error).
    #[error("the store's disk failed: {0}")]
    Disk(String),
    /// The machine lacks something else that the store needs (a thread, memory, a clock that is right).
    #[error("the store cannot be used on this machine: {0}")]
    Machine(String),
}

impl StoreError {
    /// Whether the machine failed (a full disk, say), and nothing speaks against the log.
    #[must_use]
    pub const fn is_disk(&self) -> bool {
        match self {
            Self::Disk(_) | Self::Machine(_) => true,
            Self::WrongIndex { .. }
            | Self::Damaged { .. }
            | Self::Unopened(_)
            | Self::Stopped
            | Self::Closed => false,
        }
    }
}
