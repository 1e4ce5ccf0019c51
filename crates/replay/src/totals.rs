//! Sums over all findings, also those that are not listed: money by code, currency and seat, and the undecided
//! share of the turnover.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::few::Few;
use crate::{Code, Currency, Finding, SeatMoney};

/// The money that all findings of one code moved at one seat, listed or not. Findings that follow from others
/// are included: each sum belongs to one finding only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MoneyMoved {
    /// The code.
    pub code: Code,
    /// The currency; none where a table was not opened.
    pub currency: Option<Currency>,
    /// The seat.
    pub seat: u8,
    /// Findings that moved money there.
    pub findings: u64,
    /// What the seat got beyond what was due, in minor units.
    #[cfg_attr(feature = "schema", schema(format = "u-int128"))]
    pub gained: u128,
    /// What the seat got less than what was due, in minor units.
    #[cfg_attr(feature = "schema", schema(format = "u-int128"))]
    pub lost: u128,
    /// Whether more may have moved: what is certain of it is in these sums. Left out where it is exact.
    #[serde(default, skip_serializing_if = "crate::finding::is_exact")]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub at_least: bool,
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

    pub(crate) fn merge(&mut self, other: Self) {
        other.0.into_values().for_each(|row| self.add(row));
    }

    pub(crate) fn count(&mut self, finding: &Finding) {
        for moved in finding.money.iter().filter(|moved| moved.minor_units != 0) {
            self.add(moved_by(finding, moved));
        }
    }

    fn add(&mut self, more: MoneyMoved) {
        let key = (more.code, more.currency.clone(), more.seat);
        match self.0.get_mut(&key) {
            Some(sum) => {
                sum.findings += more.findings;
                sum.at_least |= more.at_least;
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
        at_least: moved.at_least,
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

/// Stakes of coups in one currency, in minor units.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Turnover {
    /// The currency; none where a table was not opened.
    pub currency: Option<Currency>,
    /// All stakes, those of coups that were never settled included.
    #[cfg_attr(feature = "schema", schema(format = "u-int128"))]
    pub staked: u128,
    /// Stakes of undecided coups and of coups that were never settled, and of each bet whose due or return is not known.
    #[cfg_attr(feature = "schema", schema(format = "u-int128"))]
    pub undecided: u128,
    /// Stakes of void coups, which are not among them: they had to come back. Left out where there are none.
    #[serde(default, skip_serializing_if = "is_no_sum")]
    #[cfg_attr(feature = "schema", schema(format = "u-int128", nullable = false))]
    pub void: u128,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it so")]
const fn is_no_sum(sum: &u128) -> bool {
    *sum == 0
}

/// Turnover by currency, in the order of their codes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<Turnover>", into = "Vec<Turnover>")]
pub struct Turnovers {
    /// Where a table was not opened.
    unknown: Option<Turnover>,
    known: Few<Currency, Turnover>,
}

impl Turnovers {
    /// By currency.
    pub fn iter(&self) -> impl Iterator<Item = &Turnover> {
        self.unknown.iter().chain(self.known.iter().map(|(_, row)| row))
    }

    pub(crate) fn merge(&mut self, other: Self) {
        Vec::from(other).iter().for_each(|row| self.add(row));
    }

    /// A coup is over, on which so many minor units were staked; of so many it is not known what is due, or came back.
    pub(crate) fn count(&mut self, currency: Option<&Currency>, staked: u128, undecided: u128) {
        let sum = self.of(currency);
        sum.staked = sum.staked.saturating_add(staked);
        sum.undecided = sum.undecided.saturating_add(undecided);
    }

    /// A coup was declared void, on which so many minor units were staked.
    pub(crate) fn count_void(&mut self, currency: Option<&Currency>, staked: u128) {
        let sum = self.of(currency);
        sum.void = sum.void.saturating_add(staked);
    }

    fn of(&mut self, currency: Option<&Currency>) -> &mut Turnover {
        let sum = match currency {
            Some(code) => self.known.entry(code, || code.clone()),
            None => self.unknown.get_or_insert_default(),
        };
        if sum.currency.as_ref() != currency {
            sum.currency = currency.cloned();
        }
        sum
    }

    fn add(&mut self, more: &Turnover) {
        let sum = self.of(more.currency.as_ref());
        sum.staked = sum.staked.saturating_add(more.staked);
        sum.undecided = sum.undecided.saturating_add(more.undecided);
        sum.void = sum.void.saturating_add(more.void);
    }
}

impl From<Vec<Turnover>> for Turnovers {
    fn from(rows: Vec<Turnover>) -> Self {
        let mut turnovers = Self::default();
        rows.iter().for_each(|row| turnovers.add(row));
        turnovers
    }
}

impl From<Turnovers> for Vec<Turnover> {
    fn from(turnovers: Turnovers) -> Self {
        turnovers.unknown.into_iter().chain(turnovers.known.into_iter().map(|(_, row)| row)).collect()
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
pub(crate) const fn is_zero(count: &u64) -> bool {
    *count == 0
}
