//! What the log says about itself: read as it comes, and held against the entries that it names.

use super::LogReader;
use crate::entry::LOG_CHAIN;
use crate::keys::KeyHistory;
use crate::notice::{Notice, NoticeError, OwnChain, Redaction, check_own, parse_notice};
use crate::reader::block::{Block, SealedEntry};
use crate::reader::detail::FaultDetail;
use crate::reader::fault::{FaultKind, SealFault};
use crate::reader::remembered::{Named, Remembered};
use crate::reader::source::EntrySource;

/// Most notices that a report holds.
pub const MAX_KEPT_NOTICES: usize = 1_000;

/// The log's own chain as far as it was read.
#[derive(Debug, Default)]
pub(super) struct Notices {
    pub(super) keys: KeyHistory,
    pub(super) kept: Vec<(u64, Notice)>,
    chain: OwnChain,
    pub(super) remembered: Remembered,
    /// Whether there is a notice of a kind that this program does not know.
    pub(super) of_unknown_kind: bool,
    /// Whether a notice names an entry whose digest is not known any more.
    pub(super) not_compared: bool,
}

impl<S: EntrySource> LogReader<S> {
    /// Reads the notices of an opened block, whose digests and withheld entries were noted before.
    pub(super) fn read_notices(&mut self, block: &Block) {
        if !block.has_chain(LOG_CHAIN) {
            return;
        }
        for entry in block.entries().filter(|entry| !entry.altered) {
            if entry.view.as_ref().is_ok_and(|view| view.chain == LOG_CHAIN) {
                self.read_notice(&entry);
            }
        }
    }

    fn read_notice(&mut self, entry: &SealedEntry<'_>) {
        let Ok(view) = &entry.view else { return };
        // Behind damage a notice may have been lost; the damage is a fault of its own.
        let may_skip = entry.after_left_out || self.breaks > 0;
        let follows = self.notices.chain.follow(view.first, view.last(), may_skip);
        for error in [check_own(view, entry.withheld), follows].into_iter().filter_map(Result::err) {
            self.wrong_notice(entry.index, FaultDetail::OwnChain(error));
        }
        if entry.withheld {
            return;
        }
        match parse_notice(view.payload) {
            Ok(notice) => self.take_notice(entry.index, notice),
            Err(error) => self.wrong_notice(entry.index, FaultDetail::NotANotice(error)),
        }
    }

    fn take_notice(&mut self, index: u64, notice: Notice) {
        match &notice {
            Notice::KeyRotated(rotation) => {
                if let Err(error) = self.notices.keys.add(index, (**rotation).clone()) {
                    self.wrong_notice(index, FaultDetail::Rotation(error));
                }
            }
            Notice::EntriesRedacted(redaction) => self.compare_named(index, redaction),
            Notice::Unknown { .. } => self.notices.of_unknown_kind = true,
        }
        if self.notices.kept.len() < MAX_KEPT_NOTICES {
            self.notices.kept.push((index, notice));
        }
    }

    /// Every entry that a notice names stands before it, and has the digest it states.
    fn compare_named(&mut self, notice: u64, redaction: &Redaction) {
        for (index, stated) in &redaction.entries {
            if *index >= notice {
                self.wrong_notice(notice, FaultDetail::Notice(NoticeError::NotBefore(*index)));
                continue;
            }
            let same = match self.notices.remembered.of(*index) {
                Named::Read(digest) => digest == *stated,
                Named::NotRead => continue,
                Named::Forgotten => match self.source.leaf_hash(*index) {
                    Some(leaf) => leaf == stated.leaf_hash(),
                    None => {
                        self.notices.not_compared = true;
                        continue;
                    }
                },
            };
            if same {
                self.withheld.account_for(*index, *stated);
            } else {
                self.wrong_notice(notice, FaultDetail::Notice(NoticeError::OtherDigest(*index)));
            }
        }
    }

    fn wrong_notice(&mut self, index: u64, detail: FaultDetail) {
        self.faults.add(SealFault {
            index: Some(index),
            chain: Some(LOG_CHAIN.to_owned()),
            kind: FaultKind::Notice,
            detail,
        });
    }
}

#[cfg(test)]
mod tests;
