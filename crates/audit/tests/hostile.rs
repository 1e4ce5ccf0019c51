//! Whoever writes a record, a file or an answer may want the inspector's screen to lie: nothing of theirs that a
//! terminal obeys is printed, and no line is theirs.
#![allow(clippy::unwrap_used)]

mod command;

use std::io::{Read as _, Write as _};
use std::process::Output;

use command::serving::Started;
use command::{TestFolder, fixture};
use sealed_log::entry::{ChainName, ProducerId};
use sealed_log::notice::{Redaction, encode_redaction};
use sealed_log::store::StoreReader as _;
use sealed_log::writer::Submission;
use sealed_log_sled::LogFolder;
use tlog::checkpoint::{Checkpoint, SignedCheckpoint};
use tlog::note::SigningKey;

/// Clears the screen, adds a line that says that all is well, moves the cursor, turns the direction of reading,
/// hides what follows.
const HOSTILE: &str = "x\u{1b}[2J\nintact     yes\rintact\u{9b}31m\u{202e}\u{200b}\u{2028}\u{e0041}y";

/// The same in a name that has little room.
const LINED: &str = "x\nintact     yes\u{1b}[2J\r\u{9b}\u{85}\t\u{202e}y";

/// The same without the control characters that only names in events have.
const TURNED: &str = "x\u{202e}\u{200b}\u{2066}\u{ad}y";

fn is_obeyed(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t')
        || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
        || matches!(c, '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// Holds what a command printed to the rule.
fn is_harmless(what: &str, out: &Output) {
    for (stream, bytes) in [("output", &out.stdout), ("errors", &out.stderr)] {
        let text = std::str::from_utf8(bytes).unwrap_or_else(|_| panic!("{what}: {stream} is no text"));
        let obeyed: Vec<char> = text.chars().filter(|c| is_obeyed(*c)).collect();
        assert!(obeyed.is_empty(), "{what}: {stream} has {obeyed:?}\n{text}");
        assert!(
            !text.lines().any(|line| line.starts_with("intact     yesintact")),
            "{what}: {stream}\n{text}"
        );
        let own =
            |line: &str| line.trim_start().starts_with("intact     yes\\u") || line.starts_with("intact\\u");
        assert!(!text.lines().any(own), "{what}: a line of {stream} is not the program's\n{text}");
    }
}

/// Runs a command in every way it prints, and holds all of it to the rule. Gives whether the hostile text was near.
fn see(folder: &TestFolder, ask: &[&str]) -> bool {
    let mut seen = false;
    for more in [&[][..], &["--json"], &["--lang", "es"]] {
        let out = folder.run(&[ask, more].concat());
        is_harmless(&format!("{ask:?} {more:?}"), &out);
        let all = [out.stdout, out.stderr].concat();
        let text = String::from_utf8_lossy(&all).into_owned();
        seen |= text.contains("u{202e}") || text.contains("\\u202e");
    }
    seen
}

/// A log of the honest shoe, and behind it what somebody sealed who does not use this program: a notice whose reason is
/// hostile, and payloads that cannot be read.
fn sealed() -> TestFolder {
    let folder = TestFolder::new();
    let origin = ["--origin", "casino.example/sala/1"];
    let made = folder
        .run(&[&["ingest", "--create", &fixture("honest.ndjson"), "--log", "log"], &origin[..]].concat());
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let key: SigningKey =
        std::fs::read_to_string(folder.path("log/key")).unwrap().trim_end().parse().unwrap();
    let mut writer = LogFolder::new(&folder.path("log")).open_writer(key).unwrap();
    let digest = sealed_log::redaction::sealed_digest(&writer.store().read(0, 1).unwrap()[0]);
    let notice = Redaction {
        entries: vec![(0, digest)],
        reason: HOSTILE.to_owned(),
        by: "one".to_owned(),
        countersigned_by: "two".to_owned(),
        gone_with_them: Vec::new(),
    };
    writer.append_notice(encode_redaction(&notice).unwrap(), 1).unwrap();
    for (number, payload) in payloads().into_iter().enumerate() {
        let submission = Submission {
            producer: ProducerId::new("stranger").unwrap(),
            chain: ChainName::new(&format!("HOSTILE-{number}")).unwrap(),
            first: 1,
            count: 1,
            received_at: 1,
            payload,
        };
        writer.append(&[submission]).unwrap();
    }
    folder
}

/// CBOR that is none, texts where other things belong, maps and names that no event has.
fn payloads() -> Vec<Vec<u8>> {
    let text = |text: &str| {
        let mut bytes = vec![0x78, u8::try_from(text.len()).unwrap()];
        bytes.extend_from_slice(text.as_bytes());
        bytes
    };
    let hostile = text(HOSTILE);
    let mut all = vec![hostile.clone(), b"\xff\x1b[2J".to_vec()];
    all.push([&[0x81][..], &hostile].concat());
    all.push([&[0x82, 0x00][..], &hostile].concat());
    all.push([&[0xa1][..], &hostile, &hostile].concat());
    all.push([&[0x81, 0x82, 0x01, 0xa1][..], &hostile, &[0x01]].concat());
    all.push([&[0x81, 0x83, 0x01][..], &hostile, &hostile].concat());
    all
}

#[test]
fn nothing_sealed_by_a_stranger_reaches_the_screen() {
    let folder = sealed();
    let mut near = false;
    for ask in [
        &["verify", "log", "log"][..],
        &["verify", "log", "log", "--all"],
        &["show", "table", "log"],
        &["show", "commission", "log"],
        &["show", "coup", "log", "--table", "HOSTILE-0", "--coup", "1"],
        &["prove", "entry", "log", "--index", "20", "--out", "proof", "--force"],
        &["export", "log", "--out", "log.auditlog", "--force"],
        &["verify", "log", "log.auditlog", "--all"],
        &["keys", "show", "log"],
    ] {
        near |= see(&folder, ask);
    }
    assert!(near, "the hostile text was not even near");
}

/// Names in events may have any characters, and other texts of an event some: whoever prints one spells them out.
#[test]
fn no_name_in_an_event_turns_the_line_around_or_begins_one() {
    for (text, crooked) in
        [(TURNED, "crooked.ndjson"), (LINED, "crooked.ndjson"), (LINED, "faults/auction-to-lower.ndjson")]
    {
        let folder = TestFolder::new();
        let (table, shoe) = folder_of_hostile_names(&folder, crooked, text);
        let mut near = false;
        for ask in [
            &["verify", "log", "log"][..],
            &["verify", "log", "log", "--all"],
            &["verify", "fleet", "log"],
            &["show", "table", "log"],
            &["show", "commission", "log"],
            &["show", "coup", "log", "--table", &table, "--coup", "1"],
            &["show", "coup", "log", "--table", &table, "--shoe", &shoe, "--coup", "29"],
            &["show", "coup", "log", "--table", &table, "--shoe", &format!("{shoe}."), "--coup", "29"],
            &["show", "shoe", "log", "--table", &table],
            &["show", "shoe", "log", "--table", &table, "--shoe", &shoe, "--roads"],
            &["sample", "log", "--seed", "1", "--coups", "5"],
            &["export", "log", "--out", "slice", "--force", "--table", &table, "--shoe", &shoe],
            &["check", "hostile.ndjson", "--against", "log"],
            &["redact", "log", "--entry", "1", "--reason", "x", "--by", "a", "--countersigned-by", "b"],
        ] {
            near |= see(&folder, ask);
        }
        assert!(near, "the hostile names were not even near");
    }
}

/// Seals a fixture whose names are all hostile, and some events once more with other ones; gives a table and a shoe.
fn folder_of_hostile_names(folder: &TestFolder, fixture_name: &str, hostile: &str) -> (String, String) {
    let mut lines = Vec::new();
    for line in std::fs::read_to_string(fixture(fixture_name)).unwrap().lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        // Each text of the line is turned, where the line is then still an event.
        lines.push(turned(&line, hostile));
    }
    folder.write("hostile.ndjson", lines.join("\n") + "\n");
    let origin = ["--origin", &format!("casino.example/{TURNED}")];
    see(folder, &[&["ingest", "--create", "hostile.ndjson", "--log", "refused"], &origin[..]].concat());
    let ingest =
        ["ingest", "--create", "hostile.ndjson", "--log", "log", "--origin", "casino.example/sala/1"];
    see(folder, &ingest);
    let values = || lines.iter().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let loaded = values().find(|line| line["event"]["ShoeLoaded"].is_object()).unwrap();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let shoe = text(&loaded["event"]["ShoeLoaded"]["shoe"]);
    assert!(shoe.ends_with(hostile), "the shoe's id is hostile: {shoe:?}");
    (text(&loaded["table"]), shoe)
}

/// Nobody who opens a page, a report, a list or an answer sees a line that is not the program's.
#[test]
fn no_name_reaches_a_page_a_report_or_an_answer_as_it_is() {
    let folder = TestFolder::new();
    let (table, shoe) = folder_of_hostile_names(&folder, "crooked.ndjson", LINED);
    let files = [
        "--out",
        "report.html",
        "--out",
        "report.json",
        "--out",
        "report.sarif",
        "--csv",
        "lists",
        "--force",
    ];
    for language in ["en", "es"] {
        see(&folder, &[&["report", "log", "--lang", language], &files[..]].concat());
        let page = std::fs::read_to_string(folder.path("report.html")).unwrap();
        assert!(!page.contains(is_obeyed) && page.contains("\\u{202e}"), "the page of a report");
        let mut near = false;
        for list in std::fs::read_dir(folder.path("lists")).unwrap() {
            let list = list.unwrap().path();
            let rows = std::fs::read_to_string(&list).unwrap();
            assert!(!rows.contains(is_obeyed) && !rows.contains("\nintact"), "{}", list.display());
            near |= rows.contains("\\u{202e}");
        }
        assert!(near, "no list has a hostile name");
        for json in ["report.json", "report.sarif"] {
            let text = std::fs::read_to_string(folder.path(json)).unwrap();
            let read: serde_json::Value = serde_json::from_str(&text).unwrap();
            assert!(!text.lines().any(|line| line.starts_with("intact")), "{json}");
            assert!(read.is_object() && text.contains("u202e") || text.contains('\u{202e}'), "{json}");
        }
    }
    let served = Started::by(&mut Started::command(&folder, &[]));
    let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
    let word = |text: &str| -> String {
        text.bytes()
            .map(|b| if b.is_ascii_alphanumeric() { char::from(b).to_string() } else { format!("%{b:02X}") })
            .collect()
    };
    let (shoe, other) = (word(&shoe), word(&format!("{shoe}.")));
    let get = |path: &str| {
        let mut answer = agent.get(format!("{}{path}", served.url)).call().unwrap();
        for value in answer.headers().values() {
            assert!(value.to_str().is_ok(), "{path}: a header is not plain");
        }
        let kind = answer.headers().get("content-type").map(|kind| kind.to_str().unwrap().to_owned());
        (kind.unwrap_or_default(), answer.body_mut().read_to_string().unwrap())
    };
    let begun = std::time::Instant::now();
    while !get("/v1/findings").1.contains("name-unseen") {
        assert!(begun.elapsed().as_secs() < 60, "the log is not judged");
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    let mut ahead: Vec<String> = ["/desk/".to_owned(), "/v1/findings".to_owned(), "/v1/tables".to_owned()]
        .into_iter()
        .chain([
            format!("/desk/shoe?table={table}&shoe={other}"),
            format!("/desk/{other}"),
            format!("/v1/tables/{table}"),
            format!("/v1/tables/{table}/shoes/{shoe}"),
            format!("/v1/tables/{table}/shoes/{shoe}/coups/29"),
            format!("/v1/tables/{table}/shoes/{other}"),
            format!("/v1/{other}"),
            format!("/v1/findings?{other}=1"),
        ])
        .collect();
    let (mut seen, mut near) = (std::collections::BTreeSet::new(), [false; 2]);
    while let Some(path) = ahead.pop().filter(|_| seen.len() < 150) {
        let (kind, text) = get(&path);
        if kind.starts_with("text/html") {
            // A browser shows a line break in a text as a blank.
            assert!(!text.contains(is_obeyed), "{path}");
            near[0] |= text.contains("\\u{202e}");
            let links = text.split("href=\"").skip(1).filter_map(|link| link.split(['"', '#']).next());
            let links = links.filter(|link| link.starts_with("/desk/") && !link.contains(".css"));
            let links: Vec<String> = links.map(|link| link.replace("&#38;", "&")).collect();
            ahead.extend(links.into_iter().filter(|link| seen.insert(link.clone())));
        } else if kind.contains("json") {
            serde_json::from_str::<serde_json::Value>(&text)
                .unwrap_or_else(|error| panic!("{path}: {error}"));
            assert!(!text.contains(['\u{1b}', '\r']) && !text.lines().any(|line| line.starts_with("intact")));
            near[1] |= text.contains('\u{202e}') || text.contains("u202e");
        }
    }
    assert!(seen.len() > 5, "{seen:?}");
    // Another event under a number that the log has, and a line that is none: what is answered to both.
    let lines = std::fs::read_to_string(folder.path("hostile.ndjson")).unwrap();
    let sit = lines.lines().find(|line| line.contains("SeatTaken")).unwrap();
    let mut other: serde_json::Value = serde_json::from_str(sit).unwrap();
    other["event"]["SeatTaken"]["player"] = LINED.into();
    for body in [other.to_string(), sit.replace("\"seat\"", &serde_json::to_string(LINED).unwrap())] {
        let url = format!("{}/v1/tables/{table}/events", served.url);
        let posted = agent.post(url).header("content-type", "application/x-ndjson").send(&body).unwrap();
        let text = posted.into_body().read_to_string().unwrap();
        serde_json::from_str::<serde_json::Value>(&text).unwrap();
        assert!(!text.contains(['\u{1b}', '\r']) && !text.lines().any(|line| line.starts_with("intact")));
    }
    assert_eq!(near, [true; 2], "neither pages nor answers have a hostile name");
    served.stop();
}

/// The line with one text after the other turned around, as long as it can still be read.
fn turned(line: &serde_json::Value, hostile: &str) -> String {
    let mut line = line.clone();
    let mut paths = Vec::new();
    texts(&line, String::new(), &mut paths);
    for path in paths.iter().filter(|path| !matches!(path.as_str(), "/table" | "/occurred_at")) {
        let before = line.clone();
        if let Some(text) = line.pointer_mut(path) {
            *text = format!("{}{hostile}", text.as_str().unwrap_or_default()).into();
        }
        if events::Line::from_json(&line.to_string()).is_err() {
            line = before;
        }
    }
    line.to_string()
}

fn texts(value: &serde_json::Value, path: String, found: &mut Vec<String>) {
    match value {
        serde_json::Value::String(_) => found.push(path),
        serde_json::Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, item)| texts(item, format!("{path}/{at}"), found));
        }
        serde_json::Value::Object(members) => {
            members.iter().for_each(|(name, item)| texts(item, format!("{path}/{name}"), found));
        }
        serde_json::Value::Null | serde_json::Value::Bool(_) | serde_json::Value::Number(_) => {}
    }
}

/// Files that somebody hands an inspector, a rule writer or an operator.
#[test]
fn no_file_that_is_handed_over_speaks_to_the_terminal() {
    let folder = TestFolder::new();
    let key = SigningKey::from_seed(&format!("evil.example/{TURNED}"), &[5; 32]).unwrap();
    let checkpoint =
        Checkpoint { origin: key.name().to_owned(), size: 3, root: tlog::tree::leaf_hash(b"entry") };
    let signed = SignedCheckpoint::sign(&checkpoint, &key).unwrap();
    folder.write("checkpoint", signed.text());
    folder.write("key.pub", format!("{}\n", key.verifier_key()));
    folder.write("raw", HOSTILE);
    folder.write("raw.auditlog", format!("auditlog{HOSTILE}"));
    folder.write("raw.tlog-proof", format!("c2sp.org/tlog-proof@v1\n{HOSTILE}\n"));
    folder.write("policy", format!("witness {HOSTILE} x\nquorum none\n"));
    folder.write("policy2", format!("witness {TURNED} {TURNED}\nquorum {TURNED}\n"));
    folder.write("raw.ndjson", format!("{{\"{}\": 1}}\n", HOSTILE.escape_default()));
    let name = serde_json::to_string(HOSTILE).unwrap();
    folder.write("names.ndjson", format!("{{{name}: 1}}\n{{\"table\": {name}, \"sequence\": {name}}}\n"));
    folder.write("event.ndjson", format!(
        "{{\"table\":\"A\",\"sequence\":1,\"occurred_at\":\"2026-01-01T00:00:00Z\",\"event\":{{\"type\":{name},{name}:{name}}}}}\n"
    ));
    folder.write("rules.toml", format!("id = {name}\ntitle = {name}\n[{name}]\nx = 1\n"));
    folder.write("rules2.toml", format!("extends = {name}\n"));
    folder.write("rules3.toml", format!("id = \"{HOSTILE}\n"));
    let book = std::fs::read_to_string(fixture("../crates/baccarat/rulebooks/punto-banco.toml")).unwrap();
    let title = book.lines().find(|line| line.starts_with("title")).unwrap();
    folder.write("rules4.toml", book.replace(title, &format!("title = {name}")));
    folder.write("list.csv", format!("{TURNED},p1,p2,b1,b2\n\"{HOSTILE}\",{TURNED},a,b,c\n"));
    folder.write("config.toml", format!("listen = {name}\n{name} = 1\n"));
    folder.write("config2.toml", format!("listen = \"{HOSTILE}"));
    for ask in [
        &["verify", "log", "raw"][..],
        &["verify", "log", "raw.auditlog"],
        &["verify", "log", "honest", "--checkpoint", "checkpoint"],
        &["verify", "log", "honest", "--checkpoint", "raw"],
        &["verify", "log", "honest", "--key", "raw"],
        &["verify", "log", "honest", "--key", HOSTILE_ARGUMENT],
        &["verify", "log", "honest", "--witness-policy", "policy"],
        &["verify", "log", "honest", "--witness-policy", "policy2"],
        &["verify", "log", "honest", "--approved", "raw"],
        &["verify", "log", "honest", "--rulebook", "rules4.toml"],
        &["verify", "proof", "raw.tlog-proof", "--key", "key.pub"],
        &["verify", "proof", "raw", "--key", "key.pub"],
        &["verify", "checkpoint", "checkpoint", "checkpoint", "honest", "--key", "key.pub"],
        &["verify", "checkpoint", "raw", "checkpoint", "honest"],
        &["ingest", "--create", "raw", "--log", "new1", "--origin", "a/b"],
        &["ingest", "--create", "raw.ndjson", "--log", "new2", "--origin", "a/b"],
        &["ingest", "--create", "names.ndjson", "--log", "new3", "--origin", "a/b"],
        &["ingest", "--create", "event.ndjson", "--log", "new4", "--origin", "a/b"],
        &["rules", "check", "rules.toml"],
        &["rules", "check", "rules2.toml"],
        &["rules", "check", "rules3.toml"],
        &["rules", "check", "rules4.toml"],
        &["rules", "show", "rules4.toml"],
        &["rules", "diff", "rules4.toml", "punto-banco"],
        &["rules", "check", "raw"],
        &["import", "coups", "list.csv", "--table", "A"],
        &["import", "coups-csv", "list.csv", "--table", "A"],
        &["serve", "--config", "config.toml"],
        &["serve", "--config", "config2.toml"],
        &["witness", "recover", "raw"],
        &["restore", "raw", "--log", "restored"],
        &["restore", "raw", "restored"],
        &["tokens", "list", "raw"],
        &["keys", "show", "raw"],
    ] {
        std::fs::copy(fixture("honest.auditlog"), folder.path("honest")).unwrap();
        see(&folder, ask);
    }
}

/// A reason, a note or a name that people type is not sealed with characters that nobody sees.
const HOSTILE_ARGUMENT: &str = "x\u{1b}[2J\u{202e}y";

#[test]
fn what_nobody_can_see_is_not_sealed() {
    let folder = TestFolder::new();
    let honest = fixture("honest.ndjson");
    for ask in [
        &["ingest", "--create", &honest, "--log", "log", "--origin", HOSTILE_ARGUMENT][..],
        &["ingest", "--create", &honest, "--log", "log", "--origin", "a/b", "--producer", HOSTILE_ARGUMENT],
        &[
            "redact",
            "log",
            "--entry",
            "1",
            "--by",
            "a",
            "--countersigned-by",
            "b",
            "--reason",
            HOSTILE_ARGUMENT,
        ],
        &[
            "redact",
            "log",
            "--entry",
            "1",
            "--by",
            "a",
            "--countersigned-by",
            HOSTILE_ARGUMENT,
            "--reason",
            "x",
        ],
        &[
            "redact",
            "log",
            "--entry",
            "1",
            "--by",
            HOSTILE_ARGUMENT,
            "--countersigned-by",
            "b",
            "--reason",
            "x",
        ],
        &["witness", "new", "state", "--name", HOSTILE_ARGUMENT],
        &["keys", "new", "key", "--origin", HOSTILE_ARGUMENT],
        &["init", "log", "--origin", HOSTILE_ARGUMENT],
        &["serve", "--create", "--log", "log", "--origin", HOSTILE_ARGUMENT, "--listen", "127.0.0.1:0"],
        &["serve", "--create", "--log", "log", "--producer", HOSTILE_ARGUMENT, "--listen", "127.0.0.1:0"],
        &["tokens", "new", "--tokens", "t", "--role", "read", "--note", HOSTILE_ARGUMENT],
    ] {
        let out = folder.run(ask);
        is_harmless(&format!("{ask:?}"), &out);
        assert_eq!(out.status.code(), Some(2), "{ask:?}: {}", String::from_utf8_lossy(&out.stderr));
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        assert!(said.contains("cannot be seen"), "{ask:?}: {said}");
        assert!(!["log", "key", "state", "t"].iter().any(|name| folder.path(name).exists()), "{ask:?}");
    }
}

/// A served log is asked by whoever does not trust the one who serves it.
#[test]
fn no_answer_of_a_server_reaches_the_screen() {
    let folder = TestFolder::new();
    let problem = serde_json::json!({
        "type": HOSTILE, "title": HOSTILE, "status": 503, "detail": HOSTILE, "line": 1, "column": 2,
    });
    for (status, body) in [
        ("500 Oops", HOSTILE.to_owned()),
        ("503 \u{9b}31m", problem.to_string()),
        ("403 Forbidden", problem.to_string()),
        ("200 OK", HOSTILE.to_owned()),
        ("301 Moved\r\nLocation: http://127.0.0.1:1/\u{202e}", String::new()),
    ] {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let _ = stream.read(&mut [0; 4096]);
                let length = body.len();
                let head =
                    format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n");
                let _ = stream.write_all(format!("{head}{body}").as_bytes());
            }
        });
        for ask in [
            &["verify", "log", &url][..],
            &["show", "table", &url],
            &["export", &url, "--out", "out", "--force"],
            &["prove", "entry", &url, "--index", "0", "--out", "p", "--force"],
            &["load", "--target", &url, "--tables", "1", "--seconds", "1"],
            &["load", &url, "--tables", "1", "--seconds", "1"],
        ] {
            is_harmless(&format!("{ask:?}"), &folder.run(ask));
        }
    }
}
