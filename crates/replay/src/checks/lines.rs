//! Finds the bet of each line of a settlement, and what each bet had to return.

use std::collections::BTreeMap;

use baccarat::{Money, Settlement};
use events::{BetSettled, CoupSettled};

use super::Checked;
use super::bets::Bet;
use super::lacking::Lacking;
use super::paytables::Paytables;
use crate::account::{SumRange, by_seat};
use crate::reading::{CoupRecord, Told};
use crate::sink::{Accusation, clamp, seat_money};
use crate::statement::{OfBets, OfPayouts};
use crate::worlds::Owed;
use crate::{Code, SeatMoney};

/// What a bet returned and what was due for it.
#[derive(Debug, Clone, Default)]
pub(super) struct Line {
    /// `None` if the settlement left it out.
    pub(super) recorded: Option<Settlement>,
    pub(super) owed: Owed,
}

/// A bet that was not taken back in time, and its line in the settlement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineChecked {
    /// Sequence of its placing.
    pub placed: u64,
    /// What findings measure from, if it is known.
    pub measured_from: Option<i64>,
    /// What was due, if it is known.
    pub due: Option<Settlement>,
    /// What came back; `None` if the settlement left it out.
    pub recorded: Option<Settlement>,
    /// What came back looks wrong, and is not found, because what is missing may say otherwise.
    pub is_open: bool,
}

impl Line {
    /// As it is shown, with what findings measure from.
    pub(super) const fn checked(&self, bet: &Bet<'_, '_>, measured_from: Option<i64>) -> LineChecked {
        let (placed, due, recorded) = (bet.placed(), self.owed.due, self.recorded);
        LineChecked { placed, measured_from, due, recorded, is_open: false }
    }

    /// What the seat had to get: the range of all that may be due, where it may be one of several and what was recorded is
    /// none of them.
    pub(super) fn range(&self, tables: &Paytables) -> Option<SumRange> {
        let any = SumRange::over(self.owed.among.iter().map(|due| tables.net(*due)));
        let is_beyond = self.owed.due.is_some() || self.recorded.is_none();
        any.filter(|_| is_beyond).or(self.owed.due.map(|due| SumRange::exactly(tables.net(due))))
    }

    /// What a finding measures from.
    pub(super) fn measured_from(&self, tables: &Paytables) -> Option<i64> {
        self.measured_in(self.range(tables)?, tables)
    }

    /// The same, if all that may be due is in this range.
    pub(super) fn measured_in(&self, range: SumRange, tables: &Paytables) -> Option<i64> {
        range.known().or_else(|| range.end_towards(self.got(tables)))
    }

    /// What the seat got beyond what it had to get, as far as that is certain.
    pub(super) fn moved(&self, seat: u8, tables: &Paytables) -> Option<SeatMoney> {
        let minor_units = self.got(tables).saturating_sub(self.measured_from(tables)?);
        let at_least = self.range(tables)?.known().is_none();
        Some(SeatMoney { seat, minor_units, at_least })
    }

    fn got(&self, tables: &Paytables) -> i64 {
        self.recorded.map_or(0, |recorded| tables.net(recorded))
    }
}

/// The line of each bet. A line of no bet that may be missing, or a second one, is a finding. A line whose id was mistyped is
/// of the bet that has none.
pub(super) fn lines(
    settled: &Told<'_, CoupSettled>,
    bets: &[Bet<'_, '_>],
    mistyped: bool,
    lacking: &Lacking,
) -> (Vec<Line>, Checked) {
    if are_in_order(&settled.value.bets, bets) {
        let each = settled.value.bets.iter();
        let lines = each.map(|line| Line { recorded: Some(returned(line)), ..Line::default() });
        return (lines.collect(), Checked::default());
    }
    let mut lines: Vec<Line> = bets.iter().map(|_| Line::default()).collect();
    let (mut checked, mut of_none) = (Checked::default(), Vec::new());
    let at = settled.corrected_by.unwrap_or(settled.sequence);
    let mut ids: Vec<(u64, usize)> = bets.iter().map(Bet::id).zip(0..).collect();
    ids.sort_unstable();
    for line in &settled.value.bets {
        let first = ids.partition_point(|(id, _)| *id < line.bet);
        let mut of_id = ids.iter().skip(first).take_while(|(id, _)| *id == line.bet).map(|(_, bet)| *bet);
        let any = of_id.clone().next();
        match of_id.find(|bet| lines[*bet].recorded.is_none()).or(any) {
            None => of_none.push(line),
            Some(bet) if lines[bet].recorded.is_some() => {
                let expected = OfPayouts::SettledOnce { bet: line.bet };
                let recorded = OfPayouts::ReturnedAgain { amount: line.returned.into() };
                let twice = Accusation::new(Code::BetSettledTwice, expected, recorded);
                let money = seat_money(bets[bet].seat(), line.returned, Money::ZERO);
                checked.accuse(at, twice.moving(vec![money]));
            }
            Some(bet) => lines[bet].recorded = Some(returned(line)),
        }
    }
    let mut left = (0..bets.len()).filter(|bet| mistyped && !bets[*bet].is_taken_back());
    let mut missing = lacking.bets;
    for line in of_none {
        match left.find(|bet| lines[*bet].recorded.is_none()) {
            Some(bet) => lines[bet].recorded = Some(returned(line)),
            None => {
                let most = if missing > 0 { lacking.most } else { Some(Money::ZERO) };
                missing = missing.saturating_sub(1);
                let beyond = most.and_then(|most| unknown(line, most));
                beyond.into_iter().for_each(|accusation| checked.accuse(at, accusation));
            }
        }
    }
    (lines, checked)
}

/// Whether there is one line for each bet, in their order, and each has an id of its own. So it is mostly.
fn are_in_order(lines: &[BetSettled], bets: &[Bet<'_, '_>]) -> bool {
    lines.iter().map(|line| line.bet).eq(bets.iter().map(Bet::id))
        && lines.is_sorted_by(|one, next| one.bet < next.bet)
}

/// A line of no bet; one that is missing may have returned so much.
fn unknown(line: &BetSettled, most: Money) -> Option<Accusation> {
    let (surplus, is_missing) = (line.returned.minus(most), most > Money::ZERO);
    if surplus == Money::ZERO && is_missing {
        return None;
    }
    let recorded = OfPayouts::UnknownSettled { bet: line.bet, amount: line.returned.into() };
    let unknown = Accusation::new(Code::BetUnknown, OfBets::StandsInCoup, recorded);
    let money = SeatMoney { at_least: is_missing, ..SeatMoney::exactly(0, clamp(Money::ZERO.over(surplus))) };
    Some(unknown.moving(vec![money]))
}

/// A further settlement of the coup: all that it returned, by seat.
///
/// A bet that was taken back is known as well: what is returned for it goes to its seat.
pub(super) fn again(settled: &Told<'_, CoupSettled>, coup: &CoupRecord<'_>) -> Checked {
    let mut checked = Checked::default();
    let mut ids: BTreeMap<u64, Vec<u8>> = BTreeMap::new();
    let bets = coup.bets.iter().rev().map(|bet| (bet.placed.value.bet, bet.placed.value.seat));
    let abonos =
        coup.chemin.abonos.iter().rev().map(|abono| (abono.placed.value.bet, abono.placed.value.seat));
    abonos.chain(bets).for_each(|(bet, seat)| ids.entry(bet).or_default().push(seat));
    let mut sums: BTreeMap<u8, i128> = BTreeMap::new();
    for line in &settled.value.bets {
        let returned = line.returned.over(Money::ZERO);
        let of_id = ids.get_mut(&line.bet);
        let seat = of_id.and_then(|seats| if seats.len() > 1 { seats.pop() } else { seats.first().copied() });
        // What was returned for no bet that is known left the house.
        *sums.entry(seat.unwrap_or(0)).or_default() += if seat.is_some() { returned } else { -returned };
    }
    let (expected, recorded) = (OfPayouts::OneSettlement, OfPayouts::AnotherSettlement);
    let again = Accusation::new(Code::CoupSettledTwice, expected, recorded).moving(by_seat(sums));
    checked.accuse(settled.corrected_by.unwrap_or(settled.sequence), again);
    checked
}

const fn returned(line: &BetSettled) -> Settlement {
    Settlement { returned: line.returned, commission: line.commission }
}
