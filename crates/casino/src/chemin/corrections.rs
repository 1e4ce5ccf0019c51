//! What had to be settled before the cards is corrected once the result is known.

use baccarat::Winner;
use events::{AbonoPlaced, BankPassed, BankTaken, Body, Garaje, GarajeSet, Holder, PuntoHolder};

use super::CheminDeFer;
use super::stakes::{Stake, Stakes};
use crate::Fault;
use crate::session::{money, signed};

impl CheminDeFer {
    /// A bank that was just taken, and whose stakes cover it, is raised after banca has won: so it wins a stake that was
    /// too large for it. Gives what the bank then holds.
    pub(super) fn raise_bank(&mut self, stakes: &mut Stakes, bank: u64, winner: Winner) -> u64 {
        let (least, raised) = (self.least(), bank + self.least());
        let first = self.bank.banker.as_ref().is_some_and(|banker| banker.coups == 1 && banker.garaje == 0);
        let together = stakes.banco.is_none() && stakes.half.is_none() && stakes.abonos() == 0;
        let covered = together && stakes.against() == bank && stakes.all.len() > 1;
        let wins = winner == Winner::Banca && raised <= self.most_in_bank();
        if !(first && covered && wins && self.session.wants(Fault::BankCorrected)) {
            return bank;
        }
        // The highest stake of a seated player who has punto's cards: a higher stake keeps them.
        let seated = || stakes.all.iter().filter(|stake| !stake.who.stands);
        let highest = seated().map(|stake| stake.sum).max().filter(|highest| highest + least <= bank);
        let Some((_, Body::PuntoHolder(PuntoHolder { holder, .. }))) =
            self.session.recorded(|body| matches!(body, Body::PuntoHolder(_)))
        else {
            return bank;
        };
        let fits = |stake: &Stake| Some(stake.sum) == highest && Holder::Seat(stake.who.seat) == *holder;
        let Some(stake) = stakes.all.iter_mut().find(|stake| !stake.who.stands && fits(stake)) else {
            return bank;
        };
        let Some((corrects, Body::BankTaken(taken))) = self
            .session
            .recorded(|body| matches!(body, Body::BankTaken(taken) if taken.amount.get() == bank))
        else {
            return bank;
        };
        let corrected = BankTaken { amount: money(raised), ..taken.clone() };
        let id = stake.id;
        if let Some((_, Body::BetPlaced(placed))) =
            self.session.recorded(|body| matches!(body, Body::BetPlaced(placed) if placed.bet == id))
        {
            placed.stake = money(stake.sum + least);
            stake.sum += least;
        }
        let seat = corrected.seat;
        self.session.moves(seat, signed(money(least)));
        self.session.correct_now(Fault::BankCorrected, corrects, Body::BankTaken(corrected));
        raised
    }

    /// What was set aside of a bank is raised after punto has won: so the bank loses less than it covered to whoever had
    /// banco. Gives what the bank then holds.
    pub(super) fn raise_garaje(&mut self, stakes: &Stakes, bank: u64, winner: Winner) -> u64 {
        let least = self.least();
        let wanted = winner == Winner::Punto && self.session.wants(Fault::GarajeCorrected);
        let alone = stakes.banco.is_some() && stakes.against() == bank && bank > 2 * least;
        let set_aside = |body: &Body| matches!(body, Body::GarajeSet(set) if set.kind == Garaje::Improper);
        let (Some(stake), Some(banker)) = (stakes.all.first(), self.bank.banker.as_mut()) else {
            return bank;
        };
        let (corrects, amount) = match self.session.recorded(set_aside).filter(|_| wanted && alone) {
            Some((sequence, Body::GarajeSet(set))) => (sequence, set.amount.plus(money(least))),
            Some(_) | None => return bank,
        };
        banker.garaje += least;
        self.session.moves(banker.who.seat, signed(money(least)));
        self.session.moves(stake.who.seat, -signed(money(least)));
        let set = GarajeSet { kind: Garaje::Improper, amount };
        self.session.correct_now(Fault::GarajeCorrected, corrects, Body::GarajeSet(set));
        bank - least
    }

    /// An abono is raised after banca has won, and paid for what it was raised to.
    pub(super) fn raise_abono(&mut self, stakes: &mut Stakes, winner: Winner) {
        let least = self.least();
        let banker = self.bank.banker.as_ref().map(|banker| banker.who.clone());
        let wanted = winner == Winner::Banca && self.session.wants(Fault::AbonoCorrected);
        let of_another = |stake: &&mut Stake| stake.abono && Some(&stake.who) != banker.as_ref();
        let Some(stake) = stakes.all.iter_mut().find(of_another).filter(|_| wanted) else { return };
        let id = stake.id;
        let placed = |body: &Body| matches!(body, Body::AbonoPlaced(placed) if placed.bet == id);
        let Some((corrects, Body::AbonoPlaced(placed))) = self.session.recorded(placed) else { return };
        stake.sum += least;
        let corrected = AbonoPlaced { stake: money(stake.sum), ..placed.clone() };
        self.session.moves(stake.who.seat, signed(money(least)));
        self.session.correct_now(Fault::AbonoCorrected, corrects, Body::AbonoPlaced(corrected));
    }

    /// What the banker took away is raised, once a card of the next coup is out.
    pub(super) fn take_away_more(&mut self) {
        let passed = |body: &Body| matches!(body, Body::BankPassed(_));
        let wanted = self.session.coup > 0 && self.session.wants(Fault::PassedCorrected);
        let corrected = match self.session.recorded(passed).filter(|_| wanted) {
            Some((_, Body::BankPassed(passed))) => {
                BankPassed { amount: passed.amount.plus(money(100)), ..passed.clone() }
            }
            Some(_) | None => return,
        };
        self.session.moves(corrected.seat, 100);
        self.session.correct_after_card(Fault::PassedCorrected, Body::BankPassed(corrected), false);
    }
}
