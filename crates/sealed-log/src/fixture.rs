//! Small honest logs for the tests of this crate, and a store whose answers can be bent.
#![allow(clippy::unwrap_used)]

use crate::archive::ArchiveWriter;
use crate::entry::{ChainName, Digest, EntryHeader, LOG_CHAIN, encode_entry};
use crate::notice::LOG_PRODUCER;
use crate::reader::{Expectations, LogReader, SealReport, StoreSource};
use crate::redaction::redact_entry;
use crate::store::contract::Dice;
use crate::store::{
    ChainTip, MemoryReader, MemoryStore, StoreError, StoreReader, StoreWriter, StoredEntry, WriteBatch,
};
use crate::writer::{LogWriter, MemoryCheckpoint, Submission};
use std::collections::BTreeMap;
use std::ops::{ControlFlow, RangeInclusive};
use std::sync::Arc;
use tlog::checkpoint::{Checkpoint, SignedCheckpoint};
use tlog::note::SigningKey;
use tlog::tree::{Frontier, TreeHash};

pub(crate) const ORIGIN: &str = "casino.example/sala/1";

pub(crate) fn key() -> SigningKey {
    SigningKey::from_seed(ORIGIN, &[7; 32]).unwrap()
}

/// The `n`th submission of a log on `chains` chains, taken in turn.
pub(crate) fn submission(n: u64, chains: u64) -> Submission {
    Submission {
        producer: "pit".parse().unwrap(),
        chain: ChainName::new(&format!("mesa-{}", n % chains)).unwrap(),
        first: n / chains + 1,
        count: 1,
        received_at: n as i64,
        payload: format!("event {n}").into_bytes(),
    }
}

/// A log of `size` entries on three chains written in random batches, and its kept checkpoint.
pub(crate) fn log(size: u64) -> (MemoryReader, SignedCheckpoint) {
    let mut writer = LogWriter::open(MemoryStore::new(), MemoryCheckpoint::default(), key(), None).unwrap();
    let mut dice = Dice::new(size);
    while writer.reader().size() < size {
        let from = writer.reader().size();
        let until = size.min(from + dice.below(300) + 1);
        writer.append(&(from..until).map(|n| submission(n, 3)).collect::<Vec<_>>()).unwrap();
    }
    let (store, sink) = writer.into_parts();
    (store.reader().clone(), sink.newest.unwrap())
}

/// The signed checkpoint a store had at an earlier size.
pub(crate) fn signed_at(store: &(dyn StoreReader + Sync), size: u64) -> SignedCheckpoint {
    let mut frontier = Frontier::default();
    frontier.extend(&store.leaf_hashes(0, size as usize).unwrap());
    SignedCheckpoint::sign(&Checkpoint::of(ORIGIN, &frontier), &key()).unwrap()
}

/// An entry as anybody with the key can write it, whatever the writer of a log allows.
pub(crate) struct Forged<'a> {
    pub(crate) producer: &'a str,
    pub(crate) chain: &'a str,
    pub(crate) first: u64,
    pub(crate) count: u32,
    pub(crate) payload: Vec<u8>,
    /// Whether only its redacted form is kept.
    pub(crate) redacted: bool,
}

/// An entry of the log's own chain.
pub(crate) fn own(first: u64, payload: Vec<u8>) -> Forged<'static> {
    Forged { producer: LOG_PRODUCER, chain: LOG_CHAIN, first, count: 1, payload, redacted: false }
}

/// An entry of a table.
pub(crate) fn play(first: u64) -> Forged<'static> {
    let payload = format!("event {first}").into_bytes();
    Forged { producer: "pit", chain: "mesa-0", first, count: 1, payload, redacted: false }
}

/// A store of such entries, one after the other, and the signed checkpoint that covers them.
pub(crate) fn forged(entries: &[Forged<'_>]) -> (MemoryReader, SignedCheckpoint) {
    let (mut store, mut frontier) = (MemoryStore::new(), Frontier::default());
    let mut tips: BTreeMap<&str, Digest> = BTreeMap::new();
    let mut kept = Vec::new();
    for forged in entries {
        let Forged { producer, chain, first, count, payload, redacted } = forged;
        let header = EntryHeader {
            producer: producer.parse().unwrap(),
            chain: chain.parse().unwrap(),
            first: *first,
            count: *count,
            previous: tips.get(chain).copied().unwrap_or(Digest::ZERO),
            received_at: 0,
        };
        let whole = encode_entry(&header, payload).unwrap();
        let digest = Digest::of(&whole);
        tips.insert(chain, digest);
        frontier.push_leaf(digest.leaf_hash());
        let bytes = if *redacted { redact_entry(&whole).unwrap() } else { whole };
        kept.push(StoredEntry { bytes, digest, chain: header.chain, first: *first, count: *count });
    }
    let signed = SignedCheckpoint::sign(&Checkpoint::of(ORIGIN, &frontier), &key()).unwrap();
    let own = Some(Arc::new(signed.clone()));
    store.append(&WriteBatch { first_index: 0, entries: kept, frontier, signed: own }).unwrap();
    (store.reader().clone(), signed)
}

/// A store as an archive of small blocks.
pub(crate) fn archive(store: &MemoryReader, signed: &SignedCheckpoint, block: usize) -> Vec<u8> {
    let writer = ArchiveWriter::new(Vec::new(), Some(signed), Some(&key().verifier_key())).unwrap();
    let mut writer = writer.blocks_of(block);
    let size = signed.checkpoint().size as usize;
    store.read(0, size).unwrap().iter().for_each(|bytes| writer.push(bytes).unwrap());
    writer.finish().unwrap().0
}

/// Reads a store to its end under the given key.
pub(crate) fn verify(store: &(dyn StoreReader + Sync), signed: &SignedCheckpoint) -> SealReport {
    let expectations = Expectations { verifier: Some(key().verifier_key()), anchors: Vec::new() };
    let mut reader = LogReader::new(StoreSource::new(store, Some(signed.clone()), None), expectations);
    while reader.next_window().unwrap().is_some() {}
    reader.finish()
}

/// A store with some of its answers bent.
#[derive(Default, Clone)]
pub(crate) struct Bent {
    pub(crate) store: MemoryReader,
    /// Entries given with other bytes.
    pub(crate) entries: BTreeMap<u64, Vec<u8>>,
    /// Entries that cannot be read.
    pub(crate) unreadable: Vec<u64>,
    /// Leaf hashes given otherwise.
    pub(crate) leaves: BTreeMap<u64, TreeHash>,
    /// Which hash of the frontier has a flipped bit.
    pub(crate) frontier: Option<usize>,
    /// Whether the tips of chains name the entry before.
    pub(crate) tips: bool,
    /// The signed checkpoint kept with the entries.
    pub(crate) own: Option<Arc<SignedCheckpoint>>,
}

impl Bent {
    pub(crate) fn of(store: &MemoryReader) -> Self {
        Self { store: store.clone(), own: store.signed_checkpoint(), ..Self::default() }
    }

    /// Flips the lowest bit of a byte of an entry, counted from its end.
    pub(crate) fn flip(mut self, index: u64, from_end: usize) -> Self {
        let mut bytes = self.store.read(index, 1).unwrap().remove(0);
        let at = bytes.len() - from_end;
        bytes[at] ^= 1;
        self.entries.insert(index, bytes);
        self
    }

    /// Flips a bit of a leaf hash.
    pub(crate) fn flip_leaf(mut self, index: u64) -> Self {
        let mut leaf = self.store.leaf_hashes(index, 1).unwrap()[0];
        leaf[0] ^= 1;
        self.leaves.insert(index, leaf);
        self
    }
}

impl StoreReader for Bent {
    fn size(&self) -> u64 {
        self.store.size()
    }

    fn frontier(&self) -> Frontier {
        let mut bytes = self.store.frontier().to_bytes();
        if let Some(at) = self.frontier {
            bytes[8 + 32 * at] ^= 1;
        }
        Frontier::from_bytes(&bytes).unwrap()
    }

    fn signed_checkpoint(&self) -> Option<Arc<SignedCheckpoint>> {
        self.own.clone()
    }

    fn read(&self, first: u64, most: usize) -> Result<Vec<Vec<u8>>, StoreError> {
        let mut entries = self.store.read(first, most)?;
        let end = first + entries.len() as u64;
        if let Some(index) = self.unreadable.iter().copied().find(|index| (first..end).contains(index)) {
            return Err(StoreError::Damaged { index, why: "unreadable in this test".to_owned() });
        }
        for (index, bytes) in self.entries.range(first..end) {
            entries[(index - first) as usize] = bytes.clone();
        }
        Ok(entries)
    }

    fn leaf_hashes(&self, first: u64, count: usize) -> Result<Vec<TreeHash>, StoreError> {
        let mut leaves = self.store.leaf_hashes(first, count)?;
        for (index, leaf) in self.leaves.range(first..first + count as u64) {
            leaves[(index - first) as usize] = *leaf;
        }
        Ok(leaves)
    }

    fn visit(
        &self,
        name: &ChainName,
        positions: RangeInclusive<u64>,
        visit: &mut dyn FnMut(u64, &[u8]) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        self.store.visit(name, positions, visit)
    }
}

impl StoreWriter for Bent {
    type Reader = Self;

    fn append(&mut self, _: &WriteBatch) -> Result<(), StoreError> {
        Err(StoreError::Stopped)
    }

    fn chain(&self, name: &ChainName) -> Result<Option<ChainTip>, StoreError> {
        let bend = |tip: ChainTip| ChainTip { index: tip.index - u64::from(self.tips), ..tip };
        Ok(self.store.tip(name).map(bend))
    }

    fn reader(&self) -> &Self {
        self
    }
}
