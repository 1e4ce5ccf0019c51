//! Bets that were placed, withdrawn or invented when the result was known.

use baccarat::{Money, Winner};
use events::{BetPlaced, BetSettled, BetWithdrawn, Holder, PuntoHolder};

use super::coup::CoupAt;
use super::tape::Tape;
use super::{Moving, Shown};
use crate::session::{money, name, signed};

/// A guest without a main bet puts one on punto after the last card, and punto won.
pub(super) fn past_posted(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let main = |seat: u8| {
        coup.bets.iter().any(|bet| bet.placed.seat == seat && (bet.is_on("punto") || bet.is_on("banca")))
    };
    let guests = tape.seated_at(coup.begins);
    let (seat, player) = guests.into_iter().find(|(seat, _)| !main(*seat))?;
    let (kind, stake) = ("punto".parse().ok()?, tape.limits_at(coup.begins)?.minimum);
    let due = tape.due(&kind, stake, &coup.hands()?).filter(|_| coup.winner() == Winner::Punto)?;
    let mut account = coup.account.clone();
    account.bets.push(BetSettled { bet: coup.new_bet(), returned: due.returned, commission: due.commission });
    tape.replace(coup.settled, account);
    let placed =
        BetPlaced { coup: coup.number, bet: coup.new_bet(), seat, player: Some(player), kind, stake };
    let at = tape.insert(coup.settled, placed);
    Shown::in_coup(at, coup.number).moving([(seat, signed(due.returned) - signed(stake))])
}

/// A losing bet is taken back after the last card.
pub(super) fn withdrawn(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let bet = coup.plain_bet(|bet| bet.lost())?;
    let mut account = coup.account.clone();
    account.bets.retain(|line| line.bet != bet.placed.bet);
    tape.replace(coup.settled, account);
    let at = tape.insert(coup.settled, BetWithdrawn { bet: bet.placed.bet });
    Shown::in_coup(at, coup.number).moving([(bet.placed.seat, signed(bet.placed.stake))])
}

/// A bet is settled that was never placed.
pub(super) fn invented(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let (returned, mut account) = (money(5_000_000), coup.account.clone());
    account.bets.push(BetSettled { bet: coup.new_bet(), returned, commission: Money::ZERO });
    tape.replace(coup.settled, account);
    Shown::in_coup(coup.settled, coup.number).moving([(0, -signed(returned))])
}

/// A bet of a kind that nobody offers is accepted and paid a hundredfold.
pub(super) fn kind(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let (seat, player) = tape.seated_at(coup.begins).into_iter().next()?;
    let (kind, stake) = ("lucky-nine".parse().ok()?, tape.limits_at(coup.begins)?.minimum);
    let (returned, mut account) = (money(stake.get() * 100), coup.account.clone());
    account.bets.push(BetSettled { bet: coup.new_bet(), returned, commission: Money::ZERO });
    tape.replace(coup.settled, account);
    let placed =
        BetPlaced { coup: coup.number, bet: coup.new_bet(), seat, player: Some(player), kind, stake };
    let at = tape.insert(coup.closed, placed);
    Shown::in_coup(at, coup.number).moving([(seat, signed(returned) - signed(stake))])
}

/// The holder of punto's cards is recorded twice.
pub(super) fn holder_twice(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let body = tape.body(coup.holder?).clone();
    let at = tape.insert(coup.holder? + 1, body);
    Shown::in_coup(at, coup.number)
}

/// A player who stands at an empty seat has the highest bet on punto and is given its cards.
pub(super) fn holder_standing(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let (taken, given) = (tape.seated_at(coup.begins), coup.holder?);
    let seat = tape.seats().into_iter().find(|seat| !taken.contains_key(seat))?;
    let (kind, stake) = ("punto".parse().ok()?, tape.limits_at(coup.begins)?.maximum);
    let lower = coup.bets.iter().all(|bet| !bet.is_on("punto") || bet.placed.stake < stake);
    let due = tape.due(&kind, stake, &coup.hands()?).filter(|_| lower)?;
    let mut account = coup.account.clone();
    account.bets.push(BetSettled { bet: coup.new_bet(), returned: due.returned, commission: due.commission });
    tape.replace(coup.settled, account);
    tape.replace(given, PuntoHolder { coup: coup.number, holder: Holder::Seat(seat) });
    let player = Some(name("visitor-1"));
    tape.insert(coup.closed, BetPlaced { coup: coup.number, bet: coup.new_bet(), seat, player, kind, stake });
    Shown::in_coup(given + 1, coup.number)
}
