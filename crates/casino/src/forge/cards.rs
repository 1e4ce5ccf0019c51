//! Forged cards: wrong coup numbers, wrong positions, coups that overlap, too many cards of a rank.

use baccarat::{Card, Rank};
use events::{Body, CardDrawn};

use super::Shown;
use super::coup::CoupAt;
use super::tape::Tape;

/// All cards of a coup carry the number of the next.
pub(super) fn labelled(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    for (at, drawn) in &coup.cards {
        tape.replace(*at, CardDrawn { coup: coup.number + 1, ..drawn.clone() });
    }
    Shown::in_coup(coup.cards[0].0, coup.number)
}

/// Positions are off by one from a card on.
pub(super) fn shifted(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let first = coup.cards[0].0;
    let end = tape.find(first, |body| matches!(body, Body::ShoeEnded(_)))?;
    tape.lines[first..end].iter_mut().for_each(|line| shift(&mut line.event));
    Shown::in_coup(first, coup.number)
}

#[allow(clippy::wildcard_enum_match_arm, reason = "no other event has positions")]
fn shift(body: &mut Body) {
    match body {
        Body::CardDrawn(drawn) => drawn.position += 1,
        Body::CutCardDrawn(cut) => cut.position += 1,
        Body::IrregularityRecorded(ruling) => ruling.positions.iter_mut().for_each(|at| *at += 1),
        Body::CorrectionRecorded(correction) => shift(&mut correction.corrected),
        _ => {}
    }
}

/// A bet of the next coup is taken before this one is settled.
pub(super) fn overlapping(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let next = tape.next_begins(coup).filter(|at| *at == coup.settled + 1)?;
    tape.advance(next, coup.settled);
    Shown::in_coup(coup.settled, coup.number + 1)
}

/// Kings come out without their suits, more often than the decks hold kings.
pub(super) fn rank_too_often(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let loaded = tape.loaded(coup.shoe).filter(|loaded| loaded.order_commitment.is_none())?;
    let most = usize::from(loaded.decks) * 4;
    let range = tape.shoes().into_iter().find(|(start, _)| *start == coup.shoe)?;
    let ten = |drawn: &CardDrawn| drawn.card.card().filter(|card| card.points().get() == 0);
    let mut kings =
        tape.read_before(coup.shoe, range.0 + 2).iter().filter(|card| card.rank == Rank::King).count();
    let (mut relabelled, mut last) = (Vec::new(), None);
    for at in range.0 + 2..range.1 {
        let Body::CardDrawn(drawn) = tape.body(at) else { continue };
        let king = tape.read_at(at).is_some_and(|card| card.rank == Rank::King);
        if tape.is_corrected(at) {
            // It is what the correction says, and stays so.
            kings += usize::from(king);
            continue;
        }
        let Some(card) = ten(drawn) else { continue };
        kings += 1;
        relabelled.push((
            at,
            CardDrawn { card: Card { rank: Rank::King, suit: suit(card) }.into(), ..drawn.clone() },
        ));
        if kings > most {
            last = Some((at, drawn.coup));
            break;
        }
    }
    let (last, number) = last?;
    for (at, drawn) in relabelled {
        tape.replace(at, drawn);
    }
    Shown::in_coup(last, number)
}

/// Kings keep their suits; what is made one has none.
fn suit(card: Card) -> Option<baccarat::Suit> {
    card.suit.filter(|_| card.rank == Rank::King)
}
