//! The counts of a table.

use std::sync::Arc;

use baccarat::Digest;
use events::TableOpened;

use super::Evidence;
use super::attested::{after_the_fact, attested, events};
use super::coups::CoupOver;
use super::course::Course;
use super::part::Part;
use crate::checks::{Book, JudgedBy};
use crate::passages::Passages;
use crate::summary::Rulebook;
use crate::tally::Tally;
use crate::totals::Turnovers;
use crate::{CoupVerdict, RulebookUsed};

/// Counts a part of the record.
pub(super) fn count(part: &Part<'_, '_, '_>, tally: &mut Tally) {
    let Part { evidence, course, found, coups, shoes, .. } = part;
    tally.events += events(evidence).count() as u64;
    // What is in play may still become anything.
    for coup in coups.iter().filter(|coup| evidence.ends || !coup.is_in_play()) {
        tally.count(coup.outcome);
        let settled = coup.settled.map_or(0, |told| told.sequence);
        tally.remember((coup.record.began, settled), coup.outcome.verdict);
        count_turnover(&mut tally.summary.turnover, coup, course);
        if let Some(used) = rulebook_of(coup, course, evidence) {
            *tally.summary.rulebooks.entry(&used, || used.clone()) += 1;
        }
    }
    for shoe in shoes {
        tally.end_shoe(shoe.loaded, shoe.over, shoe.verdict, shoe.undecided);
    }
    let summary = &mut tally.summary;
    found.iter().for_each(|placed| summary.count_finding(&placed.finding));
    summary.attested.merge(attested(evidence, course));
    let (from_file, posted_late) = after_the_fact(evidence);
    summary.recorded_after_the_fact.merge(from_file);
    summary.posted_late.merge(posted_late);
}

/// The stakes of a coup. Those of a void coup had to come back: they were not played for.
fn count_turnover(turnover: &mut Turnovers, coup: &CoupOver<'_, '_>, course: &Course<'_>) {
    let currency = course.currency(coup.over);
    let staked = coup.staked();
    if coup.is_void {
        return turnover.count_void(currency.as_ref(), staked);
    }
    let is_decided = coup.settled.is_some() && coup.outcome.verdict != CoupVerdict::Undecided;
    if is_decided {
        turnover.count(currency.as_ref(), staked, coup.undecided_stakes());
    } else if staked > 0 {
        turnover.count(currency.as_ref(), staked, staked);
    }
}

/// The rulebook that a coup was settled under, if it was not void.
fn rulebook_of(
    coup: &CoupOver<'_, '_>,
    course: &Course<'_>,
    evidence: &Evidence<'_, '_>,
) -> Option<Rulebook> {
    let settled = coup.settled.filter(|_| !coup.is_void)?;
    let opened = course.opened(settled.sequence)?;
    if let Some(used) = evidence.books.used(opened) {
        return Some(Rulebook(used));
    }
    match evidence.books.of(opened) {
        Book::Known(tables) => Some(used(opened, tables.rules(), evidence.books.judged_by())),
        Book::NotApproved | Book::NotReadable => None,
    }
}

fn used(opened: &TableOpened, rules: &baccarat::Rulebook, by: JudgedBy) -> Rulebook {
    let text = (by != JudgedBy::Another).then(|| opened.rulebook.shared());
    Rulebook(Arc::new(RulebookUsed {
        id: rules.id.clone(),
        title: rules.title.clone(),
        digest: text
            .as_deref()
            .map_or_else(|| rules.digest().to_string(), |text| Digest::of(text).to_string()),
        coups: 0,
        unapproved: false,
        house_edge: None,
        passages: Passages::of(text),
    }))
}
