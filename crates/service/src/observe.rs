//! Every request has an id, is timed, and stands in the log by what became of it: method, path, status.
//! Headers, bodies and tokens are never written down.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::http::header::CONTENT_LENGTH;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use tracing::{debug, info, warn};

use crate::metrics::RequestKind;
use crate::room::{Room, now};
use crate::traces::{Trace, Traces};

const ID_HEADER: HeaderName = HeaderName::from_static("x-request-id");
/// Longest id of a client that is taken over, bytes.
const LONGEST_ID: usize = 64;
/// Most of a path that is written down, bytes.
const LONGEST_PATH: usize = 200;

tokio::task_local! {
    static REQUEST: String;
}

/// The id of the request this is called in, if it is called in one.
pub(crate) fn request_id() -> Option<String> {
    REQUEST.try_with(Clone::clone).ok()
}

/// What kind of problem was answered, for the log.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProblemKind(pub(crate) &'static str);

/// Who is told of requests.
#[derive(Debug, Clone)]
pub(crate) struct Watch {
    pub(crate) room: Arc<Room>,
    /// Where somebody wants spans.
    pub(crate) traces: Option<Arc<Traces>>,
}

/// What is kept of a request while it is answered.
struct Asked {
    id: String,
    method: axum::http::Method,
    path: String,
    route: Option<String>,
    bytes: u64,
}

impl Asked {
    fn of(request: &Request) -> Self {
        let route = request.extensions().get::<MatchedPath>();
        let length = request.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok());
        Self {
            id: id_of(request.headers()).unwrap_or_else(fresh_id),
            method: request.method().clone(),
            path: shortened(request.uri().path()),
            route: route.map(|route| route.as_str().to_owned()),
            bytes: length.and_then(|length| length.parse().ok()).unwrap_or(0),
        }
    }

    fn traced(&self, traces: &Traces, request: &Request) -> Trace {
        traces.begin(request, self.route.as_deref(), &self.path, &self.id)
    }

    fn log(&self, status: StatusCode, problem: &str, took: Duration, trace: Option<&Trace>) {
        let Self { id, method, path, bytes, .. } = self;
        let (status, ms) = (status.as_u16(), u64::try_from(took.as_millis()).unwrap_or(u64::MAX));
        let trace_id = trace.map(|trace| trace.id().to_string());
        match status {
            500.. => {
                warn!(request_id = id, trace_id, %method, path, status, ms, bytes, problem, "request failed")
            }
            400.. => {
                info!(request_id = id, trace_id, %method, path, status, ms, bytes, problem, "request refused")
            }
            _ => debug!(request_id = id, trace_id, %method, path, status, ms, bytes, "request answered"),
        }
    }
}

/// Stands round all routes.
pub(crate) async fn observe(State(watch): State<Watch>, request: Request, next: Next) -> Response {
    let (asked, began) = (Asked::of(&request), Instant::now());
    let trace = watch.traces.as_ref().map(|traces| asked.traced(traces, &request));
    let mut response = REQUEST.scope(asked.id.clone(), next.run(request)).await;
    let (took, status) = (began.elapsed(), response.status());
    let problem = response.extensions().get::<ProblemKind>().map_or("", |kind| kind.0);
    asked.log(status, problem, took, trace.as_ref());
    if let Some(trace) = trace {
        trace.answered(status, problem);
    }
    if let Ok(id) = HeaderValue::from_str(&asked.id) {
        response.headers_mut().insert(ID_HEADER, id);
    }
    let route = asked.route.unwrap_or_else(|| "none".to_owned());
    watch.room.counters.request(&RequestKind { route, status: class(status) }, took);
    response
}

/// The id a client gave its request, if it is one that can be written anywhere.
fn id_of(headers: &HeaderMap) -> Option<String> {
    let id = headers.get(ID_HEADER)?.to_str().ok()?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    ((1..=LONGEST_ID).contains(&id.len()) && id.bytes().all(plain)).then(|| id.to_owned())
}

/// When, and the how manieth since the start: enough to tell requests apart.
fn fresh_id() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    format!("{:x}-{:x}", now(), COUNT.fetch_add(1, Ordering::Relaxed))
}

fn shortened(path: &str) -> String {
    path.char_indices().take_while(|(at, _)| *at < LONGEST_PATH).map(|(_, letter)| letter).collect()
}

fn class(status: StatusCode) -> &'static str {
    match status.as_u16() {
        ..200 => "1xx",
        200..300 => "2xx",
        300..400 => "3xx",
        400..500 => "4xx",
        500.. => "5xx",
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_clients_id_is_taken_only_if_it_can_be_written_anywhere() {
        let of = |id: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(ID_HEADER, HeaderValue::from_bytes(id.as_bytes()).unwrap());
            id_of(&headers)
        };
        for good in ["a", "7f-3.x_Y", &"z".repeat(64)] {
            assert_eq!(of(good).as_deref(), Some(good));
        }
        for bad in ["", "a b", "a\"b", "ñ", "a/b", &"z".repeat(65)] {
            assert_eq!(of(bad), None, "{bad}");
        }
        assert_eq!(id_of(&HeaderMap::new()), None);
        assert_ne!(fresh_id(), fresh_id());
    }
}
