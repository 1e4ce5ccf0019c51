//! Compares the findings of one log under two rulebooks: which appear and which disappear.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::{Counts, Finding, Judgement};

/// What changes when a log is judged under another rulebook than its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Rejudged {
    /// Coups under the rulebooks they were played under.
    pub coups: Counts,
    /// Coups under the other one.
    pub coups_as: Counts,
    /// Found only under the other rulebook, in log order.
    pub appear: Vec<Finding>,
    /// Found only under the log's own rulebooks, in log order.
    pub disappear: Vec<Finding>,
    /// Whether there were more findings than are kept, so that these lists are not whole.
    pub cut_short: bool,
}

impl Rejudged {
    /// Compares a judgement with one under another rulebook.
    #[must_use]
    pub fn new(own: &Judgement, other: &Judgement) -> Self {
        Self {
            coups: own.summary.coups,
            coups_as: other.summary.coups,
            appear: only_in(&other.findings, &own.findings),
            disappear: only_in(&own.findings, &other.findings),
            cut_short: [own, other].iter().any(|judged| judged.summary.findings_cut),
        }
    }

    /// The same of a log whose seal was not shown to hold.
    #[must_use]
    pub fn unsealed(self) -> Self {
        Self { coups: self.coups.unsealed(), coups_as: self.coups_as.unsealed(), ..self }
    }

    /// Whether the other rulebook comes to the same.
    #[must_use]
    pub fn same(&self) -> bool {
        self.appear.is_empty() && self.disappear.is_empty() && self.coups == self.coups_as
    }
}

/// Findings that the others do not have, whatever rulebook they name.
fn only_in(findings: &[Finding], others: &[Finding]) -> Vec<Finding> {
    fn key(found: &Finding) -> impl Ord + use<'_> {
        (
            found.entry,
            &found.table,
            found.sequence,
            found.code,
            &found.expected,
            &found.recorded,
            &found.money,
        )
    }
    let others: BTreeSet<_> = others.iter().map(key).collect();
    findings.iter().filter(|found| !others.contains(&key(found))).cloned().collect()
}
