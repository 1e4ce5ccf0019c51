//! Follows a log while it grows: hashes and links every entry as it comes and compares every new checkpoint with
//! what was read.
//!
//! It keeps the tree's right edge and the newest digest of each chain itself, so a log that does not extend what was
//! read before cannot pass. It stops at the first fault; [`crate::reader::LogReader`] finds all of them.

use std::collections::BTreeMap;

use crate::entry::{ChainName, Digest};
use crate::reader::detail::{FaultDetail, OtherRoot};
use crate::reader::fault::{FaultKind, SealFault};
use crate::reader::links::{Found, malformed, unlinked};
use crate::redaction::{KeptEntry, parse_kept, sealed_digest};
use tlog::checkpoint::Checkpoint;
use tlog::tree::{Frontier, TreeHash};

/// The state of a follower: the tree's right edge and the newest entry of each chain.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LogTail {
    frontier: Frontier,
    chains: BTreeMap<ChainName, Digest>,
}

impl LogTail {
    /// Goes on from a state that was kept: the tree's right edge, and the digest of each chain's newest entry.
    #[must_use]
    pub const fn resume(frontier: Frontier, chains: BTreeMap<ChainName, Digest>) -> Self {
        Self { frontier, chains }
    }

    /// Entries read.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.frontier.size()
    }

    /// The right edge of the tree over what was read.
    #[must_use]
    pub const fn frontier(&self) -> &Frontier {
        &self.frontier
    }

    /// Digest of the newest entry of each chain.
    #[must_use]
    pub const fn chains(&self) -> &BTreeMap<ChainName, Digest> {
        &self.chains
    }

    /// Reads the next entries, as a store keeps them; gives what they say, in order.
    ///
    /// # Errors
    /// The first [`SealFault`]: bytes that are no entry, or do not name the entry before them. A tail
    /// that met one goes no further.
    pub fn read<'a>(&mut self, entries: &'a [Vec<u8>]) -> Result<Vec<KeptEntry<'a>>, Box<SealFault>> {
        let mut leaves: Vec<TreeHash> = Vec::with_capacity(entries.len());
        let mut kept = Vec::with_capacity(entries.len());
        for (bytes, index) in entries.iter().zip(self.size()..) {
            let digest = sealed_digest(bytes);
            let entry = parse_kept(bytes).map_err(|error| at(index, malformed(0, error)))?;
            self.link(&entry, digest).map_err(|found| at(index, found))?;
            leaves.push(digest.leaf_hash());
            kept.push(entry);
        }
        self.frontier.extend(&leaves);
        Ok(kept)
    }

    fn link(&mut self, entry: &KeptEntry<'_>, digest: Digest) -> Result<(), Found> {
        let name = entry.view.chain;
        let newest = match self.chains.get_mut(name) {
            Some(known) => std::mem::replace(known, digest),
            None => {
                // The name was checked when the entry was read.
                self.chains.extend(ChainName::new(name).map(|name| (name, digest)));
                Digest::ZERO
            }
        };
        let previous = &entry.view.previous;
        if newest == *previous { Ok(()) } else { Err(unlinked(0, name, previous, &newest)) }
    }

    /// Compares what was read with a checkpoint of the same size. The caller checks the checkpoint's signature.
    ///
    /// # Errors
    /// [`SealFault`]: the checkpoint is of another size, or of other entries.
    pub fn check(&self, checkpoint: &Checkpoint) -> Result<(), Box<SealFault>> {
        let size = self.size();
        let fault = if checkpoint.size < size {
            let detail = FaultDetail::Shrunk { signed: checkpoint.size, read: size };
            SealFault::new(FaultKind::Missing, Some(checkpoint.size), detail)
        } else if checkpoint.size > size {
            let detail = FaultDetail::TooFewRead { read: size, signed: checkpoint.size };
            SealFault::new(FaultKind::Missing, Some(size), detail)
        } else if checkpoint.root != self.frontier.root() {
            let detail = FaultDetail::OtherRoot(OtherRoot::OfThoseRead(size));
            SealFault::new(FaultKind::Root, None, detail)
        } else {
            return Ok(());
        };
        Err(Box::new(fault))
    }
}

fn at(index: u64, found: Found) -> SealFault {
    let Found { chain, kind, detail, .. } = found;
    SealFault { index: Some(index), chain, kind, detail }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::entry::{EntryHeader, encode_entry};

    fn log(length: u64) -> Vec<Vec<u8>> {
        let mut newest: BTreeMap<&str, Digest> = BTreeMap::new();
        let entry = |index: u64| {
            let chain = ["mesa-1", "mesa-2", "mesa-3"][index as usize % 3];
            let header = EntryHeader {
                producer: "pit".parse().unwrap(),
                chain: chain.parse().unwrap(),
                first: index / 3 + 1,
                count: 1,
                previous: newest.get(chain).copied().unwrap_or(Digest::ZERO),
                received_at: 0,
            };
            let bytes = encode_entry(&header, &index.to_be_bytes()).unwrap();
            newest.insert(chain, Digest::of(&bytes));
            bytes
        };
        (0..length).map(entry).collect()
    }

    fn checkpoint(entries: &[Vec<u8>]) -> Checkpoint {
        let mut frontier = Frontier::default();
        entries.iter().for_each(|bytes| frontier.push_leaf(Digest::of(bytes).leaf_hash()));
        Checkpoint::of("casino.example/a", &frontier)
    }

    #[test]
    fn a_log_is_followed_checkpoint_by_checkpoint_and_after_a_pause() {
        let entries = log(700);
        let mut tail = LogTail::default();
        for pieces in [0..1, 1..300, 300..301, 301..700] {
            assert_eq!(tail.read(&entries[pieces.clone()]).unwrap().len(), pieces.len());
            tail.check(&checkpoint(&entries[..pieces.end])).unwrap();
            tail = LogTail::resume(tail.frontier().clone(), tail.chains().clone());
        }
        assert_eq!((tail.size(), tail.chains().len()), (700, 3));
    }

    #[test]
    fn another_past_an_altered_entry_and_a_lost_one_are_reported() {
        let entries = log(30);
        let mut tail = LogTail::default();
        tail.read(&entries[..20]).unwrap();
        let kind_of = |fault: Box<SealFault>| (fault.kind, fault.index);
        assert_eq!(
            kind_of(tail.check(&checkpoint(&entries[..10])).unwrap_err()),
            (FaultKind::Missing, Some(10))
        );
        assert_eq!(kind_of(tail.check(&checkpoint(&entries)).unwrap_err()), (FaultKind::Missing, Some(20)));
        let mut others = entries.clone();
        others.swap(3, 4);
        assert_eq!(kind_of(tail.check(&checkpoint(&others[..20])).unwrap_err()), (FaultKind::Root, None));
        assert_eq!(kind_of(tail.clone().read(&entries[21..]).unwrap_err()), (FaultKind::Link, Some(22)));
        let cut = [entries[20][..9].to_vec()];
        assert_eq!(kind_of(tail.read(&cut).unwrap_err()), (FaultKind::EntryMalformed, Some(20)));
    }
}
