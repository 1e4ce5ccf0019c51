//! What the house keeps of the bets of a rulebook that nobody here has approved.
//!
//! The writer of a record chooses the rulebook that it is judged by. One that pays a bet a thousand times over is
//! followed as faithfully as any other, so whoever reads *certified* has to be told what such a rulebook costs whom.

use baccarat::exact::{Fraction, Tally, price};
use baccarat::{Game, Rulebook};
use serde::{Deserialize, Serialize};

/// The bets of a rulebook that keep least and most for the house, over all numbers of decks that it allows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct HouseEdge {
    /// The bet that is best for the players.
    pub least: BetEdge,
    /// The bet that is best for the house.
    pub most: BetEdge,
}

/// What the house keeps of one bet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BetEdge {
    /// The kind of bet.
    pub bet: String,
    /// Decks in the shoe.
    pub decks: u8,
    /// Per cent of what is staked on a fresh shoe, with four decimals; negative where the players gain.
    pub percent: String,
}

impl HouseEdge {
    /// Of a rulebook; none in chemin de fer, where it depends on what the players choose.
    #[must_use]
    pub fn of(book: &Rulebook) -> Option<Self> {
        let mut edges: Vec<(Fraction, BetEdge)> = Vec::new();
        for decks in book.shoe.decks.iter().copied().filter(|_| book.game() == Game::PuntoBanca) {
            let tally = Tally::of(book, decks).ok()?;
            edges.extend(book.bets.iter().map(|(kind, rule)| {
                let edge = price(rule, book.commission.as_ref(), &tally).edge;
                let percent = edge.percent(4);
                (edge, BetEdge { bet: kind.to_string(), decks, percent })
            }));
        }
        // The first of equal ones, so that the order of the rulebook decides.
        let least = edges.iter().min_by(|(one, _), (other, _)| one.cmp(other))?.1.clone();
        let most = edges.iter().rev().max_by(|(one, _), (other, _)| one.cmp(other))?.1.clone();
        Some(Self { least, most })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may")]
mod tests {
    use super::*;

    #[test]
    fn a_bet_that_pays_a_thousand_times_is_the_least_that_the_house_keeps() {
        let book = baccarat::builtin("punto-banco").unwrap();
        let edge = HouseEdge::of(&book).unwrap();
        assert!(edge.most.bet == "tie" && edge.least.bet == "banca", "{edge:?}");
        assert!(!edge.least.percent.starts_with('-'), "{edge:?}");
        let text = book.canonical_json().replace("\"pays\":\"8:1\"", "\"pays\":\"1000:1\"");
        let given_away = HouseEdge::of(&Rulebook::from_json("house", &text).unwrap()).unwrap();
        assert!(given_away.least.bet == "tie" && given_away.least.percent.starts_with('-'), "{given_away:?}");
        let chemin = baccarat::builtin("chemin-de-fer-es-1979").unwrap();
        assert_eq!(HouseEdge::of(&chemin), None);
    }
}
