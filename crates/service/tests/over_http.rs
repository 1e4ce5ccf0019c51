//! The service over real HTTP: what is acknowledged is there, once, whatever clients do.
#![allow(clippy::unwrap_used)]

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use sealed_log::archive::ArchiveSource;
use sealed_log::entry::Digest;
use sealed_log::proof::EntryProof;
use sealed_log::reader::{Expectations, LogReader, SealReport, Verdict};
use serde_json::Value;
use service::{Bounds, Limits};
use tlog::note::VerifierKey;

use crate::serving::{Served, agent, bound, events, key};

fn vkey() -> VerifierKey {
    key().verifier_key()
}

/// A service that records, and nothing else.
struct Running {
    url: String,
    address: String,
    _served: Served,
}

impl Running {
    fn start(folder: &Path, limits: Limits, bounds: Bounds) -> Self {
        let served = Served::start(bound(folder, limits, bounds));
        Self { url: served.url.clone(), address: served.address.clone(), _served: served }
    }

    fn plain(folder: &Path) -> Self {
        Self::start(folder, Limits::default(), Bounds::default())
    }

    fn post(&self, table: &str, kind: &str, body: &str) -> (u16, Value) {
        let url = format!("{}/v1/tables/{table}/events", self.url);
        let mut response = agent().post(&url).header("content-type", kind).send(body).unwrap();
        let text = response.body_mut().read_to_string().unwrap();
        (response.status().as_u16(), serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    fn lines(&self, table: &str, lines: &[String]) -> (u16, Value) {
        self.post(table, "application/x-ndjson", &lines.join("\n"))
    }

    fn get(&self, path: &str) -> (u16, Vec<u8>) {
        let mut response = agent().get(format!("{}{path}", self.url)).call().unwrap();
        let status = response.status().as_u16();
        (status, response.body_mut().with_config().limit(1 << 30).read_to_vec().unwrap())
    }

    /// Reads the whole served log and checks its seal; gives how many events it holds.
    fn verify(&self) -> (SealReport, u64) {
        let (status, bytes) = self.get("/v1/archive");
        assert_eq!(status, 200);
        let expectations = Expectations { verifier: Some(vkey()), anchors: Vec::new() };
        let mut reader = LogReader::new(ArchiveSource::new(&*bytes).unwrap(), expectations);
        let mut events = 0;
        while let Some(window) = reader.next_window().unwrap() {
            events += window.entries().map(|entry| u64::from(entry.view.unwrap().count)).sum::<u64>();
        }
        (reader.finish(), events)
    }
}

/// Every receipt of an answer verifies by itself.
fn check_receipts(answer: &Value) -> Vec<u64> {
    let receipts = answer["receipts"].as_array().unwrap();
    assert!(!receipts.is_empty(), "{answer}");
    receipts
        .iter()
        .map(|receipt| {
            let proof: EntryProof = receipt["proof"].as_str().unwrap().parse().unwrap();
            let digest: Digest = receipt["digest"].as_str().unwrap().parse().unwrap();
            let proven = proof.verify(&vkey(), &digest).unwrap();
            assert_eq!(Some(proven.index()), receipt["index"].as_u64());
            assert!(answer["checkpoint"].as_str().unwrap().starts_with("casino.example/sala/1\n"));
            proven.index()
        })
        .collect()
}

#[test]
fn what_is_posted_is_sealed_receipted_and_served() {
    let folder = tempfile::tempdir().unwrap();
    let running = Running::plain(&folder.path().join("log"));
    let (table, lines) = events(1, 400);
    for some in lines.chunks(50) {
        let (status, answer) = running.lines(&table, some);
        assert_eq!((status, answer["recorded"].as_u64()), (201, Some(some.len() as u64)), "{answer}");
        check_receipts(&answer);
    }
    let (report, count) = running.verify();
    assert_eq!((report.intact, count), (Verdict::Yes, 400), "{:?}", report.faults);
    let (status, proof) = running.get("/v1/entries/3/proof");
    let proof: EntryProof = String::from_utf8(proof).unwrap().parse().unwrap();
    let entry = running.get("/v1/entries/3").1;
    assert_eq!(status, 200);
    assert_eq!(proof.verify(&vkey(), &Digest::of(&entry)).unwrap().index(), 3);
    assert_eq!(String::from_utf8(running.get("/v1/key").1).unwrap().trim(), vkey().to_string());
    let size = report.size;
    let tile = running.get(&format!("/tile/0/000.p/{size}"));
    assert_eq!((tile.0, tile.1.len() as u64), (200, 32 * size));
    for absent in ["/tile/0/001", "/tile/9/x", "/v1/entries/9999", "/nowhere"] {
        assert_eq!(running.get(absent).0, 404, "{absent}");
    }
    let metrics = String::from_utf8(running.get("/metrics").1).unwrap();
    assert!(metrics.contains("audit_events_recorded_total 400\n"), "{metrics}");
}

#[test]
fn an_array_says_the_same_as_lines() {
    let folder = tempfile::tempdir().unwrap();
    let running = Running::plain(&folder.path().join("log"));
    let (table, lines) = events(2, 30);
    let (status, first) = running.post(&table, "application/json", &format!("[{}]", lines.join(",")));
    assert_eq!(status, 201, "{first}");
    let (status, again) = running.lines(&table, &lines);
    assert_eq!((status, again["already_there"].as_u64()), (200, Some(30)), "{again}");
    assert_eq!(check_receipts(&first), check_receipts(&again), "the same receipts for the same events");
    assert_eq!(running.verify().1, 30);
}

#[test]
fn a_post_is_recorded_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let running = Running::plain(&folder.path().join("log"));
    let (table, lines) = events(3, 20);
    let mut wrong = lines.clone();
    wrong[12] = wrong[12].replace("\"sequence\":13", "\"sequence\":\"thirteen\"");
    let (status, problem) = running.lines(&table, &wrong);
    assert_eq!((status, problem["line"].as_u64()), (400, Some(13)), "{problem}");
    assert_eq!(problem["type"], "urn:audit:malformed");
    let (status, problem) = running.lines("elsewhere", &lines);
    assert_eq!((status, problem["line"].as_u64()), (400, Some(1)), "{problem}");
    for (kind, body, status) in [
        ("text/plain", "x", 415),
        ("application/json", "{}", 400),
        ("application/json", "[", 400),
        ("application/x-ndjson", "", 400),
        ("application/x-ndjson", "\u{feff}{}", 400),
    ] {
        let (found, problem) = running.post(&table, kind, body);
        assert_eq!(found, status, "{kind} {body}: {problem}");
        assert!(problem["detail"].as_str().unwrap().len() > 10, "{problem}");
    }
    assert_eq!(running.verify().1, 0, "nothing of any of them");
    assert_eq!(running.lines(&table, &lines).0, 201);
}

#[test]
fn other_events_under_the_same_numbers_are_recorded_and_called_a_conflict() {
    let folder = tempfile::tempdir().unwrap();
    let running = Running::plain(&folder.path().join("log"));
    let (table, lines) = events(4, 40);
    assert_eq!(running.lines(&table, &lines).0, 201);
    let other: Vec<String> = events(5, 40).1;
    let (status, problem) = running.lines(&table, &other[20..22]);
    assert_eq!((status, problem["conflicts"].as_u64()), (409, Some(2)), "{problem}");
    check_receipts(&problem);
    assert_eq!(running.verify().1, 42, "evidence is never refused");
    // The same conflict again is known, and said again.
    let (status, again) = running.lines(&table, &other[20..22]);
    assert_eq!((status, again["already_there"].as_u64()), (409, Some(2)), "{again}");
    assert_eq!(running.verify().1, 42);
}

#[test]
fn clients_that_post_the_same_at_once_have_it_recorded_once() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("log");
    let running = Running::plain(&folder);
    let tables: Vec<(String, Vec<String>)> = (0..4)
        .map(|number| {
            let (table, lines) = events(number + 10, 300);
            let name = format!("T-{number}");
            let rename = |line: String| {
                line.replace(&format!("\"table\":\"{table}\""), &format!("\"table\":\"{name}\""))
            };
            let lines = lines.into_iter().map(rename).collect();
            (name, lines)
        })
        .collect();
    let indexes = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..3 {
            for (name, lines) in &tables {
                let (running, indexes) = (&running, &indexes);
                scope.spawn(move || {
                    for some in lines.chunks(37) {
                        let (status, answer) = running.lines(name, some);
                        assert!(matches!(status, 200 | 201), "{answer}");
                        indexes.lock().unwrap().extend(check_receipts(&answer));
                    }
                });
            }
        }
    });
    let (report, count) = running.verify();
    assert_eq!((report.intact, count), (Verdict::Yes, 1_200), "{:?}", report.faults);
    // After a restart the same posts get the same answer.
    drop(running);
    let running = Running::plain(&folder);
    for (name, lines) in &tables {
        let (status, answer) = running.lines(name, lines);
        assert_eq!((status, answer["already_there"].as_u64()), (200, Some(300)), "{answer}");
        let known = indexes.lock().unwrap();
        assert!(check_receipts(&answer).iter().all(|index| known.contains(index)));
    }
}

#[test]
fn hostile_clients_are_cut_off_and_honest_ones_served() {
    let folder = tempfile::tempdir().unwrap();
    let limits = Limits {
        connections: 64,
        request: Duration::from_millis(500),
        answer: Duration::from_millis(500),
        stop: Duration::from_secs(2),
        ..Limits::default()
    };
    let bounds = Bounds { body: 20_000, posts: 8 };
    let running = Running::start(&folder.path().join("log"), limits, bounds);
    let idle: Vec<TcpStream> = (0..20).map(|_| TcpStream::connect(&running.address).unwrap()).collect();
    for mut stream in &idle {
        stream.write_all(b"POST /v1/tables/x/events HTTP/1.1\r\nhost: localhost\r\nx-slow: ").unwrap();
    }
    let (table, lines) = events(6, 40);
    assert_eq!(running.lines(&table, &lines).0, 201);
    let (status, problem) = running.post(&table, "application/x-ndjson", &"x".repeat(30_000));
    assert_eq!(status, 413, "{problem}");
    let deep = format!("{}{}", "[".repeat(9_000), "]".repeat(9_000));
    for kind in ["application/json", "application/x-ndjson"] {
        assert_eq!(running.post(&table, kind, &deep).0, 400);
    }
    for raw in ["GET /../../etc/passwd HTTP/1.1\r\nhost: localhost\r\n\r\n", "nonsense\r\n\r\n"] {
        let mut stream = TcpStream::connect(&running.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        stream.write_all(raw.as_bytes()).unwrap();
        let mut answer = [0; 12];
        let read = stream.read(&mut answer).unwrap();
        assert!(answer[..read].starts_with(b"HTTP/1.1 40"), "{raw}");
    }
    for mut stream in idle {
        // Each is cut off, not kept for ever.
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        let mut rest = Vec::new();
        if let Err(error) = stream.read_to_end(&mut rest) {
            assert_ne!(error.kind(), std::io::ErrorKind::WouldBlock, "it is still open");
        }
    }
    assert_eq!(running.lines(&table, &lines).0, 200);
}

#[test]
fn bodies_that_come_slowly_keep_no_post_away() {
    let folder = tempfile::tempdir().unwrap();
    let bounds = Bounds { posts: 4, ..Bounds::default() };
    let running = Running::start(&folder.path().join("log"), Limits::default(), bounds);
    let slow: Vec<TcpStream> = (0..40)
        .map(|_| {
            let mut stream = TcpStream::connect(&running.address).unwrap();
            let head = "POST /v1/tables/x/events HTTP/1.1\r\nhost: localhost\r\ncontent-type: \
                        application/x-ndjson\r\ncontent-length: 100\r\n\r\n{";
            stream.write_all(head.as_bytes()).unwrap();
            stream
        })
        .collect();
    let arriving = || String::from_utf8(running.get("/metrics").1).unwrap();
    while !arriving().contains("audit_posts_arriving 40\n") {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(arriving().contains("audit_posts_in_work 0\n"), "none of them is worked on");
    let (table, lines) = events(6, 40);
    assert_eq!(running.lines(&table, &lines).0, 201);
    drop(slow);
}

#[test]
fn an_event_twice_in_one_post_is_recorded_once_and_two_under_one_number_are_a_conflict() {
    let folder = tempfile::tempdir().unwrap();
    let service = Running::plain(folder.path());
    let (table, lines) = events(1, 30);
    let twice = [lines[3].clone(), lines[3].clone(), lines[4].clone()];
    let (status, answer) = service.lines(&table, &twice);
    assert_eq!(
        (status, &answer["recorded"], &answer["already_there"]),
        (201, &2.into(), &1.into()),
        "{answer}"
    );
    let (status, answer) = service.lines(&table, &[format!("\u{feff}{}", lines[8])]);
    assert_eq!(status, 400);
    assert!(answer["detail"].as_str().unwrap().contains("byte order mark"), "{answer}");
    let other = lines[6].replace(
        &format!("\"sequence\":{}", sequence(&lines[6])),
        &format!("\"sequence\":{}", sequence(&lines[5])),
    );
    assert_ne!(other, lines[6]);
    for recorded in [2, 0] {
        // The same post again gets the same answer.
        let (status, answer) = service.lines(&table, &[lines[5].clone(), other.clone()]);
        assert_eq!((status, &answer["recorded"]), (409, &recorded.into()), "{answer}");
        assert!(answer["conflicts"].as_u64().unwrap() >= 1, "{answer}");
        check_receipts(&answer);
    }
    let (_, events) = service.verify();
    assert_eq!(events, 4);
}

/// A table system posted its outbox again after a restart, with its times in UTC: 13 conflicts, and an honest shoe was
/// violated for good.
#[test]
fn events_that_are_posted_again_written_otherwise_are_already_there() {
    let folder = tempfile::tempdir().unwrap();
    let running = Running::plain(folder.path());
    let (table, lines) = events(4, 60);
    assert_eq!(running.lines(&table, &lines).0, 201);
    let otherwise = |line: &String, minutes: i16| {
        let mut line = events::Line::from_json(line).unwrap();
        let micros = line.occurred_at.micros();
        line.occurred_at = events::OccurredAt::new(micros, minutes).unwrap();
        if let events::Body::CoupSettled(settled) = &mut line.event {
            settled.bets.reverse();
        } else if let events::Body::TableOpened(opened) = &mut line.event {
            opened.seats.reverse();
        }
        line.to_json().unwrap()
    };
    let again: Vec<String> = lines.iter().map(|line| otherwise(line, 0)).collect();
    assert!(lines.iter().zip(&again).all(|(first, again)| first != again));
    let (status, answer) = running.lines(&table, &again);
    assert_eq!(
        (status, &answer["already_there"], &answer["recorded"]),
        (200, &60.into(), &0.into()),
        "{answer}"
    );
    check_receipts(&answer);
    // Both forms in one post are one event; another local day or another sum is another event.
    let both = [lines[3].clone(), again[3].clone()];
    assert_eq!(running.lines(&table, &both).1["already_there"], 2);
    let (status, answer) = running.lines(&table, &[otherwise(&lines[3], 12 * 60)]);
    assert_eq!((status, &answer["conflicts"]), (409, &1.into()), "{answer}");
    let paid = again.iter().find(|line| line.contains("\"returned\":2000")).unwrap();
    let (status, answer) =
        running.lines(&table, &[paid.replacen("\"returned\":2000", "\"returned\":2001", 1)]);
    assert_eq!((status, &answer["conflicts"]), (409, &1.into()), "{answer}");
    assert_eq!(running.verify().1, 62);
}

#[test]
fn events_that_are_posted_again_in_any_order_are_all_found() {
    let folder = tempfile::tempdir().unwrap();
    let running = Running::plain(folder.path());
    let line = |sequence: u32| {
        let at = format!("2026-03-01T20:00:{:02}.{:06}Z", sequence / 1_000, sequence % 1_000);
        format!(
            r#"{{"table":"T","sequence":{sequence},"occurred_at":"{at}","event":{{"BetsClosed":{{"coup":1}}}}}}"#
        )
    };
    let lines: Vec<String> = (1..=16_384).map(line).collect();
    assert_eq!(running.lines("T", &lines).1["recorded"], 16_384);
    let backwards: Vec<String> = lines.iter().rev().cloned().collect();
    // From both ends to the middle.
    let inwards: Vec<String> =
        lines.iter().zip(&backwards).take(8_192).flat_map(|(a, b)| [a.clone(), b.clone()]).collect();
    for again in [backwards, inwards] {
        let (status, answer) = running.lines("T", &again);
        assert_eq!((status, &answer["already_there"]), (200, &16_384.into()));
        assert_eq!((&answer["recorded"], answer.get("not_compared")), (&0.into(), None));
    }
}

fn sequence(line: &str) -> u64 {
    serde_json::from_str::<Value>(line).unwrap()["sequence"].as_u64().unwrap()
}

#[test]
fn an_entry_is_found_by_its_digest_and_what_is_missing_is_answered_with_a_problem() {
    let folder = tempfile::tempdir().unwrap();
    let service = Running::plain(folder.path());
    let (table, lines) = events(1, 30);
    let (_, answer) = service.lines(&table, &lines);
    let receipt = &answer["receipts"][0];
    let digest = receipt["digest"].as_str().unwrap();
    let by_digest = service.get(&format!("/v1/entries/{digest}"));
    assert_eq!(by_digest, service.get(&format!("/v1/entries/{}", receipt["index"])));
    assert_eq!(Digest::of(&by_digest.1).to_string(), digest);
    let unknown = "0".repeat(64);
    for (path, status) in [
        (format!("/v1/entries/{unknown}"), 404),
        ("/v1/entries/99999".to_owned(), 404),
        ("/v1/entries/abc".to_owned(), 400),
        ("/v1/nothing".to_owned(), 404),
        (format!("/v1/tables/{table}/events"), 405),
        ("/v1/tables/x/shoes/y/archive".to_owned(), 404),
        ("/tile/9/nothing".to_owned(), 404),
    ] {
        let (got, body) = service.get(&path);
        let answer: Value = serde_json::from_slice(&body).unwrap();
        assert_eq!((got, &answer["status"]), (status, &Value::from(status)), "{path}: {answer}");
    }
}

#[test]
fn readers_who_do_not_read_take_nothing_from_those_who_post() {
    let folder = tempfile::tempdir().unwrap();
    let service = Running::plain(folder.path());
    let (table, lines) = events(1, 2_000);
    for some in lines.chunks(500) {
        assert_eq!(service.lines(&table, some).0, 201);
    }
    let slow: Vec<TcpStream> = (0..40)
        .map(|_| {
            let mut stream = TcpStream::connect(&service.address).unwrap();
            write!(stream, "GET /v1/archive HTTP/1.1\r\nhost: localhost\r\n\r\n").unwrap();
            stream
        })
        .collect();
    let (_, others) = events(2, 200);
    let table = serde_json::from_str::<Value>(&others[0]).unwrap()["table"].as_str().unwrap().to_owned();
    let other = others.iter().map(|line| line.replace(&table, "PB-99")).collect::<Vec<_>>();
    assert_eq!(service.lines("PB-99", &other).0, 201);
    drop(slow);
}
