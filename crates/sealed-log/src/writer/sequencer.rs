//! A thread round the [`LogWriter`]: many hand in, one writes, and they share its flushes.
//!
//! No timers: whatever queued while the last flush ran is committed together. A single caller
//! waits for about one flush; under load the groups grow by themselves. A log that has stopped can be
//! opened anew behind the handles that are out (see [`Supervisor`]).

mod writer_thread;

use crate::entry::EntryError;
use crate::store::{StoreReader, StoreWriter};
use crate::writer::{Acknowledgement, CheckpointSink, LogWriter, Submission, Supervisor};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use std::thread::JoinHandle;
use tlog::checkpoint::SignedCheckpoint;

use writer_thread::WriterThread;

/// Calls that may wait in the queue; further callers wait for a slot. More than a service has at work.
const QUEUED_CALLS: usize = 8_192;

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
    #[error("NOT acknowledged: {why}")]
    NotAcknowledged {
        /// Why it has stopped.
        why: String,
        /// Whether the machine failed (a full disk, say), and nothing speaks against the log.
        disk: bool,
    },
}

/// Why a log that had stopped is closed still.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the log is closed, it cannot be opened anew: {0}")]
pub struct ReopenError(String);

type Answer = Result<Acknowledgement, SubmitError>;
type Reopened = Result<Arc<SignedCheckpoint>, ReopenError>;
/// Called with the result of a call.
type OnDone = Box<dyn FnOnce(Answer) + Send>;

enum Job {
    Append(Vec<Submission>, OnDone),
    Reopen(SyncSender<Reopened>),
    Stop,
}

/// What is known of the thread without asking it.
#[derive(Debug)]
struct Shared<R> {
    /// Calls that wait to be committed.
    waiting: AtomicUsize,
    published: RwLock<Published<R>>,
}

/// The log as the newest commit left it.
#[derive(Debug)]
struct Published<R> {
    signed: Arc<SignedCheckpoint>,
    /// `None` while no store is open: the log is being opened anew, could not be, or has shut down.
    store: Option<R>,
}

impl<R> Shared<R> {
    fn published(&self) -> RwLockReadGuard<'_, Published<R>> {
        self.published.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Everything of it must be durable.
    fn publish(&self, signed: Arc<SignedCheckpoint>, store: R) {
        let store = Some(store);
        *self.published.write().unwrap_or_else(PoisonError::into_inner) = Published { signed, store };
    }

    fn close(&self) {
        self.published.write().unwrap_or_else(PoisonError::into_inner).store = None;
    }
}

/// The running writer thread. Dropping it finishes what is queued and stops it.
#[derive(Debug)]
pub struct Sequencer<S: StoreWriter, H> {
    handle: SequencerHandle<S::Reader>,
    thread: Option<JoinHandle<Option<LogWriter<S, H>>>>,
}

impl<S: StoreWriter + 'static, H: CheckpointSink + 'static> Sequencer<S, H> {
    /// Starts the thread.
    ///
    /// # Errors
    /// When the operating system gives no thread.
    pub fn start(writer: LogWriter<S, H>) -> std::io::Result<Self> {
        Self::start_supervised(writer, ())
    }

    /// The same, with a supervisor that is called for commits and stops and can reopen the log.
    ///
    /// # Errors
    /// When the operating system gives no thread.
    pub fn start_supervised(
        writer: LogWriter<S, H>,
        supervisor: impl Supervisor<S, H> + 'static,
    ) -> std::io::Result<Self> {
        let (sender, receiver) = sync_channel(QUEUED_CALLS);
        let published =
            Published { signed: writer.signed_checkpoint(), store: Some(writer.reader().clone()) };
        let shared = Arc::new(Shared { waiting: AtomicUsize::new(0), published: RwLock::new(published) });
        let thread = WriterThread {
            writer: Some(writer),
            failure: None,
            supervisor: Box::new(supervisor),
            shared: Arc::clone(&shared),
        };
        let thread =
            std::thread::Builder::new().name("sequencer".to_owned()).spawn(move || thread.run(&receiver))?;
        Ok(Self { handle: SequencerHandle { sender, shared }, thread: Some(thread) })
    }

    /// A way to hand in, as many as wanted.
    #[must_use]
    pub fn handle(&self) -> SequencerHandle<S::Reader> {
        self.handle.clone()
    }

    /// Commits what was queued before this call, stops, and gives the writer back. Later
    /// submissions are not acknowledged.
    ///
    /// # Errors
    /// [`SubmitError::NotAcknowledged`] when the thread broke down, or the log was closed and could not
    /// be opened anew.
    pub fn shutdown(mut self) -> Result<LogWriter<S, H>, SubmitError> {
        match self.stop() {
            Some(Ok(Some(writer))) => Ok(writer),
            Some(Ok(None)) => Err(closed()),
            Some(Err(_)) | None => Err(gone()),
        }
    }
}

impl<S: StoreWriter, H> Sequencer<S, H> {
    fn stop(&mut self) -> Option<std::thread::Result<Option<LogWriter<S, H>>>> {
        let thread = self.thread.take()?;
        // When the thread is gone already there is nobody left to answer.
        let _ = self.handle.sender.send(Job::Stop);
        Some(thread.join())
    }
}

impl<S: StoreWriter, H> Drop for Sequencer<S, H> {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A way to hand entries in to the writer thread, and to read beside it.
#[derive(Debug)]
pub struct SequencerHandle<R> {
    sender: SyncSender<Job>,
    shared: Arc<Shared<R>>,
}

impl<R> Clone for SequencerHandle<R> {
    fn clone(&self) -> Self {
        Self { sender: self.sender.clone(), shared: Arc::clone(&self.shared) }
    }
}

impl<R: StoreReader + Clone> SequencerHandle<R> {
    /// Hands in entries and waits until they and the checkpoint that covers them are durable.
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
        let (sender, answer) = sync_channel(1);
        self.submit_with(submissions, move |done| {
            // A caller that went away does not want its answer.
            let _ = sender.send(done);
        })?;
        Ok(Pending { answer })
    }

    /// Hands in entries; `answer` is called on the writer thread once they and the checkpoint that covers them
    /// are durable, and must neither wait nor panic. It is dropped without a call when the log shuts down before.
    /// Waits only while the queue is full.
    ///
    /// # Errors
    /// [`SubmitError`]: nothing of this call was acknowledged, and `answer` is not called.
    pub fn submit_with(
        &self,
        submissions: Vec<Submission>,
        answer: impl FnOnce(Result<Acknowledgement, SubmitError>) + Send + 'static,
    ) -> Result<(), SubmitError> {
        for (position, submission) in submissions.iter().enumerate() {
            submission.check().map_err(|why| SubmitError::Refused { position, why })?;
        }
        self.shared.waiting.fetch_add(1, Ordering::Relaxed);
        self.sender.send(Job::Append(submissions, Box::new(answer))).map_err(|_| gone())
    }

    /// Calls handed in that wait for the commit before theirs to end.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.shared.waiting.load(Ordering::Relaxed)
    }

    /// Closes a log that has stopped and opens it anew, with all the checks of a start; gives the newest
    /// signed checkpoint. A log that has not stopped stays as it is. Meanwhile nothing can be read.
    ///
    /// # Errors
    /// [`ReopenError`] when it cannot be opened; it is closed then, and this can be called again.
    pub fn reopen(&self) -> Reopened {
        let ended = || ReopenError("its thread has ended".to_owned());
        let (sender, answer) = sync_channel(1);
        self.sender.send(Job::Reopen(sender)).map_err(|_| ended())?;
        answer.recv().map_err(|_| ended())?
    }

    /// The log as the newest commit left it; it stays so, whatever is committed meanwhile, and no commit waits
    /// for whoever reads.
    ///
    /// # Errors
    /// [`LogClosed`] while the log is being opened anew, and when it has shut down.
    pub fn reader(&self) -> Result<R, LogClosed> {
        self.shared.published().store.clone().ok_or(LogClosed)
    }

    /// The newest signed checkpoint that is durable; also while the log is closed.
    #[must_use]
    pub fn signed_checkpoint(&self) -> Arc<SignedCheckpoint> {
        Arc::clone(&self.shared.published().signed)
    }
}

/// Nothing can be read: the log is being opened anew, or has shut down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the log is closed until it can be opened anew")]
pub struct LogClosed;

/// Entries handed in and not yet answered for.
#[derive(Debug)]
pub struct Pending {
    answer: Receiver<Answer>,
}

impl Pending {
    /// Waits until the entries and the checkpoint that covers them are durable.
    ///
    /// # Errors
    /// [`SubmitError`]: nothing of the call was acknowledged.
    pub fn wait(self) -> Answer {
        self.answer.recv().unwrap_or_else(|_| Err(gone()))
    }
}

fn gone() -> SubmitError {
    SubmitError::NotAcknowledged { why: "the log has shut down; reopen it".to_owned(), disk: false }
}

fn closed() -> SubmitError {
    let why = "the log is closed until it can be opened anew".to_owned();
    SubmitError::NotAcknowledged { why, disk: false }
}

#[cfg(test)]
mod tests;
