//! Deals the same cards by the rules: the coup as it would have been without the wrong draw.

use baccarat::{Coup, Deal, Expect, Face, Rulebook};

/// What cards come to when they are dealt by the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rightful {
    Coup(Coup),
    /// More cards of the shoe decide it.
    Needs,
    /// A card that was not read decides it, or the hands may choose.
    Unknown,
}

/// Deals cards, in the order of their positions from the coup's first card on, by the rules.
pub(crate) fn rightful(cards: impl IntoIterator<Item = Face>, rules: &Rulebook) -> Rightful {
    let mut cards = cards.into_iter();
    let mut deal = Deal::default();
    loop {
        let side = match deal.expect(rules) {
            Expect::Card(side) => side,
            Expect::Finished => return deal.coup().map_or(Rightful::Unknown, Rightful::Coup),
            Expect::Unknown => return Rightful::Unknown,
        };
        let Some(card) = cards.next() else { return Rightful::Needs };
        deal.give(side, card);
    }
}
