//! That one checkpoint of a log extends another: a consistency proof with the newer checkpoint, in
//! the form in which C2SP `tlog-witness` hands both to a witness.
//!
//! ```text
//! old <size of the older checkpoint>
//! <base64 of a hash>                       one line each
//!                                          empty line
//! <the newer signed checkpoint>
//! ```

use crate::checkpoint::{Checkpoint, CheckpointError, SignedCheckpoint, parse_size};
use crate::note::VerifierKey;
use crate::proof::{MakeProofError, NodeSource, ProofError, consistency_proof, verify_consistency};
use crate::proof_text::{Lines, ProofTextError, write_end};
use crate::tree::{TreeHash, empty_root};
use std::fmt;
use std::str::FromStr;

/// Why one checkpoint is not shown to extend another.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConsistencyError {
    /// One of them is not signed by the log's key.
    #[error("the {which} checkpoint is not believed: {why}")]
    Checkpoint {
        /// `older` or `newer`.
        which: &'static str,
        /// What is wrong with it.
        why: CheckpointError,
    },
    /// They are of different logs.
    #[error("the older checkpoint is of the log `{old}`, the newer one of `{new}`")]
    Origin {
        /// Origin of the older one.
        old: String,
        /// Origin of the newer one.
        new: String,
    },
    /// The newer one has fewer entries.
    #[error(
        "the newer checkpoint has {new} entries, the older one {old}: they were swapped, or the log was cut"
    )]
    Shrunk {
        /// Size of the older one.
        old: u64,
        /// Size of the newer one.
        new: u64,
    },
    /// They have the same size and different roots.
    #[error("both checkpoints have {size} entries but different roots: two histories were signed")]
    Forked {
        /// Their size.
        size: u64,
    },
    /// The proof is for another older checkpoint.
    #[error("the proof begins at {proof} entries, the older checkpoint has {old}")]
    OtherSize {
        /// Size the proof begins at.
        proof: u64,
        /// Size of the older checkpoint.
        old: u64,
    },
    /// The hashes do not lead from the older root to the newer one.
    #[error("the checkpoint of {new} entries is not shown to extend the one of {old}: {why}")]
    NotExtended {
        /// Size of the older one.
        old: u64,
        /// Size of the newer one.
        new: u64,
        /// What is wrong with the proof.
        why: ProofError,
    },
}

/// Why no proof was made.
#[derive(Debug, thiserror::Error)]
pub enum MakeConsistencyError<E> {
    /// The newer checkpoint does not extend the older one, or the hashes are not those signed.
    #[error(transparent)]
    Not(#[from] ConsistencyError),
    /// Hashes cannot be read.
    #[error("the tree's hashes cannot be read: {0}")]
    Nodes(E),
}

/// A consistency proof and the newer checkpoint it leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsistencyProof {
    old: u64,
    hashes: Vec<TreeHash>,
    checkpoint: SignedCheckpoint,
}

impl ConsistencyProof {
    /// Proves from the tree's hashes that `newer` extends `older`. The proof is checked before it
    /// is given out; who signed the two is not asked here.
    ///
    /// # Errors
    /// [`MakeConsistencyError`].
    pub fn make<N: NodeSource + ?Sized>(
        nodes: &N,
        older: &Checkpoint,
        newer: &SignedCheckpoint,
    ) -> Result<Self, MakeConsistencyError<N::Error>> {
        let (old, new) = (older, newer.checkpoint());
        check_sizes(old, new)?;
        let hashes = match old.size {
            0 => Vec::new(),
            size => consistency_proof(nodes, size, new.size).map_err(|error| match error {
                MakeProofError::Nodes(error) => MakeConsistencyError::Nodes(error),
                MakeProofError::NoSuchProof(why) => {
                    ConsistencyError::NotExtended { old: old.size, new: new.size, why }.into()
                }
            })?,
        };
        check_hashes(old, new, &hashes)?;
        Ok(Self { old: old.size, hashes, checkpoint: newer.clone() })
    }

    /// Size of the older checkpoint.
    #[must_use]
    pub const fn old(&self) -> u64 {
        self.old
    }

    /// The proof's hashes, as RFC 9162 section 2.1.4 orders them.
    #[must_use]
    pub fn hashes(&self) -> &[TreeHash] {
        &self.hashes
    }

    /// The newer checkpoint. It is not yet believed.
    #[must_use]
    pub const fn checkpoint(&self) -> &SignedCheckpoint {
        &self.checkpoint
    }

    /// Checks that the key signed both checkpoints and that the newer one extends the older one.
    ///
    /// # Errors
    /// [`ConsistencyError`].
    pub fn verify(&self, key: &VerifierKey, older: &SignedCheckpoint) -> Result<(), ConsistencyError> {
        for (which, signed) in [("older", older), ("newer", &self.checkpoint)] {
            signed.verify(key).map_err(|why| ConsistencyError::Checkpoint { which, why })?;
        }
        self.extends(older.checkpoint())
    }

    /// Checks that the newer checkpoint extends the older one; who signed them is not asked here.
    ///
    /// # Errors
    /// [`ConsistencyError`], never its variant about signatures.
    pub fn extends(&self, old: &Checkpoint) -> Result<(), ConsistencyError> {
        let new = self.checkpoint.checkpoint();
        if self.old != old.size {
            return Err(ConsistencyError::OtherSize { proof: self.old, old: old.size });
        }
        check_sizes(old, new)?;
        check_hashes(old, new, &self.hashes)
    }
}

/// What can be said without a proof.
fn check_sizes(old: &Checkpoint, new: &Checkpoint) -> Result<(), ConsistencyError> {
    if old.origin != new.origin {
        return Err(ConsistencyError::Origin { old: old.origin.clone(), new: new.origin.clone() });
    }
    if old.size > new.size {
        return Err(ConsistencyError::Shrunk { old: old.size, new: new.size });
    }
    if old.size == new.size && old.root != new.root {
        return Err(ConsistencyError::Forked { size: old.size });
    }
    Ok(())
}

fn check_hashes(old: &Checkpoint, new: &Checkpoint, hashes: &[TreeHash]) -> Result<(), ConsistencyError> {
    let checked = match (old.size, hashes) {
        (0, []) if old.root == empty_root() => Ok(()),
        (0, []) => Err(ProofError::Root),
        (0, _) => Err(ProofError::Length(hashes.len())),
        (size, _) => verify_consistency(size, new.size, &old.root, &new.root, hashes),
    };
    checked.map_err(|why| ConsistencyError::NotExtended { old: old.size, new: new.size, why })
}

impl fmt::Display for ConsistencyProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "old {}", self.old)?;
        write_end(f, &self.hashes, &self.checkpoint)
    }
}

impl FromStr for ConsistencyProof {
    type Err = ProofTextError;

    fn from_str(text: &str) -> Result<Self, ProofTextError> {
        let mut lines = Lines::of(text);
        let old = lines.next()?.strip_prefix("old ").and_then(|size| parse_size(size).ok());
        let old = old.ok_or_else(|| lines.wrong("`old ` and a size in decimal digits"))?;
        let (hashes, checkpoint) = lines.end()?;
        Ok(Self { old, hashes, checkpoint })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::fixture::{ORIGIN, key, log, signed_at};
    use crate::note::SigningKey;

    #[test]
    fn every_pair_of_checkpoints_is_joined_and_survives_its_text() {
        let (store, signed) = log(300);
        for size in [0, 1, 2, 128, 255, 256, 257, 299, 300] {
            let older = signed_at(&store, size);
            let proof = ConsistencyProof::make(store.as_slice(), older.checkpoint(), &signed).unwrap();
            assert_eq!(proof.to_string().parse::<ConsistencyProof>().unwrap(), proof);
            assert_eq!(proof.verify(&key().verifier_key(), &older), Ok(()));
            let other = signed_at(&store, (size + 7) % 300);
            assert!(matches!(
                proof.verify(&key().verifier_key(), &other),
                Err(ConsistencyError::OtherSize { .. })
            ));
        }
    }

    #[test]
    fn every_bent_byte_is_noticed() {
        let (store, signed) = log(40);
        let older = signed_at(&store, 11);
        let text = ConsistencyProof::make(store.as_slice(), older.checkpoint(), &signed).unwrap().to_string();
        for at in 0..text.len() {
            for bit in [1, 2, 0x20, 0x80] {
                let mut bent = text.clone().into_bytes();
                bent[at] ^= bit;
                let bent =
                    String::from_utf8(bent).ok().and_then(|bent| bent.parse::<ConsistencyProof>().ok());
                let believed = bent.is_some_and(|bent| bent.verify(&key().verifier_key(), &older).is_ok());
                assert!(!believed, "byte {at}, bit {bit}");
            }
        }
    }

    #[test]
    fn rewritten_cut_and_foreign_logs_are_told_apart() {
        let (store, signed) = log(300);
        let older = signed_at(&store, 100);
        let make = |old: &Checkpoint, new: &SignedCheckpoint| {
            ConsistencyProof::make(store.as_slice(), old, new).unwrap_err().to_string()
        };
        let mut rewritten = older.checkpoint().clone();
        rewritten.root[0] ^= 1;
        assert!(make(&rewritten, &signed).contains("is not shown to extend the one of 100"));
        let mut fork = signed.checkpoint().clone();
        fork.root[0] ^= 1;
        assert!(make(&fork, &signed).contains("two histories were signed"));
        assert!(make(signed.checkpoint(), &older).contains("swapped, or the log was cut"));
        let foreign = Checkpoint { origin: "elsewhere.example/log".to_owned(), ..older.checkpoint().clone() };
        assert!(make(&foreign, &signed).contains("elsewhere.example/log"));
        let mut bent = store.clone();
        bent[299][0] ^= 1;
        let damaged = ConsistencyProof::make(bent.as_slice(), older.checkpoint(), &signed);
        assert!(matches!(damaged, Err(MakeConsistencyError::Not(ConsistencyError::NotExtended { .. }))));
        let stranger = SigningKey::from_seed(ORIGIN, &[8; 32]).unwrap().verifier_key();
        let proof = ConsistencyProof::make(store.as_slice(), older.checkpoint(), &signed).unwrap();
        assert!(matches!(
            proof.verify(&stranger, &older),
            Err(ConsistencyError::Checkpoint { which: "older", .. })
        ));
    }
}
