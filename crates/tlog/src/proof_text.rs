//! Lines of the text forms of proofs: a few lines, hashes in base64, an empty line, and a signed checkpoint.

use crate::checkpoint::{CheckpointError, SignedCheckpoint};
use crate::proof::MAX_PROOF_HASHES;
use crate::tree::TreeHash;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::fmt;

/// Why the text of a proof cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProofTextError {
    /// A line is not what the format asks for.
    #[error("not a proof, line {line}: expected {expected}")]
    Form {
        /// Line of the text, from 1.
        line: usize,
        /// What the format asks for there.
        expected: &'static str,
    },
    /// The checkpoint at the end of the text cannot be read.
    #[error("the checkpoint in it is not believed: {0}")]
    Checkpoint(#[from] CheckpointError),
}

/// Writes what [`Lines::end`] reads.
pub(crate) fn write_end(
    f: &mut fmt::Formatter<'_>,
    hashes: &[TreeHash],
    checkpoint: &SignedCheckpoint,
) -> fmt::Result {
    hashes.iter().try_for_each(|hash| writeln!(f, "{}", STANDARD.encode(hash)))?;
    write!(f, "\n{}", checkpoint.text())
}

/// Lines of a text that ends in a note.
pub(crate) struct Lines<'a> {
    pub(crate) rest: &'a str,
    pub(crate) line: usize,
}

impl<'a> Lines<'a> {
    pub(crate) const fn of(text: &'a str) -> Self {
        Self { rest: text, line: 0 }
    }

    pub(crate) fn next(&mut self) -> Result<&'a str, ProofTextError> {
        self.line += 1;
        let (line, rest) =
            self.rest.split_once('\n').ok_or_else(|| self.wrong("more lines; it is cut off"))?;
        self.rest = rest;
        Ok(line)
    }

    /// Hashes up to an empty line, and the checkpoint behind it: how every proof ends.
    pub(crate) fn end(mut self) -> Result<(Vec<TreeHash>, SignedCheckpoint), ProofTextError> {
        let hashes = self.hashes()?;
        Ok((hashes, SignedCheckpoint::parse(self.rest)?))
    }

    /// Hashes up to an empty line.
    fn hashes(&mut self) -> Result<Vec<TreeHash>, ProofTextError> {
        let mut hashes = Vec::new();
        loop {
            let line = self.next()?;
            if line.is_empty() {
                return Ok(hashes);
            }
            let hash = STANDARD.decode(line).ok().and_then(|hash| hash.try_into().ok());
            hashes.push(hash.ok_or_else(|| self.wrong("a hash of 32 bytes in base64, or an empty line"))?);
            if hashes.len() > MAX_PROOF_HASHES {
                return Err(self.wrong("an empty line behind at most 65 hashes"));
            }
        }
    }

    pub(crate) const fn wrong(&self, expected: &'static str) -> ProofTextError {
        ProofTextError::Form { line: self.line, expected }
    }
}
