//! The writer thread: takes the calls that are queued, commits them together, answers each of them.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Receiver;

use super::{Job, OnDone, ReopenError, Reopened, Shared, SubmitError};
use crate::store::StoreWriter;
use crate::writer::{
    Acknowledgement, CheckpointSink, Committed, LogWriter, Submission, Supervisor, WriteError,
};
use tlog::checkpoint::SignedCheckpoint;

/// Entries at which a group is closed.
const GROUP_ENTRIES: usize = 16_384;
/// Bytes of payload at which a group is closed.
const GROUP_BYTES: usize = 8 << 20;

/// The state of the writer thread.
pub(super) struct WriterThread<S: StoreWriter, H> {
    /// `None` while the log is closed.
    pub(super) writer: Option<LogWriter<S, H>>,
    /// Why the log has stopped or is closed.
    pub(super) failure: Option<Failure>,
    pub(super) supervisor: Box<dyn Supervisor<S, H>>,
    pub(super) shared: Arc<Shared<S::Reader>>,
}

/// Why the log has stopped or is closed, for callers.
#[derive(Debug, Clone)]
pub(super) struct Failure {
    why: String,
    /// Whether the machine failed.
    disk: bool,
}

impl Failure {
    fn of(error: &WriteError) -> Self {
        let text = error.to_string();
        let why = text.strip_prefix("NOT acknowledged, ").unwrap_or(&text).to_owned();
        Self { why, disk: error.is_disk() }
    }

    const fn closed(why: String) -> Self {
        Self { why, disk: false }
    }
}

impl<S: StoreWriter, H: CheckpointSink> WriterThread<S, H> {
    pub(super) fn run(mut self, jobs: &Receiver<Job>) -> Option<LogWriter<S, H>> {
        let mut next = jobs.recv().ok();
        while let Some(job) = next.take() {
            match job {
                Job::Stop => break,
                Job::Reopen(answer) => drop(answer.send(self.reopen())),
                Job::Append(submissions, answer) => {
                    let mut group = Group::new(submissions, answer);
                    next = group.gather(jobs);
                    self.shared.waiting.fetch_sub(group.callers.len(), Ordering::Relaxed);
                    self.commit(group);
                }
            }
            next = next.or_else(|| jobs.recv().ok());
        }
        self.shared.close();
        self.writer
    }

    fn commit(&mut self, group: Group) {
        // A writer that has stopped refuses by itself; callers get the reason why it stopped.
        let written = match &mut self.writer {
            Some(writer) => writer.append(&group.submissions).map_err(|error| Failure::of(&error)),
            None => Err(Failure::closed("the log is closed".to_owned())),
        };
        match written {
            Ok(written) => {
                self.publish();
                self.supervisor.committed(&group.committed());
                answer_all(group.callers, &written);
            }
            Err(failure) => {
                if self.failure.is_none() {
                    self.supervisor.stopped(&failure.why);
                }
                let Failure { why, disk } = self.failure.get_or_insert(failure).clone();
                let error = SubmitError::NotAcknowledged { why, disk };
                group.callers.into_iter().for_each(|caller| (caller.answer)(Err(error.clone())));
            }
        }
    }

    fn reopen(&mut self) -> Reopened {
        if let Some(writer) = self.writer.as_ref().filter(|writer| !writer.is_stopped()) {
            return Ok(writer.signed_checkpoint());
        }
        self.shared.close();
        drop(self.writer.take());
        let writer = self.supervisor.reopen().map_err(|why| {
            self.failure = Some(Failure::closed(why.clone()));
            ReopenError(why)
        })?;
        let signed = writer.signed_checkpoint();
        (self.writer, self.failure) = (Some(writer), None);
        self.publish();
        Ok(signed)
    }

    /// Lets others read what is durable now.
    fn publish(&self) {
        if let Some(writer) = &self.writer {
            self.shared.publish(writer.signed_checkpoint(), writer.reader().clone());
        }
    }
}

/// Calls that are committed together.
struct Group {
    submissions: Vec<Submission>,
    bytes: usize,
    callers: Vec<Caller>,
}

impl Group {
    fn new(submissions: Vec<Submission>, answer: OnDone) -> Self {
        let mut group = Self { submissions: Vec::new(), bytes: 0, callers: Vec::new() };
        group.add(submissions, answer);
        group
    }

    fn add(&mut self, submissions: Vec<Submission>, answer: OnDone) {
        self.bytes += submissions.iter().map(|submission| submission.payload.len()).sum::<usize>();
        self.callers.push(Caller { submissions: submissions.len(), answer });
        if self.submissions.is_empty() {
            self.submissions = submissions;
        } else {
            self.submissions.extend(submissions);
        }
    }

    /// Takes what is queued right now; returns the first job that is not a call to append.
    fn gather(&mut self, jobs: &Receiver<Job>) -> Option<Job> {
        while self.submissions.len() < GROUP_ENTRIES && self.bytes < GROUP_BYTES {
            match jobs.try_recv() {
                Ok(Job::Append(submissions, answer)) => self.add(submissions, answer),
                Ok(other @ (Job::Reopen(_) | Job::Stop)) => return Some(other),
                Err(_) => return None,
            }
        }
        None
    }

    fn committed(&self) -> Committed {
        let positions = self.submissions.iter().map(|submission| u64::from(submission.count)).sum();
        Committed { calls: self.callers.len(), entries: self.submissions.len(), positions }
    }
}

/// One call of a group: how many submissions are its own, and how it is answered.
struct Caller {
    submissions: usize,
    answer: OnDone,
}

fn answer_all(callers: Vec<Caller>, written: &Acknowledgement) {
    let mut entries = written.entries.as_slice();
    for caller in callers {
        let (own, rest) = entries.split_at(caller.submissions.min(entries.len()));
        entries = rest;
        let signed: Arc<SignedCheckpoint> = Arc::clone(&written.signed);
        let newest = written.newest.clone();
        (caller.answer)(Ok(Acknowledgement { entries: own.to_vec(), signed, newest }));
    }
}
