//! The bank's money in chemin de fer: what it has in play and what is set aside (*garaje*), in minor units.

use std::collections::BTreeMap;

use baccarat::{CheminRules, Money, Winner};
use events::{BankPassed, BankSettled, BankWhy, Garaje, GarajeSet, Name};
use serde::{Deserialize, Serialize};

use super::account::is_abono;
use super::turn::Ended;
use super::{Chemin, CheminCoup, Who};
use crate::Statement;
use crate::account::by_seat;
use crate::coup::{Bet, BetState, CoupInPlay};
use crate::rules::Rules;
use crate::sink::{Accusation, Sink, clamp, seat_money};
use crate::statement::{OfBank, OfBets, OfPayouts, OfTurn, Sum};
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

/// What a coup had to come to for the bank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Due {
    pub(crate) won: Money,
    pub(crate) lost: Money,
    pub(crate) commission: Money,
}

impl Due {
    /// Whether the account of a coup says this.
    pub(super) fn is_account(&self, coup: &CheminCoup, settled: &BankSettled) -> bool {
        let bank = coup.bank.plus(self.won).minus(self.lost).minus(self.commission);
        let sums = (settled.won, settled.lost, settled.commission);
        sums == (self.won, self.lost, self.commission)
            && (settled.bank, settled.garaje) == (bank, coup.garaje)
    }

    /// What the bank gains; negative where it loses.
    pub(super) fn net(&self) -> i128 {
        self.won.over(self.lost).saturating_sub(self.commission.over(Money::ZERO))
    }

    /// How far what the bank came to by an account lies from this.
    pub(super) fn distance(&self, settled: &BankSettled) -> u128 {
        settled.won.over(settled.lost).abs_diff(self.won.over(self.lost))
    }
}

/// What is staked on the two sides of a coup.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Stakes {
    /// Against the bank, no player's stakes counted for more than the bank holds.
    pub(super) punto: Money,
    pub(super) abonos: Money,
    pub(super) abono_count: u32,
}

impl CoupInPlay {
    /// The stakes of this coup that were not withdrawn.
    pub(super) fn staked(&self, rules: &Rules, bank: Money) -> Stakes {
        self.stakes_of(rules, bank, Bet::stood)
    }

    /// The stakes that had to be played for: those placed on punto in time, and all abonos, whatever was taken back too
    /// late.
    pub(super) fn staked_at_close(&self, rules: &Rules, bank: Money) -> Stakes {
        let taken_back_in_time = |bet: &Bet| bet.state == BetState::Withdrawn;
        self.stakes_of(rules, bank, |bet| !taken_back_in_time(bet) && (!bet.late || is_abono(bet, rules)))
    }

    /// The stakes that have to play: those placed in time and not taken back in time.
    pub(super) fn staked_by_rules(&self, rules: &Rules, bank: Money) -> Stakes {
        self.stakes_of(rules, bank, |bet| !bet.late && bet.state != BetState::Withdrawn)
    }

    fn stakes_of(&self, rules: &Rules, bank: Money, counts: impl Fn(&Bet) -> bool) -> Stakes {
        let counted = self.bets.iter().filter(|bet| counts(bet));
        counted.fold(Stakes::default(), |stakes, bet| stakes.with(bet, true, bank, rules))
    }
}

impl Stakes {
    /// These stakes with a bet, or without it.
    pub(super) fn with(mut self, bet: &Bet, with: bool, bank: Money, rules: &Rules) -> Self {
        let change = |sum: Money, part: Money| if with { sum.plus(part) } else { sum.minus(part) };
        match bet.kind.map(|kind| rules.name(kind).as_str()) {
            Some("punto") => self.punto = change(self.punto, bet.covered(bank)),
            Some(_) => {
                self.abonos = change(self.abonos, bet.within_limit());
                let one = u32::from(with);
                self.abono_count = self.abono_count.saturating_add(one).saturating_sub(1 - one);
            }
            None => {}
        }
        self
    }

    /// Whether bank and abonos hold what is staked against them. If they do not, no source says who is paid.
    pub(super) fn are_covered(self, bank: Money) -> bool {
        self.punto <= bank.plus(self.abonos)
    }
}

/// What a coup has to come to for the bank; `None` where more is staked than bank and abonos hold,
/// for no source says who is paid then.
pub(super) fn due(stakes: Stakes, bank: Money, winner: Winner, rules: &Rules) -> Option<Due> {
    if !stakes.are_covered(bank) {
        return None;
    }
    let part = stakes.punto.minus(stakes.abonos).min(bank);
    Some(match winner {
        Winner::Tie => Due { won: Money::ZERO, lost: Money::ZERO, commission: Money::ZERO },
        Winner::Punto => Due { won: Money::ZERO, lost: part, commission: Money::ZERO },
        Winner::Banca => Due { won: part, lost: Money::ZERO, commission: rules.book.commission_on(part) },
    })
}

/// The account of a coup as recorded against what was due.
pub(super) fn judge_account(
    play: &CoupInPlay,
    coup: &CheminCoup,
    due: Due,
    settled: &BankSettled,
    rules: &Rules,
) -> Vec<Accusation> {
    let Some(banker) = coup.banker.as_ref() else { return Vec::new() };
    let mut found = Vec::new();
    // Commission that fits a wrong win is reported with the win.
    let fits = settled.commission == rules.book.commission_on(settled.won);
    let wrong = settled.commission != due.commission && !fits;
    if wrong {
        let missing = settled.commission == Money::ZERO;
        let code = if missing { Code::CommissionMissing } else { Code::CommissionWrong };
        let money = vec![seat_money(banker.seat, due.commission, settled.commission)];
        let (commission, won) = (due.commission.into(), due.won.into());
        let expected = OfPayouts::BankCommission { commission, won };
        let recorded = OfPayouts::Commission { commission: settled.commission.into() };
        found.push(play.accusation(code, expected, recorded).moving(money));
    }
    // A wrong commission moves the balance by the same sum, and is reported already.
    let commission = if wrong { settled.commission } else { due.commission };
    let bank = coup.bank.plus(due.won).minus(due.lost).minus(commission);
    let account = |won: Money, lost: Money, bank: Money, garaje: Money| OfBank::Account {
        won: won.into(),
        lost: lost.into(),
        bank: bank.into(),
        garaje: garaje.into(),
    };
    let expected = account(due.won, due.lost, bank, coup.garaje);
    let recorded = account(settled.won, settled.lost, settled.bank, settled.garaje);
    if expected != recorded {
        let got = settled.bank.plus(settled.garaje).over(bank.plus(coup.garaje));
        let money = SeatMoney::exactly(banker.seat, clamp(got));
        let money = if got == 0 { Vec::new() } else { vec![money] };
        found.push(play.accusation(Code::BankWrong, expected, recorded).moving(money));
    }
    found
}

impl Chemin {
    /// A coup is over for the bank: what is recorded is what it goes on with, and where nothing
    /// is, what was due. Where events of it are missing only its account says what it came to.
    pub(crate) fn end_coup(&mut self, coup: &CheminCoup, lost: Option<bool>, missing: bool) {
        let Some(banker) = self.banker.as_mut().filter(|banker| Some(&banker.who) == coup.banker.as_ref())
        else {
            return;
        };
        banker.lost = match lost {
            Some(true) => Lost::Yes,
            Some(false) => Lost::No,
            None => Lost::Perhaps,
        };
        if banker.coups == 0 {
            // Whoever has the bank took it since.
            return;
        }
        if let Some(due) = coup.due() {
            let kept = due.won.minus(due.commission);
            banker.winnings = banker.winnings.map(|won| won.plus(kept).minus(due.lost));
            banker.bank = coup.bank.plus(kept).minus(due.lost);
        } else if coup.account.is_some() {
            banker.winnings = None;
        }
        if missing {
            banker.winnings = None;
        }
        match &coup.account {
            Some(settled) => banker.go_on_with(settled),
            None => banker.sum_missing |= missing,
        }
    }

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
