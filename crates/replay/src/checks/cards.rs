//! Each card of a coup against the order of the deal and the tableau (`docs/judging.md`, "A card drawn, or not drawn,
//! against the rules"). What was announced of the hands is compared with them by the reading, which remarks on it.
//!
//! It decides coups of punto y banca in which nothing is ruled, missing or remarked. The others are open. Cards that were
//! not read are any that the shoe may still hold.

use baccarat::{Deal, Expect, Face, Rulebook, Side};
use events::CoupSettled;

use super::Checked;
use super::doubt::{Open, why_open};
use crate::Code;
use crate::coup::drawing::each_has_two;
use crate::reading::{CardRecord, CoupRecord, Told};
use crate::worlds::{Deals, Pool};

/// Checks the cards of a coup.
#[must_use]
pub fn cards(coup: &CoupRecord<'_>, rules: &Rulebook) -> Checked {
    let remarked = Some(Open::Remarked).filter(|_| !coup.follows.is_empty());
    match why_open(coup).or(remarked) {
        Some(open) => Checked::open(open),
        None => deal(coup, rules, Pool::default()).checked,
    }
}

/// Deals the cards of a coup, of which those that were not read may be any of a pool.
pub(super) fn deal(coup: &CoupRecord<'_>, rules: &Rulebook, pool: Pool) -> Dealt {
    let mut dealing = Dealing { pool, ..Dealing::default() };
    let mut read = true;
    for card in &coup.cards {
        if let Some(side) = card.to.side() {
            read &= card.face.card().is_some();
            dealing.take(card, side, rules);
        }
    }
    if let Some(settled) = coup.settlements.first() {
        dealing.settle(settled, rules);
    }
    let Dealing { hands, deals, mut checked, .. } = dealing;
    checked.open = Some(Open::Unread).filter(|_| !read);
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
        match &mut self.deals {
            None => self.take_early(at, card.face, side, rules),
            Some(deals) => {
                let taken = deals.take(side, card.face, rules);
                if taken.punto_stood {
                    self.checked.find(Code::PuntoStood, at);
                }
                taken.surplus.into_iter().for_each(|code| self.find_surplus(code, side, at));
                self.hands.give(side, card.face);
            }
        }
    }

    /// One of the first four cards: their order does not depend on what they are.
    fn take_early(&mut self, at: u64, face: Face, side: Side, rules: &Rulebook) {
        if self.hands.faces(side).len() >= 3 {
            self.find_surplus(Code::ExtraCard, side, at);
        } else if matches!(self.hands.expect(rules), Expect::Card(due) if due != side)
            && !std::mem::replace(&mut self.misdealt, true)
        {
            self.checked.find(Code::DealOrder, at);
        }
        self.hands.give(side, face);
        if each_has_two(&self.hands) {
            self.deals = Some(Deals::of(&self.hands, self.pool));
        }
    }

    /// Of the cards after a hand is full only the first is a finding.
    fn find_surplus(&mut self, code: Code, side: Side, at: u64) {
        let full = self.hands.faces(side).len() >= 3;
        if !full || !std::mem::replace(&mut self.overfull[side as usize], true) {
            self.checked.find(code, at);
        }
    }

    fn settle(&mut self, settled: &Told<'_, CoupSettled>, rules: &Rulebook) {
        let at = settled.corrected_by.unwrap_or(settled.sequence);
        let Some(deals) = &mut self.deals else { return self.checked.find(Code::DealShort, at) };
        let last = deals.finish(rules);
        if last.punto_stood {
            self.checked.find(Code::PuntoStood, at);
        }
        if last.banca_stood {
            self.checked.find(Code::BancaStood, at);
        }
    }
}
