//! The events of a range as they count: corrected, each with the grammar in force.

use events::{Body, TableOpened};

use super::corrected::Corrected;
use super::grammar::{Grammar, Grammars, Unknown};
use super::range::{Hole, Item, OpenRange, TableFacts};
use super::record::Told;
use crate::table::{BURN_CORRECTED, BURN_NOT_RECORDED};

/// Events after one that may belong before it.
pub(super) const NEAR: usize = 16;

/// Events before one among which it may be recorded a first time: a message may come again when its coup is long over.
const AGAIN: usize = 256;

/// Events of a coup among which rulings are looked for.
const MOST_OF_COUP: usize = 1_024;

/// One part of a range.
#[derive(Clone, Copy)]
pub(super) enum Part<'a> {
    Event(Entry<'a>),
    Hole(Hole),
}

/// An event.
#[derive(Clone, Copy)]
pub(super) struct Entry<'a> {
    pub(super) sequence: u64,
    /// As it is corrected.
    pub(super) body: &'a Body,
    pub(super) by: Option<u64>,
    pub(super) grammar: &'a dyn Grammar,
}

impl<'a> Entry<'a> {
    pub(super) const fn told<T>(&self, value: &'a T) -> Told<'a, T> {
        Told { sequence: self.sequence, value, corrected_by: self.by }
    }
}

/// All parts of a range.
pub(super) struct Tape<'a> {
    pub(super) parts: Vec<Part<'a>>,
    /// The opening in force at the end.
    pub(super) opened: Option<&'a TableOpened>,
}

impl<'a> Tape<'a> {
    pub(super) fn new(
        facts: &TableFacts<'a>,
        range: &OpenRange<'a>,
        corrected: &Corrected<'a>,
        grammars: &'a dyn Grammars,
    ) -> Self {
        let mut opened = facts.opened;
        let mut grammar: &dyn Grammar = opened.map_or(&Unknown, |opened| grammars.of(opened));
        let mut parts = Vec::with_capacity(range.items().len());
        for item in range.items() {
            parts.push(match item {
                Item::Hole(hole) => Part::Hole(*hole),
                Item::Event(sequence, event) => {
                    if let Body::TableOpened(now) = &event.body {
                        (opened, grammar) = (Some(&**now), grammars.of(now));
                    }
                    let corrected = corrected.bodies.get(sequence);
                    let (by, body) = corrected.map_or((None, &event.body), |(by, body)| (Some(*by), *body));
                    Part::Event(Entry { sequence: *sequence, body, by, grammar })
                }
            });
        }
        Self { parts, opened }
    }

    pub(super) fn event(&self, at: usize) -> Option<Entry<'a>> {
        match self.parts.get(at)? {
            Part::Event(entry) => Some(*entry),
            Part::Hole(_) => None,
        }
    }

    /// Whether the very same was recorded before an event, in its shoe.
    pub(super) fn is_repeated(&self, at: usize) -> bool {
        let Some(event) = self.event(at) else { return false };
        let before = (at.saturating_sub(AGAIN)..at).rev().map_while(|before| self.event(before));
        before.take_while(|one| !matches!(one.body, Body::ShoeLoaded(_))).any(|one| one.body == event.body)
    }

    /// Whether something is ruled in the coup that begins here: up to its settlement, or up to the next hole.
    pub(super) fn is_ruled(&self, at: usize, coup: u32) -> bool {
        let events = (at..at.saturating_add(MOST_OF_COUP)).map_while(|at| self.event(at));
        let in_it = |one: &Entry<'_>| !matches!(one.body, Body::CoupSettled(settled) if settled.coup == coup);
        events.take_while(in_it).any(|one| is_of_a_coup(one.body))
    }
}

/// Whether something is ruled on that belongs to a coup, and not to the burn.
#[allow(clippy::wildcard_enum_match_arm, reason = "nothing else is such a ruling")]
pub(super) fn is_of_a_coup(body: &Body) -> bool {
    match body {
        Body::IrregularityRecorded(ruled) => {
            ![BURN_NOT_RECORDED, BURN_CORRECTED].contains(&ruled.code.as_str())
        }
        Body::CardReplaced(_) => true,
        _ => false,
    }
}
