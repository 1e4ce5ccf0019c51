//! The table "The same event" of `docs/events.md` has a row for each field of the grammar, and what a row says holds.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use events::{Event, Line, OccurredAt};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

type Field = (String, String);

fn read(file: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file)).unwrap()
}

/// Records of the grammar that are not events or parts of one.
const AROUND: [&str; 2] = ["entry", "payload"];

/// Every named field of the grammar with the record that has it.
fn fields_of_the_grammar() -> BTreeSet<Field> {
    let grammar: String = read("docs/events.cddl")
        .lines()
        .map(|line| line.split(';').next().unwrap().to_owned() + "\n")
        .collect();
    let mut fields = BTreeSet::from(["micros", "offset"].map(|field| ("event".into(), field.into())));
    let mut rest = &*grammar;
    while let Some((before, after)) = rest.split_once(" = [") {
        let record = before.rsplit('\n').next().unwrap().trim().to_owned();
        let mut depth = 1;
        let end = after.find(|letter| {
            depth += i32::from(letter == '[') - i32::from(letter == ']');
            depth == 0
        });
        let (body, next) = after.split_at(end.unwrap());
        if !AROUND.contains(&&*record) {
            let names =
                body.match_indices(": ").map(|(at, _)| body[..at].rsplit([' ', '\n', '[']).next().unwrap());
            fields.extend(names.map(|name| (record.clone(), name.to_owned())));
        }
        rest = next;
    }
    fields
}

/// What the table says of each field.
fn rows() -> BTreeMap<Field, String> {
    let docs = read("docs/events.md");
    let section = docs.split("## The same event\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let mut rows = BTreeMap::new();
    for row in section.lines().filter(|line| line.starts_with("| `")) {
        let [record, fields, rule] = row.trim_matches('|').split('|').collect::<Vec<_>>()[..] else {
            panic!("{row}")
        };
        for field in fields.split(',') {
            let field =
                (record.trim().trim_matches('`').to_owned(), field.trim().trim_matches('`').to_owned());
            assert!(rows.insert(field, rule.trim().to_owned()).is_none(), "two rows: {row}");
        }
    }
    rows
}

#[test]
fn the_table_has_a_row_for_each_field_of_the_grammar_and_no_other() {
    let (grammar, rows) = (fields_of_the_grammar(), rows());
    assert!(grammar.len() > 80, "{grammar:?}");
    let rows: BTreeSet<Field> = rows.into_keys().collect();
    let missing: Vec<_> = grammar.difference(&rows).collect();
    let surplus: Vec<_> = rows.difference(&grammar).collect();
    assert!(missing.is_empty() && surplus.is_empty(), "without a row: {missing:?}; of no field: {surplus:?}");
}

/// The record of each kind of event, by its name in JSON: `[micros, offset, number, record]`.
fn record_of(event: &Line) -> String {
    let number = format!("[micros, offset, {}, ", event.event.kind());
    let grammar = read("docs/events.cddl");
    let line = grammar.lines().find(|line| line.contains(&number)).unwrap().to_owned();
    line.rsplit(", ").next().unwrap().split(']').next().unwrap().to_owned()
}

/// The record of a member of a record that is a record itself, or a list of records.
fn record_in(record: &str, field: &str) -> Option<&'static str> {
    Some(match (record, field) {
        ("coup-settled", "bets") => "bet-settled",
        ("table-opened", "limits") => "limits",
        ("limits", "bets") => "bet-limit",
        ("shoe-ended", "reveal") => "reveal",
        ("bank-taken", "partners") => "partner",
        ("correction", "corrected") => "card-drawn",
        _ => return None,
    })
}

/// The golden lines with all fields; every list has at least two items.
fn full_lines() -> Vec<Line> {
    include_str!("../golden/events.tsv")
        .lines()
        .filter(|line| line.split('\t').next().unwrap().ends_with(" full"))
        .map(|line| line.split('\t').nth(1).unwrap())
        .map(|line| line.replace("\"partners\":[", "\"partners\":[{\"player\":\"player-8\",\"amount\":1},"))
        .map(|line| Line::from_json(&line).unwrap())
        .collect()
}

fn event(line: &Value) -> Event {
    Line::from_json(&line.to_string()).unwrap_or_else(|error| panic!("{error}: {line}")).into_event()
}

/// Other values that the field may have in a line, the first ones that the reader takes.
fn others(line: &Value, path: &[&str]) -> Vec<Value> {
    let mut pointer: Vec<String> = vec!["event".into()];
    pointer.extend(path.iter().map(|&name| name.to_owned()));
    let pointer = format!("/{}", pointer.join("/"));
    let candidates = [
        json!(1),
        json!(2),
        json!(3),
        json!("x-1"),
        json!("x-2"),
        json!("punto"),
        json!("banca"),
        json!("tie"),
        json!("KD"),
        json!("5C"),
        json!("croupier"),
        json!("none"),
        json!("shoe-end"),
        json!("leaving"),
        json!("turn"),
        json!("lost"),
        json!("left"),
        json!("seguido"),
        json!("banco"),
        json!("voluntary"),
        json!("no"),
        json!("carta"),
        json!("free-play"),
        json!("punto-total"),
        json!("unlimited-bank"),
        json!({"id": "y"}),
        json!("ff".repeat(32)),
    ];
    let with = |value: &Value| {
        let mut line = line.clone();
        *line.pointer_mut(&pointer).unwrap() = value.clone();
        line
    };
    let was = line.pointer(&pointer).unwrap();
    let taken = candidates.iter().filter(|value| *value != was).map(with);
    taken.filter(|line| Line::from_json(&line.to_string()).is_ok()).take(2).collect()
}

/// Checks each field of a record below `path` against its row, and notes it.
fn check(
    line: &Value,
    path: &[&str],
    record: &str,
    rows: &BTreeMap<Field, String>,
    met: &mut BTreeSet<Field>,
) {
    let pointer = format!("/event/{}", path.join("/"));
    let Some(Value::Object(fields)) = line.pointer(&pointer) else { panic!("{pointer} in {line}") };
    let first = event(line);
    let put = |fields: Map<String, Value>| {
        let mut line = line.clone();
        *line.pointer_mut(&pointer).unwrap() = Value::Object(fields);
        line
    };
    for (name, value) in fields {
        let field = (record.to_owned(), name.clone());
        let rule = &*rows[&field];
        let below = [path, &[name.as_str()]].concat();
        if let Value::Array(items) = value {
            assert!(items.len() > 1, "{field:?} of the golden line has an order");
            let mut turned = items.clone();
            turned.reverse();
            let turned = event(&put({
                let mut fields = fields.clone();
                fields.insert(name.clone(), Value::Array(turned));
                fields
            }));
            let any_order = match rule {
                rule if rule.starts_with("equal in any order") => true,
                rule if rule.starts_with("equal in this order") => false,
                rule => panic!("{field:?} is a list: {rule}"),
            };
            assert_eq!(first.same_as(&turned), any_order, "{field:?} in another order");
            let fewer = event(&put({
                let mut fields = fields.clone();
                // Two signatures cannot be fewer: the second is another one.
                let mut left = items.clone();
                let last = left.pop().unwrap();
                if name == "signed_by" {
                    left.push(json!("somebody"))
                } else {
                    drop(last)
                }
                fields.insert(name.clone(), Value::Array(left));
                fields
            }));
            assert!(!first.same_as(&fewer), "{field:?} with an item fewer");
        } else if value.is_object() && record_in(record, name).is_some() && name != "corrected" {
            assert!(rule.starts_with("equal"), "{field:?}: {rule}");
        } else if name != "corrected" {
            let changed = others(line, &below);
            assert!(!changed.is_empty(), "{field:?} has other values");
            for other in changed {
                assert!(!first.same_as(&event(&other)), "{field:?} in {other}");
            }
            assert!(rule.starts_with("equal"), "{field:?}: {rule}");
        }
        let mut without = fields.clone();
        without.remove(name);
        if rule == "equal, or absent in both" {
            assert!(!first.same_as(&event(&put(without.clone()))), "{field:?} left out");
            without.insert(name.clone(), Value::Null);
            assert!(!first.same_as(&event(&put(without))), "{field:?} null");
        }
        met.insert(field);
        let Some(inner) = record_in(record, name) else { continue };
        if name == "corrected" {
            assert_eq!(rule, "the same kind, and every field the same by this table");
            check(line, &[&below[..], &["CardDrawn"]].concat(), inner, rows, met);
        } else if let Value::Array(items) = value {
            for at in 0..items.len() {
                check(line, &[&below[..], &[&*at.to_string()]].concat(), inner, rows, met);
            }
        } else {
            check(line, &below, inner, rows, met);
        }
    }
}

#[test]
fn what_the_table_says_of_a_field_holds() {
    let rows = rows();
    let mut met = BTreeSet::from(["micros", "offset"].map(|field| ("event".to_owned(), field.to_owned())));
    for line in full_lines() {
        let value = serde_json::to_value(&line).unwrap();
        check(&value, &[line.event.name()], &record_of(&line), &rows, &mut met);
    }
    let all: BTreeSet<Field> = rows.into_keys().collect();
    assert_eq!(all.difference(&met).collect::<Vec<_>>(), Vec::<&Field>::new(), "each field was tried");
}

#[test]
fn another_offset_is_the_same_event_only_on_the_same_local_day() {
    let line = |at: &str| {
        let text = r#"{"table":"T","sequence":1,"occurred_at":"AT","event":{"BetsClosed":{"coup":1}}}"#;
        Line::from_json(&text.replace("AT", at)).unwrap()
    };
    let first = line("2026-03-01T21:04:05+01:00");
    for (at, same) in [
        ("2026-03-01T20:04:05Z", true),
        ("2026-03-01T20:04:05.000000-00:00", true),
        ("2026-03-01T15:04:05-05:00", true),
        ("2026-03-02T05:04:05+09:00", false),
        ("2026-03-01T20:04:05.000001Z", false),
        ("2026-03-01T21:04:05Z", false),
    ] {
        assert_eq!(first.same_as(&line(at)), same, "{at}");
        assert_eq!(first.records(&line(at).into_event()), same, "{at}");
    }
    let elsewhere = Line { sequence: 2, ..first.clone() };
    assert!(!first.same_as(&elsewhere));
    let elsewhere = Line { table: "U".parse().unwrap(), ..first.clone() };
    assert!(!first.same_as(&elsewhere));
}

#[test]
fn settlement_lines_with_one_id_keep_their_order() {
    let settled = |bets: Value| {
        event(
            &json!({"table": "T", "sequence": 1, "occurred_at": "2026-03-01T21:04:05Z", "event": {"CoupSettled":
            {"coup": 1, "winner": "banca", "punto_total": 1, "banca_total": 2, "bets": bets}}}),
        )
    };
    let [a, b, c] =
        [(7, 100), (7, 200), (3, 300)].map(|(bet, returned)| json!({"bet": bet, "returned": returned}));
    let first = settled(json!([a, b, c]));
    assert!(first.same_as(&settled(json!([c, a, b]))));
    assert!(first.same_as(&settled(json!([a, c, b]))));
    assert!(!first.same_as(&settled(json!([b, a, c]))));
    assert!(!first.same_as(&settled(json!([a, a, c]))), "a line twice is not another line");
    assert!(!first.same_as(&settled(json!([a, c]))));
    let corrected = |body: &Event| {
        event(
            &json!({"table": "T", "sequence": 2, "occurred_at": "2026-03-01T21:04:05Z", "event": {"CorrectionRecorded":
            {"corrects": 1, "corrected": body.body, "reason": "r", "signed_by": ["a", "b"]}}}),
        )
    };
    assert!(corrected(&first).same_as(&corrected(&settled(json!([c, a, b])))));
    assert!(!corrected(&first).same_as(&corrected(&settled(json!([b, a, c])))));
}

#[test]
fn the_pairs_of_the_specification_are_the_same_or_not() {
    let text = read("docs/table-events/vectors/same.jsonl");
    let mut counted = [0, 0];
    for vector in text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let line = |name: &str| Line::from_json(vector[name].as_str().unwrap()).unwrap();
        let same = vector["same"].as_bool().unwrap();
        assert_eq!(line("first").same_as(&line("second")), same, "{}", vector["name"]);
        counted[usize::from(same)] += 1;
    }
    assert!(counted.iter().all(|count| *count >= 8), "{counted:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// Being the same is what the identity's bytes say, and it never covers what the sealed bytes of both show to differ
    /// in anything but order and offset.
    #[test]
    fn the_identity_is_equal_exactly_where_the_events_are_the_same(
        pick in any::<prop::sample::Index>(),
        other in any::<prop::sample::Index>(),
        micros in 0..200_000_000_000_i64,
        offsets in (-1_439_i16..1_440, -1_439_i16..1_440),
    ) {
        let lines = full_lines();
        let at = |offset| OccurredAt::new(86_400_000_000 + micros, offset).unwrap();
        let one = Event { occurred_at: at(offsets.0), body: pick.get(&lines).event.clone() };
        let two = Event { occurred_at: at(offsets.1), body: other.get(&lines).event.clone() };
        prop_assert_eq!(one.same_as(&two), one.identity() == two.identity());
        prop_assert_eq!(one.same_as(&two), two.same_as(&one));
        let day = |event: &Event| event.occurred_at.local_day();
        prop_assert_eq!(one.same_as(&two), one.body == two.body && day(&one) == day(&two));
    }
}
