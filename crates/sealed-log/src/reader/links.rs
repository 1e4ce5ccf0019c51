//! How the entries of a block name their predecessors, chain by chain.

use crate::entry::chain_name_offset;
use crate::entry::{Digest, EntryError, EntryView};
use crate::reader::block::Block;
use crate::reader::detail::FaultDetail;
use crate::reader::fault::FaultKind;
use crate::redaction::parse_kept;
use std::collections::BTreeMap;

/// What was found wrong while a block was opened: which of its entries, and what.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) position: Option<usize>,
    pub(crate) chain: Option<String>,
    pub(crate) kind: FaultKind,
    pub(crate) detail: FaultDetail,
}

/// The entries of one chain in one block, or a point where links cannot be followed.
#[derive(Debug)]
pub(crate) enum Link {
    Chain(ChainLink),
    Break,
}

/// Consecutive entries of one chain that link to each other.
#[derive(Debug)]
pub(crate) struct ChainLink {
    /// Range of the chain's name in the block's bytes.
    pub(crate) name: std::ops::Range<usize>,
    /// Which entry of the block comes first.
    pub(crate) position: usize,
    /// What that first entry names as its predecessor.
    pub(crate) previous: Digest,
    /// The digest of the last entry.
    pub(crate) newest: Digest,
    /// Lowest chain position covered.
    pub(crate) low: u64,
    /// Highest chain position covered.
    pub(crate) high: u64,
}

/// Parses every entry of a block and follows each chain inside it. Behind an entry that was
/// altered or is no entry the links of every chain are open: its chain's next entry names a digest
/// nobody can know.
pub(crate) fn follow(block: &Block) -> (Vec<Link>, Vec<Found>) {
    let (mut links, mut found) = (Vec::new(), Vec::new());
    let mut open: BTreeMap<&str, usize> = BTreeMap::new();
    for (position, digest) in block.digests().iter().enumerate() {
        let kept = match parse_kept(block.bytes(position)) {
            Ok(kept) if !block.is_altered(position) => kept,
            parsed => {
                found.extend(parsed.err().map(|error| malformed(position, error)));
                links.push(Link::Break);
                open.clear();
                continue;
            }
        };
        let view = kept.view;
        let current = open.get(view.chain).and_then(|&at| links.get_mut(at));
        if let Some(Link::Chain(link)) = current {
            if link.newest != view.previous {
                found.push(unlinked(position, view.chain, &view.previous, &link.newest));
            }
            link.extend(&view, *digest);
            continue;
        }
        let name = block.start(position) + chain_name_offset(&view, kept.before_producer());
        open.insert(view.chain, links.len());
        links.push(Link::Chain(ChainLink::new(&view, name, position, *digest)));
    }
    (links, found)
}

impl ChainLink {
    fn new(view: &EntryView<'_>, name: usize, position: usize, digest: Digest) -> Self {
        Self {
            name: name..name + view.chain.len(),
            position,
            previous: view.previous,
            newest: digest,
            low: view.first,
            high: view.last(),
        }
    }

    fn extend(&mut self, view: &EntryView<'_>, digest: Digest) {
        self.newest = digest;
        self.low = self.low.min(view.first);
        self.high = self.high.max(view.last());
    }
}

pub(crate) fn unlinked(position: usize, chain: &str, previous: &Digest, newest: &Digest) -> Found {
    let detail = FaultDetail::OtherPrevious {
        chain: chain.to_owned(),
        named: Box::new(*previous),
        newest: Box::new(*newest),
    };
    Found { position: Some(position), chain: Some(chain.to_owned()), kind: FaultKind::Link, detail }
}

pub(crate) fn malformed(position: usize, error: EntryError) -> Found {
    let kind = match &error {
        EntryError::UnknownVersion(_) => FaultKind::UnknownVersion,
        EntryError::Malformed { .. }
        | EntryError::TooLong(_)
        | EntryError::Producer(_)
        | EntryError::Chain(_)
        | EntryError::ReservedChain
        | EntryError::ZeroFirst
        | EntryError::Count(_)
        | EntryError::Overflow { .. } => FaultKind::EntryMalformed,
    };
    Found { position: Some(position), chain: None, kind, detail: FaultDetail::NotAnEntry(error) }
}
