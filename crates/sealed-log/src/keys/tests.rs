//! Keys are rotated in order, and both keys sign; everything else is noticed with its index.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::entry::{ChainName, Digest};
use crate::fixture::{ORIGIN, submission};
use crate::reader::{Expectations, FaultKind, LogReader, SealReport, StoreSource, Verdict};
use crate::store::{MemoryReader, MemoryStore, StoreReader as _, StoreWriter as _, StoredEntry, WriteBatch};
use crate::writer::OpenError;
use crate::writer::{LogWriter, MemoryCheckpoint, Submission};

fn key(number: u8) -> SigningKey {
    SigningKey::from_seed(ORIGIN, &[number; 32]).unwrap()
}

struct Log {
    store: MemoryReader,
    /// The checkpoint after every append.
    checkpoints: Vec<SignedCheckpoint>,
}

impl Log {
    fn newest(&self) -> &SignedCheckpoint {
        self.checkpoints.last().unwrap()
    }
}

/// Ten entries under key 1, a rotation, ten under key 2, a rotation, ten under key 3.
fn log() -> Log {
    let mut writer = LogWriter::open(MemoryStore::new(), MemoryCheckpoint::default(), key(1), None).unwrap();
    let mut checkpoints = Vec::new();
    for period in 0..3_u64 {
        for number in 0..10 {
            checkpoints
                .push((*writer.append(&[submission(period * 10 + number, 3)]).unwrap().signed).clone());
        }
        if period < 2 {
            checkpoints.push((*writer.rotate(key(period as u8 + 2), 0).unwrap().signed).clone());
        }
    }
    Log { store: writer.reader().clone(), checkpoints }
}

fn read(log: &Log, last: &SignedCheckpoint, trusted: u8, kept: &[&SignedCheckpoint]) -> SealReport {
    let anchors = kept.iter().map(|kept| (*kept).clone()).collect();
    let expectations = Expectations { verifier: Some(key(trusted).verifier_key()), anchors };
    let mut reader = LogReader::new(StoreSource::new(&log.store, Some(last.clone()), None), expectations);
    while reader.next_window().unwrap().is_some() {}
    reader.finish()
}

fn resigned(signed: &SignedCheckpoint, number: u8) -> SignedCheckpoint {
    SignedCheckpoint::sign(signed.checkpoint(), &key(number)).unwrap()
}

#[test]
fn a_statement_is_signed_by_both_and_read_back() {
    let rotation = KeyRotation::make(&key(1), &key(2), 10).unwrap();
    assert_eq!(KeyRotation::parse(rotation.statement()), Ok(rotation.clone()));
    for line in 0..rotation.statement().lines().count() {
        let mut lines: Vec<&str> = rotation.statement().lines().collect();
        lines.remove(line);
        assert!(KeyRotation::parse(&(lines.join("\n") + "\n")).is_err(), "without line {line}");
    }
    let other = KeyRotation::make(&key(1), &key(3), 10).unwrap();
    let mixed =
        rotation.statement().replace(&key(2).verifier_key().to_string(), &other.new_key().to_string());
    assert!(KeyRotation::parse(&mixed).is_err());
    assert_eq!(KeyRotation::make(&key(1), &key(1), 10), Err(RotationError::SameKey));
    let strange = SigningKey::from_seed("elsewhere.example", &[2; 32]).unwrap();
    assert!(matches!(KeyRotation::make(&key(1), &strange, 10), Err(RotationError::Names { .. })));
}

#[test]
fn whichever_key_is_trusted_leads_to_the_others() {
    let log = log();
    for trusted in 1..=3 {
        let kept = [&log.checkpoints[4], &log.checkpoints[10], &log.checkpoints[15], log.newest()];
        let report = read(&log, log.newest(), trusted, &kept);
        assert_eq!((report.intact, report.anchored), (Verdict::Yes, Verdict::Yes), "{:?}", report.faults);
        assert_eq!(report.proof.unwrap().key_id(), key(3).verifier_key().id());
    }
    let report = read(&log, log.newest(), 4, &[]);
    assert_eq!(report.intact, Verdict::No);
}

#[test]
fn a_retired_key_and_a_hasty_one_are_not_believed() {
    let log = log();
    let retired = resigned(log.newest(), 2);
    let report = read(&log, &retired, 1, &[]);
    assert_eq!(report.intact, Verdict::No);
    assert_eq!(report.faults[0].kind, FaultKind::Checkpoint);
    // A checkpoint before the second rotation, signed with the key that came after it.
    let hasty = resigned(&log.checkpoints[12], 3);
    assert_eq!(read(&log, log.newest(), 1, &[&hasty]).anchored, Verdict::No);
    assert_eq!(read(&log, log.newest(), 1, &[&log.checkpoints[12]]).anchored, Verdict::Yes);
}

/// A digit of the size altered by hand moves a checkpoint into another key's time: the file was altered, not the log.
#[test]
fn a_size_altered_across_a_rotation_accuses_the_file_alone() {
    let log = log();
    let altered = log.checkpoints[4].text().replacen("\n5\n", "\n15\n", 1);
    let altered = SignedCheckpoint::parse(&altered).unwrap();
    for trusted in 1..=3 {
        let report = read(&log, log.newest(), trusted, &[&altered]);
        assert_eq!((report.intact, report.anchored), (Verdict::Yes, Verdict::Unknown), "{:?}", report.faults);
        assert_eq!(report.invalid_checkpoints[0].key, key(1).verifier_key());
    }
    // A key that the log never had is no excuse.
    let strange = resigned(&log.checkpoints[4], 4);
    assert_eq!(read(&log, log.newest(), 1, &[&strange]).anchored, Verdict::No);
}

#[test]
fn both_keys_sign_the_checkpoint_that_covers_a_rotation_and_no_other() {
    let log = log();
    for (number, signed) in log.checkpoints.iter().enumerate() {
        let signers: Vec<u8> =
            (1..=3).filter(|number| signed.verify(&key(*number).verifier_key()).is_ok()).collect();
        let expected: &[u8] = match number {
            0..10 => &[1],
            10 => &[1, 2],
            11..21 => &[2],
            21 => &[2, 3],
            22.. => &[3],
        };
        assert_eq!(
            (&signers[..], signed.signatures().len()),
            (expected, expected.len()),
            "checkpoint {number}"
        );
    }
    assert_eq!(
        log.checkpoints[10].signatures()[0].id,
        key(2).verifier_key().id(),
        "the key in force goes first"
    );
}

/// Stopped between writing the notice and keeping its checkpoint: the next start signs it, with both keys at hand.
#[test]
fn a_checkpoint_that_a_stop_left_unsigned_is_signed_by_both_keys_at_hand() {
    let write = || {
        let mut writer =
            LogWriter::open(MemoryStore::new(), MemoryCheckpoint::default(), key(1), None).unwrap();
        let before = (*writer.append(&[submission(0, 3)]).unwrap().signed).clone();
        (writer, before)
    };
    let (mut whole, before) = write();
    whole.rotate(key(2), 0).unwrap();
    let bytes = whole.reader().read(0, 2).unwrap();
    let mut frontier = tlog::tree::Frontier::default();
    bytes.iter().for_each(|entry| frontier.push_leaf(Digest::of(entry).leaf_hash()));
    let (digest, chain) = (Digest::of(&bytes[1]), ChainName::new(crate::entry::LOG_CHAIN).unwrap());
    let notice = StoredEntry { bytes: bytes[1].clone(), digest, chain, first: 1, count: 1 };
    let mut store = write().0.into_parts().0;
    store.append(&WriteBatch { first_index: 1, entries: vec![notice], frontier, signed: None }).unwrap();
    let opened = |keys: Vec<SigningKey>| {
        let opened =
            LogWriter::open_with(store.clone(), MemoryCheckpoint::default(), keys, Some(&before)).unwrap();
        (*opened.signed_checkpoint()).clone()
    };
    let both = opened(vec![key(1), key(2)]);
    assert!([1, 2].iter().all(|number| both.verify(&key(*number).verifier_key()).is_ok()));
    assert_eq!(opened(vec![key(2)]).signatures().len(), 1);
}

/// Logs of before both keys signed: the new key alone.
#[test]
fn a_rotation_signed_by_the_new_key_alone_stays_valid() {
    let mut log = log();
    log.checkpoints[10] = resigned(&log.checkpoints[10], 2);
    let report = read(&log, &log.checkpoints[10].clone(), 1, &[&log.checkpoints[4]]);
    assert_eq!((report.intact, report.anchored), (Verdict::Yes, Verdict::Yes), "{:?}", report.faults);
}

#[test]
fn a_key_passes_on_to_one_of_another_algorithm() {
    let other = SigningKey::with_algorithm(tlog::key::Algorithm::MlDsa44, ORIGIN, &[9; 32]).unwrap();
    let mut writer = LogWriter::open(MemoryStore::new(), MemoryCheckpoint::default(), key(1), None).unwrap();
    writer.append(&[submission(0, 3)]).unwrap();
    let signed = writer.rotate(other.clone(), 0).unwrap().signed;
    signed.verify(&key(1).verifier_key()).unwrap();
    signed.verify(&other.verifier_key()).unwrap();
    let back = writer.rotate(key(2), 0).unwrap().signed;
    back.verify(&other.verifier_key()).unwrap();
    let log = Log { store: writer.reader().clone(), checkpoints: vec![(*back).clone()] };
    let report = read(&log, &back, 1, &[&signed]);
    assert_eq!((report.intact, report.anchored), (Verdict::Yes, Verdict::Yes), "{:?}", report.faults);
}

/// A log whose `@log` chain holds these payloads, behind ten entries.
fn with_notices(payloads: &[Vec<u8>]) -> Log {
    let mut writer = LogWriter::open(MemoryStore::new(), MemoryCheckpoint::default(), key(1), None).unwrap();
    let ten: Vec<Submission> = (0..10).map(|number| submission(number, 3)).collect();
    let mut checkpoints = vec![(*writer.append(&ten).unwrap().signed).clone()];
    for payload in payloads {
        checkpoints.push((*writer.append_notice(payload.clone(), 0).unwrap().signed).clone());
    }
    Log { store: writer.reader().clone(), checkpoints }
}

#[test]
fn a_rotation_at_another_place_or_of_another_key_is_a_fault_with_its_entry() {
    let payload = |rotation: &KeyRotation| crate::notice::encode_rotation(rotation);
    let elsewhere = payload(&KeyRotation::make(&key(1), &key(2), 9).unwrap());
    let log = with_notices(&[elsewhere]);
    let report = read(&log, log.newest(), 1, &[]);
    assert_eq!((report.intact, report.faults[0].index), (Verdict::No, Some(10)), "{:?}", report.faults);

    let first = payload(&KeyRotation::make(&key(1), &key(2), 10).unwrap());
    let stranger = payload(&KeyRotation::make(&key(5), &key(6), 11).unwrap());
    let log = with_notices(&[first, stranger]);
    let report = read(&log, &resigned(log.newest(), 2), 1, &[]);
    assert_eq!((report.intact, report.faults[0].index), (Verdict::No, Some(11)), "{:?}", report.faults);
}

#[test]
fn a_log_is_opened_with_the_key_in_force_only() {
    let log = log();
    let open = |keys: Vec<SigningKey>, kept: &SignedCheckpoint| {
        LogWriter::open_with(MemoryStore::of(&log.store), MemoryCheckpoint::default(), keys, Some(kept))
            .map(|writer| writer.verifier_key().id())
    };
    assert_eq!(open(vec![key(3)], log.newest()).unwrap(), key(3).verifier_key().id());
    assert_eq!(open(vec![key(2), key(3)], log.newest()).unwrap(), key(3).verifier_key().id());
    assert!(matches!(open(vec![key(2)], log.newest()), Err(OpenError::Key { .. })));
    // Stopped between writing the notice and keeping the new checkpoint.
    assert_eq!(open(vec![key(2), key(3)], &log.checkpoints[20]).unwrap(), key(3).verifier_key().id());
    assert!(
        open(vec![key(3)], &resigned(&log.checkpoints[20], 3)).is_err(),
        "a checkpoint that was never signed so"
    );
}
