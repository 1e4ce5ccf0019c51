//! Where the cards of a shoe lie. Each card is the next, and a position that is wrong is found once for all cards that
//! follow: from then on both counts may be the right one (`docs/judging.md`, "Other causes").

use serde::{Deserialize, Serialize};

use crate::statement::OfShoe;

/// Most counts, and most positions that were passed over, that are kept apart.
const MOST: usize = 64;

/// The positions of a shoe, as far as its cards came out.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Positions {
    /// The position of the next card by the recorded positions; `None`: not known.
    next: Option<u32>,
    /// The position that it may have by other counts, once one was wrong.
    others: Vec<u32>,
    /// Positions that were passed over: a card may still be recorded at one.
    skipped: Vec<u32>,
}

impl Positions {
    /// No card came out yet.
    pub(super) const fn begin() -> Self {
        Self { next: Some(1), others: Vec::new(), skipped: Vec::new() }
    }

    /// The position of the next card, if it is known.
    pub(super) const fn next(&self) -> Option<u32> {
        self.next
    }

    /// The next card may lie anywhere.
    pub(super) const fn doubt(&mut self) {
        self.next = None;
    }

    /// Whether every card lies where it was recorded.
    pub(super) const fn are_right(&self) -> bool {
        self.others.is_empty() && self.skipped.is_empty()
    }

    /// Cards leave the shoe, and their positions are not recorded.
    pub(super) fn pass(&mut self, cards: u32) {
        if let Some(next) = &mut self.next {
            *next = next.saturating_add(cards);
            self.others.iter_mut().for_each(|other| *other = other.saturating_add(cards));
        }
    }

    /// A card leaves a shoe of so many at this position. Gives what was expected if it lies elsewhere.
    pub(super) fn leave(&mut self, position: u32, held: u32) -> Option<OfShoe> {
        let expected = self.next.unwrap_or(position);
        let is_next = position == expected || self.others.contains(&position);
        if position > 0 && position <= held && is_next {
            self.count_on(position);
            return None;
        }
        if let Some(at) = self.skipped.iter().position(|skipped| *skipped == position) {
            // Two cards were recorded in the wrong order, and that is found already.
            self.skipped.swap_remove(at);
            self.others.iter_mut().for_each(|other| *other = other.saturating_add(1));
            self.others.retain(|other| *other != expected && *other != position.saturating_add(1));
            return None;
        }
        self.skipped.extend((expected..position).take(MOST));
        self.count_on(position);
        let none_left = expected > held;
        Some(if none_left { OfShoe::NoCardLeft { held } } else { OfShoe::Position { position: expected } })
    }

    /// The count goes on after a card at this position, and so do the others.
    fn count_on(&mut self, position: u32) {
        let next = position.saturating_add(1);
        let before = self.next.replace(next);
        if before == Some(position) && self.others.is_empty() {
            return;
        }
        self.others.extend(before);
        self.others.iter_mut().for_each(|other| *other = other.saturating_add(1));
        self.others.retain(|other| *other != next);
        self.others.sort_unstable();
        self.others.dedup();
        self.others.truncate(MOST);
    }

    /// What a position is by each count: first by the recorded positions.
    pub(super) fn counts(&self, position: u32) -> impl Iterator<Item = u32> {
        let off = i64::from(position) - i64::from(self.next.unwrap_or(position));
        let others = self.others.iter().map(move |other| i64::from(*other) + off);
        std::iter::once(position).chain(others.map(move |other| u32::try_from(other).unwrap_or(position)))
    }
}
