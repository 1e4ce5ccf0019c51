//! What the log says about itself is believed only where the log can have said it: its own chain has no gap, its own
//! producer, and names entries that are there. What verifies so, opens.
#![allow(clippy::unwrap_used)]

use crate::entry::Digest;
use crate::fixture::{Forged, ORIGIN, archive, forged, key, own, play, verify};
use crate::keys::KeyRotation;
use crate::notice::{
    Closing, NoticeError, Redaction, encode_closing, encode_continuation, encode_redaction, encode_rotation,
};
use crate::reader::{Claimed, Expectations, FaultKind, LogReader, SealReport, Verdict};
use crate::store::{MemoryStore, StoreReader as _, StoreWriter as _, StoredEntry, WriteBatch};
use crate::writer::{LogWriter, MemoryCheckpoint, OpenError, WriteError};
use tlog::checkpoint::{Checkpoint, SignedCheckpoint};
use tlog::note::SigningKey;
use tlog::tree::Frontier;

/// The notice that entries were erased.
fn erased(entries: &[(u64, Digest)]) -> Vec<u8> {
    let redaction = Redaction {
        entries: entries.to_vec(),
        reason: "art. 17".to_owned(),
        by: "dpo".to_owned(),
        countersigned_by: "director".to_owned(),
        gone_with_them: Vec::new(),
    };
    encode_redaction(&redaction).unwrap()
}

/// The notice that the log's key is rotated, at an index.
fn rotated(size: u64, from: &SigningKey, to: u8) -> Vec<u8> {
    let to = SigningKey::from_seed(from.name(), &[to; 32]).unwrap();
    encode_rotation(&KeyRotation::make(from, &to, size).unwrap())
}

/// The digest of an entry of [`forged`], which does not change what comes after.
fn digest(entries: &[Forged<'_>], index: u64) -> Digest {
    let bytes = forged(entries).0.read(index, 1).unwrap().remove(0);
    crate::redaction::sealed_digest(&bytes)
}

/// Kinds and indexes of the faults, in the store and in an archive of it alike; the verdict of both.
fn judged(entries: &[Forged<'_>]) -> (Verdict, Vec<(FaultKind, Option<u64>)>, SealReport) {
    let (store, signed) = forged(entries);
    let of_store = verify(&store, &signed);
    let bytes = archive(&store, &signed, 3);
    let source = crate::archive::ArchiveSource::new(&*bytes).unwrap();
    let expectations = Expectations { verifier: Some(key().verifier_key()), anchors: Vec::new() };
    let mut reader = LogReader::new(source, expectations);
    while reader.next_window().unwrap().is_some() {}
    let of_archive = reader.finish();
    let found = |report: &SealReport| -> Vec<_> {
        report.faults.iter().map(|fault| (fault.kind, fault.index)).collect()
    };
    assert_eq!((of_store.intact, found(&of_store)), (of_archive.intact, found(&of_archive)));
    (of_store.intact, found(&of_store), of_store)
}

/// What opening the store for writing comes to.
fn opened(entries: &[Forged<'_>]) -> Result<(), OpenError> {
    let (store, signed) = forged(entries);
    LogWriter::open(MemoryStore::of(&store), MemoryCheckpoint::default(), key(), Some(&signed)).map(drop)
}

/// It is refused by verifier and writer alike, at this entry.
fn refused(entries: &[Forged<'_>], index: u64) {
    let (intact, found, report) = judged(entries);
    assert_eq!(
        (intact, &*found),
        (Verdict::No, &[(FaultKind::Notice, Some(index))][..]),
        "{:?}",
        report.faults
    );
    assert_eq!(report.faults[0].chain.as_deref(), Some("@log"));
    match opened(entries) {
        Err(OpenError::Notice { index: found, .. }) => assert_eq!(found, index),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_whole_chain_of_notices_verifies_and_opens() {
    let mut entries = vec![play(1), play(2), play(3)];
    let named = [(0, digest(&entries, 0)), (2, digest(&entries, 2))];
    entries.extend([own(1, erased(&named[..1])), play(4), own(2, erased(&named[1..])), play(5)]);
    (entries[0].redacted, entries[2].redacted) = (true, true);
    let (intact, _, report) = judged(&entries);
    assert_eq!(
        (intact, report.not_erased, report.notices.len()),
        (Verdict::Yes, 0, 2),
        "{:?}",
        report.faults
    );
    opened(&entries).unwrap();
    // Stopped between the notice and the erasure: the payload is there, and it is what the notice names.
    entries[2].redacted = false;
    let (intact, _, report) = judged(&entries);
    assert_eq!((intact, report.not_erased, report.withheld_entries), (Verdict::Yes, 1, vec![0]));
    opened(&entries).unwrap();
}

// A log whose own chain had a gap verified with 0, and restore, serve and ingest never came back from opening it.
#[test]
fn a_gap_in_the_own_chain_is_a_fault_at_the_entry_behind_it() {
    let payload = || erased(&[(0, digest(&[play(1)], 0))]);
    for wrong in [2, 3, 1 << 40, u64::MAX - 1] {
        refused(&[play(1), own(wrong, payload())], 1);
    }
    for wrong in [1, 3, u64::MAX - 1] {
        refused(&[play(1), own(1, payload()), play(2), own(wrong, payload())], 3);
    }
}

#[test]
fn notices_of_another_producer_or_of_several_positions_are_faults() {
    let payload = erased(&[(0, digest(&[play(1)], 0))]);
    for producer in ["pit", "audit-ingest", "Audit"] {
        refused(&[play(1), Forged { producer, ..own(1, payload.clone()) }], 1);
    }
    refused(&[play(1), Forged { count: 2, ..own(1, payload) }], 1);
}

#[test]
fn a_notice_names_entries_before_it_by_their_digests() {
    let before = [play(1), play(2)];
    let first = digest(&before, 0);
    for index in [2, 3, 4_000, u64::MAX] {
        refused(&[play(1), play(2), own(1, erased(&[(index, first)])), play(3)], 2);
    }
    // Another entry's digest: only who verifies reads every entry.
    let swapped = [play(1), play(2), own(1, erased(&[(1, first)]))];
    let (intact, found, report) = judged(&swapped);
    assert_eq!((intact, found), (Verdict::No, vec![(FaultKind::Notice, Some(2))]));
    assert!(
        report.faults[0].detail.to_string().contains("names entry 1 as erased, with a digest"),
        "{:?}",
        report.faults
    );
    // The same of an entry whose payload is gone: it is not accounted for either.
    let mut gone = [play(1), play(2), own(1, erased(&[(1, first)]))];
    gone[1].redacted = true;
    let (store, signed) = forged(&gone);
    let kinds: Vec<_> =
        verify(&store, &signed).faults.iter().map(|fault| (fault.kind, fault.index)).collect();
    assert_eq!(kinds, [(FaultKind::Notice, Some(2)), (FaultKind::Withheld, Some(1))]);
}

#[test]
fn a_notice_that_is_withheld_is_a_fault() {
    let mut entries = vec![play(1)];
    entries.push(own(1, erased(&[(0, digest(&entries, 0))])));
    let notice = digest(&entries, 1);
    entries.push(own(2, erased(&[(1, notice)])));
    entries[1].redacted = true;
    refused(&entries, 1);
}

#[test]
fn a_rotation_behind_a_gap_is_refused_though_both_keys_signed_it() {
    let other = SigningKey::from_seed(key().name(), &[9; 32]).unwrap();
    let (store, _) = forged(&[play(1), own(3, rotated(1, &key(), 9))]);
    let signed = tlog::checkpoint::SignedCheckpoint::sign(
        &tlog::checkpoint::Checkpoint::of(key().name(), &store.frontier()),
        &other,
    )
    .unwrap();
    let report = verify(&store, &signed);
    assert_eq!(report.intact, Verdict::No, "{:?}", report.faults);
    let opened = LogWriter::open_with(
        MemoryStore::of(&store),
        MemoryCheckpoint::default(),
        vec![key(), other],
        Some(&signed),
    );
    assert!(matches!(opened, Err(OpenError::Notice { index: 1, .. })));
}

// A newer program may note what this one does not know. Nothing is green by default.
#[test]
fn a_notice_of_an_unknown_kind_is_never_silently_fine() {
    let newer = |kind: u8| vec![0x82, kind, 0x00];
    let entries = [play(1), own(1, newer(9)), play(2)];
    let (intact, found, report) = judged(&entries);
    assert_eq!((intact, found, report.proof.is_none()), (Verdict::Unknown, Vec::new(), true));
    assert!(report.intact_unknown.unwrap().as_str().contains("of a kind that this program does not know"));
    // Recording goes on: what a table says is never turned away because of it.
    opened(&entries).unwrap();
    refused(&[play(1), own(2, newer(9))], 1);
}

#[test]
fn the_writer_notes_nothing_that_a_verifier_would_refuse() {
    let (store, signed) = forged(&[play(1), play(2)]);
    let mut writer =
        LogWriter::open(MemoryStore::of(&store), MemoryCheckpoint::default(), key(), Some(&signed)).unwrap();
    let first = Digest::of(&writer.reader().read(0, 1).unwrap()[0]);
    let mut wrong = |payload: Vec<u8>| match writer.append_notice(payload, 0) {
        Err(WriteError::Notice(error)) => error,
        other => panic!("{other:?}"),
    };
    assert_eq!(wrong(erased(&[(2, first)])), NoticeError::NotBefore(2));
    assert_eq!(wrong(erased(&[(1, first)])), NoticeError::OtherDigest(1));
    assert_eq!(wrong(vec![0x82, 0x09, 0x00]), NoticeError::UnknownKind(9));
    assert!(matches!(wrong(b"nonsense".to_vec()), NoticeError::Form(_)));
    writer.append_notice(erased(&[(0, first)]), 0).unwrap();
    assert_eq!(writer.reader().size(), 3);
}

/// The checkpoint of another log of this many entries.
fn of_another(origin: &str, size: u64) -> SignedCheckpoint {
    let key = SigningKey::from_seed(origin, &[8; 32]).unwrap();
    let mut frontier = Frontier::default();
    (0..size).for_each(|leaf| frontier.push_leaf([u8::try_from(leaf).unwrap(); 32]));
    SignedCheckpoint::sign(&Checkpoint::of(origin, &frontier), &key).unwrap()
}

fn continued(origin: &str) -> Vec<u8> {
    encode_continuation(&of_another(origin, 3)).unwrap()
}

/// The notice that closes a log after so many of these entries.
fn closed(entries: &[Forged<'_>], size: usize, successor: Option<&str>) -> Vec<u8> {
    let root = forged(&entries[..size]).0.frontier().root();
    encode_closing(&Closing { size: size as u64, root, successor: successor.map(str::to_owned) }).unwrap()
}

const NEXT: &str = "casino.example/sala/2";

#[test]
fn a_log_says_which_one_it_continues_and_that_it_is_closed() {
    let mut entries = vec![own(1, continued(NEXT)), play(1), play(2), play(3)];
    entries.push(own(2, closed(&entries, 3, Some("casino.example/sala/3"))));
    let (intact, _, report) = judged(&entries);
    assert_eq!(intact, Verdict::Yes, "{:?}", report.faults);
    assert_eq!(report.continued.unwrap().checkpoint(), of_another(NEXT, 3).checkpoint());
    let (index, closing) = report.closed.unwrap();
    assert_eq!((index, closing.size, closing.successor.as_deref()), (4, 3, Some("casino.example/sala/3")));
    match opened(&entries) {
        Err(OpenError::Closed { index: 4, successor: Some(successor) }) => {
            assert_eq!(successor, "casino.example/sala/3");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn only_the_first_entry_says_which_log_is_continued() {
    refused(&[play(1), own(1, continued(NEXT))], 1);
    refused(&[own(1, continued(NEXT)), own(2, continued(NEXT)), play(1)], 1);
    refused(&[own(1, continued(ORIGIN)), play(1)], 0);
}

#[test]
fn a_closing_names_entries_before_it_by_their_root() {
    let before = [play(1), play(2), play(3)];
    for size in 0..=3 {
        let (store, signed) = forged(&[play(1), play(2), play(3), own(1, closed(&before, size, None))]);
        assert_eq!(verify(&store, &signed).intact, Verdict::Yes, "{size}");
    }
    let root = forged(&before[..2]).0.frontier().root();
    let wrong = |size| encode_closing(&Closing { size, root, successor: None }).unwrap();
    refused(&[play(1), play(2), play(3), own(1, wrong(3))], 3);
    refused(&[play(1), play(2), play(3), own(1, wrong(1))], 3);
    refused(&[play(1), play(2), play(3), own(1, wrong(4))], 3);
    refused(&[play(1), play(2), play(3), own(1, wrong(u64::MAX))], 3);
    let itself = closed(&before, 2, Some(ORIGIN));
    refused(&[play(1), play(2), play(3), own(1, itself)], 3);
}

#[test]
fn nothing_stands_behind_a_closing_but_erasures() {
    let before = [play(1), play(2)];
    let closing = || own(1, closed(&before, 2, None));
    let first = digest(&before, 0);
    let erasure = |position| own(position, erased(&[(0, first)]));
    let (intact, _, report) = judged(&[play(1), play(2), closing(), erasure(2), erasure(3)]);
    assert_eq!(intact, Verdict::Yes, "{:?}", report.faults);
    let rotation = || own(2, rotated(3, &key(), 9));
    let again = || own(2, closed(&before, 1, None));
    for behind in [play(3), again(), own(2, continued(NEXT)), own(2, vec![0x82, 0x09, 0x00])] {
        let entries = [play(1), play(2), closing(), behind, play(4)];
        let (_, found, report) = judged(&entries);
        assert!(found.contains(&(FaultKind::Surplus, Some(3))), "{:?}", report.faults);
        assert_eq!(report.intact, Verdict::No);
        let surplus = found.iter().filter(|(kind, _)| *kind == FaultKind::Surplus);
        assert_eq!(surplus.count(), 1, "one fault for all that stands behind");
        assert!(matches!(opened(&entries), Err(OpenError::RightEdge { index: 3, .. })));
    }
    // The rotation is signed by both keys, and stands behind the end all the same.
    let (store, _) = forged(&[play(1), play(2), closing(), rotation()]);
    let other = SigningKey::from_seed(key().name(), &[9; 32]).unwrap();
    let signed = SignedCheckpoint::sign(&Checkpoint::of(ORIGIN, &store.frontier()), &other).unwrap();
    let report = verify(&store, &signed);
    let found: Vec<_> = report.faults.iter().map(|fault| (fault.kind, fault.index)).collect();
    assert_eq!(found, [(FaultKind::Surplus, Some(3))]);
    // Two erasures and one entry of a table between them.
    let (_, found, _) = judged(&[play(1), play(2), closing(), erasure(2), play(3), erasure(3)]);
    assert_eq!(found, [(FaultKind::Surplus, Some(4))]);
}

// The root is computed from what is remembered of the newest entries, and of the first ones.
#[test]
fn a_closing_far_behind_its_size_is_compared() {
    let (store, _) = crate::fixture::log(140_000);
    let roots = [0, 1, 69_999, 70_000, 139_999, 140_000];
    for size in roots {
        let right = crate::fixture::signed_at(&store, size).checkpoint().clone();
        for (root, intact) in [(right.root, Verdict::Yes), ([7; 32], Verdict::No)] {
            let mut frontier = store.frontier();
            let payload = encode_closing(&Closing { size, root, successor: None }).unwrap();
            let (one, _) = forged(&[own(1, payload)]);
            let bytes = one.read(0, 1).unwrap().remove(0);
            let digest = Digest::of(&bytes);
            frontier.push_leaf(digest.leaf_hash());
            let mut longer = MemoryStore::of(&store);
            let chain = crate::entry::ChainName::new("@log").unwrap();
            let entry = StoredEntry { bytes, digest, chain, first: 1, count: 1 };
            let batch = WriteBatch {
                first_index: 140_000,
                entries: vec![entry],
                frontier: frontier.clone(),
                signed: None,
            };
            longer.append(&batch).unwrap();
            let signed = SignedCheckpoint::sign(&Checkpoint::of(ORIGIN, &frontier), &key()).unwrap();
            let report = verify(longer.reader(), &signed);
            assert_eq!(report.intact, intact, "{size}: {:?}", report.faults);
        }
    }
}

#[test]
fn the_writer_continues_closes_and_then_takes_only_erasures() {
    let open = |store, kept: Option<&SignedCheckpoint>| {
        LogWriter::open(store, MemoryCheckpoint::default(), key(), kept)
    };
    let mut writer = open(crate::store::MemoryStore::new(), None).unwrap();
    let itself = writer.continue_from(&of_another(ORIGIN, 3), 0);
    assert!(matches!(itself, Err(WriteError::Notice(NoticeError::Itself(_)))));
    writer.continue_from(&of_another(NEXT, 3), 0).unwrap();
    let again = writer.continue_from(&of_another(NEXT, 3), 0);
    assert!(matches!(again, Err(WriteError::Notice(NoticeError::NotFirst))));
    let appended =
        writer.append(&[crate::fixture::submission(0, 1), crate::fixture::submission(1, 1)]).unwrap();
    let last = appended.signed.checkpoint().clone();
    let first = appended.entries[0].digest;
    writer.append(&[crate::fixture::submission(2, 1)]).unwrap();
    let wrong = Checkpoint { root: [7; 32], ..last.clone() };
    assert!(matches!(writer.close(&wrong, None, 0), Err(WriteError::Notice(NoticeError::ClosedRoot(3)))));
    let wrong = Checkpoint { size: 9, ..last.clone() };
    assert!(matches!(writer.close(&wrong, None, 0), Err(WriteError::Notice(NoticeError::ClosedBeyond(9)))));
    let itself = writer.close(&last, Some(ORIGIN), 0);
    assert!(matches!(itself, Err(WriteError::Notice(NoticeError::Itself(_)))));
    assert!(!writer.is_closed());
    writer.close(&last, Some("casino.example/sala/3"), 0).unwrap();
    assert!(matches!(writer.append(&[crate::fixture::submission(3, 1)]), Err(WriteError::Closed)));
    assert!(matches!(writer.close(&last, None, 0), Err(WriteError::Closed)));
    let new = SigningKey::from_seed(ORIGIN, &[9; 32]).unwrap();
    assert!(matches!(writer.rotate(new, 0), Err(WriteError::Closed)));
    assert!(writer.is_closed() && !writer.is_stopped());
    writer.append_notice(erased(&[(1, first)]), 0).unwrap();
    let (store, sink) = writer.into_parts();
    let kept = sink.newest.unwrap();
    let report = verify(store.reader(), &kept);
    assert_eq!((report.intact, report.size), (Verdict::Yes, 6), "{:?}", report.faults);
    assert!(matches!(open(store.clone(), Some(&kept)), Err(OpenError::Closed { index: 4, .. })));
    let erasing =
        LogWriter::open_even_closed(store, MemoryCheckpoint::default(), vec![key()], Some(&kept)).unwrap();
    assert!(erasing.is_closed());
}

// What another log states of this one accuses nobody: whoever wrote that log may have invented it.
#[test]
fn what_other_logs_state_is_no_fault_of_this_one() {
    let (store, signed) = crate::fixture::log(300);
    let other = SigningKey::from_seed(ORIGIN, &[9; 32]).unwrap();
    let at = |size| crate::fixture::signed_at(&store, size);
    let forked = Checkpoint { root: [7; 32], ..at(200).checkpoint().clone() };
    let beyond = Checkpoint { size: 301, ..signed.checkpoint().clone() };
    let claims = vec![
        at(0),
        at(120),
        at(300),
        SignedCheckpoint::sign(&forked, &key()).unwrap(),
        SignedCheckpoint::sign(&forked, &other).unwrap(),
        SignedCheckpoint::sign(at(120).checkpoint(), &other).unwrap(),
        SignedCheckpoint::sign(&beyond, &key()).unwrap(),
        of_another(NEXT, 3),
    ];
    let expectations = Expectations { verifier: Some(key().verifier_key()), anchors: Vec::new() };
    let source = crate::reader::StoreSource::new(&store, Some(signed), None);
    let mut reader = LogReader::with_claims(source, expectations, claims);
    while reader.next_window().unwrap().is_some() {}
    let report = reader.finish();
    let came_to: Vec<Claimed> = report.claimed.iter().map(|(_, came_to)| *came_to).collect();
    let expected = [
        Claimed::Extended,
        Claimed::Extended,
        Claimed::Extended,
        Claimed::Refuted,
        Claimed::NotSigned,
        Claimed::NotSigned,
        Claimed::Beyond,
        Claimed::OfAnotherLog,
    ];
    assert_eq!(came_to, expected);
    assert_eq!((report.intact, report.anchored, report.fault_count), (Verdict::Yes, Verdict::Unknown, 0));
}
