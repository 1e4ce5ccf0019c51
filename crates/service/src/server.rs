//! The service itself: which paths there are, and how it starts and stops.

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
use sealed_log::{ProducerId, Sequencer, SubmitError, check_store};
use sealed_log_sled::{KeptHead, LogFolder, SledStore, Writer};
use tracing::info;
use utoipa::OpenApi as _;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::access::{Access, guarded};
use crate::attending::{Attending, Opener};
use crate::caretaker::Caretaker;
use crate::certificate::Certificates;
use crate::deadline::Deadline;
use crate::following::Following;
use crate::metrics::{self, Metrics};
use crate::names::Names;
use crate::noise::{Keeper, Noise};
use crate::observe::{Watch, observe};
use crate::openapi::{Document, Served};
use crate::passing::pass_over;
use crate::problem::Problem;
use crate::room::{Bounds, Room, Sights};
use crate::traces::{Collector, CollectorError, Traces};
use crate::webhook::Webhook;
use crate::{archive, certificate, findings, ingest, reading, tables};

/// Longest time a body may take.
pub(crate) const BODY_TIME: Duration = Duration::from_secs(30);

/// Longest time from being told to stop to the end of the process.
const STOP_TIME: Duration = Duration::from_secs(20);

/// Why the service does not run, or did not stop well.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// Nothing can be served.
    #[error(transparent)]
    Door(#[from] DoorError),
    /// Nothing can be certified.
    #[error("live certification cannot start: {0}")]
    Follower(#[from] follower::FollowError),
    /// There is no thread for the log's writer, or for its caretaker.
    #[error("a thread of the service cannot start: {0}")]
    Thread(#[from] std::io::Error),
    /// No spans can be sent.
    #[error(transparent)]
    Collector(#[from] CollectorError),
    /// The log did not close well.
    #[error(transparent)]
    Log(#[from] SubmitError),
}

/// A service that listens.
pub struct Service {
    door: Door,
    room: Arc<Room>,
    opener: Arc<OnceLock<Mutex<Opener>>>,
    caretaker: Option<Caretaker>,
    sequencer: Sequencer<SledStore, KeptHead>,
    webhook: Option<Webhook>,
    collector: Option<Collector>,
    /// What clients reach it by.
    scheme: &'static str,
    access: Option<Access>,
    noise: Arc<Noise>,
    hosts: Vec<Host>,
}

impl std::fmt::Debug for Service {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Service({})", self.door.address())
    }
}

impl Service {
    /// Listens at `address` (port 0 takes a free one) for a log that is open for writing; what comes in
    /// is recorded as handed in by `producer`.
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
        let noise = Arc::<Noise>::default();
        let hears = Arc::clone(&noise);
        let door = Door::open(address, limits)?.with_observer(move |notice| hears.at_the_door(notice));
        let key = writer.verifier_key();
        let (metrics, stopped, opener) = (Arc::<Metrics>::default(), Arc::default(), Arc::default());
        let sights = Sights {
            metrics: Arc::clone(&metrics),
            stopped: Arc::clone(&stopped),
            connections: door.connections(),
        };
        let attending = Attending { metrics, stopped, opener: Arc::clone(&opener) };
        let sequencer = Sequencer::start_attended(writer, attending)?;
        let room = Arc::new(Room::new(sequencer.handle(), key, producer, bounds, sights));
        let (caretaker, webhook, collector, access) = (None, None, None, None);
        let (scheme, hosts) = ("http", Vec::new());
        Ok(Self {
            door,
            room,
            opener,
            caretaker,
            sequencer,
            webhook,
            collector,
            scheme,
            access,
            noise,
            hosts,
        })
    }

    /// Asks everybody for a token. Without this, whoever reaches the service may do everything.
    #[must_use]
    pub fn with_access(self, access: Access) -> Self {
        Self { access: Some(access), ..self }
    }

    /// Gives it names besides `localhost` and addresses; their ports do not matter. A request for another host
    /// is refused, unless tokens are asked for and it was given no name.
    #[must_use]
    pub fn called(self, hosts: Vec<Host>) -> Self {
        Self { hosts, ..self }
    }

    /// Lets nobody in but over TLS.
    #[must_use]
    pub fn with_tls(self, tls: Tls) -> Self {
        Self { door: self.door.with_tls(tls), scheme: "https", ..self }
    }

    /// Looks after the log's folder while it runs: measures it, and when the log has stopped (a full
    /// disk, say) and there is room again, closes it and opens it anew by `open`. A log that is then
    /// not the one whose checkpoints went out stays closed.
    ///
    /// # Errors
    /// [`ServiceError::Thread`].
    pub fn look_after(
        mut self,
        folder: LogFolder,
        mut open: impl FnMut() -> Result<Writer, String> + Send + 'static,
    ) -> Result<Self, ServiceError> {
        let room = Arc::clone(&self.room);
        let opener: Opener = Box::new(move || {
            let writer = open()?;
            let checked = check_store(writer.store(), Some(&room.head()), &writer.verifier_key());
            checked.map(|_| writer).map_err(|error| error.to_string())
        });
        // Only the first is kept; there is one caretaker for a service's life.
        let _ = self.opener.set(Mutex::new(opener));
        self.caretaker = Some(Caretaker::start(Arc::clone(&self.room), folder)?);
        Ok(self)
    }

    /// Certifies while it records: a follower with its own folder judges what is acknowledged.
    ///
    /// # Errors
    /// [`ServiceError`] when the folder cannot be used.
    pub fn certify(self, folder: &Path) -> Result<Self, ServiceError> {
        let following = Following::open(folder, self.room.key.clone())?;
        // A service has one follower; a second one is not started.
        let _ = self.room.following.set(following);
        Ok(self)
    }

    /// Tells somebody of every finding; only a service that certifies has any.
    #[must_use]
    pub fn telling(self, webhook: Webhook) -> Self {
        Self { webhook: Some(webhook), ..self }
    }

    /// Sends a span of every request to a collector. Requests do not wait for it, nor are they refused
    /// when it is gone.
    #[must_use]
    pub fn tracing(self, collector: Collector) -> Self {
        Self { collector: Some(collector), ..self }
    }

    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.door.address()
    }

    /// Answers until `stop` is done; then lets answers under way finish and closes the log.
    ///
    /// # Errors
    /// [`ServiceError`].
    pub fn run_until<F: Future<Output = ()>>(self, stop: impl FnOnce() -> F) -> Result<(), ServiceError> {
        let (log, metrics) = (self.room.key.name(), &self.room.counters);
        let start = |collector: &Collector| Traces::start(collector, log, self.scheme, Arc::clone(metrics));
        let traces = self.collector.as_ref().map(start).transpose()?.map(Arc::new);
        let following = self.room.following.get().cloned();
        let follower = following.as_ref().map(|following| following.start(&self.room)).transpose()?;
        if let (Some(following), Some(webhook)) = (&following, self.webhook) {
            // Nobody waits for a webhook that does not answer: what was not taken is told again.
            following.teller(webhook, self.room.key.name()).start()?;
        }
        let stop = || {
            let stopped = stop();
            async move {
                stopped.await;
                // Streams of findings end, else they would hold up the stop.
                following.iter().for_each(|following| following.stop());
            }
        };
        info!(address = %self.door.address(), entries = self.room.head().checkpoint().size, "the service has started");
        let keeper = Keeper::start(Arc::clone(&self.noise))?;
        let counters = Arc::clone(&self.room.counters);
        let watch = Watch { counters, traces: traces.clone(), noise: self.noise };
        let seen = from_fn_with_state(watch, observe);
        let asks_for_tokens = self.access.is_some();
        let names = Names { given: self.hosts, asks_for_tokens, scheme: self.scheme };
        let router = names.before(guarded(router(Arc::clone(&self.room)), self.access)).layer(seen);
        let served = self.door.serve(router, stop);
        info!("the service stops");
        drop(keeper);
        self.room.following.get().into_iter().for_each(|following| following.stop());
        // A follower that broke down has said so; what it kept stays.
        drop(follower.map(JoinHandle::join));
        drop((self.room, self.caretaker));
        let closed = self.sequencer.shutdown()?;
        info!(entries = closed.head().checkpoint().size, "the log is closed");
        traces.iter().for_each(|traces| traces.stop());
        Ok(served?)
    }

    /// Answers until the process is told to stop (SIGTERM, SIGINT). Where that takes longer than it may, whoever
    /// asked for whatever, `late` is called, which should end the process: what was acknowledged is durable.
    ///
    /// # Errors
    /// [`ServiceError`].
    pub fn run(self, late: impl FnOnce() + Send + 'static) -> Result<(), ServiceError> {
        let deadline = Arc::new(Mutex::new(None));
        let begun = Arc::clone(&deadline);
        let stopped = self.run_until(|| async move {
            door::stop_signal().await;
            *begun.lock().unwrap_or_else(PoisonError::into_inner) = Deadline::begin(STOP_TIME, late).ok();
        });
        drop(deadline);
        stopped
    }
}

fn router(room: Arc<Room>) -> Router {
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
    let served = Served::of(document);
    router
        .route("/openapi.json", get(|| async move { served.answer() }))
        .fallback(async |request| {
            pass_over(request).await;
            Problem::absent("there is no such path; /openapi.json has all there are")
        })
        .method_not_allowed_fallback(async |method: Method, request| {
            pass_over(request).await;
            Problem::not_for(&method)
        })
        .layer(Extension(Certificates::default()))
        .with_state(room)
}

/// Whether it runs
#[utoipa::path(get, path = "/healthz", tag = "running", responses((status = 200, description = "It does", body = String, content_type = "text/plain")))]
async fn alive() -> &'static str {
    "alive\n"
}

/// Whether it records
#[utoipa::path(
    get,
    path = "/readyz",
    tag = "running",
    responses(
        (status = 200, description = "It does", body = String, content_type = "text/plain"),
        (status = 503, description = "The log has stopped", body = String, content_type = "text/plain")
    )
)]
async fn ready(State(room): State<Arc<Room>>) -> Response {
    if room.is_stopped() {
        return (StatusCode::SERVICE_UNAVAILABLE, "the log has stopped\n").into_response();
    }
    "ready\n".into_response()
}
