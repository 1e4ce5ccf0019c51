//! Who sits at which seat of a table, as far as the record says.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::by_seat::BySeat;
use crate::person::Person;
use crate::seldom::Seldom;

/// Whether whoever bets at a seat sits there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sits {
    Yes,
    /// Another sits there, or the player has no seat.
    No,
    /// Events are missing.
    Perhaps,
}

/// The seats that are taken.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Seating {
    taken: BySeat<Option<Person>>,
    /// Seats taken by one player while they were another's.
    disputed: Seldom<BTreeSet<u8>>,
    /// Those of them that were left under another's name, and not taken since.
    #[serde(default)]
    left_by_another: Seldom<BTreeSet<u8>>,
    /// Whether the table records who sits at all.
    recorded: bool,
    /// Events are missing: a player who is not known to sit may sit.
    uncertain: bool,
}

impl Seating {
    /// Somebody sits down. If two players took a seat one after the other, its owner is not known.
    pub(crate) fn sit(&mut self, seat: u8, player: Option<Person>) {
        self.recorded = true;
        if player.as_ref().is_some_and(|player| self.is_anothers(seat, player)) {
            return self.dispute(seat);
        }
        if self.left_by_another.contains(&seat) {
            self.leave(seat);
        }
        let unsettled = self.disputed.contains(&seat);
        self.taken.insert(seat, player.filter(|_| !unsettled));
    }

    /// Two players are recorded at one seat: its owner is not known until it is left.
    pub(crate) fn dispute(&mut self, seat: u8) {
        self.disputed.insert(seat);
        self.taken.insert(seat, None);
    }

    /// A seat is left under another's name. Its owner is not known until it is taken or left.
    pub(crate) fn leave_by_another(&mut self, seat: u8) {
        self.dispute(seat);
        self.left_by_another.insert(seat);
    }

    pub(crate) fn leave(&mut self, seat: u8) {
        self.taken.remove(seat);
        if let Some(disputed) = self.disputed.begun_mut() {
            disputed.remove(&seat);
        }
        if let Some(left) = self.left_by_another.begun_mut() {
            left.remove(&seat);
        }
        self.recorded = true;
    }

    /// Events are missing.
    pub(crate) fn doubt(&mut self) {
        self.taken.clear();
        self.disputed.clear();
        self.left_by_another.clear();
        self.uncertain = true;
    }

    /// The seats at which a player is known to sit.
    pub(crate) fn seats_of(&self, player: &Person) -> impl Iterator<Item = u8> {
        let there = self.taken.iter().filter(move |(_, sits)| sits.as_ref() == Some(player));
        there.map(|(seat, _)| seat)
    }

    /// Who is known to sit at a seat.
    pub(crate) fn owner(&self, seat: u8) -> Option<&Person> {
        self.taken.get(seat).and_then(Option::as_ref)
    }

    /// Whether nobody is known to sit at a seat.
    pub(crate) fn is_free(&self, seat: u8) -> bool {
        self.taken.get(seat).is_none()
    }

    /// Whether a seat is free, or its owner may have left it.
    pub(crate) fn may_be_taken(&self, seat: u8) -> bool {
        self.is_free(seat) || self.left_by_another.contains(&seat)
    }

    /// Whether a seat is known to be another player's.
    pub(crate) fn is_anothers(&self, seat: u8, player: &Person) -> bool {
        self.owner(seat).is_some_and(|sits| sits != player)
    }

    /// Whether a player who is not known to sit anywhere sits at the seat they bet at. Where seats were
    /// never recorded they do.
    pub(crate) fn sits(&self, seat: u8, player: &Person) -> Sits {
        match self.taken.get(seat) {
            Some(_) if self.disputed.contains(&seat) => Sits::Perhaps,
            Some(_) if self.is_anothers(seat, player) => Sits::No,
            Some(_) => Sits::Yes,
            None if self.uncertain => Sits::Perhaps,
            None if self.recorded => Sits::No,
            None => Sits::Yes,
        }
    }
}
