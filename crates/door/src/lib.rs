//! The way in from outside: takes HTTP connections for a router, over TLS where that is asked for, with
//! limits on their number, on the time a handshake and a request's head may take and on what answers hold that
//! nobody takes, and a stop that lets answers finish. When all places are taken, who idles makes room for who
//! comes.
//!
//! axum's own server has no such limits, so hyper is driven here. What is answered is not known here.

mod connection;
mod connection_state;
mod exchange;
mod file_changes;
mod host;
mod notice;
mod slot;
mod slots;
mod tls;
mod wire;

pub use connection::{Peer, Shared};
pub use file_changes::FileChanges;
pub use host::{Host, HostError};
pub use notice::Notice;
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
use slots::Slots;

/// Connections that may wait to be accepted, where the system allows as many (`net.core.somaxconn`). With
/// the 128 that the standard library asks for, a burst makes the system drop some, and a client whose first
/// packet is dropped comes again after a second.
const BACKLOG: i32 = 4096;

/// Most of an answer that the system takes over and has not sent, bytes. It would take megabytes for each
/// connection; what it does not take stays here, where it is counted.
const UNSENT: u32 = 64 << 10;

/// Tells somebody what happens at the door.
type Observer = dyn Fn(&Notice) + Send + Sync;

/// What clients may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Connections open at once. For one more, the one that has been idle for longest is closed: one in its
    /// handshake, between two requests, or whose request is not whole. It waits while there is none such.
    pub connections: usize,
    /// Longest time for a TLS handshake, for a request's head, and for a connection on which nothing is
    /// asked. A body has its own, where the router asks for it.
    pub request: Duration,
    /// Longest time that a client may take nothing of its answer.
    pub answer: Duration,
    /// Most that requests under way and answers that are not sent yet hold on all connections together, bytes;
    /// a request counts with 6 KiB and its head. When it is exceeded, the connection gives way of whose
    /// requests one has waited for its client for longest. An answer that is longer by itself is sent when
    /// all others that wait for their client are gone.
    pub held: usize,
    /// Longest time that answers under way hold up a stop.
    pub stop: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        let (request, answer) = (Duration::from_secs(10), Duration::from_secs(30));
        Self { connections: 64, request, answer, held: 64 << 20, stop: Duration::from_secs(10) }
    }
}

/// Why nothing is served.
#[derive(Debug, thiserror::Error)]
#[error("{what}: {error}")]
pub struct DoorError {
    what: String,
    error: io::Error,
}

/// The connections, for whoever watches.
#[derive(Debug, Clone)]
pub struct Connections(Arc<Slots>);

impl Connections {
    /// How many are open now.
    #[must_use]
    pub fn open(&self) -> usize {
        self.0.taken()
    }

    /// How many there may be.
    #[must_use]
    pub fn limit(&self) -> usize {
        self.0.limit()
    }

    /// How many were closed so far to let another in.
    #[must_use]
    pub fn closed_for_newcomers(&self) -> u64 {
        self.0.closed()
    }

    /// What requests under way and answers that are not sent yet hold now, bytes ([`Limits::held`]).
    #[must_use]
    pub fn held(&self) -> usize {
        self.0.held()
    }

    /// How many were closed so far because too much was held.
    #[must_use]
    pub fn closed_for_memory(&self) -> u64 {
        self.0.closed_for_memory()
    }
}

/// A place where connections come in.
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
        // Connections have from their listener what is set here.
        SockRef::from(&listener).set_tcp_notsent_lowat(UNSENT).map_err(failed)?;
        rustix::net::listen(&listener, BACKLOG).map_err(|error| failed(error.into()))?;
        listener.set_nonblocking(true).map_err(failed)?;
        let bound = listener.local_addr().map_err(failed)?;
        let (observer, slots) = (Arc::new(|_: &Notice| {}), Slots::new(&limits));
        Ok(Self { listener, address: bound, limits, tls: None, observer, slots })
    }

    /// Lets nobody in but over TLS.
    #[must_use]
    pub fn with_tls(self, tls: Tls) -> Self {
        Self { tls: Some(tls), ..self }
    }

    /// Tells what happens at the door to `tell`, which must not wait.
    #[must_use]
    pub fn with_observer(self, observer: impl Fn(&Notice) + Send + Sync + 'static) -> Self {
        Self { observer: Arc::new(observer), ..self }
    }

    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// What clients may take.
    #[must_use]
    pub const fn limits(&self) -> Limits {
        self.limits
    }

    /// The connections, to be looked at while it serves.
    #[must_use]
    pub fn connections(&self) -> Connections {
        Connections(Arc::clone(&self.slots))
    }

    /// Answers until `stop` is done, on as many threads as there are processors.
    ///
    /// # Errors
    /// [`DoorError`] when nothing could be served at all.
    pub fn serve<F: Future<Output = ()>>(
        self,
        router: Router,
        stop: impl FnOnce() -> F,
    ) -> Result<(), DoorError> {
        let failed = |error| DoorError { what: "the server cannot start".to_owned(), error };
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = runtime.enable_all().max_blocking_threads(WAITING_THREADS).build().map_err(failed)?;
        let served = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener).map_err(failed)?;
            let Self { limits, tls, observer, slots, .. } = self;
            Accepting { listener, router, limits, tls, observer, slots }.until(stop()).await;
            Ok(())
        });
        // Who is still at work on an answer that nobody waits for any more does not hold up the stop.
        runtime.shutdown_background();
        served
    }
}

/// Threads for requests that wait aside for something else, at most: each gets one, or those that wait would
/// keep all others from being read at all. There are no more than are needed.
const WAITING_THREADS: usize = 8_192;

/// A door that stands open.
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
                // Out of file handles, for one: it passes when connections end.
                sleep(Duration::from_millis(50)).await;
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
        // Whoever is not done by then asks again.
        let _ = timeout(self.limits.stop, graceful.shutdown()).await;
    }
}

/// How long nothing more is told of what ran out.
const REPORT_INTERVAL: Duration = Duration::from_secs(60);

/// Tells of places and memory that ran out, not of each connection that was closed for it. Whoever comes in is
/// the occasion.
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

/// What was told of a count.
#[derive(Debug, Default)]
struct ReportedCount {
    /// When, and how many there had been by then.
    last: Option<(Instant, u64)>,
}

impl ReportedCount {
    /// How many are to be told now, of so many in all.
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

/// Done when the process is told to stop: SIGTERM or SIGINT.
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
