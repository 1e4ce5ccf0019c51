//! Which coups are subject to a ruling, a void or a correction (`docs/judging.md`, "Verdicts").

use std::collections::{BTreeMap, BTreeSet};

use events::Body;

use crate::reading::BURN_NOT_RECORDED;
use crate::reading::{CoupRecord, Reading, Standing, Told};

/// The coups that something was ruled on, by their first events.
pub(super) struct Ruled(BTreeSet<u64>);

impl Ruled {
    /// Of a part; `before`: rulings before it that concern the next coup. Also gives those for the next part.
    pub(super) fn of(reading: &Reading<'_>, before: &[Option<u32>]) -> (Self, Vec<Option<u32>>) {
        let all = || reading.shoes.iter().flat_map(|shoe| &shoe.coups);
        let is_ruled = |coup: &&CoupRecord<'_>| coup.rulings.iter().any(is_ruling);
        let mut ruled: BTreeSet<u64> = all().filter(is_ruled).map(|coup| coup.began).collect();
        let mut left = Vec::new();
        let of_shoes = reading.shoes.iter().all(|shoe| shoe.rulings.is_empty());
        if before.is_empty() && of_shoes && reading.corrections.is_empty() {
            return (Self(ruled), left);
        }
        let began: BTreeMap<u64, u32> = all().map(|coup| (coup.began, coup.number)).collect();
        let (ends, mut of_number): (Ends, BTreeMap<u32, Ends>) = (Ends::of(all()), BTreeMap::new());
        for coup in all() {
            of_number.entry(coup.number).or_default().add(coup);
        }
        let mut next = |ruled: &mut BTreeSet<u64>, sequence: u64, named: Option<u32>| match began
            .range(sequence.saturating_add(1)..)
            .next()
        {
            Some((began, number)) if named.is_none_or(|of| of == *number) => drop(ruled.insert(*began)),
            Some(_) => {}
            None => left.push(named),
        };
        before.iter().for_each(|named| next(&mut ruled, 0, *named));
        for told in reading.shoes.iter().flat_map(|shoe| &shoe.rulings).filter(|told| is_ruling(told)) {
            next(&mut ruled, told.sequence, told.value.coup());
        }
        for correction in &reading.corrections {
            let (at, said) = (correction.corrects, correction.said);
            match correction.standing {
                Standing::Counts => match ends.first_from(at).filter(|began| *began <= at) {
                    Some(began) => drop(ruled.insert(began)),
                    None if matches!(said, Some(Body::ShoeEnded(_))) => {}
                    None if said.is_some_and(|said| said.coup().is_none()) => next(&mut ruled, at, None),
                    None => {}
                },
                // What is of no coup concerns the shoe.
                Standing::Late if matches!(said, Some(Body::ShoeLoaded(_) | Body::BankPassed(_))) => {}
                Standing::Late => {
                    let named = said.and_then(Body::coup);
                    let ends = named.map_or(Some(&ends), |of| of_number.get(&of));
                    ruled.extend(ends.and_then(|ends| ends.first_from(at.saturating_add(1))));
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

/// Coups in the order in which they began: where each began, and the last that one up to it is settled.
#[derive(Default)]
struct Ends(Vec<(u64, u64)>);

impl Ends {
    fn of<'c, 'a: 'c>(coups: impl Iterator<Item = &'c CoupRecord<'a>>) -> Self {
        let mut ends = Self::default();
        coups.for_each(|coup| ends.add(coup));
        ends
    }

    fn add(&mut self, coup: &CoupRecord<'_>) {
        let before = self.0.last().map_or(0, |(_, end)| *end);
        self.0.push((coup.began, end(coup).max(before)));
    }

    /// Where the first coup began that is settled at this sequence or after it.
    fn first_from(&self, at: u64) -> Option<u64> {
        self.0.get(self.0.partition_point(|(_, end)| *end < at)).map(|(began, _)| *began)
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
