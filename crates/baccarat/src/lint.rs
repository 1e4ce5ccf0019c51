//! The rulebook linter: is a rulebook complete, safe and fair?
//!
//! Complete: everything that has to be stated is stated, with an allowed value. Safe: a table can be dealt
//! by it to the last coup, and every row of every paytable has an effect. Fair: what each bet costs, exactly.
//! This module says what is wrong with the rules. It never looks at a log and changes nothing.

use std::fmt;

use crate::exact::{Price, Tally};
use crate::rulebook::load::{FILE_BYTES, short_enough};
use crate::rulebook::overlay::{Resolved, resolved};
use crate::sentence::Sentence;
use crate::{BetKind, Game, Place, ReadBase, Rulebook, RulebookError};

mod code;
mod fair;
mod filling;
mod forms;
mod overlay;
mod rows;
mod safe;
mod tableau;

pub use code::{Code, Severity};

/// A finding of the linter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What kind of thing it is.
    pub code: Code,
    /// The dotted key of the rulebook file: `bets.tie.rows[0]`.
    pub key: String,
    /// The problem and what to do about it, as a text that continues after the key.
    pub sentence: String,
    /// The same in Spanish.
    pub frase: String,
    /// Where the key stands; absent where the rulebook was not read from a file.
    pub place: Option<Place>,
}

impl Finding {
    fn new(code: Code, key: impl Into<String>, sentence: Sentence) -> Self {
        let Sentence { english, spanish } = sentence.map(|text| plain(&text));
        Self { code, key: plain(&key.into()), sentence: english, frase: spanish, place: None }
    }

    /// Whether it is about this key, a part of it, or what it is a part of.
    fn touches(&self, key: &str) -> bool {
        let within = |whole: &str, part: &str| {
            part.strip_prefix(whole).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        within(&self.key, key) || within(key, &self.key)
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` {}", self.key, self.sentence)
    }
}

/// What every bet costs with one number of decks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prices {
    /// Decks in the shoe.
    pub decks: u8,
    /// Ordered six-card draws from it.
    pub draws: u128,
    /// The bets, by name.
    pub bets: Vec<(BetKind, Price)>,
}

/// What the linter says of a rulebook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The rulebook; absent where the text is not one.
    pub rulebook: Option<Rulebook>,
    /// What is wrong, errors first.
    pub findings: Vec<Finding>,
    /// What the bets cost with each number of decks the rulebook allows; empty where the text is no
    /// rulebook, and in chemin de fer, where that depends on what the players choose.
    pub prices: Vec<Prices>,
}

impl Report {
    /// How many findings are of this severity.
    #[must_use]
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.code.severity() == severity).count()
    }

    fn of(rulebook: Option<Rulebook>, mut findings: Vec<Finding>, prices: Vec<Prices>) -> Self {
        findings.sort_by_key(|finding| finding.code.severity());
        Self { rulebook, findings, prices }
    }

    fn placed(mut self, place: impl Fn(&str) -> Place) -> Self {
        for finding in &mut self.findings {
            finding.place = Some(place(&finding.key));
        }
        self
    }
}

/// Reads a rulebook file, which may be a draft with holes and mistakes, and says everything that
/// is wrong with it. `name` is what messages call it; `read` gives the files it extends.
///
/// # Errors
/// Where the text is no TOML at all, or what it extends cannot be read.
pub fn read(name: &str, text: &str, read: ReadBase<'_>) -> Result<Report, RulebookError> {
    short_enough(name, text, FILE_BYTES)?;
    let Resolved { table: mut draft, files, top } = resolved(name, text, read)?;
    let mut report = of_draft(&mut draft);
    // A value that is wrong is not there yet.
    let is_error = |key: &str| {
        let mut errors = report.findings.iter().filter(|finding| finding.code.severity() == Severity::Error);
        errors.any(|finding| finding.touches(key))
    };
    let changed: Vec<Finding> =
        top.iter().flat_map(overlay::of_top).filter(|found| !is_error(&found.key)).collect();
    report.findings.extend(changed);
    Ok(Report::of(report.rulebook, report.findings, report.prices).placed(|key| files.place(key)))
}

fn of_draft(draft: &mut toml::Table) -> Report {
    let mut findings = Vec::new();
    filling::fill(draft, &mut findings);
    let rulebook = forms::read(draft, &mut findings);
    let faults = rulebook.iter().flat_map(Rulebook::faults);
    let new = |key: &str| !findings.iter().any(|finding| finding.touches(key));
    let faults: Vec<_> = faults.filter(|fault| new(&fault.key)).collect();
    findings
        .extend(faults.into_iter().map(|fault| Finding::new(Code::NotAllowed, fault.key, fault.sentence)));
    match rulebook {
        Some(rulebook) if findings.is_empty() => check(rulebook),
        Some(draft) => {
            safe::of_draft(&draft, &mut findings);
            Report::of(None, findings, Vec::new())
        }
        None => Report::of(None, findings, Vec::new()),
    }
}

/// Says everything that is unsafe or unfair in a rulebook, and what its bets cost.
#[must_use]
pub fn check(rulebook: Rulebook) -> Report {
    // Where the players choose, no coup has a price; and every bet there is even money.
    let forced = rulebook.game() == Game::PuntoBanca;
    // The number of decks was checked when the rulebook was read.
    let tallies: Vec<(u8, Tally)> = (rulebook.shoe.decks.iter())
        .filter(|_| forced)
        .filter_map(|decks| Some((*decks, Tally::of(&rulebook, *decks).ok()?)))
        .collect();
    let prices: Vec<Prices> =
        tallies.iter().map(|(decks, tally)| fair::prices(&rulebook, *decks, tally)).collect();
    let mut findings = Vec::new();
    safe::of_rulebook(&rulebook, &mut findings);
    tableau::departures(&rulebook, &mut findings);
    for (kind, rule) in rulebook.bets.iter().filter(|_| forced) {
        rows::of_bet(kind, rule, &tallies, &mut findings);
    }
    fair::judge(&prices, &mut findings);
    fair::unlikely(&rulebook, &tallies, &mut findings);
    Report::of(Some(rulebook), findings, prices)
}

/// A text without control characters: a draft may hold anything, and findings go to terminals.
fn plain(text: &str) -> String {
    text.chars()
        .flat_map(|mark| if mark.is_control() { mark.escape_default().collect() } else { vec![mark] })
        .collect()
}

fn list<T: fmt::Display>(values: &[T], between: &str) -> String {
    values.iter().map(ToString::to_string).collect::<Vec<_>>().join(between)
}
