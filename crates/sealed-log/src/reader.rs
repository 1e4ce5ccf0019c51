//! Reads a whole log, checks every element of its seal, and returns the entries.
//!
//! Faults are collected and do not stop the reading: it carries on behind damage, so that one bad byte does
//! not hide the next. Blocks are opened and hashed on all cores, a window at a time.

pub(crate) mod block;
pub(crate) mod detail;
mod ending;
pub(crate) mod fault;
pub(crate) mod left_out;
pub(crate) mod links;
mod notices;
pub(crate) mod raw_block;
mod remembered;
pub(crate) mod roots;
mod seal_report;
pub(crate) mod source;
mod tail;
pub(crate) mod withheld;

pub use block::{Block, SealedEntry};
pub use detail::{ArchiveDetail, FaultDetail, OtherRoot, Unreadable};
pub use fault::{FaultKind, MAX_KEPT_FAULTS, SealFault, Verdict};
pub use left_out::LeftOut;
pub use notices::MAX_KEPT_NOTICES;
pub use raw_block::RawBlock;
pub use seal_report::{
    Claimed, IntactUnknown, InvalidCheckpoint, KeyTrust, MixedUp, OtherSigner, SealProof, SealReport,
};
pub use source::{Claims, DamagedSource, EntrySource, SourceError, Step, StoreSource};
pub use tail::LogTail;
pub use withheld::MAX_KEPT_WITHHELD;

use self::ending::OfAnotherLog;
use self::notices::Notices;
use crate::entry::{ChainName, Digest};
use crate::reader::withheld::Withheld;
use fault::Faults;
use links::{ChainLink, Found, Link, unlinked};
use rayon::prelude::*;
use roots::Roots;
use source::frame_fault;
use std::collections::BTreeMap;
use tlog::checkpoint::SignedCheckpoint;
use tlog::note::VerifierKey;
use tlog::tree::TreeHash;
use zstd::bulk::Decompressor;

/// Entries at which a window is closed.
const WINDOW_ENTRIES: usize = 16_384;
/// Bytes of entries at which a window is closed.
const WINDOW_BYTES: usize = 4 << 20;

/// Entries read past the checkpoint's size before the reader gives up: somebody sends what nobody signed.
const MOST_BEYOND: u64 = 1 << 20;

/// Parts and entries that lead no further in the log, at which the reader gives up: empty or repeated ones may come
/// without end. An archive that was written by this program has none.
const MOST_IDLE: u64 = if cfg!(test) { 1 << 14 } else { 1 << 20 };

/// What the reader is to hold the log against.
#[derive(Debug, Clone, Default)]
pub struct Expectations {
    /// The key that must have signed the log's checkpoint. Without it the key that travels with
    /// the log is used, and the report says so.
    pub verifier: Option<VerifierKey>,
    /// Checkpoints of this log that somebody else kept.
    pub anchors: Vec<SignedCheckpoint>,
}

/// Some thousand consecutive entries, hashed and checked.
#[derive(Debug)]
pub struct Window {
    blocks: Vec<Block>,
}

impl Window {
    /// The blocks in log order, for work on several cores.
    #[must_use]
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// All readable entries in log order.
    pub fn entries(&self) -> impl Iterator<Item = SealedEntry<'_>> {
        self.blocks.iter().flat_map(Block::entries)
    }

    /// Hashes every entry again on all cores and does nothing else: the baseline for measurements.
    #[must_use]
    pub fn hash_only(&self) -> Vec<Digest> {
        self.blocks.par_iter().map(Block::hash_only).collect()
    }
}

/// The state of a chain: the digest its next entry must name, unless entries were lost since.
#[derive(Debug, Clone, Copy)]
struct ChainState {
    newest: Digest,
    breaks: u64,
    left_out: u64,
}

/// Reads a log from its source to its end.
#[derive(Debug)]
pub struct LogReader<S> {
    source: S,
    key: Option<(VerifierKey, KeyTrust)>,
    anchors: Vec<SignedCheckpoint>,
    anchors_given: bool,
    claimed: Vec<SignedCheckpoint>,
    roots: Roots,
    chains: BTreeMap<ChainName, ChainState>,
    /// How often links were lost: behind a break, a chain may go on from an entry nobody can read.
    breaks: u64,
    /// How many entries are left out so far.
    left_out: u64,
    withheld: Withheld,
    notices: Notices,
    next_index: u64,
    /// Parts and entries so far that led no further.
    idle: u64,
    faults: Faults,
    of_another_log: OfAnotherLog,
    invalid_checkpoints: Vec<InvalidCheckpoint>,
    signed_by_another: Option<OtherSigner>,
    older_than: Option<u64>,
    ended: bool,
}

impl<S: EntrySource> LogReader<S> {
    /// Begins to read.
    pub fn new(source: S, expectations: Expectations) -> Self {
        Self::with_claims(source, expectations, Vec::new())
    }

    /// The same with checkpoints that other logs state of this one. What they come to is in [`SealReport::claimed`]; they
    /// are no fault of this log, for whoever wrote the other log may have invented them.
    pub fn with_claims(source: S, expectations: Expectations, claimed: Vec<SignedCheckpoint>) -> Self {
        let Expectations { verifier, anchors } = expectations;
        let given = verifier.map(|key| (key, KeyTrust::Given));
        let key = given.or_else(|| source.claims().key.clone().map(|key| (key, KeyTrust::Carried)));
        let anchors_given = !anchors.is_empty();
        // Which key must have signed which checkpoint is known at the end: the log's key may be rotated.
        let (judged, unjudged) =
            if key.is_some() { (anchors, 0) } else { (Vec::new(), anchors.len() as u64) };
        let checkpoints =
            |all: &[SignedCheckpoint]| all.iter().map(|signed| signed.checkpoint().clone()).collect();
        let roots = Roots::new(checkpoints(&judged), checkpoints(&claimed), unjudged);
        Self {
            source,
            key,
            anchors: judged,
            anchors_given,
            claimed,
            roots,
            chains: BTreeMap::new(),
            breaks: 0,
            left_out: 0,
            withheld: Withheld::default(),
            notices: Notices::default(),
            next_index: 0,
            idle: 0,
            faults: Faults::default(),
            of_another_log: OfAnotherLog::default(),
            invalid_checkpoints: Vec::new(),
            signed_by_another: None,
            older_than: None,
            ended: false,
        }
    }

    /// The next entries, hashed and checked; `None` at the log's end. Entries that were altered
    /// are returned as well, and marked; what cannot be read is not returned, and is reported.
    ///
    /// # Errors
    /// [`SourceError`] when the disk fails. Damage is no error: it is in the report.
    pub fn next_window(&mut self) -> Result<Option<Window>, SourceError> {
        while !self.ended {
            if let Some(endless) = self.endless() {
                // Before the faults of all that came: only so many of them are kept.
                self.faults.add_first(SealFault::new(FaultKind::Surplus, Some(self.next_index), endless));
                self.ended = true;
                break;
            }
            let before = self.next_index;
            let steps = self.gather()?;
            let came: usize = steps.iter().map(Step::parts_and_entries).sum();
            let opened: Vec<Opened> =
                steps.into_par_iter().map_init(|| Decompressor::new().ok(), open).collect();
            let blocks = self.follow(opened);
            // Each part that leads on has an entry at least.
            self.idle += (came as u64).saturating_sub((self.next_index - before).saturating_mul(2));
            if !blocks.is_empty() {
                return Ok(Some(Window { blocks }));
            }
        }
        Ok(None)
    }

    /// What shows that the log may never end: more entries than anybody signed for, or parts that lead no further.
    fn endless(&self) -> Option<FaultDetail> {
        let signed = self.source.claims().checkpoint.as_ref().map(|signed| signed.checkpoint().size);
        if signed.is_some_and(|size| self.next_index > size.saturating_add(MOST_BEYOND)) {
            return Some(FaultDetail::FarBeyond);
        }
        (self.idle > MOST_IDLE).then_some(FaultDetail::NothingNew)
    }

    /// Blocks enough for a window, and the damage between them.
    fn gather(&mut self) -> Result<Vec<Step>, SourceError> {
        let (mut entries, mut bytes, mut steps) = (0, 0, Vec::new());
        while entries < WINDOW_ENTRIES && bytes < WINDOW_BYTES && steps.len() < WINDOW_ENTRIES {
            let step = self.source.next_step()?;
            match &step {
                Step::Block(raw) => {
                    entries += raw.count;
                    bytes += raw.raw_length;
                }
                Step::LeftOut(_) | Step::Fault(_) => {}
                Step::End => {
                    self.ended = true;
                    break;
                }
            }
            steps.push(step);
        }
        Ok(steps)
    }

    /// Joins the blocks to what was read before, in log order.
    fn follow(&mut self, opened: Vec<Opened>) -> Vec<Block> {
        let mut blocks = Vec::with_capacity(opened.len());
        let mut leaves = Vec::new();
        for opened in opened {
            match opened {
                Opened::Fault(fault) => self.faults.add(fault),
                Opened::LeftOut(left_out) => self.leave_out(&left_out, &mut leaves),
                Opened::Block(block) => blocks.push(self.follow_block(block, &mut leaves)),
            }
        }
        self.roots.extend(&leaves);
        self.check_closing();
        blocks
    }

    fn leave_out(&mut self, left_out: &LeftOut, leaves: &mut Vec<TreeHash>) {
        if left_out.first_index != self.next_index {
            self.misplaced(left_out.first_index, leaves);
        }
        if left_out.first_index < self.next_index {
            return;
        }
        self.roots.extend(&std::mem::take(leaves));
        self.roots.leave_out(left_out);
        self.left_out += left_out.count;
        self.next_index = left_out.end();
    }

    /// `leaves` are those of sound blocks that have not gone into the tree yet.
    fn follow_block(&mut self, mut block: Block, leaves: &mut Vec<TreeHash>) -> Block {
        if block.first_index != self.next_index && block.sound {
            self.misplaced(block.first_index, leaves);
        } else {
            // The index that a damaged block states cannot be trusted; where it comes in the log can.
            block.first_index = self.next_index;
            if block.first_index.checked_add((block.len() + block.lost) as u64).is_none() {
                block = block.past_the_largest_index();
            }
        }
        for found in std::mem::take(&mut block.found) {
            self.found(&block, found);
        }
        for link in std::mem::take(&mut block.links) {
            match &link {
                Link::Break => self.breaks += 1,
                Link::Chain(link) => self.follow_chain(&mut block, link),
            }
            block.links.push(link);
        }
        self.withheld.note(&block);
        self.notices.remembered.note(&block);
        self.read_notices(&block);
        self.check_behind_closing(&block);
        match &block.other_leaves {
            None => leaves.extend_from_slice(&block.leaves),
            Some(kept) => {
                self.roots.extend(&std::mem::take(leaves));
                let computed = (block.lost == 0 && !block.is_empty()).then_some(&*block.leaves);
                self.roots.extend_differing(computed, kept.as_deref());
            }
        }
        self.next_index = self.next_index.max(block.end());
        self.source.opened(&block);
        block
    }

    /// Entries that do not begin where those before them ended.
    fn misplaced(&mut self, first: u64, leaves: &mut Vec<TreeHash>) {
        let next = self.next_index;
        let fault = if first > next {
            let detail = FaultDetail::Gap { first: next, last: first - 1 };
            SealFault::new(FaultKind::Missing, Some(next), detail)
        } else {
            let detail = FaultDetail::Behind { first, after: next.saturating_sub(1) };
            SealFault::new(FaultKind::Surplus, Some(first), detail)
        };
        self.faults.add(fault);
        self.roots.extend(&std::mem::take(leaves));
        self.roots.extend_differing(None, None);
        self.breaks += 1;
        self.next_index = next.max(first);
    }

    fn follow_chain(&mut self, block: &mut Block, link: &ChainLink) {
        let name = block.chain_name(link);
        let state = ChainState { newest: link.newest, breaks: self.breaks, left_out: self.left_out };
        let before = match self.chains.get_mut(name) {
            Some(known) => std::mem::replace(known, state),
            None => {
                // The name was checked when the entry was read.
                self.chains.extend(ChainName::new(name).map(|name| (name, state)));
                ChainState { newest: Digest::ZERO, breaks: 0, left_out: 0 }
            }
        };
        if before.newest == link.previous || before.breaks != self.breaks {
            return;
        }
        if before.left_out == self.left_out {
            let found = unlinked(link.position, name, &link.previous, &before.newest);
            self.found(block, found);
        } else {
            block.after_left_out.push(link.position);
        }
    }

    fn found(&mut self, block: &Block, found: Found) {
        let Found { position, chain, kind, detail } = found;
        let index = Some(block.first_index + position.unwrap_or(0) as u64);
        self.faults.add(SealFault { index, chain, kind, detail });
    }
}

/// A step whose block has been opened.
enum Opened {
    Block(Block),
    LeftOut(LeftOut),
    Fault(SealFault),
}

fn open(decompressor: &mut Option<Decompressor<'static>>, step: Step) -> Opened {
    match step {
        Step::Block(raw) => Opened::Block(Block::open(raw, decompressor.as_mut())),
        Step::LeftOut(left_out) => Opened::LeftOut(left_out),
        Step::Fault(fault) => Opened::Fault(fault),
        // Never gathered; a source's end is not a step to open.
        Step::End => Opened::Fault(frame_fault(ArchiveDetail::EndedTwice)),
    }
}

#[cfg(test)]
mod tests;
