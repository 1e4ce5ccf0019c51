//! What a table comes to shoe by shoe, seat by seat and bet by bet.

use std::collections::BTreeMap;

use baccarat::{Charge, Settlement};

use super::Evidence;
use super::account::{account, findings_by_seat};
use super::coups::{CoupOver, FoundInCoups};
use super::course::Course;
use super::part::Part;
use super::views::hands;
use crate::ledger::{BetKey, BetLine, BoxKey, BoxLine, Ledger, Owed, OwedKey, Results, ShoeKey};
use crate::person::Person;
use crate::{CoupAccount, Currency, Finding, SeatMoney};

/// Enters a part of the record in a ledger.
pub(super) fn enter(part: &Part<'_, '_, '_>, ledger: &mut Ledger) {
    let Part { evidence, course, found, coups, shoes, .. } = part;
    let mut writer = Writer { evidence, course, ledger };
    let in_coups = FoundInCoups::of(found);
    for coup in coups {
        let (own, after) = coup.found_in_time(&in_coups, course);
        writer.coup(coup);
        writer.owe_seats(coup, &own);
        after.iter().for_each(|finding| writer.owe_found(finding, Some(coup)));
    }
    for placed in found {
        writer.ledger.found(&placed.finding, placed.shoe);
        if placed.coup.is_none() {
            writer.owe_found(&placed.finding, None);
        }
    }
    for shoe in shoes {
        let key = writer.key(shoe.loaded);
        writer.ledger.end_shoe(key, course.id(shoe.loaded), shoe.verdict);
    }
    writer.boxes();
}

struct Writer<'e, 'r, 'a> {
    evidence: &'e Evidence<'r, 'a>,
    course: &'e Course<'r>,
    ledger: &'e mut Ledger,
}

impl Writer<'_, '_, '_> {
    fn key(&self, loaded: u64) -> ShoeKey {
        ShoeKey { table: self.evidence.table.to_owned(), loaded }
    }

    /// A coup with its result and its bets.
    fn coup(&mut self, coup: &CoupOver<'_, '_>) {
        let key = self.key(self.course.loaded(coup.place.0));
        let shoe = self.course.id_of_coup(coup.place.0, coup.record.began);
        self.ledger.coup(key.clone(), shoe, (coup.outcome.verdict, coup.outcome.ruled), 1);
        if coup.is_void {
            return;
        }
        let rules = self.course.rules(coup.over);
        if let Some(rules) = rules.filter(|_| coup.settled.is_some()) {
            self.ledger.judged_by(key, &rules.id);
            if let Some(hands) = hands(coup) {
                self.ledger.result(&rules.id, Results::of(&hands));
            }
        }
        let commission = rules.and_then(|rules| rules.commission.as_ref());
        let boxed = commission.is_some_and(|commission| commission.charge == Charge::Boxed);
        let lines = coup.lines();
        for laid in coup.laid().into_iter().filter(|laid| laid.withdrawn.is_none()) {
            let stake = u128::from(laid.stake.get());
            let settled = |line: Settlement| {
                let commission = u128::from(line.commission.get());
                let returned = u128::from(line.returned.get());
                let marked = if boxed { commission } else { 0 };
                BetLine { bets: 1, staked: stake, returned, commission, marked, open: 0 }
            };
            let line = lines.of(laid.placed).and_then(|line| line.recorded);
            let sums = line.map_or_else(|| BetLine { open: stake, ..BetLine::default() }, settled);
            let is_offered =
                rules.is_some_and(|rules| rules.bets.keys().any(|kind| kind.as_str() == laid.kind));
            let key = BetKey {
                rulebook: rules.map(|rules| rules.id.clone()).unwrap_or_default(),
                currency: self.course.currency(coup.over),
                kind: if is_offered { laid.kind } else { "?" }.to_owned(),
            };
            self.ledger.bet(key, sums);
        }
    }

    /// What the seats of a coup are owed, or got too much, by its account.
    fn owe_seats(&mut self, coup: &CoupOver<'_, '_>, found: &[&Finding]) {
        let account: CoupAccount = account(coup, found);
        let currency = self.course.currency(coup.over);
        if let Some(not_known) = account.not_known() {
            self.ledger.not_known(currency.clone(), not_known);
        }
        let findings = findings_by_seat(found);
        let seats = account.seats.iter().map(|seat| (seat.seat, seat.certain, seat.undecided, seat.at_least));
        let house = (0, account.unattributed.saturating_neg(), 0, false);
        for (seat, certain, undecided, at_least) in seats.chain([house]) {
            if certain != 0 || undecided != 0 {
                let findings = findings.get(&seat).copied().unwrap_or_default();
                let undecided = u128::from(undecided.unsigned_abs());
                let owed = Owed { undecided, at_least, ..Owed::moved(certain, findings) };
                self.owe((seat, currency.clone()), Some(coup), owed);
            }
        }
    }

    /// What a finding moved that is in no account.
    fn owe_found(&mut self, finding: &Finding, coup: Option<&CoupOver<'_, '_>>) {
        for SeatMoney { seat, minor_units, at_least } in finding.money.iter().copied() {
            let owed = Owed { at_least, ..Owed::moved(minor_units, 1) };
            self.owe((seat, finding.currency.clone()), coup, owed);
        }
    }

    fn owe(&mut self, (seat, currency): (u8, Option<Currency>), coup: Option<&CoupOver<'_, '_>>, owed: Owed) {
        let players = coup.map(|coup| players(coup, seat)).unwrap_or_default();
        let table = self.evidence.table.to_owned();
        self.ledger.owed(OwedKey { table, seat, players, currency }, owed);
    }

    /// What the boxes came to, and commission that was paid late.
    fn boxes(&mut self) {
        let (evidence, course) = (self.evidence, self.course);
        for (at, seat, late) in &evidence.checked.boxes.late {
            self.owe((*seat, course.currency(*at)), None, Owed::paid_late(late.get().into()));
        }
        let boxes = &evidence.checked.boxes;
        let at_end = (u64::MAX, boxes.left.clone());
        for (at, accounts) in boxes.accounts.iter().chain([&at_end]) {
            for (seat, account) in accounts {
                let currency = course.currency(at.saturating_sub(1));
                let key = BoxKey { table: evidence.table.to_owned(), seat: *seat, currency };
                let outstanding = account.marked.minus(account.collected).get().into();
                let (marked, collected) = (account.marked.get().into(), account.collected.get().into());
                self.ledger.boxed(key, BoxLine { shoes: 1, marked, collected, outstanding });
            }
        }
    }
}

/// Who had bets, or the bank, at a seat in a coup: each person once, by the first spelling of the name.
fn players(coup: &CoupOver<'_, '_>, seat: u8) -> Vec<String> {
    let mut people: BTreeMap<Person, String> = BTreeMap::new();
    let laid = coup.laid().into_iter().filter(|laid| laid.seat == seat).filter_map(|laid| laid.player);
    let bank = coup.checked.and_then(|checked| checked.at_bank.as_deref());
    let banker =
        bank.and_then(|bank| bank.banker.as_ref()).filter(|(at, _)| *at == seat).map(|(_, name)| name);
    for name in laid.chain(banker) {
        people.entry(Person::from(name)).or_insert_with(|| name.to_string());
    }
    let mut names: Vec<String> = people.into_values().collect();
    names.sort_unstable();
    names
}
