//! Corrections of decisions that came too late: what had been decided first counts, and what they would have changed is one
//! finding (`docs/judging.md`, "Decisions and observations").
//!
//! The range is read and checked twice: as it was decided, and as these corrections have it. What only the first finds in the
//! coup follows from them.

use std::collections::{BTreeMap, BTreeSet};

use baccarat::Clause;
use events::{Body, CoupSettled, TableOpened};

use super::before::{Book, Books};
use super::doubt::Open;
use super::{Checked, Found, TableChecked};
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
        let nets = [reading, corrected_reading].map(|reading| {
            let record = coup.and_then(|coup| record(reading, coup));
            record.and_then(|record| nets(record))
        });
        let weighed = match nets {
            [None, _] if coup.is_some() => left(&group, reading, coup),
            [before, after] => {
                let both = (before.unwrap_or_default(), after.unwrap_or_default());
                Weighed::of(coup, &group, &checked.found, &corrected.found, both)
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
    let is_closed_since = |record: &&CorrectionRecord<'_>| {
        let since = |told: &Told<'_, Body>| (record.corrects..record.sequence).contains(&told.sequence);
        reading.around.iter().any(|told| since(told) && matches!(told.value, Body::TableClosed(_)))
    };
    let records = reading.corrections.iter().filter(is_late).filter(|record| !is_closed_since(record));
    let last: BTreeMap<u64, _> = records.map(|record| (record.corrects, record)).collect();
    let mut all: Vec<Late> =
        last.into_values().filter_map(|record| late(record, reading, began, books)).collect();
    all.sort_by_key(|late| late.by);
    all
}

fn late(
    record: &CorrectionRecord<'_>,
    reading: &Reading<'_>,
    began: Option<&TableOpened>,
    books: &dyn Books,
) -> Option<Late> {
    let (by, target) = (record.sequence, record.corrects);
    let in_time = |one: &&CorrectionRecord<'_>| one.corrects == target && one.standing == Standing::Counts;
    let first = reading.corrections.iter().find(in_time).map_or(record.said?, |in_time| in_time.says);
    let kind = kind(first)?;
    let shoe = reading.shoes.iter().rposition(|shoe| shoe.began <= target).unwrap_or(0);
    let of_shoe = matches!(first, Body::ShoeLoaded(_));
    let coup = if of_shoe || matches!(first, Body::BankPassed(_)) {
        None
    } else {
        concerned(reading, shoe, (target, first)).map(|number| (shoe, number))
    };
    let accusation = corrected_late(first, record.says, kind);
    let opened = |told: &&Told<'_, Body>| told.sequence < by && matches!(told.value, Body::TableOpened(_));
    let opened = reading.around.iter().rfind(opened).and_then(|told| opening(told.value)).or(began);
    let cites = match opened.map(|opened| books.of(opened)) {
        Some(Book::Known(tables)) => tables.rules.citations_of(&Clause::Betting).next().is_some(),
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

/// The coup that was decided by an event: the one that it is of, or the first that was dealt after it.
fn concerned(reading: &Reading<'_>, shoe: usize, (target, said): (u64, &Body)) -> Option<u32> {
    let coups = &reading.shoes.get(shoe)?.coups;
    let has = |coup: &&CoupRecord<'_>| coup.bets.iter().any(|bet| bet.placed.sequence == target);
    let dealt = |coup: &CoupRecord<'_>| {
        let cards = coup.cards.iter().filter(|card| card.to.side().is_some());
        cards.filter_map(|card| card.sequence).find(|at| *at > target)
    };
    let own = coups.iter().find(has).map(|coup| coup.number).or(said.coup());
    own.or_else(|| {
        let first = coups.iter().filter_map(|coup| Some((dealt(coup)?, coup.number))).min();
        first.map(|(_, number)| number)
    })
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
    for bet in &coup.bets {
        let placed = bet.placed.value;
        let line = lines.get_mut(&placed.bet).and_then(Iterator::next);
        if bet.withdrawn.is_none() || line.is_some() {
            let net = line.unwrap_or(0) - i128::from(placed.stake.get());
            *nets.entry((placed.seat, placed.bet)).or_default() += net;
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
        nets: (Nets, Nets),
    ) -> Self {
        let mut weighed = Self::default();
        let gone = only_in(coup, group, decided, corrected);
        let differs = !gone.is_empty()
            || !only_in(coup, group, corrected, decided).is_empty()
            || nets.0.keys().ne(nets.1.keys());
        for whose in nets.0.keys().chain(nets.1.keys()).collect::<BTreeSet<_>>() {
            let net = |nets: &Nets| nets.get(whose).copied().unwrap_or_default();
            let change = net(&nets.1) - net(&nets.0);
            if change != 0 {
                let by = last(group, |late| late.bet == Some(whose.1));
                *weighed.moved.entry(by).or_default().entry(whose.0).or_default() += change;
                weighed.changes.insert(*whose, change);
            }
        }
        if !group.iter().any(|late| late.of_shoe) {
            for money in gone.iter().flat_map(|found| &found.money) {
                let by = last(group, |late| late.seats.contains(&money.seat));
                *weighed.moved.entry(by).or_default().entry(money.seat).or_default() +=
                    i128::from(money.minor_units);
            }
            weighed.excused = gone;
        }
        if differs && weighed.moved.is_empty() {
            weighed.moved.insert(last(group, |_| true), BTreeMap::new());
        }
        weighed
    }

    fn write(self, coup: Option<Key>, group: &[Late], reading: &Reading<'_>, checked: &mut TableChecked) {
        let place = coup.and_then(|(shoe, number)| {
            Some((shoe, reading.shoes.get(shoe)?.coups.iter().rposition(|coup| coup.number == number)?))
        });
        let of_coup = place.and_then(|place| checked.coups.get_mut(&place));
        checked.found.retain(|found| !self.excused.contains(found));
        let unsettled = group.iter().any(|late| self.moved.contains_key(&late.by) && !late.by_clause);
        if let Some(of_coup) = of_coup {
            of_coup.checked.found.retain(|found| !self.excused.iter().any(|gone| is_same(gone, found)));
            if unsettled {
                // What one of them would need a clause for is not certain of the others either.
                of_coup.checked.open.get_or_insert(Open::Corrected);
            } else {
                self.changes
                    .iter()
                    .for_each(|(whose, change)| change_bet(&mut of_coup.bets, *whose, *change));
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

/// A correction says what came back for a bet less its stake; at another seat the bet has a line too.
fn change_bet(bets: &mut Vec<BetAccount>, (seat, bet): (u8, u64), change: i128) {
    let change = clamp(change);
    match bets.iter_mut().find(|of| (of.seat, of.bet) == (seat, bet)) {
        Some(of) => of.recorded = of.recorded.map(|sum| sum.saturating_add(change)),
        None => {
            let nothing = Some(SumRange::exactly(0));
            let (recorded, as_dealt, by_rules) = (Some(change), nothing, nothing);
            bets.push(BetAccount { bet, seat, staked: 0, recorded, as_dealt, by_rules });
        }
    }
}

/// Sequence of the last correction that this is about, or else of the last.
fn last(group: &[Late], concerns: impl Fn(&Late) -> bool) -> u64 {
    group.iter().rev().find(|late| concerns(late)).or(group.last()).map_or(0, |late| late.by)
}

/// The findings on a coup and on the corrected events that one has and the other has not. A finding on a corrected event is
/// located at the correction in one and at the event in the other.
fn only_in(coup: Option<Key>, group: &[Late], one: &[Found], other: &[Found]) -> Vec<Found> {
    let concerns = |found: &&Found| {
        let located = |late: &Late| [late.target, late.by].contains(&found.sequence);
        let of_coup =
            coup.is_some_and(|(_, number)| found.coup == Some(number)) && !found.code.concerns_shoe();
        group.iter().any(|late| found.shoe == Some(late.shoe) && (late.of_shoe || of_coup || located(late)))
    };
    let others: Vec<&Found> = other.iter().filter(concerns).collect();
    let only = one
        .iter()
        .filter(concerns)
        .filter(|found| !others.iter().any(|other| found.coup == other.coup && is_same(found, other)));
    only.cloned().collect()
}

/// Whether two findings on a coup are the same, wherever they are located.
fn is_same(one: &Found, other: &Found) -> bool {
    (one.code, &one.said, &one.money) == (other.code, &other.said, &other.money)
}
