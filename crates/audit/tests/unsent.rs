//! A real service is asked for much by clients without a token who take nothing of it. Its memory stays within
//! bounds, and a table that posts beside them is answered.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::scope;
use std::time::{Duration, Instant};

use client::{Client, Options};
use serde_json::Value;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::certificates::Authority;
use crate::command::TestFolder;
use crate::command::serving::Started;
use crate::frames::{self, frame, hello, send, streams};

/// Connections of those who take nothing, each with 32 requests.
const CROWD: usize = 400;
/// What the service's memory may grow by, MB: what requests may hold (64 MiB, of which an answer is more than
/// half here), and 30 KB for each connection. Without that bound it grows by twice as much.
const GROWTH: u64 = 100;
/// An open path whose answer is made anew each time, 8 KiB.
const TILE: &str = "/tile/0/000";

/// A log with a whole tile, behind a service that asks for tokens, over TLS.
struct Asked {
    started: Started,
    folder: TestFolder,
    token: String,
}

impl Asked {
    fn start() -> Self {
        let folder = TestFolder::new();
        Authority::new(&folder.path("."), "casino").vouch("door");
        let simulated =
            ["simulate", "--tables", "4", "--shoes", "6", "--seed", "5", "--out", "events.ndjson"];
        let ingested = ["ingest", "--create", "events.ndjson", "--log", "log"];
        let made = ["tokens", "new", "--tokens", "tokens", "--role", "append", "--producer", "pit"];
        let made = [&made[..], &["--all-tables", "--json"]].concat();
        let [_, _, made] = [&simulated[..], &ingested, &made].map(|arguments| {
            let output = folder.run(arguments);
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            output.stdout
        });
        let token: Value = serde_json::from_slice(&made).unwrap();
        let tls = ["--tokens", "tokens", "--tls-cert", "door.pem", "--tls-key", "door.key"];
        let started = Started::by(Started::command(&folder, &tls).stderr(Stdio::null()));
        Self { started, folder, token: token["token"].as_str().unwrap().to_owned() }
    }

    /// The most memory that was in RAM so far, MB.
    fn peak(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.started.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        line.trim().split(' ').next().unwrap().parse::<u64>().unwrap() / 1024
    }

    fn connector(&self) -> TlsConnector {
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_file(self.folder.path("casino.pem")).unwrap()).unwrap();
        let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
        let builder = builder.with_safe_default_protocol_versions().unwrap().with_root_certificates(roots);
        let mut config = builder.with_no_client_auth();
        config.alpn_protocols = vec![b"h2".to_vec()];
        TlsConnector::from(Arc::new(config))
    }

    async fn connect(&self, connector: &TlsConnector) -> TlsStream<TcpStream> {
        let address = self.started.url.trim_start_matches("https://");
        let stream = TcpStream::connect(address).await.unwrap();
        connector.connect(ServerName::try_from("localhost").unwrap(), stream).await.unwrap()
    }

    /// Posts of a table while others ask; gives how long the slowest took.
    fn posts(&self, busy: &AtomicBool) -> (usize, Duration) {
        let ca = std::fs::read(self.folder.path("casino.pem")).unwrap();
        let options = Options { token: Some(self.token.clone()), ca: Some(ca), ..Options::default() };
        let client = Client::new(&self.started.url, options).unwrap();
        let lines = std::fs::read_to_string(self.folder.path("events.ndjson")).unwrap();
        let lines: Vec<&str> = lines.lines().filter(|line| line.contains("\"PB-01\"")).collect();
        let (mut posted, mut slowest) = (0, Duration::ZERO);
        for some in lines.chunks(20).cycle().take_while(|_| busy.load(Ordering::Relaxed)) {
            let begun = Instant::now();
            assert_eq!(client.post("PB-01", some).unwrap().already_there, some.len() as u64);
            (posted, slowest) = (posted + 1, slowest.max(begun.elapsed()));
        }
        (posted, slowest)
    }
}

/// Says that it is over when it goes, also from a test that fails.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

#[test]
fn clients_who_take_nothing_do_not_fill_the_memory_and_a_table_is_answered_beside_them() {
    let asked = Asked::start();
    let (before, busy) = (asked.peak(), AtomicBool::new(true));
    let (posted, slowest) = scope(|scope| {
        let over = Over(&busy);
        let posting = scope.spawn(|| asked.posts(&busy));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (connector, mut crowd) = (asked.connector(), Vec::new());
            let wanted: Vec<u8> = streams(32).flat_map(|number| frames::get(number, TILE)).collect();
            for _ in 0..CROWD {
                let mut stream = asked.connect(&connector).await;
                send(&mut stream, &[hello(0), wanted.clone()].concat()).await;
                crowd.push(stream);
            }
            // Those who were let stay are there still.
            let mut last = crowd.pop().unwrap();
            assert!(send(&mut last, &frame(frames::Kind::Ping, 0, 0, b"and you?")).await);
            assert!(frames::until(&mut last, frames::Kind::Ping, 0).await.is_some());
        });
        drop(over);
        posting.join().unwrap()
    });
    let growth = asked.peak() - before;
    println!(
        "{before} MB before, {growth} MB more with a crowd of {CROWD}; {posted} posts, slowest {slowest:.1?}"
    );
    assert!(growth < GROWTH, "{growth} MB more");
    assert!(posted > 5 && slowest < Duration::from_secs(10), "{posted} posts, the slowest in {slowest:?}");
    asked.started.stop();
}
