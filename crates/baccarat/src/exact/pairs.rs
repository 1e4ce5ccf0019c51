//! Suits, where they matter: the kinds of pair that the first two cards of a hand can make.

use crate::{Card, Coup, Hand, Side, Suit};

/// How the suits of two cards of one rank go together: suited, same colour, mixed.
const RELATIONS: [[Suit; 2]; 3] =
    [[Suit::Hearts, Suit::Hearts], [Suit::Hearts, Suit::Diamonds], [Suit::Hearts, Suit::Spades]];

/// Index in [`RELATIONS`].
fn relation(one: Suit, other: Suit) -> usize {
    match (one == other, one.is_red() == other.is_red()) {
        (true, _) => 0,
        (false, true) => 1,
        (false, false) => 2,
    }
}

/// Orders in which pairs get their suits, by index in [`RELATIONS`].
pub(super) struct PairSuits {
    /// Two cards of one rank.
    one: [u128; 3],
    /// Four cards of one rank, two to each hand.
    both: [[u128; 3]; 3],
}

impl PairSuits {
    pub(super) fn new(decks: u8) -> Self {
        let mut suits = Self { one: [0; 3], both: [[0; 3]; 3] };
        let mut left = [u128::from(decks); 4];
        deal_suits(&mut left, &mut Vec::new(), 1, &mut |dealt, orders| match dealt {
            [a, b] => suits.one[relation(*a, *b)] += orders,
            [a, b, c, d] => suits.both[relation(*a, *b)][relation(*c, *d)] += orders,
            _ => {}
        });
        suits
    }

    /// Splits a coup of ranks by the kinds of its pairs. Every division is exact: `draws` holds as
    /// a factor the orders of the paired cards, which is what the parts add up to.
    pub(super) fn split(&self, coup: &Coup, draws: u128, visit: &mut impl FnMut(&Coup, u128)) {
        let pair = |side: Side| {
            let [first, second] = coup.hand(side).two();
            (first.rank == second.rank).then_some(first.rank)
        };
        let one: u128 = self.one.iter().sum();
        match (pair(Side::Punto), pair(Side::Banca)) {
            (None, None) => visit(coup, draws),
            (Some(_), None) => {
                for (kind, orders) in self.one.iter().enumerate() {
                    visit(&suited(coup, Some(kind), None), draws / one * orders);
                }
            }
            (None, Some(_)) => {
                for (kind, orders) in self.one.iter().enumerate() {
                    visit(&suited(coup, None, Some(kind)), draws / one * orders);
                }
            }
            (Some(punto), Some(banca)) => self.split_both(coup, draws, punto == banca, visit),
        }
    }

    fn split_both(&self, coup: &Coup, draws: u128, same_rank: bool, visit: &mut impl FnMut(&Coup, u128)) {
        let one: u128 = self.one.iter().sum();
        let all = if same_rank { self.both.iter().flatten().sum() } else { one * one };
        for punto in 0..3 {
            for banca in 0..3 {
                let orders =
                    if same_rank { self.both[punto][banca] } else { self.one[punto] * self.one[banca] };
                visit(&suited(coup, Some(punto), Some(banca)), draws / all * orders);
            }
        }
    }
}

/// Every order of up to four suits of one rank, with the number of cards it can be made of.
fn deal_suits(
    left: &mut [u128; 4],
    dealt: &mut Vec<Suit>,
    orders: u128,
    found: &mut impl FnMut(&[Suit], u128),
) {
    found(dealt, orders);
    if dealt.len() == 4 {
        return;
    }
    for (index, suit) in Suit::ALL.into_iter().enumerate() {
        if left[index] == 0 {
            continue;
        }
        left[index] -= 1;
        dealt.push(suit);
        deal_suits(left, dealt, orders * (left[index] + 1), found);
        dealt.pop();
        left[index] += 1;
    }
}

/// The coup with suits on its pairs.
fn suited(coup: &Coup, punto: Option<usize>, banca: Option<usize>) -> Coup {
    let hand = |side: Side, kind: Option<usize>| {
        let hand = *coup.hand(side);
        let Some(kind) = kind else { return hand };
        let [first, second] = hand.two();
        let [one, other] = RELATIONS[kind];
        Hand::new([Card::new(first.rank, one), Card::new(second.rank, other)], hand.third())
    };
    Coup { punto: hand(Side::Punto, punto), banca: hand(Side::Banca, banca) }
}
