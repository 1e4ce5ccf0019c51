//! A rulebook with what its bets pay, require and exclude, which is worked out once.

use std::sync::Arc;

use baccarat::{BetKind, BetRule, Charge, OverLimit, Paytable, Rulebook, Settlement};

use crate::account::net;

/// A kind of bet that is offered.
#[derive(Debug)]
struct Offer {
    kind: BetKind,
    rule: BetRule,
    paytable: Paytable,
    /// Numbers of the kinds that exclude it, and of those of which it requires one.
    excluded: Vec<usize>,
    required: Vec<usize>,
}

/// The paytables of a rulebook. Kinds of bet have numbers, in the order of their names.
#[derive(Debug)]
pub struct Paytables {
    rules: Arc<Rulebook>,
    offers: Vec<Offer>,
}

impl Paytables {
    /// Of this rulebook.
    #[must_use]
    pub fn of(rules: Arc<Rulebook>) -> Self {
        let kinds: Vec<&BetKind> = rules.bets.keys().collect();
        let number = |kind: &BetKind| kinds.binary_search(&kind).ok();
        let offers = rules.bets.iter().map(|(kind, rule)| {
            let pairs = rules.forbidden_pairs.iter().map(|pair| &pair.bets);
            let others = pairs.filter_map(|[one, other]| match (one == kind, other == kind) {
                (true, _) => number(other),
                (false, true) => number(one),
                (false, false) => None,
            });
            Offer {
                kind: kind.clone(),
                rule: rule.clone(),
                paytable: Paytable::new(rule),
                excluded: others.collect(),
                required: rule.requires.iter().filter_map(number).collect(),
            }
        });
        Self { offers: offers.collect(), rules }
    }

    /// The rulebook.
    #[must_use]
    pub fn rules(&self) -> &Rulebook {
        &self.rules
    }

    /// The number of a kind of bet; `None` if it is not offered.
    pub(super) fn number(&self, kind: &BetKind) -> Option<usize> {
        let kind = kind.as_str();
        self.offers.binary_search_by(|offer| offer.kind.as_str().cmp(kind)).ok()
    }

    /// The name of a kind.
    pub(super) fn name(&self, kind: usize) -> &BetKind {
        &self.offers[kind].kind
    }

    /// What the rulebook says of a kind.
    pub(super) fn rule(&self, kind: usize) -> &BetRule {
        &self.offers[kind].rule
    }

    /// How a kind of bet pays.
    pub(super) fn paytable(&self, kind: usize) -> &Paytable {
        &self.offers[kind].paytable
    }

    /// Kinds of bet that a kind excludes.
    pub(super) fn excluded_by(&self, kind: usize) -> &[usize] {
        &self.offers[kind].excluded
    }

    /// Kinds of which a kind requires one; empty: none.
    pub(super) fn required_by(&self, kind: usize) -> &[usize] {
        &self.offers[kind].required
    }

    /// The number of abonos; `None` if the rulebook has none.
    pub(super) fn abono(&self) -> Option<usize> {
        self.rules.chemin.as_ref()?.abonos.as_ref()?;
        self.offers.iter().position(|offer| offer.kind.as_str() == "abono")
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
