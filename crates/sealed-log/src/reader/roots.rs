//! The roots a log is followed by: from the entries themselves, and from what was kept for them.

use std::collections::VecDeque;

use crate::reader::detail::OtherRoot;
use crate::reader::left_out::LeftOut;
use tlog::checkpoint::Checkpoint;
use tlog::tree::{Frontier, TreeHash};

/// Leaf hashes of the newest entries that are remembered: 2 MiB.
const RECENT_LEAVES: usize = 65_536;

/// A checkpoint that is still ahead.
#[derive(Debug)]
struct Awaited {
    checkpoint: Checkpoint,
    /// Whether another log states it, so that it says nothing against this one by itself.
    is_claim: bool,
}

/// The newest entries' leaf hashes, in pieces, each with the tree before it.
#[derive(Debug, Default)]
struct Recent {
    pieces: VecDeque<(Frontier, Box<[TreeHash]>)>,
    count: usize,
}

impl Recent {
    fn add(&mut self, before: &Frontier, leaves: &[TreeHash]) {
        if leaves.is_empty() {
            return;
        }
        self.pieces.push_back((before.clone(), leaves.into()));
        self.count += leaves.len();
        while let Some((_, oldest)) = self.pieces.front()
            && self.count - oldest.len() >= RECENT_LEAVES
        {
            self.count -= oldest.len();
            self.pieces.pop_front();
        }
    }

    fn forget(&mut self) {
        *self = Self::default();
    }

    fn root_of(&self, size: u64) -> Option<TreeHash> {
        let (before, leaves) = self.pieces.iter().rev().find(|(before, _)| before.size() <= size)?;
        let mut frontier = before.clone();
        frontier.extend(leaves.get(..usize::try_from(size - before.size()).ok()?)?);
        Some(frontier.root())
    }
}

/// Two trees that are one as long as every entry is what was sealed.
#[derive(Debug)]
pub(crate) struct Roots {
    /// Over the hashes computed from the entries; `None` once one could not be read.
    computed: Option<Frontier>,
    /// Over the hashes kept for the entries, once they differ; `None` inside once one is missing.
    kept: Option<Option<Frontier>>,
    /// Checkpoints kept elsewhere, and those that other logs state, that are still ahead; smallest size last.
    anchors: Vec<Awaited>,
    recent: Recent,
    /// Checkpoints that other logs state, and whether they agree.
    pub(crate) claims: Vec<(Checkpoint, bool)>,
    /// Anchors that did not agree.
    pub(crate) refuted: Vec<Checkpoint>,
    /// Anchors whose size was passed when the tree could not be computed any more.
    pub(crate) unjudged: u64,
}

impl Roots {
    /// Nothing yet. `unjudged` anchors could not be believed or doubted.
    pub(crate) fn new(anchors: Vec<Checkpoint>, claims: Vec<Checkpoint>, unjudged: u64) -> Self {
        let awaited = |is_claim| move |checkpoint: Checkpoint| Awaited { checkpoint, is_claim };
        let mut anchors: Vec<Awaited> =
            anchors.into_iter().map(awaited(false)).chain(claims.into_iter().map(awaited(true))).collect();
        anchors.sort_by_key(|anchor| std::cmp::Reverse(anchor.checkpoint.size));
        let mut roots = Self {
            computed: Some(Frontier::default()),
            kept: None,
            anchors,
            recent: Recent::default(),
            claims: Vec::new(),
            refuted: Vec::new(),
            unjudged,
        };
        roots.judge_anchors();
        roots
    }

    /// Entries that are what was sealed.
    pub(crate) fn extend(&mut self, leaves: &[TreeHash]) {
        if let Some(Some(kept)) = &mut self.kept {
            kept.extend(leaves);
        }
        self.extend_computed(leaves);
    }

    /// Entries that are not what was sealed, or of which it is not known.
    pub(crate) fn extend_differing(&mut self, computed: Option<&[TreeHash]>, kept: Option<&[TreeHash]>) {
        let before = self.kept.take().unwrap_or_else(|| self.computed.clone());
        self.kept = Some(before.zip(kept).map(|(mut frontier, leaves)| {
            frontier.extend(leaves);
            frontier
        }));
        match computed {
            Some(leaves) => self.extend_computed(leaves),
            None => self.computed = None,
        }
    }

    /// Entries that are left out. Whether they agree with an anchor among them cannot be said.
    pub(crate) fn leave_out(&mut self, left_out: &LeftOut) {
        for frontier in
            [self.computed.as_mut(), self.kept.as_mut().and_then(Option::as_mut)].into_iter().flatten()
        {
            left_out.push_onto(frontier);
        }
        self.recent.forget();
        while let Some(passed) = self.anchors.pop_if(|anchor| anchor.checkpoint.size < left_out.end()) {
            self.unjudged += u64::from(!passed.is_claim);
        }
        self.judge_anchors();
    }

    fn extend_computed(&mut self, mut leaves: &[TreeHash]) {
        match &self.computed {
            Some(computed) => self.recent.add(computed, leaves),
            None => self.recent.forget(),
        }
        while let Some(computed) = &mut self.computed {
            let until =
                self.anchors.last().map_or(u64::MAX, |anchor| anchor.checkpoint.size - computed.size());
            let now = usize::try_from(until).unwrap_or(usize::MAX).min(leaves.len());
            let (before, behind) = leaves.split_at(now);
            computed.extend(before);
            leaves = behind;
            self.judge_anchors();
            if leaves.is_empty() {
                return;
            }
        }
    }

    fn judge_anchors(&mut self) {
        let Some(computed) = &self.computed else { return };
        while let Some(Awaited { checkpoint, is_claim }) =
            self.anchors.pop_if(|anchor| anchor.checkpoint.size == computed.size())
        {
            let agrees = checkpoint.root == computed.root();
            match (is_claim, agrees) {
                (true, _) => self.claims.push((checkpoint, agrees)),
                (false, true) => {}
                (false, false) => self.refuted.push(checkpoint),
            }
        }
    }

    /// Anchors of more entries than the log turned out to have.
    pub(crate) fn anchors_beyond(&mut self, size: u64) -> Vec<Checkpoint> {
        let given = std::mem::take(&mut self.anchors).into_iter().filter(|anchor| !anchor.is_claim);
        let (beyond, passed): (Vec<_>, Vec<_>) =
            given.map(|anchor| anchor.checkpoint).partition(|anchor| anchor.size > size);
        self.unjudged += passed.len() as u64;
        beyond
    }

    /// The root of the first so many entries, where they are all of those read or not long before: it is computed from
    /// the newest leaf hashes.
    pub(crate) fn root_of(&self, size: u64) -> Option<TreeHash> {
        let computed = self.computed.as_ref()?;
        if size == computed.size() { Some(computed.root()) } else { self.recent.root_of(size) }
    }

    pub(crate) fn computed(&self) -> Option<TreeHash> {
        self.computed.as_ref().map(Frontier::root)
    }

    /// What contradicts the signed root and has not been reported entry by entry.
    pub(crate) fn contradiction(&self, signed: &TreeHash) -> Option<OtherRoot> {
        let Some(kept) = &self.kept else {
            let same = self.computed.as_ref().is_none_or(|computed| computed.root() == *signed);
            return (!same).then_some(OtherRoot::OfTheEntries);
        };
        let kept = kept.as_ref()?.root();
        if kept == *signed {
            return None;
        }
        if self.computed().is_some_and(|computed| computed == *signed) {
            return Some(OtherRoot::OfWhatWasKept);
        }
        Some(OtherRoot::OfBoth)
    }
}
