//! What was expected and what was recorded is a value: every kind has both languages, goes through JSON, and is what
//! the text in JSON says. `docs/statements.md` lists every kind.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use events::Line;
use replay::statement::{Field, Kind, Suits};
use replay::{Currency, Finding, Judge, Language, Statement, Style};
use serde_json::{Value, json};

use crate::call_sheet;

const ENGLISH: Style<'_> =
    Style { language: Language::English, currency: None, suits: Suits::Letters, differences: false };
const SPANISH: Style<'_> = Style { language: Language::Spanish, ..ENGLISH };

/// Words of English sentences that no Spanish sentence has.
const ENGLISH_WORDS: &[&str] = &[
    "the",
    "of",
    "and",
    "or",
    "at",
    "to",
    "for",
    "by",
    "with",
    "in",
    "on",
    "not",
    "none",
    "nobody",
    "another",
    "bet",
    "bets",
    "seat",
    "seats",
    "card",
    "cards",
    "coup",
    "shoe",
    "deck",
    "decks",
    "burn",
    "burned",
    "returned",
    "recorded",
    "settled",
    "drawn",
    "draws",
    "stands",
    "stood",
    "taken",
    "offered",
    "passed",
    "signed",
    "bank",
    "banker",
    "before",
    "after",
    "first",
    "twice",
    "alone",
    "sequence",
    "event",
    "commission",
    "outstanding",
    "least",
    "most",
    "position",
    "winner",
    "tie",
    "stake",
    "stakes",
    "staked",
    "player",
    "players",
    "behind",
    "ahead",
    "digest",
    "day",
    "multiples",
    "maximum",
    "minimum",
    "currency",
    "digits",
    "open",
    "opened",
    "closed",
    "changed",
    "corrected",
    "whole",
    "half",
    "again",
    "left",
    "removed",
    "void",
    "ruling",
    "read",
    "leave",
];

fn english_words(spanish: &str) -> Vec<&str> {
    let words = spanish.split(|letter: char| letter.is_whitespace() || ",.:;«»".contains(letter));
    words.filter(|word| ENGLISH_WORDS.contains(word)).collect()
}

fn euro() -> Currency {
    Currency { code: "EUR".to_owned(), minor_digits: 2 }
}

/// Everything that has to hold of one statement; `what` names it in messages.
fn check(statement: &Statement, what: &str) {
    assert!(!matches!(statement, Statement::Text(_)), "{what}: only a text");
    assert_eq!(statement.text(ENGLISH), statement.to_string(), "{what}: the text in JSON");
    let value = serde_json::to_value(statement).unwrap();
    let back: Statement = serde_json::from_value(value.clone()).unwrap();
    assert_eq!(serde_json::to_value(&back).unwrap(), value, "{what}: through JSON");
    assert!(!matches!(back, Statement::Text(_)), "{what}: only a text behind JSON");
    let euro = euro();
    for style in [SPANISH, Style { currency: Some(&euro), ..SPANISH }] {
        let spanish = statement.text(style);
        assert_eq!(english_words(&spanish), Vec::<&str>::new(), "{what}: {spanish}");
        assert!(!spanish.is_empty(), "{what}");
    }
}

/// A value for a field of a kind.
fn sample(field: &Field) -> Value {
    let one = match field.holds {
        "integer" => json!(3),
        "sum" => json!(123_456),
        "microseconds" => json!(5_250_000),
        "boolean" => json!(true),
        "text" => json!("uno"),
        "card" => json!("7H"),
        "hand" => json!("banca"),
        "winner" => json!("tie"),
        "draw" => json!("stands"),
        "consequence" => json!("chart-draws"),
        "holder" => json!({"seat": 3}),
        "decision" => json!({ "field": "stake", "value": 5_000 }),
        "party" => json!({"seat": 3, "standing": "ana"}),
        "event" => json!("BankTaken"),
        "limit" => json!("rulings-of-coup"),
        "box" => json!({"seat": 3, "amount": 123_456}),
        "time" => json!("2026-03-01T21:04:05+01:00"),
        "day" => json!("2026-03-01"),
        other => panic!("{}: docs/statements.md explains no `{other}`", field.name),
    };
    if field.list { json!([one, one]) } else { one }
}

fn statement_of(kind: &Kind) -> Statement {
    let mut value = json!({"kind": kind.kind});
    for field in kind.fields {
        value[field.name] = sample(field);
    }
    serde_json::from_value(value).unwrap_or_else(|error| panic!("{}: {error}", kind.kind))
}

#[test]
fn every_kind_has_both_languages_and_goes_through_json() {
    let mut names = BTreeSet::new();
    let euro = euro();
    for kind in Statement::kinds() {
        assert!(names.insert(kind.kind), "two kinds are called {}", kind.kind);
        let kebab = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
        assert!(kind.kind.chars().all(kebab), "{}", kind.kind);
        for field in kind.fields {
            let named = format!("{{{}}}", field.name);
            assert!(kind.english.contains(&named) && kind.spanish.contains(&named), "{}: {named}", kind.kind);
        }
        let statement = statement_of(kind);
        check(&statement, kind.kind);
        let value = serde_json::to_value(&statement).unwrap();
        assert_eq!(value["kind"], kind.kind);
        let in_euros = statement.text(Style { currency: Some(&euro), ..ENGLISH });
        let sums = kind.fields.iter().any(|field| ["sum", "box"].contains(&field.holds));
        assert!(!in_euros.contains("123456"), "{in_euros}");
        assert_eq!(in_euros.contains("1,234.56 EUR"), sums, "{in_euros}");
        let in_spanish = statement.text(Style { currency: Some(&euro), ..SPANISH });
        assert_eq!(in_spanish.contains("1.234,56 EUR"), sums, "{in_spanish}");
    }
    assert!(names.len() > 200, "{}", names.len());
}

fn findings() -> Vec<(String, Finding)> {
    let mut found = Vec::new();
    for folder in ["tests/sheets", "tests/reported"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let mut files: Vec<PathBuf> =
            fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
        files.sort();
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            let text: Vec<&str> = text.lines().filter(|line| !line.starts_with("= ")).collect();
            for scenario in call_sheet::scenarios(&text.join("\n")) {
                let findings = scenario.run().judgement.findings;
                found.extend(findings.into_iter().map(|finding| (scenario.title.clone(), finding)));
            }
        }
    }
    found
}

/// What is found in the fixture of every fault that the simulated casino plants.
fn findings_of_faults() -> Vec<(String, Finding)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/faults");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    files.into_iter().flat_map(|file| findings_of(&file)).collect()
}

fn findings_of(file: &Path) -> Vec<(String, Finding)> {
    let mut judge = Judge::default();
    let text = fs::read_to_string(file).unwrap();
    let lines = text.lines().map(|line| Line::from_json(line).unwrap());
    let events = lines.map(|line| (line.table.to_string(), line.sequence, line.into_event()));
    judge.judge_events(events).unwrap();
    let name = file.file_stem().unwrap().to_string_lossy().into_owned();
    judge.finish().findings.into_iter().map(|finding| (name.clone(), finding)).collect()
}

#[test]
fn no_finding_of_any_sheet_or_fault_says_something_only_in_english() {
    let (mut found, faults) = (findings(), findings_of_faults());
    assert!(found.len() > 300 && faults.len() > 100, "{}, {}", found.len(), faults.len());
    found.extend(faults);
    for (title, finding) in found {
        let what = format!("{title}: {}", finding.code);
        check(&finding.expected, &what);
        check(&finding.recorded, &what);
        let value = serde_json::to_value(&finding).unwrap();
        assert_eq!(value["expected"], finding.expected.text(ENGLISH));
        assert_eq!(value["recorded"], finding.recorded.text(ENGLISH));
        let mut back: Finding = serde_json::from_value(value.clone()).unwrap();
        assert_eq!(serde_json::to_value(&back).unwrap(), value, "{what}");
        assert!(!matches!(back.expected, Statement::Text(_)), "{what}");
        // An earlier version wrote the texts alone: what they say in English is the same finding.
        let mut earlier = value;
        earlier.as_object_mut().unwrap().retain(|name, _| !name.ends_with("_value"));
        back = serde_json::from_value(earlier).unwrap();
        assert_eq!(back, finding, "{what}");
        assert!(matches!(back.recorded, Statement::Text(_)), "{what}");
    }
}

#[test]
fn a_value_that_says_something_else_than_the_text_is_not_taken() {
    let (_, finding) = findings().swap_remove(0);
    let mut value = serde_json::to_value(&finding).unwrap();
    for other in
        [json!({"kind": "seat", "seat": 77}), json!({"kind": "of-a-later-version", "x": [1]}), json!(7)]
    {
        value["expected_value"] = other;
        let back: Finding = serde_json::from_value(value.clone()).unwrap();
        assert!(matches!(&back.expected, Statement::Text(text) if value["expected"] == **text));
        assert_eq!(back, finding);
    }
}

#[test]
fn suits_are_symbols_where_they_are_asked_for() {
    let statement: Statement =
        serde_json::from_value(json!({"kind": "card-to", "card": "7H", "hand": "punto"})).unwrap();
    let symbols = Style { suits: Suits::Symbols, ..SPANISH };
    assert_eq!(statement.text(ENGLISH), "7H to punto");
    assert_eq!(statement.text(symbols), "7♥ para el punto");
    for (card, english, spanish) in [
        ("7?", "7 to punto", "7 para el punto"),
        ("??", "a card not read to punto", "una carta no leída para el punto"),
    ] {
        let statement: Statement =
            serde_json::from_value(json!({"kind": "card-to", "card": card, "hand": "punto"})).unwrap();
        assert_eq!([statement.text(ENGLISH), statement.text(symbols)], [english, spanish]);
    }
}

#[test]
fn a_finding_takes_little_more_memory_for_its_values_than_for_two_texts() {
    let texts = 2 * (size_of::<String>() + 32);
    assert!(2 * size_of::<Statement>() <= texts, "{}", size_of::<Statement>());
}

/// The table of `docs/statements.md`.
fn table() -> String {
    let mut text = "| kind | fields | English | Spanish |\n|---|---|---|---|\n".to_owned();
    for Kind { kind, fields, english, spanish } in Statement::kinds() {
        let fields: Vec<String> = fields
            .iter()
            .map(|Field { name, holds, list }| {
                format!("`{name}`: {}{holds}", if *list { "list of " } else { "" })
            })
            .collect();
        text.push_str(&format!("| `{kind}` | {} | {english} | {spanish} |\n", fields.join(", ")));
    }
    text
}

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/statements.md");

#[test]
#[ignore = "writes docs/statements.md"]
fn the_page_is_written_anew() {
    let text = fs::read_to_string(PAGE).unwrap();
    let (before, _) = text.split_once("| kind |").unwrap();
    fs::write(PAGE, format!("{before}{}", table())).unwrap();
}

#[test]
fn the_page_lists_every_kind() {
    let text = fs::read_to_string(PAGE).unwrap();
    let (before, _) = text.split_once("| kind |").unwrap();
    assert!(
        text == format!("{before}{}", table()),
        "docs/statements.md: `cargo xtask generate` writes it anew"
    );
    for field in Statement::kinds().flat_map(|kind| kind.fields) {
        assert!(before.contains(&format!("| {} |", field.holds)), "`{}` is not explained", field.holds);
    }
}
