//! The stakes against bank and abonos once the bets of a coup are closed, and who plays for the whole bank
//! (`docs/judging.md`, "Banco, stakes and abonos").

use baccarat::Money;
use events::{BancoCalled, Call, Holder};

use super::Checked;
use super::bank_play::Playing;
use super::bank_stakes::Stakes;
use super::bets::Bet;
use crate::chemin::Who;
use crate::reading::{CoupRecord, Told};
use crate::sink::Accusation;
use crate::statement::{AnyOf, OfBank, OfSeats, OfTurn};
use crate::{CallView, Code};

/// The event at which the stakes of a coup are judged: its sequence, and the sequence at which findings are reported.
#[derive(Debug, Clone, Copy)]
struct Close {
    now: u64,
    at: u64,
}

/// What the stakes of a coup come to.
pub(super) struct Called {
    pub(super) checked: Checked,
    /// Who plays for the whole bank.
    pub(super) granted: Option<Who>,
}

fn place<T>(told: &Told<'_, T>) -> Close {
    Close { now: told.sequence, at: told.corrected_by.unwrap_or(told.sequence) }
}

/// The stakes are judged at the close; with banco seguido once punto's holder is known; or with the first card, or at the
/// settlement.
fn close(coup: &CoupRecord<'_>) -> Option<Close> {
    let seguido = coup.chemin.calls.iter().filter(|told| told.value.call == Call::Seguido);
    let seguido = seguido.map(|told| told.sequence).min().unwrap_or(u64::MAX);
    let holder = coup.holders.first().map(|told| told.sequence);
    let reopened = |now: u64| seguido < now && holder.is_none_or(|holder| holder > now);
    let closed = coup.closes.first().map_or(u64::MAX, |told| told.sequence);
    let closes = coup.closes.iter().filter(|told| !reopened(told.sequence)).map(place);
    let holders = coup.holders.iter().take(1).filter(|told| told.sequence > closed).map(place);
    let cards = coup.cards.iter().filter(|card| card.to.side().is_some()).filter_map(|card| {
        let now = card.sequence?;
        Some(Close { now, at: card.corrected_by.unwrap_or(now) })
    });
    let settled = coup.settlements.iter().take(1).map(place);
    closes.chain(holders).chain(cards).chain(settled).min_by_key(|close| close.now)
}

/// Judges the stakes of a coup.
pub(super) fn calls(coup: &CoupRecord<'_>, stakes: &Stakes<'_, '_>, playing: &Playing) -> Called {
    let mut called = Called { checked: Checked::default(), granted: None };
    let Some(close) = close(coup).filter(|_| playing.banker.is_some()) else { return called };
    let stood = |bet: &Bet<'_, '_>| {
        bet.placed() < close.now && bet.taken_back().is_none_or(|taken_back| taken_back > close.now)
    };
    if let Some(bank) = playing.known_bank() {
        called.checked.and(sum(bank, stakes, &stood, close));
    }
    let (granted, found) = banco(coup, stakes, playing, &stood, close);
    called.granted = granted;
    if playing.seats_known && !playing.sum_missing {
        called.checked.and(found);
    }
    called
}

/// All stakes together against the bank and the abonos.
fn sum<'r, 'a>(
    bank: Money,
    stakes: &Stakes<'r, 'a>,
    stood: &impl Fn(&Bet<'r, 'a>) -> bool,
    close: Close,
) -> Checked {
    let mut checked = Checked::default();
    let sums = stakes.sums(stood);
    let beyond = sums.punto.minus(bank);
    if beyond > sums.abonos {
        let bank = bank.into();
        let expected = match sums.abonos {
            Money::ZERO => OfBank::StakesAtMost { bank },
            abonos => OfBank::StakesAtMostWithAbonos { bank, abonos: abonos.into() },
        };
        let recorded = OfBank::Staked { amount: sums.punto.into() };
        checked.accuse(close.at, Accusation::new(Code::StakesAboveBank, expected, recorded));
    } else if sums.abonos > beyond {
        let expected = OfBank::AbonosDue { amount: beyond.into() };
        let recorded = OfBank::AbonosOf { amount: sums.abonos.into() };
        checked.accuse(close.at, Accusation::new(Code::AbonoAmount, expected, recorded));
    }
    checked
}

/// Banco goes to whoever has priority among those who called it, and is the whole bank.
fn banco<'r, 'a>(
    coup: &CoupRecord<'_>,
    stakes: &Stakes<'r, 'a>,
    playing: &Playing,
    stood: &impl Fn(&Bet<'r, 'a>) -> bool,
    close: Close,
) -> (Option<Who>, Checked) {
    let mut checked = Checked::default();
    let players = stakes.by_player(stood);
    let staked = |who: &Who| players.iter().find(|(player, _)| player == who).map(|(_, sum)| *sum);
    let banker = playing.banker.as_ref().map_or(0, |who| who.seat);
    let made = coup.chemin.calls.iter().filter(|told| told.sequence < close.now);
    let made: Vec<(Who, Call)> = made.map(|told| (who(told.value, playing), told.value.call)).collect();
    let order = |(who, call): &(Who, Call)| {
        // Newcomers have no priority until they have let the bank pass once.
        let newcomer = who.standing.is_none() && playing.seats.newcomers.contains(&who.seat);
        let class = match call {
            Call::Seguido => 0,
            Call::Banco => 1,
            Call::Asociado => 2,
            Call::ConLaMesa | Call::UltimoCompleto => return None,
        };
        Some((class, newcomer, who.rank(banker)))
    };
    let mut stake_is = |who: &Who, due: [Money; 2], expected: OfBank| {
        let amount = staked(who).unwrap_or_default();
        if !due.contains(&amount) {
            let recorded = OfBank::Staked { amount: amount.into() };
            checked.accuse(close.at, Accusation::new(Code::BancoStake, expected, recorded));
        }
    };
    let bank = playing.bank;
    let whole_bank = |who: &Who| OfBank::WholeBank { amount: bank.into(), who: who.into() };
    let mut whole: Vec<_> = made.iter().filter_map(|call| Some((order(call)?, call))).collect();
    whole.sort();
    let given = whole.iter().find(|(_, (who, _))| staked(who).is_some());
    let mut granted = None;
    if let Some((_, (who, call))) = given {
        // In an association each member stakes their own part.
        if *call != Call::Asociado {
            stake_is(who, [bank, bank], whole_bank(who));
        }
        granted = Some(who.clone());
    } else if let Some((_, (who, _))) = whole.first() {
        stake_is(who, [bank, bank], whole_bank(who));
    }
    let half = Money::new(bank.get() / 2).unwrap_or_default();
    let other = bank.minus(half);
    let halves = made.iter().filter(|(_, call)| matches!(call, Call::ConLaMesa | Call::UltimoCompleto));
    for (who, _) in halves.filter(|_| whole.is_empty()) {
        stake_is(who, [half, other], OfBank::HalfBank { amount: other.into(), who: who.into() });
    }
    if let (Some((first, (before, _))), Some((rank, (who, _)))) = (whole.first(), given)
        && first < rank
    {
        let given_to = |who: &Who| OfTurn::BancoGivenTo { who: who.into() };
        let accusation = Accusation::new(Code::BancoPriority, given_to(before), given_to(who));
        checked.accuse(close.at, accusation);
    }
    (granted, checked)
}

fn who(called: &BancoCalled, playing: &Playing) -> Who {
    playing.seats.who(called.seat, called.player.as_ref())
}

/// Who called what, as it is shown.
pub(super) fn each_called(coup: &CoupRecord<'_>, playing: &Playing) -> Vec<CallView> {
    let view = |called: &BancoCalled| CallView { who: (&who(called, playing)).into(), call: called.call };
    coup.chemin.calls.iter().map(|told| view(told.value)).collect()
}

/// Each call by itself: banco comes before the close, and banco seguido only from who may.
pub(super) fn each_call(coup: &CoupRecord<'_>, playing: &Playing) -> Checked {
    let mut checked = Checked::default();
    let cards = coup.cards.iter().filter(|card| card.to.side().is_some()).filter_map(|card| card.sequence);
    let closed = coup.closes.iter().map(|told| told.sequence).chain(cards).min().unwrap_or(u64::MAX);
    let holder = coup.holders.first().map_or(u64::MAX, |told| told.sequence);
    for told in &coup.chemin.calls {
        let who = who(told.value, playing);
        let at = told.corrected_by.unwrap_or(told.sequence);
        let is_seguido = told.value.call == Call::Seguido;
        let known = playing.seguido.as_ref().filter(|_| is_seguido);
        if known.is_some_and(|may| !may.contains(&who)) {
            let recorded = OfTurn::SeguidoBy { who: (&who).into() };
            checked.accuse(at, Accusation::new(Code::BancoSeguido, OfTurn::CalledBancoAndLost, recorded));
        }
        if told.sequence > closed && (!is_seguido || told.sequence > holder) {
            let recorded = OfTurn::BancoAfterwards { who: (&who).into() };
            checked.accuse(at, Accusation::new(Code::BancoLate, OfTurn::BancoBeforeClose, recorded));
        }
    }
    checked
}

/// Most late bets and late withdrawals for which all combinations are tried.
const DISPUTED: usize = 4;

/// Who holds punto's cards: whoever plays for the bank, and otherwise the seated player with the highest stake. That they are
/// given in time is a check of its own.
pub(super) fn holder(
    coup: &CoupRecord<'_>,
    stakes: &Stakes<'_, '_>,
    playing: &Playing,
    granted: Option<&Who>,
) -> Checked {
    let mut checked = Checked::default();
    let Some(told) = coup.holders.first().filter(|_| playing.banker.is_some() && playing.seats_known) else {
        return checked;
    };
    let now = told.sequence;
    let closed = coup.closes.first().map_or(u64::MAX, |told| told.sequence);
    let made = || coup.chemin.calls.iter().filter(|told| told.sequence < now);
    let seguido = made().any(|told| told.value.call == Call::Seguido);
    let cards = coup.cards.iter().filter(|card| card.to.side().is_some()).filter_map(|card| card.sequence);
    if closed > now || cards.min().is_some_and(|card| card < now) && !seguido {
        return checked;
    }
    let called =
        |call: Call| made().find(|told| told.value.call == call).map(|told| who(told.value, playing));
    let banco = granted.cloned().or_else(|| called(Call::Seguido)).or_else(|| called(Call::UltimoCompleto));
    let allowed = match banco.or_else(|| called(Call::ConLaMesa)) {
        Some(who) => Some(vec![Holder::Seat(who.seat)]),
        None => highest(stakes, playing, now),
    };
    let holder = told.value.holder;
    if let Some(mut allowed) = allowed.filter(|allowed| !allowed.contains(&holder)) {
        let mut seen = Vec::new();
        allowed.retain(|one| {
            !seen.contains(one) && {
                seen.push(*one);
                true
            }
        });
        let expected = OfSeats::Holders { holders: AnyOf(allowed.into()) };
        let accusation = Accusation::new(Code::PuntoHolder, expected, OfSeats::Holder { holder });
        checked.accuse(told.corrected_by.unwrap_or(now), accusation);
    }
    checked
}

/// The seated players with the highest stake. Each late bet, and each late withdrawal, may count or not; `None`: there are too
/// many to try.
fn highest(stakes: &Stakes<'_, '_>, playing: &Playing, now: u64) -> Option<Vec<Holder>> {
    let back = |bet: &Bet<'_, '_>| bet.taken_back().is_some_and(|taken_back| taken_back < now);
    let disputed: Vec<u64> = stakes
        .bets
        .iter()
        .filter(|bet| bet.placed() < now && (bet.late || back(bet)))
        .map(Bet::placed)
        .collect();
    if disputed.len() > DISPUTED {
        return None;
    }
    let ways = 0..1_u32 << disputed.len();
    let holders = ways.flat_map(|way| {
        let counts = |bet: &Bet<'_, '_>| {
            let number = disputed.iter().position(|placed| *placed == bet.placed());
            bet.placed() < now && number.is_none_or(|number| way >> number & 1 == 1)
        };
        highest_of(&stakes.by_player(counts), playing)
    });
    Some(holders.collect())
}

fn highest_of(players: &[(Who, Money)], playing: &Playing) -> Vec<Holder> {
    let seated = || players.iter().filter(|(who, _)| who.standing.is_none());
    let Some(most) = seated().map(|(_, sum)| *sum).max() else {
        // Nobody staked, or only players without a seat did: no source says who holds the cards.
        let behind = players.iter().map(|(who, _)| Holder::Seat(who.seat));
        return if players.is_empty() { vec![Holder::Croupier] } else { behind.collect() };
    };
    let banker = playing.banker.as_ref().map_or(0, |who| who.seat);
    let best = seated().filter(|(_, sum)| *sum == most).map(|(who, _)| who);
    let first = best.min_by_key(|who| who.rank(banker)).map(|who| who.seat);
    // A player who passed a bank smaller than this one may take the cards in its first coup.
    let staked = |who: &Who| players.iter().any(|(player, _)| player == who);
    let passed = playing.before.as_ref().filter(|_| playing.first_of_banker);
    let passed = passed.filter(|(who, bank)| staked(who) && playing.bank > *bank).map(|(who, _)| who.seat);
    first.into_iter().chain(passed).map(Holder::Seat).collect()
}
