//! Logs, archives and stores that earlier programs made still open, verify as they did, and go on.
#![allow(clippy::unwrap_used)]

use std::os::unix::fs::PermissionsExt;

use serde_json::Value;

use crate::command::{TestFolder, fixture};

/// The formats of the store: each folder of `fixtures/earlier` was made by the program that wrote it.
const FORMATS: [u8; 4] = [2, 3, 4, 5];

/// What a log came to when it was made, held against what it comes to now.
fn same_as_then(folder: &TestFolder, format: u8, log: &str) {
    let of = |name: &str| fixture(&format!("earlier/format-{format}/{name}"));
    let key = std::fs::read_to_string(of("log/key.pub")).unwrap();
    let kept = of("kept.checkpoint");
    let verified = folder.run(&["verify", "log", log, "--key", key.trim(), "--checkpoint", &kept, "--json"]);
    assert_eq!(verified.status.code(), Some(1), "{log}: {}", String::from_utf8_lossy(&verified.stderr));
    let now: Value = serde_json::from_slice(&verified.stdout).unwrap();
    let mut then: Value = serde_json::from_slice(&std::fs::read(of("verify.json")).unwrap()).unwrap();
    let turnover = then.as_object_mut().unwrap().remove("turnover").unwrap();
    assert_eq!(decided(&now["turnover"]), decided(&turnover), "format {format}, {log}: turnover");
    assert_holds(&now, &then, &format!("format {format}, {log}"));
}

/// The turnover by currency without what is undecided: since judge revision 14 it holds the stakes of coups that were never
/// settled too, as undecided.
fn decided(turnover: &Value) -> Vec<(Value, u64)> {
    let rows = turnover.as_array().unwrap().iter();
    rows.map(|row| {
        (row["currency"].clone(), row["staked"].as_u64().unwrap() - row["undecided"].as_u64().unwrap())
    })
    .collect()
}

/// Everything that was reported then is reported now; there may be more.
fn assert_holds(now: &Value, then: &Value, location: &str) {
    match then {
        Value::Object(members) => {
            members
                .iter()
                .for_each(|(name, then)| assert_holds(&now[name], then, &format!("{location} {name}")));
        }
        Value::Array(items) => {
            assert_eq!(now.as_array().map(Vec::len), Some(items.len()), "{location}: how many");
            items
                .iter()
                .enumerate()
                .for_each(|(at, then)| assert_holds(&now[at], then, &format!("{location} {at}")));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            assert_eq!(now, then, "{location}")
        }
    }
}

fn copied(folder: &TestFolder, format: u8) {
    let from = std::path::PathBuf::from(fixture(&format!("earlier/format-{format}/log")));
    for part in ["", "store", "store/blobs"] {
        std::fs::create_dir_all(folder.path("log").join(part)).unwrap();
        for file in std::fs::read_dir(from.join(part)).into_iter().flatten() {
            let file = file.unwrap();
            if file.file_type().unwrap().is_file() {
                std::fs::copy(file.path(), folder.path("log").join(part).join(file.file_name())).unwrap();
            }
        }
    }
    // What a repository keeps is readable by everybody, which a key must not be.
    std::fs::set_permissions(folder.path("log/key"), std::fs::Permissions::from_mode(0o600)).unwrap();
}

#[test]
fn what_earlier_programs_wrote_verifies_as_it_did() {
    for format in FORMATS {
        let folder = TestFolder::new();
        copied(&folder, format);
        same_as_then(&folder, format, "log");
        same_as_then(&folder, format, &fixture(&format!("earlier/format-{format}/whole.auditlog")));
    }
}

// The events are posted again, half of them out of order, so every part of the store is asked for.
#[test]
fn what_earlier_programs_wrote_is_known_event_by_event_and_goes_on() {
    let events = std::fs::read_to_string(fixture("earlier/again.ndjson")).unwrap();
    for format in FORMATS {
        let folder = TestFolder::new();
        copied(&folder, format);
        let again = folder.run(&["ingest", &fixture("earlier/again.ndjson"), "--log", "log", "--json"]);
        assert!(again.status.success(), "format {format}: {}", String::from_utf8_lossy(&again.stderr));
        let view: Value = serde_json::from_slice(&again.stdout).unwrap();
        assert_eq!(view["already_there"], events.lines().count(), "format {format}: {view:#}");
        assert_eq!(view["entries"], 0, "format {format}");
        same_as_then(&folder, format, "log");
        let before = view["size"].as_u64().unwrap();
        let more = folder.run(&[
            "ingest",
            &fixture("honest.ndjson"),
            "--log",
            "log",
            "--json",
            "--record-conflicts",
        ]);
        let view: Value = serde_json::from_slice(&more.stdout).unwrap();
        assert!(view["size"].as_u64().unwrap() > before, "format {format}: {view:#}");
        let verified = folder.run(&["verify", "log", "log", "--json"]);
        let report: Value = serde_json::from_slice(&verified.stdout).unwrap();
        assert_eq!(report["verdicts"]["intact"], "yes", "format {format}");
    }
}

// What docs/upgrading.md says about a backup that was made before an upgrade.
#[test]
fn a_backup_from_before_an_upgrade_is_extended_after_it_and_leads_back() {
    for format in FORMATS {
        let folder = TestFolder::new();
        copied(&folder, format);
        let before = fixture(&format!("earlier/format-{format}/whole.auditlog"));
        let more = folder.run(&["ingest", &fixture("honest.ndjson"), "--log", "log", "--record-conflicts"]);
        assert!(
            matches!(more.status.code(), Some(0 | 1)),
            "format {format}: {}",
            String::from_utf8_lossy(&more.stderr)
        );
        let after = folder.run(&["backup", "log", "--out", "after.auditlog", "--since", &before]);
        assert!(after.status.success(), "format {format}: {}", String::from_utf8_lossy(&after.stderr));
        let restored = folder.run(&["restore", &before, "--log", "back", "--key", "log/key"]);
        assert!(restored.status.success(), "format {format}: {}", String::from_utf8_lossy(&restored.stderr));
        same_as_then(&folder, format, "back");
        // The older state is not taken for the newer one.
        let kept = folder.path("log/checkpoint").display().to_string();
        let older =
            folder.run(&["restore", &before, "--log", "older", "--key", "log/key", "--checkpoint", &kept]);
        assert_eq!(
            older.status.code(),
            Some(3),
            "format {format}: {}",
            String::from_utf8_lossy(&older.stderr)
        );
        // Whatever was recorded since leads back too, as long as the form of archives is the same.
        let whole = folder.run(&[
            "restore",
            "after.auditlog",
            "--log",
            "whole",
            "--key",
            "log/key",
            "--checkpoint",
            &kept,
        ]);
        assert!(whole.status.success(), "format {format}: {}", String::from_utf8_lossy(&whole.stderr));
    }
}

#[test]
fn an_archive_of_a_newer_form_is_refused_with_its_number() {
    let folder = TestFolder::new();
    let mut archive = std::fs::read(fixture("honest.auditlog")).unwrap();
    archive[8..12].copy_from_slice(&9_u32.to_be_bytes());
    folder.write("newer.auditlog", archive);
    let output = folder.run(&["verify", "log", "newer.auditlog"]);
    let said =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{said}");
    assert!(said.contains("archive format version 9 is not known"), "{said}");
}
