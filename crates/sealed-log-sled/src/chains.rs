//! Chains: the newest state of each, and which of its positions lie in which bundle.

use std::collections::BTreeMap;

use sealed_log::{ChainHead, ChainName, Digest, StoreError, StoredEntry, parse_kept};

use crate::guard::from_sled;
use crate::keys;
use crate::store::SledStore;
use crate::tail::{covers, last_of};

/// A chain's newest state as kept: digest, index, highest position, and whether every entry so
/// far began above all positions before it (then a position is found without a search).
#[derive(Debug, Clone)]
pub(crate) struct Head {
    pub(crate) head: ChainHead,
    in_order: bool,
}

impl Default for Head {
    fn default() -> Self {
        Self { head: ChainHead { digest: Digest::ZERO, index: 0, last: 0 }, in_order: true }
    }
}

impl Head {
    pub(crate) fn follow(&mut self, entry: &StoredEntry, index: u64) {
        self.in_order &= entry.first > self.head.last;
        self.head = ChainHead { digest: entry.digest, index, last: self.head.last.max(last_of(entry)) };
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.head.digest.as_bytes().to_vec();
        bytes.extend_from_slice(&self.head.index.to_be_bytes());
        bytes.extend_from_slice(&self.head.last.to_be_bytes());
        bytes.push(u8::from(self.in_order));
        bytes
    }

    fn from_bytes(bytes: &[u8], index: u64) -> Result<Self, StoreError> {
        let parse = || {
            let (digest, rest) = bytes.split_first_chunk::<32>()?;
            let (at, rest) = rest.split_first_chunk::<8>()?;
            let (last, order) = rest.split_first_chunk::<8>()?;
            let (index, last) = (u64::from_be_bytes(*at), u64::from_be_bytes(*last));
            let head = ChainHead { digest: Digest::from_bytes(*digest), index, last };
            let in_order = match order {
                [0] => false,
                [1] => true,
                _ => return None,
            };
            Some(Self { head, in_order })
        };
        parse().ok_or_else(|| StoreError::Damaged { index, why: "its chain's state is illegible".to_owned() })
    }
}

/// For each chain of a bundle the lowest and the highest position that lie in it.
pub(crate) fn ranges<'a>(
    members: impl IntoIterator<Item = &'a StoredEntry>,
) -> BTreeMap<&'a ChainName, (u64, u64)> {
    let mut ranges: BTreeMap<&ChainName, (u64, u64)> = BTreeMap::new();
    for member in members {
        let last = last_of(member);
        let range = ranges.entry(&member.chain).or_insert((member.first, last));
        *range = (range.0.min(member.first), range.1.max(last));
    }
    ranges
}

impl SledStore {
    /// A chain's state as of the newest bundle.
    pub(crate) fn sealed_head(&self, name: &ChainName) -> Result<Option<Head>, StoreError> {
        let kept = self.get(&keys::chain(name), self.size)?;
        kept.map(|bytes| Head::from_bytes(&bytes, self.size)).transpose()
    }

    /// A chain's state with the newest entries on top.
    pub(crate) fn head_of(&self, name: &ChainName) -> Result<Option<Head>, StoreError> {
        let mut head = self.sealed_head(name)?;
        for (member, index) in self.tail.iter().zip(self.tail_first..) {
            if member.chain == *name {
                head.get_or_insert_default().follow(member, index);
            }
        }
        Ok(head)
    }

    pub(crate) fn located(&self, name: &ChainName, position: u64) -> Result<Vec<u64>, StoreError> {
        let Some(head) = self.head_of(name)? else { return Ok(Vec::new()) };
        if position > head.head.last {
            return Ok(Vec::new());
        }
        let mut found = self.in_bundles(name, position, head.in_order)?;
        let newest = self.tail.iter().zip(self.tail_first..);
        found.extend(newest.filter(|(entry, _)| covers(entry, name, position)).map(|(_, index)| index));
        found.sort_unstable();
        Ok(found)
    }

    /// Indexes in bundles; a chain whose entries came in order has at most one, in the newest
    /// bundle that begins at or below the position.
    fn in_bundles(&self, name: &ChainName, position: u64, in_order: bool) -> Result<Vec<u64>, StoreError> {
        let mut found = Vec::new();
        let from = keys::places(name);
        let to = keys::place(name, position, u64::MAX);
        for item in self.sealed.range(from..=to).rev() {
            let (key, value) = item.map_err(from_sled(self.size))?;
            let damaged = || StoreError::Damaged { index: self.size, why: "an illegible place".to_owned() };
            let (_, bundle) = keys::place_of(&key).ok_or_else(damaged)?;
            let last = u64::from_be_bytes(value.as_ref().try_into().map_err(|_| damaged())?);
            if last >= position {
                self.search_bundle(bundle, name, position, &mut found)?;
            }
            if in_order {
                break;
            }
        }
        Ok(found)
    }

    fn search_bundle(
        &self,
        first: u64,
        name: &ChainName,
        position: u64,
        found: &mut Vec<u64>,
    ) -> Result<(), StoreError> {
        let (start, entries) = self.bundle_of(first)?;
        for (bytes, index) in entries.iter().zip(start..) {
            let damaged =
                |error: sealed_log::EntryError| StoreError::Damaged { index, why: error.to_string() };
            let view = parse_kept(bytes).map_err(damaged)?.view;
            if view.chain == name.as_str() && (view.first..=view.last()).contains(&position) {
                found.push(index);
            }
        }
        Ok(())
    }
}
