//! A log that was read and judged once; tables and shoes are judged again on request.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use desk::{Findings, LogFacts, ShoeFacts, ShoeRow, Source, TableFacts, Unavailable, Wanted};
use replay::{Counts, CoupView, Judge, Judgement, Report, ShoeMarks, TableState};
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

/// A table, and one of its shoes; none for the whole table.
type Key = (String, Option<String>);

/// A table or a shoe, judged again.
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
    /// The newest last.
    judged: Mutex<Vec<(Key, Arc<Again>)>>,
}

impl ReadOnce {
    /// Reads the log. Another reading of it must find the same, so a served log or a stream is copied first.
    pub(super) fn read(log: &LogRead, trust: Trust) -> Result<Self, Failure> {
        let (opened, copied) = OpenedLog::open_to_verify(log)?.that_reads_again()?;
        let mut judge = Judge::new(trust.approved.clone(), None);
        let mut seal =
            judging::read_opened(&opened, &log.log, trust.expectations(), &mut [&mut judge], |_| 0)?;
        let witnessed = trust.witnessed(&mut seal);
        let checkpoint = seal.checkpoint.clone();
        let (judgement, _, mut states) = judge.finish_by_table();
        let report = Arc::new(Report::new(seal, judgement).judged_by(PROGRAM));
        if report.verdicts.intact != replay::Verdict::Yes {
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
            judged: Mutex::default(),
        })
    }

    /// A table or a shoe, judged with views of its coups.
    fn judged(&self, table: &str, shoe: Option<&str>) -> Result<Arc<Again>, Unavailable> {
        let key: Key = (table.to_owned(), shoe.map(str::to_owned));
        let mut kept = self.judged.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = kept.iter().position(|(known, _)| *known == key) {
            let found = kept.remove(at);
            let again = Arc::clone(&found.1);
            kept.push(found);
            return Ok(again);
        }
        // While one is judged the others wait: each reads the whole log.
        let again = Arc::new(self.judge_again(&key).map_err(|failure| Unavailable::Now(failure.message))?);
        if kept.len() >= KEPT {
            kept.remove(0);
        }
        kept.push((key, Arc::clone(&again)));
        Ok(again)
    }

    fn judge_again(&self, (table, shoe): &Key) -> Result<Again, Failure> {
        let wanted = replay::Wanted { table: Some(table.clone()), shoe: shoe.clone(), coup: None };
        let mut judge = Judge::new(self.approved.clone(), Some(wanted));
        let mut marks = shoe.as_deref().map(ShoeMarks::new);
        self.opened.read_again(|window| {
            let mut entries = judging::entries(&window);
            entries.retain(|entry| entry.table == table);
            if let Some(marks) = &mut marks {
                marks.read(&entries);
            }
            judge.judge(&entries);
        })?;
        let mut judgement = judge.finish();
        if !self.is_sealed() {
            let unsealed = |coup: &mut CoupView| coup.verdict = coup.verdict.unsealed();
            judgement.coup_views.iter_mut().for_each(unsealed);
        }
        Ok(Again { judgement, marks })
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
        let again = self.judged(name, None)?;
        let judgement = &again.judgement;
        let findings = judgement.findings.iter().take(OF_A_TABLE).cloned().collect();
        let has_older = judgement.coup_views.len() >= replay::MAX_COUP_VIEWS;
        Ok(TableFacts { state, shoes: shoes(judgement), has_older, findings })
    }

    fn shoe(&self, table: &str, shoe: Option<&str>) -> Result<ShoeFacts, Unavailable> {
        if !self.states.contains_key(table) {
            return Err(Unavailable::NotThere);
        }
        // What was played without a shoe is among the coups of the whole table.
        let again = self.judged(table, shoe)?;
        let facts = ShoeFacts::of(&again.judgement, shoe, self.is_sealed()).ok_or(Unavailable::NotThere)?;
        Ok(ShoeFacts { marks: again.marks.clone(), ..facts })
    }

    fn findings(&self, wanted: &Wanted) -> Result<Findings, Unavailable> {
        Ok(Findings::of(&self.report, wanted))
    }
}

/// The shoes of a judged table, in the order in which they were played.
fn shoes(judgement: &Judgement) -> Vec<ShoeRow> {
    let mut rows: Vec<ShoeRow> = Vec::new();
    for coup in &judgement.coup_views {
        let at = rows.iter().rposition(|row| row.shoe == coup.shoe);
        let at = at.unwrap_or_else(|| {
            rows.push(ShoeRow { shoe: coup.shoe.clone(), coups: Some(Counts::default()), findings: Some(0) });
            rows.len() - 1
        });
        if let Some(counts) = &mut rows[at].coups {
            match coup.subject_to_ruling {
                true => counts.add_subject_to_ruling(coup.verdict),
                false => counts.add(coup.verdict),
            }
        }
    }
    for finding in
        judgement.findings.iter().filter(|finding| finding.cause.is_none() && finding.shoe.is_some())
    {
        match rows.iter_mut().rfind(|row| row.shoe == finding.shoe) {
            Some(row) => row.findings = row.findings.map(|count| count + 1),
            None => rows.push(ShoeRow {
                shoe: finding.shoe.clone(),
                coups: Some(Counts::default()),
                findings: Some(1),
            }),
        }
    }
    rows
}
