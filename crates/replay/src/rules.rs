//! The rulebook in force at a table, made ready for judging.

use std::sync::Arc;

use baccarat::{BetKind, BetRule, Money, Rounding, RoundingMode, Rulebook};
use events::Limits;

/// Rulebooks as the judge uses them: bets by number, forbidden pairs by number.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) book: Rulebook,
    pub(crate) digest: String,
    bets: Vec<(BetKind, BetRule)>,
    forbidden: Vec<(usize, usize)>,
}

impl Rules {
    pub(crate) fn new(book: Rulebook, digest: String) -> Arc<Self> {
        let bets: Vec<(BetKind, BetRule)> =
            book.bets.iter().map(|(kind, rule)| (kind.clone(), rule.clone())).collect();
        let number = |kind: &BetKind| bets.binary_search_by(|(name, _)| name.cmp(kind)).ok();
        let forbidden = book
            .forbidden_pairs
            .iter()
            .filter_map(|pair| Some((number(&pair.bets[0])?, number(&pair.bets[1])?)))
            .collect();
        Arc::new(Self { digest, forbidden, bets, book })
    }

    /// Number of a kind of bet, `None` where the rulebook does not offer it.
    pub(crate) fn kind(&self, kind: &BetKind) -> Option<usize> {
        self.bets.binary_search_by(|(name, _)| name.cmp(kind)).ok()
    }

    pub(crate) fn kinds(&self) -> usize {
        self.bets.len()
    }

    pub(crate) fn name(&self, kind: usize) -> &BetKind {
        &self.bets[kind].0
    }

    pub(crate) fn bet(&self, kind: usize) -> &BetRule {
        &self.bets[kind].1
    }

    /// Kinds that may not stand beside `kind`.
    pub(crate) fn excluded_by(&self, kind: usize) -> impl Iterator<Item = usize> + '_ {
        self.forbidden.iter().filter_map(move |&(one, other)| {
            (one == kind).then_some(other).or_else(|| (other == kind).then_some(one))
        })
    }

    /// Whether any forbidden pair names the kind.
    pub(crate) fn is_exclusive(&self, kind: usize) -> bool {
        self.excluded_by(kind).next().is_some()
    }
}

/// Least and largest stake of one kind of bet at one table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StakeRange {
    pub(crate) minimum: Option<Money>,
    pub(crate) maximum: Money,
}

/// The stake ranges of every kind, by number.
pub(crate) fn stake_ranges(rules: &Rules, limits: &Limits) -> Vec<StakeRange> {
    (0..rules.kinds()).map(|kind| stake_range(rules, limits, kind)).collect()
}

fn stake_range(rules: &Rules, limits: &Limits, kind: usize) -> StakeRange {
    let own = limits.bets.iter().find(|limit| limit.kind == *rules.name(kind));
    let rule = rules.bet(kind);
    let minimum = own.and_then(|limit| limit.minimum).or(rule.minimum_binds.then_some(limits.minimum));
    let table_maximum = own.and_then(|limit| limit.maximum).unwrap_or(limits.maximum);
    let down = Rounding { mode: RoundingMode::Down, unit: std::num::NonZeroU32::MIN };
    let cap = rule.cap.map(|share| limits.maximum.times(share.numerator(), share.denominator(), down));
    StakeRange { minimum, maximum: cap.map_or(table_maximum, |cap| cap.min(table_maximum)) }
}
