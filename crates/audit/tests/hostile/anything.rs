//! The property behind `hostile.rs`: whatever text stands in a field of somebody else's, and whatever command prints it,
//! no character of it that a terminal obeys reaches the screen.

use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

use super::rule::{in_a_name, is_unsafe};
use crate::command::{TestFolder, fixture};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use sealed_log::entry::{ChainName, ProducerId};
use sealed_log::notice::{Redaction, encode_redaction};
use sealed_log::writer::Submission;
use sealed_log_sled::LogFolder;
use tlog::checkpoint::{Checkpoint, SignedCheckpoint};
use tlog::note::SigningKey;

/// Pieces that lie, among harmless ones.
fn hostile() -> impl Strategy<Value = String> {
    let c0 = prop::char::range('\u{1}', '\u{1f}').prop_map(String::from);
    let c1 = prop::char::range('\u{7f}', '\u{9f}').prop_map(String::from);
    let marks = prop::sample::select(vec![
        "\u{1b}[2J",
        "\u{1b}]0;x\u{7}",
        "\u{1b}[1A\u{1b}[2K",
        "\r",
        "\n\nintact     yes\n",
        "\u{202e}",
        "\u{2066}",
        "\u{2069}",
        "\u{200b}",
        "\u{200f}",
        "\u{ad}",
        "\u{2028}",
        "\u{2029}",
        "\u{feff}",
        "\u{e0041}",
        "\u{61c}",
        "\u{9b}31m",
        "\"",
        "\\",
        "'",
        "=",
        "{",
        "}",
        "\u{0}",
        "ñ",
        "百家樂",
        "a",
        "]",
    ])
    .prop_map(str::to_owned);
    prop::collection::vec(prop_oneof![4 => marks, 1 => c0, 1 => c1], 1..8).prop_map(|pieces| pieces.concat())
}

/// Runs commands in both forms, and holds what they print to the rule.
fn all_are_harmless(folder: &TestFolder, commands: &[&[&str]]) -> Result<(), TestCaseError> {
    for command in commands {
        for more in [&[][..], &["--json"]] {
            let output = folder.run(&[command, more].concat());
            for bytes in [&output.stdout, &output.stderr] {
                is_harmless(&format!("{command:?} {more:?}"), bytes)?;
            }
            prop_assert!(
                output.status.code().is_some_and(|code| code != 70),
                "{command:?}: {:?}",
                output.status
            );
        }
    }
    Ok(())
}

fn is_harmless(what: &str, bytes: &[u8]) -> Result<(), TestCaseError> {
    let text = std::str::from_utf8(bytes);
    prop_assert!(text.is_ok(), "{what}: no text");
    let text = text.unwrap_or_default();
    let obeyed: Vec<char> = text.chars().filter(|c| is_unsafe(*c)).collect();
    prop_assert!(obeyed.is_empty(), "{what}: {obeyed:?} in\n{text}");
    prop_assert!(
        !text.lines().any(|line| line == "intact     yes"),
        "{what}: a line is not the program's\n{text}"
    );
    Ok(())
}

/// Runs a property over hostile texts; each case starts a dozen programs.
fn for_hostile_texts(cases: u32, test: impl Fn(String) -> Result<(), TestCaseError>) {
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 24, ..Config::default() };
    TestRunner::new(config).run(&hostile(), test).unwrap();
}

/// Files of every kind that somebody hands over.
#[test]
fn no_text_of_a_file_reaches_the_screen() {
    let honest = std::fs::read(fixture("honest.auditlog")).unwrap();
    for_hostile_texts(12, |text| {
        let folder = TestFolder::new();
        let (json, name) = (serde_json::to_string(&text).unwrap(), in_a_name(&text));
        folder.write("archive", &honest);
        folder.write("raw", &text);
        folder.write(
            "event",
            format!("{{\"table\":\"A\",\"sequence\":1,{json}:2}}\n{{\"table\":{json}}}\n{text}\n"),
        );
        folder.write(
            "kind",
            format!("{{\"table\":\"A\",\"sequence\":1,\"occurred_at\":{json},\"event\":{{{json}:{{}}}}}}\n"),
        );
        folder.write("book.toml", format!("id = {json}\n{json} = 1\n[{json}]\n"));
        folder.write("cut.toml", format!("id = \"{text}"));
        folder.write("base.toml", format!("extends = {json}\n"));
        folder.write("settings.toml", format!("{json} = {json}\n"));
        folder.write("value.toml", format!("listen = {json}\n"));
        folder.write("cut-settings.toml", format!("listen = {text}"));
        folder.write("policy", format!("witness {text} {text}\nquorum {text}\n"));
        folder.write("list.csv", format!("shoe,p1,p2,b1,b2,winner\n{json},{json},2,3,4,{json}\n"));
        folder.write("header.csv", format!("{json},p1,p1\n"));
        folder.write("proof", format!("c2sp.org/tlog-proof@v1\nindex {text}\n{text}\n"));
        folder.write("note", format!("{text}\n3\n{}\n\n— {text} AAAA\n", "A".repeat(43) + "="));
        folder.write("tokens", format!("{{\"format\":\"audit-tokens\",\"version\":1}}\n{{{json}:{json}}}\n"));
        all_are_harmless(
            &folder,
            &[
                &["check", "event"],
                &["check", "kind"],
                &["check", "raw"],
                &["check", "raw", "--against", "raw"],
                &["ingest", "event", "--log", "new", "--create"],
                &["ingest", "kind", "--log", "new", "--create"],
                &["verify", "log", "raw"],
                &["verify", "log", "archive", "--checkpoint", "note"],
                &["verify", "log", "archive", "--checkpoint", "raw"],
                &["verify", "log", "archive", "--key", "raw"],
                &["verify", "log", "archive", "--witness-policy", "policy"],
                &["verify", "log", "archive", "--approved", "raw"],
                &["verify", "log", "archive", "--as", "book.toml"],
                &["verify", "proof", "proof", "--key", "raw"],
                &["verify", "checkpoint", "note", "note", "archive"],
                &["keys", "show", "raw"],
                &["rules", "check", "book.toml"],
                &["rules", "check", "cut.toml"],
                &["rules", "show", "base.toml"],
                &["rules", "diff", "book.toml", "es-1979"],
                &["import", "coups-csv", "list.csv", "--rulebook", "es-1979"],
                &["import", "coups-csv", "header.csv", "--rulebook", "es-1979"],
                &["serve", "--config", "settings.toml"],
                &["serve", "--config", "value.toml"],
                &["serve", "--config", "cut-settings.toml"],
                &["tokens", "list", "--tokens", "tokens"],
                &["restore", "raw", "--log", "x", "--key", "raw"],
                &["backup", "archive", "--out", "y", "--since", "raw"],
                &["show", "coup", "archive", "--table", &text.replace('\0', ""), "--coup", "1"],
                &["show", "table", "archive", "--table", &name],
                &["export", "archive", "--out", "z", "--table", &name],
            ],
        )
    });
}

/// What a stranger sealed: a notice's texts, payloads that are none, and the name of the log itself.
#[test]
fn no_text_of_a_log_reaches_the_screen() {
    for_hostile_texts(6, |text| {
        let folder = TestFolder::new();
        let origin = format!("evil.example/{}", in_a_name(&text));
        let key = SigningKey::from_seed(&origin, &[5; 32]).unwrap();
        std::fs::create_dir(folder.path("log")).unwrap();
        folder.write("log/key", format!("{}\n", key.to_secret_text()));
        folder.write("log/key.pub", format!("{}\n", key.verifier_key()));
        let secret = std::os::unix::fs::PermissionsExt::from_mode(0o600);
        std::fs::set_permissions(folder.path("log/key"), secret).unwrap();
        let mut writer = LogFolder::new(&folder.path("log")).open_writer(key.clone()).unwrap();
        let (producer, chain) = (ProducerId::new("stranger").unwrap(), ChainName::new("PB-00").unwrap());
        let payload = text.clone().into_bytes();
        let erased = Submission { producer, chain, first: 1, count: 1, received_at: 1, payload };
        let erased = writer.append(&[erased]).unwrap();
        let notice = Redaction {
            entries: vec![(0, erased.entries[0].digest)],
            reason: text.clone(),
            by: text.clone(),
            countersigned_by: format!("{text}."),
            gone_with_them: vec![text.clone()],
        };
        if let Ok(payload) = encode_redaction(&notice) {
            writer.append_notice(payload, 1).unwrap();
        }
        let mut named = vec![0x78, text.len() as u8];
        named.extend_from_slice(text.as_bytes());
        for (first, payload) in (1..).zip([
            named.clone(),
            [&[0xa1][..], &named, &named].concat(),
            [&[0x82, 0x00, 0x81, 0x84][..], &named].concat(),
            text.clone().into_bytes(),
        ]) {
            let (producer, chain) = (ProducerId::new("stranger").unwrap(), ChainName::new("PB-01").unwrap());
            writer
                .append(&[Submission { producer, chain, first, count: 1, received_at: 1, payload }])
                .unwrap();
        }
        drop(writer);
        let root = tlog::tree::leaf_hash(b"entry");
        let other = SignedCheckpoint::sign(&Checkpoint { origin, size: 3, root }, &key).unwrap();
        folder.write("other", other.text());
        all_are_harmless(
            &folder,
            &[
                &["verify", "log", "log"],
                &["verify", "log", "log", "--all"],
                &["verify", "log", "log", "--checkpoint", "other"],
                &["verify", "log", "log", "--lang", "es"],
                &["verify", "checkpoint", "other", "log/checkpoint", "log"],
                &["show", "table", "log"],
                &["show", "coup", "log", "--table", "PB-01", "--coup", "1"],
                &["show", "commission", "log"],
                &["export", "log", "--out", "archive", "--force"],
                &["export", "log", "--tiles", "tiles"],
                &["prove", "entry", "log", "--index", "1", "--out", "proof", "--force"],
                &["verify", "proof", "proof", "--key", "log/key.pub", "--events"],
                &["backup", "log", "--out", "backup", "--force"],
                &["keys", "show", "log"],
                &["keys", "show", "log/key.pub"],
                &["check", &fixture("honest.ndjson"), "--against", "log"],
                &["ingest", &fixture("honest.ndjson"), "--log", "log"],
                &["keys", "rotate", "log"],
            ],
        )
    });
}

/// Answers, whatever a client asks.
struct Liar {
    url: String,
    answer: Arc<Mutex<String>>,
}

impl Liar {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let answer = Arc::new(Mutex::new(String::new()));
        let given = Arc::clone(&answer);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let _ = stream.read(&mut [0; 4096]);
                let _ = stream.write_all(given.lock().unwrap().as_bytes());
            }
        });
        Self { url, answer }
    }

    fn says(&self, status: &str, more: &str, body: &str) {
        let length = body.len();
        *self.answer.lock().unwrap() =
            format!("HTTP/1.1 {status}\r\nconnection: close\r\n{more}content-length: {length}\r\n\r\n{body}");
    }
}

#[test]
fn no_text_of_a_server_reaches_the_screen() {
    let liar = Liar::start();
    for_hostile_texts(8, |text| {
        let folder = TestFolder::new();
        folder.write(
            "event",
            std::fs::read_to_string(fixture("honest.ndjson")).unwrap().lines().next().unwrap(),
        );
        let problem = serde_json::json!({ "type": text, "title": text, "status": 503, "detail": text });
        let one_line = text.replace(['\r', '\n', '\0'], "");
        for (status, more, body) in [
            ("503 No".to_owned(), String::new(), problem.to_string()),
            ("404 No".to_owned(), String::new(), text.clone()),
            ("200 OK".to_owned(), String::new(), text.clone()),
            (format!("500 {one_line}"), String::new(), String::new()),
            ("302 Found".to_owned(), format!("location: http://127.0.0.1:1/{one_line}\r\n"), String::new()),
        ] {
            liar.says(&status, &more, &body);
            all_are_harmless(
                &folder,
                &[
                    &["verify", "log", &liar.url],
                    &["show", "table", &liar.url],
                    &["export", &liar.url, "--out", "x", "--force"],
                    &["backup", &liar.url, "--out", "y", "--force"],
                    &["keys", "show", &liar.url],
                    &["check", "event", "--against", &liar.url],
                    &["load", "--url", &liar.url, "--seconds", "1", "--tables", "1", "--patience", "1"],
                ],
            )?;
        }
        Ok(())
    });
}

/// A witness prints what it is asked to sign, and why it refused.
#[test]
fn no_text_that_a_witness_is_sent_reaches_its_screen() {
    let folder = TestFolder::new();
    assert!(folder.run(&["init", "log", "--origin", "casino.example/sala/1"]).status.success());
    assert!(folder.run(&["witness", "new", "desk", "--name", "desk.example/w1"]).status.success());
    for json in [&[][..], &["--json"]] {
        let mut witness = Command::new(env!("CARGO_BIN_EXE_audit"))
            .args(["witness", "serve", "--state", "desk", "--log", "log/key.pub", "--listen", "127.0.0.1:0"])
            .args(json)
            .current_dir(folder.path("."))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = String::new();
        let mut out = BufReader::new(witness.stdout.take().unwrap());
        while !said.contains("http://127.0.0.1:") {
            assert!(out.read_line(&mut said).unwrap() > 0, "{said}");
        }
        let address = said.split("http://").nth(1).unwrap().split('/').next().unwrap().to_owned();
        for_hostile_texts(40, |text| {
            for body in [
                format!("old 0\n\n{text}\n1\nAAAA\n\n— {text} AAAA\n"),
                format!("old {text}\n\n{text}\n"),
                format!(
                    "old 0\n\ncasino.example/sala/1\n1\n{}\n{text}\n\n— {text} AAAA\n",
                    "A".repeat(43) + "="
                ),
            ] {
                let mut stream = TcpStream::connect(&address).unwrap();
                let length = body.len();
                let head = format!(
                    "POST /add-checkpoint HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n"
                );
                stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
                let _ = stream.read_to_end(&mut Vec::new());
            }
            Ok(())
        });
        let stopped = Command::new("kill").args(["-TERM", &witness.id().to_string()]).status();
        assert!(stopped.unwrap().success());
        let mut bytes = Vec::new();
        out.read_to_end(&mut bytes).unwrap();
        witness.stderr.take().unwrap().read_to_end(&mut bytes).unwrap();
        witness.wait().unwrap();
        is_harmless("witness serve", &bytes).unwrap();
        assert!(String::from_utf8_lossy(&bytes).matches("refused").count() > 40, "it was asked");
    }
}
