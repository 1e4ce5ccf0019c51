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

use crate::checkpoint::parse_size;
use crate::proof::{MakeProofError, NodeSource, ProofError, StoreNodes, inclusion_proof, verify_inclusion};
use crate::stand_in::{is_stand_in, sealed_digest};
use crate::tree::{TreeHash, leaf_hash};
use crate::{
    CheckpointError, Digest, MAX_ENTRY_BYTES, MAX_NOTE_BYTES, SignedCheckpoint, StoreReader, VerifierKey,
};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::fmt;
use std::str::FromStr;

/// The first line.
const TITLE: &str = "c2sp.org/tlog-proof@v1";
/// Hashes of a proof in a tree of less than 2^64 entries.
pub(crate) const MOST_HASHES: usize = 64;
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
}

impl ProvenEntry {
    /// The log's name.
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

    /// The entry's place in the log, from 0.
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
pub struct EntryProof {
    pub(crate) index: u64,
    pub(crate) hashes: Vec<TreeHash>,
    checkpoint: SignedCheckpoint,
    entry: Option<Vec<u8>>,
}

impl EntryProof {
    /// Proves the entry at `index`, whose bytes are given, in the tree of a signed head; with what
    /// stands in for it the proof is without the entry. The proof
    /// is checked against the head's root before it is given out.
    ///
    /// # Errors
    /// [`MakeProofError::Nodes`] when hashes cannot be read, [`MakeProofError::Asked`] when the
    /// index is not in the tree, or ([`ProofError::Root`]) the entry or the tree's hashes are not
    /// those that were signed.
    pub fn make<N: NodeSource + ?Sized>(
        nodes: &N,
        head: &SignedCheckpoint,
        index: u64,
        entry: Vec<u8>,
    ) -> Result<Self, MakeProofError<N::Error>> {
        let signed = head.checkpoint();
        let hashes = inclusion_proof(nodes, index, signed.size)?;
        let leaf = leaf_hash(&sealed_digest(&entry));
        verify_inclusion(index, signed.size, &leaf, &hashes, &signed.root).map_err(MakeProofError::Asked)?;
        let entry = (!is_stand_in(&entry)).then_some(entry);
        Ok(Self { index, hashes, checkpoint: head.clone(), entry })
    }

    /// Reads an entry and proves it under a signed head that covers it.
    ///
    /// # Errors
    /// [`ProveError`] when it is not there, or does not stand in the tree as it was sealed.
    pub fn read<S: StoreReader + ?Sized>(
        store: &S,
        head: &SignedCheckpoint,
        index: u64,
    ) -> Result<Self, ProveError> {
        let damaged = |why: String| ProveError { index, why };
        let entry = store.read(index, 1).map_err(|error| damaged(error.to_string()))?;
        let entry = entry.into_iter().next().ok_or_else(|| damaged("it is not there".to_owned()))?;
        Self::make(&StoreNodes(store), head, index, entry).map_err(|error| damaged(error.to_string()))
    }

    /// The proof of an entry that was just sealed, from hashes that are at hand; `None` where they do not
    /// lead to the head's root.
    pub(crate) fn of_sealed(
        head: &SignedCheckpoint,
        index: u64,
        digest: &Digest,
        hashes: Vec<TreeHash>,
    ) -> Option<Self> {
        let signed = head.checkpoint();
        verify_inclusion(index, signed.size, &leaf_hash(digest), &hashes, &signed.root).ok()?;
        Some(Self { index, hashes, checkpoint: head.clone(), entry: None })
    }

    /// The same proof without the entry's bytes: it then proves an entry to whoever has it, and
    /// tells nobody else what was in it.
    #[must_use]
    pub fn without_entry(self) -> Self {
        Self { entry: None, ..self }
    }

    /// Where the entry is said to stand, from 0.
    #[must_use]
    pub const fn index(&self) -> u64 {
        self.index
    }

    /// The entry's bytes, where they came with the proof. They are proven by [`Self::verify`] with
    /// their own digest.
    #[must_use]
    pub fn entry(&self) -> Option<&[u8]> {
        self.entry.as_deref()
    }

    /// The signed head it leads to. It is not yet believed.
    #[must_use]
    pub const fn checkpoint(&self) -> &SignedCheckpoint {
        &self.checkpoint
    }

    /// Checks that the log's key signed the checkpoint and that the entry with this digest stands
    /// at the index.
    ///
    /// # Errors
    /// [`EntryProofError::Checkpoint`] or [`EntryProofError::Inclusion`].
    pub fn verify(&self, key: &VerifierKey, digest: &Digest) -> Result<ProvenEntry, EntryProofError> {
        self.checkpoint.verify(key)?;
        let signed = self.checkpoint.checkpoint();
        let (index, size, digest) = (self.index, signed.size, *digest);
        verify_inclusion(index, size, &leaf_hash(&digest), &self.hashes, &signed.root)
            .map_err(|why| EntryProofError::Inclusion { digest, index, size, why })?;
        Ok(ProvenEntry { origin: signed.origin.clone(), size, root: signed.root, index, digest })
    }
}

impl fmt::Display for EntryProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{TITLE}")?;
        if let Some(entry) = &self.entry {
            writeln!(f, "extra {}", STANDARD.encode(entry))?;
        }
        writeln!(f, "index {}", self.index)?;
        self.hashes.iter().try_for_each(|hash| writeln!(f, "{}", STANDARD.encode(hash)))?;
        write!(f, "\n{}", self.checkpoint.text())
    }
}

impl FromStr for EntryProof {
    type Err = EntryProofError;

    fn from_str(text: &str) -> Result<Self, EntryProofError> {
        let mut lines = Lines { rest: text, line: 0 };
        if text.len() > MAX_PROOF_BYTES {
            return Err(lines.wrong("a proof of some kilobytes, not more than 148 KiB"));
        }
        if lines.next()? != TITLE {
            return Err(lines.wrong("c2sp.org/tlog-proof@v1"));
        }
        let mut line = lines.next()?;
        let entry = line.strip_prefix("extra ").map(|extra| STANDARD.decode(extra));
        if let Some(extra) = &entry {
            if !extra.as_ref().is_ok_and(|bytes| bytes.len() <= MAX_ENTRY_BYTES) {
                return Err(lines.wrong("an entry's bytes in base64 behind `extra `"));
            }
            line = lines.next()?;
        }
        let index = line.strip_prefix("index ").and_then(|index| parse_size(index).ok());
        let index = index.ok_or_else(|| lines.wrong("`index ` and a number in decimal digits"))?;
        let hashes = lines.hashes()?;
        let checkpoint = SignedCheckpoint::parse(lines.rest)?;
        Ok(Self { index, hashes, checkpoint, entry: entry.and_then(Result::ok) })
    }
}

/// Lines of a text that ends in a note.
pub(crate) struct Lines<'a> {
    pub(crate) rest: &'a str,
    pub(crate) line: usize,
}

impl<'a> Lines<'a> {
    pub(crate) fn next(&mut self) -> Result<&'a str, EntryProofError> {
        self.line += 1;
        let (line, rest) =
            self.rest.split_once('\n').ok_or_else(|| self.wrong("more lines; it is cut off"))?;
        self.rest = rest;
        Ok(line)
    }

    /// Hashes up to an empty line.
    pub(crate) fn hashes(&mut self) -> Result<Vec<TreeHash>, EntryProofError> {
        let mut hashes = Vec::new();
        loop {
            let line = self.next()?;
            if line.is_empty() {
                return Ok(hashes);
            }
            let hash = STANDARD.decode(line).ok().and_then(|hash| hash.try_into().ok());
            hashes.push(hash.ok_or_else(|| self.wrong("a hash of 32 bytes in base64, or an empty line"))?);
            if hashes.len() > MOST_HASHES {
                return Err(self.wrong("an empty line behind at most 64 hashes"));
            }
        }
    }

    pub(crate) const fn wrong(&self, expected: &'static str) -> EntryProofError {
        EntryProofError::Form { line: self.line, expected }
    }
}

#[cfg(test)]
#[path = "entry_proof_tests.rs"]
mod tests;
