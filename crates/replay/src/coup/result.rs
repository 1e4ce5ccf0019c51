//! Checks the announced result of a coup against every result that its hands may have.

use baccarat::{Side, Winner};
use events::CoupSettled;

use super::CoupInPlay;
use super::drawing::each_has_two;
use crate::Code;
use crate::rules::Rules;
use crate::sink::{Accusation, Sink};
use crate::statement::{AnyOf, OfCards};
use crate::verdict::Reason;
use crate::worlds::{Worlds, total};

impl CoupInPlay {
    /// Totals and winner as announced against the hands as dealt; gives the worlds they leave.
    pub(crate) fn check_result(&mut self, settled: &CoupSettled, rules: &Rules, sink: &mut Sink) -> Worlds {
        if !each_has_two(&self.deal) && !self.missing_cards {
            self.doubt(Reason::CardUnread);
            return Worlds::none();
        }
        let mut worlds = self.worlds(rules);
        self.check_totals(settled, &mut worlds, sink);
        if !worlds.keep(|outcome| outcome.winner() == settled.winner) {
            sink.accuse(self.wrong_winner(worlds.winners(), settled.winner));
        }
        worlds
    }

    /// What the hands may come to once each has the cards that were not dealt to it; `None` where none is missing, or may
    /// be among missing events. Of a number that was played before its bets come too late, and nothing else is wrong.
    pub(crate) fn completed(&self) -> Option<Worlds> {
        let lacks = !each_has_two(&self.deal) && !self.missing_cards && !self.again;
        lacks.then(|| Worlds::of_short(&self.deal))
    }

    /// The totals announced, which narrow the worlds.
    pub(crate) fn check_totals(&self, settled: &CoupSettled, worlds: &mut Worlds, sink: &mut Sink) {
        let announced = (settled.punto_total, settled.banca_total);
        let totals = |outcome: &_| (total(outcome, Side::Punto), total(outcome, Side::Banca));
        if !worlds.keep(|outcome| totals(outcome) == announced) {
            let [punto, banca] = Side::ALL.map(|side| worlds.totals(side));
            let (expected, (punto, banca)) = (OfCards::TotalsDue { punto, banca }, announced);
            let recorded = OfCards::TotalsAnnounced { punto, banca };
            sink.accuse(self.accusation(Code::TotalWrong, expected, recorded));
        }
    }

    /// Another winner was announced than those who may have won.
    pub(crate) fn wrong_winner(&self, due: Vec<Winner>, winner: Winner) -> Accusation {
        let expected = OfCards::WinnerDue { winners: AnyOf(due.into()) };
        self.accusation(Code::WinnerWrong, expected, OfCards::WinnerAnnounced { winner })
    }

    /// What the hands may come to by their draws.
    fn worlds(&self, rules: &Rules) -> Worlds {
        if self.missing_cards {
            return Worlds::any();
        }
        let read = self.deal.coup().as_ref().and_then(Worlds::of_coup);
        read.unwrap_or_else(|| self.deals_finished(rules).worlds())
    }
}
