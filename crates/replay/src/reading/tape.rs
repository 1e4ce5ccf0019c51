//! The events of a range as they count: corrected, each with the grammar in force.

use events::{Body, CoupSettled, Garaje, TableOpened};

use super::corrected::Corrected;
use super::grammar::{Grammar, Grammars, Unknown};
use super::range::{Hole, Item, OpenRange, TableFacts};
use super::record::Told;
use super::{BURN_CORRECTED, BURN_NOT_RECORDED};

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

    /// Whether the very same is recorded soon after an event.
    pub(super) fn comes_again(&self, at: usize) -> bool {
        let Some(event) = self.event(at) else { return false };
        let mut after = (at + 1..=at + NEAR).map_while(|after| self.event(after));
        after.any(|one| one.body == event.body)
    }

    /// The following events that may belong to the coup in play, also after holes.
    fn ahead(&self, at: usize) -> impl Iterator<Item = Entry<'a>> {
        let parts = self.parts.iter().skip(at).take(MOST_OF_COUP);
        let events = parts.filter_map(|part| if let Part::Event(entry) = part { Some(*entry) } else { None });
        let is_other = |body: &Body| matches!(body, Body::ShoeLoaded(_) | Body::TableOpened(_));
        events.take_while(move |entry| !is_other(entry.body))
    }

    /// Whether the like of an event is recorded after it under this number, before that coup is settled.
    #[allow(clippy::wildcard_enum_match_arm, reason = "nothing else is told apart")]
    pub(super) fn has_own(&self, at: usize, coup: u32) -> bool {
        let Some(event) = self.event(at) else { return false };
        let is_over = |body: &Body| settled(body).is_some_and(|settled| settled.coup == coup);
        let is_alike = |body: &Body| match (body, event.body) {
            (Body::DrawDecided(one), Body::DrawDecided(other)) => one.hand == other.hand,
            (one, other) => std::mem::discriminant(one) == std::mem::discriminant(other),
        };
        let mut own = self.ahead(at + 1).take_while(|entry| !is_over(entry.body));
        own.any(|entry| entry.body.coup() == Some(coup) && is_alike(entry.body))
    }

    /// The number of the coup that is settled next.
    pub(super) fn settles_next(&self, at: usize) -> Option<u32> {
        self.ahead(at).find_map(|entry| settled(entry.body)).map(|settled| settled.coup)
    }

    /// Whether a bet under another number may be of this coup: its settlement names it, or it is taken back before the bets of
    /// the coup are closed. If the coup is not settled, that is not known.
    #[allow(clippy::wildcard_enum_match_arm, reason = "nothing else is about a bet")]
    pub(super) fn may_be_bet_of(&self, at: usize, bet: u64, coup: u32) -> bool {
        let (mut is_open, mut is_settled) = (true, false);
        for entry in self.ahead(at + 1) {
            match entry.body {
                Body::BetWithdrawn(withdrawn) if withdrawn.bet == bet => return is_open,
                Body::BetsClosed(closed) => is_open &= closed.coup != coup,
                Body::CardDrawn(drawn) => is_open &= drawn.coup != coup,
                Body::CoupSettled(settled) if settled.bets.iter().any(|line| line.bet == bet) => {
                    return settled.coup == coup;
                }
                Body::CoupSettled(settled) => is_settled |= settled.coup == coup,
                _ => {}
            }
        }
        !is_settled
    }

    /// Whether an event is a bet, and what is recorded next of any coup, but bets, is of another coup than the bet.
    pub(super) fn is_bet_alone(&self, at: usize) -> bool {
        let is_bet = |body: &Body| matches!(body, Body::BetPlaced(_) | Body::AbonoPlaced(_));
        let Some(bet) = self.event(at).filter(|entry| is_bet(entry.body)) else { return false };
        let next = self.ahead(at).find(|entry| !is_bet(entry.body) && entry.body.coup().is_some());
        next.is_some_and(|next| next.body.coup() != bet.body.coup())
    }

    /// Whether the cards of a coup carry another number from here on to its settlement, and none its own. It is the settlement of
    /// this coup if fewer than so many events are missing before it.
    #[allow(clippy::wildcard_enum_match_arm, reason = "nothing else shows it")]
    pub(super) fn is_dealt_as(&self, at: usize, coup: u32, another: u64) -> bool {
        let mut missing = 0_u64;
        for part in self.parts.iter().skip(at).take(MOST_OF_COUP) {
            match part {
                Part::Hole(hole) => missing = missing.saturating_add(hole.events),
                Part::Event(entry) => match entry.body {
                    Body::CardDrawn(drawn) if drawn.coup == coup => return false,
                    Body::CoupSettled(settled) => return settled.coup == coup && missing < another,
                    Body::ShoeLoaded(_) | Body::TableOpened(_) => return false,
                    _ => {}
                },
            }
        }
        false
    }

    /// Whether one of these bets of a coup is taken back from here on, or is in its settlement.
    #[allow(clippy::wildcard_enum_match_arm, reason = "nothing else names a bet")]
    pub(super) fn names_any(&self, at: usize, coup: u32, bets: &[u64]) -> bool {
        let has = |bet: u64| bets.binary_search(&bet).is_ok();
        for entry in self.ahead(at) {
            match entry.body {
                Body::BetWithdrawn(withdrawn) if has(withdrawn.bet) => return true,
                Body::CoupSettled(settled) if settled.coup == coup => {
                    return settled.bets.iter().any(|line| has(line.bet));
                }
                _ => {}
            }
        }
        false
    }

    /// Whether a ruling shortly before an event names the card at a position.
    pub(super) fn is_named(&self, at: usize, position: u16) -> bool {
        let before = (at.saturating_sub(NEAR)..at).filter_map(|before| self.event(before));
        let names = |body: &Body| matches!(body, Body::IrregularityRecorded(ruled) if ruled.positions.contains(&position));
        before.into_iter().any(|entry| names(entry.body))
    }

    /// Whether money is set aside right after somebody took the bank: it is of no coup in play.
    pub(super) fn is_of_new_bank(&self, at: usize) -> bool {
        let sets = |entry: Entry<'_>| matches!(entry.body, Body::GarajeSet(_));
        let takes = |entry: Entry<'_>| matches!(entry.body, Body::BankTaken(_));
        self.event(at).is_some_and(sets) && at > 0 && self.event(at - 1).is_some_and(takes)
    }

    /// Whether a banker sets something aside; not what the stakes leave uncovered.
    pub(super) fn sets_aside(&self, at: usize) -> bool {
        let sets = |body: &Body| matches!(body, Body::GarajeSet(set) if set.kind != Garaje::Compulsory);
        self.event(at).is_some_and(|entry| sets(entry.body))
    }

    /// Whether something is ruled in the coup that begins here: up to its settlement, or up to the next hole.
    pub(super) fn is_ruled(&self, at: usize, coup: u32) -> bool {
        let events = (at..at.saturating_add(MOST_OF_COUP)).map_while(|at| self.event(at));
        let in_it = |one: &Entry<'_>| !matches!(one.body, Body::CoupSettled(settled) if settled.coup == coup);
        events
            .take_while(in_it)
            .any(|one| is_of_a_coup(one.body) && one.body.coup().is_none_or(|of| of == coup))
    }
}

fn settled(body: &Body) -> Option<&CoupSettled> {
    if let Body::CoupSettled(settled) = body { Some(settled) } else { None }
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
