//! Who holds punto's cards: it is recorded once, between the close and the first card, and is whoever has most on punto
//! (`docs/judging.md`, "Punto's holder").

use baccarat::{BetKind, Money, PuntoHolderRule, TieBreak};
use events::{BetPlaced, Call, Holder, PuntoHolder};

use super::Checked;
use super::doubt::{Open, doubt};
use super::index::Index;
use super::most::{Bet, Counts, WithMost, with_most};
use super::paytables::Paytables;
use crate::Code;
use crate::person::Person;
use crate::reading::{BetRecord, CoupRecord, Told};
use crate::seating::Seating;
use crate::sink::Accusation;
use crate::statement::{AnyOf, OfSeats};

/// The number of punto among the kinds of bets, of which it alone matters here.
const PUNTO: usize = 0;

/// Up to so many bets, each is compared with every other.
const FEW: usize = 16;

/// Checks who is given punto's cards in a coup. Where players sit is as it was then.
pub(super) fn holder(
    index: &Index<'_>,
    coup: &CoupRecord<'_>,
    given: &Told<'_, PuntoHolder>,
    tables: &Paytables,
    seating: &Seating,
) -> Checked {
    let mut checked = Checked::default();
    let at = given.corrected_by.unwrap_or(given.sequence);
    let mut late = |expected: OfSeats, recorded: OfSeats| {
        let accusation = Accusation::new(Code::PuntoHolderLate, expected, recorded);
        checked.accuse(at, accusation.in_coup(coup.number));
    };
    let closed = coup.closes.first().map(|close| close.sequence);
    let dealt = coup.cards.iter().filter(|card| card.to.side().is_some()).filter_map(|card| card.sequence);
    let first = dealt.clone().min();
    if coup.holders.first().is_some_and(|first| first.sequence != given.sequence) {
        late(OfSeats::HolderOnce, OfSeats::HolderAgain);
        return checked;
    }
    // A banco seguido opens the bets again.
    let mut seguido = coup.chemin.calls.iter().filter(|told| told.value.call == Call::Seguido);
    let reopened = seguido.any(|told| told.sequence < given.sequence);
    if !reopened
        && closed.is_some_and(|closed| dealt.clone().any(|card| closed < card && card < given.sequence))
    {
        late(OfSeats::HolderBeforeCard, OfSeats::HolderAfterCard);
        return checked;
    }
    let before = |sequence: Option<u64>| sequence.is_some_and(|sequence| sequence < given.sequence);
    let is_under_way = before(closed) || before(first);
    if !is_under_way && closed.is_some_and(|closed| first.is_none_or(|first| closed < first)) {
        late(OfSeats::HolderAfterClose, OfSeats::HolderBeforeClose);
        return checked;
    }
    // Before anything else comes it may still be too early.
    if !is_under_way && first.is_none() {
        return checked;
    }
    if doubt(index, coup).holder {
        checked.open = Some(Open::Remarked);
        return checked;
    }
    let holder = given.value.holder;
    let with_most = || {
        let bets = bets_at(coup, given.sequence, tables);
        with_most(holder, &bets, PUNTO, tables.rules().deal.tie_break, seating)
    };
    let allowed = match tables.rules().deal.punto_holder {
        PuntoHolderRule::Croupier => Some(vec![Holder::Croupier]),
        PuntoHolderRule::Banco => None,
        PuntoHolderRule::HighestPuntoBet if plainly_has_most(coup, given, tables, seating) => {
            let may_hold = |most: WithMost| {
                !most.is_open && most.allowed.is_none_or(|allowed| allowed.contains(&holder))
            };
            debug_assert!(with_most().is_none_or(may_hold), "punto's cards with one who plainly has most");
            None
        }
        PuntoHolderRule::HighestPuntoBet => {
            let most = with_most();
            if most.as_ref().is_some_and(|most| most.is_open) {
                checked.open = Some(Open::Unnamed);
            }
            most.and_then(|most| most.allowed)
        }
    };
    if let Some(allowed) = allowed.filter(|allowed| !allowed.contains(&holder)) {
        let mut holders: Vec<Holder> = Vec::new();
        for holder in allowed {
            if !holders.contains(&holder) {
                holders.push(holder);
            }
        }
        let expected = OfSeats::Holders { holders: AnyOf(holders.into()) };
        let recorded = OfSeats::Holder { holder };
        let accusation = Accusation::new(Code::PuntoHolder, expected, recorded);
        checked.accuse(at, accusation.in_coup(coup.number));
    }
    checked
}

/// Whether punto's cards are with a player who has most on punto, and nothing of that is in question. So it is mostly: all bets were
/// placed and taken back in time, those that were not taken back have names, and each player who bets on punto sits there.
fn plainly_has_most(
    coup: &CoupRecord<'_>,
    given: &Told<'_, PuntoHolder>,
    tables: &Paytables,
    seating: &Seating,
) -> bool {
    let (Holder::Seat(seat), closed) = (given.value.holder, closed(coup)) else { return false };
    let before = |at: u64| at < closed && at < given.sequence;
    let is_in_time = |bet: &BetRecord<'_>| before(bet.placed.sequence) && bet.withdrawn.is_none_or(before);
    let stand = || coup.bets.iter().filter(|bet| bet.withdrawn.is_none()).map(|bet| bet.placed.value);
    if coup.bets.len() > FEW || !coup.bets.iter().all(is_in_time) || !stand().all(|bet| bet.player.is_some())
    {
        return false;
    }
    let on_punto = stand().filter(|bet| bet.kind.as_str() == "punto");
    let on_punto: Vec<(Option<&Person>, &BetPlaced)> =
        on_punto.map(|bet| (seating.owner(bet.seat), bet)).collect();
    let sits = |(owner, bet): &(Option<&Person>, &BetPlaced)| {
        owner.zip(bet.player.as_ref()).is_some_and(|(owner, player)| owner.is(player))
    };
    let sum = |of: Option<&Person>| {
        let own = on_punto.iter().filter(|(owner, _)| *owner == of);
        own.map(|(_, bet)| bet.stake).fold(Money::ZERO, Money::plus)
    };
    let holder = seating.owner(seat);
    let most = sum(holder);
    // Of equal sums any is the highest, if the rulebook does not say which.
    let is_any = tables.rules().deal.tie_break == TieBreak::Unstated;
    let is_less = |sum: Money| sum < most || is_any && sum == most;
    on_punto.first().is_some_and(|(_, bet)| tables.number(&bet.kind).is_some())
        && most > Money::ZERO
        && on_punto.iter().all(sits)
        && on_punto.iter().all(|(owner, _)| *owner == holder || is_less(sum(*owner)))
}

/// The bets of a coup as they stand at an event.
fn bets_at(coup: &CoupRecord<'_>, now: u64, tables: &Paytables) -> Vec<Bet> {
    let closed = closed(coup);
    let placed = coup.bets.iter().filter(|bet| bet.placed.sequence < now);
    placed.map(|bet| bet_at(bet, now, closed, tables)).collect()
}

/// Sequence of the event with which the bets of a coup are closed.
fn closed(coup: &CoupRecord<'_>) -> u64 {
    let dealt = coup.cards.iter().filter(|card| card.to.side().is_some()).filter_map(|card| card.sequence);
    coup.closes.iter().map(|close| close.sequence).chain(dealt).min().unwrap_or(u64::MAX)
}

fn bet_at(bet: &BetRecord<'_>, now: u64, closed: u64, tables: &Paytables) -> Bet {
    let (placed, sequence) = (bet.placed.value, bet.placed.sequence);
    let is_punto = |kind: &BetKind| kind.as_str() == "punto";
    let offered = tables.number(&placed.kind);
    let is_late = sequence > closed;
    let counts = match bet.withdrawn.filter(|withdrawn| *withdrawn < now) {
        Some(withdrawn) if withdrawn > closed => Counts::Perhaps,
        Some(_) => Counts::No,
        None if is_late => Counts::Perhaps,
        None => Counts::Yes,
    };
    Bet {
        seat: placed.seat,
        person: placed.player.as_ref().map(Person::from),
        kind: offered.map(|_| if is_punto(&placed.kind) { PUNTO } else { PUNTO + 1 }),
        stake: placed.stake,
        sequence,
        counts,
    }
}
