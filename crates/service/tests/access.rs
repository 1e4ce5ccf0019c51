//! Who may do what at a service, over real HTTP.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::{Duration, Instant};

use sealed_log::archive::ArchiveSource;
use sealed_log::reader::{Expectations, LogReader};
use serde_json::Value;
use service::access::{Access, Role, Tables, TokenFile, TokenId, Wanted};
use service::{Bounds, Limits};
use time::OffsetDateTime;

use crate::serving::{Served, agent, bound, events, paths};

/// A service that asks for tokens.
struct Guarded {
    url: String,
    path: PathBuf,
    tokens: TokenFile,
    notices: Arc<Mutex<Vec<String>>>,
    _served: Served,
}

impl Guarded {
    fn start(folder: &Path) -> Self {
        let path = folder.join("tokens");
        let tokens = TokenFile::new(&path);
        tokens.make(wanted(Role::Admin, None, &[]), now()).unwrap();
        let notices: Arc<Mutex<Vec<String>>> = Arc::default();
        let sink = Arc::clone(&notices);
        let access = Access::by_tokens(tokens.clone(), move |notice| {
            sink.lock().unwrap().push(format!("{notice} {notice:?}"));
        });
        let service = bound(&folder.join("log"), Limits::default(), Bounds::default());
        let service = service.certify(&folder.join("follower")).unwrap();
        let served = Served::start(service.with_access(access.unwrap()));
        Self { url: served.url.clone(), path, tokens, notices, _served: served }
    }

    /// A new token, known to the service.
    fn token(&self, role: Role, producer: Option<&str>, tables: &[&str]) -> (TokenId, String) {
        let (token, shown) = self.tokens.make(wanted(role, producer, tables), now()).unwrap();
        self.until(|| self.get("/v1/archive", Some(&shown)).0 != 401);
        (token.id().clone(), shown)
    }

    /// A request of which the rest can be sent, and the answer read as it comes.
    fn begin(&self, ask: &str, token: &str) -> BufReader<TcpStream> {
        let mut stream = TcpStream::connect(self.url.trim_start_matches("http://")).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let (line, rest) = ask.split_once("\r\n").unwrap();
        let head = format!("{line}\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n{rest}");
        stream.write_all(head.as_bytes()).unwrap();
        BufReader::new(stream)
    }

    /// A stream of findings that has begun.
    fn stream(&self, token: &str) -> BufReader<TcpStream> {
        let mut stream = self.begin("GET /v1/findings/stream HTTP/1.1\r\n\r\n", token);
        let mut line = String::new();
        stream.read_line(&mut line).unwrap();
        assert_eq!(line, "HTTP/1.1 200 OK\r\n");
        stream
    }

    fn until(&self, holds: impl Fn() -> bool) {
        let begun = Instant::now();
        while !holds() {
            assert!(begun.elapsed() < Duration::from_secs(10), "it does not come: {:?}", self.notices.lock());
            sleep(Duration::from_millis(20));
        }
    }

    fn get(&self, path: &str, token: Option<&str>) -> (u16, Vec<u8>) {
        let mut request = agent().get(format!("{}{path}", self.url));
        if let Some(token) = token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let mut response = request.call().unwrap();
        (response.status().as_u16(), response.body_mut().read_to_vec().unwrap())
    }

    fn post(&self, table: &str, lines: &[String], token: Option<&str>) -> (u16, Option<String>, Value) {
        let mut request = agent().post(format!("{}/v1/tables/{table}/events", self.url));
        if let Some(token) = token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let request = request.header("content-type", "application/x-ndjson");
        let mut response = request.send(lines.join("\n")).unwrap();
        let header =
            |name: &str| response.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
        let (challenge, kind) = (header("www-authenticate"), header("content-type"));
        let status = response.status().as_u16();
        if status >= 400 {
            assert_eq!(kind.as_deref(), Some("application/problem+json"));
        }
        let text = response.body_mut().read_to_string().unwrap();
        (status, challenge, serde_json::from_str(&text).unwrap())
    }
}

fn now() -> OffsetDateTime {
    OffsetDateTime::now_utc()
}

fn wanted(role: Role, producer: Option<&str>, tables: &[&str]) -> Wanted {
    let tables: BTreeSet<_> = tables.iter().map(|table| table.parse().unwrap()).collect();
    let producer = producer.map(|name| name.parse().unwrap());
    Wanted { role, producer, tables: Tables::Named(tables), expires_at: None, note: String::new() }
}

/// Who handed in each entry of an archive.
fn producers(archive: &[u8]) -> Vec<String> {
    let mut reader = LogReader::new(ArchiveSource::new(archive).unwrap(), Expectations::default());
    let mut found = Vec::new();
    while let Some(window) = reader.next_window().unwrap() {
        found.extend(window.entries().map(|entry| entry.view.unwrap().producer.to_owned()));
    }
    found
}

#[test]
fn each_role_may_do_its_own_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let service = Guarded::start(folder.path());
    let (table, lines) = events(3, 20);
    let (_, append) = service.token(Role::Append, Some("pit-1"), &[&table]);
    let (_, read) = service.token(Role::Read, None, &[]);
    let (_, admin) = service.token(Role::Admin, Some("desk"), &[]);
    let (_, elsewhere) = service.token(Role::Append, Some("pit-2"), &["other"]);

    let post = |token| service.post(&table, &lines, token);
    let (status, challenge, problem) = post(None);
    assert_eq!((status, challenge.as_deref()), (401, Some("Bearer realm=\"audit\"")), "{problem}");
    assert_eq!((&problem["type"], &problem["status"]), (&"urn:audit:who-are-you".into(), &401.into()));
    let long = vec![lines.join("\n"); 200];
    let (status, _, problem) = service.post(&table, &long, None);
    assert_eq!(status, 401, "{} bytes are not answered by a reset: {problem}", long.concat().len());
    for refused in [&elsewhere, &read] {
        let (status, challenge, problem) = post(Some(refused));
        assert_eq!((status, problem["type"].as_str()), (403, Some("urn:audit:not-allowed")), "{problem}");
        assert_eq!(challenge.as_deref(), Some("Bearer realm=\"audit\", error=\"insufficient_scope\""));
    }
    assert_eq!(service.get("/v1/archive", Some(&append)).0, 403);
    let (status, archive) = service.get("/v1/archive", Some(&read));
    assert_eq!((status, producers(&archive).len()), (200, 0), "nothing of what was refused is there");

    assert_eq!(post(Some(&append)).0, 201);
    let (status, _, answer) = service.post(&table, &events(3, 40).1[20..], Some(&admin));
    assert_eq!(status, 201, "{answer}");
    let producers = producers(&service.get("/v1/archive", Some(&admin)).1);
    let known: BTreeSet<&str> = producers.iter().map(String::as_str).collect();
    assert_eq!(known, BTreeSet::from(["desk", "pit-1"]), "the token says who handed it in");
}

#[test]
fn hashes_and_health_are_open_and_whatever_else_there_is_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let service = Guarded::start(folder.path());
    for open in ["/healthz", "/readyz", "/checkpoint", "/v1/key"] {
        assert_eq!(service.get(open, None).0, 200, "{open}");
    }
    assert_eq!(service.get("/tile/0/000.p/9", None).0, 404, "open, but there is none yet");
    let guarded = ["/v1/archive", "/v1/entries/0", "/v1/entries/0/proof", "/metrics", "/nowhere"];
    let tricks = ["/v1/key/", "//v1/key", "/v1/key/../archive", "/%76%31/archive", "/checkpoint/x"];
    let (_, read) = service.token(Role::Read, None, &[]);
    for guarded in guarded.iter().chain(&tricks) {
        assert_eq!(service.get(guarded, None).0, 401, "{guarded}");
        assert_ne!(service.get(guarded, Some(&read)).0, 401, "{guarded}");
    }
    let status = agent().post(format!("{}/checkpoint", service.url)).send("x").unwrap().status().as_u16();
    assert_eq!(status, 401, "what is open is open for reading");
}

#[test]
fn a_token_that_is_revoked_over_or_not_quite_one_is_good_for_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let service = Guarded::start(folder.path());
    let (id, read) = service.token(Role::Read, None, &[]);
    assert_eq!(service.get("/metrics", Some(&read)).0, 200);
    let soon = Wanted { expires_at: Some(now() + Duration::from_secs(3)), ..wanted(Role::Read, None, &[]) };
    let (_, short) = service.tokens.make(soon, now()).unwrap();
    service.until(|| service.get("/metrics", Some(&short)).0 == 200);

    service.tokens.revoke(&id, now()).unwrap();
    let begun = Instant::now();
    service.until(|| service.get("/metrics", Some(&read)).0 == 401);
    assert!(begun.elapsed() < Duration::from_secs(3), "a second, and the time to ask");
    service.until(|| service.get("/metrics", Some(&short)).0 == 401);

    let (_, good) = service.token(Role::Read, None, &[]);
    let other_secret = format!("{}{}", &good[..19], &read[19..]);
    for wrong in [&*other_secret, &good.to_uppercase(), &format!("{good}x"), "", "audit_", "Bearer"] {
        assert_eq!(service.get("/metrics", Some(wrong)).0, 401, "{wrong}");
    }
    for header in [&*good, &format!("Basic {good}"), "Bearer", "Bearer \u{7f}"] {
        let request = agent().get(format!("{}/metrics", service.url)).header("authorization", header);
        let status = request.call().map_or(401, |response| response.status().as_u16());
        assert_eq!(status, 401, "{header}");
    }
    let twice = agent().get(format!("{}/metrics", service.url));
    let twice = twice.header("authorization", format!("Bearer {good}"));
    let twice = twice.header("authorization", format!("Bearer {read}")).call().unwrap();
    assert_eq!(twice.status().as_u16(), 401, "two tokens are none");
    assert_eq!(service.get("/metrics", Some(&good)).0, 200);
    let loose =
        agent().get(format!("{}/metrics", service.url)).header("authorization", format!("bearer  {good}"));
    assert_eq!(loose.call().unwrap().status().as_u16(), 200, "RFC 9110: the scheme's case says nothing");
}

/// Everything up to where the service hung up.
fn rest_of(mut stream: BufReader<TcpStream>) -> String {
    let mut rest = Vec::new();
    // It may hang up in the midst of an answer.
    if let Err(error) = stream.read_to_end(&mut rest) {
        assert_ne!(error.kind(), std::io::ErrorKind::WouldBlock, "it goes on");
    }
    String::from_utf8_lossy(&rest).into_owned()
}

#[test]
fn a_stream_ends_when_its_token_is_revoked_or_over_and_that_of_others_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let service = Guarded::start(folder.path());
    let (id, read) = service.token(Role::Read, None, &[]);
    let (_, other) = service.token(Role::Read, None, &[]);
    let (_, admin) = service.token(Role::Admin, None, &[]);
    let life = Duration::from_secs(4);
    let soon = Wanted { expires_at: Some(now() + life), ..wanted(Role::Read, None, &[]) };
    let (begun, (_, short)) = (Instant::now(), service.tokens.make(soon, now()).unwrap());
    service.until(|| service.get("/metrics", Some(&short)).0 == 200);
    let (revoked, over, mut good) = (service.stream(&read), service.stream(&short), service.stream(&other));

    service.tokens.revoke(&id, now()).unwrap();
    let revoked_at = Instant::now();
    let notices = rest_of(revoked);
    assert!(revoked_at.elapsed() < Duration::from_secs(5), "{:?}", revoked_at.elapsed());
    assert!(!notices.contains("event: finding"), "{notices}");
    let notices = rest_of(over);
    assert!((life..life + Duration::from_secs(5)).contains(&begun.elapsed()), "{:?}", begun.elapsed());
    assert!(!notices.contains("event: finding"), "{notices}");

    let crooked = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/crooked.ndjson");
    let lines: Vec<String> = std::fs::read_to_string(crooked).unwrap().lines().map(str::to_owned).collect();
    assert_eq!(service.post("PB-01", &lines, Some(&admin)).0, 201);
    let mut line = String::new();
    while !line.starts_with("event: finding") {
        line.clear();
        assert!(good.read_line(&mut line).unwrap() > 0, "it ended");
    }
}

#[test]
fn what_comes_in_when_its_token_was_revoked_is_not_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let service = Guarded::start(folder.path());
    let (table, lines) = events(3, 20);
    let (id, append) = service.token(Role::Append, Some("pit-1"), &[&table]);
    let (_, read) = service.token(Role::Read, None, &[]);
    let body = lines.join("\n");
    let (first, rest) = body.split_at(body.len() / 2);
    let ask = format!(
        "POST /v1/tables/{table}/events HTTP/1.1\r\nconnection: close\r\ncontent-type: application/x-ndjson\r\n\
         content-length: {}\r\n\r\n{first}",
        body.len()
    );
    let mut posting = service.begin(&ask, &append);
    service.tokens.revoke(&id, now()).unwrap();
    service.until(|| service.get("/metrics", Some(&append)).0 == 401);
    sleep(Duration::from_secs(1));
    // It may have hung up.
    let _ = posting.get_mut().write_all(rest.as_bytes());
    let notices = rest_of(posting);
    assert!(notices.starts_with("HTTP/1.1 401 ") && notices.contains("urn:audit:who-are-you"), "{notices}");
    assert_eq!(producers(&service.get("/v1/archive", Some(&read)).1).len(), 0);
}

#[test]
fn a_file_that_cannot_be_read_leaves_the_last_good_one_in_force() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let service = Guarded::start(folder.path());
    let (_, read) = service.token(Role::Read, None, &[]);
    let good = std::fs::read(&service.path).unwrap();
    let notices = |what: &str| {
        service.until(|| {
            assert_eq!(service.get("/metrics", Some(&read)).0, 200);
            service.notices.lock().unwrap().iter().any(|notice| notice.contains(what))
        });
    };
    std::fs::write(&service.path, "{}\n").unwrap();
    notices("line 1: a file of tokens of this version begins with");
    std::fs::write(&service.path, [&*good, b"{\"id\":\"x\"}\n"].concat()).unwrap();
    notices("line 4: missing field");
    std::fs::write(&service.path, &good).unwrap();
    std::fs::set_permissions(&service.path, std::fs::Permissions::from_mode(0o640)).unwrap();
    notices("others can read or change these tokens (mode 640)");
    std::fs::remove_file(&service.path).unwrap();
    notices("No such file");
}

#[test]
fn a_file_of_tokens_is_kept_whole_private_and_without_secrets() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tokens");
    let shown = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..5 {
                    let made = TokenFile::new(&path).make(wanted(Role::Read, None, &[]), now()).unwrap();
                    shown.lock().unwrap().push(made.1);
                }
            });
        }
    });
    let tokens = TokenFile::new(&path).read().unwrap();
    assert_eq!(tokens.len(), 20, "who writes at once waits for the other");
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let text = std::fs::read_to_string(&path).unwrap();
    for shown in shown.lock().unwrap().iter() {
        assert!(text.contains(&shown[6..18]) && !text.contains(&shown[19..]), "{shown}");
    }
    let id = tokens.iter().next().unwrap().id().clone();
    let once = TokenFile::new(&path).revoke(&id, now()).unwrap().revoked_at;
    assert_eq!(TokenFile::new(&path).revoke(&id, now()).unwrap().revoked_at, once, "revoked is revoked");
    let none = TokenFile::new(&folder.path().join("none"));
    assert!(none.revoke(&id, now()).unwrap_err().to_string().contains("No such file"));
    assert!(!none.path().exists());
    std::fs::write(none.path(), text.replacen("\"made_at\"", "\"made_up\"", 1)).unwrap();
    std::fs::set_permissions(none.path(), std::fs::Permissions::from_mode(0o600)).unwrap();
    assert!(none.read().unwrap_err().to_string().contains("line 2: unknown field `made_up`"));
    std::fs::write(none.path(), text.lines().chain(text.lines().nth(1)).collect::<Vec<_>>().join("\n"))
        .unwrap();
    assert!(none.read().unwrap_err().to_string().contains("line 22: a second token of this id"));
}

/// Paths that answer without a token, as `docs/access.md` lists them.
const OPEN: [&str; 11] = [
    "/checkpoint",
    "/desk/desk.css",
    "/desk/desk.js",
    "/desk/icon.svg",
    "/desk/sign-in",
    "/desk/sign-out",
    "/healthz",
    "/openapi.json",
    "/readyz",
    "/tile/1",
    "/v1/key",
];

#[test]
fn every_path_asks_for_a_token_but_those_that_the_page_lists() {
    let folder = tempfile::tempdir().unwrap();
    let guarded = Guarded::start(folder.path());
    let config = ureq::Agent::config_builder().http_status_as_error(false);
    let agent: ureq::Agent = config.max_redirects(0).max_redirects_will_error(false).build().into();
    let is_open = |path: &String| {
        let mut answer = agent.get(format!("{}{path}", guarded.url)).call().unwrap();
        let text = answer.body_mut().read_to_string().unwrap_or_default();
        // People are led to the form; the form itself is refused as a page, with nothing of the log on it.
        let is_form = answer.status().as_u16() == 401 && text.contains("<form");
        answer.status().as_u16() != 401 && answer.status().as_u16() != 303 || is_form
    };
    let open: BTreeSet<String> = paths(&guarded.url).into_iter().filter(is_open).collect();
    assert_eq!(open, OPEN.map(str::to_owned).into());
    let page = include_str!("../../../docs/access.md");
    let listed = page.split("These paths never need a token:").nth(1).unwrap().split("\n\n").next().unwrap();
    for path in OPEN {
        let shown = if path.starts_with("/tile/") { "/tile/..." } else { path };
        assert!(listed.contains(&format!("`{shown}`")), "docs/access.md does not list {shown}");
    }
}
