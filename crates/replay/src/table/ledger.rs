//! What happens at a table, written into the ledger where one is kept.

use std::collections::BTreeMap;

use events::Name;

use super::Table;
use crate::boxes::Account;
use crate::coup::CoupInPlay;
use crate::ledger::{BetKey, BetLine, BoxKey, BoxLine, Ledger, Results, ShoeKey};
use crate::person::Person;
use crate::rules::Rules;
use crate::settlement::{Comparison, is_boxed};
use crate::shoe::Shoe;
use crate::tally::Outcome;
use crate::{CoupVerdict, Finding};

/// Who had bets at which seat in one coup: the same person once for each seat, by the first spelling of the name.
#[derive(Debug, Clone, Default)]
pub(super) struct Bettors {
    coup: Option<u32>,
    seats: Vec<(u8, Person, Name)>,
}

impl Bettors {
    fn of(play: &CoupInPlay) -> Self {
        let mut seats: Vec<(u8, Person, Name)> = Vec::new();
        for bet in &play.bets {
            let Some(player) = &bet.player else { continue };
            let person = bet.person.clone().unwrap_or_else(|| Person::from(player));
            if !seats.iter().any(|(seat, known, _)| (*seat, known) == (bet.seat, &person)) {
                seats.push((bet.seat, person, player.clone()));
            }
        }
        Self { coup: Some(play.number), seats }
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
        self.bettors = Bettors::of(play);
        let (key, currency) = (self.key_of(self.shoe_loaded()), self.currency());
        let shoe = self.shoe.as_ref().map(|shoe| shoe.id().to_string());
        let ledger = self.ledger();
        ledger.coup(key.clone(), shoe, (outcome.verdict, outcome.ruled), 1);
        let Some(rules) = rules else { return };
        ledger.judged_by(key, &rules.book.id);
        if let Some(hands) = play.deal.coup() {
            ledger.result(&rules.book.id, Results::of(&hands));
        }
        for payout in payouts {
            let bet = &play.bets[payout.bet];
            let (Some(kind), Some(recorded)) = (bet.kind, payout.recorded) else { continue };
            let (rulebook, kind) = (rules.book.id.clone(), rules.name(kind).to_string());
            let commission = u128::from(recorded.commission.get());
            let line = BetLine {
                bets: 1,
                staked: u128::from(bet.stake.get()),
                returned: u128::from(recorded.returned.get()),
                commission,
                marked: if is_boxed(rules) { commission } else { 0 },
            };
            ledger.bet(BetKey { rulebook, currency: currency.clone(), kind }, line);
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
        let in_play = self.play.as_deref().filter(|play| Some(play.number) == finding.coup);
        let bettors = match in_play {
            Some(play) if !finding.money.is_empty() => Bettors::of(play),
            None if finding.coup.is_some() && self.bettors.coup == finding.coup => self.bettors.clone(),
            Some(_) | None => Bettors::default(),
        };
        let loaded = finding.shoe.is_some().then(|| self.shoe_loaded());
        self.ledger().found(finding, loaded, |seat| bettors.at(seat));
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
