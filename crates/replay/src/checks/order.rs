//! The events of a coup against those of the coups beside it, and against each other: under which number they are recorded,
//! and in which order (`docs/judging.md`, "One cause, one finding").
//!
//! The reading says which events are of a coup. What is found here follows from where they stand in the record, so it does
//! not matter which of several explanations the reading has of it.

use std::collections::BTreeSet;

use events::{Body, CoupSettled};

use super::Checked;
use super::before::Before;
use super::gaps::Gap;
use super::index::Index;
use super::left_out::left_out;
use crate::Code;
use crate::reading::{CardRecord, CoupRecord, Hole, Told};
use crate::sink::Accusation;
use crate::statement::{OfBets, OfCards, OfRecord};

/// Checks the order of the coups of a shoe, which is over at this sequence, if it is.
///
/// `ends`: where play ended at the table, or another shoe was loaded.
pub(super) fn order(index: &Index<'_>, over: Option<u64>, ends: &[u64], before: &Before<'_>) -> Checked {
    let (shoe, mut checked) = (index.shoe, Checked::default());
    for (at, coup) in shoe.coups.iter().enumerate() {
        label(coup, before, &mut checked);
        taken_back_early(coup, &mut checked);
        if !coup.missing.is_empty() || left_out(shoe, at) > 0 {
            continue;
        }
        if let Some(former) = at.checked_sub(1).and_then(|former| shoe.coups.get(former)) {
            let all = named(coup).chain(of_bank(coup));
            let first = all.map(|(sequence, ..)| sequence).min().unwrap_or(coup.began);
            overlap(index, former, (coup.number, Some(first)), before, &mut checked);
        }
        if at + 1 == shoe.coups.len() {
            overlap(index, coup, (coup.number.saturating_add(1), None), before, &mut checked);
        }
        settlement(index, at, (over, ends), &mut checked);
        close(index, coup, &mut checked);
    }
    checked
}

/// Those of them that are cards of a coup which lie before cards that were recorded earlier, or after later ones: that they
/// were moved is found in their positions.
fn turned<'c>(coup: &'c CoupRecord<'_>, index: &'c Index<'_>) -> impl Iterator<Item = u64> {
    let cards = coup.cards.iter().filter_map(|card| Some((card.sequence?, card.position)));
    let is_turned = move |one: &(u64, u16)| {
        let others = coup.cards.iter().filter_map(|card| Some((card.sequence?, card.position)));
        others
            .into_iter()
            .any(|(sequence, position)| (sequence < one.0) != (position < one.1) && sequence != one.0)
    };
    cards
        .filter(move |(sequence, _)| index.is_moved(*sequence))
        .filter(is_turned)
        .map(|(sequence, _)| sequence)
}

/// Something that is recorded of a coup and names it: its sequence, that of its correction, and the number that it carries. Of a card
/// its event says that.
type Named = (u64, Option<u64>, Option<u32>);

fn of<T>(told: &Told<'_, T>, label: u32) -> Named {
    (told.sequence, told.corrected_by, Some(label))
}

/// What is recorded of a coup, and names it.
fn named<'c>(coup: &'c CoupRecord<'_>) -> impl Iterator<Item = Named> + use<'c> {
    let bets = coup.bets.iter().map(|bet| of(&bet.placed, bet.placed.value.coup));
    let closes = coup.closes.iter().map(|told| of(told, told.value.coup));
    let holders = coup.holders.iter().map(|told| of(told, told.value.coup));
    let cards = coup.cards.iter().filter_map(|card| Some((card.sequence?, card.corrected_by, None)));
    let settlements = coup.settlements.iter().map(|told| of(told, told.value.coup));
    let abonos = coup.chemin.abonos.iter().map(|abono| of(&abono.placed, abono.placed.value.coup));
    bets.chain(abonos).chain(closes).chain(holders).chain(cards).chain(settlements)
}

/// The same of what only a coup at a bank has. Its account may be recorded after its settlement.
fn of_bank<'c>(coup: &'c CoupRecord<'_>) -> impl Iterator<Item = Named> + use<'c> {
    let calls = coup.chemin.calls.iter().map(|told| of(told, told.value.coup));
    let decisions = coup.chemin.decisions.iter().map(|told| of(told, told.value.coup));
    let accounts = coup.chemin.accounts.iter().map(|told| of(told, told.value.coup));
    calls.chain(decisions).chain(accounts)
}

/// Says once of a coup that something of it carries another number.
fn label(coup: &CoupRecord<'_>, before: &Before<'_>, checked: &mut Checked) {
    let says = |(sequence, by, label): Named| label.or_else(|| before.said(sequence, by)?.coup());
    let others = named(coup).chain(of_bank(coup)).filter_map(|told| {
        let label = says(told).filter(|label| *label != coup.number)?;
        Some((told, label))
    });
    let first = others.min_by_key(|((sequence, ..), _)| *sequence);
    if let Some(((sequence, by, _), label)) = first
        && let Some(body) = before.said(sequence, by)
    {
        if named(coup).chain(of_bank(coup)).all(|told| says(told) == Some(label)) {
            // Nothing says that it is another coup than the one it is recorded as.
            let (expected, recorded) = (OfRecord::Coup { coup: coup.number }, OfRecord::Coup { coup: label });
            let accusation = Accusation::new(Code::CoupNumber, expected, recorded);
            return checked.accuse(sequence, accusation.in_coup(coup.number));
        }
        let may_be_card = |hole: &Hole| {
            hole.first > coup.began && before.gaps.at(hole.first).is_some_and(Gap::may_be_cards)
        };
        let (expected, recorded) = if coup.missing.iter().any(may_be_card) {
            // All of its cards show it that are not missing.
            (OfRecord::CardsOfCoup { coup: coup.number }, OfRecord::CardsOfCoup { coup: label })
        } else {
            let recorded = OfRecord::NamedOfCoup { event: body.into(), coup: label };
            (OfRecord::EventOfCoup { coup: coup.number }, recorded)
        };
        let accusation = Accusation::new(Code::CoupLabel, expected, recorded);
        checked.accuse(sequence, accusation.in_coup(coup.number));
    }
}

/// A bet is taken back before it is placed.
fn taken_back_early(coup: &CoupRecord<'_>, checked: &mut Checked) {
    let bets = coup.bets.iter().map(|bet| (bet.placed.sequence, bet.placed.value.bet, bet.withdrawn));
    let abonos = coup.chemin.abonos.iter();
    let abonos = abonos.map(|abono| (abono.placed.sequence, abono.placed.value.bet, abono.withdrawn));
    for (placed, bet, withdrawn) in bets.chain(abonos) {
        if let Some(withdrawn) = withdrawn.filter(|withdrawn| *withdrawn < placed) {
            let recorded = OfBets::TakenBack { bet };
            let unknown = Accusation::new(Code::BetUnknown, OfBets::StandsInCoup, recorded);
            checked.accuse(withdrawn, unknown.in_coup(coup.number));
        }
    }
}

/// Something of a coup, or its void, is recorded before the coup before it is over. Of a coup that is not played there is
/// nothing but a void.
fn overlap(
    index: &Index<'_>,
    former: &CoupRecord<'_>,
    (number, played): (u32, Option<u64>),
    before: &Before<'_>,
    checked: &mut Checked,
) {
    let settled = former.settlements.first().map(|settled| settled.sequence);
    let Some(over) = settled.or(voided(former)) else { return };
    let void = index.void_after(number, former.began);
    let Some(first) = void.into_iter().chain(played).min().filter(|first| *first < over) else { return };
    if let Some(event) = before.event(first) {
        let recorded = OfRecord::Event { event: (&event.body).into() };
        let expected = OfRecord::CoupBeforeSettled { coup: number };
        let accusation = Accusation::new(Code::CoupOverlap, expected, recorded);
        // If it is certain that the settlement came too late, the coup that follows is innocent.
        match settled.filter(|settled| index.is_moved(*settled)) {
            Some(settled) => checked.accuse(settled, accusation.in_coup(former.number)),
            None => checked.accuse(first, accusation.in_coup(number)),
        }
    }
}

/// Sequence of the event that declares a coup void.
fn voided(coup: &CoupRecord<'_>) -> Option<u64> {
    let voids = coup.rulings.iter().find(|told| matches!(told.value, Body::CoupVoided(_)));
    voids.map(|told| told.sequence)
}

/// A coup is settled once its play is over, and before play goes on.
fn settlement(index: &Index<'_>, at: usize, (over, ends): (Option<u64>, &[u64]), checked: &mut Checked) {
    let shoe = index.shoe;
    let coup = &shoe.coups[at];
    let is_void = voided(coup).is_some();
    let over = over.filter(|over| *over > coup.began && !is_void);
    if let Some(settled) = coup.settlements.first() {
        if let Some(over) = over.filter(|over| *over < settled.sequence) {
            checked.accuse(over, not_settled(coup, OfRecord::EndedWithoutIt));
        }
        let turned: Vec<u64> = turned(coup, index).collect();
        let is_found = |sequence: &u64| turned.contains(sequence);
        let played = named(coup).map(|(sequence, ..)| sequence).filter(|sequence| !is_found(sequence));
        let withdrawn = coup.bets.iter().filter_map(|bet| bet.withdrawn);
        let own = |sequence: u64| coup.settlements.iter().all(|settled| settled.sequence != sequence);
        let late = late_for_nothing(coup, settled);
        let played = played.filter(|sequence| !late.contains(sequence));
        if played.chain(withdrawn).any(|sequence| sequence > settled.sequence && own(sequence)) {
            let recorded = OfRecord::MoreBehind { coup: coup.number };
            let early = Accusation::new(Code::CoupSettledEarly, OfRecord::SettledAfterPlay, recorded);
            checked.accuse(settled.sequence, early.in_coup(coup.number));
        }
        return;
    }
    if is_void {
        return;
    }
    let next = index.next(at);
    let end = shoe.ends.first().map(|end| end.sequence).filter(|end| *end > coup.began);
    let missing = next.and_then(|next| next.missing.first());
    if missing.is_some_and(|hole| end.is_none_or(|end| hole.first < end)) {
        // Its settlement may be missing there, before its shoe ends.
        return;
    }
    let next = next.map(|next| next.began);
    let shown = next.map(|next| (next, OfRecord::PlayWentOn));
    let left = ends.get(ends.partition_point(|end| *end <= coup.began)).copied();
    let ended = end.into_iter().chain(over).chain(left).min().map(|end| (end, OfRecord::EndedWithoutIt));
    if let Some((sequence, recorded)) = shown.into_iter().chain(ended).min_by_key(|(sequence, _)| *sequence) {
        checked.accuse(sequence, not_settled(coup, recorded));
    }
}

/// Bets that were placed after the settlement, once bets had been closed, and that it does not name: they came too late, and nothing
/// shows that the settlement came too early.
fn late_for_nothing(coup: &CoupRecord<'_>, settled: &Told<'_, CoupSettled>) -> BTreeSet<u64> {
    let closed = coup.closes.iter().map(|close| close.sequence).min().unwrap_or(u64::MAX);
    let bets = coup.bets.iter().map(|bet| (bet.placed.sequence, bet.placed.value.bet));
    let abonos = coup.chemin.abonos.iter().map(|abono| (abono.placed.sequence, abono.placed.value.bet));
    let mut late = bets.chain(abonos).filter(|(at, _)| *at > settled.sequence && *at > closed).peekable();
    if late.peek().is_none() {
        return BTreeSet::new();
    }
    let named: BTreeSet<u64> = settled.value.bets.iter().map(|line| line.bet).collect();
    late.filter(|(_, bet)| !named.contains(bet)).map(|(at, _)| at).collect()
}

fn not_settled(coup: &CoupRecord<'_>, recorded: OfRecord) -> Accusation {
    let expected = OfRecord::CoupSettled { coup: coup.number };
    Accusation::new(Code::CoupNotSettled, expected, recorded).in_coup(coup.number)
}

/// The bets are closed before the first card. One that a ruling names may have been drawn before them.
fn close(index: &Index<'_>, coup: &CoupRecord<'_>, checked: &mut Checked) {
    let is_ruled = |card: &&CardRecord| index.is_ruled(card.position);
    let closed = coup.closes.iter().map(|close| close.sequence).min().unwrap_or(u64::MAX);
    let is_before = |card: &&CardRecord| card.sequence.is_some_and(|sequence| sequence < closed);
    let is_moved = |card: &&CardRecord| turned(coup, index).any(|moved| card.sequence == Some(moved));
    let dealt = coup.cards.iter().filter(|card| card.to.side().is_some()).filter(is_before);
    let dealt = dealt.filter(|card| !is_ruled(card) && !is_moved(card));
    if let Some((first, by)) = dealt.filter_map(|card| Some((card.sequence?, card.corrected_by))).min() {
        let accusation =
            Accusation::new(Code::CardBeforeBetsClosed, OfCards::BetsClosedFirst, OfCards::CardBeforeClose);
        checked.accuse(by.unwrap_or(first), accusation.in_coup(coup.number));
    }
}
