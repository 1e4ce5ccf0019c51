//! The coup in play, from its first event to its settlement.

use baccarat::Winner;
use events::CoupSettled;

use super::rulings::judge_no_refund;
use super::{InForce, Last, Table};
use crate::coup::CoupInPlay;
use crate::dealing::Dealing;
use crate::rules::Rules;
use crate::rulings::judge_rulings;
use crate::settlement::{Comparison, judge_payouts};
use crate::sink::{Accusation, Sink};
use crate::tally::{MAX_TOLD, RulebookUsed};
use crate::{Code, CoupVerdict, Reason};

impl Table {
    /// Makes the coup with this number the one in play.
    pub(super) fn begin(&mut self, number: u32) {
        if self.play.as_ref().is_some_and(|play| play.number == number) {
            return;
        }
        self.abandon_coup();
        self.require_open();
        self.in_shoe(|shoe, _, sink| shoe.begin_coup(number, sink));
        let mut play = Box::new(CoupInPlay::new(number));
        play.rulings.carry(std::mem::take(&mut self.carried));
        play.rulings.take_over(std::mem::take(&mut self.rulings_before));
        if let Some(reason) = self.taint {
            play.doubt(reason);
        }
        match self.in_force {
            InForce::None => play.doubt(Reason::RulebookMissing),
            InForce::Unreadable => play.doubt(Reason::RulebookUnreadable),
            InForce::Known(_) => {}
        }
        self.play = Some(play);
        self.begin_bank(number);
        self.play_began = self.place;
        self.coup_findings.clear();
    }

    /// A coup was left unsettled.
    pub(super) fn abandon_coup(&mut self) {
        let Some(play) = self.play.as_mut() else { return };
        if play.undecided.is_none() {
            let accusation = play.accusation(
                Code::CoupNotSettled,
                format!("coup {} settled", play.number),
                "play went on without it",
            );
            self.sink.accuse(accusation);
        }
        if let Some(play) = self.play.as_ref().filter(|play| play.voided) {
            let accusation = judge_no_refund(play);
            self.sink.accuse_all(accusation);
        }
        self.write_findings();
        self.dealing.end_coup(None);
        self.leave_coup_open();
        self.end_coup(None, None, &[]);
    }

    pub(super) fn place_bet(&mut self, placed: &events::BetPlaced) {
        self.check_bet(placed);
        let ranges = if self.chemin.is_some() { &self.ranges() } else { &self.ranges };
        if let Some(play) = self.play.as_mut() {
            let rules = self.in_force.rules().map(|rules| (rules, ranges.as_slice()));
            play.place(placed, rules, &mut self.sink);
        }
    }

    /// The seat, the id and the multiple of a bet.
    pub(super) fn check_bet(&mut self, placed: &events::BetPlaced) {
        if let Some(opened) = self.opened.as_ref()
            && !opened.seats.contains(&placed.seat)
        {
            let accusation =
                Accusation::new(Code::BetSeat, "a seat of the table", format!("seat {}", placed.seat));
            self.sink.accuse(accusation.in_coup(placed.coup));
        }
        if !self.bet_ids.insert(placed.bet) {
            let accusation =
                Accusation::new(Code::BetIdReused, "an id not used before", format!("bet {}", placed.bet));
            self.sink.accuse(accusation.in_coup(placed.coup));
        }
        if let Some(multiple) = self.opened.as_ref().and_then(|opened| opened.limits.multiple)
            && multiple.get() > 0
            && !placed.stake.get().is_multiple_of(multiple.get())
        {
            let accusation =
                Accusation::new(Code::BetMultiple, format!("a multiple of {multiple}"), placed.stake);
            self.sink.accuse(accusation.in_coup(placed.coup));
        }
    }

    /// Something happened to the deal.
    pub(super) fn deal(&mut self, act: impl FnOnce(&mut Dealing, baccarat::Dealer, &mut Sink)) {
        if let Some(rules) = self.in_force.rules() {
            act(&mut self.dealing, rules.book.deal.dealer, &mut self.sink);
        }
    }

    /// The first card of a coup is about to be drawn by whoever has the deal.
    pub(super) fn begin_dealing(&mut self) {
        let Some(rule) = self.in_force.rules().map(|rules| rules.book.deal.dealer) else { return };
        let accusation = self.dealing.begin_coup(rule);
        let coup = self.play.as_ref().map(|play| play.number);
        self.sink.accuse_all(accusation.map(|accusation| Accusation { coup, ..accusation }));
        let unknown = rule == baccarat::Dealer::Players && !self.dealing.recorded;
        if let Some(shoe) = self.shoe.as_mut().filter(|_| unknown) {
            shoe.leave_open(Reason::DealNotRecorded);
        }
    }

    pub(super) fn draw(&mut self, drawn: &events::CardDrawn) {
        self.begin(drawn.coup);
        if drawn.to.side().is_some() && self.play.as_ref().is_some_and(|play| play.awaits_first_card()) {
            self.begin_dealing();
        }
        self.in_shoe(|shoe, rules, sink| shoe.draw(drawn, rules, sink));
        let keep = self.is_wanted(drawn.coup);
        if let Some(play) = self.play.as_mut() {
            if keep {
                play.drawn_cards.push(drawn.clone());
            }
            play.draw(drawn, self.place.sequence, self.in_force.rules(), &mut self.sink);
        }
    }

    pub(super) fn settle(&mut self, settled: CoupSettled) {
        if self.play.is_none() && self.last.as_ref().is_some_and(|last| last.play.number == settled.coup) {
            return self.settle_again(&settled);
        }
        self.begin(settled.coup);
        if self.play.as_ref().is_some_and(|play| play.voided) {
            return self.refund(settled);
        }
        let Some(rules) = self.rules() else {
            // What it marked in the boxes cannot be told.
            self.boxes.doubt();
            return self.end_coup(Some(settled), None, &[]);
        };
        if self.chemin.is_some() {
            return self.settle_at_bank(settled, &rules);
        }
        let Some(play) = self.play.as_mut() else { return };
        play.check_finished(&rules, &mut self.sink);
        judge_rulings(play, &mut self.sink);
        let hands = play.check_result(&settled, &mut self.sink);
        self.dealing.end_coup(hands.map(|hands| hands.winner() == Winner::Punto));
        let payouts = judge_payouts(play, &settled, hands.as_ref(), &rules, &mut self.boxes, &mut self.sink);
        self.write_findings();
        self.end_coup(Some(settled), Some(&rules), &payouts);
    }

    pub(super) fn is_wanted(&self, coup: u32) -> bool {
        let Some(wanted) = &self.question.wanted else { return false };
        wanted.matches(&self.id, self.shoe.as_ref().map(|shoe| shoe.id().as_str()), coup)
    }

    /// The coup in play is over: count it and, where asked for, tell it.
    pub(super) fn end_coup(
        &mut self,
        settled: Option<CoupSettled>,
        rules: Option<&Rules>,
        payouts: &[Comparison],
    ) {
        let Some(play) = self.play.take() else { return };
        if settled.is_some() {
            self.taint = None;
        }
        self.carried = play.rulings.carried_over();
        let verdict = match (play.violated, play.undecided) {
            (true, _) => CoupVerdict::Violated,
            (false, Some(_)) => CoupVerdict::Undecided,
            (false, None) if settled.is_some() => CoupVerdict::Certified,
            (false, None) => CoupVerdict::Undecided,
        };
        self.tally.coups.add(verdict);
        if settled.is_some() {
            self.tally.count_turnover(self.currency(), play.turnover(), verdict);
        }
        if verdict == CoupVerdict::Undecided {
            let reason = play.undecided.unwrap_or(Reason::NotSettledYet);
            *self.tally.undecided.entry(reason).or_default() += 1;
        }
        if let Some(rules) = rules {
            self.count_rulebook(rules);
        }
        if self.is_wanted(play.number) && self.tally.told.len() < MAX_TOLD {
            let told = self.tell(&play, settled.as_ref(), payouts, verdict);
            self.tally.told.push(told);
        }
        let sequence = settled.as_ref().map_or(0, |_| self.place.sequence);
        self.last = Some(Last { play, settled, sequence, voided: false });
    }

    pub(super) fn count_rulebook(&mut self, rules: &Rules) {
        match self.tally.rulebooks.get_mut(&rules.digest) {
            Some(used) => used.coups += 1,
            None => {
                let (id, title) = (rules.book.id.clone(), rules.book.title.clone());
                let used = RulebookUsed { id, title, digest: rules.digest.clone(), coups: 1 };
                self.tally.rulebooks.insert(rules.digest.clone(), used);
            }
        }
    }
}
