//! Slices and withheld payloads: what is there is proven, what is not is reported, nothing is mistaken.
#![allow(clippy::unwrap_used)]

use crate::archive::{ArchiveSource, ArchiveWriteError, write_archive, write_slice};
use crate::fixture::{key, log, signed_at};
use crate::reader::{Expectations, FaultKind, LogReader, SealReport, Verdict};
use crate::redaction::{redact_entry, sealed_digest};
use crate::store::{MemoryReader, MemoryStore, StoreNodes, StoreReader, StoreWriter as _};
use std::collections::{BTreeMap, BTreeSet};
use tlog::checkpoint::SignedCheckpoint;
use tlog::tree::TreeHash;

fn kept(store: &MemoryReader, indexes: &[u64]) -> BTreeMap<u64, Vec<u8>> {
    indexes.iter().map(|&index| (index, store.read(index, 1).unwrap().remove(0))).collect()
}

fn slice(store: &MemoryReader, signed: &SignedCheckpoint, indexes: &[u64]) -> Vec<u8> {
    let key = key().verifier_key();
    write_slice(Vec::new(), &StoreNodes(store), signed, Some(&key), &kept(store, indexes)).unwrap().0
}

#[derive(Debug)]
struct Shown {
    index: u64,
    withheld: bool,
    after_left_out: bool,
}

fn read(bytes: &[u8], anchors: Vec<SignedCheckpoint>) -> Option<(SealReport, Vec<Shown>)> {
    let expectations = Expectations { verifier: Some(key().verifier_key()), anchors };
    let mut reader = LogReader::new(ArchiveSource::new(bytes).ok()?, expectations);
    let mut shown = Vec::new();
    while let Some(window) = reader.next_window().unwrap() {
        shown.extend(window.entries().map(|entry| Shown {
            index: entry.index,
            withheld: entry.withheld,
            after_left_out: entry.after_left_out,
        }));
    }
    Some((reader.finish(), shown))
}

#[test]
fn a_slice_proves_what_it_holds_and_counts_what_it_does_not() {
    for size in [1, 2, 3, 255, 256, 257, 700] {
        let (store, signed) = log(size);
        for indexes in [vec![], vec![0], vec![size - 1], vec![0, size / 2], (0..size).collect::<Vec<_>>()] {
            let indexes: BTreeSet<u64> = indexes.into_iter().collect();
            let indexes: Vec<u64> = indexes.into_iter().collect();
            let (report, shown) = read(&slice(&store, &signed, &indexes), Vec::new()).unwrap();
            assert_eq!(report.intact, Verdict::Yes, "{indexes:?} of {size}: {:?}", report.faults);
            assert_eq!((report.size, report.left_out), (size, size - indexes.len() as u64));
            assert_eq!(report.proof.unwrap().not_shown(), report.left_out);
            assert!(shown.iter().map(|entry| entry.index).eq(indexes), "{shown:?}");
        }
    }
}

#[test]
fn only_a_chain_that_lost_entries_is_said_to_have_lost_them() {
    // Three chains in turn: 3 and 6 follow each other on theirs, 9 is left out before 12.
    let (store, signed) = log(20);
    let (_, shown) = read(&slice(&store, &signed, &[0, 1, 3, 6, 12, 13]), Vec::new()).unwrap();
    let after: Vec<u64> =
        shown.iter().filter(|entry| entry.after_left_out).map(|entry| entry.index).collect();
    assert_eq!(after, [12, 13]);
}

#[test]
fn every_damaged_byte_of_a_slice_is_noticed() {
    let (store, signed) = log(40);
    let bytes = slice(&store, &signed, &[3, 4, 20, 33]);
    for at in 0..bytes.len() {
        for flip in [1, 0x80, 0xff] {
            let mut bent = bytes.clone();
            bent[at] ^= flip;
            let intact = read(&bent, Vec::new()).map_or(Verdict::No, |(report, _)| report.intact);
            assert_eq!(intact, Verdict::No, "byte {at}, flip {flip:#x}");
        }
    }
    for length in 0..bytes.len() {
        let intact = read(&bytes[..length], Vec::new()).map_or(Verdict::No, |(report, _)| report.intact);
        assert_eq!(intact, Verdict::No, "cut at {length}");
    }
}

#[test]
fn an_entry_that_is_not_the_logs_does_not_fit_in() {
    let (store, signed) = log(40);
    let (other, _) = log(41);
    let mut forged = kept(&store, &[3, 20]);
    forged.insert(20, other.read(23, 1).unwrap().remove(0));
    let key = key().verifier_key();
    let written = write_slice(Vec::new(), &StoreNodes(&store), &signed, Some(&key), &forged);
    assert!(matches!(written, Err(ArchiveWriteError::NotTheSigned { size: 40, .. })));
}

#[test]
fn an_anchor_among_what_is_left_out_is_neither_kept_nor_broken() {
    let (store, signed) = log(300);
    let bytes = slice(&store, &signed, &[100, 101]);
    let anchored = |size| read(&bytes, vec![signed_at(&store, size)]).unwrap().0.anchored;
    assert_eq!([anchored(300), anchored(100), anchored(101), anchored(102)], [Verdict::Yes; 4]);
    assert_eq!([anchored(99), anchored(103), anchored(250)], [Verdict::Unknown; 3]);
    let (other, _) = log(301);
    let forked = signed_at(&other, 301);
    assert_eq!(read(&bytes, vec![forked]).unwrap().0.anchored, Verdict::No);
}

#[test]
fn a_withheld_payload_leaves_everything_else_proven() {
    let (store, signed) = log(700);
    let withhold = BTreeSet::from([0, 5, 300, 699]);
    let (bytes, summary) =
        write_archive(Vec::new(), &store, &signed, &key().verifier_key(), &withhold).unwrap();
    assert_eq!((summary.entries, summary.withheld, summary.left_out), (700, 4, 0));
    let (report, shown) = read(&bytes, Vec::new()).unwrap();
    assert_eq!(report.intact, Verdict::Yes, "{:?}", report.faults);
    assert_eq!(report.withheld_entries, [0, 5, 300, 699]);
    assert_eq!(report.proof.unwrap().not_shown(), 4);
    assert!(shown.iter().all(|entry| entry.withheld == withhold.contains(&entry.index)));
    assert!(!bytes.windows(9).any(|bytes| bytes == b"event 300"));
}

#[test]
fn a_redacted_entry_of_something_else_is_noticed() {
    let (store, signed) = log(40);
    let (other, _) = log(41);
    let entries = store.read(0, 40).unwrap();
    for (index, wrong) in [(7, entries[8].clone()), (7, other.read(7 + 3, 1).unwrap().remove(0))] {
        let mut forged = kept(&store, &(0..40).collect::<Vec<_>>());
        forged.insert(index, redact_entry(&wrong).unwrap());
        let mut writer = crate::archive::ArchiveWriter::new(Vec::new(), None, None).unwrap();
        forged.values().for_each(|bytes| writer.push(bytes).unwrap());
        let bytes = writer.finish().unwrap().0;
        let source = ArchiveSource::new(&bytes[..]).unwrap();
        let anchors = vec![signed.clone()];
        let mut reader =
            LogReader::new(source, Expectations { verifier: Some(key().verifier_key()), anchors });
        while reader.next_window().unwrap().is_some() {}
        let report = reader.finish();
        assert_eq!(report.anchored, Verdict::No);
        assert!(report.faults.iter().any(|fault| fault.kind == FaultKind::Link), "{:?}", report.faults);
    }
}

#[test]
fn a_log_goes_on_where_entries_were_erased() {
    let (store, signed) = log(300);
    let mut erased = MemoryStore::new();
    let mut frontier = tlog::tree::Frontier::default();
    let entries: Vec<crate::store::StoredEntry> = (0..300)
        .map(|index| {
            let bytes = store.read(index, 1).unwrap().remove(0);
            let bytes = if index % 7 == 0 { redact_entry(&bytes).unwrap() } else { bytes };
            let view = crate::redaction::parse_kept(&bytes).unwrap().view;
            let (chain, first, count) =
                (crate::entry::ChainName::new(view.chain).unwrap(), view.first, view.count);
            crate::store::StoredEntry { digest: sealed_digest(&bytes), bytes, chain, first, count }
        })
        .collect();
    let leaves: Vec<TreeHash> = entries.iter().map(|entry| entry.digest.leaf_hash()).collect();
    frontier.extend(&leaves);
    erased.append(&crate::store::WriteBatch { first_index: 0, entries, frontier, signed: None }).unwrap();
    assert_eq!(crate::writer::check_store(&erased, Some(&signed), &key().verifier_key()).unwrap().ahead, 0);
}

#[test]
fn archives_of_version_1_are_read() {
    let (store, signed) = log(30);
    let mut bytes =
        write_archive(Vec::new(), &store, &signed, &key().verifier_key(), &BTreeSet::new()).unwrap().0;
    bytes[11] = 1;
    assert!(read(&bytes, Vec::new()).is_none(), "a version alone may not be changed");
    bytes[12..16].fill(0);
    assert_eq!(read(&bytes, Vec::new()).unwrap().0.intact, Verdict::Yes);
}
