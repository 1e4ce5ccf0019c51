//! Every draw of a fresh shoe, counted by the outcome of its coup.
//!
//! There are some thousand outcomes and billions of draws, so later questions about a bet use the outcomes.

use super::{DeckError, outcomes};
use crate::Rulebook;
use crate::outcome::Outcome;

/// Ordered six-card draws from a fresh shoe, by outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally {
    counted: Vec<(Outcome, u128)>,
    draws: u128,
}

impl Tally {
    /// Counts every draw from a fresh shoe of so many decks, as `rules` deal them.
    ///
    /// # Errors
    /// Where `decks` is not 1 to 12.
    pub fn of(rules: &Rulebook, decks: u8) -> Result<Self, DeckError> {
        let mut cells = vec![0_u128; Outcome::NUMBERS];
        outcomes(rules, decks, |coup, draws| cells[Outcome::of(coup).number()] += draws)?;
        let draws = cells.iter().sum();
        let counted = cells.into_iter().enumerate().filter(|(_, draws)| *draws > 0);
        Ok(Self {
            counted: counted.map(|(number, draws)| (Outcome::of_number(number), draws)).collect(),
            draws,
        })
    }

    /// Every outcome a fresh shoe can give, with its draws, each once. No pair is of unread suits.
    pub fn outcomes(&self) -> impl Iterator<Item = (&Outcome, u128)> {
        self.counted.iter().map(|(outcome, draws)| (outcome, *draws))
    }

    /// All draws.
    #[must_use]
    pub const fn draws(&self) -> u128 {
        self.draws
    }
}
