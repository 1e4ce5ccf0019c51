//! A small map from seat numbers to values, kept as a sorted list because a table has few seats.

use serde::{Deserialize, Serialize};

/// At most one entry for each of 256 seats.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct BySeat<T>(Vec<(u8, T)>);

impl<T> Default for BySeat<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> BySeat<T> {
    fn at(&self, seat: u8) -> Result<usize, usize> {
        self.0.binary_search_by_key(&seat, |(seat, _)| *seat)
    }

    pub(crate) fn insert(&mut self, seat: u8, known: T) {
        match self.at(seat) {
            Ok(at) => self.0[at].1 = known,
            Err(at) => self.0.insert(at, (seat, known)),
        }
    }

    pub(crate) fn remove(&mut self, seat: u8) {
        if let Ok(at) = self.at(seat) {
            self.0.remove(at);
        }
    }

    pub(crate) fn get(&self, seat: u8) -> Option<&T> {
        self.at(seat).ok().map(|at| &self.0[at].1)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (u8, &T)> {
        self.0.iter().map(|(seat, known)| (*seat, known))
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_stand_in_the_order_of_their_numbers() {
        let mut seats = BySeat::default();
        for (seat, known) in [(7, 'a'), (1, 'b'), (255, 'c'), (7, 'd')] {
            seats.insert(seat, known);
        }
        seats.remove(255);
        seats.remove(9);
        assert!(seats.iter().eq([(1, &'b'), (7, &'d')]));
        assert_eq!((seats.get(7), seats.get(255)), (Some(&'d'), None));
        seats.clear();
        assert_eq!(seats.get(7), None);
    }
}
