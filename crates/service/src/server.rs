//! The service: its routes, its start and its stop.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use axum::extract::State;
use axum::http::{Method, StatusCode};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use door::{Door, DoorError, Host, Limits, Tls};
use replay::Program;
use sealed_log::entry::ProducerId;
use sealed_log::writer::{Sequencer, SubmitError};
use sealed_log_sled::{KeptCheckpoint, LogFolder, SledReader, SledStore, Writer};
use tracing::info;
use utoipa::OpenApi as _;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::access::{Access, guarded};
use crate::app_state::{AppState, Bounds, Instruments};
use crate::deadline::Deadline;
use crate::live::following::Following;
use crate::live::house::HouseBoard;
use crate::live::maintenance::Maintenance;
use crate::live::webhook::Webhook;
use crate::live::witnessing::{Submitter, Witnesses};
use crate::live::writer_events::{Opener, WriterObserver};
use crate::observe::metrics::{self, Metrics};
use crate::observe::refusal_log::{RefusalLog, SummaryThread};
use crate::observe::requests::{Observers, observe};
use crate::observe::traces::{Collector, CollectorError, Traces};
use crate::problem::Problem;
use crate::routes::certificate::Certificates;
use crate::routes::hosts::Hosts;
use crate::routes::openapi::{Document, Misaddressed, Served};
use crate::routes::pages::with_refusals_as_pages;
use crate::routes::{archive, certificate, desk_routes, findings, ingest, query, reading, rulebooks, tables};
use door::drain_body;
use intake::Recorder;

/// Longest time from the stop signal to the end of the process.
const STOP_TIME: Duration = Duration::from_secs(20);

/// Why the service cannot run or did not stop cleanly.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// The server cannot listen or run.
    #[error("{0}")]
    Door(#[from] DoorError),
    /// Live certification cannot start.
    #[error("live certification cannot start: {0}")]
    Follower(#[from] follower::FollowError),
    /// This machine gives no random numbers.
    #[error("this machine gives no random numbers: {0}")]
    Random(std::io::Error),
    /// A thread cannot be started.
    #[error("a thread of the service cannot start: {0}")]
    Thread(#[from] std::io::Error),
    /// Spans cannot be exported.
    #[error("{0}")]
    Collector(#[from] CollectorError),
    /// The log did not close cleanly.
    #[error("{0}")]
    Log(#[from] SubmitError),
}

/// A service that listens.
pub struct Service {
    door: Door,
    app: Arc<AppState>,
    opener: Arc<OnceLock<Mutex<Opener>>>,
    maintenance: Option<Maintenance>,
    sequencer: Sequencer<SledStore, KeptCheckpoint>,
    webhook: Option<Webhook>,
    witnesses: Option<Witnesses>,
    collector: Option<Collector>,
    access: Option<Access>,
    refusal_log: Arc<RefusalLog>,
    hosts: Vec<Host>,
}

impl std::fmt::Debug for Service {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Service({})", self.door.address())
    }
}

impl Service {
    /// Listens at `address` (port 0 takes a free one) for a log that is open for writing. Events are recorded
    /// with `producer` as their origin.
    ///
    /// # Errors
    /// [`ServiceError`].
    pub fn bind(
        address: &str,
        writer: Writer,
        producer: ProducerId,
        limits: Limits,
        bounds: Bounds,
    ) -> Result<Self, ServiceError> {
        let refusal_log = Arc::<RefusalLog>::default();
        let notices = Arc::clone(&refusal_log);
        let door =
            Door::open(address, limits)?.with_observer(move |notice| notices.connection_notice(notice));
        let key = writer.verifier_key();
        let (metrics, stopped, opener) = (Arc::<Metrics>::default(), Arc::default(), Arc::default());
        let instruments = Instruments {
            metrics: Arc::clone(&metrics),
            stopped: Arc::clone(&stopped),
            connections: door.connections(),
        };
        let writer_observer = WriterObserver { metrics, stopped, opener: Arc::clone(&opener) };
        let sequencer = Sequencer::start_supervised(writer, writer_observer)?;
        let app = Arc::new(AppState::new(sequencer.handle(), key, producer, bounds, instruments));
        let (maintenance, webhook, witnesses, collector, access) = (None, None, None, None, None);
        let hosts = Vec::new();
        Ok(Self {
            door,
            app,
            opener,
            maintenance,
            sequencer,
            webhook,
            witnesses,
            collector,
            access,
            refusal_log,
            hosts,
        })
    }

    /// Requires a token. Without this, every client may do everything.
    #[must_use]
    pub fn with_access(self, access: Access) -> Self {
        Self { access: Some(access), ..self }
    }

    /// Adds host names besides `localhost` and IP addresses; ports are ignored. Requests for other hosts are
    /// refused, unless tokens are required and no name was added.
    #[must_use]
    pub fn with_hosts(self, hosts: Vec<Host>) -> Self {
        Self { hosts, ..self }
    }

    /// Names the program that serves, in metrics and certificates.
    #[must_use]
    pub fn with_program(self, program: Program) -> Self {
        self.app.counters.program(program);
        // A service is one program.
        let _ = self.app.program.set(program);
        self
    }

    /// Accepts connections over TLS only.
    #[must_use]
    pub fn with_tls(self, tls: Tls) -> Self {
        // A service has one certificate; it is read again when its files change.
        let _ = self.app.tls_expiry.set(tls.expiry());
        Self { door: self.door.with_tls(tls), ..self }.with_https_in_front()
    }

    /// People reach the service over HTTPS, which a proxy in front of it may end: browsers send a session's cookie over
    /// HTTPS alone, and pages come from `https://`.
    #[must_use]
    pub fn with_https_in_front(self) -> Self {
        // It is set once, by whichever comes first.
        let _ = self.app.is_https.set(());
        self
    }

    /// Starts maintenance of the log's folder: measures it, and reopens a stopped log with `open` once the
    /// disk has free space. If the reopened log does not match the checkpoints that were handed out, it stays
    /// closed.
    ///
    /// # Errors
    /// [`ServiceError::Thread`].
    pub fn maintain(
        mut self,
        folder: LogFolder,
        mut open: impl FnMut() -> Result<Writer, String> + Send + 'static,
    ) -> Result<Self, ServiceError> {
        let app = Arc::clone(&self.app);
        let opener: Opener = Box::new(move || {
            let writer = open()?;
            let checked = writer.check(&app.signed_checkpoint());
            checked.map(|_| writer).map_err(|error| error.to_string())
        });
        // Only the first is kept; a service has one maintenance thread.
        let _ = self.opener.set(Mutex::new(opener));
        self.maintenance = Some(Maintenance::start(Arc::clone(&self.app), folder)?);
        Ok(self)
    }

    /// Enables live certification: a follower with its own folder judges what is acknowledged.
    ///
    /// # Errors
    /// [`ServiceError`] if the folder cannot be used.
    pub fn certify(self, folder: &Path) -> Result<Self, ServiceError> {
        self.app.certify(Following::open(folder, self.app.key.clone())?);
        Ok(self)
    }

    /// Sends every finding to a webhook; only a service with live certification has findings.
    #[must_use]
    pub fn with_webhook(self, webhook: Webhook) -> Self {
        Self { webhook: Some(webhook), ..self }
    }

    /// Submits the newest checkpoint to witnesses when it starts, while the log grows, and once more when it stops.
    /// Only the stop waits for them, for some seconds.
    #[must_use]
    pub fn with_witnesses(self, witnesses: Witnesses) -> Self {
        Self { witnesses: Some(witnesses), ..self }
    }

    /// Exports a span of every request to a collector. Requests never wait for the collector and are not
    /// refused when it is gone.
    #[must_use]
    pub fn with_collector(self, collector: Collector) -> Self {
        Self { collector: Some(collector), ..self }
    }

    /// Refuses posts: the log is written by a [`Recorder`] alone.
    #[must_use]
    pub fn without_posts(self) -> Self {
        self.app.refuse_posts();
        self
    }

    /// Shows in pages and metrics what this board says of the fleet that the log's writer is of.
    #[must_use]
    pub fn with_house(self, board: Arc<HouseBoard>) -> Self {
        // A service writes one partition of one fleet.
        let _ = self.app.house.set(board);
        self
    }

    /// Takes in events that come another way than over HTTP, while the service runs.
    #[must_use]
    pub fn recorder(&self) -> Recorder<SledReader> {
        Recorder::new(Arc::clone(&self.app.intake), self.app.producer.clone())
    }

    /// The address it listens at.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.door.address()
    }

    /// Serves until `stop` completes; then finishes answers under way and closes the log.
    ///
    /// # Errors
    /// [`ServiceError`].
    pub fn run_until<F: Future<Output = ()>>(self, stop: impl FnOnce() -> F) -> Result<(), ServiceError> {
        let (log, metrics) = (self.app.key.name(), &self.app.counters);
        let start =
            |collector: &Collector| Traces::start(collector, log, self.app.scheme(), Arc::clone(metrics));
        let traces = self.collector.as_ref().map(start).transpose()?.map(Arc::new);
        let following = self.app.certification().cloned();
        let follower = following.as_ref().map(|following| following.start(&self.app)).transpose()?;
        if let (Some(following), Some(webhook)) = (&following, self.webhook) {
            // Nothing waits for a webhook that does not answer; findings it did not accept are sent again
            // later.
            following.webhook_sender(webhook, self.app.key.name()).start()?;
        }
        let witnesses = self.witnesses.map(|witnesses| Submitter::start(&self.app, witnesses)).transpose()?;
        let stop = || {
            let stopped = stop();
            async move {
                stopped.await;
                // End the streams of findings, which would delay the stop.
                following.iter().for_each(|following| following.stop());
            }
        };
        info!(address = %self.door.address(), entries = self.app.signed_checkpoint().checkpoint().size, "the service has started");
        let summary_thread = SummaryThread::start(Arc::clone(&self.refusal_log))?;
        let counters = Arc::clone(&self.app.counters);
        let watch = Observers { counters, traces: traces.clone(), refusal_log: self.refusal_log };
        let seen = from_fn_with_state(watch, observe);
        let asks_for_tokens = self.access.is_some();
        let hosts = Hosts { given: self.hosts, asks_for_tokens, scheme: self.app.scheme() };
        let router = hosts.before(guarded(router(Arc::clone(&self.app)), self.access));
        let router = with_refusals_as_pages(router).layer(seen);
        let served = self.door.serve(router, stop);
        info!("the service stops");
        drop(summary_thread);
        // Whatever is recorded was acknowledged: this is the last checkpoint.
        witnesses.into_iter().for_each(Submitter::finish);
        self.app.certification().into_iter().for_each(|following| following.stop());
        // A panic of the follower was already logged; its saved certificate stays.
        drop(follower.map(JoinHandle::join));
        drop((self.app, self.maintenance));
        let closed = self.sequencer.shutdown()?;
        info!(entries = closed.signed_checkpoint().checkpoint().size, "the log is closed");
        traces.iter().for_each(|traces| traces.stop());
        Ok(served?)
    }

    /// Serves until the process receives SIGTERM or SIGINT. If the stop takes too long, `late` is called; it
    /// should end the process, because everything acknowledged is durable.
    ///
    /// # Errors
    /// [`ServiceError`].
    pub fn run(self, late: impl FnOnce() + Send + 'static) -> Result<(), ServiceError> {
        self.run_after(door::stop_signal, late)
    }

    /// The same, until `stop` completes.
    ///
    /// # Errors
    /// [`ServiceError`].
    pub fn run_after<F: Future<Output = ()>>(
        self,
        stop: impl FnOnce() -> F,
        late: impl FnOnce() + Send + 'static,
    ) -> Result<(), ServiceError> {
        let deadline = Arc::new(Mutex::new(None));
        let begun = Arc::clone(&deadline);
        let stopped = self.run_until(|| async move {
            stop().await;
            *begun.lock().unwrap_or_else(PoisonError::into_inner) = Deadline::begin(STOP_TIME, late).ok();
        });
        drop(deadline);
        stopped
    }
}

fn router(app: Arc<AppState>) -> Router {
    let (router, document) = OpenApiRouter::with_openapi(Document::openapi())
        .routes(routes!(ingest::post))
        .routes(routes!(reading::checkpoint))
        .routes(routes!(reading::tile))
        .routes(routes!(reading::key))
        .routes(routes!(reading::entry))
        .routes(routes!(reading::proof))
        .routes(routes!(archive::archive))
        .routes(routes!(archive::shoe))
        .routes(routes!(certificate::certificate))
        .routes(routes!(rulebooks::list))
        .routes(routes!(findings::page))
        .routes(routes!(findings::stream))
        .routes(routes!(tables::all))
        .routes(routes!(tables::one))
        .routes(routes!(tables::shoe))
        .routes(routes!(tables::coup))
        .routes(routes!(alive))
        .routes(routes!(ready))
        .routes(routes!(metrics::serve))
        .split_for_parts();
    let router = query::with_known_parameters(router, &document);
    let served = Served::of(document);
    router
        .merge(desk_routes::routes(&app))
        .route("/openapi.json", get(|| async move { served.answer() }))
        .fallback(async |request| {
            drain_body(request).await;
            Problem::absent("there is no such path; /openapi.json has all there are")
        })
        .method_not_allowed_fallback(async |method: Method, request| {
            drain_body(request).await;
            Problem::not_for(&method)
        })
        .layer(Extension(Certificates::default()))
        .with_state(app)
}

/// Whether it runs
#[utoipa::path(
    get,
    path = "/healthz",
    operation_id = "getHealth",
    tag = "running",
    responses((status = 200, description = "It does", body = String, content_type = "text/plain"), Misaddressed)
)]
async fn alive() -> &'static str {
    "alive\n"
}

/// Whether it records
#[utoipa::path(
    get,
    path = "/readyz",
    operation_id = "getReadiness",
    tag = "running",
    responses(
        (status = 200, description = "It does; a line each of what witnesses hold against the log", body = String, content_type = "text/plain"),
        (status = 503, description = "The log has stopped", body = String, content_type = "text/plain"),
        Misaddressed
    )
)]
async fn ready(State(app): State<Arc<AppState>>) -> Response {
    if app.is_stopped() {
        return (StatusCode::SERVICE_UNAVAILABLE, "the log has stopped\n").into_response();
    }
    if let Some(why) = app.house.get().and_then(|board| board.not_recording()) {
        let said = format!("nothing comes through the partition: {why}\n");
        return (StatusCode::SERVICE_UNAVAILABLE, said).into_response();
    }
    let contradictions = app.witnessing.get().map(|witnessing| witnessing.contradictions());
    let lines: String = contradictions.unwrap_or_default().iter().map(|what| format!("{what}\n")).collect();
    format!("ready\n{lines}").into_response()
}
