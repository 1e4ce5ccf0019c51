//! Exports a span of every request to an OpenTelemetry collector. Names and attributes follow OpenTelemetry's
//! conventions for HTTP servers; the parent comes from the client's `traceparent`.
//!
//! Requests never wait for a collector: spans are queued up to a limit (`queue`), sent by a separate thread
//! (`sending`), and dropped beyond the limit. Bodies, headers and queries are never part of a span.

mod collector;
mod queue;
mod sending;

use std::sync::Arc;
use std::time::Duration;

use axum::extract::Request;
use axum::http::{HeaderMap, Method, StatusCode, Version};
use opentelemetry::propagation::TextMapPropagator as _;
use opentelemetry::trace::{
    Span as _, SpanBuilder, SpanKind, Status, TraceId, Tracer as _, TracerProvider as _,
};
use opentelemetry::{Context, Key, KeyValue};
use opentelemetry_http::HeaderExtractor;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{
    BatchConfigBuilder, BatchSpanProcessor, SdkTracer, SdkTracerProvider, Span as SdkSpan,
};

use crate::observe::metrics::Metrics;
pub use collector::{Collector, CollectorError};
use queue::Queue;
use sending::Sending;

/// Most spans that wait to be sent.
const MOST_KEPT: usize = 4_096;
/// Longest time for which the last spans delay a stop.
const LAST_SENDING: Duration = Duration::from_secs(2);
/// The service's name, unless `OTEL_SERVICE_NAME` says otherwise.
const SERVICE: &str = "audit";
/// The SDK's name for an unnamed service begins with this.
const UNNAMED: &str = "unknown_service";

/// The spans of one service, for one log.
#[derive(Debug)]
pub(crate) struct Traces {
    provider: SdkTracerProvider,
    tracer: SdkTracer,
    context: TraceContextPropagator,
    scheme: &'static str,
}

impl Traces {
    /// Starts the sending thread. `scheme` is the URL scheme clients use.
    pub(crate) fn start(
        collector: &Collector,
        log: &str,
        scheme: &'static str,
        metrics: Arc<Metrics>,
    ) -> Result<Self, CollectorError> {
        let queue = Queue::new(MOST_KEPT, Arc::clone(&metrics));
        let sending = Sending::to(&collector.traces, queue.kept(), metrics)?;
        // Our own queue fills first, because it counts what it drops.
        let batches = BatchConfigBuilder::default().with_max_queue_size(MOST_KEPT).build();
        let processor = BatchSpanProcessor::builder(sending).with_batch_config(batches).build();
        let provider = SdkTracerProvider::builder()
            .with_span_processor(queue.before(processor))
            .with_resource(resource(log))
            .build();
        Ok(Self::of(provider, scheme))
    }

    fn of(provider: SdkTracerProvider, scheme: &'static str) -> Self {
        let (tracer, context) = (provider.tracer(SERVICE), TraceContextPropagator::new());
        Self { provider, tracer, context, scheme }
    }

    /// Begins the span of a request; `path` is the part of its path that may be recorded.
    pub(crate) fn begin(&self, request: &Request, route: Option<&str>, path: &str, id: &str) -> Trace {
        let method = known(request.method());
        let name = match (method, route) {
            (Some(method), Some(route)) => format!("{method} {route}"),
            (None, Some(route)) => format!("HTTP {route}"),
            (method, None) => method.unwrap_or("HTTP").to_owned(),
        };
        let mut attributes = vec![
            KeyValue::new("http.request.method", method.unwrap_or("_OTHER")),
            KeyValue::new("url.path", path.to_owned()),
            KeyValue::new("url.scheme", self.scheme),
            KeyValue::new("request_id", id.to_owned()),
        ];
        attributes.extend(route.map(|route| KeyValue::new("http.route", route.to_owned())));
        attributes.extend(spoken(request.version()).map(|it| KeyValue::new("network.protocol.version", it)));
        let builder = SpanBuilder::from_name(name).with_kind(SpanKind::Server).with_attributes(attributes);
        Trace(self.tracer.build_with_context(builder, &self.parent(request.headers())))
    }

    fn parent(&self, headers: &HeaderMap) -> Context {
        self.context.extract_with_context(&Context::new(), &HeaderExtractor(headers))
    }

    /// Sends the remaining spans; those the collector does not accept in time are lost.
    pub(crate) fn stop(&self) {
        // Spans that were not sent are lost with the process.
        let _ = self.provider.shutdown_with_timeout(LAST_SENDING);
    }
}

/// The span of one request; it ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Trace(SdkSpan);

impl Trace {
    /// The id of its trace, for the service's log.
    pub(crate) fn id(&self) -> TraceId {
        self.0.span_context().trace_id()
    }

    /// Records the answer's status and its problem type, if any.
    pub(crate) fn answered(mut self, status: StatusCode, problem: &'static str) {
        self.0.set_attribute(KeyValue::new("http.response.status_code", i64::from(status.as_u16())));
        if !problem.is_empty() {
            self.0.set_attribute(KeyValue::new("problem", problem));
        }
        if status.is_server_error() {
            self.0.set_attribute(KeyValue::new("error.type", status.as_u16().to_string()));
            self.0.set_status(Status::error(""));
        }
    }
}

/// Describes the sender: from `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES`, with defaults.
fn resource(log: &str) -> Resource {
    let given = Resource::builder().build();
    let name = given.get(&Key::from_static_str("service.name"));
    let ours = [
        KeyValue::new("service.version", env!("CARGO_PKG_VERSION")),
        KeyValue::new("audit.log", log.to_owned()),
    ];
    let left_open = ours.into_iter().filter(|ours| given.get(&ours.key).is_none());
    let resource = Resource::builder().with_attributes(left_open);
    match name {
        Some(name) if !name.as_str().starts_with(UNNAMED) => resource.build(),
        Some(_) | None => resource.with_service_name(SERVICE).build(),
    }
}

/// The known methods of the conventions. Others get no name, or clients could create any number of names.
fn known(method: &Method) -> Option<&'static str> {
    const METHODS: [&str; 9] =
        ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"];
    METHODS.into_iter().find(|known| *known == method.as_str())
}

fn spoken(version: Version) -> Option<&'static str> {
    [(Version::HTTP_10, "1.0"), (Version::HTTP_11, "1.1"), (Version::HTTP_2, "2")]
        .into_iter()
        .find_map(|(spoken, canonical)| (spoken == version).then_some(canonical))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::sync::Mutex;

    use axum::body::Body;
    use opentelemetry_sdk::error::OTelSdkResult;
    use opentelemetry_sdk::trace::{SpanData, SpanProcessor};

    use super::*;

    #[derive(Debug, Default, Clone)]
    struct Ended(Arc<Mutex<Vec<SpanData>>>);

    impl SpanProcessor for Ended {
        fn on_start(&self, _: &mut SdkSpan, _: &Context) {}

        fn on_end(&self, span: SpanData) {
            self.0.lock().unwrap().push(span);
        }

        fn force_flush(&self) -> OTelSdkResult {
            Ok(())
        }

        fn shutdown_with_timeout(&self, _: Duration) -> OTelSdkResult {
            Ok(())
        }
    }

    /// The span of a request for `/p` that was answered so.
    fn span_of(method: &str, route: Option<&str>, status: u16, problem: &'static str) -> SpanData {
        let ended = Ended::default();
        let traces =
            Traces::of(SdkTracerProvider::builder().with_span_processor(ended.clone()).build(), "https");
        let request = Request::builder().method(method).version(Version::HTTP_2).body(Body::empty()).unwrap();
        traces.begin(&request, route, "/p", "id").answered(StatusCode::from_u16(status).unwrap(), problem);
        let mut ended = ended.0.lock().unwrap();
        assert_eq!(ended.len(), 1);
        ended.remove(0)
    }

    fn has(span: &SpanData, key: &str) -> Option<String> {
        let found = span.attributes.iter().find(|attribute| attribute.key.as_str() == key);
        found.map(|attribute| attribute.value.to_string())
    }

    #[test]
    fn only_what_the_service_failed_at_is_an_error() {
        let failed = span_of("GET", Some("/r"), 503, "urn:audit:stopped");
        assert_eq!(
            (has(&failed, "error.type").unwrap(), &failed.status),
            ("503".to_owned(), &Status::error(""))
        );
        assert_eq!(has(&failed, "problem").unwrap(), "urn:audit:stopped");
        let refused = span_of("GET", Some("/r"), 404, "urn:audit:absent");
        assert_eq!((has(&refused, "error.type"), &refused.status), (None, &Status::Unset));
        let answered = span_of("GET", Some("/r"), 200, "");
        assert_eq!((has(&answered, "problem"), &answered.status), (None, &Status::Unset));
        assert_eq!(has(&answered, "url.scheme").unwrap(), "https");
        assert_eq!(has(&answered, "network.protocol.version").unwrap(), "2");
    }

    #[test]
    fn a_span_is_named_by_method_and_route_and_by_nothing_a_client_makes_up() {
        assert_eq!(span_of("POST", Some("/r/{id}"), 200, "").name, "POST /r/{id}");
        assert_eq!(span_of("POST", None, 404, "").name, "POST");
        let brew = span_of("BREW", Some("/r"), 405, "");
        assert_eq!((&*brew.name, &*has(&brew, "http.request.method").unwrap()), ("HTTP /r", "_OTHER"));
        assert_eq!(span_of("BREW", None, 404, "").name, "HTTP");
    }
}
