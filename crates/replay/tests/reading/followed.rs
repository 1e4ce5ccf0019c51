//! A record that is followed comes to the same as one that is read as a whole.

use std::collections::BTreeMap;

use events::{Event, encode_payload};
use replay::checks::{self, Found, TableChecked};
use replay::reading::{Absent, Hole, Reading};
use replay::results::{Evidence, Results};
use replay::stages::{self, Judging, Producers, Recorded, Rulebooks, Table};
use replay::{BetAccount, CoupVerdict, Received};

use super::found::Tables;
use super::records::{Record, all_at_the_bank, all_fixtures, all_reported, all_sheets};

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

impl Together {
    fn add(&mut self, reading: &Reading<'_>, checked: &TableChecked) {
        for ((shoe, at), coup) in &checked.coups {
            let record = &reading.shoes[*shoe].coups[*at];
            self.coups.insert(record.began, (record.number, coup.verdict(), coup.bets.clone()));
        }
        // Which shoe of its reading a finding belongs to says nothing of the whole.
        self.found.extend(checked.found.iter().map(|found| Found { shoe: None, ..found.clone() }));
    }
}

impl Results for Together {
    fn anew(&self) -> Self {
        Self::default()
    }

    fn take(&mut self, part: &Evidence<'_, '_>) {
        self.add(part.reading, part.checked);
    }
}

/// What a record comes to that is read as a whole.
fn as_a_whole(record: &Record) -> Together {
    let (reading, range, tables) = (record.read(), record.range(), Tables::of(&record.books));
    let checked = checks::table(&reading, &range, &tables, &|sequence| received(record, sequence));
    let mut together = Together::default();
    together.add(&reading, &checked);
    together.sorted()
}

pub fn received(record: &Record, sequence: u64) -> Received {
    record.received.get(&sequence).copied().unwrap_or(Received::Unknown)
}

/// What was recorded from one sequence up to another.
pub fn recorded(record: &Record, first: u64, end: u64) -> Vec<Recorded> {
    let (mut next, mut all) = (first, Vec::new());
    for (sequence, event) in record.events.iter().filter(|(sequence, _)| (first..end).contains(sequence)) {
        if *sequence > next {
            all.push(Recorded::Hole(Hole { first: next, events: sequence - next, why: Absent::Missing }));
        }
        next = sequence + 1;
        all.push(Recorded::Event(*sequence, event.clone()));
    }
    all
}

/// What it comes to, event by event: after each of these sequences, and at the end.
fn event_by_event(record: &Record, after: &[u64]) -> (BTreeMap<u64, Together>, Together) {
    let (tables, mut all) = (Tables::of(&record.books), Together::default());
    let mut table = Table::new(Together::default());
    let (entry, received) = (|sequence| sequence, |sequence| received(record, sequence));
    let (table_id, grammars) = (&record.table, &record.books);
    let recorded = |first, end| recorded(record, first, end);
    let judging = Judging {
        table: table_id,
        grammars,
        books: &tables,
        producers: &Producers::default(),
        entry: &entry,
        received: &received,
        recorded: &recorded,
    };
    let (mut next, mut stood) = (1, BTreeMap::new());
    let together = |all: &Together, table: &Table<Together>| {
        let mut together = all.clone();
        let now = table.as_it_stands(judging);
        together.found.extend(now.found);
        together.coups.extend(now.coups);
        together.sorted()
    };
    for (sequence, event) in &record.events {
        if after.contains(sequence) {
            table = saved_and_restored(&table, judging);
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

/// The same table after it was saved.
fn saved_and_restored(table: &Table<Together>, judging: Judging<'_>) -> Table<Together> {
    let text = serde_json::to_string(&table.saved()).unwrap();
    Table::restored(serde_json::from_str(&text).unwrap(), table.nothing().clone(), judging)
}

/// The first events of a record.
pub fn beginning(record: &Record, last: u64) -> Record {
    with_events(record, record.events.iter().filter(|(sequence, _)| *sequence <= last).cloned().collect())
}

/// The same record with these events.
fn with_events(record: &Record, events: Vec<(u64, Event)>) -> Record {
    let mut other = Record::new(record.name.clone(), record.table.clone(), events);
    (other.received, other.books.approved) = (record.received.clone(), record.books.approved.clone());
    other
}

/// At how many moments each record is compared.
const MOMENTS: usize = 2;

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
    let mut numbers = Numbers(38);
    let all: Vec<Record> =
        all_fixtures().chain(all_sheets()).chain(all_at_the_bank()).chain(all_reported()).collect();
    let mut holes = Numbers(39);
    let with_holes = all.iter().map(|record| {
        let first = holes.below(record.events.len().max(1)) as u64;
        let hole = first..=first + holes.below(3) as u64;
        let events = record.events.iter().filter(|(sequence, _)| !hole.contains(sequence)).cloned().collect();
        with_events(record, events)
    });
    let with_holes: Vec<Record> = with_holes.collect();
    for record in all.into_iter().chain(with_holes) {
        let mut after = Vec::new();
        for _ in 0..MOMENTS {
            let at = numbers.below(record.events.len().max(1));
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

/// Numbers that look random, the same in every run.
pub struct Numbers(pub u64);

impl Numbers {
    pub fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % most
    }
}

/// Entries that come out of turn, some of them again and one of them when more events wait than may: the record comes to the
/// same as in its order.
#[test]
fn entries_that_come_out_of_turn_come_to_the_same() {
    let (mut numbers, mut late, mut again, mut differ) = (Numbers(512), 0, 0, Vec::new());
    for record in all_fixtures().chain(all_at_the_bank()) {
        let whole_record = (1..).zip(&record.events).all(|(due, (sequence, _))| due == *sequence);
        if !whole_record || !record.received.is_empty() {
            continue;
        }
        let mut entries: Vec<&[(u64, Event)]> = Vec::new();
        let mut rest = &record.events[..];
        while !rest.is_empty() {
            let (entry, more) = rest.split_at(rest.len().min(1 + numbers.below(6)));
            entries.push(entry);
            rest = more;
        }
        for at in 1..entries.len() {
            entries.swap(at, at - numbers.below(4).min(at));
        }
        let repeats: Vec<usize> = (0..entries.len()).filter(|_| numbers.below(10) == 0).collect();
        repeats.iter().rev().for_each(|at| entries.insert(*at, entries[*at]));
        // One comes when more than 512 events wait for it.
        if entries.len() > 220 {
            let early = entries.remove(20);
            entries.insert(200, early);
            late += 1;
        }
        let tables = Tables::of(&record.books);
        let by = Rulebooks { grammars: &record.books, books: &tables, producers: &Producers::default() };
        let (mut followed, mut all) =
            (stages::Record::new(&record.table, Together::default()), Together::default());
        let saved = numbers.below(entries.len().max(1));
        for (at, entry) in entries.iter().enumerate() {
            if at == saved {
                for over in followed.take_over() {
                    all.found.extend(over.found);
                    all.coups.extend(over.coups);
                }
                let text = serde_json::to_string(&followed.saved()).unwrap();
                let (saved, nothing) = (serde_json::from_str(&text).unwrap(), followed.nothing().clone());
                followed = stages::Record::restored(&record.table, saved, nothing, by);
            }
            let events: Vec<Event> = entry.iter().map(|(_, event)| event.clone()).collect();
            let bytes = encode_payload(&events).unwrap();
            followed.entry((at as u64, entry[0].0), (bytes.into(), events), Received::Unknown, by);
        }
        followed.end(by);
        again += followed.repeated();
        assert_eq!((followed.take_wrong(), followed.missing()), (vec![], 0), "{}", record.name);
        for over in followed.take_over().into_iter().chain([followed.as_it_stands(by)]) {
            all.found.extend(over.found);
            all.coups.extend(over.coups);
        }
        let (whole, all) = (as_a_whole(&record), all.sorted());
        if whole != all {
            let (lost, new) = (only(&whole, &all), only(&all, &whole));
            differ.push(format!("{} {}: {lost} became {new}", record.name, record.table));
        }
    }
    assert!(late > 15 && again > 1_000, "{late} {again}");
    assert!(differ.is_empty(), "{} differ\n{}", differ.len(), differ.join("\n"));
}
