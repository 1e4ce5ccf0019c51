//! One post: events of one table that are recorded completely or not at all.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use sealed_log::entry::ProducerId;
use sealed_log::store::StoreReader;
use sealed_log::writer::{Acknowledgement, Submission, SubmitError};
use tokio::sync::{SemaphorePermit, oneshot};
use tokio::task::block_in_place;

use crate::IntakeError;
use crate::body::{BodyError, Examined, Form, Taken, examine, read_events};
use crate::intake::Intake;
use crate::known::Known;
use crate::sort::{Counts, Sorted};

/// A post of at least this many bytes is parsed outside the async threads, because that takes a millisecond
/// or more.
const LONG: usize = 64 << 10;

/// Why nothing of a post was recorded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotTaken {
    /// No form of events has this content type.
    #[error("content type `{0}`: send {accepted}", accepted = Form::accepted())]
    ContentType(String),
    /// It has more than so many bytes.
    #[error("a post may have {0} bytes; send fewer events at once. Nothing was recorded")]
    TooLarge(usize),
    /// It is no message of events of its table.
    #[error("{0}; nothing of this post was recorded")]
    Body(BodyError),
    /// Too many posts wait for their turn.
    #[error("too many posts in progress; nothing was recorded, retry")]
    Busy,
    /// The sender did not wait for the answer.
    #[error("who sent it is gone; nothing of this post was recorded")]
    Gone,
    /// The log takes nothing at the moment.
    #[error("{0}; nothing is acknowledged, keep the events and send them again")]
    Stopped(String),
    /// A mistake of this program.
    #[error("{0}")]
    OwnFault(String),
}

impl From<BodyError> for NotTaken {
    fn from(error: BodyError) -> Self {
        Self::Body(error)
    }
}

impl From<IntakeError> for NotTaken {
    fn from(error: IntakeError) -> Self {
        match error {
            IntakeError::Log(_) | IntakeError::Closed(_) | IntakeError::Store(_) => {
                Self::Stopped(error.to_string())
            }
            IntakeError::Table(_) => Self::Body(BodyError::whole(error.to_string())),
            IntakeError::OwnFault(message) => Self::OwnFault(message),
        }
    }
}

/// Whether the sender of a post is gone.
#[derive(Debug, Clone, Default)]
pub struct Gone(Arc<AtomicBool>);

/// Says that the sender is gone when it is dropped.
#[derive(Debug)]
pub struct Watched(Gone);

impl Gone {
    /// A sender that stays until the second of the two is dropped.
    #[must_use]
    pub fn watched() -> (Self, Watched) {
        let gone = Self::default();
        (gone.clone(), Watched(gone))
    }

    /// An error if the sender is gone; called while nothing of the post is recorded.
    fn check(&self) -> Result<(), NotTaken> {
        if self.0.load(Ordering::Relaxed) { Err(NotTaken::Gone) } else { Ok(()) }
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.0.0.store(true, Ordering::Relaxed);
    }
}

/// What became of the events of a post.
#[derive(Debug)]
pub struct Outcome {
    /// How many events were recorded now, were there already, or were recorded under a number that has another event.
    pub counts: Counts,
    /// The lowest and the highest sequence of its events.
    pub sequences: (u64, u64),
    /// The first 100 sequences that other events have as well.
    pub conflicting: Vec<u64>,
    /// The entries that already held events of the post.
    pub already_there: BTreeSet<u64>,
    /// The new entries, if there are any.
    pub sealed: Option<Sealed>,
}

/// Entries that were sealed, and are durable.
#[derive(Debug)]
pub struct Sealed {
    /// Of each entry the sequence of its first event, and the number of its events.
    pub covers: Vec<(u64, u32)>,
    /// Their digests and positions, and the checkpoint that covers them.
    pub acknowledgement: Acknowledgement,
}

/// What a post would record, and what is wrong with it.
#[derive(Debug)]
pub struct Forecast {
    /// What would be recorded.
    pub counts: Counts,
    /// The first 100 sequences that other events have as well.
    pub conflicting: Vec<u64>,
    /// The first errors of the body.
    pub errors: Vec<BodyError>,
    /// The number of all errors that were found.
    pub error_count: u64,
}

/// A post that is being processed.
#[derive(Debug)]
pub struct Post<'a, R> {
    pub(crate) intake: &'a Intake<R>,
    pub(crate) table: &'a str,
    pub(crate) gone: Gone,
}

impl<R: StoreReader + Clone> Post<'_, R> {
    /// Records the post, which is durable then. Posts to the same table are recorded one after the other.
    ///
    /// # Errors
    /// [`NotTaken`].
    pub async fn record(
        &self,
        producer: ProducerId,
        form: Form,
        body: impl AsRef<[u8]>,
    ) -> Result<Outcome, NotTaken> {
        let length = body.as_ref().len();
        let is_long = length > LONG;
        let _bytes = if is_long { Some(self.memory(length).await?) } else { None };
        let lines = self.work(is_long, || read_events(self.table, form, body.as_ref())).await??;
        drop(body);
        let sequences = || lines.iter().map(|(_, line)| line.sequence);
        let sequences = (sequences().min().unwrap_or(0), sequences().max().unwrap_or(0));

        let _not_reopened = self.intake.not_reopened()?;
        let table = self.intake.tables.table(self.table).ok_or(NotTaken::Busy)?;
        let mut known = table.turn().await;
        let asks_the_log = !lines.iter().all(|(_, line)| known.is_beyond(line.sequence));
        let sorted = self.work(is_long || asks_the_log, || self.sort(producer, &mut known, lines)).await?;
        known.forget_entries();
        let Sorted { submissions, fresh, counts, already_there, conflicting } = sorted?;
        let sealed = if submissions.is_empty() { None } else { Some(self.seal(submissions).await?) };
        fresh.into_iter().for_each(|sequence| known.note(sequence));
        drop(known);
        self.intake.observer.taken(&counts);
        Ok(Outcome { counts, sequences, conflicting, already_there, sealed })
    }

    /// Says what the post would record. Nothing is changed, so it does not wait for other posts to the table.
    ///
    /// # Errors
    /// [`NotTaken`].
    pub async fn examine(
        &self,
        producer: ProducerId,
        form: Form,
        body: impl AsRef<[u8]>,
    ) -> Result<Forecast, NotTaken> {
        let length = body.as_ref().len();
        let _bytes = if length > LONG { Some(self.memory(length).await?) } else { None };
        let Examined { taken, errors, error_count } =
            self.work(true, || examine(self.table, form, body.as_ref())).await?;
        drop(body);
        let sorted = self.work(true, || self.sort(producer, &mut Known::default(), taken)).await??;
        Ok(Forecast { counts: sorted.counts, conflicting: sorted.conflicting, errors, error_count })
    }

    /// Runs long work on a blocking thread, within the limit for such work. Work that waits for the limit
    /// holds no table that running work needs.
    ///
    /// # Errors
    /// [`NotTaken::Gone`] if the sender is.
    pub async fn work<T>(&self, takes_long: bool, work: impl FnOnce() -> T) -> Result<T, NotTaken> {
        if !takes_long {
            return Ok(work());
        }
        let turn = self.intake.processors.acquire().await;
        let _turn = turn.map_err(|_| NotTaken::OwnFault("there are no turns".to_owned()))?;
        self.gone.check()?;
        Ok(block_in_place(work))
    }

    /// Waits until there is memory for a long post. The post holds nothing else while it waits.
    async fn memory(&self, bytes: usize) -> Result<SemaphorePermit<'_>, NotTaken> {
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        let memory = self.intake.long_posts.acquire_many(bytes).await;
        self.gone.check()?;
        memory.map_err(|_| NotTaken::OwnFault("there is no memory for long posts".to_owned()))
    }

    fn sort(&self, producer: ProducerId, known: &mut Known, lines: Vec<Taken>) -> Result<Sorted, NotTaken> {
        let store = self.intake.log.reader().map_err(IntakeError::from)?;
        Sorted::of(&store, producer, known, lines, || self.gone.check())
    }

    /// Seals new entries, at least one, and waits until they are durable.
    async fn seal(&self, submissions: Vec<Submission>) -> Result<Sealed, IntakeError> {
        let covers = submissions.iter().map(|submission| (submission.first, submission.count)).collect();
        let (send_answer, answered) = oneshot::channel();
        let send_answer = |answer| {
            // The receiver is gone if the program stops meanwhile.
            let _ = send_answer.send(answer);
        };
        let began = Instant::now();
        self.intake.log.submit_with(submissions, send_answer)?;
        let gone = |_| {
            let why = "the log has shut down; reopen it".to_owned();
            Err(SubmitError::NotAcknowledged { why, disk: false })
        };
        let acknowledgement = answered.await.unwrap_or_else(gone)?;
        self.intake.observer.acknowledged(acknowledgement.entries.len(), began.elapsed());
        Ok(Sealed { covers, acknowledgement })
    }
}
