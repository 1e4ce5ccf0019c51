//! C2SP signed notes with Ed25519: keys, their text forms, and signature lines.
//!
//! A note is a text ending in a newline, an empty line, and signature lines
//! `— name base64(key id, signature)`. Lines of unknown keys are kept and never judged.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signature, Signer as _};
use sha2::{Digest as _, Sha256};
use std::fmt;
use std::str::FromStr;

/// Longest note in bytes that is read.
pub const MAX_NOTE_BYTES: usize = 65_536;
/// Most signature lines that are read.
pub const MAX_NOTE_SIGNATURES: usize = 100;

/// What a key is for, as its text and its id say: the keys of logs. Another number is another key,
/// even over the same point of the curve.
const ED25519: u8 = 1;
const SIGNATURE_START: &str = "\u{2014} ";

/// Why a key or a note cannot be read, or is not believed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoteError {
    /// A key's name.
    #[error("`{0}` cannot name a key: 1 to 255 bytes without spaces, control characters or `+`")]
    KeyName(String),
    /// A verifier key's text.
    #[error("not a verifier key ({0}): expected NAME+8 HEX DIGITS+BASE64 of an Ed25519 public key")]
    VerifierKey(&'static str),
    /// A signing key's text. The text itself is not repeated: it is a secret.
    #[error("not a signing key ({0}): expected PRIVATE+KEY+NAME+8 HEX DIGITS+BASE64 of an Ed25519 seed")]
    SigningKey(&'static str),
    /// The note's form.
    #[error("not a signed note: {0}")]
    Form(&'static str),
    /// The note carries no signature by the key.
    #[error("there is no signature by {0}")]
    NotSigned(String),
    /// A signature by the key does not hold.
    #[error("a signature by {0} does not hold: the text or the signature was altered")]
    BadSignature(String),
}

/// The public half of a key: who may sign, and how to check it.
#[derive(Clone, PartialEq, Eq)]
pub struct VerifierKey {
    name: String,
    public: ed25519_dalek::VerifyingKey,
}

impl VerifierKey {
    /// The key's name; for a log it is the log's origin.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The key id: first four bytes of SHA-256 over name, newline, 0x01 and the public key.
    #[must_use]
    pub fn id(&self) -> [u8; 4] {
        key_id(&self.name, ED25519, &self.public)
    }

    /// The point of the curve, which does not say what the key is for.
    pub(crate) const fn point(&self) -> &ed25519_dalek::VerifyingKey {
        &self.public
    }

    /// Whether this is the key's signature over these bytes.
    #[must_use]
    pub fn checks(&self, bytes: &[u8], signature: &[u8]) -> bool {
        Signature::from_slice(signature)
            .is_ok_and(|signature| self.public.verify_strict(bytes, &signature).is_ok())
    }
}

impl fmt::Display for VerifierKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = [&[ED25519][..], self.public.as_bytes()].concat();
        write!(f, "{}+{}+{}", self.name, hex(self.id()), STANDARD.encode(key))
    }
}

impl fmt::Debug for VerifierKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "VerifierKey({self})")
    }
}

impl FromStr for VerifierKey {
    type Err = NoteError;

    fn from_str(text: &str) -> Result<Self, NoteError> {
        let wrong = NoteError::VerifierKey;
        let mut parts = text.splitn(3, '+');
        let (Some(name), Some(id), Some(key)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(wrong("it has fewer than three parts"));
        };
        check_key_name(name)?;
        let key = STANDARD.decode(key).map_err(|_| wrong("its key is not base64"))?;
        let Some((&ED25519, public)) = key.split_first() else {
            let witness = key.first() == Some(&4);
            let kind = if witness {
                "it is of the kind 0x04, the key of a witness"
            } else {
                "its key is not of the Ed25519 kind"
            };
            return Err(wrong(kind));
        };
        let public: [u8; 32] = public.try_into().map_err(|_| wrong("its key has not 32 bytes"))?;
        let public = ed25519_dalek::VerifyingKey::from_bytes(&public)
            .map_err(|_| wrong("its key is not a point of the curve"))?;
        let found = Self { name: name.to_owned(), public };
        if hex(found.id()) == id {
            Ok(found)
        } else {
            Err(wrong("its id does not belong to its name and key"))
        }
    }
}

/// The secret half of a key. It is never printed by `Debug`.
#[derive(Clone)]
pub struct SigningKey {
    name: String,
    secret: ed25519_dalek::SigningKey,
}

impl SigningKey {
    /// A key named `name` from 32 bytes of randomness, which the caller provides and keeps secret.
    ///
    /// # Errors
    /// [`NoteError::KeyName`].
    pub fn from_seed(name: &str, seed: &[u8; 32]) -> Result<Self, NoteError> {
        check_key_name(name)?;
        Ok(Self { name: name.to_owned(), secret: ed25519_dalek::SigningKey::from_bytes(seed) })
    }

    /// The key's name; for a log it is the log's origin.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The public half.
    #[must_use]
    pub fn verifier_key(&self) -> VerifierKey {
        VerifierKey { name: self.name.clone(), public: self.secret.verifying_key() }
    }

    /// The secret as text, `PRIVATE+KEY+NAME+ID+BASE64`: for a file only its owner may read.
    #[must_use]
    pub fn to_secret_text(&self) -> String {
        let key = [&[ED25519][..], self.secret.as_bytes()].concat();
        format!("PRIVATE+KEY+{}+{}+{}", self.name, hex(self.verifier_key().id()), STANDARD.encode(key))
    }

    /// The Ed25519 signature over these bytes, which must not be a note's text.
    #[must_use]
    pub fn sign_bytes(&self, bytes: &[u8]) -> [u8; 64] {
        self.secret.sign(bytes).to_bytes()
    }

    /// `text` (which must end in a newline) as a note with one signature.
    #[must_use]
    pub fn sign(&self, text: &str) -> String {
        format!("{text}\n{}", self.signature_line(text))
    }

    /// The signature line for a note's text.
    #[must_use]
    pub fn signature_line(&self, text: &str) -> String {
        let signature = self.sign_bytes(text.as_bytes());
        let line = STANDARD.encode([&self.verifier_key().id()[..], &signature].concat());
        format!("{SIGNATURE_START}{} {line}\n", self.name)
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SigningKey({}, secret)", self.name)
    }
}

impl FromStr for SigningKey {
    type Err = NoteError;

    fn from_str(text: &str) -> Result<Self, NoteError> {
        let wrong = NoteError::SigningKey;
        let rest = text.strip_prefix("PRIVATE+KEY+").ok_or(wrong("it does not begin with PRIVATE+KEY+"))?;
        let mut parts = rest.splitn(3, '+');
        let (Some(name), Some(id), Some(key)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(wrong("it has too few parts"));
        };
        let key = STANDARD.decode(key).map_err(|_| wrong("its key is not base64"))?;
        let Some((&ED25519, seed)) = key.split_first() else {
            return Err(wrong("its key is not of the Ed25519 kind"));
        };
        let seed: [u8; 32] = seed.try_into().map_err(|_| wrong("its seed has not 32 bytes"))?;
        let found = Self::from_seed(name, &seed)?;
        if hex(found.verifier_key().id()) == id {
            Ok(found)
        } else {
            Err(wrong("its id does not belong to its name and key"))
        }
    }
}

/// One signature line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoteSignature {
    /// The signer's key name.
    pub name: String,
    /// The signer's key id.
    pub id: [u8; 4],
    /// What follows the id: for plain Ed25519 a signature of 64 bytes.
    pub signature: Vec<u8>,
}

/// The line with its newline.
impl fmt::Display for NoteSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = STANDARD.encode([&self.id[..], &self.signature].concat());
        writeln!(f, "{SIGNATURE_START}{} {bytes}", self.name)
    }
}

/// A note taken apart; nothing about its signatures has been believed yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note<'a> {
    /// The signed text with its last newline.
    pub text: &'a str,
    /// The signature lines, in order.
    pub signatures: Vec<NoteSignature>,
}

impl<'a> Note<'a> {
    /// Takes a note apart.
    ///
    /// # Errors
    /// [`NoteError::Form`] when it is not written as the specification says, or is larger than
    /// [`MAX_NOTE_BYTES`] or [`MAX_NOTE_SIGNATURES`].
    pub fn parse(note: &'a str) -> Result<Self, NoteError> {
        let wrong = NoteError::Form;
        if note.len() > MAX_NOTE_BYTES {
            return Err(wrong("it is longer than 65,536 bytes"));
        }
        if note.chars().any(|c| c.is_ascii_control() && c != '\n') {
            return Err(wrong("it holds control characters"));
        }
        let split = note.rfind("\n\n").ok_or(wrong("there is no empty line before the signatures"))?;
        let (text, lines) = (&note[..=split], &note[split + 2..]);
        let lines = lines.strip_suffix('\n').ok_or(wrong("its last line does not end in a newline"))?;
        let signatures = lines.split('\n').map(parse_signature).collect::<Result<Vec<_>, _>>()?;
        if signatures.len() > MAX_NOTE_SIGNATURES {
            return Err(wrong("it has more than 100 signatures"));
        }
        Ok(Self { text, signatures })
    }

    /// Checks that the note has at least one signature by the key, and that every one by it is right.
    ///
    /// # Errors
    /// [`NoteError::NotSigned`] or [`NoteError::BadSignature`].
    pub fn verify(&self, key: &VerifierKey) -> Result<(), NoteError> {
        let id = key.id();
        let mut own = self.signatures.iter().filter(|line| line.name == key.name && line.id == id).peekable();
        if own.peek().is_none() {
            return Err(NoteError::NotSigned(key.to_string()));
        }
        if own.all(|line| key.checks(self.text.as_bytes(), &line.signature)) {
            return Ok(());
        }
        Err(NoteError::BadSignature(key.to_string()))
    }
}

pub(crate) fn parse_signature(line: &str) -> Result<NoteSignature, NoteError> {
    let wrong = NoteError::Form("a signature line is not `\u{2014} name base64`");
    let (name, bytes) =
        line.strip_prefix(SIGNATURE_START).and_then(|rest| rest.split_once(' ')).ok_or(wrong.clone())?;
    check_key_name(name)?;
    let bytes = STANDARD.decode(bytes).map_err(|_| wrong.clone())?;
    match bytes.split_first_chunk::<4>() {
        Some((id, signature)) if !signature.is_empty() => {
            Ok(NoteSignature { name: name.to_owned(), id: *id, signature: signature.to_vec() })
        }
        Some(_) | None => Err(wrong),
    }
}

/// The id of an Ed25519 key of one kind (C2SP signed-note): first four bytes of SHA-256 over name,
/// newline, kind and public key.
pub(crate) fn key_id(name: &str, kind: u8, public: &ed25519_dalek::VerifyingKey) -> [u8; 4] {
    let mut hasher = Sha256::new();
    hasher.update(name.as_bytes());
    hasher.update([b'\n', kind]);
    hasher.update(public.as_bytes());
    let hash: [u8; 32] = hasher.finalize().into();
    [hash[0], hash[1], hash[2], hash[3]]
}

pub(crate) fn check_key_name(name: &str) -> Result<(), NoteError> {
    let fits = (1..=255).contains(&name.len());
    if fits && !name.chars().any(|c| c.is_whitespace() || c.is_control() || c == '+') {
        return Ok(());
    }
    Err(NoteError::KeyName(name.chars().take(80).collect()))
}

pub(crate) fn hex(id: [u8; 4]) -> String {
    format!("{:08x}", u32::from_be_bytes(id))
}

#[cfg(test)]
mod tests;
