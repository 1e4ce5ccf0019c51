//! HTTP/2 frames built by hand, to send what no client library would send.
#![allow(clippy::unwrap_used, dead_code, reason = "each test file uses its part")]

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::client::TlsStream;

pub const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
pub const ACK: u8 = 1;
pub const END_STREAM: u8 = 1;
pub const END_HEADERS: u8 = 4;

/// Types of frames (RFC 9113, section 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Data = 0,
    Headers = 1,
    Reset = 3,
    Settings = 4,
    Ping = 6,
    GoAway = 7,
    WindowUpdate = 8,
    Continuation = 9,
}

pub fn frame(kind: Kind, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    [&length[1..], &[kind as u8, flags], &stream.to_be_bytes(), payload].concat()
}

/// The first settings of a client: its initial window for each stream, bytes.
pub fn hello(window: u32) -> Vec<u8> {
    let initial_window = [&4_u16.to_be_bytes()[..], &window.to_be_bytes()].concat();
    let settings = [frame(Kind::Settings, 0, 0, &initial_window), frame(Kind::Settings, ACK, 0, b"")];
    [PREFACE.to_vec(), settings.concat()].concat()
}

/// A header field as a literal without indexing (RFC 7541).
pub fn literal(name: &str, value: &str) -> Vec<u8> {
    let text = |text: &str| {
        let mut bytes = Vec::new();
        match text.len().checked_sub(127) {
            None => bytes.push(u8::try_from(text.len()).unwrap()),
            Some(mut more) => {
                bytes.push(127);
                while more >= 128 {
                    bytes.push(u8::try_from(more % 128).unwrap() | 128);
                    more /= 128;
                }
                bytes.push(u8::try_from(more).unwrap());
            }
        }
        bytes.extend_from_slice(text.as_bytes());
        bytes
    };
    [vec![0], text(name), text(value)].concat()
}

/// The head of a request.
pub fn head(method: &str, path: &str, more: &[(&str, &str)]) -> Vec<u8> {
    let usual = [(":method", method), (":scheme", "https"), (":authority", "localhost"), (":path", path)];
    usual.iter().chain(more).flat_map(|(name, value)| literal(name, value)).collect()
}

/// A request without a body.
pub fn get(stream: u32, path: &str) -> Vec<u8> {
    frame(Kind::Headers, END_HEADERS | END_STREAM, stream, &head("GET", path, &[]))
}

/// A request whose body may follow.
pub fn post(stream: u32, path: &str) -> Vec<u8> {
    frame(Kind::Headers, END_HEADERS, stream, &head("POST", path, &[]))
}

/// The numbers of a client's first streams.
pub fn streams(count: u32) -> impl Iterator<Item = u32> {
    (0..count).map(|number| 2 * number + 1)
}

/// Reads frames until one of this kind and stream (0: any) arrives; `None` if the connection ends first.
pub async fn until(stream: &mut TlsStream<TcpStream>, kind: Kind, of: u32) -> Option<Vec<u8>> {
    loop {
        let mut head = [0; 9];
        timeout(Duration::from_secs(20), stream.read_exact(&mut head)).await.unwrap().ok()?;
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
        let mut payload = vec![0; length as usize];
        stream.read_exact(&mut payload).await.ok()?;
        let number = u32::from_be_bytes([head[5], head[6], head[7], head[8]]);
        if head[3] == kind as u8 && (of == 0 || number == of) {
            return Some(payload);
        }
    }
}

/// Whether the connection ends, whatever else comes first.
pub async fn ends(stream: &mut TlsStream<TcpStream>) -> bool {
    let mut rest = Vec::new();
    timeout(Duration::from_secs(20), stream.read_to_end(&mut rest)).await.is_ok()
}

/// Sends bytes; `false` if the connection is closed.
pub async fn send(stream: &mut TlsStream<TcpStream>, bytes: &[u8]) -> bool {
    stream.write_all(bytes).await.is_ok() && stream.flush().await.is_ok()
}
