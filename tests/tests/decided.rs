//! Every decision of an honest table is corrected after later events, under every rulebook: whatever the correction says,
//! nothing is plainly certified by it once the moment of the decision is past, and it accuses of nothing but itself.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};

use audit_tests::judges;
use casino::{Plan, simulate};
use events::{Body, Event};
use rayon::prelude::*;
use replay::Judgement;

use crate::decisions::{changed, check_late, decisions, is_late, with_correction};

/// Seeds of the nights in which the first event of each kind is corrected.
const SEEDS: std::ops::Range<u64> = 1..7;

/// Kinds of which no seed has to have an event under every rulebook, but one of them all has.
const KINDS: [&str; 11] = [
    "AbonoPlaced",
    "BancoCalled",
    "BankBid",
    "BankPassed",
    "BankTaken",
    "BetPlaced",
    "DrawDecided",
    "GarajeSet",
    "LeaveGiven",
    "PuntoHolder",
    "ShoeLoaded",
];

fn judge(events: &[Event]) -> Judgement {
    let mut judge = judges::new();
    judge.judge_events((1..).zip(events).map(|(sequence, event)| ("T", sequence, event))).unwrap();
    judge.finish()
}

fn is_settled(event: &Event) -> bool {
    matches!(event.body, Body::CoupSettled(_))
}

/// Corrects the first event of each kind: each field, `most` values of it, behind the events that matter most and behind
/// every `step`th. Returns how many late ones there were of each kind.
fn correct(events: &[Event], seen: &BTreeSet<&str>, most: usize, step: usize) -> BTreeMap<&'static str, u32> {
    let decisions = decisions();
    let mut late = BTreeMap::new();
    for kind in KINDS.into_iter().filter(|kind| !seen.contains(kind)) {
        let Some(at) = events.iter().position(|event| event.body.name() == kind) else { continue };
        let (fields, moment) = &decisions[kind];
        // Up to the second settlement behind it: the coup it decides is over.
        let settled = (at..events.len()).filter(|at| is_settled(&events[*at])).nth(1);
        let Some(end) = settled else { continue };
        let history = &events[..=end];
        let honest = judge(history);
        assert!(honest.findings.is_empty(), "{kind}: {:?}", honest.findings);
        let first_late = (at..=end).find(|until| is_late(history, at, *until, moment));
        let picked = |until: &usize| {
            *until + 1 == first_late.unwrap_or(0)
                || Some(*until) == first_late
                || *until == end
                || is_settled(&history[*until])
                || (*until - at) % step == step - 1
        };
        for (field, body) in fields.iter().flat_map(|field| {
            changed(&events[at], field).into_iter().take(most).map(move |body| (field, body))
        }) {
            for until in (at..=end).filter(picked) {
                let judged = judge(&with_correction(history, at, until, &body));
                let said = format!("{kind} {field} {body:?} behind event {}", until + 1);
                if is_late(history, at, until, moment) {
                    check_late(&said, &events[at].body, &honest, &judged);
                    *late.entry(kind).or_default() += 1;
                } else {
                    let is_late = |found: &replay::Finding| found.code.as_str().contains("corrected-late");
                    assert!(!judged.findings.iter().any(is_late), "{said}: {:?}", judged.findings);
                }
            }
        }
    }
    late
}

/// The kinds of decisions that were corrected too late, over all rulebooks.
fn walk(seeds: std::ops::Range<u64>, most: usize, step: usize) -> BTreeMap<&'static str, u32> {
    let books: Vec<&str> = baccarat::builtins().map(|(id, _)| id).collect();
    let of_book = |id: &&str| {
        let (mut all, mut seen) = (BTreeMap::<&str, u32>::new(), BTreeSet::new());
        for seed in seeds.clone() {
            let plan = Plan { seed, ..Plan::new(baccarat::builtin(id).unwrap()) };
            let events: Vec<Event> = simulate(&plan).lines.map(events::Line::into_event).collect();
            for (kind, count) in correct(&events, &seen, most, step) {
                *all.entry(kind).or_default() += count;
                seen.insert(kind);
            }
            if seen.len() == KINDS.len() {
                break;
            }
        }
        all
    };
    let of_books: Vec<BTreeMap<&str, u32>> = books.par_iter().map(of_book).collect();
    let mut late = BTreeMap::new();
    for (kind, count) in of_books.into_iter().flatten() {
        *late.entry(kind).or_default() += count;
    }
    late
}

#[test]
fn no_decision_is_certified_by_a_correction_after_its_moment_under_any_rulebook() {
    let late = walk(SEEDS, 1, 40);
    assert_eq!(late.keys().copied().collect::<Vec<_>>(), KINDS, "{late:?}");
}

/// The same with every value, behind every event (minutes).
#[test]
#[ignore = "minutes"]
fn no_decision_is_certified_by_a_correction_behind_any_event_under_any_rulebook() {
    let late = walk(1..20, 3, 1);
    assert_eq!(late.keys().copied().collect::<Vec<_>>(), KINDS, "{late:?}");
}
