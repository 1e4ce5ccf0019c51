//! The seal: entry digests, Merkle tree, checkpoints, proofs, archive. Bytes only.
