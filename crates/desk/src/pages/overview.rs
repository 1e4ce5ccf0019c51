//! The first page: how the log stands, and which tables are clean.

use askama::Template;
use replay::{Counts, TableState};
use texts::{Question, Texts};

use crate::frame::{Frame, colour, or_dash};
use crate::links;
use crate::source::LogFacts;

/// One of the four verdicts.
pub(crate) struct VerdictView {
    pub(crate) question: &'static str,
    pub(crate) asks: String,
    pub(crate) answer: &'static str,
    pub(crate) colour: &'static str,
    pub(crate) why: String,
}

/// The four verdicts on a log.
pub(crate) fn verdicts(log: &LogFacts, t: Texts) -> Vec<VerdictView> {
    let verdicts = log.verdicts();
    let rows = [
        (Question::Intact, verdicts.intact, t.asks_intact()),
        (Question::Anchored, verdicts.anchored, t.asks_anchored()),
        (Question::Complete, verdicts.complete, t.asks_complete()),
        (Question::Certified, verdicts.certified, t.asks_certified()),
    ];
    rows.into_iter()
        .map(|(question, answer, asks)| VerdictView {
            question: t.question(question),
            asks,
            answer: t.verdict(answer),
            colour: colour(answer),
            why: t.why(question, &log.report, log.witnessed.as_ref(), str::to_owned),
        })
        .collect()
}

/// A table in a line.
pub(crate) struct TableRow {
    pub(crate) name: String,
    href: String,
    pub(crate) colour: &'static str,
    pub(crate) state: String,
    shoe: String,
    coup: String,
    pub(crate) agree: String,
    pub(crate) violated: String,
    pub(crate) undecided: String,
    pub(crate) findings: String,
    clock: String,
}

impl TableRow {
    pub(crate) fn of(table: &TableState, is_sealed: bool, t: Texts) -> Self {
        let found: u64 = table.findings_by_code.values().sum();
        let Counts { certified, judged, violated, undecided, .. } = table.coups;
        let open = undecided + table.shoes.undecided + table.missing;
        let (colour, state) = match (found, open, table.waiting) {
            (0, 0, 0) if is_sealed => ("good", t.table_clean()),
            (0, 0, 0) => ("open", t.table_without_findings()),
            // What waits for missing events is not judged yet.
            (0, _, 1..) => ("open", t.table_waits(table.waiting)),
            (0, _, 0) => ("open", t.table_open()),
            (_, _, _) => ("bad", t.table_with_findings()),
        };
        Self {
            name: table.table.clone(),
            href: links::table(&table.table),
            colour,
            state,
            shoe: or_dash(table.shoe.as_ref()),
            coup: or_dash(table.coup.as_ref()),
            agree: t.grouped(certified + judged),
            violated: t.grouped(violated),
            undecided: t.grouped(undecided),
            findings: t.grouped(found),
            clock: or_dash(table.clock.as_ref().map(|time| t.time(time)).as_ref()),
        }
    }
}

/// A code and how often it was found, as a bar.
pub(crate) struct CodeBar {
    pub(crate) code: String,
    pub(crate) sentence: &'static str,
    pub(crate) href: String,
    pub(crate) count: String,
    /// Length of its bar, of 100.
    pub(crate) length: u64,
}

/// Every code that was found, the most frequent first.
pub(crate) fn codes(log: &LogFacts, t: Texts) -> Vec<CodeBar> {
    let mut counts: Vec<_> = log.summary().findings_by_code.iter().collect();
    counts.sort_by_key(|(code, count)| (std::cmp::Reverse(**count), **code));
    let most = counts.first().map_or(1, |(_, count)| **count).max(1);
    let bar = |(code, count): (&replay::Code, &u64)| CodeBar {
        code: code.to_string(),
        sentence: code.sentence(t.language()),
        href: links::page("findings", [("code", code.as_str())]),
        count: t.grouped(*count),
        length: (count.saturating_mul(100) / most).max(1),
    };
    counts.into_iter().map(bar).collect()
}

#[derive(Template)]
#[template(path = "overview.html")]
pub(crate) struct Overview {
    pub(crate) frame: Frame,
    pub(crate) verdicts: Vec<VerdictView>,
    pub(crate) numbers: Vec<(String, String)>,
    pub(crate) codes: Vec<CodeBar>,
    pub(crate) tables: Vec<TableRow>,
    /// The address of the next tables, where there are more.
    pub(crate) more: Option<String>,
    pub(crate) stopped: Option<String>,
    pub(crate) agree: String,
}

/// What was read and judged, in numbers.
pub(crate) fn numbers(log: &LogFacts, t: Texts) -> Vec<(String, String)> {
    let (read, summary) = (log.read(), log.summary());
    let agree = |counts: &Counts| counts.certified + counts.judged;
    let mut rows = vec![
        (t.desk_entries(), t.grouped(log.seal().size)),
        (t.desk_events(), t.grouped(read.events)),
        (t.desk_tables(), t.grouped(read.tables)),
        (t.shoes_heading(), t.grouped(summary.shoes.total())),
        (t.coups_heading(), t.grouped(summary.coups.total())),
        (agree_heading(log, t), t.grouped(agree(&summary.coups))),
        (t.violated_coups(), t.grouped(summary.coups.violated)),
        (t.undecided_coups(), t.grouped(summary.coups.undecided)),
        (t.findings_heading(), t.grouped(summary.findings_by_code.values().sum())),
    ];
    let alike = log.look_alike_tables().iter().map(|ids| (t.desk_look_alike_tables(), ids.join(", ")));
    rows.extend(alike);
    rows.extend(
        log.live.as_ref().map(|live| (t.desk_to_judge(), t.grouped(live.size.saturating_sub(live.judged)))),
    );
    rows
}

/// What coups are called that agree with the record.
pub(crate) fn agree_heading(log: &LogFacts, t: Texts) -> String {
    if log.is_sealed() { t.certified_coups() } else { t.judged_coups() }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use texts::Language;

    use super::*;

    /// A table whose next event was missing looked clean for as long as its later events waited.
    #[test]
    fn a_table_that_waits_for_missing_events_is_amber_with_their_number() {
        let row = |waiting, language| {
            let table = TableState {
                table: "PB-01".to_owned(),
                events: 10,
                next: 11,
                waiting,
                missing: 0,
                clock: None,
                rulebook: None,
                shoe: None,
                coup: None,
                coups: Counts { certified: 2, ..Counts::default() },
                shoes: Counts::default(),
                undecided: BTreeMap::new(),
                findings_by_code: BTreeMap::new(),
            };
            let TableRow { colour, state, .. } = TableRow::of(&table, true, Texts::of(language));
            (colour, state)
        };
        assert_eq!(row(0, Language::English), ("good", "clean".to_owned()));
        assert_eq!(row(1, Language::English), ("open", "1 event waits for missing ones".to_owned()));
        assert_eq!(row(12, Language::English), ("open", "12 events wait for missing ones".to_owned()));
        assert_eq!(
            row(12, Language::Spanish),
            ("open", "12 sucesos a la espera de otros que faltan".to_owned())
        );
    }
}
