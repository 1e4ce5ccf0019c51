//! Parses bodies of events. Each form is converted to one JSON text per event, so one reader checks them all
//! and reports errors in the same words. Of HTTP it knows only content types.

mod cbor;
mod cloud_event;
mod json;

use events::{Line, LineError};

pub(crate) use cloud_event::{check_attributes, is_json};

/// Longest event, bytes of its JSON.
const LONGEST: usize = 1 << 20;
/// Most events of one post.
const MOST_EVENTS: usize = 16_384;

/// An event and how many bytes of JSON it has.
pub type Taken = (usize, Line);

/// The form of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// One JSON object a line.
    Lines,
    /// A JSON array of the same objects.
    Array,
    /// A CBOR array of the same objects, as maps with text keys (RFC 8949).
    CborArray,
    /// The same maps one after the other (RFC 8742).
    CborSequence,
    /// A CloudEvent in JSON, the event in its `data`.
    CloudEvent,
    /// A JSON array of such CloudEvents.
    CloudEventBatch,
    /// The `data` of a CloudEvent whose attributes are HTTP headers: one JSON object.
    CloudEventData,
}

/// Content types of one form.
struct ContentTypes {
    form: Form,
    names: &'static [&'static str],
    /// What such a body contains.
    holds: &'static str,
}

/// All accepted content types. The first name of a form is the one shown in messages.
const CONTENT_TYPES: &[ContentTypes] = &[
    ContentTypes {
        form: Form::Lines,
        names: &["application/x-ndjson", "application/ndjson", "application/jsonl"],
        holds: "an event a line",
    },
    ContentTypes { form: Form::Array, names: &["application/json"], holds: "a JSON array of events" },
    ContentTypes { form: Form::CborArray, names: &["application/cbor"], holds: "a CBOR array of events" },
    ContentTypes {
        form: Form::CborSequence,
        names: &["application/cbor-seq"],
        holds: "CBOR events one after the other",
    },
    ContentTypes {
        form: Form::CloudEvent,
        names: &["application/cloudevents+json"],
        holds: "a CloudEvent with an event in `data`",
    },
    ContentTypes {
        form: Form::CloudEventBatch,
        names: &["application/cloudevents-batch+json"],
        holds: "a JSON array of CloudEvents",
    },
];

impl Form {
    /// The form of a content type; parameters after `;` are ignored.
    #[must_use]
    pub fn of(content_type: &str) -> Option<Self> {
        let name = media_type(content_type);
        CONTENT_TYPES.iter().find(|row| row.names.contains(&name.as_str())).map(|row| row.form)
    }

    /// All accepted content types and what they contain, for a message.
    #[must_use]
    pub fn accepted() -> String {
        let described = |row: &ContentTypes| format!("{} ({})", row.names[0], row.holds);
        CONTENT_TYPES.iter().map(described).collect::<Vec<_>>().join(", ")
    }

    /// The unit in which positions are counted; `None` if a body holds one event only.
    const fn unit_name(self) -> Option<&'static str> {
        match self {
            Self::Lines => Some("line"),
            Self::Array | Self::CborArray | Self::CloudEventBatch => Some("element"),
            Self::CborSequence => Some("item"),
            Self::CloudEvent | Self::CloudEventData => None,
        }
    }
}

/// The type without parameters, in lower case.
pub(crate) fn media_type(content_type: &str) -> String {
    content_type.split(';').next().unwrap_or("").trim().to_ascii_lowercase()
}

/// A body that is refused as a whole.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct BodyError {
    /// Line, element or item, from 1; `None` if the error concerns the whole body.
    pub position: Option<usize>,
    /// Column of the error, from 1, if it is at one position of a text.
    pub column: Option<usize>,
    /// What was found and expected, with the position.
    pub message: String,
}

impl BodyError {
    /// An error that concerns the whole body.
    fn whole(message: impl Into<String>) -> Self {
        Self { position: None, column: None, message: message.into() }
    }
}

/// Reads all events of a post to `table`, in order.
///
/// # Errors
/// [`BodyError`] for the first event that is not a valid event of this table; then no event is returned.
pub fn read_events(table: &str, form: Form, body: &[u8]) -> Result<Vec<Taken>, BodyError> {
    let mut taking = Taking { table, form, taken: Vec::new() };
    match form {
        Form::Lines => json::lines(body, &mut taking)?,
        Form::Array => json::array(body, &mut taking)?,
        Form::CborArray => cbor::array(body, &mut taking)?,
        Form::CborSequence => cbor::sequence(body, &mut taking)?,
        Form::CloudEvent => cloud_event::one(body, &mut taking)?,
        Form::CloudEventBatch => cloud_event::batch(body, &mut taking)?,
        Form::CloudEventData => json::one(body, &mut taking)?,
    }
    if taking.taken.is_empty() {
        return Err(BodyError::whole("there is no event in it"));
    }
    Ok(taking.taken)
}

/// Collects the events of a post.
struct Taking<'a> {
    table: &'a str,
    form: Form,
    taken: Vec<Taken>,
}

impl Taking<'_> {
    /// Reads the JSON of one event, which must belong to the post's table.
    fn read(&self, text: &str) -> Result<Taken, LineError> {
        if text.len() > LONGEST {
            return Err(too_long());
        }
        let line = Line::from_json(text)?;
        if line.table.as_str() != self.table {
            let message = format!("an event of table {} posted to table {}", line.table, self.table);
            return Err(unplaced(message));
        }
        Ok((text.len(), line))
    }

    /// Adds the event at a position (from 1), or returns the error with its position.
    fn take(&mut self, position: usize, read: Result<Taken, LineError>) -> Result<(), BodyError> {
        match read {
            Ok(_) if self.taken.len() == MOST_EVENTS => {
                Err(BodyError::whole(format!("more than {MOST_EVENTS} events; send them in several posts")))
            }
            Ok(taken) => {
                self.taken.push(taken);
                Ok(())
            }
            Err(fault) => Err(self.refusal(position, fault)),
        }
    }

    fn refusal(&self, position: usize, fault: LineError) -> BodyError {
        let column = (fault.column > 0).then_some(fault.column);
        match self.form.unit_name() {
            Some(name) => {
                BodyError { position: Some(position), column, message: format!("{name} {position}: {fault}") }
            }
            None => BodyError { position: None, column, message: fault.message },
        }
    }
}

/// An error without a column.
const fn unplaced(message: String) -> LineError {
    LineError { column: 0, message }
}

fn too_long() -> LineError {
    unplaced("longer than 1 MiB of JSON, which no event is".to_owned())
}
