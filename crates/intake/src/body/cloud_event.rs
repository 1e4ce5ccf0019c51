//! CloudEvents 1.0 in JSON, one or a batch: an envelope, and in its `data` the event as it always is.
//!
//! The envelope is checked and not recorded: its `id`, `source`, `type`, `time` and extensions belong to the
//! producer. The evidence is `data`; table and sequence identify an event.

use std::borrow::Cow;

use events::LineError;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::{BodyError, Taken, Taking, json, media_type, unplaced};

/// The one version there is.
const VERSION: &str = "1.0";

/// The attributes that are checked. Others are permitted.
#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    specversion: Cow<'a, str>,
    #[serde(borrow)]
    id: Cow<'a, str>,
    #[serde(borrow)]
    source: Cow<'a, str>,
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    datacontenttype: Option<String>,
    data_base64: Option<IgnoredAny>,
    #[serde(borrow)]
    data: Option<&'a RawValue>,
}

/// One CloudEvent.
pub(super) fn one(body: &[u8], taking: &mut Taking<'_>) -> Result<(), BodyError> {
    let read = open(json::text(body)?, taking);
    taking.take(1, read)
}

/// An array of CloudEvents.
pub(super) fn batch(body: &[u8], taking: &mut Taking<'_>) -> Result<(), BodyError> {
    for (number, element) in (1..).zip(json::elements(body, "CloudEvents")?) {
        let read = open(element.get(), taking);
        taking.take(number, read)?;
    }
    Ok(())
}

/// Checks the envelope and reads the event within.
fn open(text: &str, taking: &Taking<'_>) -> Result<Taken, LineError> {
    if !text.trim_ascii_start().starts_with('{') {
        return Err(unplaced("not a CloudEvent: expected a JSON object".to_owned()));
    }
    let envelope: Envelope<'_> = serde_json::from_str(text).map_err(|error| LineError {
        column: if error.line() == 1 { error.column() } else { 0 },
        message: format!("not a CloudEvent: {}", json::without_position(&error)),
    })?;
    let attributes = [
        ("specversion", &*envelope.specversion),
        ("id", &*envelope.id),
        ("source", &*envelope.source),
        ("type", &*envelope.kind),
    ];
    check_attributes(|name| attributes.iter().find(|(named, _)| *named == name).map(|(_, value)| *value))
        .map_err(unplaced)?;
    if envelope.data_base64.is_some() {
        return Err(unplaced("`data_base64`: write the event as a JSON object in `data`".to_owned()));
    }
    if let Some(kind) = envelope.datacontenttype.filter(|kind| !is_json(kind)) {
        return Err(unplaced(format!("datacontenttype `{kind}`: `data` is JSON, application/json")));
    }
    let data = envelope.data.ok_or_else(|| unplaced("no `data`; the event belongs there".to_owned()))?;
    taking.read(data.get()).map_err(|fault| unplaced(format!("data: {}", fault.message)))
}

/// Checks the mandatory attributes; `attribute` returns an attribute's value.
///
/// # Errors
/// A sentence that says what is missing.
pub fn check_attributes<'a>(attribute: impl Fn(&str) -> Option<&'a str>) -> Result<(), String> {
    match attribute("specversion") {
        Some(VERSION) => {}
        Some(other) => return Err(format!("specversion `{other}`: CloudEvents {VERSION} is read")),
        None => return Err("no specversion; every CloudEvent has one".to_owned()),
    }
    for name in ["id", "source", "type"] {
        if attribute(name).is_none_or(str::is_empty) {
            return Err(format!("no {name}; every CloudEvent has one, and it is not empty"));
        }
    }
    Ok(())
}

/// Whether a content type is JSON, as CloudEvents has it: `json` itself or something `+json`.
pub fn is_json(content_type: &str) -> bool {
    let name = media_type(content_type);
    let subtype = name.split_once('/').map_or("", |(_, subtype)| subtype);
    subtype == "json" || subtype.ends_with("+json")
}
