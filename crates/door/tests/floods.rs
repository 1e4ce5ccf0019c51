//! Floods on one connection: of heads, pings, resets, frames, and answers that nobody reads. Each is cut off
//! or costs the server little, and other clients are answered.
#![allow(clippy::unwrap_used)]

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::routing::{get, post};
use door::Limits;
use tokio_rustls::client::TlsStream;

use crate::certificates::Authority;
use crate::frames::{self, ACK, END_HEADERS, Kind, ends, frame, hello, literal, send, streams, until};
use crate::running_door::{Endless, RunningDoor, TestClient, ask_plain, served_by, wait_until};

const MINUTES: Duration = Duration::from_secs(600);
const PIECE: usize = 16 << 10;

/// The router behind the server, and counts of what was requested.
#[derive(Clone, Default)]
struct Backend {
    /// Requests for work that never ends.
    begun: Arc<AtomicUsize>,
    /// Pieces of an answer that never ends.
    pieces: Arc<AtomicUsize>,
}

impl Backend {
    fn router(&self) -> Router {
        let (begun, endless) =
            (Arc::clone(&self.begun), Endless { piece: PIECE, pieces: Arc::clone(&self.pieces) });
        let works = move || {
            begun.fetch_add(1, Ordering::SeqCst);
            std::future::pending::<()>()
        };
        // Receives a body and does not read it.
        let keeps = |request: Request| async move {
            std::future::pending::<()>().await;
            drop(request);
        };
        Router::new()
            .route("/", get(|| async { "here" }))
            .route("/works", get(works))
            .route("/keeps", post(keeps))
            .route("/endless", get(|| async { Body::new(endless) }))
    }
}

/// A server over TLS with a given limit for idle connections.
struct Flooded {
    open: RunningDoor,
    client: TestClient,
    backend: Backend,
    _place: tempfile::TempDir,
}

impl Flooded {
    fn with(request: Duration) -> Self {
        let (folder, backend) = (tempfile::tempdir().unwrap(), Backend::default());
        let casino = Authority::new(folder.path(), "casino");
        let limits =
            Limits { request, answer: MINUTES, stop: Duration::from_millis(100), ..Limits::default() };
        let open = RunningDoor::with(limits, Some(&served_by(&casino)), backend.router());
        Self { open, client: TestClient::of(&casino, "h2"), backend, _place: folder }
    }

    async fn connect(&self) -> TlsStream<tokio::net::TcpStream> {
        let mut stream = self.client.connect(self.open.address).await.unwrap();
        assert!(send(&mut stream, &hello(65_535)).await);
        stream
    }

    /// Sends frames; the connection must end before `most` of them were sent.
    async fn flood(stream: &mut TlsStream<tokio::net::TcpStream>, frames: &[u8], most: usize) {
        for _ in 0..most {
            if !send(stream, frames).await {
                return;
            }
        }
        assert!(ends(stream).await, "it goes on after {most}");
    }

    fn answers(&self) {
        assert_eq!(self.client.ask(self.open.address).unwrap(), "here");
    }
}

/// The value of an announced setting (RFC 9113, section 6.5).
fn setting(settings: &[u8], wanted: u16) -> u32 {
    let mut each = settings.chunks(6).map(|pair| pair.split_at(2));
    let found = each.find(|(number, _)| **number == wanted.to_be_bytes()[..]);
    u32::from_be_bytes(found.unwrap().1.try_into().unwrap())
}

#[test]
fn what_a_connection_may_have_at_once_is_announced_and_kept_to() {
    let flooded = Flooded::with(MINUTES);
    flooded.client.within(async {
        let mut stream = flooded.connect().await;
        let settings = until(&mut stream, Kind::Settings, 0).await.unwrap();
        let [requests, window, list] = [3, 4, 6].map(|number| setting(&settings, number));
        assert_eq!((requests, window, list), (32, 256 << 10, 16 << 10));
        let asked: Vec<u8> = streams(33).flat_map(|number| frames::get(number, "/works")).collect();
        send(&mut stream, &asked).await;
        let refused = until(&mut stream, Kind::Reset, 65).await.unwrap();
        assert_eq!(refused, 7_u32.to_be_bytes(), "REFUSED_STREAM: ask again");
        wait_until("all others are worked on", || flooded.backend.begun.load(Ordering::SeqCst) == 32);
    });
    flooded.answers();
}

#[test]
fn a_head_that_is_too_long_is_refused_before_it_is_kept() {
    let flooded = Flooded::with(MINUTES);
    flooded.client.within(async {
        let mut stream = flooded.connect().await;
        let head = [frames::head("GET", "/works", &[]), literal("x-fill", &"f".repeat(16_200))].concat();
        send(&mut stream, &frame(Kind::Headers, END_HEADERS, 1, &head)).await;
        // The answer is 431 or a reset of the stream; either way the connection goes on.
        send(&mut stream, &frames::get(3, "/")).await;
        assert_eq!(until(&mut stream, Kind::Data, 3).await.unwrap(), b"here");
        // A head that never ends, first as long frames, then as empty ones.
        let begins = frame(Kind::Headers, 0, 5, &frames::head("GET", "/works", &[]));
        send(&mut stream, &begins).await;
        let more = frame(Kind::Continuation, 0, 5, &literal("x-fill", &"f".repeat(4_000)));
        Flooded::flood(&mut stream, &more, 10_000).await;
        let mut stream = flooded.connect().await;
        send(&mut stream, &frame(Kind::Headers, 0, 1, &frames::head("GET", "/works", &[]))).await;
        let nothing = frame(Kind::Continuation, 0, 1, b"");
        Flooded::flood(&mut stream, &nothing, 100_000).await;
    });
    assert_eq!(flooded.backend.begun.load(Ordering::SeqCst), 0, "none of them was asked of anybody");
    let open = RunningDoor::with(Limits::default(), None, flooded.backend.router());
    let mut stream = TcpStream::connect(open.address).unwrap();
    stream
        .write_all(format!("GET / HTTP/1.1\r\nhost: localhost\r\nx: {}", "f".repeat(17_000)).as_bytes())
        .unwrap();
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer);
    assert!(answer.starts_with("HTTP/1.1 431 "), "{answer}");
    flooded.answers();
}

#[test]
fn pings_and_settings_are_no_requests() {
    let flooded = Flooded::with(Duration::from_millis(700));
    let chatter = [frame(Kind::Ping, 0, 0, b"are you "), frame(Kind::Settings, 0, 0, b"")].concat();
    flooded.client.within(async {
        let (mut reader, mut writer) = tokio::io::split(flooded.connect().await);
        let reading = tokio::spawn(async move { tokio::io::copy(&mut reader, &mut tokio::io::sink()).await });
        let begun = Instant::now();
        while tokio::io::AsyncWriteExt::write_all(&mut writer, &chatter.repeat(20)).await.is_ok() {
            assert!(begun.elapsed() < Duration::from_secs(20), "who only chatters stays for ever");
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        drop(reading.await);
        // A client that does not even read the answers is not read any more.
        let mut deaf = flooded.connect().await;
        let much = chatter.repeat(200);
        let flood = Flooded::flood(&mut deaf, &much, 1 << 20);
        let flood = tokio::time::timeout(Duration::from_secs(8), flood);
        assert!(flood.await.is_ok(), "it is cut off when its time is over");
    });
    assert_eq!(flooded.open.connections.held(), 0);
    flooded.answers();
}

#[test]
fn who_gives_up_what_he_asked_for_again_and_again_is_cut_off() {
    let flooded = Flooded::with(MINUTES);
    let begun = || flooded.backend.begun.load(Ordering::SeqCst);
    flooded.client.within(async {
        let mut stream = flooded.connect().await;
        for number in streams(1_000) {
            let before = begun();
            if !send(&mut stream, &frames::get(number, "/works")).await {
                break;
            }
            let waiting_since = Instant::now();
            while begun() == before && waiting_since.elapsed() < Duration::from_millis(500) {
                tokio::time::sleep(Duration::from_micros(200)).await;
            }
            send(&mut stream, &frame(Kind::Reset, 0, number, &8_u32.to_be_bytes())).await;
        }
        assert!((100..200).contains(&begun()), "{} times work was begun", begun());
        // A client that finishes as many requests as it aborts goes on.
        let mut stream = flooded.connect().await;
        for number in (1..).step_by(4).take(200) {
            let both = [frames::get(number, "/works"), frames::get(number + 2, "/")];
            send(&mut stream, &both.concat()).await;
            assert_eq!(until(&mut stream, Kind::Data, number + 2).await.unwrap(), b"here");
            send(&mut stream, &frame(Kind::Reset, 0, number, &8_u32.to_be_bytes())).await;
        }
    });
    flooded.answers();
    wait_until("nothing is held", || flooded.open.connections.held() == 0);
}

#[test]
fn of_a_body_that_nobody_reads_little_is_taken() {
    let flooded = Flooded::with(MINUTES);
    flooded.client.within(async {
        let whole = frame(Kind::Data, 0, 1, &[b'x'; PIECE]);
        let byte = frame(Kind::Data, 0, 1, b"x");
        for (frame, most) in [(whole, 100), (byte, 100_000)] {
            let mut stream = flooded.connect().await;
            send(&mut stream, &frames::post(1, "/keeps")).await;
            Flooded::flood(&mut stream, &frame, most).await;
        }
        // The server still answers settings on this connection.
        let mut stream = flooded.connect().await;
        send(&mut stream, &frame(Kind::Settings, 0, 0, b"")).await;
        until(&mut stream, Kind::Settings, 0).await.unwrap();
        assert!(send(&mut stream, &frame(Kind::Settings, ACK, 0, b"")).await);
    });
    flooded.answers();
}

#[test]
fn the_system_takes_little_of_an_answer_that_nobody_reads() {
    let backend = Backend::default();
    let open = RunningDoor::with(Limits::default(), None, backend.router());
    let _stream = ask_plain(open.address, "GET /endless HTTP/1.1");
    let pieces = || backend.pieces.load(Ordering::SeqCst);
    wait_until("it is answered", || pieces() > 4);
    // Wait until no more is taken.
    let mut before = 0;
    wait_until("it stops", || {
        sleep(Duration::from_millis(300));
        std::mem::replace(&mut before, pieces()) == pieces()
    });
    // What the client's own system buffers is not the server's.
    assert!(pieces() * PIECE < 1 << 20, "{} KiB were taken", (pieces() * PIECE) >> 10);
}
