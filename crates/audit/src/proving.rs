//! A log opened to prove something of it: its newest checkpoint, the hashes of its tree, and the entries
//! asked for. A store gives hashes from its tiles; of an archive all leaf hashes are computed, 32
//! bytes an entry.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::Path;

use sealed_log::entry::{ChainName, Digest};
use sealed_log::keys::KeyHistory;
use sealed_log::reader::Expectations;
use sealed_log::redaction::parse_kept;
use sealed_log::store::{StoreError, StoreNodes, StoreReader as _};
use sealed_log::writer::key_history;
use sealed_log_sled::SledReader;
use tlog::checkpoint::SignedCheckpoint;
use tlog::note::VerifierKey;
use tlog::proof::NodeSource;
use tlog::tree::TreeHash;

use crate::cli::LogRead;
use crate::failure::Failure;
use crate::language::texts;
use crate::log::OpenedLog;
use crate::seal_view::SealView;

/// Which entries are wanted.
pub(crate) enum Wanted<'a> {
    /// No entries, only hashes.
    Hashes,
    /// The one at this index.
    Index(u64),
    /// Those with this digest.
    Digest(Digest),
    /// Those at these indexes.
    Among(&'a BTreeSet<u64>),
    /// Those of a table that cover any of these sequences.
    Covering(&'a str, (u64, u64)),
}

impl Wanted<'_> {
    fn is(&self, index: u64, digest: &Digest, bytes: &[u8]) -> bool {
        match self {
            Self::Hashes => false,
            Self::Index(wanted) => *wanted == index,
            Self::Among(wanted) => wanted.contains(&index),
            Self::Digest(wanted) => wanted == digest,
            Self::Covering(table, (first, last)) => parse_kept(bytes)
                .map(|kept| kept.view)
                .is_ok_and(|view| view.chain == *table && view.first <= *last && view.last() >= *first),
        }
    }
}

/// A log to prove something of, and entries of it with their indexes.
pub(crate) struct ProvingLog {
    opened: OpenedLog,
    /// Leaf hashes of an archive.
    leaves: Vec<TreeHash>,
    /// Its newest checkpoint.
    pub(crate) signed: SignedCheckpoint,
    /// The key stored in the log.
    pub(crate) key: Option<VerifierKey>,
    /// Its keys, where its key was ever rotated.
    pub(crate) keys: KeyHistory,
    pub(crate) entries: Vec<(u64, Vec<u8>)>,
    /// Whether its seal holds, where all of it was read.
    pub(crate) seal: Option<SealView>,
}

impl ProvingLog {
    pub(crate) fn open(path: &Path, wanted: &Wanted<'_>) -> Result<Self, Failure> {
        Self::of(OpenedLog::open(path)?, path, wanted)
    }

    /// The same, with the credentials for a log that is served.
    pub(crate) fn open_as(ask: &LogRead, wanted: &Wanted<'_>) -> Result<Self, Failure> {
        Self::of(OpenedLog::open_as(ask)?, &ask.log, wanted)
    }

    /// The same of a log that is open already.
    pub(crate) fn of(opened: OpenedLog, path: &Path, wanted: &Wanted<'_>) -> Result<Self, Failure> {
        let Through { leaves, entries, signed, key, keys, seal } = match (opened.store(), wanted) {
            (
                Some((store, signed, key)),
                Wanted::Hashes | Wanted::Index(_) | Wanted::Among(_) | Wanted::Covering(..),
            ) => {
                let entries = stored(store, wanted).map_err(Failure::of_seal)?;
                let keys = key_history(store).map_err(Failure::of_seal)?;
                let (signed, key) = (signed.cloned(), key.cloned());
                Through { leaves: Vec::new(), entries, signed, key, keys, seal: None }
            }
            (Some(_), Wanted::Digest(_)) | (None, _) => read_through(&opened, path, wanted)?,
        };
        let signed = signed.ok_or_else(|| Failure::seal(texts().no_signed_checkpoint(path.display())))?;
        if let Some(key) = &key {
            keys.verify(&signed, key).map_err(|error| Failure::of_seal_in(path.display(), error))?;
        }
        Ok(Self { opened, leaves, signed, key, keys, entries, seal })
    }

    /// How many entries the newest checkpoint covers.
    pub(crate) fn size(&self) -> u64 {
        self.signed.checkpoint().size
    }
}

impl NodeSource for ProvingLog {
    type Error = StoreError;

    fn nodes(&self, level: u8, first: u64, count: usize) -> Result<Vec<TreeHash>, StoreError> {
        match self.opened.store() {
            Some((store, _, _)) => StoreNodes(store).nodes(level, first, count),
            None => Ok(self.leaves.nodes(level, first, count)?),
        }
    }
}

/// Entries that a store finds without reading all of them.
fn stored(store: &SledReader, wanted: &Wanted<'_>) -> Result<Vec<(u64, Vec<u8>)>, StoreError> {
    let mut indexes = Vec::new();
    match wanted {
        Wanted::Hashes | Wanted::Digest(_) => {}
        Wanted::Index(index) => indexes.extend((*index < store.size()).then_some(*index)),
        Wanted::Among(wanted) => indexes.extend(wanted.range(..store.size())),
        Wanted::Covering(table, (first, last)) => {
            let Ok(chain) = ChainName::new(table) else { return Ok(Vec::new()) };
            store.visit(&chain, *first..=*last, &mut |index, _| {
                indexes.push(index);
                ControlFlow::Continue(())
            })?;
            indexes.sort_unstable();
        }
    }
    let read = |index| Ok(store.read(index, 1)?.into_iter().next().map(|bytes| (index, bytes)));
    indexes.into_iter().filter_map(|index| read(index).transpose()).collect()
}

/// What was read from a log.
struct Through {
    leaves: Vec<TreeHash>,
    entries: Vec<(u64, Vec<u8>)>,
    signed: Option<SignedCheckpoint>,
    key: Option<VerifierKey>,
    keys: KeyHistory,
    seal: Option<SealView>,
}

/// Reads a whole log for its leaf hashes and the entries that are wanted.
fn read_through(opened: &OpenedLog, path: &Path, wanted: &Wanted<'_>) -> Result<Through, Failure> {
    let (mut leaves, mut entries) = (Vec::new(), Vec::new());
    let keeps_leaves = opened.store().is_none();
    let seal = opened.read(Expectations::default(), |window| {
        for entry in window.entries() {
            if keeps_leaves {
                leaves.push(entry.digest.leaf_hash());
            }
            if wanted.is(entry.index, &entry.digest, entry.bytes) {
                entries.push((entry.index, entry.bytes.to_vec()));
            }
        }
    })?;
    if seal.left_out > 0 && keeps_leaves {
        return Err(Failure::usage(texts().slice_proves_nothing(path.display())));
    }
    let view = Some(SealView::of(&seal));
    Ok(Through { leaves, entries, signed: seal.checkpoint, key: seal.key, keys: seal.keys, seal: view })
}
