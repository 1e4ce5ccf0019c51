//! Every write, flush and rename of an ingest fails once, fails from then on, or is where the program
//! is killed: what was acknowledged stays, and the same command then ends with everything recorded once.
//!
//! Needs strace, which puts the faults in: `cargo test --release -p audit --test all faults_below:: -- --ignored`.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::command::TestFolder;

/// The calls that put something on the disk.
const CALLS: &[&str] = &[
    "write",
    "pwrite64",
    "fsync",
    "fdatasync",
    "sync_file_range",
    "syncfs",
    "rename",
    "ftruncate",
    "unlink",
];
/// More calls of one kind than an ingest of this size makes in one thread.
const MOST: u32 = 400;

#[derive(Debug, Clone, Copy)]
enum Fault {
    /// The call fails once.
    Once,
    /// The disk is full from there on.
    Full,
    /// The program is killed as it makes the call.
    Killed,
}

impl Fault {
    fn injected(self, call: &str, number: u32) -> String {
        match self {
            Self::Once => format!("inject={call}:error=EIO:when={number}"),
            Self::Full => format!("inject={call}:error=ENOSPC:when={number}+"),
            Self::Killed => format!("inject={call}:signal=KILL:when={number}"),
        }
    }
}

/// A log of the first of these events, which takes the others next.
struct Bench {
    folder: TestFolder,
    first: usize,
    all: usize,
}

impl Bench {
    fn new() -> Self {
        let folder = TestFolder::new();
        let events = ["simulate", "--rulebook", "mini-punto-banco", "--seed", "8", "--out", "all"];
        assert!(folder.run(&events).status.success());
        let all = fs::read_to_string(folder.path("all")).unwrap();
        let lines: Vec<&str> = all.lines().take(200).collect();
        folder.write("all", lines.join("\n") + "\n");
        folder.write("first", lines[..160].join("\n") + "\n");
        assert!(folder.run(&["ingest", "--create", "first", "--log", "before"]).status.success());
        let all = {
            copy(&folder.path("before"), &folder.path("whole"));
            assert!(folder.run(&["ingest", "--create", "all", "--log", "whole", "--live"]).status.success());
            entries(&folder, "whole")
        };
        Self { first: entries(&folder, "before"), all, folder }
    }

    /// Ingests with a fault; whether the fault was met.
    fn strike(&self, call: &str, fault: Fault, number: u32) -> bool {
        for name in ["log", "receipts", "trace"] {
            let path = self.folder.path(name);
            let _ = fs::remove_dir_all(&path);
            let _ = fs::remove_file(&path);
        }
        copy(&self.folder.path("before"), &self.folder.path("log"));
        let output = self.traced(call, &fault.injected(call, number));
        let trace = fs::read_to_string(self.folder.path("trace")).unwrap_or_default();
        let met = trace.contains("INJECTED") || trace.contains("killed by SIGKILL");
        assert_ne!(output.status.code(), Some(124), "{call} number {number}, {fault:?}: it hangs");
        let what = format!("{call} number {number}, {fault:?}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(met || output.status.success(), "no fault, and yet: {what}");
        assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"), "{what}");
        self.judge(&what);
        met
    }

    fn traced(&self, call: &str, inject: &str) -> Output {
        // A program that hangs is killed with its tracer, and is recognised by what is missing then.
        Command::new("timeout")
            .current_dir(self.folder.path("."))
            .args(["--kill-after=5", "60", "strace", "-f", "-qq", "-o", "trace", "-e"])
            .arg(format!("trace={call}"))
            .args(["-e", inject])
            .arg(env!("CARGO_BIN_EXE_audit"))
            .args(["ingest", "--create", "all", "--log", "log", "--live", "--receipts", "receipts"])
            .output()
            .expect("strace is needed: apt-get install strace")
    }

    /// What was acknowledged is there, and the same command without the fault records the rest, once.
    fn judge(&self, what: &str) {
        let receipts = fs::read_to_string(self.folder.path("receipts")).unwrap_or_default();
        let whole_lines = receipts.rsplit_once('\n').map_or("", |(lines, _)| lines);
        let again = self.folder.run(&["ingest", "--create", "all", "--log", "log", "--live"]);
        let said = String::from_utf8_lossy(&again.stderr).into_owned();
        assert!(again.status.success(), "it did not go on: {what}\nthen {said}");
        assert_eq!(entries(&self.folder, "log"), self.all, "{what}");
        let verified = self.folder.run(&["verify", "log", "log", "--json"]);
        let report: serde_json::Value = serde_json::from_slice(&verified.stdout).unwrap();
        assert_eq!(report["verdicts"]["intact"], "yes", "{what}");
        assert_eq!(report["verdicts"]["complete"], "yes", "{what}");
        assert_eq!(report["findings"], serde_json::json!([]), "{what}");
        for receipt in whole_lines.lines() {
            let words: Vec<&str> = receipt.split(' ').collect();
            let prove =
                ["prove", "entry", "log", "--digest", words[1], "--out", "proof", "--force", "--json"];
            let proven = self.folder.run(&prove);
            let proofs = String::from_utf8_lossy(&proven.stdout).into_owned();
            assert!(proven.status.success(), "{receipt} was acknowledged and is gone: {what}");
            assert!(proofs.contains(&format!("\"index\": {}", words[0])), "{receipt} is elsewhere: {what}");
        }
    }
}

fn entries(folder: &TestFolder, log: &str) -> usize {
    let verified = folder.run(&["verify", "log", log, "--json"]);
    let report: serde_json::Value = serde_json::from_slice(&verified.stdout).unwrap();
    report["seal"]["size"].as_u64().unwrap() as usize
}

fn copy(from: &Path, to: &Path) {
    assert!(Command::new("cp").arg("-r").arg(from).arg(to).status().unwrap().success());
}

/// Every `stride`th call of each kind is struck in each way.
fn strike_all(stride: u32) {
    let bench = Bench::new();
    assert!(bench.first < bench.all);
    for call in CALLS {
        for fault in [Fault::Once, Fault::Full, Fault::Killed] {
            let mut number = 1;
            while number < MOST && bench.strike(call, fault, number) {
                number += if number < 4 { 1 } else { stride };
            }
            println!("{call}, {fault:?}: up to number {number}");
            assert!(number < MOST, "{call} has no end");
        }
    }
}

#[test]
#[ignore = "needs strace, and takes minutes"]
fn some_calls_of_every_kind_may_fail() {
    strike_all(23);
}

#[test]
#[ignore = "needs strace, and takes its time"]
fn every_call_of_every_kind_may_fail() {
    strike_all(1);
}
