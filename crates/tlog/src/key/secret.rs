//! The secret half of a key, and its text.

use super::PublicKey;
use super::algorithm::{Algorithm, SecretHalf};
use super::role::Role;
use super::text::{KeyError, Parts, check_name, hex};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::fmt;
use std::str::FromStr;

const SECRET_START: &str = "PRIVATE+KEY+";

/// The secret half of a key. It is never printed by `Debug`.
///
/// An Ed25519 key of a witness must sign for one witness alone: what it signs does not name the witness.
#[derive(Clone)]
pub struct SecretKey<R: Role> {
    public: PublicKey<R>,
    half: SecretHalf,
}

impl<R: Role> SecretKey<R> {
    /// An Ed25519 key named `name` from 32 bytes of randomness, which the caller provides and keeps secret.
    ///
    /// # Errors
    /// [`KeyError::Name`].
    pub fn from_seed(name: &str, seed: &[u8; 32]) -> Result<Self, KeyError> {
        Self::with_algorithm(Algorithm::Ed25519, name, seed)
    }

    /// A key of either algorithm; otherwise as [`Self::from_seed`].
    ///
    /// # Errors
    /// [`KeyError::Name`].
    pub fn with_algorithm(algorithm: Algorithm, name: &str, seed: &[u8; 32]) -> Result<Self, KeyError> {
        check_name(name)?;
        let half = SecretHalf::from_seed(algorithm, seed);
        Ok(Self { public: PublicKey::new(name, half.public()), half })
    }

    /// The key's name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.public.name()
    }

    /// The public half.
    #[must_use]
    pub fn verifier_key(&self) -> PublicKey<R> {
        self.public.clone()
    }

    /// The public half, borrowed.
    pub(crate) const fn public(&self) -> &PublicKey<R> {
        &self.public
    }

    /// The secret as text, `PRIVATE+KEY+NAME+ID+BASE64`: for a file only its owner may read.
    #[must_use]
    pub fn to_secret_text(&self) -> String {
        let key = [&[self.public.algorithm().kind::<R>()][..], self.half.seed()].concat();
        format!("{SECRET_START}{}+{}+{}", self.name(), hex(self.public.id()), STANDARD.encode(key))
    }

    /// The signature over exactly these bytes, which must not be a note's text.
    #[must_use]
    pub fn sign_bytes(&self, bytes: &[u8]) -> Vec<u8> {
        self.half.sign(bytes)
    }
}

impl<R: Role> fmt::Debug for SecretKey<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({}, secret)", R::SECRET, self.name())
    }
}

impl<R: Role> FromStr for SecretKey<R> {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        let wrong = |why: &str| R::not_secret(why.to_owned());
        let rest =
            text.strip_prefix(SECRET_START).ok_or_else(|| wrong("it does not begin with PRIVATE+KEY+"))?;
        let parts = Parts::split(rest, R::not_secret)?;
        let algorithm = parts.algorithm::<R>(R::not_secret)?;
        let algorithm = algorithm.ok_or_else(|| R::not_secret(parts.unknown_kind()))?;
        let seed = parts.key.try_into().map_err(|_| wrong("its seed has not 32 bytes"))?;
        let found = Self::with_algorithm(algorithm, parts.name, &seed)?;
        if found.public.id() == parts.id {
            Ok(found)
        } else {
            Err(wrong("its id does not belong to its name and key"))
        }
    }
}
