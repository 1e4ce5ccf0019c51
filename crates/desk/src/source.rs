//! What pages are made of, as whoever has a log hands it over.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use crate::pages::house::House;
use replay::{
    Code, CommissionView, Counts, CoupView, Finding, Judgement, MAX_COUP_VIEWS, Read, Report, RulebookUsed,
    Seal, Severity, ShoeMarks, Summary, TableState, Verdict, Verdicts,
};
use texts::Texts;
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
    /// What witnesses answered last; none where the service asks none.
    pub witnesses: Option<Witnesses>,
}

/// What the witnesses of a log that is being written answered last.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Witnesses {
    /// Entries of the newest checkpoint that enough of them signed, and who signed it.
    pub signed: Option<(u64, Vec<String>)>,
    /// What they hold against the log, a sentence each.
    pub contradictions: Vec<String>,
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

    /// Groups of tables whose ids look alike.
    pub(crate) fn look_alike_tables(&self) -> &[Vec<String>] {
        &self.report.look_alike_tables
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
    /// Its coups in the order of play, at most [`MAX_COUP_VIEWS`].
    pub coups: Vec<CoupView>,
    /// Whether there may be more of them.
    pub is_cut: bool,
    /// What was found of the shoe itself, outside its coups.
    pub findings: Vec<Finding>,
    /// What its boxes came to.
    pub boxes: Vec<CommissionView>,
    /// The rulebooks that its coups were judged by.
    pub rulebooks: Vec<RulebookUsed>,
    /// Whether the bytes that were judged are shown to be those sealed.
    pub is_sealed: bool,
    /// Its burn and its cut card, as they were recorded; none of what was played without a shoe.
    pub marks: Option<ShoeMarks>,
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
        let is_cut = judgement.coup_views.len() >= MAX_COUP_VIEWS;
        let is_there = !coups.is_empty() || !findings.is_empty();
        is_there.then_some(Self { coups, is_cut, findings, boxes, rulebooks, is_sealed, marks: None })
    }
}

/// In which order findings are listed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Order {
    /// As the log has them, the first one first.
    #[default]
    Oldest,
    /// As the log has them, the last one first.
    Newest,
    /// Those that moved the most money first.
    Money,
    /// Violations before what is incomplete.
    Severity,
}

impl Order {
    /// Every order.
    pub const ALL: [Self; 4] = [Self::Oldest, Self::Newest, Self::Money, Self::Severity];

    /// As it stands in an address.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Oldest => "oldest",
            Self::Newest => "newest",
            Self::Money => "money",
            Self::Severity => "severity",
        }
    }

    /// Sorts findings in log order; what is equal keeps its place.
    fn sort(self, findings: &mut [&Finding]) {
        match self {
            Self::Oldest => {}
            Self::Newest => findings.reverse(),
            Self::Money => findings.sort_by_cached_key(|finding| Reverse(finding.moved())),
            Self::Severity => findings.sort_by_key(|finding| match finding.severity {
                Severity::Violation => 0,
                Severity::Incomplete => 1,
            }),
        }
    }
}

/// Which findings are asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Only this table.
    pub table: Option<String>,
    /// Only this code.
    pub code: Option<String>,
    /// Only this severity.
    pub severity: Option<Severity>,
    /// In which order.
    pub order: Order,
    /// So many of them are passed over, of those that do not follow from another in the list.
    pub skipped: usize,
    /// At most so many of these.
    pub most: usize,
}

impl Wanted {
    fn includes(&self, finding: &Finding) -> bool {
        self.table.as_ref().is_none_or(|table| *table == finding.table)
            && self.code.as_ref().is_none_or(|code| code == finding.code.as_str())
            && self.severity.is_none_or(|severity| severity == finding.severity)
    }
}

/// Some of the findings of a log.
#[derive(Debug, Clone, Default)]
pub struct Findings {
    /// Those asked for in their order, each before those that follow from it.
    pub list: Vec<Finding>,
    /// How many were passed over: those asked for, or fewer where the list is shorter.
    pub skipped: usize,
    /// How many the list holds that do not follow from another in it.
    pub listed: usize,
    /// How many there are of this kind; not all may be listed.
    pub total: u64,
}

impl Findings {
    /// Those of a report; it lists the first of many, and counts all.
    #[must_use]
    pub fn of(report: &Report, wanted: &Wanted) -> Self {
        let listed: Vec<&Finding> =
            report.findings.iter().filter(|finding| wanted.includes(finding)).collect();
        let roots: BTreeSet<_> = listed.iter().filter_map(|finding| finding.as_cause()).collect();
        let follows =
            |finding: &&Finding| finding.cause.is_some_and(|cause| roots.contains(&(&*finding.table, cause)));
        let (following, mut alone): (Vec<&Finding>, Vec<&Finding>) =
            listed.iter().partition(|one| follows(one));
        wanted.order.sort(&mut alone);
        let listed = alone.len();
        // A page behind the last one is the last one: a list that shrank is not an empty list.
        let last = listed.saturating_sub(1) / wanted.most.max(1) * wanted.most;
        let skipped = wanted.skipped.min(last);
        let of_page: Vec<&Finding> = alone.into_iter().skip(skipped).take(wanted.most).collect();
        let on_page: BTreeSet<_> = of_page.iter().filter_map(|finding| finding.as_cause()).collect();
        let theirs = following
            .into_iter()
            .filter(|finding| finding.cause.is_some_and(|cause| on_page.contains(&(&*finding.table, cause))));
        let list = of_page.iter().copied().chain(theirs).cloned().collect();
        Self { list, skipped, listed, total: Self::total(report, wanted) }
    }

    fn total(report: &Report, wanted: &Wanted) -> u64 {
        if wanted.table.is_some() {
            let of_table = report.findings.iter().filter(|finding| wanted.includes(finding));
            return of_table.filter(|finding| finding.cause.is_none()).count() as u64;
        }
        let of_kind = |code: &Code| {
            wanted.code.as_ref().is_none_or(|wanted| wanted == code.as_str())
                && wanted.severity.is_none_or(|severity| severity == code.severity())
        };
        let counts = report.summary.findings_by_code.iter().filter(|(code, _)| of_kind(code));
        counts.map(|(_, count)| count).sum()
    }
}

/// Why somebody gets no page, as a page says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// Nothing is judged while it is recorded.
    NotJudged,
    /// The service does not go by this name.
    Host,
    /// A token is needed.
    NoToken,
    /// The token is not for this.
    NotAllowed,
    /// The key of the pages is missing: their address has it.
    NoKey,
    /// A page of another site asks.
    OtherSite,
    /// There is no such thing.
    NotThere,
    /// The address is for another method.
    Method,
    /// Too much is asked at once.
    Busy,
    /// The log has stopped.
    Stopped,
    /// It is there soon.
    NotYet,
    /// A defect of this program.
    Fault,
    /// What was sent cannot be read.
    Unreadable,
}

impl Refusal {
    /// The status of HTTP with which a page of this kind is sent where nobody gave another one.
    #[must_use]
    pub const fn status(self) -> u16 {
        match self {
            Self::NotJudged | Self::NotThere => 404,
            Self::Host => 421,
            Self::NoToken => 401,
            Self::NotAllowed | Self::NoKey | Self::OtherSite => 403,
            Self::Method => 405,
            Self::Busy => 429,
            Self::Stopped | Self::NotYet => 503,
            Self::Fault => 500,
            Self::Unreadable => 400,
        }
    }

    /// A heading, and what to do.
    pub(crate) fn words(self, t: Texts) -> (String, String) {
        match self {
            Self::NotJudged => (t.page_not_there(), t.page_not_judged()),
            Self::Host => (t.page_wrong_name(), t.page_wrong_name_how()),
            Self::NoToken => (t.page_needs_token(), t.page_needs_token_how()),
            Self::NotAllowed => (t.page_not_allowed(), t.page_not_allowed_how()),
            Self::NoKey => (t.page_needs_key(), t.page_needs_key_how()),
            Self::OtherSite => (t.page_other_site(), t.page_other_site_how()),
            Self::NotThere => (t.page_not_there(), t.not_in_the_log()),
            Self::Method => (t.page_method(), t.page_method_how()),
            Self::Busy => (t.page_busy(), t.page_busy_how()),
            Self::Stopped => (t.page_stopped(), t.page_stopped_how()),
            Self::NotYet => (t.page_not_now(), t.log_being_read()),
            Self::Fault => (t.page_fault(), t.page_fault_how()),
            Self::Unreadable => (t.page_unreadable(), t.page_unreadable_how()),
        }
    }
}

/// Why a page cannot be made now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unavailable {
    /// It is refused.
    Refused(Refusal),
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

    /// One coup of a shoe that has more coups than [`Source::shoe`] gives.
    ///
    /// # Errors
    /// If there is no such coup, or it cannot be read now.
    fn coup(&self, table: &str, shoe: Option<&str>, coup: u32) -> Result<ShoeFacts, Unavailable>;

    /// The fleet that the log's writer is of, and how many seconds ago its servers showed it so; `Some(None)` where they
    /// have not yet, `None` where it is of no fleet.
    fn house(&self) -> Option<Option<(House, u64)>> {
        None
    }

    /// Findings.
    ///
    /// # Errors
    /// If they cannot be read now.
    fn findings(&self, wanted: &Wanted) -> Result<Findings, Unavailable>;
}
