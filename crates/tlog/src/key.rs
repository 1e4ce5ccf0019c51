//! Keys of logs and witnesses (C2SP signed-note, "Verifier keys"): one type, one text form.
//!
//! ```text
//! public    NAME+<key id, 8 hex digits>+<base64 of KIND and the public key>
//! secret    PRIVATE+KEY+NAME+<key id>+<base64 of KIND and a seed of 32 bytes>
//! key id    first 4 bytes of SHA-256(NAME, 0x0a, KIND, public key)
//! KIND      0x01 Ed25519 of a log, 0x04 Ed25519 of a witness, 0x06 ML-DSA-44 of either
//! ```
//! Whose key it is ([`Log`] or [`Witness`]) is part of its type, so the two cannot be mixed up in a program.
//! This module takes no randomness: a seed is handed in.

mod algorithm;
mod role;
mod secret;
mod text;

pub use algorithm::Algorithm;
pub use role::{Log, Role, Witness};
pub use secret::SecretKey;
pub use text::{KeyError, KeyText, UnknownKey};

pub(crate) use text::hex;

use crate::note::NoteSignature;
use algorithm::PublicHalf;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};
use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

/// The public half of a key: who may sign, and how a signature is checked.
#[derive(Clone, PartialEq, Eq)]
pub struct PublicKey<R: Role> {
    name: String,
    id: [u8; 4],
    half: PublicHalf,
    role: PhantomData<R>,
}

impl<R: Role> PublicKey<R> {
    fn new(name: &str, half: PublicHalf) -> Self {
        let id = key_id(name, &[half.algorithm().kind::<R>()], &half.to_bytes());
        Self { name: name.to_owned(), id, half, role: PhantomData }
    }

    /// The key's name: for a log its origin, for a witness customarily a URL without its scheme.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The key id: first four bytes of SHA-256 over name, newline, kind and public key.
    #[must_use]
    pub const fn id(&self) -> [u8; 4] {
        self.id
    }

    /// How this key signs.
    #[must_use]
    pub const fn algorithm(&self) -> Algorithm {
        self.half.algorithm()
    }

    /// The public key's own bytes, which say neither its name nor what it is for.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.half.to_bytes()
    }

    /// Whether this is the key's signature over exactly these bytes.
    #[must_use]
    pub fn checks(&self, bytes: &[u8], signature: &[u8]) -> bool {
        self.half.checks(bytes, signature)
    }

    /// Whether a signature line bears this key's name and id.
    #[must_use]
    pub fn matches(&self, line: &NoteSignature) -> bool {
        line.name == self.name && line.id == self.id
    }
}

impl<R: Role> fmt::Display for PublicKey<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = [&[self.algorithm().kind::<R>()][..], &self.to_bytes()].concat();
        write!(f, "{}+{}+{}", self.name, hex(self.id), STANDARD.encode(key))
    }
}

impl<R: Role> fmt::Debug for PublicKey<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({self})", R::PUBLIC)
    }
}

impl<R: Role> FromStr for PublicKey<R> {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        match text.parse()? {
            KeyText::Known(key) => Ok(key),
            KeyText::Unknown(key) => Err(key.refused::<R>()),
        }
    }
}

/// The recommended key id (C2SP signed-note): `kind` is one byte, or 0xff with a longer identifier behind it.
pub(crate) fn key_id(name: &str, kind: &[u8], public: &[u8]) -> [u8; 4] {
    let hash: [u8; 32] = Sha256::new()
        .chain_update(name)
        .chain_update(b"\n")
        .chain_update(kind)
        .chain_update(public)
        .finalize()
        .into();
    [hash[0], hash[1], hash[2], hash[3]]
}

#[cfg(test)]
mod tests;
