//! Corrections of what is not judged again (`docs/judging.md`, "Corrections").

use events::Body;

use super::Evidence;
use super::course::Course;
use crate::reading::Standing;

/// A correction that opens what it is about, or the shoe in play.
pub(super) struct OutOfReach {
    /// Its sequence.
    pub(super) at: u64,
    /// Sequence of the loading of the shoe in play, if that is not shown to be right because of it.
    pub(super) in_play: Option<u64>,
    /// Sequence of an event whose coup and shoe are not shown to be right because of it.
    pub(super) event: Option<u64>,
}

/// Those of a part. `first_loaded`: sequence of the first loading at the table; 0: none is recorded.
pub(super) fn out_of_reach(
    evidence: &Evidence<'_, '_>,
    course: &Course<'_>,
    first_loaded: u64,
) -> Vec<OutOfReach> {
    let mut all = Vec::new();
    for one in &evidence.reading.corrections {
        let (at, in_play) = (one.sequence, course.shoe(one.sequence));
        let is_before_first = one.corrects < first_loaded;
        let event = match one.standing {
            Standing::OutOfReach if !is_before_first => Some(one.corrects),
            Standing::OutOfReach if in_play.is_none() => Some(course.last_loaded(at)),
            Standing::OutOfReach | Standing::Missing => None,
            Standing::Counts | Standing::Superseded | Standing::Late | Standing::NoTarget => continue,
        };
        // Who sits where concerns the shoe in play.
        let of_seat = matches!(one.says, Body::SeatTaken(_));
        all.push(OutOfReach { at, in_play: in_play.filter(|_| event.is_none() || of_seat), event });
    }
    all
}
