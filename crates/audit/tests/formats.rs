//! `docs/formats.md` is walked: each version is the one in the source, each example is there, and is read.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use crate::command::{self, TestFolder};

const PAGE: &str = include_str!("../../../docs/formats.md");
const STORE: &str = include_str!("../../sealed-log-sled/src/store.rs");
const TOKENS: &str = include_str!("../../service/src/access/file.rs");
const RELEASE: &str = include_str!("../src/commands/release.rs");

struct Row {
    name: String,
    version: String,
    read: String,
    examples: Vec<PathBuf>,
}

fn rows() -> Vec<Row> {
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    let table = PAGE.lines().skip_while(|line| !line.starts_with("| format |")).skip(2);
    let rows: Vec<Vec<String>> = table.take_while(|line| line.starts_with('|')).map(cells).collect();
    let path = |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name);
    rows.into_iter()
        .map(|cells| Row {
            name: cells[0].clone(),
            version: cells[1].clone(),
            read: cells[2].clone(),
            examples: cells[6].split('`').skip(1).step_by(2).map(path).collect(),
        })
        .collect()
}

/// A number that a source file gives a constant.
fn constant(source: &str, name: &str) -> String {
    let (_, rest) = source.split_once(&format!("const {name}: u8 = ")).unwrap();
    rest.split(';').next().unwrap().to_owned()
}

#[test]
fn every_version_is_the_one_in_the_source() {
    let rows = rows();
    let row = |name: &str| rows.iter().find(|row| row.name == name).unwrap();
    assert_eq!(row("entry").version, sealed_log::entry::ENTRY_VERSION.to_string());
    assert_eq!(row("archive").version, sealed_log::archive::ARCHIVE_VERSION.to_string());
    assert_eq!(row("archive").read, format!("1 to {}", sealed_log::archive::ARCHIVE_VERSION));
    assert_eq!(row("store").version, constant(STORE, "FORMAT"));
    assert_eq!(
        row("store").read,
        format!("{} to {}", constant(STORE, "OLDEST_FORMAT"), constant(STORE, "FORMAT"))
    );
    let tokens = format!(r#""format":"audit-tokens","version":{}}}"#, row("tokens file").version);
    assert!(TOKENS.contains(&tokens), "{tokens}");
    let release = format!("audit release, format {}:", row("release list").version);
    assert!(RELEASE.contains(&release), "{release}");
    assert_eq!(row("lease of a partition").version, fleet::FORMAT.to_string());
    let rulebook = baccarat::builtin("es-1979").unwrap();
    assert_eq!(row("rulebook").version, rulebook.format.to_string());
}

#[test]
fn every_format_has_an_example_that_is_read() {
    let rows = rows();
    assert!(rows.len() >= 10, "{}", rows.len());
    for row in &rows {
        assert!(!row.examples.is_empty(), "{} has no example", row.name);
        for example in &row.examples {
            assert!(example.exists(), "{}: {} is not there", row.name, example.display());
            assert!(is_read(&row.name, example), "{}: {} is not read", row.name, example.display());
        }
    }
}

/// The archives and stores have the versions that are promised, the oldest among them, and the one that is written now:
/// a change of it without a new number is noticed.
#[test]
fn every_version_of_an_archive_and_a_store_has_an_example() {
    let rows = rows();
    let archives = &rows.iter().find(|row| row.name == "archive").unwrap().examples;
    let mut versions: Vec<u8> = archives.iter().map(|path| std::fs::read(path).unwrap()[11]).collect();
    versions.sort_unstable();
    versions.dedup();
    assert_eq!(versions, [1, 2]);
    let stores = &rows.iter().find(|row| row.name == "store").unwrap().examples;
    let names: Vec<String> = stores.iter().map(|path| path.display().to_string()).collect();
    for format in
        constant(STORE, "OLDEST_FORMAT").parse::<u8>().unwrap()..=constant(STORE, "FORMAT").parse().unwrap()
    {
        assert!(names.iter().any(|name| name.contains(&format!("format-{format}/"))), "{format}: {names:?}");
    }
}

/// The replaced card is no card too many, what was computed is counted apart, and an extension is shown as not judged.
#[test]
fn a_shoe_with_the_events_of_minor_version_two_is_judged() {
    let folder = TestFolder::new();
    let events = command::fixture("formats/minor-2.ndjson");
    assert!(folder.run(&["ingest", "--create", &events, "--log", "log"]).status.success());
    let report = |what: &str| -> serde_json::Value {
        serde_json::from_slice(&folder.run(&["verify", "log", what, "--json"]).stdout).unwrap()
    };
    let live = report("log");
    assert_eq!(live["findings"], serde_json::json!([]), "{live:#}");
    let attested = &live["attested"];
    assert_eq!((&attested["irregularities"], &attested["rulings"]), (&1.into(), &1.into()), "{attested}");
    assert_eq!((&attested["values_computed"], &attested["extensions"]), (&2.into(), &1.into()), "{attested}");
    assert_eq!(attested["extension_bytes"], 32, "{attested}");
    assert_eq!(
        (&live["coups"]["certified"], &live["coups"]["undecided"]),
        (&5.into(), &1.into()),
        "{live:#}"
    );
    let text = folder.see(&["verify", "log", "log"]);
    assert!(
        text.contains("2 winners and totals were computed from the cards, and confirm nothing"),
        "{text}"
    );
    assert!(text.contains("1 extension (32 bytes) was not judged"), "{text}");
    let coup = folder.see(&["show", "coup", "log", "--table", "PB-01", "--coup", "3"]);
    assert!(coup.contains("(computed from the cards, not read: winner, banca's total)"), "{coup}");
    assert!(folder.run(&["export", "log", "--out", "log.auditlog"]).status.success());
    assert_eq!(report("log.auditlog")["attested"], live["attested"]);
    // Without the statement that the card was replaced, the seventh king of diamonds of six decks is one too many.
    let other = |line: &str| {
        let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
        if line["event"].get("CardReplaced").is_some() {
            line["event"] =
                serde_json::json!({ "ExtensionRecorded": { "name": "CardReplaced", "data": "KD" } });
        }
        line.to_string()
    };
    let lines: Vec<String> = std::fs::read_to_string(&events).unwrap().lines().map(other).collect();
    folder.write("without", lines.join("\n"));
    assert!(folder.run(&["ingest", "--create", "without", "--log", "other"]).status.success());
    let found = &report("other")["findings_by_code"];
    assert_eq!((&found["shoe-surplus-card"], &found["card-removed"]), (&1.into(), &1.into()), "{found}");
}

/// Whether the program reads an example of a format, with a status that says so.
fn is_read(name: &str, example: &Path) -> bool {
    let folder = TestFolder::new();
    let path = example.display().to_string();
    let beside = |other: &str| example.with_file_name(other).display().to_string();
    let (arguments, statuses): (Vec<String>, &[i32]) = match name {
        "entry" | "archive" | "store" => (words("verify log", &[&path]), &[0, 1]),
        "checkpoint" => {
            let log =
                if path.contains("earlier") { beside("whole.auditlog") } else { beside("honest.auditlog") };
            (words("verify log", &[&log, "--checkpoint", &path]), &[0, 1])
        }
        "events" => (words("ingest", &["--create", &path, "--log", "log"]), &[0]),
        "rulebook" => (words("rules check", &[&path]), &[0]),
        "proof of an entry" => (words("verify proof", &[&path, "--key", &beside("log.pub")]), &[0]),
        "tokens file" => {
            std::fs::copy(example, folder.path("tokens")).unwrap();
            let mode = std::os::unix::fs::PermissionsExt::from_mode(0o600);
            std::fs::set_permissions(folder.path("tokens"), mode).unwrap();
            (words("tokens list", &["--tokens", "tokens"]), &[0])
        }
        // Its files are not there, and its signature holds.
        "release list" => (words("release verify", &[&path, "--key", &beside("releases.pub")]), &[5]),
        "report of `verify log --json`" | "report of `verify fleet --json`" => {
            let report: serde_json::Value = serde_json::from_slice(&std::fs::read(example).unwrap()).unwrap();
            return report["verdicts"]["intact"] == "yes";
        }
        "lease of a partition" => {
            let record = fleet::LeaseRecord::parse(&std::fs::read(example).unwrap());
            return record.is_ok_and(|record| record.format == fleet::FORMAT && record.committed.size > 0);
        }
        "receipt of a message" => return fleet::Receipt::parse(&std::fs::read(example).unwrap()).is_some(),
        other => panic!("docs/formats.md lists {other}, which this test does not read"),
    };
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let status = folder.run(&arguments).status.code().unwrap();
    statuses.contains(&status)
}

fn words(command: &str, more: &[&str]) -> Vec<String> {
    command.split(' ').chain(more.iter().copied()).map(str::to_owned).collect()
}
