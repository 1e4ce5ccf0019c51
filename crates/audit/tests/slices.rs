//! Slices and withheld payloads as a person makes and checks them.
#![allow(clippy::unwrap_used)]

use crate::command::{TestFolder, fixture};

/// Roots, keys, digests and packed lengths differ from run to run: the log's clock and key do.
macro_rules! seen {
    ($text:expr) => {
        insta::with_settings!({filters => vec![
            (r"root [A-Za-z0-9+/]{43}=", "root [ROOT]"),
            (r"  key [0-9a-f]{8}", "  key [KEY]"),
            (r"  findings [0-9a-f]{64}", "  findings [DIGEST]"),
            (r"in [0-9,]+ bytes", "in [N] bytes"),
        ]}, { insta::assert_snapshot!($text) })
    };
}

/// A log of two shoes of eight coups somebody wrote down, the fifth of the second settled wrongly.
fn log() -> TestFolder {
    let folder = TestFolder::new();
    let coups: String = ["A", "B"]
        .iter()
        .flat_map(|shoe| (1..=8).map(move |number| (shoe, number)))
        .map(|(shoe, number)| {
            let winner = if (*shoe, number) == ("B", 5) { "banca" } else { "punto" };
            format!("{shoe},{number},9D,KH,2C,5S,{winner}\n")
        })
        .collect();
    folder.write("coups.csv", format!("shoe,coup,p1,p2,b1,b2,winner\n{coups}"));
    let import = ["import", "coups-csv", "coups.csv", "--rulebook", "punto-banco", "--table", "PB-01"];
    assert!(folder.run(&[&import[..], &["--out", "events"]].concat()).status.success());
    let origin = ["--origin", "casino.example/sala/1"];
    assert!(
        folder
            .run(&[&["ingest", "--create", "events", "--log", "log"], &origin[..]].concat())
            .status
            .success()
    );
    folder
}

#[test]
fn a_shoe_is_certified_by_itself() {
    let folder = log();
    let mut text = folder.see(&["export", "log", "--table", "PB-01", "--shoe", "B", "--out", "b.auditlog"]);
    text += &folder.see(&[
        "verify",
        "log",
        "b.auditlog",
        "--key",
        "log/key.pub",
        "--checkpoint",
        "log/checkpoint",
    ]);
    seen!(text);
}

#[test]
fn a_coup_is_certified_by_itself_and_names_what_it_cannot_show() {
    let folder = log();
    let coup = ["--table", "PB-01", "--shoe", "A", "--coup", "7"];
    let mut text = folder.see(&[&["export", "log", "--out", "coup.auditlog"], &coup[..]].concat());
    text += &folder.see(&["verify", "log", "coup.auditlog", "--key", "log/key.pub"]);
    text += &folder.see(&[&["show", "coup", "coup.auditlog"], &coup[..]].concat());
    seen!(text);
}

#[test]
fn a_slice_of_an_archive_is_the_slice_of_its_log() {
    let folder = log();
    let coup = ["--table", "PB-01", "--shoe", "B", "--coup", "5"];
    folder.run(&["export", "log", "--out", "whole.auditlog"]);
    folder.run(&[&["export", "log", "--out", "one"], &coup[..]].concat());
    folder.run(&[&["export", "whole.auditlog", "--out", "other"], &coup[..]].concat());
    assert_eq!(std::fs::read(folder.path("one")).unwrap(), std::fs::read(folder.path("other")).unwrap());
    let shown = folder.run(&["show", "coup", "one", "--table", "PB-01", "--coup", "5"]);
    assert_eq!(shown.status.code(), Some(1), "{}", String::from_utf8_lossy(&shown.stdout));
}

#[test]
fn what_is_not_there_is_not_sliced() {
    let folder = log();
    let mut text = String::new();
    for ask in [
        &["--table", "PB-09"][..],
        &["--table", "PB-01", "--shoe", "C"],
        &["--table", "PB-01", "--coup", "3"],
        &["--table", "PB-01", "--shoe", "A", "--coup", "9"],
        &["--coup", "3"],
        &["--table", "PB-01", "--shoe", "A", "--withhold", "15"],
        &["--withhold", "99"],
    ] {
        text += &folder.see(&[&["export", "log", "--out", "none"], ask].concat());
        assert!(!folder.path("none").exists());
    }
    folder.run(&["export", "log", "--table", "PB-01", "--shoe", "A", "--out", "a.auditlog"]);
    text += &folder.see(&["export", "a.auditlog", "--table", "PB-01", "--shoe", "A", "--out", "none"]);
    seen!(text);
}

#[test]
fn a_withheld_payload_leaves_its_coup_undecided_and_the_rest_certified() {
    let folder = log();
    let mut text = folder.see(&["export", "log", "--withhold", "7", "--out", "rest.auditlog"]);
    text += &folder.see(&["verify", "log", "rest.auditlog", "--key", "log/key.pub"]);
    seen!(text);
}

#[test]
fn a_payload_is_erased_with_a_notice_that_stays() {
    let folder = log();
    let names = ["--by", "dpo", "--countersigned-by", "director"];
    let erase =
        [&["redact", "log", "--entry", "7", "--reason", "erasure, art. 17 RGPD"], &names[..]].concat();
    let mut text = folder.see(&erase);
    text += &folder.see(&["verify", "log", "log", "--key", "log/key.pub"]);
    text += &folder.see(&erase);
    text += &folder.see(&["show", "coup", "log", "--table", "PB-01", "--shoe", "A", "--coup", "7"]);
    // What was handed in before is still known; what is new goes on.
    text += &folder.see(&["ingest", "--create", "events", "--log", "log"]);
    text += &folder.see(&["redact", "log", "--finish"]);
    let prove = ["prove", "entry", "log", "--index", "7", "--out", "seven.tlog-proof", "--json"];
    let proven = folder.run(&prove);
    assert!(proven.status.success(), "{}", String::from_utf8_lossy(&proven.stderr));
    assert!(!std::fs::read_to_string(folder.path("seven.tlog-proof")).unwrap().contains("extra "));
    seen!(text);
}

#[test]
fn what_had_been_found_in_an_erased_payload_stays_in_the_notice() {
    let folder = log();
    let coup = ["--table", "PB-01", "--shoe", "B", "--coup", "5"];
    let shown = folder.run(&[&["show", "coup", "log", "--json"], &coup[..]].concat());
    let shown: serde_json::Value = serde_json::from_slice(&shown.stdout).unwrap();
    let entry = shown["entries"][0].to_string();
    let names = ["--by", "dpo", "--countersigned-by", "director"];
    let erase = [&["redact", "log", "--entry", &entry, "--reason", "art. 17"], &names[..]].concat();
    let mut text = folder.see(&erase);
    text += &folder.see(&["verify", "log", "log", "--key", "log/key.pub"]);
    let report = folder.run(&["verify", "log", "log", "--json"]);
    let report: serde_json::Value = serde_json::from_slice(&report.stdout).unwrap();
    let found = report["seal"]["redactions"][0]["findings"][0].as_str().unwrap();
    assert!(found.starts_with("winner-wrong at table PB-01, event "), "{found}");
    assert_ne!(report["verdicts"]["certified"], "yes");
    seen!(text);
}

#[test]
fn nothing_is_erased_without_two_names_and_a_reason() {
    let folder = log();
    let mut text = String::new();
    for ask in [
        &["--entry", "7"][..],
        &["--entry", "7", "--reason", " ", "--by", "dpo", "--countersigned-by", "director"],
        &["--entry", "7", "--reason", "x", "--by", "dpo", "--countersigned-by", "dpo"],
        &["--entry", "7", "--reason", "x", "--by", "dpo", "--countersigned-by", "DPO"],
        &["--entry", "7", "--reason", "x", "--by", "d p o", "--countersigned-by", "director"],
        &["--entry", "70", "--reason", "x", "--by", "dpo", "--countersigned-by", "director"],
        &["--finish", "--entry", "7"],
        &["--finish"],
    ] {
        text += &folder.see(&[&["redact", "log"], ask].concat());
    }
    text += &folder.see(&["redact", "nowhere", "--finish"]);
    assert_eq!(folder.run(&["verify", "log", "log"]).status.code(), Some(1), "nothing was lost");
    seen!(text);
}

#[test]
fn a_table_may_not_be_called_as_the_logs_own_chain() {
    let folder = log();
    let events = std::fs::read_to_string(folder.path("events")).unwrap();
    folder.write("own", events.lines().next().unwrap().replace("PB-01", "@log"));
    seen!(folder.see(&["ingest", "--create", "own", "--log", "log"]));
}

/// Each id is a table of its own, and a reader of a report must see that there are two.
#[test]
fn tables_whose_ids_look_alike_are_named() {
    let folder = log();
    let none = folder.see(&["verify", "log", "log"]);
    assert!(!none.contains("look alike"), "{none}");
    let events = std::fs::read_to_string(folder.path("events")).unwrap();
    folder.write("other", events.replace("PB-01", "PB-O1"));
    folder.run(&["ingest", "other", "--log", "log"]);
    let text = folder.see(&["verify", "log", "log"]);
    assert!(text.contains("tables whose ids look alike, each judged on its own: PB-01, PB-O1\n"), "{text}");
    let report = folder.run(&["verify", "log", "log", "--json"]);
    let report: serde_json::Value = serde_json::from_slice(&report.stdout).unwrap();
    assert_eq!(report["look_alike_tables"], serde_json::json!([["PB-01", "PB-O1"]]));
}

/// Two coups of one shoe had the number 1, and the command asked for a shoe, "one of: S-1, S-1".
#[test]
fn of_two_coups_with_one_number_an_event_says_which() {
    let folder = TestFolder::new();
    let honest = std::fs::read_to_string(fixture("honest.ndjson")).unwrap();
    let lines: Vec<&str> = honest.lines().collect();
    let settled = |line: &&str| line.contains("{\"CoupSettled\":{\"coup\":2,");
    let end = lines.iter().position(settled).unwrap();
    let again: Vec<String> =
        lines[..=end].iter().map(|line| line.replace("\"coup\":2,", "\"coup\":1,")).collect();
    std::fs::write(folder.path("again.ndjson"), again.join("\n").replace("\"coup\":2}", "\"coup\":1}"))
        .unwrap();
    let table = lines[0].split("\"table\":\"").nth(1).unwrap().split('"').next().unwrap();
    let show = |event: &[&str]| {
        folder.see(&[&["show", "coup", "again.ndjson", "--table", table, "--coup", "1"], event].concat())
    };
    let refused = show(&[]);
    assert!(refused.contains("several coups have the number 1; add --event"), "{refused}");
    let events = refused.split("in its shoe: ").nth(1).unwrap();
    let firsts: Vec<&str> = events.split(", ").map(|of| of.split(' ').next().unwrap()).collect();
    assert_eq!(firsts.len(), 2, "{refused}");
    for first in firsts {
        let shown = show(&["--event", first]);
        assert!(shown.contains("coup 1") && shown.contains(first), "{shown}");
    }
    let spanish = show(&["--lang", "es"]);
    assert!(spanish.contains("varias jugadas tienen el número 1; añada --event"), "{spanish}");
    assert!(show(&["--event", "1"]).contains("no coup 1"), "an event of none");
}
