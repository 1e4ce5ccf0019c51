//! The one writer of a log: seals submissions, signs the new checkpoint, makes both durable in one step.
//!
//! Order of things, always: the entries and the checkpoint that covers them are on disk, its copy outside the store is
//! written, then the callers are answered. After any failure the writer stops for good; reopening checks the store.

mod check;
mod sequencer;
mod supervisor;

pub use check::{OpenError, StoreState, Succession, check_store, key_history, notices, succession};
pub use sequencer::{LogClosed, Pending, ReopenError, Sequencer, SequencerHandle, SubmitError};
pub use supervisor::{Committed, Supervisor};

use crate::entry::LOG_CHAIN;
use crate::entry::check_entry;
use crate::entry::{ChainName, Digest, EntryError, EntryHeader, ProducerId, encode_entry};
use crate::keys::KeyRotation;
use crate::notice::{
    Closing, LOG_PRODUCER, Notice, NoticeError, encode_closing, encode_continuation, encode_rotation,
    parse_notice,
};
use crate::proof::EntryProof;
use crate::store::{StoreError, StoreNodes, StoreReader as _, StoreWriter, StoredEntry, WriteBatch};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;
use tlog::checkpoint::{Checkpoint, SignedCheckpoint};
use tlog::note::{SigningKey, VerifierKey};
use tlog::proof::{AppendedNodes, range_root};
use tlog::tree::{Frontier, TreeHash};

/// What a producer hands in: an entry without its index in the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission {
    /// Who hands it in.
    pub producer: ProducerId,
    /// The chain it belongs to.
    pub chain: ChainName,
    /// Chain position of the first event, from 1.
    pub first: u64,
    /// How many consecutive positions it covers, 1 to [`crate::entry::MAX_ENTRY_COUNT`].
    pub count: u32,
    /// When it was received, microseconds since 1970 UTC.
    pub received_at: i64,
    /// What is recorded.
    pub payload: Vec<u8>,
}

impl Submission {
    /// Whether an entry can be made of this.
    ///
    /// # Errors
    /// [`EntryError`] says what is out of range.
    pub fn check(&self) -> Result<(), EntryError> {
        if self.chain.as_str() == LOG_CHAIN {
            return Err(EntryError::ReservedChain);
        }
        self.check_form()
    }

    fn check_form(&self) -> Result<(), EntryError> {
        let Self { producer, chain, first, count, received_at, payload } = self;
        check_entry(producer, chain, *first, *count, *received_at, payload.len()).map(drop)
    }
}

/// That an entry is in the log for good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EntryReference {
    /// The entry's index in the log, from 0.
    pub index: u64,
    /// BLAKE3 of the entry's bytes.
    pub digest: Digest,
    /// Size of the signed checkpoint that covers it.
    pub tree_size: u64,
}

/// The answer to what was handed in together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Acknowledgement {
    /// One reference for each submission, in their order.
    pub entries: Vec<EntryReference>,
    /// A signed checkpoint that covers all of them; it is on disk.
    pub signed: Arc<SignedCheckpoint>,
    /// What proofs of the entries are made of, where all are of one append.
    pub(crate) newest: Option<Arc<AppendedNodes>>,
}

impl Acknowledgement {
    /// References to entries that were sealed at one time or another, under a checkpoint that covers them.
    #[must_use]
    pub const fn under(signed: Arc<SignedCheckpoint>, entries: Vec<EntryReference>) -> Self {
        Self { entries, signed, newest: None }
    }

    /// Proofs of the entries, in their order and without the entries' bytes, from memory: nothing is read
    /// and nobody waits. Each was checked against the checkpoint's root. `None` where the entries are not those
    /// that one append gave; [`EntryProof::read`] then reads what it needs.
    #[must_use]
    pub fn proofs(&self) -> Option<Vec<EntryProof>> {
        let newest = self.newest.as_ref()?;
        self.entries
            .iter()
            .map(|reference| {
                let hashes = newest.inclusion(reference.index)?;
                EntryProof::of_sealed(&self.signed, reference.index, &reference.digest, hashes)
            })
            .collect()
    }
}

/// Where the newest signed checkpoint is kept outside the store, so that a store which lost its end, or was put
/// back as it once was, is noticed.
pub trait CheckpointSink: Send {
    /// Replaces the kept checkpoint: after `Ok` it survives a power cut.
    ///
    /// # Errors
    /// [`CheckpointSinkError`] when it may not be on disk; the log then stops.
    fn keep(&mut self, signed: &SignedCheckpoint) -> Result<(), CheckpointSinkError>;

    /// The same for a checkpoint that is on disk in the store already, so that nobody need wait for this copy.
    ///
    /// # Errors
    /// [`CheckpointSinkError`] when it, or one before it, could not be kept; the log then stops.
    fn follow(&mut self, signed: &Arc<SignedCheckpoint>) -> Result<(), CheckpointSinkError> {
        self.keep(signed)
    }
}

/// The newest checkpoint could not be kept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the newest checkpoint could not be kept: {0}")]
pub struct CheckpointSinkError(pub String);

/// A checkpoint kept in memory, for tests and for logs that need not outlive the program.
#[derive(Debug, Clone, Default)]
pub struct MemoryCheckpoint {
    /// The newest checkpoint.
    pub newest: Option<SignedCheckpoint>,
}

impl CheckpointSink for MemoryCheckpoint {
    fn keep(&mut self, signed: &SignedCheckpoint) -> Result<(), CheckpointSinkError> {
        self.newest = Some(signed.clone());
        Ok(())
    }
}

/// Why nothing was acknowledged.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// One of the submissions cannot become an entry. Nothing of this call was recorded; the log
    /// goes on.
    #[error("submission {position} is not well-formed, nothing of this call was recorded: {why}")]
    Refused {
        /// Which of the submissions, from 0.
        position: usize,
        /// What is wrong with it.
        why: EntryError,
    },
    /// The store failed; the log has stopped.
    #[error("NOT acknowledged, the log has stopped: {0}")]
    Store(#[from] StoreError),
    /// The new checkpoint could not be kept; the log has stopped.
    #[error("NOT acknowledged, the log has stopped: {0}")]
    Checkpoint(#[from] CheckpointSinkError),
    /// The new checkpoint would contradict one that was signed before; the log has stopped.
    #[error(
        "NOT acknowledged, the log has stopped: a checkpoint of {size} entries would contradict the signed one of {signed}"
    )]
    WouldFork {
        /// Size of the checkpoint that was about to be signed.
        size: u64,
        /// Size of the newest signed checkpoint.
        signed: u64,
    },
    /// The new checkpoint could not be signed; the log has stopped.
    #[error("NOT acknowledged, the log has stopped: {0}")]
    Sign(#[from] tlog::checkpoint::CheckpointError),
    /// The key cannot pass on so; the log goes on.
    #[error("the log's key stays as it is: {0}")]
    Rotation(#[from] crate::keys::RotationError),
    /// What is to be noted is no notice, or names what is not in the log; the log goes on.
    #[error("the notice was not recorded: {0}")]
    Notice(#[from] NoticeError),
    /// The log is closed; it stays as it is.
    #[error("nothing was recorded: the log is closed, and another log continues it")]
    Closed,
    /// An earlier failure stopped the log.
    #[error("NOT acknowledged: the log stopped after an earlier failure; reopen it")]
    Stopped,
}

impl WriteError {
    /// Whether the machine failed (a full disk, say), and nothing speaks against the log.
    #[must_use]
    pub const fn is_disk(&self) -> bool {
        match self {
            Self::Store(error) => error.is_disk(),
            Self::Checkpoint(_) => true,
            Self::Refused { .. }
            | Self::WouldFork { .. }
            | Self::Sign(_)
            | Self::Rotation(_)
            | Self::Notice(_)
            | Self::Closed
            | Self::Stopped => false,
        }
    }
}

/// The one writer of a log.
#[derive(Debug)]
pub struct LogWriter<S, H> {
    /// Declared before the store so that it is dropped first: it may write while the store still keeps other programs out.
    sink: H,
    store: S,
    key: SigningKey,
    frontier: Frontier,
    tips: BTreeMap<ChainName, Digest>,
    newest: Arc<SignedCheckpoint>,
    /// The key that is being replaced, while the notice of it is appended.
    retiring: Option<SigningKey>,
    /// Whether the log is closed: only notices of erased payloads are appended.
    closed: bool,
    stopped: bool,
}

impl<S: StoreWriter, H: CheckpointSink> LogWriter<S, H> {
    /// Checks the store against the kept checkpoint (see [`check_store`]) and makes it writable. A new
    /// log's empty checkpoint, and the checkpoint of a store found ahead of its kept checkpoint, is signed and kept.
    ///
    /// # Errors
    /// [`OpenError`] says what disagrees and what to do.
    pub fn open(
        store: S,
        sink: H,
        key: SigningKey,
        kept: Option<&SignedCheckpoint>,
    ) -> Result<Self, OpenError> {
        Self::open_with(store, sink, vec![key], kept)
    }

    /// The same with several keys at hand, the first of which is the log's unless its key was rotated:
    /// then the key in force is used.
    ///
    /// # Errors
    /// [`OpenError`]; [`OpenError::Key`] when the key in force is not among them, [`OpenError::Closed`] when the log is
    /// closed.
    pub fn open_with(
        store: S,
        sink: H,
        keys: Vec<SigningKey>,
        kept: Option<&SignedCheckpoint>,
    ) -> Result<Self, OpenError> {
        Self::open_as(store, sink, keys, kept, false)
    }

    /// The same of a log that may be closed: then only notices of erased payloads can be appended.
    ///
    /// # Errors
    /// [`OpenError`].
    pub fn open_even_closed(
        store: S,
        sink: H,
        keys: Vec<SigningKey>,
        kept: Option<&SignedCheckpoint>,
    ) -> Result<Self, OpenError> {
        Self::open_as(store, sink, keys, kept, true)
    }

    fn open_as(
        store: S,
        mut sink: H,
        keys: Vec<SigningKey>,
        kept: Option<&SignedCheckpoint>,
        may_be_closed: bool,
    ) -> Result<Self, OpenError> {
        let history = key_history(store.reader())?;
        let in_force = |key: &SigningKey| history.newest().is_none_or(|newest| *newest == key.verifier_key());
        let Some(key) = keys.iter().find(|key| in_force(key)).cloned() else {
            let (at, key) = history
                .rotations()
                .last()
                .map_or((0, String::new()), |rotation| (rotation.size(), rotation.new_key().to_string()));
            return Err(OpenError::Key { at, key });
        };
        let state = check_store(&store, kept, &key.verifier_key())?;
        let closed = succession(store.reader(), key.name())?.closed;
        if let Some((index, Closing { successor, .. })) = closed.as_ref().filter(|_| !may_be_closed) {
            return Err(OpenError::Closed { index: *index, successor: successor.clone() });
        }
        let newest = match state.signed {
            Some(signed) if state.ahead == 0 => signed,
            Some(_) | None => {
                let signed = SignedCheckpoint::sign(&Checkpoint::of(key.name(), &state.frontier), &key)?;
                let retired = history.retired_at(state.frontier.size());
                let old = keys.iter().find(|key| retired == Some(&key.verifier_key()));
                Arc::new(old.map_or(Ok(signed.clone()), |old| signed.also_signed_by(old))?)
            }
        };
        // Also one that was kept before: it may not be everywhere where the sink keeps it.
        sink.keep(&newest).map_err(crate::writer::WriteError::Checkpoint)?;
        let (frontier, tips) = (state.frontier, BTreeMap::new());
        let closed = closed.is_some();
        Ok(Self { store, sink, key, frontier, tips, newest, retiring: None, closed, stopped: false })
    }

    /// Appends entries in the order given and the new signed checkpoint, in one durable step.
    ///
    /// # Errors
    /// [`WriteError::Refused`] leaves the log as it was and running. After any other error nothing
    /// of this call is acknowledged (it may or may not be on disk) and the log has stopped.
    pub fn append(&mut self, submissions: &[Submission]) -> Result<Acknowledgement, WriteError> {
        self.check_open()?;
        if self.closed {
            return Err(WriteError::Closed);
        }
        for (position, submission) in submissions.iter().enumerate() {
            submission.check().map_err(|why| WriteError::Refused { position, why })?;
        }
        if submissions.is_empty() {
            return Ok(Acknowledgement::under(Arc::clone(&self.newest), Vec::new()));
        }
        let written = self.write(submissions);
        self.stopped = written.is_err();
        written
    }

    /// Begins this log as the one that continues another: its first entry holds the checkpoint of that log, which its key
    /// signed and whose signatures the caller has checked. What that log holds behind this checkpoint is not part of the
    /// history any more. `received_at` is in microseconds since 1970 UTC.
    ///
    /// # Errors
    /// [`WriteError::Notice`] when this log has entries, or is the same log; it is left as it was. Else as
    /// [`LogWriter::append`].
    pub fn continue_from(
        &mut self,
        predecessor: &SignedCheckpoint,
        received_at: i64,
    ) -> Result<Acknowledgement, WriteError> {
        self.append_notice(encode_continuation(predecessor)?, received_at)
    }

    /// Closes this log: only its entries of the checkpoint `last` belong to the history, and it takes no further entry.
    /// `successor` is the origin of the log that continues it, where that is known. `received_at` is in microseconds
    /// since 1970 UTC.
    ///
    /// # Errors
    /// [`WriteError::Notice`] when `last` is not a checkpoint of this log, or the successor is no log's name, or this
    /// log's own; it is left as it was. [`WriteError::Closed`] when it is closed. Else as [`LogWriter::append`].
    pub fn close(
        &mut self,
        last: &Checkpoint,
        successor: Option<&str>,
        received_at: i64,
    ) -> Result<Acknowledgement, WriteError> {
        let successor = successor.map(str::to_owned);
        let closing = Closing { size: last.size, root: last.root, successor };
        let sealed = self.append_notice(encode_closing(&closing)?, received_at)?;
        self.closed = true;
        Ok(sealed)
    }

    fn check_open(&self) -> Result<(), WriteError> {
        if self.stopped { Err(WriteError::Stopped) } else { Ok(()) }
    }

    /// Passes the log's key on: gives notice of it, and signs every checkpoint from there on with the new
    /// key, which its keeper has made durable before. Both keys sign the checkpoint that covers the notice, so that a
    /// reader who knows only the old key is led to the notice.
    ///
    /// # Errors
    /// [`WriteError::Rotation`] leaves the log as it was; else as [`LogWriter::append`].
    pub fn rotate(&mut self, new: SigningKey, received_at: i64) -> Result<Acknowledgement, WriteError> {
        let rotation = KeyRotation::make(&self.key, &new, self.frontier.size())?;
        let payload = encode_rotation(&rotation);
        self.retiring = Some(std::mem::replace(&mut self.key, new));
        let appended = self.append_notice(payload, received_at);
        let old = self.retiring.take();
        let refused = |error: &WriteError| {
            matches!(error, WriteError::Refused { .. } | WriteError::Notice(_) | WriteError::Closed)
        };
        if let (true, Some(old)) = (appended.as_ref().is_err_and(refused), old) {
            self.key = old;
        }
        appended
    }

    /// Appends a notice (see [`crate::notice::encode_redaction`]) to the log's own chain; `received_at` is
    /// in microseconds since 1970 UTC. The entries that it names as erased must be in the log under the digests it
    /// states: whoever verifies the log compares them.
    ///
    /// # Errors
    /// [`WriteError::Notice`] leaves the log as it was; else as [`LogWriter::append`].
    pub fn append_notice(
        &mut self,
        payload: Vec<u8>,
        received_at: i64,
    ) -> Result<Acknowledgement, WriteError> {
        self.check_open()?;
        self.check_notice(&payload)?;
        let refused = |why| WriteError::Refused { position: 0, why };
        let name = |text: &str| ChainName::new(text).map_err(EntryError::Chain).map_err(refused);
        let (chain, producer) = (name(LOG_CHAIN)?, name(LOG_PRODUCER)?);
        let first = self.store.chain(&chain)?.map_or(1, |tip| tip.last.saturating_add(1));
        let notice = Submission { producer, chain, first, count: 1, received_at, payload };
        notice.check_form().map_err(refused)?;
        let written = self.write(&[notice]);
        self.stopped = written.is_err();
        written
    }

    /// Whether a notice holds for what the log has.
    fn check_notice(&self, payload: &[u8]) -> Result<(), WriteError> {
        let notice = parse_notice(payload)?;
        if self.closed && !notice.may_follow_closing() {
            return Err(WriteError::Closed);
        }
        match notice {
            Notice::KeyRotated(_) => Ok(()),
            Notice::LogContinued(_) if self.frontier.size() > 0 => Err(NoticeError::NotFirst.into()),
            Notice::LogContinued(predecessor) => self.check_other(&predecessor.checkpoint().origin),
            Notice::LogClosed(closing) => self.check_closing(&closing),
            Notice::EntriesRedacted(redaction) => {
                for (index, digest) in &redaction.entries {
                    if *index >= self.frontier.size() {
                        return Err(NoticeError::NotBefore(*index).into());
                    }
                    if self.store.reader().leaf_hashes(*index, 1)? != [digest.leaf_hash()] {
                        return Err(NoticeError::OtherDigest(*index).into());
                    }
                }
                Ok(())
            }
            Notice::Unknown { kind } => Err(NoticeError::UnknownKind(kind).into()),
        }
    }

    /// Whether this is the name of another log.
    fn check_other(&self, origin: &str) -> Result<(), WriteError> {
        if origin == self.key.name() {
            return Err(NoticeError::Itself(origin.to_owned()).into());
        }
        Ok(())
    }

    fn check_closing(&self, closing: &Closing) -> Result<(), WriteError> {
        closing.successor.as_deref().map_or(Ok(()), |successor| self.check_other(successor))?;
        if closing.size > self.frontier.size() {
            return Err(NoticeError::ClosedBeyond(closing.size).into());
        }
        if range_root(&StoreNodes(self.store.reader()), 0, closing.size)? != closing.root {
            return Err(NoticeError::ClosedRoot(closing.size).into());
        }
        Ok(())
    }

    fn write(&mut self, submissions: &[Submission]) -> Result<Acknowledgement, WriteError> {
        let (batch, leaves) = self.seal(submissions)?;
        let signed = Arc::new(self.sign(&batch.frontier)?);
        let batch = WriteBatch { signed: Some(Arc::clone(&signed)), ..batch };
        self.store.append(&batch)?;
        let before = std::mem::replace(&mut self.frontier, batch.frontier);
        self.sink.follow(&signed)?;
        self.newest = signed;
        let tree_size = self.frontier.size();
        let reference =
            |(index, entry): (u64, &StoredEntry)| EntryReference { index, digest: entry.digest, tree_size };
        let entries = (batch.first_index..).zip(&batch.entries).map(reference).collect();
        let newest = Some(Arc::new(AppendedNodes::new(before, leaves)));
        Ok(Acknowledgement { entries, signed: Arc::clone(&self.newest), newest })
    }

    /// The entries and their leaf hashes.
    fn seal(&mut self, submissions: &[Submission]) -> Result<(WriteBatch, Vec<TreeHash>), WriteError> {
        let mut entries = Vec::with_capacity(submissions.len());
        for (position, submission) in submissions.iter().enumerate() {
            entries.push(self.seal_one(position, submission)?);
        }
        let hashes = entries.par_iter().with_min_len(256).map(|entry| entry.digest.leaf_hash());
        let leaves: Vec<_> = hashes.collect();
        let mut frontier = self.frontier.clone();
        frontier.extend(&leaves);
        Ok((WriteBatch { first_index: self.frontier.size(), entries, frontier, signed: None }, leaves))
    }

    fn seal_one(&mut self, position: usize, submission: &Submission) -> Result<StoredEntry, WriteError> {
        let header = EntryHeader {
            producer: submission.producer.clone(),
            chain: submission.chain.clone(),
            first: submission.first,
            count: submission.count,
            previous: self.chain_tip(&submission.chain)?,
            received_at: submission.received_at,
        };
        let bytes = encode_entry(&header, &submission.payload)
            .map_err(|why| WriteError::Refused { position, why })?;
        let digest = Digest::of(&bytes);
        if let Some(tip) = self.tips.get_mut(&header.chain) {
            *tip = digest;
        }
        let EntryHeader { chain, first, count, .. } = header;
        Ok(StoredEntry { bytes, digest, chain, first, count })
    }

    /// Digest of the chain's newest entry, asked of the store the first time.
    fn chain_tip(&mut self, chain: &ChainName) -> Result<Digest, StoreError> {
        if let Some(tip) = self.tips.get(chain) {
            return Ok(*tip);
        }
        let tip = self.store.chain(chain)?.map_or(Digest::ZERO, |tip| tip.digest);
        self.tips.insert(chain.clone(), tip);
        Ok(tip)
    }

    fn sign(&self, frontier: &Frontier) -> Result<SignedCheckpoint, WriteError> {
        let checkpoint = Checkpoint::of(self.key.name(), frontier);
        let signed = self.newest.checkpoint();
        let fork = checkpoint.size == signed.size && checkpoint.root != signed.root;
        if fork || checkpoint.size < signed.size {
            return Err(WriteError::WouldFork { size: checkpoint.size, signed: signed.size });
        }
        let signed = SignedCheckpoint::sign(&checkpoint, &self.key)?;
        Ok(match &self.retiring {
            Some(old) => signed.also_signed_by(old)?,
            None => signed,
        })
    }
}

impl<S: StoreWriter, H> LogWriter<S, H> {
    /// The store as the last append left it.
    pub fn reader(&self) -> &S::Reader {
        self.store.reader()
    }

    /// Checks the store against another checkpoint of this log, see [`check_store`].
    ///
    /// # Errors
    /// [`OpenError`] says what disagrees.
    pub fn check(&self, kept: &SignedCheckpoint) -> Result<StoreState, OpenError> {
        check_store(&self.store, Some(kept), &self.verifier_key())
    }
}

impl<S, H> LogWriter<S, H> {
    /// The newest signed checkpoint.
    pub fn signed_checkpoint(&self) -> Arc<SignedCheckpoint> {
        Arc::clone(&self.newest)
    }

    /// The public half of the key that signs.
    pub fn verifier_key(&self) -> VerifierKey {
        self.key.verifier_key()
    }

    /// Whether the log is closed: only payloads can be erased from it.
    pub const fn is_closed(&self) -> bool {
        self.closed
    }

    /// Whether a failure has stopped the log.
    pub const fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Returns the store and the checkpoint sink.
    pub fn into_parts(self) -> (S, H) {
        (self.store, self.sink)
    }
}

#[cfg(test)]
mod tests;
