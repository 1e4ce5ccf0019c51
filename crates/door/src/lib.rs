//! An HTTP server for an axum router, with optional TLS and strict limits: number of connections, time for a
//! handshake and for a request's head, memory held by requests and answers, and a stop that lets answers
//! finish. When all connection slots are in use, [`WhenFull`] says what becomes of a new connection.
//!
//! axum's own server has no such limits, so this crate drives hyper itself. It does not know what the router
//! answers.

mod connection;
mod connection_state;
mod drain;
mod exchange;
mod expiry;
mod file_changes;
mod host;
mod notice;
mod pem_file;
mod refusal;
mod slot;
mod slots;
mod tls;
mod wire;

pub use connection::{Peer, Shared};
pub use drain::drain_body;
pub use expiry::Expiry;
pub use file_changes::FileChanges;
pub use host::{Host, HostError};
pub use notice::Notice;
pub use pem_file::read_pem_file;
pub use tls::{Tls, TlsError, TlsFiles};

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use hyper_util::server::graceful::GracefulShutdown;
use socket2::SockRef;
use tokio::time::{sleep, timeout};

use connection::Connection;
use refusal::Refusals;
use slots::Slots;

/// Connections that may wait to be accepted, if the system allows as many (`net.core.somaxconn`). With the
/// standard library's 128, the system drops connections in a burst, and a client whose first packet was
/// dropped tries again only after a second.
const BACKLOG: i32 = 4096;

/// Most of an answer that the system buffers unsent, bytes. By default it would buffer megabytes for each
/// connection; the rest stays in this process, where it is counted.
const UNSENT: u32 = 64 << 10;

/// Called with everything that happens to connections and is worth a log line.
type Observer = dyn Fn(&Notice) + Send + Sync;

/// What clients may use.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Most connections open at once.
    pub connections: usize,
    /// What happens when one more arrives.
    pub when_full: WhenFull,
    /// Longest time for a TLS handshake, for a request's head, and for an idle connection. The router limits
    /// the time for a body.
    pub request: Duration,
    /// Longest time for which a client may read nothing of its answer.
    pub answer: Duration,
    /// Most that requests under way and unsent answers hold on all connections together, bytes; a request
    /// counts with its head and 6 KiB. Above this limit, the connection whose request has waited for its
    /// client for longest is closed. A single answer longer than the limit is sent once all other requests
    /// that wait for their clients are gone.
    pub held: usize,
    /// Longest time for which answers under way delay a stop.
    pub stop: Duration,
}

/// What happens to a new connection when as many are open as may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WhenFull {
    /// The connection that has been idle for longest is closed for it: one in its handshake, between two requests, or
    /// with an incomplete request. If there is none, the new connection waits.
    #[default]
    CloseIdle,
    /// A connection that has been without any request for a moment is closed for it, or one whose client has read nothing
    /// of its answer for two seconds. If there is none, it is answered with status 503 and `Retry-After`, and closed (over
    /// TLS, only closed). A request of which a byte has come is never given up for a new connection.
    Refuse,
}

impl Default for Limits {
    fn default() -> Self {
        let (request, answer) = (Duration::from_secs(10), Duration::from_secs(30));
        let (when_full, stop) = (WhenFull::CloseIdle, Duration::from_secs(10));
        Self { connections: 64, when_full, request, answer, held: 64 << 20, stop }
    }
}

/// Why the server cannot run.
#[derive(Debug, thiserror::Error)]
#[error("{what}: {error}")]
pub struct DoorError {
    what: String,
    #[source]
    error: io::Error,
}

/// Figures about the connections, for metrics.
#[derive(Debug, Clone)]
pub struct Connections(Arc<Slots>);

impl Connections {
    /// Number of open connections.
    #[must_use]
    pub fn open(&self) -> usize {
        self.0.taken()
    }

    /// Most connections that may be open.
    #[must_use]
    pub fn limit(&self) -> usize {
        self.0.limit()
    }

    /// Number of connections closed so far to make a slot free for a new one.
    #[must_use]
    pub fn closed_for_newcomers(&self) -> u64 {
        self.0.closed()
    }

    /// What requests under way and unsent answers hold now, bytes ([`Limits::held`]).
    #[must_use]
    pub fn held(&self) -> usize {
        self.0.held()
    }

    /// Number of connections closed so far because too much memory was held.
    #[must_use]
    pub fn closed_for_memory(&self) -> u64 {
        self.0.closed_for_memory()
    }
}

/// A server that listens; [`Door::serve`] starts it.
pub struct Door {
    listener: TcpListener,
    address: SocketAddr,
    limits: Limits,
    tls: Option<Tls>,
    observer: Arc<Observer>,
    slots: Arc<Slots>,
}

impl std::fmt::Debug for Door {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Door({}, tls: {})", self.address, self.tls.is_some())
    }
}

impl Door {
    /// Listens at `address` (`127.0.0.1:7380`; port 0 takes a free one).
    ///
    /// # Errors
    /// [`DoorError`].
    pub fn open(address: &str, limits: Limits) -> Result<Self, DoorError> {
        let failed = |error| DoorError { what: format!("cannot listen at {address}"), error };
        let listener = TcpListener::bind(address).map_err(failed)?;
        // Accepted connections inherit this option from the listener.
        SockRef::from(&listener).set_tcp_notsent_lowat(UNSENT).map_err(failed)?;
        rustix::net::listen(&listener, BACKLOG).map_err(|error| failed(error.into()))?;
        listener.set_nonblocking(true).map_err(failed)?;
        let bound = listener.local_addr().map_err(failed)?;
        let (observer, slots) = (Arc::new(|_: &Notice| {}), Slots::new(&limits));
        Ok(Self { listener, address: bound, limits, tls: None, observer, slots })
    }

    /// Accepts connections over TLS only.
    #[must_use]
    pub fn with_tls(self, tls: Tls) -> Self {
        Self { tls: Some(tls), ..self }
    }

    /// Sets the function that is called with each [`Notice`]; it must not block.
    #[must_use]
    pub fn with_observer(self, observer: impl Fn(&Notice) + Send + Sync + 'static) -> Self {
        Self { observer: Arc::new(observer), ..self }
    }

    /// The address it listens at.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// The limits it was opened with.
    #[must_use]
    pub const fn limits(&self) -> Limits {
        self.limits
    }

    /// Figures about the connections, readable while it serves.
    #[must_use]
    pub fn connections(&self) -> Connections {
        Connections(Arc::clone(&self.slots))
    }

    /// Serves until `stop` completes, on one thread per processor.
    ///
    /// # Errors
    /// [`DoorError`] if the server cannot start.
    pub fn serve<F: Future<Output = ()>>(
        self,
        router: Router,
        stop: impl FnOnce() -> F,
    ) -> Result<(), DoorError> {
        let failed = |error| DoorError { what: "the server cannot start".to_owned(), error };
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        runtime.enable_all().max_blocking_threads(WAITING_THREADS);
        // Where the system gives no thread, tokio panics instead.
        let built = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| runtime.build()));
        let no_thread = |_| Err(io::Error::other("no thread can be started; raise the limit (ulimit -u)"));
        let runtime = built.unwrap_or_else(no_thread).map_err(failed)?;
        let served = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener).map_err(failed)?;
            let Self { limits, tls, observer, slots, .. } = self;
            Accepting { listener, router, limits, tls, observer, slots }.until(stop()).await;
            Ok(())
        });
        // Blocking work for clients that are gone does not delay the stop.
        runtime.shutdown_background();
        served
    }
}

/// Most threads for requests that block. Each such request needs one; with too few, requests would wait for
/// each other. Threads are started only when needed.
const WAITING_THREADS: usize = 8_192;

/// The accept loop and what it needs.
struct Accepting {
    listener: tokio::net::TcpListener,
    router: Router,
    limits: Limits,
    tls: Option<Tls>,
    observer: Arc<Observer>,
    slots: Arc<Slots>,
}

impl Accepting {
    async fn until(self, stop: impl Future<Output = ()>) {
        let (graceful, mut limit_reporter) = (GracefulShutdown::new(), LimitReporter::default());
        let refusals = Refusals::default();
        let mut stop = std::pin::pin!(stop);
        loop {
            let next = async {
                let accepted = self.listener.accept().await?;
                Ok::<_, io::Error>((accepted, self.slots.enter().await))
            };
            let next = tokio::select! {
                next = next => next,
                () = &mut stop => break,
            };
            let Ok(((stream, peer), slot_guard)) = next else {
                // For example no file handle was free; that ends when connections end.
                sleep(Duration::from_millis(50)).await;
                continue;
            };
            let Some(slot_guard) = slot_guard else {
                if self.tls.is_none() {
                    refusals.begin(stream);
                }
                continue;
            };
            limit_reporter.report(&self.slots, &*self.observer);
            let (router, limits, observer) = (self.router.clone(), self.limits, Arc::clone(&self.observer));
            let (slot, watcher) = (slot_guard.slot(), graceful.watcher());
            let tls = self.tls.as_ref().map(|tls| tls.acceptor(&*observer));
            let connection = Connection { stream, peer, slot, tls, router, limits, watcher, observer };
            tokio::spawn(async move {
                connection.serve().await;
                drop(slot_guard);
            });
        }
        drop(self.listener);
        // Requests that are not answered by then are repeated by their clients.
        let _ = timeout(self.limits.stop, graceful.shutdown()).await;
    }
}

/// Shortest time between two reports about the same limit.
const REPORT_INTERVAL: Duration = Duration::from_secs(60);

/// Reports that slots or memory ran out: once a minute, not once per closed connection. Checked whenever a
/// connection is accepted.
#[derive(Debug, Default)]
struct LimitReporter {
    slots: ReportedCount,
    memory: ReportedCount,
}

impl LimitReporter {
    fn report(&mut self, slots: &Slots, observer: &Observer) {
        if let Some(closed) = self.slots.unreported(slots.closed()) {
            observer(&Notice::SlotsExhausted { slots: slots.limit(), closed });
        }
        if let Some(closed) = self.memory.unreported(slots.closed_for_memory()) {
            observer(&Notice::MemoryExhausted { limit: slots.memory_limit(), closed });
        }
    }
}

/// How much of a growing count was reported.
#[derive(Debug, Default)]
struct ReportedCount {
    /// Time of the last report, and the count at that time.
    last: Option<(Instant, u64)>,
}

impl ReportedCount {
    /// How many to report now, given the total; `None` if nothing is due.
    fn unreported(&mut self, count: u64) -> Option<u64> {
        let before = self.last.map_or(0, |(_, count)| count);
        let is_due =
            count > before && self.last.is_none_or(|(reported, _)| reported.elapsed() >= REPORT_INTERVAL);
        if is_due {
            self.last = Some((Instant::now(), count));
        }
        is_due.then(|| count - before)
    }
}

/// Completes when the process receives SIGTERM or SIGINT.
pub async fn stop_signal() {
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
