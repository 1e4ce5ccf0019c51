//! Corrections of decisions that came after their moment ("no va más" for what decides who is paid; see
//! `settled_before.rs`).
//!
//! What had been decided first counts. To know what such a correction would have moved, the record is played in two
//! worlds: as it was decided, and as the corrections have it. This module compares the two. What only the first world
//! finds in the coup follows from the correction: it is taken together as one finding, with the money it moved.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::sink::{Accusation, Location, clamp};
use crate::{Code, Finding, SeatMoney};

/// A coup: where its shoe was loaded, and its number.
pub(crate) type CoupKey = (u64, u32);

/// A correction of a decision after its moment.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Late {
    /// Sequence of the event that it corrects.
    pub(crate) target: u64,
    pub(crate) by: Location,
    /// The coup that was decided by it; `None` where it is of no coup.
    pub(crate) coup: Option<CoupKey>,
    /// The id of the shoe.
    pub(crate) shoe: Option<String>,
    /// The bet that it corrects.
    pub(crate) bet: Option<u64>,
    /// The seats of the decision, first and as corrected.
    pub(crate) seats: Vec<u8>,
    /// Whether it concerns what the shoe was loaded with.
    pub(crate) of_shoe: bool,
    /// Whether a cited clause settles that it is late, so that it may be accused.
    pub(crate) by_clause: bool,
    /// Whether it says anything else than what had been decided.
    pub(crate) changes: bool,
    /// Whether it is reported.
    pub(crate) reported: bool,
    /// What is reported, but for the money.
    pub(crate) accusation: Accusation,
}

/// What coups and banks brought each seat by the record, in one of the worlds.
#[derive(Debug, Clone, Default)]
pub(crate) struct Brought {
    /// By coup, then by seat and bet: what came back less what was staked. The bank's own has the largest id.
    coups: BTreeMap<CoupKey, BTreeMap<(u8, u64), i128>>,
    /// By coup: what the bank held in it.
    banks: BTreeMap<CoupKey, Bank>,
    /// By sequence of a bank that was passed: what was taken away.
    passed: BTreeMap<u64, (u8, i128)>,
}

/// What a bank held in a coup, and what it won and lost in it by its account, in minor units.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bank {
    pub(crate) seat: u8,
    pub(crate) held: i128,
    pub(crate) won: i128,
    pub(crate) lost: i128,
}

impl Bank {
    /// What it may have won at most, less what it may have lost: no more than it holds.
    fn covered(&self) -> i128 {
        self.won.min(self.held) - self.lost.min(self.held)
    }
}

/// In place of a bet's id: what the bank won.
pub(crate) const BANK: u64 = u64::MAX;

impl Brought {
    /// A coup is settled.
    pub(crate) fn coup(&mut self, coup: CoupKey, nets: impl Iterator<Item = ((u8, u64), i128)>) {
        let of = self.coups.entry(coup).or_default();
        nets.for_each(|(whose, net)| *of.entry(whose).or_default() += net);
    }

    /// A coup against a bank is settled.
    pub(crate) fn bank(&mut self, coup: CoupKey, bank: Bank) {
        self.banks.insert(coup, bank);
    }

    /// A bank is passed.
    pub(crate) fn pass(&mut self, sequence: u64, seat: u8, amount: i128) {
        self.passed.insert(sequence, (seat, amount));
    }
}

/// A record, played in one of the worlds.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) findings: Vec<Finding>,
    pub(crate) brought: Brought,
}

/// What the late corrections come to.
#[derive(Debug, Clone, Default)]
pub(crate) struct Weighed {
    /// By sequence of the correction: those that changed something, and what they moved.
    moved: BTreeMap<u64, Vec<SeatMoney>>,
    /// What follows from them, and is no finding of its own.
    excused: BTreeSet<Finding>,
    /// Coups that they leave open, because no clause says that they are late.
    open: BTreeSet<CoupKey>,
    /// Coups that they concern.
    concerned: BTreeSet<CoupKey>,
    /// By coup, and by seat and bet: what they changed of what came back less what was staked.
    changes: BTreeMap<CoupKey, BTreeMap<(u8, u64), i128>>,
}

impl Weighed {
    /// What the correction of this sequence moved, where it changed something.
    pub(crate) fn moved_by(&self, correction: u64) -> Option<&[SeatMoney]> {
        self.moved.get(&correction).map(Vec::as_slice)
    }

    pub(crate) fn any_excused(&self) -> bool {
        !self.excused.is_empty()
    }

    /// Whether a finding follows from one of the corrections.
    pub(crate) fn excuses(&self, finding: &Finding) -> bool {
        self.excused.contains(finding)
    }

    /// What they changed of the bets of a coup, where it is reported, by seat and bet.
    pub(crate) fn changes(&self, coup: CoupKey) -> impl Iterator<Item = ((u8, u64), i128)> {
        self.changes.get(&coup).into_iter().flatten().map(|(whose, change)| (*whose, *change))
    }

    pub(crate) fn leaves_open(&self, coup: CoupKey) -> bool {
        self.open.contains(&coup)
    }

    pub(crate) fn concerns(&self, coup: CoupKey) -> bool {
        self.concerned.contains(&coup)
    }

    /// Compares what the record comes to as it was decided and as it was corrected.
    pub(crate) fn compare(late: &[Late], decided: &World, corrected: &World) -> Self {
        let mut weighed = Self::default();
        let mut groups: BTreeMap<(Option<CoupKey>, u64), Vec<&Late>> = BTreeMap::new();
        for one in late {
            // Those of no coup have nothing in common.
            let apart = if one.coup.is_some() { 0 } else { one.by.sequence };
            groups.entry((one.coup, apart)).or_default().push(one);
        }
        for ((coup, _), group) in groups {
            weighed.concerned.extend(coup);
            weighed.weigh(coup, &group, decided, corrected);
        }
        weighed
    }

    fn weigh(&mut self, coup: Option<CoupKey>, group: &[&Late], decided: &World, corrected: &World) {
        let gone = only_in(coup, group, decided, corrected);
        let fresh = only_in(coup, group, corrected, decided);
        let mut moved: BTreeMap<u64, BTreeMap<u8, i128>> = BTreeMap::new();
        let mut differs = !gone.is_empty() || !fresh.is_empty();
        let last = |concerns: &dyn Fn(&Late) -> bool| {
            let found = group.iter().rev().find(|late| concerns(late)).or(group.last());
            found.map_or(0, |late| late.by.sequence)
        };
        let (before, after) = (decided.brought.of(coup), corrected.brought.of(coup));
        differs |= before.keys().ne(after.keys());
        let mut changes: BTreeMap<(u8, u64), i128> = BTreeMap::new();
        for whose in before.keys().chain(after.keys()).collect::<BTreeSet<_>>() {
            let net = |nets: &BTreeMap<(u8, u64), i128>| nets.get(whose).copied().unwrap_or_default();
            let change = net(&after) - net(&before);
            if change != 0 {
                let by = last(&|late| late.bet == Some(whose.1));
                *moved.entry(by).or_default().entry(whose.0).or_default() += change;
                changes.insert(*whose, change);
            }
        }
        for late in group {
            let [before, after] = [decided, corrected].map(|world| world.brought.passed.get(&late.target));
            if before != after {
                let of = moved.entry(late.by.sequence).or_default();
                after.into_iter().for_each(|(seat, amount)| *of.entry(*seat).or_default() += amount);
                before.into_iter().for_each(|(seat, amount)| *of.entry(*seat).or_default() -= amount);
            }
        }
        let [bank_before, bank_after] =
            [decided, corrected].map(|world| world.brought.banks.get(&coup?).copied());
        let known =
            |seat: u8| gone.iter().any(|finding| finding.money.iter().any(|money| money.seat == seat));
        if let (Some(before), Some(after)) = (bank_before, bank_after)
            && before.seat == after.seat
            && before.covered() != after.covered()
            && !known(before.seat)
        {
            // More was staked than the bank held, and no source says who is paid then. It never covered the rest.
            let by = last(&|late| late.bet == Some(BANK));
            *moved.entry(by).or_default().entry(before.seat).or_default() +=
                after.covered() - before.covered();
        }
        let of_shoe = group.iter().any(|late| late.of_shoe);
        for finding in gone.iter().filter(|_| !of_shoe) {
            for money in &finding.money {
                let by = last(&|late| late.seats.contains(&money.seat));
                *moved.entry(by).or_default().entry(money.seat).or_default() += i128::from(money.minor_units);
            }
            self.excused.insert((*finding).clone());
        }
        differs |= !moved.is_empty();
        if !differs {
            return;
        }
        if moved.is_empty() {
            moved.insert(last(&|_| true), BTreeMap::new());
        }
        if group.iter().any(|late| moved.contains_key(&late.by.sequence) && !late.by_clause) {
            // What one of them would need a clause for is not certain of the others either.
            self.open.extend(coup);
            return;
        }
        changes.retain(|(_, bet), _| *bet != BANK);
        self.changes.extend(coup.map(|coup| (coup, changes)));
        for (by, seats) in moved {
            let money = seats.into_iter().filter(|(_, units)| *units != 0);
            let money = money.map(|(seat, units)| SeatMoney::exactly(seat, clamp(units)));
            self.moved.insert(by, money.collect());
        }
    }
}

impl Brought {
    fn of(&self, coup: Option<CoupKey>) -> BTreeMap<(u8, u64), i128> {
        coup.and_then(|coup| self.coups.get(&coup)).cloned().unwrap_or_default()
    }
}

/// The findings on a coup and on the corrected events that one world has and the other has not. A finding on a
/// corrected event is located at the correction in one and at the event in the other.
fn only_in<'a>(coup: Option<CoupKey>, group: &[&Late], one: &'a World, other: &World) -> Vec<&'a Finding> {
    let concerns = |finding: &&Finding| {
        let shoe = |late: &&Late| late.shoe == finding.shoe;
        let located = |late: &&Late| [late.target, late.by.sequence].contains(&finding.sequence);
        let of_coup = coup.is_some_and(|coup| finding.coup == Some(coup.1)) && !finding.code.concerns_shoe();
        group.iter().any(|late| shoe(late) && (late.of_shoe || of_coup || located(late)))
            && !matches!(finding.code, Code::CorrectedLate | Code::BetCorrectedLate)
    };
    let others: BTreeSet<_> = other.findings.iter().filter(concerns).map(said).collect();
    let findings = one.findings.iter().filter(concerns);
    findings.filter(|finding| !others.contains(&said(finding))).collect()
}

type Said<'a> = (Code, Option<u32>, &'a crate::Statement, &'a crate::Statement, &'a [SeatMoney]);

fn said(finding: &Finding) -> Said<'_> {
    (finding.code, finding.coup, &finding.expected, &finding.recorded, &finding.money)
}
