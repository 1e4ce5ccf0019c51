//! The fixtures are what the simulated casino plays, and verify as `fixtures/README.md` says.
//!
//! `cargo xtask generate` writes them anew.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use casino::{Fault, Plan, simulate};
use events::{Line, encode_payload};
use replay::{Entry, Judge, Verdict};

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

/// The file of one short honest shoe under each built-in rulebook: its name and its lines.
fn rulebook_fixtures() -> Vec<(String, String)> {
    let short = |id: &str| Plan { cards_in_front: Some(60), ..plan(id, None) };
    let lines = |plan: &Plan| simulate(plan).lines.map(|line| line.to_json().unwrap() + "\n").collect();
    baccarat::builtins().map(|(id, _)| (format!("rulebooks/{id}.ndjson"), lines(&short(id)))).collect()
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
    fixtures.extend(rulebook_fixtures());
    fixtures
}

#[test]
fn the_fixtures_are_what_the_casino_plays() {
    for (name, lines) in event_fixtures() {
        let kept = std::fs::read_to_string(folder().join(&name)).unwrap_or_default();
        assert!(kept == lines, "{name} differs; write it anew as this file's first lines say");
    }
}

/// The kept file itself is read line by line, as `audit ingest` reads it, and judged.
#[test]
fn the_shoe_of_every_rulebook_is_read_and_certified() {
    for (id, _) in baccarat::builtins() {
        let kept = std::fs::read_to_string(folder().join(format!("rulebooks/{id}.ndjson"))).unwrap();
        let mut judge = Judge::default();
        for (index, line) in (0..).zip(kept.lines()) {
            let line = Line::from_json(line).unwrap();
            let (table, first) = (line.table.to_string(), line.sequence);
            let payload = encode_payload(&[line.into_event()]).unwrap();
            judge.judge(&[Entry {
                index,
                table: &table,
                first,
                count: 1,
                payload: &payload,
                ..Entry::default()
            }]);
        }
        let judgement = judge.finish();
        assert!(judgement.findings.is_empty(), "{id}: {:#?}", judgement.findings);
        assert_eq!((judgement.complete(), judgement.certified()), (Verdict::Yes, Verdict::Yes), "{id}");
        assert_eq!((judgement.summary.shoes.certified, judgement.summary.shoes.undecided), (1, 0), "{id}");
        assert!(judgement.summary.coups.certified >= 7, "{id}: {} coups", judgement.summary.coups.certified);
        assert_eq!(judgement.summary.rulebooks.iter().map(|used| used.id.as_str()).collect::<Vec<_>>(), [id]);
    }
}

#[test]
#[ignore = "writes the fixtures"]
fn the_fixtures_are_written_anew() {
    for inner in ["faults", "rulebooks"] {
        std::fs::create_dir_all(folder().join(inner)).unwrap();
    }
    for (name, lines) in event_fixtures() {
        std::fs::write(folder().join(name), lines).unwrap();
    }
}
