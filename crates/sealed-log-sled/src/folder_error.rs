//! Why a log's folder cannot be used: what is wrong, and what to do.

use std::io;
use std::path::PathBuf;

use sealed_log::store::StoreError;
use sealed_log::writer::{CheckpointSinkError, OpenError};

/// Why a log's folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// No log there.
    #[error("{0} holds no log: expected a folder with `store` in it, as `audit init` makes")]
    NoLog(PathBuf),
    /// Another program has the log.
    #[error("{0} is being written by another process; stop that first, or work on an export")]
    Busy(PathBuf),
    /// Another program wrote while copies were taken.
    #[error(
        "{0} is being written by another process, which did not pause long enough for a copy; \
         try again, stop that process, or work on an export"
    )]
    Moving(PathBuf),
    /// The program that wrote it last did not close it.
    #[error(
        "{0} was not closed by the program that wrote it last; let it be checked first, by adding to it \
         (audit ingest, with a file that may be empty)"
    )]
    Unclean(PathBuf),
    /// A log is to be made where something is.
    #[error(
        "{0} is there already; a log is restored to a folder that is not there yet: move it away, or name another"
    )]
    There(PathBuf),
    /// The disk has not enough space to open the log.
    #[error("{folder}: {free} bytes are free, and opening the log anew may take {needed}; free some space")]
    NoSpace {
        /// The log's folder.
        folder: PathBuf,
        /// Bytes free on the disk.
        free: u64,
        /// Bytes needed: a copy of the store, and some.
        needed: u64,
    },
    /// The store cannot be opened.
    #[error("{folder}: {error}{}{}", set_aside(.aside.as_ref()), advice(.error))]
    Store {
        /// The log's folder.
        folder: PathBuf,
        /// Why.
        #[source]
        error: StoreError,
        /// The copy set aside before opening, after an unclean stop.
        aside: Option<PathBuf>,
    },
    /// The store disagrees with the checkpoint kept beside it.
    #[error("{folder}: {error}{}", set_aside(.aside.as_ref()))]
    Open {
        /// The log's folder.
        folder: PathBuf,
        /// What disagrees and what to do.
        #[source]
        error: Box<OpenError>,
        /// The copy set aside before opening, after an unclean stop.
        aside: Option<PathBuf>,
    },
    /// The checkpoint is illegible, or too long to be kept.
    #[error("{0}")]
    Checkpoint(String),
    /// Two checkpoints of one size that are not the same, and one key signed both.
    #[error(
        "{0}: `head` and `checkpoint` are two different checkpoints for as many entries, and the signatures of both \
         hold: two histories were signed; keep both files as evidence"
    )]
    Contradiction(PathBuf),
    /// The cosigned checkpoint is illegible.
    #[error("{0}; put the file back as it was, or remove it and ask the witnesses again")]
    Cosigned(String),
    /// A checkpoint could not be written.
    #[error("{0}")]
    NotKept(#[from] CheckpointSinkError),
    /// A file could not be read, written or copied.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        error: io::Error,
    },
}

/// What to do about a damaged store.
pub const DAMAGED_ADVICE: &str = "keep the folder as it is; take up a backup, an archive or a copy beside it \
     (store.before-N), and verify that against the newest checkpoint";

fn advice(error: &StoreError) -> String {
    match error {
        StoreError::Damaged { .. } | StoreError::Unopened(_) => format!("; {DAMAGED_ADVICE}"),
        StoreError::WrongIndex { .. }
        | StoreError::Stopped
        | StoreError::Closed
        | StoreError::Disk(_)
        | StoreError::Machine(_) => String::new(),
    }
}

fn set_aside(aside: Option<&PathBuf>) -> String {
    aside.map(|copy| format!(" (the store as it was found stands in {})", copy.display())).unwrap_or_default()
}
