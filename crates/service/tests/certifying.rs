//! Live certification over real HTTP: findings arrive, streams are taken up again, and what is said of a
//! growing log is what a whole verify says, wherever the service was stopped.
#![allow(clippy::unwrap_used)]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use casino::{Fault, Plan, simulate};
use replay::{Entry, Finding, Judge, Judgement, findings_digest};
use sealed_log::archive::ArchiveSource;
use sealed_log::reader::{Expectations, LogReader, SealReport, Verdict};
use serde_json::Value;
use service::{Bounds, Limits, Webhook};

use crate::serving::{Served, agent, bound};

/// A service that certifies, its log left alone.
struct Certifying(Served);

impl Certifying {
    fn start(folder: &Path) -> Self {
        Self::start_telling(folder, None)
    }

    fn start_telling(folder: &Path, webhook: Option<Webhook>) -> Self {
        let service = bound(&folder.join("log"), Limits::default(), Bounds::default());
        let service = service.certify(&folder.join("follower")).unwrap();
        Self(Served::start(match webhook {
            Some(webhook) => service.with_webhook(webhook),
            None => service,
        }))
    }

    fn post(&self, table: &str, lines: &[String]) {
        let url = format!("http://{}/v1/tables/{table}/events", self.0.address);
        let answer = agent().post(&url).header("content-type", "application/x-ndjson").send(lines.join("\n"));
        assert_eq!(answer.unwrap().status(), 201);
    }

    fn bytes(&self, path: &str) -> (u16, Vec<u8>) {
        let mut response = agent().get(format!("http://{}{path}", self.0.address)).call().unwrap();
        let body = response.body_mut().with_config().limit(1 << 30).read_to_vec().unwrap();
        (response.status().as_u16(), body)
    }

    fn get(&self, path: &str) -> (u16, Value) {
        let (status, bytes) = self.bytes(path);
        (status, serde_json::from_slice(&bytes).unwrap())
    }

    /// Waits until all that is recorded is judged; gives the certificate.
    fn certificate(&self) -> Value {
        let begun = Instant::now();
        loop {
            let (status, answer) = self.get("/v1/certificate");
            if status == 200 && answer["size"] == answer["log_size"] {
                return answer;
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "{answer}");
            sleep(Duration::from_millis(20));
        }
    }

    /// Findings of the stream, until there are so many.
    fn stream(&self, after: u64, many: usize) -> Vec<(u64, Value)> {
        let mut stream = TcpStream::connect(&self.0.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let ask = format!(
            "GET /v1/findings/stream HTTP/1.1\r\nhost: {}\r\nlast-event-id: {after}\r\n\r\n",
            self.0.address
        );
        stream.write_all(ask.as_bytes()).unwrap();
        let (mut answer, mut number) = (Vec::new(), 0);
        for line in BufReader::new(stream).lines() {
            let line = line.unwrap();
            if let Some(id) = line.strip_prefix("id: ") {
                number = id.parse().unwrap();
            }
            if let Some(data) = line.strip_prefix("data: ") {
                answer.push((number, serde_json::from_str(data).unwrap()));
                if answer.len() == many {
                    break;
                }
            }
        }
        answer
    }
}

/// A table that deals wrongly once or more, in posts of some events.
fn crooked() -> (String, Vec<Vec<String>>) {
    let book = baccarat::builtin("mini-punto-banco").unwrap();
    let fault = *Fault::ALL.iter().find(|fault| fault.code() == "natural-drawn").unwrap();
    let plan = Plan { seed: 3, shoes: 3, fault: Some(fault), ..Plan::new(book) };
    let mut lines: Vec<_> = simulate(&plan).lines.collect();
    // Events that never come, and one that comes late.
    lines.remove(lines.len() / 4);
    lines.remove(lines.len() * 3 / 5);
    let late = lines.remove(lines.len() / 2);
    lines.insert(lines.len() / 2 + 30, late);
    let table = lines[0].table.to_string();
    let lines: Vec<String> = lines.iter().map(|line| line.to_json().unwrap()).collect();
    (table, lines.chunks(23).map(<[String]>::to_vec).collect())
}

/// What a whole verify of the served log finds: findings as JSON, and their digest.
fn whole_verify(service: &Certifying) -> (Value, String) {
    let (_, bytes) = service.bytes("/v1/archive");
    let (judgement, _) = judged(&bytes);
    (serde_json::to_value(&judgement.findings).unwrap(), findings_digest(&judgement))
}

fn verify(archive: &[u8]) -> (Vec<Finding>, SealReport) {
    let (judgement, seal) = judged(archive);
    (judgement.findings, seal)
}

fn judged(archive: &[u8]) -> (Judgement, SealReport) {
    let mut reader = LogReader::new(ArchiveSource::new(archive).unwrap(), Expectations::default());
    let mut judge = Judge::default();
    while let Some(window) = reader.next_window().unwrap() {
        let entries: Vec<_> =
            window.entries().map(|entry| (entry.index, entry.view.unwrap(), entry.after_left_out)).collect();
        let entries: Vec<Entry<'_>> = entries
            .iter()
            .map(|(index, view, after_left_out)| Entry {
                index: *index,
                after_left_out: *after_left_out,
                table: view.chain,
                first: view.first,
                count: view.count,
                payload: view.payload,
                ..Entry::default()
            })
            .collect();
        judge.judge(&entries);
    }
    (judge.finish(), reader.finish())
}

#[test]
fn a_finding_arrives_and_its_coup_can_be_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let service = Certifying::start(folder.path());
    assert_eq!(service.certificate()["size"], 0);
    let (table, posts) = crooked();
    let answer = std::thread::scope(|scope| {
        let waiting = scope.spawn(|| service.stream(0, 1));
        posts.iter().for_each(|post| service.post(&table, post));
        waiting.join().unwrap()
    });
    let (number, first) = &answer[0];
    assert_eq!((*number, &first["finding"]["table"]), (1, &Value::from(table.as_str())));
    let published = service.certificate();
    let (_, page) = service.get("/v1/findings");
    assert_eq!(page["findings"][0], *first);
    let drawn = service.get("/v1/findings?code=natural-drawn").1;
    let finding = &drawn["findings"][0]["finding"];
    assert_eq!(drawn["findings"].as_array().unwrap().len(), 1, "{page}");
    assert_eq!(published["verdicts"]["certified"], "no");
    let (shoe, coup) = (finding["shoe"].as_str().unwrap(), &finding["coup"]);
    let answer = service.get(&format!("/v1/tables/{table}/shoes/{shoe}")).1;
    let each = answer["each"].as_array().unwrap();
    let of_the_coup = each.iter().find(|answer| answer["coup"] == *coup).unwrap();
    assert_eq!(of_the_coup["verdict"], "violated");
    let in_full = service.get(&format!("/v1/tables/{table}/shoes/{shoe}/coups/{coup}")).1;
    assert_eq!(in_full["findings"][0]["code"], "natural-drawn");
    let (status, slice) = service.bytes(&format!("/v1/tables/{table}/shoes/{shoe}/archive"));
    assert_eq!(status, 200);
    let (findings, seal) = verify(&slice);
    assert_eq!(seal.intact, Verdict::Yes);
    assert!(seal.left_out > 0 && findings[0].code.as_str() == "natural-drawn", "{findings:?}");
    assert_eq!(service.get("/v1/tables").1["tables"][0]["table"], table.as_str());
    assert_eq!(service.get(&format!("/v1/tables/{table}")).1["places"].as_array().unwrap().len(), 3);
}

#[test]
fn what_it_says_is_what_a_whole_verify_says_wherever_it_was_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let (table, posts) = crooked();
    for (number, some) in posts.chunks(posts.len() / 6).enumerate() {
        let service = Certifying::start(folder.path());
        some.iter().for_each(|post| service.post(&table, post));
        if number % 2 == 0 {
            let certificate = service.certificate();
            let (findings, digest) = whole_verify(&service);
            assert_eq!(certificate["findings"], findings);
            assert_eq!(certificate["findings_digest"], digest.as_str());
        }
    }
    let service = Certifying::start(folder.path());
    service.certificate();
    let all = service.get("/v1/findings?limit=1000").1;
    let many = all["published"].as_u64().unwrap() as usize;
    assert!(many > 1, "{all}");
    let streamed = service.stream(0, many);
    let numbers: Vec<u64> = streamed.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, (1..=many as u64).collect::<Vec<_>>());
    assert_eq!(service.stream(1, many - 1), streamed[1..]);
    // A follower without a past says the same.
    drop(service);
    std::fs::remove_dir_all(folder.path().join("follower")).unwrap();
    let service = Certifying::start(folder.path());
    service.certificate();
    assert_eq!(service.get("/v1/findings?limit=1000").1["findings"], all["findings"]);
}

/// A shoe is judged from its own entries, and a correction in a later shoe is not among them.
#[test]
fn a_shoe_that_is_corrected_in_a_later_shoe_is_not_shown_as_certified() {
    let book = baccarat::builtin("mini-punto-banco").unwrap();
    let plan = Plan { seed: 3, shoes: 2, ..Plan::new(book) };
    let mut lines: Vec<Value> =
        simulate(&plan).lines.map(|line| serde_json::from_str(&line.to_json().unwrap()).unwrap()).collect();
    let settled = lines.iter().position(|line| !line["event"]["CoupSettled"].is_null()).unwrap();
    let mut said = lines[settled]["event"].clone();
    let coup = said["CoupSettled"]["coup"].as_u64().unwrap();
    let total = &mut said["CoupSettled"]["punto_total"];
    *total = ((total.as_u64().unwrap() + 1) % 10).into();
    let mut correction = lines.last().unwrap().clone();
    let sequence = correction["sequence"].as_u64().unwrap();
    correction["event"] = serde_json::json!({ "CorrectionRecorded": {
        "corrects": lines[settled]["sequence"], "corrected": said, "reason": "misread", "signed_by": ["a", "b"],
    } });
    // The last event of all ends the second shoe; it comes after the correction.
    let mut last = lines.pop().unwrap();
    last["sequence"] = (sequence + 1).into();
    let loaded = |line: &Value| line["event"]["ShoeLoaded"]["shoe"].as_str().map(str::to_owned);
    let shoe = lines.iter().find_map(loaded).unwrap();
    let table = last["table"].as_str().unwrap().to_owned();
    let posted = |service: &Certifying, lines: &[Value]| {
        service.post(&table, &lines.iter().map(Value::to_string).collect::<Vec<_>>());
        service.certificate()
    };

    let folder = tempfile::tempdir().unwrap();
    let service = Certifying::start(folder.path());
    posted(&service, &lines);
    let shoe_path = format!("/v1/tables/{table}/shoes/{shoe}");
    let coup_path = format!("{shoe_path}/coups/{coup}");
    assert_eq!(service.get(&coup_path).1["verdict"], "certified");
    let before = service.get(&shoe_path).1;
    let coups_page = |service: &Certifying| {
        let bytes = service.bytes(&format!("/desk/shoe?table={table}&shoe={shoe}")).1;
        String::from_utf8(bytes).unwrap()
    };
    let page_before = coups_page(&service);

    let certificate = posted(&service, &[correction, last]);
    let after = service.get(&shoe_path).1;
    let one = service.get(&coup_path).1;
    assert_eq!((&one["verdict"], &one["undecided"]), (&"undecided".into(), &"corrected".into()));
    let certified = |of: &Value| of["certified"].as_u64().unwrap();
    assert_eq!(certified(&after["coups"]) + 1, certified(&before["coups"]));
    assert_eq!((certified(&before["shoes"]), certified(&after["shoes"])), (1, 0));
    assert_eq!(certificate["undecided"]["corrected"], 1);
    assert_ne!(coups_page(&service), page_before);
}

#[test]
fn tables_are_listed_all_at_once_or_page_by_page() {
    let folder = tempfile::tempdir().unwrap();
    let service = Certifying::start(folder.path());
    assert_eq!(service.get("/v1/tables").1["tables"].as_array().unwrap().len(), 0);
    let (table, posts) = crooked();
    let opening = &posts[0][0];
    let names: Vec<String> = (0..600).map(|number| format!("T{number:03}")).collect();
    let named = |table: &str| format!("\"table\":\"{table}\"");
    let open = |name: &String| service.post(name, &[opening.replacen(&named(&table), &named(name), 1)]);
    std::thread::scope(|scope| {
        for some in names.chunks(75) {
            scope.spawn(move || some.iter().for_each(open));
        }
    });
    let judged = &service.certificate()["size"];
    let all = service.get("/v1/tables").1;
    assert_eq!((&all["judged"], &all["next"]), (judged, &Value::Null));
    let all = all["tables"].as_array().unwrap();
    assert!(all.iter().map(|answer| answer["table"].as_str().unwrap()).eq(names.iter()));
    let (mut pages, mut after) = (Vec::new(), String::new());
    loop {
        let page = service.get(&format!("/v1/tables?limit=270&after={after}")).1;
        pages.extend(page["tables"].as_array().unwrap().iter().cloned());
        let Some(next) = page["next"].as_str() else { break };
        assert_eq!((next, pages.len() % 270), (pages.last().unwrap()["table"].as_str().unwrap(), 0));
        next.clone_into(&mut after);
    }
    assert_eq!(&pages, all);
    for (path, many, next) in [
        ("/v1/tables?limit=600", 600, Value::Null),
        ("/v1/tables?limit=0", 1, "T000".into()),
        ("/v1/tables?after=T598", 1, Value::Null),
        ("/v1/tables?after=T599&limit=1", 0, Value::Null),
        ("/v1/tables?after=a%20b", 0, Value::Null),
    ] {
        let answer = service.get(path).1;
        assert_eq!((answer["tables"].as_array().unwrap().len(), &answer["next"]), (many, &next), "{path}");
    }
    assert_eq!(service.get("/v1/tables?limit=many").0, 400);
}

#[test]
fn a_stream_that_its_client_left_keeps_no_slot() {
    let folder = tempfile::tempdir().unwrap();
    let service = Certifying::start(folder.path());
    let (table, posts) = crooked();
    posts.iter().for_each(|post| service.post(&table, post));
    service.certificate();
    let ask = || {
        let mut stream = TcpStream::connect(&service.0.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream.write_all(b"GET /v1/findings/stream?table=none HTTP/1.1\r\nhost: localhost\r\n\r\n").unwrap();
        let mut line = String::new();
        BufReader::new(&stream).read_line(&mut line).unwrap();
        (stream, line)
    };
    // As many as there may be, of 64 connections: a quarter.
    let begun: Vec<_> = (0..16).map(|_| ask()).collect();
    assert!(begun.iter().all(|(_, line)| line.contains("200 OK")), "{begun:?}");
    assert!(ask().1.contains("429"), "one too many");
    drop(begun);
    let begun = Instant::now();
    while !ask().1.contains("200 OK") {
        assert!(begun.elapsed() < Duration::from_secs(10), "their slots are kept");
        sleep(Duration::from_millis(20));
    }
}

#[test]
fn queries_that_cannot_be_parsed_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let service = Certifying::start(folder.path());
    for (path, status) in [
        ("/v1/findings?limit=many", 400),
        ("/v1/findings?colour=red", 400),
        ("/v1/findings?after=-1", 400),
        ("/v1/findings?limit=0", 400),
        ("/v1/findings?limit=1", 200),
        ("/v1/findings?after=9223372036854775807", 200),
        ("/v1/findings?after=18446744073709551615", 400),
        ("/v1/tables/none", 404),
        ("/v1/tables/none/shoes/1", 404),
        ("/v1/tables/none/shoes/1/coups/1", 404),
        ("/v1/tables/a%20b", 404),
    ] {
        let (got, answer) = service.get(path);
        assert_eq!(got, status, "{path}: {answer}");
    }
}

/// Takes a post, answers with a status, and gives its headers and its body.
fn take_post(listener: &TcpListener, status: &str) -> (Vec<String>, Value) {
    let (stream, _) = listener.accept().unwrap();
    let mut reader = BufReader::new(stream);
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        if line == "\r\n" {
            break;
        }
        headers.push(line.trim().to_ascii_lowercase());
    }
    let length = headers.iter().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
    let mut body = vec![0; length.parse().unwrap()];
    reader.read_exact(&mut body).unwrap();
    // Who asked may be gone by now.
    let _ =
        write!(reader.into_inner(), "HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    (headers, serde_json::from_slice(&body).unwrap())
}

fn header<'a>(headers: &'a [String], name: &str) -> &'a str {
    headers.iter().find_map(|line| line.strip_prefix(name)).unwrap()
}

#[test]
fn a_webhook_is_sent_each_finding_until_it_accepts_and_not_again_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/findings", listener.local_addr().unwrap());
    let webhook = Webhook::new(&url, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
    let (table, posts) = crooked();
    let service = Certifying::start_telling(folder.path(), Some(webhook.clone()));
    posts.iter().for_each(|post| service.post(&table, post));
    service.certificate();
    let many = service.get("/v1/findings").1["published"].as_u64().unwrap();
    assert!(many > 2, "{many}");
    let (refused, first) = take_post(&listener, "500 Not Now");
    let (again, same) = take_post(&listener, "204 Taken");
    assert_eq!(first, same);
    assert_eq!(header(&refused, "webhook-id: "), header(&again, "webhook-id: "));
    assert!(header(&again, "webhook-signature: ").starts_with("v1,"));
    assert_eq!((&first["type"], &first["data"]["number"]), (&"finding.published".into(), &1.into()));
    let (_, second) = take_post(&listener, "200 OK");
    assert_eq!(second["data"]["number"], 2);
    // The service may stop before it has kept that the second was taken: then it is sent again.
    drop(service);
    let _service = Certifying::start_telling(folder.path(), Some(webhook));
    let mut expected = 3;
    while expected <= many {
        let (_, answer) = take_post(&listener, "200 OK");
        let number = answer["data"]["number"].as_u64().unwrap();
        assert!(number == expected || number + 1 == expected, "{number}, {expected}");
        expected = number + 1;
    }
}
