//! Tokens and TLS as a person sees them: made, listed, revoked; a service that asks for them.
#![allow(clippy::unwrap_used)]

use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::certificates::Authority;
use crate::command::serving::{Started, agent};
use crate::command::{TestFolder, fixture};

/// Ids, secrets and times differ from run to run.
macro_rules! seen {
    ($text:expr) => {
        insta::with_settings!({filters => vec![
            (r"audit_[0-9a-f]{12}_[A-Za-z0-9_-]{43}", "audit_[ID]_[SECRET]"),
            (r"\b[0-9a-f]{12}\b", "[ID]"),
            (r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", "[TIME]"),
        ]}, { insta::assert_snapshot!($text) })
    };
}

/// `audit serve` that asks for tokens, with what it writes to standard error.
fn start(folder: &TestFolder, more: &[&str]) -> Started {
    let mut command = Started::command(folder, &[&["--tokens", "tokens"], more].concat());
    let started = Started::by(command.stderr(Stdio::piped()));
    assert_eq!(started.announced["tokens"], true);
    started
}

/// Makes a token; gives its id and the text of it.
fn token(folder: &TestFolder, more: &[&str]) -> (String, String) {
    let made = folder.run(&[&["tokens", "new", "--tokens", "tokens", "--json"], more].concat());
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let view: Value = serde_json::from_slice(&made.stdout).unwrap();
    (view["id"].as_str().unwrap().to_owned(), view["token"].as_str().unwrap().to_owned())
}

fn both(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn tokens_are_made_listed_and_revoked() {
    let folder = TestFolder::new();
    let mut text = folder.see(&[
        "tokens",
        "new",
        "--tokens",
        "t",
        "--role",
        "append",
        "--producer",
        "pit-1",
        "--table",
        "PB-01",
        "--table",
        "PB-02",
        "--expires",
        "2099-01-31",
        "--note",
        "shoe reader of the first pit",
    ]);
    text += &folder.see(&["tokens", "new", "--tokens", "t", "--role", "read", "--json"]);
    let listed = folder.run(&["tokens", "list", "--tokens", "t", "--json"]);
    let listed: Value = serde_json::from_slice(&listed.stdout).unwrap();
    let id = listed.as_array().unwrap().iter().find(|token| token["role"] == "append").unwrap();
    text += &folder.see(&["tokens", "revoke", id["id"].as_str().unwrap(), "--tokens", "t"]);
    text += &folder.see(&["tokens", "list", "--tokens", "t"]);
    seen!(text);
    assert_eq!(std::fs::metadata(folder.path("t")).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn what_is_wrong_with_a_token_or_its_file_is_reported() {
    let folder = TestFolder::new();
    folder.run(&["tokens", "new", "--tokens", "t", "--role", "read"]);
    let new = |more: &[&str]| folder.see(&[&["tokens", "new", "--tokens", "t"], more].concat());
    let mut text = new(&["--role", "append", "--table", "PB-01"]);
    text += &new(&["--role", "append", "--producer", "pit-1"]);
    text += &new(&["--role", "append", "--producer", "pit 1", "--all-tables"]);
    text += &new(&["--role", "read", "--all-tables"]);
    text += &new(&["--role", "read", "--expires", "tomorrow"]);
    text += &new(&["--role", "read", "--expires", "2020-01-01"]);
    text += &folder.see(&["tokens", "revoke", "00000000abcd", "--tokens", "t"]);
    text += &folder.see(&["tokens", "revoke", "audit_00000000abcd_x", "--tokens", "t"]);
    text += &folder.see(&["tokens", "list", "--tokens", "nowhere"]);
    std::fs::set_permissions(folder.path("t"), std::fs::Permissions::from_mode(0o644)).unwrap();
    text += &folder.see(&["tokens", "list", "--tokens", "t"]);
    folder.write("none", "x");
    std::fs::set_permissions(folder.path("none"), std::fs::Permissions::from_mode(0o600)).unwrap();
    text += &folder.see(&["serve", "--log", "log", "--tokens", "none"]);
    seen!(text);
    assert!(!folder.path("log").exists());
}

#[test]
fn beyond_this_machine_it_asks_for_tokens_and_tls() {
    let folder = TestFolder::new();
    token(&folder, &["--role", "read"]);
    let authority = Authority::new(&folder.path("."), "casino");
    let (_, key) = authority.vouch("door");
    std::fs::set_permissions(key, std::fs::Permissions::from_mode(0o644)).unwrap();
    let serve =
        |more: &[&str]| folder.see(&[&["serve", "--log", "log", "--listen", "0.0.0.0:0"], more].concat());
    let mut text = serve(&["--plain-http-beyond-this-machine"]);
    text += &serve(&["--tls-cert", "door.pem", "--tls-key", "door.key"]);
    text += &serve(&["--tokens", "tokens"]);
    text += &serve(&["--tokens", "tokens", "--tls-cert", "door.pem"]);
    text += &serve(&["--tokens", "tokens", "--tls-cert", "door.pem", "--tls-key", "door.key"]);
    text += &serve(&["--tokens", "tokens", "--tls-cert", "door.pem", "--tls-key", "casino.key"]);
    insta::assert_snapshot!(text);
    assert!(!folder.path("log").exists());
}

#[test]
fn a_log_is_read_over_tls_by_who_has_token_and_certificate_and_nobody_else() {
    let folder = TestFolder::new();
    let authority = Authority::new(&folder.path("."), "casino");
    Authority::new(&folder.path("."), "other");
    authority.vouch("door");
    authority.vouch("inspector");
    let (_, append) = token(&folder, &["--role", "append", "--producer", "pit-1", "--table", "PB-01"]);
    let (id, read) = token(&folder, &["--role", "read"]);
    folder.write("read.token", format!("{read}\n"));
    folder.write("append.token", &append);
    let seal = [
        "ingest",
        "--create",
        &fixture("honest.ndjson"),
        "--log",
        "log",
        "--origin",
        "casino.example/sala/1",
    ];
    assert!(folder.run(&seal).status.success());
    let tls = ["--tls-cert", "door.pem", "--tls-key", "door.key", "--client-ca", "casino.pem"];
    let serving = start(&folder, &tls);
    assert!(serving.url.starts_with("https://127.0.0.1:"));

    let verify = |more: &[&str]| {
        let output = folder.run(&[&["verify", "log", &serving.url, "--key", "log/key.pub"], more].concat());
        (output.status.code(), both(&output))
    };
    let shown = ["--client-cert", "inspector.pem", "--client-key", "inspector.key"];
    let known = [&shown[..], &["--ca", "casino.pem"]].concat();
    let (status, text) = verify(&[&known[..], &["--token-file", "read.token"]].concat());
    assert_eq!(status, Some(0), "{text}");
    assert!(text.contains("certified  yes      all 60 coups"), "{text}");
    // Whatever else reads a log is let in the same way.
    for command in [
        &["export", &serving.url, "--out", "served.auditlog"][..],
        &["prove", "entry", &serving.url, "--index", "0", "--out", "entry"],
        &["prove", "checkpoint", &serving.url, "log/checkpoint", "--out", "extension"],
        &["keys", "show", &serving.url],
        &["show", "table", &serving.url, "--table", "PB-01"],
    ] {
        let output = folder.run(&[command, &known[..], &["--token-file", "read.token"]].concat());
        assert_eq!(output.status.code(), Some(0), "{command:?}: {}", both(&output));
        let output = folder.run(&[command, &known[..]].concat());
        assert_ne!(output.status.code(), Some(0), "{command:?}: {}", both(&output));
    }
    let refused = |more: &[&str], why: &str| {
        let (status, text) = verify(more);
        // Without a connection there is no answer: the machine's trouble. A refusal is an answer.
        let is_answer = !why.is_empty() && why != "certificate";
        assert_eq!(status, Some(if is_answer { 4 } else { 74 }), "{text}");
        assert!(text.contains(why), "{why}: {text}");
        assert!(!text.contains(&read[19..]) && !text.contains(&append[19..]), "{text}");
    };
    refused(&known, "the service requires a token: give --token-file, or set AUDIT_TOKEN");
    refused(&[&known[..], &["--token-file", "append.token"]].concat(), "this token may not read");
    refused(&["--ca", "casino.pem", "--token-file", "read.token"], "");
    refused(&[&shown[..], &["--ca", "other.pem", "--token-file", "read.token"]].concat(), "certificate");
    refused(&[&shown[..], &["--token-file", "read.token"]].concat(), "certificate");

    assert!(folder.run(&["tokens", "revoke", &id, "--tokens", "tokens"]).status.success());
    let begun = Instant::now();
    let good = [&known[..], &["--token-file", "read.token"]].concat();
    while verify(&good).0 == Some(0) {
        assert!(begun.elapsed() < Duration::from_secs(20), "a revoked token is still good");
    }
    refused(&good, "the service does not accept this token: it is unknown, expired or revoked");

    let said = serving.stop();
    let revoked = format!("why=\"a revoked token\" token=\"{id}\"");
    for why in ["no token", "a token that may append", &revoked, "peer sent no certificates"] {
        assert!(said.contains(why), "{why} was not logged:\n{said}");
    }
    for secret in [&read, &append] {
        assert!(!said.contains(&secret[19..]), "a secret was logged:\n{said}");
    }
}

#[test]
fn a_token_is_taken_from_the_environment_and_kept_from_who_could_overhear_it() {
    let folder = TestFolder::new();
    let (_, admin) = token(&folder, &["--role", "admin"]);
    let serving = start(&folder, &[]);
    let verify = |url: &str, token: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_audit"))
            .args(["show", "table", url])
            .current_dir(folder.path("."))
            .env("AUDIT_TOKEN", token)
            .output()
            .unwrap();
        (output.status.code(), both(&output))
    };
    let (status, text) = verify(&serving.url, &admin);
    assert_eq!(status, Some(2), "accepted, and there are no coups: {text}");
    assert!(text.contains("has no coups"), "{text}");
    assert_eq!(verify(&serving.url, "").0, Some(4));
    let (status, text) = verify("http://198.51.100.7:7370", &admin);
    assert_eq!(status, Some(2), "{text}");
    assert!(text.contains("anyone on the network path could read the token"), "{text}");
    let (status, text) = verify(&serving.url, "audit_ no");
    assert_eq!((status, text.contains("AUDIT_TOKEN holds no token")), (Some(2), true), "{text}");
    folder.write("some.token", &admin);
    let text = folder.see(&["verify", "log", "log", "--token-file", "some.token"]);
    assert!(text.contains("log is not a URL") && text.ends_with("exit status 2\n"), "{text}");
}

/// A record that holds more than is kept is somebody's: the finding says whose token it was posted with.
#[test]
fn who_posts_more_than_is_kept_is_named_in_both_languages() {
    let folder = TestFolder::new();
    let token_of =
        |producer: &str| token(&folder, &["--role", "append", "--producer", producer, "--table", "T"]).1;
    let [honest, flooding] = ["pit-1", "pit-2"].map(token_of);
    let serving = start(&folder, &[]);
    let post = |token: &str, lines: &str| {
        let url = format!("{}/v1/tables/T/events", serving.url);
        let request = agent().post(&url).header("authorization", format!("Bearer {token}"));
        let answer = request.content_type("application/x-ndjson").send(lines).unwrap();
        assert_eq!(answer.status().as_u16(), 201);
    };
    let text = std::fs::read_to_string(fixture("rulebooks/chemin-de-fer-es-1979.ndjson")).unwrap();
    let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let taken = lines.iter().position(|line| line["event"].get("BankTaken").is_some()).unwrap();
    lines.truncate(taken);
    for number in 0..1_025 {
        let bid = serde_json::json!({"BankBid": {"seat": 1, "amount": 20_000}});
        let line = serde_json::json!({"sequence": taken + 1 + number, "occurred_at": lines[taken - 1]["occurred_at"], "event": bid});
        lines.push(line);
    }
    let written = |lines: &mut [Value]| -> String {
        let line = |line: &mut Value| {
            line["table"] = "T".into();
            format!("{line}\n")
        };
        lines.iter_mut().map(line).collect()
    };
    let (mut first, mut last) = (lines.clone(), lines.split_off(lines.len() - 1));
    first.truncate(lines.len());
    post(&honest, &written(&mut first));
    post(&flooding, &written(&mut last));
    serving.stop();
    let verify = |more: &[&str]| both(&folder.run(&[&["verify", "log", "log"], more].concat()));
    let report: Value = serde_json::from_str(&verify(&["--json"])).unwrap();
    let findings = report["findings"].as_array().unwrap();
    let found: Vec<&Value> = findings.iter().filter(|found| found["code"] == "more-than-kept").collect();
    let [found] = found[..] else { panic!("{report}") };
    assert_eq!((&found["table"], &found["recorded_value"]["producer"]), (&"T".into(), &"pit-2".into()));
    assert!(verify(&["--lang", "en"]).contains("more, in an entry of producer pit-2"));
    assert!(verify(&["--lang", "es"]).contains("más, en una entrada del productor pit-2"));
}
