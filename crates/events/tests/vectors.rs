//! The conformance vectors of the open format, `docs/table-events/vectors`: what others test their readers with holds
//! for this one.
#![allow(clippy::unwrap_used)]

use std::fmt::Write as _;
use std::path::Path;

use events::{Line, decode_payload, encode_payload};
use serde_json::Value;

fn vectors(file: &str) -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/table-events/vectors");
    let text = std::fs::read_to_string(folder.join(file)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

#[test]
fn good_lines_have_their_canonical_line_and_bytes() {
    let mut kinds = std::collections::BTreeSet::new();
    for vector in vectors("good.jsonl") {
        let (name, payload) = (vector["name"].as_str().unwrap(), vector["payload"].as_str().unwrap());
        let line = Line::from_json(vector["line"].as_str().unwrap());
        let line = line.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(line.to_json().unwrap(), vector["canonical_line"].as_str().unwrap(), "{name}");
        kinds.insert(line.event.kind());
        let event = line.into_event();
        assert_eq!(hex(&encode_payload(std::slice::from_ref(&event)).unwrap()), payload, "{name}");
        assert_eq!(decode_payload(&bytes(payload)).unwrap(), [event], "{name}");
    }
    assert_eq!(kinds.len(), events::KINDS, "every kind of event has a vector");
}

/// Fragments of this reader's messages for each class of error; another reader may say it otherwise.
fn says(class: &str) -> &'static [&'static str] {
    match class {
        "not-json" => &["empty line", "EOF", "trailing"],
        "not-an-object" => &["expected an object"],
        "unknown-field" => &["unknown field"],
        "missing-field" => &["missing field"],
        "repeated-field" => &["duplicate field"],
        "unknown-event" => &["unknown variant"],
        "not-one-event" => &["is followed by", "without the event's name"],
        "wrong-type" => &["invalid type"],
        "wrong-value" => &[
            "invalid value",
            "out of range",
            "more than",
            "is not",
            "numbered from 1",
            "cannot",
            "unknown variant",
            "at most",
            "itself",
        ],
        "wrong-length" => &["invalid length", "at most 16", "at most 3", "at least 1"],
        "wrong-rulebook" => &["the rulebook"],
        other => panic!("{other} is no class of the specification"),
    }
}

#[test]
fn bad_lines_are_refused_for_the_reason_given() {
    for vector in vectors("bad.jsonl") {
        let name = vector["name"].as_str().unwrap();
        let error = Line::from_json(vector["line"].as_str().unwrap()).expect_err(name).message;
        let class = vector["error"].as_str().unwrap();
        assert!(says(class).iter().any(|part| error.contains(part)), "{name} is {class}: {error}");
        if let Some(field) = vector["field"].as_str() {
            assert!(error.contains(field), "{name} names {field}: {error}");
        }
    }
}

#[test]
fn bad_payloads_are_refused() {
    for vector in vectors("bad-payloads.jsonl") {
        let name = vector["name"].as_str().unwrap();
        let decoded = decode_payload(&bytes(vector["payload"].as_str().unwrap()));
        assert!(decoded.is_err(), "{name}: {decoded:?}");
        assert!(!vector["why"].as_str().unwrap().is_empty());
    }
}

/// The folder can be copied as it is: its files are those of this repository.
#[test]
fn the_specification_has_the_grammar_of_this_repository() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let read = |file: &str| std::fs::read_to_string(docs.join(file)).unwrap();
    assert_eq!(read("table-events/events.cddl"), read("events.cddl"));
    assert_eq!(read("table-events/event.schema.json"), read("schemas/event.json"));
    let readme = read("table-events/README.md");
    let newest = format!("minor version {}", events::SCHEMA_MINOR);
    assert!(readme.contains(&newest), "the README names {newest}");
    for class in [
        "not-json",
        "not-an-object",
        "unknown-field",
        "missing-field",
        "repeated-field",
        "unknown-event",
        "not-one-event",
        "wrong-type",
        "wrong-value",
        "wrong-length",
        "wrong-rulebook",
    ] {
        assert!(readme.contains(&format!("`{class}`")), "the README explains {class}");
    }
}
