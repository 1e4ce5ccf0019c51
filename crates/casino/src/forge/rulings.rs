//! Forgeries that a ruling is meant to hide which no rulebook mentions.

use baccarat::{Dealer, Winner};
use events::{Body, Irregularity, Name};

use super::Shown;
use super::coup::CoupAt;
use super::tape::Tape;
use crate::session::{inspector, name, remark};

/// Inserts a ruling in the coup, before its cards.
fn rule(tape: &mut Tape, coup: &CoupAt, ruled_by: Name, countersigned_by: Option<Name>) -> usize {
    let ruling = Irregularity {
        code: name("spilled-drink"),
        coup: Some(coup.number),
        positions: Vec::new(),
        ruling: remark("play goes on"),
        ruled_by,
        countersigned_by,
    };
    tape.insert(coup.closed + 1, ruling)
}

/// Nobody countersigns a ruling.
pub(super) fn unsigned(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let at = rule(tape, coup, inspector(), None);
    Shown::in_coup(at, coup.number)
}

/// A player of the table countersigns a ruling.
pub(super) fn signed_by_player(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let player = tape.seated_at(coup.begins).into_values().next()?;
    let at = rule(tape, coup, inspector(), Some(player));
    Shown::in_coup(at, coup.number)
}

/// A coup is ruled upon and never settled.
pub(super) fn unsettled(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let passes = tape.book.deal.dealer == Dealer::Players && coup.winner() == Winner::Punto;
    let next = tape.next_begins(coup).filter(|_| coup.untaxed() && !passes)?;
    let limits = tape.find(coup.settled, |body| matches!(body, Body::LimitsChanged(_)));
    if limits.is_some_and(|at| at < next) {
        return None;
    }
    tape.remove(coup.settled);
    rule(tape, coup, inspector(), Some(name("manager-1")));
    Shown::in_coup(next, coup.number)
}
