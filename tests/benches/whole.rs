//! The whole path on one casino's evening, each step beside the baseline of hashing the same
//! entries only. `cargo bench -p audit-tests`; with `-- --quick` the ratios alone, in a few seconds.
#![allow(clippy::unwrap_used, missing_docs)]

#[path = "whole/quick.rs"]
mod quick;

use std::collections::BTreeSet;
use std::hint::black_box;
use std::sync::LazyLock;

use casino::{Plan, simulate};
use divan::Bencher;
use divan::counter::ItemsCount;
use events::{Body, Event, Line, decode_payload, encode_payload};
use replay::{Entry, Judge, Report};
use sealed_log::archive::{ArchiveSource, write_archive};
use sealed_log::entry::{ChainName, ProducerId, parse_entry};
use sealed_log::reader::{Expectations, LogReader};
use sealed_log::store::{MemoryReader, MemoryStore, StoreReader as _};
use sealed_log::writer::{LogWriter, MemoryCheckpoint, Submission};
use tlog::note::SigningKey;

/// The program's own: half of what is measured here allocates.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() {
    if std::env::args().any(|argument| argument == "--quick") {
        quick::print();
    } else {
        divan::main();
    }
}

/// Twenty tables, thirty shoes each: some 480,000 events in entries of a coup.
struct Evening {
    lines: Vec<String>,
    coups: Vec<(String, u64, Vec<Event>)>,
    submissions: Vec<Submission>,
    store: MemoryReader,
    archive: Vec<u8>,
    events: u64,
}

static EVENING: LazyLock<Evening> = LazyLock::new(|| evening(30, EntryOf::Coup));

/// What stands in one entry.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EntryOf {
    Coup,
    Event,
}

fn evening(shoes: u32, entry_of: EntryOf) -> Evening {
    let book = baccarat::builtin("punto-banco").unwrap();
    let plan = Plan { tables: 20, shoes, seed: 5, ..Plan::new(book) };
    let mut open: std::collections::BTreeMap<String, (u64, Vec<Event>)> = std::collections::BTreeMap::new();
    let (mut coups, mut lines) = (Vec::new(), Vec::new());
    for line in simulate(&plan).lines {
        lines.push(line.to_json().unwrap());
        let (table, sequence) = (line.table.to_string(), line.sequence);
        let ends =
            entry_of == EntryOf::Event || matches!(line.event, Body::CoupSettled(_) | Body::TableClosed(_));
        let entry = open.entry(table.clone()).or_insert((sequence, Vec::new()));
        entry.1.push(line.into_event());
        if ends && let Some((first, events)) = open.remove(&table) {
            coups.push((table, first, events));
        }
    }
    let submissions: Vec<Submission> = coups.iter().map(submission).collect();
    let key = SigningKey::from_seed("bench.invalid/log", &[7; 32]).unwrap();
    let mut writer =
        LogWriter::open(MemoryStore::new(), MemoryCheckpoint::default(), key.clone(), None).unwrap();
    let head = submissions.chunks(256).map(|some| writer.append(some).unwrap().signed).last().unwrap();
    let store = writer.reader().clone();
    let (archive, _) =
        write_archive(Vec::new(), &store, &head, &key.verifier_key(), &BTreeSet::new()).unwrap();
    let events = lines.len() as u64;
    Evening { lines, coups, submissions, store, archive, events }
}

fn submission((table, first, events): &(String, u64, Vec<Event>)) -> Submission {
    Submission {
        producer: ProducerId::new("bench").unwrap(),
        chain: ChainName::new(table).unwrap(),
        first: *first,
        count: u32::try_from(events.len()).unwrap(),
        // The service has it as it happens.
        received_at: events.last().unwrap().occurred_at.micros(),
        payload: encode_payload(events).unwrap(),
    }
}

fn per_event(bencher: Bencher<'_, '_>, work: impl Fn(&Evening) + Sync) {
    let evening = &*EVENING;
    bencher.counter(ItemsCount::new(evening.events)).bench(|| work(evening));
}

fn all_entries(evening: &Evening) -> Vec<Vec<u8>> {
    evening.store.read(0, usize::MAX).unwrap()
}

#[divan::bench(sample_count = 10)]
fn baseline_hash_only(bencher: Bencher<'_, '_>) {
    let entries = all_entries(&EVENING);
    per_event(bencher, |_| hash_all(&entries));
}

fn hash_all(entries: &[Vec<u8>]) {
    for entry in entries {
        black_box(blake3::hash(entry));
    }
}

#[divan::bench(sample_count = 10)]
fn json_read(bencher: Bencher<'_, '_>) {
    per_event(bencher, |evening| {
        for line in &evening.lines {
            black_box(Line::from_json(line).unwrap());
        }
    });
}

#[divan::bench(sample_count = 10)]
fn encode(bencher: Bencher<'_, '_>) {
    per_event(bencher, |evening| {
        for (_, _, events) in &evening.coups {
            black_box(encode_payload(events).unwrap());
        }
    });
}

#[divan::bench(sample_count = 10)]
fn decode(bencher: Bencher<'_, '_>) {
    per_event(bencher, decode_all);
}

fn decode_all(evening: &Evening) {
    for submission in &evening.submissions {
        black_box(decode_payload(&submission.payload).unwrap());
    }
}

#[divan::bench(sample_count = 10)]
fn seal_and_append_in_memory(bencher: Bencher<'_, '_>) {
    per_event(bencher, |evening| {
        let key = SigningKey::from_seed("bench.invalid/log", &[7; 32]).unwrap();
        let mut writer = LogWriter::open(MemoryStore::new(), MemoryCheckpoint::default(), key, None).unwrap();
        for some in evening.submissions.chunks(256) {
            black_box(writer.append(some).unwrap());
        }
    });
}

#[divan::bench(sample_count = 10)]
fn decode_and_replay(bencher: Bencher<'_, '_>) {
    let entries = all_entries(&EVENING);
    per_event(bencher, |_| judge_all(&entries));
}

fn judge_all(entries: &[Vec<u8>]) {
    let mut judge = Judge::default();
    for (window, first) in entries.chunks(16_384).zip((0..).step_by(16_384)) {
        let views: Vec<Entry<'_>> =
            window.iter().zip(first..).map(|(bytes, index)| entry(bytes, index)).collect();
        judge.judge(&views);
    }
    assert_eq!(judge.finish().summary.coups.violated, 0);
}

fn entry(bytes: &[u8], index: u64) -> Entry<'_> {
    Entry::of(index, &parse_entry(bytes).unwrap())
}

#[divan::bench(sample_count = 10)]
fn archive_read_and_seal_check(bencher: Bencher<'_, '_>) {
    per_event(bencher, check_seal);
}

fn check_seal(evening: &Evening) {
    let mut reader =
        LogReader::new(ArchiveSource::new(&evening.archive[..]).unwrap(), Expectations::default());
    while let Some(window) = reader.next_window().unwrap() {
        black_box(window);
    }
    assert!(reader.finish().proof.is_some());
}

#[divan::bench(sample_count = 10)]
fn whole_verify(bencher: Bencher<'_, '_>) {
    per_event(bencher, verify);
}

fn verify(evening: &Evening) {
    let mut reader =
        LogReader::new(ArchiveSource::new(&evening.archive[..]).unwrap(), Expectations::default());
    let mut judge = Judge::default();
    let mut next = reader.next_window();
    while let Some(window) = next.unwrap() {
        let views: Vec<Entry<'_>> =
            window.entries().map(|sealed| entry(sealed.bytes, sealed.index)).collect();
        // The next window is read meanwhile, as `audit verify log` does.
        next = rayon::join(|| reader.next_window(), || judge.judge(&views)).0;
    }
    let report = Report::new(reader.finish(), judge.finish());
    assert!(report.certificate.is_some() && report.findings.is_empty());
}
