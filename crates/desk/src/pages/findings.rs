//! The list of findings: roots with what follows from them, by kind, table and page.

use askama::Template;

use super::overview::CodeBar;
use crate::finding::FindingView;
use crate::frame::Frame;
use crate::links;
use crate::source::Wanted;

/// Findings on a page.
pub(crate) const MOST: usize = 100;

#[derive(Template)]
#[template(path = "findings.html")]
pub(crate) struct Findings {
    pub(crate) frame: Frame,
    /// Every code that was found, with those counted that are not listed.
    pub(crate) codes: Vec<CodeBar>,
    pub(crate) table: String,
    pub(crate) code: String,
    pub(crate) total: String,
    pub(crate) findings: Vec<FindingView>,
    pub(crate) before: Option<String>,
    pub(crate) after: Option<String>,
}

/// The address of the list from a finding on.
pub(crate) fn from(wanted: &Wanted, skipped: usize) -> String {
    let skipped = skipped.to_string();
    let table = wanted.table.as_deref().map(|table| ("table", table));
    let code = wanted.code.as_deref().map(|code| ("code", code));
    let skipped = (skipped != "0").then_some(("from", &*skipped));
    links::page("findings", table.into_iter().chain(code).chain(skipped))
}
