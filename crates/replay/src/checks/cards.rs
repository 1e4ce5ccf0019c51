//! Each card of a coup against the order of the deal and the tableau (`docs/judging.md`, "A card drawn, or not drawn,
//! against the rules"). What was announced of the hands is compared with them by the reading, which remarks on it.
//!
//! Cards that were not read are any that the shoe may still hold.

use std::collections::BTreeSet;

use baccarat::{Deal, Expect, Face, Rulebook, Side};
use events::CoupSettled;

use super::Checked;
use super::doubt::Open;
use crate::Code;
use crate::reading::{CardRecord, CoupRecord, Told};
use crate::sink::Accusation;
use crate::statement::{Advised, AnyOf, ByChart, Cards, OfCards, Third};
use crate::worlds::{Deals, Pool, total_of};

/// Deals the cards of a coup, of which those that were not read may be any of a pool, and holds what was dealt by its
/// settlement against the rules.
pub(super) fn deal(
    coup: &CoupRecord<'_>,
    settled: Option<&Told<'_, CoupSettled>>,
    rules: &Rulebook,
    pool: Pool,
) -> Dealt {
    let mut dealing = Dealing { pool, ..Dealing::default() };
    let mut read = true;
    for card in &coup.cards {
        if let Some(side) = card.to.side() {
            read &= card.face.card().is_some();
            dealing.take(card, side, rules);
        }
    }
    if let Some(settled) = settled {
        dealing.settle(settled, rules);
    }
    let Dealing { hands, deals, mut checked, .. } = dealing;
    checked.open = Some(Open::CardUnread).filter(|_| !read);
    Dealt { hands, deals, checked }
}

/// The hands of a coup.
pub(super) struct Dealt {
    pub(super) hands: Deal,
    /// All that they may be; `None` if one has not two cards.
    pub(super) deals: Option<Deals>,
    pub(super) checked: Checked,
}

/// The hands as they are dealt, and what is wrong so far.
#[derive(Default)]
struct Dealing {
    hands: Deal,
    /// Once each hand has two cards.
    deals: Option<Deals>,
    misdealt: bool,
    /// For each hand: whether a card too many is reported.
    overfull: [bool; 2],
    pool: Pool,
    checked: Checked,
}

impl Dealing {
    fn take(&mut self, card: &CardRecord, side: Side, rules: &Rulebook) {
        let at = card.corrected_by.or(card.sequence).unwrap_or_default();
        let recorded = OfCards::CardTo { card: card.face, hand: side };
        match &mut self.deals {
            None => self.take_early(at, (card.face, side), recorded, rules),
            Some(deals) => {
                let taken = deals.take(side, card.face, rules);
                if taken.punto_stood {
                    self.find(Code::PuntoStood, at, self.punto_due(Third::Draws), recorded.clone());
                }
                if let Some(code) = taken.surplus {
                    self.find_surplus(code, side, at, recorded);
                }
                self.hands.give(side, card.face);
            }
        }
    }

    /// One of the first four cards: their order does not depend on what they are.
    fn take_early(&mut self, at: u64, (face, side): (Face, Side), recorded: OfCards, rules: &Rulebook) {
        if self.hands.faces(side).len() >= 3 {
            self.find_surplus(Code::ExtraCard, side, at, recorded);
        } else if let Expect::Card(due) = self.hands.expect(rules)
            && due != side
            && !std::mem::replace(&mut self.misdealt, true)
        {
            let expected = OfCards::CardNumberTo { number: u32::from(self.hands.count()) + 1, hand: due };
            self.find(Code::DealOrder, at, expected, recorded);
        }
        self.hands.give(side, face);
        if each_has_two(&self.hands) {
            self.deals = Some(Deals::of(&self.hands, self.pool));
        }
    }

    fn find(&mut self, code: Code, at: u64, expected: OfCards, recorded: OfCards) {
        self.checked.accuse(at, Accusation::new(code, expected, recorded));
    }

    /// Of the cards after a hand is full only the first is a finding, and a natural is overlooked once.
    fn find_surplus(&mut self, code: Code, side: Side, at: u64, recorded: OfCards) {
        let full = self.hands.faces(side).len() >= 3;
        if full && std::mem::replace(&mut self.overfull[side as usize], true)
            || code == Code::NaturalDrawn && self.checked.found.iter().any(|found| found.code == code)
        {
            return;
        }
        let expected = if code == Code::PuntoDrew {
            self.punto_due(Third::Stands)
        } else if code == Code::BancaDrew {
            self.banca_due(Third::Stands)
        } else if code == Code::NaturalDrawn {
            OfCards::NoCardAfterNatural
        } else {
            OfCards::NoFourthCard
        };
        self.find(code, at, expected, recorded);
    }

    fn punto_due(&self, draw: Third) -> OfCards {
        OfCards::PuntoDue { draw, totals: self.two_cards(Side::Punto), advised: Advised(false) }
    }

    fn banca_due(&self, draw: Third) -> OfCards {
        let totals = self.two_cards(Side::Banca);
        match self.hands.faces(Side::Punto) {
            &[_, _, third] => OfCards::BancaDueAgainstCard { draw, totals, third },
            _ => OfCards::BancaDue { draw, totals, by_chart: ByChart(false) },
        }
    }

    /// The total of a hand's first two cards; all that it may be if one was not read.
    fn two_cards(&self, side: Side) -> AnyOf<u8> {
        let deals = Deals::of(&self.hands, self.pool);
        let totals: BTreeSet<u8> = deals.left().iter().map(|deal| total_of(deal, side).get()).collect();
        totals.into_iter().collect()
    }

    /// The coup is settled: whatever had to be drawn by now is missing.
    fn settle(&mut self, settled: &Told<'_, CoupSettled>, rules: &Rulebook) {
        let at = settled.corrected_by.unwrap_or(settled.sequence);
        let Some(deals) = &mut self.deals else {
            let recorded = OfCards::Dealt { cards: Cards(self.hands.count().into()) };
            return self.find(Code::DealShort, at, OfCards::TwoCardsEach, recorded);
        };
        let last = deals.finish(rules);
        if last.punto_stood {
            let recorded = OfCards::Stood { hand: Side::Punto };
            self.find(Code::PuntoStood, at, self.punto_due(Third::Draws), recorded);
        }
        if last.banca_stood {
            let recorded = OfCards::Stood { hand: Side::Banca };
            self.find(Code::BancaStood, at, self.banca_due(Third::Draws), recorded);
        }
    }
}

/// Whether each hand has two cards at least.
pub(super) fn each_has_two(deal: &Deal) -> bool {
    Side::ALL.into_iter().all(|side| deal.faces(side).len() >= 2)
}
