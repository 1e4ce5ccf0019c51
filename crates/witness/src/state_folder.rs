//! A witness's state in a folder: one file for each log, named by the BLAKE3 of its origin, holding
//! the newest checkpoint with the witness's own cosignature, so that what was altered is noticed.
//!
//! Beside it, where the log signed another root of a size this witness signed, `<BLAKE3>-<size>.cosigned` with the
//! checkpoint that was cosigned and `<BLAKE3>-<size>.other` with the other one: the two files prove the fork, whatever is
//! signed later.
//!
//! A file is written aside, synced, renamed, and its folder synced, and then noted in the list of what was
//! signed (`signed_list.rs`), before the cosignature leaves. The file `lock` is held by the one process that
//! signs from this folder.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use tlog::checkpoint::SignedCheckpoint;
use tlog::cosignature::WitnessKey;

use crate::checkpoint_files::{CheckpointFiles, replace, take_lock};
use crate::signed_list::SignedList;
use crate::state::{StateError, WitnessState};

/// How the files of a state end.
pub(crate) const ENDING: &str = "checkpoint";

/// How the other half of a fork ends.
const OTHER: &str = "other";

/// Most forks of a log that are kept.
const MOST_FORKS: usize = 8;

/// A file in the state's folder that says that a list exists somewhere. A copy of the folder that is put back under
/// another path has no list beside it, and must not get a new one silently.
const LISTED: &str = "listed";

/// The folder and the list, held by this process.
#[derive(Debug)]
pub struct StateFolder {
    path: PathBuf,
    files: CheckpointFiles,
    list: SignedList,
    made_list: bool,
    /// Keeps the lock.
    _lock: File,
}

impl StateFolder {
    /// Takes the folder and the list at `list`, which must be there, and reads every file of both. For a
    /// folder that an older program signed from, the list is made from what the folder holds.
    ///
    /// # Errors
    /// [`StateError`] when another process holds one of them, when a file is not one that `key`'s witness
    /// wrote, or when neither a list nor anything signed is there: nobody can tell then whether something
    /// was lost.
    pub fn open(path: &Path, list: &Path, key: &WitnessKey) -> Result<Self, StateError> {
        if fs::canonicalize(list).is_ok_and(|list| fs::canonicalize(path).is_ok_and(|path| path == list)) {
            let what =
                "the list of what a witness signed cannot be in its state's own folder; give another one";
            return Err(StateError::new(format!("{}: {what}", list.display())));
        }
        let taken = "is the state of a witness that is running; two must never sign from one folder";
        let lock = take_lock(path, taken)?;
        let files = CheckpointFiles::new(path, ENDING);
        let states = files.all(key)?;
        let made_list = !SignedList::exists(list);
        if made_list {
            if states.is_empty() || is_listed(path) {
                return Err(no_list(path, list));
            }
            SignedList::make(list, key)?;
        }
        mark_listed(path)?;
        let folder =
            Self { path: path.to_owned(), files, list: SignedList::open(list, key)?, made_list, _lock: lock };
        for state in &states {
            folder.note_missing(state)?;
        }
        Ok(folder)
    }

    /// Whether the list was not there and was made from the folder's states.
    #[must_use]
    pub const fn made_list(&self) -> bool {
        self.made_list
    }

    /// How many forks of a log are kept.
    fn forks(&self, log: &str) -> Result<usize, StateError> {
        let failed = |error: io::Error| StateError::of_disk(self.path.display(), &error);
        let mut forks = 0;
        for item in fs::read_dir(&self.path).map_err(failed)? {
            let name = item.map_err(failed)?.file_name();
            let name = name.to_string_lossy();
            forks += usize::from(name.starts_with(log) && name.ends_with(OTHER));
        }
        Ok(forks)
    }

    /// A state that the list does not have, or has only an older one of: written by an older program, or right before
    /// a crash. The list is never behind a state that is served or signed on.
    fn note_missing(&self, state: &SignedCheckpoint) -> Result<(), StateError> {
        match self.list.newest(&state.checkpoint().origin)? {
            Some(listed) if listed.checkpoint().size >= state.checkpoint().size => Ok(()),
            Some(_) | None => self.list.note(state),
        }
    }
}

/// Whether a list was ever kept for this folder.
pub(crate) fn is_listed(path: &Path) -> bool {
    path.join(LISTED).exists()
}

/// Notes, on disk before this returns, that a list is kept for this folder.
pub(crate) fn mark_listed(path: &Path) -> Result<(), StateError> {
    if is_listed(path) {
        return Ok(());
    }
    replace(&path.join(LISTED), "A list of what this witness signed is kept apart from this folder.\n")
}

fn no_list(state: &Path, list: &Path) -> StateError {
    StateError::new(format!(
        "{}: the list of what this witness signed ({}) is not there, and this folder may be an older copy or empty; \
         what was signed since may have been lost, so nothing is signed: put the list back or say where it is with --signed; if this witness never \
         signed anything, say so with audit witness recover --nothing-signed",
        state.display(),
        list.display()
    ))
}

impl WitnessState for StateFolder {
    fn load(&self, origin: &str) -> Result<Option<SignedCheckpoint>, StateError> {
        self.files.load(origin)
    }

    fn listed(&self, origin: &str) -> Result<Option<SignedCheckpoint>, StateError> {
        self.list.newest(origin)
    }

    /// The state first: a crash between the two leaves it newer than the list, which is no loss.
    fn keep(&self, cosigned: &SignedCheckpoint) -> Result<(), StateError> {
        self.files.keep(cosigned)?;
        self.list.note(cosigned)
    }

    /// The first of each size, of at most eight sizes: whoever holds a log's key could fork it at every
    /// size. `.other` is written last, so that it never stands without its `.cosigned`.
    fn keep_fork(&self, cosigned: &SignedCheckpoint, other: &SignedCheckpoint) -> Result<(), StateError> {
        let checkpoint = other.checkpoint();
        let log = blake3::hash(checkpoint.origin.as_bytes()).to_string();
        let file = |ending| self.path.join(format!("{log}-{}.{ending}", checkpoint.size));
        if file(OTHER).exists() || self.forks(&log)? >= MOST_FORKS {
            return Ok(());
        }
        replace(&file("cosigned"), cosigned.text())?;
        replace(&file(OTHER), other.text())
    }
}
