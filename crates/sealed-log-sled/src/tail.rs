//! The tail: the newest entries, which are not in a block yet, and when they fill one.

use sealed_log::entry::ChainName;
use sealed_log::redaction::{parse_kept, sealed_digest};
use sealed_log::store::{StoreError, StoredEntry};

use crate::block::{CLOSE_AT_BYTES, MOST_ENTRIES};

/// How many entries at the front make a full block.
pub(crate) fn full_block(pending: &[&StoredEntry]) -> Option<usize> {
    let mut bytes = 0;
    for (at, entry) in pending.iter().enumerate() {
        bytes += entry.bytes.len();
        if bytes >= CLOSE_AT_BYTES || at + 1 == MOST_ENTRIES {
            return Some(at + 1);
        }
    }
    None
}

/// An entry as it is read back: what the store indexes follows from its bytes.
pub(crate) fn read_entry(index: u64, bytes: Vec<u8>) -> Result<StoredEntry, StoreError> {
    let damaged = |why: String| StoreError::Damaged { index, why };
    let view = parse_kept(&bytes).map_err(|error| damaged(error.to_string()))?.view;
    let chain = ChainName::new(view.chain).map_err(|error| damaged(error.to_string()))?;
    let (digest, first, count) = (sealed_digest(&bytes), view.first, view.count);
    Ok(StoredEntry { bytes, digest, chain, first, count })
}

/// Refuses an entry that could not be read back as what it is handed in as.
pub(crate) fn check_entry(index: u64, entry: &StoredEntry) -> Result<(), StoreError> {
    let refused = |why: String| StoreError::Damaged { index, why: format!("it was handed in wrong: {why}") };
    let view = parse_kept(&entry.bytes).map_err(|error| refused(error.to_string()))?.view;
    if (view.chain, view.first, view.count) != (entry.chain.as_str(), entry.first, entry.count) {
        let why = format!("its bytes say {} from {}, {} positions", view.chain, view.first, view.count);
        return Err(refused(why));
    }
    Ok(())
}
