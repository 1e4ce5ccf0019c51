//! A block of consecutive entries: opened, hashed, parsed and linked on its own, so that many can
//! be worked on at once.

use crate::entry::{Digest, EntryError, EntryView};
use crate::reader::detail::{ArchiveDetail, FaultDetail, Unreadable};
use crate::reader::fault::FaultKind;
use crate::reader::links::{ChainLink, Found, Link, follow};
use crate::reader::raw_block::BlockHeader;
use crate::reader::raw_block::{Content, RawBlock, unpack};
use crate::redaction::{is_redacted, parse_kept, sealed_digest};
use std::collections::BTreeMap;
use tlog::tree::TreeHash;
use zstd::bulk::Decompressor;

/// A block whose entries have been hashed and checked against what was kept for them.
#[derive(Debug, Default)]
pub struct Block {
    pub(crate) first_index: u64,
    /// Entries that were lost: they were counted, but cannot be read.
    pub(crate) lost: usize,
    /// Whether the source's checksum over the block held (always for a store).
    pub(crate) sound: bool,
    raw: Vec<u8>,
    ends: Vec<usize>,
    digests: Vec<Digest>,
    altered: Vec<usize>,
    pub(crate) leaves: Vec<TreeHash>,
    /// Kept leaf hashes where they are not the computed ones; `None` inside when there are none.
    pub(crate) other_leaves: Option<Option<Vec<TreeHash>>>,
    pub(crate) links: Vec<Link>,
    /// Entries right before which others of their chain are left out: few, and reported by the reader.
    pub(crate) after_left_out: Vec<usize>,
    pub(crate) found: Vec<Found>,
}

/// One entry of an opened block.
#[derive(Debug, Clone)]
pub struct SealedEntry<'a> {
    /// Log index, from 0.
    pub index: u64,
    /// BLAKE3 of the bytes, computed from them; for a redacted entry the digest it states.
    pub digest: Digest,
    /// The entry's bytes, whole or redacted.
    pub bytes: &'a [u8],
    /// The entry, or why it cannot be read. Where the payload is withheld it is empty.
    pub view: Result<EntryView<'a>, EntryError>,
    /// Whether the payload is withheld: the bytes are a redacted entry.
    pub withheld: bool,
    /// Whether entries of its chain are left out of this copy right before it, by its own word and
    /// the proofs that the copy has for them.
    pub after_left_out: bool,
    /// Whether the bytes are not those that were sealed. There is a fault for it as well.
    pub altered: bool,
}

impl Block {
    /// The block's readable entries in log order.
    pub fn entries(&self) -> impl Iterator<Item = SealedEntry<'_>> {
        (0..self.digests.len()).map(move |position| {
            let bytes = self.bytes(position);
            let kept = parse_kept(bytes);
            SealedEntry {
                index: self.first_index + position as u64,
                digest: self.digests[position],
                bytes,
                withheld: kept.as_ref().is_ok_and(|kept| kept.withheld.is_some()),
                after_left_out: self.after_left_out.contains(&position),
                view: kept.map(|kept| kept.view),
                altered: self.is_altered(position),
            }
        })
    }

    /// How many entries are readable.
    #[must_use]
    pub fn len(&self) -> usize {
        self.digests.len()
    }

    /// Whether no entry is readable.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.digests.is_empty()
    }

    /// The index behind the last entry, lost ones included.
    pub(crate) fn end(&self) -> u64 {
        self.first_index.saturating_add((self.digests.len() + self.lost) as u64)
    }

    /// This block where it stands past the largest index: nothing of it is an entry of the log.
    pub(crate) fn past_the_largest_index(self) -> Self {
        let mut block = Self { first_index: self.first_index, found: self.found, ..Self::default() };
        block.links.push(Link::Break);
        block.other_leaves = Some(None);
        block.find(Some(0), FaultKind::Surplus, FaultDetail::PastTheLargestIndex);
        block
    }

    /// Hashes every entry again and does nothing else: the baseline for measurements.
    #[must_use]
    pub fn hash_only(&self) -> Digest {
        let mut sum = [0; 32];
        for position in 0..self.digests.len() {
            let digest = Digest::of(self.bytes(position));
            sum.iter_mut().zip(digest.as_bytes()).for_each(|(sum, byte)| *sum ^= byte);
        }
        Digest::from_bytes(sum)
    }

    /// Whether an entry of the chain is here.
    pub(crate) fn has_chain(&self, name: &str) -> bool {
        self.links.iter().any(|link| matches!(link, Link::Chain(link) if self.chain_name(link) == name))
    }

    /// Index and digest of the entries of which only a redacted entry is here.
    pub(crate) fn withheld_entries(&self) -> impl Iterator<Item = (u64, Digest)> {
        let withheld = (0..self.digests.len()).filter(|position| is_redacted(self.bytes(*position)));
        withheld.map(|position| (self.first_index + position as u64, self.digests[position]))
    }

    pub(crate) fn is_altered(&self, position: usize) -> bool {
        self.altered.binary_search(&position).is_ok()
    }

    pub(crate) fn bytes(&self, position: usize) -> &[u8] {
        &self.raw[self.start(position)..self.ends[position]]
    }

    pub(crate) fn start(&self, position: usize) -> usize {
        position.checked_sub(1).map_or(0, |before| self.ends[before])
    }

    pub(crate) fn chain_name(&self, link: &ChainLink) -> &str {
        // The name was read as text before; the range cannot point elsewhere.
        std::str::from_utf8(&self.raw[link.name.clone()]).unwrap_or_default()
    }

    /// The chains of the block in order of their names, with the positions they cover.
    pub(crate) fn chain_ranges(&self) -> BTreeMap<&str, (u64, u64)> {
        let mut ranges: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
        for link in &self.links {
            if let Link::Chain(link) = link {
                let range = ranges.entry(self.chain_name(link)).or_insert((link.low, link.high));
                *range = (range.0.min(link.low), range.1.max(link.high));
            }
        }
        ranges
    }

    /// Opens a block: unpacks it, hashes every entry, compares each with what was kept for it,
    /// parses it, and follows the links inside the block.
    pub(crate) fn open(raw: RawBlock, decompressor: Option<&mut Decompressor<'static>>) -> Self {
        let mut block = Self { first_index: raw.first_index, sound: true, ..Self::default() };
        match raw.content {
            Content::Section { body, check } => block.open_section(&body, &check, decompressor),
            Content::Entries { entries, leaves } => block.open_entries(&entries, leaves),
            Content::Unreadable { leaf, why } => {
                block.lose(1, leaf.map(|leaf| vec![leaf]), Unreadable::Store(why));
            }
        }
        block
    }

    /// Hashes entries that are being sealed right now.
    pub(crate) fn seal(first_index: u64, raw: Vec<u8>, ends: Vec<usize>) -> Self {
        let mut block = Self { first_index, sound: true, raw, ends, ..Self::default() };
        block.hash();
        block.parse_and_link();
        block
    }

    pub(crate) fn digests(&self) -> &[Digest] {
        &self.digests
    }

    fn open_section(
        &mut self,
        body: &[u8],
        check: &[u8; 32],
        decompressor: Option<&mut Decompressor<'static>>,
    ) {
        self.sound = blake3::hash(body).as_bytes() == check;
        if !self.sound {
            self.find(None, FaultKind::Archive, FaultDetail::Archive(ArchiveDetail::BlockAltered));
        }
        let Some((header, kept, packed)) = BlockHeader::split(body) else {
            self.lose(0, None, Unreadable::Header);
            return;
        };
        match unpack(packed, header.raw_length, header.count, decompressor) {
            Ok((raw, ends)) => {
                (self.raw, self.ends) = (raw, ends);
                self.hash();
                self.compare_digests(&kept);
                self.parse_and_link();
            }
            Err(why) => self.lose(kept.len(), Some(kept.iter().map(Digest::leaf_hash).collect()), why),
        }
    }

    fn open_entries(&mut self, entries: &[Vec<u8>], leaves: Result<Vec<TreeHash>, String>) {
        for entry in entries {
            self.raw.extend_from_slice(entry);
            self.ends.push(self.raw.len());
        }
        self.hash();
        match leaves {
            Ok(kept) if kept.len() == self.leaves.len() => self.compare_leaves(kept),
            Ok(_) => self.no_leaves(Unreadable::OtherCount),
            Err(why) => self.no_leaves(Unreadable::Store(why)),
        }
        self.parse_and_link();
    }

    fn no_leaves(&mut self, why: Unreadable) {
        self.other_leaves = Some(None);
        self.find(Some(0), FaultKind::Unreadable, FaultDetail::LeavesUnreadable(why));
    }

    fn lose(&mut self, count: usize, kept: Option<Vec<TreeHash>>, why: Unreadable) {
        self.lost = count;
        self.links.push(Link::Break);
        self.other_leaves = Some(kept);
        self.find(Some(0), FaultKind::Unreadable, FaultDetail::Unreadable { count, why });
    }

    fn hash(&mut self) {
        self.digests = (0..self.ends.len()).map(|position| sealed_digest(self.bytes(position))).collect();
        self.leaves = self.digests.iter().map(Digest::leaf_hash).collect();
    }

    fn compare_digests(&mut self, kept: &[Digest]) {
        let differs = |position: &usize| kept.get(*position) != self.digests.get(*position);
        self.altered = (0..self.digests.len()).filter(differs).collect();
        if !self.altered.is_empty() {
            self.other_leaves = Some(Some(kept.iter().map(Digest::leaf_hash).collect()));
        }
        for position in self.altered.clone() {
            let sealed = kept.get(position).copied().unwrap_or(Digest::ZERO);
            let detail = FaultDetail::OtherDigest { found: self.digests[position], sealed };
            self.find(Some(position), FaultKind::EntryAltered, detail);
        }
    }

    fn compare_leaves(&mut self, kept: Vec<TreeHash>) {
        self.altered = (0..kept.len()).filter(|&position| kept[position] != self.leaves[position]).collect();
        for position in self.altered.clone() {
            let detail = FaultDetail::OtherLeaf(self.digests[position]);
            self.find(Some(position), FaultKind::EntryAltered, detail);
        }
        if !self.altered.is_empty() {
            self.other_leaves = Some(Some(kept));
        }
    }

    fn parse_and_link(&mut self) {
        let (links, found) = follow(self);
        self.links = links;
        self.found.extend(found);
    }

    fn find(&mut self, position: Option<usize>, kind: FaultKind, detail: FaultDetail) {
        self.found.push(Found { position, chain: None, kind, detail });
    }
}
