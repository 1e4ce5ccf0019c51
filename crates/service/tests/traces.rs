//! Spans of requests: what a collector receives, and that no request waits for one that is gone.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write as _};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::{KeyValue, any_value::Value};
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use opentelemetry_proto::tonic::trace::v1::{ResourceSpans, Span};
use prost::Message as _;
use service::Collector;

use crate::ports::free_port;
use crate::serving::{Running, agent, events};

const POSTS: &str = "/v1/tables/{table}/events";
/// The example of the W3C's recommendation: a trace, a span in it, and that it is recorded.
const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const PARENT: &str = "b7ad6b7169203331";

/// A collector that takes everything.
struct Taking {
    address: String,
    taken: Arc<Mutex<Vec<ResourceSpans>>>,
}

impl Taking {
    fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let taken = Arc::<Mutex<Vec<ResourceSpans>>>::default();
        let keep = Arc::clone(&taken);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = BufReader::new(stream.unwrap());
                keep.lock().unwrap().extend(read(&mut stream).resource_spans);
                let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
                stream.into_inner().write_all(answer).unwrap();
            }
        });
        Self { address, taken }
    }

    fn spans(&self) -> Vec<Span> {
        let taken = self.taken.lock().unwrap();
        taken.iter().flat_map(|of| &of.scope_spans).flat_map(|of| of.spans.clone()).collect()
    }

    fn senders(&self) -> Vec<BTreeMap<String, String>> {
        let taken = self.taken.lock().unwrap();
        taken.iter().map(|of| attribute_map(&of.resource.as_ref().unwrap().attributes)).collect()
    }
}

fn read(stream: &mut impl BufRead) -> ExportTraceServiceRequest {
    let mut head = Vec::new();
    let mut line = String::new();
    while stream.read_line(&mut line).unwrap() > 2 {
        head.push(std::mem::take(&mut line).trim_end().to_ascii_lowercase());
    }
    assert_eq!(head[0], "post /v1/traces http/1.1");
    assert!(head.contains(&"content-type: application/x-protobuf".to_owned()), "{head:?}");
    let length = head.iter().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
    let mut body = vec![0; length.parse().unwrap()];
    stream.read_exact(&mut body).unwrap();
    ExportTraceServiceRequest::decode(&body[..]).unwrap()
}

fn attribute_map(attributes: &[KeyValue]) -> BTreeMap<String, String> {
    let text = |value: &Value| {
        if let Value::IntValue(number) = value {
            return number.to_string();
        }
        let Value::StringValue(text) = value else { panic!("not a text nor a number: {value:?}") };
        text.clone()
    };
    let each = |it: &KeyValue| (it.key.clone(), text(it.value.as_ref().unwrap().value.as_ref().unwrap()));
    attributes.iter().map(each).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A service that sends its spans to `address`.
fn traced(folder: &tempfile::TempDir, address: &str) -> Running {
    let collector = Collector::at(address).unwrap();
    Running::with(&folder.path().join("log"), |service| service.with_collector(collector))
}

#[test]
fn a_post_is_a_span_of_the_clients_trace() {
    let (folder, collector) = (tempfile::tempdir().unwrap(), Taking::new());
    let running = traced(&folder, &collector.address);
    let (table, lines) = events(1, 20);
    let post = |flags: &str, id: &str, lines: &[String]| {
        let url = format!("{}/v1/tables/{table}/events?dry-run=false", running.url);
        let asked = agent().post(&url).header("content-type", "application/x-ndjson");
        let parent = format!("00-{TRACE}-{PARENT}-{flags}");
        let asked = asked.header("traceparent", parent).header("x-request-id", id);
        asked.header("authorization", "Bearer secret").send(lines.join("\n")).unwrap().status().as_u16()
    };
    assert_eq!(post("01", "post-1", &lines[..10]), 201);
    assert_eq!(post("00", "not-recorded", &lines[10..]), 201);
    assert_eq!(running.get("/nowhere").0, 404);
    drop(running);

    let spans = collector.spans();
    let [post, nowhere] = &spans[..] else { panic!("not two spans: {spans:#?}") };
    assert_eq!(post.name, format!("POST {POSTS}"));
    assert_eq!((hex(&post.trace_id), hex(&post.parent_span_id)), (TRACE.into(), PARENT.into()));
    assert_eq!(post.kind(), SpanKind::Server);
    assert!(post.end_time_unix_nano > post.start_time_unix_nano);
    let path = format!("/v1/tables/{table}/events");
    let expected = [
        ("http.request.method", "POST"),
        ("http.response.status_code", "201"),
        ("http.route", POSTS),
        ("network.protocol.version", "1.1"),
        ("request_id", "post-1"),
        ("url.path", &path),
        ("url.scheme", "http"),
    ];
    assert_eq!(attribute_map(&post.attributes), expected.map(|(key, text)| (key.into(), text.into())).into());
    assert_eq!(nowhere.name, "GET", "what has no route has no name of its own");
    assert_ne!(hex(&nowhere.trace_id), TRACE);
    let said = attribute_map(&nowhere.attributes);
    assert_eq!((&*said["http.response.status_code"], &*said["problem"]), ("404", "urn:audit:absent"));
    let sender = &collector.senders()[0];
    assert_eq!((&*sender["service.name"], &*sender["audit.log"]), ("audit", "casino.example/sala/1"));
}

/// Asks more often than spans are kept; how many were dropped by the service's own count, and the longest
/// time to an answer.
fn ask_often(running: &Running) -> (u64, Duration) {
    let (table, lines) = events(2, 40);
    let (agent, mut longest) = (agent(), Duration::ZERO);
    for count in 0..5_000 {
        let began = Instant::now();
        if count % 500 == 0 {
            let at = count / 500 * 4;
            assert_eq!(running.lines(&table, &lines[at..at + 4]).0, 201);
        } else {
            let mut answer = agent.get(format!("{}/healthz", running.url)).call().unwrap();
            assert_eq!(answer.status(), 200);
            answer.body_mut().read_to_vec().unwrap();
        }
        longest = longest.max(began.elapsed());
    }
    let metrics = String::from_utf8(running.get("/metrics").1).unwrap();
    let dropped = metrics.lines().find_map(|line| line.strip_prefix("audit_spans_dropped_total "));
    (dropped.unwrap().parse().unwrap(), longest)
}

/// One try of the sender takes up to ten seconds: whoever waited for it would be seen here.
fn nobody_waits_for(address: &str) {
    let folder = tempfile::tempdir().unwrap();
    let running = traced(&folder, address);
    let (dropped, longest) = ask_often(&running);
    assert!(dropped > 500, "{dropped} of 5,000 spans were dropped, and 4,096 can be kept");
    assert!(longest < Duration::from_secs(3), "a request took {longest:?}");
    let began = Instant::now();
    drop(running);
    assert!(began.elapsed() < Duration::from_secs(6), "the stop took {:?}", began.elapsed());
}

#[test]
fn nobody_waits_for_a_collector_that_is_not_there() {
    nobody_waits_for(&format!("http://127.0.0.1:{}", free_port()));
}

#[test]
fn nobody_waits_for_a_collector_that_hangs() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    // It takes connections and what is written to them, and never answers.
    nobody_waits_for(&format!("http://{}", silent.local_addr().unwrap()));
}
