//! One coup against the bank: cards, announcements of the hands, and the bank's account.

use baccarat::{BancaPlay, ChartBinds, Draw, Face, Points, Side, Winner};
use events::{
    Announced, BankSettled, BetSettled, BetsClosed, Body, CardDrawn, Counsel, CoupSettled, CoupVoided,
    Destination, DrawDecided, Garaje, Holder,
};

use super::stakes::{Stake, Stakes};
use super::{CheminDeFer, Who};
use crate::Fault;
use crate::session::{money, name, other_winner, signed};

impl CheminDeFer {
    pub(super) fn play_coup(&mut self) {
        self.session.coup += 1;
        if let Some(left) = self.session.coups_left.as_mut() {
            *left = left.saturating_sub(1);
        }
        let begins = self.session.sequence() + 1;
        let bank = self.bank.banker.as_ref().map_or(0, |banker| banker.bank);
        let large = bank > self.most_in_bank();
        if let Some(fault @ (Fault::BankKept | Fault::SeatKept | Fault::TableTooSmall)) = self.session.to_show
        {
            self.session.plant(fault, begins, Some(self.session.coup));
        } else if large && self.session.wants(Fault::BankTooLarge) {
            self.session.plant(Fault::BankTooLarge, begins, Some(self.session.coup));
        }
        if let Some(banker) = self.bank.banker.as_mut() {
            banker.coups += 1;
            banker.lost = false;
        }
        let mut stakes = self.take_stakes();
        let sequence = self.session.record(Body::BetsClosed(BetsClosed { coup: self.session.coup }));
        if let Some(fault) = self.session.to_show.filter(|fault| shows_at_close(*fault)) {
            self.session.plant(fault, sequence, Some(self.session.coup));
        }
        self.call_too_late();
        let forgotten = self.uncover(&stakes, bank);
        self.give_cards(&stakes, bank);
        let mut deal = baccarat::Deal::default();
        let stood = self.deal_choices(&mut deal, &stakes);
        self.settle_at_bank(&mut stakes, &deal, bank, stood, forgotten);
        self.bank.todo_va = false;
    }

    /// What the stakes do not cover is set aside for the coup; `true` where it is forgotten.
    fn uncover(&mut self, stakes: &Stakes, bank: u64) -> bool {
        let left = bank.saturating_sub(stakes.all.iter().filter(|s| !s.abono).map(|s| s.sum.min(bank)).sum());
        if left == 0 || self.bank.todo_va {
            return false;
        }
        if self.session.wants(Fault::GarajeForgotten) {
            return true;
        }
        let wrong = self.session.wants(Fault::GarajeWrong);
        let sequence = self.set_garaje(Garaje::Compulsory, if wrong { left - 1 } else { left });
        if wrong {
            self.session.plant(Fault::GarajeWrong, sequence, Some(self.session.coup));
        }
        false
    }

    /// Punto's cards go to whoever plays for the bank, or the highest stake of who sits.
    fn give_cards(&mut self, stakes: &Stakes, bank: u64) {
        let right = self.card_holders(stakes, bank);
        let Some(&seat) = self.session.dice.pick(&right) else { return };
        let wrong = self.session.seats.iter().copied().find(|seat| !right.contains(seat));
        let given = wrong.filter(|_| self.session.wants_wrong_holder()).unwrap_or(seat);
        self.session.give_cards(Holder::Seat(given), Holder::Seat(seat));
    }

    fn card_holders(&self, stakes: &Stakes, bank: u64) -> Vec<u8> {
        if let Some(who) = stakes.banco.as_ref().or(stakes.half.as_ref()) {
            return vec![who.seat];
        }
        let banker = self.bank.banker.as_ref();
        let own = |who: &Who| -> u64 {
            stakes.all.iter().filter(|s| !s.abono && s.who == *who).map(|s| s.sum).sum()
        };
        let players: Vec<&Who> = stakes.all.iter().filter(|s| !s.abono).map(|s| &s.who).collect();
        let seated = || players.iter().filter(|who| !who.stands);
        let Some(highest) = seated().map(|who| own(who)).max() else {
            return players.iter().map(|who| who.seat).collect();
        };
        let seat = banker.map_or(0, |banker| banker.who.seat);
        let best = seated().filter(|who| own(who) == highest).min_by_key(|who| who.rank(seat));
        let first_coup = banker.is_some_and(|banker| banker.coups == 1);
        let before = self
            .bank
            .before
            .as_ref()
            .filter(|(who, sum)| first_coup && bank > *sum && players.contains(&who));
        best.map(|who| who.seat).into_iter().chain(before.map(|(who, _)| who.seat)).collect()
    }

    /// Deals the coup; gives the fault where a hand stood against its rule, which only the settlement shows.
    fn deal_choices(&mut self, deal: &mut baccarat::Deal, stakes: &Stakes) -> Option<Fault> {
        let swap = self.session.wants(Fault::DealSwapped);
        for dealt in 0..4_u8 {
            let side = if dealt % 2 == 0 { Side::Punto } else { Side::Banca };
            let wrong = swap && (1..3).contains(&dealt);
            let sequence = self.session.deal_to(deal, if wrong { side.other() } else { side });
            if swap && dealt == 1 {
                self.session.plant(Fault::DealSwapped, sequence, Some(self.session.coup));
            }
        }
        let hands = deal.coup()?;
        let (punto, banca) = (hands.punto.two_card_total(), hands.banca.two_card_total());
        if punto.get() >= 8 || banca.get() >= 8 {
            self.one_too_many(deal, Side::Punto, Fault::NaturalDrawn);
            return None;
        }
        let free = stakes.banco.is_some() && self.bank.free_play;
        let stood = self.punto_plays(deal, punto, free);
        let third = deal.faces(Side::Punto).get(2).and_then(|face| face.card()).map(|card| card.points());
        let play = match self.rules.chart.binds {
            ChartBinds::Always if !free => BancaPlay::Chart,
            ChartBinds::Always | ChartBinds::Asked => BancaPlay::Free,
        };
        self.session.to_show = self.session.to_show.or(stood);
        let stood = self
            .banca_plays(deal, banca, third, play)
            .or(stood.filter(|_| self.session.to_show.take().is_some()));
        if deal.faces(Side::Banca).len() == 3 {
            self.one_too_many(deal, Side::Banca, Fault::ExtraCard);
        }
        stood
    }

    fn one_too_many(&mut self, deal: &mut baccarat::Deal, side: Side, fault: Fault) {
        if self.session.wants(fault) {
            let sequence = self.session.deal_to(deal, side);
            self.session.plant(fault, sequence, Some(self.session.coup));
        }
    }

    fn punto_plays(&mut self, deal: &mut baccarat::Deal, total: Points, free: bool) -> Option<Fault> {
        let asks = total.get() == 5 && self.session.dice.chance(10);
        let rule = self.session.book.punto_draw(total, free, asks);
        let draws = match rule {
            Draw::Draws => true,
            Draw::Stands | Draw::Unstated => false,
            Draw::Optional if total.get() < 5 => self.session.dice.chance(95),
            Draw::Optional if total.get() == 5 => self.session.dice.chance(50),
            Draw::Optional => self.session.dice.chance(4),
        };
        self.hand_plays(deal, Side::Punto, rule, draws, asks)
    }

    fn banca_plays(
        &mut self,
        deal: &mut baccarat::Deal,
        total: Points,
        third: Option<Points>,
        play: BancaPlay,
    ) -> Option<Fault> {
        let rule = self.session.book.banca_draw(total, third, play);
        let usual = baccarat::Tableau::usual().banca(total, third) == Draw::Draws;
        let draws = match rule {
            Draw::Draws => true,
            Draw::Stands | Draw::Unstated => false,
            Draw::Optional => usual != self.session.dice.chance(10),
        };
        self.hand_plays(deal, Side::Banca, rule, draws, false)
    }

    /// A hand announces what it does and does it, or not.
    fn hand_plays(
        &mut self,
        deal: &mut baccarat::Deal,
        side: Side,
        rule: Draw,
        draws: bool,
        asks: bool,
    ) -> Option<Fault> {
        let (drew, stood) = match side {
            Side::Punto => (Fault::PuntoDrew, Fault::PuntoStood),
            Side::Banca => (Fault::BancaDrew, Fault::BancaStood),
        };
        if rule == Draw::Stands && !asks && self.session.wants(drew) {
            let sequence = self.session.deal_to(deal, side);
            self.session.plant(drew, sequence, Some(self.session.coup));
            return None;
        }
        if rule == Draw::Draws && self.session.wants(stood) {
            return Some(stood);
        }
        let hidden = rule == Draw::Optional && draws && self.session.wants(Fault::DecisionCorrected);
        let against = hidden || rule == Draw::Optional && draws && self.session.wants(Fault::CartaAgainstNo);
        let decision = if draws && !against { Announced::Carta } else { Announced::No };
        let counsel = if asks { Counsel::Croupier } else { Counsel::None };
        let decided = DrawDecided { coup: self.session.coup, hand: side, decision, counsel };
        self.session.record(Body::DrawDecided(decided.clone()));
        if hidden {
            let corrected = Body::DrawDecided(DrawDecided { decision: Announced::Carta, ..decided });
            self.session.correct_after_card(Fault::DecisionCorrected, corrected, true);
        }
        if !draws {
            return None;
        }
        if self.session.shoe.position + 8 < self.session.shoe.cut
            && self.session.wants(Fault::ThirdCardUnread)
        {
            // Those at the table see the card; the record does not.
            let (position, card) = self.session.shoe.draw();
            let (coup, to) = (self.session.coup, Destination::from(side));
            self.session.drawn.push(card);
            deal.give(side, card.into());
            let sequence =
                self.session.record(Body::CardDrawn(CardDrawn { coup, position, card: Face::Unseen, to }));
            self.session.plant(Fault::ThirdCardUnread, sequence, Some(self.session.coup));
            return None;
        }
        let sequence = self.session.deal_to(deal, side);
        if hidden {
            // The correction shows it.
        } else if against {
            self.session.plant(Fault::CartaAgainstNo, sequence, Some(self.session.coup));
        } else if self.session.to_show == Some(Fault::PuntoStood) {
            // Banca's card shows that punto's turn was over.
            self.session.plant(Fault::PuntoStood, sequence, Some(self.session.coup));
        }
        None
    }

    fn settle_at_bank(
        &mut self,
        stakes: &mut Stakes,
        deal: &baccarat::Deal,
        bank: u64,
        stood: Option<Fault>,
        forgotten: bool,
    ) {
        let hands = deal.coup();
        let winner = hands.map_or(Winner::Tie, |hands| hands.winner());
        let bank = self.raise_bank(stakes, bank, winner);
        let bank = self.raise_garaje(stakes, bank, winner);
        let sequence = self.record_account(stakes, bank, winner);
        self.raise_abono(stakes, winner);
        let mut lines: Vec<BetSettled> =
            stakes.all.iter().map(|stake| self.line(stake, bank, winner, hands.is_some())).collect();
        let paid = self.crooked_line(stakes, &mut lines);
        let totals = hands.map_or((0, 0), |hands| (hands.punto.total().get(), hands.banca.total().get()));
        let (mut announced, mut punto_total) = (winner, totals.0);
        let mut fault = paid;
        if forgotten {
            fault = Some(Fault::GarajeForgotten);
        } else if sequence.is_none() {
            fault = Some(Fault::AccountMissing);
        } else if self.session.wants(Fault::WrongWinner) {
            announced = other_winner(winner);
            fault = Some(Fault::WrongWinner);
        } else if self.session.wants(Fault::AlteredTotal) {
            punto_total = (punto_total + 1) % 10;
            fault = Some(Fault::AlteredTotal);
        }
        let settled = CoupSettled {
            coup: self.session.coup,
            winner: announced,
            punto_total,
            banca_total: totals.1,
            bets: lines,
        };
        let sequence = self.session.record(Body::CoupSettled(settled));
        for fault in stood.into_iter().chain(fault) {
            self.session.plant(fault, sequence, Some(self.session.coup));
        }
        self.claim_late();
        self.remember(stakes, winner, hands.is_some());
    }

    /// The bank's account of the coup; `None` where it is left out.
    fn record_account(&mut self, stakes: &Stakes, bank: u64, winner: Winner) -> Option<u64> {
        let coup = self.session.coup;
        let against: u64 = stakes.all.iter().filter(|s| !s.abono).map(|s| s.sum.min(bank)).sum();
        let overfull = against > bank + stakes.abonos();
        let part = (against - stakes.abonos().min(against)).min(bank);
        let (won, lost) = match winner {
            Winner::Banca => (part, 0),
            Winner::Punto => (0, part),
            Winner::Tie => (0, 0),
        };
        let due = self.commission_on(won);
        let commission = if won > 0 && self.session.wants(Fault::PozoEmpty) {
            0
        } else if won > 0 && self.session.wants(Fault::PozoOver) {
            due + 1
        } else {
            due
        };
        let missing = self.session.wants(Fault::AccountMissing);
        let skimmed = !missing && won > due + 100 && self.session.wants(Fault::BankSkimmed);
        let banker = self.bank.banker.as_mut()?;
        let seat = banker.who.seat;
        banker.bank = bank + won - lost - commission - if skimmed { 100 } else { 0 };
        banker.lost = winner == Winner::Punto;
        if !overfull {
            banker.winnings = (banker.winnings + won - due).saturating_sub(lost);
        }
        let settled = BankSettled {
            coup,
            won: money(won),
            lost: money(lost),
            commission: money(commission),
            bank: money(banker.bank),
            garaje: money(banker.garaje),
        };
        let more = match (missing, skimmed) {
            (true, _) => -signed(money(won.saturating_sub(due))),
            (false, true) => -100,
            (false, false) => signed(money(due)) - signed(money(commission)),
        };
        self.session.moves(seat, more);
        if missing {
            return None;
        }
        let sequence = self.session.record(Body::BankSettled(settled));
        let wrong = [
            (Fault::PozoEmpty, commission == 0 && due > 0),
            (Fault::PozoOver, commission > due),
            (Fault::BankSkimmed, skimmed),
        ];
        if let Some((fault, _)) = wrong.into_iter().find(|(_, wrong)| *wrong) {
            self.session.plant(fault, sequence, Some(self.session.coup));
        }
        Some(sequence)
    }

    /// What a stake returns.
    fn line(&self, stake: &Stake, bank: u64, winner: Winner, known: bool) -> BetSettled {
        let at_risk = if stake.abono { stake.sum } else { stake.sum.min(bank) };
        let wins = if stake.abono { Winner::Banca } else { Winner::Punto };
        let own = self.bank.banker.as_ref().is_some_and(|banker| banker.who == stake.who);
        let won = known && winner == wins;
        let commission = if won && stake.abono && own { self.commission_on(at_risk) } else { 0 };
        let returned = match winner {
            _ if won => stake.sum + at_risk - commission,
            Winner::Punto | Winner::Banca if known => stake.sum - at_risk,
            Winner::Punto | Winner::Banca | Winner::Tie => stake.sum,
        };
        BetSettled { bet: stake.id, returned: money(returned), commission: money(commission) }
    }

    fn crooked_line(&mut self, stakes: &Stakes, lines: &mut [BetSettled]) -> Option<Fault> {
        if stakes.all.len() != lines.len() || lines.is_empty() {
            return None;
        }
        let up = self.session.wants(Fault::Overpaid);
        let won = lines.iter().position(|line| line.returned.get() > 100);
        match won {
            Some(at) if up || self.session.wants(Fault::Underpaid) => {
                let sum = lines[at].returned.get();
                lines[at].returned = money(if up { sum + 100 } else { sum - 100 });
                self.session.moves(stakes.all[at].who.seat, if up { 100 } else { -100 });
                Some(if up { Fault::Overpaid } else { Fault::Underpaid })
            }
            Some(_) | None => None,
        }
    }

    /// A coup is declared void for a claim after its stakes were paid.
    fn claim_late(&mut self) {
        if self.session.wants(Fault::ClaimAfterPayment) {
            let (ruled_by, countersigned_by) = (name("inspector-1"), Some(name("jefe-1")));
            #[allow(clippy::expect_used, reason = "a short plain remark")]
            let reason = "the banker showed a card".parse().expect("a short plain remark");
            let voided = CoupVoided { coup: self.session.coup, reason, ruled_by, countersigned_by };
            let sequence = self.session.record(Body::CoupVoided(voided));
            self.session.plant(Fault::ClaimAfterPayment, sequence, Some(self.session.coup));
        }
    }

    /// Who may call banco seguido next.
    fn remember(&mut self, stakes: &Stakes, winner: Winner, known: bool) {
        let mut players: Vec<&Who> = stakes.all.iter().filter(|s| !s.abono).map(|s| &s.who).collect();
        players.dedup();
        let alone = if players.len() == 1 { players.first().map(|who| (*who).clone()) } else { None };
        match winner {
            Winner::Tie if known => {}
            Winner::Banca if known => self.bank.seguido = stakes.banco.clone().or(alone),
            Winner::Punto | Winner::Banca | Winner::Tie => self.bank.seguido = None,
        }
    }
}

/// Whether a fault that was committed shows when the bets are closed.
const fn shows_at_close(fault: Fault) -> bool {
    matches!(
        fault,
        Fault::BancoShort | Fault::BancoOutOfPriority | Fault::StakesAboveBank | Fault::AbonoTooLarge
    )
}
