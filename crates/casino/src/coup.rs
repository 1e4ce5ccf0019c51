//! One coup: bets, "no va más", cards, settlement; and what may go wrong with each.

use baccarat::{Expect, Face, PuntoHolderRule, Side, Winner};
use events::{BetsClosed, Body, CardDrawn, CoupSettled, CutCardDrawn, Destination, Holder, PuntoHolder};

use crate::Fault;
use crate::bets::{Bet, other_winner};
use crate::session::Session;

impl Session {
    pub(crate) fn play_coup(&mut self) {
        let skipped = self.coup > 0 && self.wants(Fault::CoupNumberSkipped);
        let after_last = self.coups_left == Some(0);
        self.coup += if skipped { 2 } else { 1 };
        if let Some(left) = self.coups_left.as_mut() {
            *left = left.saturating_sub(1);
        }
        let begins = self.next_sequence();
        if self.to_show == Some(Fault::CoupNotSettled) {
            self.plant(Fault::CoupNotSettled, begins, None);
        } else if skipped {
            self.plant(Fault::CoupNumberSkipped, begins, Some(self.coup));
        } else if after_last {
            self.plant(Fault::CoupAfterLast, begins, Some(self.coup));
        }
        let mut bets = self.take_bets();
        let mut deal = baccarat::Deal::default();
        if self.wants(Fault::EarlyCard) && self.shoe.position + 1 < self.shoe.cut {
            let sequence = self.deal_to(&mut deal, Side::Punto);
            self.plant(Fault::EarlyCard, sequence, Some(self.coup));
        }
        let sequence = self.tell(Body::BetsClosed(BetsClosed { coup: self.coup }));
        if let Some(fault @ (Fault::SideBetAlone | Fault::SideBetTooLarge)) = self.to_show {
            self.plant(fault, sequence, Some(self.coup));
        }
        self.hand_out(&bets);
        self.too_late(&mut bets);
        let stood = self.deal_cards(&mut deal);
        self.settle(&bets, &deal, stood);
    }

    /// Sequence the next event will have.
    fn next_sequence(&self) -> u64 {
        self.sequence() + 1
    }

    /// Punto's cards go to their holder.
    fn hand_out(&mut self, bets: &[Bet]) {
        if self.book.deal.punto_holder != PuntoHolderRule::HighestPuntoBet {
            return;
        }
        let allowed = Self::holders(bets);
        let right = match self.dice.pick(&allowed) {
            Some(seat) => Holder::Seat(*seat),
            None => Holder::Croupier,
        };
        let wrong = self.seats.iter().find(|seat| !allowed.contains(seat)).copied();
        let given = match wrong {
            Some(seat) if self.wants(Fault::HolderWrong) => Holder::Seat(seat),
            Some(_) | None => right,
        };
        let sequence = self.tell(Body::PuntoHolder(PuntoHolder { coup: self.coup, holder: given }));
        if given != right {
            self.plant(Fault::HolderWrong, sequence, Some(self.coup));
        }
    }

    /// The next card goes to a hand; the cut card comes out before it where it lies there.
    pub(crate) fn deal_to(&mut self, deal: &mut baccarat::Deal, side: Side) -> u64 {
        self.meet_cut_card(deal.count() == 0);
        if deal.count() > 0 {
            self.meet_card_face_up();
        }
        if self.wants(Fault::DuplicateCard) && self.shoe.forge_next() {
            let sequence = self.draw(deal, side);
            self.plant(Fault::DuplicateCard, sequence, Some(self.coup));
            return sequence;
        }
        let far = self.shoe.position + 8 < self.shoe.cut;
        if far && deal.count() == 1 && self.wants(Fault::MissingEvent) {
            let (_, card) = self.shoe.draw();
            deal.give(side, card.into());
            self.lose();
            let sequence = self.next_sequence();
            self.plant(Fault::MissingEvent, sequence, Some(self.coup));
            return sequence;
        }
        if far && self.wants(Fault::PositionSkipped) {
            self.shoe.take();
            let sequence = self.draw(deal, side);
            self.plant(Fault::PositionSkipped, sequence, Some(self.coup));
            return sequence;
        }
        if far && deal.count() > 0 && self.wants(Fault::PositionRepeated) {
            self.shoe.position -= 1;
            let sequence = self.draw(deal, side);
            self.plant(Fault::PositionRepeated, sequence, Some(self.coup));
            return sequence;
        }
        let sequence = self.draw(deal, side);
        if self.to_show == Some(Fault::CutMissing) {
            self.plant(Fault::CutMissing, sequence, Some(self.coup));
        } else if self.to_show == Some(Fault::DealKept) {
            self.plant(Fault::DealKept, sequence, Some(self.coup));
        } else if self.shoe.position == 2 && self.wants_missing_burn() {
            self.plant(Fault::BurnMissing, sequence, Some(self.coup));
        }
        sequence
    }

    fn draw(&mut self, deal: &mut baccarat::Deal, side: Side) -> u64 {
        let (position, card) = self.shoe.draw();
        deal.give(side, Face::Seen(card));
        let to = Destination::from(side);
        self.tell(Body::CardDrawn(CardDrawn { coup: self.coup, position, card: card.into(), to }))
    }

    /// The cut card comes out where it is due, in place of a coup's first card or later.
    fn meet_cut_card(&mut self, first: bool) {
        if self.shoe.cut_out || self.shoe.position < self.shoe.cut {
            return;
        }
        self.shoe.cut_out = true;
        let counted = u32::from(first && self.book.cut_card.first_card_counts);
        self.coups_left = Some(self.book.cut_card.last_coup.coups_after().saturating_sub(counted));
        if self.wants(Fault::CutMissing) {
            self.to_show = Some(Fault::CutMissing);
            return;
        }
        let moved = self.wants(Fault::CutMoved);
        let position = self.shoe.position + u16::from(moved);
        let sequence = self.tell(Body::CutCardDrawn(CutCardDrawn { position }));
        if moved {
            self.plant(Fault::CutMoved, sequence, Some(self.coup));
        }
    }

    /// Deals the coup to its end, or past it; `true` where punto or banca stood against the rule
    /// and that shows only at the settlement.
    fn deal_cards(&mut self, deal: &mut baccarat::Deal) -> Option<Fault> {
        let swap = deal.count() == 0 && self.wants(Fault::DealSwapped);
        loop {
            let expected = deal.expect(&self.book);
            match expected {
                Expect::Card(side) if deal.count() < 4 => {
                    let wrong = swap && (1..3).contains(&deal.count());
                    let sequence = self.deal_to(deal, if wrong { side.other() } else { side });
                    if swap && deal.count() == 2 {
                        self.plant(Fault::DealSwapped, sequence, Some(self.coup));
                    }
                }
                Expect::Card(Side::Punto) if self.wants(Fault::PuntoStood) => {
                    deal.stand_punto();
                    match deal.expect(&self.book) {
                        Expect::Card(side) => {
                            let sequence = self.deal_to(deal, side);
                            self.plant(Fault::PuntoStood, sequence, Some(self.coup));
                        }
                        Expect::Finished | Expect::Unknown => return Some(Fault::PuntoStood),
                    }
                }
                Expect::Card(Side::Banca) if self.wants(Fault::BancaStood) => return Some(Fault::BancaStood),
                Expect::Card(side) => {
                    self.deal_to(deal, side);
                }
                Expect::Finished => {
                    if !self.deal_too_much(deal) {
                        return None;
                    }
                }
                Expect::Unknown => return None,
            }
        }
    }

    /// A card more than is due; `true` where the coup goes on from it.
    fn deal_too_much(&mut self, deal: &mut baccarat::Deal) -> bool {
        let cards = |side| deal.faces(side).len();
        let natural = deal.coup().is_some_and(|coup| coup.punto.is_natural() || coup.banca.is_natural());
        let (punto, banca) = (cards(Side::Punto), cards(Side::Banca));
        let (fault, side) = if natural && self.wants(Fault::NaturalDrawn) {
            (Fault::NaturalDrawn, Side::Punto)
        } else if !natural && punto == 2 && banca == 2 && self.wants(Fault::PuntoDrew) {
            (Fault::PuntoDrew, Side::Punto)
        } else if !natural && banca == 2 && self.wants(Fault::BancaDrew) {
            (Fault::BancaDrew, Side::Banca)
        } else if banca == 3 && self.wants(Fault::ExtraCard) {
            (Fault::ExtraCard, Side::Banca)
        } else {
            return false;
        };
        let sequence = self.deal_to(deal, side);
        self.plant(fault, sequence, Some(self.coup));
        fault == Fault::PuntoDrew
    }

    fn settle(&mut self, bets: &[Bet], deal: &baccarat::Deal, stood: Option<Fault>) {
        let Some(coup) = deal.coup() else { return };
        if self.coups_left.is_none() && self.wants(Fault::CoupNotSettled) {
            self.to_show = Some(Fault::CoupNotSettled);
            return;
        }
        if self.void_and_keep(bets) {
            return;
        }
        let ignored = self.ignore_a_ruling();
        let removed = self.to_show.take_if(|fault| *fault == Fault::CardRemoved);
        let (bets, paid) = self.settle_bets(bets, &coup);
        let (mut winner, mut punto_total) = (coup.winner(), coup.punto.total().get());
        let mut fault = stood.or(ignored).or(removed).or(paid);
        if self.wants(Fault::WrongWinner) {
            winner = other_winner(winner);
            fault = Some(Fault::WrongWinner);
        } else if self.wants(Fault::AlteredTotal) {
            punto_total = (punto_total + 1) % 10;
            fault = Some(Fault::AlteredTotal);
        }
        let banca_total = coup.banca.total().get();
        let settled = CoupSettled { coup: self.coup, winner, punto_total, banca_total, bets };
        let sequence = self.tell(Body::CoupSettled(settled.clone()));
        if let Some(fault) = fault {
            self.plant(fault, sequence, Some(self.coup));
        } else if self.wants(Fault::CoupSettledTwice) {
            let sequence = self.tell(Body::CoupSettled(settled));
            self.plant(Fault::CoupSettledTwice, sequence, Some(self.coup));
        } else {
            self.correct_wrongly(settled, sequence);
        }
        if coup.winner() == Winner::Punto {
            self.lost_by = self.dealer.take();
        }
    }
}
