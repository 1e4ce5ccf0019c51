//! A map that usually holds one entry. It stores that entry without a tree, because a tree allocates space for
//! eleven.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Entries in the order of their keys. There is `one`, or none, or all are `more`, which are two at least.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Few<K, V> {
    one: Option<(K, V)>,
    more: BTreeMap<K, V>,
}

impl<K, V> Default for Few<K, V> {
    fn default() -> Self {
        Self { one: None, more: BTreeMap::new() }
    }
}

impl<K: Ord, V: Default> Few<K, V> {
    /// The value of a key; a default value is inserted if there is none.
    pub(crate) fn entry(&mut self, key: &K, own: impl FnOnce() -> K) -> &mut V {
        if self.one.as_ref().is_some_and(|(one, _)| one != key) {
            self.more.extend(self.one.take());
        }
        if !self.more.is_empty() {
            return self.more.entry(own()).or_default();
        }
        &mut self.one.get_or_insert_with(|| (own(), V::default())).1
    }
}

impl<K, V> Few<K, V> {
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.one.iter().map(|(key, value)| (key, value)).chain(&self.more)
    }
}

impl<K, V> IntoIterator for Few<K, V> {
    type Item = (K, V);
    type IntoIter =
        std::iter::Chain<std::option::IntoIter<(K, V)>, std::collections::btree_map::IntoIter<K, V>>;

    fn into_iter(self) -> Self::IntoIter {
        self.one.into_iter().chain(self.more)
    }
}

impl<K: Serialize, V: Serialize> Serialize for Few<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de, K: Deserialize<'de> + Ord, V: Deserialize<'de>> Deserialize<'de> for Few<K, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut more: BTreeMap<K, V> = Vec::deserialize(deserializer)?.into_iter().collect();
        let one = if more.len() == 1 { more.pop_first() } else { None };
        Ok(Self { one, more })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_stand_in_order_however_they_came_and_after_a_pause() {
        let mut few = Few::<u8, u64>::default();
        for key in [3, 3, 1, 2, 3, 1] {
            *few.entry(&key, || key) += 1;
            let text = serde_json::to_string(&few).expect("JSON");
            assert_eq!(serde_json::from_str::<Few<u8, u64>>(&text).expect("the same"), few);
        }
        assert!(few.iter().eq([(&1, &2), (&2, &1), (&3, &3)]));
        assert!(few.into_iter().eq([(1, 2), (2, 1), (3, 3)]));
    }
}
