//! Keys as a person makes, shows and replaces them, and what a stop in between leaves.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::command::{TestFolder, fixture};

/// Keys, roots and digests differ from run to run.
macro_rules! seen {
    ($text:expr) => {
        insta::with_settings!({filters => vec![
            (r"\+[0-9a-f]{8}\+[A-Za-z0-9+/=]{44}", "+[KEY]"),
            (r"id [0-9a-f]{8}", "id [ID]"),
            (r"root [A-Za-z0-9+/]{43}=", "root [ROOT]"),
            (r"  key [0-9a-f]{8}", "  key [KEY]"),
            (r"  findings [0-9a-f]{64}", "  findings [DIGEST]"),
        ]}, { insta::assert_snapshot!($text) })
    };
}

/// A log of the honest shoe, its key kept elsewhere as `first.pub`.
fn log() -> TestFolder {
    let folder = TestFolder::new();
    fs::copy(fixture("honest.ndjson"), folder.path("honest.ndjson")).unwrap();
    let origin = ["--origin", "casino.example/sala/1"];
    let ingest = [&["ingest", "--create", "honest.ndjson", "--log", "log"], &origin[..]].concat();
    assert!(folder.run(&ingest).status.success());
    fs::copy(folder.path("log/key.pub"), folder.path("first.pub")).unwrap();
    folder
}

fn code(folder: &TestFolder, ask: &[&str]) -> Option<i32> {
    folder.run(ask).status.code()
}

#[test]
fn a_key_is_made_shown_and_never_overwritten() {
    let folder = TestFolder::new();
    let new = ["keys", "new", "key", "--origin", "casino.example/sala/1"];
    let mut text = folder.see(&new);
    text += &folder.see(&new);
    text += &folder.see(&["keys", "show", "key"]);
    text += &folder.see(&["keys", "show", "key.pub"]);
    text += &folder.see(&["keys", "new", "other", "--origin", "two words"]);
    assert_eq!(fs::metadata(folder.path("key")).unwrap().permissions().mode() & 0o777, 0o600);
    fs::set_permissions(folder.path("key"), fs::Permissions::from_mode(0o644)).unwrap();
    text += &folder.see(&["keys", "show", "key"]);
    text += &folder.see(&["keys", "show", "nowhere"]);
    assert!(!text.contains("PRIVATE"));
    seen!(text);
}

#[test]
fn a_key_made_beforehand_signs_the_log_made_beside_it() {
    let folder = TestFolder::new();
    fs::copy(fixture("honest.ndjson"), folder.path("honest.ndjson")).unwrap();
    fs::create_dir(folder.path("log")).unwrap();
    folder.run(&["keys", "new", "log/key", "--origin", "casino.example/sala/7"]);
    let made = fs::read_to_string(folder.path("log/key.pub")).unwrap();
    assert_eq!(code(&folder, &["ingest", "--create", "honest.ndjson", "--log", "log"]), Some(0));
    assert_eq!(fs::read_to_string(folder.path("log/key.pub")).unwrap(), made);
    assert_eq!(code(&folder, &["verify", "log", "log", "--key", &made]), Some(0));
}

#[test]
fn an_ml_dsa_key_signs_a_log_and_is_passed_on_to_and_from() {
    let folder = TestFolder::new();
    fs::copy(fixture("honest.ndjson"), folder.path("honest.ndjson")).unwrap();
    fs::create_dir(folder.path("log")).unwrap();
    let new = ["keys", "new", "log/key", "--origin", "casino.example/sala/7", "--algorithm", "ml-dsa-44"];
    assert_eq!(code(&folder, &new), Some(0));
    fs::copy(folder.path("log/key.pub"), folder.path("first.pub")).unwrap();
    assert_eq!(code(&folder, &["ingest", "--create", "honest.ndjson", "--log", "log"]), Some(0));
    let verify = |log: &str| code(&folder, &["verify", "log", log, "--key", "first.pub"]);
    assert_eq!(verify("log"), Some(0));
    assert_eq!(code(&folder, &["export", "log", "--out", "log.auditlog"]), Some(0));
    assert_eq!(verify("log.auditlog"), Some(0));
    // The new key is of the old one's algorithm, then of the other.
    for (options, length) in [(&[][..], 1_752), (&["--algorithm", "ed25519"][..], 44)] {
        assert_eq!(code(&folder, &[&["keys", "rotate", "log"], options].concat()), Some(0));
        let key = fs::read_to_string(folder.path("log/key.pub")).unwrap();
        assert_eq!(key.trim_end().splitn(3, '+').nth(2).unwrap().len(), length);
        assert_eq!(verify("log"), Some(0));
    }
}

#[test]
fn a_rotation_is_recorded_and_honoured() {
    let folder = log();
    fs::copy(folder.path("log/checkpoint"), folder.path("older")).unwrap();
    let mut text = folder.see(&["keys", "rotate", "log"]);
    text += &folder.see(&["keys", "show", "log"]);
    text += &folder.see(&["verify", "log", "log", "--key", "first.pub", "--checkpoint", "older"]);
    folder.run(&["export", "log", "--out", "log.auditlog"]);
    folder.run(&["export", "log", "--table", "PB-01", "--coup", "7", "--out", "coup.auditlog"]);
    for archive in ["log.auditlog", "coup.auditlog"] {
        for key in ["first.pub", "log/key.pub"] {
            let status = code(&folder, &["verify", "log", archive, "--key", key]);
            assert!(matches!(status, Some(0 | 5)), "{archive} with {key}: {status:?}");
        }
    }
    text += &folder.see(&["keys", "show", "log.auditlog"]);
    fs::copy(folder.path("log/checkpoint"), folder.path("newer")).unwrap();
    for log in ["log", "log.auditlog"] {
        let extends = ["verify", "checkpoint", "older", "newer", log, "--key", "first.pub"];
        assert_eq!(code(&folder, &extends), Some(0), "{log}");
        assert_eq!(
            code(&folder, &["prove", "checkpoint", log, "older", "--out", "proof", "--force"]),
            Some(0),
            "{log}"
        );
    }
    seen!(text);
}

#[test]
fn a_log_is_not_written_with_a_key_that_was_passed_on() {
    let folder = log();
    fs::copy(folder.path("log/key"), folder.path("first")).unwrap();
    folder.run(&["keys", "rotate", "log"]);
    fs::rename(folder.path("log/key"), folder.path("second")).unwrap();
    fs::copy(folder.path("first"), folder.path("log/key")).unwrap();
    seen!(folder.see(&["ingest", "--create", "honest.ndjson", "--log", "log"]));
}

/// Whatever a rotation had done when it was stopped, the next start goes on with one key, and the log
/// verifies by the key that was handed out before.
#[test]
fn a_rotation_that_was_stopped_is_ended_by_the_next_start() {
    let folder = log();
    let files = |names: &[&str]| -> Vec<(String, Vec<u8>)> {
        let read = |name: &&str| fs::read(folder.path(name)).ok().map(|bytes| ((*name).to_owned(), bytes));
        names.iter().filter_map(read).collect()
    };
    let before = files(&["log/key", "log/key.pub", "log/checkpoint"]);
    let put = |files: &[(String, Vec<u8>)]| {
        files.iter().for_each(|(name, bytes)| fs::write(folder.path(name), bytes).unwrap())
    };
    let sound = |what: &str| {
        assert_eq!(
            code(&folder, &["ingest", "--create", "honest.ndjson", "--log", "log"]),
            Some(0),
            "{what}"
        );
        assert_eq!(code(&folder, &["verify", "log", "log", "--key", "first.pub"]), Some(0), "{what}");
        assert_eq!(code(&folder, &["verify", "log", "log", "--key", "log/key.pub"]), Some(0), "{what}");
        assert!(!folder.path("log/key.next").exists(), "{what}");
    };
    // Nothing but the new key had been written, whole or in part.
    folder.run(&["keys", "new", "next", "--origin", "casino.example/sala/1"]);
    let next = fs::read(folder.path("next")).unwrap();
    for length in [0, 20, next.len()] {
        fs::write(folder.path("log/key.next"), &next[..length]).unwrap();
        fs::set_permissions(folder.path("log/key.next"), fs::Permissions::from_mode(0o600)).unwrap();
        sound(&format!("{length} bytes of a new key"));
        assert_eq!(files(&["log/key", "log/key.pub"]), before[..2]);
    }
    // The log names the new key; what came after is taken back, step by step.
    folder.run(&["keys", "rotate", "log"]);
    let after = files(&["log/key", "log/key.pub", "log/checkpoint"]);
    for (what, kept) in [("the files had not been swapped", 0), ("the checkpoint had not been kept", 2)] {
        fs::rename(folder.path("log/key"), folder.path("log/key.next")).unwrap();
        put(&before[..2]);
        fs::set_permissions(folder.path("log/key"), fs::Permissions::from_mode(0o600)).unwrap();
        if kept == 2 {
            put(&before[2..]);
        }
        sound(what);
        assert_eq!(files(&["log/key", "log/key.pub"]), after[..2], "{what}");
    }
    put(&before[1..2]);
    sound("the public key had not been replaced");
    assert_eq!(files(&["log/key.pub"]), after[1..2]);
}

#[test]
fn no_log_has_no_key_to_pass_on() {
    let folder = TestFolder::new();
    seen!(folder.see(&["keys", "rotate", "nowhere"]));
}
