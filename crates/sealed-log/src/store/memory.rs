//! A store in memory: for tests, and for logs that need not outlive the program.

use crate::entry::ChainName;
use crate::store::{ChainTip, StoreError, StoreReader, StoreWriter, StoredEntry, WriteBatch};
use std::collections::BTreeMap;
use std::ops::{ControlFlow, RangeInclusive};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use tlog::checkpoint::SignedCheckpoint;
use tlog::tree::{Frontier, TreeHash};

/// Keeps everything in memory. Never fails but for a batch at the wrong index.
#[derive(Debug, Default)]
pub struct MemoryStore {
    reader: MemoryReader,
}

/// Reads what a [`MemoryStore`] held after an append.
#[derive(Debug, Clone, Default)]
pub struct MemoryReader {
    kept: Arc<RwLock<Kept>>,
    size: usize,
    frontier: Frontier,
    signed: Option<Arc<SignedCheckpoint>>,
}

/// What only grows; readers look at as much of it as there was for them.
#[derive(Debug, Clone, Default)]
struct Kept {
    entries: Vec<StoredEntry>,
    leaves: Vec<TreeHash>,
    chains: BTreeMap<ChainName, Chain>,
}

#[derive(Debug, Clone)]
struct Chain {
    tip: ChainTip,
    indexes: Vec<u64>,
}

impl MemoryStore {
    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A store of its own with the entries of another, whose newest reader this is.
    pub(crate) fn of(newest: &MemoryReader) -> Self {
        let kept = newest.kept().clone();
        Self { reader: MemoryReader { kept: Arc::new(RwLock::new(kept)), ..newest.clone() } }
    }
}

impl Clone for MemoryStore {
    fn clone(&self) -> Self {
        Self::of(&self.reader)
    }
}

impl Kept {
    fn keep(&mut self, index: u64, entry: &StoredEntry) {
        let last = entry.first.saturating_add(u64::from(entry.count).saturating_sub(1));
        let new = || Chain { tip: ChainTip { digest: entry.digest, index, last }, indexes: Vec::new() };
        let chain = self.chains.entry(entry.chain.clone()).or_insert_with(new);
        chain.tip = ChainTip { digest: entry.digest, index, last: last.max(chain.tip.last) };
        chain.indexes.push(index);
        self.leaves.push(entry.digest.leaf_hash());
        self.entries.push(entry.clone());
    }
}

impl MemoryReader {
    fn kept(&self) -> RwLockReadGuard<'_, Kept> {
        self.kept.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The newest state of a chain, which may be newer than this reader.
    pub(crate) fn tip(&self, name: &ChainName) -> Option<ChainTip> {
        self.kept().chains.get(name).map(|chain| chain.tip.clone())
    }
}

impl StoreReader for MemoryReader {
    fn size(&self) -> u64 {
        self.size as u64
    }

    fn frontier(&self) -> Frontier {
        self.frontier.clone()
    }

    fn signed_checkpoint(&self) -> Option<Arc<SignedCheckpoint>> {
        self.signed.clone()
    }

    fn read(&self, first: u64, most: usize) -> Result<Vec<Vec<u8>>, StoreError> {
        let first = usize::try_from(first).unwrap_or(usize::MAX);
        let kept = self.kept();
        let entries = kept.entries.iter().take(self.size).skip(first).take(most);
        Ok(entries.map(|entry| entry.bytes.clone()).collect())
    }

    fn leaf_hashes(&self, first: u64, count: usize) -> Result<Vec<TreeHash>, StoreError> {
        let (start, kept) = (usize::try_from(first).unwrap_or(usize::MAX), self.kept());
        let range = start.checked_add(count).and_then(|end| kept.leaves[..self.size].get(start..end));
        let why = || format!("{count} leaf hashes were asked for but {} are kept", self.size);
        range.map(<[_]>::to_vec).ok_or_else(|| StoreError::Damaged { index: first, why: why() })
    }

    fn visit(
        &self,
        name: &ChainName,
        positions: RangeInclusive<u64>,
        visit: &mut dyn FnMut(u64, &[u8]) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let kept = self.kept();
        let indexes = kept.chains.get(name).map_or(&[][..], |chain| &chain.indexes);
        for index in indexes.iter().copied().take_while(|index| *index < self.size()) {
            let entry = usize::try_from(index).ok().and_then(|at| kept.entries.get(at));
            let shown = entry.filter(|entry| entry.covers(&positions));
            if shown.is_some_and(|entry| visit(index, &entry.bytes).is_break()) {
                break;
            }
        }
        Ok(())
    }
}

impl StoreWriter for MemoryStore {
    type Reader = MemoryReader;

    fn append(&mut self, batch: &WriteBatch) -> Result<(), StoreError> {
        let size = self.reader.size();
        if batch.first_index != size {
            return Err(StoreError::WrongIndex { given: batch.first_index, size });
        }
        let mut kept = self.reader.kept.write().unwrap_or_else(PoisonError::into_inner);
        for (index, entry) in (size..).zip(&batch.entries) {
            kept.keep(index, entry);
        }
        self.reader.size = kept.entries.len();
        drop(kept);
        self.reader.frontier = batch.frontier.clone();
        self.reader.signed = batch.signed.clone().or_else(|| self.reader.signed.take());
        Ok(())
    }

    fn chain(&self, name: &ChainName) -> Result<Option<ChainTip>, StoreError> {
        Ok(self.reader.tip(name))
    }

    fn reader(&self) -> &MemoryReader {
        &self.reader
    }
}
