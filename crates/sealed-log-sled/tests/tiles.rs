//! Tiles above the leaf hashes: as the linear computation has them at every critical size, however
//! the entries came; and made again where an older or damaged store does not have them.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use sealed_log::store::contract::Dice;
use sealed_log::store::{MemoryStore, StoreNodes, StoreReader, StoreWriter, tile_bytes};
use sealed_log_sled::SledStore;
use tlog::proof::{consistency_proof, inclusion_proof, verify_consistency, verify_inclusion};
use tlog::tile::Tile;
use tlog::tree::{TreeHash, root_of};

use crate::support::{Maker, below};

const SIZES: [u64; 11] = [0, 1, 2, 255, 256, 257, 511, 512, 65_535, 65_536, 65_537];

/// Every level computed from the one below it.
fn levels(store: &impl StoreReader) -> Vec<Vec<TreeHash>> {
    let mut levels = vec![store.leaf_hashes(0, store.size() as usize).unwrap()];
    while levels.last().is_some_and(|level| level.len() >= 256) {
        let above = levels[levels.len() - 1].as_chunks::<256>().0.iter().map(|tile| root_of(tile)).collect();
        levels.push(above);
    }
    levels
}

fn same_tiles(store: &SledStore, plain: &MemoryStore) {
    let (store, plain) = (store.reader(), plain.reader());
    let levels = levels(plain);
    for tile in Tile::of_tree(plain.size()) {
        let (first, width) = (tile.number() as usize * 256, usize::from(tile.width()));
        let wanted = &levels[usize::from(tile.level())][first..first + width];
        assert_eq!(tile_bytes(store, &tile).unwrap(), wanted.as_flattened(), "{tile} of {}", plain.size());
    }
    for (level, hashes) in (0..).zip(&levels) {
        let found = store.tile_hashes(level, 0, hashes.len()).unwrap();
        assert_eq!(found, *hashes, "level {level} of {}", plain.size());
        assert!(store.tile_hashes(level, 0, hashes.len() + 1).is_err());
    }
}

fn same_proofs(store: &SledStore, plain: &MemoryStore, dice: &mut Dice) {
    let plain = plain.reader();
    let (nodes, size) = (StoreNodes(store.reader()), plain.size());
    let leaves = plain.leaf_hashes(0, size as usize).unwrap();
    let root = root_of(&leaves);
    for index in [0, size / 2, size - 1, dice.below(size)] {
        let proof = inclusion_proof(&nodes, index, size).unwrap();
        verify_inclusion(index, size, &leaves[index as usize], &proof, &root).unwrap();
        let first = index + 1;
        let proof = consistency_proof(&nodes, first, size).unwrap();
        verify_consistency(first, size, &root_of(&leaves[..first as usize]), &root, &proof).unwrap();
    }
}

#[test]
fn tiles_are_those_of_the_linear_computation_under_random_splits() {
    for seed in 1..=3 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store");
        let (mut plain, mut maker, mut dice) = (MemoryStore::new(), Maker::default(), Dice::new(seed));
        for size in SIZES {
            let mut store = SledStore::open(&path).unwrap().without_durability();
            while maker.size < size {
                let most = (size - maker.size).min([3, 300, 5_000][dice.below(3) as usize]);
                let batch = maker.next(dice.below(most) + 1);
                store.append(&batch).unwrap();
                plain.append(&batch).unwrap();
            }
            same_tiles(&store, &plain);
            drop(store);
            let store = SledStore::open(&path).unwrap();
            same_tiles(&store, &plain);
            if size > 0 {
                same_proofs(&store, &plain, &mut dice);
            }
        }
    }
}

/// A store of 66,000 entries, closed, and the same in memory.
fn stored(path: &Path) -> (MemoryStore, Maker) {
    let (mut plain, mut maker) = (MemoryStore::new(), Maker::default());
    let mut store = SledStore::open(path).unwrap().without_durability();
    for _ in 0..66 {
        let batch = maker.next(1_000);
        store.append(&batch).unwrap();
        plain.append(&batch).unwrap();
    }
    (plain, maker)
}

fn remove(database: &sled::Db, prefix: &[u8]) {
    let found = database.scan_prefix(prefix).keys().filter(|key| key.as_ref().unwrap().len() >= 10);
    found.for_each(|key| drop(database.remove(key.unwrap()).unwrap()));
}

// Format 2 had leaf hashes only.
#[test]
fn an_older_store_opens_gets_its_tiles_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    let (mut plain, mut maker) = stored(&path);
    below(&path, |database| {
        remove(database, b"n");
        remove(database, b"t");
        let mut meta = database.get(b"m").unwrap().unwrap().to_vec();
        assert_eq!(std::mem::replace(&mut meta[0], 2), 5, "the newest format");
        database.insert(b"m", meta).unwrap();
    });
    let mut store = SledStore::open(&path).unwrap().without_durability();
    same_tiles(&store, &plain);
    let batch = maker.next(700);
    store.append(&batch).unwrap();
    plain.append(&batch).unwrap();
    same_tiles(&store, &plain);
    drop(store);
    below(&path, |database| assert_eq!(database.get(b"m").unwrap().unwrap()[0], 5));
    same_tiles(&SledStore::open(&path).unwrap(), &plain);
}

#[test]
fn lost_or_altered_hashes_of_a_partial_tile_are_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    let (plain, _) = stored(&path);
    let newest = [b"n\x01".as_slice(), &257_u64.to_be_bytes()].concat();
    for change in [
        (|database: &sled::Db, key: &[u8]| drop(database.remove(key).unwrap())) as fn(&sled::Db, &[u8]),
        |database, key| drop(database.insert(key, &[7; 32]).unwrap()),
        |database, key| drop(database.insert(key, b"short").unwrap()),
        |database, _| drop(database.insert(b"n\x05\0\0\0\0\0\0\0\0", &[7; 32]).unwrap()),
    ] {
        below(&path, |database| change(database, &newest));
        same_tiles(&SledStore::open(&path).unwrap(), &plain);
    }
}

// Whoever investigates must get at the entries of such a store; whoever writes must not go on.
#[test]
fn where_leaf_hashes_are_damaged_too_the_store_opens_without_tiles_and_takes_no_more_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    let (plain, mut maker) = stored(&path);
    below(&path, |database| {
        remove(database, b"n");
        let (key, mut tile) = {
            let (key, tile) = database.scan_prefix(b"l").nth(6).unwrap().unwrap();
            (key, tile.to_vec())
        };
        tile[40] ^= 1;
        database.insert(key, tile).unwrap();
    });
    let mut store = SledStore::open(&path).unwrap().without_durability();
    assert_eq!(store.reader().size(), 66_000);
    assert_eq!(store.reader().read(900, 1).unwrap(), plain.reader().read(900, 1).unwrap());
    let error = store.reader().tile_hashes(1, 0, 1).unwrap_err().to_string();
    assert!(error.contains("verify the log"), "{error}");
    assert!(store.append(&maker.next(300)).unwrap_err().to_string().contains("cannot be made again"));
}

#[test]
fn a_leaf_hash_is_found_by_its_proof_through_three_levels() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    let (plain, _) = stored(&path);
    let store = SledStore::open(&path).unwrap();
    let digest = sealed_log::entry::Digest::of(&store.reader().read(65_600, 1).unwrap()[0]);
    let proof = inclusion_proof(&StoreNodes(store.reader()), 65_600, 66_000).unwrap();
    let root = plain.reader().frontier().root();
    assert_eq!(verify_inclusion(65_600, 66_000, &digest.leaf_hash(), &proof, &root), Ok(()));
}
