//! What one table came to: counts, findings, and the coups that were asked for in full.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::attested::Attested;
use crate::totals::Totals;
use crate::{Code, CommissionTold, CoupTold, CoupVerdict, Currency, Finding, Reason};

/// Coups told in full at most.
pub const MAX_TOLD: usize = 10_000;

/// Coups by result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Derived and in agreement.
    pub certified: u64,
    /// Derived and in agreement, but of bytes that were not shown to be those sealed: never certified.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub judged: u64,
    /// A rule was broken.
    pub violated: u64,
    /// Neither.
    pub undecided: u64,
    /// Of those that agree with the record, how many rest on a ruling, a void or a correction.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub subject_to_ruling: u64,
}

impl Counts {
    /// Counts one more that agrees with the record and rests on a ruling.
    pub fn add_subject_to_ruling(&mut self, verdict: CoupVerdict) {
        self.add(verdict);
        match verdict {
            CoupVerdict::Certified | CoupVerdict::Judged => self.subject_to_ruling += 1,
            CoupVerdict::Violated | CoupVerdict::Undecided => {}
        }
    }

    /// Counts one more.
    pub fn add(&mut self, verdict: CoupVerdict) {
        match verdict {
            CoupVerdict::Certified => self.certified += 1,
            CoupVerdict::Judged => self.judged += 1,
            CoupVerdict::Violated => self.violated += 1,
            CoupVerdict::Undecided => self.undecided += 1,
        }
    }

    pub(crate) fn merge(&mut self, other: Self) {
        self.certified += other.certified;
        self.judged += other.judged;
        self.violated += other.violated;
        self.undecided += other.undecided;
        self.subject_to_ruling += other.subject_to_ruling;
    }

    /// All of them.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.certified + self.judged + self.violated + self.undecided
    }

    /// The same of a log whose seal was not shown to hold.
    #[must_use]
    pub const fn unsealed(self) -> Self {
        Self { certified: 0, judged: self.judged + self.certified, ..self }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
pub(crate) const fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// The results of judging.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Tally {
    pub(crate) events: u64,
    pub(crate) coups: Counts,
    pub(crate) shoes: Counts,
    pub(crate) undecided: BTreeMap<Reason, u64>,
    pub(crate) undecided_shoes: BTreeMap<Reason, u64>,
    /// Events that were recorded again, the same.
    pub(crate) repeated: u64,
    pub(crate) attested: Attested,
    /// How often each code was found that follows from no other finding.
    pub(crate) by_code: BTreeMap<Code, u64>,
    pub(crate) totals: Totals,
    /// What was found since it was last asked for.
    #[serde(skip)]
    pub(crate) found: Vec<Finding>,
    #[serde(skip)]
    pub(crate) told: Vec<CoupTold>,
    #[serde(skip)]
    pub(crate) commission: Vec<CommissionTold>,
    /// Coups judged under each rulebook, by digest: id, title, coups.
    pub(crate) rulebooks: BTreeMap<String, RulebookUsed>,
}

/// A rulebook a table was judged by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RulebookUsed {
    /// Its name.
    pub id: String,
    /// What people call it.
    pub title: String,
    /// BLAKE3 of its canonical form.
    pub digest: String,
    /// Coups settled under it.
    pub coups: u64,
}

impl Tally {
    /// One more was found: counted whether it will be listed or not.
    pub(crate) fn count_finding(&mut self, finding: &Finding) {
        self.totals.count(finding);
        if finding.cause.is_none() {
            *self.by_code.entry(finding.code).or_default() += 1;
        }
    }

    /// So many of what was found are listed.
    pub(crate) fn list(&mut self, listed: usize) {
        let consequences = self.totals.consequences_by_code.values();
        let counted: u64 = self.by_code.values().chain(consequences).sum();
        self.totals.list(counted, listed);
    }

    /// A coup was settled, on which so many minor units were staked.
    pub(crate) fn count_turnover(&mut self, currency: Option<Currency>, staked: u128, verdict: CoupVerdict) {
        self.totals.turnover.count(currency, staked, verdict);
    }

    /// All that was found since it was last asked for, in log order.
    pub(crate) fn take_found(&mut self) -> Vec<Finding> {
        let mut found = std::mem::take(&mut self.found);
        found.sort_unstable();
        found
    }

    pub(crate) fn merge(&mut self, other: Self) {
        self.events += other.events;
        self.coups.merge(other.coups);
        self.shoes.merge(other.shoes);
        self.attested.merge(other.attested);
        self.totals.merge(other.totals);
        self.repeated += other.repeated;
        for (reason, count) in other.undecided {
            *self.undecided.entry(reason).or_default() += count;
        }
        for (reason, count) in other.undecided_shoes {
            *self.undecided_shoes.entry(reason).or_default() += count;
        }
        for (code, count) in other.by_code {
            *self.by_code.entry(code).or_default() += count;
        }
        for (digest, used) in other.rulebooks {
            let coups = used.coups;
            self.rulebooks.entry(digest).or_insert_with(|| RulebookUsed { coups: 0, ..used }).coups += coups;
        }
        self.told.extend(other.told);
        self.commission.extend(other.commission);
    }
}
