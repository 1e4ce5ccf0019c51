//! `audit watch` against a real service, and against servers that lie, trickle, close or send what a terminal obeys.
#![allow(clippy::unwrap_used)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::command::schema::fits;
use crate::command::serving::{Serving, Started};
use crate::command::{TestFolder, fixture};
use crate::ports::free_port;

/// The lines of JSON that were printed, each of which is what its schema says.
fn lines(output: &Output) -> Vec<Value> {
    static SCHEMA: OnceLock<Value> = OnceLock::new();
    let schema = SCHEMA
        .get_or_init(|| serde_json::from_slice(&TestFolder::new().run(&["schema", "watch"]).stdout).unwrap());
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    lines.iter().for_each(|line| fits(schema, line).unwrap());
    lines
}

fn of_kind<'a>(lines: &'a [Value], kind: &str) -> Vec<&'a Value> {
    lines.iter().filter(|line| line["kind"] == kind).collect()
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn posted(serving: &Serving, file: &str) {
    let events = std::fs::read_to_string(fixture(file)).unwrap();
    let events: Vec<String> = events.lines().map(str::to_owned).collect();
    assert!(serving.post(&events).0 < 300);
}

/// A command that goes on, its output read line by line.
struct Watching {
    child: Child,
    lines: std::sync::mpsc::Receiver<String>,
}

impl Watching {
    fn start(url: &str, more: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_audit"));
        command.args(["watch", url]).args(more).env("LC_ALL", "C").env_remove("AUDIT_LANG");
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            out.lines().map_while(Result::ok).for_each(|line| drop(sender.send(line)))
        });
        Self { child, lines }
    }

    fn wait_for(&self, what: &str) -> String {
        let until = Instant::now() + Duration::from_secs(60);
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(left).unwrap_or_else(|_| panic!("`{what}` never came"));
            if line.contains(what) {
                return line;
            }
        }
    }

    /// Ctrl-C; gives the status and what it wrote to standard error.
    fn interrupt(mut self) -> (Option<i32>, String) {
        let began = Instant::now();
        Command::new("kill").args(["-INT", &self.child.id().to_string()]).status().unwrap();
        let status = self.child.wait().unwrap().code();
        assert!(began.elapsed() < Duration::from_secs(5), "it ends at once");
        let mut said = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        (status, said)
    }
}

#[test]
fn findings_are_shown_as_they_appear_and_ctrl_c_ends_it_with_the_number_to_go_on_from() {
    let folder = TestFolder::new();
    let serving = Serving::start(&folder, "log", "");
    let watching = Watching::start(&serving.url, &[]);
    watching.wait_for("0 entries recorded, 0 judged; 0 statements published");
    posted(&serving, "crooked.ndjson");
    watching.wait_for("checkpoint of casino.example/sala/1: ");
    watching.wait_for("finding 1");
    assert_eq!(watching.wait_for("payout"), "  payout-under: A bet was paid less than was due.");
    assert!(watching.wait_for("coup 29").starts_with("    table PB-01, shoe S-PB-01-1, coup 29; "));
    watching.wait_for("seat 12 was underpaid by 1.00 EUR");
    let (status, said) = watching.interrupt();
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("--since 1 continues from here"), "{said}");
}

#[test]
fn it_ends_when_it_has_caught_up_and_says_by_its_status_what_it_saw() {
    let folder = TestFolder::new();
    let serving = Serving::start(&folder, "log", "");
    let caught_up =
        |more: &[&str]| folder.run(&[&["watch", &serving.url, "--until-caught-up"], more].concat());
    let empty = caught_up(&["--json"]);
    assert_eq!(empty.status.code(), Some(0), "{}", text(&empty));
    posted(&serving, "crooked.ndjson");
    let all = caught_up(&["--json"]);
    assert_eq!(all.status.code(), Some(1), "{}", text(&all));
    let said = lines(&all);
    let (_, page) = serving.get("/v1/findings?after=0");
    let page: Value = serde_json::from_slice(&page).unwrap();
    let found = of_kind(&said, "finding");
    assert_eq!(found.len(), 1);
    for key in ["number", "shown_by", "finding"] {
        assert_eq!(found[0][key], page["findings"][0][key], "{key}: as it was published");
    }
    let growth = *of_kind(&said, "growth").last().unwrap();
    assert_eq!([&growth["size"], &growth["judged"]], [&page["size"], &page["size"]]);
    assert_eq!(of_kind(&said, "checkpoint").last().unwrap()["size"], page["size"]);
    let none = caught_up(&["--json", "--since", "1"]);
    assert_eq!((none.status.code(), of_kind(&lines(&none), "finding").len()), (Some(0), 0));
    let beyond = caught_up(&["--since", "2"]);
    assert_eq!(beyond.status.code(), Some(4));
    assert!(text(&beyond).contains("it has 1 findings, and 2 were seen"), "{}", text(&beyond));
    let spanish = caught_up(&["--lang", "es"]);
    let spanish = text(&spanish);
    assert!(
        spanish.contains("hallazgo 1\n  payout-under: ") && spanish.contains("punto de control de"),
        "{spanish}"
    );
}

#[test]
fn a_service_that_goes_away_is_asked_again_and_nothing_is_missed() {
    let folder = TestFolder::new();
    let listen = format!("127.0.0.1:{}", free_port());
    let serve = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_audit"));
        command.args(["serve", "--create", "--log", "log", "--json", "--listen", &listen]);
        Started::by(command.current_dir(folder.path(".")).stderr(Stdio::null()))
    };
    let first = serve();
    let watching = Watching::start(&first.url, &["--json"]);
    watching.wait_for("\"growth\"");
    first.stop();
    let lost: Value = serde_json::from_str(&watching.wait_for("\"lost\"")).unwrap();
    let schema = serde_json::from_slice(&folder.run(&["schema", "watch"]).stdout).unwrap();
    fits(&schema, &lost).unwrap();
    fits(&schema, &json!({"kind": "lost"})).unwrap_err();
    assert_eq!(lost["again_in_seconds"], 1);
    folder.see(&["ingest", &fixture("crooked.ndjson"), "--log", "log"]);
    let _second = serve();
    watching.wait_for("\"back\"");
    watching.wait_for("payout-under");
    assert_eq!(watching.interrupt().0, Some(1));
}

#[test]
fn no_answer_at_the_start_a_wrong_address_and_patience_that_is_over_end_it() {
    let folder = TestFolder::new();
    let refused = folder.run(&["watch", &format!("http://127.0.0.1:{}", free_port())]);
    assert_eq!(refused.status.code(), Some(74), "{}", text(&refused));
    let wrong = folder.run(&["watch", "pit.auditlog"]);
    assert_eq!(wrong.status.code(), Some(2), "{}", text(&wrong));
    let server = Lying::start(|asked| match asked {
        0 => Some(page(&[], 0, 0)),
        _ => None,
    });
    let gone = folder.run(&["watch", &server.url, "--patience", "1"]);
    assert_eq!(gone.status.code(), Some(74), "{}", text(&gone));
    assert!(text(&gone).contains("asking again in 1 s"), "{}", text(&gone));
}

#[test]
fn a_service_that_asks_for_a_token_says_how_to_give_one() {
    let folder = TestFolder::new();
    let token = folder.run(&["tokens", "new", "--tokens", "tokens", "--role", "read", "--json"]);
    let token: Value = serde_json::from_slice(&token.stdout).unwrap();
    folder.write("token", token["token"].as_str().unwrap());
    let serving = Started::by(&mut Started::command(&folder, &["--tokens", "tokens"]));
    let without = folder.run(&["watch", &serving.url, "--until-caught-up"]);
    assert_eq!(without.status.code(), Some(4));
    assert!(text(&without).contains("--token-file"), "{}", text(&without));
    let with = folder.run(&["watch", &serving.url, "--until-caught-up", "--token-file", "token"]);
    assert_eq!(with.status.code(), Some(0), "{}", text(&with));
}

/// A server that answers the nth request for findings with this body, or closes.
struct Lying {
    url: String,
}

impl Lying {
    fn start(answer: impl Fn(usize) -> Option<String> + Send + Sync + 'static) -> Self {
        Self::with_checkpoint(answer, |_| None)
    }

    fn with_checkpoint(
        answer: impl Fn(usize) -> Option<String> + Send + Sync + 'static,
        checkpoint: impl Fn(usize) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (answer, asked) = (Arc::new((answer, checkpoint)), Arc::new([const { AtomicUsize::new(0) }; 2]));
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (answer, asked) = (Arc::clone(&answer), Arc::clone(&asked));
                std::thread::spawn(move || {
                    let mut stream: TcpStream = stream;
                    let mut head = [0; 2_048];
                    let count = stream.read(&mut head).unwrap_or(0);
                    let head = String::from_utf8_lossy(&head[..count]).into_owned();
                    let body = if head.contains("/v1/findings") {
                        answer.0(asked[0].fetch_add(1, Ordering::SeqCst))
                    } else {
                        Some(answer.1(asked[1].fetch_add(1, Ordering::SeqCst)).unwrap_or_default())
                    };
                    let Some(body) = body else { return };
                    let status = if body.is_empty() { "404 Not Found" } else { "200 OK" };
                    let length = body.len();
                    let head =
                        format!("HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n");
                    let _ = stream.write_all(format!("{head}{body}").as_bytes());
                });
            }
        });
        Self { url }
    }
}

fn page(findings: &[Value], next: u64, published: u64) -> String {
    let follower = json!({"state": "following"});
    json!({"findings": findings, "next": next, "published": published, "judged": 9, "size": 9, "follower": follower})
        .to_string()
}

fn finding(number: u64) -> Value {
    json!({"number": number, "shown_by": 3, "finding": {
        "entry": 3, "table": "PB-01", "sequence": 31, "code": "payout-over", "severity": "violation",
        "shoe": "S-1", "coup": 5, "expected": "a", "recorded": "b",
        "rule": {"rulebook": "", "clause": "", "citations": []},
        "money": [{"seat": 3, "minor_units": 3000}], "currency": {"code": "EUR", "minor_digits": 2},
        "sentence": "x", "frase": "x",
    }})
}

fn taken_back(number: u64) -> Value {
    json!({"number": number, "shown_by": 7, "taken_back": {
        "table": "PB-01", "sequence": 31, "entry": 3, "code": "payout-over", "shoe": "S-1", "coup": 5,
    }})
}

fn watched(url: &str) -> Output {
    TestFolder::new().run(&["watch", url, "--until-caught-up"])
}

#[test]
fn what_is_taken_back_is_shown_and_counts_no_longer() {
    let server = Lying::start(|_| Some(page(&[finding(1), taken_back(2)], 2, 2)));
    let seen = watched(&server.url);
    let said = text(&seen);
    assert!(
        said.contains("finding 1\n  payout-over: ") && said.contains("seat 3 was overpaid by 30.00 EUR"),
        "{said}"
    );
    let gone = "finding 2 takes one back: payout-over at table PB-01, shoe S-1, coup 5, event 31 (entry 3) no longer holds";
    assert!(said.contains(gone), "{said}");
    assert_eq!(seen.status.code(), Some(0), "{said}");
}

#[test]
fn nothing_that_a_terminal_obeys_and_no_line_of_its_own_comes_from_a_served_log() {
    let hostile = "x\u{1b}[2J\u{202e}\n\nfinding 99\n  all is well\r";
    let server = Lying::start(move |_| {
        let mut finding = finding(1);
        for field in ["table", "shoe", "expected", "recorded"] {
            finding["finding"][field] = json!(hostile);
        }
        finding["finding"]["rule"] = json!({"rulebook": hostile, "clause": hostile, "citations": [hostile]});
        finding["finding"]["currency"]["code"] = json!(hostile);
        let mut gone = taken_back(2);
        gone["taken_back"]["table"] = json!(hostile);
        let unknown = json!({"number": 3, "finding": {"code": hostile}});
        let long = json!({"number": 4, "finding": {"code": "y".repeat(1 << 20)}});
        Some(page(&[finding, gone, unknown, long], 4, 4))
    });
    let seen = watched(&server.url);
    let said = text(&seen);
    assert!(!said.contains('\u{1b}') && !said.contains('\u{202e}') && !said.contains('\r'), "{said}");
    assert!(!said.lines().any(|line| line == "finding 99" || line.trim() == "all is well"), "{said}");
    assert!(said.len() < 40_000, "{}", said.len());
    assert_eq!(seen.status.code(), Some(1));
    let as_json = TestFolder::new().run(&["watch", &server.url, "--until-caught-up", "--json"]);
    let all = lines(&as_json);
    assert_eq!(of_kind(&all, "finding")[0]["finding"]["table"], hostile, "JSON keeps its values");
    assert!(!text(&as_json).contains('\u{1b}') && !text(&as_json).contains('\u{202e}'));
}

#[test]
fn a_server_that_contradicts_itself_is_left() {
    let findings = |numbers: &[u64]| numbers.iter().map(|number| finding(*number)).collect::<Vec<_>>();
    for (name, body) in [
        ("repeated", page(&findings(&[1, 1]), 2, 2)),
        ("backwards", page(&findings(&[2, 1]), 2, 2)),
        ("beyond the page", page(&findings(&[1, 9]), 2, 2)),
        ("next beyond all", page(&[], 7, 2)),
        ("no number", page(&[json!({"finding": {}})], 1, 1)),
        ("more than asked for", page(&findings(&(1..=101).collect::<Vec<_>>()), 101, 101)),
        ("no page", "{}".to_owned()),
        ("deep", format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000))),
        ("endless", "[".repeat(20 << 20)),
        ("html", "<html>".to_owned()),
    ] {
        let server = Lying::start(move |_| Some(body.clone()));
        let seen = watched(&server.url);
        assert_eq!(seen.status.code(), Some(4), "{name}: {}", text(&seen));
        assert!(text(&seen).len() < 30_000, "{name}");
    }
    let fewer =
        Lying::start(|asked| Some(if asked == 0 { page(&[finding(1)], 1, 1) } else { page(&[], 0, 0) }));
    let seen = TestFolder::new().run(&["watch", &fewer.url]);
    assert_eq!(seen.status.code(), Some(4), "{}", text(&seen));
    assert!(text(&seen).contains("it has 0 findings, and 1 were seen"), "{}", text(&seen));
}

/// Two checkpoints of one size with different roots are two histories: the worst there is.
#[test]
fn two_histories_of_a_log_are_a_broken_seal() {
    let checkpoint = |origin: &str, root: char| {
        let root = format!("{}=", root.to_string().repeat(42) + "A");
        Some(format!("{origin}\n9\n{root}\n\n\u{2014} {origin} {}\n", "A".repeat(92)))
    };
    let server = Lying::with_checkpoint(
        |_| Some(page(&[], 0, 0)),
        move |asked| checkpoint("casa.example/1", if asked == 0 { 'A' } else { 'B' }),
    );
    let seen = TestFolder::new().run(&["watch", &server.url]);
    assert_eq!(seen.status.code(), Some(3), "{}", text(&seen));
    assert!(text(&seen).contains("two checkpoints of 9 entries with different roots"), "{}", text(&seen));
    let server = Lying::with_checkpoint(
        |_| Some(page(&[], 0, 0)),
        move |asked| checkpoint(if asked == 0 { "casa.example/1" } else { "casa.example/2" }, 'A'),
    );
    let seen = TestFolder::new().run(&["watch", &server.url]);
    assert_eq!(seen.status.code(), Some(3), "{}", text(&seen));
}

/// Certification that has stopped would let a script wait for ever.
#[test]
fn a_service_that_judges_no_longer_ends_a_script_with_something_open() {
    let body = json!({"findings": [], "next": 0, "published": 0, "judged": 3, "size": 9,
        "follower": {"state": "stopped", "why": "a full\u{1b}[2J disk"}});
    let server = Lying::start(move |_| Some(body.to_string()));
    let seen = watched(&server.url);
    assert_eq!(seen.status.code(), Some(5), "{}", text(&seen));
    assert!(
        text(&seen).contains(r"live certification is stopped, nothing more is judged: a full\u{1b}[2J disk")
    );
}

/// Somebody who sends an answer in drops holds neither the program nor Ctrl-C up.
#[test]
fn a_trickle_is_no_answer_and_ctrl_c_does_not_wait_for_it() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            std::thread::spawn(move || {
                let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n");
                while stream.write_all(b" ").is_ok() {
                    std::thread::sleep(Duration::from_millis(200));
                }
            });
        }
    });
    let watching = Watching::start(&url, &[]);
    std::thread::sleep(Duration::from_secs(1));
    assert_eq!(watching.interrupt().0, Some(0));
    let began = Instant::now();
    let seen = watched(&url);
    assert_eq!(seen.status.code(), Some(74), "{}", text(&seen));
    assert!(began.elapsed() < Duration::from_secs(50));
}

#[test]
fn a_reader_that_closes_standard_output_ends_it() {
    let server =
        Lying::start(|asked| Some(page(&[finding(asked as u64 + 1)], asked as u64 + 1, asked as u64 + 1)));
    let mut command = Command::new(env!("CARGO_BIN_EXE_audit"));
    let mut child =
        command.args(["watch", &server.url]).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    drop(child.stdout.take());
    let until = Instant::now() + Duration::from_secs(20);
    while child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < until, "it goes on and nobody reads");
        std::thread::sleep(Duration::from_millis(50));
    }
}
