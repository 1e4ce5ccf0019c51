//! Starting after a clean stop, an unclean one, beside another writer, and with the wrong store.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use sealed_log::store::StoreReader;
use sealed_log_sled::{FileTrouble, FolderError, LogFolder, WhatIsWrong, Writer};

use crate::support::{copy, files, key, read_all, submission};

fn open(folder: &Path) -> Result<Writer, FolderError> {
    LogFolder::new(folder).open_writer(key())
}

fn write(writer: &mut Writer, count: u64) {
    let from = writer.reader().size();
    let submissions: Vec<_> = (from..from + count).map(submission).collect();
    writer.append(&submissions).unwrap();
}

fn copies(folder: &Path) -> Vec<PathBuf> {
    let names = fs::read_dir(folder).unwrap().map(|item| item.unwrap().path());
    names.filter(|path| path.file_name().unwrap().to_string_lossy().starts_with("store.")).collect()
}

/// A log of `count` entries as a hard stop leaves it.
fn killed(scratch: &Path, count: u64) -> PathBuf {
    let (alive, dead) = (scratch.join("alive"), scratch.join("dead"));
    let mut writer = open(&alive).unwrap();
    write(&mut writer, count);
    copy(&alive, &dead);
    dead
}

/// Damages the store so that sled cannot give all of it back.
fn cut(folder: &Path) {
    let db = fs::OpenOptions::new().write(true).open(folder.join("store/db")).unwrap();
    db.set_len(0).unwrap();
}

#[test]
fn a_clean_stop_leaves_no_mark_and_an_unclean_one_does() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("log");
    let mut writer = open(&folder).unwrap();
    assert!(folder.join("running").exists(), "it says so while it runs");
    write(&mut writer, 10);
    drop(writer);
    assert!(!folder.join("running").exists(), "a clean close takes the mark away");
    let mut names: Vec<_> =
        fs::read_dir(&folder).unwrap().map(|item| item.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["checkpoint", "head", "store"]);
    let text = fs::read_to_string(folder.join("checkpoint")).unwrap();
    assert!(text.starts_with("casino.example/test\n10\n"), "the newest checkpoint as text: {text}");
}

#[test]
fn after_an_unclean_stop_all_is_there_and_the_copy_goes() {
    let scratch = tempfile::tempdir().unwrap();
    let dead = killed(scratch.path(), 500);
    assert!(dead.join("running").exists());
    let mut writer = open(&dead).unwrap();
    assert_eq!(writer.reader().size(), 500);
    assert!(copies(&dead).is_empty(), "the copy goes once all agrees");
    write(&mut writer, 3);
    drop(writer);
    assert!(!dead.join("running").exists());
    assert_eq!(open(&dead).unwrap().reader().size(), 503);
}

// Trap: sled takes the snapshot it was writing when it was stopped for a damaged one.
#[test]
fn a_snapshot_half_written_does_not_keep_the_store_closed() {
    let scratch = tempfile::tempdir().unwrap();
    let dead = killed(scratch.path(), 500);
    for half in [&b""[..], b"half a snapshot that was never whole"] {
        fs::write(dead.join("store/snap.FFFFFFFFFFFFFFF0.generating"), half).unwrap();
        assert_eq!(open(&dead).unwrap().reader().size(), 500);
    }
}

#[test]
fn a_store_found_damaged_is_set_aside_once_and_named() {
    let scratch = tempfile::tempdir().unwrap();
    let dead = killed(scratch.path(), 500);
    cut(&dead);
    let found: Vec<_> = files(&dead.join("store")).iter().map(|file| fs::read(file).unwrap()).collect();
    for _ in 0..3 {
        let message = open(&dead).unwrap_err().to_string();
        assert!(message.contains("store.before-1"), "{message}");
        assert_eq!(copies(&dead), [dead.join("store.before-1")], "one copy, however often it is tried");
        let kept: Vec<_> =
            files(&dead.join("store.before-1")).iter().map(|file| fs::read(file).unwrap()).collect();
        assert!(kept == found, "the copy is the store as it was found");
        assert!(dead.join("running").exists(), "a start that failed is no clean stop");
    }
}

#[test]
fn a_store_put_back_sound_opens_and_the_copy_goes() {
    let scratch = tempfile::tempdir().unwrap();
    let dead = killed(scratch.path(), 500);
    let backup = scratch.path().join("backup");
    copy(&dead.join("store"), &backup);
    cut(&dead);
    open(&dead).unwrap_err();
    fs::remove_dir_all(dead.join("store")).unwrap();
    copy(&backup, &dead.join("store"));
    assert_eq!(open(&dead).unwrap().reader().size(), 500);
    assert!(copies(&dead).is_empty());
}

#[test]
fn a_copy_that_was_cut_short_is_made_anew() {
    let scratch = tempfile::tempdir().unwrap();
    let dead = killed(scratch.path(), 50);
    fs::create_dir(dead.join("store.partial-copy")).unwrap();
    fs::write(dead.join("store.partial-copy/db"), b"half").unwrap();
    assert_eq!(open(&dead).unwrap().reader().size(), 50);
    assert!(copies(&dead).is_empty());
}

#[test]
fn a_second_writer_is_refused_and_makes_no_copy() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("log");
    let mut writer = open(&folder).unwrap();
    write(&mut writer, 10);
    let message = open(&folder).unwrap_err().to_string();
    assert!(message.contains("is being written by another process"), "{message}");
    assert!(copies(&folder).is_empty());
    write(&mut writer, 10);
    drop(writer);
    assert_eq!(open(&folder).unwrap().reader().size(), 20);
}

// Sled's own lock is the second net, under the lock on `running`.
#[test]
fn a_store_open_elsewhere_is_refused_by_name() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("log");
    let _writer = open(&folder).unwrap();
    let error = sealed_log_sled::SledStore::open(&folder.join("store")).unwrap_err().to_string();
    assert!(error.contains("is being written by another process"), "{error}");
}

#[test]
fn a_shorter_store_an_absent_one_and_another_one_are_refused() {
    let scratch = tempfile::tempdir().unwrap();
    let (folder, other) = (scratch.path().join("log"), scratch.path().join("other"));
    let mut writer = open(&folder).unwrap();
    write(&mut writer, 300);
    drop(writer);
    let old = scratch.path().join("old");
    copy(&folder.join("store"), &old);
    let mut writer = open(&folder).unwrap();
    write(&mut writer, 20);
    drop(writer);
    let refused = |what: &str| {
        let message = open(&folder).unwrap_err().to_string();
        assert!(message.contains(what) && message.contains("restore"), "{message}");
    };
    let put = |from: &Path| {
        fs::remove_dir_all(folder.join("store")).unwrap();
        copy(from, &folder.join("store"));
    };
    put(&old);
    refused("holds 300 entries but 320 were signed for");
    fs::remove_dir_all(folder.join("store")).unwrap();
    refused("holds 0 entries but 320 were signed for");
    assert!(!folder.join("store").exists(), "nothing is made where something is missing");
    fs::create_dir(folder.join("store")).unwrap();
    refused("holds 0 entries but 320 were signed for");
    let mut writer = open(&other).unwrap();
    let shifted: Vec<_> = (0..330).map(|index| submission(index + 1_000)).collect();
    writer.append(&shifted).unwrap();
    drop(writer);
    put(&other.join("store"));
    refused("do not give the root that was signed for them");
}

#[test]
fn a_missing_or_illegible_checkpoint_is_reported_by_its_file() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("log");
    let mut writer = open(&folder).unwrap();
    write(&mut writer, 3);
    drop(writer);
    let signed = fs::read(folder.join("checkpoint")).unwrap();
    fs::remove_file(folder.join("checkpoint")).unwrap();
    assert_eq!(open(&folder).unwrap().signed_checkpoint().checkpoint().size, 3, "it stands in `head` too");
    let slots = fs::read(folder.join("head")).unwrap();
    fs::write(folder.join("head"), vec![b'x'; slots.len()]).unwrap();
    let message = open(&folder).unwrap_err().to_string();
    assert!(message.contains("head: none of its three slots holds a checkpoint; put it back"), "{message}");
    fs::remove_file(folder.join("head")).unwrap();
    fs::remove_file(folder.join("checkpoint")).unwrap();
    let message = open(&folder).unwrap_err().to_string();
    assert!(message.contains("the newest signed checkpoint is missing"), "{message}");
    for spoilt in [&b""[..], b"\xff\xfe", &signed[..signed.len() - 9], &vec![b'x'; 1 << 20]] {
        fs::write(folder.join("checkpoint"), spoilt).unwrap();
        let message = open(&folder).unwrap_err().to_string();
        assert!(message.contains("checkpoint"), "{message}");
        assert!(message.contains("put the right checkpoint file back"), "{message}");
    }
    fs::write(folder.join("checkpoint"), signed).unwrap();
    assert_eq!(read_all(open(&folder).unwrap().reader()).unwrap().len(), 3);
}

#[test]
fn the_text_is_the_newest_checkpoint_once_the_log_was_opened() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("log");
    let text = || fs::read_to_string(folder.join("checkpoint")).unwrap();
    let mut writer = open(&folder).unwrap();
    write(&mut writer, 3);
    drop(writer);
    let older = text();
    let mut writer = open(&folder).unwrap();
    write(&mut writer, 2);
    drop(writer);
    let newest = text();
    assert_ne!(older, newest);
    // A kill before the text was written, and damage: both are mended by a start.
    for spoilt in [older.as_bytes(), b"", b"\xff\xfe"] {
        fs::write(folder.join("checkpoint"), spoilt).unwrap();
        assert_eq!(LogFolder::new(&folder).signed_checkpoint().unwrap().unwrap().checkpoint().size, 5);
        drop(open(&folder).unwrap());
        assert_eq!(text(), newest);
    }
}

#[test]
fn two_checkpoints_of_one_size_that_one_key_signed_are_two_histories() {
    let scratch = tempfile::tempdir().unwrap();
    let (one, two) = (scratch.path().join("one"), scratch.path().join("two"));
    for (folder, skipped) in [(&one, 0), (&two, 1)] {
        let mut writer = open(folder).unwrap();
        writer.append(&[submission(skipped), submission(skipped + 1)]).unwrap();
    }
    fs::copy(two.join("checkpoint"), one.join("checkpoint")).unwrap();
    let message = open(&one).unwrap_err().to_string();
    assert!(message.contains("two histories were signed"), "{message}");
    let known = LogFolder::new(&one).with_keys(vec![key().verifier_key()]);
    assert!(matches!(known.signed_checkpoint(), Err(FolderError::Contradiction(_))));
    // Without a key nobody is accused.
    let differs = trouble("checkpoint", WhatIsWrong::Differs, Some("head"));
    assert_eq!(LogFolder::new(&one).troubles().unwrap(), [differs]);
}

fn trouble(file: &'static str, what: WhatIsWrong, used: Option<&'static str>) -> FileTrouble {
    FileTrouble { file, what, used }
}

/// The checkpoint is the one that was signed, whatever byte of either file is another; and that is reported, unless the
/// byte is one that nobody reads.
#[test]
fn no_altered_byte_of_either_checkpoint_accuses_anyone_or_passes_in_silence() {
    let scratch = tempfile::tempdir().unwrap();
    let log = scratch.path().join("log");
    let mut writer = open(&log).unwrap();
    for number in 0..4 {
        writer.append(&[submission(number)]).unwrap();
    }
    drop(writer);
    let known = LogFolder::new(&log).with_keys(vec![key().verifier_key()]);
    let signed = known.signed_checkpoint().unwrap().unwrap();
    assert_eq!(known.troubles().unwrap(), []);
    let mut kinds = std::collections::BTreeSet::new();
    for name in ["head", "checkpoint"] {
        let path = log.join(name);
        let whole = fs::read(&path).unwrap();
        // In place: some file systems flush a file that is written anew.
        let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
        for (at, byte) in whole.iter().enumerate() {
            file.write_all_at(&[byte ^ (1 << (at % 8))], at as u64).unwrap();
            let (found, troubles) = known.checkpoint_beside().unwrap();
            assert_eq!(found.unwrap().checkpoint(), signed.checkpoint(), "byte {at} of {name}");
            // A text in a slot is followed by zeros that are not read.
            let is_read = name == "checkpoint" || whole[at] != 0 || at % 4_096 < 4;
            assert!(!is_read || !troubles.is_empty(), "byte {at} of {name}");
            assert!(troubles.iter().all(|trouble| trouble.file == name), "{troubles:?}");
            kinds.extend(troubles.iter().map(ToString::to_string));
            file.write_all_at(&[*byte], at as u64).unwrap();
        }
    }
    let kinds: Vec<&str> = kinds.iter().map(String::as_str).collect();
    assert_eq!(
        kinds,
        [
            "`checkpoint` cannot be read, or a part of it cannot; `head` was used",
            "`checkpoint` is not signed by the log's key; `head` was used",
            "`checkpoint` was altered: its signature does not hold; `head` was used",
            "`head` cannot be read, or a part of it cannot",
            "`head` cannot be read, or a part of it cannot; `checkpoint` was used",
        ]
    );
    // Such a log opens, and what was altered is written anew.
    fs::write(log.join("checkpoint"), signed.text().replace("\n4\n", "\n5\n")).unwrap();
    drop(open(&log).unwrap());
    assert_eq!(fs::read_to_string(log.join("checkpoint")).unwrap(), signed.text());
}

#[test]
fn a_file_that_is_missing_is_named_with_the_one_used_in_its_place() {
    let scratch = tempfile::tempdir().unwrap();
    let log = scratch.path().join("log");
    let mut writer = open(&log).unwrap();
    writer.append(&[submission(0)]).unwrap();
    drop(writer);
    let known = LogFolder::new(&log).with_keys(vec![key().verifier_key()]);
    let missing = |file, used| trouble(file, WhatIsWrong::Missing, used);
    for (file, expected) in [
        ("head", missing("head", Some("checkpoint"))),
        ("checkpoint", missing("checkpoint", Some("head"))),
        ("store/conf", missing("store/conf", None)),
    ] {
        let whole = fs::read(log.join(file)).unwrap();
        fs::remove_file(log.join(file)).unwrap();
        assert_eq!(known.troubles().unwrap(), [expected]);
        fs::write(log.join(file), whole).unwrap();
    }
    fs::remove_file(log.join("head")).unwrap();
    fs::remove_file(log.join("checkpoint")).unwrap();
    assert_eq!(known.troubles().unwrap(), [missing("head", None), missing("checkpoint", None)]);
}

#[test]
fn what_is_no_file_is_not_waited_for() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("log");
    drop(open(&folder).unwrap());
    for name in ["head", "checkpoint"] {
        let path = folder.join(name);
        let kept = fs::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        let signed = LogFolder::new(&folder).signed_checkpoint();
        assert!(name == "checkpoint" || signed.unwrap_err().to_string().contains("it is no file"), "{name}");
        fs::remove_file(&path).unwrap();
        fs::write(&path, kept).unwrap();
    }
}
