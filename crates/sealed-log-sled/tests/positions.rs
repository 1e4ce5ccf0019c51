//! Where a chain's positions lie is found whatever they are, in stores of older formats too, and readers answer as
//! they did when they were made until the store is closed.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::Path;

use sealed_log::entry::ChainName;
use sealed_log::store::{MemoryStore, StoreError, StoreReader, StoreWriter};
use sealed_log_sled::SledStore;

use crate::support::Maker;

/// The newest format, and the last whose runs reached over all positions of a block.
const FORMAT: u8 = 5;
const WIDE_RUNS: u8 = 4;

/// Entries whose positions alternate low and high, and among them some of another chain.
fn filled(path: &Path) -> (MemoryStore, Maker) {
    let (mut plain, mut maker) = (MemoryStore::new(), Maker::default());
    let mut store = SledStore::open(path).unwrap().without_durability();
    for round in 0..6_u64 {
        let mut entries = Vec::new();
        for n in 0..150 {
            let low = round * 150 + n + 1;
            entries.push(maker.entry("t", low, 1, b"low"));
            entries.push(maker.entry("t", 1_000_000 + 10_000 * low, 4_096, b"far"));
            entries.push(maker.entry("u", low, 1, b"in order"));
        }
        let batch = maker.batch(entries);
        store.append(&batch).unwrap();
        plain.append(&batch).unwrap();
    }
    (plain, maker)
}

fn same_positions(store: &SledStore, plain: &MemoryStore) {
    same_answers(store.reader(), plain.reader());
}

fn same_answers(store: &impl StoreReader, plain: &impl StoreReader) {
    for chain in ["t", "u", "nobody"].map(|name| ChainName::new(name).unwrap()) {
        let far = (1_000_000..10_100_000).step_by(40_009);
        for position in (0..910).step_by(3).chain(far).chain([u64::MAX]) {
            let (found, wanted) = (store.locate(&chain, position), plain.locate(&chain, position));
            assert_eq!(found.unwrap(), wanted.unwrap(), "{chain} {position}");
        }
    }
}

/// Opens sled's own files below a store.
fn below(path: &Path, act: impl FnOnce(&sled::Db)) {
    let database = sled::Config::new().path(path).open().unwrap();
    act(&database);
    database.flush().unwrap();
    drop(database);
    // Sled lets go of its file a moment later.
    std::thread::sleep(std::time::Duration::from_millis(200));
}

/// A chain, and a block of it.
type Block = (Vec<u8>, [u8; 8]);

/// Writes runs as older programs did: one for all of a chain's positions in a block. Returns how many.
fn widen(database: &sled::Db) -> usize {
    let mut wide: BTreeMap<Block, (u64, u64)> = BTreeMap::new();
    for item in database.scan_prefix(b"q") {
        let (key, value) = item.unwrap();
        let (rest, block) = key.split_last_chunk::<8>().unwrap();
        let (chain, lowest) = rest.split_last_chunk::<8>().unwrap();
        let lowest = u64::from_be_bytes(*lowest);
        let highest = u64::from_be_bytes(value.as_ref().try_into().unwrap());
        let run = wide.entry((chain.to_vec(), *block)).or_insert((lowest, highest));
        *run = (run.0.min(lowest), run.1.max(highest));
        database.remove(key).unwrap();
    }
    for ((chain, block), (lowest, highest)) in &wide {
        let key = [&chain[..], &lowest.to_be_bytes(), block].concat();
        database.insert(key, &highest.to_be_bytes()).unwrap();
    }
    let mut meta = database.get(b"m").unwrap().unwrap().to_vec();
    assert_eq!(std::mem::replace(&mut meta[0], WIDE_RUNS), FORMAT);
    database.insert(b"m", meta).unwrap();
    wide.len()
}

#[test]
fn an_older_stores_wide_runs_are_cut_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    let (mut plain, mut maker) = filled(&path);
    let mut wide = 0;
    below(&path, |database| wide = widen(database));
    let mut store = SledStore::open(&path).unwrap().without_durability();
    same_positions(&store, &plain);
    let batch = maker.next(700);
    store.append(&batch).unwrap();
    plain.append(&batch).unwrap();
    same_positions(&store, &plain);
    drop(store);
    below(&path, |database| {
        assert_eq!(database.get(b"m").unwrap().unwrap()[0], FORMAT);
        assert!(database.scan_prefix(b"q").count() > 10 * wide, "short runs instead of {wide} wide ones");
    });
    same_positions(&SledStore::open(&path).unwrap(), &plain);
}

// What docs/upgrading.md says of going back: a program leaves alone what a newer one wrote.
#[test]
fn a_store_of_a_newer_format_is_refused_with_its_number_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    drop(filled(&path));
    below(&path, |database| {
        let mut meta = database.get(b"m").unwrap().unwrap().to_vec();
        meta[0] = FORMAT + 1;
        database.insert(b"m", meta).unwrap();
    });
    let refused = SledStore::open(&path).err().unwrap().to_string();
    assert!(refused.contains(&format!("store format {}; this program knows", FORMAT + 1)), "{refused}");
    below(&path, |database| assert_eq!(database.get(b"m").unwrap().unwrap()[0], FORMAT + 1));
}

#[test]
fn a_reader_outlives_appends_and_ends_with_its_store() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    let (mut plain, mut maker) = filled(&path);
    let mut store = SledStore::open(&path).unwrap().without_durability();
    let (reader, then) = (store.reader().clone(), plain.reader().clone());
    for _ in 0..5 {
        let batch = maker.next(300);
        store.append(&batch).unwrap();
        plain.append(&batch).unwrap();
    }
    same_answers(&reader, &then);
    assert_eq!((reader.size(), reader.frontier()), (then.size(), then.frontier()));
    let size = reader.size() as usize;
    assert_eq!(reader.leaf_hashes(0, size).unwrap(), then.leaf_hashes(0, size).unwrap());
    assert!(reader.leaf_hashes(0, size + 1).is_err());
    drop(store);
    assert!(matches!(reader.read(0, 1), Err(StoreError::Closed)));
    // It does not keep the folder from being opened again.
    same_positions(&SledStore::open(&path).unwrap(), &plain);
    assert!(matches!(reader.leaf_hashes(0, 1), Err(StoreError::Closed)));
}
