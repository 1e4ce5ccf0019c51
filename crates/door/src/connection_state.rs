//! How one connection stands: its requests, how far each is, and what they hold. Other connections are not
//! known here.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

/// How long a client who took a piece stands behind those who took none, when somebody has to give way. Short enough that who would pretend to read has to read.
const READ_GRACE: Duration = Duration::from_millis(250);

/// The same for who sends a body, also before its first piece: it costs little, and who posts may take a moment
/// between its head and its body.
const BODY_GRACE: Duration = Duration::from_secs(2);

/// How far one request is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Its body is still coming in. The connection counts as idle: who sends slowly holds no place
    /// against a newcomer.
    Receiving,
    /// It is whole, and worked on.
    Processing,
    /// What there is of its answer was handed over to be sent.
    Answering,
}

/// One request, from its head until all that was made for it is let go of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RequestState {
    /// Tells requests of all connections apart.
    pub(crate) number: u64,
    pub(crate) stage: Stage,
    /// What is held for it, its answer included, bytes.
    pub(crate) bytes: usize,
    /// When its stage began, or its client last took or sent a piece.
    pub(crate) since: Instant,
    /// Whether its client took a piece of its answer since there was something to take.
    pub(crate) progressed: bool,
}

impl RequestState {
    /// Since when it waits for its client, who is thought better of for a while after each piece. None where
    /// it is the client who waits.
    pub(crate) fn waiting_since(self) -> Option<Instant> {
        match self.stage {
            Stage::Receiving => Some(self.since + BODY_GRACE),
            Stage::Answering if self.progressed => Some(self.since + READ_GRACE),
            Stage::Answering => Some(self.since),
            Stage::Processing => None,
        }
    }

    /// Goes on to a stage, or stays there.
    pub(crate) fn step(self, to: Stage) -> Self {
        if self.stage == to {
            self
        } else {
            Self { stage: to, since: Instant::now(), progressed: false, ..self }
        }
    }

    /// Its client took or sent a piece; so many bytes are held no longer.
    pub(crate) fn moved(self, frees: usize) -> Self {
        Self { bytes: self.bytes.saturating_sub(frees), since: Instant::now(), progressed: true, ..self }
    }
}

/// How one connection stands.
#[derive(Debug)]
pub(crate) struct ConnectionState {
    pub(crate) signals: Arc<Signals>,
    /// Few: as many as may be open at once.
    requests: Vec<RequestState>,
    /// Whether it is in its handshake.
    pub(crate) in_handshake: bool,
    /// Requests that were given up, beyond those that were answered.
    pub(crate) aborted: usize,
    /// When it fell idle, or was last handed something to send.
    pub(crate) since: Instant,
    /// Where it stands among the idle ones.
    pub(crate) idle_number: u64,
    pub(crate) is_closing: bool,
}

/// What is noted of a connection without the lock.
#[derive(Debug, Default)]
pub(crate) struct Signals {
    pub(crate) close: Notify,
    /// When the client last took bytes, milliseconds since the door was opened.
    pub(crate) last_write_millis: AtomicU64,
    /// Whether the end of an answer waits to be flushed.
    pub(crate) unflushed: AtomicBool,
}

impl ConnectionState {
    pub(crate) fn new(idle_number: u64) -> Self {
        let (signals, requests, since) = (Arc::default(), Vec::new(), Instant::now());
        Self { signals, requests, in_handshake: false, aborted: 0, since, idle_number, is_closing: false }
    }

    pub(crate) fn request(&self, number: u64) -> Option<RequestState> {
        self.requests.iter().find(|request| request.number == number).copied()
    }

    /// Puts a request in place of what it was; none for one that is over.
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

    /// Whether nothing is worked on or being sent.
    pub(crate) fn is_idle(&self) -> bool {
        !self.has(Stage::Processing) && !self.is_answering()
    }

    /// Whether nothing at all is asked on it.
    pub(crate) fn is_quiet(&self) -> bool {
        self.is_idle() && self.requests.is_empty() && !self.in_handshake
    }

    /// Since when its client takes nothing of what it was given, where that is all there is to do.
    pub(crate) fn stalled_since(&self, opened: Instant) -> Option<Instant> {
        let last_write_millis =
            opened + Duration::from_millis(self.signals.last_write_millis.load(Ordering::Relaxed));
        (!self.has(Stage::Processing) && self.is_answering()).then(|| self.since.max(last_write_millis))
    }
}
