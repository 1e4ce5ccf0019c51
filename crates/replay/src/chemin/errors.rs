//! What the errors of 08.VIII do to a coup: whose card it is, what a hand counts, who has lost.

use baccarat::{Consequence, Face, Points, Side, Winner};

use crate::coup::CoupInPlay;
use crate::rulings::Ruling;

/// What a coup came to, rulings included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Result {
    /// Totals of punto and banca; `None` where a card that decides was not read.
    pub(crate) totals: Option<(u8, u8)>,
    pub(crate) winner: Winner,
    /// Whether it rests on a ruling alone.
    pub(crate) by_ruling: bool,
}

impl CoupInPlay {
    /// What the coup came to; `None` where a card that decides was not read.
    pub(crate) fn result(&self) -> Option<Result> {
        let nine = self.rulings.has(Consequence::PuntoCountsNine);
        let punto = if nine { Points::new(9) } else { self.total(Side::Punto) };
        let totals = punto.zip(self.total(Side::Banca)).map(|(punto, banca)| (punto.get(), banca.get()));
        let lost = [(Consequence::BancaLoses, Winner::Punto), (Consequence::PuntoLoses, Winner::Banca)]
            .into_iter()
            .find(|(consequence, _)| self.rulings.has(*consequence));
        if let Some((_, winner)) = lost {
            return Some(Result { totals, winner, by_ruling: true });
        }
        let (punto, banca) = totals?;
        let winner = match punto.cmp(&banca) {
            std::cmp::Ordering::Greater => Winner::Punto,
            std::cmp::Ordering::Less => Winner::Banca,
            std::cmp::Ordering::Equal => Winner::Tie,
        };
        Some(Result { totals, winner, by_ruling: nine })
    }

    fn total(&self, side: Side) -> Option<Points> {
        let two = self.first_two(side)?;
        match self.deal.faces(side) {
            [_, _, third] => Some(two.plus(third.card()?.points())),
            _ => Some(two),
        }
    }
}

/// What a ruling's consequence asks for and did not happen, in words.
pub(crate) fn against(play: &CoupInPlay, ruling: &Ruling, consequence: Consequence) -> Option<String> {
    match consequence {
        Consequence::BancaTakesCard => {
            let due = if play.deal.faces(Side::Punto).len() == 2 { Side::Banca } else { Side::Punto };
            let third = |position: &&u16| play.third_at(**position).map(|(side, _)| side) != Some(due);
            let wrong = ruling.positions.iter().find(third)?;
            Some(format!("the card at position {wrong} not {due}'s third"))
        }
        Consequence::BancaCountsZero => {
            let kept = ruling.positions.iter().find(|position| !play.rulings.is_removed(**position))?;
            Some(format!("the card at position {kept} not removed"))
        }
        Consequence::HigherCard => wrong_of_two(play, ruling, Side::Punto),
        Consequence::LowerCard => wrong_of_two(play, ruling, Side::Banca),
        Consequence::CardRemoved
        | Consequence::CardStays
        | Consequence::NextCoup
        | Consequence::CoupVoid
        | Consequence::Ruling
        | Consequence::PuntoCountsNine
        | Consequence::BancaLoses
        | Consequence::PuntoLoses
        | Consequence::ChartBinds
        | Consequence::ChartDraws => None,
    }
}

/// Of two third cards punto has to keep the one that gives it more, banca the one that gives less.
fn wrong_of_two(play: &CoupInPlay, ruling: &Ruling, side: Side) -> Option<String> {
    let third = |position: &u16| play.third_at(*position).filter(|(of, _)| *of == side).map(|(_, face)| face);
    let kept = ruling.positions.iter().find_map(third);
    let gone = ruling.positions.iter().filter(|position| play.rulings.is_removed(**position));
    let gone = gone.filter_map(|position| play.face_at(*position)).next();
    let (Some(kept), Some(gone)) = (kept, gone) else {
        return Some(format!("not one of the two cards kept by {side} and the other removed"));
    };
    let two = play.first_two(side)?;
    let total = |face: Face| face.card().map(|card| two.plus(card.points()).get());
    let (with, without) = (total(kept)?, total(gone)?);
    let wrong = match side {
        Side::Punto => with < without,
        Side::Banca => with > without,
    };
    wrong.then(|| format!("{kept} kept for a total of {with}, {gone} removed for one of {without}"))
}
