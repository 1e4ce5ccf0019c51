//! Bets that a correction changed: whoever changes one once its coup's cards show has changed the result.

use baccarat::{Coup, Money, Outcome};
use events::{BetPlaced, CoupSettled};
use serde::{Deserialize, Serialize};

use super::CoupInPlay;
use crate::Code;
use crate::rules::Rules;
use crate::sink::{Place, Sink, clamp};
use crate::{SeatMoney, settlement};

/// What a bet was before a correction changed it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Change {
    /// The correction.
    by: Place,
    seat: u8,
    kind: Option<usize>,
    stake: Money,
}

impl CoupInPlay {
    /// The bet placed last stands as a correction has it.
    pub(crate) fn note_change(&mut self, by: Place, first: &BetPlaced, rules: Option<&Rules>) {
        let kind = rules.and_then(|rules| rules.kind(&first.kind));
        if let Some(bet) = self.bets.last_mut().filter(|bet| bet.id == first.bet) {
            bet.changed = Some(Box::new(Change { by, seat: first.seat, kind, stake: first.stake }));
        }
    }

    /// The coup is settled: bets must not have changed since its first card.
    pub(crate) fn judge_changes(
        &mut self,
        settled: &CoupSettled,
        hands: Option<&Coup>,
        rules: &Rules,
        sink: &mut Sink,
    ) {
        let Some(first_card) = self.first_card else { return };
        for bet in &self.bets {
            let Some(change) = bet.changed.as_deref().filter(|change| change.by.sequence > first_card) else {
                continue;
            };
            let money = hands.map(|hands| {
                let line = settled.bets.iter().find(|line| line.bet == bet.id);
                let brought = line.map_or(0, |line| line.returned.over(bet.stake));
                let kind = change.kind.and_then(|kind| rules.paytable(kind).decide(&Outcome::of(hands)));
                let due = kind.map(|decision| settlement::settle(change.stake, decision, rules));
                let before = due.map_or(0, |due| due.returned.over(change.stake));
                SeatMoney { seat: change.seat, minor_units: clamp(brought - before) }
            });
            let expected = format!("bet {} of {} as it stood when the cards came", bet.id, change.stake);
            let recorded = format!("corrected to {} afterwards", bet.stake);
            let money = money.into_iter().filter(|money| money.minor_units != 0).collect();
            let accusation = self.accusation(Code::BetCorrectedLate, expected, recorded);
            sink.accuse(accusation.moving(money).at(change.by));
        }
    }
}
