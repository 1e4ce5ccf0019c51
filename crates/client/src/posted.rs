//! The answer to a post.

use sealed_log::SignedCheckpoint;
use serde::{Deserialize, Deserializer};

use crate::Receipt;

/// What came of a post: all its events are recorded and durable.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Posted {
    /// Events recorded now.
    pub recorded: u64,
    /// Events that the log held already.
    pub already_there: u64,
    /// Events recorded beside others with the same numbers.
    pub conflicts: u64,
    /// The entries that hold them all, in log order: to be kept.
    pub receipts: Vec<Receipt>,
    /// The signed head that covers them. It is not yet believed.
    #[serde(deserialize_with = "checkpoint")]
    pub checkpoint: SignedCheckpoint,
    /// Whether the service answered 409: two different events came under one number, now or before.
    #[serde(skip)]
    pub conflict: bool,
}

fn checkpoint<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SignedCheckpoint, D::Error> {
    let text = String::deserialize(deserializer)?;
    SignedCheckpoint::parse(&text).map_err(serde::de::Error::custom)
}
