//! Many callers, one writer: everybody gets their own entries, and failures reach everybody.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::entry::{ChainName, Digest};
use crate::store::{ChainTip, MemoryReader, MemoryStore, StoreError, WriteBatch};
use crate::writer::check_store;
use crate::writer::{CheckpointSinkError, Committed, MemoryCheckpoint};
use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};
use tlog::note::SigningKey;

fn key() -> SigningKey {
    SigningKey::from_seed("casino.example/sala/1", &[7; 32]).unwrap()
}

fn submission(chain: &str, first: u64) -> Submission {
    let (producer, chain) = ("pit".parse().unwrap(), chain.parse().unwrap());
    Submission { producer, chain, first, count: 1, received_at: 5, payload: first.to_be_bytes().to_vec() }
}

/// A store whose appends wait for a go-ahead: `true` writes, `false` fails.
struct Gate {
    store: MemoryStore,
    batches: Batches,
    go: Receiver<bool>,
}

impl StoreWriter for Gate {
    type Reader = MemoryReader;

    fn append(&mut self, batch: &WriteBatch) -> Result<(), StoreError> {
        self.batches.lock().unwrap().push(batch.entries.len());
        if self.go.recv().unwrap_or(false) {
            return self.store.append(batch);
        }
        Err(StoreError::Disk("disk full".to_owned()))
    }
    fn chain(&self, name: &ChainName) -> Result<Option<ChainTip>, StoreError> {
        self.store.chain(name)
    }
    fn reader(&self) -> &MemoryReader {
        self.store.reader()
    }
}

#[test]
fn eight_callers_share_one_log() {
    let writer = LogWriter::open(MemoryStore::new(), MemoryCheckpoint::default(), key(), None).unwrap();
    let sequencer = Sequencer::start(writer).unwrap();
    let mut seen = std::thread::scope(|scope| {
        let call = |caller: u64| {
            let handle = sequencer.handle();
            scope.spawn(move || {
                let chain = format!("mesa-{caller}");
                let calls =
                    (0..50).map(|n| vec![submission(&chain, 2 * n + 1), submission(&chain, 2 * n + 2)]);
                let answers: Vec<_> = calls.map(|call| handle.submit(call).unwrap()).collect();
                answers.iter().for_each(|answer| {
                    assert!(
                        answer
                            .entries
                            .iter()
                            .all(|reference| reference.index < answer.signed.checkpoint().size)
                    );
                });
                answers.into_iter().flat_map(|answer| answer.entries).collect::<Vec<_>>()
            })
        };
        let callers: Vec<_> = (0..8).map(call).collect();
        callers.into_iter().flat_map(|caller| caller.join().unwrap()).collect::<Vec<_>>()
    });
    let (store, sink) = sequencer.shutdown().unwrap().into_parts();
    seen.sort_by_key(|reference| reference.index);
    let digests: Vec<_> =
        store.reader().read(0, 1_000).unwrap().iter().map(|bytes| Digest::of(bytes)).collect();
    assert_eq!(seen.iter().map(|reference| reference.digest).collect::<Vec<_>>(), digests);
    assert_eq!(digests.len(), 800);
    check_store(&store, sink.newest.as_ref(), &key().verifier_key()).unwrap();
}

type Batches = Arc<Mutex<Vec<usize>>>;

fn gated() -> (Sequencer<Gate, MemoryCheckpoint>, Sender<bool>, Batches) {
    let (sender, go) = channel();
    let batches = Batches::default();
    let store = Gate { store: MemoryStore::new(), batches: Arc::clone(&batches), go };
    let writer = LogWriter::open(store, MemoryCheckpoint::default(), key(), None).unwrap();
    (Sequencer::start(writer).unwrap(), sender, batches)
}

/// Waits until the first append has begun and holds the writer.
fn wait_for_first(batches: &Mutex<Vec<usize>>) {
    while batches.lock().unwrap().is_empty() {
        std::thread::yield_now();
    }
}

#[test]
fn what_queued_during_a_flush_is_committed_together() {
    let (sequencer, go, batches) = gated();
    let handle = sequencer.handle();
    let first = handle.submit_later(vec![submission("a", 1)]).unwrap();
    wait_for_first(&batches);
    let queued: Vec<_> = (2..=10).map(|n| handle.submit_later(vec![submission("a", n)]).unwrap()).collect();
    go.send(true).unwrap();
    assert_eq!(first.wait().unwrap().entries[0].index, 0);
    go.send(true).unwrap();
    let references: Vec<_> = queued.into_iter().map(|pending| pending.wait().unwrap().entries[0]).collect();
    assert!((1..10).eq(references.iter().map(|reference| reference.index)));
    assert!(references.iter().all(|reference| reference.tree_size == 10));
    assert_eq!(*batches.lock().unwrap(), [1, 9]);
    assert_eq!((handle.reader().unwrap().size(), handle.signed_checkpoint().checkpoint().size), (10, 10));
}

#[test]
fn a_failure_reaches_every_waiting_and_later_caller() {
    let (sequencer, go, batches) = gated();
    let handle = sequencer.handle();
    let first = handle.submit_later(vec![submission("a", 1)]).unwrap();
    wait_for_first(&batches);
    let queued: Vec<_> = (2..=5).map(|n| handle.submit_later(vec![submission("a", n)]).unwrap()).collect();
    go.send(false).unwrap();
    for pending in std::iter::once(first).chain(queued) {
        let error = pending.wait().unwrap_err().to_string();
        assert!(
            error.starts_with("NOT acknowledged: the log has stopped") && error.contains("disk full"),
            "{error}"
        );
    }
    let later = handle.submit(vec![submission("a", 9)]).unwrap_err();
    assert!(later.to_string().contains("disk full"), "{later}");
    assert_eq!(*batches.lock().unwrap(), [1], "nothing is tried after a failure");
    let writer = sequencer.shutdown().unwrap();
    assert!(writer.is_stopped());
    assert!(matches!(
        handle.submit(vec![submission("a", 9)]),
        Err(SubmitError::NotAcknowledged { disk: false, .. })
    ));
}

#[test]
fn a_malformed_submission_is_the_callers_own_trouble() {
    let writer = LogWriter::open(MemoryStore::new(), MemoryCheckpoint::default(), key(), None).unwrap();
    let sequencer = Sequencer::start(writer).unwrap();
    let refused = sequencer.handle().submit(vec![submission("a", 1), submission("a", 0)]).unwrap_err();
    assert_eq!(refused, SubmitError::Refused { position: 1, why: EntryError::ZeroFirst });
    assert_eq!(sequencer.handle().submit(vec![submission("a", 1)]).unwrap().entries[0].index, 0);
}

#[test]
fn a_store_that_breaks_down_leaves_nobody_waiting() {
    struct Breaks;
    impl CheckpointSink for Breaks {
        fn keep(&mut self, signed: &SignedCheckpoint) -> Result<(), CheckpointSinkError> {
            assert!(signed.checkpoint().size == 0, "a keeper breaking down, on purpose");
            Ok(())
        }
    }
    let writer = LogWriter::open(MemoryStore::new(), Breaks, key(), None).unwrap();
    let sequencer = Sequencer::start(writer).unwrap();
    let handle = sequencer.handle();
    assert!(matches!(
        handle.submit(vec![submission("a", 1)]),
        Err(SubmitError::NotAcknowledged { disk: false, .. })
    ));
    assert!(matches!(
        handle.submit(vec![submission("a", 1)]),
        Err(SubmitError::NotAcknowledged { disk: false, .. })
    ));
    assert!(sequencer.shutdown().is_err());
}

/// Keeps what it is called with, and opens the writers it was given.
struct Recorder {
    calls: Arc<Mutex<Vec<String>>>,
    next: Vec<Result<LogWriter<Gate, MemoryCheckpoint>, String>>,
}

impl Supervisor<Gate, MemoryCheckpoint> for Recorder {
    fn committed(&mut self, committed: &Committed) {
        let Committed { calls, entries, positions } = committed;
        self.calls.lock().unwrap().push(format!("{calls} calls, {entries} entries, {positions} positions"));
    }
    fn stopped(&mut self, why: &str) {
        self.calls.lock().unwrap().push(why.to_owned());
    }
    fn reopen(&mut self) -> Result<LogWriter<Gate, MemoryCheckpoint>, String> {
        self.next.pop().unwrap_or_else(|| Err("nothing to open".to_owned()))
    }
}

fn gate() -> (LogWriter<Gate, MemoryCheckpoint>, Sender<bool>) {
    let (sender, go) = channel();
    let store = Gate { store: MemoryStore::new(), batches: Batches::default(), go };
    (LogWriter::open(store, MemoryCheckpoint::default(), key(), None).unwrap(), sender)
}

#[test]
fn a_log_that_stopped_is_opened_anew_behind_its_handles() {
    let ((writer, go), (anew, go_anew)) = (gate(), gate());
    let recorded: Arc<Mutex<Vec<String>>> = Arc::default();
    let next = vec![Ok(anew), Err("no space yet".to_owned())];
    let sequencer =
        Sequencer::start_supervised(writer, Recorder { calls: Arc::clone(&recorded), next }).unwrap();
    let handle = sequencer.handle();
    go.send(true).unwrap();
    let signed = handle.submit(vec![submission("a", 1), submission("b", 1)]).unwrap().signed;
    assert_eq!(handle.reopen().unwrap(), signed, "a log that runs is left alone");
    go.send(false).unwrap();
    handle.submit(vec![submission("a", 2)]).unwrap_err();
    handle.submit(vec![submission("a", 2)]).unwrap_err();
    assert_eq!(handle.reader().unwrap().size(), 2, "it is read still");
    assert!(handle.reopen().unwrap_err().to_string().ends_with("no space yet"));
    assert!(handle.reader().unwrap_err().to_string().contains("closed"));
    assert_eq!(handle.signed_checkpoint(), signed, "what was signed stays known");
    assert!(handle.submit(vec![submission("a", 2)]).unwrap_err().to_string().contains("no space yet"));
    assert_eq!(handle.reopen().unwrap().checkpoint().size, 0, "what the supervisor opened");
    go_anew.send(true).unwrap();
    assert_eq!(handle.submit(vec![submission("a", 1)]).unwrap().entries[0].index, 0);
    assert_eq!(handle.reader().unwrap().size(), 1);
    assert_eq!(handle.waiting(), 0);
    let recorded = recorded.lock().unwrap();
    assert_eq!(recorded[0], "1 calls, 2 entries, 2 positions");
    assert!(recorded[1].ends_with("disk full") && recorded.len() == 3, "{recorded:?}: one stop, one call");
}
