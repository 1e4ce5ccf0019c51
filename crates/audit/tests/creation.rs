//! A log is made only where somebody asks for one. A disk that is not mounted leaves an empty folder, or none: a log
//! that began there would be a second one under the same name.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::command::{TestFolder, fixture};

/// Every file below a folder with its content.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(self::files(&path));
            files.insert(path.display().to_string(), Vec::new());
        } else {
            files.insert(path.display().to_string(), fs::read(&path).unwrap());
        }
    }
    files
}

/// The commands that write to a log, each with what they need besides.
const WRITING: [&[&str]; 4] = [
    &["ingest", "honest.ndjson", "--log"],
    &["serve", "--listen", "127.0.0.1:0", "--log"],
    &["keys", "rotate"],
    &["redact", "--entry", "1", "--reason", "r", "--by", "a", "--countersigned-by", "b"],
];

fn world() -> TestFolder {
    let folder = TestFolder::new();
    fs::copy(fixture("honest.ndjson"), folder.path("honest.ndjson")).unwrap();
    folder
}

#[test]
fn an_empty_mount_begins_no_second_log() {
    let folder = world();
    fs::create_dir(folder.path("mount")).unwrap();
    for log in ["mount", "mount/log", "nowhere"] {
        for command in WRITING {
            let said = folder.see(&[command, &[log]].concat());
            assert!(said.ends_with("exit status 2\n") && said.contains("nothing was written"), "{said}");
            assert!(said.contains("mount it") && said.contains("audit init"), "{said}");
        }
    }
    assert!(files(&folder.path("mount")).is_empty() && !folder.path("nowhere").exists());
    // What a new file system has in it is no file of somebody else.
    fs::create_dir(folder.path("mount/lost+found")).unwrap();
    assert_eq!(folder.run(&[WRITING[0], &["mount"]].concat()).status.code(), Some(2));
    assert_eq!(folder.run(&[WRITING[0], &["mount", "--create"]].concat()).status.code(), Some(0));
}

#[test]
fn a_folder_of_other_files_never_becomes_a_log() {
    let folder = world();
    fs::create_dir(folder.path("other")).unwrap();
    folder.write("other/key.pub", "somebody's key\n");
    folder.write("other/accounts.csv", "a,b\n");
    let before = files(&folder.path("other"));
    let asking: [&[&str]; 3] =
        [&["ingest", "honest.ndjson", "--create", "--log"], &["serve", "--create", "--log"], &["init"]];
    for command in WRITING.iter().chain(&asking) {
        let said = folder.see(&[*command, &["other"]].concat());
        assert!(said.ends_with("exit status 2\n") && said.contains("accounts.csv"), "{said}");
    }
    let file = folder.see(&["init", "honest.ndjson"]);
    assert!(file.contains("is a file; a log is a folder") && file.ends_with("exit status 2\n"), "{file}");
    assert_eq!(files(&folder.path("other")), before, "a refused start writes nothing");
}

#[test]
fn a_refused_start_leaves_the_keys_as_they_are() {
    let folder = world();
    assert!(folder.run(&["init", "log", "--origin", "casino.example/sala/1"]).status.success());
    assert!(folder.run(&[WRITING[0], &["log"]].concat()).status.success());
    // Its store was lost, with its key or without.
    fs::rename(folder.path("log/store"), folder.path("store")).unwrap();
    let before = files(&folder.path("log"));
    let lost = folder.see(&[WRITING[0], &["log", "--create"]].concat());
    assert!(lost.contains("were signed for") && lost.ends_with("exit status 3\n"), "{lost}");
    assert_eq!(files(&folder.path("log")), before);
    fs::rename(folder.path("log/key"), folder.path("key")).unwrap();
    let before = files(&folder.path("log"));
    for command in [WRITING[0], WRITING[1]] {
        let without = folder.see(&[command, &["log", "--create"]].concat());
        assert!(
            without.contains("put the log's key back") && without.ends_with("exit status 74\n"),
            "{without}"
        );
    }
    assert_eq!(files(&folder.path("log")), before);
    // Only the public half is there: a new key would replace it.
    fs::create_dir(folder.path("half")).unwrap();
    fs::copy(folder.path("log/key.pub"), folder.path("half/key.pub")).unwrap();
    let half = folder.see(&["init", "half"]);
    assert!(half.contains("put the log's key back"), "{half}");
    assert_eq!(files(&folder.path("half")).len(), 1);
}

#[test]
fn a_log_is_made_once_for_its_owner_alone() {
    let folder = world();
    let made = folder.run(&["init", "a/log", "--origin", "casino.example/sala/1", "--json"]);
    assert!(made.status.success());
    let view: serde_json::Value = serde_json::from_slice(&made.stdout).unwrap();
    let key = fs::read_to_string(folder.path("a/log/key.pub")).unwrap();
    assert_eq!(
        (view["origin"].as_str(), view["key"].as_str()),
        (Some("casino.example/sala/1"), Some(key.trim_end()))
    );
    for path in ["a", "a/log", "a/log/store", "a/log/key"] {
        let mode = fs::metadata(folder.path(path)).unwrap().permissions().mode() & 0o777;
        let expected = if path.ends_with("key") { 0o600 } else { 0o700 };
        assert!(path.ends_with("store") || mode == expected, "{path}: {mode:o}");
    }
    let before = files(&folder.path("a/log"));
    let again = folder.see(&["init", "a/log"]);
    assert!(again.contains("holds a log already") && again.ends_with("exit status 2\n"), "{again}");
    assert_eq!(files(&folder.path("a/log")), before);
    assert_eq!(
        folder.run(&["verify", "log", "a/log"]).status.code(),
        Some(5),
        "there is nothing in it to certify"
    );
    assert_eq!(folder.run(&[WRITING[0], &["a/log"]].concat()).status.code(), Some(0));
    let wrong = folder.see(&["init", "b", "--origin", "no name"]);
    assert!(wrong.contains("--origin") && wrong.ends_with("exit status 2\n"), "{wrong}");
    assert!(!folder.path("b").exists(), "{wrong}");
    // A key that was made before signs the log.
    fs::create_dir(folder.path("c")).unwrap();
    assert!(folder.run(&["keys", "new", "c/key", "--origin", "casino.example/sala/2"]).status.success());
    let made = folder.see(&["init", "c"]);
    assert!(made.contains("the new log casino.example/sala/2"), "{made}");
}
