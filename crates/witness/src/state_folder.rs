//! A witness's state in a folder: one file for each log, named by the BLAKE3 of its origin, holding
//! the newest checkpoint with the witness's own cosignature, so that what was altered is noticed.
//!
//! Beside it, where the log signed another root of a size this witness signed, `<BLAKE3>-<size>.other`: the
//! two files are the proof of it.
//!
//! A file is written aside, synced, renamed, and its folder synced, before the cosignature leaves. The
//! file `lock` is held by the one process that signs from this folder.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use sealed_log::{Digest, MAX_NOTE_BYTES, SignedCheckpoint, WitnessKey};

use crate::state::{StateError, WitnessState};

/// How the files of a state end.
pub(crate) const ENDING: &str = "checkpoint";

/// The folder, held by this process.
#[derive(Debug)]
pub struct StateFolder {
    path: PathBuf,
    /// Keeps the lock.
    _lock: File,
}

impl StateFolder {
    /// Takes the folder, which must be there, and reads every file of it.
    ///
    /// # Errors
    /// [`StateError`] when another process holds it, or a file is not one that `key`'s witness wrote.
    pub fn open(path: &Path, key: &WitnessKey) -> Result<Self, StateError> {
        let lock = take_lock(path)?;
        let folder = Self { path: path.to_owned(), _lock: lock };
        let failed = |error: io::Error| StateError(format!("{}: {error}", path.display()));
        for item in fs::read_dir(path).map_err(failed)? {
            let file = item.map_err(failed)?.path();
            if file.extension().is_some_and(|ending| ending == ENDING) {
                folder.check(&file, key)?;
            }
        }
        Ok(folder)
    }

    fn check(&self, file: &Path, key: &WitnessKey) -> Result<(), StateError> {
        let wrong = |why: &dyn std::fmt::Display| {
            let what = "this witness cannot tell what it signed and must not start";
            StateError(format!("{}: {why}; {what}: put the file back as it was", file.display()))
        };
        let kept = read(file)?.ok_or_else(|| wrong(&"it is gone"))?;
        key.verify(&kept).map_err(|error| wrong(&error))?;
        if self.file(&kept.checkpoint().origin) != file {
            return Err(wrong(&"it is the checkpoint of another log than its name says"));
        }
        Ok(())
    }

    /// Where the newest cosigned checkpoint of a log is.
    fn file(&self, origin: &str) -> PathBuf {
        self.path.join(format!("{}.{ENDING}", Digest::of(origin.as_bytes())))
    }

    fn replace(&self, file: &Path, text: &str) -> io::Result<()> {
        let next = file.with_added_extension("next");
        let mut written = File::create(&next)?;
        written.write_all(text.as_bytes())?;
        written.sync_all()?;
        fs::rename(&next, file)?;
        File::open(&self.path)?.sync_all()
    }
}

impl WitnessState for StateFolder {
    fn load(&self, origin: &str) -> Result<Option<SignedCheckpoint>, StateError> {
        read(&self.file(origin))
    }

    fn keep(&self, cosigned: &SignedCheckpoint) -> Result<(), StateError> {
        let file = self.file(&cosigned.checkpoint().origin);
        self.replace(&file, cosigned.text())
            .map_err(|error| StateError(format!("{} could not be written: {error}", file.display())))
    }

    /// The first of each size is kept.
    fn put_aside(&self, other: &SignedCheckpoint) -> Result<(), StateError> {
        let checkpoint = other.checkpoint();
        let name = format!("{}-{}.other", Digest::of(checkpoint.origin.as_bytes()), checkpoint.size);
        let file = self.path.join(name);
        if file.exists() {
            return Ok(());
        }
        self.replace(&file, other.text())
            .map_err(|error| StateError(format!("{} could not be written: {error}", file.display())))
    }
}

fn take_lock(folder: &Path) -> Result<File, StateError> {
    let path = folder.join("lock");
    let failed = |error: io::Error| StateError(format!("{}: {error}", path.display()));
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(&path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            let what = "is the state of a witness that is running; two must never sign from one folder";
            Err(StateError(format!("{} {what}", folder.display())))
        }
        Err(TryLockError::Error(error)) => Err(failed(error)),
    }
}

fn read(file: &Path) -> Result<Option<SignedCheckpoint>, StateError> {
    let failed = |why: &dyn std::fmt::Display| StateError(format!("{}: {why}", file.display()));
    let opened = match File::open(file) {
        Ok(opened) => opened,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(&error)),
    };
    let mut text = String::new();
    opened.take(MAX_NOTE_BYTES as u64 + 1).read_to_string(&mut text).map_err(|error| failed(&error))?;
    SignedCheckpoint::parse(&text).map(Some).map_err(|error| failed(&error))
}
