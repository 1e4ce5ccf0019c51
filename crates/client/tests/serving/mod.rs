//! A service in a thread of its own, and events to post to it.
#![allow(dead_code, reason = "each test file uses its part")]

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::thread::JoinHandle;

use casino::{Plan, simulate};
use sealed_log_sled::LogFolder;
use service::{Bounds, Limits, Service};
use tlog::note::{SigningKey, VerifierKey};
use tokio::sync::oneshot;

pub fn key() -> SigningKey {
    SigningKey::from_seed("casino.example/sala/1", &[7; 32]).unwrap()
}

pub fn vkey() -> VerifierKey {
    key().verifier_key()
}

pub struct Serving {
    pub url: String,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
    _folder: tempfile::TempDir,
}

impl Serving {
    pub fn start() -> Self {
        Self::within(Limits::default())
    }

    pub fn within(limits: Limits) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let writer = LogFolder::new(&folder.path().join("log")).open_writer(key()).unwrap();
        let bounds = Bounds::default();
        let service =
            Service::bind("127.0.0.1:0", writer, "audit-serve:pit".parse().unwrap(), limits, bounds).unwrap();
        let url = format!("http://{}", service.address());
        let (stop, stopped) = oneshot::channel::<()>();
        let thread = std::thread::spawn(move || service.run_until(|| async { drop(stopped.await) }).unwrap());
        Self { url, stop: Some(stop), thread: Some(thread), _folder: folder }
    }

    /// What the service answers to a post, as it comes.
    pub fn raw_answer(&self, table: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(self.url.trim_start_matches("http://")).unwrap();
        let head = format!(
            "POST /v1/tables/{table}/events HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: \
             application/x-ndjson\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all((head + body).as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.split_once("\r\n\r\n").unwrap().1.to_owned()
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        drop(self.stop.take());
        self.thread.take().unwrap().join().unwrap();
    }
}

/// Events of one simulated table.
pub fn events(seed: u64, most: usize) -> (String, Vec<String>) {
    let book = baccarat::builtin("mini-punto-banco").unwrap();
    let lines: Vec<_> = simulate(&Plan { seed, ..Plan::new(book) }).lines.take(most).collect();
    (lines[0].table.to_string(), lines.iter().map(|line| line.to_json().unwrap()).collect())
}
