//! Who is inside: a place for each connection, what its requests hold, and who gives way when all places are
//! taken or too much is held. Protocols are not known here.
//!
//! Everything is decided under one lock: on a connection that was chosen to be closed no request begins, and
//! for a newcomer none is chosen on which a request has begun, unless its client does not take the answer.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, timeout};

use crate::Limits;
use crate::connection_state::{ConnectionState, RequestState};
use crate::slot::{Closing, Slot};

/// How long a client may take nothing of an answer before its place can be a newcomer's.
const STALL_LIMIT: Duration = Duration::from_secs(2);
/// How often those who take nothing are looked for while a newcomer waits.
const RECHECK_INTERVAL: Duration = Duration::from_millis(250);

/// All connections, and how many there may be.
#[derive(Debug)]
pub(crate) struct Slots {
    limit: usize,
    /// Most that requests may hold, bytes.
    memory_limit: usize,
    registry: Mutex<Registry>,
    /// Somebody left, or fell idle while a newcomer waited.
    pub(crate) slot_available: Notify,
    closed: AtomicU64,
    closed_for_memory: AtomicU64,
    pub(crate) opened: Instant,
}

#[derive(Debug, Default)]
pub(crate) struct Registry {
    connections: BTreeMap<u64, ConnectionState>,
    /// The idle ones by when they fell idle.
    idle: BTreeMap<u64, u64>,
    /// Requests that wait for their client, by since when and their number; whose they are.
    waiting: BTreeMap<(Instant, u64), u64>,
    /// What all requests hold but those of connections that are being closed, bytes.
    held: usize,
    /// Numbers connections, requests and turns.
    next: u64,
    /// Those that were chosen and are not gone yet.
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

    /// A connection's handshake begins or is done.
    pub(crate) fn set_in_handshake(&mut self, number: u64, still: bool) {
        if let Some(connection) = self.connections.get_mut(&number) {
            (connection.in_handshake, connection.since) = (still, Instant::now());
        }
    }

    /// Changes how a connection stands, and its place among the idle ones with it; tells whether it fell
    /// idle.
    ///
    /// # Errors
    /// [`Closing`] for one that is gone, and what `change` says.
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

    /// Changes a request of a connection, from what it was to what `change` makes of it (none: it has not
    /// begun, or is over), and says what [`Registry::change`] says.
    ///
    /// # Errors
    /// [`Closing`] for a connection that is gone, and what `change` says.
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
        // What a connection holds that is being closed was let go of when it was chosen.
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

    /// The connection that has been idle for longest; where none is, the one whose client has taken
    /// nothing of its answer for longest.
    fn choose_for_newcomer(&mut self, opened: Instant) -> Option<u64> {
        if let Some((_, number)) = self.idle.pop_first() {
            return Some(number);
        }
        let stalled = self.connections.iter().filter(|(_, connection)| !connection.is_closing);
        let stalled =
            stalled.filter_map(|(number, connection)| Some((connection.stalled_since(opened)?, *number)));
        let (since, number) = stalled.min()?;
        (since.elapsed() >= STALL_LIMIT).then_some(number)
    }

    /// Closes connections while more is held than may be: the one first of whose requests one has waited for
    /// its client for longest. The request that was just changed is no reason to close its own. Tells how
    /// many were closed.
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

    /// From now on nothing begins on a connection, and it ends; tells whether it is still there.
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
        let Limits { connections: limit, held: memory_limit, .. } = *limits;
        Arc::new(Self { limit, memory_limit, registry, slot_available, closed, closed_for_memory, opened })
    }

    /// How many there may be.
    pub(crate) const fn limit(&self) -> usize {
        self.limit
    }

    /// How many connections there are.
    pub(crate) fn taken(&self) -> usize {
        self.registry().connections.len()
    }

    /// How many were closed to let another in.
    pub(crate) fn closed(&self) -> u64 {
        self.closed.load(Ordering::Relaxed)
    }

    /// What requests hold, bytes.
    pub(crate) fn held(&self) -> usize {
        self.registry().held
    }

    /// Most they may hold, bytes.
    pub(crate) const fn memory_limit(&self) -> usize {
        self.memory_limit
    }

    /// How many were closed because too much was held.
    pub(crate) fn closed_for_memory(&self) -> u64 {
        self.closed_for_memory.load(Ordering::Relaxed)
    }

    /// Sees that no more is held than may be, right after a request was changed; tells whether somebody had
    /// to give way.
    pub(crate) fn enforce_memory_limit(&self, registry: &mut Registry, changed: u64) -> bool {
        let closed_for_memory = registry.enforce_memory_limit(self.memory_limit, changed);
        if closed_for_memory > 0 {
            self.closed_for_memory.fetch_add(closed_for_memory, Ordering::Relaxed);
        }
        closed_for_memory > 0
    }

    /// Lets a newcomer in: at once where there is room or somebody is idle, who is then closed; else when
    /// somebody has been answered. There is one at a time who asks.
    pub(crate) async fn enter(self: &Arc<Self>) -> SlotGuard {
        loop {
            if let Some(slot_guard) = self.try_enter() {
                return slot_guard;
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
        // One newcomer needs one place.
        if registry.closing == 0
            && registry.choose_for_newcomer(self.opened).is_some_and(|number| registry.close(number))
        {
            self.closed.fetch_add(1, Ordering::Relaxed);
        }
        None
    }

    pub(crate) fn registry(&self) -> MutexGuard<'_, Registry> {
        self.registry.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection's place until this is dropped.
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
        // What its requests still hold is let go of right behind it.
        registry.close(*number);
        if registry.connections.remove(number).is_some() {
            registry.closing -= 1;
        }
        drop(registry);
        slots.slot_available.notify_one();
    }
}
