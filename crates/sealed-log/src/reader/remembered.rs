//! The digests of the entries read so far, so that a notice that names some of them can be compared. A notice stands behind
//! what it names, and most sources cannot be read backwards.

use crate::entry::Digest;
use crate::reader::block::Block;
use tlog::tree::{Frontier, TreeHash};

/// Most digests that are remembered: 32 MiB. A store is asked for what is not.
pub(crate) const MAX_REMEMBERED: usize = 1 << 20;

/// The digests of the first entries.
#[derive(Debug, Default)]
pub(crate) struct Remembered {
    /// The index of a block's first entry, and the block's digests; in log order.
    blocks: Vec<(u64, Box<[Digest]>)>,
    count: usize,
    /// The index from which on nothing is remembered.
    until: Option<u64>,
}

/// What is known of an entry that a notice names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Named {
    /// It was read, and this is its digest.
    Read(Digest),
    /// It was not read: it is left out, or damaged, which is reported elsewhere.
    NotRead,
    /// It may have been read, and is not remembered.
    Forgotten,
}

impl Remembered {
    /// Takes the digests of a block.
    pub(crate) fn note(&mut self, block: &Block) {
        if block.is_empty() || self.until.is_some() {
            return;
        }
        if self.count + block.len() > MAX_REMEMBERED {
            self.until = Some(block.first_index);
            return;
        }
        self.count += block.len();
        self.blocks.push((block.first_index, block.digests().into()));
    }

    /// The root of the first so many entries, where each of them is remembered.
    pub(crate) fn root_of(&self, size: u64) -> Option<TreeHash> {
        let mut frontier = Frontier::default();
        for (first, digests) in &self.blocks {
            if frontier.size() == size || *first != frontier.size() {
                break;
            }
            let missing = usize::try_from(size - frontier.size()).unwrap_or(usize::MAX);
            digests.iter().take(missing).for_each(|digest| frontier.push_leaf(digest.leaf_hash()));
        }
        (frontier.size() == size).then(|| frontier.root())
    }

    pub(crate) fn of(&self, index: u64) -> Named {
        if self.until.is_some_and(|until| index >= until) {
            return Named::Forgotten;
        }
        let before = self.blocks.partition_point(|(first, _)| *first <= index);
        let found = before
            .checked_sub(1)
            .and_then(|at| self.blocks.get(at))
            .and_then(|(first, digests)| digests.get(usize::try_from(index.checked_sub(*first)?).ok()?));
        found.map_or(Named::NotRead, |digest| Named::Read(*digest))
    }
}
