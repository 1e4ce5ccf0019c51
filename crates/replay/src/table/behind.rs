//! The cards of the shoe that follow a coup in which a hand wrongly stood. They show what the hand would have
//! been dealt, so the money moved can be computed exactly.

use baccarat::Face;
use events::CardDrawn;
use serde::{Deserialize, Serialize};

use crate::record::Revision;
use crate::rules::Rules;
use crate::worlds::{Rightful, rightful};

/// Cards that are looked for while they are drawn.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Behind {
    /// Sequence of the settlement of the coup.
    settled: u64,
    /// The cards of the coup, and behind them those found.
    cards: Vec<Face>,
    /// How many of them are the coup's.
    own: usize,
    /// Position of the next.
    next: u16,
    enough: bool,
}

impl Behind {
    /// Those behind the cards of a coup, from this position on.
    pub(super) const fn new(settled: u64, cards: Vec<Face>, next: u16) -> Self {
        let own = cards.len();
        Self { settled, cards, own, next, enough: false }
    }

    /// Another card of the shoe. It goes on only over cards that were read, recorded one by one, and dealt: who
    /// knows what a hand would have been dealt where one is missing, or was taken out of play?
    pub(super) fn draw(mut self, drawn: &CardDrawn, rules: &Rules) -> Option<Self> {
        if self.enough {
            return Some(self);
        }
        let read = drawn.card.card().is_some_and(|card| card.suit.is_some());
        if !read || drawn.position != self.next || drawn.to.side().is_none() {
            return None;
        }
        self.cards.push(drawn.card);
        self.next = self.next.checked_add(1)?;
        self.enough = rightful(self.cards.iter().copied(), &rules.book) != Rightful::Needs;
        Some(self)
    }

    pub(super) const fn is_enough(&self) -> bool {
        self.enough
    }

    pub(super) fn into_revision(mut self) -> Revision {
        Revision::Behind { settled: self.settled, faces: self.cards.split_off(self.own) }
    }
}
