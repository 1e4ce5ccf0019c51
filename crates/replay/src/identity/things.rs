//! The shoes and decks that a table has used, each stored as 16 bytes of the BLAKE3 digest of its name as names are
//! compared, and 8 bytes of each of its two looks. Finding two names with the same 16 bytes takes some 2^64 attempts.
//! Whoever finds two with the same 8 bytes only leaves a shoe of their own undecided.

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

/// A quiet table has so few names: room is made for each alone.
const FEW: usize = 16;

/// The shoes of a table, and their decks.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Reused {
    pub(crate) shoes: Things,
    pub(crate) decks: Things,
}

/// What a name is to those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum First {
    /// None of them is the same, nor looks like it.
    New,
    /// One of them is the same.
    Again,
    /// None is the same, and one looks like it.
    Alike,
}

/// What is kept of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Print {
    fold: u128,
    /// The lowest bit is set where a character is not printable ASCII.
    looks: [u64; 2],
}

/// The first bytes of the digest of a text.
fn first_bytes<const COUNT: usize>(text: &str) -> [u8; COUNT] {
    let digest = blake3::hash(text.as_bytes());
    std::array::from_fn(|at| digest.as_bytes()[at])
}

impl Print {
    fn of(name: &Name) -> Self {
        let fold = u128::from_be_bytes(first_bytes(&names::fold(name.as_str())));
        let foreign = u64::from(!names::is_printable_ascii(name.as_str()));
        let look = |text: String| u64::from_be_bytes(first_bytes(&text)) & !1 | foreign;
        Self { fold, looks: names::looks(name.as_str()).map(look) }
    }

    const fn is_foreign(&self) -> bool {
        self.looks[0] & 1 == 1
    }

    /// Whether they have a look in common, and one of them is not printable ASCII.
    fn looks_like(&self, other: &Self) -> bool {
        let same = |one: u64, two: u64| one | 1 == two | 1;
        let [one, two] = self.looks;
        (self.is_foreign() || other.is_foreign())
            && other.looks.iter().any(|&look| same(one, look) || same(two, look))
    }
}

/// The newest names. The state of a table is copied with each shoe: older names are shared by the copies.
#[derive(Debug, Clone, Default)]
pub(crate) struct Things {
    old: Option<Arc<Old>>,
    /// How many of the old are forgotten.
    forgotten: usize,
    /// Whether any name was ever forgotten.
    has_forgotten: bool,
    /// Whether one of them was not printable ASCII. Before, nothing is compared.
    has_foreign: bool,
    /// In the order in which they came.
    new: Vec<Print>,
}

/// Names that came some time ago.
#[derive(Debug, Default)]
struct Old {
    /// In the order in which they came.
    names: Vec<Print>,
    /// Their folds sorted, each with its index in `names`.
    indexes: Vec<(u128, usize)>,
}

impl Old {
    fn knows(&self, name: u128, forgotten: usize) -> bool {
        let found = self.indexes.binary_search_by_key(&name, |(name, _)| *name);
        found.is_ok_and(|at| self.indexes[at].1 >= forgotten)
    }

    /// Those that are not forgotten, and new ones.
    fn and(&self, forgotten: usize, new: &[Print]) -> Self {
        let names: Vec<Print> = self.names.iter().skip(forgotten).chain(new).copied().collect();
        let kept = |(name, index): &(u128, usize)| Some((*name, index.checked_sub(forgotten)?));
        let mut indexes: Vec<(u128, usize)> = self.indexes.iter().filter_map(kept).collect();
        indexes.extend(new.iter().map(|name| name.fold).zip(indexes.len()..));
        // Most of it is sorted: this sort takes such runs as they are.
        indexes.sort();
        Self { names, indexes }
    }
}

impl Things {
    /// Adds a name.
    pub(crate) fn insert(&mut self, name: &Name) -> First {
        self.add(Print::of(name))
    }

    fn add(&mut self, print: Print) -> First {
        let knows = |old: &Arc<Old>| old.knows(print.fold, self.forgotten);
        if self.old.as_ref().is_some_and(knows) || self.new.iter().any(|one| one.fold == print.fold) {
            return First::Again;
        }
        self.has_foreign |= print.is_foreign();
        let is_alike = self.has_foreign && self.all().any(|one| one.looks_like(&print));
        if self.new.len() < FEW {
            self.new.reserve_exact(1);
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
        if is_alike { First::Alike } else { First::New }
    }

    /// Whether a name that is new by what is kept may have come before.
    pub(crate) const fn has_forgotten(&self) -> bool {
        self.has_forgotten
    }

    /// In the order in which they came.
    fn all(&self) -> impl Iterator<Item = Print> {
        self.old.iter().flat_map(|old| &old.names).skip(self.forgotten).chain(&self.new).copied()
    }
}

/// Hexadecimal digits of what is kept of a name.
const DIGITS: usize = 64;

/// One text of hexadecimal digits, 64 for each name, after a `+` where older ones were forgotten.
impl Serialize for Things {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut text = String::from(if self.has_forgotten { "+" } else { "" });
        text.extend(
            self.all().map(|Print { fold, looks: [one, two] }| format!("{fold:032x}{one:016x}{two:016x}")),
        );
        serializer.serialize_str(&text)
    }
}

impl<'de> Deserialize<'de> for Things {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let (text, has_forgotten) = text.strip_prefix('+').map_or((&*text, false), |text| (text, true));
        let mut things = Self { has_forgotten, ..Self::default() };
        for index in (0..text.len()).step_by(DIGITS) {
            let print = text.get(index..index + DIGITS).filter(|print| print.is_ascii());
            let print = print.ok_or_else(|| D::Error::custom("no list of names"))?;
            let look =
                |from: usize| u64::from_str_radix(&print[from..from + 16], 16).map_err(D::Error::custom);
            let fold = u128::from_str_radix(&print[..32], 16).map_err(D::Error::custom)?;
            things.add(Print { fold, looks: [look(32)?, look(48)?] });
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
        let print = |fold: u128| Print { fold, looks: [2 * fold as u64, 2 * fold as u64] };
        for name in 0..MAX_NAMES as u128 + 1 {
            assert_eq!(things.add(print(name)), First::New);
        }
        let text = serde_json::to_string(&things).unwrap();
        let mut again: Things = serde_json::from_str(&text).unwrap();
        assert!(things.has_forgotten() && again.has_forgotten() && !Things::default().has_forgotten());
        let of = [1, MAX_NAMES as u128, 0].map(|name| again.add(print(name)));
        assert_eq!(of, [First::Again, First::Again, First::New]);
        assert!(serde_json::from_str::<Things>("\"0123\"").is_err());
        let foreign = Print { fold: u128::MAX, looks: [2 * 7 + 1, 1] };
        assert_eq!(
            again.add(foreign),
            First::Alike,
            "it looks like the eighth, and has a character that is not ASCII"
        );
    }

    #[test]
    fn names_that_look_alike_are_told_from_those_that_are_the_same() {
        let of = |texts: &[&str]| -> Vec<First> {
            let mut things = Things::default();
            texts.iter().map(|text| things.insert(&text.parse().unwrap())).collect()
        };
        use First::{Again, Alike, New};
        assert_eq!(of(&["D1", "d1", "\u{ff24}1", "Dl", "DI"]), [New, Again, Again, New, New]);
        // The Cyrillic letters A and O.
        assert_eq!(of(&["A1", "\u{410}1", "\u{410}1", "A1"]), [New, Alike, Again, Again]);
        assert_eq!(of(&["\u{410}1", "\u{410}2", "A2", "A3"]), [New, New, Alike, New]);
        assert_eq!(of(&["PBO", "PB0", "PB\u{41e}"]), [New, New, Alike]);
        assert_eq!(of(&["\u{c9}1", "E1", "E\u{301}1"]), [New, New, Again], "an accent is seen");
    }
}
