//! A service that runs in a thread of the test, with the log it serves looked after.

#![allow(dead_code, clippy::unwrap_used, reason = "each test file uses its part")]

use std::path::Path;
use std::thread::JoinHandle;

use casino::{Plan, simulate};
use sealed_log_sled::{LogFolder, Writer};
use serde_json::Value;
use service::access::{Access, Role, Tables, TokenFile, Wanted};
use service::{Bounds, Limits, Service, page_routes};
use time::OffsetDateTime;
use tlog::note::SigningKey;
use tokio::sync::oneshot;

pub fn key() -> SigningKey {
    SigningKey::from_seed("casino.example/sala/1", &[7; 32]).unwrap()
}

/// A log in a folder, to be served within these limits.
pub fn bound(folder: &Path, limits: Limits, bounds: Bounds) -> Service {
    let writer = LogFolder::new(folder).open_writer(key()).unwrap();
    Service::bind("127.0.0.1:0", writer, "audit-serve:pit".parse().unwrap(), limits, bounds).unwrap()
}

/// A service that answers until this goes.
pub struct Served {
    pub url: String,
    pub address: String,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Served {
    pub fn start(service: Service) -> Self {
        let address = service.address().to_string();
        let (stop, stopped) = oneshot::channel::<()>();
        let thread = std::thread::spawn(move || {
            service.run_until(|| async { drop(stopped.await) }).unwrap();
        });
        Self { url: format!("http://{address}"), address, stop: Some(stop), thread: Some(thread) }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        drop(self.stop.take());
        let ended = self.thread.take().unwrap().join();
        assert!(ended.is_ok() || std::thread::panicking(), "the service broke down");
    }
}

/// A service that asks for tokens, and a token that may do everything.
pub fn serve_with_tokens(folder: &Path, limits: Limits) -> (Served, String) {
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
pub fn begun_body(method: &str, path: &str, token: Option<&str>) -> String {
    let token = token.map(|token| format!("authorization: Bearer {token}\r\n")).unwrap_or_default();
    let kind =
        if path.starts_with("/desk") { "application/x-www-form-urlencoded" } else { "application/x-ndjson" };
    format!(
        "{method} {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: {kind}\r\n{token}content-length: 8000\r\n\r\n"
    )
}

/// Every path: those of the API's own document, those of pages, and one that is not there.
pub fn paths(url: &str) -> Vec<String> {
    let document =
        agent().get(format!("{url}/openapi.json")).call().unwrap().body_mut().read_to_string().unwrap();
    let document: Value = serde_json::from_str(&document).unwrap();
    let plain = |path: &str| {
        let parts = path.split('/').map(|part| if part.starts_with('{') { "1" } else { part });
        parts.collect::<Vec<_>>().join("/")
    };
    let of_api = document["paths"].as_object().unwrap().keys().map(|path| plain(path));
    of_api.chain(page_routes().map(plain)).chain(["/openapi.json", "/nowhere"].map(str::to_owned)).collect()
}

/// A service that certifies, and whose log is looked after.
pub struct Running {
    pub url: String,
    _served: Served,
}

impl Running {
    pub fn plain(folder: &Path) -> Self {
        Self::with(folder, |service| service)
    }

    /// The log is opened anew by `open` if it stops.
    pub fn opened_by(folder: &Path, open: impl FnMut() -> Result<Writer, String> + Send + 'static) -> Self {
        Self::opened_with(folder, open, |service| service)
    }

    /// The service is altered by `with` before it runs.
    pub fn with(folder: &Path, with: impl FnOnce(Service) -> Service) -> Self {
        let log = LogFolder::new(folder);
        Self::opened_with(folder, move || log.open_writer(key()).map_err(|error| error.to_string()), with)
    }

    fn opened_with(
        folder: &Path,
        open: impl FnMut() -> Result<Writer, String> + Send + 'static,
        with: impl FnOnce(Service) -> Service,
    ) -> Self {
        let log = LogFolder::new(folder);
        let (writer, producer) = (log.open_writer(key()).unwrap(), "audit-serve:pit".parse().unwrap());
        let (limits, bounds) = (Limits::default(), Bounds::default());
        let service = Service::bind("127.0.0.1:0", writer, producer, limits, bounds).unwrap();
        let service = service.maintain(log, open).unwrap().certify(&folder.join("follower")).unwrap();
        let service = with(service);
        let served = Served::start(service);
        Self { url: served.url.clone(), _served: served }
    }

    pub fn lines(&self, table: &str, lines: &[String]) -> (u16, Value) {
        let url = format!("{}/v1/tables/{table}/events", self.url);
        let asked = agent().post(&url).header("content-type", "application/x-ndjson");
        let mut response = asked.send(lines.join("\n")).unwrap();
        let text = response.body_mut().read_to_string().unwrap();
        (response.status().as_u16(), serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    pub fn get(&self, path: &str) -> (u16, Vec<u8>) {
        let mut response = agent().get(format!("{}{path}", self.url)).call().unwrap();
        (response.status().as_u16(), response.body_mut().read_to_vec().unwrap())
    }
}

pub fn agent() -> ureq::Agent {
    ureq::Agent::new_with_config(ureq::Agent::config_builder().http_status_as_error(false).build())
}

/// Events of one simulated table.
pub fn events(seed: u64, most: usize) -> (String, Vec<String>) {
    let book = baccarat::builtin("mini-punto-banco").unwrap();
    let lines: Vec<_> = simulate(&Plan { seed, ..Plan::new(book) }).lines.take(most).collect();
    (lines[0].table.to_string(), lines.iter().map(|line| line.to_json().unwrap()).collect())
}
