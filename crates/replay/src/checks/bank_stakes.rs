//! What is staked on the two sides of a coup at a bank, and what the coup comes to for the bank (`docs/judging.md`, "Chemin
//! de fer").

use std::collections::BTreeMap;

use baccarat::{Money, Rulebook, Winner};

use super::bank_play::{Due, Playing};
use super::bets::{Bet, Within};
use crate::chemin::Who;

/// The sums of both sides.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sums {
    /// The sum staked against the bank. No stake counts for more than the bank holds.
    pub(super) punto: Money,
    pub(super) abonos: Money,
}

/// The stakes of a coup at a bank.
pub(super) struct Stakes<'r, 'a> {
    /// All stakes that were not taken back in time.
    pub(super) bets: Vec<Bet<'r, 'a>>,
    playing: &'r Playing,
}

impl<'r, 'a> Stakes<'r, 'a> {
    pub(super) const fn of(bets: Vec<Bet<'r, 'a>>, playing: &'r Playing) -> Self {
        Self { bets, playing }
    }

    /// The part of a stake that plays.
    pub(super) fn at_risk(&self, at: usize) -> Money {
        let bet = &self.bets[at];
        let within = match bet.within {
            Within::All | Within::Open => bet.stake(),
            Within::Part(part) => part,
        };
        if bet.is_abono() { within } else { within.min(self.playing.bank) }
    }

    /// The sums of the stakes that count.
    pub(super) fn sums(&self, counts: impl Fn(&Bet<'r, 'a>) -> bool) -> Sums {
        let counted = (0..self.bets.len()).filter(|at| counts(&self.bets[*at]));
        counted.fold(Sums::default(), |sums, at| self.with(sums, at, true))
    }

    /// The sums with one stake more, or without it.
    pub(super) fn with(&self, mut sums: Sums, at: usize, with: bool) -> Sums {
        let bet = &self.bets[at];
        let change = |sum: Money, part: Money| if with { sum.plus(part) } else { sum.minus(part) };
        if !bet.is_offered() {
            return sums;
        }
        if bet.is_abono() {
            sums.abonos = change(sums.abonos, self.at_risk(at));
        } else {
            sums.punto = change(sums.punto, self.at_risk(at));
        }
        sums
    }

    /// Stakes against the bank by player. What a seated player stakes at other seats is theirs too.
    pub(super) fn by_player(&self, counts: impl Fn(&Bet<'r, 'a>) -> bool) -> Vec<(Who, Money)> {
        let seats = &self.playing.seats;
        let mut sums: BTreeMap<Who, Money> = BTreeMap::new();
        for bet in self.bets.iter().filter(|bet| counts(bet) && bet.is_offered() && !bet.is_abono()) {
            let sum = sums.entry(seats.own_seat(seats.who(bet.seat(), bet.player()))).or_default();
            *sum = sum.plus(bet.stake());
        }
        sums.into_iter().collect()
    }

    /// Whether a bet is the banker's own; `None` if that depends on who sits where, and nobody knows.
    pub(super) fn is_own(&self, bet: &Bet<'_, '_>) -> Option<bool> {
        let playing = self.playing;
        if playing.seats_known {
            let who = playing.seats.who(bet.seat(), bet.player());
            return Some(playing.banker.as_ref() == Some(&who));
        }
        let (name, player) = playing.name.as_ref().zip(bet.player())?;
        Some(crate::person::same(name, player))
    }
}

impl Sums {
    /// Whether bank and abonos cover what is staked against them. If they do not, no source says who is paid.
    pub(super) fn are_covered(self, bank: Money) -> bool {
        self.punto <= bank.plus(self.abonos)
    }

    /// What a coup has to come to for the bank; `None` if more is staked than bank and abonos cover.
    pub(super) fn due(self, bank: Money, winner: Winner, rules: &Rulebook) -> Option<Due> {
        if !self.are_covered(bank) {
            return None;
        }
        let (part, nothing) = (self.punto.minus(self.abonos).min(bank), Money::ZERO);
        Some(match winner {
            Winner::Tie => Due { won: nothing, lost: nothing, commission: nothing },
            Winner::Punto => Due { won: nothing, lost: part, commission: nothing },
            Winner::Banca => Due { won: part, lost: nothing, commission: rules.commission_on(part) },
        })
    }
}
