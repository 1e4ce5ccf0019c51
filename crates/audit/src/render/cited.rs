//! The paragraphs that findings cite, as the rulebook quotes them: each once, below the findings.

use std::collections::BTreeSet;

use replay::{Finding, Passage, RulebookUsed};

use crate::language::texts;

/// Clauses whose paragraphs are shown at most.
const CLAUSES: usize = 10;

/// The paragraphs behind these findings; empty where none is cited.
pub(super) fn cited(findings: &[Finding], rulebooks: &[RulebookUsed]) -> String {
    let rules = findings.iter().filter(|finding| finding.cause.is_none()).map(|finding| &finding.rule);
    let rules: BTreeSet<(&str, &str)> =
        rules.map(|rule| (rule.rulebook.as_str(), rule.clause.as_str())).collect();
    let mut text = String::new();
    for (rulebook, clause) in rules.into_iter().take(CLAUSES) {
        let used = rulebooks.iter().find(|used| used.id == rulebook);
        let passages = used.map(|used| used.passages.of_clause(clause)).unwrap_or_default();
        if passages.is_empty() {
            continue;
        }
        text.push_str(&format!("  {}\n", texts().rule_heading(texts().clause(clause), rulebook)));
        text.push_str(&used.and_then(stated).unwrap_or_default());
        passages.iter().for_each(|passage| text.push_str(&quoted(passage)));
    }
    if text.is_empty() { text } else { format!("\n{}\n{text}", texts().cited_rules()) }
}

/// Whose rules these are and since when, as the rulebook states it; of the built-in ones, which the report does not hold
/// whole.
fn stated(used: &RulebookUsed) -> Option<String> {
    let book = baccarat::builtin(&used.id).ok()?;
    let is_the_same = book.digest().to_string() == used.digest;
    let from = texts().day(&book.effective.from);
    is_the_same
        .then(|| format!("    {}\n", texts().stated_by_rulebook(&book.title, &book.jurisdiction, from)))
}

/// A source and its words, which may be of several lines.
fn quoted(passage: &Passage) -> String {
    let words = match passage.text.as_str() {
        "" => texts().no_passage(),
        words => words.to_owned(),
    };
    let lines: String = words.lines().map(|line| format!("      {line}\n")).collect();
    format!("    {}\n{lines}", passage.source)
}
