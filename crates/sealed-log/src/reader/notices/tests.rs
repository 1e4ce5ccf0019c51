//! What the log says about itself is believed only where the log can have said it: its own chain has no gap, its own
//! producer, and names entries that are there. What verifies so, opens.
#![allow(clippy::unwrap_used)]

use crate::entry::Digest;
use crate::fixture::{Forged, archive, forged, key, own, play, verify};
use crate::keys::KeyRotation;
use crate::notice::{NoticeError, Redaction, encode_redaction, encode_rotation};
use crate::reader::{Expectations, FaultKind, LogReader, SealReport, Verdict};
use crate::store::StoreReader as _;
use crate::writer::{LogWriter, MemoryCheckpoint, OpenError, WriteError};
use tlog::note::SigningKey;

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
    LogWriter::open(store, MemoryCheckpoint::default(), key(), Some(&signed)).map(drop)
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
    let opened = LogWriter::open_with(store, MemoryCheckpoint::default(), vec![key(), other], Some(&signed));
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
    let mut writer = LogWriter::open(store, MemoryCheckpoint::default(), key(), Some(&signed)).unwrap();
    let first = Digest::of(&writer.store().read(0, 1).unwrap()[0]);
    let mut wrong = |payload: Vec<u8>| match writer.append_notice(payload, 0) {
        Err(WriteError::Notice(error)) => error,
        other => panic!("{other:?}"),
    };
    assert_eq!(wrong(erased(&[(2, first)])), NoticeError::NotBefore(2));
    assert_eq!(wrong(erased(&[(1, first)])), NoticeError::OtherDigest(1));
    assert_eq!(wrong(vec![0x82, 0x09, 0x00]), NoticeError::UnknownKind(9));
    assert!(matches!(wrong(b"nonsense".to_vec()), NoticeError::Form(_)));
    writer.append_notice(erased(&[(0, first)]), 0).unwrap();
    assert_eq!(writer.store().size(), 3);
}
