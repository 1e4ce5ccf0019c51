//! Order of durability, chaining, entries, and what stops the log.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::entry::parse_entry;
use crate::store::{ChainTip, MemoryReader, MemoryStore, StoreReader};
use std::sync::Mutex;

const ORIGIN: &str = "casino.example/sala/1";

fn key() -> SigningKey {
    SigningKey::from_seed(ORIGIN, &[7; 32]).unwrap()
}

fn submission(chain: &str, first: u64) -> Submission {
    let (producer, chain) = ("pit".parse().unwrap(), chain.parse().unwrap());
    Submission { producer, chain, first, count: 1, received_at: 5, payload: first.to_be_bytes().to_vec() }
}

fn writer() -> LogWriter<MemoryStore, MemoryCheckpoint> {
    LogWriter::open(MemoryStore::new(), MemoryCheckpoint::default(), key(), None).unwrap()
}

#[test]
fn a_new_log_keeps_a_signed_empty_checkpoint() {
    let (_, sink) = writer().into_parts();
    let signed = sink.newest.unwrap();
    signed.verify(&key().verifier_key()).unwrap();
    assert_eq!((signed.checkpoint().size, signed.checkpoint().root), (0, tlog::tree::empty_root()));
}

#[test]
fn entries_are_linked_along_their_chains_across_batches_and_restarts() {
    let mut writer = writer();
    writer.append(&[submission("a", 1), submission("b", 1), submission("a", 2)]).unwrap();
    writer.append(&[submission("a", 3), submission("b", 2)]).unwrap();
    let (store, sink) = writer.into_parts();
    let kept = sink.newest.clone();
    let mut writer = LogWriter::open(store, sink, key(), kept.as_ref()).unwrap();
    let acknowledged = writer.append(&[submission("b", 3), submission("a", 4), submission("c", 1)]).unwrap();
    let entries = writer.reader().read(0, 100).unwrap();
    let previous: Vec<Digest> = entries.iter().map(|bytes| parse_entry(bytes).unwrap().previous).collect();
    let digests: Vec<Digest> = entries.iter().map(|bytes| Digest::of(bytes)).collect();
    let zero = Digest::ZERO;
    assert_eq!(previous, [zero, zero, digests[0], digests[2], digests[1], digests[4], digests[3], zero]);
    let entries: Vec<_> =
        (5..8).map(|at| EntryReference { index: at, digest: digests[at as usize], tree_size: 8 }).collect();
    assert_eq!(acknowledged.entries, entries);
    assert_eq!(acknowledged.signed.checkpoint().size, 8);
    acknowledged.signed.verify(&key().verifier_key()).unwrap();
}

#[test]
fn a_malformed_submission_refuses_its_call_and_nothing_else() {
    let mut writer = writer();
    let calls = [submission("a", 1), Submission { count: 0, ..submission("a", 2) }];
    let refused = writer.append(&calls);
    assert!(matches!(refused, Err(WriteError::Refused { position: 1, why: EntryError::Count(0) })));
    let long = Submission { payload: vec![0; crate::entry::MAX_ENTRY_BYTES], ..submission("a", 1) };
    assert!(matches!(
        writer.append(&[long]),
        Err(WriteError::Refused { position: 0, why: EntryError::TooLong(_) })
    ));
    assert_eq!(writer.reader().size(), 0);
    assert_eq!(writer.append(&[submission("a", 1)]).unwrap().entries[0].index, 0);
    assert_eq!(writer.append(&[]).unwrap().entries, []);
}

/// What happened, in order.
type Steps = Arc<Mutex<Vec<String>>>;

struct Recording<T>(T, Steps, bool);

impl StoreWriter for Recording<MemoryStore> {
    type Reader = MemoryReader;

    fn append(&mut self, batch: &WriteBatch) -> Result<(), StoreError> {
        self.1.lock().unwrap().push(format!("store {}", batch.frontier.size()));
        if self.2 { Err(StoreError::Disk("disk full".to_owned())) } else { self.0.append(batch) }
    }
    fn chain(&self, name: &ChainName) -> Result<Option<ChainTip>, StoreError> {
        self.0.chain(name)
    }
    fn reader(&self) -> &MemoryReader {
        self.0.reader()
    }
}

impl CheckpointSink for Recording<MemoryCheckpoint> {
    fn keep(&mut self, signed: &SignedCheckpoint) -> Result<(), CheckpointSinkError> {
        self.1.lock().unwrap().push(format!("checkpoint {}", signed.checkpoint().size));
        if self.2 && signed.checkpoint().size > 0 {
            Err(CheckpointSinkError("disk full".to_owned()))
        } else {
            self.0.keep(signed)
        }
    }
}

fn recording(
    store_fails: bool,
    sink_fails: bool,
) -> (LogWriter<Recording<MemoryStore>, Recording<MemoryCheckpoint>>, Steps) {
    let steps = Steps::default();
    let store = Recording(MemoryStore::new(), Arc::clone(&steps), store_fails);
    let sink = Recording(MemoryCheckpoint::default(), Arc::clone(&steps), sink_fails);
    (LogWriter::open(store, sink, key(), None).unwrap(), steps)
}

#[test]
fn the_store_is_durable_before_the_checkpoint_is_kept_outside_it() {
    let (mut writer, steps) = recording(false, false);
    writer.append(&[submission("a", 1), submission("a", 2)]).unwrap();
    writer.append(&[submission("a", 3)]).unwrap();
    assert_eq!(
        *steps.lock().unwrap(),
        ["checkpoint 0", "store 2", "checkpoint 2", "store 3", "checkpoint 3"]
    );
}

#[test]
fn a_failing_store_publishes_no_checkpoint_and_stops() {
    let (mut writer, steps) = recording(true, false);
    let error = writer.append(&[submission("a", 1)]).unwrap_err();
    assert!(error.to_string().starts_with("NOT acknowledged"), "{error}");
    assert!(matches!(writer.append(&[submission("a", 1)]), Err(WriteError::Stopped)));
    assert_eq!(*steps.lock().unwrap(), ["checkpoint 0", "store 1"]);
}

#[test]
fn a_checkpoint_that_is_not_kept_stops_the_log() {
    let (mut writer, steps) = recording(false, true);
    assert!(matches!(writer.append(&[submission("a", 1)]), Err(WriteError::Checkpoint(_))));
    assert!(matches!(writer.append(&[submission("a", 2)]), Err(WriteError::Stopped)));
    assert_eq!(*steps.lock().unwrap(), ["checkpoint 0", "store 1", "checkpoint 1"]);
    assert_eq!(writer.signed_checkpoint().checkpoint().size, 0);
}

/// Nothing in this program shrinks or rewrites the tree; the signature is guarded all the same.
#[test]
fn a_smaller_or_another_checkpoint_is_never_signed() {
    let mut writer = writer();
    writer.append(&[submission("a", 1), submission("a", 2)]).unwrap();
    assert_eq!(writer.reader().signed_checkpoint().as_ref(), Some(&writer.newest), "kept with the entries");
    let mut another = Frontier::default();
    another.extend(&[[1; 32], [2; 32]]);
    for frontier in [Frontier::default(), another] {
        assert!(matches!(writer.sign(&frontier), Err(WriteError::WouldFork { signed: 2, .. })));
    }
    assert_eq!(writer.sink.newest.as_ref(), Some(&*writer.newest));
}
