//! Consequences of the dealing errors of 08.VIII in a coup of chemin de fer: which hand gets a card, how
//! a hand counts, which side has lost.

use baccarat::{Consequence, Face, Side, Winner};

use crate::coup::CoupInPlay;
use crate::coup::drawing::each_has_two;
use crate::rules::Rules;
use crate::rulings::Ruling;
use crate::statement::OfRulings;
use crate::worlds::Worlds;

impl CoupInPlay {
    /// Who won by a ruling, whatever the hands come to.
    pub(super) fn winner_by_ruling(&self) -> Option<Winner> {
        [(Consequence::BancaLoses, Winner::Punto), (Consequence::PuntoLoses, Winner::Banca)]
            .into_iter()
            .find(|(consequence, _)| self.rulings.has(*consequence))
            .map(|(_, winner)| winner)
    }

    /// Whether who won rests on a ruling alone.
    pub(super) fn rests_on_ruling(&self) -> bool {
        self.winner_by_ruling().is_some() || self.rulings.has(Consequence::PuntoCountsNine)
    }

    /// Everything the coup may have come to, rulings included.
    pub(super) fn worlds_at_bank(&self, rules: &Rules) -> Worlds {
        if self.missing_cards {
            return Worlds::any();
        }
        let (Some(coup), true) = (self.chemin.as_deref(), each_has_two(&self.deal)) else {
            return Worlds::none();
        };
        // Who loses by a ruling may have thrown the cards in before anybody could draw.
        let by_ruling = self.winner_by_ruling().is_some();
        let deals = if by_ruling { self.deals_as_ruled() } else { self.deals_at_bank(coup, rules, true) };
        let mut worlds = deals.worlds();
        if self.rulings.has(Consequence::PuntoCountsNine) {
            worlds.punto_counts_nine();
        }
        worlds
    }

    /// Everybody who may have won.
    pub(super) fn winners(&self, worlds: &Worlds) -> Vec<Winner> {
        self.winner_by_ruling().map_or_else(|| worlds.winners(), |winner| vec![winner])
    }
}

/// What a ruling's consequence asks for and did not happen.
pub(crate) fn against(play: &CoupInPlay, ruling: &Ruling, consequence: Consequence) -> Option<OfRulings> {
    match consequence {
        Consequence::BancaTakesCard => {
            let due = if play.deal.faces(Side::Punto).len() == 2 { Side::Banca } else { Side::Punto };
            let third = |position: &&u16| play.third_at(**position).map(|(side, _)| side) != Some(due);
            let position = *ruling.positions.iter().find(third)?;
            Some(OfRulings::NotThird { position, hand: due })
        }
        Consequence::BancaCountsZero => {
            let kept = |position: &&u16| !play.rulings.is_removed(**position);
            let position = *ruling.positions.iter().find(kept)?;
            Some(OfRulings::CardNotRemoved { position })
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
fn wrong_of_two(play: &CoupInPlay, ruling: &Ruling, side: Side) -> Option<OfRulings> {
    let third = |position: &u16| play.third_at(*position).filter(|(of, _)| *of == side).map(|(_, face)| face);
    let kept = ruling.positions.iter().find_map(third);
    let gone = ruling.positions.iter().filter(|position| play.rulings.is_removed(**position));
    let gone = gone.filter_map(|position| play.face_at(*position)).next();
    let (Some(kept), Some(gone)) = (kept, gone) else {
        return Some(OfRulings::NotOneOfTwo { hand: side });
    };
    let two = play.first_two(side)?;
    let total = |face: Face| face.card().map(|card| two.plus(card.points()).get());
    let (with, without) = (total(kept)?, total(gone)?);
    let wrong = match side {
        Side::Punto => with < without,
        Side::Banca => with > without,
    };
    wrong.then_some(OfRulings::KeptForTotal { kept, total: with, removed: gone, other_total: without })
}
