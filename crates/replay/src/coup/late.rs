//! Bets placed or withdrawn after the close, and bets of kinds that are not offered. They are reported at the end of
//! the coup, when it is known what they returned.

use baccarat::BetKind;
use serde::{Deserialize, Serialize};

use super::{Bet, CoupInPlay};
use crate::account::{BetMoney, signed};
use crate::rules::Rules;
use crate::sink::{Accusation, Location};
use crate::statement::{EventName, OfBank, OfBets, OfTable};
use crate::{Code, SeatMoney};

/// A late act.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Act {
    Placed,
    Withdrawn,
    /// In time or not, on a kind that the rulebook does not offer.
    OfNoKind,
    /// In time or not, an abono where the rulebook has none.
    NoAbonos,
    /// In time or not, an abono in another game.
    OtherGame,
}

/// A bet placed or taken back too late, or of a kind that is not offered.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Late {
    act: Act,
    /// Its index among the coup's bets.
    bet: usize,
    at: Location,
    /// Its kind, where the rulebook does not offer it.
    #[serde(default)]
    kind: Option<BetKind>,
}

impl CoupInPlay {
    pub(super) fn act_late(&mut self, act: Act, bet: usize, at: Location) {
        self.late.push(Late { act, bet, at, kind: None });
    }

    /// The bet that was placed last is of a kind that the rulebook does not offer.
    pub(super) fn place_on_no_kind(&mut self, kind: &BetKind, at: Location) {
        self.late.push(Late { act: Act::OfNoKind, bet: self.bets.len() - 1, at, kind: Some(kind.clone()) });
    }

    /// A coup of its number was settled before, and no card is drawn for this one: its bets come too late for that coup.
    pub(crate) fn place_again(&mut self) {
        self.again = true;
        for at in 0..self.bets.len() {
            let bet = &mut self.bets[at];
            if bet.stands() && !bet.late {
                bet.late = true;
                let placed_at = bet.placed_at;
                self.act_late(Act::Placed, at, placed_at);
            }
        }
    }

    /// The bet that was placed last is an abono where none may be.
    pub(super) fn place_no_abono(&mut self, act: Act, at: Location) {
        self.late.push(Late { act, bet: self.bets.len() - 1, at, kind: None });
    }

    /// Whether a bet is an abono where none may be: what became of it is reported with that.
    pub(crate) fn is_no_abono(&self, bet: usize) -> bool {
        self.late.iter().any(|late| late.bet == bet && matches!(late.act, Act::NoAbonos | Act::OtherGame))
    }

    /// Whether a late act is not reported yet.
    pub(crate) const fn has_late(&self) -> bool {
        !self.late.is_as_it_began()
    }

    /// Takes the late acts, so that each is reported once.
    pub(crate) fn take_late(&mut self) -> Vec<Late> {
        self.late.begin_anew()
    }

    /// Reports each late act; with its money where the coup is settled, and that is known.
    pub(crate) fn accuse_late(&self, late: Vec<Late>, rules: Option<&Rules>) -> Vec<Accusation> {
        late.into_iter().map(|late| self.late_accusation(late, rules)).collect()
    }

    /// What the act moved at a player's bank.
    fn at_bank(&self, late: &Late) -> Option<SeatMoney> {
        self.money.of(late.bet)?.at_bank
    }

    /// What the seat got for the act. What the payout was off is reported with the payout, and what a bet that came too
    /// late took with its being late.
    fn money_of(&self, late: &Late) -> Option<i64> {
        let (bet, money) = (&self.bets[late.bet], self.money.of(late.bet)?);
        match late.act {
            Act::OfNoKind | Act::NoAbonos | Act::OtherGame if bet.late => None,
            Act::Placed | Act::OfNoKind | Act::NoAbonos | Act::OtherGame => {
                Some(money.base()? - signed(bet.stake))
            }
            Act::Withdrawn => Some(money.recorded? - money.due?),
        }
    }

    fn late_accusation(&self, late: Late, rules: Option<&Rules>) -> Accusation {
        let Bet { id, seat, stake, .. } = self.bets[late.bet];
        let minor_units = self.money_of(&late);
        let at_bank = minor_units.and_then(|_| self.at_bank(&late));
        let accusation = match (late.act, late.kind) {
            (Act::NoAbonos, _) => {
                let recorded = OfBank::Abono { amount: stake.into() };
                self.accusation(Code::AbonoNotAllowed, OfBank::NoAbonos, recorded)
            }
            (Act::OtherGame, _) => {
                let recorded = OfTable::Event { event: EventName::AbonoPlaced };
                self.accusation(Code::GameWrong, OfTable::PuntoYBanca, recorded)
            }
            (Act::OfNoKind, Some(bet_kind)) => {
                let kinds = rules.into_iter().flat_map(|rules| rules.book.bets.keys().cloned()).collect();
                self.accusation(Code::BetKind, OfBets::KindsOffered { kinds }, OfBets::Kind { bet_kind })
            }
            (Act::Placed | Act::OfNoKind, _) => {
                self.accusation(Code::BetLate, OfBets::BeforeClose, OfBets::Afterwards { bet: id })
            }
            (Act::Withdrawn, _) => {
                self.accusation(Code::BetWithdrawnLate, OfBets::NoWithdrawal, OfBets::TakenBack { bet: id })
            }
        };
        let at_least =
            late.act == Act::Withdrawn && self.money.of(late.bet).is_some_and(BetMoney::is_at_least);
        let money = vec![SeatMoney { seat, minor_units: minor_units.unwrap_or(0), at_least }];
        let accusation = accusation.at(late.at);
        accusation.moving_for_bets(vec![late.bet], money).and_beside(at_bank)
    }
}
