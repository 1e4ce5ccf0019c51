//! What the house keeps of the bets of a rulebook that nobody here has approved.
//!
//! The writer of a record chooses the rulebook that it is judged by. One that pays a bet a thousand times over is
//! followed as faithfully as any other, so whoever reads *certified* has to be told what such a rulebook costs whom.

use std::collections::BTreeMap;

use baccarat::exact::{Fraction, Tally, price};
use baccarat::{Game, Rulebook};
use serde::{Deserialize, Serialize};

use crate::summary::RulebookUsed;

/// Most rulebooks of one report whose edges are worked out: each costs some hundredths of a second.
const MOST_PRICED: usize = 16;

/// Most that are remembered.
const MOST_REMEMBERED: usize = 64;

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

/// What was worked out of the rulebooks of one judgement, by digest: it is asked for with every certificate.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct HouseEdges(BTreeMap<String, Option<HouseEdge>>);

impl HouseEdges {
    /// Says of rulebooks that nobody here has approved what the house keeps; of at most sixteen of them.
    pub(crate) fn price(&mut self, used: &mut [RulebookUsed]) {
        for used in used.iter_mut().filter(|used| used.unapproved).take(MOST_PRICED) {
            used.house_edge = self.of(used);
        }
    }

    fn of(&mut self, used: &RulebookUsed) -> Option<HouseEdge> {
        if let Some(edge) = self.0.get(&used.digest) {
            return edge.clone();
        }
        let edge = HouseEdge::of(&used.passages.rulebook()?);
        if self.0.len() >= MOST_REMEMBERED {
            self.0.clear();
        }
        self.0.insert(used.digest.clone(), edge.clone());
        edge
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

    #[test]
    fn a_rulebook_is_priced_once_and_sixteen_at_most() {
        let texts = ["es-1979", "chemin-de-fer-es-1979"]
            .map(|id| -> std::sync::Arc<str> { baccarat::builtin(id).unwrap().canonical_json().into() });
        let used = |number: usize, text: Option<&std::sync::Arc<str>>| RulebookUsed {
            id: format!("house-{number}"),
            title: String::new(),
            digest: number.to_string(),
            coups: 1,
            unapproved: number != 1,
            house_edge: None,
            passages: crate::passages::Passages::of(text.cloned()),
        };
        let mut edges = HouseEdges::default();
        let mut all: Vec<RulebookUsed> = (0..20).map(|number| used(number, Some(&texts[0]))).collect();
        edges.price(&mut all);
        let priced: Vec<usize> = (0..20).filter(|number| all[*number].house_edge.is_some()).collect();
        assert_eq!(priced, [0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
        // What has no text any more can only be known from before.
        let mut again = [used(2, None), used(19, None)];
        edges.price(&mut again);
        assert!(again[0].house_edge == all[2].house_edge && again[1].house_edge.is_none());
        (20..200).for_each(|number| edges.price(&mut [used(number, Some(&texts[1]))]));
        assert!(edges.0.len() <= MOST_REMEMBERED);
    }
}
