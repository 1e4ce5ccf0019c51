//! The command line as a person sees it: output, errors and exit status in one block.
#![allow(clippy::unwrap_used)]

mod command;

use command::{Place, fixture};

/// Roots, keys and digests of logs differ from run to run: their clock and key do.
macro_rules! seen {
    ($text:expr) => {
        insta::with_settings!({filters => vec![
            (r"root [A-Za-z0-9+/]{43}=", "root [ROOT]"),
            (r"  key [0-9a-f]{8}", "  key [KEY]"),
            (r"  findings [0-9a-f]{64}", "  findings [DIGEST]"),
            (r"in [0-9,]+ bytes", "in [N] bytes"),
        ]}, { insta::assert_snapshot!($text) })
    };
}

#[test]
fn an_honest_shoe_is_sealed_and_certified() {
    let place = Place::new();
    std::fs::copy(fixture("honest.ndjson"), place.path("honest.ndjson")).unwrap();
    let mut text = place.see(&["ingest", "honest.ndjson", "--log", "log"]);
    text += &place.see(&["verify", "log", "log", "--checkpoint", "log/checkpoint", "--key", "log/key.pub"]);
    text += &place.see(&["ingest", "honest.ndjson", "--log", "log"]);
    text += &place.see(&["show", "coup", "log", "--table", "PB-01", "--coup", "3"]);
    text += &place.see(&["show", "table", "log"]);
    text += &place.see(&["export", "log", "--out", "log.auditlog"]);
    text += &place.see(&["export", "log", "--out", "log.auditlog"]);
    text += &place.see(&["verify", "log", "log.auditlog"]);
    seen!(text);
}

#[test]
fn a_crooked_shoe_shows_the_event_the_rule_and_the_money() {
    let place = Place::new();
    std::fs::copy(fixture("crooked.ndjson"), place.path("crooked.ndjson")).unwrap();
    place.run(&["ingest", "crooked.ndjson", "--log", "log"]);
    let mut text = place.see(&["verify", "log", "log"]);
    text += &place.see(&["verify", "log", "log", "--lang", "es", "--approved", &"0".repeat(64)]);
    seen!(text);
}

#[test]
fn another_rulebook_says_what_would_change() {
    let place = Place::new();
    place.run(&["simulate", "--rulebook", "mini-punto-banco", "--seed", "5", "--out", "mini.ndjson"]);
    place.run(&["ingest", "mini.ndjson", "--log", "log"]);
    std::fs::write(
        place.path("nine.toml"),
        "extends = \"mini-punto-banco\"\nid = \"tie-at-nine\"\ntitle = \"Tie at nine\"\n\
         effective = { from = \"2020-01-01\" }\n\
         [bets.tie]\nrows = [{ winner = \"tie\", pays = \"10 for 1\" }]\n",
    )
    .unwrap();
    let mut text = place.see(&["verify", "log", "log", "--as", "mini-punto-banco"]);
    text += &place.see(&["verify", "log", "log", "--as", "nine.toml"]);
    text += &place.see(&["verify", "log", "log", "--as", "maxi"]);
    seen!(text);
}

#[test]
fn the_scoreboard_is_drawn_shoe_by_shoe() {
    let place = Place::new();
    std::fs::copy(fixture("honest.ndjson"), place.path("honest.ndjson")).unwrap();
    place.run(&["ingest", "honest.ndjson", "--log", "log"]);
    std::fs::copy(fixture("faults/void-stake-kept.ndjson"), place.path("void.ndjson")).unwrap();
    place.run(&["ingest", "void.ndjson", "--log", "void"]);
    let mut text = place.see(&["show", "shoe", "log", "--table", "PB-01", "--roads"]);
    text += &place.see(&["show", "shoe", "void", "--table", "PB-01", "--roads"]);
    text += &place.see(&["show", "shoe", "log", "--table", "PB-01", "--shoe", "S-9", "--roads"]);
    seen!(text);
}

#[test]
fn the_commission_boxes_are_told_by_shoe_and_seat() {
    let place = Place::new();
    let fault = ["--fault", "left-without-paying"];
    place
        .run(&[&["simulate", "--rulebook", "mini-punto-banco", "--out", "mini.ndjson"], &fault[..]].concat());
    place.run(&["ingest", "mini.ndjson", "--log", "log"]);
    place.run(&["simulate", "--out", "orden.ndjson"]);
    place.run(&["ingest", "orden.ndjson", "--log", "orden"]);
    let mut text = place.see(&["show", "commission", "log"]);
    text += &place.see(&["show", "commission", "log", "--table", "nowhere"]);
    text += &place.see(&["show", "commission", "orden"]);
    seen!(text);
}

#[test]
fn damaged_archives_are_told_and_never_pass() {
    let place = Place::new();
    let mut text = String::new();
    for name in ["honest", "truncated", "bit-flipped"] {
        let archive = format!("{name}.auditlog");
        std::fs::copy(fixture(&archive), place.path(&archive)).unwrap();
        std::fs::copy(fixture("honest.checkpoint"), place.path("kept")).unwrap();
        text += &place.see(&["verify", "log", &archive, "--checkpoint", "kept"]);
    }
    seen!(text);
}

/// Whatever is left of a store, there is a report: the verdicts, how far it can be read, what to do.
#[test]
fn a_damaged_store_is_told_by_a_report() {
    let place = Place::new();
    place.write("honest", std::fs::read(fixture("honest.ndjson")).unwrap());
    place.see(&["ingest", "honest", "--log", "log", "--origin", "casino.example/pit"]);
    std::fs::copy(place.path("log/key.pub"), place.path("key")).unwrap();
    let database = place.path("log/store/db");
    let bytes = std::fs::read(&database).unwrap();
    let mut text = String::new();
    std::fs::write(&database, vec![0; bytes.len()]).unwrap();
    text += &place.see(&["verify", "log", "log", "--key", "key"]);
    std::fs::write(&database, bytes).unwrap();
    std::fs::write(place.path("log/store/conf"), b"nothing of the kind").unwrap();
    text += &place.see(&["verify", "log", "log", "--key", "key"]);
    text += &place.see(&["export", "log", "--out", "copy.auditlog"]);
    seen!(text);
}

#[test]
fn bad_input_says_where_what_and_how_to_go_on() {
    let place = Place::new();
    let honest = std::fs::read_to_string(fixture("honest.ndjson")).unwrap();
    let lines: Vec<&str> = honest.lines().collect();
    let mut text = String::new();
    let with = |line: &str| format!("{}\n{line}\n{}\n", lines[..20].join("\n"), lines[21..].join("\n"));
    place.write("unknown-field", with(&lines[20].replacen("\"sequence\"", "\"sequense\"", 1)));
    place.write("cut-line", with(&lines[20][..30]));
    place.write("no-card", with(&lines[20].replace("\"event\":{", "\"event\":{\"CardDrown\":1,")));
    place.write("no-utf8", [with(lines[20]).as_bytes(), b"\xff\xfe\n"].concat());
    place.write("empty", "");
    place.write("mark", [b"\xef\xbb\xbf".as_slice(), honest.as_bytes()].concat());
    for name in ["unknown-field", "cut-line", "no-card", "no-utf8", "empty", "mark"] {
        text += &place.see(&["ingest", name, "--log", &format!("log-{name}")]);
    }
    place.write("mended", &honest);
    text += &place.see(&["ingest", "mended", "--log", "log-cut-line", "--from-line", "21"]);
    text += &place.see(&["verify", "log", "log-cut-line"]).lines().take(5).collect::<Vec<_>>().join("\n");
    seen!(text);
}

#[test]
fn what_is_not_there_or_no_log_is_told() {
    let place = Place::new();
    place.write("text", "not an archive\n");
    place.write("nothing", "");
    std::fs::create_dir(place.path("folder")).unwrap();
    let mut text = String::new();
    for log in ["missing", "text", "nothing", "folder"] {
        text += &place.see(&["verify", "log", log]);
    }
    text += &place.see(&["ingest", "missing", "--log", "log"]);
    text += &place.see(&["ingest", "folder", "--log", "log"]);
    text += &place.see(&["rules", "show", "nowhere-1900"]);
    text += &place.see(&["simulate", "--fault", "nonsense"]);
    text += &place.see(&["simulate", "--fault", "forbidden-pair", "--rulebook", "es-1979"]);
    text += &place.see(&["verify", "log", "text", "--approved", "abc"]);
    seen!(text);
}

#[test]
fn the_rulebooks_and_the_faults_are_listed() {
    let place = Place::new();
    let mut text = place.see(&["rules", "list"]);
    text += &place.see(&["simulate", "--list-faults"]);
    text += &place.see(&["rules", "show", "mini-punto-banco"]);
    seen!(text);
}

#[test]
fn a_list_of_coups_is_recorded_as_written_and_judged() {
    let place = Place::new();
    place.write(
        "coups.csv",
        "shoe;coup;p1;p2;p3;b1;b2;b3;winner;punto_total;banca_total;note\n\
         A;1;9D;KH;;2C;5S;;punto;9;7;\nA;2;2d;3c;;10h;4s;;banca;5;4;wrong winner and punto had to draw\n\
         B;1;K;5;;A;6;;banca;5;7;punto had to draw\n",
    );
    place.write("bad.csv", "p1,p2,b1,b2\n9,9,1X,2\n");
    place.write("short.csv", "p1,p2\n9,9\n");
    let mut text = place.see(&[
        "import",
        "coups-csv",
        "coups.csv",
        "--rulebook",
        "punto-banco",
        "--out",
        "coups.ndjson",
    ]);
    text += &place.see(&["ingest", "coups.ndjson", "--log", "log"]);
    text += &place.see(&["verify", "log", "log"]);
    text += &place.see(&["import", "coups-csv", "bad.csv", "--rulebook", "punto-banco", "--out", "bad"]);
    text += &place.see(&["import", "coups-csv", "short.csv", "--rulebook", "punto-banco"]);
    seen!(text);
}

#[test]
fn conflicts_gaps_and_forks_are_told_apart() {
    let place = Place::new();
    let honest = std::fs::read_to_string(fixture("honest.ndjson")).unwrap();
    let lines: Vec<&str> = honest.lines().collect();
    place.write("honest", &honest);
    place.write("gap", [&lines[..40], &lines[41..]].concat().join("\n"));
    place.write("conflict", lines[30].replace(":0", ":1"));
    let mut text = String::new();
    for log in ["one", "two"] {
        place.run(&["ingest", "honest", "--log", log, "--origin", "casino.example/one"]);
    }
    text += &place.see(&["ingest", "conflict", "--log", "one"]);
    text += &place.see(&["ingest", "conflict", "--log", "one"]);
    text += &place.see(&["verify", "log", "one"]);
    place.run(&["ingest", "gap", "--log", "gap-log"]);
    text += &place.see(&["verify", "log", "gap-log"]);
    text += &place
        .see(&["verify", "log", "two", "--checkpoint", "one/checkpoint"])
        .lines()
        .take(12)
        .collect::<Vec<_>>()
        .join("\n");
    seen!(text);
}

#[test]
fn the_report_as_json_has_its_promised_keys() {
    let place = Place::new();
    place.run(&["ingest", &fixture("crooked.ndjson"), "--log", "log"]);
    let output = place.run(&["verify", "log", "log", "--json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    for verdict in ["intact", "anchored", "complete", "certified"] {
        let told = report["verdicts"][verdict].as_str().unwrap();
        assert!(["yes", "no", "unknown"].contains(&told), "{verdict} {told}");
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
    let again = place.run(&["verify", "log", "log", "--json"]);
    assert_eq!(output.stdout, again.stdout, "the same log gives the same report");
}

/// Digests of rulebooks have a test of their own.
macro_rules! told {
    ($text:expr) => {
        insta::with_settings!({filters => vec![(r"[0-9a-f]{64}", "[DIGEST]")]}, { insta::assert_snapshot!($text) })
    };
}

#[test]
fn good_rulebooks_are_checked_and_priced() {
    let place = Place::new();
    let mut text = place.see(&["rules", "check", "es-1979"]);
    text += &place.see(&["rules", "check", "dragon-bonus"]);
    text += &place.see(&["rules", "check", "es-1979", "--json"]);
    text += &place.see(&["rules", "check", "not-there"]);
    told!(text);
}

#[test]
fn flawed_rulebooks_are_told_everything_that_is_wrong() {
    let place = Place::new();
    let mut text = String::new();
    for name in
        ["bacara-as-written", "table-by-puntos-total", "six-pays-two-to-one", "seven-behind-and-one-more"]
    {
        let file = format!("{name}.toml");
        std::fs::copy(fixture(&format!("flawed-rulebooks/{file}")), place.path(&file)).unwrap();
        text += &place.see(&["rules", "check", &file]);
    }
    text += &place.see(&["rules", "show", "bacara-as-written.toml"]);
    place.write("overlay.toml", "extends = \"bacara-as-written.toml\"\nid = \"b\"\ntitle = \"\\u001b\"\neffective.from = \"1979-10-32\"\nburn = \"\\u001b[2J\"\n");
    text += &place.see(&["rules", "check", "overlay.toml", "--json"]);
    place.write("no.toml", "id = \n");
    text += &place.see(&["rules", "check", "no.toml"]);
    told!(text);
}

#[test]
fn two_rulebooks_are_compared_in_words() {
    let place = Place::new();
    let mut text = place.see(&["rules", "diff", "mini-punto-banco", "no-commission-six-half"]);
    text += &place.see(&["rules", "diff", "bacara-tie-7", "bacara-tie-9", "--json"]);
    text += &place.see(&["rules", "diff", "es-1979", "es-1979"]);
    text += &place.see(&["rules", "diff", "es-1979", "not-there"]);
    told!(text);
}

#[test]
fn rulebooks_of_chemin_de_fer_are_shown_checked_and_compared() {
    let place = Place::new();
    let mut text = place.see(&["rules", "show", "chemin-de-fer-catalogo"]);
    text += &place.see(&["rules", "check", "chemin-de-fer-es-1979"]);
    text += &place.see(&["rules", "check", "chemin-de-fer-catalogo", "--json"]);
    text += &place.see(&["rules", "diff", "chemin-de-fer-es-1979", "chemin-de-fer-catalogo"]);
    told!(text);
}

#[test]
fn chemin_de_fer_is_told_coup_by_coup() {
    let place = Place::new();
    std::fs::copy(fixture("rulebooks/chemin-de-fer-catalogo.ndjson"), place.path("honest.ndjson")).unwrap();
    place.run(&["ingest", "honest.ndjson", "--log", "log"]);
    let mut text = place.see(&["verify", "log", "log"]);
    text += &place.see(&["show", "table", "log"]);
    text += &place.see(&["show", "shoe", "log", "--table", "PB-01"]);
    text += &place.see(&["show", "shoe", "log", "--table", "PB-01", "--roads"]);
    text += &place.see(&["show", "coup", "log", "--table", "PB-01", "--coup", "2"]);
    text += &place.see(&["show", "coup", "log", "--table", "PB-01", "--coup", "2", "--json"]);
    place.write("list.csv", "p1,p2,b1,b2\nKH,9D,2C,5S\n");
    text += &place.see(&["import", "coups-csv", "list.csv", "--rulebook", "chemin-de-fer-catalogo"]);
    seen!(text);
}

#[test]
fn a_crooked_bank_shows_the_event_the_rule_and_the_money() {
    let place = Place::new();
    let mut text = String::new();
    for fault in ["bank-skimmed", "banco-out-of-priority", "garaje-wrong"] {
        let file = format!("{fault}.ndjson");
        std::fs::copy(fixture(&format!("faults/{file}")), place.path(&file)).unwrap();
        place.run(&["ingest", &file, "--log", fault]);
        text += &place.see(&["verify", "log", fault]);
    }
    text += &place.see(&["verify", "log", "bank-skimmed", "--as", "chemin-de-fer-catalogo"]);
    seen!(text);
}
