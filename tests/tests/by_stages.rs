//! The laws of the judge in use, held by the stages that are to take its place (`docs/decisions/0020-read-first-judge-second.md`).
#![allow(clippy::unwrap_used, clippy::print_stderr)]

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use audit_tests::judges;
use casino::Fault;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use crate::{certainty, detection, ledger, paused, slices};

/// Cases of which the stages do not hold what the judge in use does, by law, below the reasons why.
fn known() -> String {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/by_stages.txt")).unwrap()
}

/// The cases of one law.
struct Law {
    name: &'static str,
    held: usize,
    broken: BTreeSet<String>,
}

impl Law {
    const fn new(name: &'static str) -> Self {
        Self { name, held: 0, broken: BTreeSet::new() }
    }

    /// One case: whatever it asserts holds, by the stages.
    fn case<T>(&mut self, of: &str, case: impl FnOnce() -> T) {
        match judges::by_stages(|| catch_unwind(AssertUnwindSafe(case))) {
            Ok(_) => self.held += 1,
            Err(_) => drop(self.broken.insert(format!("{}: {of}", self.name))),
        }
    }

    /// So many cases hold at least; those that do not are listed, and those that are listed do not.
    fn holds(self, least: usize) {
        let of_law = |line: &&str| line.split_once(": ").is_some_and(|(law, _)| law == self.name);
        let known: BTreeSet<String> = known().lines().filter(of_law).map(str::to_owned).collect();
        eprintln!("{}: {} hold, {} do not", self.name, self.held, self.broken.len());
        let new: Vec<&String> = self.broken.difference(&known).collect();
        assert!(new.is_empty(), "not listed: {new:#?}");
        let gone: Vec<&String> = known.difference(&self.broken).collect();
        assert!(gone.is_empty(), "these hold now: {gone:#?}");
        assert!(self.held >= least, "{} hold", self.held);
    }
}

#[test]
fn each_fault_is_found_alone_at_its_event() {
    let mut law = Law::new("fault");
    let books = detection::rulebooks();
    for (turn, fault) in Fault::ALL.iter().enumerate() {
        // Each under another rulebook than the fault before.
        let mut books = books.iter().cycle().skip(turn).take(books.len());
        let book = books.find(|book| fault.applies_to(book)).unwrap();
        law.case(&format!("{} under {}", fault.code(), book.id), || {
            certainty::planted(book, *fault, 1, turn % 2 == 1);
        });
    }
    law.holds(173);
}

#[test]
fn honest_tables_certify() {
    let mut law = Law::new("honest");
    for (turn, book) in detection::rulebooks().iter().enumerate() {
        law.case(&book.id, || certainty::honest(book, 1, 2, 7, turn % 2 == 1));
    }
    law.holds(37);
}

#[test]
fn no_fault_hides_another() {
    let mut law = Law::new("pair");
    for (book, fault, second) in ledger::pairs_of_faults().iter().step_by(4_999) {
        let second = second.unwrap();
        law.case(&format!("{} and {} under {}", fault.code(), second.code(), book.id), || {
            certainty::hides_nothing(book, *fault, second, 1);
        });
    }
    law.holds(44);
}

#[test]
fn accounts_findings_and_ledger_are_one_sum() {
    let mut law = Law::new("sum");
    let singles = ledger::single_faults().into_iter().skip(3).step_by(97);
    for (book, fault, second) in singles.chain(ledger::pairs_of_faults().into_iter().step_by(5_999)) {
        let of = format!("{} and {:?} under {}", fault.code(), second.map(Fault::code), book.id);
        law.case(&of, || ledger::is_one_sum(&of, &ledger::record(&book, fault, second, 3)));
    }
    law.holds(78);
}

#[test]
fn a_ledger_adds_up_however_the_log_was_cut() {
    let mut law = Law::new("ledger");
    for fault in Fault::ALL.iter().copied().map(Some).step_by(9).chain([None]) {
        let of = fault.map_or("no fault", |fault| fault.code());
        law.case(of, || ledger::adds_up_however_cut(fault));
    }
    law.holds(21);
}

#[test]
fn a_pause_changes_nothing() {
    let mut law = Law::new("pause");
    let books = detection::rulebooks();
    for (turn, book) in books.iter().enumerate() {
        let faults =
            Fault::ALL.iter().copied().filter(|fault| fault.applies_to(book)).skip(turn).step_by(139);
        for fault in faults.map(Some).chain([None]) {
            let of = format!("{:?} under {}", fault.map(Fault::code), book.id);
            law.case(&of, || paused::says_the_same_paused(book, fault, 0, 173 + 8 * turn));
        }
    }
    law.holds(74);
}

#[test]
fn a_part_says_no_more_than_the_whole() {
    let mut law = Law::new("part");
    let mut runner = TestRunner::deterministic();
    let others: Vec<_> = (0..10).map(|_| slices::parts().new_tree(&mut runner).unwrap().current()).collect();
    for part in slices::once_accused().chain(others) {
        law.case(&format!("{part:?}"), || slices::judged_alike(part));
    }
    for fault in Fault::ALL.iter().step_by(7) {
        law.case(fault.code(), || slices::is_wrong_by_itself(*fault));
    }
    law.case("whole nights", slices::each_is_certified_by_itself);
    law.holds(43);
}
