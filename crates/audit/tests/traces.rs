//! The program sends spans where its environment says, and tells when nobody takes them.
#![allow(clippy::unwrap_used)]

mod command;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};

use command::Place;
use serde_json::Value;

/// `audit serve` with a collector; its process and its URL.
fn start(place: &Place, collector: &str) -> (Child, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_audit"))
        .args(["serve", "--log", "log", "--listen", "127.0.0.1:0", "--json", "--log-format", "json"])
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", collector)
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
    let url = told["url"].as_str().unwrap().to_owned();
    (child, url)
}

/// Stops it as an operator does; the lines of its own log.
fn stop(mut child: Child) -> Vec<Value> {
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    let mut log = String::new();
    child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    log.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_span_reaches_the_collector_of_the_environment_and_its_trace_stands_in_the_log() {
    const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
    let (place, listener) = (Place::new(), TcpListener::bind("127.0.0.1:0").unwrap());
    let collector = format!("http://{}", listener.local_addr().unwrap());
    let took = std::thread::spawn(move || {
        let mut stream = BufReader::new(listener.accept().unwrap().0);
        let (mut line, mut length) = (String::new(), 0);
        stream.read_line(&mut line).unwrap();
        let asked = std::mem::take(&mut line);
        while stream.read_line(&mut line).unwrap() > 2 {
            let lower = line.to_ascii_lowercase();
            length = lower.strip_prefix("content-length:").map_or(length, |it| it.trim().parse().unwrap());
            line.clear();
        }
        let mut body = vec![0; length];
        stream.read_exact(&mut body).unwrap();
        stream.into_inner().write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").unwrap();
        (asked, String::from_utf8_lossy(&body).into_owned())
    });
    let (child, url) = start(&place, &collector);
    let asked =
        ureq::get(format!("{url}/nowhere")).header("traceparent", format!("00-{TRACE}-b7ad6b7169203331-01"));
    assert!(asked.call().is_err(), "404");
    let log = stop(child);
    let (asked, body) = took.join().unwrap();
    assert_eq!(asked, "POST /v1/traces HTTP/1.1\r\n");
    assert!(body.contains("urn:audit:absent") && body.contains("/nowhere"), "{body}");
    let refused = log.iter().find(|line| line["message"] == "request refused").unwrap();
    assert_eq!(refused["trace_id"], TRACE);
}

#[test]
fn a_collector_that_is_not_there_is_told_once_with_its_address() {
    let place = Place::new();
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let collector = format!("http://{}", free.local_addr().unwrap());
    drop(free);
    let (child, url) = start(&place, &collector);
    for _ in 0..1_200 {
        ureq::get(format!("{url}/healthz")).call().unwrap();
    }
    let log = stop(child);
    let told: Vec<&Value> = log.iter().filter(|line| line["level"] == "WARN").collect();
    let [told] = &told[..] else { panic!("not one warning: {told:#?}") };
    assert_eq!(told["message"], "the collector does not take spans; they are dropped");
    assert_eq!(told["collector"], format!("{collector}/v1/traces"));
    assert!(told["error"].as_str().unwrap().contains("refused"), "{told}");
}
