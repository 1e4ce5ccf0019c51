//! What the coups of a table come to.

use std::collections::{BTreeMap, BTreeSet};

use baccarat::Money;
use events::{Body, CoupSettled, Name};

use super::Evidence;
use super::course::Course;
use super::findings::Placed;
use super::ruled::Ruled;
use crate::checks::{Book, CoupChecked, LineChecked, Open};
use crate::reading::{AbonoRecord, Absent, BetRecord, CoupRecord, Hole, Item, ShoeRecord, Told};
use crate::tally::Outcome;
use crate::{BetAccount, Code, CoupVerdict, Finding, Reason, Severity, SumRange};

/// A coup, and what it comes to.
pub(super) struct CoupOver<'r, 'a> {
    /// The place of its shoe in the reading, and its own in the shoe.
    pub(super) place: (usize, usize),
    pub(super) record: &'r CoupRecord<'a>,
    /// `None`: it is not checked.
    pub(super) checked: Option<&'r CoupChecked>,
    pub(super) outcome: Outcome,
    /// Why it is not known whether all is right, though something may be wrong.
    pub(super) open: Option<Reason>,
    /// Its settlement; of a void coup the last.
    pub(super) settled: Option<&'r Told<'a, CoupSettled>>,
    /// Whether its stakes had to come back.
    pub(super) is_void: bool,
    /// Whether play went on, or ended, without its settlement.
    pub(super) is_left: bool,
    /// Sequence of the event with which it is over.
    pub(super) over: u64,
}

/// A bet or an abono, as it was placed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Laid<'r> {
    /// Sequence of its placing, and of the event that took it back.
    pub(super) placed: u64,
    pub(super) withdrawn: Option<u64>,
    pub(super) bet: u64,
    pub(super) seat: u8,
    pub(super) player: Option<&'r Name>,
    pub(super) kind: &'r str,
    pub(super) stake: Money,
}

impl<'r> CoupOver<'r, '_> {
    /// Its bets and abonos, in the order in which they were placed.
    pub(super) fn laid(&self) -> Vec<Laid<'r>> {
        let mut all: Vec<Laid<'r>> = self.laid_in_no_order().collect();
        all.sort_by_key(|laid| laid.placed);
        all
    }

    fn laid_in_no_order(&self) -> impl Iterator<Item = Laid<'r>> + use<'r> {
        let bet = |of: &'r BetRecord<'_>| {
            let placed = of.placed.value;
            let (player, kind) = (placed.player.as_ref(), placed.kind.as_str());
            let (bet, seat, stake) = (placed.bet, placed.seat, placed.stake);
            Laid { placed: of.placed.sequence, withdrawn: of.withdrawn, bet, seat, player, kind, stake }
        };
        let abono = |of: &'r AbonoRecord<'_>| {
            let placed = of.placed.value;
            let (player, kind) = (placed.player.as_ref(), "abono");
            let (bet, seat, stake) = (placed.bet, placed.seat, placed.stake);
            Laid { placed: of.placed.sequence, withdrawn: of.withdrawn, bet, seat, player, kind, stake }
        };
        let abonos = self.record.chemin.abonos.iter().map(abono);
        self.record.bets.iter().map(bet).chain(abonos)
    }

    /// What came back for its bets, by where they were placed.
    pub(super) fn lines(&self) -> Lines<'r> {
        let mut lines: Vec<_> = self.checked.iter().flat_map(|checked| &checked.lines).collect();
        lines.sort_unstable_by_key(|line| line.placed);
        Lines(lines)
    }

    /// Whether it is neither settled nor left.
    pub(super) const fn is_in_play(&self) -> bool {
        self.settled.is_none() && !self.is_left
    }

    /// Whether the bets were closed before a sequence.
    pub(super) fn is_late(&self, at: u64) -> bool {
        let cards = self.record.cards.iter().filter(|card| card.to.side().is_some());
        let cards = cards.filter_map(|card| card.sequence);
        let closes = self.record.closes.iter().map(|told| told.sequence);
        closes.chain(cards).min().is_some_and(|closed| closed < at)
    }

    /// What is wrong in it, in log order.
    pub(super) fn found<'f>(&self, all: &FoundInCoups<'f>) -> Vec<&'f Finding> {
        all.0.get(&self.place).cloned().unwrap_or_default()
    }

    /// The same: what its account has, and what is found once it is over. What a correction changed of bets is in the account
    /// whenever it came.
    pub(super) fn found_in_time<'f>(
        &self,
        all: &FoundInCoups<'f>,
        course: &Course<'_>,
    ) -> (Vec<&'f Finding>, Vec<&'f Finding>) {
        let is_late = |code: Code| matches!(code, Code::BetCorrectedLate | Code::CorrectedLate);
        let in_time =
            |finding: &&Finding| course.stands(finding.sequence) <= self.over || is_late(finding.code);
        self.found(all).into_iter().partition(in_time)
    }

    /// Sum of the stakes that were not taken back, in minor units.
    pub(super) fn staked(&self) -> u128 {
        let stood = self.laid_in_no_order().filter(|laid| laid.withdrawn.is_none());
        stood.map(|laid| u128::from(laid.stake.get())).sum()
    }

    /// Those of them of which it is not known what came back, or had to by the rules.
    pub(super) fn undecided_stakes(&self) -> u128 {
        let taken_back = self.laid_in_no_order().filter(|laid| laid.withdrawn.is_some());
        let taken_back: BTreeSet<u64> = taken_back.map(|laid| laid.bet).collect();
        let is_known =
            |of: &BetAccount| of.recorded.is_some() && of.by_rules.and_then(SumRange::known).is_some();
        let all = self.checked.iter().flat_map(|checked| &checked.bets);
        let open = all.filter(|of| !taken_back.contains(&of.bet) && !is_known(of));
        open.map(|of| u128::from(of.staked.unsigned_abs())).sum()
    }
}

/// The lines of a coup, in the order in which their bets were placed.
pub(super) struct Lines<'r>(Vec<&'r LineChecked>);

impl<'r> Lines<'r> {
    /// The line of a bet, by where it was placed.
    pub(super) fn of(&self, placed: u64) -> Option<&'r LineChecked> {
        let at = self.0.binary_search_by_key(&placed, |line| line.placed);
        self.0.get(at.ok()?).copied()
    }
}

/// What is wrong in coups, by their places, in log order.
pub(super) struct FoundInCoups<'f>(BTreeMap<(usize, usize), Vec<&'f Finding>>);

impl<'f> FoundInCoups<'f> {
    pub(super) fn of(all: &'f [Placed]) -> Self {
        let mut coups: BTreeMap<_, Vec<&'f Finding>> = BTreeMap::new();
        for (placed, coup) in all.iter().filter_map(|placed| Some((placed, placed.coup?))) {
            coups.entry(coup).or_default().push(&placed.finding);
        }
        Self(coups)
    }
}

/// All coups, in the order in which they are over.
pub(super) fn coups<'r, 'a>(
    evidence: &Evidence<'r, 'a>,
    course: &Course<'r>,
    findings: &[Placed],
    ruled: &Ruled,
) -> Vec<CoupOver<'r, 'a>> {
    let violates = findings.iter().filter(|placed| placed.finding.severity == Severity::Violation);
    let violated: BTreeSet<(usize, usize)> = violates.filter_map(|placed| placed.coup).collect();
    let mut coups = Vec::new();
    for (shoe, record) in evidence.reading.shoes.iter().enumerate() {
        let mut began: Vec<u64> = record.coups.iter().map(|coup| coup.began).collect();
        began.sort_unstable();
        for at in 0..record.coups.len() {
            let mut coup = coup(evidence, course, (shoe, record), (at, &began));
            if violated.contains(&coup.place) {
                coup.outcome.verdict = CoupVerdict::Violated;
            }
            coup.outcome.ruled = ruled.concerns(coup.record);
            coups.push(coup);
        }
    }
    coups.sort_by_key(|coup| (coup.over, coup.record.began));
    coups
}

fn coup<'r, 'a>(
    evidence: &Evidence<'r, 'a>,
    course: &Course<'r>,
    (shoe, of): (usize, &'r ShoeRecord<'a>),
    (at, began): (usize, &[u64]),
) -> CoupOver<'r, 'a> {
    let (place, record) = ((shoe, at), &of.coups[at]);
    let checked = evidence.checked.coups.get(&place);
    let void = void_at(record, course.is_at_bank(record.began));
    let settled = if void.is_some() { record.settlements.last() } else { record.settlements.first() };
    // What was settled before it was declared void is over once its stakes came back, or play went on without them.
    let back = settled.filter(|told| void.is_none_or(|void| told.sequence > void));
    let left = if back.is_some() { None } else { left_at(evidence, place, of, began) };
    let over = back.map(|told| told.sequence).or(left).unwrap_or_else(|| last_in(evidence));
    let without_shoe = || settled.is_some() && course.shoe(over).is_none();
    let open = match checked {
        Some(checked) => checked.checked.open.map(|open| reason(open, &record.missing)),
        None => Some(unchecked(record, course.book(record.began))),
    };
    let open = open.or_else(|| without_shoe().then_some(Reason::ShoeMissing));
    let outcome = Outcome {
        verdict: if open.is_some() { CoupVerdict::Undecided } else { CoupVerdict::Certified },
        reason: open.unwrap_or(Reason::NotSettledYet),
        ruled: false,
    };
    let (is_void, is_left) = (void.is_some(), settled.is_none() && left.is_some());
    CoupOver { place, record, checked, outcome, open, settled, is_void, is_left, over }
}

/// Where a coup was declared void, if its stakes had to come back. At a bank no claim is allowed once they are paid.
fn void_at(record: &CoupRecord<'_>, at_bank: bool) -> Option<u64> {
    let void = record.rulings.iter().find(|told| matches!(told.value, Body::CoupVoided(_)))?;
    let paid = record.settlements.first().is_some_and(|told| told.sequence < void.sequence);
    (!at_bank || !paid).then_some(void.sequence)
}

/// Where play continues, or ends, after the last event of a coup; `began`: where the coups of its shoe began, in that order.
fn left_at(
    evidence: &Evidence<'_, '_>,
    (shoe, at): (usize, usize),
    of: &ShoeRecord<'_>,
    began: &[u64],
) -> Option<u64> {
    let last = last_of(&of.coups[at]);
    let next = began.get(began.partition_point(|began| *began <= last)).copied();
    let ends = of.ends.iter().map(|told| told.sequence);
    let over = evidence.checked.over.get(&shoe).copied();
    ends.chain(over).filter(|at| *at > last).chain(next).min()
}

/// Sequence of the last event of a coup.
fn last_of(record: &CoupRecord<'_>) -> u64 {
    let bets = record.bets.iter().map(|bet| bet.withdrawn.unwrap_or(bet.placed.sequence));
    let cards = record.cards.iter().filter_map(|card| card.sequence);
    let closes = record.closes.iter().map(|told| told.sequence);
    let rulings = record.rulings.iter().map(|told| told.sequence);
    bets.chain(cards).chain(closes).chain(rulings).max().unwrap_or(record.began)
}

/// Sequence of the last event of the table.
fn last_in(evidence: &Evidence<'_, '_>) -> u64 {
    evidence.range.items().last().map_or(0, Item::first)
}

/// Why a coup is undecided that is open; if events are missing, why they are.
fn reason(open: Open, missing: &[Hole]) -> Reason {
    match (open, missing.first()) {
        (Open::Missing, Some(hole)) => absent(hole.why),
        (open, _) => open.reason(),
    }
}

/// Why nothing is known of events.
pub(super) const fn absent(why: Absent) -> Reason {
    match why {
        Absent::Missing => Reason::EventsMissing,
        Absent::Withheld => Reason::PayloadWithheld,
        Absent::LeftOut => Reason::LeftOut,
        Absent::Unreadable => Reason::EntryUnreadable,
        Absent::NewerKind => Reason::EventUnknown,
        Absent::Forgotten => Reason::MoreThanKept,
    }
}

/// Why a coup is undecided that is not checked.
fn unchecked(record: &CoupRecord<'_>, book: Option<Book<'_>>) -> Reason {
    match (record.missing.first(), lacks(book)) {
        (Some(hole), _) => absent(hole.why),
        (None, Some(reason)) => reason,
        (None, None) => Reason::NotSettledYet,
    }
}

/// Why there are no rules to judge by, if there are none.
pub(super) const fn lacks(book: Option<Book<'_>>) -> Option<Reason> {
    match book {
        Some(Book::Known(_)) => None,
        Some(Book::NotApproved) => Some(Reason::RulebookUnapproved),
        Some(Book::NotReadable) => Some(Reason::RulebookUnreadable),
        None => Some(Reason::RulebookMissing),
    }
}
