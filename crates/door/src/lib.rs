//! The way in from outside: takes HTTP connections for a router, over TLS where that is asked for, with
//! limits on their number and on the time a handshake and a request's head may take, and a stop that lets
//! answers finish. When all places are taken, who idles makes room for who comes.
//!
//! axum's own server has no such limits, so hyper is driven here. What is answered is not known here.

mod changes;
mod connection;
mod exchange;
mod notice;
mod places;
mod tls;
mod wire;

pub use changes::Changes;
pub use connection::Peer;
pub use notice::Notice;
pub use tls::{Tls, TlsError, TlsFiles};

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::time::{sleep, timeout};

use connection::Connection;
use places::Places;

/// Connections that may wait to be accepted, where the system allows as many (`net.core.somaxconn`). With
/// the 128 that the standard library asks for, a burst makes the system drop some, and a client whose first
/// packet is dropped comes again after a second.
const BACKLOG: i32 = 4096;

/// Tells somebody what happens at the door.
type Tell = dyn Fn(&Notice) + Send + Sync;

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
    /// Longest time that answers under way hold up a stop.
    pub stop: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        let (request, answer) = (Duration::from_secs(10), Duration::from_secs(30));
        Self { connections: 64, request, answer, stop: Duration::from_secs(10) }
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
pub struct Connections(Arc<Places>);

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
}

/// A place where connections come in.
pub struct Door {
    listener: TcpListener,
    address: SocketAddr,
    limits: Limits,
    tls: Option<Tls>,
    tell: Arc<Tell>,
    places: Arc<Places>,
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
        rustix::net::listen(&listener, BACKLOG).map_err(|error| failed(error.into()))?;
        listener.set_nonblocking(true).map_err(failed)?;
        let bound = listener.local_addr().map_err(failed)?;
        let (tell, places) = (Arc::new(|_: &Notice| {}), Places::new(limits.connections));
        Ok(Self { listener, address: bound, limits, tls: None, tell, places })
    }

    /// Lets nobody in but over TLS.
    #[must_use]
    pub fn with_tls(self, tls: Tls) -> Self {
        Self { tls: Some(tls), ..self }
    }

    /// Tells what happens at the door to `tell`, which must not wait.
    #[must_use]
    pub fn telling(self, tell: impl Fn(&Notice) + Send + Sync + 'static) -> Self {
        Self { tell: Arc::new(tell), ..self }
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
        Connections(Arc::clone(&self.places))
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
            let Self { limits, tls, tell, places, .. } = self;
            Accepting { listener, router, limits, tls, tell, places }.until(stop()).await;
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
    tell: Arc<Tell>,
    places: Arc<Places>,
}

impl Accepting {
    async fn until(self, stop: impl Future<Output = ()>) {
        let (graceful, mut crowding) = (GracefulShutdown::new(), Crowding::default());
        let mut stop = std::pin::pin!(stop);
        loop {
            let next = async {
                let accepted = self.listener.accept().await?;
                Ok::<_, io::Error>((accepted, self.places.enter().await))
            };
            let next = tokio::select! {
                next = next => next,
                () = &mut stop => break,
            };
            let Ok(((stream, peer), entered)) = next else {
                // Out of file handles, for one: it passes when connections end.
                sleep(Duration::from_millis(50)).await;
                continue;
            };
            crowding.look(&self.places, &*self.tell);
            let (router, limits, tell) = (self.router.clone(), self.limits, Arc::clone(&self.tell));
            let (place, watcher) = (entered.place(), graceful.watcher());
            let tls = self.tls.as_ref().map(|tls| tls.acceptor(&*tell));
            let connection = Connection { stream, peer, place, tls, router, limits, watcher, tell };
            tokio::spawn(async move {
                connection.serve().await;
                drop(entered);
            });
        }
        drop(self.listener);
        // Whoever is not done by then asks again.
        let _ = timeout(self.limits.stop, graceful.shutdown()).await;
    }
}

/// How long nothing more is told of places that ran out.
const TELL_AGAIN: Duration = Duration::from_secs(60);

/// Tells of places that ran out, not of each.
#[derive(Debug, Default)]
struct Crowding {
    /// When it was told last, and how many had been closed by then.
    told: Option<(Instant, u64)>,
}

impl Crowding {
    fn look(&mut self, places: &Places, tell: &Tell) {
        let (closed, before) = (places.closed(), self.told.map_or(0, |(_, closed)| closed));
        if closed > before && self.told.is_none_or(|(told, _)| told.elapsed() >= TELL_AGAIN) {
            tell(&Notice::PlacesRanOut { places: places.limit(), closed: closed - before });
            self.told = Some((Instant::now(), closed));
        }
    }
}

/// Done when the process is told to stop: SIGTERM or SIGINT.
pub async fn told_to_stop() {
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
