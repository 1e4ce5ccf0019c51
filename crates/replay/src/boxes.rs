//! The commission boxes of a table: what each seat owes the house (*casillero*).
//!
//! Balances follow the marks as they were recorded. Whether a mark was right is judged with the settlement
//! of its bet (`settlement.rs`).

use std::collections::{BTreeMap, BTreeSet};

use baccarat::Money;
use serde::{Deserialize, Serialize};

use crate::person::Person;
use crate::sink::{Accusation, clamp, seat_money};
use crate::statement::{Boxed, OfBets, OfPayouts, Sum};
use crate::{Code, SeatMoney};

const NOTHING_OUTSTANDING: OfPayouts = OfPayouts::Outstanding { amount: Sum(0) };

/// What a seat's box came to in one shoe, in minor units.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Account {
    pub(crate) marked: Money,
    pub(crate) collected: Money,
}

/// Most players whose marks in one box are kept apart. What others mark counts as somebody else's.
const MOST_PLAYERS: usize = 16;

/// Commission that a settlement marks for a bet.
#[derive(Debug, Clone)]
pub(crate) struct Mark {
    pub(crate) seat: u8,
    /// Whose bet won; `None`: the owner of the box.
    pub(crate) person: Option<Person>,
    pub(crate) commission: Money,
}

/// What a box holds: at least, and at most beside what missing events may have marked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Owed {
    least: Money,
    most: Money,
    /// What was marked for each player; `None`: for the owner of the box.
    #[serde(default)]
    marks: Vec<(Option<Person>, Money)>,
    /// What was marked for players who are none of these.
    #[serde(default)]
    of_others: Money,
}

impl Owed {
    fn mark(&mut self, person: Option<&Person>, commission: Money) {
        match self.marks.iter().position(|(of, _)| of.as_ref() == person) {
            Some(at) => self.marks[at].1 = self.marks[at].1.plus(commission),
            None if self.marks.len() < MOST_PLAYERS => self.marks.push((person.cloned(), commission)),
            None => self.of_others = self.of_others.plus(commission),
        }
    }

    fn unmark(&mut self, person: Option<&Person>, commission: Money) {
        let of = self.marks.iter_mut().find(|(of, _)| of.as_ref() == person);
        let sum = of.map_or(&mut self.of_others, |(_, sum)| sum);
        *sum = sum.minus(commission);
    }

    /// What was marked for its owner is somebody else's from here on.
    fn change_owner(&mut self) {
        let of_owner = self.marks.iter().position(|(of, _)| of.is_none());
        if let Some((_, sum)) = of_owner.map(|at| self.marks.swap_remove(at)) {
            self.of_others = self.of_others.plus(sum);
        }
    }

    /// Most of it that other players may owe than the one who leaves the seat. If the record does not say who leaves,
    /// it may be any of those who have marks.
    fn most_of_others(&self, leaves: Option<&Person>) -> Money {
        let sum = |all: &mut dyn Iterator<Item = Money>| all.fold(Money::ZERO, Money::plus);
        let named = || self.marks.iter().filter_map(|(of, sum)| Some((of.as_ref()?, *sum)));
        let others = match leaves {
            Some(leaves) => sum(&mut named().filter(|(of, _)| *of != leaves).map(|(_, sum)| sum)),
            None => {
                let all = sum(&mut named().map(|(_, sum)| sum));
                all.minus(named().map(|(_, sum)| sum).min().unwrap_or_default())
            }
        };
        others.plus(self.of_others).min(self.most)
    }
}

/// Outstanding commission by seat.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Boxes {
    outstanding: BTreeMap<u8, Owed>,
    /// Marked and collected in this shoe, by seat.
    accounts: BTreeMap<u8, Account>,
    /// Most that missing events may have marked in any box; `None`: without bound.
    missed: Missed,
    /// Boxes that were left with something in them: what is collected for them still was due before.
    left: BTreeMap<u8, Money>,
}

/// Most that missing events may have marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Missed {
    AtMost(Money),
    WithoutBound,
}

impl Default for Missed {
    fn default() -> Self {
        Self::AtMost(Money::ZERO)
    }
}

impl Boxes {
    pub(crate) fn mark(&mut self, seat: u8, person: Option<&Person>, commission: Money) {
        if commission > Money::ZERO {
            let owed = self.outstanding.entry(seat).or_default();
            owed.mark(person, commission);
            (owed.least, owed.most) = (owed.least.plus(commission), owed.most.plus(commission));
            let account = self.accounts.entry(seat).or_default();
            account.marked = account.marked.plus(commission);
        }
    }

    /// Commission that may be marked in a box, or not.
    pub(crate) fn mark_perhaps(&mut self, seat: u8, commission: Money) {
        if commission > Money::ZERO {
            let owed = self.outstanding.entry(seat).or_default();
            owed.most = owed.most.plus(commission);
        }
    }

    /// What a coup marked that is void now is taken out again, as far as nobody collected it before.
    pub(crate) fn unmark(&mut self, seat: u8, person: Option<&Person>, commission: Money) {
        let Some(owed) = self.outstanding.get_mut(&seat) else { return };
        owed.unmark(person, commission);
        let before = owed.most;
        (owed.least, owed.most) = (owed.least.minus(commission), owed.most.minus(commission));
        let account = self.accounts.entry(seat).or_default();
        account.marked = account.marked.minus(before.minus(owed.most));
        if owed.most == Money::ZERO {
            self.outstanding.remove(&seat);
        }
    }

    /// What was just marked in a box may belong into another.
    pub(crate) fn doubt_mark(&mut self, seat: u8, commission: Money) {
        let owed = self.outstanding.get_mut(&seat);
        owed.into_iter().for_each(|owed| owed.least = owed.least.minus(commission));
        self.mark_somewhere(commission);
    }

    /// Commission of a bet that is not recorded may be marked in any box.
    pub(crate) fn mark_somewhere(&mut self, commission: Money) {
        if let Missed::AtMost(sum) = self.missed {
            self.missed = Missed::AtMost(sum.plus(commission));
        }
    }

    /// The accounts of the shoe that is over; the next shoe's begin empty.
    pub(crate) fn take_accounts(&mut self) -> BTreeMap<u8, Account> {
        std::mem::take(&mut self.accounts)
    }

    /// Whether commission is marked that nobody collected yet.
    pub(crate) fn owed(&self) -> bool {
        self.outstanding.values().any(|owed| owed.most > Money::ZERO)
    }

    /// Events are missing, each of which may have marked this much at most (`None`: without bound), or
    /// collected whatever there was.
    pub(crate) fn miss(&mut self, events: u64, each: Option<Money>) {
        self.outstanding.values_mut().for_each(|owed| owed.least = Money::ZERO);
        let more =
            each.map(|each| Money::new(each.get().saturating_mul(events)).unwrap_or(Money::MAX_RECORDED));
        self.missed = match (self.missed, more) {
            (Missed::AtMost(sum), Some(more)) => Missed::AtMost(sum.plus(more)),
            (Missed::AtMost(_), None) | (Missed::WithoutBound, _) => Missed::WithoutBound,
        };
    }

    /// Commission is collected. Returns what of it was due before, and reported as uncollected then, and what is wrong.
    pub(crate) fn collect(&mut self, seat: u8, amount: Money) -> (Money, Option<Accusation>) {
        let account = self.accounts.entry(seat).or_default();
        account.collected = account.collected.plus(amount);
        let owed = self.outstanding.remove(&seat).unwrap_or_default();
        let surplus = amount.minus(owed.most);
        // For whom it was collected is not recorded.
        let rest = Owed { least: owed.least.minus(amount), most: owed.most.minus(amount), ..owed };
        if rest.most > Money::ZERO {
            self.outstanding.insert(seat, rest);
        }
        let overdue = self.left.remove(&seat).unwrap_or_default();
        let late = overdue.min(surplus);
        if overdue > late {
            self.left.insert(seat, overdue.minus(late));
        }
        let surplus = surplus.minus(late);
        let Missed::AtMost(missed) = self.missed else { return (late, None) };
        let beyond = surplus.minus(missed);
        // What is too much in any case uses up nothing that may explain another box.
        if beyond == Money::ZERO {
            self.missed = Missed::AtMost(missed.minus(surplus));
        }
        let wrong = (beyond > Money::ZERO).then(|| {
            let at_least = missed > Money::ZERO || owed.least < owed.most;
            let minor_units = clamp(Money::ZERO.over(beyond));
            let money = vec![SeatMoney { seat, minor_units, at_least }];
            let most = amount.minus(beyond);
            Accusation::new(
                Code::CommissionOverCollected,
                OfBets::Amount { amount: most.into() },
                OfBets::Amount { amount: amount.into() },
            )
            .moving(money)
        });
        (late, wrong)
    }

    /// Somebody sits down where nobody sat: what is marked for the owner of the box is not theirs.
    pub(crate) fn sit(&mut self, seat: u8) {
        self.outstanding.entry(seat).and_modify(Owed::change_owner);
    }

    /// A seat is left: the player who leaves has to have paid. What its box holds for other players, who stand, is due at the
    /// end of the shoe.
    pub(crate) fn leave(&mut self, seat: u8, player: Option<&Person>) -> Option<Accusation> {
        let whole = self.outstanding.remove(&seat)?;
        let of_others = whole.most_of_others(player);
        let owed = whole.least.minus(of_others);
        if of_others > Money::ZERO {
            let least = whole.least.min(of_others);
            self.outstanding.insert(seat, Owed { least, most: of_others, of_others, ..Owed::default() });
        }
        (owed > Money::ZERO).then(|| {
            let left = self.left.entry(seat).or_default();
            *left = left.plus(owed);
            let recorded = OfPayouts::OutstandingAt { amount: owed.into(), seat };
            let at_least = of_others > Money::ZERO || whole.least < whole.most;
            let money = vec![SeatMoney { at_least, ..seat_money(seat, owed, Money::ZERO) }];
            Accusation::new(Code::CommissionUncollected, NOTHING_OUTSTANDING, recorded).moving(money)
        })
    }

    /// The shoe is over and the next begins, or the table closes: every box has to be empty.
    pub(crate) fn shoe_over(&mut self) -> Option<Accusation> {
        let owed = std::mem::take(&mut self.outstanding);
        let open: BTreeSet<u8> =
            owed.iter().filter(|(_, owed)| owed.least < owed.most).map(|(seat, _)| *seat).collect();
        let owed: BTreeMap<u8, Money> = owed
            .into_iter()
            .map(|(seat, owed)| (seat, owed.least))
            .filter(|(_, sum)| *sum > Money::ZERO)
            .collect();
        self.missed = Missed::default();
        for (seat, sum) in &owed {
            let left = self.left.entry(*seat).or_default();
            *left = left.plus(*sum);
        }
        if owed.is_empty() {
            return None;
        }
        let boxes = owed.iter().map(|(&seat, &sum)| Boxed { seat, amount: sum.into() }).collect();
        let money = owed.iter().map(|(&seat, &sum)| {
            let at_least = open.contains(&seat);
            SeatMoney { at_least, ..seat_money(seat, sum, Money::ZERO) }
        });
        let money = money.collect();
        let recorded = OfPayouts::OutstandingInBoxes { boxes };
        Some(Accusation::new(Code::CommissionUncollected, NOTHING_OUTSTANDING, recorded).moving(money))
    }
}
