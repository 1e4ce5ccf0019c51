//! Every proof of every small tree, and what must not be believed.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::tree::TreeHash;
use crate::tree::tests::{naive_root, some_leaves};

/// RFC 9162 section 2.1.3.1 word for word.
fn naive_path(index: usize, leaves: &[TreeHash]) -> Vec<TreeHash> {
    if leaves.len() < 2 {
        return Vec::new();
    }
    let left = 1 << (leaves.len() - 1).ilog2();
    let (path, sibling) = if index < left {
        (naive_path(index, &leaves[..left]), naive_root(&leaves[left..]))
    } else {
        (naive_path(index - left, &leaves[left..]), naive_root(&leaves[..left]))
    };
    [path, vec![sibling]].concat()
}

/// RFC 9162 section 2.1.4.1 word for word.
fn naive_subproof(old: usize, leaves: &[TreeHash], whole: bool) -> Vec<TreeHash> {
    if old == leaves.len() {
        return if whole { Vec::new() } else { vec![naive_root(leaves)] };
    }
    let left = 1 << (leaves.len() - 1).ilog2();
    let (path, sibling) = if old <= left {
        (naive_subproof(old, &leaves[..left], whole), naive_root(&leaves[left..]))
    } else {
        (naive_subproof(old - left, &leaves[left..], false), naive_root(&leaves[..left]))
    };
    [path, vec![sibling]].concat()
}

fn flipped(hash: &TreeHash, bit: usize) -> TreeHash {
    let mut hash = *hash;
    hash[bit / 8 % 32] ^= 1 << (bit % 8);
    hash
}

#[test]
fn every_inclusion_proof_up_to_70_entries() {
    let source = some_leaves(70);
    for size in 1..=70 {
        let leaves = &source[..size];
        let root = naive_root(leaves);
        for (index, leaf) in leaves.iter().enumerate() {
            let proof = inclusion_proof(&source[..], index as u64, size as u64).unwrap();
            assert_eq!(proof, naive_path(index, leaves));
            let check = |index: u64, size: u64, leaf: &TreeHash, proof: &[TreeHash], root: &TreeHash| {
                verify_inclusion(index, size, leaf, proof, root)
            };
            let (index, size) = (index as u64, size as u64);
            assert_eq!(check(index, size, leaf, &proof, &root), Ok(()));
            assert!(check(index ^ 1, size, leaf, &proof, &root).is_err());
            assert!(check(index, size, &flipped(leaf, 3), &proof, &root).is_err());
            assert!(check(index, size, leaf, &proof, &flipped(&root, 9)).is_err());
            assert!(check(index, size, leaf, &[&proof[..], &[root]].concat(), &root).is_err());
            for at in 0..proof.len() {
                let mut bent = proof.clone();
                bent[at] = flipped(&bent[at], at);
                assert_eq!(check(index, size, leaf, &bent, &root), Err(ProofError::Root));
                bent.remove(at);
                assert!(check(index, size, leaf, &bent, &root).is_err());
            }
        }
    }
}

#[test]
fn every_consistency_proof_up_to_70_entries() {
    let source = some_leaves(70);
    for second in 1..=70 {
        let second_root = naive_root(&source[..second]);
        for first in 1..=second {
            let first_root = naive_root(&source[..first]);
            let proof = consistency_proof(&source[..], first as u64, second as u64).unwrap();
            assert_eq!(proof, naive_subproof(first, &source[..second], true), "{first} to {second}");
            let check = |old: &_, new: &_, proof: &[TreeHash]| {
                verify_consistency(first as u64, second as u64, old, new, proof)
            };
            assert_eq!(check(&first_root, &second_root, &proof), Ok(()), "{first} to {second}");
            assert!(check(&flipped(&first_root, 1), &second_root, &proof).is_err());
            assert!(check(&first_root, &flipped(&second_root, 1), &proof).is_err());
            assert!(check(&first_root, &second_root, &[&proof[..], &[first_root]].concat()).is_err());
            for at in 0..proof.len() {
                let mut bent = proof.clone();
                bent[at] = flipped(&bent[at], at);
                assert!(check(&first_root, &second_root, &bent).is_err());
                bent.remove(at);
                assert!(check(&first_root, &second_root, &bent).is_err());
            }
        }
    }
}

#[test]
fn the_root_of_any_range_is_that_of_its_leaves() {
    let source = some_leaves(1_300);
    for first in [0, 1, 3, 64, 255, 256, 257, 511, 512, 768] {
        for count in [0, 1, 2, 3, 127, 128, 255, 256, 257, 511, 512, 520] {
            let root = range_root(&source[..], first, count).unwrap();
            let leaves = &source[first as usize..(first + count) as usize];
            assert_eq!(root, naive_root(leaves), "{count} from {first}");
            assert_eq!(root, recomputed_root(&source[..], first, count).unwrap(), "{count} from {first}");
        }
    }
}

#[test]
fn what_cannot_be_proven_is_refused() {
    let source = some_leaves(4);
    let asked = |made: Result<_, MakeProofError<MissingNodes>>, error: ProofError| match made {
        Err(MakeProofError::NoSuchProof(found)) => assert_eq!(found, error),
        other => panic!("{error} and not {other:?}"),
    };
    asked(inclusion_proof(&source[..], 4, 4), ProofError::Index { index: 4, size: 4 });
    asked(consistency_proof(&source[..], 0, 4), ProofError::Sizes { first: 0, second: 4 });
    asked(consistency_proof(&source[..], 5, 4), ProofError::Sizes { first: 5, second: 4 });
    assert!(matches!(inclusion_proof(&source[..], 0, 5), Err(MakeProofError::Nodes(_))));
    let root = root_of_none();
    assert!(verify_consistency(0, 4, &root, &root, &[]).is_err());
}

fn root_of_none() -> TreeHash {
    crate::tree::empty_root()
}

#[test]
fn a_long_tree_is_proven_too() {
    let source = some_leaves(65_537);
    let root = naive_root(&source);
    for index in [0, 255, 256, 65_535, 65_536] {
        let proof = inclusion_proof(&source[..], index, 65_537).unwrap();
        assert_eq!(verify_inclusion(index, 65_537, &source[index as usize], &proof, &root), Ok(()));
    }
    for first in [1, 256, 257, 65_535, 65_536] {
        let old = naive_root(&source[..first as usize]);
        let proof = consistency_proof(&source[..], first, 65_537).unwrap();
        assert_eq!(verify_consistency(first, 65_537, &old, &root, &proof), Ok(()));
    }
}
