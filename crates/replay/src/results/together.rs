//! What the parts of a record come to together, as far as somebody asks for it.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::begun::Begun;
use super::part::Part;
use super::places::Standing;
use super::{Evidence, Results, commission, corrected, ledger, places, summary, views};
use crate::checks::JudgedBy;
use crate::question::Question;
use crate::seldom::Seldom;
use crate::sink::Location;
use crate::summary::{Summary, with_coups};
use crate::tally::{MAX_COUP_VIEWS, Tally};
use crate::{CommissionView, CoupPlace, CoupView, Finding, Judge, Ledger, Wanted};

/// What the parts of a table's record come to together. Its findings stay beside its counts until the range is over.
#[derive(Debug, Clone)]
pub struct Together {
    question: Arc<Question>,
    /// What was before the next part.
    begun: Begun,
    tally: Seldom<Tally>,
    found: Vec<Finding>,
    /// Events of earlier shoes that corrections name, each with where the correction stands.
    corrected_past: Vec<(Location, u64)>,
    standing: Standing,
}

impl Together {
    /// Nothing, of what this judge is asked for.
    #[must_use]
    pub fn by(judge: &Judge) -> Self {
        Self::of(Arc::clone(&judge.question))
    }

    pub(crate) fn of(question: Arc<Question>) -> Self {
        Self {
            question,
            begun: Begun::default(),
            tally: Seldom::default(),
            found: Vec::new(),
            corrected_past: Vec::new(),
            standing: Standing::default(),
        }
    }

    /// What a whole record comes to. Everything is asked for.
    #[must_use]
    pub fn whole(evidence: &Evidence<'_, '_>) -> Self {
        let is_approved = evidence.books.judged_by() != JudgedBy::ItsOwn;
        let wanted = Wanted { table: None, shoe: None, coup: None };
        let mut question = Question::new(is_approved.then(BTreeSet::new), Some(wanted));
        (question.lists_coups, question.ledger) = (true, true);
        let mut whole = Self::of(Arc::new(question));
        whole.take(evidence);
        whole.reopen(evidence.table);
        whole
    }

    /// Adds what the next range of this table comes to, which is over.
    pub fn join(&mut self, table: &str, next: Self) {
        (self.begun, self.corrected_past) = (next.begun.clone(), next.corrected_past.clone());
        self.tally.merge(next.into_tally());
        self.reopen(table);
    }

    /// What corrections name that is not judged again is no longer shown to be right.
    fn reopen(&mut self, table: &str) {
        let ledger_of = self.question.ledger.then_some(table);
        for (_, event) in std::mem::take(&mut self.corrected_past) {
            self.tally.reopen(event, ledger_of);
        }
    }

    /// What is wrong, in log order: all of the range that is not over, and of others what is kept.
    #[must_use]
    pub fn findings(&self) -> Vec<Finding> {
        let mut found = self.tally.kept.clone().into_sorted();
        found.extend(self.found.iter().cloned());
        found.sort_unstable();
        found
    }

    /// The counts.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let question = &self.question;
        self.tally.summary.clone().with_rulebooks(|used| question.standing(with_coups(used)))
    }

    /// The views of the coups that are asked for, in the order in which they are over.
    #[must_use]
    pub fn coup_views(&self) -> &[CoupView] {
        &self.tally.coup_views
    }

    /// The coups, if they are listed.
    #[must_use]
    pub fn listed(&self) -> &[CoupPlace] {
        &self.tally.listed
    }

    /// The commission boxes of the shoes that are asked for.
    #[must_use]
    pub fn commission(&self) -> &[CommissionView] {
        &self.tally.commission
    }

    /// The ledger, if one is kept.
    #[must_use]
    pub fn ledger(&self) -> Ledger {
        self.tally.ledger.as_deref().cloned().unwrap_or_default()
    }

    /// What is known before the first part of a table that was saved.
    pub(crate) fn after(question: Arc<Question>, (begun, standing): (Begun, Standing)) -> Self {
        Self { begun, standing, ..Self::of(question) }
    }

    /// What is known before the next part.
    pub(crate) fn known(&self) -> (Begun, Standing) {
        (self.begun.clone(), self.standing)
    }

    /// What is wrong in the range, in log order.
    pub(crate) fn found(&self) -> &[Finding] {
        &self.found
    }

    /// The counts of the range.
    pub(crate) fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Events before the range that corrections in it name, each with where the correction stands.
    pub(crate) fn corrected_past(&self) -> &[(Location, u64)] {
        &self.corrected_past
    }

    /// How the table stands.
    pub(crate) const fn standing(&self) -> Standing {
        self.standing
    }

    /// The range is over: its counts, with what is kept of what was found.
    #[must_use]
    pub(crate) fn into_tally(self) -> Tally {
        let mut tally = self.tally.begun();
        self.found.into_iter().for_each(|finding| tally.kept.keep(finding));
        tally
    }
}

impl Results for Together {
    fn anew(&self) -> Self {
        let standing = self.standing;
        Self { begun: self.begun.clone(), standing, ..Self::of(Arc::clone(&self.question)) }
    }

    fn take(&mut self, evidence: &Evidence<'_, '_>) {
        let (part, begun) = Part::of(evidence, &self.begun);
        let (tally, question, table) = (&mut self.tally, &*self.question, evidence.table);
        self.begun = begun;
        summary::count(&part, tally);
        let corrected = corrected::corrected(&part);
        if question.lists_coups {
            tally.listed.extend(places::listed(&part));
        }
        if question.asks_for_views() {
            let left = MAX_COUP_VIEWS.saturating_sub(tally.coup_views.len());
            let wants = |shoe: Option<&str>, coup| question.wants(table, shoe, coup);
            tally.coup_views.extend(views::views(&part, &corrected, wants).take(left));
            let left = MAX_COUP_VIEWS.saturating_sub(tally.commission.len());
            let boxes = commission::commission(&part).into_iter();
            let is_asked = |view: &CommissionView| question.wants_boxes(table, view.shoe.as_deref());
            tally.commission.extend(boxes.filter(is_asked).take(left));
        }
        tally.summary.corrected.merge(corrected.totals);
        if question.ledger {
            ledger::enter(&part, tally.ledger.get_or_insert_default());
        }
        let at = |sequence| Location { entry: (evidence.entry)(sequence), sequence };
        let past = part.out_of_reach.iter().filter_map(|one| Some((at(one.at), one.event?)));
        self.corrected_past.extend(past);
        self.standing = places::standing(&part, self.standing);
        self.found.extend(part.found.into_iter().map(|placed| placed.finding));
    }
}
