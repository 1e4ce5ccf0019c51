//! Who is inside: a place for each connection, what is under way on it, and whose place a newcomer gets when
//! all are taken. Protocols are not known here.
//!
//! Everything is decided under one lock: on a connection that was chosen to be closed no request begins, and
//! one on which a request has begun is not chosen, unless its client does not take the answer.

use std::collections::BTreeMap;
use std::pin::pin;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, timeout};

use crate::Limits;

/// How long a client may take nothing of an answer before its place can be a newcomer's.
const NOT_TAKING: Duration = Duration::from_secs(2);
/// How often those who take nothing are looked for while a newcomer waits.
const LOOK_AGAIN: Duration = Duration::from_millis(250);

/// The connection is being closed; nothing begins on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the connection is being closed")]
pub(crate) struct Closing;

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

/// All connections, and how many there may be.
#[derive(Debug)]
pub(crate) struct Places {
    limit: usize,
    inside: Mutex<Inside>,
    /// Somebody left, or fell idle while a newcomer waited.
    room: Notify,
    closed: AtomicU64,
    opened: Instant,
}

#[derive(Debug, Default)]
struct Inside {
    standings: BTreeMap<u64, Standing>,
    /// The idle ones by when they fell idle.
    idle: BTreeMap<u64, u64>,
    /// Numbers connections and turns.
    next: u64,
    /// Those that were chosen and are not gone yet.
    closing: usize,
    newcomer_waits: bool,
}

/// How one connection stands.
#[derive(Debug)]
struct Standing {
    place: Arc<Marks>,
    arriving: usize,
    worked: usize,
    given: usize,
    /// When it fell idle, or was last handed something to send.
    since: Instant,
    /// Where it stands among the idle ones.
    turn: u64,
    is_closing: bool,
}

/// What is noted of a connection without the lock.
#[derive(Debug, Default)]
struct Marks {
    close: Notify,
    /// When the client last took bytes, milliseconds since the door was opened.
    took: AtomicU64,
    /// Answers whose end waits to be flushed.
    unflushed: AtomicUsize,
}

impl Standing {
    const fn is_idle(&self) -> bool {
        self.worked == 0 && self.given == 0
    }

    const fn count(&mut self, stage: Stage) -> &mut usize {
        match stage {
            Stage::Arriving => &mut self.arriving,
            Stage::Worked => &mut self.worked,
            Stage::Given => &mut self.given,
        }
    }

    /// Since when its client takes nothing of what it was given, where that is all there is to do.
    fn not_taking(&self, opened: Instant) -> Option<Instant> {
        let took = opened + Duration::from_millis(self.place.took.load(Ordering::Relaxed));
        (self.worked == 0 && self.given > 0).then(|| self.since.max(took))
    }
}

impl Inside {
    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    /// Changes how a connection stands, and its place among the idle ones with it; tells whether it fell
    /// idle. None for one that is gone.
    fn change(&mut self, number: u64, change: impl FnOnce(&mut Standing)) -> Option<bool> {
        let turn = self.number();
        let standing = self.standings.get_mut(&number)?;
        let was_idle = standing.is_idle();
        change(standing);
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
        Some(!was_idle && is_idle)
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

    /// From now on nothing begins on a connection, and it ends; tells whether it is still there.
    fn close(&mut self, number: u64) -> bool {
        let Some(standing) = self.standings.get_mut(&number) else { return false };
        standing.is_closing = true;
        standing.place.close.notify_one();
        self.idle.remove(&standing.turn);
        self.closing += 1;
        true
    }
}

impl Places {
    pub(crate) fn new(limit: usize) -> Arc<Self> {
        let (inside, room, closed) = (Mutex::default(), Notify::new(), AtomicU64::new(0));
        Arc::new(Self { limit, inside, room, closed, opened: Instant::now() })
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
            let place = Arc::new(Marks::default());
            let (arriving, worked, given, since) = (0, 0, 0, Instant::now());
            let marks = Arc::clone(&place);
            let standing =
                Standing { place, arriving, worked, given, since, turn: number, is_closing: false };
            inside.standings.insert(number, standing);
            inside.idle.insert(number, number);
            let place = Place { places: Arc::clone(self), number, marks };
            return Some(Entered(Arc::new(place)));
        }
        // One newcomer needs one place.
        if inside.closing == 0 && inside.choose(self.opened).is_some_and(|number| inside.close(number)) {
            self.closed.fetch_add(1, Ordering::Relaxed);
        }
        None
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
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
        if let Some(standing) = inside.standings.remove(number) {
            inside.idle.remove(&standing.turn);
            inside.closing -= usize::from(standing.is_closing);
        }
        drop(inside);
        places.room.notify_one();
    }
}

/// One connection's place.
#[derive(Debug)]
pub(crate) struct Place {
    places: Arc<Places>,
    number: u64,
    marks: Arc<Marks>,
}

impl Place {
    /// A request goes from one stage to another; none before its head and after its answer.
    ///
    /// # Errors
    /// [`Closing`], and then nothing has changed.
    pub(crate) fn step(&self, from: Option<Stage>, to: Option<Stage>) -> Result<(), Closing> {
        let mut inside = self.places.inside();
        if inside.standings.get(&self.number).is_none_or(|standing| standing.is_closing) {
            return Err(Closing);
        }
        let fell_idle = inside.change(self.number, |standing| {
            if let Some(from) = from {
                *standing.count(from) -= 1;
            }
            if let Some(to) = to {
                *standing.count(to) += 1;
            }
        });
        self.tell(&inside, fell_idle);
        Ok(())
    }

    /// A handshake, which has a time of its own, begins or is done. The connection stays idle, and where it
    /// is among the idle ones.
    pub(crate) fn shaking_hands(&self, still: bool) {
        if let Some(standing) = self.places.inside().standings.get_mut(&self.number) {
            standing.arriving = usize::from(still);
            standing.since = Instant::now();
        }
    }

    /// The end of an answer was handed over; it is under way until it is flushed.
    pub(crate) fn handed_over(&self) {
        self.marks.unflushed.fetch_add(1, Ordering::Relaxed);
    }

    /// All that was handed over is with the system.
    pub(crate) fn flushed(&self) {
        if self.marks.unflushed.load(Ordering::Relaxed) == 0 {
            return;
        }
        let count = self.marks.unflushed.swap(0, Ordering::Relaxed);
        let mut inside = self.places.inside();
        let fell_idle = inside.change(self.number, |standing| standing.given -= count);
        self.tell(&inside, fell_idle);
    }

    /// The client took some bytes.
    pub(crate) fn took(&self) {
        let millis = u64::try_from(self.places.opened.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.marks.took.store(millis, Ordering::Relaxed);
    }

    /// Done when this connection is to end: its place is a newcomer's, or nothing was asked, or nothing taken
    /// of an answer, for as long as the limits allow. Nothing begins on it any more.
    pub(crate) async fn over(&self, limits: &Limits) {
        let mut chosen = pin!(self.marks.close.notified());
        while let Some(left) = self.left_of(limits) {
            if timeout(left, &mut chosen).await.is_ok() {
                return;
            }
        }
    }

    /// How long there is nothing to look for; none when the time is over, and nothing begins any more.
    fn left_of(&self, limits: &Limits) -> Option<Duration> {
        let mut inside = self.places.inside();
        let standing = inside.standings.get(&self.number)?;
        let is_quiet = standing.is_idle() && standing.arriving == 0;
        let (passed, most) = if is_quiet {
            (standing.since.elapsed(), limits.request)
        } else if let Some(since) = standing.not_taking(self.places.opened) {
            (since.elapsed(), limits.answer)
        } else {
            (Duration::ZERO, limits.request.min(limits.answer))
        };
        if passed < most {
            return Some(most - passed);
        }
        if !standing.is_closing {
            inside.close(self.number);
        }
        None
    }

    fn tell(&self, inside: &Inside, fell_idle: Option<bool>) {
        if fell_idle == Some(true) && inside.newcomer_waits {
            self.places.room.notify_one();
        }
    }
}
