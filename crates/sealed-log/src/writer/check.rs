//! Start-up checks: a store is not trusted until it agrees with the checkpoint that was kept outside it.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::entry::ChainName;
use crate::entry::LOG_CHAIN;
use crate::keys::KeyHistory;
use crate::notice::{Closing, Notice, NoticeError, OwnChain, check_own, parse_notice};
use crate::redaction::{KeptEntry, parse_kept, sealed_digest};
use crate::store::{StoreError, StoreNodes, StoreReader, StoreWriter};
use tlog::checkpoint::{CheckpointError, SignedCheckpoint};
use tlog::note::VerifierKey;
use tlog::proof::{NodeSource as _, range_root, recomputed_root};
use tlog::tree::{Frontier, TreeHash};

/// At least this many of the newest leaf hashes are hashed again at start-up.
const EDGE_LEAVES: u64 = 65_536;
/// Entries of one tile; the newest, possibly partial tile is checked against the entries' bytes.
const TILE: u64 = 256;
const READ_AT_ONCE: usize = 256;

/// A store that was found to agree with its signed checkpoints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreState {
    /// The tree's right edge.
    pub frontier: Frontier,
    /// The newest signed checkpoint: the one kept outside, or the store's own where that is newer.
    pub signed: Option<Arc<SignedCheckpoint>>,
    /// Entries past it: never signed nor acknowledged. They are kept, and the next checkpoint covers them.
    pub ahead: u64,
}

/// Why a store must not be used.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// There are entries but no checkpoint.
    #[error(
        "the store holds {size} entries but the newest signed checkpoint is missing; put the checkpoint file back, \
         or export the entries and verify them against a checkpoint that somebody else kept"
    )]
    CheckpointMissing {
        /// Entries in the store.
        size: u64,
    },
    /// The kept checkpoint cannot be believed.
    #[error("the kept checkpoint is not this log's: {0}; put the right checkpoint file (or key) back")]
    Checkpoint(#[from] CheckpointError),
    /// The log's key was rotated, and the key in force is not one of those given.
    #[error("the log's key passed on at entry {at} to {key}; put that key's file back")]
    Key {
        /// Index of the notice.
        at: u64,
        /// The key in force.
        key: String,
    },
    /// The log is closed: nothing more is recorded in it.
    #[error(
        "the log was closed at entry {index} and takes no further entry; {}",
        continued_by(successor.as_deref())
    )]
    Closed {
        /// The notice that closes it.
        index: u64,
        /// The origin of the log that continues it, where the notice names it.
        successor: Option<String>,
    },
    /// What the log says about itself is not believed.
    #[error("what the log says about itself at entry {index} is not believed: {why}; restore a sound copy")]
    Notice {
        /// The notice.
        index: u64,
        /// What is wrong with it.
        why: String,
    },
    /// Entries that were signed for are gone.
    #[error(
        "the store holds {size} entries but {kept} were signed for: it was cut or restored from an old copy; \
         keep it as it is, and restore a copy that holds all {kept}"
    )]
    Shorter {
        /// Entries in the store.
        size: u64,
        /// Size of the kept checkpoint.
        kept: u64,
    },
    /// The store's history is not the signed one.
    #[error(
        "the first {kept} entries do not give the root that was signed for them: entries were altered or replaced; \
         keep the store as it is, and restore a copy that agrees with the checkpoint"
    )]
    Different {
        /// Size of the kept checkpoint.
        kept: u64,
    },
    /// What the store keeps contradicts itself near its end.
    #[error(
        "the store contradicts itself at entry {index}: {why}; keep it as it is, and restore a sound copy"
    )]
    RightEdge {
        /// First entry concerned.
        index: u64,
        /// What disagrees.
        why: String,
    },
    /// The store cannot be read.
    #[error("the store cannot be read: {0}")]
    Store(#[from] StoreError),
    /// A new checkpoint could not be made.
    #[error("the checkpoint found at start-up could not be signed and kept: {0}")]
    Write(#[from] crate::writer::WriteError),
}

fn continued_by(successor: Option<&str>) -> String {
    match successor {
        Some(successor) => format!("record in the log `{successor}`, which continues it"),
        None => "record in the log that continues it".to_owned(),
    }
}

/// What a store says of the log's keys. Every entry of the log's own chain is read.
///
/// # Errors
/// [`OpenError::Notice`], or [`OpenError::Store`] when notices cannot be read.
pub fn key_history<S: StoreReader + ?Sized>(store: &S) -> Result<KeyHistory, OpenError> {
    let rotation = |notice| match notice {
        Notice::KeyRotated(rotation) => Some(*rotation),
        Notice::EntriesRedacted(_)
        | Notice::LogContinued(_)
        | Notice::LogClosed(_)
        | Notice::Unknown { .. } => None,
    };
    let mut keys = KeyHistory::default();
    for (index, rotation) in own_chain(store, rotation)? {
        keys.add(index, rotation).map_err(|error| OpenError::Notice { index, why: error.to_string() })?;
    }
    Ok(keys)
}

/// The notices on the log's own chain, in log order, by the index of their entry.
///
/// # Errors
/// [`OpenError::Notice`] when one is not a notice, or is not the next of its chain; or [`OpenError::Store`].
pub fn notices<S: StoreReader + ?Sized>(store: &S) -> Result<Vec<(u64, Notice)>, OpenError> {
    own_chain(store, Some)
}

/// Which log a store's log continues, and whether it is closed: what its notices say of logs before and behind it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Succession {
    /// The checkpoint of the log that this one continues. Its signatures are not checked.
    pub continued: Option<SignedCheckpoint>,
    /// The notice that closes the log, with its index.
    pub closed: Option<(u64, Closing)>,
}

/// Reads which log the log `origin` continues, and whether it is closed, and holds both against the store, as whoever
/// verifies the log does.
///
/// # Errors
/// [`OpenError::Notice`] when a notice does not hold, [`OpenError::RightEdge`] when entries stand behind the one that
/// closes the log; or [`OpenError::Store`].
pub fn succession<S: StoreReader + ?Sized>(store: &S, origin: &str) -> Result<Succession, OpenError> {
    let mut found = Succession::default();
    let mut behind = 0;
    for (index, notice) in notices(store)? {
        let wrong = |error: NoticeError| OpenError::Notice { index, why: error.to_string() };
        let itself = |name: &str| (name == origin).then(|| wrong(NoticeError::Itself(name.to_owned())));
        if found.closed.is_some() {
            behind += u64::from(notice.may_follow_closing());
            continue;
        }
        match notice {
            Notice::LogContinued(_) if index != 0 => return Err(wrong(NoticeError::NotFirst)),
            Notice::LogContinued(predecessor) => {
                if let Some(error) = itself(&predecessor.checkpoint().origin) {
                    return Err(error);
                }
                found.continued = Some(*predecessor);
            }
            Notice::LogClosed(closing) => {
                if let Some(error) = closing.successor.as_deref().and_then(itself) {
                    return Err(error);
                }
                if closing.size > index {
                    return Err(wrong(NoticeError::ClosedBeyond(closing.size)));
                }
                if range_root(&StoreNodes(store), 0, closing.size)? != closing.root {
                    return Err(wrong(NoticeError::ClosedRoot(closing.size)));
                }
                found.closed = Some((index, closing));
            }
            Notice::KeyRotated(_) | Notice::EntriesRedacted(_) | Notice::Unknown { .. } => {}
        }
    }
    match &found.closed {
        Some((closed, _)) if store.size() > closed.saturating_add(1).saturating_add(behind) => {
            let why = format!("entries stand behind entry {closed}, with which the log is closed");
            Err(OpenError::RightEdge { index: closed.saturating_add(1), why })
        }
        Some(_) | None => Ok(found),
    }
}

/// An entry of the log's own chain: its first and last position, and what is wanted of its notice.
type OwnEntry<T> = Result<(u64, u64, Option<T>), String>;

/// Reads the log's own chain, checks it as whoever verifies the log does, and gives what is wanted of its notices.
fn own_chain<S: StoreReader + ?Sized, T>(
    store: &S,
    wanted: impl Fn(Notice) -> Option<T>,
) -> Result<Vec<(u64, T)>, OpenError> {
    let Ok(chain) = ChainName::new(LOG_CHAIN) else { return Ok(Vec::new()) };
    let mut entries: BTreeMap<u64, OwnEntry<T>> = BTreeMap::new();
    store.visit(&chain, 0..=u64::MAX, &mut |index, bytes| {
        entries.insert(index, own_entry(index, bytes, &wanted));
        ControlFlow::Continue(())
    })?;
    let (mut positions, mut found) = (OwnChain::default(), Vec::new());
    for (index, entry) in entries {
        let wrong = |why: String| OpenError::Notice { index, why };
        let (first, last, notice) = entry.map_err(wrong)?;
        positions.follow(first, last, false).map_err(|error| wrong(error.to_string()))?;
        found.extend(notice.map(|notice| (index, notice)));
    }
    Ok(found)
}

fn own_entry<T>(index: u64, bytes: &[u8], wanted: impl Fn(Notice) -> Option<T>) -> OwnEntry<T> {
    let KeptEntry { view, withheld } = parse_kept(bytes).map_err(|error| error.to_string())?;
    check_own(&view, withheld.is_some()).map_err(|error| error.to_string())?;
    let notice = parse_notice(view.payload).map_err(|error| error.to_string())?;
    if let Notice::EntriesRedacted(redaction) = &notice
        && let Some((named, _)) = redaction.entries.iter().find(|(named, _)| *named >= index)
    {
        return Err(NoticeError::NotBefore(*named).to_string());
    }
    Ok((view.first, view.last(), wanted(notice)))
}

/// Compares a store with the newest signed checkpoint kept outside it and with its own, and its right edge with
/// itself.
///
/// A store with more entries than the checkpoint kept outside is legal: that one follows a moment later. At least
/// the newest 65,536 leaf hashes are hashed again up to the signed root, and the newest tile (up to 256 entries)
/// is checked against the entries' bytes.
///
/// # Errors
/// [`OpenError`] says what disagrees and what to do; the store must then not be written.
pub fn check_store<S: StoreWriter + ?Sized>(
    store: &S,
    kept: Option<&SignedCheckpoint>,
    key: &VerifierKey,
) -> Result<StoreState, OpenError> {
    let reader = store.reader();
    let (size, frontier) = (reader.size(), reader.frontier());
    if frontier.size() != size {
        let why = format!("it counts {size} entries, its tree {}", frontier.size());
        return Err(OpenError::RightEdge { index: size.min(frontier.size()), why });
    }
    let (signed, ahead) = match kept {
        Some(kept) => newest_checkpoint(reader, &frontier, kept, key)?,
        None if size == 0 => (None, 0),
        None => return Err(OpenError::CheckpointMissing { size }),
    };
    check_edge(reader, &frontier)?;
    check_newest_tile(store, size)?;
    Ok(StoreState { frontier, signed, ahead })
}

/// The newest of the two checkpoints, each checked, and how many entries the store has past it.
fn newest_checkpoint<S: StoreReader + ?Sized>(
    store: &S,
    frontier: &Frontier,
    kept: &SignedCheckpoint,
    key: &VerifierKey,
) -> Result<(Option<Arc<SignedCheckpoint>>, u64), OpenError> {
    let keys = key_history(store)?;
    let check = |signed| {
        keys.verify(signed, key)?;
        check_signed(store, frontier, signed)
    };
    let ahead = check(kept)?;
    if let Some(own) = store.signed_checkpoint() {
        let own_ahead = check(&own).map_err(|error| OpenError::RightEdge {
            index: frontier.size().saturating_sub(1),
            why: format!("the checkpoint it keeps does not agree with it ({error})"),
        })?;
        if own_ahead < ahead {
            return Ok((Some(own), own_ahead));
        }
    }
    Ok((Some(Arc::new(kept.clone())), ahead))
}

/// How many entries the store has past a checkpoint, whose signature holds.
fn check_signed<S: StoreReader + ?Sized>(
    store: &S,
    frontier: &Frontier,
    kept: &SignedCheckpoint,
) -> Result<u64, OpenError> {
    let kept = kept.checkpoint();
    let size = frontier.size();
    let ahead = size.checked_sub(kept.size).ok_or(OpenError::Shorter { size, kept: kept.size })?;
    let root = if ahead == 0 { frontier.root() } else { recomputed_root(&StoreNodes(store), 0, kept.size)? };
    if root != kept.root {
        return Err(OpenError::Different { kept: kept.size });
    }
    Ok(ahead)
}

/// The frontier's smallest subtrees, from the right, follow from the leaf hashes. Of a subtree
/// too large for that its newest leaves do, and the tiles above them give its root: so this takes
/// as long for a large log as for a small one.
fn check_edge<S: StoreReader + ?Sized>(store: &S, frontier: &Frontier) -> Result<(), OpenError> {
    let mut rest = frontier.size();
    for hash in frontier.hashes().iter().rev() {
        let count = 1 << rest.trailing_zeros();
        rest -= count;
        check_subtree(store, rest, count, hash)?;
        if frontier.size() - rest >= EDGE_LEAVES {
            return Ok(());
        }
    }
    Ok(())
}

fn check_subtree<S: StoreReader + ?Sized>(
    store: &S,
    first: u64,
    count: u64,
    hash: &TreeHash,
) -> Result<(), OpenError> {
    let nodes = StoreNodes(store);
    let newest = first + count - count.min(EDGE_LEAVES);
    let from_leaves = recomputed_root(&nodes, newest, count.min(EDGE_LEAVES))?;
    let agrees = if count <= EDGE_LEAVES {
        from_leaves == *hash
    } else {
        // 65,536 leaves are one hash of level 2.
        let kept = nodes.nodes(2, newest / EDGE_LEAVES, 1)?;
        kept == [from_leaves] && range_root(&nodes, first, count)? == *hash
    };
    if agrees {
        return Ok(());
    }
    let why =
        format!("the tree kept for entries {first} to {} is not that of their hashes", first + count - 1);
    Err(OpenError::RightEdge { index: first, why })
}

/// The newest tile's leaf hashes follow from the entries, and its newest entry is the tip of its chain.
fn check_newest_tile<S: StoreWriter + ?Sized>(store: &S, size: u64) -> Result<(), OpenError> {
    let reader = store.reader();
    let mut index = size.saturating_sub(1) / TILE * TILE;
    while index < size {
        let entries = reader.read(index, READ_AT_ONCE.min((size - index) as usize))?;
        if entries.is_empty() {
            return Err(OpenError::RightEdge { index, why: "the entry is missing".to_owned() });
        }
        let leaves = reader.leaf_hashes(index, entries.len())?;
        for (bytes, leaf) in entries.iter().zip(leaves) {
            check_entry(store, index, bytes, &leaf, index + 1 == size)?;
            index += 1;
        }
    }
    Ok(())
}

fn check_entry<S: StoreWriter + ?Sized>(
    store: &S,
    index: u64,
    bytes: &[u8],
    leaf: &TreeHash,
    newest: bool,
) -> Result<(), OpenError> {
    let wrong = |why: String| OpenError::RightEdge { index, why };
    let digest = sealed_digest(bytes);
    if digest.leaf_hash() != *leaf {
        return Err(wrong("its bytes are not those that were sealed".to_owned()));
    }
    let view = parse_kept(bytes).map_err(|error| wrong(error.to_string()))?.view;
    let chain = ChainName::new(view.chain).map_err(|error| wrong(error.to_string()))?;
    match store.chain(&chain)? {
        None => Err(wrong(format!("the store does not know its chain `{chain}`"))),
        Some(tip) if newest && (tip.index != index || tip.digest != digest) => {
            Err(wrong(format!("the store names entry {} as the newest of chain `{chain}`", tip.index)))
        }
        Some(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests;
