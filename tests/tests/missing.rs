//! Whatever is missing from the record of an honest table, nobody is accused of what the missing events may
//! explain, and play is judged again behind them. (Single gaps at tables of punto y banca: `slices.rs`.)
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use audit_tests::judges;
use baccarat::Game;
use casino::{Plan, simulate};
use events::{Body, encode_payload};
use replay::{Entry, Judgement, Verdict};

type Sealed = (String, u64, &'static str, Vec<u8>);

fn sealed(book: baccarat::Rulebook, seed: u64) -> Vec<Sealed> {
    let lines = simulate(&Plan { seed, shoes: 2, ..Plan::new(book) }).lines;
    let sealed = lines.map(|line| {
        let (table, sequence, name) = (line.table.to_string(), line.sequence, line.event.name());
        (table, sequence, name, encode_payload(&[line.into_event()]).unwrap())
    });
    sealed.collect()
}

/// Judges without the events at these indexes.
fn judge_without(entries: &[Sealed], gone: std::ops::Range<usize>) -> Judgement {
    let mut judge = judges::new();
    for (index, (table, first, _, payload)) in entries.iter().enumerate() {
        if !gone.contains(&index) {
            let index = index as u64;
            judge.judge(&[Entry { index, table, first: *first, count: 1, payload, ..Entry::default() }]);
        }
    }
    judge.finish()
}

/// Where the events missing here are gone, somebody was once accused.
#[test]
fn what_once_accused_somebody_does_not_any_more() {
    let histories = [
        ("chemin-de-fer-es-1979", 10, 156),
        ("chemin-de-fer-es-1979", 14, 2_079),
        ("chemin-de-fer-es-1979", 24, 165),
        ("chemin-de-fer-catalogo", 29, 843),
    ];
    for (book, seed, gone) in histories {
        let entries = sealed(baccarat::builtin(book).unwrap(), seed);
        let judgement = judge_without(&entries, gone..gone + 1 + gone % 5);
        let others = judgement.findings.iter().filter(|found| found.code.as_str() != "sequence-gap");
        assert_eq!(others.count(), 0, "{book} seed {seed} without {gone}: {:#?}", judgement.findings);
    }
}

/// Positions that skip three are one finding; by the cards that were dealt the shoe's end may count rightly.
#[test]
fn cards_left_are_no_second_finding_where_positions_are_off_and_events_are_missing() {
    let plan = Plan { seed: 7, shoes: 1, ..Plan::new(baccarat::builtin("mini-punto-banco").unwrap()) };
    let lines: Vec<_> = simulate(&plan).lines.collect();
    let is_end = |line: &events::Line| matches!(line.event, Body::ShoeEnded(_));
    let end = lines.iter().position(is_end).unwrap();
    for missing in 0..6 {
        let mut judge = judges::new();
        for (index, mut line) in lines.iter().cloned().enumerate() {
            if let Body::CardDrawn(drawn) = &mut line.event {
                drawn.position += if index > end / 2 { 3 } else { 0 };
            }
            let (table, sequence) = (line.table.to_string(), line.sequence);
            if !(end - missing..end).contains(&index) {
                judge.judge_events([(table, sequence, line.into_event())]).unwrap();
            }
        }
        let findings = judge.finish().findings;
        let codes: BTreeSet<_> = findings.iter().map(|found| found.code.as_str()).collect();
        assert!(
            codes.contains("shoe-position") && !codes.contains("shoe-cards-left"),
            "{missing}: {findings:#?}"
        );
    }
}

fn nobody_is_accused(seeds: std::ops::Range<u64>, step: usize) {
    let books = baccarat::builtins().map(|(id, _)| baccarat::builtin(id).unwrap());
    let mut missed = BTreeSet::new();
    for book in books.filter(|book| book.game() == Game::CheminDeFer) {
        for seed in seeds.clone() {
            let entries = sealed(book.clone(), seed);
            for gone in (0..entries.len()).step_by(step) {
                let judgement = judge_without(&entries, gone..gone + 1 + gone % 5);
                let what = format!("{} seed {seed} without {gone}, a {}", book.id, entries[gone].2);
                let others = judgement.findings.iter().filter(|found| found.code.as_str() != "sequence-gap");
                let others: Vec<_> = others.collect();
                assert!(others.is_empty(), "{what}: {others:#?}");
                // Behind the last events nothing shows that any are missing.
                let shown = gone + 20 < entries.len();
                assert!(!shown || judgement.certified() == Verdict::Unknown, "{what}");
                missed.insert(entries[gone].2);
            }
        }
    }
    assert!(missed.len() > 15, "{missed:?}");
}

/// An honest record breaks off in a coup of one shoe and goes on in the coup of the same number of the next.
fn numbers_meet(book: &str, seed: u64, every: usize) -> usize {
    let plan = Plan { seed, shoes: 2, ..Plan::new(baccarat::builtin(book).unwrap()) };
    let events: Vec<Body> = simulate(&plan).lines.map(|line| line.event).collect();
    let coups: Vec<Option<u32>> = events.iter().map(Body::coup).collect();
    let entries = sealed(baccarat::builtin(book).unwrap(), seed);
    let loaded: Vec<usize> =
        (0..events.len()).filter(|at| matches!(events[*at], Body::ShoeLoaded(_))).collect();
    let first = (loaded[0]..loaded[1]).filter(|at| coups[*at].is_some_and(|coup| coup <= 12));
    let mut cuts: Vec<(usize, usize)> = Vec::new();
    for at in first {
        let same = (loaded[1]..events.len()).filter(|to| coups[*to] == coups[at]);
        cuts.extend(same.map(|to| (at + 1, to)));
    }
    let cuts: Vec<(usize, usize)> = cuts.into_iter().step_by(every).collect();
    for (from, to) in &cuts {
        let judgement = judge_without(&entries, *from..*to);
        let codes: Vec<&str> = judgement.findings.iter().map(|found| found.code.as_str()).collect();
        assert_eq!(codes, ["sequence-gap"], "{book} seed {seed} without {from}..{to}");
        assert_eq!(judgement.certified(), Verdict::Unknown);
    }
    cuts.len()
}

#[test]
fn nobody_is_accused_where_two_shoes_meet_in_one_coup_number() {
    let books = ["es-1979", "mini-punto-banco", "macau-baccarat", "chemin-de-fer-es-1979"];
    let cuts: usize = books.iter().map(|book| numbers_meet(book, 1, 97)).sum();
    assert!(cuts > 60, "{cuts}");
}

#[test]
#[ignore = "slow: every rulebook, many cuts"]
fn nobody_is_accused_wherever_two_shoes_meet_in_one_coup_number() {
    for (book, _) in baccarat::builtins() {
        assert!(numbers_meet(book, 2, 7) > 100, "{book}");
    }
}

#[test]
fn nobody_is_accused_of_what_missing_events_may_explain() {
    nobody_is_accused(0..2, 41);
}

#[test]
#[ignore = "slow: every event of many sessions"]
fn nobody_is_accused_whatever_event_is_missing() {
    nobody_is_accused(10..30, 3);
}
