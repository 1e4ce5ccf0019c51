//! Damage below sled: bits flipped, files cut, an older state put back. Sled opens some of these
//! without a word and with entries missing; the log must refuse, or hold all it acknowledged.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

use std::fs;
use std::path::{Path, PathBuf};

use sealed_log::entry::{ChainName, ProducerId};
use sealed_log::reader::{Expectations, LogReader, StoreSource, Verdict};
use sealed_log::store::contract::Dice;
use sealed_log::store::{StoreReader, StoreWriter as _};
use sealed_log::writer::Submission;
use sealed_log_sled::LogFolder;
use tlog::note::SigningKey;

use crate::support::{below, copy};

const ENTRIES: u64 = 300;

fn key() -> SigningKey {
    SigningKey::from_seed("test.invalid/log", &[3; 32]).unwrap()
}

fn submission(number: u64) -> Submission {
    Submission {
        producer: ProducerId::new("test").unwrap(),
        chain: ChainName::new("t").unwrap(),
        first: number + 1,
        count: 1,
        received_at: 1,
        payload: (0..120).map(|at| (number * 7 + at) as u8).collect(),
    }
}

/// A log of 300 acknowledged entries as a kill leaves it (copied while it was open), and the same
/// after a clean close.
fn logs(scratch: &Path) -> [PathBuf; 2] {
    let (open, killed) = (scratch.join("open"), scratch.join("killed"));
    let mut writer = LogFolder::new(&open).open_writer(key()).unwrap();
    for number in 0..ENTRIES {
        writer.append(&[submission(number)]).unwrap();
    }
    copy(&open, &killed);
    drop(writer);
    [killed, open]
}

/// Opens a damaged log for writing and for reading: refused, or nothing acknowledged is missing.
fn refused_or_whole(log: &Path, what: &str) -> bool {
    let scratch = tempfile::tempdir().unwrap();
    if let Ok((store, signed)) = LogFolder::new(log).private_copy(scratch.path()) {
        let mut reader = LogReader::new(
            StoreSource::new(store.reader(), signed, Some(key().verifier_key())),
            Expectations::default(),
        );
        // What cannot be read ends the reading; the report then is not intact.
        while let Ok(Some(_)) = reader.next_window() {}
        let report = reader.finish();
        let intact = report.intact == Verdict::Yes;
        assert!(!intact || report.size >= ENTRIES, "{what}: intact with {} entries", report.size);
    }
    let Ok(writer) = LogFolder::new(log).open_writer(key()) else { return true };
    let (store, _) = writer.into_parts();
    assert!(store.reader().size() >= ENTRIES, "{what}: opened with {} entries", store.reader().size());
    false
}

fn database(log: &Path) -> PathBuf {
    log.join("store/db")
}

fn damaged(name: &str, rounds: u64, damage: impl Fn(&Path, &mut Dice) -> String) {
    let scratch = tempfile::tempdir().unwrap();
    let mut dice = Dice::new(rounds);
    let mut refused = 0;
    for (log, state) in logs(scratch.path()).iter().zip(["killed", "closed"]) {
        for round in 0..rounds {
            let case = scratch.path().join("case");
            copy(log, &case);
            let what = format!("{name}, {state}, round {round}: {}", damage(&case, &mut dice));
            refused += u64::from(refused_or_whole(&case, &what));
            fs::remove_dir_all(&case).unwrap();
        }
    }
    eprintln!("{name}: {refused} of {} refused, the others whole", 2 * rounds);
}

#[test]
fn a_flipped_bit_is_refused_or_harmless() {
    damaged("bit flipped", 40, |log, dice| {
        let path = database(log);
        let mut bytes = fs::read(&path).unwrap();
        // Most of sled's file is not in use; aim at what is.
        let used: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at] != 0).collect();
        let at = used[dice.below(used.len() as u64) as usize];
        bytes[at] ^= 1 << dice.below(8);
        fs::write(&path, bytes).unwrap();
        format!("byte {at}")
    });
}

#[test]
fn a_cut_file_is_refused_or_harmless() {
    damaged("file cut", 25, |log, dice| {
        let path = database(log);
        let length = dice.below(fs::metadata(&path).unwrap().len());
        fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(length).unwrap();
        format!("at {length}")
    });
}

#[test]
fn a_zeroed_stretch_is_refused_or_harmless() {
    damaged("stretch zeroed", 25, |log, dice| {
        let path = database(log);
        let mut bytes = fs::read(&path).unwrap();
        let at = dice.below(bytes.len() as u64) as usize;
        let end = bytes.len().min(at + 4_096);
        bytes[at..end].fill(0);
        fs::write(&path, bytes).unwrap();
        format!("from {at}")
    });
}

#[test]
fn an_older_state_of_the_store_is_refused() {
    let scratch = tempfile::tempdir().unwrap();
    let log = scratch.path().join("log");
    let mut writer = LogFolder::new(&log).open_writer(key()).unwrap();
    for number in 0..50 {
        writer.append(&[submission(number)]).unwrap();
    }
    drop(writer);
    copy(&log.join("store"), &scratch.path().join("older"));
    let mut writer = LogFolder::new(&log).open_writer(key()).unwrap();
    for number in 50..60 {
        writer.append(&[submission(number)]).unwrap();
    }
    drop(writer);
    fs::remove_dir_all(log.join("store")).unwrap();
    copy(&scratch.path().join("older"), &log.join("store"));
    let error = LogFolder::new(&log).open_writer(key()).unwrap_err().to_string();
    assert!(error.contains("50 entries but 60 were signed for"), "{error}");
}

#[test]
fn a_head_file_behind_the_store_is_brought_up_to_it() {
    let scratch = tempfile::tempdir().unwrap();
    let log = scratch.path().join("log");
    let mut writer = LogFolder::new(&log).open_writer(key()).unwrap();
    writer.append(&[submission(0)]).unwrap();
    let older = fs::read(log.join("head")).unwrap();
    let signed = writer.append(&[submission(1)]).unwrap().signed;
    drop(writer);
    fs::write(log.join("head"), older).unwrap();
    fs::remove_file(log.join("checkpoint")).unwrap();
    let kept = || LogFolder::new(&log).signed_checkpoint().unwrap().unwrap();
    assert_eq!(kept().checkpoint().size, 1);
    let (store, read) = LogFolder::new(&log).private_copy(scratch.path()).unwrap();
    assert_eq!(
        (store.reader().size(), read.unwrap().checkpoint().size),
        (2, 1),
        "the other was not given away yet"
    );
    let writer = LogFolder::new(&log).open_writer(key()).unwrap();
    assert_eq!(writer.signed_checkpoint(), signed);
    assert_eq!(kept(), *signed, "on the disk before anything is written");
}

#[test]
fn a_store_that_does_not_hold_what_its_own_checkpoint_covers_is_refused() {
    let scratch = tempfile::tempdir().unwrap();
    type Change = fn(&sled::Tree);
    let changes: [(&str, Change); 2] = [
        ("the checkpoint kept with it covers 20", |newest| {
            let last = newest.iter().keys().map(Result::unwrap).rfind(|key| key.len() == 9);
            newest.remove(last.unwrap()).unwrap().unwrap();
        }),
        ("the checkpoint kept with it is illegible", |newest| {
            newest.insert(b"\xffhead", b"no checkpoint").unwrap().unwrap();
        }),
    ];
    for (number, (why, change)) in changes.into_iter().enumerate() {
        let log = scratch.path().join(number.to_string());
        let mut writer = LogFolder::new(&log).open_writer(key()).unwrap();
        (0..20).for_each(|number| drop(writer.append(&[submission(number)]).unwrap()));
        drop(writer);
        below(&log.join("store"), |database| change(&database.open_tree("newest").unwrap()));
        let error = LogFolder::new(&log).open_writer(key()).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
        let [copy, found] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let error = LogFolder::new(&log).private_copy(copy.path()).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
        let (store, signed) = LogFolder::new(&log).private_copy_as_found(found.path()).unwrap();
        assert_eq!(signed.unwrap().checkpoint().size, 20, "{} are left", store.reader().size());
    }
}

#[test]
fn what_was_not_damaged_is_opened_whole() {
    damaged_never("untouched", |_| {});
    damaged_never("unused end zeroed", |log| {
        let path = database(log);
        let mut bytes = fs::read(&path).unwrap();
        let end = bytes.iter().rposition(|byte| *byte != 0).unwrap() + 1;
        bytes[end..].fill(0);
        fs::write(&path, bytes).unwrap();
    });
}

fn damaged_never(name: &str, change: impl Fn(&Path)) {
    let scratch = tempfile::tempdir().unwrap();
    for (log, state) in logs(scratch.path()).iter().zip(["killed", "closed"]) {
        let case = scratch.path().join("case");
        copy(log, &case);
        change(&case);
        assert!(!refused_or_whole(&case, name), "{name}, {state}: refused");
        fs::remove_dir_all(&case).unwrap();
    }
}
