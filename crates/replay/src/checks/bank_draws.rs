//! Third cards of chemin de fer: a draw has to be legal, and as the hand announced it (`docs/judging.md`, "Chemin de fer").
//!
//! A ruling counts from its own event on. Cards that were not read are any that the shoe may still hold.

use baccarat::{
    BancaPlay, Card, ChartBinds, Consequence, Deal, Draw, Expect, Face, Points, Rank, Rulebook, Side, Winner,
};
use events::{Announced, Counsel, CoupSettled};

use super::Checked;
use super::cards::each_has_two;
use super::rulings::Ruling;
use crate::Code;
use crate::reading::{CardRecord, CoupRecord, Told};
use crate::sink::Accusation;
use crate::statement::{Advised, AnyOf, ByChart, Cards, OfCards};
use crate::worlds::{Deals, Pool, Worlds, total_of};

/// The hands of a coup at a bank.
pub(super) struct Hands<'r, 'a> {
    coup: &'r CoupRecord<'a>,
    rules: &'r Rulebook,
    rulings: &'r [Ruling<'r>],
    pool: Pool,
    /// Punto called banco and has leave to play freely.
    free: bool,
    pub(super) lying: Deal,
    /// How many cards of the coup were dealt, or taken away, so far.
    seen: usize,
    punto_stood: bool,
    misdealt: bool,
    misdrawn: bool,
    /// A natural was overlooked. That is reported once.
    overlooked: bool,
    /// For each hand: whether a card too many is reported.
    overfull: [bool; 2],
    /// A card was still due.
    pub(super) short: bool,
    /// The rulebook does not say whether a card was due.
    pub(super) silent: bool,
    pub(super) checked: Checked,
}

/// Deals the cards of a coup.
pub(super) fn hands<'r, 'a>(
    coup: &'r CoupRecord<'a>,
    rules: &'r Rulebook,
    rulings: &'r [Ruling<'r>],
    pool: Pool,
    free: bool,
) -> Hands<'r, 'a> {
    let mut hands = Hands {
        coup,
        rules,
        rulings,
        pool,
        free,
        lying: Deal::default(),
        seen: 0,
        punto_stood: false,
        misdealt: false,
        misdrawn: false,
        overlooked: false,
        overfull: [false; 2],
        short: false,
        silent: false,
        checked: Checked::default(),
    };
    for card in &coup.cards {
        if let Some(side) = card.to.side() {
            hands.take(card, side);
        }
        hands.seen += 1;
    }
    hands
}

impl Hands<'_, '_> {
    /// Whether a card went where it should not have gone, or none where one should.
    pub(super) fn are_wrong(&self) -> bool {
        self.misdealt || self.misdrawn || self.overlooked || self.overfull != [false; 2]
    }

    /// Whether anything is ruled with this consequence before an event.
    fn is_ruled(&self, consequence: Consequence, at: u64) -> bool {
        self.ruled(consequence, at).next().is_some()
    }

    /// The rulings with this consequence before an event.
    fn ruled(&self, consequence: Consequence, at: u64) -> impl Iterator<Item = &'_ Ruling<'_>> {
        let is_one = move |ruling: &&Ruling<'_>| ruling.consequence == Some(consequence) && ruling.at < at;
        self.rulings.iter().filter(is_one)
    }

    /// Whether a ruling before an event has this consequence for the card at a position.
    fn orders(&self, consequence: Consequence, position: u16, at: u64) -> bool {
        self.ruled(consequence, at).any(|ruling| ruling.names(position))
    }

    /// The winner that a ruling decides, whatever the cards are.
    pub(super) fn winner_by_ruling(&self) -> Option<Winner> {
        let loses = [(Consequence::BancaLoses, Winner::Punto), (Consequence::PuntoLoses, Winner::Banca)];
        loses.into_iter().find(|(loses, _)| self.is_ruled(*loses, u64::MAX)).map(|(_, winner)| winner)
    }

    /// Whether a ruling alone decides the winner.
    pub(super) fn rest_on_ruling(&self) -> bool {
        self.winner_by_ruling().is_some() || self.is_ruled(Consequence::PuntoCountsNine, u64::MAX)
    }

    /// Whether nothing is ruled on the coup.
    pub(super) const fn are_not_ruled(&self) -> bool {
        self.rulings.is_empty()
    }

    /// What the coup may have come to, with the rulings on it. Hands that lack cards have no result.
    pub(super) fn worlds(&self) -> Worlds {
        if !each_has_two(&self.lying) {
            return Worlds::none();
        }
        // A side that loses by a ruling may have thrown its cards in before anybody could draw.
        let deals = match self.winner_by_ruling() {
            Some(_) => self.deals_as_ruled(u64::MAX),
            None => self.deals_at(true, u64::MAX),
        };
        let mut worlds = deals.worlds();
        if self.is_ruled(Consequence::PuntoCountsNine, u64::MAX) {
            worlds.punto_counts_nine();
        }
        worlds
    }

    /// The hands as the rulings before an event have them: banca may count nothing.
    fn deals_as_ruled(&self, at: u64) -> Deals {
        let mut lying = self.lying.clone();
        if self.is_ruled(Consequence::BancaCountsZero, at) {
            let nothing = Face::Seen(Card { rank: Rank::Ten, suit: None });
            lying.correct(Side::Banca, 0, nothing);
            lying.correct(Side::Banca, 1, nothing);
        }
        Deals::of(&lying, self.pool)
    }

    /// The hands by what was drawn so far, and by what was announced and ruled before an event.
    fn deals_at(&self, closed: bool, at: u64) -> Deals {
        let mut deals = self.deals_as_ruled(at);
        let [punto, banca] = Side::ALL.map(|side| self.lying.faces(side).len() == 3);
        if punto || banca {
            deals.keep(|deal| !self.is_over(deal, at));
        }
        let punto_over = self.punto_stood || closed;
        for (side, drew, over) in [(Side::Punto, punto, punto_over), (Side::Banca, banca, closed)] {
            let may = |deal: &Deal| self.may_draw(side, deal, at);
            // A card that banca had to take says nothing of its total.
            let ordered = side == Side::Banca && self.is_ruled(Consequence::BancaTakesCard, at);
            if drew && !ordered {
                deals.keep(|deal| may(deal) != Draw::Stands);
            } else if over && !drew {
                deals.keep(|deal| self.may_be_over(deal, at) || may(deal) != Draw::Draws);
            }
        }
        deals
    }

    /// What a hand announced last before an event.
    fn said(&self, side: Side, at: u64) -> Option<(Announced, Counsel)> {
        let before = self.coup.chemin.decisions.iter().filter(|told| told.sequence < at);
        let mut own = before.filter(|told| told.value.hand == side);
        own.next_back().map(|told| (told.value.decision, told.value.counsel))
    }

    fn is_advised(&self, side: Side, at: u64) -> bool {
        self.said(side, at).is_some_and(|(_, counsel)| counsel == Counsel::Croupier)
    }

    /// The rule that the banker's draw follows.
    pub(super) fn banca_plays(&self, at: u64) -> BancaPlay {
        if self.is_ruled(Consequence::ChartDraws, at) {
            return BancaPlay::ChartDrawing;
        } else if self.is_ruled(Consequence::ChartBinds, at) {
            return BancaPlay::Chart;
        }
        let binds = self.rules.chemin.as_ref().map_or(ChartBinds::Always, |chemin| chemin.chart.binds);
        let bound = match binds {
            ChartBinds::Always => !self.free,
            ChartBinds::Asked => self.is_advised(Side::Banca, at),
        };
        if bound { BancaPlay::Chart } else { BancaPlay::Free }
    }

    /// What a hand may do on its first two cards in one reading.
    fn may_draw(&self, side: Side, deal: &Deal, at: u64) -> Draw {
        let total = total_of(deal, side);
        match side {
            Side::Punto => self.rules.punto_draw(total, self.free, self.is_advised(side, at)),
            // Banca has a right to a third card, but not with seven (08.VIII.3).
            Side::Banca if self.is_ruled(Consequence::PuntoCountsNine, at) => {
                if total.get() == 7 {
                    Draw::Stands
                } else {
                    Draw::Optional
                }
            }
            // Banca counts nothing and keeps its right to a third card (08.VIII.3).
            Side::Banca if self.is_ruled(Consequence::BancaCountsZero, at) => Draw::Optional,
            Side::Banca => self.rules.banca_draw(total, third_of_punto(deal), self.banca_plays(at)),
        }
    }

    fn find(&mut self, at: u64, code: Code, expected: OfCards, recorded: OfCards) {
        self.checked.accuse(at, Accusation::new(code, expected, recorded));
    }

    /// Once a hand is full, only the first further card is a finding.
    fn find_overfull(&mut self, at: u64, side: Side, recorded: OfCards) {
        if !std::mem::replace(&mut self.overfull[side as usize], true) {
            self.find(at, Code::ExtraCard, OfCards::NoFourthCard, recorded);
        }
    }

    fn take(&mut self, card: &CardRecord, side: Side) {
        let at = card.corrected_by.or(card.sequence).unwrap_or_default();
        if each_has_two(&self.lying) {
            // Nothing is known of a card that was lost, so nothing is wrong with it.
            if card.sequence.is_some() {
                self.check_third(card, side, at);
            }
        } else {
            self.check_first(card, side, at);
        }
        self.lying.give(side, card.face);
    }

    /// Deals one of the first four cards. Their order does not depend on their faces.
    fn check_first(&mut self, card: &CardRecord, side: Side, at: u64) {
        let recorded = OfCards::CardTo { card: card.face, hand: side };
        if self.lying.faces(side).len() >= 3 {
            self.find_overfull(at, side, recorded);
        } else if let Expect::Card(due) = self.lying.expect(self.rules)
            && due != side
            && !std::mem::replace(&mut self.misdealt, true)
        {
            let number = u32::from(self.lying.count()) + 1;
            self.find(at, Code::DealOrder, OfCards::CardNumberTo { number, hand: due }, recorded);
        }
    }

    fn check_third(&mut self, card: &CardRecord, side: Side, at: u64) {
        let recorded = || OfCards::CardTo { card: card.face, hand: side };
        let now = card.sequence.unwrap_or(u64::MAX);
        if self.lying.faces(side).len() >= 3 {
            self.misdrawn = true;
            return self.find_overfull(at, side, recorded());
        }
        if self.deals_at(false, now).left().iter().all(|deal| self.is_over(deal, now)) {
            if !std::mem::replace(&mut self.overlooked, true) {
                self.find(at, Code::NaturalDrawn, OfCards::NoCardAfterNatural, recorded());
            }
            return;
        }
        // A card that fell into the basket cannot be read.
        let is_in_basket = self.orders(Consequence::PuntoCountsNine, card.position, now);
        if card.face == Face::Unseen && !is_in_basket {
            self.find(at, Code::ThirdCardUnseen, OfCards::ThirdFaceUp, recorded());
        }
        // If punto may have had a natural by a ruling, it is not known whether it had to draw.
        let perhaps_natural = side == Side::Banca && self.natural_by_ruling(now).is_none();
        if side == Side::Banca && !perhaps_natural && self.punto_stood_wrongly(at, now, recorded()) {
            // One card is one finding.
            return;
        }
        let ordered = side == Side::Banca && self.orders(Consequence::BancaTakesCard, card.position, now);
        let code = if side == Side::Punto { Code::PuntoDrew } else { Code::BancaDrew };
        if !ordered && self.is_wrong((side, Draw::Stands, code), at, now, recorded()) || perhaps_natural {
            return;
        }
        if side == Side::Banca && self.punto_breaks_its_word(at, now, recorded()) {
            return;
        }
        if self.breaks_its_word(side, Announced::No, now) {
            self.find(at, Code::DrawNotAsDecided, OfCards::SaidNo { hand: side }, recorded());
        }
    }

    /// Punto has two cards, and its turn is over.
    fn punto_stood_wrongly(&mut self, at: u64, now: u64, recorded: OfCards) -> bool {
        if self.lying.faces(Side::Punto).len() != 2 || std::mem::replace(&mut self.punto_stood, true) {
            return false;
        }
        // Whether it was right to stand is judged later.
        self.punto_stood = false;
        let wrong = self.is_wrong((Side::Punto, Draw::Draws, Code::PuntoStood), at, now, recorded);
        self.punto_stood = true;
        wrong
    }

    /// Compares what a hand did with what it was allowed to do. It is wrong if every reading forbids it.
    fn is_wrong(
        &mut self,
        (side, forbids, code): (Side, Draw, Code),
        at: u64,
        now: u64,
        recorded: OfCards,
    ) -> bool {
        let mut deals = self.deals_at(false, now);
        deals.keep(|deal| !self.is_over(deal, now));
        let may = |deal: &Deal| self.may_draw(side, deal, now);
        let wrong = deals.left().iter().all(|deal| may(deal) == forbids);
        let silent = deals.left().iter().any(|deal| may(deal) == Draw::Unstated);
        if wrong {
            self.misdrawn = true;
            let expected = self.why(side, forbids, &deals, now);
            self.find(at, code, expected, recorded);
        } else {
            self.silent |= silent;
        }
        wrong
    }

    /// Why a hand had only one choice.
    fn why(&self, side: Side, draw: Draw, deals: &Deals, now: u64) -> OfCards {
        let of = |points: &mut dyn Iterator<Item = u8>| {
            let mut all: Vec<u8> = points.collect();
            all.sort_unstable();
            all.dedup();
            AnyOf(all.into())
        };
        let totals = of(&mut deals.left().iter().map(|deal| total_of(deal, side).get()));
        let draw = draw.into();
        if side == Side::Punto {
            return OfCards::PuntoDue { draw, totals, advised: Advised(self.is_advised(side, now)) };
        }
        let by_chart = ByChart(self.banca_plays(now) != BancaPlay::Free);
        let points = of(&mut deals.left().iter().filter_map(third_of_punto).map(Points::get));
        if points.0.is_empty() {
            OfCards::BancaDue { draw, totals, by_chart }
        } else {
            OfCards::BancaDueAgainstPoints { draw, totals, points, by_chart }
        }
    }

    /// Punto's turn is over, and it stood though it had said that it draws.
    fn punto_breaks_its_word(&mut self, at: u64, now: u64, recorded: OfCards) -> bool {
        let stood = self.lying.faces(Side::Punto).len() == 2;
        let breaks = stood && self.breaks_its_word(Side::Punto, Announced::Carta, now);
        if breaks {
            self.find(at, Code::DrawNotAsDecided, OfCards::SaidCarta { hand: Side::Punto }, recorded);
        }
        breaks
    }

    /// Whether a hand does not do what it said. If a card went to the wrong hand before, or one was not due, it does what
    /// follows from that.
    fn breaks_its_word(&self, side: Side, said: Announced, now: u64) -> bool {
        let says = self.said(side, now).is_some_and(|(decision, _)| decision == said);
        says && !self.misdealt && !self.misdrawn
    }

    /// The coup is settled: whatever had to be drawn by now is missing.
    pub(super) fn finish(&mut self, settled: &Told<'_, CoupSettled>) {
        let (at, now) = (settled.corrected_by.unwrap_or(settled.sequence), settled.sequence);
        if !each_has_two(&self.lying) {
            self.short = true;
            let cards = Cards(self.lying.count().into());
            return self.find(at, Code::DealShort, OfCards::TwoCardsEach, OfCards::Dealt { cards });
        }
        let deals = self.deals_at(false, now);
        if deals.left().iter().any(|deal| self.may_be_over(deal, now))
            || self.lying.faces(Side::Banca).len() != 2
        {
            return;
        }
        let stood = |hand| OfCards::Stood { hand };
        self.short |= self.punto_stood_wrongly(at, now, stood(Side::Punto));
        self.short |=
            self.is_wrong((Side::Banca, Draw::Draws, Code::BancaStood), at, now, stood(Side::Banca));
        self.short |= self.punto_breaks_its_word(at, now, stood(Side::Punto));
        if self.breaks_its_word(Side::Banca, Announced::Carta, now) {
            self.short = true;
            let expected = OfCards::SaidCarta { hand: Side::Banca };
            self.find(at, Code::DrawNotAsDecided, expected, stood(Side::Banca));
        }
    }
}

impl Hands<'_, '_> {
    /// Whether a natural ended the coup in this reading.
    fn is_over(&self, deal: &Deal, at: u64) -> bool {
        self.natural_by_ruling(at) == Some(true) || has_natural(deal)
    }

    /// Whether a natural may have ended it.
    fn may_be_over(&self, deal: &Deal, at: u64) -> bool {
        self.natural_by_ruling(at) != Some(false) || has_natural(deal)
    }

    /// Whether one of punto's first two cards fell into the basket, so that punto has a natural nine (08.VIII.3); `None` if
    /// the card may also have been its third. A ruling on a card that is still to come ends nothing.
    fn natural_by_ruling(&self, at: u64) -> Option<bool> {
        let nine = Consequence::PuntoCountsNine;
        if self.lying.faces(Side::Punto).len() != 2 {
            return Some(false);
        }
        let dealt = || self.coup.cards.iter().take(self.seen);
        let mut of_punto = dealt().filter(|card| card.to.side() == Some(Side::Punto));
        if of_punto.any(|card| self.orders(nine, card.position, at)) {
            return Some(true);
        }
        let is_dealt = |position: u16| dealt().any(|card| card.position == position);
        (!self.ruled(nine, at).any(|ruling| ruling.names_only(is_dealt))).then_some(false)
    }
}

fn has_natural(deal: &Deal) -> bool {
    Side::ALL.into_iter().any(|side| total_of(deal, side).get() >= 8)
}

fn third_of_punto(deal: &Deal) -> Option<Points> {
    match deal.faces(Side::Punto) {
        [_, _, third] => third.card().map(Card::points),
        _ => None,
    }
}
