//! Decides the form of a post from its headers: its content type, or the `ce-` headers of a CloudEvent in
//! binary mode.

use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE, TRANSFER_ENCODING};
use axum::http::{HeaderMap, HeaderValue};

use crate::problem::Problem;
use intake::{Form, check_attributes, is_json};

/// The header that makes a request a CloudEvent in binary mode.
const VERSION_HEADER: &str = "ce-specversion";

/// The form of a post.
///
/// # Errors
/// [`Problem`] for an unknown content type, a compressed body, or `ce-` headers that do not form a
/// CloudEvent.
pub(crate) fn form_of(headers: &HeaderMap) -> Result<Form, Problem> {
    let is_encoded = |name, plain: &str| headers.get_all(name).iter().any(|list| has_another(list, plain));
    if is_encoded(CONTENT_ENCODING, "identity") || is_encoded(TRANSFER_ENCODING, "chunked") {
        return Err(Problem::encoded());
    }
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let kind = text(CONTENT_TYPE.as_str()).unwrap_or("");
    let named = Form::of(kind);
    let structured = matches!(named, Some(Form::CloudEvent | Form::CloudEventBatch));
    if structured || !headers.contains_key(VERSION_HEADER) {
        return named.ok_or_else(|| Problem::kind_of_body(kind));
    }
    if !is_json(kind) {
        return Err(Problem::kind_of_cloud_event(kind));
    }
    check_attributes(|name| text(&format!("ce-{name}"))).map_err(Problem::cloud_event)?;
    Ok(Form::CloudEventData)
}

/// Whether a list of encodings contains one that changes the body.
fn has_another(list: &HeaderValue, plain: &str) -> bool {
    let mut encodings = list.as_bytes().split(|byte| *byte == b',').map(<[u8]>::trim_ascii);
    encodings.any(|encoding| !encoding.is_empty() && !encoding.eq_ignore_ascii_case(plain.as_bytes()))
}
