//! Where proofs read the tree's hashes, by the levels of C2SP tlog-tiles.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use crate::tile::{TILE_HEIGHT, TILE_WIDTH, leaves_below};
use crate::tree::{Frontier, TreeHash, root_of};

/// Tiles kept while many proofs are made.
const MAX_CACHED_TILES: usize = 256;
/// Leaf hashes read at once while a subtree is hashed from its leaves.
const LEAVES_AT_ONCE: u64 = 65_536;

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

/// Each tile of a source is read once while many proofs are made. The cache holds at most 256 tiles (2 MiB); a full
/// cache is emptied.
#[derive(Debug)]
pub struct TileCache<N> {
    source: N,
    size: u64,
    tiles: RefCell<BTreeMap<(u8, u64), Vec<TreeHash>>>,
}

impl<N: NodeSource> TileCache<N> {
    /// An empty cache over a source that has the hashes of a tree of `size` leaves.
    pub const fn new(source: N, size: u64) -> Self {
        Self { source, size, tiles: RefCell::new(BTreeMap::new()) }
    }

    fn tile(&self, level: u8, number: u64) -> Result<Vec<TreeHash>, N::Error> {
        let first = number * TILE_WIDTH;
        let hashes = self.size >> (TILE_HEIGHT * u32::from(level));
        let count = hashes.saturating_sub(first).min(TILE_WIDTH) as usize;
        self.source.nodes(level, first, count)
    }
}

impl<N: NodeSource> NodeSource for TileCache<N> {
    type Error = N::Error;

    fn nodes(&self, level: u8, first: u64, count: usize) -> Result<Vec<TreeHash>, N::Error> {
        let (number, offset) = (first / TILE_WIDTH, (first % TILE_WIDTH) as usize);
        let mut tiles = self.tiles.borrow_mut();
        if tiles.len() >= MAX_CACHED_TILES {
            tiles.clear();
        }
        let tile = match tiles.entry((level, number)) {
            Entry::Occupied(tile) => tile.into_mut(),
            Entry::Vacant(free) => free.insert(self.tile(level, number)?),
        };
        match tile.get(offset..offset + count) {
            Some(nodes) => Ok(nodes.to_vec()),
            // The range crosses the border of a tile, or the tree does not have it.
            None => self.source.nodes(level, first, count),
        }
    }
}

/// A tree does not have the hashes that were asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{count} hashes of level {level} from {first} were asked for, of a tree of {leaves} leaves")]
pub struct MissingNodes {
    /// Level asked for.
    pub level: u8,
    /// First hash asked for.
    pub first: u64,
    /// How many were asked for.
    pub count: usize,
    /// Leaves of the tree.
    pub leaves: usize,
}

/// Leaf hashes held in memory.
impl NodeSource for [TreeHash] {
    type Error = MissingNodes;

    fn nodes(&self, level: u8, first: u64, count: usize) -> Result<Vec<TreeHash>, MissingNodes> {
        let below = leaves_below(level);
        let leaf = |number: u64| usize::try_from(number.checked_mul(below)?).ok();
        let range = leaf(first).zip(first.checked_add(count as u64).and_then(leaf));
        let missing = MissingNodes { level, first, count, leaves: self.len() };
        let leaves = range.and_then(|(start, end)| self.get(start..end)).ok_or(missing)?;
        Ok(leaves.chunks(below as usize).map(root_of).collect())
    }
}

/// A borrowed source is a source.
impl<N: NodeSource + ?Sized> NodeSource for &N {
    type Error = N::Error;

    fn nodes(&self, level: u8, first: u64, count: usize) -> Result<Vec<TreeHash>, N::Error> {
        (**self).nodes(level, first, count)
    }
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
        let most = (count - done).min(LEAVES_AT_ONCE) as usize;
        frontier.extend(&source.nodes(0, first + done, most)?);
    }
    Ok(frontier.root())
}
