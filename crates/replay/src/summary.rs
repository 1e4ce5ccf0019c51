//! The counts of a judgement: one form for a table, a log, its report and its certificate.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::attested::Attested;
use crate::corrected::CorrectionTotals;
use crate::few::Few;
use crate::house_edge::HouseEdge;
use crate::passages::Passages;
use crate::totals::{MoneyTotals, Turnovers, is_zero};
use crate::{Code, CoupVerdict, Finding, Reason};

/// The counts of a table or a log. They are complete whatever is listed of the findings.
///
/// `Rulebooks` holds the rulebooks judged by: whole in a report, by their digests alone in a certificate.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Summary<Rulebooks = Vec<RulebookUsed>> {
    /// Coups by result.
    pub coups: Counts,
    /// Shoes by result: burn, composition, cut card and positions of the whole shoe.
    pub shoes: Counts,
    /// Undecided coups by reason.
    pub undecided: BTreeMap<Reason, u64>,
    /// Undecided shoes by reason: one in play at the end of the record is `not-ended-yet`.
    pub undecided_shoes: BTreeMap<Reason, u64>,
    /// Facts that are only attested, or were not recorded.
    pub attested: Attested,
    /// Events that were read from a file, and how long after they happened; left out where there are none.
    #[serde(default, skip_serializing_if = "AfterTheFact::is_none")]
    pub recorded_after_the_fact: AfterTheFact,
    /// Events that a service took in more than a day after they happened, and the longest time between; left out where
    /// there are none.
    #[serde(default, skip_serializing_if = "AfterTheFact::is_none")]
    pub posted_late: AfterTheFact,
    /// Rulebooks judged by, in the order of their digests.
    pub rulebooks: Rulebooks,
    /// How often each code was found, not counting findings that follow from another finding.
    pub findings_by_code: BTreeMap<Code, u64>,
    /// How often each code was found as a consequence of another finding: these break no rule of their own.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub consequences_by_code: BTreeMap<Code, u64>,
    /// Whether fewer findings are listed than were counted.
    #[serde(default)]
    pub findings_cut: bool,
    /// How many findings are not listed, consequences included.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub findings_not_listed: u64,
    /// Money that the findings moved.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(value_type = Vec<crate::totals::MoneyMoved>))]
    pub money: MoneyTotals,
    /// Stakes of settled coups, and what share of them is undecided.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(value_type = Vec<crate::totals::Turnover>))]
    pub turnover: Turnovers,
    /// What corrections of observations (faces, totals, payouts, accounts) moved, by those who signed them; left out where
    /// they moved nothing.
    #[serde(default, skip_serializing_if = "CorrectionTotals::is_empty")]
    #[cfg_attr(feature = "schema", schema(value_type = Vec<crate::corrected::CorrectedBy>))]
    pub corrected: CorrectionTotals,
}

/// Rulebooks judged by, by their digests, with the coups settled under each.
pub(crate) type RulebooksUsed = Few<Rulebook, u64>;

/// A rulebook judged by, with no coups counted: tables share it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Rulebook(pub(crate) Arc<RulebookUsed>);

impl Ord for Rulebook {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.digest.cmp(&other.0.digest)
    }
}

impl PartialOrd for Rulebook {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Rulebook {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.digest == other.0.digest
    }
}

impl Eq for Rulebook {}

/// Each with its coups, in the order of their digests.
pub(crate) fn with_coups(used: RulebooksUsed) -> Vec<RulebookUsed> {
    let count_of =
        |(rulebook, coups): (Rulebook, u64)| RulebookUsed { coups, ..RulebookUsed::clone(&rulebook.0) };
    used.into_iter().map(count_of).collect()
}

/// By their digests, each with its coups.
fn by_digest(used: Vec<RulebookUsed>) -> RulebooksUsed {
    let mut by_digest = RulebooksUsed::default();
    for used in used {
        let coups = used.coups;
        let rulebook = Rulebook(Arc::new(RulebookUsed { coups: 0, ..used }));
        *by_digest.entry(&rulebook, || rulebook.clone()) += coups;
    }
    by_digest
}

impl<Rulebooks> Summary<Rulebooks> {
    /// The same summary with its rulebooks in another form.
    pub(crate) fn with_rulebooks<Others>(self, make: impl FnOnce(Rulebooks) -> Others) -> Summary<Others> {
        Summary {
            rulebooks: make(self.rulebooks),
            coups: self.coups,
            shoes: self.shoes,
            undecided: self.undecided,
            undecided_shoes: self.undecided_shoes,
            attested: self.attested,
            recorded_after_the_fact: self.recorded_after_the_fact,
            posted_late: self.posted_late,
            findings_by_code: self.findings_by_code,
            consequences_by_code: self.consequences_by_code,
            findings_cut: self.findings_cut,
            findings_not_listed: self.findings_not_listed,
            money: self.money,
            turnover: self.turnover,
            corrected: self.corrected,
        }
    }

    /// The same of a log whose seal was not shown to hold.
    pub(crate) fn unsealed(self) -> Self {
        Self { coups: self.coups.unsealed(), shoes: self.shoes.unsealed(), ..self }
    }

    /// The same beside a list of all that was found.
    pub(crate) fn beside_all(self) -> Self {
        Self { findings_cut: false, findings_not_listed: 0, ..self }
    }

    /// One more was found: counted whether it will be listed or not.
    pub(crate) fn count_finding(&mut self, finding: &Finding) {
        self.money.count(finding);
        let by_code =
            if finding.cause.is_none() { &mut self.findings_by_code } else { &mut self.consequences_by_code };
        *by_code.entry(finding.code).or_default() += 1;
    }

    /// So many of what was found are listed.
    pub(crate) fn list(&mut self, listed: usize) {
        let counted: u64 = self.findings_by_code.values().chain(self.consequences_by_code.values()).sum();
        self.findings_not_listed = counted.saturating_sub(listed as u64);
        self.findings_cut = self.findings_not_listed > 0;
    }
}

impl Summary {
    /// What several records came to together, of which so many findings are listed.
    pub(crate) fn joined(all: impl IntoIterator<Item = Self>, listed: usize) -> Self {
        let mut joined = Summary::<RulebooksUsed>::default();
        all.into_iter().for_each(|one| joined.merge(one.with_rulebooks(by_digest)));
        joined.list(listed);
        joined.with_rulebooks(with_coups)
    }

    /// The same with the digests of its rulebooks, as certificates have it.
    #[must_use]
    pub fn certified(&self) -> Summary<Vec<String>> {
        self.clone().with_rulebooks(|used| used.into_iter().map(|used| used.digest).collect())
    }
}

impl Summary<RulebooksUsed> {
    /// Adds what another part of the record came to.
    pub(crate) fn merge(&mut self, other: Self) {
        self.coups.merge(other.coups);
        self.shoes.merge(other.shoes);
        merge(&mut self.undecided, other.undecided);
        merge(&mut self.undecided_shoes, other.undecided_shoes);
        self.attested.merge(other.attested);
        self.recorded_after_the_fact.merge(other.recorded_after_the_fact);
        self.posted_late.merge(other.posted_late);
        for (rulebook, coups) in other.rulebooks {
            *self.rulebooks.entry(&rulebook, || rulebook.clone()) += coups;
        }
        merge(&mut self.findings_by_code, other.findings_by_code);
        merge(&mut self.consequences_by_code, other.consequences_by_code);
        self.money.merge(other.money);
        self.turnover.merge(other.turnover);
        self.corrected.merge(other.corrected);
    }
}

fn merge<Key: Ord>(counts: &mut BTreeMap<Key, u64>, others: BTreeMap<Key, u64>) {
    for (key, count) in others {
        *counts.entry(key).or_default() += count;
    }
}

/// Coups by result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
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

/// Events that were recorded some time after they happened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
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

    pub(crate) fn merge(&mut self, other: Self) {
        self.events += other.events;
        self.longest_delay_micros = self.longest_delay_micros.max(other.longest_delay_micros);
    }

    /// Whether there are none.
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
    pub(crate) const fn is_none(&self) -> bool {
        self.events == 0
    }
}

/// A rulebook a table was judged by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RulebookUsed {
    /// Its name.
    pub id: String,
    /// What people call it.
    pub title: String,
    /// BLAKE3 of its canonical form.
    pub digest: String,
    /// Coups settled under it.
    pub coups: u64,
    /// Whether it is neither built in, by its digest, nor were approved digests given; left out where it is not so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unapproved: bool,
    /// Of such a rulebook what the house keeps of its bets; left out in chemin de fer, and where it was not worked out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub house_edge: Option<HouseEdge>,
    /// The texts that its clauses follow; a state that was saved has none.
    #[serde(skip)]
    pub passages: Passages,
}
