//! Proofs as a person makes and checks them: output, errors and exit status in one block.
#![allow(clippy::unwrap_used)]

use serde_json::Value;

use crate::command::TestFolder;
use crate::command::schema::fits;

/// Digests, keys and lengths of logs differ from run to run: their clock and key do.
macro_rules! seen {
    ($text:expr) => {
        insta::with_settings!({filters => vec![
            (r"[0-9a-f]{64}", "[DIGEST]"),
            (r"\+[0-9a-f]{8}\+[A-Za-z0-9+/=]{44}", "+[KEY]"),
            (r"\+[0-9a-f]{8}\b", "+[ID]"),
        ]}, { insta::assert_snapshot!($text) })
    };
}

/// Events of a hundred coups somebody wrote down, and the first 300 of them. (Not of a simulated
/// table: what that plays may change.)
fn written_down() -> (TestFolder, String) {
    let folder = TestFolder::new();
    let coups: String = (1..=100).map(|number| format!("A,{number},9D,KH,2C,5S\n")).collect();
    folder.write("coups.csv", format!("shoe,coup,p1,p2,b1,b2\n{coups}"));
    let import = ["import", "coups-csv", "coups.csv", "--rulebook", "punto-banco", "--table", "PB-01"];
    assert!(folder.run(&[&import[..], &["--out", "events"]].concat()).status.success());
    let events = std::fs::read_to_string(folder.path("events")).unwrap();
    folder.write("first", events.lines().take(300).collect::<Vec<_>>().join("\n"));
    (folder, events)
}

/// A log of these in two sittings, with the checkpoint kept after the first.
fn grown() -> TestFolder {
    let (folder, _) = written_down();
    let origin = ["--origin", "casino.example/sala/1"];
    assert!(
        folder
            .run(&[&["ingest", "--create", "first", "--log", "log"], &origin[..]].concat())
            .status
            .success()
    );
    std::fs::copy(folder.path("log/checkpoint"), folder.path("older")).unwrap();
    assert!(folder.run(&["ingest", "--create", "events", "--log", "log"]).status.success());
    std::fs::copy(folder.path("log/checkpoint"), folder.path("newer")).unwrap();
    std::fs::copy(folder.path("log/key.pub"), folder.path("key.pub")).unwrap();
    folder
}

#[test]
fn a_coup_is_proven_to_somebody_who_has_only_the_key() {
    let folder = grown();
    let coup = ["prove", "coup", "log", "--table", "PB-01", "--coup", "3", "--out", "coup.tlog-proof"];
    let mut text = folder.see(&coup);
    text += &folder.see(&coup);
    std::fs::rename(folder.path("log"), folder.path("elsewhere")).unwrap();
    text += &folder.see(&["verify", "proof", "coup.tlog-proof", "--key", "key.pub"]);
    text += &folder.see(&["verify", "proof", "coup.tlog-proof", "--key", "key.pub", "--events"]);
    text +=
        &folder.see(&["prove", "coup", "elsewhere", "--table", "PB-01", "--coup", "500", "--out", "none"]);
    seen!(text);
}

#[test]
fn a_coup_recorded_event_by_event_has_a_proof_for_each_entry() {
    let (folder, _) = written_down();
    folder.run(&["ingest", "--create", "first", "--log", "log", "--live"]);
    let mut text =
        folder.see(&["prove", "coup", "log", "--table", "PB-01", "--coup", "1", "--out", "coup.tlog-proof"]);
    let proofs: Vec<String> = (0..900)
        .map(|index| format!("coup-{index}.tlog-proof"))
        .filter(|name| folder.path(name).exists())
        .collect();
    let proofs: Vec<&str> = proofs.iter().map(String::as_str).collect();
    let ask = [&["verify", "proof", "--key", "log/key.pub"], &proofs[..]].concat();
    text += &folder.see(&ask);
    seen!(text);
}

#[test]
fn an_entry_is_found_by_place_digest_or_event_in_a_log_and_its_archive() {
    let folder = grown();
    folder.run(&["export", "log", "--out", "log.auditlog"]);
    let entry = ["--out", "p", "--force", "--json"];
    let prove = |log: &str, which: &[&str]| {
        let output = folder.run(&[&["prove", "entry", log], which, &entry].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let view: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        (view["proofs"][0]["digest"].as_str().unwrap().to_owned(), std::fs::read(folder.path("p")).unwrap())
    };
    let (digest, proof) = prove("log", &["--index", "30"]);
    for log in ["log", "log.auditlog"] {
        for which in
            [&["--index", "30"][..], &["--digest", &digest], &["--table", "PB-01", "--sequence", "350"]]
        {
            let (found, bytes) = prove(log, which);
            if which[0] == "--table" {
                assert_ne!(found, digest);
            } else {
                assert_eq!((found.as_str(), &bytes), (digest.as_str(), &proof), "{log} {which:?}");
            }
            let checked = folder.run(&["verify", "proof", "p", "--key", "key.pub", "--json"]);
            let view: serde_json::Value = serde_json::from_slice(&checked.stdout).unwrap();
            assert_eq!((view[0]["proven"].as_bool(), checked.status.code()), (Some(true), Some(0)));
            let events = view[0]["events"].as_array().unwrap();
            assert_eq!(view[0]["sequences"][0], events[0]["sequence"]);
        }
    }
}

#[test]
fn proofs_that_do_not_hold_are_rejected_with_the_reason() {
    let folder = grown();
    folder.run(&["prove", "entry", "log", "--index", "5", "--out", "good"]);
    folder.run(&["prove", "entry", "log", "--index", "5", "--out", "bare", "--without-entry"]);
    let good = std::fs::read_to_string(folder.path("good")).unwrap();
    folder.write("moved", good.replace("index 5", "index 6"));
    folder.write("beyond", good.replace("index 5", "index 500"));
    folder.write("altered", good.replacen("extra iAF", "extra iAE", 1));
    let newer = std::fs::read_to_string(folder.path("newer")).unwrap();
    let size = newer.lines().nth(1).unwrap();
    folder.write("grown", good.replace(&format!("\n{size}\n"), &format!("\n{size}0\n")));
    folder.write("no-proof", "c2sp.org/tlog-proof@v1\nindex five\n");
    folder.write("empty", "");
    folder.write("binary", [0xff, 0xfe]);
    let mut text = String::new();
    let bent = ["moved", "beyond", "altered", "grown", "no-proof", "empty", "binary", "missing"];
    for name in bent {
        text += &folder.see(&["verify", "proof", name, "--key", "key.pub"]);
    }
    text += &folder.see(&["verify", "proof", "good", "moved", "--key", "key.pub"]);
    text += &folder.see(&["verify", "proof", "bare", "--key", "key.pub"]);
    text += &folder.see(&["verify", "proof", "bare", "--key", "key.pub", "--digest", &"0".repeat(64)]);
    text += &folder.see(&["verify", "proof", "bare", "--key", "key.pub", "--entry", "empty"]);
    folder.run(&["ingest", "--create", "first", "--log", "stranger", "--origin", "casino.example/sala/1"]);
    text += &folder.see(&["verify", "proof", "good", "--key", "stranger/key.pub"]);
    text += &folder.see(&["prove", "entry", "log", "--index", size, "--out", "none"]);
    text += &folder.see(&["prove", "entry", "log", "--out", "none"]);
    seen!(text);
}

#[test]
fn what_was_left_out_of_a_proof_is_proven_by_its_digest() {
    let folder = grown();
    let output =
        folder.run(&["prove", "entry", "log", "--index", "5", "--out", "bare", "--without-entry", "--json"]);
    let view: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let digest = view["proofs"][0]["digest"].as_str().unwrap();
    seen!(folder.see(&["verify", "proof", "bare", "--key", "key.pub", "--digest", digest]));
}

#[test]
fn a_cose_receipt_says_the_same() {
    let folder = grown();
    folder.run(&["export", "log", "--out", "log.auditlog"]);
    let cose = ["--format", "cose", "--out", "receipt.cose"];
    let mut text =
        folder.see(&[&["prove", "coup", "log", "--table", "PB-01", "--coup", "3"], &cose[..]].concat());
    text += &folder.see(&["verify", "proof", "receipt.cose", "--key", "key.pub"]);
    std::fs::rename(folder.path("receipt.cose.entry"), folder.path("entry")).unwrap();
    text += &folder.see(&["verify", "proof", "receipt.cose", "--key", "key.pub"]);
    text += &folder.see(&["verify", "proof", "receipt.cose", "--key", "key.pub", "--entry", "entry"]);
    text += &folder.see(&["verify", "proof", "receipt.cose", "--key", "key.pub", "--entry", "key.pub"]);
    let receipt = std::fs::read(folder.path("receipt.cose")).unwrap();
    folder.write("cut", &receipt[..receipt.len() - 1]);
    text += &folder.see(&["verify", "proof", "cut", "--key", "key.pub", "--entry", "entry"]);
    text += &folder.see(&[&["prove", "entry", "log.auditlog", "--index", "3"], &cose[..]].concat());
    seen!(text);
}

/// A key that was mixed up looked like a false proof.
#[test]
fn another_key_says_nothing_against_a_proof_and_a_false_proof_is_still_false() {
    let folder = grown();
    for (form, file) in [("tlog-proof", "text"), ("cose", "receipt")] {
        folder.run(&["prove", "entry", "log", "--index", "5", "--format", form, "--out", file]);
    }
    folder.run(&["keys", "new", "other", "--origin", "casino.example/sala/1"]);
    folder.run(&["keys", "new", "stranger", "--origin", "casino.example/sala/2"]);
    for file in ["text", "receipt"] {
        for (key, status, says) in [
            ("other.pub", 3, "is not signed by the key that you gave"),
            ("stranger.pub", 2, "is of the log casino.example/sala/1, and the key that you gave"),
        ] {
            let seen = folder.see(&["verify", "proof", file, "--key", key]);
            assert!(seen.contains(&format!("{file}: not checked: ")) && seen.contains(says), "{seen}");
            assert!(seen.ends_with(&format!("exit status {status}\n")), "{seen}");
            let shown = folder.run(&["verify", "proof", file, "--key", key, "--json"]);
            let shown: Value = serde_json::from_slice(&shown.stdout).unwrap();
            assert_eq!(
                (&shown[0]["proven"], &shown[0]["other_key"]),
                (&Value::from(false), &Value::from(true))
            );
        }
    }
    let text = std::fs::read_to_string(folder.path("text")).unwrap();
    folder.write("moved", text.replacen("index 5", "index 6", 1));
    let seen = folder.see(&["verify", "proof", "moved", "--key", "key.pub"]);
    assert!(seen.contains("moved: NOT proven: ") && seen.ends_with("exit status 3\n"), "{seen}");
    let shown = folder.run(&["verify", "proof", "moved", "--key", "key.pub", "--json"]);
    let shown: Value = serde_json::from_slice(&shown.stdout).unwrap();
    assert_eq!(shown[0]["other_key"], false);
}

#[test]
fn the_schema_of_what_proofs_come_to_is_that_of_what_is_printed() {
    let folder = grown();
    let out = |arguments: &[&str]| -> Value {
        let output = folder.run(arguments);
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
            panic!("{arguments:?}: {error}: {}", String::from_utf8_lossy(&output.stderr))
        })
    };
    let schema = out(&["schema", "verify-proof"]);
    let made = out(&["prove", "entry", "log", "--index", "5", "--out", "bare", "--without-entry", "--json"]);
    let digest = made["proofs"][0]["digest"].as_str().unwrap();
    out(&["prove", "coup", "log", "--table", "PB-01", "--coup", "3", "--out", "coup", "--json"]);
    out(&["prove", "entry", "log", "--index", "7", "--format", "cose", "--out", "cose", "--json"]);
    folder.write("cut", "c2sp.org/tlog-proof@v1\nindex five\n");
    let policy =
        format!("log {}\nquorum none\n", std::fs::read_to_string(folder.path("key.pub")).unwrap().trim());
    folder.write("policy", policy);
    let key = ["--key", "key.pub", "--json"];
    let (mut proven, mut not_proven, mut witnessed) = (0, 0, 0);
    for more in [
        &["coup"][..],
        &["coup", "cut", "cose"],
        &["bare", "--digest", digest],
        &["bare", "--digest", &"0".repeat(64)],
        &["coup", "cose", "cut", "--witness-policy", "policy"],
    ] {
        let printed = out(&[&["verify", "proof"][..], more, &key].concat());
        fits(&schema, &printed).unwrap();
        for result in printed.as_array().unwrap() {
            match result["proven"] == true {
                true => proven += 1,
                false => not_proven += 1,
            }
            witnessed += usize::from(result.get("witnesses").is_some());
        }
    }
    assert_eq!((proven, not_proven, witnessed), (6, 3, 2));
    // What the schema does not have is found.
    let mut printed = out(&[&["verify", "proof", "coup"][..], &key].concat());
    printed[0]["events"][0]["event"] = serde_json::json!({"TableShut": {}});
    assert!(fits(&schema, &printed).is_err());
}

#[test]
fn a_log_that_grew_is_distinguished_from_one_that_was_rewritten() {
    let folder = grown();
    let mut text = folder.see(&["verify", "checkpoint", "older", "newer", "log"]);
    text += &folder.see(&["verify", "checkpoint", "older", "newer", "log", "--key", "key.pub", "--json"]);
    text += &folder.see(&["prove", "checkpoint", "log", "older", "--out", "proof"]);
    text += &folder.see(&["verify", "checkpoint", "older", "newer", "--proof", "proof", "--key", "key.pub"]);
    folder.run(&["export", "log", "--out", "log.auditlog"]);
    text += &folder.see(&["verify", "checkpoint", "older", "newer", "log.auditlog"]);
    text += &folder.see(&["verify", "checkpoint", "newer", "older", "log"]);
    text += &folder.see(&["verify", "checkpoint", "older", "newer"]);
    text += &folder.see(&["verify", "checkpoint", "older", "older", "--proof", "proof", "--key", "key.pub"]);
    // The same key signs another history of the same log.
    std::fs::create_dir(folder.path("fork")).unwrap();
    for name in ["key", "key.pub"] {
        std::fs::copy(folder.path("log").join(name), folder.path("fork").join(name)).unwrap();
    }
    let events = std::fs::read_to_string(folder.path("events")).unwrap();
    folder.write("other", events.lines().take(400).collect::<Vec<_>>().join("\n").replacen("9D", "9C", 1));
    assert!(folder.run(&["ingest", "--create", "other", "--log", "fork"]).status.success());
    text += &folder.see(&["verify", "checkpoint", "older", "fork/checkpoint", "fork"]);
    text += &folder.see(&["verify", "checkpoint", "fork/checkpoint", "newer", "log"]);
    text += &folder.see(&["verify", "checkpoint", "older", "newer", "fork"]);
    seen!(text);
}

/// All files below a folder, by their paths in it.
fn files(folder: &std::path::Path) -> std::collections::BTreeMap<String, Vec<u8>> {
    let mut found = std::collections::BTreeMap::new();
    for item in std::fs::read_dir(folder).unwrap() {
        let path = item.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            found.extend(files(&path).into_iter().map(|(below, bytes)| (format!("{name}/{below}"), bytes)));
        } else {
            found.insert(name, std::fs::read(&path).unwrap());
        }
    }
    found
}

#[test]
fn a_tree_is_published_brought_up_to_date_and_never_turned_back() {
    let (folder, _) = written_down();
    folder.run(&[
        "ingest",
        "--create",
        "first",
        "--log",
        "log",
        "--live",
        "--origin",
        "casino.example/sala/1",
    ]);
    let roots = |text: String| {
        text.lines()
            .filter(|line| !line.starts_with("root "))
            .fold(String::new(), |text, line| text + line + "\n")
    };
    let mut text = roots(folder.see(&["export", "log", "--tiles", "site"]));
    text += &roots(folder.see(&["export", "log", "--tiles", "site"]));
    let early = files(&folder.path("site"));
    assert!(
        std::process::Command::new("cp")
            .args(["-r", "log", "older"])
            .current_dir(folder.path("."))
            .status()
            .unwrap()
            .success()
    );
    folder.run(&["ingest", "--create", "events", "--log", "log", "--live"]);
    text += &roots(folder.see(&["export", "log", "--tiles", "site"]));
    let late = files(&folder.path("site"));
    text += &late.iter().map(|(name, bytes)| format!("{name} {} bytes\n", bytes.len())).collect::<String>();
    for (name, bytes) in early.iter().filter(|(name, _)| *name != "checkpoint") {
        let full = name.split(".p/").next().unwrap();
        assert_eq!(late[name], *bytes, "what was published stays");
        assert!(late.get(full).is_none_or(|full| full.starts_with(bytes)), "{name} begins {full}");
    }
    text += &roots(folder.see(&["export", "older", "--tiles", "site"]));
    folder.write("site/tile/0/001", vec![7; 8_192]);
    text += &roots(folder.see(&["export", "log", "--tiles", "site"]));
    folder.run(&["ingest", "--create", "first", "--log", "stranger", "--origin", "casino.example/sala/1"]);
    text += &folder.see(&["export", "stranger", "--tiles", "site"]);
    folder.run(&["export", "log", "--out", "log.auditlog"]);
    text += &folder.see(&["export", "log.auditlog", "--tiles", "site"]);
    text += &folder.see(&["export", "log", "--tiles", "site", "--out", "both"]);
    text += &folder.see(&["export", "log"]);
    seen!(text);
}

#[test]
fn every_acknowledged_entry_can_come_with_its_proof() {
    let (folder, _) = written_down();
    assert!(
        folder.run(&["ingest", "--create", "first", "--log", "log", "--proofs", "given"]).status.success()
    );
    let mut proofs: Vec<String> = std::fs::read_dir(folder.path("given"))
        .unwrap()
        .map(|entry| format!("given/{}", entry.unwrap().file_name().to_string_lossy()))
        .collect();
    proofs.sort();
    assert!(proofs.len() > 40, "{} proofs", proofs.len());
    let proofs: Vec<&str> = proofs.iter().map(String::as_str).collect();
    let verified = folder.run(&[&["verify", "proof", "--key", "log/key.pub"], &proofs[..]].concat());
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stderr));
}
