//! Backups and what comes back from them, as a person sees it and as the seal does.
#![allow(clippy::unwrap_used)]

use crate::command::serving::{Serving, agent};
use crate::command::{TestFolder, fixture};

macro_rules! seen {
    ($text:expr) => {
        insta::with_settings!({filters => vec![
            (r"root [A-Za-z0-9+/]{43}=", "root [ROOT]"),
            (r#""root": "[A-Za-z0-9+/]{43}=""#, r#""root": "[ROOT]""#),
            (r"audit\.invalid/(\w+)\+[0-9a-f]{8}\+[A-Za-z0-9+/=]+", "audit.invalid/$1+[KEY]"),
            (r"in [0-9,]+ bytes", "in [N] bytes"),
            (r#""file_bytes": [0-9]+"#, r#""file_bytes": [N]"#),
        ]}, { insta::assert_snapshot!($text) })
    };
}

/// A log of the first events of the honest shoe.
fn begun(folder: &TestFolder) -> Vec<String> {
    let honest = std::fs::read_to_string(fixture("honest.ndjson")).unwrap();
    let lines: Vec<String> = honest.lines().map(str::to_owned).collect();
    folder.write("first", lines[..200].join("\n"));
    folder.write("all", lines.join("\n"));
    assert!(folder.run(&["ingest", "--create", "first", "--log", "log"]).status.success());
    lines
}

// The timer runs this every night, with nobody there to name files and to find the one before.
#[test]
fn a_folder_of_backups_grows_and_never_takes_a_log_that_was_rewritten() {
    let folder = TestFolder::new();
    begun(&folder);
    let add = |log: &str| folder.run(&["backup", log, "--into", "backups"]);
    assert!(!add("log").status.success(), "the folder is not there");
    std::fs::create_dir(folder.path("backups")).unwrap();
    folder.write("backups/notes.txt", "not a backup");
    let names = || {
        let names = std::fs::read_dir(folder.path("backups")).unwrap();
        let mut names: Vec<String> =
            names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names.retain(|name| name != "notes.txt");
        names
    };
    assert!(add("log").status.success() && add("log").status.success());
    let first = names();
    assert_eq!(first.len(), 1, "nothing was recorded in between: {first:?}");
    assert!(folder.run(&["ingest", "all", "--log", "log"]).status.success());
    let output = add("log");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("it holds all") && said.contains("entries of the previous backup"), "{said}");
    let both = names();
    assert!(both.len() == 2 && both[0] == first[0] && both[0] < both[1], "{both:?}");
    let newest = format!("backups/{}", both[1]);
    assert!(said.contains(&newest), "{said}");
    assert_eq!(folder.run(&["verify", "log", &newest]).status.code(), Some(0));
    // The same events under the same name, sealed anew: another history.
    std::fs::rename(folder.path("log"), folder.path("before")).unwrap();
    assert!(folder.run(&["ingest", "--create", "all", "--log", "log"]).status.success());
    std::fs::copy(folder.path("before/key"), folder.path("key")).unwrap();
    assert_eq!(add("log").status.code(), Some(3));
    assert_eq!(names(), both, "what is not a backup has no name");
}

#[test]
fn a_backup_is_verified_follows_the_one_before_and_is_restored_with_the_same_root() {
    let folder = TestFolder::new();
    begun(&folder);
    let mut text = folder.see(&["backup", "log", "--out", "one.auditlog", "--keep-head", "one.checkpoint"]);
    assert!(folder.run(&["ingest", "--create", "all", "--log", "log"]).status.success());
    text += &folder.see(&[
        "backup",
        "log",
        "--out",
        "two.auditlog",
        "--since",
        "one.auditlog",
        "--key",
        "log/key.pub",
    ]);
    text += &folder.see(&["backup", "log", "--out", "two.auditlog"]);
    text += &folder.see(&[
        "backup",
        "log",
        "--out",
        "two.auditlog",
        "--force",
        "--since",
        "one.checkpoint",
        "--json",
    ]);
    text += &folder.see(&["restore", "two.auditlog", "--log", "again", "--key", "log/key"]);
    text += &folder.see(&["restore", "two.auditlog", "--log", "again", "--key", "log/key"]);
    let kept = ["--key", "log/key", "--checkpoint", "log/checkpoint"];
    text += &folder.see(&[&["restore", "two.auditlog", "--log", "third", "--json"], &kept[..]].concat());
    text += &folder.see(&[&["restore", "one.auditlog", "--log", "old"], &kept[..]].concat());
    seen!(text);
    assert!(!folder.path("old").exists() && !folder.path("old.restoring").exists());
    let checkpoint = |log: &str| std::fs::read(folder.path(log).join("checkpoint")).unwrap();
    assert_eq!(checkpoint("log"), checkpoint("again"), "the same entries, the same checkpoint");
    folder.run(&["export", "log", "--out", "a"]);
    folder.run(&["export", "again", "--out", "b"]);
    assert!(
        std::fs::read(folder.path("a")).unwrap() == std::fs::read(folder.path("b")).unwrap(),
        "byte for byte"
    );
    // It is gone on with as the one before would be.
    folder.write("same", std::fs::read(folder.path("all")).unwrap());
    assert_eq!(folder.run(&["ingest", "--create", "same", "--log", "again"]).status.code(), Some(0));
    let verified =
        folder.run(&["verify", "log", "again", "--checkpoint", "one.checkpoint", "--key", "log/key.pub"]);
    assert_eq!(verified.status.code(), Some(0));
}

#[test]
fn what_is_not_the_log_that_was_becomes_no_backup_and_no_log() {
    let folder = TestFolder::new();
    let lines = begun(&folder);
    assert!(folder.run(&["backup", "log", "--out", "one.auditlog"]).status.success());
    // The same log begun again by whoever has its key: another history.
    folder.write("other", lines[..190].join("\n"));
    std::fs::create_dir(folder.path("forged")).unwrap();
    for name in ["key", "key.pub"] {
        std::fs::copy(folder.path("log").join(name), folder.path("forged").join(name)).unwrap();
    }
    assert!(
        folder
            .run(&["ingest", "--create", "other", "--log", "forged", "--producer", "mallory"])
            .status
            .success()
    );
    assert!(folder.run(&["ingest", "--create", "all", "--log", "forged"]).status.success());
    let mut text = folder.see(&["backup", "forged", "--out", "two.auditlog", "--since", "one.auditlog"]);
    assert!(!folder.path("two.auditlog").exists());
    // An altered archive, a slice, another key, a log's folder.
    let mut bytes = std::fs::read(folder.path("one.auditlog")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    folder.write("flipped.auditlog", bytes);
    folder.run(&["export", "log", "--table", "PB-01", "--coup", "2", "--out", "slice.auditlog"]);
    folder.run(&["export", "log", "--withhold", "1", "--out", "withheld.auditlog"]);
    folder.run(&["keys", "new", "other.key", "--origin", "audit.invalid/log"]);
    for (archive, key) in [
        ("flipped.auditlog", "log/key"),
        ("slice.auditlog", "log/key"),
        ("withheld.auditlog", "log/key"),
        ("one.auditlog", "other.key"),
        ("one.auditlog", "log/key.pub"),
        ("log", "log/key"),
        ("absent", "log/key"),
    ] {
        text += &folder.see(&["restore", archive, "--log", "new", "--key", key]);
        assert!(!folder.path("new").exists() && !folder.path("new.restoring").exists(), "{archive}");
    }
    text += &folder.see(&["backup", "one.auditlog", "--out", "two.auditlog"]);
    text += &folder.see(&["backup", "http://127.0.0.1:9", "--out", "two.auditlog"]);
    seen!(text);
}

#[test]
fn what_the_log_erased_stays_erased_in_what_is_restored() {
    let folder = TestFolder::new();
    begun(&folder);
    let by = ["--reason", "a name", "--by", "a", "--countersigned-by", "b"];
    assert!(folder.run(&[&["redact", "log", "--entry", "5"], &by[..]].concat()).status.success());
    assert!(folder.run(&["backup", "log", "--out", "one.auditlog"]).status.success());
    let restored = folder.run(&["restore", "one.auditlog", "--log", "again", "--key", "log/key"]);
    assert!(restored.status.success(), "{}", String::from_utf8_lossy(&restored.stderr));
    let verified = |log: &str| folder.run(&["verify", "log", log, "--json"]).stdout;
    let (before, after): (serde_json::Value, serde_json::Value) = (
        serde_json::from_slice(&verified("log")).unwrap(),
        serde_json::from_slice(&verified("again")).unwrap(),
    );
    assert_eq!(before["verdicts"], after["verdicts"]);
    assert_eq!(before["verdicts"]["intact"], "yes");
}

#[test]
fn a_served_log_is_backed_up_from_its_folder_and_from_its_url() {
    let folder = TestFolder::new();
    let honest = std::fs::read_to_string(fixture("honest.ndjson")).unwrap();
    let lines: Vec<String> = honest.lines().map(str::to_owned).collect();
    let serving = Serving::start(&folder, "log", "");
    assert_eq!(serving.post(&lines[..200]).0, 201);
    let of_folder = folder.run(&["backup", "log", "--out", "one.auditlog"]);
    assert!(of_folder.status.success(), "{}", String::from_utf8_lossy(&of_folder.stderr));
    assert_eq!(serving.post(&lines[200..]).0, 201);
    let of_url =
        ["backup", &serving.url, "--out", "two.auditlog", "--key", "log/key.pub", "--since", "one.auditlog"];
    let of_url = folder.run(&of_url);
    assert!(of_url.status.success(), "{}", String::from_utf8_lossy(&of_url.stderr));
    drop(serving);
    let restored = folder.run(&[
        "restore",
        "two.auditlog",
        "--log",
        "again",
        "--key",
        "log/key",
        "--checkpoint",
        "log/checkpoint",
    ]);
    assert!(restored.status.success(), "{}", String::from_utf8_lossy(&restored.stderr));
    let verified = folder.run(&["verify", "log", "again", "--key", "log/key.pub"]);
    assert!(String::from_utf8_lossy(&verified.stdout).contains("certified  yes      all 60 coups"));
}

#[test]
fn a_refused_request_has_one_log_line_with_its_id_and_nothing_it_should_keep_to_itself() {
    let folder = TestFolder::new();
    let serving = Serving::start(&folder, "log", "");
    let started = serving.wait_for("the service has started");
    assert_eq!(started["entries"], 0, "{started}");
    let url = format!("{}/v1/tables/T-1/events?token=querysecret", serving.url);
    let asked =
        agent().post(&url).header("x-request-id", "pit-7.42").header("authorization", "Bearer headsecret");
    let mut response = asked.header("content-type", "application/x-ndjson").send("bodysecret").unwrap();
    assert_eq!(
        (response.status().as_u16(), response.headers()["x-request-id"].to_str().unwrap()),
        (400, "pit-7.42")
    );
    let problem: serde_json::Value =
        serde_json::from_str(&response.body_mut().read_to_string().unwrap()).unwrap();
    assert_eq!(problem["request_id"], "pit-7.42", "{problem}");
    let line = serving.wait_for("request refused");
    for (field, value) in [("level", "INFO"), ("request_id", "pit-7.42"), ("method", "POST")] {
        assert_eq!(line[field], value, "{line}");
    }
    assert_eq!((&line["status"], &line["bytes"]), (&400.into(), &10.into()), "{line}");
    assert_eq!(
        (&line["path"], &line["problem"]),
        (&"/v1/tables/T-1/events".into(), &"urn:audit:malformed".into())
    );
    assert!(!line.to_string().contains("secret"), "{line}");
    // An id that cannot be written anywhere is replaced by one of ours.
    let response =
        agent().get(format!("{}/nowhere", serving.url)).header("x-request-id", "a b").call().unwrap();
    let fresh = response.headers()["x-request-id"].to_str().unwrap().to_owned();
    assert!(fresh != "a b" && !fresh.is_empty());
    assert_eq!(serving.wait_for("request refused")["request_id"], fresh.as_str());
}
