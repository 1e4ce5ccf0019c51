//! What the other cards of a shoe say about a coup: which cards one that was not read may be, and which lie right after
//! its own.

use baccarat::Face;

use crate::reading::ShoeRecord;
use crate::worlds::Pool;

/// Most cards that a coup may lack.
const MOST_AFTER: usize = 6;

/// A shoe and the cards that were read in it.
#[derive(Debug)]
pub struct ShoeCards<'s, 'a> {
    pub(super) shoe: &'s ShoeRecord<'a>,
    pub(super) pool: Pool,
}

impl<'s, 'a> ShoeCards<'s, 'a> {
    /// Counts the cards of a shoe.
    #[must_use]
    pub fn of(shoe: &'s ShoeRecord<'a>) -> Self {
        let burned =
            shoe.burns.iter().flat_map(|burn| burn.value.faces.iter().chain([&burn.value.indicator]));
        let dealt = shoe.coups.iter().flat_map(|coup| &coup.cards).map(|card| &card.face);
        let decks = shoe.loading.map(|loading| u32::from(loading.value.decks));
        let pool = decks.map_or_else(Pool::default, |decks| pool(burned.chain(dealt), decks));
        Self { shoe, pool }
    }

    /// The cards that lie right after those of a coup, as far as the coups that follow show them in full.
    pub(super) fn after(&self, coup: usize) -> Vec<Face> {
        let own = self.shoe.coups[coup].cards.iter().filter(|card| card.to.side().is_some());
        let Some(last) = own.map(|card| card.position).max() else { return Vec::new() };
        let cards = self.shoe.coups[coup + 1..].iter().flat_map(|coup| &coup.cards);
        let positions = (last..).skip(1);
        let in_order = cards.zip(positions).take(MOST_AFTER).take_while(|(card, position)| {
            let read = card.face.card().is_some_and(|card| card.suit.is_some());
            card.position == *position && read && card.to.side().is_some()
        });
        in_order.map(|(card, _)| card.face).collect()
    }
}

fn pool<'f>(faces: impl Iterator<Item = &'f Face>, decks: u32) -> Pool {
    let (mut ranks, mut cards) = ([0_u32; 13], [[0_u32; 4]; 13]);
    let mut pool = Pool::default();
    for card in faces.filter_map(|face| face.card()) {
        let rank = usize::from(card.rank.number()) - 1;
        ranks[rank] += 1;
        if ranks[rank] >= 4 * decks {
            pool.exhaust_rank(card.rank);
        }
        if let Some(suit) = card.suit {
            cards[rank][suit as usize] += 1;
            if cards[rank][suit as usize] >= decks {
                pool.exhaust(card.rank, suit);
            }
        }
    }
    pool
}
