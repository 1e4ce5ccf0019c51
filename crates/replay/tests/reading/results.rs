//! What a judgement shows, made from what was read and checked, compared with the judge in use.

use std::collections::BTreeSet;

use replay::checks::{CoupChecked, Open};
use replay::results::{self, Evidence};
use replay::{CoupVerdict, CoupView, Finding, Judgement};
use serde_json::{Value, json};

use super::compared::judged;
use super::found::{Seen, Tables, checked, of_judge};
use super::records::{Record, all_at_the_bank, all_fixtures, all_sheets};

/// Log index of each event, one entry for each.
fn entry(record: &Record, sequence: u64) -> u64 {
    let at = record.events.binary_search_by_key(&sequence, |(sequence, _)| *sequence);
    at.unwrap_or(usize::MAX) as u64
}

/// Calls `with` with what the results of a record are made from.
fn with_evidence<T>(record: &Record, with: impl FnOnce(&Evidence<'_, '_>) -> T) -> T {
    let (range, reading, tables) = (record.range(), record.read(), Tables::of(&record.books));
    let checked = checked(record, &reading);
    with(&Evidence {
        table: &record.table,
        range: &range,
        reading: &reading,
        checked: &checked,
        books: &tables,
        entry: &|sequence| entry(record, sequence),
        received: &|sequence| record.received.get(&sequence).copied().unwrap_or_default(),
    })
}

fn all() -> impl Iterator<Item = Record> {
    all_fixtures().chain(all_sheets()).chain(all_at_the_bank())
}

#[derive(Default)]
struct Compared {
    same: usize,
    differ: Vec<(String, String)>,
}

impl Compared {
    fn add(&mut self, record: &Record, what: &str, judge: &Value, result: &Value) {
        if judge == result {
            self.same += 1;
            return;
        }
        let both =
            format!("{} {} {what}\n    judge  {judge}\n    result {result}", record.name, record.table);
        self.differ.push((record.name.clone(), both));
    }

    /// All that differ are listed, each that is listed differs, and so many are the same.
    fn require(self, known: &[(&str, &str)], least: usize) {
        let is_known = |name: &str| known.iter().any(|(known, _)| *known == name);
        let unknown: Vec<_> = self.differ.iter().filter(|(name, _)| !is_known(name)).collect();
        unknown.iter().for_each(|(_, both)| eprintln!("{both}"));
        eprintln!("{} are the same, {} differ", self.same, self.differ.len());
        assert!(unknown.is_empty(), "{}", unknown.len());
        let differ: BTreeSet<&str> = self.differ.iter().map(|(name, _)| name.as_str()).collect();
        let gone: Vec<_> = known.iter().filter(|(known, _)| !differ.contains(known)).collect();
        assert!(gone.is_empty(), "these do not differ any more: {gone:?}");
        assert!(self.same >= least, "{}", self.same);
    }
}

/// The findings of both that say the same of the same event.
fn pairs(judge: &[Finding], results: &[Finding]) -> Vec<(Finding, Finding)> {
    let mut left: Vec<(Seen, &Finding)> = results.iter().map(|found| (of_judge(found), found)).collect();
    let mut pairs = Vec::new();
    for found in judge {
        let seen = of_judge(found);
        if let Some(at) = left.iter().position(|(other, _)| *other == seen) {
            pairs.push((found.clone(), left.remove(at).1.clone()));
        }
    }
    pairs
}

/// Records in which a finding is shown otherwise, each with the reason.
const FINDINGS: &[(&str, &str)] = &[
    (
        "deck-reused: the decks of the shoe before, their serials written otherwise",
        "a name of a shoe that is loaded is of that shoe, and not of the one before",
    ),
    (
        "name-unseen: of a signer, once; of a deck; of a player",
        "a name of a shoe that is loaded is of that shoe, and not of the one before",
    ),
    (
        "shoe-id-reused: the same shoe, written otherwise",
        "a name of a shoe that is loaded is of that shoe, and not of the one before",
    ),
    (
        "shoe-not-ended: kept overnight, and opened under another rulebook",
        "the clause is one of the rulebook by which the shoe was played",
    ),
    (
        "bank-not-settled: the table closes and the banker has the bank",
        "the clause is one of the rulebook under which the table closes",
    ),
];

#[test]
fn findings_are_shown_as_the_judge_in_use_shows_them() {
    let mut compared = Compared::default();
    for record in all() {
        let (judge, results) = (judged(&record).findings, with_evidence(&record, results::findings));
        for (judge, result) in pairs(&judge, &results) {
            compared.add(&record, "finding", &json!(judge), &json!(result));
        }
    }
    compared.require(FINDINGS, 900);
}

/// Whether both find the same in a record, and the checked coups have the same verdicts and accounts of bets.
fn come_to_the_same(judge: &Judgement, of: &Evidence<'_, '_>) -> bool {
    let found = results::findings(of);
    let findings = judge.findings.len() == found.len() && pairs(&judge.findings, &found).len() == found.len();
    let coup = |((shoe, at), checked): (&(usize, usize), &CoupChecked)| {
        let shoe = &of.reading.shoes[*shoe];
        let id = shoe.loading.map(|loading| loading.value.shoe.to_string());
        let same = |view: &&CoupView| view.shoe == id && view.coup == shoe.coups[*at].number;
        let open =
            checked.checked.open.filter(|_| checked.verdict() == CoupVerdict::Undecided).map(Open::reason);
        let is_like = |view: &CoupView| {
            (view.verdict, view.undecided.filter(|_| view.verdict == CoupVerdict::Undecided))
                == (checked.verdict(), open)
                && (checked.bets.is_empty() || view.account.bets == checked.bets)
        };
        let mut views = judge.coup_views.iter().filter(same);
        views.next().is_some_and(is_like) && views.next().is_none()
    };
    findings && of.checked.coups.iter().all(coup)
}

/// Records whose counts differ though both find the same, each with the reason.
const COUNTS: &[(&str, &str)] = &[
    ("commission-corrected.ndjson", CORRECTED),
    ("correction-pays.ndjson", CORRECTED),
    ("correction-turns.ndjson", CORRECTED),
    ("correction-wrong.ndjson", CORRECTED),
    (
        "corrected-after-closing: a bet says another stake once the table has closed: what was decided counts",
        "the coup is subject to the correction, as it is if that came before the closing",
    ),
    ("corrected-after-closing: what was paid may be corrected then", CORRECTED),
    ("corrected-after-closing: and the corrected sum is judged", CORRECTED),
    ("correction-target: the settlement before, put right: it is judged as corrected", CORRECTED),
    ("correction-target: the box follows the corrected commission", CORRECTED),
    (
        "correction-target: a right settlement three coups back, corrected to pay ten million to a loser",
        CORRECTED,
    ),
    ("chemin-errors: a correction of the bank's account puts the bank right", CORRECTED),
    ("name-look-alike: a Latin and a Cyrillic name sign for one another", ALIKE),
    (
        "name-look-alike: the serial of a deck looks like one that was used: the Cyrillic letter, in either order",
        ALIKE,
    ),
    ("name-look-alike: two decks of one shoe look alike, and the same one again is used again", ALIKE),
    ("name-look-alike: the id of a shoe looks like one that was used", ALIKE),
    ("name-look-alike: the bank under two names", ALIKE),
];

const CORRECTED: &str = "what corrections of observations moved is not compared yet";
const ALIKE: &str = "names of signers, decks and shoes that look alike leave nothing open yet";

#[test]
fn tables_are_counted_as_the_judge_in_use_counts_them() {
    let (mut compared, mut others) = (Compared::default(), 0);
    for record in all() {
        let judge = judged(&record);
        let summary = with_evidence(&record, |of| come_to_the_same(&judge, of).then(|| results::summary(of)));
        match summary {
            Some(summary) => compared.add(&record, "summary", &json!(judge.summary), &json!(summary)),
            None => others += 1,
        }
    }
    eprintln!("{others} records in which the two come to something else");
    compared.require(COUNTS, 1_000);
}

/// Records in which the boxes come to something else though both find the same, each with the reason.
const BOXES: &[(&str, &str)] = &[];

#[test]
fn boxes_come_to_what_they_come_to_for_the_judge_in_use() {
    let mut compared = Compared::default();
    for record in all() {
        let judge = judged(&record);
        let boxes =
            with_evidence(&record, |of| come_to_the_same(&judge, of).then(|| results::commission(of)));
        let boxes = boxes.filter(|boxes| !boxes.is_empty() || !judge.commission.is_empty());
        if let Some(boxes) = boxes {
            compared.add(&record, "boxes", &json!(judge.commission), &json!(boxes));
        }
    }
    compared.require(BOXES, 50);
}
