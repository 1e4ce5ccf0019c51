//! The pages of a running service: who sees them, and findings that appear while one is open.
#![allow(clippy::unwrap_used)]

mod serving;

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

use service::access::{Access, Role, Tables, TokenFile, TokenId, Wanted};
use service::{Bounds, Limits};
use serving::{Running, Served, agent, bound, events};
use time::OffsetDateTime;

struct Guarded {
    tokens: TokenFile,
    served: Served,
}

/// An answer as far as signing in concerns it.
struct Said {
    status: u16,
    location: Option<String>,
    cookie: Option<String>,
    body: String,
}

impl Guarded {
    fn start(folder: &Path) -> Self {
        let tokens = TokenFile::new(&folder.join("tokens"));
        tokens.make(wanted(Role::Admin), OffsetDateTime::now_utc()).unwrap();
        let access = Access::by_tokens(tokens.clone(), |_| {}).unwrap();
        let service = bound(&folder.join("log"), Limits::default(), Bounds::default());
        let service = service.certify(&folder.join("follower")).unwrap().with_access(access);
        Self { tokens, served: Served::start(service) }
    }

    fn token(&self, role: Role) -> (TokenId, String) {
        let (token, shown) = self.tokens.make(wanted(role), OffsetDateTime::now_utc()).unwrap();
        std::thread::sleep(Duration::from_millis(1_200));
        (token.id().clone(), shown)
    }

    /// One request, written out, so that nothing follows a redirect by itself.
    fn ask(&self, method: &str, path: &str, more: &str, body: &str) -> Said {
        let mut stream = TcpStream::connect(&self.served.address).unwrap();
        let length = body.len();
        let kind = "content-type: application/x-www-form-urlencoded";
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n{kind}\r\ncontent-length: {length}\r\n{more}\r\n"
        );
        stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
        let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let heads: Vec<String> = lines.by_ref().take_while(|line| !line.is_empty()).collect();
        let head = |name: &str| {
            heads.iter().find_map(|line| line.strip_prefix(name)).map(|value| value.trim().to_owned())
        };
        let (location, cookie) = (head("location:"), head("set-cookie:"));
        Said { status, location, cookie, body: lines.collect::<Vec<_>>().join("\n") }
    }

    fn sign_in(&self, token: &str, back: &str) -> Said {
        self.ask("POST", "/desk/sign-in", "", &format!("token={token}&back={back}"))
    }
}

fn wanted(role: Role) -> Wanted {
    let (producer, tables) = match role {
        Role::Append => (Some("pit-1".parse().unwrap()), Tables::All),
        Role::Read | Role::Admin => (None, Tables::Named(BTreeSet::new())),
    };
    Wanted { role, producer, tables, expires_at: None, note: String::new() }
}

fn session(cookie: &str) -> String {
    format!("cookie: {}\r\n", cookie.split(';').next().unwrap())
}

#[test]
fn whoever_has_no_token_sees_nothing_and_signs_in_with_one() {
    let folder = tempfile::tempdir().unwrap();
    let service = Guarded::start(folder.path());
    let (_, read) = service.token(Role::Read);
    let outside = service.ask("GET", "/desk/findings?code=x", "", "");
    assert_eq!(outside.status, 303);
    assert_eq!(outside.location.as_deref(), Some("/desk/sign-in?back=%2Fdesk%2Ffindings%3Fcode%3Dx"));
    let form = service.ask("GET", "/desk/sign-in", "accept-language: es\r\n", "");
    assert!(form.status == 401 && form.body.contains("Su testigo de acceso"), "{}", form.body);
    assert_eq!(service.ask("GET", "/desk/desk.css", "", "").status, 200, "it shows nothing of the log");

    let wrong = service.sign_in("audit_000000000000_x", "");
    assert!(wrong.status == 403 && wrong.cookie.is_none(), "{}", wrong.status);
    let inside = service.sign_in(&read, "/desk/log");
    assert_eq!((inside.status, inside.location.as_deref()), (303, Some("/desk/log")));
    let cookie = inside.cookie.unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    assert!(!cookie.contains(&read[19..]), "the token is not in the cookie");
    let page = service.ask("GET", "/desk/log", &session(&cookie), "");
    assert!(page.status == 200 || page.status == 503, "{}", page.body);
    // A session is for pages: what programs ask for needs the token itself.
    assert_eq!(service.ask("GET", "/v1/archive", &session(&cookie), "").status, 401);
    assert_eq!(service.ask("POST", "/v1/tables/PB-01/events", &session(&cookie), "x").status, 401);

    service.ask("POST", "/desk/sign-out", &session(&cookie), "");
    assert_eq!(service.ask("GET", "/desk/log", &session(&cookie), "").status, 303);
}

#[test]
fn a_session_ends_with_its_token_and_leads_only_to_pages() {
    let folder = tempfile::tempdir().unwrap();
    let service = Guarded::start(folder.path());
    let ((id, read), (_, append)) = (service.token(Role::Read), service.token(Role::Append));
    assert_eq!(service.sign_in(&append, "").status, 403, "it may not read");
    let elsewhere = service.sign_in(&read, "//evil.example/");
    assert_eq!(elsewhere.location.as_deref(), Some("/desk/"));
    let foreign =
        service.ask("POST", "/desk/sign-in", "origin: https://evil.example\r\n", &format!("token={read}"));
    assert!(foreign.status == 403 && foreign.cookie.is_none(), "{}", foreign.status);
    let cookie = session(&elsewhere.cookie.unwrap());
    service.tokens.revoke(&id, OffsetDateTime::now_utc()).unwrap();
    std::thread::sleep(Duration::from_millis(1_500));
    assert_eq!(service.ask("GET", "/desk/", &cookie, "").status, 303);
    assert_eq!(service.ask("GET", "/desk/news", &cookie, "").status, 303);
}

#[test]
fn a_finding_appears_while_a_page_is_open() {
    let folder = tempfile::tempdir().unwrap();
    let service = Running::plain(folder.path());
    let address = service.url.trim_start_matches("http://").to_owned();
    let mut stream = TcpStream::connect(&address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    stream.write_all(b"GET /desk/news HTTP/1.1\r\nhost: localhost\r\naccept-language: es\r\n\r\n").unwrap();
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    assert_eq!(lines.next().unwrap(), "HTTP/1.1 200 OK");
    let (table, mut played) = events(3, 400);
    // A coup whose winner is announced wrongly.
    let at = played.iter().position(|line| line.contains("\"CoupSettled\"")).unwrap_or(played.len() - 1);
    played[at] = played[at]
        .replace("\"punto\"", "\"?\"")
        .replace("\"banca\"", "\"punto\"")
        .replace("\"?\"", "\"banca\"");
    let sent = agent().post(format!("{}/v1/tables/{table}/events", service.url));
    let status =
        sent.header("content-type", "application/x-ndjson").send(played.join("\n")).unwrap().status();
    assert_eq!(status.as_u16(), 201);
    let data = lines.find(|line| line.starts_with("data:")).unwrap();
    assert!(data.contains("/desk/coup?table=") && data.contains("mesa "), "{data}");
    let page = agent().get(format!("{}/desk/?lang=es", service.url)).call().unwrap();
    assert_eq!(page.status().as_u16(), 200);
}
