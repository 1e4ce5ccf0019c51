//! The account of the money of a coup (`docs/judging.md`, "The money of a coup").

use std::collections::BTreeMap;

use super::coups::{CoupOver, Laid};
use crate::account::{BetMoney, CoupAccount, OtherMoney};
use crate::checks::{LineChecked, Open};
use crate::{BetAccount, Code, Finding, SeatMoney};

/// The account of a coup; `found`: what is wrong in it, in log order.
pub(super) fn account(coup: &CoupOver<'_, '_>, found: &[&Finding]) -> CoupAccount {
    let checked = coup.checked.filter(|checked| !checked.bets.is_empty());
    let bets = checked.map_or_else(|| unknown(coup), |checked| checked.bets.clone());
    let lines = checked.map_or(&[][..], |checked| &checked.lines);
    let (mut all, mut moved) = (Vec::new(), Vec::new());
    for (at, bet) in bets.into_iter().enumerate() {
        // A bet that has no stake is at its seat only by a correction that came too late.
        if bet.staked == 0 {
            moved.push(bet);
        } else {
            all.push((money(&bet, lines.get(at), coup.is_void), bet));
        }
    }
    let bank = coup.checked.and_then(|checked| checked.at_bank.as_deref());
    let banker = bank.and_then(|bank| bank.view.banker.as_ref()).map(|who| who.seat);
    // Under a rulebook that cannot be read a finding says nothing of what was due for a bet.
    let is_read = coup.checked.is_none_or(|of| of.checked.open != Some(Open::RulebookUnreadable));
    let mut others: Vec<OtherMoney> =
        found.iter().flat_map(|finding| beside(finding, banker, is_read)).collect();
    others.extend(bank.iter().flat_map(|bank| bank.moved.iter().flatten().copied()));
    let bank_open = bank.is_some_and(|bank| bank.moved.is_none());
    CoupAccount::of_lines(coup.is_void, all, (moved, bank_open), others)
}

fn money(bet: &BetAccount, line: Option<&LineChecked>, is_void: bool) -> BetMoney {
    let of_void = bet.as_dealt.and(Some(bet.staked)).filter(|_| is_void);
    let due = of_void.or_else(|| line.and_then(|line| line.measured_from));
    let BetAccount { recorded, as_dealt, by_rules, .. } = *bet;
    let open = line.is_some_and(|line| line.is_open);
    BetMoney { recorded, due, as_dealt, by_rules, open }
}

/// Bets of which nothing is known: every one that was not taken back before the bets were closed.
fn unknown(coup: &CoupOver<'_, '_>) -> Vec<BetAccount> {
    let stands = coup.laid().into_iter().filter(|laid| laid.withdrawn.is_none_or(|at| coup.is_late(at)));
    let account = |laid: Laid<'_>| BetAccount {
        bet: laid.bet,
        seat: laid.seat,
        staked: i64::try_from(laid.stake.get()).unwrap_or(i64::MAX),
        recorded: None,
        as_dealt: None,
        by_rules: None,
    };
    stands.map(account).collect()
}

/// What of the money of a finding is no share of what the account says of bets.
fn beside(
    finding: &Finding,
    banker: Option<u8>,
    is_read: bool,
) -> impl Iterator<Item = OtherMoney> + use<'_> {
    let is_of_bets =
        move |seat: u8| (is_read || finding.code != Code::PayoutOver) && is_of_bets(finding, seat, banker);
    let is_other = move |money: &&SeatMoney| !is_of_bets(money.seat);
    let other = |money: &SeatMoney| OtherMoney {
        code: finding.code,
        seat: money.seat,
        minor_units: money.minor_units,
    };
    finding.money.iter().filter(is_other).map(other)
}

#[allow(clippy::wildcard_enum_match_arm, reason = "nothing else measures what came back for a bet")]
fn is_of_bets(finding: &Finding, seat: u8, banker: Option<u8>) -> bool {
    match finding.code {
        Code::PayoutOver | Code::PayoutUnder | Code::PayoutWrongSeat | Code::BetNotSettled => true,
        Code::BetLate | Code::BetWithdrawnLate | Code::BetKind | Code::AbonoNotAllowed => true,
        Code::GameWrong | Code::VoidStakeKept => true,
        // What a correction that came too late moved at the bank is of no bet.
        Code::BetCorrectedLate | Code::CorrectedLate => banker != Some(seat),
        // What came back for nothing is beside the bets.
        Code::VoidOverpaid => finding.expected.kind() != "nothing-beside-stakes",
        // Commission that the house lacks, or that a bank owes, is of no bet.
        Code::CommissionMissing | Code::CommissionWrong => {
            seat != 0 && finding.expected.kind() == "bet-commission"
        }
        code => code.has_counterfactual(),
    }
}

/// How many findings moved money at each seat.
pub(super) fn findings_by_seat(found: &[&Finding]) -> BTreeMap<u8, u64> {
    let mut by_seat = BTreeMap::new();
    for money in found.iter().flat_map(|finding| &finding.money) {
        *by_seat.entry(money.seat).or_default() += 1;
    }
    by_seat
}
