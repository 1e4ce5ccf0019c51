//! Between two coups: the bank passes or stays, winnings are set aside, players come and go.

use events::{BankWhy, Body, Garaje, Leave, PlayersPresent};

use super::Temper;
use crate::Fault;
use crate::session::Session;

impl Session {
    /// Before a coup.
    pub(crate) fn between_coups_at_bank(&mut self) {
        self.wait(20);
        if self.coup > 0 && self.wants(Fault::LeaveTooLate) {
            let office = self.rules().free_play.office;
            let sequence = self.give_leave(Leave::FreePlay, &office);
            self.plant(Fault::LeaveTooLate, sequence, None);
        }
        self.come_and_go();
        self.keep_or_pass();
        if self.chemin.banker.is_none() {
            self.assign_bank();
            self.refuse_to_deal();
        }
        self.set_winnings_aside();
        self.set_improper();
        self.thin_out();
    }

    /// The banker goes on, or the bank passes.
    fn keep_or_pass(&mut self) {
        let Some(banker) = self.chemin.banker.clone() else { return };
        if banker.lost {
            // A bank that lost everything cannot be kept: nobody could stake against it.
            if banker.bank >= self.least() && self.wants(Fault::BankKept) {
                self.to_show = Some(Fault::BankKept);
                return;
            }
            self.pass_bank(BankWhy::Lost);
        } else if banker.coups > 0 && self.wants(Fault::BankTakenFromWinner) {
            let sequence = self.pass_bank(BankWhy::Lost);
            self.plant(Fault::BankTakenFromWinner, sequence.unwrap_or_default(), None);
        } else if banker.coups > 0 {
            let undercut =
                [Fault::BankUndercut, Fault::AuctionByLastBanker].into_iter().any(|f| self.wants(f));
            if undercut || self.dice.chance(Temper::of(&banker.who.player).gives_up()) {
                self.pass_bank(BankWhy::Voluntary);
            }
        }
    }

    /// Now and then whoever took the bank will not deal: it is auctioned.
    fn refuse_to_deal(&mut self) {
        if self.coup > 0 && self.wants(Fault::BankGivenUpUnplayed) {
            let sequence = self.pass_bank(BankWhy::Voluntary);
            self.plant(Fault::BankGivenUpUnplayed, sequence.unwrap_or_default(), None);
            self.assign_bank();
        } else if self.dice.chance(2) {
            self.pass_bank(BankWhy::Refused);
            self.assign_bank();
        }
    }

    /// A garaje by choice, where the rulebook says when; «todo va».
    fn set_winnings_aside(&mut self) {
        let Some(banker) = self.chemin.banker.clone() else { return };
        if self.coup > 0 && !self.chemin.unlimited && banker.garaje == 0 && self.wants(Fault::TodoVaLimited) {
            let sequence = self.set_garaje(Garaje::TodoVa, 0);
            self.plant(Fault::TodoVaLimited, sequence, None);
            self.chemin.todo_va = true;
            return;
        }
        if self.chemin.unlimited && banker.garaje > 0 && self.dice.chance(15) {
            self.set_garaje(Garaje::TodoVa, banker.garaje);
            if let Some(banker) = self.chemin.banker.as_mut() {
                (banker.bank, banker.garaje) = (banker.bank + banker.garaje, 0);
            }
            self.chemin.todo_va = true;
            return;
        }
        // Under a condition that is not known an honest house makes none.
        let Some(times) = self.rules().garaje.voluntary_over else { return };
        let over = self.least() * u64::from(times);
        let early = banker.winnings > 0 && banker.winnings <= over && self.wants(Fault::GarajeEarly);
        let leaves_bank = banker.bank >= banker.winnings + self.least();
        if early && leaves_bank || banker.winnings > over && leaves_bank && self.dice.chance(40) {
            let sequence = self.set_garaje(Garaje::Voluntary, banker.winnings);
            self.set_aside(banker.winnings);
            if let Some(banker) = self.chemin.banker.as_mut() {
                banker.winnings = 0;
            }
            if early {
                self.plant(Fault::GarajeEarly, sequence, None);
            }
        }
    }

    /// Guests come and go; nobody leaves the bank standing.
    fn come_and_go(&mut self) {
        let banker = self.chemin.banker.as_ref().filter(|banker| !banker.who.stands).map(|b| b.who.seat);
        let others: Vec<u8> = self.players.keys().copied().filter(|seat| Some(*seat) != banker).collect();
        let mut changed = false;
        if self.dice.chance(4)
            && self.players.len() > 6
            && let Some(&seat) = self.dice.pick(&others)
        {
            self.give_seat_up(seat);
            changed = true;
        }
        let saludo = self.coup > 2 && self.wants(Fault::SaludoSkipped) && self.chemin.newcomers.is_empty();
        while self.players.len() < 5 || saludo && self.chemin.newcomers.is_empty() && self.players.len() < 12
        {
            self.sit_down_at_bank();
            changed = true;
        }
        if self.dice.chance(5) && self.players.len() < 8 {
            self.sit_down_at_bank();
            changed = true;
        }
        if changed {
            self.count_players();
        }
    }

    fn sit_down_at_bank(&mut self) {
        if let Some(seat) = self.sit_down()
            && self.coup > 0
        {
            self.chemin.newcomers.insert(seat);
        }
    }

    /// Too few players are left, and play goes on.
    fn thin_out(&mut self) {
        let Some(banker) = self.chemin.banker.clone() else { return };
        if self.coup < 2 || self.chemin.standers.is_empty() || !self.wants(Fault::TableTooSmall) {
            return;
        }
        self.to_show = Some(Fault::TableTooSmall);
        let others: Vec<u8> = self.players.keys().copied().filter(|seat| *seat != banker.who.seat).collect();
        for seat in &others[1..] {
            self.give_seat_up(*seat);
        }
        self.tell(Body::PlayersPresent(PlayersPresent { players: 3 }));
    }

    /// The shoe is over: its banker takes the bank away, and may go on in the next.
    pub(crate) fn end_shoe_at_bank(&mut self) {
        let lost = self.chemin.banker.as_ref().is_some_and(|banker| banker.lost);
        self.pass_bank(if lost { BankWhy::Lost } else { BankWhy::ShoeEnd });
        self.chemin.newcomers.clear();
    }
}
