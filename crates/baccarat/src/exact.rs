//! Exact enumeration: every ordered draw of six cards from a fresh shoe, counted as integers.
//!
//! A draw is six cards in order, whether the coup uses four, five or six of them; a fresh shoe of
//! `N` cards has `N * (N-1) * ... * (N-5)`. The rulebook's own deal decides who draws, so what is
//! counted here is what the judge expects. Burned cards change nothing: unseen cards are drawn
//! like any others.

use crate::{Card, Coup, Deal, Expect, Rank, Rulebook};

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
/// Ranks of a third card, one for each value it can have: 0 to 9.
const THIRD: [Rank; 10] = [
    Rank::Ten,
    Rank::Ace,
    Rank::Two,
    Rank::Three,
    Rank::Four,
    Rank::Five,
    Rank::Six,
    Rank::Seven,
    Rank::Eight,
    Rank::Nine,
];

/// A number of decks no shoe has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0} decks make no shoe; expected 1 to 12")]
pub struct DeckError(u8);

/// Hands every kind of coup a fresh shoe can give to `visit`, with the number of ordered six-card
/// draws that lead to it.
///
/// The coups are complete but not literal: a third card represents all cards of its value (a ten every ten,
/// jack, queen and king), and only the first two cards of a hand that pair have suits, which say the kind of
/// pair. So [`crate::BetRule::decide`] is never undecided. One coup may be visited many times; the counts add
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
}

impl Shoe {
    fn fresh(decks: u8) -> Result<Self, DeckError> {
        if !(1..=12).contains(&decks) {
            return Err(DeckError(decks));
        }
        Ok(Self { ranks: [u16::from(decks) * 4; 13], cards: u16::from(decks) * 52 })
    }

    const fn index(rank: Rank) -> usize {
        rank as usize - 1
    }

    /// Cards left of a rank; as a third card, ten includes every ten and face.
    fn left(&self, rank: Rank, third: bool) -> u16 {
        if third && rank == Rank::Ten {
            return self.ranks[Self::index(Rank::Ten)..].iter().sum();
        }
        self.ranks[Self::index(rank)]
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
    let third = deal.faces(side).len() == 2;
    let ranks: &[Rank] = if third { &THIRD } else { &Rank::ALL };
    for rank in ranks {
        let left = shoe.left(*rank, third);
        if left > 0 {
            let mut next = deal.clone();
            next.give(side, Card { rank: *rank, suit: None }.into());
            walk(rules, &next, shoe.without(*rank), draws * u128::from(left), found);
        }
    }
}
