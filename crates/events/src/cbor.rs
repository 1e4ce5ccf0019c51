//! Canonical bytes as this record reads them: [`canonical_cbor`] with errors that name event and field, and with
//! the rulebooks that the reader has read before.

use crate::codec::DecodeError;
use crate::rulebook::RulebooksRead;

pub(crate) use canonical_cbor::major::{ARRAY, UNSIGNED};
pub(crate) use canonical_cbor::write::{bytes, head, integer, null, text};

/// Reads canonical bytes from the front.
#[derive(Debug, Clone)]
pub(crate) struct Reader<'a> {
    items: canonical_cbor::Reader<'a>,
    rulebooks: Option<&'a RulebooksRead>,
}

impl<'a> Reader<'a> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self { items: canonical_cbor::Reader::new(bytes), rulebooks: None }
    }

    /// For somebody who reads many payloads, and keeps the rulebooks he has read.
    pub(crate) const fn knowing(bytes: &'a [u8], rulebooks: &'a RulebooksRead) -> Self {
        Self { rulebooks: Some(rulebooks), ..Self::new(bytes) }
    }

    pub(crate) const fn rulebooks(&self) -> Option<&'a RulebooksRead> {
        self.rulebooks
    }

    pub(crate) const fn at(&self) -> usize {
        self.items.at()
    }

    /// How many bytes are left.
    pub(crate) const fn left(&self) -> usize {
        self.items.left()
    }

    pub(crate) const fn is_at_end(&self) -> bool {
        self.items.is_at_end()
    }

    pub(crate) fn since(&self, from: usize) -> &'a [u8] {
        self.items.since(from)
    }

    /// Boxed, so that a good item is returned in few registers.
    #[cold]
    pub(crate) fn wrong(&self, message: impl Into<String>) -> Box<DecodeError> {
        at(self.at(), message.into())
    }

    /// What this version refuses and a newer minor version may mean something by.
    #[cold]
    pub(crate) fn not_known(&self, message: impl Into<String>) -> Box<DecodeError> {
        let mut error = self.wrong(message);
        error.newer = true;
        error
    }

    #[inline]
    pub(crate) fn head(&mut self, major: u8, expected: &'static str) -> Result<u64, Box<DecodeError>> {
        self.items.head(major, expected).map_err(not_canonical)
    }

    #[inline]
    pub(crate) fn integer(&mut self) -> Result<i64, Box<DecodeError>> {
        self.items.integer().map_err(not_canonical)
    }

    #[inline]
    pub(crate) fn text(&mut self) -> Result<&'a str, Box<DecodeError>> {
        self.items.text().map_err(not_canonical)
    }

    pub(crate) fn byte_string(&mut self) -> Result<&'a [u8], Box<DecodeError>> {
        self.items.bytes().map_err(not_canonical)
    }

    /// Takes a null if one is next.
    #[inline]
    pub(crate) fn null(&mut self) -> bool {
        self.items.take_null()
    }

    /// Passes over one canonical item of any kind this record uses.
    pub(crate) fn skip(&mut self) -> Result<(), Box<DecodeError>> {
        self.items.skip().map_err(not_canonical)
    }
}

#[cold]
#[allow(clippy::boxed_local, reason = "it comes boxed, and is unboxed only where bytes are wrong")]
fn not_canonical(error: Box<canonical_cbor::Error>) -> Box<DecodeError> {
    at(error.at, error.problem.to_string())
}

fn at(offset: usize, message: String) -> Box<DecodeError> {
    Box::new(DecodeError { event: None, field: None, offset, message, newer: false })
}
