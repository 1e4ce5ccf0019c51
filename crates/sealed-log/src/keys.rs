//! Rotations of the log's key: the statement that both keys sign, and which key signs a checkpoint at which size.
//!
//! The statement is a signed note of five lines, kept in a notice on the log's own chain:
//! ```text
//! audit log key rotation
//! <origin>
//! <size of the log before the notice>
//! <old verifier key>
//! <new verifier key>
//! ```
//! Every checkpoint that covers the notice is signed by the new key, every smaller one by the old. The first checkpoint that
//! covers it is signed by both, so that a reader who knows only the old key believes it and finds the notice.
//! Checkpoints of before this was so are signed by the new key alone and stay valid.

use tlog::checkpoint::{CheckpointError, SignedCheckpoint, parse_size};
use tlog::consistency::{ConsistencyError, ConsistencyProof};
use tlog::key::KeyError;
use tlog::note::{Note, NoteError, SigningKey, VerifierKey};

const TITLE: &str = "audit log key rotation";

/// Longest statement in bytes: five lines and two signatures, with ML-DSA-44 some eleven kilobytes.
pub(crate) const MAX_STATEMENT_BYTES: usize = 16_384;
/// Most rotations of one log that are followed.
pub const MAX_ROTATIONS: usize = 1_000;

/// Why a rotation is not believed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RotationError {
    /// Not such a statement.
    #[error("not a key rotation: expected {0}")]
    Form(&'static str),
    /// A key or a signature.
    #[error("not a key rotation: {0}")]
    Note(#[from] NoteError),
    /// The two keys are of different logs.
    #[error("the keys are of the logs `{old}` and `{new}`: a key is followed by another of the same log")]
    Names {
        /// Name of the old key.
        old: String,
        /// Name of the new key.
        new: String,
    },
    /// The new key is the old one.
    #[error("the new key is the old one")]
    SameKey,
    /// Its notice is at another index than it states.
    #[error("it says that it stands at entry {says}")]
    Index {
        /// The index it states.
        says: u64,
    },
    /// The old key was not in force at that index.
    #[error("it passes on {says}, but the log's key is {is} there")]
    NotInForce {
        /// The old key that it states.
        says: String,
        /// The key in force.
        is: String,
    },
    /// More than are followed.
    #[error("a log's key passes on at most {MAX_ROTATIONS} times")]
    TooMany,
}

/// A rotation of the log's key that both keys signed: only functions that check both signatures make one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRotation {
    size: u64,
    old: VerifierKey,
    new: VerifierKey,
    statement: String,
}

impl KeyRotation {
    /// The rotation of a log of `size` entries.
    ///
    /// # Errors
    /// [`RotationError`] when the keys are the same or of different logs.
    pub fn make(old: &SigningKey, new: &SigningKey, size: u64) -> Result<Self, RotationError> {
        let keys = (old.verifier_key(), new.verifier_key());
        check_keys(&keys.0, &keys.1)?;
        let text = format!("{TITLE}\n{}\n{size}\n{}\n{}\n", old.name(), keys.0, keys.1);
        let statement = format!("{}{}", old.sign(&text), new.signature_line(&text));
        Ok(Self { size, old: keys.0, new: keys.1, statement })
    }

    /// Reads a statement and checks both signatures.
    ///
    /// # Errors
    /// [`RotationError`] says what is wrong with it.
    pub fn parse(statement: &str) -> Result<Self, RotationError> {
        if statement.len() > MAX_STATEMENT_BYTES {
            return Err(RotationError::Form("at most 16,384 bytes"));
        }
        let note = Note::parse(statement)?;
        let lines: Vec<&str> = note.text.split('\n').collect();
        let &[TITLE, origin, size, old, new, ""] = lines.as_slice() else {
            return Err(RotationError::Form("a title, the origin, the size, the old and the new key"));
        };
        let size = parse_size(size)
            .map_err(|_| RotationError::Form("a size in decimal digits in the third line"))?;
        let key = |text: &str| text.parse::<VerifierKey>().map_err(|error: KeyError| NoteError::Key(error));
        let (old, new) = (key(old)?, key(new)?);
        check_keys(&old, &new)?;
        if origin != old.name() {
            return Err(RotationError::Form("the origin that the keys are of in the second line"));
        }
        note.verify(&old)?;
        note.verify(&new)?;
        Ok(Self { size, old, new, statement: statement.to_owned() })
    }

    /// Entries of the log before the notice: the notice's own index.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// The key that signed so far.
    #[must_use]
    pub const fn old(&self) -> &VerifierKey {
        &self.old
    }

    /// The key that signs from here on.
    #[must_use]
    pub const fn new_key(&self) -> &VerifierKey {
        &self.new
    }

    /// The note itself.
    #[must_use]
    pub fn statement(&self) -> &str {
        &self.statement
    }
}

fn check_keys(old: &VerifierKey, new: &VerifierKey) -> Result<(), RotationError> {
    if old.name() != new.name() {
        return Err(RotationError::Names { old: old.name().to_owned(), new: new.name().to_owned() });
    }
    if old == new { Err(RotationError::SameKey) } else { Ok(()) }
}

/// The keys of a log, one behind the other.
#[derive(Debug, Clone, Default)]
pub struct KeyHistory {
    rotations: Vec<KeyRotation>,
}

impl KeyHistory {
    /// Takes the next rotation, whose notice stands at `index`.
    ///
    /// # Errors
    /// [`RotationError`] when it does not follow from those before.
    pub fn add(&mut self, index: u64, rotation: KeyRotation) -> Result<(), RotationError> {
        if rotation.size != index {
            return Err(RotationError::Index { says: rotation.size });
        }
        if let Some(last) = self.rotations.last()
            && last.new != rotation.old
        {
            let (says, is) = (rotation.old.to_string(), last.new.to_string());
            return Err(RotationError::NotInForce { says, is });
        }
        if self.rotations.len() >= MAX_ROTATIONS {
            return Err(RotationError::TooMany);
        }
        self.rotations.push(rotation);
        Ok(())
    }

    /// The rotations, in log order.
    #[must_use]
    pub fn rotations(&self) -> &[KeyRotation] {
        &self.rotations
    }

    /// The key that signs a checkpoint of this size; `None` where the log's key was never rotated.
    #[must_use]
    pub fn at(&self, size: u64) -> Option<&VerifierKey> {
        let passed = self.rotations.partition_point(|rotation| rotation.size < size);
        match passed.checked_sub(1) {
            Some(last) => self.rotations.get(last).map(|rotation| &rotation.new),
            None => self.rotations.first().map(|rotation| &rotation.old),
        }
    }

    /// The key that was replaced by the last entry of a log of this size: it signs that checkpoint beside its successor.
    #[must_use]
    pub(crate) fn retired_at(&self, size: u64) -> Option<&VerifierKey> {
        let rotation = self.rotations.iter().find(|rotation| rotation.size.checked_add(1) == Some(size))?;
        Some(&rotation.old)
    }

    /// The key that signs now; `None` where the log's key was never rotated.
    #[must_use]
    pub fn newest(&self) -> Option<&VerifierKey> {
        self.rotations.last().map(|rotation| &rotation.new)
    }

    /// Whether a rotation names this key as the old or the new one.
    #[must_use]
    pub fn knows(&self, key: &VerifierKey) -> bool {
        self.rotations.iter().any(|rotation| rotation.old == *key || rotation.new == *key)
    }

    /// Checks that a checkpoint is signed by the key that was in force at its size, the reader
    /// trusting `trusted`: any key of the log vouches for the others, for both sign a rotation.
    ///
    /// # Errors
    /// [`CheckpointError`].
    pub fn verify(&self, signed: &SignedCheckpoint, trusted: &VerifierKey) -> Result<(), CheckpointError> {
        let in_force = self.at(signed.checkpoint().size).filter(|_| self.knows(trusted));
        signed.verify(in_force.unwrap_or(trusted))
    }

    /// The key of the log whose signature a checkpoint bears without its holding, where [`Self::verify`] does not believe
    /// it: the one in force at its size or, where that did not sign, another, for the size may be what was altered.
    /// `None` where a key of the log did sign it, or none of them is named.
    #[must_use]
    pub(crate) fn claimed_in_vain<'a>(
        &'a self,
        signed: &SignedCheckpoint,
        trusted: &'a VerifierKey,
    ) -> Option<&'a VerifierKey> {
        let known = self.knows(trusted);
        let in_force = self.at(signed.checkpoint().size).filter(|_| known).unwrap_or(trusted);
        let does_not_hold = |key: &VerifierKey| {
            matches!(signed.verify(key), Err(CheckpointError::Note(NoteError::BadSignature(_))))
        };
        if does_not_hold(in_force) {
            return Some(in_force);
        }
        let passed = self.rotations.iter().filter(|_| known);
        let mut all = passed.flat_map(|rotation| [&rotation.old, &rotation.new]);
        if all.clone().any(|key| signed.verify(key).is_ok()) {
            return None;
        }
        all.find(|key| does_not_hold(key))
    }

    /// Checks that the newer checkpoint of a proof extends `older`, and that the key in force at its size signed
    /// each of them, the reader trusting `trusted`.
    ///
    /// # Errors
    /// [`ConsistencyError`].
    pub fn verify_consistency(
        &self,
        proof: &ConsistencyProof,
        trusted: &VerifierKey,
        older: &SignedCheckpoint,
    ) -> Result<(), ConsistencyError> {
        for (which, signed) in [("older", older), ("newer", proof.checkpoint())] {
            self.verify(signed, trusted).map_err(|why| ConsistencyError::Checkpoint { which, why })?;
        }
        proof.extends(older.checkpoint())
    }
}

#[cfg(test)]
mod tests;
