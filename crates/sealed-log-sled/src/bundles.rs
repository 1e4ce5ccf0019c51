//! The bundles read last, unpacked: proofs, look-ups and tiles ask for neighbours.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// Bundles kept: a bundle takes at most some 80 KiB.
const MOST: usize = 64;

/// A bundle as it is read: the index of its first entry, and its entries.
pub(crate) type Bundle = Arc<(u64, Vec<Vec<u8>>)>;

/// The bundles read last, the newest at the end.
#[derive(Debug, Default)]
pub(crate) struct Bundles(Mutex<VecDeque<Bundle>>);

impl Bundles {
    /// The bundle that holds an entry, if it was read lately.
    pub(crate) fn of(&self, index: u64) -> Option<Bundle> {
        let bundles = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let holds =
            |bundle: &&Bundle| index.checked_sub(bundle.0).is_some_and(|place| place < bundle.1.len() as u64);
        bundles.iter().rev().find(holds).map(Arc::clone)
    }

    pub(crate) fn forget(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    pub(crate) fn keep(&self, bundle: &Bundle) {
        let mut bundles = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if bundles.len() >= MOST {
            bundles.pop_front();
        }
        bundles.push_back(Arc::clone(bundle));
    }
}
