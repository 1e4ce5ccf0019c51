//! Records messages that a program takes from somewhere, for example from a stream, as posts are recorded: once, durable
//! before it is answered, and beside others of the same numbers.

use std::sync::Arc;

use sealed_log::entry::ProducerId;
use sealed_log::store::StoreReader;
use tlog::checkpoint::SignedCheckpoint;

use crate::body::Form;
use crate::intake::Intake;
use crate::post::{Gone, NotTaken, Outcome};

/// Takes messages in, whose events are recorded with one producer as their origin.
#[derive(Debug, Clone)]
pub struct Recorder<R> {
    intake: Arc<Intake<R>>,
    producer: ProducerId,
}

/// What became of the events of one message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecordedEvents {
    /// The lowest sequence of the message's events; 0 if it has no event.
    pub first: u64,
    /// The highest.
    pub last: u64,
    /// Log indexes of the entries that hold the events, in order, whether sealed now or before.
    pub entries: Vec<u64>,
    /// Events that were recorded now.
    pub recorded: u64,
    /// Events that the log held already.
    pub already_there: u64,
    /// Events whose numbers other events have as well; they are recorded.
    pub conflicts: u64,
}

/// Why nothing of a message was recorded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotRecorded {
    /// It is no message of events, and will never be recorded; the text says what is wrong and where.
    #[error("{0}")]
    Refused(String),
    /// The log takes nothing at the moment; the same message again may be recorded.
    #[error("{0}")]
    Unavailable(String),
}

impl<R: StoreReader + Clone> Recorder<R> {
    /// Records with `producer` as the origin of the events.
    #[must_use]
    pub const fn new(intake: Arc<Intake<R>>, producer: ProducerId) -> Self {
        Self { intake, producer }
    }

    /// Records the events of one message, all of `table`: completely or not at all. `content_type` is one of those that a
    /// post may have, JSON lines if there is none; a message holds at most 16,384 events and as many bytes as a post.
    /// Messages of one table are recorded in the order of the calls if each call waits for the one before it.
    ///
    /// # Errors
    /// [`NotRecorded`].
    pub async fn record(
        &self,
        table: &str,
        content_type: Option<&str>,
        message: &[u8],
    ) -> Result<RecordedEvents, NotRecorded> {
        let kind = content_type.unwrap_or("application/x-ndjson");
        let form = Form::of(kind).ok_or_else(|| NotTaken::ContentType(kind.to_owned()))?;
        if message.len() > self.intake.longest {
            return Err(NotTaken::TooLarge(self.intake.longest).into());
        }
        let post = self.intake.post(table, Gone::default());
        let Outcome { counts, sequences: (first, last), already_there, sealed, .. } =
            post.record(self.producer.clone(), form, message).await?;
        let mut entries: Vec<u64> = already_there.into_iter().collect();
        let new = sealed.iter().flat_map(|sealed| &sealed.acknowledgement.entries);
        entries.extend(new.map(|receipt| receipt.index));
        entries.sort_unstable();
        entries.dedup();
        Ok(RecordedEvents {
            first,
            last,
            entries,
            recorded: counts.recorded,
            already_there: counts.already_there,
            conflicts: counts.conflicts,
        })
    }

    /// The newest durable checkpoint. It covers what was recorded before this call.
    #[must_use]
    pub fn signed_checkpoint(&self) -> Arc<SignedCheckpoint> {
        self.intake.log.signed_checkpoint()
    }
}

impl From<NotTaken> for NotRecorded {
    fn from(error: NotTaken) -> Self {
        let said = error.to_string();
        match error {
            NotTaken::Body(_) | NotTaken::ContentType(_) | NotTaken::TooLarge(_) | NotTaken::Gone => {
                Self::Refused(said)
            }
            NotTaken::Busy | NotTaken::Stopped(_) | NotTaken::OwnFault(_) => Self::Unavailable(said),
        }
    }
}
