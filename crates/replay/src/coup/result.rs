//! The result of a coup as announced against everything its hands may come to.

use events::CoupSettled;

use super::CoupInPlay;
use super::drawing::each_has_two;
use crate::Code;
use crate::rules::Rules;
use crate::sink::Sink;
use crate::verdict::Reason;
use crate::worlds::{Worlds, total};
use baccarat::Side;

impl CoupInPlay {
    /// Totals and winner as announced against the hands as dealt; gives the worlds they leave.
    pub(crate) fn check_result(&mut self, settled: &CoupSettled, rules: &Rules, sink: &mut Sink) -> Worlds {
        if !each_has_two(&self.deal) {
            self.doubt(Reason::CardUnread);
            return Worlds::none();
        }
        let mut worlds = self.worlds(rules);
        let announced = (settled.punto_total, settled.banca_total);
        let fits =
            worlds.keep(|outcome| (total(outcome, Side::Punto), total(outcome, Side::Banca)) == announced);
        if !fits {
            let recorded = format!("punto {}, banca {}", settled.punto_total, settled.banca_total);
            sink.accuse(self.accusation(Code::TotalWrong, worlds.totals_told(), recorded));
        }
        if !worlds.keep(|outcome| outcome.winner() == settled.winner) {
            sink.accuse(self.accusation(Code::WinnerWrong, worlds.winners_told(), settled.winner));
        }
        worlds
    }

    /// What the hands may come to by their draws.
    fn worlds(&self, rules: &Rules) -> Worlds {
        let read = self.deal.coup().as_ref().and_then(Worlds::of_coup);
        read.unwrap_or_else(|| self.deals_finished(rules).worlds())
    }
}
