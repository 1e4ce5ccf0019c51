//! Which payloads are missing from a log or a copy of it, and which of them the log's own notices account for.

use crate::entry::Digest;
use crate::reader::block::Block;
use crate::reader::detail::FaultDetail;
use crate::reader::fault::{FaultKind, SealFault};
use std::collections::BTreeMap;

/// Most withheld entries that a report names one by one.
pub const MAX_KEPT_WITHHELD: usize = 10_000;
/// Most withheld entries that are compared with the notices, some 60 MiB of them.
const MAX_COMPARED: usize = 1 << 20;

/// Counts withheld entries and keeps the first.
#[derive(Debug, Default)]
pub(crate) struct Withheld {
    pub(crate) count: u64,
    /// By log index: the digest, and whether a notice accounts for it.
    first: BTreeMap<u64, (Digest, bool)>,
    /// Entries that a notice says are erased, and that are here.
    pub(crate) not_erased: u64,
}

impl Withheld {
    /// Counts the withheld entries of an opened block.
    pub(crate) fn note(&mut self, block: &Block) {
        for (index, digest) in block.withheld_entries() {
            self.count += 1;
            if self.first.len() < MAX_COMPARED {
                self.first.insert(index, (digest, false));
            }
        }
    }

    /// Marks an entry as accounted for by a notice. Its digest was compared.
    pub(crate) fn account_for(&mut self, index: u64, digest: Digest) {
        let all_known = self.others() == 0;
        match self.first.get_mut(&index) {
            Some((kept, accounted_for)) => *accounted_for |= *kept == digest,
            None if all_known => self.not_erased += 1,
            None => {}
        }
    }

    /// Entries withheld that are not among the first: too many to be compared with the notices.
    pub(crate) fn others(&self) -> u64 {
        self.count - self.first.len() as u64
    }

    /// The first withheld entries, in log order.
    pub(crate) fn indexes(&self) -> Vec<u64> {
        self.first.keys().take(MAX_KEPT_WITHHELD).copied().collect()
    }

    /// Payloads that are gone without a notice.
    pub(crate) fn unaccounted(&self) -> impl Iterator<Item = SealFault> {
        let gone =
            |index: u64| SealFault::new(FaultKind::Withheld, Some(index), FaultDetail::NotAccountedFor);
        self.first.iter().filter(|(_, (_, accounted_for))| !accounted_for).map(move |(index, _)| gone(*index))
    }
}
