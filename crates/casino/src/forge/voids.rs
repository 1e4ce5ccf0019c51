//! Forgeries that a void is meant to hide. They use only coups without commission, because the commission that a
//! void coup marked is taken out again.

use baccarat::{Money, Winner};
use events::{BetSettled, CoupSettled, CoupVoided, Name};

use super::coup::{BetAt, CoupAt};
use super::tape::Tape;
use super::{Moving, Shown};
use crate::session::{inspector, money, name, remark, signed};

fn voided(coup: &CoupAt, countersigned_by: Option<Name>) -> CoupVoided {
    let reason = remark("stuck cards");
    CoupVoided { coup: coup.number, reason, ruled_by: inspector(), countersigned_by }
}

/// What comes back for each bet of a void coup.
fn refund(coup: &CoupAt, sum: impl Fn(&BetAt) -> Money) -> CoupSettled {
    let line = |bet: &BetAt| BetSettled { bet: bet.placed.bet, returned: sum(bet), commission: Money::ZERO };
    CoupSettled {
        coup: coup.number,
        winner: Winner::Tie,
        punto_total: 0,
        banca_total: 0,
        bets: coup.bets.iter().map(line).collect(),
    }
}

fn whole(bet: &BetAt) -> Money {
    bet.placed.stake
}

/// Declares the coup void after its last card; returns the index of its refund.
fn void(tape: &mut Tape, coup: &CoupAt, refund: CoupSettled) -> usize {
    tape.replace(coup.settled, refund);
    tape.insert(coup.settled, voided(coup, Some(name("manager-1")))) + 1
}

/// A void returns a million for a bet that was never placed.
pub(super) fn million(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let mut refund = coup.untaxed().then(|| refund(coup, whole))?;
    let returned = money(100_000_000);
    refund.bets.push(BetSettled { bet: coup.new_bet(), returned, commission: Money::ZERO });
    let at = void(tape, coup, refund);
    Shown::in_coup(at, coup.number).moving([(0, -signed(returned))])
}

/// A void returns a stake twice over.
pub(super) fn doubled(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let first = coup.bets.first().filter(|_| coup.untaxed())?;
    let twice = |bet: &BetAt| if bet.at == first.at { whole(bet).plus(whole(bet)) } else { whole(bet) };
    let at = void(tape, coup, refund(coup, twice));
    Shown::in_coup(at, coup.number).moving([(first.placed.seat, signed(first.placed.stake))])
}

/// A void returns nothing.
pub(super) fn kept(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let at = tape.next_begins(coup).filter(|_| coup.untaxed() && !coup.bets.is_empty())?;
    tape.replace(coup.settled, voided(coup, Some(name("manager-1"))));
    let stakes = coup.bets.iter().map(|bet| (bet.placed.seat, -signed(bet.placed.stake)));
    Shown::in_coup(at, coup.number).moving(stakes)
}

/// A coup is declared void once it is paid, and its winner keeps the winnings.
pub(super) fn paid(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let won: Vec<&BetAt> = coup.bets.iter().filter(|bet| bet.won()).collect();
    let [winner] = won.as_slice() else { return None };
    if !coup.untaxed() {
        return None;
    }
    let refund = refund(coup, |bet| whole(bet).minus(bet.settled.returned.min(whole(bet))));
    tape.insert(coup.settled + 1, voided(coup, Some(name("manager-1"))));
    let at = tape.insert(coup.settled + 2, refund);
    let kept = winner.settled.returned.minus(winner.placed.stake);
    Shown::in_coup(at, coup.number).moving([(winner.placed.seat, signed(kept))])
}

/// Nobody countersigns a void.
pub(super) fn unsigned(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let refund = coup.untaxed().then(|| refund(coup, whole))?;
    tape.replace(coup.settled, refund);
    let at = tape.insert(coup.settled, voided(coup, None));
    Shown::in_coup(at, coup.number)
}
