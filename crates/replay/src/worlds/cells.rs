//! All totals, cards and pairs that two hands may have, in all readings of their unread cards.

use std::sync::LazyLock;

use baccarat::{Card, Deal, HandOutcome, Outcome, Pair, Points, Side};

use super::pool::Pool;
use super::two_cards::{PAIRS, TwoCards, numbers, third_points};
use super::two_cards::{total_of, two_cards};

/// What both hands come to: for each pair of totals the kinds of pair of both, one bit each.
pub(super) struct Cells {
    two: [TwoCards; 2],
    /// Banca's third card, where it has one: its points.
    third: Option<u16>,
    drew: [bool; 2],
    pairs: [u16; 100],
}

impl Cells {
    pub(super) fn of(lying: &Deal, pool: &Pool) -> Self {
        let third = match lying.faces(Side::Banca) {
            [_, _, third] => Some(third_points(*third, pool)),
            _ => None,
        };
        Self {
            two: Side::ALL.map(|side| two_cards(lying, side, pool)),
            third,
            drew: Side::ALL.map(|side| lying.faces(side).len() == 3),
            pairs: [0; 100],
        }
    }

    pub(super) fn add(&mut self, deal: &Deal) {
        let [punto, banca] = Side::ALL.map(|side| total_of(deal, side));
        let [puntos, bancas] = [self.two[0].pairs(punto.get()), self.two[1].pairs(banca.get())];
        let pairs = (0..4).filter(|kind| puntos & (1 << kind) != 0);
        let pairs = pairs.fold(0, |bits, kind| bits | u16::from(bancas) << (4 * kind));
        let own = match deal.faces(Side::Punto) {
            [_, _, third] => punto.plus(third.card().map(Card::points).unwrap_or_default()),
            _ => punto,
        };
        for points in numbers(self.third.unwrap_or(1)) {
            let total = (banca.get() + points) % 10;
            self.pairs[usize::from(own.get()) * 10 + usize::from(total)] |= pairs;
        }
    }

    pub(super) fn outcomes(&self) -> Vec<Outcome> {
        let mut outcomes = Vec::new();
        for punto in 0..10 {
            for banca in 0..10 {
                let pairs = self.pairs[usize::from(punto) * 10 + usize::from(banca)];
                for bit in (0..16).filter(|bit| pairs & (1 << bit) != 0) {
                    outcomes.push(Outcome {
                        punto: hand(punto, self.drew[0], PAIRS[bit / 4]),
                        banca: hand(banca, self.drew[1], PAIRS[bit % 4]),
                    });
                }
            }
        }
        outcomes
    }
}

pub(super) fn hand(total: u8, drew: bool, pair: Pair) -> HandOutcome {
    HandOutcome::new(Points::new(total).unwrap_or_default(), drew, pair)
}

/// Everything two hands can come to.
pub(super) fn every_outcome() -> Vec<Outcome> {
    EVERY.clone()
}

/// There are some thousands: they are made once.
static EVERY: LazyLock<Vec<Outcome>> = LazyLock::new(|| {
    let mut hands = Vec::with_capacity(80);
    for total in 0..10 {
        for drew in [false, true] {
            hands.extend(PAIRS.map(|pair| hand(total, drew, pair)));
        }
    }
    let both = |punto: &HandOutcome| {
        hands.iter().map(|banca| Outcome { punto: *punto, banca: *banca }).collect::<Vec<_>>()
    };
    hands.iter().flat_map(both).collect()
});
