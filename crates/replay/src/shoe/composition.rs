//! Counts how often each card of a shoe was seen, and encodes a card as one byte for the commitment to the order.

use baccarat::{Card, Face, Rank, Suit};
use serde::{Deserialize, Serialize};

use crate::worlds::Pool;

/// One byte a card, as commitments count them: 0 unseen, 1 to 52 by suit and rank, 53 to 65 by
/// rank where the suit is not known.
pub(super) fn face_code(face: Face) -> u8 {
    match face {
        Face::Unseen => 0,
        Face::Seen(Card { rank, suit: Some(suit) }) => suit_number(suit) * 13 + rank.number(),
        Face::Seen(Card { rank, suit: None }) => 52 + rank.number(),
    }
}

const fn suit_number(suit: Suit) -> u8 {
    match suit {
        Suit::Clubs => 0,
        Suit::Diamonds => 1,
        Suit::Hearts => 2,
        Suit::Spades => 3,
    }
}

/// How often each card was seen.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Composition {
    decks: u16,
    cards: [[u16; 13]; 4],
    ranks: [u16; 13],
}

impl Composition {
    pub(super) const fn new(decks: u8) -> Self {
        Self { decks: decks as u16, cards: [[0; 13]; 4], ranks: [0; 13] }
    }

    /// What a card that was not read may be: what the decks hold more often than it was read.
    pub(super) fn pool(&self) -> Pool {
        let mut pool = Pool::default();
        for (index, rank) in Rank::ALL.into_iter().enumerate() {
            if self.ranks[index] >= self.decks * 4 {
                pool.exhaust_rank(rank);
            }
            for suit in Suit::ALL {
                if self.cards[usize::from(suit_number(suit))][index] >= self.decks {
                    pool.exhaust(rank, suit);
                }
            }
        }
        pool
    }

    /// Counts a face; where it is one too many, how many came out and what the decks hold of it.
    pub(super) fn add(&mut self, face: Face) -> Option<Surplus> {
        let card = face.card()?;
        let index = usize::from(card.rank.number()) - 1;
        self.ranks[index] = self.ranks[index].saturating_add(1);
        if let Some(suit) = card.suit {
            let seen = &mut self.cards[usize::from(suit_number(suit))][index];
            *seen = seen.saturating_add(1);
            if *seen > self.decks {
                return Some(Surplus { of: face, count: *seen, held: self.decks });
            }
        }
        let (count, held) = (self.of_rank(index), self.decks * 4);
        let of = Face::Seen(Card { suit: None, ..card });
        (count > held).then_some(Surplus { of, count, held })
    }

    /// Cards of a rank that came out, without those that were too many of their suit already.
    fn of_rank(&self, index: usize) -> u16 {
        let suited = |all: u16, cards: &[u16; 13]| all.saturating_add(cards[index]);
        let within = |all: u16, cards: &[u16; 13]| all.saturating_add(cards[index].min(self.decks));
        let unread = self.ranks[index].saturating_sub(self.cards.iter().fold(0, suited));
        self.cards.iter().fold(unread, within)
    }
}

/// A card of which more came out than the decks hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Surplus {
    /// The card, or its rank.
    pub(super) of: Face,
    pub(super) count: u16,
    pub(super) held: u16,
}

/// Whether an order is of every card of the decks, each read in full, and of no other.
pub(super) fn holds_exactly(order: &[Face], decks: u8) -> bool {
    let mut seen = Composition::new(decks);
    let each_fits = order.iter().all(|face| {
        let whole = face.card().is_some_and(|card| card.suit.is_some());
        whole && seen.add(*face).is_none()
    });
    each_fits && order.len() == usize::from(decks) * 52
}
