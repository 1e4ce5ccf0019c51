//! What somebody only signed for, what was not recorded, and what was recorded long after it happened.

use std::collections::BTreeSet;

use baccarat::BurnMethod;
use events::{Body, Event};

use super::Evidence;
use super::course::Course;
use crate::attested::Attested;
use crate::clock::Received;
use crate::reading::BURN_NOT_RECORDED;
use crate::reading::Item;
use crate::summary::AfterTheFact;

/// How long after it happened an event that a service takes in is counted as late, in microseconds: a day.
const LATE: i64 = 86_400_000_000;

/// The events of a table, with their sequences.
pub(super) fn events<'r, 'a>(
    evidence: &Evidence<'r, 'a>,
) -> impl Iterator<Item = (u64, &'a Event)> + use<'r, 'a> {
    evidence.range.items().iter().filter_map(|item| match item {
        Item::Event(sequence, event) => Some((*sequence, *event)),
        Item::Hole(_) => None,
    })
}

/// The event of a sequence.
pub(super) fn event<'a>(evidence: &Evidence<'_, 'a>, sequence: u64) -> Option<&'a Event> {
    let items = evidence.range.items();
    match items.get(items.binary_search_by_key(&sequence, Item::first).ok()?)? {
        Item::Event(_, event) => Some(event),
        Item::Hole(_) => None,
    }
}

/// What cannot be derived.
#[allow(clippy::wildcard_enum_match_arm, reason = "nothing else is attested")]
pub(super) fn attested(evidence: &Evidence<'_, '_>, course: &Course<'_>) -> Attested {
    let mut attested = Attested::default();
    let mut burned = BTreeSet::new();
    for (sequence, event) in events(evidence) {
        attested.count(&event.body);
        match &event.body {
            Body::CoupVoided(_) => attested.voids += 1,
            Body::CardReplaced(_) => attested.irregularities += 1,
            Body::CorrectionRecorded(_) => attested.corrections += 1,
            Body::ValuesComputed(computed) => attested.values_computed += computed.values.len() as u64,
            Body::ExtensionRecorded(extension) => {
                attested.extensions += 1;
                let bytes = extension.name.as_str().len() + extension.data.as_str().len();
                attested.extension_bytes += bytes as u64;
            }
            Body::BurnCards(_) => burned.extend(course.shoe(sequence)),
            Body::IrregularityRecorded(ruled) => {
                attested.irregularities += 1;
                let burns = course.rules(sequence).is_none_or(|rules| rules.burn.method != BurnMethod::None);
                let unknown = ruled.code.as_str() == BURN_NOT_RECORDED && burns;
                let first = course.shoe(sequence).filter(|_| unknown).is_some_and(|shoe| burned.insert(shoe));
                attested.burns_unknown += u64::from(first);
            }
            _ => {}
        }
    }
    attested
}

/// Events that were read from a file, and events that a service took in late.
pub(super) fn after_the_fact(evidence: &Evidence<'_, '_>) -> (AfterTheFact, AfterTheFact) {
    let (mut from_file, mut posted_late) = (AfterTheFact::default(), AfterTheFact::default());
    for (sequence, event) in events(evidence) {
        let delay = |received: i64| received.saturating_sub(event.occurred_at.micros());
        match (evidence.received)(sequence) {
            Received::FromFile(received) => from_file.add(delay(received)),
            Received::ByService(received) if delay(received) > LATE => posted_late.add(delay(received)),
            Received::ByService(_) | Received::Unknown => {}
        }
    }
    (from_file, posted_late)
}
