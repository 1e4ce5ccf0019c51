//! Cosignatures (C2SP tlog-cosignature): what a witness says of a log's checkpoint.
//!
//! A witness says with it that, at a moment, this was the largest tree it had seen of the log, and
//! that it extends every earlier one the witness signed. This module has no clock: the moment is handed in,
//! and whether a moment is plausible is for the reader.
//!
//! ```text
//! line       — NAME base64(key id, seconds as 8 bytes, signature)
//! Ed25519    signs "cosignature/v1\n" "time <seconds>\n" and the text of the checkpoint's note
//! ML-DSA-44  signs "subtree/v1\n\0", the length and bytes of NAME, the seconds, the length and bytes of the
//!            origin, 0, the size, the root: lengths of 1 byte, numbers of 8 bytes, highest byte first
//! ```
//! A log's ML-DSA-44 key signs its own checkpoints in the same form, with the moment 0: it makes no
//! statement about time.

use crate::checkpoint::{Checkpoint, CheckpointError, SignedCheckpoint};
use crate::key::{Algorithm, PublicKey, Role, SecretKey, Witness};
use crate::note::{NoteSignature, parse_signature};
use std::fmt;

/// What an ML-DSA-44 message begins with.
const SUBTREE_LABEL: &[u8; 12] = b"subtree/v1\n\0";
/// The latest moment that may be signed, seconds since 1970.
const LATEST: u64 = i64::MAX as u64;

/// Why a cosignature cannot be made, or is not believed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CosignatureError {
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
    /// The witness's key is of a kind that is not read here.
    #[error(
        "its key is of the kind 0x{0:02x}, which is not read here, so its cosignatures cannot be checked"
    )]
    UnknownKind(u8),
    /// The witness has the name of the log itself: an ML-DSA-44 key of a log can sign cosignatures too.
    #[error("{0} is the log itself, which cannot be its own witness")]
    OwnWitness(String),
    /// A cosignature of time 0.
    #[error(
        "a cosignature by {0} does not say when it was made, so it does not say that the tree was the largest seen"
    )]
    NoStatement(String),
    /// A moment past what the format can say.
    #[error("{0} seconds since 1970 cannot be signed: at most 9,223,372,036,854,775,807")]
    Time(u64),
    /// An origin that an ML-DSA-44 signature cannot name.
    #[error("an origin of {0} bytes cannot be signed with ML-DSA-44: at most 255")]
    Origin(usize),
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

    /// This cosignature, if it says when it was made: one of time 0 does not say that its checkpoint was the largest the
    /// witness had seen (C2SP tlog-cosignature), as the signature of a log with an ML-DSA-44 key does not.
    ///
    /// # Errors
    /// [`CosignatureError::NoStatement`].
    pub fn with_statement(self) -> Result<Self, CosignatureError> {
        if self.time == 0 { Err(CosignatureError::NoStatement(self.line.name)) } else { Ok(self) }
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

/// The key a witness signs with, its public half.
pub type WitnessKey = PublicKey<Witness>;
/// The key a witness signs with, its secret half.
pub type WitnessSigningKey = SecretKey<Witness>;

impl WitnessKey {
    /// The witness's newest cosignature under a checkpoint. Every line that bears its name and key
    /// id must hold.
    ///
    /// # Errors
    /// [`CosignatureError::Missing`] or [`CosignatureError::Bad`].
    pub fn verify(&self, signed: &SignedCheckpoint) -> Result<Cosignature, CosignatureError> {
        let mut newest: Option<Cosignature> = None;
        for line in signed.signatures().iter().filter(|line| self.matches(line)) {
            let found = check(self, signed, line)?;
            if newest.as_ref().is_none_or(|newest| newest.time < found.time) {
                newest = Some(found);
            }
        }
        newest.ok_or_else(|| CosignatureError::Missing(self.to_string()))
    }
}

impl WitnessSigningKey {
    /// The witness's word for a checkpoint at `time`, seconds since 1970 UTC. Whether it may be given
    /// (nothing else was signed at that size, nothing larger before) is the witness's part.
    ///
    /// # Errors
    /// [`CosignatureError::Time`], [`CosignatureError::Origin`].
    pub fn cosign(&self, signed: &SignedCheckpoint, time: u64) -> Result<Cosignature, CosignatureError> {
        cosign(self, signed.checkpoint(), signed.body(), time)
    }
}

/// Checks one line that bears the key's name and id.
pub(crate) fn check<R: Role>(
    key: &PublicKey<R>,
    signed: &SignedCheckpoint,
    line: &NoteSignature,
) -> Result<Cosignature, CosignatureError> {
    let bad = |why| CosignatureError::Bad { name: key.name().to_owned(), why };
    let length = key.algorithm().signature_bytes();
    let stamped = line.signature.split_first_chunk::<8>().filter(|(_, signature)| signature.len() == length);
    let (time, signature) = stamped.ok_or_else(|| {
        bad(match key.algorithm() {
            Algorithm::Ed25519 => "it has not 72 bytes",
            Algorithm::MlDsa44 => "it has not 2,428 bytes",
        })
    })?;
    let time = u64::from_be_bytes(*time);
    if time > LATEST {
        return Err(bad("its time is past what the format allows"));
    }
    let message = message(key, signed.checkpoint(), signed.body(), time)?;
    if !key.checks(&message, signature) {
        return Err(bad("the checkpoint, the time or the signature was altered"));
    }
    Ok(Cosignature { line: line.clone(), time })
}

/// Signs a checkpoint whose note has the text `body`.
pub(crate) fn cosign<R: Role>(
    key: &SecretKey<R>,
    checkpoint: &Checkpoint,
    body: &str,
    time: u64,
) -> Result<Cosignature, CosignatureError> {
    if time > LATEST {
        return Err(CosignatureError::Time(time));
    }
    let signature = key.sign_bytes(&message(key.public(), checkpoint, body, time)?);
    let signature = [&time.to_be_bytes()[..], &signature].concat();
    let (name, id) = (key.name().to_owned(), key.public().id());
    Ok(Cosignature { line: NoteSignature { name, id, signature }, time })
}

/// What is signed. Ed25519 signs the note's text and not the cosigner's name, ML-DSA-44 the name and not the
/// text's extension lines.
fn message<R: Role>(
    key: &PublicKey<R>,
    checkpoint: &Checkpoint,
    body: &str,
    time: u64,
) -> Result<Vec<u8>, CosignatureError> {
    match key.algorithm() {
        Algorithm::Ed25519 => Ok(format!("cosignature/v1\ntime {time}\n{body}").into_bytes()),
        Algorithm::MlDsa44 => cosigned_message(key.name(), checkpoint, time),
    }
}

/// The `cosigned_message` of a whole tree.
fn cosigned_message(name: &str, checkpoint: &Checkpoint, time: u64) -> Result<Vec<u8>, CosignatureError> {
    let long = |_| CosignatureError::Origin(checkpoint.origin.len());
    let mut message = SUBTREE_LABEL.to_vec();
    message.push(u8::try_from(name.len()).map_err(long)?);
    message.extend_from_slice(name.as_bytes());
    message.extend_from_slice(&time.to_be_bytes());
    message.push(u8::try_from(checkpoint.origin.len()).map_err(long)?);
    message.extend_from_slice(checkpoint.origin.as_bytes());
    message.extend_from_slice(&0_u64.to_be_bytes());
    message.extend_from_slice(&checkpoint.size.to_be_bytes());
    message.extend_from_slice(&checkpoint.root);
    Ok(message)
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
        let mut text = format!("{}\n", self.body());
        let others = self.signatures().iter().filter(|line| line.name != new.name || line.id != new.id);
        for line in others.chain([new]) {
            text += &line.to_string();
        }
        Self::parse(&text).map_err(CosignatureError::Full)
    }

    /// The witness's cosignature among the signature lines it answered for this checkpoint; lines of
    /// unknown keys are passed over. A witness must say when it signed (C2SP tlog-witness).
    ///
    /// # Errors
    /// [`CosignatureError`] when the answer is no signature lines, or none of them is the witness's
    /// word for this checkpoint.
    pub fn cosignature_in(&self, lines: &str, key: &WitnessKey) -> Result<Cosignature, CosignatureError> {
        let lines = parse_lines(lines)?;
        let line = lines.iter().find(|line| key.matches(line));
        check(key, self, line.ok_or_else(|| CosignatureError::Missing(key.to_string()))?)?.with_statement()
    }
}
