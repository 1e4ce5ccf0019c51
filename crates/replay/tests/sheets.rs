//! Every code has call sheets: at least one that provokes it and one nearby that must not.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod call_sheet;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use replay::{Code, Severity};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sheets")
}

fn sheets() -> Vec<(String, String)> {
    let mut sheets: Vec<(String, String)> = fs::read_dir(folder())
        .unwrap()
        .map(|file| file.unwrap().path())
        .map(|path| {
            (path.file_stem().unwrap().to_string_lossy().into_owned(), fs::read_to_string(&path).unwrap())
        })
        .collect();
    sheets.sort();
    sheets
}

#[test]
fn every_sheet_comes_to_what_it_says() {
    let mut wrong = Vec::new();
    for (file, text) in sheets() {
        for scenario in call_sheet::scenarios(&text) {
            let outcome = scenario.run();
            if outcome.found != outcome.expected {
                let details: Vec<String> = outcome
                    .judgement
                    .findings
                    .iter()
                    .map(|f| {
                        format!("{} {}: expected {}, recorded {}", f.sequence, f.code, f.expected, f.recorded)
                    })
                    .collect();
                wrong.push(format!(
                    "{file}: {}\n  expected {:?}\n  found    {details:#?}",
                    scenario.title, outcome.expected
                ));
            }
            if let Some(expected) = outcome.verdict_expected.filter(|expected| *expected != outcome.verdict) {
                wrong.push(format!(
                    "{file}: {}\n  expected {expected}\n  came to  {}",
                    scenario.title, outcome.verdict
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_code_has_a_sheet_that_provokes_it_and_one_that_does_not() {
    let names: BTreeSet<String> = sheets().into_iter().map(|(name, _)| name).collect();
    for code in Code::ALL {
        assert!(names.contains(code.as_str()), "no sheet {code}.sheet");
        let text = fs::read_to_string(folder().join(format!("{code}.sheet"))).unwrap();
        let provokes: Vec<bool> = call_sheet::scenarios(&text)
            .iter()
            .map(|scenario| scenario.run().expected.iter().any(|(_, found)| found == code.as_str()))
            .collect();
        assert!(provokes.contains(&true), "{code}.sheet does not provoke it");
        assert!(provokes.contains(&false), "{code}.sheet has no scenario nearby that must not");
    }
}

/// A page of findings: its codes, its reasons, and all of its text.
struct Page {
    codes: Vec<String>,
    reasons: Vec<String>,
    text: String,
}

impl Page {
    /// The page of this name; its last tables stand below this heading and tell the reasons.
    fn read(name: &str, heading: &str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
        let text = fs::read_to_string(folder.join(name)).unwrap();
        let (above, below) = text.split_once(heading).unwrap();
        let rows = |part: &str| {
            let rows = part.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
            rows.map(|(name, _)| name.to_owned()).collect()
        };
        Self { codes: rows(above), reasons: rows(below), text }
    }

    fn has_every_code_and_reason(&self) {
        let reasons: Vec<&str> = replay::Reason::ALL.iter().map(|reason| reason.as_str()).collect();
        assert_eq!(self.reasons, reasons);
        let rows: BTreeSet<&str> = self.codes.iter().map(String::as_str).collect();
        assert_eq!(rows, Code::ALL.iter().map(|code| code.as_str()).collect());
    }
}

#[test]
fn every_code_has_its_row_in_the_docs_and_no_row_is_left_over() {
    let page = Page::read("findings.md", "## Why");
    page.has_every_code_and_reason();
    for code in Code::ALL {
        assert!(page.text.contains(code.english()), "docs/findings.md does not say: {}", code.english());
    }
}

#[test]
fn the_spanish_page_has_the_rows_of_the_english_one_in_its_order() {
    let page = Page::read("hallazgos.md", "## Por qué");
    page.has_every_code_and_reason();
    assert_eq!(page.codes, Page::read("findings.md", "## Why").codes);
    for code in Code::ALL {
        let weight = match code.severity() {
            Severity::Violation => "infracción",
            Severity::Incomplete => "incompleto",
        };
        let row = format!("| `{code}` | {weight} | {} | {} |", code.spanish(), code.english());
        assert!(page.text.contains(&row), "docs/hallazgos.md has no row {row}");
    }
}
