//! The service's answer to a post.

use serde::{Deserialize, Deserializer};
use tlog::checkpoint::SignedCheckpoint;

use crate::Receipt;

/// A post whose events are all recorded and durable.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Posted {
    /// Events recorded now.
    pub recorded: u64,
    /// Events that the log held already.
    pub already_there: u64,
    /// Events recorded beside others with the same numbers.
    pub conflicts: u64,
    /// Receipts of the entries that hold the events, in log order. Keep them.
    pub receipts: Vec<Receipt>,
    /// The signed checkpoint that covers them. Its signature is not checked yet.
    #[serde(deserialize_with = "checkpoint")]
    pub checkpoint: SignedCheckpoint,
    /// Whether the service answered 409: two different events have one number, now or before.
    #[serde(skip)]
    pub conflict: bool,
}

fn checkpoint<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SignedCheckpoint, D::Error> {
    let text = String::deserialize(deserializer)?;
    SignedCheckpoint::parse(&text).map_err(serde::de::Error::custom)
}
