//! The bets of a coup that were not taken back in time, and those that came too late or are of kinds that are not offered
//! (`docs/judging.md`, "Too late, unknown, twice").

use baccarat::{Money, Outcome, Paytable, Settlement};

use super::Checked;
use super::paytables::Paytables;
use crate::account::signed;
use crate::reading::{BetRecord, CoupRecord};
use crate::{Code, SeatMoney};

/// A bet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bet<'r, 'a> {
    pub(super) record: &'r BetRecord<'a>,
    /// It was placed once the bets were closed.
    pub(super) late: bool,
    /// `None`: its kind is not offered.
    table: Option<&'r Paytable>,
}

impl Bet<'_, '_> {
    pub(super) const fn id(&self) -> u64 {
        self.record.placed.value.bet
    }

    pub(super) const fn seat(&self) -> u8 {
        self.record.placed.value.seat
    }

    pub(super) const fn stake(&self) -> Money {
        self.record.placed.value.stake
    }

    pub(super) const fn is_offered(&self) -> bool {
        self.table.is_some()
    }

    /// Whether it was taken back once the bets were closed.
    pub(super) const fn is_taken_back(&self) -> bool {
        self.record.withdrawn.is_some()
    }

    /// Whether the hands decide it.
    pub(super) const fn is_judged(&self) -> bool {
        self.table.is_some() && !self.late
    }

    /// What it brings if the hands result in this.
    pub(super) fn brings(&self, outcome: &Outcome, tables: &Paytables<'_>) -> Option<Settlement> {
        let decision = self.table?.decide(outcome)?;
        Some(tables.rules.settle(self.stake(), decision))
    }

    pub(super) const fn stake_back(&self) -> Settlement {
        Settlement { returned: self.stake(), commission: Money::ZERO }
    }

    fn placed_at(&self) -> u64 {
        self.record.placed.corrected_by.unwrap_or(self.record.placed.sequence)
    }
}

/// The bets of a coup that were not taken back in time.
pub(super) fn bets<'r, 'a>(coup: &'r CoupRecord<'a>, tables: &'r Paytables<'_>) -> Vec<Bet<'r, 'a>> {
    let cards = coup.cards.iter().filter(|card| card.to.side().is_some()).filter_map(|card| card.sequence);
    let closed = coup.closes.iter().map(|close| close.sequence).chain(cards).min().unwrap_or(u64::MAX);
    let in_time = |bet: &&BetRecord<'_>| bet.withdrawn.is_some_and(|at| at < closed);
    let all = coup.bets.iter().filter(|bet| !in_time(bet));
    all.map(|record| {
        let placed = record.placed;
        Bet { record, late: placed.sequence > closed, table: tables.kind(&placed.value.kind) }
    })
    .collect()
}

/// Reports a bet that came too late, was taken back too late, or is of a kind that is not offered. What came back for it,
/// and what was due by the cards as dealt, are as the account has them.
pub(super) fn late(bet: &Bet<'_, '_>, recorded: Option<i64>, due: Option<i64>) -> Checked {
    let mut checked = Checked::default();
    let money = |sum: Option<i64>| sum.map(|sum| SeatMoney::exactly(bet.seat(), sum)).into_iter().collect();
    let base = recorded.map(|recorded| due.unwrap_or(recorded).saturating_sub(signed(bet.stake())));
    if bet.late {
        checked.find_money(Code::BetLate, bet.placed_at(), money(base));
    }
    if !bet.is_offered() {
        checked.find_money(Code::BetKind, bet.placed_at(), money(base.filter(|_| !bet.late)));
    }
    if let Some(taken_back) = bet.record.withdrawn {
        let beyond = recorded.zip(due).map(|(recorded, due)| recorded.saturating_sub(due));
        checked.find_money(Code::BetWithdrawnLate, taken_back, money(beyond));
    }
    checked
}

/// Withdrawals of bets that were not placed.
pub(super) fn not_placed(coup: &CoupRecord<'_>) -> Checked {
    let mut checked = Checked::default();
    for withdrawn in &coup.withdrawals {
        checked.find(Code::BetUnknown, withdrawn.corrected_by.unwrap_or(withdrawn.sequence));
    }
    checked
}
