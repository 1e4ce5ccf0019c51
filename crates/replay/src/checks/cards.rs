//! Each card of a coup against the order of the deal and the tableau (`docs/judging.md`, "A card drawn, or not drawn,
//! against the rules"). What was announced of the hands is compared with them by the reading, which remarks on it.
//!
//! It decides coups of punto y banca of which every card was read and nothing is ruled, missing or remarked. The others are
//! open.

use baccarat::{Deal, Expect, Face, Rulebook, Side};
use events::{Body, CoupSettled};

use super::Checked;
use crate::coup::drawing::each_has_two;
use crate::reading::{CardRecord, CoupRecord, Told};
use crate::worlds::{Deals, Pool};
use crate::{Code, Reason};

/// Checks the cards of a coup.
#[must_use]
pub fn cards(coup: &CoupRecord<'_>, rules: &Rulebook) -> Checked {
    if let Some(reason) = why_open(coup) {
        return Checked::open(reason);
    }
    let mut dealing = Dealing::default();
    for card in &coup.cards {
        if let Some(side) = card.to.side() {
            dealing.take(card, side, rules);
        }
    }
    let void = coup.rulings.iter().any(|ruled| matches!(ruled.value, Body::CoupVoided(_)));
    if let Some(settled) = coup.settlements.first().filter(|_| !void) {
        dealing.settle(settled, rules);
    }
    dealing.checked
}

fn why_open(coup: &CoupRecord<'_>) -> Option<Reason> {
    let ruled =
        |told: &Told<'_, Body>| matches!(told.value, Body::IrregularityRecorded(_) | Body::CardReplaced(_));
    if !coup.missing.is_empty() || coup.unexplained || !coup.follows.is_empty() {
        Some(Reason::EventsMissing)
    } else if coup.rulings.iter().any(ruled) {
        Some(Reason::Ruled)
    } else if coup.cards.iter().any(|card| card.face.card().is_none()) {
        Some(Reason::CardUnread)
    } else {
        None
    }
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
            self.deals = Some(Deals::of(&self.hands, Pool::default()));
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
