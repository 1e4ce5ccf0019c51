//! Records to read: the fixtures, the call sheets, histories from a file.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use baccarat::{Game, Rulebook};
use events::{Body, Event, Line, TableOpened};
use replay::reading::{Grammar, Grammars, OpenRange, Reading, TableFacts, Unknown, read};

use crate::call_sheet;

/// The events of one table, by sequence.
pub struct Record {
    pub name: String,
    pub table: String,
    pub events: Vec<(u64, Event)>,
    pub books: Books,
}

/// The grammars of a record's openings.
#[derive(Default)]
pub struct Books(BTreeMap<Arc<str>, Option<Rulebook>>);

impl Books {
    fn of_events(events: &[(u64, Event)]) -> Self {
        let mut books = BTreeMap::new();
        for (_, event) in events {
            if let Body::TableOpened(opened) = &event.body {
                let text = opened.rulebook.shared();
                let book = || Rulebook::from_json("a rulebook", &text).ok();
                books.entry(Arc::clone(&text)).or_insert_with(book);
            }
        }
        Self(books)
    }

    /// The rulebooks that can be read, each with its text.
    pub fn readable(&self) -> impl Iterator<Item = (&str, &Rulebook)> {
        self.0.iter().filter_map(|(text, book)| Some((&**text, book.as_ref()?)))
    }

    /// The rulebook, if all openings play by one.
    pub fn only(&self) -> Option<&Rulebook> {
        self.0.values().next().and_then(Option::as_ref).filter(|_| self.0.len() == 1)
    }

    pub fn is_punto_y_banca(&self) -> bool {
        self.0.values().flatten().all(|book| book.game() == Game::PuntoBanca)
    }
}

impl Grammars for Books {
    fn of(&self, opened: &TableOpened) -> &dyn Grammar {
        match self.0.get(opened.rulebook.as_str()) {
            Some(Some(book)) => book,
            Some(None) | None => &Unknown,
        }
    }
}

impl Record {
    pub fn new(name: String, table: String, mut events: Vec<(u64, Event)>) -> Self {
        events.sort_by_key(|(sequence, _)| *sequence);
        events.dedup_by_key(|(sequence, _)| *sequence);
        let books = Books::of_events(&events);
        Self { name, table, events, books }
    }

    pub fn range(&self) -> OpenRange<'_> {
        OpenRange::of(self.events.iter().map(|(sequence, event)| (*sequence, event)))
    }

    pub fn read(&self) -> Reading<'_> {
        read(&TableFacts::default(), &self.range(), &self.books)
    }
}

/// The tables of a file of lines.
pub fn of_lines(name: &str, text: &str) -> Vec<Record> {
    let mut tables: BTreeMap<String, Vec<(u64, Event)>> = BTreeMap::new();
    for line in text.lines() {
        let line = Line::from_json(line).unwrap();
        tables.entry(line.table.to_string()).or_default().push((line.sequence, line.into_event()));
    }
    tables.into_iter().map(|(table, events)| Record::new(name.to_owned(), table, events)).collect()
}

pub fn fixtures(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(folder);
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "ndjson"));
    files.sort();
    files
}

/// Every table of punto y banca in the fixtures.
pub fn all_fixtures() -> impl Iterator<Item = Record> {
    every_fixture().filter(|record| record.books.is_punto_y_banca())
}

/// Every call sheet of punto y banca, but for those with entries that are withheld and with events of a newer version.
pub fn all_sheets() -> impl Iterator<Item = Record> {
    every_sheet().filter(|record| record.books.is_punto_y_banca())
}

/// Every table of chemin de fer in the fixtures and the call sheets, but for the same.
pub fn all_at_the_bank() -> impl Iterator<Item = Record> {
    every_fixture().chain(every_sheet()).filter(|record| !record.books.is_punto_y_banca())
}

fn every_fixture() -> impl Iterator<Item = Record> {
    let files = ["", "rulebooks", "faults"].into_iter().flat_map(fixtures);
    files.flat_map(|file| {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        of_lines(&name, &fs::read_to_string(file).unwrap())
    })
}

fn every_sheet() -> impl Iterator<Item = Record> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sheets");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    let records = files.into_iter().flat_map(|file| {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let scenarios = call_sheet::scenarios(&fs::read_to_string(file).unwrap());
        let whole = scenarios.into_iter().filter(|scenario| !scenario.withholds());
        whole
            .map(|scenario| {
                let name = format!("{name}: {}", scenario.title);
                Record::new(name, "T".to_owned(), scenario.events())
            })
            .collect::<Vec<_>>()
    });
    let newer = |(_, event): &(u64, Event)| matches!(event.body, Body::Unknown(_));
    records.filter(move |record| !record.events.iter().any(newer))
}
