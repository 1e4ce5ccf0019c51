//! Closing and opening again at every size gives the same store back.
#![allow(clippy::unwrap_used)]

use sealed_log::entry::{ChainName, Digest, EntryHeader, ProducerId, encode_entry};
use sealed_log::store::contract::Dice;
use sealed_log::store::{MemoryStore, StoreReader, StoreWriter, StoredEntry, WriteBatch};
use sealed_log_sled::SledStore;
use tlog::tree::Frontier;

/// Makes entries of three chains, of very different sizes.
struct Maker {
    dice: Dice,
    frontier: Frontier,
    previous: [Digest; 3],
    next: [u64; 3],
    most_bytes: u64,
}

impl Maker {
    fn new(seed: u64, most_bytes: u64) -> Self {
        let (dice, frontier) = (Dice::new(seed), Frontier::default());
        Self { dice, frontier, previous: [Digest::ZERO; 3], next: [1; 3], most_bytes }
    }

    fn batch(&mut self, count: u64) -> WriteBatch {
        let first_index = self.frontier.size();
        let entries = (0..count).map(|_| self.entry()).collect();
        WriteBatch { first_index, entries, frontier: self.frontier.clone(), signed: None }
    }

    fn entry(&mut self) -> StoredEntry {
        let at = self.dice.below(3) as usize;
        let chain = ChainName::new(["a", "b", "long-name-of-a-table"][at]).unwrap();
        let count = 1 + self.dice.below(5) as u32;
        let size = 1 + self.dice.below(self.most_bytes) as usize;
        let payload: Vec<u8> = (0..size).map(|_| self.dice.below(256) as u8).collect();
        let header = EntryHeader {
            producer: ProducerId::new("test").unwrap(),
            chain: chain.clone(),
            first: self.next[at],
            count,
            previous: self.previous[at],
            received_at: 1,
        };
        let bytes = encode_entry(&header, &payload).unwrap();
        let digest = Digest::of(&bytes);
        self.previous[at] = digest;
        self.next[at] += u64::from(count) + self.dice.below(2);
        self.frontier.push_leaf(digest.leaf_hash());
        StoredEntry { bytes, digest, chain, first: header.first, count }
    }
}

fn same(sled: &SledStore, memory: &MemoryStore) {
    let (store, plain) = (sled.reader(), memory.reader());
    assert_eq!(store.size(), plain.size());
    assert_eq!(store.frontier(), plain.frontier());
    let size = plain.size() as usize;
    assert_eq!(store.leaf_hashes(0, size).unwrap(), plain.leaf_hashes(0, size).unwrap());
    let mut index = 0;
    while index < plain.size() {
        let read = store.read(index, 300).unwrap();
        assert_eq!(read, plain.read(index, read.len()).unwrap(), "entries from {index}");
        index += read.len() as u64;
    }
    for name in ["a", "b", "long-name-of-a-table", "nobody"] {
        let chain = ChainName::new(name).unwrap();
        assert_eq!(sled.chain(&chain).unwrap(), memory.chain(&chain).unwrap());
        for position in [1, 2, 17, 100, 700, 1_500] {
            assert_eq!(store.locate(&chain, position).unwrap(), plain.locate(&chain, position).unwrap());
        }
    }
}

#[test]
fn a_store_opened_again_after_every_append_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    let (mut maker, mut plain) = (Maker::new(3, 200), MemoryStore::new());
    let mut counts = Dice::new(4);
    while plain.reader().size() < 1_100 {
        let batch = maker.batch(1 + counts.below(40));
        plain.append(&batch).unwrap();
        let mut store = SledStore::open(&path).unwrap();
        store.append(&batch).unwrap();
        same(&store, &plain);
        drop(store);
        same(&SledStore::open(&path).unwrap(), &plain);
    }
}

#[test]
fn entries_of_every_size_come_back_while_blocks_are_sealed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    let (mut maker, mut plain) = (Maker::new(5, 60_000), MemoryStore::new());
    let mut store = SledStore::open(&path).unwrap();
    for count in [1, 1, 7, 30, 2, 100, 1, 64] {
        let batch = maker.batch(count);
        plain.append(&batch).unwrap();
        store.append(&batch).unwrap();
        same(&store, &plain);
    }
    drop(store);
    same(&SledStore::open(&path).unwrap(), &plain);
}

#[test]
fn ten_thousand_appends_agree_with_a_plain_store() {
    let folder = tempfile::tempdir().unwrap();
    let (mut maker, mut plain) = (Maker::new(6, 90), MemoryStore::new());
    let mut store = SledStore::open(&folder.path().join("store")).unwrap().without_durability();
    for _ in 0..10_000 {
        let batch = maker.batch(1);
        plain.append(&batch).unwrap();
        store.append(&batch).unwrap();
    }
    same(&store, &plain);
}
