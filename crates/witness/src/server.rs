//! The witness over HTTP: `POST /add-checkpoint` for logs, `GET /<SHA-256 of the origin>/checkpoint` for monitors,
//! and nothing else, with limits on bytes, time and connections, and a stop that lets answers finish.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::Router;
use axum::body::{Body, HttpBody as _, to_bytes};
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use door::{Door, DoorError, Host, Limits, WhenFull, drain_body};
use tokio::time::timeout;

use crate::decision::MAX_REQUEST_BYTES;
use crate::refusal::Refusal;
use crate::state::WitnessState;
use crate::witness::{Cosigned, Witness};

/// The kind of a 409's body, as C2SP tlog-witness names it.
const SIZE: &str = "text/x.tlog.size";
const TEXT: &str = "text/plain; charset=utf-8";

type OnDecision = dyn Fn(&Result<Cosigned, Refusal>) + Send + Sync;

/// A witness that listens.
pub struct Server<S> {
    door: Door,
    witness: Arc<Witness<S>>,
}

impl<S: WitnessState + 'static> Server<S> {
    /// Listens at `address` (`127.0.0.1:7380`; port 0 takes a free one). While as many connections are open as the limits
    /// allow, new ones are answered with status 503: a checkpoint that is under way is never given up for them.
    ///
    /// # Errors
    /// [`DoorError`].
    pub fn bind(address: &str, witness: Witness<S>, limits: Limits) -> Result<Self, DoorError> {
        let limits = Limits { when_full: WhenFull::Refuse, ..limits };
        Ok(Self { door: Door::open(address, limits)?, witness: Arc::new(witness) })
    }

    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.door.address()
    }

    /// The witness that answers.
    #[must_use]
    pub fn witness(&self) -> &Witness<S> {
        &self.witness
    }

    /// Answers until the process gets SIGTERM or SIGINT. `on_decision` is called for every decision.
    ///
    /// # Errors
    /// [`DoorError`].
    pub fn run(
        self,
        on_decision: impl Fn(&Result<Cosigned, Refusal>) + Send + Sync + 'static,
    ) -> Result<(), DoorError> {
        self.run_until(on_decision, door::stop_signal)
    }

    /// Answers until `stop` is done.
    ///
    /// # Errors
    /// [`DoorError`].
    pub fn run_until<F: Future<Output = ()>>(
        self,
        on_decision: impl Fn(&Result<Cosigned, Refusal>) + Send + Sync + 'static,
        stop: impl FnOnce() -> F,
    ) -> Result<(), DoorError> {
        let app = AppState {
            witness: self.witness,
            on_decision: Arc::new(on_decision),
            limits: self.door.limits(),
        };
        let router = Router::new()
            .route("/add-checkpoint", post(add_checkpoint::<S>))
            .route("/{origin}/checkpoint", get(checkpoint::<S>))
            .with_state(app);
        self.door.serve(router.layer(from_fn(for_a_host)), stop)
    }
}

/// What a request needs.
struct AppState<S> {
    witness: Arc<Witness<S>>,
    on_decision: Arc<OnDecision>,
    limits: Limits,
}

impl<S> Clone for AppState<S> {
    fn clone(&self) -> Self {
        Self {
            witness: Arc::clone(&self.witness),
            on_decision: Arc::clone(&self.on_decision),
            limits: self.limits,
        }
    }
}

/// Refuses a request that does not say which host it is for.
async fn for_a_host(request: Request, next: Next) -> Response {
    match Host::of(&request) {
        Ok(_) => next.run(request).await,
        Err(error) => {
            (StatusCode::BAD_REQUEST, format!("{}\n", harmless(&error.to_string()))).into_response()
        }
    }
}

async fn add_checkpoint<S: WitnessState + 'static>(
    State(app): State<AppState<S>>,
    request: Request,
) -> Response {
    let too_long =
        || format!("the request is longer than {MAX_REQUEST_BYTES} bytes, or the connection was closed\n");
    if request.body().size_hint().lower() > MAX_REQUEST_BYTES as u64 {
        drain_body(request).await;
        return (StatusCode::PAYLOAD_TOO_LARGE, too_long()).into_response();
    }
    let body = match timeout(app.limits.request, to_bytes(request.into_body(), MAX_REQUEST_BYTES)).await {
        Ok(Ok(body)) => body,
        Ok(Err(_)) => return (StatusCode::PAYLOAD_TOO_LARGE, too_long()).into_response(),
        Err(_) => return (StatusCode::REQUEST_TIMEOUT, "the request took too long\n").into_response(),
    };
    // Deciding waits for the disk, so it has a thread of its own.
    let decided = tokio::task::spawn_blocking(move || {
        let decided = app.witness.add_checkpoint(&body, now());
        (app.on_decision)(&decided);
        decided
    });
    match decided.await {
        Ok(decided) => answer(decided),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// The newest checkpoint that was cosigned of a log.
async fn checkpoint<S: WitnessState + 'static>(
    State(app): State<AppState<S>>,
    Path(origin): Path<String>,
) -> Response {
    match app.witness.newest(&origin) {
        Ok(Some(text)) => {
            ([(CONTENT_TYPE, TEXT), (CACHE_CONTROL, "no-cache")], text.to_string()).into_response()
        }
        Ok(None) => {
            let what = "this witness never cosigned a checkpoint of a log with this SHA-256 of its origin\n";
            (StatusCode::NOT_FOUND, what).into_response()
        }
        Err(lost) => (StatusCode::INTERNAL_SERVER_ERROR, format!("{lost}\n")).into_response(),
    }
}

fn answer(decided: Result<Cosigned, Refusal>) -> Response {
    let (status, kind, body) = match decided {
        Ok(cosigned) => (200, TEXT, cosigned.lines),
        Err(refusal) => match refusal.cosigned_size() {
            Some(size) => (refusal.status(), SIZE, format!("{size}\n")),
            None => (refusal.status(), TEXT, format!("{}\n", harmless(&refusal.to_string()))),
        },
    };
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    (status, [(CONTENT_TYPE, kind)], Body::from(body)).into_response()
}

/// A message that repeats what was sent, for whoever looks at it on a terminal: what is not printable ASCII is spelled out.
fn harmless(message: &str) -> String {
    let spelled = |c: char| match c {
        ' '..='~' | '\n' => c.to_string(),
        c => c.escape_unicode().to_string(),
    };
    message.chars().map(spelled).collect()
}

/// Seconds since 1970 UTC; a clock before that says 0.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
