//! `docs/rulebooks.md` is run as it stands: every command of it, in order, in one folder, has to print
//! what the page shows. And the page names every key that a rulebook has.
#![allow(clippy::unwrap_used)]

mod command;

use std::collections::BTreeSet;

use baccarat::{Rulebook, builtins};
use command::TestFolder;
use serde_json::Value;

const PAGE: &str = include_str!("../../../docs/rulebooks.md");
const ALBION: &str = include_str!("../../../docs/examples/albion.toml");

/// The page's blocks of one kind, as text.
fn blocks(kind: &str) -> impl Iterator<Item = &'static str> {
    let opening = format!("```{kind}\n");
    let starts: Vec<usize> = PAGE.match_indices(&opening).map(|(at, _)| at + opening.len()).collect();
    starts.into_iter().map(|start| PAGE[start..].split("```").next().unwrap())
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
    let mut commands = 0;
    for step in blocks("console").flat_map(|block| block.split("$ audit ").skip(1)) {
        let mut lines = step.lines();
        let arguments: Vec<&str> = lines.next().unwrap().split_whitespace().collect();
        let printed = folder.see(&arguments);
        let (shown, seen): (Vec<&str>, Vec<&str>) = (lines.collect(), printed.lines().skip(1).collect());
        assert!(fits(&shown, &seen), "the page shows\n{}\nand the program\n{printed}", shown.join("\n"));
        commands += 1;
    }
    assert!(commands >= 10, "{commands}");
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
fn keys(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            for (key, inner) in object {
                found.insert(key.clone());
                match (key.as_str(), inner) {
                    ("citations" | "bets" | "irregularities", Value::Object(named)) => {
                        named.values().for_each(|one| keys(one, found));
                    }
                    _ => keys(inner, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| keys(item, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn the_page_names_every_key_and_every_built_in_rulebook() {
    let mut found = BTreeSet::new();
    for (id, text) in builtins() {
        let book = Rulebook::from_toml(id, text).unwrap();
        keys(&serde_json::from_str(&book.canonical_json()).unwrap(), &mut found);
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
