//! A log's folder and its keys, to be opened for writing. A log is made only where somebody asks for one: an empty
//! folder may be where a disk should be mounted, and a second log under the same name would begin there.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use intake::clock::now;
use sealed_log::threads;
use sealed_log::writer::OpenError;
use sealed_log_sled::{FolderError, LogFolder, Writer};
use tlog::checkpoint::{Checkpoint, SignedCheckpoint};
use tlog::note::{SigningKey, VerifierKey};

use crate::errors::said;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::keys::{self, KeyFiles};
use crate::language::texts;
use crate::render::shell_word;
use crate::shown::plain;

/// Files that may stand where a log is to be made: its key, what an interrupted start left, a file system's own.
const BEFORE_A_LOG: [&str; 6] = ["key", "key.pub", "key.pub-next", "key.next", "running", "lost+found"];
/// Files that only a log has.
const OF_A_LOG: [&str; 5] =
    ["checkpoint", "checkpoint.next", "checkpoint.cosigned", "follower", "store.erasing"];

/// Whether a log may be made where there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Creation {
    /// The log has to be there.
    Never,
    /// It is made if there is none.
    Asked,
}

impl Creation {
    pub(crate) const fn asked(is_asked: bool) -> Self {
        if is_asked { Self::Asked } else { Self::Never }
    }
}

/// What stands at a log's path.
enum Found {
    Nothing,
    /// A folder with nothing in it but perhaps a key.
    Empty,
    Log,
    /// A folder that holds something else, by this name.
    Other(String),
}

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

    /// Whether there is a log; where there is none, whether one may be made here. Nothing is written.
    pub(crate) fn check(&self, creation: Creation) -> Result<bool, Failure> {
        let name = self.path.display();
        let what = match (self.found()?, creation) {
            (Found::Log, _) => return Ok(true),
            (Found::Nothing | Found::Empty, Creation::Asked) => return Ok(false),
            (Found::Nothing, Creation::Never) => texts().is_not_there(name),
            (Found::Empty, Creation::Never) => texts().holds_nothing(name),
            (Found::Other(other), _) => {
                let other = plain(&shell_word(Path::new(&other)));
                return Err(Failure::usage(texts().holds_other_files(name, other)));
            }
        };
        Err(Failure::usage(texts().make_a_log(what, shell_word(&self.path))))
    }

    fn found(&self) -> Result<Found, Failure> {
        let failed = |error| Failure::file(self.path.display(), &error);
        let entries = match fs::read_dir(&self.path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Found::Nothing),
            Err(error) if error.kind() == ErrorKind::NotADirectory => {
                return Err(Failure::usage(texts().a_log_is_a_folder(self.path.display())));
            }
            Err(error) => return Err(failed(error)),
        };
        let mut names = Vec::new();
        for entry in entries {
            names.push(entry.map_err(failed)?.file_name().to_string_lossy().into_owned());
        }
        names.sort_unstable();
        // A log that lost its store is one: what stands beside it says so.
        if LogFolder::new(&self.path).exists().map_err(not_opened)? || names.iter().any(|name| name == "head")
        {
            return Ok(Found::Log);
        }
        let is_of_log =
            |name: &String| OF_A_LOG.contains(&name.as_str()) || name.starts_with("store.before-");
        let other = |name: &&String| !BEFORE_A_LOG.contains(&name.as_str()) && !is_of_log(name);
        Ok(match names.iter().find(other) {
            Some(other) => Found::Other(other.clone()),
            None if names.iter().any(is_of_log) => Found::Log,
            None => Found::Empty,
        })
    }

    /// Opens a log for writing that is there.
    pub(crate) fn open_writer(&self, origin: Option<&str>) -> Result<Writer, Failure> {
        self.open_or_make(origin, Creation::Never)
    }

    /// Opens a log that is there and may be closed: payloads can be erased from it.
    pub(crate) fn open_writer_even_closed(&self) -> Result<Writer, Failure> {
        self.open_by(None, Creation::Never, LogFolder::open_even_closed)
    }

    /// Opens the log for writing; where there is none, makes it with its key if that is asked.
    pub(crate) fn open_or_make(&self, origin: Option<&str>, creation: Creation) -> Result<Writer, Failure> {
        self.open_by(origin, creation, LogFolder::open_writer_with)
    }

    /// Opens the log that continues the one of this checkpoint, and makes it if there is none.
    pub(crate) fn continue_log(&self, origin: &str, before: &SignedCheckpoint) -> Result<Writer, Failure> {
        self.open_by(Some(origin), Creation::Asked, |folder, keys| folder.continue_log(keys, before, now()))
    }

    /// Notes that nothing behind this checkpoint counts, and who continues the log.
    pub(crate) fn close_log(&self, last: &Checkpoint, successor: Option<&str>) -> Result<(), Failure> {
        let keys = KeyFiles::new(&self.path).available()?;
        threads::start().map_err(|error| Failure::machine(said(&error)))?;
        let closed = LogFolder::new(&self.path).close_log(keys, last, successor, now());
        closed.map(drop).map_err(not_opened)
    }

    fn open_by(
        &self,
        origin: Option<&str>,
        creation: Creation,
        open: impl FnOnce(&LogFolder, Vec<SigningKey>) -> Result<Writer, FolderError>,
    ) -> Result<Writer, Failure> {
        let is_there = self.check(creation)?;
        let folder = LogFolder::new(&self.path);
        let keys = KeyFiles::new(&self.path);
        if !keys.signing().exists() && (is_there || keys.public().exists()) {
            let key = keys.signing();
            return Err(Failure::machine(texts().key_is_missing(key.display())));
        }
        if !keys.signing().exists() {
            keys.make(&self.origin(origin))?;
        }
        let available = keys.available()?;
        if let Some(origin) = origin
            && let Some(key) = available.first().filter(|key| key.name() != origin)
        {
            let (log, name) = (self.path.display(), key.name());
            return Err(Failure::usage(texts().another_origin(log, name, origin)));
        }
        threads::start().map_err(|error| Failure::machine(said(&error)))?;
        let writer = open(&folder, available).map_err(not_opened)?;
        keys.settle(&writer.verifier_key())?;
        Ok(writer)
    }

    /// The name of a log that is created here.
    fn origin(&self, given: Option<&str>) -> String {
        let folder = fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone());
        let name =
            folder.file_name().map_or_else(|| "log".into(), |name| name.to_string_lossy().into_owned());
        given.map_or_else(|| format!("audit.invalid/{}", Self::plain_name(&name)), str::to_owned)
    }

    /// A name as it may stand in a log's name.
    pub(crate) fn plain_name(name: &str) -> String {
        name.chars().map(|c| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' }).collect()
    }

    /// The log's signing key.
    pub(crate) fn read_key(&self) -> Result<SigningKey, Failure> {
        keys::read_signing(&KeyFiles::new(&self.path).signing())
    }

    pub(super) fn public_key(&self) -> Option<VerifierKey> {
        KeyFiles::new(&self.path).public_key()
    }

    /// What is wrong with the file of the public key, where it does not hold one.
    pub(super) fn public_key_trouble(&self, is_given: bool) -> Option<String> {
        let keys = KeyFiles::new(&self.path);
        if keys.public_key().is_some() {
            return None;
        }
        let used = if is_given { texts().given_key_used() } else { String::default() };
        Some(if keys.public().exists() {
            texts().no_key_in_key_pub(used)
        } else {
            texts().key_pub_missing(used)
        })
    }
}

/// Why a log's folder was not opened. Only some of these reasons accuse the log.
pub(crate) fn not_opened(error: FolderError) -> Failure {
    let exit = match &error {
        FolderError::Busy(_) | FolderError::Moving(_) => Exit::InUse,
        FolderError::There(_) => Exit::Usage,
        // Another log is meant; nothing speaks against this one.
        FolderError::Open { error, .. } if matches!(**error, OpenError::Closed { .. }) => Exit::Usage,
        FolderError::NoSpace { .. } | FolderError::NotKept(_) => Exit::Machine,
        FolderError::NoLog(_)
        | FolderError::Unclean(_)
        | FolderError::Cosigned(_)
        | FolderError::File { .. } => Exit::Unreadable,
        FolderError::Store { .. }
        | FolderError::Open { .. }
        | FolderError::Checkpoint(_)
        | FolderError::Contradiction(_) => Exit::Seal,
    };
    Failure::by_cause(exit, said(&error), &error)
}
