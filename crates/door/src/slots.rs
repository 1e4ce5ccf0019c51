//! All connections: a slot for each, the memory their requests hold, and which connection is closed when
//! slots or memory run out. It does not know about protocols.
//!
//! Every decision is made under one lock. No request begins on a connection that was chosen for closing. A
//! connection on which a request has begun is never closed for a new one, unless its client does not read the
//! answer.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, timeout};

use crate::connection_state::{ConnectionState, RequestState};
use crate::slot::{Closing, Slot};
use crate::{Limits, WhenFull};

/// After reading nothing of an answer for this long, a client can lose its slot to a new connection.
const STALL_LIMIT: Duration = Duration::from_secs(2);
/// How often stalled clients are looked for while a new connection waits.
const RECHECK_INTERVAL: Duration = Duration::from_millis(250);
/// For how long a connection has to be without a request before it is closed for a new one where new ones may be refused:
/// its first request may have come and not been looked at yet.
const QUIET: Duration = Duration::from_millis(250);

/// All connections, and the limits on them.
#[derive(Debug)]
pub(crate) struct Slots {
    limit: usize,
    when_full: WhenFull,
    /// Most that requests may hold, bytes.
    memory_limit: usize,
    registry: Mutex<Registry>,
    /// Signals that a connection ended, or became idle while a new one waited.
    pub(crate) slot_available: Notify,
    closed: AtomicU64,
    closed_for_memory: AtomicU64,
    pub(crate) opened: Instant,
}

#[derive(Debug, Default)]
pub(crate) struct Registry {
    connections: BTreeMap<u64, ConnectionState>,
    /// Idle connections, by [`ConnectionState::idle_number`].
    idle: BTreeMap<u64, u64>,
    /// Connections of the requests that wait for their client, by waiting time and request number.
    waiting: BTreeMap<(Instant, u64), u64>,
    /// What all requests hold, except those of connections that are closing, bytes.
    held: usize,
    /// The last number given out, to connections, requests and idle positions.
    next: u64,
    /// Connections that were chosen for closing and have not ended yet.
    closing: usize,
    pub(crate) newcomer_is_waiting: bool,
}

impl Registry {
    pub(crate) fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    pub(crate) fn connection(&self, number: u64) -> Option<&ConnectionState> {
        self.connections.get(&number)
    }

    pub(crate) fn is_closing(&self, number: u64) -> bool {
        self.connection(number).is_none_or(|connection| connection.is_closing)
    }

    /// A connection's TLS handshake begins or ends.
    pub(crate) fn set_in_handshake(&mut self, number: u64, still: bool) {
        if let Some(connection) = self.connections.get_mut(&number) {
            (connection.in_handshake, connection.since) = (still, Instant::now());
        }
    }

    /// Changes the state of a connection and updates the queue of idle ones. Returns whether the connection
    /// became idle.
    ///
    /// # Errors
    /// [`Closing`] if the connection is gone, and any error of `change`.
    pub(crate) fn change(
        &mut self,
        number: u64,
        change: impl FnOnce(&mut ConnectionState) -> Result<(), Closing>,
    ) -> Result<bool, Closing> {
        let idle_number = self.number();
        let connection = self.connections.get_mut(&number).ok_or(Closing)?;
        let was_idle = connection.is_idle();
        change(connection)?;
        let is_idle = connection.is_idle();
        if !is_idle || !was_idle {
            connection.since = Instant::now();
        }
        if was_idle && !is_idle {
            self.idle.remove(&connection.idle_number);
        } else if !was_idle && is_idle && !connection.is_closing {
            connection.idle_number = idle_number;
            self.idle.insert(idle_number, number);
        }
        Ok(!was_idle && is_idle)
    }

    /// Changes the state of a request to what `change` returns; `None` means a request that has not
    /// begun or is finished. Returns the same as [`Registry::change`].
    ///
    /// # Errors
    /// [`Closing`] if the connection is gone, and any error of `change`.
    pub(crate) fn change_request(
        &mut self,
        connection: u64,
        number: u64,
        change: impl FnOnce(&mut ConnectionState, Option<RequestState>) -> Result<Option<RequestState>, Closing>,
    ) -> Result<bool, Closing> {
        let (mut before, mut after, mut counts) = (None, None, false);
        let fell_idle = self.change(connection, |connection| {
            before = connection.request(number);
            after = change(connection, before)?;
            counts = !connection.is_closing;
            connection.put(number, after);
            Ok(())
        })?;
        // The memory of a closing connection was already subtracted when it was chosen.
        if counts {
            let waiting_since =
                |request: Option<RequestState>| request.and_then(|request| request.waiting_since());
            waiting_since(before).map(|since| self.waiting.remove(&(since, number)));
            waiting_since(after).map(|since| self.waiting.insert((since, number), connection));
            let bytes = |request: Option<RequestState>| request.map_or(0, |request| request.bytes);
            self.held = self.held - bytes(before) + bytes(after);
        }
        Ok(fell_idle)
    }

    /// The connection that has been idle for longest. If none is idle, the one whose client has read nothing
    /// for longest.
    fn choose_for_newcomer(&mut self, opened: Instant) -> Option<u64> {
        if let Some((_, number)) = self.idle.pop_first() {
            return Some(number);
        }
        self.choose_stalled(opened)
    }

    /// The connection whose client has read nothing of its answer for longest, if that is long enough.
    fn choose_stalled(&self, opened: Instant) -> Option<u64> {
        let stalled = self.connections.iter().filter(|(_, connection)| !connection.is_closing);
        let stalled =
            stalled.filter_map(|(number, connection)| Some((connection.stalled_since(opened)?, *number)));
        let (since, number) = stalled.min()?;
        (since.elapsed() >= STALL_LIMIT).then_some(number)
    }

    /// The connection that has been without a request for longest, and for some time.
    fn choose_quiet(&self) -> Option<u64> {
        let is_quiet = |number: &u64| {
            let connection = self.connections.get(number);
            connection.is_some_and(|connection| connection.is_unused() && connection.since.elapsed() >= QUIET)
        };
        self.idle.values().copied().find(is_quiet)
    }

    /// Closes connections until the memory limit is kept, beginning with the one whose request has waited for
    /// its client for longest. The request that just changed is not a reason to close its own connection.
    /// Returns how many were closed.
    fn enforce_memory_limit(&mut self, limit: usize, changed: u64) -> u64 {
        let mut closed = 0;
        while self.held > limit {
            let longest = self.waiting.iter().find(|((_, number), _)| *number != changed);
            let Some(connection) = longest.map(|(_, connection)| *connection) else { break };
            self.close(connection);
            closed += 1;
        }
        closed
    }

    /// Marks a connection as closing: no request begins on it. Returns whether the connection still exists.
    pub(crate) fn close(&mut self, number: u64) -> bool {
        let Some(connection) = self.connections.get_mut(&number) else { return false };
        if connection.is_closing {
            return true;
        }
        connection.is_closing = true;
        connection.signals.close.notify_one();
        self.idle.remove(&connection.idle_number);
        self.held -= connection.held();
        for request in connection.requests() {
            request.waiting_since().map(|since| self.waiting.remove(&(since, request.number)));
        }
        self.closing += 1;
        true
    }
}

impl Slots {
    pub(crate) fn new(limits: &Limits) -> Arc<Self> {
        let (registry, slot_available, opened) = (Mutex::default(), Notify::new(), Instant::now());
        let (closed, closed_for_memory) = (AtomicU64::new(0), AtomicU64::new(0));
        let Limits { connections: limit, when_full, held: memory_limit, .. } = *limits;
        Arc::new(Self {
            limit,
            when_full,
            memory_limit,
            registry,
            slot_available,
            closed,
            closed_for_memory,
            opened,
        })
    }

    /// Most connections that may be open.
    pub(crate) const fn limit(&self) -> usize {
        self.limit
    }

    /// Number of open connections.
    pub(crate) fn taken(&self) -> usize {
        self.registry().connections.len()
    }

    /// Number of connections closed for new ones.
    pub(crate) fn closed(&self) -> u64 {
        self.closed.load(Ordering::Relaxed)
    }

    /// What requests hold, bytes.
    pub(crate) fn held(&self) -> usize {
        self.registry().held
    }

    /// Most that requests may hold, bytes.
    pub(crate) const fn memory_limit(&self) -> usize {
        self.memory_limit
    }

    /// Number of connections closed because too much memory was held.
    pub(crate) fn closed_for_memory(&self) -> u64 {
        self.closed_for_memory.load(Ordering::Relaxed)
    }

    /// Enforces the memory limit right after a request changed. Returns whether connections were closed.
    pub(crate) fn enforce_memory_limit(&self, registry: &mut Registry, changed: u64) -> bool {
        let closed_for_memory = registry.enforce_memory_limit(self.memory_limit, changed);
        if closed_for_memory > 0 {
            self.closed_for_memory.fetch_add(closed_for_memory, Ordering::Relaxed);
        }
        closed_for_memory > 0
    }

    /// Waits for a free slot and takes it. If all are in use, an idle connection is closed; if none is idle,
    /// this waits until one has been answered, or returns `None` where new connections are refused. Only one caller may wait
    /// at a time.
    pub(crate) async fn enter(self: &Arc<Self>) -> Option<SlotGuard> {
        loop {
            if let Some(slot_guard) = self.try_enter() {
                return Some(slot_guard);
            }
            if self.when_full == WhenFull::Refuse && self.registry().closing == 0 {
                return None;
            }
            let _ = timeout(RECHECK_INTERVAL, self.slot_available.notified()).await;
        }
    }

    fn try_enter(self: &Arc<Self>) -> Option<SlotGuard> {
        let mut registry = self.registry();
        registry.newcomer_is_waiting = registry.connections.len() >= self.limit;
        if !registry.newcomer_is_waiting {
            let number = registry.number();
            let connection = ConnectionState::new(number);
            let signals = Arc::clone(&connection.signals);
            registry.connections.insert(number, connection);
            registry.idle.insert(number, number);
            return Some(SlotGuard(Arc::new(Slot { slots: Arc::clone(self), number, signals })));
        }
        // One new connection needs one slot.
        if registry.closing > 0 {
            return None;
        }
        let chosen = match self.when_full {
            WhenFull::CloseIdle => registry.choose_for_newcomer(self.opened),
            WhenFull::Refuse => registry.choose_quiet().or_else(|| registry.choose_stalled(self.opened)),
        };
        if chosen.is_some_and(|number| registry.close(number)) {
            self.closed.fetch_add(1, Ordering::Relaxed);
        }
        None
    }

    pub(crate) fn registry(&self) -> MutexGuard<'_, Registry> {
        self.registry.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Holds a connection's slot until it is dropped.
#[derive(Debug)]
pub(crate) struct SlotGuard(Arc<Slot>);

impl SlotGuard {
    pub(crate) fn slot(&self) -> Arc<Slot> {
        Arc::clone(&self.0)
    }
}

impl Drop for SlotGuard {
    fn drop(&mut self) {
        let Slot { slots, number, .. } = &*self.0;
        let mut registry = slots.registry();
        // What the connection's requests still hold is freed right after this.
        registry.close(*number);
        if registry.connections.remove(number).is_some() {
            registry.closing -= 1;
        }
        drop(registry);
        slots.slot_available.notify_one();
    }
}
