//! What was ruled on coups, and corrected in them, as their views show it.

use std::collections::BTreeMap;

use events::{Body, CorrectionRecorded, Name};
use serde_json::Value;

use super::Evidence;
use super::corrected::corrections;
use crate::detail::{ChangedMember, RulingKind, RulingView};
use crate::reading::{BURN_NOT_RECORDED, CorrectionRecord, Item, ShoeRecord, Standing, Told};
use crate::record::differences::members;

/// By the place of a shoe in the reading and of a coup in the shoe, in the order of the record.
pub(super) type Rulings = BTreeMap<(usize, usize), Vec<RulingView>>;

/// Everything that is ruled on coups or corrected in them. What is ruled between two coups is of the coup that it names, or
/// else of the next.
pub(super) fn rulings(evidence: &Evidence<'_, '_>) -> Rulings {
    let shoes = &evidence.reading.shoes;
    let mut rulings = Rulings::new();
    let mut add = |place, view: RulingView| rulings.entry(place).or_default().push(view);
    let coups: Vec<Coups> = shoes.iter().map(Coups::of).collect();
    for (shoe, (record, coups)) in shoes.iter().zip(&coups).enumerate() {
        for (at, coup) in record.coups.iter().enumerate() {
            let views = coup.rulings.iter().filter_map(|told| ruling(evidence, told));
            views.for_each(|view| add((shoe, at), view));
        }
        for told in &record.rulings {
            let at = match told.value.coup() {
                Some(number) => coups.of_number(number, told.sequence),
                None => coups.next(told.sequence),
            };
            at.zip(ruling(evidence, told)).into_iter().for_each(|(at, view)| add((shoe, at), view));
        }
    }
    if !evidence.reading.corrections.is_empty() {
        // What is said of a shoe that is over is not looked up.
        let is_in_reach = |one: &CorrectionRecord<'_>| one.standing != Standing::OutOfReach;
        for (one, correction) in corrections(evidence).filter(|(one, _)| is_in_reach(one)) {
            let at = one.corrects;
            let shoe = shoes.partition_point(|shoe| shoe.began <= at).checked_sub(1);
            let coups = shoe.and_then(|shoe| coups.get(shoe));
            let number = one.said.and_then(Body::coup);
            let coup = coups.zip(number).and_then(|(coups, number)| coups.of_number(number, at));
            let view = || corrected(evidence, one, correction);
            shoe.zip(coup).into_iter().for_each(|place| add(place, view()));
        }
    }
    rulings.values_mut().for_each(|of_coup| of_coup.sort_by_key(|one| one.sequence));
    rulings
}

/// The coups of a shoe: where each began, and its place in the shoe.
struct Coups {
    all: Vec<(u64, usize)>,
    numbered: BTreeMap<u32, Vec<(u64, usize)>>,
}

impl Coups {
    fn of(shoe: &ShoeRecord<'_>) -> Self {
        let mut all: Vec<(u64, usize)> = shoe.coups.iter().map(|coup| coup.began).zip(0..).collect();
        all.sort_unstable();
        let mut numbered: BTreeMap<u32, Vec<(u64, usize)>> = BTreeMap::new();
        for one in &all {
            let number = shoe.coups.get(one.1).map(|coup| coup.number);
            number.into_iter().for_each(|number| numbered.entry(number).or_default().push(*one));
        }
        Self { all, numbered }
    }

    /// The first coup that begins after a sequence.
    fn next(&self, at: u64) -> Option<usize> {
        self.all.get(self.all.partition_point(|(began, _)| *began <= at)).map(|(_, place)| *place)
    }

    /// The coup of a number: of several the last that began before a sequence, or else the first.
    fn of_number(&self, number: u32, at: u64) -> Option<usize> {
        let own = self.numbered.get(&number)?;
        let before = own.partition_point(|(began, _)| *began <= at).saturating_sub(1);
        own.get(before).map(|(_, place)| *place)
    }
}

/// A void, a ruling or a replaced card. Corrections are shown where the event is that they correct.
#[allow(clippy::wildcard_enum_match_arm, reason = "nothing else is ruled")]
fn ruling(evidence: &Evidence<'_, '_>, told: &Told<'_, Body>) -> Option<RulingView> {
    let (what, text, signed_by) = match told.value {
        Body::CoupVoided(void) => {
            let signed_by = names([Some(&void.ruled_by), void.countersigned_by.as_ref()]);
            (RulingKind::Void, &void.reason, signed_by)
        }
        Body::CardReplaced(replaced) => {
            let (position, card) = (replaced.position, replaced.card.to_string());
            let signed_by = names([Some(&replaced.ruled_by), replaced.countersigned_by.as_ref()]);
            (RulingKind::CardReplaced { position, card }, &replaced.reason, signed_by)
        }
        Body::IrregularityRecorded(ruled) if ruled.code.as_str() != BURN_NOT_RECORDED => {
            let (code, positions) = (ruled.code.to_string(), ruled.positions.clone());
            let signed_by = names([Some(&ruled.ruled_by), ruled.countersigned_by.as_ref()]);
            (RulingKind::Irregularity { code, positions }, &ruled.ruling, signed_by)
        }
        _ => return None,
    };
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

fn names(names: [Option<&Name>; 2]) -> Vec<String> {
    names.into_iter().flatten().map(Name::to_string).collect()
}

fn view(
    evidence: &Evidence<'_, '_>,
    sequence: u64,
    (what, text, signed_by): (RulingKind, String, Vec<String>),
) -> RulingView {
    let items = evidence.range.items();
    let item = items.binary_search_by_key(&sequence, Item::first).ok().and_then(|at| items.get(at));
    let at = match item {
        Some(Item::Event(_, event)) => event.occurred_at.to_string(),
        Some(Item::Hole(_)) | None => String::new(),
    };
    RulingView { sequence, entry: (evidence.entry)(sequence), at, signed_by, text, what }
}
