//! Checks the people of a table: nobody both plays and signs, and two signatures are of two people.

use std::collections::BTreeSet;

use events::{Body, Name, Role};
use serde::{Deserialize, Serialize};

use crate::by_seat::BySeat;
use crate::caps::Cap;
use crate::looks::Looks;
use crate::person::Person;
use crate::seldom::{Seldom, seldom};

seldom!(BTreeSet<Person>, Looks);

/// The players of a table, their names as they are compared.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct People {
    seated: BySeat<Person>,
    /// Who had a bet, or the bank, since the shoe was loaded.
    staked: Seldom<BTreeSet<Person>>,
    /// Whether more staked than are kept.
    #[serde(default)]
    forgotten: bool,
    /// Who of them bet last at each seat: mostly the next bet there is theirs as well.
    #[serde(skip)]
    latest: BySeat<(Name, Person)>,
    /// All names of the table, players' and signers'.
    #[serde(default)]
    pub(crate) looks: Seldom<Looks>,
}

impl People {
    /// A table opens: nobody sits.
    pub(crate) fn open(&mut self) {
        self.seated.clear();
    }

    pub(crate) fn new_shoe(&mut self) {
        self.staked.clear();
        self.forgotten = false;
        self.latest.clear();
        let seated = &self.seated;
        if self.looks.is_as_it_began() {
            return;
        }
        self.looks.new_shoe(|person| seated.iter().any(|(_, sits)| sits == person));
    }

    /// Events are missing: who sat may have left, and another shoe may have been loaded.
    pub(crate) fn doubt(&mut self) {
        *self = Self { looks: std::mem::take(&mut self.looks), ..Self::default() };
    }

    /// Whether this is a bet of who bet at its seat last: most are.
    pub(crate) fn bets_again(&self, body: &Body) -> bool {
        let Body::BetPlaced(placed) = body else { return false };
        let latest = self.latest.get(placed.seat).map(|(latest, _)| latest);
        placed.player.is_none() || latest == placed.player.as_ref()
    }

    /// Whether an event says anything new of people: most name nobody, or who bet at their seat last.
    pub(crate) fn is_changed_by(&self, body: &Body) -> bool {
        let is_of_seat = matches!(body, Body::SeatTaken(_) | Body::SeatLeft(_));
        is_of_seat || body.has_names() && !self.bets_again(body)
    }

    /// Notes who an event says plays.
    pub(crate) fn see(&mut self, body: &Body) {
        if let Body::SeatTaken(seat) | Body::SeatLeft(seat) = body {
            self.seated.remove(seat.seat);
        }
        body.each_name(|role, name| match role {
            Role::Sits(seat) => self.seated.insert(seat, name.into()),
            Role::Stakes(seat) => self.bets(seat, name),
            Role::Banks => self.stakes(name.into()),
            Role::Leaves | Role::Plays | Role::Signs | Role::Thing => {}
        });
    }

    fn bets(&mut self, seat: u8, name: &Name) {
        if self.latest.get(seat).is_none_or(|(latest, _)| latest != name) {
            let person = Person::from(name);
            self.latest.insert(seat, (name.clone(), person.clone()));
            self.stakes(person);
        }
    }

    fn stakes(&mut self, player: Person) {
        if self.staked.len() < Cap::Players.most() {
            self.staked.insert(player);
        } else {
            self.forgotten |= !self.staked.contains(&player);
        }
    }

    /// Who bets at a seat under this name.
    pub(crate) fn who(&self, seat: u8, name: &Name) -> Person {
        let latest = self.latest.get(seat).filter(|(latest, _)| latest == name);
        latest.map_or_else(|| name.into(), |(_, person)| person.clone())
    }
}
