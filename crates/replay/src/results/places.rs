//! Where the coups and the shoes of a table are, and how it stands.

use events::{Body, OccurredAt};
use serde::{Deserialize, Serialize};

use super::Evidence;
use super::attested::events;
use super::coups::CoupOver;
use super::part::Part;
use crate::checks::Book;
use crate::reading::{Absent, Item};
use crate::shoe_locations::ShoeLocations;
use crate::{CoupPlace, ShoeLocation, Summary, TableState};

/// The coups, in the order in which they are over.
pub(super) fn listed(part: &Part<'_, '_, '_>) -> impl Iterator<Item = CoupPlace> {
    let Part { evidence, course, coups, .. } = part;
    let place = |coup: &CoupOver<'_, '_>| CoupPlace {
        table: evidence.table.to_owned(),
        shoe: course.id_of_coup(coup.place.0, coup.record.began),
        coup: coup.record.number,
        first: coup.record.began,
    };
    coups.iter().map(place)
}

/// The sequences of the newest shoes, as they were recorded.
#[must_use]
#[allow(clippy::wildcard_enum_match_arm, reason = "nothing else loads a shoe or says how it is played")]
pub fn shoe_locations(evidence: &Evidence<'_, '_>) -> Vec<ShoeLocation> {
    let mut locations = ShoeLocations::default();
    for (sequence, event) in events(evidence) {
        match &event.body {
            Body::ShoeLoaded(loaded) => locations.load(&loaded.shoe, sequence),
            Body::TableOpened(_) => locations.open(sequence),
            Body::LimitsChanged(_) => locations.limit(sequence),
            _ => {}
        }
    }
    locations.shoes().cloned().collect()
}

/// How a table stands between two events.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Standing {
    /// Time of its last event.
    pub(crate) clock: Option<OccurredAt>,
    /// Whether it is open.
    pub(crate) is_open: bool,
    /// Sequence of the loading of the shoe in play, if it has not ended.
    pub(crate) shoe: Option<u64>,
    /// Number of the coup in play.
    pub(crate) coup: Option<u32>,
}

/// How a table stands after a part of its record.
pub(super) fn standing(part: &Part<'_, '_, '_>, before: Standing) -> Standing {
    let Part { course, coups, evidence, .. } = part;
    let next = evidence.range.items().last().map_or(u64::MAX, |item| match item {
        Item::Event(sequence, _) => sequence.saturating_add(1),
        Item::Hole(hole) => hole.first.saturating_add(hole.events),
    });
    let ended = |loaded: u64| {
        let mut records = (0..).zip(&evidence.reading.shoes);
        let record = records.find(|(at, _)| course.loaded(*at) == loaded);
        record.map_or(before.shoe != Some(loaded), |(_, record)| !record.ends.is_empty())
    };
    let in_play = coups.iter().filter(|coup| coup.is_in_play()).map(|coup| coup.record);
    Standing {
        clock: events(evidence).last().map(|(_, event)| event.occurred_at).or(before.clock),
        is_open: course.opened(next).is_some(),
        shoe: course.shoe(next).filter(|loaded| !ended(*loaded)),
        coup: in_play.min_by_key(|coup| coup.began).map(|coup| coup.number),
    }
}

/// How the table stands after its last event, with these counts; `waiting`: events that wait because others are missing.
#[must_use]
pub fn state(evidence: &Evidence<'_, '_>, summary: &Summary, waiting: u64) -> TableState {
    let Part { course, coups, .. } = Part::whole(evidence);
    let items = evidence.range.items();
    let next = items.last().map_or(1, |item| match item {
        Item::Event(sequence, _) => sequence.saturating_add(1),
        Item::Hole(hole) => hole.first.saturating_add(hole.events),
    });
    let rulebook = course.book(next).and_then(|book| match book {
        Book::Known(tables) => Some(tables.rules().id.clone()),
        Book::NotApproved | Book::NotReadable => None,
    });
    let shoe = course.shoe(next).filter(|shoe| {
        let mut records = (0..).zip(&evidence.reading.shoes);
        let record = records.find(|(at, _)| course.loaded(*at) == *shoe);
        record.is_some_and(|(_, record)| record.ends.is_empty())
    });
    let missing = |item: &Item<'_>| match item {
        Item::Hole(hole) if hole.why == Absent::Missing => hole.events,
        Item::Hole(_) | Item::Event(..) => 0,
    };
    let in_play = coups.iter().filter(|coup| coup.is_in_play());
    TableState {
        table: evidence.table.to_owned(),
        events: events(evidence).count() as u64,
        next,
        waiting,
        missing: items.iter().map(missing).sum(),
        clock: events(evidence).last().map(|(_, event)| event.occurred_at.to_string()),
        rulebook,
        shoe: shoe.and_then(|shoe| course.id(shoe)),
        coup: in_play.map(|coup| coup.record).min_by_key(|coup| coup.began).map(|coup| coup.number),
        coups: summary.coups,
        shoes: summary.shoes,
        undecided: summary.undecided.clone(),
        findings_by_code: summary.findings_by_code.clone(),
    }
}
