//! The cards that an unread card may be: those that the decks hold more often than they were read.

use baccarat::{Face, Rank, Suit};
use serde::{Deserialize, Serialize};

/// One bit for each suit.
const ALL_SUITS: u8 = 0b1111;

/// The cards that the decks still allow. It is exact when computed from all cards and ranks read in the whole
/// shoe, and wider when computed from the cards read so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Pool {
    /// Suits of each rank that were not all read, one bit each.
    suits: [u8; 13],
    /// Ranks that were not all read, one bit each.
    ranks: u16,
}

impl Default for Pool {
    /// Nothing is excluded.
    fn default() -> Self {
        Self { suits: [ALL_SUITS; 13], ranks: (1 << 13) - 1 }
    }
}

impl Pool {
    /// No card of this rank is left unread.
    pub(crate) const fn exhaust_rank(&mut self, rank: Rank) {
        self.ranks &= !(1 << (rank.number() - 1));
    }

    /// Neither is one of this rank and suit.
    pub(crate) const fn exhaust(&mut self, rank: Rank, suit: Suit) {
        self.suits[rank.number() as usize - 1] &= !(1 << suit as u8);
    }

    /// Ranks of which a card may be unread.
    pub(crate) fn ranks(&self) -> impl Iterator<Item = Rank> {
        self.cards_of(Face::Unseen).ranks().map(|(rank, _)| rank)
    }

    /// What a face may be. Where the decks leave nothing (they were overdrawn, and that is a finding),
    /// anything.
    pub(super) fn cards_of(&self, face: Face) -> Cards {
        let mut cards = Cards([0; 13]);
        let Some(card) = face.card() else {
            for rank in (0..13).filter(|rank| self.ranks & (1 << rank) != 0) {
                cards.0[rank] = self.suits[rank];
            }
            let overdrawn = cards.0 == [0; 13];
            return if overdrawn { Cards([ALL_SUITS; 13]) } else { cards };
        };
        let rank = usize::from(card.rank.number()) - 1;
        cards.0[rank] = match card.suit {
            Some(suit) => 1 << suit as u8,
            None if self.suits[rank] == 0 => ALL_SUITS,
            None => self.suits[rank],
        };
        cards
    }
}

/// A set of cards: for each rank one bit a suit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cards([u8; 13]);

impl Cards {
    /// The ranks, each with its suits.
    pub(super) fn ranks(self) -> impl Iterator<Item = (Rank, u8)> {
        Rank::ALL.into_iter().zip(self.0).filter(|(_, suits)| *suits != 0)
    }

    /// What they count, one bit for each number of points.
    pub(super) fn points(self) -> u16 {
        self.ranks().fold(0, |points, (rank, _)| points | 1 << rank.points().get())
    }
}

/// The suits of one bit each.
pub(super) fn suits(bits: u8) -> impl Iterator<Item = Suit> {
    Suit::ALL.into_iter().filter(move |suit| bits & (1 << *suit as u8) != 0)
}
