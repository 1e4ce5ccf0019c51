//! The results of one table: counts, findings, and the views of the coups that were asked for.

use std::collections::VecDeque;
use std::ops::{Deref, DerefMut};

use serde::{Deserialize, Serialize};

use crate::caps::Cap;
use crate::kept::Kept;
use crate::ledger::{Ledger, ShoeKey};
use crate::seldom::{Seldom, seldom};
use crate::summary::{AfterTheFact, RulebooksUsed, Summary};
use crate::{CommissionView, CoupPlace, CoupVerdict, CoupView, Reason};

seldom!(Tally);

/// Most coup views that a judgement holds.
pub const MAX_COUP_VIEWS: usize = 10_000;

/// The results of judging.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Tally {
    pub(crate) events: u64,
    pub(crate) summary: Summary<RulebooksUsed>,
    /// Events that were recorded again, the same.
    pub(crate) repeated: u64,
    /// What was found.
    pub(crate) kept: Kept,
    #[serde(skip)]
    pub(crate) coup_views: Vec<CoupView>,
    /// Coups that are over, where they are listed, and that were not handed on yet.
    #[serde(skip)]
    pub(crate) listed: Vec<CoupPlace>,
    #[serde(skip)]
    pub(crate) commission: Vec<CommissionView>,
    /// Where a ledger is kept, what it says.
    #[serde(skip)]
    pub(crate) ledger: Option<Box<Ledger>>,
    /// Coups and shoes that are over.
    #[serde(default)]
    past_coups: VecDeque<Past>,
    #[serde(default)]
    past_shoes: VecDeque<Past>,
    /// Corrections of what was over and is not judged again.
    pub(crate) out_of_reach: u64,
}

/// The results of a table that may have none yet: a table that was only opened needs no memory for them.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Counted {
    pub(crate) events: u64,
    /// Those that were read from a file.
    pub(crate) from_file: AfterTheFact,
    /// Events that a service took in long after they happened.
    #[serde(default)]
    pub(crate) posted_late: AfterTheFact,
    results: Seldom<Tally>,
}

impl Deref for Counted {
    type Target = Tally;

    fn deref(&self) -> &Tally {
        &self.results
    }
}

impl DerefMut for Counted {
    fn deref_mut(&mut self) -> &mut Tally {
        &mut self.results
    }
}

impl Counted {
    /// The same, with what is counted.
    pub(crate) fn of(mut tally: Tally) -> Self {
        let mut counted = Self { events: std::mem::take(&mut tally.events), ..Self::default() };
        counted.from_file = std::mem::take(&mut tally.summary.recorded_after_the_fact);
        counted.posted_late = std::mem::take(&mut tally.summary.posted_late);
        *counted.results = tally;
        counted
    }

    /// Frees spare capacity.
    pub(crate) fn rest(&mut self) {
        if !self.results.is_as_it_began() {
            self.results.rest();
        }
    }

    pub(crate) fn merge(&mut self, other: Self) {
        self.events += other.events;
        self.from_file.merge(other.from_file);
        self.posted_late.merge(other.posted_late);
        if !other.results.is_as_it_began() {
            self.results.merge(other.results.begun());
        }
    }

    /// The counts of this and of what came after it together. It leaves out the findings and past coups that
    /// `merge` would copy: those are long, and this is asked for while the log is judged.
    pub(crate) fn counts_with(&self, newer: &Self) -> Tally {
        let mut counts = self.counts();
        counts.merge(newer.counts());
        counts.events += self.events + newer.events;
        counts
    }

    /// The results, with all that is counted.
    pub(crate) fn into_tally(self) -> Tally {
        let mut tally = self.results.begun();
        tally.events += self.events;
        tally.summary.recorded_after_the_fact.merge(self.from_file);
        tally.summary.posted_late.merge(self.posted_late);
        tally
    }
}

/// The result of a coup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) verdict: CoupVerdict,
    /// Why it is undecided, where it is.
    pub(crate) reason: Reason,
    /// Whether a ruling, a void or a correction acts on it.
    pub(crate) ruled: bool,
}

/// A coup or shoe that is over: its sequences and its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Past {
    first: u64,
    last: u64,
    verdict: CoupVerdict,
    /// Why a shoe is undecided.
    #[serde(default)]
    reason: Option<Reason>,
}

/// Most past coups, and most past shoes, of one table that are remembered: a correction may still name an event of one.
const MAX_PAST: usize = Cap::PastCoups.most();

impl Tally {
    /// A coup is over.
    pub(crate) fn count(&mut self, outcome: Outcome) {
        self.summary.coups.add(outcome.verdict);
        match outcome.verdict {
            CoupVerdict::Undecided => *self.summary.undecided.entry(outcome.reason).or_default() += 1,
            CoupVerdict::Certified if outcome.ruled => self.summary.coups.subject_to_ruling += 1,
            CoupVerdict::Certified | CoupVerdict::Judged | CoupVerdict::Violated => {}
        }
    }

    /// Remembers the sequences of a coup that is over.
    pub(crate) fn remember(&mut self, (first, last): (u64, u64), verdict: CoupVerdict) {
        remember(&mut self.past_coups, Past { first, last: last.max(first), verdict, reason: None });
    }

    /// A shoe is over; `end` is the sequence of the event that ended it, which is not its own.
    pub(crate) fn end_shoe(&mut self, first: u64, end: u64, verdict: CoupVerdict, undecided: Option<Reason>) {
        self.summary.shoes.add(verdict);
        let reason = undecided.filter(|_| verdict == CoupVerdict::Undecided);
        if let Some(reason) = reason {
            *self.summary.undecided_shoes.entry(reason).or_default() += 1;
        }
        remember(&mut self.past_shoes, Past { first, last: end, verdict, reason });
    }

    /// Where the shoe was loaded that was in play under this sequence and is over.
    pub(crate) fn past_shoe(&self, sequence: u64) -> Option<u64> {
        let shoe =
            self.past_shoes.iter().rev().find(|shoe| shoe.first <= sequence && sequence < shoe.last)?;
        Some(shoe.first)
    }

    /// Whether this sequence follows all shoes that are over.
    pub(crate) fn follows_all_shoes(&self, sequence: u64) -> bool {
        self.past_shoes.back().is_none_or(|shoe| sequence >= shoe.last)
    }

    /// A shoe that is over, loaded at this sequence, is violated after all. `ledger_of` names the table where a ledger is
    /// kept.
    pub(crate) fn violate_shoe(&mut self, loaded: u64, ledger_of: Option<&str>) {
        let violated = |shoe: &Past| shoe.verdict == CoupVerdict::Violated;
        let shoe = self.past_shoes.iter_mut().rev().find(|shoe| shoe.first == loaded);
        let Some(shoe) = shoe.filter(|shoe| !violated(shoe)) else { return };
        let Summary { shoes, undecided_shoes, .. } = &mut self.summary;
        if shoe.verdict == CoupVerdict::Certified {
            shoes.certified = shoes.certified.saturating_sub(1);
        } else {
            shoes.undecided = shoes.undecided.saturating_sub(1);
        }
        if let Some(reason) = shoe.reason.take() {
            undecided_shoes.entry(reason).and_modify(|count| *count = count.saturating_sub(1));
            undecided_shoes.retain(|_, count| *count > 0);
        }
        shoes.violated += 1;
        shoe.verdict = CoupVerdict::Violated;
        if let Some(table) = ledger_of {
            let key = ShoeKey { table: table.to_owned(), loaded };
            self.ledger.get_or_insert_default().end_shoe(key, None, CoupVerdict::Violated);
        }
    }

    /// An event of a shoe that is over should have said something else, and is not judged again: the shoe
    /// and the coup it belongs to are certified no longer. `ledger_of` names the table where a ledger is kept.
    pub(crate) fn reopen(&mut self, sequence: u64, ledger_of: Option<&str>) {
        self.out_of_reach += 1;
        let key = |loaded| ledger_of.map(|table| ShoeKey { table: table.to_owned(), loaded });
        let of_coup = key(self.past_shoe(sequence).unwrap_or_default());
        // Where the result of the coup is forgotten, it may be any that was certified.
        let forgotten = is_before(&self.past_coups, sequence) && self.summary.coups.certified > 0;
        let reason = if forgotten { Reason::MoreThanKept } else { Reason::Corrected };
        if reopen(&mut self.past_coups, sequence).is_some() || forgotten {
            // Where coups are shown, it is known which one it is, however long ago it was.
            let held = |view: &&mut CoupView| {
                (view.sequences.0..=view.sequences.1).contains(&sequence)
                    && view.verdict == CoupVerdict::Certified
            };
            for view in self.coup_views.iter_mut().filter(held) {
                (view.verdict, view.undecided) = (CoupVerdict::Undecided, Some(reason));
                view.subject_to_ruling = false;
            }
            if let Some(key) = of_coup {
                let ledger = self.ledger.get_or_insert_default();
                ledger.coup(key.clone(), None, (CoupVerdict::Certified, false), -1);
                ledger.coup(key, None, (CoupVerdict::Undecided, false), 1);
            }
            self.summary.coups.certified = self.summary.coups.certified.saturating_sub(1);
            self.summary.coups.subject_to_ruling =
                self.summary.coups.subject_to_ruling.min(self.summary.coups.certified);
            self.summary.coups.undecided += 1;
            *self.summary.undecided.entry(reason).or_default() += 1;
        }
        if is_before(&self.past_shoes, sequence) && self.summary.shoes.certified > 0 {
            // Nor is it known which result the shoe had.
            self.summary.shoes.certified -= 1;
            self.summary.shoes.undecided += 1;
            *self.summary.undecided_shoes.entry(Reason::MoreThanKept).or_default() += 1;
        } else if let Some(shoe) = reopen(&mut self.past_shoes, sequence) {
            shoe.reason = Some(Reason::Corrected);
            self.summary.shoes.certified = self.summary.shoes.certified.saturating_sub(1);
            self.summary.shoes.undecided += 1;
            *self.summary.undecided_shoes.entry(Reason::Corrected).or_default() += 1;
            if let Some(key) = key(shoe.first) {
                self.ledger.get_or_insert_default().end_shoe(key, None, CoupVerdict::Undecided);
            }
        }
    }

    /// Whether an event of this number may be of a coup, or of a shoe, whose result is forgotten.
    pub(crate) fn has_forgotten(&self, sequence: u64) -> bool {
        is_before(&self.past_coups, sequence) || is_before(&self.past_shoes, sequence)
    }

    fn counts(&self) -> Self {
        let Summary { coups, shoes, undecided, findings_by_code, .. } = &self.summary;
        let (undecided, findings_by_code) = (undecided.clone(), findings_by_code.clone());
        let summary =
            Summary { coups: *coups, shoes: *shoes, undecided, findings_by_code, ..Summary::default() };
        Self { events: self.events, summary, ..Self::default() }
    }

    fn rest(&mut self) {
        self.past_coups.shrink_to_fit();
        self.past_shoes.shrink_to_fit();
    }

    pub(crate) fn merge(&mut self, other: Self) {
        self.events += other.events;
        self.summary.merge(other.summary);
        self.repeated += other.repeated;
        self.out_of_reach += other.out_of_reach;
        other.past_coups.into_iter().for_each(|past| remember(&mut self.past_coups, past));
        other.past_shoes.into_iter().for_each(|past| remember(&mut self.past_shoes, past));
        self.kept.absorb(other.kept);
        if let Some(ledger) = other.ledger {
            self.ledger.get_or_insert_default().merge(*ledger);
        }
        let left = MAX_COUP_VIEWS.saturating_sub(self.coup_views.len());
        self.coup_views.extend(other.coup_views.into_iter().take(left));
        self.listed.extend(other.listed);
        self.commission.extend(other.commission);
    }
}

/// Whether an event came before the oldest of as many as are remembered.
fn is_before(past: &VecDeque<Past>, sequence: u64) -> bool {
    past.len() >= MAX_PAST && past.front().is_some_and(|oldest| sequence < oldest.first)
}

fn remember(past: &mut VecDeque<Past>, one: Past) {
    if past.len() >= MAX_PAST {
        past.pop_front();
    }
    past.push_back(one);
}

/// The one that was certified, and is undecided now.
fn reopen(past: &mut VecDeque<Past>, sequence: u64) -> Option<&mut Past> {
    let held = |past: &&mut Past| past.first <= sequence && sequence <= past.last;
    let past = past.iter_mut().rev().find(held)?;
    (past.verdict == CoupVerdict::Certified).then(|| {
        past.verdict = CoupVerdict::Undecided;
        past
    })
}
