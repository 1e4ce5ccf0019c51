//! Kills, huge input, and looking that must not touch.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::command::{self, TestFolder, fixture};

/// Names, bytes and times of everything below a folder.
fn picture(folder: &Path) -> BTreeMap<String, (Vec<u8>, std::time::SystemTime)> {
    let mut found = BTreeMap::new();
    for item in std::fs::read_dir(folder).unwrap() {
        let path = item.unwrap().path();
        let name = path.display().to_string();
        if path.is_dir() {
            found.insert(name, (Vec::new(), path.metadata().unwrap().modified().unwrap()));
            found.extend(picture(&path));
        } else {
            found.insert(name, (std::fs::read(&path).unwrap(), path.metadata().unwrap().modified().unwrap()));
        }
    }
    found
}

#[test]
fn looking_does_not_touch() {
    let folder = TestFolder::new();
    folder.run(&["ingest", "--create", &fixture("honest.ndjson"), "--log", "log"]);
    let before = picture(&folder.path("log"));
    for arguments in [
        vec!["verify", "log", "log"],
        vec!["show", "shoe", "log", "--table", "PB-01"],
        vec!["export", "log", "--out", "log.auditlog"],
    ] {
        assert_eq!(folder.run(&arguments).status.code(), Some(0), "{arguments:?}");
        assert!(picture(&folder.path("log")) == before, "{arguments:?} touched the log");
    }
    // A folder nobody may write is read all the same.
    let status = Command::new("chmod").args(["-R", "a-w"]).arg(folder.path("log")).status().unwrap();
    assert!(status.success());
    assert_eq!(folder.run(&["verify", "log", "log"]).status.code(), Some(0));
    assert!(Command::new("chmod").args(["-R", "u+w"]).arg(folder.path("log")).status().unwrap().success());
}

#[test]
fn a_second_writer_and_a_key_others_can_read_are_refused() {
    use std::os::unix::fs::PermissionsExt;
    let folder = TestFolder::new();
    let mut first = Command::new(env!("CARGO_BIN_EXE_audit"))
        .args(["ingest", "--create", "-", "--log"])
        .arg(folder.path("log"))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    while !folder.path("log/running").exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    let second = folder.see(&["ingest", "--create", &fixture("honest.ndjson"), "--log", "log"]);
    assert!(second.contains("another process") && second.contains("exit status 75"), "{second}");
    drop(first.stdin.take());
    assert!(first.wait().unwrap().success());
    std::fs::set_permissions(folder.path("log/key"), std::fs::Permissions::from_mode(0o644)).unwrap();
    let open = folder.see(&["ingest", "--create", &fixture("honest.ndjson"), "--log", "log"]);
    assert!(open.contains("chmod 600") && open.contains("exit status 4"), "{open}");
}

#[test]
fn a_store_that_lost_entries_or_was_swapped_is_refused() {
    let folder = TestFolder::new();
    for log in ["one", "two"] {
        folder.run(&[
            "ingest",
            "--create",
            &fixture("crooked.ndjson"),
            "--log",
            log,
            "--origin",
            "casino.example/one",
        ]);
    }
    folder.run(&[
        "ingest",
        "--create",
        &fixture("honest.ndjson"),
        "--log",
        "short",
        "--origin",
        "casino.example/one",
    ]);
    let log = |name: &str, below: &str| folder.path(&format!("{name}/{below}"));
    // The store of another log under this log's checkpoint and key.
    std::fs::remove_dir_all(log("one", "store")).unwrap();
    let status =
        Command::new("cp").arg("-r").arg(log("short", "store")).arg(log("one", "store")).status().unwrap();
    assert!(status.success());
    let seen = folder.see(&["ingest", "--create", &fixture("honest.ndjson"), "--log", "one"]);
    assert!(seen.contains("restore a copy") && seen.contains("exit status 3"), "{seen}");
    let seen = folder.see(&["verify", "log", "one"]);
    assert!(seen.contains("intact     no") && seen.contains("exit status 3"), "{seen}");
    // The store gone altogether.
    std::fs::remove_dir_all(log("two", "store")).unwrap();
    let seen = folder.see(&["ingest", "--create", &fixture("honest.ndjson"), "--log", "two"]);
    assert!(seen.contains("were signed for") && seen.contains("exit status 3"), "{seen}");
}

/// Gigabytes of one line go through a pipe; memory stays small.
fn one_endless_line(megabytes: usize) {
    let folder = TestFolder::new();
    let mut child = Command::new(env!("CARGO_BIN_EXE_audit"))
        .args(["ingest", "--create", "-", "--log"])
        .arg(folder.path("log"))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let megabyte = vec![b'a'; 1 << 20];
    let mut peak = 0;
    for _ in 0..megabytes {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default();
        let kilobytes =
            line.split_whitespace().nth(1).and_then(|word| word.parse::<u64>().ok()).unwrap_or_default();
        peak = peak.max(kilobytes);
        // The program says what is wrong after the first megabyte and need not read the rest.
        if input.write_all(&megabyte).is_err() {
            break;
        }
    }
    drop(input);
    let mut text = String::new();
    child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(4));
    assert!(text.contains("the line has more than 1048576 bytes"), "{text}");
    assert!(peak < 300_000, "{peak} kB");
}

#[test]
fn an_endless_line_ends_in_a_message() {
    one_endless_line(64);
}

#[test]
#[ignore = "slow: ten gigabytes of one line"]
fn ten_gigabytes_of_one_line_end_in_a_message() {
    one_endless_line(10_240);
}

/// Starts an ingest, kills it after a while, and holds what it acknowledged against the log.
fn killed_after(folder: &TestFolder, round: u64, pause: Duration) {
    let log = format!("log-{round}");
    let receipts = folder.path(&format!("receipts-{round}"));
    let mut child = Command::new(env!("CARGO_BIN_EXE_audit"))
        .args(["ingest", "--create", "events.ndjson", "--live", "--log", &log, "--receipts"])
        .arg(&receipts)
        .current_dir(folder.path("."))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(pause);
    // It may have ended by itself; then there is nothing to kill.
    let _ = child.kill();
    child.wait().unwrap();
    let acknowledged = std::fs::read_to_string(&receipts).unwrap_or_default();
    if !folder.path(&log).join("store").exists() {
        assert!(acknowledged.is_empty(), "round {round}: receipts without a log");
        return;
    }
    command::holds_what_was_acknowledged(folder, &log, &acknowledged);
}

fn kills(rounds: u64) {
    let folder = TestFolder::new();
    folder.run(&["simulate", "--tables", "2", "--shoes", "1", "--seed", "9", "--out", "events.ndjson"]);
    let mut dice = sealed_log::store::contract::Dice::new(rounds);
    for round in 0..rounds {
        killed_after(&folder, round, Duration::from_millis(5 + dice.below(1_500)));
    }
}

#[test]
fn what_was_acknowledged_survives_a_kill() {
    kills(4);
}

#[test]
#[ignore = "slow: a hundred kills"]
fn what_was_acknowledged_survives_a_hundred_kills() {
    kills(100);
}
