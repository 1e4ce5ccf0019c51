//! The coup in play, from its first event to its settlement.

use std::sync::Arc;

use baccarat::{Money, Winner};
use events::CoupSettled;

use super::behind::Behind;
use super::voids::judge_no_refund;
use super::{InForce, Over, Seen, Table};
use crate::bounds::judge_bounds;
use crate::coup::{Bet, CoupInPlay, Limits};
use crate::dealing::Dealing;
use crate::record::Revision;
use crate::rules::Rules;
use crate::rulings::judge_rulings;
use crate::settlement::{Comparison, judge_lines, judge_payouts, would_bring};
use crate::shoe::Shoe;
use crate::sink::{Accusation, Sink};
use crate::tally::{MAX_TOLD, Outcome, RulebookUsed};
use crate::{Code, CoupVerdict, Reason};

impl Table {
    /// Makes the coup with this number the one in play.
    pub(super) fn begin(&mut self, number: u32) {
        if let Some(play) = self.play.as_mut().filter(|play| play.number == number) {
            play.perhaps_over = None;
            return;
        }
        self.abandon_coup();
        if self.play.as_ref().is_some_and(|play| play.number == number) {
            // It had begun already, before the one that was left was over.
            return;
        }
        self.leave_voids_before(self.place.sequence);
        self.require_open();
        let settled = self.is_settled(number);
        self.in_shoe(|shoe, _, sink| shoe.begin_coup(number, settled, sink));
        let mut play = Box::new(CoupInPlay::new(number));
        play.bets = std::mem::take(&mut self.room);
        let multiple = self.opened.as_ref().and_then(|opened| opened.limits.multiple);
        play.limits = Limits { ranges: Arc::clone(&self.ranges), multiple };
        play.rulings.carry(std::mem::take(&mut self.carried));
        play.rulings.take_over(std::mem::take(&mut self.rulings_before));
        play.ruled = play.rulings.any();
        play.violated = self.violated_ahead.take_if(|coup| *coup == number).is_some();
        if let Some(taint) = self.taint {
            play.doubt(taint.reason);
            play.miss(taint.events, taint.events, taint.cards);
            play.most_for_one_bet = self.most_for_one_bet();
        }
        if let Some(reason) = self.in_force.lacks() {
            play.doubt(reason);
        }
        self.play = Some(play);
        self.begin_bank(number);
        self.play_began = self.place;
        self.coup_findings.clear();
    }

    /// Whether a coup of this shoe that is over was settled under this number.
    pub(super) fn is_settled(&self, number: u32) -> bool {
        self.over.iter().any(|over| over.number == number && over.settled > 0)
    }

    /// The coup in play is left unsettled: an event shows it that is of another.
    pub(super) fn abandon_coup(&mut self) {
        let Some(play) = self.play.as_ref() else { return };
        let shown = self.queue.first().map_or(self.place, |waiting| waiting.place);
        let accusation = if play.voided {
            judge_no_refund(play)
        } else {
            let expected = format!("coup {} settled", play.number);
            Some(play.accusation(Code::CoupNotSettled, expected, "play went on without it"))
        };
        self.sink.accuse_all(accusation.map(|accusation| accusation.at(shown)));
        self.release_faults();
        self.end_without_holder();
        self.dealing.end_coup(None);
        if let Some(play) = self.play.as_mut().filter(|play| play.voided) {
            play.forget_account();
        }
        self.leave_coup_open();
        self.end_coup(None, None, &[]);
        self.take_queue(false);
    }

    /// The same of all that wait for it.
    pub(super) fn abandon_coups(&mut self) {
        while self.play.is_some() {
            self.abandon_coup();
        }
    }

    pub(super) fn close_bets(&mut self, coup: u32) {
        self.begin(coup);
        if let Some(play) = self.play.as_mut() {
            play.close(self.in_force.rules(), &mut self.sink);
        }
    }

    pub(super) fn hold(&mut self, given: &events::PuntoHolder) {
        self.begin(given.coup);
        if let (Some(rules), Some(play)) = (self.in_force.rules(), self.play.as_mut()) {
            play.hold(given.holder, rules, &self.seating, &mut self.sink);
        }
    }

    pub(super) fn place_bet(&mut self, placed: &events::BetPlaced) {
        self.check_bet(placed);
        if let Some(play) = self.play.as_mut() {
            play.place(placed, self.in_force.rules(), &self.seating, &mut self.sink);
            if let Some((by, events::Body::BetPlaced(first))) = &self.amended {
                play.note_change(*by, first, self.in_force.rules());
            }
        }
    }

    /// The seat and the id of a bet.
    pub(super) fn check_bet(&mut self, placed: &events::BetPlaced) {
        self.check_money();
        self.bet_seats.push((placed.bet, placed.seat));
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
    }

    /// Something happened to the deal.
    pub(super) fn deal(&mut self, act: impl FnOnce(&mut Dealing, baccarat::Dealer, &mut Sink)) {
        if let Some(rules) = self.in_force.rules() {
            act(&mut self.dealing, rules.book.deal.dealer, &mut self.sink);
        }
    }

    /// The first card of a coup is about to be drawn by whoever has the deal.
    fn begin_dealing(&mut self) {
        let Some(rule) = self.in_force.rules().map(|rules| rules.book.deal.dealer) else { return };
        if self.ahead {
            self.dealing.begin_coup_ahead();
        }
        let accusation = self.dealing.begin_coup(rule);
        let coup = self.play.as_ref().map(|play| play.number);
        self.sink.accuse_all(accusation.map(|accusation| Accusation { coup, ..accusation }));
        let unknown = rule == baccarat::Dealer::Players && !self.dealing.recorded;
        if let Some(shoe) = self.shoe.as_mut().filter(|_| unknown) {
            shoe.leave_open(Reason::DealNotRecorded);
        }
    }

    /// A card is drawn; gives how many were hidden by what is missing before it, where that shows.
    pub(super) fn draw(&mut self, drawn: &events::CardDrawn) -> Option<Revision> {
        self.begin(drawn.coup);
        let revision = self.draw_from_shoe(drawn);
        self.give(drawn);
        revision
    }

    /// The card leaves the shoe, whichever coup it is for.
    pub(super) fn draw_from_shoe(&mut self, drawn: &events::CardDrawn) -> Option<Revision> {
        let drawn = self.read(drawn);
        if let (Some(behind), Some(rules)) = (self.behind.take(), self.in_force.rules()) {
            self.behind = behind.draw(&drawn, rules);
        }
        let mut revision = None;
        self.of_shoe(Some(drawn.coup), |shoe, rules, sink| revision = shoe.draw(&drawn, rules, sink));
        revision
    }

    /// A card as it is known, perhaps by the order that was revealed.
    fn read(&self, drawn: &events::CardDrawn) -> events::CardDrawn {
        let card = self.shoe.as_ref().map_or(drawn.card, |shoe| shoe.read(drawn.position, drawn.card));
        events::CardDrawn { card, ..drawn.clone() }
    }

    /// The card, which left the shoe, is given to a hand of the coup in play.
    pub(super) fn give(&mut self, drawn: &events::CardDrawn) {
        if drawn.to.side().is_some() && self.play.as_ref().is_some_and(|play| play.awaits_first_card()) {
            self.begin_dealing();
        }
        let drawn = &self.read(drawn);
        let keep = self.is_wanted(drawn.coup);
        if let Some(play) = self.play.as_mut() {
            if drawn.card.card().is_none_or(|card| card.suit.is_none()) {
                play.allow(self.shoe.as_ref().map(Shoe::pool).unwrap_or_default());
            }
            if keep {
                play.drawn_cards.push(drawn.clone());
            }
            play.draw(drawn, self.place.sequence, self.in_force.rules(), &mut self.sink);
        }
    }

    /// A coup is settled; gives where that shows that it went on behind a gap.
    pub(super) fn settle(&mut self, settled: &CoupSettled, seen: &Seen<'_>) -> Option<Revision> {
        let goes_on = self.left_behind_a_gap(settled.coup);
        self.settle_coup(settled, seen);
        goes_on.map(|behind| Revision::GoesOn { behind })
    }

    /// The sequence behind the gap at which this coup was given up: an event of another coup came there.
    fn left_behind_a_gap(&self, number: u32) -> Option<u64> {
        let in_play = self.play.as_ref().is_some_and(|play| play.number == number);
        let left = self.over.iter().rev().find(|over| over.number == number && over.settled == 0);
        left.filter(|_| !in_play && !self.is_settled(number))?.left_behind
    }

    fn settle_coup(&mut self, settled: &CoupSettled, seen: &Seen<'_>) {
        let in_play = self.play.as_ref().is_some_and(|play| play.number == settled.coup);
        if !in_play && self.is_settled(settled.coup) {
            return self.settle_again(settled);
        }
        self.begin(settled.coup);
        self.draw_mislabelled(settled.coup);
        if self.play.as_ref().is_some_and(|play| play.voided) {
            self.refund(settled);
        } else {
            self.judge_settlement(settled, seen);
        }
        self.take_queue(true);
    }

    fn judge_settlement(&mut self, settled: &CoupSettled, seen: &Seen<'_>) {
        let void = seen.known.void_of(seen.place.sequence);
        let Some(rules) = self.rules() else {
            // What it marked in the boxes cannot be told.
            self.boxes.miss(1, None);
            self.release_faults();
            self.judge_bounds(settled);
            if let Some(void) = void {
                // In one game its stakes have to come back, in another no claim is heard any more.
                return self.settle_void(settled, void);
            }
            self.judge_lines(settled);
            return self.end_coup(Some(settled), None, &[]);
        };
        if self.chemin.is_some() {
            return self.settle_at_bank(settled, &rules, void);
        }
        let Some(play) = self.play.as_mut() else { return };
        play.judge_limits(Some(&rules), &mut self.sink);
        play.check_finished(&rules, &mut self.sink);
        judge_rulings(play, &mut self.sink);
        let mut worlds = play.check_result(settled, &rules, &mut self.sink);
        if let Some(void) = void {
            self.release_faults();
            return self.settle_void(settled, void);
        }
        // Where another winner was announced the deal went by that, and it is told.
        let winner = worlds.winner().filter(|winner| *winner == settled.winner);
        self.dealing.end_coup(winner.map(|winner| winner == Winner::Punto));
        let payouts = judge_payouts(play, settled, &mut worlds, &rules, &mut self.boxes, &mut self.sink);
        let brings = |bet: &Bet| worlds.agreed(|outcome| Some(would_bring(bet, outcome, &rules)?.returned));
        play.judge_changes(settled, brings, &mut self.sink);
        let settled_by = seen.place.sequence;
        self.behind = play.needs_behind(&rules).map(|(cards, next)| Behind::new(settled_by, cards, next));
        play.tell_faults(seen.known.behind(settled_by), &payouts, &rules, &mut self.sink);
        self.tell_late(Some(&payouts), |_, bet| brings(bet));
        self.end_without_holder();
        self.write_findings();
        self.end_coup(Some(settled), Some(&rules), &payouts);
    }

    /// What a rulebook that cannot be read allows all the same.
    fn judge_bounds(&mut self, settled: &CoupSettled) {
        if let (InForce::Unreadable, Some(play)) = (&self.in_force, &self.play) {
            judge_bounds(play, settled, &mut self.sink);
            self.write_findings();
        }
    }

    /// Which bets were settled: that no rulebook has to say. Nobody is accused under one that is not approved.
    fn judge_lines(&mut self, settled: &CoupSettled) {
        let asked = !matches!(self.in_force, InForce::Unapproved);
        if let Some(play) = self.play.as_mut().filter(|_| asked) {
            if self.shoe.is_none() {
                // Play without a shoe is told; what was never placed in it is no finding of its own.
                play.missing_bets = u64::MAX;
            }
            judge_lines(play, settled, &mut self.sink);
            self.write_findings();
        }
    }

    /// What was done too late in the coup in play, with its money where the coup is settled.
    pub(super) fn tell_late(
        &mut self,
        settled: Option<&[Comparison]>,
        due: impl Fn(&CoupInPlay, &Bet) -> Option<Money>,
    ) {
        let Some(play) = self.play.as_mut().filter(|play| play.has_late()) else { return };
        let late = play.take_late();
        self.sink.accuse_all(play.tell_late(&late, settled, |bet| due(play, bet)));
        self.write_findings();
    }

    /// A coup was dealt and nobody was told to hold punto's cards.
    pub(super) fn end_without_holder(&mut self) {
        let lacks = |play: &&CoupInPlay| self.in_force.rules().is_some_and(|rules| play.lacks_holder(rules));
        if let (Some(_), Some(shoe)) = (self.play.as_deref().filter(lacks), self.shoe.as_mut()) {
            shoe.leave_open(Reason::HolderNotRecorded);
        }
    }

    pub(super) fn is_wanted(&self, coup: u32) -> bool {
        let Some(wanted) = &self.question.wanted else { return false };
        wanted.matches(&self.id, self.shoe.as_ref().map(|shoe| shoe.id().as_str()), coup)
    }

    /// The coup in play is over: count it and, where asked for, tell it.
    pub(super) fn end_coup(
        &mut self,
        settled: Option<&CoupSettled>,
        rules: Option<&Rules>,
        payouts: &[Comparison],
    ) {
        let Some(mut play) = self.play.take() else { return };
        if let Some(limits) = self.around.next_limits.take() {
            self.bind_limits(&limits);
        }
        if settled.is_some() {
            self.taint = None;
        }
        play.ruled |= settled.is_some() && self.amended.is_some();
        if settled.is_some() && self.shoe.is_none() {
            play.doubt(Reason::ShoeMissing);
        }
        self.carried = play.rulings.carried_over();
        let verdict = match (play.violated, play.undecided) {
            (true, _) => CoupVerdict::Violated,
            (false, Some(_)) => CoupVerdict::Undecided,
            (false, None) if settled.is_some() => CoupVerdict::Certified,
            (false, None) => CoupVerdict::Undecided,
        };
        let reason = play.undecided.unwrap_or(Reason::NotSettledYet);
        let outcome = Outcome { verdict, reason, ruled: play.ruled };
        self.tally.count(outcome);
        if settled.is_some() {
            self.tally.count_turnover(self.currency(), play.turnover(), verdict);
        }
        let sequence = settled.map_or(0, |_| self.place.sequence);
        self.tally.remember((self.play_began.sequence, sequence), verdict);
        if let Some(rules) = rules {
            self.count_rulebook(rules);
        }
        if self.is_wanted(play.number) && self.tally.told.len() < MAX_TOLD {
            let told = self.tell(&play, settled, payouts, verdict);
            self.tally.told.push(told);
        }
        self.remember(play.number, sequence, play.voided);
        let over = self.over.iter_mut().rev().find(|over| over.number == play.number);
        if let Some(over) = over {
            over.result = Some(outcome);
            over.left_behind = play.perhaps_over.filter(|_| settled.is_none());
        }
        self.room = play.bets;
        self.room.clear();
    }

    /// The coup is over, whatever comes of it later.
    pub(super) fn remember(&mut self, number: u32, settled: u64, voided: bool) {
        match self.over.iter_mut().rev().find(|over| over.number == number) {
            Some(over) if over.settled > 0 => over.voided |= voided,
            Some(_) | None => {
                self.over.push(Over { number, settled, voided, result: None, left_behind: None });
            }
        }
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
