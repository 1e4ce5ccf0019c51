//! Counts how often each card of a shoe was seen, and encodes a card as one byte for the commitment to the order.

use baccarat::{Card, Face, Rank, Suit};
use serde::{Deserialize, Serialize};

use crate::worlds::Pool;

/// One byte a card, as commitments count them: 0 unseen, 1 to 52 by suit and rank, 53 to 65 by
/// rank where the suit is not known.
pub(crate) fn face_code(face: Face) -> u8 {
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
pub(crate) struct Composition {
    decks: u16,
    cards: [[u16; 13]; 4],
    ranks: [u16; 13],
    /// Cards of other decks that went into the shoe for damaged ones: each may come out once more.
    replaced: Vec<Face>,
}

impl Composition {
    pub(crate) const fn new(decks: u8) -> Self {
        Self { decks: decks as u16, cards: [[0; 13]; 4], ranks: [0; 13], replaced: Vec::new() }
    }

    /// These cards of other decks went into the shoe, and no others.
    pub(crate) fn replace(&mut self, replaced: Vec<Face>) {
        self.replaced = replaced;
    }

    /// How many cards of other decks went into it.
    pub(crate) fn replacements(&self) -> u32 {
        u32::try_from(self.replaced.len()).unwrap_or(u32::MAX)
    }

    /// How often a card may come out.
    fn held(&self, rank: Rank, suit: Suit) -> u16 {
        self.decks + self.replaced_of(|card| card.rank == rank && card.suit == Some(suit))
    }

    /// How often cards of a rank may come out.
    fn held_of_rank(&self, rank: Rank) -> u16 {
        self.decks * 4 + self.replaced_of(|card| card.rank == rank)
    }

    fn replaced_of(&self, is: impl Fn(&Card) -> bool) -> u16 {
        u16::try_from(self.replaced.iter().filter_map(|face| face.card()).filter(is).count())
            .unwrap_or(u16::MAX)
    }

    /// What a card that was not read may be: what the decks hold more often than it was read.
    pub(crate) fn pool(&self) -> Pool {
        let mut pool = Pool::default();
        for (index, rank) in Rank::ALL.into_iter().enumerate() {
            if self.ranks[index] >= self.held_of_rank(rank) {
                pool.exhaust_rank(rank);
            }
            for suit in Suit::ALL {
                if self.cards[usize::from(suit_number(suit))][index] >= self.held(rank, suit) {
                    pool.exhaust(rank, suit);
                }
            }
        }
        pool
    }

    /// Counts a face; where it is one too many, how many came out and what the decks hold of it.
    pub(crate) fn add(&mut self, face: Face) -> Option<Surplus> {
        let card = face.card()?;
        let index = usize::from(card.rank.number()) - 1;
        self.ranks[index] = self.ranks[index].saturating_add(1);
        if let Some(suit) = card.suit {
            let held = self.held(card.rank, suit);
            let seen = &mut self.cards[usize::from(suit_number(suit))][index];
            *seen = seen.saturating_add(1);
            if *seen > held {
                return Some(Surplus { of: face, count: *seen, held });
            }
        }
        // The decks hold at least so many of a rank, also if cards were replaced.
        if self.ranks[index] <= self.decks * 4 {
            return None;
        }
        let (count, held) = (self.of_rank(card.rank), self.held_of_rank(card.rank));
        let of = Face::Seen(Card { suit: None, ..card });
        (count > held).then_some(Surplus { of, count, held })
    }

    /// Cards of a rank that came out, without those that were too many of their suit already.
    fn of_rank(&self, rank: Rank) -> u16 {
        let index = usize::from(rank.number()) - 1;
        let seen = |suit: Suit| self.cards[usize::from(suit_number(suit))][index];
        let suited = |all: u16, suit: Suit| all.saturating_add(seen(suit));
        let within = |all: u16, suit: Suit| all.saturating_add(seen(suit).min(self.held(rank, suit)));
        let unread = self.ranks[index].saturating_sub(Suit::ALL.into_iter().fold(0, suited));
        Suit::ALL.into_iter().fold(unread, within)
    }
}

/// A card of which more came out than the decks hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Surplus {
    /// The card, or its rank.
    pub(crate) of: Face,
    pub(crate) count: u16,
    pub(crate) held: u16,
}

/// Whether an order is of every card of the decks, each read in full, and of no other.
pub(crate) fn holds_exactly(order: &[Face], decks: u8) -> bool {
    let mut seen = Composition::new(decks);
    let each_fits = order.iter().all(|face| {
        let whole = face.card().is_some_and(|card| card.suit.is_some());
        whole && seen.add(*face).is_none()
    });
    each_fits && order.len() == usize::from(decks) * 52
}
