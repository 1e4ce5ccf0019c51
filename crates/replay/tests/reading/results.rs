//! What the results of a record are made from.

use replay::checks::{self, InForce};
use replay::reading::{TableFacts, read};
use replay::results::{self, Evidence};
use replay::stages::Producers;

use super::found::{Tables, checked};
use super::records::{Record, all_at_the_bank, all_fixtures, all_sheets};

/// Log index of each event, one entry for each.
pub fn entry(record: &Record, sequence: u64) -> u64 {
    let at = record.events.binary_search_by_key(&sequence, |(sequence, _)| *sequence);
    at.unwrap_or(usize::MAX) as u64
}

/// Calls `with` with what the results of a record are made from.
pub fn with_evidence<T>(record: &Record, with: impl FnOnce(&Evidence<'_, '_>) -> T) -> T {
    let (range, reading, tables) = (record.range(), record.read(), Tables::of(&record.books));
    let checked = checked(record, &reading);
    let received = |sequence: u64| record.received.get(&sequence).copied().unwrap_or_default();
    let evidence = Evidence {
        table: &record.table,
        before: &InForce::default(),
        range: &range,
        ends: true,
        reading: &reading,
        checked: &checked,
        books: &tables,
        producers: &Producers::default(),
        entry: &|sequence| entry(record, sequence),
        received: &received,
        first: None,
    };
    let Some(range) = results::as_first_recorded(&evidence) else { return with(&evidence) };
    let reading = read(&TableFacts::default(), &range, &record.books);
    let checked = checks::table(&reading, &range, &tables, &received);
    let first = Evidence { range: &range, reading: &reading, checked: &checked, ..evidence };
    with(&Evidence { first: Some(&first), ..evidence })
}

pub fn all() -> impl Iterator<Item = Record> {
    all_fixtures().chain(all_sheets()).chain(all_at_the_bank())
}
