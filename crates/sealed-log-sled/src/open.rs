//! The handle on sled that readers share. Closing the store drops it, whatever readers there are: sled releases its
//! folder only when the last handle is gone, and a reader must not delay that.

use std::sync::{PoisonError, RwLock};

use sealed_log::store::StoreError;

use crate::blocks::Blocks;
use crate::guard::guarded;

/// An open store as its readers see it; [`StoreError::Closed`] once it is closed.
#[derive(Debug)]
pub(crate) struct Open {
    sealed: RwLock<Option<sled::Db>>,
    pub(crate) blocks: Blocks,
}

impl Open {
    pub(crate) fn new(sealed: sled::Db) -> Self {
        Self { sealed: RwLock::new(Some(sealed)), blocks: Blocks::default() }
    }

    /// Calls sled for one question; `index` is the entry that an error names.
    pub(crate) fn ask<T>(
        &self,
        index: u64,
        ask: impl FnOnce(&sled::Db) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let sealed = self.sealed.read().unwrap_or_else(PoisonError::into_inner);
        guarded(index, || ask(sealed.as_ref().ok_or(StoreError::Closed)?))
    }

    /// Drops the handle. It waits for the questions that are being answered; each of them is short.
    pub(crate) fn close(&self) {
        // Sled may panic when a handle is dropped; closing goes on.
        let last = self.sealed.write().unwrap_or_else(PoisonError::into_inner).take();
        let _ = guarded(0, || {
            drop(last);
            Ok(())
        });
        self.blocks.forget();
    }
}
