//! The file `running` beside a store: locked while a program writes the log, removed at a clean
//! close. If it is found at start, the last stop was unclean; it may then name the copy that was set aside.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::FolderError;
use crate::checkpoint_file::open_if_there;
use crate::disk::{sync_all, sync_folder};

/// Longest content of the file, bytes: a name.
const LONGEST: u64 = 256;

/// Holds the log for this program.
#[derive(Debug)]
pub(crate) struct Running {
    path: PathBuf,
    /// Keeps the lock.
    _file: File,
    unclean: bool,
    sound: Arc<AtomicBool>,
}

impl Running {
    /// Takes the log in `folder`; the file is on disk before this returns.
    pub(crate) fn take(folder: &Path) -> Result<Self, FolderError> {
        let path = folder.join("running");
        let failed = |error| FolderError::File { path: path.clone(), error };
        loop {
            let unclean = path.exists();
            let file = OpenOptions::new()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed())
                .open(&path)
                .map_err(failed)?;
            if !file.metadata().map_err(failed)?.is_file() {
                return Err(failed(io::Error::new(io::ErrorKind::InvalidInput, "it is no file; remove it")));
            }
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(FolderError::Busy(folder.to_owned())),
                Err(TryLockError::Error(error)) => return Err(failed(error)),
            }
            // Another program may have closed and removed the file between our opening and locking it.
            if file.metadata().map_err(failed)?.nlink() == 0 {
                continue;
            }
            sync_all(&file).and_then(|()| sync_folder(folder)).map_err(failed)?;
            return Ok(Self { path, _file: file, unclean, sound: Arc::default() });
        }
    }

    /// Whether the program that had the log before did not close it.
    pub(crate) const fn unclean(&self) -> bool {
        self.unclean
    }

    /// The copy set aside by an earlier start that did not end well.
    pub(crate) fn set_aside(&self) -> Option<PathBuf> {
        self.path.parent().and_then(set_aside_in)
    }

    /// Says durably which copy was set aside.
    pub(crate) fn name_set_aside(&self, copy: &Path) -> io::Result<()> {
        let name = copy.file_name().unwrap_or_default().to_string_lossy();
        fs::write(&self.path, format!("{name}\n"))?;
        sync_all(&File::open(&self.path)?)
    }

    /// Set it once the store is found sound: before that the file stays whatever happens.
    pub(crate) fn soundness(&self) -> Soundness {
        Soundness { path: self.path.clone(), sound: Arc::clone(&self.sound) }
    }

    /// The store has been closed and is on the disk. A file that cannot be removed only makes
    /// the next start more careful.
    pub(crate) fn finish(&mut self) {
        if self.sound.load(Ordering::Acquire) && fs::remove_file(&self.path).is_ok() {
            let _ = self.path.parent().map(sync_folder);
        }
    }
}

/// The copy that the file `running` of a log's folder names, if it is there.
pub(crate) fn set_aside_in(folder: &Path) -> Option<PathBuf> {
    let path = folder.join("running");
    let mut name = String::new();
    open_if_there(&path).ok()??.take(LONGEST).read_to_string(&mut name).ok()?;
    let copy = path.with_file_name(name.trim_end());
    (name.starts_with("store.before-") && !name.contains('/') && copy.is_dir()).then_some(copy)
}

/// Lets the file `running` go at a clean close.
#[derive(Debug)]
pub(crate) struct Soundness {
    path: PathBuf,
    sound: Arc<AtomicBool>,
}

impl Soundness {
    /// The store agrees with the kept checkpoint; `copy`, if one was set aside, is no longer needed.
    pub(crate) fn confirm(&self, copy: Option<&Path>) -> Result<(), FolderError> {
        if let Some(copy) = copy {
            let failed = |error| FolderError::File { path: copy.to_owned(), error };
            fs::remove_dir_all(copy).map_err(failed)?;
            fs::write(&self.path, "")
                .map_err(|error| FolderError::File { path: self.path.clone(), error })?;
        }
        self.sound.store(true, Ordering::Release);
        Ok(())
    }
}
