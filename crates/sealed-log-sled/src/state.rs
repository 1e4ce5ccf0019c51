//! A store as one append left it, in memory: how far it goes, and what is not in blocks and full tiles yet.
//! Together with what sled keeps for good (blocks, full tiles and runs of positions are never changed) it is all that a
//! reader needs, so a copy of it shows the store as it was whatever is appended later.

use std::sync::Arc;

use sealed_log::store::StoredEntry;
use tlog::checkpoint::SignedCheckpoint;
use tlog::tree::{Frontier, TreeHash};

use crate::chains::LONGEST_RUN;
use crate::upper::Upper;

/// Cheap to copy: entries are shared.
#[derive(Debug, Clone)]
pub(crate) struct State {
    pub(crate) size: u64,
    pub(crate) frontier: Frontier,
    /// Index of the first entry that is not in a block yet.
    pub(crate) tail_first: u64,
    /// The entries that are not in a block yet.
    pub(crate) tail: Vec<Arc<StoredEntry>>,
    /// Leaf hashes of the newest, partial tile.
    pub(crate) leaves: Vec<TreeHash>,
    /// The newest signed checkpoint that an append brought.
    pub(crate) signed: Option<Arc<SignedCheckpoint>>,
    /// No run of positions that is kept is longer.
    pub(crate) longest_run: u64,
    /// The partial tiles above the leaf hashes, or why they are not to be had.
    pub(crate) upper: Arc<Result<Upper, String>>,
}

impl Default for State {
    fn default() -> Self {
        Self {
            size: 0,
            frontier: Frontier::default(),
            tail_first: 0,
            tail: Vec::new(),
            leaves: Vec::new(),
            signed: None,
            longest_run: LONGEST_RUN,
            upper: Arc::new(Ok(Upper::default())),
        }
    }
}
