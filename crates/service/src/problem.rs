//! Error answers as RFC 9457 problem documents: status, title, explanation, and the position in the body.

use std::borrow::Cow;

use axum::http::header::{CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use door::{Host, HostError};
use serde::{Serialize, Serializer};

use crate::json;
use crate::observe::requests::{ProblemKind, request_id};
use crate::problem_type::ProblemType;
use crate::routes::ingest::Receipts;
use intake::{BodyError, Form, IntakeError, NotTaken};

/// A problem document.
#[derive(Debug, Serialize)]
pub(crate) struct Problem {
    /// The stable type of the problem.
    #[serde(rename = "type", serialize_with = "as_text")]
    kind: ProblemType,
    title: &'static str,
    status: u16,
    detail: String,
    /// Line of the body (or element of the array, item of the sequence), from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    /// Column of that line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    /// The parameter that is refused.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    refused: Option<Box<RefusedParameter>>,
    /// What was recorded nevertheless.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    recorded: Option<Box<Receipts>>,
}

/// A parameter that is not known, or has a value that is not allowed.
#[derive(Debug, Serialize)]
struct RefusedParameter {
    parameter: Cow<'static, str>,
    /// What it may be, if these are words; of one that is not known, the parameters that there are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    allowed: Vec<Cow<'static, str>>,
}

/// A problem with the id of its request, as it is sent.
#[derive(Serialize)]
struct ProblemView<'a> {
    #[serde(flatten)]
    problem: &'a Problem,
    /// The request's id in the service's log.
    #[serde(skip_serializing_if = "Option::is_none")]
    request_id: Option<String>,
}

impl Problem {
    fn new(status: StatusCode, kind: ProblemType, title: &'static str, detail: String) -> Self {
        Self {
            kind,
            title,
            status: status.as_u16(),
            detail,
            line: None,
            column: None,
            refused: None,
            recorded: None,
        }
    }

    pub(crate) fn kind_of_body(given: &str) -> Self {
        NotTaken::ContentType(given.to_owned()).into()
    }

    /// A CloudEvent in binary mode whose body is not JSON.
    pub(crate) fn kind_of_cloud_event(given: &str) -> Self {
        Self::media_type(format!(
            "content type `{given}` beside a header ce-specversion: the data of a CloudEvent is \
             application/json; without that header, send {}",
            Form::accepted()
        ))
    }

    /// A body with a content encoding.
    pub(crate) fn encoded() -> Self {
        let detail = "a header Content-Encoding other than `identity`, or a Transfer-Encoding other than \
                      `chunked`: send the body uncompressed";
        let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
        Self::new(status, ProblemType::MediaType, "content encoding not known", detail.to_owned())
    }

    fn media_type(detail: String) -> Self {
        let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
        Self::new(status, ProblemType::MediaType, "content type not known", detail)
    }

    /// `ce-` headers that do not form a CloudEvent.
    pub(crate) fn cloud_event(message: String) -> Self {
        Self::from(BodyError { position: None, column: None, message: format!("the ce- headers: {message}") })
    }

    pub(crate) fn too_large(most: usize) -> Self {
        NotTaken::TooLarge(most).into()
    }

    /// The body broke off, or its HTTP framing is wrong.
    pub(crate) fn broken() -> Self {
        let message = "the body broke off, or is not framed as HTTP has it".to_owned();
        Self::from(BodyError { position: None, column: None, message })
    }

    pub(crate) fn too_slow() -> Self {
        let detail = "the body did not come in time; nothing was recorded".to_owned();
        Self::new(StatusCode::REQUEST_TIMEOUT, ProblemType::TooSlow, "the body came too slowly", detail)
    }

    /// A form has more bytes than any that a page of this service sends.
    pub(crate) fn form_too_large(most: usize) -> Self {
        let detail = format!("a form may have {most} bytes");
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, ProblemType::TooLarge, "the body is too large", detail)
    }

    pub(crate) fn busy() -> Self {
        NotTaken::Busy.into()
    }

    /// Too many queries are waiting.
    pub(crate) fn many_ask() -> Self {
        let detail = "too many queries are waiting; retry later".to_owned();
        Self::new(StatusCode::TOO_MANY_REQUESTS, ProblemType::Busy, "busy", detail)
    }

    /// As many streams of findings are open as may be.
    pub(crate) fn many_streams(most: usize, of_token: bool) -> Self {
        let whose = if of_token { "of this token" } else { "of this service" };
        let detail = format!(
            "{most} streams {whose} are open, which is the limit; close one, or ask for pages with GET /v1/findings"
        );
        Self::new(StatusCode::TOO_MANY_REQUESTS, ProblemType::Busy, "too many streams", detail)
    }

    pub(crate) fn absent(what: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, ProblemType::Absent, "not there", what.to_owned())
    }

    /// Whether it says that something is not there.
    pub(crate) fn is_absent(&self) -> bool {
        self.kind == ProblemType::Absent
    }

    /// Its type.
    pub(crate) const fn kind(&self) -> ProblemType {
        self.kind
    }

    /// The query cannot be parsed.
    pub(crate) fn query(detail: &str) -> Self {
        let status = StatusCode::BAD_REQUEST;
        Self::new(status, ProblemType::Query, "the question cannot be understood", detail.to_owned())
    }

    /// A parameter is refused: its name, the words that are allowed in its place (of its value, or of its name), and a
    /// sentence.
    pub(crate) fn refused_parameter(
        parameter: impl Into<Cow<'static, str>>,
        allowed: Vec<Cow<'static, str>>,
        detail: &str,
    ) -> Self {
        let refused = RefusedParameter { parameter: parameter.into(), allowed };
        Self { refused: Some(Box::new(refused)), ..Self::query(detail) }
    }

    /// A parameter of the query is none of these words.
    pub(crate) fn no_such_word(parameter: &'static str, given: &str, allowed: &[&'static str]) -> Self {
        let detail =
            format!("{parameter}: `{}` is not known; allowed: {}", start_of(given), allowed.join(", "));
        let allowed = allowed.iter().copied().map(Cow::Borrowed).collect();
        Self::refused_parameter(parameter, allowed, &detail)
    }

    /// A parameter of the query is no number of this range.
    pub(crate) fn no_such_number(
        parameter: &'static str,
        given: &str,
        allowed: &std::ops::RangeInclusive<u64>,
    ) -> Self {
        let (least, most) = (allowed.start(), allowed.end());
        let detail = format!("{parameter}: `{}` is not an integer from {least} to {most}", start_of(given));
        Self::refused_parameter(parameter, Vec::new(), &detail)
    }

    /// The service runs without live certification.
    pub(crate) fn not_certified() -> Self {
        let detail = "this service does not certify while it records; verify its log instead";
        Self::new(StatusCode::NOT_FOUND, ProblemType::Absent, "not there", detail.to_owned())
    }

    /// The path exists, but not for this method.
    pub(crate) fn not_for(method: &axum::http::Method) -> Self {
        let detail = format!("this path is not for {method}; /openapi.json has what each path is for");
        Self::new(StatusCode::METHOD_NOT_ALLOWED, ProblemType::Method, "not for this method", detail)
    }

    /// The resource will exist soon.
    pub(crate) fn not_yet(what: &str) -> Self {
        let (status, detail) = (StatusCode::SERVICE_UNAVAILABLE, format!("{what}; ask again"));
        Self::new(status, ProblemType::NotYet, "not there yet", detail)
    }

    /// Whether nothing of the post was recorded and repeating it unchanged is useless.
    pub(crate) fn is_refusal(&self) -> bool {
        (400..500).contains(&self.status)
            && ![StatusCode::CONFLICT, StatusCode::TOO_MANY_REQUESTS]
                .iter()
                .any(|other| self.status == *other)
    }

    /// Events that differ from recorded ones with the same numbers: they are recorded as well, and reported.
    pub(crate) fn conflict(recorded: Receipts) -> Self {
        let detail = format!(
            "{} events came under numbers that other events have as well; all of them are recorded, side by side",
            recorded.counts.conflicts
        );
        let mut problem =
            Self::new(StatusCode::CONFLICT, ProblemType::Conflict, "a number was used before", detail);
        problem.recorded = Some(Box::new(recorded));
        problem
    }

    pub(crate) fn stopped(detail: impl Into<String>) -> Self {
        NotTaken::Stopped(detail.into()).into()
    }

    /// The caller is unknown (401) or may not do this (403).
    pub(crate) fn access_refused(status: StatusCode, detail: &str) -> Self {
        let (kind, title) = match status {
            StatusCode::UNAUTHORIZED => (ProblemType::WhoAreYou, "a token is needed"),
            _ => (ProblemType::NotAllowed, "not allowed"),
        };
        Self::new(status, kind, title, detail.to_owned())
    }

    /// A post to a log that takes its events from a fleet's stream.
    pub(crate) fn of_a_fleet() -> Self {
        let detail = "this log takes its events from the stream of a fleet, and no posts: publish them there (audit \
                      fleet send, docs/fleet.md)";
        Self::access_refused(StatusCode::FORBIDDEN, detail)
    }

    /// A request without a usable host.
    pub(crate) fn no_host(error: &HostError) -> Self {
        let detail = format!("{error}; send one, as Host: 127.0.0.1:7370");
        Self::new(StatusCode::BAD_REQUEST, ProblemType::Host, "missing Host header", detail)
    }

    /// A request for a host name that is not the service's.
    pub(crate) fn misdirected(host: &Host) -> Self {
        let name = host.without_port();
        let detail = format!(
            "this service is not called `{name}`; if it is to be, start it with --host {name} (any web page can \
             have its name lead here)"
        );
        let status = StatusCode::MISDIRECTED_REQUEST;
        Self::new(status, ProblemType::Host, "for another host", detail)
    }

    /// A request of a web page that is not from this service.
    pub(crate) fn foreign_page() -> Self {
        let detail = "the Origin header names a web page that is not of this service (scheme, host and port); \
                      such a page may neither post nor read here";
        Self::new(StatusCode::FORBIDDEN, ProblemType::Origin, "from another web page", detail.to_owned())
    }

    pub(crate) fn own_fault(detail: impl Into<String>) -> Self {
        let status = StatusCode::INTERNAL_SERVER_ERROR;
        Self::new(status, ProblemType::Fault, "internal error", detail.into())
    }
}

/// A post of which nothing was recorded.
impl From<NotTaken> for Problem {
    fn from(error: NotTaken) -> Self {
        let detail = error.to_string();
        match error {
            NotTaken::ContentType(_) => Self::media_type(detail),
            NotTaken::TooLarge(_) => {
                let status = StatusCode::PAYLOAD_TOO_LARGE;
                Self::new(status, ProblemType::TooLarge, "the body is too large", detail)
            }
            NotTaken::Body(BodyError { position: line, column, .. }) => {
                let title = if line.is_some() { "not an event" } else { "the body cannot be read" };
                let problem = Self::new(StatusCode::BAD_REQUEST, ProblemType::Malformed, title, detail);
                Self { line, column, ..problem }
            }
            NotTaken::Busy => Self::new(StatusCode::TOO_MANY_REQUESTS, ProblemType::Busy, "busy", detail),
            NotTaken::Gone => Self::broken(),
            NotTaken::Stopped(_) => {
                let status = StatusCode::SERVICE_UNAVAILABLE;
                Self::new(status, ProblemType::Stopped, "the log has stopped", detail)
            }
            NotTaken::OwnFault(_) => Self::own_fault(detail),
        }
    }
}

impl From<BodyError> for Problem {
    fn from(error: BodyError) -> Self {
        NotTaken::from(error).into()
    }
}

impl From<IntakeError> for Problem {
    fn from(error: IntakeError) -> Self {
        NotTaken::from(error).into()
    }
}

/// The beginning of what a client sent, for a message.
pub(crate) fn start_of(given: &str) -> String {
    given.chars().take(40).collect()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn as_text<S: Serializer>(kind: &ProblemType, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.as_str())
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let kind = ProblemKind(self.kind.as_str());
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let later = matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE);
        let view = ProblemView { problem: &self, request_id: request_id() };
        // A problem repeats what was sent.
        let body = json::text(&view).unwrap_or_default();
        let mut response = (status, body).into_response();
        response.extensions_mut().insert(kind);
        response.extensions_mut().insert(self.kind);
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if later {
            headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}
