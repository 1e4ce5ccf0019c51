//! The differences between two rulebooks, in words.
//!
//! The canonical forms are compared value by value, so no difference can be left out. Each difference then
//! gets a sentence; a key without a sentence of its own is named by its path. This module says what differs,
//! never which rulebook is right.

use serde_json::{Map, Value};

use crate::{Rulebook, Sentence};

mod subjects;
mod words;

/// One thing in which two rulebooks differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The path in a rulebook file, one step per key; `[3]` is an index in a list.
    pub path: Vec<String>,
    /// The value in the first rulebook; absent where it has no such key.
    pub one: Option<Value>,
    /// The value in the other rulebook.
    pub other: Option<Value>,
    /// Both, in words.
    pub sentence: Sentence,
}

impl Difference {
    /// The path as a dotted key.
    #[must_use]
    pub fn key(&self) -> String {
        let mut text = String::new();
        for step in &self.path {
            if !text.is_empty() && !step.starts_with('[') {
                text.push('.');
            }
            text.push_str(step);
        }
        text
    }

    /// Whether it concerns only titles and sources, so that no table would be judged differently.
    #[must_use]
    pub fn is_about_sources(&self) -> bool {
        let steps: Vec<&str> = self.path.iter().map(String::as_str).collect();
        matches!(steps.as_slice(), ["id" | "title"] | ["citations", ..] | ["bets", _, "title"] | [.., "cite"])
    }
}

/// Everything in which two rulebooks differ, in the order of their keys; nothing where they are
/// equal. `names` is what the sentences call them.
#[must_use]
pub fn differences(one: &Rulebook, other: &Rulebook, names: [&str; 2]) -> Vec<Difference> {
    let mut found = Vec::new();
    let read = |rulebook: &Rulebook| serde_json::from_str::<Value>(&rulebook.canonical_json()).ok();
    compare(&mut Vec::new(), read(one).as_ref(), read(other).as_ref(), names, &mut found);
    found
}

fn compare(
    path: &mut Vec<String>,
    one: Option<&Value>,
    other: Option<&Value>,
    names: [&str; 2],
    found: &mut Vec<Difference>,
) {
    match (one, other) {
        (one, other) if one == other => {}
        (Some(Value::Object(one)), Some(Value::Object(other))) => members(path, one, other, names, found),
        (Some(Value::Array(one)), Some(Value::Array(other))) if item_by_item(path, one, other) => {
            for (index, (one, other)) in one.iter().zip(other).enumerate() {
                path.push(format!("[{index}]"));
                compare(path, Some(one), Some(other), names, found);
                path.pop();
            }
        }
        (one, other) => found.push(Difference {
            path: path.clone(),
            one: one.cloned(),
            other: other.cloned(),
            sentence: words::of(path, [one, other], names),
        }),
    }
}

fn members(
    path: &mut Vec<String>,
    one: &Map<String, Value>,
    other: &Map<String, Value>,
    names: [&str; 2],
    found: &mut Vec<Difference>,
) {
    let only_there = other.keys().filter(|key| !one.contains_key(*key));
    let mut keys: Vec<&String> = one.keys().chain(only_there).collect();
    keys.sort();
    for key in keys {
        path.push(key.clone());
        compare(path, one.get(key), other.get(key), names, found);
        path.pop();
    }
}

/// Whether a list has the same length in both rulebooks and each of its items has a meaning of its own.
fn item_by_item(path: &[String], one: &[Value], other: &[Value]) -> bool {
    let key: Vec<&str> = path.iter().map(String::as_str).collect();
    let ranked = matches!(key.as_slice(), ["tableau", "banca"] | ["burn", "values"]);
    ranked && one.len() == other.len()
}
