//! The service itself: which paths there are, and how it starts and stops.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::JoinHandle;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use door::{Door, DoorError, Limits, Notice, Tls};
use sealed_log::{ProducerId, Sequencer, SubmitError};
use sealed_log_sled::{HeadFile, SledStore, Writer};
use utoipa::OpenApi as _;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::access::{Access, guarded};
use crate::following::Following;
use crate::openapi::{Document, Refusals, Served};
use crate::problem::Problem;
use crate::room::{Bounds, Room};
use crate::webhook::Webhook;
use crate::{archive, findings, ingest, reading, tables};

/// Longest time a body may take.
pub(crate) const BODY_TIME: Duration = Duration::from_secs(30);

/// Why the service does not run, or did not stop well.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// Nothing can be served.
    #[error(transparent)]
    Door(#[from] DoorError),
    /// Nothing can be certified.
    #[error("live certification cannot start: {0}")]
    Follower(#[from] follower::FollowError),
    /// There is no thread for the log's writer.
    #[error("the log's writer cannot start: {0}")]
    Thread(#[from] std::io::Error),
    /// The log did not close well.
    #[error(transparent)]
    Log(#[from] SubmitError),
}

/// A service that listens.
pub struct Service {
    door: Door,
    room: Arc<Room>,
    sequencer: Sequencer<SledStore, HeadFile>,
    webhook: Option<Webhook>,
    access: Option<Access>,
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
        let door = Door::open(address, limits)?;
        let (head, key) = (writer.head(), writer.verifier_key());
        let sequencer = Sequencer::start(writer)?;
        let room = Arc::new(Room::new(sequencer.handle(), head, key, producer, bounds));
        Ok(Self { door, room, sequencer, webhook: None, access: None })
    }

    /// Asks everybody for a token. Without this, whoever reaches the service may do everything.
    #[must_use]
    pub fn with_access(self, access: Access) -> Self {
        Self { access: Some(access), ..self }
    }

    /// Lets nobody in but over TLS; who was not let in is told to `tell`, which must not wait.
    #[must_use]
    pub fn with_tls(self, tls: Tls, tell: impl Fn(&Notice) + Send + Sync + 'static) -> Self {
        Self { door: self.door.with_tls(tls).telling(tell), ..self }
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
        let router = guarded(router(Arc::clone(&self.room)), self.access);
        let served = self.door.serve(router, stop);
        self.room.following.get().into_iter().for_each(|following| following.stop());
        // A follower that broke down has said so; what it kept stays.
        drop(follower.map(JoinHandle::join));
        drop(self.room);
        self.sequencer.shutdown()?;
        Ok(served?)
    }

    /// Answers until the process is told to stop (SIGTERM, SIGINT).
    ///
    /// # Errors
    /// [`ServiceError`].
    pub fn run(self) -> Result<(), ServiceError> {
        self.run_until(door::told_to_stop)
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
        .routes(routes!(findings::certificate))
        .routes(routes!(findings::page))
        .routes(routes!(findings::stream))
        .routes(routes!(tables::all))
        .routes(routes!(tables::one))
        .routes(routes!(tables::shoe))
        .routes(routes!(tables::coup))
        .routes(routes!(alive))
        .routes(routes!(ready))
        .routes(routes!(metrics))
        .split_for_parts();
    let served = Served::of(document);
    router
        .route("/openapi.json", get(|| async move { served.answer() }))
        .fallback(|| async { Problem::absent("there is no such path; /openapi.json has all there are") })
        .method_not_allowed_fallback(|method: Method| async move { Problem::not_for(&method) })
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

/// Counters and gauges in Prometheus' text form
#[utoipa::path(get, path = "/metrics", tag = "running", responses((status = 200, description = "Metrics", body = String, content_type = "text/plain"), Refusals))]
async fn metrics(State(room): State<Arc<Room>>) -> Response {
    let counters = &room.counters;
    let mut text = String::new();
    for (name, what, counter) in [
        ("events_recorded", "Events recorded.", &counters.events),
        ("entries_sealed", "Entries sealed.", &counters.entries),
        ("events_repeated", "Events that the log held already.", &counters.repeated),
        ("events_conflicting", "Events recorded beside others with the same number.", &counters.conflicts),
        ("posts_refused", "Posts of which nothing was recorded.", &counters.refused),
        ("posts_turned_away", "Posts told to come again.", &counters.turned_away),
    ] {
        let value = counter.load(Ordering::Relaxed);
        text.push_str(&format!(
            "# HELP audit_{name}_total {what}\n# TYPE audit_{name}_total counter\naudit_{name}_total {value}\n"
        ));
    }
    if let Some(following) = room.following.get() {
        text.push_str(&certifying(&room, following));
    }
    let size = room.head().checkpoint().size;
    text.push_str(&format!(
        "# HELP audit_log_entries Entries of the log.\n# TYPE audit_log_entries gauge\naudit_log_entries {size}\n"
    ));
    ([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response()
}

/// How live certification goes on.
fn certifying(room: &Room, following: &Following) -> String {
    let (judged, size) = findings::judged(following, room);
    let mut by_code = std::collections::BTreeMap::<replay::Code, u64>::new();
    for table in following.follower().tables() {
        for (code, count) in table.findings_by_code {
            *by_code.entry(code).or_default() += count;
        }
    }
    let telling = following.telling();
    let published = following.follower().findings().published();
    let mut text = String::new();
    for (name, what, value) in [
        ("follower_lag_entries", "Entries that are not judged yet.", size.saturating_sub(judged)),
        (
            "follower_stopped",
            "1 when nothing more is judged until the next start.",
            u64::from(following.is_stopped()),
        ),
        ("findings_published", "Findings published.", published),
        (
            "webhook_told",
            "Number of the finding that the webhook took last.",
            telling.told.load(Ordering::Relaxed),
        ),
        ("webhook_failed_tries", "Tries of the webhook that failed.", telling.failed.load(Ordering::Relaxed)),
    ] {
        text.push_str(&format!(
            "# HELP audit_{name} {what}\n# TYPE audit_{name} gauge\naudit_{name} {value}\n"
        ));
    }
    text.push_str("# HELP audit_findings Findings by code.\n# TYPE audit_findings gauge\n");
    for (code, count) in by_code {
        text.push_str(&format!("audit_findings{{code=\"{code}\"}} {count}\n"));
    }
    text
}
