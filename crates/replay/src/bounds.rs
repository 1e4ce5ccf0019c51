//! Limits that hold under any rulebook, also one that cannot be read: a bet returns at most its stake and a
//! thousand times its stake.

use baccarat::Money;
use events::CoupSettled;

use crate::coup::CoupInPlay;
use crate::sink::{Accusation, Sink, clamp};
use crate::statement::{NO_COMMISSION, OfPayouts, Sum};
use crate::{Code, SeatMoney};

/// Times its stake that a bet can return at most: no paytable pays more than 1000 to 1.
const MOST_TIMES: i128 = 1_001;

/// Judges a settlement under a rulebook that cannot be read.
pub(crate) fn judge_bounds(play: &CoupInPlay, settled: &CoupSettled, sink: &mut Sink) {
    let index = play.bet_index();
    for line in &settled.bets {
        let Some(bet) = index.first(line.bet).map(|at| &play.bets[at]) else { continue };
        let wide = |money: Money| i128::from(money.get());
        let most = wide(bet.stake) * MOST_TIMES;
        let surplus = wide(line.returned) - most;
        if surplus > 0 {
            let most = Sum(u64::try_from(most).unwrap_or(u64::MAX));
            let expected = OfPayouts::BetReturnsAtMost { bet: bet.id, amount: most };
            let recorded = OfPayouts::Returned { amount: line.returned.into(), commission: NO_COMMISSION };
            let accusation: Accusation = play.accusation(Code::PayoutOver, expected, recorded);
            let money = SeatMoney::at_least(bet.seat, clamp(surplus));
            sink.accuse(accusation.moving(vec![money]));
        }
    }
}
