//! `audit sample`: a sample of coups that anybody can draw again.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs::File;
use std::process::{Command, Output, Stdio};

use sealed_log::entry::Digest;
use serde_json::Value;

use crate::command::serving::Started;
use crate::command::{TestFolder, fixture};

const SIMULATED: [&str; 8] =
    ["simulate", "--rulebook", "punto-banco", "--tables", "3", "--shoes", "2", "--seed"];

/// A folder with a log of three tables.
fn folder() -> TestFolder {
    let folder = TestFolder::new();
    let simulated = folder.run(&[&SIMULATED[..], &["5", "--out", "events.ndjson"]].concat());
    assert_eq!(simulated.status.code(), Some(0));
    folder.see(&["ingest", "events.ndjson", "--log", "log", "--create", "--origin", "casa.example/mesas"]);
    folder
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

fn sample(folder: &TestFolder, log: &str, seed: &str, coups: &str) -> Value {
    json(&folder.run(&["sample", log, "--seed", seed, "--coups", coups, "--json"]))
}

fn piped(folder: &TestFolder, file: &str) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_audit"));
    command.args(["sample", "-", "--seed", "7", "--coups", "12", "--json"]);
    command.stdin(File::open(folder.path(file)).unwrap()).stderr(Stdio::piped());
    json(&command.output().unwrap())
}

#[test]
fn a_sample_is_a_list_to_tick_off() {
    let (folder, log) = (TestFolder::new(), fixture("honest.auditlog"));
    let english = folder.see(&["sample", &log, "--seed", "7", "--coups", "3"]);
    let spanish = folder.see(&["sample", &log, "--seed", "7", "--coups", "2", "--lang", "es"]);
    insta::assert_snapshot!(format!("{english}\n{spanish}"));
}

#[test]
fn the_same_log_seed_and_number_give_the_same_sample_wherever_the_log_is_read_from() {
    let folder = folder();
    folder.see(&["export", "log", "--out", "whole.auditlog"]);
    let first = sample(&folder, "log", "7", "12");
    assert_eq!(first["coups"].as_array().unwrap().len(), 12);
    assert_eq!(first, sample(&folder, "log", "7", "12"));
    assert_eq!(first, sample(&folder, "whole.auditlog", "7", "12"));
    assert_eq!(first, piped(&folder, "whole.auditlog"));
    let serving = Started::by(&mut Started::command(&folder, &[]));
    assert_eq!(first, sample(&folder, &serving.url, "7", "12"));
    assert_ne!(first["coups"], sample(&folder, "log", "8", "12")["coups"]);
    let few = sample(&folder, "log", "7", "4");
    assert_eq!(few["coups"].as_array().unwrap()[..], first["coups"].as_array().unwrap()[..4]);
}

/// The documents say how a rank is made: whoever follows them finds the same coups.
#[test]
fn the_documents_are_enough_to_draw_the_sample_again() {
    let folder = folder();
    let drawn = sample(&folder, "log", "20261125", "9");
    let checkpoint = std::fs::read_to_string(folder.path("log/checkpoint")).unwrap();
    let root = checkpoint.lines().nth(2).unwrap();
    assert_eq!(drawn["log"]["root"], root);
    let all = json(&folder.run(&["sample", "log", "--seed", "1", "--coups", "10000", "--json"]));
    assert_eq!(all["of"].as_u64().unwrap(), all["coups"].as_array().unwrap().len() as u64);
    let mut ranks: Vec<String> = all["coups"]
        .as_array()
        .unwrap()
        .iter()
        .map(|coup| {
            let [table, shoe] = ["table", "shoe"].map(|name| coup[name].as_str().unwrap());
            let (number, first) = (&coup["coup"], &coup["sequences"][0]);
            let text =
                format!("audit sample, format 1\n{root}\n20261125\n{table}\n{shoe}\n{number}\n{first}\n");
            Digest::of(text.as_bytes()).to_string()
        })
        .collect();
    ranks.sort();
    let found: Vec<&str> =
        drawn["coups"].as_array().unwrap().iter().map(|one| one["rank"].as_str().unwrap()).collect();
    assert_eq!(found, ranks[..9]);
}

#[test]
fn every_coup_that_verify_counts_can_be_drawn_also_those_that_are_violated_void_or_undecided() {
    let folder = TestFolder::new();
    for fault in ["overpaid", "coup-not-settled", "missing-event", "void-stake-kept", "bet-left-out"] {
        let out = format!("{fault}.ndjson");
        let simulated = ["simulate", "--rulebook", "es-1979", "--fault", fault, "--out", &out];
        assert_eq!(folder.run(&simulated).status.code(), Some(0), "{fault}");
        let verified = folder.run(&["verify", "log", &out, "--json"]);
        let drawn = folder.run(&["sample", &out, "--seed", "1", "--coups", "10000", "--json"]);
        assert_eq!(verified.status.code(), drawn.status.code(), "{fault}: the status is that of verify");
        let (verified, drawn) = (json(&verified), json(&drawn));
        let counted = ["certified", "judged", "violated", "undecided"]
            .map(|verdict| verified["coups"][verdict].as_u64().unwrap_or_default());
        assert_eq!(drawn["of"].as_u64().unwrap(), counted.iter().sum::<u64>(), "{fault}");
        for (verdict, count) in ["violated", "undecided"].iter().zip(&counted[2..]) {
            let listed = drawn["coups"].as_array().unwrap().iter().filter(|one| one["verdict"] == *verdict);
            assert_eq!(listed.count() as u64, *count, "{fault}: {verdict}");
        }
    }
}

#[test]
fn a_number_that_is_too_large_or_none_is_refused_and_too_few_coups_are_all_given() {
    let folder = TestFolder::new();
    folder.see(&["ingest", &fixture("honest.ndjson"), "--log", "log", "--create"]);
    for coups in ["0", "10001", "99999999999999999999", "-3", "few"] {
        let refused = folder.run(&["sample", "log", "--seed", "1", &format!("--coups={coups}")]);
        assert_eq!(refused.status.code(), Some(2), "{coups}");
    }
    for seed in ["-1", "18446744073709551616", "dice"] {
        let refused = folder.run(&["sample", "log", &format!("--seed={seed}"), "--coups", "3"]);
        assert_eq!(refused.status.code(), Some(2), "{seed}");
    }
    let all = folder.see(&["sample", "log", "--seed", "18446744073709551615", "--coups", "5000"]);
    assert!(all.contains("5,000 were asked for, and there are no more coups"), "{all}");
    assert!(all.ends_with("exit status 0\n"), "{all}");
    let places: BTreeSet<&str> = all.lines().filter(|line| line.starts_with("[ ]")).collect();
    assert!(all.contains(&format!("sample: {} of {} coups", places.len(), places.len())), "{all}");
}

#[test]
fn an_empty_log_has_nothing_to_draw_and_a_damaged_one_is_no_sound_sample() {
    let folder = folder();
    folder.see(&["init", "empty"]);
    let empty = folder.see(&["sample", "empty", "--seed", "1", "--coups", "3"]);
    assert!(empty.contains("sample: 0 of 0 coups") && empty.ends_with("exit status 5\n"), "{empty}");
    folder.see(&["export", "log", "--out", "whole.auditlog"]);
    let mut bytes = std::fs::read(folder.path("whole.auditlog")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    folder.write("damaged.auditlog", &bytes);
    let damaged = folder.run(&["sample", "damaged.auditlog", "--seed", "1", "--coups", "3", "--json"]);
    assert_eq!(damaged.status.code(), Some(3));
    let damaged = json(&damaged);
    assert_eq!(damaged["verdicts"]["intact"], "no");
    assert!(damaged["coups"].as_array().unwrap().iter().all(|coup| coup["verdict"] != "certified"));
    folder.write("cut.auditlog", &bytes[..20]);
    for broken in ["cut.auditlog", "other.auditlog"] {
        folder.write("other.auditlog", "no archive");
        let verified = folder.run(&["verify", "log", broken]).status.code();
        let drawn = folder.run(&["sample", broken, "--seed", "1", "--coups", "3"]).status.code();
        assert!(drawn == verified && drawn != Some(0), "{broken}: {drawn:?}, {verified:?}");
    }
    assert_eq!(folder.run(&["sample", "nowhere", "--seed", "1", "--coups", "3"]).status.code(), Some(74));
}

/// A shoe can have any name: neither a terminal nor a shell obeys it.
#[test]
fn a_hostile_name_is_spelled_out_and_is_one_word_of_the_command() {
    let folder = TestFolder::new();
    let events = std::fs::read_to_string(fixture("honest.ndjson")).unwrap();
    let shoe: Value =
        serde_json::from_str(events.lines().find(|line| line.contains("ShoeLoaded")).unwrap()).unwrap();
    let name = shoe.to_string();
    let name = name.split("\"shoe\":\"").nth(1).unwrap().split('"').next().unwrap();
    folder.write("events.ndjson", events.replace(name, "x' \u{202e}; rm -rf \u{200b}~"));
    let seen = folder.see(&["sample", "events.ndjson", "--seed", "1", "--coups", "2"]);
    assert!(seen.contains(r"--shoe 'x'\'' \u{202e}; rm -rf \u{200b}~' --coup"), "{seen}");
    assert!(!seen.contains('\u{202e}') && !seen.contains('\u{200b}'));
    assert_eq!(seen.matches("without a seal").count(), 1, "it is said once: {seen}");
}
