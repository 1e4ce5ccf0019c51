//! The service's metrics: one registry, updated where things happen and served in the OpenMetrics text form.
//! `docs/running.md` explains each metric; a test compares that page with the registry.
//!
//! This module makes no decisions.

mod build;
mod certifying;
mod house;
mod process;
mod witnesses;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use door::Expiry;
use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use replay::Program;
use sealed_log::writer::Committed;

use crate::app_state::AppState;
use crate::problem::Problem;
use crate::routes::openapi::Refusals;
use crate::routes::reading::blocking;
use build::Build;
use certifying::Certifying;
use house::House;
use intake::clock::now;
use process::Process;
use witnesses::Witnesses;

const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
/// Upper edges of the buckets of times, seconds.
const SECONDS: [f64; 14] =
    [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 30.0];
/// Upper edges of the buckets of counts.
const COUNTS: [f64; 10] = [1.0, 2.0, 4.0, 16.0, 64.0, 256.0, 1_024.0, 4_096.0, 16_384.0, 65_536.0];

/// Labels of the request metrics.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(crate) struct RequestKind {
    /// The path as the service names it (`/v1/tables/{table}/events`), `none` for no path of it.
    pub(crate) route: String,
    /// `1xx` to `5xx`.
    pub(crate) status: &'static str,
}

/// All metrics.
#[derive(Debug)]
pub(crate) struct Metrics {
    registry: Registry,
    /// Metrics of the process, whose names have no prefix.
    process: Registry,
    build: Build,
    pub(crate) events: Counter,
    pub(crate) entries: Counter,
    pub(crate) repeated: Counter,
    pub(crate) conflicts: Counter,
    pub(crate) refused: Counter,
    pub(crate) rejected: Counter,
    pub(crate) stops: Counter,
    pub(crate) reopened: Counter,
    pub(crate) spans_sent: Counter,
    pub(crate) spans_dropped: Counter,
    closed_for_newcomers: Counter,
    closed_for_memory: Counter,
    requests: Family<RequestKind, Histogram>,
    commit_time: Histogram,
    commit_calls: Histogram,
    commit_entries: Histogram,
    commit_events: Histogram,
    gauges: Gauges,
    certifying: Certifying,
    witnesses: Witnesses,
    house: House,
    /// Bytes of the log's folder.
    pub(crate) disk: Gauge,
    /// Bytes that its disk has free.
    pub(crate) disk_free: Gauge,
}

/// Metrics that are updated only when they are read.
#[derive(Debug, Default)]
struct Gauges {
    waiting: Gauge,
    connections: Gauge,
    held: Gauge,
    arriving: Gauge,
    posts: Gauge,
    tables: Gauge,
    entries: Gauge,
    checkpoint_age: Gauge,
    stopped: Gauge,
    tls_expiry: Gauge,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut metrics = Self {
            registry: Registry::with_prefix("audit"),
            process: Registry::default(),
            build: Build::default(),
            events: Counter::default(),
            entries: Counter::default(),
            repeated: Counter::default(),
            conflicts: Counter::default(),
            refused: Counter::default(),
            rejected: Counter::default(),
            stops: Counter::default(),
            reopened: Counter::default(),
            spans_sent: Counter::default(),
            spans_dropped: Counter::default(),
            closed_for_newcomers: Counter::default(),
            closed_for_memory: Counter::default(),
            requests: Family::new_with_constructor(|| Histogram::new(SECONDS)),
            commit_time: Histogram::new(SECONDS),
            commit_calls: Histogram::new(COUNTS),
            commit_entries: Histogram::new(COUNTS),
            commit_events: Histogram::new(COUNTS),
            gauges: Gauges::default(),
            certifying: Certifying::default(),
            witnesses: Witnesses::default(),
            house: House::default(),
            disk: Gauge::default(),
            disk_free: Gauge::default(),
        };
        metrics.registry.register_collector(Box::new(metrics.build.clone()));
        metrics.process.register_collector(Box::<Process>::default());
        metrics.register_counters();
        metrics.register_histograms();
        metrics.register_gauges();
        metrics.certifying.register(&mut metrics.registry);
        metrics.witnesses.register(&mut metrics.registry);
        metrics.house.register(&mut metrics.registry);
        metrics
    }
}

impl Metrics {
    fn register_counters(&mut self) {
        for (name, what, counter) in [
            ("events_recorded", "Events recorded", &self.events),
            ("entries_sealed", "Entries sealed", &self.entries),
            ("events_repeated", "Events that the log held already", &self.repeated),
            ("events_conflicting", "Events recorded beside others with the same number", &self.conflicts),
            ("posts_refused", "Posts of which nothing was recorded", &self.refused),
            ("posts_turned_away", "Posts rejected with 429 because too many were processed", &self.rejected),
            (
                "connections_closed_for_newcomers",
                "Idle connections closed because all connection slots were in use",
                &self.closed_for_newcomers,
            ),
            (
                "connections_closed_for_memory",
                "Connections closed because requests that waited for their clients held too much",
                &self.closed_for_memory,
            ),
            ("log_stops", "Times the log stopped after a failure", &self.stops),
            ("log_reopenings", "Times a log that had stopped was opened anew", &self.reopened),
            ("spans_sent", "Spans of requests that a collector took", &self.spans_sent),
            ("spans_dropped", "Spans of requests that no collector took", &self.spans_dropped),
        ] {
            self.registry.register(name, what, counter.clone());
        }
    }

    fn register_histograms(&mut self) {
        let registry = &mut self.registry;
        let what = "Time from a request's head to the head of its answer, by route and status class";
        registry.register_with_unit("request", what, Unit::Seconds, self.requests.clone());
        let what = "Time from a post's entries being handed in to their being durable";
        registry.register_with_unit("commit", what, Unit::Seconds, self.commit_time.clone());
        registry.register("commit_posts", "Posts that shared a commit", self.commit_calls.clone());
        registry.register("commit_entries", "Entries of a commit", self.commit_entries.clone());
        registry.register("commit_events", "Events of a commit", self.commit_events.clone());
    }

    fn register_gauges(&mut self) {
        let (registry, gauges) = (&mut self.registry, &self.gauges);
        for (name, what, gauge) in [
            ("submissions_waiting", "Posts whose entries wait for the commit before", &gauges.waiting),
            ("connections_open", "Connections of clients", &gauges.connections),
            ("posts_arriving", "Posts whose body is coming in", &gauges.arriving),
            ("posts_in_work", "Posts being worked on", &gauges.posts),
            ("tables_in_mind", "Tables that posted lately", &gauges.tables),
            ("log_entries", "Entries of the log", &gauges.entries),
            ("log_stopped", "1 while the log takes nothing after a failure", &gauges.stopped),
        ] {
            registry.register(name, what, gauge.clone());
        }
        let what = "What requests under way and answers that are not sent yet hold";
        registry.register_with_unit("requests_held", what, Unit::Bytes, gauges.held.clone());
        let what = "Size of the log's folder, at most some seconds old";
        registry.register_with_unit("log_disk", what, Unit::Bytes, self.disk.clone());
        let what = "What the disk of the log's folder has free, at most some seconds old";
        registry.register_with_unit("log_disk_free", what, Unit::Bytes, self.disk_free.clone());
        let what = "When the first TLS certificate of the service expires; 0 without TLS";
        registry.register_with_unit(
            "tls_certificate_expiry_timestamp",
            what,
            Unit::Seconds,
            gauges.tls_expiry.clone(),
        );
        let what = "Time since the newest checkpoint was signed";
        registry.register_with_unit("checkpoint_age", what, Unit::Seconds, gauges.checkpoint_age.clone());
    }

    pub(crate) fn request(&self, kind: &RequestKind, took: Duration) {
        self.requests.get_or_create(kind).observe(took.as_secs_f64());
    }

    /// The program that serves.
    pub(crate) fn program(&self, program: Program) {
        self.build.is(program);
    }

    /// All of it in the OpenMetrics text form.
    pub(crate) fn text(&self) -> Result<String, std::fmt::Error> {
        let mut written = String::new();
        text::encode_registry(&mut written, &self.registry)?;
        text::encode_registry(&mut written, &self.process)?;
        text::encode_eof(&mut written)?;
        Ok(written)
    }

    /// A post's entries are durable.
    pub(crate) fn post_durable(&self, took: Duration) {
        self.commit_time.observe(took.as_secs_f64());
    }

    pub(crate) fn committed(&self, committed: &Committed) {
        self.commit_calls.observe(committed.calls as f64);
        self.commit_entries.observe(committed.entries as f64);
        self.commit_events.observe(committed.positions as f64);
    }

    fn update(&self, app: &AppState) {
        let Gauges {
            waiting,
            connections,
            held,
            arriving,
            posts,
            tables,
            entries,
            checkpoint_age,
            stopped,
            tls_expiry,
        } = &self.gauges;
        let set = |gauge: &Gauge, count: usize| {
            gauge.set(i64::try_from(count).unwrap_or(i64::MAX));
        };
        set(waiting, app.log.waiting());
        set(connections, app.connections().open());
        set(held, app.connections().held());
        // `door` counts these; no other code writes them.
        let set_counter = |counter: &Counter, count| counter.inner().store(count, Ordering::Relaxed);
        set_counter(&self.closed_for_newcomers, app.connections().closed_for_newcomers());
        set_counter(&self.closed_for_memory, app.connections().closed_for_memory());
        set(arriving, app.bodies.arriving());
        set(posts, app.posts_in_work());
        set(tables, app.intake.tables_known());
        entries.set(i64::try_from(app.signed_checkpoint().checkpoint().size).unwrap_or(i64::MAX));
        checkpoint_age.set((now() - app.checkpoint_signed_at()).max(0) / 1_000_000);
        stopped.set(i64::from(app.is_stopped()));
        let expires = app.tls_expiry.get().map_or(0, Expiry::seconds);
        tls_expiry.set(i64::try_from(expires).unwrap_or(i64::MAX));
        if let Some(following) = app.certification() {
            self.certifying.update(following, app);
        }
        if let Some(witnessing) = app.witnessing.get() {
            self.witnesses.look(witnessing);
        }
        if let Some(board) = app.house.get() {
            self.house.look(board);
        }
    }
}

/// Counters, gauges and histograms in Prometheus' text form
#[utoipa::path(
    get,
    path = "/metrics",
    operation_id = "getMetrics",
    tag = "running",
    responses((status = 200, description = "OpenMetrics", body = String, content_type = "application/openmetrics-text"), Refusals)
)]
pub(crate) async fn serve(State(app): State<Arc<AppState>>) -> Result<Response, Problem> {
    // Reading waits for the follower, which may be judging.
    let written = blocking(move || {
        app.counters.update(&app);
        app.counters.text().map_err(|_| Problem::own_fault("the metrics cannot be written"))
    });
    Ok(([(CONTENT_TYPE, OPEN_METRICS)], written.await??).into_response())
}
