//! The list of findings: roots with what follows from them, by kind, severity and table, in four orders, page by page.

use askama::Template;
use replay::Severity;
use texts::Texts;

use super::overview::CodeBar;
use crate::finding::FindingView;
use crate::frame::Frame;
use crate::links;
use crate::source::{Findings as Found, Order, Wanted};

/// Findings on a page.
pub(crate) const MOST: usize = 100;
const SEVERITIES: [Severity; 2] = [Severity::Violation, Severity::Incomplete];

/// A word of a query and what it means.
pub(crate) struct Choice {
    word: &'static str,
    name: String,
    is_chosen: bool,
}

#[derive(Template)]
#[template(path = "findings.html")]
pub(crate) struct Findings {
    pub(crate) frame: Frame,
    /// Every code that was found, with those counted that are not listed.
    pub(crate) codes: Vec<CodeBar>,
    pub(crate) severities: Vec<Choice>,
    pub(crate) orders: Vec<Choice>,
    pub(crate) table: String,
    pub(crate) code: String,
    pub(crate) total: String,
    /// Which of how many are on this page.
    pub(crate) shown: Option<String>,
    /// That the log has more than are listed.
    pub(crate) unlisted: Option<String>,
    pub(crate) findings: Vec<FindingView>,
    pub(crate) before: Option<String>,
    pub(crate) after: Option<String>,
}

/// What an address asks for. A word that means nothing here asks for nothing: the form shows what is listed.
pub(crate) fn wanted<'a>(asked: impl Fn(&str) -> Option<&'a str>) -> Wanted {
    let severity = asked("severity");
    let order = asked("sort");
    Wanted {
        table: asked("table").map(str::to_owned),
        code: asked("code").map(str::to_owned),
        severity: SEVERITIES.into_iter().find(|one| Some(severity_word(*one)) == severity),
        order: Order::ALL.into_iter().find(|one| Some(one.word()) == order).unwrap_or_default(),
        skipped: asked("from").and_then(|from| from.parse().ok()).unwrap_or(0),
        most: MOST,
    }
}

const fn severity_word(severity: Severity) -> &'static str {
    match severity {
        Severity::Violation => "violation",
        Severity::Incomplete => "incomplete",
    }
}

/// The severities of the form.
pub(crate) fn severities(wanted: &Wanted, t: Texts) -> Vec<Choice> {
    let choice = |severity: Severity| Choice {
        word: severity_word(severity),
        name: severity.word(t.language()).to_owned(),
        is_chosen: wanted.severity == Some(severity),
    };
    SEVERITIES.map(choice).into()
}

/// The orders of the form.
pub(crate) fn orders(wanted: &Wanted, t: Texts) -> Vec<Choice> {
    let name = |order| match order {
        Order::Oldest => t.oldest_first(),
        Order::Newest => t.newest_first(),
        Order::Money => t.most_money_first(),
        Order::Severity => t.violations_first(),
    };
    let choice =
        |order: Order| Choice { word: order.word(), name: name(order), is_chosen: wanted.order == order };
    Order::ALL.map(choice).into()
}

/// Which of how many are on a page, where there is more than one page.
pub(crate) fn shown(found: &Found, t: Texts) -> Option<String> {
    let last = found.listed.min(found.skipped.saturating_add(MOST));
    let [first, last, listed] = [found.skipped + 1, last, found.listed].map(|at| t.grouped(at as u64));
    (found.listed > MOST).then(|| t.shown_of(first, last, listed))
}

/// That there are more than are listed.
pub(crate) fn unlisted(found: &Found, t: Texts) -> Option<String> {
    (found.total > found.listed as u64).then(|| t.not_all_listed(t.grouped(found.listed as u64)))
}

/// The address of the list from a finding on.
pub(crate) fn from(wanted: &Wanted, skipped: usize) -> String {
    let skipped = skipped.to_string();
    let table = wanted.table.as_deref().map(|table| ("table", table));
    let code = wanted.code.as_deref().map(|code| ("code", code));
    let severity = wanted.severity.map(|severity| ("severity", severity_word(severity)));
    let order = (wanted.order != Order::default()).then(|| ("sort", wanted.order.word()));
    let skipped = (skipped != "0").then_some(("from", &*skipped));
    links::page("findings", [table, code, severity, order, skipped].into_iter().flatten())
}
