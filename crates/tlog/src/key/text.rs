//! The one parser of keys' texts, public and secret, of logs and witnesses.

use super::PublicKey;
use super::algorithm::{Algorithm, PublicHalf};
use super::role::Role;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::str::FromStr;

/// Why a text is no key. A secret's text is never repeated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// A key's name.
    #[error("`{0}` cannot name a key: 1 to 255 bytes without spaces, control characters or `+`")]
    Name(String),
    /// No public key of a log.
    #[error(
        "not a verifier key ({0}): expected NAME+8 HEX DIGITS+BASE64 of an Ed25519 or ML-DSA-44 public key"
    )]
    VerifierKey(String),
    /// No secret key of a log.
    #[error(
        "not a signing key ({0}): expected PRIVATE+KEY+NAME+8 HEX DIGITS+BASE64 of an Ed25519 or ML-DSA-44 seed"
    )]
    SigningKey(String),
    /// No public key of a witness.
    #[error(
        "not a witness's verifier key ({0}): expected NAME+8 HEX DIGITS+BASE64 of 0x04 and an Ed25519 public key, or of 0x06 and an ML-DSA-44 one"
    )]
    WitnessKey(String),
    /// No secret key of a witness.
    #[error(
        "not a witness's signing key ({0}): expected PRIVATE+KEY+NAME+8 HEX DIGITS+BASE64 of 0x04 and an Ed25519 seed, or of 0x06 and an ML-DSA-44 one"
    )]
    WitnessSigningKey(String),
}

/// A public key as its text has it: one whose signatures can be checked here, or one of another kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyText<R: Role> {
    /// A key that can be used.
    Known(PublicKey<R>),
    /// A well-formed key of a kind that is not read here.
    Unknown(UnknownKey),
}

impl<R: Role> KeyText<R> {
    /// The public key's own bytes, which say neither its name nor its kind.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Known(key) => key.to_bytes(),
            Self::Unknown(key) => key.key.clone(),
        }
    }
}

/// A key of a kind that is not read here: it can be named, and never checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownKey {
    name: String,
    id: [u8; 4],
    kind: u8,
    key: Vec<u8>,
}

impl UnknownKey {
    /// The key's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The key id as its text gives it. Other kinds may derive it in other ways, so it is not checked.
    #[must_use]
    pub const fn id(&self) -> [u8; 4] {
        self.id
    }

    /// The signature type byte.
    #[must_use]
    pub const fn kind(&self) -> u8 {
        self.kind
    }

    /// The public key's own bytes.
    #[must_use]
    pub fn to_bytes(&self) -> &[u8] {
        &self.key
    }

    pub(super) fn refused<R: Role>(&self) -> KeyError {
        R::not_public(unknown_kind(self.kind))
    }
}

impl<R: Role> FromStr for KeyText<R> {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        let wrong = |why: &str| R::not_public(why.to_owned());
        let parts = Parts::split(text, R::not_public)?;
        let Some(algorithm) = parts.algorithm::<R>(R::not_public)? else {
            let Parts { name, id, kind, key } = parts;
            return Ok(Self::Unknown(UnknownKey { name: name.to_owned(), id, kind, key }));
        };
        let found = PublicKey::new(parts.name, PublicHalf::from_bytes(algorithm, &parts.key).map_err(wrong)?);
        if found.id() == parts.id {
            Ok(Self::Known(found))
        } else {
            Err(wrong("its id does not belong to its name and key"))
        }
    }
}

/// A key's text taken apart.
pub(super) struct Parts<'a> {
    pub(super) name: &'a str,
    pub(super) id: [u8; 4],
    pub(super) kind: u8,
    pub(super) key: Vec<u8>,
}

impl<'a> Parts<'a> {
    pub(super) fn split(text: &'a str, wrong: fn(String) -> KeyError) -> Result<Self, KeyError> {
        let wrong = |why: &str| wrong(why.to_owned());
        let mut parts = text.splitn(3, '+');
        let (Some(name), Some(id), Some(key)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(wrong("it has too few parts"));
        };
        check_name(name)?;
        let key = STANDARD.decode(key).map_err(|_| wrong("its key is not base64"))?;
        let id = parse_hex(id).ok_or_else(|| wrong("its id is not 8 hexadecimal digits in lower case"))?;
        match key.split_first() {
            Some((kind, key)) if !key.is_empty() => Ok(Self { name, id, kind: *kind, key: key.to_vec() }),
            Some(_) | None => Err(wrong("its key is empty")),
        }
    }

    /// The key's algorithm; `None` for a kind that is not read here.
    pub(super) fn algorithm<R: Role>(
        &self,
        wrong: fn(String) -> KeyError,
    ) -> Result<Option<Algorithm>, KeyError> {
        let (other, why) = R::OTHER;
        if self.kind == other {
            return Err(wrong(why.to_owned()));
        }
        Ok(Algorithm::of::<R>(self.kind))
    }

    pub(super) fn unknown_kind(&self) -> String {
        unknown_kind(self.kind)
    }
}

fn unknown_kind(kind: u8) -> String {
    format!("it is of the kind 0x{kind:02x}, which is not read here")
}

pub(super) fn check_name(name: &str) -> Result<(), KeyError> {
    let fits = (1..=255).contains(&name.len());
    if fits && !name.chars().any(|c| c.is_whitespace() || c.is_control() || c == '+') {
        return Ok(());
    }
    Err(KeyError::Name(name.chars().take(80).collect()))
}

pub(crate) fn hex(id: [u8; 4]) -> String {
    format!("{:08x}", u32::from_be_bytes(id))
}

fn parse_hex(text: &str) -> Option<[u8; 4]> {
    let id = u32::from_str_radix(text, 16).ok()?.to_be_bytes();
    (hex(id) == text).then_some(id)
}
