//! The state of one connection: its requests, the stage of each, and the bytes they hold. It does not know
//! about other connections.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

/// For how long after reading a piece a client is preferred to clients that read nothing, when a connection
/// must be closed to free memory. It is short, so a client cannot read once and then stop.
const READ_GRACE: Duration = Duration::from_millis(250);

/// The same for a client that sends a body, counted also before its first piece: such a request holds little
/// memory, and a client may pause between head and body.
const BODY_GRACE: Duration = Duration::from_secs(2);

/// How far one request is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// The body is still arriving. The connection counts as idle, so a slow sender cannot keep its slot from
    /// a new connection.
    Receiving,
    /// The body is complete and the router works on the request.
    Processing,
    /// All of the answer that exists so far was handed over for sending.
    Answering,
}

/// The state of one request, from its head until everything that was allocated for it is freed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RequestState {
    /// Unique over all connections.
    pub(crate) number: u64,
    pub(crate) stage: Stage,
    /// What is held for the request, including its answer, bytes.
    pub(crate) bytes: usize,
    /// When the stage began, or when the client last read or sent a piece.
    pub(crate) since: Instant,
    /// Whether the client has read a piece of the answer since there was something to read.
    pub(crate) progressed: bool,
}

impl RequestState {
    /// Since when the request waits for its client; a client that read or sent a piece gets a grace period.
    /// `None` while the client waits for us.
    pub(crate) fn waiting_since(self) -> Option<Instant> {
        match self.stage {
            Stage::Receiving => Some(self.since + BODY_GRACE),
            Stage::Answering if self.progressed => Some(self.since + READ_GRACE),
            Stage::Answering => Some(self.since),
            Stage::Processing => None,
        }
    }

    /// Moves to a stage; nothing changes if the request is already in it.
    pub(crate) fn step(self, to: Stage) -> Self {
        if self.stage == to {
            self
        } else {
            Self { stage: to, since: Instant::now(), progressed: false, ..self }
        }
    }

    /// The client read or sent a piece, and `frees` bytes were freed.
    pub(crate) fn moved(self, frees: usize) -> Self {
        Self { bytes: self.bytes.saturating_sub(frees), since: Instant::now(), progressed: true, ..self }
    }
}

/// The state of one connection.
#[derive(Debug)]
pub(crate) struct ConnectionState {
    pub(crate) signals: Arc<Signals>,
    /// There are few: as many as may be open at once.
    requests: Vec<RequestState>,
    /// Whether the TLS handshake is under way.
    pub(crate) in_handshake: bool,
    /// Number of aborted requests minus number of answered ones, at least zero.
    pub(crate) aborted: usize,
    /// When the connection became idle, or was last given something to send.
    pub(crate) since: Instant,
    /// Its key in the queue of idle connections; the smallest has been idle for longest.
    pub(crate) idle_number: u64,
    pub(crate) is_closing: bool,
}

/// The part of a connection's state that is read and written without the lock.
#[derive(Debug, Default)]
pub(crate) struct Signals {
    pub(crate) close: Notify,
    /// When the client last accepted bytes, milliseconds since the server was opened.
    pub(crate) last_write_millis: AtomicU64,
    /// Whether the end of an answer is not flushed yet.
    pub(crate) unflushed: AtomicBool,
    /// Whether the client has sent bytes since the last request was finished.
    pub(crate) sent: AtomicBool,
}

impl ConnectionState {
    pub(crate) fn new(idle_number: u64) -> Self {
        let (signals, requests, since) = (Arc::default(), Vec::new(), Instant::now());
        Self { signals, requests, in_handshake: false, aborted: 0, since, idle_number, is_closing: false }
    }

    pub(crate) fn request(&self, number: u64) -> Option<RequestState> {
        self.requests.iter().find(|request| request.number == number).copied()
    }

    /// Stores the new state of a request; `None` removes it.
    pub(crate) fn put(&mut self, number: u64, request: Option<RequestState>) {
        let slot = self.requests.iter().position(|other| other.number == number);
        match (slot, request) {
            (Some(slot), Some(request)) => self.requests[slot] = request,
            (Some(slot), None) => drop(self.requests.swap_remove(slot)),
            (None, Some(request)) => self.requests.push(request),
            (None, None) => {}
        }
    }

    pub(crate) fn requests(&self) -> impl Iterator<Item = &RequestState> {
        self.requests.iter()
    }

    /// What its requests hold, bytes.
    pub(crate) fn held(&self) -> usize {
        self.requests.iter().map(|request| request.bytes).sum()
    }

    fn has(&self, stage: Stage) -> bool {
        self.requests.iter().any(|request| request.stage == stage)
    }

    fn is_answering(&self) -> bool {
        self.has(Stage::Answering) || self.signals.unflushed.load(Ordering::Relaxed)
    }

    /// Whether no request is being processed and no answer is being sent.
    pub(crate) fn is_idle(&self) -> bool {
        !self.has(Stage::Processing) && !self.is_answering()
    }

    /// Whether there is no request and no handshake.
    pub(crate) fn is_quiet(&self) -> bool {
        self.is_idle() && self.requests.is_empty() && !self.in_handshake
    }

    /// Whether there is no request, not even a part of its head.
    pub(crate) fn is_unused(&self) -> bool {
        self.is_quiet() && !self.signals.sent.load(Ordering::Relaxed)
    }

    /// Since when the client has not read what was sent to it. `None` while there is other work to do, or
    /// nothing to read.
    pub(crate) fn stalled_since(&self, opened: Instant) -> Option<Instant> {
        let last_write_millis =
            opened + Duration::from_millis(self.signals.last_write_millis.load(Ordering::Relaxed));
        (!self.has(Stage::Processing) && self.is_answering()).then(|| self.since.max(last_write_millis))
    }
}
