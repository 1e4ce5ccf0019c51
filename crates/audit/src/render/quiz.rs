//! A coup as it is recorded, without what the judge says of it.

use replay::{BetView, CoupView};

use super::coup::cards;
use super::format::{money, table};
use crate::language::texts;

/// Cards as they fell, what was announced, and what every bet was paid.
pub(crate) fn unjudged(coup: &CoupView) -> String {
    let shoe = coup.shoe.as_deref().unwrap_or("-");
    let mut text = format!("{}\n", texts().quiz_place(&coup.table, shoe, coup.coup));
    text.push_str(&format!("\n{:<9} {}\n", texts().cards_label(), cards(coup)));
    text.push_str(&format!("{:<9} {}\n", texts().announced_label(), texts().announced_of(coup)));
    if !coup.bets.is_empty() {
        text.push_str(&format!("\n{}", bets(coup)));
    }
    text
}

fn bets(coup: &CoupView) -> String {
    let row = |bet: &BetView| {
        let who = bet.player.as_ref().map(|player| format!(" {player}")).unwrap_or_default();
        [
            bet.bet.to_string(),
            format!("{}{who}", bet.seat),
            bet.kind.clone(),
            money(i128::from(bet.stake), coup.currency.as_ref()),
            texts().settlement_of(bet, bet.recorded, coup.currency.as_ref()),
        ]
    };
    let headings = [texts().bet(), texts().seat(), texts().kind(), texts().stake(), texts().as_recorded()];
    table(headings, coup.bets.iter().map(row))
}
