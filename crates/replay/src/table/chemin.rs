//! Passes the events of a chemin de fer table to the state machines of that game.

use std::sync::Arc;

use baccarat::{CheminRules, Game, Money};
use events::{
    AbonoPlaced, BancoCalled, BankPassed, BankSettled, BankTaken, Body, CoupSettled, DrawDecided, Garaje,
    GarajeSet, Name,
};

use super::Table;
use super::play::punto_won;
use crate::chemin::Chemin;
use crate::coup::CoupInPlay;
use crate::rules::Rules;
use crate::rulings::judge_rulings;
use crate::sink::{Accusation, Location};
use crate::statement::{Abonos, OfBank, OfRulings, OfTable};
use crate::{Code, Reason};

impl Table {
    /// An event that only chemin de fer has.
    #[allow(clippy::wildcard_enum_match_arm, reason = "the caller hands over this game's events alone")]
    pub(super) fn chemin_event(&mut self, body: &Body) {
        self.require_open();
        let Some(rules) = self.rules() else { return self.note_abono(body) };
        let (Some(book), true) = (&rules.book.chemin, self.chemin.is_some()) else {
            return self.event_of_another_game(body);
        };
        match body {
            Body::BankTaken(taken) => {
                self.take_bank(taken);
                if !self.mending.is_as_it_began() {
                    self.mending.forget_wrong_bank();
                }
            }
            Body::BankPassed(passed) => self.pass_bank(passed),
            Body::BancoCalled(called) => self.call_banco(called),
            Body::AbonoPlaced(placed) => self.place_abono(placed, &rules, book),
            Body::GarajeSet(set) => self.set_garaje(set, &rules, book),
            Body::DrawDecided(decided) => self.decide(decided),
            Body::BankSettled(settled) => self.settle_bank(settled),
            Body::PlayersPresent(present) => self.chemin(|chemin| {
                chemin.count(present.players);
                None
            }),
            Body::BankBid(bid) => {
                let Some(chemin) = self.chemin.as_mut() else { return };
                let who = chemin.turn.who(bid.seat, bid.player.as_ref());
                let accusation = chemin.turn.bid(who, bid.amount, &mut self.sink);
                self.sink.accuse_all(accusation);
            }
            Body::LeaveGiven(given) => {
                let begun = self.shoe.as_deref().is_some_and(crate::shoe::Shoe::begun);
                self.chemin(|chemin| chemin.give_leave(given, begun, book));
            }
            _ => {}
        }
    }

    fn chemin(&mut self, act: impl FnOnce(&mut Chemin) -> Option<Accusation>) {
        if let Some(chemin) = self.chemin.as_mut() {
            self.sink.accuse_all(act(chemin));
        }
    }

    /// The least stake.
    fn least(&self) -> Option<Money> {
        self.opened.as_ref().map(|opened| opened.limits.minimum)
    }

    /// The table opens under a rulebook, of this game or another.
    pub(super) fn open_bank(&mut self) {
        let game = self.in_force.rules().map(|rules| rules.book.game());
        self.chemin = (game == Some(Game::CheminDeFer)).then(|| Box::new(Chemin::open()));
    }

    /// The table closes: the banker has to have taken the bank away.
    pub(super) fn close_bank(&mut self) {
        self.chemin(|chemin| chemin.still_open());
        self.chemin = None;
    }

    pub(super) fn sit_at_bank(&mut self, seat: u8, player: Option<Name>) {
        let begun = self.shoe.as_deref().is_some_and(crate::shoe::Shoe::begun);
        self.chemin(|chemin| {
            chemin.turn.sit(seat, player, begun);
            None
        });
    }

    /// The bank is offered to a seat, or a seat lets it pass; `false` where there is none to offer.
    pub(super) fn offer_bank(&mut self, seat: u8, declined: bool) -> bool {
        let chemin = self.chemin.is_some();
        self.chemin(Chemin::play_goes_on);
        self.chemin(|chemin| match declined {
            true => chemin.turn.decline(seat),
            false => chemin.offer(seat),
        });
        chemin
    }

    fn take_bank(&mut self, taken: &BankTaken) {
        let least = self.least();
        self.mending.take_bank(self.sink.location().sequence);
        self.chemin(Chemin::play_goes_on);
        if let Some(chemin) = self.chemin.as_mut() {
            chemin.take(taken, least, &mut self.sink);
        }
        let coup = self.play.as_mut().and_then(|play| play.chemin.as_mut());
        if let (Some(coup), Some(chemin)) = (coup.filter(|coup| coup.lacks_bank()), self.chemin.as_mut()) {
            chemin.play_under(coup);
        }
        self.follow_bank();
    }

    /// A coup that began too early is played against the bank as it is when it is dealt.
    fn follow_bank(&mut self) {
        let (Some(play), Some(chemin)) = (self.play.as_mut(), self.chemin.as_mut()) else { return };
        let closed = play.bets_closed();
        if let Some(coup) = play.chemin.as_mut().filter(|coup| coup.follows_the_bank(closed)) {
            chemin.hand_over(coup);
        }
    }

    fn pass_bank(&mut self, passed: &BankPassed) {
        let shoe_over = self.shoe.as_deref().is_none_or(crate::shoe::Shoe::is_over);
        self.leave_account_open();
        self.note_passed(passed.seat, passed.amount);
        if let Some(chemin) = self.chemin.as_mut() {
            chemin.pass(passed, shoe_over, &mut self.sink);
        }
        self.follow_bank();
    }

    /// The bank is passed before the coup in play is settled: it holds what the account says, and nobody knows who
    /// lost.
    fn leave_account_open(&mut self) {
        let Some((play, chemin)) = self.play.as_ref().zip(self.chemin.as_mut()) else { return };
        let account = play.chemin.as_deref().filter(|coup| coup.account.is_some() && !play.voided);
        if let Some(coup) = account {
            chemin.end_coup(coup, None, play.missing_events > 0);
        }
    }

    /// A coup begins under whoever has the bank.
    pub(super) fn begin_bank(&mut self, number: u32) {
        let (least, rules) = (self.least(), self.rules());
        let (Some(rules), Some(chemin), Some(play)) = (rules, self.chemin.as_mut(), self.play.as_mut())
        else {
            return;
        };
        let Some(book) = &rules.book.chemin else { return };
        self.sink.accuse_all(chemin.play_goes_on());
        self.sink.enter(Some(number));
        let missing = chemin.needs_missing_leave(least, book).then_some(Reason::EventsMissing);
        let question = chemin.open_question(book).or(missing);
        // After the end of the shoe, which is reported, nobody has to have the bank.
        let ended = self.shoe.as_deref().is_some_and(crate::shoe::Shoe::ended);
        play.chemin = Some(chemin.begin_coup(&rules, self.ahead || ended, &mut self.sink));
        if let Some(reason) = question {
            play.doubt(reason);
        }
        if let Some(shoe) = self.shoe.as_mut().filter(|_| !chemin.turn.is_known()) {
            // It is not shown who had the bank.
            shoe.leave_open(Reason::EventsMissing);
        }
        self.sink.enter(None);
        self.mark_alike();
    }

    /// Bets may be laid against the bank from here on: what lies above its maximum has to be set aside.
    pub(super) fn ask_maximum(&mut self, number: u32) {
        let (least, rules) = (self.least(), self.rules());
        let Some(book) = rules.as_ref().and_then(|rules| rules.book.chemin.as_ref()) else { return };
        // Whether it was set aside in time is not known where an event came too early.
        let Some(chemin) = self.chemin.as_ref().filter(|_| !self.ahead) else { return };
        let accusation = chemin.check_bank(least, book);
        self.sink.accuse_all(accusation.map(|accusation| accusation.in_coup(number)));
    }

    fn call_banco(&mut self, called: &BancoCalled) {
        self.begin(called.coup);
        self.chemin(|chemin| chemin.check_seguido(called));
        if let Some(play) = self.play.as_mut() {
            let under_way = play.under_way();
            let accusation =
                play.chemin.as_mut().and_then(|coup| coup.call(called, under_way, &mut self.sink));
            self.sink.accuse_all(accusation);
        }
        self.mark_alike();
    }

    /// Where no rulebook is known only what is staked is: a settlement has a line for it.
    fn note_abono(&mut self, body: &Body) {
        if let Body::AbonoPlaced(placed) = body {
            self.begin(placed.coup);
            self.place_bet(&as_bet(placed));
        }
    }

    /// An event of chemin de fer at a table of punto y banca: an abono is a stake all the same.
    fn event_of_another_game(&mut self, body: &Body) {
        if let Body::AbonoPlaced(placed) = body {
            self.begin(placed.coup);
            let bet = as_bet(placed);
            if self.check_bet(&bet) {
                let person = self.who_bets(&bet);
                if let Some(play) = self.play.as_mut() {
                    play.place_abono_not_allowed(&bet, person, false, &self.seating, &mut self.sink);
                }
                self.mark_alike();
            }
            return;
        }
        let recorded = OfTable::Event { event: body.into() };
        let accusation = Accusation::new(Code::GameWrong, OfTable::PuntoYBanca, recorded);
        let coup = body.coup().filter(|coup| self.play.as_deref().is_some_and(|play| play.number == *coup));
        self.sink.accuse(Accusation { coup, ..accusation });
    }

    fn place_abono(&mut self, placed: &AbonoPlaced, rules: &Rules, book: &CheminRules) {
        self.begin(placed.coup);
        let bet = as_bet(placed);
        if !self.check_bet(&bet) {
            return;
        }
        let person = self.who_bets(&bet);
        let Some(play) = self.play.as_mut() else { return };
        let Some(abonos) = &book.abonos else {
            play.place_abono_not_allowed(&bet, person, true, &self.seating, &mut self.sink);
            return self.mark_alike();
        };
        let others = play.abonos(rules);
        if others >= u32::from(abonos.most) {
            let expected = OfBank::AbonosAtMost { abonos: Abonos(abonos.most.into()) };
            self.sink.accuse(play.accusation(
                Code::AbonoCount,
                expected,
                OfBank::AbonoNumber { number: others + 1 },
            ));
        }
        play.place(&bet, person, Some(rules), &self.seating, &mut self.sink);
        self.mark_alike();
    }

    fn set_garaje(&mut self, set: &GarajeSet, rules: &Rules, book: &CheminRules) {
        let least = self.least();
        let at = self.sink.location();
        // Who took the bank since the coup began sets aside for the next, though this one is not settled.
        let bank_goes_on = self.bank_goes_on();
        // And before a coup that began too early is dealt, what is set aside is set aside before it.
        let before = |play: &CoupInPlay| {
            let follows = |coup: &crate::chemin::CheminCoup| coup.follows_the_bank(play.bets_closed());
            set.kind != Garaje::Compulsory && play.chemin.as_deref().is_some_and(follows)
        };
        let in_coup = bank_goes_on && !self.play.as_deref().is_some_and(before);
        match self.play.as_mut().filter(|_| in_coup) {
            Some(play) if set.kind == Garaje::Compulsory => {
                let (uncovered, coup) = (play.uncovered(rules), play.number);
                let accusation = play.chemin.as_mut().and_then(|bank| bank.set_compulsory(set, uncovered));
                self.sink.accuse_all(accusation.map(|accusation| accusation.in_coup(coup)));
            }
            Some(play) => {
                if play.chemin.as_mut().is_some_and(|bank| bank.set_aside_later(at, set, &mut self.sink)) {
                    return;
                }
                let recorded = OfBank::SetInCoup { amount: set.amount.into() };
                let expected = OfBank::SetBeforeCoup;
                self.sink.accuse(play.accusation(Code::GarajeNotAllowed, expected, recorded));
            }
            None => {
                self.chemin(|chemin| chemin.set_garaje(set, least, book));
                self.follow_bank();
            }
        }
    }

    /// Whether the bank still belongs to the player who had it when the coup in play began.
    fn bank_goes_on(&self) -> bool {
        let Some(chemin) = &self.chemin else { return false };
        let known = chemin.in_play().is_some();
        chemin.banker.as_ref().map_or(known, |banker| banker.coups > 0)
    }

    fn decide(&mut self, decided: &DrawDecided) {
        self.begin_with_card(decided.coup);
        if let Some(coup) = self.play.as_mut().and_then(|play| play.chemin.as_mut()) {
            coup.decide(decided, self.location.sequence);
        }
    }

    fn settle_bank(&mut self, settled: &BankSettled) {
        let in_play = self.play.as_ref().is_some_and(|play| play.number == settled.coup);
        if !in_play && self.is_settled(settled.coup) {
            // Behind the settlement of its coup, where it was missed.
            let sequence = self.location.sequence;
            self.chemin(|chemin| chemin.settle_late(settled, sequence));
            return self.follow_bank();
        }
        self.begin(settled.coup);
        if let Some(play) = self.play.as_mut() {
            play.settle_bank(settled, &mut self.sink);
        }
    }

    /// The coup in play is settled.
    pub(super) fn settle_at_bank(
        &mut self,
        settled: &CoupSettled,
        rules: &Arc<Rules>,
        void: Option<Location>,
    ) {
        let Some(play) = self.play.as_mut() else { return };
        if let (Some(coup), Some(chemin)) = (play.chemin.as_mut(), self.chemin.as_mut()) {
            let accusation = chemin.deal_on(coup).filter(|_| play.is_staked());
            self.sink.accuse_all(accusation.map(|accusation| accusation.in_coup(play.number)));
        }
        play.judge_limits(Some(rules), &mut self.sink);
        play.check_account(settled.winner, rules, &mut self.sink);
        judge_rulings(play, &mut self.sink);
        let (mut worlds, winner) = play.check_announced(settled, rules, &mut self.sink);
        if let Some(void) = void {
            self.release_faults();
            return self.settle_void(settled, void);
        }
        let payouts = play.judge_even_payouts(settled, &mut worlds, rules, &mut self.sink);
        play.note_even_money(&payouts, winner, rules);
        play.release_faults(&mut self.sink);
        self.accuse_late();
        self.end_without_holder();
        self.write_findings();
        let lost = punto_won(winner, settled);
        let winner = winner.filter(|winner| *winner == settled.winner);
        if let (Some(play), Some(chemin)) = (self.play.as_ref(), self.chemin.as_mut()) {
            chemin.close_coup(play, Some((rules, winner)), lost);
        }
        self.take_garajes();
        self.end_coup(Some(settled), Some(rules), &payouts);
    }

    /// What was set aside between the account of a coup and its settlement is of the next coup.
    pub(super) fn take_garajes(&mut self) {
        let later = self.play.as_mut().and_then(|play| play.chemin.as_mut()).map(|coup| coup.take_garajes());
        let Some(later) = later.filter(|later| !later.is_empty() && self.bank_goes_on()) else { return };
        let (least, rules) = (self.least(), self.rules());
        let Some(book) = rules.as_ref().and_then(|rules| rules.book.chemin.as_ref()) else { return };
        for (at, set) in later {
            self.chemin(|chemin| chemin.set_garaje(&set, least, book).map(|accusation| accusation.at(at)));
        }
    }

    /// The coup in play is over and was not settled, or is void: nobody knows who lost.
    pub(super) fn leave_coup_open(&mut self) {
        if let (Some(play), Some(chemin)) = (self.play.as_ref(), self.chemin.as_mut()) {
            chemin.close_coup(play, None, None);
        }
        self.take_garajes();
    }

    /// A coup is declared void after its stakes were paid: no claim is allowed then.
    pub(super) fn claim_late(&mut self, coup: u32) {
        let expected = OfRulings::NoClaimOncePaid;
        let accusation = Accusation::new(Code::ClaimAfterPayment, expected, OfRulings::CoupVoided);
        self.sink.accuse(accusation.in_coup(coup).under("claim-after-payment"));
    }
}

/// An abono is a bet of its own kind.
fn as_bet(placed: &AbonoPlaced) -> events::BetPlaced {
    events::BetPlaced {
        coup: placed.coup,
        bet: placed.bet,
        seat: placed.seat,
        player: placed.player.clone(),
        kind: crate::chemin::abono(),
        stake: placed.stake,
    }
}
