//! What each bet costs the player, and which bets favour the player.

use super::{Code, Finding, Prices};
use crate::Rulebook;
use crate::exact::{Tally, price};
use crate::sentence::sentence;

/// Prices every bet with one number of decks.
pub(super) fn prices(rulebook: &Rulebook, decks: u8, tally: &Tally) -> Prices {
    let priced = |rule| price(rule, rulebook.commission.as_ref(), tally);
    let bets = rulebook.bets.iter().map(|(kind, rule)| (kind.clone(), priced(rule))).collect();
    Prices { decks, draws: tally.draws(), bets }
}

/// Reports the bets that favour the player, with their largest edge.
pub(super) fn judge(prices: &[Prices], found: &mut Vec<Finding>) {
    let Some(first) = prices.first() else { return };
    for (index, (kind, _)) in first.bets.iter().enumerate() {
        let edges = prices.iter().map(|with| (with.decks, &with.bets[index].1.edge));
        let Some((decks, edge)) = edges.min_by_key(|(_, edge)| *edge) else { continue };
        if edge.is_negative() {
            let given = edge.magnitude();
            let percent = given.percent(4);
            let sentence = sentence!(
                "favours the player, who gains {percent} % of every stake ({given}, {decks} decks): look at its \
                 odds",
                "favorece al jugador, que gana el {percent} % de cada apuesta ({given}, {decks} barajas): revise lo \
                 que paga"
            );
            found.push(Finding::new(Code::FavoursPlayer, format!("bets.{kind}"), sentence));
        }
    }
}
