//! At a table of chemin de fer no money comes from nowhere: what players and bank lose is what players,
//! bank and house win, in every coup and over every bank, to the minor unit; and what the judge derives
//! is that too.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use baccarat::Game;
use casino::{Plan, simulate};
use events::{Body, Line, encode_payload};
use replay::{CoupVerdict, Entry, Judge, Judgement, Wanted};

/// Honest sessions under every rulebook of the game: tables of two shoes.
fn sessions() -> impl Iterator<Item = (String, Vec<Line>)> {
    let books = baccarat::builtins().map(|(id, _)| baccarat::builtin(id).unwrap());
    books.filter(|book| book.game() == Game::CheminDeFer).flat_map(|book| {
        (0..12).map(move |seed| {
            let plan = Plan { seed, shoes: 2, ..Plan::new(book.clone()) };
            (format!("{} seed {seed}", book.id), simulate(&plan).lines.collect())
        })
    })
}

fn signed(sum: baccarat::Money) -> i128 {
    i128::from(sum.get())
}

/// What one session moved, in minor units.
#[derive(Debug, Default)]
struct Ledger {
    stakes: BTreeMap<u64, i128>,
    /// What the bank in play was taken for, and what its coups brought.
    bank: Option<i128>,
    /// What the coup in play brings the bank, and the house out of it.
    moved: (i128, i128),
    players: i128,
    bankers: i128,
    house: i128,
    banks: u32,
    coups: u32,
}

impl Ledger {
    #[allow(clippy::wildcard_enum_match_arm, reason = "no other event moves money here")]
    fn note(&mut self, session: &str, body: &Body) {
        match body {
            Body::BetPlaced(placed) => {
                self.stakes.insert(placed.bet, signed(placed.stake));
            }
            Body::AbonoPlaced(placed) => {
                self.stakes.insert(placed.bet, signed(placed.stake));
            }
            Body::BankTaken(taken) => self.bank = Some(signed(taken.amount)),
            Body::BankSettled(settled) => {
                let net = signed(settled.won) - signed(settled.lost) - signed(settled.commission);
                *self.bank.as_mut().unwrap() += net;
                assert_eq!(self.bank.unwrap(), signed(settled.bank) + signed(settled.garaje), "{session}");
                self.moved = (net, signed(settled.commission));
            }
            Body::CoupSettled(settled) => {
                let mut players = 0;
                let mut house = self.moved.1;
                for line in &settled.bets {
                    players += signed(line.returned) - self.stakes.remove(&line.bet).unwrap();
                    house += signed(line.commission);
                }
                assert_eq!(players + self.moved.0 + house, 0, "{session}, coup {}", settled.coup);
                (self.players, self.bankers) = (self.players + players, self.bankers + self.moved.0);
                self.house += house;
                self.coups += 1;
            }
            Body::BankPassed(passed) => {
                assert_eq!(self.bank.take(), Some(signed(passed.amount)), "{session}");
                self.banks += 1;
            }
            _ => {}
        }
    }
}

#[test]
fn what_is_lost_is_what_is_won_coup_by_coup_and_bank_by_bank() {
    let (mut banks, mut coups, mut house) = (0, 0, 0);
    for (session, lines) in sessions() {
        let mut ledger = Ledger::default();
        for line in &lines {
            ledger.note(&session, &line.event);
        }
        assert_eq!(ledger.players + ledger.bankers + ledger.house, 0, "{session}");
        assert!(ledger.stakes.is_empty() && ledger.bank.is_none(), "{session}: {ledger:?}");
        (banks, coups, house) = (banks + ledger.banks, coups + ledger.coups, house + ledger.house);
    }
    assert!(banks > 500 && coups > 2_000 && house > 0, "{banks} banks, {coups} coups, {house}");
}

fn judge(lines: Vec<Line>) -> Judgement {
    let mut judge = Judge::new(None, Some(Wanted::default()));
    for (index, line) in (0..).zip(lines) {
        let (table, first) = (line.table.to_string(), line.sequence);
        let payload = encode_payload(&[line.into_event()]).unwrap();
        judge.judge(&[Entry {
            index,
            table: &table,
            first,
            count: 1,
            payload: &payload,
            ..Entry::default()
        }]);
    }
    judge.finish()
}

/// The judge's own sums, worked out from the cards and the stakes alone.
#[test]
fn what_the_judge_derives_conserves_money_too() {
    let mut moved = 0;
    for (session, lines) in sessions() {
        for coup in judge(lines).coup_views {
            assert_eq!(coup.verdict, CoupVerdict::Certified, "{session}, coup {}", coup.coup);
            let bank = coup.bank.unwrap();
            let replay::BankDue { won, lost, commission } = bank.due.unwrap();
            let due = |bet: &replay::BetView| bet.expected.unwrap();
            let bets = || coup.bets.iter().filter(|bet| !bet.withdrawn);
            let players: i128 = bets().map(|bet| i128::from(due(bet).returned) - i128::from(bet.stake)).sum();
            let house: i128 = bets().map(|bet| i128::from(due(bet).commission)).sum();
            let net = i128::from(won) - i128::from(lost) - i128::from(commission);
            assert_eq!(players + net + house + i128::from(commission), 0, "{session}, coup {}", coup.coup);
            let recorded = bank.recorded.unwrap();
            let before = i128::from(bank.before) + i128::from(bank.garaje);
            assert_eq!(before + net, signed(recorded.bank) + signed(recorded.garaje), "{session}");
            moved += u32::from(won + lost > 0);
        }
    }
    assert!(moved > 2_000, "{moved}");
}

/// The same event with one of its sums a minor unit larger, for every sum it has.
#[allow(clippy::wildcard_enum_match_arm, reason = "no other event holds a sum that moves here")]
fn one_more(event: &Body) -> Vec<Body> {
    let mut changed = Vec::new();
    let mut with = |change: &dyn Fn(&mut Body) -> Option<&mut baccarat::Money>| {
        let mut body = event.clone();
        if let Some(sum) = change(&mut body) {
            *sum = baccarat::Money::new(sum.get() + 1).unwrap();
            changed.push(body);
        }
    };
    macro_rules! sums {
        ($($kind:ident . $field:ident),+) => {
            $(with(&|body| match body { Body::$kind(event) => Some(&mut event.$field), _ => None });)+
        };
    }
    sums!(BankTaken.amount, BankPassed.amount, GarajeSet.amount, BetPlaced.stake, AbonoPlaced.stake);
    sums!(BankSettled.won, BankSettled.lost, BankSettled.commission, BankSettled.bank, BankSettled.garaje);
    with(&|body| match body {
        Body::CoupSettled(settled) => settled.bets.first_mut().map(|line| &mut line.returned),
        _ => None,
    });
    with(&|body| match body {
        Body::CoupSettled(settled) => settled.bets.last_mut().map(|line| &mut line.commission),
        _ => None,
    });
    changed
}

#[test]
fn every_sum_that_is_one_minor_unit_off_is_found() {
    let books = baccarat::builtins().map(|(id, _)| baccarat::builtin(id).unwrap());
    let mut tried = 0;
    for book in books.filter(|book| book.game() == Game::CheminDeFer) {
        let plan = Plan { seed: 8, cards_in_front: Some(120), ..Plan::new(book) };
        let lines: Vec<Line> = simulate(&plan).lines.collect();
        for at in 0..lines.len() {
            for event in one_more(&lines[at].event) {
                let mut changed = lines.clone();
                changed[at].event = event;
                let event = changed[at].event.clone();
                assert!(judge(changed).violations() > 0, "{} at {at}: {event:?}", plan.rulebook.id);
                tried += 1;
            }
        }
    }
    assert!(tried > 500, "{tried}");
}
