//! What the rulebook asks for after an irregularity, and cards that were taken away (`docs/judging.md`, "Rulings").
//!
//! The record only attests who ruled, and that the ruling was right. What has to follow is in the rulebook, and whether
//! it did is in the record.

use baccarat::{Consequence, Rulebook};
use events::{Body, Destination};

use super::Checked;
use super::doubt::Open;
use crate::Code;
use crate::reading::CoupRecord;
use crate::sink::Accusation;
use crate::statement::OfRulings;
use crate::table::BURN_NOT_RECORDED;

/// The code of the ruling that a replaced card is.
const CARD_REPLACED: &str = "card-replaced";

/// Cards that may lie exposed for the next coup: whoever writes rulings may not deal it before its bets.
const MOST_CARRIED: usize = 2;

/// A ruling on a coup.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ruling<'r> {
    /// The coup that it names.
    pub(super) coup: Option<u32>,
    code: &'r str,
    positions: &'r [u16],
    /// What has to follow, if the rulebook says so.
    consequence: Option<Consequence>,
}

impl<'r> Ruling<'r> {
    /// What an event rules on a coup, if it does.
    #[allow(clippy::wildcard_enum_match_arm, reason = "no other event is a ruling")]
    pub(super) fn of(body: &'r Body, rules: Option<&Rulebook>) -> Option<Self> {
        let (coup, code, positions): (_, _, &[u16]) = match body {
            Body::IrregularityRecorded(ruled) if ruled.code.as_str() != BURN_NOT_RECORDED => {
                (ruled.coup, ruled.code.as_str(), &ruled.positions)
            }
            Body::CardReplaced(replaced) => {
                (replaced.coup, CARD_REPLACED, std::slice::from_ref(&replaced.position))
            }
            _ => return None,
        };
        let rule = rules.and_then(|rules| rules.irregularities.get(code));
        Some(Self { coup, code, positions, consequence: rule.map(|rule| rule.consequence) })
    }

    fn names(&self, position: u16) -> bool {
        self.positions.contains(&position)
    }
}

/// Positions of the cards that rulings make the first of the next coup.
pub(super) fn carried_over(rulings: &[Ruling<'_>]) -> Vec<u16> {
    let next = rulings.iter().filter(|ruling| ruling.consequence == Some(Consequence::NextCoup));
    next.flat_map(|ruling| ruling.positions.iter().copied()).take(MOST_CARRIED).collect()
}

/// How many of the first cards of a coup are those that the coup before left for it.
pub(super) fn carried(coup: &CoupRecord<'_>, positions: &[u16]) -> usize {
    let same = coup.cards.iter().zip(positions).take_while(|(card, position)| card.position == **position);
    same.count()
}

/// What was done about the rulings on a coup, and the cards that were taken away in it.
pub(super) struct Followed<'c, 'r, 'a> {
    pub(super) coup: &'c CoupRecord<'a>,
    pub(super) rulings: &'c [Ruling<'r>],
    /// Positions of the cards that the coup before left for it.
    pub(super) carried: &'c [u16],
    /// It was declared void before it was settled.
    pub(super) void: bool,
}

impl Followed<'_, '_, '_> {
    /// The coup is settled, or its stakes come back: what had to follow must have followed by now.
    pub(super) fn check(&self, at: u64) -> Checked {
        let mut checked = Checked::default();
        for ruling in self.rulings {
            if let (Some(recorded), Some(consequence)) = (self.against(ruling), ruling.consequence) {
                let expected = OfRulings::Asked { consequence, irregularity: ruling.code.into() };
                let accusation = Accusation::new(Code::RulingNotFollowed, expected, recorded);
                checked.accuse(at, accusation.under(ruling.code));
            }
        }
        for position in self.removed() {
            let mut naming = self.rulings.iter().filter(|ruling| ruling.names(position)).peekable();
            if naming.peek().is_none() {
                let recorded = OfRulings::CardRemoved { position };
                checked.accuse(at, Accusation::new(Code::CardRemoved, OfRulings::RulingOnEach, recorded));
            } else if !naming.any(|ruling| ruling.consequence == Some(Consequence::CardRemoved)) {
                checked.open = Some(Open::Ruled);
            }
        }
        if !self.void && carried(self.coup, self.carried) < self.carried.len() {
            let expected = OfRulings::KeptCardFirst;
            checked.accuse(at, Accusation::new(Code::RulingNotFollowed, expected, OfRulings::AnotherCard));
        }
        checked
    }

    fn removed(&self) -> impl Iterator<Item = u16> {
        let removed =
            |card: &&crate::reading::CardRecord| card.to == Destination::Removed && card.sequence.is_some();
        self.coup.cards.iter().filter(removed).map(|card| card.position)
    }

    fn is_removed(&self, position: u16) -> bool {
        self.removed().any(|removed| removed == position)
    }

    /// What is against the consequence of a ruling.
    fn against(&self, ruling: &Ruling<'_>) -> Option<OfRulings> {
        let positions = || ruling.positions.iter().copied();
        let first = self.coup.cards.iter().map(|card| card.position).min();
        // A card before the first of the coup is none of its cards.
        let is_before = |position: u16| first.is_some_and(|first| position < first);
        match ruling.consequence? {
            Consequence::CoupVoid => (!self.void).then_some(OfRulings::CoupSettled),
            Consequence::CardRemoved => positions()
                .find(|position| !self.is_removed(*position) && !is_before(*position))
                .map(|position| OfRulings::CardNotRemoved { position }),
            Consequence::CardStays | Consequence::NextCoup => positions()
                .find(|position| self.is_removed(*position))
                .map(|position| OfRulings::CardRemoved { position }),
            Consequence::Ruling => None,
            // Only chemin de fer has the others.
            Consequence::BancaTakesCard
            | Consequence::BancaCountsZero
            | Consequence::HigherCard
            | Consequence::LowerCard
            | Consequence::PuntoCountsNine
            | Consequence::BancaLoses
            | Consequence::PuntoLoses
            | Consequence::ChartBinds
            | Consequence::ChartDraws => None,
        }
    }
}
