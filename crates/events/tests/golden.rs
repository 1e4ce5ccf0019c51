//! Golden bytes: for every event, bare and with all its fields, the JSON line and the canonical
//! bytes. Old events never change: a difference here is a broken format, not a changed test.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use events::{Body, Line, decode_payload, encode_payload, encode_payload_at};

/// `name`, JSON line and hexadecimal payload, a tab between.
fn golden() -> Vec<(String, String, String)> {
    let text = std::fs::read_to_string(path("golden/events.tsv")).unwrap();
    let row = |line: &str| {
        let mut parts = line.split('\t').map(str::to_owned);
        (parts.next().unwrap(), parts.next().unwrap(), parts.next().unwrap())
    };
    text.lines().map(row).collect()
}

fn path(below: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(below)
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
fn json_becomes_the_golden_bytes_and_comes_back() {
    for (name, json, golden) in golden() {
        let line = Line::from_json(&json).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(line.to_json().unwrap(), json, "{name} has one JSON spelling of ours");
        let event = line.into_event();
        assert_eq!(hex(&encode_payload(std::slice::from_ref(&event)).unwrap()), golden, "{name}");
        assert_eq!(decode_payload(&bytes(&golden)).unwrap(), [event], "{name}");
    }
}

#[test]
fn every_kind_of_event_has_golden_bytes_bare_and_full() {
    let names: BTreeSet<String> = golden().into_iter().map(|(name, ..)| name).collect();
    let kinds: BTreeSet<String> = golden()
        .iter()
        .map(|(_, json, _)| Line::from_json(json).unwrap().event)
        .map(|body: Body| format!("{} {}", body.kind(), body.name()))
        .collect();
    assert_eq!(kinds.len(), events::KINDS, "{kinds:?}");
    for kind in kinds {
        let name = kind.split(' ').nth(1).unwrap();
        assert!(names.contains(&format!("{name} bare")) && names.contains(&format!("{name} full")), "{name}");
    }
}

#[test]
fn every_damaged_byte_is_refused_or_another_event() {
    for (name, _, golden) in golden() {
        let golden = bytes(&golden);
        for cut in 0..golden.len() {
            assert!(decode_payload(&golden[..cut]).is_err(), "{name} cut at {cut}");
        }
        assert!(decode_payload(&[&golden[..], &[0]].concat()).is_err(), "{name} with a surplus byte");
        for at in 0..golden.len() {
            for bit in 0..8 {
                let mut wrong = golden.clone();
                wrong[at] ^= 1 << bit;
                // What decodes has exactly one spelling, and it is the one read.
                if let Ok(events) = decode_payload(&wrong)
                    && u32::from(wrong[1]) <= events::SCHEMA_MINOR
                {
                    assert_eq!(encode_payload(&events).unwrap(), wrong, "{name}, byte {at}, bit {bit}");
                }
            }
        }
    }
}

#[test]
fn the_examples_of_the_docs_are_events() {
    let docs = std::fs::read_to_string(path("../../docs/events.md")).unwrap();
    let mut names = BTreeSet::new();
    // The shell puts a rulebook into the line that opens a table; a test of `audit` runs it.
    let docs = docs.replace("$rulebook", "{}");
    for line in docs.lines().filter(|line| line.starts_with('{')) {
        let parsed = Line::from_json(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        names.insert(parsed.event.name());
    }
    assert_eq!(names.len(), events::KINDS, "every event has an example: {names:?}");
}

/// Which minor version brought a kind: those numbers are promised to every older program, and stand here
/// apart from the table they are checked against.
fn brought_by(kind: u32) -> u8 {
    match kind {
        1..=22 => 0,
        23..=32 => 1,
        33..=35 => 2,
        newer => panic!("kind {newer}: say here which minor version brings it"),
    }
}

#[test]
fn the_newest_minor_version_is_that_of_the_newest_kind() {
    let newest = golden().iter().map(|(_, json, _)| Line::from_json(json).unwrap().event.kind()).max();
    assert_eq!(events::SCHEMA_MINOR, u32::from(brought_by(newest.unwrap())));
}

/// What minor version 0 can say is spelled as it was.
#[test]
fn a_payload_says_the_least_minor_version_that_has_its_events() {
    for (name, json, golden) in golden() {
        let event = Line::from_json(&json).unwrap().into_event();
        let minor = brought_by(event.body.kind());
        let payload = bytes(&golden);
        assert_eq!(payload[1], minor, "{name}");
        let mut other = payload.clone();
        other[1] = if minor == 0 { 1 } else { minor - 1 };
        let error = decode_payload(&other).unwrap_err().to_string();
        assert!(error.contains(&format!("these events are written under {minor}")), "{name}: {error}");
        assert!(encode_payload_at(u32::from(other[1]), &[event]).is_err(), "{name}");
    }
    let both: Vec<events::Event> = ["BetsClosed bare", "PlayersPresent bare"]
        .iter()
        .map(|name| golden().into_iter().find(|(row, ..)| row == name).unwrap().1)
        .map(|json| Line::from_json(&json).unwrap().into_event())
        .collect();
    assert_eq!(encode_payload(&both).unwrap()[1], 1, "one newer event makes the payload newer");
    let correction = |corrected: &events::Event| {
        Body::CorrectionRecorded(events::CorrectionRecorded {
            corrects: 1,
            corrected: Box::new(corrected.body.clone()),
            reason: "misread".parse().unwrap(),
            signed_by: ["a".parse().unwrap(), "b".parse().unwrap()],
        })
    };
    assert_eq!(both.iter().map(|event| correction(event).minor()).collect::<Vec<_>>(), [Some(0), Some(1)]);
}
