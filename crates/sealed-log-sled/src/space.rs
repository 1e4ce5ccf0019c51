//! How much a log's folder takes, and whether its disk has space to open it anew.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use crate::copying::failed;
use crate::disk::sync_all;
use crate::running::set_aside_in;
use crate::{FolderError, LogFolder};

/// Space that a log needs besides a copy of its store, bytes: sled's own files grow by some.
const MARGIN: u64 = 64 << 20;
/// Bytes written to see whether the disk takes any.
const PROBE_BYTES: usize = 1 << 20;

impl LogFolder {
    /// What the folder takes on the disk, bytes: the store, its checkpoint, copies set aside.
    ///
    /// # Errors
    /// [`FolderError::File`].
    pub fn bytes(&self) -> Result<u64, FolderError> {
        bytes_below(self.path())
    }

    /// What the disk of the folder has free for this program, bytes.
    ///
    /// # Errors
    /// [`FolderError::File`].
    pub fn free(&self) -> Result<u64, FolderError> {
        let state = rustix::fs::statvfs(self.path()).map_err(|error| failed(self.path())(error.into()))?;
        Ok(state.f_bavail.saturating_mul(state.f_frsize))
    }

    /// Whether the disk has space to open the log after a stop that was not clean: the store is
    /// copied aside first, unless it was already or the file system shares blocks. Writes a small file
    /// to see, and removes it.
    ///
    /// # Errors
    /// [`FolderError::NoSpace`] says how much is lacking, [`FolderError::File`] that nothing can be written.
    pub fn has_space(&self) -> Result<(), FolderError> {
        let probe = Probe { file: self.path().join("room.probe"), clone: self.path().join("room.clone") };
        let shares = probe.write().map_err(failed(&probe.file))?;
        drop(probe);
        let copied = shares || set_aside_in(self.path()).is_some();
        let needed = if copied { MARGIN } else { bytes_below(&self.store())?.saturating_add(MARGIN) };
        let free = self.free()?;
        if free >= needed {
            Ok(())
        } else {
            Err(FolderError::NoSpace { folder: self.path().to_owned(), free, needed })
        }
    }
}

/// Two small files, gone when this is.
struct Probe {
    file: PathBuf,
    clone: PathBuf,
}

impl Probe {
    /// Writes both files; returns whether the file system shares blocks between copies.
    fn write(&self) -> io::Result<bool> {
        let mut file = File::create(&self.file)?;
        file.write_all(&[0x5a; PROBE_BYTES])?;
        sync_all(&file)?;
        let clone = File::create(&self.clone)?;
        Ok(rustix::fs::ioctl_ficlone(&clone, &File::open(&self.file)?).is_ok())
    }
}

impl Drop for Probe {
    fn drop(&mut self) {
        // What cannot be removed now is written over by the next probe.
        let _ = fs::remove_file(&self.file);
        let _ = fs::remove_file(&self.clone);
    }
}

fn bytes_below(path: &Path) -> Result<u64, FolderError> {
    let mut bytes = 0_u64;
    for entry in fs::read_dir(path).map_err(failed(path))? {
        let below = entry.map_err(failed(path))?.path();
        let meta = match fs::symlink_metadata(&below) {
            Ok(meta) => meta,
            // A writer replaces small files; one that goes now takes nothing.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(failed(&below)(error)),
        };
        let own = if meta.is_dir() { bytes_below(&below)? } else { meta.blocks().saturating_mul(512) };
        bytes = bytes.saturating_add(own);
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_folder_is_measured_and_left_as_it_was() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = LogFolder::new(scratch.path());
        fs::create_dir(folder.store()).unwrap();
        fs::write(folder.store().join("db"), vec![7; 100_000]).unwrap();
        let bytes = folder.bytes().unwrap();
        assert!((100_000..200_000).contains(&bytes), "{bytes}");
        folder.has_space().unwrap();
        assert!(folder.free().unwrap() > MARGIN);
        assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 1, "the probe is gone");
        let absent = LogFolder::new(&scratch.path().join("absent")).has_space().unwrap_err();
        assert!(absent.to_string().contains("absent"), "{absent}");
    }
}
