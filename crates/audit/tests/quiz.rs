//! `audit quiz`: the judge decides, a pipe of answers is enough, and whatever is answered ends it cleanly.
#![allow(clippy::unwrap_used)]

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::command::TestFolder;

fn answered(arguments: &[&str], answers: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_audit"));
    command.arg("quiz").args(arguments).env("LC_ALL", "C").env("NO_COLOR", "1").env_remove("AUDIT_LANG");
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let answers = answers.to_vec();
    let writing = std::thread::spawn(move || drop(input.write_all(&answers)));
    let output = child.wait_with_output().unwrap();
    writing.join().unwrap();
    output
}

fn text(output: &Output) -> String {
    let part = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    format!("{}{}exit status {}\n", part(&output.stdout), part(&output.stderr), output.status.code().unwrap())
}

fn questions(arguments: &[&str]) -> Vec<Value> {
    let printed = answered(&[arguments, &["--json"]].concat(), b"");
    let printed: Value = serde_json::from_slice(&printed.stdout).unwrap();
    printed["questions"].as_array().unwrap().clone()
}

/// The answers that the printed questions give.
fn key(questions: &[Value]) -> String {
    let answer = |question: &Value| match question["right"].as_bool().unwrap() {
        true => "r\n".to_owned(),
        false => format!("w\n{}\n", question["wrong"][0].as_str().unwrap()),
    };
    questions.iter().map(answer).collect()
}

#[test]
fn coups_are_shown_as_recorded_and_then_as_the_judge_sees_them() {
    let english = text(&answered(&["--seed", "7", "--coups", "3"], b"r\nw\n2\nw\n1\n"));
    let spanish = text(&answered(&["--seed", "7", "--coups", "1", "--lang", "es"], b"quiz\xc3\xa1\nb\n"));
    insta::assert_snapshot!(format!("{english}\n{spanish}"));
}

/// What is shown before the answer does not give it away.
#[test]
fn nothing_of_the_judge_is_shown_before_the_answer() {
    for question in 1..=8 {
        let seed = question.to_string();
        let shown = answered(&["--seed", &seed, "--coups", "1"], b"");
        let shown = String::from_utf8(shown.stdout).unwrap();
        let before = shown.split("right or wrong?").next().unwrap();
        for word in
            ["violated", "judged", "certified", "differs", "expected", "due", "must draw", "must stand"]
        {
            assert!(!before.contains(word), "{word}: {before}");
        }
    }
}

#[test]
fn the_printed_answers_score_everything_and_their_opposites_nothing() {
    for rulebook in ["es-1979", "punto-banco", "mini-side-bets"] {
        let arguments = ["--rulebook", rulebook, "--seed", "11", "--coups", "8"];
        let questions = questions(&arguments);
        assert_eq!(questions.len(), 8);
        let wrong = questions.iter().filter(|question| question["right"] == false).count();
        let all = text(&answered(&arguments, key(&questions).as_bytes()));
        let score =
            format!("right or wrong: 8 of 8 coups; faults named: {wrong} of {wrong}\nexit status 0\n");
        assert!(all.ends_with(&score), "{all}");
        let opposite = |question: &Value| if question["right"] == true { "w\n1\n" } else { "r\n" };
        let opposites: String = questions.iter().map(opposite).collect();
        let none = text(&answered(&arguments, opposites.as_bytes()));
        let score = format!("right or wrong: 0 of 8 coups; faults named: 0 of {wrong}\nexit status 0\n");
        assert!(none.ends_with(&score), "{none}");
        assert_eq!(questions, self::questions(&arguments), "the same seed gives the same questions");
    }
}

/// A question says what `audit verify` says of the same coup: the answer is the judge's.
#[test]
fn a_wrong_coup_has_the_findings_of_the_judge_with_their_clause() {
    for question in questions(&["--seed", "2", "--coups", "12"]) {
        let findings = question["coup"]["findings"].as_array().unwrap();
        let roots: Vec<&Value> = findings.iter().filter(|found| found["cause"].is_null()).collect();
        assert_eq!(question["right"].as_bool().unwrap(), roots.is_empty());
        for found in roots {
            assert!(question["wrong"].as_array().unwrap().contains(&found["code"]), "{found}");
            assert!(!found["rule"]["clause"].as_str().unwrap().is_empty());
        }
    }
}

#[test]
fn an_input_that_ends_and_answers_that_say_nothing_are_described() {
    let ended = text(&answered(&["--coups", "3"], b"r\n"));
    assert!(ended.contains("the answers ended: 1 of 3 coups were judged"), "{ended}");
    assert!(ended.contains("of 1 coup; faults named") && ended.ends_with("exit status 5\n"), "{ended}");
    let in_the_middle = text(&answered(&["--coups", "1"], b"w\n"));
    assert!(in_the_middle.contains("0 of 1 coups were judged"), "{in_the_middle}");
    let corrected = text(&answered(&["--coups", "1"], b"\nyes\n\x1b[2J\nw\n9\nnone\n1\n"));
    assert_eq!(corrected.matches("that is not one of the answers").count(), 5, "{corrected}");
    assert!(corrected.ends_with("exit status 0\n") && !corrected.contains('\x1b'), "{corrected}");
    for endless in [b"yes\n".repeat(1_000), vec![b'x'; 64 << 20], vec![0xff; 1 << 20]] {
        let refused = answered(&["--coups", "3"], &endless);
        assert!(refused.stdout.len() < 20_000);
        assert!(matches!(refused.status.code(), Some(2 | 5)), "{}", text(&refused));
    }
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let folder = TestFolder::new();
    for (arguments, status) in [
        (&["quiz", "--coups", "0"][..], 2),
        (&["quiz", "--coups", "101"], 2),
        (&["quiz", "--seed", "dice"], 2),
        (&["quiz", "--rulebook", "nowhere"], 2),
        (&["quiz", "--rulebook", "chemin-de-fer-es-1979"], 2),
    ] {
        let refused = folder.run(arguments);
        assert_eq!(refused.status.code(), Some(status), "{arguments:?}");
        assert!(!refused.stderr.is_empty() && refused.stdout.is_empty());
    }
}
