//! One table: how it stands, its shoes, and what was found there.

use askama::Template;
use replay::Counts;
use texts::Texts;

use super::overview::TableRow;
use crate::finding::FindingView;
use crate::frame::{Frame, or_dash};
use crate::links;
use crate::source::ShoeRow;

/// A shoe in a line.
pub(crate) struct ShoeLine {
    name: String,
    href: String,
    colour: &'static str,
    counts: Option<[String; 3]>,
    findings: String,
    /// Shares of the coups that agree, are undecided and are violated, as lengths of 100.
    bar: Option<[u64; 3]>,
}

impl ShoeLine {
    pub(crate) fn of(table: &str, row: &ShoeRow, t: Texts) -> Self {
        let found = row.findings.unwrap_or(0);
        let colour = match row.coups {
            _ if found > 0 => "bad",
            Some(counts) if counts.violated > 0 => "bad",
            Some(counts) if counts.undecided == 0 => "good",
            Some(_) | None => "open",
        };
        Self {
            name: or_dash(row.shoe.as_ref()),
            href: links::shoe(table, row.shoe.as_deref()),
            colour,
            counts: row.coups.map(|Counts { certified, judged, violated, undecided, .. }| {
                [certified + judged, violated, undecided].map(|count| t.grouped(count))
            }),
            findings: row.findings.map_or_else(|| "-".to_owned(), |found| t.grouped(found)),
            bar: row.coups.filter(|counts| counts.total() > 0).map(|counts| {
                let share = |count: u64| count * 100 / counts.total();
                let (violated, undecided) = (share(counts.violated), share(counts.undecided));
                [100 - violated - undecided, undecided, violated]
            }),
        }
    }

    fn second(&self) -> u64 {
        self.bar.map_or(0, |[agree, ..]| agree)
    }

    fn third(&self) -> u64 {
        self.bar.map_or(0, |[agree, undecided, _]| agree + undecided)
    }
}

#[derive(Template)]
#[template(path = "table.html")]
pub(crate) struct Table {
    pub(crate) frame: Frame,
    pub(crate) row: TableRow,
    pub(crate) facts: Vec<(String, String)>,
    pub(crate) shoes: Vec<ShoeLine>,
    pub(crate) has_older: bool,
    pub(crate) agree: String,
    pub(crate) findings: Vec<FindingView>,
    /// The address of all findings of the table.
    pub(crate) all_findings: String,
}
