//! What the other cards of a shoe say about a coup: which cards one that was not read may be, and which lie right after
//! its own.

use baccarat::Face;

use super::index::Index;
use crate::reading::{CardRecord, CoupRecord, ShoeRecord};
use crate::shoe::composition::Composition;
use crate::worlds::Pool;

/// Most cards that a coup may lack.
const MOST_AFTER: usize = 6;

/// A shoe and the cards that were read in it.
#[derive(Debug)]
pub struct ShoeCards<'s, 'a> {
    pub(super) shoe: &'s ShoeRecord<'a>,
    pub(super) index: &'s Index<'s>,
    /// The cards that were read in it so far; `None`: it is not known what it was loaded with.
    pub(super) read: Option<Composition>,
}

impl<'s, 'a> ShoeCards<'s, 'a> {
    /// Counts the cards of a shoe, with those that were read before this part of its record.
    pub(super) fn of(shoe: &'s ShoeRecord<'a>, index: &'s Index<'s>, before: Option<&Composition>) -> Self {
        let burned =
            shoe.burns.iter().flat_map(|burn| burn.value.faces.iter().chain([&burn.value.indicator]));
        let dealt = shoe.coups.iter().flat_map(|coup| &coup.cards).map(|card| &card.face);
        let loaded = shoe.loading.map(|loading| Composition::new(loading.value.decks));
        let read = loaded.or(before.cloned()).map(|mut read| {
            for face in burned.chain(dealt) {
                let _surplus = read.add(*face);
            }
            read
        });
        Self { shoe, index, read }
    }

    /// What a card that was not read may be.
    pub(super) fn pool(&self) -> Pool {
        self.read.as_ref().map_or_else(Pool::default, Composition::pool)
    }

    /// The same of a coup. If all of its cards were read, that is not asked.
    pub(super) fn pool_for(&self, coup: &CoupRecord<'_>) -> Pool {
        let is_read = |card: &CardRecord| card.face.card().is_some_and(|card| card.suit.is_some());
        if coup.cards.iter().all(is_read) { Pool::default() } else { self.pool() }
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
