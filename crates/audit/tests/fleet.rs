//! The logs of one house, verified together: honest takeovers pass, and whatever two logs say that cannot both be true is
//! named.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt as _;

use events::{Event, Line, encode_payload};
use sealed_log::archive::write_archive;
use sealed_log::entry::{ChainName, Digest, EntryHeader, encode_entry};
use sealed_log::store::{MemoryStore, StoreReader as _, StoreWriter as _, StoredEntry, WriteBatch};
use sealed_log::writer::{LogWriter, MemoryCheckpoint, Submission};
use sealed_log_sled::{LogFolder, Writer};
use serde_json::{Value, json};
use tlog::checkpoint::{Checkpoint, SignedCheckpoint};
use tlog::cosignature::WitnessSigningKey;
use tlog::note::SigningKey;

use crate::command::schema::fits;
use crate::command::{TestFolder, fixture};

/// The coup of the planted fault of `crooked.ndjson` is coup 29; its cards are being dealt here.
const MID_COUP: usize = 378;

/// A table's events of a fixture, in the order of their numbers.
fn play(name: &str, table: &str) -> Vec<Line> {
    let text = std::fs::read_to_string(fixture(name)).unwrap();
    let line = |text: &str| Line { table: table.parse().unwrap(), ..Line::from_json(text).unwrap() };
    text.lines().map(line).collect()
}

/// Entries of at most so many consecutive events of a table.
fn entries(lines: &[Line], most: usize) -> Vec<Submission> {
    let entry = |lines: &[Line]| {
        let events: Vec<Event> = lines.iter().cloned().map(Line::into_event).collect();
        Submission {
            producer: "audit-ingest".parse().unwrap(),
            chain: ChainName::new(&lines[0].table.to_string()).unwrap(),
            first: lines[0].sequence,
            count: u32::try_from(lines.len()).unwrap(),
            received_at: lines[lines.len() - 1].occurred_at.micros(),
            payload: encode_payload(&events).unwrap(),
        }
    };
    let follows = |one: &Line, next: &Line| one.table == next.table && one.sequence + 1 == next.sequence;
    lines.chunk_by(follows).flat_map(|run| run.chunks(most)).map(entry).collect()
}

/// The key of a log.
fn key(origin: &str) -> SigningKey {
    SigningKey::from_seed(origin, &[7; 32]).unwrap()
}

fn origin(name: &str) -> String {
    format!("casino.example/{name}")
}

/// The logs of a house, each in a folder of its name.
struct House {
    folder: TestFolder,
}

impl House {
    fn new() -> Self {
        Self { folder: TestFolder::new() }
    }

    fn at(&self, name: &str) -> LogFolder {
        LogFolder::new(&self.folder.path(name))
    }

    fn write_keys(&self, name: &str) {
        let key = key(&origin(name));
        let secret = self.folder.path(&format!("{name}/key"));
        std::fs::write(&secret, format!("{}\n", key.to_secret_text())).unwrap();
        std::fs::set_permissions(&secret, std::fs::Permissions::from_mode(0o600)).unwrap();
        std::fs::write(self.folder.path(&format!("{name}/key.pub")), format!("{}\n", key.verifier_key()))
            .unwrap();
    }

    /// A log that begins the history, with this play.
    fn begin(&self, name: &str, lines: &[Line]) -> SignedCheckpoint {
        let writer = self.at(name).open_writer(key(&origin(name))).unwrap();
        self.append(name, writer, lines)
    }

    /// A log that continues another, with this play.
    fn go_on(&self, name: &str, from: &SignedCheckpoint, lines: &[Line]) -> SignedCheckpoint {
        let writer = self.at(name).continue_log(vec![key(&origin(name))], from, 0).unwrap();
        self.append(name, writer, lines)
    }

    /// More play in a log that is there: its writer does not know that another goes on.
    fn more(&self, name: &str, lines: &[Line]) -> SignedCheckpoint {
        let writer = self.at(name).open_writer(key(&origin(name))).unwrap();
        self.append(name, writer, lines)
    }

    fn append(&self, name: &str, mut writer: Writer, lines: &[Line]) -> SignedCheckpoint {
        writer.append(&entries(lines, 13)).unwrap();
        let signed = SignedCheckpoint::clone(&writer.signed_checkpoint());
        drop(writer);
        self.write_keys(name);
        signed
    }

    fn close(&self, name: &str, last: &SignedCheckpoint, successor: Option<&str>) {
        let keys = vec![key(&origin(name))];
        let closed = self.at(name).close_log(keys, last.checkpoint(), successor.map(origin).as_deref(), 0);
        closed.unwrap();
    }

    fn arguments<'a>(logs: &[&'a str]) -> Vec<&'a str> {
        ["verify", "fleet"].iter().chain(logs).copied().collect()
    }

    fn see(&self, logs: &[&str]) -> String {
        self.folder.see(&Self::arguments(logs))
    }

    /// The report, and the exit status.
    fn verified(&self, logs: &[&str]) -> (Value, i32) {
        let mut arguments = Self::arguments(logs);
        arguments.push("--json");
        let output = self.folder.run(&arguments);
        let report = serde_json::from_slice(&output.stdout);
        let report: Value = report.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
        fits(&schema(), &report).unwrap();
        (report, output.status.code().unwrap())
    }
}

/// The schema of the report, as it is published.
fn schema() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/schemas/verify-fleet.json");
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// The four verdicts in a word each.
fn verdicts(report: &Value) -> [&str; 4] {
    ["intact", "anchored", "complete", "certified"].map(|name| report["verdicts"][name].as_str().unwrap())
}

/// The kinds of what is listed.
fn kinds<'a>(report: &'a Value, list: &str) -> Vec<&'a str> {
    report[list].as_array().unwrap().iter().map(|one| one["kind"].as_str().unwrap()).collect()
}

#[test]
fn a_shoe_over_a_takeover_is_judged_as_one() {
    let (house, lines) = (House::new(), play("honest.ndjson", "PB-01"));
    let handed = house.begin("p0-1", &lines[..MID_COUP]);
    let second = house.go_on("p0-2", &handed, &lines[MID_COUP..700]);
    house.go_on("p0-3", &second, &lines[700..]);
    house.begin("p1-1", &play("honest.ndjson", "PB-02"));
    house.close("p0-1", &handed, Some("p0-2"));
    let logs = ["p0-1", "p0-2", "p0-3", "p1-1"];
    let text = house.see(&logs);
    insta::assert_snapshot!(text);
    // Whatever the order of the arguments.
    for others in [["p1-1", "p0-3", "p0-2", "p0-1"], ["p0-2", "p1-1", "p0-1", "p0-3"]] {
        let arguments = |logs: &[&str; 4]| format!("$ audit verify fleet {}\n", logs.join(" "));
        assert_eq!(
            house.see(&others).strip_prefix(&arguments(&others)),
            text.strip_prefix(&arguments(&logs))
        );
    }
    let (report, status) = house.verified(&logs);
    assert_eq!((verdicts(&report), status), (["yes", "unknown", "yes", "yes"], 0));
    // One log judged alone says as much of the same play.
    house.begin("whole", &lines);
    let (whole, _) = house.verified(&["whole", "p1-1"]);
    for member in ["coups", "shoes", "turnover", "findings", "rulebooks"] {
        assert_eq!(report[member], whole[member], "{member}");
    }
}

#[test]
fn a_checkpoint_kept_of_the_last_log_anchors_those_before() {
    let (house, lines) = (House::new(), play("honest.ndjson", "PB-01"));
    let handed = house.begin("p0-1", &lines[..MID_COUP]);
    let kept = house.go_on("p0-2", &handed, &lines[MID_COUP..]);
    house.folder.write("kept", kept.text());
    let all = ["p0-1", "p0-2", "--checkpoint", "kept", "--key", "p0-1/key.pub", "--key", "p0-2/key.pub"];
    let (report, status) = house.verified(&all);
    assert_eq!((verdicts(&report), status), (["yes"; 4], 0), "{report:#}");
    // One that is kept of the first log alone says nothing of the second.
    house.folder.write("kept", handed.text());
    let (report, status) = house.verified(&["p0-1", "p0-2", "--checkpoint", "kept"]);
    assert_eq!((verdicts(&report), status), (["yes", "unknown", "yes", "yes"], 0));
    assert_eq!(
        (&report["logs"][0]["anchored"], &report["logs"][1]["anchored"]),
        (&"yes".into(), &"unknown".into())
    );
}

#[test]
fn witnesses_of_the_last_log_anchor_those_before() {
    let (house, lines) = (House::new(), play("honest.ndjson", "PB-01"));
    let handed = house.begin("p0-1", &lines[..MID_COUP]);
    let last = house.go_on("p0-2", &handed, &lines[MID_COUP..]);
    let witness = WitnessSigningKey::from_seed("w.example/w1", &[9; 32]).unwrap();
    house
        .folder
        .write("policy", format!("witness w {} http://127.0.0.1:1/\nquorum w\n", witness.verifier_key()));
    let all = ["p0-1", "p0-2", "--witness-policy", "policy"];
    let (report, status) = house.verified(&all);
    assert_eq!((verdicts(&report), status), (["yes", "unknown", "yes", "yes"], 5), "{report:#}");
    assert_eq!(report["witnesses"].as_array().map(Vec::len), Some(2));
    assert_eq!(report["witnesses"][0]["quorum"], false);

    // Given as a file, and stored beside the log.
    let cosigned = last.with_cosignature(&witness.cosign(&last, 1_700_000_000).unwrap()).unwrap();
    house.folder.write("kept", cosigned.text());
    let (report, status) =
        house.verified(&["p0-1", "p0-2", "--witness-policy", "policy", "--checkpoint", "kept"]);
    assert_eq!((verdicts(&report), status), (["yes"; 4], 0), "{report:#}");
    house.folder.write("p0-2/checkpoint.cosigned", cosigned.text());
    let (report, status) = house.verified(&all);
    assert_eq!((verdicts(&report), status), (["yes"; 4], 0), "{report:#}");
    assert_eq!(
        (&report["witnesses"][1]["log"], &report["witnesses"][1]["quorum"]),
        (&json!(origin("p0-2")), &json!(true))
    );
    let text = house.see(&all);
    assert!(text.contains("w.example/w1"), "{text}");
    let (report, _) = house.verified(&["p0-1", "p0-2"]);
    assert!(report.get("witnesses").is_none(), "nobody asked");
}

#[test]
fn keys_and_checkpoints_of_no_log_given_are_named() {
    let (house, lines) = (House::new(), play("honest.ndjson", "PB-01"));
    let handed = house.begin("p0-1", &lines[..MID_COUP]);
    house.begin("p1-1", &lines[..40]);
    house.folder.write("kept", handed.text());
    house.folder.write("events", std::fs::read(fixture("honest.ndjson")).unwrap());
    let mut text = house.see(&["p1-1", "--checkpoint", "kept"]);
    text += &house.see(&["p1-1", "--key", "p0-1/key.pub", "--lang", "es"]);
    text += &house.see(&["p1-1", "events"]);
    text += &house.see(&[]);
    text += &house.folder.see(&["verify", "fleet", "--help"]);
    text += &house.folder.see(&["verify", "fleet", "--help", "--lang", "es"]);
    insta::assert_snapshot!(text);
}

#[test]
fn a_wrong_coup_over_a_takeover_is_found_once_with_its_money() {
    let (house, lines) = (House::new(), play("crooked.ndjson", "PB-01"));
    let handed = house.begin("p0-1", &lines[..MID_COUP]);
    house.go_on("p0-2", &handed, &lines[MID_COUP..]);
    let mut text = house.see(&["p0-1", "p0-2"]);
    text += &house.see(&["p0-1", "p0-2", "--lang", "es"]);
    insta::assert_snapshot!(text);
    let (report, status) = house.verified(&["p0-2", "p0-1"]);
    let findings = report["findings"].as_array().unwrap();
    assert_eq!((findings.len(), status), (1, 1));
    let finding = &findings[0];
    assert_eq!(finding["code"], "payout-under");
    assert_eq!(finding["log"], "casino.example/p0-2");
    assert_eq!((&finding["sequence"], &finding["entry"]), (&382.into(), &1.into()));
    assert_eq!(finding["money"][0]["minor_units"], -100);
}

#[test]
fn what_was_sealed_behind_the_handover_has_to_be_there_again() {
    let (house, lines) = (House::new(), play("honest.ndjson", "PB-01"));
    let handed = house.begin("p0-1", &lines[..MID_COUP]);
    house.go_on("p0-2", &handed, &lines[MID_COUP..]);
    // The first writer wakes and seals what it had in its hands, in entries of its own.
    let mut again = lines[MID_COUP..MID_COUP + 30].to_vec();
    // Another program wrote them: its times are in UTC, and its settlements in another order.
    for line in &mut again[10..] {
        line.occurred_at = events::OccurredAt::new(line.occurred_at.micros(), 0).unwrap();
        if let events::Body::CoupSettled(settled) = &mut line.event {
            settled.bets.reverse();
        }
    }
    house.more("p0-1", &again);
    let (report, status) = house.verified(&["p0-1", "p0-2"]);
    assert_eq!((verdicts(&report), status), (["yes", "unknown", "yes", "yes"], 0), "{report:#}");
    assert_eq!(report["sealed_twice"], 30);
    assert_eq!(
        (&report["logs"][0]["seal"]["size"], &report["chains"][0]["logs"][0]["history"]),
        (&33.into(), &30.into())
    );
    // It learns that it is not its turn any more.
    house.close("p0-1", &handed, Some("p0-2"));
    let text = house.see(&["p0-1", "p0-2"]);
    insta::assert_snapshot!(text);
}

#[test]
fn another_event_behind_the_handover_is_a_contradiction() {
    let (house, lines) = (House::new(), play("honest.ndjson", "PB-01"));
    let handed = house.begin("p0-1", &lines[..MID_COUP]);
    house.go_on("p0-2", &handed, &lines[MID_COUP..]);
    let mut other = lines[MID_COUP..MID_COUP + 2].to_vec();
    other[1].event = lines[MID_COUP + 5].event.clone();
    house.more("p0-1", &other);
    let (report, status) = house.verified(&["p0-1", "p0-2"]);
    assert_eq!((verdicts(&report), status), (["yes", "unknown", "no", "yes"], 3));
    let expected = serde_json::json!([{
        "kind": "sealed-otherwise",
        "table": "PB-01",
        "sequence": MID_COUP + 2,
        "first": { "log": "casino.example/p0-1", "entry": 30 },
        "second": { "log": "casino.example/p0-2", "entry": 1 },
    }]);
    assert_eq!(report["contradictions"], expected);
    assert_eq!(report["sealed_twice"], 1);
}

#[test]
fn an_event_behind_the_handover_that_is_lost_is_a_contradiction_once_the_table_went_on() {
    let (house, lines) = (House::new(), play("honest.ndjson", "PB-01"));
    let handed = house.begin("p0-1", &lines[..MID_COUP]);
    house.more("p0-1", &lines[MID_COUP..MID_COUP + 3]);
    house.go_on("p0-2", &handed, &[&lines[MID_COUP..MID_COUP + 2], &lines[MID_COUP + 3..]].concat());
    let (report, status) = house.verified(&["p0-1", "p0-2"]);
    assert_eq!((verdicts(&report)[2], status), ("no", 3));
    assert_eq!(kinds(&report, "contradictions"), ["not-sealed-again"]);
    assert_eq!(report["contradictions"][0]["sequence"], MID_COUP + 3);
    // As long as the table has not gone on, it may come.
    let house = House::new();
    let handed = house.begin("p0-1", &lines[..MID_COUP]);
    house.more("p0-1", &lines[MID_COUP..MID_COUP + 3]);
    house.go_on("p0-2", &handed, &lines[MID_COUP..MID_COUP + 2]);
    let (report, status) = house.verified(&["p0-1", "p0-2"]);
    assert_eq!((verdicts(&report)[2], status), ("unknown", 5));
    assert_eq!(kinds(&report, "open"), ["not-sealed-again-yet"]);
    assert_eq!(kinds(&report, "contradictions"), [""; 0]);
}

/// What is made up about another log speaks against whoever made it up.
#[test]
fn a_forged_handover_accuses_the_log_that_states_it() {
    let (house, lines) = (House::new(), play("honest.ndjson", "PB-01"));
    let handed = house.begin("p0-1", &lines[..MID_COUP]);
    let other_key = SigningKey::from_seed(&origin("p0-1"), &[9; 32]).unwrap();
    let forged = SignedCheckpoint::sign(handed.checkpoint(), &other_key).unwrap();
    house.go_on("p0-2", &forged, &lines[MID_COUP..]);
    let (report, status) = house.verified(&["p0-1", "p0-2"]);
    assert_eq!((verdicts(&report)[1], status), ("no", 3));
    assert_eq!(kinds(&report, "contradictions"), ["handover-not-signed"]);
    let anchored =
        |report: &Value| [0, 1].map(|log| report["logs"][log]["anchored"].as_str().unwrap().to_owned());
    assert_eq!(anchored(&report), ["unknown", "no"]);
    assert_eq!(report["findings"].as_array().unwrap().len(), 0, "nobody is accused of what is not shown");

    // A root that the log never had, signed by its own key: that key signed two histories.
    let house = House::new();
    let handed = house.begin("p0-1", &lines[..MID_COUP]);
    let other = Checkpoint { root: [7; 32], ..handed.checkpoint().clone() };
    let forged = SignedCheckpoint::sign(&other, &key(&origin("p0-1"))).unwrap();
    house.go_on("p0-2", &forged, &lines[MID_COUP..]);
    let (report, status) = house.verified(&["p0-1", "p0-2"]);
    assert_eq!((verdicts(&report)[1], status), ("no", 3));
    assert_eq!(kinds(&report, "contradictions"), ["handover-refuted"]);
    assert_eq!(anchored(&report), ["no", "unknown"]);

    // An older copy of the first log.
    let house = House::new();
    house.begin("p0-1", &lines[..100]);
    assert!(house.folder.run(&["export", "p0-1", "--out", "older.auditlog"]).status.success());
    let handed = house.more("p0-1", &lines[100..MID_COUP]);
    house.go_on("p0-2", &handed, &lines[MID_COUP..]);
    let (report, status) = house.verified(&["older.auditlog", "p0-2"]);
    assert_eq!((kinds(&report, "contradictions"), status), (vec!["handover-beyond"], 3));
    // Both copies together: the older one is the beginning of the newer.
    let (report, status) = house.verified(&["older.auditlog", "p0-2", "p0-1"]);
    assert_eq!((verdicts(&report), status), (["yes", "unknown", "yes", "yes"], 0), "{report:#}");
    assert_eq!(report["logs"].as_array().unwrap().len(), 3);
}

/// A house had the same table in a second log, next to its official one and paid 50,000 EUR too much there. The log that was named
/// first alone was judged, and the house was certified.
#[test]
fn a_table_in_two_logs_is_judged_in_both_whatever_their_order() {
    let house = House::new();
    house.begin("p0-1", &play("honest.ndjson", "PB-01"));
    house.begin("p1-1", &play("crooked.ndjson", "PB-01"));
    let reports = [["p0-1", "p1-1"], ["p1-1", "p0-1"]].map(|logs| house.verified(&logs));
    for (report, status) in &reports {
        assert_eq!((verdicts(report)[2], verdicts(report)[3], *status), ("no", "no", 3), "{report:#}");
        assert_eq!(kinds(report, "contradictions"), ["table-in-two-logs"]);
        let findings = report["findings"].as_array().unwrap();
        assert!(!findings.is_empty() && findings.iter().all(|found| found["log"] == "casino.example/p1-1"));
    }
    assert_eq!(reports[0].0["findings"], reports[1].0["findings"]);
    let (alone, _) = house.verified(&["p1-1"]);
    assert_eq!(alone["findings"], reports[0].0["findings"], "nothing is left out");
    let (honest, _) = house.verified(&["p0-1"]);
    assert_eq!(
        (verdicts(&honest)[3], reports[0].0["coups"]["certified"].as_u64()),
        ("yes", {
            let of = |report: &serde_json::Value| report["coups"]["certified"].as_u64().unwrap();
            Some(of(&honest) + of(&alone))
        })
    );
}

#[test]
fn two_logs_that_continue_one_are_two_histories_unless_one_was_given_up() {
    let (house, lines) = (House::new(), play("honest.ndjson", "PB-01"));
    let handed = house.begin("p0-1", &lines[..MID_COUP]);
    house.go_on("p0-2", &handed, &lines[MID_COUP..]);
    house.go_on("p0-3", &handed, &[]);
    let (report, status) = house.verified(&["p0-1", "p0-2", "p0-3"]);
    assert_eq!((verdicts(&report), status), (["yes", "unknown", "yes", "yes"], 0), "{report:#}");
    assert_eq!(kinds(&report, "open"), ["given-up"]);
    house.more("p0-3", &lines[MID_COUP..800]);
    let text = house.see(&["p0-3", "p0-1", "p0-2"]);
    insta::assert_snapshot!(text);
    let (report, status) = house.verified(&["p0-1", "p0-2", "p0-3"]);
    assert_eq!((verdicts(&report)[1], status), ("no", 3));
    assert_eq!(kinds(&report, "contradictions"), ["two-successors"]);
}

#[test]
fn a_table_lives_in_one_log() {
    let (house, lines) = (House::new(), play("honest.ndjson", "PB-01"));
    house.begin("p0-1", &lines);
    house.begin("p1-1", &[play("honest.ndjson", "PB-02"), lines[..60].to_vec()].concat());
    let mut text = house.see(&["p0-1", "p1-1"]);
    text += &house.see(&["p1-1", "p0-1", "--lang", "es"]);
    insta::assert_snapshot!(text);
}

/// Whoever looks for a table by its id finds the wrong one, and nothing is wrong with the play of either.
#[test]
fn tables_of_two_logs_whose_ids_look_alike_are_named() {
    let house = House::new();
    house.begin("p0-1", &play("honest.ndjson", "PB-01"));
    house.begin("p1-1", &play("honest.ndjson", "PB-0l"));
    house.begin("p2-1", &play("honest.ndjson", "PB-02"));
    for logs in [["p0-1", "p1-1", "p2-1"], ["p2-1", "p1-1", "p0-1"]] {
        let (report, status) = house.verified(&logs);
        assert_eq!(report["look_alike_tables"], json!([["PB-01", "PB-0l"]]));
        assert_eq!((&verdicts(&report)[2..], status), (&["yes", "yes"][..], 0), "{report:#}");
    }
    assert!(
        house
            .see(&["p0-1", "p1-1"])
            .contains("\ntables whose ids look alike, each judged on its own: PB-01, PB-0l\n")
    );
    let spanish = house.see(&["p0-1", "p1-1", "--lang", "es"]);
    assert!(spanish.contains("PB-01, PB-0l\n") && !spanish.contains("look alike"), "{spanish}");
    for logs in [["p0-1", "p2-1"], ["p1-1", "p2-1"]] {
        let (report, _) = house.verified(&logs);
        assert!(report.get("look_alike_tables").is_none(), "{report:#}");
    }
}

#[test]
fn a_log_that_is_missing_is_named_and_nobody_is_accused() {
    let (house, lines) = (House::new(), play("honest.ndjson", "PB-01"));
    let handed = house.begin("p0-1", &lines[..MID_COUP]);
    let second = house.go_on("p0-2", &handed, &lines[MID_COUP..700]);
    house.go_on("p0-3", &second, &lines[700..]);
    house.close("p0-1", &handed, Some("p0-2"));
    let text = house.see(&["p0-1", "p0-3"]);
    insta::assert_snapshot!(text);
    let (report, status) = house.verified(&["p0-1", "p0-3"]);
    assert_eq!((verdicts(&report)[2], status), ("unknown", 5));
    assert_eq!(report["findings"].as_array().unwrap().len(), 0);
    let (report, status) = house.verified(&["p0-2"]);
    assert_eq!((verdicts(&report)[2], status), ("unknown", 5));
    assert_eq!(report["findings"].as_array().unwrap().len(), 0);
    // Closed for a log that is another one than the log given says.
    let house = House::new();
    let handed = house.begin("p0-1", &lines[..MID_COUP]);
    house.go_on("p0-2", &handed, &lines[MID_COUP..]);
    house.close("p0-1", &handed, Some("p0-9"));
    let (report, status) = house.verified(&["p0-1", "p0-2"]);
    assert_eq!((kinds(&report, "contradictions"), status), (vec!["closed-otherwise"], 3));
}

#[test]
fn copies_of_one_log_with_other_entries_are_a_fork() {
    let (house, lines) = (House::new(), play("honest.ndjson", "PB-01"));
    let write = |name: &str, lines: &[Line]| {
        let mut writer = LogFolder::new(&house.folder.path(name)).open_writer(key(&origin("p0-1"))).unwrap();
        writer.append(&entries(lines, 13)).unwrap();
        drop(writer);
        let public = key(&origin("p0-1")).verifier_key().to_string();
        std::fs::write(house.folder.path(name).join("key.pub"), public).unwrap();
    };
    write("one", &lines);
    write("other", &[&lines[..200], &lines[240..600]].concat());
    let (report, status) = house.verified(&["other", "one"]);
    assert_eq!((kinds(&report, "contradictions"), status), (vec!["fork"], 3));
    assert_eq!(verdicts(&report)[1], "no");
    assert_eq!(report["logs"].as_array().unwrap().len(), 2);
}

#[test]
fn logs_that_continue_each_other_are_named() {
    let (house, lines) = (House::new(), play("honest.ndjson", "PB-01"));
    // Before either has an entry, each key signs an empty checkpoint.
    let empty = |name: &str| {
        let folder = house.at(name);
        folder.open_writer(key(&origin(name))).map(drop).unwrap();
        folder.signed_checkpoint().unwrap().unwrap()
    };
    let (one, other) = (empty("p0-1"), empty("p0-2"));
    house.go_on("p0-1", &other, &lines[..MID_COUP]);
    house.go_on("p0-2", &one, &lines[MID_COUP..]);
    let (report, status) = house.verified(&["p0-2", "p0-1"]);
    assert_eq!((kinds(&report, "contradictions"), status), (vec!["cycle"], 3));
    let names = serde_json::json!(["casino.example/p0-1", "casino.example/p0-2"]);
    assert_eq!(report["contradictions"][0]["logs"], names);
}

#[test]
fn a_closed_log_takes_nothing_more_but_an_erasure() {
    let (house, lines) = (House::new(), play("honest.ndjson", "PB-01"));
    let handed = house.begin("p0-1", &lines[..MID_COUP]);
    house.go_on("p0-2", &handed, &lines[MID_COUP..]);
    house.close("p0-1", &handed, Some("p0-2"));
    house.folder.write("events", std::fs::read(fixture("honest.ndjson")).unwrap());
    let mut text = house.folder.see(&["ingest", "events", "--log", "p0-1"]);
    text += &house.folder.see(&["ingest", "events", "--log", "p0-1", "--lang", "es"]);
    text += &house.folder.see(&["keys", "rotate", "p0-1"]);
    let who = ["--reason", "art. 17", "--by", "dpo", "--countersigned-by", "director"];
    text += &house.folder.see(&[&["redact", "p0-1", "--entry", "20"], &who[..], &["--also-rules"]].concat());
    text += &house.see(&["p0-1", "p0-2"]);
    insta::assert_snapshot!(text);
}

/// What comes first of a table there is not the table's first event.
#[test]
fn a_log_that_continues_another_is_accused_of_no_gap_when_it_is_verified_alone() {
    let (house, lines) = (House::new(), play("honest.ndjson", "PB-01"));
    let handed = house.begin("p0-1", &lines[..MID_COUP]);
    house.go_on("p0-2", &handed, &lines[MID_COUP..]);
    let mut text = house.folder.see(&["verify", "log", "p0-2"]);
    text += &house.folder.see(&["verify", "log", "p0-2", "--lang", "es"]);
    insta::with_settings!({filters => vec![
        (r"  root [A-Za-z0-9+/]{43}=", "  root [ROOT]"),
        (r"  raíz [A-Za-z0-9+/]{43}=", "  raíz [ROOT]"),
    ]}, { insta::assert_snapshot!(text) });
}

/// Whoever has the key can write behind the end; no writer of this program does.
#[test]
fn an_entry_behind_the_end_of_a_closed_log_breaks_its_seal() {
    let (house, lines) = (House::new(), play("honest.ndjson", "PB-01"));
    let key = key(&origin("p0-1"));
    let mut writer =
        LogWriter::open(MemoryStore::new(), MemoryCheckpoint::default(), key.clone(), None).unwrap();
    let last = writer.append(&entries(&lines[..100], 10)).unwrap().signed.checkpoint().clone();
    writer.close(&last, None, 0).unwrap();
    let (mut store, _) = writer.into_parts();
    let Submission { producer, chain, first, count, received_at, payload } =
        entries(&lines[100..110], 10).remove(0);
    let previous = store.chain(&chain).unwrap().unwrap().digest;
    let header = EntryHeader { producer, chain: chain.clone(), first, count, previous, received_at };
    let bytes = encode_entry(&header, &payload).unwrap();
    let digest = Digest::of(&bytes);
    let mut frontier = store.reader().frontier();
    frontier.push_leaf(digest.leaf_hash());
    let signed = SignedCheckpoint::sign(&Checkpoint::of(key.name(), &frontier), &key).unwrap();
    let first_index = store.reader().size();
    let entry = StoredEntry { bytes, digest, chain, first, count };
    store.append(&WriteBatch { first_index, entries: vec![entry], frontier, signed: None }).unwrap();
    let file = std::fs::File::create(house.folder.path("p0-1.auditlog")).unwrap();
    write_archive(file, store.reader(), &signed, &key.verifier_key(), &BTreeSet::new()).unwrap();
    let (report, status) = house.verified(&["p0-1.auditlog"]);
    assert_eq!((verdicts(&report)[0], status), ("no", 3));
    let fault = &report["logs"][0]["seal"]["faults"][0];
    assert_eq!((&fault["kind"], &fault["entry"]), (&"surplus".into(), &11.into()));
}
