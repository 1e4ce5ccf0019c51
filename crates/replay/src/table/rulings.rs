//! Rulings on irregularities, and corrections. (Voids are in `voids.rs`.)
//!
//! The log only attests the ruling itself; the judge checks what has to follow from it. A corrected event is
//! judged as the correction has it, at the event's own position.

use baccarat::BurnMethod;
use events::{Body, CorrectionRecorded, Event, Irregularity};

use super::{BURN_CORRECTED, BURN_NOT_RECORDED, Seen, Table};
use crate::Statement;
use crate::caps::Cap;
use crate::record::{Reseated, Revision};
use crate::rules::Rules;
use crate::settled_before::{self, Moment};
use crate::sink::Accusation;
use crate::statement::{OfBets, OfRecord, OfRulings, OfShoe, OfTable};
use crate::{Code, Reason};

impl Table {
    /// Something is ruled; returns the coup that is subject to it, if that is over.
    pub(super) fn attest(&mut self, irregularity: &Irregularity) -> Option<Revision> {
        self.stand_in_known(irregularity.coup);
        self.sign(irregularity);
        self.rule_on(irregularity)
    }

    /// The same of a coup that waits: who signs is judged now.
    pub(super) fn sign_ahead(&mut self, irregularity: &Irregularity) {
        let coup = irregularity.coup.or(self.last_waiting());
        self.of_coming(coup, |table| {
            table.sink.enter(coup);
            table.sign(irregularity);
        });
    }

    fn sign(&mut self, irregularity: &Irregularity) {
        let provided = |rules: &Rules| rules.book.irregularities.contains_key(irregularity.code.as_str());
        if !self.in_force.rules().is_some_and(provided)
            && let Some(shoe) = self.shoe.as_mut()
        {
            shoe.rule_on(&irregularity.positions);
        }
        self.tally.summary.attested.irregularities += 1;
        let is_ruling = irregularity.code.as_str() != BURN_NOT_RECORDED;
        self.check_signers(&irregularity.ruled_by, irregularity.countersigned_by.as_ref(), is_ruling);
        self.sink.enter(None);
    }

    /// What is ruled binds the coup it names, or the one in play.
    pub(super) fn rule_on(&mut self, irregularity: &Irregularity) -> Option<Revision> {
        if irregularity.code.as_str() == BURN_NOT_RECORDED
            && let Some(shoe) = self.shoe.as_mut()
        {
            let burns =
                !matches!(self.in_force.rules(), Some(rules) if rules.book.burn.method == BurnMethod::None);
            self.tally.summary.attested.burns_unknown += u64::from(burns && shoe.burn_not_recorded());
            return None;
        }
        if irregularity.code.as_str() == BURN_CORRECTED {
            self.shoe.iter_mut().for_each(|shoe| shoe.rule_on_burn());
        }
        let past = |coup: Option<u32>| coup.is_some_and(|coup| self.over.last_of(coup).is_some());
        let kept = match self.play.as_mut() {
            Some(play) if irregularity.coup.is_none_or(|coup| coup == play.number) => {
                play.ruled = true;
                play.rulings.add(irregularity, self.in_force.rules())
            }
            None if irregularity.coup.is_none() || !past(irregularity.coup) => {
                self.rulings_before.add(irregularity, self.in_force.rules())
            }
            Some(_) | None => return self.rule_on_past(irregularity.coup?),
        };
        if !kept {
            self.sink.forget(Cap::RulingsOfCoup);
        }
        None
    }

    /// What is said of a coup belongs to it where it is known, else to the coup in play, else to the shoe.
    pub(super) fn stand_in_known(&mut self, coup: Option<u32>) {
        let in_play = self.play.as_ref().map(|play| play.number);
        let known = coup.filter(|coup| in_play == Some(*coup) || self.over.last_of(*coup).is_some());
        self.sink.enter(known.or(in_play.filter(|_| coup.is_none())));
    }

    /// An event before should have said something else; gives which, where it can be played back so.
    pub(super) fn correct(&mut self, correction: &CorrectionRecorded, seen: &Seen<'_>) -> Option<Revision> {
        self.tally.summary.attested.corrections += 1;
        let [one, other] = &correction.signed_by;
        let target = seen.event(correction.corrects);
        let about = target.as_ref().and_then(|event| event.body.coup());
        let in_play = self.play.as_ref().map(|play| play.number);
        let waits = about.filter(|coup| in_play != Some(*coup) && self.is_waiting(*coup));
        self.of_coming(waits, |table| {
            match waits {
                Some(_) => table.sink.enter(waits),
                None => table.stand_in_known(about),
            };
            table.check_signers(one, Some(other), true);
            let revision = table.corrected(correction, target, seen);
            table.sink.enter(None);
            revision
        })
    }

    fn corrected(
        &mut self,
        correction: &CorrectionRecorded,
        target: Option<Event>,
        seen: &Seen<'_>,
    ) -> Option<Revision> {
        let (sequence, target) = self.meant(correction.corrects, target, seen);
        if sequence == 0 || sequence >= seen.location.sequence {
            let expected = OfRulings::EarlierEvent { sequence: seen.location.sequence };
            let recorded = OfRecord::Sequence { sequence };
            self.sink.accuse(Accusation::new(Code::CorrectionTarget, expected, recorded));
            return None;
        }
        let wrong = target.as_ref().and_then(|event| {
            let why = cannot_become(&event.body, &correction.corrected)?;
            Some((event.body.coup(), why))
        });
        if let Some((coup, (expected, recorded))) = wrong {
            let accusation = Accusation::new(Code::CorrectionTarget, expected, recorded);
            self.sink.accuse(Accusation { coup, ..accusation });
            return None;
        }
        if sequence < seen.first {
            self.note_out_of_reach(correction);
            return self.corrected_out_of_reach(sequence, target, correction, seen);
        }
        let Some(event) = target else {
            // It is missing, so it is not known what was recorded there.
            self.note_out_of_reach(correction);
            if let Some(shoe) = self.shoe.as_mut() {
                shoe.leave_open(Reason::Corrected);
            }
            return None;
        };
        let kind = settled_before::kind(&event.body)?;
        let coup = seen.known.label_of(sequence).or(event.body.coup());
        match kind.until.filter(|moment| self.is_past(*moment, sequence, coup)) {
            None => {
                self.note_observed((sequence, &event.body), coup, correction);
                Some(Revision::Corrected { sequence })
            }
            Some(Moment::CoupBegun) => {
                // Among events of a coup that waits it is in that coup.
                let waits = self.last_waiting().filter(|_| self.last_waits);
                self.of_coming(waits, |table| {
                    let (expected, recorded) = (OfTable::CorrectedBefore, OfTable::CorrectedAfterwards);
                    let accusation = Accusation::new(Code::LimitsInCoup, expected, recorded);
                    table.sink.accuse(waits.into_iter().fold(accusation, Accusation::in_coup));
                });
                None
            }
            Some(Moment::FirstCard | Moment::NextCard) => {
                Some(self.correct_late(kind, (sequence, &event.body), correction, seen))
            }
        }
    }

    /// The event that should have said something else cannot be played again. Who took a seat by it holds all the same
    /// from the first event that can.
    fn corrected_out_of_reach(
        &mut self,
        sequence: u64,
        target: Option<Event>,
        correction: &CorrectionRecorded,
        seen: &Seen<'_>,
    ) -> Option<Revision> {
        let seat = match (target.map(|event| event.body), &*correction.corrected) {
            (Some(Body::SeatTaken(from)), Body::SeatTaken(to)) => {
                Some(Box::new(Reseated { from, to: to.clone() }))
            }
            (_, _) => None,
        };
        let before_first = sequence < self.shoes.0;
        // By what was recorded before the first shoe, or by who sits where, it is the shoe in play that is not shown to
        // be right.
        let concerned = self.shoe.as_mut().filter(|_| before_first || seat.is_some());
        let in_play = concerned.map(|shoe| shoe.leave_open(Reason::Corrected)).is_some();
        match seat {
            seat if !before_first => Some(Revision::OutOfReach { sequence, seat }),
            Some(seat) if in_play => Some(Revision::Reseated(seat)),
            None if in_play => None,
            _ if self.shoes.1 >= seen.first => {
                // It is over, and counted with what may still be played back.
                let ledger_of = self.question.ledger.then_some(self.id.as_str());
                self.tally.reopen(self.shoes.1, ledger_of, None);
                None
            }
            seat => Some(Revision::OutOfReach { sequence: self.shoes.1, seat }),
        }
    }

    /// The event that a correction is about in the end: one of a correction corrects what that corrects.
    fn meant(&mut self, sequence: u64, target: Option<Event>, seen: &Seen<'_>) -> (u64, Option<Event>) {
        let corrects = match &target {
            Some(Event { body: Body::CorrectionRecorded(before), .. }) if before.corrects < sequence => {
                Some(self.corrections.meant(sequence).unwrap_or(before.corrects))
            }
            Some(_) | None => None,
        };
        let found = match corrects {
            Some(meant) => (meant, seen.event(meant)),
            None => (sequence, target),
        };
        self.corrections.mean(seen.location.sequence, found.0);
        found
    }
}

impl Table {
    /// Whether a coup was begun since an event.
    pub(super) fn begun_since(&self, sequence: u64) -> bool {
        let over = self.over.any_settled_behind(sequence);
        over || self.waits_since(sequence)
            || self.play.as_ref().is_some_and(|play| play.is_staked() && self.play_began.sequence > sequence)
    }
}

/// Whether what is ruled is of a coup, and not of the burn.
pub(super) fn is_of_a_coup(irregularity: &Irregularity) -> bool {
    ![BURN_NOT_RECORDED, BURN_CORRECTED].contains(&irregularity.code.as_str())
}

/// Why an event cannot have been meant to say this: what was expected, and what is recorded.
pub(crate) fn cannot_become(said: &Body, corrected: &Body) -> Option<(Statement, Statement)> {
    let named = || OfRulings::Event { event: corrected.into() }.into();
    let bet = |bet: u64| OfBets::Bet { bet }.into();
    let Some(kind) = settled_before::kind(said).filter(|kind| kind.correctable) else {
        return Some((OfRulings::Correctable { event: said.into() }.into(), named()));
    };
    if said.name() != corrected.name() || said.coup() != corrected.coup() {
        let event = said.into();
        let expected = match said.coup() {
            Some(coup) => OfRulings::CorrectedInCoup { event, coup },
            None => OfRulings::CorrectedAsSuch { event },
        };
        return Some((expected.into(), named()));
    }
    if kind.is_same(said, corrected) {
        return None;
    }
    match (said, corrected) {
        (Body::CardDrawn(said), Body::CardDrawn(corrected)) => {
            let expected = OfRulings::HandAndPosition { card: said.card, position: said.position };
            let position = corrected.position.into();
            Some((expected.into(), OfShoe::CardAt { card: corrected.card, position }.into()))
        }
        (Body::BetPlaced(said), Body::BetPlaced(corrected)) => Some((bet(said.bet), bet(corrected.bet))),
        (Body::BetWithdrawn(said), Body::BetWithdrawn(corrected)) => {
            Some((bet(said.bet), bet(corrected.bet)))
        }
        (Body::AbonoPlaced(said), Body::AbonoPlaced(corrected)) => Some((bet(said.bet), bet(corrected.bet))),
        (Body::ShoeLoaded(_), Body::ShoeLoaded(corrected)) => {
            let recorded = OfShoe::Shoe { shoe: corrected.shoe.as_str().into() };
            Some((OfRulings::SameShoe.into(), recorded.into()))
        }
        (_, _) => Some((OfRulings::CorrectedAsSuch { event: said.into() }.into(), named())),
    }
}
