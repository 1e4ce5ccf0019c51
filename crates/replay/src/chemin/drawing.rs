//! Third cards of chemin de fer, where the hands may choose: a draw has to be *legal*, not forced, and has
//! to agree with what the hand announced.

use baccarat::{Consequence, Deal, Draw, Face, Side};
use events::{Announced, CardDrawn, Counsel, DrawDecided};

use super::CheminCoup;
use crate::Code;
use crate::coup::CoupInPlay;
use crate::coup::drawing::each_has_two;
use crate::rules::Rules;
use crate::sink::Sink;
use crate::statement::OfCards;
use crate::verdict::Reason;
use crate::worlds::Deals;

impl CheminCoup {
    /// A hand says whether it draws, by the event of this sequence.
    pub(crate) const fn decide(&mut self, decided: &DrawDecided, sequence: u64) {
        let decision = Some((decided.decision, decided.counsel));
        self.decided_at[decided.hand as usize] = sequence;
        match decided.hand {
            Side::Punto => self.punto = decision,
            Side::Banca => self.banca = decision,
        }
    }

    pub(crate) const fn has_decided(&self, side: Side) -> bool {
        self.decided(side).is_some()
    }

    const fn decided(&self, side: Side) -> Option<(Announced, Counsel)> {
        match side {
            Side::Punto => self.punto,
            Side::Banca => self.banca,
        }
    }

    pub(super) fn advised(&self, side: Side) -> bool {
        self.decided(side).is_some_and(|(_, counsel)| counsel == Counsel::Croupier)
    }

    /// Whether punto plays freely: it called banco, and leave was given.
    pub(super) const fn is_free(&self) -> bool {
        self.granted.is_some() && self.leaves.free_play
    }
}

impl CoupInPlay {
    /// A card after the first four goes to a hand.
    pub(crate) fn check_third(&mut self, side: Side, drawn: &CardDrawn, rules: &Rules, sink: &mut Sink) {
        let Some(coup) = self.chemin.take() else { return };
        self.check_third_of(&coup, side, drawn, rules, sink);
        self.chemin = Some(coup);
    }

    fn check_third_of(
        &mut self,
        coup: &CheminCoup,
        side: Side,
        drawn: &CardDrawn,
        rules: &Rules,
        sink: &mut Sink,
    ) {
        let recorded = || OfCards::CardTo { card: drawn.card, hand: side };
        if self.deal.faces(side).len() >= 3 {
            self.misdrawn = true;
            return self.fault_once_full(side, Code::ExtraCard, recorded(), sink);
        }
        if self.deals_at_bank(coup, rules, false).left().iter().all(|deal| self.is_over(deal)) {
            return self.fault(Code::NaturalDrawn, OfCards::NoCardAfterNatural, recorded(), sink);
        }
        // A card that fell into the basket nobody can read.
        if drawn.card == Face::Unseen && !self.rulings.orders(Consequence::PuntoCountsNine, drawn.position) {
            sink.accuse(self.accusation(Code::ThirdCardUnseen, OfCards::ThirdFaceUp, recorded()));
        }
        // Whether punto had to draw is not known where it may have had a natural by a ruling.
        let perhaps_natural = side == Side::Banca && self.natural_by_ruling().is_none();
        if side == Side::Banca && !perhaps_natural {
            let mut deals = self.deals_at_bank(coup, rules, false);
            deals.keep(|deal| !self.is_over(deal));
            if self.judge_punto_stood(coup, &deals, recorded(), rules, sink) {
                // One card is wrong in one way.
                return;
            }
        }
        let ordered = side == Side::Banca && self.rulings.orders(Consequence::BancaTakesCard, drawn.position);
        if !ordered && self.hand_draws(coup, side, recorded(), rules, sink) {
            return;
        }
        if perhaps_natural {
            return;
        }
        if side == Side::Banca && self.punto_breaks_its_word(coup, recorded(), sink) {
            return;
        }
        // What was announced behind a card that was recorded under another number says nothing of it.
        let said_before = coup.decided_at[side as usize] < sink.sequence();
        if said_before && self.breaks_its_word(coup, side, Announced::No) {
            let expected = OfCards::SaidNo { hand: side };
            sink.accuse(self.accusation(Code::DrawNotAsDecided, expected, recorded()));
        }
    }

    /// A hand draws: wrong where it had to stand in every reading of the cards.
    fn hand_draws(
        &mut self,
        coup: &CheminCoup,
        side: Side,
        recorded: OfCards,
        rules: &Rules,
        sink: &mut Sink,
    ) -> bool {
        let code = match side {
            Side::Punto => Code::PuntoDrew,
            Side::Banca => Code::BancaDrew,
        };
        let mut deals = self.deals_at_bank(coup, rules, false);
        deals.keep(|deal| !self.is_over(deal));
        self.judge_draw(coup, (side, Draw::Stands, code), &deals, recorded, rules, sink)
    }

    /// Punto has two cards and its turn is over; `deals` are the readings in which no natural ended the
    /// coup. Whether it stood against the rule.
    fn judge_punto_stood(
        &mut self,
        coup: &CheminCoup,
        deals: &Deals,
        recorded: OfCards,
        rules: &Rules,
        sink: &mut Sink,
    ) -> bool {
        if self.deal.faces(Side::Punto).len() != 2 || std::mem::replace(&mut self.punto_stood, true) {
            return false;
        }
        let wrong = (Side::Punto, Draw::Draws, Code::PuntoStood);
        self.judge_draw(coup, wrong, deals, recorded, rules, sink)
    }

    /// Punto's turn is over: whether it stood and had said that it draws.
    fn punto_breaks_its_word(&self, coup: &CheminCoup, recorded: OfCards, sink: &mut Sink) -> bool {
        let stood = self.deal.faces(Side::Punto).len() == 2;
        let breaks = stood && self.breaks_its_word(coup, Side::Punto, Announced::Carta);
        if breaks {
            sink.accuse(self.accusation(
                Code::DrawNotAsDecided,
                OfCards::SaidCarta { hand: Side::Punto },
                recorded,
            ));
        }
        breaks
    }

    /// Whether a hand that does not do this breaks its word; where a card went to the wrong hand before, or where
    /// none was due, it does what follows from that.
    fn breaks_its_word(&self, coup: &CheminCoup, side: Side, said: Announced) -> bool {
        !self.misdealt && !self.misdrawn && coup.decided(side).is_some_and(|(decision, _)| decision == said)
    }

    /// The cards are all out: whatever had to be drawn by now is missing.
    pub(crate) fn check_choices(&mut self, rules: &Rules, sink: &mut Sink) {
        let Some(mut coup) = self.chemin.take() else { return };
        if !std::mem::replace(&mut coup.finish_judged, true) {
            self.check_last(&coup, rules, sink);
        }
        self.chemin = Some(coup);
    }

    fn check_last(&mut self, coup: &CheminCoup, rules: &Rules, sink: &mut Sink) {
        if !each_has_two(&self.deal) {
            self.short = true;
            sink.accuse_all(self.deal_short());
            return;
        }
        let deals = self.deals_at_bank(coup, rules, false);
        if deals.left().iter().any(|deal| self.may_be_over(deal)) {
            return;
        }
        if self.deal.faces(Side::Banca).len() != 2 {
            // Its third card ended the coup.
            return;
        }
        self.short |= self.judge_punto_stood(coup, &deals, OfCards::Stood { hand: Side::Punto }, rules, sink);
        let deals = self.deals_at_bank(coup, rules, false);
        let wrong = (Side::Banca, Draw::Draws, Code::BancaStood);
        self.short |= self.judge_draw(coup, wrong, &deals, OfCards::Stood { hand: Side::Banca }, rules, sink);
        self.short |= self.punto_breaks_its_word(coup, OfCards::Stood { hand: Side::Punto }, sink);
        if self.breaks_its_word(coup, Side::Banca, Announced::Carta) {
            self.short = true;
            let hand = Side::Banca;
            let (expected, recorded) = (OfCards::SaidCarta { hand }, OfCards::Stood { hand });
            sink.accuse(self.accusation(Code::DrawNotAsDecided, expected, recorded));
        }
    }

    /// What a hand did against what it might: wrong where every reading forbids it, and where the source says
    /// nothing of any of those left nobody knows.
    fn judge_draw(
        &mut self,
        coup: &CheminCoup,
        (side, forbids, code): (Side, Draw, Code),
        deals: &Deals,
        recorded: OfCards,
        rules: &Rules,
        sink: &mut Sink,
    ) -> bool {
        let may = |deal: &Deal| self.may_draw(side, deal, coup, rules);
        let wrong = deals.left().iter().all(|deal| may(deal) == forbids);
        if wrong {
            self.misdrawn = true;
            let expected = self.why(side, forbids, deals, coup, rules);
            self.accuse(coup, code, expected, recorded, sink);
        } else if deals.left().iter().any(|deal| may(deal) == Draw::Unstated) {
            self.doubt(Reason::RuleSilent);
        }
        wrong
    }

    /// A hand broke its rule; where leave to play freely may lie in missing events, or the bet of whoever called banco,
    /// nobody knows.
    fn accuse(
        &mut self,
        coup: &CheminCoup,
        code: Code,
        expected: OfCards,
        recorded: OfCards,
        sink: &mut Sink,
    ) {
        let bet_missing = coup.granted.is_none() && self.missing_bets > 0;
        let called = coup.banker.is_none() && !coup.calls.is_empty();
        let banco = coup.granted.is_some() || called || bet_missing;
        if (coup.leaves.uncertain && banco) || (coup.leaves.free_play && bet_missing) {
            return self.doubt(Reason::EventsMissing);
        }
        sink.accuse(self.accusation(code, expected, recorded));
    }
}
