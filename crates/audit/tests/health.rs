//! `audit health` and `audit version`, as an operator, a load balancer and a container's health check see them.
#![allow(clippy::unwrap_used)]

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::certificates::Authority;
use crate::command::serving::Started;
use crate::command::{self, TestFolder};
use crate::ports::free_port;

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// `audit serve --config serve.toml`.
fn by_file(folder: &TestFolder) -> Started {
    let mut command = Command::new(env!("CARGO_BIN_EXE_audit"));
    command.args(["serve", "--create", "--config", "serve.toml", "--json"]).current_dir(folder.path("."));
    Started::by(command.stderr(Stdio::piped()))
}

#[test]
fn a_service_that_records_is_healthy_and_one_that_is_gone_is_not() {
    let folder = TestFolder::new();
    folder.write("serve.toml", format!("log = \"log\"\nlisten = \"127.0.0.1:{}\"\n", free_port()));
    let started = by_file(&folder);
    let health = |more: &[&str]| folder.run(&[&["health", &started.url], more].concat());
    let output = health(&[]);
    let text = said(&output);
    assert!(text.starts_with(&format!("{} records events\n  0 entries;", started.url)), "{text}");
    for line in
        ["0 entries are not judged yet; findings published: 0", " MiB are free on the disk", "the log takes "]
    {
        assert!(text.contains(line), "{line}: {text}");
    }
    // A test's disk may be nearly full; nothing else can need an operator here.
    let view: Value = serde_json::from_slice(&health(&["--json"]).stdout).unwrap();
    let nearly_full = view["attention"] == serde_json::json!(["disk-nearly-full"]);
    assert!(nearly_full || view["attention"] == serde_json::json!([]), "{view:#}");
    assert_eq!(output.status.code(), Some(if nearly_full { 5 } else { 0 }), "{text}");
    assert_eq!(
        (&view["ready"], &view["figures"]["follower_stopped"]),
        (&Value::from(true), &Value::from(false))
    );
    assert!(view["figures"]["disk_free_bytes"].as_u64() > Some(0), "{view:#}");
    let spanish = said(&health(&["--lang", "es"]));
    assert!(spanish.contains("registra sucesos") && spanish.contains("0 entradas por juzgar"), "{spanish}");
    let brief = health(&["--ready"]);
    assert_eq!((brief.status.code(), said(&brief)), (Some(0), format!("{} records events\n", started.url)));
    let url = started.url.clone();
    started.stop();
    let gone = folder.run(&["health", &url]);
    assert_eq!(gone.status.code(), Some(74), "{}", said(&gone));
    assert!(said(&gone).contains("nobody answers"), "{}", said(&gone));
}

// The health check of a container has neither a token nor a name that its certificate has.
#[test]
fn a_service_is_asked_on_its_machine_by_its_own_settings() {
    let folder = TestFolder::new();
    let authority = Authority::new(&folder.path("."), "casino");
    authority.vouch("door");
    let new = ["tokens", "new", "--tokens", "tokens", "--role", "read", "--json"];
    let token: Value = serde_json::from_slice(&folder.run(&new).stdout).unwrap();
    folder.write("read.token", token["token"].as_str().unwrap());
    folder.write(
        "serve.toml",
        format!(
            "log = \"log\"\nlisten = \"0.0.0.0:{}\"\ntokens = \"tokens\"\ntls-cert = \"door.pem\"\ntls-key = \"door.key\"\n",
            free_port()
        ),
    );
    let asked = |more: &[&str]| folder.run(&[&["health", "--config", "serve.toml"], more].concat());
    assert_eq!(asked(&["--ready"]).status.code(), Some(74), "nothing runs yet");
    let started = by_file(&folder);
    let brief = asked(&["--ready"]);
    assert_eq!(brief.status.code(), Some(0), "{}", said(&brief));
    // A token is not sent to somebody who did not show who he is.
    let unknown = asked(&["--token-file", "read.token"]);
    assert!(said(&unknown).contains("a token with the role read shows more"), "{}", said(&unknown));
    let known = asked(&["--token-file", "read.token", "--ca", "casino.pem", "--json"]);
    let view: Value = serde_json::from_slice(&known.stdout).unwrap_or_else(|_| panic!("{}", said(&known)));
    let expires = view["figures"]["tls_certificate_expires"].as_u64().unwrap();
    assert!(expires > 4_000_000_000, "the test's certificate is good for millennia: {view:#}");
    drop(started);
}

/// What `audit health --ready` says of somebody who answers so, with this pause before each byte.
fn asked_of(folder: &TestFolder, status: &str, body: &'static [u8], pause: Duration) -> Output {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n\r\n", body.len());
    std::thread::spawn(move || {
        let (mut connection, _) = listener.accept().unwrap();
        let _ = connection.read(&mut [0; 4096]);
        connection.write_all(head.as_bytes()).unwrap();
        for byte in body {
            std::thread::sleep(pause);
            // Who asked may have waited long enough.
            let _ = connection.write_all(&[*byte]);
        }
    });
    folder.run(&["health", "--ready", &url])
}

#[test]
fn a_log_that_stopped_is_not_healthy_and_says_why() {
    let output =
        asked_of(&TestFolder::new(), "503 Service Unavailable", b"the log has stopped\n", Duration::ZERO);
    assert_eq!(output.status.code(), Some(74), "{}", said(&output));
    let text = said(&output);
    assert!(text.contains("records nothing\n  the service says: the log has stopped\n"), "{text}");
}

// Who answers is not trusted: not with the screen, and not with the time of who asks.
#[test]
fn an_answer_neither_paints_the_screen_nor_holds_anybody_up() {
    let folder = TestFolder::new();
    let painted = asked_of(&folder, "200 OK", b"ready\n\x1b[2J\xc2\x9b1mall is well\n", Duration::ZERO);
    let text = said(&painted);
    assert_eq!(painted.status.code(), Some(5), "a witness contradicts: {text}");
    assert!(text.contains("all is well") && !text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
    let begun = Instant::now();
    let endless = asked_of(&folder, "200 OK", &[b'x'; 600], Duration::from_millis(200));
    assert_eq!(endless.status.code(), Some(74), "{}", said(&endless));
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
}

#[test]
fn what_is_no_service_is_not_healthy() {
    let folder = TestFolder::new();
    let output = asked_of(&folder, "200 OK", b"hello\n", Duration::ZERO);
    assert_eq!(output.status.code(), Some(4), "{}", said(&output));
    assert!(said(&output).contains("does not begin with the line `ready`"), "{}", said(&output));
    folder.write("serve.toml", "log = \"log\"\nlisten = \"127.0.0.1:0\"\n");
    for (arguments, why) in [
        (&["health"][..], "<URL>"),
        (&["health", "ftp://a.example"], "expected http://HOST:PORT"),
        (&["health", "--config", "serve.toml"], "port 0"),
        (&["health", "http://a.example", "--config", "serve.toml"], "cannot be used with"),
    ] {
        let output = folder.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", said(&output));
        assert!(said(&output).contains(why), "{arguments:?}: {}", said(&output));
    }
}

#[test]
fn the_program_says_which_it_is_and_by_what_it_judges() {
    let folder = TestFolder::new();
    let (version, commit) = (env!("CARGO_PKG_VERSION"), env!("AUDIT_BUILT_FROM"));
    let short = folder.run(&["--version"]);
    assert_eq!(said(&short), format!("audit {version} (commit {commit})\n"));
    let identity: Value = serde_json::from_slice(&folder.run(&["version", "--json"]).stdout).unwrap();
    assert_eq!((&identity["version"], &identity["commit"]), (&Value::from(version), &Value::from(commit)));
    let rules: Value = serde_json::from_slice(&folder.run(&["rules", "list", "--json"]).stdout).unwrap();
    let digests: Vec<&str> =
        rules.as_array().unwrap().iter().filter_map(|rule| rule["digest"].as_str()).collect();
    for digest in identity["rulebooks"].as_object().unwrap().values() {
        assert!(digests.contains(&digest.as_str().unwrap()), "{digest} is not in {rules:#}");
    }
    let text = said(&folder.run(&["version"]));
    let inputs = identity["judge_inputs"].as_str().unwrap();
    assert!(text.contains(inputs) && text.contains("formats      archive="), "{text}");
    // A certificate names the same.
    let seal = ["ingest", "--create", &command::fixture("honest.ndjson"), "--log", "log"];
    assert!(folder.run(&seal).status.success());
    let report: Value =
        serde_json::from_slice(&folder.run(&["verify", "log", "log", "--json"]).stdout).unwrap();
    let certificate = &report["certificate"];
    assert_eq!(certificate["judge_inputs"], identity["judge_inputs"]);
    assert_eq!(certificate["program"], serde_json::json!({ "version": version, "commit": commit }));
}
