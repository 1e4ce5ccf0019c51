//! Clients make as much noise as they can: the service's log stays short, and what matters is in it.
#![allow(clippy::unwrap_used)]

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use serde_json::Value;

use crate::certificates::Authority;
use crate::command::TestFolder;
use crate::command::serving::{Started, agent};

/// A service that asks for tokens and writes its log to a file.
struct Noisy {
    folder: TestFolder,
    serving: Started,
    address: String,
}

impl Noisy {
    fn start(folder: TestFolder, more: &[&str]) -> Self {
        let all = [&["--tokens", "tokens", "--log-format", "json"], more].concat();
        let log = File::create(folder.path("serve.log")).unwrap();
        let serving = Started::by(Started::command(&folder, &all).stderr(log));
        let address = serving.url.rsplit('/').next().unwrap().to_owned();
        Self { folder, serving, address }
    }

    /// One request on a connection of its own; gives the status of the answer.
    fn ask(&self, head: &[u8]) -> Option<u16> {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.write_all(&[head, b"host: localhost\r\nconnection: close\r\n\r\n"].concat()).unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).split(' ').nth(1)?.parse().ok()
    }

    /// Stops it; gives what it has written.
    fn stop(self) -> Log {
        self.serving.stop();
        let text = std::fs::read_to_string(self.folder.path("serve.log")).unwrap();
        let lines = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        Log { text, lines }
    }
}

/// What a service wrote, all of it.
struct Log {
    text: String,
    lines: Vec<Value>,
}

impl Log {
    /// The lines that have this message and these fields.
    fn with(&self, message: &str, fields: &[(&str, Value)]) -> Vec<&Value> {
        let has = |line: &&Value| {
            line["message"] == message && fields.iter().all(|(name, value)| &line[*name] == value)
        };
        self.lines.iter().filter(has).collect()
    }

    #[track_caller]
    fn one(&self, message: &str, fields: &[(&str, Value)]) -> &Value {
        let found = self.with(message, fields);
        let [line] = &found[..] else { panic!("{message} {fields:?}: {found:#?}\n{}", self.text) };
        line
    }
}

/// Makes a token; gives its id and the text of it.
fn token(folder: &TestFolder, more: &[&str]) -> (String, String) {
    let made = folder.run(&[&["tokens", "new", "--tokens", "tokens", "--json"], more].concat());
    let made: Value = serde_json::from_slice(&made.stdout).unwrap();
    (made["id"].as_str().unwrap().to_owned(), made["token"].as_str().unwrap().to_owned())
}

/// Sends so many requests on one connection, some at a time.
fn flood(address: &str, request: &str, count: usize) {
    const AT_ONCE: usize = 100;
    let (mut stream, mut piece) = (TcpStream::connect(address).unwrap(), vec![0; 64 << 10]);
    for _ in 0..count / AT_ONCE {
        stream.write_all(request.repeat(AT_ONCE).as_bytes()).unwrap();
        let (mut answers, mut seen) = (0, Vec::new());
        while answers < AT_ONCE {
            let count = stream.read(&mut piece).unwrap();
            assert!(count > 0, "it hung up");
            seen.extend_from_slice(&piece[..count]);
            let last = seen.windows(12).filter(|some| some == b"HTTP/1.1 401").count();
            answers += last;
            // What may be the beginning of the next answer.
            let rest = if last > 0 { seen.len().saturating_sub(11) } else { 0 };
            seen.drain(..rest);
        }
    }
}

#[test]
fn twenty_thousand_requests_without_a_token_are_some_lines_and_drown_nothing() {
    const CONNECTIONS: usize = 4;
    const EACH: usize = 5_000;
    let folder = TestFolder::new();
    let (revoked_id, revoked) = token(&folder, &["--role", "read"]);
    let (reader_id, reader) = token(&folder, &["--role", "read"]);
    assert!(folder.run(&["tokens", "revoke", &revoked_id, "--tokens", "tokens"]).status.success());
    let noisy = Noisy::start(folder, &[]);
    let (address, bearer) =
        (noisy.address.as_str(), |token: &str| format!("authorization: Bearer {token}\r\n"));
    std::thread::scope(|scope| {
        for _ in 0..CONNECTIONS {
            scope.spawn(|| flood(address, "GET /metrics HTTP/1.1\r\nhost: localhost\r\n\r\n", EACH));
        }
        // In the midst of it: a token that was taken away, one that may not do that, and what is not there.
        let with_revoked = format!("GET /metrics HTTP/1.1\r\n{}", bearer(&revoked));
        assert_eq!(noisy.ask(with_revoked.as_bytes()), Some(401));
        let guessed =
            format!("GET /metrics HTTP/1.1\r\n{}", bearer(&format!("{}{}", &reader[..19], &revoked[19..])));
        assert_eq!(noisy.ask(guessed.as_bytes()), Some(401));
        let posts = format!("POST /v1/tables/PB-01/events HTTP/1.1\r\n{}", bearer(&reader));
        assert_eq!(noisy.ask(posts.as_bytes()), Some(403));
        let absent = format!("GET /nowhere HTTP/1.1\r\n{}", bearer(&reader));
        assert_eq!(noisy.ask(absent.as_bytes()), Some(404));
    });
    let asked = agent().get(format!("{}/metrics", noisy.serving.url));
    let metrics = asked.header("authorization", format!("Bearer {reader}")).call().unwrap();
    let metrics = metrics.into_body().read_to_string().unwrap();
    let counted = r#"audit_request_seconds_count{route="/metrics",status="4xx"} 20002"#;
    assert!(metrics.contains(counted), "each is counted:\n{metrics}");

    let log = noisy.stop();
    assert!(log.text.len() < 20_000, "{} bytes of log", log.text.len());
    let no_token = [("status", 401.into()), ("route", "/metrics".into()), ("why", "no token".into())];
    let more = log.one("more requests like those before", &no_token);
    let written = log.with("request refused", &[("why", "no token".into())]).len();
    assert_eq!(more["more"], CONNECTIONS * EACH - written, "one refusal is one line, or counted");
    assert_eq!((&more["peers"], &more["most_from"]), (&1.into(), &"127.0.0.1".into()));
    assert_eq!(more["of_those"], more["more"]);
    let line = log.one("request refused", &[("why", "a revoked token".into())]);
    assert_eq!((&line["token"], &line["level"]), (&revoked_id.into(), &"WARN".into()));
    assert!(line["peer"].as_str().unwrap().starts_with("127.0.0.1:"), "{line}");
    log.one("request refused", &[("why", "a token that is not known, or with a wrong secret".into())]);
    let line = log.one("request refused", &[("why", "a token that may read".into())]);
    assert_eq!((&line["token"], &line["status"]), (&reader_id.as_str().into(), &403.into()));
    let line = log.one("request refused", &[("status", 404.into())]);
    assert_eq!((&line["token"], &line["level"]), (&reader_id.into(), &"INFO".into()));
    log.one("the service stops", &[]);
    log.one("the log is closed", &[]);
    for secret in [&revoked, &reader] {
        assert!(!log.text.contains(&secret[19..]), "a secret was logged");
    }
}

#[test]
fn what_a_client_words_is_short_and_steers_no_terminal() {
    let folder = TestFolder::new();
    token(&folder, &["--role", "read"]);
    let noisy = Noisy::start(folder, &[]);
    // A head has 16 KiB at most.
    let long = "M".repeat(7_000);
    let asked = [
        b"GET /\xc2\x9b2J/\xe2\x80\xae/\xc3\xb1 HTTP/1.1\r\n".to_vec(),
        format!("{long} / HTTP/1.1\r\n").into_bytes(),
        format!("GET /{long} HTTP/1.1\r\n").into_bytes(),
        format!("GET / HTTP/1.1\r\nx-request-id: {long}\r\nauthorization: Bearer {long}\r\n").into_bytes(),
        b"GET / HTTP/1.1\r\nx-request-id: \xc2\x9b\r\nauthorization: Bearer \xc2\x9b2J\r\n".to_vec(),
    ];
    let answered = asked.iter().filter(|head| noisy.ask(head) == Some(401)).count();
    assert!(answered >= 4, "{answered}");
    let log = noisy.stop();
    assert!(log.text.bytes().all(|byte| byte == b'\n' || (b' '..=b'~').contains(&byte)), "{}", log.text);
    assert!(log.text.lines().all(|line| line.len() < 1_000), "{}", log.text);
    assert_eq!(log.with("request refused", &[("path", "/\\u{9b}2J/\\u{202e}/\\u{f1}".into())]).len(), 1);
}

#[test]
fn a_thousand_connections_that_are_not_let_in_are_some_lines() {
    let folder = TestFolder::new();
    token(&folder, &["--role", "read"]);
    let authority = Authority::new(&folder.path("."), "casino");
    authority.vouch("door");
    let tls = ["--tls-cert", "door.pem", "--tls-key", "door.key", "--client-ca", "casino.pem"];
    let noisy = Noisy::start(folder, &tls);
    for _ in 0..1_000 {
        assert_eq!(noisy.ask(b"GET / HTTP/1.1\r\n"), None, "not over TLS");
    }
    // Somebody who speaks TLS, and has no certificate.
    let folder = &noisy.folder;
    let asked =
        folder.run(&["verify", "log", &noisy.serving.url, "--ca", "casino.pem", "--key", "log/key.pub"]);
    assert_eq!(asked.status.code(), Some(74));
    let log = noisy.stop();
    assert!(log.text.len() < 20_000, "{} bytes of log", log.text.len());
    let more = log.one("more connections like those before", &[]);
    let corrupt = ("why", more["why"].clone());
    assert_eq!(more["more"], 1_000 - log.with("connection refused", &[corrupt]).len());
    let line = log.with("connection refused", &[("why", "peer sent no certificates".into())]);
    assert!(!line.is_empty(), "{}", log.text);
}
