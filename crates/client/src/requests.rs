//! The client: connections, single requests and their answers. It does not retry posts; see `posting`.

use std::fmt;
use std::io::{ErrorKind, Read};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sealed_log::entry::MAX_ENTRY_BYTES;
use sealed_log::proof::{EntryProof, MAX_PROOF_BYTES};
use serde::de::DeserializeOwned;
use tlog::checkpoint::SignedCheckpoint;
use tlog::note::{MAX_NOTE_BYTES, VerifierKey};
use ureq::http::header::{AUTHORIZATION, CONTENT_TYPE, RETRY_AFTER};
use ureq::http::{Response, Uri};
use ureq::unversioned::resolver::DefaultResolver;
use ureq::unversioned::transport::{Connector as _, DefaultConnector};
use ureq::{Agent, Body};

use crate::paced::Paced;
use crate::single_packet::SinglePacket;
use crate::tls::tls;
use crate::{ClientError, FindingsPage, Options, Problem};

/// Longest answer to a post, and longest problem document, bytes.
const LONGEST_ANSWER: u64 = 64 << 20;
/// Longest answer of `/readyz` and of `/metrics`, bytes.
const LONGEST_STATE: u64 = 4 << 20;
/// Longest page of findings, bytes.
const LONGEST_FINDINGS: u64 = 16 << 20;
/// Most characters quoted from an answer that is no problem document.
const QUOTED: usize = 160;

/// A client of one served log. It keeps connections open between requests, is cheap to clone, and can be
/// shared by threads.
#[derive(Clone)]
pub struct Client {
    agent: Agent,
    base: String,
    bearer: Option<String>,
    options: Options,
}

/// Omits the token.
impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Client({})", self.base)
    }
}

/// The state that a service reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Health {
    /// It answers requests.
    pub alive: bool,
    /// It records events.
    pub ready: bool,
}

/// What a service says of itself to whoever asks, without a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Readiness {
    /// It records events.
    pub ready: bool,
    /// Why it does not, or what witnesses hold against the log.
    pub remarks: Vec<String>,
}

impl Client {
    /// A client of the log served at `base`: `http://HOST:PORT` or `https://HOST`, optionally with a path
    /// behind a proxy. This sends no request.
    ///
    /// # Errors
    /// [`ClientError::Options`] for any other address, and for certificates or a token that cannot be used.
    pub fn new(base: &str, options: Options) -> Result<Self, ClientError> {
        let base = base.trim_end_matches('/').to_owned();
        if !base.starts_with("http://") && !base.starts_with("https://") {
            let why =
                format!("`{base}` is not a service's address: expected http://HOST:PORT or https://HOST");
            return Err(ClientError::Options(why));
        }
        if base.starts_with("https://") && SystemTime::now() < UNIX_EPOCH {
            let why = "this machine's clock shows a time before 1970, at which no certificate is valid; set the clock";
            return Err(ClientError::Unanswered { url: base, why: why.to_owned(), timed_out: false });
        }
        let bearer = options.token.as_deref().map(bearer).transpose()?;
        if bearer.is_some() && options.accept_any_certificate {
            let why = "a token is sent only to a service whose certificate is checked";
            return Err(ClientError::Options(why.to_owned()));
        }
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_connect(Some(options.timeout))
            .timeout_send_body(Some(options.timeout))
            .timeout_recv_response(Some(options.timeout))
            .timeout_per_read(Some(options.timeout))
            .tls_config(tls(&options)?);
        let connector = DefaultConnector::default().chain(SinglePacket);
        let agent = Agent::with_parts(config.build(), connector, DefaultResolver::default());
        Ok(Self { agent, base, bearer, options })
    }

    /// The base address, without a slash at its end.
    #[must_use]
    pub fn base(&self) -> &str {
        &self.base
    }

    pub(crate) const fn options(&self) -> &Options {
        &self.options
    }

    /// The newest signed checkpoint. Its signature is not checked.
    ///
    /// # Errors
    /// [`ClientError`].
    pub fn checkpoint(&self) -> Result<SignedCheckpoint, ClientError> {
        let (url, text) = self.text("/checkpoint", MAX_NOTE_BYTES as u64)?;
        SignedCheckpoint::parse(&text).map_err(|error| unexpected(&url, error))
    }

    /// The same, complete within the time for one request.
    ///
    /// # Errors
    /// [`ClientError`].
    pub fn checkpoint_at_once(&self) -> Result<SignedCheckpoint, ClientError> {
        let asked = self.ask("/checkpoint", Some(self.options.timeout))?;
        let (url, text) = utf8(asked, MAX_NOTE_BYTES as u64)?;
        SignedCheckpoint::parse(&text).map_err(|error| unexpected(&url, error))
    }

    /// The log's verifier key as the service states it. Obtain it independently as well, and compare.
    ///
    /// # Errors
    /// [`ClientError`].
    pub fn key(&self) -> Result<VerifierKey, ClientError> {
        let (url, text) = self.text("/v1/key", MAX_NOTE_BYTES as u64)?;
        text.trim().parse().map_err(|error| unexpected(&url, error))
    }

    /// An entry's bytes.
    ///
    /// # Errors
    /// [`ClientError`], 404 for one that the log does not have.
    pub fn entry(&self, index: u64) -> Result<Vec<u8>, ClientError> {
        let (url, response) = self.get(&format!("/v1/entries/{index}"))?;
        read(&url, response, MAX_ENTRY_BYTES as u64)
    }

    /// The proof of an entry under the newest checkpoint, with the entry's bytes. It is not checked.
    ///
    /// # Errors
    /// [`ClientError`], 404 for one that the log does not have.
    pub fn proof(&self, index: u64) -> Result<EntryProof, ClientError> {
        let (url, text) = self.text(&format!("/v1/entries/{index}/proof"), MAX_PROOF_BYTES as u64)?;
        text.parse().map_err(|error| unexpected(&url, error))
    }

    /// The whole log as an archive, as a stream. Nothing of it is checked. It may take any time as long as it keeps
    /// coming: see [`Options::timeout`] and [`Options::longest_archive`]. Reading fails otherwise.
    ///
    /// # Errors
    /// [`ClientError`].
    pub fn archive(&self) -> Result<impl Read + Send + use<>, ClientError> {
        let body = self.get("/v1/archive")?.1.into_body().into_reader();
        Ok(Paced::new(body, self.options.timeout, self.options.longest_archive))
    }

    /// The state of the service.
    ///
    /// # Errors
    /// [`ClientError`] if there is no answer.
    pub fn health(&self) -> Result<Health, ClientError> {
        let alive = self.answered("/healthz")?;
        Ok(Health { alive, ready: alive && self.answered("/readyz")? })
    }

    /// Whether the service records events, and what it says about that.
    ///
    /// # Errors
    /// [`ClientError`] if there is no answer, or not one of a service of this kind.
    pub fn readiness(&self) -> Result<Readiness, ClientError> {
        let (url, text) = match self.state("/readyz") {
            Err(ClientError::Refused { problem, .. }) if problem.status == 503 => {
                return Ok(Readiness { ready: false, remarks: vec![problem.detail] });
            }
            answer => answer?,
        };
        let mut lines = text.lines();
        if lines.next() != Some("ready") {
            return Err(unexpected(&url, "its answer does not begin with the line `ready`"));
        }
        Ok(Readiness { ready: true, remarks: lines.map(str::to_owned).collect() })
    }

    /// The service's metrics in the OpenMetrics text form, at most 4 MiB.
    ///
    /// # Errors
    /// [`ClientError`], 401 and 403 where the service requires a token that may read.
    pub fn metrics(&self) -> Result<String, ClientError> {
        Ok(self.state("/metrics")?.1)
    }

    /// The findings after a number, at most so many, with how far the service is. The answer has to be complete within
    /// the time for one request.
    ///
    /// # Errors
    /// [`ClientError`], also for more findings than were asked for.
    pub fn findings(&self, after: u64, most: usize) -> Result<FindingsPage, ClientError> {
        let path = format!("/v1/findings?after={after}&limit={most}");
        let asked = self.ask(&path, Some(self.options.timeout))?;
        let (url, text) = utf8(asked, LONGEST_FINDINGS)?;
        let page: FindingsPage = serde_json::from_str(&text).map_err(|error| unexpected(&url, error))?;
        if page.findings.len() > most {
            return Err(unexpected(
                &url,
                format!("{} findings, and {most} were asked for", page.findings.len()),
            ));
        }
        Ok(page)
    }

    fn answered(&self, path: &str) -> Result<bool, ClientError> {
        match self.get(path) {
            Ok(_) => Ok(true),
            Err(ClientError::Refused { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// A short answer, complete within the time for one request: whoever sends it in drops holds nobody up.
    fn state(&self, path: &str) -> Result<(String, String), ClientError> {
        utf8(self.ask(path, Some(self.options.timeout))?, LONGEST_STATE)
    }

    fn text(&self, path: &str, most: u64) -> Result<(String, String), ClientError> {
        utf8(self.get(path)?, most)
    }

    fn get(&self, path: &str) -> Result<(String, Response<Body>), ClientError> {
        self.ask(path, None)
    }

    /// Asks; with `within`, the whole answer must have come by then.
    fn ask(&self, path: &str, within: Option<Duration>) -> Result<(String, Response<Body>), ClientError> {
        let url = format!("{}{path}", self.base);
        let ask = || {
            let mut request = self.agent.get(&url);
            if let Some(bearer) = &self.bearer {
                request = request.header(AUTHORIZATION, bearer);
            }
            request.config().timeout_global(within).build().call()
        };
        // A service whose connection slots are all in use closes idle connections.
        let response = ask().or_else(|error| if was_closed(&error) { ask() } else { Err(error) });
        let response = response.map_err(|error| unanswered(&url, &error))?;
        if response.status().is_success() { Ok((url, response)) } else { Err(refused(&url, response)) }
    }

    /// Sends a body once. Returns the status and the answer if the status is one of `expected`. With
    /// `at_most`, waits no longer for the answer and drops the connection.
    pub(crate) fn send<A: DeserializeOwned>(
        &self,
        path: &str,
        kind: &str,
        body: &[u8],
        expected: &[u16],
        at_most: Option<Duration>,
    ) -> Result<(u16, A), ClientError> {
        let url = format!("{}{path}", self.base);
        let mut request = self.agent.post(&url).header(CONTENT_TYPE, kind);
        if let Some(bearer) = &self.bearer {
            request = request.header(AUTHORIZATION, bearer);
        }
        let sent = match at_most {
            None => request.send(body),
            Some(wait) => request.config().timeout_recv_response(Some(wait)).build().send(body),
        };
        let response = sent.map_err(|error| unanswered(&url, &error))?;
        let status = response.status().as_u16();
        if !expected.contains(&status) {
            return Err(refused(&url, response));
        }
        let answer = read(&url, response, LONGEST_ANSWER)?;
        serde_json::from_slice(&answer)
            .map(|answer| (status, answer))
            .map_err(|error| unexpected(&url, error))
    }
}

/// The host in a URL, with brackets for an IPv6 address; `None` if there is none.
#[must_use]
pub fn host(url: &str) -> Option<String> {
    url.parse::<Uri>().ok()?.host().map(str::to_owned)
}

/// The value of the `Authorization` header for a token.
fn bearer(token: &str) -> Result<String, ClientError> {
    if !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Ok(format!("Bearer {token}"));
    }
    let why = "the token is empty or holds something else than visible ASCII; give it as `audit tokens new` printed it";
    Err(ClientError::Options(why.to_owned()))
}

/// The URL and the text of an answer.
fn utf8((url, response): (String, Response<Body>), most: u64) -> Result<(String, String), ClientError> {
    let text = String::from_utf8(read(&url, response, most)?);
    text.map_err(|_| unexpected(&url, "bytes that are not UTF-8")).map(|text| (url, text))
}

fn read(url: &str, response: Response<Body>, most: u64) -> Result<Vec<u8>, ClientError> {
    let body = response.into_body().into_with_config().limit(most).read_to_vec();
    body.map_err(|error| {
        if let ureq::Error::BodyExceedsLimit(most) = error {
            return unexpected(url, format!("an answer of more than {most} bytes"));
        }
        unanswered(url, &error)
    })
}

fn refused(url: &str, response: Response<Body>) -> ClientError {
    let status = response.status().as_u16();
    let seconds = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
    let said = read(url, response, LONGEST_ANSWER).unwrap_or_default();
    let problem = serde_json::from_slice(&said).unwrap_or_else(|_| Problem {
        status,
        kind: "about:blank".to_owned(),
        detail: String::from_utf8_lossy(&said).trim().chars().take(QUOTED).collect(),
        line: None,
        column: None,
    });
    let problem = Problem { status, ..problem };
    ClientError::Refused {
        url: url.to_owned(),
        problem: Box::new(problem),
        retry_after: seconds.map(Duration::from_secs),
    }
}

/// Whether the connection was closed before any answer.
fn was_closed(error: &ureq::Error) -> bool {
    let ureq::Error::Io(error) = error else { return false };
    let closed = [
        ErrorKind::BrokenPipe,
        ErrorKind::ConnectionAborted,
        ErrorKind::ConnectionReset,
        ErrorKind::UnexpectedEof,
    ];
    closed.contains(&error.kind())
}

fn unanswered(url: &str, error: &ureq::Error) -> ClientError {
    let timed_out = matches!(error, ureq::Error::Timeout(_));
    let why = if let ureq::Error::Io(error) = error {
        format!("nobody answers: {error}")
    } else {
        error.to_string()
    };
    ClientError::Unanswered { url: url.to_owned(), why, timed_out }
}

fn unexpected(url: &str, why: impl ToString) -> ClientError {
    ClientError::Unexpected { url: url.to_owned(), why: why.to_string() }
}
