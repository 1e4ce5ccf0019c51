//! Events in JSON: a line each, an array of them, or one alone.

use serde_json::value::RawValue;

use super::{BodyError, Taking};

/// One event a line; empty lines count, and say nothing.
pub(super) fn lines(body: &[u8], taking: &mut Taking<'_>) -> Result<(), BodyError> {
    let text = text(body)?;
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let read = taking.read(line);
        taking.take(number, read)?;
    }
    Ok(())
}

/// An array of events.
pub(super) fn array(body: &[u8], taking: &mut Taking<'_>) -> Result<(), BodyError> {
    for (number, element) in (1..).zip(elements(body, "events")?) {
        let read = taking.read(element.get());
        taking.take(number, read)?;
    }
    Ok(())
}

/// One event.
pub(super) fn one(body: &[u8], taking: &mut Taking<'_>) -> Result<(), BodyError> {
    let read = taking.read(text(body)?);
    taking.take(1, read)
}

/// The elements of an array, as they are written.
pub(super) fn elements<'a>(body: &'a [u8], of: &str) -> Result<Vec<&'a RawValue>, BodyError> {
    serde_json::from_str(text(body)?).map_err(|error| {
        // A reader that stops before the first byte calls that column 0, where nobody can look.
        let at = match (error.line(), error.column()) {
            (_, 0) => String::new(),
            (line, column) => format!(" (line {line}, column {column} of the body)"),
        };
        let send = if body.trim_ascii_start().starts_with(b"{") { "; send an array: [{...}]" } else { "" };
        BodyError::whole(format!("not a JSON array of {of}: {}{at}{send}", without_position(&error)))
    })
}

/// The reader's message without its own "at line 1 column n".
pub(super) fn without_position(error: &serde_json::Error) -> String {
    let message = error.to_string();
    message.rsplit_once(" at line ").map_or(&*message, |(text, _)| text).to_owned()
}

/// The body as text.
pub(super) fn text(body: &[u8]) -> Result<&str, BodyError> {
    if body.starts_with("\u{feff}".as_bytes()) {
        return Err(BodyError::whole("it begins with a byte order mark; send UTF-8 without one"));
    }
    std::str::from_utf8(body).map_err(|error| {
        let line = body[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count() + 1;
        let message = format!("line {line}: bytes that are not UTF-8; JSON is UTF-8");
        BodyError { position: Some(line), column: None, message }
    })
}
