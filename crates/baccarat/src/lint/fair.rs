//! What each bet costs the player, which bets favour the player, and which cost more than a bet does.

use super::{Code, Finding, Prices};
use crate::exact::{Fraction, Price, Tally, price};
use crate::sentence::sentence;
use crate::{BetKind, BetRule, Odds, Pays, Rulebook};

/// The percentage of a stake that a bet keeps at most. Of the bets of the rulebooks that come with the program, the one
/// that costs most keeps 30.
const MOST_KEPT: u128 = 40;
/// The same of a bet that pays less than the stake whenever it wins. Of those it keeps 4.
const MOST_KEPT_BELOW_EVEN: u128 = 10;

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

/// Reports the bets whose odds are most likely a slip of the pen: with the most decks, they cost more than bets do.
pub(super) fn unlikely(rulebook: &Rulebook, tallies: &[(u8, Tally)], found: &mut Vec<Finding>) {
    let Some((decks, tally)) = tallies.last() else { return };
    for (kind, rule) in &rulebook.bets {
        let priced = |rule: &BetRule| price(rule, rulebook.commission.as_ref(), tally);
        let Price { edge, wins, .. } = priced(rule);
        let before = found.len();
        for (index, row) in rule.rows.iter().enumerate() {
            let Some((odds, turned)) = below_even(row.pays) else { continue };
            let mut other = rule.clone();
            other.rows[index].pays = Pays::Wins(turned);
            let turned_edge = priced(&other).edge;
            if !turned_edge.is_negative() && turned_edge < edge {
                found.push(swapped(kind, index, (odds, &edge), (turned, &turned_edge)));
            }
        }
        // A bet that no coup pays is reported as such.
        if before == found.len() && wins > 0 {
            let pays_below_even = rule.rows.iter().all(|row| match row.pays {
                Pays::Wins(odds) => odds.wins() < odds.per(),
                Pays::Push | Pays::Lose => true,
            });
            let most = if pays_below_even { MOST_KEPT_BELOW_EVEN } else { MOST_KEPT };
            if edge > Fraction::new(most, 100) {
                found.push(costly(kind, &edge, *decks, most));
            }
        }
    }
}

/// Odds below even money, and the same the other way round.
fn below_even(pays: Pays) -> Option<(Odds, Odds)> {
    let Pays::Wins(odds) = pays else { return None };
    let turned = format!("{}:{}", odds.per(), odds.wins()).parse().ok()?;
    (odds.wins() < odds.per()).then_some((odds, turned))
}

fn swapped(
    kind: &BetKind,
    index: usize,
    (odds, edge): (Odds, &Fraction),
    (turned, turned_edge): (Odds, &Fraction),
) -> Finding {
    let (percent, turned_percent) = (edge.percent(4), turned_edge.percent(4));
    let sentence = sentence!(
        "is `{odds}`, less than the stake, and the bet keeps {percent} % of every stake; what is paid is written \
         won:staked, and the other way round, `{turned}`, it would keep {turned_percent} %: look which of the two is \
         meant",
        "es `{odds}`, menos que la apuesta, y la casa se queda el {percent} % de cada apuesta; lo que se paga se escribe \
         ganado:apostado, y al revés, `{turned}`, se quedaría el {turned_percent} %: mire cuál de los dos es"
    );
    Finding::new(Code::PayoutSwapped, format!("bets.{kind}.rows[{index}].pays"), sentence)
}

fn costly(kind: &BetKind, edge: &Fraction, decks: u8, most: u128) -> Finding {
    let percent = edge.percent(4);
    let sentence = sentence!(
        "keeps {percent} % of every stake ({edge}, {decks} decks), and a bet like it keeps no more than {most} %: look \
         at its odds, written won:staked, and at its conditions",
        "se queda el {percent} % de cada apuesta ({edge}, {decks} barajas), y una apuesta así no pasa del {most} %: revise \
         lo que paga, escrito ganado:apostado, y sus condiciones"
    );
    Finding::new(Code::CostsTooMuch, format!("bets.{kind}"), sentence)
}
