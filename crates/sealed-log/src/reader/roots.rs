//! The roots a log is followed by: from the entries themselves, and from what was kept for them.

use crate::reader::detail::OtherRoot;
use crate::reader::left_out::LeftOut;
use tlog::checkpoint::Checkpoint;
use tlog::tree::{Frontier, TreeHash};

/// Two trees that are one as long as every entry is what was sealed.
#[derive(Debug)]
pub(crate) struct Roots {
    /// Over the hashes computed from the entries; `None` once one could not be read.
    computed: Option<Frontier>,
    /// Over the hashes kept for the entries, once they differ; `None` inside once one is missing.
    kept: Option<Option<Frontier>>,
    /// Checkpoints kept elsewhere that are still ahead, smallest size last.
    anchors: Vec<Checkpoint>,
    /// Anchors that did not agree.
    pub(crate) refuted: Vec<Checkpoint>,
    /// Anchors whose size was passed when the tree could not be computed any more.
    pub(crate) unjudged: u64,
}

impl Roots {
    /// Nothing yet. `unjudged` anchors could not be believed or doubted.
    pub(crate) fn new(mut anchors: Vec<Checkpoint>, unjudged: u64) -> Self {
        anchors.sort_by_key(|anchor| std::cmp::Reverse(anchor.size));
        let computed = Some(Frontier::default());
        let mut roots = Self { computed, kept: None, anchors, refuted: Vec::new(), unjudged };
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
        while self.anchors.pop_if(|anchor| anchor.size < left_out.end()).is_some() {
            self.unjudged += 1;
        }
        self.judge_anchors();
    }

    fn extend_computed(&mut self, mut leaves: &[TreeHash]) {
        while let Some(computed) = &mut self.computed {
            let until = self.anchors.last().map_or(u64::MAX, |anchor| anchor.size - computed.size());
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
        while let Some(anchor) = self.anchors.pop_if(|anchor| anchor.size == computed.size()) {
            if anchor.root != computed.root() {
                self.refuted.push(anchor);
            }
        }
    }

    /// Anchors of more entries than the log turned out to have.
    pub(crate) fn anchors_beyond(&mut self, size: u64) -> Vec<Checkpoint> {
        let (beyond, passed): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.anchors).into_iter().partition(|anchor| anchor.size > size);
        self.unjudged += passed.len() as u64;
        beyond
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
