//! The few CBOR items that entries and receipts are made of, in their shortest spelling only (RFC 8949 section 4.2).
//!
//! Own code because the libraries accept what must be refused here: longer spellings of a number.

use crate::EntryError;

const UNSIGNED: u8 = 0;
const NEGATIVE: u8 = 1;
const BYTES: u8 = 2;
const TEXT: u8 = 3;
const ARRAY: u8 = 4;
const MAP: u8 = 5;
const TAG: u8 = 6;
const SIMPLE: u8 = 7;
/// The simple value that stands for nothing.
const NULL: u64 = 22;

/// Writes items in their shortest spelling.
pub(crate) struct Writer(Vec<u8>);

impl Writer {
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        Self(Vec::with_capacity(bytes))
    }

    pub(crate) fn array(&mut self, fields: u64) {
        self.head(ARRAY, fields);
    }

    pub(crate) fn uint(&mut self, value: u64) {
        self.head(UNSIGNED, value);
    }

    pub(crate) fn int(&mut self, value: i64) {
        self.head(if value < 0 { NEGATIVE } else { UNSIGNED }, int_argument(value));
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.head(TEXT, text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.head(BYTES, bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    pub(crate) fn map(&mut self, pairs: u64) {
        self.head(MAP, pairs);
    }

    pub(crate) fn tag(&mut self, tag: u64) {
        self.head(TAG, tag);
    }

    pub(crate) fn null(&mut self) {
        self.head(SIMPLE, NULL);
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    fn head(&mut self, major: u8, argument: u64) {
        let major = major << 5;
        let wide = argument.to_be_bytes();
        match argument {
            0..=23 => self.0.push(major | wide[7]),
            24..=0xff => self.0.extend_from_slice(&[major | 24, wide[7]]),
            0x100..=0xffff => self.tail(major | 25, &wide[6..]),
            0x1_0000..=0xffff_ffff => self.tail(major | 26, &wide[4..]),
            0x1_0000_0000.. => self.tail(major | 27, &wide),
        }
    }

    fn tail(&mut self, first: u8, rest: &[u8]) {
        self.0.push(first);
        self.0.extend_from_slice(rest);
    }
}

/// The number behind an item's first byte for a signed value: -1 - value for a negative one, which
/// is the complement of its bits.
pub(crate) const fn int_argument(value: i64) -> u64 {
    if value < 0 { !value as u64 } else { value as u64 }
}

/// How many bytes an item's head takes.
pub(crate) const fn head_bytes(argument: u64) -> usize {
    match argument {
        0..=23 => 1,
        24..=0xff => 2,
        0x100..=0xffff => 3,
        0x1_0000..=0xffff_ffff => 5,
        0x1_0000_0000.. => 9,
    }
}

/// Reads items, refusing every spelling but the shortest.
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub(crate) fn array(&mut self) -> Result<u64, EntryError> {
        self.head(ARRAY, "an array of known length")
    }

    pub(crate) fn uint(&mut self) -> Result<u64, EntryError> {
        self.head(UNSIGNED, "an unsigned number")
    }

    pub(crate) fn int(&mut self) -> Result<i64, EntryError> {
        let start = self.at;
        let (major, argument) = self.any_head()?;
        let Ok(value) = i64::try_from(argument) else {
            return Err(EntryError::Malformed { at: start, why: "a signed 64-bit number" });
        };
        match major {
            UNSIGNED => Ok(value),
            NEGATIVE => Ok(!value),
            _ => Err(EntryError::Malformed { at: start, why: "a signed 64-bit number" }),
        }
    }

    pub(crate) fn text(&mut self) -> Result<&'a str, EntryError> {
        let start = self.at;
        let length = self.head(TEXT, "a text of known length")?;
        let bytes = self.take(length)?;
        std::str::from_utf8(bytes).map_err(|_| EntryError::Malformed { at: start, why: "text in UTF-8" })
    }

    pub(crate) fn bytes(&mut self) -> Result<&'a [u8], EntryError> {
        let length = self.head(BYTES, "a byte string of known length")?;
        self.take(length)
    }

    pub(crate) fn bytes32(&mut self) -> Result<[u8; 32], EntryError> {
        let start = self.at;
        let bytes = self.bytes()?;
        bytes.try_into().map_err(|_| EntryError::Malformed { at: start, why: "a byte string of 32 bytes" })
    }

    /// Where the next item begins.
    pub(crate) const fn at(&self) -> usize {
        self.at
    }

    pub(crate) fn is_map_of(&mut self, pairs: u64) -> bool {
        self.is(MAP, pairs)
    }

    pub(crate) fn is_tag(&mut self, tag: u64) -> bool {
        self.is(TAG, tag)
    }

    pub(crate) fn is_null(&mut self) -> bool {
        self.is(SIMPLE, NULL)
    }

    fn is(&mut self, major: u8, argument: u64) -> bool {
        self.any_head().is_ok_and(|found| found == (major, argument))
    }

    pub(crate) fn end(&self) -> Result<(), EntryError> {
        if self.at == self.bytes.len() {
            return Ok(());
        }
        Err(EntryError::Malformed { at: self.at, why: "the entry's end, but more bytes follow" })
    }

    fn head(&mut self, major: u8, why: &'static str) -> Result<u64, EntryError> {
        let start = self.at;
        let (found, argument) = self.any_head()?;
        if found == major { Ok(argument) } else { Err(EntryError::Malformed { at: start, why }) }
    }

    fn any_head(&mut self) -> Result<(u8, u64), EntryError> {
        let start = self.at;
        let first = self.take(1)?[0];
        let major = first >> 5;
        let (argument, least) = match first & 0x1f {
            small @ 0..=23 => return Ok((major, u64::from(small))),
            24 => (self.number(1)?, 24),
            25 => (self.number(2)?, 0x100),
            26 => (self.number(4)?, 0x1_0000),
            27 => (self.number(8)?, 0x1_0000_0000),
            _ => return Err(EntryError::Malformed { at: start, why: "an item of known length" }),
        };
        if argument < least {
            return Err(EntryError::Malformed { at: start, why: "the shortest spelling of a number" });
        }
        Ok((major, argument))
    }

    fn number(&mut self, width: u64) -> Result<u64, EntryError> {
        let bytes = self.take(width)?;
        Ok(bytes.iter().fold(0, |value, &byte| value << 8 | u64::from(byte)))
    }

    fn take(&mut self, length: u64) -> Result<&'a [u8], EntryError> {
        let rest = &self.bytes[self.at..];
        let taken = usize::try_from(length).ok().and_then(|length| rest.get(..length));
        let Some(taken) = taken else {
            return Err(EntryError::Malformed {
                at: self.bytes.len(),
                why: "more bytes; the entry is cut off",
            });
        };
        self.at += taken.len();
        Ok(taken)
    }
}
