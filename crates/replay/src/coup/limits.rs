//! Checks the bets of a coup, once they are closed, against what one player may stake: minimum, maximum,
//! multiples, main bets that side bets require, and pairs that exclude each other.
//!
//! Every check uses a player's sums over all seats. Where bets without a name may belong to anybody, a
//! violation is reported only if it is one for every possible owner; the rest stays open.

use std::collections::BTreeMap;
use std::sync::Arc;

use baccarat::Money;
use serde::{Deserialize, Serialize};

use super::{Bet, CoupInPlay};
use crate::Code;
use crate::rules::{Rules, StakeRange};
use crate::sink::{Accusation, Sink};
use crate::stakes::{Pile, Stakes};
use crate::statement::{InBets, OfBets};
use crate::verdict::Reason;

/// The limits that bind a coup.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Limits {
    /// By number of the kind.
    pub(crate) ranges: Arc<[StakeRange]>,
    pub(crate) multiple: Option<Money>,
}

/// Whether a bet was held against its limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) enum Held {
    #[default]
    NotYet,
    Done,
    /// What of it is within them depends on whose the nameless boxes are.
    Open,
}

/// Sums of a kind that are no multiple: how many, how many of boxes, and how many of names that look like others.
#[derive(Debug, Clone, Copy, Default)]
struct Odd {
    piles: usize,
    boxes: usize,
    alike: usize,
}

/// What the judging of a coup's bets comes to.
pub(super) struct Judging<'a> {
    pub(super) play: &'a CoupInPlay,
    pub(super) rules: &'a Rules,
    pub(super) stakes: &'a Stakes<'a>,
    /// Sums of each kind that are no multiple, where some may be the same player's.
    odd: BTreeMap<usize, Odd>,
    pub(super) found: Vec<Accusation>,
    /// What of a bet is within a limit.
    pub(super) within: Vec<(usize, Money)>,
    pub(super) open: Vec<usize>,
    pub(super) unnamed: bool,
}

impl CoupInPlay {
    /// The bets are closed: those not judged yet are held against the limits.
    pub(crate) fn judge_limits(&mut self, rules: Option<&Rules>, sink: &mut Sink) {
        let fresh = |bet: &Bet| bet.counts() && bet.held == Held::NotYet;
        let Some(rules) = rules.filter(|_| self.bets.iter().any(fresh)) else { return };
        if self.plainly_within_limits(rules) {
            return self.bets.iter_mut().filter(|bet| fresh(bet)).for_each(|bet| bet.held = Held::Done);
        }
        let stakes = Stakes::of(&self.bets, Bet::counts);
        let Judging { found, within, open, unnamed, .. } = Judging::of(self, &stakes, rules);
        sink.accuse_all(found);
        if unnamed {
            self.doubt(Reason::PlayerUnnamed);
        }
        for bet in self.bets.iter_mut().filter(|bet| fresh(bet)) {
            bet.held = Held::Done;
        }
        for (at, within) in within {
            let bet = &mut self.bets[at];
            bet.limit = Some(bet.limit.map_or(within, |limit| limit.min(within)));
        }
        for at in open {
            self.bets[at].held = Held::Open;
        }
    }

    /// Least and largest sum on a kind; against a bank as much as it holds.
    pub(super) fn range(&self, kind: usize, rules: &Rules) -> Option<StakeRange> {
        let range = self.limits.ranges.get(kind).copied()?;
        let bank = self.chemin.as_deref().filter(|_| rules.name(kind).as_str() == "punto");
        Some(match bank {
            Some(coup) if coup.is_bank_known() => StakeRange { maximum: coup.bank, ..range },
            Some(_) => StakeRange { maximum: Money::MAX_RECORDED, ..range },
            None => range,
        })
    }
}

impl<'a> Judging<'a> {
    pub(super) fn of(play: &'a CoupInPlay, stakes: &'a Stakes<'a>, rules: &'a Rules) -> Self {
        let (found, within, open) = (Vec::new(), Vec::new(), Vec::new());
        let odd = odd(play, stakes);
        let mut judging = Self { play, rules, stakes, odd, found, within, open, unnamed: false };
        for pile in stakes.piles() {
            let fresh = stakes.bets(pile).any(|at| play.bets[at].held == Held::NotYet);
            if fresh {
                judging.pile(pile);
            }
        }
        judging
    }

    fn pile(&mut self, pile: &Pile<'a>) {
        if let Some(range) = self.play.range(pile.kind, self.rules) {
            self.minimum(pile, range);
            self.maximum(pile, range);
        }
        self.multiple(pile);
        self.required(pile);
        self.pairs(pile);
        self.own_place(pile);
    }

    pub(super) fn accuse(&mut self, at: usize, code: Code, expected: OfBets, recorded: OfBets) {
        let accusation = self.play.accusation(code, expected, recorded).at(self.play.bets[at].placed_at);
        self.found.push(accusation);
    }

    pub(super) fn accuse_kind(
        &mut self,
        at: usize,
        code: Code,
        expected: OfBets,
        recorded: OfBets,
        pile: &Pile<'a>,
    ) {
        let accusation = self.play.accusation(code, expected, recorded).about(self.rules.name(pile.kind));
        self.found.push(accusation.at(self.play.bets[at].placed_at));
    }

    /// What the player has on a kind.
    fn staked(&self, pile: &Pile<'a>) -> OfBets {
        let (on, bets) = (self.rules.name(pile.kind).clone(), InBets(self.number_of_bets(pile)));
        OfBets::Staked { amount: pile.sum.into(), on, bets }
    }

    pub(super) fn number_of_bets(&self, pile: &Pile<'a>) -> u32 {
        u32::try_from(self.stakes.bets(pile).count()).unwrap_or(u32::MAX)
    }

    /// What is right or wrong depends on whose the boxes are.
    pub(super) fn leave_open(&mut self) {
        self.unnamed = true;
    }

    fn minimum(&mut self, pile: &Pile<'a>, range: StakeRange) {
        let Some(minimum) = range.minimum.filter(|minimum| pile.sum < *minimum) else { return };
        if self.stakes.most(pile, pile.kind) >= minimum {
            return self.leave_open();
        }
        let last = self.stakes.last(pile);
        let recorded = self.staked(pile);
        let expected = OfBets::AtLeast { amount: minimum.into() };
        self.accuse_kind(last, Code::BetBelowMinimum, expected, recorded, pile);
    }

    fn maximum(&mut self, pile: &Pile<'a>, range: StakeRange) {
        if pile.sum > range.maximum {
            let at = self.cut(pile, range.maximum);
            let expected = OfBets::AtMost { amount: range.maximum.into() };
            let recorded = self.staked(pile);
            self.accuse_kind(at, Code::BetAboveMaximum, expected, recorded, pile);
        } else if self.stakes.most(pile, pile.kind) > range.maximum {
            self.leave_limit_open(pile);
        }
    }

    /// Earlier bets are within the limit first; gives the one that makes the sum too large.
    pub(super) fn cut(&mut self, pile: &Pile<'a>, most: Money) -> usize {
        let (mut left, mut first) = (most, None);
        for at in self.stakes.bets(pile) {
            let stake = self.play.bets[at].stake;
            if stake > left {
                self.within.push((at, left));
                first = first.or(Some(at));
            }
            left = left.minus(stake);
        }
        first.unwrap_or_else(|| self.stakes.last(pile))
    }

    /// Neither whether a limit binds is known, nor what of each bet is within it.
    pub(super) fn leave_limit_open(&mut self, pile: &Pile<'a>) {
        self.leave_open();
        self.open.extend(self.stakes.bets(pile));
    }

    fn multiple(&mut self, pile: &Pile<'a>) {
        let Some(unit) = self.play.limits.multiple.filter(|unit| is_odd(pile.sum, *unit)) else { return };
        // Two sums that are none may be one player's, and then be one.
        let Odd { piles, boxes, alike } = self.odd.get(&pile.kind).copied().unwrap_or_default();
        if piles > 1 && (boxes > 0 || !pile.player.is_named() || (pile.alike && alike > 1)) {
            return self.leave_open();
        }
        let last = self.stakes.last(pile);
        let alone = self.stakes.first(pile) == last;
        let recorded = if alone { OfBets::Amount { amount: pile.sum.into() } } else { self.staked(pile) };
        self.accuse(last, Code::BetMultiple, OfBets::MultipleOf { unit: unit.into() }, recorded);
    }
}

pub(super) fn is_odd(sum: Money, unit: Money) -> bool {
    unit.get() > 0 && !sum.get().is_multiple_of(unit.get())
}

fn odd(play: &CoupInPlay, stakes: &Stakes<'_>) -> BTreeMap<usize, Odd> {
    let mut odd: BTreeMap<usize, Odd> = BTreeMap::new();
    let Some(unit) = play.limits.multiple.filter(|_| stakes.is_mixed()) else { return odd };
    for pile in stakes.piles().iter().filter(|pile| is_odd(pile.sum, unit)) {
        let of = odd.entry(pile.kind).or_default();
        of.piles += 1;
        of.boxes += usize::from(!pile.player.is_named());
        of.alike += usize::from(pile.alike);
    }
    odd
}
