//! Where events are missing: the checks accuse nobody whom the judge in use does not accuse, and what is certain stays found.

use events::Event;

use super::compared::judged;
use super::found::Both;
use super::records::{Record, all_at_the_bank, every_fault, of_lines};

/// What the two find in records with holes.
#[derive(Default)]
struct Compared {
    records: usize,
    judge: usize,
    shared: usize,
    only_judge: Vec<String>,
    only_checks: Vec<String>,
}

impl Compared {
    fn add(&mut self, record: &Record) {
        let both = Both::of(record);
        self.records += 1;
        self.judge += both.judge;
        self.shared += both.shared;
        let of = |one: String| format!("{} {}: {one}", record.name, record.table);
        self.only_judge.extend(both.only_judge.into_iter().map(of));
        self.only_checks.extend(both.only_checks.into_iter().map(of));
    }

    fn show(&self) {
        self.only_judge.iter().for_each(|one| eprintln!("only the judge: {one}"));
        self.only_checks.iter().for_each(|one| eprintln!("only the checks: {one}"));
        let Self { records, judge, shared, only_judge, only_checks } = self;
        let only = (only_judge.len(), only_checks.len());
        eprintln!(
            "{records} records, {judge} found by the judge in use, {shared} by both; only one: {only:?}"
        );
    }
}

/// Without so many events from the one of this index on.
fn punched(record: &Record, from: usize, events: usize) -> Record {
    let of =
        |(at, event): (usize, &(u64, Event))| (!(from..from + events).contains(&at)).then(|| event.clone());
    let left = record.events.iter().enumerate().filter_map(of).collect();
    Record::new(format!("{} without {events} from {from}", record.name), record.table.clone(), left)
}

/// What only the checks find, each with the reason.
const KNOWN: &[(&str, &str)] = &[(
    "slips-under-minimum.ndjson without 3 from 420 ",
    "positions show that the missing events are three cards: none of them can have corrected a stake",
)];

/// A hole of one event or of three close to the first finding of each record, before it and after it.
fn compared_with_holes(records: impl Iterator<Item = Record>) -> Compared {
    let mut compared = Compared::default();
    for record in records {
        let Some(found) = judged(&record).findings.first().map(|found| found.sequence) else { continue };
        let at = record.events.iter().position(|(sequence, _)| *sequence >= found).unwrap_or_default();
        for (before, events) in [(1, 1), (3, 1), (9, 3)] {
            at.checked_sub(before).into_iter().for_each(|from| compared.add(&punched(&record, from, events)));
        }
        for (after, events) in [(1, 1), (7, 3)] {
            compared.add(&punched(&record, at + after, events));
        }
    }
    compared.show();
    compared
}

#[test]
fn a_hole_next_to_a_fault_accuses_nobody_and_hides_what_it_hides_from_the_judge_in_use() {
    let compared = compared_with_holes(every_fault());
    let known = |one: &&String| KNOWN.iter().any(|(name, _)| one.starts_with(name));
    let (known, unknown): (Vec<&String>, Vec<&String>) = compared.only_checks.iter().partition(known);
    assert!(unknown.is_empty(), "{}", unknown.len());
    assert_eq!(known.len(), KNOWN.len());
    assert!(compared.shared * 10 >= compared.judge * 9, "{} of {}", compared.shared, compared.judge);
}

/// What only the checks find at a bank, each with the reason.
const KNOWN_AT_BANK: &[(&str, &str)] = &[
    (
        "auction-to-lower.ndjson without 3 from 520 ",
        "positions show that the missing events are three cards: none of them can have corrected who took the bank",
    ),
    (
        "bank-out-of-turn.ndjson without 3 from 510 ",
        "positions show that the missing events are three cards: none of them can have corrected who took the bank",
    ),
    (
        "bank-taken-away: for the end of the shoe, and a coup is dealt in it without 1 from 14 ",
        "positions show that the missing event is a card: it is no cut card",
    ),
    (
        "chemin-errors: and does not count what lies there without 3 from 9 ",
        "totals and winner are announced that contradict each other, whatever the cards were",
    ),
    (
        "coup-overlap: a bet of the next coup stands among the events of one that has no bets yet without 3 from 17 ",
        "the bet has a wrong number, or was recorded too early: it is wrong in any case",
    ),
];

#[test]
fn a_hole_next_to_a_fault_at_a_bank_accuses_nobody_either() {
    let compared = compared_with_holes(all_at_the_bank());
    let known = |one: &&String| KNOWN_AT_BANK.iter().any(|(name, _)| one.starts_with(name));
    let (known, unknown): (Vec<&String>, Vec<&String>) = compared.only_checks.iter().partition(known);
    assert!(unknown.is_empty(), "{unknown:#?}");
    assert_eq!(known.len(), KNOWN_AT_BANK.len());
    assert!(compared.shared * 10 >= compared.judge * 9, "{} of {}", compared.shared, compared.judge);
}

/// `READING_HISTORIES=FILE`, made by `.ci/mutate.py` with `--gaps` or `--lost`: nobody is accused whom the judge in use does
/// not accuse. Without it nothing is compared.
#[test]
fn nobody_else_is_accused_in_histories_with_gaps() {
    let Ok(file) = std::env::var("READING_HISTORIES") else { return };
    let mut compared = Compared::default();
    let records = of_lines("history", &std::fs::read_to_string(file).unwrap());
    records.iter().for_each(|record| compared.add(record));
    compared.show();
    assert!(compared.only_checks.is_empty(), "{}", compared.only_checks.len());
}
