//! A log that was read and judged once; tables and shoes are judged again on request.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use desk::{Findings, LogFacts, ShoeFacts, ShoeRow, Source, TableFacts, Unavailable, Wanted};
use replay::{CoupView, Finding, Judge, Judgement, Ledger, Report, ShoeLine, ShoeMarks, TableState};
use tempfile::NamedTempFile;
use tlog::checkpoint::SignedCheckpoint;
use tlog::policy::Witnessed;

use crate::cli::LogRead;
use crate::failure::Failure;
use crate::judging;
use crate::log::OpenedLog;
use crate::program::PROGRAM;
use crate::trust::Trust;

/// Shoes and tables that were judged and are kept.
const KEPT: usize = 16;
/// Findings of a table on its own page.
const OF_A_TABLE: usize = 20;

/// What is judged again: a table with its ledger, or with views of some coups.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Table(String),
    Coups(replay::Wanted),
}

impl Part {
    /// The coups of a shoe, or one of them. What was played without a shoe is among the coups of the whole table.
    fn of(table: &str, shoe: Option<&str>, coup: Option<u32>) -> Self {
        Self::Coups(replay::Wanted { table: Some(table.to_owned()), shoe: shoe.map(str::to_owned), coup })
    }

    fn table(&self) -> &str {
        match self {
            Self::Table(table) => table,
            Self::Coups(wanted) => wanted.table.as_deref().unwrap_or_default(),
        }
    }
}

/// A part of the log, judged again.
struct Again {
    judgement: Judgement,
    marks: Option<ShoeMarks>,
}

/// A log that was read once.
pub(super) struct ReadOnce {
    opened: OpenedLog,
    _copied: Option<NamedTempFile>,
    report: Arc<Report>,
    witnessed: Option<Witnessed>,
    checkpoint: Option<SignedCheckpoint>,
    approved: Option<BTreeSet<String>>,
    states: BTreeMap<String, TableState>,
    ledger: Ledger,
    /// The newest last.
    judged: Mutex<Vec<(Part, Arc<Again>)>>,
}

impl ReadOnce {
    /// Reads the log. Another reading of it must find the same, so a served log or a stream is copied first.
    pub(super) fn read(log: &LogRead, trust: Trust) -> Result<Self, Failure> {
        let (opened, copied) = OpenedLog::open_to_verify(log, trust.key())?.that_reads_again()?;
        let mut judge = Judge::with_ledger(trust.approved.clone());
        let mut seal =
            judging::read_opened(&opened, &log.log, trust.expectations(), &mut [&mut judge], |_| {
                replay::Footprint::default()
            })?;
        let witnessed = trust.witnessed(&mut seal);
        let checkpoint = seal.checkpoint.clone();
        let (mut judgement, _, mut states) = judge.finish_by_table();
        let mut ledger = std::mem::take(&mut judgement.ledger);
        let report = Arc::new(Report::new(seal, judgement).judged_by(PROGRAM));
        if report.verdicts.intact != replay::Verdict::Yes {
            ledger = ledger.unsealed();
            states.values_mut().for_each(|state| state.coups = state.coups.unsealed());
        }
        Ok(Self {
            opened,
            _copied: copied,
            report,
            witnessed,
            checkpoint,
            approved: trust.approved,
            states,
            ledger,
            judged: Mutex::default(),
        })
    }

    /// A part of the log, judged again or kept.
    fn judged(&self, part: Part) -> Result<Arc<Again>, Unavailable> {
        let mut kept = self.judged.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = kept.iter().position(|(known, _)| *known == part) {
            let found = kept.remove(at);
            let again = Arc::clone(&found.1);
            kept.push(found);
            return Ok(again);
        }
        // While one is judged the others wait: each reads the whole log.
        let again = Arc::new(self.judge_again(&part).map_err(|failure| Unavailable::Now(failure.message))?);
        if kept.len() >= KEPT {
            kept.remove(0);
        }
        kept.push((part, Arc::clone(&again)));
        Ok(again)
    }

    fn judge_again(&self, part: &Part) -> Result<Again, Failure> {
        let (mut judge, mut marks) = match part {
            Part::Table(_) => (Judge::with_ledger(self.approved.clone()), None),
            Part::Coups(wanted) => (
                Judge::new(self.approved.clone(), Some(wanted.clone())),
                wanted.shoe.as_deref().map(ShoeMarks::new),
            ),
        };
        let mut own = judging::LogEntries::default();
        self.opened.read_again(|window| {
            let mut entries = own.of(&window);
            entries.retain(|entry| entry.table == part.table());
            if let Some(marks) = &mut marks {
                marks.read(&entries);
            }
            judge.judge(&entries);
        })?;
        let mut judgement = judge.finish();
        if !self.is_sealed() {
            let unsealed = |coup: &mut CoupView| coup.verdict = coup.verdict.unsealed();
            judgement.coup_views.iter_mut().for_each(unsealed);
            judgement.ledger = std::mem::take(&mut judgement.ledger).unsealed();
        }
        Ok(Again { judgement, marks })
    }

    fn facts(&self, table: &str, shoe: Option<&str>, coup: Option<u32>) -> Result<ShoeFacts, Unavailable> {
        if !self.states.contains_key(table) {
            return Err(Unavailable::NotThere);
        }
        let again = self.judged(Part::of(table, shoe, coup))?;
        let facts = ShoeFacts::of(&again.judgement, shoe, self.is_sealed()).ok_or(Unavailable::NotThere)?;
        Ok(ShoeFacts { marks: again.marks.clone(), ..facts })
    }

    fn is_sealed(&self) -> bool {
        self.report.verdicts.intact == replay::Verdict::Yes
    }
}

impl Source for ReadOnce {
    fn log(&self) -> Result<LogFacts, Unavailable> {
        let checkpoint = self.checkpoint.as_ref().map(|signed| signed.text().to_owned());
        Ok(LogFacts {
            report: Arc::clone(&self.report),
            witnessed: self.witnessed.clone(),
            checkpoint,
            live: None,
        })
    }

    fn tables_after(&self, name: &str, most: usize) -> Result<Vec<TableState>, Unavailable> {
        let behind = (std::ops::Bound::Excluded(name), std::ops::Bound::Unbounded);
        Ok(self.states.range::<str, _>(behind).take(most).map(|(_, state)| state.clone()).collect())
    }

    fn table(&self, name: &str) -> Result<TableFacts, Unavailable> {
        let state = self.states.get(name).cloned().ok_or(Unavailable::NotThere)?;
        let found: u64 = state.findings_by_code.values().sum();
        let listed = of_table(&self.report.findings, name);
        // Of a large log not everything is at hand.
        let is_short = (listed.len() as u64) < found.min(OF_A_TABLE as u64);
        if self.ledger.shoes.is_cut() || is_short {
            let again = self.judged(Part::Table(name.to_owned()))?;
            let Judgement { ledger, findings, .. } = &again.judgement;
            let (shoes, has_older) = shoes(ledger, name);
            return Ok(TableFacts { state, shoes, has_older, findings: of_table(findings, name) });
        }
        let (shoes, has_older) = shoes(&self.ledger, name);
        Ok(TableFacts { state, shoes, has_older, findings: listed })
    }

    fn shoe(&self, table: &str, shoe: Option<&str>) -> Result<ShoeFacts, Unavailable> {
        self.facts(table, shoe, None)
    }

    fn coup(&self, table: &str, shoe: Option<&str>, coup: u32) -> Result<ShoeFacts, Unavailable> {
        self.facts(table, shoe, Some(coup))
    }

    fn findings(&self, wanted: &Wanted) -> Result<Findings, Unavailable> {
        Ok(Findings::of(&self.report, wanted))
    }
}

/// The first findings of a table.
fn of_table(findings: &[Finding], name: &str) -> Vec<Finding> {
    findings.iter().filter(|finding| finding.table == name).take(OF_A_TABLE).cloned().collect()
}

/// The shoes of a table in the order in which they were played, and whether there are more.
fn shoes(ledger: &Ledger, name: &str) -> (Vec<ShoeRow>, bool) {
    let of_table = ledger.shoes.iter().filter(|(key, _)| key.table == name);
    let row = |line: &ShoeLine| ShoeRow {
        shoe: line.shoe.clone(),
        coups: Some(line.coups()),
        findings: Some(line.findings),
    };
    (of_table.map(|(_, line)| row(line)).collect(), ledger.shoes.is_cut())
}
