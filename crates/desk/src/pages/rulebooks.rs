//! The rulebooks that the tables were judged by, and one of them with its tableau, its bets and its sources.

use askama::Template;
use baccarat::lint::{Report, Severity};
use texts::{Page, Piece, Texts};

use crate::frame::Frame;

/// A rulebook in a line.
pub(crate) struct RulebookLine {
    pub(crate) title: String,
    pub(crate) id: String,
    pub(crate) href: String,
    pub(crate) digest: String,
    pub(crate) coups: String,
    pub(crate) is_built_in: bool,
}

#[derive(Template)]
#[template(path = "rulebooks.html")]
pub(crate) struct Rulebooks {
    pub(crate) frame: Frame,
    pub(crate) rulebooks: Vec<RulebookLine>,
}

#[derive(Template)]
#[template(path = "rulebook.html")]
pub(crate) struct Rulebook {
    pub(crate) frame: Frame,
    pub(crate) page: Page,
    /// What the linter says of it; none while it is busy with another one.
    pub(crate) said: Option<Linted>,
}

/// Something that the linter holds against a rulebook.
pub(crate) struct Remark {
    colour: &'static str,
    severity: String,
    key: String,
    sentence: String,
}

/// What the bets cost with one number of decks.
pub(crate) struct Odds {
    heading: String,
    rows: Vec<[String; 6]>,
}

/// What the linter says of a rulebook.
pub(crate) struct Linted {
    colour: &'static str,
    verdict: String,
    remarks: Vec<Remark>,
    odds: Vec<Odds>,
}

impl Linted {
    pub(crate) fn of(report: &Report, t: Texts) -> Self {
        let remark = |finding: &baccarat::lint::Finding| {
            let severity = finding.code.severity();
            let colour = match severity {
                Severity::Error => "bad",
                Severity::Warning => "open",
                Severity::Note => "good",
            };
            let severity = t.lint_severity(severity);
            let sentence = t.language().of(&finding.sentence, &finding.frase).to_owned();
            Remark { colour, severity, key: finding.key.clone(), sentence }
        };
        Self {
            colour: if report.count(Severity::Error) == 0 { "good" } else { "bad" },
            verdict: t.lint_verdict(report),
            remarks: report.findings.iter().map(remark).collect(),
            odds: report
                .prices
                .iter()
                .map(|prices| Odds { heading: t.prices_heading(prices), rows: t.price_rows(prices) })
                .collect(),
        }
    }
}

/// The name of a citation's place on a rulebook's page: letters and digits of its bytes.
#[must_use]
pub fn anchor(key: &str) -> String {
    key.bytes().fold("c-".to_owned(), |name, byte| format!("{name}{byte:02x}"))
}
