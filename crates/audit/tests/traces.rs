//! The program sends spans where its environment says, and warns when nobody takes them.
#![allow(clippy::unwrap_used)]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::process::Stdio;

use serde_json::Value;

use crate::command::TestFolder;
use crate::command::serving::Started;
use crate::ports::free_port;

/// `audit serve` with a collector.
fn start(folder: &TestFolder, collector: &str) -> Started {
    let mut command = Started::command(folder, &["--log-format", "json"]);
    Started::by(command.env("OTEL_EXPORTER_OTLP_ENDPOINT", collector).stderr(Stdio::piped()))
}

/// Stops it; the lines of its own log.
fn stop(serving: Started) -> Vec<Value> {
    serving.stop().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_span_reaches_the_collector_of_the_environment_and_its_trace_stands_in_the_log() {
    const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
    let (folder, listener) = (TestFolder::new(), TcpListener::bind("127.0.0.1:0").unwrap());
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
    let serving = start(&folder, &collector);
    let asked = ureq::get(format!("{}/nowhere", serving.url))
        .header("traceparent", format!("00-{TRACE}-b7ad6b7169203331-01"));
    assert!(asked.call().is_err(), "404");
    let log = stop(serving);
    let (asked, body) = took.join().unwrap();
    assert_eq!(asked, "POST /v1/traces HTTP/1.1\r\n");
    assert!(body.contains("urn:audit:absent") && body.contains("/nowhere"), "{body}");
    let refused = log.iter().find(|line| line["message"] == "request refused").unwrap();
    assert_eq!(refused["trace_id"], TRACE);
}

#[test]
fn a_collector_that_is_not_there_is_reported_once_with_its_address() {
    let folder = TestFolder::new();
    let collector = format!("http://127.0.0.1:{}", free_port());
    let serving = start(&folder, &collector);
    for _ in 0..1_200 {
        ureq::get(format!("{}/healthz", serving.url)).call().unwrap();
    }
    let log = stop(serving);
    let warnings: Vec<&Value> = log.iter().filter(|line| line["level"] == "WARN").collect();
    let [warning] = &warnings[..] else { panic!("not one warning: {warnings:#?}") };
    assert_eq!(warning["message"], "the collector does not take spans; they are dropped");
    assert_eq!(warning["collector"], format!("{collector}/v1/traces"));
    assert!(warning["error"].as_str().unwrap().contains("refused"), "{warning}");
}
