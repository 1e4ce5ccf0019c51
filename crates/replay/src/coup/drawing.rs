//! Checks each card of a coup against the order of the deal and the tableau, and the announced result
//! against the hands.

use baccarat::{Deal, Expect, Face, Side};
use events::CardDrawn;

use super::{CoupInPlay, Dealt};
use crate::Code;
use crate::caps::Cap;
use crate::rules::Rules;
use crate::sink::{Accusation, Sink};
use crate::statement::{Advised, AnyOf, ByChart, Cards, OfCards, Third};
use crate::worlds::{Deals, Pool, total_of};

impl CoupInPlay {
    /// A card is drawn for this coup by the event of this sequence.
    pub(crate) fn draw(&mut self, drawn: &CardDrawn, sequence: u64, rules: Option<&Rules>, sink: &mut Sink) {
        let side = drawn.to.side();
        // A card that a ruling takes away is no part of the deal.
        let taken_away = side.is_none() && self.rulings.name(drawn.position);
        let is_carried = self.rulings.begun_mut().is_some_and(|rulings| rulings.is_carried(drawn.position));
        if !is_carried && !taken_away {
            // A card removed without a ruling is only that finding, and not the first card of a hand.
            if side.is_some() {
                self.begin_drawing(rules, sink);
            }
            self.first_card.get_or_insert(sequence);
        }
        if let (Some(side), Some(rules)) = (side, rules) {
            if !each_has_two(&self.deal) {
                self.check_first_four(side, drawn.card, rules, sink);
            } else if self.chemin.is_some() {
                self.check_third(side, drawn, rules, sink);
            } else {
                self.check_third_by_rule(side, drawn.card, rules, sink);
            }
        }
        let in_hand = side.map(|side| self.deal.faces(side).len());
        let given = side.is_some_and(|side| self.deal.give(side, drawn.card));
        if side.is_none() && !self.rulings.remove(drawn.position) {
            sink.forget(Cap::RemovedCards);
        }
        if given || self.dealt.len() < Cap::CardsOfCoup.most() {
            let (position, in_hand) = (drawn.position, in_hand.filter(|_| given));
            let (time, face) = (sink.time(), drawn.card);
            self.dealt.push(Dealt { sequence, time, position, to: side, in_hand, face });
        } else {
            sink.forget(Cap::CardsOfCoup);
        }
    }

    /// What the unread cards of the coup may be: known best once the whole shoe was read.
    pub(crate) const fn allow(&mut self, pool: Pool) {
        self.pool = pool;
    }

    fn begin_drawing(&mut self, rules: Option<&Rules>, sink: &mut Sink) {
        if self.drawn == 0 {
            self.judge_limits(rules, sink);
            if let Some(rules) = rules {
                self.judge_stakes(rules, sink);
            }
            self.deal_without_close(sink);
        }
        // One under another number may have come before the close, and is dealt once the coup is settled.
        let open = !self.closed || sink.sequence() < self.closed_at;
        if self.drawn == 0 && open && !self.number_open {
            let expected = OfCards::BetsClosedFirst;
            sink.accuse(self.accusation(Code::CardBeforeBetsClosed, expected, OfCards::CardBeforeClose));
        }
        self.drawn = self.drawn.saturating_add(1);
    }

    /// Whether the next card of the shoe would be its first.
    pub(crate) const fn awaits_first_card(&self) -> bool {
        self.drawn == 0
    }

    /// One of the first four cards, whose order does not depend on what they are.
    fn check_first_four(&mut self, side: Side, card: Face, rules: &Rules, sink: &Sink) {
        let recorded = || OfCards::CardTo { card, hand: side };
        if self.deal.faces(side).len() >= 3 {
            self.fault_once_full(side, Code::ExtraCard, recorded(), sink);
        } else if let Expect::Card(due) = self.deal.expect(&rules.book)
            && due != side
            && !std::mem::replace(&mut self.misdealt, true)
        {
            let number = u32::from(self.deal.count()) + 1;
            let expected = OfCards::CardNumberTo { number, hand: due };
            self.fault(Code::DealOrder, expected, recorded(), sink);
        }
    }

    /// A third card, which the rules give to a hand or not.
    fn check_third_by_rule(&mut self, side: Side, card: Face, rules: &Rules, sink: &Sink) {
        let recorded = || OfCards::CardTo { card, hand: side };
        let mut deals = self.deals(rules);
        let taken = deals.take(side, card, &rules.book);
        if taken.punto_stood {
            self.fault(Code::PuntoStood, self.why_punto(Third::Draws), recorded(), sink);
        }
        if let Some(code) = taken.surplus {
            self.fault_once_full(side, code, recorded(), sink);
        }
    }

    /// Reports only the first of the cards that a full hand is given.
    pub(crate) fn fault_once_full(&mut self, side: Side, code: Code, recorded: OfCards, sink: &Sink) {
        let full = self.deal.faces(side).len() >= 3;
        if !full || !std::mem::replace(&mut self.overfull[side as usize], true) {
            self.fault(code, self.why_over(code), recorded, sink);
        }
    }

    /// The hands in all their readings that the draws so far leave.
    pub(super) fn deals(&self, rules: &Rules) -> Deals {
        let mut dealt = self.dealt.iter().filter(|dealt| dealt.in_hand.is_some());
        let mut lying = Deal::default();
        while !each_has_two(&lying)
            && let Some(Dealt { to: Some(side), face, .. }) = dealt.next()
        {
            lying.give(*side, *face);
        }
        let mut deals = Deals::of(&lying, self.pool);
        for third in dealt {
            if let Some(side) = third.to {
                deals.take(side, third.face, &rules.book);
            }
        }
        deals
    }

    /// A hand has fewer than two cards; of a number that was played before, and its bets come too late, that is all.
    pub(crate) fn deal_short(&self) -> Option<Accusation> {
        let cards = Cards(self.deal.count().into());
        let short = || self.accusation(Code::DealShort, OfCards::TwoCardsEach, OfCards::Dealt { cards });
        (!self.again).then(short)
    }

    /// The total of a hand's first two cards: where some were not read, all it may be.
    fn two_cards(&self, side: Side) -> AnyOf<u8> {
        let mut totals: Vec<u8> = Vec::new();
        for deal in Deals::of(&self.deal, self.pool).left() {
            totals.push(total_of(deal, side).get());
        }
        totals.sort_unstable();
        totals.dedup();
        AnyOf(totals.into())
    }

    fn why_punto(&self, draw: Third) -> OfCards {
        OfCards::PuntoDue { draw, totals: self.two_cards(Side::Punto), advised: Advised(false) }
    }

    fn why_banca(&self, draw: Third) -> OfCards {
        let totals = self.two_cards(Side::Banca);
        match self.deal.faces(Side::Punto) {
            &[_, _, third] => OfCards::BancaDueAgainstCard { draw, totals, third },
            _ => OfCards::BancaDue { draw, totals, by_chart: ByChart(false) },
        }
    }

    fn why_over(&self, code: Code) -> OfCards {
        if code == Code::PuntoDrew {
            self.why_punto(Third::Stands)
        } else if code == Code::BancaDrew {
            self.why_banca(Third::Stands)
        } else if code == Code::NaturalDrawn {
            OfCards::NoCardAfterNatural
        } else {
            OfCards::NoFourthCard
        }
    }

    /// The same once the coup ended.
    pub(super) fn deals_finished(&self, rules: &Rules) -> Deals {
        let mut deals = self.deals(rules);
        deals.finish(&rules.book);
        deals
    }

    /// The coup is settled: whatever had to be drawn by now is missing.
    pub(crate) fn check_finished(&mut self, rules: &Rules, sink: &mut Sink) {
        if !each_has_two(&self.deal) {
            self.short = true;
            sink.accuse_all(self.deal_short());
            return;
        }
        let mut deals = self.deals(rules);
        let last = deals.finish(&rules.book);
        self.short = last.punto_stood || last.banca_stood;
        if last.punto_stood {
            self.fault(
                Code::PuntoStood,
                self.why_punto(Third::Draws),
                OfCards::Stood { hand: Side::Punto },
                sink,
            );
        }
        if last.banca_stood {
            self.fault(
                Code::BancaStood,
                self.why_banca(Third::Draws),
                OfCards::Stood { hand: Side::Banca },
                sink,
            );
        }
    }
}

pub(crate) fn each_has_two(deal: &Deal) -> bool {
    Side::ALL.into_iter().all(|side| deal.faces(side).len() >= 2)
}
