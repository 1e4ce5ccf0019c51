//! Decisions that a correction changes once cards are out.

use events::{Body, Holder, PuntoHolder, ShoeLoaded};

use super::Session;
use crate::Fault;

/// A decision that is corrected after the next card.
#[derive(Debug, Clone)]
pub(super) struct ToCorrect {
    fault: Fault,
    corrects: u64,
    corrected: Body,
    /// Whether it decides a coup, which is then the one in play.
    in_coup: bool,
}

impl Session {
    /// The event recorded last is corrected after the next card, and the correction shows the fault.
    pub(crate) fn correct_after_card(&mut self, fault: Fault, corrected: Body, in_coup: bool) {
        self.to_show = Some(fault);
        self.to_correct = Some(ToCorrect { fault, corrects: self.sequence, corrected, in_coup });
    }

    /// Whether punto's cards are given to the wrong holder now.
    pub(crate) fn wants_wrong_holder(&self) -> bool {
        self.wants(Fault::HolderWrong) || self.wants(Fault::HolderCorrected)
    }

    /// Punto's cards are given to their holder, who may be another than the right one.
    pub(crate) fn give_cards(&mut self, given: Holder, right: Holder) {
        let coup = self.coup;
        let corrected = self.wants(Fault::HolderCorrected);
        let sequence = self.record(Body::PuntoHolder(PuntoHolder { coup, holder: given }));
        if given == right {
            return;
        }
        if corrected {
            let body = Body::PuntoHolder(PuntoHolder { coup, holder: right });
            self.correct_after_card(Fault::HolderCorrected, body, true);
        } else {
            self.plant(Fault::HolderWrong, sequence, Some(coup));
        }
    }

    /// A card was dealt: what waits for it is corrected.
    pub(super) fn correct_decisions(&mut self) {
        if let Some(ToCorrect { fault, corrects, corrected, in_coup }) = self.to_correct.take() {
            let sequence = self.correct(corrects, corrected, "recorded wrongly");
            self.plant(fault, sequence, in_coup.then_some(self.coup));
        } else if self.wants(Fault::ShoeCorrected)
            && let Some((corrects, loaded)) = self.loaded.clone()
        {
            let corrected = ShoeLoaded { cards: loaded.cards - 52, ..loaded };
            let sequence = self.correct(corrects, Body::ShoeLoaded(Box::new(corrected)), "recorded wrongly");
            self.plant(Fault::ShoeCorrected, sequence, None);
        }
    }

    /// An event of the coup in play, or of what came between it and the one before, is corrected now.
    pub(crate) fn correct_now(&mut self, fault: Fault, corrects: u64, corrected: Body) {
        let sequence = self.correct(corrects, corrected, "recorded wrongly");
        self.plant(fault, sequence, Some(self.coup));
    }

    /// The last event since the coup before that fits, and its sequence.
    pub(crate) fn recorded(&mut self, fits: impl Fn(&Body) -> bool) -> Option<(u64, &mut Body)> {
        let line = self.out.iter_mut().rev().find(|line| fits(&line.event))?;
        Some((line.sequence, &mut line.event))
    }
}
