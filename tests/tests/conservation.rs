//! At a table of chemin de fer no money comes from nowhere: what players and bank lose is what players,
//! bank and house win, in every coup and over every bank, to the minor unit; and what the judge derives
//! is that too.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use audit_tests::judges;
use baccarat::Game;
use casino::{Plan, simulate};
use events::{Body, Line};
use replay::{CoupVerdict, Judgement};

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
    let mut judge = judges::viewing();
    let events = lines.into_iter().map(|line| (line.table.to_string(), line.sequence, line.into_event()));
    judge.judge_events(events).unwrap();
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

/// A coup of an honest session: where its events stand, and what was staked on both sides.
struct Coup {
    account: usize,
    settled: usize,
    /// Places of its stakes on punto.
    bets: Vec<usize>,
    stakes: i128,
    abonos: i128,
    banker: u8,
    bank: i128,
}

/// The coups of a session in which every stake is covered.
#[allow(clippy::wildcard_enum_match_arm, reason = "no other event is asked for")]
fn coups_of(lines: &[Line]) -> Vec<Coup> {
    let (mut coups, mut banker) = (Vec::new(), 0);
    let mut coup: Option<Coup> = None;
    for (at, line) in lines.iter().enumerate() {
        let begun =
            || Coup { account: 0, settled: 0, bets: Vec::new(), stakes: 0, abonos: 0, banker, bank: 0 };
        match &line.event {
            Body::BankTaken(taken) => banker = taken.seat,
            Body::BetPlaced(placed) => {
                let coup = coup.get_or_insert_with(begun);
                coup.bets.push(at);
                coup.stakes += signed(placed.stake);
            }
            Body::AbonoPlaced(placed) => coup.get_or_insert_with(begun).abonos += signed(placed.stake),
            Body::BankSettled(settled) => {
                let net = signed(settled.won) - signed(settled.lost) - signed(settled.commission);
                coup.iter_mut().for_each(|coup| (coup.account, coup.bank) = (at, signed(settled.bank) - net));
            }
            Body::CoupSettled(_) => coups.extend(coup.take().map(|coup| Coup { settled: at, ..coup })),
            _ => {}
        }
    }
    coups.retain(|coup| {
        coup.account > 0 && coup.stakes + coup.abonos <= coup.bank && coup.stakes > coup.abonos
    });
    coups
}

fn sum_of(minor_units: i128) -> baccarat::Money {
    baccarat::Money::new(u64::try_from(minor_units).unwrap()).unwrap()
}

/// The session up to the settlement of a coup, in which the stake that stands at `bet` was taken back (`placed` is false) or
/// placed (a second one like it) between the cards and the account; with what each seat then has beyond its due. `as_due`: the
/// bank is settled as if that did not count.
fn late(
    lines: &[Line],
    coup: &Coup,
    bet: usize,
    placed: bool,
    as_due: bool,
    book: &baccarat::Rulebook,
) -> Option<(Vec<Line>, BTreeMap<u8, i64>)> {
    let mut lines = lines[..=coup.settled].to_vec();
    let Body::BetPlaced(stake) = lines[bet].event.clone() else { return None };
    let (amount, seat) = (signed(stake.stake), stake.seat);
    let Body::CoupSettled(settled) = &mut lines[coup.settled].event else { return None };
    let winner = settled.winner;
    let id = stake.bet + 1_000_000;
    let (back, won) = match winner {
        baccarat::Winner::Punto => (2 * amount, amount),
        baccarat::Winner::Banca => (0, -amount),
        baccarat::Winner::Tie => (amount, 0),
    };
    if placed {
        settled.bets.push(events::BetSettled { bet: id, returned: sum_of(back), commission: sum_of(0) });
    } else {
        settled.bets.retain(|line| line.bet != stake.bet);
    }
    // The bank is settled with the stakes as they are recorded.
    let Body::BankSettled(account) = &mut lines[coup.account].event else { return None };
    let net = |account: &events::BankSettled| {
        signed(account.won) - signed(account.lost) - signed(account.commission)
    };
    let (before, plays) = (net(account), signed(account.won) + signed(account.lost));
    let change = if placed { -won } else { won };
    let in_account = if as_due { 0 } else { change };
    // A whole stake plays, and the bank holds it with all others.
    let whole = change == 0 || plays == coup.stakes - coup.abonos;
    if !whole || coup.stakes - coup.abonos < amount || coup.stakes + amount > coup.bank {
        return None;
    }
    if in_account != 0 {
        account.won =
            sum_of(signed(account.won) + if winner == baccarat::Winner::Banca { in_account } else { 0 });
        account.lost =
            sum_of(signed(account.lost) - if winner == baccarat::Winner::Punto { in_account } else { 0 });
    }
    account.commission = book.commission_on(account.won);
    let moved = net(account) - before;
    account.bank = sum_of(signed(account.bank) + moved);
    let event = if placed {
        Body::BetPlaced(events::BetPlaced { bet: id, ..stake })
    } else {
        Body::BetWithdrawn(events::BetWithdrawn { bet: stake.bet })
    };
    lines.insert(coup.account, Line { event, ..lines[coup.account].clone() });
    for (sequence, line) in (1..).zip(&mut lines) {
        line.sequence = sequence;
    }
    let mut due: BTreeMap<u8, i64> = BTreeMap::new();
    *due.entry(seat).or_default() += i64::try_from(if placed { won } else { -won }).unwrap();
    *due.entry(coup.banker).or_default() += i64::try_from(moved).unwrap();
    due.retain(|_, sum| *sum != 0);
    Some((lines, due))
}

/// A losing stake that is taken back, or a winning one that is placed, when the cards are known, is taken from the banker: not from
/// the house, which only has its commission.
#[test]
fn what_a_late_bet_moves_is_the_bankers() {
    let (mut tried, mut of_house) = (0, 0);
    for book in baccarat::builtins().map(|(id, _)| baccarat::builtin(id).unwrap()) {
        if book.game() != Game::CheminDeFer {
            continue;
        }
        let sessions = (0..4).map(|seed| simulate(&Plan { seed, ..Plan::new(book.clone()) }).lines.collect());
        let sessions: Vec<Vec<Line>> = sessions.collect();
        let coups =
            sessions.iter().flat_map(|lines| coups_of(lines).into_iter().map(move |coup| (lines, coup)));
        for (lines, coup) in &coups.collect::<Vec<_>>() {
            for (placed, as_due) in [(false, false), (true, false), (false, true), (true, true)] {
                let bet = coup.bets[0];
                let Some((changed, due)) = late(lines, coup, bet, placed, as_due, &book) else { continue };
                let sequence = changed[coup.account].sequence;
                let judgement = judge(changed);
                let of = format!("{} coup at {}, placed {placed}, as due {as_due}", book.id, coup.settled);
                let found = judgement.findings.iter().filter(|finding| !finding.money.is_empty());
                let found: Vec<(u64, BTreeMap<u8, i64>)> = found
                    .map(|finding| {
                        let money = finding.money.iter().map(|money| (money.seat, money.minor_units));
                        (finding.sequence, money.collect())
                    })
                    .collect();
                let expected = if due.is_empty() { Vec::new() } else { vec![(sequence, due.clone())] };
                assert_eq!(found, expected, "{of}: {:?}", judgement.findings);
                let house = -due.values().sum::<i64>();
                let account = &judgement.coup_views.last().unwrap().account;
                assert_eq!(account.house, Some(replay::SumRange::exactly(house)), "{of}");
                tried += u32::from(!due.is_empty());
                of_house += u32::from(house != 0);
            }
        }
    }
    assert!(tried > 40 && of_house > 10, "{tried}, of which {of_house} moved commission");
}
