//! The blocks read last, unpacked: proofs, look-ups and tiles ask for neighbours.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// Blocks kept: a block takes at most some 80 KiB.
const MOST: usize = 64;

/// A block as it is read: the index of its first entry, and its entries.
pub(crate) type Block = Arc<(u64, Vec<Vec<u8>>)>;

/// The blocks read last, the newest at the end.
#[derive(Debug, Default)]
pub(crate) struct Blocks(Mutex<VecDeque<Block>>);

impl Blocks {
    /// The block that holds an entry, if it was read lately.
    pub(crate) fn of(&self, index: u64) -> Option<Block> {
        let blocks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let holds = |block: &&Block| {
            index.checked_sub(block.0).is_some_and(|position| position < block.1.len() as u64)
        };
        blocks.iter().rev().find(holds).map(Arc::clone)
    }

    pub(crate) fn forget(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    pub(crate) fn keep(&self, block: &Block) {
        let mut blocks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if blocks.len() >= MOST {
            blocks.pop_front();
        }
        blocks.push_back(Arc::clone(block));
    }
}
