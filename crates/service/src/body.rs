//! The bodies that events come in: a line each, or an array.

use events::Line;
use serde_json::value::RawValue;

use crate::ingest::Taken;
use crate::problem::Problem;

/// Longest line of NDJSON, or element of an array, bytes.
const LONGEST: usize = 1 << 20;
/// Most events of one post.
const MOST_EVENTS: usize = 16_384;

/// How events are written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// One JSON object a line.
    Lines,
    /// A JSON array of the same objects.
    Array,
}

impl Form {
    /// The form a content type names.
    pub(crate) fn of(content_type: &str) -> Option<Self> {
        match content_type.split(';').next().unwrap_or("").trim().to_ascii_lowercase().as_str() {
            "application/x-ndjson" | "application/ndjson" | "application/jsonl" => Some(Self::Lines),
            "application/json" => Some(Self::Array),
            _ => None,
        }
    }
}

/// Reads all events of a post, or says which line is none.
pub(crate) fn read_lines(table: &str, form: Form, body: &[u8]) -> Result<Vec<Taken>, Problem> {
    let text = std::str::from_utf8(body).map_err(|error| {
        let line = body[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count() + 1;
        Problem::line(line, 0, "bytes that are not UTF-8; JSON is UTF-8")
    })?;
    let pieces: Vec<(usize, &str)> = match form {
        Form::Lines => (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()).collect(),
        Form::Array => {
            let elements: Vec<&RawValue> = serde_json::from_str(text)
                .map_err(|error| Problem::body(format!("not a JSON array of events: {error}")))?;
            (1..).zip(elements.into_iter().map(RawValue::get)).collect()
        }
    };
    if pieces.is_empty() {
        return Err(Problem::body("there is no event in it"));
    }
    if pieces.len() > MOST_EVENTS {
        let detail = format!("{} events; a post may have {MOST_EVENTS}", pieces.len());
        return Err(Problem::body(detail));
    }
    pieces.into_iter().map(|(number, text)| read_line(table, number, text)).collect()
}

fn read_line(table: &str, number: usize, text: &str) -> Result<Taken, Problem> {
    if text.len() > LONGEST {
        return Err(Problem::line(number, 0, "longer than 1 MiB, which no event is"));
    }
    let line = Line::from_json(text).map_err(|error| Problem::line(number, error.column, &error.message))?;
    if line.table.as_str() != table {
        let message = format!("an event of table {} posted to table {table}", line.table);
        return Err(Problem::line(number, 0, &message));
    }
    Ok((text.len(), line))
}
