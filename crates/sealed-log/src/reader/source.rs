//! Where the log reader gets its blocks from: an archive, or any store.

use crate::reader::block::Block;
use crate::reader::detail::{ArchiveDetail, FaultDetail};
use crate::reader::fault::{FaultKind, SealFault};
use crate::reader::left_out::LeftOut;
use crate::reader::raw_block::RawBlock;
use crate::store::{StoreError, StoreReader};
use tlog::checkpoint::SignedCheckpoint;
use tlog::note::VerifierKey;
use tlog::tree::TreeHash;

/// What a source says about the log it holds. Nothing of it is believed yet.
#[derive(Debug, Clone, Default)]
pub struct Claims {
    /// The checkpoint that travels with the entries.
    pub checkpoint: Option<SignedCheckpoint>,
    /// The verifier key that travels with the entries.
    pub key: Option<VerifierKey>,
    /// Whether every withheld payload has to be accounted for by a notice: so it is in a log's own
    /// store; a copy may withhold what it likes.
    pub all_accounted_for: bool,
    /// Entries the source holds past its checkpoint: durable, but never acknowledged.
    pub beyond_checkpoint: u64,
}

/// What a source gives next.
#[derive(Debug)]
pub enum Step {
    /// Entries.
    Block(RawBlock),
    /// Entries that this copy leaves out, and what proves where they were.
    LeftOut(LeftOut),
    /// Damage; the source goes on behind it.
    Fault(SealFault),
    /// There is no more.
    End,
}

impl Step {
    /// How many parts and entries it is, for whoever counts what comes.
    pub(crate) const fn parts_and_entries(&self) -> usize {
        match self {
            Self::Block(raw) => 1 + raw.count,
            Self::LeftOut(_) | Self::Fault(_) => 1,
            Self::End => 0,
        }
    }
}

/// The source's disk failed; how much is intact cannot be said.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// Reading failed.
    #[error("the log cannot be read: {0}")]
    Io(#[from] std::io::Error),
    /// The store failed.
    #[error("the log cannot be read: {0}")]
    Store(#[source] StoreError),
}

/// Entries in log order, in blocks.
pub trait EntrySource {
    /// What the source says about itself.
    fn claims(&self) -> &Claims;

    /// The next block, or the damage found instead of it.
    ///
    /// # Errors
    /// [`SourceError`] when the disk fails; damage is no error.
    fn next_step(&mut self) -> Result<Step, SourceError>;

    /// The leaf hash of an entry given before, `None` where the source cannot go back.
    fn leaf_hash(&self, _index: u64) -> Option<TreeHash> {
        None
    }

    /// Called for every block once it has been opened, in log order.
    fn opened(&mut self, _block: &Block) {}

    /// Asked once, at the end, for faults round the entries; `clean` when there was none so far.
    fn closing_faults(&mut self, _clean: bool) -> Vec<SealFault> {
        Vec::new()
    }
}

/// Entries read from a store at once.
const READ_AT_ONCE: usize = 256;

/// A store as a source. Reads up to the checkpoint's size when there is a checkpoint.
pub struct StoreSource<'a> {
    store: &'a (dyn StoreReader + Sync),
    claims: Claims,
    next: u64,
    end: u64,
}

impl std::fmt::Debug for StoreSource<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "StoreSource({} of {})", self.next, self.end)
    }
}

impl<'a> StoreSource<'a> {
    /// A store, with the checkpoint kept beside it and the log's key where they are known.
    #[must_use]
    pub fn new(
        store: &'a (dyn StoreReader + Sync),
        checkpoint: Option<SignedCheckpoint>,
        key: Option<VerifierKey>,
    ) -> Self {
        let size = store.size();
        let end = checkpoint.as_ref().map_or(size, |checkpoint| checkpoint.checkpoint().size.min(size));
        let claims = Claims { checkpoint, key, all_accounted_for: true, beyond_checkpoint: size - end };
        Self { store, claims, next: 0, end }
    }

    fn read(&mut self) -> Result<Step, StoreError> {
        let first = self.next;
        let most = READ_AT_ONCE.min(usize::try_from(self.end - first).unwrap_or(READ_AT_ONCE));
        let mut entries = self.store.read(first, most)?;
        entries.truncate(most);
        if entries.is_empty() {
            return Err(StoreError::Damaged { index: first, why: "the store gives nothing".to_owned() });
        }
        let leaves = self.store.leaf_hashes(first, entries.len());
        self.next += entries.len() as u64;
        Ok(Step::Block(RawBlock::from_store(first, entries, leaves.map_err(|error| error.to_string()))))
    }

    /// An entry that cannot be read; its leaf hash may still be there.
    fn unreadable(&mut self, why: &StoreError) -> Step {
        let first = self.next;
        self.next += 1;
        let leaf = self.store.leaf_hashes(first, 1).ok().and_then(|leaves| leaves.first().copied());
        Step::Block(RawBlock::unreadable(first, leaf, why.to_string()))
    }
}

impl EntrySource for StoreSource<'_> {
    fn claims(&self) -> &Claims {
        &self.claims
    }

    fn leaf_hash(&self, index: u64) -> Option<TreeHash> {
        self.store.leaf_hashes(index, 1).ok()?.first().copied()
    }

    fn next_step(&mut self) -> Result<Step, SourceError> {
        if self.next >= self.end {
            return Ok(Step::End);
        }
        match self.read() {
            Ok(step) => Ok(step),
            Err(error @ StoreError::Damaged { index, .. }) if index > self.next => {
                // A careful store reads up to the damage; this one does not. Read one by one.
                Ok(self.read_one().unwrap_or_else(|| self.unreadable(&error)))
            }
            Err(error @ StoreError::Damaged { .. }) => Ok(self.unreadable(&error)),
            Err(
                error @ (StoreError::Unopened(_)
                | StoreError::Disk(_)
                | StoreError::Machine(_)
                | StoreError::Stopped
                | StoreError::Closed
                | StoreError::WrongIndex { .. }),
            ) => Err(SourceError::Store(error)),
        }
    }
}

impl StoreSource<'_> {
    fn read_one(&mut self) -> Option<Step> {
        let first = self.next;
        let mut entries = self.store.read(first, 1).ok()?;
        entries.truncate(1);
        let leaves = self.store.leaf_hashes(first, entries.len()).map_err(|error| error.to_string());
        self.next += entries.len() as u64;
        (!entries.is_empty()).then(|| Step::Block(RawBlock::from_store(first, entries, leaves)))
    }
}

/// A log whose store cannot be opened: what stands beside the entries, and why none of them can be read.
#[derive(Debug)]
pub struct DamagedSource {
    claims: Claims,
    why: Option<String>,
}

impl DamagedSource {
    /// The checkpoint kept beside the store and the log's key where they are known; `why` is a sentence for
    /// people.
    #[must_use]
    pub fn new(checkpoint: Option<SignedCheckpoint>, key: Option<VerifierKey>, why: String) -> Self {
        let claims = Claims { checkpoint, key, ..Claims::default() };
        Self { claims, why: Some(why) }
    }
}

impl EntrySource for DamagedSource {
    fn claims(&self) -> &Claims {
        &self.claims
    }

    fn next_step(&mut self) -> Result<Step, SourceError> {
        let fault =
            |why| Step::Fault(SealFault::new(FaultKind::Unreadable, None, FaultDetail::NotOpened(why)));
        Ok(self.why.take().map_or(Step::End, fault))
    }
}

/// A fault of the frame round the entries.
pub(crate) fn frame_fault(detail: ArchiveDetail) -> SealFault {
    SealFault::new(FaultKind::Archive, None, FaultDetail::Archive(detail))
}
