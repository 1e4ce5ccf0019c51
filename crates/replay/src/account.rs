//! One account of the money of a coup: what every bet returned, what was due for it, and what each seat got beyond that.
//!
//! Amounts are signed minor units of what a seat was given: what was returned for a bet, less commission that was
//! marked in the seat's box. The house is the balance, so the sum over all seats and the house is always zero. A sum
//! that is not known is absent or a range, never zero.
//!
//! Findings refer to shares of this account. A wrong payout is measured from what was due by the cards as dealt, a
//! wrong draw from there to what was due by the rules, so that together they are the difference of the account.

use std::collections::BTreeMap;

use baccarat::{Money, Settlement};
use serde::{Deserialize, Serialize};

use crate::Code;
use crate::finding::SeatMoney;
use crate::ledger::NotKnown;
use crate::sink::clamp;

/// A sum that lies between two, both included; it is known if they are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SumRange {
    /// The least, in minor units.
    pub least: i64,
    /// The most, in minor units.
    pub most: i64,
}

impl SumRange {
    /// A sum that is known.
    #[must_use]
    pub const fn exactly(sum: i64) -> Self {
        Self { least: sum, most: sum }
    }

    /// The sum, if it is known.
    #[must_use]
    pub const fn known(self) -> Option<i64> {
        if self.least == self.most { Some(self.least) } else { None }
    }

    /// The least range that holds these sums; none of no sums.
    pub(crate) fn over(sums: impl IntoIterator<Item = i64>) -> Option<Self> {
        sums.into_iter()
            .map(Self::exactly)
            .reduce(|all, one| Self { least: all.least.min(one.least), most: all.most.max(one.most) })
    }

    pub(crate) const fn plus(self, other: Self) -> Self {
        let (least, most) = (self.least.saturating_add(other.least), self.most.saturating_add(other.most));
        Self { least, most }
    }

    /// The one of its ends that is nearest to a sum beyond it; none of a sum that lies within.
    pub(crate) const fn end_towards(self, sum: i64) -> Option<i64> {
        if sum > self.most {
            Some(self.most)
        } else if sum < self.least {
            Some(self.least)
        } else {
            None
        }
    }

    /// The part of it that is certain: how far it is from zero, if zero is not in it.
    #[must_use]
    pub const fn certain(self) -> Option<i64> {
        self.end_towards(0)
    }

    /// The least range that holds it and this sum.
    pub(crate) fn and(self, sum: i64) -> Self {
        Self { least: self.least.min(sum), most: self.most.max(sum) }
    }

    const fn times_minus_one(self) -> Self {
        Self { least: self.most.saturating_neg(), most: self.least.saturating_neg() }
    }
}

/// What a bet of another stake would have won at the same odds, had it returned what was recorded; none if that is no whole number of
/// minor units.
pub(crate) fn won_on_another_stake(stake: Money, due: Settlement, recorded: Settlement) -> Option<Money> {
    let [won, returned, due] = [due.returned.minus(stake), recorded.returned, due.returned].map(Money::get);
    let product = u128::from(returned) * u128::from(won);
    let whole = due > 0 && product.is_multiple_of(u128::from(due));
    let won = whole.then(|| u64::try_from(product / u128::from(due)).ok()).flatten()?;
    Money::new(won).ok()
}

/// The money of one bet, in minor units.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BetAccount {
    /// The bet's id.
    pub bet: u64,
    /// Its seat.
    pub seat: u8,
    /// Its stake.
    pub staked: i64,
    /// What came back: what the settlement returned, less what it marked in the seat's box, and the stake if it was
    /// taken back too late. Absent if the record does not say, for instance of a coup that was never settled.
    pub recorded: Option<i64>,
    /// What had to come back by the cards as dealt. Absent if nothing is known of it.
    pub as_dealt: Option<SumRange>,
    /// What had to come back by the rules: by the cards that should have been dealt, and the stake alone of a bet that
    /// came too late or of a kind that is not offered. Absent if nothing is known of it.
    pub by_rules: Option<SumRange>,
}

impl BetAccount {
    /// What its seat got beyond what was due by the rules; negative where it got less. Absent if nothing is known of it.
    #[must_use]
    pub fn difference(&self) -> Option<SumRange> {
        let due = self.by_rules?;
        Some(SumRange::exactly(self.recorded?).plus(due.times_minus_one()))
    }
}

/// Money of a finding that is not about what a recorded bet returned: a bet that was never placed, a line or a
/// settlement too many, the bank's account, a sum that left the table without a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct OtherMoney {
    /// Code of the finding.
    pub code: Code,
    /// The seat; 0 is the house, where it is not known who got it.
    pub seat: u8,
    /// What the seat got beyond what was due, in minor units; negative where it got less.
    pub minor_units: i64,
}

/// The money of one seat in a coup, in minor units.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SeatAccount {
    /// The seat.
    pub seat: u8,
    /// Its stakes.
    pub staked: i64,
    /// What came back for them; absent if that is not known of one of them.
    pub recorded: Option<i64>,
    /// What had to come back for them by the cards as dealt; absent if nothing is known of one of them.
    pub as_dealt: Option<SumRange>,
    /// What had to come back for them by the rules; absent if nothing is known of one of them.
    pub by_rules: Option<SumRange>,
    /// What it got beyond what was due by the rules, other money included; absent if nothing is known of one bet.
    pub difference: Option<SumRange>,
    /// The part of the difference that is certain: of each bet the difference from what was due by the rules, or, where
    /// that is not known, from what was due by the cards as dealt. The findings of the coup add up to it.
    pub certain: i64,
    /// Stakes whose difference is not known: how much had to come back, or whether anything did.
    pub undecided: i64,
    /// Whether what is certain is the least of what a bet may have moved. Left out where it is not.
    #[serde(skip_serializing_if = "is_exact")]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub at_least: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it so")]
const fn is_exact(at_least: &bool) -> bool {
    !*at_least
}

/// The money of a coup.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct CoupAccount {
    /// Whether the coup is void: every stake had to come back, and it counts in no turnover.
    pub void: bool,
    /// Every bet that was not taken back in time, in the order of the record.
    pub bets: Vec<BetAccount>,
    /// Other money, by code and seat, in the order of the findings.
    pub others: Vec<OtherMoney>,
    /// By seat.
    pub seats: Vec<SeatAccount>,
    /// What was given to people of whom no seat is known beyond what was due.
    pub unattributed: i64,
    /// What the house got beyond what was due: the balance of all seats and of what is not attributed to one. Absent if
    /// nothing is known of one bet, or of what a bet that was placed or taken back too late moved at a player's bank.
    pub house: Option<SumRange>,
}

impl CoupAccount {
    /// The account of these bets, in the order of the record, with bets that are at their seats only by a correction that
    /// came too late. `bank_open`: what late bets moved at a player's bank is not known.
    pub(crate) fn of_lines(
        void: bool,
        lines: Vec<(BetMoney, BetAccount)>,
        (moved, bank_open): (Vec<BetAccount>, bool),
        others: Vec<OtherMoney>,
    ) -> Self {
        let mut by_seat: BTreeMap<u8, SeatAccount> = BTreeMap::new();
        let mut bets = Vec::with_capacity(lines.len());
        for (line, bet) in lines {
            by_seat.entry(bet.seat).or_insert_with(|| SeatAccount::empty(bet.seat)).add(&line, &bet);
            bets.push(bet);
        }
        for bet in moved {
            by_seat.entry(bet.seat).or_insert_with(|| SeatAccount::empty(bet.seat)).add_moved(&bet);
            bets.push(bet);
        }
        let seats: Vec<SeatAccount> = by_seat.into_values().collect();
        let mut moved = seats.iter().map(|seat| seat.difference);
        let all = moved.try_fold(SumRange::exactly(0), |all, one| Some(all.plus(one?)));
        let house = all.filter(|_| !bank_open).map(SumRange::times_minus_one);
        let mut account = Self { void, bets, seats, house, ..Self::default() };
        others.into_iter().for_each(|other| account.add(other));
        account
    }

    /// Other money moved.
    pub(crate) fn add(&mut self, more: OtherMoney) {
        merge(&mut self.others, more);
        let OtherMoney { seat, minor_units, .. } = more;
        if seat == 0 {
            // What the house lost went to people whose seat is not known.
            self.unattributed = self.unattributed.saturating_sub(minor_units);
            self.house = self.house.map(|house| house.plus(SumRange::exactly(minor_units)));
        } else {
            let at = self.seats.binary_search_by_key(&seat, |one| one.seat).unwrap_or_else(|at| {
                self.seats.insert(at, SeatAccount::empty(seat));
                at
            });
            self.seats[at].move_by(minor_units);
            self.house = self.house.map(|house| house.plus(SumRange::exactly(minor_units.saturating_neg())));
        }
    }

    /// Whether the record says what came back for every bet, that this is what was due by the cards as dealt and by the
    /// rules alike, and no other money moved.
    #[must_use]
    pub fn is_settled_as_due(&self) -> bool {
        let nothing = |bet: &BetAccount| bet.difference() == Some(SumRange::exactly(0));
        !self.void
            && self.others.is_empty()
            && self.bets.iter().all(|bet| nothing(bet) && bet.as_dealt == bet.by_rules)
    }

    /// What it leaves open: the coup and its bets whose difference is not known. Absent if all of it is known.
    pub(crate) fn not_known(&self) -> Option<NotKnown> {
        let is_open = |bet: &&BetAccount| bet.difference().and_then(SumRange::known).is_none();
        let sum = |sums: &mut dyn Iterator<Item = i64>| sums.map(|sum| u128::from(sum.unsigned_abs())).sum();
        let open = || self.bets.iter().filter(is_open);
        let bank_is_open = self.house.and_then(SumRange::known).is_none();
        (bank_is_open || open().next().is_some()).then(|| NotKnown {
            coups: 1,
            staked: sum(&mut open().map(|bet| bet.staked)),
            returned: sum(&mut open().filter_map(|bet| bet.recorded)),
        })
    }
}

/// Money of one code at one seat is one line, and so is that of all corrections that came too late: what is not about a
/// bet is of a `corrected-late`.
fn merge(others: &mut Vec<OtherMoney>, more: OtherMoney) {
    let late = |code: Code| matches!(code, Code::BetCorrectedLate | Code::CorrectedLate);
    let same = |one: &OtherMoney| one.code == more.code || (late(one.code) && late(more.code));
    let Some(at) = others.iter().position(|one| one.seat == more.seat && same(one)) else {
        return others.push(more);
    };
    let one = &mut others[at];
    if one.code != more.code {
        one.code = Code::CorrectedLate;
    }
    one.minor_units = one.minor_units.saturating_add(more.minor_units);
    if one.minor_units == 0 {
        others.remove(at);
    }
}

impl SeatAccount {
    fn empty(seat: u8) -> Self {
        let nothing = Some(SumRange::exactly(0));
        let (recorded, as_dealt, by_rules, difference) = (Some(0), nothing, nothing, nothing);
        Self { seat, recorded, as_dealt, by_rules, difference, ..Self::default() }
    }

    fn add(&mut self, line: &BetMoney, bet: &BetAccount) {
        let both = |all: Option<SumRange>, one: Option<SumRange>| Some(all?.plus(one?));
        self.staked = self.staked.saturating_add(bet.staked);
        self.recorded = self.recorded.zip(bet.recorded).map(|(all, one)| all.saturating_add(one));
        self.as_dealt = both(self.as_dealt, bet.as_dealt);
        self.by_rules = both(self.by_rules, bet.by_rules);
        self.difference = both(self.difference, bet.difference());
        self.certain = self.certain.saturating_add(line.certain());
        self.at_least |= line.is_at_least();
        if line.is_undecided() {
            self.undecided = self.undecided.saturating_add(bet.staked);
        }
    }

    /// A bet is this seat's only by a correction that came too late.
    fn add_moved(&mut self, bet: &BetAccount) {
        let recorded = bet.recorded.unwrap_or(0);
        self.recorded = self.recorded.map(|all| all.saturating_add(recorded));
        self.move_by(recorded);
    }

    fn move_by(&mut self, minor_units: i64) {
        self.difference = self.difference.map(|sum| sum.plus(SumRange::exactly(minor_units)));
        self.certain = self.certain.saturating_add(minor_units);
    }
}

/// The money of one bet while its coup is judged.
#[derive(Debug, Clone)]
pub(crate) struct BetMoney {
    pub(crate) recorded: Option<i64>,
    /// What the finding about its payout measures from, where it has one or would have one. Where several sums may be due,
    /// and what was recorded lies beyond all of them, it is the nearest.
    pub(crate) due: Option<i64>,
    pub(crate) as_dealt: Option<SumRange>,
    pub(crate) by_rules: Option<SumRange>,
    /// What came back looks wrong, and is not found, because what is missing may say otherwise: it is not known.
    pub(crate) open: bool,
}

impl BetMoney {
    /// What the findings of the bet report in all.
    fn certain(&self) -> i64 {
        let Some(recorded) = (if self.open { self.due } else { self.recorded }) else { return 0 };
        let due = self.by_rules.and_then(SumRange::known).or(self.due);
        due.map_or(0, |due| recorded.saturating_sub(due))
    }

    /// Whether what its findings report is certain, and more may have moved.
    pub(crate) fn is_at_least(&self) -> bool {
        let by_rules = self.by_rules.and_then(SumRange::known).is_some();
        self.due.is_some() && !self.open && !by_rules && self.as_dealt.and_then(SumRange::known).is_none()
    }

    /// Whether it is not known what came back, or what had to come back by the rules.
    fn is_undecided(&self) -> bool {
        self.recorded.is_none() || self.by_rules.and_then(SumRange::known).is_none()
    }
}

/// What a seat gets by a settlement: commission that is marked in its box is owed by it.
pub(crate) fn net(settlement: Settlement, boxed: bool) -> i64 {
    let marked = if boxed { settlement.commission } else { Money::ZERO };
    clamp(settlement.returned.over(marked))
}

pub(crate) fn signed(money: Money) -> i64 {
    clamp(money.over(Money::ZERO))
}

/// Sums that are not zero, in the order of the seats.
pub(crate) fn by_seat(sums: BTreeMap<u8, i128>) -> Vec<SeatMoney> {
    let moved = |(seat, sum): (u8, i128)| SeatMoney::exactly(seat, clamp(sum));
    sums.into_iter().filter(|(_, sum)| *sum != 0).map(moved).collect()
}
