//! The service when its medium takes no more: it refuses, is read on, and mends itself when there is room,
//! without a restart and without losing or doubling anything.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod command;

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use command::Place;
use serde_json::Value;

/// `audit serve`, its log lines kept for the test to read.
struct Serving {
    child: Child,
    url: String,
    lines: std::sync::mpsc::Receiver<String>,
}

impl Serving {
    /// Starts it after `before`, a piece of shell.
    fn start(place: &Place, log: &str, before: &str) -> Self {
        let script = format!("{before} exec \"$0\" \"$@\"");
        let mut child = Command::new("sh")
            .args(["-c", &script, env!("CARGO_BIN_EXE_audit"), "serve", "--log", log, "--json"])
            .args(["--origin", "casino.example/sala/1", "--listen", "127.0.0.1:0", "--log-format", "json"])
            .current_dir(place.path("."))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        while !said.trim_end().ends_with('}') {
            assert!(out.read_line(&mut said).unwrap() > 0, "it did not start: {said}");
        }
        let told: Value = serde_json::from_str(&said).unwrap();
        let url = format!("http://{}", told["listening"].as_str().unwrap());
        let (sender, lines) = std::sync::mpsc::channel();
        let log_lines = BufReader::new(child.stderr.take().unwrap());
        std::thread::spawn(move || {
            log_lines.lines().map_while(Result::ok).for_each(|line| drop(sender.send(line)))
        });
        Self { child, url, lines }
    }

    /// Waits for a log line that has this message.
    fn wait_for(&self, message: &str) -> Value {
        let until = Instant::now() + Duration::from_secs(90);
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(left).unwrap_or_else(|_| panic!("`{message}` never came"));
            println!("{line}");
            let line: Value = serde_json::from_str(&line).unwrap();
            if line["message"].as_str().unwrap().starts_with(message) {
                return line;
            }
        }
    }

    fn post(&self, lines: &[String]) -> (u16, Value) {
        let table: Value = serde_json::from_str(&lines[0]).unwrap();
        let url = format!("{}/v1/tables/{}/events", self.url, table["table"].as_str().unwrap());
        let asked = agent().post(&url).header("content-type", "application/x-ndjson");
        let mut response = asked.send(lines.join("\n")).unwrap();
        let text = response.body_mut().read_to_string().unwrap();
        (response.status().as_u16(), serde_json::from_str(&text).unwrap())
    }

    fn get(&self, path: &str) -> (u16, Vec<u8>) {
        let mut response = agent().get(format!("{}{path}", self.url)).call().unwrap();
        let mut bytes = Vec::new();
        response.body_mut().as_reader().read_to_end(&mut bytes).unwrap();
        (response.status().as_u16(), bytes)
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn agent() -> ureq::Agent {
    let config = ureq::Agent::config_builder().http_status_as_error(false);
    ureq::Agent::new_with_config(config.timeout_global(Some(Duration::from_secs(60))).build())
}

fn simulated(place: &Place, shoes: &str) -> Vec<String> {
    let ask = ["simulate", "--tables", "1", "--shoes", shoes, "--seed", "5", "--out", "events.ndjson"];
    assert!(place.run(&ask).status.success());
    std::fs::read_to_string(place.path("events.ndjson")).unwrap().lines().map(str::to_owned).collect()
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
    panic!("the medium took all of it");
}

/// What a service does with a medium that is full, and that has room again after `make_room`.
fn stops_and_mends_itself(place: &Place, log: &str, serving: Serving, make_room: impl FnOnce(&Serving)) {
    let lines: Vec<String> =
        std::fs::read_to_string(place.path("events.ndjson")).unwrap().lines().map(str::to_owned).collect();
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
    make_room(&serving);
    serving.wait_for("the log was opened anew");
    assert_eq!(serving.get("/readyz").0, 200);
    for lines in &posts[acknowledged.saturating_sub(1)..] {
        let (status, answer) = serving.post(lines);
        assert!(matches!(status, 200 | 201), "{answer}");
        keep(&mut receipts, &answer);
    }
    let metrics = String::from_utf8(serving.get("/metrics").1).unwrap();
    assert!(metrics.contains("audit_log_stopped 0\n"), "{metrics}");
    drop(serving);
    command::holds_what_was_acknowledged(place, log, &receipts);
}

#[test]
fn a_service_whose_files_may_not_grow_mends_itself_when_they_may() {
    for blocks in [3_000, 5_100] {
        let place = Place::new();
        simulated(&place, "60");
        let before = format!("trap '' XFSZ; ulimit -S -f {blocks};");
        let serving = Serving::start(&place, "log", &before);
        stops_and_mends_itself(&place, "log", serving, |serving| {
            let process = serving.child.id().to_string();
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
fn a_service_whose_disk_is_full_mends_itself_when_there_is_room() {
    let place = Place::new();
    simulated(&place, "120");
    let disk = place.path("disk");
    std::fs::create_dir(&disk).unwrap();
    let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", "size=120m", "none"]).arg(&disk).status();
    assert!(mounted.unwrap().success());
    let _disk = SmallDisk(&disk);
    std::fs::write(disk.join("ballast"), vec![1; 116 << 20]).unwrap();
    let serving = Serving::start(&place, "disk/log", "");
    stops_and_mends_itself(&place, "disk/log", serving, |serving| {
        serving.wait_for("the log stays stopped until there is room");
        std::fs::remove_file(disk.join("ballast")).unwrap();
    });
}
