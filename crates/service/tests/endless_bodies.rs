//! Nobody can fill the memory of a service with bodies: every route is sent many that do not end.
#![allow(clippy::unwrap_used)]

mod serving;

use std::io::Write as _;
use std::net::TcpStream;
use std::time::Duration;

use service::Limits;
use serving::{agent, begun_body, paths, serve_with_tokens};

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

#[test]
fn bodies_that_do_not_end_hold_little_at_any_route() {
    let folder = tempfile::tempdir().unwrap();
    let (served, admin) = serve_with_tokens(folder.path(), Limits::default());
    let paths = paths(&served.url);
    assert!(paths.len() > 20, "{paths:?}");
    let (begun, piece, mut held) = (in_memory(), vec![b'a'; SENT], Vec::new());
    for path in &paths {
        for method in ["GET", "POST", "PUT"] {
            for with_token in [true, false] {
                let head =
                    begun_body(method, path, with_token.then_some(&*admin)).replace("8000", "99999999999");
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
