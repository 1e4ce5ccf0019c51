//! Tiles and entry bundles of C2SP tlog-tiles: their paths, and which of them a tree has.
//!
//! ```text
//! checkpoint             the signed checkpoint
//! tile/L/N[.p/W]         hashes of level L (0 to 7): 256 of them, or W in a partial tile
//! tile/entries/N[.p/W]   the entries below the tile N of level 0
//!
//! N is written in groups of three digits, all but the last with an x before them:
//! tile 1,234,067 of level 0 is tile/0/x001/x234/067
//! ```
//!
//! ```
//! use tlog::tile::{Tile, TreeResource};
//!
//! let tile = Tile::new(0, 1_234_067, 256)?;
//! assert_eq!(tile.to_string(), "tile/0/x001/x234/067");
//! let resource: TreeResource = "tile/entries/000.p/7".parse()?;
//! assert_eq!(resource.tree_size(), Some(7));
//! // A tree of 300 leaves has two tiles of leaf hashes, the second one partial, and one hash above them.
//! let tiles: Vec<String> = Tile::of_tree(300).map(|tile| tile.to_string()).collect();
//! assert_eq!(tiles, ["tile/0/000", "tile/0/001.p/44", "tile/1/000.p/1"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::str::FromStr;

/// Hashes of a full tile.
pub const TILE_WIDTH: u64 = 256;
/// Levels of the tree in one tile.
pub const TILE_HEIGHT: u32 = 8;
/// The highest level a tree of less than 2^64 entries reaches.
pub const HIGHEST_LEVEL: u8 = 7;

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
        if fits && tile.tree_size().is_some() { Ok(tile) } else { Err(TileError { level, number, width }) }
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

    /// The smallest tree that has this tile, in leaves; `None` where it has 2^64 leaves or more.
    #[must_use]
    pub fn tree_size(&self) -> Option<u64> {
        let hashes = self.number.checked_mul(TILE_WIDTH)?.checked_add(u64::from(self.width))?;
        hashes.checked_mul(leaves_below(self.level))
    }

    /// All tiles of a tree of `size` leaves, level by level, the partial one of a level last.
    pub fn of_tree(size: u64) -> impl Iterator<Item = Self> {
        (0..=HIGHEST_LEVEL).flat_map(move |level| {
            let hashes = size / leaves_below(level);
            let partial = (hashes % TILE_WIDTH) as u16;
            let full = (0..hashes / TILE_WIDTH).map(move |number| (number, TILE_WIDTH as u16));
            full.chain((partial > 0).then_some((hashes / TILE_WIDTH, partial)))
                .map(move |(number, width)| Self { level, number, width })
        })
    }
}

/// One thing a tiled log serves, by its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TreeResource {
    /// `checkpoint`: the signed checkpoint.
    Checkpoint,
    /// `tile/L/N` or `tile/L/N.p/W`.
    Tile(Tile),
    /// `tile/entries/N` or `tile/entries/N.p/W`: the log entries below a tile of level 0, each behind its length; the caller encodes them.
    Entries(Tile),
}

/// A text that is not a path of a tiled log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a path of a tiled log: expected checkpoint, tile/L/N, tile/entries/N, or one of these with .p/W"
)]
pub struct PathError(String);

impl TreeResource {
    /// All that a log whose signed tree has `size` entries serves: tiles, entry bundles, and last
    /// the checkpoint, so that a folder written in this order never has a checkpoint without its tree.
    pub fn of_tree(size: u64) -> impl Iterator<Item = Self> {
        let blocks = Tile::of_tree(size).take_while(|tile| tile.level == 0).map(Self::Entries);
        Tile::of_tree(size).map(Self::Tile).chain(blocks).chain([Self::Checkpoint])
    }

    /// The smallest tree that has it, in leaves: 0 for the checkpoint, `None` where no tree of less than 2^64
    /// leaves has it.
    #[must_use]
    pub fn tree_size(&self) -> Option<u64> {
        match self {
            Self::Checkpoint => Some(0),
            Self::Tile(tile) | Self::Entries(tile) => tile.tree_size(),
        }
    }
}

/// How many leaves one hash of a level covers: 256^level, for the levels of a tree.
#[must_use]
pub const fn leaves_below(level: u8) -> u64 {
    1 << (TILE_HEIGHT * if level > HIGHEST_LEVEL { HIGHEST_LEVEL } else { level } as u32)
}

/// `N` in groups of three digits, all but the last behind an `x`; partial ones with their width.
fn write_number(f: &mut fmt::Formatter<'_>, tile: &Tile) -> fmt::Result {
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
        write_number(f, self)
    }
}

impl fmt::Display for TreeResource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Checkpoint => f.write_str("checkpoint"),
            Self::Tile(tile) => tile.fmt(f),
            Self::Entries(tile) => {
                f.write_str("tile/entries/")?;
                write_number(f, tile)
            }
        }
    }
}

impl FromStr for TreeResource {
    type Err = PathError;

    /// Reads a path; every resource has one spelling.
    fn from_str(path: &str) -> Result<Self, PathError> {
        let read = || {
            let (kind, path) = path.strip_prefix("tile/")?.split_once('/')?;
            let (number, width) = match path.split_once(".p/") {
                Some((number, width)) => (number, width.parse().ok().filter(|width| *width < 256)?),
                None => (path, 256),
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
        found.ok_or_else(|| PathError(path.chars().take(80).collect()))
    }
}
