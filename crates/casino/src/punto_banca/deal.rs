//! Who deals: offers in turn, and what may go wrong with them.

use baccarat::Dealer;
use events::{Body, Deal, Name, Seat};

use super::PuntoBanca;
use crate::Fault;

impl PuntoBanca {
    /// Before a coup: whoever lost the deal passes it on.
    pub(super) fn pass_the_deal(&mut self) {
        self.take_a_taken_seat();
        match self.session.book.deal.dealer {
            Dealer::Croupier => self.offer_at_the_croupiers_table(),
            Dealer::Either if self.dealer.is_none() && self.session.dice.chance(10) => {
                self.offer_to_anybody()
            }
            Dealer::Either | Dealer::Banker => {}
            Dealer::Players if self.dealer.is_none() => self.offer_in_turn(),
            Dealer::Players => self.take_the_deal_away(),
        }
    }

    /// Seats that are taken, in turn after the last one asked.
    fn turn(&self) -> Vec<u8> {
        let seated: Vec<u8> = self.session.players.keys().copied().collect();
        let after = seated.partition_point(|seat| *seat <= self.last_dealer);
        seated[after..].iter().chain(&seated[..after]).copied().collect()
    }

    fn offer_in_turn(&mut self) {
        let mut order = self.turn();
        if self.lost_by.is_some() && order.len() > 1 && self.session.wants(Fault::DealKept) {
            (self.dealer, self.session.to_show) = (self.lost_by.take(), Some(Fault::DealKept));
            return;
        }
        self.lost_by = None;
        // Not at the first offer of a shoe, which may begin anew.
        let wrong = self.session.coup > 0 && order.len() > 2 && self.session.wants(Fault::OfferedOutOfTurn);
        if wrong {
            order.rotate_left(1);
        }
        for (asked, seat) in order.into_iter().enumerate() {
            let sequence = self.session.record(Body::DealOffered(Deal { seat }));
            if wrong && asked == 0 {
                self.session.plant(Fault::OfferedOutOfTurn, sequence, None);
            }
            self.last_dealer = seat;
            if self.answer(seat) {
                return;
            }
        }
    }

    /// The croupier of a table where either may deal offers it to whom he likes.
    fn offer_to_anybody(&mut self) {
        let seated: Vec<u8> = self.session.players.keys().copied().collect();
        if let Some(&seat) = self.session.dice.pick(&seated) {
            self.session.record(Body::DealOffered(Deal { seat }));
            self.answer(seat);
        }
    }

    /// The seat that was asked answers; `true` where somebody has the deal now.
    fn answer(&mut self, seat: u8) -> bool {
        let other = self.session.players.keys().copied().find(|other| *other != seat);
        if let (true, Some(other)) = (self.session.wants(Fault::AcceptedUnoffered), other) {
            let sequence = self.session.record(Body::DealAccepted(Deal { seat: other }));
            self.session.plant(Fault::AcceptedUnoffered, sequence, None);
            (self.dealer, self.last_dealer) = (Some(other), other);
            return true;
        }
        let accepts = self.session.dice.chance(80);
        let deal = Deal { seat };
        self.session.record(if accepts { Body::DealAccepted(deal) } else { Body::DealDeclined(deal) });
        if accepts {
            self.dealer = Some(seat);
        }
        accepts
    }

    /// The deal is offered on although its dealer has not lost it.
    fn take_the_deal_away(&mut self) {
        let order = self.turn();
        let Some(&seat) = order.first().filter(|seat| Some(**seat) != self.dealer) else { return };
        if self.session.coup == 0 || !self.session.wants(Fault::DealTakenAway) {
            return;
        }
        let sequence = self.session.record(Body::DealOffered(Deal { seat }));
        self.session.plant(Fault::DealTakenAway, sequence, None);
        self.session.record(Body::DealAccepted(Deal { seat }));
        (self.dealer, self.last_dealer) = (Some(seat), seat);
    }

    fn offer_at_the_croupiers_table(&mut self) {
        let Some(&seat) = self.session.players.keys().next() else { return };
        if self.session.wants(Fault::OfferedByCroupier) {
            let sequence = self.session.record(Body::DealOffered(Deal { seat }));
            self.session.plant(Fault::OfferedByCroupier, sequence, None);
        }
    }

    fn take_a_taken_seat(&mut self) {
        let Some((&seat, player)) = self.session.players.first_key_value() else { return };
        let player: Name = player.clone();
        if self.session.wants(Fault::SeatTakenTwice) {
            let sequence = self.session.record(Body::SeatTaken(Seat { seat, player: Some(player) }));
            self.session.plant(Fault::SeatTakenTwice, sequence, None);
        }
    }
}
