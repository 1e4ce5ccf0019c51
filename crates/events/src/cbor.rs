//! Deterministic CBOR (RFC 8949, 4.2.1) as this record uses it: integers, texts, byte strings,
//! arrays and null, each with its shortest head and a definite length. Whatever else CBOR can
//! spell is refused, so that one event has exactly one spelling.

use crate::codec::DecodeError;

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
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub(crate) const fn at(&self) -> usize {
        self.at
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.at == self.bytes.len()
    }

    pub(crate) fn since(&self, from: usize) -> &'a [u8] {
        &self.bytes[from..self.at]
    }

    /// Boxed, so that what is right is read without carrying room for what may be wrong.
    #[cold]
    pub(crate) fn wrong(&self, message: impl Into<String>) -> Box<DecodeError> {
        Box::new(DecodeError {
            event: None,
            field: None,
            offset: self.at,
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

    fn take(&mut self, count: usize) -> Result<&'a [u8], Box<DecodeError>> {
        let end = self.at.checked_add(count).filter(|end| *end <= self.bytes.len());
        let Some(end) = end else { return Err(self.wrong("the bytes end in the middle of an item")) };
        let taken = &self.bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    #[inline]
    fn any_head(&mut self) -> Result<(u8, u64), Box<DecodeError>> {
        match self.bytes.get(self.at) {
            Some(first) if first & 0x1f < 24 => {
                self.at += 1;
                Ok((first >> 5, u64::from(first & 0x1f)))
            }
            Some(_) | None => self.long_head(),
        }
    }

    fn long_head(&mut self) -> Result<(u8, u64), Box<DecodeError>> {
        let from = self.at;
        let first = self.take(1)?[0];
        let (major, short) = (first >> 5, first & 0x1f);
        let value = match short {
            0..24 => u64::from(short),
            24 => u64::from(self.take(1)?[0]),
            25..28 => {
                self.take(1 << (short - 24))?.iter().fold(0, |value, byte| value << 8 | u64::from(*byte))
            }
            _ => {
                self.at = from;
                return Err(
                    self.wrong("an indefinite or reserved length; only definite lengths are canonical")
                );
            }
        };
        let shortest = match short {
            24 => value >= 24,
            25 => value > 0xff,
            26 => value > 0xffff,
            27 => value > 0xffff_ffff,
            _ => true,
        };
        if shortest {
            return Ok((major, value));
        }
        self.at = from;
        Err(self.wrong(format!("{value} is not written in its fewest bytes")))
    }

    #[inline]
    pub(crate) fn head(&mut self, major: u8, expected: &'static str) -> Result<u64, Box<DecodeError>> {
        let from = self.at;
        let (found, value) = self.any_head()?;
        if found == major {
            return Ok(value);
        }
        self.at = from;
        Err(self.wrong(format!("expected {expected}, found {}", kind(found, self.bytes[from]))))
    }

    pub(crate) fn integer(&mut self) -> Result<i64, Box<DecodeError>> {
        let from = self.at;
        let (major, value) = self.any_head()?;
        match (major, i64::try_from(value)) {
            (UNSIGNED, Ok(value)) => Ok(value),
            (NEGATIVE, Ok(value)) => Ok(!value),
            (UNSIGNED | NEGATIVE, Err(_)) => Err(self.wrong("an integer beyond 64 bits")),
            _ => {
                self.at = from;
                Err(self.wrong(format!("expected an integer, found {}", kind(major, self.bytes[from]))))
            }
        }
    }

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
    pub(crate) fn null(&mut self) -> bool {
        let is_null = self.bytes.get(self.at) == Some(&NULL);
        self.at += usize::from(is_null);
        is_null
    }

    /// Passes over one canonical item of any kind this record uses.
    pub(crate) fn skip(&mut self) -> Result<(), Box<DecodeError>> {
        self.skip_within(DEEPEST)
    }

    fn skip_within(&mut self, depth: u8) -> Result<(), Box<DecodeError>> {
        if self.null() {
            return Ok(());
        }
        let from = self.at;
        let (major, value) = self.any_head()?;
        match major {
            UNSIGNED | NEGATIVE => Ok(()),
            BYTES => self.take(usize::try_from(value).unwrap_or(usize::MAX)).map(|_| ()),
            TEXT => {
                self.at = from;
                self.text().map(|_| ())
            }
            ARRAY if depth > 0 => (0..value).try_for_each(|_| self.skip_within(depth - 1)),
            ARRAY => Err(self.wrong("arrays nested too deep")),
            _ => {
                self.at = from;
                Err(self.wrong(format!("{} does not occur in this record", kind(major, self.bytes[from]))))
            }
        }
    }
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
