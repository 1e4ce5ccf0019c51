//! What happens at a table, written into the ledger where one is kept.

use std::collections::BTreeMap;

use baccarat::{Money, Settlement};
use events::Name;

use super::Table;
use crate::account::{CoupAccount, OtherMoney};
use crate::boxes::Account;
use crate::caps::Cap;
use crate::coup::CoupInPlay;
use crate::detail::CoupView;
use crate::ledger::{BetKey, BetLine, BoxKey, BoxLine, Ledger, Owed, OwedKey, Results, ShoeKey};
use crate::person::Person;
use crate::rules::Rules;
use crate::settlement::{Comparison, is_boxed};
use crate::shoe::Shoe;
use crate::tally::Outcome;
use crate::{CoupVerdict, Currency, Finding, SeatMoney};

/// Who had bets, or the bank, at which seat in one coup: the same person once for each seat, by the first spelling of the
/// name.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bettors {
    seats: Vec<(u8, Person, Name)>,
}

/// Who had bets in the coups of the shoe in play that are over: a correction may still move money in one.
#[derive(Debug, Clone, Default)]
pub(crate) struct PastBettors(BTreeMap<u32, Bettors>);

impl PastBettors {
    fn remember(&mut self, coup: u32, bettors: Bettors) {
        self.0.insert(coup, bettors);
        if self.0.len() > Cap::PastCoups.most() {
            self.0.pop_first();
        }
    }

    fn of(&self, coup: Option<u32>) -> Bettors {
        coup.and_then(|coup| self.0.get(&coup)).cloned().unwrap_or_default()
    }
}

impl Bettors {
    fn of(play: &CoupInPlay) -> Self {
        let mut all = Self::default();
        for bet in &play.bets {
            let Some(player) = &bet.player else { continue };
            let person = bet.person.clone().unwrap_or_else(|| Person::from(player));
            all.add(bet.seat, person, player);
        }
        let bank = play.chemin.as_deref().and_then(|coup| coup.banker.as_ref().zip(coup.name()));
        if let Some((banker, name)) = bank {
            all.add(banker.seat, Person::from(name), name);
        }
        all
    }

    fn add(&mut self, seat: u8, person: Person, name: &Name) {
        if !self.seats.iter().any(|(of, known, _)| (*of, known) == (seat, &person)) {
            self.seats.push((seat, person, name.clone()));
        }
    }

    fn at(&self, seat: u8) -> Vec<String> {
        let there = self.seats.iter().filter(|(of, ..)| *of == seat);
        let mut names: Vec<String> = there.map(|(_, _, name)| name.to_string()).collect();
        names.sort_unstable();
        names
    }
}

impl Table {
    /// Whether a ledger is kept.
    pub(crate) fn keeps_ledger(&self) -> bool {
        self.question.ledger
    }

    fn ledger(&mut self) -> &mut Ledger {
        self.tally.ledger.get_or_insert_default()
    }

    fn key_of(&self, loaded: u64) -> ShoeKey {
        ShoeKey { table: self.id.clone(), loaded }
    }

    fn shoe_loaded(&self) -> u64 {
        self.shoe.as_ref().map_or(0, |shoe| shoe.began)
    }

    /// A coup is over; `rules` are those its payouts were judged by.
    pub(super) fn coup_in_ledger(
        &mut self,
        play: &CoupInPlay,
        rules: Option<&Rules>,
        payouts: &[Comparison],
        outcome: Outcome,
    ) {
        if !self.keeps_ledger() {
            return;
        }
        self.bettors.remember(play.number, Bettors::of(play));
        let (key, currency) = (self.key_of(self.shoe_loaded()), self.currency());
        let shoe = self.shoe.as_ref().map(|shoe| shoe.id().to_string());
        let ledger = self.ledger();
        ledger.coup(key.clone(), shoe, (outcome.verdict, outcome.ruled), 1);
        if let Some(rules) = rules {
            ledger.judged_by(key, &rules.book.id);
            if let Some(hands) = play.deal.coup() {
                ledger.result(&rules.book.id, Results::of(&hands));
            }
        }
        if !play.is_void() {
            self.bets_in_ledger(play, payouts, currency);
        }
    }

    /// The bets of a coup that is over: those of its turnover.
    fn bets_in_ledger(&mut self, play: &CoupInPlay, payouts: &[Comparison], currency: Option<Currency>) {
        let rules = self.rules();
        let boxed = rules.as_deref().is_some_and(is_boxed);
        let mut lines: Vec<Option<Settlement>> = vec![None; play.bets.len()];
        payouts.iter().for_each(|payout| lines[payout.bet] = payout.recorded);
        for (bet, line) in play.bets.iter().zip(lines).filter(|(bet, _)| bet.stood()) {
            let named = rules.as_deref().zip(bet.kind).map(|(rules, kind)| rules.name(kind).to_string());
            let rulebook = rules.as_deref().map(|rules| rules.book.id.clone()).unwrap_or_default();
            let kind = named.unwrap_or_else(|| "?".to_owned());
            let stake = u128::from(bet.stake.get());
            let settled = |line: Settlement| {
                let commission = u128::from(line.commission.get());
                BetLine {
                    bets: 1,
                    staked: stake,
                    returned: u128::from(line.returned.get()),
                    commission,
                    marked: if boxed { commission } else { 0 },
                    open: 0,
                }
            };
            let sums = line.map_or_else(|| BetLine { open: stake, ..BetLine::default() }, settled);
            let key = BetKey { rulebook, currency: currency.clone(), kind };
            self.ledger().bet(key, sums);
        }
    }

    /// What the seats of a coup that is over are owed, or got too much, by its account.
    pub(super) fn owed_in_ledger(
        &mut self,
        play: &CoupInPlay,
        account: Option<&(CoupAccount, BTreeMap<u8, u64>)>,
    ) {
        let Some((account, findings)) = account.filter(|_| self.keeps_ledger()) else { return };
        if let Some(not_known) = account.not_known() {
            let currency = self.currency();
            self.ledger().not_known(currency, not_known);
        }
        let bettors = Bettors::of(play);
        let of_seats =
            account.seats.iter().map(|seat| (seat.seat, seat.certain, seat.undecided, seat.at_least));
        let of_house = (0, account.unattributed.saturating_neg(), 0, false);
        for (seat, certain, undecided, at_least) in of_seats.chain([of_house]) {
            if certain != 0 || undecided != 0 {
                let findings = findings.get(&seat).copied().unwrap_or_default();
                let undecided = u128::from(undecided.unsigned_abs());
                let owed = Owed { undecided, at_least, ..Owed::moved(certain, findings) };
                self.owe(seat, bettors.at(seat), owed);
            }
        }
    }

    /// Commission is paid that was reported as uncollected: nobody owes it any more.
    pub(super) fn paid_late_in_ledger(&mut self, seat: u8, late: Money) {
        if self.keeps_ledger() && late > Money::ZERO {
            self.owe(seat, Vec::new(), Owed::paid_late(late.get().into()));
        }
    }

    fn owe(&mut self, seat: u8, players: Vec<String>, owed: Owed) {
        let (table, currency) = (self.id.clone(), self.currency());
        self.ledger().owed(OwedKey { table, seat, players, currency }, owed);
    }

    /// Something was found that moved money: in the coup in play it is a share of that coup's account, else it is
    /// added to the account of its coup, where there is one.
    pub(super) fn money_in_account(&mut self, finding: &Finding, beside: &[SeatMoney]) {
        let asked = self.keeps_ledger() || self.question.asks_for_views() || self.keeps_accounts();
        if finding.money.is_empty() || !asked {
            return;
        }
        if finding.coup.is_some() && self.play.as_deref().map(|play| play.number) == finding.coup {
            return self.shares.note(finding, beside);
        }
        self.found_in_comparison(finding);
        let same = |view: &&mut CoupView| Some(view.coup) == finding.coup && view.shoe == finding.shoe;
        let view = self.tally.coup_views.iter_mut().rev().find(same);
        if let Some(view) = view {
            let other = |money: &SeatMoney| OtherMoney {
                code: finding.code,
                seat: money.seat,
                minor_units: money.minor_units,
            };
            finding.money.iter().map(other).for_each(|other| view.account.add(other));
        }
        if self.keeps_ledger() {
            let bettors = self.bettors.of(finding.coup);
            for SeatMoney { seat, minor_units, at_least } in finding.money.iter().copied() {
                self.owe(seat, bettors.at(seat), Owed { at_least, ..Owed::moved(minor_units, 1) });
            }
        }
    }

    /// A coup of the shoe in play that was over is violated after all.
    pub(super) fn violated_in_ledger(&mut self, before: Outcome) {
        if !self.keeps_ledger() || matches!(before.verdict, CoupVerdict::Violated | CoupVerdict::Judged) {
            return;
        }
        let key = self.key_of(self.shoe_loaded());
        let ledger = self.ledger();
        ledger.coup(key.clone(), None, (before.verdict, before.ruled), -1);
        ledger.coup(key, None, (CoupVerdict::Violated, false), 1);
    }

    /// A shoe is over.
    pub(super) fn shoe_in_ledger(&mut self, shoe: &Shoe, verdict: CoupVerdict) {
        if self.keeps_ledger() {
            let key = self.key_of(shoe.began);
            self.ledger().end_shoe(key, Some(shoe.id().to_string()), verdict);
        }
    }

    /// Something was found.
    pub(super) fn finding_in_ledger(&mut self, finding: &Finding) {
        if !self.keeps_ledger() {
            return;
        }
        let loaded = finding.shoe.is_some().then(|| self.shoe_loaded());
        self.ledger().found(finding, loaded);
    }

    /// The boxes of a shoe that is over.
    pub(super) fn boxes_in_ledger(&mut self, accounts: &BTreeMap<u8, Account>) {
        if !self.keeps_ledger() {
            return;
        }
        let (table, currency) = (self.id.clone(), self.currency());
        let ledger = self.ledger();
        for (&seat, account) in accounts {
            let line = BoxLine {
                shoes: 1,
                marked: account.marked.get().into(),
                collected: account.collected.get().into(),
                outstanding: account.marked.minus(account.collected).get().into(),
            };
            ledger.boxed(BoxKey { table: table.clone(), seat, currency: currency.clone() }, line);
        }
    }
}
