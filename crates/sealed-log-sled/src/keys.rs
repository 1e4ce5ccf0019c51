//! Keys of sled's main tree: a letter for the kind, then what orders it. Blocks and tiles are kept
//! in pieces, so a byte with the piece's number follows. (The newest entries have a tree of their
//! own, by index, in pieces as well; after them comes the newest signed checkpoint.)

use sealed_log::entry::ChainName;

/// Format version, and the tree's right edge at the newest full tile.
pub(crate) const META: &[u8] = b"m";

/// The text of the newest signed checkpoint, among the newest entries: no index of theirs comes after it.
pub(crate) const CHECKPOINT: &[u8] = b"\xffhead";

/// Prefix of the leaf hashes that no full tile holds yet.
pub(crate) const LEAVES: &[u8] = b"h";

/// A block, by the index of its first entry.
pub(crate) fn block(first: u64) -> Vec<u8> {
    numbered(b'b', first)
}

/// Leaf hashes of entries in blocks whose tile is not full yet, by the index of the first of them.
pub(crate) fn leaves(first: u64) -> Vec<u8> {
    numbered(b'h', first)
}

/// A full tile of 256 leaf hashes, by number.
pub(crate) fn tile(number: u64) -> Vec<u8> {
    numbered(b'l', number)
}

/// Prefix of the hashes above the leaves that no full tile holds yet.
pub(crate) const NODES: &[u8] = b"n";

/// One hash of a level above the leaves whose tile is not full yet, by its position in the level.
pub(crate) fn node(level: u8, position: u64) -> Vec<u8> {
    leveled(b'n', level, position)
}

/// A full tile of 256 hashes above the leaves, by level and number.
pub(crate) fn upper_tile(level: u8, number: u64) -> Vec<u8> {
    leveled(b't', level, number)
}

/// Level and position of a key that [`node`] made.
pub(crate) fn node_of(key: &[u8]) -> Option<(u8, u64)> {
    match key {
        [_, level, position @ ..] => Some((*level, u64::from_be_bytes(position.try_into().ok()?))),
        _ => None,
    }
}

fn leveled(kind: u8, level: u8, number: u64) -> Vec<u8> {
    let mut key = vec![kind, level];
    key.extend_from_slice(&number.to_be_bytes());
    key
}

/// The newest state of a chain.
pub(crate) fn chain(name: &ChainName) -> Vec<u8> {
    [b"c", name.as_str().as_bytes()].concat()
}

fn numbered(kind: u8, number: u64) -> Vec<u8> {
    let mut key = vec![kind];
    key.extend_from_slice(&number.to_be_bytes());
    key
}

/// The number at the end of a key.
pub(crate) fn number_of(key: &[u8]) -> Option<u64> {
    key.last_chunk::<8>().map(|bytes| u64::from_be_bytes(*bytes))
}

/// Prefix of all runs: which consecutive positions of a chain lie in which block.
pub(crate) const RUNS: &[u8] = b"q";

/// A run: the chain, the run's lowest position, then the index of the block's first entry.
pub(crate) fn run(name: &ChainName, first: u64, index: u64) -> Vec<u8> {
    let mut key = RUNS.to_vec();
    key.extend_from_slice(name.as_str().as_bytes());
    key.push(0);
    key.extend_from_slice(&first.to_be_bytes());
    key.extend_from_slice(&index.to_be_bytes());
    key
}

/// Lowest position and block index of a key that [`run`] made.
pub(crate) fn run_of(key: &[u8]) -> Option<(u64, u64)> {
    let (rest, index) = key.split_last_chunk::<8>()?;
    let (_, first) = rest.split_last_chunk::<8>()?;
    Some((u64::from_be_bytes(*first), u64::from_be_bytes(*index)))
}
