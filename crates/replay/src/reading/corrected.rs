//! Which corrections count: an observation may be corrected at any time, a decision until its moment
//! (`docs/judging.md`, "Corrections").

use std::collections::BTreeMap;

use events::{Body, CardDrawn};

use super::range::{Item, OpenRange, TableFacts};
use super::record::{CorrectionRecord, Standing};
use crate::settled_before::{self, Moment};

/// What corrections say.
#[derive(Debug, Default)]
pub(super) struct Corrected<'a> {
    /// By the sequence of the event: the correction that counts, and what it says.
    pub(super) bodies: BTreeMap<u64, (u64, &'a Body)>,
    pub(super) records: Vec<CorrectionRecord<'a>>,
}

impl Corrected<'_> {
    /// The same with the decisions as they were corrected too late: of each event the last. `None` if there are none. (Limits
    /// that are corrected too late change nothing.)
    pub(super) fn with_late(&self) -> Option<Self> {
        let late = |record: &&CorrectionRecord<'_>| {
            record.standing == Standing::Late && !matches!(record.says, Body::LimitsChanged(_))
        };
        let mut late = self.records.iter().filter(late).peekable();
        late.peek()?;
        let (mut bodies, records) = (self.bodies.clone(), self.records.clone());
        bodies.extend(late.map(|record| (record.corrects, (record.sequence, record.says))));
        Some(Self { bodies, records })
    }
}

/// What was recorded so far, as far as corrections depend on it.
#[derive(Debug, Default)]
struct SoFar<'a> {
    events: BTreeMap<u64, &'a Body>,
    /// What each correction is about in the end.
    meant: BTreeMap<u64, u64>,
    /// Sequence of the first event that can be judged again.
    reach: u64,
    /// Whether a shoe was loaded, in the range or before it.
    loaded: bool,
    /// Sequence of the last card to a hand.
    last_card: u64,
    /// By coup: sequences of its first card and of its last, and of its settlement.
    cards: BTreeMap<u32, (u64, u64)>,
    settled: BTreeMap<u32, u64>,
    /// Sequence of the last event that began a coup, and of the table's last closing.
    begun: u64,
    closed: u64,
}

impl<'a> SoFar<'a> {
    #[allow(clippy::wildcard_enum_match_arm, reason = "nothing else is a moment of a decision")]
    fn note(&mut self, sequence: u64, body: &'a Body) {
        self.events.insert(sequence, body);
        let mut again = false;
        match body {
            Body::ShoeLoaded(_) => {
                if std::mem::replace(&mut self.loaded, true) {
                    self.reach = sequence;
                }
                (self.cards, self.settled) = (BTreeMap::new(), BTreeMap::new());
            }
            Body::CardDrawn(CardDrawn { coup, to, .. }) => {
                self.cards.entry(*coup).or_insert((sequence, sequence)).1 = sequence;
                if to.side().is_some() {
                    self.last_card = sequence;
                }
            }
            // What comes back of a coup that was settled begins nothing.
            Body::CoupSettled(settled) => again = self.settled.insert(settled.coup, sequence).is_some(),
            Body::TableClosed(_) => self.closed = sequence,
            _ => {}
        }
        let begins = matches!(
            body,
            Body::BetPlaced(_)
                | Body::CardDrawn(_)
                | Body::CoupSettled(_)
                | Body::BetsClosed(_)
                | Body::BancoCalled(_)
                | Body::AbonoPlaced(_)
        );
        if begins && !again {
            self.begun = sequence;
        }
    }

    /// Whether the moment of a decision is past.
    fn is_past(&self, moment: Moment, sequence: u64, body: &Body) -> bool {
        if self.closed > sequence && self.last_card > sequence {
            return true;
        }
        let of = |coup: u32| self.cards.get(&coup).copied();
        match (moment, body.coup()) {
            (Moment::FirstCard, Some(coup)) => of(coup).is_some(),
            (Moment::FirstCard, None) => self.last_card > sequence,
            (Moment::NextCard, Some(coup)) => {
                of(coup).is_some_and(|(_, last)| last > sequence)
                    || self.settled.get(&coup).is_some_and(|settled| *settled > sequence)
            }
            (Moment::NextCard, None) => self.last_card > sequence,
            (Moment::CoupBegun, _) => self.begun > sequence,
        }
    }
}

/// Reads the corrections of a range.
pub(super) fn corrections<'a>(facts: &TableFacts<'a>, range: &OpenRange<'a>) -> Corrected<'a> {
    let mut corrected = Corrected::default();
    let corrects = |item: &Item<'_>| matches!(item, Item::Event(_, event) if matches!(event.body, Body::CorrectionRecorded(_)));
    if !range.items().iter().any(corrects) {
        return corrected;
    }
    let mut so_far = SoFar { loaded: facts.shoe.is_some(), ..SoFar::default() };
    for item in range.items() {
        let Item::Event(sequence, event) = item else { continue };
        if let Body::CorrectionRecorded(correction) = &event.body {
            let chained = match so_far.events.get(&correction.corrects) {
                Some(Body::CorrectionRecorded(_)) => so_far.meant.get(&correction.corrects).copied(),
                Some(_) | None => None,
            };
            let corrects = chained.unwrap_or(correction.corrects);
            so_far.meant.insert(*sequence, corrects);
            let standing = standing(&so_far, *sequence, corrects, &correction.corrected, range);
            if standing == Standing::Counts {
                let records = &mut corrected.records;
                let before = corrected.bodies.insert(corrects, (*sequence, &correction.corrected));
                let before = before.map(|(by, _)| records.partition_point(|record| record.sequence < by));
                if let Some(before) = before.and_then(|before| records.get_mut(before)) {
                    before.standing = Standing::Superseded;
                }
            }
            let said = so_far.events.get(&corrects).copied();
            let says = &correction.corrected;
            corrected.records.push(CorrectionRecord { sequence: *sequence, corrects, said, says, standing });
        }
        so_far.note(*sequence, &event.body);
    }
    corrected
}

fn standing(
    so_far: &SoFar<'_>,
    sequence: u64,
    corrects: u64,
    says: &Body,
    range: &OpenRange<'_>,
) -> Standing {
    if corrects == 0 || corrects >= sequence {
        return Standing::NoTarget;
    }
    let first = range.items().first().map_or(sequence, Item::first);
    let Some(said) = so_far.events.get(&corrects) else {
        return if corrects < first.max(so_far.reach) { Standing::OutOfReach } else { Standing::Missing };
    };
    let same = |kind: &settled_before::Kind| kind.correctable && kind.is_same(said, says);
    let Some(kind) = settled_before::kind(said).filter(|kind| kind.name == says.name() && same(kind)) else {
        return Standing::NoTarget;
    };
    if corrects < so_far.reach {
        return Standing::OutOfReach;
    }
    match kind.until {
        Some(moment) if so_far.is_past(moment, corrects, said) => Standing::Late,
        Some(_) | None => Standing::Counts,
    }
}
