//! The names of a table's people and things: those that look alike, and those with characters that nobody sees
//! (`docs/judging.md`, "Names that look alike"). What rests on two such names being two people's is not found.

use std::collections::BTreeSet;

use events::{Body, Event, Name, Role};
use serde::{Deserialize, Serialize};

use super::Checked;
use super::before::Before;
use super::moments::{Moment, What};
use super::signers::Signatures;
use crate::looks::{MOST, Odd, characters};
use crate::people::People;
use crate::person::Person;
use crate::reading::{CoupRecord, Reading};
use crate::sink::Accusation;
use crate::statement::{Both, OfPeople};
use crate::{Code, names};

/// The names of a table.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Names {
    people: People,
    /// Sequence of the last event that was looked at, and whether a name of it looks like another.
    last: (u64, bool),
    /// Coups in which somebody plays whose name looks like another, by the place of the shoe and of the coup.
    #[serde(skip)]
    alike: BTreeSet<(usize, usize)>,
}

impl Names {
    /// Before a range.
    pub(super) fn begin_range(&mut self) {
        self.alike.clear();
    }

    /// Looks at the names of a moment.
    pub(super) fn check<'r, 'a: 'r>(
        &mut self,
        (moment, event): (&Moment<'r, 'a>, Option<&Event>),
        reading: &'r Reading<'a>,
        before: &Before<'r>,
        checked: &mut Checked,
    ) {
        if matches!(moment.what, What::Missing(_)) {
            self.people.doubt();
        } else if let (Some(event), true) = (event, self.last.0 != moment.sequence) {
            let corrected = corrected(moment, before);
            if corrected.is_some() || self.people.is_changed_by(&event.body) || !self.people.looks.is_plain()
            {
                self.see(moment, &event.body, corrected, checked);
            } else {
                self.last = (moment.sequence, false);
            }
        }
        if self.people.looks.is_plain() {
            return;
        }
        let place = moment.shoe.zip(moment.coup);
        let coup = place.and_then(|(shoe, at)| reading.shoes.get(shoe)?.coups.get(at));
        let is_alike = |coup: &&CoupRecord<'_>| self.is_alike_in(coup, moment.sequence);
        if let Some((place, _)) = place.zip(coup.filter(is_alike)) {
            self.alike.insert(place);
        }
    }

    fn see(
        &mut self,
        moment: &Moment<'_, '_>,
        first: &Body,
        corrected: Option<&Body>,
        checked: &mut Checked,
    ) {
        if matches!(first, Body::ShoeLoaded(_)) {
            self.people.new_shoe();
        } else if matches!(first, Body::TableOpened(_)) {
            self.people.open();
        }
        let (mut is_alike, mut is_again) = (false, false);
        for body in std::iter::once(first).chain(corrected) {
            is_again = self.people.bets_again(body);
            if !is_again {
                body.each_name(|role, name| self.look_at(moment.sequence, role, name, checked));
            }
            let looks = &self.people.looks;
            if !looks.is_plain() {
                body.each_name(|role, name| {
                    is_alike |= role.is_of_person() && looks.is_alike(&Person::from(name));
                });
            }
        }
        self.last = (moment.sequence, is_alike);
        if !is_again {
            self.people.see(corrected.unwrap_or(first));
        }
    }

    fn look_at(&mut self, at: u64, role: Role, name: &Name, checked: &mut Checked) {
        let looks = &mut self.people.looks;
        for odd in if role.is_of_person() { looks.see(name) } else { looks.see_thing(name) } {
            let (code, expected, recorded) = match odd {
                Odd::Like(other) => {
                    let characters = characters([&other, name], |c| !(' '..='~').contains(&c));
                    let names = [other, name.clone()].into_iter().collect::<Both<Name>>();
                    (Code::NameLookAlike, OfPeople::NamesApart, OfPeople::NamesAlike { names, characters })
                }
                Odd::TooMany => {
                    let names = u32::try_from(MOST).unwrap_or(u32::MAX);
                    (Code::NameLookAlike, OfPeople::NamesApart, OfPeople::NamesTooMany { names })
                }
                Odd::Unseen => {
                    let characters = characters([name], names::is_unseen);
                    let name = name.clone();
                    (Code::NameUnseen, OfPeople::NameSeen, OfPeople::NameUnseen { name, characters })
                }
            };
            checked.accuse(at, Accusation::new(code, expected, recorded));
        }
    }

    /// Whether somebody plays in a coup by now whose name looks like another.
    fn is_alike_in(&self, coup: &CoupRecord<'_>, now: u64) -> bool {
        let placed = coup.bets.iter().map(|bet| bet.placed).filter(|placed| placed.sequence <= now);
        let players = placed.filter_map(|placed| placed.value.player.as_ref());
        let abonos = coup.chemin.abonos.iter().map(|abono| abono.placed);
        let abonos = abonos.filter(|placed| placed.sequence <= now);
        let abonos = abonos.filter_map(|placed| placed.value.player.as_ref());
        let calls = coup.chemin.calls.iter().filter(|told| told.sequence <= now);
        let calls = calls.filter_map(|told| told.value.player.as_ref());
        players.chain(abonos).chain(calls).any(|player| self.is_alike(player))
    }

    /// Who bets at a seat under this name, and whether another name of the table looks like it.
    pub(super) fn who(&self, seat: u8, name: &Name) -> (Person, bool) {
        (self.people.who(seat, name), self.is_alike(name))
    }

    /// Whether another name of the table looks like this one.
    pub(super) fn is_alike(&self, name: &Name) -> bool {
        let looks = &self.people.looks;
        !looks.is_plain() && looks.is_alike(&Person::from(name))
    }

    /// Whether somebody signs an event whose name looks like another.
    pub(super) fn is_signed_alike(&self, body: &Body) -> bool {
        let signatures = Signatures::of(body);
        signatures.is_some_and(|signatures| signatures.names().any(|name| self.is_alike(name)))
    }

    /// Whether what is found at a moment, in a coup or not, may rest on names that look alike.
    pub(super) fn leaves_open(&self, place: Option<(usize, usize)>) -> bool {
        self.last.1 || place.is_some_and(|place| self.alike.contains(&place))
    }
}

/// What the event of a moment says by the correction that counts. (No other event of a coup has a name.)
#[allow(clippy::wildcard_enum_match_arm, reason = "nothing else has a name")]
fn corrected<'r>(moment: &Moment<'_, '_>, before: &Before<'r>) -> Option<&'r Body> {
    let by = match moment.what {
        What::Around(told) | What::Ruled(told) | What::Again(told) => told.corrected_by,
        What::Placed(bet) => bet.placed.corrected_by,
        What::Abono(abono) => abono.placed.corrected_by,
        What::Loaded(loaded) => loaded.corrected_by,
        _ => None,
    };
    by.and_then(|by| before.said(moment.sequence, Some(by)))
}
