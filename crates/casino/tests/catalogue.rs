//! The catalogue of faults: every one can be planted, the same plan gives the same events, and honest
//! play is as varied as it says.
#![allow(clippy::unwrap_used, clippy::wildcard_enum_match_arm)]

use std::collections::{BTreeMap, BTreeSet};

use baccarat::Rulebook;
use casino::{Fault, Plan, simulate};
use events::{Body, Line};

fn rulebooks() -> Vec<Rulebook> {
    baccarat::builtins().map(|(id, _)| baccarat::builtin(id).unwrap()).collect()
}

fn lines(plan: &Plan) -> Vec<Line> {
    simulate(plan).lines.collect()
}

#[test]
fn the_catalogue_is_large_and_its_codes_are_all_different() {
    let codes: BTreeSet<&str> = Fault::ALL.iter().map(|fault| fault.code()).collect();
    assert_eq!(codes.len(), Fault::ALL.len());
    assert!(codes.len() >= 150, "{} faults", codes.len());
    for sentences in [Fault::describe, Fault::describe_in_spanish] {
        let different: BTreeSet<&str> = Fault::ALL.iter().map(|fault| sentences(*fault)).collect();
        assert_eq!(different.len(), Fault::ALL.len());
        assert!(different.iter().all(|sentence| sentence.ends_with('.')));
    }
}

#[test]
fn every_fault_can_be_planted_at_one_table_with_one_shoe() {
    let mut left: BTreeSet<&str> = Fault::ALL.iter().map(|fault| fault.code()).collect();
    for book in rulebooks() {
        for &fault in Fault::ALL.iter().filter(|fault| fault.applies_to(&book)) {
            if !left.remove(fault.code()) {
                continue;
            }
            let simulation = simulate(&Plan { fault: Some(fault), seed: 1979, ..Plan::new(book.clone()) });
            let planted = simulation.planted.unwrap_or_else(|| panic!("{} {fault:?}", book.id));
            assert_eq!((planted.fault, planted.finding), (fault, fault.finding()));
            let lines: Vec<Line> = simulation.lines.collect();
            assert!(lines.iter().any(|line| line.sequence == planted.sequence), "{fault:?}");
            for line in lines {
                assert_eq!(Line::from_json(&line.to_json().unwrap()).unwrap(), line, "{fault:?}");
            }
        }
    }
    assert_eq!(left, BTreeSet::new());
}

#[test]
fn the_same_plan_gives_the_same_events() {
    let book = baccarat::builtin("punto-banco").unwrap();
    for fault in [None, Some(Fault::Overpaid), Some(Fault::CorrectionPays)] {
        for varied in [false, true] {
            let plan = Plan { fault, varied, shoes: 2, ..Plan::new(book.clone()) };
            assert_eq!(lines(&plan), lines(&plan));
        }
    }
}

#[test]
fn a_forged_record_differs_from_the_honest_one_in_few_events() {
    let book = baccarat::builtin("mini-punto-banco").unwrap();
    let honest = Plan { seed: 5, ..Plan::new(book) };
    let crooked = Plan { fault: Some(Fault::MillionsUnread), ..honest.clone() };
    let (honest, crooked) = (lines(&honest), lines(&crooked));
    let differ = honest.iter().zip(&crooked).filter(|(one, other)| one != other).count();
    assert_eq!((honest.len(), differ), (crooked.len(), 2));
}

#[test]
fn varied_play_has_slips_seats_corrections_voids_and_withdrawals() {
    for book in rulebooks().into_iter().filter(|book| book.chemin.is_none()) {
        let played = lines(&Plan { varied: true, shoes: 4, seed: 3, ..Plan::new(book.clone()) });
        let has = |fits: fn(&Body) -> bool| played.iter().any(|line| fits(&line.event));
        assert!(has(|body| matches!(body, Body::CorrectionRecorded(_))), "{}", book.id);
        assert!(has(|body| matches!(body, Body::CoupVoided(_))), "{}", book.id);
        assert!(has(|body| matches!(body, Body::BetWithdrawn(_))), "{}", book.id);
        assert!(several_slips(&played) > 5, "{}", book.id);
    }
}

/// How often a player has more than one bet on one thing in a coup.
fn several_slips(played: &[Line]) -> usize {
    let (mut shoe, mut slips) = (0, BTreeMap::<_, u32>::new());
    for line in played {
        if let Body::ShoeLoaded(_) = line.event {
            shoe += 1;
        } else if let Body::BetPlaced(placed) = &line.event {
            *slips.entry((shoe, placed.coup, placed.player.clone(), placed.kind.clone())).or_default() += 1;
        }
    }
    slips.values().filter(|count| **count > 1).count()
}

#[test]
fn honest_rulings_are_signed_by_two_who_do_not_play() {
    for book in rulebooks() {
        let played = lines(&Plan { varied: true, shoes: 3, seed: 11, ..Plan::new(book.clone()) });
        let players: BTreeSet<String> = played.iter().filter_map(player).collect();
        for signers in played.iter().filter_map(|line| signers(&line.event)) {
            let [one, other] = signers.map(|name| name.to_lowercase());
            assert!(one != other && !players.contains(&one) && !players.contains(&other), "{}", book.id);
        }
    }
}

fn player(line: &Line) -> Option<String> {
    match &line.event {
        Body::SeatTaken(seat) => seat.player.as_ref().map(ToString::to_string),
        Body::BetPlaced(placed) => placed.player.as_ref().map(ToString::to_string),
        _ => None,
    }
}

fn signers(body: &Body) -> Option<[String; 2]> {
    let second = |name: &Option<events::Name>| name.as_ref().unwrap().to_string();
    match body {
        Body::CoupVoided(voided) => Some([voided.ruled_by.to_string(), second(&voided.countersigned_by)]),
        Body::IrregularityRecorded(ruling) => {
            Some([ruling.ruled_by.to_string(), second(&ruling.countersigned_by)])
        }
        Body::CorrectionRecorded(correction) => {
            Some(correction.signed_by.clone().map(|name| name.to_string()))
        }
        _ => None,
    }
}

#[test]
fn two_faults_can_be_planted_in_one_shoe() {
    let book = baccarat::builtin("mini-punto-banco").unwrap();
    for (fault, second) in [
        (Fault::Overpaid, Fault::AlteredTotal),
        (Fault::WrongWinner, Fault::PaidAfterGap),
        (Fault::VoidUnsigned, Fault::LateBet),
        (Fault::BetInvented, Fault::TotalUnread),
    ] {
        let plan = Plan { fault: Some(fault), second: Some(second), ..Plan::new(book.clone()) };
        let simulation = simulate(&plan);
        let planted: Vec<Fault> = [simulation.planted, simulation.second]
            .into_iter()
            .flatten()
            .map(|planted| planted.fault)
            .collect();
        assert_eq!(planted, [fault, second]);
    }
}
