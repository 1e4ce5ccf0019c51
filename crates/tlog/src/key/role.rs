//! What a key is for. A key of one role is another type than a key of the other.

use super::text::KeyError;

/// A key that signs a log's checkpoints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Log {}

/// A key that cosigns other people's checkpoints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Witness {}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Log {}
    impl Sealed for super::Witness {}
}

/// [`Log`] or [`Witness`]; nobody can add a third.
pub trait Role: sealed::Sealed + Clone + PartialEq + Eq + Send + Sync + 'static {
    /// The kind of an Ed25519 key of this role, the first byte in its text.
    const ED25519: u8;
    /// The kind of the other role's Ed25519 keys, and why it is refused here.
    #[doc(hidden)]
    const OTHER: (u8, &'static str);
    /// Names for `Debug`.
    #[doc(hidden)]
    const PUBLIC: &'static str;
    /// The same of the secret half.
    #[doc(hidden)]
    const SECRET: &'static str;
    /// The error for a text that is no public key of this role.
    #[doc(hidden)]
    fn not_public(why: String) -> KeyError;
    /// The error for a text that is no secret key of this role.
    #[doc(hidden)]
    fn not_secret(why: String) -> KeyError;
}

impl Role for Log {
    const ED25519: u8 = 1;
    const OTHER: (u8, &'static str) = (4, "it is of the kind 0x04, the key of a witness");
    const PUBLIC: &'static str = "VerifierKey";
    const SECRET: &'static str = "SigningKey";

    fn not_public(why: String) -> KeyError {
        KeyError::VerifierKey(why)
    }

    fn not_secret(why: String) -> KeyError {
        KeyError::SigningKey(why)
    }
}

impl Role for Witness {
    const ED25519: u8 = 4;
    const OTHER: (u8, &'static str) = (1, "it is of the kind 0x01, the key of a log");
    const PUBLIC: &'static str = "WitnessKey";
    const SECRET: &'static str = "WitnessSigningKey";

    fn not_public(why: String) -> KeyError {
        KeyError::WitnessKey(why)
    }

    fn not_secret(why: String) -> KeyError {
        KeyError::WitnessSigningKey(why)
    }
}
