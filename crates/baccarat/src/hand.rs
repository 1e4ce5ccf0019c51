//! A hand of two or three cards; a fourth cannot be expressed.

use crate::{Card, Points};

/// A complete hand: two cards and perhaps a third.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hand {
    two: [Card; 2],
    third: Option<Card>,
}

impl Hand {
    /// A hand of its first two cards and its third, if it drew.
    #[must_use]
    pub const fn new(two: [Card; 2], third: Option<Card>) -> Self {
        Self { two, third }
    }

    /// The first two cards, in the order dealt.
    #[must_use]
    pub const fn two(&self) -> [Card; 2] {
        self.two
    }

    /// The third card.
    #[must_use]
    pub const fn third(&self) -> Option<Card> {
        self.third
    }

    /// All cards, in the order dealt.
    pub fn cards(&self) -> impl Iterator<Item = Card> + use<> {
        self.two.into_iter().chain(self.third)
    }

    /// Two or three.
    #[must_use]
    pub const fn count(&self) -> u8 {
        if self.third.is_some() { 3 } else { 2 }
    }

    /// Total of the first two cards.
    #[must_use]
    pub const fn two_card_total(&self) -> Points {
        self.two[0].points().plus(self.two[1].points())
    }

    /// Total of the hand.
    #[must_use]
    pub const fn total(&self) -> Points {
        match self.third {
            Some(card) => self.two_card_total().plus(card.points()),
            None => self.two_card_total(),
        }
    }

    /// An 8 or 9 with two cards.
    #[must_use]
    pub const fn is_natural(&self) -> bool {
        self.third.is_none() && self.two_card_total().get() >= 8
    }
}
