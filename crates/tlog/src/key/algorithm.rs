//! The two signature algorithms: Ed25519 (RFC 8032) and ML-DSA-44 (FIPS 204, pure, with an empty context).

use super::role::Role;
use ed25519_dalek::Signer as _;
use ml_dsa::{KeyInit as _, Keypair as _, MlDsa44};
use std::sync::Arc;

/// The kind of an ML-DSA-44 key, of logs and witnesses alike: what is signed names both.
const ML_DSA_44: u8 = 6;

/// How a key signs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    /// Ed25519: small and read everywhere.
    Ed25519,
    /// ML-DSA-44: withstands quantum computers; C2SP recommends it for new deployments.
    MlDsa44,
}

impl Algorithm {
    /// The first byte of a key's text, which also enters its id.
    #[must_use]
    pub const fn kind<R: Role>(self) -> u8 {
        match self {
            Self::Ed25519 => R::ED25519,
            Self::MlDsa44 => ML_DSA_44,
        }
    }

    /// Length of a signature in bytes: 64 or 2,420.
    #[must_use]
    pub const fn signature_bytes(self) -> usize {
        match self {
            Self::Ed25519 => 64,
            Self::MlDsa44 => 2_420,
        }
    }

    /// The algorithm of a key of this kind.
    pub(super) const fn of<R: Role>(kind: u8) -> Option<Self> {
        match kind {
            ML_DSA_44 => Some(Self::MlDsa44),
            kind if kind == R::ED25519 => Some(Self::Ed25519),
            _ => None,
        }
    }
}

/// A public key, without its name.
#[derive(Clone, PartialEq)]
pub(super) enum PublicHalf {
    Ed25519(ed25519_dalek::VerifyingKey),
    /// Twenty kilobytes once it is expanded, so it is shared.
    MlDsa44(Arc<ml_dsa::VerifyingKey<MlDsa44>>),
}

impl Eq for PublicHalf {}

impl PublicHalf {
    /// Reads a public key.
    ///
    /// # Errors
    /// What is wrong with the bytes.
    pub(super) fn from_bytes(algorithm: Algorithm, bytes: &[u8]) -> Result<Self, &'static str> {
        match algorithm {
            Algorithm::Ed25519 => {
                let bytes = bytes.try_into().map_err(|_| "its key has not 32 bytes")?;
                let key = ed25519_dalek::VerifyingKey::from_bytes(bytes);
                key.map(Self::Ed25519).map_err(|_| "its key is not a point of the curve")
            }
            Algorithm::MlDsa44 => {
                let key = ml_dsa::VerifyingKey::new_from_slice(bytes);
                key.map(|key| Self::MlDsa44(Arc::new(key))).map_err(|_| "its key has not 1,312 bytes")
            }
        }
    }

    pub(super) const fn algorithm(&self) -> Algorithm {
        match self {
            Self::Ed25519(_) => Algorithm::Ed25519,
            Self::MlDsa44(_) => Algorithm::MlDsa44,
        }
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Ed25519(key) => key.as_bytes().to_vec(),
            Self::MlDsa44(key) => key.encode().to_vec(),
        }
    }

    pub(super) fn checks(&self, bytes: &[u8], signature: &[u8]) -> bool {
        match self {
            Self::Ed25519(key) => ed25519_dalek::Signature::from_slice(signature)
                .is_ok_and(|signature| key.verify_strict(bytes, &signature).is_ok()),
            Self::MlDsa44(key) => ml_dsa::Signature::try_from(signature)
                .is_ok_and(|signature| key.verify_with_context(bytes, b"", &signature)),
        }
    }
}

/// A secret key, without its name.
#[derive(Clone)]
pub(super) enum SecretHalf {
    Ed25519(Box<ed25519_dalek::SigningKey>),
    MlDsa44(Arc<ml_dsa::SigningKey<MlDsa44>>),
}

impl SecretHalf {
    pub(super) fn from_seed(algorithm: Algorithm, seed: &[u8; 32]) -> Self {
        match algorithm {
            Algorithm::Ed25519 => Self::Ed25519(Box::new(ed25519_dalek::SigningKey::from_bytes(seed))),
            Algorithm::MlDsa44 => Self::MlDsa44(Arc::new(ml_dsa::SigningKey::from_seed(&(*seed).into()))),
        }
    }

    pub(super) fn public(&self) -> PublicHalf {
        match self {
            Self::Ed25519(key) => PublicHalf::Ed25519(key.verifying_key()),
            Self::MlDsa44(key) => PublicHalf::MlDsa44(Arc::new(key.verifying_key())),
        }
    }

    pub(super) fn seed(&self) -> &[u8] {
        match self {
            Self::Ed25519(key) => key.as_bytes(),
            Self::MlDsa44(key) => key.as_seed(),
        }
    }

    /// The signature; the same bytes always give the same one.
    pub(super) fn sign(&self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Self::Ed25519(key) => key.sign(bytes).to_bytes().to_vec(),
            Self::MlDsa44(key) => ml_dsa::Signer::sign(key.as_ref(), bytes).encode().to_vec(),
        }
    }
}
