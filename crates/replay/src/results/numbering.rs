//! What is wrong with the numbering of a table.

use crate::Code;
use crate::checks::{Found, Said};
use crate::reading::{Absent, Item, OpenRange};
use crate::statement::OfRecord;

/// Events that are missing from the numbering, each gap at the event behind it.
pub(super) fn gaps(range: &OpenRange<'_>) -> Vec<Found> {
    let mut gaps = Vec::new();
    for item in range.items() {
        let Item::Hole(hole) = item else { continue };
        if hole.why == Absent::Missing {
            let behind = hole.first.saturating_add(hole.events);
            let at = |sequence: u64| OfRecord::Sequence { sequence }.into();
            gaps.push(Found {
                sequence: behind,
                code: Code::SequenceGap,
                shoe: None,
                coup: None,
                money: Vec::new(),
                said: Said { expected: at(hole.first), recorded: at(behind) },
                clause: None,
                follows: None,
                bets: Vec::new(),
            });
        }
    }
    gaps
}
