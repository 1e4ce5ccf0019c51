//! Rulings that are not followed, and corrections that make a right event wrong.

use baccarat::{Consequence, Money, Winner};
use events::{BetSettled, Body, CorrectionRecorded, CoupSettled, CoupVoided};

use super::PuntoBanca;
use super::bets::Bet;
use crate::Fault;
use crate::session::{inspector, money, name, remark, signed};

impl PuntoBanca {
    /// A code under which the coup has to be void.
    fn voiding_code(&self) -> Option<String> {
        let voids = |consequence| consequence == Consequence::CoupVoid;
        let found = self.session.book.irregularities.iter().find(|(_, rule)| voids(rule.consequence));
        found.map(|(code, _)| code.clone())
    }

    /// The coup has to be void, and is settled all the same.
    pub(super) fn ignore_a_ruling(&mut self) -> Option<Fault> {
        let code = self.voiding_code()?;
        if !self.session.wants(Fault::RulingIgnored) {
            return None;
        }
        self.session.rule(&code, false);
        Some(Fault::RulingIgnored)
    }

    /// The coup is declared void, and a stake does not come back.
    pub(super) fn void_and_keep(&mut self, bets: &[Bet]) -> bool {
        if bets.is_empty() || !self.session.wants(Fault::VoidStakeKept) {
            return false;
        }
        let mut lines: Vec<BetSettled> = bets.iter().map(Bet::returned).collect();
        self.session.moves(bets[0].seat, -signed(lines[0].returned));
        lines[0].returned = Money::ZERO;
        let sequence = self.void(lines);
        self.session.plant(Fault::VoidStakeKept, sequence, Some(self.session.coup));
        true
    }

    /// Now and then cards stick: the coup is void, and every stake comes back.
    pub(super) fn void_and_refund(&mut self, bets: &[Bet]) {
        self.void(bets.iter().map(Bet::returned).collect());
        self.session.correct_misread();
    }

    /// Declares the coup void and settles it so.
    fn void(&mut self, bets: Vec<BetSettled>) -> u64 {
        let (ruled_by, countersigned_by) = (inspector(), Some(name("manager-1")));
        let (coup, reason) = (self.session.coup, remark("stuck cards"));
        self.session.record(Body::CoupVoided(CoupVoided { coup, reason, ruled_by, countersigned_by }));
        let (winner, punto_total, banca_total) = (Winner::Tie, 0, 0);
        self.session.record(Body::CoupSettled(CoupSettled { coup, winner, punto_total, banca_total, bets }))
    }

    /// A settlement that was right is "corrected": to a payout too high, or by a correction of an
    /// event that is still to come.
    pub(super) fn correct_wrongly(&mut self, bets: &[Bet], mut settled: CoupSettled, corrects: u64) {
        let fault = if self.session.wants(Fault::CorrectionWrong) && !settled.bets.is_empty() {
            let line = &mut settled.bets[0];
            let seat = bets.iter().find(|bet| bet.id == line.bet).map_or(0, |bet| bet.seat);
            self.session.moves(seat, 100);
            line.returned = line.returned.plus(money(100));
            Fault::CorrectionWrong
        } else if self.session.wants(Fault::CorrectionAhead) {
            Fault::CorrectionAhead
        } else {
            return;
        };
        let corrects = if fault == Fault::CorrectionAhead { corrects + 100 } else { corrects };
        let sequence = self.session.record(Body::CorrectionRecorded(CorrectionRecorded {
            corrects,
            corrected: Box::new(Body::CoupSettled(settled)),
            reason: remark("recorded wrongly"),
            signed_by: [inspector(), name("manager-1")],
        }));
        let coup = (fault == Fault::CorrectionWrong).then_some(self.session.coup);
        self.session.plant(fault, sequence, coup);
    }
}
