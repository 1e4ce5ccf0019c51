//! What was ruled on coups, and corrected in them, as their views show it.

use std::collections::BTreeMap;

use events::{Body, CorrectionRecorded, Name};
use serde_json::Value;

use super::Evidence;
use super::attested::event;
use super::corrected::corrections;
use super::findings::{coup_of, numbered};
use crate::checks::signers;
use crate::detail::{ChangedMember, RulingKind, RulingView};
use crate::reading::{BURN_NOT_RECORDED, CorrectionRecord, Standing, Told};
use crate::record::differences::members;

/// By the place of a shoe in the reading and of a coup in the shoe, in the order of the record.
pub(super) type Rulings = BTreeMap<(usize, usize), Vec<RulingView>>;

/// Everything that is ruled on coups or corrected in them. What is ruled between two coups is of the coup that it names, or
/// else of the next.
pub(super) fn rulings(evidence: &Evidence<'_, '_>) -> Rulings {
    let (shoes, numbered) = (&evidence.reading.shoes, numbered(evidence));
    let mut rulings = Rulings::new();
    let mut add = |place, view: RulingView| rulings.entry(place).or_default().push(view);
    for (shoe, record) in shoes.iter().enumerate() {
        for (at, coup) in record.coups.iter().enumerate() {
            let views = coup.rulings.iter().filter_map(|told| ruling(evidence, told));
            views.for_each(|view| add((shoe, at), view));
        }
        let mut began: Vec<(u64, usize)> = record.coups.iter().map(|coup| coup.began).zip(0..).collect();
        began.sort_unstable();
        for told in &record.rulings {
            let next = || began.get(began.partition_point(|(began, _)| *began <= told.sequence));
            let at = match told.value.coup() {
                Some(number) => coup_of(&numbered, shoe, number, told.sequence),
                None => next().map(|(_, at)| *at),
            };
            at.zip(ruling(evidence, told)).into_iter().for_each(|(at, view)| add((shoe, at), view));
        }
    }
    if !evidence.reading.corrections.is_empty() {
        // What is said of a shoe that is over is not looked up.
        let is_in_reach = |one: &CorrectionRecord<'_>| one.standing != Standing::OutOfReach;
        for (one, correction) in corrections(evidence).filter(|(one, _)| is_in_reach(one)) {
            let shoe = shoes.partition_point(|shoe| shoe.began <= one.corrects).checked_sub(1);
            let of = shoe.zip(one.said.and_then(Body::coup));
            let place =
                of.and_then(|(shoe, number)| Some((shoe, coup_of(&numbered, shoe, number, one.corrects)?)));
            place.into_iter().for_each(|place| add(place, corrected(evidence, one, correction)));
        }
    }
    rulings.values_mut().for_each(|of_coup| of_coup.sort_by_key(|one| one.sequence));
    rulings
}

/// A void, a ruling or a replaced card. Corrections are shown where the event is that they correct.
#[allow(clippy::wildcard_enum_match_arm, reason = "nothing else is ruled")]
fn ruling(evidence: &Evidence<'_, '_>, told: &Told<'_, Body>) -> Option<RulingView> {
    let (what, text) = match told.value {
        Body::CoupVoided(void) => (RulingKind::Void, &void.reason),
        Body::CardReplaced(replaced) => {
            let (position, card) = (replaced.position, replaced.card.to_string());
            (RulingKind::CardReplaced { position, card }, &replaced.reason)
        }
        Body::IrregularityRecorded(ruled) if ruled.code.as_str() != BURN_NOT_RECORDED => {
            let (code, positions) = (ruled.code.to_string(), ruled.positions.clone());
            (RulingKind::Irregularity { code, positions }, &ruled.ruling)
        }
        _ => return None,
    };
    let signed_by = signers(told.value).map(Name::to_string).collect();
    Some(view(evidence, told.sequence, (what, text.to_string(), signed_by)))
}

fn corrected(
    evidence: &Evidence<'_, '_>,
    one: &CorrectionRecord<'_>,
    correction: &CorrectionRecorded,
) -> RulingView {
    let changes = one.said.map(|said| members(said, &correction.corrected, RulingKind::MOST_CHANGES));
    let changes = changes.unwrap_or_default().into_iter().take(RulingKind::MOST_CHANGES);
    let changes = changes.map(|(member, first, corrected)| ChangedMember {
        member: member.into(),
        first: first.map(shown),
        corrected: corrected.map(shown),
    });
    let what = RulingKind::Correction {
        corrects: one.corrects,
        event: (&*correction.corrected).into(),
        counts: one.standing == Standing::Counts,
        changes: changes.collect(),
    };
    let signed_by = correction.signed_by.iter().map(Name::to_string).collect();
    view(evidence, one.sequence, (what, correction.reason.to_string(), signed_by))
}

/// A text as it is, anything else as JSON.
fn shown(value: Value) -> String {
    if let Value::String(text) = value { text } else { value.to_string() }
}

fn view(
    evidence: &Evidence<'_, '_>,
    sequence: u64,
    (what, text, signed_by): (RulingKind, String, Vec<String>),
) -> RulingView {
    let at = event(evidence, sequence).map(|event| event.occurred_at.to_string()).unwrap_or_default();
    RulingView { sequence, entry: (evidence.entry)(sequence), at, signed_by, text, what }
}
