//! How often each card of a shoe was seen, and a card as one byte of a commitment.

use baccarat::{Card, Face, Suit};
use serde::{Deserialize, Serialize};

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

    /// Counts a face; where it is one too many, how many came out and how many the decks hold.
    pub(super) fn add(&mut self, face: Face) -> Option<(u16, u16)> {
        let card = face.card()?;
        let rank = usize::from(card.rank.number()) - 1;
        self.ranks[rank] = self.ranks[rank].saturating_add(1);
        let (count, held) = match card.suit {
            Some(suit) => {
                let seen = &mut self.cards[usize::from(suit_number(suit))][rank];
                *seen = seen.saturating_add(1);
                (*seen, self.decks)
            }
            None => (self.ranks[rank], self.decks * 4),
        };
        (count > held).then_some((count, held))
    }
}
