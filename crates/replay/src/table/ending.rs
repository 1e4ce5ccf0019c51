//! The end of a shoe, and the end of the record, which may come in the middle of a shoe.

use super::{Seen, Table};
use crate::sink::Accusation;
use crate::statement::OfShoe;
use crate::{Code, CoupVerdict, Reason};

impl Table {
    /// The table's record ends: reports what is unfinished.
    pub(crate) fn finish(&mut self) {
        self.finished = true;
        self.release_faults();
        while self.play.is_some() {
            self.release_faults();
            self.play.iter_mut().for_each(|play| play.doubt(Reason::NotSettledYet));
            let voided = self.play.as_ref().is_some_and(|play| play.voided);
            self.end_coup(None, None, &[]);
            self.take_queue(voided);
        }
        self.leave_voids_open();
        self.accuse_burn();
        self.accuse_clock();
        self.view_commission();
        self.leave_shoe_open();
        self.write_findings();
        self.end_shoe();
    }

    /// The shoe ends while a coup is in play. It is left, and those whose events wait for it, unless it is known that one
    /// of them was settled a moment too late.
    pub(super) fn leave_coup_at_end(&mut self, seen: &Seen<'_>) {
        let end = seen.location.sequence;
        if seen.known.goes_on(end) {
            return;
        }
        while let Some(play) = &self.play {
            // Of a void coup its stakes may still come back.
            let left = (!play.voided || play.turnover() > 0).then_some(play.number);
            self.abandon_coup_at_end();
            left.into_iter().for_each(|number| self.over.leave_at_end(number, end));
        }
    }

    /// The record may go on: a shoe that has not ended, or whose commission has not been collected, is
    /// not shown to be right.
    fn leave_shoe_open(&mut self) {
        let owed = self.boxes.owed();
        if let Some(shoe) = self.shoe.as_mut() {
            if !shoe.ended() {
                shoe.leave_open(Reason::NotEndedYet);
            } else if owed {
                shoe.leave_open(Reason::NotCollectedYet);
            }
        }
    }

    /// The shoe is done with: every box has to be empty, and its end recorded.
    pub(super) fn leave_shoe(&mut self) {
        self.abandon_coups_at_end();
        self.leave_voids();
        self.accuse_burn();
        self.view_commission();
        let accusation = self.boxes.shoe_over();
        self.sink.accuse_all(accusation);
        if let Some(shoe) = &self.shoe
            && !shoe.ended()
            && !shoe.end_may_be_missing()
        {
            let expected = OfShoe::End { shoe: shoe.id().as_str().into() };
            self.sink.accuse(Accusation::new(Code::ShoeNotEnded, expected, OfShoe::EndNotRecorded));
            self.end_reported = true;
        }
        self.write_findings();
        self.end_shoe();
        self.carried.clear();
        self.rulings_before.begin_anew();
        self.violated_ahead.clear();
        self.label_reported = None;
        self.over.begin_anew();
        self.hidden.clear();
        self.given_up = None;
        self.bet_seats.begin_anew();
    }

    fn end_shoe(&mut self) {
        if let Some(shoe) = self.shoe.take() {
            let verdict = match (shoe.violated, shoe.undecided) {
                (true, _) => CoupVerdict::Violated,
                (false, Some(_)) => CoupVerdict::Undecided,
                (false, None) => CoupVerdict::Certified,
            };
            self.tally.end_shoe(shoe.began, self.location.sequence, verdict, shoe.undecided);
            self.shoe_in_ledger(&shoe, verdict);
        }
        self.shoe_missing_reported = false;
    }
}
