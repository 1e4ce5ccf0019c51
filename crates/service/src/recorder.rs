//! Records events that come another way than over HTTP, as posts are recorded: once, durable before it is answered, and
//! beside others of the same numbers.

use std::sync::Arc;

use tlog::checkpoint::SignedCheckpoint;

use crate::app_state::AppState;
use crate::problem::Problem;
use crate::routes::ingest::Post;
use intake::Form;

/// Takes events in beside the service's own posts.
#[derive(Debug, Clone)]
pub struct Recorder {
    app: Arc<AppState>,
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

impl Recorder {
    pub(crate) fn new(app: Arc<AppState>) -> Self {
        Self { app }
    }

    /// Records the events of one message, all of `table`: completely or not at all. `content_type` is one of those that a
    /// post may have, JSON lines if there is none; a message holds at most 16,384 events and the service's `--max-body`
    /// bytes. Messages of one table are recorded in the order of the calls if each call waits for the one before it.
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
        let form = Form::of(kind).ok_or_else(|| Problem::kind_of_body(kind))?;
        if message.len() > self.app.bounds.body {
            return Err(Problem::too_large(self.app.bounds.body).into());
        }
        let post = Post::new(&self.app, table);
        Ok(post.record_message(form, message).await?)
    }

    /// The newest durable checkpoint. It covers what was recorded before this call.
    #[must_use]
    pub fn signed_checkpoint(&self) -> Arc<SignedCheckpoint> {
        self.app.signed_checkpoint()
    }
}

impl From<Problem> for NotRecorded {
    fn from(problem: Problem) -> Self {
        let said = problem.said();
        if problem.is_refusal() { Self::Refused(said) } else { Self::Unavailable(said) }
    }
}
