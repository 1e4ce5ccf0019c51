//! The announced result of a coup against every result that its hands may have.

use baccarat::Side;
use events::CoupSettled;

use super::Checked;
use crate::Code;
use crate::reading::Told;
use crate::sink::Accusation;
use crate::statement::{AnyOf, OfCards};
use crate::worlds::{Worlds, total};

/// Compares totals and winner; what was announced narrows what the hands may result in.
pub(super) fn result(settled: &Told<'_, CoupSettled>, worlds: &mut Worlds) -> Checked {
    let mut checked = Checked::default();
    let (at, of) = (settled.corrected_by.unwrap_or(settled.sequence), settled.value);
    let announced = (of.punto_total, of.banca_total);
    if !worlds.keep(|outcome| (total(outcome, Side::Punto), total(outcome, Side::Banca)) == announced) {
        let [punto, banca] = Side::ALL.map(|side| worlds.totals(side));
        let expected = OfCards::TotalsDue { punto, banca };
        let recorded = OfCards::TotalsAnnounced { punto: announced.0, banca: announced.1 };
        checked.accuse(at, Accusation::new(Code::TotalWrong, expected, recorded));
    }
    if !worlds.keep(|outcome| outcome.winner() == of.winner) {
        let expected = OfCards::WinnerDue { winners: AnyOf(worlds.winners().into()) };
        let recorded = OfCards::WinnerAnnounced { winner: of.winner };
        checked.accuse(at, Accusation::new(Code::WinnerWrong, expected, recorded));
    }
    checked
}
