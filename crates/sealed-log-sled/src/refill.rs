//! Filling a new store with entries that were sealed before, byte for byte, in batches.

use std::path::Path;

use sealed_log::store::{StoreError, StoreReader as _, StoreWriter as _, StoredEntry, WriteBatch};
use tlog::tree::Frontier;

use crate::SledStore;
use crate::tail::read_entry;

/// Most entries of one batch.
const BATCH_ENTRIES: usize = 16_384;
/// Bytes at which a batch is appended; the last entry may pass it.
const BATCH_BYTES: usize = 4 << 20;

/// A store that is being filled.
#[derive(Debug)]
pub(crate) struct Refill {
    store: SledStore,
    batch: WriteBatch,
    bytes: usize,
}

impl Refill {
    /// Makes an empty store at a path where there is none.
    pub(crate) fn begin(path: &Path) -> Result<Self, StoreError> {
        let batch =
            WriteBatch { first_index: 0, entries: Vec::new(), frontier: Frontier::default(), signed: None };
        Ok(Self { store: SledStore::open(path)?, batch, bytes: 0 })
    }

    /// How many entries were given so far.
    pub(crate) fn size(&self) -> u64 {
        self.store.reader().size() + self.batch.entries.len() as u64
    }

    /// Adds the next entry, or its redacted form.
    pub(crate) fn push(&mut self, entry: Vec<u8>) -> Result<(), StoreError> {
        self.bytes += entry.len();
        self.batch.entries.push(read_entry(self.size(), entry)?);
        if self.bytes >= BATCH_BYTES || self.batch.entries.len() >= BATCH_ENTRIES {
            self.append()?;
        }
        Ok(())
    }

    /// Puts the rest on the disk and closes the store; returns the tree's right edge.
    pub(crate) fn finish(mut self) -> Result<Frontier, StoreError> {
        self.append()?;
        Ok(self.store.reader().frontier())
    }

    /// Hands a batch over and begins the next.
    fn append(&mut self) -> Result<(), StoreError> {
        let batch = &mut self.batch;
        let leaves: Vec<_> =
            batch.entries.iter().map(|entry: &StoredEntry| entry.digest.leaf_hash()).collect();
        batch.frontier.extend(&leaves);
        if !batch.entries.is_empty() {
            self.store.append(batch)?;
        }
        batch.first_index = self.store.reader().size();
        batch.entries.clear();
        self.bytes = 0;
        Ok(())
    }
}
