//! One coup: its bets, its cards, and what had to happen with them.

mod betting;
mod drawing;

use baccarat::{Deal, Face, Money, Side};
use events::{CardDrawn, Name};
use serde::{Deserialize, Serialize};

use crate::Code;
use crate::chemin::CheminCoup;
use crate::rulings::Rulings;
use crate::sink::Accusation;
use crate::stakes::Stakes;
use crate::verdict::Reason;

/// What became of a bet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Standing {
    Stands,
    Withdrawn,
    /// Taken back after "no va más": what comes back for it is not judged again.
    WithdrawnLate,
    Settled,
}

/// A bet of the coup in play.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Bet {
    pub(crate) id: u64,
    pub(crate) seat: u8,
    pub(crate) player: Option<Name>,
    /// Number of its kind, `None` where the rulebook does not offer it.
    pub(crate) kind: Option<usize>,
    pub(crate) stake: Money,
    /// The limit it exceeds.
    pub(crate) limit: Option<Money>,
    pub(crate) standing: Standing,
}

/// A card of the coup in play.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Dealt {
    /// Sequence of the event that records it.
    sequence: u64,
    position: u16,
    /// Its hand and its place there; `None` where it was removed or is one too many.
    to: Option<(Side, usize)>,
    face: Face,
}

/// Cards of a coup that can be corrected; a coup that has more is no coup.
const MOST_DEALT: usize = 64;

/// A coup in play.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct CoupInPlay {
    pub(crate) number: u32,
    pub(crate) deal: Deal,
    closed: bool,
    pub(crate) bets: Vec<Bet>,
    stakes: Stakes,
    /// Whether bets that require others were looked at.
    required_judged: bool,
    pub(crate) violated: bool,
    pub(crate) undecided: Option<Reason>,
    /// Whether something of the coup is not known: then nobody is accused by it.
    pub(crate) events_missing: bool,
    /// Declared void: stakes have to come back.
    pub(crate) voided: bool,
    pub(crate) rulings: Rulings,
    /// Cards drawn for it, those removed from play included, those kept from the coup before not.
    drawn: u32,
    dealt: Vec<Dealt>,
    misdealt: bool,
    pub(crate) drawn_cards: Vec<CardDrawn>,
    /// What only a coup of chemin de fer has.
    pub(crate) chemin: Option<Box<CheminCoup>>,
    /// Punto's turn to draw is over, and was looked at.
    pub(crate) punto_stood: bool,
}

impl CoupInPlay {
    pub(crate) fn new(number: u32) -> Self {
        Self {
            number,
            deal: Deal::default(),
            closed: false,
            bets: Vec::new(),
            stakes: Stakes::default(),
            required_judged: false,
            violated: false,
            undecided: None,
            events_missing: false,
            voided: false,
            rulings: Rulings::default(),
            drawn: 0,
            dealt: Vec::with_capacity(6),
            misdealt: false,
            drawn_cards: Vec::new(),
            chemin: None,
            punto_stood: false,
        }
    }

    /// The first reason stays: it is what the later ones follow from.
    pub(crate) fn doubt(&mut self, reason: Reason) {
        self.undecided.get_or_insert(reason);
        self.events_missing |= reason.is_of_missing_events();
    }

    /// Whether bets are over.
    pub(crate) const fn under_way(&self) -> bool {
        self.closed || self.drawn > 0
    }

    /// What stands on it, in minor units: bets that were taken back are no stakes.
    pub(crate) fn turnover(&self) -> u128 {
        let withdrawn = |bet: &&Bet| matches!(bet.standing, Standing::Withdrawn | Standing::WithdrawnLate);
        let stakes = self.bets.iter().filter(|bet| !withdrawn(bet));
        stakes.map(|bet| u128::from(bet.stake.get())).sum()
    }

    /// The third card of a hand that lay at this position, and whose it is.
    pub(crate) fn third_at(&self, position: u16) -> Option<(Side, Face)> {
        let dealt = self.dealt.iter().find(|dealt| dealt.position == position)?;
        dealt.to.filter(|(_, place)| *place == 2).map(|(side, _)| (side, dealt.face))
    }

    /// The card of this coup that lay at this position.
    pub(crate) fn face_at(&self, position: u16) -> Option<Face> {
        self.dealt.iter().find(|dealt| dealt.position == position).map(|dealt| dealt.face)
    }

    pub(crate) fn accusation(
        &self,
        code: Code,
        expected: impl ToString,
        recorded: impl ToString,
    ) -> Accusation {
        Accusation::new(code, expected, recorded).in_coup(self.number)
    }
}
