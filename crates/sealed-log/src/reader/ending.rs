//! What a log that was read came to: its checkpoint, the anchors, and what stands round the entries.

use std::cmp::Ordering;

use super::LogReader;
use crate::reader::detail::FaultDetail;
use crate::reader::fault::{FaultKind, SealFault, Verdict};
use crate::reader::seal_report::id_text;
use crate::reader::source::EntrySource;
use crate::reader::{
    Claimed, IntactUnknown, InvalidCheckpoint, KeyTrust, MixedUp, OtherSigner, SealProof, SealReport,
};
use tlog::checkpoint::{Checkpoint, CheckpointError, SignedCheckpoint};
use tlog::note::{NoteError, VerifierKey};

/// What was given and is another log's.
#[derive(Debug, Default)]
pub(super) struct OfAnotherLog {
    reports: Vec<MixedUp>,
    /// Whether the key is among it.
    key: bool,
}

impl<S: EntrySource> LogReader<S> {
    /// What the seal came to. Whatever was not read is not intact: read to the end first.
    pub fn finish(mut self) -> SealReport {
        if self.ended {
            self.judge_end();
        }
        let claims = self.source.claims();
        let (checkpoint, beyond_checkpoint) = (claims.checkpoint.clone(), claims.beyond_checkpoint);
        let (intact, intact_unknown) = self.intact();
        let anchored = self.anchored();
        let claimed = self.claimed.iter().map(|signed| (signed.checkpoint().clone(), self.claim(signed)));
        let claimed = claimed.collect();
        let (key, key_trust) = self.key.clone().unzip();
        let proof = match (intact, &checkpoint, &key) {
            (Verdict::Yes, Some(checkpoint), Some(key)) => {
                let signer = self.notices.keys.at(checkpoint.checkpoint().size).unwrap_or(key);
                Some(SealProof::of(checkpoint, signer, self.withheld.count + self.left_out))
            }
            (Verdict::Yes | Verdict::No | Verdict::Unknown, _, _) => None,
        };
        SealReport {
            size: self.next_index,
            root: self.roots.computed(),
            origin: checkpoint.as_ref().map(|signed| signed.checkpoint().origin.clone()),
            checkpoint,
            key,
            key_trust,
            beyond_checkpoint,
            left_out: self.left_out,
            withheld: self.withheld.count,
            not_erased: self.withheld.not_erased,
            withheld_entries: self.withheld.indexes(),
            notices: self.notices.kept,
            continued: self.notices.continued,
            closed: self.notices.closed,
            claimed,
            keys: self.notices.keys,
            of_another_log: self.of_another_log.reports,
            invalid_checkpoints: self.invalid_checkpoints,
            signed_by_another: self.signed_by_another,
            older_than: self.older_than,
            intact,
            intact_unknown,
            anchored,
            fault_count: self.faults.count(),
            faults: self.faults.kept,
            proof,
        }
    }

    fn intact(&self) -> (Verdict, Option<IntactUnknown>) {
        if self.faults.seal > 0 {
            return (Verdict::No, None);
        }
        let missing = match (self.ended, &self.source.claims().checkpoint, &self.key) {
            (false, _, _) => IntactUnknown::NotReadToEnd,
            (true, None, _) => IntactUnknown::NoCheckpoint,
            (true, Some(_), None) => IntactUnknown::NoKey,
            (true, Some(_), Some(_)) if self.of_another_log.key => IntactUnknown::KeyOfAnotherLog,
            (true, Some(_), Some(_)) if self.notices.of_unknown_kind => IntactUnknown::NoticeUnknown,
            (true, Some(_), Some(_)) if self.is_not_compared() => IntactUnknown::NotCompared,
            (true, Some(_), Some(_)) => return (Verdict::Yes, None),
        };
        (Verdict::Unknown, Some(missing))
    }

    /// Whether a notice could not be held against what it names, or a store's erased payloads against the notices.
    fn is_not_compared(&self) -> bool {
        let too_many = self.source.claims().all_accounted_for && self.withheld.others() > 0;
        too_many || self.notices.not_compared
    }

    fn anchored(&self) -> Verdict {
        if self.faults.anchors > 0 {
            Verdict::No
        } else if self.anchors_given && self.ended && self.roots.unjudged == 0 {
            Verdict::Yes
        } else {
            Verdict::Unknown
        }
    }

    /// What a checkpoint that another log states of this one comes to.
    fn claim(&self, signed: &SignedCheckpoint) -> Claimed {
        let checkpoint = signed.checkpoint();
        let own = self.source.claims().checkpoint.as_ref().map(SignedCheckpoint::checkpoint);
        if own.is_some_and(|own| own.origin != checkpoint.origin) {
            return Claimed::OfAnotherLog;
        }
        let Some((trusted, _)) = self.key.as_ref().filter(|_| !self.of_another_log.key) else {
            return Claimed::NotShown;
        };
        if self.notices.keys.verify(signed, trusted).is_err() {
            return Claimed::NotSigned;
        }
        let compared = self.roots.claims.iter().find(|(claim, _)| claim == checkpoint);
        match compared {
            Some((_, true)) => Claimed::Extended,
            Some((_, false)) => Claimed::Refuted,
            None if self.ended && checkpoint.size > self.next_index => Claimed::Beyond,
            None => Claimed::NotShown,
        }
    }

    /// Whether checkpoint and anchors are signed by the key that was in force at their size; gives the
    /// anchors that are not to be believed. What is another log's was mixed up, and a signature that does not hold
    /// accuses the file it stands in: neither refutes anything.
    fn judge_signatures(&mut self) -> Vec<Checkpoint> {
        let Some((trusted, trust)) = &self.key else { return Vec::new() };
        let keys = &self.notices.keys;
        let own = self.source.claims().checkpoint.as_ref();
        match own.and_then(|signed| keys.verify(signed, trusted).err()) {
            None => {}
            Some(CheckpointError::Origin { origin, key }) if *trust == KeyTrust::Given => {
                self.of_another_log.key = true;
                let (given, log) = (key, origin);
                self.of_another_log.reports.push(MixedUp::Key { given, log });
            }
            Some(error) => {
                if *trust == KeyTrust::Given
                    && matches!(error, CheckpointError::Note(NoteError::NotSigned(_)))
                {
                    self.signed_by_another = own.and_then(|signed| other_signer(signed, trusted));
                }
                let detail = FaultDetail::CheckpointNotBelieved(error);
                self.faults.add_first(SealFault::new(FaultKind::Checkpoint, None, detail));
            }
        }
        let own = own.map(|signed| &signed.checkpoint().origin);
        let (mut unbelieved, mut believed) = (Vec::new(), Vec::new());
        for anchor in &self.anchors {
            let Checkpoint { origin, size, .. } = anchor.checkpoint();
            match (own.filter(|own| *own != origin), keys.verify(anchor, trusted)) {
                (None, Ok(())) => {
                    believed.push(anchor.checkpoint());
                    continue;
                }
                (Some(own), _) => {
                    let (size, given, log) = (*size, origin.clone(), own.clone());
                    self.of_another_log.reports.push(MixedUp::Checkpoint { size, given, log });
                    self.roots.unjudged += 1;
                }
                // Reported above, where the log says whose it is.
                (None, Err(CheckpointError::Origin { .. })) => self.roots.unjudged += 1,
                (None, Err(error @ (CheckpointError::Body(_) | CheckpointError::Note(_)))) => {
                    if let Some(key) = keys.claimed_in_vain(anchor, trusted) {
                        let (size, key) = (*size, key.clone());
                        self.invalid_checkpoints.push(InvalidCheckpoint { size, key });
                        self.roots.unjudged += 1;
                    } else {
                        let detail = FaultDetail::AnchorNotBelieved(error);
                        self.faults.add(SealFault::new(FaultKind::Anchor, None, detail));
                    }
                }
            }
            unbelieved.push(anchor.checkpoint().clone());
        }
        // What a sound copy says as well is believed of that one.
        unbelieved.retain(|anchor| !believed.contains(&anchor));
        unbelieved
    }

    /// The checkpoint's size and root, the anchors, and what stands round the entries.
    fn judge_end(&mut self) {
        let unbelieved = self.judge_signatures();
        let size = self.next_index;
        if let Some(signed) = self.source.claims().checkpoint.as_ref().map(SignedCheckpoint::checkpoint) {
            let (found, root) = (size, signed.root);
            let signed = signed.size;
            match found.cmp(&signed) {
                Ordering::Less => {
                    let detail = FaultDetail::EndMissing { found, signed };
                    self.faults.add(SealFault::new(FaultKind::Missing, Some(found), detail));
                }
                Ordering::Greater => {
                    let detail = FaultDetail::Beyond { found, signed };
                    self.faults.add(SealFault::new(FaultKind::Surplus, Some(signed), detail));
                }
                Ordering::Equal => {
                    let other = self.roots.contradiction(&root).map(FaultDetail::OtherRoot);
                    let fault = other.map(|detail| SealFault::new(FaultKind::Root, None, detail));
                    fault.into_iter().for_each(|fault| self.faults.add(fault));
                }
            }
        }
        let believed = |anchor: &Checkpoint| !unbelieved.contains(anchor);
        let signed = self.source.claims().checkpoint.as_ref().map_or(0, |own| own.checkpoint().size);
        for anchor in self.roots.anchors_beyond(size).into_iter().filter(believed) {
            if anchor.size > signed {
                self.older_than = self.older_than.max(Some(anchor.size));
            }
            let detail = FaultDetail::ShorterThanAnchor { found: size, kept: anchor.size };
            self.faults.add(SealFault::new(FaultKind::Anchor, Some(size), detail));
        }
        for anchor in std::mem::take(&mut self.roots.refuted).into_iter().filter(believed) {
            self.older_than = None;
            let detail = FaultDetail::OtherThanAnchor(anchor.size);
            self.faults.add(SealFault::new(FaultKind::Anchor, None, detail));
        }
        if self.source.claims().all_accounted_for {
            self.withheld.unaccounted().for_each(|fault| self.faults.add(fault));
        }
        let clean = self.faults.seal == 0;
        self.source.closing_faults(clean).into_iter().for_each(|fault| self.faults.add(fault));
    }
}

/// Which keys of the log's name the checkpoint's lines name; `None` where there are none.
fn other_signer(signed: &SignedCheckpoint, given: &VerifierKey) -> Option<OtherSigner> {
    let own = signed.signatures().iter().filter(|line| line.name == given.name());
    let signers: Vec<String> = own.map(|line| id_text(line.id)).collect();
    (!signers.is_empty()).then(|| OtherSigner { given: id_text(given.id()), signers })
}
