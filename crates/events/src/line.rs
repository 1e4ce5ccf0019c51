//! One event as a line of JSON, the form that clients send and read.

use serde::{Deserialize, Serialize};
use serde_json::error::Category;

use crate::object::object;
use crate::{Body, OccurredAt, TableId};

/// One event of a table; its sequence is given by the entry or line that holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// When, by the table's clock.
    pub occurred_at: OccurredAt,
    /// What.
    pub body: Body,
}

/// A line of newline-delimited JSON: one event of one table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = Event))]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// Where it happened.
    pub table: TableId,
    /// Position in the table's numbering, contiguous from 1, at most 2^53 - 1.
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 9_007_199_254_740_991_u64))]
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
    /// Column of the fault, from 1; 0 where the fault has no single column.
    pub column: usize,
    /// What was found and what was expected.
    pub message: String,
}

impl Line {
    /// Reads one line.
    ///
    /// # Errors
    /// [`LineError`] names the field and the column.
    pub fn from_json(text: &str) -> Result<Self, LineError> {
        let line = read(text).map_err(|error| LineError::of(text, &error))?;
        let unplaced = |message| LineError { column: 0, message };
        if !(1..1 << 53).contains(&line.sequence) {
            return Err(unplaced(format!(
                "sequence {} is out of range: expected 1 to 9007199254740991",
                line.sequence
            )));
        }
        line.event.check().map_err(|message| unplaced(format!("event.{}: {message}", line.event.name())))?;
        Ok(line)
    }

    /// Reads one line of bytes.
    ///
    /// # Errors
    /// [`LineError`], also for bytes that are not UTF-8 and for a byte order mark.
    pub fn from_json_bytes(bytes: &[u8]) -> Result<Self, LineError> {
        if bytes.starts_with(b"\xef\xbb\xbf") {
            let message = "a byte order mark; save the file as UTF-8 without one".to_owned();
            return Err(LineError { column: 1, message });
        }
        let text = std::str::from_utf8(bytes).map_err(|error| LineError {
            column: error.valid_up_to() + 1,
            message: "bytes that are not UTF-8; JSON is UTF-8".to_owned(),
        })?;
        Self::from_json(text)
    }

    /// Writes the line, without a line end.
    ///
    /// # Errors
    /// [`LineError`] for an event of a kind this version does not know.
    pub fn to_json(&self) -> Result<String, LineError> {
        if let Body::Unknown(unknown) = &self.event {
            let message =
                format!("an event of kind {}, which this version cannot spell in JSON", unknown.kind);
            return Err(LineError { column: 0, message });
        }
        serde_json::to_string(self).map_err(|error| LineError { column: 0, message: error.to_string() })
    }

    /// The event without its table and sequence.
    #[must_use]
    pub fn into_event(self) -> Event {
        Event { occurred_at: self.occurred_at, body: self.event }
    }
}

fn read(text: &str) -> Result<Line, serde_json::Error> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let line = object(&mut reader)?;
    reader.end()?;
    Ok(line)
}

impl LineError {
    /// Says what the reader found wrong, and in which field.
    fn of(text: &str, error: &serde_json::Error) -> Self {
        let mut message = in_plain_words(without_position(&error.to_string()));
        match error.classify() {
            Category::Eof if text.trim_ascii().is_empty() => {
                message = "an empty line; expected an event".to_owned();
            }
            Category::Data => {
                let path = path_of(text);
                let field = around(&path, &message);
                // The names of the line itself and of `event` add nothing to the message.
                if !["", ".", "event"].contains(&field) {
                    message = format!("{field}: {message}");
                }
            }
            Category::Eof | Category::Syntax | Category::Io => {}
        }
        Self { column: error.column(), message }
    }
}

/// Where the fault is, as `event.BetPlaced.stake`: the line is read once more, with the names kept.
fn path_of(text: &str) -> String {
    let mut track = serde_path_to_error::Track::new();
    let mut reader = serde_json::Deserializer::from_str(text);
    // The error itself is known already.
    let _ = object::<_, Line>(serde_path_to_error::Deserializer::new(&mut reader, &mut track));
    track.path().to_string()
}

/// The path without a last name that the message gives itself, as in "unknown field `sit`".
fn around<'a>(path: &'a str, message: &str) -> &'a str {
    let (outer, last) = path.rsplit_once('.').unwrap_or(("", path));
    if message.contains(&format!("`{last}`")) { outer } else { path }
}

/// The reader's message without its own "at line 1 column n": the caller knows the real line.
fn without_position(message: &str) -> String {
    message.rsplit_once(" at line ").map_or(message, |(text, _)| text).to_owned()
}

/// Replaces names of integer types by their ranges.
fn in_plain_words(message: String) -> String {
    const RANGES: [(&str, &str); 4] = [
        ("expected u8", "expected an integer from 0 to 255"),
        ("expected u16", "expected an integer from 0 to 65535"),
        ("expected u32", "expected an integer from 0 to 4294967295"),
        ("expected u64", "expected an integer of 0 or more"),
    ];
    let range = RANGES.iter().find_map(|(name, range)| Some((message.strip_suffix(name)?, range)));
    range.map_or(message.clone(), |(start, range)| format!("{start}{range}"))
}
