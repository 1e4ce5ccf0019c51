//! Sends spans to a collector on the SDK's thread and reports the result: in a counter each time, in the log
//! at most once a minute.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{
    ExporterBuildError, Protocol, SpanExporter as Otlp, WithExportConfig as _, WithHttpConfig as _,
};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{SpanData, SpanExporter};
use tracing::{info, warn};

use super::queue::Kept;
use crate::observe::metrics::Metrics;

/// Longest time for one attempt.
const TRY: Duration = Duration::from_secs(10);
/// Least time between two log lines that say the same.
const SILENCE: Duration = Duration::from_secs(60);
/// Most of an answer that is read, bytes.
const ANSWER: u64 = 64 << 10;

/// Why the last attempt failed; the exporter itself does not say.
type Cause = Arc<Mutex<Option<String>>>;

/// The exporter with counters and log lines.
#[derive(Debug)]
pub(crate) struct Sending {
    otlp: Otlp,
    traces: String,
    kept: Kept,
    metrics: Arc<Metrics>,
    cause: Cause,
    outage_log: Mutex<OutageLog>,
}

/// What was logged last. A collector that fails on and off must not cause more lines than one that is gone,
/// because clients could provoke that with many requests.
#[derive(Debug, Default)]
struct OutageLog {
    at: Option<Instant>,
    /// Whether the last line reported a failure.
    is_down: bool,
}

impl OutageLog {
    /// Notes a failure; returns whether it must be logged.
    fn fails(&mut self, now: Instant) -> bool {
        let is_due = self.at.is_none_or(|outage_log| now.saturating_duration_since(outage_log) >= SILENCE);
        if is_due {
            *self = Self { at: Some(now), is_down: true };
        }
        is_due
    }

    /// Notes a success; returns whether it must be logged.
    fn works(&mut self) -> bool {
        std::mem::take(&mut self.is_down)
    }
}

impl Sending {
    /// Sends to the URL `traces`; spans that were sent or lost are subtracted from `kept`.
    pub(crate) fn to(traces: &str, kept: Kept, metrics: Arc<Metrics>) -> Result<Self, ExporterBuildError> {
        let cause = Cause::default();
        let otlp = Otlp::builder()
            .with_http()
            .with_http_client(Posting::new(Arc::clone(&cause)))
            .with_protocol(Protocol::HttpBinary)
            .with_endpoint(traces)
            .with_timeout(TRY)
            .build()?;
        Ok(Self { otlp, traces: traces.to_owned(), kept, metrics, cause, outage_log: Mutex::default() })
    }

    fn outage_log(&self) -> MutexGuard<'_, OutageLog> {
        self.outage_log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn taken(&self, spans: u64) {
        self.metrics.spans_sent.inc_by(spans);
        if self.outage_log().works() {
            info!(collector = self.traces, "the collector takes spans again");
        }
    }

    fn not_taken(&self, spans: u64, error: &str) {
        self.metrics.spans_dropped.inc_by(spans);
        let cause = self.cause.lock().unwrap_or_else(PoisonError::into_inner).take();
        if self.outage_log().fails(Instant::now()) {
            let error = cause.as_deref().unwrap_or(error);
            warn!(
                collector = self.traces,
                spans, error, "the collector does not take spans; they are dropped"
            );
        }
    }
}

impl SpanExporter for Sending {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let spans = batch.len();
        let sent = self.otlp.export(batch).await;
        self.kept.less(spans);
        let count = u64::try_from(spans).unwrap_or(u64::MAX);
        match &sent {
            Ok(()) => self.taken(count),
            Err(error) => self.not_taken(count, &error.to_string()),
        }
        sent
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.otlp.shutdown_with_timeout(timeout)
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.otlp.set_resource(resource);
    }
}

/// Sends with the HTTP client that the other crates use; it blocks, on a thread that does nothing else.
#[derive(Debug)]
struct Posting {
    agent: ureq::Agent,
    cause: Cause,
}

impl Posting {
    fn new(cause: Cause) -> Self {
        let config = ureq::Agent::config_builder()
            .timeout_global(Some(TRY))
            .max_redirects(0)
            .http_status_as_error(false)
            .build();
        Self { agent: ureq::Agent::new_with_config(config), cause }
    }

    fn post(&self, request: Request<Bytes>) -> Result<Response<Bytes>, ureq::Error> {
        let answer = self.agent.run(request.map(Vec::from))?;
        let (head, mut body) = answer.into_parts();
        let body = body.with_config().limit(ANSWER).read_to_vec()?;
        Ok(Response::from_parts(head, body.into()))
    }
}

#[async_trait]
impl HttpClient for Posting {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let answer = self.post(request);
        let cause = answer.as_ref().err().map(ToString::to_string);
        *self.cause.lock().unwrap_or_else(PoisonError::into_inner) = cause;
        Ok(answer?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_collector_that_fails_on_and_off_is_logged_once_a_minute() {
        let (mut outage_log, begun) = (OutageLog::default(), Instant::now());
        assert!(!outage_log.works(), "it never failed");
        let lines = |outage_log: &mut OutageLog, now| {
            (0..100).map(|_| usize::from(outage_log.fails(now)) + usize::from(outage_log.works())).sum()
        };
        let first: usize = lines(&mut outage_log, begun);
        assert_eq!(first, 2);
        let soon: usize = lines(&mut outage_log, begun + SILENCE / 2);
        assert_eq!(soon, 0);
        let later: usize = lines(&mut outage_log, begun + SILENCE);
        assert_eq!(later, 2);
    }
}
