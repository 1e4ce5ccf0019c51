//! The make-believe casino against the judge: honest shoes certify with nothing found, and every
//! planted fault is found at its event, with its code, and is the only finding.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use baccarat::Rulebook;
use casino::{Fault, Plan, simulate};
use events::{Event, Line, encode_payload};
use replay::{Entry, Judge, Judgement, Severity};

/// Judges lines as they would be judged from a log: one entry for each event.
fn judge(lines: impl Iterator<Item = Line>) -> Judgement {
    let mut judge = Judge::default();
    let mut index = 0;
    let mut window: Vec<(String, u64, Vec<u8>)> = Vec::new();
    let mut flush = |window: &mut Vec<(String, u64, Vec<u8>)>, judge: &mut Judge| {
        let entries: Vec<Entry<'_>> = window
            .iter()
            .zip(index..)
            .map(|((table, first, payload), index)| Entry {
                index,
                table,
                first: *first,
                count: 1,
                payload,
                ..Entry::default()
            })
            .collect();
        index += entries.len() as u64;
        judge.judge(&entries);
        window.clear();
    };
    for line in lines {
        let (table, sequence) = (line.table.to_string(), line.sequence);
        let event: Event = line.into_event();
        window.push((table, sequence, encode_payload(&[event]).unwrap()));
        if window.len() >= 4_096 {
            flush(&mut window, &mut judge);
        }
    }
    flush(&mut window, &mut judge);
    judge.finish()
}

fn rulebooks() -> Vec<Rulebook> {
    baccarat::builtins().map(|(id, _)| baccarat::builtin(id).unwrap()).collect()
}

fn told(judgement: &Judgement) -> Vec<String> {
    judgement.findings.iter().map(|f| format!("{f:?}")).collect()
}

fn honest(rulebook: &Rulebook, tables: u32, shoes: u32, seed: u64) {
    let plan = Plan { tables, shoes, seed, ..Plan::new(rulebook.clone()) };
    let judgement = judge(simulate(&plan).lines);
    assert!(judgement.findings.is_empty(), "{} seed {seed}: {:#?}", rulebook.id, told(&judgement));
    assert_eq!(judgement.coups.violated + judgement.coups.undecided, 0, "{} seed {seed}", rulebook.id);
    assert_eq!(
        judgement.shoes.certified,
        u64::from(tables) * u64::from(shoes),
        "{} seed {seed}",
        rulebook.id
    );
    assert!(judgement.coups.certified > u64::from(tables * shoes) * 30);
}

#[test]
fn honest_tables_certify_with_nothing_found() {
    for rulebook in rulebooks() {
        honest(&rulebook, 3, 4, 7);
    }
}

#[test]
#[ignore = "slow: a thousand shoes of each rulebook"]
fn a_thousand_honest_shoes_of_each_rulebook_certify() {
    for rulebook in rulebooks() {
        for seed in 0..10 {
            honest(&rulebook, 10, 10, seed);
        }
    }
}

#[test]
#[ignore = "slow: a thousand sessions of two shoes under each rulebook of chemin de fer"]
fn a_thousand_honest_sessions_of_chemin_de_fer_certify() {
    for rulebook in rulebooks().into_iter().filter(|book| book.game() == baccarat::Game::CheminDeFer) {
        for seed in 1_000..2_000 {
            honest(&rulebook, 1, 2, seed);
        }
    }
}

fn planted(rulebook: &Rulebook, fault: Fault, seed: u64) {
    let plan = Plan { tables: 2, shoes: 2, seed, fault: Some(fault), ..Plan::new(rulebook.clone()) };
    let simulation = simulate(&plan);
    let planted =
        simulation.planted.clone().unwrap_or_else(|| panic!("{} {fault:?} was not planted", rulebook.id));
    let judgement = judge(simulation.lines);
    let place = format!("{} {fault:?} seed {seed}, planted {planted:?}", rulebook.id);
    let found: Vec<(String, u64, &str)> =
        judgement.findings.iter().map(|f| (f.table.clone(), f.sequence, f.code.as_str())).collect();
    let expected = vec![(planted.table.to_string(), planted.sequence, planted.finding)];
    assert_eq!(found, expected, "{place}: {:#?}", told(&judgement));
}

fn every_fault(seeds: std::ops::Range<u64>) {
    let mut applied: BTreeMap<&'static str, u32> = BTreeMap::new();
    for rulebook in rulebooks() {
        for &fault in Fault::ALL.iter().filter(|fault| fault.applies_to(&rulebook)) {
            for seed in seeds.clone() {
                planted(&rulebook, fault, seed);
            }
            *applied.entry(fault.code()).or_default() += 1;
        }
    }
    assert_eq!(applied.len(), Fault::ALL.len(), "some faults apply to no rulebook: {applied:?}");
}

#[test]
fn every_planted_fault_is_found_at_its_event_and_nothing_else_is() {
    every_fault(1..3);
}

#[test]
#[ignore = "slow: every fault with many seeds"]
fn every_planted_fault_is_found_with_many_seeds() {
    every_fault(100..150);
}

#[test]
fn the_codes_the_casino_promises_are_codes_the_judge_knows() {
    for fault in Fault::ALL {
        let known = replay::Code::ALL.iter().find(|code| code.as_str() == fault.finding());
        let code = known.unwrap_or_else(|| panic!("{fault:?} promises {}", fault.finding()));
        let gap = fault.code() == "missing-event";
        assert_eq!(code.severity() == Severity::Incomplete, gap, "{fault:?}");
    }
}
