//! One connection's place: what its requests, its wire and its clock do to how it stands.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::time::{Instant, timeout};

use crate::Limits;
use crate::places::{Inside, Places};
use crate::standing::{Marks, Stage, UnderWay};

/// What a request holds besides its head and its answer, bytes: streams, tasks and buffers, as measured.
const REQUEST: usize = 6 << 10;

/// So many more requests may be given up on a connection than are answered.
const GIVEN_UP: usize = 128;

/// The connection is being closed; nothing begins on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the connection is being closed")]
pub(crate) struct Closing;

/// One connection's place.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) places: Arc<Places>,
    pub(crate) number: u64,
    pub(crate) marks: Arc<Marks>,
}

impl Place {
    /// A request begins, whose head has so many bytes; gives its number.
    ///
    /// # Errors
    /// [`Closing`], and then nothing has changed.
    pub(crate) fn begin(&self, is_whole: bool, head: usize) -> Result<u64, Closing> {
        let mut inside = self.places.inside();
        let (number, since) = (inside.number(), Instant::now());
        let stage = if is_whole { Stage::Worked } else { Stage::Arriving };
        let request = UnderWay { number, stage, bytes: REQUEST + head, since, moves: false };
        self.step_with(&mut inside, number, |_| Ok(request))?;
        Ok(number)
    }

    /// A request's body is whole. It may be long since, and the answer be under way.
    ///
    /// # Errors
    /// [`Closing`], also for a request that is over.
    pub(crate) fn is_whole(&self, number: u64) -> Result<(), Closing> {
        self.step(number, |request| match request.stage {
            Stage::Arriving => request.step(Stage::Worked),
            Stage::Worked | Stage::Given => request,
        })
    }

    /// More of a request's answer is there to be sent, so many bytes.
    ///
    /// # Errors
    /// [`Closing`], also where this connection is the one that gives way.
    pub(crate) fn gives(&self, number: u64, bytes: usize) -> Result<(), Closing> {
        self.step(number, |request| {
            let given = request.step(Stage::Given);
            UnderWay { bytes: given.bytes + bytes, ..given }
        })
    }

    /// What there was of a request's answer was handed over, and more is worked on.
    ///
    /// # Errors
    /// [`Closing`].
    pub(crate) fn works_on(&self, number: u64) -> Result<(), Closing> {
        self.step(number, |request| request.step(Stage::Worked))
    }

    /// The client took a piece of a request's answer, or sent one of its body; so many bytes are let go of.
    pub(crate) fn moved(&self, number: u64, frees: usize) {
        let moved = |request: UnderWay| request.moved(frees);
        // One that was given up, or whose connection is gone, moves nothing.
        let _ = self.places.inside().change_request(self.number, number, |_, before| Ok(before.map(moved)));
    }

    /// A request is over: nothing is held for it any more. Its answer may wait to be flushed.
    pub(crate) fn over(&self, number: u64, is_flushed: bool) {
        let mut inside = self.places.inside();
        let fell_idle = inside.change_request(self.number, number, |standing, before| {
            if before.is_some_and(|request| request.stage == Stage::Given) {
                standing.given_up = standing.given_up.saturating_sub(1);
                standing.marks.unflushed.fetch_or(!is_flushed, Ordering::Relaxed);
            }
            Ok(None)
        });
        self.tell(&inside, fell_idle);
    }

    /// A request is over before it was answered. Whoever gives up many more than he lets be answered has work
    /// begun without end, for one that is given up is none of those he may have at once.
    pub(crate) fn given_up(&self, number: u64) {
        let (mut inside, mut is_too_much) = (self.places.inside(), false);
        let fell_idle = inside.change_request(self.number, number, |standing, _| {
            standing.given_up += 1;
            is_too_much = standing.given_up > GIVEN_UP;
            Ok(None)
        });
        self.tell(&inside, fell_idle);
        if is_too_much {
            inside.close(self.number);
        }
    }

    /// All that was handed over is with the system.
    pub(crate) fn flushed(&self) {
        if !self.marks.unflushed.load(Ordering::Relaxed) {
            return;
        }
        let mut inside = self.places.inside();
        let fell_idle = inside.change(self.number, |standing| {
            standing.marks.unflushed.store(false, Ordering::Relaxed);
            Ok(())
        });
        self.tell(&inside, fell_idle);
    }

    /// A handshake, which has a time of its own, begins or is done. The connection stays idle, and where it
    /// is among the idle ones.
    pub(crate) fn shaking_hands(&self, still: bool) {
        self.places.inside().shakes_hands(self.number, still);
    }

    /// The client took some bytes.
    pub(crate) fn took(&self) {
        let millis = u64::try_from(self.places.opened.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.marks.took.store(millis, Ordering::Relaxed);
    }

    /// Done when this connection is to end: it has to make room, or nothing was asked, or nothing taken
    /// of an answer, for as long as the limits allow. Nothing begins on it any more.
    pub(crate) async fn ends(&self, limits: &Limits) {
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
        let standing = inside.standing(self.number)?;
        let (passed, most) = if standing.is_quiet() {
            (standing.since.elapsed(), limits.request)
        } else if let Some(since) = standing.not_taking(self.places.opened) {
            (since.elapsed(), limits.answer)
        } else {
            (Duration::ZERO, limits.request.min(limits.answer))
        };
        if passed < most {
            return Some(most - passed);
        }
        inside.close(self.number);
        None
    }

    fn step(&self, number: u64, change: impl FnOnce(UnderWay) -> UnderWay) -> Result<(), Closing> {
        self.step_with(&mut self.places.inside(), number, |before| before.map(change).ok_or(Closing))
    }

    /// Changes a request, and makes room where that is too much.
    fn step_with(
        &self,
        inside: &mut Inside,
        number: u64,
        change: impl FnOnce(Option<UnderWay>) -> Result<UnderWay, Closing>,
    ) -> Result<(), Closing> {
        let fell_idle = inside.change_request(self.number, number, |standing, before| {
            if standing.is_closing { Err(Closing) } else { change(before).map(Some) }
        })?;
        self.tell(inside, Ok(fell_idle));
        if self.places.make_room(inside, number) && inside.is_closing(self.number) {
            return Err(Closing);
        }
        Ok(())
    }

    fn tell(&self, inside: &Inside, fell_idle: Result<bool, Closing>) {
        if fell_idle == Ok(true) && inside.newcomer_waits {
            self.places.room.notify_one();
        }
    }
}
