//! Counts the coups that two rulebooks play differently.

use super::{DRAW, DeckError, Rank, Shoe};
use crate::{Card, Deal, Expect, Rulebook};

/// Ordered six-card draws from a fresh shoe in which the two rulebooks, dealing the same cards,
/// do not ask for the same next card somewhere on the way.
///
/// # Errors
/// Where `decks` is not 1 to 12.
pub fn draws_played_otherwise(one: &Rulebook, other: &Rulebook, decks: u8) -> Result<u128, DeckError> {
    Ok(walk([one, other], &Deal::default(), Shoe::fresh(decks)?))
}

/// Draws, from here on, in which the rulebooks part.
fn walk(rules: [&Rulebook; 2], deal: &Deal, shoe: Shoe) -> u128 {
    let [one, other] = rules.map(|rules| deal.expect(rules));
    let side = match one {
        _ if one != other => return shoe.orders_of(DRAW - deal.count()),
        Expect::Card(side) => side,
        Expect::Finished | Expect::Unknown => return 0,
    };
    let mut parted = 0;
    for rank in Rank::ALL {
        let ways = shoe.ways(rank, deal.faces(side));
        if ways > 0 {
            let mut next = deal.clone();
            next.give(side, Card { rank, suit: None }.into());
            parted += u128::from(ways) * walk(rules, &next, shoe.without(rank));
        }
    }
    parted
}
