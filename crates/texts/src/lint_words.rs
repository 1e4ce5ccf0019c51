//! What the linter says of a rulebook, in words that the terminal and the pages share.

use baccarat::exact::{Fraction, Price};
use baccarat::lint::{Prices, Report, Severity};

use crate::Texts;

impl Texts {
    /// Whether a rulebook is fit, with how much the linter holds against it.
    #[must_use]
    pub fn lint_verdict(self, report: &Report) -> String {
        let count = |severity| report.count(severity) as u64;
        let errors = count(Severity::Error);
        let (warnings, notes) = (count(Severity::Warning), count(Severity::Note));
        let counts = [
            (errors, self.errors(errors)),
            (warnings, self.warnings(warnings)),
            (notes, self.lint_notes(notes)),
        ];
        let counts: Vec<String> =
            counts.into_iter().filter(|(count, _)| *count > 0).map(|(_, counted)| counted).collect();
        let found = if counts.is_empty() { self.nothing_found() } else { counts.join(", ") };
        if errors == 0 { self.fit(found) } else { self.not_fit(found) }
    }

    /// How much weight the linter gives to something, in a word.
    #[must_use]
    pub fn lint_severity(self, severity: Severity) -> String {
        match severity {
            Severity::Error => self.severity_error(),
            Severity::Warning => self.severity_warning(),
            Severity::Note => self.severity_note(),
        }
    }

    /// With how many decks, and over how many ordered draws, these prices were counted.
    #[must_use]
    pub fn prices_heading(self, prices: &Prices) -> String {
        let draws = u64::try_from(prices.draws)
            .map_or_else(|_| prices.draws.to_string(), |draws| self.grouped(draws));
        self.ordered_draws(self.decks(prices.decks.into()), draws)
    }

    /// Each bet with its shares of wins, pushes and losses and its edge, in percent, and the edge as a fraction.
    #[must_use]
    pub fn price_rows(self, prices: &Prices) -> Vec<[String; 6]> {
        let share = |draws: u128| Fraction::new(draws, prices.draws).percent(4);
        let rows = prices.bets.iter().map(|(kind, Price { wins, pushes, losses, edge })| {
            [
                kind.to_string(),
                share(*wins),
                share(*pushes),
                share(*losses),
                edge.percent(4),
                edge.to_string(),
            ]
        });
        rows.collect()
    }
}
