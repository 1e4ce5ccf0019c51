//! Rules between the bets of one player: a side bet that requires a main bet, bets that exclude each other, and
//! the player's own place at the table.

use baccarat::Money;

use super::Bet;
use super::limits::Judging;
use crate::Code;
use crate::rules::share_of;
use crate::stakes::Pile;
use crate::statement::OfBets;

impl<'a> Judging<'a> {
    /// Checks the main bets that this bet requires, and how much of it they allow.
    pub(super) fn required(&mut self, pile: &Pile<'a>) {
        let required = self.rules.required_by(pile.kind);
        if required.is_empty() {
            return;
        }
        let piles = required.iter().filter_map(|kind| self.stakes.on(pile, *kind));
        let main = piles.map(|pile| pile.sum).reduce(Money::plus);
        let may_join = required.iter().any(|kind| self.stakes.may_join(pile, *kind));
        match main {
            None if may_join => self.leave_limit_open(pile),
            None => self.without_main(pile, required),
            Some(main) => self.above_main(pile, main, required),
        }
    }

    fn without_main(&mut self, pile: &Pile<'a>, required: &[usize]) {
        let kinds = required.iter().map(|kind| self.rules.name(*kind).clone()).collect();
        let expected = OfBets::BesideIt { kinds };
        let at = self.cut(pile, Money::ZERO);
        let recorded = self.alone(pile, at);
        self.accuse_kind(at, Code::BetWithoutMain, expected, recorded, pile);
    }

    fn above_main(&mut self, pile: &Pile<'a>, main: Money, required: &[usize]) {
        let Some(share) = self.rules.bet(pile.kind).cap_of_required else { return };
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
        let expected = OfBets::AtMostBesideMain { amount: most.into(), main: main.into() };
        let recorded = self.with_bet(pile, at);
        self.accuse_kind(at, Code::BetAboveMain, expected, recorded, pile);
        if largest > main {
            self.leave_limit_open(pile);
        }
    }

    /// Reports bets that exclude this one: the later of the two should not have been accepted.
    pub(super) fn pairs(&mut self, pile: &Pile<'a>) {
        let first = self.stakes.first(pile);
        let excluded = self.rules.excluded_by(pile.kind).iter();
        let earlier = |kind: &&usize| {
            self.stakes.on(pile, **kind).is_some_and(|other| self.stakes.first(other) < first)
        };
        if excluded.clone().any(|kind| earlier(&kind)) {
            let others = excluded.filter(earlier).map(|kind| self.rules.name(*kind).clone()).collect();
            let (bet, name) = (&self.play.bets[first], self.rules.name(pile.kind));
            let expected = OfBets::NotBoth { others, on: name.clone() };
            let recorded = OfBets::AsWell { bet: bet.id, on: name.clone(), seat: bet.seat };
            return self.accuse(first, Code::BetForbiddenPair, expected, recorded);
        }
        let apart = |kind: &usize| self.stakes.on(pile, *kind).is_none();
        if excluded.clone().any(|kind| self.stakes.may_join(pile, *kind) && apart(kind)) {
            self.leave_open();
        }
    }

    /// Reports a bet in another player's place.
    pub(super) fn own_place(&mut self, pile: &Pile<'a>) {
        if !self.rules.book.seats.own_place {
            return;
        }
        let misplaced = self.stakes.bets(pile).find(|at| self.play.bets[*at].misplaced && !pile.alike);
        if let Some(at) = misplaced {
            let Bet { id, seat, ref player, .. } = self.play.bets[at];
            let recorded = match player.clone() {
                Some(player) => OfBets::InAnothersPlace { bet: id, player, seat },
                None => OfBets::Bet { bet: id },
            };
            self.accuse(at, Code::BetPlace, OfBets::OwnPlace, recorded);
        }
    }

    /// The bet that exceeds a limit, with what the player has on its kind in all.
    fn with_bet(&self, pile: &Pile<'a>, at: usize) -> OfBets {
        let Bet { id: bet, seat, stake, .. } = self.play.bets[at];
        match self.number_of_bets(pile) {
            1 => OfBets::BetAt { bet, amount: stake.into(), seat },
            bets => OfBets::BetsWith { amount: pile.sum.into(), bets, bet, seat },
        }
    }

    /// The same, and that nothing stands beside it.
    fn alone(&self, pile: &Pile<'a>, at: usize) -> OfBets {
        let Bet { id: bet, seat, stake, .. } = self.play.bets[at];
        match self.number_of_bets(pile) {
            1 => OfBets::BetAlone { bet, amount: stake.into(), seat },
            bets => OfBets::BetsAlone { amount: pile.sum.into(), bets, bet, seat },
        }
    }
}
