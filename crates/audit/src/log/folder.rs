//! A log's folder and its keys, to be opened for writing.

use std::fs;
use std::path::{Path, PathBuf};

use sealed_log::threads;
use sealed_log_sled::{FolderError, LogFolder, Writer};
use tlog::note::{SigningKey, VerifierKey};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::keys::{self, KeyFiles};

/// A log's folder with its keys.
pub(crate) struct KeyedFolder {
    path: PathBuf,
}

impl KeyedFolder {
    pub(crate) fn new(path: &Path) -> Self {
        Self { path: path.to_owned() }
    }

    pub(crate) fn checkpoint(&self) -> PathBuf {
        LogFolder::new(&self.path).checkpoint()
    }

    /// Whether there is a log already.
    pub(crate) fn exists(&self) -> bool {
        LogFolder::new(&self.path).exists()
    }

    /// Opens the log for writing; the log and its key are created if they do not exist.
    pub(crate) fn open_writer(&self, origin: Option<&str>) -> Result<Writer, Failure> {
        let folder = LogFolder::new(&self.path);
        let keys = KeyFiles::new(&self.path);
        if !keys.signing().exists() && folder.exists() {
            let key = keys.signing();
            return Err(Failure::unreadable(format!("{} is missing; put the log's key back", key.display())));
        }
        if !keys.signing().exists() {
            keys.make(&self.origin(origin))?;
        }
        let available = keys.available()?;
        if let Some(origin) = origin
            && let Some(key) = available.first().filter(|key| key.name() != origin)
        {
            let (log, name) = (self.path.display(), key.name());
            return Err(Failure::usage(format!("{log} is the log {name}, not {origin}; omit --origin")));
        }
        threads::start().map_err(Failure::machine)?;
        let writer = folder.open_writer_with(available).map_err(not_opened)?;
        keys.settle(&writer.verifier_key())?;
        Ok(writer)
    }

    /// The name of a log that is created here.
    fn origin(&self, given: Option<&str>) -> String {
        let folder = fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone());
        let name =
            folder.file_name().map_or_else(|| "log".into(), |name| name.to_string_lossy().into_owned());
        let plain: String = name
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' })
            .collect();
        given.map_or_else(|| format!("audit.invalid/{plain}"), str::to_owned)
    }

    /// The log's signing key.
    pub(crate) fn read_key(&self) -> Result<SigningKey, Failure> {
        keys::read_signing(&KeyFiles::new(&self.path).signing())
    }

    pub(super) fn public_key(&self) -> Option<VerifierKey> {
        KeyFiles::new(&self.path).public_key()
    }
}

/// Why a log's folder was not opened. Only some of these reasons accuse the log.
pub(super) fn not_opened(error: FolderError) -> Failure {
    let exit = match &error {
        FolderError::Busy(_) | FolderError::Moving(_) => Exit::InUse,
        FolderError::There(_) => Exit::Usage,
        FolderError::NoLog(_)
        | FolderError::Unclean(_)
        | FolderError::NoSpace { .. }
        | FolderError::Cosigned(_)
        | FolderError::File { .. } => Exit::Unreadable,
        FolderError::Store { .. }
        | FolderError::Open { .. }
        | FolderError::Checkpoint(_)
        | FolderError::Contradiction(_) => Exit::Seal,
    };
    Failure { exit, message: error.to_string() }
}
