//! JSON of answers. Names in it come from logs, and someone may look at an answer on a terminal: characters that it acts
//! on, or that cannot be seen, are written as the escapes of JSON.

use std::borrow::Cow;

use axum::http::HeaderValue;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use texts::screen;

use crate::problem::Problem;

/// An answer in JSON, in place of axum's.
pub(crate) struct Json<T>(pub(crate) T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        match text(&self.0) {
            Ok(text) => {
                ([(CONTENT_TYPE, HeaderValue::from_static("application/json"))], text).into_response()
            }
            Err(error) => Problem::own_fault(format!("an answer cannot be written: {error}")).into_response(),
        }
    }
}

/// A value as JSON.
pub(crate) fn text(value: &impl Serialize) -> serde_json::Result<String> {
    serde_json::to_string(value).map(escaped)
}

/// Text that is JSON already.
pub(crate) fn escaped(text: String) -> String {
    let owned = match screen::json(&text) {
        Cow::Borrowed(_) => None,
        Cow::Owned(escaped) => Some(escaped),
    };
    owned.unwrap_or(text)
}
