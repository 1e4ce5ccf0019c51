//! Deterministic CBOR (RFC 8949 section 4.2.1) of integers, texts, byte strings, arrays, maps, tags and null.
//!
//! Every item has exactly one spelling: its head in the fewest bytes, its length definite. [`Reader`] refuses
//! every other spelling, so that two readers of the same bytes cannot see two things, and bytes that were read can
//! be written again as they were. Of a map only the head is read and written here: the order of its keys, and that none comes
//! twice, is for the caller to check. Floats, simple values but
//! null, and indefinite lengths do not occur.
//!
//! ```
//! use canonical_cbor::{Reader, write};
//!
//! let mut bytes = Vec::new();
//! write::array(&mut bytes, 3);
//! write::text(&mut bytes, "mesa-1");
//! write::integer(&mut bytes, -500);
//! write::null(&mut bytes);
//!
//! let mut reader = Reader::new(&bytes);
//! assert_eq!(reader.array("a bet")?, 3);
//! assert_eq!(reader.text()?, "mesa-1");
//! assert_eq!(reader.integer()?, -500);
//! assert!(reader.take_null() && reader.is_at_end());
//!
//! // 5 written in two bytes is refused.
//! let error = Reader::new(&[0x18, 5]).integer().unwrap_err();
//! assert_eq!(error.to_string(), "byte 0: 5 is not written in its fewest bytes");
//! # Ok::<(), Box<canonical_cbor::Error>>(())
//! ```

mod error;
mod reader;
pub mod write;

pub use error::{Error, Problem};
pub use reader::Reader;

/// Major types (RFC 8949 section 3.1): the upper three bits of an item's first byte.
pub mod major {
    /// 0: an integer from 0 to 2^64 - 1.
    pub const UNSIGNED: u8 = 0;
    /// 1: an integer from -2^64 to -1; the argument is -1 minus the value.
    pub const NEGATIVE: u8 = 1;
    /// 2: bytes; the argument is their number.
    pub const BYTES: u8 = 2;
    /// 3: text in UTF-8; the argument is the number of its bytes.
    pub const TEXT: u8 = 3;
    /// 4: an array; the argument is the number of its items.
    pub const ARRAY: u8 = 4;
    /// 5: a map; the argument is the number of its pairs.
    pub const MAP: u8 = 5;
    /// 6: a tag; the argument is its number, and the item it stands for follows.
    pub const TAG: u8 = 6;
    /// 7: floats and simple values, of which only null (22) occurs here.
    pub const SIMPLE: u8 = 7;
}

/// The byte that is null: the simple value 22.
const NULL: u8 = 0xf6;

#[cfg(test)]
mod tests;
