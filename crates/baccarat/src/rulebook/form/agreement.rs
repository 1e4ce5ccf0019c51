//! Holds the description of a rulebook's form and its reader together: what one refuses, the other refuses.
#![allow(clippy::unwrap_used, clippy::panic, clippy::wildcard_enum_match_arm)]

use std::collections::BTreeSet;

use toml::{Table, Value};

use super::{Form, Key, json_schema, keys, misfits};
use crate::rulebook::overlay::resolved;
use crate::{Rulebook, builtins};

fn whole(id: &str) -> Table {
    let (_, text) = builtins().find(|(name, _)| *name == id).unwrap();
    let mut none = |_: &str| Err(String::new());
    resolved(id, text, &mut none).unwrap().table
}

fn steps(value: &Value, path: &[String], found: &mut Vec<Vec<String>>) {
    let inner: Vec<(String, &Value)> = match value {
        Value::Table(members) => members.iter().map(|(name, value)| (name.clone(), value)).collect(),
        Value::Array(values) => {
            values.iter().enumerate().map(|(at, value)| (at.to_string(), value)).collect()
        }
        _ => Vec::new(),
    };
    for (name, value) in inner {
        let path = [path, &[name]].concat();
        steps(value, &path, found);
        found.push(path);
    }
}

fn at<'v>(value: &'v mut Value, path: &[String]) -> &'v mut Value {
    path.iter().fold(value, |value, step| match value {
        Value::Table(members) => members.get_mut(step).unwrap(),
        Value::Array(values) => &mut values[step.parse::<usize>().unwrap()],
        _ => panic!("no such path"),
    })
}

/// Words of the reader that mean nothing to who writes rules.
const PROGRAMMERS_WORDS: [&str; 14] = [
    "invalid type",
    "invalid value",
    "invalid length",
    "missing field",
    "unknown field",
    "unknown variant",
    "struct",
    "enum",
    "a sequence",
    "expected a map",
    "expected u",
    "expected i64",
    "nonzero",
    "floating point",
];

fn check(table: &Table, what: &str) {
    let explained = misfits(table);
    let read = table.clone().try_into::<Rulebook>();
    match (&read, explained.is_empty()) {
        (Err(error), true) => panic!("{what}: refused, and not explained: {}", error.message()),
        (Ok(_), false) => {
            // A number may be of the right kind and not allowed all the same; the reader says that later.
            let later = read.unwrap().faults();
            assert!(!later.is_empty(), "{what}: explained, and not refused: {explained:?}");
        }
        (Err(_), false) | (Ok(_), true) => {}
    }
    for misfit in explained {
        for sentence in [&misfit.sentence.english, &misfit.sentence.spanish] {
            assert!(!PROGRAMMERS_WORDS.iter().any(|word| sentence.contains(word)), "{what}: {sentence}");
        }
        assert_ne!(misfit.sentence.english, misfit.sentence.spanish, "{what}");
    }
}

#[test]
fn whatever_the_reader_refuses_is_explained_and_the_other_way_round() {
    let others: Vec<Value> = [
        "\"x\"",
        "\"7\"",
        "7",
        "-1",
        "300",
        "70000",
        "0.05",
        "true",
        "[]",
        "[1]",
        "[\"x\"]",
        "[[1]]",
        "{ x = 1 }",
        "1979-10-09",
        "\"punto\"",
        "[true]",
        "5000000000",
    ]
    .iter()
    .map(|text| toml::from_str::<Table>(&format!("v = {text}")).unwrap()["v"].clone())
    .collect();
    let mut changes = 0;
    for id in
        ["es-1979-rulings", "mini-side-bets", "punto-banco", "chemin-de-fer-catalogo", "macau-burn-fixed"]
    {
        let table = whole(id);
        check(&table, id);
        let mut paths = Vec::new();
        steps(&Value::Table(table.clone()), &[], &mut paths);
        for path in paths {
            let what = format!("{id}: {}", path.join("."));
            let (last, parent) = path.split_last().unwrap();
            for other in &others {
                let mut changed = Value::Table(table.clone());
                let place = at(&mut changed, &path);
                // The reader takes a list of a section's values for the section; nobody writes that.
                if place.is_table() && other.is_array() {
                    continue;
                }
                *place = other.clone();
                check(changed.as_table().unwrap(), &format!("{what} = {other}"));
            }
            let mut less = Value::Table(table.clone());
            match at(&mut less, parent) {
                Value::Table(members) => drop(members.remove(last)),
                Value::Array(values) => drop(values.remove(last.parse().unwrap())),
                _ => panic!("no such path"),
            }
            check(less.as_table().unwrap(), &format!("{what} taken away"));
            let mut more = Value::Table(table.clone());
            if let Value::Table(members) = at(&mut more, &path) {
                members.insert("stranger".to_owned(), Value::Integer(1));
                check(more.as_table().unwrap(), &format!("{what}.stranger"));
            }
            changes += 1;
        }
    }
    assert!(changes > 500, "{changes}");
}

/// The keys that the reader names when it meets one that it does not know.
fn known_to_reader(table: &Table, path: &[String]) -> BTreeSet<String> {
    let mut changed = Value::Table(table.clone());
    let Value::Table(members) = at(&mut changed, path) else { panic!("{path:?} is no section") };
    members.insert("stranger".to_owned(), Value::Integer(1));
    let error = changed.try_into::<Rulebook>().unwrap_err();
    let (_, expected) =
        error.message().split_once("expected ").unwrap_or_else(|| panic!("{path:?}: {error}"));
    expected.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

fn compare(table: &Table, path: &[String], keys: &[Key], seen: &mut BTreeSet<String>) {
    let described: BTreeSet<String> = keys.iter().map(|key| key.name.to_owned()).collect();
    assert_eq!(known_to_reader(table, path), described, "{path:?}");
    seen.insert(path.join("."));
    for key in keys {
        let path = [path, &[key.name.to_owned()]].concat();
        let mut whole = Value::Table(table.clone());
        let Value::Table(parent) = at(&mut whole, &path[..path.len() - 1]) else { continue };
        let Some(value) = parent.get(key.name) else { continue };
        let first = |value: &Value| value.as_table().and_then(|members| members.keys().next().cloned());
        match key.form {
            Form::Section(keys) => compare(table, &path, keys, seen),
            Form::Named(_, keys) => {
                let Some(name) = first(value) else { continue };
                compare(table, &[path, vec![name]].concat(), keys, seen);
            }
            Form::List(keys) if value.as_array().is_some_and(|rows| !rows.is_empty()) => {
                compare(table, &[path, vec!["0".to_owned()]].concat(), keys, seen);
            }
            _ => {}
        }
    }
}

#[test]
fn the_schema_has_the_keys_that_the_reader_accepts_and_no_others() {
    let mut seen = BTreeSet::new();
    for id in ["es-1979-rulings", "mini-side-bets", "chemin-de-fer-catalogo"] {
        compare(&whole(id), &[], keys(), &mut seen);
    }
    let text = "format = 1\nid = 'x'\ntitle = 'x'\njurisdiction = 'x'\neffective = { from = 'x' }\n[clock]\n[rulings]\n";
    let more: Table = toml::from_str(text).unwrap();
    for section in ["clock", "rulings"] {
        let Some(Form::Section(keys)) = keys().iter().find(|key| key.name == section).map(|key| key.form)
        else {
            panic!("{section}")
        };
        let described: BTreeSet<String> = keys.iter().map(|key| key.name.to_owned()).collect();
        assert_eq!(known_to_reader(&more, &[section.to_owned()]), described, "{section}");
    }
    assert!(seen.len() > 20, "{seen:?}");
    assert!(seen.contains("chemin.abonos") && seen.contains("forbidden-pairs.0"), "{seen:?}");
}

/// `docs/schemas/rulebook.schema.json` is written by `audit rules schema`.
#[test]
fn the_schema_in_the_docs_is_this_one() {
    let written: serde_json::Value =
        serde_json::from_str(include_str!("../../../../../docs/schemas/rulebook.schema.json")).unwrap();
    assert_eq!(
        written,
        json_schema(),
        "write it anew: audit rules schema > docs/schemas/rulebook.schema.json"
    );
}
