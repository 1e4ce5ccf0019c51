//! Keys as a person makes, shows and replaces them, and what a stop in between leaves.
#![allow(clippy::unwrap_used)]

mod command;

use std::fs;
use std::os::unix::fs::PermissionsExt;

use command::{Place, fixture};

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
fn log() -> Place {
    let place = Place::new();
    fs::copy(fixture("honest.ndjson"), place.path("honest.ndjson")).unwrap();
    let origin = ["--origin", "casino.example/sala/1"];
    let ingest = [&["ingest", "honest.ndjson", "--log", "log"], &origin[..]].concat();
    assert!(place.run(&ingest).status.success());
    fs::copy(place.path("log/key.pub"), place.path("first.pub")).unwrap();
    place
}

fn code(place: &Place, ask: &[&str]) -> Option<i32> {
    place.run(ask).status.code()
}

#[test]
fn a_key_is_made_shown_and_never_overwritten() {
    let place = Place::new();
    let new = ["keys", "new", "key", "--origin", "casino.example/sala/1"];
    let mut text = place.see(&new);
    text += &place.see(&new);
    text += &place.see(&["keys", "show", "key"]);
    text += &place.see(&["keys", "show", "key.pub"]);
    text += &place.see(&["keys", "new", "other", "--origin", "two words"]);
    assert_eq!(fs::metadata(place.path("key")).unwrap().permissions().mode() & 0o777, 0o600);
    fs::set_permissions(place.path("key"), fs::Permissions::from_mode(0o644)).unwrap();
    text += &place.see(&["keys", "show", "key"]);
    text += &place.see(&["keys", "show", "nowhere"]);
    assert!(!text.contains("PRIVATE"));
    seen!(text);
}

#[test]
fn a_key_made_beforehand_signs_the_log_made_beside_it() {
    let place = Place::new();
    fs::copy(fixture("honest.ndjson"), place.path("honest.ndjson")).unwrap();
    fs::create_dir(place.path("log")).unwrap();
    place.run(&["keys", "new", "log/key", "--origin", "casino.example/sala/7"]);
    let made = fs::read_to_string(place.path("log/key.pub")).unwrap();
    assert_eq!(code(&place, &["ingest", "honest.ndjson", "--log", "log"]), Some(0));
    assert_eq!(fs::read_to_string(place.path("log/key.pub")).unwrap(), made);
    assert_eq!(code(&place, &["verify", "log", "log", "--key", &made]), Some(0));
}

#[test]
fn an_ml_dsa_key_signs_a_log_and_is_passed_on_to_and_from() {
    let place = Place::new();
    fs::copy(fixture("honest.ndjson"), place.path("honest.ndjson")).unwrap();
    fs::create_dir(place.path("log")).unwrap();
    let new = ["keys", "new", "log/key", "--origin", "casino.example/sala/7", "--algorithm", "ml-dsa-44"];
    assert_eq!(code(&place, &new), Some(0));
    fs::copy(place.path("log/key.pub"), place.path("first.pub")).unwrap();
    assert_eq!(code(&place, &["ingest", "honest.ndjson", "--log", "log"]), Some(0));
    let verify = |log: &str| code(&place, &["verify", "log", log, "--key", "first.pub"]);
    assert_eq!(verify("log"), Some(0));
    assert_eq!(code(&place, &["export", "log", "--out", "log.auditlog"]), Some(0));
    assert_eq!(verify("log.auditlog"), Some(0));
    // The new key is of the old one's algorithm, then of the other.
    for (options, length) in [(&[][..], 1_752), (&["--algorithm", "ed25519"][..], 44)] {
        assert_eq!(code(&place, &[&["keys", "rotate", "log"], options].concat()), Some(0));
        let key = fs::read_to_string(place.path("log/key.pub")).unwrap();
        assert_eq!(key.trim_end().splitn(3, '+').nth(2).unwrap().len(), length);
        assert_eq!(verify("log"), Some(0));
    }
}

#[test]
fn a_rotation_is_recorded_and_honoured() {
    let place = log();
    fs::copy(place.path("log/checkpoint"), place.path("older")).unwrap();
    let mut text = place.see(&["keys", "rotate", "log"]);
    text += &place.see(&["keys", "show", "log"]);
    text += &place.see(&["verify", "log", "log", "--key", "first.pub", "--checkpoint", "older"]);
    place.run(&["export", "log", "--out", "log.auditlog"]);
    place.run(&["export", "log", "--table", "PB-01", "--coup", "7", "--out", "coup.auditlog"]);
    for archive in ["log.auditlog", "coup.auditlog"] {
        for key in ["first.pub", "log/key.pub"] {
            let status = code(&place, &["verify", "log", archive, "--key", key]);
            assert!(matches!(status, Some(0 | 5)), "{archive} with {key}: {status:?}");
        }
    }
    text += &place.see(&["keys", "show", "log.auditlog"]);
    fs::copy(place.path("log/checkpoint"), place.path("newer")).unwrap();
    for log in ["log", "log.auditlog"] {
        let extends = ["verify", "checkpoint", "older", "newer", log, "--key", "first.pub"];
        assert_eq!(code(&place, &extends), Some(0), "{log}");
        assert_eq!(
            code(&place, &["prove", "checkpoint", log, "older", "--out", "proof", "--force"]),
            Some(0),
            "{log}"
        );
    }
    seen!(text);
}

#[test]
fn a_log_is_not_written_with_a_key_that_was_passed_on() {
    let place = log();
    fs::copy(place.path("log/key"), place.path("first")).unwrap();
    place.run(&["keys", "rotate", "log"]);
    fs::rename(place.path("log/key"), place.path("second")).unwrap();
    fs::copy(place.path("first"), place.path("log/key")).unwrap();
    seen!(place.see(&["ingest", "honest.ndjson", "--log", "log"]));
}

/// Whatever a rotation had done when it was stopped, the next start goes on with one key, and the log
/// verifies by the key that was handed out before.
#[test]
fn a_rotation_that_was_stopped_is_ended_by_the_next_start() {
    let place = log();
    let files = |names: &[&str]| -> Vec<(String, Vec<u8>)> {
        let read = |name: &&str| fs::read(place.path(name)).ok().map(|bytes| ((*name).to_owned(), bytes));
        names.iter().filter_map(read).collect()
    };
    let before = files(&["log/key", "log/key.pub", "log/checkpoint"]);
    let put = |files: &[(String, Vec<u8>)]| {
        files.iter().for_each(|(name, bytes)| fs::write(place.path(name), bytes).unwrap())
    };
    let sound = |what: &str| {
        assert_eq!(code(&place, &["ingest", "honest.ndjson", "--log", "log"]), Some(0), "{what}");
        assert_eq!(code(&place, &["verify", "log", "log", "--key", "first.pub"]), Some(0), "{what}");
        assert_eq!(code(&place, &["verify", "log", "log", "--key", "log/key.pub"]), Some(0), "{what}");
        assert!(!place.path("log/key.next").exists(), "{what}");
    };
    // Nothing but the new key had been written, whole or in part.
    place.run(&["keys", "new", "next", "--origin", "casino.example/sala/1"]);
    let next = fs::read(place.path("next")).unwrap();
    for length in [0, 20, next.len()] {
        fs::write(place.path("log/key.next"), &next[..length]).unwrap();
        fs::set_permissions(place.path("log/key.next"), fs::Permissions::from_mode(0o600)).unwrap();
        sound(&format!("{length} bytes of a new key"));
        assert_eq!(files(&["log/key", "log/key.pub"]), before[..2]);
    }
    // The log names the new key; what came after is taken back, step by step.
    place.run(&["keys", "rotate", "log"]);
    let after = files(&["log/key", "log/key.pub", "log/checkpoint"]);
    for (what, kept) in [("the files had not changed places", 0), ("the head had not been kept", 2)] {
        fs::rename(place.path("log/key"), place.path("log/key.next")).unwrap();
        put(&before[..2]);
        fs::set_permissions(place.path("log/key"), fs::Permissions::from_mode(0o600)).unwrap();
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
    let place = Place::new();
    seen!(place.see(&["keys", "rotate", "nowhere"]));
}
