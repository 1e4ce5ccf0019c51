//! What the log says about itself: the payloads of its own chain, `@log`.
//!
//! ```text
//! [1, statement]                                                         the key passes on
//! [2, [[index, digest (32 bytes)], ...], reason, by, countersigned by]    payloads were erased
//! [3, [[index, digest], ...], reason, by, countersigned by, [line, ...]]  and what went with them
//! [4, checkpoint]                                                        this log continues another
//! [5, size, root (32 bytes), successor]                                  this log is closed
//! ```
//! Deterministic CBOR in its shortest spelling, as an entry is.

mod own_chain;
mod succession;

pub(crate) use own_chain::check_own;
pub use own_chain::{OwnChain, OwnChainError};
pub use succession::{Closing, MAX_CONTINUED_BYTES, encode_closing, encode_continuation};

use crate::entry::check_name;
use crate::entry::{Digest, EntryError, NameError};
use crate::keys::{KeyRotation, RotationError};
use canonical_cbor::{Reader, write};
use tlog::checkpoint::{CheckpointError, SignedCheckpoint};

/// Who is named as the producer of a notice.
pub const LOG_PRODUCER: &str = "audit";
/// Most entries one notice may name.
pub const MAX_REDACTED: usize = 1_000;
/// Longest reason, bytes.
pub const MAX_REASON_BYTES: usize = 1_000;

/// Most lines that say what goes with erased payloads.
pub const MAX_GONE: usize = 64;
/// Longest of these lines, bytes.
pub const MAX_GONE_BYTES: usize = 200;

const KEY_ROTATED: u64 = 1;
const ENTRIES_REDACTED: u64 = 2;
/// The same with what goes with them.
const ENTRIES_REDACTED_WITH: u64 = 3;
const LOG_CONTINUED: u64 = 4;
const LOG_CLOSED: u64 = 5;

/// One notice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// The log's key is rotated.
    KeyRotated(Box<KeyRotation>),
    /// The payloads of these entries are erased from the store.
    EntriesRedacted(Redaction),
    /// This log continues another: the checkpoint of that one, whose signatures are not checked here.
    LogContinued(Box<SignedCheckpoint>),
    /// This log is closed.
    LogClosed(Closing),
    /// A notice of a newer kind.
    Unknown {
        /// Its number.
        kind: u64,
    },
}

/// Payloads that are erased: which, why, and who answers for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redaction {
    /// Log index and digest of each entry, in log order, 1 to [`MAX_REDACTED`].
    pub entries: Vec<(u64, Digest)>,
    /// Why, 1 to [`MAX_REASON_BYTES`] bytes.
    pub reason: String,
    /// Who had it done (a name, as producers and tables have).
    pub by: String,
    /// Who signed with them: somebody else.
    pub countersigned_by: String,
    /// What was known of these entries and can be shown no more, a line each: at most [`MAX_GONE`] of 1 to
    /// [`MAX_GONE_BYTES`] bytes without control characters. What they say is not known here.
    pub gone_with_them: Vec<String>,
}

/// Why a notice cannot be written or read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoticeError {
    /// Not the one allowed spelling.
    #[error("not a notice of the log: {0}")]
    Form(#[from] EntryError),
    /// A rotation that is not believed.
    #[error(transparent)]
    Rotation(#[from] RotationError),
    /// A name is not one.
    #[error("the notice names `{name}`: {why}")]
    Name {
        /// What stands there.
        name: String,
        /// What is wrong with it.
        why: NameError,
    },
    /// Two people have to answer for it.
    #[error("`{0}` cannot countersign for themselves: two people are needed")]
    OneSigner(String),
    /// No reason, or a novel.
    #[error("a reason has 1 to {MAX_REASON_BYTES} bytes; this one has {0}")]
    Reason(usize),
    /// None, too many, or not in log order.
    #[error("a notice names 1 to {MAX_REDACTED} entries, each once, in log order")]
    Entries,
    /// It names an entry that does not stand before it.
    #[error("the notice names entry {0} as erased, and no such entry stands before it")]
    NotBefore(u64),
    /// It names an entry with a digest that is not the entry's.
    #[error("the notice names entry {0} as erased, with a digest that is not that entry's")]
    OtherDigest(u64),
    /// A notice of a kind that only newer programs know.
    #[error("a notice of kind {0} is not known to this program")]
    UnknownKind(u64),
    /// The checkpoint of the log before is none.
    #[error("the log that this one continues: {0}")]
    Checkpoint(#[from] CheckpointError),
    /// It is too long for an entry.
    #[error(
        "the checkpoint of the log that this one continues has {0} bytes; an entry holds at most \
         {MAX_CONTINUED_BYTES} of it"
    )]
    CheckpointLength(usize),
    /// A log says which one it continues in its first entry, or not at all.
    #[error("it says which log this one continues, and only the first entry of a log may say so")]
    NotFirst,
    /// A log that continues itself, or is continued by itself.
    #[error("it names this log itself, `{0}`, as the one before or behind it")]
    Itself(String),
    /// The name of the log behind is none.
    #[error(
        "`{0}` cannot be the log that continues this one: a log's name has 1 to 255 bytes without spaces, \
         control characters or `+`"
    )]
    Successor(String),
    /// It closes the log at a size that it did not have.
    #[error("it closes the log after {0} entries, and fewer stand before it")]
    ClosedBeyond(u64),
    /// It closes the log with a root that is not that of the entries.
    #[error("it closes the log after {0} entries, with a root that is not theirs")]
    ClosedRoot(u64),
    /// Too many lines, or one that is none.
    #[error(
        "what goes with erased payloads is said in at most {MAX_GONE} lines of 1 to {MAX_GONE_BYTES} bytes \
         without control characters"
    )]
    Gone,
}

impl Notice {
    /// Whether it may stand behind the notice that closes a log: erasing payloads where a law asks for it stays possible.
    #[must_use]
    pub(crate) const fn may_follow_closing(&self) -> bool {
        match self {
            Self::EntriesRedacted(_) => true,
            Self::KeyRotated(_) | Self::LogContinued(_) | Self::LogClosed(_) | Self::Unknown { .. } => false,
        }
    }
}

impl Redaction {
    /// Whether a notice can be made of it.
    ///
    /// # Errors
    /// [`NoticeError`] says what is missing.
    pub fn check(&self) -> Result<(), NoticeError> {
        for name in [&self.by, &self.countersigned_by] {
            check_name(name.as_bytes()).map_err(|why| NoticeError::Name { name: name.clone(), why })?;
        }
        if self.by == self.countersigned_by {
            return Err(NoticeError::OneSigner(self.by.clone()));
        }
        if self.reason.trim().is_empty() || self.reason.len() > MAX_REASON_BYTES {
            return Err(NoticeError::Reason(self.reason.len()));
        }
        let is_line =
            |line: &String| (1..=MAX_GONE_BYTES).contains(&line.len()) && !line.contains(char::is_control);
        if self.gone_with_them.len() > MAX_GONE || !self.gone_with_them.iter().all(is_line) {
            return Err(NoticeError::Gone);
        }
        let ordered = self.entries.is_sorted_by(|one, next| one.0 < next.0);
        if ordered && (1..=MAX_REDACTED).contains(&self.entries.len()) {
            Ok(())
        } else {
            Err(NoticeError::Entries)
        }
    }
}

impl From<Box<canonical_cbor::Error>> for NoticeError {
    fn from(error: Box<canonical_cbor::Error>) -> Self {
        Self::Form(error.into())
    }
}

/// The payload of an entry that gives notice of erased payloads.
///
/// # Errors
/// [`NoticeError`] says what is missing.
pub fn encode_redaction(redaction: &Redaction) -> Result<Vec<u8>, NoticeError> {
    redaction.check()?;
    let mut bytes = Vec::with_capacity(48 * redaction.entries.len() + 256);
    let gone = &redaction.gone_with_them;
    let (fields, kind) = if gone.is_empty() { (5, ENTRIES_REDACTED) } else { (6, ENTRIES_REDACTED_WITH) };
    write::array(&mut bytes, fields);
    write::unsigned(&mut bytes, kind);
    write::array(&mut bytes, redaction.entries.len() as u64);
    for (index, digest) in &redaction.entries {
        write::array(&mut bytes, 2);
        write::unsigned(&mut bytes, *index);
        write::bytes(&mut bytes, digest.as_bytes());
    }
    write::text(&mut bytes, &redaction.reason);
    write::text(&mut bytes, &redaction.by);
    write::text(&mut bytes, &redaction.countersigned_by);
    if !gone.is_empty() {
        write::array(&mut bytes, gone.len() as u64);
        gone.iter().for_each(|line| write::text(&mut bytes, line));
    }
    Ok(bytes)
}

/// The payload of an entry that gives notice of a rotation.
#[must_use]
pub fn encode_rotation(rotation: &KeyRotation) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(rotation.statement().len() + 8);
    write::array(&mut bytes, 2);
    write::unsigned(&mut bytes, KEY_ROTATED);
    write::text(&mut bytes, rotation.statement());
    bytes
}

/// Reads the payload of an entry on the log's own chain.
///
/// # Errors
/// [`NoticeError`] when it is none; a kind this program does not know is no error.
pub fn parse_notice(payload: &[u8]) -> Result<Notice, NoticeError> {
    let mut reader = Reader::new(payload);
    let (fields, kind) = (reader.array("an array of known length")?, reader.unsigned()?);
    match (kind, fields) {
        (KEY_ROTATED, 2) => {
            let statement = reader.text()?;
            reader.end()?;
            Ok(Notice::KeyRotated(Box::new(KeyRotation::parse(statement)?)))
        }
        (KEY_ROTATED, _) => Err(wrong(0, "an array of 2 fields")),
        (ENTRIES_REDACTED, 5) => read_redaction(reader, false).map(Notice::EntriesRedacted),
        (ENTRIES_REDACTED, _) => Err(wrong(0, "an array of 5 fields")),
        (ENTRIES_REDACTED_WITH, 6) => read_redaction(reader, true).map(Notice::EntriesRedacted),
        (ENTRIES_REDACTED_WITH, _) => Err(wrong(0, "an array of 6 fields")),
        (LOG_CONTINUED, 2) => succession::read_continuation(reader).map(Notice::LogContinued),
        (LOG_CONTINUED, _) => Err(wrong(0, "an array of 2 fields")),
        (LOG_CLOSED, 4) => succession::read_closing(reader).map(Notice::LogClosed),
        (LOG_CLOSED, _) => Err(wrong(0, "an array of 4 fields")),
        (kind, _) => Ok(Notice::Unknown { kind }),
    }
}

fn read_redaction(mut reader: Reader<'_>, with_gone: bool) -> Result<Redaction, NoticeError> {
    let count = reader.array("an array of known length")?;
    if count > MAX_REDACTED as u64 {
        return Err(NoticeError::Entries);
    }
    let mut entries = Vec::new();
    for _ in 0..count {
        if reader.array("an array of known length")? != 2 {
            return Err(wrong(reader.at(), "an array of 2 fields"));
        }
        entries.push((reader.unsigned()?, Digest::from_bytes(reader.byte_array()?)));
    }
    let (reason, by, countersigned_by) = (reader.text()?, reader.text()?, reader.text()?);
    let (reason, by, countersigned_by) = (reason.to_owned(), by.to_owned(), countersigned_by.to_owned());
    let gone_with_them = if with_gone { read_lines(&mut reader)? } else { Vec::new() };
    reader.end()?;
    let redaction = Redaction { entries, reason, by, countersigned_by, gone_with_them };
    redaction.check()?;
    Ok(redaction)
}

/// At least one, or the notice would have two spellings.
fn read_lines(reader: &mut Reader<'_>) -> Result<Vec<String>, NoticeError> {
    let count = reader.array("an array of known length")?;
    if !(1..=MAX_GONE as u64).contains(&count) {
        return Err(NoticeError::Gone);
    }
    let lines = (0..count).map(|_| Ok(reader.text()?.to_owned()));
    lines.collect()
}

const fn wrong(at: usize, why: &'static str) -> NoticeError {
    NoticeError::Form(EntryError::Malformed { at, why })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn redaction() -> Redaction {
        Redaction {
            entries: vec![(7, Digest::of(b"seven")), (300, Digest::of(b"three hundred"))],
            reason: "art. 17".to_owned(),
            by: "dpo".to_owned(),
            countersigned_by: "director".to_owned(),
            gone_with_them: Vec::new(),
        }
    }

    #[test]
    fn a_redaction_has_these_bytes_and_comes_back() {
        let mut expected = vec![0x85, 0x02, 0x82, 0x82, 0x07, 0x58, 0x20];
        expected.extend_from_slice(Digest::of(b"seven").as_bytes());
        expected.extend_from_slice(&[0x82, 0x19, 0x01, 0x2c, 0x58, 0x20]);
        expected.extend_from_slice(Digest::of(b"three hundred").as_bytes());
        expected.extend_from_slice(b"\x67art. 17\x63dpo\x68director");
        let bytes = encode_redaction(&redaction()).unwrap();
        assert_eq!(bytes, expected);
        assert_eq!(parse_notice(&bytes), Ok(Notice::EntriesRedacted(redaction())));
        for cut in 0..bytes.len() {
            assert!(parse_notice(&bytes[..cut]).is_err(), "cut at {cut}");
        }
        assert!(parse_notice(&[&bytes[..], b"x"].concat()).is_err());
    }

    #[test]
    fn what_goes_with_a_redaction_stands_behind_it_and_readers_of_before_pass_over_it() {
        let lines = vec!["payout-over at table PB-01".to_owned(), "one more".to_owned()];
        let with = Redaction { gone_with_them: lines, ..redaction() };
        let (before, bytes) = (encode_redaction(&redaction()).unwrap(), encode_redaction(&with).unwrap());
        let mut expected = vec![0x86, 0x03];
        expected.extend_from_slice(&before[2..]);
        expected.extend_from_slice(b"\x82\x78\x1apayout-over at table PB-01\x68one more");
        assert_eq!(bytes, expected);
        assert_eq!(parse_notice(&bytes), Ok(Notice::EntriesRedacted(with)));
        for cut in 0..bytes.len() {
            assert!(parse_notice(&bytes[..cut]).is_err(), "cut at {cut}");
        }
        let none = [&[0x86, 0x03], &before[2..], &[0x80]].concat();
        assert_eq!(parse_notice(&none), Err(NoticeError::Gone), "that would be a second spelling");
    }

    #[test]
    fn the_largest_fits_an_entry() {
        let entries = (0..MAX_REDACTED as u64).map(|n| (u64::MAX - 2_000 + n, Digest::ZERO)).collect();
        let name = "n".repeat(64);
        let largest = Redaction {
            entries,
            reason: "r".repeat(MAX_REASON_BYTES),
            by: name.clone(),
            countersigned_by: format!("{}m", &name[1..]),
            gone_with_them: vec!["g".repeat(MAX_GONE_BYTES); MAX_GONE],
        };
        assert!(encode_redaction(&largest).unwrap().len() + 200 < crate::entry::MAX_ENTRY_BYTES);
    }

    #[test]
    fn two_people_a_reason_and_entries_are_needed() {
        let bend = |bend: &dyn Fn(&mut Redaction)| {
            let mut bent = redaction();
            bend(&mut bent);
            bent.check().unwrap_err()
        };
        assert_eq!(
            bend(&|r| r.countersigned_by = "dpo".to_owned()),
            NoticeError::OneSigner("dpo".to_owned())
        );
        assert!(matches!(bend(&|r| r.by = String::new()), NoticeError::Name { .. }));
        assert_eq!(bend(&|r| r.reason = "  ".to_owned()), NoticeError::Reason(2));
        assert_eq!(bend(&|r| r.reason = "x".repeat(1_001)), NoticeError::Reason(1_001));
        assert_eq!(bend(&|r| r.entries.clear()), NoticeError::Entries);
        assert_eq!(bend(&|r| r.entries.swap(0, 1)), NoticeError::Entries);
        for line in ["", "two\nlines", "\u{1b}[2J", &"x".repeat(201)] {
            assert_eq!(bend(&|r| r.gone_with_them = vec![line.to_owned()]), NoticeError::Gone);
        }
        assert_eq!(bend(&|r| r.gone_with_them = vec!["x".to_owned(); 65]), NoticeError::Gone);
    }

    #[test]
    fn newer_kinds_are_kept_apart() {
        assert_eq!(parse_notice(&[0x82, 0x09, 0x00]), Ok(Notice::Unknown { kind: 9 }));
        assert!(parse_notice(&[0x82, 0x02, 0x00]).is_err());
        assert!(parse_notice(b"").is_err());
    }
}
