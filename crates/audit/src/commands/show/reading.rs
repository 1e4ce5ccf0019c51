//! Reads a log for the coups that were asked for: the state of the seal, and what is missing from this
//! copy.

use std::collections::BTreeSet;
use std::path::Path;

use replay::{CoupVerdict, CoupView, Judge, Judgement, MAX_COUP_VIEWS, Wanted};
use sealed_log::notice::Notice;
use sealed_log::reader::{Expectations, SealReport};

use crate::cli::LogRead;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::judging;
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
}

pub(super) fn read(log: &LogRead, wanted: Wanted) -> Result<Reading, Failure> {
    let table = wanted.table.clone();
    let mut judge = Judge::new(None, Some(wanted));
    let mut gone = BTreeSet::new();
    let seal = judging::read_for(log, Expectations::default(), &mut [&mut judge], |entries| {
        let of_table = |name: &str| table.as_deref().is_none_or(|table| table == name);
        let withheld = entries.iter().filter(|entry| entry.withheld && of_table(entry.table));
        gone.extend(withheld.take(MAX_COUP_VIEWS - gone.len().min(MAX_COUP_VIEWS)).map(|entry| entry.index));
    })?;
    let table_there = table.as_deref().is_none_or(|table| judge.table_state(table).is_some());
    let (view, withheld) = (SealView::of(&seal), said_of_withheld(&gone, &seal));
    let mut judgement = judge.finish();
    if !view.holds() {
        judgement.coup_views.iter_mut().for_each(|coup| coup.verdict = coup.verdict.unsealed());
    }
    if judgement.coup_views.len() >= MAX_COUP_VIEWS {
        output::note(&format!(
            "only the first {MAX_COUP_VIEWS} coups of each table are shown; name one shoe to see the others"
        ));
    }
    Ok(Reading { seal: view, judgement, table_there, withheld })
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
        Notice::KeyRotated(_) | Notice::Unknown { .. } => None,
    });
    let notices: BTreeSet<u64> = notices.collect();
    let (entries, said_by) = (named(gone), named(&notices));
    Some(if notices.is_empty() {
        format!("the payload of {entries} is withheld")
    } else {
        format!("the payload of {entries} is erased, as recorded in {said_by}")
    })
}

/// `entry 7`, `entries 7, 9 and more`.
fn named(indexes: &BTreeSet<u64>) -> String {
    let first: Vec<String> = indexes.iter().take(NAMED).map(u64::to_string).collect();
    let what = if indexes.len() == 1 { "entry" } else { "entries" };
    let more = if indexes.len() > NAMED { " and more" } else { "" };
    format!("{what} {}{more}", first.join(", "))
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
            _ if !self.seal.holds() => self.seal.not_there(log, json, format!("{name} shows {what}")),
            Some(withheld) => Ok(Failure {
                exit: Exit::Open,
                message: format!("{name} shows {what}, but {withheld}: it may have been in there"),
            }),
            None => Ok(Failure::usage(format!("{name} has {what}; audit show table lists what it has"))),
        }
    }
}
