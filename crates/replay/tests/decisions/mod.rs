//! What is decided until when, by `docs/judging.md`, and what a correction of it may say: for tests that correct every
//! decision after every later event.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use events::{Body, CorrectionRecorded, Event, Line};
use replay::Judgement;
use serde_json::Value;

/// What `docs/judging.md` says is decided by each kind of event, and until when.
pub fn decisions() -> BTreeMap<String, (Vec<String>, String)> {
    let page = include_str!("../../../../docs/judging.md");
    let rows = page.lines().filter_map(|line| {
        let cells: Vec<&str> = line.strip_prefix("| `")?.split(" | ").collect();
        let [name, _, _, decided, until] = cells[..] else { return None };
        let fields = decided.split(", ").map(|field| field.trim_matches('`').to_owned());
        Some((name.trim_matches('`').to_owned(), (fields.collect(), until.trim_end_matches(" |").to_owned())))
    });
    rows.collect()
}

/// The same event with another value of a field: all that can be read.
pub fn changed(event: &Event, field: &str) -> Vec<Body> {
    let line = Line {
        table: "T".parse().unwrap(),
        sequence: 1,
        occurred_at: event.occurred_at,
        event: event.body.clone(),
    };
    let mut json: Value = serde_json::from_str(&line.to_json().unwrap()).unwrap();
    let name = event.body.name();
    let values = match &json["event"][name][field] {
        Value::Number(number) => {
            let number = number.as_u64().unwrap();
            [number + 1, number + 5_000, number / 2].map(Value::from).to_vec()
        }
        Value::Null | Value::Bool(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {
            let words = [
                "punto",
                "banca",
                "tie",
                "no",
                "carta",
                "none",
                "croupier",
                "turn",
                "auction",
                "lost",
                "voluntary",
                "left",
                "banco",
                "con-la-mesa",
                "somebody",
            ];
            let seats = [1, 2, 3].map(|seat| serde_json::json!({ "seat": seat }));
            words.map(Value::from).into_iter().chain(seats).collect()
        }
    };
    let mut bodies = Vec::new();
    for value in values {
        json["event"][name][field] = value;
        let body = Line::from_json(&json.to_string()).map(|line| line.event);
        bodies.extend(body.ok().filter(|body| *body != event.body));
    }
    bodies.truncate(3);
    bodies
}

/// Whether the moment of the decision at `at` is past once the events up to `until` are recorded.
pub fn is_late(events: &[Event], at: usize, until: usize, moment: &str) -> bool {
    let of = events[at].body.coup();
    let card =
        |event: &Event| matches!(event.body, Body::CardDrawn(_)) && (of.is_none() || event.body.coup() == of);
    match moment {
        "first card" if of.is_some() => events[..=until].iter().any(card),
        "first card" => events[at..=until].iter().any(card),
        "next card" => events[at..=until].iter().any(|event| {
            let settles = matches!(event.body, Body::CoupSettled(_)) && event.body.coup() == of;
            card(event) || settles
        }),
        _ => false,
    }
}

/// The events with a correction of the one at `at` behind the one at `until`, signed by two people who do not play.
pub fn with_correction(events: &[Event], at: usize, until: usize, body: &Body) -> Vec<Event> {
    let mut events = events.to_vec();
    let correction = Body::CorrectionRecorded(CorrectionRecorded {
        corrects: at as u64 + 1,
        corrected: Box::new(body.clone()),
        reason: "miscount".parse().unwrap(),
        signed_by: ["inspector".parse().unwrap(), "manager".parse().unwrap()],
    });
    events.insert(until + 1, Event { body: correction, ..events[until].clone() });
    events
}

/// Whether a correction after the moment of a decision leaves nothing plainly certified that it concerns, and accuses of
/// nothing but itself; returns whether it accuses.
pub fn check_late(said: &str, body: &Body, honest: &Judgement, judged: &Judgement) -> bool {
    let codes: Vec<&str> = judged.findings.iter().map(|found| found.code.as_str()).collect();
    let allowed = |code: &&str| ["corrected-late", "bet-corrected-late"].contains(code);
    assert!(codes.iter().all(allowed), "{said}: {codes:?}");
    let coups = judged.summary.coups;
    let plainly = coups.certified - coups.subject_to_ruling;
    let of_no_coup = matches!(body, Body::BankPassed(_) | Body::ShoeLoaded(_));
    assert!(of_no_coup || plainly < honest.summary.coups.certified, "{said}: {coups:?}");
    !codes.is_empty()
}
