//! What one table came to: counts, findings, and the coups that were asked for in full.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};

use crate::attested::Attested;
use crate::kept::Kept;
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

/// Events that were read from a file: recorded some time after they happened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AfterTheFact {
    /// How many.
    pub events: u64,
    /// The longest time between an event and its recording, in microseconds.
    pub longest_delay_micros: u64,
}

impl AfterTheFact {
    /// One more, recorded so much later.
    pub(crate) fn add(&mut self, delay_micros: i64) {
        self.events += 1;
        self.longest_delay_micros = self.longest_delay_micros.max(u64::try_from(delay_micros).unwrap_or(0));
    }

    fn merge(&mut self, other: Self) {
        self.events += other.events;
        self.longest_delay_micros = self.longest_delay_micros.max(other.longest_delay_micros);
    }

    /// Whether nothing was read from a file.
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
    pub(crate) const fn is_none(&self) -> bool {
        self.events == 0
    }
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
    pub(crate) after_the_fact: AfterTheFact,
    /// How often each code was found that follows from no other finding.
    pub(crate) by_code: BTreeMap<Code, u64>,
    pub(crate) totals: Totals,
    /// What was found.
    pub(crate) kept: Kept,
    #[serde(skip)]
    pub(crate) told: Vec<CoupTold>,
    #[serde(skip)]
    pub(crate) commission: Vec<CommissionTold>,
    /// Coups and shoes that are over.
    #[serde(default)]
    past_coups: VecDeque<Past>,
    #[serde(default)]
    past_shoes: VecDeque<Past>,
    /// Coups that are violated after all and were counted before, in what is final.
    recounted: Vec<(Outcome, u64)>,
    /// Corrections of what was over and is not judged again.
    pub(crate) out_of_reach: u64,
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

/// What a coup came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Outcome {
    pub(crate) verdict: CoupVerdict,
    /// Why it is undecided, where it is.
    pub(crate) reason: Reason,
    /// Whether a ruling, a void or a correction acts on it.
    pub(crate) ruled: bool,
}

/// A coup or shoe that is over: where it stands in the numbering, and its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Past {
    first: u64,
    last: u64,
    verdict: CoupVerdict,
}

/// Coups and shoes of one table that are remembered, each: a correction may still name an event of one.
const MAX_PAST: usize = 2_048;

impl Tally {
    /// A coup is over.
    pub(crate) fn count(&mut self, outcome: Outcome) {
        self.coups.add(outcome.verdict);
        match outcome.verdict {
            CoupVerdict::Undecided => *self.undecided.entry(outcome.reason).or_default() += 1,
            CoupVerdict::Certified if outcome.ruled => self.coups.subject_to_ruling += 1,
            CoupVerdict::Certified | CoupVerdict::Judged | CoupVerdict::Violated => {}
        }
    }

    /// A coup that was over is violated after all; its settlement has this sequence.
    pub(crate) fn violate(&mut self, outcome: Outcome, settled: u64, coup: u32, shoe: Option<&str>) {
        if matches!(outcome.verdict, CoupVerdict::Violated | CoupVerdict::Judged) {
            return;
        }
        // Where the coup was counted in what is final already, joining takes it away there.
        self.recounted.push((outcome, settled));
        self.coups.violated += 1;
        self.recount();
        let same = |told: &&mut CoupTold| told.coup == coup && told.shoe.as_deref() == shoe;
        self.told.iter_mut().filter(same).for_each(|told| told.verdict = CoupVerdict::Violated);
    }

    /// Takes coups that are violated after all away from where they were counted, where that is here.
    fn recount(&mut self) {
        for (outcome, settled) in std::mem::take(&mut self.recounted) {
            let here = |past: &&mut Past| past.last == settled && past.verdict == outcome.verdict;
            let Some(past) = self.past_coups.iter_mut().rev().find(here) else {
                self.recounted.push((outcome, settled));
                continue;
            };
            past.verdict = CoupVerdict::Violated;
            if outcome.verdict == CoupVerdict::Certified {
                self.coups.certified = self.coups.certified.saturating_sub(1);
                let ruled = u64::from(outcome.ruled);
                self.coups.subject_to_ruling = self.coups.subject_to_ruling.saturating_sub(ruled);
            } else {
                self.coups.undecided = self.coups.undecided.saturating_sub(1);
                self.undecided.entry(outcome.reason).and_modify(|count| *count = count.saturating_sub(1));
                self.undecided.retain(|_, count| *count > 0);
            }
        }
    }

    /// Where a coup stood in the numbering.
    pub(crate) fn remember(&mut self, (first, last): (u64, u64), verdict: CoupVerdict) {
        remember(&mut self.past_coups, Past { first, last: last.max(first), verdict });
    }

    /// Where a shoe stood in the numbering.
    pub(crate) fn remember_shoe(&mut self, first: u64, last: u64, verdict: CoupVerdict) {
        remember(&mut self.past_shoes, Past { first, last, verdict });
    }

    /// An event of a shoe that is over should have said something else, and is not judged again: the shoe
    /// and the coup it belongs to are certified no longer.
    pub(crate) fn reopen(&mut self, sequence: u64) {
        self.out_of_reach += 1;
        if reopen(&mut self.past_coups, sequence) {
            self.coups.certified = self.coups.certified.saturating_sub(1);
            self.coups.subject_to_ruling = self.coups.subject_to_ruling.min(self.coups.certified);
            self.coups.undecided += 1;
            *self.undecided.entry(Reason::Corrected).or_default() += 1;
        }
        if reopen(&mut self.past_shoes, sequence) {
            self.shoes.certified = self.shoes.certified.saturating_sub(1);
            self.shoes.undecided += 1;
            *self.undecided_shoes.entry(Reason::Corrected).or_default() += 1;
        }
    }

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

    pub(crate) fn merge(&mut self, other: Self) {
        self.events += other.events;
        self.coups.merge(other.coups);
        self.shoes.merge(other.shoes);
        self.attested.merge(other.attested);
        self.totals.merge(other.totals);
        self.repeated += other.repeated;
        self.after_the_fact.merge(other.after_the_fact);
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
        self.out_of_reach += other.out_of_reach;
        other.past_coups.into_iter().for_each(|past| remember(&mut self.past_coups, past));
        other.past_shoes.into_iter().for_each(|past| remember(&mut self.past_shoes, past));
        self.recounted.extend(other.recounted);
        self.recount();
        self.kept.absorb(other.kept);
        let room = MAX_TOLD.saturating_sub(self.told.len());
        self.told.extend(other.told.into_iter().take(room));
        self.commission.extend(other.commission);
    }
}

fn remember(past: &mut VecDeque<Past>, one: Past) {
    if past.len() >= MAX_PAST {
        past.pop_front();
    }
    past.push_back(one);
}

/// Whether there was one that was certified, and is undecided now.
fn reopen(past: &mut VecDeque<Past>, sequence: u64) -> bool {
    let held = |past: &&mut Past| past.first <= sequence && sequence <= past.last;
    let Some(past) = past.iter_mut().rev().find(held) else { return false };
    let certified = past.verdict == CoupVerdict::Certified;
    if certified {
        past.verdict = CoupVerdict::Undecided;
    }
    certified
}
