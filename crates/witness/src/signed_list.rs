//! The list of what a witness ever signed, kept in a folder apart from its state: the file `witness` with the
//! witness's verifier key, and for each log the newest cosigned checkpoint. A state that was lost or put back
//! from a copy is noticed by it.
//!
//! An entry is written after the state and before the cosignature leaves. So after a crash at any moment the
//! state is as new as the list or newer, and an older state means a loss.

use std::fs::{self, File};
use std::io;
use std::io::Read as _;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use tlog::checkpoint::SignedCheckpoint;
use tlog::cosignature::WitnessKey;

use crate::checkpoint_files::{CheckpointFiles, replace, sync_folder_of, take_lock};
use crate::state::StateError;

/// How the files of a list end.
const ENDING: &str = "signed";

/// Longest text of a witness's key that is read, bytes: an ML-DSA-44 key has some 1,900.
const LONGEST_KEY: u64 = 16_384;

/// The list, held by this process.
#[derive(Debug)]
pub struct SignedList {
    files: CheckpointFiles,
    /// Keeps the lock.
    _lock: File,
}

impl SignedList {
    /// Where the list of a witness is unless another place is given: beside the state's folder, under its name
    /// with `.signed` behind it.
    ///
    /// # Errors
    /// [`StateError`] when the folder's path cannot be made out.
    pub fn default_path(state: &Path) -> Result<PathBuf, StateError> {
        let found = fs::canonicalize(state).or_else(|_| std::path::absolute(state));
        let found = found.map_err(|error| StateError::of_disk(state.display(), &error))?;
        Ok(found.with_added_extension("signed"))
    }

    /// Whether there is a list at `path`.
    #[must_use]
    pub fn exists(path: &Path) -> bool {
        path.join("witness").exists()
    }

    /// Makes an empty list for a witness, on disk before this returns.
    ///
    /// # Errors
    /// [`StateError`] when there is one already, or it cannot be written.
    pub fn make(path: &Path, key: &WitnessKey) -> Result<(), StateError> {
        let advice = "give another folder for the list of what was signed with --signed";
        let file = path.join("witness");
        if Self::exists(path) {
            return Err(StateError::new(format!("{} is there already; {advice}", file.display())));
        }
        fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(path)
            .and_then(|()| sync_folder_of(path))
            .map_err(|error| StateError::of_disk(path.display(), &error).advising(advice))?;
        replace(&file, &format!("{key}\n"))
    }

    /// Takes the list, which must be this witness's.
    ///
    /// # Errors
    /// [`StateError`] when it is not there, is another witness's, or another process holds it.
    pub fn open(path: &Path, key: &WitnessKey) -> Result<Self, StateError> {
        let file = path.join("witness");
        let wrong = |why: &dyn std::fmt::Display| StateError::new(format!("{}: {why}", file.display()));
        let failed = |error: io::Error| StateError::of_disk(file.display(), &error);
        let mut text = String::new();
        let opened = File::open(&file).map_err(failed)?;
        opened.take(LONGEST_KEY).read_to_string(&mut text).map_err(failed)?;
        if text.trim_end() != key.to_string() {
            return Err(wrong(&format_args!(
                "this is the list of another witness than {}; give this one's with --signed",
                key.name()
            )));
        }
        let taken = "is the list of a witness that is running; two must never sign with one key";
        let lock = take_lock(path, taken)?;
        let list = Self { files: CheckpointFiles::new(path, ENDING), _lock: lock };
        list.all(key)?;
        Ok(list)
    }

    /// The newest checkpoint that was signed of a log, `None` when none ever was.
    pub(crate) fn newest(&self, origin: &str) -> Result<Option<SignedCheckpoint>, StateError> {
        self.files.load(origin)
    }

    /// Notes what is about to be answered: after `Ok` it survives a power cut.
    pub(crate) fn note(&self, cosigned: &SignedCheckpoint) -> Result<(), StateError> {
        self.files.keep(cosigned)
    }

    /// The newest checkpoint of each log.
    pub(crate) fn all(&self, key: &WitnessKey) -> Result<Vec<SignedCheckpoint>, StateError> {
        self.files.all(key)
    }
}
