//! The limits of a table.

use baccarat::{Game, Rulebook};
use events::{Body, Limits};

use super::dice::Dice;
use super::{Session, money};
use crate::Fault;

impl Session {
    pub(crate) fn change_limits(&mut self) {
        let wrong = self.wants(Fault::LimitsRatio);
        if !wrong && !self.dice.chance(2) {
            return;
        }
        if self.to_show == Some(Fault::CoupNotSettled) {
            // The coup that nobody settled would still be in play.
            return;
        }
        let faults = [self.target, self.aim].map(|target| target.map(|target| target.fault));
        self.limits = limits(&self.book, &mut self.dice, &faults);
        if wrong {
            self.limits.maximum = self.limits.maximum.plus(self.limits.minimum);
        }
        let sequence = self.record(Body::LimitsChanged(self.limits.clone()));
        if wrong {
            self.plant(Fault::LimitsRatio, sequence, None);
        }
    }
}

/// Limits a house would set under the rulebook.
pub(super) fn limits(book: &Rulebook, dice: &mut Dice, faults: &[Option<Fault>]) -> Limits {
    let minimum = [500, 1_000, 2_000, 2_500, 5_000][usize::try_from(dice.below(5)).unwrap_or_default()];
    let factors: Vec<u32> = book.limits.maximum_over_minimum.iter().copied().collect();
    let factor = dice.pick(&factors).copied().unwrap_or(100);
    let asked = |fault| faults.contains(&Some(fault));
    let without = [Fault::BelowMinimum, Fault::OverCap, Fault::SlipsUnderMinimum];
    let multiples = match book.limits.multiples_allowed {
        true if asked(Fault::NotAMultiple) => true,
        _ if without.into_iter().any(asked) => false,
        // What a bank holds is seldom a multiple of anything.
        _ if book.game() == Game::CheminDeFer => false,
        _ => book.limits.multiples_allowed && dice.chance(50),
    };
    let unit = if book.limits.multiple_is_minimum { minimum } else { 500 };
    Limits {
        minimum: money(minimum),
        maximum: money(minimum * u64::from(factor)),
        multiple: multiples.then(|| money(unit)),
        bets: Vec::new(),
    }
}
