//! However much is found, nothing is hidden: not a large sum by small ones, nor what no list can hold.
#![allow(clippy::unwrap_used)]

use serde_json::Value;

use crate::command::{TestFolder, fixture};

/// A shoe of so many coups of the same cards, each with a wrong winner: a flood of findings.
fn flooded(coups: u32) -> TestFolder {
    let folder = TestFolder::new();
    let rows: String = (1..=coups).map(|coup| format!("A,{coup},9D,KH,2C,5S,banca\n")).collect();
    folder.write("coups.csv", format!("shoe,coup,p1,p2,b1,b2,winner\n{rows}"));
    let import = ["import", "coups-csv", "coups.csv", "--rulebook", "punto-banco", "--table", "PB-01"];
    assert!(folder.run(&[&import[..], &["--out", "events"]].concat()).status.success());
    assert!(folder.run(&["ingest", "--create", "events", "--log", "log"]).status.success());
    folder
}

fn report(folder: &TestFolder, more: &[&str]) -> Value {
    let output = folder.run(&[&["verify", "log", "log", "--json"], more].concat());
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The sum of the numbers under this name.
fn counted(report: &Value, name: &str) -> u64 {
    report[name].as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum()
}

#[test]
fn all_findings_are_shown_however_many_and_a_report_says_what_it_leaves_out() {
    let folder = flooded(3_000);
    let (cut, all) = (report(&folder, &[]), report(&folder, &["--all"]));
    let (listed, every) = (cut["findings"].as_array().unwrap(), all["findings"].as_array().unwrap());
    let total = counted(&cut, "findings_by_code");
    assert!(total > 12_000 && listed.len() < total as usize, "{total} {}", listed.len());
    assert_eq!(cut["findings_cut"], true);
    assert_eq!(cut["findings_not_listed"], total - listed.len() as u64);
    assert_eq!((every.len() as u64, &all["findings_cut"]), (total, &Value::Bool(false)));
    assert!(all.get("findings_not_listed").is_none());
    let last = |list: &[Value], code: &str| {
        list.iter().filter(|found| found["code"] == code).map(|found| found["entry"].as_u64().unwrap()).max()
    };
    assert!(last(listed, "winner-wrong") < last(every, "winner-wrong"));
    for name in ["verdicts", "coups", "findings_by_code", "money", "turnover", "certificate"] {
        assert_eq!(cut[name], all[name], "{name}");
    }
    let text = folder.run(&["verify", "log", "log", "--all"]);
    let text = String::from_utf8(text.stdout).unwrap();
    assert_eq!(text.matches("first shown by event").count() as u64, total);
    assert!(text.contains("\nresult, not a certificate: "), "the result comes after them");
}

#[test]
fn what_is_not_listed_is_counted_by_code() {
    let folder = flooded(40);
    let text = String::from_utf8(folder.run(&["verify", "log", "log"]).stdout).unwrap();
    let sums = text.split_once("\nall findings by code\n").unwrap().1;
    assert!(sums.contains("  winner-wrong: 40\n"), "{text}");
}

#[test]
fn that_all_coups_agree_is_not_said_without_what_rests_on_a_ruling() {
    let folder = TestFolder::new();
    let events = std::fs::read_to_string(fixture("honest.ndjson")).unwrap();
    let last: Value = serde_json::from_str(events.lines().last().unwrap()).unwrap();
    let ruling = serde_json::json!({
        "table": last["table"],
        "sequence": last["sequence"].as_u64().unwrap() + 1,
        "occurred_at": last["occurred_at"],
        "event": { "IrregularityRecorded": { "code": "player-warned", "ruling": "warned", "ruled_by": "jefe", "countersigned_by": "director" } },
    });
    folder.write("events", format!("{events}{ruling}\n"));
    let ingested = folder.run(&["ingest", "--create", "events", "--log", "log"]);
    assert!(ingested.status.success(), "{}", String::from_utf8_lossy(&ingested.stderr));
    for (language, said) in [
        ("en", "agree with the record; 1 ruling is attested only\n"),
        ("es", "coinciden con el registro; 1 resolución consta solo por sus firmas\n"),
    ] {
        let output = folder.run(&["verify", "log", "log", "--lang", language]);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains(said), "{text}");
    }
    let report = report(&folder, &[]);
    assert_eq!(report["verdicts"]["certified"], "yes");
    assert_eq!(report["certificate"]["attested"]["rulings"], 1);
    assert_eq!(report["certificate"]["turnover"], report["turnover"]);
    assert!(report["turnover"][0]["staked"].as_u64().unwrap() > 0);
}
