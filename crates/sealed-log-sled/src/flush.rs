//! Flushing a store: sled's own flush on Linux is `sync_file_range`, which promises nothing after a power cut, so its
//! files are synced here.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::{Advice, fadvise};
use sealed_log::store::StoreError;

use crate::FolderError;
use crate::copying::{failed, prints};
use crate::disk::{sync_data, sync_file_system};

/// The files of an open store.
#[derive(Debug)]
pub(crate) struct StoreSync {
    folder: PathBuf,
    /// Sled's log: all that an append changes.
    db: File,
    /// What is in the folder, as it is known to be on the disk: sled's snapshots come and go under names of
    /// their own.
    names: BTreeSet<OsString>,
}

impl StoreSync {
    /// Those of the store that sled has opened in a folder.
    pub(crate) fn of(folder: &Path) -> Result<Self, StoreError> {
        let db = folder.join("db");
        let db = File::open(&db).map_err(|error| wrong(&db, &error))?;
        Ok(Self { folder: folder.to_owned(), db, names: BTreeSet::new() })
    }

    /// Puts what sled has written on the disk. A snapshot it syncs itself, but not the name that it gives
    /// it then, nor the going of the one before, and it writes over what only that one needed: so where names
    /// have changed, the file system's own record of them goes first. Pages too large for sled's log would be
    /// files in `blobs`, from which `pieces` keeps them; where there are any, all is synced.
    pub(crate) fn sync(&mut self) -> Result<(), StoreError> {
        let names = names_in(&self.folder).map_err(|error| wrong(&self.folder, &error))?;
        let has_blobs = fs::read_dir(self.folder.join("blobs")).is_ok_and(|mut files| files.next().is_some());
        if has_blobs || names != self.names {
            sync(&self.folder)?;
            self.names = names;
        }
        sync_data(&self.db).map_err(|error| wrong(&self.folder.join("db"), &error))
    }
}

fn names_in(folder: &Path) -> io::Result<BTreeSet<OsString>> {
    fs::read_dir(folder)?.map(|item| item.map(|item| item.file_name())).collect()
}

/// Puts everything on the disk that was written to the file system of a folder.
pub(crate) fn sync(folder: &Path) -> Result<(), StoreError> {
    sync_file_system(folder).map_err(|error| wrong(folder, &error))
}

/// Makes sure that the files below a folder are read from the disk. After a write has failed the kernel
/// may still hold in memory, and give to whoever reads, what never got there.
pub(crate) fn forget_cached(folder: &Path) -> Result<(), FolderError> {
    // What can be written is written, else it could not be let go of. An error reported here may be that of
    // before; a disk that still fails is reported by the next append.
    let _ = sync(folder);
    for (path, ..) in prints(folder)? {
        let forgotten = File::open(&path).and_then(|file| Ok(fadvise(&file, 0, None, Advice::DontNeed)?));
        forgotten.map_err(failed(&path))?;
    }
    Ok(())
}

fn wrong(path: &Path, error: &io::Error) -> StoreError {
    StoreError::Disk(format!("{}: {error}", path.display()))
}
