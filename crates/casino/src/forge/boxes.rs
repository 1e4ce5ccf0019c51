//! Forged collections from the commission boxes.

use events::{Body, CommissionReason};

use super::coup::CoupAt;
use super::tape::Tape;
use super::{Moving, Shown};
use crate::session::{money, signed};

/// More is collected than the box holds.
pub(super) fn too_much(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let at = tape.find(coup.settled, |body| matches!(body, Body::CommissionCollected(_)))?;
    let Body::CommissionCollected(mut collected) = tape.body(at).clone() else { return None };
    collected.amount = collected.amount.plus(money(1_000));
    let seat = collected.seat;
    tape.replace(at, collected);
    Shown::in_shoe(at).moving([(seat, -1_000)])
}

/// A player's commission is collected once they have left.
pub(super) fn too_late(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let leaving = |body: &Body| matches!(body, Body::CommissionCollected(collected) if collected.why == CommissionReason::Leaving);
    let at = tape.find(coup.shoe, leaving)?;
    let Body::CommissionCollected(collected) = tape.body(at).clone() else { return None };
    matches!(tape.lines.get(at + 1)?.event, Body::SeatLeft(_)).then(|| tape.advance(at + 1, at))?;
    Shown::in_shoe(at).moving([(collected.seat, signed(collected.amount))])
}
