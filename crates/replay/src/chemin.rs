//! Chemin de fer: a player holds the bank, some draws are free, and the players win what the bank loses.
//!
//! This module holds only what is special to this game. The shoe, its cards, coups, bets and rulings are
//! shared with punto y banca. Like the other state machines it reports what is wrong and does not know the
//! log.

pub(crate) mod money;
pub(crate) mod turn;
mod view;

use std::cmp::Ordering;

use baccarat::{CheminRules, Money};
use events::{BankTaken, Leave, LeaveGiven, Name};
use serde::{Deserialize, Serialize};

use crate::Code;
use crate::person::Person;
use crate::sink::{Accusation, Sink};
use crate::statement::{OfBank, OfBets, OfTurn, Party, Players};
pub(crate) use money::Banker;
pub(crate) use turn::Turn;
pub use view::{BankDue, BankView, CallView, DecisionView};

/// A player by the seat they sit at or stand behind. Two spellings of one name are one player.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Who {
    /// The name of a player who stands behind the seat; such players come after all who sit.
    pub(crate) standing: Option<Name>,
    pub(crate) seat: u8,
}

impl Who {
    /// Position in the order of priority: seated players first, counted from the banker's right.
    pub(crate) fn rank(&self, banker: u8) -> (bool, u8) {
        (self.standing.is_some(), self.seat.wrapping_sub(banker).wrapping_sub(1))
    }
}

impl Ord for Who {
    fn cmp(&self, other: &Self) -> Ordering {
        let standing = match (&self.standing, &other.standing) {
            (Some(one), Some(two)) if one == two => Ordering::Equal,
            (one, two) => one.as_ref().map(Person::from).cmp(&two.as_ref().map(Person::from)),
        };
        standing.then(self.seat.cmp(&other.seat))
    }
}

impl PartialOrd for Who {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Who {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Who {}

impl From<&Who> for Party {
    fn from(who: &Who) -> Self {
        Self { seat: who.seat, standing: who.standing.clone() }
    }
}

/// Leave given at a table, until it closes.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Leaves {
    pub(crate) unlimited_bank: bool,
    pub(crate) free_play: bool,
    /// Events are missing: leave may have been given in them.
    pub(crate) uncertain: bool,
}

/// What only a table of chemin de fer has.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Chemin {
    pub(crate) turn: Turn,
    pub(crate) banker: Option<Banker>,
    pub(crate) leaves: Leaves,
    /// Players at the table, as counted last.
    players: Option<u16>,
    /// Who may call banco seguido; `None` where events are missing.
    pub(crate) seguido: Option<Vec<Who>>,
    /// What the banker before this one gave up, and who that was: it gives a right to the cards.
    pub(crate) before: Option<(Who, Money)>,
    /// A garaje by choice was made under a rulebook that says no condition for it.
    silent_garaje: bool,
    /// «Todo va» was announced for the next coup.
    pub(crate) todo_va: bool,
    /// Events are missing: the bank is not known until somebody takes it.
    pub(crate) uncertain: bool,
    /// The coup settled last, and whether its account was recorded.
    #[serde(default)]
    settled: Option<(u32, bool)>,
    /// Sequence of the last account of an earlier coup that was recorded while another coup is in play.
    #[serde(default)]
    of_another: Option<u64>,
    /// The bank was given up for the end of the shoe while the shoe lasted: reported if play continues in it.
    #[serde(default)]
    passed_early: Option<Accusation>,
}

impl Chemin {
    /// A table opens: nobody has the bank.
    pub(crate) fn open() -> Self {
        Self { turn: Turn::open(), seguido: Some(Vec::new()), ..Self::default() }
    }

    /// Events are missing.
    pub(crate) fn doubt(&mut self) {
        let leaves = Leaves { uncertain: true, ..self.leaves };
        *self = Self { turn: Turn::doubted(), leaves, uncertain: true, ..Self::default() };
    }

    /// Events of the coup in play are missing: whose the bank is does not change in it, but leave may have been
    /// given.
    pub(crate) const fn doubt_leaves(&mut self) {
        self.leaves.uncertain = true;
    }

    /// Nor is it known who sits where, or how many players there are.
    pub(crate) const fn doubt_seats(&mut self, events: u64) {
        self.turn.doubt_seats(events);
        self.players = None;
    }

    /// Whether it is not known what whoever has the bank holds.
    fn sum_missing(&self) -> bool {
        self.banker.as_ref().is_some_and(|banker| banker.sum_missing)
    }

    /// How many players are at the table.
    pub(crate) const fn count(&mut self, players: u16) {
        self.players = Some(players);
    }

    /// Leave is given; `begun` says whether a coup of the shoe was begun.
    pub(crate) fn give_leave(
        &mut self,
        given: &LeaveGiven,
        begun: bool,
        rules: &CheminRules,
    ) -> Option<Accusation> {
        let office = given.office.as_str();
        let wrong = match given.leave {
            Leave::UnlimitedBank if !rules.bank.may_be_unlimited => {
                Some((OfBank::WithMaximum, OfBank::LeaveWithout))
            }
            Leave::FreePlay if office != rules.free_play.office => {
                let leave_by = |office: &str| OfBank::LeaveBy { office: office.into() };
                Some((leave_by(&rules.free_play.office), leave_by(office)))
            }
            Leave::FreePlay if begun => Some((OfBank::LeaveBeforePlay, OfBank::LeaveAfterFirst)),
            Leave::UnlimitedBank | Leave::FreePlay => None,
        };
        match (wrong, given.leave) {
            (Some((expected, recorded)), _) => {
                return Some(Accusation::new(Code::LeaveWrong, expected, recorded));
            }
            (None, Leave::UnlimitedBank) => self.leaves.unlimited_bank = true,
            (None, Leave::FreePlay) => self.leaves.free_play = true,
        }
        None
    }

    /// The bank is taken.
    pub(crate) fn take(&mut self, taken: &BankTaken, least: Option<Money>, sink: &mut Sink) {
        let who = self.turn.who(taken.seat, taken.player.as_ref());
        let gone = self.lost_and_gone();
        sink.accuse_all(gone);
        let kept = |banker: &&Banker| !self.uncertain && banker.lost != money::Lost::Yes;
        let free = self.banker.is_none();
        if let Some(banker) = self.banker.as_ref().filter(kept) {
            let expected = OfTurn::BankWith { who: (&banker.who).into() };
            let recorded = OfTurn::TakenBy { who: (&who).into() };
            sink.accuse(Accusation::new(Code::BankTakenAway, expected, recorded));
        }
        if let Some(least) = least.filter(|least| taken.amount < *least) {
            let expected = OfBets::AtLeast { amount: least.into() };
            let recorded = OfBets::Amount { amount: taken.amount.into() };
            sink.accuse(Accusation::new(Code::BankBelowMinimum, expected, recorded));
        }
        let parts = taken.partners.iter().fold(Money::ZERO, |sum, partner| sum.plus(partner.amount));
        if parts > taken.amount {
            let expected = OfTurn::PartsWithin { amount: taken.amount.into() };
            let recorded = OfBets::Amount { amount: parts.into() };
            sink.accuse(Accusation::new(Code::BankWrong, expected, recorded));
        }
        self.turn.take(&who, taken, least, free, sink);
        let partners = taken.partners.iter().map(|partner| partner.player.clone()).collect();
        self.banker = Some(Banker::new(who, taken.player.clone(), taken.amount, partners));
        (self.uncertain, self.settled) = (false, None);
    }

    /// Why a coup that begins now cannot be certified.
    pub(crate) fn open_question(&mut self, rules: &CheminRules) -> Option<crate::Reason> {
        let silent = std::mem::take(&mut self.silent_garaje);
        let counted = self.players.is_some() || self.turn.surely_seated() >= usize::from(rules.players.least);
        if self.uncertain || self.sum_missing() {
            Some(crate::Reason::EventsMissing)
        } else if silent {
            Some(crate::Reason::RuleSilent)
        } else {
            (!counted).then_some(crate::Reason::PlayersNotCounted)
        }
    }

    /// Checks that players enough are there, that nobody kept a seat, and, unless it began too early, that somebody has the bank.
    pub(crate) fn check_begin(&mut self, chemin: &CheminRules, early: bool, sink: &mut Sink) {
        let seated = u16::try_from(self.turn.seated()).unwrap_or(u16::MAX);
        let least = chemin.players.least;
        if let Some(players) = self.players.map(|players| players.max(seated)).filter(|there| *there < least)
        {
            let expected = OfTurn::PlayersAtLeast { players: Players(least.into()) };
            let recorded = OfTurn::Players { players: Players(players.into()) };
            sink.accuse(Accusation::new(Code::PlayersTooFew, expected, recorded));
        }
        sink.accuse_all(self.turn.seat_kept(chemin.turn.leaves_after));
        // Behind an event that came too early the bank may still be passed on and taken.
        if !early {
            sink.accuse_all(self.no_bank());
        }
    }

    /// A coup is played, and nobody has the bank, or somebody who lost it.
    fn no_bank(&self) -> Option<Accusation> {
        match &self.banker {
            None => Some(Accusation::new(Code::BankMissing, OfTurn::Somebody, OfTurn::Nobody)),
            Some(banker) if banker.lost == money::Lost::Yes => {
                let recorded = OfTurn::DealsOn { who: (&banker.who).into() };
                Some(Accusation::new(Code::BankKept, OfTurn::PassedOn, recorded))
            }
            Some(_) => None,
        }
    }

    /// Checks the bank in play against its limits, once the coup has begun.
    pub(crate) fn check_bank(&self, least: Option<Money>, rules: &CheminRules) -> Option<Accusation> {
        let most = self.exceeded(least, rules).filter(|_| !self.leaves.uncertain)?;
        let bank = self.banker.as_ref()?.bank;
        let expected = OfBank::InPlayAtMost { amount: most.into() };
        Some(Accusation::new(Code::BankAboveMaximum, expected, OfBank::InPlay { amount: bank.into() }))
    }

    /// Whether the bank is larger than it may be without a leave that may lie in missing events.
    pub(crate) fn needs_missing_leave(&self, least: Option<Money>, rules: &CheminRules) -> bool {
        self.leaves.uncertain && self.exceeded(least, rules).is_some()
    }

    /// The maximum that the bank exceeds without leave.
    fn exceeded(&self, least: Option<Money>, rules: &CheminRules) -> Option<Money> {
        let banker =
            self.banker.as_ref().filter(|banker| !banker.sum_missing && !self.leaves.unlimited_bank)?;
        let most = self.maximum(least?, rules);
        (banker.bank > most).then_some(most)
    }

    /// Most that a bank with a maximum may have in play.
    fn maximum(&self, least: Money, rules: &CheminRules) -> Money {
        let times = least.get().saturating_mul(u64::from(rules.bank.maximum));
        Money::new(times).unwrap_or(Money::MAX_RECORDED)
    }
}
