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
use super::corrections::{corrected_late, seat_decided as seat};
use super::doubt::Open;
use super::index::Index;
use super::{Checked, Found, Said, TableChecked};
use crate::account::{BetAccount, SumRange};
use crate::reading::{CorrectionRecord, CoupRecord, Reading, Standing, Told};
use crate::settled_before::kind;
use crate::sink::{Accusation, clamp};
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
    (corrected_reading, mut corrected): (&Reading<'_>, TableChecked),
    began: Option<&TableOpened>,
    books: &dyn Books,
) {
    let mut groups: BTreeMap<(Option<Key>, u64), Vec<Late>> = BTreeMap::new();
    let worlds = [World::of(reading), World::of(corrected_reading)];
    for late in all(&worlds[0], began, books) {
        // Those of no coup have nothing in common.
        let apart = if late.coup.is_some() { 0 } else { late.by };
        groups.entry((late.coup, apart)).or_default().push(late);
    }
    let mut decided = FoundIn::of(std::mem::take(&mut checked.found));
    let corrected_found = FoundIn::of(std::mem::take(&mut corrected.found));
    for ((coup, _), group) in groups {
        let before = Brought::of(&worlds[0], checked, coup, &group);
        let weighed = match before {
            None => left(&group, &worlds[0], coup),
            Some(before) => {
                let after = Brought::of(&worlds[1], &corrected, coup, &group);
                let both = (before, after.unwrap_or_default());
                Weighed::of(coup, &group, &decided, &corrected_found, &both)
            }
        };
        weighed.write(coup, &group, (&worlds[0], checked), &mut decided);
    }
    checked.found = decided.found.into_iter().flatten().collect();
}

/// A reading, and where things lie in it.
struct World<'r, 'a> {
    reading: &'r Reading<'a>,
    shoes: Vec<Index<'r>>,
    /// By sequence of a bank that was passed: the seat, and what was taken away.
    passed: BTreeMap<u64, (u8, i128)>,
}

impl<'r, 'a> World<'r, 'a> {
    fn of(reading: &'r Reading<'a>) -> Self {
        let passed = |told: &Told<'_, Body>| {
            let Body::BankPassed(passed) = told.value else { return None };
            Some((told.sequence, (passed.seat, passed.amount.get().into())))
        };
        let passed = reading.around.iter().filter_map(passed);
        Self { reading, shoes: reading.shoes.iter().map(Index::of).collect(), passed: passed.collect() }
    }

    /// The place of a coup in its shoe: of two with this number the last.
    fn place(&self, (shoe, number): Key) -> Option<usize> {
        self.shoes.get(shoe)?.coups(number).last().copied()
    }
}

/// What is found, by where it is.
struct FoundIn {
    /// `None`: it follows from something else.
    found: Vec<Option<Found>>,
    by_coup: BTreeMap<(usize, u32), Vec<usize>>,
    by_sequence: BTreeMap<(usize, u64), Vec<usize>>,
}

impl FoundIn {
    fn of(found: Vec<Found>) -> Self {
        let mut all = Self { found: Vec::new(), by_coup: BTreeMap::new(), by_sequence: BTreeMap::new() };
        found.into_iter().for_each(|found| all.add(found));
        all
    }

    fn add(&mut self, found: Found) {
        let at = self.found.len();
        if let Some(shoe) = found.shoe {
            self.by_sequence.entry((shoe, found.sequence)).or_default().push(at);
            let of_coup = found.coup.map(|coup| self.by_coup.entry((shoe, coup)).or_default());
            of_coup.into_iter().for_each(|of_coup| of_coup.push(at));
        }
        self.found.push(Some(found));
    }

    /// The findings on a coup and on the corrected events; if they are about what a shoe was loaded with, all in it. A finding on
    /// a corrected event is located at the correction in one reading and at the event in the other.
    fn concerning(&self, coup: Option<Key>, group: &[Late]) -> Vec<(usize, &Found)> {
        // Whether they concern all of a shoe.
        let shoes: BTreeMap<usize, bool> = group.iter().map(|late| (late.shoe, late.of_shoe)).collect();
        let mut places: BTreeSet<usize> = BTreeSet::new();
        if shoes.values().any(|all| *all) {
            let of_shoe = |found: &Found| found.shoe.and_then(|shoe| shoes.get(&shoe)).copied();
            let is_of = |at: &usize| self.found[*at].as_ref().and_then(of_shoe).unwrap_or_default();
            places.extend((0..self.found.len()).filter(is_of));
        }
        for late in group {
            let located = [late.target, late.by].map(|at| self.by_sequence.get(&(late.shoe, at)));
            places.extend(located.into_iter().flatten().flatten());
        }
        for (shoe, (_, number)) in shoes.keys().zip(coup.into_iter().cycle()) {
            let of_coup = self.by_coup.get(&(*shoe, number)).into_iter().flatten();
            let is_of_play =
                |at: &&usize| self.found[**at].as_ref().is_some_and(|found| !found.code.concerns_shoe());
            places.extend(of_coup.filter(is_of_play));
        }
        let found = |at: usize| Some((at, self.found.get(at)?.as_ref()?));
        places.into_iter().filter_map(found).collect()
    }

    /// Those of them that the other has not.
    fn only_here(&self, other: &Self, coup: Option<Key>, group: &[Late]) -> Vec<(usize, &Found)> {
        let others = other.concerning(coup, group);
        let others: BTreeSet<_> = others.into_iter().map(|(_, found)| (found.coup, same(found))).collect();
        let mut own = self.concerning(coup, group);
        own.retain(|(_, found)| !others.contains(&(found.coup, same(found))));
        own
    }
}

/// The last correction of each event. Once the table has closed, its coups are not compared.
fn all(world: &World<'_, '_>, began: Option<&TableOpened>, books: &dyn Books) -> Vec<Late> {
    let reading = world.reading;
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
    let decided = Decided::of(reading, &last, began);
    let mut all: Vec<Late> =
        last.into_values().filter_map(|record| late(record, world, &decided, books)).collect();
    all.sort_by_key(|late| late.by);
    all
}

/// What had been decided by the events that are corrected too late.
struct Decided<'r> {
    /// What they say by a correction that came in time.
    in_time: BTreeMap<u64, &'r Body>,
    /// The number of the coup of each bet among them.
    coups: BTreeMap<u64, u32>,
    /// By sequence: the openings. The last before the range is at 0.
    openings: BTreeMap<u64, &'r TableOpened>,
}

impl<'r> Decided<'r> {
    fn of<T>(reading: &'r Reading<'_>, late: &BTreeMap<u64, T>, began: Option<&'r TableOpened>) -> Self {
        let openings = reading.around.iter().filter_map(|told| Some((told.sequence, opening(told.value)?)));
        let counts = |one: &&CorrectionRecord<'_>| one.standing == Standing::Counts;
        let in_time = reading.corrections.iter().filter(counts).map(|one| (one.corrects, one.says));
        let coups = reading.shoes.iter().flat_map(|shoe| &shoe.coups);
        let bets = coups.flat_map(|coup| coup.bets.iter().map(|bet| (bet.placed.sequence, coup.number)));
        Self {
            in_time: in_time.collect(),
            coups: bets.filter(|(placed, _)| late.contains_key(placed)).collect(),
            openings: began.map(|began| (0, began)).into_iter().chain(openings).collect(),
        }
    }
}

fn late(
    record: &CorrectionRecord<'_>,
    world: &World<'_, '_>,
    decided: &Decided<'_>,
    books: &dyn Books,
) -> Option<Late> {
    let (by, target) = (record.sequence, record.corrects);
    let first = decided.in_time.get(&target).copied().or(record.said)?;
    let kind = kind(first)?;
    let shoes = &world.reading.shoes;
    let shoe = shoes.partition_point(|shoe| shoe.began <= target).saturating_sub(1);
    let of_shoe = matches!(first, Body::ShoeLoaded(_));
    let coup = if of_shoe || matches!(first, Body::BankPassed(_)) {
        None
    } else {
        let own = decided.coups.get(&target).copied();
        own.or_else(|| concerned(world, shoe, (target, first))).map(|number| (shoe, number))
    };
    let accusation = corrected_late(first, record.says, kind);
    let opened = decided.openings.range(..by).next_back().map(|(_, opened)| *opened);
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
fn concerned(world: &World<'_, '_>, shoe: usize, (target, said): (u64, &Body)) -> Option<u32> {
    said.coup().or_else(|| world.shoes.get(shoe)?.dealt_after(target))
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
    fn of(world: &World<'_, '_>, checked: &TableChecked, coup: Option<Key>, group: &[Late]) -> Option<Self> {
        let mut brought = Self::default();
        let passed = group.iter().filter_map(|late| Some((late.target, *world.passed.get(&late.target)?)));
        brought.passed.extend(passed);
        let Some(key) = coup else { return Some(brought) };
        let (index, at) = (world.shoes.get(key.0)?, world.place(key)?);
        let record = index.shoe.coups.get(at)?;
        brought.nets = nets(record)?;
        let settled = record.settlements.first()?;
        let held = checked.coups.get(&(key.0, at)).and_then(|checked| checked.bank);
        if let Some((held, account)) = held.zip(account(index, record, settled))
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
    /// What follows from them, and is no finding of its own: by its place.
    excused: Vec<usize>,
    changes: Nets,
}

/// A coup that was left without settlement: what they moved in it is not known.
fn left(group: &[Late], world: &World<'_, '_>, coup: Option<Key>) -> Weighed {
    let goes_on = |key: Key| {
        let (shoe, at) = (world.reading.shoes.get(key.0)?, world.place(key)?);
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
        decided: &FoundIn,
        corrected: &FoundIn,
        (before, after): &(Brought, Brought),
    ) -> Self {
        let mut weighed = Self::default();
        let last = Last::of(group);
        let gone = decided.only_here(corrected, coup, group);
        let differs = !gone.is_empty()
            || !corrected.only_here(decided, coup, group).is_empty()
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
        let is_known =
            |seat: u8| gone.iter().flat_map(|(_, found)| &found.money).any(|money| money.seat == seat);
        if let Some(((seat, before), (other, after))) = before.covered.zip(after.covered)
            && seat == other
            && before != after
            && !is_known(seat)
        {
            // More was staked than the bank held: it never covered the rest.
            weighed.moves(last.of_bet(BANK), seat, after - before);
        }
        if !group.iter().any(|late| late.of_shoe) {
            for money in gone.iter().flat_map(|(_, found)| &found.money) {
                weighed.moves(last.of_seat(money.seat), money.seat, money.minor_units.into());
            }
            weighed.excused = gone.into_iter().map(|(at, _)| at).collect();
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

    fn write(
        self,
        coup: Option<Key>,
        group: &[Late],
        (world, checked): (&World<'_, '_>, &mut TableChecked),
        decided: &mut FoundIn,
    ) {
        let place = coup.and_then(|key| Some((key.0, world.place(key)?)));
        let of_coup = place.and_then(|place| checked.coups.get_mut(&place));
        let excused = self.excused.iter().filter_map(|at| decided.found.get_mut(*at)?.take());
        let excused: Vec<Found> = excused.collect();
        let unsettled = group.iter().any(|late| self.moved.contains_key(&late.by) && !late.by_clause);
        if let Some(of_coup) = of_coup {
            let excused: BTreeSet<_> = excused.iter().map(same).collect();
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
        found.found.into_iter().map(here).for_each(|found| decided.add(found));
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

/// What two findings on a coup have in common that are the same, wherever they are located.
const fn same(found: &Found) -> (Code, &Said, &Vec<SeatMoney>) {
    (found.code, &found.said, &found.money)
}
