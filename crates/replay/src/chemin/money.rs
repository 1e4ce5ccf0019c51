//! The bank's money in chemin de fer: what it has in play and what is set aside (*garaje*), in minor units.

use std::collections::BTreeMap;

use baccarat::{CheminRules, Money};
use events::{BankPassed, BankSettled, BankWhy, Garaje, GarajeSet, Name};
use serde::{Deserialize, Serialize};

use super::turn::Ended;
use super::{Chemin, Who};
use crate::Statement;
use crate::account::by_seat;
use crate::sink::{Accusation, Sink, seat_money};
use crate::statement::{OfBank, OfBets, OfTurn, Sum};
use crate::{Code, SeatMoney};

/// Whether the banker lost the coup settled last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) enum Lost {
    #[default]
    No,
    Yes,
    /// The coup was void or could not be derived.
    Perhaps,
}

/// Whoever has the bank.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Banker {
    pub(crate) who: Who,
    pub(crate) name: Option<Name>,
    partners: Vec<Name>,
    /// In play in the next coup.
    pub(crate) bank: Money,
    /// Set aside.
    pub(crate) garaje: Money,
    /// Won, commission off, and neither lost again nor set aside; `None` where a coup is not known.
    pub(crate) winnings: Option<Money>,
    pub(crate) coups: u32,
    pub(crate) lost: Lost,
    /// Whether it is already reported that the sum they took away is missing.
    gone_reported: bool,
    /// What they hold is not known: an account is missing.
    #[serde(default)]
    pub(crate) sum_missing: bool,
}

impl Banker {
    /// An account says what they hold.
    pub(crate) const fn go_on_with(&mut self, account: &BankSettled) {
        (self.bank, self.garaje, self.sum_missing) = (account.bank, account.garaje, false);
    }

    pub(super) const fn new(who: Who, name: Option<Name>, bank: Money, partners: Vec<Name>) -> Self {
        let (garaje, winnings) = (Money::ZERO, Some(Money::ZERO));
        let (lost, gone_reported, sum_missing) = (Lost::No, false, false);
        Self { who, name, partners, bank, garaje, winnings, coups: 0, lost, gone_reported, sum_missing }
    }
}

impl Chemin {
    /// Money of the banker leaves play before a coup, or comes back into it.
    pub(crate) fn set_garaje(
        &mut self,
        set: &GarajeSet,
        least: Option<Money>,
        rules: &CheminRules,
    ) -> Option<Accusation> {
        if self.banker.is_none() {
            let accusation = Accusation::new(Code::BankMissing, OfTurn::Somebody, OfBank::GarajeOfNobody);
            return (!self.uncertain).then_some(accusation);
        }
        match set.kind {
            Garaje::Voluntary | Garaje::Improper if self.sum_missing() => None,
            Garaje::Voluntary => self.set_winnings_aside(set.amount, least, rules),
            Garaje::Improper => self.set_surplus_aside(set.amount, least, rules),
            Garaje::TodoVa => self.put_all_in_play(set.amount),
            Garaje::Compulsory => {
                let recorded = OfBank::NoCoupInPlay { amount: set.amount.into() };
                Some(Accusation::new(Code::GarajeAmount, OfBank::NotCovered, recorded))
            }
        }
    }

    /// By choice, once winnings are large enough.
    fn set_winnings_aside(
        &mut self,
        amount: Money,
        least: Option<Money>,
        rules: &CheminRules,
    ) -> Option<Accusation> {
        let over = rules.garaje.voluntary_over.zip(least);
        self.silent_garaje |= over.is_none();
        let banker = self.banker.as_mut()?;
        let won = banker.winnings;
        banker.winnings = won.map(|won| won.minus(amount));
        move_out(banker, amount);
        let ((times, least), won) = over.zip(won)?;
        let over = least.get().saturating_mul(u64::from(times));
        if won.get() <= over {
            let expected = OfBank::WinningsAbove { amount: Sum(over) };
            let recorded = OfBank::Winnings { amount: won.into() };
            return Some(Accusation::new(Code::GarajeNotAllowed, expected, recorded));
        }
        (amount > won).then(|| wrong_garaje(OfBets::AtMost { amount: won.into() }, amount))
    }

    /// What lies above the bank's maximum, and nothing else.
    fn set_surplus_aside(
        &mut self,
        amount: Money,
        least: Option<Money>,
        rules: &CheminRules,
    ) -> Option<Accusation> {
        let most = least.filter(|_| !self.leaves.unlimited_bank).map(|least| self.maximum(least, rules));
        let banker = self.banker.as_mut()?;
        let due = most.map_or(Money::ZERO, |most| banker.bank.minus(most));
        move_out(banker, amount);
        (amount != due && !self.leaves.uncertain)
            .then(|| wrong_garaje(OfBank::AboveMaximum { amount: due.into() }, amount))
    }

    /// «Todo va».
    fn put_all_in_play(&mut self, amount: Money) -> Option<Accusation> {
        self.todo_va = true;
        let banker = self.banker.as_mut()?;
        let aside = banker.garaje;
        banker.garaje = aside.minus(amount);
        banker.bank = banker.bank.plus(amount);
        if !self.leaves.unlimited_bank && !self.leaves.uncertain {
            let (expected, recorded) = (OfBank::LeaveForUnlimited, OfBank::TodoVaWithMaximum);
            return Some(Accusation::new(Code::TodoVa, expected, recorded));
        }
        (amount != aside && !self.sum_missing())
            .then(|| wrong_garaje(OfBank::AllSetAside { amount: aside.into() }, amount))
    }

    /// The banker gives up the bank.
    pub(crate) fn pass(&mut self, passed: &BankPassed, shoe_over: bool, sink: &mut Sink) {
        let who = self.turn.who(passed.seat, passed.player.as_ref());
        let certain = !self.uncertain;
        let banker = self.banker.take();
        self.settled = None;
        match banker.as_ref().filter(|banker| banker.who == who) {
            Some(banker) => {
                sink.accuse_all(judge_pass(banker, passed));
                self.passed_early = early(banker, passed, shoe_over).map(|early| early.at(sink.location()));
            }
            None if certain => {
                let with = |banker: &Banker| OfTurn::BankWith { who: (&banker.who).into() };
                let expected = banker.as_ref().map_or(OfTurn::BankNobodys, with);
                let recorded = OfTurn::PassedBy { who: (&who).into() };
                let accusation = Accusation::new(Code::BankTurn, expected, recorded);
                sink.accuse(accusation.moving(taken_away(&who, passed.amount, banker.as_ref())));
            }
            None => {}
        }
        // Where another sum was recorded than it holds, it may be taken for either.
        let known = banker.as_ref().filter(|banker| !banker.sum_missing);
        let held = known.map_or(passed.amount, |banker| banker.bank.plus(banker.garaje));
        let bank = known.map(|banker| banker.bank);
        let lost = banker.as_ref().is_some_and(|banker| banker.lost != Lost::No);
        let dealt = banker.as_ref().is_some_and(|banker| banker.coups > 0);
        let taken = banker.is_some();
        let partners = banker.map(|banker| banker.partners).unwrap_or_default();
        self.before = Some((who.clone(), bank.unwrap_or_default()));
        let ended = Ended { amount: passed.amount.min(held), bank, lost, dealt, taken };
        self.turn.pass(&who, passed, ended, partners);
    }

    /// The bank is offered to a seat: by whoever has lost it, and did not pass it on, what they took away is missing.
    pub(crate) fn offer(&mut self, seat: u8) -> Option<Accusation> {
        let kept = self.banker.as_ref().is_some_and(|banker| banker.lost != Lost::Yes);
        // To whom it goes from whoever did not pass it on is not asked.
        let offered = self.turn.offer(seat, kept).filter(|_| kept || self.banker.is_none());
        self.lost_and_gone().or(offered)
    }

    /// Play continues in the shoe for whose end the bank was given up.
    pub(crate) const fn play_goes_on(&mut self) -> Option<Accusation> {
        self.passed_early.take()
    }

    /// The shoe is over: a bank that was given up for its end was given up rightly.
    pub(crate) fn shoe_over(&mut self) {
        self.passed_early = None;
    }

    /// The banker lost the bank, and play goes on without it being passed; reported once.
    pub(super) fn lost_and_gone(&mut self) -> Option<Accusation> {
        let accusation = self.still_open();
        let banker = self.banker.as_mut().filter(|banker| banker.lost == Lost::Yes)?;
        let reported = std::mem::replace(&mut banker.gone_reported, true);
        accusation.filter(|_| !reported)
    }

    /// The table closes, or the banker leaves, and nothing says what they took away.
    pub(crate) fn still_open(&self) -> Option<Accusation> {
        let banker = self.banker.as_ref().filter(|_| !self.uncertain)?;
        if banker.sum_missing {
            let expected = OfBank::GivenBackWhole { who: (&banker.who).into() };
            return Some(Accusation::new(Code::BankNotSettled, expected, OfBank::NotRecorded));
        }
        let sum = banker.bank.plus(banker.garaje);
        let expected = OfBank::GivenBack { amount: sum.into(), who: (&banker.who).into() };
        let money = vec![seat_money(banker.who.seat, Money::ZERO, sum)];
        Some(Accusation::new(Code::BankNotSettled, expected, OfBank::NotRecorded).moving(money))
    }

    /// A seat is left; whoever sits there and has the bank has to have passed it.
    pub(crate) fn leave(&mut self, seat: u8) -> Option<Accusation> {
        let sits = Who { seat, standing: None };
        self.turn.leave(seat);
        let accusation =
            self.still_open().filter(|_| self.banker.as_ref().is_some_and(|banker| banker.who == sits))?;
        self.banker = None;
        Some(accusation)
    }
}

/// Somebody takes away a bank that is not theirs. Whoever has it lacks what it holds, until they take it away themselves.
fn taken_away(who: &Who, amount: Money, banker: Option<&Banker>) -> Vec<SeatMoney> {
    let mut sums: BTreeMap<u8, i128> = BTreeMap::new();
    *sums.entry(who.seat).or_default() += amount.over(Money::ZERO);
    if let Some(banker) = banker.filter(|banker| !banker.sum_missing) {
        *sums.entry(banker.who.seat).or_default() -= banker.bank.plus(banker.garaje).over(Money::ZERO);
    }
    by_seat(sums)
}

/// No more can be set aside than the bank holds.
fn move_out(banker: &mut Banker, amount: Money) {
    let amount = amount.min(banker.bank);
    banker.bank = banker.bank.minus(amount);
    banker.garaje = banker.garaje.plus(amount);
}

/// The shoe lasts, and the banker gives up the bank for its end: wrong only if play goes on in that shoe.
fn early(banker: &Banker, passed: &BankPassed, shoe_over: bool) -> Option<Accusation> {
    (passed.why == BankWhy::ShoeEnd && !shoe_over).then(|| {
        let who = &banker.who;
        let expected = OfTurn::WhileShoeLasts { who: who.into() };
        Accusation::new(Code::BankTakenAway, expected, OfTurn::PassedBy { who: who.into() })
    })
}

fn judge_pass(banker: &Banker, passed: &BankPassed) -> Vec<Accusation> {
    let mut found = Vec::new();
    let recorded = OfTurn::PassedBy { who: (&banker.who).into() };
    match (passed.why, banker.lost) {
        (BankWhy::Lost, Lost::No) => {
            let expected = OfTurn::NotLostBy { who: (&banker.who).into() };
            found.push(Accusation::new(Code::BankTakenAway, expected, recorded));
        }
        (BankWhy::Voluntary | BankWhy::Left, _) if banker.coups == 0 => {
            found.push(Accusation::new(Code::BankNotDealt, OfTurn::DealtFirst, recorded));
        }
        (BankWhy::Lost | BankWhy::ShoeEnd | BankWhy::Voluntary | BankWhy::Left | BankWhy::Refused, _) => {}
    }
    let due = banker.bank.plus(banker.garaje);
    if passed.amount != due && !banker.sum_missing {
        let money = vec![seat_money(banker.who.seat, passed.amount, due)];
        let (bank, garaje) = (banker.bank.into(), banker.garaje.into());
        let expected = OfBank::Held { amount: due.into(), bank, garaje };
        let recorded = OfBets::Amount { amount: passed.amount.into() };
        found.push(Accusation::new(Code::BankWrong, expected, recorded).moving(money));
    }
    found
}

fn wrong_garaje(expected: impl Into<Statement>, amount: Money) -> Accusation {
    Accusation::new(Code::GarajeAmount, expected, OfBets::Amount { amount: amount.into() })
}
