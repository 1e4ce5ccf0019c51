//! In what two events under one number differ.

use events::Event;
use serde_json::Value;

use crate::statement::Differs;

/// The first fields that differ, by the names that they have in JSON: `occurred_at`, `bets[2].stake`, or `event` where
/// the events are of different kinds.
pub(super) fn between(first: &Event, other: &Event) -> Differs {
    let mut found = Vec::new();
    if first.occurred_at != other.occurred_at {
        found.push("occurred_at".into());
    }
    let value = |event: &Event| serde_json::to_value(&event.body).unwrap_or_default();
    match (value(first), value(other)) {
        // A body is an object with its kind as the one member.
        (Value::Object(first), Value::Object(other)) if first.keys().eq(other.keys()) => {
            for (kind, first) in &first {
                compare(String::new(), Some(first), other.get(kind), &mut found);
            }
        }
        (_, _) => found.push("event".into()),
    }
    Differs::of(found)
}

fn compare(path: String, first: Option<&Value>, other: Option<&Value>, found: &mut Vec<Box<str>>) {
    if first == other || found.len() > Differs::MOST {
        return;
    }
    match (first, other) {
        (Some(Value::Object(first)), Some(Value::Object(other))) => {
            let only_there = other.keys().filter(|name| !first.contains_key(*name));
            for name in first.keys().chain(only_there) {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                compare(path, first.get(name), other.get(name), found);
            }
        }
        (Some(Value::Array(first)), Some(Value::Array(other))) => {
            for index in 0..first.len().max(other.len()) {
                compare(format!("{path}[{index}]"), first.get(index), other.get(index), found);
            }
        }
        (_, _) => found.push(path.into()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use events::Line;

    use super::*;

    fn event(occurred_at: &str, event: &str) -> Event {
        let line = format!(r#"{{"table":"T","sequence":1,"occurred_at":"{occurred_at}","event":{event}}}"#);
        Line::from_json(&line).unwrap().into_event()
    }

    #[test]
    fn the_fields_are_named_as_in_json() {
        let (now, later) = ("2026-03-01T21:04:05+01:00", "2026-03-01T21:04:06+01:00");
        let closed = |coup: u32| format!(r#"{{"BetsClosed":{{"coup":{coup}}}}}"#);
        let bet = |stake: u32| {
            format!(r#"{{"BetPlaced":{{"coup":1,"bet":7,"seat":3,"kind":"punto","stake":{stake}}}}}"#)
        };
        for (first, other, fields) in [
            ((now, closed(1)), (now, closed(2)), &["coup"][..]),
            ((now, closed(1)), (later, closed(2)), &["occurred_at", "coup"]),
            ((now, closed(1)), (later, closed(1)), &["occurred_at"]),
            ((now, bet(500)), (now, bet(900)), &["stake"]),
            ((now, bet(500)), (now, closed(1)), &["event"]),
        ] {
            let differs = between(&event(first.0, &first.1), &event(other.0, &other.1));
            assert_eq!(serde_json::to_value(&differs).unwrap(), serde_json::json!(fields));
        }
    }

    #[test]
    fn only_the_first_fields_of_many_are_named() {
        let (first, other) = (Value::from(vec![1; 1_000]), Value::from(vec![2; 1_001]));
        let mut found = Vec::new();
        compare("bets".to_owned(), Some(&first), Some(&other), &mut found);
        assert_eq!(found.len(), Differs::MOST + 1);
        assert_eq!(&*found[1], "bets[1]");
    }
}
