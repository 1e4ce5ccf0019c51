//! A thread round the [`LogWriter`]: many hand in, one writes, and they share its flushes.
//!
//! No timers: whatever queued while the last flush ran is committed together. A single caller
//! waits for about one flush; under load the groups grow by themselves.

use crate::{
    Acknowledgement, EntryError, EntryProof, HeadSink, LogWriter, Receipt, SignedCheckpoint, Store,
    StoreNodes, Submission, WriteError,
};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

/// Calls that may wait in the queue; further callers wait for room.
const QUEUED_CALLS: usize = 256;
/// A group is closed once it holds this many entries,
const GROUP_ENTRIES: usize = 16_384;
/// or this many bytes of payload.
const GROUP_BYTES: usize = 8 << 20;

/// Why nothing of a call was acknowledged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SubmitError {
    /// One of the submissions cannot become an entry; nothing of this call was recorded.
    #[error("submission {position} is not well-formed, nothing of this call was recorded: {why}")]
    Refused {
        /// Which of the submissions, from 0.
        position: usize,
        /// What is wrong with it.
        why: EntryError,
    },
    /// The log has stopped. The entries may or may not be on disk: hand them in again once the log
    /// is reopened.
    #[error("NOT acknowledged: {0}")]
    NotAcknowledged(String),
}

type Answer = Result<Acknowledgement, SubmitError>;

enum Job<S> {
    Append(Vec<Submission>, SyncSender<Answer>),
    View(Box<dyn FnOnce(&S) + Send>),
    Stop,
}

/// The running writer thread. Dropping it finishes what is queued and stops it.
#[derive(Debug)]
pub struct Sequencer<S, H> {
    handle: SequencerHandle<S>,
    thread: Option<JoinHandle<LogWriter<S, H>>>,
}

impl<S: Store + 'static, H: HeadSink + 'static> Sequencer<S, H> {
    /// Starts the thread.
    ///
    /// # Errors
    /// When the operating system gives no thread.
    pub fn start(writer: LogWriter<S, H>) -> std::io::Result<Self> {
        let (sender, receiver) = sync_channel(QUEUED_CALLS);
        let thread =
            std::thread::Builder::new().name("sequencer".to_owned()).spawn(move || run(writer, &receiver))?;
        Ok(Self { handle: SequencerHandle { sender }, thread: Some(thread) })
    }

    /// A way to hand in, as many as wanted.
    #[must_use]
    pub fn handle(&self) -> SequencerHandle<S> {
        self.handle.clone()
    }

    /// Commits what was queued before this call, stops, and gives the writer back. Later
    /// submissions are not acknowledged.
    ///
    /// # Errors
    /// [`SubmitError::NotAcknowledged`] when the thread broke down.
    pub fn shutdown(mut self) -> Result<LogWriter<S, H>, SubmitError> {
        match self.stop() {
            Some(Ok(writer)) => Ok(writer),
            Some(Err(_)) | None => Err(gone()),
        }
    }
}

impl<S, H> Sequencer<S, H> {
    fn stop(&mut self) -> Option<std::thread::Result<LogWriter<S, H>>> {
        let thread = self.thread.take()?;
        // When the thread is gone already there is nobody left to tell.
        let _ = self.handle.sender.send(Job::Stop);
        Some(thread.join())
    }
}

impl<S, H> Drop for Sequencer<S, H> {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A way to hand entries in to the writer thread.
#[derive(Debug)]
pub struct SequencerHandle<S> {
    sender: SyncSender<Job<S>>,
}

impl<S> Clone for SequencerHandle<S> {
    fn clone(&self) -> Self {
        Self { sender: self.sender.clone() }
    }
}

impl<S: Store + 'static> SequencerHandle<S> {
    /// Hands in entries and waits until they and the head that covers them are durable.
    ///
    /// # Errors
    /// [`SubmitError`]: nothing of this call was acknowledged.
    pub fn submit(&self, submissions: Vec<Submission>) -> Answer {
        self.submit_later(submissions)?.wait()
    }

    /// Hands in entries without waiting for the disk, so that the next can be prepared meanwhile.
    /// Waits only while the queue is full.
    ///
    /// # Errors
    /// [`SubmitError`]: nothing of this call was acknowledged.
    pub fn submit_later(&self, submissions: Vec<Submission>) -> Result<Pending, SubmitError> {
        for (position, submission) in submissions.iter().enumerate() {
            submission.check().map_err(|why| SubmitError::Refused { position, why })?;
        }
        let (sender, answer) = sync_channel(1);
        self.sender.send(Job::Append(submissions, sender)).map_err(|_| gone())?;
        Ok(Pending { answer })
    }

    /// Looks at the store between two commits; commits wait meanwhile.
    ///
    /// # Errors
    /// [`SubmitError::NotAcknowledged`] when the log has shut down.
    pub fn view<R: Send + 'static>(
        &self,
        look: impl FnOnce(&S) -> R + Send + 'static,
    ) -> Result<R, SubmitError> {
        let (sender, answer) = sync_channel(1);
        let job = move |store: &S| {
            // Nobody may be waiting for the answer any more; that is the caller's choice.
            let _ = sender.send(look(store));
        };
        self.sender.send(Job::View(Box::new(job))).map_err(|_| gone())?;
        answer.recv().map_err(|_| gone())
    }

    /// Proofs that acknowledged entries stand under the head they were acknowledged with; commits wait
    /// meanwhile. Gives one for each receipt, in their order.
    ///
    /// # Errors
    /// [`ProveError`] when the log has shut down, or an entry cannot be read back as it was sealed.
    pub fn prove(&self, acknowledged: &Acknowledgement) -> Result<Vec<EntryProof>, ProveError> {
        let (indexes, head) = (acknowledged.receipts.clone(), Arc::clone(&acknowledged.head));
        self.view(move |store| indexes.iter().map(|receipt| prove(store, receipt, &head)).collect())?
    }
}

fn prove<S: Store>(store: &S, receipt: &Receipt, head: &SignedCheckpoint) -> Result<EntryProof, ProveError> {
    let damaged = |why: String| ProveError::Damaged { index: receipt.index, why };
    let entry = store.read(receipt.index, 1).map_err(|error| damaged(error.to_string()))?;
    let entry = entry.into_iter().next().ok_or_else(|| damaged("it is not there".to_owned()))?;
    EntryProof::make(&StoreNodes(store), head, receipt.index, entry)
        .map_err(|error| damaged(error.to_string()))
}

/// Why there is no proof of an acknowledged entry.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProveError {
    /// The log has shut down.
    #[error(transparent)]
    Gone(#[from] SubmitError),
    /// The entry cannot be proven.
    #[error("entry {index} was acknowledged and cannot be proven: {why}; verify the log")]
    Damaged {
        /// Its index.
        index: u64,
        /// What was found.
        why: String,
    },
}

/// Entries handed in and not yet answered for.
#[derive(Debug)]
pub struct Pending {
    answer: Receiver<Answer>,
}

impl Pending {
    /// Waits until the entries and the head that covers them are durable.
    ///
    /// # Errors
    /// [`SubmitError`]: nothing of the call was acknowledged.
    pub fn wait(self) -> Answer {
        self.answer.recv().unwrap_or_else(|_| Err(gone()))
    }
}

fn gone() -> SubmitError {
    SubmitError::NotAcknowledged("the log has shut down; reopen it".to_owned())
}

/// One call's place in a group.
struct Caller {
    submissions: usize,
    answer: SyncSender<Answer>,
}

fn run<S: Store, H: HeadSink>(mut writer: LogWriter<S, H>, jobs: &Receiver<Job<S>>) -> LogWriter<S, H> {
    let mut failure = None;
    let mut next = jobs.recv().ok();
    while let Some(job) = next.take() {
        match job {
            Job::Stop => break,
            Job::View(look) => look(writer.store()),
            Job::Append(submissions, answer) => {
                let mut group = Group::new(submissions, answer);
                next = group.gather(jobs);
                group.commit(&mut writer, &mut failure);
            }
        }
        next = next.or_else(|| jobs.recv().ok());
    }
    writer
}

/// Calls that are committed together.
struct Group {
    submissions: Vec<Submission>,
    bytes: usize,
    callers: Vec<Caller>,
}

impl Group {
    fn new(submissions: Vec<Submission>, answer: SyncSender<Answer>) -> Self {
        let mut group = Self { submissions: Vec::new(), bytes: 0, callers: Vec::new() };
        group.add(submissions, answer);
        group
    }

    fn add(&mut self, submissions: Vec<Submission>, answer: SyncSender<Answer>) {
        self.bytes += submissions.iter().map(|submission| submission.payload.len()).sum::<usize>();
        self.callers.push(Caller { submissions: submissions.len(), answer });
        if self.submissions.is_empty() {
            self.submissions = submissions;
        } else {
            self.submissions.extend(submissions);
        }
    }

    /// Takes what is queued right now; gives back the first job that is not a call to append.
    fn gather<S>(&mut self, jobs: &Receiver<Job<S>>) -> Option<Job<S>> {
        while self.submissions.len() < GROUP_ENTRIES && self.bytes < GROUP_BYTES {
            match jobs.try_recv() {
                Ok(Job::Append(submissions, answer)) => self.add(submissions, answer),
                Ok(other @ (Job::View(_) | Job::Stop)) => return Some(other),
                Err(_) => return None,
            }
        }
        None
    }

    fn commit<S: Store, H: HeadSink>(self, writer: &mut LogWriter<S, H>, failure: &mut Option<String>) {
        // A writer that has stopped refuses by itself; callers are told what stopped it.
        let written = writer.append(&self.submissions).map_err(|error| describe(&error));
        match written {
            Ok(written) => answer_all(self.callers, &written),
            Err(why) => {
                let error = SubmitError::NotAcknowledged(failure.get_or_insert(why).clone());
                self.callers.into_iter().for_each(|caller| caller.tell(Err(error.clone())));
            }
        }
    }
}

fn describe(error: &WriteError) -> String {
    let text = error.to_string();
    text.strip_prefix("NOT acknowledged, ").unwrap_or(&text).to_owned()
}

fn answer_all(callers: Vec<Caller>, written: &Acknowledgement) {
    let mut receipts = written.receipts.as_slice();
    for caller in callers {
        let (own, rest) = receipts.split_at(caller.submissions.min(receipts.len()));
        receipts = rest;
        let head: Arc<SignedCheckpoint> = Arc::clone(&written.head);
        caller.tell(Ok(Acknowledgement { receipts: own.to_vec(), head }));
    }
}

impl Caller {
    fn tell(self, answer: Answer) {
        // A caller that went away does not want its answer.
        let _ = self.answer.send(answer);
    }
}

#[cfg(test)]
#[path = "sequencer_tests.rs"]
mod tests;
