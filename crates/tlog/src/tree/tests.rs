//! The frontier against the recursive definition of RFC 6962, at the sizes where others slipped.
#![allow(clippy::unwrap_used)]

use super::*;
use proptest::prelude::*;

/// RFC 6962 section 2.1 word for word.
pub(crate) fn naive_root(leaves: &[TreeHash]) -> TreeHash {
    match leaves {
        [] => empty_root(),
        [leaf] => *leaf,
        _ => {
            let left = 1 << (leaves.len() - 1).ilog2();
            node_hash(&naive_root(&leaves[..left]), &naive_root(&leaves[left..]))
        }
    }
}

pub(crate) fn some_leaves(count: usize) -> Vec<TreeHash> {
    (0..count).map(|n| leaf_hash(&n.to_be_bytes())).collect()
}

fn hex(hash: TreeHash) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Computed with Python's hashlib from the definition.
#[test]
fn known_roots() {
    assert_eq!(hex(empty_root()), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_eq!(hex(leaf_hash(&[0; 32])), "7f9c9e31ac8256ca2f258583df262dbc7d6f68f2a03043d5c99a4ae5a7396ce9");
    let three = [leaf_hash(&[0; 32]); 3];
    assert_eq!(hex(root_of(&three)), "f6d1543b16c810e99a8ee38d619474a2c63bfd1a5a205688a3cc15c74350ddb5");
}

#[test]
fn critical_sizes_under_random_splits() {
    let leaves = some_leaves(65_537);
    let mut state = 1_u64;
    for size in [0, 1, 2, 3, 255, 256, 257, 511, 512, 513, 65_535, 65_536, 65_537] {
        let expected = naive_root(&leaves[..size]);
        for most in [1, 7, 256, 300, 5_000, 70_000] {
            let mut frontier = Frontier::default();
            while (frontier.size() as usize) < size {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let step = (state >> 33) as usize % most + 1;
                let from = frontier.size() as usize;
                frontier.extend(&leaves[from..size.min(from + step)]);
            }
            assert_eq!(frontier.root(), expected, "size {size}, steps up to {most}");
            assert_eq!(Frontier::from_bytes(&frontier.to_bytes()).unwrap(), frontier);
        }
    }
}

#[test]
fn bytes_of_another_length_are_refused() {
    let mut frontier = Frontier::default();
    frontier.extend(&some_leaves(7));
    let bytes = frontier.to_bytes();
    assert_eq!(bytes.len(), 8 + 3 * 32);
    for length in 0..bytes.len() {
        assert!(Frontier::from_bytes(&bytes[..length]).is_err(), "{length}");
    }
    assert!(Frontier::from_bytes(&[bytes, vec![0]].concat()).is_err());
}

proptest! {
    #[test]
    fn leaves_and_nodes_are_sha256(left: [u8; 32], right: [u8; 32]) {
        let plain = |parts: &[&[u8]]| TreeHash::from(Sha256::digest(parts.concat()));
        prop_assert_eq!(leaf_hash(&left), plain(&[&[0], &left]));
        prop_assert_eq!(node_hash(&left, &right), plain(&[&[1], &left, &right]));
    }

    #[test]
    fn any_split_gives_the_naive_root(steps in proptest::collection::vec(0..400_usize, 0..8)) {
        let leaves = some_leaves(steps.iter().sum());
        let mut frontier = Frontier::default();
        for step in steps {
            let from = frontier.size() as usize;
            frontier.extend(&leaves[from..from + step]);
        }
        prop_assert_eq!(frontier.size(), leaves.len() as u64);
        prop_assert_eq!(frontier.root(), naive_root(&leaves));
    }
}
