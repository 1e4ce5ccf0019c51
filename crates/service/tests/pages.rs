//! The pages of a running service: who sees them, and findings that appear while one is open.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use desk::{Flow, House, HouseLease, HousePartition, HouseStream};
use service::access::{Access, Role, Tables, TokenFile, TokenId, Wanted};
use service::{Bounds, HouseBoard, IntakeCounts, Limits};
use texts::SiteTrouble;
use time::OffsetDateTime;

use crate::serving::{Running, Served, agent, bound, events};

/// What a browser says that it takes.
const BROWSER: &str = "accept: text/html,application/xhtml+xml;q=0.9\r\n";

struct Guarded {
    tokens: TokenFile,
    served: Served,
}

/// An answer as far as signing in concerns it.
struct Said {
    status: u16,
    location: Option<String>,
    cookie: Option<String>,
    content_type: Option<String>,
    referrer: Option<String>,
    body: String,
}

impl Guarded {
    fn start(folder: &Path) -> Self {
        Self::within(folder, Limits::default())
    }

    fn within(folder: &Path, limits: Limits) -> Self {
        let tokens = TokenFile::new(&folder.join("tokens"));
        tokens.make(wanted(Role::Admin), OffsetDateTime::now_utc()).unwrap();
        let access = Access::by_tokens(tokens.clone(), |_| {}).unwrap();
        let service = bound(&folder.join("log"), limits, Bounds::default());
        let service = service.certify(&folder.join("follower")).unwrap().with_access(access);
        Self { tokens, served: Served::start(service) }
    }

    fn token(&self, role: Role) -> (TokenId, String) {
        let (token, shown) = self.tokens.make(wanted(role), OffsetDateTime::now_utc()).unwrap();
        std::thread::sleep(Duration::from_millis(1_200));
        (token.id().clone(), shown)
    }

    fn ask(&self, method: &str, path: &str, more: &str, body: &str) -> Said {
        asked(&self.served.address, "localhost", method, path, more, body)
    }

    fn sign_in(&self, token: &str, back: &str) -> Said {
        self.ask("POST", "/desk/sign-in", "", &format!("token={token}&back={back}"))
    }
}

/// One request, written out, so that nothing follows a redirect by itself.
fn asked(address: &str, host: &str, method: &str, path: &str, more: &str, body: &str) -> Said {
    let mut stream = TcpStream::connect(address).unwrap();
    let length = body.len();
    let kind = "content-type: application/x-www-form-urlencoded";
    let head = format!(
        "{method} {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n{kind}\r\ncontent-length: {length}\r\n{more}\r\n"
    );
    stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let heads: Vec<String> = lines.by_ref().take_while(|line| !line.is_empty()).collect();
    let head = |name: &str| {
        heads.iter().find_map(|line| line.strip_prefix(name)).map(|value| value.trim().to_owned())
    };
    let (location, cookie) = (head("location:"), head("set-cookie:"));
    let (content_type, referrer) = (head("content-type:"), head("referrer-policy:"));
    Said { status, location, cookie, content_type, referrer, body: lines.collect::<Vec<_>>().join("\n") }
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
    assert!(form.status == 401 && form.body.contains("Su credencial"), "{}", form.body);
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
fn a_form_that_does_not_end_holds_little_and_is_let_go_of() {
    let folder = tempfile::tempdir().unwrap();
    let service = Guarded::within(folder.path(), Limits { connections: 200, ..Limits::default() });
    let (_, read) = service.token(Role::Read);
    let head = "POST /desk/sign-in HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-www-form-urlencoded\r\n";
    let unfinished = |length: usize, sent: usize| {
        let mut stream = TcpStream::connect(&service.served.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream.write_all(format!("{head}content-length: {length}\r\n\r\n").as_bytes()).unwrap();
        // It may be refused, and its connection closed, before all of it is sent.
        let _ = stream.write_all(&vec![b'a'; sent]);
        stream
    };
    let status =
        |stream: TcpStream| BufReader::new(stream).lines().map_while(Result::ok).next().unwrap_or_default();
    assert!(status(unfinished(2 << 20, 9 << 10)).contains(" 413 "), "longer than any form");
    // All together hold no more than 512 KiB: those that came first give way.
    let crowd: Vec<TcpStream> = (0..100).map(|_| unfinished(8 << 10, 7 << 10)).collect();
    assert_eq!(service.sign_in(&read, "/desk/").status, 303, "others sign in meanwhile");
    let said: Vec<String> = crowd.into_iter().map(status).collect();
    let gave_way = said.iter().filter(|said| said.contains(" 429 ")).count();
    let too_slow = said.iter().filter(|said| said.contains(" 408 ")).count();
    assert_eq!((gave_way + too_slow, gave_way > 0, too_slow > 0), (100, true, true), "{said:?}");
}

#[test]
fn behind_a_proxy_that_has_https_a_session_is_for_https_alone() {
    let folder = tempfile::tempdir().unwrap();
    let tokens = TokenFile::new(&folder.path().join("tokens"));
    let (_, admin) = tokens.make(wanted(Role::Admin), OffsetDateTime::now_utc()).unwrap();
    let access = Access::by_tokens(tokens, |_| {}).unwrap();
    let service = bound(&folder.path().join("log"), Limits::default(), Bounds::default());
    let served = Served::start(service.with_access(access).with_https_in_front());
    let sign_in = |origin: &str| {
        let origin = format!("origin: {origin}\r\n");
        asked(&served.address, "audit.example", "POST", "/desk/sign-in", &origin, &format!("token={admin}"))
    };
    let inside = sign_in("https://audit.example");
    assert!(inside.cookie.unwrap_or_default().contains("; Secure"));
    assert_eq!(sign_in("http://audit.example").status, 403, "a page that came over HTTP is of another site");
}

#[test]
fn a_finding_appears_while_a_page_is_open() {
    let folder = tempfile::tempdir().unwrap();
    let service = Running::plain(folder.path());
    let address = service.url.trim_start_matches("http://").to_owned();
    let news = |after: &str| {
        let path = format!("/desk/news?after={after}");
        let said = asked(&address, "localhost", "GET", &path, "accept-language: es\r\n", "");
        assert_eq!(
            (said.status, said.content_type.as_deref()),
            (200, Some("application/json")),
            "{}",
            said.body
        );
        serde_json::from_str::<serde_json::Value>(&said.body).unwrap()
    };
    // A page that was just opened is told where it is.
    assert_eq!(news(""), serde_json::json!({ "after": 0, "findings": [] }));
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
    let began = Instant::now();
    let mut told = news("0");
    while told["findings"] == serde_json::json!([]) {
        assert!(began.elapsed() < Duration::from_secs(20), "nothing is found");
        std::thread::sleep(Duration::from_millis(50));
        told = news("0");
    }
    let (href, text) = (&told["findings"][0]["href"], &told["findings"][0]["text"]);
    assert!(href.as_str().unwrap().starts_with("/desk/coup?table="), "{href}");
    assert!(text.as_str().unwrap().contains("mesa "), "{text}");
    // It is told of nothing twice; a number beyond all, of another start of the service, is the newest.
    let after = told["after"].as_u64().unwrap();
    assert_eq!(news(&after.to_string())["after"].as_u64(), Some(after));
    assert!(news("99999999")["after"].as_u64().unwrap() >= after);
    let page = agent().get(format!("{}/desk/?lang=es", service.url)).call().unwrap();
    assert_eq!(page.status().as_u16(), 200);
}

#[test]
fn a_form_is_taken_as_browsers_send_it() {
    let folder = tempfile::tempdir().unwrap();
    let service = Guarded::start(folder.path());
    let (_, read) = service.token(Role::Read);
    let page = service.ask("GET", "/desk/sign-in?back=%2Fdesk%2Flog", BROWSER, "");
    // Where a page gives no referrer at all, a browser sends its forms with the origin `null`, which is refused.
    assert_eq!(page.referrer.as_deref(), Some("same-origin"));
    assert!(page.body.contains("sign-in?back=%2Fdesk%2Flog&#38;lang=es"), "{}", page.body);
    let origin = |origin: &str| format!("{BROWSER}origin: {origin}\r\n");
    let form = format!("token={read}&back=/desk/log");
    assert_eq!(service.ask("POST", "/desk/sign-in", &origin("http://localhost"), &form).status, 303);
    assert_eq!(service.ask("POST", "/desk/sign-in", &origin("null"), &form).status, 403);
}

#[test]
fn what_is_refused_is_a_page_for_a_browser_and_a_document_for_a_program() {
    let folder = tempfile::tempdir().unwrap();
    let service = Guarded::start(folder.path());
    let ((_, read), (_, append)) = (service.token(Role::Read), service.token(Role::Append));
    let spanish = format!("{BROWSER}accept-language: es\r\n");
    let with = |token: &str| format!("{spanish}authorization: Bearer {token}\r\n");
    let foreign = format!("{spanish}origin: https://evil.example\r\n");
    for (method, path, more, status, words) in [
        ("GET", "/desk/log", with(&append), 403, "No con esta credencial"),
        ("GET", "/desk/log", with("audit_000000000000_x"), 401, "Hace falta una credencial"),
        ("POST", "/desk/sign-in", spanish.clone(), 400, "Esta petición no se puede leer"),
        ("POST", "/desk/sign-out", foreign, 403, "Desde una página de otro sitio"),
        ("GET", "/desk/sign-out", spanish.clone(), 405, "No de esta manera"),
        ("GET", "/desk/a/b", with(&read), 404, "No existe esa página"),
    ] {
        let said = service.ask(method, path, &more, "");
        assert!(said.status == status && said.body.contains(words), "{path} {}: {}", said.status, said.body);
        assert_eq!(said.content_type.as_deref(), Some("text/html; charset=utf-8"), "{path}");
        assert!(said.body.contains("lang=\"es\""), "{path}: {}", said.body);
        // A program gets the same refusal as a problem document.
        let said = service.ask(method, path, &more.replace(BROWSER, ""), "");
        let document = said.content_type.as_deref() == Some("application/problem+json");
        assert!(said.status == status && document, "{path} {}: {}", said.status, said.body);
    }
    // What programs ask for is a problem document, whatever they take.
    let api = service.ask("GET", "/v1/nowhere", &with(&read), "");
    assert_eq!((api.status, api.content_type.as_deref()), (404, Some("application/problem+json")));
    let nowhere = service.ask("GET", "/desk/nowhere", &with(&read), "");
    assert_eq!(nowhere.status, 404);
}

#[test]
fn a_service_that_does_not_judge_says_so_and_so_does_one_of_another_name() {
    let folder = tempfile::tempdir().unwrap();
    let served = Served::start(bound(&folder.path().join("log"), Limits::default(), Bounds::default()));
    let said = asked(&served.address, "localhost", "GET", "/desk/", BROWSER, "");
    assert!(
        said.status == 404 && said.body.contains("records without judging"),
        "{}: {}",
        said.status,
        said.body
    );
    let said = asked(&served.address, "evil.example", "GET", "/desk/", BROWSER, "");
    assert!(said.status == 421 && said.body.contains("another name"), "{}: {}", said.status, said.body);
}

#[test]
fn a_live_table_counts_its_shoes_and_the_log_says_what_witnesses_answered() {
    let folder = tempfile::tempdir().unwrap();
    let service = Running::plain(folder.path());
    let (table, played) = events(5, 900);
    let (status, said) = service.lines(&table, &played);
    assert_eq!(status, 201, "{said}");
    let page = |path: &str| String::from_utf8(service.get(path).1).unwrap();
    let path = format!("/desk/table?table={table}");
    let mut shown = page(&path);
    for _ in 0..100 {
        if shown.contains("class=\"shares\"") {
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
        shown = page(&path);
    }
    assert!(shown.contains("class=\"shares\""), "{shown}");
    // It counts what the shoe's own page lists.
    let link = shown.split("href=\"/desk/shoe?").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let shoe = page(&format!("/desk/shoe?{}", link.replace("&#38;", "&")));
    let certified = shoe.matches("<td>certified</td>").count();
    let cell = format!("<td class=\"number\">{certified}</td>");
    assert!(certified > 0 && shown.contains(&cell), "{certified}: {shown}");
    assert!(page("/desk/log").contains("asks no witnesses"));
}

/// A fleet of two partitions, one of which needs somebody, with a name that would be markup.
fn house() -> House {
    let lease = |holder: &str, sealed, silent_seconds| HouseLease {
        holder: holder.to_owned(),
        released: false,
        term: 7,
        log: "casino.example/p1-e7".to_owned(),
        sealed,
        silent_seconds,
    };
    let partition = |number, lease, waiting| HousePartition { number, is_known: true, lease, waiting };
    House {
        site: "madrid".to_owned(),
        own: 1,
        flow: Flow::Unknown,
        partitions: vec![
            partition(1, Some(lease("pit-1", 1_234, 0)), Some((3, 4))),
            partition(2, Some(lease("<b>pit\u{202e}", 56, 90)), None),
            partition(3, None, None),
        ],
        streams: vec![HouseStream {
            name: "baccarat_madrid".to_owned(),
            leader: Some("nats-1".to_owned()),
            messages: 7,
            bytes: 4_096,
            servers: vec![("nats-2".to_owned(), Some(0)), ("nats-3".to_owned(), None)],
        }],
        trouble: vec![SiteTrouble::NotRenewed(2, "<b>pit\u{202e}".to_owned()), SiteTrouble::NobodyWrites(3)],
    }
}

#[test]
fn a_writer_of_a_fleet_shows_every_partition_in_its_pages_and_metrics() {
    let (alone, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let service = Running::plain(alone.path());
    assert_eq!(service.get("/desk/house").0, 404, "it is of no fleet");
    assert!(!String::from_utf8(service.get("/desk/log").1).unwrap().contains("/desk/house"));

    let board = Arc::<HouseBoard>::default();
    let shared = Arc::clone(&board);
    let service = Running::with(folder.path(), |service| service.with_house(shared));
    let page = |path: &str| String::from_utf8(service.get(path).1).unwrap();
    assert!(page("/desk/log").contains("/desk/house"), "the navigation leads there");
    assert!(page("/desk/house?lang=en").contains("have not been asked yet"));
    assert_eq!(service.get("/readyz").0, 200);
    board.flows(Flow::RefusesWrites);
    assert_eq!(service.get("/readyz").0, 503, "nothing is recorded");
    board.is(house());
    board.counted(IntakeCounts { messages: 9, receipts_lost: 2, ..IntakeCounts::default() });

    let shown = page("/desk/house?lang=en");
    for part in [
        "The partitions of madrid",
        "the stream does not store what is published",
        "<td class=\"number\">1,234</td><td class=\"number\">3</td><td class=\"number\">4</td>",
        "partition 3: no one writes it",
        "no one yet",
        "nats-2: has everything",
        "nats-3: does not answer",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert!(!shown.contains("<b>") && !shown.contains('\u{202e}'), "{shown}");
    let shown = page("/desk/house?lang=es");
    assert!(shown.contains("Las particiones de madrid") && shown.contains("nadie la escribe"), "{shown}");

    let metrics = page("/metrics");
    for line in [
        "audit_fleet_messages_total 9",
        "audit_fleet_receipts_lost_total 2",
        "audit_fleet_flow{flow=\"stream-refuses-writes\"} 1",
        "audit_fleet_flow{flow=\"flows\"} 0",
        "audit_fleet_trouble{code=\"nobody-writes\"} 1",
        "audit_fleet_trouble{code=\"server-behind\"} 0",
        "audit_fleet_partition_entries{partition=\"1\"} 1234",
        "audit_fleet_partition_messages_waiting{partition=\"1\"} 7",
        "audit_fleet_partition_silence_seconds{partition=\"2\"} 90",
    ] {
        assert!(metrics.lines().any(|one| one == line), "{line}: {metrics}");
    }
    // What is not known any more is not shown as it was.
    board.change(|house| house.partitions.iter_mut().for_each(|one| one.lease = None));
    assert!(!page("/metrics").contains("audit_fleet_partition_entries{"));
}
