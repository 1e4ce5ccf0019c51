//! Gives every request an id, measures it, and logs its outcome: method, path, status, and the sender if it
//! was refused. Headers, bodies and secrets are never logged; a client's text is cut and escaped.
//! `refusal_log` decides which refusals are logged.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::http::header::CONTENT_LENGTH;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use door::Peer;
use tracing::{debug, info, warn};

use crate::access::Asker;
use crate::observe::metrics::{Metrics, RequestKind};
use crate::observe::refusal_log::{Kind, RefusalLog, is_grave, plain};
use crate::observe::traces::{Trace, Traces};
use intake::clock::now;

/// The status recorded for a request whose client left before the answer.
const GONE: u16 = 499;
const ID_HEADER: HeaderName = HeaderName::from_static("x-request-id");
/// Longest request id that is accepted from a client, bytes.
const LONGEST_ID: usize = 64;
/// Longest logged path, characters.
const LONGEST_PATH: usize = 200;
/// Longest logged method, characters.
const LONGEST_METHOD: usize = 20;

tokio::task_local! {
    static REQUEST: String;
}

/// The id of the current request, if called within one.
pub(crate) fn request_id() -> Option<String> {
    REQUEST.try_with(Clone::clone).ok()
}

/// The problem type of an answer, for the log.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProblemKind(pub(crate) &'static str);

/// The receivers of what is observed: metrics, spans, log.
#[derive(Debug, Clone)]
pub(crate) struct Observers {
    pub(crate) counters: Arc<Metrics>,
    /// Present if spans are exported.
    pub(crate) traces: Option<Arc<Traces>>,
    pub(crate) refusal_log: Arc<RefusalLog>,
}

/// What is remembered of a request until it is answered.
struct RequestInfo {
    id: String,
    peer: Option<SocketAddr>,
    method: String,
    path: String,
    route: Option<String>,
    bytes: u64,
}

impl RequestInfo {
    fn of(request: &Request) -> Self {
        let route = request.extensions().get::<MatchedPath>();
        let length = request.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok());
        Self {
            id: id_of(request.headers()).unwrap_or_else(fresh_id),
            peer: request.extensions().get::<Peer>().map(|peer| peer.0),
            method: plain(request.method().as_str(), LONGEST_METHOD),
            path: plain(request.uri().path(), LONGEST_PATH),
            route: route.map(|route| route.as_str().to_owned()),
            bytes: length.and_then(|length| length.parse().ok()).unwrap_or(0),
        }
    }

    fn traced(&self, traces: &Traces, request: &Request) -> Trace {
        traces.begin(request, self.route.as_deref(), &self.path, &self.id)
    }

    /// The kind of refusal, if it was refused.
    fn refused(&self, outcome: &Outcome) -> Option<Kind> {
        let asker = outcome.asker.as_ref();
        (outcome.status >= 400).then(|| Kind::Request {
            status: outcome.status,
            problem: outcome.problem,
            why: asker.and_then(|asker| asker.refused),
            route: self.route.clone(),
            token: asker.and_then(Asker::known),
        })
    }

    fn log(&self, refusal_log: &RefusalLog, outcome: &Outcome, trace: Option<&Trace>) {
        let Self { id, method, path, bytes, .. } = self;
        let Outcome { status, problem, ms, asker } = outcome;
        let Some(kind) = self.refused(outcome) else {
            let trace_id = trace.map(|trace| trace.id().to_string());
            debug!(request_id = id, trace_id, method, path, status, ms, bytes, "request answered");
            return;
        };
        if !refusal_log.should_write(kind, self.peer.map(|peer| peer.ip())) {
            return;
        }
        let trace_id = trace.map(|trace| trace.id().to_string());
        let (why, token) = asker.as_ref().map_or((None, None), |asker| (asker.refused, asker.token.as_ref()));
        let (peer, token) = (self.peer.map(|peer| peer.to_string()), token.map(ToString::to_string));
        macro_rules! line {
            ($write:ident, $message:literal) => {
                $write!(
                    request_id = id,
                    trace_id,
                    peer,
                    method,
                    path,
                    status,
                    ms,
                    bytes,
                    problem,
                    why,
                    token,
                    $message
                )
            };
        }
        match status {
            500.. => line!(warn, "request failed"),
            &GONE => line!(info, "request broken off"),
            _ if is_grave(*status) => line!(warn, "request refused"),
            _ => line!(info, "request refused"),
        }
    }
}

/// The outcome of a request.
struct Outcome {
    /// The answer's status; [`GONE`] if the client left before.
    status: u16,
    /// The problem type; empty if there is none.
    problem: &'static str,
    asker: Option<Asker>,
    /// Milliseconds from the request's head to the answer's head.
    ms: u64,
}

impl Outcome {
    fn of(response: &Response, took: Duration) -> Self {
        let extensions = response.extensions();
        Self {
            status: response.status().as_u16(),
            problem: extensions.get::<ProblemKind>().map_or("", |kind| kind.0),
            asker: extensions.get::<Asker>().cloned(),
            ms: millis(took),
        }
    }

    fn gone(took: Duration) -> Self {
        Self { status: GONE, problem: "", asker: None, ms: millis(took) }
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// A request that is being processed. Its outcome is recorded when this is dropped, also if the client left
/// and the request was aborted.
struct ObservedRequest {
    observers: Observers,
    info: RequestInfo,
    trace: Option<Trace>,
    began: Instant,
    outcome: Option<Outcome>,
}

impl ObservedRequest {
    fn begin(observers: Observers, request: &Request) -> Self {
        let (info, began) = (RequestInfo::of(request), Instant::now());
        let trace = observers.traces.as_ref().map(|traces| info.traced(traces, request));
        Self { observers, info, trace, began, outcome: None }
    }

    fn answered(mut self, response: &Response) {
        self.outcome = Some(Outcome::of(response, self.began.elapsed()));
    }
}

impl Drop for ObservedRequest {
    fn drop(&mut self) {
        let took = self.began.elapsed();
        let (outcome, trace) =
            (self.outcome.take().unwrap_or_else(|| Outcome::gone(took)), self.trace.take());
        self.info.log(&self.observers.refusal_log, &outcome, trace.as_ref());
        if let (Some(trace), Ok(status)) = (trace, StatusCode::from_u16(outcome.status)) {
            trace.answered(status, outcome.problem);
        }
        let route = self.info.route.take().unwrap_or_else(|| "none".to_owned());
        let kind = RequestKind { route, status: class(outcome.status) };
        self.observers.counters.request(&kind, took);
    }
}

/// The middleware around all routes.
pub(crate) async fn observe(State(observers): State<Observers>, request: Request, next: Next) -> Response {
    let observed = ObservedRequest::begin(observers, &request);
    let id = observed.info.id.clone();
    let mut response = REQUEST.scope(id.clone(), next.run(request)).await;
    if let Ok(id) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(ID_HEADER, id);
    }
    observed.answered(&response);
    response
}

/// The client's request id, if it is safe to write anywhere.
fn id_of(headers: &HeaderMap) -> Option<String> {
    let id = headers.get(ID_HEADER)?.to_str().ok()?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    ((1..=LONGEST_ID).contains(&id.len()) && id.bytes().all(plain)).then(|| id.to_owned())
}

/// An id from the time and a counter: unique enough to distinguish requests.
fn fresh_id() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    format!("{:x}-{:x}", now(), COUNT.fetch_add(1, Ordering::Relaxed))
}

const fn class(status: u16) -> &'static str {
    match status {
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
    use std::net::Ipv4Addr;

    use axum::body::Body;

    use super::*;

    /// Without this, clients that disconnect early would be in no log and no counter.
    #[test]
    fn a_request_whose_client_is_gone_is_counted_and_logged_like_others() {
        let (counters, refusal_log) = (Arc::<Metrics>::default(), Arc::<RefusalLog>::default());
        let observers = Observers {
            counters: Arc::clone(&counters),
            traces: None,
            refusal_log: Arc::clone(&refusal_log),
        };
        for _ in 0..20 {
            let mut request = Request::builder().uri("/v1/tables").body(Body::empty()).unwrap();
            request.extensions_mut().insert(Peer((Ipv4Addr::LOCALHOST, 7370).into()));
            drop(ObservedRequest::begin(observers.clone(), &request));
        }
        let counted = r#"audit_request_seconds_count{route="none",status="4xx"} 20"#;
        assert!(counters.text().unwrap().contains(counted), "{}", counters.text().unwrap());
        let kind = Kind::Request { status: GONE, problem: "", why: None, route: None, token: None };
        assert!(!refusal_log.should_write(kind, None), "many alike are held back");
    }

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
