//! Payloads that are erased are gone, everything else is as it was, and the log goes on.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use sealed_log::notice::{Redaction, encode_redaction};
use sealed_log::reader::{Expectations, FaultKind, LogReader, SealReport, StoreSource, Verdict};
use sealed_log::redaction::{parse_kept, sealed_digest};
use sealed_log::store::{StoreReader, StoreWriter as _};
use sealed_log_sled::{FolderError, LogFolder};

use crate::support::{key, submission};

const MARK: &[u8] = b"player-4711-was-here";

/// A log of `size` entries; the payload of number 13 and of the newest hold a mark.
fn log(folder: &Path, size: u64) {
    let mut writer = LogFolder::new(folder).open_writer(key()).unwrap();
    let marked = |index| {
        let mut submission = submission(index);
        if index == 13 || index + 1 == size {
            submission.payload = MARK.to_vec();
        }
        submission
    };
    let submissions: Vec<_> = (0..size).map(marked).collect();
    submissions.chunks(100).for_each(|some| drop(writer.append(some).unwrap()));
}

fn verify(folder: &Path) -> SealReport {
    let scratch = tempfile::tempdir().unwrap();
    let (store, signed) = LogFolder::new(folder).private_copy(scratch.path()).unwrap();
    let expectations = Expectations { verifier: Some(key().verifier_key()), anchors: Vec::new() };
    let mut reader = LogReader::new(StoreSource::new(store.reader(), signed, None), expectations);
    while reader.next_window().unwrap().is_some() {}
    reader.finish()
}

fn notice(folder: &Path, indexes: &[u64]) {
    let mut writer = LogFolder::new(folder).open_writer(key()).unwrap();
    let digest = |index: u64| sealed_digest(&writer.reader().read(index, 1).unwrap()[0]);
    let redaction = Redaction {
        entries: indexes.iter().map(|&index| (index, digest(index))).collect(),
        reason: "test".to_owned(),
        by: "one".to_owned(),
        countersigned_by: "other".to_owned(),
        gone_with_them: Vec::new(),
    };
    writer.append_notice(encode_redaction(&redaction).unwrap(), 0).unwrap();
}

fn holds_mark(folder: &Path) -> bool {
    fs::read_dir(folder).unwrap().flatten().any(|entry| {
        let path = entry.path();
        if path.is_dir() {
            holds_mark(&path)
        } else {
            fs::read(&path).unwrap().windows(MARK.len()).any(|bytes| bytes == MARK)
        }
    })
}

#[test]
fn what_is_erased_is_gone_and_the_rest_is_as_it_was() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("log");
    log(&folder, 700);
    assert!(holds_mark(&folder), "the newest entries are kept as they come");
    notice(&folder, &[13, 300, 699]);
    assert_eq!(verify(&folder).not_erased, 3);
    let before = verify(&folder).root;
    LogFolder::new(&folder).erase(&BTreeSet::from([13, 300, 699])).unwrap();
    assert!(!holds_mark(&folder));
    let report = verify(&folder);
    assert_eq!((report.intact, report.root), (Verdict::Yes, before), "{:?}", report.faults);
    assert_eq!((report.withheld_entries, report.not_erased), (vec![13, 300, 699], 0));

    let mut writer = LogFolder::new(&folder).open_writer(key()).unwrap();
    for index in 0..writer.reader().size() {
        let bytes = writer.reader().read(index, 1).unwrap().remove(0);
        assert_eq!(parse_kept(&bytes).unwrap().withheld.is_some(), [13, 300, 699].contains(&index));
    }
    writer.append(&[submission(700)]).unwrap();
    drop(writer);
    assert_eq!(verify(&folder).intact, Verdict::Yes);
}

#[test]
fn what_is_gone_without_a_notice_is_a_fault() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("log");
    log(&folder, 300);
    notice(&folder, &[7]);
    LogFolder::new(&folder).erase(&BTreeSet::from([7, 20])).unwrap();
    let report = verify(&folder);
    assert_eq!(report.intact, Verdict::No);
    let faults: Vec<_> = report.faults.iter().map(|fault| (fault.kind, fault.index)).collect();
    assert_eq!(faults, [(FaultKind::Withheld, Some(20))]);
}

#[test]
fn an_erasure_that_stopped_is_begun_anew() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("log");
    log(&folder, 300);
    notice(&folder, &[13]);
    // Before the two stores were exchanged a part of the new one is left, after it the old one.
    for leftover in ["partial", "whole"] {
        let left = folder.join("store.erasing");
        fs::create_dir(&left).unwrap();
        fs::write(left.join("db"), leftover).unwrap();
        LogFolder::new(&folder).erase(&BTreeSet::from([13])).unwrap();
        assert!(!left.exists());
        assert_eq!(verify(&folder).intact, Verdict::Yes);
    }
    fs::create_dir(folder.join("store.erasing")).unwrap();
    drop(LogFolder::new(&folder).open_writer(key()).unwrap());
    assert!(!folder.join("store.erasing").exists(), "a start takes away what is left");
}

#[test]
fn a_log_that_is_written_or_was_not_closed_is_not_erased() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("log");
    log(&folder, 30);
    let writer = LogFolder::new(&folder).open_writer(key()).unwrap();
    let erase = || LogFolder::new(&folder).erase(&BTreeSet::from([3]));
    assert!(matches!(erase(), Err(FolderError::Busy(_))));
    drop(writer);
    fs::write(folder.join("running"), "").unwrap();
    assert!(matches!(erase(), Err(FolderError::Unclean(_))));
    drop(LogFolder::new(&folder).open_writer(key()).unwrap());
    assert_eq!(erase().unwrap(), Vec::<std::path::PathBuf>::new());
}
