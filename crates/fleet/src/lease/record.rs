//! The record of a lease, as it lies in the bucket: JSON, format 1.
//!
//! | version | what changed |
//! |---|---|
//! | 1 | the first |

use serde::{Deserialize, Serialize};

/// The format that is written, and the only one that is read.
pub const FORMAT: u64 = 1;
/// Longest record that is written or read, in bytes. A checkpoint with a dozen cosignatures has some kilobytes.
pub const MAX_RECORD_BYTES: usize = 64 * 1024;

/// What was committed to a log: everything below `size` was acknowledged, or may have been.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Committed {
    /// The origin of the log. Empty while nothing was committed.
    pub origin: String,
    /// How many entries the log has.
    pub size: u64,
    /// The signed checkpoint of this size, as text.
    pub checkpoint: String,
    /// Every message of the partition up to this sequence of the stream is settled: its events are below `size`, or in a
    /// log before this one, or it was refused and is kept as such. 0: none is. An intake sets it.
    #[serde(default)]
    pub message: u64,
    /// When the newest of these messages was stored, by the servers' clock, in milliseconds since 1970. A stream that was
    /// lost gives their places to other messages, which are stored later. 0: not known.
    #[serde(default)]
    pub message_millis: i64,
}

impl Committed {
    /// Whether a message at this place of the stream, stored at this time, is settled.
    #[must_use]
    pub fn settles(&self, place: u64, stored_millis: i64) -> bool {
        (1..=self.message).contains(&place) && stored_millis <= self.message_millis
    }
}

/// Who holds a partition, and what was committed for it.
///
/// After a takeover `committed` goes on describing the predecessor's log until the new holder has committed: so a
/// holder that dies before its first commit hides nothing from the next one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeaseRecord {
    /// [`FORMAT`].
    pub format: u64,
    /// One more at each takeover, from 1.
    pub epoch: u64,
    /// The name of the holder, for people.
    pub holder: String,
    /// Which run of which program holds it: random, so that two holders of one name are not taken for one.
    pub instance: String,
    /// Counts what this instance has written, so that a write of unknown outcome can be recognised.
    pub write: u64,
    /// The time to live that the holder goes by, in milliseconds. A candidate watches at least for so long.
    pub ttl_millis: u64,
    /// The newest commit.
    #[serde(flatten)]
    pub committed: Committed,
    /// What was committed when this holder took over: up to there the log of its predecessor counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Box<Committed>>,
    /// The instance that gave the partition up: if it is the one that holds it, a candidate need not wait.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub released_by: Option<String>,
    /// Fields of newer programs, kept as they are.
    #[serde(flatten)]
    pub others: serde_json::Map<String, serde_json::Value>,
}

/// Why a record is not one that this program reads.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// Too long to be read.
    #[error("the lease has {0} bytes, and at most {MAX_RECORD_BYTES} are read")]
    TooLong(usize),
    /// Not the JSON of a lease.
    #[error("the lease cannot be read: {0}")]
    Illegible(String),
    /// Of another program.
    #[error(
        "the lease has format {0}, and this program reads format {FORMAT}: use the version that wrote it"
    )]
    Format(u64),
}

impl LeaseRecord {
    /// Whether its holder has given the partition up.
    #[must_use]
    pub fn is_released(&self) -> bool {
        self.released_by.as_ref() == Some(&self.instance)
    }

    /// Reads a record.
    ///
    /// # Errors
    /// [`RecordError`].
    pub fn parse(bytes: &[u8]) -> Result<Self, RecordError> {
        #[derive(Deserialize)]
        struct Versioned {
            format: u64,
        }
        if bytes.len() > MAX_RECORD_BYTES {
            return Err(RecordError::TooLong(bytes.len()));
        }
        let illegible = |error: serde_json::Error| RecordError::Illegible(error.to_string());
        let Versioned { format } = serde_json::from_slice(bytes).map_err(illegible)?;
        if format != FORMAT {
            return Err(RecordError::Format(format));
        }
        serde_json::from_slice(bytes).map_err(illegible)
    }

    /// The bytes to store.
    ///
    /// # Errors
    /// [`RecordError`] if it is longer than what is read.
    pub fn to_bytes(&self) -> Result<Vec<u8>, RecordError> {
        let bytes = serde_json::to_vec(self).map_err(|error| RecordError::Illegible(error.to_string()))?;
        if bytes.len() > MAX_RECORD_BYTES {
            return Err(RecordError::TooLong(bytes.len()));
        }
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::{Committed, LeaseRecord, MAX_RECORD_BYTES, RecordError};

    const STORED: &str = r#"{"format":1,"epoch":7,"holder":"pit-2","instance":"00ff","write":12,"ttl_millis":8000,
        "origin":"casino.example/3","size":40,"checkpoint":"casino.example/3\n40\n","colour":"red"}"#;

    #[test]
    fn a_stored_record_is_read_and_unknown_fields_are_kept() {
        let record = LeaseRecord::parse(STORED.as_bytes()).expect("a record");
        assert_eq!((record.epoch, record.write, record.committed.size), (7, 12, 40));
        assert_eq!(record.others["colour"], "red");
        assert_eq!(record.others.len(), 1);
        let again = LeaseRecord::parse(&record.to_bytes().expect("short")).expect("a record");
        assert_eq!(again, record);
    }

    #[test]
    fn a_place_that_was_given_again_is_not_settled() {
        let committed = Committed { message: 40, message_millis: 1_000, ..Committed::default() };
        assert!(committed.settles(40, 1_000) && committed.settles(1, 10));
        assert!(!committed.settles(41, 1_000), "it came later");
        assert!(
            !committed.settles(40, 1_001),
            "the stream was lost, and has given the place to another message"
        );
        assert!(!committed.settles(0, 0), "the servers did not say which it is");
        let of_an_earlier_program = Committed { message: 40, ..Committed::default() };
        assert!(!of_an_earlier_program.settles(40, 900), "rather twice than never");
    }

    #[test]
    fn only_the_holder_gives_its_partition_up() {
        let mut record = LeaseRecord::parse(STORED.as_bytes()).expect("a record");
        assert!(!record.is_released());
        record.released_by = Some("another".into());
        assert!(!record.is_released(), "of a holder before");
        record.released_by = Some(record.instance.clone());
        assert!(record.is_released());
    }

    #[test]
    fn what_is_no_record_says_why() {
        let newer = STORED.replace("\"format\":1", "\"format\":2");
        assert_eq!(LeaseRecord::parse(newer.as_bytes()), Err(RecordError::Format(2)));
        assert!(matches!(LeaseRecord::parse(b"{}"), Err(RecordError::Illegible(_))));
        let long = vec![b' '; MAX_RECORD_BYTES + 1];
        assert_eq!(LeaseRecord::parse(&long), Err(RecordError::TooLong(MAX_RECORD_BYTES + 1)));
    }
}
