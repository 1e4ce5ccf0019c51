//! A log's folder made from a copy of its entries: every byte as it was sealed, the tree the signed one.

use std::fs;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use sealed_log::store::StoreError;
use sealed_log::writer::CheckpointSink as _;
use tlog::checkpoint::{Checkpoint, SignedCheckpoint};

use crate::copying::failed;
use crate::disk::sync_folder;
use crate::flush::sync;
use crate::refill::Refill;
use crate::{CheckpointFile, FolderError, LogFolder};

/// A log's folder that is being made, under another name until it is whole. Dropped before, it is
/// removed.
#[derive(Debug)]
pub struct Restoring {
    target: PathBuf,
    partial: LogFolder,
    refill: Option<Refill>,
}

impl Restoring {
    /// Begins to make a log's folder at a path where there is nothing.
    ///
    /// # Errors
    /// [`FolderError::There`] where there is something, or was begun; else [`FolderError`].
    pub fn begin(target: &Path) -> Result<Self, FolderError> {
        let mut name = target.as_os_str().to_owned();
        name.push(".restoring");
        let partial = PathBuf::from(name);
        if let Some(there) = [target, &partial].into_iter().find(|path| path.exists()) {
            return Err(FolderError::There(there.to_owned()));
        }
        fs::DirBuilder::new().mode(0o700).create(&partial).map_err(failed(&partial))?;
        let mut restoring =
            Self { target: target.to_owned(), partial: LogFolder::new(&partial), refill: None };
        let refill = Refill::begin(&restoring.partial.store());
        restoring.refill = Some(refill.map_err(|error| restoring.wrong(error))?);
        Ok(restoring)
    }

    /// The folder in which it is made.
    #[must_use]
    pub fn partial(&self) -> &Path {
        self.partial.path()
    }

    /// Adds the next entry (or its redacted form whose payload is erased), in log order.
    ///
    /// # Errors
    /// [`FolderError::Store`].
    pub fn push(&mut self, entry: &[u8]) -> Result<(), FolderError> {
        let pushed =
            self.refill.as_mut().map_or(Err(StoreError::Stopped), |refill| refill.push(entry.to_vec()));
        pushed.map_err(|error| self.wrong(error))
    }

    /// Closes the store and keeps the checkpoint beside it.
    ///
    /// # Errors
    /// [`FolderError::Store`] when the entries given do not have the checkpoint's root.
    pub fn seal(&mut self, signed: &SignedCheckpoint) -> Result<(), FolderError> {
        let refill = self.refill.take().ok_or(StoreError::Stopped);
        let frontier = refill.and_then(Refill::finish).map_err(|error| self.wrong(error))?;
        let expected = signed.checkpoint();
        if Checkpoint::of(&expected.origin, &frontier) != *expected {
            let why = format!("the entries given do not have the root that was signed for {}", expected.size);
            return Err(self.wrong(StoreError::Damaged { index: 0, why }));
        }
        let kept = CheckpointFile::new(self.partial.checkpoint()).keep(signed);
        Ok(kept?)
    }

    /// Gives the folder its name: after `Ok` it is on the disk.
    ///
    /// # Errors
    /// [`FolderError::File`].
    pub fn finish(self) -> Result<(), FolderError> {
        sync(self.partial.path()).map_err(|error| self.wrong(error))?;
        if self.target.exists() {
            return Err(FolderError::There(self.target.clone()));
        }
        fs::rename(self.partial.path(), &self.target).map_err(failed(&self.target))?;
        let parent = self.target.parent().unwrap_or(Path::new("."));
        sync_folder(parent).map_err(failed(parent))
    }

    fn wrong(&self, error: StoreError) -> FolderError {
        FolderError::Store { folder: self.partial.path().to_owned(), error, aside: None }
    }
}

impl Drop for Restoring {
    fn drop(&mut self) {
        drop(self.refill.take());
        // After a finish it is not there any more; what cannot be removed is named by the next try.
        let _ = fs::remove_dir_all(self.partial.path());
    }
}
