//! `audit serve` as a process of its own, its log lines read by the test.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::TestFolder;

/// `audit serve` that has said where it listens; killed when this goes.
pub struct Started {
    pub child: Child,
    pub url: String,
    /// What it announced when it listened.
    pub announced: Value,
}

impl Started {
    /// `audit serve --log log` at a free port, with these arguments besides.
    pub fn command(folder: &TestFolder, more: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_audit"));
        command.args(["serve", "--create", "--log", "log", "--listen", "127.0.0.1:0", "--json"]).args(more);
        // What is posted was played some months ago: it is read from files.
        command.args(["--producer", "audit-ingest:test"]);
        command.current_dir(folder.path("."));
        command
    }

    /// Starts a command that announces in JSON where it listens.
    pub fn by(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut said = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        while !said.trim_end().ends_with('}') {
            if out.read_line(&mut said).unwrap() == 0 {
                panic!("it did not start: {said}{}", errors(&mut child));
            }
        }
        let announced: Value = serde_json::from_str(&said).unwrap();
        let url = announced["url"].as_str().unwrap().to_owned();
        Self { child, url, announced }
    }

    pub fn send_signal(&self, signal: &str) {
        let sent = Command::new("kill").args([signal, &self.child.id().to_string()]).status();
        assert!(sent.unwrap().success());
    }

    /// Stops it as an operator does; gives what it wrote to standard error, where that is kept.
    pub fn stop(mut self) -> String {
        self.send_signal("-TERM");
        let said = errors(&mut self.child);
        assert_eq!(
            self.child.wait().unwrap().code(),
            Some(0),
            "a stop that was asked for is no fault: {said}"
        );
        said
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn errors(child: &mut Child) -> String {
    let mut said = String::new();
    child.stderr.take().map(|mut errors| errors.read_to_string(&mut said).unwrap());
    said
}

/// `audit serve`, its log lines kept for the test to read.
pub struct Serving {
    pub started: Started,
    pub url: String,
    lines: std::sync::mpsc::Receiver<String>,
}

impl Serving {
    /// Starts it after `before`, a piece of shell.
    pub fn start(folder: &TestFolder, log: &str, before: &str) -> Self {
        let script = format!("{before} exec \"$0\" \"$@\"");
        let mut started = Started::by(
            Command::new("sh")
                .args([
                    "-c",
                    &script,
                    env!("CARGO_BIN_EXE_audit"),
                    "serve",
                    "--create",
                    "--log",
                    log,
                    "--json",
                ])
                .args([
                    "--origin",
                    "casino.example/sala/1",
                    "--listen",
                    "127.0.0.1:0",
                    "--log-format",
                    "json",
                ])
                .current_dir(folder.path("."))
                .stderr(Stdio::piped()),
        );
        let (sender, lines) = std::sync::mpsc::channel();
        let log_lines = BufReader::new(started.child.stderr.take().unwrap());
        std::thread::spawn(move || {
            log_lines.lines().map_while(Result::ok).for_each(|line| drop(sender.send(line)))
        });
        Self { url: started.url.clone(), started, lines }
    }

    /// Waits for a log line that has this message.
    pub fn wait_for(&self, message: &str) -> Value {
        let until = Instant::now() + Duration::from_secs(90);
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(left).unwrap_or_else(|_| panic!("`{message}` never came"));
            let line: Value = serde_json::from_str(&line).unwrap();
            if line["message"].as_str().unwrap().starts_with(message) {
                return line;
            }
        }
    }

    pub fn post(&self, lines: &[String]) -> (u16, Value) {
        let table: Value = serde_json::from_str(&lines[0]).unwrap();
        let url = format!("{}/v1/tables/{}/events", self.url, table["table"].as_str().unwrap());
        let asked = agent().post(&url).header("content-type", "application/x-ndjson");
        let mut response = asked.send(lines.join("\n")).unwrap();
        let text = response.body_mut().read_to_string().unwrap();
        (response.status().as_u16(), serde_json::from_str(&text).unwrap())
    }

    pub fn get(&self, path: &str) -> (u16, Vec<u8>) {
        let mut response = agent().get(format!("{}{path}", self.url)).call().unwrap();
        let mut bytes = Vec::new();
        response.body_mut().as_reader().read_to_end(&mut bytes).unwrap();
        (response.status().as_u16(), bytes)
    }
}

pub fn agent() -> ureq::Agent {
    let config = ureq::Agent::config_builder().http_status_as_error(false);
    ureq::Agent::new_with_config(config.timeout_global(Some(Duration::from_secs(60))).build())
}

/// Where the pages of `audit desk` are, and the cookie in which a browser keeps their key.
pub fn desk_cookie(url: &str) -> (&str, String) {
    let (base, key) = url.split_once("/desk/?key=").unwrap();
    let port = base.rsplit(':').next().unwrap();
    (base, format!("audit_desk_{port}={key}"))
}
