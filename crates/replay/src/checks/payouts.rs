//! What every bet returned, compared with what was due (`docs/judging.md`, "Payouts").

use std::collections::BTreeSet;

use baccarat::{Money, Settlement};
use events::CoupSettled;

use super::Checked;
use super::bets::Bet;
use super::lacking::Lacking;
use super::lines::Line;
use super::paytables::Paytables;
use crate::account::won_on_another_stake;
use crate::reading::Told;
use crate::sink::{Accusation, Location, clamp};
use crate::statement::{OfPayouts, Sum, WithCommission};
use crate::{Code, SeatMoney};

/// A bet that did not return what was due, before it gets a code.
#[derive(Clone, Copy)]
struct Deviation<'r, 'a> {
    /// Its place among those of the coup.
    at: usize,
    bet: Bet<'r, 'a>,
    due: Settlement,
    recorded: Settlement,
    line: &'r Line,
}

impl Deviation<'_, '_> {
    /// Whether one of several sums may be due.
    const fn is_open(&self) -> bool {
        !self.line.owed.among.is_empty()
    }

    fn returned(&self) -> i128 {
        self.recorded.returned.over(self.due.returned)
    }

    fn commission(&self) -> i128 {
        self.recorded.commission.over(self.due.commission)
    }

    /// Whether the sum is right and only its commission was slipped.
    fn is_of_commission(&self, boxed: bool) -> bool {
        self.commission() != 0 && (self.returned() == 0 || !boxed && self.returned() == -self.commission())
    }

    /// Whether all that this bet won, or all that had to come back for it, was left out.
    fn is_whole(&self) -> bool {
        let stake = self.bet.stake();
        self.recorded.returned == Money::ZERO || self.due.returned > stake && self.recorded.returned == stake
    }
}

/// Compares each line of a settlement. A bet may have been taken back or corrected in missing events: the places of bets whose due
/// return is unknown for that reason are returned as well.
pub(super) fn payouts(
    bets: &[Bet<'_, '_>],
    lines: &[Line],
    settlement: &Told<'_, CoupSettled>,
    tables: &Paytables,
    lacking: &Lacking,
) -> (Checked, Vec<usize>) {
    let (mut checked, mut deviations, mut open) = (Checked::default(), Vec::new(), Vec::new());
    let sequence = settlement.corrected_by.unwrap_or(settlement.sequence);
    // A bet that comes too late, and after the settlement, is that alone.
    let is_behind = |bet: &Bet<'_, '_>| bet.late && bet.placed() > settlement.sequence;
    let has_line = |(bet, line): (&Bet<'_, '_>, &Line)| line.recorded.is_some().then(|| bet.id());
    let mut settled: Option<BTreeSet<u64>> = None;
    for (at, (bet, line)) in bets.iter().zip(lines).enumerate() {
        let Some(recorded) = line.recorded else {
            if !bet.is_taken_back() && !bet.is_no_abono() && !is_behind(bet) && !lacking.may_be_gone(bet) {
                let settled =
                    settled.get_or_insert_with(|| bets.iter().zip(lines).filter_map(has_line).collect());
                let again = settled.contains(&bet.id());
                checked.accuse(sequence, left_out((at, bet), line, again, tables));
            }
            continue;
        };
        if let Some(due) = line.owed.due.filter(|due| *due != recorded) {
            deviations.push(Deviation { at, bet: *bet, due, recorded, line });
        }
    }
    let may_be_corrected = lacking.may_be_corrected(deviations.len());
    let is_open = |of: &Deviation<'_, '_>| {
        may_be_corrected && lacking.may_have_been_another(&of.bet, of.recorded.returned)
    };
    while !deviations.is_empty() {
        let one = deviations.remove(0);
        match deviations.iter().position(|other| is_moved(&one, other)) {
            Some(other) => {
                let other = deviations.remove(other);
                if is_open(&one) && is_open(&other) {
                    open.extend([one.at, other.at]);
                } else {
                    checked.accuse(sequence, wrong_seat(&one, &other, tables));
                }
            }
            None if is_open(&one) => open.push(one.at),
            None => alone(&one, sequence, tables, &mut checked),
        }
    }
    (checked, open)
}

/// A bet without a line; `again`: another bet of its id has one, so that this follows from the id.
fn left_out((at, bet): (usize, &Bet<'_, '_>), line: &Line, again: bool, tables: &Paytables) -> Accusation {
    let expected = match line.owed.due.map(returned) {
        Some((amount, commission)) => OfPayouts::BetSettledWith { bet: bet.id(), amount, commission },
        None => OfPayouts::BetSettled { bet: bet.id() },
    };
    let mut left = Accusation::new(Code::BetNotSettled, expected, OfPayouts::BetLeftOut);
    left = about(left, bet, tables);
    if again {
        let location = Location { sequence: bet.placed_at(), ..Location::default() };
        left = left.following_from(location, Code::BetIdReused);
    }
    left.moving_for_bets(vec![at], line.moved(bet.seat(), tables).into_iter().collect())
}

/// Whether all that one bet won, or all that had to come back for it, was paid on top at another seat.
fn is_moved(one: &Deviation<'_, '_>, other: &Deviation<'_, '_>) -> bool {
    let (short, over) = if one.returned() < 0 { (one, other) } else { (other, one) };
    let paid_on = short.returned() < 0 && over.returned() == -short.returned();
    !one.is_open() && !other.is_open() && paid_on && short.is_whole() && short.bet.seat() != over.bet.seat()
}

/// What was due at one seat went to another.
fn wrong_seat(one: &Deviation<'_, '_>, other: &Deviation<'_, '_>, tables: &Paytables) -> Accusation {
    let (short, over) = if one.returned() < 0 { (one, other) } else { (other, one) };
    let for_bet = |settled: Settlement, bet: &Bet<'_, '_>| {
        let (amount, commission) = returned(settled);
        OfPayouts::ForBetAt { amount, commission, bet: bet.id(), seat: bet.seat() }
    };
    let moved = |of: &Deviation<'_, '_>| {
        SeatMoney::exactly(of.bet.seat(), tables.net(of.recorded).saturating_sub(tables.net(of.due)))
    };
    let (expected, recorded) = (for_bet(short.due, &short.bet), for_bet(over.recorded, &over.bet));
    let moved = vec![moved(short), moved(over)];
    about(Accusation::new(Code::PayoutWrongSeat, expected, recorded), &short.bet, tables)
        .moving_for_bets(vec![one.at, other.at], moved)
}

/// A deviation of one bet: its payout, its commission, or both.
fn alone(of: &Deviation<'_, '_>, at: u64, tables: &Paytables, checked: &mut Checked) {
    let (seat, boxed) = (of.bet.seat(), tables.is_boxed());
    let certain = of.line.moved(seat, tables);
    if of.is_of_commission(boxed) {
        let money = match (of.is_open(), of.returned() == 0 && !boxed) {
            (true, _) => certain.into_iter().collect(),
            // The seat got what was due: the house lacks what was not noted, or has what was noted without being due.
            (false, true) => vec![SeatMoney::exactly(0, clamp(of.commission()))],
            (false, false) => vec![SeatMoney::exactly(seat, clamp(-of.commission()))],
        };
        return checked.accuse(at, commission(of).moving_for_bets(vec![of.at], money));
    }
    let code = if of.returned() > 0 { Code::PayoutOver } else { Code::PayoutUnder };
    let both = boxed && is_mark_wrong(of, tables);
    let (bet, (amount, noted)) = (of.bet.id(), returned(of.due));
    let expected = match certain.filter(|_| of.is_open()) {
        Some(SeatMoney { minor_units: 1.., .. }) => OfPayouts::BetReturnsAtMost { bet, amount },
        Some(_) => OfPayouts::BetReturnsAtLeast { bet, amount },
        None => OfPayouts::BetReturns { bet, amount, commission: noted },
    };
    let (amount, noted) = returned(of.recorded);
    let payout = Accusation::new(code, expected, OfPayouts::Returned { amount, commission: noted });
    let money = if both { Some(SeatMoney::exactly(seat, clamp(of.returned()))) } else { certain };
    let payout = about(payout, &of.bet, tables);
    checked.accuse(at, payout.moving_for_bets(vec![of.at], money.into_iter().collect()));
    if both {
        let money = vec![SeatMoney::exactly(seat, clamp(-of.commission()))];
        checked.accuse(at, commission(of).moving_for_bets(vec![of.at], money));
    }
}

/// The rule that is broken is the paytable of a bet.
fn about(accusation: Accusation, bet: &Bet<'_, '_>, tables: &Paytables) -> Accusation {
    match bet.name(tables) {
        Some(kind) => accusation.about(kind),
        None => accusation,
    }
}

/// Another commission than the one due.
fn commission(of: &Deviation<'_, '_>) -> Accusation {
    let missing = of.recorded.commission == Money::ZERO;
    let code = if missing { Code::CommissionMissing } else { Code::CommissionWrong };
    let expected = OfPayouts::BetCommission { bet: of.bet.id(), commission: of.due.commission.into() };
    Accusation::new(code, expected, OfPayouts::Commission { commission: of.recorded.commission.into() })
}

fn returned(settled: Settlement) -> (Sum, WithCommission) {
    (settled.returned.into(), WithCommission(settled.commission.into()))
}

/// Whether the mark in the box fits neither what was due nor what was paid as won, be it on another stake.
fn is_mark_wrong(of: &Deviation<'_, '_>, tables: &Paytables) -> bool {
    let stake = of.bet.stake();
    let on_another = won_on_another_stake(stake, of.due, of.recorded);
    let mut paid = [Some(of.recorded.returned.minus(stake)), on_another].into_iter().flatten();
    let fits = paid.any(|won| tables.rules().commission_on(won) == of.recorded.commission);
    !of.is_open() && !fits && of.returned() != 0 && of.commission() != 0
}
