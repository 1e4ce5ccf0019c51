//! The way in from outside: takes HTTP connections for a router, with limits on their number and on the
//! time a request's head may take, and a stop that lets answers finish.
//!
//! axum's own server has no such limits, so hyper is driven here. What is answered is not known here.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

/// What clients may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Connections open at once; more wait to be accepted.
    pub connections: usize,
    /// Longest time to send a request's head. A body has the same, where the router asks for it.
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

/// A place where connections come in.
#[derive(Debug)]
pub struct Door {
    listener: TcpListener,
    address: SocketAddr,
    limits: Limits,
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
        Ok(Self { listener, address: bound, limits })
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

    /// Answers from this thread until `stop` is done.
    ///
    /// # Errors
    /// [`DoorError`] when nothing could be served at all.
    pub fn serve<F: Future<Output = ()>>(
        self,
        router: Router,
        stop: impl FnOnce() -> F,
    ) -> Result<(), DoorError> {
        let failed = |error| DoorError { what: "the server cannot start".to_owned(), error };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener).map_err(failed)?;
            accept(listener, router, self.limits, stop()).await;
            Ok(())
        })
    }
}

async fn accept(
    listener: tokio::net::TcpListener,
    router: Router,
    limits: Limits,
    stop: impl Future<Output = ()>,
) {
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
