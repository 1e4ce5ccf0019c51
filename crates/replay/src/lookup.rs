//! Places in a list by a number, made when they are first asked for: a list may be as long as somebody writes, and an
//! honest one is short and seldom asked.

use std::collections::BTreeMap;

/// Where in a list that only grows an item of a number stands.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lookup {
    /// Items that were looked at.
    seen: usize,
    places: BTreeMap<u64, Vec<usize>>,
}

impl Lookup {
    /// Places of the items of this number, in their order.
    pub(crate) fn of<T>(&mut self, list: &[T], number: impl Fn(&T) -> u64, wanted: u64) -> &[usize] {
        for (at, item) in list.iter().enumerate().skip(self.seen) {
            self.places.entry(number(item)).or_default().push(at);
        }
        self.seen = list.len();
        self.places.get(&wanted).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_added_since_is_found() {
        let (mut list, mut lookup) = (vec![3, 1, 3], Lookup::default());
        assert_eq!(lookup.of(&list, |item| *item, 3), [0, 2]);
        assert!(lookup.of(&list, |item| *item, 2).is_empty());
        list.extend([2, 3]);
        assert_eq!(lookup.of(&list, |item| *item, 3), [0, 2, 4]);
        assert_eq!(lookup.of(&list, |item| *item, 2), [3]);
    }
}
