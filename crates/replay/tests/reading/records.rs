//! Records to read: the fixtures, the call sheets, histories from a file.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use baccarat::{Game, Rulebook};
use events::{Body, Event, Line, TableOpened};
use replay::Received;
use replay::reading::{Absent, Grammar, Grammars, Hole, Item, OpenRange, Reading, TableFacts, Unknown, read};

use crate::call_sheet;

/// The events of one table, by sequence.
pub struct Record {
    pub name: String,
    pub table: String,
    pub events: Vec<(u64, Event)>,
    pub books: Books,
    /// When the log received an event, and how; others: not known.
    pub received: BTreeMap<u64, Received>,
}

/// The rulebook that a text says, if it says one: each is read once, though hundreds of records have it.
fn rulebook(text: &Arc<str>) -> Option<Arc<Rulebook>> {
    static READ: Mutex<BTreeMap<Arc<str>, Option<Arc<Rulebook>>>> = Mutex::new(BTreeMap::new());
    let read = || Rulebook::from_json("a rulebook", text).ok().map(Arc::new);
    READ.lock().unwrap().entry(Arc::clone(text)).or_insert_with(read).clone()
}

/// The grammars of a record's openings.
#[derive(Default)]
pub struct Books {
    read: BTreeMap<Arc<str>, Option<Arc<Rulebook>>>,
    /// Digests of those that the reader has approved; `None`: all.
    pub approved: Option<BTreeSet<String>>,
}

impl Books {
    fn of_events(events: &[(u64, Event)]) -> Self {
        let mut books = BTreeMap::new();
        for (_, event) in events {
            if let Body::TableOpened(opened) = &event.body {
                let text = opened.rulebook.shared();
                books.entry(Arc::clone(&text)).or_insert_with(|| rulebook(&text));
            }
        }
        Self { read: books, approved: None }
    }

    /// The rulebooks that can be read, each with its text.
    pub fn readable(&self) -> impl Iterator<Item = (&str, &Arc<Rulebook>)> {
        self.read.iter().filter_map(|(text, book)| Some((&**text, book.as_ref()?)))
    }

    pub fn is_approved(&self, text: &str) -> bool {
        let digest = || baccarat::Digest::of(text).to_string();
        self.approved.as_ref().is_none_or(|approved| approved.contains(&digest()))
    }

    /// The rulebook, if all openings play by one.
    pub fn only(&self) -> Option<&Rulebook> {
        let one = self.read.iter().next().filter(|(text, _)| self.read.len() == 1 && self.is_approved(text));
        one.and_then(|(_, book)| book.as_deref())
    }

    pub fn is_punto_y_banca(&self) -> bool {
        self.read.values().flatten().all(|book| book.game() == Game::PuntoBanca)
    }
}

impl Grammars for Books {
    fn of(&self, opened: &TableOpened) -> &dyn Grammar {
        match self.read.get(opened.rulebook.as_str()) {
            Some(Some(book)) if self.is_approved(opened.rulebook.as_str()) => &**book,
            Some(_) | None => &Unknown,
        }
    }
}

impl Record {
    pub fn new(name: String, table: String, mut events: Vec<(u64, Event)>) -> Self {
        events.sort_by_key(|(sequence, _)| *sequence);
        events.dedup_by_key(|(sequence, _)| *sequence);
        let books = Books::of_events(&events);
        Self { name, table, events, books, received: BTreeMap::new() }
    }

    pub fn range(&self) -> OpenRange<'_> {
        let events = OpenRange::of(self.events.iter().map(|(sequence, event)| (*sequence, event)));
        match self.events.first() {
            // What comes before the first event is missing as well.
            Some((first, _)) if *first > 1 => {
                let missing = Hole { first: 1, events: first - 1, why: Absent::Missing };
                let all = std::iter::once(Item::Hole(missing)).chain(events.items().iter().copied());
                OpenRange::of_items(all.collect())
            }
            Some(_) | None => events,
        }
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

/// Every table of punto y banca with a fault in the fixtures.
pub fn every_fault() -> impl Iterator<Item = Record> {
    let records = fixtures("faults").into_iter().flat_map(|file| {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        of_lines(&name, &fs::read_to_string(file).unwrap())
    });
    records.filter(|record| record.books.is_punto_y_banca())
}

fn every_fixture() -> impl Iterator<Item = Record> {
    let files = ["", "rulebooks", "faults"].into_iter().flat_map(fixtures);
    files.flat_map(|file| {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        of_lines(&name, &fs::read_to_string(file).unwrap())
    })
}

fn every_sheet() -> impl Iterator<Item = Record> {
    of_sheets("tests/sheets")
}

/// Every scenario whose whole result is written below it, of both games, but for the same.
pub fn all_reported() -> impl Iterator<Item = Record> {
    of_sheets("tests/reported")
}

fn of_sheets(folder: &str) -> impl Iterator<Item = Record> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    let records = files.into_iter().flat_map(|file| {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(file).unwrap();
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("= ")).collect();
        let scenarios = call_sheet::scenarios(&lines.join("\n"));
        let whole = scenarios.into_iter().filter(|scenario| !scenario.withholds());
        whole
            .map(|scenario| {
                let name = format!("{name}: {}", scenario.title);
                let mut record = Record::new(name, "T".to_owned(), scenario.events());
                (record.books.approved, record.received) = (scenario.approved(), scenario.received());
                record
            })
            .collect::<Vec<_>>()
    });
    let newer = |(_, event): &(u64, Event)| matches!(event.body, Body::Unknown(_));
    records.filter(move |record| !record.events.iter().any(newer))
}
