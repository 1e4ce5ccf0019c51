//! What goes wrong at an honest table and is put right by a ruling, and rulings that put nothing
//! right.

use baccarat::{Consequence, Money};
use events::{
    Body, CardDrawn, CorrectionRecorded, CoupSettled, CoupVoided, Destination, Irregularity, Name, Remark,
};

use crate::Fault;
use crate::bets::Bet;
use crate::session::{Session, name};

const FACE_UP: &str = "card-face-up";

#[allow(clippy::expect_used, reason = "the remarks made here are short and plain")]
fn remark(text: &str) -> Remark {
    text.parse().expect("a short plain remark")
}

fn inspector() -> Name {
    name("inspector-1")
}

impl Session {
    /// Now and then a card lies face up in the shoe: it is ruled out and leaves the game.
    pub(crate) fn meet_card_face_up(&mut self) {
        let consequence = self.book.irregularities.get(FACE_UP).map(|rule| rule.consequence);
        let removed = consequence == Some(Consequence::CardRemoved);
        if self.shoe.position + 8 >= self.shoe.cut {
            return;
        }
        if self.to_show.is_none() && self.wants(Fault::CardRemoved) {
            self.to_show = Some(Fault::CardRemoved);
            self.remove_card();
        } else if self.wants(Fault::SameSigner) {
            let sequence = self.rule(FACE_UP, true);
            self.plant(Fault::SameSigner, sequence, None);
            self.remove_card();
        } else if removed && self.dice.below(500) == 0 {
            self.rule(FACE_UP, false);
            self.remove_card();
        }
    }

    fn rule(&mut self, code: &str, signed_twice: bool) -> u64 {
        let countersigned_by = if signed_twice { inspector() } else { name("manager-1") };
        self.tell(Body::IrregularityRecorded(Irregularity {
            code: name(code),
            coup: Some(self.coup),
            positions: vec![self.shoe.position],
            ruling: remark("ruled by the inspector"),
            ruled_by: inspector(),
            countersigned_by: Some(countersigned_by),
        }))
    }

    fn remove_card(&mut self) {
        let (position, card) = self.shoe.draw();
        let drawn = CardDrawn { coup: self.coup, position, card: card.into(), to: Destination::Removed };
        self.tell(Body::CardDrawn(drawn));
    }

    /// A code under which the coup has to be void.
    fn voiding_code(&self) -> Option<String> {
        let voids = |consequence| consequence == Consequence::CoupVoid;
        let found = self.book.irregularities.iter().find(|(_, rule)| voids(rule.consequence));
        found.map(|(code, _)| code.clone())
    }

    /// The coup has to be void, and is settled all the same.
    pub(crate) fn ignore_a_ruling(&mut self) -> Option<Fault> {
        let code = self.voiding_code()?;
        if !self.wants(Fault::RulingIgnored) {
            return None;
        }
        self.rule(&code, false);
        Some(Fault::RulingIgnored)
    }

    /// The coup is declared void, and a stake does not come back.
    pub(crate) fn void_and_keep(&mut self, bets: &[Bet]) -> bool {
        if bets.is_empty() || !self.wants(Fault::VoidStakeKept) {
            return false;
        }
        let (ruled_by, countersigned_by) = (inspector(), Some(name("manager-1")));
        let reason = remark("stuck cards");
        self.tell(Body::CoupVoided(CoupVoided { coup: self.coup, reason, ruled_by, countersigned_by }));
        let mut lines: Vec<events::BetSettled> = bets.iter().map(Bet::returned).collect();
        lines[0].returned = Money::ZERO;
        let settled = CoupSettled {
            coup: self.coup,
            winner: baccarat::Winner::Tie,
            punto_total: 0,
            banca_total: 0,
            bets: lines,
        };
        let sequence = self.tell(Body::CoupSettled(settled));
        self.plant(Fault::VoidStakeKept, sequence, Some(self.coup));
        true
    }

    /// A settlement that was right is "corrected": to a payout too high, or by a correction of an
    /// event that is still to come.
    pub(crate) fn correct_wrongly(&mut self, mut settled: CoupSettled, corrects: u64) {
        let fault = if self.wants(Fault::CorrectionWrong) && !settled.bets.is_empty() {
            let line = &mut settled.bets[0];
            line.returned = line.returned.plus(crate::session::money(100));
            Fault::CorrectionWrong
        } else if self.wants(Fault::CorrectionAhead) {
            Fault::CorrectionAhead
        } else {
            return;
        };
        let corrects = if fault == Fault::CorrectionAhead { corrects + 100 } else { corrects };
        let sequence = self.tell(Body::CorrectionRecorded(CorrectionRecorded {
            corrects,
            corrected: Box::new(Body::CoupSettled(settled)),
            reason: remark("recorded wrongly"),
            signed_by: [inspector(), name("manager-1")],
        }));
        let coup = (fault == Fault::CorrectionWrong).then_some(self.coup);
        self.plant(fault, sequence, coup);
    }
}
