//! Events in canonical bytes, which are the bytes that are hashed and kept.
//!
//! A payload is `[minor version, [event, ...]]`, an event `[micros, offset, kind, body]`, a body
//! an array of its fields in the order of declaration. `docs/events.cddl` has the whole grammar.
//!
//! A payload names the least minor version that has all its events. So an older program reads whatever it
//! can, and a list of events has exactly one encoding.
//!
//! A payload of a newer minor version may hold kinds this program does not know, and more fields
//! or further enum numbers in kinds it knows: such events are kept as [`Body::Unknown`].

mod fields;

use crate::cbor::{ARRAY, Reader, UNSIGNED, head, integer};
use crate::kind::SCHEMA_MINOR;
use crate::{Body, Event, OccurredAt, RulebooksRead, UnknownEvent};
use fields::Field;
pub(crate) use fields::write_body;

/// Most events a payload holds.
pub const MAX_EVENTS: usize = 4_096;
/// Most items of any list: the bets of one settlement.
pub(crate) const MAX_LIST: usize = 8_192;

/// Events that cannot be put into canonical bytes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// None, or too many.
    #[error("a payload holds 1 to {MAX_EVENTS} events, not {0}")]
    Count(usize),
    /// A list is too long or a value out of range.
    #[error("event {event}: {message}")]
    Bounds {
        /// Which, from 0.
        event: usize,
        /// What is wrong.
        message: String,
    },
    /// An event of a kind that its minor version does not have.
    #[error("event {0} is of a newer kind than minor version {SCHEMA_MINOR} has")]
    Unknown(usize),
    /// A minor version other than the least that has all the events.
    #[error("minor version {given}; these events are written under {due}")]
    Minor {
        /// The version asked for.
        given: u32,
        /// The least that has all of them.
        due: u32,
    },
}

/// Bytes that are no canonical payload.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{}byte {offset}: {message}", labelled("event ", .event.as_ref()), labelled("", .field.as_ref()))]
pub struct DecodeError {
    /// Which event, from 0.
    pub event: Option<usize>,
    /// Which field.
    pub field: Option<&'static str>,
    /// Offset in the payload.
    pub offset: usize,
    /// What was found and what was expected.
    pub message: String,
    /// Whether a newer minor version could mean something by it.
    pub(crate) newer: bool,
}

fn labelled(what: &str, which: Option<&impl ToString>) -> String {
    which.map(|which| format!("{what}{}, ", which.to_string())).unwrap_or_default()
}

/// Writes events as a payload of the least minor version that has them all.
///
/// # Errors
/// [`EncodeError`].
pub fn encode_payload(events: &[Event]) -> Result<Vec<u8>, EncodeError> {
    encode_payload_at(least_minor(events), events)
}

/// The least minor version that has all these events, not counting those this program does not know.
fn least_minor(events: &[Event]) -> u32 {
    events.iter().filter_map(|event| event.body.minor()).max().unwrap_or_default()
}

/// Writes events as a payload of a given minor version: a newer one may hold unknown events.
///
/// # Errors
/// [`EncodeError`].
pub fn encode_payload_at(minor: u32, events: &[Event]) -> Result<Vec<u8>, EncodeError> {
    if events.is_empty() || events.len() > MAX_EVENTS {
        return Err(EncodeError::Count(events.len()));
    }
    let due = least_minor(events);
    let unknown = events.iter().position(|event| matches!(event.body, Body::Unknown(_)));
    match unknown.filter(|_| minor <= SCHEMA_MINOR) {
        Some(at) => return Err(EncodeError::Unknown(at)),
        None if minor <= SCHEMA_MINOR && minor != due => {
            return Err(EncodeError::Minor { given: minor, due });
        }
        None => {}
    }
    let mut out = Vec::with_capacity(16 + 48 * events.len());
    head(&mut out, ARRAY, 2);
    head(&mut out, UNSIGNED, u64::from(minor));
    head(&mut out, ARRAY, events.len() as u64);
    for (at, event) in events.iter().enumerate() {
        event.body.check().map_err(|message| EncodeError::Bounds { event: at, message })?;
        if let Body::Unknown(unknown) = &event.body {
            check_unknown(unknown).map_err(|message| EncodeError::Bounds { event: at, message })?;
        }
        encode_event(event, &mut out);
    }
    Ok(out)
}

/// What is written must be read back as the same unknown event.
fn check_unknown(unknown: &UnknownEvent) -> Result<(), String> {
    let mut reader = Reader::new(&unknown.bytes);
    match decode_body(&mut reader, unknown.kind, true) {
        Ok(Body::Unknown(_)) if reader.is_at_end() => Ok(()),
        Ok(_) => Err(format!("the bytes of kind {} are not one unknown body", unknown.kind)),
        Err(error) => Err(format!("the bytes of kind {}: {error}", unknown.kind)),
    }
}

fn encode_event(event: &Event, out: &mut Vec<u8>) {
    head(out, ARRAY, 4);
    integer(out, event.occurred_at.micros());
    integer(out, i64::from(event.occurred_at.offset_minutes()));
    head(out, UNSIGNED, u64::from(event.body.kind()));
    write_body(&event.body, out);
}

/// Reads a payload; whatever is not canonical is refused.
///
/// # Errors
/// [`DecodeError`] with the event, the field and the offset.
pub fn decode_payload(payload: &[u8]) -> Result<Vec<Event>, DecodeError> {
    decode_payload_with_minor(payload).map(|(_, events)| events)
}

/// The same for a caller who reads many payloads and keeps a cache of the rulebooks.
///
/// # Errors
/// [`DecodeError`] with the event, the field and the offset.
pub fn decode_payload_knowing(payload: &[u8], rulebooks: &RulebooksRead) -> Result<Vec<Event>, DecodeError> {
    let decoded = decode_events(Reader::knowing(payload, rulebooks));
    decoded.map(|(_, events)| events).map_err(|error| *error)
}

/// Reads a payload and the minor version it was written under, which [`encode_payload_at`] needs
/// to write the same bytes again.
///
/// # Errors
/// [`DecodeError`] with the event, the field and the offset.
pub fn decode_payload_with_minor(payload: &[u8]) -> Result<(u32, Vec<Event>), DecodeError> {
    decode_events(Reader::new(payload)).map_err(|error| *error)
}

/// Reads the event at this index (from 0) of a payload that was read before; `None` where it holds fewer. The events
/// before it are skipped, not read.
///
/// # Errors
/// [`DecodeError`] with the event, the field and the offset.
pub fn decode_event_at(payload: &[u8], index: u64) -> Result<Option<Event>, DecodeError> {
    let at = || -> Result<Option<Event>, Box<DecodeError>> {
        let mut reader = Reader::new(payload);
        let (minor, count) = minor_and_count(&mut reader)?;
        if count <= index {
            return Ok(None);
        }
        for _ in 0..index {
            reader.skip()?;
        }
        decode_event(&mut reader, minor > SCHEMA_MINOR).map(Some)
    };
    at().map_err(|error| *error)
}

/// The minor version of a payload, and how many events follow.
fn minor_and_count(reader: &mut Reader<'_>) -> Result<(u32, u64), Box<DecodeError>> {
    length(reader, 2, "a payload [minor version, events]")?;
    let minor = u32::read(reader)?;
    Ok((minor, reader.head(ARRAY, "an array of events")?))
}

fn decode_events(mut reader: Reader<'_>) -> Result<(u32, Vec<Event>), Box<DecodeError>> {
    let (minor, count) = minor_and_count(&mut reader)?;
    if count == 0 || count > MAX_EVENTS as u64 {
        return Err(reader.wrong(format!("a payload holds 1 to {MAX_EVENTS} events, not {count}")));
    }
    let mut events = Vec::with_capacity(usize::try_from(count).unwrap_or_default());
    let mut due = 0;
    while (events.len() as u64) < count {
        let at = events.len();
        let event = decode_event(&mut reader, minor > SCHEMA_MINOR).map_err(|mut error| {
            error.event = Some(at);
            error
        })?;
        due = due.max(event.body.minor().unwrap_or_default());
        events.push(event);
    }
    if !reader.is_at_end() {
        return Err(reader.wrong("surplus bytes after the last event"));
    }
    if minor <= SCHEMA_MINOR && minor != due {
        return Err(reader.wrong(format!("minor version {minor}; these events are written under {due}")));
    }
    Ok((minor, events))
}

#[inline(always)]
#[allow(clippy::inline_always, reason = "a twentieth of decoding, once it is called from two places")]
fn decode_event(reader: &mut Reader<'_>, newer: bool) -> Result<Event, Box<DecodeError>> {
    length(reader, 4, "an event [micros, offset, kind, body]")?;
    let micros = reader.integer()?;
    let offset = i16::try_from(reader.integer()?).ok();
    let occurred_at = offset.and_then(|offset| OccurredAt::new(micros, offset));
    let Some(occurred_at) = occurred_at else { return Err(reader.wrong("a time out of range")) };
    let kind = u32::read(reader)?;
    let body = decode_body(reader, kind, newer)?;
    Ok(Event { occurred_at, body })
}

#[inline]
fn decode_body(reader: &mut Reader<'_>, kind: u32, newer: bool) -> Result<Body, Box<DecodeError>> {
    let start = reader.clone();
    match fields::read_body(reader, kind, Some(&start)) {
        Ok(body) => Ok(body),
        Err(error) if newer && error.newer => {
            start.clone().head(ARRAY, "a body")?;
            *reader = start.clone();
            reader.skip()?;
            Ok(Body::Unknown(UnknownEvent { kind, bytes: reader.since(start.at()).to_vec() }))
        }
        Err(error) => Err(error),
    }
}

#[inline]
fn length(reader: &mut Reader<'_>, expected: u64, what: &'static str) -> Result<(), Box<DecodeError>> {
    let found = reader.head(ARRAY, what)?;
    if found == expected { Ok(()) } else { Err(another_length(reader, expected, found, what)) }
}

#[cold]
fn another_length(reader: &Reader<'_>, expected: u64, found: u64, what: &str) -> Box<DecodeError> {
    let message = format!("expected {what} of {expected} items, found {found}");
    if found > expected { reader.not_known(message) } else { reader.wrong(message) }
}
