//! What a shoe holds, and how findings state it.

pub(crate) mod composition;
pub(crate) mod replaced;

use baccarat::{Face, Rulebook};
use events::OrderReveal;

use crate::Code;
use crate::sink::{Accusation, Sink};
use crate::statement::{Burned, Cards, Decks, OfShoe};
use composition::{Surplus, face_code};

/// Most cards that leave a shoe when cards are burned: the indicator, and as many as a king counts.
pub(crate) const MOST_BURNED: u32 = 14;
/// Events of the shortest coup: the close of its bets, four cards and its settlement.
const LEAST_EVENTS: u64 = 6;

/// Fewest events of all coups of a shoe before the one of this number.
pub(crate) fn least_events_before(coup: u32) -> u64 {
    u64::from(coup.saturating_sub(1)) * LEAST_EVENTS
}

/// Whether a card was read as another than the one that lies in the order.
pub(crate) fn reads_otherwise(read: Face, is: Face) -> bool {
    match (read.card(), is.card()) {
        (None, _) => false,
        (Some(read), Some(is)) => read.rank != is.rank || read.suit.is_some_and(|suit| Some(suit) != is.suit),
        (Some(_), None) => true,
    }
}

/// Whether an order is the one that was committed to.
pub(crate) fn opens(commitment: &[u8; 32], reveal: &OrderReveal) -> bool {
    let mut bytes = reveal.nonce.0.to_vec();
    bytes.extend(reveal.order.iter().map(|face| face_code(*face)));
    blake3::hash(&bytes).as_bytes() == commitment
}

/// A number of cards, as it was due or recorded.
pub(crate) fn cards(number: u32) -> OfShoe {
    OfShoe::Cards { cards: Cards(number) }
}

pub(crate) fn burned(number: u8) -> OfShoe {
    OfShoe::Burned { cards: Burned(number.into()) }
}

/// A card, or a rank where the suit was not read, that came out too often.
pub(crate) fn surplus_card(surplus: &Surplus, decks: u8) -> Accusation {
    let Surplus { of: card, count: number, held } = *surplus;
    let decks = Decks(decks.into());
    if card.card().is_some_and(|card| card.suit.is_none()) {
        let expected = OfShoe::RankAtMost { card, held, decks };
        return Accusation::new(Code::ShoeSurplusCard, expected, OfShoe::RankNumber { card, number });
    }
    let expected = OfShoe::CardAtMost { card, held, decks };
    Accusation::new(Code::ShoeSurplusCard, expected, OfShoe::CardNumber { card, number })
}

pub(crate) fn check_depth(behind: u32, rules: &Rulebook, sink: &mut Sink) {
    let least = u32::from(rules.cut_card.cards_behind);
    if behind < least {
        sink.accuse(Accusation::new(
            Code::ShoeCutDepth,
            OfShoe::BehindAtLeast { cards: Cards(least) },
            OfShoe::Behind { cards: behind },
        ));
    }
}
