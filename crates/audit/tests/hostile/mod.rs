//! The writer of a record, a file or an answer may want the inspector's screen to lie: nothing of theirs that a
//! terminal obeys is printed, and no line is theirs.
#![allow(clippy::unwrap_used)]

mod anything;
mod every_command;
mod every_route;
mod rule;
use std::io::{Read as _, Write as _};
use std::process::Output;

use rule::is_unsafe;
use tlog::checkpoint::{Checkpoint, SignedCheckpoint};
use tlog::note::SigningKey;

use crate::command::{TestFolder, fixture};

/// Clears the screen, adds a line that says that all is well, moves the cursor, turns the direction of reading,
/// hides what follows.
const HOSTILE: &str = "x\u{1b}[2J\nintact     yes\rintact\u{9b}31m\u{202e}\u{200b}\u{2028}\u{e0041}y";

/// The same without the control characters that only names in events have.
const TURNED: &str = "x\u{202e}\u{200b}\u{2066}\u{ad}y";

/// Holds what a command printed to the rule.
fn is_harmless(what: &str, out: &Output) {
    for (stream, bytes) in [("output", &out.stdout), ("errors", &out.stderr)] {
        let text = std::str::from_utf8(bytes).unwrap_or_else(|_| panic!("{what}: {stream} is no text"));
        let obeyed: Vec<char> = text.chars().filter(|c| is_unsafe(*c)).collect();
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

/// Runs a command in every way it prints, and holds all of it to the rule.
fn see(folder: &TestFolder, ask: &[&str]) {
    for more in [&[][..], &["--json"], &["--lang", "es"]] {
        let out = folder.run(&[ask, more].concat());
        is_harmless(&format!("{ask:?} {more:?}"), &out);
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

/// Readers of a served log do not trust its server.
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
