//! Events in CBOR (RFC 8949), converted to JSON, so that one reader decides what an event may contain: it
//! refuses unknown, missing and duplicate fields.
//!
//! Lengths may be definite or not and integers of any width, as JSON too has many spellings of one
//! event. What JSON events do not have is refused here: floats, byte strings, tags, keys that are no
//! text. Nothing is allocated for a length that is only declared, and nesting is bounded.

use std::borrow::Cow;
use std::fmt::Write as _;

use events::LineError;
use minicbor::Decoder;
use minicbor::data::Type;
use minicbor::decode::Error;

use super::{BodyError, LONGEST, Taking, too_long, unplaced};

/// Most arrays and maps within one another in an event: a rulebook has at most 64, and JSON is
/// followed for 127.
const DEEPEST: usize = 100;

/// An error in an event, and the names of the fields around it.
struct Fault {
    message: String,
    /// From the innermost name outwards.
    names: Vec<String>,
}

impl Fault {
    fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), names: Vec::new() }
    }

    fn within(mut self, name: impl Into<String>) -> Self {
        self.names.push(name.into());
        self
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        if error.is_end_of_input() {
            return Self::new("the body ends in the middle of it");
        }
        Self::new(format!("not CBOR: {error}"))
    }
}

impl From<Fault> for LineError {
    fn from(fault: Fault) -> Self {
        if fault.names.is_empty() {
            return unplaced(fault.message);
        }
        let names: Vec<String> = fault.names.into_iter().rev().collect();
        unplaced(format!("{}: {}", names.join("."), fault.message))
    }
}

/// One array of events.
pub(super) fn array(body: &[u8], taking: &mut Taking<'_>) -> Result<(), BodyError> {
    let mut reader = Decoder::new(body);
    let declared = match reader.datatype() {
        Ok(Type::Array | Type::ArrayIndef) => reader.array(),
        Ok(found) => return Err(BodyError::whole(format!("a CBOR {found}, not a CBOR array of events"))),
        Err(error) => Err(error),
    };
    let declared = declared.map_err(|error| BodyError::whole(format!("not a CBOR array: {error}")))?;
    let mut left = Left(declared);
    let (mut number, mut text) = (0, String::new());
    while left.more(&mut reader).map_err(|fault| taking.refusal(number + 1, fault.into()))? {
        number += 1;
        take(&mut reader, &mut text, number, taking)?;
    }
    match body.len() - reader.position() {
        0 => Ok(()),
        rest => Err(BodyError::whole(format!(
            "{rest} bytes follow the array; send application/cbor-seq for one value after the other"
        ))),
    }
}

/// Events one after the other.
pub(super) fn sequence(body: &[u8], taking: &mut Taking<'_>) -> Result<(), BodyError> {
    let mut reader = Decoder::new(body);
    let mut text = String::new();
    for number in 1.. {
        if reader.position() == body.len() {
            break;
        }
        take(&mut reader, &mut text, number, taking)?;
    }
    Ok(())
}

fn take(
    reader: &mut Decoder<'_>,
    text: &mut String,
    number: usize,
    taking: &mut Taking<'_>,
) -> Result<(), BodyError> {
    text.clear();
    let read = value(reader, text, DEEPEST).map_err(LineError::from).and_then(|()| {
        // A column of JSON that the client did not send would be misleading.
        taking.read(text).map_err(|fault| unplaced(fault.message))
    });
    taking.take(number, read)
}

/// The number of elements left in an array or map, or until a break.
struct Left(Option<u64>);

impl Left {
    fn more(&mut self, reader: &mut Decoder<'_>) -> Result<bool, Fault> {
        match &mut self.0 {
            Some(0) => Ok(false),
            Some(left) => {
                *left -= 1;
                Ok(true)
            }
            None if reader.datatype()? == Type::Break => {
                reader.set_position(reader.position() + 1);
                Ok(false)
            }
            None => Ok(true),
        }
    }
}

/// Writes one value as JSON; `depth` more arrays and maps may be nested.
fn value(reader: &mut Decoder<'_>, out: &mut String, depth: usize) -> Result<(), Fault> {
    if out.len() > LONGEST {
        return Err(Fault::new(too_long().message));
    }
    match reader.datatype()? {
        Type::Null => {
            reader.null()?;
            out.push_str("null");
        }
        Type::Bool => out.push_str(if reader.bool()? { "true" } else { "false" }),
        Type::U8 | Type::U16 | Type::U32 | Type::U64 => write(out, reader.u64()?),
        Type::I8 | Type::I16 | Type::I32 | Type::I64 => write(out, reader.i64()?),
        Type::String | Type::StringIndef => json_text(&string(reader)?, out)?,
        Type::Array | Type::ArrayIndef => list(reader, out, deeper(depth)?)?,
        Type::Map | Type::MapIndef => object(reader, out, deeper(depth)?)?,
        Type::F16 | Type::F32 | Type::F64 => return Err(Fault::new("a float; expected an integer")),
        Type::Int => return Err(Fault::new("an integer below -9223372036854775808")),
        Type::Bytes | Type::BytesIndef => {
            return Err(Fault::new("a byte string; bytes are written as text of hexadecimal digits"));
        }
        Type::Tag => return Err(tag(reader)?),
        Type::Undefined => return Err(Fault::new("undefined; leave the field out, or say null")),
        Type::Simple => return Err(Fault::new("a simple value that is none of true, false and null")),
        Type::Break => return Err(Fault::new("a break where a value is due")),
        Type::Unknown(byte) => return Err(Fault::new(format!("not CBOR: byte {byte:#04x} begins no value"))),
    }
    Ok(())
}

fn deeper(depth: usize) -> Result<usize, Fault> {
    depth.checked_sub(1).ok_or_else(|| Fault::new(format!("arrays and maps nest more than {DEEPEST} deep")))
}

fn list(reader: &mut Decoder<'_>, out: &mut String, depth: usize) -> Result<(), Fault> {
    let mut left = Left(reader.array()?);
    out.push('[');
    for number in 0.. {
        if !left.more(reader)? {
            break;
        }
        if number > 0 {
            out.push(',');
        }
        value(reader, out, depth).map_err(|fault| fault.within(number.to_string()))?;
    }
    out.push(']');
    Ok(())
}

fn object(reader: &mut Decoder<'_>, out: &mut String, depth: usize) -> Result<(), Fault> {
    let mut left = Left(reader.map()?);
    out.push('{');
    let mut first = true;
    while left.more(reader)? {
        if !first {
            out.push(',');
        }
        first = false;
        let found = reader.datatype()?;
        if !matches!(found, Type::String | Type::StringIndef) {
            return Err(Fault::new(format!("a key of type {found}; keys are text")));
        }
        let name = string(reader)?;
        json_text(&name, out)?;
        out.push(':');
        value(reader, out, depth).map_err(|fault| fault.within(brief(&name)))?;
    }
    out.push('}');
    Ok(())
}

/// A text: borrowed if it is in one piece, else joined from its pieces.
fn string<'b>(reader: &mut Decoder<'b>) -> Result<Cow<'b, str>, Fault> {
    let text = if reader.datatype()? == Type::String {
        Cow::Borrowed(reader.str()?)
    } else {
        Cow::Owned(reader.str_iter()?.collect::<Result<String, Error>>()?)
    };
    if text.len() > LONGEST { Err(Fault::new(too_long().message)) } else { Ok(text) }
}

fn json_text(text: &str, out: &mut String) -> Result<(), Fault> {
    // Most need no escapes, and then no copy.
    if text.bytes().all(|byte| byte >= b' ' && byte != b'"' && byte != b'\\') {
        out.push('"');
        out.push_str(text);
        out.push('"');
        return Ok(());
    }
    let json = serde_json::to_string(text).map_err(|error| Fault::new(error.to_string()))?;
    out.push_str(&json);
    Ok(())
}

fn write(out: &mut String, number: impl std::fmt::Display) {
    // Writing to a string cannot fail.
    let _ = write!(out, "{number}");
}

fn tag(reader: &mut Decoder<'_>) -> Result<Fault, Fault> {
    let number = reader.tag()?.as_u64();
    Ok(Fault::new(format!("tag {number}; values are written without tags, times as RFC 3339 text")))
}

/// A name shortened for a message.
fn brief(name: &str) -> String {
    name.chars().take(40).collect()
}
