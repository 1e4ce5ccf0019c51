//! The name of an entry: BLAKE3 over its bytes, spelled as 64 lower-case hexadecimal digits.

use std::fmt;
use std::str::FromStr;
use tlog::tree::{TreeHash, leaf_hash};

/// BLAKE3 of some bytes (32 bytes). It names an entry in entries, reports and evidence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// Thirty-two zero bytes: what the first entry of a chain names as its predecessor.
    pub const ZERO: Self = Self([0; 32]);

    /// The digest of `bytes`.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(*blake3::hash(bytes).as_bytes())
    }

    /// A digest that was computed earlier and kept.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The leaf hash of the entry with this digest: the tree is over digests, so that an entry that was
    /// redacted is still in it.
    #[must_use]
    pub fn leaf_hash(&self) -> TreeHash {
        leaf_hash(&self.0)
    }

    /// The thirty-two bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl From<[u8; 32]> for Digest {
    fn from(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

/// A text that is not a digest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a digest: expected 64 lower-case hexadecimal digits")]
pub struct DigestError(String);

impl FromStr for Digest {
    type Err = DigestError;

    fn from_str(text: &str) -> Result<Self, DigestError> {
        let wrong = || DigestError(text.chars().take(80).collect());
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        if pairs.len() != 32 || !rest.is_empty() {
            return Err(wrong());
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(pairs) {
            let high = hex_value(pair[0]).ok_or_else(wrong)?;
            let low = hex_value(pair[1]).ok_or_else(wrong)?;
            *byte = high << 4 | low;
        }
        Ok(Self(bytes))
    }
}

fn hex_value(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn digest_of_nothing_is_the_published_blake3_value() {
        let text = "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262";
        assert_eq!(Digest::of(b"").to_string(), text);
        assert_eq!(text.parse::<Digest>().unwrap(), Digest::of(b""));
    }

    #[test]
    fn other_spellings_are_refused() {
        let good = Digest::of(b"x").to_string();
        for bad in [good.to_uppercase(), good[1..].to_owned(), format!("{good}0"), format!("g{}", &good[1..])]
        {
            assert!(bad.parse::<Digest>().is_err(), "{bad}");
        }
    }
}
