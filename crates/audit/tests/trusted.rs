//! Every command that verifies a whole log holds it to the same key, checkpoints, witnesses and rulebooks.
#![allow(clippy::unwrap_used)]

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::command::serving::{Started, agent, desk_cookie};
use crate::command::{TestFolder, fixture};

/// What the commands that print JSON say with these options, with their statuses.
fn said(folder: &TestFolder, options: &[&str]) -> Vec<(Value, i32)> {
    let commands: [&[&str]; 3] = [
        &["verify", "log", "log", "--json"],
        &["report", "log", "--out", "report.json", "--force", "--json"],
        &["sample", "log", "--seed", "1", "--coups", "2", "--json"],
    ];
    let each = commands.iter().map(|command| {
        let output = folder.run(&[*command, options].concat());
        let said: Value = serde_json::from_slice(&output.stdout).unwrap();
        (said["verdicts"].clone(), output.status.code().unwrap())
    });
    each.collect()
}

/// The overview that `audit desk` shows with these options.
fn overview(folder: &TestFolder, options: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_audit"));
    command
        .args(["desk", "log", "--json"])
        .args(options)
        .current_dir(folder.path("."))
        .stderr(Stdio::piped());
    let started = Started::by(&mut command);
    let (base, cookie) = desk_cookie(&started.url);
    let mut response = agent().get(format!("{base}/desk/?lang=en")).header("cookie", cookie).call().unwrap();
    response.body_mut().read_to_string().unwrap()
}

#[test]
fn whatever_verifies_a_log_holds_it_to_what_the_reader_trusts() {
    let folder = TestFolder::new();
    let log = fixture("honest.ndjson");
    assert!(folder.run(&["ingest", &log, "--log", "log", "--create"]).status.success());
    assert!(folder.run(&["keys", "new", "other.key", "--origin", "audit.invalid/log"]).status.success());
    assert!(folder.run(&["witness", "new", "w", "--name", "w.example/w1"]).status.success());
    let witness = std::fs::read_to_string(folder.path("w/key.pub")).unwrap();
    folder.write("policy", format!("witness w {} http://127.0.0.1:1/\nquorum w\n", witness.trim_end()));
    let digest = "0".repeat(64);
    let verdicts = |intact, anchored, certified| json!({ "intact": intact, "anchored": anchored, "complete": "yes", "certified": certified });
    let cases: [(&[&str], Value, i32, &str); 4] = [
        (&["--key", "log/key.pub"], verdicts("yes", "unknown", "yes"), 0, "verdict good"),
        (&["--checkpoint", "log/checkpoint"], verdicts("yes", "yes", "yes"), 0, "verdict good"),
        (
            &["--witness-policy", "policy"],
            verdicts("yes", "unknown", "yes"),
            5,
            "too few witnesses signed: 0 of 1",
        ),
        (&["--approved", &digest], verdicts("yes", "unknown", "no"), 1, "rulebook-not-approved"),
    ];
    for (options, expected, status, shown) in cases {
        for got in said(&folder, options) {
            assert_eq!(got, (expected.clone(), status), "{options:?}");
        }
        let page = overview(&folder, options);
        assert!(page.contains(shown), "{options:?}: {page}");
    }
    for (verdicts, status) in said(&folder, &["--key", "other.key.pub"]) {
        assert_eq!((&verdicts["intact"], status), (&json!("no"), 3));
    }
    assert!(overview(&folder, &["--key", "other.key.pub"]).contains("verdict bad"));
}

/// The writer of a log chooses the rulebook that it is judged by. One of their own that pays every bet a thousand times over
/// was followed, and nobody was told that nobody had approved it.
#[test]
fn a_rulebook_that_nobody_approved_is_named_with_what_it_leaves_the_house() {
    let own = |change: fn(&mut Value)| -> String {
        let text = std::fs::read_to_string(fixture("honest.ndjson")).unwrap();
        let (first, rest) = text.split_once('\n').unwrap();
        let mut opened: Value = serde_json::from_str(first).unwrap();
        change(&mut opened["event"]["TableOpened"]["rulebook"]);
        format!("{opened}\n{rest}")
    };
    let folder = TestFolder::new();
    folder.write("built-in.ndjson", own(|_| {}));
    folder.write("same.ndjson", own(|book| book["id"] = "es-l979".into()));
    folder.write(
        "generous.ndjson",
        own(|book| {
            book["id"] = "es-l979".into();
            let generous = book["bets"].to_string().replace("\"1:1\"", "\"1000:1\"");
            assert_ne!(generous, book["bets"].to_string());
            book["bets"] = serde_json::from_str(&generous).unwrap();
        }),
    );
    let verified = |events: &str, more: &[&str]| -> (Value, String) {
        folder.run(&["ingest", events, "--log", &format!("{events}.log"), "--create"]);
        let verify = ["verify", "log", &format!("{events}.log")];
        let json = folder.run(&[&verify[..], more, &["--json"]].concat());
        (serde_json::from_slice(&json.stdout).unwrap(), folder.see(&[&verify[..], more].concat()))
    };
    let (report, text) = verified("built-in.ndjson", &[]);
    assert!(
        report["rulebooks"][0].get("unapproved").is_none() && !text.contains("not approved here"),
        "{text}"
    );
    let (report, text) = verified("same.ndjson", &[]);
    let used = &report["rulebooks"][0];
    assert_eq!((&report["verdicts"]["certified"], &used["unapproved"]), (&json!("yes"), &json!(true)));
    assert!(!used["house_edge"]["least"]["percent"].as_str().unwrap().starts_with('-'), "{used}");
    assert!(text.contains("rulebook es-l979 is not approved here"), "{text}");
    let digest = used["digest"].as_str().unwrap().to_owned();
    let (report, text) = verified("same.ndjson", &["--approved", &digest]);
    assert_eq!(report["verdicts"]["certified"], "yes");
    assert!(
        report["rulebooks"][0].get("unapproved").is_none() && !text.contains("not approved here"),
        "{text}"
    );
    let (report, text) = verified("generous.ndjson", &["--lang", "es"]);
    let edge = &report["rulebooks"][0]["house_edge"];
    assert!(edge["least"]["percent"].as_str().unwrap().starts_with('-'), "{edge}");
    assert!(text.contains("el reglamento es-l979 no está aprobado aquí"), "{text}");
}
