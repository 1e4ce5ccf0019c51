//! Finds what a source does not state: a `?` in a rulebook file.
//!
//! A source is entered as it is written, gaps included: a cell of the tableau, a card's value, a burn
//! indicator, or any whole value may be `?`. Such a file is a draft, never a rulebook. This module finds the
//! gaps; it does not know what else a rulebook needs.

use toml::{Table, Value};

use super::error::RulebookError;
use super::files::Files;
use crate::Rank;
use crate::sentence::{Sentence, sentence};

/// The mark of what is not stated.
const HOLE: char = '?';

/// What kind of thing a source does not state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unstated {
    /// Cells of a row of the tableau.
    Cell,
    /// What cards count.
    CardValue,
    /// How many cards an indicator burns.
    BurnValue,
    /// Any other value.
    Value,
}

/// A key that is not stated, or not for all its cells or ranks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hole {
    pub(crate) unstated: Unstated,
    /// The dotted key.
    pub(crate) key: String,
    /// The cells or ranks that are not stated, in words; empty where the whole value is missing.
    pub(crate) parts: Vec<Sentence>,
}

impl Hole {
    /// The problem, as a text that continues after the key.
    pub(crate) fn problem(&self) -> Sentence {
        if self.parts.is_empty() {
            return sentence!("is not stated", "no consta");
        }
        let list = |part: fn(&Sentence) -> &str| self.parts.iter().map(part).collect::<Vec<_>>().join(", ");
        let (english, spanish) = (list(|part| &part.english), list(|part| &part.spanish));
        sentence!("is not stated for {english}", "no consta para {spanish}")
    }
}

/// Refuses a draft, naming its first hole.
pub(super) fn refuse(files: &Files, table: &Table) -> Result<(), RulebookError> {
    let found = holes(table);
    let Some(hole) = found.first() else { return Ok(()) };
    let Sentence { english, spanish } = hole.problem();
    let sentence = sentence!(
        "{english}: this is a draft, by which nothing can be judged; `audit rules check` names everything it \
         lacks",
        "{spanish}: esto es un borrador, con el que no se puede juzgar nada; `audit rules check` dice todo lo que \
         le falta"
    );
    Err(RulebookError::one(files.place(&hole.key), hole.key.clone(), sentence))
}

/// Every hole, in the order of the tableau, the cards' values, the burn, then by key.
pub(crate) fn holes(table: &Table) -> Vec<Hole> {
    let mut found = Vec::new();
    found.extend(tableau(table));
    found.extend(ranks(table, "card-values", "points", Unstated::CardValue));
    found.extend(ranks(table, "burn", "values", Unstated::BurnValue));
    // The words of a source are its own, whatever they are.
    for (key, value) in table.iter().filter(|(key, _)| *key != "citations") {
        whole(key, value, &mut found);
    }
    found
}

fn tableau(table: &Table) -> Vec<Hole> {
    let Some(tableau) = table.get("tableau").and_then(Value::as_table) else { return Vec::new() };
    let mut found = Vec::new();
    if let Some(row) = tableau.get("punto").and_then(Value::as_str) {
        found.extend(cells("tableau.punto".to_owned(), row, &punto_total()));
    }
    let by_total = table.get("columns").and_then(Value::as_str) == Some("punto-total");
    let third_card = || sentence!("punto's third card", "la tercera carta del punto");
    let columns = if by_total { punto_total() } else { third_card() };
    let rows = tableau.get("banca").and_then(Value::as_array).into_iter().flatten();
    for (total, row) in rows.enumerate() {
        if let Some(row) = row.as_str() {
            found.extend(cells(format!("tableau.banca[{total}]"), row, &columns));
        }
    }
    found
}

fn punto_total() -> Sentence {
    sentence!("punto's total", "el total del punto")
}

/// The `?` of a row of the tableau; `what` is what its columns 0 to 9 are.
fn cells(key: String, row: &str, what: &Sentence) -> Option<Hole> {
    if row == "?" {
        return None;
    }
    let marks = row.chars().filter(|mark| *mark != ' ').enumerate();
    let mut parts = Vec::new();
    for (at, _) in marks.filter(|(_, mark)| *mark == HOLE) {
        parts.push(match (at, parts.is_empty()) {
            (10.., _) => sentence!("a punto that stood", "un punto que se plantó"),
            (column, true) => what.clone().map(|what| format!("{what} {column}")),
            (column, false) => Sentence::same(column.to_string()),
        });
    }
    (!parts.is_empty()).then_some(Hole { unstated: Unstated::Cell, key, parts })
}

/// The `?` of a value given rank by rank: a text with a mark each, or a list.
fn ranks(table: &Table, section: &str, key: &str, unstated: Unstated) -> Option<Hole> {
    let value = table.get(section)?.as_table()?.get(key)?;
    let holes: Vec<bool> = match value {
        Value::String(_) if is_hole(value) => return None,
        Value::String(marks) => marks.chars().map(|mark| mark == HOLE).collect(),
        Value::Array(values) => values.iter().map(is_hole).collect(),
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::Datetime(_) | Value::Table(_) => {
            return None;
        }
    };
    let silent = Rank::ALL.iter().zip(holes).filter(|(_, hole)| *hole);
    let parts: Vec<Sentence> = silent.map(|(rank, _)| Sentence::same(rank.to_string())).collect();
    (!parts.is_empty()).then(|| Hole { unstated, key: format!("{section}.{key}"), parts })
}

/// Whether a value is `?` and nothing else.
pub(crate) fn is_hole(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text == "?")
}

/// Whole values that are `?`, except those reported rank by rank or cell by cell.
fn whole(key: &str, value: &Value, found: &mut Vec<Hole>) {
    match value {
        Value::String(_) if is_hole(value) => {
            if !found.iter().any(|hole| key.starts_with(&hole.key)) {
                found.push(Hole { unstated: Unstated::Value, key: key.to_owned(), parts: Vec::new() });
            }
        }
        Value::Table(members) => {
            for (member, value) in members {
                whole(&format!("{key}.{}", member.escape_debug()), value, found);
            }
        }
        Value::Array(values) => {
            for (index, value) in values.iter().enumerate() {
                whole(&format!("{key}[{index}]"), value, found);
            }
        }
        Value::String(_) | Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::Datetime(_) => {}
    }
}
