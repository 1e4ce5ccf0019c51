//! What differs between two rulebooks, in words.
//!
//! The canonical forms are compared value by value, so nothing that differs can be left out; the
//! words are given afterwards, and what has none of its own is told by its key. This room says
//! what differs; it never says which rulebook is right.

use serde_json::{Map, Value};

use crate::Rulebook;

mod words;

/// One thing in which two rulebooks differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Where it stands in a rulebook file, a step a key; `[3]` is a place in a list.
    pub path: Vec<String>,
    /// What stands there in the first; absent where it has no such key.
    pub one: Option<Value>,
    /// What stands there in the other.
    pub other: Option<Value>,
    /// Both, in words.
    pub sentence: String,
}

impl Difference {
    /// Where it stands, as a dotted key.
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

    /// Whether it concerns only what things are called and where they come from, so that no table
    /// would be judged otherwise.
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
        (Some(Value::Array(one)), Some(Value::Array(other))) if place_by_place(path, one, other) => {
            for (place, (one, other)) in one.iter().zip(other).enumerate() {
                path.push(format!("[{place}]"));
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

/// Whether a list says something different at each of its places, and as many things in both.
fn place_by_place(path: &[String], one: &[Value], other: &[Value]) -> bool {
    let key: Vec<&str> = path.iter().map(String::as_str).collect();
    let ranked = matches!(key.as_slice(), ["tableau", "banca"] | ["burn", "values"]);
    ranked && one.len() == other.len()
}
