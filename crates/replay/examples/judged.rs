//! Judges recorded lines table by table, without a log around them, and prints what each table came to as a
//! line of JSON: what `docs/independent/judge.py` prints as well, so that the two can be held against each other.
//!
//! `cargo run -p replay --example judged < lines.ndjson`
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

use std::collections::BTreeMap;
use std::io::{BufRead, stdin};

use events::{Body, Line, encode_payload};
use replay::{Code, Entry, Judge, Judgement, Wanted};
use serde_json::{Value, json};

type Sealed = (u64, u64, Vec<u8>);

fn judge(table: &str, lines: &[Sealed]) -> Judgement {
    let mut judge = Judge::new(None, Some(Wanted::default()));
    for (index, first, payload) in lines {
        judge.judge(&[Entry { index: *index, table, first: *first, count: 1, payload, ..Entry::default() }]);
    }
    judge.finish()
}

/// Which openings have another text than the first under the id of their rulebook: the lines are of one log.
fn two_texts(openings: &[(u64, String, u64, Vec<u8>)]) -> Vec<replay::Finding> {
    let mut judge = Judge::new(None, Some(Wanted::default()));
    for (index, table, first, payload) in openings {
        judge.judge(&[Entry { index: *index, table, first: *first, count: 1, payload, ..Entry::default() }]);
    }
    let findings = judge.finish().findings;
    findings.into_iter().filter(|found| found.code == Code::RulebookTwoTexts).collect()
}

fn view(table: &str, judgement: &Judgement) -> Value {
    let coup = |view: &replay::CoupView| json!({"shoe": view.shoe, "coup": view.coup, "verdict": view.verdict, "undecided": view.undecided});
    let finding = |found: &replay::Finding| {
        let money: Vec<_> = found.money.iter().map(|money| (money.seat, money.minor_units)).collect();
        let least: Vec<_> =
            found.money.iter().filter(|money| money.at_least).map(|money| money.seat).collect();
        json!({"sequence": found.sequence, "code": found.code, "coup": found.coup, "money": money, "at_least": least})
    };
    let seat = |of: &replay::SeatCorrected| json!([of.seat, of.moved]);
    let corrected = |view: &replay::CoupView| {
        let of = view.corrected.as_ref()?;
        let seats: Vec<_> = of.seats.iter().map(seat).collect();
        Some(json!({"shoe": view.shoe, "coup": view.coup, "signers": of.signers, "seats": seats}))
    };
    json!({
        "table": table,
        "corrected": judgement.coup_views.iter().filter_map(corrected).collect::<Vec<_>>(),
        "coups": judgement.coup_views.iter().map(coup).collect::<Vec<_>>(),
        "shoes": judgement.summary.shoes,
        "findings": judgement.findings.iter().filter(|found| found.cause.is_none()).map(finding).collect::<Vec<_>>(),
    })
}

fn main() {
    let mut tables: BTreeMap<String, Vec<Sealed>> = BTreeMap::new();
    let mut openings = Vec::new();
    for (index, line) in (0..).zip(stdin().lock().lines()) {
        let line = Line::from_json(&line.unwrap()).unwrap();
        let (table, sequence) = (line.table.to_string(), line.sequence);
        let event = line.into_event();
        let opens = matches!(event.body, Body::TableOpened(_));
        let payload = encode_payload(&[event]).unwrap();
        if opens {
            openings.push((index, table.clone(), sequence, payload.clone()));
        }
        tables.entry(table).or_default().push((index, sequence, payload));
    }
    let two_texts = two_texts(&openings);
    for (table, lines) in &tables {
        let mut judgement = judge(table, lines);
        judgement.findings.retain(|found| found.code != Code::RulebookTwoTexts);
        judgement.findings.extend(two_texts.iter().filter(|found| found.table == *table).cloned());
        println!("{}", view(table, &judgement));
    }
}
