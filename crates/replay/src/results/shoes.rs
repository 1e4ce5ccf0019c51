//! What the shoes of a table come to.

use std::collections::{BTreeMap, BTreeSet};

use baccarat::{Dealer, PuntoHolderRule, Rulebook};
use events::Body;

use super::Evidence;
use super::begun::{Begun, SaysWhoDeals, ShoeSoFar, says_who_deals};
use super::coups::{CoupOver, absent, lacks};
use super::course::{Course, ShoeInPlay};
use super::findings::Placed;
use super::out_of_reach::OutOfReach;
use crate::checks::Open;
use crate::reading::BURN_NOT_RECORDED;
use crate::reading::{CoupRecord, ShoeRecord};
use crate::{CoupVerdict, Reason, Severity};

/// A shoe that is over, and what it comes to.
pub(super) struct ShoeOver {
    /// Sequence of its loading.
    pub(super) loaded: u64,
    /// Sequence from which on it is not in play; `u64::MAX`: the record ends before.
    pub(super) over: u64,
    pub(super) verdict: CoupVerdict,
    /// Why it is undecided, if it is.
    pub(super) undecided: Option<Reason>,
}

/// The shoes that are over, and what the one that is still in play comes to so far.
pub(super) fn shoes(
    evidence: &Evidence<'_, '_>,
    course: &Course<'_>,
    (findings, coups, out_of_reach): (&[Placed], &[CoupOver<'_, '_>], &[OutOfReach]),
    begun: &Begun,
) -> (Vec<ShoeOver>, ShoeSoFar) {
    let (mut shoes, mut in_play) = (Vec::new(), ShoeSoFar::default());
    let violates = |placed: &Placed| {
        let found = &placed.finding;
        let of_shoe = found.code.concerns_shoe() || found.coup.is_none();
        placed.shoe.filter(|_| found.severity == Severity::Violation && of_shoe)
    };
    let violated: BTreeSet<u64> = findings.iter().filter_map(violates).collect();
    let opens = out_of_reach.iter().rev().filter_map(|one| Some((one.in_play?, one.at)));
    let opens: BTreeMap<u64, u64> = opens.collect();
    let deals = says_who_deals(evidence, begun.says_who_deals);
    let mut by_shoe: Vec<&CoupOver<'_, '_>> = coups.iter().collect();
    by_shoe.sort_unstable_by_key(|coup| coup.place);
    for (loaded, shoe) in course.shoes() {
        let mut so_far = if shoe.was_in_play { begun.shoe } else { ShoeSoFar::default() };
        so_far.is_violated |= violated.contains(&loaded);
        let of_shoe = of_shoe(&by_shoe, shoe.place);
        go_on(&mut so_far, evidence, course, ((loaded, shoe), of_shoe), &deals);
        so_far.add(opens.get(&loaded).map(|at| (*at, Reason::Corrected)));
        let over = shoe.over;
        if over == u64::MAX && !evidence.ends {
            in_play = so_far;
            continue;
        }
        let owed = evidence.checked.boxes.is_owed;
        let at_end = match so_far.is_ended {
            false => Some(Reason::NotEndedYet),
            true => owed.then_some(Reason::NotCollectedYet),
        };
        let reason = so_far.reason.map(|(_, reason)| reason).or(so_far.open);
        let reason = reason.or(at_end.filter(|_| over == u64::MAX));
        let (verdict, undecided) = match (so_far.is_violated, reason) {
            (true, _) => (CoupVerdict::Violated, None),
            (false, Some(reason)) => (CoupVerdict::Undecided, Some(reason)),
            (false, None) => (CoupVerdict::Certified, None),
        };
        shoes.push(ShoeOver { loaded, over, verdict, undecided });
    }
    (shoes, in_play)
}

/// The coups of a shoe, by its place, of all coups in the order of their places.
fn of_shoe<'c, 'r, 'a>(
    coups: &'c [&'c CoupOver<'r, 'a>],
    place: Option<usize>,
) -> &'c [&'c CoupOver<'r, 'a>] {
    let Some(place) = place else { return &[] };
    let from = coups.partition_point(|coup| coup.place.0 < place);
    let to = coups.partition_point(|coup| coup.place.0 <= place);
    coups.get(from..to).unwrap_or_default()
}

/// Why it is not known of a shoe whether all is right: the first reason in the order of the record.
fn go_on(
    so_far: &mut ShoeSoFar,
    evidence: &Evidence<'_, '_>,
    course: &Course<'_>,
    ((loaded, shoe), coups): ((u64, ShoeInPlay<'_>), &[&CoupOver<'_, '_>]),
    deals: &SaysWhoDeals,
) {
    let (checked, over) = (evidence.checked, shoe.over);
    let mut add = |reason| so_far.add(reason);
    if !shoe.was_in_play {
        add(lacks(course.book(loaded)).map(|reason| (loaded, reason)));
    }
    course.openings(loaded, over).for_each(|(at, book)| add(lacks(Some(book)).map(|reason| (at, reason))));
    let Some((place, record)) = shoe.place.and_then(|at| Some((at, evidence.reading.shoes.get(at)?))) else {
        return;
    };
    record.missing.iter().for_each(|hole| add(Some((hole.first, absent(hole.why)))));
    add(burn_not_recorded(record).map(|at| (at, Reason::BurnNotRecorded)));
    for coup in coups {
        let Some(rules) = course.rules(coup.record.began) else { continue };
        let deal = deal_not_recorded(coup.record, rules, deals);
        add(deal.map(|at| (at, Reason::DealNotRecorded)));
        let goes_on = coup.settled.is_some() || over < u64::MAX;
        if goes_on && !coup.is_void && lacks_holder(coup.record, rules) {
            add(Some((coup.over, Reason::HolderNotRecorded)));
        }
    }
    let found = checked.shoes.get(&place).filter(|open| **open != Open::Missing);
    // What was burned was not read.
    let of_burn = found.filter(|open| **open == Open::CardUnread).and(record.burns.first());
    add(of_burn.map(|burn| (burn.sequence, Reason::CardUnread)));
    so_far.open = so_far.open.or(found.map(|open| open.reason()));
    so_far.is_ended |= !record.ends.is_empty();
}

/// Where the record says that it does not know what was burned, and it does not know.
fn burn_not_recorded(record: &ShoeRecord<'_>) -> Option<u64> {
    let says = |body: &Body| matches!(body, Body::IrregularityRecorded(ruled) if ruled.code.as_str() == BURN_NOT_RECORDED);
    let of_coups = record.coups.iter().flat_map(|coup| &coup.rulings);
    let told = record.rulings.iter().chain(of_coups).find(|told| says(told.value));
    let dealt = record.coups.iter().flat_map(|coup| &coup.cards).find_map(|card| card.sequence);
    let is_in_time = |at: &u64| dealt.is_none_or(|dealt| *at < dealt);
    told.filter(|_| record.burns.is_empty()).map(|told| told.sequence).filter(is_in_time)
}

/// The first card of a coup, if players deal and the table has not recorded who since it was opened.
fn deal_not_recorded(coup: &CoupRecord<'_>, rules: &Rulebook, deals: &SaysWhoDeals) -> Option<u64> {
    let dealt = coup.cards.iter().filter(|card| card.to.side().is_some()).filter_map(|card| card.sequence);
    let first = dealt.min().filter(|_| rules.deal.dealer == Dealer::Players)?;
    (!deals.says_before(first)).then_some(first)
}

/// Whether a coup was dealt and nothing says who held punto's cards, where that has to be recorded.
fn lacks_holder(coup: &CoupRecord<'_>, rules: &Rulebook) -> bool {
    let closed = coup.closes.first().map_or(u64::MAX, |close| close.sequence);
    let mut stakes = coup.bets.iter().filter(|bet| bet.withdrawn.is_none_or(|withdrawn| withdrawn > closed));
    let is_due = match rules.deal.punto_holder {
        PuntoHolderRule::HighestPuntoBet => true,
        PuntoHolderRule::Banco => stakes.any(|bet| bet.placed.value.kind.as_str() == "punto"),
        PuntoHolderRule::Croupier => false,
    };
    is_due && !coup.cards.is_empty() && coup.holders.is_empty()
}
