//! What only the reading shows: what was recorded again, or with a wrong value, is a finding, and what follows from it is none
//! (`docs/judging.md`, "Reading"). Where something stands in the record, and under which number, is checked in `order.rs`.

use baccarat::Side;
use events::{Body, CardDrawn};

use super::Checked;
use super::before::Before;
use super::moments::{Moment, What};
use crate::Code;
use crate::identity::Identities;
use crate::reading::{Explanation, Misread, Remark, ShoeRecord, Told};
use crate::sink::Accusation;
use crate::statement::{OfBets, OfCards, OfSeats};

/// The ids of all bets so far: each is used once.
#[derive(Default)]
pub(super) struct BetIds(Identities);

impl BetIds {
    /// Checks a moment.
    #[allow(clippy::wildcard_enum_match_arm, reason = "nothing else is a bet")]
    pub(super) fn check(&mut self, moment: &Moment<'_, '_>) -> Checked {
        let mut checked = Checked::default();
        match moment.what {
            What::Placed(bet) => {
                let placed = bet.placed;
                self.place(&placed, placed.value.bet, placed.value.coup, &mut checked);
            }
            What::Again(told) => {
                if let Body::BetPlaced(placed) = told.value {
                    self.place(told, placed.bet, placed.coup, &mut checked);
                }
            }
            _ => {}
        }
        checked
    }

    fn place<T>(&mut self, told: &Told<'_, T>, bet: u64, coup: u32, checked: &mut Checked) {
        if !self.0.insert(bet) {
            let reused = Accusation::new(Code::BetIdReused, OfBets::IdUnused, OfBets::Bet { bet });
            checked.accuse(told.corrected_by.unwrap_or(told.sequence), reused.in_coup(coup));
        }
    }
}

/// Checks what is remarked on the recording of a shoe and shows in no record.
pub(super) fn remarks(shoe: &ShoeRecord<'_>, before: &Before<'_>) -> Checked {
    let mut checked = Checked::default();
    for remark in &shoe.remarks {
        followed(remark).iter().for_each(|of| remarked(shoe, of, before, &mut checked));
    }
    checked
}

/// The explanation by which the record is understood.
fn followed(remark: &Remark) -> &[Explanation] {
    remark.alternatives.first().map_or(&[], Vec::as_slice)
}

fn remarked(shoe: &ShoeRecord<'_>, of: &Explanation, before: &Before<'_>, checked: &mut Checked) {
    match *of {
        Explanation::Doubled { at, coup, .. } => {
            let again = shoe.again.iter().find(|told| told.sequence == at);
            again.into_iter().for_each(|told| doubled(told, coup, checked));
        }
        Explanation::Misread { at, coup, what: Misread::Bet(bet) } => {
            let unknown = Accusation::new(Code::BetUnknown, OfBets::StandsInCoup, OfBets::Bet { bet });
            checked.accuse(at, unknown.in_coup(coup));
        }
        Explanation::Misread { at, coup, what: Misread::Hand } => {
            let dealt = shoe.coups.iter().flat_map(|coup| &coup.cards);
            let is = dealt.filter(|card| card.sequence == Some(at)).find_map(|card| card.to.side());
            let said = before.event(at).map(|event| &event.body);
            if let (Some(hand), Some(Body::CardDrawn(drawn))) = (is, said) {
                misdealt(at, coup, hand, drawn, checked);
            }
        }
        Explanation::Misread { .. }
        | Explanation::Lost { .. }
        | Explanation::Moved { .. }
        | Explanation::Mislabelled { .. }
        | Explanation::Departed { .. } => {}
    }
}

/// Something was recorded again. Cards, burns and bets are checked where they stand.
#[allow(clippy::wildcard_enum_match_arm, reason = "what else is doubled is checked where it stands")]
fn doubled(told: &Told<'_, Body>, coup: u32, checked: &mut Checked) {
    match told.value {
        Body::PuntoHolder(_) => {
            let (expected, recorded) = (OfSeats::HolderOnce, OfSeats::HolderAgain);
            let late = Accusation::new(Code::PuntoHolderLate, expected, recorded);
            checked.accuse(told.sequence, late.in_coup(coup));
        }
        Body::BetWithdrawn(withdrawn) => {
            let recorded = OfBets::TakenBack { bet: withdrawn.bet };
            let unknown = Accusation::new(Code::BetUnknown, OfBets::StandsInCoup, recorded);
            checked.accuse(told.sequence, unknown.in_coup(coup));
        }
        _ => {}
    }
}

/// A card is recorded for the other hand than it went to.
fn misdealt(at: u64, coup: u32, hand: Side, drawn: &CardDrawn, checked: &mut Checked) {
    let Some(said) = drawn.to.side().filter(|said| *said != hand) else { return };
    let card = drawn.card;
    let expected = OfCards::CardTo { card, hand };
    let accusation = Accusation::new(Code::DealOrder, expected, OfCards::CardTo { card, hand: said });
    checked.accuse(at, accusation.in_coup(coup));
}
