//! Simulated punto y banca: the house is the bank, and players may deal.

mod bets;
mod coup;
mod deal;
pub(crate) mod money;
mod rulings;
mod slips;

use std::collections::BTreeMap;

use baccarat::{Charge, Money};
use events::{Body, CommissionCollected, CommissionReason};

use crate::Fault;
use crate::play::Game;
use crate::session::{Session, signed};

/// A table of punto y banca.
pub(crate) struct PuntoBanca {
    session: Session,
    /// Commission marked, by seat.
    boxes: BTreeMap<u8, Money>,
    /// The seat whose box is not collected.
    unpaid: Option<u8>,
    dealer: Option<u8>,
    /// The seat that lost the deal with the last coup.
    lost_by: Option<u8>,
    last_dealer: u8,
    /// The bet that came or went too late in this coup.
    late: Option<bets::Bet>,
}

impl Game for PuntoBanca {
    fn session(&mut self) -> &mut Session {
        &mut self.session
    }

    fn open(&mut self) {
        self.session.open(3);
    }

    fn load(&mut self) {
        self.session.load();
        (self.unpaid, self.boxes) = (None, BTreeMap::new());
    }

    fn coup(&mut self) {
        self.between_coups();
        self.play_coup();
    }

    fn end_shoe(&mut self) {
        self.session.end_shoe();
        let owing: Vec<u8> = self.boxes.keys().copied().filter(|seat| self.owes(*seat)).collect();
        for seat in owing {
            if self.session.wants(Fault::BoxNotCollected) {
                self.session.to_show = Some(Fault::BoxNotCollected);
                self.unpaid = Some(seat);
                let owed = self.boxes.get(&seat).copied().unwrap_or_default();
                self.session.moves(seat, signed(owed));
            } else {
                self.collect(seat, CommissionReason::ShoeEnd);
            }
        }
        (self.dealer, self.lost_by) = (None, None);
    }

    fn close(&mut self) {
        let seated: Vec<u8> = self.session.players.keys().copied().collect();
        for seat in seated {
            self.get_up(seat);
        }
        self.session.close();
    }
}

impl PuntoBanca {
    pub(crate) fn new(session: Session) -> Self {
        Self {
            session,
            boxes: BTreeMap::new(),
            unpaid: None,
            dealer: None,
            lost_by: None,
            last_dealer: 0,
            late: None,
        }
    }

    fn get_up(&mut self, seat: u8) {
        let pays = !(self.session.wants(Fault::LeftWithoutPaying) && self.owes(seat));
        if pays && self.unpaid != Some(seat) {
            self.collect(seat, CommissionReason::Leaving);
        }
        if self.dealer == Some(seat) {
            self.dealer = None;
        }
        let owed = self.owes(seat);
        if !pays {
            let sum = self.boxes.get(&seat).copied().unwrap_or_default();
            self.session.moves(seat, signed(sum));
        }
        let sequence = self.session.stand_up(seat);
        if !pays {
            self.session.plant(Fault::LeftWithoutPaying, sequence, None);
        } else if owed && self.session.to_show == Some(Fault::BoxNotCollected) {
            self.session.plant(Fault::BoxNotCollected, sequence, None);
        }
        self.boxes.remove(&seat);
    }

    fn boxed(&self) -> bool {
        self.session.book.commission.as_ref().is_some_and(|rules| rules.charge == Charge::Boxed)
    }

    fn owes(&self, seat: u8) -> bool {
        self.boxes.get(&seat).is_some_and(|owed| *owed > Money::ZERO)
    }

    fn collect(&mut self, seat: u8, why: CommissionReason) {
        if self.owes(seat)
            && let Some(amount) = self.boxes.remove(&seat)
        {
            self.session.record(Body::CommissionCollected(CommissionCollected { seat, amount, why }));
        }
    }

    /// Guests come and go, limits change, the deal is offered.
    fn between_coups(&mut self) {
        self.session.wait(15);
        let owing: Vec<u8> = self.session.players.keys().copied().filter(|seat| self.owes(*seat)).collect();
        if self.session.wants(Fault::LeftWithoutPaying)
            && self.session.players.len() > 1
            && let Some(&seat) = owing.first()
        {
            self.get_up(seat);
        }
        if self.session.dice.chance(5) && self.session.players.len() > 3 {
            let seated: Vec<u8> = self.session.players.keys().copied().collect();
            if let Some(&seat) = self.session.dice.pick(&seated) {
                self.get_up(seat);
            }
        }
        let seated = self.session.players.len();
        if seated < 3 || (self.session.dice.chance(5) && seated < 7) {
            self.session.sit_down();
        }
        self.session.change_limits();
        self.pass_the_deal();
    }
}
