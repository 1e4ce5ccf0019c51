//! Checks that do not concern a single coup: the clock, who plays and who signs, rulebook ids, the currency,
//! reused names of shoes and decks, and a shoe kept overnight.

use std::sync::Arc;

use events::{BetPlaced, Body, Event, Name, ShoeLoaded, TableOpened};
use serde::{Deserialize, Serialize};

use super::alike::Alike;
use super::{InForce, Seen, Table};
use crate::caps::Cap;
use crate::clock::{Received, ShoeClock};
use crate::currency::{NO_MONEY, digits_of};
use crate::identity::{First, Opening, Reused, Texts, id_of};
use crate::people::{Asked, People};
use crate::person::Person;
use crate::rules::Rules;
use crate::seldom::Seldom;
use crate::sink::Accusation;
use crate::statement::{All, Digits, OfBets, OfShoe, OfTable};
use crate::{Code, Reason};

/// How long after it happened an event that a service takes in is counted as late, in microseconds: a day.
const LATE: i64 = 86_400_000_000;

/// The state of these checks.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Around {
    clock: ShoeClock,
    pub(super) people: People,
    reused: Seldom<Reused>,
    /// Texts that the table was opened under.
    texts: Texts,
    /// Openings under a new text that the judge has not asked for yet.
    openings: Seldom<Vec<Opening>>,
    /// Rules by which the shoe was played that is kept while the table is closed.
    pub(super) overnight: Option<Arc<Rules>>,
    /// Limits that bind from the next coup.
    pub(super) next_limits: Option<Box<events::Limits>>,
    /// Bets were placed although the table says that no money moves.
    no_money_reported: bool,
    /// What is not certain of the event that is judged, because names look alike.
    #[serde(skip)]
    pub(super) alike: Alike,
}

impl Table {
    /// Looks at the next event before it is judged.
    pub(super) fn look_around(&mut self, event: &Event, seen: &Seen<'_>) {
        let opens = matches!(event.body, Body::TableOpened(_));
        let loads = matches!(event.body, Body::ShoeLoaded(_));
        if loads || (opens && self.around.overnight.is_none()) {
            self.accuse_clock();
        }
        if loads {
            self.around.overnight = None;
            self.around.people.new_shoe();
        }
        if opens {
            self.around.people.open();
        }
        self.around.clock.see(event.occurred_at, seen.received, self.location);
        let delay = |received: i64| received.saturating_sub(event.occurred_at.micros());
        match seen.received {
            Received::FromFile(received) => self.tally.from_file.add(delay(received)),
            Received::ByService(received) if delay(received) > LATE => {
                self.tally.posted_late.add(delay(received));
            }
            Received::ByService(_) | Received::Unknown => {}
        }
        self.clock = Some(event.occurred_at);
        self.look_at_names(&event.body, seen);
        self.around.people.see(seen.amended.map_or(&event.body, |(_, body)| body));
        if self.around.people.has_forgotten() {
            self.sink.forget(Cap::Players);
        }
    }

    /// The shoe, or what came before the first, is over: its clock is judged.
    pub(super) fn accuse_clock(&mut self) {
        let clock = std::mem::replace(&mut self.around.clock, ShoeClock::after(self.clock));
        if let Some(rules) = self.rules().or_else(|| self.around.overnight.clone()) {
            self.sink.accuse_all(clock.judge(&rules.book));
            self.write_findings();
        }
    }

    /// Judges who signed.
    pub(super) fn check_signers(&mut self, one: &Name, other: Option<&Name>, ruling: bool) {
        let asked = match self.in_force.rules().map(|rules| rules.book.rulings_countersigned()) {
            Some(true) if ruling => Asked::Two,
            Some(false) => Asked::One,
            Some(true) | None => Asked::Unknown,
        };
        self.around.people.judge(one, other, asked, &mut self.sink);
        self.note_signers([Some(one), other].into_iter().flatten());
    }

    /// A rulebook has its id to itself.
    pub(super) fn check_rulebook(&mut self, text: &str, digest: &str) {
        let (Some(id), None) = (id_of(text), &self.question.approved) else { return };
        if let Some(own) = self.question.built_in(&id).filter(|own| own != digest) {
            let expected = OfTable::Rulebook { rulebook: id.as_str().into(), digest: own.into() };
            let recorded = OfTable::Digest { digest: digest.into() };
            self.sink.accuse(Accusation::new(Code::RulebookAltered, expected, recorded));
        }
        match self.around.texts.add(&id, digest) {
            Some(false) => {}
            Some(true) => self.around.openings.push(Opening {
                location: self.location,
                table: self.id.clone(),
                id,
                digest: digest.to_owned(),
            }),
            None => self.sink.forget(Cap::RulebookTexts),
        }
    }

    /// Openings judged since they were asked for last.
    pub(crate) fn take_openings(&mut self) -> Vec<Opening> {
        self.around.openings.begin_anew()
    }

    /// The money of the table is one there is, and stays.
    pub(super) fn check_currency(&mut self, opened: &TableOpened) {
        self.around.no_money_reported = false;
        let code = opened.currency.as_str();
        let with =
            |digits: u8| OfTable::CurrencyDigits { currency: code.into(), digits: Digits(digits.into()) };
        let recorded = with(opened.minor_digits);
        match digits_of(code) {
            Some(digits) if digits == opened.minor_digits => {}
            Some(digits) => {
                self.sink.accuse(Accusation::new(Code::CurrencyWrong, with(digits), recorded));
            }
            None if code == NO_MONEY => {}
            None => {
                self.sink.accuse(Accusation::new(Code::CurrencyWrong, OfTable::OfIso4217, recorded));
            }
        }
        if let Some(before) = self.opened.as_ref().filter(|before| before.currency.code != code) {
            let in_currency = |code: &str| OfTable::Currency { currency: code.into() };
            let expected = in_currency(&before.currency.code);
            self.sink.accuse(Accusation::new(Code::CurrencyChanged, expected, in_currency(code)));
        }
    }

    /// The person who places a bet, where it has a name.
    pub(super) fn who_bets(&self, placed: &BetPlaced) -> Option<Person> {
        placed.player.as_ref().map(|name| self.around.people.who(placed.seat, name))
    }

    /// A bet is placed: there has to be money to place it in.
    pub(super) fn check_money(&mut self) {
        let none = self.opened.as_ref().is_some_and(|opened| opened.currency.code == NO_MONEY);
        if none && !std::mem::replace(&mut self.around.no_money_reported, true) {
            let recorded = OfTable::NoMoneyAndBet { currency: NO_MONEY.into() };
            self.sink.accuse(Accusation::new(Code::CurrencyWrong, OfTable::OfIso4217, recorded));
        }
    }

    /// A shoe and its decks come once. Returns whether that is not known, because a name looks like one before.
    pub(super) fn check_reuse(&mut self, loaded: &ShoeLoaded) -> bool {
        let Reused { shoes, decks } = &mut *self.around.reused;
        let shoe = (&loaded.shoe, shoes.insert(&loaded.shoe));
        let decks_of: Vec<(&Name, First)> =
            loaded.deck_serials.iter().map(|deck| (deck, decks.insert(deck))).collect();
        let forgotten = [(Cap::ShoeIds, shoes.has_forgotten()), (Cap::DeckSerials, decks.has_forgotten())];
        if self.in_force.rules().is_none_or(|rules| rules.book.shoe.reuse) {
            return false;
        }
        forgotten.into_iter().filter(|(_, has)| *has).for_each(|(cap, _)| self.sink.forget(cap));
        if shoe.1 == First::Again {
            let recorded = OfShoe::ShoeAgain { shoe: loaded.shoe.as_str().into() };
            self.sink.accuse(Accusation::new(Code::ShoeIdReused, OfBets::IdUnused, recorded));
        }
        let used = decks_of.iter().filter(|(_, first)| *first == First::Again);
        let serials: All<Box<str>> = used.map(|(deck, _)| deck.as_str().into()).collect();
        if !serials.0.is_empty() {
            let recorded = OfShoe::DecksAgain { serials };
            self.sink.accuse(Accusation::new(Code::DeckReused, OfShoe::SerialsUnused, recorded));
        }
        let all = [shoe].into_iter().chain(decks_of);
        let alike: Vec<&Name> =
            all.filter(|(_, first)| *first == First::Alike).map(|(name, _)| name).collect();
        if !alike.is_empty() {
            self.accuse_used_alike(&alike);
        }
        !alike.is_empty()
    }

    /// The table closes: whether its shoe stays loaded.
    pub(super) fn keep_overnight(&mut self) -> bool {
        let rules = self.rules().filter(|rules| rules.book.shoe.overnight);
        let kept = rules.filter(|_| self.shoe.as_ref().is_some_and(|shoe| !shoe.ended()));
        if kept.is_some() {
            self.abandon_coups_at_end();
            self.leave_voids();
        }
        self.around.overnight = kept;
        self.around.overnight.is_some()
    }

    /// The table opens again: a shoe kept overnight goes on under the rulebook it was played by alone.
    pub(super) fn end_night(&mut self, in_force: &InForce) {
        let Some(kept) = self.around.overnight.clone() else { return };
        if in_force.rules().is_none_or(|rules| rules.digest != kept.digest) {
            self.accuse_clock();
            self.leave_shoe();
        }
        self.around.overnight = None;
    }

    /// What is played without a rulebook that can be judged by is not shown to be right.
    pub(super) fn leave_unruled(&mut self) {
        if let (Some(reason), Some(shoe)) = (self.in_force.lacks(), self.shoe.as_mut()) {
            shoe.leave_open(reason);
        }
    }
}

impl InForce {
    /// Why there are no rules to judge by.
    pub(super) const fn lacks(&self) -> Option<Reason> {
        match self {
            Self::None => Some(Reason::RulebookMissing),
            Self::Unreadable => Some(Reason::RulebookUnreadable),
            Self::Unapproved => Some(Reason::RulebookUnapproved),
            Self::Known(_) | Self::AtRest(_) => None,
        }
    }
}
