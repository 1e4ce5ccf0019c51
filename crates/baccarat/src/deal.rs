//! The deal: which hand the next card must go to, one card at a time.

use serde::{Deserialize, Serialize};

use crate::{Columns, Coup, Draw, Face, Hand, Points, Rulebook, Side};

/// What has to happen next in a coup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expect {
    /// A card to this hand.
    Card(Side),
    /// Nothing: the coup is over.
    Finished,
    /// A card that was not read decides it, or the tableau leaves it open.
    Unknown,
}

/// A coup being dealt under a rulebook.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Deal {
    punto: Cards,
    banca: Cards,
    punto_stood: bool,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Cards {
    faces: [Face; 3],
    count: u8,
}

impl Cards {
    const EMPTY: Self = Self { faces: [Face::Unseen; 3], count: 0 };

    fn two_card_total(&self) -> Option<Points> {
        Some(self.faces[0].card()?.points().plus(self.faces[1].card()?.points()))
    }

    fn third(&self) -> Option<Face> {
        (self.count == 3).then_some(self.faces[2])
    }

    fn hand(&self) -> Option<Hand> {
        let two = [self.faces[0].card()?, self.faces[1].card()?];
        let third = match self.third() {
            Some(face) => Some(face.card()?),
            None => None,
        };
        (self.count >= 2).then(|| Hand::new(two, third))
    }
}

impl Default for Deal {
    fn default() -> Self {
        Self { punto: Cards::EMPTY, banca: Cards::EMPTY, punto_stood: false }
    }
}

impl Deal {
    /// Cards dealt so far.
    #[must_use]
    pub const fn count(&self) -> u8 {
        self.punto.count + self.banca.count
    }

    /// What has to happen next under `rules`.
    #[must_use]
    pub fn expect(&self, rules: &Rulebook) -> Expect {
        let dealt = usize::from(self.count());
        if self.punto.count < 2 || self.banca.count < 2 {
            return Expect::Card(rules.deal.order.first_four()[dealt.min(3)]);
        }
        let totals = [self.punto, self.banca].map(|cards| cards.two_card_total());
        if totals.into_iter().flatten().any(|total| total.get() >= 8) || self.banca.count == 3 {
            return Expect::Finished;
        }
        let [punto, Some(banca)] = totals else { return Expect::Unknown };
        if self.punto.count == 2 && !self.punto_stood {
            match punto.map(|punto| rules.tableau.punto(punto)) {
                Some(Draw::Draws) => return Expect::Card(Side::Punto),
                Some(Draw::Stands) => {}
                Some(Draw::Optional | Draw::Unstated) | None => return Expect::Unknown,
            }
        }
        match self.banca_draws(rules, punto, banca) {
            // Punto may have a natural.
            Some(Draw::Draws) if punto.is_none() => Expect::Unknown,
            Some(Draw::Draws) => Expect::Card(Side::Banca),
            Some(Draw::Stands) => Expect::Finished,
            Some(Draw::Optional | Draw::Unstated) | None => Expect::Unknown,
        }
    }

    /// What banca does; `None`: a card of punto's that was not read decides it.
    fn banca_draws(&self, rules: &Rulebook, punto: Option<Points>, banca: Points) -> Option<Draw> {
        let Some(third) = self.punto.third() else { return Some(rules.tableau.banca(banca, None)) };
        let third = third.card().map(|card| card.points());
        let column = match rules.columns {
            Columns::ThirdCard => third,
            Columns::PuntoTotal => punto.zip(third).map(|(punto, third)| punto.plus(third)),
        };
        if let Some(column) = column {
            return Some(rules.tableau.banca(banca, Some(column)));
        }
        let mut each = (0..=9).filter_map(Points::new).map(|column| rules.tableau.banca(banca, Some(column)));
        let first = each.next()?;
        each.all(|other| other == first).then_some(first)
    }

    /// Punto stood, whatever its total asked for: banca plays by the cards as they lie.
    pub const fn stand_punto(&mut self) {
        self.punto_stood = true;
    }

    /// Gives a card to a hand, whether it was due or not; returns `false` and changes nothing where the hand
    /// has three cards already.
    pub fn give(&mut self, side: Side, face: Face) -> bool {
        let cards = match side {
            Side::Punto => &mut self.punto,
            Side::Banca => &mut self.banca,
        };
        let Some(index) = cards.faces.get_mut(usize::from(cards.count)) else { return false };
        *index = face;
        cards.count += 1;
        true
    }

    /// Replaces the face of a card that was dealt, with index 0 to 2 in its hand; does nothing where there is
    /// no such card.
    pub fn correct(&mut self, side: Side, index: usize, face: Face) {
        let cards = match side {
            Side::Punto => &mut self.punto,
            Side::Banca => &mut self.banca,
        };
        if index < usize::from(cards.count) {
            cards.faces[index] = face;
        }
    }

    /// Faces of a hand so far.
    #[must_use]
    pub fn faces(&self, side: Side) -> &[Face] {
        let cards = match side {
            Side::Punto => &self.punto,
            Side::Banca => &self.banca,
        };
        &cards.faces[..usize::from(cards.count)]
    }

    /// The coup as dealt so far, once both hands have two cards and every card was read.
    #[must_use]
    pub fn coup(&self) -> Option<Coup> {
        Some(Coup { punto: self.punto.hand()?, banca: self.banca.hand()? })
    }
}
