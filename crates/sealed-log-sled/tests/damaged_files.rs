//! Damage to sled's files: what was acknowledged is all there and intact, or opening refuses.
//!
//! Trap: sled opens some damaged folders without a word and with entries missing.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::fs;
use std::path::{Path, PathBuf};

use sealed_log::store::contract::Dice;
use sealed_log::store::{StoreError, StoreReader, StoreWriter as _};
use sealed_log_sled::{LogFolder, SledStore};

use crate::support::{copy, files, key, read_all, submission};

/// A log written in appends of different sizes, and the entries it acknowledged. Two thirds of it
/// are older than sled's snapshot, so that opening alone does not read them.
fn make(folder: &Path, entries: u64) -> Vec<Vec<u8>> {
    let mut writer = LogFolder::new(folder).open_writer(key()).unwrap();
    let mut next = 0;
    while next < entries {
        if (next..next + 90).contains(&(entries * 2 / 3)) {
            drop(writer);
            writer = LogFolder::new(folder).open_writer(key()).unwrap();
        }
        let submissions: Vec<_> = (next..(next + 1 + next % 90).min(entries)).map(submission).collect();
        next += submissions.len() as u64;
        writer.append(&submissions).unwrap();
    }
    // As a hard stop would leave it: nothing is closed.
    let dead = folder.with_extension("dead");
    copy(folder, &dead);
    let all = read_all(writer.reader()).unwrap();
    drop(writer);
    all
}

#[derive(Debug, Clone, Copy)]
enum Damage {
    Flip(u64),
    Cut(u64),
    Zero(u64),
}

fn apply(file: &Path, damage: Damage) {
    let mut bytes = fs::read(file).unwrap();
    match damage {
        Damage::Flip(at) => bytes[at as usize] ^= 1 << (at % 8),
        Damage::Cut(at) => bytes.truncate(at as usize),
        Damage::Zero(at) => bytes[at as usize..].iter_mut().take(4_096).for_each(|byte| *byte = 0),
    }
    fs::write(file, bytes).unwrap();
}

/// Damages spread over all of a store's files, most of them where something was written.
fn damages(store: &Path, count: u64) -> Vec<(PathBuf, Damage)> {
    let mut dice = Dice::new(5);
    let mut damages = Vec::new();
    for file in files(store) {
        let bytes = fs::read(&file).unwrap();
        let written: Vec<u64> = (0..bytes.len() as u64).filter(|at| bytes[*at as usize] != 0).collect();
        let tries = if bytes.len() > 4_096 { count } else { count / 4 };
        for number in 0..tries.min(written.len() as u64 * 2) {
            let at = written[dice.below(written.len() as u64) as usize];
            let kinds = [Damage::Flip(at), Damage::Flip(at), Damage::Cut(at), Damage::Zero(at)];
            damages.push((file.strip_prefix(store).unwrap().to_owned(), kinds[(number % 4) as usize]));
        }
    }
    damages
}

/// Damages copies of a log; gives how many were refused and how many were whole.
fn damage_copies(
    log: &Path,
    all: &[Vec<u8>],
    count: u64,
    judge: fn(&Path, &[Vec<u8>]) -> bool,
) -> (u32, u32) {
    let scratch = tempfile::tempdir().unwrap();
    let (mut refused, mut whole) = (0, 0);
    for (file, damage) in damages(&log.join("store"), count) {
        let damaged = scratch.path().join("damaged");
        copy(log, &damaged);
        apply(&damaged.join("store").join(&file), damage);
        println!("{} {damage:?}", file.display());
        *if judge(&damaged, all) { &mut whole } else { &mut refused } += 1;
        fs::remove_dir_all(&damaged).unwrap();
    }
    (refused, whole)
}

#[test]
fn after_an_unclean_stop_damage_is_refused_or_nothing_is_missing() {
    let scratch = tempfile::tempdir().unwrap();
    let all = make(&scratch.path().join("log"), 6_000);
    let (refused, whole) = damage_copies(&scratch.path().join("log.dead"), &all, 100, |damaged, all| {
        match LogFolder::new(damaged).open_writer(key()) {
            Ok(writer) => {
                assert!(read_all(writer.reader()).unwrap() == all, "it opened with something else in it");
                true
            }
            Err(error) => {
                assert!(error.to_string().contains("store.before-1"), "{error}");
                false
            }
        }
    });
    println!("{refused} refused, {whole} whole");
    assert!(refused > 20 && whole > 0, "{refused} refused, {whole} whole");
}

#[test]
fn after_a_clean_stop_damage_is_refused_or_reported_when_it_is_read() {
    let scratch = tempfile::tempdir().unwrap();
    let log = scratch.path().join("log");
    let all = make(&log, 6_000);
    let (refused, whole) = damage_copies(&log, &all, 100, |damaged, all| {
        let Ok(writer) = LogFolder::new(damaged).open_writer(key()) else { return false };
        assert_eq!(writer.reader().size(), all.len() as u64, "it opened with entries missing");
        let mut reported = false;
        for (bytes, index) in all.iter().zip(0..) {
            match writer.reader().read(index, 1) {
                Ok(read) => assert!(read == [bytes.clone()], "entry {index} is another"),
                Err(StoreError::Damaged { .. } | StoreError::Disk(_)) => reported = true,
                Err(other) => panic!("{other}"),
            }
        }
        !reported
    });
    println!("{refused} refused or reported, {whole} whole");
    assert!(refused > 20 && whole > 0, "{refused} refused, {whole} whole");
}

// The inspector's way: no kept checkpoint is consulted, so it is the reader who reports a shorter store.
// There must be no panic, and never an entry that is not the one acknowledged at its index.
#[test]
fn a_damaged_store_never_gives_another_entry() {
    let scratch = tempfile::tempdir().unwrap();
    let all = make(&scratch.path().join("log"), 400);
    damage_copies(&scratch.path().join("log.dead"), &all, 100, |damaged, all| {
        let Ok(store) = SledStore::open(&damaged.join("store")) else { return false };
        let Ok(read) = read_all(store.reader()) else { return false };
        assert!(read[..] == all[..read.len()], "another entry");
        read.len() == all.len()
    });
}

#[test]
fn foreign_files_are_refused_and_not_panicked_at() {
    let scratch = tempfile::tempdir().unwrap();
    for (number, bytes) in
        [vec![0; 70_000], vec![0xff; 70_000], b"SQLite format 3\0".repeat(9_000)].iter().enumerate()
    {
        let log = scratch.path().join(number.to_string());
        drop(make(&log, 40));
        for file in files(&log.join("store")) {
            fs::write(file, bytes).unwrap();
        }
        LogFolder::new(&log).open_writer(key()).map(drop).unwrap_err();
    }
}
