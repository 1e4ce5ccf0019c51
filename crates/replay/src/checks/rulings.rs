//! What the rulebook asks for after an irregularity, and cards that were taken away (`docs/judging.md`, "Rulings").
//!
//! The record only attests who ruled, and that the ruling was right. What has to follow is in the rulebook, and whether
//! it did is in the record.

use baccarat::{Consequence, Face, Points, Rulebook, Side};
use events::{Body, Destination};

use super::Checked;
use super::doubt::Open;
use crate::Code;
use crate::reading::BURN_NOT_RECORDED;
use crate::reading::{CardRecord, CoupRecord, Told};
use crate::sink::Accusation;
use crate::statement::OfRulings;

/// The code of the ruling that a replaced card is.
const CARD_REPLACED: &str = "card-replaced";

/// Cards that may lie exposed for the next coup: whoever writes rulings may not deal it before its bets.
const MOST_CARRIED: usize = 2;

/// A ruling on a coup.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ruling<'r> {
    /// Sequence of its event.
    pub(super) at: u64,
    /// The coup that it names.
    pub(super) coup: Option<u32>,
    code: &'r str,
    positions: &'r [u16],
    /// What has to follow, if the rulebook says so.
    pub(super) consequence: Option<Consequence>,
}

impl<'r> Ruling<'r> {
    /// What an event rules on a coup, if it does.
    #[allow(clippy::wildcard_enum_match_arm, reason = "no other event is a ruling")]
    pub(super) fn of(told: &Told<'r, Body>, rules: Option<&Rulebook>) -> Option<Self> {
        let (coup, code, positions): (_, _, &[u16]) = match told.value {
            Body::IrregularityRecorded(ruled) if ruled.code.as_str() != BURN_NOT_RECORDED => {
                (ruled.coup, ruled.code.as_str(), &ruled.positions)
            }
            Body::CardReplaced(replaced) => {
                (replaced.coup, CARD_REPLACED, std::slice::from_ref(&replaced.position))
            }
            _ => return None,
        };
        let rule = rules.and_then(|rules| rules.irregularities.get(code));
        let consequence = rule.map(|rule| rule.consequence);
        Some(Self { at: told.sequence, coup, code, positions, consequence })
    }

    /// The same without anything that has to follow.
    pub(super) const fn asking_nothing(self) -> Self {
        Self { consequence: None, ..self }
    }

    /// Whether it names no card but these.
    pub(super) fn names_only(&self, is_one: impl Fn(u16) -> bool) -> bool {
        self.positions.iter().all(|position| is_one(*position))
    }

    /// Whether it names the card at this position.
    pub(super) fn names(&self, position: u16) -> bool {
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
            } else if !naming.any(|ruling| ruling.consequence.is_some_and(removes)) {
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
        let removed = |card: &&CardRecord| card.to == Destination::Removed && card.sequence.is_some();
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
            // What the others decide is which draws are right, or who won.
            Consequence::Ruling
            | Consequence::PuntoCountsNine
            | Consequence::BancaLoses
            | Consequence::PuntoLoses
            | Consequence::ChartBinds
            | Consequence::ChartDraws => None,
            // A void coup asks nothing of its hands.
            Consequence::BancaTakesCard => self.not_third(ruling).filter(|_| !self.void),
            Consequence::BancaCountsZero => positions()
                .find(|position| !self.is_removed(*position) && !self.void)
                .map(|position| OfRulings::CardNotRemoved { position }),
            Consequence::HigherCard => self.wrong_of_two(ruling, Side::Punto).filter(|_| !self.void),
            Consequence::LowerCard => self.wrong_of_two(ruling, Side::Banca).filter(|_| !self.void),
        }
    }

    /// The cards of a hand, in the order in which they were dealt.
    fn hand(&self, side: Side) -> impl Iterator<Item = &CardRecord> {
        self.coup.cards.iter().filter(move |card| card.to.side() == Some(side))
    }

    /// The third card of a hand, if it lay at this position.
    fn third_at(&self, position: u16, side: Side) -> Option<Face> {
        self.hand(side).nth(2).filter(|card| card.position == position).map(|card| card.face)
    }

    /// A card that banca has to take and that is not its third card. If punto has three cards, it is punto's third.
    fn not_third(&self, ruling: &Ruling<'_>) -> Option<OfRulings> {
        let hand = if self.hand(Side::Punto).count() == 2 { Side::Banca } else { Side::Punto };
        let wrong = |position: &&u16| self.third_at(**position, hand).is_none();
        ruling.positions.iter().find(wrong).map(|position| OfRulings::NotThird { position: *position, hand })
    }

    /// Of two third cards punto keeps the one that gives it more, and banca the one that gives it less.
    fn wrong_of_two(&self, ruling: &Ruling<'_>, side: Side) -> Option<OfRulings> {
        let kept = ruling.positions.iter().find_map(|position| self.third_at(*position, side));
        let removed = ruling.positions.iter().find(|position| self.is_removed(**position));
        let face = |position: &u16| self.coup.cards.iter().find(|card| card.position == *position);
        let Some((kept, removed)) = kept.zip(removed.and_then(face).map(|card| card.face)) else {
            return Some(OfRulings::NotOneOfTwo { hand: side });
        };
        let two = self.first_two(side)?;
        let total = |face: Face| face.card().map(|card| two.plus(card.points()).get());
        let (total, other_total) = (total(kept)?, total(removed)?);
        let wrong = if side == Side::Punto { total < other_total } else { total > other_total };
        wrong.then_some(OfRulings::KeptForTotal { kept, total, removed, other_total })
    }

    /// The total of the first two cards of a hand; `None` if one was not read. Banca may count nothing by a ruling.
    fn first_two(&self, side: Side) -> Option<Points> {
        let zero = |ruling: &Ruling<'_>| ruling.consequence == Some(Consequence::BancaCountsZero);
        if side == Side::Banca && self.rulings.iter().any(zero) {
            return Points::new(0);
        }
        let mut points = self.hand(side).map(|card| Some(card.face.card()?.points()));
        Some(points.next()??.plus(points.next()??))
    }
}

/// Whether a consequence takes cards away.
const fn removes(consequence: Consequence) -> bool {
    matches!(
        consequence,
        Consequence::CardRemoved
            | Consequence::BancaCountsZero
            | Consequence::HigherCard
            | Consequence::LowerCard
    )
}
