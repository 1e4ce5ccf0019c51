//! The way in from outside: takes HTTP connections for a router, over TLS where that is asked for, with
//! limits on their number and on the time a handshake and a request's head may take, and a stop that lets
//! answers finish.
//!
//! axum's own server has no such limits, so hyper is driven here. What is answered is not known here.

mod activity;
mod changes;
mod connection;
mod notice;
mod tls;

pub use changes::Changes;
pub use connection::Peer;
pub use notice::Notice;
pub use tls::{Tls, TlsError, TlsFiles};

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

use connection::Connection;

/// Tells somebody what happens at the door.
type Tell = dyn Fn(&Notice) + Send + Sync;

/// What clients may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Connections open at once; more wait to be accepted.
    pub connections: usize,
    /// Longest time for a TLS handshake, for a request's head, and for a connection on which nothing is
    /// asked. A body has its own, where the router asks for it.
    pub request: Duration,
    /// Longest time that answers under way hold up a stop.
    pub stop: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { connections: 64, request: Duration::from_secs(10), stop: Duration::from_secs(10) }
    }
}

/// Why nothing is served.
#[derive(Debug, thiserror::Error)]
#[error("{what}: {error}")]
pub struct DoorError {
    what: String,
    error: io::Error,
}

/// How many connections are open, for whoever watches.
#[derive(Debug, Clone, Default)]
pub struct Connections(Arc<AtomicUsize>);

impl Connections {
    /// How many there are now.
    #[must_use]
    pub fn open(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    fn enter(&self) -> Entered {
        self.0.fetch_add(1, Ordering::Relaxed);
        Entered(self.clone())
    }
}

/// One open connection; it is counted until this goes.
struct Entered(Connections);

impl Drop for Entered {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A place where connections come in.
pub struct Door {
    listener: TcpListener,
    address: SocketAddr,
    limits: Limits,
    tls: Option<Tls>,
    tell: Arc<Tell>,
    connections: Connections,
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
        listener.set_nonblocking(true).map_err(failed)?;
        let bound = listener.local_addr().map_err(failed)?;
        let (tell, connections) = (Arc::new(|_: &Notice| {}), Connections::default());
        Ok(Self { listener, address: bound, limits, tls: None, tell, connections })
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

    /// The connections that are open, to be looked at while it serves.
    #[must_use]
    pub fn connections(&self) -> Connections {
        self.connections.clone()
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
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(failed)?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener).map_err(failed)?;
            accept(listener, router, self.limits, self.connections, (self.tls, self.tell), stop()).await;
            Ok(())
        })
    }
}

async fn accept(
    listener: tokio::net::TcpListener,
    router: Router,
    limits: Limits,
    connections: Connections,
    (tls, tell): (Option<Tls>, Arc<Tell>),
    stop: impl Future<Output = ()>,
) {
    let (places, graceful) = (Arc::new(Semaphore::new(limits.connections)), GracefulShutdown::new());
    let mut stop = std::pin::pin!(stop);
    loop {
        let place = Arc::clone(&places).acquire_owned();
        let next = async { (place.await, listener.accept().await) };
        let (place, accepted) = tokio::select! {
            next = next => next,
            () = &mut stop => break,
        };
        let Ok((stream, peer)) = accepted else {
            // Out of file handles, for one: it passes when connections end.
            sleep(Duration::from_millis(50)).await;
            continue;
        };
        let (router, watcher, tell) = (router.clone(), graceful.watcher(), Arc::clone(&tell));
        let tls = tls.as_ref().map(|tls| tls.acceptor(&*tell));
        let connection = Connection { stream, peer, tls, router, limits, watcher, tell };
        let entered = connections.enter();
        tokio::spawn(async move {
            connection.serve().await;
            drop((place, entered));
        });
    }
    drop(listener);
    // Whoever is not done by then asks again.
    let _ = timeout(limits.stop, graceful.shutdown()).await;
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
