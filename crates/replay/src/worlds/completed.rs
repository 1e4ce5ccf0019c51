//! All that hands may come to of which cards were not dealt: any cards may be missing.

use baccarat::{Deal, Face, HandOutcome, Outcome, Side};

use super::cells::hand;
use super::pool::Pool;
use super::two_cards::{PAIRS, TwoCards, numbers, third_points};

/// What one hand may come to, and whether no third card may follow because its first two cards are a natural.
struct Hand {
    outcome: HandOutcome,
    ends: bool,
    /// Whether it has a third card that was not dealt.
    added: bool,
}

/// The results of two hands whose cards stay as they lie, and to which any cards are added: up to two cards each, and then
/// a third, but none after a natural.
pub(super) fn completed(lying: &Deal) -> Vec<Outcome> {
    let [punto, banca] = Side::ALL.map(|side| hands(lying.faces(side)));
    let mut outcomes = Vec::new();
    for one in &punto {
        for other in &banca {
            if !(one.ends && other.added || other.ends && one.added) {
                outcomes.push(Outcome { punto: one.outcome, banca: other.outcome });
            }
        }
    }
    outcomes
}

fn hands(dealt: &[Face]) -> Vec<Hand> {
    let face = |at: usize| dealt.get(at).copied().unwrap_or(Face::Unseen);
    let pool = Pool::default();
    let two = TwoCards::of(face(0), face(1), &pool);
    let mut with_three = [0_u8; 10];
    for total in numbers(two.totals()).filter(|total| dealt.len() > 2 || *total < 8) {
        for points in numbers(third_points(face(2), &pool)) {
            with_three[usize::from((total + points) % 10)] |= two.pairs(total);
        }
    }
    let mut hands = Vec::new();
    for total in (0..10).filter(|total| dealt.len() < 3 && two.pairs(*total) != 0) {
        let ends = total >= 8;
        push(&mut hands, two.pairs(total), |pair| Hand {
            outcome: hand(total, false, pair),
            ends,
            added: false,
        });
    }
    for (total, pairs) in (0..10).zip(with_three) {
        let added = dealt.len() < 3;
        push(&mut hands, pairs, |pair| Hand { outcome: hand(total, true, pair), ends: false, added });
    }
    hands
}

fn push(hands: &mut Vec<Hand>, pairs: u8, hand: impl Fn(baccarat::Pair) -> Hand) {
    let kinds = PAIRS.into_iter().enumerate().filter(|(bit, _)| pairs & (1 << bit) != 0);
    hands.extend(kinds.map(|(_, pair)| hand(pair)));
}
