//! The bet ids that a table has used, stored as ranges so that consecutive ids need little memory.

use serde::{Deserialize, Serialize};

use crate::caps::Cap;

/// A set of ids.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Identities {
    /// Sorted, disjoint, not touching: first and last id.
    ranges: Vec<(u64, u64)>,
    /// Whether ids were forgotten: there were too many ranges.
    #[serde(default)]
    forgotten: bool,
}

impl Identities {
    /// Adds an id; `false` where it was there.
    pub(crate) fn insert(&mut self, id: u64) -> bool {
        if let Some(newest) = self.ranges.last_mut()
            && newest.1.checked_add(1) == Some(id)
        {
            newest.1 = id;
            return true;
        }
        let after = self.ranges.partition_point(|(first, _)| *first <= id);
        if after > 0 && id <= self.ranges[after - 1].1 {
            return false;
        }
        if self.ranges.len() >= Cap::BetIds.most() {
            self.forgotten = true;
            self.ranges.clear();
            self.ranges.push((id, id));
            return true;
        }
        self.join(after, id);
        true
    }

    /// Whether an id that is new by what is kept may have been used before.
    pub(crate) const fn has_forgotten(&self) -> bool {
        self.forgotten
    }

    fn join(&mut self, after: usize, id: u64) {
        let touches_before = after > 0 && self.ranges[after - 1].1.checked_add(1) == Some(id);
        let touches_after = self.ranges.get(after).is_some_and(|next| Some(next.0) == id.checked_add(1));
        match (touches_before, touches_after) {
            (true, true) => {
                self.ranges[after - 1].1 = self.ranges[after].1;
                self.ranges.remove(after);
            }
            (true, false) => self.ranges[after - 1].1 = id,
            (false, true) => self.ranges[after].0 = id,
            (false, false) => self.ranges.insert(after, (id, id)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_a_plain_set() {
        let mut plain = std::collections::BTreeSet::new();
        let mut ids = Identities::default();
        let mut state = 1_u64;
        for _ in 0..20_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let id = (state >> 33) % 3_000;
            assert_eq!(ids.insert(id), plain.insert(id), "{id}");
        }
        assert!(ids.insert(u64::MAX) && !ids.insert(u64::MAX) && ids.insert(0) == plain.insert(0));
    }
}
