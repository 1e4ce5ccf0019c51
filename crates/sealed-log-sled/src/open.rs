//! Sled's handles as readers share them. They are let go of when the store is closed: sled frees its folder only
//! when the last handle is gone, and nobody who still reads may hold that up.

use std::sync::{PoisonError, RwLock};

use sealed_log::store::StoreError;

use crate::blocks::Blocks;
use crate::guard::guarded;

/// An open store, for those who read it.
#[derive(Debug)]
pub(crate) struct Open {
    sealed: RwLock<Option<sled::Db>>,
    pub(crate) blocks: Blocks,
}

impl Open {
    pub(crate) fn new(sealed: sled::Db) -> Self {
        Self { sealed: RwLock::new(Some(sealed)), blocks: Blocks::default() }
    }

    /// Asks sled one thing; `index` is the entry concerned if it cannot answer.
    pub(crate) fn ask<T>(
        &self,
        index: u64,
        ask: impl FnOnce(&sled::Db) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let sealed = self.sealed.read().unwrap_or_else(PoisonError::into_inner);
        guarded(index, || ask(sealed.as_ref().ok_or(StoreError::Closed)?))
    }

    /// Lets go of sled; waits for questions that are being answered, each of which is short.
    pub(crate) fn close(&self) {
        // Sled may panic when a handle goes; whoever closes goes on.
        let last = self.sealed.write().unwrap_or_else(PoisonError::into_inner).take();
        let _ = guarded(0, || {
            drop(last);
            Ok(())
        });
        self.blocks.forget();
    }
}
