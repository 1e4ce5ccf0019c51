//! Bets placed or withdrawn after the close. They are reported at the end of the coup, when it is known what
//! they returned.

use std::collections::BTreeMap;

use baccarat::Money;
use serde::{Deserialize, Serialize};

use super::{Bet, BetState, CoupInPlay};
use crate::settlement::Comparison;
use crate::sink::{Accusation, Location, clamp};
use crate::statement::OfBets;
use crate::{Code, SeatMoney};

/// A late act.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Act {
    Placed,
    Withdrawn,
}

/// A bet placed or taken back too late.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Late {
    act: Act,
    /// Its index among the coup's bets.
    bet: usize,
    at: Location,
}

impl CoupInPlay {
    pub(super) fn act_late(&mut self, act: Act, bet: usize, at: Location) {
        self.late.push(Late { act, bet, at });
    }

    /// Whether a late act is not reported yet.
    pub(crate) const fn has_late(&self) -> bool {
        !self.late.is_empty()
    }

    /// Takes the late acts, so that each is reported once.
    pub(crate) fn take_late(&mut self) -> Vec<Late> {
        std::mem::take(&mut self.late)
    }

    /// Reports each late act, with its money where the coup was settled.
    pub(crate) fn accuse_late(
        &self,
        late: &[Late],
        settled: Option<&[Comparison]>,
        due: impl Fn(&Bet) -> Option<Money>,
    ) -> Vec<Accusation> {
        let lines = settled.into_iter().flatten();
        let returned: BTreeMap<usize, Money> =
            lines.filter_map(|line| Some((line.bet, line.recorded?.returned))).collect();
        let money = |late: &Late| {
            settled?;
            let bet = &self.bets[late.bet];
            let back = returned.get(&late.bet).copied();
            let taken_back = bet.state == BetState::WithdrawnLate;
            // One that was left out may have been taken back in what is missing.
            let known = taken_back || back.is_some() || self.missing_events == 0;
            let back = known.then(|| back.unwrap_or_default())?;
            let got = if taken_back { bet.stake.plus(back) } else { back };
            Some(match late.act {
                Act::Placed => got.over(bet.stake),
                Act::Withdrawn => got.over(due(bet)?),
            })
        };
        late.iter().map(|late| self.late_accusation(*late, money(late).unwrap_or(0))).collect()
    }

    fn late_accusation(&self, late: Late, money: i128) -> Accusation {
        let Bet { id, seat, .. } = self.bets[late.bet];
        let (code, expected, recorded) = match late.act {
            Act::Placed => (Code::BetLate, OfBets::BeforeClose, OfBets::Afterwards { bet: id }),
            Act::Withdrawn => (Code::BetWithdrawnLate, OfBets::NoWithdrawal, OfBets::TakenBack { bet: id }),
        };
        let money = if money == 0 { Vec::new() } else { vec![SeatMoney { seat, minor_units: clamp(money) }] };
        self.accusation(code, expected, recorded).at(late.at).moving(money)
    }
}
