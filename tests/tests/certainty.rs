//! The simulated casino against the judge: honest shoes certify with nothing found, and every
//! planted fault is found at its event, with its code and its money, and nothing else is but what
//! follows from it.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use baccarat::Rulebook;
use casino::{Fault, Plan, simulate};
use rayon::prelude::*;
use replay::{Judgement, Severity};

use crate::detection::{
    self, Detection, PairDetection, detection_of_pair, judge, play, play_pair, rulebooks,
};

fn findings_of(judgement: &Judgement) -> Vec<String> {
    judgement.findings.iter().map(|f| format!("{f:?}")).collect()
}

pub fn honest(rulebook: &Rulebook, tables: u32, shoes: u32, seed: u64, varied: bool) {
    let plan = Plan { tables, shoes, seed, varied, ..Plan::new(rulebook.clone()) };
    let judgement = judge(simulate(&plan).lines);
    assert!(judgement.findings.is_empty(), "{} seed {seed}: {:#?}", rulebook.id, findings_of(&judgement));
    assert_eq!(
        judgement.summary.coups.violated + judgement.summary.coups.undecided,
        0,
        "{} seed {seed}",
        rulebook.id
    );
    assert_eq!(
        judgement.summary.shoes.certified,
        u64::from(tables) * u64::from(shoes),
        "{} seed {seed}",
        rulebook.id
    );
    assert!(judgement.summary.coups.certified > u64::from(tables * shoes) * 30);
}

#[test]
fn honest_tables_certify_with_nothing_found() {
    for rulebook in rulebooks() {
        honest(&rulebook, 3, 4, 7, false);
    }
}

/// Several slips, bets at two seats, misread cards put right, void coups: nothing of it is a fault.
#[test]
fn honest_tables_at_which_everything_happens_certify_as_well() {
    for rulebook in rulebooks() {
        honest(&rulebook, 3, 4, 8, true);
    }
}

#[test]
#[ignore = "slow: a thousand shoes of each rulebook"]
fn a_thousand_honest_shoes_of_each_rulebook_certify() {
    for rulebook in rulebooks() {
        for seed in 0..10 {
            honest(&rulebook, 10, 10, seed, seed % 2 == 1);
        }
    }
}

#[test]
#[ignore = "slow: a thousand sessions of two shoes under each rulebook of chemin de fer"]
fn a_thousand_honest_sessions_of_chemin_de_fer_certify() {
    for rulebook in rulebooks().into_iter().filter(|book| book.game() == baccarat::Game::CheminDeFer) {
        for seed in 1_000..2_000 {
            honest(&rulebook, 1, 2, seed, false);
        }
    }
}

pub fn planted(rulebook: &Rulebook, fault: Fault, seed: u64, varied: bool) {
    let (planted, judgement) = play(rulebook, fault, seed, varied);
    let reported = Detection::of(&planted, &judgement);
    assert!(
        reported.is_exact(),
        "{} {fault:?} seed {seed} varied {varied}, planted {planted:?}, {reported:?}: {:#?}",
        rulebook.id,
        findings_of(&judgement)
    );
}

/// Rulebooks of every kind: commission at once, boxed, none; dealt by a croupier, by players, by a bank.
const OF_PAIRS: [&str; 4] = ["mini-punto-banco", "es-1979", "ez-card-room", "chemin-de-fer-es-1979"];

/// Every pair is planted in turn, of which every so manieth is asked for; both of each are found.
fn pairs(rulebooks: &[&str], every: usize, seed: u64) -> usize {
    let pairs: Vec<(Rulebook, Fault, Fault)> = rulebooks
        .iter()
        .flat_map(|id| pairs_under(&baccarat::builtin(id).unwrap()))
        .skip(usize::try_from(seed).unwrap() % every)
        .step_by(every)
        .collect();
    let is_planted = |(rulebook, fault, second): &&_| hides_nothing(rulebook, *fault, *second, seed);
    pairs.par_iter().filter(is_planted).count()
}

/// Whether some coup allows both; neither hides the other.
pub fn hides_nothing(rulebook: &Rulebook, fault: Fault, second: Fault, seed: u64) -> bool {
    let Some((planted, judgement)) = play_pair(rulebook, fault, second, seed) else { return false };
    let reported = detection_of_pair(&planted, &judgement);
    assert!(
        !matches!(reported, PairDetection::Hidden(_)),
        "{}: {fault:?} and {second:?}, seed {seed}: {reported:#?} of {planted:#?} in {:#?}",
        rulebook.id,
        findings_of(&judgement)
    );
    true
}

fn pairs_under(rulebook: &Rulebook) -> Vec<(Rulebook, Fault, Fault)> {
    let pairs = detection::pairs(rulebook).into_iter();
    pairs.map(|(fault, second)| (rulebook.clone(), fault, second)).collect()
}

/// Two faults in one coup or shoe are both found, whatever one does to the money of the other; where they touch
/// different coups, the money of each is reported as well.
#[test]
fn pairs_of_faults_are_both_found() {
    let planted = pairs(&OF_PAIRS, 23, 1);
    assert!(planted > 500, "{planted} pairs were planted");
}

#[test]
#[ignore = "slow: every pair of faults under every rulebook"]
fn all_pairs_of_faults_are_both_found() {
    let all: Vec<&str> = baccarat::builtins().map(|(id, _)| id).collect();
    let planted = pairs(&all, 1, 1);
    assert!(planted > 50_000, "{planted} pairs were planted");
}

fn every_fault(seeds: std::ops::Range<u64>) {
    let applied: BTreeSet<&'static str> =
        rulebooks().par_iter().flat_map_iter(|rulebook| every_fault_under(rulebook, &seeds)).collect();
    assert_eq!(applied.len(), Fault::ALL.len(), "some faults apply to no rulebook: {applied:?}");
}

fn every_fault_under(rulebook: &Rulebook, seeds: &std::ops::Range<u64>) -> Vec<&'static str> {
    let faults: Vec<Fault> = Fault::ALL.iter().copied().filter(|fault| fault.applies_to(rulebook)).collect();
    for &fault in &faults {
        for seed in seeds.clone() {
            [false, true].into_iter().for_each(|varied| planted(rulebook, fault, seed, varied));
        }
    }
    faults.into_iter().map(Fault::code).collect()
}

#[test]
fn every_planted_fault_is_found_at_its_event_and_nothing_else_is() {
    every_fault(1..2);
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

/// The matrix of `docs/detection.md` has every fault once, with its finding and the number of rulebooks that can
/// have it.
#[test]
fn every_fault_has_its_row_in_the_matrix() {
    let page = include_str!("../../docs/detection.md");
    let books = rulebooks();
    for fault in Fault::ALL {
        let applies = books.iter().filter(|book| fault.applies_to(book)).count();
        let row = format!("| `{}` | `{}` | {applies} | ", fault.code(), fault.finding());
        let rows = page.lines().filter(|line| line.starts_with(&row)).count();
        assert_eq!(rows, 1, "docs/detection.md: {rows} rows begin with {row}");
    }
}
