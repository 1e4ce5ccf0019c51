//! What the shoes of a table come to.

use baccarat::{Dealer, PuntoHolderRule, Rulebook};
use events::Body;

use super::Evidence;
use super::coups::{CoupOver, absent, lacks};
use super::course::Course;
use super::findings::Placed;
use crate::checks::Open;
use crate::reading::{CoupRecord, ShoeRecord};
use crate::table::BURN_NOT_RECORDED;
use crate::{CoupVerdict, Reason, Severity};

/// A shoe, and what it comes to.
pub(super) struct ShoeOver {
    /// Its place in the reading.
    pub(super) at: usize,
    pub(super) verdict: CoupVerdict,
    /// Why it is undecided, if it is.
    pub(super) undecided: Option<Reason>,
}

/// All shoes that were loaded.
pub(super) fn shoes(
    evidence: &Evidence<'_, '_>,
    course: &Course<'_>,
    findings: &[Placed],
    coups: &[CoupOver<'_, '_>],
) -> Vec<ShoeOver> {
    let loaded = evidence.reading.shoes.iter().enumerate().filter(|(_, shoe)| shoe.loading.is_some());
    let shoe = |(at, record): (usize, &ShoeRecord<'_>)| {
        let violates = |Placed { finding: found, shoe, .. }: &Placed| {
            let of_shoe = found.code.concerns_shoe() || found.coup.is_none();
            found.severity == Severity::Violation && of_shoe && *shoe == Some(at)
        };
        let (verdict, undecided) =
            match (findings.iter().any(violates), open(evidence, course, (at, record), coups)) {
                (true, _) => (CoupVerdict::Violated, None),
                (false, Some(reason)) => (CoupVerdict::Undecided, Some(reason)),
                (false, None) => (CoupVerdict::Certified, None),
            };
        ShoeOver { at, verdict, undecided }
    };
    loaded.map(shoe).collect()
}

/// Why it is not known of a shoe whether all is right: the first reason in the order of the record.
fn open(
    evidence: &Evidence<'_, '_>,
    course: &Course<'_>,
    (at, record): (usize, &ShoeRecord<'_>),
    coups: &[CoupOver<'_, '_>],
) -> Option<Reason> {
    let checked = evidence.checked;
    let loaded = record.loading.map_or(record.began, |loading| loading.sequence);
    let over = checked.over.get(&at).copied().unwrap_or(u64::MAX);
    let mut reasons: Vec<(u64, Reason)> = Vec::new();
    reasons.extend(lacks(course.book(loaded)).map(|reason| (loaded, reason)));
    reasons.extend(course.openings(loaded, over).filter_map(|(at, book)| Some((at, lacks(Some(book))?))));
    reasons.extend(record.missing.iter().map(|hole| (hole.first, absent(hole.why))));
    reasons.extend(burn_not_recorded(record).map(|at| (at, Reason::BurnNotRecorded)));
    for coup in coups.iter().filter(|coup| coup.place.0 == at) {
        let Some(rules) = course.rules(coup.record.began) else { continue };
        reasons
            .extend(deal_not_recorded(evidence, coup.record, rules).map(|at| (at, Reason::DealNotRecorded)));
        let goes_on = coup.settled.is_some() || over < u64::MAX;
        if goes_on && !coup.is_void && lacks_holder(coup.record, rules) {
            reasons.push((coup.over, Reason::HolderNotRecorded));
        }
    }
    let found = checked.shoes.get(&at).filter(|open| **open != Open::Missing);
    // What was burned was not read.
    let of_burn = found.filter(|open| **open == Open::CardUnread).and(record.burns.first());
    reasons.extend(of_burn.map(|burn| (burn.sequence, Reason::CardUnread)));
    let found = found.map(|open| open.reason());
    let in_play = || match (over, record.ends.is_empty()) {
        (u64::MAX, true) => Some(Reason::NotEndedYet),
        (u64::MAX, false) => checked.boxes.is_owed.then_some(Reason::NotCollectedYet),
        _ => None,
    };
    let first = reasons.into_iter().min_by_key(|(at, _)| *at).map(|(_, reason)| reason);
    first.or(found).or_else(in_play)
}

/// Where the record says that it does not know what was burned, and it does not know.
fn burn_not_recorded(record: &ShoeRecord<'_>) -> Option<u64> {
    let says = |body: &Body| matches!(body, Body::IrregularityRecorded(ruled) if ruled.code.as_str() == BURN_NOT_RECORDED);
    let of_coups = record.coups.iter().flat_map(|coup| &coup.rulings);
    let told = record.rulings.iter().chain(of_coups).find(|told| says(told.value));
    told.filter(|_| record.burns.is_empty()).map(|told| told.sequence)
}

/// The first card of a coup, if players deal and the table has not recorded who since it was opened.
#[allow(clippy::wildcard_enum_match_arm, reason = "nothing else says who deals")]
fn deal_not_recorded(evidence: &Evidence<'_, '_>, coup: &CoupRecord<'_>, rules: &Rulebook) -> Option<u64> {
    let dealt = coup.cards.iter().filter(|card| card.to.side().is_some()).filter_map(|card| card.sequence);
    let first = dealt.min().filter(|_| rules.deal.dealer == Dealer::Players)?;
    let mut recorded = false;
    for told in evidence.reading.around.iter().filter(|told| told.sequence < first) {
        match told.value {
            Body::TableOpened(_) => recorded = false,
            Body::DealOffered(_) | Body::DealAccepted(_) | Body::DealDeclined(_) => recorded = true,
            _ => {}
        }
    }
    (!recorded).then_some(first)
}

/// Whether a coup was dealt and nothing says who held punto's cards, where that has to be recorded.
fn lacks_holder(coup: &CoupRecord<'_>, rules: &Rulebook) -> bool {
    let is_due = match rules.deal.punto_holder {
        PuntoHolderRule::HighestPuntoBet => true,
        PuntoHolderRule::Banco => coup.bets.iter().any(|bet| bet.placed.value.kind.as_str() == "punto"),
        PuntoHolderRule::Croupier => false,
    };
    is_due && !coup.cards.is_empty() && coup.holders.is_empty()
}
