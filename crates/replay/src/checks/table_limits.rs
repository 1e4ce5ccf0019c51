//! The limits that a table or one kind of bet plays under, held against each other and against the rulebook.

use std::collections::BTreeSet;

use baccarat::{BetKind, Money, Rulebook};
use events::Limits;

use crate::Code;
use crate::sink::{Accusation, Sink};
use crate::statement::{OfTable, Sum};

/// Least and largest stake: the table's, or those of a kind of bet that has limits of its own.
struct Span<'a> {
    kind: Option<&'a BetKind>,
    minimum: Money,
    maximum: Money,
}

/// What is wrong with limits.
struct Fault {
    expected: OfTable,
    recorded: OfTable,
}

/// Limits that no rulebook can mean, and those that this one does not allow. At most one `limits-range` and one
/// `limits-ratio` are made for the table, and for each kind of bet that is listed.
pub(super) fn check_limits(limits: &Limits, book: &Rulebook, sink: &mut Sink) {
    let table = Span { kind: None, minimum: limits.minimum, maximum: limits.maximum };
    let fault = table.range().or_else(|| unit(limits, book)).or_else(|| table.unit(limits, book));
    accuse(Code::LimitsRange, fault, sink);
    accuse(Code::LimitsRatio, table.ratio(book), sink);
    for own in own(limits) {
        let twice = limits.bets.iter().filter(|limit| Some(&limit.kind) == own.kind).nth(1).is_some();
        let fault = own.twice(twice);
        // What is the table's own is judged with the table.
        if own.minimum == table.minimum && own.maximum == table.maximum {
            accuse(Code::LimitsRange, fault, sink);
            continue;
        }
        let fault = fault.or_else(|| own.range()).or_else(|| own.unit(limits, book));
        accuse(Code::LimitsRange, fault, sink);
        let rule = own.kind.and_then(|kind| book.bets.get(kind));
        // A rulebook that says what share of the table's maximum a kind may have says it in place of the ratio. In
        // chemin de fer the ratio is the bank's.
        if rule.is_none_or(|rule| rule.cap.is_none()) && book.chemin.is_none() {
            accuse(Code::LimitsRatio, own.ratio(book), sink);
        }
    }
}

fn accuse(code: Code, fault: Option<Fault>, sink: &mut Sink) {
    let accusation = |Fault { expected, recorded }| Accusation::new(code, expected, recorded);
    sink.accuse_all(fault.map(accusation));
}

/// Kinds of bet with limits of their own, each once: the first listing is the one that binds. What it leaves out is
/// the table's.
fn own(limits: &Limits) -> impl Iterator<Item = Span<'_>> {
    let mut listed = BTreeSet::new();
    let first = limits.bets.iter().filter(move |limit| listed.insert(&limit.kind));
    first.map(|limit| Span {
        kind: Some(&limit.kind),
        minimum: limit.minimum.unwrap_or(limits.minimum),
        maximum: limit.maximum.unwrap_or(limits.maximum),
    })
}

/// A unit that nobody can stake multiples of, or that the rulebook does not know.
fn unit(limits: &Limits, book: &Rulebook) -> Option<Fault> {
    let unit = limits.multiple?;
    let recorded = OfTable::MultiplesOf { unit: unit.into() };
    match (unit, book.limits.multiples_allowed) {
        (Money::ZERO, _) => Some(Fault { expected: OfTable::MultiplesOfASum, recorded }),
        (_, false) => Some(Fault { expected: OfTable::NoMultiples, recorded }),
        (_, true) => None,
    }
}

impl Span<'_> {
    fn twice(&self, twice: bool) -> Option<Fault> {
        let kind = self.kind.filter(|_| twice)?.clone();
        Some(Fault {
            expected: OfTable::KindListedOnce,
            recorded: OfTable::KindListedAgain { bet_kind: kind },
        })
    }

    fn range(&self) -> Option<Fault> {
        let recorded = self.kind.map_or_else(
            || OfTable::Limits { minimum: self.minimum.into(), maximum: self.maximum.into() },
            |kind| OfTable::LimitsOfKind {
                minimum: self.minimum.into(),
                maximum: self.maximum.into(),
                bet_kind: kind.clone(),
            },
        );
        (self.minimum > self.maximum).then_some(Fault { expected: OfTable::MinimumWithin, recorded })
    }

    /// The unit, where the rulebook says that it is the minimum.
    fn unit(&self, limits: &Limits, book: &Rulebook) -> Option<Fault> {
        let other = |unit: &Money| *unit != Money::ZERO && *unit != self.minimum;
        let unit = limits.multiple.filter(|_| book.limits.multiple_is_minimum).filter(other)?;
        let unit: Sum = unit.into();
        let recorded = self.kind.map_or(OfTable::MultiplesOf { unit }, |kind| OfTable::MultiplesOnKind {
            unit,
            bet_kind: kind.clone(),
        });
        let expected = OfTable::MultiplesOfMinimum { minimum: self.minimum.into() };
        Some(Fault { expected, recorded })
    }

    fn ratio(&self, book: &Rulebook) -> Option<Fault> {
        let allowed = &book.limits.maximum_over_minimum;
        let times = |factor: &u32| i128::from(self.minimum.get()) * i128::from(*factor);
        let is_one = allowed.iter().any(|factor| times(factor) == i128::from(self.maximum.get()));
        if allowed.is_empty() || is_one {
            return None;
        }
        let (factors, minimum) = (allowed.iter().copied().collect(), self.minimum.into());
        let maximum: Sum = self.maximum.into();
        let recorded = self.kind.map_or(OfTable::Maximum { maximum }, |kind| OfTable::MaximumOnKind {
            maximum,
            bet_kind: kind.clone(),
        });
        Some(Fault { expected: OfTable::MaximumTimes { factors, minimum }, recorded })
    }
}
