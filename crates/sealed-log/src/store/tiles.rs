//! What a tiled log serves (C2SP tlog-tiles), read from a store: hashes of tiles, and entry bundles of digests.

use crate::redaction::sealed_digest;
use crate::store::{StoreError, StoreReader};
use tlog::checkpoint::SignedCheckpoint;
use tlog::proof::{MissingNodes, NodeSource};
use tlog::tile::{HIGHEST_LEVEL, TILE_WIDTH, Tile, TreeResource, leaves_below};
use tlog::tree::{Frontier, TreeHash, root_of};

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
        let position = first.saturating_add(nodes.len() as u64);
        Err(StoreError::Damaged { index: position.saturating_mul(leaves_below(level)), why })
    }
}

impl From<MissingNodes> for StoreError {
    fn from(missing: MissingNodes) -> Self {
        let index = missing.first.saturating_mul(leaves_below(missing.level));
        Self::Damaged { index, why: missing.to_string() }
    }
}

/// Why a resource cannot be given.
#[derive(Debug, thiserror::Error)]
pub enum ResourceError {
    /// The signed tree is too small to have it.
    #[error("`{path}` is not part of the signed tree of {size} entries")]
    Beyond {
        /// The path.
        path: String,
        /// Size of the signed tree.
        size: u64,
    },
    /// The store cannot give it.
    #[error("{0}")]
    Store(#[from] StoreError),
}

/// The bytes of a resource as of a signed checkpoint of the store's log. Partial tiles are cut out of what is
/// kept: each is a prefix of every later one.
///
/// # Errors
/// [`ResourceError::Beyond`] for what the signed tree does not have, and the store's own.
pub fn resource_bytes<S: StoreReader + ?Sized>(
    store: &S,
    checkpoint: &SignedCheckpoint,
    resource: &TreeResource,
) -> Result<Vec<u8>, ResourceError> {
    let size = checkpoint.checkpoint().size;
    if resource.tree_size().is_none_or(|needed| needed > size) {
        return Err(ResourceError::Beyond { path: resource.to_string(), size });
    }
    match resource {
        TreeResource::Checkpoint => Ok(checkpoint.text().as_bytes().to_vec()),
        TreeResource::Tile(tile) => Ok(tile_bytes(store, tile)?),
        TreeResource::Entries(tile) => Ok(entry_bundle(store, tile)?),
    }
}

/// The hashes of a tile, concatenated: what is served.
///
/// # Errors
/// [`StoreError::Damaged`] when the store does not have them.
pub fn tile_bytes<S: StoreReader + ?Sized>(store: &S, tile: &Tile) -> Result<Vec<u8>, StoreError> {
    let (first, count) = (tile.number() * TILE_WIDTH, usize::from(tile.width()));
    let hashes = match tile.level() {
        0 => store.leaf_hashes(first, count)?,
        level => store.tile_hashes(level, first, count)?,
    };
    Ok(hashes.into_flattened())
}

/// The digests below a tile of level 0, each behind its length, 32, as two bytes. A digest that is
/// not the sealed one is refused: the entry was damaged.
fn entry_bundle<S: StoreReader + ?Sized>(store: &S, tile: &Tile) -> Result<Vec<u8>, StoreError> {
    let (first, width) = (tile.number() * TILE_WIDTH, usize::from(tile.width()));
    let leaves = store.leaf_hashes(first, width)?;
    let mut block = Vec::with_capacity(width * 34);
    let mut index = first;
    while index < first + width as u64 {
        let entries = store.read(index, width - (index - first) as usize)?;
        if entries.is_empty() {
            return Err(StoreError::Damaged { index, why: "it is not there".to_owned() });
        }
        for entry in entries {
            let digest = sealed_digest(&entry);
            if leaves.get((index - first) as usize) != Some(&digest.leaf_hash()) {
                let why = "its bytes are not those that were sealed".to_owned();
                return Err(StoreError::Damaged { index, why });
            }
            block.extend_from_slice(&32_u16.to_be_bytes());
            block.extend_from_slice(digest.as_bytes());
            index += 1;
        }
    }
    Ok(block)
}

/// Hashes of a level above the leaves, computed from all leaf hashes below them.
pub(crate) fn hashed_from_leaves<S: StoreReader + ?Sized>(
    store: &S,
    level: u8,
    first: u64,
    count: usize,
) -> Result<Vec<TreeHash>, StoreError> {
    let below = leaves_below(level);
    let kept = store.size() / below;
    if level > HIGHEST_LEVEL || first.checked_add(count as u64).is_none_or(|end| end > kept) {
        return Err(not_kept(store.size(), level, first, count));
    }
    (first..first + count as u64)
        .map(|number| {
            let mut frontier = Frontier::default();
            while frontier.size() < below {
                let most = (below - frontier.size()).min(65_536) as usize;
                frontier.extend(&store.leaf_hashes(number * below + frontier.size(), most)?);
            }
            Ok(frontier.root())
        })
        .collect()
}

/// Checks that every hash above the leaves of a tree of `size` entries is the root of the full
/// tile below it. Reads all leaf hashes.
///
/// # Errors
/// [`StoreError::Damaged`] names the first entry below a hash that is not, and the store's own.
pub fn check_tiles<S: StoreReader + ?Sized>(store: &S, size: u64) -> Result<(), StoreError> {
    let nodes = StoreNodes(store);
    for tile in Tile::of_tree(size).filter(|tile| tile.level() > 0) {
        let first = tile.number() * TILE_WIDTH;
        let kept = nodes.nodes(tile.level(), first, usize::from(tile.width()))?;
        for (kept, position) in kept.iter().zip(first..) {
            let below = nodes.nodes(tile.level() - 1, position * TILE_WIDTH, TILE_WIDTH as usize)?;
            if root_of(&below) != *kept {
                let why =
                    format!("a hash above it, at level {}, is not that of the tile below", tile.level());
                return Err(StoreError::Damaged { index: position * leaves_below(tile.level()), why });
            }
        }
    }
    Ok(())
}

/// The refusal of hashes that a tree of `size` entries does not have.
fn not_kept(size: u64, level: u8, first: u64, count: usize) -> StoreError {
    let why =
        format!("{count} hashes of level {level} from {first} were asked for, of a tree of {size} entries");
    StoreError::Damaged { index: size, why }
}

#[cfg(test)]
mod tests;
