//! What a check came to.

use serde::Serialize;

use super::numbers::{MOST, Numbers, State};
use crate::exit::Exit;
use crate::language::texts;
use crate::seal_view::SealView;
use crate::shown::plain;

/// A line that is no event.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Malformed {
    /// From 1.
    pub(super) line: u64,
    /// From 1; none where the fault has no single column.
    pub(super) column: Option<usize>,
    pub(super) message: String,
}

/// An event whose number another event has as well.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Conflict {
    line: u64,
    table: String,
    sequence: u64,
    /// The line with the other event; none where the log has it.
    with_line: Option<u64>,
}

/// The log with which the file was compared.
#[derive(Debug, Serialize)]
pub(super) struct Against {
    pub(super) log: String,
    pub(super) origin: Option<String>,
    pub(super) size: Option<u64>,
    #[serde(flatten)]
    pub(super) seal: SealView,
}

/// What recording a file would do.
#[derive(Debug, Default, Serialize)]
pub(super) struct CheckView {
    pub(super) file: String,
    pub(super) lines: u64,
    events: u64,
    tables: u64,
    /// Events that would be recorded beside nothing else.
    new: u64,
    /// Events that the log holds already.
    already_there: u64,
    /// Events that stand in the file once more.
    repeated: u64,
    /// Events that would be recorded beside others with the same number.
    conflicts: u64,
    /// Events that were not compared: too many, or the log's event is erased or withheld.
    not_compared: u64,
    /// Lines that are no events.
    malformed: u64,
    /// The first of the malformed lines.
    malformed_lines: Vec<Malformed>,
    /// The first of the conflicts.
    conflicting: Vec<Conflict>,
    /// The line at which reading stopped, where not all of the file was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cut_at: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) against: Option<Against>,
}

impl CheckView {
    /// Counts a line that is no event; the first ones are listed.
    pub(super) fn add_malformed(&mut self, malformed: Malformed, limit: usize) {
        self.malformed += 1;
        if self.malformed_lines.len() < limit {
            self.malformed_lines.push(malformed);
        }
    }

    /// Counts the events by what recording them would do.
    pub(super) fn count(&mut self, numbers: &Numbers, limit: usize) {
        (self.events, self.tables) = (numbers.events, numbers.tables());
        (self.repeated, self.not_compared) = (numbers.repeated, numbers.beyond);
        let mut conflicting = Vec::new();
        for (table, sequence, first, seen) in numbers.each() {
            let with_line = match (seen.state, first) {
                (State::AlreadyThere, _) => {
                    self.already_there += 1;
                    continue;
                }
                (State::NotCompared, _) => {
                    self.not_compared += 1;
                    continue;
                }
                (State::New, None) => {
                    self.new += 1;
                    continue;
                }
                (State::New, Some(line)) => Some(line),
                (State::Conflict, _) => None,
            };
            self.conflicts += 1;
            if conflicting.len() < limit {
                conflicting.push(Conflict { line: seen.line, table: table.to_owned(), sequence, with_line });
            }
        }
        self.conflicting = conflicting;
    }

    pub(super) fn exit(&self) -> Exit {
        let malformed = if self.malformed > 0 { Exit::Unreadable } else { Exit::Good };
        let conflicts = if self.conflicts > 0 { Exit::Findings } else { Exit::Good };
        let open =
            self.not_compared > 0 || self.cut_at.is_some() || (self.events == 0 && self.malformed == 0);
        malformed.worse(conflicts).worse(if open { Exit::Open } else { Exit::Good })
    }

    pub(super) fn text(&self) -> String {
        let texts = texts();
        let (events, tables) = (texts.events(self.events), texts.of_tables(self.tables));
        let mut text = format!("{}\n", texts.checked(&self.file, events, tables, texts.in_lines(self.lines)));
        if let Some(Against { log, origin, size, seal }) = &self.against {
            text.push_str(&seal.heading(std::path::Path::new(log)));
            let origin = origin.as_deref().map(plain).unwrap_or_default();
            let size = size.map(|size| format!(" ({origin}, {})", texts.entries(size))).unwrap_or_default();
            text.push_str(&format!("{}{size}\n", texts.compared_with(log)));
        }
        let rows = [
            (texts.would_be_recorded(), self.new),
            (texts.already_in_the_log(), self.already_there),
            (texts.repeated_in_the_file(), self.repeated),
            (texts.in_conflict(), self.conflicts),
            (texts.not_compared(), self.not_compared),
            (texts.malformed_lines(), self.malformed),
        ];
        for (label, count) in rows {
            text.push_str(&format!("  {label:<24}{:>12}\n", texts.grouped(count)));
        }
        self.lists(&mut text);
        text.push_str(&format!("{}\n", texts.nothing_was_recorded()));
        text
    }

    fn lists(&self, text: &mut String) {
        let texts = texts();
        for Malformed { line, column, message } in &self.malformed_lines {
            let place = column.map_or_else(|| texts.the_line(line), |column| texts.line_at(line, column));
            text.push_str(&format!("{place}: {}\n", plain(message)));
        }
        more(text, self.malformed, self.malformed_lines.len());
        for Conflict { line, table, sequence, with_line } in &self.conflicting {
            let other = with_line.map_or_else(|| texts.the_log(), |line| texts.the_line(line));
            let conflict = texts.has_another_event(texts.the_line(line), table, sequence, other);
            text.push_str(&format!("{conflict}\n"));
        }
        more(text, self.conflicts, self.conflicting.len());
        if let Some(line) = self.cut_at {
            text.push_str(&format!("{}\n", texts.not_read_behind(line)));
        }
        if self.not_compared > 0 {
            text.push_str(&format!("{}\n", texts.why_not_compared(texts.grouped(MOST as u64))));
        }
        if self.events == 0 && self.malformed == 0 {
            text.push_str(&format!("{}\n", texts.no_event_in_it()));
        }
    }
}

fn more(text: &mut String, all: u64, listed: usize) {
    let left = all.saturating_sub(listed as u64);
    if left > 0 {
        text.push_str(&format!("{}\n", texts().more_with_limit(left)));
    }
}
