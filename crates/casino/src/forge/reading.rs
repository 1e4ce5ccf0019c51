//! Looks up what a record says about its shoes, its limits and its players.

use std::collections::BTreeMap;

use baccarat::{BetKind, Card, Coup, Money, Settlement};
use events::{Body, Limits, Name, Seat, ShoeLoaded};

use super::coup::CoupAt;
use super::tape::Tape;

impl Tape {
    /// Every shoe: where it was loaded, and where the next one was, or the record ends.
    pub(super) fn shoes(&self) -> Vec<(usize, usize)> {
        let loaded = |at: &usize| matches!(self.body(*at), Body::ShoeLoaded(_));
        let starts: Vec<usize> = (0..self.lines.len()).filter(loaded).collect();
        let ends = starts.iter().skip(1).copied().chain([self.lines.len()]);
        starts.iter().copied().zip(ends).collect()
    }

    /// The coups of one shoe in which nothing unusual happened.
    pub(super) fn coups(&self, (shoe, end): (usize, usize)) -> Vec<CoupAt> {
        (shoe..end).filter_map(|at| CoupAt::settled_at(self, shoe, at)).collect()
    }

    /// Such a coup of the same shoe, by its number.
    pub(super) fn coup_in(&self, shoe: usize, number: u32) -> Option<CoupAt> {
        let range = self.shoes().into_iter().find(|(start, _)| *start == shoe)?;
        self.coups(range).into_iter().find(|coup| coup.number == number)
    }

    /// The first event of the coup after this one in the same shoe.
    pub(super) fn next_begins(&self, coup: &CoupAt) -> Option<usize> {
        let next = coup.number + 1;
        let ended = self.find(coup.settled, |body| matches!(body, Body::ShoeEnded(_)));
        let at =
            self.find(coup.settled, |body| matches!(body, Body::BetPlaced(placed) if placed.coup == next));
        at.filter(|at| ended.is_none_or(|end| *at < end))
    }

    /// What is due for a stake.
    pub(super) fn due(&self, kind: &BetKind, stake: Money, coup: &Coup) -> Option<Settlement> {
        let decision = self.book.bets.get(kind)?.decide(coup)?;
        Some(self.book.settle(stake, decision))
    }

    /// Limits in force at an event.
    pub(super) fn limits_at(&self, at: usize) -> Option<Limits> {
        (0..at).rev().find_map(|at| limits(self.body(at)).cloned())
    }

    /// The seated players at an event.
    pub(super) fn seated_at(&self, at: usize) -> BTreeMap<u8, Name> {
        let mut seated = BTreeMap::new();
        for line in &self.lines[..at] {
            if let Body::SeatTaken(Seat { seat, player: Some(player) }) = &line.event {
                seated.insert(*seat, player.clone());
            } else if let Body::SeatLeft(left) = &line.event {
                seated.remove(&left.seat);
            }
        }
        seated
    }

    /// Every seat of the table.
    pub(super) fn seats(&self) -> Vec<u8> {
        let Body::TableOpened(opened) = self.body(0) else { return Vec::new() };
        opened.seats.clone()
    }

    /// The card of an event, as last corrected: a correction may come anywhere after it.
    pub(super) fn read_at(&self, at: usize) -> Option<Card> {
        let Body::CardDrawn(drawn) = self.corrected(at).unwrap_or_else(|| self.body(at)) else { return None };
        drawn.card.card()
    }

    /// What an event should have said, where it was corrected.
    fn corrected(&self, at: usize) -> Option<&Body> {
        let sequence = self.sequence(at);
        self.lines[at..].iter().rev().find_map(|line| {
            let Body::CorrectionRecorded(correction) = &line.event else { return None };
            (correction.corrects == sequence).then_some(correction.corrected.as_ref())
        })
    }

    /// Whether an event was corrected.
    pub(super) fn is_corrected(&self, at: usize) -> bool {
        self.corrected(at).is_some()
    }

    /// Cards that were read before an event, since the shoe was loaded.
    pub(super) fn read_before(&self, shoe: usize, at: usize) -> Vec<Card> {
        let mut read = Vec::new();
        for at in shoe..at {
            if let Body::BurnCards(burn) = self.body(at) {
                read.extend(burn.indicator.card());
                read.extend(burn.faces.iter().filter_map(|face| face.card()));
            } else if let Body::CardDrawn(_) = self.body(at) {
                read.extend(self.read_at(at));
            }
        }
        read
    }

    /// A shoe as it was loaded.
    pub(super) fn loaded(&self, shoe: usize) -> Option<&ShoeLoaded> {
        let Body::ShoeLoaded(loaded) = self.body(shoe) else { return None };
        Some(loaded)
    }
}

fn limits(body: &Body) -> Option<&Limits> {
    if let Body::TableOpened(opened) = body {
        return Some(&opened.limits);
    }
    let Body::LimitsChanged(limits) = body else { return None };
    Some(limits)
}
