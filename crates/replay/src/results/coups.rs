//! What the coups of a table come to.

use std::collections::BTreeSet;

use events::{Body, CoupSettled};

use super::Evidence;
use super::course::Course;
use super::ruled::Ruled;
use crate::checks::{Book, CoupChecked, Open};
use crate::reading::{Absent, CoupRecord, Hole, Told};
use crate::tally::Outcome;
use crate::{BetAccount, CoupVerdict, Finding, Reason, Severity, SumRange};

/// A coup, and what it comes to.
pub(super) struct CoupOver<'r, 'a> {
    /// The place of its shoe in the reading.
    pub(super) shoe: usize,
    pub(super) record: &'r CoupRecord<'a>,
    /// `None`: it is not checked.
    pub(super) checked: Option<&'r CoupChecked>,
    pub(super) outcome: Outcome,
    /// Its settlement; of a void coup the last.
    pub(super) settled: Option<&'r Told<'a, CoupSettled>>,
    /// Whether its stakes had to come back.
    pub(super) is_void: bool,
    /// Sequence of the event with which it is over.
    pub(super) over: u64,
}

impl CoupOver<'_, '_> {
    /// Stakes of bets that stood, of which it is not known what came back, or had to by the rules.
    pub(super) fn undecided_stakes(&self) -> u128 {
        let bets =
            self.record.bets.iter().filter(|bet| bet.withdrawn.is_some()).map(|bet| bet.placed.value.bet);
        let abonos = &self.record.chemin.abonos;
        let abonos = abonos.iter().filter(|bet| bet.withdrawn.is_some()).map(|bet| bet.placed.value.bet);
        let taken_back: BTreeSet<u64> = bets.chain(abonos).collect();
        let is_known =
            |of: &BetAccount| of.recorded.is_some() && of.by_rules.and_then(SumRange::known).is_some();
        let all = self.checked.iter().flat_map(|checked| &checked.bets);
        let open = all.filter(|of| !taken_back.contains(&of.bet) && !is_known(of));
        open.map(|of| u128::from(of.staked.unsigned_abs())).sum()
    }
}

/// All coups, in the order in which they are over.
pub(super) fn coups<'r, 'a>(
    evidence: &Evidence<'r, 'a>,
    course: &Course<'r>,
    findings: &[(Finding, Option<usize>)],
) -> Vec<CoupOver<'r, 'a>> {
    let violated = violated(evidence, course, findings);
    let ruled = Ruled::of(evidence.reading);
    let mut coups = Vec::new();
    for (shoe, record) in evidence.reading.shoes.iter().enumerate() {
        for (at, record) in record.coups.iter().enumerate() {
            let mut coup = coup(evidence, course, (shoe, at), record);
            if violated.contains(&(shoe, at)) {
                coup.outcome.verdict = CoupVerdict::Violated;
            }
            coup.outcome.ruled = ruled.concerns(record);
            coups.push(coup);
        }
    }
    coups.sort_by_key(|coup| (coup.over, coup.record.began));
    coups
}

/// The coups that are violated, by the place of the shoe and of the coup. Of two with one number it is the last that began.
fn violated(
    evidence: &Evidence<'_, '_>,
    course: &Course<'_>,
    findings: &[(Finding, Option<usize>)],
) -> BTreeSet<(usize, usize)> {
    let violates = findings.iter().filter(|(finding, _)| finding.severity == Severity::Violation);
    let of = violates.filter_map(|(finding, shoe)| {
        let (shoe, number, at) = ((*shoe)?, finding.coup?, course.stands(finding.sequence));
        let coups = evidence.reading.shoes.get(shoe)?.coups.iter().enumerate();
        let mut named = coups.filter(|(_, coup)| coup.number == number).peekable();
        let first = named.peek().map(|(at, _)| *at);
        let last = named.rfind(|(_, coup)| coup.began <= at);
        Some((shoe, last.map(|(at, _)| at).or(first)?))
    });
    of.collect()
}

fn coup<'r, 'a>(
    evidence: &Evidence<'r, 'a>,
    course: &Course<'r>,
    (shoe, at): (usize, usize),
    record: &'r CoupRecord<'a>,
) -> CoupOver<'r, 'a> {
    let checked = evidence.checked.coups.get(&(shoe, at));
    let void = void_at(record, course.is_at_bank(record.began));
    let settled = if void.is_some() { record.settlements.last() } else { record.settlements.first() };
    let left = evidence.checked.over.get(&shoe).copied().unwrap_or(u64::MAX);
    let over = settled.map_or_else(|| last_of(record).min(left), |told| told.sequence);
    let without_shoe = || settled.is_some() && course.shoe(over).is_none();
    let reason = match checked {
        Some(checked) => checked.checked.open.map(|open| reason(open, &record.missing)),
        None => Some(unchecked(record, course.book(record.began))),
    };
    let reason = reason.or_else(|| without_shoe().then_some(Reason::ShoeMissing));
    let outcome = Outcome {
        verdict: if reason.is_some() { CoupVerdict::Undecided } else { CoupVerdict::Certified },
        reason: reason.unwrap_or(Reason::NotSettledYet),
        ruled: false,
    };
    CoupOver { shoe, record, checked, outcome, settled, is_void: void.is_some(), over }
}

/// Where a coup was declared void, if its stakes had to come back. At a bank no claim is allowed once they are paid.
fn void_at(record: &CoupRecord<'_>, at_bank: bool) -> Option<u64> {
    let void = record.rulings.iter().find(|told| matches!(told.value, Body::CoupVoided(_)))?;
    let paid = record.settlements.first().is_some_and(|told| told.sequence < void.sequence);
    (!at_bank || !paid).then_some(void.sequence)
}

/// Sequence of the last event of a coup.
fn last_of(record: &CoupRecord<'_>) -> u64 {
    let bets = record.bets.iter().map(|bet| bet.withdrawn.unwrap_or(bet.placed.sequence));
    let cards = record.cards.iter().filter_map(|card| card.sequence);
    let closes = record.closes.iter().map(|told| told.sequence);
    bets.chain(cards).chain(closes).max().unwrap_or(record.began)
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
