//! `audit demo`: the same on every machine, in both languages, and what it prints is what the other commands say.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::command::TestFolder;
use crate::command::serving::Started;

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap().replace(env!("CARGO_BIN_EXE_audit"), "audit")
}

fn demo(folder: &TestFolder, arguments: &[&str]) -> String {
    let output = folder.run(&[&["demo"], arguments].concat());
    let (out, errors) = (text(&output.stdout), text(&output.stderr));
    assert_eq!((output.status.code(), errors.as_str()), (Some(0), ""), "{arguments:?}");
    out
}

/// The commands that it names at its end.
fn named(printed: &str) -> Vec<String> {
    let last = printed.rsplit("\n\n").next().unwrap();
    last.lines().filter_map(|line| line.strip_prefix("   ")).map(str::to_owned).collect()
}

/// A command as a shell runs it.
fn shell(folder: &TestFolder, line: &str) -> Command {
    let mut command = Command::new("sh");
    let line = line.strip_prefix("audit ").unwrap();
    command.args(["-c", &format!("exec \"$0\" {line}"), env!("CARGO_BIN_EXE_audit")]);
    command.current_dir(folder.path(".")).env("LC_ALL", "C").env("NO_COLOR", "1").env_remove("AUDIT_LANG");
    command.stdin(Stdio::null());
    command
}

fn in_shell(folder: &TestFolder, line: &str) -> Output {
    shell(folder, line).output().unwrap()
}

#[test]
fn a_theft_is_found_a_changed_byte_is_caught_and_a_coup_is_proven() {
    for (language, snapshot) in [("en", "the_demonstration"), ("es", "the_demonstration_in_spanish")] {
        let printed = demo(&TestFolder::new(), &["--lang", language]);
        insta::assert_snapshot!(snapshot, printed);
        for line in printed.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}

/// The README shows what the program prints.
#[test]
fn the_readme_shows_what_it_prints() {
    let readme = include_str!("../../../README.md");
    let shown = readme.split("```text\n").nth(1).unwrap().split("```").next().unwrap();
    assert!(shown.lines().count() > 10, "{shown}");
    let folder = TestFolder::new();
    let printed = demo(&folder, &[]);
    assert!(printed.contains(shown), "README.md shows\n{shown}\nand the program\n{printed}");
    let event = readme.split("```json\n").nth(1).unwrap().lines().next().unwrap();
    let recorded = fs::read_to_string(folder.path("audit-demo/crooked.ndjson")).unwrap();
    assert!(
        recorded.lines().any(|line| line == event),
        "README.md shows an event of the demonstration: {event}"
    );
}

/// No clock, no random number, no name of this machine: nothing in it is another the second time.
#[test]
fn it_prints_and_seals_the_same_each_time() {
    for arguments in [&[][..], &["--json"]] {
        let folders = [TestFolder::new(), TestFolder::new()];
        let printed = folders.each_ref().map(|folder| demo(folder, arguments));
        assert_eq!(printed[0], printed[1]);
        for file in [
            "crooked/checkpoint",
            "honest/checkpoint",
            "crooked.ndjson",
            "changed.auditlog",
            "coup-17.tlog-proof",
            "crooked/key",
        ] {
            let [one, other] =
                folders.each_ref().map(|folder| fs::read(folder.path("audit-demo").join(file)).unwrap());
            assert!(one == other, "{file}");
        }
    }
}

/// What it names in Spanish is answered in Spanish.
#[test]
fn the_commands_that_it_names_in_spanish_say_so() {
    let folder = TestFolder::new();
    let printed = demo(&folder, &["--lang", "es"]);
    let named = named(&printed);
    assert!(named.len() == 4 && named.iter().all(|line| line.ends_with(" --lang es")), "{named:?}");
    let verified = in_shell(&folder, &named[0]);
    assert!(text(&verified.stdout).contains("íntegro"), "{}", text(&verified.stdout));
}

/// Nothing of it is a text of its own that happens to be right.
#[test]
fn what_it_says_is_what_the_other_commands_say() {
    let folder = TestFolder::new();
    let shown: Value = serde_json::from_str(&demo(&folder, &["d", "--json"])).unwrap();
    let says = |arguments: &[&str]| {
        let output = folder.run(&[arguments, &["--json"]].concat());
        let said: Value = serde_json::from_slice(&output.stdout).unwrap();
        (said, output.status.code().unwrap())
    };
    let (report, status) = says(&["verify", "d/crooked", "--key", "d/crooked.pub"]);
    assert_eq!((&report["verdicts"], status), (&shown["logs"][1]["verdicts"], 1));
    assert_eq!(shown["logs"][1]["exit_status"], 1);
    assert_eq!(report["findings"], shown["theft"]["findings"]);
    assert_eq!(report["findings"].as_array().unwrap().len(), 1);
    assert_eq!(report["seal"]["root"], shown["logs"][1]["root"]);
    let (report, status) = says(&["verify", "d/honest", "--key", "d/honest.pub"]);
    assert_eq!((&report["verdicts"], status), (&shown["logs"][0]["verdicts"], 0));
    let (coup, _) = says(&["show", "coup", "d/crooked", "--table", "PB-01", "--coup", "17"]);
    assert_eq!((&coup["bets"], &coup["cards"]), (&shown["theft"]["bets"], &shown["theft"]["cards"]));
    let (report, status) = says(&["verify", "d/changed.auditlog", "--key", "d/crooked.pub"]);
    assert_eq!((&report["seal"]["faults"], status), (&shown["changed"]["faults"], 3));
    assert_eq!(report["verdicts"], shown["changed"]["verdicts"]);
    let (report, status) = says(&["verify", "d/resealed", "--key", "d/crooked.pub"]);
    let anew = &shown["resealed"];
    assert_eq!((&report["verdicts"], status), (&anew["log"]["verdicts"], 0));
    let kept = ["verify", "d/resealed", "--key", "d/crooked.pub", "--checkpoint", "d/crooked.checkpoint"];
    let (report, status) = says(&kept);
    assert_eq!((&report["verdicts"], status), (&anew["verdicts"], 3));
    assert_eq!(report["verdicts"]["anchored"], "no");
    let (proofs, status) = says(&["verify", "proof", "d/coup-17.tlog-proof", "--key", "d/crooked.pub"]);
    assert_eq!((&proofs[0], status), (&shown["proof"], 0));
    // One byte is changed, and no other.
    let whole = folder.run(&["export", "d/crooked", "--out", "whole.auditlog"]);
    assert!(whole.status.success());
    let [whole, changed] =
        ["whole.auditlog", "d/changed.auditlog"].map(|name| fs::read(folder.path(name)).unwrap());
    let differ: Vec<usize> = (0..whole.len()).filter(|at| whole[*at] != changed[*at]).collect();
    assert_eq!(whole.len(), changed.len());
    assert_eq!(serde_json::to_value(&differ).unwrap(), serde_json::json!([shown["changed"]["offset"]]));
    assert_eq!(shown["changed"]["was"], whole[differ[0]]);
    // The two records differ in one number.
    let [honest, crooked] =
        ["d/honest.ndjson", "d/crooked.ndjson"].map(|name| fs::read_to_string(folder.path(name)).unwrap());
    let lines: Vec<_> = honest.lines().zip(crooked.lines()).filter(|(one, other)| one != other).collect();
    let [(one, other)] = lines[..] else { panic!("{lines:?}") };
    assert_eq!(one.replace("\"returned\":5000", "\"returned\":4900"), other);
}

/// Also from a folder whose name a shell or a command could take for something else.
#[test]
fn the_commands_that_it_names_work_as_they_are_printed() {
    for name in ["audit-demo", "it's $(a) \"folder\"; ñ", "-rf", "http://a"] {
        let folder = TestFolder::new();
        if name.contains('/') {
            fs::create_dir(folder.path("http:")).unwrap();
        }
        let printed = demo(&folder, &["--", name]);
        let [verify, desk, serve, served] = named(&printed).try_into().unwrap();
        let verified = in_shell(&folder, &verify);
        assert_eq!(verified.status.code(), Some(1), "{verify}: {}", text(&verified.stderr));
        assert!(
            text(&verified.stdout).contains("checked against the key you gave"),
            "{}",
            text(&verified.stdout)
        );
        let started = |line: &str| {
            let line = format!("{line} --listen 127.0.0.1:0 --json");
            Started::by(shell(&folder, &line).stderr(Stdio::null()))
        };
        drop(started(&format!("{desk} --no-browser")));
        let service = started(&serve);
        let served = served.replace("http://127.0.0.1:7370", &service.url);
        assert!(served.contains(&service.url), "{served}");
        let verified = in_shell(&folder, &served);
        assert_eq!(verified.status.code(), Some(1), "{served}: {}", text(&verified.stderr));
        assert!(text(&verified.stdout).contains("checked against the key you gave"), "{served}");
    }
}

#[test]
fn the_key_says_that_it_is_worthless() {
    let folder = TestFolder::new();
    demo(&folder, &[]);
    for log in ["honest", "crooked"] {
        let key = fs::read_to_string(folder.path("audit-demo").join(format!("{log}.pub"))).unwrap();
        assert!(
            key.starts_with(&format!("demo.invalid/worthless-everyone-has-the-secret-key/{log}+")),
            "{key}"
        );
        let certificate = text(&folder.run(&["verify", &format!("audit-demo/{log}")]).stdout);
        assert!(certificate.contains("worthless-everyone-has-the-secret-key"), "{certificate}");
    }
}

#[test]
fn a_folder_that_is_there_is_refused_and_stays_as_it_is() {
    let folder = TestFolder::new();
    fs::create_dir(folder.path("empty")).unwrap();
    folder.write("file", "mine");
    std::os::unix::fs::symlink("nowhere", folder.path("link")).unwrap();
    let see = |ask: &[&str]| text(folder.see(ask).as_bytes());
    let said = ["empty", "file", "link", ".", "/"].map(|name| see(&["demo", name]));
    let spanish = see(&["demo", "empty", "--lang", "es"]);
    insta::assert_snapshot!("what_is_there_is_not_touched", format!("{}\n{spanish}", said.join("\n")));
    assert_eq!(fs::read_dir(folder.path("empty")).unwrap().count(), 0);
    assert_eq!(fs::read_to_string(folder.path("file")).unwrap(), "mine");
    assert!(!folder.path("nowhere").exists());
    demo(&folder, &["new"]);
    let before = names(&folder, "new");
    assert_eq!(folder.run(&["demo", "new"]).status.code(), Some(2));
    assert_eq!(names(&folder, "new"), before);
}

fn names(folder: &TestFolder, inside: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(folder.path(inside)).unwrap();
    entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
}

/// What cannot be completed leaves nothing: the next try is not refused.
#[test]
fn what_fails_leaves_no_folder() {
    let folder = TestFolder::new();
    let limited = |script: &str| {
        let mut command = Command::new("sh");
        let script = format!("{script} exec \"$0\" demo d");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_audit")]).current_dir(folder.path("."));
        command.env("LC_ALL", "C").env_remove("AUDIT_LANG").stdin(Stdio::null()).output().unwrap()
    };
    for script in ["ulimit -f 64;", "ulimit -f 8;", "exec >/dev/full;", "export TMPDIR=/nowhere;"] {
        let output = limited(script);
        assert_eq!(output.status.code(), Some(74), "{script} {}", text(&output.stderr));
        assert!(!folder.path("d").exists(), "{script}");
    }
    let missing = folder.run(&["demo", "no/such/d"]);
    assert_eq!(missing.status.code(), Some(74), "{}", text(&missing.stderr));
    assert!(text(&missing.stderr).starts_with("audit: no/such: "), "{}", text(&missing.stderr));
    // A reader that stops reading is no failure.
    let piped = limited("exec >&-;");
    assert!(matches!(piped.status.code(), Some(0 | 74)), "{}", text(&piped.stderr));
}

/// A signal at any point leaves nothing either.
#[test]
fn whoever_stops_it_finds_no_half_of_it() {
    let folder = TestFolder::new();
    demo(&folder, &["whole"]);
    let all = names(&folder, "whole");
    for made in
        ["honest.ndjson", "honest/key", "honest/head", "crooked.ndjson", "crooked/store", "changed.auditlog"]
    {
        let mut command = Command::new(env!("CARGO_BIN_EXE_audit"));
        command
            .args(["demo", "d"])
            .current_dir(folder.path("."))
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        while !folder.path("d").join(made).exists() && child.try_wait().unwrap().is_none() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        let sent = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
        let ended = child.wait_with_output().unwrap();
        // It may have been faster: then all of it is there, however the program ended.
        let there = folder.path("d").exists();
        assert!(there || !ended.status.success(), "{made}: {sent} {}", ended.status);
        if there {
            assert_eq!(names(&folder, "d"), all, "{made}: {sent} {}", ended.status);
        }
        assert_eq!(text(&ended.stderr), "", "{made}");
        let _ = fs::remove_dir_all(folder.path("d"));
    }
}

#[test]
fn a_name_reaches_no_terminal_as_it_is() {
    let folder = TestFolder::new();
    let printed = demo(&folder, &["a\u{1b}[2Jb\u{202e}c"]);
    assert!(!printed.contains(['\u{1b}', '\u{202e}']), "{printed}");
    assert!(printed.contains("a\\u{1b}[2Jb\\u{202e}c"), "{printed}");
}
