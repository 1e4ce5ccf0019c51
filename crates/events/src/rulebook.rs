//! The rulebook under which a table was opened. It is carried whole and not interpreted here.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::strict_json::Strict;

/// Largest canonical rulebook an event may carry, in bytes: it has to fit an entry.
pub const MAX_RULEBOOK_BYTES: usize = 48 * 1024;
/// Deepest nesting of objects and lists in a rulebook: every JSON reader follows that far, also inside one of
/// our lines.
pub const MAX_RULEBOOK_DEPTH: usize = 64;

/// A rulebook as a JSON object in canonical spelling (RFC 8785, integers only).
///
/// It is not interpreted here: a rulebook of a newer format is kept like any other, and what depends on
/// it is undecided until a program that knows the format judges it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulebookDocument(Arc<str>);

/// A cache of the rulebooks that were read before. Many tables open under the same ones, and checking that a text
/// is canonical takes longer than everything else in opening a table.
#[derive(Debug, Default)]
pub struct RulebooksRead(Mutex<BTreeSet<Arc<str>>>);

/// Rulebooks kept; where there are more, the others are read anew each time.
const MOST_KEPT: usize = 64;

impl RulebooksRead {
    /// Takes a canonical text as [`RulebookDocument::from_canonical`] does.
    ///
    /// # Errors
    /// [`RulebookDocumentError`].
    pub fn read(&self, text: &str) -> Result<RulebookDocument, RulebookDocumentError> {
        let kept = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = kept().get(text) {
            return Ok(RulebookDocument(Arc::clone(known)));
        }
        let document = RulebookDocument::from_canonical(text)?;
        let mut kept = kept();
        if kept.len() < MOST_KEPT {
            kept.insert(Arc::clone(&document.0));
        }
        Ok(document)
    }
}

/// A document no event may carry.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RulebookDocumentError {
    /// Not JSON.
    #[error("the rulebook is not JSON: {0}")]
    Json(String),
    /// JSON, but not an object.
    #[error("the rulebook must be a JSON object")]
    NotAnObject,
    /// A number that is no integer of at most 2^53 - 1.
    #[error("the rulebook holds the number {0}; only integers up to 9007199254740991 are allowed")]
    Number(String),
    /// Objects and lists within one another without end.
    #[error("the rulebook nests objects and lists more than {MAX_RULEBOOK_DEPTH} deep")]
    TooDeep,
    /// More bytes than an event may carry.
    #[error("the rulebook takes {0} bytes; at most {MAX_RULEBOOK_BYTES} are allowed")]
    TooLarge(usize),
    /// The same document has another, canonical spelling.
    #[error("the rulebook is not in canonical spelling (RFC 8785)")]
    NotCanonical,
}

impl RulebookDocument {
    /// Takes a JSON text in any spelling and keeps the canonical one.
    ///
    /// # Errors
    /// [`RulebookDocumentError`].
    pub fn from_json(text: &str) -> Result<Self, RulebookDocumentError> {
        let value: Strict =
            serde_json::from_str(text).map_err(|error| RulebookDocumentError::Json(error.to_string()))?;
        Self::from_value(&value.0)
    }

    /// Takes a canonical text; any other spelling is refused.
    ///
    /// # Errors
    /// [`RulebookDocumentError`].
    pub fn from_canonical(text: &str) -> Result<Self, RulebookDocumentError> {
        let document = Self::from_json(text)?;
        if &*document.0 == text { Ok(document) } else { Err(RulebookDocumentError::NotCanonical) }
    }

    fn from_value(value: &serde_json::Value) -> Result<Self, RulebookDocumentError> {
        if !value.is_object() {
            return Err(RulebookDocumentError::NotAnObject);
        }
        plain(value, MAX_RULEBOOK_DEPTH)?;
        let text = serde_json_canonicalizer::to_string(value)
            .map_err(|error| RulebookDocumentError::Json(error.to_string()))?;
        if text.len() > MAX_RULEBOOK_BYTES {
            return Err(RulebookDocumentError::TooLarge(text.len()));
        }
        Ok(Self(text.into()))
    }

    /// The canonical text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Keeps an equal text of these instead of its own, or else adds its own to them.
    pub fn share(&mut self, texts: &mut BTreeSet<Arc<str>>) {
        match texts.get(&self.0) {
            Some(text) => self.0 = Arc::clone(text),
            None => drop(texts.insert(Arc::clone(&self.0))),
        }
    }

    /// The canonical text, shared without a copy.
    #[must_use]
    pub fn shared(&self) -> Arc<str> {
        Arc::clone(&self.0)
    }
}

/// Integers only, and nothing nested deeper than allowed.
fn plain(value: &serde_json::Value, depth: usize) -> Result<(), RulebookDocumentError> {
    match value {
        serde_json::Value::Number(number) => {
            let limit = 1_i64 << 53;
            if number.as_i64().is_some_and(|number| -limit < number && number < limit) {
                Ok(())
            } else {
                Err(RulebookDocumentError::Number(number.to_string()))
            }
        }
        serde_json::Value::Array(_) | serde_json::Value::Object(_) if depth == 0 => {
            Err(RulebookDocumentError::TooDeep)
        }
        serde_json::Value::Array(items) => items.iter().try_for_each(|item| plain(item, depth - 1)),
        serde_json::Value::Object(members) => {
            members.values().try_for_each(|member| plain(member, depth - 1))
        }
        serde_json::Value::Null | serde_json::Value::Bool(_) | serde_json::Value::String(_) => Ok(()),
    }
}

impl fmt::Display for RulebookDocument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for RulebookDocument {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value: serde_json::Value = serde_json::from_str(&self.0).map_err(serde::ser::Error::custom)?;
        value.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RulebookDocument {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_value(&Strict::deserialize(deserializer)?.0).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_rulebook_that_was_read_is_shared_and_others_are_read_as_ever() {
        let read = RulebooksRead::default();
        let text = |number: usize| format!(r#"{{"id":"house-{number}"}}"#);
        let first = read.read(&text(0)).unwrap();
        assert!(Arc::ptr_eq(&first.0, &read.read(&text(0)).unwrap().0));
        for _ in 0..2 {
            assert_eq!(read.read(r#"{ "id":"house-0"}"#), Err(RulebookDocumentError::NotCanonical));
            assert_eq!(read.read("[]"), Err(RulebookDocumentError::NotAnObject));
        }
        // A client that sends ever new rulebooks does not fill the memory.
        for number in 1..=2 * MOST_KEPT {
            assert_eq!(read.read(&text(number)).unwrap().as_str(), text(number));
        }
        assert_eq!(read.0.lock().unwrap().len(), MOST_KEPT);
        assert_eq!(read.read(&text(2 * MOST_KEPT)).unwrap().as_str(), text(2 * MOST_KEPT));
    }
}
