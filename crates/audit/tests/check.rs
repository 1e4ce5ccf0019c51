//! `audit check` says beforehand what `audit ingest` does, and `audit ingest` asks before it floods a log with another
//! log's events.
#![allow(clippy::unwrap_used)]

use serde_json::Value;

use crate::command::serving::Started;
use crate::command::{TestFolder, fixture};

fn lines(name: &str) -> Vec<String> {
    std::fs::read_to_string(fixture(name)).unwrap().lines().map(str::to_owned).collect()
}

/// Runs a command with `--json`; gives its status and what it printed.
fn json(folder: &TestFolder, arguments: &[&str]) -> (Option<i32>, Value) {
    let output = folder.run(&[arguments, &["--json"]].concat());
    let value = serde_json::from_slice(&output.stdout);
    (output.status.code(), value.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr))))
}

/// A log of the honest shoe, as a folder, an archive and served.
fn world() -> TestFolder {
    let folder = TestFolder::new();
    folder.write("honest", lines("honest.ndjson").join("\n"));
    folder.write("other", lines("crooked.ndjson").join("\n"));
    assert!(folder.run(&["ingest", "honest", "--log", "log", "--create"]).status.success());
    assert!(folder.run(&["export", "log", "--out", "log.auditlog"]).status.success());
    folder
}

fn counts(view: &Value) -> [u64; 6] {
    ["new", "already_there", "repeated", "conflicts", "not_compared", "malformed"]
        .map(|name| view[name].as_u64().unwrap())
}

#[test]
fn a_file_is_compared_with_a_log_in_each_of_its_forms() {
    let folder = world();
    let all = lines("honest.ndjson").len() as u64;
    let before = std::fs::read(folder.path("log/checkpoint")).unwrap();
    let (status, alone) = json(&folder, &["check", "honest"]);
    assert_eq!((status, counts(&alone)), (Some(0), [all, 0, 0, 0, 0, 0]), "{alone}");
    let started = Started::by(&mut Started::command(&folder, &[]));
    for log in [&started.url, "log.auditlog"] {
        let (status, same) = json(&folder, &["check", "honest", "--against", log]);
        assert_eq!((status, counts(&same)), (Some(0), [0, all, 0, 0, 0, 0]), "{log}: {same}");
        assert_eq!(same["against"]["intact"], "yes", "{same}");
    }
    started.stop();
    let mut seen = Vec::new();
    for log in ["log", "log.auditlog"] {
        let (status, other) = json(&folder, &["check", "other", "--against", log, "--limit", "3"]);
        assert_eq!(status, Some(1), "{other}");
        assert!(other["conflicts"].as_u64().unwrap() > 100, "{other}");
        assert_eq!(other["conflicting"].as_array().unwrap().len(), 3);
        seen.push(counts(&other));
    }
    assert_eq!(seen[0], seen[1]);
    let text = folder.see(&["check", "other", "--against", "log", "--limit", "1"]);
    assert!(
        text.contains("the log has another event under this number") && text.contains("nothing was recorded")
    );
    assert_eq!(std::fs::read(folder.path("log/checkpoint")).unwrap(), before, "nothing was recorded");
}

#[test]
fn every_malformed_line_is_named() {
    let folder = TestFolder::new();
    let mut all = lines("honest.ndjson");
    all[4] = all[4].replace("\"sequence\"", "\"sequenze\"");
    all[9] = "{\"table\":".to_owned();
    all.insert(12, String::new());
    all[20] = format!("\u{feff}{}", all[20]);
    let mut bytes = all.join("\n").into_bytes();
    bytes.extend_from_slice(b"\n\xff\xfe\n");
    folder.write("bad", &bytes);
    let (status, view) = json(&folder, &["check", "bad"]);
    assert_eq!(status, Some(4));
    let named: Vec<u64> = view["malformed_lines"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| line["line"].as_u64().unwrap())
        .collect();
    assert_eq!(named, [5, 10, 21, all.len() as u64 + 1], "{view}");
    assert_eq!(view["malformed"], 4);
    let few = folder.see(&["check", "bad", "--limit", "2"]);
    assert!(few.contains("line 10") && !few.contains("line 21") && few.contains("and 2 more"), "{few}");
    // A line without end is not read for ever.
    folder.write("long", vec![b'x'; 3 << 20]);
    let (status, long) = json(&folder, &["check", "long"]);
    assert_eq!((status, long["cut_at"].as_u64()), (Some(4), Some(1)), "{long}");
    folder.write("empty", "\n");
    let empty = folder.see(&["check", "empty"]);
    assert!(empty.contains("there is no event in it") && empty.ends_with("exit status 5\n"), "{empty}");
    assert!(folder.see(&["check", "missing"]).ends_with("exit status 74\n"));
}

/// Whatever a file is mixed of, the check counts what the ingest then does.
#[test]
fn the_check_foretells_the_ingest() {
    let (honest, other) = (lines("honest.ndjson"), lines("crooked.ndjson"));
    let differs = |at: usize| honest[at] != other[at];
    let some: Vec<usize> = (40..120).filter(|at| differs(*at)).take(8).collect();
    assert_eq!(some.len(), 8);
    for seed in 0..4 {
        let folder = TestFolder::new();
        folder.write("first", honest[..150].join("\n"));
        let mut mixed: Vec<String> = honest[100 + seed..200].to_vec();
        for (place, at) in some.iter().enumerate() {
            mixed.insert((place * 7 + seed * 3) % mixed.len(), other[*at].clone());
        }
        // Twice the same, and twice the same number in the file, with a number that the log does not have.
        mixed.push(honest[120].clone());
        mixed.push(honest[199].clone());
        mixed.push(honest[199].replacen(":0", ":1", 1));
        folder.write("mixed", mixed.join("\n"));
        assert!(folder.run(&["ingest", "first", "--log", "log", "--create"]).status.success());
        let (status, foretold) = json(&folder, &["check", "mixed", "--against", "log"]);
        let (ingested, done) = json(&folder, &["ingest", "mixed", "--log", "log", "--record-conflicts"]);
        let number = |view: &Value, name: &str| view[name].as_u64().unwrap();
        assert_eq!(
            number(&foretold, "new") + number(&foretold, "conflicts"),
            number(&done, "events"),
            "{foretold}\n{done}"
        );
        assert_eq!(
            number(&foretold, "already_there") + number(&foretold, "repeated"),
            number(&done, "already_there"),
            "{foretold}\n{done}"
        );
        assert_eq!(number(&foretold, "conflicts"), number(&done, "conflicts"), "{foretold}\n{done}");
        assert_eq!((status, ingested), (Some(1), Some(1)));
    }
}

/// A file of another log once sealed 818 conflicting events into this one and ended with 0.
#[test]
fn another_logs_file_is_not_sealed_unless_somebody_asks() {
    let folder = world();
    let size = || {
        let text = std::fs::read_to_string(folder.path("log/checkpoint")).unwrap();
        text.lines().nth(1).unwrap().to_owned()
    };
    let (honest, other) = (lines("honest.ndjson"), lines("crooked.ndjson"));
    let differ: Vec<String> = honest
        .iter()
        .zip(&other)
        .filter(|(one, other)| one != other)
        .map(|(_, other)| other.clone())
        .collect();
    assert!(differ.len() > 40, "{}", differ.len());
    let before = size();
    for (name, count) in [("many", differ.len()), ("sixteen", 16), ("few", 3)] {
        folder.write(name, differ[..count].join("\n"));
        for more in [&[][..], &["--live"]] {
            let said = folder.see(&[&["ingest", name, "--log", "log"], more].concat());
            assert!(
                said.contains("nothing of this was sealed") && said.ends_with("exit status 1\n"),
                "{said}"
            );
            assert!(said.contains("audit check") && said.contains("--record-conflicts"), "{said}");
            assert_eq!(size(), before, "{name}");
        }
    }
    // A malformed line behind them: what was held is read again.
    folder.write("broken", format!("{}\n{}\nno event\n", differ[0], differ[1]));
    let said = folder.see(&["ingest", "broken", "--log", "log"]);
    assert!(said.contains("nothing was sealed") && said.contains("--from-line 1\n"), "{said}");
    assert_eq!(size(), before);
    // The whole file as it is: some of its first events are those of this log, and none is new.
    let said = folder.see(&["ingest", "other", "--log", "log"]);
    assert!(said.contains("16 events, the first in line 1") && said.ends_with("exit status 1\n"), "{said}");
    assert_eq!(size(), before, "nor was what stood before them");
    // One event of this log's among them: the file is this log's, and all of it is recorded and reported.
    folder.write("mixed", format!("{}\n{}\n{}\n", differ[30], differ[31], honest[0]));
    let said = folder.see(&["ingest", "mixed", "--log", "log"]);
    assert!(said.contains("recorded 2 events with a number") && said.ends_with("exit status 1\n"), "{said}");
    assert_ne!(size(), before);
    let said = folder.see(&["ingest", "many", "--log", "log", "--record-conflicts"]);
    assert!(
        said.contains("recorded ")
            && said.contains(" events with a number")
            && said.ends_with("exit status 1\n"),
        "{said}"
    );
    // Once they are there, the file adds nothing.
    let again = folder.see(&["ingest", "many", "--log", "log"]);
    assert!(again.ends_with("exit status 0\n"), "{again}");
}

/// A table system that sends its outbox again may write the times in another offset and the lines of a settlement in
/// another order. That is no conflict: not for the check, not for the ingest, and, where it was sealed all the same, not
/// for the judge.
#[test]
fn the_same_event_written_otherwise_is_no_conflict() {
    let folder = TestFolder::new();
    let first = lines("honest.ndjson");
    let otherwise = |line: &String| {
        let mut line = events::Line::from_json(line).unwrap();
        line.occurred_at = events::OccurredAt::new(line.occurred_at.micros(), 0).unwrap();
        if let events::Body::CoupSettled(settled) = &mut line.event {
            settled.bets.reverse();
        }
        line.to_json().unwrap()
    };
    let again: Vec<String> = first.iter().map(otherwise).collect();
    assert!(first.iter().zip(&again).filter(|(first, again)| first != again).count() > first.len() / 2);
    folder.write("first", first.join("\n"));
    folder.write("again", again.join("\n"));
    folder.write("both", [&first[..], &again].concat().join("\n"));
    assert!(folder.run(&["ingest", "first", "--log", "log", "--create"]).status.success());
    let count = first.len() as u64;
    let (status, view) = json(&folder, &["check", "again", "--against", "log"]);
    assert_eq!((status, view["already_there"].as_u64()), (Some(0), Some(count)), "{view}");
    let (status, view) = json(&folder, &["check", "both"]);
    assert_eq!((status, view["repeated"].as_u64()), (Some(0), Some(count)), "{view}");
    let (status, done) = json(&folder, &["ingest", "again", "--log", "log"]);
    assert_eq!((status, done["already_there"].as_u64()), (Some(0), Some(count)), "{done}");
    let (_, report) = json(&folder, &["verify", "log", "log"]);
    assert_eq!(
        (&report["verdicts"]["certified"], &report["read"]["repeated_events"]),
        (&"yes".into(), &0.into())
    );
}

/// The lines of a file of the open format's conformance vectors.
fn vectors(file: &str) -> Vec<String> {
    let path =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/table-events/vectors").join(file);
    let text = std::fs::read_to_string(path).unwrap();
    let line = |line: &str| serde_json::from_str::<Value>(line).unwrap()["line"].as_str().unwrap().to_owned();
    text.lines().map(line).collect()
}

/// What somebody else's table system is tested with is taken and refused as the open format says.
#[test]
fn the_vectors_of_the_open_format_are_taken_and_refused() {
    let folder = TestFolder::new();
    let good = vectors("good.jsonl");
    folder.write("good", good.join("\n"));
    let (_, view) = json(&folder, &["check", "good"]);
    assert_eq!((&view["events"], &view["malformed"]), (&Value::from(good.len()), &Value::from(0)), "{view}");
    // One by one: they share numbers, and so are in conflict with one another.
    for line in &good {
        folder.write("one", line);
        let (status, view) = json(&folder, &["check", "one"]);
        assert_eq!((status, counts(&view)), (Some(0), [1, 0, 0, 0, 0, 0]), "{line}");
    }
    let bad = vectors("bad.jsonl");
    folder.write("bad", bad.join("\n"));
    let (status, view) = json(&folder, &["check", "bad", "--limit", "1000"]);
    assert_eq!((status, &view["events"]), (Some(4), &Value::from(0)), "{view}");
    let refused = view["malformed_lines"].as_array().unwrap();
    // An empty line in a file is nothing. Which kind of fault each message is of is tested beside the reader.
    let expected: Vec<(u64, String)> = (1..)
        .zip(&bad)
        .filter(|(_, line)| !line.is_empty())
        .map(|(number, line)| (number, events::Line::from_json(line).unwrap_err().message))
        // What a terminal obeys is spelled out.
        .map(|(number, message)| (number, message.replace('\u{1b}', "\\u{1b}")))
        .collect();
    let found: Vec<(u64, String)> = refused
        .iter()
        .map(|line| (line["line"].as_u64().unwrap(), line["message"].as_str().unwrap().to_owned()))
        .collect();
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.len(), expected.len());
    assert!(found.len() >= 52, "{}", found.len());
}
