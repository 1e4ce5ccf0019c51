//! Checks inclusion and consistency proofs: the algorithms of RFC 9162 sections 2.1.3.2 and 2.1.4.2, without
//! recursion.

use super::ProofError;
use crate::tree::{TreeHash, node_hash};

/// Checks that `leaf` is at `index` in the tree of `size` leaves with this root (RFC 9162 section 2.1.3.2).
///
/// # Errors
/// [`ProofError`].
pub fn verify_inclusion(
    index: u64,
    size: u64,
    leaf: &TreeHash,
    proof: &[TreeHash],
    root: &TreeHash,
) -> Result<(), ProofError> {
    if inclusion_root(index, size, leaf, proof)? == *root { Ok(()) } else { Err(ProofError::Root) }
}

/// The root of the tree of `size` leaves that a proof leads to from the leaf at `index` (RFC 9162 section
/// 2.1.3.2, without its last comparison).
///
/// # Errors
/// [`ProofError::Index`] or [`ProofError::Length`].
pub fn inclusion_root(
    index: u64,
    size: u64,
    leaf: &TreeHash,
    proof: &[TreeHash],
) -> Result<TreeHash, ProofError> {
    if index >= size {
        return Err(ProofError::Index { index, size });
    }
    let (mut node, mut last, mut hash) = (index, size - 1, *leaf);
    for sibling in proof {
        if last == 0 {
            return Err(ProofError::Length(proof.len()));
        }
        if node & 1 == 1 || node == last {
            hash = node_hash(sibling, &hash);
            let lone = if node & 1 == 1 { 0 } else { node.trailing_zeros() };
            (node, last) = (node >> lone, last >> lone);
        } else {
            hash = node_hash(&hash, sibling);
        }
        (node, last) = (node >> 1, last >> 1);
    }
    if last == 0 { Ok(hash) } else { Err(ProofError::Length(proof.len())) }
}

/// Checks that the tree of the first `first` leaves is a prefix of the tree of `second` leaves (RFC 9162
/// section 2.1.4.2).
///
/// # Errors
/// [`ProofError`].
pub fn verify_consistency(
    first: u64,
    second: u64,
    first_root: &TreeHash,
    second_root: &TreeHash,
    proof: &[TreeHash],
) -> Result<(), ProofError> {
    if first == 0 || first > second {
        return Err(ProofError::Sizes { first, second });
    }
    if first == second {
        return match proof {
            [] if first_root == second_root => Ok(()),
            [] => Err(ProofError::Root),
            _ => Err(ProofError::Length(proof.len())),
        };
    }
    let whole = first.is_power_of_two();
    let (start, rest) = match (whole, proof) {
        (true, _) => (first_root, proof),
        (false, [start, rest @ ..]) => (start, rest),
        (false, []) => return Err(ProofError::Length(0)),
    };
    let shared = (first - 1).trailing_ones();
    let (mut node, mut last) = ((first - 1) >> shared, (second - 1) >> shared);
    let (mut old, mut new) = (*start, *start);
    for sibling in rest {
        if last == 0 {
            return Err(ProofError::Length(proof.len()));
        }
        if node & 1 == 1 || node == last {
            old = node_hash(sibling, &old);
            new = node_hash(sibling, &new);
            let lone = if node & 1 == 1 || node == 0 { 0 } else { node.trailing_zeros() };
            (node, last) = (node >> lone, last >> lone);
        } else {
            new = node_hash(&new, sibling);
        }
        (node, last) = (node >> 1, last >> 1);
    }
    if last != 0 {
        return Err(ProofError::Length(proof.len()));
    }
    if old == *first_root && new == *second_root { Ok(()) } else { Err(ProofError::Root) }
}
