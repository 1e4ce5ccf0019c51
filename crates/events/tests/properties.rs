//! Whatever the bytes or the text, reading either refuses or gives an event with one spelling.
#![allow(clippy::unwrap_used)]

use events::{
    Body, CorrectionRecorded, Event, Line, OccurredAt, UnknownEvent, decode_event_at, decode_payload,
    decode_payload_with_minor, encode_payload, encode_payload_at,
};
use proptest::prelude::*;

/// The golden payloads, as inputs to start from.
fn golden() -> Vec<Vec<u8>> {
    let bytes = |hex: &str| {
        (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
    };
    include_str!("../golden/events.tsv")
        .lines()
        .map(|line| bytes(line.rsplit('\t').next().unwrap()))
        .collect()
}

fn lines() -> Vec<String> {
    include_str!("../golden/events.tsv")
        .lines()
        .map(|line| line.split('\t').nth(1).unwrap().to_owned())
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn mutated_payloads_have_one_spelling_or_none(
        pick in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let golden = golden();
        let mut bytes = pick.get(&golden).clone();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Ok((minor, events)) = decode_payload_with_minor(&bytes) {
            prop_assert_eq!(encode_payload_at(minor, &events).unwrap(), bytes);
        }
    }

    #[test]
    fn any_bytes_are_refused_or_read(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = decode_payload(&bytes);
        let _ = Line::from_json(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn mutated_lines_come_back_as_written(
        pick in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
        letter in "[ -~]",
    ) {
        let lines = lines();
        let line = pick.get(&lines);
        let at = at.index(line.len());
        prop_assume!(line.is_char_boundary(at) && line.is_char_boundary(at + 1));
        let mutated = format!("{}{letter}{}", &line[..at], &line[at + 1..]);
        if let Ok(read) = Line::from_json(&mutated) {
            let written = read.to_json().unwrap();
            prop_assert_eq!(&Line::from_json(&written).unwrap(), &read);
            let event = read.into_event();
            let payload = encode_payload(std::slice::from_ref(&event)).unwrap();
            prop_assert_eq!(decode_payload(&payload).unwrap(), [event]);
        }
    }

    #[test]
    fn every_time_comes_back_as_written(micros in 0..253_402_300_799_999_999_i64, offset in -1_439_i16..1_440) {
        if let Some(time) = OccurredAt::new(micros, offset) {
            prop_assert_eq!(time.to_string().parse::<OccurredAt>().unwrap(), time);
        }
    }
}

#[test]
fn what_is_not_canonical_is_refused_by_name() {
    let refused = |hex: &str, why: &str| {
        let bytes: Vec<u8> =
            (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect();
        let error = decode_payload(&bytes).unwrap_err().to_string();
        assert!(error.contains(why), "{hex}: {error}");
    };
    // [0, [[1, 0, 15, [1]]]] is a BetsClosed of coup 1.
    refused("82008184180100", "fewest bytes");
    refused("820081840100 0f8118 01".replace(' ', "").as_str(), "fewest bytes");
    refused("8200819f01000f8101ff", "definite");
    refused("820081840100 0f820102".replace(' ', "").as_str(), "of 1 items, found 2");
    refused("820081840100 0f8101 00".replace(' ', "").as_str(), "surplus bytes");
    refused("820081840100186380".replace(' ', "").as_str(), "no kind of event");
    refused("820080", "1 to 4096 events");
    refused("820081840100 0f81f97e00".replace(' ', "").as_str(), "float");
    assert!(decode_payload(&[0x82, 0, 0x81, 0x84, 1, 0, 0x0f, 0x81, 1]).is_ok());
}

#[test]
fn newer_minor_versions_keep_what_this_one_does_not_know() {
    // Minor 3: kind 99 with two fields, then a BetsClosed with a field more.
    let bytes = [0x82, 3, 0x82, 0x84, 1, 0, 0x18, 99, 0x82, 1, 2, 0x84, 1, 0, 0x0f, 0x82, 1, 0x61, b'x'];
    let events = decode_payload(&bytes).unwrap();
    assert_eq!(events.iter().map(|event| event.body.name()).collect::<Vec<_>>(), ["Unknown", "Unknown"]);
    assert_eq!(encode_payload_at(3, &events).unwrap(), bytes);
    assert_eq!(decode_payload_with_minor(&bytes).unwrap(), (3, events.clone()));
    assert!(encode_payload(&events).is_err());
}

/// A payload of one event at time 1 with the given kind (below 24) and body.
fn one_event(minor: u8, kind: u8, body: &[u8]) -> Vec<u8> {
    [&[0x82, minor, 0x81, 0x84, 1, 0, kind], body].concat()
}

#[test]
fn a_newer_version_may_add_inside_bodies_and_corrections_but_not_break_what_is_known() {
    // A settled bet with a fourth field; an unknown destination; a correction of an unknown kind.
    let bet_with_more = [0x85, 1, 0, 1, 2, 0x81, 0x84, 1, 2, 0, 9];
    let elsewhere = [0x84, 1, 9, 0, 3];
    let corrected = [0x84, 1, 0x82, 0x18, 99, 0x80, 0x61, b'x', 0x82, 0x61, b'a', 0x61, b'b'];
    for (kind, body) in [(5, &bet_with_more[..]), (4, &elsewhere[..]), (21, &corrected[..])] {
        let newer = one_event(3, kind, body);
        let events = decode_payload(&newer).unwrap();
        assert_eq!(events[0].body.name(), "Unknown", "kind {kind}");
        assert_eq!(encode_payload_at(3, &events).unwrap(), newer);
        assert!(decode_payload(&one_event(0, kind, body)).is_err(), "kind {kind} is malformed today");
    }
    // Fewer fields, a text for a number, an unknown body that is no array or not canonical.
    for (kind, body) in
        [(4, &[0x83, 1, 9, 0][..]), (15, &[0x81, 0x61, b'x']), (0, &[1]), (0, &[0x81, 0x18, 1])]
    {
        assert!(decode_payload(&one_event(3, kind, body)).is_err(), "kind {kind} {body:?}");
    }
}

#[test]
fn nothing_is_written_that_could_not_be_read_back() {
    let occurred_at = OccurredAt::new(1, 0).unwrap();
    let unknown = |kind, bytes: &[u8]| Body::Unknown(UnknownEvent { kind, bytes: bytes.to_vec() });
    let refused = |body: Body| encode_payload_at(3, &[Event { occurred_at, body }]).unwrap_err().to_string();
    assert!(refused(unknown(99, &[0xff])).contains("definite"));
    assert!(refused(unknown(99, &[0x80, 0x80])).contains("not one unknown body"));
    assert!(refused(unknown(15, &[0x81, 1])).contains("not one unknown body"), "a known BetsClosed");
    let correction = Body::CorrectionRecorded(CorrectionRecorded {
        corrects: 1,
        corrected: Box::new(unknown(99, &[0x80])),
        reason: "x".parse().unwrap(),
        signed_by: ["a".parse().unwrap(), "b".parse().unwrap()],
    });
    assert!(refused(correction).contains("does not know"));
}

/// Hostile lengths and depths cost neither memory nor stack.
#[test]
fn promised_lengths_and_depths_are_not_believed() {
    let endless = [&[0x9b][..], &[0xff; 8]].concat();
    assert!(decode_payload(&one_event(3, 0, &endless)).is_err());
    assert!(decode_payload(&one_event(0, 2, &[&[0x83, 0, 0][..], &endless].concat())).is_err());
    assert!(decode_payload(&one_event(3, 0, &vec![0x81; 1 << 20])).unwrap_err().message.contains("too deep"));
    assert!(decode_payload(&[0x82, 0, 0x99, 0x10, 0x01]).unwrap_err().message.contains("1 to 4096"));
}

#[test]
fn json_mistakes_name_the_field() {
    let wrong = |from: &str, to: &str, why: &str| {
        let line = r#"{"table":"T","sequence":1,"occurred_at":"2026-03-01T21:04:05Z","event":{"BetPlaced":{"coup":1,"bet":1,"seat":3,"kind":"banca","stake":1000}}}"#;
        assert!(Line::from_json(line).is_ok() && line.contains(from));
        let error = Line::from_json(&line.replace(from, to)).unwrap_err().message;
        assert!(error.contains(why), "{to}: {error}");
    };
    wrong("\"seat\":3", "\"seat\":3,\"seat\":4", "duplicate field `seat`");
    wrong("\"seat\":3", "\"sit\":3", "unknown field `sit`");
    wrong("\"seat\":3,", "", "missing field `seat`");
    wrong("1000", "1000.5", "floating point");
    wrong("1000", "-1", "-1");
    wrong("1000", "9007199254740992", "largest allowed");
    wrong("\"banca\"", "\"Banca\"", "cannot name a kind of bet");
    wrong("\"sequence\":1", "\"sequence\":0", "out of range");
    wrong("\"table\":\"T\"", "\"table\":\"a/b\"", "is not a table id");
    wrong("05Z", "05", "is not a time");
    wrong("BetPlaced", "BetPlacd", "unknown variant `BetPlacd`");
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(Line::from_json(&deep).is_err());
}

#[test]
fn a_rulebook_with_a_key_twice_or_a_float_is_refused() {
    let open = |rulebook: &str| {
        Line::from_json(&format!(
            r#"{{"table":"T","sequence":1,"occurred_at":"2026-03-01T21:04:05Z","event":{{"TableOpened":{{"rulebook":{rulebook},"limits":{{"minimum":1,"maximum":2}},"currency":"EUR","minor_digits":2,"seats":[1]}}}}}}"#
        ))
    };
    assert!(open(r#"{"b":1,"a":[2]}"#).is_ok());
    assert!(open(r#"{"a":1.5}"#).unwrap_err().message.contains("only integers"));
    assert!(open("[]").unwrap_err().message.contains("must be a JSON object"));
    assert!(open(r#"{"a":1,"a":2}"#).unwrap_err().message.contains("twice"));
}

#[test]
fn one_event_of_a_payload_is_read_as_among_the_others() {
    let each = golden().iter().flat_map(|payload| decode_payload(payload).unwrap()).collect::<Vec<Event>>();
    let known: Vec<Event> =
        each.into_iter().filter(|event| !matches!(event.body, Body::Unknown(_))).collect();
    let payload = encode_payload(&known).unwrap();
    for (index, event) in (0..).zip(&known) {
        assert_eq!(decode_event_at(&payload, index).unwrap().as_ref(), Some(event));
    }
    assert_eq!(decode_event_at(&payload, known.len() as u64).unwrap(), None);
    assert!(decode_event_at(&payload[..payload.len() - 1], known.len() as u64 - 1).is_err());
}
