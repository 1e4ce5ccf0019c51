//! A server that sends without end: the client gives it up or drops what nobody takes, and its memory stays below the
//! figure that `docs/security.md` states.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use fleet::Connection;

/// What `docs/security.md` and `docs/fleet.md` state, for a client with one subscription that nobody reads.
const MOST: usize = 128 << 20;
/// How long each server sends. Without limits any of them takes hundreds of megabytes in this time.
const TIME: Duration = Duration::from_secs(3);

const INFO: &str = "{\"server_id\":\"x\",\"server_name\":\"x\",\"version\":\"2.10.0\",\"go\":\"\",\"host\":\"127.0.0.1\",\
                    \"port\":4222,\"headers\":true,\"max_payload\":1048576,\"proto\":1,\"client_id\":1";

/// What a server does once a client was let in; the number is its subscription's.
type Hostility = fn(&mut TcpStream, u64) -> std::io::Result<()>;

fn for_ever(stream: &mut TcpStream, bytes: &[u8]) -> std::io::Result<()> {
    let many = bytes.repeat((64 << 10) / bytes.len() + 1);
    loop {
        stream.write_all(&many)?;
    }
}

fn endless_line(stream: &mut TcpStream, _: u64) -> std::io::Result<()> {
    stream.write_all(b"INFO ")?;
    for_ever(stream, b"x")
}

fn endless_message(stream: &mut TcpStream, sid: u64) -> std::io::Result<()> {
    stream.write_all(format!("MSG table {sid} 1099511627776\r\n").as_bytes())?;
    for_ever(stream, b"x")
}

fn long_messages(stream: &mut TcpStream, sid: u64) -> std::io::Result<()> {
    let message = [format!("MSG table {sid} 1048576\r\n").as_bytes(), &vec![b'x'; 1 << 20], b"\r\n"].concat();
    for_ever(stream, &message)
}

/// Short ones, each after one that is dropped: a slice of the buffer would keep both.
fn short_after_long(stream: &mut TcpStream, sid: u64) -> std::io::Result<()> {
    let long = [&b"MSG table 99999 4194304\r\n"[..], &vec![b'x'; 4 << 20], b"\r\n"].concat();
    for_ever(stream, &[&long[..], format!("MSG table {sid} 1\r\nx\r\n").as_bytes()].concat())
}

fn long_subjects(stream: &mut TcpStream, sid: u64) -> std::io::Result<()> {
    for_ever(stream, format!("MSG {} {sid} 0\r\n\r\n", "x".repeat(60_000)).as_bytes())
}

fn many_headers(stream: &mut TcpStream, sid: u64) -> std::io::Result<()> {
    let headers = format!("NATS/1.0\r\n{}\r\n", "a: b\r\n".repeat(60));
    let message = format!("HMSG table {sid} {0} {0}\r\n{headers}\r\n", headers.len());
    for_ever(stream, message.as_bytes())
}

fn endless_headers(stream: &mut TcpStream, sid: u64) -> std::io::Result<()> {
    let headers = format!("NATS/1.0\r\n{}\r\n", "a: b\r\n".repeat(1 << 20));
    let message = format!("HMSG table {sid} {0} {0}\r\n{headers}\r\n", headers.len());
    for_ever(stream, message.as_bytes())
}

/// It reads none of the answers.
fn pings(stream: &mut TcpStream, _: u64) -> std::io::Result<()> {
    for_ever(stream, b"PING\r\n")
}

fn errors(stream: &mut TcpStream, _: u64) -> std::io::Result<()> {
    for_ever(stream, format!("-ERR '{}'\r\n", "x".repeat(60_000)).as_bytes())
}

fn infos(stream: &mut TcpStream, _: u64) -> std::io::Result<()> {
    for_ever(stream, format!("INFO {INFO},\"connect_urls\":[{}]}}\r\n", urls(0)).as_bytes())
}

/// It closes the connection at once; the next INFO names other servers.
fn reconnects(_: &mut TcpStream, _: u64) -> std::io::Result<()> {
    Ok(())
}

fn urls(number: u64) -> String {
    let urls: Vec<String> = (0..1_500).map(|url| format!("\"n{number}-{url}.example:4222\"")).collect();
    urls.join(",")
}

/// Lets clients in, and then is hostile.
fn serve(listener: &TcpListener, hostility: Hostility, ended: &AtomicBool, met: &AtomicU64) {
    // Whoever is named is tried too, so that this server is met seldom.
    let names_others = std::ptr::fn_addr_eq(hostility, reconnects as Hostility);
    for (number, stream) in (0..).zip(listener.incoming()) {
        if ended.load(Ordering::SeqCst) {
            return;
        }
        let mut stream = stream.unwrap();
        stream.set_write_timeout(Some(Duration::from_millis(500))).unwrap();
        stream.set_read_timeout(Some(Duration::from_millis(500))).unwrap();
        let named = if names_others { urls(number) } else { String::new() };
        let info = format!("INFO {INFO},\"connect_urls\":[{named}]}}\r\n");
        let mut let_in = || {
            stream.write_all(info.as_bytes())?;
            let (mut lines, mut sid) = (BufReader::new(stream.try_clone()?), None);
            while sid.is_none() {
                let mut line = String::new();
                if lines.read_line(&mut line)? == 0 {
                    return Ok(());
                }
                if line.starts_with("PING") {
                    stream.write_all(b"PONG\r\n")?;
                }
                sid = line.strip_prefix("SUB ").and_then(|rest| rest.trim().rsplit_once(' ')?.1.parse().ok());
            }
            met.fetch_add(1, Ordering::SeqCst);
            hostility(&mut stream, sid.unwrap_or_default())
        };
        // The client gives the connection up, or does not read on.
        let _: std::io::Result<()> = let_in();
    }
}

/// Bytes of memory that this process has now.
fn resident() -> usize {
    let mut text = String::new();
    std::fs::File::open("/proc/self/statm").unwrap().read_to_string(&mut text).unwrap();
    text.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4_096
}

/// The most that a client takes while a server is hostile, and how often that server was met.
fn taken(hostility: Hostility) -> (usize, u64) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let (ended, met) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let server = std::thread::spawn({
        let (ended, met) = (Arc::clone(&ended), Arc::clone(&met));
        move || serve(&listener, hostility, &ended, &met)
    });
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let before = resident();
    let mut most = before;
    runtime.block_on(async {
        let client = Connection::to([format!("nats://{address}")]).open().await.unwrap();
        let _unread = client.subscribe("table").await.unwrap();
        let begun = Instant::now();
        while begun.elapsed() < TIME {
            tokio::time::sleep(Duration::from_millis(10)).await;
            most = most.max(resident());
        }
    });
    ended.store(true, Ordering::SeqCst);
    runtime.shutdown_background();
    let _ = TcpStream::connect(address);
    server.join().unwrap();
    (most - before, met.load(Ordering::SeqCst))
}

const SERVERS: [(&str, Hostility); 11] = [
    ("a line without an end", endless_line),
    ("a message without an end", endless_message),
    ("long messages that nobody takes", long_messages),
    ("short messages after long ones", short_after_long),
    ("long subjects", long_subjects),
    ("many headers", many_headers),
    ("headers without an end", endless_headers),
    ("pings whose answers are not read", pings),
    ("errors", errors),
    ("information about itself", infos),
    ("ever more servers", reconnects),
];

/// The process of one server: what was freed before would hide what is taken.
const ALONE: &str = "HOSTILE_SERVER";
/// Processes at the same time: each of them waits now and then.
const AT_ONCE: usize = 2;

#[test]
fn a_server_that_sends_without_end_takes_no_more_than_is_stated() {
    if let Ok(number) = std::env::var(ALONE) {
        return alone(number.parse().unwrap());
    }
    let next = AtomicUsize::new(0);
    let meet_some = || {
        loop {
            let number = next.fetch_add(1, Ordering::SeqCst);
            if number >= SERVERS.len() {
                return;
            }
            meet(number);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(meet_some);
        }
    });
    nobody_is_let_in();
}

/// Meets a server in a process of its own, which says what it took.
fn meet(number: usize) {
    let (what, _) = SERVERS[number];
    let mut child = std::process::Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "a_server_that_sends_without_end_takes_no_more_than_is_stated", "--nocapture"]);
    let output = child.env(ALONE, number.to_string()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let of_it: String =
        said.lines().filter(|line| line.starts_with(what)).map(|line| format!("{line}\n")).collect();
    eprint!("{of_it}");
    assert!(output.status.success() && !of_it.is_empty(), "{said}");
}

fn alone(number: usize) {
    let (what, hostility) = SERVERS[number];
    let (taken, met) = taken(hostility);
    eprintln!("{what}: {} MiB, met {met} times", taken >> 20);
    assert!(met > 0, "{what}: nobody came");
    assert!(taken < MOST, "{what}: {} MiB", taken >> 20);
}

/// The first thing that a server sends is limited too.
fn nobody_is_let_in() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let _ = endless_line(&mut stream.unwrap(), 0);
        }
    });
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let before = resident();
    let opened = runtime.block_on(Connection::to([format!("nats://{address}")]).open());
    assert!(opened.is_err());
    assert!(resident().saturating_sub(before) < MOST);
}
