//! Bets that by their own time were placed after cards which are recorded after them.
//!
//! Clocks accuse nobody: the order of the sequences says what came first, and a clock may be wrong. Such a coup is not
//! shown to be right either.

use super::{Bet, BetState, CoupInPlay, Dealt};
use crate::rules::Rules;
use crate::verdict::Reason;

/// Fewest cards of a coup: of so many all are dealt after a bet in less than a clock's step only if it came late.
const LEAST_CARDS: usize = 4;

impl CoupInPlay {
    /// Leaves open whether bets came before the cards where their own times say otherwise.
    pub(crate) fn doubt_by_clock(&mut self, rules: &Rules) {
        let Some(first) = self.dealt.iter().map(|card| card.time).min() else { return };
        let step = i64::try_from(rules.book.clock_step()).unwrap_or(i64::MAX);
        let counts = |bet: &&Bet| bet.time > first && !bet.late && bet.state != BetState::Withdrawn;
        if self.bets.iter().filter(counts).any(|bet| is_after(bet, &self.dealt, step)) {
            self.doubt(Reason::BetAfterCardsByClock);
        }
    }
}

/// Whether a bet is later by its own time than the first card that is recorded after it, by more than a clock may run
/// back; or later at all than every card of a whole deal.
fn is_after(bet: &Bet, dealt: &[Dealt], step: i64) -> bool {
    let cards = || dealt.iter().filter(|card| card.sequence > bet.sequence).map(|card| card.time);
    let behind = |time: i64| bet.time.saturating_sub(time);
    let is_all = cards().count() >= LEAST_CARDS;
    cards().min().is_some_and(|first| behind(first) > step)
        || (is_all && cards().max().is_some_and(|last| behind(last) > 0))
}
