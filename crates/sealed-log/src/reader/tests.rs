//! What the reader must find, at its index and once, and what it must not.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::entry::{EntryHeader, encode_entry};
use crate::fixture::{Bent, ORIGIN, key, log, signed_at, submission, verify};
use crate::reader::{MAX_KEPT_FAULTS, SealReport, StoreSource, Verdict};
use crate::store::{MemoryReader, MemoryStore, StoreReader, StoreWriter as _, StoredEntry, WriteBatch};
use crate::writer::{LogWriter, MemoryCheckpoint};
use tlog::checkpoint::Checkpoint;
use tlog::note::SigningKey;
use tlog::tree::Frontier;

/// Kinds and indexes of the faults.
fn found_in(report: &SealReport) -> Vec<(FaultKind, Option<u64>)> {
    report.faults.iter().map(|fault| (fault.kind, fault.index)).collect()
}

fn read(source: StoreSource<'_>, expectations: Expectations) -> SealReport {
    let mut reader = LogReader::new(source, expectations);
    while reader.next_window().unwrap().is_some() {}
    reader.finish()
}

#[test]
fn honest_logs_are_proven_at_every_critical_size() {
    for size in [0, 1, 2, 255, 256, 257, 511, 512, 16_384, 16_385, 65_535, 65_536, 65_537] {
        let (store, signed) = log(size);
        let report = verify(&store, &signed);
        assert_eq!(report.intact, Verdict::Yes, "{size}: {:?}", report.faults);
        assert_eq!((report.anchored, report.fault_count, report.size), (Verdict::Unknown, 0, size));
        let proof = report.proof.unwrap();
        assert_eq!((proof.origin(), proof.size()), (ORIGIN, size));
        assert_eq!((proof.root(), proof.key_id()), (signed.checkpoint().root, key().verifier_key().id()));
        assert_eq!(proof.root_text(), report.checkpoint.unwrap().checkpoint().root_text());
    }
}

#[test]
fn every_entry_is_handed_on_in_order() {
    let (store, signed) = log(40_000);
    let mut reader = LogReader::new(StoreSource::new(&store, Some(signed), None), Expectations::default());
    let (mut seen, mut windows) = (Vec::new(), 0);
    while let Some(window) = reader.next_window().unwrap() {
        windows += 1;
        for entry in window.entries() {
            assert_eq!(entry.index, seen.len() as u64);
            assert_eq!(entry.digest, Digest::of(entry.bytes));
            assert_eq!(entry.view.unwrap().first, entry.index / 3 + 1);
            assert!(!entry.altered);
            seen.push(entry.bytes.to_vec());
        }
    }
    assert!(windows >= 3, "a log is not read in one piece");
    assert_eq!(seen, store.read(0, 50_000).unwrap());
}

#[test]
fn one_altered_entry_is_one_fault_at_its_index() {
    let (store, signed) = log(1_000);
    // From the end: the payload, the time, the link, the chain's name, the producer, the version.
    let length = store.read(0, 1).unwrap()[0].len();
    for from_end in [1, 9, 20, 48, 55, length - 1, length] {
        for index in [0, 1, 255, 256, 600, 999] {
            let report = verify(&Bent::of(&store).flip(index, from_end), &signed);
            let altered = report.faults.iter().filter(|fault| fault.kind == FaultKind::EntryAltered);
            assert_eq!(altered.map(|fault| fault.index).collect::<Vec<_>>(), [Some(index)]);
            assert!(found_in(&report).iter().all(|fault| fault.1 == Some(index)), "{:?}", report.faults);
            assert_eq!((report.intact, report.proof.is_none()), (Verdict::No, true));
        }
    }
}

#[test]
fn faults_at_several_indexes_are_all_reported() {
    let (store, signed) = log(1_000);
    let bent = Bent::of(&store).flip(3, 1).flip(4, 1).flip(700, 1).flip_leaf(800);
    let found = found_in(&verify(&bent, &signed));
    let altered = |index| (FaultKind::EntryAltered, Some(index));
    // Entry 800 is what was sealed, but its leaf hash is not.
    assert_eq!(found, [altered(3), altered(4), altered(700), altered(800), (FaultKind::Root, None)]);
}

/// Whoever rewrites an entry and its leaf hash still breaks the link behind it, and the root.
#[test]
fn a_replaced_entry_breaks_its_link_and_the_root() {
    let (store, signed) = log(1_000);
    let mut bent = Bent::of(&store).flip(300, 1);
    let digest = Digest::of(&bent.entries[&300]);
    bent.leaves.insert(300, digest.leaf_hash());
    let report = verify(&bent, &signed);
    assert_eq!(found_in(&report), [(FaultKind::Link, Some(303)), (FaultKind::Root, None)]);
    assert_eq!(report.faults[0].chain.as_deref(), Some("mesa-0"));
}

#[test]
fn an_unreadable_entry_is_one_fault_and_hides_nothing_behind_it() {
    let (store, signed) = log(1_000);
    let bent = Bent { unreadable: vec![10, 500], ..Bent::of(&store).flip(501, 1) };
    let report = verify(&bent, &signed);
    let unreadable = |index| (FaultKind::Unreadable, Some(index));
    assert_eq!(found_in(&report), [unreadable(10), unreadable(500), (FaultKind::EntryAltered, Some(501))]);
    assert_eq!((report.size, report.root), (1_000, None));
}

/// Seals entries with links of our choosing, as a dishonest log would.
fn forged(links: &[(&str, Digest)]) -> (MemoryReader, SignedCheckpoint) {
    let (mut store, mut entries, mut frontier) = (MemoryStore::new(), Vec::new(), Frontier::default());
    for (n, (chain, previous)) in links.iter().enumerate() {
        let (producer, chain) = ("pit".parse().unwrap(), ChainName::new(chain).unwrap());
        let first = n as u64 + 1;
        let header = EntryHeader {
            producer,
            chain: chain.clone(),
            first,
            count: 1,
            previous: *previous,
            received_at: 0,
        };
        let bytes = encode_entry(&header, b"forged").unwrap();
        let digest = Digest::of(&bytes);
        frontier.push_leaf(digest.leaf_hash());
        entries.push(StoredEntry { bytes, digest, chain, first, count: 1 });
    }
    store.append(&WriteBatch { first_index: 0, entries, frontier: frontier.clone(), signed: None }).unwrap();
    (store.reader().clone(), SignedCheckpoint::sign(&Checkpoint::of(ORIGIN, &frontier), &key()).unwrap())
}

#[test]
fn wrong_links_are_found_although_everything_is_signed() {
    let (zero, other) = (Digest::ZERO, Digest::of(b"another"));
    let (store, signed) = forged(&[("a", zero), ("a", zero), ("b", other), ("a", other), ("c", zero)]);
    let report = verify(&store, &signed);
    let link = |index| (FaultKind::Link, Some(index));
    assert_eq!(found_in(&report).iter().map(|fault| fault.0).collect::<Vec<_>>(), [FaultKind::Link; 3]);
    let mut found = found_in(&report);
    found.sort_by_key(|fault| fault.1);
    assert_eq!(found, [link(1), link(2), link(3)]);
    assert_eq!(report.intact, Verdict::No);
}

#[test]
fn what_is_no_entry_is_found_although_it_is_signed() {
    let (mut store, mut frontier) = (MemoryStore::new(), Frontier::default());
    let good = forged(&[("a", Digest::ZERO)]).0.read(0, 1).unwrap().remove(0);
    let mut later = good.clone();
    later[1] = 2;
    let bytes = [good, b"no entry".to_vec(), later];
    let stored = |bytes: &Vec<u8>| StoredEntry {
        bytes: bytes.clone(),
        digest: Digest::of(bytes),
        chain: "a".parse().unwrap(),
        first: 1,
        count: 1,
    };
    let entries: Vec<_> = bytes.iter().map(stored).collect();
    entries.iter().for_each(|entry| frontier.push_leaf(entry.digest.leaf_hash()));
    store.append(&WriteBatch { first_index: 0, entries, frontier: frontier.clone(), signed: None }).unwrap();
    let signed = SignedCheckpoint::sign(&Checkpoint::of(ORIGIN, &frontier), &key()).unwrap();
    let expected = [(FaultKind::EntryMalformed, Some(1)), (FaultKind::UnknownVersion, Some(2))];
    assert_eq!(found_in(&verify(store.reader(), &signed)), expected);
}

#[test]
fn sizes_that_differ_from_the_checkpoint() {
    let (store, signed) = log(300);
    let (short, _) = log(299);
    let report = verify(&short, &signed);
    assert_eq!(found_in(&report), [(FaultKind::Missing, Some(299))]);
    // A store ahead of its checkpoint is legal after a stop: what is past it is not read.
    let early = signed_at(&store, 120);
    let report = verify(&store, &early);
    assert_eq!((report.intact, report.size, report.beyond_checkpoint), (Verdict::Yes, 120, 180));
}

#[test]
fn keys_decide() {
    let (store, signed) = log(10);
    let verifier = Some(key().verifier_key());
    let with = |verifier, checkpoint, carried| {
        read(StoreSource::new(&store, checkpoint, carried), Expectations { verifier, anchors: Vec::new() })
    };
    let given = with(verifier.clone(), Some(signed.clone()), None);
    assert_eq!((given.intact, given.key_trust), (Verdict::Yes, Some(KeyTrust::Given)));
    let carried = with(None, Some(signed.clone()), verifier.clone());
    assert_eq!((carried.intact, carried.key_trust), (Verdict::Yes, Some(KeyTrust::Carried)));
    let none = with(None, Some(signed.clone()), None);
    assert_eq!((none.intact, none.proof.is_none()), (Verdict::Unknown, true));
    assert!(none.intact_unknown.unwrap().as_str().contains("no key"));
    let unsigned = with(verifier.clone(), None, None);
    assert_eq!((unsigned.intact, unsigned.proof.is_none()), (Verdict::Unknown, true));
    assert!(unsigned.intact_unknown.unwrap().as_str().contains("checkpoint"));
    let other = SigningKey::from_seed(ORIGIN, &[8; 32]).unwrap();
    let forged = SignedCheckpoint::sign(signed.checkpoint(), &other).unwrap();
    let wrong = with(verifier, Some(forged.clone()), Some(other.verifier_key()));
    assert_eq!(found_in(&wrong), [(FaultKind::Checkpoint, None)]);
    // Nobody said which key: the forger's own key fits the forger's checkpoint, and is said to.
    let naive = with(None, Some(forged), Some(other.verifier_key()));
    assert_eq!((naive.intact, naive.key_trust), (Verdict::Yes, Some(KeyTrust::Carried)));
}

#[test]
fn anchors_at_any_size_are_held_against_the_log() {
    let (store, signed) = log(20_000);
    let anchored = |anchors: Vec<SignedCheckpoint>| {
        let expectations = Expectations { verifier: Some(key().verifier_key()), anchors };
        read(StoreSource::new(&store, Some(signed.clone()), None), expectations)
    };
    let sizes = [20_000, 1, 255, 256, 257, 16_384, 16_385, 256, 0, 9_999];
    let good: Vec<_> = sizes.iter().map(|&size| signed_at(&store, size)).collect();
    let report = anchored(good.clone());
    assert_eq!((report.anchored, report.intact), (Verdict::Yes, Verdict::Yes));
    for at in 0..good.len() {
        let mut anchors = good.clone();
        let mut bent = anchors[at].checkpoint().clone();
        bent.root[5] ^= 1;
        anchors[at] = SignedCheckpoint::sign(&bent, &key()).unwrap();
        let report = anchored(anchors);
        assert_eq!(found_in(&report), [(FaultKind::Anchor, None)], "size {}", bent.size);
        assert_eq!((report.anchored, report.intact), (Verdict::No, Verdict::Yes));
    }
    let (longer, longer_checkpoint) = log(20_001);
    assert_eq!(found_in(&anchored(vec![longer_checkpoint])), [(FaultKind::Anchor, Some(20_000))]);
    let other = SigningKey::from_seed(ORIGIN, &[8; 32]).unwrap();
    let forged = SignedCheckpoint::sign(signed_at(&longer, 5).checkpoint(), &other).unwrap();
    assert_eq!(anchored(vec![forged]).anchored, Verdict::No);
}

/// A key or a checkpoint of another log is a mix-up: it shows nothing, and it refutes nothing.
#[test]
fn what_is_of_another_log_shows_nothing() {
    let (store, signed) = log(100);
    let other = SigningKey::from_seed("casino.example/sala/2", &[9; 32]).unwrap();
    let elsewhere = Checkpoint { origin: other.name().to_owned(), ..signed.checkpoint().clone() };
    let elsewhere = SignedCheckpoint::sign(&elsewhere, &other).unwrap();
    let with = |key: &SigningKey, anchors: Vec<SignedCheckpoint>| {
        let expectations = Expectations { verifier: Some(key.verifier_key()), anchors };
        read(StoreSource::new(&store, Some(signed.clone()), None), expectations)
    };
    let said = |report: &SealReport| {
        (report.intact, report.anchored, report.fault_count, report.of_another_log.len())
    };
    let own = signed_at(&store, 50);
    let (yes, unknown) = (Verdict::Yes, Verdict::Unknown);
    assert_eq!(said(&with(&key(), vec![own.clone()])), (yes, yes, 0, 0));
    assert_eq!(said(&with(&key(), vec![own.clone(), elsewhere.clone()])), (yes, unknown, 0, 1));
    assert_eq!(said(&with(&other, vec![own])), (unknown, unknown, 0, 1));
    let both = with(&other, vec![elsewhere]);
    assert_eq!((said(&both), both.proof.is_none()), ((unknown, unknown, 0, 2), true));
    let bent = Bent::of(&store).flip(3, 1);
    let expectations = Expectations { verifier: Some(other.verifier_key()), anchors: Vec::new() };
    let report = read(StoreSource::new(&bent, Some(signed), None), expectations);
    assert_eq!(report.intact, Verdict::No, "damage is damage under any key");
}

/// A signature that does not hold accuses the file it stands in, not the log; a sound checkpoint beside it still counts.
#[test]
fn an_altered_checkpoint_shows_nothing() {
    let (store, signed) = log(100);
    let read_with = |anchors: Vec<SignedCheckpoint>| {
        let expectations = Expectations { verifier: Some(key().verifier_key()), anchors };
        read(StoreSource::new(&store, Some(signed.clone()), None), expectations)
    };
    let said = |report: &SealReport| {
        (report.intact, report.anchored, report.fault_count, report.invalid_checkpoints.len())
    };
    let altered = |text: &str, from: &str, to: &str| {
        assert!(text.contains(from));
        SignedCheckpoint::parse(&text.replacen(from, to, 1)).unwrap()
    };
    let (yes, no, unknown) = (Verdict::Yes, Verdict::No, Verdict::Unknown);
    for size in ["51", "500", "5"] {
        let bent = altered(signed_at(&store, 50).text(), "\n50\n", &format!("\n{size}\n"));
        let report = read_with(vec![bent.clone()]);
        assert_eq!(said(&report), (yes, unknown, 0, 1), "{size}");
        assert_eq!(report.invalid_checkpoints[0].size.to_string(), size);
        assert_eq!(report.older_than, None);
        assert_eq!(said(&read_with(vec![signed_at(&store, 50), bent])), (yes, unknown, 0, 1));
    }
    // The same words with a bad signature do not take a sound checkpoint's weight away.
    let mut forked = signed_at(&store, 50).checkpoint().clone();
    forked.root[0] ^= 1;
    let forked = SignedCheckpoint::sign(&forked, &key()).unwrap();
    let (body, line) = forked.text().split_once("\n\n").unwrap();
    let other = signed_at(&store, 49);
    let (_, another) = other.text().split_once("\n\n").unwrap();
    assert_ne!(line, another);
    let unsigned = SignedCheckpoint::parse(&format!("{body}\n\n{another}")).unwrap();
    assert_eq!(said(&read_with(vec![unsigned.clone()])), (yes, unknown, 0, 1));
    for anchors in [vec![unsigned.clone(), forked.clone()], vec![forked, unsigned]] {
        assert_eq!(said(&read_with(anchors)), (yes, no, 2, 1));
    }
}

/// Whoever gives another key than the one that signed learns which is which.
#[test]
fn the_key_that_did_not_sign_is_told_from_the_one_that_did() {
    let (store, signed) = log(10);
    let other = SigningKey::from_seed(ORIGIN, &[8; 32]).unwrap();
    let with = |verifier| {
        let source = StoreSource::new(&store, Some(signed.clone()), Some(other.verifier_key()));
        read(source, Expectations { verifier, anchors: vec![signed_at(&store, 5)] })
    };
    let report = with(Some(other.verifier_key()));
    let ids = |key: &SigningKey| seal_report::id_text(key.verifier_key().id());
    let expected = OtherSigner { given: ids(&other), signers: vec![ids(&key())] };
    assert_eq!((report.intact, report.anchored), (Verdict::No, Verdict::No));
    assert_eq!(report.signed_by_another, Some(expected));
    // A key that travels with the log was given by nobody.
    assert_eq!((with(None).intact, with(None).signed_by_another), (Verdict::No, None));
}

#[test]
fn anchors_behind_lost_entries_are_unknown() {
    let (store, signed) = log(1_000);
    let bent = Bent { unreadable: vec![500], ..Bent::of(&store) };
    let with = |size| {
        let anchors = vec![signed_at(&store, size)];
        read(
            StoreSource::new(&bent, Some(signed.clone()), None),
            Expectations { verifier: Some(key().verifier_key()), anchors },
        )
    };
    assert_eq!(with(500).anchored, Verdict::Yes);
    assert_eq!(with(501).anchored, Verdict::Unknown);
}

#[test]
fn what_was_not_read_is_not_intact() {
    let (store, signed) = log(20_000);
    let expectations =
        Expectations { verifier: Some(key().verifier_key()), anchors: vec![signed_at(&store, 5)] };
    let mut reader = LogReader::new(StoreSource::new(&store, Some(signed), None), expectations);
    reader.next_window().unwrap().unwrap();
    let report = reader.finish();
    assert_eq!(
        (report.intact, report.anchored, report.proof.is_none()),
        (Verdict::Unknown, Verdict::Unknown, true)
    );
}

#[test]
fn faults_are_counted_beyond_those_kept() {
    let size = MAX_KEPT_FAULTS as u64 + 5_000;
    let mut writer = LogWriter::open(MemoryStore::new(), MemoryCheckpoint::default(), key(), None).unwrap();
    writer.append(&(0..size).map(|n| submission(n, 3)).collect::<Vec<_>>()).unwrap();
    let (store, sink) = writer.into_parts();
    let bent = (0..size).fold(Bent::of(store.reader()), |bent, index| bent.flip(index, 1));
    let report = verify(&bent, &sink.newest.unwrap());
    assert_eq!((report.faults.len(), report.fault_count), (MAX_KEPT_FAULTS, size));
}

#[test]
fn hashing_alone_gives_the_same_digests() {
    let (store, signed) = log(600);
    let mut reader = LogReader::new(StoreSource::new(&store, Some(signed), None), Expectations::default());
    let window = reader.next_window().unwrap().unwrap();
    let sums = window.hash_only();
    assert_eq!(sums.len(), window.blocks().len());
    let mut expected = [0; 32];
    for entry in window.blocks()[0].entries() {
        expected.iter_mut().zip(entry.digest.as_bytes()).for_each(|(sum, byte)| *sum ^= byte);
    }
    assert_eq!(sums[0], Digest::from_bytes(expected));
}
