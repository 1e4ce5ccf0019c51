//! Real servers on loopback, of the program that `NATS_SERVER` names, or `nats-server` on the PATH. They keep what they
//! store in a temporary folder, and are killed at the end.
#![allow(clippy::unwrap_used)]

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::ports::free_port;
use fleet::{Connection, Fleet, Plan, Site, set_up};
use tempfile::TempDir;

/// Servers that are one cluster, or one server alone.
pub struct Servers {
    folder: TempDir,
    ports: Vec<u16>,
    running: Vec<Option<Child>>,
}

impl Drop for Servers {
    fn drop(&mut self) {
        for index in 0..self.running.len() {
            self.kill(index);
        }
    }
}

fn free_ports(count: usize) -> Vec<u16> {
    (0..count).map(|_| free_port()).collect()
}

impl Servers {
    /// So many servers. `more` stands in the configuration of each.
    pub fn start_with(count: usize, more: &str) -> Self {
        Self::start_flushing(count, more, "2m")
    }

    /// Servers that flush what they store so often.
    pub fn start_flushing(count: usize, more: &str, sync_interval: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let ports = free_ports(count);
        let routes = free_ports(count);
        for index in 0..count {
            let config = config(folder.path(), index, (&ports, &routes), more, sync_interval);
            std::fs::write(folder.path().join(format!("{index}.conf")), config).unwrap();
        }
        let mut servers = Self { folder, ports, running: (0..count).map(|_| None).collect() };
        for index in 0..count {
            servers.restart(index);
        }
        servers
    }

    pub fn start(count: usize) -> Self {
        Self::start_with(count, "")
    }

    /// Starts a server that does not run.
    pub fn restart(&mut self, index: usize) {
        let program = std::env::var("NATS_SERVER").unwrap_or_else(|_| "nats-server".into());
        let config = self.folder.path().join(format!("{index}.conf"));
        let mut command = Command::new(&program);
        command.arg("-c").arg(config).stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.spawn().unwrap_or_else(|error| panic!("{program} does not start: {error}"));
        self.running[index] = Some(child);
    }

    /// Kills a server as `kill -9` does.
    pub fn kill(&mut self, index: usize) {
        if let Some(mut child) = self.running[index].take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn port(&self, index: usize) -> u16 {
        self.ports[index]
    }

    pub fn urls(&self) -> Vec<String> {
        self.ports.iter().map(|port| format!("nats://127.0.0.1:{port}")).collect()
    }

    /// The index of the server of this name.
    pub fn named(&self, name: &str) -> usize {
        name.strip_prefix("server-").unwrap().parse().unwrap()
    }

    pub async fn connect(&self) -> async_nats::Client {
        connect(self.urls()).await
    }

    /// A site that is set up, once the servers can.
    pub async fn site(&self, plan: &Plan) -> Fleet {
        let site = Site::new("Casino 1").unwrap();
        let client = self.connect().await;
        until(Duration::from_secs(30), async || set_up(&client, &site, plan).await.ok()).await;
        opened(client, site).await
    }

    /// The same site over another connection.
    pub async fn again(&self) -> Fleet {
        opened(self.connect().await, Site::new("Casino 1").unwrap()).await
    }
}

/// A site, once the servers answer: while they elect their leaders, they do not.
async fn opened(client: async_nats::Client, site: Site) -> Fleet {
    until(Duration::from_secs(30), async || Fleet::open(client.clone(), site.clone()).await.ok()).await
}

/// Connects as soon as somebody answers.
pub async fn connect(urls: Vec<String>) -> async_nats::Client {
    until(Duration::from_secs(30), async || Connection::to(urls.clone()).open().await.ok()).await
}

/// What comes after some attempts.
pub async fn until<T>(patience: Duration, mut attempt: impl AsyncFnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(value) = attempt().await {
            return value;
        }
        assert!(start.elapsed() < patience, "it has not come in {patience:?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

fn config(folder: &Path, index: usize, (ports, routes): (&[u16], &[u16]), more: &str, sync: &str) -> String {
    let store = folder.join(index.to_string());
    let mut text = String::new();
    writeln!(text, "server_name: server-{index}").unwrap();
    writeln!(text, "listen: \"127.0.0.1:{}\"", ports[index]).unwrap();
    writeln!(
        text,
        "jetstream {{ store_dir: {store:?}, max_mem: 64MB, max_file: 2GB, sync_interval: {sync} }}"
    )
    .unwrap();
    if ports.len() > 1 {
        let urls: Vec<String> = routes.iter().map(|port| format!("nats://127.0.0.1:{port}")).collect();
        writeln!(
            text,
            "cluster {{ name: fleet, listen: \"127.0.0.1:{}\", routes: {urls:?} }}",
            routes[index]
        )
        .unwrap();
    }
    writeln!(text, "{more}").unwrap();
    text
}
