//! Parses bodies of events. Each form is converted to one JSON text per event, so one reader checks them all
//! and reports errors in the same words. Of HTTP it knows only content types.

mod cbor;
mod cloud_event;
mod json;

use events::{Line, LineError};

pub use cloud_event::{check_attributes, is_json};

/// Longest event, bytes of its JSON.
const LONGEST: usize = 1 << 20;
/// Most errors of one body that are listed.
const MOST_ERRORS: usize = 100;
/// Most events of one post.
pub const MOST_EVENTS: usize = 16_384;

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
    pub(crate) fn whole(message: impl Into<String>) -> Self {
        Self { position: None, column: None, message: message.into() }
    }
}

/// Reads all events of a post to `table`, in order.
///
/// # Errors
/// [`BodyError`] for the first event that is not a valid event of this table; then no event is returned.
pub fn read_events(table: &str, form: Form, body: &[u8]) -> Result<Vec<Taken>, BodyError> {
    let mut taking = Taking { table, form, taken: Vec::new(), errors: None, error_count: 0 };
    taking.read_all(body)?;
    if taking.taken.is_empty() {
        return Err(BodyError::whole("there is no event in it"));
    }
    Ok(taking.taken)
}

/// What a body contains, if nothing of it is to be recorded.
#[derive(Debug, Default)]
pub(crate) struct Examined {
    /// The events, in order.
    pub(crate) taken: Vec<Taken>,
    /// The first errors.
    pub(crate) errors: Vec<BodyError>,
    /// The number of all errors that were found.
    pub(crate) error_count: u64,
}

/// Reads a body and collects its errors, the first [`MOST_ERRORS`] of them one by one. A form without line ends (CBOR)
/// is read up to its first error.
pub(crate) fn examine(table: &str, form: Form, body: &[u8]) -> Examined {
    let mut taking = Taking { table, form, taken: Vec::new(), errors: Some(Vec::new()), error_count: 0 };
    let read = taking.read_all(body);
    let Taking { taken, errors, mut error_count, .. } = taking;
    let mut errors = errors.unwrap_or_default();
    let nothing = || BodyError::whole("there is no event in it");
    if let Some(error) = read.err().or_else(|| (taken.is_empty() && error_count == 0).then(nothing)) {
        error_count += 1;
        errors.truncate(MOST_ERRORS - 1);
        errors.push(error);
    }
    Examined { taken, errors, error_count }
}

/// Collects the events of a post.
struct Taking<'a> {
    table: &'a str,
    form: Form,
    taken: Vec<Taken>,
    /// The first errors, if reading goes on behind them.
    errors: Option<Vec<BodyError>>,
    error_count: u64,
}

impl Taking<'_> {
    fn read_all(&mut self, body: &[u8]) -> Result<(), BodyError> {
        match self.form {
            Form::Lines => json::lines(body, self),
            Form::Array => json::array(body, self),
            Form::CborArray => cbor::array(body, self),
            Form::CborSequence => cbor::sequence(body, self),
            Form::CloudEvent => cloud_event::one(body, self),
            Form::CloudEventBatch => cloud_event::batch(body, self),
            Form::CloudEventData => json::one(body, self),
        }
    }

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
            Err(fault) => {
                let error = self.refusal(position, fault);
                self.go_on(error)
            }
        }
    }

    /// Collects an error, if what follows it can be read.
    fn go_on(&mut self, error: BodyError) -> Result<(), BodyError> {
        let goes_on = match self.form {
            Form::Lines | Form::Array | Form::CloudEventBatch => true,
            Form::CborArray | Form::CborSequence | Form::CloudEvent | Form::CloudEventData => false,
        };
        match &mut self.errors {
            Some(errors) if goes_on => {
                self.error_count += 1;
                if errors.len() < MOST_ERRORS {
                    errors.push(error);
                }
                Ok(())
            }
            Some(_) | None => Err(error),
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
