//! Rulings on irregularities in one coup, and whether the consequence that the rulebook requires followed.
//!
//! The log only attests who ruled and that the ruling was right. The rulebook says what has to follow, and the
//! record shows whether it did.

use baccarat::Consequence;
use events::Irregularity;
use serde::{Deserialize, Serialize};

use crate::Code;
use crate::caps::Cap;
use crate::coup::CoupInPlay;
use crate::rules::Rules;
use crate::seldom::Seldom;
use crate::sink::Sink;
use crate::statement::OfRulings;
use crate::verdict::Reason;

/// A ruling in the coup in play.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Ruling {
    /// The irregularity's code.
    code: String,
    /// The coup that it names.
    #[serde(default)]
    coup: Option<u32>,
    /// What has to follow, where the rulebook says so.
    consequence: Option<Consequence>,
    /// Positions of the cards concerned.
    pub(crate) positions: Vec<u16>,
}

/// Rulings of one coup, and the cards that were removed in it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Rulings {
    rulings: Vec<Ruling>,
    removed: Vec<u16>,
    /// Positions of cards that an earlier ruling made the first of this coup, the next one last.
    carried: Vec<u16>,
    /// Whether a card of another position came before a carried one.
    carried_missed: bool,
}

/// Cards that may lie exposed for the next coup: whoever writes rulings may not deal it before its bets.
const MOST_CARRIED: usize = 2;

impl Rulings {
    /// Adds a ruling; `false` where it is forgotten.
    pub(crate) fn add(&mut self, irregularity: &Irregularity, rules: Option<&Rules>) -> bool {
        if self.rulings.len() >= Cap::RulingsOfCoup.most() {
            return false;
        }
        let code = irregularity.code.to_string();
        let rule = rules.and_then(|rules| rules.book.irregularities.get(&code));
        let consequence = rule.map(|rule| rule.consequence);
        let positions = irregularity.positions.clone();
        self.rulings.push(Ruling { code, coup: irregularity.coup, consequence, positions });
        true
    }

    /// A card is taken away; `false` where that is forgotten.
    pub(crate) fn remove(&mut self, position: u16) -> bool {
        let kept = self.removed.len() < Cap::RemovedCards.most();
        if kept {
            self.removed.push(position);
        }
        kept
    }

    /// Whether anything was ruled.
    pub(crate) const fn any(&self) -> bool {
        !self.rulings.is_empty()
    }

    /// Whether a ruling asks for this consequence.
    pub(crate) fn has(&self, consequence: Consequence) -> bool {
        self.rulings.iter().any(|ruling| ruling.consequence == Some(consequence))
    }

    /// Whether a ruling asks for this consequence for the card at this position.
    pub(crate) fn orders(&self, consequence: Consequence, position: u16) -> bool {
        let names = |ruling: &Ruling| ruling.positions.contains(&position);
        self.rulings.iter().any(|ruling| ruling.consequence == Some(consequence) && names(ruling))
    }

    /// Whether a ruling asks for this consequence and names nothing but such cards: none, if it names no card.
    pub(crate) fn names_only(&self, consequence: Consequence, cards: impl Fn(u16) -> bool) -> bool {
        let only = |ruling: &Ruling| ruling.positions.iter().all(|at| cards(*at));
        self.rulings.iter().any(|ruling| ruling.consequence == Some(consequence) && only(ruling))
    }

    /// Whether the card at this position was removed.
    pub(crate) fn is_removed(&self, position: u16) -> bool {
        self.removed.contains(&position)
    }

    /// Cards that a ruling in the coup before made the first of this one.
    pub(crate) fn carry(&mut self, mut positions: Vec<u16>) {
        positions.reverse();
        self.carried = positions;
    }

    /// Rulings made since the last coup was over concern this one, unless they name another.
    pub(crate) fn take_over(&mut self, before: Self, coup: u32) {
        self.rulings = before.rulings;
        self.rulings.retain(|ruling| ruling.coup.is_none_or(|named| named == coup));
    }

    /// Whether a ruling names the card at this position.
    pub(crate) fn name(&self, position: u16) -> bool {
        self.rulings.iter().any(|ruling| ruling.positions.contains(&position))
    }

    /// Whether the card at this position was carried over and so need not wait for "no va más".
    pub(crate) fn is_carried(&mut self, position: u16) -> bool {
        match self.carried.last() {
            Some(next) if *next == position => {
                self.carried.pop();
                true
            }
            Some(_) => {
                self.carried_missed = true;
                false
            }
            None => false,
        }
    }

    /// Whether a card was removed by a ruling that the rulebook does not provide for.
    fn removed_by_ruling_alone(&self) -> bool {
        let provided = |ruling: &&Ruling| {
            matches!(
                ruling.consequence,
                Some(
                    Consequence::CardRemoved
                        | Consequence::BancaCountsZero
                        | Consequence::HigherCard
                        | Consequence::LowerCard
                )
            )
        };
        let covered = |position: &u16| {
            self.rulings.iter().filter(provided).any(|ruling| ruling.positions.contains(position))
        };
        self.removed.iter().any(|position| self.name(*position) && !covered(position))
    }

    /// Cards that the rulings make the first of the next coup.
    pub(crate) fn carried_over(&self) -> Seldom<Vec<u16>> {
        let next = |ruling: &&Ruling| ruling.consequence == Some(Consequence::NextCoup);
        let positions = self.rulings.iter().filter(next).flat_map(|ruling| ruling.positions.iter().copied());
        positions.take(MOST_CARRIED).collect()
    }
}

/// The coup is settled: what had to follow from its rulings must have followed by now.
pub(crate) fn judge_rulings(play: &mut CoupInPlay, sink: &mut Sink) {
    if play.rulings.removed_by_ruling_alone() {
        play.doubt(Reason::Ruled);
    }
    let play = &*play;
    let rulings = &play.rulings;
    for ruling in &rulings.rulings {
        judge_ruling(play, ruling, sink);
    }
    judge_removed(play, sink);
    if !play.voided && (rulings.carried_missed || !rulings.carried.is_empty()) {
        let expected = OfRulings::KeptCardFirst;
        sink.accuse(play.accusation(Code::RulingNotFollowed, expected, OfRulings::AnotherCard));
    }
}

/// The coup is over, settled or not: every card that was removed needs a ruling.
pub(crate) fn judge_removed(play: &CoupInPlay, sink: &mut Sink) {
    let rulings = &play.rulings;
    for &position in rulings.removed.iter().filter(|position| !rulings.name(**position)) {
        let recorded = OfRulings::CardRemoved { position };
        sink.accuse(play.accusation(Code::CardRemoved, OfRulings::RulingOnEach, recorded));
    }
}

fn judge_ruling(play: &CoupInPlay, ruling: &Ruling, sink: &mut Sink) {
    let removed = |position: &&u16| play.rulings.removed.contains(position);
    let against = match ruling.consequence {
        Some(Consequence::CoupVoid) => (!play.voided).then_some(OfRulings::CoupSettled),
        Some(Consequence::CardRemoved) => ruling
            .positions
            .iter()
            .find(|position| !removed(position) && !play.begins_behind(**position))
            .map(|&position| OfRulings::CardNotRemoved { position }),
        Some(Consequence::CardStays | Consequence::NextCoup) => {
            ruling.positions.iter().find(removed).map(|&position| OfRulings::CardRemoved { position })
        }
        Some(
            consequence @ (Consequence::BancaTakesCard
            | Consequence::BancaCountsZero
            | Consequence::HigherCard
            | Consequence::LowerCard
            | Consequence::PuntoCountsNine
            | Consequence::BancaLoses
            | Consequence::PuntoLoses
            | Consequence::ChartBinds
            | Consequence::ChartDraws),
        ) => crate::chemin::against(play, ruling, consequence).filter(|_| !play.voided),
        Some(Consequence::Ruling) | None => None,
    };
    if let (Some(recorded), Some(consequence)) = (against, ruling.consequence) {
        let irregularity = ruling.code.as_str().into();
        let expected = OfRulings::Asked { consequence, irregularity };
        sink.accuse(play.accusation(Code::RulingNotFollowed, expected, recorded).under(&ruling.code));
    }
}
