//! The shoes and decks that a table has used, each stored as 16 bytes of the BLAKE3 digest of its name as names are
//! compared. Finding two names with the same 16 bytes takes some 2^64 attempts.

use std::sync::Arc;

use events::Name;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::caps::Cap;
use crate::names;

/// Names kept at most; beyond these the oldest are forgotten.
const MAX_NAMES: usize = Cap::ShoeIds.most();
const _: () = assert!(MAX_NAMES == Cap::DeckSerials.most());

/// Names that came since the older ones were put together.
const MAX_NEW: usize = 512;

/// The shoes of a table, and their decks.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Reused {
    pub(crate) shoes: Things,
    pub(crate) decks: Things,
}

/// The newest names. The state of a table is copied with each shoe: older names are shared by the copies.
#[derive(Debug, Clone, Default)]
pub(crate) struct Things {
    old: Option<Arc<Old>>,
    /// How many of the old are forgotten.
    forgotten: usize,
    /// Whether any name was ever forgotten.
    has_forgotten: bool,
    /// In the order in which they came.
    new: Vec<u128>,
}

/// Names that came some time ago.
#[derive(Debug, Default)]
struct Old {
    /// In the order in which they came.
    names: Vec<u128>,
    /// The names sorted, each with its index in `names`.
    indexes: Vec<(u128, usize)>,
}

impl Old {
    fn knows(&self, name: u128, forgotten: usize) -> bool {
        let found = self.indexes.binary_search_by_key(&name, |(name, _)| *name);
        found.is_ok_and(|at| self.indexes[at].1 >= forgotten)
    }

    /// Those that are not forgotten, and new ones.
    fn and(&self, forgotten: usize, new: &[u128]) -> Self {
        let names: Vec<u128> = self.names.iter().skip(forgotten).chain(new).copied().collect();
        let kept = |(name, index): &(u128, usize)| Some((*name, index.checked_sub(forgotten)?));
        let mut indexes: Vec<(u128, usize)> = self.indexes.iter().filter_map(kept).collect();
        indexes.extend(new.iter().copied().zip(indexes.len()..));
        // Most of it is sorted: this sort takes such runs as they are.
        indexes.sort();
        Self { names, indexes }
    }
}

impl Things {
    /// Adds a name; `false` where it was there.
    pub(crate) fn insert(&mut self, name: &Name) -> bool {
        let mut half = [0; 16];
        let name = names::fold(name.as_str());
        half.copy_from_slice(&blake3::hash(name.as_bytes()).as_bytes()[..16]);
        self.add(u128::from_be_bytes(half))
    }

    fn add(&mut self, print: u128) -> bool {
        let knows = |old: &Arc<Old>| old.knows(print, self.forgotten);
        if self.old.as_ref().is_some_and(knows) || self.new.contains(&print) {
            return false;
        }
        self.new.push(print);
        let old = self.old.as_deref().map_or(0, |old| old.names.len());
        if old - self.forgotten + self.new.len() > MAX_NAMES {
            self.forgotten += 1;
            self.has_forgotten = true;
        }
        if self.new.len() > MAX_NEW {
            let none = Old::default();
            let old = self.old.as_deref().unwrap_or(&none).and(self.forgotten, &self.new);
            (self.old, self.forgotten, self.new) = (Some(Arc::new(old)), 0, Vec::new());
        }
        true
    }

    /// Whether a name that is new by what is kept may have come before.
    pub(crate) const fn has_forgotten(&self) -> bool {
        self.has_forgotten
    }

    /// In the order in which they came.
    fn all(&self) -> impl Iterator<Item = u128> {
        self.old.iter().flat_map(|old| &old.names).skip(self.forgotten).chain(&self.new).copied()
    }
}

/// One text of hexadecimal digits, 32 for each name, after a `+` where older ones were forgotten.
impl Serialize for Things {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut text = String::from(if self.has_forgotten { "+" } else { "" });
        text.extend(self.all().map(|print| format!("{print:032x}")));
        serializer.serialize_str(&text)
    }
}

impl<'de> Deserialize<'de> for Things {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let (text, has_forgotten) = text.strip_prefix('+').map_or((&*text, false), |text| (text, true));
        let mut things = Self { has_forgotten, ..Self::default() };
        for index in (0..text.len()).step_by(32) {
            let print = text.get(index..index + 32).ok_or_else(|| D::Error::custom("no list of names"))?;
            things.add(u128::from_str_radix(print, 16).map_err(D::Error::custom)?);
        }
        Ok(things)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may")]
mod tests {
    use super::*;

    #[test]
    fn the_newest_are_known_and_the_oldest_forgotten_also_after_a_pause() {
        let mut things = Things::default();
        for name in 0..MAX_NAMES as u128 + 1 {
            assert!(things.add(name));
        }
        let text = serde_json::to_string(&things).unwrap();
        let mut again: Things = serde_json::from_str(&text).unwrap();
        assert!(things.has_forgotten() && again.has_forgotten() && !Things::default().has_forgotten());
        assert!(!again.add(1) && !again.add(MAX_NAMES as u128) && again.add(0));
        assert!(serde_json::from_str::<Things>("\"0123\"").is_err());
    }
}
