//! An entry's bytes: a deterministic CBOR array of eight, written and read in one way only.
//!
//! ```text
//! [1, producer, chain, first, count, previous (32 bytes), received_at, payload]
//! ```
//! What the payload means is not known here.

mod digest;
mod name;

pub use digest::{Digest, DigestError};
pub(crate) use name::check_name;
pub use name::{ChainName, LOG_CHAIN, Name, NameError, ProducerId};

use canonical_cbor::write::{self, head_len, integer_argument};
use canonical_cbor::{Problem, Reader};

/// Version of the entry format that is written and read.
/// History: 1 (first).
pub const ENTRY_VERSION: u64 = 1;

/// Longest entry in bytes, header included (60 KiB).
pub const MAX_ENTRY_BYTES: usize = 61_440;

/// Most positions one entry may cover.
pub const MAX_ENTRY_COUNT: u32 = 4_096;

/// Bytes before an entry's producer: the CBOR head of the array, and the version.
pub(crate) const BEFORE_PRODUCER: usize = 2;

/// Everything of an entry but its payload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryHeader {
    /// Who handed the entry in.
    pub producer: ProducerId,
    /// The chain the entry belongs to.
    pub chain: ChainName,
    /// Chain position of the first event, from 1.
    pub first: u64,
    /// How many consecutive positions the entry covers, 1 to [`MAX_ENTRY_COUNT`].
    pub count: u32,
    /// Digest of the chain's previous entry, [`Digest::ZERO`] for the first.
    pub previous: Digest,
    /// When the log received it, microseconds since 1970 UTC.
    pub received_at: i64,
}

/// An entry borrowed from its bytes: the fields of [`EntryHeader`] and the payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EntryView<'a> {
    /// Who handed the entry in (a well-formed [`ProducerId`]).
    pub producer: &'a str,
    /// The chain the entry belongs to (a well-formed [`ChainName`]).
    pub chain: &'a str,
    /// Chain position of the first event, from 1.
    pub first: u64,
    /// How many consecutive positions the entry covers, 1 to [`MAX_ENTRY_COUNT`].
    pub count: u32,
    /// Digest of the chain's previous entry.
    pub previous: Digest,
    /// When the log received it, microseconds since 1970 UTC.
    pub received_at: i64,
    /// What was handed in.
    pub payload: &'a [u8],
}

impl EntryView<'_> {
    /// Highest chain position the entry covers; cannot overflow in a parsed entry.
    #[must_use]
    pub fn last(&self) -> u64 {
        self.first.saturating_add(u64::from(self.count) - 1)
    }
}

/// Why bytes are not an entry, or an entry cannot be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EntryError {
    /// The entry says it is of a format this program does not know.
    #[error("entry format version {0} is not known; this program reads version {ENTRY_VERSION}")]
    UnknownVersion(u64),
    /// Not the one allowed spelling.
    #[error("not a well-formed entry at byte {at}: {why}")]
    Malformed {
        /// Offset in the entry's bytes.
        at: usize,
        /// What was expected.
        why: &'static str,
    },
    /// The entry is longer than [`MAX_ENTRY_BYTES`].
    #[error("an entry may have at most {MAX_ENTRY_BYTES} bytes; this one has {0}")]
    TooLong(usize),
    /// The producer id is not a name.
    #[error("producer id: {0}")]
    Producer(NameError),
    /// The chain name is not a name.
    #[error("chain name: {0}")]
    Chain(NameError),
    /// The chain is the log's own.
    #[error("the chain `{LOG_CHAIN}` is the log's own; nothing else is recorded there")]
    ReservedChain,
    /// Positions start at 1.
    #[error("the first position is 0; positions start at 1")]
    ZeroFirst,
    /// The number of positions is out of range.
    #[error("the entry covers {0} positions; 1 to {MAX_ENTRY_COUNT} are allowed")]
    Count(u64),
    /// The last position would not fit 64 bits.
    #[error("positions {first} and {count} more pass the largest 64-bit number")]
    Overflow {
        /// First position.
        first: u64,
        /// How many positions.
        count: u32,
    },
}

impl From<Box<canonical_cbor::Error>> for EntryError {
    fn from(error: Box<canonical_cbor::Error>) -> Self {
        let why = match error.problem {
            Problem::Other { expected, .. } => expected,
            Problem::CutOff => "more bytes; the entry is cut off",
            Problem::NotShortest(_) => "the shortest spelling of a number",
            Problem::Indefinite => "an item of known length",
            Problem::IntegerTooLarge => "a signed 64-bit number",
            Problem::NotUtf8 => "text in UTF-8",
            Problem::Length(_) => "a byte string of 32 bytes",
            Problem::TooDeep | Problem::Foreign(_) => "an item that occurs in an entry",
            Problem::Surplus => "the entry's end, but more bytes follow",
        };
        Self::Malformed { at: error.at, why }
    }
}

/// The bytes of an entry.
///
/// # Errors
/// [`EntryError::ZeroFirst`], [`EntryError::Count`], [`EntryError::Overflow`] or
/// [`EntryError::TooLong`]; names are well-formed by their type.
pub fn encode_entry(header: &EntryHeader, payload: &[u8]) -> Result<Vec<u8>, EntryError> {
    let EntryHeader { producer, chain, first, count, previous, received_at } = header;
    let length = check_entry(producer, chain, *first, *count, *received_at, payload.len())?;
    let mut bytes = Vec::with_capacity(length);
    write::array(&mut bytes, 8);
    write::unsigned(&mut bytes, ENTRY_VERSION);
    write::text(&mut bytes, producer.as_str());
    write::text(&mut bytes, chain.as_str());
    write::unsigned(&mut bytes, *first);
    write::unsigned(&mut bytes, u64::from(*count));
    write::bytes(&mut bytes, previous.as_bytes());
    write::integer(&mut bytes, *received_at);
    write::bytes(&mut bytes, payload);
    Ok(bytes)
}

/// The length in bytes of the entry with these fields, when there can be one.
pub(crate) fn check_entry(
    producer: &ProducerId,
    chain: &ChainName,
    first: u64,
    count: u32,
    received_at: i64,
    payload: usize,
) -> Result<usize, EntryError> {
    check_positions(first, u64::from(count))?;
    let (producer, chain) = (producer.as_str().len(), chain.as_str().len());
    let arguments = [
        producer as u64,
        chain as u64,
        first,
        u64::from(count),
        integer_argument(received_at),
        payload as u64,
    ];
    // Array and version are one byte each, the digest 2 + 32.
    let fixed = 2 + 34 + producer + chain + arguments.into_iter().map(head_len).sum::<usize>();
    match fixed.checked_add(payload) {
        Some(length @ ..=MAX_ENTRY_BYTES) => Ok(length),
        length => Err(EntryError::TooLong(length.unwrap_or(usize::MAX))),
    }
}

/// Reads an entry without copying it. Accepts its one allowed spelling only.
///
/// # Errors
/// [`EntryError`] names the byte and what was expected there; [`EntryError::UnknownVersion`] when
/// only the format version stands in the way.
pub fn parse_entry(bytes: &[u8]) -> Result<EntryView<'_>, EntryError> {
    if bytes.len() > MAX_ENTRY_BYTES {
        return Err(EntryError::TooLong(bytes.len()));
    }
    let mut reader = Reader::new(bytes);
    let fields = reader.array("an array of known length")?;
    let version = reader.unsigned()?;
    if version != ENTRY_VERSION {
        return Err(EntryError::UnknownVersion(version));
    }
    if fields != 8 {
        return Err(EntryError::Malformed { at: 0, why: "an array of 8 fields" });
    }
    let header = read_header(&mut reader)?;
    let payload = reader.bytes()?;
    reader.end()?;
    Ok(EntryView { payload, ..header })
}

/// The six fields an entry shares with its redacted form; the payload is left empty.
pub(crate) fn read_header<'a>(reader: &mut Reader<'a>) -> Result<EntryView<'a>, EntryError> {
    let producer = reader.text()?;
    check_name(producer.as_bytes()).map_err(EntryError::Producer)?;
    let chain = reader.text()?;
    check_name(chain.as_bytes()).map_err(EntryError::Chain)?;
    let first = reader.unsigned()?;
    let count = check_positions(first, reader.unsigned()?)?;
    let previous = Digest::from_bytes(reader.byte_array()?);
    let received_at = reader.integer()?;
    Ok(EntryView { producer, chain, first, count, previous, received_at, payload: &[] })
}

/// Where a parsed entry's chain name begins behind the fields that come before its producer.
pub(crate) fn chain_name_offset(view: &EntryView<'_>, before: usize) -> usize {
    let (producer, chain) = (view.producer.len(), view.chain.len());
    before + head_len(producer as u64) + producer + head_len(chain as u64)
}

fn check_positions(first: u64, count: u64) -> Result<u32, EntryError> {
    if first == 0 {
        return Err(EntryError::ZeroFirst);
    }
    let small = match u32::try_from(count) {
        Ok(small) if (1..=MAX_ENTRY_COUNT).contains(&small) => small,
        Ok(_) | Err(_) => return Err(EntryError::Count(count)),
    };
    match first.checked_add(count) {
        Some(_) => Ok(small),
        None => Err(EntryError::Overflow { first, count: small }),
    }
}

#[cfg(test)]
mod tests;
