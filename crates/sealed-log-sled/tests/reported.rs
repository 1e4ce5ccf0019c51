//! What an inspector sees of a store in which bits were flipped: a report that is not intact, in our
//! words, with the entry where one can be named. These are the store's rows of `docs/security.md`.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::fs;
use std::path::Path;

use sealed_log::reader::{
    DamagedSource, EntrySource, Expectations, FaultKind, LogReader, SealReport, StoreSource, Verdict,
};
use sealed_log::store::StoreWriter as _;
use sealed_log::store::contract::Dice;
use sealed_log_sled::{FolderError, LogFolder};

use crate::support::{copy, files, key, submission};

/// A log of so many entries, written in appends of up to 90 and closed; a larger one was closed and opened
/// again before, so that opening alone does not read all of it.
fn make(folder: &Path, entries: u64) {
    let mut writer = LogFolder::new(folder).open_writer(key()).unwrap();
    let mut next = 0;
    while next < entries {
        if entries > 1_000 && (next..next + 90).contains(&(entries * 5 / 6)) {
            drop(writer);
            writer = LogFolder::new(folder).open_writer(key()).unwrap();
        }
        let submissions: Vec<_> = (next..(next + 1 + next % 90).min(entries)).map(submission).collect();
        next += submissions.len() as u64;
        writer.append(&submissions).unwrap();
    }
}

fn read(source: impl EntrySource) -> SealReport {
    let mut reader = LogReader::new(source, Expectations::default());
    while reader.next_window().unwrap().is_some() {}
    reader.finish()
}

/// Reads a log as `audit verify log` does.
fn verify(log: &Path) -> SealReport {
    let (scratch, key) = (tempfile::tempdir().unwrap(), Some(key().verifier_key()));
    let folder = LogFolder::new(log);
    match folder.private_copy_as_found(scratch.path()) {
        Ok((store, signed)) => read(StoreSource::new(store.reader(), signed, key)),
        Err(FolderError::Store { error, .. }) => {
            read(DamagedSource::new(folder.signed_checkpoint().unwrap(), key, error.to_string()))
        }
        Err(other) => panic!("{other}"),
    }
}

#[derive(Debug, Default)]
struct Tally {
    /// The byte is not in use.
    harmless: u32,
    /// Each damaged entry named, the others read.
    named: u32,
    /// Named from which entry on nothing can be read.
    from: u32,
    /// Nothing could be read, or the store not be opened.
    nothing: u32,
}

fn judge(report: &SealReport, entries: u64, tally: &mut Tally, what: &str) {
    for fault in &report.faults {
        for word in ["sled", "Uninitialized", "Corruption", "pagecache", "\n"] {
            assert!(!fault.detail.to_string().contains(word), "{what}: {fault}");
        }
    }
    if report.intact == Verdict::Yes {
        assert_eq!((report.size, report.fault_count), (entries, 0), "{what}: intact and not whole");
        return tally.harmless += 1;
    }
    assert_eq!(report.intact, Verdict::No, "{what}: {:?}", report.intact_unknown);
    assert!(report.proof.is_none());
    let missing = report.faults.iter().find(|fault| fault.kind == FaultKind::Missing);
    match missing {
        None => {
            assert!(report.faults.iter().any(|fault| fault.index.is_some()), "{what}: {:?}", report.faults);
            tally.named += 1;
        }
        Some(fault) => {
            assert_eq!(fault.index, Some(report.size), "{what}");
            *if report.size == 0 { &mut tally.nothing } else { &mut tally.from } += 1;
        }
    }
}

fn flip_bits(entries: u64, flips: u64) -> Tally {
    let scratch = tempfile::tempdir().unwrap();
    let (log, case) = (scratch.path().join("log"), scratch.path().join("case"));
    make(&log, entries);
    assert_eq!(verify(&log).intact, Verdict::Yes);
    let (mut dice, mut tally) = (Dice::new(entries), Tally::default());
    for file in files(&log.join("store")) {
        let bytes = fs::read(&file).unwrap();
        let written: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at] != 0).collect();
        let tries = if bytes.len() > 4_096 { flips } else { flips / 10 };
        for _ in 0..tries {
            let (at, bit) = (written[dice.below(written.len() as u64) as usize], dice.below(8));
            copy(&log, &case);
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << bit;
            fs::write(case.join(file.strip_prefix(&log).unwrap()), damaged).unwrap();
            judge(&verify(&case), entries, &mut tally, &format!("{} byte {at} bit {bit}", file.display()));
            fs::remove_dir_all(&case).unwrap();
        }
    }
    println!("{entries} entries: {tally:?}");
    tally
}

#[test]
fn a_flipped_bit_of_a_small_store_is_reported() {
    let tally = flip_bits(63, 60);
    assert!(tally.named + tally.from + tally.nothing > 20, "{tally:?}");
}

#[test]
fn a_flipped_bit_of_a_larger_store_is_reported_with_the_entry_where_it_can_be() {
    // If the machine is busy, sled writes other files as well, and few of the bits lie in entries.
    let enough = |tally: &Tally| tally.named + tally.from > 10;
    assert!([60, 600].into_iter().any(|flips| enough(&flip_bits(6_000, flips))));
}
