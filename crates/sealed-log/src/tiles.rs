//! Hash tiles and entry bundles as C2SP tlog-tiles lays them out: their names, which of them a tree
//! has, and their bytes. Opens no files and speaks no HTTP; whoever writes a folder or answers
//! requests asks here.

use crate::proof::{NodeSource, StoreNodes};
use crate::tree::{Frontier, TreeHash, leaf_hash, root_of};
use crate::{SignedCheckpoint, StoreError, StoreReader, sealed_digest};
use std::fmt;
use std::str::FromStr;

/// Hashes of a full tile.
pub const TILE_WIDTH: u64 = 256;
/// Levels of the tree in one tile.
pub(crate) const TILE_HEIGHT: u32 = 8;
/// The highest level a tree of less than 2^64 entries reaches.
const HIGHEST_LEVEL: u8 = 7;

/// One tile of a tree: 1 to 256 hashes that stand side by side at one level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tile {
    level: u8,
    number: u64,
    width: u16,
}

/// There is no such tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "no tile has {width} hashes from number {number} at level {level}: expected 1 to 256 of levels 0 to 7"
)]
pub struct TileError {
    /// Level asked for.
    pub level: u8,
    /// Number asked for.
    pub number: u64,
    /// Width asked for.
    pub width: u16,
}

impl Tile {
    /// The first `width` hashes of tile `number` at `level`.
    ///
    /// # Errors
    /// [`TileError`] where the width is not 1 to 256 or no tree of less than 2^64 entries has it.
    pub fn new(level: u8, number: u64, width: u16) -> Result<Self, TileError> {
        let tile = Self { level, number, width };
        let fits = level <= HIGHEST_LEVEL && (1..=TILE_WIDTH as u16).contains(&width);
        if fits && tile.end().is_some() { Ok(tile) } else { Err(TileError { level, number, width }) }
    }

    /// 0 for leaf hashes, L for roots of full subtrees of 256^L leaves.
    #[must_use]
    pub const fn level(&self) -> u8 {
        self.level
    }

    /// Which tile of its level, from 0.
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// How many hashes it has, 1 to 256.
    #[must_use]
    pub const fn width(&self) -> u16 {
        self.width
    }

    /// How many entries a tree needs to have this tile.
    fn end(&self) -> Option<u64> {
        let hashes = self.number.checked_mul(TILE_WIDTH)?.checked_add(u64::from(self.width))?;
        hashes.checked_mul(tiles_below(self.level))
    }

    /// All tiles of a tree of `size` leaves, level by level, the partial one of a level last.
    pub fn of_tree(size: u64) -> impl Iterator<Item = Self> {
        (0..=HIGHEST_LEVEL).flat_map(move |level| {
            let hashes = size / tiles_below(level);
            let partial = (hashes % TILE_WIDTH) as u16;
            let full = (0..hashes / TILE_WIDTH).map(move |number| (number, TILE_WIDTH as u16));
            full.chain((partial > 0).then_some((hashes / TILE_WIDTH, partial)))
                .map(move |(number, width)| Self { level, number, width })
        })
    }

    /// Its hashes, one behind the other: what is served.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] when the store does not have them.
    pub fn bytes<S: StoreReader + ?Sized>(&self, store: &S) -> Result<Vec<u8>, StoreError> {
        let (first, count) = (self.number * TILE_WIDTH, usize::from(self.width));
        let hashes = match self.level {
            0 => store.leaf_hashes(first, count)?,
            level => store.tile_hashes(level, first, count)?,
        };
        Ok(hashes.into_flattened())
    }
}

/// One thing a tiled log serves, by its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TreeResource {
    /// `checkpoint`: the signed head.
    Checkpoint,
    /// `tile/L/N` or `tile/L/N.p/W`.
    Tile(Tile),
    /// `tile/entries/N` or `tile/entries/N.p/W`: the digests below a tile of level 0.
    Entries(Tile),
}

/// Why a resource cannot be given.
#[derive(Debug, thiserror::Error)]
pub enum ResourceError {
    /// The path is not one of C2SP tlog-tiles.
    #[error(
        "`{0}` is not a path of a tiled log: expected checkpoint, tile/L/N, tile/entries/N, or one of these with .p/W"
    )]
    Path(String),
    /// The signed tree is too small to have it.
    #[error("`{path}` is not part of the signed tree of {size} entries")]
    Beyond {
        /// The path.
        path: String,
        /// Size of the signed tree.
        size: u64,
    },
    /// The store cannot give it.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl TreeResource {
    /// All that a log whose signed tree has `size` entries serves: tiles, entry bundles, and last
    /// the checkpoint, so that a folder written in this order never has a head without its tree.
    pub fn of_tree(size: u64) -> impl Iterator<Item = Self> {
        let bundles = Tile::of_tree(size).take_while(|tile| tile.level == 0).map(Self::Entries);
        Tile::of_tree(size).map(Self::Tile).chain(bundles).chain([Self::Checkpoint])
    }

    /// Its bytes as of a signed head of the store's log. Partial tiles are cut out of what is
    /// kept: each is a beginning of every later one.
    ///
    /// # Errors
    /// [`ResourceError::Beyond`] for what the signed tree does not have, and the store's own.
    pub fn bytes<S: StoreReader + ?Sized>(
        &self,
        store: &S,
        head: &SignedCheckpoint,
    ) -> Result<Vec<u8>, ResourceError> {
        let size = head.checkpoint().size;
        match self {
            Self::Checkpoint => Ok(head.text().as_bytes().to_vec()),
            Self::Tile(tile) | Self::Entries(tile) if tile.end().is_none_or(|end| end > size) => {
                Err(ResourceError::Beyond { path: self.to_string(), size })
            }
            Self::Tile(tile) => Ok(tile.bytes(store)?),
            Self::Entries(tile) => Ok(entry_bundle(store, tile)?),
        }
    }
}

/// The digests below a tile of level 0, each behind its length, 32, as two bytes. A digest that is
/// not the sealed one is refused: the entry was damaged.
fn entry_bundle<S: StoreReader + ?Sized>(store: &S, tile: &Tile) -> Result<Vec<u8>, StoreError> {
    let (first, width) = (tile.number * TILE_WIDTH, usize::from(tile.width));
    let leaves = store.leaf_hashes(first, width)?;
    let mut bundle = Vec::with_capacity(width * 34);
    let mut index = first;
    while index < first + width as u64 {
        let entries = store.read(index, width - (index - first) as usize)?;
        if entries.is_empty() {
            return Err(StoreError::Damaged { index, why: "it is not there".to_owned() });
        }
        for entry in entries {
            let digest = sealed_digest(&entry);
            if leaves.get((index - first) as usize) != Some(&leaf_hash(&digest)) {
                let why = "its bytes are not those that were sealed".to_owned();
                return Err(StoreError::Damaged { index, why });
            }
            bundle.extend_from_slice(&32_u16.to_be_bytes());
            bundle.extend_from_slice(digest.as_bytes());
            index += 1;
        }
    }
    Ok(bundle)
}

/// How many leaves one hash of a level covers: 256^level, for the levels of a tree.
pub(crate) const fn tiles_below(level: u8) -> u64 {
    1 << (TILE_HEIGHT * if level > HIGHEST_LEVEL { HIGHEST_LEVEL } else { level } as u32)
}

/// Hashes of a level above the leaves, computed from all leaf hashes below them.
pub(crate) fn hashed_from_leaves<S: StoreReader + ?Sized>(
    store: &S,
    level: u8,
    first: u64,
    count: usize,
) -> Result<Vec<TreeHash>, StoreError> {
    let below = tiles_below(level);
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
    for tile in Tile::of_tree(size).filter(|tile| tile.level > 0) {
        let first = tile.number * TILE_WIDTH;
        let kept = nodes.nodes(tile.level, first, usize::from(tile.width))?;
        for (kept, place) in kept.iter().zip(first..) {
            let below = nodes.nodes(tile.level - 1, place * TILE_WIDTH, TILE_WIDTH as usize)?;
            if root_of(&below) != *kept {
                let why = format!("a hash above it, at level {}, is not that of the tile below", tile.level);
                return Err(StoreError::Damaged { index: place * tiles_below(tile.level), why });
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

/// `N` in groups of three digits, all but the last behind an `x`; partial ones with their width.
fn write_place(f: &mut fmt::Formatter<'_>, tile: &Tile) -> fmt::Result {
    let (mut groups, mut rest) = (vec![tile.number % 1_000], tile.number / 1_000);
    while rest > 0 {
        groups.push(rest % 1_000);
        rest /= 1_000;
    }
    while let Some(group) = groups.pop() {
        let (before, after) = if groups.is_empty() { ("", "") } else { ("x", "/") };
        write!(f, "{before}{group:03}{after}")?;
    }
    if tile.width < TILE_WIDTH as u16 { write!(f, ".p/{}", tile.width) } else { Ok(()) }
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tile/{}/", self.level)?;
        write_place(f, self)
    }
}

impl fmt::Display for TreeResource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Checkpoint => f.write_str("checkpoint"),
            Self::Tile(tile) => tile.fmt(f),
            Self::Entries(tile) => {
                f.write_str("tile/entries/")?;
                write_place(f, tile)
            }
        }
    }
}

impl FromStr for TreeResource {
    type Err = ResourceError;

    /// Reads a path; every resource has one spelling.
    fn from_str(path: &str) -> Result<Self, ResourceError> {
        let read = || {
            let (kind, place) = path.strip_prefix("tile/")?.split_once('/')?;
            let (number, width) = match place.split_once(".p/") {
                Some((number, width)) => (number, width.parse().ok().filter(|width| *width < 256)?),
                None => (place, 256),
            };
            let number = number.replace(['x', '/'], "").parse().ok()?;
            match kind {
                "entries" => Tile::new(0, number, width).ok().map(Self::Entries),
                level => Tile::new(level.parse().ok()?, number, width).ok().map(Self::Tile),
            }
        };
        let found = if path == "checkpoint" { Some(Self::Checkpoint) } else { read() };
        // Whatever is written otherwise than we write it is not a path.
        let found = found.filter(|found| found.to_string() == path);
        found.ok_or_else(|| ResourceError::Path(path.chars().take(80).collect()))
    }
}

#[cfg(test)]
#[path = "tiles_tests.rs"]
mod tests;
