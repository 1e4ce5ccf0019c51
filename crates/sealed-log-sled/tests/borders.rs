//! A store that is closed and opened again answers as if it had never been closed.
#![allow(clippy::unwrap_used)]

use sealed_log::entry::ChainName;
use sealed_log::store::contract::Dice;
use sealed_log::store::{MemoryStore, StoreReader, StoreWriter};
use sealed_log_sled::SledStore;

use crate::support::{Maker, read_all};

fn same_answers(sled: &SledStore, memory: &MemoryStore) {
    assert_eq!(sled.reader().size(), memory.reader().size());
    assert_eq!(sled.reader().frontier(), memory.reader().frontier());
    assert_eq!(read_all(sled.reader()).unwrap(), read_all(memory.reader()).unwrap());
    let size = memory.reader().size() as usize;
    assert_eq!(sled.reader().leaf_hashes(0, size).unwrap(), memory.reader().leaf_hashes(0, size).unwrap());
    for chain in 0..7 {
        let chain = ChainName::new(&format!("PB-{chain:02}")).unwrap();
        assert_eq!(sled.chain(&chain).unwrap(), memory.chain(&chain).unwrap());
    }
}

fn same_positions(sled: &SledStore, memory: &MemoryStore, dice: &mut Dice) {
    for _ in 0..60 {
        let chain = ChainName::new(&format!("PB-{:02}", dice.below(7))).unwrap();
        let position = dice.below(3_000);
        let found = sled.reader().locate(&chain, position).unwrap();
        assert_eq!(found, memory.reader().locate(&chain, position).unwrap(), "{chain} {position}");
    }
}

#[test]
fn ten_thousand_appends_answer_as_a_store_in_memory_does() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    let (mut memory, mut maker, mut dice) = (MemoryStore::new(), Maker::default(), Dice::new(99));
    let mut store = SledStore::open(&path).unwrap().without_durability();
    for round in 0..10_000 {
        let mut entries = Vec::new();
        for _ in 0..=dice.below(4) {
            let length = match dice.below(400) {
                0 => dice.below(60_000),
                1..20 => dice.below(2_000),
                _ => dice.below(150),
            };
            let chain = dice.below(6);
            // Chains 0 to 3 come in order, 4 and 5 with gaps and conflicts.
            let first = if chain < 4 { maker.size + 1 } else { dice.below(3_000) + 1 };
            let payload = vec![dice.below(256) as u8; length as usize];
            entries.push(maker.entry(&format!("PB-{chain:02}"), first, 1, &payload));
        }
        let batch = maker.batch(entries);
        store.append(&batch).unwrap();
        memory.append(&batch).unwrap();
        if round % 997 == 0 {
            drop(store);
            store = SledStore::open(&path).unwrap().without_durability();
            same_answers(&store, &memory);
            same_positions(&store, &memory, &mut dice);
        }
    }
    same_answers(&store, &memory);
}

// A tile of 256 leaf hashes can be full while its newest entries wait for their block, and a
// block can end within a tile. A store reopened in that state once took the first for damage.
#[test]
fn a_store_reopens_at_every_border_of_tile_and_block() {
    for length in [1, 60, 90, 150, 700, 9_000, 60_000] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store");
        let (mut memory, mut maker) = (MemoryStore::new(), Maker::default());
        for stop in [0, 1, 2, 109, 110, 149, 150, 200, 255, 256, 257, 300, 511, 512, 513, 767, 770] {
            let mut store = SledStore::open(&path).unwrap().without_durability();
            while maker.size < stop {
                let first = maker.size + 1;
                let entry = maker.entry("PB-01", first, 1, &vec![maker.size as u8; length]);
                let batch = maker.batch(vec![entry]);
                store.append(&batch).unwrap();
                memory.append(&batch).unwrap();
            }
            drop(store);
            same_answers(&SledStore::open(&path).unwrap(), &memory);
        }
    }
}

#[test]
fn borders_of_tiles_hold_for_every_split_of_a_batch() {
    for first in [1, 2, 255, 256, 257, 511, 512, 65_535, 65_536, 65_537] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store");
        let (mut memory, mut maker) = (MemoryStore::new(), Maker::default());
        let mut store = SledStore::open(&path).unwrap().without_durability();
        for count in [first, 1, 255, 2] {
            let batch = maker.next(count);
            store.append(&batch).unwrap();
            memory.append(&batch).unwrap();
        }
        same_answers(&store, &memory);
        drop(store);
        same_answers(&SledStore::open(&path).unwrap(), &memory);
    }
}

#[test]
fn reading_goes_on_while_blocks_are_sealed() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = SledStore::open(&folder.path().join("store")).unwrap().without_durability();
    let mut maker = Maker::default();
    let mut all: Vec<Vec<u8>> = Vec::new();
    for _ in 0..400 {
        let batch = maker.next(3);
        all.extend(batch.entries.iter().map(|entry| entry.bytes.clone()));
        store.append(&batch).unwrap();
        for back in [1, 2, 130, 257, 600] {
            let from = all.len().saturating_sub(back);
            let read = store.reader().read(from as u64, 300).unwrap();
            assert!(!read.is_empty());
            assert_eq!(read[..], all[from..from + read.len()]);
        }
    }
}

#[test]
fn what_could_not_be_read_back_is_not_taken() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    let mut maker = Maker::default();
    let good = maker.next(3);
    let spoil: [fn(&mut sealed_log::store::WriteBatch); 3] = [
        |batch| batch.entries[0].bytes.truncate(20),
        |batch| batch.entries[0].first += 1,
        |batch| batch.frontier.push_leaf([0; 32]),
    ];
    for spoil in spoil {
        let mut store = SledStore::open(&path).unwrap();
        let mut batch = good.clone();
        spoil(&mut batch);
        let error = store.append(&batch).unwrap_err().to_string();
        assert!(error.contains("it was handed in"), "{error}");
        assert_eq!((store.reader().size(), store.reader().read(0, 10).unwrap().len()), (0, 0));
        let error = store.append(&good).unwrap_err().to_string();
        assert!(error.contains("reopen"), "{error}");
    }
    let mut store = SledStore::open(&path).unwrap();
    store.append(&good).unwrap();
    assert_eq!(store.reader().size(), 3);
}
