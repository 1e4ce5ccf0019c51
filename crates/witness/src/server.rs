//! The witness over HTTP: `POST /add-checkpoint` and nothing else, with limits on bytes, time and
//! connections, and a stop that lets answers finish.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

use crate::decision::MAX_REQUEST_BYTES;
use crate::refusal::Refusal;
use crate::state::WitnessState;
use crate::witness::{Cosigned, Witness};

/// The kind of a 409's body, as C2SP tlog-witness names it.
const SIZE: &str = "text/x.tlog.size";
const TEXT: &str = "text/plain; charset=utf-8";

/// What one client may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Connections open at once; more wait to be accepted.
    pub connections: usize,
    /// Longest time to send a request's head, and again its body.
    pub request: Duration,
    /// Longest time that answers under way hold up a stop.
    pub stop: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { connections: 64, request: Duration::from_secs(10), stop: Duration::from_secs(10) }
    }
}

/// Why the server does not run.
#[derive(Debug, thiserror::Error)]
#[error("{what}: {error}")]
pub struct ServerError {
    what: String,
    error: io::Error,
}

type Heard = dyn Fn(&Result<Cosigned, Refusal>) + Send + Sync;

/// A witness that listens.
pub struct Server<S> {
    listener: TcpListener,
    address: SocketAddr,
    witness: Arc<Witness<S>>,
    limits: Limits,
}

impl<S: WitnessState + 'static> Server<S> {
    /// Listens at `address` (`127.0.0.1:7380`; port 0 takes a free one).
    ///
    /// # Errors
    /// [`ServerError`].
    pub fn bind(address: &str, witness: Witness<S>, limits: Limits) -> Result<Self, ServerError> {
        let failed = |error| ServerError { what: format!("cannot listen at {address}"), error };
        let listener = TcpListener::bind(address).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let bound = listener.local_addr().map_err(failed)?;
        Ok(Self { listener, address: bound, witness: Arc::new(witness), limits })
    }

    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// The witness that answers.
    #[must_use]
    pub fn witness(&self) -> &Witness<S> {
        &self.witness
    }

    /// Answers until the process is told to stop (SIGTERM, SIGINT). `heard` is told every decision.
    ///
    /// # Errors
    /// [`ServerError`].
    pub fn run(
        self,
        heard: impl Fn(&Result<Cosigned, Refusal>) + Send + Sync + 'static,
    ) -> Result<(), ServerError> {
        self.run_until(heard, told_to_stop)
    }

    /// Answers until `stop` is done.
    ///
    /// # Errors
    /// [`ServerError`].
    pub fn run_until<F: Future<Output = ()>>(
        self,
        heard: impl Fn(&Result<Cosigned, Refusal>) + Send + Sync + 'static,
        stop: impl FnOnce() -> F,
    ) -> Result<(), ServerError> {
        let failed = |error| ServerError { what: "the server cannot start".to_owned(), error };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener).map_err(failed)?;
            let room = Room { witness: self.witness, heard: Arc::new(heard), limits: self.limits };
            accept(listener, room, self.limits, stop()).await;
            Ok(())
        })
    }
}

/// What a request needs.
struct Room<S> {
    witness: Arc<Witness<S>>,
    heard: Arc<Heard>,
    limits: Limits,
}

impl<S> Clone for Room<S> {
    fn clone(&self) -> Self {
        Self { witness: Arc::clone(&self.witness), heard: Arc::clone(&self.heard), limits: self.limits }
    }
}

async fn accept<S: WitnessState + 'static>(
    listener: tokio::net::TcpListener,
    room: Room<S>,
    limits: Limits,
    stop: impl Future<Output = ()>,
) {
    let router = Router::new().route("/add-checkpoint", post(add_checkpoint::<S>)).with_state(room);
    let mut http = hyper::server::conn::http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(limits.request);
    let (places, graceful) = (Arc::new(Semaphore::new(limits.connections)), GracefulShutdown::new());
    let mut stop = std::pin::pin!(stop);
    loop {
        let place = Arc::clone(&places).acquire_owned();
        let next = async { (place.await, listener.accept().await) };
        let (place, accepted) = tokio::select! {
            next = next => next,
            () = &mut stop => break,
        };
        let Ok((stream, _)) = accepted else {
            // Out of file handles, for one: it passes when connections end.
            sleep(Duration::from_millis(50)).await;
            continue;
        };
        let service = TowerToHyperService::new(router.clone());
        let connection = graceful.watch(http.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            // A connection that breaks is its client's matter.
            let _ = connection.await;
            drop(place);
        });
    }
    drop(listener);
    // Whoever is not done by then asks again.
    let _ = timeout(limits.stop, graceful.shutdown()).await;
}

async fn add_checkpoint<S: WitnessState + 'static>(
    State(room): State<Room<S>>,
    request: Request,
) -> Response {
    let body = match timeout(room.limits.request, to_bytes(request.into_body(), MAX_REQUEST_BYTES)).await {
        Ok(Ok(body)) => body,
        Ok(Err(_)) => {
            let what = format!("the request is longer than {MAX_REQUEST_BYTES} bytes, or it broke off\n");
            return (StatusCode::PAYLOAD_TOO_LARGE, what).into_response();
        }
        Err(_) => return (StatusCode::REQUEST_TIMEOUT, "the request took too long\n").into_response(),
    };
    // Deciding waits for the disk, so it has a thread of its own.
    let decided = tokio::task::spawn_blocking(move || {
        let decided = room.witness.add_checkpoint(&body, now());
        (room.heard)(&decided);
        decided
    });
    match decided.await {
        Ok(decided) => answer(decided),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

fn answer(decided: Result<Cosigned, Refusal>) -> Response {
    let (status, kind, body) = match decided {
        Ok(cosigned) => (200, TEXT, cosigned.lines),
        Err(refusal) => match refusal.cosigned_size() {
            Some(size) => (refusal.status(), SIZE, format!("{size}\n")),
            None => (refusal.status(), TEXT, format!("{refusal}\n")),
        },
    };
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    (status, [(CONTENT_TYPE, kind)], Body::from(body)).into_response()
}

/// Seconds since 1970 UTC; a clock before that says 0.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

async fn told_to_stop() {
    use tokio::signal::unix::{SignalKind, signal};
    let interrupted = tokio::signal::ctrl_c();
    match signal(SignalKind::terminate()) {
        Ok(mut terminated) => {
            tokio::select! {
                _ = interrupted => {}
                _ = terminated.recv() => {}
            }
        }
        Err(_) => drop(interrupted.await),
    }
}
