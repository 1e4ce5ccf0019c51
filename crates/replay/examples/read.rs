//! Reads recorded lines table by table, and prints what was played and what is remarked on the recording as a line of JSON, so that
//! the reading of `docs/independent/reading.py` can be held against it.
//!
//! `cargo run -p replay --features stages --example read < lines.ndjson`
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

use std::collections::BTreeMap;
use std::io::{BufRead, stdin};

use baccarat::Rulebook;
use events::{Body, Event, Line, TableOpened};
use replay::reading::{
    Absent, CoupRecord, Explanation, Grammar, Grammars, Hole, Item, OpenRange, Reading, TableFacts, Unknown,
    read,
};
use serde_json::{Value, json};

/// The rulebooks of a table's openings, by their texts.
struct Books(BTreeMap<String, Option<Rulebook>>);

impl Grammars for Books {
    fn of(&self, opened: &TableOpened) -> &dyn Grammar {
        match self.0.get(opened.rulebook.as_str()) {
            Some(Some(book)) => book,
            Some(None) | None => &Unknown,
        }
    }
}

fn explanation(one: &Explanation) -> Value {
    let (kind, what) = match one {
        Explanation::Lost { what, .. } => ("lost", format!("{what:?}")),
        Explanation::Doubled { .. } => ("doubled", String::new()),
        Explanation::Moved { .. } => ("moved", String::new()),
        Explanation::Mislabelled { .. } => ("mislabelled", String::new()),
        Explanation::Misread { what, .. } => ("misread", format!("{what:?}")),
        Explanation::Departed { how, .. } => ("departed", format!("{how:?}")),
    };
    json!([kind, one.at(), one.coup(), what])
}

/// The sequences of a coup's bets, cards (those that were lost left out), closes and settlements.
fn coup(coup: &CoupRecord<'_>) -> Value {
    let bets = coup.bets.iter().map(|bet| bet.placed.sequence);
    let abonos = coup.chemin.abonos.iter().map(|abono| abono.placed.sequence);
    let card = |card: &replay::reading::CardRecord| {
        json!([card.sequence, card.position, card.face.to_string(), format!("{:?}", card.to)])
    };
    json!({
        "number": coup.number,
        "bets": bets.chain(abonos).collect::<std::collections::BTreeSet<_>>(),
        "closes": coup.closes.iter().map(|told| told.sequence).collect::<Vec<_>>(),
        "cards": coup.cards.iter().map(card).collect::<Vec<_>>(),
        "settlements": coup.settlements.iter().map(|told| told.sequence).collect::<Vec<_>>(),
        "unexplained": coup.unexplained,
    })
}

fn view(table: &str, reading: &Reading<'_>) -> Value {
    let remarks = reading.shoes.iter().flat_map(|shoe| &shoe.remarks).map(|remark| {
        let alternatives = remark.alternatives.iter();
        alternatives.map(|all| all.iter().map(explanation).collect::<Vec<_>>()).collect::<Vec<_>>()
    });
    let coups = reading.shoes.iter().flat_map(|shoe| &shoe.coups).map(coup);
    json!({"table": table, "remarks": remarks.collect::<Vec<_>>(), "coups": coups.collect::<Vec<_>>()})
}

fn main() {
    let mut tables: BTreeMap<String, BTreeMap<u64, Event>> = BTreeMap::new();
    for line in stdin().lock().lines() {
        let line = Line::from_json(&line.unwrap()).unwrap();
        let (table, sequence) = (line.table.to_string(), line.sequence);
        tables.entry(table).or_default().entry(sequence).or_insert_with(|| line.into_event());
    }
    for (table, events) in &tables {
        let texts = events.values().filter_map(|event| {
            let Body::TableOpened(opened) = &event.body else { return None };
            Some(opened.rulebook.as_str().to_owned())
        });
        let books = texts.map(|text| {
            let book = Rulebook::from_json("a rulebook", &text).ok();
            (text, book)
        });
        let books = Books(books.collect());
        let first = events.keys().next().copied().unwrap_or(1);
        let before = Hole { first: 1, events: first - 1, why: Absent::Missing };
        let range = OpenRange::of(events.iter().map(|(sequence, event)| (*sequence, event)));
        let before = (first > 1).then_some(Item::Hole(before));
        let range = OpenRange::of_items(before.into_iter().chain(range.items().iter().copied()).collect());
        println!("{}", view(table, &read(&TableFacts::default(), &range, &books)));
    }
}
