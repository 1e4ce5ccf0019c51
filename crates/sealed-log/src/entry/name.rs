//! Names of chains and of producers: short, printable, and safe in paths, notes and URLs.

use compact_str::CompactString;
use std::borrow::Borrow;
use std::fmt;
use std::str::FromStr;

/// The chain that holds notices; no table may be called so.
pub const LOG_CHAIN: &str = "@log";

/// A checked name: 1 to 64 bytes of ASCII letters, digits and `. _ - : # @ +`.
///
/// Names of up to 24 bytes need no allocation; a map keyed by `Name` can be asked with a `&str`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(CompactString);

/// The chain an entry belongs to (the caller's table).
pub type ChainName = Name;

/// Who handed an entry in.
pub type ProducerId = Name;

/// A text that cannot be a [`Name`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// Nothing, or more than 64 bytes.
    #[error("a name must have 1 to 64 bytes; this one has {0}")]
    Length(usize),
    /// A byte outside the alphabet.
    #[error("a name may hold ASCII letters, digits and `. _ - : # @ +`; byte {at} is 0x{byte:02x}")]
    Byte {
        /// Position of the byte, from 0.
        at: usize,
        /// The byte.
        byte: u8,
    },
}

impl Name {
    /// Longest name in bytes.
    pub const MAX_BYTES: usize = 64;

    /// Checks and keeps a name.
    ///
    /// # Errors
    /// [`NameError`] says what is allowed and where the text leaves it.
    pub fn new(text: &str) -> Result<Self, NameError> {
        check_name(text.as_bytes())?;
        Ok(Self(CompactString::new(text)))
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether `bytes` spell a name.
pub(crate) fn check_name(bytes: &[u8]) -> Result<(), NameError> {
    if !(1..=Name::MAX_BYTES).contains(&bytes.len()) {
        return Err(NameError::Length(bytes.len()));
    }
    match bytes.iter().position(|&byte| !ALLOWED[usize::from(byte)]) {
        None => Ok(()),
        Some(at) => Err(NameError::Byte { at, byte: bytes[at] }),
    }
}

const ALLOWED: [bool; 256] = allowed();

const fn allowed() -> [bool; 256] {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let value = byte as u8;
        table[byte] =
            value.is_ascii_alphanumeric() || matches!(value, b'.' | b'_' | b'-' | b':' | b'#' | b'@' | b'+');
        byte += 1;
    }
    table
}

impl FromStr for Name {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        Self::new(text)
    }
}

impl TryFrom<&str> for Name {
    type Error = NameError;

    fn try_from(text: &str) -> Result<Self, NameError> {
        Self::new(text)
    }
}

impl Borrow<str> for Name {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0.as_str())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn every_single_byte_name_is_judged() {
        for byte in 0..=u8::MAX {
            let allowed = byte.is_ascii_alphanumeric() || b"._-:#@+".contains(&byte);
            assert_eq!(check_name(&[byte]).is_ok(), allowed, "{byte}");
        }
    }

    #[test]
    fn length_is_bounded() {
        assert_eq!(Name::new(""), Err(NameError::Length(0)));
        assert!(Name::new(&"a".repeat(64)).is_ok());
        assert_eq!(Name::new(&"a".repeat(65)), Err(NameError::Length(65)));
    }

    #[test]
    fn a_refusal_names_the_place() {
        let error = Name::new("mesa/1").unwrap_err();
        assert_eq!(error, NameError::Byte { at: 4, byte: b'/' });
    }
}
