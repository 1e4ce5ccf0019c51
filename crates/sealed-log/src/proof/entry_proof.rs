//! One entry of a signed log, proven to whoever holds the log's key: a C2SP `tlog-proof`, version 1.
//!
//! ```text
//! c2sp.org/tlog-proof@v1
//! extra <base64 of the entry's bytes>      only where they are handed out with the proof
//! index <log index>
//! <base64 of a hash>                       one line each, the leaf's sibling first
//!                                          empty line
//! <the signed checkpoint>
//! ```
//! The extra line is not authenticated by its format; here its digest is the proven leaf.

use crate::entry::{Digest, MAX_ENTRY_BYTES};
use crate::redaction::{is_redacted, sealed_digest};
use crate::store::{StoreNodes, StoreReader};
use std::fmt;
use std::str::FromStr;
use tlog::checkpoint::{Checkpoint, CheckpointError, SignedCheckpoint};
use tlog::inclusion::{InclusionError, InclusionProof};
use tlog::note::{MAX_NOTE_BYTES, VerifierKey};
use tlog::proof::{MakeProofError, NodeSource, ProofError};
use tlog::proof_text::ProofTextError;
use tlog::tree::{TreeHash, leaf_hash};

/// Longest proof in bytes that is read: the longest entry in base64, the hashes, a note.
pub const MAX_PROOF_BYTES: usize = MAX_ENTRY_BYTES.div_ceil(3) * 4 + 64 * 45 + 64 + MAX_NOTE_BYTES;

/// Why an entry of a log's store cannot be proven.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("entry {index} cannot be proven: {why}; verify the log")]
pub struct ProveError {
    /// Its index.
    pub index: u64,
    /// What was found.
    pub why: String,
    /// Whether the machine failed (an I/O error, say), and nothing speaks against the log.
    pub disk: bool,
}

/// Why an entry's proof cannot be read or made, or is not believed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EntryProofError {
    /// The text is not such a proof.
    #[error("not a proof, line {line}: expected {expected}")]
    Form {
        /// Line of the text, from 1.
        line: usize,
        /// What should stand there.
        expected: &'static str,
    },
    /// The bytes are not such a receipt.
    #[error("not a COSE receipt of an entry, byte {at}: expected {expected}")]
    Receipt {
        /// Offset in the bytes.
        at: usize,
        /// What should stand there.
        expected: &'static str,
    },
    /// The checkpoint cannot be read, or is not signed by the key.
    #[error("the checkpoint in it is not believed: {0}")]
    Checkpoint(#[from] CheckpointError),
    /// The signature under a receipt does not hold.
    #[error("the receipt is not signed by {key}, or the entry, the proof or the signature was altered")]
    Signature {
        /// The key that should have signed.
        key: String,
    },
    /// The hashes do not lead from the entry to the signed root.
    #[error("entry {digest} is not proven to stand at {index} in the signed tree of {size}: {why}")]
    Inclusion {
        /// The entry's digest.
        digest: Digest,
        /// Where it should stand.
        index: u64,
        /// Size of the signed tree.
        size: u64,
        /// What is wrong with the proof.
        why: ProofError,
    },
}

/// That an entry stands in a signed log. Only the functions that check it make one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProvenEntry {
    pub(crate) origin: String,
    pub(crate) size: u64,
    pub(crate) root: TreeHash,
    pub(crate) index: u64,
    pub(crate) digest: Digest,
    pub(crate) states_origin: bool,
    pub(crate) states_size: bool,
}

impl ProvenEntry {
    /// Whether the signature covers the log's name. A COSE receipt of others' making may leave it out: then it is
    /// only known that the key signed.
    #[must_use]
    pub const fn states_origin(&self) -> bool {
        self.states_origin
    }

    /// Whether the signature covers the size of the tree. Where it does not, the size is the proof's own word.
    #[must_use]
    pub const fn states_size(&self) -> bool {
        self.states_size
    }

    /// The log's name: the name of the key that signed.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// How many entries the signed tree has.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// The signed root.
    #[must_use]
    pub const fn root(&self) -> &TreeHash {
        &self.root
    }

    /// The entry's index in the log, from 0.
    #[must_use]
    pub const fn index(&self) -> u64 {
        self.index
    }

    /// BLAKE3 of the entry's bytes.
    #[must_use]
    pub const fn digest(&self) -> &Digest {
        &self.digest
    }
}

/// A proof with the checkpoint it leads to, and the entry's bytes where they are handed out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryProof(InclusionProof);

impl EntryProof {
    /// Proves the entry at `index`, whose bytes are given, in the tree of a signed checkpoint. The proof of a
    /// redacted entry is without the entry. The proof is checked before it is returned.
    ///
    /// # Errors
    /// [`MakeProofError::Nodes`] when hashes cannot be read, [`MakeProofError::NoSuchProof`] when the
    /// index is not in the tree, or ([`ProofError::Root`]) the entry or the tree's hashes are not
    /// those that were signed.
    pub fn make<N: NodeSource + ?Sized>(
        nodes: &N,
        checkpoint: &SignedCheckpoint,
        index: u64,
        entry: Vec<u8>,
    ) -> Result<Self, MakeProofError<N::Error>> {
        let leaf = leaf_hash(sealed_digest(&entry).as_bytes());
        let proof = InclusionProof::make(nodes, checkpoint, index, &leaf)?;
        Ok(Self(proof.with_extra((!is_redacted(&entry)).then_some(entry))))
    }

    /// Reads an entry and proves it under a signed checkpoint that covers it.
    ///
    /// # Errors
    /// [`ProveError`] when it is not there, or does not stand in the tree as it was sealed.
    pub fn read<S: StoreReader + ?Sized>(
        store: &S,
        checkpoint: &SignedCheckpoint,
        index: u64,
    ) -> Result<Self, ProveError> {
        let damaged = |why: String| ProveError { index, why, disk: false };
        let read = store.read(index, 1);
        let entry =
            read.map_err(|error| ProveError { disk: error.is_disk(), ..damaged(error.to_string()) })?;
        let entry = entry.into_iter().next().ok_or_else(|| damaged("it is not there".to_owned()))?;
        Self::make(&StoreNodes(store), checkpoint, index, entry).map_err(|error| damaged(error.to_string()))
    }

    /// The proof of an entry that was just sealed, from the append's own hashes; `None` where they do not
    /// lead to the checkpoint's root.
    pub(crate) fn of_sealed(
        checkpoint: &SignedCheckpoint,
        index: u64,
        digest: &Digest,
        hashes: Vec<TreeHash>,
    ) -> Option<Self> {
        InclusionProof::of(checkpoint, index, &digest.leaf_hash(), hashes).ok().map(Self)
    }

    /// The same proof without the entry's bytes: it proves an entry to whoever has it, and reveals nothing
    /// of it to others.
    #[must_use]
    pub fn without_entry(self) -> Self {
        Self(self.0.with_extra(None))
    }

    /// Index of the entry in the log, from 0.
    #[must_use]
    pub const fn index(&self) -> u64 {
        self.0.index()
    }

    /// The proof's hashes, lowest sibling first.
    pub(crate) fn hashes(&self) -> &[TreeHash] {
        self.0.hashes()
    }

    /// The entry's bytes, where they came with the proof. They are proven by [`Self::verify`] with
    /// their own digest.
    #[must_use]
    pub fn entry(&self) -> Option<&[u8]> {
        self.0.extra()
    }

    /// The signed checkpoint it leads to. It is not yet believed.
    #[must_use]
    pub const fn checkpoint(&self) -> &SignedCheckpoint {
        self.0.checkpoint()
    }

    /// Checks that the log's key signed the checkpoint and that the entry with this digest stands
    /// at the index.
    ///
    /// # Errors
    /// [`EntryProofError::Checkpoint`] or [`EntryProofError::Inclusion`].
    pub fn verify(&self, key: &VerifierKey, digest: &Digest) -> Result<ProvenEntry, EntryProofError> {
        let digest = *digest;
        self.0.verify(key, &digest.leaf_hash()).map_err(|error| match error {
            InclusionError::Checkpoint(why) => EntryProofError::Checkpoint(why),
            InclusionError::Proof { index, size, why } => {
                EntryProofError::Inclusion { digest, index, size, why }
            }
        })?;
        let Checkpoint { origin, size, root } = self.checkpoint().checkpoint().clone();
        let (states_origin, states_size) = (true, true);
        Ok(ProvenEntry { origin, size, root, index: self.index(), digest, states_origin, states_size })
    }
}

impl fmt::Display for EntryProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for EntryProof {
    type Err = EntryProofError;

    fn from_str(text: &str) -> Result<Self, EntryProofError> {
        let form = |line, expected| EntryProofError::Form { line, expected };
        if text.len() > MAX_PROOF_BYTES {
            return Err(form(0, "a proof of some kilobytes, not more than 595 KiB"));
        }
        let proof: InclusionProof = text.parse()?;
        if proof.extra().is_some_and(|entry| entry.len() > MAX_ENTRY_BYTES) {
            return Err(form(2, "an entry's bytes in base64 behind `extra `"));
        }
        Ok(Self(proof))
    }
}

impl From<ProofTextError> for EntryProofError {
    fn from(error: ProofTextError) -> Self {
        match error {
            ProofTextError::Form { line, expected } => Self::Form { line, expected },
            ProofTextError::Checkpoint(why) => Self::Checkpoint(why),
        }
    }
}

#[cfg(test)]
mod tests;
