//! The cards of a coup against the order of the deal and the tableau, and the result announced.

use baccarat::{Coup, Expect, Face, Side, Winner};
use events::{CardDrawn, CoupSettled};

use super::{CoupInPlay, Dealt, MOST_DEALT};
use crate::Code;
use crate::rules::Rules;
use crate::sink::Sink;
use crate::verdict::Reason;

impl CoupInPlay {
    /// A card is drawn for this coup by the event of this sequence.
    pub(crate) fn draw(&mut self, drawn: &CardDrawn, sequence: u64, rules: Option<&Rules>, sink: &mut Sink) {
        let side = drawn.to.side();
        // A card that a ruling takes away is no part of the deal.
        let taken_away = side.is_none() && self.rulings.name(drawn.position);
        if !self.rulings.is_carried(drawn.position) && !taken_away {
            self.begin_drawing(rules, sink);
        }
        if let (Some(side), Some(rules)) = (side, rules) {
            let each_has_two = Side::ALL.into_iter().all(|side| self.deal.faces(side).len() >= 2);
            if self.chemin.is_some() && each_has_two {
                self.check_third(side, drawn, rules, sink);
            } else {
                self.check_destination(side, drawn.card, rules, sink);
            }
        }
        let to = side.map(|side| (side, self.deal.faces(side).len()));
        let given = side.is_some_and(|side| self.deal.give(side, drawn.card));
        if side.is_none() {
            self.rulings.remove(drawn.position);
        }
        if self.dealt.len() < MOST_DEALT {
            let to = to.filter(|_| given);
            self.dealt.push(Dealt { sequence, position: drawn.position, to, face: drawn.card });
        }
    }

    fn begin_drawing(&mut self, rules: Option<&Rules>, sink: &mut Sink) {
        if self.drawn == 0 {
            self.judge_limits(rules, sink);
            if let Some(rules) = rules {
                self.judge_stakes(rules, sink);
            }
            self.deal_without_close(sink);
        }
        if self.drawn == 0 && !self.closed {
            let expected = "the bets closed before the first card";
            sink.accuse(self.accusation(Code::CardBeforeBetsClosed, expected, "a card while bets were open"));
        }
        self.drawn = self.drawn.saturating_add(1);
    }

    /// Whether the next card of the shoe would be its first.
    pub(crate) const fn awaits_first_card(&self) -> bool {
        self.drawn == 0
    }

    /// The card recorded at a sequence had another face; gives the face it was taken for. `None`
    /// where no card of this hand and position was recorded there.
    pub(crate) fn correct_card(&mut self, sequence: u64, corrected: &CardDrawn) -> Option<Face> {
        let same = |dealt: &&mut Dealt| {
            let side = dealt.to.map(|(side, _)| side);
            dealt.sequence == sequence && dealt.position == corrected.position && side == corrected.to.side()
        };
        let dealt = self.dealt.iter_mut().find(same)?;
        let taken_for = std::mem::replace(&mut dealt.face, corrected.card);
        if let Some((side, place)) = dealt.to {
            self.deal.correct(side, place, corrected.card);
        }
        for drawn in self.drawn_cards.iter_mut().filter(|drawn| drawn.position == corrected.position) {
            drawn.card = corrected.card;
        }
        Some(taken_for)
    }

    fn check_destination(&mut self, side: Side, card: Face, rules: &Rules, sink: &mut Sink) {
        let recorded = || format!("{card} to {side}");
        match self.deal.expect(&rules.book) {
            Expect::Unknown => self.doubt(Reason::CardUnread),
            Expect::Card(due) if due == side => {}
            Expect::Card(due) if self.deal.count() < 4 => {
                if !self.misdealt {
                    let expected = format!("card {} to {due}", self.deal.count() + 1);
                    sink.accuse(self.accusation(Code::DealOrder, expected, recorded()));
                }
                self.misdealt = true;
            }
            Expect::Card(Side::Punto) => {
                sink.accuse(self.accusation(Code::PuntoStood, self.why_punto("punto draws"), recorded()));
                self.deal.stand_punto();
                self.check_after_punto_stood(side, card, rules, sink);
            }
            Expect::Card(Side::Banca) | Expect::Finished => {
                let code = self.surplus(side);
                sink.accuse(self.accusation(code, self.why_over(code), recorded()));
            }
        }
    }

    /// Punto stood against the rule and this card went to banca: it is right where banca has to
    /// draw by the hands as they lie.
    fn check_after_punto_stood(&mut self, side: Side, card: Face, rules: &Rules, sink: &mut Sink) {
        if self.deal.expect(&rules.book) == Expect::Finished {
            let code = self.surplus(side);
            sink.accuse(self.accusation(code, self.why_over(code), format!("{card} to {side}")));
        }
    }

    /// What a card to `side` is called when it was not due.
    fn surplus(&self, side: Side) -> Code {
        let cards = self.deal.faces(side).len();
        if self.is_natural() {
            Code::NaturalDrawn
        } else if cards >= 3 {
            Code::ExtraCard
        } else {
            match side {
                Side::Punto => Code::PuntoDrew,
                Side::Banca => Code::BancaDrew,
            }
        }
    }

    fn two_card_total(&self, side: Side) -> Option<u8> {
        match self.deal.faces(side) {
            [first, second, ..] => Some(first.card()?.points().plus(second.card()?.points()).get()),
            [_] | [] => None,
        }
    }

    fn is_natural(&self) -> bool {
        [Side::Punto, Side::Banca]
            .into_iter()
            .any(|side| self.two_card_total(side).is_some_and(|total| total >= 8))
    }

    fn why_punto(&self, what: &str) -> String {
        format!("{what} on {}", self.two_card_total(Side::Punto).unwrap_or_default())
    }

    fn why_banca(&self, what: &str) -> String {
        let total = self.two_card_total(Side::Banca).unwrap_or_default();
        match self.deal.faces(Side::Punto) {
            [_, _, third] => format!("{what} on {total} against punto's third card {third}"),
            _ => format!("{what} on {total} when punto stands"),
        }
    }

    fn why_over(&self, code: Code) -> String {
        if code == Code::PuntoDrew {
            self.why_punto("punto stands")
        } else if code == Code::BancaDrew {
            self.why_banca("banca stands")
        } else if code == Code::NaturalDrawn {
            "no card: a natural ends the coup".to_owned()
        } else {
            "no card: the hand has three".to_owned()
        }
    }

    /// The coup is settled: whatever had to be drawn by now is missing.
    pub(crate) fn check_finished(&mut self, rules: &Rules, sink: &mut Sink) {
        if self.deal.faces(Side::Punto).len() < 2 || self.deal.faces(Side::Banca).len() < 2 {
            let recorded = format!("{} cards", self.deal.count());
            sink.accuse(self.accusation(Code::DealShort, "two cards to each hand", recorded));
            return;
        }
        if self.deal.expect(&rules.book) == Expect::Card(Side::Punto) {
            sink.accuse(self.accusation(Code::PuntoStood, self.why_punto("punto draws"), "punto stood"));
            self.deal.stand_punto();
        }
        match self.deal.expect(&rules.book) {
            Expect::Card(_) => {
                sink.accuse(self.accusation(Code::BancaStood, self.why_banca("banca draws"), "banca stood"));
            }
            Expect::Finished => {}
            Expect::Unknown => self.doubt(Reason::CardUnread),
        }
    }

    /// Totals and winner as announced against the hands as dealt.
    pub(crate) fn check_result(&mut self, settled: &CoupSettled, sink: &mut Sink) -> Option<Coup> {
        let Some(coup) = self.deal.coup() else {
            self.doubt(Reason::CardUnread);
            return None;
        };
        let totals = (coup.punto.total().get(), coup.banca.total().get());
        if totals != (settled.punto_total, settled.banca_total) {
            let told = |(punto, banca): (u8, u8)| format!("punto {punto}, banca {banca}");
            let recorded = told((settled.punto_total, settled.banca_total));
            sink.accuse(self.accusation(Code::TotalWrong, told(totals), recorded));
        }
        let winner: Winner = coup.winner();
        if winner != settled.winner {
            sink.accuse(self.accusation(Code::WinnerWrong, winner, settled.winner));
        }
        Some(coup)
    }
}
