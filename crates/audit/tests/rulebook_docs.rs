//! `docs/rulebooks.md` is run as it stands: every command of it, in order, in one folder, has to print
//! what the page shows. And the page names every key that a rulebook has.
#![allow(clippy::unwrap_used, clippy::wildcard_enum_match_arm)]

use std::collections::BTreeSet;

use baccarat::form::{Form, Key, keys};
use baccarat::{Rulebook, builtins};
use serde_json::Value;

use crate::command::TestFolder;

const PAGE: &str = include_str!("../../../docs/rulebooks.md");
const SPANISH_PAGE: &str = include_str!("../../../docs/reglamentos.md");
const ALBION: &str = include_str!("../../../docs/examples/albion.toml");

/// A page's blocks of one kind, as text.
fn blocks_of(page: &'static str, kind: &str) -> impl Iterator<Item = &'static str> {
    let opening = format!("```{kind}\n");
    let starts: Vec<usize> = page.match_indices(&opening).map(|(at, _)| at + opening.len()).collect();
    starts.into_iter().map(move |start| page[start..].split("```").next().unwrap())
}

fn blocks(kind: &str) -> impl Iterator<Item = &'static str> {
    blocks_of(PAGE, kind)
}

/// Whether a line is what the page shows; `[..]` stands for any text.
fn line_fits(shown: &str, seen: &str) -> bool {
    let mut parts = shown.split("[..]");
    let Some(mut rest) = seen.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let mut open = false;
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = if part.is_empty() { "" } else { &rest[at + part.len()..] };
        open = part.is_empty();
    }
    open || rest.is_empty()
}

/// Whether lines are what the page shows; `...` stands for any number of lines.
fn fits(shown: &[&str], seen: &[&str]) -> bool {
    match (shown.split_first(), seen.split_first()) {
        (None, None) => true,
        (Some((&"...", rest)), _) => (0..=seen.len()).any(|skipped| fits(rest, &seen[skipped..])),
        (Some((shown, shown_rest)), Some((seen, seen_rest))) => {
            line_fits(shown.trim_end(), seen.trim_end()) && fits(shown_rest, seen_rest)
        }
        (None, Some(_)) | (Some(_), None) => false,
    }
}

#[test]
fn every_command_of_the_page_prints_what_the_page_shows() {
    let folder = TestFolder::new();
    folder.write("albion.toml", ALBION);
    folder.write("slip-of-the-pen.toml", ALBION.replace("[8, 9], pays", "[89], pays"));
    folder.write("no-quotes.toml", ALBION.replacen("\"60:1\"", "60:1", 1));
    let commands = run(&folder, PAGE);
    assert!(commands >= 14, "{commands}");
}

/// Runs every command of a page, and gives how many there were.
fn run(folder: &TestFolder, page: &'static str) -> usize {
    let mut commands = 0;
    for step in blocks_of(page, "console").flat_map(|block| block.split("$ audit ").skip(1)) {
        let mut lines = step.lines();
        let arguments: Vec<&str> = lines.next().unwrap().split_whitespace().collect();
        let mut printed = folder.see(&arguments);
        if page == SPANISH_PAGE {
            // A page shows the exit status in its own language.
            let (said, code) = printed.rsplit_once("exit status ").unwrap();
            printed = format!("{said}código de salida {code}");
        }
        let (shown, seen): (Vec<&str>, Vec<&str>) = (lines.collect(), printed.lines().skip(1).collect());
        assert!(fits(&shown, &seen), "the page shows\n{}\nand the program\n{printed}", shown.join("\n"));
        commands += 1;
    }
    commands
}

/// The rulebook that somebody writes who follows the Spanish page: the file that `rules new` wrote, with the lines that
/// the page changes.
fn of_the_spanish_page(folder: &TestFolder) -> String {
    let begin = ["rules", "new", "--extends", "mini-punto-banco", "--out", "begun.toml", "--lang", "es"];
    assert!(folder.see(&[&begin[..], &["--id", "casa-2026"]].concat()).ends_with("exit status 0\n"));
    let text = std::fs::read_to_string(folder.path("begun.toml")).unwrap();
    let pieces: Vec<&str> = blocks_of(SPANISH_PAGE, "toml").collect();
    let [shoe, payments, citation, bet] = pieces[..] else { panic!("{pieces:?}") };
    assert!(text.contains(shoe), "the file that is written does not hold\n{shoe}\n{text}");
    let title = "title = \"casa-2026, según mini-punto-banco\"";
    let (decks, cite) = ("# decks = [6]\n", "# cite = [\"barajas\"]\n");
    for part in [title, decks, cite] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    // Each section of the example stands in the file already: what the page writes below it goes there.
    let text = payments.split("\n\n").fold(text.clone(), |text, section| {
        let (header, values) = section.split_once('\n').unwrap();
        assert!(text.contains(&format!("\n{header}\n")), "{header}\n{text}");
        text.replace(&format!("\n{header}\n"), &format!("\n{header}\n{}\n", values.trim_end()))
    });
    let text = text.replace(title, "title = \"Casa 2026\"").replace(decks, "decks = [8]\n");
    let text = text.replace(cite, "cite = [\"barajas\", \"casa 1\"]\n");
    let second = "\"casa 2\" = { source = \"Casino de Ejemplo, normas de 2026, norma 2\", text = \"El empate a seis.\" }\n";
    text.replace("\n[citations]\n", &format!("\n{bet}\n{citation}{second}"))
}

#[test]
fn every_command_of_the_spanish_page_prints_what_the_page_shows() {
    let folder = TestFolder::new();
    let book = of_the_spanish_page(&folder);
    folder.write("casa-2026.toml", &book);
    let wrong = book.replace("decks = [8]", "decks = 8").replace("punto-total = 6", "punto-totl = 6");
    folder.write(
        "con-errores.toml",
        wrong.replace("# over-limit = \"paid-in-full\"", "over-limit = \"cappd\""),
    );
    folder.write("sin-comillas.toml", book.replace("\"20:1\"", "20:1"));
    let commands = run(&folder, SPANISH_PAGE);
    assert!(commands >= 10, "{commands}");
}

/// A table of every key, with what it means and what may stand there.
fn table_of(path: &str, keys: &[Key], text: &mut String) {
    for key in keys {
        let name = if path.is_empty() { key.name.to_owned() } else { format!("{path}.{}", key.name) };
        let needed = if key.needed { "sí" } else { "" };
        let (inner, may) = match key.form {
            Form::Section(keys) => (Some((name.clone(), keys)), "sección".to_owned()),
            Form::Named(_, keys) => {
                (Some((format!("{name}.NOMBRE"), keys)), "secciones con nombre".to_owned())
            }
            Form::List(keys) => (Some((format!("{name}[]"), keys)), "lista de filas".to_owned()),
            form => (None, form.described().spanish),
        };
        text.push_str(&format!("| `{name}` | {} | {may} | {needed} |\n", key.significado));
        if let Some((path, keys)) = inner {
            table_of(&path, keys, text);
        }
    }
}

/// With `WRITE_PAGES` in the environment it writes the table.
#[test]
fn the_spanish_page_lists_every_key() {
    let mut table = "| clave | qué significa | qué se escribe | hace falta |\n|---|---|---|---|\n".to_owned();
    table_of("", keys(), &mut table);
    let (begin, end) =
        ("<!-- claves: lo escribe la prueba rulebook_docs -->\n", "<!-- fin de las claves -->");
    if std::env::var_os("WRITE_PAGES").is_some() {
        let (head, rest) = SPANISH_PAGE.split_once(begin).unwrap();
        let (_, tail) = rest.split_once(end).unwrap();
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reglamentos.md");
        std::fs::write(path, format!("{head}{begin}{table}{end}{tail}")).unwrap();
    } else {
        assert!(SPANISH_PAGE.contains(&format!("{begin}{table}{end}")), "run with WRITE_PAGES=1\n{table}");
    }
}

#[test]
fn the_pieces_of_the_example_are_the_example() {
    let pieces: Vec<&str> = blocks("toml").take_while(|piece| !piece.contains("dragon-bonus")).collect();
    for piece in &pieces {
        assert!(ALBION.contains(piece), "examples/albion.toml does not hold\n{piece}");
    }
    assert_eq!(pieces.len(), 4);
    let albion = Rulebook::from_toml("albion.toml", ALBION).unwrap();
    for (key, citation) in &albion.citations {
        assert!(!citation.text.is_empty(), "{key}");
    }
    for clause in albion.clauses() {
        assert!(albion.citations_of(&clause).next().is_some(), "{clause} cites nothing");
    }
}

/// Keys of a rulebook, those of its maps left out: these are names a rulebook gives.
fn keys_in(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            for (key, inner) in object {
                found.insert(key.clone());
                match (key.as_str(), inner) {
                    ("citations" | "bets" | "irregularities", Value::Object(named)) => {
                        named.values().for_each(|one| keys_in(one, found));
                    }
                    _ => keys_in(inner, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| keys_in(item, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn the_page_names_every_key_and_every_built_in_rulebook() {
    let mut found = BTreeSet::new();
    for (id, text) in builtins() {
        let book = Rulebook::from_toml(id, text).unwrap();
        keys_in(&serde_json::from_str(&book.canonical_json()).unwrap(), &mut found);
        assert!(PAGE.contains(&format!("`{id}`")), "the page does not name {id}");
    }
    assert!(found.len() > 50, "{found:?}");
    let unnamed: Vec<&String> = found
        .iter()
        .filter(|key| {
            let inner = format!(".{key}]");
            let marks =
                [format!("`{key}`"), inner, format!("[{key}]"), format!("[{key}."), format!("`[{key}]`")];
            !marks.iter().any(|mark| PAGE.contains(mark)) && !PAGE.contains(&format!("{key} = "))
        })
        .collect();
    assert!(unnamed.is_empty(), "{unnamed:?}");
}
