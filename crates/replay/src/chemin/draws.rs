//! What each hand of chemin de fer is allowed to draw, in every reading of cards that were not read.

use baccarat::{BancaPlay, Card, ChartBinds, Consequence, Deal, Draw, Face, Points, Rank, Side};

use super::CheminCoup;
use crate::coup::CoupInPlay;
use crate::rules::Rules;
use crate::statement::{Advised, AnyOf, ByChart, OfCards};
use crate::worlds::{Deals, total_of};

impl CoupInPlay {
    /// The hands in every reading that the draws so far leave; `closed` once no card follows.
    pub(super) fn deals_at_bank(&self, coup: &CheminCoup, rules: &Rules, closed: bool) -> Deals {
        let mut deals = self.deals_as_ruled();
        let [punto, banca] = Side::ALL.map(|side| self.deal.faces(side).len() == 3);
        if punto || banca {
            deals.keep(|deal| !self.is_over(deal));
        }
        let punto_over = self.punto_stood || closed;
        for (side, drew, over) in [(Side::Punto, punto, punto_over), (Side::Banca, banca, closed)] {
            let may = |deal: &Deal| self.may_draw(side, deal, coup, rules);
            // A card that a ruling ordered says nothing of banca's total.
            let ordered = side == Side::Banca && self.rulings.has(Consequence::BancaTakesCard);
            if drew && !ordered {
                deals.keep(|deal| may(deal) != Draw::Stands);
            } else if over && !drew {
                deals.keep(|deal| self.may_be_over(deal) || may(deal) != Draw::Draws);
            }
        }
        deals
    }

    /// The hands in every reading, with what the rulings make of them: 08.VIII lets banca count nothing.
    pub(super) fn deals_as_ruled(&self) -> Deals {
        let mut lying = self.deal.clone();
        if self.rulings.has(Consequence::BancaCountsZero) {
            let nothing = Face::Seen(Card { rank: Rank::Ten, suit: None });
            lying.correct(Side::Banca, 0, nothing);
            lying.correct(Side::Banca, 1, nothing);
        }
        Deals::of(&lying, self.pool)
    }

    /// What a hand may do on its first two cards in one reading.
    pub(super) fn may_draw(&self, side: Side, deal: &Deal, coup: &CheminCoup, rules: &Rules) -> Draw {
        let total = total_of(deal, side);
        match side {
            Side::Punto => rules.book.punto_draw(total, coup.is_free(), coup.advised(side)),
            // 08.VIII.3: punto counts 9 and banca has a right to a third card, but not with 7.
            Side::Banca if self.rulings.has(Consequence::PuntoCountsNine) => {
                if total.get() == 7 {
                    Draw::Stands
                } else {
                    Draw::Optional
                }
            }
            // 08.VIII.3: banca counts nothing and keeps its right to a third card.
            Side::Banca if self.rulings.has(Consequence::BancaCountsZero) => Draw::Optional,
            Side::Banca => rules.book.banca_draw(total, third_of_punto(deal), self.banca_plays(coup, rules)),
        }
    }

    /// Why a hand may do no other.
    pub(super) fn why(
        &self,
        side: Side,
        draw: Draw,
        deals: &Deals,
        coup: &CheminCoup,
        rules: &Rules,
    ) -> OfCards {
        let (draw, totals) = (draw.into(), totals(deals, side));
        match side {
            Side::Punto => OfCards::PuntoDue { draw, totals, advised: Advised(coup.advised(side)) },
            Side::Banca => {
                let by_chart = ByChart(match self.banca_plays(coup, rules) {
                    BancaPlay::Free => false,
                    BancaPlay::Chart | BancaPlay::ChartDrawing => true,
                });
                match thirds_of_punto(deals) {
                    None => OfCards::BancaDue { draw, totals, by_chart },
                    Some(points) => OfCards::BancaDueAgainstPoints { draw, totals, points, by_chart },
                }
            }
        }
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

    /// Whether a natural ended the coup in one reading.
    pub(super) fn is_over(&self, deal: &Deal) -> bool {
        self.natural_by_ruling() == Some(true)
            || Side::ALL.into_iter().any(|side| total_of(deal, side).get() >= 8)
    }

    /// Whether one may have.
    pub(super) fn may_be_over(&self, deal: &Deal) -> bool {
        self.natural_by_ruling() != Some(false) || self.is_over(deal)
    }

    /// Whether one of punto's only two cards fell into the basket, so that it has a natural nine (08.VIII.3); `None`
    /// where the card may also have been its third. A ruling on a card that is still to come ends nothing.
    pub(super) fn natural_by_ruling(&self) -> Option<bool> {
        let nine = Consequence::PuntoCountsNine;
        if self.deal.faces(Side::Punto).len() != 2 {
            Some(false)
        } else if self.first_two_at(Side::Punto).any(|position| self.rulings.orders(nine, position)) {
            Some(true)
        } else if self.rulings.names_only(nine, |position| self.face_at(position).is_some()) {
            None
        } else {
            Some(false)
        }
    }
}

fn third_of_punto(deal: &Deal) -> Option<Points> {
    match deal.faces(Side::Punto) {
        [_, _, third] => third.card().map(Card::points),
        _ => None,
    }
}

fn totals(deals: &Deals, side: Side) -> AnyOf<u8> {
    let mut totals: Vec<u8> = deals.left().iter().map(|deal| total_of(deal, side).get()).collect();
    totals.sort_unstable();
    totals.dedup();
    AnyOf(totals.into())
}

/// What punto's third card may be worth; `None` where punto stands.
fn thirds_of_punto(deals: &Deals) -> Option<AnyOf<u8>> {
    let mut thirds: Vec<u8> = deals.left().iter().filter_map(third_of_punto).map(Points::get).collect();
    thirds.sort_unstable();
    thirds.dedup();
    (!thirds.is_empty()).then(|| AnyOf(thirds.into()))
}
