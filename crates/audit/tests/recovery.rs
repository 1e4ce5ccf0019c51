//! The service when its disk is full: it rejects posts, can still be read, and recovers when there is space,
//! without a restart and without losing or doubling anything.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::command::serving::Serving;
use crate::command::{self, TestFolder};

fn simulated(folder: &TestFolder, shoes: &str) -> Vec<String> {
    let ask = ["simulate", "--tables", "1", "--shoes", shoes, "--seed", "5", "--out", "events.ndjson"];
    assert!(folder.run(&ask).status.success());
    std::fs::read_to_string(folder.path("events.ndjson")).unwrap().lines().map(str::to_owned).collect()
}

fn keep(receipts: &mut String, answer: &Value) {
    for receipt in answer["receipts"].as_array().unwrap() {
        let (index, digest) = (&receipt["index"], receipt["digest"].as_str().unwrap());
        receipts.push_str(&format!("{index} {digest} t {} {}\n", receipt["first"], receipt["count"]));
    }
}

/// Posts until a post is refused; gives how many posts were acknowledged.
fn post_until_refused(serving: &Serving, posts: &[&[String]], receipts: &mut String) -> usize {
    for (number, lines) in posts.iter().enumerate() {
        let (status, answer) = serving.post(lines);
        if status == 503 {
            assert_eq!(answer["type"], "urn:audit:stopped", "{answer}");
            return number;
        }
        assert!(matches!(status, 200 | 201), "{answer}");
        keep(receipts, &answer);
    }
    panic!("the disk took all of it");
}

/// What a service does with a disk that is full, and that has space again after `make_space`.
fn stops_and_mends_itself(
    folder: &TestFolder,
    log: &str,
    serving: Serving,
    make_space: impl FnOnce(&Serving),
) {
    let lines: Vec<String> =
        std::fs::read_to_string(folder.path("events.ndjson")).unwrap().lines().map(str::to_owned).collect();
    let posts: Vec<&[String]> = lines.chunks(50).collect();
    let mut receipts = String::new();
    let acknowledged = post_until_refused(&serving, &posts, &mut receipts);
    let stopped = serving.wait_for("the log has stopped");
    assert!(stopped["level"] == "ERROR" && stopped["cause"].as_str().unwrap().len() > 5, "{stopped}");
    assert!(acknowledged > 0);
    // Every refused try hands the same in again: what a patient client does.
    for _ in 0..6 {
        assert_eq!(serving.post(posts[acknowledged]).0, 503);
        let (status, checkpoint) = serving.get("/checkpoint");
        assert!(status == 200 && checkpoint.starts_with(b"casino.example/sala/1\n"));
        std::thread::sleep(Duration::from_millis(700));
    }
    make_space(&serving);
    serving.wait_for("the log was opened anew");
    assert_eq!(serving.get("/readyz").0, 200);
    for lines in &posts[acknowledged.saturating_sub(1)..] {
        let (status, answer) = serving.post(lines);
        assert!(matches!(status, 200 | 201), "{answer}");
        keep(&mut receipts, &answer);
    }
    let metrics = || String::from_utf8(serving.get("/metrics").1).unwrap();
    assert!(metrics().contains("audit_log_stopped 0\n"), "{}", metrics());
    let begun = Instant::now();
    while !metrics().contains("audit_follower_lag_entries 0\n") {
        assert!(begun.elapsed() < Duration::from_secs(90), "{}", metrics());
        std::thread::sleep(Duration::from_millis(100));
    }
    assert!(metrics().contains("audit_follower_stopped 0\n"), "{}", metrics());
    drop(serving);
    command::holds_what_was_acknowledged(folder, log, &receipts);
}

#[test]
fn a_service_whose_files_may_not_grow_mends_itself_when_they_may() {
    for blocks in [3_000, 5_100] {
        let folder = TestFolder::new();
        simulated(&folder, "60");
        let before = format!("trap '' XFSZ; ulimit -S -f {blocks};");
        let serving = Serving::start(&folder, "log", &before);
        stops_and_mends_itself(&folder, "log", serving, |serving| {
            let process = serving.started.child.id().to_string();
            let freed = Command::new("prlimit").args(["--pid", &process, "--fsize=unlimited"]).status();
            assert!(freed.unwrap().success());
        });
    }
}

/// A small file system of its own, gone with this.
struct SmallDisk<'a>(&'a Path);

impl Drop for SmallDisk<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.0).status();
    }
}

#[test]
#[ignore = "mounts a file system: for root"]
fn a_service_whose_disk_is_full_mends_itself_when_there_is_space() {
    let folder = TestFolder::new();
    simulated(&folder, "120");
    let disk = folder.path("disk");
    std::fs::create_dir(&disk).unwrap();
    let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", "size=120m", "none"]).arg(&disk).status();
    assert!(mounted.unwrap().success());
    let _disk = SmallDisk(&disk);
    std::fs::write(disk.join("ballast"), vec![1; 116 << 20]).unwrap();
    let serving = Serving::start(&folder, "disk/log", "");
    stops_and_mends_itself(&folder, "disk/log", serving, |serving| {
        serving.wait_for("the log stays stopped until the disk has free space");
        // Live certification keeps its certificate every half minute, and cannot.
        serving.wait_for("live certification is paused");
        std::fs::remove_file(disk.join("ballast")).unwrap();
    });
}
