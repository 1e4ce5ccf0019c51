//! Deterministic CBOR (RFC 8949, 4.2.1) as this record uses it: integers, texts, byte strings,
//! arrays and null, each with its shortest head and a definite length. Whatever else CBOR can
//! spell is refused, so that one event has exactly one spelling.

use crate::codec::DecodeError;
use crate::rulebook::RulebooksRead;

pub(crate) const UNSIGNED: u8 = 0;
pub(crate) const NEGATIVE: u8 = 1;
pub(crate) const BYTES: u8 = 2;
pub(crate) const TEXT: u8 = 3;
pub(crate) const ARRAY: u8 = 4;
const NULL: u8 = 0xf6;

/// Nesting beyond which an unknown event is refused.
const DEEPEST: u8 = 16;

/// Writes a head: the major type and its value in the fewest bytes.
pub(crate) fn head(out: &mut Vec<u8>, major: u8, value: u64) {
    let major = major << 5;
    match value {
        0..24 => out.push(major | value.to_be_bytes()[7]),
        24..0x100 => out.extend_from_slice(&[major | 24, value.to_be_bytes()[7]]),
        0x100..0x1_0000 => {
            out.push(major | 25);
            out.extend_from_slice(&value.to_be_bytes()[6..]);
        }
        0x1_0000..0x1_0000_0000 => {
            out.push(major | 26);
            out.extend_from_slice(&value.to_be_bytes()[4..]);
        }
        0x1_0000_0000.. => {
            out.push(major | 27);
            out.extend_from_slice(&value.to_be_bytes());
        }
    }
}

pub(crate) fn null(out: &mut Vec<u8>) {
    out.push(NULL);
}

pub(crate) fn text(out: &mut Vec<u8>, text: &str) {
    head(out, TEXT, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

pub(crate) fn bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    head(out, BYTES, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

pub(crate) fn integer(out: &mut Vec<u8>, value: i64) {
    if value < 0 {
        head(out, NEGATIVE, !value.cast_unsigned());
    } else {
        head(out, UNSIGNED, value.cast_unsigned());
    }
}

/// Reads canonical bytes from the front.
#[derive(Debug, Clone)]
pub(crate) struct Reader<'a> {
    whole: &'a [u8],
    rest: &'a [u8],
    rulebooks: Option<&'a RulebooksRead>,
}

impl<'a> Reader<'a> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self { whole: bytes, rest: bytes, rulebooks: None }
    }

    /// For somebody who reads many payloads, and keeps the rulebooks he has read.
    pub(crate) const fn knowing(bytes: &'a [u8], rulebooks: &'a RulebooksRead) -> Self {
        Self { rulebooks: Some(rulebooks), ..Self::new(bytes) }
    }

    pub(crate) const fn rulebooks(&self) -> Option<&'a RulebooksRead> {
        self.rulebooks
    }

    pub(crate) const fn at(&self) -> usize {
        self.whole.len() - self.rest.len()
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    pub(crate) fn since(&self, from: usize) -> &'a [u8] {
        &self.whole[from..self.at()]
    }

    /// Boxed, so that what is right is read without carrying room for what may be wrong.
    #[cold]
    pub(crate) fn wrong(&self, message: impl Into<String>) -> Box<DecodeError> {
        Box::new(DecodeError {
            event: None,
            field: None,
            offset: self.at(),
            message: message.into(),
            newer: false,
        })
    }

    /// What this version refuses and a newer minor version may mean something by.
    #[cold]
    pub(crate) fn not_known(&self, message: impl Into<String>) -> Box<DecodeError> {
        let mut error = self.wrong(message);
        error.newer = true;
        error
    }

    #[inline]
    fn take(&mut self, count: usize) -> Result<&'a [u8], Box<DecodeError>> {
        let Some((taken, rest)) = self.rest.split_at_checked(count) else { return Err(self.wrong(ENDS)) };
        self.rest = rest;
        Ok(taken)
    }

    fn any_head(&mut self) -> Result<(u8, u64), Box<DecodeError>> {
        let Some(first) = self.rest.first() else { return Err(self.wrong(ENDS)) };
        self.value(*first).map(|value| (first >> 5, value))
    }

    /// The value of a head that begins with this byte, in it or in the one, two, four or eight bytes behind.
    #[inline(never)]
    fn value(&mut self, first: u8) -> Result<u64, Box<DecodeError>> {
        let behind = self.rest.get(1..).unwrap_or_default();
        let size = match first & 0x1f {
            short @ 0..24 => {
                self.rest = behind;
                return Ok(u64::from(short));
            }
            long @ 24..28 => 1 << (long - 24),
            _ => {
                let message = "an indefinite or reserved length; only definite lengths are canonical";
                return Err(self.wrong(message));
            }
        };
        let Some((value, rest)) = big_endian(behind, size) else { return Err(self.wrong(ENDS)) };
        // The least of one byte is what does not fit the head itself, of more what does not fit half of them.
        let least = if size == 1 { 24 } else { 1 << (4 * size) };
        if value < least {
            return Err(self.longer_than_due(value));
        }
        self.rest = rest;
        Ok(value)
    }

    #[cold]
    fn longer_than_due(&self, value: u64) -> Box<DecodeError> {
        self.wrong(format!("{value} is not written in its fewest bytes"))
    }

    /// A head of this major type; most values stand in its first byte, or in one behind.
    #[inline]
    pub(crate) fn head(&mut self, major: u8, expected: &'static str) -> Result<u64, Box<DecodeError>> {
        let Some((first, behind)) = self.rest.split_first() else { return Err(self.another(expected)) };
        match (first ^ (major << 5), behind) {
            (short @ 0..24, _) => {
                self.rest = behind;
                Ok(u64::from(short))
            }
            (24, [value, rest @ ..]) if *value >= 24 => {
                self.rest = rest;
                Ok(u64::from(*value))
            }
            (long @ 24..32, _) => self.value(long),
            (32.., _) => Err(self.another(expected)),
        }
    }

    /// Something else than was expected is next, or nothing.
    #[cold]
    fn another(&mut self, expected: &'static str) -> Box<DecodeError> {
        let from = self.rest;
        match self.any_head() {
            Ok((found, _)) => {
                self.rest = from;
                self.wrong(format!("expected {expected}, found {}", kind(found, from[0])))
            }
            Err(error) => error,
        }
    }

    #[inline]
    pub(crate) fn integer(&mut self) -> Result<i64, Box<DecodeError>> {
        let negative = match self.rest.first().map(|first| first >> 5) {
            Some(UNSIGNED) => false,
            Some(NEGATIVE) => true,
            Some(_) | None => return Err(self.another("an integer")),
        };
        let value = self.head(u8::from(negative), "an integer")?;
        let value = i64::try_from(value).map_err(|_| self.wrong("an integer beyond 64 bits"))?;
        Ok(if negative { !value } else { value })
    }

    /// How many bytes are left.
    pub(crate) const fn left(&self) -> usize {
        self.rest.len()
    }

    #[inline]
    pub(crate) fn text(&mut self) -> Result<&'a str, Box<DecodeError>> {
        let length = self.head(TEXT, "a text")?;
        let taken = self.take(usize::try_from(length).unwrap_or(usize::MAX))?;
        std::str::from_utf8(taken).map_err(|_| self.wrong("a text that is not UTF-8"))
    }

    pub(crate) fn byte_string(&mut self) -> Result<&'a [u8], Box<DecodeError>> {
        let length = self.head(BYTES, "a byte string")?;
        self.take(usize::try_from(length).unwrap_or(usize::MAX))
    }

    /// Takes a null if one is next.
    #[inline]
    pub(crate) fn null(&mut self) -> bool {
        let Some((&NULL, rest)) = self.rest.split_first() else { return false };
        self.rest = rest;
        true
    }

    /// Passes over one canonical item of any kind this record uses.
    pub(crate) fn skip(&mut self) -> Result<(), Box<DecodeError>> {
        self.skip_within(DEEPEST)
    }

    fn skip_within(&mut self, depth: u8) -> Result<(), Box<DecodeError>> {
        if self.null() {
            return Ok(());
        }
        let from = self.rest;
        let (major, value) = self.any_head()?;
        match major {
            UNSIGNED | NEGATIVE => Ok(()),
            BYTES => self.take(usize::try_from(value).unwrap_or(usize::MAX)).map(|_| ()),
            TEXT => {
                self.rest = from;
                self.text().map(|_| ())
            }
            ARRAY if depth > 0 => (0..value).try_for_each(|_| self.skip_within(depth - 1)),
            ARRAY => Err(self.wrong("arrays nested too deep")),
            _ => {
                self.rest = from;
                Err(self.wrong(format!("{} does not occur in this record", kind(major, from[0]))))
            }
        }
    }
}

const ENDS: &str = "the bytes end in the middle of an item";

/// The integer in the first bytes, `size` of them: one, two, four or eight; and what stands behind.
#[inline]
fn big_endian(behind: &[u8], size: usize) -> Option<(u64, &[u8])> {
    let (bytes, rest) = behind.split_at_checked(size)?;
    if let Some(eight) = behind.first_chunk() {
        return Some((u64::from_be_bytes(*eight) >> (64 - 8 * size), rest));
    }
    Some((bytes.iter().fold(0, |value, byte| value << 8 | u64::from(*byte)), rest))
}

const fn kind(major: u8, first: u8) -> &'static str {
    match major {
        UNSIGNED => "an unsigned integer",
        NEGATIVE => "a negative integer",
        BYTES => "a byte string",
        TEXT => "a text",
        ARRAY => "an array",
        5 => "a map",
        6 => "a tag",
        _ if first == NULL => "null",
        _ => "a float or simple value",
    }
}
