//! Which payloads are missing from a log or a copy of it, and which of them the log's own notices account for.

use crate::entry::Digest;
use crate::entry::LOG_CHAIN;
use crate::keys::KeyHistory;
use crate::notice::{Notice, parse_notice};
use crate::reader::block::Block;
use crate::reader::fault::{FaultKind, SealFault};
use std::collections::BTreeMap;

/// Most withheld entries that a report names one by one.
pub const MAX_KEPT_WITHHELD: usize = 10_000;
/// Most notices that a report holds.
pub const MAX_KEPT_NOTICES: usize = 1_000;

/// Counts withheld entries and keeps the first.
#[derive(Debug, Default)]
pub(crate) struct Withheld {
    pub(crate) count: u64,
    /// By log index: the digest, and whether a notice accounts for it.
    pub(crate) first: BTreeMap<u64, (Digest, bool)>,
    /// Entries that notices name and that are not among the first.
    others_named: u64,
}

impl Withheld {
    /// Counts the withheld entries of an opened block.
    pub(crate) fn note(&mut self, block: &Block) {
        for (index, digest) in block.withheld_entries() {
            self.count += 1;
            if self.first.len() < MAX_KEPT_WITHHELD {
                self.first.insert(index, (digest, false));
            }
        }
    }

    /// Marks an entry as accounted for by a notice.
    fn account_for(&mut self, index: u64, digest: Digest) {
        match self.first.get_mut(&index) {
            Some((kept, accounted_for)) if *kept == digest => *accounted_for = true,
            Some(_) => {}
            None => self.others_named += 1,
        }
    }

    /// Entries withheld that are not among the first.
    fn others(&self) -> u64 {
        self.count - self.first.len() as u64
    }

    /// How many entries are here although a notice says that they are erased.
    pub(crate) fn not_erased(&self) -> u64 {
        self.others_named.saturating_sub(self.others())
    }

    /// Payloads that are gone without a notice.
    pub(crate) fn unaccounted(&self) -> Vec<SealFault> {
        let gone = |index: u64| {
            let message = "its payload is gone from the store, and no notice in the log accounts for it";
            SealFault::new(FaultKind::Withheld, Some(index), message)
        };
        let first = self.first.iter().filter(|(_, (_, accounted_for))| !accounted_for);
        let mut faults: Vec<SealFault> = first.map(|(index, _)| gone(*index)).collect();
        if self.others() > self.others_named {
            let more = self.others() - self.others_named;
            let message = format!("{more} more payloads are gone from the store without a notice");
            faults.push(SealFault::new(FaultKind::Withheld, None, message));
        }
        faults
    }
}

/// What the log says about itself.
#[derive(Debug, Default)]
pub(crate) struct Notices {
    pub(crate) keys: KeyHistory,
    pub(crate) kept: Vec<(u64, Notice)>,
}

impl Notices {
    /// Reads the notices of an opened block; gives a fault for each that cannot be read.
    pub(crate) fn read(&mut self, block: &Block, withheld: &mut Withheld) -> Vec<SealFault> {
        if !block.has_chain(LOG_CHAIN) {
            return Vec::new();
        }
        let mut faults = Vec::new();
        for entry in block.entries().filter(|entry| !entry.withheld && !entry.altered) {
            let Some(view) = entry.view.ok().filter(|view| view.chain == LOG_CHAIN) else { continue };
            match parse_notice(view.payload) {
                Ok(notice) => {
                    if let Notice::KeyRotated(rotation) = &notice
                        && let Err(error) = self.keys.add(entry.index, (**rotation).clone())
                    {
                        let message = format!("the rotation of the log's key does not hold: {error}");
                        faults.push(SealFault::new(FaultKind::Notice, Some(entry.index), message));
                    }
                    if let Notice::EntriesRedacted(redaction) = &notice {
                        redaction
                            .entries
                            .iter()
                            .for_each(|(index, digest)| withheld.account_for(*index, *digest));
                    }
                    if self.kept.len() < MAX_KEPT_NOTICES {
                        self.kept.push((entry.index, notice));
                    }
                }
                Err(error) => {
                    let message = format!("what the log says about itself cannot be read: {error}");
                    faults.push(SealFault::new(FaultKind::Notice, Some(entry.index), message));
                }
            }
        }
        faults
    }
}
