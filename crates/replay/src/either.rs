//! The record of one table, as the judge in use keeps it or as the stages do: until the latter take the place of the former
//! (`docs/decisions/0020-read-first-judge-second.md`).

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

use serde::Serialize;

use crate::identity::Opening;
use crate::kept::Kept;
use crate::ledger::Ledger;
use crate::question::Question;
use crate::record::{self, Content};
use crate::shoe_locations::ShoeLocations;
use crate::stages::Judged;
use crate::tally::Tally;
use crate::{Code, CoupPlace, Finding, Received, RulebookUsed, TableState, TakenBack};

/// One table's record.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
#[allow(clippy::large_enum_variant, reason = "a judge keeps each in a box")]
pub(crate) enum Record {
    InUse(record::Record),
    Stages(Box<Judged>),
}

macro_rules! asks {
    ($self:ident, $one:ident => $answer:expr) => {
        match $self {
            Self::InUse($one) => $answer,
            Self::Stages($one) => $answer,
        }
    };
}

impl Record {
    pub(crate) fn new(id: String, question: Arc<Question>) -> Self {
        if question.by_stages {
            Self::Stages(Box::new(Judged::new(id, question)))
        } else {
            Self::InUse(record::Record::new(id, question))
        }
    }

    pub(crate) fn loaded(
        text: &str,
        question: &Arc<Question>,
        texts: &mut BTreeSet<Arc<str>>,
    ) -> Result<Self, serde_json::Error> {
        if question.by_stages {
            Judged::loaded(text, question, texts).map(|judged| Self::Stages(Box::new(judged)))
        } else {
            record::Record::loaded(text, question, texts).map(Self::InUse)
        }
    }

    pub(crate) fn id(&self) -> &str {
        asks!(self, one => one.id())
    }

    pub(crate) fn shoe_locations(&self) -> &ShoeLocations {
        asks!(self, one => &one.shoe_locations)
    }

    pub(crate) fn report_live(&mut self) {
        asks!(self, one => one.report_live());
    }

    pub(crate) fn hand_on(&mut self) {
        asks!(self, one => one.hand_on());
    }

    pub(crate) fn recorded_by(&mut self, entry: u64, producer: &str) {
        asks!(self, one => one.recorded_by(entry, producer));
    }

    pub(crate) fn entry(&mut self, entry: u64, first: u64, content: Content, received: Received) {
        asks!(self, one => one.entry(entry, first, content, received));
    }

    pub(crate) fn left_out_to(&mut self, first: u64) {
        asks!(self, one => one.left_out_to(first));
    }

    pub(crate) fn take_openings(&mut self) -> Vec<Opening> {
        asks!(self, one => one.take_openings().collect())
    }

    pub(crate) fn take_reported(&mut self) -> (Vec<Finding>, Vec<TakenBack>) {
        asks!(self, one => one.take_reported())
    }

    pub(crate) fn take_settled(&mut self) -> Vec<Finding> {
        asks!(self, one => one.take_settled())
    }

    pub(crate) fn settled_findings(&mut self) -> Kept {
        asks!(self, one => one.settled_findings())
    }

    pub(crate) fn take_listed(&mut self) -> Vec<CoupPlace> {
        asks!(self, one => one.take_listed())
    }

    pub(crate) fn settled_ledger(&mut self) -> Option<Ledger> {
        asks!(self, one => one.settled_ledger())
    }

    pub(crate) fn count(&mut self, finding: &Finding) {
        asks!(self, one => one.count(finding));
    }

    pub(crate) fn finish(&mut self, corrected_later: &[u64]) -> Tally {
        asks!(self, one => one.finish(corrected_later))
    }

    pub(crate) fn corrected_later(&self, events: RangeInclusive<u64>) -> Vec<u64> {
        asks!(self, one => one.corrected_later(events))
    }

    pub(crate) fn missing(&self) -> u64 {
        asks!(self, one => one.missing())
    }

    pub(crate) fn held(&self) -> u64 {
        asks!(self, one => one.held())
    }

    pub(crate) fn rest(&mut self) {
        asks!(self, one => one.rest());
    }

    pub(crate) fn rulebooks(&self) -> Vec<&RulebookUsed> {
        asks!(self, one => one.rulebooks().collect())
    }

    pub(crate) fn findings_by_code(&self) -> Vec<(Code, u64)> {
        asks!(self, one => one.findings_by_code().collect())
    }

    pub(crate) fn state(&self) -> TableState {
        asks!(self, one => one.state())
    }

    pub(crate) fn state_by(&self, counts: &Tally) -> TableState {
        asks!(self, one => one.state_by(counts))
    }
}
