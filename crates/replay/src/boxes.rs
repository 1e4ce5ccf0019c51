//! The commission boxes: what each seat owes the house (*casillero*).
//!
//! The ledger follows what was recorded as marked; whether a mark was right is judged where the
//! bet is settled.

use std::collections::BTreeMap;

use baccarat::{Charge, Money};
use events::CoupSettled;
use serde::{Deserialize, Serialize};

use crate::coup::Bet;
use crate::rules::Rules;
use crate::sink::{Accusation, clamp, seat_money};
use crate::{Code, SeatMoney};

/// What a seat's box came to in one shoe, in minor units.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Account {
    pub(crate) marked: Money,
    pub(crate) collected: Money,
}

/// Outstanding commission by seat.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Boxes {
    outstanding: BTreeMap<u8, Money>,
    /// Marked and collected in this shoe, by seat.
    accounts: BTreeMap<u8, Account>,
    /// Marks may be missing from the record: sums are not judged until every box is emptied.
    uncertain: bool,
}

impl Boxes {
    pub(crate) fn mark(&mut self, seat: u8, commission: Money) {
        if commission > Money::ZERO {
            let sum = self.outstanding.entry(seat).or_default();
            *sum = sum.plus(commission);
            let account = self.accounts.entry(seat).or_default();
            account.marked = account.marked.plus(commission);
        }
    }

    /// The accounts of the shoe that is over; the next shoe's begin empty.
    pub(crate) fn take_accounts(&mut self) -> BTreeMap<u8, Account> {
        std::mem::take(&mut self.accounts)
    }

    /// A settlement was corrected: what it marked is taken out of the boxes again.
    pub(crate) fn unmark(&mut self, bets: &[Bet], settled: &CoupSettled, rules: &Rules) {
        if rules.book.commission.as_ref().is_none_or(|commission| commission.charge != Charge::Boxed) {
            return;
        }
        for line in &settled.bets {
            if let Some(bet) = bets.iter().find(|bet| bet.id == line.bet)
                && let Some(sum) = self.outstanding.get_mut(&bet.seat)
            {
                *sum = sum.minus(line.commission);
                let account = self.accounts.entry(bet.seat).or_default();
                account.marked = account.marked.minus(line.commission);
            }
        }
        self.outstanding.retain(|_, sum| *sum > Money::ZERO);
    }

    /// Whether commission is marked that nobody collected yet.
    pub(crate) fn owed(&self) -> bool {
        !self.outstanding.is_empty()
    }

    /// Marks may have been missed.
    pub(crate) const fn doubt(&mut self) {
        self.uncertain = true;
    }

    pub(crate) fn collect(&mut self, seat: u8, amount: Money) -> Option<Accusation> {
        let account = self.accounts.entry(seat).or_default();
        account.collected = account.collected.plus(amount);
        let owed = self.outstanding.remove(&seat).unwrap_or_default();
        if amount < owed {
            self.outstanding.insert(seat, owed.minus(amount));
        }
        (amount > owed && !self.uncertain).then(|| {
            let money = vec![SeatMoney { seat, minor_units: clamp(owed.over(amount)) }];
            Accusation::new(Code::CommissionOverCollected, owed, amount).moving(money)
        })
    }

    /// A seat is left: its box has to be empty.
    pub(crate) fn leave(&mut self, seat: u8) -> Option<Accusation> {
        let owed = self.outstanding.remove(&seat)?;
        (!self.uncertain).then(|| {
            Accusation::new(
                Code::CommissionUncollected,
                "0 outstanding",
                format!("{owed} outstanding at seat {seat}"),
            )
            .moving(vec![seat_money(seat, owed, Money::ZERO)])
        })
    }

    /// The shoe is over and the next begins, or the table closes: every box has to be empty.
    pub(crate) fn shoe_over(&mut self) -> Option<Accusation> {
        let owed = std::mem::take(&mut self.outstanding);
        let doubted = std::mem::take(&mut self.uncertain);
        if owed.is_empty() || doubted {
            return None;
        }
        let recorded: Vec<String> = owed.iter().map(|(seat, sum)| format!("{sum} at seat {seat}")).collect();
        let money = owed.iter().map(|(&seat, &sum)| seat_money(seat, sum, Money::ZERO)).collect();
        Some(
            Accusation::new(
                Code::CommissionUncollected,
                "0 outstanding",
                format!("outstanding: {}", recorded.join(", ")),
            )
            .moving(money),
        )
    }
}
