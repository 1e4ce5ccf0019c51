//! One entry of a signed log, proven to whoever holds the log's key (C2SP tlog-proof, version 1).
//!
//! ```text
//! c2sp.org/tlog-proof@v1
//! extra <base64>                           optional; nothing authenticates it
//! index <log index>
//! <base64 of a hash>                       one line each, the leaf's sibling first
//!                                          empty line
//! <the signed checkpoint>
//! ```

use crate::checkpoint::{Checkpoint, CheckpointError, SignedCheckpoint, parse_size};
use crate::note::VerifierKey;
use crate::proof::{MakeProofError, NodeSource, ProofError, inclusion_proof, verify_inclusion};
use crate::proof_text::{Lines, ProofTextError, write_end};
use crate::tree::TreeHash;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::fmt;
use std::str::FromStr;

/// The first line.
const TITLE: &str = "c2sp.org/tlog-proof@v1";

/// Why an entry is not shown to be in a signed log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InclusionError {
    /// The checkpoint is not signed by the log's key.
    #[error("the checkpoint in it is not believed: {0}")]
    Checkpoint(#[from] CheckpointError),
    /// The hashes do not lead from the leaf to the signed root.
    #[error("the proof does not show the entry at {index} in the signed tree of {size}: {why}")]
    Proof {
        /// Index of the entry, from 0.
        index: u64,
        /// Size of the signed tree.
        size: u64,
        /// What is wrong with the proof.
        why: ProofError,
    },
}

/// An inclusion proof with the checkpoint it leads to, and bytes that travel with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InclusionProof {
    index: u64,
    hashes: Vec<TreeHash>,
    checkpoint: SignedCheckpoint,
    extra: Option<Vec<u8>>,
}

impl InclusionProof {
    /// Proves `leaf` at `index` in the tree of a signed checkpoint, and checks the proof before it returns it.
    ///
    /// # Errors
    /// [`MakeProofError::Nodes`] when hashes cannot be read, [`MakeProofError::NoSuchProof`] when the index is not in
    /// the tree or (as [`ProofError::Root`]) the leaf and the tree's hashes are not those that were signed.
    pub fn make<N: NodeSource + ?Sized>(
        nodes: &N,
        checkpoint: &SignedCheckpoint,
        index: u64,
        leaf: &TreeHash,
    ) -> Result<Self, MakeProofError<N::Error>> {
        let hashes = inclusion_proof(nodes, index, checkpoint.checkpoint().size)?;
        Self::of(checkpoint, index, leaf, hashes).map_err(MakeProofError::NoSuchProof)
    }

    /// The proof with these hashes, lowest sibling first.
    ///
    /// # Errors
    /// [`ProofError`] when they do not lead from the leaf to the checkpoint's root.
    pub fn of(
        checkpoint: &SignedCheckpoint,
        index: u64,
        leaf: &TreeHash,
        hashes: Vec<TreeHash>,
    ) -> Result<Self, ProofError> {
        let Checkpoint { size, root, .. } = checkpoint.checkpoint();
        verify_inclusion(index, *size, leaf, &hashes, root)?;
        Ok(Self { index, hashes, checkpoint: checkpoint.clone(), extra: None })
    }

    /// The same proof with other bytes that travel with it, or none. Nothing authenticates them.
    #[must_use]
    pub fn with_extra(self, extra: Option<Vec<u8>>) -> Self {
        Self { extra, ..self }
    }

    /// Index of the entry, from 0.
    #[must_use]
    pub const fn index(&self) -> u64 {
        self.index
    }

    /// The proof's hashes, lowest sibling first.
    #[must_use]
    pub fn hashes(&self) -> &[TreeHash] {
        &self.hashes
    }

    /// The checkpoint it leads to. It is not yet believed.
    #[must_use]
    pub const fn checkpoint(&self) -> &SignedCheckpoint {
        &self.checkpoint
    }

    /// The bytes that travel with the proof. Nothing authenticates them.
    #[must_use]
    pub fn extra(&self) -> Option<&[u8]> {
        self.extra.as_deref()
    }

    /// Checks that the log's key signed the checkpoint and that `leaf` is at the index in its tree.
    ///
    /// # Errors
    /// [`InclusionError`].
    pub fn verify(&self, key: &VerifierKey, leaf: &TreeHash) -> Result<(), InclusionError> {
        self.checkpoint.verify(key)?;
        let Checkpoint { size, root, .. } = *self.checkpoint.checkpoint();
        verify_inclusion(self.index, size, leaf, &self.hashes, &root).map_err(|why| InclusionError::Proof {
            index: self.index,
            size,
            why,
        })
    }
}

impl fmt::Display for InclusionProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{TITLE}")?;
        if let Some(extra) = &self.extra {
            writeln!(f, "extra {}", STANDARD.encode(extra))?;
        }
        writeln!(f, "index {}", self.index)?;
        write_end(f, &self.hashes, &self.checkpoint)
    }
}

/// The length of the text is for the caller to bound.
impl FromStr for InclusionProof {
    type Err = ProofTextError;

    fn from_str(text: &str) -> Result<Self, ProofTextError> {
        let mut lines = Lines::of(text);
        if lines.next()? != TITLE {
            return Err(lines.wrong("c2sp.org/tlog-proof@v1"));
        }
        let mut line = lines.next()?;
        let mut extra = None;
        if let Some(base64) = line.strip_prefix("extra ") {
            let bytes =
                STANDARD.decode(base64).map_err(|_| lines.wrong("bytes in base64 behind `extra `"))?;
            extra = Some(bytes);
            line = lines.next()?;
        }
        let index = line.strip_prefix("index ").and_then(|index| parse_size(index).ok());
        let index = index.ok_or_else(|| lines.wrong("`index ` and a number in decimal digits"))?;
        let (hashes, checkpoint) = lines.end()?;
        Ok(Self { index, hashes, checkpoint, extra })
    }
}
