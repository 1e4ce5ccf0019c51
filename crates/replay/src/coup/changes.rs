//! Corrections of bets. Changing a bet after the first card of its coup changes the result, so it is a
//! finding.

use baccarat::Money;
use events::{BetPlaced, CoupSettled};
use serde::{Deserialize, Serialize};

use super::{Bet, BetState, CoupInPlay, Held};
use crate::lookup::Lookup;
use crate::rules::Rules;
use crate::sink::{Accusation, Location, Sink, clamp};
use crate::statement::OfBets;
use crate::{Code, SeatMoney};

/// What a bet was before a correction changed it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Change {
    /// The correction.
    by: Location,
    seat: u8,
    kind: Option<usize>,
    stake: Money,
}

impl CoupInPlay {
    /// The bet placed last stands as a correction has it.
    pub(crate) fn note_change(&mut self, by: Location, first: &BetPlaced, rules: Option<&Rules>) {
        let kind = rules.and_then(|rules| rules.kind(&first.kind));
        let now = self.bets.last().map(|bet| (bet.seat, bet.kind, bet.stake, bet.player.as_ref()));
        if now == Some((first.seat, kind, first.stake, first.player.as_ref())) {
            return;
        }
        if let Some(bet) = self.bets.last_mut().filter(|bet| bet.id == first.bet) {
            bet.changed = Some(Box::new(Change { by, seat: first.seat, kind, stake: first.stake }));
        }
    }

    /// The coup is void: the same, and what comes back for a bet is what was staked first.
    pub(crate) fn judge_changes_of_void(&self, settled: &[&CoupSettled], sink: &mut Sink) {
        let late = |change: &&Change| self.first_card.is_some_and(|first| change.by.sequence > first);
        for bet in &self.bets {
            let Some(change) = bet.changed.as_deref().filter(late) else { continue };
            let lines = settled.iter().flat_map(|settled| &settled.bets).filter(|line| line.bet == bet.id);
            let returned = lines.fold(Money::ZERO, |sum, line| sum.plus(line.returned));
            let money = SeatMoney { seat: change.seat, minor_units: clamp(returned.over(change.stake)) };
            sink.accuse(self.changed_late(bet, change).moving(vec![money]).at(change.by));
        }
    }

    fn changed_late(&self, bet: &Bet, change: &Change) -> Accusation {
        let expected = OfBets::AsItStood { bet: bet.id, stake: change.stake.into() };
        let recorded = OfBets::CorrectedTo { stake: bet.stake.into() };
        self.accusation(Code::BetCorrectedLate, expected, recorded)
    }

    /// The coup is left without settlement: what a change moved is not known.
    pub(crate) fn leave_changes(&mut self, sink: &mut Sink) {
        let Some(first_card) = self.first_card else { return };
        for at in 0..self.bets.len() {
            let late = |change: &mut Box<Change>| change.by.sequence > first_card;
            if let Some(change) = self.bets[at].changed.take_if(late) {
                sink.accuse(self.changed_late(&self.bets[at], &change).at(change.by));
            }
        }
    }

    /// The coup is settled: bets must not have changed since its first card.
    ///
    /// `brings` says what a bet would have brought, where that is known.
    pub(crate) fn judge_changes(
        &self,
        settled: &CoupSettled,
        brings: impl Fn(&Bet) -> Option<Money>,
        sink: &mut Sink,
    ) {
        let Some(first_card) = self.first_card else { return };
        let mut lines = Lookup::default();
        for bet in &self.bets {
            let Some(change) = bet.changed.as_deref().filter(|change| change.by.sequence > first_card) else {
                continue;
            };
            // Of one that was taken back in time a change moves nothing.
            let taken_back = bet.state == BetState::Withdrawn;
            lines.see(&settled.bets, |line| line.bet);
            let line = lines.first(bet.id).map(|at| &settled.bets[at]).filter(|_| !taken_back);
            let brought = line.map(|line| line.returned.over(bet.stake));
            let (kind, stake) = (change.kind, change.stake);
            let first = Bet { kind, stake, held: Held::Done, limit: None, changed: None, ..bet.clone() };
            let before = match kind {
                Some(_) => brings(&first).map(|returned| returned.over(stake)),
                None => Some(0),
            };
            let money = brought
                .zip(before)
                .map(|(now, before)| SeatMoney { seat: change.seat, minor_units: clamp(now - before) });
            let money = money.into_iter().collect();
            sink.accuse(self.changed_late(bet, change).moving(money).at(change.by));
        }
    }
}
