//! The fixtures are what the make-believe casino plays, and verify as `fixtures/README.md` says.
//!
//! `cargo test -p audit-tests --test fixtures -- --ignored` writes them anew.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use casino::{Fault, Plan, simulate};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures")
}

fn plan(rulebook: &str, fault: Option<Fault>) -> Plan {
    let book = baccarat::builtin(rulebook).unwrap();
    Plan { seed: 1979, fault, ..Plan::new(book) }
}

/// The first built-in rulebook a fault applies to.
fn rulebook_for(fault: Fault) -> &'static str {
    let applies = |(id, _): &(&'static str, &'static str)| fault.applies_to(&baccarat::builtin(id).unwrap());
    baccarat::builtins().find(applies).unwrap().0
}

/// Every fixture of events: its name and its lines. A crooked shoe is cut a little after its
/// fault, so that the fixtures stay small.
fn event_fixtures() -> Vec<(String, String)> {
    let lines = |plan: &Plan, last: u64| {
        let lines = simulate(plan).lines.filter(|line| line.sequence <= last);
        lines.map(|line| line.to_json().unwrap() + "\n").collect::<String>()
    };
    let mut fixtures = vec![
        ("honest.ndjson".to_owned(), lines(&plan("es-1979", None), u64::MAX)),
        ("crooked.ndjson".to_owned(), lines(&plan("punto-banco", Some(Fault::Underpaid)), u64::MAX)),
    ];
    for &fault in Fault::ALL {
        let plan = plan(rulebook_for(fault), Some(fault));
        let planted = simulate(&plan).planted.unwrap();
        fixtures.push((format!("faults/{}.ndjson", fault.code()), lines(&plan, planted.sequence + 12)));
    }
    fixtures
}

#[test]
fn the_fixtures_are_what_the_casino_plays() {
    for (name, lines) in event_fixtures() {
        let kept = std::fs::read_to_string(folder().join(&name)).unwrap_or_default();
        assert!(kept == lines, "{name} differs; write it anew as this file's first lines say");
    }
}

#[test]
#[ignore = "writes the fixtures"]
fn write_the_fixtures() {
    std::fs::create_dir_all(folder().join("faults")).unwrap();
    for (name, lines) in event_fixtures() {
        std::fs::write(folder().join(name), lines).unwrap();
    }
}
