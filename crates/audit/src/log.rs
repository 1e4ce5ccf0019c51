//! Opening a log: its folder and key for writing, a private copy or an archive for reading.

use std::fs;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use sealed_log::{
    ArchiveSource, DamagedSource, EntrySource, Expectations, KeyError, LogReader, SealReport,
    SignedCheckpoint, SigningKey, StoreError, StoreSource, VerifierKey, Window,
};
use sealed_log_sled::{DAMAGED_ADVICE, FolderError, LogFolder, SledStore, Writer};

use crate::Failure;
use crate::cli::LogRead;
use crate::exit::Exit;
use crate::keys::{self, KeyFiles};
use crate::served::ServedLog;
use crate::witnesses::with_cosignatures;

/// A log's folder with its keys.
pub(crate) struct LogPlace {
    path: PathBuf,
}

impl LogPlace {
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

    /// Opens the log for writing, making it and its key if they are not there.
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
        let at_hand = keys.at_hand()?;
        if let Some(origin) = origin
            && let Some(key) = at_hand.first().filter(|key| key.name() != origin)
        {
            let (log, name) = (self.path.display(), key.name());
            return Err(Failure::usage(format!("{log} is the log {name}, not {origin}; leave --origin out")));
        }
        let writer = folder.open_writer_with(at_hand).map_err(not_opened)?;
        keys.settle(&writer.verifier_key())?;
        Ok(writer)
    }

    /// The name of a log that is made here.
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

    fn public_key(&self) -> Option<VerifierKey> {
        KeyFiles::new(&self.path).public_key()
    }
}
/// A copy of a store's folder, gone when this is dropped.
pub(crate) struct PrivateCopy {
    store: SledStore,
    head: Option<SignedCheckpoint>,
    key: Option<VerifierKey>,
    _scratch: tempfile::TempDir,
}

/// What stands beside a store that cannot be opened, and why it cannot.
pub(crate) struct DamagedStore {
    head: Option<SignedCheckpoint>,
    key: Option<VerifierKey>,
    pub(crate) why: String,
}

/// A log opened for reading; the original is not written.
pub(crate) enum OpenedLog {
    Copy(Box<PrivateCopy>),
    /// A store that cannot be opened.
    Damaged(Box<DamagedStore>),
    Archive(PathBuf),
    Served(Box<ServedLog>),
}

impl OpenedLog {
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        Self::open_as(&LogRead::at(path))
    }

    /// The same, with what it takes to be let in where the log is served.
    pub(crate) fn open_as(ask: &LogRead) -> Result<Self, Failure> {
        Self::copied(ask, LogFolder::private_copy, |_, error| Err(not_opened(error)))
    }

    /// The same, to be read whole and checked: a damaged store is opened as far as it goes, and what the
    /// damage comes to is told by the report.
    pub(crate) fn open_to_verify(ask: &LogRead) -> Result<Self, Failure> {
        Self::copied(ask, LogFolder::private_copy_as_found, |path, error| {
            let FolderError::Store {
                error: error @ (StoreError::Unopened(_) | StoreError::Damaged { .. }),
                ..
            } = error
            else {
                return Err(not_opened(error));
            };
            let head = LogFolder::new(path).head().map_err(Failure::seal)?;
            let key = LogPlace::new(path).public_key();
            let why = format!("{error}; {DAMAGED_ADVICE}");
            Ok(Self::Damaged(Box::new(DamagedStore { head, key, why })))
        })
    }

    fn copied(
        ask: &LogRead,
        copy: impl FnOnce(&LogFolder, &Path) -> Result<(SledStore, Option<SignedCheckpoint>), FolderError>,
        refused: impl FnOnce(&Path, FolderError) -> Result<Self, Failure>,
    ) -> Result<Self, Failure> {
        if let Some(served) = ServedLog::meant(ask)? {
            return Ok(Self::Served(Box::new(served)));
        }
        let path = &*ask.log;
        let name = path.display();
        let meta = fs::metadata(path).map_err(|error| Failure::unreadable(format!("{name}: {error}")))?;
        if !meta.is_dir() {
            return Ok(Self::Archive(path.to_owned()));
        }
        let scratch = tempfile::Builder::new().prefix("audit-copy-").tempdir();
        let scratch =
            scratch.map_err(|error| Failure::unreadable(format!("no room for a private copy: {error}")))?;
        let (store, head) = match copy(&LogFolder::new(path), scratch.path()) {
            Ok(copied) => copied,
            Err(error) => return refused(path, error),
        };
        let head = head.map(|head| with_cosignatures(path, head));
        let key = LogPlace::new(path).public_key();
        Ok(Self::Copy(Box::new(PrivateCopy { store, head, key, _scratch: scratch })))
    }

    /// The store, its head and its key: what an export needs.
    pub(crate) fn store(&self) -> Option<(&SledStore, Option<&SignedCheckpoint>, Option<&VerifierKey>)> {
        match self {
            Self::Copy(copy) => Some((&copy.store, copy.head.as_ref(), copy.key.as_ref())),
            Self::Damaged(_) | Self::Archive(_) | Self::Served(_) => None,
        }
    }

    /// Reads the whole log, handing every window on, and says what the seal came to.
    pub(crate) fn read(
        &self,
        expectations: Expectations,
        each: impl FnMut(Window),
    ) -> Result<SealReport, Failure> {
        match self {
            Self::Copy(copy) => {
                let source = StoreSource::new(&copy.store, copy.head.clone(), copy.key.clone());
                read_all(source, expectations, each)
            }
            Self::Damaged(damaged) => {
                let DamagedStore { head, key, why } = &**damaged;
                read_all(DamagedSource::new(head.clone(), key.clone(), why.clone()), expectations, each)
            }
            Self::Served(served) => {
                let source = ArchiveSource::new(BufReader::with_capacity(1 << 18, served.archive()?));
                let source =
                    source.map_err(|error| Failure::unreadable(format!("{}: {error}", served.url())))?;
                read_all(source, expectations, each)
            }
            Self::Archive(path) => {
                let name = path.display();
                let file =
                    fs::File::open(path).map_err(|error| Failure::unreadable(format!("{name}: {error}")))?;
                let source = ArchiveSource::new(BufReader::with_capacity(1 << 18, file));
                read_all(
                    source.map_err(|error| Failure::unreadable(format!("{name}: {error}")))?,
                    expectations,
                    each,
                )
            }
        }
    }
}

/// Why a log's folder was not opened: only some of it accuses the log.
fn not_opened(error: FolderError) -> Failure {
    let exit = match &error {
        FolderError::Busy(_) | FolderError::Moving(_) => Exit::InUse,
        FolderError::There(_) => Exit::Usage,
        FolderError::NoLog(_)
        | FolderError::Unclean(_)
        | FolderError::NoRoom { .. }
        | FolderError::Cosigned(_)
        | FolderError::File { .. } => Exit::Unreadable,
        FolderError::Store { .. }
        | FolderError::Open { .. }
        | FolderError::Head(_)
        | FolderError::Contradiction(_) => Exit::Seal,
    };
    Failure { exit, message: error.to_string() }
}

/// Reads ahead on a thread of its own while the windows before are worked on.
pub(crate) fn read_all<S: EntrySource + Send>(
    source: S,
    expectations: Expectations,
    mut each: impl FnMut(Window),
) -> Result<SealReport, Failure> {
    let (sender, windows) = std::sync::mpsc::sync_channel(1);
    std::thread::scope(|scope| {
        let reader = scope.spawn(move || {
            let mut reader = LogReader::new(source, expectations);
            while let Some(window) = reader.next_window()? {
                if sender.send(window).is_err() {
                    break;
                }
            }
            Ok::<SealReport, sealed_log::SourceError>(reader.finish())
        });
        windows.iter().for_each(&mut each);
        match reader.join() {
            Ok(report) => report.map_err(Failure::unreadable),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// A small text file, at most 64 KiB.
pub(crate) fn small_text(path: &Path) -> Result<String, Failure> {
    let failed = |why: &dyn std::fmt::Display| Failure::unreadable(format!("{}: {why}", path.display()));
    let file = fs::File::open(path).map_err(|error| failed(&error))?;
    let mut bytes = Vec::new();
    file.take(65_537).read_to_end(&mut bytes).map_err(|error| failed(&error))?;
    if bytes.len() > 65_536 {
        return Err(failed(&"longer than 64 KiB, which this kind of file never is"));
    }
    String::from_utf8(bytes).map_err(|_| failed(&"bytes that are not UTF-8; expected a text"))
}

/// A small text file that says something.
fn text_in(path: &Path) -> Result<String, Failure> {
    let text = small_text(path)?;
    if text.trim().is_empty() {
        return Err(Failure::unreadable(format!("{}: the file is empty", path.display())));
    }
    Ok(text)
}

/// A verifier key as `--key` gives it: its text, or a file that holds it.
pub(crate) fn verifier_key(given: &str) -> Result<VerifierKey, Failure> {
    log_key("--key", given)
}

/// A verifier key as an option of this name gives it. What a file holds is not repeated.
pub(crate) fn log_key(option: &str, given: &str) -> Result<VerifierKey, Failure> {
    if let Ok(key) = given.trim().parse() {
        return Ok(key);
    }
    let path = Path::new(given);
    if path.is_dir() {
        return Err(Failure::unreadable(format!("{option} {given} is a folder; give the key, or its file")));
    }
    if path.exists() {
        let text = text_in(path)?;
        let key = text.trim().parse();
        return key.map_err(|error| {
            // That a name is wrong would repeat what the file holds.
            let why = if text.trim().contains('\n') || matches!(error, KeyError::Name(_)) {
                "the file holds no verifier key; expected one line, NAME+8 HEX DIGITS+BASE64".to_owned()
            } else {
                error.to_string()
            };
            Failure::unreadable(format!("{option} {given}: {why}"))
        });
    }
    // A key has two `+`; nothing else is likely to.
    match given.trim().parse::<VerifierKey>() {
        Err(error) if given.contains('+') => Err(Failure::usage(format!("{option} {given}: {error}"))),
        Err(_) | Ok(_) => {
            Err(Failure::usage(format!("{option} {given}: there is no such file, nor is it a key")))
        }
    }
}

/// A signed checkpoint from its file. Nobody has believed it yet.
pub(crate) fn signed_checkpoint(path: &Path) -> Result<SignedCheckpoint, Failure> {
    let text = text_in(path)?;
    SignedCheckpoint::parse(&text)
        .map_err(|error| Failure::unreadable(format!("{}: {error}", path.display())))
}

/// A rulebook by built-in name, or from a file; files it extends lie beside it.
pub(crate) fn rulebook(name: &str) -> Result<baccarat::Rulebook, Failure> {
    let path = Path::new(name);
    if path.is_file() {
        return baccarat::Rulebook::from_toml_with(name, &text_in(path)?, &mut beside(path))
            .map_err(Failure::unreadable);
    }
    baccarat::builtin(name).map_err(|error| Failure::usage(format!("{error}; or give a file")))
}

/// What the linter says of a rulebook by built-in name, or of a file, which may be a draft.
pub(crate) fn linted(name: &str) -> Result<baccarat::lint::Report, Failure> {
    let path = Path::new(name);
    if path.is_file() {
        return baccarat::lint::read(name, &text_in(path)?, &mut beside(path)).map_err(Failure::unreadable);
    }
    rulebook(name).map(baccarat::lint::check)
}

/// Reads the files beside this one.
fn beside(path: &Path) -> impl FnMut(&str) -> Result<String, String> {
    |base: &str| small_text(&path.with_file_name(base)).map_err(|failure| failure.message)
}
