//! Calls and stakes against the bank.

use events::{AbonoPlaced, BancoCalled, BetPlaced, Body, Call};

use super::{CheminDeFer, Temper, Who, punto};
use crate::Fault;
use crate::session::{money, signed};

/// A stake that stands.
#[derive(Debug, Clone)]
pub(super) struct Stake {
    pub(super) id: u64,
    pub(super) who: Who,
    pub(super) sum: u64,
    pub(super) abono: bool,
}

/// What was staked in a coup, and who plays for the bank.
#[derive(Debug, Default)]
pub(super) struct Stakes {
    pub(super) all: Vec<Stake>,
    pub(super) banco: Option<Who>,
    pub(super) half: Option<Who>,
}

impl Stakes {
    pub(super) fn against(&self) -> u64 {
        self.all.iter().filter(|stake| !stake.abono).map(|stake| stake.sum).sum()
    }

    pub(super) fn abonos(&self) -> u64 {
        self.all.iter().filter(|stake| stake.abono).map(|stake| stake.sum).sum()
    }
}

impl CheminDeFer {
    /// Everybody but the banker, and whoever they are to one another.
    fn puntos(&self) -> Vec<Who> {
        let banker = self.bank.banker.as_ref().map(|banker| banker.who.clone());
        self.everybody().into_iter().filter(|who| Some(who) != banker.as_ref()).collect()
    }

    pub(super) fn take_stakes(&mut self) -> Stakes {
        let (bank, seat) = self.bank.banker.as_ref().map_or((0, 0), |banker| (banker.bank, banker.who.seat));
        let mut stakes = Stakes::default();
        if self.crooked_banco(bank, seat, &mut stakes) {
            return stakes;
        }
        if let Some(who) = self.bank.seguido.clone().filter(|who| self.puntos().contains(who))
            && self.session.dice.chance(40)
        {
            self.call(&who, Call::Seguido);
            self.whole(who, bank, &mut stakes);
            return stakes;
        }
        let mut callers = self.puntos();
        callers.retain(|who| self.session.dice.chance(Temper::of(&who.player).calls()));
        if !callers.is_empty() {
            for who in &callers {
                self.call(who, Call::Banco);
            }
            callers.sort_by_key(|who| self.priority(who, seat));
            self.whole(callers[0].clone(), bank, &mut stakes);
            return stakes;
        }
        if bank >= 4 * self.least() && bank.is_multiple_of(2) && self.session.dice.chance(8) {
            self.by_halves(bank, &mut stakes);
            return stakes;
        }
        self.ordinary(bank, &mut stakes);
        self.abonos(bank, &mut stakes);
        stakes
    }

    /// Newcomers come after everybody else who plays alone.
    fn priority(&self, who: &Who, banker: u8) -> (bool, (bool, u8)) {
        (!who.stands && self.bank.newcomers.contains(&who.seat), who.rank(banker))
    }

    fn call(&mut self, who: &Who, call: Call) -> u64 {
        let (seat, player) = (who.seat, Some(who.player.clone()));
        self.session.record(Body::BancoCalled(BancoCalled { coup: self.session.coup, seat, player, call }))
    }

    fn whole(&mut self, who: Who, bank: u64, stakes: &mut Stakes) {
        let stake = self.stake(&who, bank);
        stakes.all.push(stake);
        stakes.banco = Some(who);
    }

    fn stake(&mut self, who: &Who, sum: u64) -> Stake {
        let bet = BetPlaced {
            coup: self.session.coup,
            bet: self.session.next_bet,
            seat: who.seat,
            player: Some(who.player.clone()),
            kind: punto(),
            stake: money(sum),
        };
        self.session.next_bet += 1;
        let id = bet.bet;
        self.session.record(Body::BetPlaced(bet));
        Stake { id, who: who.clone(), sum, abono: false }
    }

    /// Half the bank by one, the other half by one or several.
    fn by_halves(&mut self, bank: u64, stakes: &mut Stakes) {
        let mut puntos = self.puntos();
        self.session.dice.shuffle(&mut puntos);
        let (first, second) = (puntos[0].clone(), puntos[1].clone());
        self.call(&first, Call::ConLaMesa);
        let stake = self.stake(&first, bank / 2);
        stakes.all.push(stake);
        stakes.half = Some(first);
        if self.session.dice.chance(40) {
            self.call(&second, Call::UltimoCompleto);
            let stake = self.stake(&second, bank / 2);
            stakes.all.push(stake);
            stakes.half = Some(second);
        } else if self.session.dice.chance(60) {
            let stake = self.stake(&second, (bank / 4).max(self.least()));
            stakes.all.push(stake);
        }
    }

    /// Everybody stakes what they like, as long as the bank covers it.
    fn ordinary(&mut self, bank: u64, stakes: &mut Stakes) {
        let least = self.least();
        let mut left = bank;
        let beside = self.session.wants(Fault::StakesAboveBank);
        for who in self.puntos() {
            let most = left / least;
            if most == 0 || (!stakes.all.is_empty() && !self.session.dice.chance(75)) {
                continue;
            }
            let times = 1 + self.session.dice.below(most.min(25));
            let sum = if times == most && self.session.dice.chance(50) { left } else { times * least };
            let stake = self.stake(&who, sum);
            stakes.all.push(stake);
            left -= sum;
        }
        if beside && let Some(who) = self.puntos().first().cloned() {
            let stake = self.stake(&who, (left + least).min(bank));
            stakes.all.push(stake);
            if left < bank && stakes.against() > bank {
                self.session.to_show = Some(Fault::StakesAboveBank);
            }
        }
    }

    /// Now and then more is staked than the bank holds, and abonos cover the difference.
    fn abonos(&mut self, bank: u64, stakes: &mut Stakes) {
        let least = self.least();
        let Some(rules) = self.rules.abonos.clone() else { return self.forbidden_abono(stakes) };
        let faults = [Fault::FourthAbono, Fault::AbonoTooLarge, Fault::AbonoCorrected];
        let wanted = faults.into_iter().find(|fault| self.session.wants(*fault));
        if wanted.is_none() && !self.session.dice.chance(15) || self.session.to_show.is_some() {
            return;
        }
        let count = match wanted {
            Some(Fault::FourthAbono) => u64::from(rules.most) + 1,
            _ => 1 + self.session.dice.below(u64::from(rules.most)),
        };
        let puntos = self.puntos();
        let sum = bank - stakes.against() + count * least;
        // One player may not stake more than the bank.
        if sum > bank || sum < least {
            return;
        }
        let Some(who) = self.session.dice.pick(&puntos).cloned() else { return };
        let own: u64 =
            stakes.all.iter().filter(|stake| !stake.abono && stake.who == who).map(|stake| stake.sum).sum();
        if own + sum > bank {
            return;
        }
        let stake = self.stake(&who, sum);
        stakes.all.push(stake);
        let banker = self.bank.banker.as_ref().map(|banker| banker.who.clone());
        for number in 0..count {
            let who = match banker.clone().filter(|_| number == 0 && self.session.dice.chance(30)) {
                Some(banker) => banker,
                None => puntos[usize::try_from(number).unwrap_or_default() % puntos.len()].clone(),
            };
            let large = number == 0 && wanted == Some(Fault::AbonoTooLarge);
            let (stake, sequence) = self.abono(&who, if large { 2 * least } else { least });
            stakes.all.push(stake);
            if number == u64::from(rules.most) {
                self.session.plant(Fault::FourthAbono, sequence, Some(self.session.coup));
            } else if large {
                self.session.to_show = Some(Fault::AbonoTooLarge);
            }
        }
    }

    fn abono(&mut self, who: &Who, sum: u64) -> (Stake, u64) {
        let (id, player) = (self.session.next_bet, Some(who.player.clone()));
        self.session.next_bet += 1;
        let placed =
            AbonoPlaced { coup: self.session.coup, bet: id, seat: who.seat, player, stake: money(sum) };
        let sequence = self.session.record(Body::AbonoPlaced(placed));
        (Stake { id, who: who.clone(), sum, abono: true }, sequence)
    }

    fn forbidden_abono(&mut self, stakes: &mut Stakes) {
        if let Some(who) = stakes.all.first().map(|stake| stake.who.clone())
            && self.session.wants(Fault::AbonoForbidden)
        {
            let least = self.least();
            let (_, sequence) = self.abono(&who, least);
            // It is in no settlement.
            self.session.moves(who.seat, -signed(money(least)));
            self.session.plant(Fault::AbonoForbidden, sequence, Some(self.session.coup));
        }
    }

    /// A banco that is not as it should be; `true` where nobody else stakes.
    fn crooked_banco(&mut self, bank: u64, seat: u8, stakes: &mut Stakes) -> bool {
        let mut puntos = self.puntos();
        puntos.sort_by_key(|who| self.priority(who, seat));
        let [first, .., last] = puntos.as_slice() else { return false };
        let (first, last) = (first.clone(), last.clone());
        if bank > self.least() && self.session.wants(Fault::BancoShort) {
            self.call(&first, Call::Banco);
            self.whole(first, bank - 1, stakes);
            self.session.to_show = Some(Fault::BancoShort);
        } else if self.session.wants(Fault::CallCorrected) {
            self.call(&last, Call::Banco);
            self.call(&first, Call::Banco);
            let (coup, seat) = (self.session.coup, last.seat);
            let player = Some(last.player.clone());
            let corrected = Body::BancoCalled(BancoCalled { coup, seat, player, call: Call::Banco });
            self.session.correct_after_card(Fault::CallCorrected, corrected, true);
            self.whole(last, bank, stakes);
        } else if self.session.wants(Fault::BancoOutOfPriority) {
            self.call(&last, Call::Banco);
            self.call(&first, Call::Banco);
            self.whole(last, bank, stakes);
            self.session.to_show = Some(Fault::BancoOutOfPriority);
        } else if let Some(who) = puntos.iter().find(|who| self.bank.seguido.as_ref() != Some(*who)).cloned()
            && self.session.coup > 1
            && self.session.wants(Fault::SeguidoWithoutRight)
        {
            let sequence = self.call(&who, Call::Seguido);
            self.session.plant(Fault::SeguidoWithoutRight, sequence, Some(self.session.coup));
            self.whole(who, bank, stakes);
        } else if bank > 3 * self.least() && !first.stands && self.session.wants(Fault::BankCorrected) {
            // Together they cover the bank.
            let least = self.least();
            for (who, sum) in [(first, bank - least), (last, least)] {
                let stake = self.stake(&who, sum);
                stakes.all.push(stake);
            }
        } else if self.session.wants(Fault::GarajeCorrected) {
            self.call(&first, Call::Banco);
            self.whole(first, bank, stakes);
        } else if self.session.wants(Fault::StakeAboveBank) {
            let stake = self.stake(&first, bank + self.least());
            stakes.all.push(stake);
            let sequence = self.session.sequence();
            self.session.plant(Fault::StakeAboveBank, sequence, Some(self.session.coup));
        } else {
            return false;
        }
        true
    }

    /// Banco is called although the bets are closed.
    pub(super) fn call_too_late(&mut self) {
        if let Some(who) = self.puntos().first().cloned()
            && self.session.wants(Fault::BancoTooLate)
        {
            let sequence = self.call(&who, Call::Banco);
            self.session.plant(Fault::BancoTooLate, sequence, Some(self.session.coup));
        }
    }
}
