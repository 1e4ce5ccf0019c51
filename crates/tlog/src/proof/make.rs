//! Makes inclusion and consistency proofs: `PATH` and `PROOF` of RFC 9162 sections 2.1.3.1 and 2.1.4.1.

use super::{MakeProofError, NodeSource, ProofError, range_root};
use crate::tree::TreeHash;

/// The proof that leaf `index` is in the tree of the first `size` leaves, lowest sibling first (RFC 9162 section
/// 2.1.3.1).
///
/// # Errors
/// [`MakeProofError`] when the index is not below the size or hashes cannot be read.
pub fn inclusion_proof<N: NodeSource + ?Sized>(
    source: &N,
    index: u64,
    size: u64,
) -> Result<Vec<TreeHash>, MakeProofError<N::Error>> {
    if index >= size {
        return Err(MakeProofError::NoSuchProof(ProofError::Index { index, size }));
    }
    let lowest_first = siblings(index, size).into_iter().rev();
    let roots = lowest_first.map(|(first, count)| range_root(source, first, count));
    roots.collect::<Result<_, _>>().map_err(MakeProofError::Nodes)
}

/// The siblings of the path from the root of `size` leaves down to leaf `index`, highest first: the first leaf
/// and the number of leaves of each.
pub(super) fn siblings(index: u64, size: u64) -> Vec<(u64, u64)> {
    let mut siblings = Vec::new();
    let (mut first, mut count) = (0, size);
    while count > 1 {
        let left = left_size(count);
        if index - first < left {
            siblings.push((first + left, count - left));
            count = left;
        } else {
            siblings.push((first, left));
            first += left;
            count -= left;
        }
    }
    siblings
}

/// The proof that the tree of the first `first` leaves is a prefix of the tree of the first `second` leaves
/// (RFC 9162 section 2.1.4.1).
///
/// # Errors
/// [`MakeProofError`] unless `1 <= first <= second`, or when hashes cannot be read.
pub fn consistency_proof<N: NodeSource + ?Sized>(
    source: &N,
    first: u64,
    second: u64,
) -> Result<Vec<TreeHash>, MakeProofError<N::Error>> {
    if first == 0 || first > second {
        return Err(MakeProofError::NoSuchProof(ProofError::Sizes { first, second }));
    }
    let root = |start, count| range_root(source, start, count).map_err(MakeProofError::Nodes);
    let mut proof = Vec::new();
    let (mut start, mut count, mut old) = (0, second, first);
    while old != count {
        let left = left_size(count);
        if old <= left {
            proof.push(root(start + left, count - left)?);
            count = left;
        } else {
            proof.push(root(start, left)?);
            start += left;
            count -= left;
            old -= left;
        }
    }
    // The old tree's last full subtree: its own root, unless the verifier knows it already.
    if start != 0 {
        proof.push(root(start, count)?);
    }
    proof.reverse();
    Ok(proof)
}

/// The largest power of two below `count` (`count >= 2`): how many leaves go to the left.
const fn left_size(count: u64) -> u64 {
    1 << (count - 1).ilog2()
}
