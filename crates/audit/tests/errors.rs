//! What goes wrong, as a person reads it in Spanish.
#![allow(clippy::unwrap_used)]

use std::fs;

use crate::command::{TestFolder, fixture};

/// Keys and the port of a test differ from run to run.
macro_rules! seen {
    ($text:expr) => {
        insta::with_settings!({filters => vec![
            (r"\+[0-9a-f]{8}\+[A-Za-z0-9+/=]{44}", "+[KEY]"),
            (r"/tmp/[A-Za-z0-9._-]+", "[TMP]"),
        ]}, { insta::assert_snapshot!($text) })
    };
}

/// A log of the honest shoe, and an archive of it.
fn log() -> TestFolder {
    let folder = TestFolder::new();
    fs::copy(fixture("honest.ndjson"), folder.path("honest.ndjson")).unwrap();
    let origin = ["--origin", "casino.example/sala/1"];
    let ingest = [&["ingest", "--create", "honest.ndjson", "--log", "log"], &origin[..]].concat();
    assert!(folder.run(&ingest).status.success());
    assert!(folder.run(&["export", "log", "--out", "log.auditlog"]).status.success());
    folder
}

fn spanish(folder: &TestFolder, arguments: &[&str]) -> String {
    folder.see(&[arguments, &["--lang", "es"]].concat())
}

#[test]
fn what_inspectors_meet_is_said_in_spanish() {
    let folder = log();
    fs::create_dir(folder.path("empty")).unwrap();
    folder.write("other.txt", "nada que ver con un registro\n");
    folder.write("latin", b"\xff\xfe\n");
    let mut altered = fs::read(folder.path("log.auditlog")).unwrap();
    altered[0] = b'X';
    folder.write("no.auditlog", &altered);
    altered[..8].copy_from_slice(b"AUDITLOG");
    altered[11] = 9;
    folder.write("new.auditlog", &altered);
    let mut text = String::new();
    for arguments in [
        &["verify", "log", "nowhere"][..],
        &["verify", "log", "empty"],
        &["verify", "log", "other.txt"],
        &["verify", "log", "no.auditlog"],
        &["verify", "log", "new.auditlog"],
        &["verify", "log", "log", "--key", "casino+1234+abc"],
        &["verify", "log", "log", "--key", "other.txt"],
        &["verify", "log", "log", "--checkpoint", "other.txt"],
        &["verify", "log", "log", "--checkpoint", "latin"],
        &["verify", "proof", "other.txt", "--key", "log/key.pub"],
        &["prove", "entry", "log", "--digest", "abc", "--out", "proof"],
        &["verify", "log", "http://127.0.0.1:1"],
    ] {
        text += &spanish(&folder, arguments);
    }
    seen!(text);
}

#[test]
fn an_altered_part_is_described_in_spanish() {
    let folder = log();
    let mut altered = fs::read(folder.path("log.auditlog")).unwrap();
    let middle = altered.len() / 2;
    altered[middle] ^= 1;
    folder.write("altered.auditlog", &altered);
    let seen = spanish(&folder, &["verify", "log", "altered.auditlog"]);
    assert!(seen.contains("suma de comprobación"), "{seen}");
    assert!(!seen.contains("checksum") && !seen.contains("altered:"), "{seen}");
}

#[test]
fn lines_that_are_no_events_are_described_in_spanish() {
    let folder = log();
    let event =
        r#"{"table":"m","sequence":1,"occurred_at":"2026-03-01T21:04:05Z","event":{"TableClosed":{}}}"#;
    let lines = [
        event.replace("\"m\"", "\"m 1\""),
        event.replace(":1,", ":0,"),
        event.replace("2026", "ayer"),
        event.replace("TableClosed", "TableShut"),
        event.replace("{}", "{\"x\":1}"),
        event.replace("\"table\":\"m\",", ""),
        event.replace("\"m\"", "7"),
        event.replace("}}}", ""),
        "{\"table\"".to_owned(),
    ];
    folder.write("events.ndjson", lines.join("\n") + "\n");
    let mut text = spanish(&folder, &["check", "events.ndjson"]);
    text += &spanish(&folder, &["ingest", "events.ndjson", "--log", "log"]);
    text += &spanish(&folder, &["verify", "log", "events.ndjson"]);
    seen!(text);
}

#[test]
fn what_operators_meet_is_said_in_spanish() {
    let folder = log();
    fs::write(folder.path("tokens"), "x\n").unwrap();
    folder.write("policy", "log x\n");
    let mut text = String::new();
    let lock = fs::File::options().write(true).open(folder.path("log/running"));
    let lock = lock.unwrap_or_else(|_| fs::File::create(folder.path("log/running")).unwrap());
    lock.lock().unwrap();
    text += &spanish(&folder, &["ingest", "honest.ndjson", "--log", "log"]);
    drop(lock);
    for arguments in [
        &["serve", "--log", "log", "--listen", "127.0.0.1"][..],
        &["serve", "--log", "log", "--listen", "127.0.0.1:0", "--producer", "a b"],
        &["serve", "--log", "log", "--listen", "127.0.0.1:0", "--tokens", "tokens"],
        &["tokens", "revoke", "0123456789ab", "--tokens", "nowhere"],
        &["witness", "submit", "log", "--policy", "policy"],
        &["witness", "serve", "--state", "nowhere", "--listen", "127.0.0.1:0", "--log", "log/key.pub"],
        &["health", "http://127.0.0.1:1"],
    ] {
        text += &spanish(&folder, arguments);
    }
    seen!(text);
}

#[test]
fn a_file_that_is_not_there_proves_nothing_and_refutes_nothing() {
    let folder = log();
    let proof = spanish(&folder, &["verify", "proof", "nono.tlog-proof", "--key", "log/key.pub"]);
    assert!(proof.contains("nono.tlog-proof: no se ha leído: ") && !proof.contains("NO probado"), "{proof}");
    assert!(proof.ends_with("exit status 74\n"), "{proof}");
}

#[test]
fn a_remedy_that_is_named_can_be_taken() {
    let folder = TestFolder::new();
    let new = ["rules", "new", "--extends", "mini-punto-banco", "--out", "casa.toml"];
    folder.run(&new);
    let again = folder.see(&new);
    assert!(
        again.contains("nothing is replaced; choose another name") && !again.contains("--force"),
        "{again}"
    );
    let check = spanish(&folder, &["rules", "check", "casa"]);
    assert!(check.contains("¿quería decir el archivo casa.toml?"), "{check}");
}
