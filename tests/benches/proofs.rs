//! Proofs and start-up of a log of ten million entries, beside reading one entry.
//! `cargo bench -p audit-tests --bench proofs` (makes the log first: about a minute, 2 GB in the
//! temporary folder).
#![allow(clippy::unwrap_used, missing_docs)]

use std::hint::black_box;
use std::path::PathBuf;
use std::sync::OnceLock;

use divan::Bencher;
use sealed_log::entry::{ChainName, ProducerId};
use sealed_log::store::contract::Dice;
use sealed_log::store::{StoreNodes, StoreReader as _};
use sealed_log::writer::Submission;
use sealed_log_sled::{LogFolder, Writer};
use tlog::note::SigningKey;
use tlog::proof::{consistency_proof, inclusion_proof};

const ENTRIES: u64 = 10_000_000;
const AT_ONCE: u64 = 50_000;

static LOG: OnceLock<PathBuf> = OnceLock::new();

fn fill(path: PathBuf) {
    let mut writer = open(path);
    for first in (0..ENTRIES).step_by(AT_ONCE as usize) {
        writer.append(&(first..first + AT_ONCE).map(submission).collect::<Vec<_>>()).unwrap();
    }
}

fn log() -> PathBuf {
    LOG.get().unwrap().clone()
}

fn open(path: PathBuf) -> Writer {
    let key = SigningKey::from_seed("bench.invalid/log", &[7; 32]).unwrap();
    LogFolder::new(&path).open_writer(key).unwrap()
}

fn submission(number: u64) -> Submission {
    Submission {
        producer: ProducerId::new("bench").unwrap(),
        chain: ChainName::new(&format!("PB-{:02}", number % 20)).unwrap(),
        first: number / 20 + 1,
        count: 1,
        received_at: 1,
        payload: (0..40).map(|at| (number * 31 + at) as u8).collect(),
    }
}

fn main() {
    let folder = tempfile::tempdir().unwrap();
    LOG.set(folder.path().join("log")).unwrap();
    fill(log());
    assert_eq!(open(log()).reader().size(), ENTRIES);
    divan::main();
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn start_up(bencher: Bencher<'_, '_>) {
    bencher.bench_local(|| open(log()));
}

#[divan::bench(sample_count = 1_000, sample_size = 1)]
fn baseline_read_one_entry(bencher: Bencher<'_, '_>) {
    let writer = open(log());
    let mut dice = Dice::new(1);
    bencher.bench_local(|| black_box(writer.reader().read(dice.below(ENTRIES), 1).unwrap()));
}

#[divan::bench(sample_count = 1_000, sample_size = 1)]
fn inclusion(bencher: Bencher<'_, '_>) {
    let writer = open(log());
    let mut dice = Dice::new(2);
    bencher
        .bench_local(|| inclusion_proof(&StoreNodes(writer.reader()), dice.below(ENTRIES), ENTRIES).unwrap());
}

#[divan::bench(sample_count = 1_000, sample_size = 1)]
fn consistency(bencher: Bencher<'_, '_>) {
    let writer = open(log());
    let mut dice = Dice::new(3);
    bencher.bench_local(|| {
        consistency_proof(&StoreNodes(writer.reader()), dice.below(ENTRIES - 1) + 1, ENTRIES).unwrap()
    });
}
