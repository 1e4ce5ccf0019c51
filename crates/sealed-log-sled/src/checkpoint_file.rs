//! A signed checkpoint as plain text in a file that is replaced atomically.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::disk::{sync_all, sync_folder};
use sealed_log::writer::{CheckpointSink, CheckpointSinkError};
use tlog::checkpoint::SignedCheckpoint;
use tlog::note::MAX_NOTE_BYTES;

/// Why a kept checkpoint cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointFileError {
    /// The file cannot be read.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        #[source]
        error: io::Error,
    },
    /// What was read is no signed checkpoint.
    #[error("{path}: {why}")]
    Illegible {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
}

/// A file that holds a signed checkpoint.
#[derive(Debug, Clone)]
pub struct CheckpointFile {
    path: PathBuf,
}

impl CheckpointFile {
    /// A checkpoint kept at `path`.
    #[must_use]
    pub const fn new(path: PathBuf) -> Self {
        Self { path }
    }

    /// The kept checkpoint, `None` where there is no file.
    ///
    /// # Errors
    /// [`CheckpointFileError`].
    pub fn read(&self) -> Result<Option<SignedCheckpoint>, CheckpointFileError> {
        let failed = |error| CheckpointFileError::File { path: self.path.clone(), error };
        let Some(file) = open_if_there(&self.path).map_err(failed)? else { return Ok(None) };
        let mut bytes = Vec::new();
        file.take(MAX_NOTE_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(failed)?;
        let illegible = |why: String| CheckpointFileError::Illegible { path: self.path.clone(), why };
        // Bytes that are no text were read: the file is wrong, and not the disk.
        let text = String::from_utf8(bytes).map_err(|error| illegible(error.to_string()))?;
        SignedCheckpoint::parse(&text).map(Some).map_err(|error| illegible(error.to_string()))
    }

    fn replace(&self, text: &str) -> io::Result<()> {
        // Of each file its own: `checkpoint` and `checkpoint.cosigned` may be written at the same time.
        let mut next = self.path.clone().into_os_string();
        next.push(".next");
        let next = PathBuf::from(next);
        let mut file = File::create(&next)?;
        file.write_all(text.as_bytes())?;
        sync_all(&file)?;
        fs::rename(&next, &self.path)?;
        sync_folder(self.path.parent().unwrap_or(Path::new(".")))
    }
}

impl CheckpointSink for CheckpointFile {
    fn keep(&mut self, signed: &SignedCheckpoint) -> Result<(), CheckpointSinkError> {
        self.replace(signed.text())
            .map_err(|error| CheckpointSinkError(format!("{}: {error}", self.path.display())))
    }
}

/// A file to be read, `None` where there is none. Something else under its name (a pipe, say, which would be
/// waited for) is an error.
pub(crate) fn open_if_there(path: &Path) -> io::Result<Option<File>> {
    match fs::metadata(path) {
        Ok(meta) if meta.is_file() => File::open(path).map(Some),
        Ok(_) => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no file")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
