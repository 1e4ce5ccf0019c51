//! Writes items in their one spelling, at the end of a vector.

use crate::NULL;
use crate::major::{ARRAY, BYTES, MAP, NEGATIVE, TAG, TEXT, UNSIGNED};

/// An item's head: its major type, and the argument in the fewest bytes.
#[inline]
pub fn head(out: &mut Vec<u8>, major: u8, argument: u64) {
    let major = major << 5;
    let wide = argument.to_be_bytes();
    match argument {
        0..24 => out.push(major | wide[7]),
        24..0x100 => out.extend_from_slice(&[major | 24, wide[7]]),
        0x100..0x1_0000 => {
            out.push(major | 25);
            out.extend_from_slice(&wide[6..]);
        }
        0x1_0000..0x1_0000_0000 => {
            out.push(major | 26);
            out.extend_from_slice(&wide[4..]);
        }
        0x1_0000_0000.. => {
            out.push(major | 27);
            out.extend_from_slice(&wide);
        }
    }
}

/// How many bytes the head of an item with this argument takes: 1, 2, 3, 5 or 9.
#[must_use]
pub const fn head_len(argument: u64) -> usize {
    match argument {
        0..24 => 1,
        24..0x100 => 2,
        0x100..0x1_0000 => 3,
        0x1_0000..0x1_0000_0000 => 5,
        0x1_0000_0000.. => 9,
    }
}

/// The argument of the head of a signed integer: -1 - `value` for a negative one, which is the complement of its
/// bits.
#[must_use]
pub const fn integer_argument(value: i64) -> u64 {
    if value < 0 { !value.cast_unsigned() } else { value.cast_unsigned() }
}

/// An unsigned integer.
#[inline]
pub fn unsigned(out: &mut Vec<u8>, value: u64) {
    head(out, UNSIGNED, value);
}

/// A signed integer.
#[inline]
pub fn integer(out: &mut Vec<u8>, value: i64) {
    head(out, if value < 0 { NEGATIVE } else { UNSIGNED }, integer_argument(value));
}

/// A text.
#[inline]
pub fn text(out: &mut Vec<u8>, text: &str) {
    head(out, TEXT, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// A byte string.
#[inline]
pub fn bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    head(out, BYTES, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

/// The head of an array; its items are written behind it.
#[inline]
pub fn array(out: &mut Vec<u8>, items: u64) {
    head(out, ARRAY, items);
}

/// The head of a map; its keys and values are written behind it, keys in the order of RFC 8949 section 4.2.1.
#[inline]
pub fn map(out: &mut Vec<u8>, pairs: u64) {
    head(out, MAP, pairs);
}

/// A tag; the item it stands for is written behind it.
#[inline]
pub fn tag(out: &mut Vec<u8>, tag: u64) {
    head(out, TAG, tag);
}

/// Null.
#[inline]
pub fn null(out: &mut Vec<u8>) {
    out.push(NULL);
}
