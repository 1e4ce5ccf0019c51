//! Void coups: every stake is returned exactly once, and nothing else changes.

use std::collections::BTreeMap;
use std::num::NonZeroU64;

use baccarat::Money;
use events::{Body, CoupSettled, CoupVoided};

use super::awaited::Awaited;
use super::over::Over;
use super::{Hidden, Seen, Table, Taint};
use crate::account::{CoupMoney, Shares, by_seat, signed};
use crate::boxes::Mark;
use crate::coup::{Bet, BetState, CoupInPlay};
use crate::record::Revision;
use crate::rulings::judge_rulings;
use crate::seldom::Seldom;
use crate::settlement::{judge_lines, judge_payouts, marked};
use crate::sink::{Accusation, Location, Sink, seat_money};
use crate::statement::{NO_COMMISSION, OfPayouts, Stakes};
use crate::{Code, Reason, SeatMoney};

/// A coup in play that another one's refund interrupts.
struct Aside {
    play: Option<Box<CoupInPlay>>,
    began: Location,
    findings: Seldom<Vec<crate::Finding>>,
    shares: Seldom<Shares>,
    carried: Seldom<Vec<u16>>,
    taint: Option<Taint>,
    limits: Option<Box<events::Limits>>,
}

impl Table {
    pub(super) fn void(&mut self, voided: &CoupVoided, seen: &Seen<'_>) -> Option<Revision> {
        self.count_void(voided);
        let in_play = self.play.as_ref().is_some_and(|play| play.number == voided.coup);
        // It may be the first of another shoe that is recorded.
        let another = self.shoe.as_deref().is_some_and(|shoe| shoe.may_be_another(voided.coup));
        let settled = self.over.of(voided.coup).rev().find(|over| !another && self.was_settled(over));
        let settled = settled.map(|over| over.settled);
        if let (Some(settled), false) = (settled, in_play) {
            if self.chemin.is_some() {
                // A claim after the payment is not allowed, and nothing changes.
                self.claim_late(voided.coup);
                return None;
            }
            self.over.void(voided.coup, settled);
            self.unmark(voided.coup);
            // A coup of the shoe before cannot be played back with what this says of it.
            return (settled >= seen.first).then_some(Revision::Voided { settled });
        }
        if self.is_given_up_void(voided.coup) {
            return None;
        }
        if self.left_behind_a_gap(voided.coup).is_some() {
            // It was given up where its settlement may be missing: what came back before is not known.
            let over = self.over.last_of_mut(voided.coup);
            over.into_iter().for_each(|over| over.voided = true);
            let (void, judged) = (self.location, self.in_force.rules().is_some());
            let play = self.given_up.take_if(|play| play.number == voided.coup);
            if let Some(play) = play {
                self.awaited.push(Awaited { play, settled: None, void, judged });
            }
            return None;
        }
        if let Some(taint) = self.hides(voided.coup).filter(|_| !in_play) {
            self.void_hidden(voided.coup, taint);
            return None;
        }
        self.void_in_play(voided.coup);
        None
    }

    /// What a coup marked in the boxes is taken out of them where its void is declared.
    fn unmark(&mut self, coup: u32) {
        let Some(rules) = self.in_force.rules() else { return };
        let Some(awaited) = self.awaited.find(coup, |awaited| awaited.void == self.location) else { return };
        let marks = awaited.settled.as_ref().map(|settled| marked(&awaited.play, settled, rules));
        for Mark { seat, person, commission } in marks.into_iter().flatten() {
            self.boxes.unmark(seat, person.as_ref(), commission);
        }
    }

    /// Counts a void and checks its signatures.
    fn count_void(&mut self, voided: &CoupVoided) {
        self.tally.summary.attested.voids += 1;
        self.sink.enter(Some(voided.coup));
        self.check_signers(&voided.ruled_by, voided.countersigned_by.as_ref(), true);
        self.sink.enter(None);
    }

    /// The void of a coup that has begun ahead of the settlement of the one before it.
    pub(super) fn void_ahead(&mut self, voided: &CoupVoided) {
        self.count_void(voided);
        self.void_in_play(voided.coup);
    }

    fn void_in_play(&mut self, coup: u32) {
        self.begin(coup);
        self.draw_mislabelled(coup);
        self.accuse_after_end(coup);
        self.release_faults();
        if let Some(play) = self.play.as_mut() {
            (play.voided, play.voided_at) = (true, self.location.sequence);
            play.ruled = true;
            self.dealing.end_coup(None);
        }
    }

    /// What is missing, where this coup may have been played in it and nothing of it is recorded.
    fn hides(&self, coup: u32) -> Option<Taint> {
        let covers = |hidden: &&Hidden| (hidden.first..hidden.next).contains(&coup);
        let begun = |over: &Over| over.settled == 0 || self.was_settled(over);
        if self.over.of(coup).any(begun) {
            return None;
        }
        let at_end = || self.shoe.as_ref().is_some_and(|shoe| shoe.may_have_ended_with(coup));
        let hidden = self.hidden.iter().rev().find(covers).map(|hidden| hidden.taint);
        hidden.or_else(|| self.taint.filter(|_| at_end()))
    }

    /// A coup is declared void that was played in what is missing: what was staked in it is not known.
    fn void_hidden(&mut self, coup: u32, taint: Taint) {
        let mut play = Box::new(CoupInPlay::new(coup));
        play.doubt(taint.reason);
        play.miss(taint.events, taint.events, taint.cards);
        play.perhaps_over = Some(self.location.sequence);
        (play.voided, play.ruled) = (true, true);
        let (given_up, void) = (self.given_up.take(), self.location);
        let aside = self.set_aside(play);
        self.play_began = void;
        self.end_coup(None, None, &[]);
        self.take_up(aside);
        let (play, judged) =
            (std::mem::replace(&mut self.given_up, given_up), self.in_force.rules().is_some());
        if let Some(play) = play {
            self.awaited.push(Awaited { play, settled: None, void, judged });
        }
    }

    /// The coup in play is settled, and is declared void later: its payouts are judged with what comes back.
    pub(super) fn settle_void(&mut self, settled: &CoupSettled, void: Location) {
        let judged = self.in_force.rules().is_some();
        self.dealing.end_coup(None);
        self.forget_account();
        self.leave_coup_open();
        let Some(mut play) = self.play.take() else { return };
        self.bind_next_limits();
        self.taint = None;
        self.carried = play.rulings.carried_over();
        if let Some(rules) = self.in_force.rules() {
            for Mark { seat, person, commission } in marked(&play, settled, rules) {
                self.boxes.mark(seat, person.as_ref(), commission);
            }
        }
        self.settled_short = NonZeroU64::new(self.location.sequence).filter(|_| play.short);
        play.ruled = true;
        self.remember(&play, self.location.sequence);
        self.awaited.push(Awaited { play, settled: Some(settled.clone()), void, judged });
    }

    /// Whether a coup that was given up behind a gap was declared void there.
    pub(super) fn is_given_up_void(&self, coup: u32) -> bool {
        let in_play = self.play.as_ref().is_some_and(|play| play.number == coup);
        let over = self.over.last_of(coup);
        !in_play && over.is_some_and(|over| over.voided && over.left_behind.is_some())
    }

    /// Another settlement of a coup that is over: after a void it gives the stakes back.
    pub(super) fn settle_again(&mut self, settled: &CoupSettled, seen: &Seen<'_>) -> Option<Revision> {
        // What was settled again before the void gives no stakes back.
        let now = self.location.sequence;
        if let Some(awaited) = self.awaited.take(settled.coup, |awaited| awaited.void.sequence < now) {
            self.judge_refund(awaited, Some(settled));
            return None;
        }
        let stakes_come_back = |over: &mut Over| std::mem::take(&mut over.awaits_stakes);
        if self.over.last_of_mut(settled.coup).is_some_and(stakes_come_back) {
            return None;
        }
        let revision = self.void_may_be_missing_since(settled.coup, seen);
        let mut money: BTreeMap<u8, i128> = BTreeMap::new();
        let mut lines: BTreeMap<u64, (Vec<u8>, usize)> = BTreeMap::new();
        for line in &settled.bets {
            let (seats, before) =
                lines.entry(line.bet).or_insert_with(|| (self.seats_settled(settled.coup, line.bet), 0));
            let seat = seats.get(*before).or(seats.last()).copied();
            *before += 1;
            let (seat, sign) = seat.map_or((0, -1), |seat| (seat, 1));
            *money.entry(seat).or_default() += sign * i128::from(line.returned.get());
        }
        let accusation =
            Accusation::new(Code::CoupSettledTwice, OfPayouts::OneSettlement, OfPayouts::AnotherSettlement)
                .in_coup(settled.coup);
        self.sink.accuse(accusation.moving(by_seat(money)));
        revision
    }

    /// A coup is settled again: the void for which its stakes come back may be missing since it was settled. (In chemin de
    /// fer no claim is allowed then.)
    fn void_may_be_missing_since(&self, coup: u32, seen: &Seen<'_>) -> Option<Revision> {
        let over = self.over.last_of(coup).filter(|over| !over.voided && self.was_settled(over))?;
        let missing = over.settled >= seen.first && self.mending.any_missing_since(over.settled);
        (missing && self.chemin.is_none()).then_some(Revision::SettledAgain { settled: over.settled })
    }

    /// Both settlements of the coup in play as one, if it is settled again after a gap that may hold its void, and the two
    /// return every stake.
    pub(super) fn stakes_come_back_later(
        &self,
        settled: &CoupSettled,
        seen: &Seen<'_>,
    ) -> Option<CoupSettled> {
        let now = seen.location.sequence;
        let again = seen.known.settled_again(now).filter(|_| seen.known.void_of(now).is_none())?;
        let play = self.play.as_ref()?;
        let Body::CoupSettled(again) = seen.event(again)?.body else { return None };
        returned_in_void(play, &[settled, &again], play.missing_bets).1.is_empty().then(|| {
            let mut both = settled.clone();
            for line in again.bets {
                match both.bets.iter_mut().find(|before| before.bet == line.bet) {
                    Some(before) => before.returned = before.returned.plus(line.returned),
                    None => both.bets.push(line),
                }
            }
            both
        })
    }

    /// Whose the lines of a bet in a coup are: in their order, and those beyond the last's; of a bet of another coup the
    /// last's.
    fn seats_settled(&mut self, coup: u32, bet: u64) -> Vec<u8> {
        let own: Vec<u8> = self.bet_seats.of(bet).filter(|one| one.0 == coup).map(|one| one.2).collect();
        if !own.is_empty() {
            return own;
        }
        self.bet_seats.of(bet).next_back().map(|one| one.2).into_iter().collect()
    }

    /// A void coup's stakes come back.
    pub(super) fn refund(&mut self, settled: &CoupSettled) {
        if let (Some(rules), Some(play)) = (self.in_force.rules(), self.play.as_mut()) {
            play.judge_limits(Some(rules), &mut self.sink);
            judge_rulings(play, &mut self.sink);
        }
        self.release_faults();
        self.dealing.end_coup(None);
        self.judge_void_account();
        self.leave_coup_open();
        if let Some(play) = self.play.as_mut() {
            judge_returned(play, &[settled], &mut self.sink);
        }
        self.write_findings();
        self.end_coup(Some(settled), None, &[]);
    }

    /// Whether every stake comes back, which is not what was due, and the coup may have been declared void in what is missing.
    pub(super) fn void_may_be_missing(&self, settled: &CoupSettled) -> bool {
        let Some(play) = self.play.as_ref().filter(|play| play.missing_bets > 0) else { return false };
        // One of the missing events is the void, and each bet that was taken back is one.
        let mut back: BTreeMap<u64, Money> = BTreeMap::new();
        for line in &settled.bets {
            if line.commission > Money::ZERO {
                return false;
            }
            let sum = back.entry(line.bet).or_default();
            *sum = sum.plus(line.returned);
        }
        let came_back = |bet: &&Bet| back.get(&bet.id).is_some_and(|sum| *sum > Money::ZERO);
        let (whole, gone): (Vec<&Bet>, Vec<&Bet>) =
            play.bets.iter().filter(|bet| bet.stood()).partition(came_back);
        if whole.iter().any(|bet| back.get(&bet.id).is_some_and(|sum| *sum < bet.stake)) {
            return false;
        }
        let Some(left) = play.missing_bets.checked_sub(gone.len() as u64 + 1) else { return false };
        returned_in_void(play, &[settled], left).1.is_empty() && !self.settles_as_played(settled)
    }

    /// Whether a settlement is right, if the coup was played to its end.
    fn settles_as_played(&self, settled: &CoupSettled) -> bool {
        let (Some(rules), Some(mut play)) = (self.in_force.rules(), self.play.clone()) else { return true };
        let (mut sink, before) = (self.sink.apart(), play.faults().len());
        if self.chemin.is_some() {
            play.check_account(settled.winner, rules, &mut sink);
            let (mut worlds, _) = play.check_announced(settled, rules, &mut sink);
            play.judge_even_payouts(settled, &mut worlds, rules, &mut sink);
        } else {
            play.check_finished(rules, &mut sink);
            let mut worlds = play.check_result(settled, rules, &mut sink);
            judge_payouts(&mut play, settled, &mut worlds, rules, &mut self.boxes.clone(), &mut sink);
        }
        sink.take().iter().chain(play.faults().iter().skip(before)).all(|found| self.is_explained(found))
    }

    /// The stakes of the coup in play come back, and it is not known whether it was declared void.
    pub(super) fn leave_perhaps_void(&mut self, settled: &CoupSettled) {
        self.play.iter_mut().for_each(|play| play.perhaps_void = true);
        self.release_faults();
        self.dealing.end_coup(None);
        let rules = self.rules();
        if let (Some(play), Some(chemin), Some(rules)) = (&self.play, &mut self.chemin, &rules) {
            chemin.close_coup(play, Some((rules, None)), None);
        }
        self.take_garajes();
        let payouts = self.play.as_mut().map(|play| {
            play.doubt(Reason::EventsMissing);
            judge_lines(play, settled, &mut self.sink)
        });
        self.write_findings();
        self.end_coup(Some(settled), rules.as_deref(), &payouts.unwrap_or_default());
    }

    /// Holds all that came back of a coup that was over against its stakes. The coup in play goes on beside it.
    fn judge_refund(&mut self, awaited: Awaited, again: Option<&CoupSettled>) {
        let Awaited { mut play, settled: first, judged, .. } = awaited;
        let settled: Vec<&CoupSettled> = first.iter().chain(again).collect();
        play.money.void = true;
        if judged {
            judge_returned(&mut play, &settled, &mut self.sink);
        }
        if first.is_none() {
            return self.write_findings();
        }
        let aside = self.set_aside(play);
        self.write_findings();
        self.end_coup(settled.last().copied(), None, &[]);
        self.take_up(aside);
    }

    /// Puts the coup in play aside, with all that is the table's for its sake, for one that was over.
    fn set_aside(&mut self, play: Box<CoupInPlay>) -> Aside {
        Aside {
            play: self.play.replace(play),
            began: self.play_began,
            findings: std::mem::take(&mut self.coup_findings),
            shares: std::mem::take(&mut self.shares),
            carried: std::mem::take(&mut self.carried),
            taint: self.taint.take(),
            limits: self.around.next_limits.take(),
        }
    }

    fn take_up(&mut self, aside: Aside) {
        self.play = aside.play;
        self.play_began = aside.began;
        self.coup_findings = aside.findings;
        self.shares = aside.shares;
        self.carried = aside.carried;
        self.taint = aside.taint;
        self.around.next_limits = aside.limits;
    }

    /// The shoe is done with, or play goes on: what was to come back has not.
    pub(super) fn leave_voids(&mut self) {
        for awaited in self.awaited.take_all() {
            self.leave_void(awaited);
        }
    }

    /// Another coup begins: what was declared void before it had to come back by now.
    pub(super) fn leave_voids_before(&mut self, sequence: u64) {
        while let Some(awaited) = self.awaited.take_before(sequence) {
            self.leave_void(awaited);
        }
    }

    fn leave_void(&mut self, awaited: Awaited) {
        let now = self.sink.location();
        self.sink.go_to(awaited.void);
        self.judge_refund(awaited, None);
        self.sink.go_to(self.location);
        self.sink.shown_by(now);
    }

    /// Events are missing: what was to come back may have come back in them.
    pub(super) fn doubt_voids(&mut self, reason: Reason) {
        for awaited in self.awaited.iter_mut() {
            awaited.play.doubt(reason);
            awaited.judged = false;
        }
    }

    /// The record ends: what was to come back may still.
    pub(super) fn leave_voids_open(&mut self) {
        for Awaited { mut play, settled, .. } in self.awaited.take_all() {
            let Some(settled) = settled else { continue };
            play.doubt(Reason::NotSettledYet);
            play.money.void = true;
            self.play = Some(play);
            self.end_coup(Some(&settled), None, &[]);
        }
    }

    /// A void coup leaves the bank as it was.
    fn forget_account(&mut self) {
        if let Some(play) = self.play.as_mut() {
            play.forget_account();
        }
    }

    /// The same, where what came back is known: an account behind the void has to say so.
    fn judge_void_account(&mut self) {
        let Some(play) = self.play.as_mut() else { return };
        let account = play.forget_account();
        if account.is_none()
            && play.missing_bets > 0
            && let Some(chemin) = self.chemin.as_mut()
        {
            chemin.doubt_sum(play);
        }
        let (Some(account), Some(rules)) = (account, self.in_force.rules()) else { return };
        self.sink.accuse_all(play.judge_void_account(&account, rules));
        if let Some(chemin) = self.chemin.as_mut() {
            chemin.go_on_with(play, &account);
        }
    }
}

/// Play goes on after a void coup, and nothing says that its stakes came back.
pub(super) fn judge_no_refund(play: &mut CoupInPlay) -> Option<Accusation> {
    if play.may_be_returned() {
        return None;
    }
    let gone = |at: usize| play.may_be_gone(&play.bets[at]);
    *play.money = CoupMoney::of_void(play, |at| (!gone(at)).then_some(0));
    let play = &*play;
    let stands = |bet: &Bet| bet.state == BetState::Stands && !play.may_be_gone(bet);
    let open_bets: Vec<usize> = (0..play.bets.len()).filter(|at| stands(&play.bets[*at])).collect();
    open_bets.first()?;
    let mut sums: BTreeMap<u8, Money> = BTreeMap::new();
    for bet in open_bets.iter().map(|at| &play.bets[*at]) {
        let sum = sums.entry(bet.seat).or_default();
        *sum = sum.plus(bet.stake);
    }
    let stakes = Stakes(u32::try_from(open_bets.len()).unwrap_or(u32::MAX));
    let expected = OfPayouts::StakesReturned { stakes };
    let money = sums.into_iter().map(|(seat, sum)| seat_money(seat, Money::ZERO, sum)).collect();
    let recorded = OfPayouts::StakesNotReturned;
    Some(play.accusation(Code::VoidStakeKept, expected, recorded).moving_for_bets(open_bets, money))
}

/// Every stake of a void coup comes back once, whole and without commission, and nothing beside.
fn judge_returned(play: &mut CoupInPlay, settled: &[&CoupSettled], sink: &mut Sink) {
    let (money, found) = returned_in_void(play, settled, play.missing_bets);
    *play.money = money;
    sink.accuse_all(found);
}

/// What came back of a void coup, and what is wrong with that; so many missing events may have placed bets in it.
fn returned_in_void(
    play: &CoupInPlay,
    settled: &[&CoupSettled],
    missing: u64,
) -> (CoupMoney, Vec<Accusation>) {
    let (mut back, mut found): (BTreeMap<usize, i64>, _) = (BTreeMap::new(), Vec::new());
    let mut returned = returned_by_bet(play, settled);
    let mut seen: BTreeMap<u64, usize> = BTreeMap::new();
    for (at, bet) in play.bets.iter().enumerate().filter(|(_, bet)| bet.stood()) {
        let which = seen.entry(bet.id).or_default();
        let recorded = returned.remove(&(bet.id, *which));
        *which += 1;
        if recorded.is_none() && *which > 1 {
            // Two bets under one id may have one line; the reused id is reported already.
            continue;
        }
        let (sum, commission) = recorded.unwrap_or_default();
        let shown = recorded.map_or(OfPayouts::VoidLeftOut, |(sum, commission)| OfPayouts::VoidReturned {
            amount: sum.into(),
            commission: commission.into(),
        });
        let code = if sum > bet.stake { Code::VoidOverpaid } else { Code::VoidStakeKept };
        if sum < bet.stake && play.may_be_gone(bet) {
            continue;
        }
        // Of a stake that came back whole commission is what it lacks.
        let got = if sum == bet.stake { signed(sum) - signed(commission) } else { signed(sum) };
        back.insert(at, got);
        if sum != bet.stake || commission > Money::ZERO {
            let money = SeatMoney::exactly(bet.seat, got - signed(bet.stake));
            let (amount, commission) = (bet.stake.into(), NO_COMMISSION);
            let expected = OfPayouts::BetReturns { bet: bet.id, amount, commission };
            found.push(play.accusation(code, expected, shown).moving_for_bets(vec![at], vec![money]));
        }
    }
    let mut explained = missing;
    let index = play.bet_index();
    for ((id, _), (sum, _)) in returned.into_iter().filter(|(_, (sum, _))| *sum > Money::ZERO) {
        let seat = index.first(id).map(|at| play.bets[at].seat);
        if explained > 0 && seat.is_none() {
            explained -= 1;
            continue;
        }
        let money = match seat {
            Some(seat) => seat_money(seat, sum, Money::ZERO),
            None => seat_money(0, Money::ZERO, sum),
        };
        let expected = OfPayouts::NothingBeside;
        let recorded = OfPayouts::ReturnedFor { amount: sum.into(), bet: id };
        found.push(play.accusation(Code::VoidOverpaid, expected, recorded).moving(vec![money]));
    }
    (CoupMoney::of_void(play, |at| back.get(&at).copied()), found)
}

/// The returned sum and the commission of each bet, by id and index among the bets of that id: a line belongs to
/// the first of them without a line, and further lines belong to the last.
fn returned_by_bet(play: &CoupInPlay, settled: &[&CoupSettled]) -> BTreeMap<(u64, usize), (Money, Money)> {
    let mut bets: BTreeMap<u64, usize> = BTreeMap::new();
    for bet in play.bets.iter().filter(|bet| bet.stood()) {
        *bets.entry(bet.id).or_default() += 1;
    }
    let mut returned: BTreeMap<(u64, usize), (Money, Money)> = BTreeMap::new();
    for settled in settled {
        let mut lines: BTreeMap<u64, usize> = BTreeMap::new();
        for line in &settled.bets {
            let which = lines.entry(line.bet).or_default();
            let last = bets.get(&line.bet).map_or(0, |count| count - 1);
            let (sum, commission) = returned.entry((line.bet, last.min(*which))).or_default();
            (*sum, *commission) = (sum.plus(line.returned), commission.plus(line.commission));
            *which += 1;
        }
    }
    returned
}
