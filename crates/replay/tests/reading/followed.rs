//! A record that is followed comes to the same as one that is read as a whole.

use std::collections::BTreeMap;

use events::Event;
use replay::checks::{self, Found, TableChecked};
use replay::reading::{Absent, Hole, Reading};
use replay::stages::{Judging, Results, Table};
use replay::{BetAccount, CoupVerdict, Received};

use super::found::Tables;
use super::records::{Record, all_at_the_bank, all_fixtures, all_sheets};

/// By the sequence of its first event: a coup's number and what it comes to, with what its bets had to return.
type Coups = BTreeMap<u64, (u32, CoupVerdict, Vec<BetAccount>)>;

/// What a record comes to.
#[derive(Clone, Default, PartialEq)]
struct Together {
    found: Vec<Found>,
    coups: Coups,
}

impl Together {
    fn sorted(mut self) -> Self {
        self.found.sort_unstable();
        self
    }
}

impl Results for Together {
    fn take(&mut self, reading: &Reading<'_>, checked: &TableChecked) {
        for ((shoe, at), coup) in &checked.coups {
            let record = &reading.shoes[*shoe].coups[*at];
            self.coups.insert(record.began, (record.number, coup.verdict(), coup.bets.clone()));
        }
        self.end(checked.found.clone());
    }

    /// Which shoe of its reading a finding belongs to says nothing of the whole.
    fn end(&mut self, found: Vec<Found>) {
        self.found.extend(found.into_iter().map(|found| Found { shoe: None, ..found }));
    }
}

/// What a record comes to that is read as a whole.
fn as_a_whole(record: &Record) -> Together {
    let (reading, range, tables) = (record.read(), record.range(), Tables::of(&record.books));
    let checked = checks::table(&reading, &range, &tables, &|sequence| received(record, sequence));
    let mut together = Together::default();
    together.take(&reading, &checked);
    together.sorted()
}

fn received(record: &Record, sequence: u64) -> Received {
    record.received.get(&sequence).copied().unwrap_or(Received::Unknown)
}

/// What it comes to, event by event: after each of these sequences, and at the end.
fn event_by_event(record: &Record, after: &[u64]) -> (BTreeMap<u64, Together>, Together) {
    let (tables, mut all) = (Tables::of(&record.books), Together::default());
    let mut table: Table<Together> = Table::default();
    let received = |sequence| received(record, sequence);
    let judging = Judging { grammars: &record.books, books: &tables, received: &received };
    let (mut next, mut stood) = (1, BTreeMap::new());
    let together = |all: &Together, table: &Table<Together>| {
        let mut together = all.clone();
        let now = table.as_it_stands(judging);
        together.found.extend(now.found);
        together.coups.extend(now.coups);
        together.sorted()
    };
    for (at, (sequence, event)) in record.events.iter().enumerate() {
        if after.contains(sequence) {
            table = saved_and_restored(&table, &record.events[..at], judging);
        }
        if *sequence > next {
            table.miss(Hole { first: next, events: sequence - next, why: Absent::Missing });
        }
        next = sequence + 1;
        if let Some(closed) = table.take(*sequence, event.clone(), judging) {
            all.found.extend(closed.found);
            all.coups.extend(closed.coups);
        }
        if after.contains(sequence) {
            stood.insert(*sequence, together(&all, &table));
        }
    }
    (stood, together(&all, &table))
}

/// The same table after it was saved, and takes the events again that are not over.
fn saved_and_restored(
    table: &Table<Together>,
    events: &[(u64, Event)],
    judging: Judging<'_>,
) -> Table<Together> {
    let text = serde_json::to_string(&table.before()).unwrap();
    let mut restored = Table::restored(serde_json::from_str(&text).unwrap());
    let since = events.len().saturating_sub(table.open_events());
    let mut next = events[..since].last().map_or(1, |(sequence, _)| sequence + 1);
    for (sequence, event) in &events[since..] {
        if next < *sequence {
            restored.miss(Hole { first: next, events: sequence - next, why: Absent::Missing });
        }
        next = sequence + 1;
        assert!(restored.take(*sequence, event.clone(), judging).is_none());
    }
    restored
}

/// The first events of a record.
fn beginning(record: &Record, last: u64) -> Record {
    let events = record.events.iter().filter(|(sequence, _)| *sequence <= last).cloned().collect();
    let mut beginning = Record::new(record.name.clone(), record.table.clone(), events);
    (beginning.received, beginning.books.approved) = (record.received.clone(), record.books.approved.clone());
    beginning
}

/// What only one of the two says.
fn only(one: &Together, other: &Together) -> String {
    let found = one.found.iter().filter(|found| !other.found.contains(found));
    let coups = one.coups.iter().filter(|(began, coup)| other.coups.get(began) != Some(coup));
    let found: Vec<_> = found.map(|found| (found.sequence, found.code, found.coup)).collect();
    let coups: Vec<_> = coups.map(|(began, coup)| (*began, coup.0, coup.1)).collect();
    format!("{found:?} {coups:?}")
}

/// A record that is followed event by event says at every moment what it says if it is read as a whole up to there.
#[test]
fn a_table_that_is_followed_comes_to_the_same_at_any_time() {
    let (mut compared, mut differ) = (0, Vec::new());
    let mut random = 38_u64;
    for record in all_fixtures().chain(all_sheets()).chain(all_at_the_bank()) {
        let mut after = Vec::new();
        for _ in 0..4 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let at = usize::try_from(random >> 33).unwrap() % record.events.len().max(1);
            after.extend(record.events.get(at).map(|(sequence, _)| *sequence));
        }
        let (stood, at_end) = event_by_event(&record, &after);
        let whole = as_a_whole(&record);
        let moments =
            stood.into_iter().map(|(last, stood)| (last, stood, as_a_whole(&beginning(&record, last))));
        for (last, stood, whole) in moments.chain([(u64::MAX, at_end, whole)]) {
            compared += 1;
            if whole != stood {
                let (lost, new) = (only(&whole, &stood), only(&stood, &whole));
                differ.push(format!("{} {} after {last}: {lost} became {new}", record.name, record.table));
            }
        }
    }
    eprintln!("{compared} compared");
    assert!(compared > 3_000, "{compared}");
    assert!(differ.is_empty(), "{} differ\n{}", differ.len(), differ.join("\n"));
}
