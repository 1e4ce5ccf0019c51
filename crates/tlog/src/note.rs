//! Signed notes (C2SP signed-note): a text and its signature lines.
//!
//! A note is a text ending in a newline, an empty line, and signature lines
//! `— name base64(key id, signature)`. Lines of unknown keys are kept and never judged.

use crate::key::{Algorithm, KeyError, Log, PublicKey, SecretKey, key_id};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::fmt;

/// Longest note in bytes that is read: [`MAX_NOTE_SIGNATURES`] lines of ML-DSA-44 cosignatures with names of 255
/// bytes, or 70 lines of 5,000 bytes of signature each. C2SP signed-note asks for 16 of "nearly 5kB".
pub const MAX_NOTE_BYTES: usize = 524_288;
/// Most signature lines that are read.
pub const MAX_NOTE_SIGNATURES: usize = 100;

/// The kind of an ML-DSA-44 signature over the whole text of a note, for notes that are no checkpoints.
const ML_DSA_NOTE: &[u8] = b"\xffML-DSA-44 over the note's text";
const SIGNATURE_START: &str = "\u{2014} ";

/// Why a key or a note cannot be read, or is not believed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoteError {
    /// A key's text or name.
    #[error(transparent)]
    Key(#[from] KeyError),
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

/// The key a log signs with, its public half.
pub type VerifierKey = PublicKey<Log>;
/// The key a log signs with, its secret half.
pub type SigningKey = SecretKey<Log>;

impl VerifierKey {
    /// The key id in a note that is no checkpoint. An ML-DSA-44 key of the kind 0x06 signs checkpoints alone, so
    /// there the id is that of the kind 0xff (C2SP signed-note, "signature types without an identifier byte")
    /// with an identifier of its own.
    #[must_use]
    pub fn note_id(&self) -> [u8; 4] {
        match self.algorithm() {
            Algorithm::Ed25519 => self.id(),
            Algorithm::MlDsa44 => key_id(self.name(), ML_DSA_NOTE, &self.to_bytes()),
        }
    }
}

impl SigningKey {
    /// `text` (which must end in a newline and be no checkpoint's) as a note with one signature. Checkpoints are
    /// signed by [`crate::checkpoint::SignedCheckpoint::sign`].
    #[must_use]
    pub fn sign(&self, text: &str) -> String {
        format!("{text}\n{}", self.signature_line(text))
    }

    /// The signature line for a note's text.
    #[must_use]
    pub fn signature_line(&self, text: &str) -> String {
        let (name, id) = (self.name().to_owned(), self.public().note_id());
        NoteSignature { name, id, signature: self.sign_bytes(text.as_bytes()) }.to_string()
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
            return Err(wrong("it is longer than 524,288 bytes"));
        }
        if note.chars().any(|c| c < ' ' && c != '\n') {
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
        let id = key.note_id();
        let mut own =
            self.signatures.iter().filter(|line| line.name == key.name() && line.id == id).peekable();
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
    if !is_signer_name(name) {
        return Err(wrong);
    }
    let bytes = STANDARD.decode(bytes).map_err(|_| wrong.clone())?;
    match bytes.split_first_chunk::<4>() {
        Some((id, signature)) if !signature.is_empty() => {
            Ok(NoteSignature { name: name.to_owned(), id: *id, signature: signature.to_vec() })
        }
        Some(_) | None => Err(wrong),
    }
}

/// Whether a signature line may bear this name. Keys that are read here have shorter ones (255 bytes at most).
fn is_signer_name(name: &str) -> bool {
    !name.is_empty() && !name.chars().any(|c| c.is_whitespace() || c == '+')
}
