//! The Merkle tree of RFC 6962 section 2.1 (SHA-256). [`Frontier`] keeps its right edge, which is all that
//! is needed to append leaves and to compute the root.

use crate::tile::TILE_HEIGHT;
#[cfg(feature = "rayon")]
use rayon::prelude::*;
use sha2::{Digest as _, Sha256};

/// A leaf's or node's SHA-256 hash.
pub type TreeHash = [u8; 32];

/// Leaves of one full tile.
const TILE: usize = 256;

/// The hash of a leaf (RFC 6962 section 2.1): SHA-256 of the byte 0x00 and the record.
#[must_use]
pub fn leaf_hash(record: &[u8]) -> TreeHash {
    Sha256::new().chain_update([0]).chain_update(record).finalize().into()
}

/// The hash of an inner node (RFC 6962 section 2.1): SHA-256 of the byte 0x01, the left and the right child.
#[must_use]
pub fn node_hash(left: &TreeHash, right: &TreeHash) -> TreeHash {
    Sha256::new().chain_update([1]).chain_update(left).chain_update(right).finalize().into()
}

/// The root of the tree without leaves: SHA-256 of nothing.
#[must_use]
pub fn empty_root() -> TreeHash {
    Sha256::digest([]).into()
}

/// The root over `leaves` alone.
#[must_use]
pub fn root_of(leaves: &[TreeHash]) -> TreeHash {
    let mut frontier = Frontier::default();
    frontier.extend(leaves);
    frontier.root()
}

/// The tree's right edge: its size and the roots of the full subtrees it is made of, largest
/// first. That is all that is needed to append and to name the root.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Frontier {
    size: u64,
    hashes: Vec<TreeHash>,
}

/// Bytes that are not a frontier.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FrontierError {
    /// Fewer than the eight bytes of the size.
    #[error("a frontier has at least 8 bytes; these are {0}")]
    Short(usize),
    /// The number of hashes does not belong to the size.
    #[error("the frontier of {size} leaves has {expected} bytes; these are {length}")]
    Length {
        /// Leaves it says it has.
        size: u64,
        /// Bytes that many leaves need.
        expected: usize,
        /// Bytes given.
        length: usize,
    },
}

impl Frontier {
    /// How many leaves the tree has.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// Roots of the full subtrees the tree is made of, largest first.
    #[must_use]
    pub fn hashes(&self) -> &[TreeHash] {
        &self.hashes
    }

    /// Appends one leaf.
    pub fn push_leaf(&mut self, leaf: TreeHash) {
        self.push_subtree(leaf, 0);
    }

    /// Appends leaves. With the feature `rayon` whole tiles are hashed on several cores.
    pub fn extend(&mut self, leaves: &[TreeHash]) {
        let to_tile = (self.size.wrapping_neg() % TILE as u64) as usize;
        let (start, rest) = leaves.split_at(to_tile.min(leaves.len()));
        start.iter().for_each(|leaf| self.push_leaf(*leaf));
        let (tiles, end) = rest.as_chunks::<TILE>();
        roots_of(tiles).into_iter().for_each(|root| self.push_subtree(root, TILE_HEIGHT));
        end.iter().for_each(|leaf| self.push_leaf(*leaf));
    }

    /// Appends one hash of a level of the hash tiles: the root of 256^level leaves.
    ///
    /// Returns whether the size is a multiple of that, as it must be; where not, nothing was
    /// appended.
    #[must_use]
    pub fn push_node(&mut self, level: u8, root: TreeHash) -> bool {
        let height = u32::from(level) * TILE_HEIGHT;
        let fits = height < u64::BITS && self.size.trailing_zeros() >= height;
        if fits {
            self.push_subtree(root, height);
        }
        fits
    }

    /// The tree's root.
    #[must_use]
    pub fn root(&self) -> TreeHash {
        let mut smallest_first = self.hashes.iter().rev();
        match smallest_first.next() {
            None => empty_root(),
            Some(last) => smallest_first.fold(*last, |right, left| node_hash(left, &right)),
        }
    }

    /// The size as eight big-endian bytes, then the hashes, largest subtree first.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.size.to_be_bytes().to_vec();
        self.hashes.iter().for_each(|hash| bytes.extend_from_slice(hash));
        bytes
    }

    /// Reads what [`Frontier::to_bytes`] wrote.
    ///
    /// # Errors
    /// [`FrontierError`] when the length does not belong to the size.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FrontierError> {
        let Some((size, rest)) = bytes.split_first_chunk::<8>() else {
            return Err(FrontierError::Short(bytes.len()));
        };
        let size = u64::from_be_bytes(*size);
        let expected = size.count_ones() as usize;
        let (hashes, surplus) = rest.as_chunks::<32>();
        if hashes.len() != expected || !surplus.is_empty() {
            return Err(FrontierError::Length { size, expected: 8 + 32 * expected, length: bytes.len() });
        }
        Ok(Self { size, hashes: hashes.to_vec() })
    }

    /// Appends the root of a full subtree of `2^height` leaves. The size must be a multiple of `2^height`;
    /// otherwise the frontier is that of no tree.
    pub fn push_subtree(&mut self, mut root: TreeHash, height: u32) {
        let mut taller = self.size >> height;
        while taller & 1 == 1 {
            if let Some(left) = self.hashes.pop() {
                root = node_hash(&left, &root);
            }
            taller >>= 1;
        }
        self.hashes.push(root);
        // A tree has less than 2^64 leaves; one that is said to have more is not one that anybody signed.
        self.size = self.size.saturating_add(1 << height);
    }
}

/// The roots of full tiles.
#[cfg(feature = "rayon")]
fn roots_of(tiles: &[[TreeHash; TILE]]) -> Vec<TreeHash> {
    match tiles {
        [] | [_] => tiles.iter().map(full_root).collect(),
        _ => tiles.par_iter().map(full_root).collect(),
    }
}

/// The roots of full tiles.
#[cfg(not(feature = "rayon"))]
fn roots_of(tiles: &[[TreeHash; TILE]]) -> Vec<TreeHash> {
    tiles.iter().map(full_root).collect()
}

/// The root of one full tile.
fn full_root(leaves: &[TreeHash; TILE]) -> TreeHash {
    let mut row = *leaves;
    let mut width = TILE;
    while width > 1 {
        width /= 2;
        for at in 0..width {
            row[at] = node_hash(&row[2 * at], &row[2 * at + 1]);
        }
    }
    row[0]
}

#[cfg(test)]
pub(crate) mod tests;
