//! The events of a table as they were recorded, in the order of their sequences. Consecutive events of one entry
//! are a run; there may be holes between runs.
//!
//! Runs keep the bytes they were recorded in. Runs since the shoe in play (or the first hole) are kept so that a
//! late event, a correction or a void can be judged where it belongs. The newest events before that are kept so
//! that an event recorded again can be compared with the first one.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use events::{Body, Event};
use serde::{Deserialize, Serialize};

use super::differences;
use crate::statement::Differs;
use crate::{Reason, Received};

/// Most events of a table that a repeat is compared with, besides those of its shoe in play: the newest.
pub const MAX_COMPARED: usize = 4_096;

/// What an entry holds: its events in canonical bytes, or why nothing is known of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Held {
    Events(#[serde(with = "crate::saved::bytes")] Arc<[u8]>),
    /// The same around the text of a rulebook, which many tables have.
    Opening(Arc<Opening>),
    Unknown(Reason),
}

/// An entry's events in canonical bytes around the first rulebook's text in them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Opening {
    #[serde(with = "crate::saved::bytes")]
    before: Arc<[u8]>,
    rulebook: Arc<str>,
    #[serde(with = "crate::saved::bytes")]
    after: Arc<[u8]>,
}

impl Opening {
    /// Finds the text in the bytes of an entry.
    fn new(bytes: &[u8], rulebook: Arc<str>) -> Option<Self> {
        let mut windows = bytes.windows(rulebook.len());
        let at = windows.position(|text| text == rulebook.as_bytes())?;
        let (before, after) = (Arc::from(&bytes[..at]), Arc::from(&bytes[at + rulebook.len()..]));
        Some(Self { before, rulebook, after })
    }

    fn bytes(&self) -> Vec<u8> {
        [&self.before, self.rulebook.as_bytes(), &self.after].concat()
    }

    fn len(&self) -> usize {
        self.before.len() + self.rulebook.len() + self.after.len()
    }
}

impl Held {
    /// The events in canonical bytes, where they are known.
    fn bytes(&self) -> Option<Cow<'_, [u8]>> {
        match self {
            Self::Events(bytes) => Some(Cow::Borrowed(bytes)),
            Self::Opening(opening) => Some(Cow::Owned(opening.bytes())),
            Self::Unknown(_) => None,
        }
    }
}

/// Consecutive events of one entry that no earlier entry recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Run {
    /// Sequence of the first event.
    pub(crate) first: u64,
    /// How many there are, at least one.
    pub(crate) count: u64,
    /// Log index of the entry.
    pub(crate) entry: u64,
    /// How the log received it.
    pub(crate) received: Received,
    /// How many events of the entry come before these.
    pub(crate) skip: u64,
    /// The events themselves. Repeats, and events that cannot be compared with anything, are not included.
    pub(crate) held: Held,
}

impl Run {
    /// The sequence behind its last event.
    pub(crate) const fn end(&self) -> u64 {
        self.first.saturating_add(self.count)
    }

    pub(crate) fn bytes(&self) -> usize {
        match &self.held {
            Held::Events(bytes) => bytes.len(),
            Held::Opening(opening) => opening.len(),
            Held::Unknown(_) => 0,
        }
    }

    /// Only the events from one sequence up to another, the end not included.
    pub(crate) fn part(&self, from: u64, to: u64) -> Option<Self> {
        let (first, end) = (self.first.max(from), self.end().min(to));
        let skip = self.skip + first.saturating_sub(self.first);
        (first < end).then(|| Self { first, count: end - first, skip, ..self.clone() })
    }

    /// Its events, where they are known; they were read once, so reading them again cannot fail.
    pub(crate) fn events(&self) -> Option<Vec<Event>> {
        let mut events = events::decode_payload(&self.held.bytes()?).ok()?;
        if let Held::Opening(opening) = &self.held {
            let mut texts = BTreeSet::from([Arc::clone(&opening.rulebook)]);
            for event in &mut events {
                if let Body::TableOpened(opened) = &mut event.body {
                    opened.rulebook.share(&mut texts);
                }
            }
        }
        Some(self.of(events))
    }

    /// Its own of the events of its entry.
    pub(crate) fn of(&self, mut events: Vec<Event>) -> Vec<Event> {
        let skip = usize::try_from(self.skip).unwrap_or(usize::MAX).min(events.len());
        events.drain(..skip);
        events.truncate(usize::try_from(self.count).unwrap_or(usize::MAX));
        events
    }

    /// Keeps the text of a rulebook in it once for all tables that have it. `events` are those of its entry.
    pub(crate) fn share(&mut self, events: &[Event]) {
        for event in events {
            let (Body::TableOpened(opened), Held::Events(bytes)) = (&event.body, &self.held) else {
                continue;
            };
            if let Some(opening) = Opening::new(bytes, opened.rulebook.shared()) {
                self.held = Held::Opening(Arc::new(opening));
            }
        }
    }

    /// After loading: shares the text again.
    fn share_again(&mut self, texts: &mut BTreeSet<Arc<str>>) {
        let Held::Opening(opening) = &mut self.held else { return };
        match texts.get(&opening.rulebook) {
            Some(text) => Arc::make_mut(opening).rulebook = Arc::clone(text),
            None => drop(texts.insert(Arc::clone(&opening.rulebook))),
        }
    }

    /// The event under this sequence, where it is known.
    fn event_at(&self, sequence: u64) -> Option<Event> {
        let index = self.skip + sequence.checked_sub(self.first)?;
        events::decode_event_at(&self.held.bytes()?, index).ok()?
    }
}

/// Runs in the order of the numbering, disjoint.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Runs {
    runs: VecDeque<Run>,
}

impl Runs {
    /// Inserts a run, which must not overlap with another one.
    pub(crate) fn insert(&mut self, run: Run) {
        if self.runs.back().is_none_or(|newest| newest.end() <= run.first) {
            return self.runs.push_back(run);
        }
        let at = self.runs.partition_point(|other| other.first < run.first);
        self.runs.insert(at, run);
    }

    /// After loading: shares the texts of rulebooks with the records loaded before.
    pub(crate) fn share_again(&mut self, texts: &mut BTreeSet<Arc<str>>) {
        self.runs.iter_mut().for_each(|run| run.share_again(texts));
    }

    /// No event is expected soon: frees spare capacity.
    pub(crate) fn rest(&mut self) {
        self.runs.shrink_to_fit();
    }

    /// Runs from the one that holds this sequence, or the next one, on.
    pub(crate) fn from(&self, sequence: u64) -> impl Iterator<Item = &Run> {
        let at = self.runs.partition_point(|run| run.end() <= sequence);
        self.runs.range(at..)
    }

    /// The run that holds an event.
    pub(crate) fn at(&self, sequence: u64) -> Option<&Run> {
        self.from(sequence).next().filter(|run| run.first <= sequence)
    }

    /// The same. `near` is the place of the one that was asked for last: mostly it is that one, or the next.
    pub(crate) fn near(&self, near: &Cell<usize>, sequence: u64) -> Option<&Run> {
        let holds =
            |at: &usize| self.runs.get(*at).is_some_and(|run| run.first <= sequence && sequence < run.end());
        let before = || self.runs.partition_point(|run| run.end() <= sequence);
        let at = [near.get(), near.get() + 1].into_iter().find(holds).unwrap_or_else(before);
        near.set(at);
        self.runs.get(at).filter(|run| run.first <= sequence)
    }

    /// Compares events with the run that is kept under their sequences. Returns that run's entry and, for each event
    /// as far as that run goes, whether it is the same; `None` where one of the two is not known.
    pub(crate) fn compare(&self, run: &Run) -> Option<(u64, Vec<bool>)> {
        let kept = self.at(run.first)?;
        let both = kept.part(run.first, run.end())?.events()?.into_iter().zip(run.events()?);
        Some((kept.entry, both.map(|(kept, again)| kept.same_as(&again)).collect()))
    }

    /// In what the event of a run under this sequence and the one that is kept differ, where both are known.
    pub(crate) fn differences(&self, run: &Run, sequence: u64) -> Differs {
        let kept = self.at(sequence).and_then(|kept| kept.event_at(sequence));
        match (kept, run.event_at(sequence)) {
            (Some(first), Some(other)) => differences::between(&first, &other),
            (_, _) => Differs::of(Vec::new()),
        }
    }

    /// Forgets the events before a sequence, except the newest [`MAX_COMPARED`].
    pub(crate) fn forget_before(&mut self, sequence: u64) {
        let mut events = 0;
        let before = self.runs.partition_point(|run| run.end() <= sequence);
        let keep = self.runs.range(..before).rev().take_while(|run| {
            events += run.count;
            events <= MAX_COMPARED as u64
        });
        let forgotten = before - keep.count();
        self.runs.drain(..forgotten);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use events::{BetsClosed, Body, OccurredAt, encode_payload};

    fn run(first: u64, coups: &[u32], entry: u64) -> Run {
        let events: Vec<Event> = coups
            .iter()
            .map(|coup| Event {
                occurred_at: OccurredAt::new(86_400_000_001, 0).unwrap(),
                body: Body::BetsClosed(BetsClosed { coup: *coup }),
            })
            .collect();
        let held = Held::Events(encode_payload(&events).unwrap().into());
        let received = Received::Unknown;
        Run { first, count: coups.len() as u64, entry, received, skip: 0, held }
    }

    #[test]
    fn runs_stand_in_the_order_of_the_numbering_whenever_they_come() {
        let mut runs = Runs::default();
        for (first, entry) in [(1, 0), (7, 1), (4, 2), (10, 3)] {
            runs.insert(run(first, &[1, 2, 3], entry));
        }
        assert_eq!(runs.from(1).map(|run| run.entry).collect::<Vec<_>>(), [0, 2, 1, 3]);
        assert_eq!(runs.from(5).map(|run| run.entry).collect::<Vec<_>>(), [2, 1, 3]);
        assert_eq!(runs.at(9).unwrap().entry, 1);
        assert_eq!(runs.at(13), None);
    }

    #[test]
    fn a_part_of_a_run_has_its_own_events() {
        let part = run(5, &[1, 2, 3, 4], 0).part(6, 8).unwrap();
        let coups: Vec<Body> = part.events().unwrap().into_iter().map(|event| event.body).collect();
        assert_eq!(coups, [2, 3].map(|coup| Body::BetsClosed(BetsClosed { coup })));
        assert_eq!(run(5, &[1], 0).part(6, 9), None);
    }

    #[test]
    fn an_event_is_compared_with_the_one_that_was_recorded_first() {
        let mut runs = Runs::default();
        runs.insert(run(5, &[1, 2, 3], 8));
        assert_eq!(runs.compare(&run(6, &[2, 4], 9)), Some((8, vec![true, false])));
        assert_eq!(runs.compare(&run(6, &[2, 3, 4], 9).part(7, 8).unwrap()), Some((8, vec![true])));
        // The same instant in another offset, on the same day and on the day before.
        for (offset, same) in [(60, true), (-60, false)] {
            let mut again = run(6, &[2], 9);
            let events: Vec<Event> = again
                .events()
                .unwrap()
                .into_iter()
                .map(|event| Event {
                    occurred_at: OccurredAt::new(event.occurred_at.micros(), offset).unwrap(),
                    ..event
                })
                .collect();
            again.held = Held::Events(encode_payload(&events).unwrap().into());
            assert_eq!(runs.compare(&again), Some((8, vec![same])), "{offset}");
        }
        assert_eq!(runs.compare(&run(8, &[4], 9)), None);
        let unknown = Run { held: Held::Unknown(Reason::PayloadWithheld), ..run(6, &[2], 9) };
        assert_eq!(runs.compare(&unknown), None);
    }

    #[test]
    fn the_newest_events_before_the_shoe_in_play_are_kept() {
        let mut runs = Runs::default();
        for number in 0..3_000 {
            runs.insert(run(1 + 2 * number, &[1, 2], number));
        }
        runs.forget_before(6_001);
        assert_eq!(runs.runs.front().map(|run| run.first), Some(6_001 - MAX_COMPARED as u64));
        runs.forget_before(10);
        assert_eq!(runs.runs.front().map(|run| run.first), Some(6_001 - MAX_COMPARED as u64));
    }
}
