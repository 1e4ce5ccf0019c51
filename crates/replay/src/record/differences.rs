//! In what two events under one number differ.

use events::{Body, Event};
use serde_json::Value;

use crate::statement::Differs;

/// A member of an event that differs: its name in JSON, and its values there, if it has any.
pub(crate) type Member = (Box<str>, Option<Value>, Option<Value>);

/// The first fields that differ, by the names that they have in JSON: `occurred_at`, `bets[2].returned`, or `event` where
/// the events are of different kinds.
pub(super) fn between(first: &Event, other: &Event) -> Differs {
    let mut found: Vec<Box<str>> = Vec::new();
    if !first.occurred_at.same_as(other.occurred_at) {
        found.push("occurred_at".into());
    }
    found.extend(members(&first.body, &other.body, Differs::MOST).into_iter().map(|(name, ..)| name));
    Differs::of(found)
}

/// The first members in which two bodies differ, so many and one more at most; `event` if they are of different kinds. Items of a
/// list whose order has no meaning are counted in the order of their keys ([`Body::in_order`]).
pub(crate) fn members(first: &Body, other: &Body, most: usize) -> Vec<Member> {
    let mut found = Found { members: Vec::new(), most };
    let value = |body: &Body| serde_json::to_value(body.in_order()).unwrap_or_default();
    match (value(first), value(other)) {
        // A body is an object with its kind as the one member.
        (Value::Object(first), Value::Object(other)) if first.keys().eq(other.keys()) => {
            for (kind, first) in &first {
                found.compare("", Some(first), other.get(kind));
            }
        }
        (first, other) => found.members.push(("event".into(), Some(first), Some(other))),
    }
    found.members
}

/// The member in which a table's rulebook stands, which may be any JSON: names in it are texts of whoever wrote the record.
const RULEBOOK: &str = "rulebook";

struct Found {
    members: Vec<Member>,
    most: usize,
}

impl Found {
    fn compare(&mut self, path: &str, first: Option<&Value>, other: Option<&Value>) {
        if self.members.len() > self.most {
            return;
        }
        match (first, other) {
            (Some(Value::Object(first)), Some(Value::Object(other))) if !path.ends_with(RULEBOOK) => {
                let only_there = other.keys().filter(|name| !first.contains_key(*name));
                for name in first.keys().chain(only_there) {
                    let (first, other) = (first.get(name), other.get(name));
                    if first != other {
                        let dot = if path.is_empty() { "" } else { "." };
                        self.compare(&format!("{path}{dot}{name}"), first, other);
                    }
                }
            }
            (Some(Value::Array(first)), Some(Value::Array(other))) => {
                for index in 0..first.len().max(other.len()) {
                    let (first, other) = (first.get(index), other.get(index));
                    if first != other {
                        self.compare(&format!("{path}[{index}]"), first, other);
                    }
                }
            }
            (_, _) => self.members.push((path.into(), first.cloned(), other.cloned())),
        }
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

    /// What has no meaning is no difference: the lines of a settlement are counted by their bets, and an instant in another
    /// offset is the same instant.
    #[test]
    fn only_what_makes_another_event_of_it_is_named() {
        let settled = |lines: &str| {
            format!(
                r#"{{"CoupSettled":{{"coup":1,"winner":"banca","punto_total":1,"banca_total":2,"bets":[{lines}]}}}}"#
            )
        };
        let first = settled(r#"{"bet":1,"returned":5},{"bet":2,"returned":6}"#);
        let other = settled(r#"{"bet":2,"returned":7},{"bet":1,"returned":5}"#);
        let first = event("2026-03-01T21:04:05+01:00", &first);
        let differs = between(&first, &event("2026-03-01T20:04:05Z", &other));
        assert_eq!(serde_json::to_value(&differs).unwrap(), serde_json::json!(["bets[1].returned"]));
    }

    /// A rulebook is any JSON: what stands in it is not named, so no name is long or another line on a screen.
    #[test]
    fn of_a_rulebook_nothing_is_named_but_itself() {
        let now = "2026-03-01T21:04:05+01:00";
        let opened = |name: &str| {
            format!(
                r#"{{"TableOpened":{{"rulebook":{{"{name}":1}},"limits":{{"minimum":1,"maximum":2,"multiple":1}},"currency":"EUR","minor_digits":2,"seats":[1]}}}}"#
            )
        };
        let line = |name: &str| {
            let event = opened(name);
            let corrected = format!(
                r#"{{"CorrectionRecorded":{{"corrects":1,"corrected":{event},"reason":"r","signed_by":["a","b"]}}}}"#
            );
            [event, corrected]
        };
        let long = "k".repeat(10_000);
        for (first, other) in line("x`\\n\\nlog intact: yes").iter().zip(&line(&long)) {
            let differs = between(&event(now, first), &event(now, other));
            let named: Vec<String> = serde_json::from_value(serde_json::to_value(&differs).unwrap()).unwrap();
            assert!(named.len() == 1 && named[0].ends_with("rulebook"), "{named:?}");
        }
    }

    #[test]
    fn only_the_first_fields_of_many_are_named() {
        let (first, other) = (Value::from(vec![1; 1_000]), Value::from(vec![2; 1_001]));
        let mut found = Found { members: Vec::new(), most: Differs::MOST };
        found.compare("bets", Some(&first), Some(&other));
        assert_eq!(found.members.len(), Differs::MOST + 1);
        assert_eq!(found.members[1], ("bets[1]".into(), Some(1.into()), Some(2.into())));
    }
}
