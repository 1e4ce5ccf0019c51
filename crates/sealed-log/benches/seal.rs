//! What sealing and checking cost, beside hashing the same entries alone.
//!
//! `cargo bench -p sealed-log`. Entries carry about 110 bytes, the size of one event.
#![allow(clippy::unwrap_used, missing_docs)]

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use sealed_log::archive::{ArchiveSource, write_archive};
use sealed_log::entry::{ChainName, Digest, parse_entry};
use sealed_log::reader::{Expectations, LogReader, StoreSource, Verdict};
use sealed_log::store::{MemoryReader, MemoryStore, StoreReader};
use sealed_log::writer::{LogWriter, MemoryCheckpoint, Submission};
use std::collections::BTreeSet;
use std::sync::LazyLock;
use tlog::checkpoint::SignedCheckpoint;
use tlog::note::SigningKey;
use tlog::tree::root_of;

const ENTRIES: u64 = 200_000;
const BATCH: usize = 4_096;

fn main() {
    divan::main();
}

fn key() -> SigningKey {
    SigningKey::from_seed("casino.example/bench/1", &[7; 32]).unwrap()
}

fn submissions() -> Vec<Submission> {
    let chain = |n: u64| ChainName::new(&format!("mesa-{:02}", n * 7 % 40)).unwrap();
    let submission = |n: u64| Submission {
        producer: "pit-1".parse().unwrap(),
        chain: chain(n),
        first: n / 40 + 1,
        count: 1,
        received_at: 1_700_000_000_000_000 + n as i64 * 1_337,
        payload: n.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes().repeat(5),
    };
    (0..ENTRIES).map(submission).collect()
}

fn write(submissions: &[Submission]) -> (MemoryReader, SignedCheckpoint) {
    let mut writer = LogWriter::open(MemoryStore::new(), MemoryCheckpoint::default(), key(), None).unwrap();
    for batch in submissions.chunks(BATCH) {
        writer.append(batch).unwrap();
    }
    (writer.reader().clone(), (*writer.signed_checkpoint()).clone())
}

static LOG: LazyLock<(MemoryReader, SignedCheckpoint)> = LazyLock::new(|| write(&submissions()));
static ENTRY_BYTES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| LOG.0.read(0, ENTRIES as usize).unwrap());
static ARCHIVE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    write_archive(Vec::new(), &LOG.0, &LOG.1, &key().verifier_key(), &BTreeSet::new()).unwrap().0
});

fn counted<'a, 'b>(bencher: Bencher<'a, 'b>) -> Bencher<'a, 'b> {
    let bytes: usize = ENTRY_BYTES.iter().map(Vec::len).sum();
    bencher.counter(ItemsCount::new(ENTRIES)).counter(BytesCount::new(bytes))
}

/// The baseline: BLAKE3 of each entry on one core.
#[divan::bench]
fn hash_only(bencher: Bencher<'_, '_>) {
    counted(bencher)
        .bench(|| ENTRY_BYTES.iter().map(|bytes| Digest::of(bytes).as_bytes()[0]).fold(0, |a, b| a ^ b));
}

/// The baseline on all cores.
#[divan::bench]
fn hash_only_all_cores(bencher: Bencher<'_, '_>) {
    use rayon::prelude::*;
    let chunks: Vec<_> = ENTRY_BYTES.chunks(1_024).collect();
    let sum =
        |chunk: &&[Vec<u8>]| chunk.iter().map(|bytes| Digest::of(bytes).as_bytes()[0]).fold(0, |a, b| a ^ b);
    counted(bencher).bench(|| chunks.par_iter().map(sum).reduce(|| 0, |a, b| a ^ b));
}

#[divan::bench]
fn parse(bencher: Bencher<'_, '_>) {
    counted(bencher).bench(|| ENTRY_BYTES.iter().map(|bytes| parse_entry(bytes).unwrap().first).max());
}

#[divan::bench]
fn leaves_and_root(bencher: Bencher<'_, '_>) {
    let digests: Vec<_> = ENTRY_BYTES.iter().map(|bytes| Digest::of(bytes)).collect();
    counted(bencher).bench(|| root_of(&digests.iter().map(Digest::leaf_hash).collect::<Vec<_>>()));
}

/// Seal, sign and append to a store in memory, in batches of 4,096.
#[divan::bench(sample_count = 10)]
fn seal_and_append(bencher: Bencher<'_, '_>) {
    counted(bencher)
        .with_inputs(submissions)
        .bench_refs(|submissions| write(submissions).1.checkpoint().size);
}

#[divan::bench(sample_count = 10)]
fn archive_write(bencher: Bencher<'_, '_>) {
    counted(bencher).bench(|| {
        write_archive(Vec::new(), &LOG.0, &LOG.1, &key().verifier_key(), &BTreeSet::new())
            .unwrap()
            .1
            .file_bytes
    });
}

#[divan::bench(sample_count = 10)]
fn archive_verify(bencher: Bencher<'_, '_>) {
    let archive: &[u8] = &ARCHIVE;
    counted(bencher).bench(|| {
        let mut reader = LogReader::new(ArchiveSource::new(archive).unwrap(), Expectations::default());
        while reader.next_window().unwrap().is_some() {}
        assert_eq!(reader.finish().intact, Verdict::Yes);
    });
}

#[divan::bench(sample_count = 10)]
fn store_verify(bencher: Bencher<'_, '_>) {
    counted(bencher).bench(|| {
        let source = StoreSource::new(&LOG.0, Some(LOG.1.clone()), Some(key().verifier_key()));
        let mut reader = LogReader::new(source, Expectations::default());
        while reader.next_window().unwrap().is_some() {}
        assert_eq!(reader.finish().intact, Verdict::Yes);
    });
}
