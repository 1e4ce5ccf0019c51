//! A fast check for the usual coup: a few bets, each with a player's name, all within the limits, and one player
//! with the highest stake on punto. It accepts such a coup without building the lists that the full checks need.
//! All other coups go to the full checks (`limits.rs`, `holding.rs`), which would accept these coups as well.

use baccarat::{Money, TieBreak};
use events::Holder;

use super::{Bet, CoupInPlay};
use crate::rules::Rules;
use crate::seating::Seating;

/// Most sums that are looked at here: of each all others are asked.
const FEW: usize = 12;

/// What a player has on one kind: the first of the bets, and their sum.
#[derive(Clone, Copy, Default)]
struct Sum {
    first: usize,
    kind: usize,
    sum: Money,
}

/// The sums of few bets.
struct Sums<'a> {
    bets: &'a [Bet],
    sums: [Sum; FEW],
    count: usize,
}

impl<'a> Sums<'a> {
    /// Of the bets that count on these kinds; `None` where they are many, or one that counts has no player's name, or one
    /// that looks like another.
    fn of(bets: &'a [Bet], counts: impl Fn(&Bet) -> bool, wanted: impl Fn(usize) -> bool) -> Option<Self> {
        let mut sums = Self { bets, sums: [Sum::default(); FEW], count: 0 };
        for (at, bet) in bets.iter().enumerate().filter(|(_, bet)| counts(bet)) {
            bet.person.as_ref().filter(|_| !bet.alike)?;
            if let Some(kind) = bet.kind.filter(|kind| wanted(*kind)) {
                sums.add(Sum { first: at, kind, sum: bet.stake })?;
            }
        }
        Some(sums)
    }

    fn add(&mut self, bet: Sum) -> Option<()> {
        let own =
            (0..self.count).find(|at| self.sums[*at].kind == bet.kind && self.same(self.sums[*at], bet));
        match own {
            Some(at) => self.sums[at].sum = self.sums[at].sum.plus(bet.sum),
            None => {
                *self.sums.get_mut(self.count)? = bet;
                self.count += 1;
            }
        }
        Some(())
    }

    fn all(&self) -> &[Sum] {
        &self.sums[..self.count]
    }

    /// Whether two are one player's.
    fn same(&self, one: Sum, other: Sum) -> bool {
        self.bets[one.first].person == self.bets[other.first].person
    }
}

impl CoupInPlay {
    /// Whether all bets that count are plainly within the limits.
    pub(super) fn plainly_within_limits(&self, rules: &Rules) -> bool {
        let sums =
            if rules.book.seats.own_place { None } else { Sums::of(&self.bets, Bet::counts, |_| true) };
        sums.is_some_and(|sums| sums.all().iter().all(|one| self.is_within_limits(&sums, *one, rules)))
    }

    fn is_within_limits(&self, sums: &Sums<'_>, one: Sum, rules: &Rules) -> bool {
        let in_range = self.range(one.kind, rules).is_none_or(|range| {
            range.minimum.is_none_or(|minimum| one.sum >= minimum) && one.sum <= range.maximum
        });
        let whole = self.limits.multiple.is_none_or(|unit| !super::limits::is_odd(one.sum, unit));
        let excluded = rules.excluded_by(one.kind);
        let beside = |other: &Sum| excluded.contains(&other.kind) && sums.same(one, *other);
        let alone = excluded.is_empty() || !sums.all().iter().any(beside);
        in_range && whole && alone && rules.required_by(one.kind).is_empty()
    }

    /// Whether punto's cards are plainly with a player who has most on punto: all who bet on it sit where their bets stand,
    /// and no bet came or went too late.
    pub(super) fn plainly_has_most(&self, holder: Holder, rules: &Rules, seating: &Seating) -> bool {
        let (Holder::Seat(seat), Some(punto)) = (holder, rules.punto()) else { return false };
        if self.bets.iter().any(Bet::is_disputed) {
            return false;
        }
        let Some(sums) = Sums::of(&self.bets, Bet::stood_in_time, |kind| kind == punto) else { return false };
        let sits =
            |bet: &Bet, seat| bet.person.as_ref().is_some_and(|person| seating.is_the_players(seat, person));
        let on_punto = |bet: &&Bet| bet.stood_in_time() && bet.kind == Some(punto);
        let all_sit = self.bets.iter().filter(on_punto).all(|bet| sits(bet, bet.seat));
        let most = sums.all().iter().map(|one| one.sum).max();
        let best = || sums.all().iter().filter(|one| Some(one.sum) == most);
        let any_of_them = rules.book.deal.tie_break == TieBreak::Unstated || best().count() == 1;
        any_of_them && all_sit && best().any(|best| sits(&self.bets[best.first], seat))
    }
}
