//! Ports for what a test starts later, stops, or never starts.
#![allow(clippy::unwrap_used)]

use std::net::TcpListener;
use std::sync::atomic::{AtomicU32, Ordering};

/// A port at which nobody listens. It lies below those that a system gives to a program that binds port 0, because
/// another test of this program is given such a port at any moment.
pub fn free_port() -> u16 {
    static ASKED: AtomicU32 = AtomicU32::new(0);
    // Programs that run at the same time begin at different ports.
    let first = std::process::id().wrapping_mul(97);
    for _ in 0..12_000 {
        let port = 20_000 + first.wrapping_add(ASKED.fetch_add(1, Ordering::Relaxed)) % 12_000;
        let port = u16::try_from(port).unwrap();
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
    panic!("no port is free");
}
