//! What is ruled and signed for: irregularities, void coups, corrections.
//!
//! The ruling itself is only attested; what has to follow from it is judged. A correction never
//! takes back what was found: the finding stays, and the corrected event is judged beside it.

use std::collections::BTreeMap;

use baccarat::{Money, Settlement};
use events::{Body, CardDrawn, CorrectionRecorded, CoupSettled, CoupVoided, Irregularity, Name};

use super::{BURN_NOT_RECORDED, Table};
use crate::coup::{CoupInPlay, Standing};
use crate::settlement::judge_payouts;
use crate::sink::{Accusation, Sink, seat_money};
use crate::{Code, Reason};

impl Table {
    pub(super) fn attest(&mut self, irregularity: &Irregularity) {
        self.tally.attested.irregularities += 1;
        self.check_signers([Some(&irregularity.ruled_by), irregularity.countersigned_by.as_ref()]);
        if irregularity.code.as_str() == BURN_NOT_RECORDED
            && let Some(shoe) = self.shoe.as_mut()
        {
            self.tally.attested.burns_unknown += u64::from(shoe.burn_not_recorded());
        }
        let past = self.last.as_ref().map(|last| last.play.number);
        match self.play.as_mut() {
            Some(play) if irregularity.coup.is_none_or(|coup| coup == play.number) => {
                play.rulings.add(irregularity, self.in_force.rules());
            }
            None if irregularity.coup.is_none() || irregularity.coup != past => {
                self.rulings_before.add(irregularity, self.in_force.rules());
            }
            Some(_) | None => {}
        }
    }

    fn check_signers(&mut self, signers: [Option<&Name>; 2]) {
        if let [Some(one), Some(other)] = signers
            && one == other
        {
            let accusation =
                Accusation::new(Code::SameSigner, "two people's signatures", format!("{one} twice"));
            self.sink.accuse(accusation);
        }
    }

    pub(super) fn void(&mut self, voided: &CoupVoided) {
        self.tally.attested.voids += 1;
        self.check_signers([Some(&voided.ruled_by), voided.countersigned_by.as_ref()]);
        if self.play.is_none()
            && let Some(last) = self.last.as_mut().filter(|last| last.play.number == voided.coup)
        {
            last.voided = true;
            self.dealing.end_coup(None);
            return self.claim_late(voided.coup);
        }
        self.begin(voided.coup);
        if let Some(play) = self.play.as_mut() {
            play.voided = true;
            play.doubt(Reason::Voided);
            self.dealing.end_coup(None);
        }
    }

    /// Another settlement of the coup settled last: after a void it gives the stakes back.
    pub(super) fn settle_again(&mut self, settled: &CoupSettled) {
        let Some(mut last) = self.last.take() else { return };
        if last.voided {
            last.voided = false;
            let mut play = last.play;
            play.stand_again();
            judge_refund(&mut play, settled, &mut self.sink);
            last.play = play;
        } else {
            let accusation =
                Accusation::new(Code::CoupSettledTwice, "one settlement", "another").in_coup(settled.coup);
            self.sink.accuse(accusation);
        }
        self.last = Some(last);
    }

    /// A void coup's stakes come back.
    pub(super) fn refund(&mut self, settled: CoupSettled) {
        if let Some(play) = self.play.as_mut() {
            judge_refund(play, &settled, &mut self.sink);
        }
        self.write_findings();
        self.leave_coup_open();
        self.end_coup(Some(settled), None, &[]);
    }

    pub(super) fn correct(&mut self, correction: CorrectionRecorded) {
        self.tally.attested.corrections += 1;
        let [one, other] = &correction.signed_by;
        self.check_signers([Some(one), Some(other)]);
        let CorrectionRecorded { corrects, corrected, .. } = correction;
        if corrects == 0 || corrects >= self.place.sequence {
            let expected = format!("an event before sequence {}", self.place.sequence);
            self.sink.accuse(Accusation::new(
                Code::CorrectionTarget,
                expected,
                format!("sequence {corrects}"),
            ));
            return;
        }
        if self.last.as_ref().is_some_and(|last| last.sequence == corrects) {
            return self.correct_settlement(*corrected);
        }
        let shoe_began = self.shoe.as_ref().map_or(u64::MAX, |shoe| shoe.began);
        if self.play.is_some() && corrects >= self.play_began.sequence {
            self.correct_in_coup(corrects, &corrected);
        } else if let (Some(shoe), true) = (self.shoe.as_mut(), corrects >= shoe_began)
            && matches!(*corrected, Body::ShoeLoaded(_) | Body::BurnCards(_) | Body::CutCardDrawn(_))
        {
            shoe.leave_open(Reason::Corrected);
        }
    }

    /// The settlement recorded last is corrected: the corrected one is judged in its place.
    fn correct_settlement(&mut self, corrected: Body) {
        let Some(mut last) = self.last.take() else { return };
        let told = corrected.name();
        let settled = if let Body::CoupSettled(settled) = corrected { Some(settled) } else { None };
        match settled.filter(|settled| settled.coup == last.play.number && !last.voided) {
            Some(settled) => {
                if let (Some(rules), true) = (self.rules(), self.chemin.is_some()) {
                    last.play.stand_again();
                    let winner = last.play.check_announced(&settled, &mut self.sink);
                    last.play.judge_even_payouts(&settled, winner, &rules, &mut self.sink);
                } else if let (Some(rules), Some(before)) = (self.rules(), &last.settled) {
                    self.boxes.unmark(&last.play.bets, before, &rules);
                    last.play.stand_again();
                    let hands = last.play.check_result(&settled, &mut self.sink);
                    let (boxes, sink) = (&mut self.boxes, &mut self.sink);
                    judge_payouts(&mut last.play, &settled, hands.as_ref(), &rules, boxes, sink);
                }
                (last.sequence, last.settled) = (self.place.sequence, Some(settled));
            }
            None => {
                let expected = format!("a settlement of coup {}", last.play.number);
                self.sink.accuse(Accusation::new(Code::CorrectionTarget, expected, told));
            }
        }
        self.last = Some(last);
    }

    /// An event of the coup in play is corrected: the coup is judged as corrected, and stays
    /// undecided, for which of the two stories is true is only attested.
    fn correct_in_coup(&mut self, corrects: u64, corrected: &Body) {
        let Some(play) = self.play.as_mut() else { return };
        play.doubt(Reason::Corrected);
        if let Body::CardDrawn(drawn) = corrected {
            self.correct_card(corrects, drawn);
        } else if let (Body::BankSettled(settled), Some(rules)) = (corrected, self.in_force.rules()) {
            play.forget_account();
            play.settle_bank(settled, rules, &mut self.sink);
        } else if let Body::BetPlaced(placed) = corrected {
            let rules = self.in_force.rules().map(|rules| (rules, self.ranges.as_slice()));
            play.place_anew(placed, rules, &mut self.sink);
        }
    }

    fn correct_card(&mut self, corrects: u64, drawn: &CardDrawn) {
        let Some(play) = self.play.as_mut() else { return };
        match (play.correct_card(corrects, drawn), self.shoe.as_mut()) {
            (Some(taken_for), Some(shoe)) => shoe.correct(drawn.position, taken_for, drawn.card),
            (Some(_), None) => {}
            (None, _) => {
                let expected = format!("the hand and position of the card at sequence {corrects}");
                let recorded = format!("{} at position {}", drawn.card, drawn.position);
                let accusation = play.accusation(Code::CorrectionTarget, expected, recorded);
                self.sink.accuse(accusation);
            }
        }
    }
}

/// Play goes on after a void coup, and nothing says that its stakes came back.
pub(super) fn judge_no_refund(play: &CoupInPlay) -> Option<Accusation> {
    let standing = || play.bets.iter().filter(|bet| bet.standing == Standing::Stands);
    standing().next()?;
    let mut by_seat: BTreeMap<u8, Money> = BTreeMap::new();
    for bet in standing() {
        let sum = by_seat.entry(bet.seat).or_default();
        *sum = sum.plus(bet.stake);
    }
    let expected = format!("{} stakes returned", standing().count());
    let money = by_seat.into_iter().map(|(seat, sum)| seat_money(seat, Money::ZERO, sum)).collect();
    Some(play.accusation(Code::VoidStakeKept, expected, "none recorded").moving(money))
}

/// Every stake of a void coup comes back, whole and without commission.
fn judge_refund(play: &mut CoupInPlay, settled: &CoupSettled, sink: &mut Sink) {
    let wrong = |play: &CoupInPlay, at: usize, got: Option<Settlement>| {
        let bet = &play.bets[at];
        let recorded = got.map_or_else(
            || "left out".to_owned(),
            |got| format!("{} returned, commission {}", got.returned, got.commission),
        );
        let returned = got.map_or(Money::ZERO, |got| got.returned);
        play.accusation(Code::VoidStakeKept, format!("bet {}: {} returned", bet.id, bet.stake), recorded)
            .moving(vec![seat_money(bet.seat, returned, bet.stake)])
    };
    for comparison in crate::settlement::match_bets(play, settled, sink) {
        let stake = play.bets[comparison.bet].stake;
        let due = Settlement { returned: stake, commission: Money::ZERO };
        if play.bets[comparison.bet].standing != Standing::WithdrawnLate && comparison.recorded != Some(due) {
            sink.accuse(wrong(play, comparison.bet, comparison.recorded));
        }
    }
}
