//! Every form of body says the same: what one form recorded, all others find there, under the same
//! receipts. And anything else is refused with its position.
#![allow(clippy::unwrap_used)]

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use casino::{Plan, simulate};
use minicbor::Encoder;
use serde_json::{Value, json};
use service::{Bounds, Limits};

use crate::serving::{Served, bound};

/// A service over a folder of its own.
struct Running {
    served: Served,
    _folder: tempfile::TempDir,
}

impl Running {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let service = bound(&folder.path().join("log"), Limits::default(), Bounds::default());
        Self { served: Served::start(service), _folder: folder }
    }

    /// Posts under any headers; gives the status and the answer.
    fn post(&self, table: &str, headers: &[(&str, &str)], body: &[u8]) -> (u16, Value) {
        let mut head =
            format!("POST /v1/tables/{table}/events HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n");
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str(&format!("content-length: {}\r\n\r\n", body.len()));
        let mut stream = TcpStream::connect(&self.served.address).unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(body).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head[9..12].parse().unwrap(), serde_json::from_str(body).unwrap())
    }

    fn post_as(&self, table: &str, kind: &str, body: impl AsRef<[u8]>) -> (u16, Value) {
        self.post(table, &[("content-type", kind)], body.as_ref())
    }
}

/// Events of a simulated table, a whole rulebook among them.
fn events() -> (String, Vec<Value>) {
    let book = baccarat::builtin("punto-banco").unwrap();
    let lines: Vec<_> = simulate(&Plan { seed: 1, ..Plan::new(book) }).lines.take(120).collect();
    let values = lines.iter().map(|line| serde_json::from_str(&line.to_json().unwrap()).unwrap());
    (lines[0].table.to_string(), values.collect())
}

/// A value as a CBOR library writes it.
fn cbor(writer: &mut Encoder<&mut Vec<u8>>, value: &Value) {
    match value {
        Value::Null => _ = writer.null().unwrap(),
        Value::Bool(value) => _ = writer.bool(*value).unwrap(),
        Value::Number(number) => _ = writer.i64(number.as_i64().unwrap()).unwrap(),
        Value::String(text) => _ = writer.str(text).unwrap(),
        Value::Array(items) => {
            writer.array(items.len() as u64).unwrap();
            items.iter().for_each(|item| cbor(writer, item));
        }
        Value::Object(members) => {
            writer.map(members.len() as u64).unwrap();
            for (name, member) in members {
                writer.str(name).unwrap();
                cbor(writer, member);
            }
        }
    }
}

fn in_cbor(value: &Value) -> Vec<u8> {
    let mut bytes = Vec::new();
    cbor(&mut Encoder::new(&mut bytes), value);
    bytes
}

fn cloud_event(number: usize, data: &Value) -> Value {
    json!({
        "specversion": "1.0", "id": format!("e-{number}"), "source": "/sala/1/PB-01",
        "type": "example.casino.table", "subject": "PB-01", "time": "2026-03-01T20:00:00Z",
        "datacontenttype": "application/json; charset=utf-8", "traceparent": "00-1-2-3", "data": data,
    })
}

#[test]
fn every_form_finds_what_another_recorded_under_the_same_receipts() {
    let running = Running::start();
    let (table, events) = events();
    let lines = events.iter().map(Value::to_string).collect::<Vec<_>>().join("\n");
    let batch: Vec<Value> = (1..).zip(&events).map(|(number, event)| cloud_event(number, event)).collect();
    let bodies = [
        ("application/cbor", in_cbor(&Value::Array(events.clone()))),
        ("application/x-ndjson", lines.into_bytes()),
        ("application/json", Value::Array(events.clone()).to_string().into_bytes()),
        ("Application/CBOR-seq; x=1", events.iter().flat_map(in_cbor).collect()),
        ("application/cloudevents-batch+json; charset=utf-8", Value::Array(batch).to_string().into_bytes()),
    ];
    let (status, first) = running.post_as(&table, bodies[0].0, &bodies[0].1);
    assert_eq!((status, first["recorded"].as_u64()), (201, Some(120)), "{first}");
    for (kind, body) in &bodies {
        let (status, again) = running.post_as(&table, kind, body);
        assert_eq!((status, again["already_there"].as_u64()), (200, Some(120)), "{kind}: {again}");
        assert_eq!(again["receipts"], first["receipts"], "{kind}");
    }
    // One event a post: its entry's receipt is among them.
    let known = first["receipts"].as_array().unwrap();
    let structured = [("content-type", "application/cloudevents+json")];
    let binary = [
        ("content-type", "application/json"),
        ("ce-specversion", "1.0"),
        ("ce-id", "e-1"),
        ("ce-source", "/sala/1"),
        ("ce-type", "example.casino.table"),
    ];
    for event in [&events[0], &events[119]] {
        let whole = cloud_event(1, event).to_string();
        for (headers, body) in [(&structured[..], whole), (&binary[..], event.to_string())] {
            let (status, again) = running.post(&table, headers, body.as_bytes());
            assert_eq!((status, again["already_there"].as_u64()), (200, Some(1)), "{again}");
            assert!(known.contains(&again["receipts"][0]), "{again}");
        }
    }
}

#[test]
fn a_malformed_event_is_refused_with_its_position_and_nothing_of_the_post_is_recorded() {
    let running = Running::start();
    let (table, events) = events();
    let mut elements: Vec<Value> =
        (1..).zip(&events[..3]).map(|(number, event)| cloud_event(number, event)).collect();
    elements[1]["data"]["sequence"] = "two".into();
    let (status, problem) =
        running.post_as(&table, "application/cloudevents-batch+json", Value::Array(elements).to_string());
    assert_eq!((status, problem["line"].as_u64()), (400, Some(2)), "{problem}");
    let detail = problem["detail"].as_str().unwrap();
    assert!(detail.starts_with("element 2: data: sequence: invalid type: string \"two\""), "{detail}");
    let elsewhere = in_cbor(&Value::Array(events[..2].to_vec()));
    let (status, problem) = running.post_as("elsewhere", "application/cbor", &elsewhere);
    assert_eq!((status, problem["line"].as_u64()), (400, Some(1)), "{problem}");
    let (status, problem) = running.post_as(&table, "application/cbor", &elsewhere[..elsewhere.len() - 1]);
    assert_eq!((status, problem["line"].as_u64()), (400, Some(2)), "{problem}");
    let (status, all) = running.post_as(&table, "application/cbor", in_cbor(&Value::Array(events)));
    assert_eq!((status, all["recorded"].as_u64()), (201, Some(120)), "nothing was there yet: {all}");
}

/// A whole body that is no array was refused at "line 1 column 0".
#[test]
fn a_position_is_one_at_which_somebody_can_look() {
    let running = Running::start();
    let (batch, array) = ("application/cloudevents-batch+json", "application/json");
    for (kind, body, says) in [
        (
            array,
            "{}",
            "not a JSON array of events: invalid type: map, expected a sequence; send an array: [{...}]; nothing",
        ),
        (array, "", "not a JSON array of events: EOF while parsing a value; nothing"),
        (array, "[1,\n 2", "EOF while parsing a list (line 2, column 2 of the body); nothing"),
        (
            batch,
            "7",
            "not a JSON array of CloudEvents: invalid type: integer `7`, expected a sequence (line 1",
        ),
        (batch, "[{}]", "element 1: not a CloudEvent: missing field `specversion`; nothing"),
        ("application/cloudevents+json", "{\"id\": 7}", "not a CloudEvent: invalid type: integer `7`"),
    ] {
        let (status, problem) = running.post_as("PB-01", kind, body);
        let detail = problem["detail"].as_str().unwrap();
        assert_eq!(status, 400, "{problem}");
        assert!(detail.contains(says) && !detail.contains("column 0"), "{body}: {detail}");
        assert!(problem["line"] != 0 && problem["column"] != 0, "{problem}");
    }
    let (_, problem) = running.post_as("PB-01", "application/cloudevents+json", "{\"id\": 7}");
    assert_eq!(problem["column"], 8, "{problem}");
}

#[test]
fn an_unknown_content_type_is_answered_with_the_known_ones() {
    let running = Running::start();
    for kind in ["text/plain", "", "application/cloudevents+cbor", "application/cbor2"] {
        let (status, problem) = running.post_as("PB-01", kind, "x");
        let detail = problem["detail"].as_str().unwrap();
        assert_eq!(status, 415, "{problem}");
        for named in [
            "application/x-ndjson (an event a line)",
            "application/json (a JSON array of events)",
            "application/cbor (a CBOR array of events)",
            "application/cbor-seq (CBOR events one after the other)",
            "application/cloudevents+json (a CloudEvent with an event in `data`)",
            "application/cloudevents-batch+json (a JSON array of CloudEvents)",
        ] {
            assert!(detail.contains(named), "{detail}");
        }
    }
}

#[test]
fn a_compressed_body_is_refused() {
    let running = Running::start();
    let post = |encoding: &str| {
        let headers = [("content-type", "application/x-ndjson"), ("content-encoding", encoding)];
        running.post("PB-01", &headers, b"\x1f\x8b\x08")
    };
    for encoding in ["gzip", "br", "identity, gzip", "identity; q=1"] {
        let (status, problem) = post(encoding);
        assert_eq!((status, problem["type"].as_str()), (415, Some("urn:audit:media-type")), "{encoding}");
        assert!(problem["detail"].as_str().unwrap().contains("send the body uncompressed"), "{problem}");
    }
    for encoding in ["", "Identity", "identity, identity"] {
        assert_eq!(post(encoding).0, 400, "{encoding}: as it is, and no event");
    }
    // However long it is: on bytes that nobody took the connection would be reset, and the answer lost.
    let long = vec![b'x'; 4 << 20];
    for (status, path, encoding) in
        [(415, "tables/PB-01/events", "gzip"), (404, "none", ""), (405, "tables", "")]
    {
        let head = format!(
            "POST /v1/{path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-encoding: {encoding}\r\n\
             content-length: {}\r\n\r\n",
            long.len()
        );
        let mut stream = TcpStream::connect(&running.served.address).unwrap();
        stream.write_all(&[head.as_bytes(), &long].concat()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{path}: {answer}");
    }
}

#[test]
fn headers_of_a_cloud_event_are_whole_or_the_post_is_refused() {
    let running = Running::start();
    let whole = [
        ("content-type", "application/json"),
        ("ce-specversion", "1.0"),
        ("ce-id", "1"),
        ("ce-source", "/x"),
    ];
    for (more, status, said) in [
        (vec![], 400, "the ce- headers: no type; every CloudEvent has one"),
        (vec![("ce-type", "")], 400, "the ce- headers: no type; every CloudEvent has one"),
        (vec![("ce-type", "x")], 400, "missing field `table`"),
    ] {
        let headers = [&whole[..], &more].concat();
        let (found, problem) = running.post("PB-01", &headers, b"{}");
        assert_eq!(found, status, "{problem}");
        assert!(problem["detail"].as_str().unwrap().starts_with(said), "{problem}");
    }
    let (status, problem) = running.post("PB-01", &[whole[0], ("ce-specversion", "0.3")], b"{}");
    assert_eq!(status, 400);
    assert!(problem["detail"].as_str().unwrap().contains("specversion `0.3`: CloudEvents 1.0"), "{problem}");
    let (status, problem) = running.post("PB-01", &[("content-type", "text/xml"), whole[1]], b"{}");
    assert_eq!(status, 415);
    assert!(problem["detail"].as_str().unwrap().contains("beside a header ce-specversion"), "{problem}");
}
