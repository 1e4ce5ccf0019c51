//! Places in a list by a number: a list may be as long as somebody writes.

use std::collections::BTreeSet;

/// Where in a list that only grows the items of a number stand.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lookup {
    /// Items that were looked at.
    seen: usize,
    /// Their numbers, each with its place.
    places: BTreeSet<(u64, usize)>,
}

impl Lookup {
    pub(crate) fn new<T>(list: &[T], number: impl Fn(&T) -> u64) -> Self {
        let mut lookup = Self::default();
        lookup.see(list, number);
        lookup
    }

    /// Looks at what was added since.
    pub(crate) fn see<T>(&mut self, list: &[T], number: impl Fn(&T) -> u64) {
        let added = list.iter().enumerate().skip(self.seen);
        self.places.extend(added.map(|(at, item)| (number(item), at)));
        self.seen = list.len();
    }

    /// Places of the items of this number, in their order.
    pub(crate) fn of(&self, number: u64) -> impl DoubleEndedIterator<Item = usize> {
        self.places.range((number, 0)..=(number, usize::MAX)).map(|(_, at)| *at)
    }

    /// The first of them.
    pub(crate) fn first(&self, number: u64) -> Option<usize> {
        self.of(number).next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_added_since_is_found() {
        let mut list = vec![3, 1, 3];
        let mut lookup = Lookup::new(&list, |item| *item);
        assert!(lookup.of(3).eq([0, 2]) && lookup.first(2).is_none());
        list.extend([2, 3]);
        lookup.see(&list, |item| *item);
        assert!(lookup.of(3).eq([0, 2, 4]) && lookup.first(2) == Some(3));
    }
}
