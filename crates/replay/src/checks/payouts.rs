//! What every bet returned, compared with what was due (`docs/judging.md`, "Payouts").

use baccarat::{Money, Settlement};

use super::Checked;
use super::bets::Bet;
use super::lines::Line;
use super::paytables::Paytables;
use crate::account::won_on_another_stake;
use crate::sink::clamp;
use crate::{Code, SeatMoney};

/// A bet that did not return what was due, before it gets a code.
#[derive(Clone, Copy)]
struct Deviation<'r, 'a> {
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

/// Compares each line; `at`: the settlement.
pub(super) fn payouts(bets: &[Bet<'_, '_>], lines: &[Line], at: u64, tables: &Paytables<'_>) -> Checked {
    let (mut checked, mut deviations) = (Checked::default(), Vec::new());
    for (bet, line) in bets.iter().zip(lines) {
        let Some(recorded) = line.recorded else {
            if !bet.is_taken_back() && !bet.is_no_abono() {
                checked.find_money(
                    Code::BetNotSettled,
                    at,
                    line.moved(bet.seat(), tables).into_iter().collect(),
                );
            }
            continue;
        };
        if let Some(due) = line.owed.due.filter(|due| *due != recorded) {
            deviations.push(Deviation { bet: *bet, due, recorded, line });
        }
    }
    while !deviations.is_empty() {
        let one = deviations.remove(0);
        match deviations.iter().position(|other| is_moved(&one, other)) {
            Some(other) => wrong_seat(&one, &deviations.remove(other), at, tables, &mut checked),
            None => alone(&one, at, tables, &mut checked),
        }
    }
    checked
}

/// Whether all that one bet won, or all that had to come back for it, was paid on top at another seat.
fn is_moved(one: &Deviation<'_, '_>, other: &Deviation<'_, '_>) -> bool {
    let (short, over) = if one.returned() < 0 { (one, other) } else { (other, one) };
    let paid_on = short.returned() < 0 && over.returned() == -short.returned();
    !one.is_open() && !other.is_open() && paid_on && short.is_whole() && short.bet.seat() != over.bet.seat()
}

fn wrong_seat(
    one: &Deviation<'_, '_>,
    other: &Deviation<'_, '_>,
    at: u64,
    tables: &Paytables<'_>,
    checked: &mut Checked,
) {
    let moved = |of: &Deviation<'_, '_>| {
        SeatMoney::exactly(of.bet.seat(), tables.net(of.recorded).saturating_sub(tables.net(of.due)))
    };
    checked.find_money(Code::PayoutWrongSeat, at, vec![moved(one), moved(other)]);
}

/// A deviation of one bet: its payout, its commission, or both.
fn alone(of: &Deviation<'_, '_>, at: u64, tables: &Paytables<'_>, checked: &mut Checked) {
    let (seat, boxed) = (of.bet.seat(), tables.is_boxed());
    let certain: Vec<SeatMoney> = of.line.moved(seat, tables).into_iter().collect();
    let commission =
        if of.recorded.commission == Money::ZERO { Code::CommissionMissing } else { Code::CommissionWrong };
    let of_commission = SeatMoney::exactly(seat, clamp(-of.commission()));
    if of.is_of_commission(boxed) {
        let money = match (of.is_open(), of.returned() == 0 && !boxed) {
            (true, _) => certain,
            // The seat got what was due: the house lacks what was not noted, or has what was noted without being due.
            (false, true) => vec![SeatMoney::exactly(0, clamp(of.commission()))],
            (false, false) => vec![of_commission],
        };
        return checked.find_money(commission, at, money);
    }
    let code = if of.returned() > 0 { Code::PayoutOver } else { Code::PayoutUnder };
    let both = boxed && is_mark_wrong(of, tables);
    let payout = SeatMoney::exactly(seat, clamp(of.returned()));
    checked.find_money(code, at, if both { vec![payout] } else { certain });
    if both {
        checked.find_money(commission, at, vec![of_commission]);
    }
}

/// Whether the mark in the box fits neither what was due nor what was paid as won, be it on another stake.
fn is_mark_wrong(of: &Deviation<'_, '_>, tables: &Paytables<'_>) -> bool {
    let stake = of.bet.stake();
    let on_another = won_on_another_stake(stake, of.due, of.recorded);
    let mut paid = [Some(of.recorded.returned.minus(stake)), on_another].into_iter().flatten();
    let fits = paid.any(|won| tables.rules.commission_on(won) == of.recorded.commission);
    !of.is_open() && !fits && of.returned() != 0 && of.commission() != 0
}
