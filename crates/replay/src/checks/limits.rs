//! The bets of a coup against the limits, once they are closed: minimum, maximum, multiples, main bets that side bets require,
//! and pairs that exclude each other (`docs/judging.md`, "Limits").
//!
//! Each is held against a player's sums over all seats. If bets without a name may be anybody's, only what is wrong
//! whosever they are is found. The rest is open.

use std::collections::BTreeMap;

use baccarat::Money;
use events::{Limits, Name};

use super::Checked;
use super::bets::{Bet, Within};
use super::doubt::Open;
use super::paytables::Paytables;
use crate::Code;
use crate::person::Person;
use crate::rules::{StakeRange, share_of, stake_range};
use crate::sink::Accusation;
use crate::stakes::{Pile, Stake, Stakes};
use crate::statement::{InBets, OfBets};

/// The limits in force when a coup began.
#[derive(Debug, Clone, Copy)]
pub(super) struct InForce<'r> {
    pub(super) limits: &'r Limits,
    /// Events are missing that may have changed them.
    pub(super) doubted: bool,
    /// What the bank holds, if a player has it: so much may be staked against it.
    pub(super) bank: Option<Money>,
}

/// Who bets at a seat under a name, and whether another name of the table looks like it.
pub(super) type Who<'n> = dyn Fn(u8, &Name) -> (Person, bool) + 'n;

/// A bet whose player is known as far as it has a name.
struct Staked<'b, 'r, 'a> {
    bet: &'b Bet<'r, 'a>,
    person: Option<Person>,
    alike: bool,
}

impl Staked<'_, '_, '_> {
    /// Whether two bets are certainly two players'. If no bet has a name, each box is one player's.
    fn is_of_another(&self, other: &Self, is_nameless: bool) -> bool {
        match (&self.person, &other.person) {
            (Some(one), Some(another)) => one != another && !self.alike && !other.alike,
            (None, None) => is_nameless && self.seat() != other.seat(),
            (Some(_), None) | (None, Some(_)) => false,
        }
    }
}

impl Stake for Staked<'_, '_, '_> {
    fn person(&self) -> Option<&Person> {
        self.person.as_ref()
    }

    fn seat(&self) -> u8 {
        self.bet.seat()
    }

    fn kind(&self) -> Option<usize> {
        self.bet.kind
    }

    fn stake(&self) -> Money {
        self.bet.stake()
    }

    fn is_alike(&self) -> bool {
        self.alike
    }
}

/// Up to so many bets, each is compared with every other.
const FEW: usize = 16;

/// Checks the bets that stood when they were closed, and says of each what is within the limits.
pub(super) fn limits(
    bets: &mut [Bet<'_, '_>],
    tables: &Paytables,
    limits: InForce<'_>,
    who: &Who<'_>,
) -> Checked {
    let mut staked: Vec<Staked<'_, '_, '_>> = Vec::with_capacity(bets.len());
    staked.extend(bets.iter().filter(|bet| !bet.late).map(|bet| {
        let player = bet.player().map(|player| who(bet.seat(), player));
        let alike = player.as_ref().is_some_and(|(_, alike)| *alike);
        Staked { bet, person: player.map(|(person, _)| person), alike }
    }));
    if staked.len() <= FEW && are_within(&staked, tables, limits) {
        debug_assert!(
            is_nothing(&judged(&staked, tables, limits)),
            "bets that are plainly within the limits"
        );
        return Checked::default();
    }
    let (checked, within) = judged(&staked, tables, limits);
    let in_time = bets.iter_mut().filter(|bet| !bet.late);
    in_time.zip(within).for_each(|(bet, within)| bet.within = within);
    checked
}

/// What is wrong with bets, and what of each is within the limits.
fn judged(staked: &[Staked<'_, '_, '_>], tables: &Paytables, limits: InForce<'_>) -> (Checked, Vec<Within>) {
    let stakes = Stakes::of(staked, |_| true);
    let mut judging = Judging {
        staked,
        stakes: &stakes,
        tables,
        limits,
        odd: odd(&stakes, limits.limits.multiple),
        checked: Checked::default(),
        within: vec![Within::All; staked.len()],
    };
    stakes.piles().iter().for_each(|pile| judging.pile(pile));
    let Judging { checked, within, .. } = judging;
    (checked, within)
}

/// Whether nothing is wrong, and all of each bet is within the limits.
fn is_nothing((checked, within): &(Checked, Vec<Within>)) -> bool {
    let all = within.iter().all(|within| *within == Within::All);
    checked.found.is_empty() && checked.open.is_none() && all
}

/// Whether bets are plainly within the limits, as they mostly are: each alone reaches the minimum and is a multiple, all on its
/// kind together do not exceed the maximum, none requires another, and those that it excludes are others'.
fn are_within(bets: &[Staked<'_, '_, '_>], tables: &Paytables, limits: InForce<'_>) -> bool {
    let on = |kind: usize| bets.iter().filter(move |bet| bet.kind() == Some(kind));
    let is_nameless = bets.iter().all(|bet| bet.person.is_none());
    bets.iter().all(|bet| {
        let (Some(kind), stake) = (bet.kind(), bet.stake()) else { return true };
        let (range, all) = (range(kind, tables, limits), on(kind).map(Stake::stake));
        let is_multiple = limits.limits.multiple.is_none_or(|unit| !is_odd(stake, unit));
        let is_alone = |excluded: &usize| on(*excluded).all(|other| bet.is_of_another(other, is_nameless));
        range.minimum.is_none_or(|minimum| stake >= minimum)
            && all.fold(Money::ZERO, Money::plus) <= range.maximum
            && is_multiple
            && tables.required_by(kind).is_empty()
            && tables.excluded_by(kind).iter().all(is_alone)
    })
}

/// What may be staked on a kind.
fn range(kind: usize, tables: &Paytables, limits: InForce<'_>) -> StakeRange {
    let name = tables.name(kind);
    let range = stake_range(tables.rules(), limits.limits, (name, tables.rule(kind)));
    // So much as the bank holds may be staked against it.
    let bank = limits.bank.filter(|_| name.as_str() == "punto");
    StakeRange { maximum: bank.unwrap_or(range.maximum), ..range }
}

/// Sums of a kind that are no multiple: how many, how many of boxes, and how many of names that look like others.
#[derive(Debug, Clone, Copy, Default)]
struct Odd {
    piles: usize,
    boxes: usize,
    alike: usize,
}

struct Judging<'s, 'b, 'r, 'a> {
    staked: &'s [Staked<'b, 'r, 'a>],
    stakes: &'s Stakes<'s>,
    tables: &'s Paytables,
    limits: InForce<'s>,
    /// Of each kind, if some sums may be one player's.
    odd: BTreeMap<usize, Odd>,
    checked: Checked,
    within: Vec<Within>,
}

impl<'s> Judging<'s, '_, '_, '_> {
    fn pile(&mut self, pile: &Pile<'s>) {
        let range = range(pile.kind, self.tables, self.limits);
        self.minimum(pile, range);
        self.maximum(pile, range);
        self.multiple(pile);
        self.required(pile);
        self.pairs(pile);
    }

    /// A stake outside limits that missing events may have changed is not known to be wrong.
    fn find(&mut self, at: usize, accusation: Accusation) {
        if self.limits.doubted && accusation.code.concerns_limits() {
            return self.leave_open(Open::Limits);
        }
        self.checked.accuse(self.staked[at].bet.placed_at(), accusation);
    }

    fn find_of_kind(&mut self, at: usize, accusation: Accusation, pile: &Pile<'_>) {
        self.find(at, accusation.about(self.tables.name(pile.kind)));
    }

    fn leave_open(&mut self, open: Open) {
        self.checked.open = self.checked.open.or(Some(open));
    }

    /// Neither whether a limit binds is known, nor what of each bet is within it.
    fn leave_limit_open(&mut self, pile: &Pile<'_>) {
        self.leave_open(Open::Unnamed);
        self.stakes.bets(pile).for_each(|at| self.within[at] = Within::Open);
    }

    fn minimum(&mut self, pile: &Pile<'_>, range: StakeRange) {
        let Some(minimum) = range.minimum.filter(|minimum| pile.sum < *minimum) else { return };
        if self.stakes.most(pile, pile.kind) >= minimum {
            return self.leave_open(Open::Unnamed);
        }
        let expected = OfBets::AtLeast { amount: minimum.into() };
        let below = Accusation::new(Code::BetBelowMinimum, expected, self.sum(pile));
        self.find_of_kind(self.stakes.last(pile), below, pile);
    }

    fn maximum(&mut self, pile: &Pile<'_>, range: StakeRange) {
        if pile.sum > range.maximum {
            let at = self.cut(pile, range.maximum);
            let expected = OfBets::AtMost { amount: range.maximum.into() };
            let above = Accusation::new(Code::BetAboveMaximum, expected, self.sum(pile));
            self.find_of_kind(at, above, pile);
        } else if self.stakes.most(pile, pile.kind) > range.maximum {
            self.leave_limit_open(pile);
        }
    }

    /// Earlier bets are within the limit first; gives the one that makes the sum too large.
    fn cut(&mut self, pile: &Pile<'_>, most: Money) -> usize {
        let (mut left, mut first) = (most, None);
        for at in self.stakes.bets(pile) {
            let stake = self.staked[at].bet.stake();
            if stake > left {
                self.within[at] = match self.within[at] {
                    Within::All => Within::Part(left),
                    Within::Part(part) => Within::Part(part.min(left)),
                    Within::Open => Within::Open,
                };
                first = first.or(Some(at));
            }
            left = left.minus(stake);
        }
        first.unwrap_or_else(|| self.stakes.last(pile))
    }

    fn multiple(&mut self, pile: &Pile<'_>) {
        let odd = |unit: &Money| is_odd(pile.sum, *unit);
        let Some(unit) = self.limits.limits.multiple.filter(odd) else { return };
        // Two sums that are none may be one player's, and then be one.
        let Odd { piles, boxes, alike } = self.odd.get(&pile.kind).copied().unwrap_or_default();
        if piles > 1 && (boxes > 0 || !pile.player.is_named() || pile.alike && alike > 1) {
            return self.leave_open(Open::Unnamed);
        }
        let last = self.stakes.last(pile);
        let alone = self.stakes.first(pile) == last;
        let recorded = if alone { OfBets::Amount { amount: pile.sum.into() } } else { self.sum(pile) };
        let expected = OfBets::MultipleOf { unit: unit.into() };
        self.find(last, Accusation::new(Code::BetMultiple, expected, recorded));
    }

    /// The main bets that a side bet requires, and how much of it they allow.
    fn required(&mut self, pile: &Pile<'_>) {
        let required = self.tables.required_by(pile.kind);
        if required.is_empty() {
            return;
        }
        let piles = required.iter().filter_map(|kind| self.stakes.on(pile, *kind));
        match piles.map(|pile| pile.sum).reduce(Money::plus) {
            Some(main) => self.above_main(pile, main, required),
            None if required.iter().any(|kind| self.stakes.may_join(pile, *kind)) => {
                self.leave_limit_open(pile);
            }
            None => {
                let kinds = required.iter().map(|kind| self.tables.name(*kind).clone()).collect();
                let at = self.cut(pile, Money::ZERO);
                let (bet, amount, seat, bets) = self.largest(pile, at);
                let recorded = match bets {
                    1 => OfBets::BetAlone { bet, amount: amount.into(), seat },
                    bets => OfBets::BetsAlone { amount: pile.sum.into(), bets, bet, seat },
                };
                let alone = Accusation::new(Code::BetWithoutMain, OfBets::BesideIt { kinds }, recorded);
                self.find_of_kind(at, alone, pile);
            }
        }
    }

    fn above_main(&mut self, pile: &Pile<'_>, main: Money, required: &[usize]) {
        let Some(share) = self.tables.rule(pile.kind).cap_of_required else { return };
        let most = share_of(share, main);
        if pile.sum <= most {
            return;
        }
        let mains = required.iter().map(|kind| self.stakes.most(pile, *kind));
        let largest = mains.fold(Money::ZERO, Money::plus);
        if pile.sum <= share_of(share, largest) {
            return self.leave_limit_open(pile);
        }
        let at = self.cut(pile, most);
        let (bet, amount, seat, bets) = self.largest(pile, at);
        let recorded = match bets {
            1 => OfBets::BetAt { bet, amount: amount.into(), seat },
            bets => OfBets::BetsWith { amount: pile.sum.into(), bets, bet, seat },
        };
        let expected = OfBets::AtMostBesideMain { amount: most.into(), main: main.into() };
        self.find_of_kind(at, Accusation::new(Code::BetAboveMain, expected, recorded), pile);
        if largest > main {
            self.leave_limit_open(pile);
        }
    }

    /// Bets that exclude this one: the later of the two should not have been accepted.
    fn pairs(&mut self, pile: &Pile<'_>) {
        let first = self.stakes.first(pile);
        let excluded = self.tables.excluded_by(pile.kind);
        let earlier = |kind: &&usize| {
            self.stakes.on(pile, **kind).is_some_and(|other| self.stakes.first(other) < first)
        };
        let others = excluded.iter().filter(earlier).map(|kind| self.tables.name(*kind).clone());
        let others: Vec<_> = others.collect();
        if others.is_empty() {
            let apart = |kind: &usize| self.stakes.on(pile, *kind).is_none();
            if excluded.iter().any(|kind| self.stakes.may_join(pile, *kind) && apart(kind)) {
                self.leave_open(Open::Unnamed);
            }
            return;
        }
        let (bet, on) = (self.staked[first].bet, self.tables.name(pile.kind));
        let expected = OfBets::NotBoth { others: others.into_iter().collect(), on: on.clone() };
        let recorded = OfBets::AsWell { bet: bet.id(), on: on.clone(), seat: bet.seat() };
        self.find(first, Accusation::new(Code::BetForbiddenPair, expected, recorded));
    }

    /// What the player has on a kind.
    fn sum(&self, pile: &Pile<'_>) -> OfBets {
        let on = self.tables.name(pile.kind).clone();
        OfBets::Staked { amount: pile.sum.into(), on, bets: InBets(self.number_of_bets(pile)) }
    }

    fn number_of_bets(&self, pile: &Pile<'_>) -> u32 {
        u32::try_from(self.stakes.bets(pile).count()).unwrap_or(u32::MAX)
    }

    /// The bet that exceeds a limit, and how many the player has on its kind.
    fn largest(&self, pile: &Pile<'_>, at: usize) -> (u64, Money, u8, u32) {
        let bet = self.staked[at].bet;
        (bet.id(), bet.stake(), bet.seat(), self.number_of_bets(pile))
    }
}

fn is_odd(sum: Money, unit: Money) -> bool {
    unit.get() > 0 && !sum.get().is_multiple_of(unit.get())
}

fn odd(stakes: &Stakes<'_>, unit: Option<Money>) -> BTreeMap<usize, Odd> {
    let mut odd: BTreeMap<usize, Odd> = BTreeMap::new();
    let Some(unit) = unit.filter(|_| stakes.is_mixed()) else { return odd };
    for pile in stakes.piles().iter().filter(|pile| is_odd(pile.sum, unit)) {
        let of = odd.entry(pile.kind).or_default();
        of.piles += 1;
        of.boxes += usize::from(!pile.player.is_named());
        of.alike += usize::from(pile.alike);
    }
    odd
}
