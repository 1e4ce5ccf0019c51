//! A log opened for reading: a private copy of its folder, an archive, or what a service hands out.

use std::fs;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use sealed_log::archive::ArchiveSource;
use sealed_log::entry::LOG_CHAIN;
use sealed_log::notice::{Notice, parse_notice};
use sealed_log::reader::{
    DamagedSource, EntrySource as _, Expectations, IntactUnknown, LogReader, SealReport, StoreSource, Window,
};
use sealed_log::redaction::parse_kept;
use sealed_log::store::{StoreError, StoreReader as _, StoreWriter as _};
use sealed_log_sled::{FolderError, LogFolder, SledReader, SledStore};
use tempfile::NamedTempFile;
use tlog::checkpoint::{SignedCheckpoint, parse_size};
use tlog::note::VerifierKey;

use super::folder::{KeyedFolder, not_opened};
use super::read::read_all;
use super::unsealed::UnsealedSource;
use crate::cli::LogRead;
use crate::errors::{damaged, file_trouble};
use crate::failure::Failure;
use crate::language::texts;
use crate::output;
use crate::private_copies::{PrivateFolder, private_file};
use crate::served::ServedLog;
use crate::witnesses::with_cosignatures;

/// How a COSE receipt begins: the tag 18 of COSE_Sign1 (RFC 9052) and an array of four.
const COSE_SIGN1: &[u8] = &[0xd2, 0x84];
/// Bytes in which a file is recognised: a key of ML-DSA-44 has some 2,000.
const MOST_LOOKED_AT: usize = 4_096;

/// A copy of a store's folder; it is removed when this is dropped.
pub(crate) struct PrivateCopy {
    store: SledStore,
    checkpoint: Option<SignedCheckpoint>,
    key: Option<VerifierKey>,
    troubles: Vec<String>,
    _scratch: PrivateFolder,
}

/// The checkpoint and key beside a store that cannot be opened, and why it cannot.
pub(crate) struct DamagedStore {
    checkpoint: Option<SignedCheckpoint>,
    key: Option<VerifierKey>,
    troubles: Vec<String>,
    pub(crate) why: String,
}

/// A log opened for reading; the original is not written.
pub(crate) enum OpenedLog {
    Copy(Box<PrivateCopy>),
    /// A store that cannot be opened.
    Damaged(Box<DamagedStore>),
    Archive(PathBuf),
    /// An archive, or events without a seal, on standard input; it can be read once.
    StandardInput,
    Served(Box<ServedLog>),
}

impl OpenedLog {
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        Self::open_as(&LogRead::at(path))
    }

    /// The same, with the credentials for a log that is served.
    pub(crate) fn open_as(ask: &LogRead) -> Result<Self, Failure> {
        let opened =
            Self::copied(ask, None, LogFolder::private_copy, |_, _, _, error| Err(not_opened(error)))?;
        Ok(opened.noted())
    }

    /// The same, to be read whole and checked: a damaged store is opened as far as possible, and the report
    /// describes the damage. Faults of the files next to the store are noted.
    pub(crate) fn open_to_verify(ask: &LogRead, given: Option<&VerifierKey>) -> Result<Self, Failure> {
        Ok(Self::open_to_report(ask, given)?.noted())
    }

    /// The same; the caller reports faults of the files next to the store ([`OpenedLog::troubles`]).
    pub(crate) fn open_to_report(ask: &LogRead, given: Option<&VerifierKey>) -> Result<Self, Failure> {
        Self::copied(ask, given, LogFolder::private_copy_as_found, |folder, key, troubles, error| {
            let FolderError::Store {
                error: error @ (StoreError::Unopened(_) | StoreError::Damaged { .. }),
                ..
            } = error
            else {
                return Err(not_opened(error));
            };
            let checkpoint = folder.signed_checkpoint().map_err(not_opened)?;
            let why = damaged(&error);
            Ok(Self::Damaged(Box::new(DamagedStore { checkpoint, key, troubles, why })))
        })
    }

    /// A sentence for each file next to the store that is at fault, with what was used in its place.
    pub(crate) fn troubles(&self) -> &[String] {
        match self {
            Self::Copy(copy) => &copy.troubles,
            Self::Damaged(damaged) => &damaged.troubles,
            Self::Archive(_) | Self::StandardInput | Self::Served(_) => &[],
        }
    }

    fn noted(self) -> Self {
        self.troubles().iter().for_each(|trouble| output::note(trouble));
        self
    }

    fn copied(
        ask: &LogRead,
        given: Option<&VerifierKey>,
        copy: impl FnOnce(&LogFolder, &Path) -> Result<(SledStore, Option<SignedCheckpoint>), FolderError>,
        refused: impl FnOnce(&LogFolder, Option<VerifierKey>, Vec<String>, FolderError) -> Result<Self, Failure>,
    ) -> Result<Self, Failure> {
        if let Some(served) = ServedLog::meant(ask)? {
            return Ok(Self::Served(Box::new(served)));
        }
        let path = &*ask.log;
        if path.as_os_str() == "-" {
            return Ok(Self::StandardInput);
        }
        let name = path.display();
        let meta = fs::metadata(path).map_err(|error| Failure::file(name, &error))?;
        if !meta.is_dir() {
            return Ok(Self::Archive(path.to_owned()));
        }
        // Before the copy, which holds open files: a key that cannot be opened would be taken for none.
        let key = KeyedFolder::new(path).public_key();
        let scratch =
            PrivateFolder::new().map_err(|error| Failure::temporary(texts().no_private_copy(), &error))?;
        let folder = LogFolder::new(path).with_keys(given.cloned().into_iter().chain(key.clone()).collect());
        let copied = copy(&folder, scratch.path());
        if let Err(error @ (FolderError::NoLog(_) | FolderError::Moving(_) | FolderError::File { .. })) =
            copied
        {
            return Err(not_opened(error));
        }
        let mut troubles: Vec<String> =
            folder.troubles().map_err(not_opened)?.iter().map(file_trouble).collect();
        troubles.extend(KeyedFolder::new(path).public_key_trouble(given.is_some()));
        let (store, checkpoint) = match copied {
            Ok(copied) => copied,
            Err(error) => return refused(&folder, key, troubles, error),
        };
        let checkpoint = checkpoint.map(|checkpoint| with_cosignatures(path, checkpoint));
        Ok(Self::Copy(Box::new(PrivateCopy { store, checkpoint, key, troubles, _scratch: scratch })))
    }

    /// The store, its newest checkpoint and its key: what an export needs.
    pub(crate) fn store(&self) -> Option<(&SledReader, Option<&SignedCheckpoint>, Option<&VerifierKey>)> {
        match self {
            Self::Copy(copy) => Some((copy.store.reader(), copy.checkpoint.as_ref(), copy.key.as_ref())),
            Self::Damaged(_) | Self::Archive(_) | Self::StandardInput | Self::Served(_) => None,
        }
    }

    /// The same log, copied where it could be read only once or would be another the next time; the copy is removed
    /// when the file is dropped.
    pub(crate) fn that_reads_again(self) -> Result<(Self, Option<NamedTempFile>), Failure> {
        let copy = |mut from: Box<dyn Read + '_>| {
            let file = private_file();
            let mut file = file.map_err(|error| Failure::temporary(texts().no_private_copy(), &error))?;
            let copied = io::copy(&mut from, &mut file);
            copied.map(|_| file).map_err(|error| Failure::file(texts().the_copied_log(), &error))
        };
        let copied = match &self {
            Self::Served(served) => copy(Box::new(served.archive()?)),
            Self::StandardInput => copy(Box::new(io::stdin())),
            Self::Copy(_) | Self::Damaged(_) | Self::Archive(_) => return Ok((self, None)),
        };
        let file = copied?;
        Ok((Self::Archive(file.path().to_owned()), Some(file)))
    }

    /// The checkpoint that stands beside the entries, before any of them is read: nothing is checked yet. None where
    /// there is none, and where what can be read only once would be used up.
    pub(crate) fn claimed(&self) -> Result<Option<SignedCheckpoint>, Failure> {
        match self {
            Self::Copy(copy) => Ok(copy.checkpoint.clone()),
            Self::Damaged(damaged) => Ok(damaged.checkpoint.clone()),
            Self::Archive(path) => {
                let name = path.display();
                let mut file =
                    BufReader::new(fs::File::open(path).map_err(|error| Failure::file(&name, &error))?);
                if is_unsealed(&mut file).map_err(|error| Failure::file(&name, &error))? {
                    return Ok(None);
                }
                let source = archive(&name.to_string(), file)?;
                Ok(source.claims().checkpoint.clone())
            }
            Self::StandardInput | Self::Served(_) => Ok(None),
        }
    }

    /// The checkpoint of the log that this one continues, as its first entry states it: nothing is checked yet. None where
    /// it continues none, and where what can be read only once would be used up.
    pub(crate) fn continued(&self) -> Result<Option<SignedCheckpoint>, Failure> {
        match self {
            Self::Copy(copy) => {
                // A damaged entry is for whoever reads the whole log.
                let first = copy.store.reader().read(0, 1).unwrap_or_default();
                Ok(first.first().and_then(|bytes| continuation(bytes)))
            }
            Self::Archive(path) => {
                let name = path.display();
                let file = fs::File::open(path).map_err(|error| Failure::file(&name, &error))?;
                let source = archive(&name.to_string(), BufReader::with_capacity(1 << 18, file))?;
                let mut reader = LogReader::new(source, Expectations::default());
                let window = reader.next_window().map_err(Failure::of_reading)?;
                let first = window.as_ref().and_then(|window| window.entries().next());
                let first = first.filter(|entry| entry.index == 0 && !entry.altered);
                Ok(first.and_then(|entry| continuation(entry.bytes)))
            }
            Self::Damaged(_) | Self::StandardInput | Self::Served(_) => Ok(None),
        }
    }

    /// Reads the whole log, passes every window to `each`, and returns the report on the seal.
    pub(crate) fn read(
        &self,
        expectations: Expectations,
        each: impl FnMut(Window),
    ) -> Result<SealReport, Failure> {
        self.read_noting(output::note, expectations, Vec::new(), |_| (), each)
    }

    /// The same; `sized` is told how many entries the log's checkpoint names, before any of them is read.
    pub(crate) fn read_sized(
        &self,
        expectations: Expectations,
        sized: impl FnOnce(u64),
        each: impl FnMut(Window),
    ) -> Result<SealReport, Failure> {
        self.read_noting(output::note, expectations, Vec::new(), sized, each)
    }

    /// The same with checkpoints that other logs state of this one.
    pub(crate) fn read_claimed(
        &self,
        expectations: Expectations,
        claims: Vec<SignedCheckpoint>,
        sized: impl FnOnce(u64),
        each: impl FnMut(Window),
    ) -> Result<SealReport, Failure> {
        self.read_noting(output::note, expectations, claims, sized, each)
    }

    /// The same for what was read before: nothing is noted a second time.
    pub(crate) fn read_again(&self, each: impl FnMut(Window)) -> Result<SealReport, Failure> {
        self.read_noting(|_| (), Expectations::default(), Vec::new(), |_| (), each)
    }

    fn read_noting(
        &self,
        note: impl FnOnce(&str),
        expectations: Expectations,
        claims: Vec<SignedCheckpoint>,
        sized: impl FnOnce(u64),
        each: impl FnMut(Window),
    ) -> Result<SealReport, Failure> {
        match self {
            Self::Copy(copy) => {
                let source = StoreSource::new(copy.store.reader(), copy.checkpoint.clone(), copy.key.clone());
                read_all(source, expectations, claims, sized, each)
            }
            Self::Damaged(damaged) => {
                let DamagedStore { checkpoint, key, why, .. } = &**damaged;
                read_all(
                    DamagedSource::new(checkpoint.clone(), key.clone(), why.clone()),
                    expectations,
                    claims,
                    sized,
                    each,
                )
            }
            Self::Served(served) => {
                let source = ArchiveSource::new(BufReader::with_capacity(1 << 18, served.archive()?));
                let source = source.map_err(|error| Failure::of_reading_in(served.url(), error))?;
                read_all(source, expectations, claims, sized, each)
            }
            Self::Archive(path) => {
                let name = path.display();
                let file = fs::File::open(path).map_err(|error| Failure::file(&name, &error))?;
                let (name, input) = (name.to_string(), BufReader::with_capacity(1 << 18, file));
                read_file(&name, input, note, expectations, claims, sized, each)
            }
            Self::StandardInput => {
                let input = BufReader::with_capacity(1 << 18, std::io::stdin());
                let name = texts().archive_on_standard_input();
                read_file(&name, input, note, expectations, claims, sized, each)
            }
        }
    }
}

/// The checkpoint in the first entry of a log that continues another.
fn continuation(bytes: &[u8]) -> Option<SignedCheckpoint> {
    let view = parse_kept(bytes).ok().filter(|kept| kept.withheld.is_none())?.view;
    match parse_notice(view.payload).ok().filter(|_| view.chain == LOG_CHAIN)? {
        Notice::LogContinued(predecessor) => Some(*predecessor),
        Notice::KeyRotated(_)
        | Notice::EntriesRedacted(_)
        | Notice::LogClosed(_)
        | Notice::Unknown { .. } => None,
    }
}

/// Reads an archive; or events without a seal, of which a note says that nothing is proven.
fn read_file<R: BufRead + Send>(
    name: &str,
    mut input: R,
    note: impl FnOnce(&str),
    expectations: Expectations,
    claims: Vec<SignedCheckpoint>,
    sized: impl FnOnce(u64),
    each: impl FnMut(Window),
) -> Result<SealReport, Failure> {
    if is_unsealed(&mut input).map_err(|error| Failure::file(name, &error))? {
        note(&texts().unsealed_note(name));
        // Nothing that was kept of a log is about bytes that were never sealed.
        let expectations = Expectations { anchors: Vec::new(), ..expectations };
        let source = UnsealedSource::new(name.to_owned(), input);
        let report = read_all(source, expectations, claims, sized, each)?;
        return Ok(SealReport { intact_unknown: Some(IntactUnknown::NoSeal), ..report });
    }
    read_all(archive(name, input)?, expectations, claims, sized, each)
}

/// An archive; what is another file of a log is named, with the command that reads it.
fn archive<R: BufRead>(name: &str, mut input: R) -> Result<ArchiveSource<R>, Failure> {
    let start = input.fill_buf().map_err(|error| Failure::file(name, &error))?;
    if let Some(what) = another_kind(name, &start[..start.len().min(MOST_LOOKED_AT)]) {
        return Err(Failure::unreadable(what));
    }
    ArchiveSource::new(input).map_err(|error| Failure::of_reading_in(name, error))
}

/// What a file is that begins so and is no archive, if it is one of those that stand beside a log.
fn another_kind(name: &str, start: &[u8]) -> Option<String> {
    if start.starts_with(COSE_SIGN1) {
        return Some(texts().proof_not_log(name));
    }
    let text = String::from_utf8_lossy(start);
    let lines: Vec<&str> = text.trim_start_matches('\u{feff}').lines().take(3).collect();
    let is_key =
        |line: &&&str| line.trim().parse::<VerifierKey>().is_ok() || line.starts_with("PRIVATE+KEY+");
    if lines.first().is_some_and(|line| line.starts_with("c2sp.org/tlog-proof@")) {
        return Some(texts().proof_not_log(name));
    }
    if lines.first().filter(is_key).is_some() {
        return Some(texts().key_not_log(name));
    }
    let [origin, size, root] = lines.as_slice() else { return None };
    // A checkpoint's first three lines: origin, size, and a root of 32 bytes in base64.
    let is_checkpoint = !origin.is_empty()
        && !origin.contains(|c: char| c.is_control() || c == char::REPLACEMENT_CHARACTER)
        && parse_size(size).is_ok()
        && root.len() == 44
        && root.ends_with('=');
    is_checkpoint.then(|| texts().checkpoint_not_log(name))
}

/// Whether what follows are events and no archive.
fn is_unsealed(input: &mut impl BufRead) -> io::Result<bool> {
    let start = input.fill_buf()?;
    Ok(start.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{'))
}
