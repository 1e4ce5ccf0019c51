//! Durable appends and reads of the store, beside a plain file that is appended to and synced.
//! `cargo bench -p audit-tests --bench store`.
#![allow(clippy::unwrap_used, missing_docs)]

use std::fs::File;
use std::hint::black_box;
use std::io::Write;

use divan::Bencher;
use divan::counter::ItemsCount;
use sealed_log::entry::{ChainName, ProducerId};
use sealed_log::store::StoreReader as _;
use sealed_log::writer::Submission;
use sealed_log_sled::{LogFolder, Writer};
use tlog::note::SigningKey;

fn main() {
    divan::main();
}

fn submissions(first: u64, count: usize) -> Vec<Submission> {
    (first..)
        .take(count)
        .map(|number| Submission {
            producer: ProducerId::new("bench").unwrap(),
            chain: ChainName::new("PB-01").unwrap(),
            first: number,
            count: 1,
            received_at: 1,
            payload: (0..40).map(|at| (number * 31 + at) as u8).collect(),
        })
        .collect()
}

fn writer(folder: &tempfile::TempDir) -> Writer {
    let key = SigningKey::from_seed("bench.invalid/log", &[7; 32]).unwrap();
    LogFolder::new(&folder.path().join("log")).open_writer(key).unwrap()
}

#[divan::bench(args = [1, 256, 4_096], sample_count = 20, sample_size = 1)]
fn durable_append(bencher: Bencher<'_, '_>, at_once: usize) {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = writer(&folder);
    let mut next = 1;
    bencher.counter(ItemsCount::new(at_once)).bench_local(|| {
        writer.append(&submissions(next, at_once)).unwrap();
        next += at_once as u64;
    });
}

#[divan::bench(args = [1, 256, 4_096], sample_count = 20, sample_size = 1)]
fn baseline_append_and_sync_a_file(bencher: Bencher<'_, '_>, at_once: usize) {
    let folder = tempfile::tempdir().unwrap();
    let mut file = File::create(folder.path().join("plain")).unwrap();
    bencher.counter(ItemsCount::new(at_once)).bench_local(|| {
        for submission in submissions(1, at_once) {
            file.write_all(&submission.payload).unwrap();
            file.write_all(&[0; 70]).unwrap();
        }
        file.sync_data().unwrap();
    });
}

#[divan::bench(sample_count = 10)]
fn read_back(bencher: Bencher<'_, '_>) {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = writer(&folder);
    for round in 0..50 {
        writer.append(&submissions(round * 2_000 + 1, 2_000)).unwrap();
    }
    let store = writer.reader();
    bencher.counter(ItemsCount::new(store.size())).bench_local(|| {
        let mut index = 0;
        while index < store.size() {
            index += black_box(store.read(index, 1_024).unwrap()).len() as u64;
        }
    });
}
