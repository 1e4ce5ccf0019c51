//! An irregularity as the state machines see it, before it is given its place in the log.

use baccarat::{BetKind, Money};
use serde::{Deserialize, Serialize};

use crate::{Code, SeatMoney};

/// What is wrong, without saying where.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Issue {
    pub(crate) code: Code,
    pub(crate) expected: String,
    pub(crate) recorded: String,
    pub(crate) money: Vec<SeatMoney>,
    /// The kind of bet whose paytable is the rule that was broken.
    pub(crate) bet: Option<BetKind>,
    /// The code of the irregularity whose consequence is the rule that was broken.
    pub(crate) irregularity: Option<String>,
    /// The coup it belongs to.
    pub(crate) coup: Option<u32>,
}

impl Issue {
    pub(crate) fn new(code: Code, expected: impl ToString, recorded: impl ToString) -> Self {
        let (expected, recorded) = (expected.to_string(), recorded.to_string());
        Self { code, expected, recorded, money: Vec::new(), bet: None, irregularity: None, coup: None }
    }

    pub(crate) fn in_coup(self, coup: u32) -> Self {
        Self { coup: Some(coup), ..self }
    }

    pub(crate) fn about(self, bet: &BetKind) -> Self {
        Self { bet: Some(bet.clone()), ..self }
    }

    pub(crate) fn under(self, irregularity: &str) -> Self {
        Self { irregularity: Some(irregularity.to_owned()), ..self }
    }

    pub(crate) fn moving(self, money: Vec<SeatMoney>) -> Self {
        Self { money, ..self }
    }
}

/// What a seat got beyond what was due.
pub(crate) fn seat_money(seat: u8, got: Money, due: Money) -> SeatMoney {
    SeatMoney { seat, minor_units: clamp(got.over(due)) }
}

/// A difference as a signed integer; sums of recorded amounts always fit.
pub(crate) fn clamp(difference: i128) -> i64 {
    i64::try_from(difference).unwrap_or(if difference < 0 { i64::MIN } else { i64::MAX })
}
