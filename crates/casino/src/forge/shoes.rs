//! Shoes and decks that are used again, and play after the end of a shoe.

use events::{Body, ShoeEnded, ShoeLoaded};

use super::Shown;
use super::coup::CoupAt;
use super::tape::{Tape, later};

/// The shoe loaded after this one.
fn next_shoe(tape: &Tape, coup: &CoupAt) -> Option<(usize, ShoeLoaded)> {
    let at = tape.find(coup.settled, |body| matches!(body, Body::ShoeLoaded(_)))?;
    Some((at, tape.loaded(at)?.clone()))
}

/// A shoe has the id of the one before it.
pub(super) fn id_reused(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let (at, loaded) = next_shoe(tape, coup)?;
    let shoe = tape.loaded(coup.shoe)?.shoe.clone();
    tape.replace(at, ShoeLoaded { shoe, ..loaded });
    Shown::in_shoe(at)
}

/// A deck of the shoe before comes back.
pub(super) fn deck_reused(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let (at, mut loaded) = next_shoe(tape, coup)?;
    let serial = tape.loaded(coup.shoe)?.deck_serials.first()?.clone();
    *loaded.deck_serials.first_mut()? = serial;
    tape.replace(at, loaded);
    Shown::in_shoe(at)
}

/// The shoe's end is recorded, and another coup is played.
pub(super) fn play_after_end(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let ended = coup.settled + 1;
    let Body::ShoeEnded(end) = tape.lines.get(ended)?.event.clone() else { return None };
    let cards_left = tape.loaded(coup.shoe)?.cards.checked_sub(coup.cards[0].1.position - 1)?;
    tape.replace(ended, ShoeEnded { cards_left, ..end });
    tape.advance(ended, coup.begins);
    Shown::in_coup(coup.begins + 1, coup.number)
}

/// The clock runs an hour back for the cards of a coup.
pub(super) fn clock_back(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    for (at, _) in &coup.cards {
        let line = &mut tape.lines[*at];
        line.occurred_at = later(line.occurred_at, -3_600_000_000);
    }
    Shown::in_shoe(coup.cards[0].0)
}

/// The numbering begins again at 1 in the second half of the record: each shoe that had one of these numbers is
/// contradicted.
pub(super) fn numbering(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let first = Some(coup.begins).filter(|at| 2 * at > tape.lines.len())?;
    for (line, sequence) in tape.lines[first..].iter_mut().zip(1..) {
        line.sequence = sequence;
    }
    let again = tape.lines.len() - first;
    let shoes = tape.shoes().iter().filter(|(loaded, _)| *loaded < again).count() as u64;
    Shown::at_table(first).map(|shown| Shown { shoes: Some(shoes), ..shown })
}
