//! Calls and stakes of a coup of chemin de fer: banco and its kinds, the bank as the most that can be won,
//! and abonos on the part of the stakes that exceeds it.

use baccarat::Money;
use events::{BancoCalled, Call, GarajeSet};

use super::{Chemin, CheminCoup, Who};
use crate::Code;
use crate::caps::Cap;
use crate::coup::{Bet, CoupInPlay};
use crate::rules::Rules;
use crate::sink::{Accusation, Sink};
use crate::statement::{OfBank, OfBets, OfTurn};

impl Chemin {
    /// Whether somebody who calls banco seguido may: they called banco and lost, or alone staked
    /// against the bank and lost.
    pub(crate) fn check_seguido(&self, called: &BancoCalled) -> Option<Accusation> {
        let who = self.turn.who(called.seat, called.player.as_ref());
        let known = self.seguido.as_ref().filter(|_| !self.uncertain && self.turn.is_known());
        let may = called.call != Call::Seguido || known.is_none_or(|losers| losers.contains(&who));
        (!may).then(|| {
            let recorded = OfTurn::SeguidoBy { who: (&who).into() };
            Accusation::new(Code::BancoSeguido, OfTurn::CalledBancoAndLost, recorded).in_coup(called.coup)
        })
    }

    /// A coup is settled: who lost to the bank alone may call banco seguido; on a tie who could
    /// before still can.
    pub(crate) fn remember_banco(
        &mut self,
        play: &CoupInPlay,
        rules: &Rules,
        winner: Option<baccarat::Winner>,
    ) {
        use baccarat::Winner;
        let Some(coup) = play.chemin.as_deref() else { return };
        match winner {
            // Who called in it is not known.
            _ if play.missing_events > 0 => self.seguido = None,
            Some(Winner::Tie) => {
                if let Some(known) = &mut self.seguido
                    && !coup.granted.as_ref().is_some_and(|who| known.contains(who))
                {
                    known.extend(coup.granted.clone());
                }
                // Of so many it is not known any more who may.
                _ = self.seguido.take_if(|known| known.len() > Cap::Calls.most());
            }
            Some(Winner::Banca) => {
                let players = stakes_by_player(play, coup, Bet::stood, rules);
                let alone =
                    if players.len() == 1 { players.first().map(|(who, _)| who.clone()) } else { None };
                self.seguido = Some(coup.granted.clone().or(alone).into_iter().collect());
            }
            Some(Winner::Punto) => self.seguido = Some(Vec::new()),
            None => self.seguido = None,
        }
    }
}

impl CheminCoup {
    /// Somebody plays for the bank.
    pub(crate) fn call(
        &mut self,
        called: &BancoCalled,
        under_way: bool,
        sink: &mut Sink,
    ) -> Option<Accusation> {
        let who = self.who(called.seat, called.player.as_ref());
        let late = under_way && (called.call != Call::Seguido || self.holder_given);
        let recorded = OfTurn::BancoAfterwards { who: (&who).into() };
        if self.calls.len() < Cap::Calls.most() {
            self.calls.push((who, called.call));
        } else {
            sink.forget(Cap::Calls);
        }
        late.then(|| {
            Accusation::new(Code::BancoLate, OfTurn::BancoBeforeClose, recorded).in_coup(called.coup)
        })
    }

    /// Whether bets may still be placed and taken back, though they were closed, for a banco seguido.
    fn reopened(&self) -> bool {
        !self.holder_given && self.calls.iter().any(|(_, call)| *call == Call::Seguido)
    }

    /// The stakes have to leave the bank as much uncovered as is set aside for the coup.
    pub(crate) fn set_compulsory(&mut self, set: &GarajeSet, uncovered: Money) -> Option<Accusation> {
        self.compulsory = Some(set.amount);
        (set.amount != uncovered && self.is_bank_known()).then(|| {
            Accusation::new(
                Code::GarajeAmount,
                OfBank::Uncovered { amount: uncovered.into() },
                OfBets::Amount { amount: set.amount.into() },
            )
        })
    }

    /// Who plays for the whole bank.
    pub(super) fn granted(&self) -> Option<&Who> {
        self.granted.as_ref()
    }
}

/// Stakes against the bank by player, of the bets that count.
pub(super) fn stakes_by_player(
    play: &CoupInPlay,
    coup: &CheminCoup,
    counts: impl Fn(&Bet) -> bool,
    rules: &Rules,
) -> Vec<(Who, Money)> {
    let mut stakes: std::collections::BTreeMap<Who, Money> = std::collections::BTreeMap::new();
    for bet in &play.bets {
        if counts(bet) && bet.kind.is_some_and(|kind| rules.name(kind).as_str() == "punto") {
            // What whoever sits stakes at other seats is theirs too.
            let who = coup.seats.own_seat(coup.who(bet.seat, bet.player.as_ref()));
            let sum = stakes.entry(who).or_default();
            *sum = sum.plus(bet.stake);
        }
    }
    stakes.into_iter().collect()
}

impl CoupInPlay {
    /// Whether bets may still be placed and taken back although they were closed.
    pub(crate) fn reopened(&self) -> bool {
        self.chemin.as_deref().is_some_and(CheminCoup::reopened)
    }

    /// The abonos of this coup that were not withdrawn.
    pub(crate) fn abonos(&self, rules: &Rules) -> u32 {
        self.staked(rules, Money::ZERO).abono_count
    }

    /// What the stakes leave of the bank.
    pub(crate) fn uncovered(&self, rules: &Rules) -> Money {
        let bank = self.chemin.as_ref().map_or(Money::ZERO, |coup| coup.bank);
        bank.minus(self.staked(rules, bank).punto)
    }

    /// The bets are closed: what was called and staked has to fit the bank.
    pub(crate) fn judge_stakes(&mut self, rules: &Rules, sink: &mut Sink) {
        let Some(mut coup) = self.chemin.take() else { return };
        if !std::mem::replace(&mut coup.stakes_judged, true) && coup.banker.is_some() {
            if !coup.sum_missing {
                self.judge_sum(&coup, rules, sink);
            }
            let mut calls = sink.apart();
            self.judge_calls(&mut coup, rules, &mut calls);
            // Otherwise it is not known who sits and who stands, or what a banco is.
            if coup.seats_known && !coup.sum_missing {
                sink.accuse_all(calls.take());
            }
        }
        self.chemin = Some(coup);
    }

    /// All stakes together against the bank and the abonos.
    fn judge_sum(&self, coup: &CheminCoup, rules: &Rules, sink: &mut Sink) {
        let stakes = self.staked(rules, coup.bank);
        let beyond = stakes.punto.minus(coup.bank);
        if beyond > stakes.abonos {
            let expected = match stakes.abonos {
                Money::ZERO => OfBank::StakesAtMost { bank: coup.bank.into() },
                abonos => OfBank::StakesAtMostWithAbonos { bank: coup.bank.into(), abonos: abonos.into() },
            };
            let recorded = OfBank::Staked { amount: stakes.punto.into() };
            sink.accuse(self.accusation(Code::StakesAboveBank, expected, recorded));
        } else if stakes.abonos > beyond {
            let expected = OfBank::AbonosDue { amount: beyond.into() };
            let recorded = OfBank::AbonosOf { amount: stakes.abonos.into() };
            sink.accuse(self.accusation(Code::AbonoAmount, expected, recorded));
        }
    }

    /// Banco goes to whoever has priority among those who called it, and is the whole bank.
    fn judge_calls(&self, coup: &mut CheminCoup, rules: &Rules, sink: &mut Sink) {
        let players = stakes_by_player(self, coup, Bet::stood, rules);
        let staked = |who: &Who| players.iter().find(|(player, _)| player == who).map(|(_, sum)| *sum);
        let banker = coup.banker.as_ref().map_or(0, |who| who.seat);
        let order = |(who, call): &(Who, Call)| {
            // Newcomers have no priority before they let the bank pass.
            let newcomer = who.standing.is_none() && coup.seats.newcomers.contains(&who.seat);
            let class = match call {
                Call::Seguido => 0,
                Call::Banco => 1,
                Call::Asociado => 2,
                Call::ConLaMesa | Call::UltimoCompleto => return None,
            };
            Some((class, newcomer, who.rank(banker)))
        };
        let mut whole: Vec<_> = coup.calls.iter().filter_map(|call| Some((order(call)?, call))).collect();
        whole.sort();
        let given = whole.iter().find(|(_, (who, _))| staked(who).is_some());
        if let (Some((first, (before, _))), Some((rank, (who, call)))) = (whole.first(), given) {
            if first < rank {
                let given_to = |who: &Who| OfTurn::BancoGivenTo { who: who.into() };
                sink.accuse(self.accusation(Code::BancoPriority, given_to(before), given_to(who)));
            }
            // Of an association every member stakes their part.
            if *call != Call::Asociado {
                sink.accuse_all(self.check_stake_is(who, staked(who), [coup.bank, coup.bank], whole_bank));
            }
            coup.granted = Some(who.clone());
        } else if let Some((_, (who, _))) = whole.first() {
            sink.accuse_all(self.check_stake_is(who, None, [coup.bank, coup.bank], whole_bank));
        }
        let halves =
            coup.calls.iter().filter(|(_, call)| matches!(call, Call::ConLaMesa | Call::UltimoCompleto));
        for (who, _) in halves.filter(|_| whole.is_empty()) {
            let half = Money::new(coup.bank.get() / 2).unwrap_or_default();
            let other = coup.bank.minus(half);
            sink.accuse_all(self.check_stake_is(who, staked(who), [half, other], half_bank));
        }
    }

    fn check_stake_is(
        &self,
        who: &Who,
        staked: Option<Money>,
        due: [Money; 2],
        what: fn(Money, &Who) -> OfBank,
    ) -> Option<Accusation> {
        let staked = staked.unwrap_or_default();
        (!due.contains(&staked)).then(|| {
            let recorded = OfBank::Staked { amount: staked.into() };
            self.accusation(Code::BancoStake, what(due[1], who), recorded)
        })
    }
}

fn whole_bank(amount: Money, who: &Who) -> OfBank {
    OfBank::WholeBank { amount: amount.into(), who: who.into() }
}

fn half_bank(amount: Money, who: &Who) -> OfBank {
    OfBank::HalfBank { amount: amount.into(), who: who.into() }
}
