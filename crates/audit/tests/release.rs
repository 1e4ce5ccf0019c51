//! What a release is made of: signed lists that can be verified, manual pages, completions.
#![allow(clippy::unwrap_used)]

use crate::command;
use crate::command::TestFolder;

/// A folder with two files, a key, and their signed list.
fn released() -> (TestFolder, String) {
    let folder = TestFolder::new();
    folder.write("audit_0.1.0-1_amd64.deb", "the package");
    folder.write("audit.cdx.json", "{}");
    assert!(folder.run(&["keys", "new", "releases", "--origin", "audit.example/releases"]).status.success());
    let signed = [
        "release",
        "sign",
        "audit.cdx.json",
        "audit_0.1.0-1_amd64.deb",
        "--key",
        "releases",
        "--out",
        "list.note",
    ];
    let seen = folder.see(&signed);
    assert!(seen.ends_with("exit status 0\n"), "{seen}");
    let key = std::fs::read_to_string(folder.path("releases.pub")).unwrap().trim().to_owned();
    (folder, key)
}

fn verify(folder: &TestFolder, more: &[&str]) -> (String, Option<i32>) {
    let output = folder.run(&[&["release", "verify", "list.note", "--key", "releases.pub"], more].concat());
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    (text, output.status.code())
}

#[test]
fn a_release_verifies_with_the_key_that_signed_it() {
    let (folder, key) = released();
    let (text, status) = verify(&folder, &[]);
    assert_eq!(text, format!("signed by {key}\naudit.cdx.json same\naudit_0.1.0-1_amd64.deb same\n"));
    assert_eq!(status, Some(0));
    let (json, _) = verify(&folder, &["--json", "audit.cdx.json"]);
    let view: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(view["files"], serde_json::json!([{ "file": "audit.cdx.json", "found": "same" }]));
    let again = folder.see(&["release", "sign", "audit.cdx.json", "--key", "releases", "--out", "list.note"]);
    assert!(again.contains("already exists") && again.ends_with("exit status 2\n"), "{again}");
}

/// Others read the list too: it is what `sha256sum` prints, under a heading and above signatures.
#[test]
fn the_list_is_read_by_other_tools() {
    let (folder, _) = released();
    let note = std::fs::read_to_string(folder.path("list.note")).unwrap();
    let mut lines = note.lines();
    assert_eq!(lines.next(), Some("audit release, format 1: SHA-256 sums"));
    assert_eq!(
        lines.next(),
        Some("44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a  audit.cdx.json")
    );
    let parsed = signed_note_of(&note);
    assert_eq!(parsed.0, 2, "files");
    assert!(parsed.1.starts_with("\u{2014} audit.example/releases "));
}

/// How many lines name a file, and the signature line.
fn signed_note_of(note: &str) -> (usize, String) {
    let (text, signatures) = note.rsplit_once("\n\n").unwrap();
    (text.lines().skip(1).count(), signatures.trim_end().to_owned())
}

/// The writer of the folder cannot hold a verification up.
#[test]
fn what_is_no_file_and_what_never_ends_is_not_waited_for() {
    let (folder, _) = released();
    let path = folder.path("audit.cdx.json");
    let seen = |why: &str| {
        let began = std::time::Instant::now();
        let (text, status) = verify(&folder, &[]);
        assert!(text.contains(&format!("audit.cdx.json {why}")), "{text}");
        assert!(text.contains("audit_0.1.0-1_amd64.deb same"), "{text}");
        assert_eq!(status, Some(3), "{text}");
        assert!(began.elapsed() < std::time::Duration::from_secs(20));
    };
    std::fs::remove_file(&path).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    seen("is NOT a file");
    let sign = ["release", "sign", "audit.cdx.json", "--key", "releases", "--out", "other.note"];
    let signed = folder.see(&sign);
    assert!(signed.contains("is NOT a file") && signed.ends_with("exit status 2\n"), "{signed}");
    std::fs::remove_file(&path).unwrap();
    std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
    seen("is NOT a file");
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    seen("is NOT a file");
    std::fs::remove_dir(&path).unwrap();
    if std::fs::File::create(&path).unwrap().set_len(1 << 40).is_ok() {
        seen("is longer than 4294967296 bytes");
    }
}

#[test]
fn what_differs_is_missing_or_is_not_listed_is_told_apart() {
    let (folder, _) = released();
    folder.write("audit.cdx.json", "{ }");
    let (text, status) = verify(&folder, &[]);
    assert!(text.contains("audit.cdx.json DIFFERS from what was signed\n"), "{text}");
    assert_eq!(status, Some(3));
    std::fs::remove_file(folder.path("audit.cdx.json")).unwrap();
    let (text, status) = verify(&folder, &[]);
    assert!(text.contains("audit.cdx.json is not there\n"), "{text}");
    assert_eq!(status, Some(5));
    folder.write("other", "");
    let (text, status) = verify(&folder, &["other"]);
    assert!(text.contains("other is NOT in the signed list\n"), "{text}");
    assert_eq!(status, Some(3));
}

#[test]
fn a_list_that_was_changed_or_signed_by_somebody_else_is_refused() {
    let (folder, _) = released();
    let note = std::fs::read_to_string(folder.path("list.note")).unwrap();
    folder.write("list.note", note.replacen("4", "5", 1));
    let (text, status) = verify(&folder, &[]);
    assert_eq!(status, Some(3), "{text}");
    folder.write("list.note", &note);
    folder.run(&["keys", "new", "another", "--origin", "audit.example/releases"]);
    let other = folder.see(&["release", "verify", "list.note", "--key", "another.pub"]);
    assert!(other.ends_with("exit status 3\n"), "{other}");
    for text in ["", "no note", "a\n\n\u{2014} b c\n"] {
        folder.write("list.note", text);
        let (said, status) = verify(&folder, &[]);
        assert!(matches!(status, Some(3 | 4)), "{text:?}: {said}");
    }
}

/// A signature of a checkpoint is none of a release, and names lead to no other folder.
#[test]
fn a_signed_text_that_is_no_list_is_none() {
    let folder = TestFolder::new();
    folder.run(&["keys", "new", "key", "--origin", "audit.example/log"]);
    folder.write("events.ndjson", std::fs::read(command::fixture("honest.ndjson")).unwrap());
    let sealed =
        folder.see(&["ingest", "--create", "events.ndjson", "--log", "log", "--origin", "audit.example/log"]);
    assert!(sealed.ends_with("exit status 0\n"), "{sealed}");
    let said = folder.see(&["release", "verify", "log/checkpoint", "--key", "log/key.pub"]);
    assert!(
        said.contains("line 1 is not one of a release's list") && said.ends_with("exit status 4\n"),
        "{said}"
    );
    let named = folder.see(&["release", "sign", "..", "--key", "key", "--out", "x"]);
    assert!(named.ends_with("exit status 2\n"), "{named}");
}

#[test]
fn every_command_has_a_manual_page_and_every_shell_its_completions() {
    let folder = TestFolder::new();
    let seen = folder.see(&["man", "--out", "man"]);
    assert!(seen.ends_with("exit status 0\n"), "{seen}");
    for (page, part) in [
        ("audit.1", "Exit status"),
        ("audit-verify-log.1", "\\-\\-checkpoint"),
        ("audit-rules-new.1", "\\-\\-extends"),
        ("audit-release-verify.1", "\\-\\-key"),
        ("audit-serve.1", "\\-\\-listen"),
    ] {
        let text = std::fs::read_to_string(folder.path("man").join(page)).unwrap();
        assert!(text.starts_with(".ie") && text.contains(part), "{page} lacks {part}:\n{text}");
    }
    for (shell, part) in
        [("bash", "complete -F _audit"), ("zsh", "#compdef audit"), ("fish", "complete -c audit")]
    {
        let output = folder.run(&["completions", shell]);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains(part) && text.contains("release"), "{shell}");
    }
    let unknown = folder.see(&["completions", "tcsh"]);
    assert!(unknown.ends_with("exit status 2\n"), "{unknown}");
}
