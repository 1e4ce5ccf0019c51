//! Moves cards from the shoe to a hand, the same way in every game.

use baccarat::{Card, Face, Rank, Side, Winner};
use events::{Body, CardDrawn, CutCardDrawn, Destination};

use super::Session;
use crate::Fault;

impl Session {
    /// Sequence of the next event.
    pub(crate) const fn next_sequence(&self) -> u64 {
        self.sequence + 1
    }

    /// The next card goes to a hand; the cut card comes out before it where it lies there.
    pub(crate) fn deal_to(&mut self, deal: &mut baccarat::Deal, side: Side) -> u64 {
        self.meet_cut_card(deal.count() == 0);
        if deal.count() > 0 {
            self.meet_card_face_up();
        }
        if self.wants(Fault::DuplicateCard) && self.shoe.forge_next() {
            let sequence = self.draw(deal, side);
            self.plant(Fault::DuplicateCard, sequence, Some(self.coup));
            return sequence;
        }
        let far = self.shoe.position + 8 < self.shoe.cut;
        if far && deal.count() == 1 && self.wants(Fault::MissingEvent) {
            let (_, card) = self.shoe.draw();
            self.drawn.push(card);
            deal.give(side, card.into());
            self.lose();
            let sequence = self.next_sequence();
            self.plant(Fault::MissingEvent, sequence, Some(self.coup));
            return sequence;
        }
        if far && self.wants(Fault::PositionSkipped) {
            self.shoe.take();
            let sequence = self.draw(deal, side);
            self.plant(Fault::PositionSkipped, sequence, Some(self.coup));
            return sequence;
        }
        if far && deal.count() > 0 && self.wants(Fault::PositionRepeated) {
            self.shoe.position -= 1;
            let sequence = self.draw(deal, side);
            self.plant(Fault::PositionRepeated, sequence, Some(self.coup));
            return sequence;
        }
        let sequence = self.draw(deal, side);
        if self.to_show == Some(Fault::CutMissing) {
            self.plant(Fault::CutMissing, sequence, Some(self.coup));
        } else if self.to_show == Some(Fault::DealKept) {
            self.plant(Fault::DealKept, sequence, Some(self.coup));
        } else if self.shoe.position == 2 && self.wants_missing_burn() {
            self.plant(Fault::BurnMissing, sequence, Some(self.coup));
        }
        self.correct_decisions();
        sequence
    }

    fn draw(&mut self, deal: &mut baccarat::Deal, side: Side) -> u64 {
        let (position, card) = self.shoe.draw();
        self.drawn.push(card);
        deal.give(side, Face::Seen(card));
        let to = Destination::from(side);
        let drawn = CardDrawn { coup: self.coup, position, card: card.into(), to };
        if self.misread.is_some() || !self.varies(1) {
            return self.record(Body::CardDrawn(drawn));
        }
        let misread = Face::Seen(Card { rank: other_rank(card.rank), ..card });
        let sequence = self.record(Body::CardDrawn(CardDrawn { card: misread, ..drawn.clone() }));
        self.misread = Some((sequence, drawn));
        sequence
    }

    /// The cut card comes out where it is due: instead of a coup's first card, or later.
    fn meet_cut_card(&mut self, first: bool) {
        if self.shoe.cut_out || self.shoe.position < self.shoe.cut {
            return;
        }
        self.shoe.cut_out = true;
        let counted = u32::from(first && self.book.cut_card.first_card_counts);
        self.coups_left = Some(self.book.cut_card.last_coup.coups_after().saturating_sub(counted));
        if self.wants(Fault::CutMissing) {
            self.to_show = Some(Fault::CutMissing);
            return;
        }
        let moved = self.wants(Fault::CutMoved);
        let position = self.shoe.position + u16::from(moved);
        let sequence = self.record(Body::CutCardDrawn(CutCardDrawn { position }));
        if moved {
            self.plant(Fault::CutMoved, sequence, None);
        }
    }
}

/// The rank a card is taken for.
fn other_rank(rank: Rank) -> Rank {
    Rank::from_number(rank.number() % 13 + 1).unwrap_or(rank)
}

/// Another winner than the right one.
pub(crate) const fn other_winner(winner: Winner) -> Winner {
    match winner {
        Winner::Punto => Winner::Banca,
        Winner::Banca | Winner::Tie => Winner::Punto,
    }
}
