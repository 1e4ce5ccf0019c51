//! Forgeries that an unread card is meant to hide. The announced totals still show what the card was, as far as
//! bets on punto, banca and a tie depend on it.

use baccarat::{Card, Face, Side};

use super::coup::CoupAt;
use super::tape::Tape;
use super::{Moving, Shown};
use crate::session::{money, other_winner};

const MILLION: u64 = 100_000_000;

/// One card of the coup is not read.
fn blank(tape: &mut Tape, coup: &CoupAt, index: usize, face: Face) {
    let (at, drawn) = &coup.cards[index];
    tape.replace(*at, events::CardDrawn { card: face, ..drawn.clone() });
}

/// A losing bet brings millions, and a card was not read.
pub(super) fn millions(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    paid(tape, coup, Face::Unseen)
}

/// A losing bet brings millions, and a suit was not read.
pub(super) fn millions_suit(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let card = coup.cards[0].1.card.card()?;
    paid(tape, coup, Face::Seen(Card { suit: None, ..card }))
}

fn paid(tape: &mut Tape, coup: &CoupAt, face: Face) -> Option<Shown> {
    let bet = coup.plain_bet(|bet| bet.lost())?;
    let account = coup.paying(bet.placed.bet, |line| line.returned = money(2 * MILLION));
    tape.replace(coup.settled, account);
    blank(tape, coup, 0, face);
    Shown::in_coup(coup.settled, coup.number).moving([(bet.placed.seat, 200_000_000)])
}

/// Punto's total is announced as 9 though its cards say otherwise, and banca's third was not read.
pub(super) fn nine(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let card = third(coup, Side::Banca).filter(|_| coup.account.punto_total != 9)?;
    tape.replace(coup.settled, events::CoupSettled { punto_total: 9, ..coup.account.clone() });
    blank(tape, coup, card, Face::Unseen);
    Shown::in_coup(coup.settled, coup.number)
}

/// Banca's total is wrong though all its cards were read, and one of punto's was not.
pub(super) fn total(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let banca_total = (coup.account.banca_total + 1) % 10;
    tape.replace(coup.settled, events::CoupSettled { banca_total, ..coup.account.clone() });
    let card = coup.cards.iter().position(|(_, drawn)| drawn.to.side() == Some(Side::Punto))?;
    blank(tape, coup, card, Face::Unseen);
    Shown::in_coup(coup.settled, coup.number)
}

/// Another winner than the announced totals say, and a card was not read.
pub(super) fn winner(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let winner = other_winner(coup.winner());
    tape.replace(coup.settled, events::CoupSettled { winner, ..coup.account.clone() });
    blank(tape, coup, 0, Face::Unseen);
    Shown::in_coup(coup.settled, coup.number)
}

/// The index of a hand's third card among the coup's cards.
fn third(coup: &CoupAt, side: Side) -> Option<usize> {
    let last = coup.hand_of(side).get(2).map(|(at, _)| *at)?;
    coup.cards.iter().position(|(at, _)| *at == last)
}
