//! Erasing payloads: the store is written anew with redacted entries, and the new store and the old one are exchanged
//! in one step. Sled never overwrites bytes, so nothing less would remove them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, RenameFlags, renameat_with};
use sealed_log::redaction::redact_entry;
use sealed_log::store::{StoreError, StoreReader as _, StoreWriter as _};

use crate::copying::failed;
use crate::disk::sync_folder;
use crate::flush::sync;
use crate::refill::Refill;
use crate::running::Running;
use crate::{FolderError, LogFolder, SledStore};

/// Entries read at once.
const ENTRIES_AT_ONCE: usize = 16_384;

impl LogFolder {
    /// Writes the store anew with redacted entries for these entries; digests, tree and chains stay as they
    /// are. Killed at any moment, the log is there whole, either as it was or erased; call it again.
    /// Whoever calls it has recorded beforehand what is erased, and why.
    ///
    /// Gives the folders beside the store that may hold the payloads still: copies set aside after an
    /// unclean stop. Blocks that a file system has freed are beyond this.
    ///
    /// # Errors
    /// [`FolderError`]; the log is as it was.
    pub fn erase(&self, indexes: &BTreeSet<u64>) -> Result<Vec<PathBuf>, FolderError> {
        if !self.exists()? {
            return Err(FolderError::NoLog(self.path().to_owned()));
        }
        let mut running = Running::take(self.path())?;
        if running.unclean() {
            return Err(FolderError::Unclean(self.path().to_owned()));
        }
        // Nothing was opened for writing yet: whatever happens now, the store is sound.
        running.soundness().confirm(None)?;
        let outcome = self.write_anew(indexes);
        running.finish();
        outcome?;
        self.set_aside_copies()
    }

    fn write_anew(&self, indexes: &BTreeSet<u64>) -> Result<(), FolderError> {
        let (store, anew) = (self.store(), self.erasing());
        self.remove_erasing()?;
        let wrong =
            |error: StoreError| FolderError::Store { folder: self.path().to_owned(), error, aside: None };
        copy_redacted(&store, &anew, indexes).map_err(wrong)?;
        renameat_with(CWD, &store, CWD, &anew, RenameFlags::EXCHANGE)
            .map_err(|error| failed(&store)(error.into()))?;
        sync_folder(self.path()).map_err(failed(self.path()))?;
        self.remove_erasing()?;
        sync(self.path()).map_err(wrong)
    }

    /// What an erasure that was stopped left behind: a part of the new store, or the old one.
    pub(crate) fn remove_erasing(&self) -> Result<(), FolderError> {
        let left = self.erasing();
        if left.exists() { fs::remove_dir_all(&left).map_err(failed(&left)) } else { Ok(()) }
    }

    fn erasing(&self) -> PathBuf {
        self.path().join("store.erasing")
    }

    fn set_aside_copies(&self) -> Result<Vec<PathBuf>, FolderError> {
        let entries = fs::read_dir(self.path()).map_err(failed(self.path()))?;
        let mut copies: Vec<PathBuf> =
            entries.flatten().map(|entry| entry.path()).filter(|path| is_copy(path)).collect();
        copies.sort();
        Ok(copies)
    }
}

fn is_copy(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("store."))
}

/// Writes every entry of one store into another.
fn copy_redacted(from: &Path, to: &Path, indexes: &BTreeSet<u64>) -> Result<(), StoreError> {
    let (store, mut anew) = (SledStore::open(from)?, Refill::begin(to)?);
    let source = store.reader();
    while anew.size() < source.size() {
        let next = anew.size();
        for (index, entry) in (next..).zip(source.read(next, ENTRIES_AT_ONCE)?) {
            anew.push(if indexes.contains(&index) { redacted(index, &entry)? } else { entry })?;
        }
    }
    if anew.finish()? == source.frontier() {
        return Ok(());
    }
    let why = "the entries do not give the tree that is kept; audit verify log reports where".to_owned();
    Err(StoreError::Damaged { index: 0, why })
}

fn redacted(index: u64, entry: &[u8]) -> Result<Vec<u8>, StoreError> {
    redact_entry(entry).map_err(|error| StoreError::Damaged { index, why: error.to_string() })
}
