//! Limits that hold under any rulebook, also one that cannot be read: a bet returns at most its stake and a
//! thousand times its stake.

use baccarat::Money;
use events::BetSettled;

use crate::sink::{Accusation, clamp};
use crate::statement::{NO_COMMISSION, OfPayouts, Sum};
use crate::{Code, SeatMoney};

/// Times its stake that a bet can return at most: no paytable pays more than 1000 to 1.
const MOST_TIMES: i128 = 1_001;

/// What is wrong with the line of a bet, of this id, at this seat and of this stake, if it returns more than any rulebook allows.
pub(crate) fn beyond((bet, seat, stake): (u64, u8, Money), line: &BetSettled) -> Option<Accusation> {
    let wide = |money: Money| i128::from(money.get());
    let most = wide(stake) * MOST_TIMES;
    let surplus = wide(line.returned) - most;
    let most = Sum(u64::try_from(most).unwrap_or(u64::MAX));
    let expected = OfPayouts::BetReturnsAtMost { bet, amount: most };
    let recorded = OfPayouts::Returned { amount: line.returned.into(), commission: NO_COMMISSION };
    let over = Accusation::new(Code::PayoutOver, expected, recorded);
    (surplus > 0).then(|| over.moving(vec![SeatMoney::at_least(seat, clamp(surplus))]))
}
