//! The store beside a plain file that is appended to and synced: `cargo bench -p sealed-log-sled`.
//! Both are durable before an append returns; the folder is the system's temporary one.
#![allow(missing_docs, clippy::unwrap_used)]

#[path = "../tests/support/mod.rs"]
mod support;

use std::fs::File;
use std::io::Write;

use divan::Bencher;
use divan::counter::ItemsCount;
use sealed_log::store::StoreWriter;
use sealed_log_sled::SledStore;
use support::Maker;

const SIZES: [u64; 3] = [1, 256, 4_096];
const READ: u64 = 100_000;

fn main() {
    divan::main();
}

/// Baseline: the same bytes at the end of one file, then fsync.
#[divan::bench(args = SIZES, sample_count = 30, sample_size = 1)]
fn append_and_fsync_a_file(bencher: Bencher<'_, '_>, entries: u64) {
    let mut file = tempfile::tempfile().unwrap();
    let mut maker = Maker::default();
    bencher.counter(ItemsCount::new(entries)).with_inputs(|| maker.next(entries)).bench_local_values(
        |batch| {
            batch.entries.iter().for_each(|entry| file.write_all(&entry.bytes).unwrap());
            file.sync_all().unwrap();
        },
    );
}

#[divan::bench(args = SIZES, sample_count = 30, sample_size = 1)]
fn append_to_the_store(bencher: Bencher<'_, '_>, entries: u64) {
    let folder = tempfile::tempdir().unwrap();
    let mut store = SledStore::open(&folder.path().join("store")).unwrap();
    let mut maker = Maker::default();
    bencher
        .counter(ItemsCount::new(entries))
        .with_inputs(|| maker.next(entries))
        .bench_local_values(|batch| store.append(&batch).unwrap());
}

/// Baseline: the same bytes from one file.
#[divan::bench(sample_count = 20)]
fn read_a_file(bencher: Bencher<'_, '_>) {
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut plain = File::create(file.path()).unwrap();
    let batch = Maker::default().next(READ);
    batch.entries.iter().for_each(|entry| plain.write_all(&entry.bytes).unwrap());
    bencher.counter(ItemsCount::new(READ)).bench_local(|| std::fs::read(file.path()).unwrap().len());
}

#[divan::bench(sample_count = 20)]
fn read_the_store(bencher: Bencher<'_, '_>) {
    let folder = tempfile::tempdir().unwrap();
    let mut store = SledStore::open(&folder.path().join("store")).unwrap().without_durability();
    store.append(&Maker::default().next(READ)).unwrap();
    bencher.counter(ItemsCount::new(READ)).bench_local(|| support::read_all(store.reader()).unwrap().len());
}
