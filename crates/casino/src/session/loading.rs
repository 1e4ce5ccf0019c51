//! Loads a shoe, burns its cards and ends it.

use baccarat::{BurnMethod, Face};
use events::{Body, BurnCards, Hex32, OrderReveal, ShoeEnded, ShoeLoaded};

use super::shoe::Shoe;
use super::{Session, Stage, name};
use crate::Fault;
use crate::forge::is_forged;

impl Session {
    fn decks(&mut self) -> (u8, u8) {
        let allowed: Vec<u8> = self.book.shoe.decks.iter().copied().collect();
        let decks = self.dice.pick(&allowed).copied().unwrap_or(8);
        let other = (4..=12).find(|other| !allowed.contains(other) && *other != decks);
        match other {
            Some(other) if self.wants_in_shoe(Fault::WrongDecks) => (other, other),
            _ if self.wants_in_shoe(Fault::ShoeShort) && decks > 1 => (decks - 1, decks),
            _ => (decks, decks),
        }
    }

    pub(crate) fn load(&mut self) {
        self.shoe_number += 1;
        (self.coup, self.coups_left) = (0, None);
        let (decks, recorded) = self.decks();
        let least = self.book.cut_card.cards_behind;
        let mut behind = least + u16::try_from(self.dice.below(20)).unwrap_or_default();
        if self.target.is_some_and(|target| target.fault == Fault::CoupAfterLast) {
            behind = least + 20;
        } else if self.wants_in_shoe(Fault::CutTooDeep) {
            behind = least - 1;
        } else if let Some(front) = self.cards_in_front {
            behind = (u16::from(decks) * 52).saturating_sub(front).max(least);
        }
        self.shoe = Shoe::shuffled(decks, recorded, behind, &mut self.dice);
        self.shoe_name = Some(name(&format!("S-{}-{}", self.table, self.shoe_number)));
        let shapes = |fault: &Fault| !is_forged(*fault) || fault.needs_unknown_order();
        let fault = self.target.map(|target| target.fault).filter(shapes);
        let of_the_cut = [Fault::CutMissing, Fault::CutMoved, Fault::CutTooDeep];
        let counted = of_the_cut.into_iter().any(|fault| self.is_asked(fault)) || self.dice.chance(60);
        let commits = self.is_asked(Fault::OrderBroken) || (fault.is_none() && self.dice.chance(30));
        self.nonce = commits.then(|| self.dice.bytes());
        let sequence = self.record_loaded(counted.then_some(behind));
        for (fault, differs) in [
            (Fault::WrongDecks, !self.book.shoe.decks.contains(&decks)),
            (Fault::ShoeShort, decks != recorded),
            (Fault::CutTooDeep, behind < least),
        ] {
            if differs && self.wants_in_shoe(fault) {
                self.plant(fault, sequence, None);
            }
        }
        self.burn();
        self.stage = Stage::Coup;
    }

    fn record_loaded(&mut self, cards_behind_cut: Option<u16>) -> u64 {
        let shown =
            self.to_show.filter(|fault| matches!(fault, Fault::BoxNotCollected | Fault::ShoeNotEnded));
        let serial = |number| name(&format!("D{:04}", 17 * u64::from(self.shoe_number) + number));
        let loaded = ShoeLoaded {
            shoe: self.shoe_name.clone().unwrap_or_else(|| name("S")),
            decks: self.shoe.decks,
            cards: self.shoe.count(),
            cards_behind_cut,
            deck_serials: (0..u64::from(self.shoe.decks)).map(serial).collect(),
            back_colours: vec![name("red"), name("blue")],
            order_commitment: self.nonce.map(|nonce| self.commitment(&nonce)),
        };
        let sequence = self.record(Body::ShoeLoaded(Box::new(loaded.clone())));
        self.loaded = Some((sequence, loaded));
        if let Some(fault) = shown {
            self.plant(fault, sequence, None);
        }
        sequence
    }

    fn commitment(&self, nonce: &[u8; 32]) -> Hex32 {
        let mut bytes = nonce.to_vec();
        bytes.extend(
            self.shoe
                .cards
                .iter()
                .map(|card| card.suit.map_or(52, |suit| suit as u8 * 13) + card.rank.number()),
        );
        Hex32(*blake3::hash(&bytes).as_bytes())
    }

    fn burn(&mut self) {
        if self.book.burn.method == BurnMethod::None || self.wants_in_shoe(Fault::BurnMissing) {
            return;
        }
        let (_, indicator) = self.shoe.draw();
        let due = match self.book.burn.method {
            BurnMethod::Indicator { values } => values[usize::from(indicator.rank.number()) - 1],
            BurnMethod::Decks => self.shoe.decks,
            BurnMethod::Fixed { count } => count,
            BurnMethod::None => 0,
        };
        let fault = [Fault::BurnShort, Fault::BurnOver, Fault::BurnUnread]
            .into_iter()
            .find(|fault| self.wants_in_shoe(*fault));
        let burned = match fault {
            Some(Fault::BurnShort) => due - 1,
            // No indicator asks for 14 cards, and this one is not shown.
            Some(Fault::BurnUnread) => 14,
            Some(_) => due + 1,
            None => due,
        };
        let read = self.dice.chance(20);
        let faces: Vec<Face> = (0..burned)
            .map(|_| if read { Face::Seen(self.shoe.draw().1) } else { Face::Seen(self.shoe.take().1) })
            .collect();
        let faces = if read { faces } else { Vec::new() };
        let shown = if fault == Some(Fault::BurnUnread) { Face::Unseen } else { indicator.into() };
        let sequence = self.record(Body::BurnCards(BurnCards { indicator: shown, burned, faces }));
        if let Some(fault) = fault {
            self.plant(fault, sequence, None);
        }
    }

    /// Whether the last coup was played, or too few cards are left for one: two faults may take what was left.
    pub(super) fn shoe_is_over(&self) -> bool {
        if self.shoe.ahead().len() < 6 {
            return true;
        }
        if self.coups_left != Some(0) {
            return false;
        }
        !(self.wants(Fault::CoupAfterLast) && self.shoe.left() > 6)
    }

    pub(crate) fn end_shoe(&mut self) {
        if self.wants(Fault::ShoeNotEnded) {
            self.to_show = Some(Fault::ShoeNotEnded);
        } else {
            self.record_ended();
        }
        self.stage = Stage::Load;
    }

    fn record_ended(&mut self) {
        let left = self.shoe.left();
        let wrong = self.wants(Fault::CardsLeftWrong);
        let broken = self.nonce.is_some() && self.wants(Fault::OrderBroken);
        let nonce = self.nonce.take();
        let mut order: Vec<Face> = self.shoe.cards.iter().map(|card| Face::Seen(*card)).collect();
        if broken && let Some(other) = (1..order.len()).find(|at| order[*at] != order[0]) {
            order.swap(0, other);
        }
        let reveal = nonce.map(|nonce| OrderReveal { nonce: Hex32(nonce), order });
        let cards_left = if wrong { left + 1 } else { left };
        let sequence = self.record(Body::ShoeEnded(ShoeEnded { cards_left, reveal }));
        for (fault, planted) in [(Fault::CardsLeftWrong, wrong), (Fault::OrderBroken, broken)] {
            if planted {
                self.plant(fault, sequence, None);
            }
        }
    }
}
