//! Logs that continue each other: the notice with which a log begins that goes on from another, and the notice after
//! which a log is closed.
//!
//! A log has one writer. Where another writer takes its tables over, it begins a log of its own (its own folder, key and
//! origin), whose first entry holds the checkpoint of the log before, signed by that log's key. A log that knows that it
//! was continued says so and takes no further entry.

use tlog::checkpoint::SignedCheckpoint;
use tlog::tree::TreeHash;

use super::{LOG_CLOSED, LOG_CONTINUED, NoticeError, wrong};
use canonical_cbor::{Reader, write};

/// Longest checkpoint of a predecessor in a notice, bytes: less than any checkpoint may have, for an entry has a limit of
/// its own.
pub const MAX_CONTINUED_BYTES: usize = 60_000;
/// Longest origin, bytes.
const MAX_ORIGIN_BYTES: usize = 255;

/// That a log is closed: what belongs to the history of the house, and which log goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Closing {
    /// The first so many entries belong to it, and nothing behind them; at most the notice's own index.
    pub size: u64,
    /// The root of the tree over these entries.
    pub root: TreeHash,
    /// The origin of the log that continues this one, where it is known.
    pub successor: Option<String>,
}

impl Closing {
    /// Whether a notice can be made of it.
    ///
    /// # Errors
    /// [`NoticeError::Successor`].
    pub fn check(&self) -> Result<(), NoticeError> {
        match &self.successor {
            Some(successor) if !is_origin(successor) => {
                Err(NoticeError::Successor(successor.chars().take(80).collect()))
            }
            Some(_) | None => Ok(()),
        }
    }
}

/// Whether this can be the name of a log, and so of its key.
fn is_origin(name: &str) -> bool {
    let is_other = |c: char| c.is_whitespace() || c.is_control() || c == '+';
    (1..=MAX_ORIGIN_BYTES).contains(&name.len()) && !name.contains(is_other)
}

/// The payload of an entry that says which log this one continues. Where the checkpoint is too long with all its
/// signature lines, only those with the log's own name are kept.
///
/// # Errors
/// [`NoticeError::CheckpointLength`].
pub fn encode_continuation(predecessor: &SignedCheckpoint) -> Result<Vec<u8>, NoticeError> {
    let signed = fitting(predecessor)?;
    let mut bytes = Vec::with_capacity(signed.text().len() + 8);
    write::array(&mut bytes, 2);
    write::unsigned(&mut bytes, LOG_CONTINUED);
    write::text(&mut bytes, signed.text());
    Ok(bytes)
}

fn fitting(signed: &SignedCheckpoint) -> Result<SignedCheckpoint, NoticeError> {
    if signed.text().len() <= MAX_CONTINUED_BYTES {
        return Ok(signed.clone());
    }
    let own = signed.signatures().iter().filter(|line| line.name == signed.checkpoint().origin);
    let text = own.fold(format!("{}\n", signed.body()), |text, line| text + &line.to_string());
    if text.len() > MAX_CONTINUED_BYTES {
        return Err(NoticeError::CheckpointLength(text.len()));
    }
    Ok(SignedCheckpoint::parse(&text)?)
}

/// The payload of an entry that closes its log.
///
/// # Errors
/// [`NoticeError::Successor`].
pub fn encode_closing(closing: &Closing) -> Result<Vec<u8>, NoticeError> {
    closing.check()?;
    let mut bytes = Vec::with_capacity(320);
    write::array(&mut bytes, 4);
    write::unsigned(&mut bytes, LOG_CLOSED);
    write::unsigned(&mut bytes, closing.size);
    write::bytes(&mut bytes, &closing.root);
    write::text(&mut bytes, closing.successor.as_deref().unwrap_or_default());
    Ok(bytes)
}

/// What stands behind the kind of a notice of a log that continues another.
pub(super) fn read_continuation(mut reader: Reader<'_>) -> Result<Box<SignedCheckpoint>, NoticeError> {
    let text = reader.text()?;
    if text.len() > MAX_CONTINUED_BYTES {
        return Err(NoticeError::CheckpointLength(text.len()));
    }
    reader.end()?;
    let signed = SignedCheckpoint::parse(text)?;
    if is_origin(&signed.checkpoint().origin) {
        Ok(Box::new(signed))
    } else {
        Err(wrong(0, "an origin of at most 255 bytes in the first line"))
    }
}

/// What stands behind the kind of a notice that closes a log.
pub(super) fn read_closing(mut reader: Reader<'_>) -> Result<Closing, NoticeError> {
    let (size, root) = (reader.unsigned()?, reader.byte_array()?);
    let successor = reader.text()?.to_owned();
    reader.end()?;
    let closing = Closing { size, root, successor: (!successor.is_empty()).then_some(successor) };
    closing.check()?;
    Ok(closing)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use tlog::checkpoint::Checkpoint;
    use tlog::note::SigningKey;
    use tlog::tree::Frontier;

    use super::*;
    use crate::notice::{Notice, parse_notice};

    fn signed() -> SignedCheckpoint {
        let key = SigningKey::from_seed("casino.example/p0/1", &[7; 32]).unwrap();
        let mut frontier = Frontier::default();
        frontier.push_leaf([5; 32]);
        SignedCheckpoint::sign(&Checkpoint::of(key.name(), &frontier), &key).unwrap()
    }

    fn closing() -> Closing {
        Closing { size: 300, root: [9; 32], successor: Some("casino.example/p0/2".to_owned()) }
    }

    #[test]
    fn a_continuation_has_these_bytes_and_comes_back() {
        let signed = signed();
        let length = u8::try_from(signed.text().len()).unwrap();
        let expected = [&[0x82, 0x04, 0x78, length][..], signed.text().as_bytes()].concat();
        let bytes = encode_continuation(&signed).unwrap();
        assert_eq!(bytes, expected);
        assert_eq!(parse_notice(&bytes), Ok(Notice::LogContinued(Box::new(signed))));
        for cut in 0..bytes.len() {
            assert!(parse_notice(&bytes[..cut]).is_err(), "cut at {cut}");
        }
        assert!(parse_notice(&[&bytes[..], b"x"].concat()).is_err());
    }

    #[test]
    fn a_closing_has_these_bytes_and_comes_back() {
        let expected =
            [&[0x84, 0x05, 0x19, 0x01, 0x2c, 0x58, 0x20][..], &[9; 32], b"\x73casino.example/p0/2"].concat();
        let bytes = encode_closing(&closing()).unwrap();
        assert_eq!(bytes, expected);
        assert_eq!(parse_notice(&bytes), Ok(Notice::LogClosed(closing())));
        for cut in 0..bytes.len() {
            assert!(parse_notice(&bytes[..cut]).is_err(), "cut at {cut}");
        }
        assert!(parse_notice(&[&bytes[..], b"x"].concat()).is_err());
        let unknown = Closing { successor: None, ..closing() };
        let bytes = encode_closing(&unknown).unwrap();
        assert_eq!((bytes.last(), parse_notice(&bytes)), (Some(&0x60), Ok(Notice::LogClosed(unknown))));
    }

    #[test]
    fn what_names_no_log_is_refused_by_writer_and_reader() {
        for name in ["two words", "a+b", "line\n", "\u{1b}[2J", &"n".repeat(256)] {
            let wrong = Closing { successor: Some(name.to_owned()), ..closing() };
            assert!(matches!(encode_closing(&wrong), Err(NoticeError::Successor(_))), "{name:?}");
            let mut bytes = encode_closing(&Closing { successor: None, ..closing() }).unwrap();
            bytes.pop();
            write::text(&mut bytes, name);
            assert!(matches!(parse_notice(&bytes), Err(NoticeError::Successor(_))), "{name:?}");
        }
        let mut no_checkpoint = vec![0x82, 0x04];
        write::text(&mut no_checkpoint, "casino.example/p0/1\n");
        assert!(matches!(parse_notice(&no_checkpoint), Err(NoticeError::Checkpoint(_))));
    }

    #[test]
    fn a_checkpoint_with_many_signatures_is_kept_with_those_of_its_log() {
        let own = signed();
        let line = format!("\u{2014} witness.example/w1 {}\n", "AAAA".repeat(900));
        let long = (0..20).fold(own.text().to_owned(), |text, _| text + &line);
        let long = SignedCheckpoint::parse(&long).unwrap();
        let Ok(Notice::LogContinued(kept)) = parse_notice(&encode_continuation(&long).unwrap()) else {
            panic!("no continuation")
        };
        assert_eq!(*kept, own);
        let line = line.replace("witness.example/w1", "casino.example/p0/1");
        let longer = (0..20).fold(own.text().to_owned(), |text, _| text + &line);
        let longer = SignedCheckpoint::parse(&longer).unwrap();
        assert!(matches!(encode_continuation(&longer), Err(NoticeError::CheckpointLength(_))));
    }

    #[test]
    fn the_longest_fits_an_entry() {
        const { assert!(MAX_CONTINUED_BYTES + 1_000 < crate::entry::MAX_ENTRY_BYTES) };
        let longest = Closing { size: u64::MAX, successor: Some("n".repeat(255)), ..closing() };
        assert!(encode_closing(&longest).unwrap().len() < 400);
    }
}
