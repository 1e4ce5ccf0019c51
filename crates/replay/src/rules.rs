//! The rulebook in force at a table, prepared for judging: bets by number, stake ranges, rounding.

use std::sync::Arc;

use baccarat::{BetKind, BetRule, Money, Pays, Paytable, Rate, Rounding, RoundingMode, Rulebook};
use events::Limits;
use serde::{Deserialize, Serialize};

use crate::passages::Passages;
use crate::summary::{self, RulebookUsed};

/// A kind of bet as the judge uses it.
#[derive(Debug)]
struct Offer {
    kind: BetKind,
    rule: BetRule,
    paytable: Paytable,
    /// Kinds of bet that it excludes.
    excluded: Vec<usize>,
    /// Kinds of which it requires one.
    required: Vec<usize>,
}

/// Rulebooks as the judge uses them: bets by number.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) book: Rulebook,
    pub(crate) digest: String,
    /// How the summary names it.
    pub(crate) used: summary::Rulebook,
    offers: Vec<Offer>,
    punto: Option<usize>,
    /// What the checks ask of it, once they did.
    #[cfg(feature = "stages")]
    paytables: std::sync::OnceLock<crate::checks::Paytables>,
}

impl Rules {
    /// `text` is the rulebook's text, where a table has it.
    pub(crate) fn new(book: Rulebook, digest: String, text: Option<Arc<str>>) -> Arc<Self> {
        Arc::new(Self::of(book, digest, text))
    }

    pub(crate) fn of(book: Rulebook, digest: String, text: Option<Arc<str>>) -> Self {
        let kinds: Vec<&BetKind> = book.bets.keys().collect();
        let number = |kind: &BetKind| kinds.binary_search(&kind).ok();
        let mut offers: Vec<Offer> = book
            .bets
            .iter()
            .map(|(kind, rule)| Offer {
                kind: kind.clone(),
                rule: rule.clone(),
                paytable: Paytable::new(rule),
                excluded: Vec::new(),
                required: rule.requires.iter().filter_map(number).collect(),
            })
            .collect();
        for pair in &book.forbidden_pairs {
            if let (Some(one), Some(other)) = (number(&pair.bets[0]), number(&pair.bets[1])) {
                offers[one].excluded.push(other);
                offers[other].excluded.push(one);
            }
        }
        let punto = offers.iter().position(|offer| offer.kind.as_str() == "punto");
        let (id, title) = (book.id.clone(), book.title.clone());
        let passages = Passages::of(text);
        let (digest_used, unapproved, house_edge) = (digest.clone(), false, None);
        let used =
            RulebookUsed { id, title, digest: digest_used, coups: 0, unapproved, house_edge, passages };
        let used = summary::Rulebook(Arc::new(used));
        Self {
            digest,
            used,
            offers,
            punto,
            book,
            #[cfg(feature = "stages")]
            paytables: std::sync::OnceLock::new(),
        }
    }

    /// The paytables of its bets.
    #[cfg(feature = "stages")]
    pub(crate) fn paytables(&self) -> &crate::checks::Paytables {
        self.paytables.get_or_init(|| crate::checks::Paytables::of(Arc::new(self.book.clone())))
    }

    /// Number of a kind of bet, `None` where the rulebook does not offer it.
    pub(crate) fn kind(&self, kind: &BetKind) -> Option<usize> {
        self.offers.binary_search_by(|offer| offer.kind.cmp(kind)).ok()
    }

    /// The number of punto.
    pub(crate) const fn punto(&self) -> Option<usize> {
        self.punto
    }

    pub(crate) fn kinds(&self) -> usize {
        self.offers.len()
    }

    pub(crate) fn name(&self, kind: usize) -> &BetKind {
        &self.offers[kind].kind
    }

    pub(crate) fn bet(&self, kind: usize) -> &BetRule {
        &self.offers[kind].rule
    }

    pub(crate) fn paytable(&self, kind: usize) -> &Paytable {
        &self.offers[kind].paytable
    }

    /// Most that any bet wins for each unit staked, rounded up.
    pub(crate) fn most_paid(&self) -> u32 {
        let rows = self.offers.iter().flat_map(|offer| &offer.rule.rows);
        let won = rows.filter_map(|row| match row.pays {
            Pays::Wins(odds) => Some(odds.wins().div_ceil(odds.per())),
            Pays::Push | Pays::Lose => None,
        });
        won.max().unwrap_or(1)
    }

    /// Kinds of bet that `kind` excludes.
    pub(crate) fn excluded_by(&self, kind: usize) -> &[usize] {
        &self.offers[kind].excluded
    }

    /// Kinds of which `kind` requires one; empty: none.
    pub(crate) fn required_by(&self, kind: usize) -> &[usize] {
        &self.offers[kind].required
    }
}

/// Least and largest stake of one kind of bet at one table.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct StakeRange {
    pub(crate) minimum: Option<Money>,
    pub(crate) maximum: Money,
}

/// The stake ranges of every kind, by number.
pub(crate) fn stake_ranges(rules: &Rules, limits: &Limits) -> Vec<StakeRange> {
    let range = |kind| stake_range(&rules.book, limits, (rules.name(kind), rules.bet(kind)));
    (0..rules.kinds()).map(range).collect()
}

/// The stake range of one kind.
pub(crate) fn stake_range(
    book: &Rulebook,
    limits: &Limits,
    (kind, rule): (&BetKind, &BetRule),
) -> StakeRange {
    let own = limits.bets.iter().find(|limit| limit.kind == *kind);
    let abonos = book.chemin.as_ref().and_then(|chemin| chemin.abonos.as_ref());
    let binds =
        rule.minimum_binds || abonos.is_some_and(|abonos| abonos.within_limits && kind.as_str() == "abono");
    let minimum = own.and_then(|limit| limit.minimum).or(binds.then_some(limits.minimum));
    let table_maximum = own.and_then(|limit| limit.maximum).unwrap_or(limits.maximum);
    let cap = rule.cap.map(|share| share_of(share, limits.maximum));
    StakeRange { minimum, maximum: cap.map_or(table_maximum, |cap| cap.min(table_maximum)) }
}

/// Whole minor units, nothing more.
pub(crate) const DOWN: Rounding = Rounding { mode: RoundingMode::Down, unit: std::num::NonZeroU32::MIN };

/// A share of a sum, in whole minor units.
pub(crate) fn share_of(share: Rate, sum: Money) -> Money {
    sum.times(share.numerator(), share.denominator(), DOWN)
}
