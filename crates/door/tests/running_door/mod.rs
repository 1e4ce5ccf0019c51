//! A server that runs for a test, and a client that asks it over TLS.
#![allow(clippy::unwrap_used)]

use std::convert::Infallible;
use std::io::Write as _;
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::thread::{JoinHandle, sleep};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use door::{Connections, Door, Limits, Tls, TlsFiles};
use hyper::body::Frame;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::sync::oneshot;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::certificates::Authority;

/// A body that never ends and whose length is unknown; its pieces are counted.
#[derive(Clone)]
pub struct Endless {
    pub piece: usize,
    pub pieces: Arc<AtomicUsize>,
}

impl HttpBody for Endless {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.pieces.fetch_add(1, Ordering::SeqCst);
        Poll::Ready(Some(Ok(Frame::data(vec![b'x'; self.piece].into()))))
    }
}

/// Waits until a condition holds, 20 seconds at most.
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(20), "never: {what}");
        sleep(Duration::from_millis(2));
    }
}

/// An HTTP/1.1 connection on which a request with this first line was sent.
pub fn ask_plain(address: SocketAddr, line: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(format!("{line}\r\nhost: localhost\r\n\r\n").as_bytes()).unwrap();
    stream
}

/// A server in its own thread; it stops when this is dropped.
pub struct RunningDoor {
    pub address: SocketAddr,
    pub connections: Connections,
    notices: Arc<Mutex<Vec<String>>>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl RunningDoor {
    pub fn with(limits: Limits, files: Option<&TlsFiles>, router: Router) -> Self {
        let notices: Arc<Mutex<Vec<String>>> = Arc::default();
        let received = Arc::clone(&notices);
        let door = Door::open("127.0.0.1:0", limits).unwrap();
        let door = match files {
            Some(files) => door.with_tls(Tls::load(files.clone()).unwrap()),
            None => door,
        };
        let door = door.with_observer(move |notice| received.lock().unwrap().push(notice.to_string()));
        let (address, connections) = (door.address(), door.connections());
        let (stop, stopped) = oneshot::channel::<()>();
        let thread =
            std::thread::spawn(move || door.serve(router, || async { drop(stopped.await) }).unwrap());
        Self { address, connections, notices, stop: Some(stop), thread: Some(thread) }
    }

    /// Waits until a notice contains `what`.
    pub fn wait_for_notice(&self, what: &str) {
        let begun = Instant::now();
        loop {
            let notices = self.notices.lock().unwrap().clone();
            if notices.iter().any(|notice| notice.contains(what)) {
                return;
            }
            assert!(begun.elapsed() < Duration::from_secs(10), "{what} was not notices, but {notices:?}");
            sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for RunningDoor {
    fn drop(&mut self) {
        drop(self.stop.take());
        self.thread.take().unwrap().join().unwrap();
    }
}

/// A client: the authority it trusts, the certificate it shows, and the protocol it offers.
pub struct TestClient {
    pub believes: PathBuf,
    pub shows: Option<(PathBuf, PathBuf)>,
    pub speaks: &'static str,
}

impl TestClient {
    pub fn of(authority: &Authority, speaks: &'static str) -> Self {
        Self { believes: authority.path(), shows: None, speaks }
    }

    pub async fn connect(&self, address: SocketAddr) -> std::io::Result<TlsStream<tokio::net::TcpStream>> {
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_file(&self.believes).unwrap()).unwrap();
        let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
        let builder = builder.with_safe_default_protocol_versions().unwrap().with_root_certificates(roots);
        let mut config = match &self.shows {
            None => builder.with_no_client_auth(),
            Some((certificate, key)) => {
                let chain = vec![CertificateDer::from_pem_file(certificate).unwrap()];
                builder.with_client_auth_cert(chain, PrivateKeyDer::from_pem_file(key).unwrap()).unwrap()
            }
        };
        config.alpn_protocols = vec![self.speaks.as_bytes().to_vec()];
        let stream = tokio::net::TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        TlsConnector::from(Arc::new(config)).connect(ServerName::try_from("localhost").unwrap(), stream).await
    }

    /// The body of the server's answer, or what went wrong.
    pub fn ask(&self, address: SocketAddr) -> Result<String, String> {
        self.within(async {
            let stream = TokioIo::new(self.connect(address).await.map_err(|error| error.to_string())?);
            let request = hyper::Request::get("https://localhost/").header("host", "localhost");
            let request = request.body(String::new()).unwrap();
            let answer = if self.speaks == "h2" {
                let hands = hyper::client::conn::http2::handshake(TokioExecutor::new(), stream).await;
                let (mut sender, connection) = hands.map_err(|error| error.to_string())?;
                tokio::spawn(connection);
                sender.send_request(request).await
            } else {
                let hands = hyper::client::conn::http1::handshake(stream).await;
                let (mut sender, connection) = hands.map_err(|error| error.to_string())?;
                tokio::spawn(connection);
                sender.send_request(request).await
            };
            let body = Body::new(answer.map_err(|error| format!("{error:?}"))?.into_body());
            let bytes = axum::body::to_bytes(body, 1_000).await.map_err(|error| error.to_string())?;
            Ok(String::from_utf8(bytes.to_vec()).unwrap())
        })
    }

    pub fn within<R>(&self, work: impl Future<Output = R>) -> R {
        // A test that waits for ever would be known by no name.
        let work = async { tokio::time::timeout(Duration::from_secs(120), work).await.unwrap() };
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
    }
}

pub fn served_by(authority: &Authority) -> TlsFiles {
    let (certificate, key) = authority.vouch("door");
    TlsFiles { certificate, key, client_ca: None }
}
