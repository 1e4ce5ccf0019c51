//! A store in memory: for tests, and for logs that need not outlive the program.

use crate::{
    Batch, ChainHead, ChainName, Frontier, SignedCheckpoint, Store, StoreError, StoredEntry, TreeHash,
    leaf_hash,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Keeps everything in memory. Never fails but for a batch at the wrong index.
#[derive(Debug, Clone, Default)]
pub struct MemoryStore {
    entries: Vec<StoredEntry>,
    leaves: Vec<TreeHash>,
    chains: BTreeMap<ChainName, Chain>,
    frontier: Frontier,
    head: Option<Arc<SignedCheckpoint>>,
}

#[derive(Debug, Clone)]
struct Chain {
    head: ChainHead,
    indexes: Vec<u64>,
}

impl MemoryStore {
    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn keep(&mut self, index: u64, entry: &StoredEntry) {
        let last = entry.first.saturating_add(u64::from(entry.count).saturating_sub(1));
        let new = || Chain { head: ChainHead { digest: entry.digest, index, last }, indexes: Vec::new() };
        let chain = self.chains.entry(entry.chain.clone()).or_insert_with(new);
        chain.head = ChainHead { digest: entry.digest, index, last: last.max(chain.head.last) };
        chain.indexes.push(index);
        self.leaves.push(leaf_hash(&entry.digest));
        self.entries.push(entry.clone());
    }

    fn covers(&self, index: u64, position: u64) -> bool {
        let entry = usize::try_from(index).ok().and_then(|index| self.entries.get(index));
        entry.is_some_and(|entry| position >= entry.first && position - entry.first < u64::from(entry.count))
    }
}

impl Store for MemoryStore {
    fn size(&self) -> u64 {
        self.entries.len() as u64
    }

    fn frontier(&self) -> Frontier {
        self.frontier.clone()
    }

    fn head(&self) -> Option<Arc<SignedCheckpoint>> {
        self.head.clone()
    }

    fn append(&mut self, batch: &Batch) -> Result<(), StoreError> {
        let size = self.size();
        if batch.first_index != size {
            return Err(StoreError::WrongIndex { given: batch.first_index, size });
        }
        for (index, entry) in (size..).zip(&batch.entries) {
            self.keep(index, entry);
        }
        self.frontier = batch.frontier.clone();
        self.head = batch.head.clone().or_else(|| self.head.take());
        Ok(())
    }

    fn read(&self, first: u64, most: usize) -> Result<Vec<Vec<u8>>, StoreError> {
        let first = usize::try_from(first).unwrap_or(usize::MAX);
        Ok(self.entries.iter().skip(first).take(most).map(|entry| entry.bytes.clone()).collect())
    }

    fn leaf_hashes(&self, first: u64, count: usize) -> Result<Vec<TreeHash>, StoreError> {
        let start = usize::try_from(first).unwrap_or(usize::MAX);
        let range = start.checked_add(count).and_then(|end| self.leaves.get(start..end));
        let why = || format!("{count} leaf hashes were asked for but {} are kept", self.leaves.len());
        range.map(<[_]>::to_vec).ok_or_else(|| StoreError::Damaged { index: first, why: why() })
    }

    fn chain(&self, name: &ChainName) -> Result<Option<ChainHead>, StoreError> {
        Ok(self.chains.get(name).map(|chain| chain.head.clone()))
    }

    fn locate(&self, name: &ChainName, position: u64) -> Result<Vec<u64>, StoreError> {
        let indexes = self.chains.get(name).map_or(&[][..], |chain| &chain.indexes);
        Ok(indexes.iter().copied().filter(|&index| self.covers(index, position)).collect())
    }
}
