//! Checkpoints: the log's origin, size and root (C2SP tlog-checkpoint), signed as a note.

use crate::cosignature::{check, cosign};
use crate::key::Algorithm;
use crate::note::{Note, NoteError, NoteSignature, SigningKey, VerifierKey};
use crate::tree::{Frontier, TreeHash};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::fmt;

/// The moment in a log's own ML-DSA-44 signature: none is stated.
const NO_TIME: u64 = 0;

/// The checkpoint of a log at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    /// The log's name, `example.com/log` say; equal to the name of the key that signs.
    pub origin: String,
    /// How many entries the log had.
    pub size: u64,
    /// The root of their Merkle tree.
    pub root: TreeHash,
}

impl Checkpoint {
    /// The checkpoint of the log `origin` whose right edge this is.
    #[must_use]
    pub fn of(origin: &str, frontier: &Frontier) -> Self {
        Self { origin: origin.to_owned(), size: frontier.size(), root: frontier.root() }
    }

    /// The root in base64, as it stands in the checkpoint's third line.
    #[must_use]
    pub fn root_text(&self) -> String {
        STANDARD.encode(self.root)
    }

    /// Reads the three lines; extension lines behind them are for those who know what they mean.
    fn parse(body: &str) -> Result<Self, CheckpointError> {
        let mut lines = body.strip_suffix('\n').unwrap_or(body).split('\n');
        let (Some(origin), Some(size), Some(root)) = (lines.next(), lines.next(), lines.next()) else {
            return Err(CheckpointError::Body("three lines: origin, size and root"));
        };
        if origin.is_empty() {
            return Err(CheckpointError::Body("an origin in the first line"));
        }
        if lines.any(str::is_empty) {
            return Err(CheckpointError::Body("no empty line among those behind the root"));
        }
        let root = STANDARD.decode(root).ok().and_then(|root| root.try_into().ok());
        let root = root.ok_or(CheckpointError::Body("a root of 32 bytes in base64 in the third line"))?;
        Ok(Self { origin: origin.to_owned(), size: parse_size(size)?, root })
    }
}

/// The checkpoint's three lines: the text of its note, where that has no extension lines.
impl fmt::Display for Checkpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n{}\n{}", self.origin, self.size, self.root_text())
    }
}

/// Reads a size or index in decimal digits, without sign or leading zeros.
///
/// # Errors
/// [`CheckpointError::Body`].
pub fn parse_size(text: &str) -> Result<u64, CheckpointError> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let leading_zero = text.len() > 1 && text.starts_with('0');
    match text.parse() {
        Ok(size) if digits && !leading_zero => Ok(size),
        Ok(_) | Err(_) => Err(CheckpointError::Body("a size in decimal digits in the second line")),
    }
}

/// Why a checkpoint cannot be read or made, or is not believed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointError {
    /// The signed text is not a checkpoint.
    #[error("not a checkpoint: expected {0}")]
    Body(&'static str),
    /// The note round it is wrong, or its signature does not hold.
    #[error(transparent)]
    Note(#[from] NoteError),
    /// The key belongs to another log.
    #[error("the checkpoint is of the log `{origin}` but the key is of `{key}`")]
    Origin {
        /// The checkpoint's origin.
        origin: String,
        /// The key's name.
        key: String,
    },
}

/// A checkpoint with its signature lines, exactly as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedCheckpoint {
    checkpoint: Checkpoint,
    text: String,
    /// How many bytes of the text are the note's own text, before its empty line.
    body: usize,
    signatures: Vec<NoteSignature>,
}

impl SignedCheckpoint {
    /// Signs a checkpoint. The caller must make it durable before anybody else sees it: a log that signs two
    /// roots of one size has forked.
    ///
    /// # Errors
    /// [`CheckpointError::Origin`] when the key's name is not the origin.
    pub fn sign(checkpoint: &Checkpoint, key: &SigningKey) -> Result<Self, CheckpointError> {
        Self::parse(&format!("{checkpoint}\n{}", own_line(checkpoint, &checkpoint.to_string(), key)?))
    }

    /// This checkpoint with the signature line of another key of the same log behind the lines it has: whoever
    /// knows one of the keys believes it. An older line of that key is replaced.
    ///
    /// # Errors
    /// [`CheckpointError::Origin`] when the key's name is not the origin, [`CheckpointError::Note`] when the note
    /// would become too long.
    pub fn also_signed_by(&self, key: &SigningKey) -> Result<Self, CheckpointError> {
        let others = self.signatures.iter().filter(|line| !key.public().matches(line));
        let text = others.fold(format!("{}\n", self.body()), |text, line| text + &line.to_string());
        Self::parse(&(text + &own_line(&self.checkpoint, self.body(), key)?))
    }

    /// Reads a signed checkpoint; its signatures are kept but not yet believed.
    ///
    /// # Errors
    /// [`CheckpointError`] when it is not written exactly as it must be.
    pub fn parse(text: &str) -> Result<Self, CheckpointError> {
        let note = Note::parse(text)?;
        let checkpoint = Checkpoint::parse(note.text)?;
        Ok(Self { checkpoint, body: note.text.len(), signatures: note.signatures, text: text.to_owned() })
    }

    /// Checks that the log's own key signed this.
    ///
    /// # Errors
    /// [`CheckpointError::Origin`] for another log's key, [`CheckpointError::Note`] when its
    /// signature is missing or does not hold.
    pub fn verify(&self, key: &VerifierKey) -> Result<(), CheckpointError> {
        check_origin(&self.checkpoint, key.name())?;
        let mut own = self.signatures.iter().filter(|line| key.matches(line)).peekable();
        if own.peek().is_none() {
            return Err(NoteError::NotSigned(key.to_string()).into());
        }
        let holds = |line: &NoteSignature| match key.algorithm() {
            Algorithm::Ed25519 => key.checks(self.body().as_bytes(), &line.signature),
            Algorithm::MlDsa44 => check(key, self, line).is_ok(),
        };
        if own.all(holds) { Ok(()) } else { Err(NoteError::BadSignature(key.to_string()).into()) }
    }

    /// Origin, size and root.
    #[must_use]
    pub const fn checkpoint(&self) -> &Checkpoint {
        &self.checkpoint
    }

    /// The note's text with its last newline. An Ed25519 signature covers all of it; an ML-DSA-44 one covers only
    /// origin, size and root, and extension lines are then unauthenticated.
    #[must_use]
    pub fn body(&self) -> &str {
        &self.text[..self.body]
    }

    /// The whole note, cosignatures included.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// All signature lines, the log's own and others' (cosignatures), in order.
    #[must_use]
    pub fn signatures(&self) -> &[NoteSignature] {
        &self.signatures
    }
}

/// The signature line of a log's key for a checkpoint whose note has the text `body`.
fn own_line(checkpoint: &Checkpoint, body: &str, key: &SigningKey) -> Result<String, CheckpointError> {
    check_origin(checkpoint, key.name())?;
    match key.public().algorithm() {
        Algorithm::Ed25519 => Ok(key.signature_line(body)),
        Algorithm::MlDsa44 => cosign(key, checkpoint, body, NO_TIME)
            .map(|line| line.to_string())
            .map_err(|_| CheckpointError::Body("an origin of at most 255 bytes in the first line")),
    }
}

fn check_origin(checkpoint: &Checkpoint, key: &str) -> Result<(), CheckpointError> {
    if checkpoint.origin == key {
        return Ok(());
    }
    Err(CheckpointError::Origin { origin: checkpoint.origin.clone(), key: key.to_owned() })
}
