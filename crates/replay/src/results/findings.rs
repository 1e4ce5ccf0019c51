//! Findings as a judgement shows them.

use std::collections::BTreeMap;

use baccarat::Clause;

use super::Evidence;
use super::course::Course;
use super::numbering::gaps;
use crate::checks::Found;
use crate::sink::Location;
use crate::{Cause, Code, Finding, RuleReference};

/// A finding, and where in the reading it belongs.
pub(super) struct Placed {
    pub(super) finding: Finding,
    /// Sequence of the loading of its shoe; 0 if none is recorded.
    pub(super) shoe: Option<u64>,
    /// The place of its shoe in the reading, and of its coup in the shoe.
    pub(super) coup: Option<(usize, usize)>,
}

/// What is wrong in a part, each with where it belongs. `bank_wrong`: the last wrong account of a bank before it.
pub(super) fn all(
    evidence: &Evidence<'_, '_>,
    course: &Course<'_>,
    bank_wrong: Option<Location>,
) -> Vec<Placed> {
    let gaps = gaps(evidence.range);
    if evidence.checked.found.is_empty() && gaps.is_empty() {
        return Vec::new();
    }
    let numbered = numbered(evidence);
    let all = evidence.checked.found.iter().chain(&gaps);
    let before = |sequence| bank_wrong.filter(|at| at.sequence == sequence).map(|at| at.entry);
    let entry = |sequence| before(sequence).unwrap_or_else(|| (evidence.entry)(sequence));
    let mut findings: Vec<Placed> =
        all.map(|found| finding(found, (evidence, &numbered), course, &entry)).collect();
    findings.sort_unstable_by(|one, other| one.finding.cmp(&other.finding));
    findings
}

/// By the place of a shoe and the number of a coup: the places of those in it, and where they began.
pub(super) type Numbered = BTreeMap<(usize, u32), Vec<(u64, usize)>>;

/// The coups of all shoes.
pub(super) fn numbered(evidence: &Evidence<'_, '_>) -> Numbered {
    let mut numbered = Numbered::new();
    for (shoe, record) in evidence.reading.shoes.iter().enumerate() {
        for (at, coup) in record.coups.iter().enumerate() {
            numbered.entry((shoe, coup.number)).or_default().push((coup.began, at));
        }
    }
    numbered
}

/// The coup of a shoe with this number; of two the last that began before a sequence.
pub(super) fn coup_of(numbered: &Numbered, shoe: usize, number: u32, at: u64) -> Option<usize> {
    let named = numbered.get(&(shoe, number))?;
    let began = named.partition_point(|(began, _)| *began <= at);
    named.get(began.saturating_sub(1)).map(|(_, at)| *at)
}

fn finding(
    found: &Found,
    (evidence, numbered): (&Evidence<'_, '_>, &Numbered),
    course: &Course<'_>,
    entry: &dyn Fn(u64) -> u64,
) -> Placed {
    let Found { sequence, code, .. } = *found;
    let at = course.stands(sequence);
    let (stands, rules) = match stands(code) {
        Stands::AtItsEvent => (at, course.rules(at)),
        Stands::AtItself => (sequence, course.rules(sequence)),
        Stands::BeforeItsEvent => {
            let before = sequence.saturating_sub(1);
            (before, course.last_rules(before))
        }
    };
    let named = found.shoe.zip(found.coup);
    let of_coup = found.shoe.map(|shoe| course.loaded(shoe));
    let of_clock = matches!(code, Code::TimeBackwards | Code::ClockAhead | Code::RecordedLate);
    let shoe = match found.coup {
        Some(_) => of_coup,
        None if of_clock => course.shoe_of_clock(stands),
        None => course.shoe(stands),
    };
    let at_entry = entry(sequence);
    let recorded = evidence.producers.said(code, at_entry);
    let finding = Finding {
        entry: at_entry,
        table: evidence.table.to_owned(),
        sequence,
        code,
        severity: code.severity(),
        shoe: shoe.and_then(|shoe| course.id(shoe)),
        coup: found.coup,
        expected: found.said.expected.clone(),
        recorded: recorded.unwrap_or_else(|| found.said.recorded.clone()),
        rule: RuleReference::of(found.clause.as_ref(), rules),
        money: found.money.clone(),
        currency: course.currency(stands),
        sentence: code.english(),
        frase: code.spanish(),
        cause: found.follows.map(|(sequence, code)| Cause { entry: entry(sequence), sequence, code }),
    };
    let coup = named.and_then(|(shoe, number)| Some((shoe, coup_of(numbered, shoe, number, at)?)));
    Placed { finding, shoe, coup }
}

/// Where that stands which is wrong.
enum Stands {
    /// At the event that is judged, be it as corrected.
    AtItsEvent,
    /// At the event that shows it, also if that is a correction.
    AtItself,
    /// Before the event that shows it, perhaps while the table was closed.
    BeforeItsEvent,
}

#[allow(clippy::wildcard_enum_match_arm, reason = "what is wrong is mostly the event")]
fn stands(code: Code) -> Stands {
    match code {
        Code::SequenceGap | Code::ShoeNotEnded | Code::CommissionUncollected => Stands::BeforeItsEvent,
        Code::NameUnseen | Code::NameLookAlike => Stands::AtItself,
        code if code.clause() == Some(Clause::Rulings) => Stands::AtItself,
        _ => Stands::AtItsEvent,
    }
}
