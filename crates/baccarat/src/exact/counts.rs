//! Exact counts of results that depend neither on ranks nor on suits.

use super::{DeckError, Shoe, walk};
use crate::{Deal, Rulebook, Winner};

/// Draws counted by both totals and by the number of cards in each hand; whatever looks neither
/// at ranks nor at suits is a sum of these.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counts {
    /// By punto's total, banca's total, punto's third card or none, banca's third card or none.
    cells: [[[[u128; 2]; 2]; 10]; 10],
}

/// How a coup ended, as far as [`Counts`] distinguishes coups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Total, 0 to 9.
    pub punto_total: u8,
    /// Total, 0 to 9.
    pub banca_total: u8,
    /// 2 or 3.
    pub punto_cards: u8,
    /// 2 or 3.
    pub banca_cards: u8,
}

impl Shape {
    /// Which hand won.
    #[must_use]
    pub fn winner(&self) -> Winner {
        match self.punto_total.cmp(&self.banca_total) {
            std::cmp::Ordering::Greater => Winner::Punto,
            std::cmp::Ordering::Less => Winner::Banca,
            std::cmp::Ordering::Equal => Winner::Tie,
        }
    }

    /// Cards in both hands, 4 to 6.
    #[must_use]
    pub const fn cards(&self) -> u8 {
        self.punto_cards + self.banca_cards
    }

    /// Points between the totals, 0 to 9.
    #[must_use]
    pub const fn margin(&self) -> u8 {
        self.punto_total.abs_diff(self.banca_total)
    }
}

impl Counts {
    /// Counts every draw from a fresh shoe.
    ///
    /// # Errors
    /// Where `decks` is not 1 to 12.
    pub fn of(rules: &Rulebook, decks: u8) -> Result<Self, DeckError> {
        let mut counts = Self { cells: [[[[0; 2]; 2]; 10]; 10] };
        walk(rules, &Deal::default(), Shoe::fresh(decks)?, 1, &mut |coup, draws| {
            let [punto, banca] = [coup.punto, coup.banca].map(|hand| usize::from(hand.total().get()));
            let [punto_drew, banca_drew] =
                [coup.punto, coup.banca].map(|hand| usize::from(hand.third().is_some()));
            counts.cells[punto][banca][punto_drew][banca_drew] += draws;
        });
        Ok(counts)
    }

    /// Draws that end in a shape that meets a condition.
    pub fn of_shape(&self, condition: impl Fn(Shape) -> bool) -> u128 {
        let mut sum = 0;
        for (punto_total, row) in (0..).zip(&self.cells) {
            for (banca_total, cell) in (0..).zip(row) {
                for (punto_cards, cell) in (2..).zip(cell) {
                    for (banca_cards, draws) in (2..).zip(cell) {
                        if condition(Shape { punto_total, banca_total, punto_cards, banca_cards }) {
                            sum += draws;
                        }
                    }
                }
            }
        }
        sum
    }

    /// All draws.
    #[must_use]
    pub fn total(&self) -> u128 {
        self.of_shape(|_| true)
    }

    /// Draws that this side wins, or that are a tie.
    #[must_use]
    pub fn won_by(&self, winner: Winner) -> u128 {
        self.of_shape(|shape| shape.winner() == winner)
    }

    /// Draws that end with these totals, 0 to 9 each.
    #[must_use]
    pub fn with_totals(&self, punto: u8, banca: u8) -> u128 {
        self.of_shape(|shape| shape.punto_total == punto && shape.banca_total == banca)
    }
}
