//! Where events are missing: how many of them were cards, and whether the coup in play goes on after them (`docs/judging.md`,
//! "Missing events").

use std::collections::BTreeMap;

use events::Body;

use crate::reading::BURN_NOT_RECORDED;
use crate::reading::{CoupRecord, Hole, Reading, ShoeRecord};
use crate::shoe::{MOST_BURNED, least_events_before};

/// Events that are missing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gap {
    /// How many.
    pub(super) events: u64,
    /// How many of them were cards, if positions before and after them say so.
    cards: Option<u32>,
    /// Whether a coup was in play before them, and goes on after them.
    pub(super) within: bool,
}

impl Gap {
    /// How many of them may be no cards.
    pub(super) fn others(&self) -> u64 {
        self.events.saturating_sub(u64::from(self.cards.unwrap_or(0)))
    }

    /// Whether cards may be among them.
    pub(super) fn may_be_cards(&self) -> bool {
        self.cards != Some(0)
    }
}

/// Everything that is missing from a range, by the sequence of the first event of each gap.
#[derive(Debug, Clone, Default)]
pub(super) struct Gaps(BTreeMap<u64, Gap>);

impl Gaps {
    pub(super) fn of(reading: &Reading<'_>) -> Self {
        let mut gaps = BTreeMap::new();
        for shoe in reading.shoes.iter().filter(|shoe| !shoe.missing.is_empty()) {
            let next = shoe.loading.map(|_| 1);
            let counting = Counting { next, ..Counting::default() };
            counting.all(shoe, &mut gaps);
        }
        Self(gaps)
    }

    /// Whether nothing is missing.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The gap that begins with this sequence.
    pub(super) fn at(&self, first: u64) -> Option<&Gap> {
        self.0.get(&first)
    }

    /// How many events of a hole may be about the table beside the play of a coup, and whether the hole lies within one coup.
    pub(super) fn beside_play(&self, hole: &Hole) -> (u64, bool) {
        match self.at(hole.first) {
            Some(gap) if gap.within => (gap.others(), true),
            Some(_) | None => (hole.events, false),
        }
    }

    /// The gaps that lie behind one sequence and before another.
    pub(super) fn between(&self, from: u64, to: u64) -> impl Iterator<Item = (u64, &Gap)> {
        let all = (from < to).then(|| self.0.range(from..to));
        all.into_iter().flatten().map(|(at, gap)| (*at, gap))
    }
}

/// What happens in a shoe, as far as it says something of the cards that left it.
enum Seen<'s, 'a> {
    Hole(Hole),
    Burned(u32),
    /// The record says that it does not know what was burned.
    BurnNotRecorded,
    Began(&'s CoupRecord<'a>),
    /// A card of a coup lay here.
    Card(u32),
    /// The cut card, or the end of the shoe, lay before the card here.
    Before(u32),
}

/// What is known of the cards that left a shoe, up to an event.
#[derive(Default)]
struct Counting {
    /// The position of the next card, if it is known.
    next: Option<u32>,
    /// Whether cards were burned, or the record says that it does not know.
    is_burned: bool,
    /// Gaps of which it is not known yet how many cards they hold.
    open: Vec<(u64, u64)>,
    /// Sequence of the last burn, until a card follows it.
    burn: Option<u64>,
    last_coup: u32,
    /// How many events are missing between two coups since the last began, and whether any are missing.
    between: u64,
    any: bool,
}

impl Counting {
    fn all(mut self, shoe: &ShoeRecord<'_>, gaps: &mut BTreeMap<u64, Gap>) {
        for (sequence, seen) in &seen(shoe) {
            match seen {
                Seen::Hole(hole) => self.miss(shoe, *hole, gaps),
                Seen::Burned(cards) => self.burn(*sequence, *cards),
                Seen::BurnNotRecorded => {
                    self.next = self.next.filter(|_| self.is_burned);
                    self.is_burned = true;
                }
                Seen::Began(coup) => self.begin(shoe, coup),
                Seen::Card(position) => {
                    let known = self.close(*position);
                    known.into_iter().flatten().for_each(|(first, cards)| {
                        gaps.entry(first).and_modify(|gap| gap.cards = Some(cards));
                    });
                    (self.is_burned, self.burn) = (true, None);
                    self.next = Some(position.saturating_add(1));
                }
                Seen::Before(position) => drop(self.close(*position)),
            }
        }
    }

    fn miss(&mut self, shoe: &ShoeRecord<'_>, hole: Hole, gaps: &mut BTreeMap<u64, Gap>) {
        let in_play = shoe.coups.iter().rfind(|coup| coup.began < hole.first);
        let missing = self.between.saturating_add(hole.events);
        let within = in_play.is_some_and(|coup| {
            // A load, a burn, an end and the coups before it suffice for another coup of its number.
            let is_another = missing >= least_events_before(coup.number).saturating_add(4);
            goes_on(coup, hole.first) && !is_another
        });
        if !within {
            self.between = missing;
        }
        self.any = true;
        self.open.push((hole.first, hole.events));
        gaps.insert(hole.first, Gap { events: hole.events, cards: None, within });
    }

    fn burn(&mut self, sequence: u64, cards: u32) {
        if self.any && (self.is_burned || self.last_coup > 0) {
            // The loading of another shoe is among what is missing.
            return self.doubt();
        }
        self.open.clear();
        (self.is_burned, self.burn) = (true, Some(sequence));
        self.next = self.next.map(|next| next.saturating_add(1).saturating_add(cards));
    }

    fn begin(&mut self, shoe: &ShoeRecord<'_>, coup: &CoupRecord<'_>) {
        let settled = |other: &CoupRecord<'_>| {
            other.number == coup.number
                && other.settlements.first().is_some_and(|at| at.sequence < coup.began)
        };
        let is_again = coup.number <= self.last_coup && !shoe.coups.iter().any(settled);
        let between = std::mem::take(&mut self.between);
        if between > least_events_before(coup.number) || between > 0 && is_again {
            self.doubt();
        }
        self.last_coup = coup.number;
    }

    /// Another shoe may have been loaded.
    fn doubt(&mut self) {
        (self.next, self.is_burned) = (None, true);
    }

    /// The next position that is known shows how many cards left the shoe in what is missing before it: gives the gaps with
    /// the cards in each, if they can be told.
    fn close(&mut self, position: u32) -> Option<Vec<(u64, u32)>> {
        let open = std::mem::take(&mut self.open);
        let events: u64 = open.iter().map(|(_, events)| *events).sum();
        let burned = if self.is_burned { 0 } else { u64::from(MOST_BURNED) };
        let hidden = self.next.and_then(|next| position.checked_sub(next));
        let hidden = hidden.filter(|hidden| events > 0 && u64::from(*hidden) <= events + burned)?;
        self.next = Some(position);
        let since_burn: u64 = open
            .iter()
            .filter(|(at, _)| self.burn.is_some_and(|burn| burn < *at))
            .map(|(_, events)| events)
            .sum();
        if since_burn > 0 && since_burn + u64::from(hidden) >= 2 {
            // How many were burned may have been corrected in what is missing: then the position says nothing of it.
            return None;
        }
        // One event may have burned most of them.
        let cards = if hidden > 0 && !self.is_burned {
            hidden.saturating_sub(MOST_BURNED - 1).max(1)
        } else {
            hidden
        };
        (open.len() == 1 || hidden == 0).then(|| open.into_iter().map(|(first, _)| (first, cards)).collect())
    }
}

/// Whether a coup is in play before a gap, and something of it comes after the gap.
fn goes_on(coup: &CoupRecord<'_>, gap: u64) -> bool {
    let settled = coup.settlements.first().map(|settled| settled.sequence);
    let own = coup
        .bets
        .iter()
        .flat_map(|bet| [Some(bet.placed.sequence), bet.withdrawn])
        .chain(coup.closes.iter().map(|told| Some(told.sequence)))
        .chain(coup.holders.iter().map(|told| Some(told.sequence)))
        .chain(coup.cards.iter().map(|card| card.sequence))
        .chain(coup.chemin.accounts.iter().map(|told| Some(told.sequence)))
        .chain(coup.chemin.decisions.iter().map(|told| Some(told.sequence)))
        .chain([settled]);
    settled.is_none_or(|settled| settled > gap) && own.flatten().any(|sequence| sequence > gap)
}

#[allow(clippy::wildcard_enum_match_arm, reason = "nothing else is ruled of a burn")]
fn seen<'s, 'a>(shoe: &'s ShoeRecord<'a>) -> Vec<(u64, Seen<'s, 'a>)> {
    let mut all: Vec<(u64, Seen<'s, 'a>)> = Vec::new();
    all.extend(shoe.missing.iter().map(|hole| (hole.first, Seen::Hole(*hole))));
    all.extend(shoe.burns.iter().map(|told| (told.sequence, Seen::Burned(told.value.burned.into()))));
    all.extend(shoe.rulings.iter().filter_map(|told| match told.value {
        Body::IrregularityRecorded(ruled) if ruled.code.as_str() == BURN_NOT_RECORDED => {
            Some((told.sequence, Seen::BurnNotRecorded))
        }
        _ => None,
    }));
    for coup in &shoe.coups {
        all.push((coup.began, Seen::Began(coup)));
        let cards = coup.cards.iter().filter_map(|card| Some((card.sequence?, card.position)));
        all.extend(cards.map(|(sequence, position)| (sequence, Seen::Card(position.into()))));
    }
    all.extend(shoe.cuts.iter().map(|told| (told.sequence, Seen::Before(told.value.position.into()))));
    if let Some(loaded) = shoe.loading.map(|loading| loading.value)
        && loaded.cards == u16::from(loaded.decks) * 52
    {
        let next = |left: u16| u32::from(loaded.cards.saturating_sub(left)) + 1;
        all.extend(shoe.ends.iter().map(|told| (told.sequence, Seen::Before(next(told.value.cards_left)))));
    }
    all.sort_by_key(|(sequence, _)| *sequence);
    all
}
