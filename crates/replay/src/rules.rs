//! The rulebook in force at a table, prepared for judging: paytables, stake ranges, rounding.

use std::sync::{Arc, OnceLock};

use baccarat::{BetKind, BetRule, Money, Rate, Rounding, RoundingMode, Rulebook};
use events::Limits;
use serde::{Deserialize, Serialize};

use crate::checks::Paytables;
use crate::passages::Passages;
use crate::summary::{self, RulebookUsed};

/// A rulebook as the judge uses it.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) book: Arc<Rulebook>,
    pub(crate) digest: String,
    /// How the summary names it.
    pub(crate) used: summary::Rulebook,
    /// What the checks ask of it, once they did.
    paytables: OnceLock<Paytables>,
}

impl Rules {
    /// `text` is the rulebook's text, where a table has it.
    pub(crate) fn new(book: Rulebook, digest: String, text: Option<Arc<str>>) -> Arc<Self> {
        Arc::new(Self::of(book, digest, text))
    }

    pub(crate) fn of(book: Rulebook, digest: String, text: Option<Arc<str>>) -> Self {
        let (id, title) = (book.id.clone(), book.title.clone());
        let used = RulebookUsed {
            id,
            title,
            digest: digest.clone(),
            coups: 0,
            unapproved: false,
            house_edge: None,
            passages: Passages::of(text),
        };
        let used = summary::Rulebook(Arc::new(used));
        Self { digest, used, book: Arc::new(book), paytables: OnceLock::new() }
    }

    /// The paytables of its bets.
    pub(crate) fn paytables(&self) -> &Paytables {
        self.paytables.get_or_init(|| Paytables::of(Arc::clone(&self.book)))
    }
}

/// Least and largest stake of one kind of bet at one table.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct StakeRange {
    pub(crate) minimum: Option<Money>,
    pub(crate) maximum: Money,
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
