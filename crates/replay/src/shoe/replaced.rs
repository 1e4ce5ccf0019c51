//! Cards of a shoe that were removed, and which of them a card of another deck replaced.
//!
//! A damaged card is removed by a ruling, and the same card of another deck goes into the shoe. Then that card comes out
//! once more than the decks hold it. A replacement counts if it names the position and the face of a card that was
//! removed, and is recorded before the card that would be one too many. A ruling that the rulebook does not provide
//! for, and that only names the removed card, does not say whether it was replaced: the next card of that face is then neither right nor wrong.

use baccarat::{Card, Face};
use serde::{Deserialize, Serialize};

/// Most removed cards, replacements and positions in rulings of one shoe that are kept. Once there are more, no card is
/// reported as one too many.
const MOST: usize = 64;

/// The removed cards of a shoe.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Replaced {
    removed: Vec<(u16, Face)>,
    /// Positions with the card of another deck, as ruled.
    replacements: Vec<(u16, Face)>,
    /// Positions that a ruling names.
    ruled: Vec<u16>,
}

impl Replaced {
    /// The card at this position was removed.
    pub(crate) fn remove(&mut self, position: u16, face: Face) {
        if self.removed.len() < MOST {
            self.removed.push((position, face));
        }
    }

    /// The card at this position was replaced. Of two statements about one position the first counts.
    pub(crate) fn replace(&mut self, position: u16, card: Face) {
        if self.replacements.len() < MOST && self.replacement_of(position).is_none() {
            self.replacements.push((position, card));
        }
    }

    /// A ruling names these positions.
    pub(crate) fn rule_on(&mut self, positions: &[u16]) {
        let left = MOST.saturating_sub(self.ruled.len());
        self.ruled.extend(positions.iter().take(left));
    }

    fn replacement_of(&self, position: u16) -> Option<Face> {
        self.replacements.iter().find(|(at, _)| *at == position).map(|(_, card)| *card)
    }

    /// The cards of other decks that went into the shoe, each with its suit where one of both records has it.
    pub(crate) fn cards(&self) -> Vec<Face> {
        let of_both = |(position, face): &(u16, Face)| {
            let (removed, replaced) = (face.card()?, self.replacement_of(*position)?.card()?);
            let same = removed.rank == replaced.rank
                && (removed.suit == replaced.suit || removed.suit.is_none() || replaced.suit.is_none());
            same.then_some(Face::Seen(Card { suit: removed.suit.or(replaced.suit), ..removed }))
        };
        self.removed.iter().filter_map(of_both).collect()
    }

    /// How many cards of this face, or of this rank where it has no suit, were removed by a ruling that does not say whether
    /// they were replaced.
    pub(crate) fn perhaps(&self, of: Face) -> u16 {
        let Some(of) = of.card() else { return 0 };
        if [self.removed.len(), self.replacements.len(), self.ruled.len()].contains(&MOST) {
            return u16::MAX;
        }
        let may_be = |face: &Face| {
            face.card()
                .is_some_and(|card| card.rank == of.rank && (of.suit.is_none() || card.suit == of.suit))
        };
        let unsaid =
            |position: u16| self.ruled.contains(&position) && self.replacement_of(position).is_none();
        let removed = self.removed.iter().filter(|(position, face)| may_be(face) && unsaid(*position));
        u16::try_from(removed.count()).unwrap_or(u16::MAX)
    }
}
