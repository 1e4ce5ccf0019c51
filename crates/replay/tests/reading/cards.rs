//! The check of cards, compared with what the judge in use finds.

use std::collections::{BTreeMap, BTreeSet};

use replay::checks::{self, Checked};
use replay::{Code, Finding};

use super::compared::judged;
use super::records::{Record, all_fixtures, all_sheets};

const CODES: &[Code] = &[
    Code::DealOrder,
    Code::ExtraCard,
    Code::PuntoStood,
    Code::PuntoDrew,
    Code::BancaStood,
    Code::BancaDrew,
    Code::NaturalDrawn,
    Code::DealShort,
];

type Coups = BTreeMap<(Option<String>, u32), BTreeSet<(u64, &'static str)>>;

/// What the check finds in the coups that it decides; the others are left out.
fn checked(record: &Record) -> Coups {
    let mut coups = Coups::new();
    let mut open = BTreeSet::new();
    let Some(book) = record.books.only() else { return coups };
    for shoe in &record.read().shoes {
        let id = shoe.loading.map(|loading| loading.value.shoe.to_string());
        for coup in &shoe.coups {
            let Checked { found, open: reason } = checks::cards(coup, book);
            let key = (id.clone(), coup.number);
            if reason.is_some() || coup.settlements.is_empty() {
                open.insert(key.clone());
            }
            let found = found.iter().map(|found| (found.sequence, found.code.as_str()));
            coups.entry(key).or_default().extend(found);
        }
    }
    coups.retain(|key, _| !open.contains(key));
    coups
}

fn differences(record: &Record, seen: &mut BTreeSet<&'static str>) -> (usize, Vec<String>) {
    let coups = checked(record);
    let judgement = judged(record);
    let of = |key: &(Option<String>, u32)| -> BTreeSet<(u64, &'static str)> {
        let here = |found: &&Finding| (found.shoe.clone(), found.coup) == (key.0.clone(), Some(key.1));
        let found = judgement.findings.iter().filter(here).filter(|found| CODES.contains(&found.code));
        found.map(|found| (found.sequence, found.code.as_str())).collect()
    };
    let mut differ = Vec::new();
    for (key, found) in &coups {
        seen.extend(found.iter().map(|(_, code)| code));
        let judged = of(key);
        if *found != judged {
            differ.push(format!("{} {key:?}: judge {judged:?}, check {found:?}", record.name));
        }
    }
    (coups.len(), differ)
}

#[test]
fn cards_are_checked_as_the_judge_in_use_checks_them() {
    let (mut coups, mut differ, mut seen) = (0, Vec::new(), BTreeSet::new());
    for record in all_fixtures().chain(all_sheets()) {
        let (count, found) = differences(&record, &mut seen);
        coups += count;
        differ.extend(found);
    }
    eprintln!("{coups} coups, {} differ; {seen:?}", differ.len());
    assert!(differ.is_empty(), "{differ:#?}");
    assert!(coups > 5_000, "{coups}");
    let all: BTreeSet<&str> = CODES.iter().map(|code| code.as_str()).collect();
    assert_eq!(seen, all, "codes that no record shows");
}
