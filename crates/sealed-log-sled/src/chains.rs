//! Chains: the newest state of each, and which runs of its positions lie in which block.

use std::collections::BTreeMap;

use sealed_log::entry::{ChainName, Digest, MAX_ENTRY_COUNT};
use sealed_log::store::{ChainTip, StoreError, StoredEntry};

use crate::guard::from_sled;
use crate::keys;
use crate::store::SledStore;
use crate::tail::read_entry;

/// A chain's newest state as kept: digest, index, highest position, and whether every entry so
/// far began above all positions before it (then a position is found without a search).
#[derive(Debug, Clone)]
pub(crate) struct ChainState {
    pub(crate) tip: ChainTip,
    pub(crate) in_order: bool,
}

impl Default for ChainState {
    fn default() -> Self {
        Self { tip: ChainTip { digest: Digest::ZERO, index: 0, last: 0 }, in_order: true }
    }
}

impl ChainState {
    pub(crate) fn follow(&mut self, entry: &StoredEntry, index: u64) {
        self.in_order &= entry.first > self.tip.last;
        self.tip = ChainTip { digest: entry.digest, index, last: self.tip.last.max(entry.last()) };
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.tip.digest.as_bytes().to_vec();
        bytes.extend_from_slice(&self.tip.index.to_be_bytes());
        bytes.extend_from_slice(&self.tip.last.to_be_bytes());
        bytes.push(u8::from(self.in_order));
        bytes
    }

    pub(crate) fn from_bytes(bytes: &[u8], index: u64) -> Result<Self, StoreError> {
        let parse = || {
            let (digest, rest) = bytes.split_first_chunk::<32>()?;
            let (at, rest) = rest.split_first_chunk::<8>()?;
            let (last, order) = rest.split_first_chunk::<8>()?;
            let (index, last) = (u64::from_be_bytes(*at), u64::from_be_bytes(*last));
            let tip = ChainTip { digest: Digest::from_bytes(*digest), index, last };
            let in_order = match order {
                [0] => false,
                [1] => true,
                _ => return None,
            };
            Some(Self { tip, in_order })
        };
        parse().ok_or_else(|| StoreError::Damaged { index, why: "its chain's state is illegible".to_owned() })
    }
}

/// No run of positions is kept as longer, so that whoever looks for a position knows how far below it the run
/// begins at most: as many as the longest entry covers.
pub(crate) const LONGEST_RUN: u64 = MAX_ENTRY_COUNT as u64;

/// For each chain of a block its runs: stretches of positions that lie in the block one behind the other, each
/// with its lowest and highest. So a block with positions far apart is not taken for one that holds all between.
pub(crate) fn runs<'a>(
    members: impl IntoIterator<Item = &'a StoredEntry>,
) -> BTreeMap<&'a ChainName, Vec<(u64, u64)>> {
    let mut covered: BTreeMap<&ChainName, Vec<(u64, u64)>> = BTreeMap::new();
    for member in members {
        covered.entry(&member.chain).or_default().push((member.first, member.last()));
    }
    covered.values_mut().for_each(|positions| *positions = joined(std::mem::take(positions)));
    covered
}

/// Stretches that touch made one, and long ones cut.
fn joined(mut positions: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    positions.sort_unstable();
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for (lowest, highest) in positions {
        match runs.last_mut().filter(|before| lowest <= before.1.saturating_add(1)) {
            Some(before) => before.1 = before.1.max(highest),
            None => runs.push((lowest, highest)),
        }
    }
    runs.into_iter().flat_map(|(lowest, highest)| cut(lowest, highest)).collect()
}

fn cut(lowest: u64, highest: u64) -> impl Iterator<Item = (u64, u64)> {
    let pieces = (highest - lowest) / LONGEST_RUN;
    (0..=pieces).map(move |piece| {
        let begin = lowest + piece * LONGEST_RUN;
        (begin, begin.saturating_add(LONGEST_RUN - 1).min(highest))
    })
}

impl SledStore {
    /// A chain's state with the newest entries on top.
    pub(crate) fn chain_state(&self, name: &ChainName) -> Result<Option<ChainState>, StoreError> {
        let mut tip = self.reader.sealed_state(name)?;
        for (member, index) in self.state().tail.iter().zip(self.state().tail_first..) {
            if member.chain == *name {
                tip.get_or_insert_default().follow(member, index);
            }
        }
        Ok(tip)
    }

    /// Cuts the runs of an older store, each of which reaches from the lowest to the highest position of its chain in
    /// a block; returns whether all could be cut. Doing it twice changes nothing more, so a stop in between does no
    /// harm.
    pub(crate) fn cut_long_runs(&self) -> Result<bool, StoreError> {
        let (size, mut all) = (self.state().size, true);
        for item in self.sealed.scan_prefix(keys::RUNS) {
            let (key, value) = item.map_err(from_sled(size))?;
            let damaged =
                || StoreError::Damaged { index: size, why: "an illegible run of positions".to_owned() };
            let (lowest, block) = keys::run_of(&key).ok_or_else(damaged)?;
            let highest = u64::from_be_bytes(value.as_ref().try_into().map_err(|_| damaged())?);
            if highest.saturating_sub(lowest) >= LONGEST_RUN {
                match self.cut_run(&key, block) {
                    Err(StoreError::Damaged { .. }) => all = false,
                    cut => cut?,
                }
            }
        }
        Ok(all)
    }

    fn cut_run(&self, key: &[u8], block: u64) -> Result<(), StoreError> {
        let held = self.reader.block_of(block)?;
        let members = (held.0..).zip(&held.1).map(|(index, bytes)| read_entry(index, bytes.clone()));
        let members: Vec<StoredEntry> = members.collect::<Result<_, _>>()?;
        let mut changes = sled::Batch::default();
        changes.remove(key);
        for (chain, runs) in runs(&members) {
            for (lowest, highest) in runs {
                changes.insert(keys::run(chain, lowest, block), &highest.to_be_bytes());
            }
        }
        self.sealed.apply_batch(changes).map_err(from_sled(block))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_join_what_touches_and_are_never_longer_than_the_longest_entry() {
        assert_eq!(joined(vec![(7, 9), (1, 3), (4, 4), (8, 12), (14, 14)]), [(1, 4), (7, 12), (14, 14)]);
        let long = joined(vec![(1, 4_096), (4_097, 8_192), (8_193, 8_193)]);
        assert_eq!(long, [(1, 4_096), (4_097, 8_192), (8_193, 8_193)]);
        let top = u64::MAX;
        assert_eq!(
            joined(vec![(top - 4_096, top - 1), (top - 9, top)]),
            [(top - 4_096, top - 1), (top, top)]
        );
    }
}
