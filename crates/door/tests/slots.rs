//! A server whose slots are all in use: idle connections are closed for new ones, connections that are being
//! answered are not. Time limits are ten minutes here, so a test that had to wait for one would not end.
#![allow(clippy::unwrap_used)]

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{scope, sleep};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::routing::{get, post};
use door::{Door, Limits, WhenFull};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::sync::Semaphore;

use crate::certificates::Authority;
use crate::running_door::{RunningDoor, TestClient, served_by, wait_until};

const SLOTS: usize = 20;
const LARGE: usize = 64 << 20;

/// The router behind the servers here.
#[derive(Clone)]
struct Backend {
    /// `/held` is answered once for each permit.
    held: Arc<Semaphore>,
    /// Requests whose work began.
    begun: Arc<AtomicUsize>,
}

impl Backend {
    fn new() -> Self {
        Self { held: Arc::new(Semaphore::new(0)), begun: Arc::default() }
    }

    fn router(&self) -> Router {
        let (Self { held, begun }, all) = (self.clone(), Arc::clone(&self.begun));
        let answer_held = move || async move {
            begun.fetch_add(1, Ordering::SeqCst);
            held.acquire().await.unwrap().forget();
            "held"
        };
        let count = move |body: Bytes| async move {
            all.fetch_add(1, Ordering::SeqCst);
            format!("{} bytes", body.len())
        };
        Router::new()
            .route("/", get(|| async { "here" }))
            .route("/held", get(answer_held))
            .route("/count", post(count))
            .route("/large", get(|| async { vec![b'x'; LARGE] }))
    }

    fn open(&self, slots: usize, request: Duration) -> RunningDoor {
        let limits = Limits {
            connections: slots,
            when_full: WhenFull::CloseIdle,
            request,
            answer: request,
            held: 1 << 30,
            stop: Duration::from_secs(1),
        };
        RunningDoor::with(limits, None, self.router())
    }
}

const MINUTES: Duration = Duration::from_secs(600);

fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    stream
}

fn say(stream: &mut TcpStream, words: &str) {
    stream.write_all(words.as_bytes()).unwrap();
}

/// Asks on an open connection and reads a short answer.
fn ask(stream: &mut TcpStream, path: &str) -> std::io::Result<String> {
    stream.write_all(format!("GET {path} HTTP/1.1\r\nhost: x\r\n\r\n").as_bytes())?;
    answer(stream)
}

fn answer(stream: &mut TcpStream) -> std::io::Result<String> {
    let mut read = Vec::new();
    loop {
        let mut some = [0; 1024];
        let count = stream.read(&mut some)?;
        if count == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        read.extend_from_slice(&some[..count]);
        let text = String::from_utf8_lossy(&read).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
        if body.len() == length.parse::<usize>().unwrap() {
            return Ok(body.to_owned());
        }
    }
}

fn is_closed(stream: &mut TcpStream) -> bool {
    match stream.read(&mut [0; 64]) {
        Ok(count) => count == 0,
        Err(error) => error.kind() == ErrorKind::ConnectionReset,
    }
}

/// Opens idle connections, alternating between four kinds.
fn idlers(address: SocketAddr, count: usize) -> Vec<TcpStream> {
    (0..count)
        .map(|number| {
            let mut stream = connect(address);
            match number % 4 {
                0 => {}
                1 => say(&mut stream, "GET / HTTP/1.1\r\nhost: x\r\nx-slow: "),
                2 => {
                    say(&mut stream, "POST /count HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nsome");
                }
                _ => assert_eq!(ask(&mut stream, "/").unwrap(), "here"),
            }
            stream
        })
        .collect()
}

#[test]
fn a_newcomer_is_answered_at_once_while_ten_times_as_many_idle() {
    let backend = Backend::new();
    let open = backend.open(SLOTS, MINUTES);
    let begun = Instant::now();
    let mut idle = idlers(open.address, 10 * SLOTS);
    for _ in 0..5 {
        assert_eq!(ask(&mut connect(open.address), "/").unwrap(), "here");
        idle.extend(idlers(open.address, SLOTS));
    }
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    wait_until("the last one is in", || open.connections.closed_for_newcomers() >= 14 * SLOTS as u64);
    assert!(open.connections.open() <= SLOTS);
    assert!(idle[..10 * SLOTS].iter_mut().all(is_closed), "those who came first are closed");
    assert_eq!(backend.begun.load(Ordering::SeqCst), 0, "no post was worked on that did not come whole");
    open.wait_for_notice("all 20 connection slots are in use");
}

#[test]
fn a_burst_waits_to_be_accepted_and_is_not_refused() {
    // Nothing is accepted yet.
    let door = Door::open("127.0.0.1:0", Limits::default()).unwrap();
    let allowed = std::fs::read_to_string("/proc/sys/net/core/somaxconn").unwrap();
    let count = allowed.trim().parse::<usize>().unwrap().min(1_000);
    let burst: Vec<_> = (0..count)
        .map(|_| TcpStream::connect_timeout(&door.address(), Duration::from_secs(5)).unwrap())
        .collect();
    assert_eq!(burst.len(), count);
}

#[test]
fn who_has_been_idle_for_longest_goes_first() {
    let open = Backend::new().open(3, MINUTES);
    let mut kept: Vec<TcpStream> = (0..3).map(|_| connect(open.address)).collect();
    // The last one is answered, so all are accepted; the first asks after that; half a head is no request.
    ask(&mut kept[2], "/").unwrap();
    ask(&mut kept[0], "/").unwrap();
    say(&mut kept[1], "GET / HT");
    let mut newcomer = connect(open.address);
    ask(&mut newcomer, "/").unwrap();
    assert!(is_closed(&mut kept[1]));
    kept.push(newcomer);
    for number in [0, 2, 3] {
        assert_eq!(ask(&mut kept[number], "/").unwrap(), "here", "{number}");
    }
    assert_eq!(open.connections.closed_for_newcomers(), 1);
}

#[test]
fn nobody_who_is_being_answered_is_closed_and_the_newcomer_waits_for_one_to_be_done() {
    let backend = Backend::new();
    let open = backend.open(SLOTS, MINUTES);
    let mut held: Vec<TcpStream> = (0..SLOTS).map(|_| connect(open.address)).collect();
    held.iter_mut().for_each(|stream| say(stream, "GET /held HTTP/1.1\r\nhost: x\r\n\r\n"));
    wait_until("all are being answered", || backend.begun.load(Ordering::SeqCst) == SLOTS);
    let mut newcomer = connect(open.address);
    say(&mut newcomer, "GET / HTTP/1.1\r\nhost: x\r\n\r\n");
    newcomer.set_read_timeout(Some(Duration::from_millis(600))).unwrap();
    assert!(newcomer.read(&mut [0; 1]).is_err(), "there is no free slot yet");
    assert_eq!(open.connections.closed_for_newcomers(), 0);
    newcomer.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    backend.held.add_permits(1);
    assert_eq!(answer(&mut newcomer).unwrap(), "here");
    backend.held.add_permits(SLOTS - 1);
    held.iter_mut().for_each(|stream| assert_eq!(answer(stream).unwrap(), "held"));
}

#[test]
fn whatever_was_begun_is_answered_in_any_crowd() {
    let backend = Backend::new();
    let open = backend.open(4, MINUTES);
    let (address, stop) = (open.address, AtomicBool::new(false));
    let post = "POST /count HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\n\r\n";
    let (answered, broken_off) = scope(|scope| {
        let crowd = scope.spawn(|| {
            let mut crowd = std::collections::VecDeque::new();
            while !stop.load(Ordering::Relaxed) {
                crowd.push_back(connect(address));
                crowd.truncate(100);
            }
        });
        let posting: Vec<_> = (0..3)
            .map(|_| {
                scope.spawn(|| {
                    let (mut answered, mut broken_off, begun) = (0, 0, Instant::now());
                    while begun.elapsed() < Duration::from_secs(3) {
                        let mut stream = connect(address);
                        let mut once = || {
                            stream.write_all(post.as_bytes())?;
                            stream.write_all(b"body")?;
                            answer(&mut stream)
                        };
                        while once().is_ok() {
                            answered += 1;
                        }
                        broken_off += 1;
                    }
                    (answered, broken_off)
                })
            })
            .collect();
        let done = posting.into_iter().map(|thread| thread.join().unwrap());
        let done = done.fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1));
        stop.store(true, Ordering::Relaxed);
        crowd.join().unwrap();
        done
    });
    assert!(answered > 50 && broken_off > 50, "{answered} answered, {broken_off} broken off");
    assert_eq!(backend.begun.load(Ordering::SeqCst), answered, "each one that was worked on is answered");
}

#[test]
fn who_does_not_take_the_answer_gives_up_its_slot_and_who_takes_it_slowly_does_not() {
    let open = Backend::new().open(2, MINUTES);
    let mut streams = [connect(open.address), connect(open.address)];
    streams.iter_mut().for_each(|stream| say(stream, "GET /large HTTP/1.1\r\nhost: x\r\n\r\n"));
    let [mut slow, mut asleep] = streams;
    scope(|scope| {
        let newcomer = scope.spawn(|| {
            sleep(Duration::from_millis(500));
            ask(&mut connect(open.address), "/").unwrap()
        });
        let (mut read, mut piece) = (0, vec![0; 1 << 20]);
        while read < LARGE {
            let count = slow.read(&mut piece).unwrap();
            assert!(count > 0, "cut off after {read} bytes");
            read += count;
            sleep(Duration::from_millis(80));
        }
        assert_eq!(newcomer.join().unwrap(), "here");
    });
    assert_eq!(open.connections.closed_for_newcomers(), 1);
    let mut rest = Vec::new();
    let _ = asleep.read_to_end(&mut rest);
    assert!(rest.len() < LARGE, "the one who took nothing is cut off");
}

#[test]
fn who_takes_nothing_for_the_time_of_a_request_is_cut_off_anyway() {
    let open = Backend::new().open(SLOTS, Duration::from_millis(700));
    let mut asleep = connect(open.address);
    say(&mut asleep, "GET /large HTTP/1.1\r\nhost: x\r\n\r\n");
    wait_until("it is in", || open.connections.open() == 1);
    wait_until("it is cut off", || open.connections.open() == 0);
    assert_eq!(open.connections.closed_for_newcomers(), 0);
}

#[test]
fn over_tls_handshakes_and_silence_hold_no_slot() {
    let folder = tempfile::tempdir().unwrap();
    let casino = Authority::new(folder.path(), "casino");
    let limits = Limits {
        connections: SLOTS,
        when_full: WhenFull::CloseIdle,
        request: MINUTES,
        answer: MINUTES,
        held: 1 << 30,
        stop: Duration::from_secs(1),
    };
    let who = Router::new().route("/", get(|| async { "here" }));
    let open = RunningDoor::with(limits, Some(&served_by(&casino)), who);
    let begun = Instant::now();
    let mut idle: Vec<TcpStream> = (0..10 * SLOTS).map(|_| connect(open.address)).collect();
    for speaks in ["http/1.1", "h2"] {
        assert_eq!(TestClient::of(&casino, speaks).ask(open.address).unwrap(), "here", "{speaks}");
    }
    assert!(idle[..8 * SLOTS].iter_mut().all(is_closed));
    // A finished handshake is no request.
    let client = TestClient::of(&casino, "h2");
    client.within(async {
        let mut shaken = Vec::new();
        for _ in 0..3 * SLOTS {
            shaken.push(client.connect(open.address).await.unwrap());
        }
        let mut rest = Vec::new();
        let _ = tokio::io::AsyncReadExt::read_to_end(&mut shaken[0], &mut rest).await;
    });
    assert_eq!(client.ask(open.address).unwrap(), "here");
    assert!(begun.elapsed() < Duration::from_secs(15), "{:?}", begun.elapsed());
}

/// An HTTP/2 connection with one request; returns when the head of the answer arrived.
async fn begun_over_http2(
    client: &TestClient,
    address: SocketAddr,
    path: &str,
) -> hyper::Response<hyper::body::Incoming> {
    let stream = TokioIo::new(client.connect(address).await.unwrap());
    let (mut sender, connection) =
        hyper::client::conn::http2::handshake(TokioExecutor::new(), stream).await.unwrap();
    tokio::spawn(connection);
    let request = hyper::Request::get(format!("https://localhost{path}")).body(String::new()).unwrap();
    sender.send_request(request).await.unwrap()
}

#[test]
fn over_http2_an_answer_is_held_for_a_client_that_takes_it_and_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let casino = Authority::new(folder.path(), "casino");
    let backend = Backend::new();
    let limits = Limits {
        connections: 1,
        when_full: WhenFull::CloseIdle,
        request: MINUTES,
        answer: MINUTES,
        held: 1 << 30,
        stop: Duration::from_secs(1),
    };
    let open = RunningDoor::with(limits, Some(&served_by(&casino)), backend.router());
    let client = TestClient::of(&casino, "h2");
    client.within(async {
        let waiting = begun_over_http2(&client, open.address, "/held");
        let newcomer = async {
            while backend.begun.load(Ordering::SeqCst) == 0 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            let newcomer = begun_over_http2(&client, open.address, "/");
            let early = tokio::time::timeout(Duration::from_millis(600), newcomer).await;
            assert!(early.is_err(), "there is no free slot yet");
            backend.held.add_permits(1);
            begun_over_http2(&client, open.address, "/").await
        };
        let waiting = async {
            let answer = waiting.await;
            axum::body::to_bytes(axum::body::Body::new(answer.into_body()), 100).await.unwrap()
        };
        let (held, here) = tokio::join!(waiting, newcomer);
        assert_eq!(held, "held");
        assert_eq!(here.status(), 200);
        // The stream's window is filled by an answer that nobody reads.
        let asleep = begun_over_http2(&client, open.address, "/large").await;
        let begun = Instant::now();
        assert_eq!(begun_over_http2(&client, open.address, "/").await.status(), 200);
        assert!(begun.elapsed() >= Duration::from_secs(1), "an answer just given is not cut");
        let taken = axum::body::to_bytes(axum::body::Body::new(asleep.into_body()), usize::MAX).await;
        assert!(taken.is_err(), "who took nothing is cut off");
    });
}
