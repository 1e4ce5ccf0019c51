//! What a person sees who writes a line wrongly.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fmt::Write as _;

use events::{Line, LineError};

const BET: &str = r#"{"coup":1,"bet":7,"seat":3,"kind":"banca","stake":1000}"#;

fn line(event: &str) -> String {
    format!(r#"{{"table":"PB-01","sequence":1,"occurred_at":"2026-03-01T21:04:05+01:00","event":{event}}}"#)
}

/// A right line with one thing replaced.
fn with(from: &str, to: &str) -> String {
    let right = line(&format!(r#"{{"BetPlaced":{BET}}}"#));
    assert!(Line::from_json(&right).is_ok());
    assert_eq!(right.matches(from).count(), 1, "{from}");
    right.replace(from, to)
}

fn opened(rulebook: &str) -> String {
    line(&format!(
        r#"{{"TableOpened":{{"rulebook":{rulebook},"limits":{{"minimum":1,"maximum":2}},"currency":"EUR","minor_digits":2,"seats":[1]}}}}"#
    ))
}

fn correction(corrected: &str) -> String {
    line(&format!(
        r#"{{"CorrectionRecorded":{{"corrects":1,"corrected":{corrected},"reason":"misread","signed_by":["a","b"]}}}}"#
    ))
}

fn mistakes() -> Vec<(&'static str, String)> {
    let drawn = |card: &str| {
        line(&format!(r#"{{"CardDrawn":{{"coup":1,"position":9,"card":{card},"to":"punto"}}}}"#))
    };
    let settled = |bets: &str| {
        line(&format!(
            r#"{{"CoupSettled":{{"coup":1,"winner":"tie","punto_total":6,"banca_total":6,"bets":{bets}}}}}"#
        ))
    };
    let names = |count: usize| vec![r#""D""#; count].join(",");
    vec![
        ("nothing", String::new()),
        ("half a line", with(r#""seat":3,"kind":"banca","stake":1000}}}"#, r#""se"#)),
        ("two objects on one line", with(r#"1000}}}"#, r#"1000}}} {}"#)),
        ("a comma too many", with(r#"1000}}"#, r#"1000,}}"#)),
        ("unknown field of the line", with(r#""sequence""#, r#""sequense""#)),
        ("unknown field of the event", with(r#""seat""#, r#""sit""#)),
        ("missing field of the line", with(r#""sequence":1,"#, "")),
        ("missing field of the event", with(r#""seat":3,"#, "")),
        ("a field twice", with(r#""seat":3"#, r#""seat":3,"seat":4"#)),
        ("unknown event", with("BetPlaced", "BetPlacd")),
        ("two events", line(r#"{"TableClosed":{},"BetsClosed":{"coup":1}}"#)),
        ("an event's name alone", line(r#""TableClosed""#)),
        ("no event's name", line("{}")),
        ("fields without their names", line(r#"{"BetPlaced":[1,7,3,null,"banca",1000]}"#)),
        ("a line without names", r#"["PB-01",1,"2026-03-01T21:04:05+01:00",{"TableClosed":{}}]"#.to_owned()),
        ("a text for a number", with("1000", r#""1000""#)),
        ("a number for a text", with(r#""banca""#, "2")),
        ("a fraction", with("1000", "10.50")),
        ("a float that is whole", with("1000", "1e3")),
        ("a negative sum", with("1000", "-1000")),
        ("a sum too large", with("1000", "9007199254740992")),
        ("a number beyond any", with("1000", "99999999999999999999999999")),
        ("a seat too large", with(r#""seat":3"#, r#""seat":300"#)),
        ("null where something is due", with("1000", "null")),
        ("a kind of bet in capitals", with(r#""banca""#, r#""BANCA""#)),
        ("a wrong card", drawn(r#""1H""#)),
        ("a card as a number", drawn("7")),
        ("an unknown destination", drawn(r#""7H""#).replace("punto", "player")),
        ("a settled bet without names", settled("[[7,1000,0]]")),
        ("a settled bet that is wrong", settled(r#"[{"bet":7,"returned":1000},{"bet":8,"returned":"0"}]"#)),
        ("sequence zero", with(r#""sequence":1"#, r#""sequence":0"#)),
        ("a table's id with a slash", with("PB-01", "PB/01")),
        ("a time without its offset", with("+01:00", "")),
        ("nanoseconds", with("05+01:00", "05.123456789+01:00")),
        ("a name that is empty", line(r#"{"SeatTaken":{"seat":1,"player":""}}"#)),
        ("an unknown holder", line(r#"{"PuntoHolder":{"coup":1,"holder":"seat-3"}}"#)),
        ("one signer", correction(r#"{"BetsClosed":{"coup":1}}"#).replace(r#","b""#, "")),
        ("a correction of a correction", correction(correction_of_a_correction().as_str())),
        (
            "seventeen serials",
            line(&format!(
                r#"{{"ShoeLoaded":{{"shoe":"S","decks":6,"cards":312,"deck_serials":[{}]}}}}"#,
                names(17)
            )),
        ),
        (
            "a commitment too short",
            line(r#"{"ShoeLoaded":{"shoe":"S","decks":6,"cards":312,"order_commitment":"00ff"}}"#),
        ),
        ("a rulebook that is a list", opened("[]")),
        ("a rulebook with a fraction", opened(r#"{"rate":0.05}"#)),
        ("a rulebook that names a key twice", opened(r#"{"a":{"b":1,"b":2}}"#)),
        ("a rulebook nested too deep", opened(&format!(r#"{{"a":{}{}}}"#, "[".repeat(64), "]".repeat(64)))),
        ("a rulebook without end", opened(&"[".repeat(200_000))),
        ("decimals that no currency has", opened("{}").replace(r#"digits":2"#, r#"digits":7"#)),
        ("brackets without end", "[".repeat(200_000)),
        (
            "events within events without end",
            correction(r#"{"CorrectionRecorded":{"corrected":"#.repeat(200).as_str()),
        ),
    ]
}

fn correction_of_a_correction() -> String {
    r#"{"CorrectionRecorded":{"corrects":1,"corrected":{"BetsClosed":{"coup":1}},"reason":"x","signed_by":["a","b"]}}"#
        .to_owned()
}

#[test]
fn every_mistake_names_its_column_and_field() {
    let mut messages = String::new();
    for (mistake, text) in mistakes() {
        let LineError { column, message } = Line::from_json(&text).expect_err(mistake);
        writeln!(messages, "{mistake}\n  {column}: {message}").unwrap();
    }
    insta::assert_snapshot!(messages);
}

#[test]
fn bytes_that_are_not_utf8_and_byte_order_marks_are_told() {
    let right = line(r#"{"TableClosed":{}}"#);
    assert_eq!(Line::from_json_bytes(right.as_bytes()), Line::from_json(&right));
    let error = Line::from_json_bytes(b"{\"table\":\"\xff\"}").unwrap_err();
    assert_eq!((error.column, error.message.as_str()), (11, "bytes that are not UTF-8; JSON is UTF-8"));
    let marked = [b"\xef\xbb\xbf", right.as_bytes()].concat();
    assert!(Line::from_json_bytes(&marked).unwrap_err().message.contains("byte order mark"));
}

/// The two paragraphs of `docs/events.md` about what is optional.
#[test]
fn what_is_optional_may_be_left_out_and_null_where_the_guide_says_so() {
    let golden: Vec<serde_json::Value> = include_str!("../golden/events.tsv")
        .lines()
        .map(|row| serde_json::from_str(row.split('\t').nth(1).unwrap()).unwrap())
        .collect();
    let mut left_out = BTreeSet::new();
    let mut null = BTreeSet::new();
    for line in &golden {
        for pointer in members(line, String::new()) {
            let (parent, field) = pointer.rsplit_once('/').unwrap();
            let mut changed = line.clone();
            changed.pointer_mut(parent).unwrap().as_object_mut().unwrap().remove(field);
            if Line::from_json(&changed.to_string()).is_ok() {
                left_out.insert(field.to_owned());
            }
            let mut changed = line.clone();
            *changed.pointer_mut(&pointer).unwrap() = serde_json::Value::Null;
            if Line::from_json(&changed.to_string()).is_ok() {
                null.insert(field.to_owned());
            }
        }
    }
    let listed = |text: &str| text.split(' ').map(str::to_owned).collect::<BTreeSet<String>>();
    let never_null = listed("deck_serials back_colours faces positions bets commission counsel partners");
    assert_eq!(&left_out - &null, never_null);
    let both = listed(
        "cards_behind_cut order_commitment player multiple minimum maximum countersigned_by coup reveal",
    );
    assert_eq!(null, both);
}

/// Pointers to all members of an event's objects; a rulebook's are its own matter.
fn members(value: &serde_json::Value, at: String) -> Vec<String> {
    let under = |key: String, value: &serde_json::Value| {
        let here = format!("{at}/{key}");
        if key == "rulebook" { Vec::new() } else { members(value, here) }
    };
    match value {
        serde_json::Value::Object(object) => object
            .iter()
            .flat_map(|(key, value)| [vec![format!("{at}/{key}")], under(key.clone(), value)].concat())
            .collect(),
        serde_json::Value::Array(items) => {
            items.iter().enumerate().flat_map(|(index, item)| under(index.to_string(), item)).collect()
        }
        serde_json::Value::Null
        | serde_json::Value::Bool(_)
        | serde_json::Value::Number(_)
        | serde_json::Value::String(_) => Vec::new(),
    }
}

/// Serde's derived readers take `[1, 7, ...]` for a record; every record of ours has to be an object.
#[test]
fn no_record_anywhere_may_lose_its_field_names() {
    let golden = include_str!("../golden/events.tsv").lines().map(|row| row.split('\t').nth(1).unwrap());
    for text in golden {
        for (open, _) in text.match_indices('{') {
            let Some(list) = object_as_list(text, open) else { continue };
            assert!(Line::from_json(&list).is_err(), "{list}");
        }
    }
}

/// The text with the object that opens there written as a list of its values.
fn object_as_list(text: &str, open: usize) -> Option<String> {
    let mut values = serde_json::Deserializer::from_str(&text[open..]).into_iter::<serde_json::Value>();
    let object = values.next()?.unwrap();
    let end = open + values.byte_offset();
    let list: Vec<&serde_json::Value> = object.as_object()?.values().collect();
    Some(format!("{}{}{}", &text[..open], serde_json::to_string(&list).unwrap(), &text[end..]))
}
