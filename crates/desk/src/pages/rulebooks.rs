//! The rulebooks that the tables were judged by, and one of them with its tableau, its bets and its sources.

use askama::Template;
use baccarat::exact::{Fraction, Price};
use baccarat::lint::{Prices, Report, Severity};
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
        let [errors, warnings, notes] = [Severity::Error, Severity::Warning, Severity::Note]
            .map(|severity| report.count(severity) as u64);
        let counts =
            [(errors, t.errors(errors)), (warnings, t.warnings(warnings)), (notes, t.lint_notes(notes))];
        let counts: Vec<String> =
            counts.into_iter().filter(|(count, _)| *count > 0).map(|(_, counted)| counted).collect();
        let found = if counts.is_empty() { t.nothing_found() } else { counts.join(", ") };
        let remark = |finding: &baccarat::lint::Finding| {
            let (colour, severity) = match finding.code.severity() {
                Severity::Error => ("bad", t.severity_error()),
                Severity::Warning => ("open", t.severity_warning()),
                Severity::Note => ("good", t.severity_note()),
            };
            let sentence = t.language().of(&finding.sentence, &finding.frase).to_owned();
            Remark { colour, severity, key: finding.key.clone(), sentence }
        };
        Self {
            colour: if errors == 0 { "good" } else { "bad" },
            verdict: if errors == 0 { t.fit(found) } else { t.not_fit(found) },
            remarks: report.findings.iter().map(remark).collect(),
            odds: report.prices.iter().map(|prices| Odds::of(prices, t)).collect(),
        }
    }
}

impl Odds {
    fn of(prices: &Prices, t: Texts) -> Self {
        let share = |draws: u128| Fraction::new(draws, prices.draws).percent(4);
        let row = |(kind, Price { wins, pushes, losses, edge }): &(baccarat::BetKind, Price)| {
            [
                kind.to_string(),
                share(*wins),
                share(*pushes),
                share(*losses),
                edge.percent(4),
                edge.to_string(),
            ]
        };
        let draws =
            u64::try_from(prices.draws).map_or_else(|_| prices.draws.to_string(), |draws| t.grouped(draws));
        Self {
            heading: t.ordered_draws(t.decks(prices.decks.into()), draws),
            rows: prices.bets.iter().map(row).collect(),
        }
    }
}

/// The name of a citation's place on a rulebook's page: letters and digits of its bytes.
#[must_use]
pub fn anchor(key: &str) -> String {
    key.bytes().fold("c-".to_owned(), |name, byte| format!("{name}{byte:02x}"))
}
