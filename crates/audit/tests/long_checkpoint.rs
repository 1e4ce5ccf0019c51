//! A checkpoint that does not fit into a slot of `head` is never made, and one that somebody else made is refused before
//! anything is written.
#![allow(clippy::unwrap_used)]

use tlog::note::SigningKey;

use crate::command::{TestFolder, fixture};

/// Every file below a folder, with its bytes.
fn bytes_of(folder: &std::path::Path) -> std::collections::BTreeMap<std::path::PathBuf, Vec<u8>> {
    let mut all = std::collections::BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_dir() {
            all.extend(bytes_of(&entry.path()));
        } else {
            all.insert(entry.path(), std::fs::read(entry.path()).unwrap());
        }
    }
    all
}

/// A log of the honest shoe, whose checkpoint somebody with its key signed anew with lines behind the root.
fn lengthened() -> (TestFolder, String) {
    let folder = TestFolder::new();
    let honest = fixture("honest.ndjson");
    let made =
        folder.run(&["ingest", "--create", &honest, "--log", "log", "--origin", "casino.example/sala/1"]);
    assert!(made.status.success());
    let kept = std::fs::read_to_string(folder.path("log/checkpoint")).unwrap();
    let key: SigningKey = std::fs::read_to_string(folder.path("log/key")).unwrap().trim().parse().unwrap();
    let body = kept.split("\n\n").next().unwrap();
    folder.write("log/checkpoint", key.sign(&format!("{body}\n{}", "an extension line\n".repeat(300))));
    std::fs::remove_file(folder.path("log/head")).unwrap();
    (folder, kept)
}

#[test]
fn a_checkpoint_that_is_too_long_is_refused_and_nothing_is_lost() {
    let (folder, kept) = lengthened();
    let honest = fixture("honest.ndjson");
    let before = bytes_of(&folder.path("log"));
    for (language, sentence) in [
        (
            "en",
            "log/checkpoint: a checkpoint of 5590 bytes, and 4060 fit into `head`; put the checkpoint back",
        ),
        (
            "es",
            "log/checkpoint: un punto de control de 5590 bytes, y en `head` caben 4060; devuelva el punto",
        ),
    ] {
        let output = folder.run(&["ingest", &honest, "--log", "log", "--lang", language]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(3), "{said}");
        assert!(said.contains(sentence) && !said.contains("detalle"), "{said}");
        assert!(bytes_of(&folder.path("log")) == before, "something was written");
    }
    // It can be looked at and handed on, and is no log to go on with anywhere else either.
    assert_eq!(folder.run(&["verify", "log", "log"]).status.code(), Some(0));
    assert!(folder.run(&["export", "log", "--out", "log.auditlog"]).status.success());
    let restored = folder.run(&["restore", "log.auditlog", "--log", "back", "--key", "log/key"]);
    let said = String::from_utf8(restored.stderr).unwrap();
    assert!(!restored.status.success() && said.contains("4060 fit into `head`"), "{said}");
    assert!(!folder.path("back").exists());
    // As it was signed it goes on.
    folder.write("log/checkpoint", kept);
    let output = folder.run(&["ingest", &honest, "--log", "log"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(folder.run(&["verify", "log", "log"]).status.code(), Some(0));
}

/// The longest name there is, the longest signatures, two of them after a rotation: all of it fits, and `head` alone is
/// enough to go on.
#[test]
fn the_longest_checkpoint_of_a_log_is_kept() {
    let folder = TestFolder::new();
    let (origin, honest) = ("c".repeat(255), fixture("honest.ndjson"));
    let run = |arguments: &[&str]| {
        let output = folder.run(arguments);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{arguments:?}: {said}");
    };
    std::fs::create_dir(folder.path("log")).unwrap();
    run(&["keys", "new", "log/key", "--origin", &origin, "--algorithm", "ml-dsa-44"]);
    run(&["init", "log", "--origin", &origin]);
    run(&["ingest", &honest, "--log", "log"]);
    run(&["keys", "rotate", "log"]);
    std::fs::remove_file(folder.path("log/checkpoint")).unwrap();
    run(&["ingest", &honest, "--log", "log"]);
    run(&["verify", "log", "log"]);
    let longer = folder.run(&["init", "other", "--origin", &format!("{origin}c")]);
    let said = String::from_utf8(longer.stderr).unwrap();
    assert!(longer.status.code() == Some(2) && said.contains("1 to 255 bytes"), "{said}");
    assert!(!folder.path("other").exists());
}
