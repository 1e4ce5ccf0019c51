//! Sums that stay complete however much was found: money by code, currency and seat, and what share of
//! the turnover is undecided.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::tally::is_zero;
use crate::{Code, CoupVerdict, Currency, Finding, SeatMoney};

/// What all findings of one code moved at one seat, whether they are listed or not. Of findings that
/// follow from others the money counts as well: each sum stands at one finding alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoneyMoved {
    /// The code.
    pub code: Code,
    /// The currency; none where a table was not opened.
    pub currency: Option<Currency>,
    /// The seat.
    pub seat: u8,
    /// Findings that moved money there.
    pub findings: u64,
    /// What the seat got beyond what was due, in minor units,
    pub gained: u128,
    /// and what it got less.
    pub lost: u128,
}

/// Money by code, currency and seat, in this order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<MoneyMoved>", into = "Vec<MoneyMoved>")]
pub struct MoneyTotals(BTreeMap<(Code, Option<Currency>, u8), MoneyMoved>);

impl MoneyTotals {
    /// All that moved anything.
    pub fn iter(&self) -> impl Iterator<Item = &MoneyMoved> {
        self.0.values()
    }

    /// Whether no money moved.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn count(&mut self, finding: &Finding) {
        for moved in finding.money.iter().filter(|moved| moved.minor_units != 0) {
            self.add(moved_by(finding, moved));
        }
    }

    fn add(&mut self, more: MoneyMoved) {
        let key = (more.code, more.currency.clone(), more.seat);
        match self.0.get_mut(&key) {
            Some(sum) => {
                sum.findings += more.findings;
                sum.gained = sum.gained.saturating_add(more.gained);
                sum.lost = sum.lost.saturating_add(more.lost);
            }
            None => {
                self.0.insert(key, more);
            }
        }
    }
}

fn moved_by(finding: &Finding, moved: &SeatMoney) -> MoneyMoved {
    let (sum, gained) = (u128::from(moved.minor_units.unsigned_abs()), moved.minor_units > 0);
    MoneyMoved {
        code: finding.code,
        currency: finding.currency.clone(),
        seat: moved.seat,
        findings: 1,
        gained: if gained { sum } else { 0 },
        lost: if gained { 0 } else { sum },
    }
}

impl From<Vec<MoneyMoved>> for MoneyTotals {
    fn from(rows: Vec<MoneyMoved>) -> Self {
        let mut money = Self::default();
        rows.into_iter().for_each(|row| money.add(row));
        money
    }
}

impl From<MoneyTotals> for Vec<MoneyMoved> {
    fn from(money: MoneyTotals) -> Self {
        money.0.into_values().collect()
    }
}

/// Stakes of settled coups in one currency, in minor units.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turnover {
    /// The currency; none where a table was not opened.
    pub currency: Option<Currency>,
    /// All stakes,
    pub staked: u128,
    /// and those of undecided coups.
    pub undecided: u128,
}

/// Turnover by currency, in the order of their codes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<Turnover>", into = "Vec<Turnover>")]
pub struct Turnovers(BTreeMap<Option<Currency>, Turnover>);

impl Turnovers {
    /// By currency.
    pub fn iter(&self) -> impl Iterator<Item = &Turnover> {
        self.0.values()
    }

    /// A coup was settled.
    pub(crate) fn count(&mut self, currency: Option<Currency>, staked: u128, verdict: CoupVerdict) {
        let undecided = if verdict == CoupVerdict::Undecided { staked } else { 0 };
        self.add(Turnover { currency, staked, undecided });
    }

    fn add(&mut self, more: Turnover) {
        let empty = || Turnover { currency: more.currency.clone(), staked: 0, undecided: 0 };
        let sum = self.0.entry(more.currency.clone()).or_insert_with(empty);
        sum.staked = sum.staked.saturating_add(more.staked);
        sum.undecided = sum.undecided.saturating_add(more.undecided);
    }
}

impl From<Vec<Turnover>> for Turnovers {
    fn from(rows: Vec<Turnover>) -> Self {
        let mut turnovers = Self::default();
        rows.into_iter().for_each(|row| turnovers.add(row));
        turnovers
    }
}

impl From<Turnovers> for Vec<Turnover> {
    fn from(turnovers: Turnovers) -> Self {
        turnovers.0.into_values().collect()
    }
}

/// What stays complete whatever is listed of the findings: counted from every one of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// How often each code was found as a consequence of another finding: these break no rule of their own.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub consequences_by_code: BTreeMap<Code, u64>,
    /// Whether fewer findings are listed than were counted,
    #[serde(default)]
    pub findings_cut: bool,
    /// and how many, consequences with them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub findings_not_listed: u64,
    /// Money that the findings moved.
    #[serde(default)]
    pub money: MoneyTotals,
    /// Stakes of settled coups, and what share of them is undecided.
    #[serde(default)]
    pub turnover: Turnovers,
}

impl Totals {
    pub(crate) fn merge(&mut self, other: Self) {
        for (code, count) in other.consequences_by_code {
            *self.consequences_by_code.entry(code).or_default() += count;
        }
        other.money.0.into_values().for_each(|row| self.money.add(row));
        other.turnover.0.into_values().for_each(|row| self.turnover.add(row));
    }

    /// So many findings were counted in all, and so many of them are listed.
    pub(crate) fn list(&mut self, counted: u64, listed: usize) {
        self.findings_not_listed = counted.saturating_sub(listed as u64);
        self.findings_cut = self.findings_not_listed > 0;
    }

    /// One more was found.
    pub(crate) fn count(&mut self, finding: &Finding) {
        self.money.count(finding);
        if finding.cause.is_some() {
            *self.consequences_by_code.entry(finding.code).or_default() += 1;
        }
    }
}
