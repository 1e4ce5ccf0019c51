//! The disk bound: at most two and a half times the canonical bytes, also when events trickle in.
//! Sled's segments of 512 KiB cost a few megabytes whatever they hold, so a log of less than some
//! 50,000 small entries can take more than that. This is a program of its own: sled reclaims segments with threads that
//! all stores of a process share, so beside other tests a store can hold six times its bytes for a moment.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod support;

use std::path::Path;
use std::sync::Arc;

use sealed_log::entry::{ChainName, Digest, EntryHeader, ProducerId, encode_entry};
use sealed_log::store::{StoreWriter, StoredEntry, WriteBatch};
use sealed_log_sled::SledStore;
use tlog::tree::Frontier;

fn bytes_below(folder: &Path) -> u64 {
    std::fs::read_dir(folder)
        .unwrap()
        .map(|item| item.unwrap())
        .map(|item| {
            if item.file_type().unwrap().is_dir() {
                bytes_below(&item.path())
            } else {
                item.metadata().unwrap().len()
            }
        })
        .sum()
}

/// Fills a store with single-event entries of 20 tables, `at_once` in an append; gives the
/// canonical bytes and those on disk.
fn fill(entries: u64, at_once: usize) -> (u64, u64) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    let mut store = SledStore::open(&path).unwrap().without_durability();
    let mut dice = sealed_log::store::contract::Dice::new(1);
    let mut frontier = Frontier::default();
    let mut previous = vec![Digest::ZERO; 20];
    let mut canonical = 0;
    let mut batch = Vec::new();
    for index in 0..entries {
        let table = (index % 20) as usize;
        let chain = ChainName::new(&format!("PB-{table:02}")).unwrap();
        let mut payload = vec![0x82, 0, 0x81, 0x84, 0x1b];
        payload.extend((0..30).map(|_| dice.below(60) as u8));
        let header = EntryHeader {
            producer: ProducerId::new("pit-3").unwrap(),
            chain: chain.clone(),
            first: index / 20 + 1,
            count: 1,
            previous: previous[table],
            received_at: 1_790_000_000_000_000 + index as i64 * 1_000,
        };
        let bytes = encode_entry(&header, &payload).unwrap();
        let digest = Digest::of(&bytes);
        previous[table] = digest;
        canonical += bytes.len() as u64;
        frontier.push_leaf(digest.leaf_hash());
        batch.push(StoredEntry { bytes, digest, chain, first: header.first, count: 1 });
        if batch.len() == at_once || index + 1 == entries {
            let first_index = index + 1 - batch.len() as u64;
            let batch = WriteBatch {
                first_index,
                entries: std::mem::take(&mut batch),
                frontier: frontier.clone(),
                signed: Some(Arc::new(support::signed(&frontier))),
            };
            store.append(&batch).unwrap();
        }
    }
    drop(store);
    assert_eq!(
        bytes_below(&path.join("blobs")),
        0,
        "no page of sled's is large enough for a file of its own"
    );
    (canonical, bytes_below(&path))
}

fn check(entries: u64, at_once: usize) {
    let (canonical, disk) = fill(entries, at_once);
    eprintln!(
        "{entries} entries, {at_once} at once: {canonical} canonical bytes, {disk} on disk, {}%",
        disk * 100 / canonical
    );
    assert!(disk * 2 <= canonical * 5, "{disk} bytes on disk for {canonical} canonical bytes");
}

#[test]
fn trickling_entries_take_at_most_two_and_a_half_times_their_bytes() {
    check(100_000, 1);
}

#[test]
fn entries_in_batches_take_at_most_two_and_a_half_times_their_bytes() {
    check(200_000, 256);
}

#[test]
#[ignore = "slow: a million entries"]
fn a_million_entries_keep_the_bound() {
    check(1_000_000, 1);
    check(1_000_000, 64);
}

// Trap: sled splits pages by count, so that values far below its threshold make a file each once
// they share a page.
#[test]
fn large_entries_make_no_files_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    let mut store = SledStore::open(&path).unwrap().without_durability();
    let mut maker = support::Maker::default();
    let mut dice = sealed_log::store::contract::Dice::new(2);
    for length in [61_000, 30_000, 16_000, 9_000, 5_000, 400] {
        for _ in 0..200 {
            let payload: Vec<u8> = (0..length).map(|_| dice.below(256) as u8).collect();
            let first = maker.size + 1;
            let entry = maker.entry("PB-01", first, 1, &payload);
            store.append(&maker.batch(vec![entry])).unwrap();
            assert_eq!(bytes_below(&path.join("blobs")), 0, "entry {first} of {length} bytes");
        }
    }
}
