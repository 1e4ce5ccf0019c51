//! Judges histories and sheets for `.ci/mutants`, which copies this file beside the examples of crate `replay`.
//!
//! An item is `FILE.bin` (a history, as `encode` wrote it) or `FILE.sheet#N` (a scenario of a sheet).
#![allow(clippy::unwrap_used, clippy::print_stdout, dead_code, missing_docs)]

#[path = "../tests/call_sheet/mod.rs"]
mod call_sheet;

use std::fs::{read, read_to_string, write};

use events::{Line, encode_payload};
use replay::{Entry, Finding, Judge, Wanted};
use serde_json::{Value, json};

/// Each event's number, the length of its bytes and these.
fn encode(path: &str) {
    let mut out = Vec::new();
    for line in read_to_string(path).unwrap().lines() {
        let line = Line::from_json(line).unwrap();
        out.extend(line.sequence.to_le_bytes());
        let payload = encode_payload(&[line.into_event()]).unwrap();
        out.extend(u32::try_from(payload.len()).unwrap().to_le_bytes());
        out.extend(payload);
    }
    write(path.replace(".ndjson", ".bin"), out).unwrap();
}

fn money(found: &Finding) -> Vec<(u8, i64)> {
    found.money.iter().map(|money| (money.seat, money.minor_units)).collect()
}

fn of_history(path: &str) -> Value {
    let bytes = read(path).unwrap();
    let (mut at, mut index) = (0, 0);
    let mut judge = Judge::new(None, Some(Wanted::default()));
    while at < bytes.len() {
        let first = u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
        let length = u32::from_le_bytes(bytes[at + 8..at + 12].try_into().unwrap()) as usize;
        let payload = &bytes[at + 12..at + 12 + length];
        judge.judge(&[Entry { index, table: "T", first, count: 1, payload, ..Entry::default() }]);
        (at, index) = (at + 12 + length, index + 1);
    }
    let judged = judge.finish();
    let coups: Vec<Value> =
        judged.coup_views.iter().map(|view| json!([view.shoe, view.coup, view.verdict, view.undecided])).collect();
    let findings: Vec<Value> = judged
        .findings
        .iter()
        .filter(|found| found.cause.is_none())
        .map(|found| json!([found.sequence, found.code, found.coup, money(found)]))
        .collect();
    json!([coups, judged.summary.shoes, judged.summary.undecided_shoes, findings])
}

/// The results that the sheet's own test compares: all findings with their details for sheets in `tests/reported`, for
/// others the location of each finding, and the verdicts where the sheet states them.
fn of_scenario(path: &str, number: usize) -> Value {
    let text = read_to_string(path).unwrap();
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("= ")).collect();
    let outcome = call_sheet::scenarios(&lines.join("\n"))[number].run();
    if path.contains("/reported/") {
        let findings = outcome.judgement.findings.iter();
        let all: Vec<Value> =
            findings.map(|found| json!([found.sequence, found.code, found.coup, money(found)])).collect();
        // What the shoes came to where the file asks for it.
        let asked = text.split("\n== ").skip(1).nth(number).unwrap().contains("\n= shoes");
        let shoes = asked.then_some(outcome.judgement.summary.shoes);
        return json!([all, outcome.verdict, shoes]);
    }
    json!([outcome.found, outcome.verdict_expected.map(|_| outcome.verdict)])
}

fn results(item: &str) -> String {
    match item.split_once('#') {
        Some((path, number)) => of_scenario(path, number.parse().unwrap()).to_string(),
        None => of_history(item).to_string(),
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    match arguments[1].as_str() {
        "encode" => arguments[2..].iter().for_each(|path| encode(path)),
        "count" => println!("{}", call_sheet::scenarios(&read_to_string(&arguments[2]).unwrap()).len()),
        // The results of an item, and the mutants that were reached on the way.
        "cover" => println!("{}", json!([results(&arguments[2]), mutant_switch::reached()])),
        // A file of lines `ITEM<tab>RESULTS`; exits with 1 at the first that differs.
        "check" => {
            for line in read_to_string(&arguments[2]).unwrap().lines() {
                let (item, expected) = line.split_once('\t').unwrap();
                if results(item) != expected {
                    println!("{item}");
                    std::process::exit(1);
                }
            }
        }
        other => panic!("{other}"),
    }
}
