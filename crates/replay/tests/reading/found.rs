//! Everything that the checks find at a table, compared with what the judge in use finds there.

use std::collections::{BTreeMap, BTreeSet};

use events::TableOpened;
use replay::checks::{self, Book, Open, Paytables, TableChecked};
use replay::reading::Reading;
use replay::{Code, Finding, SeatMoney};

use super::compared::judged;
use super::records::{Books, Record, all_fixtures, all_sheets, of_lines};

/// What is compared here; `money.rs` has the codes of single coups.
const CODES: &[Code] = &[Code::TableAlreadyOpen];

/// The paytables of a record's openings.
struct Tables<'r>(BTreeMap<&'r str, Paytables<'r>>);

impl<'r> Tables<'r> {
    fn of(books: &'r Books) -> Self {
        Self(books.readable().map(|(text, book)| (text, Paytables::of(book))).collect())
    }
}

impl checks::Books for Tables<'_> {
    fn of(&self, opened: &TableOpened) -> Book<'_> {
        self.0.get(opened.rulebook.as_str()).map_or(Book::NotReadable, Book::Known)
    }
}

/// A finding, and what it says was expected and recorded, if the check says that already.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Seen {
    sequence: u64,
    code: &'static str,
    coup: Option<u32>,
    money: Vec<SeatMoney>,
    said: Option<(String, String)>,
}

fn of_judge(finding: &Finding) -> Seen {
    Seen {
        sequence: finding.sequence,
        code: finding.code.as_str(),
        coup: finding.coup,
        money: finding.money.clone(),
        said: Some((finding.expected.to_string(), finding.recorded.to_string())),
    }
}

fn of_check(found: &checks::Found) -> Seen {
    let said = found.said.as_ref();
    Seen {
        sequence: found.sequence,
        code: found.code.as_str(),
        coup: found.coup,
        money: found.money.clone(),
        said: said.map(|said| (said.expected.to_string(), said.recorded.to_string())),
    }
}

/// Coups of which it is not known whether all is right: what is found in them is not compared.
fn open_coups(reading: &Reading<'_>, checked: &TableChecked) -> BTreeSet<u32> {
    let unread = |open: Option<Open>| open.is_none_or(|open| open == Open::Unread);
    let coups = reading.shoes.iter().enumerate().flat_map(|(shoe, record)| {
        record.coups.iter().enumerate().map(move |(at, coup)| ((shoe, at), coup.number))
    });
    let open = coups
        .filter(|(place, _)| checked.coups.get(place).is_none_or(|checked| !unread(checked.checked.open)));
    open.map(|(_, number)| number).collect()
}

/// What only one of the two finds.
fn differences(record: &Record) -> Vec<String> {
    let (reading, tables) = (record.read(), Tables::of(&record.books));
    let checked = checks::table(&reading, &tables);
    let open = open_coups(&reading, &checked);
    let compared = |code: Code, coup: Option<u32>| {
        CODES.contains(&code) && coup.is_none_or(|coup| !open.contains(&coup))
    };
    let judged = judged(record);
    let judge = judged.findings.iter().filter(|one| compared(one.code, one.coup)).map(of_judge);
    let check = checked.found.iter().filter(|one| compared(one.code, one.coup)).map(of_check);
    let (mut only_judge, mut only_check): (Vec<Seen>, Vec<Seen>) = (judge.collect(), Vec::new());
    for one in check {
        let same = |other: &Seen| {
            let said = other.said.clone().filter(|_| one.said.is_some());
            Seen { said, ..other.clone() } == one
        };
        match only_judge.iter().position(same) {
            Some(at) => drop(only_judge.remove(at)),
            None => only_check.push(one),
        }
    }
    let of = |who: &str, seen: &Seen| format!("{} {}: only the {who}: {seen:?}", record.name, record.table);
    let judge = only_judge.iter().map(|seen| of("judge", seen));
    judge.chain(only_check.iter().map(|seen| of("checks", seen))).collect()
}

/// Records in which the two differ, each with the reason.
const KNOWN: &[(&str, &str)] = &[];

#[test]
fn the_checks_find_what_the_judge_in_use_finds() {
    let (mut differ, mut unknown, mut seen) = (BTreeSet::new(), Vec::new(), BTreeSet::new());
    for record in all_fixtures().chain(all_sheets()) {
        let found = differences(&record);
        seen.extend(judged(&record).findings.iter().map(|finding| finding.code));
        if found.is_empty() {
            continue;
        }
        if !KNOWN.iter().any(|(known, _)| *known == record.name) {
            unknown.extend(found);
        }
        differ.insert(record.name);
    }
    unknown.iter().for_each(|one| eprintln!("{one}"));
    assert!(unknown.is_empty(), "{}", unknown.len());
    let gone: Vec<_> = KNOWN.iter().filter(|(known, _)| !differ.contains(*known)).collect();
    assert!(gone.is_empty(), "these do not differ any more: {gone:?}");
    let never: Vec<_> = CODES.iter().filter(|code| !seen.contains(code)).collect();
    assert!(never.is_empty(), "codes that no record shows: {never:?}");
}

/// `READING_HISTORIES=FILE`, made by `.ci/mutate.py`: what differs there. Without it nothing is compared.
#[test]
fn the_checks_find_in_mutated_histories_what_the_judge_in_use_finds() {
    let Ok(file) = std::env::var("READING_HISTORIES") else { return };
    let records = of_lines("history", &std::fs::read_to_string(file).unwrap());
    let records = || records.iter().filter(|record| record.books.is_punto_y_banca());
    let differ: Vec<String> = records().flat_map(differences).collect();
    differ.iter().for_each(|one| eprintln!("{one}"));
    eprintln!("{} tables, {} findings differ", records().count(), differ.len());
    assert!(differ.len() * 50 <= records().count(), "{}", differ.len());
}
