//! Nobody can fill the memory of a service with bodies: every route is sent many that do not end.
#![allow(clippy::unwrap_used)]

mod serving;

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::time::{Duration, Instant};

use service::access::{Access, Role, Tables, TokenFile, Wanted};
use service::{Bounds, Limits};
use serving::{Served, agent, bound, paths};
use time::OffsetDateTime;

/// Bodies that are sent to each route at the same time.
const AT_ONCE: usize = 40;
/// What is sent of each, bytes: more than a form or a post here may have.
const SENT: usize = 1 << 20;
/// What all of them together may make the process hold, bytes. 40 bodies of a mebibyte would take this at one route alone.
const MOST: u64 = 40 << 20;

/// Bytes of this process in memory, of which the service is a thread.
fn in_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/statm").unwrap();
    status.split(' ').nth(1).unwrap().parse::<u64>().unwrap() * 4_096
}

/// A service that asks for tokens, and a token that may do everything.
fn serve(folder: &Path, limits: Limits) -> (Served, String) {
    let tokens = TokenFile::new(&folder.join("tokens"));
    let wanted = Wanted {
        role: Role::Admin,
        producer: None,
        tables: Tables::All,
        expires_at: None,
        note: String::new(),
    };
    let (_, admin) = tokens.make(wanted, OffsetDateTime::now_utc()).unwrap();
    let access = Access::by_tokens(tokens, |_| {}).unwrap();
    let bounds = Bounds { body: 64 << 10, posts: 8 };
    let service = bound(&folder.join("log"), limits, bounds);
    let service = service.certify(&folder.join("follower")).unwrap().with_access(access);
    (Served::start(service), admin.to_string())
}

/// The first bytes of a request whose body is longer than anything that is read here.
fn head(method: &str, path: &str, token: Option<&str>) -> String {
    let token = token.map(|token| format!("authorization: Bearer {token}\r\n")).unwrap_or_default();
    let kind =
        if path.starts_with("/desk") { "application/x-www-form-urlencoded" } else { "application/x-ndjson" };
    format!(
        "{method} {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: {kind}\r\n{token}content-length: 8000\r\n\r\n"
    )
}

/// Longer than any body may take, as docs/access.md states it.
const PATIENCE: Duration = Duration::from_secs(40);

/// A client that sends a byte now and then keeps no route waiting: it is answered, or its connection is closed.
#[test]
fn a_body_that_trickles_is_given_up_at_every_route() {
    let folder = tempfile::tempdir().unwrap();
    let (served, admin) = serve(folder.path(), Limits { connections: 1_000, ..Limits::default() });
    let (paths, mut waiting) = (paths(&served.url), Vec::new());
    for path in &paths {
        for token in [Some(&*admin), None] {
            let mut stream = TcpStream::connect(&served.address).unwrap();
            stream.write_all(head("POST", path, token).as_bytes()).unwrap();
            stream.set_nonblocking(true).unwrap();
            waiting.push((path, token.is_some(), stream));
        }
    }
    assert!(waiting.len() > 40, "{paths:?}");
    let began = Instant::now();
    while !waiting.is_empty() {
        let names: Vec<_> = waiting.iter().map(|(path, with_token, _)| (path, with_token)).collect();
        assert!(began.elapsed() < PATIENCE, "still read: {names:?}");
        waiting.retain_mut(|(_, _, stream)| {
            let goes_on = |error: &std::io::Error| error.kind() == ErrorKind::WouldBlock;
            let is_sent = stream.write(b"a").is_ok_and(|sent| sent == 1);
            let nothing_comes = stream.read(&mut [0]).is_err_and(|error| goes_on(&error));
            is_sent && nothing_comes
        });
        std::thread::sleep(Duration::from_millis(200));
    }
    let alive = agent().get(format!("{}/healthz", served.url)).call().unwrap();
    assert_eq!(alive.status().as_u16(), 200);
}

#[test]
fn bodies_that_do_not_end_hold_little_at_any_route() {
    let folder = tempfile::tempdir().unwrap();
    let (served, admin) = serve(folder.path(), Limits::default());
    let paths = paths(&served.url);
    assert!(paths.len() > 20, "{paths:?}");
    let (begun, piece, mut held) = (in_memory(), vec![b'a'; SENT], Vec::new());
    for path in &paths {
        for method in ["GET", "POST", "PUT"] {
            for with_token in [true, false] {
                let head = head(method, path, with_token.then_some(&*admin)).replace("8000", "99999999999");
                for _ in 0..AT_ONCE {
                    let mut stream = TcpStream::connect(&served.address).unwrap();
                    stream.set_write_timeout(Some(Duration::from_millis(5))).unwrap();
                    // The service may refuse it, close the connection, or read no further.
                    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&piece));
                    held.push(stream);
                }
                let more = in_memory().saturating_sub(begun);
                assert!(more < MOST, "{method} {path}: {more} bytes more");
                held.clear();
            }
        }
    }
    // It still answers.
    let alive = agent().get(format!("{}/healthz", served.url)).call().unwrap();
    assert_eq!(alive.status().as_u16(), 200);
}
