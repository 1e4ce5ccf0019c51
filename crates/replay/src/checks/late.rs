//! Corrections of decisions that came too late: what had been decided first counts, and what they would have changed is one
//! finding (`docs/judging.md`, "Decisions and observations").
//!
//! The range is read and checked twice: as it was decided, and as these corrections have it. What only the first finds in the
//! coup follows from them.

use std::collections::{BTreeMap, BTreeSet};

use baccarat::Clause;
use events::{Body, CoupSettled, TableOpened};

use super::bank_account::account;
use super::before::{Book, Books};
use super::doubt::Open;
use super::{Checked, Found, Said, TableChecked};
use crate::account::{BetAccount, SumRange};
use crate::reading::{CorrectionRecord, CoupRecord, Reading, Standing, Told};
use crate::settled_before::kind;
use crate::sink::{Accusation, clamp};
use crate::table::{corrected_late, seat_decided as seat};
use crate::{Code, SeatMoney};

/// A coup: the place of its shoe in the reading, and its number.
type Key = (usize, u32);

/// What bets brought their seats, by seat and bet: what came back less the stake.
type Nets = BTreeMap<(u8, u64), i128>;

/// A correction that came too late.
struct Late {
    /// Its sequence, and that of the event that it corrects.
    by: u64,
    target: u64,
    /// The coup that it concerns.
    coup: Option<Key>,
    shoe: usize,
    bet: Option<u64>,
    /// The seats of the decision, first and as corrected.
    seats: Vec<u8>,
    /// Whether it concerns what the shoe was loaded with.
    of_shoe: bool,
    /// Whether a cited clause says that it is late.
    by_clause: bool,
    /// Whether it says anything else than what had been decided.
    changes: bool,
    accusation: Accusation,
}

/// Adds what the corrections come to that came too late, and takes away what follows from them. `began`: the last opening before the
/// range.
pub(super) fn weigh(
    (reading, checked): (&Reading<'_>, &mut TableChecked),
    (corrected_reading, corrected): (&Reading<'_>, &TableChecked),
    began: Option<&TableOpened>,
    books: &dyn Books,
) {
    let mut groups: BTreeMap<(Option<Key>, u64), Vec<Late>> = BTreeMap::new();
    for late in all(reading, began, books) {
        // Those of no coup have nothing in common.
        let apart = if late.coup.is_some() { 0 } else { late.by };
        groups.entry((late.coup, apart)).or_default().push(late);
    }
    for ((coup, _), group) in groups {
        let worlds = [(reading, &*checked), (corrected_reading, corrected)];
        let brought = worlds.map(|(reading, checked)| Brought::of(reading, checked, coup, &group));
        let weighed = match brought {
            [None, _] => left(&group, reading, coup),
            [Some(before), after] => {
                let both = (before, after.unwrap_or_default());
                Weighed::of(coup, &group, &checked.found, &corrected.found, &both)
            }
        };
        weighed.write(coup, &group, reading, checked);
    }
}

/// The last correction of each event. Once the table has closed, its coups are not compared.
fn all(reading: &Reading<'_>, began: Option<&TableOpened>, books: &dyn Books) -> Vec<Late> {
    let is_late = |record: &&CorrectionRecord<'_>| {
        record.standing == Standing::Late && !matches!(record.says, Body::LimitsChanged(_))
    };
    let closes = |told: &&Told<'_, Body>| matches!(told.value, Body::TableClosed(_));
    let closed: BTreeSet<u64> = reading.around.iter().filter(closes).map(|told| told.sequence).collect();
    let is_closed_since = |record: &&CorrectionRecord<'_>| {
        record.corrects < record.sequence && closed.range(record.corrects..record.sequence).next().is_some()
    };
    let records = reading.corrections.iter().filter(is_late).filter(|record| !is_closed_since(record));
    let last: BTreeMap<u64, _> = records.map(|record| (record.corrects, record)).collect();
    let decided = Decided::of(reading, &last);
    let mut all: Vec<Late> =
        last.into_values().filter_map(|record| late(record, reading, &decided, began, books)).collect();
    all.sort_by_key(|late| late.by);
    all
}

/// What had been decided by the events that are corrected too late.
struct Decided<'r> {
    /// What they say by a correction that came in time.
    in_time: BTreeMap<u64, &'r Body>,
    /// The number of the coup of each bet among them.
    coups: BTreeMap<u64, u32>,
}

impl<'r> Decided<'r> {
    fn of<T>(reading: &'r Reading<'_>, late: &BTreeMap<u64, T>) -> Self {
        let counts = |one: &&CorrectionRecord<'_>| one.standing == Standing::Counts;
        let in_time = reading.corrections.iter().filter(counts).map(|one| (one.corrects, one.says));
        let coups = reading.shoes.iter().flat_map(|shoe| &shoe.coups);
        let bets = coups.flat_map(|coup| coup.bets.iter().map(|bet| (bet.placed.sequence, coup.number)));
        Self {
            in_time: in_time.collect(),
            coups: bets.filter(|(placed, _)| late.contains_key(placed)).collect(),
        }
    }
}

fn late(
    record: &CorrectionRecord<'_>,
    reading: &Reading<'_>,
    decided: &Decided<'_>,
    began: Option<&TableOpened>,
    books: &dyn Books,
) -> Option<Late> {
    let (by, target) = (record.sequence, record.corrects);
    let first = decided.in_time.get(&target).copied().or(record.said)?;
    let kind = kind(first)?;
    let shoe = reading.shoes.iter().rposition(|shoe| shoe.began <= target).unwrap_or(0);
    let of_shoe = matches!(first, Body::ShoeLoaded(_));
    let coup = if of_shoe || matches!(first, Body::BankPassed(_)) {
        None
    } else {
        let own = decided.coups.get(&target).copied();
        own.or_else(|| concerned(reading, shoe, (target, first))).map(|number| (shoe, number))
    };
    let accusation = corrected_late(first, record.says, kind);
    let opened = |told: &&Told<'_, Body>| told.sequence < by && matches!(told.value, Body::TableOpened(_));
    let opened = reading.around.iter().rfind(opened).and_then(|told| opening(told.value)).or(began);
    let cites = match opened.map(|opened| books.of(opened)) {
        Some(Book::Known(tables)) => tables.rules().citations_of(&Clause::Betting).next().is_some(),
        Some(Book::NotApproved | Book::NotReadable) | None => false,
    };
    Some(Late {
        by,
        target,
        coup,
        shoe,
        bet: first.bet(),
        seats: [first, record.says].into_iter().filter_map(seat).collect(),
        of_shoe,
        by_clause: kind.by_clause && (accusation.code == Code::BetCorrectedLate && opened.is_some() || cites),
        changes: *first != *record.says,
        accusation,
    })
}

fn opening(body: &Body) -> Option<&TableOpened> {
    if let Body::TableOpened(opened) = body { Some(opened) } else { None }
}

/// The coup that was decided by an event that is no bet: the one that it is of, or the first that was dealt after it.
fn concerned(reading: &Reading<'_>, shoe: usize, (target, said): (u64, &Body)) -> Option<u32> {
    let coups = &reading.shoes.get(shoe)?.coups;
    let dealt = |coup: &CoupRecord<'_>| {
        let cards = coup.cards.iter().filter(|card| card.to.side().is_some());
        cards.filter_map(|card| card.sequence).find(|at| *at > target)
    };
    said.coup().or_else(|| {
        let first = coups.iter().filter_map(|coup| Some((dealt(coup)?, coup.number))).min();
        first.map(|(_, number)| number)
    })
}

/// In place of a bet's id: what the bank won by its account.
const BANK: u64 = u64::MAX;

/// What a coup, and banks that were passed, brought each seat by the record.
#[derive(Default)]
struct Brought {
    nets: Nets,
    /// The banker's seat, and what the bank may have won less what it may have lost: no more than it held.
    covered: Option<(u8, i128)>,
    /// By sequence of a bank that was passed: the seat, and what was taken away.
    passed: BTreeMap<u64, (u8, i128)>,
}

impl Brought {
    /// `None` if the coup was not settled.
    fn of(reading: &Reading<'_>, checked: &TableChecked, coup: Option<Key>, group: &[Late]) -> Option<Self> {
        let mut brought = Self::default();
        let targets: BTreeSet<u64> = group.iter().map(|late| late.target).collect();
        for told in reading.around.iter().filter(|told| targets.contains(&told.sequence)) {
            if let Body::BankPassed(passed) = told.value {
                brought.passed.insert(told.sequence, (passed.seat, passed.amount.get().into()));
            }
        }
        let Some((shoe, number)) = coup else { return Some(brought) };
        let record = record(reading, (shoe, number))?;
        brought.nets = nets(record)?;
        let settled = record.settlements.first()?;
        let at = reading.shoes.get(shoe)?.coups.iter().rposition(|coup| coup.number == number)?;
        let held = checked.coups.get(&(shoe, at)).and_then(|checked| checked.bank);
        if let Some((held, account)) = held.zip(account(reading.shoes.get(shoe)?, record, settled))
            && !record.rulings.iter().any(|told| matches!(told.value, Body::CoupVoided(_)))
        {
            let [bank, won, lost] =
                [held.bank, account.value.won, account.value.lost].map(|sum| i128::from(sum.get()));
            brought.covered = Some((held.seat, won.min(bank) - lost.min(bank)));
            let net = won - lost - i128::from(account.value.commission.get());
            brought.nets.insert((held.seat, BANK), net);
        }
        Some(brought)
    }
}

fn record<'r, 'a>(reading: &'r Reading<'a>, (shoe, number): Key) -> Option<&'r CoupRecord<'a>> {
    reading.shoes.get(shoe)?.coups.iter().rfind(|coup| coup.number == number)
}

/// What the bets of a coup brought by its settlement; `None` if it was not settled. A void coup brings nothing.
fn nets(coup: &CoupRecord<'_>) -> Option<Nets> {
    let settled: &CoupSettled = coup.settlements.first()?.value;
    if coup.rulings.iter().any(|told| matches!(told.value, Body::CoupVoided(_))) {
        return Some(Nets::new());
    }
    let mut lines: BTreeMap<u64, std::vec::IntoIter<i128>> = BTreeMap::new();
    let mut returned: BTreeMap<u64, Vec<i128>> = BTreeMap::new();
    for line in &settled.bets {
        returned.entry(line.bet).or_default().push(i128::from(line.returned.get()));
    }
    lines.extend(returned.into_iter().map(|(bet, sums)| (bet, sums.into_iter())));
    let mut nets = Nets::new();
    let bets = coup.bets.iter().map(|bet| (bet.placed.value, bet.withdrawn));
    let bets = bets.map(|(bet, withdrawn)| (bet.bet, bet.seat, bet.stake, withdrawn));
    let abonos = coup.chemin.abonos.iter().map(|abono| (abono.placed.value, abono.withdrawn));
    let abonos = abonos.map(|(abono, withdrawn)| (abono.bet, abono.seat, abono.stake, withdrawn));
    for (bet, seat, stake, withdrawn) in bets.chain(abonos) {
        let line = lines.get_mut(&bet).and_then(Iterator::next);
        if withdrawn.is_none() || line.is_some() {
            let net = line.unwrap_or(0) - i128::from(stake.get());
            *nets.entry((seat, bet)).or_default() += net;
        }
    }
    Some(nets)
}

/// What the corrections of one coup come to.
#[derive(Default)]
struct Weighed {
    /// By sequence of the correction: what it moved, by seat.
    moved: BTreeMap<u64, BTreeMap<u8, i128>>,
    /// What follows from them, and is no finding of its own.
    excused: Vec<Found>,
    changes: Nets,
}

/// A coup that was left without settlement: what they moved in it is not known.
fn left(group: &[Late], reading: &Reading<'_>, coup: Option<Key>) -> Weighed {
    let goes_on = |(shoe, number): Key| {
        let shoe = reading.shoes.get(shoe)?;
        let at = shoe.coups.iter().rposition(|coup| coup.number == number)?;
        (shoe.coups.len() > at + 1 || !shoe.ends.is_empty()).then_some(())
    };
    let is_left = coup.and_then(goes_on).is_some();
    let changes = group.iter().filter(|late| is_left && late.changes);
    Weighed { moved: changes.map(|late| (late.by, BTreeMap::new())).collect(), ..Weighed::default() }
}

impl Weighed {
    fn of(
        coup: Option<Key>,
        group: &[Late],
        decided: &[Found],
        corrected: &[Found],
        (before, after): &(Brought, Brought),
    ) -> Self {
        let mut weighed = Self::default();
        let last = Last::of(group);
        let gone = only_in(coup, group, decided, corrected);
        let differs = !gone.is_empty()
            || !only_in(coup, group, corrected, decided).is_empty()
            || before.nets.keys().ne(after.nets.keys());
        for whose in before.nets.keys().chain(after.nets.keys()).collect::<BTreeSet<_>>() {
            let net = |of: &Brought| of.nets.get(whose).copied().unwrap_or_default();
            let change = net(after) - net(before);
            if change != 0 {
                weighed.moves(last.of_bet(whose.1), whose.0, change);
                if whose.1 != BANK {
                    weighed.changes.insert(*whose, change);
                }
            }
        }
        for late in group {
            let [before, after] = [before, after].map(|of| of.passed.get(&late.target));
            if before != after {
                after.into_iter().for_each(|(seat, amount)| weighed.moves(late.by, *seat, *amount));
                before.into_iter().for_each(|(seat, amount)| weighed.moves(late.by, *seat, -*amount));
            }
        }
        let is_known = |seat: u8| gone.iter().flat_map(|found| &found.money).any(|money| money.seat == seat);
        if let Some(((seat, before), (other, after))) = before.covered.zip(after.covered)
            && seat == other
            && before != after
            && !is_known(seat)
        {
            // More was staked than the bank held: it never covered the rest.
            weighed.moves(last.of_bet(BANK), seat, after - before);
        }
        if !group.iter().any(|late| late.of_shoe) {
            for money in gone.iter().flat_map(|found| &found.money) {
                weighed.moves(last.of_seat(money.seat), money.seat, money.minor_units.into());
            }
            weighed.excused = gone;
        }
        if differs && weighed.moved.is_empty() {
            weighed.moved.insert(last.of_all, BTreeMap::new());
        }
        weighed
    }

    /// A correction moved money at a seat.
    fn moves(&mut self, by: u64, seat: u8, change: i128) {
        *self.moved.entry(by).or_default().entry(seat).or_default() += change;
    }

    fn write(self, coup: Option<Key>, group: &[Late], reading: &Reading<'_>, checked: &mut TableChecked) {
        let place = coup.and_then(|(shoe, number)| {
            Some((shoe, reading.shoes.get(shoe)?.coups.iter().rposition(|coup| coup.number == number)?))
        });
        let of_coup = place.and_then(|place| checked.coups.get_mut(&place));
        let excused: BTreeSet<&Found> = self.excused.iter().collect();
        checked.found.retain(|found| !excused.contains(found));
        let unsettled = group.iter().any(|late| self.moved.contains_key(&late.by) && !late.by_clause);
        if let Some(of_coup) = of_coup {
            let excused: BTreeSet<_> = self.excused.iter().map(same).collect();
            of_coup.checked.found.retain(|found| !excused.contains(&same(found)));
            if unsettled {
                // What one of them would need a clause for is not certain of the others either.
                of_coup.checked.open.get_or_insert(Open::Corrected);
            } else {
                change_bets(&mut of_coup.bets, &self.changes);
            }
        }
        if unsettled {
            return;
        }
        let mut found = Checked::default();
        for late in group {
            let Some(money) = self.moved.get(&late.by) else { continue };
            let money = money.iter().map(|(seat, units)| SeatMoney::exactly(*seat, clamp(*units))).collect();
            found.accuse(late.by, late.accusation.clone().moving(money));
        }
        let here = |found: Found| Found {
            shoe: group.first().map(|late| late.shoe),
            coup: coup.map(|(_, number)| number),
            ..found
        };
        checked.found.extend(found.found.into_iter().map(here));
    }
}

/// Corrections say what came back for bets less their stakes; at another seat a bet has a line too.
fn change_bets(bets: &mut Vec<BetAccount>, changes: &Nets) {
    let mut places: BTreeMap<(u8, u64), usize> = BTreeMap::new();
    for (place, of) in bets.iter().enumerate() {
        places.entry((of.seat, of.bet)).or_insert(place);
    }
    for (&(seat, bet), change) in changes {
        let change = clamp(*change);
        if let Some(place) = places.get(&(seat, bet)) {
            let recorded = &mut bets[*place].recorded;
            *recorded = recorded.map(|sum| sum.saturating_add(change));
        } else {
            let nothing = Some(SumRange::exactly(0));
            let (recorded, as_dealt, by_rules) = (Some(change), nothing, nothing);
            bets.push(BetAccount { bet, seat, staked: 0, recorded, as_dealt, by_rules });
        }
    }
}

/// Sequences of the last corrections of a group.
struct Last {
    of_bets: BTreeMap<u64, u64>,
    of_seats: BTreeMap<u8, u64>,
    of_all: u64,
}

impl Last {
    fn of(group: &[Late]) -> Self {
        let of_bets = group.iter().filter_map(|late| Some((late.bet?, late.by)));
        let of_seats = group.iter().flat_map(|late| late.seats.iter().map(|seat| (*seat, late.by)));
        let of_all = group.last().map_or(0, |late| late.by);
        Self { of_bets: of_bets.collect(), of_seats: of_seats.collect(), of_all }
    }

    /// The last that is about a bet, or else the last of all.
    fn of_bet(&self, bet: u64) -> u64 {
        self.of_bets.get(&bet).copied().unwrap_or(self.of_all)
    }

    /// The last that is about money of a seat, or else the last of all.
    fn of_seat(&self, seat: u8) -> u64 {
        self.of_seats.get(&seat).copied().unwrap_or(self.of_all)
    }
}

/// The findings on a coup and on the corrected events that one has and the other has not. A finding on a corrected event is
/// located at the correction in one and at the event in the other.
fn only_in(coup: Option<Key>, group: &[Late], one: &[Found], other: &[Found]) -> Vec<Found> {
    // Whether they concern all of a shoe.
    let shoes: BTreeMap<usize, bool> = group.iter().map(|late| (late.shoe, late.of_shoe)).collect();
    let located: BTreeSet<(usize, u64)> =
        group.iter().flat_map(|late| [late.target, late.by].map(|at| (late.shoe, at))).collect();
    let concerns = |found: &&Found| {
        let of_coup =
            coup.is_some_and(|(_, number)| found.coup == Some(number)) && !found.code.concerns_shoe();
        let is_located = |shoe: usize| located.contains(&(shoe, found.sequence));
        let of_shoe = |shoe: usize| shoes.get(&shoe).is_some_and(|all| *all || of_coup || is_located(shoe));
        found.shoe.is_some_and(of_shoe)
    };
    let others: BTreeSet<_> = other.iter().filter(concerns).map(|found| (found.coup, same(found))).collect();
    let is_only = |found: &&Found| !others.contains(&(found.coup, same(found)));
    one.iter().filter(concerns).filter(is_only).cloned().collect()
}

/// What two findings on a coup have in common that are the same, wherever they are located.
const fn same(found: &Found) -> (Code, &Said, &Vec<SeatMoney>) {
    (found.code, &found.said, &found.money)
}
