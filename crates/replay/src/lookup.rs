//! An index from numbers to positions in a list, so that a long list is never searched from end to end.

use std::collections::BTreeSet;

/// The indexes of the items of each number, in a list that only grows.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lookup {
    /// Items that were looked at.
    seen: usize,
    /// Numbers that are not below any earlier one, each with its index: usually all of them.
    rising: Vec<(u64, usize)>,
    /// The other numbers with their indexes. For one number these come after those above.
    others: BTreeSet<(u64, usize)>,
}

impl Lookup {
    pub(crate) fn new<T>(list: &[T], number: impl Fn(&T) -> u64) -> Self {
        let mut lookup = Self::default();
        lookup.see(list, number);
        lookup
    }

    /// Looks at what was added since.
    #[inline]
    pub(crate) fn see<T>(&mut self, list: &[T], number: impl Fn(&T) -> u64) {
        for (at, item) in list.iter().enumerate().skip(self.seen) {
            let number = number(item);
            if self.rising.last().is_none_or(|(highest, _)| *highest <= number) {
                self.rising.push((number, at));
            } else {
                self.others.insert((number, at));
            }
        }
        self.seen = list.len();
    }

    /// Places of the items of this number, in their order.
    #[inline]
    pub(crate) fn of(&self, number: u64) -> impl DoubleEndedIterator<Item = usize> {
        let rising = match self.rising.last() {
            Some((highest, _)) if *highest >= number => {
                let from = self.rising.partition_point(|one| one.0 < number);
                let behind = &self.rising[from..];
                &behind[..behind.partition_point(|one| one.0 == number)]
            }
            Some(_) | None => &[],
        };
        let others = (!self.others.is_empty()).then(|| self.others.range((number, 0)..=(number, usize::MAX)));
        rising.iter().chain(others.into_iter().flatten()).map(|(_, at)| *at)
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

    #[test]
    fn every_index_of_a_number_is_found_in_whatever_order_the_numbers_come() {
        let list: Vec<u64> = (0..200).map(|at: u64| at * at * 7 % 31).collect();
        let lookup = Lookup::new(&list, |item| *item);
        for number in 0..32 {
            let indexes = || list.iter().enumerate().filter(|(_, item)| **item == number).map(|(at, _)| at);
            assert!(lookup.of(number).eq(indexes()), "{number}");
            assert!(lookup.of(number).rev().eq(indexes().rev()), "{number}, from the end");
        }
    }
}
