//! Wrong payouts that are hidden among others, or recorded far from their coup.

use events::CoupSettled;

use super::coup::{BetAt, CoupAt};
use super::tape::Tape;
use super::{Moving, Shown};
use crate::session::{money, signed};

const MILLION: u64 = 100_000_000;
/// Most small errors among which the large one hides.
const FLOOD: usize = 500;

fn more(coup: &CoupAt, bet: &BetAt, sum: u64) -> CoupSettled {
    coup.paying(bet.placed.bet, |line| line.returned = line.returned.plus(money(sum)))
}

/// A crooked settlement reaches the log after everything else.
pub(super) fn late(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let bet = coup.plain_bet(|_| true)?;
    tape.replace(coup.settled, more(coup, bet, MILLION));
    tape.post_late(coup.settled);
    Shown::in_coup(coup.settled, coup.number).moving([(bet.placed.seat, 100_000_000)])
}

/// Another settlement under an old number reaches the log after everything else: the shoe that it would have been
/// in is over by then, and its coup keeps the settlement that came first.
pub(super) fn conflicting(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let bet = coup.plain_bet(|_| true)?;
    tape.post_again(coup.settled, more(coup, bet, MILLION));
    Shown::in_shoe(coup.settled)
}

/// A coup is settled, and paid, again three coups later.
pub(super) fn again(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let paid = coup.returned().iter().any(|(_, units)| *units > 0);
    let later = tape.coup_in(coup.shoe, coup.number + 3).filter(|_| paid && coup.untaxed())?;
    let at = tape.insert(later.settled + 1, coup.account.clone());
    Shown::in_coup(at, coup.number).moving(coup.returned())
}

/// Every bet of the shoe is paid a minor unit too much, and one a million.
pub(super) fn flood(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let large = coup.plain_bet(|_| true)?.placed.bet;
    let range = tape.shoes().into_iter().find(|(start, _)| *start == coup.shoe)?;
    let (mut money_of, mut coups) = (Vec::new(), 0);
    for other in tape.coups(range) {
        if money_of.len() >= FLOOD || other.bets.is_empty() {
            continue;
        }
        let mut account = other.account.clone();
        for line in &mut account.bets {
            let sum = if line.bet == large { MILLION } else { 1 };
            line.returned = line.returned.plus(money(sum));
            let bet = other.bets.iter().find(|bet| bet.placed.bet == line.bet)?;
            money_of.push((bet.placed.seat, signed(money(sum))));
        }
        tape.replace(other.settled, account);
        coups += 1;
    }
    let findings = money_of.len() as u64;
    let shown = Shown::in_coup(coup.settled, coup.number).moving(money_of)?;
    Some(Shown { findings, coups: Some(coups), ..shown })
}

/// Commission is deducted from a payout and appears nowhere.
pub(super) fn commission_kept(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let bet = coup.bets.iter().find(|bet| bet.settled.commission.get() > 0)?;
    let account = coup.paying(bet.placed.bet, |line| line.commission = baccarat::Money::ZERO);
    tape.replace(coup.settled, account);
    Shown::in_coup(coup.settled, coup.number).moving([(0, -signed(bet.settled.commission))])
}
