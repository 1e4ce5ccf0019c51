//! Inclusion and consistency proofs (RFC 9162 section 2.1): made from hash tiles, and checked.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use crate::tiles::{TILE_HEIGHT, TILE_WIDTH, tiles_below};
use crate::tree::{Frontier, TreeHash, node_hash, root_of};
use crate::{StoreError, StoreReader};

/// Tiles kept while many proofs are made.
const MOST_TILES: usize = 256;
/// Leaf hashes read at once while a subtree is hashed from its leaves.
const READ_AT_ONCE: u64 = 65_536;

/// Where the tree's hashes come from, by the levels of C2SP tlog-tiles.
pub trait NodeSource {
    /// Why they cannot be had.
    type Error;

    /// The hashes `first..first + count` of a level, exactly `count` of them: at level 0 leaf
    /// hashes, at level L (up to 7) the roots of full subtrees of 256^L leaves.
    ///
    /// # Errors
    /// When they cannot be read.
    fn nodes(&self, level: u8, first: u64, count: usize) -> Result<Vec<TreeHash>, Self::Error>;
}

/// A store's hash tiles as a [`NodeSource`].
#[derive(Debug)]
pub struct StoreNodes<'a, S: ?Sized>(pub &'a S);

impl<S: StoreReader + ?Sized> NodeSource for StoreNodes<'_, S> {
    type Error = StoreError;

    fn nodes(&self, level: u8, first: u64, count: usize) -> Result<Vec<TreeHash>, StoreError> {
        let nodes = match level {
            0 => self.0.leaf_hashes(first, count)?,
            _ => self.0.tile_hashes(level, first, count)?,
        };
        if nodes.len() == count {
            return Ok(nodes);
        }
        let why = format!("{} hashes of level {level} were read where {count} are kept", nodes.len());
        let place = first.saturating_add(nodes.len() as u64);
        Err(StoreError::Damaged { index: place.saturating_mul(tiles_below(level)), why })
    }
}

/// A store's hash tiles, each read once while many proofs are made. Holds at most 256 of them (2 MiB), then begins
/// anew.
#[derive(Debug)]
pub struct TileCache<'a, S: ?Sized> {
    store: &'a S,
    tiles: RefCell<BTreeMap<(u8, u64), Vec<TreeHash>>>,
}

impl<'a, S: StoreReader + ?Sized> TileCache<'a, S> {
    /// Nothing is read yet.
    pub const fn new(store: &'a S) -> Self {
        Self { store, tiles: RefCell::new(BTreeMap::new()) }
    }

    fn tile(&self, level: u8, number: u64) -> Result<Vec<TreeHash>, StoreError> {
        let first = number * TILE_WIDTH;
        let there = self.store.size() >> (TILE_HEIGHT * u32::from(level));
        let count = there.saturating_sub(first).min(TILE_WIDTH) as usize;
        StoreNodes(self.store).nodes(level, first, count)
    }
}

impl<S: StoreReader + ?Sized> NodeSource for TileCache<'_, S> {
    type Error = StoreError;

    fn nodes(&self, level: u8, first: u64, count: usize) -> Result<Vec<TreeHash>, StoreError> {
        let (number, place) = (first / TILE_WIDTH, (first % TILE_WIDTH) as usize);
        let mut tiles = self.tiles.borrow_mut();
        if tiles.len() >= MOST_TILES {
            tiles.clear();
        }
        let tile = match tiles.entry((level, number)) {
            Entry::Occupied(tile) => tile.into_mut(),
            Entry::Vacant(free) => free.insert(self.tile(level, number)?),
        };
        match tile.get(place..place + count) {
            Some(nodes) => Ok(nodes.to_vec()),
            // Over the border of a tile, or not there.
            None => StoreNodes(self.store).nodes(level, first, count),
        }
    }
}

/// Leaf hashes held in memory.
impl NodeSource for [TreeHash] {
    type Error = StoreError;

    fn nodes(&self, level: u8, first: u64, count: usize) -> Result<Vec<TreeHash>, StoreError> {
        let below = tiles_below(level);
        let place = |number: u64| usize::try_from(number.checked_mul(below)?).ok();
        let range = place(first).zip(first.checked_add(count as u64).and_then(place));
        let leaves = range.and_then(|(start, end)| self.get(start..end)).ok_or_else(|| {
            let why = format!("{count} hashes of level {level} were asked for of {} leaves", self.len());
            StoreError::Damaged { index: first.saturating_mul(below), why }
        })?;
        Ok(leaves.chunks(below as usize).map(root_of).collect())
    }
}

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
    /// What was asked for cannot be proven.
    #[error(transparent)]
    Asked(ProofError),
    /// Hashes of the tree cannot be read.
    #[error("the tree's hashes cannot be read: {0}")]
    Nodes(E),
}

/// The root over the leaves `first..first + count` (RFC 6962 MTH; the empty root for none) from
/// the highest tiles that hold it: logarithmic where `first` is a multiple of the range's largest
/// full subtree, as every range of a proof is.
///
/// # Errors
/// The source's own.
pub fn range_root<N: NodeSource + ?Sized>(source: &N, first: u64, count: u64) -> Result<TreeHash, N::Error> {
    let mut frontier = Frontier::default();
    while frontier.size() < count {
        let (done, start) = (frontier.size(), first + frontier.size());
        let aligned = done.trailing_zeros().min(start.trailing_zeros());
        let height = (count - done).ilog2().min(aligned);
        let level = height / TILE_HEIGHT;
        let below = level * TILE_HEIGHT;
        let nodes = source.nodes(level as u8, start >> below, 1 << (height - below))?;
        nodes.into_iter().for_each(|node| frontier.push_subtree(node, below));
    }
    Ok(frontier.root())
}

/// The root over the leaves `first..first + count` from nothing but their own hashes: linear, and
/// a check of the tiles above them.
///
/// # Errors
/// The source's own.
pub fn recomputed_root<N: NodeSource + ?Sized>(
    source: &N,
    first: u64,
    count: u64,
) -> Result<TreeHash, N::Error> {
    let mut frontier = Frontier::default();
    while frontier.size() < count {
        let done = frontier.size();
        let most = (count - done).min(READ_AT_ONCE) as usize;
        frontier.extend(&source.nodes(0, first + done, most)?);
    }
    Ok(frontier.root())
}

/// The proof that entry `index` is in the tree of the first `size` entries, lowest sibling first.
///
/// # Errors
/// [`MakeProofError`] when the index is not below the size or hashes cannot be read.
pub fn inclusion_proof<N: NodeSource + ?Sized>(
    source: &N,
    index: u64,
    size: u64,
) -> Result<Vec<TreeHash>, MakeProofError<N::Error>> {
    if index >= size {
        return Err(MakeProofError::Asked(ProofError::Index { index, size }));
    }
    let lowest_first = siblings(index, size).into_iter().rev();
    let roots = lowest_first.map(|(first, count)| range_root(source, first, count));
    roots.collect::<Result<_, _>>().map_err(MakeProofError::Nodes)
}

/// What stands beside the path from the root of `size` entries down to the entry `index` of them: each
/// sibling's first leaf, and how many it has.
pub(crate) fn siblings(index: u64, size: u64) -> Vec<(u64, u64)> {
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

/// The proof that the tree of the first `first` entries is a beginning of the tree of `second`.
///
/// # Errors
/// [`MakeProofError`] unless `1 <= first <= second`, or when hashes cannot be read.
pub fn consistency_proof<N: NodeSource + ?Sized>(
    source: &N,
    first: u64,
    second: u64,
) -> Result<Vec<TreeHash>, MakeProofError<N::Error>> {
    if first == 0 || first > second {
        return Err(MakeProofError::Asked(ProofError::Sizes { first, second }));
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

/// Checks that the leaf `leaf` stands at `index` in the tree of `size` entries with this root.
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

/// The root of the tree of `size` entries that a proof leads to from the leaf at `index`.
pub(crate) fn inclusion_root(
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

/// Checks that the tree of `first` entries is a beginning of the tree of `second` entries.
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

#[cfg(test)]
#[path = "proof_tests.rs"]
mod tests;
