//! The record of one partition in the bucket. Reads are answered by the leader of the bucket's stream: a replica may
//! be behind.

use std::time::Duration;

use async_nats::HeaderMap;
use async_nats::jetstream::Context;
use async_nats::jetstream::context::{PublishError, PublishErrorKind};
use async_nats::jetstream::message::StreamMessage;
use async_nats::jetstream::stream::{LastRawMessageErrorKind, Stream};
use async_nats::jetstream::{Error as ServerError, ErrorCode};

use super::decision::{Reading, Writing};
use super::record::LeaseRecord;
use crate::fleet::millis;
use crate::site::Site;

/// What a key-value bucket marks deleted keys by (NATS ADR-8).
const OPERATION: &str = "KV-Operation";
/// The revision that a write replaces.
const EXPECTED: &str = "Nats-Expected-Last-Subject-Sequence";

/// What lies under a key.
#[derive(Debug)]
pub(crate) enum Looked {
    /// A record.
    Found {
        /// Its revision.
        revision: u64,
        /// What it says.
        record: LeaseRecord,
        /// When the servers stored it, by their clock, in milliseconds since 1970.
        written_millis: i64,
    },
    /// None.
    Absent {
        /// The revision of what was deleted, or 0.
        revision: u64,
    },
    /// No answer, or none that can be read, and why.
    Unknown(String),
}

/// One key of the bucket.
#[derive(Debug, Clone)]
pub(crate) struct Bucket {
    context: Context,
    stream: Stream<()>,
    subject: String,
    patience: Duration,
}

impl Bucket {
    /// The key of a partition. Answers are waited for so long.
    pub(crate) async fn open(
        context: Context,
        site: &Site,
        partition: u32,
        patience: Duration,
    ) -> Result<Self, crate::FleetError> {
        let name = site.bucket_stream();
        let stream = context
            .get_stream_no_info(&name)
            .await
            .map_err(|error| crate::FleetError::server(format!("open the bucket {name}"), error))?;
        Ok(Self { context, stream, subject: site.lease_subject(partition), patience })
    }

    /// Reads the newest revision, for the decision.
    pub(crate) async fn read(&self) -> Reading {
        match self.look().await {
            Looked::Found { revision, record, .. } => Reading::Found { revision, record },
            Looked::Absent { revision } => Reading::Absent { revision },
            Looked::Unknown(why) => {
                tracing::debug!(subject = %self.subject, why = ?why, "the lease was not read");
                Reading::Unknown
            }
        }
    }

    /// Reads the newest revision, for people.
    pub(crate) async fn look(&self) -> Looked {
        let asked = self.stream.get_last_raw_message_by_subject(&self.subject);
        match tokio::time::timeout(self.patience, asked).await {
            Err(_) => Looked::Unknown("no answer in time".into()),
            Ok(Ok(message)) => found(&message),
            Ok(Err(error)) if error.kind() == LastRawMessageErrorKind::NoMessageFound => {
                Looked::Absent { revision: 0 }
            }
            Ok(Err(error)) => Looked::Unknown(error.to_string()),
        }
    }

    /// Writes a record in place of a revision.
    pub(crate) async fn write(&self, expected: u64, record: &LeaseRecord) -> Writing {
        let bytes = match record.to_bytes() {
            Ok(bytes) => bytes,
            Err(error) => {
                tracing::error!(subject = %self.subject, %error, "the lease was not written");
                return Writing::Unknown;
            }
        };
        let mut headers = HeaderMap::new();
        headers.insert(EXPECTED, expected.to_string());
        let stored = async {
            self.context.publish_with_headers(self.subject.clone(), headers, bytes.into()).await?.await
        };
        match tokio::time::timeout(self.patience, stored).await {
            Err(_) => Writing::Unknown,
            Ok(Ok(stored)) => Writing::Stored(stored.sequence),
            Ok(Err(error)) => outcome(&error, expected),
        }
    }
}

fn found(message: &StreamMessage) -> Looked {
    let revision = message.sequence;
    if message.headers.get(OPERATION).is_some() {
        return Looked::Absent { revision };
    }
    match LeaseRecord::parse(&message.payload) {
        Ok(record) => {
            Looked::Found { revision, record, written_millis: millis(message.time.unix_timestamp_nanos()) }
        }
        Err(error) => Looked::Unknown(error.to_string()),
    }
}

/// Whether an error says for certain that another revision was there.
///
/// A leader that has just been elected, or is none any more, may know fewer revisions than the writer. And while
/// another write of the same key is on its way through the replicas, a server answers with
/// `STREAM_WRONG_LAST_SEQUENCE_CONSTANT`, though that write may yet fail. Neither shows that the lease was lost.
fn outcome(error: &PublishError, expected: u64) -> Writing {
    let is_newer = |text: &str| {
        let number = text
            .split("wrong last sequence: ")
            .nth(1)?
            .split(|digit: char| !digit.is_ascii_digit())
            .next()?;
        number.parse::<u64>().ok().map(|there| there > expected || there == 0)
    };
    let source = std::error::Error::source(error).and_then(|source| source.downcast_ref::<ServerError>());
    match (error.kind(), source) {
        (PublishErrorKind::WrongLastSequence, Some(source))
            if source.error_code() == ErrorCode::STREAM_WRONG_LAST_SEQUENCE
                && is_newer(&source.to_string()) != Some(false) =>
        {
            Writing::WrongRevision
        }
        (kind, _) => {
            tracing::debug!(?kind, error = ?error.to_string(), "the lease may not have been written");
            Writing::Unknown
        }
    }
}
