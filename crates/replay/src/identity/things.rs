//! Which shoes and decks a table has seen, each as 16 bytes of the BLAKE3 of its name: to make two names
//! share these takes some 2^64 attempts.

use std::collections::{BTreeSet, VecDeque};

use events::Name;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Names kept at most; beyond these the oldest are forgotten.
const MAX_NAMES: usize = 65_536;

/// The newest names.
#[derive(Debug, Clone, Default)]
pub(crate) struct Things {
    known: BTreeSet<u128>,
    /// In the order in which they came.
    newest: VecDeque<u128>,
}

impl Things {
    /// Adds a name; `false` where it was there.
    pub(crate) fn insert(&mut self, name: &Name) -> bool {
        let mut half = [0; 16];
        half.copy_from_slice(&blake3::hash(name.as_str().as_bytes()).as_bytes()[..16]);
        self.add(u128::from_be_bytes(half))
    }

    fn add(&mut self, print: u128) -> bool {
        if !self.known.insert(print) {
            return false;
        }
        self.newest.push_back(print);
        if self.newest.len() > MAX_NAMES {
            self.newest.pop_front().iter().for_each(|oldest| {
                self.known.remove(oldest);
            });
        }
        true
    }
}

/// One text of hexadecimal digits, 32 for each name.
impl Serialize for Things {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text: String = self.newest.iter().map(|print| format!("{print:032x}")).collect();
        serializer.serialize_str(&text)
    }
}

impl<'de> Deserialize<'de> for Things {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let mut things = Self::default();
        for place in (0..text.len()).step_by(32) {
            let print = text.get(place..place + 32).ok_or_else(|| D::Error::custom("no list of names"))?;
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
        assert!(!again.add(1) && !again.add(MAX_NAMES as u128) && again.add(0));
        assert!(serde_json::from_str::<Things>("\"0123\"").is_err());
    }
}
