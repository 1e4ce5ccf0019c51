//! By which names the service lets itself be called, and what a web page can make a browser ask of it: a page can
//! have its own name lead to this machine (DNS rebinding), and ask on behalf of whoever looks at it.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;

use serde_json::Value;
use service::access::{Access, Role, Tables, TokenFile, Wanted};
use service::{Bounds, Limits, Service};

use crate::serving::{self, Served, bound, events};

/// A service over a folder of its own.
struct Named {
    served: Served,
    _folder: tempfile::TempDir,
}

impl Named {
    fn with(with: impl FnOnce(&Path, Service) -> Service) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let service = bound(&folder.path().join("log"), Limits::default(), Bounds::default());
        Self { served: Served::start(with(folder.path(), service)), _folder: folder }
    }

    /// Everybody may ask.
    fn open(names: &[&str]) -> Self {
        let names = names.iter().map(|name| name.parse().unwrap()).collect();
        Self::with(|_, service| service.with_hosts(names))
    }

    /// A token is asked for.
    fn guarded(names: &[&str]) -> Self {
        let names = names.iter().map(|name| name.parse().unwrap()).collect();
        Self::with(|folder, service| {
            let tokens = TokenFile::new(&folder.join("tokens"));
            let (tables, expires_at, note) = (Tables::Named(BTreeSet::new()), None, String::new());
            let wanted = Wanted { role: Role::Read, producer: None, tables, expires_at, note };
            tokens.make(wanted, time::OffsetDateTime::now_utc()).unwrap();
            service.with_access(Access::by_tokens(tokens, |_| {}).unwrap()).with_hosts(names)
        })
    }

    /// What is answered to these bytes: the status, and the problem where it is one.
    fn say(&self, head: &str, body: &str) -> (u16, Value) {
        let mut stream = TcpStream::connect(&self.served.address).unwrap();
        let length = body.len();
        let head = format!("{head}connection: close\r\ncontent-length: {length}\r\n\r\n{body}");
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head[9..12].parse().unwrap(), serde_json::from_str(body).unwrap_or(Value::Null))
    }

    /// Asks with these headers; gives the status, and what kind of problem there is.
    fn get(&self, headers: &str) -> (u16, String) {
        let (status, problem) = self.say(&format!("GET /v1/key HTTP/1.1\r\n{headers}"), "");
        (status, problem["type"].as_str().unwrap_or("").to_owned())
    }

    fn status_for(&self, host: &str) -> u16 {
        self.get(&format!("host: {host}\r\n")).0
    }
}

fn kind(name: &str) -> String {
    format!("urn:audit:{name}")
}

#[test]
fn a_request_says_once_which_host_it_is_for() {
    for named in [Named::open(&[]), Named::guarded(&[])] {
        assert_eq!(named.get("host: localhost\r\n").0, 200);
        for headers in [
            "",
            "host: localhost\r\nhost: localhost\r\n",
            "host:\r\n",
            "host: a b\r\n",
            "host: user@localhost\r\n",
            "host: localhost, localhost\r\n",
            "host: \u{1b}[31mred\r\n",
            "host: http://localhost\r\n",
        ] {
            let (status, problem) = named.get(headers);
            // Bytes that no header may hold never get this far.
            assert!(status == 400 && (problem == kind("host") || problem.is_empty()), "{headers}: {problem}");
        }
        let whole = |target: &str, host: &str| {
            named.say(&format!("GET http://{target}/v1/key HTTP/1.1\r\nhost: {host}\r\n"), "").0
        };
        assert_eq!(whole("localhost", "localhost"), 200);
        assert_eq!(whole("localhost", "127.0.0.1"), 400);
        // No browser speaks it, and many a health check does.
        assert_eq!(named.say("GET /healthz HTTP/1.0\r\n", "").0, 200);
    }
}

#[test]
fn without_tokens_only_names_that_are_known_to_be_its_own_are_answered() {
    let named = Named::open(&["audit.casino.example", "[2001:db8::1]"]);
    for host in [
        "localhost",
        "LOCALHOST:7370",
        "127.0.0.1",
        "127.0.0.1:7370",
        "[::1]:7370",
        "10.1.2.3",
        "audit.casino.example",
        "Audit.Casino.Example.:443",
        "[2001:db8:0::1]",
    ] {
        assert_eq!(named.status_for(host), 200, "{host}");
    }
    for host in
        ["evil.example", "localhost.evil.example", "audit.casino.example.evil.example", "127.1", "xlocalhost"]
    {
        assert_eq!(named.get(&format!("host: {host}\r\n")), (421, kind("host")), "{host}");
    }
    let (_, problem) = named.say("GET /v1/key HTTP/1.1\r\nhost: evil.example:7370\r\n", "");
    let detail = problem["detail"].as_str().unwrap();
    assert!(
        detail.contains("not called `evil.example`") && detail.contains("--host evil.example"),
        "{detail}"
    );
    assert!(problem["request_id"].is_string());
    // Also paths that there are not.
    assert_eq!(named.say("GET /nothing HTTP/1.1\r\nhost: evil.example\r\n", "").0, 421);
}

#[test]
fn with_tokens_any_name_will_do_until_some_are_given() {
    let named = Named::guarded(&[]);
    for host in ["evil.example", "localhost", "127.0.0.1"] {
        assert_eq!(named.status_for(host), 200, "{host}");
    }
    let named = Named::guarded(&["audit.casino.example"]);
    assert_eq!(named.status_for("audit.casino.example:7370"), 200);
    for host in ["localhost", "127.0.0.1", "[::1]"] {
        assert_eq!(named.status_for(host), 200, "{host}: whoever runs it asks by these");
    }
    assert_eq!(named.status_for("evil.example"), 421);
}

#[test]
fn a_web_page_of_somebody_else_is_refused_whatever_it_has_a_browser_ask() {
    for named in [Named::open(&["audit.casino.example"]), Named::guarded(&[])] {
        let port = named.served.address.rsplit_once(':').unwrap().1;
        let from = |host: &str, origin: &str| named.get(&format!("host: {host}\r\norigin: {origin}\r\n"));
        for (host, origin) in [
            (format!("127.0.0.1:{port}"), format!("http://127.0.0.1:{port}")),
            ("localhost".to_owned(), "http://localhost".to_owned()),
            ("audit.casino.example".to_owned(), "http://audit.casino.example:80".to_owned()),
            ("[::1]:7370".to_owned(), "http://[::1]:7370".to_owned()),
        ] {
            assert_eq!(from(&host, &origin).0, 200, "{origin}");
        }
        for origin in [
            "null",
            "",
            "http://evil.example",
            "https://localhost",
            "http://localhost:3000",
            "http://127.0.0.1",
            "http://localhost.evil.example",
            "http://localhost http://evil.example",
            "chrome-extension://localhost",
        ] {
            assert_eq!(from("localhost", origin), (403, kind("origin")), "{origin}");
        }
        let both = "host: localhost\r\norigin: http://localhost\r\norigin: http://evil.example\r\n";
        assert_eq!(named.get(both), (403, kind("origin")));
        let nameless = named.say("GET /v1/key HTTP/1.0\r\norigin: http://localhost\r\n", "");
        assert_eq!(nameless.0, 403, "who names no host has no page of it");
    }
}

#[test]
fn what_is_refused_is_not_recorded_and_is_counted_with_what_else_is_refused() {
    let named = Named::open(&[]);
    let (table, lines) = events(4, 20);
    let post = |headers: &str| {
        let kind = "content-type: application/x-ndjson\r\n";
        let head = format!("POST /v1/tables/{table}/events HTTP/1.1\r\n{headers}{kind}");
        named.say(&head, &lines.join("\n"))
    };
    assert_eq!(post("host: rebound.example\r\n").0, 421);
    assert_eq!(post("host: localhost\r\norigin: http://rebound.example\r\n").0, 403);
    let (status, recorded) = post("host: localhost\r\n");
    assert_eq!((status, recorded["already_there"].as_u64()), (201, Some(0)), "{recorded}");
    let metrics = serving::agent().get(format!("{}/metrics", named.served.url)).call().unwrap();
    let metrics = metrics.into_body().read_to_string().unwrap();
    let refused = "audit_request_seconds_count{route=\"/v1/tables/{table}/events\",status=\"4xx\"} 2";
    assert!(metrics.contains(refused), "{metrics}");
}

#[test]
fn a_token_is_not_even_looked_at_under_another_name() {
    let named = Named::guarded(&["audit.casino.example"]);
    let ask = |headers: &str| named.say(&format!("GET /v1/archive HTTP/1.1\r\n{headers}"), "").0;
    assert_eq!(ask("host: audit.casino.example\r\n"), 401);
    assert_eq!(ask("host: other.example\r\nauthorization: Bearer audit_x_y\r\n"), 421);
    assert_eq!(ask("host: audit.casino.example\r\norigin: null\r\n"), 403);
}
