//! Logs that continue each other: made and closed again and again without harm, and never written behind their end.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::Path;

use sealed_log::notice::{NoticeError, Redaction, encode_redaction};
use sealed_log::store::StoreReader as _;
use sealed_log::writer::{OpenError, Submission, WriteError, succession};
use sealed_log_sled::{FolderError, LogFolder, Writer};
use tlog::checkpoint::SignedCheckpoint;
use tlog::note::SigningKey;

fn key(name: &str) -> SigningKey {
    SigningKey::from_seed(&format!("casino.example/{name}"), &[7; 32]).unwrap()
}

fn submission(n: u64) -> Submission {
    Submission {
        producer: "pit".parse().unwrap(),
        chain: "mesa-1".parse().unwrap(),
        first: n,
        count: 1,
        received_at: 0,
        payload: format!("event {n}").into_bytes(),
    }
}

fn append(mut writer: Writer, numbers: std::ops::Range<u64>) -> SignedCheckpoint {
    let submissions: Vec<Submission> = numbers.map(submission).collect();
    SignedCheckpoint::clone(&writer.append(&submissions).unwrap().signed)
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_log_is_continued_however_often_its_writer_begins() {
    let scratch = tempfile::tempdir().unwrap();
    let [first, second] = ["a", "b"].map(|name| LogFolder::new(&scratch.path().join(name)));
    let handed = append(first.open_writer(key("a")).unwrap(), 1..6);
    // Stopped before the notice: an empty log stands there.
    drop(second.open_writer(key("b")).unwrap());
    for _ in 0..2 {
        let writer = second.continue_log(vec![key("b")], &handed, 0).unwrap();
        assert_eq!(writer.reader().size(), 1);
    }
    let newest = append(second.continue_log(vec![key("b")], &handed, 0).unwrap(), 6..9);
    assert_eq!(newest.checkpoint().size, 4);
    let writer = second.continue_log(vec![key("b")], &handed, 0).unwrap();
    let begun = succession(writer.reader(), "casino.example/b").unwrap();
    assert_eq!(begun.continued.as_ref(), Some(&handed));
    drop(writer);
    // It goes on from this checkpoint and from no other.
    let refused = |outcome: Result<Writer, FolderError>| match outcome {
        Err(FolderError::Open { error, .. }) => *error,
        other => panic!("{other:?}"),
    };
    let later = append(first.open_writer(key("a")).unwrap(), 6..7);
    let other = refused(second.continue_log(vec![key("b")], &later, 0));
    assert!(matches!(other, OpenError::Write(WriteError::Notice(NoticeError::NotFirst))), "{other}");
    let begun_otherwise = refused(first.continue_log(vec![key("a")], &newest, 0));
    assert!(matches!(begun_otherwise, OpenError::Write(WriteError::Notice(NoticeError::NotFirst))));
}

#[test]
fn a_closed_log_is_not_opened_and_nothing_of_it_is_set_aside() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("a");
    let log = LogFolder::new(&path);
    assert!(matches!(
        log.close_log(
            vec![key("a")],
            &tlog::checkpoint::Checkpoint::of("casino.example/a", &Default::default()),
            None,
            0
        ),
        Err(FolderError::NoLog(_))
    ));
    let handed = append(log.open_writer(key("a")).unwrap(), 1..6);
    append(log.open_writer(key("a")).unwrap(), 6..8);
    let closed = log.close_log(vec![key("a")], handed.checkpoint(), Some("casino.example/b"), 0).unwrap();
    assert_eq!(closed.checkpoint().size, 8);
    let again = log.close_log(vec![key("a")], handed.checkpoint(), None, 0).unwrap();
    assert_eq!(again, closed, "a log is closed once");
    let before = names(&path);
    for _ in 0..3 {
        let Err(FolderError::Open { error, aside: None, .. }) = log.open_writer(key("a")) else {
            panic!("it was opened")
        };
        let OpenError::Closed { index: 7, successor } = *error else { panic!("{error}") };
        assert_eq!(successor.as_deref(), Some("casino.example/b"));
    }
    assert_eq!(names(&path), before, "the stop was clean each time");
    // A law may ask for an erasure at any time.
    let mut writer = log.open_even_closed(vec![key("a")]).unwrap();
    assert!(matches!(writer.append(&[submission(8)]), Err(WriteError::Closed)));
    let bytes = writer.reader().read(2, 1).unwrap().remove(0);
    let redaction = Redaction {
        entries: vec![(2, sealed_log::entry::Digest::of(&bytes))],
        reason: "art. 17".to_owned(),
        by: "dpo".to_owned(),
        countersigned_by: "director".to_owned(),
        gone_with_them: Vec::new(),
    };
    writer.append_notice(encode_redaction(&redaction).unwrap(), 0).unwrap();
    drop(writer);
    log.erase(&BTreeSet::from([2])).unwrap();
    let writer = log.open_even_closed(vec![key("a")]).unwrap();
    assert!(writer.is_closed());
    assert_eq!(writer.reader().size(), 9);
}
