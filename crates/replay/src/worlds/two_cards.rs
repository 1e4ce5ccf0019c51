//! The totals that the first two cards of a hand may have, and for each total the possible kinds of pair.

use baccarat::{Card, Deal, Face, Pair, Points, Side};

use super::pool::{Cards, Pool, suits};

/// Kinds of pair in the order of their bits.
pub(super) const PAIRS: [Pair; 4] = [Pair::None, Pair::Suited, Pair::SameColour, Pair::Mixed];

/// For each total of 0 to 9 the kinds of pair that go with it, one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TwoCards([u8; 10]);

impl TwoCards {
    /// What two faces may make; at most 169 pairs of ranks and 208 pairs of suits are looked at.
    pub(super) fn of(first: Face, second: Face, pool: &Pool) -> Self {
        let (first, second) = (pool.cards_of(first), pool.cards_of(second));
        let mut pairs = [0; 10];
        for (one, suits) in first.ranks() {
            for (other, others) in second.ranks() {
                let total = usize::from(one.points().plus(other.points()).get());
                pairs[total] |= if one == other { pairs_of(suits, others) } else { 1 };
            }
        }
        Self(pairs)
    }

    /// Kinds of pair that go with a total, one bit each.
    pub(super) fn pairs(&self, total: u8) -> u8 {
        self.0[usize::from(total)]
    }

    /// Totals that are possible, one bit each.
    pub(super) fn totals(&self) -> u16 {
        (0..10).filter(|total| self.0[*total] != 0).fold(0, |bits, total| bits | 1 << total)
    }
}

/// What two cards of one rank may make.
fn pairs_of(ones: u8, others: u8) -> u8 {
    let mut pairs = 0;
    for one in suits(ones) {
        for other in suits(others) {
            let pair = Pair::of_suits(one, other);
            let bit = PAIRS.iter().position(|kind| *kind == pair).unwrap_or_default();
            pairs |= 1 << bit;
        }
    }
    pairs
}

/// The points of a third card, one bit each.
pub(super) fn third_points(face: Face, pool: &Pool) -> u16 {
    let cards: Cards = pool.cards_of(face);
    cards.points()
}

/// The numbers 0 to 9 of one bit each.
pub(super) fn numbers(bits: u16) -> impl Iterator<Item = u8> {
    (0..10).filter(move |number| bits & (1 << number) != 0)
}

/// What the first two cards of a hand may be.
pub(super) fn two_cards(lying: &Deal, side: Side, pool: &Pool) -> TwoCards {
    match lying.faces(side) {
        [first, second, ..] => TwoCards::of(*first, *second, pool),
        [_] | [] => TwoCards::of(Face::Unseen, Face::Unseen, pool),
    }
}

/// Total of the first two cards of a hand; 0 where it has not two that were read.
pub(crate) fn total_of(deal: &Deal, side: Side) -> Points {
    let points = |face: &Face| face.card().map(Card::points).unwrap_or_default();
    deal.faces(side).iter().take(2).map(points).fold(Points::default(), Points::plus)
}
