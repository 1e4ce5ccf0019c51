//! What pages are made of, as whoever has a log hands it over.

use std::collections::BTreeSet;
use std::sync::Arc;

use replay::{
    CommissionView, Counts, CoupView, Finding, Judgement, Read, Report, RulebookUsed, Seal, Summary,
    TableState, Verdict, Verdicts,
};
use tlog::policy::Witnessed;

/// What is known of a whole log.
#[derive(Debug)]
pub struct LogFacts {
    /// What verifying the log came to.
    pub report: Arc<Report>,
    /// What witnesses said, where they were asked for.
    pub witnessed: Option<Witnessed>,
    /// The newest signed checkpoint as its text.
    pub checkpoint: Option<String>,
    /// How far a log was judged that is still being written; none of a log that was read once.
    pub live: Option<Live>,
}

/// How far a log was judged that is still being written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Live {
    /// Entries judged.
    pub judged: u64,
    /// Entries sealed.
    pub size: u64,
    /// Why nothing more is judged, where that is so.
    pub stopped: Option<String>,
}

impl LogFacts {
    pub(crate) fn verdicts(&self) -> Verdicts {
        self.report.verdicts
    }

    pub(crate) fn summary(&self) -> &Summary {
        &self.report.summary
    }

    pub(crate) fn seal(&self) -> &Seal {
        &self.report.seal
    }

    pub(crate) fn read(&self) -> Read {
        self.report.read
    }

    /// Whether what was judged is shown to be what was sealed.
    pub(crate) fn is_sealed(&self) -> bool {
        self.report.verdicts.intact == Verdict::Yes
    }
}

/// A table, and the shoes that are known of it.
#[derive(Debug, Clone)]
pub struct TableFacts {
    /// How it stands.
    pub state: TableState,
    /// Its shoes, oldest first.
    pub shoes: Vec<ShoeRow>,
    /// Whether it has older shoes than these.
    pub has_older: bool,
    /// What was found there, the first of it.
    pub findings: Vec<Finding>,
}

/// A shoe in a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShoeRow {
    /// Its name; none for what was played without one.
    pub shoe: Option<String>,
    /// Its coups by result, where they were judged for this list.
    pub coups: Option<Counts>,
    /// How many findings it has, where they are known.
    pub findings: Option<u64>,
}

/// One shoe, judged.
#[derive(Debug, Clone)]
pub struct ShoeFacts {
    /// Its coups in the order of play.
    pub coups: Vec<CoupView>,
    /// What was found of the shoe itself, outside its coups.
    pub findings: Vec<Finding>,
    /// What its boxes came to.
    pub boxes: Vec<CommissionView>,
    /// The rulebooks that its coups were judged by.
    pub rulebooks: Vec<RulebookUsed>,
    /// Whether the bytes that were judged are shown to be those sealed.
    pub is_sealed: bool,
}

impl ShoeFacts {
    /// One shoe of a judgement that made views of its coups; `None` where it has none under this name.
    #[must_use]
    pub fn of(judgement: &Judgement, shoe: Option<&str>, is_sealed: bool) -> Option<Self> {
        let of_shoe = |name: &Option<String>| name.as_deref() == shoe;
        let coups: Vec<CoupView> =
            judgement.coup_views.iter().filter(|coup| of_shoe(&coup.shoe)).cloned().collect();
        let shown: BTreeSet<u32> = coups.iter().map(|coup| coup.coup).collect();
        let beside = |finding: &&Finding| {
            of_shoe(&finding.shoe) && finding.coup.is_none_or(|number| !shown.contains(&number))
        };
        let findings: Vec<Finding> = judgement.findings.iter().filter(beside).cloned().collect();
        let boxes = judgement.commission.iter().filter(|one| of_shoe(&one.shoe)).cloned().collect();
        let rulebooks = judgement.summary.rulebooks.clone();
        let is_there = !coups.is_empty() || !findings.is_empty();
        is_there.then_some(Self { coups, findings, boxes, rulebooks, is_sealed })
    }
}

/// Which findings are asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Only this table.
    pub table: Option<String>,
    /// Only this code.
    pub code: Option<String>,
    /// So many of them are passed over.
    pub skipped: usize,
    /// At most so many.
    pub most: usize,
}

/// Some of the findings of a log.
#[derive(Debug, Clone, Default)]
pub struct Findings {
    /// Those asked for, in log order, with what follows from them.
    pub list: Vec<Finding>,
    /// How many there are of this kind; not all may be listed.
    pub total: u64,
}

impl Findings {
    /// Those of a report; it lists the first of many, and counts all.
    #[must_use]
    pub fn of(report: &Report, wanted: &Wanted) -> Self {
        let is_wanted = |finding: &&Finding| {
            wanted.table.as_ref().is_none_or(|table| *table == finding.table)
                && wanted.code.as_ref().is_none_or(|code| code == finding.code.as_str())
        };
        let listed = || report.findings.iter().filter(is_wanted);
        let of_code = |code: &str| wanted.code.as_ref().is_none_or(|wanted| wanted == code);
        let counts = report.summary.findings_by_code.iter().filter(|(code, _)| of_code(code.as_str()));
        let total = match wanted.table {
            None => counts.map(|(_, count)| count).sum(),
            Some(_) => listed().filter(|finding| finding.cause.is_none()).count() as u64,
        };
        Self { list: listed().skip(wanted.skipped).take(wanted.most).cloned().collect(), total }
    }
}

/// Why a page cannot be made now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unavailable {
    /// There is no such thing in the log.
    NotThere,
    /// The log is being read for the first time.
    NotYet,
    /// It cannot be read now; why, for people.
    Now(String),
}

/// A log as pages ask for it.
pub trait Source {
    /// What is known of the log as a whole.
    ///
    /// # Errors
    /// If the log cannot be read now.
    fn log(&self) -> Result<LogFacts, Unavailable>;

    /// The tables whose names come after this one, by name, at most so many.
    ///
    /// # Errors
    /// If they cannot be read now.
    fn tables_after(&self, name: &str, most: usize) -> Result<Vec<TableState>, Unavailable>;

    /// One table.
    ///
    /// # Errors
    /// If there is no such table, or it cannot be read now.
    fn table(&self, name: &str) -> Result<TableFacts, Unavailable>;

    /// One shoe; `None` stands for what was played without one.
    ///
    /// # Errors
    /// If there is no such shoe, or it cannot be read now.
    fn shoe(&self, table: &str, shoe: Option<&str>) -> Result<ShoeFacts, Unavailable>;

    /// Findings.
    ///
    /// # Errors
    /// If they cannot be read now.
    fn findings(&self, wanted: &Wanted) -> Result<Findings, Unavailable>;
}
