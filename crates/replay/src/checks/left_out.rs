//! Coups that a record leaves out which begins in the middle of a shoe (`docs/judging.md`, "A record that begins in the middle of
//! a shoe").

use events::Body;

use crate::reading::BURN_NOT_RECORDED;
use crate::reading::ShoeRecord;

/// Where the record says that it does not know what was burned: it may begin in the middle of the shoe.
pub(super) fn begins_late(shoe: &ShoeRecord<'_>) -> Option<u64> {
    let first = shoe.coups.first().map_or(u64::MAX, |coup| coup.began);
    let says = |body: &Body| matches!(body, Body::IrregularityRecorded(ruled) if ruled.code.as_str() == BURN_NOT_RECORDED);
    let mut said = shoe.rulings.iter().filter(|told| says(told.value) && told.sequence < first);
    said.next().filter(|_| shoe.burns.is_empty()).map(|told| told.sequence)
}

/// How many coups right before one, by its place in its shoe, are left out of a record that begins in the middle of the shoe.
pub(super) fn left_out(shoe: &ShoeRecord<'_>, at: usize) -> u32 {
    let before = at.checked_sub(1).map_or(Some(0), |before| Some(shoe.coups.get(before)?.number));
    let (Some(_), Some(before), Some(coup)) = (begins_late(shoe), before, shoe.coups.get(at)) else {
        return 0;
    };
    coup.number.saturating_sub(before).saturating_sub(1)
}
