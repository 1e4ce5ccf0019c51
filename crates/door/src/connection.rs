//! One connection from accept to end: an optional TLS handshake, then HTTP/1.1 or HTTP/2. When it must end is
//! decided by its slot, not here.

use std::future::poll_fn;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use axum::Router;
use axum::body::Body;
use hyper::body::Incoming;
use hyper::server::conn::{http1, http2};
use hyper::service::{Service, service_fn};
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::graceful::Watcher;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;

use crate::exchange::{AnswerEnd, Exchange};
use crate::notice::Notice;
use crate::slot::{Closing, Slot};
use crate::wire::Wire;
use crate::{Limits, Observer};

/// Most concurrent requests on one HTTP/2 connection.
const STREAMS: u32 = 32;
/// Longest head of a request, bytes.
const HEAD: u16 = 16 << 10;
/// Most that is buffered of an HTTP/1.1 request body, and of an answer that waits to be written, bytes. An
/// idle connection keeps its buffer. With 16 KiB, posts of 45 kB took 44 ms instead of 14 ms, because the
/// system delayed its TCP acknowledgements.
const BUFFER: usize = 64 << 10;
/// Most that an HTTP/2 client may send of its bodies before they are read, bytes.
const WINDOW: u32 = 256 << 10;
/// Most TLS output that is buffered on one connection, bytes: one record.
const RECORD: usize = 16 << 10;

/// Extension for an answer whose bytes are shared by all answers: they are not counted against
/// [`Limits::held`](crate::Limits::held).
#[derive(Debug, Clone, Copy)]
pub struct Shared;

/// The client's address, an extension of every request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peer(pub SocketAddr);

/// An accepted connection and everything that is needed to serve it.
pub(crate) struct Connection {
    pub(crate) stream: TcpStream,
    pub(crate) peer: SocketAddr,
    pub(crate) slot: Arc<Slot>,
    pub(crate) tls: Option<TlsAcceptor>,
    pub(crate) router: Router,
    pub(crate) limits: Limits,
    pub(crate) watcher: Watcher,
    pub(crate) observer: Arc<Observer>,
}

impl Connection {
    /// Serves requests until the connection ends, a time limit passes, or the slot is needed for a new
    /// connection. A connection that breaks is not reported: only its client is affected.
    pub(crate) async fn serve(self) {
        let (slot, limits) = (Arc::clone(&self.slot), self.limits);
        let mut visit = pin!(self.visit());
        tokio::select! {
            () = &mut visit => return,
            () = slot.until_closing(&limits) => {}
        }
        // Answers that are already written still go out; no new request begins.
        poll_fn(|context| {
            let _ = visit.as_mut().poll(context);
            Poll::Ready(())
        })
        .await;
    }

    async fn visit(self) {
        let Self { stream, peer, slot, tls, router, limits, watcher, observer } = self;
        let (slot_of_handshake, router) = (Arc::clone(&slot), TowerToHyperService::new(router));
        let visit = HttpConnection { peer, slot, router, watcher };
        let Some(acceptor) = tls else {
            return visit.http1(stream).await;
        };
        slot_of_handshake.set_in_handshake(true);
        let accepted = acceptor.accept_with(stream, |tls| tls.set_buffer_limit(Some(RECORD)));
        let shaken = timeout(limits.request, accepted).await;
        slot_of_handshake.set_in_handshake(false);
        let refused = |why: String| observer(&Notice::ConnectionRefused { peer, why });
        match shaken {
            Ok(Ok(stream)) if stream.get_ref().1.alpn_protocol() == Some(b"h2") => visit.http2(stream).await,
            Ok(Ok(stream)) => visit.http1(stream).await,
            Ok(Err(error)) => refused(error.to_string()),
            Err(_) => refused("the TLS handshake took too long".to_owned()),
        }
    }
}

/// A connection that is ready for HTTP (after TLS, where there is TLS).
struct HttpConnection {
    peer: SocketAddr,
    slot: Arc<Slot>,
    router: TowerToHyperService<Router>,
    watcher: Watcher,
}

impl HttpConnection {
    async fn http1(self, stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static) {
        let Self { peer, slot, router, watcher } = self;
        let io = TokioIo::new(Wire { stream, slot: Arc::clone(&slot) });
        let service = service_fn(move |request| answer(peer, &slot, &router, request, AnswerEnd::Flushed));
        // The slot limits the time for a head and the idle time.
        let mut http = http1::Builder::new();
        http.header_read_timeout(None).max_header_size(HEAD.into()).max_buf_size(BUFFER);
        let _ = watcher.watch(http.serve_connection(io, service)).await;
    }

    async fn http2(self, stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static) {
        let Self { peer, slot, router, watcher } = self;
        let service =
            service_fn(move |request| answer(peer, &slot, &router, request, AnswerEnd::LastPieceDropped));
        let mut http = http2::Builder::new(TokioExecutor::new());
        http.timer(TokioTimer::new()).max_concurrent_streams(STREAMS).max_header_list_size(HEAD.into());
        http.initial_connection_window_size(WINDOW).initial_stream_window_size(WINDOW);
        http.max_send_buf_size(BUFFER);
        let _ = watcher.watch(http.serve_connection(TokioIo::new(stream), service)).await;
    }
}

/// The router's answer. There is none if the connection was chosen for closing before the request was
/// complete.
fn answer(
    peer: SocketAddr,
    slot: &Arc<Slot>,
    router: &TowerToHyperService<Router>,
    request: Request<Incoming>,
    answer_end: AnswerEnd,
) -> impl Future<Output = Result<Response<Body>, Closing>> + use<> {
    let (slot, router) = (Arc::clone(slot), router.clone());
    async move {
        let (head, body) = request.into_parts();
        let (exchange, body) = Exchange::begin(&slot, &head, body, answer_end)?;
        let mut request = Request::from_parts(head, body);
        request.extensions_mut().insert(Peer(peer));
        let (head, body) = router.call(request).await.unwrap_or_else(|never| match never {}).into_parts();
        let is_shared = head.extensions.get::<Shared>().is_some();
        Ok(Response::from_parts(head, exchange.answer(body, is_shared)?))
    }
}
