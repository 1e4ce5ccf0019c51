//! Reads a log for the coups that were asked for: the state of the seal, and what is missing from this
//! copy.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use replay::{CoupVerdict, CoupView, Finding, Judge, Judgement, MAX_COUP_VIEWS, Wanted};
use sealed_log::notice::Notice;
use sealed_log::reader::{Expectations, SealReport};

use crate::cli::LogRead;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::judging;
use crate::language::texts;
use crate::output;
use crate::seal_view::SealView;

/// Withheld entries of a table that are named.
const NAMED: usize = 5;

/// What was asked for.
pub(super) struct Reading {
    pub(super) seal: SealView,
    pub(super) judgement: Judgement,
    /// Whether the table that was asked for is in the log; yes where none was named.
    pub(super) table_there: bool,
    /// Why something may be missing: payloads of the table that are withheld or erased.
    pub(super) withheld: Option<String>,
    /// How many findings there are of each table and shoe, whether or not they belong to a coup.
    pub(super) found: FindingCounts,
}

/// Findings by table and shoe. Those that follow from others are not counted.
#[derive(Default)]
pub(super) struct FindingCounts(BTreeMap<(String, Option<String>), u64>);

impl FindingCounts {
    fn add(&mut self, findings: &[Finding]) {
        for finding in findings.iter().filter(|finding| finding.cause.is_none()) {
            *self.0.entry((finding.table.clone(), finding.shoe.clone())).or_default() += 1;
        }
    }

    /// Takes the number of one shoe.
    pub(super) fn take(&mut self, table: &str, shoe: Option<&str>) -> u64 {
        self.0.remove(&(table.to_owned(), shoe.map(str::to_owned))).unwrap_or_default()
    }

    /// What was not taken yet: table, shoe and number.
    pub(super) fn rest(self) -> impl Iterator<Item = (String, Option<String>, u64)> {
        self.0.into_iter().map(|((table, shoe), count)| (table, shoe, count))
    }
}

pub(super) fn read(log: &LogRead, wanted: Wanted) -> Result<Reading, Failure> {
    let table = wanted.table.clone();
    let mut judge = Judge::new(None, Some(wanted));
    let (mut gone, mut found) = (BTreeSet::new(), FindingCounts::default());
    let seal = judging::read_for(log, Expectations::default(), &mut [], |entries| {
        found.add(&judge.judge_settling(entries));
        let of_table = |name: &str| table.as_deref().is_none_or(|table| table == name);
        let withheld = entries.iter().filter(|entry| entry.withheld && of_table(entry.table));
        gone.extend(withheld.take(MAX_COUP_VIEWS - gone.len().min(MAX_COUP_VIEWS)).map(|entry| entry.index));
        judge.footprint()
    })?;
    let table_there = table.as_deref().is_none_or(|table| judge.table_state(table).is_some());
    let (view, withheld) = (SealView::of(&seal), said_of_withheld(&gone, &seal));
    let (mut judgement, at_the_end) = judge.finish_reporting();
    found.add(&at_the_end);
    if !view.holds() {
        judgement.coup_views.iter_mut().for_each(|coup| coup.verdict = coup.verdict.unsealed());
    }
    if judgement.coup_views.len() >= MAX_COUP_VIEWS {
        output::note(&texts().only_first_coups(MAX_COUP_VIEWS));
    }
    Ok(Reading { seal: view, judgement, table_there, withheld, found })
}

/// Which payloads are gone, and which entries say so.
fn said_of_withheld(gone: &BTreeSet<u64>, seal: &SealReport) -> Option<String> {
    if gone.is_empty() {
        return None;
    }
    let notices = seal.notices.iter().filter_map(|(notice, said)| match said {
        Notice::EntriesRedacted(redaction) => {
            redaction.entries.iter().any(|(index, _)| gone.contains(index)).then_some(*notice)
        }
        Notice::KeyRotated(_) | Notice::LogContinued(_) | Notice::LogClosed(_) | Notice::Unknown { .. } => {
            None
        }
    });
    let notices: BTreeSet<u64> = notices.collect();
    let entries = named(gone);
    Some(if notices.is_empty() {
        texts().payload_withheld_of(entries)
    } else {
        texts().payload_erased_of(entries, named(&notices))
    })
}

/// `entry 7`, `entries 7, 9 and more`.
fn named(indexes: &BTreeSet<u64>) -> String {
    let first: Vec<String> = indexes.iter().take(NAMED).map(u64::to_string).collect();
    let more = if indexes.len() > NAMED { texts().and_more() } else { String::new() };
    let listed = format!("{}{more}", first.join(", "));
    if indexes.len() == 1 { texts().the_entry(listed) } else { texts().the_entries(listed) }
}

/// The exit status for one coup.
pub(super) const fn exit_of(verdict: CoupVerdict) -> Exit {
    match verdict {
        CoupVerdict::Certified | CoupVerdict::Judged => Exit::Good,
        CoupVerdict::Violated => Exit::Findings,
        CoupVerdict::Undecided => Exit::Open,
    }
}

impl Reading {
    /// The exit status for these coups and the log's seal.
    pub(super) fn exit(&self) -> Exit {
        self.judgement
            .coup_views
            .iter()
            .fold(self.seal.exit(), |exit, coup| exit.worse(exit_of(coup.verdict)))
    }

    pub(super) fn coups(&self) -> &[CoupView] {
        &self.judgement.coup_views
    }

    /// The failure for something that was not found: because of the seal, because it may be in a withheld
    /// payload, or because it never existed.
    pub(super) fn not_there(&self, log: &Path, json: bool, what: &str) -> Result<Failure, Failure> {
        let name = log.display();
        match &self.withheld {
            _ if !self.seal.holds() => self.seal.not_there(log, json, texts().shows(name, what)),
            Some(withheld) => {
                Ok(Failure { exit: Exit::Open, message: texts().may_have_been(name, what, withheld) })
            }
            None => Ok(Failure::usage(texts().has_not(name, what))),
        }
    }
}
