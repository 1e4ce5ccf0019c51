//! Files of one folder, each with the newest cosigned checkpoint of one log: named by the BLAKE3 of the log's
//! origin, written aside, synced, renamed, and the folder synced.

use std::fmt::Display;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use tlog::checkpoint::SignedCheckpoint;
use tlog::cosignature::WitnessKey;
use tlog::note::MAX_NOTE_BYTES;

use crate::state::StateError;

/// A folder of such files, which end alike.
#[derive(Debug)]
pub(crate) struct CheckpointFiles {
    folder: PathBuf,
    ending: &'static str,
}

impl CheckpointFiles {
    pub(crate) fn new(folder: &Path, ending: &'static str) -> Self {
        Self { folder: folder.to_owned(), ending }
    }

    /// The newest checkpoint of a log, `None` where there is no file.
    pub(crate) fn load(&self, origin: &str) -> Result<Option<SignedCheckpoint>, StateError> {
        read(&self.file(origin))
    }

    /// Replaces it: after `Ok` it survives a power cut.
    pub(crate) fn keep(&self, cosigned: &SignedCheckpoint) -> Result<(), StateError> {
        replace(&self.file(&cosigned.checkpoint().origin), cosigned.text())
    }

    /// Every checkpoint of the folder. Each must be what `key`'s witness signed, under its log's name.
    pub(crate) fn all(&self, key: &WitnessKey) -> Result<Vec<SignedCheckpoint>, StateError> {
        let failed = |error: io::Error| StateError::of_disk(self.folder.display(), &error);
        let mut all = Vec::new();
        for item in fs::read_dir(&self.folder).map_err(failed)? {
            let file = item.map_err(failed)?.path();
            if file.extension().is_some_and(|ending| ending == self.ending) {
                all.push(self.checked(&file, key)?);
            }
        }
        Ok(all)
    }

    fn checked(&self, file: &Path, key: &WitnessKey) -> Result<SignedCheckpoint, StateError> {
        let wrong = |why: &dyn Display| {
            let what = "this witness cannot tell what it signed and must not start";
            StateError::new(format!("{}: {why}; {what}: put the file back as it was", file.display()))
        };
        let kept = read(file)?.ok_or_else(|| wrong(&"it is gone"))?;
        key.verify(&kept).map_err(|error| wrong(&error))?;
        if self.file(&kept.checkpoint().origin) != file {
            return Err(wrong(&"it is the checkpoint of another log than its name says"));
        }
        Ok(kept)
    }

    fn file(&self, origin: &str) -> PathBuf {
        self.folder.join(format!("{}.{}", blake3::hash(origin.as_bytes()), self.ending))
    }
}

/// Writes a file anew, whole or not at all: after `Ok` it survives a power cut.
pub(crate) fn replace(file: &Path, text: &str) -> Result<(), StateError> {
    let replace = || {
        let next = file.with_added_extension("next");
        let mut written = File::create(&next)?;
        written.write_all(text.as_bytes())?;
        written.sync_all()?;
        fs::rename(&next, file)?;
        sync_folder_of(file)
    };
    replace().map_err(|error: io::Error| {
        StateError::of_disk(format_args!("{} could not be written", file.display()), &error)
    })
}

/// Syncs the folder that a file or folder stands in. That of a relative name of one word is the working directory.
pub(crate) fn sync_folder_of(file: &Path) -> io::Result<()> {
    match file.parent() {
        None => Ok(()),
        Some(parent) if parent.as_os_str().is_empty() => File::open(".")?.sync_all(),
        Some(parent) => File::open(parent)?.sync_all(),
    }
}

/// Holds `lock` in a folder for as long as the file lives; `taken` says what it means that another process
/// holds it.
pub(crate) fn take_lock(folder: &Path, taken: &str) -> Result<File, StateError> {
    let path = folder.join("lock");
    let failed = |error: io::Error| StateError::of_disk(path.display(), &error);
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(&path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StateError::new(format!("{} {taken}", folder.display()))),
        Err(TryLockError::Error(error)) => Err(failed(error)),
    }
}

fn read(file: &Path) -> Result<Option<SignedCheckpoint>, StateError> {
    let failed = |error: io::Error| StateError::of_disk(file.display(), &error);
    let opened = match File::open(file) {
        Ok(opened) => opened,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    let mut text = String::new();
    opened.take(MAX_NOTE_BYTES as u64 + 1).read_to_string(&mut text).map_err(failed)?;
    let parsed = SignedCheckpoint::parse(&text).map(Some);
    parsed.map_err(|error| StateError::new(format!("{}: {error}", file.display())))
}
