//! What the linter says of a rulebook, for people and as JSON.
//!
//! JSON gives counts of draws and fractions as texts: they are larger than what every JSON reader
//! keeps exact.

use baccarat::lint::{Finding, Prices, Report, Severity};
use serde::Serialize;

use super::format::table;
use crate::language::texts;

pub(crate) fn lint(name: &str, report: &Report) -> String {
    let mut text = match &report.rulebook {
        Some(rulebook) => {
            let digest = texts().digest(rulebook.digest());
            format!("{}: {}\n{digest}\n", rulebook.id, rulebook.title)
        }
        None => format!("{}\n", texts().not_a_rulebook(name)),
    };
    text.push_str(&format!("{}\n", texts().lint_verdict(report)));
    for (number, finding) in report.findings.iter().enumerate() {
        let Finding { code, key, sentence, frase, place } = finding;
        let sentence = texts().language().of(sentence, frase);
        let place = place.as_ref().map(|place| format!(" {place}")).unwrap_or_default();
        text.push_str(if number == 0 { "\n" } else { "" });
        let severity = texts().lint_severity(code.severity());
        text.push_str(&format!(
            "{severity:<8}{code}{place}
        `{key}` {sentence}
"
        ));
    }
    for prices in &report.prices {
        text.push_str(&format!("\n{}\n", bets(prices)));
    }
    if !report.prices.is_empty() {
        text.push_str(&format!("\n{}", texts().exact_note()));
    }
    text
}

/// How many errors, warnings and notes there are.
fn counts(report: &Report) -> [u64; 3] {
    [Severity::Error, Severity::Warning, Severity::Note].map(|severity| report.count(severity) as u64)
}

fn bets(prices: &Prices) -> String {
    let headings = [
        texts().bet(),
        texts().wins_percent(),
        texts().pushes_percent(),
        texts().loses_percent(),
        texts().edge_percent(),
        texts().exactly(),
    ];
    let table = table(headings, texts().price_rows(prices));
    let heading = texts().prices_heading(prices);
    format!("{heading}\n{}", table.trim_end())
}

#[derive(Serialize)]
struct LintView<'r> {
    rulebook: Option<&'r str>,
    digest: Option<String>,
    file: &'r str,
    fit: bool,
    errors: u64,
    warnings: u64,
    notes: u64,
    findings: Vec<FindingView<'r>>,
    prices: Vec<PricesView<'r>>,
}

#[derive(Serialize)]
struct FindingView<'r> {
    code: &'static str,
    severity: String,
    key: &'r str,
    sentence: &'r str,
    /// Absent for a built-in rulebook.
    file: Option<&'r str>,
    line: Option<usize>,
    column: Option<usize>,
}

#[derive(Serialize)]
struct PricesView<'r> {
    decks: u8,
    draws: String,
    bets: Vec<PriceView<'r>>,
}

#[derive(Serialize)]
struct PriceView<'r> {
    bet: &'r str,
    wins: String,
    pushes: String,
    losses: String,
    edge: String,
    edge_percent: String,
}

pub(crate) fn lint_json<'r>(name: &'r str, report: &'r Report) -> impl Serialize + use<'r> {
    let [errors, warnings, notes] = counts(report);
    let finding = |finding: &'r Finding| FindingView {
        code: finding.code.as_str(),
        severity: finding.code.severity().to_string(),
        key: &finding.key,
        sentence: &finding.sentence,
        file: finding.place.as_ref().map(|place| place.file.as_str()),
        line: finding.place.as_ref().and_then(|place| Some(place.position?.0)),
        column: finding.place.as_ref().and_then(|place| Some(place.position?.1)),
    };
    LintView {
        rulebook: report.rulebook.as_ref().map(|rulebook| rulebook.id.as_str()),
        digest: report.rulebook.as_ref().map(|rulebook| rulebook.digest().to_string()),
        file: name,
        fit: errors == 0,
        errors,
        warnings,
        notes,
        findings: report.findings.iter().map(finding).collect(),
        prices: report.prices.iter().map(prices_view).collect(),
    }
}

fn prices_view(prices: &Prices) -> PricesView<'_> {
    let bets = prices.bets.iter().map(|(kind, price)| PriceView {
        bet: kind.as_str(),
        wins: price.wins.to_string(),
        pushes: price.pushes.to_string(),
        losses: price.losses.to_string(),
        edge: price.edge.to_string(),
        edge_percent: price.edge.percent(4),
    });
    PricesView { decks: prices.decks, draws: prices.draws.to_string(), bets: bets.collect() }
}
