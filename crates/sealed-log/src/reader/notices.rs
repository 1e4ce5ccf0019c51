//! What the log says about itself: read as it comes, and held against the entries that it names.

use super::LogReader;
use crate::entry::LOG_CHAIN;
use crate::keys::KeyHistory;
use crate::notice::{Closing, Notice, NoticeError, OwnChain, Redaction, check_own, parse_notice};
use crate::reader::block::{Block, SealedEntry};
use crate::reader::detail::FaultDetail;
use crate::reader::fault::{FaultKind, SealFault};
use crate::reader::remembered::{Named, Remembered};
use crate::reader::source::EntrySource;
use tlog::checkpoint::SignedCheckpoint;

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
    /// The checkpoint of the log that this one continues.
    pub(super) continued: Option<Box<SignedCheckpoint>>,
    /// The first notice that closes the log, with its index.
    pub(super) closed: Option<(u64, Closing)>,
    /// Whether the root that it states was held against the entries.
    is_closing_checked: bool,
    /// Whether an entry behind it was reported.
    is_followed: bool,
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
            Notice::LogContinued(predecessor) => self.take_continuation(index, predecessor),
            Notice::LogClosed(closing) => self.take_closing(index, closing),
            Notice::Unknown { .. } => self.notices.of_unknown_kind = true,
        }
        if self.notices.kept.len() < MAX_KEPT_NOTICES {
            self.notices.kept.push((index, notice));
        }
    }

    fn take_continuation(&mut self, index: u64, predecessor: &SignedCheckpoint) {
        let origin = &predecessor.checkpoint().origin;
        if index != 0 {
            self.wrong_notice(index, FaultDetail::Notice(NoticeError::NotFirst));
        } else if self.is_own_name(origin) {
            self.wrong_notice(index, FaultDetail::Notice(NoticeError::Itself(origin.clone())));
        } else {
            self.notices.continued = Some(Box::new(predecessor.clone()));
        }
    }

    fn take_closing(&mut self, index: u64, closing: &Closing) {
        if self.notices.closed.is_some() {
            // It stands behind the first one, which is reported.
            return;
        }
        if closing.size > index {
            self.wrong_notice(index, FaultDetail::Notice(NoticeError::ClosedBeyond(closing.size)));
            self.notices.is_closing_checked = true;
        }
        if let Some(successor) = closing.successor.as_ref().filter(|name| self.is_own_name(name)) {
            self.wrong_notice(index, FaultDetail::Notice(NoticeError::Itself(successor.clone())));
        }
        self.notices.closed = Some((index, closing.clone()));
    }

    fn is_own_name(&self, origin: &str) -> bool {
        self.source.claims().checkpoint.as_ref().is_some_and(|own| own.checkpoint().origin == origin)
    }

    /// Holds the root that closes the log against the entries, once they are in the tree.
    pub(super) fn check_closing(&mut self) {
        let Some((index, Closing { size, root, .. })) = &self.notices.closed else { return };
        if std::mem::replace(&mut self.notices.is_closing_checked, true) {
            return;
        }
        let (index, size) = (*index, *size);
        match self.roots.root_of(size).or_else(|| self.notices.remembered.root_of(size)) {
            Some(computed) if computed == *root => {}
            Some(_) => self.wrong_notice(index, FaultDetail::Notice(NoticeError::ClosedRoot(size))),
            // What is left out cannot be compared, and what is damaged is reported.
            None if self.left_out > 0 || self.roots.computed().is_none() => {}
            None => self.notices.not_compared = true,
        }
    }

    /// Reports the first entry behind the notice that closes the log, unless it is of erased payloads.
    pub(super) fn check_behind_closing(&mut self, block: &Block) {
        let Some((closed, _)) = self.notices.closed else { return };
        if self.notices.is_followed || block.end() <= closed {
            return;
        }
        let allowed = |entry: &SealedEntry<'_>| match &entry.view {
            Ok(view) if view.chain == LOG_CHAIN && !entry.withheld => {
                // One that is no notice is reported as that.
                parse_notice(view.payload).map_or(true, |notice| notice.may_follow_closing())
            }
            Ok(_) | Err(_) => false,
        };
        let mut behind = block.entries().filter(|entry| entry.index > closed);
        if let Some(entry) = behind.find(|entry| !allowed(entry)) {
            self.notices.is_followed = true;
            let chain = entry.view.ok().map(|view| view.chain.to_owned());
            let (index, kind) = (Some(entry.index), FaultKind::Surplus);
            self.faults.add(SealFault { index, chain, kind, detail: FaultDetail::BehindClosing { closed } });
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
