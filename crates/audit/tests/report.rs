//! `audit report`: a log as one file to read, and the same for programs.
#![allow(clippy::unwrap_used)]

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::command::{TestFolder, fixture};

fn sealed(events: &str) -> TestFolder {
    let folder = TestFolder::new();
    let output = folder.run(&["ingest", events, "--log", "log", "--create"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    folder
}

fn read(folder: &TestFolder, file: &str) -> String {
    std::fs::read_to_string(folder.path(file)).unwrap()
}

fn json(folder: &TestFolder, file: &str) -> Value {
    serde_json::from_str(&read(folder, file)).unwrap()
}

/// What stands between two texts of a page.
fn between<'a>(page: &'a str, before: &str, after: &str) -> &'a str {
    page.split_once(before).unwrap().1.split_once(after).unwrap().0
}

#[test]
fn a_report_says_which_rule_was_broken_what_it_cost_and_whom() {
    let folder = sealed(&fixture("crooked.ndjson"));
    let seen = folder.see(&["report", "log", "--out", "report.html"]);
    assert!(seen.contains("certified  no") && seen.contains("written: report.html"), "{seen}");
    assert!(seen.ends_with("exit status 1\n"), "{seen}");
    let page = read(&folder, "report.html");
    for said in ["A bet was paid less than was due.", "player-2", "1.00 EUR", "payout-under", "S-PB-01-1"] {
        assert!(page.contains(said), "{said}");
    }
    // The clause is there in full, and nothing has to be opened.
    assert!(page.contains("<details open>") && !page.contains("<details>"));
    assert!(page.contains("Pago 1 a 1"), "the text that the clause cites");
}

#[test]
fn a_report_is_one_file_that_asks_for_nothing_and_allows_only_its_own_style() {
    let folder = sealed(&fixture("honest.ndjson"));
    folder.see(&["report", "log", "--out", "a.html"]);
    folder.see(&["report", "log", "--out", "b.html"]);
    folder.see(&["report", "log", "--out", "es.html", "--lang", "es"]);
    let page = read(&folder, "a.html");
    assert_eq!(page, read(&folder, "b.html"));
    for outside in ["<script", "src=", "http:", "https:", "url(", "@import", "href=\"/", "style=\"", "unsafe"]
    {
        assert!(!page.contains(outside), "{outside}");
    }
    let style = between(&page, "<style>", "</style>");
    let policy = between(&page, "Content-Security-Policy\" content=\"", "\"");
    let hash = STANDARD.encode(Sha256::digest(style));
    assert!(policy.starts_with(&format!("default-src 'none'; style-src 'sha256-{hash}'")), "{policy}");
    let spanish = read(&folder, "es.html");
    assert!(
        spanish.contains("<html lang=\"es\">") && spanish.contains("Importes adeudados y cobrados de más")
    );
    assert!(spanish.contains("Ningún dinero fue por donde no debía."));
}

/// A coup without cards brought 9,000.00 for a stake of 20.00, and the report said that no money went the wrong way.
#[test]
fn what_is_not_known_is_not_reported_as_no_money() {
    let folder = TestFolder::new();
    let honest = std::fs::read_to_string(fixture("honest.ndjson")).unwrap();
    let mut events: Vec<Value> = honest.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let table = events[0]["table"].clone();
    events.retain(|event| event["table"] == table && event["event"].get("CardDrawn").is_none());
    let settled =
        |event: &Value| event["event"]["CoupSettled"]["bets"].as_array().is_some_and(|bets| !bets.is_empty());
    let last = events.iter().position(settled).unwrap();
    events.truncate(last + 1);
    for line in events[last]["event"]["CoupSettled"]["bets"].as_array_mut().unwrap() {
        line["returned"] = 900_000.into();
    }
    for (sequence, event) in (1..).zip(&mut events) {
        event["sequence"] = sequence.into();
    }
    let lines: Vec<String> = events.iter().map(Value::to_string).collect();
    std::fs::write(folder.path("short.ndjson"), lines.join("\n")).unwrap();
    let args = ["report", "short.ndjson", "--out", "r.html", "--out", "r.json", "--csv", "csv"];
    let seen = folder.see(&args);
    assert!(!seen.contains("none of it undecided"), "{seen}");
    folder.see(&["report", "short.ndjson", "--out", "es.html", "--lang", "es"]);
    let (page, spanish) = (read(&folder, "r.html"), read(&folder, "es.html"));
    let owed = between(&page, "<h2 id=\"owed\">", "</section>");
    assert!(owed.contains("coup it is not known what was due") && !owed.contains("No money went"), "{owed}");
    let owed = between(&spanish, "<h2 id=\"owed\">", "</section>");
    assert!(owed.contains("jugada no se sabe qué se debía") && !owed.contains("Ningún dinero"), "{owed}");
    let not_known = &json(&folder, "r.json")["ledger"]["not_known"]["rows"][0];
    assert!(not_known["coups"] == 1 && not_known["returned"].as_u64().unwrap() >= 900_000, "{not_known}");
    assert!(read(&folder, "csv/owed.csv").lines().count() > 1);
}

/// In this log commission is marked in boxes: the house keeps it besides, though what was returned does not show it.
#[test]
fn what_was_played_stands_beside_what_a_fresh_shoe_gives() {
    let folder = sealed(&fixture("crooked.ndjson"));
    folder.see(&["report", "log", "--out", "report.html", "--out", "report.json"]);
    let page = read(&folder, "report.html");
    let statistics = between(&page, "id=\"statistics\"", "id=\"check\"");
    for said in ["expected 45.9 %", "expected 44.6 %", "expected 9.5 %", "a fresh shoe of 8 decks", "1.1 %"] {
        assert!(statistics.contains(said), "{said}: {statistics}");
    }
    let bets = json(&folder, "report.json")["ledger"]["bets"]["rows"].clone();
    let banca = bets.as_array().unwrap().iter().find(|row| row["kind"] == "banca").unwrap().clone();
    assert!(banca["marked"].as_u64().unwrap() > 0 && banca["marked"] == banca["commission"], "{banca}");
    let of = |name: &str| banca[name].as_i64().unwrap();
    let kept = of("staked") + of("marked") - of("returned");
    // To the nearest, as what is expected.
    let kept = kept.signum() * ((kept.abs() * 1_000 + of("staked") / 2) / of("staked"));
    let shown =
        between(statistics, "<th scope=\"row\">banca<", "</tr>").rsplit("class=\"number\">").next().unwrap();
    let sign = if kept < 0 { "\u{2212}" } else { "" };
    let shown_kept = format!("{sign}{}.{} %", kept.abs() / 10, kept.abs() % 10);
    assert!(shown.starts_with(&shown_kept), "{shown_kept}: {shown}");
}

#[test]
fn a_report_of_a_broken_log_says_what_is_broken() {
    let folder = TestFolder::new();
    let seen = folder.see(&["report", &fixture("bit-flipped.auditlog"), "--out", "report.html"]);
    assert!(seen.ends_with("exit status 3\n"), "{seen}");
    let page = read(&folder, "report.html");
    let faults = between(&page, "<h2 id=\"faults\">", "</ul>");
    assert!(faults.contains("<li>entry "), "{faults}");
}

#[test]
fn nothing_is_certified_in_a_report_of_events_without_a_seal() {
    let folder = TestFolder::new();
    let args = ["report", &fixture("honest.ndjson"), "--out", "r.html", "--out", "r.json", "--csv", "csv"];
    assert_eq!(folder.run(&args).status.code(), Some(5));
    let report = json(&folder, "r.json");
    let shoe = &report["ledger"]["shoes"]["rows"][0];
    assert_eq!((&shoe["verdict"], &shoe["coups"]["certified"]), (&"judged".into(), &0.into()));
    assert!(shoe["coups"]["judged"].as_u64().unwrap() > 0);
    assert_eq!(report["tables"][0]["coups"]["certified"], 0);
    assert!(!read(&folder, "r.html").contains("badge good"), "nothing is green");
    assert!(read(&folder, "csv/shoes.csv").lines().nth(1).unwrap().contains(",judged,0,"));
}

#[test]
fn json_holds_what_verify_says_and_csv_and_sarif_hold_the_same_findings() {
    let folder = sealed(&fixture("crooked.ndjson"));
    folder.see(&["report", "log", "--out", "r.json", "--out", "r.sarif", "--csv", "csv"]);
    let verified = folder.run(&["verify", "log", "log", "--json"]);
    let verified: Value = serde_json::from_slice(&verified.stdout).unwrap();
    let report = json(&folder, "r.json");
    assert_eq!(report["log"], verified);
    let owed = &report["ledger"]["owed"]["rows"][0];
    assert_eq!((&owed["players"], &owed["lost"]), (&serde_json::json!(["player-2"]), &100.into()));

    let sarif = json(&folder, "r.sarif");
    let run = &sarif["runs"][0];
    assert_eq!((&sarif["version"], &run["tool"]["driver"]["name"]), (&"2.1.0".into(), &"audit".into()));
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), verified["findings"].as_array().unwrap().len());
    let index = usize::try_from(results[0]["ruleIndex"].as_u64().unwrap()).unwrap();
    assert_eq!(run["tool"]["driver"]["rules"][index]["id"], results[0]["ruleId"]);
    assert_eq!((&results[0]["ruleId"], &results[0]["level"]), (&"payout-under".into(), &"error".into()));
    assert!(results[0]["message"]["text"].as_str().unwrap().contains("1.00 EUR"));

    let csv = read(&folder, "csv/findings.csv");
    assert_eq!(csv.lines().count(), 2);
    assert!(csv.lines().nth(1).unwrap().starts_with("payout-under,violation,PB-01,S-PB-01-1,29,"), "{csv}");
    for (file, heading) in [
        ("tables", "table,rulebook,"),
        ("shoes", "table,loaded_sequence,"),
        ("owed", "table,seat,players,"),
        ("boxes", "table,seat,"),
        ("results", "rulebook,coups,"),
        ("bets", "rulebook,kind,"),
    ] {
        let csv = read(&folder, &format!("csv/{file}.csv"));
        assert!(csv.starts_with(heading) && csv.lines().count() > 1, "{file}: {csv}");
    }
}

#[test]
fn what_cannot_be_written_is_said_before_the_log_is_read_and_nothing_is_replaced() {
    let folder = sealed(&fixture("honest.ndjson"));
    folder.write("there.html", "kept");
    let none = folder.see(&["report", "log"]);
    assert!(none.contains("--out FILE.html") && none.ends_with("exit status 2\n"), "{none}");
    let form = folder.see(&["report", "log", "--out", "report.pdf"]);
    assert!(form.contains("report.pdf: the form of a report") && form.ends_with("exit status 2\n"), "{form}");
    let there = folder.see(&["report", "log", "--out", "there.html"]);
    assert!(there.ends_with("exit status 2\n") && read(&folder, "there.html") == "kept", "{there}");
    let folder_missing = folder.see(&["report", "log", "--out", "no/such/r.html"]);
    assert!(folder_missing.ends_with("exit status 74\n"), "{folder_missing}");
    let forced = folder.see(&["report", "log", "--out", "there.html", "--force", "--json"]);
    assert!(forced.contains("\"there.html\"") && read(&folder, "there.html").starts_with("<!DOCTYPE html>"));
}

/// Of events without a seal names may be anything that an id allows, and titles anything at all.
#[test]
fn markup_and_characters_that_turn_text_reach_no_form_of_a_report() {
    let folder = TestFolder::new();
    let events = std::fs::read_to_string(fixture("crooked.ndjson")).unwrap();
    let hostile = events.replace("player-2", "=cmd()<b>\\u202e");
    assert_ne!(hostile, events);
    folder.write("hostile.ndjson", hostile);
    folder.see(&["report", "hostile.ndjson", "--out", "r.html", "--out", "r.sarif", "--csv", "csv"]);
    for file in ["r.html", "r.sarif", "csv/owed.csv", "csv/findings.csv"] {
        let text = read(&folder, file);
        assert!(!text.contains('\u{202e}'), "{file}");
        assert!(file != "r.html" || (!text.contains("<b>") && text.contains("&#60;b&#62;")), "{file}");
    }
    assert!(read(&folder, "csv/owed.csv").contains("'=cmd()<b>"));
}
