//! Which coups are subject to a ruling, a void or a correction (`docs/judging.md`, "Verdicts").

use std::collections::BTreeSet;

use events::Body;

use crate::reading::{CoupRecord, Reading, Standing, Told};
use crate::table::BURN_NOT_RECORDED;

/// The coups that something was ruled on, by their first events.
pub(super) struct Ruled(BTreeSet<u64>);

impl Ruled {
    /// Of a part; `before`: rulings before it that concern the next coup. Also gives those for the next part.
    pub(super) fn of(reading: &Reading<'_>, before: &[Option<u32>]) -> (Self, Vec<Option<u32>>) {
        let all = || reading.shoes.iter().flat_map(|shoe| &shoe.coups);
        let is_ruled = |coup: &&CoupRecord<'_>| coup.rulings.iter().any(is_ruling);
        let mut ruled: BTreeSet<u64> = all().filter(is_ruled).map(|coup| coup.began).collect();
        let mut left = Vec::new();
        let mut next = |ruled: &mut BTreeSet<u64>, sequence: u64, named: Option<u32>| {
            let after = all().filter(|coup| coup.began > sequence).min_by_key(|coup| coup.began);
            match after {
                Some(coup) if named.is_none_or(|of| of == coup.number) => drop(ruled.insert(coup.began)),
                Some(_) => {}
                None => left.push(named),
            }
        };
        before.iter().for_each(|named| next(&mut ruled, 0, *named));
        for told in reading.shoes.iter().flat_map(|shoe| &shoe.rulings).filter(|told| is_ruling(told)) {
            next(&mut ruled, told.sequence, told.value.coup());
        }
        for correction in &reading.corrections {
            let (at, said) = (correction.corrects, correction.said);
            match correction.standing {
                Standing::Counts => match all().find(|coup| coup.began <= at && at <= end(coup)) {
                    Some(coup) => drop(ruled.insert(coup.began)),
                    None if matches!(said, Some(Body::ShoeEnded(_))) => {}
                    None if said.is_some_and(|said| said.coup().is_none()) => next(&mut ruled, at, None),
                    None => {}
                },
                // What is of no coup concerns the shoe.
                Standing::Late if matches!(said, Some(Body::ShoeLoaded(_) | Body::BankPassed(_))) => {}
                Standing::Late => {
                    let named = said.and_then(Body::coup);
                    let of = all().filter(|coup| named.is_none_or(|of| of == coup.number) && at < end(coup));
                    ruled.extend(of.min_by_key(|coup| coup.began).map(|coup| coup.began));
                }
                Standing::Superseded | Standing::NoTarget | Standing::Missing | Standing::OutOfReach => {}
            }
        }
        (Self(ruled), left)
    }

    pub(super) fn concerns(&self, coup: &CoupRecord<'_>) -> bool {
        self.0.contains(&coup.began)
    }
}

/// Where a coup is settled.
fn end(coup: &CoupRecord<'_>) -> u64 {
    coup.settlements.first().map_or(u64::MAX, |told| told.sequence)
}

#[allow(clippy::wildcard_enum_match_arm, reason = "a correction counts by what it corrects")]
fn is_ruling(told: &Told<'_, Body>) -> bool {
    match told.value {
        Body::IrregularityRecorded(ruled) => ruled.code.as_str() != BURN_NOT_RECORDED,
        Body::CoupVoided(_) | Body::CardReplaced(_) => true,
        _ => false,
    }
}
