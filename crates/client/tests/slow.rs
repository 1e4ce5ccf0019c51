//! A service that is silent, trickles or never ends: whoever reads its log gives it up, and says why.
#![allow(clippy::unwrap_used)]

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use client::{Client, Options};

/// A service that answers one request by `answer`, and then does as it likes with the connection.
fn served(answer: impl FnOnce(TcpStream) + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = [0; 4_096];
        let _ = stream.read(&mut request);
        stream.write_all(b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nAUDITLOG").unwrap();
        answer(stream);
    });
    url
}

/// Reads the archive to its end, or until it is given up; what was said then.
fn given_up(url: &str, longest_archive: u64) -> String {
    let options = Options { timeout: Duration::from_millis(400), longest_archive, ..Options::default() };
    let (client, began) = (Client::new(url, options).unwrap(), Instant::now());
    let read = std::io::copy(&mut client.archive().unwrap(), &mut std::io::sink());
    assert!(began.elapsed() < Duration::from_secs(20));
    read.unwrap_err().to_string()
}

#[test]
fn silence_is_given_up() {
    let url = served(|stream| {
        std::thread::sleep(Duration::from_secs(30));
        drop(stream);
    });
    let why = given_up(&url, u64::MAX);
    assert!(why.contains("timeout"), "{why}");
}

#[test]
fn a_trickle_is_given_up() {
    let url = served(|mut stream| {
        while stream.write_all(&[7]).is_ok() {
            std::thread::sleep(Duration::from_millis(5));
        }
    });
    let why = given_up(&url, u64::MAX);
    assert!(why.contains("only") && why.contains("bytes came in"), "{why}");
}

#[test]
fn what_never_ends_is_given_up() {
    let url = served(|mut stream| while stream.write_all(&[7; 1 << 16]).is_ok() {});
    let why = given_up(&url, 32 << 20);
    assert!(why.contains("more than 33554432 bytes came"), "{why}");
}
