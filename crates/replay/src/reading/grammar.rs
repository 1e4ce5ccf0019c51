//! What a rulebook says of how play goes on. It is all that a reading asks of the rules: no money, no limits, no names.

use baccarat::{BurnMethod, Deal, Expect, Face, Game, Rulebook, Side};
use events::TableOpened;

/// The cards of both hands, as they are dealt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hands {
    faces: [[Face; 3]; 2],
    counts: [u8; 2],
    /// Banca was given a card while punto had two: punto draws no more.
    punto_stood: bool,
    /// Whether each hand announced that it draws; `None`: it announced nothing.
    said: [Option<bool>; 2],
}

impl Default for Hands {
    fn default() -> Self {
        Self { faces: [[Face::Unseen; 3]; 2], counts: [0; 2], punto_stood: false, said: [None; 2] }
    }
}

const fn hand(side: Side) -> usize {
    match side {
        Side::Punto => 0,
        Side::Banca => 1,
    }
}

impl Hands {
    /// Gives a card; `false` if the hand is full and the card is none of it.
    pub fn give(&mut self, side: Side, face: Face) -> bool {
        let (at, counts) = (hand(side), self.counts);
        let Some(place) = self.faces[at].get_mut(usize::from(counts[at])) else { return false };
        *place = face;
        self.counts[at] += 1;
        self.punto_stood |= side == Side::Banca && counts[1] == 2 && counts[0] == 2;
        true
    }

    /// A hand announces whether it draws; `false` if it announced something already.
    pub const fn announce(&mut self, side: Side, draws: bool) -> bool {
        let at = hand(side);
        let first = self.said[at].is_none();
        self.said[at] = Some(draws);
        first
    }

    /// The cards of a hand.
    #[must_use]
    pub fn of(&self, side: Side) -> &[Face] {
        let at = hand(side);
        &self.faces[at][..usize::from(self.counts[at])]
    }

    /// How many cards were dealt.
    #[must_use]
    pub const fn count(&self) -> u8 {
        self.counts[0] + self.counts[1]
    }

    /// Whether each hand has two cards at least.
    #[must_use]
    pub const fn are_dealt(&self) -> bool {
        self.counts[0] >= 2 && self.counts[1] >= 2
    }

    /// The total of a hand, if it has two cards at least and all of them were read.
    #[must_use]
    pub fn total(&self, side: Side) -> Option<u8> {
        let faces = self.of(side);
        let points = |face: &Face| face.card().map(|card| card.points().get());
        let sum: Option<u8> = faces.iter().map(points).sum();
        sum.filter(|_| faces.len() >= 2).map(|sum| sum % 10)
    }

    /// The same hands, in which each of the cards in turn was not read.
    pub(crate) fn with_one_unread(&self) -> impl Iterator<Item = (Side, u8, Self)> + use<> {
        let hands = *self;
        let cards = [Side::Punto, Side::Banca].into_iter().flat_map(|side| (0..3).map(move |at| (side, at)));
        cards.filter_map(move |(side, at): (Side, u8)| {
            let read = hands.of(side).get(usize::from(at)).is_some_and(|face| face.card().is_some());
            let mut unread = hands;
            unread.faces[hand(side)][usize::from(at)] = Face::Unseen;
            read.then_some((side, at, unread))
        })
    }

    /// What is due once each hand has two cards, if the hands may choose: what they announced, unless a natural ended the
    /// coup.
    fn chosen(&self) -> Due {
        let of_two = |side| {
            let points = self.of(side).iter().take(2).map(|face| face.card().map(|card| card.points().get()));
            points.sum::<Option<u8>>().map(|sum| sum % 10)
        };
        let totals = [of_two(Side::Punto), of_two(Side::Banca)];
        if totals.into_iter().flatten().any(|total| total >= 8) || self.counts[1] == 3 {
            return Due::Nothing;
        }
        let may_draw = self.counts[0] == 2 && !self.punto_stood;
        let punto = if may_draw { self.said[0] } else { Some(false) };
        match (punto, self.said[1]) {
            _ if totals.contains(&None) => Due::Unknown,
            (Some(true), _) => Due::Card(Side::Punto),
            (Some(false), Some(true)) => Due::Card(Side::Banca),
            (Some(false), Some(false)) => Due::Nothing,
            (None, _) | (Some(false), None) => Due::Unknown,
        }
    }

    fn deal(&self) -> Deal {
        let mut deal = Deal::default();
        for side in [Side::Punto, Side::Banca] {
            for face in self.of(side) {
                deal.give(side, *face);
            }
        }
        if self.punto_stood {
            deal.stand_punto();
        }
        deal
    }
}

/// What has to come next in a coup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Due {
    /// A card to this hand.
    Card(Side),
    /// No card: the coup is played to its end.
    Nothing,
    /// Not known: a card that decides was not read, a hand may choose and announced nothing, or no rulebook is known.
    Unknown,
}

/// How many cards have to be burned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BurnDue {
    /// No card, and no indicator is shown.
    None,
    /// So many after the indicator.
    Cards(u8),
    /// Not known.
    Unknown,
}

/// What one rulebook says of how play goes on.
pub trait Grammar {
    /// Which game it is about; `None`: not known.
    fn game(&self) -> Option<Game>;
    /// Which card is due.
    fn due(&self, hands: &Hands) -> Due;
    /// How many cards are burned after this indicator.
    fn burn(&self, indicator: Face, decks: u8) -> BurnDue;
    /// Whether a shoe may stay in play when the table closes.
    fn may_stay_overnight(&self) -> bool;
}

/// No approved rulebook that can be read is in force: nothing is known.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unknown;

impl Grammar for Unknown {
    fn game(&self) -> Option<Game> {
        None
    }

    fn due(&self, _: &Hands) -> Due {
        Due::Unknown
    }

    fn burn(&self, _: Face, _: u8) -> BurnDue {
        BurnDue::Unknown
    }

    fn may_stay_overnight(&self) -> bool {
        true
    }
}

impl Grammar for Rulebook {
    fn game(&self) -> Option<Game> {
        Some(Self::game(self))
    }

    fn due(&self, hands: &Hands) -> Due {
        if self.chemin.is_some() && hands.are_dealt() {
            return hands.chosen();
        }
        match hands.deal().expect(self) {
            Expect::Card(side) => Due::Card(side),
            Expect::Finished => Due::Nothing,
            Expect::Unknown => Due::Unknown,
        }
    }

    fn burn(&self, indicator: Face, decks: u8) -> BurnDue {
        match &self.burn.method {
            BurnMethod::Indicator { values } => indicator
                .card()
                .map_or(BurnDue::Unknown, |card| BurnDue::Cards(values[usize::from(card.rank.number()) - 1])),
            BurnMethod::Decks => BurnDue::Cards(decks),
            BurnMethod::Fixed { count } => BurnDue::Cards(*count),
            BurnMethod::None => BurnDue::None,
        }
    }

    fn may_stay_overnight(&self) -> bool {
        self.shoe.overnight
    }
}

/// The grammar of each opening: of its own rulebook if that is approved and can be read, of another one that the reader
/// asked for, or [`Unknown`].
pub trait Grammars {
    /// The grammar under which this opening plays.
    fn of(&self, opened: &TableOpened) -> &dyn Grammar;
}
