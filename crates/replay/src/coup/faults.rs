//! Wrong draws of a coup and the money they moved: the same cards, dealt by the rules, would have returned
//! other sums.

use std::collections::BTreeMap;

use baccarat::{Coup, Face, Outcome};

use super::{BetState, CoupInPlay, Dealt};
use crate::rules::Rules;
use crate::settlement::{Comparison, due};
use crate::sink::{Sink, clamp};
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

    /// Reports the wrong draws where their money cannot be known.
    pub(crate) fn release_faults(&mut self, sink: &mut Sink) {
        sink.accuse_all(std::mem::take(&mut self.faults));
    }

    /// Reports the wrong draws of a settled coup with the money they moved; `next` are the recorded cards of
    /// the shoe that followed those of the coup.
    pub(crate) fn accuse_faults(
        &mut self,
        next: &[Face],
        payouts: &[Comparison],
        rules: &Rules,
        sink: &mut Sink,
    ) {
        if self.faults.is_empty() {
            return;
        }
        let money = match rightful(self.cards().chain(next.iter().copied()), &rules.book) {
            Rightful::Coup(coup) => self.moved(&coup, payouts, rules),
            Rightful::Needs | Rightful::Unknown => Vec::new(),
        };
        for fault in std::mem::take(&mut self.faults) {
            let moves = has_counterfactual(fault.code);
            sink.accuse(if moves { fault.moving(money.clone()) } else { fault });
        }
    }

    /// Its cards, in the order of their positions, and the position behind them, where cards of the shoe that lie
    /// behind are needed to say what its wrong draws moved.
    pub(crate) fn needs_behind(&self, rules: &Rules) -> Option<(Vec<Face>, u16)> {
        if !self.faults.iter().any(|fault| has_counterfactual(fault.code)) {
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

    /// What each seat got beyond what the rightful coup would have returned; none where unread suits
    /// decide it.
    fn moved(&self, rightful: &Coup, payouts: &[Comparison], rules: &Rules) -> Vec<SeatMoney> {
        let outcome = Outcome::of(rightful);
        let mut by_seat: BTreeMap<u8, i128> = BTreeMap::new();
        for payout in payouts {
            let bet = &self.bets[payout.bet];
            let Some(kind) = bet.kind.filter(|_| bet.state != BetState::WithdrawnLate) else { continue };
            let Some(decision) = rules.paytable(kind).decide(&outcome) else { return Vec::new() };
            let returned = payout.recorded.map_or(0, |recorded| i128::from(recorded.returned.get()));
            let rightful = i128::from(due(bet, decision, rules).returned.get());
            *by_seat.entry(bet.seat).or_default() += returned - rightful;
        }
        let differs = by_seat.into_iter().filter(|(_, difference)| *difference != 0);
        differs.map(|(seat, difference)| SeatMoney { seat, minor_units: clamp(difference) }).collect()
    }
}

/// Whether a finding on the draws has money: what it moved is what other hands would have brought.
const fn has_counterfactual(code: Code) -> bool {
    matches!(
        code,
        Code::PuntoDrew
            | Code::PuntoStood
            | Code::BancaDrew
            | Code::BancaStood
            | Code::NaturalDrawn
            | Code::DealOrder
    )
}
