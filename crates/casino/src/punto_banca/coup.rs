//! One coup: bets, "no va más", cards, settlement; and what may go wrong with each.

use baccarat::{Expect, PuntoHolderRule, Side, Winner};
use events::{BetsClosed, Body, CoupSettled, Holder};

use super::PuntoBanca;
use super::bets::Bet;
use super::money::is_draw;
use crate::Fault;
use crate::session::other_winner;

impl PuntoBanca {
    pub(super) fn play_coup(&mut self) {
        let skipped = self.session.coup > 0 && self.session.wants(Fault::CoupNumberSkipped);
        let after_last = self.session.coups_left == Some(0);
        self.session.coup += if skipped { 2 } else { 1 };
        if let Some(left) = self.session.coups_left.as_mut() {
            *left = left.saturating_sub(1);
        }
        self.session.drawn.clear();
        let begins = self.session.next_sequence();
        if self.session.to_show == Some(Fault::CoupNotSettled) {
            self.session.plant(Fault::CoupNotSettled, begins, Some(self.session.coup - 1));
        } else if skipped {
            self.session.plant(Fault::CoupNumberSkipped, begins, Some(self.session.coup));
        } else if after_last {
            self.session.plant(Fault::CoupAfterLast, begins, Some(self.session.coup));
        }
        let mut bets = self.take_bets();
        let mut deal = baccarat::Deal::default();
        if self.session.wants(Fault::EarlyCard) && self.session.shoe.position + 1 < self.session.shoe.cut {
            let sequence = self.session.deal_to(&mut deal, Side::Punto);
            self.session.plant(Fault::EarlyCard, sequence, Some(self.session.coup));
        }
        self.session.record(Body::BetsClosed(BetsClosed { coup: self.session.coup }));
        self.hand_out(&bets);
        self.too_late(&mut bets);
        if deal.count() == 0 && self.session.varies(2) {
            self.deal_some(&mut deal);
            self.void_and_refund(&bets);
            return;
        }
        let stood = self.deal_cards(&mut deal);
        self.settle(&bets, &deal, stood);
    }

    /// Punto's cards go to their holder.
    fn hand_out(&mut self, bets: &[Bet]) {
        if self.session.book.deal.punto_holder != PuntoHolderRule::HighestPuntoBet {
            return;
        }
        let allowed = Self::holders(bets);
        let right = match self.session.dice.pick(&allowed) {
            Some(seat) => Holder::Seat(*seat),
            None => Holder::Croupier,
        };
        let wrong = self.session.seats.iter().find(|seat| !allowed.contains(seat)).copied();
        let given = match wrong {
            Some(seat) if self.session.wants_wrong_holder() => Holder::Seat(seat),
            Some(_) | None => right,
        };
        self.session.give_cards(given, right);
    }

    /// Deals one to four cards.
    fn deal_some(&mut self, deal: &mut baccarat::Deal) {
        for _ in 0..=self.session.dice.below(4) {
            if let Expect::Card(side) = deal.expect(&self.session.book) {
                self.session.deal_to(deal, side);
            }
        }
    }

    /// Deals the coup to its end, or past it; `true` where punto or banca stood against the rule
    /// and that shows only at the settlement.
    fn deal_cards(&mut self, deal: &mut baccarat::Deal) -> Option<Fault> {
        let swap = deal.count() == 0 && self.session.wants(Fault::DealSwapped);
        loop {
            let expected = deal.expect(&self.session.book);
            match expected {
                Expect::Card(side) if deal.count() < 4 => {
                    let wrong = swap && (1..3).contains(&deal.count());
                    let sequence = self.session.deal_to(deal, if wrong { side.other() } else { side });
                    if swap && deal.count() == 2 {
                        self.session.plant(Fault::DealSwapped, sequence, Some(self.session.coup));
                    }
                }
                Expect::Card(Side::Punto) if self.session.wants(Fault::PuntoStood) => {
                    deal.stand_punto();
                    match deal.expect(&self.session.book) {
                        Expect::Card(side) => {
                            let sequence = self.session.deal_to(deal, side);
                            self.session.plant(Fault::PuntoStood, sequence, Some(self.session.coup));
                        }
                        Expect::Finished | Expect::Unknown => return Some(Fault::PuntoStood),
                    }
                }
                Expect::Card(Side::Banca) if self.session.wants(Fault::BancaStood) => {
                    return Some(Fault::BancaStood);
                }
                Expect::Card(side) => {
                    self.session.deal_to(deal, side);
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
        let (fault, side) =
            if banca == 2 && !natural && self.session.wants(Fault::ThirdCardTurns) && self.would_turn(deal) {
                (Fault::ThirdCardTurns, Side::Banca)
            } else if natural && self.session.wants(Fault::NaturalDrawn) {
                (Fault::NaturalDrawn, Side::Punto)
            } else if !natural && punto == 2 && banca == 2 && self.session.wants(Fault::PuntoDrew) {
                (Fault::PuntoDrew, Side::Punto)
            } else if !natural && banca == 2 && self.session.wants(Fault::BancaDrew) {
                (Fault::BancaDrew, Side::Banca)
            } else if banca == 3 && self.session.wants(Fault::ExtraCard) {
                (Fault::ExtraCard, Side::Banca)
            } else {
                return false;
            };
        let sequence = self.session.deal_to(deal, side);
        self.session.plant(fault, sequence, Some(self.session.coup));
        fault == Fault::PuntoDrew
    }

    /// Whether another card for banca makes another side win.
    fn would_turn(&self, deal: &baccarat::Deal) -> bool {
        let mut other = deal.clone();
        let next = self.session.shoe.ahead().first().copied();
        next.is_some_and(|card| other.give(Side::Banca, card.into()))
            && other.coup().map(|coup| coup.winner()) != deal.coup().map(|coup| coup.winner())
    }

    fn settle(&mut self, bets: &[Bet], deal: &baccarat::Deal, stood: Option<Fault>) {
        let Some(coup) = deal.coup() else { return };
        if self.session.coups_left.is_none() && self.session.wants(Fault::CoupNotSettled) {
            self.session.to_show = Some(Fault::CoupNotSettled);
            return;
        }
        if self.void_and_keep(bets) {
            return;
        }
        let ignored = self.ignore_a_ruling();
        let removed = self.session.to_show.take_if(|fault| *fault == Fault::CardRemoved);
        let placed = bets;
        let (bets, paid) = self.settle_bets(bets, &coup);
        let (mut winner, mut punto_total) = (coup.winner(), coup.punto.total().get());
        let mut fault = stood.or(ignored).or(removed).or(paid);
        if self.session.wants(Fault::WrongWinner) {
            winner = other_winner(winner);
            fault = Some(Fault::WrongWinner);
        } else if self.session.wants(Fault::AlteredTotal) {
            punto_total = (punto_total + 1) % 10;
            fault = Some(Fault::AlteredTotal);
        }
        let banca_total = coup.banca.total().get();
        let settled = CoupSettled { coup: self.session.coup, winner, punto_total, banca_total, bets };
        let sequence = self.session.record(Body::CoupSettled(settled.clone()));
        self.note_late(&coup);
        if stood.is_some() {
            self.note_draw(placed, &coup);
        } else if self.session.has_in_coup(is_draw) {
            self.note_draw(placed, &coup);
            self.session.note_money(is_draw);
        }
        if let Some(fault) = fault {
            self.session.plant(fault, sequence, Some(self.session.coup));
        } else if self.session.wants(Fault::CoupSettledTwice) {
            self.note_returned(placed, &settled.bets);
            let sequence = self.session.record(Body::CoupSettled(settled));
            self.session.plant(Fault::CoupSettledTwice, sequence, Some(self.session.coup));
        } else {
            self.correct_wrongly(placed, settled, sequence);
        }
        self.session.correct_misread();
        if coup.winner() == Winner::Punto {
            self.lost_by = self.dealer.take();
        }
    }
}
