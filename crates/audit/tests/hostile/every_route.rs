//! Every route of a service, of `audit desk` and of a witness, on a log that is hostile wherever it has a text, asked with
//! hostile paths, queries, headers and bodies.
//!
//! The routes are read from the OpenAPI document and from the pages' own lists.

use std::collections::BTreeSet;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::rule::{ALL, LINE, MARKUP, UNSEEN, fault, fault_in_page, is_near, make_log};
use crate::command::TestFolder;
use crate::command::serving::{Started, desk_cookie};

/// An answer, its body decoded.
struct Answer {
    status: u16,
    kind: String,
    text: Option<String>,
}

/// Sends a request of bytes that no client library would send, and holds the answer to the rule.
fn ask(url: &str, method: &str, path: &str, headers: &str, body: &str, faults: &mut Vec<String>) -> Answer {
    let address = url.trim_start_matches("http://").trim_end_matches('/');
    let mut stream = TcpStream::connect(address).unwrap();
    // Streams of findings do not end.
    stream
        .set_read_timeout(Some(Duration::from_millis(if path.contains("/stream") { 500 } else { 20_000 })))
        .unwrap();
    // HTTP/1.0 has no chunks.
    let head = format!(
        "{method} {path} HTTP/1.0\r\nhost: {address}\r\n{headers}content-length: {}\r\n\r\n",
        body.len()
    );
    // A refusal may come before all of it is sent.
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes()));
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let what = format!("{method} {path:?} {headers:?}");
    let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else {
        faults.push(format!("{what}: no answer"));
        return Answer { status: 0, kind: String::new(), text: None };
    };
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let status: u16 = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default();
    let is_plain = |line: &str| line.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    if !head.split("\r\n").all(is_plain) || head.to_lowercase().contains("\nforged") {
        faults.push(format!("{what}: {head:?}"));
    }
    let kind =
        head.lines().find_map(|line| line.strip_prefix("content-type: ")).unwrap_or_default().to_owned();
    let body = &bytes[end + 4..];
    // What is signed or hashed is sent as it is.
    let is_exact = kind == "application/octet-stream"
        || ["/checkpoint", "/v1/key"].iter().any(|exact| path.split('?').next() == Some(exact))
        || (path.ends_with("/proof") && status == 200);
    if is_exact {
        return Answer { status, kind, text: None };
    }
    let Ok(text) = std::str::from_utf8(body) else {
        faults.push(format!("{what}: {kind}: no text"));
        return Answer { status, kind, text: None };
    };
    let fault = if kind.starts_with("text/html") { fault_in_page(text) } else { fault(text) };
    faults.extend(fault.map(|fault| format!("{what}: {status} {kind}: {fault}")));
    if kind.contains("json") && method != "HEAD" && serde_json::from_str::<serde_json::Value>(text).is_err() {
        faults.push(format!("{what}: {status} {kind}: no JSON: {text}"));
    }
    if status == 500 {
        faults.push(format!("{what}: {status} {text}"));
    }
    Answer { status, kind, text: Some(text.to_owned()) }
}

/// A text as a part of an address.
fn word(text: &str) -> String {
    let bytes = text.bytes();
    bytes
        .map(|b| if b.is_ascii_alphanumeric() { char::from(b).to_string() } else { format!("%{b:02X}") })
        .collect()
}

/// A path of the document with these things in its places, and other ones where it has more.
fn filled(path: &str, places: &[String]) -> String {
    let mut places = places.iter();
    let part = |part: &str| match part.starts_with('{') {
        true => places.next().cloned().unwrap_or_else(|| "1".to_owned()),
        false => part.to_owned(),
    };
    path.split('/').map(part).collect::<Vec<_>>().join("/")
}

/// All routes, and the names of all parameters of queries that any of them has.
fn routes(document: &serde_json::Value) -> (BTreeSet<String>, BTreeSet<String>) {
    let paths = document["paths"].as_object().unwrap();
    let routes = paths.keys().cloned();
    let pages = service::page_routes().map(str::to_owned).chain(desk::paths());
    let more = ["/openapi.json", "/nowhere", "/desk/{page}/more"].map(str::to_owned);
    let mut names: BTreeSet<String> =
        ["table", "shoe", "coup", "digest", "code", "from", "back", "lang", "after", "severity", "sort"]
            .map(str::to_owned)
            .into();
    for operation in paths.values().flat_map(|path| path.as_object().unwrap().values()) {
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        let queries = parameters.filter(|parameter| parameter["in"] == "query");
        names.extend(queries.map(|parameter| parameter["name"].as_str().unwrap().to_owned()));
    }
    (routes.chain(pages).chain(more).collect(), names)
}

/// Asks every route, and follows every link of the pages.
fn walk(url: &str, names: &[String], with: &str, faults: &mut Vec<String>) -> BTreeSet<String> {
    let document = ask(url, "GET", "/openapi.json", with, "", faults);
    let document = serde_json::from_str(&document.text.unwrap()).unwrap_or_default();
    walk_routes(url, routes(&document), names, with, faults)
}

fn walk_routes(
    url: &str,
    (routes, parameters): (BTreeSet<String>, BTreeSet<String>),
    names: &[String],
    with: &str,
    faults: &mut Vec<String>,
) -> BTreeSet<String> {
    let hostile: Vec<String> = ALL.iter().map(|text| word(text)).collect();
    let known: Vec<String> = names.iter().map(|name| word(name)).collect();
    let others: Vec<String> = names.iter().map(|name| word(&format!("{name}."))).collect();
    let other_shoe = vec![known[0].clone(), others[1].clone(), "29".to_owned()];
    let in_queries: Vec<String> = parameters.iter().map(|name| format!("{name}={}", hostile[1])).collect();
    let named = format!("table={}&shoe={}&coup=29", known[0], known[1]);
    let wrong = format!("table={}&shoe={}&coup=29", known[0], others[1]);
    let json = serde_json::to_string(&ALL.concat()).unwrap();
    let bodies = [
        ("application/x-ndjson", format!("{{\"table\":{json},{json}:1}}\n{LINE}\n")),
        ("application/json", format!("[{{{json}:{json}}}]")),
        (
            "application/cloudevents+json",
            format!("{{\"data\":{json},\"type\":{json},\"specversion\":{json}}}"),
        ),
        ("application/x-www-form-urlencoded", format!("token={}&back={}", hostile[0], hostile[2])),
        (UNSEEN, ALL.concat()),
    ];
    let mut near = BTreeSet::new();
    for route in &routes {
        let mut look = |method: &str, path: &str, headers: &str, body: &str, faults: &mut Vec<String>| {
            let answer = ask(url, method, path, &format!("{with}{headers}"), body, faults);
            if answer.text.is_some_and(|text| is_near(&text)) {
                near.insert(format!("{} {route}", answer.kind.split(';').next().unwrap_or_default()));
            }
        };
        for places in [&known, &other_shoe, &hostile] {
            let path = filled(route, places);
            look("GET", &path, "", "", faults);
            look("GET", &format!("{path}?{named}"), "accept: text/html\r\n", "", faults);
            look(
                "GET",
                &format!("{path}?{wrong}"),
                "accept: text/html\r\naccept-language: es\r\n",
                "",
                faults,
            );
            for (kind, body) in &bodies {
                look("POST", &path, &format!("content-type: {kind}\r\n"), body, faults);
            }
            look(
                "POST",
                &format!("{path}?dry_run=true"),
                "content-type: application/x-ndjson\r\n",
                &bodies[0].1,
                faults,
            );
        }
        let path = filled(route, &known);
        for query in &in_queries {
            look("GET", &format!("{path}?{query}"), "accept: text/html\r\n", "", faults);
            look("GET", &format!("{path}?{query}"), "", "", faults);
        }
        look("GET", &format!("{path}?{}=1", hostile[0]), "", "", faults);
        // Names and values of headers are bytes that HTTP lets through.
        for name in [
            "accept",
            "accept-language",
            "cookie",
            "authorization",
            "last-event-id",
            "idempotency-key",
            "traceparent",
        ] {
            look("GET", &path, &format!("{name}: lang={UNSEEN} {MARKUP}\r\n"), "", faults);
        }
        for method in ["HEAD", "PUT", "DELETE", "FORGED"] {
            look(method, &path, "", &bodies[0].1, faults);
        }
    }
    near
}

/// Follows the links of the pages from the first on.
fn follow_links(url: &str, with: &str, faults: &mut Vec<String>) -> bool {
    let (mut ahead, mut seen, mut near) = (vec!["/desk/".to_owned()], BTreeSet::new(), false);
    while let Some(path) = ahead.pop().filter(|_| seen.len() < 150) {
        let answer = ask(url, "GET", &path, &format!("{with}accept: text/html\r\n"), "", faults);
        let Some(text) = answer.text.filter(|_| answer.kind.starts_with("text/html")) else { continue };
        if answer.status != 200 {
            faults.push(format!("{path}: a link leads to {}", answer.status));
        }
        near |= is_near(&text);
        let links = text.split("href=\"").skip(1).filter_map(|link| link.split('"').next());
        let links = links.filter(|link| link.starts_with("/desk/")).map(|link| link.replace("&#38;", "&"));
        let links = links.filter_map(|link| link.split('#').next().map(str::to_owned));
        ahead.extend(links.filter(|link| seen.insert(link.clone())));
    }
    assert!(seen.len() > 5, "{seen:?}");
    near
}

fn is_judged(url: &str, with: &str) {
    let begun = Instant::now();
    loop {
        let answer = ask(url, "GET", "/v1/findings", with, "", &mut Vec::new());
        if answer.text.is_some_and(|text| text.contains("name-unseen")) {
            return;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "the log is not judged");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn every_route_spells_out_what_others_wrote() {
    let folder = TestFolder::new();
    let (table, shoe) = make_log(&folder, "log", "crooked.ndjson", 5);
    let names = [table, shoe, "29".to_owned()];
    let mut faults = Vec::new();
    let tokens = folder.run(&["tokens", "new", "--tokens", "tokens", "--role", "admin", "--json"]);
    let tokens: serde_json::Value = serde_json::from_slice(&tokens.stdout).unwrap();
    let token = format!("authorization: Bearer {}\r\n", tokens["token"].as_str().unwrap());
    let served = service(&folder, &["--tokens", "tokens"]);
    is_judged(&served.url, &token);
    let mut near = walk(&served.url, &names, &token, &mut faults);
    // Who signs in is led to a page whose address the form names.
    for text in ALL {
        let back = format!("/desk/{}", word(text));
        let form =
            format!("token={}&back={}", tokens["token"].as_str().unwrap(), word(&format!("/desk/{text}")));
        let kind = "content-type: application/x-www-form-urlencoded\r\n";
        let answer = ask(&served.url, "POST", "/desk/sign-in", kind, &form, &mut faults);
        assert_eq!(answer.status, 303, "{back}");
        ask(&served.url, "GET", &format!("/desk/sign-in?back={}", word(&back)), "", "", &mut faults);
    }
    // Who shows no token is refused everywhere, in words that repeat nothing.
    near.extend(walk(&served.url, &names, "", &mut faults));
    served.stop();
    let served = service(&folder, &[]);
    is_judged(&served.url, "");
    let pages = follow_links(&served.url, "", &mut faults);
    served.stop();
    let desk = desk_of(&folder);
    let (base, cookie) = desk_cookie(&desk.url);
    let cookie = format!("cookie: {cookie}\r\n");
    let routes = (
        desk::paths().chain(["/", "/desk/{page}", "/nowhere"].map(str::to_owned)).collect(),
        BTreeSet::new(),
    );
    near.extend(walk_routes(base, routes, &names, &cookie, &mut faults));
    let desk_pages = follow_links(base, &cookie, &mut faults);
    drop(desk);
    let witness = witness_of(&folder);
    let routes = ["/add-checkpoint", "/{origin}/checkpoint", "/nowhere"].map(str::to_owned);
    near.extend(walk_routes(&witness.url, (routes.into(), BTreeSet::new()), &names, "", &mut faults));
    drop(witness);
    let lines = std::fs::read_to_string(folder.path("lines")).unwrap();
    assert!(lines.contains("request refused"), "the service logs what it refuses");
    faults.extend(fault(&lines).map(|fault| format!("the service's log: {fault}")));
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    assert!(pages && desk_pages, "no page has a hostile name");
    for kind in [
        "application/json /v1/findings",
        "application/problem+json /v1/",
        "text/event-stream /v1/",
        "text/html /desk/",
    ] {
        assert!(near.iter().any(|one| one.starts_with(kind)), "no {kind} has a hostile name: {near:#?}");
    }
}

/// A service whose log lines are kept in files.
fn service(folder: &TestFolder, more: &[&str]) -> Started {
    let lines = std::fs::OpenOptions::new().append(true).create(true).open(folder.path("lines")).unwrap();
    Started::by(Started::command(folder, more).stderr(lines))
}

fn desk_of(folder: &TestFolder) -> Started {
    let mut command = Command::new(env!("CARGO_BIN_EXE_audit"));
    command.args(["desk", "log", "--no-browser", "--listen", "127.0.0.1:0", "--json"]);
    Started::by(command.current_dir(folder.path(".")).stderr(Stdio::null()))
}

fn witness_of(folder: &TestFolder) -> Started {
    let made = folder.run(&["witness", "new", "w", "--name", "a.example/w"]);
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let mut command = Command::new(env!("CARGO_BIN_EXE_audit"));
    command.args([
        "witness",
        "serve",
        "--state",
        "w",
        "--log",
        "log/key.pub",
        "--listen",
        "127.0.0.1:0",
        "--json",
    ]);
    Started::by(command.current_dir(folder.path(".")).stderr(Stdio::null()))
}
