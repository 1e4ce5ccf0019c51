//! One connection: let in, over TLS where that is asked for, then HTTP/1.1 or HTTP/2 until it ends.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use hyper::body::Incoming;
use hyper::rt::{Read, Write};
use hyper::server::conn::{http1, http2};
use hyper::service::{Service, service_fn};
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::graceful::Watcher;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;

use crate::activity::Activity;
use crate::notice::Notice;
use crate::{Limits, Tell};

/// Requests of one HTTP/2 connection that are worked on at once.
const STREAMS: u32 = 128;
/// Longest head of an HTTP/2 request, bytes; HTTP/1.1 has a limit of its own.
const HEAD: u32 = 16 << 10;

/// Who asks: stands among every request's extensions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peer(pub SocketAddr);

/// A connection that was accepted, and all it needs.
pub(crate) struct Connection {
    pub(crate) stream: TcpStream,
    pub(crate) peer: SocketAddr,
    pub(crate) tls: Option<TlsAcceptor>,
    pub(crate) router: Router,
    pub(crate) limits: Limits,
    pub(crate) watcher: Watcher,
    pub(crate) tell: Arc<Tell>,
}

impl Connection {
    /// Answers until the connection ends. One that breaks is its client's matter.
    pub(crate) async fn serve(self) {
        let Self { stream, peer, tls, router, limits, watcher, tell } = self;
        let visit = Visit { peer, router: TowerToHyperService::new(router), limits, watcher };
        let Some(acceptor) = tls else {
            return visit.http1(TokioIo::new(stream)).await;
        };
        let refused = |why: String| tell(&Notice::NotLetIn { peer, why });
        match timeout(limits.request, acceptor.accept(stream)).await {
            Ok(Ok(stream)) if stream.get_ref().1.alpn_protocol() == Some(b"h2") => {
                visit.http2(TokioIo::new(stream)).await;
            }
            Ok(Ok(stream)) => visit.http1(TokioIo::new(stream)).await,
            Ok(Err(error)) => refused(error.to_string()),
            Err(_) => refused("the TLS handshake took too long".to_owned()),
        }
    }
}

/// A connection on which HTTP may be spoken.
struct Visit {
    peer: SocketAddr,
    router: TowerToHyperService<Router>,
    limits: Limits,
    watcher: Watcher,
}

impl Visit {
    async fn http1(self, io: impl Read + Write + Send + Unpin + 'static) {
        let Self { peer, router, limits, watcher } = self;
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(limits.request);
        let service = service_fn(move |request| router.call(from(peer, request)));
        let _ = watcher.watch(http.serve_connection(io, service)).await;
    }

    async fn http2(self, io: impl Read + Write + Send + Unpin + 'static) {
        let Self { peer, router, limits, watcher } = self;
        let mut http = http2::Builder::new(TokioExecutor::new());
        http.timer(TokioTimer::new()).max_concurrent_streams(STREAMS).max_header_list_size(HEAD);
        let activity = Activity::new();
        let seen = Arc::clone(&activity);
        let service = service_fn(move |request| {
            let (answer, under_way) = (router.call(from(peer, request)), seen.begin());
            async move {
                let answer: Response<Body> = answer.await?;
                Ok::<_, Infallible>(answer.map(|body| under_way.until_sent(body)))
            }
        });
        let served = watcher.watch(http.serve_connection(io, service));
        tokio::select! {
            _ = served => {}
            () = activity.idle_for(limits.request) => {}
        }
    }
}

fn from(peer: SocketAddr, mut request: Request<Incoming>) -> Request<Incoming> {
    request.extensions_mut().insert(Peer(peer));
    request
}
