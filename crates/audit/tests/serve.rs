//! The service as a process: started, posted to, verified from outside, stopped, killed under load.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod command;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use command::{Place, fixture};
use serde_json::Value;

/// `audit serve` over the folder `log`.
struct Serving {
    child: Child,
    url: String,
}

impl Serving {
    fn start(place: &Place, listen: &str) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_audit"))
            .args([
                "serve",
                "--log",
                "log",
                "--origin",
                "casino.example/sala/1",
                "--json",
                "--listen",
                listen,
            ])
            .current_dir(place.path("."))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut said = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        while !said.trim_end().ends_with('}') {
            assert!(out.read_line(&mut said).unwrap() > 0, "it did not start: {said}");
        }
        let told: Value = serde_json::from_str(&said).unwrap();
        let url = format!("http://{}", told["listening"].as_str().unwrap());
        Self { child, url }
    }

    fn tell(&self, signal: &str) {
        assert!(
            Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap().success()
        );
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn agent() -> ureq::Agent {
    let config = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .timeout_global(Some(Duration::from_secs(20)))
        .build();
    ureq::Agent::new_with_config(config)
}

/// Posts lines of one table; `None` when there was no answer.
fn post(agent: &ureq::Agent, url: &str, table: &str, lines: &[String]) -> Option<(u16, Value)> {
    let url = format!("{url}/v1/tables/{table}/events");
    let mut response =
        agent.post(&url).header("content-type", "application/x-ndjson").send(lines.join("\n")).ok()?;
    let status = response.status().as_u16();
    serde_json::from_str(&response.body_mut().read_to_string().ok()?).ok().map(|answer| (status, answer))
}

fn honest() -> Vec<String> {
    std::fs::read_to_string(fixture("honest.ndjson")).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn a_served_log_is_posted_to_and_verified_from_outside() {
    let place = Place::new();
    let mut serving = Serving::start(&place, "127.0.0.1:0");
    let lines = honest();
    for some in lines.chunks(200) {
        let (status, answer) = post(&agent(), &serving.url, "PB-01", some).unwrap();
        assert_eq!(status, 201, "{answer}");
    }
    let verified = place.run(&["verify", "log", &serving.url, "--key", "log/key.pub"]);
    let text = String::from_utf8_lossy(&verified.stdout).into_owned();
    assert_eq!(verified.status.code(), Some(0), "{text}{}", String::from_utf8_lossy(&verified.stderr));
    assert!(text.contains("certified  yes      all 60 coups"), "{text}");
    let shown = place.run(&["show", "coup", &serving.url, "--table", "PB-01", "--coup", "3"]);
    assert_eq!(shown.status.code(), Some(0));
    serving.tell("-TERM");
    assert_eq!(serving.child.wait().unwrap().code(), Some(0), "a stop that was asked for is no fault");
    assert!(!place.path("log/running").exists(), "it was closed");
    assert_eq!(place.run(&["verify", "log", "log"]).status.code(), Some(0));
}

#[test]
fn it_listens_on_this_machine_only_and_says_why() {
    let place = Place::new();
    let listen = |address: &str| place.see(&["serve", "--log", "log", "--listen", address]);
    insta::assert_snapshot!(listen("0.0.0.0:7370") + &listen("nowhere"));
    assert!(!place.path("log").exists());
}

#[test]
fn a_log_that_is_served_is_not_changed_by_anybody_else() {
    let place = Place::new();
    let serving = Serving::start(&place, "127.0.0.1:0");
    assert_eq!(post(&agent(), &serving.url, "PB-01", &honest()[..60]).unwrap().0, 201);
    place.write("none", "");
    let names = ["--reason", "x", "--by", "a", "--countersigned-by", "b"];
    for ask in [
        &["ingest", "none", "--log", "log"][..],
        &["keys", "rotate", "log"],
        &[&["redact", "log", "--entry", "1"], &names[..]].concat(),
    ] {
        let refused = place.run(ask);
        assert!(!refused.status.success(), "{ask:?}");
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(said.contains("is being written by another process"), "{ask:?}: {said}");
    }
    assert_eq!(post(&agent(), &serving.url, "PB-01", &honest()[60..90]).unwrap().0, 201);
}

#[test]
fn a_url_that_serves_no_log_is_told() {
    let place = Place::new();
    let verified = place.run(&["verify", "log", "http://127.0.0.1:9"]);
    assert_eq!(verified.status.code(), Some(4));
    assert!(String::from_utf8_lossy(&verified.stderr).contains("http://127.0.0.1:9"));
}

/// The service is killed again and again while clients post, and go on posting until they are answered.
fn killed_under_load(kills: usize) {
    let place = Place::new();
    let simulated = ["simulate", "--tables", "4", "--shoes", "6", "--seed", "77", "--out", "events.ndjson"];
    assert!(place.run(&simulated).status.success());
    let mut tables: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in std::fs::read_to_string(place.path("events.ndjson")).unwrap().lines() {
        let event: Value = serde_json::from_str(line).unwrap();
        tables.entry(event["table"].as_str().unwrap().to_owned()).or_default().push(line.to_owned());
    }
    let receipts = Mutex::new(String::new());
    let (url, done) = (Mutex::new(String::new()), AtomicBool::new(false));
    let mut killed = 0;
    std::thread::scope(|scope| {
        let posting: Vec<_> = tables
            .iter()
            .map(|(table, lines)| {
                let (receipts, url) = (&receipts, &url);
                scope.spawn(move || {
                    let agent = agent();
                    for some in lines.chunks(7) {
                        let (status, answer) = loop {
                            let url = url.lock().unwrap().clone();
                            match post(&agent, &url, table, some) {
                                Some((status @ (200 | 201), answer)) => break (status, answer),
                                Some(_) | None => std::thread::sleep(Duration::from_millis(10)),
                            }
                        };
                        assert!(matches!(status, 200 | 201));
                        let mut kept = receipts.lock().unwrap();
                        for receipt in answer["receipts"].as_array().unwrap() {
                            let (index, digest) = (&receipt["index"], receipt["digest"].as_str().unwrap());
                            kept.push_str(&format!(
                                "{index} {digest} {table} {} {}\n",
                                receipt["first"], receipt["count"]
                            ));
                        }
                    }
                })
            })
            .collect();
        let keeper = scope.spawn(|| {
            let mut killed = 0;
            while !done.load(Ordering::Relaxed) {
                let mut serving = Serving::start(&place, "127.0.0.1:0");
                url.lock().unwrap().clone_from(&serving.url);
                let patience = if killed < kills { 40 + 13 * (killed as u64 % 17) } else { 50 };
                while killed >= kills && !done.load(Ordering::Relaxed) {
                    std::thread::sleep(Duration::from_millis(patience));
                }
                std::thread::sleep(Duration::from_millis(patience));
                let signal = if killed < kills { "-KILL" } else { "-TERM" };
                serving.tell(signal);
                serving.child.wait().unwrap();
                killed += 1;
            }
            killed
        });
        posting.into_iter().for_each(|thread| thread.join().unwrap());
        done.store(true, Ordering::Relaxed);
        killed = keeper.join().unwrap();
    });
    println!("killed {killed} times");
    command::holds_what_was_acknowledged(&place, "log", &receipts.into_inner().unwrap());
}

#[test]
fn a_few_kills_under_load_lose_and_double_nothing() {
    killed_under_load(5);
}

#[test]
#[ignore = "slow: fifty kills"]
fn fifty_kills_under_load_lose_and_double_nothing() {
    killed_under_load(50);
}
