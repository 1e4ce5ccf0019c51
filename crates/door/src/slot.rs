//! One connection's slot: it turns what happens to the connection's requests, bytes and time limits into
//! changes of its state.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::time::{Instant, timeout};

use crate::Limits;
use crate::connection_state::{RequestState, Signals, Stage};
use crate::slots::{Registry, Slots};

/// What a request holds besides its head and its answer, bytes (measured: streams, tasks and buffers).
const REQUEST_OVERHEAD: usize = 6 << 10;

/// On one connection, at most this many more requests may be aborted than are answered.
const MOST_ABORTED: usize = 128;

/// The connection is being closed; no request begins on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the connection is being closed")]
pub(crate) struct Closing;

/// One connection's slot.
#[derive(Debug)]
pub(crate) struct Slot {
    pub(crate) slots: Arc<Slots>,
    pub(crate) number: u64,
    pub(crate) signals: Arc<Signals>,
}

impl Slot {
    /// Begins a request whose head has so many bytes, and returns its number.
    ///
    /// # Errors
    /// [`Closing`]; then nothing has changed.
    pub(crate) fn begin(&self, body_complete: bool, head: usize) -> Result<u64, Closing> {
        let mut registry = self.slots.registry();
        let (number, since) = (registry.number(), Instant::now());
        let stage = if body_complete { Stage::Processing } else { Stage::Receiving };
        let request =
            RequestState { number, stage, bytes: REQUEST_OVERHEAD + head, since, progressed: false };
        self.step_with(&mut registry, number, |_| Ok(request))?;
        Ok(number)
    }

    /// A request's body is complete. The answer may have begun before.
    ///
    /// # Errors
    /// [`Closing`], also for a request that is finished.
    pub(crate) fn body_complete(&self, number: u64) -> Result<(), Closing> {
        self.step(number, |request| match request.stage {
            Stage::Receiving => request.step(Stage::Processing),
            Stage::Processing | Stage::Answering => request,
        })
    }

    /// So many more bytes of a request's answer are ready for sending.
    ///
    /// # Errors
    /// [`Closing`], also if this connection was chosen for closing to free memory.
    pub(crate) fn answer_ready(&self, number: u64, bytes: usize) -> Result<(), Closing> {
        self.step(number, |request| {
            let given = request.step(Stage::Answering);
            RequestState { bytes: given.bytes + bytes, ..given }
        })
    }

    /// Everything ready of a request's answer was handed over, and more is being produced.
    ///
    /// # Errors
    /// [`Closing`].
    pub(crate) fn processing(&self, number: u64) -> Result<(), Closing> {
        self.step(number, |request| request.step(Stage::Processing))
    }

    /// The client read a piece of a request's answer, or sent one of its body; `frees` bytes were freed.
    pub(crate) fn moved(&self, number: u64, frees: usize) {
        let moved = |request: RequestState| request.moved(frees);
        // Nothing happens for a request that was aborted or whose connection is gone.
        let _ = self.slots.registry().change_request(self.number, number, |_, before| Ok(before.map(moved)));
    }

    /// A request is finished and holds nothing any more. Its answer may not be flushed yet.
    pub(crate) fn finished(&self, number: u64, is_flushed: bool) {
        let mut registry = self.slots.registry();
        let fell_idle = registry.change_request(self.number, number, |connection, before| {
            if before.is_some_and(|request| request.stage == Stage::Answering) {
                connection.aborted = connection.aborted.saturating_sub(1);
                connection.signals.unflushed.fetch_or(!is_flushed, Ordering::Relaxed);
            }
            connection.signals.sent.store(false, Ordering::Relaxed);
            Ok(None)
        });
        self.wake_newcomer(&registry, fell_idle);
    }

    /// A request ended before it was answered. A client that aborts far more requests than it lets finish is
    /// cut off: an aborted request does not count as a concurrent one, so it could start work without end.
    pub(crate) fn aborted(&self, number: u64) {
        let (mut registry, mut is_too_much) = (self.slots.registry(), false);
        let fell_idle = registry.change_request(self.number, number, |connection, _| {
            connection.aborted += 1;
            is_too_much = connection.aborted > MOST_ABORTED;
            Ok(None)
        });
        self.wake_newcomer(&registry, fell_idle);
        if is_too_much {
            registry.close(self.number);
        }
    }

    /// Everything handed over was passed to the system.
    pub(crate) fn flushed(&self) {
        if !self.signals.unflushed.load(Ordering::Relaxed) {
            return;
        }
        let mut registry = self.slots.registry();
        let fell_idle = registry.change(self.number, |connection| {
            connection.signals.unflushed.store(false, Ordering::Relaxed);
            Ok(())
        });
        self.wake_newcomer(&registry, fell_idle);
    }

    /// A TLS handshake, which has its own time limit, begins or ends. The connection stays idle and keeps its
    /// position among the idle ones.
    pub(crate) fn set_in_handshake(&self, still: bool) {
        self.slots.registry().set_in_handshake(self.number, still);
    }

    /// The client accepted some bytes.
    pub(crate) fn note_write(&self) {
        let millis = u64::try_from(self.slots.opened.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.signals.last_write_millis.store(millis, Ordering::Relaxed);
    }

    /// The client sent some bytes.
    pub(crate) fn note_read(&self) {
        self.signals.sent.store(true, Ordering::Relaxed);
    }

    /// Completes when this connection must end: it was chosen for closing, or it was idle or its client read
    /// nothing for longer than the limits allow. No request begins on it after that.
    pub(crate) async fn until_closing(&self, limits: &Limits) {
        let mut chosen = pin!(self.signals.close.notified());
        while let Some(left) = self.time_left(limits) {
            if timeout(left, &mut chosen).await.is_ok() {
                return;
            }
        }
    }

    /// Time until the limits must be checked again. `None` if a limit has passed; the connection is then
    /// closing.
    fn time_left(&self, limits: &Limits) -> Option<Duration> {
        let mut registry = self.slots.registry();
        let connection = registry.connection(self.number)?;
        let (passed, most) = if connection.is_quiet() {
            (connection.since.elapsed(), limits.request)
        } else if let Some(since) = connection.stalled_since(self.slots.opened) {
            (since.elapsed(), limits.answer)
        } else {
            (Duration::ZERO, limits.request.min(limits.answer))
        };
        if passed < most {
            return Some(most - passed);
        }
        registry.close(self.number);
        None
    }

    fn step(&self, number: u64, change: impl FnOnce(RequestState) -> RequestState) -> Result<(), Closing> {
        self.step_with(&mut self.slots.registry(), number, |before| before.map(change).ok_or(Closing))
    }

    /// Changes a request, and closes connections if too much memory is held.
    fn step_with(
        &self,
        registry: &mut Registry,
        number: u64,
        change: impl FnOnce(Option<RequestState>) -> Result<RequestState, Closing>,
    ) -> Result<(), Closing> {
        let fell_idle = registry.change_request(self.number, number, |connection, before| {
            if connection.is_closing { Err(Closing) } else { change(before).map(Some) }
        })?;
        self.wake_newcomer(registry, Ok(fell_idle));
        if self.slots.enforce_memory_limit(registry, number) && registry.is_closing(self.number) {
            return Err(Closing);
        }
        Ok(())
    }

    fn wake_newcomer(&self, registry: &Registry, fell_idle: Result<bool, Closing>) {
        if fell_idle == Ok(true) && registry.newcomer_is_waiting {
            self.slots.slot_available.notify_one();
        }
    }
}
