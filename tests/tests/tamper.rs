//! The tamper matrix: what is done to a log of three hundred entries, and which verdict it has to
//! get. Its table stands in `docs/security.md`.
//!
//! `cargo test --release -p audit-tests --test all tamper:: -- --ignored` damages every byte; the ordinary
//! run takes some of them.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::ops::{ControlFlow, RangeInclusive};
use std::sync::{Arc, LazyLock};

use sealed_log::archive::{ArchiveSource, write_archive};
use sealed_log::entry::{ChainName, ProducerId, parse_entry};
use sealed_log::reader::{Expectations, FaultKind, LogReader, SealReport, StoreSource, Verdict};
use sealed_log::store::{MemoryReader, MemoryStore, StoreError, StoreReader};
use sealed_log::writer::{LogWriter, MemoryCheckpoint, Submission};
use tlog::checkpoint::SignedCheckpoint;
use tlog::note::SigningKey;
use tlog::tree::{Frontier, TreeHash};

const ENTRIES: usize = 300;

fn key() -> SigningKey {
    SigningKey::from_seed("tamper.invalid/log", &[3; 32]).unwrap()
}

/// A log of three tables and its checkpoint after every entry.
struct Log {
    entries: Vec<Vec<u8>>,
    leaves: Vec<TreeHash>,
    checkpoints: Vec<SignedCheckpoint>,
    store: MemoryReader,
}

/// `words(n)` is what entry `n` says.
fn log(words: impl Fn(usize) -> String) -> Log {
    let mut writer = LogWriter::open(MemoryStore::new(), MemoryCheckpoint::default(), key(), None).unwrap();
    let mut checkpoints = Vec::new();
    for number in 0..ENTRIES {
        let submission = Submission {
            producer: ProducerId::new("tamper").unwrap(),
            chain: ChainName::new(["A", "B", "C"][number % 3]).unwrap(),
            first: number as u64 / 3 + 1,
            count: 1,
            received_at: number as i64,
            payload: words(number).into_bytes(),
        };
        let answer = writer.append(&[submission]).unwrap();
        checkpoints.push(SignedCheckpoint::parse(answer.signed.text()).unwrap());
    }
    let store = writer.reader().clone();
    let mut entries = Vec::new();
    while entries.len() < ENTRIES {
        entries.extend(store.read(entries.len() as u64, usize::MAX).unwrap());
    }
    Log { leaves: store.leaf_hashes(0, ENTRIES).unwrap(), entries, checkpoints, store }
}

static HONEST: LazyLock<Log> = LazyLock::new(|| log(|number| format!("event {number}")));
/// The same log up to entry 200, and another history from there.
static FORKED: LazyLock<Log> =
    LazyLock::new(|| log(|number| format!("event {}", if number < 200 { number } else { number + 1_000 })));
/// Another history from the second entry on.
static REWRITTEN: LazyLock<Log> =
    LazyLock::new(|| log(|number| format!("event {}", if number < 1 { number } else { number + 5_000 })));

/// A store that somebody has been at.
#[derive(Clone)]
struct Doctored {
    entries: Vec<Vec<u8>>,
    leaves: Vec<TreeHash>,
}

impl Doctored {
    fn honest() -> Self {
        Self { entries: HONEST.entries.clone(), leaves: HONEST.leaves.clone() }
    }

    /// The tree's leaves are made to fit the entries as they are now.
    fn covered_up(mut self) -> Self {
        self.leaves =
            self.entries.iter().map(|bytes| sealed_log::entry::Digest::of(bytes).leaf_hash()).collect();
        self
    }
}

impl StoreReader for Doctored {
    fn size(&self) -> u64 {
        self.entries.len() as u64
    }
    fn frontier(&self) -> Frontier {
        Frontier::default()
    }
    fn signed_checkpoint(&self) -> Option<Arc<SignedCheckpoint>> {
        None
    }
    fn read(&self, first: u64, most: usize) -> Result<Vec<Vec<u8>>, StoreError> {
        let first = usize::try_from(first).unwrap().min(self.entries.len());
        Ok(self.entries[first..].iter().take(most).cloned().collect())
    }
    fn leaf_hashes(&self, first: u64, count: usize) -> Result<Vec<TreeHash>, StoreError> {
        let first = usize::try_from(first).unwrap().min(self.leaves.len());
        Ok(self.leaves[first..].iter().take(count).copied().collect())
    }
    fn visit(
        &self,
        _: &ChainName,
        _: RangeInclusive<u64>,
        _: &mut dyn FnMut(u64, &[u8]) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        Ok(())
    }
}

fn read<S: sealed_log::reader::EntrySource>(source: S, kept: &[&SignedCheckpoint]) -> SealReport {
    let anchors = kept.iter().map(|kept| SignedCheckpoint::parse(kept.text()).unwrap()).collect();
    let expectations = Expectations { verifier: Some(key().verifier_key()), anchors };
    let mut reader = LogReader::new(source, expectations);
    while reader.next_window().unwrap().is_some() {}
    reader.finish()
}

/// Reads a store under the checkpoint that was signed for it last, an inspector having kept the
/// one after entry 250.
fn seen(store: &(impl StoreReader + Sync), last: &SignedCheckpoint) -> SealReport {
    let last = SignedCheckpoint::parse(last.text()).unwrap();
    read(StoreSource::new(store, Some(last), None), &[&HONEST.checkpoints[249]])
}

fn newest(log: &Log) -> &SignedCheckpoint {
    log.checkpoints.last().unwrap()
}

fn names(report: &SealReport, entry: usize) -> bool {
    report.faults.iter().any(|fault| fault.index == Some(entry as u64))
}

#[test]
fn what_nobody_touched_is_intact_and_anchored() {
    let report = seen(&Doctored::honest(), newest(&HONEST));
    assert_eq!((report.intact, report.anchored, report.fault_count), (Verdict::Yes, Verdict::Yes, 0));
}

fn flip_every(stride: usize) {
    let mut doctored = Doctored::honest();
    let mut count = 0;
    for entry in 0..ENTRIES {
        for byte in 0..doctored.entries[entry].len() {
            count += 1;
            if count % stride != 0 {
                continue;
            }
            doctored.entries[entry][byte] ^= 1 << (count % 8);
            let report = seen(&doctored, newest(&HONEST));
            doctored.entries[entry][byte] ^= 1 << (count % 8);
            assert_eq!(report.intact, Verdict::No, "entry {entry}, byte {byte}");
            assert!(names(&report, entry), "entry {entry}, byte {byte}: {:?}", report.faults);
            assert!(report.proof.is_none());
        }
    }
}

#[test]
fn a_flipped_byte_of_the_store_is_reported_with_its_entry() {
    flip_every(23);
}

#[test]
#[ignore = "slow: every byte"]
fn every_flipped_byte_of_the_store_is_reported_with_its_entry() {
    flip_every(1);
}

/// Somebody changes an entry in each of several ways; `cover` says whether the leaf hashes are made
/// to fit.
fn changed(change: impl Fn(&mut Doctored, usize), cover: bool, last: usize) {
    for entry in 0..last {
        let mut doctored = Doctored::honest();
        change(&mut doctored, entry);
        let doctored = if cover { doctored.covered_up() } else { doctored };
        let report = seen(&doctored, newest(&HONEST));
        assert_eq!(report.intact, Verdict::No, "entry {entry}");
        assert!(report.fault_count > 0 && report.proof.is_none());
        // A doubled entry 249 leaves the first 250 as they were.
        if cover && entry < 249 {
            assert_ne!(report.anchored, Verdict::Yes, "entry {entry}");
        }
    }
}

#[test]
fn every_entry_removed_is_noticed() {
    for cover in [false, true] {
        let remove = |doctored: &mut Doctored, entry: usize| {
            doctored.entries.remove(entry);
            doctored.leaves.remove(entry);
        };
        changed(remove, cover, ENTRIES);
    }
}

#[test]
fn every_payload_taken_out_in_silence_is_noticed() {
    for entry in 0..ENTRIES {
        let mut doctored = Doctored::honest();
        doctored.entries[entry] = sealed_log::redaction::redact_entry(&doctored.entries[entry]).unwrap();
        let report = seen(&doctored, newest(&HONEST));
        assert_eq!((report.intact, report.anchored), (Verdict::No, Verdict::Yes), "entry {entry}");
        assert!(names(&report, entry) && report.fault_count == 1, "{:?}", report.faults);
    }
}

#[test]
fn every_entry_duplicated_is_noticed() {
    for cover in [false, true] {
        let double = |doctored: &mut Doctored, entry: usize| {
            let bytes = doctored.entries[entry].clone();
            doctored.entries.insert(entry, bytes);
            doctored.leaves.insert(entry, doctored.leaves[entry]);
        };
        // What stands behind the signed size was never acknowledged; it is counted, not judged.
        changed(double, cover, ENTRIES - 1);
    }
}

#[test]
fn every_two_neighbours_swapped_are_noticed() {
    for cover in [false, true] {
        changed(|doctored, entry| doctored.entries.swap(entry, entry + 1), cover, ENTRIES - 1);
    }
}

#[test]
fn every_entry_replaced_by_another_history_s_is_noticed() {
    for cover in [false, true] {
        let replace = |doctored: &mut Doctored, entry: usize| {
            doctored.entries[entry].clone_from(&REWRITTEN.entries[entry]);
        };
        // The first entry is the same in both.
        for entry in 1..ENTRIES {
            let mut doctored = Doctored::honest();
            replace(&mut doctored, entry);
            let doctored = if cover { doctored.covered_up() } else { doctored };
            let report = seen(&doctored, newest(&HONEST));
            assert_eq!(report.intact, Verdict::No, "entry {entry}");
            let reported = names(&report, entry)
                || names(&report, entry + 3)
                || report.faults.iter().any(|fault| fault.kind == FaultKind::Root);
            assert!(reported, "entry {entry}: {:?}", report.faults);
        }
    }
}

#[test]
fn every_fault_of_a_log_is_reported_not_only_the_first() {
    let mut doctored = Doctored::honest();
    let damaged = [0, 17, 18, 150, 255, 256, 299];
    for entry in damaged {
        let last = doctored.entries[entry].len() - 1;
        doctored.entries[entry][last] ^= 1;
    }
    let report = seen(&doctored, newest(&HONEST));
    for entry in damaged {
        assert!(names(&report, entry), "entry {entry}: {:?}", report.faults);
    }
}

#[test]
fn every_cut_of_the_store_is_noticed() {
    for length in 0..ENTRIES {
        let mut doctored = Doctored::honest();
        doctored.entries.truncate(length);
        doctored.leaves.truncate(length);
        let report = seen(&doctored, newest(&HONEST));
        assert_eq!(report.intact, Verdict::No, "cut to {length}");
        assert!(report.faults.iter().any(|fault| fault.kind == FaultKind::Missing), "cut to {length}");
    }
}

/// Whoever holds the key can write any history he likes: the seal alone cannot show it, the
/// checkpoint that somebody else kept does.
#[test]
fn a_history_rewritten_and_signed_again_is_intact_and_not_anchored() {
    let report = seen(&REWRITTEN.store, newest(&REWRITTEN));
    assert_eq!((report.intact, report.anchored), (Verdict::Yes, Verdict::No));
    let fault = report.faults.iter().find(|fault| fault.kind == FaultKind::Anchor).unwrap();
    assert!(fault.detail.to_string().contains("250"), "{}", fault.detail);
}

#[test]
fn a_rollback_is_intact_and_not_anchored() {
    for size in [1, 100, 248, 249] {
        let mut older = Doctored::honest();
        older.entries.truncate(size);
        older.leaves.truncate(size);
        let report = seen(&older, &HONEST.checkpoints[size - 1]);
        assert_eq!((report.intact, report.anchored), (Verdict::Yes, Verdict::No), "rolled back to {size}");
    }
}

#[test]
fn a_fork_shown_to_two_readers_is_noticed_when_they_compare_checkpoints() {
    let fork = newest(&FORKED);
    let report = read(
        StoreSource::new(&HONEST.store, Some(SignedCheckpoint::parse(newest(&HONEST).text()).unwrap()), None),
        &[fork],
    );
    assert_eq!((report.intact, report.anchored), (Verdict::Yes, Verdict::No));
    // Up to where they part both readers were shown the same.
    let before = &FORKED.checkpoints[199];
    let report = read(
        StoreSource::new(&HONEST.store, Some(SignedCheckpoint::parse(newest(&HONEST).text()).unwrap()), None),
        &[before],
    );
    assert_eq!(report.anchored, Verdict::Yes);
}

#[test]
fn another_key_s_checkpoint_seals_nothing() {
    let stranger = SigningKey::from_seed("tamper.invalid/log", &[9; 32]).unwrap();
    let forged = SignedCheckpoint::sign(newest(&HONEST).checkpoint(), &stranger).unwrap();
    let report = seen(&Doctored::honest(), &forged);
    assert_eq!(report.intact, Verdict::No);
    assert!(report.faults.iter().any(|fault| fault.kind == FaultKind::Checkpoint), "{:?}", report.faults);
}

fn archive() -> Vec<u8> {
    write_archive(Vec::new(), &HONEST.store, newest(&HONEST), &key().verifier_key(), &BTreeSet::new())
        .unwrap()
        .0
}

/// Reads an archive; `None` where it is refused as no archive.
fn archive_intact(bytes: &[u8]) -> Option<Verdict> {
    let source = ArchiveSource::new(bytes).ok()?;
    let report = read(source, &[&HONEST.checkpoints[249]]);
    assert_eq!(report.intact == Verdict::Yes, report.proof.is_some());
    if report.intact != Verdict::Yes {
        assert!(report.fault_count > 0 || report.intact_unknown.is_some(), "not intact, and nobody says why");
    }
    Some(report.intact)
}

fn damage_archive(stride: usize) {
    let whole = archive();
    assert_eq!(archive_intact(&whole), Some(Verdict::Yes));
    for count in (0..whole.len()).step_by(stride) {
        let mut flipped = whole.clone();
        flipped[count] ^= 1 << (count % 8);
        assert_ne!(archive_intact(&flipped), Some(Verdict::Yes), "byte {count} of {}", whole.len());
        assert_ne!(archive_intact(&whole[..count]), Some(Verdict::Yes), "cut to {count}");
    }
}

#[test]
fn a_flipped_byte_or_a_cut_of_the_archive_is_noticed() {
    damage_archive(29);
}

#[test]
#[ignore = "slow: every byte"]
fn every_flipped_byte_and_every_cut_of_the_archive_is_noticed() {
    damage_archive(1);
}

#[test]
fn the_entries_are_those_the_matrix_means() {
    let view = parse_entry(&HONEST.entries[7]).unwrap();
    assert_eq!((view.chain, view.first), ("B", 3));
    assert_eq!(
        (FORKED.entries[199] == HONEST.entries[199], FORKED.entries[200] == HONEST.entries[200]),
        (true, false)
    );
}
