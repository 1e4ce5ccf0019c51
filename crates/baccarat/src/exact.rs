//! Exact enumeration: every ordered draw of six cards from a fresh shoe, counted as integers.
//!
//! A draw is six cards in order, whether the coup uses four, five or six of them; a fresh shoe of
//! `N` cards has `N * (N-1) * ... * (N-5)`. The rulebook's own deal decides who draws, so what is
//! counted here is what the judge expects. Burned cards change nothing: unseen cards are drawn
//! like any others.

use std::cmp::Ordering;

use crate::{Card, Coup, Deal, Expect, Face, Rank, Rulebook};

mod counts;
mod edge;
mod misplay;
mod pairs;
mod tally;

pub use counts::{Counts, Shape};
pub use edge::{Fraction, Price, price};
pub use misplay::draws_played_otherwise;
use pairs::PairSuits;
pub use tally::Tally;

/// Cards of a draw.
const DRAW: u8 = 6;
/// A number of decks no shoe has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0} decks make no shoe; expected 1 to 12")]
pub struct DeckError(u8);

/// Hands every kind of coup a fresh shoe can give to `visit`, with the number of ordered six-card
/// draws that lead to it.
///
/// The coups are complete but not literal. A third card represents all cards of its value (a ten every ten,
/// jack, queen and king). The first two cards of a hand represent both orders, and a card worth ten among them
/// also the ranks worth ten that nobody drew yet. Suits are given to cards that pair, and to no others; they say
/// the kind of pair. So [`crate::BetRule::decide`] is never undecided. One coup may be visited many times; the counts add
/// up to [`draws`].
///
/// # Errors
/// Where `decks` is not 1 to 12.
pub fn outcomes(rules: &Rulebook, decks: u8, mut visit: impl FnMut(&Coup, u128)) -> Result<(), DeckError> {
    let shoe = Shoe::fresh(decks)?;
    let suits = PairSuits::new(decks);
    walk(rules, &Deal::default(), shoe, 1, &mut |coup, draws| suits.split(coup, draws, &mut visit));
    Ok(())
}

/// Ordered draws of six cards from a fresh shoe.
///
/// # Errors
/// Where `decks` is not 1 to 12.
pub fn draws(decks: u8) -> Result<u128, DeckError> {
    Ok(Shoe::fresh(decks)?.orders_of(DRAW))
}

/// What is left in the shoe.
#[derive(Clone, Copy)]
struct Shoe {
    ranks: [u16; 13],
    cards: u16,
    /// Cards of each rank when it was fresh.
    of_rank: u16,
}

impl Shoe {
    fn fresh(decks: u8) -> Result<Self, DeckError> {
        if !(1..=12).contains(&decks) {
            return Err(DeckError(decks));
        }
        let of_rank = u16::from(decks) * 4;
        Ok(Self { ranks: [of_rank; 13], cards: of_rank * 13, of_rank })
    }

    const fn index(rank: Rank) -> usize {
        rank as usize - 1
    }

    /// Ways in which the next card of a hand can be one that this rank represents; none where another rank represents it.
    fn ways(&self, rank: Rank, hand: &[Face]) -> u16 {
        match hand {
            [] => self.alike(rank),
            [first] => match first.card().map(|first| first.points().cmp(&rank.points())) {
                // The two cards may also lie in the other order, which is not looked at by itself.
                Some(Ordering::Less) => 2 * self.alike(rank),
                Some(Ordering::Equal) => self.alike(rank),
                Some(Ordering::Greater) | None => 0,
            },
            _ if rank == Rank::Ten => self.ranks[Self::index(Rank::Ten)..].iter().sum(),
            _ if rank > Rank::Ten => 0,
            _ => self.ranks[Self::index(rank)],
        }
    }

    /// Cards left of a rank. Ranks worth ten that nobody drew yet come to the same as first cards of a hand, so the
    /// first of them counts for all, and the others count for nothing.
    fn alike(&self, rank: Rank) -> u16 {
        let (index, left) = (Self::index(rank), self.ranks[Self::index(rank)]);
        if rank < Rank::Ten || left < self.of_rank {
            return left;
        }
        let untouched = |ranks: &[u16]| ranks.iter().filter(|left| **left == self.of_rank).count() as u16;
        let tens = Self::index(Rank::Ten);
        if untouched(&self.ranks[tens..index]) > 0 { 0 } else { left * untouched(&self.ranks[index..]) }
    }

    /// The shoe without one card of the rank, of which there is one left. For a third card, ten takes any ten or
    /// face that is left, because after it only their number matters.
    fn without(mut self, rank: Rank) -> Self {
        let from = Self::index(rank);
        let taken = (from..13).find(|index| self.ranks[*index] > 0).unwrap_or(from);
        self.ranks[taken] = self.ranks[taken].saturating_sub(1);
        self.cards -= 1;
        self
    }

    /// Ordered draws of `count` of the cards left.
    fn orders_of(&self, count: u8) -> u128 {
        (0..u128::from(count)).map(|drawn| u128::from(self.cards) - drawn).product()
    }
}

/// Follows the deal card by card; `draws` counts the orders that led here.
fn walk(rules: &Rulebook, deal: &Deal, shoe: Shoe, draws: u128, found: &mut impl FnMut(&Coup, u128)) {
    let side = match deal.expect(rules) {
        Expect::Card(side) => side,
        Expect::Finished | Expect::Unknown => {
            if let Some(coup) = deal.coup() {
                found(&coup, draws * shoe.orders_of(DRAW - deal.count()));
            }
            return;
        }
    };
    for rank in Rank::ALL {
        let ways = shoe.ways(rank, deal.faces(side));
        if ways > 0 {
            let mut next = deal.clone();
            next.give(side, Card { rank, suit: None }.into());
            walk(rules, &next, shoe.without(rank), draws * u128::from(ways), found);
        }
    }
}
