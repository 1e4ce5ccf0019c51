//! Cards that a ruling removes from play.

use baccarat::Consequence;
use events::{Body, CardDrawn, CorrectionRecorded, Destination, Irregularity, Name, Remark};

use super::{Session, name};
use crate::Fault;

const FACE_UP: &str = "card-face-up";

#[allow(clippy::expect_used, reason = "the remarks made here are short and plain")]
pub(crate) fn remark(text: &str) -> Remark {
    text.parse().expect("a short plain remark")
}

pub(crate) fn inspector() -> Name {
    name("inspector-1")
}

impl Session {
    /// Now and then a card lies face up in the shoe: it is ruled out and leaves the game.
    pub(super) fn meet_card_face_up(&mut self) {
        let consequence = self.book.irregularities.get(FACE_UP).map(|rule| rule.consequence);
        let removed = consequence == Some(Consequence::CardRemoved);
        if self.shoe.position + 8 >= self.shoe.cut {
            return;
        }
        if self.to_show.is_none() && self.wants(Fault::CardRemoved) {
            self.to_show = Some(Fault::CardRemoved);
            self.remove_card();
        } else if self.wants(Fault::SameSigner) {
            let sequence = self.rule(FACE_UP, true);
            self.plant(Fault::SameSigner, sequence, Some(self.coup));
            self.remove_card();
        } else if removed && self.dice.below(500) == 0 {
            self.rule(FACE_UP, false);
            self.remove_card();
        }
    }

    /// A card that was misread is put right, which two people sign.
    pub(crate) fn correct_misread(&mut self) {
        let Some((corrects, drawn)) = self.misread.take() else { return };
        self.correct(corrects, Body::CardDrawn(drawn), "misread card");
    }

    /// Two people sign a correction.
    pub(super) fn correct(&mut self, corrects: u64, corrected: Body, reason: &str) -> u64 {
        self.record(Body::CorrectionRecorded(CorrectionRecorded {
            corrects,
            corrected: Box::new(corrected),
            reason: remark(reason),
            signed_by: [inspector(), name("manager-1")],
        }))
    }

    pub(crate) fn rule(&mut self, code: &str, signed_twice: bool) -> u64 {
        let countersigned_by = if signed_twice { inspector() } else { name("manager-1") };
        self.record(Body::IrregularityRecorded(Box::new(Irregularity {
            code: name(code),
            coup: Some(self.coup),
            positions: vec![self.shoe.position],
            ruling: remark("ruled by the inspector"),
            ruled_by: inspector(),
            countersigned_by: Some(countersigned_by),
        })))
    }

    fn remove_card(&mut self) {
        let (position, card) = self.shoe.draw();
        let drawn = CardDrawn { coup: self.coup, position, card: card.into(), to: Destination::Removed };
        self.record(Body::CardDrawn(drawn));
    }
}
