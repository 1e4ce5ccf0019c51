//! The nodes that one append made: enough for the inclusion proofs of the appended leaves, without reading
//! the tree.
//!
//! A path from a new leaf to the root passes only siblings that the append made, and full subtrees that
//! were the right edge before it: with `n` entries before, at height `h` the nodes from `n >> h` on, and
//! the one before them where it is one of the edge's.

use std::sync::OnceLock;

use super::make::siblings;
use crate::tree::{Frontier, TreeHash, node_hash};

/// The leaves of one append and the right edge that they were appended to.
#[derive(Debug)]
pub struct AppendedNodes {
    before: Frontier,
    leaves: Vec<TreeHash>,
    /// Computed for the first proof.
    nodes: OnceLock<Nodes>,
}

#[derive(Debug)]
struct Nodes {
    /// By height: the place of the first node, and the nodes.
    levels: Vec<(u64, Vec<TreeHash>)>,
    /// Roots of the subtrees at the right edge that are not full: where they begin, smallest first.
    ends: Vec<(u64, TreeHash)>,
}

impl AppendedNodes {
    /// `leaves` were appended to a tree with the right edge `before`.
    #[must_use]
    pub const fn new(before: Frontier, leaves: Vec<TreeHash>) -> Self {
        Self { before, leaves, nodes: OnceLock::new() }
    }

    /// Leaves of the tree after the append.
    fn size(&self) -> u64 {
        self.before.size() + self.leaves.len() as u64
    }

    /// The inclusion proof of an appended leaf in the tree after the append, lowest sibling first; `None` for
    /// a leaf that was not appended here.
    #[must_use]
    pub fn inclusion(&self, index: u64) -> Option<Vec<TreeHash>> {
        let size = self.size();
        if !(self.before.size()..size).contains(&index) {
            return None;
        }
        let nodes = self.nodes.get_or_init(|| Nodes::of(&self.before, &self.leaves));
        siblings(index, size).into_iter().rev().map(|(first, count)| nodes.root(first, count)).collect()
    }
}

impl PartialEq for AppendedNodes {
    fn eq(&self, other: &Self) -> bool {
        (&self.before, &self.leaves) == (&other.before, &other.leaves)
    }
}

impl Eq for AppendedNodes {}

impl Nodes {
    fn of(before: &Frontier, leaves: &[TreeHash]) -> Self {
        let (old, size) = (before.size(), before.size() + leaves.len() as u64);
        let mut edge = before.hashes().iter().rev();
        let (mut levels, mut new) = (Vec::new(), leaves.to_vec());
        for height in 0..size.checked_ilog2().map_or(0, |height| height + 1) {
            let place = old >> height;
            let first = if place % 2 == 1 { edge.next() } else { None };
            let nodes: Vec<TreeHash> = first.copied().into_iter().chain(new).collect();
            new = nodes.as_chunks::<2>().0.iter().map(|[left, right]| node_hash(left, right)).collect();
            levels.push((place - place % 2, nodes));
        }
        let mut nodes = Self { levels, ends: Vec::new() };
        nodes.ends = nodes.ends_of(size);
        nodes
    }

    /// The right edge, from its smallest full subtree on, each joined with what stands right of it.
    fn ends_of(&self, size: u64) -> Vec<(u64, TreeHash)> {
        let mut ends: Vec<(u64, TreeHash)> = Vec::new();
        for height in (0..self.levels.len()).filter(|height| size >> height & 1 == 1) {
            let place = (size >> height) - 1;
            let Some(full) = self.node(height, place) else { return ends };
            let joined = ends.last().map_or(full, |(_, right)| node_hash(&full, right));
            ends.push((place << height, joined));
        }
        ends
    }

    fn node(&self, height: usize, place: u64) -> Option<TreeHash> {
        let (first, nodes) = self.levels.get(height)?;
        nodes.get(usize::try_from(place.checked_sub(*first)?).ok()?).copied()
    }

    /// The root over `first..first + count`: a full subtree, or all from `first` to the tree's end.
    fn root(&self, first: u64, count: u64) -> Option<TreeHash> {
        if count.is_power_of_two() {
            return self.node(count.trailing_zeros() as usize, first / count);
        }
        self.ends.iter().find(|(start, _)| *start == first).map(|(_, root)| *root)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::inclusion_proof;
    use crate::tree::leaf_hash;

    #[test]
    fn proofs_of_an_append_are_those_of_the_whole_tree() {
        let leaves: Vec<TreeHash> = (0..70_u8).map(|leaf| leaf_hash(&[leaf])).collect();
        for old in 0..=leaves.len() {
            let mut before = Frontier::default();
            before.extend(&leaves[..old]);
            for size in old..=leaves.len() {
                let newest = AppendedNodes::new(before.clone(), leaves[old..size].to_vec());
                for index in 0..=size as u64 {
                    let wanted = (old as u64..size as u64).contains(&index).then(|| {
                        inclusion_proof(&leaves[..size], index, size as u64).expect("it is in the tree")
                    });
                    assert_eq!(newest.inclusion(index), wanted, "{index} of {size}, {old} before");
                }
            }
        }
    }
}
