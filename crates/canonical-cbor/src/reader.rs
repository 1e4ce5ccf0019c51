//! Reads items in place and refuses every spelling but the one.

use crate::major::{ARRAY, BYTES, MAP, NEGATIVE, TAG, TEXT, UNSIGNED};
use crate::{Error, NULL, Problem};

/// Arrays inside arrays that [`Reader::skip`] follows.
const MAX_DEPTH: u8 = 16;

/// Reads items from the front of some bytes. Errors are boxed so that a good item is returned in few registers.
#[derive(Debug, Clone)]
pub struct Reader<'a> {
    whole: &'a [u8],
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Reads these bytes from their first on.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { whole: bytes, rest: bytes }
    }

    /// Offset of the next item.
    #[inline]
    #[must_use]
    pub const fn at(&self) -> usize {
        self.whole.len() - self.rest.len()
    }

    /// How many bytes are left.
    #[must_use]
    pub const fn left(&self) -> usize {
        self.rest.len()
    }

    /// Whether every byte was read.
    #[must_use]
    pub const fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    /// The bytes from an earlier offset up to the next item.
    ///
    /// # Panics
    /// When `from` is behind the next item.
    #[must_use]
    pub fn since(&self, from: usize) -> &'a [u8] {
        &self.whole[from..self.at()]
    }

    /// Checks that every byte was read.
    ///
    /// # Errors
    /// [`Problem::Surplus`].
    pub fn end(&self) -> Result<(), Box<Error>> {
        if self.rest.is_empty() { Ok(()) } else { Err(self.wrong(Problem::Surplus)) }
    }

    /// The argument of a head of this major type; `expected` says what is missing otherwise.
    ///
    /// # Errors
    /// [`Error`]; the next item is then still the next.
    #[inline]
    pub fn head(&mut self, major: u8, expected: &'static str) -> Result<u64, Box<Error>> {
        let Some((first, behind)) = self.rest.split_first() else { return Err(self.another(expected)) };
        // Most arguments are in the head's first byte, or in one behind it.
        match (first ^ (major << 5), behind) {
            (short @ 0..24, _) => {
                self.rest = behind;
                Ok(u64::from(short))
            }
            (24, [value, rest @ ..]) if *value >= 24 => {
                self.rest = rest;
                Ok(u64::from(*value))
            }
            (long @ 24..32, _) => self.argument(long),
            (32.., _) => Err(self.another(expected)),
        }
    }

    /// An unsigned integer.
    ///
    /// # Errors
    /// [`Error`].
    #[inline]
    pub fn unsigned(&mut self) -> Result<u64, Box<Error>> {
        self.head(UNSIGNED, "an unsigned integer")
    }

    /// A signed integer of 64 bits.
    ///
    /// # Errors
    /// [`Error`].
    #[inline]
    pub fn integer(&mut self) -> Result<i64, Box<Error>> {
        let negative = match self.rest.first().map(|first| first >> 5) {
            Some(UNSIGNED) => false,
            Some(NEGATIVE) => true,
            Some(_) | None => return Err(self.another("an integer")),
        };
        let from = self.rest;
        let argument = self.head(u8::from(negative), "an integer")?;
        match i64::try_from(argument) {
            Ok(value) => Ok(if negative { !value } else { value }),
            Err(_) => Err(self.back_to(from, Problem::IntegerTooLarge)),
        }
    }

    /// A text.
    ///
    /// # Errors
    /// [`Error`].
    #[inline]
    pub fn text(&mut self) -> Result<&'a str, Box<Error>> {
        let from = self.rest;
        let length = self.head(TEXT, "a text")?;
        let taken = self.take(from, length)?;
        std::str::from_utf8(taken).map_err(|_| self.back_to(from, Problem::NotUtf8))
    }

    /// A byte string.
    ///
    /// # Errors
    /// [`Error`].
    #[inline]
    pub fn bytes(&mut self) -> Result<&'a [u8], Box<Error>> {
        let from = self.rest;
        let length = self.head(BYTES, "a byte string")?;
        self.take(from, length)
    }

    /// A byte string of `N` bytes.
    ///
    /// # Errors
    /// [`Error`].
    #[inline]
    pub fn byte_array<const N: usize>(&mut self) -> Result<[u8; N], Box<Error>> {
        let from = self.rest;
        self.bytes()?.try_into().map_err(|_| self.back_to(from, Problem::Length(N)))
    }

    /// How many items an array has; they are read next.
    ///
    /// # Errors
    /// [`Error`].
    #[inline]
    pub fn array(&mut self, expected: &'static str) -> Result<u64, Box<Error>> {
        self.head(ARRAY, expected)
    }

    /// How many pairs a map has; they are read next.
    ///
    /// # Errors
    /// [`Error`].
    pub fn map(&mut self) -> Result<u64, Box<Error>> {
        self.head(MAP, "a map")
    }

    /// The number of a tag; its item is read next.
    ///
    /// # Errors
    /// [`Error`].
    pub fn tag(&mut self) -> Result<u64, Box<Error>> {
        self.head(TAG, "a tag")
    }

    /// Reads a null if it is the next item, and says whether it was.
    #[inline]
    pub fn take_null(&mut self) -> bool {
        let Some((&NULL, rest)) = self.rest.split_first() else { return false };
        self.rest = rest;
        true
    }

    /// Passes over one item: an integer, a text, a byte string, a null, or an array of such.
    ///
    /// # Errors
    /// [`Error`].
    pub fn skip(&mut self) -> Result<(), Box<Error>> {
        self.skip_within(MAX_DEPTH)
    }

    fn skip_within(&mut self, depth: u8) -> Result<(), Box<Error>> {
        let Some(first) = self.rest.first().copied() else { return Err(self.wrong(Problem::CutOff)) };
        match first >> 5 {
            _ if first == NULL => {
                self.take_null();
                Ok(())
            }
            UNSIGNED | NEGATIVE => self.head(first >> 5, "an integer").map(drop),
            BYTES => self.bytes().map(drop),
            TEXT => self.text().map(drop),
            ARRAY if depth > 0 => {
                let items = self.head(ARRAY, "an array")?;
                (0..items).try_for_each(|_| self.skip_within(depth - 1))
            }
            ARRAY => Err(self.wrong(Problem::TooDeep)),
            _ => Err(self.wrong(Problem::Foreign(kind(first)))),
        }
    }

    /// The argument of a head whose first byte ends in these bits, in the one, two, four or eight bytes behind.
    #[inline(never)]
    fn argument(&mut self, low: u8) -> Result<u64, Box<Error>> {
        let behind = self.rest.get(1..).unwrap_or_default();
        let size = match low {
            24..28 => 1 << (low - 24),
            _ => return Err(self.wrong(Problem::Indefinite)),
        };
        let Some((argument, rest)) = big_endian(behind, size) else {
            return Err(self.wrong(Problem::CutOff));
        };
        // The least argument of one byte does not fit the first byte, that of more bytes not half of them.
        let least = if size == 1 { 24 } else { 1 << (4 * size) };
        if argument < least {
            return Err(self.wrong(Problem::NotShortest(argument)));
        }
        self.rest = rest;
        Ok(argument)
    }

    #[inline]
    fn take(&mut self, from: &'a [u8], count: u64) -> Result<&'a [u8], Box<Error>> {
        let split = usize::try_from(count).ok().and_then(|count| self.rest.split_at_checked(count));
        let Some((taken, rest)) = split else { return Err(self.back_to(from, Problem::CutOff)) };
        self.rest = rest;
        Ok(taken)
    }

    #[cold]
    fn wrong(&self, problem: Problem) -> Box<Error> {
        Box::new(Error { at: self.at(), problem })
    }

    #[cold]
    fn back_to(&mut self, from: &'a [u8], problem: Problem) -> Box<Error> {
        self.rest = from;
        self.wrong(problem)
    }

    /// Something else than was expected is next, or nothing, or a bad head.
    #[cold]
    fn another(&mut self, expected: &'static str) -> Box<Error> {
        let Some(first) = self.rest.first().copied() else { return self.wrong(Problem::CutOff) };
        let from = self.rest;
        if first & 0x1f >= 24
            && let Err(error) = self.argument(first & 0x1f)
        {
            return error;
        }
        self.back_to(from, Problem::Other { expected, found: kind(first) })
    }
}

/// The integer in the first `size` bytes (1, 2, 4 or 8), and what is behind them.
#[inline]
fn big_endian(behind: &[u8], size: usize) -> Option<(u64, &[u8])> {
    let (bytes, rest) = behind.split_at_checked(size)?;
    if let Some(eight) = behind.first_chunk() {
        return Some((u64::from_be_bytes(*eight) >> (64 - 8 * size), rest));
    }
    Some((bytes.iter().fold(0, |value, byte| value << 8 | u64::from(*byte)), rest))
}

const fn kind(first: u8) -> &'static str {
    match first >> 5 {
        UNSIGNED => "an unsigned integer",
        NEGATIVE => "a negative integer",
        BYTES => "a byte string",
        TEXT => "a text",
        ARRAY => "an array",
        MAP => "a map",
        TAG => "a tag",
        _ if first == NULL => "null",
        _ => "a float or simple value",
    }
}
