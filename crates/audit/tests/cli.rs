//! The command line as a person sees it: output, errors and exit status in one block.
#![allow(clippy::unwrap_used)]

use crate::command::{TestFolder, fixture};

/// Roots, keys and digests of logs differ from run to run: their clock and key do.
macro_rules! seen {
    ($text:expr) => {
        insta::with_settings!({filters => vec![
            (r"root [A-Za-z0-9+/]{43}=", "root [ROOT]"),
            (r"raíz [A-Za-z0-9+/]{43}=", "raíz [ROOT]"),
            (r"  key [0-9a-f]{8}", "  key [KEY]"),
            (r"  clave [0-9a-f]{8}", "  clave [KEY]"),
            (r"  findings [0-9a-f]{64}", "  findings [DIGEST]"),
            (r"  huella de los hallazgos [0-9a-f]{64}", "  huella de los hallazgos [DIGEST]"),
            (r"in [0-9,]+ bytes", "in [N] bytes"),
        ]}, { insta::assert_snapshot!($text) })
    };
}

#[test]
fn an_honest_shoe_is_sealed_and_certified() {
    let folder = TestFolder::new();
    std::fs::copy(fixture("honest.ndjson"), folder.path("honest.ndjson")).unwrap();
    let mut text = folder.see(&["ingest", "--create", "honest.ndjson", "--log", "log"]);
    text += &folder.see(&["verify", "log", "log", "--checkpoint", "log/checkpoint", "--key", "log/key.pub"]);
    text += &folder.see(&["ingest", "--create", "honest.ndjson", "--log", "log"]);
    text += &folder.see(&["show", "coup", "log", "--table", "PB-01", "--coup", "3"]);
    text += &folder.see(&["show", "table", "log"]);
    text += &folder.see(&["export", "log", "--out", "log.auditlog"]);
    text += &folder.see(&["export", "log", "--out", "log.auditlog"]);
    text += &folder.see(&["verify", "log", "log.auditlog"]);
    seen!(text);
}

#[test]
fn a_crooked_shoe_shows_the_event_the_rule_and_the_money() {
    let folder = TestFolder::new();
    std::fs::copy(fixture("crooked.ndjson"), folder.path("crooked.ndjson")).unwrap();
    folder.run(&["ingest", "--create", "crooked.ndjson", "--log", "log"]);
    let mut text = folder.see(&["verify", "log", "log"]);
    text += &folder.see(&["verify", "log", "log", "--lang", "es", "--approved", &"0".repeat(64)]);
    seen!(text);
}

#[test]
fn another_rulebook_says_what_would_change() {
    let folder = TestFolder::new();
    folder.run(&["simulate", "--rulebook", "mini-punto-banco", "--seed", "5", "--out", "mini.ndjson"]);
    folder.run(&["ingest", "--create", "mini.ndjson", "--log", "log"]);
    std::fs::write(
        folder.path("nine.toml"),
        "extends = \"mini-punto-banco\"\nid = \"tie-at-nine\"\ntitle = \"Tie at nine\"\n\
         effective = { from = \"2020-01-01\" }\n\
         [bets.tie]\nrows = [{ winner = \"tie\", pays = \"10 for 1\" }]\n",
    )
    .unwrap();
    let mut text = folder.see(&["verify", "log", "log", "--as", "mini-punto-banco"]);
    text += &folder.see(&["verify", "log", "log", "--as", "nine.toml"]);
    text += &folder.see(&["verify", "log", "log", "--as", "maxi"]);
    seen!(text);
}

#[test]
fn the_scoreboard_is_drawn_shoe_by_shoe() {
    let folder = TestFolder::new();
    std::fs::copy(fixture("honest.ndjson"), folder.path("honest.ndjson")).unwrap();
    folder.run(&["ingest", "--create", "honest.ndjson", "--log", "log"]);
    std::fs::copy(fixture("faults/void-stake-kept.ndjson"), folder.path("void.ndjson")).unwrap();
    folder.run(&["ingest", "--create", "void.ndjson", "--log", "void"]);
    let mut text = folder.see(&["show", "shoe", "log", "--table", "PB-01", "--roads"]);
    text += &folder.see(&["show", "shoe", "void", "--table", "PB-01", "--roads"]);
    text += &folder.see(&["show", "shoe", "log", "--table", "PB-01", "--shoe", "S-9", "--roads"]);
    seen!(text);
}

#[test]
fn the_commission_boxes_are_listed_by_shoe_and_seat() {
    let folder = TestFolder::new();
    let fault = ["--fault", "left-without-paying"];
    folder
        .run(&[&["simulate", "--rulebook", "mini-punto-banco", "--out", "mini.ndjson"], &fault[..]].concat());
    folder.run(&["ingest", "--create", "mini.ndjson", "--log", "log"]);
    folder.run(&["simulate", "--out", "orden.ndjson"]);
    folder.run(&["ingest", "--create", "orden.ndjson", "--log", "orden"]);
    let mut text = folder.see(&["show", "commission", "log"]);
    text += &folder.see(&["show", "commission", "log", "--table", "nowhere"]);
    text += &folder.see(&["show", "commission", "orden"]);
    seen!(text);
}

#[test]
fn damaged_archives_are_reported_and_never_pass() {
    let folder = TestFolder::new();
    let mut text = String::new();
    for name in ["honest", "truncated", "bit-flipped"] {
        let archive = format!("{name}.auditlog");
        std::fs::copy(fixture(&archive), folder.path(&archive)).unwrap();
        std::fs::copy(fixture("honest.checkpoint"), folder.path("kept")).unwrap();
        text += &folder.see(&["verify", "log", &archive, "--checkpoint", "kept"]);
    }
    for archive in ["truncated.auditlog", "bit-flipped.auditlog"] {
        text += &folder.see(&["verify", "log", archive, "--checkpoint", "kept", "--lang", "es"]);
    }
    seen!(text);
}

/// Whatever is left of a store, there is a report: the verdicts, how far it can be read, what to do.
#[test]
fn a_damaged_store_is_described_by_a_report() {
    let folder = TestFolder::new();
    folder.write("honest", std::fs::read(fixture("honest.ndjson")).unwrap());
    folder.see(&["ingest", "--create", "honest", "--log", "log", "--origin", "casino.example/pit"]);
    std::fs::copy(folder.path("log/key.pub"), folder.path("key")).unwrap();
    let database = folder.path("log/store/db");
    let bytes = std::fs::read(&database).unwrap();
    let mut text = String::new();
    std::fs::write(&database, vec![0; bytes.len()]).unwrap();
    text += &folder.see(&["verify", "log", "log", "--key", "key"]);
    std::fs::write(&database, bytes).unwrap();
    std::fs::write(folder.path("log/store/conf"), b"nothing of the kind").unwrap();
    text += &folder.see(&["verify", "log", "log", "--key", "key"]);
    text += &folder.see(&["verify", "log", "log", "--key", "key", "--lang", "es"]);
    text += &folder.see(&["export", "log", "--out", "copy.auditlog"]);
    seen!(text);
}

#[test]
fn bad_input_says_where_what_and_how_to_go_on() {
    let folder = TestFolder::new();
    let honest = std::fs::read_to_string(fixture("honest.ndjson")).unwrap();
    let lines: Vec<&str> = honest.lines().collect();
    let mut text = String::new();
    let with = |line: &str| format!("{}\n{line}\n{}\n", lines[..20].join("\n"), lines[21..].join("\n"));
    folder.write("unknown-field", with(&lines[20].replacen("\"sequence\"", "\"sequense\"", 1)));
    folder.write("cut-line", with(&lines[20][..30]));
    folder.write("no-card", with(&lines[20].replace("\"event\":{", "\"event\":{\"CardDrown\":1,")));
    folder.write("no-utf8", [with(lines[20]).as_bytes(), b"\xff\xfe\n"].concat());
    folder.write("empty", "");
    folder.write("mark", [b"\xef\xbb\xbf".as_slice(), honest.as_bytes()].concat());
    for name in ["unknown-field", "cut-line", "no-card", "no-utf8", "empty", "mark"] {
        text += &folder.see(&["ingest", "--create", name, "--log", &format!("log-{name}")]);
    }
    folder.write("mended", &honest);
    text += &folder.see(&["ingest", "--create", "mended", "--log", "log-cut-line", "--from-line", "21"]);
    text += &folder.see(&["verify", "log", "log-cut-line"]).lines().take(5).collect::<Vec<_>>().join("\n");
    seen!(text);
}

#[test]
fn what_is_not_there_or_no_log_is_reported() {
    let folder = TestFolder::new();
    folder.write("text", "not an archive\n");
    folder.write("nothing", "");
    std::fs::create_dir(folder.path("folder")).unwrap();
    let mut text = String::new();
    for log in ["missing", "text", "nothing", "folder"] {
        text += &folder.see(&["verify", "log", log]);
    }
    text += &folder.see(&["ingest", "--create", "missing", "--log", "log"]);
    text += &folder.see(&["ingest", "--create", "folder", "--log", "log"]);
    text += &folder.see(&["rules", "show", "nowhere-1900"]);
    text += &folder.see(&["simulate", "--fault", "nonsense"]);
    text += &folder.see(&["simulate", "--fault", "forbidden-pair", "--rulebook", "es-1979"]);
    text += &folder.see(&["verify", "log", "text", "--approved", "abc"]);
    seen!(text);
}

#[test]
fn the_rulebooks_and_the_faults_are_listed() {
    let folder = TestFolder::new();
    let mut text = folder.see(&["rules", "list"]);
    text += &folder.see(&["simulate", "--list-faults"]);
    text += &folder.see(&["rules", "show", "mini-punto-banco"]);
    seen!(text);
}

#[test]
fn a_list_of_coups_is_recorded_as_written_and_judged() {
    let folder = TestFolder::new();
    folder.write(
        "coups.csv",
        "shoe;coup;p1;p2;p3;b1;b2;b3;winner;punto_total;banca_total;note\n\
         A;1;9D;KH;;2C;5S;;punto;9;7;\nA;2;2d;3c;;10h;4s;;banca;5;4;wrong winner and punto had to draw\n\
         B;1;K;5;;A;6;;banca;5;7;punto had to draw\n",
    );
    folder.write("bad.csv", "p1,p2,b1,b2\n9,9,1X,2\n");
    folder.write("short.csv", "p1,p2\n9,9\n");
    let mut text = folder.see(&[
        "import",
        "coups-csv",
        "coups.csv",
        "--rulebook",
        "punto-banco",
        "--out",
        "coups.ndjson",
    ]);
    text += &folder.see(&["ingest", "--create", "coups.ndjson", "--log", "log"]);
    text += &folder.see(&["verify", "log", "log"]);
    text += &folder.see(&["import", "coups-csv", "bad.csv", "--rulebook", "punto-banco", "--out", "bad"]);
    text += &folder.see(&["import", "coups-csv", "short.csv", "--rulebook", "punto-banco"]);
    seen!(text);
}

#[test]
fn conflicts_gaps_and_forks_are_distinguished() {
    let folder = TestFolder::new();
    let honest = std::fs::read_to_string(fixture("honest.ndjson")).unwrap();
    let lines: Vec<&str> = honest.lines().collect();
    folder.write("honest", &honest);
    folder.write("gap", [&lines[..40], &lines[41..]].concat().join("\n"));
    folder.write("conflict", lines[30].replace("T20:0", "T20:1"));
    let mut text = String::new();
    for log in ["one", "two"] {
        folder.run(&["ingest", "--create", "honest", "--log", log, "--origin", "casino.example/one"]);
    }
    text += &folder.see(&["ingest", "conflict", "--log", "one"]);
    text += &folder.see(&["ingest", "conflict", "--log", "one", "--record-conflicts"]);
    text += &folder.see(&["ingest", "conflict", "--log", "one"]);
    text += &folder.see(&["verify", "log", "one"]);
    folder.run(&["ingest", "--create", "gap", "--log", "gap-log"]);
    text += &folder.see(&["verify", "log", "gap-log"]);
    text += &folder
        .see(&["verify", "log", "two", "--checkpoint", "one/checkpoint"])
        .lines()
        .take(12)
        .collect::<Vec<_>>()
        .join("\n");
    seen!(text);
}

#[test]
fn the_report_as_json_has_its_promised_keys() {
    let folder = TestFolder::new();
    folder.run(&["ingest", "--create", &fixture("crooked.ndjson"), "--log", "log"]);
    let output = folder.run(&["verify", "log", "log", "--json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    for verdict in ["intact", "anchored", "complete", "certified"] {
        let value = report["verdicts"][verdict].as_str().unwrap();
        assert!(["yes", "no", "unknown"].contains(&value), "{verdict} {value}");
    }
    for count in ["certified", "violated", "undecided"] {
        assert!(report["coups"][count].is_u64(), "{count}");
    }
    let finding = &report["findings"][0];
    for key in ["code", "table", "shoe", "coup", "sequence", "expected", "recorded", "rule", "money"] {
        assert!(!finding[key].is_null(), "{key}");
    }
    assert_eq!(finding["money"][0]["minor_units"].as_i64(), Some(-100));
    assert!(report["certificate"]["root"].is_string());
    let again = folder.run(&["verify", "log", "log", "--json"]);
    assert_eq!(output.stdout, again.stdout, "the same log gives the same report");
}

/// Digests of rulebooks have a test of their own.
macro_rules! seen_without_digests {
    ($text:expr) => {
        insta::with_settings!({filters => vec![(r"[0-9a-f]{64}", "[DIGEST]")]}, { insta::assert_snapshot!($text) })
    };
}

#[test]
fn good_rulebooks_are_checked_and_priced() {
    let folder = TestFolder::new();
    let mut text = folder.see(&["rules", "check", "es-1979"]);
    text += &folder.see(&["rules", "check", "dragon-bonus"]);
    text += &folder.see(&["rules", "check", "es-1979", "--json"]);
    text += &folder.see(&["rules", "check", "not-there"]);
    seen_without_digests!(text);
}

#[test]
fn everything_wrong_in_a_flawed_rulebook_is_listed() {
    let folder = TestFolder::new();
    let mut text = String::new();
    for name in
        ["bacara-as-written", "table-by-puntos-total", "six-pays-two-to-one", "seven-behind-and-one-more"]
    {
        let file = format!("{name}.toml");
        std::fs::copy(fixture(&format!("flawed-rulebooks/{file}")), folder.path(&file)).unwrap();
        text += &folder.see(&["rules", "check", &file]);
    }
    text += &folder.see(&["rules", "show", "bacara-as-written.toml"]);
    folder.write("overlay.toml", "extends = \"bacara-as-written.toml\"\nid = \"b\"\ntitle = \"\\u001b\"\neffective.from = \"1979-10-32\"\nburn = \"\\u001b[2J\"\n");
    text += &folder.see(&["rules", "check", "overlay.toml", "--json"]);
    folder.write("no.toml", "id = \n");
    text += &folder.see(&["rules", "check", "no.toml"]);
    seen_without_digests!(text);
}

#[test]
fn two_rulebooks_are_compared_in_words() {
    let folder = TestFolder::new();
    let mut text = folder.see(&["rules", "diff", "mini-punto-banco", "no-commission-six-half"]);
    text += &folder.see(&["rules", "diff", "bacara-tie-7", "bacara-tie-9", "--json"]);
    text += &folder.see(&["rules", "diff", "es-1979", "es-1979"]);
    text += &folder.see(&["rules", "diff", "mini-punto-banco", "no-commission-six-half", "--lang", "es"]);
    text += &folder.see(&["rules", "diff", "es-1979", "not-there"]);
    seen_without_digests!(text);
}

#[test]
fn rulebooks_of_chemin_de_fer_are_shown_checked_and_compared() {
    let folder = TestFolder::new();
    let mut text = folder.see(&["rules", "show", "chemin-de-fer-catalogo"]);
    text += &folder.see(&["rules", "check", "chemin-de-fer-es-1979"]);
    text += &folder.see(&["rules", "check", "chemin-de-fer-catalogo", "--json"]);
    text += &folder.see(&["rules", "diff", "chemin-de-fer-es-1979", "chemin-de-fer-catalogo"]);
    seen_without_digests!(text);
}

#[test]
fn chemin_de_fer_is_shown_coup_by_coup() {
    let folder = TestFolder::new();
    std::fs::copy(fixture("rulebooks/chemin-de-fer-catalogo.ndjson"), folder.path("honest.ndjson")).unwrap();
    folder.run(&["ingest", "--create", "honest.ndjson", "--log", "log"]);
    let mut text = folder.see(&["verify", "log", "log"]);
    text += &folder.see(&["show", "table", "log"]);
    text += &folder.see(&["show", "shoe", "log", "--table", "PB-01"]);
    text += &folder.see(&["show", "shoe", "log", "--table", "PB-01", "--roads"]);
    text += &folder.see(&["show", "coup", "log", "--table", "PB-01", "--coup", "2"]);
    text += &folder.see(&["show", "coup", "log", "--table", "PB-01", "--coup", "2", "--json"]);
    text += &folder.see(&["show", "shoe", "log", "--table", "PB-01", "--lang", "es"]);
    text += &folder.see(&["show", "coup", "log", "--table", "PB-01", "--coup", "2", "--lang", "es"]);
    folder.write("list.csv", "p1,p2,b1,b2\nKH,9D,2C,5S\n");
    text += &folder.see(&["import", "coups-csv", "list.csv", "--rulebook", "chemin-de-fer-catalogo"]);
    seen!(text);
}

#[test]
fn a_crooked_bank_shows_the_event_the_rule_and_the_money() {
    let folder = TestFolder::new();
    let mut text = String::new();
    for fault in ["bank-skimmed", "banco-out-of-priority", "garaje-wrong"] {
        let file = format!("{fault}.ndjson");
        std::fs::copy(fixture(&format!("faults/{file}")), folder.path(&file)).unwrap();
        folder.run(&["ingest", "--create", &file, "--log", fault]);
        text += &folder.see(&["verify", "log", fault]);
    }
    text += &folder.see(&["verify", "log", "bank-skimmed", "--as", "chemin-de-fer-catalogo"]);
    seen!(text);
}
