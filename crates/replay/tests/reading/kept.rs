//! Whatever a table records, the checks keep a limited number of things between two parts of its record
//! (`docs/judging.md`, "More than is kept").

use std::fmt::Write as _;

use replay::checks::Open;
use replay::{Code, Finding};

use super::found::checked;
use super::judged::judged;
use super::records::Record;
use crate::call_sheet::scenarios;

const COUP: &str = "closed\ncards P:9D B:2C P:KD B:5S\n";

fn record(lines: &str) -> Record {
    let begin = "open punto-banco seats=1,2,3\nshoe decks=8\nburn 2H 2\n";
    let scenario = &scenarios(&format!("== one\n{begin}{lines}"))[0];
    Record::new("one".to_owned(), "T".to_owned(), scenario.events())
}

/// More than is kept is one finding, and leaves open what is in play and what begins before the table opens again.
fn is_left_open(record: &Record, coups: usize) {
    let reading = record.read();
    let checked = checked(record, &reading);
    let beyond = checked.found.iter().filter(|found| found.code == Code::MoreThanKept);
    let beyond: Vec<u64> = beyond.map(|found| found.sequence).collect();
    let is_same = |finding: &&Finding| finding.code == Code::MoreThanKept;
    let judge = judged(record);
    let by_judge: Vec<u64> = judge.findings.iter().filter(is_same).map(|finding| finding.sequence).collect();
    assert_eq!((beyond.len(), &beyond), (1, &by_judge));
    let open: Vec<_> = checked.coups.values().map(|coup| coup.checked.open).collect();
    assert_eq!(open, vec![Some(Open::MoreThanKept); coups]);
    assert_eq!(checked.shoes.get(&0), Some(&Open::MoreThanKept));
}

/// Bets of so many players, each with the id that follows from its number.
fn bets(count: u64, id: impl Fn(u64) -> u64, named: bool) -> (String, String) {
    let (mut bets, mut lines) = (String::new(), String::new());
    for of in 0..count {
        let player = if named { format!(" player=p{of}") } else { String::new() };
        writeln!(bets, "bet {} seat 1 punto 1000{player}", id(of)).unwrap();
        write!(lines, " {}=2000", id(of)).unwrap();
    }
    (bets, lines)
}

#[test]
fn more_players_than_are_kept_leave_all_open_until_the_table_opens_again() {
    let (bets, lines) = bets(4_097, |of| of + 1, true);
    let next = format!("bet 9999 seat 1 punto 1000\n{COUP}settle punto 9-7 9999=2000\n");
    is_left_open(&record(&format!("{bets}{COUP}settle punto 9-7{lines}\n{next}")), 2);
}

#[test]
fn as_many_players_as_are_kept_leave_nothing_open() {
    let (bets, lines) = bets(4_096, |of| of + 1, true);
    let record = record(&format!("{bets}{COUP}settle punto 9-7{lines}\n"));
    let checked = checked(&record, &record.read());
    assert!(checked.found.is_empty() && checked.shoes.is_empty(), "{:?}", checked.found);
    assert!(checked.coups.values().all(|coup| coup.checked.open.is_none()));
}
