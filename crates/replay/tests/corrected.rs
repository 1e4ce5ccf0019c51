//! Every decision of two histories is corrected after every later event: whatever the correction says, nothing is
//! certified by it once the moment of the decision is past.
#![allow(clippy::unwrap_used)]

#[allow(dead_code, reason = "only the events of a sheet are asked for")]
mod call_sheet;

use std::collections::BTreeMap;

use events::{Body, CorrectionRecorded, Event, Line};
use replay::{Entry, Judge, Judgement};
use serde_json::Value;

const HISTORIES: &str = "
== punto y banca
open punto-banco seats=1,2,3
sit 1 player=ana
sit 2 player=bea
shoe decks=8
burn 2H 2
bet 1 seat 1 punto 1000 player=ana
bet 2 seat 2 banca 2000 player=bea
closed
cards P:9D B:2C P:KD B:5S
settle punto 9-7 1=2000 2=0
bet 3 seat 1 punto 1000 player=ana
closed
cards P:2H B:9C P:KH B:KS
settle banca 2-9 3=0
== chemin de fer
chemin
bid 1 20000
take 1 20000 player=p1
call banco 2 player=p2
bet 1 seat 2 punto 20000 player=p2
closed
holder seat 2
cards P:2D B:3C P:4D B:KS
says punto no
says banca carta
cards B:4H
bank won=20000 c=1000 bank=39000
settle banca 6-7 1=0
pass 1 39000 voluntary player=p1
take 2 39000 player=p2
bet 2 seat 3 punto 39000 player=p3
closed
holder seat 3
cards P:2C B:9S P:KC B:KH
bank won=39000 c=1950 bank=76050
settle banca 2-9 2=0
";

/// What `docs/judging.md` says is decided by each kind of event, and until when.
fn decisions() -> BTreeMap<String, (Vec<String>, String)> {
    let page = include_str!("../../../docs/judging.md");
    let rows = page.lines().filter_map(|line| {
        let cells: Vec<&str> = line.strip_prefix("| `")?.split(" | ").collect();
        let [name, _, _, decided, until] = cells[..] else { return None };
        let fields = decided.split(", ").map(|field| field.trim_matches('`').to_owned());
        Some((name.trim_matches('`').to_owned(), (fields.collect(), until.trim_end_matches(" |").to_owned())))
    });
    rows.collect()
}

fn judge(events: &[Event]) -> Judgement {
    let mut judge = Judge::new(None, None);
    for (index, event) in (0..).zip(events) {
        let payload = events::encode_payload(std::slice::from_ref(event)).unwrap();
        let entry =
            Entry { index, table: "T", first: index + 1, count: 1, payload: &payload, ..Entry::default() };
        judge.judge(&[entry]);
    }
    judge.finish()
}

/// The same event with another value of a field: all that can be read.
fn changed(event: &Event, field: &str) -> Vec<Body> {
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

fn coup(body: &Body) -> Option<u64> {
    serde_json::to_value(body).unwrap()[body.name()]["coup"].as_u64()
}

/// Whether the moment of the decision at `at` is past once the events up to `until` are recorded.
fn is_late(events: &[Event], at: usize, until: usize, moment: &str) -> bool {
    let of = coup(&events[at].body);
    let card =
        |event: &Event| matches!(event.body, Body::CardDrawn(_)) && (of.is_none() || coup(&event.body) == of);
    match moment {
        "first card" if of.is_some() => events[..=until].iter().any(card),
        "first card" => events[at..=until].iter().any(card),
        "next card" => events[at..=until].iter().any(|event| {
            let settles = matches!(event.body, Body::CoupSettled(_)) && coup(&event.body) == of;
            card(event) || settles
        }),
        _ => false,
    }
}

#[test]
fn no_decision_is_certified_by_a_correction_after_its_moment() {
    let (mut late, mut accused, mut in_time) = (BTreeMap::<String, u32>::new(), 0, 0);
    let decisions = decisions();
    for scenario in call_sheet::scenarios(HISTORIES) {
        let events: Vec<Event> = scenario.events().into_iter().map(|(_, event)| event).collect();
        let honest = judge(&events);
        assert!(honest.findings.is_empty(), "{}: {:?}", scenario.title, honest.findings);
        for (at, event) in events.iter().enumerate() {
            let Some((fields, moment)) = decisions.get(event.body.name()) else { continue };
            for (body, field) in fields
                .iter()
                .flat_map(|field| changed(event, field).into_iter().map(move |body| (body, field)))
            {
                for until in at..events.len() {
                    let mut events = events.clone();
                    let correction = Body::CorrectionRecorded(CorrectionRecorded {
                        corrects: at as u64 + 1,
                        corrected: Box::new(body.clone()),
                        reason: "miscount".parse().unwrap(),
                        signed_by: ["inspector".parse().unwrap(), "manager".parse().unwrap()],
                    });
                    events.insert(until + 1, Event { body: correction, ..events[until].clone() });
                    let judged = judge(&events);
                    let said = format!("{} {field} {body:?} after event {}", event.body.name(), until + 1);
                    let codes: Vec<&str> = judged.findings.iter().map(|found| found.code.as_str()).collect();
                    if is_late(&events, at, until, moment) {
                        *late.entry(event.body.name().to_owned()).or_default() += 1;
                        accused += usize::from(!codes.is_empty());
                        let allowed = |code: &&str| ["corrected-late", "bet-corrected-late"].contains(code);
                        assert!(codes.iter().all(allowed), "{said}: {codes:?}");
                        let coups = judged.summary.coups;
                        let plainly = coups.certified - coups.subject_to_ruling;
                        let of_no_coup = matches!(event.body, Body::BankPassed(_) | Body::ShoeLoaded(_));
                        assert!(of_no_coup || plainly < honest.summary.coups.certified, "{said}: {coups:?}");
                    } else if moment != "coup begun" {
                        in_time += 1;
                        assert!(
                            !codes.iter().any(|code| code.contains("corrected-late")),
                            "{said}: {codes:?}"
                        );
                    }
                }
            }
        }
    }
    let kinds: Vec<&str> = late.keys().map(String::as_str).collect();
    assert_eq!(
        kinds,
        [
            "BancoCalled",
            "BankBid",
            "BankPassed",
            "BankTaken",
            "BetPlaced",
            "DrawDecided",
            "PuntoHolder",
            "ShoeLoaded"
        ]
    );
    assert!(accused > 200 && in_time > 100, "{accused} accused, {in_time} in time");
}
