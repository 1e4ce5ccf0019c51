//! What a judgement shows, made part by part as a record comes, is what it shows of the record as a whole.

use std::collections::BTreeMap;

use events::{Body, Event};
use replay::reading::{Absent, Hole, OpenRange, Reading, TableFacts, read};
use replay::results::{Evidence, Results, Together};
use replay::stages::{Asked, Judging, Producers, Table};
use replay::{CoupPlace, Judge, Wanted};
use serde_json::{Value, json};

use super::followed::{Numbers, beginning, received, recorded};
use super::records::{Record, all_fixtures, all_reported};
use super::results::{all, entry, with_evidence};

/// What is asked for: a ledger, the places of the coups, views of all coups.
#[derive(Clone)]
struct Asking([Together; 3]);

impl Results for Asking {
    fn anew(&self) -> Self {
        Self([0, 1, 2].map(|at| self.0[at].anew()))
    }

    fn take(&mut self, part: &Evidence<'_, '_>) {
        self.0.iter_mut().for_each(|one| one.take(part));
    }
}

fn listed(coups: &[CoupPlace]) -> Value {
    coups.iter().map(|place| json!([place.table, place.shoe, place.coup, place.first])).collect()
}

type Shown = BTreeMap<&'static str, Value>;

impl Asking {
    /// What these come to with what is not over.
    fn shown(&self, table: &str, open: Self) -> Shown {
        let [ledger, places, views] = [0, 1, 2].map(|at| {
            let mut all = self.0[at].clone();
            all.join(table, open.0[at].clone());
            all
        });
        BTreeMap::from([
            ("findings", json!(ledger.findings())),
            ("summary", json!(ledger.summary())),
            ("ledger", json!(ledger.ledger())),
            ("places", listed(places.listed())),
            ("views", json!(views.coup_views())),
            ("boxes", json!(views.commission())),
        ])
    }
}

fn as_a_whole(record: &Record) -> Shown {
    with_evidence(record, |of| {
        let whole = Together::whole(of);
        BTreeMap::from([
            ("findings", json!(whole.findings())),
            ("summary", json!(whole.summary())),
            ("ledger", json!(whole.ledger())),
            ("places", listed(whole.listed())),
            ("views", json!(whole.coup_views())),
            ("boxes", json!(whole.commission())),
        ])
    })
}

/// What it comes to event by event: after an event, and at the end.
fn part_by_part(record: &Record, after: u64) -> [Option<Shown>; 2] {
    let approved = || record.books.approved.clone();
    let all = Wanted { table: None, shoe: None, coup: None };
    let judges =
        [Judge::with_ledger(approved()), Judge::listing(approved()), Judge::new(approved(), Some(all))];
    let nothing = Asking(judges.each_ref().map(Together::by));
    let (asked, mut over, mut table) = (Asked::by(&judges[0]), nothing.clone(), Table::new(nothing));
    let (entry, received) = (|at| entry(record, at), |at| received(record, at));
    let recorded = |first, end| recorded(record, first, end);
    let judging = Judging {
        table: &record.table,
        grammars: &asked,
        books: &asked,
        producers: &Producers::default(),
        entry: &entry,
        received: &received,
        recorded: &recorded,
    };
    let (mut next, mut stood) = (1, None);
    for (sequence, event) in &record.events {
        if *sequence > next {
            table.miss(Hole { first: next, events: sequence - next, why: Absent::Missing });
        }
        next = sequence + 1;
        if let Some(closed) = table.take(*sequence, event.clone(), judging) {
            over.0.iter_mut().zip(closed.0).for_each(|(over, closed)| over.join(&record.table, closed));
        }
        if *sequence == after {
            stood = Some(over.shown(&record.table, table.as_it_stands(judging)));
        }
    }
    [stood, Some(over.shown(&record.table, table.as_it_stands(judging)))]
}

/// Where two values differ first, and how.
fn difference(whole: &Value, parts: &Value) -> String {
    match (whole, parts) {
        (Value::Object(one), Value::Object(other)) => {
            let keys = one.keys().chain(other.keys());
            let differs = keys.filter(|key| one.get(*key) != other.get(*key));
            let of = |key: &String| format!("{key}: {}", difference(&whole[key], &parts[key]));
            differs.map(of).next().unwrap_or_default()
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            let mut pairs = one.iter().zip(other).enumerate();
            let (at, (one, other)) = pairs.find(|(_, (one, other))| one != other).unwrap();
            format!("[{at}] {}", difference(one, other))
        }
        _ => format!("{whole} became {parts}"),
    }
}

#[test]
fn what_is_made_part_by_part_is_what_is_made_of_the_whole() {
    let (mut numbers, mut compared, mut differ) = (Numbers(3), 0, Vec::new());
    for record in all().chain(all_reported()) {
        let at = numbers.below(record.events.len().max(1));
        let after = record.events.get(at).map_or(0, |(sequence, _)| *sequence);
        let [stood, end] = part_by_part(&record, after);
        let stood = stood.map(|stood| (after, stood, as_a_whole(&beginning(&record, after))));
        let end = end.map(|end| (u64::MAX, end, as_a_whole(&record)));
        for (after, parts, whole) in stood.into_iter().chain(end) {
            for (what, whole) in &whole {
                compared += 1;
                if *whole != parts[what] {
                    let how = difference(whole, &parts[what]);
                    differ.push(format!("{} {} after {after} {what}: {how}", record.name, record.table));
                }
            }
        }
    }
    eprintln!("{compared} compared");
    assert!(compared > 10_000, "{compared}");
    assert!(differ.is_empty(), "{} differ\n{}", differ.len(), differ.join("\n"));
}

/// A record that is cut between two coups and read in two parts has the same coups as when it is read as a whole.
#[test]
fn what_is_true_after_a_part_is_enough_to_read_on() {
    let mut cuts = 0;
    for record in all_fixtures().take(16) {
        let corrects = |(_, event): &(u64, Event)| matches!(event.body, Body::CorrectionRecorded(_));
        if record.events.iter().any(corrects) {
            continue;
        }
        let coups = |reading: &Reading<'_>| -> Vec<String> {
            reading.shoes.iter().flat_map(|shoe| &shoe.coups).map(|coup| format!("{coup:?}")).collect()
        };
        let whole = coups(&record.read());
        for cut in (1..record.events.len()).step_by(7) {
            let (before, after) = record.events.split_at(cut);
            let first = read(&TableFacts::default(), &range(before), &record.books);
            let Some(facts) = first.after else { continue };
            let mut both = coups(&first);
            both.extend(coups(&read(&facts, &range(after), &record.books)));
            assert_eq!(both, whole, "{} cut before {cut}", record.name);
            cuts += 1;
        }
    }
    assert!(cuts > 50, "{cuts}");
}

fn range(events: &[(u64, Event)]) -> OpenRange<'_> {
    OpenRange::of(events.iter().map(|(sequence, event)| (*sequence, event)))
}
