//! The money that a fault moves: what each seat gets beyond its due.

use std::collections::BTreeMap;

use baccarat::{Card, Coup, Deal, Expect, Money};
use events::BetSettled;

use super::PuntoBanca;
use super::bets::Bet;
use crate::Fault;
use crate::session::signed;

impl PuntoBanca {
    /// Notes the money of wrong lines of a settlement.
    pub(super) fn note_payouts(&mut self, bets: &[Bet], coup: &Coup, lines: &[BetSettled]) {
        for bet in bets {
            // Only the first line of a bet is marked in its box.
            let mut of_bet = lines.iter().filter(|line| line.bet == bet.id);
            let first = of_bet.next().map_or(0, |line| self.net(line.returned, line.commission));
            let got = first + of_bet.map(|line| signed(line.returned)).sum::<i64>();
            let due = self.net_due(bet, coup);
            self.session.moves(bet.seat, got - due);
        }
    }

    /// What a seat gets: commission that is marked in its box is owed by it.
    fn net(&self, returned: Money, commission: Money) -> i64 {
        signed(returned) - if self.boxed() { signed(commission) } else { 0 }
    }

    fn net_due(&self, bet: &Bet, coup: &Coup) -> i64 {
        let due = self.due(bet, coup);
        self.net(due.returned, due.commission)
    }

    /// Notes the money of a bet placed or withdrawn too late.
    pub(super) fn note_late(&mut self, coup: &Coup) {
        let Some(bet) = self.late.take() else { return };
        let net = self.net_due(&bet, coup) - signed(bet.stake);
        let placed = self.session.has_in_coup(|fault| fault == Fault::LateBet);
        self.session.moves(bet.seat, if placed { net } else { -net });
        self.session.note_money(|fault| matches!(fault, Fault::LateBet | Fault::LateWithdrawal));
    }

    /// Notes the money of a card against the rules: compares the same cards dealt by the rules with those dealt.
    pub(super) fn note_draw(&mut self, bets: &[Bet], coup: &Coup) {
        let Some(lawful) = self.by_the_rules() else { return };
        for bet in bets {
            let more = self.net_due(bet, coup) - self.net_due(bet, &lawful);
            self.session.moves(bet.seat, more);
        }
    }

    /// The coup that the same cards make by the rules, with the next of the shoe where they are needed.
    fn by_the_rules(&self) -> Option<Coup> {
        let next = self.session.shoe.ahead().iter().copied();
        deal_out(&self.session.book, self.session.drawn.iter().copied().chain(next))
    }

    /// What a settlement returns, by seat.
    pub(super) fn note_returned(&mut self, bets: &[Bet], lines: &[BetSettled]) {
        let seats: BTreeMap<u64, u8> = bets.iter().map(|bet| (bet.id, bet.seat)).collect();
        for line in lines {
            self.session.moves(seats.get(&line.bet).copied().unwrap_or_default(), signed(line.returned));
        }
    }
}

/// Deals cards by the rules until the coup is over.
pub(crate) fn deal_out(book: &baccarat::Rulebook, mut cards: impl Iterator<Item = Card>) -> Option<Coup> {
    let mut deal = Deal::default();
    loop {
        match deal.expect(book) {
            Expect::Card(side) => deal.give(side, cards.next()?.into()),
            Expect::Finished => return deal.coup(),
            Expect::Unknown => return None,
        };
    }
}

/// Whether the fault is a card that the rules did not ask for, or one that they did.
pub(super) const fn is_draw(fault: Fault) -> bool {
    matches!(
        fault,
        Fault::PuntoDrew
            | Fault::PuntoStood
            | Fault::BancaDrew
            | Fault::BancaStood
            | Fault::NaturalDrawn
            | Fault::DealSwapped
            | Fault::ThirdCardTurns
    )
}
