//! Keys of sled's main tree: a letter for the kind, then what orders it. Blocks and tiles are kept
//! in pieces, so a byte with the piece's number follows. (The newest entries have a tree of their
//! own, by index, in pieces as well; after them comes the newest signed checkpoint.)

use sealed_log::entry::ChainName;

/// Format version, and the tree's right edge at the newest full tile.
pub(crate) const META: &[u8] = b"m";

/// The text of the newest signed checkpoint, among the newest entries: no index of theirs comes after it.
pub(crate) const HEAD: &[u8] = b"\xffhead";

/// Before the leaf hashes that no full tile holds yet.
pub(crate) const LEAVES: &[u8] = b"h";

/// A block, by the index of its first entry.
pub(crate) fn block(first: u64) -> Vec<u8> {
    numbered(b'b', first)
}

/// Leaf hashes of bundled entries whose tile is not full yet, by the index of the first of them.
pub(crate) fn leaves(first: u64) -> Vec<u8> {
    numbered(b'h', first)
}

/// A full tile of 256 leaf hashes, by number.
pub(crate) fn tile(number: u64) -> Vec<u8> {
    numbered(b'l', number)
}

/// Before the hashes above the leaves that no full tile holds yet.
pub(crate) const NODES: &[u8] = b"n";

/// One hash of a level above the leaves whose tile is not full yet, by its place in the level.
pub(crate) fn node(level: u8, place: u64) -> Vec<u8> {
    leveled(b'n', level, place)
}

/// A full tile of 256 hashes above the leaves, by level and number.
pub(crate) fn upper_tile(level: u8, number: u64) -> Vec<u8> {
    leveled(b't', level, number)
}

/// Level and place of a key.
pub(crate) fn node_of(key: &[u8]) -> Option<(u8, u64)> {
    match key {
        [_, level, place @ ..] => Some((*level, u64::from_be_bytes(place.try_into().ok()?))),
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

/// Before the places of all chains: which runs of their positions lie in which block.
pub(crate) const PLACES: &[u8] = b"q";

/// A place: the chain, the run's lowest position, then the index of the block's first entry.
pub(crate) fn place(name: &ChainName, first: u64, index: u64) -> Vec<u8> {
    let mut key = PLACES.to_vec();
    key.extend_from_slice(name.as_str().as_bytes());
    key.push(0);
    key.extend_from_slice(&first.to_be_bytes());
    key.extend_from_slice(&index.to_be_bytes());
    key
}

/// First position and index of a place's key.
pub(crate) fn place_of(key: &[u8]) -> Option<(u64, u64)> {
    let (rest, index) = key.split_last_chunk::<8>()?;
    let (_, first) = rest.split_last_chunk::<8>()?;
    Some((u64::from_be_bytes(*first), u64::from_be_bytes(*index)))
}
