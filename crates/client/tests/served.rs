//! The client against a real service, and against servers that are busy, broken or strange.
#![allow(clippy::unwrap_used)]

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use client::{Client, ClientError, Options, Receipt, ReceiptError, check};
use sealed_log::archive::ArchiveSource;
use sealed_log::entry::Digest;
use sealed_log::reader::{Expectations, LogReader, Verdict};
use service::Limits;

use crate::example;
use crate::serving::{Serving, events, vkey};

fn client(base: &str) -> Client {
    let pause = Duration::from_millis(1);
    Client::new(base, Options { pause, patience: Duration::from_secs(5), ..Options::default() }).unwrap()
}

#[test]
fn what_is_posted_has_receipts_that_hold_without_the_service() {
    let serving = Serving::start();
    let (table, lines) = events(1, 120);
    let client = client(&serving.url);
    let posted = client.post(&table, &lines).unwrap();
    assert_eq!((posted.recorded, posted.already_there, posted.conflict), (120, 0, false));
    let again = client.post(&table, &lines).unwrap();
    assert_eq!((again.recorded, again.already_there, again.conflict), (0, 120, false));
    let identities = |receipts: &[Receipt]| -> Vec<(u64, Digest)> {
        receipts.iter().map(|receipt| (receipt.index, receipt.digest)).collect()
    };
    assert_eq!(
        identities(&posted.receipts),
        identities(&again.receipts),
        "the same receipts for the same events"
    );
    assert_eq!(client.key().unwrap(), vkey());
    let mut next = 1;
    for receipt in &posted.receipts {
        let entry = client.entry(receipt.index).unwrap();
        assert_eq!(check(receipt, &vkey(), Some(&entry)).unwrap().index(), receipt.index);
        assert_eq!(client.proof(receipt.index).unwrap().entry(), Some(&*entry));
        assert_eq!(receipt.first, next);
        next += u64::from(receipt.count);
    }
    assert_eq!(next, 121);
    assert_eq!(client.checkpoint().unwrap(), posted.checkpoint);
    let health = client.health().unwrap();
    assert!(health.alive && health.ready);
    let source = ArchiveSource::new(client.archive().unwrap()).unwrap();
    let expected = Expectations { verifier: Some(vkey()), anchors: vec![posted.checkpoint] };
    let mut reader = LogReader::new(source, expected);
    while reader.next_window().unwrap().is_some() {}
    let report = reader.finish();
    assert_eq!((report.intact, report.anchored), (Verdict::Yes, Verdict::Yes));
}

#[test]
fn a_receipt_that_was_altered_is_not_believed() {
    let serving = Serving::start();
    let (table, lines) = events(2, 60);
    let client = client(&serving.url);
    let receipts = client.post(&table, &lines).unwrap().receipts;
    let (one, other) = (&receipts[0], &receipts[1]);
    let index = Receipt { index: one.index + 1, ..one.clone() };
    assert!(matches!(check(&index, &vkey(), None), Err(ReceiptError::OtherIndex { .. })));
    let digest = Receipt { digest: other.digest, ..one.clone() };
    assert!(matches!(check(&digest, &vkey(), None), Err(ReceiptError::Proof(_))));
    let proof = Receipt { proof: one.proof.replace("index", "indeks"), ..one.clone() };
    assert!(matches!(check(&proof, &vkey(), None), Err(ReceiptError::Proof(_))));
    let stranger = tlog::note::SigningKey::from_seed("casino.example/sala/1", &[8; 32]).unwrap();
    assert!(matches!(check(one, &stranger.verifier_key(), None), Err(ReceiptError::Proof(_))));
    let entry = client.entry(one.index).unwrap();
    assert!(matches!(check(other, &vkey(), Some(&entry)), Err(ReceiptError::OtherEntry { .. })));
    let count = Receipt { count: one.count + 1, ..one.clone() };
    assert!(matches!(check(&count, &vkey(), Some(&entry)), Err(ReceiptError::OtherEvents { .. })));
}

#[test]
fn a_refused_post_names_the_line_that_is_wrong() {
    let serving = Serving::start();
    let (table, mut lines) = events(3, 20);
    let client = client(&serving.url);
    lines[6] = lines[6].replace("\"sequence\":7", "\"sequence\":\"seven\"");
    let refused = client.post(&table, &lines).unwrap_err();
    let problem = refused.problem().unwrap();
    assert_eq!((problem.status, problem.line), (400, Some(7)), "{refused}");
    assert_eq!(problem.kind, "urn:audit:malformed");
    assert!(problem.column.is_some() && problem.detail.contains("sequence"), "{refused}");
    assert!(!refused.may_pass());
    assert_eq!(client.entry(1_000).unwrap_err().problem().unwrap().status, 404);
    for table in ["", "a/b", "a b", "sala?x"] {
        assert!(matches!(client.post(table, &lines), Err(ClientError::Options(_))), "{table}");
    }
}

#[test]
fn two_events_under_one_number_are_reported_as_a_conflict() {
    let serving = Serving::start();
    let (table, lines) = events(4, 40);
    let client = client(&serving.url);
    client.post(&table, &lines).unwrap();
    let other = client.post(&table, &events(5, 40).1[20..22]).unwrap();
    assert_eq!((other.conflict, other.conflicts, other.recorded), (true, 2, 2));
    assert!(!other.receipts.is_empty());
}

#[test]
fn a_post_whose_connection_is_lost_is_recorded_once() {
    let serving = Serving::start();
    let (table, lines) = events(6, 400);
    let client = client(&serving.url);
    let mut recorded = 0;
    for (number, some) in lines.chunks(10).enumerate() {
        let body = some.join("\n");
        let wait = Duration::from_micros(100 + 200 * (number as u64 % 10));
        if let Err(error) = client.post_and_drop(&table, body.as_bytes(), wait) {
            assert!(matches!(error, ClientError::Unanswered { timed_out: true, .. }), "{error}");
        }
        let posted = client.post(&table, some).unwrap();
        assert_eq!(posted.recorded + posted.already_there, 10);
        recorded += posted.receipts.iter().map(|receipt| receipt.count).sum::<u32>();
    }
    assert_eq!(recorded, 400);
}

#[test]
fn a_connection_that_was_closed_for_a_newcomer_is_opened_anew() {
    let serving = Serving::within(Limits { connections: 3, ..Limits::default() });
    let address = serving.url.trim_start_matches("http://");
    let (table, lines) = events(8, 60);
    let client = client(&serving.url);
    for some in lines.chunks(10) {
        assert_eq!(client.post_once(&table, some.join("\n").as_bytes()).unwrap().recorded, 10);
        client.checkpoint().unwrap();
        let mut crowd: Vec<_> = (0..6).map(|_| TcpStream::connect(address).unwrap()).collect();
        // When this one is closed, all before it are closed.
        assert_eq!(crowd[2].read(&mut [0; 1]).unwrap(), 0);
    }
}

#[test]
fn a_question_whose_connection_is_closed_unanswered_is_asked_once_more() {
    let key = vkey().to_string();
    let url = answering(vec![String::new(), answer("200 OK", "", &key), String::new(), String::new()]);
    assert_eq!(client(&url).key().unwrap().to_string(), key);
    assert!(matches!(client(&url).key(), Err(ClientError::Unanswered { .. })), "once, not for ever");
}

/// Answers each connection with the next of these, then with none.
fn answering(answers: Vec<String>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for answer in answers {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = [0; 4096];
            assert!(stream.read(&mut request).unwrap() > 0);
            stream.write_all(answer.as_bytes()).unwrap();
        }
    });
    url
}

fn answer(status: &str, header: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\nconnection: close\r\n{header}content-length: {}\r\n\r\n{body}", body.len())
}

/// In two packets it would wake the service twice.
#[test]
fn a_small_post_is_sent_in_one_piece() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let posting = std::thread::spawn(move || {
        let client = Client::new(&base, Options { patience: Duration::ZERO, ..Options::default() }).unwrap();
        (0..20).map(|_| client.post("PB-01", &["the event"]).is_err()).filter(|failed| *failed).count()
    });
    for _ in 0..20 {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = [0; 4096];
        let length = stream.read(&mut request).unwrap();
        assert!(request[..length].ends_with(b"\r\n\r\nthe event"), "the head came alone");
    }
    assert_eq!(posting.join().unwrap(), 20);
}

#[test]
fn transient_refusals_are_retried_and_not_before_retry_after() {
    let serving = Serving::start();
    let (table, lines) = events(7, 10);
    let real = client(&serving.url).post(&table, &lines).unwrap();
    let identities = serving.raw_answer(&table, &lines.join("\n"));
    let busy = r#"{"type":"urn:audit:busy","title":"busy","status":429,"detail":"again"}"#;
    let url = answering(vec![
        answer("429 Too Many Requests", "retry-after: 1\r\n", busy),
        String::new(),
        answer("503 Service Unavailable", "", "no JSON at all"),
        answer("200 OK", "", &identities),
    ]);
    let (began, mut failed) = (Instant::now(), Vec::new());
    let posted = client(&url).post_until(&table, lines.join("\n").as_bytes(), |error| {
        failed.push(error.problem().map(|problem| (problem.status, problem.kind.clone())));
    });
    assert_eq!(posted.unwrap().receipts[0].digest, real.receipts[0].digest);
    let kinds = [Some((429, "urn:audit:busy".into())), None, Some((503, "about:blank".into()))];
    assert_eq!(failed, kinds);
    assert!(began.elapsed() >= Duration::from_secs(1), "Retry-After was not waited for");
}

#[test]
fn patience_ends() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let options = Options { patience: Duration::from_millis(300), ..Options::default() };
    let (began, client) = (Instant::now(), Client::new(&url, options).unwrap());
    let error = client.post("PB-01", &["{}"]).unwrap_err();
    assert!(matches!(error, ClientError::Unanswered { .. }), "{error}");
    assert!(error.to_string().contains(&url), "{error}");
    assert!(began.elapsed() < Duration::from_secs(3));
}

#[test]
fn answers_of_another_server_are_unexpected() {
    let url = answering(vec![answer("200 OK", "", "<html>"), answer("201 Created", "", "{}")]);
    assert!(matches!(client(&url).key(), Err(ClientError::Unexpected { .. })));
    assert!(matches!(client(&url).post("PB-01", &["{}"]), Err(ClientError::Unexpected { .. })));
    assert!(matches!(Client::new("ftp://x", Options::default()), Err(ClientError::Options(_))));
    let ca = |pem: &str| Options { ca: Some(pem.into()), ..Options::default() };
    assert!(matches!(Client::new("https://x", ca("nothing")), Err(ClientError::Options(_))));
    let token = |token: &str| Options { token: Some(token.into()), ..Options::default() };
    assert!(matches!(Client::new("http://x", token("a\r\nb: c")), Err(ClientError::Options(_))));
    assert!(!format!("{:?}", token("secret")).contains("secret"));
}

#[test]
fn the_guide_shows_the_example_that_runs_here() {
    let example = include_str!("../examples/post.rs");
    let shown = example.split_once("\n\n").unwrap().1;
    let guide = include_str!("../../../docs/integrating.md");
    assert!(guide.contains(&format!("```rust\n{shown}```\n")), "docs/integrating.md shows another example");
    let serving = Serving::start();
    let (table, lines) = events(8, 600);
    let receipts = example::post(&serving.url, &table, &lines.join("\n")).unwrap();
    assert_eq!(receipts.iter().map(|receipt| receipt.count).sum::<u32>(), 600);
}
