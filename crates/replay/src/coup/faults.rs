//! Wrong draws of a coup and the money they moved: the same cards, dealt by the rules, would have returned
//! other sums.

use std::collections::BTreeMap;

use baccarat::{Face, Outcome};

use super::{Bet, CoupInPlay, Dealt};
use crate::account::{BetMoney, SumRange, by_seat, net};
use crate::rules::Rules;
use crate::settlement::{is_boxed, would_bring};
use crate::sink::{Accusation, Sink};
use crate::statement::OfCards;
use crate::worlds::{Rightful, rightful};
use crate::{Code, SeatMoney};

impl CoupInPlay {
    /// Notes a wrong draw, which is reported at the end of the coup.
    pub(crate) fn fault(&mut self, code: Code, expected: OfCards, recorded: OfCards, sink: &Sink) {
        // Whoever overlooks a natural overlooks it once, however many cards follow.
        if code == Code::NaturalDrawn && self.faults.iter().any(|fault| fault.code == code) {
            return;
        }
        let accusation = self.accusation(code, expected, recorded).at(sink.location());
        self.faults.push(accusation);
    }

    /// Whether a card went where it should not have gone, or none where one should.
    pub(crate) fn dealt_wrongly(&self) -> bool {
        self.misdealt || self.misdrawn || !self.faults.is_empty()
    }

    /// The wrong draws that are kept until its end.
    pub(crate) fn faults(&self) -> &[Accusation] {
        &self.faults
    }

    /// Reports the wrong draws where their money cannot be known.
    pub(crate) fn release_faults(&mut self, sink: &mut Sink) {
        sink.accuse_all(self.faults.begin_anew());
    }

    /// Reports the wrong draws of a settled coup; `next` are the recorded cards of the shoe that followed those of the
    /// coup. The first of them carries the money that they moved together.
    pub(crate) fn accuse_faults(&mut self, next: &[Face], rules: &Rules, sink: &mut Sink) {
        let mut faults = self.faults.begin_anew();
        if let Some(first) = faults.iter_mut().find(|fault| fault.code.has_counterfactual()) {
            let rightful = match rightful(self.cards().chain(next.iter().copied()), &rules.book) {
                Rightful::Coup(coup) => Some(Outcome::of(&coup)),
                Rightful::Needs | Rightful::Unknown => None,
            };
            first.money = self.moved_by_draws(rightful.as_ref(), rules);
            first.bets = (0..self.bets.len()).filter(|at| is_judged(&self.bets[*at])).collect();
        }
        sink.accuse_all(faults);
    }

    /// Other hands should have been dealt, and nobody knows which.
    pub(crate) fn leave_dues_open(&mut self) {
        let (bets, lines) = (&self.bets, &mut self.money.bets);
        for of in lines.iter_mut().filter(|of| is_judged(&bets[of.bet])) {
            of.by_rules = None;
        }
    }

    /// Something is found about bets of the coup that is not reported: what it measures is not known.
    pub(crate) fn leave_open(&mut self, accusation: &Accusation) {
        let of_rules = accusation.code == Code::BetLate || accusation.code.has_counterfactual();
        for bet in &accusation.bets {
            if let Some(of) = self.money.of_mut(*bet) {
                if of_rules {
                    of.by_rules = None;
                } else {
                    of.open = true;
                }
            }
        }
    }

    /// Its cards, in the order of their positions, and the position behind them, where cards of the shoe that lie
    /// behind are needed to say what its wrong draws moved.
    pub(crate) fn needs_behind(&self, rules: &Rules) -> Option<(Vec<Face>, u16)> {
        if !self.faults.iter().any(|fault| fault.code.has_counterfactual()) {
            return None;
        }
        let last = self.dealt.iter().filter(|dealt| dealt.to.is_some()).map(|dealt| dealt.position).max()?;
        let cards: Vec<Face> = self.cards().collect();
        let needs = matches!(rightful(cards.iter().copied(), &rules.book), Rightful::Needs);
        Some((cards, last.checked_add(1)?)).filter(|_| needs)
    }

    /// The cards of its hands, in the order of their positions.
    fn cards(&self) -> impl Iterator<Item = Face> {
        let mut dealt: Vec<&Dealt> = self.dealt.iter().filter(|dealt| dealt.to.is_some()).collect();
        dealt.sort_by_key(|dealt| dealt.position);
        dealt.into_iter().map(|dealt| dealt.face)
    }

    /// What was due by the cards as dealt beyond what the rightful hands would have returned, by seat; of a bet for which
    /// that is not known what was recorded instead. Nothing where it is not known what the hands would have returned.
    fn moved_by_draws(&mut self, rightful: Option<&Outcome>, rules: &Rules) -> Vec<SeatMoney> {
        self.leave_dues_open();
        let brings = |bet: &Bet| Some(net(would_bring(bet, rightful?, rules)?, is_boxed(rules)));
        let judged = |of: &&BetMoney| is_judged(&self.bets[of.bet]);
        let lawful: Option<Vec<i64>> =
            self.money.bets.iter().filter(judged).map(|of| brings(&self.bets[of.bet])).collect();
        // Cards that are missing may make the draws right.
        let Some(lawful) = lawful.filter(|_| !self.missing_cards) else { return Vec::new() };
        let bets = &self.bets;
        let lines = self.money.bets.iter_mut().filter(|of| is_judged(&bets[of.bet]));
        let mut sums: BTreeMap<u8, i128> = BTreeMap::new();
        for (of, lawful) in lines.zip(lawful) {
            of.by_rules = Some(SumRange::exactly(lawful));
            if let Some(base) = of.base() {
                *sums.entry(bets[of.bet].seat).or_default() += i128::from(base) - i128::from(lawful);
            }
        }
        by_seat(sums)
    }
}

/// Whether a bet is decided by the hands.
const fn is_judged(bet: &Bet) -> bool {
    bet.kind.is_some() && !bet.late
}
