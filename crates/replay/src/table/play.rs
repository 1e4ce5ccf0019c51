//! The coup in play, from its first event to its settlement.

use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::sync::Arc;

use baccarat::Winner;
use events::CoupSettled;

use super::behind::Behind;
use super::over::Over;
use super::voids::judge_no_refund;
use super::{Hidden, InForce, Seen, Table};
use crate::account::CoupAccount;
use crate::bounds::judge_bounds;
use crate::caps::Cap;
use crate::coup::{CoupInPlay, Limits};
use crate::dealing::Dealing;
use crate::record::Revision;
use crate::rules::Rules;
use crate::rulings::{judge_removed, judge_rulings};
use crate::settlement::{Comparison, judge_lines, judge_payouts};
use crate::shoe::Shoe;
use crate::shoe::{NotRecorded, least_events_before};
use crate::sink::{Accusation, Sink};
use crate::statement::{OfBets, OfRecord, OfSeats};
use crate::tally::{MAX_COUP_VIEWS, Outcome};
use crate::{Code, CoupPlace, CoupVerdict, Reason};

/// Fewest events of a coup before its settlement: the close of its bets and four cards.
const LEAST_BEFORE_SETTLED: u64 = 5;

/// Whether punto won. Deal and bank follow the announced winner; a wrong announcement is reported already.
pub(super) fn punto_won(winner: Option<Winner>, settled: &CoupSettled) -> Option<bool> {
    let [won, announced] = [winner?, settled.winner].map(|winner| winner == Winner::Punto);
    (won == announced).then_some(won)
}

impl Table {
    /// Makes the coup with this number the one in play.
    pub(super) fn begin(&mut self, number: u32) {
        if self.begin_coup(number) {
            self.ask_maximum(number);
        }
    }

    /// The same of a coup of which this may be nothing but a card; gives whether it begins here.
    fn begin_coup(&mut self, number: u32) -> bool {
        if let Some(play) = self.play.as_mut().filter(|play| play.number == number) {
            if play.perhaps_over.take().is_some() {
                self.shoe.iter_mut().for_each(|shoe| shoe.miss_no_coups());
            }
            return false;
        }
        // Each that is left begins the next that waits.
        while self.play.as_ref().is_some_and(|play| play.number != number) {
            self.abandon_coup();
        }
        if self.play.is_some() {
            // It had begun already, before the one that was left was over.
            return false;
        }
        self.leave_voids_before(self.location.sequence);
        self.require_open();
        let settled = self.is_settled(number);
        let former =
            |over: &Over| self.shoe.as_deref().is_some_and(|shoe| shoe.may_be_another_since(over.cards.1));
        let void =
            self.over.last_of(number).is_some_and(|over| over.voided && over.settled == 0 && !former(over));
        let mut before = NotRecorded::default();
        self.of_coming(Some(number), |table| {
            table.in_shoe(|shoe, _, sink| before = shoe.begin_coup(number, settled, void, sink));
        });
        let hidden = before.coups;
        self.release_early_turns(before);
        if before.beyond_gaps {
            // What was played in them is missing, though no event is missing from the numbering.
            self.doubt(Reason::EventsMissing, least_events_before(hidden.saturating_add(1)), true);
        }
        let mut play = Box::new(CoupInPlay::new(number));
        play.bets = std::mem::take(&mut self.spare_bets);
        let multiple = self.opened.as_ref().and_then(|opened| opened.limits.multiple);
        play.limits = Limits { ranges: Arc::clone(&self.ranges), multiple };
        if !self.carried.is_as_it_began() {
            play.rulings.carry(self.carried.begin_anew());
        }
        if !self.rulings_before.is_as_it_began() {
            play.rulings.take_over(self.rulings_before.begin_anew(), number);
        }
        play.ruled = play.rulings.any() | std::mem::take(&mut self.next_ruled);
        play.violated = self.violated_ahead.begun_mut().is_some_and(|ahead| ahead.remove(&number));
        if let Some(taint) = self.taint {
            play.doubt(taint.reason);
            play.miss(taint.events, taint.events, taint.cards);
            play.most_for_one_bet = self.most_for_one_bet();
            if hidden > 0 {
                self.hidden.push(Hidden { first: number - hidden, next: number, taint });
            }
        }
        if let Some(reason) = self.in_force.lacks() {
            play.doubt(reason);
        }
        if !self.forgotten.is_empty() {
            play.doubt(Reason::MoreThanKept);
        }
        self.play = Some(play);
        self.begin_bank(number);
        self.play_began = self.location;
        self.coup_findings.clear();
        drop(self.shares.begin_anew());
        true
    }

    /// The first coup of a shoe whose burn is not known begins: what was found about turns before it was wrong if the
    /// record begins with the shoe. Otherwise the coups before, which decide whose turn it was, are not recorded.
    fn release_early_turns(&mut self, before: NotRecorded) {
        let held = self.early_turns.begin_anew();
        if !before.beyond_gaps {
            self.sink.accuse_all(held);
            self.write_findings();
        }
    }

    /// A card leaves the shoe, or waited for its coup to begin, or a hand announces: nothing says yet that anybody staked
    /// against the bank.
    pub(super) fn begin_with_card(&mut self, number: u32) {
        self.begin_coup(number);
    }

    /// Whether a coup of this shoe that is over was settled under this number; not where what is said of it may be said
    /// of another shoe's.
    pub(super) fn is_settled(&self, number: u32) -> bool {
        self.over.of(number).any(|over| self.was_settled(over))
            && !self.may_be_of_another_shoe(number, 0, LEAST_BEFORE_SETTLED)
    }

    /// Whether a coup that is over was settled in this shoe for sure.
    pub(super) fn was_settled(&self, over: &Over) -> bool {
        let another = |shoe: &Shoe| shoe.may_be_another_since(over.settled);
        over.settled > 0 && !self.shoe.as_deref().is_some_and(another)
    }

    /// The coup in play is left unsettled: an event shows it that is of another.
    pub(super) fn abandon_coup(&mut self) {
        self.abandon_coup_because(OfRecord::PlayWentOn);
    }

    /// The same where the shoe, or play at the table, ends, unless an event of another coup waits.
    pub(super) fn abandon_coup_at_end(&mut self) {
        let waits = !self.queue.is_empty();
        self.abandon_coup_because(if waits { OfRecord::PlayWentOn } else { OfRecord::EndedWithoutIt });
    }

    fn abandon_coup_because(&mut self, recorded: OfRecord) {
        let Some(play) = self.play.as_mut() else { return };
        let voided = play.voided;
        let accusation = if voided {
            // The events that wait were recorded before the void.
            judge_no_refund(play)
        } else {
            let shown = self.queue.first().map_or(self.location, |waiting| waiting.location);
            let expected = OfRecord::CoupSettled { coup: play.number };
            let accusation = play.accusation(Code::CoupNotSettled, expected, recorded);
            Some(accusation.at(shown))
        };
        self.sink.accuse_all(accusation);
        if self.in_force.rules().is_some() {
            judge_removed(play, &mut self.sink);
        }
        self.release_faults();
        self.end_without_holder();
        self.dealing.end_coup(None);
        if let Some(play) = self.play.as_mut().filter(|play| play.voided) {
            play.forget_account();
        }
        self.leave_coup_open();
        self.end_coup(None, None, &[]);
        self.take_queue(voided);
    }

    /// The same of all that wait for it.
    pub(super) fn abandon_coups(&mut self) {
        while self.play.is_some() {
            self.abandon_coup();
        }
    }

    /// The same where the shoe, or play at the table, ends.
    pub(super) fn abandon_coups_at_end(&mut self) {
        while self.play.is_some() {
            self.abandon_coup_at_end();
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
        if !self.check_bet(placed) {
            return;
        }
        let person = self.who_bets(placed);
        if let Some(play) = self.play.as_mut() {
            play.place(placed, person, self.in_force.rules(), &self.seating, &mut self.sink);
        }
        self.mark_alike();
    }

    /// The seat and the id of a bet. False if there are too many to keep it: then its coup lacks a bet.
    pub(super) fn check_bet(&mut self, placed: &events::BetPlaced) -> bool {
        self.check_money();
        let kept = self.bet_seats.all.len() < Cap::BetsOfShoe.most();
        if kept {
            self.bet_seats.all.push((placed.coup, placed.bet, placed.seat));
        } else {
            self.sink.forget(Cap::BetsOfShoe);
            self.play.iter_mut().for_each(|play| play.lack_a_bet());
        }
        if let Some(opened) = self.opened.as_ref().filter(|_| !self.closing_missed)
            && !opened.seats.contains(&placed.seat)
        {
            let recorded = OfSeats::Seat { seat: placed.seat };
            let accusation = Accusation::new(Code::BetSeat, OfSeats::OfTheTable, recorded);
            self.sink.accuse(accusation.in_coup(placed.coup));
        }
        if !self.bet_ids.insert(placed.bet) {
            let recorded = OfBets::Bet { bet: placed.bet };
            let accusation = Accusation::new(Code::BetIdReused, OfBets::IdUnused, recorded);
            self.sink.accuse(accusation.in_coup(placed.coup));
        }
        if self.bet_ids.has_forgotten() {
            self.sink.forget(Cap::BetIds);
        }
        kept
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
        self.begin_with_card(drawn.coup);
        let revision = self.draw_from_shoe(drawn);
        self.give(drawn);
        revision
    }

    /// The card leaves the shoe, whichever coup it is for.
    pub(super) fn draw_from_shoe(&mut self, drawn: &events::CardDrawn) -> Option<Revision> {
        let drawn = self.read(drawn);
        if let (Some(behind), Some(rules)) = (self.behind.take(), self.in_force.rules()) {
            self.behind = behind.draw(&drawn, rules).map(Box::new);
        }
        self.accuse_burn();
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
        let perhaps_other = self.is_misread_and_corrected();
        if let Some(play) = self.play.as_mut() {
            if perhaps_other {
                play.doubt(Reason::EventsMissing);
            }
            if drawn.card.card().is_none_or(|card| card.suit.is_none()) {
                play.allow(self.shoe.as_deref().map(Shoe::pool).unwrap_or_default());
            }
            if keep {
                play.drawn_cards.push(drawn.clone());
            }
            play.draw(drawn, self.location.sequence, self.in_force.rules(), &mut self.sink);
        }
    }

    /// A coup is settled; gives where that shows that it went on behind a gap.
    pub(super) fn settle(&mut self, settled: &CoupSettled, seen: &Seen<'_>) -> Option<Revision> {
        let bets = settled.bets.iter().map(|line| line.bet);
        let goes_on =
            self.left_behind_a_gap(settled.coup).or_else(|| self.left_for_another(settled.coup, bets));
        let again = self.settle_coup(settled, seen);
        goes_on.map(|behind| Revision::GoesOn { behind }).or(again)
    }

    /// The sequence behind the gap at which this coup was given up: an event of another coup came behind it. Where
    /// another shoe may have begun since, the event may be of a coup of that.
    pub(super) fn left_behind_a_gap(&self, number: u32) -> Option<u64> {
        let in_play = self.play.as_ref().is_some_and(|play| play.number == number);
        let left = self.over.of(number).rev().find(|over| over.settled == 0);
        let behind = left
            .filter(|over| !in_play && !over.voided && !over.waited_for && !self.is_settled(number))?
            .left_behind?;
        let another = |shoe: &Shoe| shoe.may_be_another_since(behind.saturating_sub(1));
        let another = self.shoe.as_deref().is_some_and(another)
            || self.may_be_of_another_shoe(number, 0, LEAST_BEFORE_SETTLED);
        (!another).then_some(behind)
    }

    fn settle_coup(&mut self, settled: &CoupSettled, seen: &Seen<'_>) -> Option<Revision> {
        let in_play = self.play.as_ref().is_some_and(|play| play.number == settled.coup);
        // Of one that began anew under its number events may wait.
        let is_over = !in_play && self.is_settled(settled.coup) && !self.is_waiting(settled.coup);
        if is_over || self.is_given_up_void(settled.coup) {
            return self.settle_again(settled, seen);
        }
        // Of a coup of which nothing but its settlement stands, nothing was dealt against a bank.
        self.ahead = !in_play;
        self.begin(settled.coup);
        self.ahead = false;
        self.draw_mislabelled(settled.coup);
        self.accuse_after_end(settled.coup);
        let account = self.play.as_ref().is_some_and(|play| play.account_counts());
        if self.play.as_ref().is_some_and(|play| play.voided) {
            self.refund(settled);
        } else if self.void_may_be_missing(settled) {
            self.leave_perhaps_void(settled);
        } else if let Some(both) = self.stakes_come_back_later(settled, seen) {
            self.leave_perhaps_void(&both);
            let over = self.over.last_of_mut(settled.coup);
            over.into_iter().for_each(|over| over.awaits_stakes = true);
        } else {
            self.place_again(seen);
            self.judge_settlement(settled, seen);
        }
        if !self.mending.is_as_it_began() {
            self.mending.settle_bank(account);
        }
        self.take_queue(true);
        None
    }

    /// Bets under the number of a coup that was settled, for which nothing was dealt, are bets on that coup.
    fn place_again(&mut self, seen: &Seen<'_>) {
        let is_void = seen.known.void_of(seen.location.sequence).is_some();
        let bare = |play: &&CoupInPlay| play.awaits_first_card() && play.missing_events == 0;
        let Some(number) = self.play.as_deref().filter(bare).map(|play| play.number) else { return };
        let before = self.over.last_of(number).is_some_and(|over| !over.voided && self.was_settled(over));
        if before && !is_void && self.is_settled(number) {
            self.play.iter_mut().for_each(|play| play.place_again());
        }
    }

    /// A coup is over; reports it where that comes after the shoe's end.
    pub(super) fn accuse_after_end(&mut self, coup: u32) {
        if let Some(shoe) = self.shoe.as_mut() {
            shoe.end_coup(coup, &mut self.sink);
        }
    }

    fn judge_settlement(&mut self, settled: &CoupSettled, seen: &Seen<'_>) {
        let void = seen.known.void_of(seen.location.sequence);
        let Some(rules) = self.rules() else {
            // It is not known what it marked in the boxes.
            self.boxes.miss(1, None);
            self.release_draws();
            self.judge_bounds(settled);
            if let Some(void) = void {
                // In one game its stakes have to be returned, in the other no claim is allowed any more.
                self.release_faults();
                return self.settle_void(settled, void);
            }
            self.judge_lines(settled);
            // What a bet that came too late brought no rulebook has to say.
            self.accuse_late();
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
        self.dealing.end_coup(punto_won(worlds.winner(), settled));
        let payouts = judge_payouts(play, settled, &mut worlds, &rules, &mut self.boxes, &mut self.sink);
        let settled_by = seen.location.sequence;
        let behind = play.needs_behind(&rules);
        self.behind = behind.map(|(cards, next)| Box::new(Behind::new(settled_by, cards, next)));
        play.accuse_faults(seen.known.behind(settled_by), &rules, &mut self.sink);
        self.accuse_late();
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
        let Some(play) = self.play.as_mut().filter(|_| asked) else { return };
        if self.shoe.is_none() {
            // Play without a shoe is reported already; a bet never placed in it is no finding of its own.
            play.missing_bets = u64::MAX;
        }
        judge_lines(play, settled, &mut self.sink);
        self.write_findings();
    }

    /// What was done too late in the coup in play, with its money where the coup is settled.
    pub(super) fn accuse_late(&mut self) {
        let Some(play) = self.play.as_mut().filter(|play| play.has_late()) else { return };
        let late = play.take_late();
        self.sink.accuse_all(play.accuse_late(late, self.in_force.rules()));
        self.write_findings();
    }

    /// A coup was dealt without a recorded holder of punto's cards.
    pub(super) fn end_without_holder(&mut self) {
        let lacks = |play: &&CoupInPlay| self.in_force.rules().is_some_and(|rules| play.lacks_holder(rules));
        if let (Some(_), Some(shoe)) = (self.play.as_deref().filter(lacks), self.shoe.as_mut()) {
            shoe.leave_open(Reason::HolderNotRecorded);
        }
    }

    pub(super) fn is_wanted(&self, coup: u32) -> bool {
        self.question.wants(&self.id, self.shoe.as_ref().map(|shoe| shoe.id().as_str()), coup)
    }

    /// The coup in play is over: counts it and makes its view where asked for.
    pub(super) fn end_coup(
        &mut self,
        settled: Option<&CoupSettled>,
        rules: Option<&Rules>,
        payouts: &[Comparison],
    ) {
        if settled.is_none() {
            self.leave_late_corrections();
        }
        let Some(mut play) = self.play.take() else { return };
        if let Some(rules) = self.in_force.rules().filter(|_| settled.is_some() && !play.voided) {
            play.doubt_by_clock(rules);
        }
        self.bind_next_limits();
        if settled.is_some() {
            self.taint = None;
        }
        play.ruled |= settled.is_some() && self.amended;
        self.conclude(&mut play, settled.is_some(), rules, payouts);
        if settled.is_some() && self.shoe.is_none() {
            play.doubt(Reason::ShoeMissing);
        }
        self.carried = play.rulings.carried_over();
        let verdict = match (play.violated, play.undecided) {
            (true, _) => CoupVerdict::Violated,
            (false, Some(_)) => CoupVerdict::Undecided,
            // Of a void coup without stakes nothing has to come back.
            (false, None) if settled.is_some() || (play.voided && play.turnover() == 0) => {
                CoupVerdict::Certified
            }
            (false, None) => CoupVerdict::Undecided,
        };
        let reason = play.undecided.unwrap_or(Reason::NotSettledYet);
        let outcome = Outcome { verdict, reason, ruled: play.ruled };
        self.tally.count(outcome);
        let undecided = play.money.undecided(&play);
        let account = self.account_of(&mut play);
        self.coup_in_ledger(&play, settled.and(rules), payouts, outcome);
        self.owed_in_ledger(&play, account.as_ref());
        if let Some((account, _)) = account.as_ref().filter(|_| self.keeps_accounts()) {
            self.account_in_comparison(&play, account);
        }
        self.count_turnover(&play, settled.is_some() && verdict != CoupVerdict::Undecided, undecided);
        let sequence = settled.map_or(0, |_| self.location.sequence);
        self.settled_short = NonZeroU64::new(sequence).filter(|_| play.short);
        self.tally.remember((self.play_began.sequence, sequence), verdict);
        if let Some(rules) = rules {
            self.count_rulebook(rules);
        }
        if self.question.lists_coups {
            let shoe = self.shoe.as_ref().map(|shoe| shoe.id().to_string());
            let (table, first) = (self.id.clone(), self.play_began.sequence);
            self.tally.listed.push(CoupPlace { table, shoe, coup: play.number, first });
        }
        if self.is_wanted(play.number) && self.tally.coup_views.len() < MAX_COUP_VIEWS {
            let account = account.map(|(account, _)| account).unwrap_or_default();
            let view = self.coup_view(&play, settled, payouts, verdict, account);
            self.tally.coup_views.push(view);
        }
        self.remember(&play, sequence);
        let over = self.over.last_of_mut(play.number);
        if let Some(over) = over {
            over.result = Some(outcome);
            over.left_behind = play.perhaps_over.filter(|_| settled.is_none());
            if over.left_behind.is_some() {
                self.given_up = Some(play);
                return;
            }
        }
        self.spare_bets = play.bets;
        self.spare_bets.clear();
    }

    /// The account of the money of a coup that is over, and how many findings moved money at each seat; where that is
    /// asked for.
    fn account_of(&mut self, play: &mut CoupInPlay) -> Option<(CoupAccount, BTreeMap<u8, u64>)> {
        let (money, mut shares) = (play.money.begin_anew(), self.shares.begin_anew());
        if money.void {
            play.money.void = true;
        }
        if !(self.keeps_ledger() || self.is_wanted(play.number) || self.keeps_accounts()) {
            return None;
        }
        let coup = (self.shoe.as_ref().map_or(0, |shoe| shoe.began), play.number);
        for (whose, change) in self.late_changes(coup) {
            shares.change_bet(whose, change);
        }
        Some(shares.account(money, play))
    }

    /// Stakes of a coup that is over, and those of them whose return or due is not known, if the rest of the coup is
    /// decided. Stakes of a void coup had to come back: they were not played for.
    fn count_turnover(&mut self, play: &CoupInPlay, is_decided: bool, undecided: u128) {
        let currency = self.opened.as_ref().map(|opened| &opened.currency);
        let (staked, turnover) = (play.turnover(), &mut self.tally.summary.turnover);
        if play.is_void() {
            turnover.count_void(currency, staked);
        } else if is_decided {
            turnover.count(currency, staked, undecided);
        } else if staked > 0 {
            turnover.count(currency, staked, staked);
        }
    }

    /// The coup is over, whatever comes of it later.
    pub(super) fn remember(&mut self, play: &CoupInPlay, settled: u64) {
        let (number, voided, cards) = (play.number, play.voided, play.dealt_at().unwrap_or_default());
        match self.over.last_of_mut(number) {
            Some(over) if over.settled > 0 && (over.voided || settled == 0) => over.voided |= voided,
            // What is said of two of one number is of the later.
            Some(_) | None => {
                if !self.over.add(Over { settled, voided, cards, ..Over::new(number) }) {
                    self.sink.forget(Cap::CoupsOfShoe);
                }
            }
        }
    }

    pub(super) fn count_rulebook(&mut self, rules: &Rules) {
        *self.tally.summary.rulebooks.entry(&rules.used, || rules.used.clone()) += 1;
    }
}
