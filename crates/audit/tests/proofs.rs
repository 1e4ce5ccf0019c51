//! Proofs as a person makes and checks them: output, errors and exit status in one block.
#![allow(clippy::unwrap_used)]

mod command;

use command::Place;

/// Digests, keys and lengths of logs differ from run to run: their clock and key do.
macro_rules! seen {
    ($text:expr) => {
        insta::with_settings!({filters => vec![
            (r"[0-9a-f]{64}", "[DIGEST]"),
            (r"\+[0-9a-f]{8}\+[A-Za-z0-9+/=]{44}", "+[KEY]"),
        ]}, { insta::assert_snapshot!($text) })
    };
}

/// Events of a hundred coups somebody wrote down, and the first 300 of them. (Not of a make-believe
/// table: what that plays may change.)
fn written_down() -> (Place, String) {
    let place = Place::new();
    let coups: String = (1..=100).map(|number| format!("A,{number},9D,KH,2C,5S\n")).collect();
    place.write("coups.csv", format!("shoe,coup,p1,p2,b1,b2\n{coups}"));
    let import = ["import", "coups-csv", "coups.csv", "--rulebook", "punto-banco", "--table", "PB-01"];
    assert!(place.run(&[&import[..], &["--out", "events"]].concat()).status.success());
    let events = std::fs::read_to_string(place.path("events")).unwrap();
    place.write("first", events.lines().take(300).collect::<Vec<_>>().join("\n"));
    (place, events)
}

/// A log of these in two sittings, with the checkpoint kept after the first.
fn grown() -> Place {
    let (place, _) = written_down();
    let origin = ["--origin", "casino.example/sala/1"];
    assert!(place.run(&[&["ingest", "first", "--log", "log"], &origin[..]].concat()).status.success());
    std::fs::copy(place.path("log/checkpoint"), place.path("older")).unwrap();
    assert!(place.run(&["ingest", "events", "--log", "log"]).status.success());
    std::fs::copy(place.path("log/checkpoint"), place.path("newer")).unwrap();
    std::fs::copy(place.path("log/key.pub"), place.path("key.pub")).unwrap();
    place
}

#[test]
fn a_coup_is_proven_to_somebody_who_has_only_the_key() {
    let place = grown();
    let coup = ["prove", "coup", "log", "--table", "PB-01", "--coup", "3", "--out", "coup.tlog-proof"];
    let mut text = place.see(&coup);
    text += &place.see(&coup);
    std::fs::rename(place.path("log"), place.path("elsewhere")).unwrap();
    text += &place.see(&["verify", "proof", "coup.tlog-proof", "--key", "key.pub"]);
    text += &place.see(&["verify", "proof", "coup.tlog-proof", "--key", "key.pub", "--events"]);
    text += &place.see(&["prove", "coup", "elsewhere", "--table", "PB-01", "--coup", "500", "--out", "none"]);
    seen!(text);
}

#[test]
fn a_coup_recorded_event_by_event_has_a_proof_for_each_entry() {
    let (place, _) = written_down();
    place.run(&["ingest", "first", "--log", "log", "--live"]);
    let mut text =
        place.see(&["prove", "coup", "log", "--table", "PB-01", "--coup", "1", "--out", "coup.tlog-proof"]);
    let proofs: Vec<String> = (0..900)
        .map(|index| format!("coup-{index}.tlog-proof"))
        .filter(|name| place.path(name).exists())
        .collect();
    let proofs: Vec<&str> = proofs.iter().map(String::as_str).collect();
    let ask = [&["verify", "proof", "--key", "log/key.pub"], &proofs[..]].concat();
    text += &place.see(&ask);
    seen!(text);
}

#[test]
fn an_entry_is_found_by_place_digest_or_event_in_a_log_and_its_archive() {
    let place = grown();
    place.run(&["export", "log", "--out", "log.auditlog"]);
    let entry = ["--out", "p", "--force", "--json"];
    let prove = |log: &str, which: &[&str]| {
        let output = place.run(&[&["prove", "entry", log], which, &entry].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        (told["proofs"][0]["digest"].as_str().unwrap().to_owned(), std::fs::read(place.path("p")).unwrap())
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
            let checked = place.run(&["verify", "proof", "p", "--key", "key.pub", "--json"]);
            let told: serde_json::Value = serde_json::from_slice(&checked.stdout).unwrap();
            assert_eq!((told[0]["proven"].as_bool(), checked.status.code()), (Some(true), Some(0)));
            let events = told[0]["events"].as_array().unwrap();
            assert_eq!(told[0]["sequences"][0], events[0]["sequence"]);
        }
    }
}

#[test]
fn proofs_that_do_not_hold_are_told_why() {
    let place = grown();
    place.run(&["prove", "entry", "log", "--index", "5", "--out", "good"]);
    place.run(&["prove", "entry", "log", "--index", "5", "--out", "bare", "--without-entry"]);
    let good = std::fs::read_to_string(place.path("good")).unwrap();
    place.write("moved", good.replace("index 5", "index 6"));
    place.write("beyond", good.replace("index 5", "index 500"));
    place.write("altered", good.replacen("extra iAF", "extra iAE", 1));
    let newer = std::fs::read_to_string(place.path("newer")).unwrap();
    let size = newer.lines().nth(1).unwrap();
    place.write("grown", good.replace(&format!("\n{size}\n"), &format!("\n{size}0\n")));
    place.write("no-proof", "c2sp.org/tlog-proof@v1\nindex five\n");
    place.write("empty", "");
    place.write("binary", [0xff, 0xfe]);
    let mut text = String::new();
    let bent = ["moved", "beyond", "altered", "grown", "no-proof", "empty", "binary", "missing"];
    for name in bent {
        text += &place.see(&["verify", "proof", name, "--key", "key.pub"]);
    }
    text += &place.see(&["verify", "proof", "good", "moved", "--key", "key.pub"]);
    text += &place.see(&["verify", "proof", "bare", "--key", "key.pub"]);
    text += &place.see(&["verify", "proof", "bare", "--key", "key.pub", "--digest", &"0".repeat(64)]);
    text += &place.see(&["verify", "proof", "bare", "--key", "key.pub", "--entry", "empty"]);
    place.run(&["ingest", "first", "--log", "stranger", "--origin", "casino.example/sala/1"]);
    text += &place.see(&["verify", "proof", "good", "--key", "stranger/key.pub"]);
    text += &place.see(&["prove", "entry", "log", "--index", size, "--out", "none"]);
    text += &place.see(&["prove", "entry", "log", "--out", "none"]);
    seen!(text);
}

#[test]
fn what_was_left_out_of_a_proof_is_proven_by_its_digest() {
    let place = grown();
    let output =
        place.run(&["prove", "entry", "log", "--index", "5", "--out", "bare", "--without-entry", "--json"]);
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let digest = told["proofs"][0]["digest"].as_str().unwrap();
    seen!(place.see(&["verify", "proof", "bare", "--key", "key.pub", "--digest", digest]));
}

#[test]
fn a_cose_receipt_says_the_same() {
    let place = grown();
    place.run(&["export", "log", "--out", "log.auditlog"]);
    let cose = ["--format", "cose", "--out", "receipt.cose"];
    let mut text =
        place.see(&[&["prove", "coup", "log", "--table", "PB-01", "--coup", "3"], &cose[..]].concat());
    text += &place.see(&["verify", "proof", "receipt.cose", "--key", "key.pub"]);
    std::fs::rename(place.path("receipt.cose.entry"), place.path("entry")).unwrap();
    text += &place.see(&["verify", "proof", "receipt.cose", "--key", "key.pub"]);
    text += &place.see(&["verify", "proof", "receipt.cose", "--key", "key.pub", "--entry", "entry"]);
    text += &place.see(&["verify", "proof", "receipt.cose", "--key", "key.pub", "--entry", "key.pub"]);
    let receipt = std::fs::read(place.path("receipt.cose")).unwrap();
    place.write("cut", &receipt[..receipt.len() - 1]);
    text += &place.see(&["verify", "proof", "cut", "--key", "key.pub", "--entry", "entry"]);
    text += &place.see(&[&["prove", "entry", "log.auditlog", "--index", "3"], &cose[..]].concat());
    seen!(text);
}

#[test]
fn a_log_that_grew_is_told_from_one_that_was_rewritten() {
    let place = grown();
    let mut text = place.see(&["verify", "checkpoint", "older", "newer", "log"]);
    text += &place.see(&["verify", "checkpoint", "older", "newer", "log", "--key", "key.pub", "--json"]);
    text += &place.see(&["prove", "checkpoint", "log", "older", "--out", "proof"]);
    text += &place.see(&["verify", "checkpoint", "older", "newer", "--proof", "proof", "--key", "key.pub"]);
    place.run(&["export", "log", "--out", "log.auditlog"]);
    text += &place.see(&["verify", "checkpoint", "older", "newer", "log.auditlog"]);
    text += &place.see(&["verify", "checkpoint", "newer", "older", "log"]);
    text += &place.see(&["verify", "checkpoint", "older", "newer"]);
    text += &place.see(&["verify", "checkpoint", "older", "older", "--proof", "proof", "--key", "key.pub"]);
    // The same key signs another history of the same log.
    std::fs::create_dir(place.path("fork")).unwrap();
    for name in ["key", "key.pub"] {
        std::fs::copy(place.path("log").join(name), place.path("fork").join(name)).unwrap();
    }
    let events = std::fs::read_to_string(place.path("events")).unwrap();
    place.write("other", events.lines().take(400).collect::<Vec<_>>().join("\n").replacen("9D", "9C", 1));
    assert!(place.run(&["ingest", "other", "--log", "fork"]).status.success());
    text += &place.see(&["verify", "checkpoint", "older", "fork/checkpoint", "fork"]);
    text += &place.see(&["verify", "checkpoint", "fork/checkpoint", "newer", "log"]);
    text += &place.see(&["verify", "checkpoint", "older", "newer", "fork"]);
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
    let (place, _) = written_down();
    place.run(&["ingest", "first", "--log", "log", "--live", "--origin", "casino.example/sala/1"]);
    let roots = |text: String| {
        text.lines()
            .filter(|line| !line.starts_with("root "))
            .fold(String::new(), |text, line| text + line + "\n")
    };
    let mut text = roots(place.see(&["export", "log", "--tiles", "site"]));
    text += &roots(place.see(&["export", "log", "--tiles", "site"]));
    let early = files(&place.path("site"));
    assert!(
        std::process::Command::new("cp")
            .args(["-r", "log", "older"])
            .current_dir(place.path("."))
            .status()
            .unwrap()
            .success()
    );
    place.run(&["ingest", "events", "--log", "log", "--live"]);
    text += &roots(place.see(&["export", "log", "--tiles", "site"]));
    let late = files(&place.path("site"));
    text += &late.iter().map(|(name, bytes)| format!("{name} {} bytes\n", bytes.len())).collect::<String>();
    for (name, bytes) in early.iter().filter(|(name, _)| *name != "checkpoint") {
        let full = name.split(".p/").next().unwrap();
        assert_eq!(late[name], *bytes, "what was published stays");
        assert!(late.get(full).is_none_or(|full| full.starts_with(bytes)), "{name} begins {full}");
    }
    text += &roots(place.see(&["export", "older", "--tiles", "site"]));
    place.write("site/tile/0/001", vec![7; 8_192]);
    text += &roots(place.see(&["export", "log", "--tiles", "site"]));
    place.run(&["ingest", "first", "--log", "stranger", "--origin", "casino.example/sala/1"]);
    text += &place.see(&["export", "stranger", "--tiles", "site"]);
    place.run(&["export", "log", "--out", "log.auditlog"]);
    text += &place.see(&["export", "log.auditlog", "--tiles", "site"]);
    text += &place.see(&["export", "log", "--tiles", "site", "--out", "both"]);
    text += &place.see(&["export", "log"]);
    seen!(text);
}

#[test]
fn every_acknowledged_entry_can_come_with_its_proof() {
    let (place, _) = written_down();
    assert!(place.run(&["ingest", "first", "--log", "log", "--proofs", "given"]).status.success());
    let mut proofs: Vec<String> = std::fs::read_dir(place.path("given"))
        .unwrap()
        .map(|entry| format!("given/{}", entry.unwrap().file_name().to_string_lossy()))
        .collect();
    proofs.sort();
    assert!(proofs.len() > 40, "{} proofs", proofs.len());
    let proofs: Vec<&str> = proofs.iter().map(String::as_str).collect();
    let verified = place.run(&[&["verify", "proof", "--key", "log/key.pub"], &proofs[..]].concat());
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stderr));
}
