//! What depends on whether names that look alike are one person's: it is left open, and the names are reported.

use events::{Body, Name, Role};

use super::{Seen, Table};
use crate::looks::{MOST, Odd};
use crate::person::Person;
use crate::sink::Accusation;
use crate::statement::{All, Both, OfPeople, OfShoe};
use crate::{Code, Reason, names};

/// What is not certain of the event that is judged.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Alike {
    /// A name of it looks like another one.
    event: bool,
    /// Somebody who signs it, for this coup if for one, has such a name.
    signed: Option<Option<u32>>,
}

impl Table {
    /// Looks at the names of the next event: what is odd about them is reported once.
    pub(super) fn look_at_names(&mut self, body: &Body, seen: &Seen<'_>) {
        self.around.alike = Alike::default();
        for body in [Some(body), seen.amended.map(|(_, body)| body)].into_iter().flatten() {
            if !self.around.people.bets_again(body) {
                body.each_name(|role, name| self.look_at_name(role, name));
            }
            let looks = &self.around.people.looks;
            if !looks.is_plain() {
                let event = &mut self.around.alike.event;
                body.each_name(|role, name| {
                    *event |= role.is_of_person() && looks.is_alike(&Person::from(name));
                });
            }
        }
        if self.around.alike.event {
            // A name that came before in the coup may be one of a pair now.
            self.mark_alike();
        }
    }

    fn look_at_name(&mut self, role: Role, name: &Name) {
        let looks = &mut self.around.people.looks;
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
            self.sink.accuse(Accusation::new(code, expected, recorded));
        }
    }

    /// Names of a shoe or its decks look like some that were used before.
    pub(super) fn accuse_used_alike(&mut self, alike: &[&Name]) {
        let names = alike.iter().map(|name| name.as_str().into()).collect();
        let characters = characters(alike.iter().copied(), |c| !(' '..='~').contains(&c));
        let recorded = match characters.0.is_empty() {
            true => OfShoe::UsedAlike { names },
            false => OfShoe::UsedAlikeWith { names, characters },
        };
        self.sink.accuse(Accusation::new(Code::NameLookAlike, OfPeople::NamesApart, recorded));
    }

    /// Leaves the coup in play open if somebody who plays in it has a name that looks like another.
    pub(super) fn mark_alike(&mut self) {
        let looks = &self.around.people.looks;
        let Some(play) = self.play.as_mut().filter(|_| !looks.is_plain()) else { return };
        let is_alike = |name: Option<&Name>| name.is_some_and(|name| looks.is_alike(&Person::from(name)));
        for bet in &mut play.bets {
            bet.alike = bet.person.as_ref().is_some_and(|person| looks.is_alike(person));
        }
        let banker = play.chemin.as_deref().is_some_and(|coup| is_alike(coup.name()));
        let calls =
            play.chemin.as_deref().is_some_and(|coup| coup.callers().any(|name| is_alike(Some(name))));
        if banker || calls || play.bets.iter().any(|bet| bet.alike) {
            play.alike = true;
            play.doubt(Reason::NameLookAlike);
        }
    }

    /// Somebody signs: whether that is one of two people is not known where the name looks like another.
    pub(super) fn note_signers<'a>(&mut self, mut signers: impl Iterator<Item = &'a Name>) {
        let looks = &self.around.people.looks;
        if !looks.is_plain() && signers.any(|name| looks.is_alike(&Person::from(name))) {
            self.around.alike.signed = Some(self.sink.coup());
        }
    }

    /// The event is judged: what names that look alike leave open of it is left open.
    pub(super) fn leave_alike(&mut self, body: &Body) {
        let Alike { event, signed } = self.around.alike;
        if let Some(coup) = signed {
            self.leave_open_alike(coup);
        }
        if event && matches!(body, Body::BankTaken(_) | Body::BankPassed(_) | Body::BankBid(_)) {
            self.leave_open_alike(None);
        }
    }

    fn leave_open_alike(&mut self, coup: Option<u32>) {
        match self.play.as_mut().filter(|play| coup == Some(play.number)) {
            Some(play) => play.doubt(Reason::NameLookAlike),
            None => self.shoe.iter_mut().for_each(|shoe| shoe.leave_open(Reason::NameLookAlike)),
        }
    }

    /// Whether this is certain only if names that look alike are two people's. It is then left open.
    pub(super) fn is_alike(&mut self, accusation: &Accusation) -> bool {
        let now = accusation.location == Some(self.sink.location());
        let play = self.play.as_ref().filter(|play| accusation.coup == Some(play.number));
        let open = (now && self.around.alike.event) || play.is_some_and(|play| play.alike);
        let rests = open && accusation.code.rests_on_who();
        if rests {
            self.leave_open_alike(accusation.coup);
        }
        rests
    }
}

/// The code points of these names that are `odd`, each once.
pub(crate) fn characters<'a>(
    of: impl IntoIterator<Item = &'a Name>,
    odd: impl Fn(char) -> bool,
) -> All<Box<str>> {
    let mut all: Vec<char> =
        of.into_iter().flat_map(|name| name.as_str().chars()).filter(|c| odd(*c)).collect();
    all.sort_unstable();
    all.dedup();
    all.into_iter().map(|c| format!("U+{:04X}", c as u32).into()).collect()
}
