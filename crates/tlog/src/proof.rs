//! Inclusion and consistency proofs (RFC 9162 sections 2.1.3 and 2.1.4): made from the hashes of tiles, and
//! checked.

mod appended;
mod make;
mod nodes;
mod verify;

pub use appended::AppendedNodes;
pub use make::{consistency_proof, inclusion_proof};
pub use nodes::{MissingNodes, NodeSource, TileCache, range_root, recomputed_root};
pub use verify::{inclusion_root, verify_consistency, verify_inclusion};

/// Most hashes that are read of a proof: in trees of less than 2^64 leaves an inclusion proof has at most 64, a
/// consistency proof at most 65.
pub const MAX_PROOF_HASHES: usize = 65;

/// Why a proof is not believed, or cannot be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ProofError {
    /// The index is not in the tree.
    #[error("entry {index} is not in a tree of {size} entries")]
    Index {
        /// Index asked for.
        index: u64,
        /// Tree size.
        size: u64,
    },
    /// The first tree must be neither empty nor larger than the second.
    #[error(
        "a consistency proof leads from a tree of 1 to {second} entries to one of {second}; asked from {first}"
    )]
    Sizes {
        /// Size of the first tree.
        first: u64,
        /// Size of the second tree.
        second: u64,
    },
    /// The proof has too few or too many hashes.
    #[error("the proof has a wrong number of hashes: {0}")]
    Length(usize),
    /// The proof leads to another root.
    #[error("the proof leads to another root")]
    Root,
}

/// Why a proof could not be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MakeProofError<E> {
    /// No proof answers the request: the index or a size is not in the tree, or its hashes do not lead to the root.
    #[error(transparent)]
    NoSuchProof(ProofError),
    /// Hashes of the tree cannot be read.
    #[error("the tree's hashes cannot be read: {0}")]
    Nodes(E),
}

#[cfg(test)]
mod tests;
