//! What a bank holds if a wrong sum was only recorded wrongly. The next record of the bank shows it. Then the wrong sum has no
//! other consequence than that the bank goes back to the right one.

use baccarat::Money;
use events::{BankPassed, BankSettled};
use serde::{Deserialize, Serialize};

use super::Checked;
use super::bank_play::{Due, Playing};
use crate::Code;
use crate::chemin::Banker;
use crate::reading::Told;
use crate::sink::{Accusation, seat_money};
use crate::statement::{OfBank, OfBets};

/// What a bank holds in play, and what is set aside of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Sums {
    pub(super) bank: Money,
    pub(super) garaje: Money,
}

impl Sums {
    /// What a banker holds according to the record.
    pub(super) const fn of(banker: &Banker) -> Self {
        Self { bank: banker.bank, garaje: banker.garaje }
    }

    /// What a bank held before a coup, worked out from the account of the coup.
    pub(super) const fn before(account: &BankSettled) -> Self {
        let bank = account.bank.plus(account.lost).plus(account.commission).minus(account.won);
        Self { bank, garaje: account.garaje }
    }

    pub(super) const fn all(self) -> Money {
        self.bank.plus(self.garaje)
    }

    /// A banker holds this.
    pub(super) const fn give(self, banker: &mut Banker) {
        (banker.bank, banker.garaje) = (self.bank, self.garaje);
    }
}

/// The last account, if it is wrong: what the bank holds if only the account is.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Otherwise {
    coup: u32,
    /// Where the account is found.
    at: u64,
    pub(super) sums: Sums,
}

impl Otherwise {
    /// The bank's result of a coup, if its account says something else.
    pub(super) fn of(told: &Told<'_, BankSettled>, due: Due, playing: &Playing) -> Option<Self> {
        playing.known_bank()?;
        let bank = playing.bank.plus(due.won).minus(due.lost).minus(due.commission);
        let (sums, account) = (Sums { bank, garaje: playing.garaje }, told.value);
        let at = told.corrected_by.unwrap_or(told.sequence);
        let differs = (account.bank, account.garaje) != (bank, playing.garaje);
        differs.then_some(Self { coup: account.coup, at, sums })
    }

    /// The same with other sums.
    pub(super) const fn with(self, sums: Sums) -> Self {
        Self { sums, ..self }
    }

    /// Whether the bank is passed with this sum, and not with the one in its account.
    pub(super) fn is_passed(self, passed: &BankPassed, banker: &Banker) -> bool {
        passed.amount == self.sums.all() && passed.amount != Sums::of(banker).all()
    }

    /// The bank goes on with this sum, so the money of the wrong account comes back.
    pub(super) fn goes_on(self, at: u64, banker: &mut Banker) -> Checked {
        let (by_account, mut checked) = (Sums::of(banker), Checked::default());
        let amount = by_account.all();
        if amount != self.sums.all() {
            let expected = OfBank::Held {
                amount: amount.into(),
                bank: banker.bank.into(),
                garaje: banker.garaje.into(),
            };
            let recorded = OfBets::Amount { amount: self.sums.all().into() };
            let money = vec![seat_money(banker.who.seat, self.sums.all(), amount)];
            let back = Accusation::new(Code::BankWrong, expected, recorded).in_coup(self.coup);
            checked.accuse(at, back.moving(money));
            checked.found.iter_mut().for_each(|found| found.follows = Some((self.at, Code::BankWrong)));
        }
        self.sums.give(banker);
        checked
    }

    /// The same, after more of it was set aside.
    pub(super) fn goes_on_from(self, at: u64, banker: &mut Banker, after: Sums, checked: &mut Checked) {
        checked.and(self.goes_on(at, banker));
        after.give(banker);
    }
}
