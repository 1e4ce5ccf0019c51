//! Cosignatures (C2SP tlog-cosignature, Ed25519 v1): what a witness says of a log's checkpoint.
//!
//! A witness says with it that, at a moment, this was the largest tree it had seen of the log, and
//! that it extends every earlier one the witness signed. This room has no clock: the moment is handed in,
//! and whether a moment is plausible is for the reader.
//!
//! ```text
//! signed     "cosignature/v1\n" "time <seconds>\n" and the checkpoint's three lines
//! line       — NAME base64(key id, seconds as 8 bytes, signature of 64 bytes)
//! key id     first 4 bytes of SHA-256(NAME, 0x0a, 0x04, public key)
//! ```

use crate::checkpoint::{CheckpointError, SignedCheckpoint};
use crate::note::{NoteError, NoteSignature, check_key_name, hex, key_id, parse_signature};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signature, Signer as _};
use std::fmt;
use std::str::FromStr;

/// The kind of a witness's key. A log's is 0x01, so neither can stand for the other.
const COSIGNATURE_V1: u8 = 4;
/// The latest moment that may be signed, seconds since 1970.
const LATEST: u64 = i64::MAX as u64;

/// Why a witness's key cannot be read, or its cosignature is not believed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CosignatureError {
    /// A witness's name.
    #[error(transparent)]
    Name(#[from] NoteError),
    /// A verifier key's text.
    #[error(
        "not a witness's verifier key ({0}): expected NAME+8 HEX DIGITS+BASE64 of 0x04 and an Ed25519 public key"
    )]
    VerifierKey(&'static str),
    /// A signing key's text. The text itself is not repeated: it is a secret.
    #[error(
        "not a witness's signing key ({0}): expected PRIVATE+KEY+NAME+8 HEX DIGITS+BASE64 of 0x04 and an Ed25519 seed"
    )]
    SigningKey(&'static str),
    /// The checkpoint carries no line of the witness.
    #[error("there is no cosignature by {0}")]
    Missing(String),
    /// A line of the witness does not hold.
    #[error("a cosignature by {name} does not hold: {why}")]
    Bad {
        /// The witness's name.
        name: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A moment past what the format can say.
    #[error("{0} seconds since 1970 cannot be signed: at most 9,223,372,036,854,775,807")]
    Time(u64),
    /// What a witness answered is not signature lines.
    #[error("line {line} of what the witness answered is no signature line `\u{2014} NAME BASE64`")]
    Lines {
        /// Which line, from 1.
        line: usize,
    },
    /// The checkpoint with its cosignatures would be longer than a note may be.
    #[error("the checkpoint cannot carry more signatures: {0}")]
    Full(CheckpointError),
}

/// A cosignature that was checked, or just made: it can only be had from a witness's key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cosignature {
    line: NoteSignature,
    time: u64,
}

impl Cosignature {
    /// The witness's name.
    #[must_use]
    pub fn witness(&self) -> &str {
        &self.line.name
    }

    /// When it was made, as the witness says: seconds since 1970 UTC.
    #[must_use]
    pub const fn time(&self) -> u64 {
        self.time
    }
}

/// The signature line with its newline, as a witness answers it.
impl fmt::Display for Cosignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.line.fmt(f)
    }
}

/// The public half of a witness's key.
#[derive(Clone, PartialEq, Eq)]
pub struct WitnessKey {
    name: String,
    public: ed25519_dalek::VerifyingKey,
}

impl WitnessKey {
    /// The witness's name; customarily a URL without its scheme.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The key id: first four bytes of SHA-256 over name, newline, 0x04 and the public key.
    #[must_use]
    pub fn id(&self) -> [u8; 4] {
        key_id(&self.name, COSIGNATURE_V1, &self.public)
    }

    /// Whether both are the same point of the curve, whatever their names.
    pub(crate) fn same_point(&self, other: &Self) -> bool {
        self.public == other.public
    }

    /// The witness's newest cosignature under a checkpoint. Every line that bears its name and key
    /// id must hold.
    ///
    /// # Errors
    /// [`CosignatureError::Missing`] or [`CosignatureError::Bad`].
    pub fn verify(&self, signed: &SignedCheckpoint) -> Result<Cosignature, CosignatureError> {
        let id = self.id();
        let mut newest: Option<Cosignature> = None;
        let own = |line: &&NoteSignature| line.name == self.name && line.id == id;
        for line in signed.signatures().iter().filter(own) {
            let found = self.check(signed, line)?;
            if newest.as_ref().is_none_or(|newest| newest.time < found.time) {
                newest = Some(found);
            }
        }
        newest.ok_or_else(|| CosignatureError::Missing(self.to_string()))
    }

    fn check(
        &self,
        signed: &SignedCheckpoint,
        line: &NoteSignature,
    ) -> Result<Cosignature, CosignatureError> {
        let bad = |why| CosignatureError::Bad { name: self.name.clone(), why };
        let stamped = line.signature.split_first_chunk::<8>();
        let (time, signature) = stamped.ok_or_else(|| bad("it has not 72 bytes"))?;
        let signature = Signature::from_slice(signature).map_err(|_| bad("it has not 72 bytes"))?;
        let time = u64::from_be_bytes(*time);
        if time > LATEST {
            return Err(bad("its time is past what the format allows"));
        }
        self.public
            .verify_strict(message(signed, time).as_bytes(), &signature)
            .map_err(|_| bad("the checkpoint, the time or the signature was altered"))?;
        Ok(Cosignature { line: line.clone(), time })
    }
}

impl fmt::Display for WitnessKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = [&[COSIGNATURE_V1][..], self.public.as_bytes()].concat();
        write!(f, "{}+{}+{}", self.name, hex(self.id()), STANDARD.encode(key))
    }
}

impl fmt::Debug for WitnessKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WitnessKey({self})")
    }
}

impl FromStr for WitnessKey {
    type Err = CosignatureError;

    fn from_str(text: &str) -> Result<Self, CosignatureError> {
        let wrong = CosignatureError::VerifierKey;
        let (name, id, public) = parts(text, wrong)?;
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

/// The secret half of a witness's key. It is never printed by `Debug`. It must sign for one witness
/// alone: what is signed does not name the witness.
#[derive(Clone)]
pub struct WitnessSigningKey {
    name: String,
    secret: ed25519_dalek::SigningKey,
}

impl WitnessSigningKey {
    /// A key for the witness `name` from 32 bytes of randomness, which the caller provides and
    /// keeps secret.
    ///
    /// # Errors
    /// [`CosignatureError::Name`].
    pub fn from_seed(name: &str, seed: &[u8; 32]) -> Result<Self, CosignatureError> {
        check_key_name(name)?;
        Ok(Self { name: name.to_owned(), secret: ed25519_dalek::SigningKey::from_bytes(seed) })
    }

    /// The public half.
    #[must_use]
    pub fn verifier_key(&self) -> WitnessKey {
        WitnessKey { name: self.name.clone(), public: self.secret.verifying_key() }
    }

    /// The secret as text: for a file only its owner may read.
    #[must_use]
    pub fn to_secret_text(&self) -> String {
        let key = [&[COSIGNATURE_V1][..], self.secret.as_bytes()].concat();
        format!("PRIVATE+KEY+{}+{}+{}", self.name, hex(self.verifier_key().id()), STANDARD.encode(key))
    }

    /// The witness's word for a checkpoint at `time`, seconds since 1970 UTC. Whether it may be given
    /// (nothing else was signed at that size, nothing larger before) is the witness's part.
    ///
    /// # Errors
    /// [`CosignatureError::Time`].
    pub fn cosign(&self, signed: &SignedCheckpoint, time: u64) -> Result<Cosignature, CosignatureError> {
        if time > LATEST {
            return Err(CosignatureError::Time(time));
        }
        let signature = self.secret.sign(message(signed, time).as_bytes()).to_bytes();
        let signature = [&time.to_be_bytes()[..], &signature].concat();
        let id = self.verifier_key().id();
        Ok(Cosignature { line: NoteSignature { name: self.name.clone(), id, signature }, time })
    }
}

impl fmt::Debug for WitnessSigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WitnessSigningKey({}, secret)", self.name)
    }
}

impl FromStr for WitnessSigningKey {
    type Err = CosignatureError;

    fn from_str(text: &str) -> Result<Self, CosignatureError> {
        let wrong = CosignatureError::SigningKey;
        let rest = text.strip_prefix("PRIVATE+KEY+").ok_or(wrong("it does not begin with PRIVATE+KEY+"))?;
        let (name, id, seed) = parts(rest, wrong)?;
        let found = Self::from_seed(name, &seed)?;
        if hex(found.verifier_key().id()) == id {
            Ok(found)
        } else {
            Err(wrong("its id does not belong to its name and key"))
        }
    }
}

/// Name, id and the 32 bytes of a key's text.
fn parts(
    text: &str,
    wrong: fn(&'static str) -> CosignatureError,
) -> Result<(&str, &str, [u8; 32]), CosignatureError> {
    let mut parts = text.splitn(3, '+');
    let (Some(name), Some(id), Some(key)) = (parts.next(), parts.next(), parts.next()) else {
        return Err(wrong("it has too few parts"));
    };
    check_key_name(name)?;
    let key = STANDARD.decode(key).map_err(|_| wrong("its key is not base64"))?;
    match key.split_first() {
        Some((&COSIGNATURE_V1, bytes)) => {
            let bytes = bytes.try_into().map_err(|_| wrong("its key has not 32 bytes"))?;
            Ok((name, id, bytes))
        }
        Some((1, _)) => Err(wrong("it is of the kind 0x01, the key of a log")),
        Some((6, _)) => Err(wrong("it is of the kind 0x06, ML-DSA, which is not read here")),
        Some(_) | None => Err(wrong("it is not of the kind 0x04")),
    }
}

fn message(signed: &SignedCheckpoint, time: u64) -> String {
    format!("cosignature/v1\ntime {time}\n{}", signed.checkpoint())
}

/// What a witness answered, taken apart; nothing of it has been believed yet.
pub(crate) fn parse_lines(text: &str) -> Result<Vec<NoteSignature>, CosignatureError> {
    let wrong = |line| CosignatureError::Lines { line };
    let lines = text.strip_suffix('\n').ok_or(wrong(text.split('\n').count()))?;
    lines.split('\n').zip(1..).map(|(text, line)| parse_signature(text).map_err(|_| wrong(line))).collect()
}

impl SignedCheckpoint {
    /// This checkpoint with a cosignature among its signature lines; an older one of the same
    /// witness is replaced. The log's own line stays first and nothing else changes.
    ///
    /// # Errors
    /// [`CosignatureError::Full`] when the note would become too long.
    pub fn with_cosignature(&self, cosignature: &Cosignature) -> Result<Self, CosignatureError> {
        let new = &cosignature.line;
        let mut text = format!("{}\n", self.checkpoint());
        let others = self.signatures().iter().filter(|line| line.name != new.name || line.id != new.id);
        for line in others.chain([new]) {
            text += &line.to_string();
        }
        Self::parse(&text).map_err(CosignatureError::Full)
    }

    /// The witness's cosignature among the signature lines it answered for this checkpoint; lines of
    /// unknown keys are passed over.
    ///
    /// # Errors
    /// [`CosignatureError`] when the answer is no signature lines, or none of them is the witness's
    /// word for this checkpoint.
    pub fn answered(&self, lines: &str, key: &WitnessKey) -> Result<Cosignature, CosignatureError> {
        let id = key.id();
        let own = |line: &NoteSignature| line.name == key.name && line.id == id;
        let lines = parse_lines(lines)?;
        let line =
            lines.iter().find(|line| own(line)).ok_or_else(|| CosignatureError::Missing(key.to_string()))?;
        key.check(self, line)
    }
}

#[cfg(test)]
mod tests;
