//! What a partition's messages are given to: a log, behind a trait.

use std::future::Future;

use serde::{Deserialize, Serialize};

use crate::Committed;

/// What became of the events of a message that was recorded.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recorded {
    /// The sequence of the first event, in its table's numbering.
    pub first_sequence: u64,
    /// The sequence of the last one.
    pub last_sequence: u64,
    /// Indexes of the entries that hold the events, whether new or there before.
    pub entries: Vec<u64>,
    /// Events that are new in the log.
    pub recorded: u64,
    /// Events that the log had already.
    pub already_there: u64,
    /// Events under a sequence where the log has others. They are recorded as well.
    pub conflicts: u64,
}

/// Why a message was not recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotRecorded {
    /// No log will ever take it, and why.
    Refused(String),
    /// This log cannot take it now, and why: it is tried again.
    Unavailable(String),
}

/// A log that takes messages.
///
/// Recording is idempotent: a message may come again, after a failure or because its producer had no receipt, and
/// events that the log has already, or that a predecessor's log has below what its lease said, count as
/// [`Recorded::already_there`].
pub trait Recorder: Send + Sync + 'static {
    /// Records the events of one message, all of this table. It is called for different tables at once, and for one
    /// table in the order of the stream.
    ///
    /// The events must be durable when this returns, but must not be answered for in any other way: the message
    /// counts as taken only after the lease says so.
    fn record(
        &self,
        table: &str,
        content_type: Option<&str>,
        message: &[u8],
    ) -> impl Future<Output = Result<Recorded, NotRecorded>> + Send;

    /// The newest signed checkpoint. It covers everything that was recorded before this call.
    ///
    /// # Errors
    /// Why there is none now; it is tried again.
    fn checkpoint(&self) -> impl Future<Output = Result<Committed, String>> + Send;
}
