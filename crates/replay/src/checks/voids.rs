//! Void coups: every stake comes back exactly once, and nothing else changes (`docs/judging.md`, "Voids").

use std::collections::BTreeMap;

use baccarat::Money;
use events::{Body, CoupSettled};

use super::Checked;
use super::bets::Bet;
use super::lacking::Lacking;
use crate::account::{BetAccount, SumRange, by_seat, signed};
use crate::reading::{CoupRecord, Told};
use crate::sink::{Accusation, clamp};
use crate::statement::{NO_COMMISSION, OfPayouts, Stakes};
use crate::{Code, SeatMoney};

/// A coup that was declared void.
pub(super) struct Void<'r, 'a> {
    /// Sequence of the event that declared it so.
    pub(super) at: u64,
    /// Its settlement before that.
    pub(super) first: Option<&'r Told<'a, CoupSettled>>,
    /// The settlement after that, with which its stakes come back.
    pub(super) refund: Option<&'r Told<'a, CoupSettled>>,
    /// Settlements beside these.
    pub(super) again: Vec<&'r Told<'a, CoupSettled>>,
}

impl<'r, 'a> Void<'r, 'a> {
    /// How a coup was declared void, if it was. Stakes that did not come back before play went on came back too late.
    pub(super) fn of(coup: &'r CoupRecord<'a>, goes_on: Option<u64>) -> Option<Self> {
        let void = coup.rulings.iter().find(|told| matches!(told.value, Body::CoupVoided(_)))?;
        let (before, after): (Vec<_>, Vec<_>) =
            coup.settlements.iter().partition(|settled| settled.sequence < void.sequence);
        let in_time = |settled: &&&Told<'a, CoupSettled>| goes_on.is_none_or(|at| settled.sequence < at);
        let refund = after.first().filter(in_time).copied();
        let again = before.iter().skip(1).chain(after.iter().skip(usize::from(refund.is_some())));
        Some(Self {
            at: void.sequence,
            first: before.first().copied(),
            refund,
            again: again.copied().collect(),
        })
    }

    /// What came back, compared with the stakes; `goes_on`: where play went on. It is not judged if neither is recorded.
    pub(super) fn returned(
        &self,
        coup: &CoupRecord<'_>,
        bets: &[Bet<'_, '_>],
        goes_on: Option<u64>,
        lacking: &Lacking,
    ) -> Option<Returned> {
        match (self.first, self.refund, goes_on) {
            (_, Some(refund), _) => {
                let settled: Vec<&CoupSettled> =
                    self.first.into_iter().chain([refund]).map(|told| told.value).collect();
                let at = refund.corrected_by.unwrap_or(refund.sequence);
                Some(compare(coup, bets, &settled, at, lacking))
            }
            (Some(first), None, Some(_)) => Some(compare(coup, bets, &[first.value], self.at, lacking)),
            (None, None, Some(_)) if lacking.is_missing_since(self.at) => None,
            (None, None, Some(at)) => Some(nothing(bets, at, lacking)),
            (_, None, None) => None,
        }
    }
}

/// What came back of a void coup.
pub(super) struct Returned {
    pub(super) checked: Checked,
    pub(super) bets: Vec<BetAccount>,
}

/// Every stake was due; `back`: what came back for a bet, by its place, if that is known.
fn account(bets: &[Bet<'_, '_>], back: impl Fn(usize) -> Option<i64>) -> Vec<BetAccount> {
    let of = |(at, bet): (usize, &Bet<'_, '_>)| {
        let stake = signed(bet.stake());
        let recorded = if bet.is_taken_back() { Some(stake) } else { back(at) };
        let due = Some(SumRange::exactly(stake));
        BetAccount { bet: bet.id(), seat: bet.seat(), staked: stake, recorded, as_dealt: due, by_rules: due }
    };
    bets.iter().enumerate().map(of).collect()
}

/// Play went on, and nothing says that the stakes came back.
fn nothing(bets: &[Bet<'_, '_>], at: u64, lacking: &Lacking) -> Returned {
    let mut checked = Checked::default();
    let mut sums: BTreeMap<u8, i128> = BTreeMap::new();
    let is_open = |bet: &Bet<'_, '_>| !bet.is_taken_back() && !lacking.may_be_gone(bet);
    let open: Vec<_> = bets.iter().enumerate().filter(|(_, bet)| is_open(bet)).collect();
    open.iter().for_each(|(_, bet)| *sums.entry(bet.seat()).or_default() -= i128::from(bet.stake().get()));
    if !open.is_empty() {
        let stakes = Stakes(u32::try_from(open.len()).unwrap_or(u32::MAX));
        let expected = OfPayouts::StakesReturned { stakes };
        let kept = Accusation::new(Code::VoidStakeKept, expected, OfPayouts::StakesNotReturned);
        let bets = open.iter().map(|(at, _)| *at).collect();
        checked.accuse(at, kept.moving_for_bets(bets, by_seat(sums)));
    }
    Returned { checked, bets: account(bets, |_| Some(0)) }
}

/// All that came back is held against the stakes.
pub(super) fn compare(
    coup: &CoupRecord<'_>,
    bets: &[Bet<'_, '_>],
    settled: &[&CoupSettled],
    at: u64,
    lacking: &Lacking,
) -> Returned {
    let (mut back, mut checked): (BTreeMap<usize, i64>, _) = (BTreeMap::new(), Checked::default());
    let mut returned = by_bet(bets, settled);
    let mut seen: BTreeMap<u64, usize> = BTreeMap::new();
    for (place, bet) in bets.iter().enumerate().filter(|(_, bet)| !bet.is_taken_back()) {
        let which = seen.entry(bet.id()).or_default();
        let recorded = returned.remove(&(bet.id(), *which));
        *which += 1;
        if recorded.is_none() && *which > 1 {
            // Two bets under one id may have one line: that follows from the id.
            continue;
        }
        let (sum, commission) = recorded.unwrap_or_default();
        if sum < bet.stake() && lacking.may_be_gone(bet) {
            continue;
        }
        // Of a stake that came back whole commission is what it lacks.
        let got =
            if sum == bet.stake() { signed(sum).saturating_sub(signed(commission)) } else { signed(sum) };
        back.insert(place, got);
        if sum == bet.stake() && commission == Money::ZERO {
            continue;
        }
        let code = if sum > bet.stake() { Code::VoidOverpaid } else { Code::VoidStakeKept };
        let (amount, commission_due) = (bet.stake().into(), NO_COMMISSION);
        let expected = OfPayouts::BetReturns { bet: bet.id(), amount, commission: commission_due };
        let shown = match recorded {
            Some(_) => OfPayouts::VoidReturned { amount: sum.into(), commission: commission.into() },
            None => OfPayouts::VoidLeftOut,
        };
        let money = SeatMoney::exactly(bet.seat(), got.saturating_sub(signed(bet.stake())));
        checked.accuse(at, Accusation::new(code, expected, shown).moving_for_bets(vec![place], vec![money]));
    }
    let placed = coup.bets.iter().rev().map(|bet| bet.placed.value);
    let seats: BTreeMap<u64, u8> = placed.map(|bet| (bet.bet, bet.seat)).collect();
    let mut missing = lacking.bets;
    for ((bet, _), (sum, _)) in returned.into_iter().filter(|(_, (sum, _))| *sum > Money::ZERO) {
        if missing > 0 && !seats.contains_key(&bet) {
            missing -= 1;
            continue;
        }
        // What came back for no bet that is known left the house.
        let units = clamp(sum.over(Money::ZERO));
        let money = seats
            .get(&bet)
            .map_or(SeatMoney::exactly(0, units.saturating_neg()), |seat| SeatMoney::exactly(*seat, units));
        let recorded = OfPayouts::ReturnedFor { amount: sum.into(), bet };
        let beside = Accusation::new(Code::VoidOverpaid, OfPayouts::NothingBeside, recorded);
        checked.accuse(at, beside.moving(vec![money]));
    }
    Returned { checked, bets: account(bets, |at| back.get(&at).copied()) }
}

/// The returned sum and the commission of each bet, by id and place among the bets of that id: a line belongs to the first of
/// them without a line, and further lines belong to the last.
fn by_bet(bets: &[Bet<'_, '_>], settled: &[&CoupSettled]) -> BTreeMap<(u64, usize), (Money, Money)> {
    let mut of_id: BTreeMap<u64, usize> = BTreeMap::new();
    for bet in bets.iter().filter(|bet| !bet.is_taken_back()) {
        *of_id.entry(bet.id()).or_default() += 1;
    }
    let mut returned: BTreeMap<(u64, usize), (Money, Money)> = BTreeMap::new();
    for settled in settled {
        let mut lines: BTreeMap<u64, usize> = BTreeMap::new();
        for line in &settled.bets {
            let which = lines.entry(line.bet).or_default();
            let last = of_id.get(&line.bet).map_or(0, |count| count - 1);
            let (sum, commission) = returned.entry((line.bet, last.min(*which))).or_default();
            (*sum, *commission) = (sum.plus(line.returned), commission.plus(line.commission));
            *which += 1;
        }
    }
    returned
}
