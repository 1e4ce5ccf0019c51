//! Between two coups: the bank passes or stays, winnings are set aside, players come and go.

use events::{BankWhy, Body, Garaje, Leave, PlayersPresent};

use super::{CheminDeFer, Temper};
use crate::Fault;

impl CheminDeFer {
    /// Before a coup.
    pub(super) fn between_coups(&mut self) {
        self.session.wait(20);
        if self.session.coup > 0 && self.session.wants(Fault::LeaveTooLate) {
            let office = self.rules.free_play.office.clone();
            let sequence = self.give_leave(Leave::FreePlay, &office);
            self.session.plant(Fault::LeaveTooLate, sequence, None);
        }
        self.come_and_go();
        self.keep_or_pass();
        if self.bank.banker.is_none() {
            self.assign_bank();
            self.refuse_to_deal();
        }
        self.set_winnings_aside();
        self.set_improper();
        self.thin_out();
    }

    /// The banker goes on, or the bank passes.
    fn keep_or_pass(&mut self) {
        let Some(banker) = self.bank.banker.clone() else { return };
        if banker.lost {
            // A bank that lost everything cannot be kept: nobody could stake against it.
            if banker.bank >= self.least() && self.session.wants(Fault::BankKept) {
                self.session.to_show = Some(Fault::BankKept);
                return;
            }
            self.pass_bank(BankWhy::Lost);
            self.take_away_more();
        } else if banker.coups > 0 && self.session.wants(Fault::BankTakenFromWinner) {
            let sequence = self.pass_bank(BankWhy::Lost);
            self.session.plant(Fault::BankTakenFromWinner, sequence.unwrap_or_default(), None);
        } else if banker.coups > 0 {
            let undercut =
                [Fault::BankUndercut, Fault::AuctionByLastBanker].into_iter().any(|f| self.session.wants(f));
            if undercut || self.session.dice.chance(Temper::of(&banker.who.player).gives_up()) {
                self.pass_bank(BankWhy::Voluntary);
            }
        }
    }

    /// Now and then whoever took the bank will not deal: it is auctioned.
    fn refuse_to_deal(&mut self) {
        if self.session.coup > 0 && self.session.wants(Fault::BankGivenUpUnplayed) {
            let sequence = self.pass_bank(BankWhy::Voluntary);
            self.session.plant(Fault::BankGivenUpUnplayed, sequence.unwrap_or_default(), None);
            self.assign_bank();
        } else if self.session.dice.chance(2) {
            self.pass_bank(BankWhy::Refused);
            self.assign_bank();
        }
    }

    /// A garaje by choice, where the rulebook says when; «todo va».
    fn set_winnings_aside(&mut self) {
        let Some(banker) = self.bank.banker.clone() else { return };
        if self.session.coup > 0
            && !self.bank.unlimited
            && banker.garaje == 0
            && self.session.wants(Fault::TodoVaLimited)
        {
            let sequence = self.set_garaje(Garaje::TodoVa, 0);
            self.session.plant(Fault::TodoVaLimited, sequence, None);
            self.bank.todo_va = true;
            return;
        }
        if self.bank.unlimited && banker.garaje > 0 && self.session.dice.chance(15) {
            self.set_garaje(Garaje::TodoVa, banker.garaje);
            if let Some(banker) = self.bank.banker.as_mut() {
                (banker.bank, banker.garaje) = (banker.bank + banker.garaje, 0);
            }
            self.bank.todo_va = true;
            return;
        }
        // Where the condition is not known, an honest house makes none.
        let Some(times) = self.rules.garaje.voluntary_over else { return };
        let over = self.least() * u64::from(times);
        let early = banker.winnings > 0 && banker.winnings <= over && self.session.wants(Fault::GarajeEarly);
        let leaves_bank = banker.bank >= banker.winnings + self.least();
        if early && leaves_bank || banker.winnings > over && leaves_bank && self.session.dice.chance(40) {
            let sequence = self.set_garaje(Garaje::Voluntary, banker.winnings);
            self.set_aside(banker.winnings);
            if let Some(banker) = self.bank.banker.as_mut() {
                banker.winnings = 0;
            }
            if early {
                self.session.plant(Fault::GarajeEarly, sequence, None);
            }
        }
    }

    /// Guests come and go; the banker does not leave while holding the bank.
    fn come_and_go(&mut self) {
        let banker = self.bank.banker.as_ref().filter(|banker| !banker.who.stands).map(|b| b.who.seat);
        let others: Vec<u8> =
            self.session.players.keys().copied().filter(|seat| Some(*seat) != banker).collect();
        let mut changed = false;
        if self.session.dice.chance(4)
            && self.session.players.len() > 6
            && let Some(&seat) = self.session.dice.pick(&others)
        {
            self.give_seat_up(seat);
            changed = true;
        }
        let saludo = self.session.coup > 2
            && self.session.wants(Fault::SaludoSkipped)
            && self.bank.newcomers.is_empty();
        while self.session.players.len() < 5
            || saludo && self.bank.newcomers.is_empty() && self.session.players.len() < 12
        {
            self.sit_down_at_bank();
            changed = true;
        }
        if self.session.dice.chance(5) && self.session.players.len() < 8 {
            self.sit_down_at_bank();
            changed = true;
        }
        if changed {
            self.count_players();
        }
    }

    fn sit_down_at_bank(&mut self) {
        if let Some(seat) = self.session.sit_down()
            && self.session.coup > 0
        {
            self.bank.newcomers.insert(seat);
        }
    }

    /// Too few players are left, and play goes on.
    fn thin_out(&mut self) {
        let Some(banker) = self.bank.banker.clone() else { return };
        if self.session.coup < 2 || self.bank.standers.is_empty() || !self.session.wants(Fault::TableTooSmall)
        {
            return;
        }
        self.session.to_show = Some(Fault::TableTooSmall);
        let others: Vec<u8> =
            self.session.players.keys().copied().filter(|seat| *seat != banker.who.seat).collect();
        for seat in &others[1..] {
            self.give_seat_up(*seat);
        }
        self.session.record(Body::PlayersPresent(PlayersPresent { players: 3 }));
    }

    /// The shoe is over: its banker takes the bank away, and may go on in the next.
    pub(super) fn give_bank_back(&mut self) {
        let lost = self.bank.banker.as_ref().is_some_and(|banker| banker.lost);
        self.pass_bank(if lost { BankWhy::Lost } else { BankWhy::ShoeEnd });
        self.bank.newcomers.clear();
    }
}
