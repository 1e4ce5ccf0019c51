//! One event as a line of JSON: the spelling at the edges.

use serde::{Deserialize, Serialize};

use crate::{Body, OccurredAt, TableId};

/// One thing that happened at a table; its sequence is given by the entry or line that holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// When, by the table's clock.
    pub occurred_at: OccurredAt,
    /// What.
    pub body: Body,
}

/// A line of newline-delimited JSON: one event of one table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// Where it happened.
    pub table: TableId,
    /// Position in the table's numbering, contiguous from 1, at most 2^53 - 1.
    pub sequence: u64,
    /// When, by the table's clock.
    pub occurred_at: OccurredAt,
    /// What: an object with the event's name as its only key.
    pub event: Body,
}

/// A line that is not an event.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct LineError {
    /// Column of the fault, from 1; 0 where the fault is not at one place.
    pub column: usize,
    /// What was found and what was expected.
    pub message: String,
}

impl Line {
    /// Reads one line.
    ///
    /// # Errors
    /// [`LineError`] names the unknown or missing field and the column.
    pub fn from_json(text: &str) -> Result<Self, LineError> {
        let line: Self = serde_json::from_str(text).map_err(|error| LineError {
            column: error.column(),
            message: without_place(&error.to_string()),
        })?;
        if !(1..1 << 53).contains(&line.sequence) {
            let message =
                format!("sequence {} is out of range: expected 1 to 9007199254740991", line.sequence);
            return Err(LineError { column: 0, message });
        }
        line.event.check().map_err(|message| LineError { column: 0, message })?;
        Ok(line)
    }

    /// Writes the line, without a line end.
    ///
    /// # Errors
    /// [`LineError`] for an event of a kind this version does not know.
    pub fn to_json(&self) -> Result<String, LineError> {
        serde_json::to_string(self).map_err(|error| LineError { column: 0, message: error.to_string() })
    }

    /// The event without its place.
    #[must_use]
    pub fn into_event(self) -> Event {
        Event { occurred_at: self.occurred_at, body: self.event }
    }
}

/// The reader's message without its own "at line 1 column n": the caller knows the real line.
fn without_place(message: &str) -> String {
    message.rsplit_once(" at line ").map_or(message, |(text, _)| text).to_owned()
}
