//! The whole record of one table, which forgeries alter after the play. It stays a record that could have been
//! written, except for what is forged.

use std::sync::Arc;

use baccarat::Rulebook;
use events::{Body, Line, OccurredAt};

/// The events of one table, in the order of their numbers.
pub(crate) struct Tape {
    pub(crate) book: Arc<Rulebook>,
    pub(crate) lines: Vec<Line>,
    /// Events that reach the log after all others.
    late: Vec<Line>,
    /// Indexes that callers hold; they move with their events.
    marks: Vec<usize>,
}

impl Tape {
    pub(crate) const fn new(book: Arc<Rulebook>, lines: Vec<Line>) -> Self {
        Self { book, lines, late: Vec::new(), marks: Vec::new() }
    }

    /// Marks an event; returns the number of the mark.
    pub(crate) fn mark(&mut self, at: usize) -> usize {
        self.marks.push(at);
        self.marks.len() - 1
    }

    /// Sequence of a marked event.
    pub(crate) fn marked(&self, mark: usize) -> u64 {
        self.sequence(self.marks[mark])
    }

    pub(crate) fn sequence(&self, at: usize) -> u64 {
        self.lines.get(at).map_or(0, |line| line.sequence)
    }

    pub(crate) fn body(&self, at: usize) -> &Body {
        &self.lines[at].event
    }

    pub(crate) fn replace(&mut self, at: usize, body: impl Into<Event>) {
        self.lines[at].event = body.into().0;
    }

    /// The index of the first event from here on that fits.
    pub(crate) fn find(&self, from: usize, fits: impl Fn(&Body) -> bool) -> Option<usize> {
        (from..self.lines.len()).find(|at| fits(&self.lines[*at].event))
    }

    /// All later events get other numbers.
    fn renumber(&mut self, from: usize, by: i64) {
        let Some(first) = self.lines.get(from).map(|line| line.sequence) else { return };
        for line in &mut self.lines[from..] {
            line.sequence = line.sequence.saturating_add_signed(by);
            if let Body::CorrectionRecorded(correction) = &mut line.event
                && correction.corrects >= first
            {
                correction.corrects = correction.corrects.saturating_add_signed(by);
            }
        }
    }

    /// Inserts an event a moment after the one before it.
    pub(crate) fn insert(&mut self, at: usize, body: impl Into<Event>) -> usize {
        let before = at.checked_sub(1).and_then(|before| self.lines.get(before));
        let Some(before) = before.cloned() else { return at };
        self.renumber(at, 1);
        self.marks.iter_mut().filter(|mark| **mark >= at).for_each(|mark| *mark += 1);
        let occurred_at = later(before.occurred_at, 1_000);
        let sequence = before.sequence + 1;
        self.lines.insert(at, Line { sequence, occurred_at, event: body.into().0, ..before });
        at
    }

    /// Adds an event at the end.
    pub(crate) fn push(&mut self, body: impl Into<Event>) -> usize {
        self.insert(self.lines.len(), body)
    }

    /// Removes an event and closes the gap in the numbering.
    pub(crate) fn remove(&mut self, at: usize) -> Body {
        let line = self.lines.remove(at);
        self.renumber(at, -1);
        self.marks.iter_mut().filter(|mark| **mark > at).for_each(|mark| *mark -= 1);
        line.event
    }

    /// Leaves out sequences before this event, as if events had not been recorded.
    pub(crate) fn lose(&mut self, at: usize, events: i64) {
        self.renumber(at, events);
    }

    /// Moves an event to an earlier index.
    pub(crate) fn advance(&mut self, from: usize, to: usize) {
        let mut at = from;
        while at > to {
            let [one, other] = &mut self.lines[at - 1..=at] else { return };
            std::mem::swap(&mut one.event, &mut other.event);
            at -= 1;
        }
    }

    /// The event reaches the log after all others.
    pub(crate) fn post_late(&mut self, at: usize) {
        self.late.push(self.lines[at].clone());
        self.marks.push(at);
    }

    /// An event that reaches the log after all others, under the number of an earlier one.
    pub(crate) fn post_again(&mut self, at: usize, body: impl Into<Event>) {
        let line = self.lines[at].clone();
        let occurred_at = later(line.occurred_at, 1);
        self.late.push(Line { event: body.into().0, occurred_at, ..line });
    }

    /// The events as they reach the log.
    pub(crate) fn into_lines(self) -> Vec<Line> {
        let Self { mut lines, late, .. } = self;
        lines.retain(|line| !late.contains(line));
        lines.extend(late);
        lines
    }
}

/// A time some microseconds later.
#[allow(clippy::expect_used, reason = "play ends centuries before the calendar does")]
pub(crate) fn later(time: OccurredAt, micros: i64) -> OccurredAt {
    OccurredAt::new(time.micros() + micros, 60).expect("a time in range")
}

/// The body of an event, from what it holds.
pub(crate) struct Event(Body);

macro_rules! bodies {
    ($($name:ident)+) => { $(impl From<events::$name> for Event {
        fn from(body: events::$name) -> Self {
            Self(Body::$name(body.into()))
        }
    })+ };
}

bodies! {
    ShoeLoaded BetPlaced BetWithdrawn CardDrawn CoupSettled TableOpened TableClosed PuntoHolder CutCardDrawn
    CommissionCollected CoupVoided CorrectionRecorded ShoeEnded
}

impl From<events::Irregularity> for Event {
    fn from(body: events::Irregularity) -> Self {
        Self(Body::IrregularityRecorded(Box::new(body)))
    }
}

impl From<events::Limits> for Event {
    fn from(body: events::Limits) -> Self {
        Self(Body::LimitsChanged(body))
    }
}

impl From<Body> for Event {
    fn from(body: Body) -> Self {
        Self(body)
    }
}
