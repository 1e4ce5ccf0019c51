//! What goes wrong is said in Spanish to who reads Spanish.
#![allow(clippy::unwrap_used)]

use std::process::Command;

use baccarat::form::{Form, Key, keys};

use crate::command::{TestFolder, fixture};

/// What a person sees who reads Spanish. Nothing of it may be in English.
fn see(folder: &TestFolder, arguments: &[&str]) -> String {
    spanish(folder.see(&[arguments, &["--lang", "es"]].concat()))
}

fn spanish(text: String) -> String {
    for english in [" the ", " is ", " not ", " and ", "expected", " give ", "For more", "Usage", " of "] {
        assert!(!text.contains(english), "{english}: {text}");
    }
    text
}

/// A folder with a log, an archive of it and other files.
fn prepared() -> TestFolder {
    let folder = TestFolder::new();
    let honest = fixture("honest.ndjson");
    for arguments in [
        &["ingest", "--create", &honest, "--log", "log", "--origin", "casino.example/sala/1"][..],
        &["export", "log", "--out", "there.auditlog"],
    ] {
        assert!(folder.run(arguments).status.success(), "{arguments:?}");
    }
    folder
}

#[test]
fn what_is_wrong_with_a_copy_or_its_place_is_said_in_spanish() {
    let folder = prepared();
    let mut text = see(&folder, &["export", "log"]);
    text += &see(&folder, &["export", "log", "--out", "there.auditlog"]);
    text += &see(&folder, &["export", "there.auditlog", "--out", "new"]);
    text += &see(&folder, &["export", "log", "--out", "new", "--withhold", "999"]);
    text += &see(&folder, &["export", "log", "--out", "new", "--table", "PB-09"]);
    text +=
        &see(&folder, &["export", "log", "--out", "new", "--table", "PB-01", "--shoe", "S", "--coup", "7"]);
    text += &see(&folder, &["export", "there.auditlog", "--tiles", "tiles"]);
    text += &see(&folder, &["backup", "log", "--out", "there.auditlog"]);
    text += &see(&folder, &["backup", "there.auditlog", "--out", "new"]);
    text += &see(&folder, &["restore", "there.auditlog", "--log", "log", "--key", "log/key"]);
    text += &see(&folder, &["restore", "log", "--log", "new", "--key", "log/key"]);
    text += &see(&folder, &["verify", "log"]);
    text += &see(&folder, &["verify", "log", "nowhere"]);
    insta::assert_snapshot!(text);
    assert!(!folder.path("new").exists());
}

#[test]
fn what_is_wrong_with_settings_and_tokens_is_said_in_spanish() {
    let folder = prepared();
    let by = |variable: &str, value: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_audit"))
            .args(["serve", "--log", "log", "--lang", "es"])
            .env(variable, value)
            .current_dir(folder.path("."))
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        spanish(String::from_utf8(output.stderr).unwrap())
    };
    let by_file = |toml: &str| {
        folder.write("serve.toml", toml);
        see(&folder, &["serve", "--config", "serve.toml"])
    };
    let mut text = by("AUDIT_SERVE_MAX_BODI", "9");
    text += &by("AUDIT_SERVE_COLOUR_OF_THE_ROOM", "red");
    text += &by("AUDIT_SERVE_MAX_POSTS", "many");
    text += &by("AUDIT_SERVE_PLAIN_HTTP_BEYOND_THIS_MACHINE", "perhaps");
    text += &by_file("log = \"log\"\nmax-body = \"9\"\n");
    text += &by_file("log = \"log\"\nmax-posts = 9_000\n");
    text += &by_file("log = \"log\"\nmax-bodi = 9\n");
    text += &by_file("host = []\n");
    text += &by_file("host = [7]\n");
    text += &by_file("log-level = \"loud\"\n");
    text += &by_file("[serve]\nlog = \"log\"\n");
    text += &by_file("webhook = \"https://a.example\"\n");
    text += &see(&folder, &["serve"]);
    text += &see(&folder, &["serve", "--log", "log", "--listen", "0.0.0.0:0"]);
    text += &see(&folder, &["serve", "--log", "log", "--listen", "0.0.0.0:0", "--tokens", "t"]);
    text += &see(&folder, &["serve", "--log", "log", "--host", "https://a.example"]);
    text += &see(&folder, &["tokens", "new", "--tokens", "t", "--role", "read", "--expires", "mañana"]);
    text += &see(&folder, &["tokens", "revoke", "audit_00000000abcd_x", "--tokens", "t"]);
    insta::assert_snapshot!(text);
}

#[test]
fn what_is_wrong_with_events_and_lists_is_said_in_spanish() {
    let folder = prepared();
    folder.write("header.csv", "shoe,coup,p1,p2\nS-1,1,7H,KD\n");
    folder.write("card.csv", "shoe,coup,p1,p2,b1,b2,dealer\nS-1,1,7H,KD,3C,2X,Ana\n");
    folder.write("winner.csv", "p1,p2,b1,b2,winner\n7H,KD,3C,2S,nobody\n");
    folder.write("coup.csv", "coup,p1,p2,b1,b2\n0,7H,KD,3C,2S\n");
    folder.write("total.csv", "p1,p2,b1,b2,punto_total\n7H,KD,3C,2S,nine\n");
    folder.write("long.ndjson", "x".repeat((1 << 20) + 1));
    folder.write("mark.ndjson", "\u{feff}{}\n");
    let import = |file: &str, more: &[&str]| {
        see(&folder, &[&["import", "coups-csv", file, "--rulebook", "es-1979"], more].concat())
    };
    let mut text = import("header.csv", &[]);
    text += &import("card.csv", &[]);
    text += &import("winner.csv", &[]);
    text += &import("coup.csv", &[]);
    text += &import("total.csv", &[]);
    text += &import("card.csv", &["--decks", "13"]);
    text += &see(&folder, &["ingest", "long.ndjson", "--log", "log"]);
    text += &see(&folder, &["ingest", "mark.ndjson", "--log", "log"]);
    text += &see(&folder, &["ingest", &fixture("honest.ndjson"), "--log", "log", "--from-line", "9000"]);
    text += &see(&folder, &["simulate", "--fault", "bank-too-small"]);
    text += &see(&folder, &["simulate", "--fault", "marked-cards"]);
    assert!(
        see(&folder, &["simulate", "--list-faults"]).contains("La banca se planta debiendo pedir carta.")
    );
    text += &see(&folder, &["rules", "show", "nowhere.toml"]);
    text += &see(&folder, &["schema", "show-nothing"]);
    text += &see(&folder, &["schema"]);
    insta::assert_snapshot!(text);
}

#[test]
fn what_is_wrong_with_arguments_is_said_in_spanish() {
    let folder = TestFolder::new();
    let mut text = see(&folder, &["simulate", "--tables", "0"]);
    text += &see(&folder, &["simulate", "--tables", "two"]);
    text += &see(&folder, &["simulate", "--seed", "99999999999999999999"]);
    text += &see(&folder, &["simulate", "--out"]);
    text += &see(&folder, &["simulate", "--ouf", "x"]);
    text += &see(&folder, &["simulate", "--tables", "1", "--tables", "2"]);
    text += &see(&folder, &["simulate", "--force=yes"]);
    text += &see(&folder, &["ingest", "x", "--log", "log", "--from-line", "0"]);
    text += &see(&folder, &["load", "--url", "http://127.0.0.1:1", "--rate", "0"]);
    text += &see(&folder, &["load", "--url", "http://127.0.0.1:1", "--batch", "0"]);
    text += &see(&folder, &["prove", "entry", "log", "--out", "x", "--format", "pdf"]);
    text += &see(&folder, &["prove"]);
    text += &see(&folder, &["serv"]);
    insta::assert_snapshot!(text);
}

/// The values of a rulebook are English words of its file; who reads Spanish reads them in Spanish. Keys stay.
#[test]
fn a_rulebook_and_a_difference_are_shown_without_the_words_of_the_file() {
    let folder = TestFolder::new();
    let mut words: Vec<&str> = Vec::new();
    words_of(keys(), &mut words);
    // Some are the game's own, and some are keys as well: a bet is called by its key.
    words.retain(|word| !["punto", "banca", "banco", "punto-total", "tie"].contains(word));
    assert!(words.len() > 40, "{words:?}");
    // A word stands between spaces and marks; a key is part of a dotted path, and is not looked for.
    let words_in = |text: &str| -> Vec<String> {
        let marks = [' ', '\n', ',', ';', ':', '(', ')'];
        let said = text.split(marks).map(|word| word.trim_end_matches('.'));
        said.filter(|word| words.contains(word)).map(str::to_owned).collect()
    };
    for (id, _) in baccarat::builtins() {
        let shown = folder.see(&["rules", "show", id, "--lang", "es"]);
        let shown = shown.split("\nfuentes\n").next().unwrap();
        let rules = shown
            .lines()
            .filter(|line| !line.trim_start().starts_with(['[', '$']) && !line.starts_with("bets."));
        let rules: Vec<&str> = rules.skip(2).collect();
        assert_eq!(words_in(&rules.join("\n")), [""; 0], "{id}: {shown}");
    }
    let pairs = [
        ("mini-punto-banco", "es-1979"),
        ("es-1979-rulings", "mini-side-bets"),
        ("chemin-de-fer-es-1979", "chemin-de-fer-catalogo"),
    ];
    for (one, other) in pairs {
        let shown = folder.see(&["rules", "diff", one, other, "--lang", "es"]);
        let rules = shown.split("\nen las reglas\n").nth(1).unwrap();
        let rules = rules.split("\nsolo en nombres y fuentes\n").next().unwrap();
        assert!(!rules.contains("winner es tie"), "{rules}");
        // A citation is called by its key.
        let rules = rules.replace("08.VIII.2 croupier", "");
        assert_eq!(words_in(&rules), [""; 0], "{one} {other}: {rules}");
    }
    let shown = folder.see(&["rules", "show", "mini-punto-banco", "--lang", "es"]);
    for part in [
        "orden: punto, banca, punto, banca; reparte: el crupier; cartas del punto para: el crupier; con apuestas iguales: no consta: cualquiera vale",
        "al menos 7 cartas detrás; la jugada en curso es la última",
        "8:1      si hay empate",
        "se devuelve la apuesta si hay empate",
    ] {
        assert!(shown.contains(part), "{part}\n{shown}");
    }
}

/// The words that may stand in a rulebook file.
fn words_of(keys: &'static [Key], found: &mut Vec<&'static str>) {
    for key in keys {
        if let Form::Word(words) | Form::Words(words) = key.form {
            found.extend(words);
        } else if let Form::Section(keys) | Form::Named(_, keys) | Form::List(keys) = key.form {
            words_of(keys, found);
        }
    }
}

/// Nobody knows which language is read by somebody who asks for one that the program does not have.
#[test]
fn a_language_that_there_is_none_of_is_refused_in_both() {
    let folder = TestFolder::new();
    for arguments in [["version", "--lang", "fr"].as_slice(), &["--lang=fr", "version"]] {
        for language in ["en", "es"] {
            let mut command = Command::new(env!("CARGO_BIN_EXE_audit"));
            let output = command.current_dir(folder.path("")).env("AUDIT_LANG", language).args(arguments);
            let output = output.output().unwrap();
            let said = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{said}");
            for sentence in [
                "invalid value 'fr' for '--lang': give --lang en (English) or --lang es (Spanish)",
                "valor no válido 'fr' para '--lang': dé --lang es (español) o --lang en (inglés)",
            ] {
                assert!(said.contains(sentence), "{said}");
            }
        }
    }
    // A value that is missing is no other language.
    let output = folder.run(&["version", "--lang"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!said.contains("valor no válido"), "{said}");
}
