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
use crate::place::{Closing, Place};
use crate::standing::{Standing, UnderWay};

/// How long a client may take nothing of an answer before its place can be a newcomer's.
const NOT_TAKING: Duration = Duration::from_secs(2);
/// How often those who take nothing are looked for while a newcomer waits.
const LOOK_AGAIN: Duration = Duration::from_millis(250);

/// All connections, and how many there may be.
#[derive(Debug)]
pub(crate) struct Places {
    limit: usize,
    /// Most that requests may hold, bytes.
    most_held: usize,
    inside: Mutex<Inside>,
    /// Somebody left, or fell idle while a newcomer waited.
    pub(crate) room: Notify,
    closed: AtomicU64,
    gave_way: AtomicU64,
    pub(crate) opened: Instant,
}

#[derive(Debug, Default)]
pub(crate) struct Inside {
    standings: BTreeMap<u64, Standing>,
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
    pub(crate) newcomer_waits: bool,
}

impl Inside {
    pub(crate) fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    pub(crate) fn standing(&self, number: u64) -> Option<&Standing> {
        self.standings.get(&number)
    }

    pub(crate) fn is_closing(&self, number: u64) -> bool {
        self.standing(number).is_none_or(|standing| standing.is_closing)
    }

    /// A connection's handshake begins or is done.
    pub(crate) fn shakes_hands(&mut self, number: u64, still: bool) {
        if let Some(standing) = self.standings.get_mut(&number) {
            (standing.shakes_hands, standing.since) = (still, Instant::now());
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
        change: impl FnOnce(&mut Standing) -> Result<(), Closing>,
    ) -> Result<bool, Closing> {
        let turn = self.number();
        let standing = self.standings.get_mut(&number).ok_or(Closing)?;
        let was_idle = standing.is_idle();
        change(standing)?;
        let is_idle = standing.is_idle();
        if !is_idle || !was_idle {
            standing.since = Instant::now();
        }
        if was_idle && !is_idle {
            self.idle.remove(&standing.turn);
        } else if !was_idle && is_idle && !standing.is_closing {
            standing.turn = turn;
            self.idle.insert(turn, number);
        }
        Ok(!was_idle && is_idle)
    }

    /// Changes a request of a connection, from what it was to what `change` makes of it (none: it has not
    /// begun, or is over), and says what [`Inside::change`] says.
    ///
    /// # Errors
    /// [`Closing`] for a connection that is gone, and what `change` says.
    pub(crate) fn change_request(
        &mut self,
        connection: u64,
        number: u64,
        change: impl FnOnce(&mut Standing, Option<UnderWay>) -> Result<Option<UnderWay>, Closing>,
    ) -> Result<bool, Closing> {
        let (mut before, mut after, mut counts) = (None, None, false);
        let fell_idle = self.change(connection, |standing| {
            before = standing.request(number);
            after = change(standing, before)?;
            counts = !standing.is_closing;
            standing.put(number, after);
            Ok(())
        })?;
        // What a connection holds that is being closed was let go of when it was chosen.
        if counts {
            let waits = |request: Option<UnderWay>| request.and_then(|request| request.waits());
            waits(before).map(|since| self.waiting.remove(&(since, number)));
            waits(after).map(|since| self.waiting.insert((since, number), connection));
            let bytes = |request: Option<UnderWay>| request.map_or(0, |request| request.bytes);
            self.held = self.held - bytes(before) + bytes(after);
        }
        Ok(fell_idle)
    }

    /// The connection that has been idle for longest; where none is, the one whose client has taken
    /// nothing of its answer for longest.
    fn choose(&mut self, opened: Instant) -> Option<u64> {
        if let Some((_, number)) = self.idle.pop_first() {
            return Some(number);
        }
        let stalled = self.standings.iter().filter(|(_, standing)| !standing.is_closing);
        let stalled = stalled.filter_map(|(number, standing)| Some((standing.not_taking(opened)?, *number)));
        let (since, number) = stalled.min()?;
        (since.elapsed() >= NOT_TAKING).then_some(number)
    }

    /// Closes connections while more is held than may be: the one first of whose requests one has waited for
    /// its client for longest. The request that was just changed is no reason to close its own. Tells how
    /// many were closed.
    fn make_room(&mut self, most: usize, changed: u64) -> u64 {
        let mut closed = 0;
        while self.held > most {
            let longest = self.waiting.iter().find(|((_, number), _)| *number != changed);
            let Some(connection) = longest.map(|(_, connection)| *connection) else { break };
            self.close(connection);
            closed += 1;
        }
        closed
    }

    /// From now on nothing begins on a connection, and it ends; tells whether it is still there.
    pub(crate) fn close(&mut self, number: u64) -> bool {
        let Some(standing) = self.standings.get_mut(&number) else { return false };
        if standing.is_closing {
            return true;
        }
        standing.is_closing = true;
        standing.marks.close.notify_one();
        self.idle.remove(&standing.turn);
        self.held -= standing.held();
        for request in standing.requests() {
            request.waits().map(|since| self.waiting.remove(&(since, request.number)));
        }
        self.closing += 1;
        true
    }
}

impl Places {
    pub(crate) fn new(limits: &Limits) -> Arc<Self> {
        let (inside, room, opened) = (Mutex::default(), Notify::new(), Instant::now());
        let (closed, gave_way) = (AtomicU64::new(0), AtomicU64::new(0));
        let Limits { connections: limit, held: most_held, .. } = *limits;
        Arc::new(Self { limit, most_held, inside, room, closed, gave_way, opened })
    }

    /// How many there may be.
    pub(crate) const fn limit(&self) -> usize {
        self.limit
    }

    /// How many connections there are.
    pub(crate) fn taken(&self) -> usize {
        self.inside().standings.len()
    }

    /// How many were closed to let another in.
    pub(crate) fn closed(&self) -> u64 {
        self.closed.load(Ordering::Relaxed)
    }

    /// What requests hold, bytes.
    pub(crate) fn held(&self) -> usize {
        self.inside().held
    }

    /// Most they may hold, bytes.
    pub(crate) const fn most_held(&self) -> usize {
        self.most_held
    }

    /// How many were closed because too much was held.
    pub(crate) fn gave_way(&self) -> u64 {
        self.gave_way.load(Ordering::Relaxed)
    }

    /// Sees that no more is held than may be, right after a request was changed; tells whether somebody had
    /// to give way.
    pub(crate) fn make_room(&self, inside: &mut Inside, changed: u64) -> bool {
        let gave_way = inside.make_room(self.most_held, changed);
        if gave_way > 0 {
            self.gave_way.fetch_add(gave_way, Ordering::Relaxed);
        }
        gave_way > 0
    }

    /// Lets a newcomer in: at once where there is room or somebody is idle, who is then closed; else when
    /// somebody has been answered. There is one at a time who asks.
    pub(crate) async fn enter(self: &Arc<Self>) -> Entered {
        loop {
            if let Some(entered) = self.try_enter() {
                return entered;
            }
            let _ = timeout(LOOK_AGAIN, self.room.notified()).await;
        }
    }

    fn try_enter(self: &Arc<Self>) -> Option<Entered> {
        let mut inside = self.inside();
        inside.newcomer_waits = inside.standings.len() >= self.limit;
        if !inside.newcomer_waits {
            let number = inside.number();
            let standing = Standing::new(number);
            let marks = Arc::clone(&standing.marks);
            inside.standings.insert(number, standing);
            inside.idle.insert(number, number);
            return Some(Entered(Arc::new(Place { places: Arc::clone(self), number, marks })));
        }
        // One newcomer needs one place.
        if inside.closing == 0 && inside.choose(self.opened).is_some_and(|number| inside.close(number)) {
            self.closed.fetch_add(1, Ordering::Relaxed);
        }
        None
    }

    pub(crate) fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection's place until this is dropped.
#[derive(Debug)]
pub(crate) struct Entered(Arc<Place>);

impl Entered {
    pub(crate) fn place(&self) -> Arc<Place> {
        Arc::clone(&self.0)
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        let Place { places, number, .. } = &*self.0;
        let mut inside = places.inside();
        // What its requests still hold is let go of right behind it.
        inside.close(*number);
        if inside.standings.remove(number).is_some() {
            inside.closing -= 1;
        }
        drop(inside);
        places.room.notify_one();
    }
}
