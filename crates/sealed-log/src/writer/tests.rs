//! Order of durability, chaining, receipts, and what stops the log.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::entry::parse_entry;
use crate::store::{ChainHead, MemoryReader, MemoryStore, StoreReader};
use std::ops::{ControlFlow, RangeInclusive};
use std::sync::Mutex;
use tlog::tree::TreeHash;

const ORIGIN: &str = "casino.example/sala/1";

fn key() -> SigningKey {
    SigningKey::from_seed(ORIGIN, &[7; 32]).unwrap()
}

fn submission(chain: &str, first: u64) -> Submission {
    let (producer, chain) = ("pit".parse().unwrap(), chain.parse().unwrap());
    Submission { producer, chain, first, count: 1, received_at: 5, payload: first.to_be_bytes().to_vec() }
}

fn writer() -> LogWriter<MemoryStore, MemoryHead> {
    LogWriter::open(MemoryStore::new(), MemoryHead::default(), key(), None).unwrap()
}

#[test]
fn a_new_log_keeps_a_signed_empty_head() {
    let (_, head) = writer().into_parts();
    let head = head.newest.unwrap();
    head.verify(&key().verifier_key()).unwrap();
    assert_eq!((head.checkpoint().size, head.checkpoint().root), (0, tlog::tree::empty_root()));
}

#[test]
fn entries_are_linked_along_their_chains_across_batches_and_restarts() {
    let mut writer = writer();
    writer.append(&[submission("a", 1), submission("b", 1), submission("a", 2)]).unwrap();
    writer.append(&[submission("a", 3), submission("b", 2)]).unwrap();
    let (store, head) = writer.into_parts();
    let kept = head.newest.clone();
    let mut writer = LogWriter::open(store, head, key(), kept.as_ref()).unwrap();
    let told = writer.append(&[submission("b", 3), submission("a", 4), submission("c", 1)]).unwrap();
    let entries = writer.store().read(0, 100).unwrap();
    let previous: Vec<Digest> = entries.iter().map(|bytes| parse_entry(bytes).unwrap().previous).collect();
    let digests: Vec<Digest> = entries.iter().map(|bytes| Digest::of(bytes)).collect();
    let zero = Digest::ZERO;
    assert_eq!(previous, [zero, zero, digests[0], digests[2], digests[1], digests[4], digests[3], zero]);
    let receipts: Vec<_> =
        (5..8).map(|at| Receipt { index: at, digest: digests[at as usize], tree_size: 8 }).collect();
    assert_eq!(told.receipts, receipts);
    assert_eq!(told.head.checkpoint().size, 8);
    told.head.verify(&key().verifier_key()).unwrap();
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
    assert_eq!(writer.store().size(), 0);
    assert_eq!(writer.append(&[submission("a", 1)]).unwrap().receipts[0].index, 0);
    assert_eq!(writer.append(&[]).unwrap().receipts, []);
}

/// What happened, in order.
type Story = Arc<Mutex<Vec<String>>>;

struct Told<T>(T, Story, bool);

impl StoreReader for Told<MemoryStore> {
    fn size(&self) -> u64 {
        self.0.size()
    }
    fn frontier(&self) -> Frontier {
        self.0.frontier()
    }
    fn head(&self) -> Option<Arc<SignedCheckpoint>> {
        self.0.head()
    }
    fn read(&self, first: u64, most: usize) -> Result<Vec<Vec<u8>>, StoreError> {
        self.0.read(first, most)
    }
    fn leaf_hashes(&self, first: u64, count: usize) -> Result<Vec<TreeHash>, StoreError> {
        self.0.leaf_hashes(first, count)
    }
    fn visit(
        &self,
        name: &ChainName,
        positions: RangeInclusive<u64>,
        visit: &mut dyn FnMut(u64, &[u8]) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        self.0.visit(name, positions, visit)
    }
}

impl StoreWriter for Told<MemoryStore> {
    type Reader = MemoryReader;

    fn append(&mut self, batch: &Batch) -> Result<(), StoreError> {
        self.1.lock().unwrap().push(format!("store {}", batch.frontier.size()));
        if self.2 { Err(StoreError::Medium("disk full".to_owned())) } else { self.0.append(batch) }
    }
    fn chain(&self, name: &ChainName) -> Result<Option<ChainHead>, StoreError> {
        self.0.chain(name)
    }
    fn snapshot(&self) -> MemoryReader {
        self.0.snapshot()
    }
}

impl HeadSink for Told<MemoryHead> {
    fn keep(&mut self, head: &SignedCheckpoint) -> Result<(), HeadError> {
        self.1.lock().unwrap().push(format!("head {}", head.checkpoint().size));
        if self.2 && head.checkpoint().size > 0 {
            Err(HeadError("disk full".to_owned()))
        } else {
            self.0.keep(head)
        }
    }
}

fn told(store_fails: bool, head_fails: bool) -> (LogWriter<Told<MemoryStore>, Told<MemoryHead>>, Story) {
    let story = Story::default();
    let store = Told(MemoryStore::new(), Arc::clone(&story), store_fails);
    let head = Told(MemoryHead::default(), Arc::clone(&story), head_fails);
    (LogWriter::open(store, head, key(), None).unwrap(), story)
}

#[test]
fn the_store_is_durable_before_the_head_is_kept_outside_it() {
    let (mut writer, story) = told(false, false);
    writer.append(&[submission("a", 1), submission("a", 2)]).unwrap();
    writer.append(&[submission("a", 3)]).unwrap();
    assert_eq!(*story.lock().unwrap(), ["head 0", "store 2", "head 2", "store 3", "head 3"]);
}

#[test]
fn a_failing_store_gives_no_head_away_and_stops() {
    let (mut writer, story) = told(true, false);
    let error = writer.append(&[submission("a", 1)]).unwrap_err();
    assert!(error.to_string().starts_with("NOT acknowledged"), "{error}");
    assert!(matches!(writer.append(&[submission("a", 1)]), Err(WriteError::Stopped)));
    assert_eq!(*story.lock().unwrap(), ["head 0", "store 1"]);
}

#[test]
fn a_head_that_is_not_kept_stops_the_log() {
    let (mut writer, story) = told(false, true);
    assert!(matches!(writer.append(&[submission("a", 1)]), Err(WriteError::Head(_))));
    assert!(matches!(writer.append(&[submission("a", 2)]), Err(WriteError::Stopped)));
    assert_eq!(*story.lock().unwrap(), ["head 0", "store 1", "head 1"]);
    assert_eq!(writer.head().checkpoint().size, 0);
}

/// Nothing in this program shrinks or rewrites the tree; the signature is guarded all the same.
#[test]
fn a_smaller_or_another_head_is_never_signed() {
    let mut writer = writer();
    writer.append(&[submission("a", 1), submission("a", 2)]).unwrap();
    assert_eq!(writer.store.head().as_ref(), Some(&writer.newest), "kept with the entries");
    let mut another = Frontier::default();
    another.extend(&[[1; 32], [2; 32]]);
    for frontier in [Frontier::default(), another] {
        assert!(matches!(writer.sign(&frontier), Err(WriteError::WouldFork { signed: 2, .. })));
    }
    assert_eq!(writer.sink.newest.as_ref(), Some(&*writer.newest));
}
