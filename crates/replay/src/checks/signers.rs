//! Who signs rulings, voids and corrections (`docs/judging.md`, "Rulings").

use std::collections::{BTreeMap, BTreeSet};

use baccarat::Rulebook;
use events::{Body, Name};
use serde::{Deserialize, Serialize};

use super::Checked;
use crate::Code;
use crate::by_seat::BySeat;
use crate::caps::Cap;
use crate::person::{Person, same};
use crate::reading::BURN_NOT_RECORDED;
use crate::sink::Accusation;
use crate::statement::{Both, OfPeople};

/// Who plays at a table.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Players {
    seated: BTreeMap<u8, Name>,
    /// Who had a bet since the shoe was loaded.
    staked: BTreeSet<Name>,
    /// Who of them bet last at each seat: mostly the next bet there is theirs as well.
    #[serde(skip)]
    latest: BySeat<Name>,
    /// Whether more staked than are kept.
    has_forgotten: bool,
}

impl Players {
    /// Somebody bets at a seat.
    pub(super) fn bet(&mut self, seat: u8, player: Option<&Name>) {
        let Some(player) = player.filter(|player| self.latest.get(seat) != Some(*player)) else { return };
        if self.staked.len() < Cap::Players.most() {
            self.staked.insert(player.clone());
        } else {
            self.has_forgotten |= !self.staked.contains(player);
        }
        self.latest.insert(seat, player.clone());
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "nothing else says who plays")]
    pub(super) fn see(&mut self, body: &Body) {
        match body {
            Body::TableOpened(_) => self.seated.clear(),
            Body::SeatTaken(seat) => {
                self.seated.remove(&seat.seat);
                self.seated.extend(seat.player.clone().map(|player| (seat.seat, player)));
            }
            Body::SeatLeft(seat) => {
                self.seated.remove(&seat.seat);
            }
            _ => {}
        }
    }

    /// A shoe is loaded.
    pub(super) fn new_shoe(&mut self) {
        self.staked.clear();
        self.latest.clear();
        self.has_forgotten = false;
    }

    /// Whether somebody who staked in this shoe was forgotten.
    pub(super) const fn has_forgotten(&self) -> bool {
        self.has_forgotten
    }

    /// Events are missing: who sat may have left, and if that is not within a coup another shoe may have been loaded.
    pub(super) fn doubt(&mut self, within_coup: bool) {
        self.seated.clear();
        if !within_coup {
            self.staked.clear();
            self.latest.clear();
        }
    }

    fn plays(&self, person: &Person) -> bool {
        let is = |name: &Name| Person::from(name) == *person;
        let staked = || self.staked.iter().any(|name| crate::names::fold(name.as_str()) == person.as_str());
        self.seated.values().any(is) || staked()
    }
}

/// The signatures under an event.
pub(super) struct Signatures<'r> {
    one: &'r Name,
    other: Option<&'r Name>,
    /// Whether it rules on anything.
    rules: bool,
}

/// Who signs an event.
pub(crate) fn signers(body: &Body) -> impl Iterator<Item = &Name> {
    Signatures::of(body).into_iter().flat_map(|signatures| signatures.names())
}

impl<'r> Signatures<'r> {
    #[allow(clippy::wildcard_enum_match_arm, reason = "nothing else is signed")]
    pub(super) fn of(body: &'r Body) -> Option<Self> {
        let (one, other, rules) = match body {
            Body::IrregularityRecorded(ruled) => {
                let rules = ruled.code.as_str() != BURN_NOT_RECORDED;
                (&ruled.ruled_by, ruled.countersigned_by.as_ref(), rules)
            }
            Body::CardReplaced(replaced) => (&replaced.ruled_by, replaced.countersigned_by.as_ref(), true),
            Body::CoupVoided(void) => (&void.ruled_by, void.countersigned_by.as_ref(), true),
            Body::CorrectionRecorded(correction) => {
                let [one, other] = &correction.signed_by;
                (one, Some(other), true)
            }
            _ => return None,
        };
        Some(Self { one, other, rules })
    }

    /// Who signs.
    pub(super) fn names(&self) -> impl Iterator<Item = &'r Name> + use<'r> {
        [Some(self.one), self.other].into_iter().flatten()
    }

    /// Two people sign, and neither of them plays.
    pub(super) fn check(&self, at: u64, players: &Players, rules: Option<&Rulebook>) -> Checked {
        let mut checked = Checked::default();
        let two = rules.map(Rulebook::rulings_countersigned);
        let mut find = |code, expected: OfPeople, recorded: OfPeople| {
            checked.accuse(at, Accusation::new(code, expected, recorded));
        };
        if let Some(other) = self.other.filter(|other| two != Some(false) && same(self.one, other)) {
            let recorded = if self.one == other {
                OfPeople::SignedTwice { name: other.clone() }
            } else {
                OfPeople::SignedByOne { names: [self.one, other].into_iter().cloned().collect() }
            };
            find(Code::SameSigner, OfPeople::TwoSignatures, recorded);
        }
        if self.other.is_none() && self.rules && two == Some(true) {
            let recorded = OfPeople::SignedAlone { name: self.one.clone() };
            find(Code::RulingUnsigned, OfPeople::TwoSignatures, recorded);
        }
        let signers: BTreeSet<Person> = self.names().map(Person::from).collect();
        let playing = signers.iter().filter(|person| players.plays(person));
        let names: Both<Box<str>> = playing.map(|person| person.as_str().into()).collect();
        if !names.0.is_empty() {
            find(Code::SignerPlays, OfPeople::NobodyWhoPlays, OfPeople::SignedBy { names });
        }
        checked
    }
}
