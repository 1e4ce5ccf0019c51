//! A log's folder, and what it holds:
//!
//! - `store/`: sled's files, with the entries and the newest signed checkpoint;
//! - `head`: that checkpoint outside the store;
//! - `checkpoint`: the same as plain text, a moment behind while the log is written;
//! - `checkpoint.cosigned`: the newest checkpoint that witnesses signed too, where there are any;
//! - `running`: only while a program writes the log, or after an unclean stop;
//! - `store.before-N`: the store as it was found after an unclean stop, until it is known to be sound.
//!
//! Other files (keys) are left alone. Which of `head` and `checkpoint` is believed is in [`crate::beside`].

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

use sealed_log::store::{StoreError, StoreReader as _, StoreWriter as _};
use sealed_log::writer::{CheckpointSink as _, LogWriter, OpenError, WriteError, succession};
use tlog::checkpoint::{Checkpoint, SignedCheckpoint};
use tlog::note::{SigningKey, VerifierKey};

use crate::beside::{FileTrouble, choose};
use crate::copying::{copy_folder, failed, prints, read_every_byte, same_bytes};
use crate::disk::sync_folder;
use crate::flush::{forget_cached, sync};
use crate::folder_error::FolderError;
use crate::running::Running;
use crate::slots::{Slots, too_long};
use crate::whole::check_every_entry;
use crate::{CheckpointFile, CheckpointFileError, KeptCheckpoint, SledStore};

/// The writer of a log in a folder.
pub type Writer = LogWriter<SledStore, KeptCheckpoint>;

/// How often a copy of a store that another program writes is tried.
const COPY_ATTEMPTS: u32 = 8;

/// How long after one look at the files beside the store they are looked at again: longer than `checkpoint` is behind.
const BETWEEN_TWO_LOOKS: Duration = Duration::from_millis(300);

/// A log's folder.
#[derive(Debug, Clone)]
pub struct LogFolder {
    path: PathBuf,
    /// Keys with which the checkpoints beside the store are checked: those that are known before the log is read.
    keys: Vec<VerifierKey>,
}

impl LogFolder {
    /// The log at `path`, there or not.
    #[must_use]
    pub fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), keys: Vec::new() }
    }

    /// The same with keys to check the checkpoints beside the store with, the one trusted most first. Without any, a file
    /// that was altered is only found out where the other one differs from it.
    #[must_use]
    pub fn with_keys(mut self, keys: Vec<VerifierKey>) -> Self {
        self.keys = keys;
        self
    }

    /// Whether a log was made there.
    ///
    /// # Errors
    /// [`FolderError::File`] where the system does not say (a folder without permission, say).
    pub fn exists(&self) -> Result<bool, FolderError> {
        let store = self.store();
        match fs::metadata(&store) {
            Ok(meta) => Ok(meta.is_dir()),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(false),
            Err(error) => Err(failed(&store)(error)),
        }
    }

    /// Where the newest signed checkpoint is to be found as plain text.
    #[must_use]
    pub fn checkpoint(&self) -> PathBuf {
        self.path.join("checkpoint")
    }

    /// Where the newest checkpoint that witnesses signed is kept.
    #[must_use]
    pub fn cosigned_checkpoint(&self) -> PathBuf {
        self.path.join("checkpoint.cosigned")
    }

    /// The newest checkpoint that witnesses signed, `None` where none was kept. Its signatures are not checked
    /// here.
    ///
    /// # Errors
    /// [`FolderError::Cosigned`] where it is illegible, [`FolderError::File`].
    pub fn cosigned(&self) -> Result<Option<SignedCheckpoint>, FolderError> {
        CheckpointFile::new(self.cosigned_checkpoint()).read().map_err(unread(FolderError::Cosigned))
    }

    /// Keeps a cosigned checkpoint, replacing the one before: after `Ok` it survives a power cut.
    ///
    /// # Errors
    /// [`FolderError::NotKept`].
    pub fn keep_cosigned(&self, cosigned: &SignedCheckpoint) -> Result<(), FolderError> {
        Ok(CheckpointFile::new(self.cosigned_checkpoint()).keep(cosigned)?)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Where the newest signed checkpoint is kept outside the store.
    fn checkpoint_slots(&self) -> PathBuf {
        self.path.join("head")
    }

    pub(crate) fn store(&self) -> PathBuf {
        self.path.join("store")
    }

    /// The newest signed checkpoint kept outside the store, `None` where none was: that in `head`, or that in
    /// `checkpoint` where it is newer (a folder that an older program wrote, or a backup). One whose signature does not
    /// hold is not taken where the other is there.
    ///
    /// # Errors
    /// [`FolderError::Checkpoint`] where neither is legible; [`FolderError::Contradiction`] where one key signed both and
    /// they contradict each other; [`FolderError::File`] where one cannot be read.
    pub fn signed_checkpoint(&self) -> Result<Option<SignedCheckpoint>, FolderError> {
        Ok(self.checkpoint_beside()?.0)
    }

    /// What is wrong with the files beside the store, and which of them was used instead. Nothing is where the store has
    /// never been written to.
    ///
    /// # Errors
    /// As [`LogFolder::signed_checkpoint`].
    pub fn troubles(&self) -> Result<Vec<FileTrouble>, FolderError> {
        let mut troubles = self.checkpoint_beside()?.1;
        if !troubles.is_empty() {
            // Another program may have been writing one of them.
            sleep(BETWEEN_TWO_LOOKS);
            let again = self.checkpoint_beside()?.1;
            troubles.retain(|trouble| again.contains(trouble));
        }
        let settings = self.store().join("conf");
        if !settings.try_exists().map_err(failed(&settings))? {
            troubles.push(FileTrouble::settings_missing());
        }
        Ok(troubles)
    }

    /// The newest signed checkpoint outside the store as [`LogFolder::signed_checkpoint`] has it, and what is wrong with the
    /// two files at this moment: while the log is written, `head` may be so for a moment.
    ///
    /// # Errors
    /// As [`LogFolder::signed_checkpoint`].
    pub fn checkpoint_beside(&self) -> Result<(Option<SignedCheckpoint>, Vec<FileTrouble>), FolderError> {
        let wrong = |advice: &'static str| {
            unread(move |why: String| FolderError::Checkpoint(format!("{why}; {advice}")))
        };
        let head = Slots::read(&self.checkpoint_slots()).map_err(wrong(
            "put it back as it was, or remove it if `checkpoint` beside it is the newest there was",
        ))?;
        let as_text = match CheckpointFile::new(self.checkpoint()).read() {
            // It is only the text of the other, and is written anew.
            Err(error @ CheckpointFileError::Illegible { .. }) if head.newest.is_some() => Err(error),
            read => Ok(read.map_err(wrong("put the right checkpoint file back"))?),
        };
        choose(head, as_text, &self.keys).ok_or_else(|| FolderError::Contradiction(self.path.clone()))
    }

    /// Opens the log for writing, making it if absent. After an unclean stop the store is copied
    /// aside before sled touches it and every entry is read again; the copy goes once the store
    /// agrees with the kept checkpoint.
    ///
    /// # Errors
    /// [`FolderError`] says what disagrees and what to do.
    pub fn open_writer(&self, key: SigningKey) -> Result<Writer, FolderError> {
        self.open_writer_with(vec![key])
    }

    /// The same with several keys at hand, see [`LogWriter::open_with`].
    ///
    /// # Errors
    /// [`FolderError`] says what disagrees and what to do.
    pub fn open_writer_with(&self, keys: Vec<SigningKey>) -> Result<Writer, FolderError> {
        self.open(keys, false)
    }

    /// The same of a log that may be closed, see [`LogWriter::open_even_closed`].
    ///
    /// # Errors
    /// [`FolderError`] says what disagrees and what to do.
    pub fn open_even_closed(&self, keys: Vec<SigningKey>) -> Result<Writer, FolderError> {
        self.open(keys, true)
    }

    /// Makes the log that continues another and opens it for writing. Its first entry holds `predecessor`, the other
    /// log's checkpoint, whose signatures the caller has checked. Called again, also after it was stopped halfway, it
    /// opens the same log. `received_at` is in microseconds since 1970 UTC.
    ///
    /// # Errors
    /// [`FolderError`]; [`FolderError::Open`] also where a log stands there that begins otherwise.
    pub fn continue_log(
        &self,
        keys: Vec<SigningKey>,
        predecessor: &SignedCheckpoint,
        received_at: i64,
    ) -> Result<Writer, FolderError> {
        let mut writer = self.open_writer_with(keys)?;
        let refused = |error: WriteError| self.disagrees(OpenError::Write(error), None);
        if writer.reader().size() == 0 {
            writer.continue_from(predecessor, received_at).map_err(refused)?;
            return Ok(writer);
        }
        let origin = writer.verifier_key().name().to_owned();
        let begun = succession(writer.reader(), &origin).map_err(|error| self.disagrees(error, None))?;
        let is_same = |own: &SignedCheckpoint| own.checkpoint() == predecessor.checkpoint();
        if begun.continued.as_ref().is_some_and(is_same) {
            return Ok(writer);
        }
        Err(refused(WriteError::Notice(sealed_log::notice::NoticeError::NotFirst)))
    }

    /// Closes the log, see [`LogWriter::close`]; one that is closed stays as it is. Gives its newest checkpoint.
    /// `received_at` is in microseconds since 1970 UTC.
    ///
    /// # Errors
    /// [`FolderError`] says what disagrees and what to do; [`FolderError::NoLog`] where there is none.
    pub fn close_log(
        &self,
        keys: Vec<SigningKey>,
        last: &Checkpoint,
        successor: Option<&str>,
        received_at: i64,
    ) -> Result<Arc<SignedCheckpoint>, FolderError> {
        if !self.exists()? {
            return Err(FolderError::NoLog(self.path.clone()));
        }
        let mut writer = self.open_even_closed(keys)?;
        if !writer.is_closed() {
            let closed = writer.close(last, successor, received_at);
            closed.map_err(|error| self.disagrees(OpenError::Write(error), None))?;
        }
        Ok(writer.signed_checkpoint())
    }

    fn open(&self, keys: Vec<SigningKey>, may_be_closed: bool) -> Result<Writer, FolderError> {
        make_folder(&self.path)?;
        let beside = self.clone().with_keys(keys.iter().map(SigningKey::verifier_key).collect());
        let kept = beside.signed_checkpoint()?;
        // Refused before anything is touched: a start that fails halfway would copy the store aside for nothing.
        if let Some(why) = kept.as_ref().and_then(too_long) {
            return Err(FolderError::Checkpoint(format!("{}: {why}", self.checkpoint().display())));
        }
        let signed = kept.as_ref().map_or(0, |kept| kept.checkpoint().size);
        if signed > 0 && !self.exists()? {
            return Err(self.disagrees(OpenError::Shorter { size: 0, kept: signed }, None));
        }
        let running = Running::take(&self.path)?;
        let (unclean, soundness) = (running.unclean(), running.soundness());
        if unclean {
            forget_cached(&self.path)?;
        }
        // Read again: another program may have written a newer one before this one had the log.
        let kept = beside.signed_checkpoint()?;
        let aside = if unclean && self.exists()? { Some(self.set_aside(&running)?) } else { None };
        let store = SledStore::open_running(&self.store(), Some(running))
            .map_err(|error| self.unreadable_unless_the_disk_fails(error, aside.clone()))?;
        if unclean {
            check_every_entry(&store).map_err(|error| self.unreadable(error, aside.clone()))?;
        }
        let sink = KeptCheckpoint::open(&self.checkpoint_slots(), CheckpointFile::new(self.checkpoint()))?;
        let writer =
            LogWriter::open_even_closed(store, sink, keys, kept.as_ref()).map_err(|error| {
                match (&error, read_every_byte(&self.store())) {
                    (OpenError::Shorter { .. } | OpenError::Store(_), Err(failed)) => failed,
                    _ => self.disagrees(error, aside.clone()),
                }
            })?;
        soundness.confirm(aside.as_deref())?;
        self.remove_erasing()?;
        if writer.is_closed() && !may_be_closed {
            return Err(self.closed(&writer));
        }
        Ok(writer)
    }

    /// Why a log that is sound is not opened: another one continues it.
    fn closed(&self, writer: &Writer) -> FolderError {
        let origin = writer.verifier_key().name().to_owned();
        let closing = match succession(writer.reader(), &origin) {
            Ok(succession) => succession.closed,
            Err(error) => return self.disagrees(error, None),
        };
        let (index, successor) = closing.map_or((0, None), |(index, closing)| (index, closing.successor));
        self.disagrees(OpenError::Closed { index, successor }, None)
    }

    fn unreadable(&self, error: StoreError, aside: Option<PathBuf>) -> FolderError {
        FolderError::Store { folder: self.path.clone(), error, aside }
    }

    /// Sled passes over some errors of the disk as if nothing were there: damage counts where every byte can be read.
    fn unreadable_unless_the_disk_fails(&self, error: StoreError, aside: Option<PathBuf>) -> FolderError {
        match read_every_byte(&self.store()) {
            Err(failed) if !error.is_disk() => failed,
            Ok(()) | Err(_) => self.unreadable(error, aside),
        }
    }

    fn disagrees(&self, error: OpenError, aside: Option<PathBuf>) -> FolderError {
        FolderError::Open { folder: self.path.clone(), error: Box::new(error), aside }
    }

    /// Copies the store as it was found, once however often a start fails.
    fn set_aside(&self, running: &Running) -> Result<PathBuf, FolderError> {
        if let Some(copy) = running.set_aside() {
            return Ok(copy);
        }
        let partial = self.path.join("store.partial-copy");
        if partial.exists() {
            fs::remove_dir_all(&partial).map_err(failed(&partial))?;
        }
        copy_folder(&self.store(), &partial)?;
        sync(&partial).map_err(|error| self.unreadable(error, None))?;
        let mut free = (1_u32..).map(|number| self.path.join(format!("store.before-{number}")));
        let copy = free.find(|path| !path.exists()).unwrap_or_else(|| partial.clone());
        fs::rename(&partial, &copy).and_then(|()| sync_folder(&self.path)).map_err(failed(&copy))?;
        running.name_set_aside(&copy).map_err(failed(&self.path))?;
        Ok(copy)
    }

    /// Opens a private copy, made in `scratch`; the log's folder is only read. A copy taken while
    /// another program writes may be torn, and sled must never see such a one: it opens it without
    /// a word and then walks in circles until memory is gone. So copies are made until one is the
    /// store as it was at one moment.
    ///
    /// # Errors
    /// [`FolderError`]; [`FolderError::Moving`] when the other program did not pause long enough.
    pub fn private_copy(&self, scratch: &Path) -> Result<(SledStore, Option<SignedCheckpoint>), FolderError> {
        self.copy_opened_by(scratch, SledStore::open)
    }

    /// The same, of a store whose end need not join up: damaged as it may be, what is left of it can be
    /// read. Only a [`sealed_log::reader::LogReader`] may be given it, which checks every entry and reports what is
    /// missing below the checkpoint.
    ///
    /// # Errors
    /// The same; [`FolderError::Store`] where nothing of it can be read.
    pub fn private_copy_as_found(
        &self,
        scratch: &Path,
    ) -> Result<(SledStore, Option<SignedCheckpoint>), FolderError> {
        self.copy_opened_by(scratch, SledStore::open_as_found)
    }

    fn copy_opened_by(
        &self,
        scratch: &Path,
        open: impl Fn(&Path) -> Result<SledStore, StoreError>,
    ) -> Result<(SledStore, Option<SignedCheckpoint>), FolderError> {
        if !self.exists()? {
            return Err(FolderError::NoLog(self.path.clone()));
        }
        let mut is_second = false;
        for attempt in 0..COPY_ATTEMPTS {
            sleep(Duration::from_millis(20) * attempt);
            // The checkpoint first: a store is never behind a checkpoint that was kept before. Its own is not given away:
            // while it is written the disk may not have it yet.
            let signed = self.signed_checkpoint()?;
            let copy = scratch.join(format!("store-{attempt}"));
            if self.copied_at_one_moment(&copy)? {
                let opened = open(&copy);
                if is_second || !seems_damaged(&opened, signed.as_ref()) {
                    let store = opened.map_err(|error| self.unreadable(error, None))?;
                    return Ok((store, signed));
                }
                // Sled passes over some errors of the disk as if nothing were there. So damage counts where it is found
                // twice, and every byte can be read.
                is_second = true;
                drop(opened);
                read_every_byte(&copy)?;
            }
            fs::remove_dir_all(&copy).map_err(failed(&copy))?;
        }
        Err(FolderError::Moving(self.path.clone()))
    }

    /// Copies the store; whether nobody wrote meanwhile. Where somebody may be writing, times are
    /// too coarse and the bytes are compared.
    fn copied_at_one_moment(&self, copy: &Path) -> Result<bool, FolderError> {
        let store = self.store();
        let before = prints(&store)?;
        let copied = copy_folder(&store, copy);
        if before != prints(&store)? {
            return Ok(false);
        }
        copied?;
        Ok(!self.path.join("running").exists() || same_bytes(&store, copy)?)
    }
}

/// Whether a copy shows damage already, or less than was signed.
fn seems_damaged(opened: &Result<SledStore, StoreError>, signed: Option<&SignedCheckpoint>) -> bool {
    match opened {
        Ok(store) => signed.is_some_and(|signed| store.reader().size() < signed.checkpoint().size),
        Err(error) => matches!(error, StoreError::Damaged { .. } | StoreError::Unopened(_)),
    }
}

/// How an illegible checkpoint is reported; a file that cannot be read says nothing about the log.
fn unread(illegible: impl Fn(String) -> FolderError) -> impl Fn(CheckpointFileError) -> FolderError {
    move |error| match error {
        CheckpointFileError::File { path, error } => FolderError::File { path, error },
        illegible_one @ CheckpointFileError::Illegible { .. } => illegible(illegible_one.to_string()),
    }
}

/// Makes the folder if it is not there, for its owner alone: it will hold the log's key.
fn make_folder(path: &Path) -> Result<(), FolderError> {
    if path.is_dir() {
        return Ok(());
    }
    fs::DirBuilder::new().recursive(true).mode(0o700).create(path).map_err(failed(path))?;
    sync_folder(path.parent().unwrap_or(Path::new("."))).map_err(failed(path))
}
