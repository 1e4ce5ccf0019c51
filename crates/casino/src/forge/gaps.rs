//! Forgeries that a missing event is meant to hide. The event is missing before the coup, so that the coup's own
//! cards are all recorded.

use baccarat::{Money, Pays};
use events::{BetSettled, Body};

use super::coup::CoupAt;
use super::tape::Tape;
use super::{Moving, Shown};
use crate::session::money;

const NINE_MILLION: u64 = 900_000_000;

/// A bet brings nine million in the coup after a missing event.
pub(super) fn paid(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let bet = coup.plain_bet(|_| coup.number > 1)?;
    pay(tape, coup, bet.placed.bet, NINE_MILLION);
    tape.lose(coup.begins, 1);
    Shown::in_coup(coup.settled, coup.number).moving([(bet.placed.seat, 900_000_000)])
}

/// A bet brings too much two coups after a missing event.
pub(super) fn paid_later(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let later = tape.coup_in(coup.shoe, coup.number + 2).filter(|_| coup.number > 1)?;
    let bet = later.plain_bet(|_| true)?;
    pay(tape, &later, bet.placed.bet, 100);
    tape.lose(coup.begins, 1);
    Shown::in_coup(later.settled, later.number).moving([(bet.placed.seat, 100)])
}

fn pay(tape: &mut Tape, coup: &CoupAt, bet: u64, more: u64) {
    let account = coup.paying(bet, |line| line.returned = line.returned.plus(money(more)));
    tape.replace(coup.settled, account);
}

/// An announced total is wrong in the coup after a missing event.
pub(super) fn total(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let punto_total = (coup.account.punto_total + 1) % 10;
    let account = events::CoupSettled { punto_total, ..coup.account.clone() };
    (coup.number > 1).then(|| {
        tape.replace(coup.settled, account);
        tape.lose(coup.begins, 1);
    })?;
    Shown::in_coup(coup.settled, coup.number)
}

/// One event is missing, and two bets are settled that nobody placed.
pub(super) fn two_bets(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let returned = tape.limits_at(coup.begins).filter(|_| coup.number > 1)?.minimum;
    let mut account = coup.account.clone();
    let line = |bet| BetSettled { bet, returned, commission: Money::ZERO };
    account.bets.extend([line(coup.new_bet()), line(coup.new_bet() + 1)]);
    tape.replace(coup.settled, account);
    tape.lose(coup.begins, 1);
    Shown::in_coup(coup.settled, coup.number).moving([(0, -crate::session::signed(returned))])
}

/// More is collected from a box than the missing event could have put there.
pub(super) fn collected(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let at = tape.find(coup.settled, |body| matches!(body, Body::CommissionCollected(_)))?;
    let Body::CommissionCollected(mut collected) = tape.body(at).clone() else { return None };
    let maximum = tape.limits_at(coup.begins).filter(|_| coup.number > 1)?.maximum;
    let (seat, surplus) = (collected.seat, tape.book.commission_on(maximum).plus(money(NINE_MILLION)));
    collected.amount = collected.amount.plus(surplus);
    let explained = most_marked(tape, maximum);
    tape.replace(at, collected);
    tape.lose(coup.begins, 1);
    let shown = Shown::in_shoe(at).moving([(seat, -crate::session::signed(surplus))])?;
    Some(Shown { explained, ..shown })
}

/// Most commission that one settlement can mark: a bet at each seat wins by the best paytable.
fn most_marked(tape: &Tape, maximum: Money) -> u64 {
    let rows = tape.book.bets.values().flat_map(|rule| &rule.rows);
    let best = rows.filter_map(|row| match row.pays {
        Pays::Wins(odds) => Some(odds.wins().div_ceil(odds.per())),
        Pays::Push | Pays::Lose => None,
    });
    let won = maximum.get() * u64::from(best.max().unwrap_or(1));
    tape.book.commission_on(money(won)).get() * tape.seats().len() as u64
}

/// One event is missing, and the number of the coup leaps by five.
pub(super) fn number(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let end =
        tape.find(coup.begins, |body| matches!(body, Body::ShoeEnded(_))).filter(|_| coup.number > 1)?;
    (coup.begins..end).for_each(|at| leap(&mut tape.lines[at].event));
    tape.lose(coup.begins, 1);
    Shown::in_coup(coup.begins, coup.number + 5)
}

#[allow(clippy::wildcard_enum_match_arm, reason = "no other event names its coup")]
fn leap(body: &mut Body) {
    match body {
        Body::BetPlaced(placed) => placed.coup += 5,
        Body::BetsClosed(closed) => closed.coup += 5,
        Body::PuntoHolder(holder) => holder.coup += 5,
        Body::CardDrawn(drawn) => drawn.coup += 5,
        Body::CoupSettled(settled) => settled.coup += 5,
        Body::CoupVoided(voided) => voided.coup += 5,
        Body::IrregularityRecorded(ruling) => ruling.coup = ruling.coup.map(|coup| coup + 5),
        Body::CorrectionRecorded(correction) => leap(&mut correction.corrected),
        _ => {}
    }
}
