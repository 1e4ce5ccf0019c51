//! The numbers of the coups of a shoe, how many may follow its cut card, and play after its end (`docs/judging.md`,
//! "Coup numbers" and "The cut card").

use std::collections::BTreeSet;

use baccarat::Rulebook;
use events::Body;
use serde::{Deserialize, Serialize};

use super::Checked;
use super::before::Before;
use super::index::Index;
use super::left_out::begins_late;
use crate::Code;
use crate::reading::{CoupRecord, ShoeRecord, Told};
use crate::shoe::least_events_before;
use crate::sink::Accusation;
use crate::statement::OfRecord;

/// What the numbers of a shoe's coups come to so far.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Numbers {
    /// The number of the next coup.
    due: u32,
    /// How many coups may still begin; `None`: the cut card did not come out.
    left: Option<u32>,
    /// Whether it is found that play goes on after the end of the shoe.
    is_end_passed: bool,
}

impl Default for Numbers {
    fn default() -> Self {
        Self { due: 1, left: None, is_end_passed: false }
    }
}

/// Checks the numbers of the coups of a shoe, up to where it is over. One missing event suffices to declare a coup void.
pub(super) fn numbers(
    so_far: Numbers,
    index: &Index<'_>,
    until: u64,
    (rules, is_cut): (Option<&Rulebook>, bool),
    before: &Before<'_>,
) -> (Checked, Numbers) {
    let (shoe, mut checked) = (index.shoe, Checked::default());
    // A cut card that cannot be this shoe's says nothing of it.
    let rules = rules.filter(|_| is_cut);
    let mut hidden: Vec<(u32, u32)> = Vec::new();
    let end = shoe.ends.first().map(|end| end.sequence);
    let Numbers { mut due, mut left, mut is_end_passed } = so_far;
    let (mut from, mut is_other) = (shoe.began, false);
    let mut settled: BTreeSet<u32> = BTreeSet::new();
    for coup in shoe.coups.iter().filter(|coup| coup.began < until) {
        let said = before.event(coup.began).and_then(|event| event.body.coup());
        let other = said.is_some_and(|said| said != coup.number);
        let missing = between(before, from, coup.began);
        let is_before = missing > 0 && coup.number < due && !settled.contains(&coup.number);
        // It matters only where events are missing.
        settled.extend((!shoe.missing.is_empty() && !coup.settlements.is_empty()).then_some(coup.number));
        if missing > least_events_before(coup.number) || is_before {
            // The loading of another shoe may be missing.
            (due, left, is_other) = (coup.number, None, true);
        }
        let skipped = coup.number.saturating_sub(due);
        let is_skipped = u64::from(skipped) <= missing;
        let is_hidden = hidden.iter().any(|(from, to)| (*from..*to).contains(&coup.number));
        if is_hidden && is_void_alone(shoe, coup) {
            // It was played in what is missing, and was declared void later.
            from = coup.began;
            continue;
        }
        let number = if other {
            Number::Wrong { again: false }
        } else if skipped > 0 && is_skipped {
            hidden.push((due, coup.number));
            Number::Due
        } else {
            number(index, coup, (due, missing), &mut checked)
        };
        due = coup.number.saturating_add(1);
        is_end_passed |= end.is_some_and(|end| between(before, end, coup.began) > 0);
        if end.is_some_and(|end| end < coup.began) {
            pass_end(coup, coup.began, &mut is_end_passed, &mut checked);
        } else if !is_other {
            let is_cut = left.is_some();
            left = left.or_else(|| left_after_cut(shoe, coup.began, rules));
            let cut = shoe.cuts.first().map_or(0, |cut| cut.sequence);
            // It may have come out in this coup, or in the one whose beginning is missing.
            if is_cut || between(before, from, cut) == 0 {
                let skipped = if is_skipped { skipped } else { 0 };
                count_down(coup, (number, skipped), &mut left, &mut checked);
            }
        }
        from = coup.began;
        if let Some(late) = end.and_then(|end| played_after(coup, end)) {
            pass_end(coup, late, &mut is_end_passed, &mut checked);
        }
    }
    left = left.or_else(|| left_after_cut(shoe, u64::MAX, rules));
    (checked, Numbers { due, left, is_end_passed })
}

/// How many events are missing between two coups that lie between these sequences.
fn between(before: &Before<'_>, from: u64, to: u64) -> u64 {
    let gaps = before.gaps.between(from, to).filter(|(_, gap)| !gap.within);
    gaps.map(|(_, gap)| gap.events).sum()
}

/// What a number is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Number {
    Due,
    /// It is wrong, or recorded wrongly; `again`: it was there before.
    Wrong {
        again: bool,
    },
    /// The record says that it is not of the whole shoe.
    LeftOut,
}

fn number(
    index: &Index<'_>,
    coup: &CoupRecord<'_>,
    (due, missing): (u32, u64),
    checked: &mut Checked,
) -> Number {
    let number = coup.number;
    let expected = OfRecord::Coup { coup: due };
    let (code, expected, is) = if number > due && begins_late(index.shoe).is_some() {
        (Code::CoupsNotRecorded, expected, Number::LeftOut)
    } else if number != due {
        (Code::CoupNumber, expected, Number::Wrong { again: number < due })
    } else if missing == 0 && is_void_before(index, coup) {
        (Code::CoupNumber, OfRecord::NotVoidBefore, Number::Due)
    } else {
        return Number::Due;
    };
    let accusation = Accusation::new(code, expected, OfRecord::Coup { coup: number });
    checked.accuse(coup.began, accusation.in_coup(number));
    is
}

/// Where a coup that was in play at the end of its shoe continues after it, if it is settled there. If missing events before the
/// end may have settled it, a void after the end refunds it.
fn played_after(coup: &CoupRecord<'_>, end: u64) -> Option<u64> {
    let settled = coup.settlements.first().filter(|settled| settled.sequence > end)?;
    let void = coup.rulings.iter().find(|told| matches!(told.value, Body::CoupVoided(_)));
    let void = void.map(|told| told.sequence).filter(|void| (end..settled.sequence).contains(void));
    let may_be_settled = coup.missing.iter().any(|hole| hole.first < end);
    match void {
        Some(_) if may_be_settled => None,
        Some(void) => Some(void),
        None => Some(settled.corrected_by.unwrap_or(settled.sequence)),
    }
}

/// Whether nothing is recorded of a coup but that it was declared void, before anything else of it, and what came back.
fn is_void_alone(shoe: &ShoeRecord<'_>, coup: &CoupRecord<'_>) -> bool {
    let voids = |told: &Told<'_, Body>| matches!(told.value, Body::CoupVoided(void) if void.coup == coup.number && told.sequence <= coup.began);
    let is_void = shoe.rulings.iter().chain(&coup.rulings).any(voids);
    is_void && coup.cards.is_empty() && coup.bets.is_empty() && coup.closes.is_empty()
}

/// Whether a coup of this number was declared void, and another was played before it began.
fn is_void_before(index: &Index<'_>, coup: &CoupRecord<'_>) -> bool {
    // If another coup began after any of these voids, it began after the first.
    let void = index.void_after(coup.number, 0).filter(|void| *void < coup.began);
    void.is_some_and(|void| index.begins_another(coup.number, (void, coup.began)))
}

/// How many coups may begin from here on, if the cut card came out before.
fn left_after_cut(shoe: &ShoeRecord<'_>, from: u64, rules: Option<&Rulebook>) -> Option<u32> {
    let (rules, cut) = (rules?, shoe.cuts.first()?.sequence);
    if from < cut {
        return None;
    }
    let began = shoe.coups.iter().filter(|coup| coup.began < cut);
    let is_dealt = |coup: &CoupRecord<'_>| {
        coup.cards.iter().any(|card| card.sequence.is_some_and(|sequence| sequence < cut))
    };
    let is_over = |coup: &CoupRecord<'_>| {
        coup.settlements.first().is_some_and(|settled| settled.sequence < cut)
            || coup.rulings.iter().any(|told| {
                matches!(told.value, Body::CoupVoided(_)) && told.sequence < cut && coup.bets.is_empty()
            })
    };
    let mut in_play = began.filter(|coup| !is_over(coup)).peekable();
    let first = in_play.peek().is_some() && !in_play.any(is_dealt);
    let counted = u32::from(first && rules.cut_card.first_card_counts);
    Some(rules.cut_card.last_coup.coups_after().saturating_sub(counted))
}

/// After the cut card so many coups are left, and this takes one of them, and one each for those that are missing before it.
fn count_down(
    coup: &CoupRecord<'_>,
    (number, skipped): (Number, u32),
    left: &mut Option<u32>,
    checked: &mut Checked,
) {
    match (*left, number) {
        (None, _) | (_, Number::Wrong { again: true }) => {}
        // Of a coup that should not be it is no other error that it comes after the last.
        (Some(some), Number::Due | Number::LeftOut) if some <= skipped => {
            *left = Some(0);
            let recorded = OfRecord::Coup { coup: coup.number };
            let accusation = Accusation::new(Code::CoupAfterLast, OfRecord::NoFurtherCoup, recorded);
            checked.accuse(coup.began, accusation.in_coup(coup.number));
        }
        (Some(some), _) => *left = Some(some.saturating_sub(skipped.saturating_add(1))),
    }
}

/// Says once that play goes on after the end of the shoe.
fn pass_end(coup: &CoupRecord<'_>, at: u64, is_passed: &mut bool, checked: &mut Checked) {
    if !std::mem::replace(is_passed, true) {
        let recorded = OfRecord::Coup { coup: coup.number };
        let accusation = Accusation::new(Code::PlayAfterEnd, OfRecord::NoCoupAfterEnd, recorded);
        checked.accuse(at, accusation.in_coup(coup.number));
    }
}
