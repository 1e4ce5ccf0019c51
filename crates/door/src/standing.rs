//! How one connection stands: its requests, how far each is, and what they hold. Other connections are not
//! known here.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

/// How long a client who took a piece stands behind those who took none, when somebody has to give way. Short enough that who would pretend to read has to read.
const CREDIT: Duration = Duration::from_millis(250);

/// The same for who sends a body, also before its first piece: it costs little, and who posts may take a moment
/// between its head and its body.
const ARRIVES: Duration = Duration::from_secs(2);

/// How far one request is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Its body is still coming in. The connection counts as idle: who sends slowly holds no place
    /// against a newcomer.
    Arriving,
    /// It is whole, and worked on.
    Worked,
    /// What there is of its answer was handed over to be sent.
    Given,
}

/// One request, from its head until all that was made for it is let go of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct UnderWay {
    /// Tells requests of all connections apart.
    pub(crate) number: u64,
    pub(crate) stage: Stage,
    /// What is held for it, its answer included, bytes.
    pub(crate) bytes: usize,
    /// When its stage began, or its client last took or sent a piece.
    pub(crate) since: Instant,
    /// Whether its client took a piece of its answer since there was something to take.
    pub(crate) moves: bool,
}

impl UnderWay {
    /// Since when it waits for its client, who is thought better of for a while after each piece. None where
    /// it is the client who waits.
    pub(crate) fn waits(self) -> Option<Instant> {
        match self.stage {
            Stage::Arriving => Some(self.since + ARRIVES),
            Stage::Given if self.moves => Some(self.since + CREDIT),
            Stage::Given => Some(self.since),
            Stage::Worked => None,
        }
    }

    /// Goes on to a stage, or stays there.
    pub(crate) fn step(self, to: Stage) -> Self {
        if self.stage == to { self } else { Self { stage: to, since: Instant::now(), moves: false, ..self } }
    }

    /// Its client took or sent a piece; so many bytes are held no longer.
    pub(crate) fn moved(self, frees: usize) -> Self {
        Self { bytes: self.bytes.saturating_sub(frees), since: Instant::now(), moves: true, ..self }
    }
}

/// How one connection stands.
#[derive(Debug)]
pub(crate) struct Standing {
    pub(crate) marks: Arc<Marks>,
    /// Few: as many as may be open at once.
    requests: Vec<UnderWay>,
    /// Whether it is in its handshake.
    pub(crate) shakes_hands: bool,
    /// Requests that were given up, beyond those that were answered.
    pub(crate) given_up: usize,
    /// When it fell idle, or was last handed something to send.
    pub(crate) since: Instant,
    /// Where it stands among the idle ones.
    pub(crate) turn: u64,
    pub(crate) is_closing: bool,
}

/// What is noted of a connection without the lock.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    pub(crate) close: Notify,
    /// When the client last took bytes, milliseconds since the door was opened.
    pub(crate) took: AtomicU64,
    /// Whether the end of an answer waits to be flushed.
    pub(crate) unflushed: AtomicBool,
}

impl Standing {
    pub(crate) fn new(turn: u64) -> Self {
        let (marks, requests, since) = (Arc::default(), Vec::new(), Instant::now());
        Self { marks, requests, shakes_hands: false, given_up: 0, since, turn, is_closing: false }
    }

    pub(crate) fn request(&self, number: u64) -> Option<UnderWay> {
        self.requests.iter().find(|request| request.number == number).copied()
    }

    /// Puts a request in place of what it was; none for one that is over.
    pub(crate) fn put(&mut self, number: u64, request: Option<UnderWay>) {
        let place = self.requests.iter().position(|other| other.number == number);
        match (place, request) {
            (Some(place), Some(request)) => self.requests[place] = request,
            (Some(place), None) => drop(self.requests.swap_remove(place)),
            (None, Some(request)) => self.requests.push(request),
            (None, None) => {}
        }
    }

    pub(crate) fn requests(&self) -> impl Iterator<Item = &UnderWay> {
        self.requests.iter()
    }

    /// What its requests hold, bytes.
    pub(crate) fn held(&self) -> usize {
        self.requests.iter().map(|request| request.bytes).sum()
    }

    fn has(&self, stage: Stage) -> bool {
        self.requests.iter().any(|request| request.stage == stage)
    }

    fn is_given(&self) -> bool {
        self.has(Stage::Given) || self.marks.unflushed.load(Ordering::Relaxed)
    }

    /// Whether nothing is worked on or being sent.
    pub(crate) fn is_idle(&self) -> bool {
        !self.has(Stage::Worked) && !self.is_given()
    }

    /// Whether nothing at all is asked on it.
    pub(crate) fn is_quiet(&self) -> bool {
        self.is_idle() && self.requests.is_empty() && !self.shakes_hands
    }

    /// Since when its client takes nothing of what it was given, where that is all there is to do.
    pub(crate) fn not_taking(&self, opened: Instant) -> Option<Instant> {
        let took = opened + Duration::from_millis(self.marks.took.load(Ordering::Relaxed));
        (!self.has(Stage::Worked) && self.is_given()).then(|| self.since.max(took))
    }
}
