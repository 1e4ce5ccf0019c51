//! Third cards where the hands may choose: what they drew has to be *legal*, not forced, and what
//! they announced.

use baccarat::{BancaPlay, ChartBinds, Consequence, Draw, Face, Points, Side};
use events::{Announced, CardDrawn, Counsel, DrawDecided};

use super::CheminCoup;
use crate::Code;
use crate::coup::CoupInPlay;
use crate::rules::Rules;
use crate::sink::Sink;
use crate::verdict::Reason;

/// What a hand may do, and in words why.
struct May {
    draw: Draw,
    why: String,
}

impl CheminCoup {
    /// A hand says whether it draws.
    pub(crate) const fn decide(&mut self, decided: &DrawDecided) {
        let decision = Some((decided.decision, decided.counsel));
        match decided.hand {
            Side::Punto => self.punto = decision,
            Side::Banca => self.banca = decision,
        }
    }

    const fn decided(&self, side: Side) -> Option<(Announced, Counsel)> {
        match side {
            Side::Punto => self.punto,
            Side::Banca => self.banca,
        }
    }

    fn advised(&self, side: Side) -> bool {
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
        let recorded = || format!("{} to {side}", drawn.card);
        if self.deal.faces(side).len() >= 3 {
            sink.accuse(self.accusation(Code::ExtraCard, "no card: the hand has three", recorded()));
            return;
        }
        if self.is_over() == Some(true) {
            sink.accuse(self.accusation(Code::NaturalDrawn, "no card: a natural ends the coup", recorded()));
            return;
        }
        if drawn.card == Face::Unseen {
            let expected = "a third card, which is dealt face up";
            sink.accuse(self.accusation(Code::ThirdCardUnseen, expected, recorded()));
        }
        if coup.decided(side).is_some_and(|(decision, _)| decision == Announced::No) {
            let expected = format!("no card: {side} said no");
            sink.accuse(self.accusation(Code::DrawNotAsDecided, expected, recorded()));
            return;
        }
        match side {
            Side::Punto => self.punto_draws(coup, recorded(), rules, sink),
            Side::Banca => self.banca_draws(coup, drawn.position, recorded(), rules, sink),
        }
    }

    fn punto_draws(&mut self, coup: &CheminCoup, recorded: String, rules: &Rules, sink: &mut Sink) {
        let Some(may) = self.punto_may(coup, rules) else { return self.doubt(Reason::CardUnread) };
        match may.draw {
            Draw::Stands => self.accuse(coup, Code::PuntoDrew, may.why, recorded, sink),
            Draw::Unstated => self.doubt(Reason::RuleSilent),
            Draw::Draws | Draw::Optional => {}
        }
    }

    fn banca_draws(
        &mut self,
        coup: &CheminCoup,
        position: u16,
        recorded: String,
        rules: &Rules,
        sink: &mut Sink,
    ) {
        self.judge_punto_stood(coup, &recorded, rules, sink);
        if self.rulings.orders(Consequence::BancaTakesCard, position) {
            return;
        }
        let Some(may) = self.banca_may(coup, rules) else { return self.doubt(Reason::CardUnread) };
        match may.draw {
            Draw::Stands => self.accuse(coup, Code::BancaDrew, may.why, recorded, sink),
            Draw::Unstated => self.doubt(Reason::RuleSilent),
            Draw::Draws | Draw::Optional => {}
        }
    }

    /// Punto has two cards and its turn is over.
    fn judge_punto_stood(&mut self, coup: &CheminCoup, recorded: &str, rules: &Rules, sink: &mut Sink) {
        if self.deal.faces(Side::Punto).len() != 2 || std::mem::replace(&mut self.punto_stood, true) {
            return;
        }
        match self.punto_may(coup, rules) {
            None => self.doubt(Reason::CardUnread),
            Some(may) if may.draw == Draw::Draws => {
                self.accuse(coup, Code::PuntoStood, may.why, recorded.to_owned(), sink);
            }
            Some(may) if may.draw == Draw::Unstated => self.doubt(Reason::RuleSilent),
            Some(_) => {}
        }
        let said_carta = coup.punto.is_some_and(|(decision, _)| decision == Announced::Carta);
        if said_carta {
            let accusation = self.accusation(Code::DrawNotAsDecided, "a card: punto said carta", recorded);
            sink.accuse(accusation);
        }
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
        if self.deal.faces(Side::Punto).len() < 2 || self.deal.faces(Side::Banca).len() < 2 {
            let recorded = format!("{} cards", self.deal.count());
            sink.accuse(self.accusation(Code::DealShort, "two cards to each hand", recorded));
            return;
        }
        if self.is_over() == Some(true) {
            return;
        }
        self.judge_punto_stood(coup, "punto stood", rules, sink);
        if self.deal.faces(Side::Banca).len() != 2 {
            return;
        }
        match self.banca_may(coup, rules) {
            None => self.doubt(Reason::CardUnread),
            Some(may) if may.draw == Draw::Draws => {
                self.accuse(coup, Code::BancaStood, may.why, "banca stood".to_owned(), sink);
            }
            Some(may) if may.draw == Draw::Unstated => self.doubt(Reason::RuleSilent),
            Some(_) => {}
        }
        let said_carta = coup.banca.is_some_and(|(decision, _)| decision == Announced::Carta);
        if said_carta {
            sink.accuse(self.accusation(Code::DrawNotAsDecided, "a card: banca said carta", "banca stood"));
        }
    }

    /// A hand broke its rule; where leave to play freely may lie in missing events, nobody knows.
    fn accuse(&mut self, coup: &CheminCoup, code: Code, expected: String, recorded: String, sink: &mut Sink) {
        if coup.leaves.uncertain && coup.granted.is_some() {
            return self.doubt(Reason::EventsMissing);
        }
        sink.accuse(self.accusation(code, expected, recorded));
    }

    /// What punto may do on its first two cards; `None` where one was not read.
    fn punto_may(&self, coup: &CheminCoup, rules: &Rules) -> Option<May> {
        let total = self.first_two(Side::Punto)?;
        let (free, advised) = (coup.is_free(), coup.advised(Side::Punto));
        let draw = rules.book.punto_draw(total, free, advised);
        let how = if advised { ", having asked the croupier" } else { "" };
        Some(May { draw, why: format!("punto {draw} on {total}{how}") })
    }

    /// What banca may do on its first two cards; `None` where a card that decides was not read.
    fn banca_may(&self, coup: &CheminCoup, rules: &Rules) -> Option<May> {
        let total = self.first_two(Side::Banca)?;
        let third = match self.deal.faces(Side::Punto) {
            [_, _, third] => Some(third.card()?.points()),
            _ => None,
        };
        let play = self.banca_plays(coup, rules);
        let draw = if self.rulings.has(Consequence::PuntoCountsNine) {
            // 08.VIII.3: punto counts 9 and banca has a right to a third card, but not with 7.
            if total.get() == 7 { Draw::Stands } else { Draw::Optional }
        } else {
            rules.book.banca_draw(total, third, play)
        };
        let against = third
            .map_or_else(|| " when punto stands".to_owned(), |t| format!(" against a third card worth {t}"));
        let by = match play {
            BancaPlay::Free => "",
            BancaPlay::Chart | BancaPlay::ChartDrawing => " by the chart",
        };
        Some(May { draw, why: format!("banca {draw} on {total}{against}{by}") })
    }

    /// By what the banker plays this coup.
    pub(super) fn banca_plays(&self, coup: &CheminCoup, rules: &Rules) -> BancaPlay {
        let binds = rules.book.chemin.as_ref().map_or(ChartBinds::Always, |chemin| chemin.chart.binds);
        if self.rulings.has(Consequence::ChartDraws) {
            BancaPlay::ChartDrawing
        } else if self.rulings.has(Consequence::ChartBinds) {
            BancaPlay::Chart
        } else {
            let bound = match binds {
                ChartBinds::Always => !coup.is_free(),
                ChartBinds::Asked => coup.advised(Side::Banca),
            };
            if bound { BancaPlay::Chart } else { BancaPlay::Free }
        }
    }

    /// Total of the first two cards as the rulings leave it; `None` where one was not read.
    pub(super) fn first_two(&self, side: Side) -> Option<Points> {
        if side == Side::Banca && self.rulings.has(Consequence::BancaCountsZero) {
            return Points::new(0);
        }
        match self.deal.faces(side) {
            [first, second, ..] => Some(first.card()?.points().plus(second.card()?.points())),
            [_] | [] => None,
        }
    }

    /// Whether a natural ended the coup; `None` where a card was not read.
    fn is_over(&self) -> Option<bool> {
        let natural = |side: Side| self.first_two(side).map(|total| total.get() >= 8);
        let nine = self.rulings.has(Consequence::PuntoCountsNine) && self.deal.faces(Side::Punto).len() == 2;
        match (natural(Side::Punto), natural(Side::Banca)) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            _ if nine => Some(true),
            (Some(false), Some(false)) => Some(false),
            (None, _) | (_, None) => None,
        }
    }
}
