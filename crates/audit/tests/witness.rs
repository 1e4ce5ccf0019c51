//! Witnesses as a person meets them: made, serving, asked, killed, and believed by who verifies a log.
#![allow(clippy::unwrap_used)]

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tlog::checkpoint::SignedCheckpoint;

use crate::command::serving::Started;
use crate::command::{TestFolder, fixture};
use crate::ports::free_port;

/// Keys, ports, times, roots and lengths differ from run to run.
macro_rules! seen {
    ($text:expr) => {
        insta::with_settings!({filters => vec![
            (r"root [A-Za-z0-9+/]{43}=", "root [ROOT]"),
            (r"\+[0-9a-f]{8}\+[A-Za-z0-9+/=]{44}", "+[KEY]"),
            (r"signed at 20[0-9T:-]+Z", "signed at [TIME]"),
            (r"127\.0\.0\.1:[0-9]+", "[ADDRESS]"),
            (r"in [0-9,]+ bytes", "in [N] bytes"),
            (r"  key [0-9a-f]{8}\n", "  key [KEY]\n"),
            (r"  (findings|digest) [0-9a-f]{64}", "  $1 [DIGEST]"),
        ]}, { insta::assert_snapshot!($text) })
    };
}

/// A witness that serves until it is dropped.
struct Serving {
    child: Child,
    out: BufReader<std::process::ChildStdout>,
    url: String,
    /// Where monitors ask for the first log it watches.
    monitored: String,
}

impl Serving {
    fn start(folder: &TestFolder, state: &str) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_audit"))
            .args([
                "witness",
                "serve",
                "--state",
                state,
                "--listen",
                "127.0.0.1:0",
                "--log",
                "log/key.pub",
                "--json",
            ])
            .current_dir(folder.path("."))
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let begun = line(&mut out);
        let url = begun["url"].as_str().expect("it listens").to_owned();
        let monitored = begun["logs"][0]["checkpoint"].as_str().expect("it has a path").to_owned();
        Self { child, out, url, monitored }
    }

    /// Its next decision.
    fn decided(&mut self) -> serde_json::Value {
        line(&mut self.out)
    }

    /// Stops it, and gives its exit status.
    fn stop(mut self) -> Option<i32> {
        Command::new("kill").arg(self.child.id().to_string()).status().unwrap();
        self.child.wait().unwrap().code()
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        // It may have stopped by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn line(out: &mut impl BufRead) -> serde_json::Value {
    let mut text = String::new();
    out.read_line(&mut text).unwrap();
    serde_json::from_str(&text).unwrap_or_default()
}

/// A log of half a shoe, with its rest at hand, and the witnesses `desk` and `union`, not yet serving.
fn log_and_witnesses() -> TestFolder {
    let folder = TestFolder::new();
    let honest = std::fs::read_to_string(fixture("honest.ndjson")).unwrap();
    folder.write("honest", &honest);
    folder.write("half", honest.lines().take(200).map(|line| format!("{line}\n")).collect::<String>());
    assert!(
        folder
            .run(&["ingest", "--create", "half", "--log", "log", "--origin", "casino.example/sala/1"])
            .status
            .success()
    );
    for name in ["desk", "union"] {
        let out = folder.run(&["witness", "new", name, "--name", &format!("{name}.example/w1"), "--json"]);
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    }
    folder
}

/// Writes a policy of these witnesses, all of them needed.
fn policy(folder: &TestFolder, witnesses: &[(&str, &str)]) {
    let key = |name: &str| std::fs::read_to_string(folder.path(name).join("key.pub")).unwrap();
    let mut text: String = witnesses
        .iter()
        .map(|(name, url)| format!("witness {name} {} {url}\n", key(name).trim_end()))
        .collect();
    let names: Vec<&str> = witnesses.iter().map(|(name, _)| *name).collect();
    text += &format!("group all-of-them all {}\nquorum all-of-them\n", names.join(" "));
    folder.write("policy", text);
}

fn cosigned(folder: &TestFolder) -> SignedCheckpoint {
    let text = std::fs::read_to_string(folder.path("log/checkpoint.cosigned")).unwrap();
    SignedCheckpoint::parse(&text).unwrap()
}

/// The first lines of a report: the verdicts, and what witnesses said.
fn verdicts(folder: &TestFolder, arguments: &[&str]) -> String {
    let whole = folder.see(arguments);
    let lines = whole.lines().take_while(|line| line.starts_with("anchored") || !line.contains(" entries, "));
    let status = whole.lines().last().unwrap();
    lines.chain([status]).map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_log_is_witnessed_anchored_by_a_quorum_and_handed_on() {
    let folder = log_and_witnesses();
    let (desk, union) = (Serving::start(&folder, "desk"), Serving::start(&folder, "union"));
    policy(&folder, &[("desk", &desk.url), ("union", &union.url)]);
    let verify = ["verify", "log", "log", "--key", "log/key.pub", "--witness-policy", "policy"];
    let mut text = verdicts(&folder, &verify);
    text += &folder.see(&["witness", "submit", "log", "--policy", "policy"]);
    text += &verdicts(&folder, &verify);
    text += &folder.see(&["export", "log", "--out", "log.auditlog"]);
    text += &verdicts(&folder, &["verify", "log", "log.auditlog", "--witness-policy", "policy"]);
    folder.see(&["report", "log", "--witness-policy", "policy", "--out", "report.html"]);
    let report = std::fs::read_to_string(folder.path("report.html")).unwrap();
    assert!(report.contains("desk.example/w1") && report.contains("union.example/w1"), "{report}");
    // One of them is gone: what both signed before stays, and still anchors the grown log.
    assert_eq!(union.stop(), Some(0));
    folder.run(&["ingest", "--create", "honest", "--log", "log"]);
    text += &folder.see(&["export", "log", "--out", "grown.auditlog"]);
    text += &folder.see(&["witness", "submit", "log", "--policy", "policy"]);
    text += &verdicts(&folder, &verify);
    let union = Serving::start(&folder, "union");
    policy(&folder, &[("desk", &desk.url), ("union", &union.url)]);
    text += &folder.see(&["witness", "submit", "log", "--policy", "policy"]);
    text += &verdicts(&folder, &verify);
    seen!(text);
}

/// A witness with an ML-DSA-44 key beside one with Ed25519; then a signature that its witness did not make.
#[test]
fn ml_dsa_witnesses_count_and_a_broken_cosignature_refutes_the_anchor() {
    let folder = log_and_witnesses();
    let new = ["witness", "new", "lab", "--name", "lab.example/w1", "--algorithm", "ml-dsa-44"];
    assert!(folder.run(&new).status.success());
    let (desk, lab) = (Serving::start(&folder, "desk"), Serving::start(&folder, "lab"));
    policy(&folder, &[("desk", &desk.url), ("lab", &lab.url)]);
    assert!(folder.run(&["witness", "submit", "log", "--policy", "policy"]).status.success());
    let verify = ["verify", "log", "log", "--key", "log/key.pub", "--witness-policy", "policy", "--json"];
    let report = |status: i32| -> serde_json::Value {
        let out = folder.run(&verify);
        assert_eq!(out.status.code(), Some(status), "{}", String::from_utf8_lossy(&out.stderr));
        serde_json::from_slice(&out.stdout).unwrap()
    };
    // Half a shoe has findings of its own.
    let before = folder.run(&verify).status.code().unwrap();
    let good = report(before);
    assert_eq!((&good["verdicts"]["anchored"], &good["witnesses"]["quorum"]), (&"yes".into(), &true.into()));
    assert!(good["witnesses"].get("rejected").is_none());
    // What desk signed, with another time.
    let text = cosigned(&folder).text().to_owned();
    let line = text.lines().find(|line| line.contains("desk.example/w1")).unwrap();
    let bent: String = line
        .char_indices()
        .map(|(at, c)| match (at, c) {
            (32, 'B') => 'C',
            (32, _) => 'B',
            (_, c) => c,
        })
        .collect();
    assert_ne!(bent, line);
    folder.write("log/checkpoint.cosigned", text.replace(line, &bent));
    let bad = report(3);
    assert_eq!((&bad["verdicts"]["anchored"], &bad["witnesses"]["quorum"]), (&"no".into(), &false.into()));
    let why = bad["witnesses"]["rejected"].as_str().unwrap();
    assert!(why.starts_with("witness desk: a cosignature by desk.example/w1 does not hold"), "{why}");
    let said = folder.see(&verify[..verify.len() - 1]);
    assert!(said.contains("anchored   no       the witness policy rejects the checkpoint"), "{said}");
}

#[test]
fn a_log_put_back_to_an_older_copy_or_rewritten_is_refused() {
    let folder = log_and_witnesses();
    let desk = Serving::start(&folder, "desk");
    policy(&folder, &[("desk", &desk.url)]);
    let copied = Command::new("cp").args(["-r", "log", "older"]).current_dir(folder.path(".")).status();
    assert!(copied.unwrap().success());
    folder.run(&["ingest", "--create", "honest", "--log", "log"]);
    let mut text = folder.see(&["witness", "submit", "log", "--policy", "policy"]);
    text += &folder.see(&["ingest", "--create", "honest", "--log", "older", "--witness-policy", "policy"]);
    text += &folder.see(&["witness", "submit", "older", "--policy", "policy"]);
    // The same key signs another history, past the size the witness has.
    std::fs::create_dir(folder.path("fork")).unwrap();
    for name in ["key", "key.pub"] {
        std::fs::copy(folder.path("log").join(name), folder.path("fork").join(name)).unwrap();
    }
    folder.run(&["ingest", "--create", "honest", "--log", "fork", "--live"]);
    text += &folder.see(&["ingest", "--create", "half", "--log", "fork", "--witness-policy", "policy"]);
    text += &folder.see(&["ingest", "--create", "honest", "--log", "log", "--witness-policy", "policy"]);
    // Who holds what the witness signed sees it as well.
    std::fs::copy(folder.path("log/checkpoint.cosigned"), folder.path("kept")).unwrap();
    text +=
        &verdicts(&folder, &["verify", "log", "older", "--witness-policy", "policy", "--checkpoint", "kept"]);
    text +=
        &verdicts(&folder, &["verify", "log", "fork", "--witness-policy", "policy", "--checkpoint", "kept"]);
    drop(desk);
    text += &folder
        .see(&["ingest", "--create", "honest", "--log", "log", "--witness-policy", "policy"])
        .lines()
        .filter(|line| !line.contains("gave no answer"))
        .map(|line| format!("{line}\n"))
        .collect::<String>();
    seen!(text);
}

/// A witness of an older make that signed another root for the log's size: it names that size to every other
/// one, and answers `conflict` once the proof begins there.
fn conflicting(conflict: &'static str) -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let request = whole_request(&mut stream);
            let mut lines = request.split("\r\n\r\n").nth(1).unwrap().lines();
            let old = lines.next().unwrap().strip_prefix("old ").unwrap().to_owned();
            let size = lines.skip_while(|line| !line.is_empty()).nth(2).unwrap();
            let (status, body) =
                if old == size { (conflict, String::new()) } else { ("409 Conflict", format!("{size}\n")) };
            let length = body.len();
            let answer =
                format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}");
            stream.write_all(answer.as_bytes()).unwrap();
        }
    });
    url
}

/// A request up to the end of the checkpoint it hands in.
fn whole_request(stream: &mut std::net::TcpStream) -> String {
    let (mut bytes, mut piece) = (Vec::new(), [0; 4096]);
    loop {
        let count = stream.read(&mut piece).unwrap();
        bytes.extend_from_slice(&piece[..count]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if text.contains("\n\u{2014} ") && text.ends_with('\n') {
            return text;
        }
    }
}

/// Story: a fork of the size that a witness had cosigned was answered with a 409 without a size (422 today), was
/// taken for a witness that is out of order, and the forked log was sealed on.
#[test]
fn a_log_that_conflicts_with_a_witness_at_its_own_size_is_not_sealed_on() {
    let folder = log_and_witnesses();
    let checkpoint = std::fs::read(folder.path("log/checkpoint")).unwrap();
    for (conflict, message) in [
        ("409 Conflict", "conflicts with the log's own"),
        ("422 Unprocessable Entity", "cosigned another root for"),
    ] {
        policy(&folder, &[("desk", &conflicting(conflict))]);
        for command in [
            &["ingest", "--create", "honest", "--log", "log"][..],
            &["serve", "--log", "log", "--listen", "127.0.0.1:0"],
        ] {
            let out = folder.run(&[command, &["--witness-policy", "policy"]].concat());
            let error = String::from_utf8_lossy(&out.stderr).into_owned();
            assert_eq!(out.status.code(), Some(3), "{conflict}: {error}");
            assert!(error.contains(message) && error.contains("witness desk"), "{error}");
            assert_eq!(
                std::fs::read(folder.path("log/checkpoint")).unwrap(),
                checkpoint,
                "nothing was sealed"
            );
        }
    }
}

/// Story: the witness was out of reach, and a log that had been put back to an older copy was sealed on, in front of
/// its own cosigned checkpoint.
#[test]
fn a_log_that_its_own_cosigned_checkpoint_refutes_is_not_sealed_on() {
    let folder = log_and_witnesses();
    let desk = Serving::start(&folder, "desk");
    policy(&folder, &[("desk", &desk.url)]);
    let copied = Command::new("cp").args(["-r", "log", "older"]).current_dir(folder.path(".")).status();
    assert!(copied.unwrap().success());
    folder.run(&["ingest", "--create", "honest", "--log", "log"]);
    assert_eq!(folder.run(&["witness", "submit", "log", "--policy", "policy"]).status.code(), Some(0));
    assert_eq!(desk.stop(), Some(0));
    let kept = cosigned(&folder).text().to_owned();
    let checkpoint = std::fs::read(folder.path("older/checkpoint")).unwrap();
    let ask = |command: &[&str]| {
        let out = folder.run(&[command, &["--log", "older", "--witness-policy", "policy"]].concat());
        (out.status.code(), String::from_utf8_lossy(&out.stderr).into_owned())
    };
    folder.write("older/checkpoint.cosigned", &kept);
    for command in [&["ingest", "--create", "half"][..], &["serve", "--listen", "127.0.0.1:0"]] {
        let (status, error) = ask(command);
        assert_eq!(status, Some(3), "{error}");
        assert!(error.contains("its own cosigned checkpoint was signed for"), "{error}");
        assert_eq!(std::fs::read(folder.path("older/checkpoint")).unwrap(), checkpoint, "nothing was sealed");
    }
    // What the log's key did not sign refutes nothing.
    let own = kept.lines().find(|line| line.starts_with("\u{2014} casino.example")).unwrap();
    folder.write("older/checkpoint.cosigned", kept.replace(&format!("{own}\n"), ""));
    assert_eq!(ask(&["ingest", "--create", "half"]).0, Some(0));
}

/// Whoever holds the disk writes into what was kept; whoever hands in a checkpoint names its log as they like.
#[test]
fn lines_of_strangers_and_checkpoints_of_other_logs_say_nothing_of_this_one() {
    use tlog::cosignature::WitnessSigningKey;
    let folder = log_and_witnesses();
    let desk = Serving::start(&folder, "desk");
    policy(&folder, &[("desk", &desk.url)]);
    let submit = ["witness", "submit", "log", "--policy", "policy"];
    assert_eq!(folder.run(&submit).status.code(), Some(0));
    let stranger = WitnessSigningKey::from_seed("stranger.example/w", &[4; 32]).unwrap();
    let kept = cosigned(&folder);
    let more = kept.with_cosignature(&stranger.cosign(&kept, 9).unwrap()).unwrap();
    folder.write("log/checkpoint.cosigned", more.text());
    assert_eq!(folder.run(&submit).status.code(), Some(0));
    assert!(
        !cosigned(&folder).text().contains("stranger.example"),
        "it is not passed on as a witness's word"
    );
    // A broken line of the policy's witness under a checkpoint of another log, with a name that turns the line around.
    let name = "evil.example/\u{202e}gol";
    let other = tlog::note::SigningKey::from_seed(name, &[5; 32]).unwrap();
    let other = SignedCheckpoint::sign(
        &tlog::checkpoint::Checkpoint { origin: name.to_owned(), ..kept.checkpoint().clone() },
        &other,
    )
    .unwrap();
    let line = kept.text().lines().find(|line| line.contains("desk.example/w1")).unwrap();
    folder.write("other", format!("{}{line}\n", other.text()));
    let verify = ["verify", "log", "log", "--witness-policy", "policy", "--checkpoint", "other"];
    let report = folder.see(&verify);
    assert!(!report.contains("policy rejects") && report.contains("evil.example/"), "{report}");
    assert!(!report.contains('\u{202e}'), "{report:?}");
    let json = folder.run(&[&verify[..], &["--json"]].concat()).stdout;
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert!(json["verdicts"]["anchored"] != "no" && json["witnesses"].get("rejected").is_none(), "{json}");
}

/// Story: the newer checkpoint's own signature was not checked, since the proof brought a good one.
#[test]
fn both_checkpoint_files_are_checked_whatever_a_proof_brings() {
    let folder = log_and_witnesses();
    std::fs::copy(folder.path("log/checkpoint"), folder.path("old")).unwrap();
    folder.run(&["ingest", "--create", "honest", "--log", "log"]);
    let new = std::fs::read_to_string(folder.path("log/checkpoint")).unwrap();
    folder.write("new", &new);
    let prove = ["prove", "checkpoint", "log", "old", "--out", "proof"];
    let made = folder.run(&prove);
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let verify = |new: &str| {
        folder.run(&["verify", "checkpoint", "old", new, "--proof", "proof", "--key", "log/key.pub"])
    };
    assert_eq!(verify("new").status.code(), Some(0));
    let signature = new.trim_end().rsplit(' ').next().unwrap();
    let middle = signature.len() / 2;
    let other = if &signature[middle..=middle] == "A" { "B" } else { "A" };
    let bent = format!("{}{other}{}", &signature[..middle], &signature[middle + 1..]);
    folder.write("bent", new.replace(signature, &bent));
    let refused = verify("bent");
    assert_eq!(refused.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("bent: "), "it names the file");
}

/// Story: somebody else submitted the log while this command's request was under way.
#[test]
fn a_log_that_grew_as_far_as_a_witness_has_seen_is_not_accused() {
    let folder = log_and_witnesses();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    policy(&folder, &[("desk", &format!("http://{}/", listener.local_addr().unwrap()))]);
    let submitted = std::thread::scope(|scope| {
        scope.spawn(|| {
            let answer = |mut stream: std::net::TcpStream, status: &str, body: &str| {
                whole_request(&mut stream);
                let length = body.len();
                let head =
                    format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n");
                stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
            };
            let (first, _) = listener.accept().unwrap();
            folder.run(&["ingest", "--create", "honest", "--log", "log"]);
            let grown = std::fs::read_to_string(folder.path("log/checkpoint")).unwrap();
            answer(first, "409 Conflict", &format!("{}\n", grown.lines().nth(1).unwrap()));
            // The grown log is submitted then, with a proof from what the witness has seen.
            answer(listener.accept().unwrap().0, "404 Not Found", "");
        });
        folder.run(&["witness", "submit", "log", "--policy", "policy"])
    });
    let said = format!("{submitted:?}");
    assert_eq!(submitted.status.code(), Some(5), "{said}");
    assert!(said.contains("refused with status 404") && !said.contains("older"), "{said}");
}

/// The names of a witness's files of this kind.
fn files(folder: &TestFolder, below: &str, ending: &str) -> Vec<std::path::PathBuf> {
    let items = std::fs::read_dir(folder.path(below)).unwrap().map(|item| item.unwrap().path());
    items.filter(|path| path.extension().is_some_and(|found| found == ending)).collect()
}

#[test]
fn a_witness_that_lost_its_state_signs_nothing_until_its_keeper_takes_it_up_again() {
    let folder = log_and_witnesses();
    let desk = Serving::start(&folder, "desk");
    policy(&folder, &[("desk", &desk.url)]);
    let submit = ["witness", "submit", "log", "--policy", "policy"];
    assert_eq!(folder.run(&submit).status.code(), Some(0));
    assert_eq!(desk.stop(), Some(0));
    assert_eq!(files(&folder, "desk.signed", "signed").len(), 1);
    std::fs::rename(folder.path("log/checkpoint.cosigned"), folder.path("kept")).unwrap();
    files(&folder, "desk", "checkpoint").iter().for_each(|file| std::fs::remove_file(file).unwrap());
    let mut desk = Serving::start(&folder, "desk");
    policy(&folder, &[("desk", &desk.url)]);
    let refused = folder.run(&submit);
    assert_eq!(refused.status.code(), Some(5));
    let decided = desk.decided();
    assert_eq!(decided["refused"]["status"], 500, "{decided}");
    assert!(decided["refused"]["why"].as_str().unwrap().contains("audit witness recover"), "{decided}");
    let running = folder.see(&["witness", "recover", "desk"]);
    assert!(running.contains("stop it first") && running.ends_with("exit status 4\n"), "{running}");
    assert_eq!(desk.stop(), Some(0));
    let recovered = folder.see(&["witness", "recover", "desk", "--checkpoint", "kept"]);
    assert!(recovered.contains("casino.example/sala/1 is taken up at"), "{recovered}");
    let again = folder.see(&["witness", "recover", "desk"]);
    assert!(again.contains("nothing was missing\nexit status 0"), "{again}");
    let desk = Serving::start(&folder, "desk");
    policy(&folder, &[("desk", &desk.url)]);
    assert_eq!(folder.run(&submit).status.code(), Some(0));
    drop(desk);
    // The list of one witness is not another's.
    std::fs::rename(folder.path("desk"), folder.path("desk.gone")).unwrap();
    let taken = folder.see(&["witness", "new", "desk", "--name", "desk.example/w2"]);
    assert!(taken.contains("list of what another witness signed"), "{taken}");
}

#[test]
fn what_is_wrong_with_a_witness_or_a_policy_is_reported() {
    let folder = log_and_witnesses();
    let serve = |more: &[&str]| folder.see(&[&["witness", "serve", "--state"], more].concat());
    let mut text = folder.see(&["witness", "new", "desk", "--name", "desk.example/w1"]);
    text += &folder.see(&["witness", "new", "third", "--name", "third.example/w1"]);
    text += &folder.see(&["witness", "new", "fourth", "--name", "two words"]);
    text += &serve(&["nowhere", "--log", "log/key.pub"]);
    text += &serve(&["desk", "--log", "desk/key.pub"]);
    text += &serve(&["desk", "--log", "log/key.pub", "--name", "other.example/w1"]);
    text += &serve(&["desk", "--log", "log/key.pub", "--listen", "nowhere"]);
    let running = Serving::start(&folder, "desk");
    text += &serve(&["desk", "--log", "log/key.pub"]);
    policy(&folder, &[("desk", &running.url)]);
    folder.run(&["witness", "submit", "log", "--policy", "policy"]);
    drop(running);
    let key = std::fs::read(folder.path("desk/key")).unwrap();
    std::fs::remove_file(folder.path("desk/key")).unwrap();
    text += &serve(&["desk", "--log", "log/key.pub", "--name", "desk.example/w1"]);
    folder.write("desk/key", key);
    text += &serve(&["desk", "--log", "log/key.pub"]);
    folder.write("bad", "witness desk not-a-key\nquorum desk\n");
    for ask in [&["witness", "submit", "log", "--policy"][..], &["verify", "log", "log", "--witness-policy"]]
    {
        text += &folder.see(&[ask, &["bad"]].concat());
    }
    folder.run(&["export", "log", "--out", "log.auditlog"]);
    text += &folder.see(&["witness", "submit", "log.auditlog", "--policy", "policy"]);
    let other =
        folder.run(&["ingest", "--create", "half", "--log", "other", "--origin", "casino.example/sala/2"]);
    assert!(other.status.success());
    let listed = std::fs::read_to_string(folder.path("other/key.pub")).unwrap();
    folder.write(
        "for-other",
        format!("log {listed}{}", std::fs::read_to_string(folder.path("policy")).unwrap()),
    );
    text += &verdicts(&folder, &["verify", "log", "log", "--witness-policy", "for-other"]);
    folder.write("log/checkpoint.cosigned", "torn");
    text += &folder.see(&["verify", "log", "log", "--witness-policy", "policy"]);
    text += &folder.see(&["export", "log", "--out", "again.auditlog"]);
    seen!(text);
}

#[test]
fn the_report_as_json_names_who_signed() {
    let folder = log_and_witnesses();
    let mut desk = Serving::start(&folder, "desk");
    policy(&folder, &[("desk", &desk.url)]);
    let json = |arguments: &[&str]| -> serde_json::Value {
        serde_json::from_slice(&folder.run(&[arguments, &["--json"]].concat()).stdout).unwrap()
    };
    let submitted = json(&["witness", "submit", "log", "--policy", "policy"]);
    assert_eq!(submitted["quorum"], true);
    assert_eq!(submitted["kept"], "log/checkpoint.cosigned");
    assert!(submitted["witnesses"][0]["signed_at"].as_u64().unwrap() > 1_700_000_000);
    let signed = desk.decided();
    assert_eq!(signed["signed"]["root"], submitted["root"]);
    assert_eq!(signed["signed"]["size"], submitted["size"]);
    let report = json(&["verify", "log", "log", "--key", "log/key.pub", "--witness-policy", "policy"]);
    assert_eq!(report["verdicts"]["anchored"], "yes");
    assert_eq!(report["certificate"]["verdicts"]["anchored"], "yes");
    assert_eq!(report["witnesses"]["counted"][0][0], "desk");
    let plain = json(&["verify", "log", "log", "--key", "log/key.pub"]);
    assert!(plain.get("witnesses").is_none());
    assert_eq!(json(&["export", "log", "--out", "log.auditlog"])["cosignatures"], 1);
}

#[test]
fn proofs_and_checkpoints_are_held_against_a_policy() {
    let place = log_and_witnesses();
    let (desk, union) = (Serving::start(&place, "desk"), Serving::start(&place, "union"));
    let prove = |name: &str, more: &[&str]| {
        let ask = ["prove", "entry", "log", "--index", "0", "--out", name];
        assert_eq!(place.run(&[&ask, more].concat()).status.code(), Some(0));
    };
    std::fs::copy(place.path("log/checkpoint"), place.path("bare")).unwrap();
    prove("bare.tlog-proof", &[]);
    prove("receipt.cose", &["--format", "cose"]);
    policy(&place, &[("desk", &desk.url)]);
    assert_eq!(place.run(&["witness", "submit", "log", "--policy", "policy"]).status.code(), Some(0));
    std::fs::copy(place.path("log/checkpoint.cosigned"), place.path("cosigned")).unwrap();
    prove("cosigned.tlog-proof", &[]);
    place.run(&["ingest", "--create", "honest", "--log", "log"]);
    std::fs::copy(place.path("log/checkpoint"), place.path("grown")).unwrap();
    policy(&place, &[("desk", &desk.url), ("union", &union.url)]);
    std::fs::copy(place.path("policy"), place.path("both")).unwrap();
    policy(&place, &[("desk", &desk.url)]);
    let own = std::fs::read_to_string(place.path("log/key.pub")).unwrap();
    let listed = std::fs::read_to_string(place.path("policy")).unwrap();
    place.write("listing", format!("log {own}{listed}"));
    let other = tlog::note::SigningKey::from_seed("other.example/log", &[3; 32]).unwrap().verifier_key();
    place.write("for-other", format!("log {other}\n{listed}"));
    place.write("none", "quorum none\n");
    place.write("none-for-other", format!("log {other}\nquorum none\n"));
    let mut text = String::new();
    let key = ["--key", "log/key.pub", "--witness-policy"];
    for (proof, policy) in [
        ("cosigned.tlog-proof", "policy"),
        ("cosigned.tlog-proof", "listing"),
        ("cosigned.tlog-proof", "both"),
        ("cosigned.tlog-proof", "for-other"),
        ("bare.tlog-proof", "policy"),
        ("bare.tlog-proof", "none"),
        ("bare.tlog-proof", "none-for-other"),
        ("receipt.cose", "listing"),
    ] {
        text += &place.see(&[&["verify", "proof", proof], &key[..], &[policy]].concat());
    }
    for (old, new, policy) in [
        ("bare", "grown", "policy"),
        ("cosigned", "grown", "policy"),
        ("bare", "cosigned", "policy"),
        ("cosigned", "grown", "both"),
    ] {
        text += &place.see(&[&["verify", "checkpoint", old, new, "log"], &key[..], &[policy]].concat());
    }
    // What does not hold is no matter of witnesses.
    let stranger = tlog::note::SigningKey::from_seed("casino.example/sala/1", &[3; 32]).unwrap();
    let stranger = stranger.verifier_key().to_string();
    let refused = place.run(&[
        "verify",
        "proof",
        "cosigned.tlog-proof",
        "--key",
        &stranger,
        "--witness-policy",
        "policy",
    ]);
    assert_eq!(refused.status.code(), Some(3));
    text += &place.see(&[
        "verify",
        "proof",
        "bare.tlog-proof",
        "--key",
        "log/key.pub",
        "--witness-policy",
        "bare",
    ]);
    seen!(text);
    let json = |arguments: &[&str]| -> serde_json::Value {
        serde_json::from_slice(&place.run(&[arguments, &key, &["policy", "--json"]].concat()).stdout).unwrap()
    };
    let proofs = json(&["verify", "proof", "cosigned.tlog-proof", "bare.tlog-proof"]);
    assert_eq!((&proofs[0]["proven"], &proofs[1]["proven"]), (&true.into(), &true.into()));
    assert_eq!(proofs[0]["witnesses"]["quorum"], true);
    assert_eq!(proofs[0]["witnesses"]["counted"][0][0], "desk");
    assert_eq!(proofs[1]["witnesses"]["not_counted"][0][0], "desk");
    let checkpoint = json(&["verify", "checkpoint", "cosigned", "grown", "log"]);
    assert_eq!((&checkpoint["extends"], &checkpoint["witnesses"]["quorum"]), (&true.into(), &true.into()));
    let plain = place.run(&["verify", "proof", "bare.tlog-proof", "--key", "log/key.pub", "--json"]);
    assert!(!String::from_utf8_lossy(&plain.stdout).contains("witnesses"));
}

/// A served log is handed to its witnesses by itself; what they hold against it while it runs stops nothing.
#[test]
fn a_served_log_is_witnessed_while_it_grows() {
    let folder = log_and_witnesses();
    let desk = Serving::start(&folder, "desk");
    policy(&folder, &[("desk", &desk.url)]);
    let more = ["--witness-policy", "policy", "--witness-interval", "1"];
    let served = Started::by(&mut Started::command(&folder, &more));
    let get = |path: &str| {
        let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
        agent.get(format!("{}{path}", served.url)).call().unwrap().body_mut().read_to_string().unwrap()
    };
    let key: tlog::cosignature::WitnessKey =
        std::fs::read_to_string(folder.path("desk/key.pub")).unwrap().trim_end().parse().unwrap();
    let newest = || SignedCheckpoint::parse(&get("/checkpoint")).unwrap();
    let half = newest();
    key.verify(&half).expect("the start asked");
    let honest = std::fs::read_to_string(folder.path("honest")).unwrap();
    let lines: Vec<&str> = honest.lines().collect();
    let table: serde_json::Value = serde_json::from_str(lines[0]).unwrap();
    let table = table["table"].as_str().unwrap().to_owned();
    let post = |lines: &[&str]| {
        let url = format!("{}/v1/tables/{table}/events", served.url);
        let asked = ureq::post(&url).header("content-type", "application/x-ndjson").send(lines.join("\n"));
        assert_eq!(asked.unwrap().status(), 201);
    };
    let until = |what: &str, holds: &dyn Fn() -> bool| {
        let end = std::time::Instant::now() + Duration::from_secs(30);
        while !holds() {
            assert!(std::time::Instant::now() < end, "{what}");
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    post(&lines[200..300]);
    until("it is handed in", &|| newest().checkpoint().size > half.checkpoint().size);
    key.verify(&newest()).unwrap();
    folder.write("entry-0", get("/v1/entries/0/proof"));
    let proven =
        folder.see(&["verify", "proof", "entry-0", "--key", "log/key.pub", "--witness-policy", "policy"]);
    assert!(proven.contains("enough witnesses signed\nexit status 0"), "{proven}");
    assert_eq!(cosigned(&folder), newest(), "kept as well");
    // The keeper of the key shows the witness another history, past what the log has: the log is older then.
    let files = |from: &str, to: &str| {
        let copied = Command::new("cp").args(["-r", from, to]).current_dir(folder.path(".")).status();
        assert!(copied.unwrap().success());
    };
    served.send_signal("-STOP");
    files("log", "copy");
    served.send_signal("-CONT");
    let ahead = folder.run(&["ingest", "--create", "honest", "--log", "copy", "--witness-policy", "policy"]);
    assert!(ahead.status.success(), "{}", String::from_utf8_lossy(&ahead.stderr));
    assert_eq!(folder.run(&["witness", "submit", "copy", "--policy", "policy"]).status.code(), Some(0));
    post(&lines[300..320]);
    until("it is shown", &|| get("/readyz").contains("witness desk has seen"));
    assert!(get("/metrics").contains("\naudit_witness_contradictions 1\n"));
    post(&lines[320..340]);
    served.stop();
    let refused = folder.see(&["ingest", "--create", "honest", "--log", "log", "--witness-policy", "policy"]);
    assert!(
        refused.contains("older than what the witness has seen") && refused.ends_with("exit status 3\n"),
        "{refused}"
    );
}

#[test]
fn a_monitor_gets_what_the_witness_signed_and_holds_the_log_to_it() {
    let folder = log_and_witnesses();
    let desk = Serving::start(&folder, "desk");
    policy(&folder, &[("desk", &desk.url)]);
    let get = |path: &str| {
        let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
        let mut answer = agent.get(format!("{}{path}", desk.url.trim_end_matches('/'))).call().unwrap();
        (answer.status().as_u16(), answer.body_mut().read_to_string().unwrap())
    };
    // printf casino.example/sala/1 | sha256sum
    let path = "/6a3d5c16d000d025beba78f8ebf2f03035c0bb0ba5e2d03aff6cc00a7da194f3/checkpoint";
    assert_eq!((desk.monitored.as_str(), get(path).0), (path, 404));
    assert_eq!(folder.run(&["witness", "submit", "log", "--policy", "policy"]).status.code(), Some(0));
    let (status, text) = get(path);
    assert_eq!((status, &SignedCheckpoint::parse(&text).unwrap()), (200, &cosigned(&folder)));
    folder.write("kept", text);
    let verify = ["verify", "log", "log", "--checkpoint", "kept", "--witness-policy", "policy"];
    assert!(verdicts(&folder, &verify).contains("anchored   yes"));
    let help = folder.run(&["witness", "serve", "--help"]);
    assert!(String::from_utf8_lossy(&help.stdout).contains("GET /ORIGIN-HASH/checkpoint"));
}

#[test]
fn the_walk_through_in_the_documentation_is_true() {
    let folder = TestFolder::new();
    std::fs::copy(fixture("honest.ndjson"), folder.path("honest.ndjson")).unwrap();
    let page = std::fs::read_to_string(fixture("../docs/witnesses.md")).unwrap();
    let commands: String =
        page.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    let commands =
        ["7380", "7381"].iter().fold(commands, |text, port| text.replace(port, &free_port().to_string()));
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_audit")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let walk = Command::new("bash")
        .args(["-euc", &format!("trap 'kill $(jobs -p)' EXIT\n{commands}")])
        .current_dir(folder.path("."))
        .env("PATH", path)
        .output()
        .unwrap();
    let (out, error) = (String::from_utf8_lossy(&walk.stdout), String::from_utf8_lossy(&walk.stderr));
    assert!(walk.status.success(), "{out}{error}");
    for words in ["enough witnesses signed", "the checkpoint has 2 cosignatures", "anchored   yes", "skipped"]
    {
        assert!(out.contains(words), "{words}: {out}{error}");
    }
}

/// A witness killed at any moment while a log grows: after each restart it goes on, and everything
/// it ever signed is one history.
fn killed_again_and_again(rounds: u64) {
    let folder = log_and_witnesses();
    let honest = std::fs::read_to_string(folder.path("honest")).unwrap();
    let lines: Vec<&str> = honest.lines().collect();
    let mut dice = sealed_log::store::contract::Dice::new(rounds);
    let mut signed: Vec<SignedCheckpoint> = Vec::new();
    for round in 0..rounds {
        let mut desk = Serving::start(&folder, "desk");
        policy(&folder, &[("desk", &desk.url)]);
        let end = lines.len().min(200 + 10 * round as usize);
        folder.write("more", lines[..end].join("\n"));
        folder.run(&["ingest", "--create", "more", "--log", "log", "--live"]);
        let mut submit = Command::new(env!("CARGO_BIN_EXE_audit"))
            .args(["witness", "submit", "log", "--policy", "policy"])
            .current_dir(folder.path("."))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(dice.below(60)));
        desk.child.kill().unwrap();
        // Until it is gone its folder is taken.
        desk.child.wait().unwrap();
        submit.wait().unwrap();
        if folder.path("log/checkpoint.cosigned").exists() {
            signed.push(cosigned(&folder));
        }
        // Beside the kills, the keeper asks again and gets an answer.
        if round % 3 == 2 {
            desk = Serving::start(&folder, "desk");
            policy(&folder, &[("desk", &desk.url)]);
            let out = folder.run(&["witness", "submit", "log", "--policy", "policy"]);
            assert_eq!(out.status.code(), Some(0), "{}", String::from_utf8_lossy(&out.stdout));
            signed.push(cosigned(&folder));
        }
    }
    assert!(signed.windows(2).all(|two| two[0].checkpoint().size <= two[1].checkpoint().size));
    for (number, checkpoint) in signed.iter().enumerate() {
        let name = format!("signed-{number}");
        folder.write(&name, checkpoint.text());
        let seen = verdicts(&folder, &["verify", "log", "log", "--checkpoint", &name]);
        assert!(seen.contains("anchored   yes"), "{seen}");
    }
}

#[test]
fn a_killed_witness_goes_on_where_it_stood() {
    killed_again_and_again(6);
}

#[test]
#[ignore = "slow: sixty kills"]
fn a_witness_killed_sixty_times_goes_on_where_it_stood() {
    killed_again_and_again(60);
}

/// Settings from a file: what is given as an argument counts before them, and what is no setting is refused by its name.
#[test]
fn a_witness_reads_its_settings_from_a_file() {
    let folder = TestFolder::new();
    let made = folder.run(&["ingest", "--create", &fixture("honest.ndjson"), "--log", "log"]);
    assert!(made.status.success());
    assert!(
        folder.run(&["ingest", "--create", &fixture("honest.ndjson"), "--log", "other"]).status.success()
    );
    assert!(folder.run(&["witness", "new", "desk", "--name", "desk.example/w1"]).status.success());
    let settings = "state = \"desk\"\nlisten = \"127.0.0.1:0\"\nlog = [\"log/key.pub\", \"other/key.pub\"]\n\
                    max-connections = 7\n";
    folder.write("witness.toml", settings);
    let mut child = Command::new(env!("CARGO_BIN_EXE_audit"))
        .args(["witness", "serve", "--config", "witness.toml", "--max-connections", "1", "--json"])
        .current_dir(folder.path("."))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let begun = line(&mut out);
    assert_eq!(begun["logs"].as_array().unwrap().len(), 2, "{begun}");
    let address =
        begun["url"].as_str().unwrap().trim_start_matches("http://").trim_end_matches('/').to_owned();
    // The only connection is in use: its request has begun.
    let mut first = std::net::TcpStream::connect(&address).unwrap();
    first.write_all(b"GET / HTTP/1.1\r\n").unwrap();
    std::thread::sleep(std::time::Duration::from_millis(500));
    let mut second = std::net::TcpStream::connect(&address).unwrap();
    second.write_all(b"GET / HTTP/1.1\r\nhost: w\r\n\r\n").unwrap();
    let mut answer = String::new();
    second.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 503 ") && answer.contains("retry-after: 1"), "{answer}");
    child.kill().unwrap();
    child.wait().unwrap();
    for (wrong, named) in [
        ("max-conections = 7\n", "max-connections"),
        ("max-connections = 0\n", "max-connections"),
        ("log = 3\n", "log"),
    ] {
        folder.write("witness.toml", wrong);
        let seen = folder.see(&["witness", "serve", "--config", "witness.toml"]);
        assert!(seen.contains(named) && seen.contains("witness.toml, line 1"), "{seen}");
        assert!(seen.ends_with("exit status 2\n"), "{seen}");
    }
}
