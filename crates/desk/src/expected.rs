//! What a fresh shoe gives under a rulebook: exact, so that what was played can be seen beside it.

use std::collections::BTreeMap;

use baccarat::exact::{Fraction, Tally, price};
use baccarat::{Game, Outcome, Rulebook, Winner};

/// Shares of all draws from a fresh shoe, and what bets keep.
pub(crate) struct Expected {
    /// Decks in that shoe: the most that the rulebook allows.
    pub(crate) decks: u8,
    tally: Tally,
    edges: BTreeMap<String, Fraction>,
}

impl Expected {
    /// None where players choose whether they draw: what a coup comes to is theirs then.
    pub(crate) fn of(rulebook: &Rulebook) -> Option<Self> {
        let decks = *rulebook.shoe.decks.iter().max().filter(|_| rulebook.game() == Game::PuntoBanca)?;
        let tally = Tally::of(rulebook, decks).ok()?;
        let edge = |rule| price(rule, rulebook.commission.as_ref(), &tally).edge;
        let edges = rulebook.bets.iter().map(|(kind, rule)| (kind.to_string(), edge(rule))).collect();
        Some(Self { decks, tally, edges })
    }

    /// The share of coups that come to this.
    fn share(&self, of: impl Fn(&Outcome) -> bool) -> Fraction {
        let draws = self.tally.outcomes().filter(|(outcome, _)| of(outcome)).map(|(_, draws)| draws).sum();
        Fraction::new(draws, self.tally.draws())
    }

    pub(crate) fn won(&self, winner: Winner) -> Fraction {
        self.share(|outcome| outcome.winner() == winner)
    }

    /// A hand is a natural.
    pub(crate) fn natural(&self) -> Fraction {
        self.share(|outcome| outcome.punto.is_natural() || outcome.banca.is_natural())
    }

    /// So many cards in all.
    pub(crate) fn cards(&self, count: u8) -> Fraction {
        self.share(|outcome| outcome.punto.cards() + outcome.banca.cards() == count)
    }

    /// What the house keeps of a bet of this kind.
    pub(crate) fn edge(&self, kind: &str) -> Option<&Fraction> {
        self.edges.get(kind)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    /// The figures of eight decks that every book on the game prints.
    #[test]
    fn eight_decks_give_the_known_shares() {
        let expected = Expected::of(&baccarat::builtin("punto-banco").unwrap()).unwrap();
        assert_eq!(expected.decks, 8);
        let percent = |share: Fraction| share.percent(2);
        let won = [Winner::Banca, Winner::Punto, Winner::Tie].map(|winner| percent(expected.won(winner)));
        assert_eq!(won, ["45.86", "44.62", "9.52"]);
        assert_eq!(percent(expected.natural()), "34.30");
        assert_eq!([4, 5, 6].map(|count| percent(expected.cards(count))), ["37.89", "30.34", "31.77"]);
        assert_eq!(expected.edge("banca").unwrap().percent(2), "1.06");
    }

    #[test]
    fn where_players_choose_nothing_is_expected() {
        assert!(Expected::of(&baccarat::builtin("chemin-de-fer-es-1979").unwrap()).is_none());
    }
}
