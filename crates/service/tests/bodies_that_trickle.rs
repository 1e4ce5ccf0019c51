//! A client that sends a byte now and then.
#![allow(clippy::unwrap_used)]

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use service::Limits;

use crate::serving::{agent, begun_body, paths, serve_with_tokens};

/// Longer than any body may take, as docs/access.md states it.
const PATIENCE: Duration = Duration::from_secs(40);

/// A client that sends a byte now and then keeps no route waiting: it is answered, or its connection is closed.
#[test]
fn a_body_that_trickles_is_given_up_at_every_route() {
    let folder = tempfile::tempdir().unwrap();
    let (served, admin) =
        serve_with_tokens(folder.path(), Limits { connections: 1_000, ..Limits::default() });
    let (paths, mut waiting) = (paths(&served.url), Vec::new());
    for path in &paths {
        for token in [Some(&*admin), None] {
            let mut stream = TcpStream::connect(&served.address).unwrap();
            stream.write_all(begun_body("POST", path, token).as_bytes()).unwrap();
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
