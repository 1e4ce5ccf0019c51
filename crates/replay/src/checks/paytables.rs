//! A rulebook with the paytables of its bets, which are worked out once.

use std::collections::BTreeMap;

use baccarat::{BetKind, Charge, OverLimit, Paytable, Rulebook, Settlement};

use crate::account::net;

/// The paytables of a rulebook.
#[derive(Debug)]
pub struct Paytables<'r> {
    pub(super) rules: &'r Rulebook,
    tables: BTreeMap<&'r BetKind, Paytable>,
}

impl<'r> Paytables<'r> {
    /// Of this rulebook.
    #[must_use]
    pub fn of(rules: &'r Rulebook) -> Self {
        Self { rules, tables: rules.bets.iter().map(|(kind, rule)| (kind, Paytable::new(rule))).collect() }
    }

    /// How a kind of bet pays; `None` if it is not offered.
    pub(super) fn kind(&self, kind: &BetKind) -> Option<&Paytable> {
        self.tables.get(kind)
    }

    /// How an abono pays; `None` if the rulebook has none.
    pub(super) fn abono(&self) -> Option<&Paytable> {
        self.rules.chemin.as_ref()?.abonos.as_ref()?;
        self.tables.iter().find(|(kind, _)| kind.as_str() == "abono").map(|(_, table)| table)
    }

    /// Whether commission is marked in boxes.
    pub(super) fn is_boxed(&self) -> bool {
        self.rules.commission.as_ref().is_some_and(|commission| commission.charge == Charge::Boxed)
    }

    /// Whether a part of a bet above a limit comes back.
    pub(super) fn has_limited_payouts(&self) -> bool {
        self.rules.limits.over_limit != OverLimit::PaidInFull
    }

    /// What a seat gets by a settlement.
    pub(super) fn net(&self, settled: Settlement) -> i64 {
        net(settled, self.is_boxed())
    }
}
