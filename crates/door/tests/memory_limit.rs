//! Memory held by requests that wait for their client is bounded over all connections, and clients that read
//! nothing are closed before those that read. Time limits are ten minutes here, so nobody is cut off only for
//! being slow.
#![allow(clippy::unwrap_used)]

use std::io::{Read as _, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{scope, sleep};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::routing::{get, post};
use axum::{Extension, Router};
use door::{Limits, Shared, WhenFull};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio_rustls::client::TlsStream;

use crate::certificates::Authority;
use crate::frames::{self, Kind, frame, hello, send, streams};
use crate::running_door::{Endless, RunningDoor, TestClient, ask_plain, served_by, wait_until};

const MINUTES: Duration = Duration::from_secs(600);
const ANSWER: usize = 256 << 10;
const LARGE: usize = 8 << 20;
/// Streams of one connection.
const STREAMS: u32 = 32;

fn limits(held: usize) -> Limits {
    let stop = Duration::from_millis(200);
    Limits {
        connections: 1_000,
        when_full: WhenFull::CloseIdle,
        request: MINUTES,
        answer: MINUTES,
        held,
        stop,
    }
}

fn router() -> Router {
    let count = |body: Bytes| async move { format!("{} bytes", body.len()) };
    Router::new()
        .route("/", get(|| async { "here" }))
        .route("/answer", get(|| async { vec![b'x'; ANSWER] }))
        .route("/large", get(|| async { vec![b'x'; LARGE] }))
        .route("/shared", get(|| async { (Extension(Shared), vec![b'x'; LARGE]) }))
        .route("/endless", get(|| async { Body::new(Endless { piece: ANSWER, pieces: Arc::default() }) }))
        .route("/count", post(count))
}

/// A server over TLS, and a client for it.
fn open(folder: &tempfile::TempDir, held: usize) -> (RunningDoor, TestClient) {
    let casino = Authority::new(folder.path(), "casino");
    (RunningDoor::with(limits(held), Some(&served_by(&casino)), router()), TestClient::of(&casino, "h2"))
}

/// A connection of a client that asks for much and reads nothing.
async fn takes_nothing(
    client: &TestClient,
    open: &RunningDoor,
    path: &str,
) -> TlsStream<tokio::net::TcpStream> {
    let mut stream = client.connect(open.address).await.unwrap();
    let asked: Vec<u8> = streams(STREAMS).flat_map(|number| frames::get(number, path)).collect();
    send(&mut stream, &[hello(0), asked].concat()).await;
    stream
}

/// Asks on one connection again and again while `busy`, reads every answer and counts it.
fn honest(client: &TestClient, open: &RunningDoor, busy: &AtomicBool, answered: &AtomicUsize) {
    client.within(async {
        let stream = TokioIo::new(client.connect(open.address).await.unwrap());
        let (mut sender, connection) =
            hyper::client::conn::http2::handshake(TokioExecutor::new(), stream).await.unwrap();
        tokio::spawn(connection);
        while busy.load(Ordering::Relaxed) {
            let request = hyper::Request::get("https://localhost/answer").body(String::new());
            let answer = sender.send_request(request.unwrap()).await.unwrap();
            let body = axum::body::to_bytes(Body::new(answer.into_body()), usize::MAX).await;
            assert_eq!(body.unwrap().len(), ANSWER);
            answered.fetch_add(1, Ordering::Relaxed);
        }
    });
}

/// Clears the flag when dropped, also in a test that fails.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

#[test]
fn what_nobody_takes_is_bounded_and_who_takes_it_is_answered() {
    let folder = tempfile::tempdir().unwrap();
    let (most, busy, answered) = (16 << 20, AtomicBool::new(true), AtomicUsize::new(0));
    let (open, client) = open(&folder, most);
    scope(|scope| {
        let _over = Over(&busy);
        let honest = scope.spawn(|| honest(&client, &open, &busy, &answered));
        client.within(async {
            let mut crowd = Vec::new();
            // Together they ask for thirty times the limit. Between two of them the honest client takes an
            // answer, however slow the machine is: of all clients, it never takes nothing for longest.
            for _ in 0..60 {
                let before = answered.load(Ordering::Relaxed);
                crowd.push(takes_nothing(&client, &open, "/answer").await);
                assert!(open.connections.held() <= most, "{} are held", open.connections.held());
                wait_until("the honest client takes an answer", || answered.load(Ordering::Relaxed) > before);
            }
            wait_until("connections that read nothing are closed", || {
                open.connections.closed_for_memory() >= 50
            });
        });
        busy.store(false, Ordering::Relaxed);
        honest.join().unwrap();
    });
    wait_until("all is let go of", || open.connections.held() == 0);
}

#[test]
fn an_answer_that_is_longer_than_the_bound_is_sent_and_those_who_take_nothing_are_closed() {
    let folder = tempfile::tempdir().unwrap();
    let (open, client) = open(&folder, 1 << 20);
    let read = || {
        client.within(async {
            let stream = TokioIo::new(client.connect(open.address).await.unwrap());
            let hands = hyper::client::conn::http2::handshake(TokioExecutor::new(), stream).await;
            let (mut sender, connection) = hands.unwrap();
            tokio::spawn(connection);
            let request = hyper::Request::get("https://localhost/large").body(String::new());
            let answer = sender.send_request(request.unwrap()).await.unwrap();
            axum::body::to_bytes(Body::new(answer.into_body()), usize::MAX).await.unwrap().len()
        })
    };
    assert_eq!(read(), LARGE);
    assert_eq!(open.connections.closed_for_memory(), 0);
    client.within(async {
        let mut asleep = takes_nothing(&client, &open, "/").await;
        assert_eq!(std::thread::scope(|scope| scope.spawn(read).join().unwrap()), LARGE);
        assert!(frames::ends(&mut asleep).await, "it was closed");
    });
    assert_eq!(open.connections.closed_for_memory(), 1);
}

#[test]
fn who_takes_slowly_is_answered_to_the_end_while_others_who_take_nothing_come_and_go() {
    let open = RunningDoor::with(limits(12 << 20), None, router());
    let ask = |path: &str| ask_plain(open.address, &format!("GET {path} HTTP/1.1"));
    let mut slow = ask("/large");
    wait_until("the slow one is answered", || open.connections.held() >= LARGE);
    let (mut asleep, mut read, mut piece) = (Vec::new(), 0, vec![0; 64 << 10]);
    while read < LARGE {
        let count = slow.read(&mut piece).unwrap();
        assert!(count > 0, "cut off after {read} bytes");
        read += count;
        sleep(Duration::from_millis(10));
        asleep.push(ask("/answer"));
        assert!(open.connections.held() <= 12 << 20);
    }
    assert!(open.connections.closed_for_memory() > 0);
}

#[test]
fn who_takes_a_moment_between_head_and_body_is_not_closed_before_those_who_take_nothing() {
    let open = RunningDoor::with(limits(4 << 20), None, router());
    let ask = |head: &str| ask_plain(open.address, head);
    let mut honest = ask("POST /count HTTP/1.1\r\nconnection: close\r\ncontent-length: 4");
    let (mut asleep, begun) = (Vec::new(), Instant::now());
    while begun.elapsed() < Duration::from_secs(1) {
        asleep.push(ask("GET /answer HTTP/1.1"));
        sleep(Duration::from_millis(10));
    }
    assert!(open.connections.closed_for_memory() > 0);
    honest.write_all(b"body").unwrap();
    let mut answer = String::new();
    honest.read_to_string(&mut answer).unwrap();
    assert!(answer.ends_with("4 bytes"), "{answer}");
}

#[test]
fn an_answer_that_all_share_is_not_counted_for_each() {
    let open = RunningDoor::with(limits(LARGE / 2), None, router());
    let mut asleep = Vec::new();
    for _ in 0..20 {
        let mut stream = ask_plain(open.address, "GET /shared HTTP/1.1");
        stream.read_exact(&mut [0]).unwrap();
        asleep.push(stream);
    }
    assert!(open.connections.held() < 1 << 20, "{} are held", open.connections.held());
    assert_eq!(open.connections.closed_for_memory(), 0);
}

#[test]
fn what_is_in_the_buffers_of_a_connection_is_counted_until_it_is_let_go_of() {
    let open = RunningDoor::with(limits(64 << 20), None, router());
    let stream = ask_plain(open.address, "GET /endless HTTP/1.1");
    wait_until("its first piece waits to be written", || open.connections.held() >= ANSWER);
    sleep(Duration::from_millis(100));
    assert!(open.connections.held() < 2 * ANSWER, "a piece that was written is let go of");
    drop(stream);
    wait_until("the rest is let go of", || open.connections.held() == 0);
}

#[test]
fn who_reads_one_answer_does_not_hide_thirty_that_he_does_not_take() {
    let folder = tempfile::tempdir().unwrap();
    let (open, client) = open(&folder, 10 << 20);
    client.within(async {
        let mut sly = client.connect(open.address).await.unwrap();
        let asked: Vec<u8> = streams(30).flat_map(|number| frames::get(number, "/answer")).collect();
        send(&mut sly, &[hello(0), asked].concat()).await;
        let window = |of: u32, more: u32| frame(Kind::WindowUpdate, 0, of, &more.to_be_bytes());
        send(&mut sly, &window(0, 1 << 30)).await;
        // One more answer after the other, and each is read.
        for number in (61..).step_by(2).take(8) {
            let wanted = u32::try_from(ANSWER).unwrap();
            send(&mut sly, &[frames::get(number, "/answer"), window(number, wanted)].concat()).await;
            // To its end: a server lets a connection have only so many streams at once.
            let mut read = 0;
            while read < ANSWER {
                read += frames::until(&mut sly, Kind::Data, number).await.unwrap().len();
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert_eq!(open.connections.closed_for_memory(), 0);
        let mut asleep = Vec::new();
        for _ in 0..3 {
            asleep.push(takes_nothing(&client, &open, "/answer").await);
        }
        assert!(frames::ends(&mut sly).await, "he has kept thirty waiting for longest");
    });
}

#[test]
fn bodies_that_never_come_are_bounded_and_one_that_comes_is_taken() {
    let folder = tempfile::tempdir().unwrap();
    let most = 4 << 20;
    let (open, client) = open(&folder, most);
    client.within(async {
        let mut slow = client.connect(open.address).await.unwrap();
        assert!(send(&mut slow, &[hello(65_535), frames::post(1, "/count")].concat()).await);
        let mut crowd = Vec::new();
        for _ in 0..60 {
            let mut stream = client.connect(open.address).await.unwrap();
            let begun: Vec<u8> = streams(STREAMS).flat_map(|number| frames::post(number, "/count")).collect();
            send(&mut stream, &[hello(0), begun].concat()).await;
            crowd.push(stream);
            // A piece of the body of the client that does send.
            assert!(send(&mut slow, &frame(Kind::Data, 0, 1, &[b'x'; 16 << 10])).await);
            tokio::time::sleep(Duration::from_millis(2)).await;
            assert!(open.connections.held() <= most, "{} are held", open.connections.held());
        }
        assert!(open.connections.closed_for_memory() > 0);
        assert!(send(&mut slow, &frame(Kind::Data, frames::END_STREAM, 1, b"")).await);
        let answer = frames::until(&mut slow, Kind::Data, 1).await.unwrap();
        assert_eq!(answer, format!("{} bytes", 60 * (16 << 10)).as_bytes());
    });
}
