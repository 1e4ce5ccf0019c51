//! What coups come to by the checks, and their money, compared with the judge in use.

use std::collections::BTreeMap;

use replay::checks::{CoupChecked, Open};
use replay::{BetAccount, CoupVerdict, CoupView, Finding, Reason};

use super::bank;
use super::compared::judged;
use super::found::{self, CODES, RECORDED, is_known};
use super::records::{Record, all_at_the_bank, all_fixtures, all_sheets, of_lines};

type Key = (Option<String>, u32);
/// The verdict with its reason, if it is compared, and the account.
type Seen = (Option<(CoupVerdict, Option<Reason>)>, Vec<BetAccount>);

/// Reasons of which no check says anything yet.
const NOT_YET: &[Reason] =
    &[Reason::EventUnknown, Reason::Corrected, Reason::MoreThanKept, Reason::ShoeMissing];

/// What the checks say of every coup of a record; `None` where two coups have one number.
fn checked(record: &Record) -> BTreeMap<Key, Option<CoupChecked>> {
    let reading = record.read();
    let mut checked = found::checked(record, &reading);
    let mut coups = BTreeMap::new();
    for (of, shoe) in reading.shoes.iter().enumerate() {
        let id = shoe.loading.map(|loading| loading.value.shoe.to_string());
        for (at, coup) in shoe.coups.iter().enumerate() {
            let Some(checked) = checked.coups.remove(&(of, at)) else { continue };
            let again = coups.insert((id.clone(), coup.number), Some(checked)).is_some();
            if again {
                coups.insert((id.clone(), coup.number), None);
            }
        }
    }
    coups
}

/// A verdict is compared if what violates the coup is.
fn of_view(view: &CoupView, all: &[Finding]) -> Seen {
    let here = |found: &&Finding| (&found.shoe, found.coup) == (&view.shoe, Some(view.coup));
    let codes = [CODES, RECORDED, bank::CODES];
    let is_compared =
        || all.iter().filter(here).any(|found| codes.iter().any(|codes| codes.contains(&found.code)));
    let verdict = match (view.verdict, view.undecided) {
        (CoupVerdict::Violated, _) => is_compared().then_some((CoupVerdict::Violated, None)),
        (_, Some(reason)) if NOT_YET.contains(&reason) => None,
        (verdict, reason) => Some((verdict, reason)),
    };
    (verdict, view.account.bets.clone())
}

fn of_check(checked: &CoupChecked) -> Seen {
    let verdict = checked.verdict();
    let reason = checked.checked.open.filter(|_| verdict == CoupVerdict::Undecided).map(Open::reason);
    (Some((verdict, reason)), checked.bets.clone())
}

#[derive(Default)]
struct Compared {
    coups: usize,
    /// Coups that the checks leave open, by reason.
    open: BTreeMap<Open, usize>,
    differ: Vec<(String, String)>,
}

impl Compared {
    fn add(&mut self, record: &Record) {
        let coups = checked(record);
        let mut views: BTreeMap<Key, Vec<Seen>> = BTreeMap::new();
        let judgement = judged(record);
        for view in &judgement.coup_views {
            let seen = of_view(view, &judgement.findings);
            views.entry((view.shoe.clone(), view.coup)).or_default().push(seen);
        }
        for (key, checked) in coups {
            let (Some(checked), Some([view])) = (checked, views.get(&key).map(Vec::as_slice)) else {
                continue;
            };
            self.coups += 1;
            let (mut of, view) = (of_check(&checked), view.clone());
            if let Some(open) = checked.checked.open {
                *self.open.entry(open).or_default() += 1;
                if !is_known(open) {
                    continue;
                }
            }
            of.0 = of.0.filter(|_| view.0.is_some());
            if of != view {
                let both = format!(
                    "{} {} {key:?} {:?}\n    judge {:?}\n    check {:?}\n    judge {:?}\n    check {:?}",
                    record.name, record.table, checked.checked.open, view.0, of.0, view.1, of.1
                );
                self.differ.push((record.name.clone(), both));
            }
        }
    }
}

/// Records in which the two differ, each with the reason.
const KNOWN: &[(&str, &str)] = &[];

/// `READING_HISTORIES=FILE`, made by `.ci/mutate.py`: what differs there. Without it nothing is compared.
#[test]
fn coups_of_mutated_histories_are_checked_as_the_judge_in_use_checks_them() {
    let Ok(file) = std::env::var("READING_HISTORIES") else { return };
    let mut compared = Compared::default();
    let records = of_lines("history", &std::fs::read_to_string(file).unwrap());
    records.iter().for_each(|record| compared.add(record));
    let Compared { coups, open, differ } = compared;
    differ.iter().for_each(|(_, both)| eprintln!("{both}"));
    eprintln!("{coups} coups, {} differ; open: {open:?}", differ.len());
    assert!(differ.len() * 50 <= coups, "{} of {coups}", differ.len());
}

#[test]
fn coups_are_checked_as_the_judge_in_use_checks_them() {
    let mut compared = Compared::default();
    all_fixtures().chain(all_sheets()).chain(all_at_the_bank()).for_each(|record| compared.add(&record));
    let Compared { coups, open, differ } = compared;
    eprintln!("{coups} coups, {} differ; open: {open:?}", differ.len());
    let known = |name: &str| KNOWN.iter().any(|(known, _)| *known == name);
    let unknown: Vec<_> = differ.iter().filter(|(name, _)| !known(name)).map(|(_, both)| both).collect();
    for one in &unknown {
        eprintln!("{one}");
    }
    assert!(unknown.is_empty(), "{}", unknown.len());
    let gone: Vec<_> =
        KNOWN.iter().filter(|(known, _)| differ.iter().all(|(name, _)| name != known)).collect();
    assert!(gone.is_empty(), "these do not differ any more: {gone:?}");
}
