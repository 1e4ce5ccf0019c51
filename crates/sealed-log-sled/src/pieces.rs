//! Long values, kept in pieces under keys that follow one another.
//!
//! Sled splits a page by how many items it holds (more than 16), not by their bytes, and writes a
//! page of more than 128 KiB to a file of its own in `blobs/`: slower, larger, and removed on a
//! schedule of sled's that knows nothing of our syncs. Pieces of 5 KiB keep a page of up to 25
//! items below that.

use sealed_log::store::StoreError;

use crate::guard::from_sled;

/// Bytes of one piece.
pub(crate) const PIECE_BYTES: usize = 5 * 1_024;

/// Puts a value under a key; the key's length is the same for all values of its kind.
pub(crate) fn put(batch: &mut sled::Batch, key: &[u8], value: &[u8]) {
    for (number, piece) in value.chunks(PIECE_BYTES).enumerate() {
        batch.insert(piece_key(key, number), piece);
    }
}

/// Removes the pieces of a value of this length.
pub(crate) fn remove(batch: &mut sled::Batch, key: &[u8], length: usize) {
    for number in 0..length.div_ceil(PIECE_BYTES) {
        batch.remove(piece_key(key, number));
    }
}

/// A value, its pieces put together; `index` is the entry concerned if they cannot be read.
pub(crate) fn get(tree: &sled::Tree, key: &[u8], index: u64) -> Result<Option<Vec<u8>>, StoreError> {
    let mut value = None;
    for (item, number) in tree.scan_prefix(key).zip(0..) {
        let (found, piece) = item.map_err(from_sled(index))?;
        if found != piece_key(key, number) {
            return Err(StoreError::Damaged { index, why: format!("piece {number} of it is not there") });
        }
        value.get_or_insert_with(Vec::new).extend_from_slice(&piece);
    }
    Ok(value)
}

/// A value has at most 16 pieces: an entry of 60 KiB twelve, the largest block sixteen.
pub(crate) fn piece_key(key: &[u8], number: usize) -> Vec<u8> {
    let mut key = key.to_vec();
    key.push(number as u8);
    key
}

/// The key of the value that a piece belongs to.
pub(crate) fn whole_key(piece_key: &[u8]) -> &[u8] {
    piece_key.split_last().map_or(&[], |(_, key)| key)
}
