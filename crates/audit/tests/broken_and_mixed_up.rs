//! What a person sees of a log whose seal is broken or was not shown to hold, and of things mixed up:
//! nothing is green there, and nobody is accused for a mistake.
#![allow(clippy::unwrap_used)]

use crate::command::{TestFolder, fixture};

/// Roots, keys and digests of logs differ from run to run.
macro_rules! seen {
    ($text:expr) => {
        insta::with_settings!({filters => vec![
            (r"\+[0-9a-f]{8}\+[A-Za-z0-9+/=]{44}", "+[KEY]"),
            (r"root [A-Za-z0-9+/]{43}=", "root [ROOT]"),
            (r"  key [0-9a-f]{8}", "  key [KEY]"),
            (r#"(findings|digest)( |": ")[0-9a-f]{64}"#, "$1$2[DIGEST]"),
            (r#""root": "[^"]*""#, r#""root": "[ROOT]""#),
            (r"in [0-9,]+ bytes", "in [N] bytes"),
        ]}, { insta::assert_snapshot!($text) })
    };
}

/// The archives of the fixtures, and the log they are of.
fn damaged() -> TestFolder {
    let folder = TestFolder::new();
    for name in ["honest.auditlog", "bit-flipped.auditlog", "truncated.auditlog"] {
        std::fs::copy(fixture(name), folder.path(name)).unwrap();
    }
    std::fs::copy(fixture("honest.checkpoint"), folder.path("kept")).unwrap();
    folder
}

/// A log of the honest shoe with a name.
fn log(folder: &TestFolder, name: &str) {
    let origin = format!("casino.example/{name}");
    let made =
        folder.run(&["ingest", "--create", &fixture("honest.ndjson"), "--log", name, "--origin", &origin]);
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
}

fn code(folder: &TestFolder, ask: &[&str]) -> Option<i32> {
    folder.run(ask).status.code()
}

#[test]
fn nothing_shown_of_a_log_with_a_broken_seal_is_certified() {
    let folder = damaged();
    let flipped = "bit-flipped.auditlog";
    let mut text = folder.see(&["show", "coup", flipped, "--table", "PB-01", "--coup", "3"]);
    text += &folder.see(&["show", "table", flipped]);
    text += &folder.see(&["show", "table", flipped, "--json"]);
    text += &folder.see(&["show", "commission", flipped, "--json"]);
    text += &folder.see(&["show", "table", "truncated.auditlog"]);
    text += &folder.see(&["show", "commission", "truncated.auditlog", "--table", "PB-09"]);
    text +=
        &folder.see(&["show", "coup", "truncated.auditlog", "--table", "PB-01", "--coup", "60", "--json"]);
    text += &folder.see(&["prove", "entry", "truncated.auditlog", "--index", "50", "--out", "p"]);
    text += &folder.see(&[
        "prove",
        "coup",
        "truncated.auditlog",
        "--table",
        "PB-01",
        "--coup",
        "60",
        "--out",
        "p",
    ]);
    assert!(!text.contains("certified\n") && !text.contains(": certified"), "{text}");
    seen!(text);
}

#[test]
fn every_way_of_asking_ends_with_the_seal() {
    let folder = damaged();
    for log in ["bit-flipped.auditlog", "truncated.auditlog"] {
        let coup = ["--table", "PB-01", "--coup", "3"];
        let out = ["--out", "proof", "--force"];
        for ask in [
            vec!["show", "coup", log, coup[0], coup[1], coup[2], coup[3]],
            vec!["show", "shoe", log, "--table", "PB-01"],
            vec!["show", "shoe", log, "--table", "PB-01", "--roads"],
            vec!["show", "table", log],
            vec!["show", "commission", log],
            vec!["prove", "coup", log, coup[0], coup[1], coup[2], coup[3], out[0], out[1], out[2]],
            vec!["prove", "entry", log, "--index", "50", out[0], out[1], out[2]],
            vec!["verify", "log", log],
            vec!["verify", "log", log, "--as", "punto-banco"],
        ] {
            assert_eq!(code(&folder, &ask), Some(3), "{ask:?}");
            let output = folder.run(&[&ask[..], &["--json"]].concat());
            assert_eq!(output.status.code(), Some(3), "{ask:?}");
            if output.stdout.is_empty() {
                // A proof that cannot be made is reported as an error.
                assert_eq!(ask[0], "prove");
                continue;
            }
            let view: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
            let intact = view["seal"]["intact"].as_str().or(view["verdicts"]["intact"].as_str());
            assert_eq!(intact, Some("no"), "{ask:?} {view:#}");
            assert!(!view.to_string().contains(r#":"certified""#), "{ask:?}");
        }
    }
}

/// Who takes the checkpoint or the key away gets no better report than who damages it.
#[test]
fn a_seal_that_is_not_shown_shows_nothing() {
    let folder = TestFolder::new();
    log(&folder, "one");
    for file in ["one/head", "one/checkpoint"] {
        std::fs::remove_file(folder.path(file)).unwrap();
    }
    let mut text = folder.see(&["verify", "log", "one"]);
    text += &folder.see(&["show", "coup", "one", "--table", "PB-01", "--coup", "3"]);
    log(&folder, "two");
    folder.write("two/key.pub", "");
    text += &folder.see(&["verify", "log", "two"]).lines().take(9).collect::<Vec<_>>().join("\n");
    text += "\n";
    for log in ["one", "two"] {
        let report = folder.run(&["verify", "log", log, "--json"]);
        let report: serde_json::Value = serde_json::from_slice(&report.stdout).unwrap();
        for verdict in ["intact", "complete", "certified"] {
            assert_eq!(report["verdicts"][verdict], "unknown", "{log} {verdict}");
        }
        assert_eq!((&report["coups"]["certified"], &report["coups"]["judged"]), (&0.into(), &60.into()));
    }
    seen!(text);
}

/// A file of the folder that was altered or is missing accuses nobody, and is not passed over: a line names it, and what
/// was used in its place.
#[test]
fn a_file_of_the_folder_that_is_not_as_it_was_is_named_on_a_line_of_its_own() {
    let folder = TestFolder::new();
    log(&folder, "log");
    std::fs::copy(folder.path("log/key.pub"), folder.path("kept.pub")).unwrap();
    let whole = |name: &str| std::fs::read(folder.path("log").join(name)).unwrap();
    let checkpoint = String::from_utf8(whole("checkpoint")).unwrap();
    let root = checkpoint.lines().nth(2).unwrap();
    let other = root.replacen(|_| true, if root.starts_with('A') { "B" } else { "A" }, 1);
    let mut of_head = whole("head");
    of_head[40] ^= 1;
    let in_both = |ask: &[&str]| {
        let [english, spanish] = ["en", "es"].map(|lang| folder.see(&[ask, &["--lang", lang]].concat()));
        [english, spanish].map(|text| text.lines().take(11).collect::<Vec<_>>().join("\n") + "\n").concat()
    };
    let mut text = String::new();
    for (file, bytes) in [
        ("checkpoint", Some(checkpoint.replace(root, &other).into_bytes())),
        ("checkpoint", Some(checkpoint.replace("casino.example/log\n", "casino.example/lag\n").into_bytes())),
        ("checkpoint", None),
        ("head", Some(of_head)),
        ("head", None),
        ("key.pub", Some(b"x".to_vec())),
        ("key.pub", None),
        ("store/conf", None),
    ] {
        let (path, before) = (folder.path("log").join(file), whole(file));
        match bytes {
            Some(bytes) => std::fs::write(&path, bytes).unwrap(),
            None => std::fs::remove_file(&path).unwrap(),
        }
        let ask = ["verify", "log", "log", "--key", "kept.pub"];
        text += &in_both(&ask);
        assert_eq!(code(&folder, &ask), Some(0), "{file}");
        let json = folder.run(&[&ask[..], &["--json"]].concat());
        let (view, noted) = (json.stdout, String::from_utf8(json.stderr).unwrap());
        let view: serde_json::Value = serde_json::from_slice(&view).unwrap();
        assert_eq!(view["verdicts"]["intact"], "yes", "{file}");
        assert!(noted.contains(file), "{file}: {noted}");
        let shown = folder.run(&["show", "table", "log"]);
        assert!(String::from_utf8(shown.stderr).unwrap().contains(file), "{file}");
        std::fs::write(path, before).unwrap();
    }
    assert!(!folder.see(&["verify", "log", "log"]).contains("files of the log's folder"));
    insta::assert_snapshot!(text);
}

/// Without a key of one's own a result is no certificate, and with a *no* in it neither.
#[test]
fn what_has_a_no_or_only_the_key_that_came_with_the_log_is_no_certificate() {
    let folder = TestFolder::new();
    log(&folder, "one");
    for (from, to) in [("one/key.pub", "key"), ("one/checkpoint", "kept")] {
        std::fs::copy(folder.path(from), folder.path(to)).unwrap();
    }
    let heading = |ask: &[&str]| {
        let said = folder.see(&[&["verify", "log", "one"], ask].concat());
        said.lines().find(|line| line.contains("intact yes,")).unwrap().to_owned()
    };
    let certificate = "certificate: intact yes, anchored yes, complete yes, certified yes";
    assert_eq!(heading(&["--key", "key", "--checkpoint", "kept"]), certificate);
    assert!(heading(&["--key", "key"]).starts_with("certificate: intact yes, anchored unknown"));
    assert!(
        heading(&["--checkpoint", "kept"]).starts_with("result, not a certificate: intact yes, anchored yes")
    );
}

#[test]
fn another_rulebook_hides_no_verdict() {
    let folder = damaged();
    let mut text = folder.see(&["verify", "log", "bit-flipped.auditlog", "--as", "es-1979"]);
    log(&folder, "other");
    std::fs::copy(fixture("crooked.ndjson"), folder.path("crooked.ndjson")).unwrap();
    folder.run(&["ingest", "--create", "crooked.ndjson", "--log", "crooked"]);
    let crooked = folder.see(&["verify", "log", "crooked", "--as", "es-1979"]);
    text += &crooked.lines().take(10).collect::<Vec<_>>().join("\n");
    let key = std::fs::read_to_string(folder.path("crooked/key.pub")).unwrap();
    let witness = folder.run(&["witness", "new", "w", "--name", "witness.example/w"]);
    assert!(witness.status.success(), "{}", String::from_utf8_lossy(&witness.stderr));
    let vouching = std::fs::read_to_string(folder.path("w/key.pub")).unwrap();
    folder.write("policy", format!("log {}\nwitness w {}\nquorum w\n", key.trim(), vouching.trim()));
    folder.run(&["export", "crooked", "--table", "PB-01", "--coup", "3", "--out", "coup.auditlog"]);
    for (ask, status) in [
        (&["bit-flipped.auditlog", "--as", "es-1979", "--checkpoint", "kept"][..], 3),
        (&["crooked", "--as", "es-1979"], 1),
        (&["honest.auditlog", "--as", "es-1979"], 0),
        (&["honest.auditlog", "--as", "es-1979", "--witness-policy", "policy"], 5),
        (&["honest.auditlog", "--as", "es-1979", "--checkpoint", "other/checkpoint"], 2),
    ] {
        let ask = [&["verify", "log"], ask].concat();
        assert_eq!(code(&folder, &ask), Some(status), "{}", folder.see(&ask));
    }
    seen!(text);
}

/// Another log's key or checkpoint is a mix-up: it is named, and it refutes nothing.
#[test]
fn what_is_of_another_log_accuses_nobody() {
    let folder = TestFolder::new();
    ["one", "two"].iter().for_each(|name| log(&folder, name));
    folder.run(&["export", "two", "--table", "PB-01", "--coup", "3", "--out", "slice"]);
    let verdicts = |text: String| text.lines().take(8).collect::<Vec<_>>().join("\n") + "\n...\n";
    let mut text = verdicts(folder.see(&["verify", "log", "one", "--checkpoint", "two/checkpoint"]));
    text += &verdicts(folder.see(&["verify", "log", "one", "--key", "two/key.pub"]));
    text += &verdicts(folder.see(&[
        "verify",
        "log",
        "one",
        "--key",
        "two/key.pub",
        "--checkpoint",
        "one/checkpoint",
    ]));
    text += &folder.see(&["verify", "checkpoint", "one/checkpoint", "two/checkpoint", "one"]);
    text += &folder.see(&["verify", "checkpoint", "two/checkpoint", "two/checkpoint", "one"]);
    let both = ["verify", "checkpoint", "one/checkpoint", "one/checkpoint", "one"];
    text += &folder.see(&[&both[..], &["--key", "two/key.pub"]].concat());
    text += &folder.see(&["prove", "checkpoint", "one", "two/checkpoint", "--out", "p"]);
    folder.run(&["prove", "entry", "one", "--index", "5", "--out", "five"]);
    text += &folder.see(&["verify", "proof", "five", "--key", "two/key.pub"]);
    for mixed_up in [["--checkpoint", "two/checkpoint"], ["--key", "two/key.pub"]] {
        let ask = [&["verify", "log", "one"], &mixed_up[..]].concat();
        assert_eq!(code(&folder, &ask), Some(2), "{mixed_up:?}");
    }
    seen!(text);
}

#[test]
fn what_is_no_key_and_approves_of_nothing_is_reported() {
    let folder = TestFolder::new();
    log(&folder, "one");
    folder.write("empty", "");
    folder.write("bytes", b"\xff\xfe\x00");
    let mut text = String::new();
    let secret = std::fs::read_to_string(folder.path("one/key")).unwrap();
    for given in ["one/key", secret.trim()] {
        let refused = folder.run(&["verify", "log", "one", "--key", given]);
        let said = String::from_utf8(refused.stderr).unwrap();
        assert!(said.contains("this is the secret key; give the public one, key.pub"), "{said}");
        assert!(!said.contains("PRIVATE"), "{said}");
    }
    for key in ["nowhere", "empty", "one", "one/checkpoint", "bytes", "name+1+x"] {
        text += &folder.see(&["verify", "log", "one", "--key", key]);
    }
    folder.write("comment", "# none yet\n");
    text += &folder.see(&["verify", "log", "one", "--approved", "comment"]);
    text += &folder.see(&["verify", "log", "one", "--approved", "empty"]);
    text += &folder.see(&["rules", "show", "empty"]);
    text += &folder.see(&["keys", "show", "http://127.0.0.1:9"]);
    seen!(text);
}

/// A table's rulebook is in the entry that opens it: to erase it would make findings vanish.
#[test]
fn what_others_need_is_not_erased_unasked() {
    let folder = TestFolder::new();
    std::fs::copy(fixture("crooked.ndjson"), folder.path("crooked.ndjson")).unwrap();
    folder.run(&["ingest", "--create", "crooked.ndjson", "--log", "log"]);
    let names = ["--reason", "art. 17", "--by", "dpo", "--countersigned-by", "director"];
    let rules = [&["redact", "log", "--entry", "0"], &names[..]].concat();
    let mut text = folder.see(&rules);
    assert_eq!(code(&folder, &["verify", "log", "log"]), Some(1), "nothing was erased");
    text += &folder.see(&[&["redact", "log", "--entry", "5"], &names[..]].concat());
    text += &folder.see(&["show", "coup", "log", "--table", "PB-01", "--coup", "5"]);
    text += &folder.see(&[&rules[..], &["--also-rules"]].concat());
    seen!(text);
}

#[test]
fn what_is_there_is_not_overwritten_and_what_fails_leaves_nothing() {
    let folder = TestFolder::new();
    folder.write("rules.toml", "extends = \"es-1979\"\n");
    let mut text = folder.see(&["simulate", "--rulebook", "es-1979", "--out", "rules.toml"]);
    folder.write("bad.csv", "p1,p2,b1,b2\n9,9,1X,2\n");
    let import = ["import", "coups-csv", "bad.csv", "--rulebook", "punto-banco"];
    text += &folder.see(&[&import[..], &["--out", "rules.toml"]].concat());
    text += &folder.see(&[&import[..], &["--out", "half"]].concat());
    assert_eq!(std::fs::read_to_string(folder.path("rules.toml")).unwrap(), "extends = \"es-1979\"\n");
    assert!(!folder.path("half").exists());
    folder.run(&["simulate", "--out", "rules.toml", "--force"]);
    assert!(std::fs::metadata(folder.path("rules.toml")).unwrap().len() > 1_000);
    std::fs::copy(fixture("honest.auditlog"), folder.path("honest.auditlog")).unwrap();
    folder.write("wide", "{\0}\n".chars().flat_map(|c| [c as u8, 0]).collect::<Vec<u8>>());
    for file in ["honest.auditlog", "wide"] {
        text += &folder.see(&["ingest", "--create", file, "--log", "x"]);
    }
    text += &folder.see(&[
        "ingest",
        "--create",
        &fixture("honest.ndjson"),
        "--log",
        "x",
        "--receipts",
        "no/such/folder",
    ]);
    assert!(!folder.path("x").exists(), "a wrong file makes no log");
    let honest = std::fs::read_to_string(fixture("honest.ndjson")).unwrap();
    let five: Vec<&str> = honest.lines().take(5).collect();
    folder.write("a file", five.join("\n") + "\n{\n");
    let options = ["--producer", "pit-7", "--live", "--receipts", "my receipts"];
    text += &folder.see(&[&["ingest", "--create", "a file", "--log", "lo g/new one"], &options[..]].concat());
    folder.write("five", five.join("\n"));
    text += &folder.see(&["ingest", "--create", "five", "--log", "y", "--from-line", "99"]);
    text += &folder.see(&["ingest", "--create", "five", "--log", "y", "--from-line", "0"]);
    assert!(!folder.path("y").exists());
    seen!(text);
}

#[test]
fn a_notice_of_the_log_itself_is_never_withheld() {
    let folder = TestFolder::new();
    folder.run(&["ingest", "--create", &fixture("honest.ndjson"), "--log", "log"]);
    assert_eq!(folder.run(&["keys", "rotate", "log"]).status.code(), Some(0));
    let notice = "63";
    for more in [vec![], vec!["--table", "PB-01"]] {
        let export = ["export", "log", "--out", "copy.auditlog", "--withhold", notice];
        let seen = folder.see(&[&export[..], &more].concat());
        assert!(seen.contains("notices are never withheld") && seen.contains("exit status 2"), "{seen}");
    }
}
