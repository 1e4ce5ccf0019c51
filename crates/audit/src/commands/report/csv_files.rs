//! The report as CSV, a file for each of its tables, for spreadsheets. Sums are in minor units.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use replay::{Currency, Finding, Language, Ledger, TableState};

use crate::failure::Failure;
use crate::new_file::NewFile;
use crate::shown::plain;
use crate::spool::Spooled;

/// The folder into which the files go.
pub(super) struct Folder {
    path: PathBuf,
    force: bool,
}

impl Folder {
    /// Makes it, where it does not exist; files in it are replaced with `force` alone.
    pub(super) fn begin(path: &Path, force: bool) -> Result<Self, Failure> {
        fs::create_dir_all(path).map_err(|error| Failure::file(path.display(), &error))?;
        Ok(Self { path: path.to_owned(), force })
    }

    /// Writes all of them; gives their names.
    pub(super) fn write(
        &self,
        findings: &Spooled,
        tables: &[TableState],
        ledger: &Ledger,
    ) -> Result<Vec<PathBuf>, Failure> {
        let findings_path = self.path.join("findings.csv");
        let failed = |error: io::Error| Failure::file(findings_path.display(), &error);
        let mut file = self.file("findings", FINDINGS)?;
        for finding in findings.each().map_err(failed)? {
            file.row(finding_row(&finding.map_err(failed)?))?;
        }
        let mut written = vec![file.keep()?];
        written.push(self.table("tables", TABLES, tables.iter().map(|table| table_row(table, ledger)))?);
        written.push(self.table("shoes", SHOES, ledger.shoes.iter().map(shoe_row))?);
        written.push(self.table("owed", OWED, ledger.owed.iter().map(owed_row))?);
        written.push(self.table("boxes", BOXES, ledger.boxes.iter().map(box_row))?);
        written.push(self.table("results", RESULTS, ledger.results.iter().map(results_row))?);
        written.push(self.table("bets", BETS, ledger.bets.iter().map(bet_row))?);
        Ok(written)
    }

    fn table<const N: usize>(
        &self,
        name: &str,
        heading: [&str; N],
        rows: impl Iterator<Item = [String; N]>,
    ) -> Result<PathBuf, Failure> {
        let mut file = self.file(name, heading)?;
        for row in rows {
            file.row(row)?;
        }
        file.keep()
    }

    fn file<const N: usize>(&self, name: &str, heading: [&str; N]) -> Result<CsvFile<N>, Failure> {
        let path = self.path.join(format!("{name}.csv"));
        let mut file = CsvFile { out: csv::Writer::from_writer(NewFile::begin(&path, self.force)?), path };
        file.row(heading.map(str::to_owned))?;
        Ok(file)
    }
}

/// A file of rows of so many cells.
struct CsvFile<const N: usize> {
    path: PathBuf,
    out: csv::Writer<NewFile>,
}

impl<const N: usize> CsvFile<N> {
    fn row(&mut self, row: [String; N]) -> Result<(), Failure> {
        self.out.write_record(row).map_err(|error| self.failed(error.into()))
    }

    fn keep(self) -> Result<PathBuf, Failure> {
        let Self { path, out } = self;
        let file = out.into_inner().map_err(|error| Failure::file(path.display(), error.error()))?;
        file.keep()?;
        Ok(path)
    }

    fn failed(&self, error: io::Error) -> Failure {
        Failure::file(self.path.display(), &error)
    }
}

/// A text from the log: a spreadsheet takes it for no formula, and obeys no character of it.
fn text(from: &str) -> String {
    let formula = if from.starts_with(['=', '+', '-', '@']) { "'" } else { "" };
    format!("{formula}{}", plain(from))
}

fn or_empty(from: Option<&String>) -> String {
    from.map(|from| text(from)).unwrap_or_default()
}

fn currency(of: Option<&Currency>) -> String {
    of.map(|of| text(&of.code)).unwrap_or_default()
}

const FINDINGS: [&str; 19] = [
    "code",
    "severity",
    "table",
    "shoe",
    "coup",
    "sequence",
    "entry",
    "rulebook",
    "clause",
    "expected",
    "recorded",
    "currency",
    "gained_minor_units",
    "lost_minor_units",
    "seats",
    "caused_by",
    "sentence",
    "frase",
    "at_least",
];

fn finding_row(of: &Finding) -> [String; 19] {
    let sum = |is_gain: bool| -> u128 {
        let moved = of.money.iter().filter(|moved| (moved.minor_units > 0) == is_gain);
        moved.map(|moved| u128::from(moved.minor_units.unsigned_abs())).sum()
    };
    let seats: Vec<String> =
        of.money.iter().map(|moved| format!("{}:{}", moved.seat, moved.minor_units)).collect();
    let at_least: Vec<String> =
        of.money.iter().filter(|moved| moved.at_least).map(|moved| moved.seat.to_string()).collect();
    [
        of.code.to_string(),
        of.severity.word(Language::English).to_owned(),
        text(&of.table),
        or_empty(of.shoe.as_ref()),
        of.coup.map(|coup| coup.to_string()).unwrap_or_default(),
        of.sequence.to_string(),
        of.entry.to_string(),
        text(&of.rule.rulebook),
        text(&of.rule.clause),
        text(&of.expected.to_string()),
        text(&of.recorded.to_string()),
        currency(of.currency.as_ref()),
        sum(true).to_string(),
        sum(false).to_string(),
        seats.join(" "),
        of.cause.map(|cause| format!("{}@{}", cause.code, cause.sequence)).unwrap_or_default(),
        of.sentence.to_owned(),
        of.frase.to_owned(),
        at_least.join(" "),
    ]
}

const TABLES: [&str; 9] =
    ["table", "rulebook", "events", "missing", "certified", "judged", "violated", "undecided", "findings"];

fn table_row(of: &TableState, ledger: &Ledger) -> [String; 9] {
    let found: u64 = of.findings_by_code.values().sum();
    [
        text(&of.table),
        of.rulebook.as_deref().or_else(|| ledger.last_rulebook(&of.table)).map(text).unwrap_or_default(),
        of.events.to_string(),
        of.missing.to_string(),
        of.coups.certified.to_string(),
        of.coups.judged.to_string(),
        of.coups.violated.to_string(),
        of.coups.undecided.to_string(),
        found.to_string(),
    ]
}

const SHOES: [&str; 10] = [
    "table",
    "loaded_sequence",
    "shoe",
    "shoe_verdict",
    "certified",
    "judged",
    "violated",
    "undecided",
    "findings",
    "rulebook",
];

fn shoe_row((key, line): (&replay::ShoeKey, &replay::ShoeLine)) -> [String; 10] {
    let coups = line.coups();
    [
        text(&key.table),
        key.loaded.to_string(),
        or_empty(line.shoe.as_ref()),
        line.verdict.map(|verdict| verdict.to_string()).unwrap_or_default(),
        coups.certified.to_string(),
        coups.judged.to_string(),
        coups.violated.to_string(),
        coups.undecided.to_string(),
        line.findings.to_string(),
        or_empty(line.rulebook.as_ref()),
    ]
}

const OWED: [&str; 10] = [
    "table",
    "seat",
    "players",
    "currency",
    "lost_minor_units",
    "gained_minor_units",
    "findings",
    "undecided_minor_units",
    "paid_late_minor_units",
    "at_least",
];

fn owed_row((key, owed): (&replay::OwedKey, &replay::Owed)) -> [String; 10] {
    [
        text(&key.table),
        key.seat.to_string(),
        text(&key.players.join(", ")),
        currency(key.currency.as_ref()),
        owed.lost.to_string(),
        owed.gained.to_string(),
        owed.findings.to_string(),
        owed.undecided.to_string(),
        owed.paid_late.to_string(),
        u8::from(owed.at_least).to_string(),
    ]
}

const BOXES: [&str; 7] = [
    "table",
    "seat",
    "currency",
    "shoes",
    "marked_minor_units",
    "collected_minor_units",
    "outstanding_minor_units",
];

fn box_row((key, line): (&replay::BoxKey, &replay::BoxLine)) -> [String; 7] {
    [
        text(&key.table),
        key.seat.to_string(),
        currency(key.currency.as_ref()),
        line.shoes.to_string(),
        line.marked.to_string(),
        line.collected.to_string(),
        line.outstanding.to_string(),
    ]
}

const RESULTS: [&str; 9] = [
    "rulebook",
    "coups",
    "punto",
    "banca",
    "tie",
    "natural",
    "of_four_cards",
    "of_five_cards",
    "of_six_cards",
];

fn results_row((key, sums): (&replay::ResultsKey, &replay::Results)) -> [String; 9] {
    let [four, five, six] = sums.cards;
    [
        text(&key.rulebook),
        sums.coups.to_string(),
        sums.punto.to_string(),
        sums.banca.to_string(),
        sums.tie.to_string(),
        sums.natural.to_string(),
        four.to_string(),
        five.to_string(),
        six.to_string(),
    ]
}

const BETS: [&str; 9] = [
    "rulebook",
    "kind",
    "currency",
    "bets",
    "staked_minor_units",
    "returned_minor_units",
    "commission_minor_units",
    "marked_minor_units",
    "open_minor_units",
];

fn bet_row((key, line): (&replay::BetKey, &replay::BetLine)) -> [String; 9] {
    [
        text(&key.rulebook),
        text(&key.kind),
        currency(key.currency.as_ref()),
        line.bets.to_string(),
        line.staked.to_string(),
        line.returned.to_string(),
        line.commission.to_string(),
        line.marked.to_string(),
        line.open.to_string(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_from_the_log_is_no_formula_and_obeys_nothing() {
        assert_eq!(text("=HYPERLINK(1)"), "'=HYPERLINK(1)");
        assert_eq!(text("@mesa"), "'@mesa");
        assert_eq!(text("a\u{202e}b\n"), "a\\u{202e}b\\u{a}");
        assert_eq!(text("mesa-1"), "mesa-1");
    }
}
